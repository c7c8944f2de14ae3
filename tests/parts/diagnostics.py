"""Messages about queries: tests/diagnostics/NAME.cql must be refused with exactly the text of NAME.stderr, or, when that has
only warnings, be accepted with it."""
import os
import re

from parts.harness import ROOT, TESTS, difference, read

DIAGNOSTICS = os.path.join(TESTS, "diagnostics")
PEDANTIC = "is part of the dialect CQLi, not of CQL 6.2; begin the query with `// dialect: cqli`"
# Options, and what is said about the queries in them: the first line of each mistake and its mark.
OPTIONS = [
    (["-e", ""], [("-e:1:1: error: the query is empty", "")]),
    (["-e", " // no"], [("-e:1:1: error: the query has no filter", "^")]),
    (["-e", "check", "-e", " ;"], [("-e2:1:1: error: the query has no filter", "^")]),
    (["-e", "check cql()"], [("-e:1:7: error: write the header `cql ( … )` once, before all filters, and not in option -e", "      ^~~")]),
    (["-e", "path\n\ncheck"], [("-e:1:5: error: expected a constituent of the path, such as `--`, found the blank line that ends the path", "    ^")]),
    (["-e", "check", "-e", "mat"], [("-e2:1:1: error: unknown name `mat`; did you mean `mate`?", "^~~")]),
    (["-e", "zz", "-e", "yy"], [("-e1:1:1: error: unknown name `zz`", "^~"), ("-e2:1:1: error: unknown name `yy`", "^~")]),
    (["-e", "lightsquares"], [("-e:1:1: error: unknown name `lightsquares`; a word of CQL 5; in CQL 6.2 write `light .`", "^~~~~~~~~~~~")]),
    (["-e", "check", "--count-by", "ply,check"],
     [("--count-by:1:1: error: a key of --count-by is a number, a set or a string, but this is a condition (true or false); "
       "`if F 1 else 0` makes a number", "^~~~~")]),
    (["-e", "check", "--count-by", "parent"],
     [("--count-by:1:1: error: a key of --count-by is a number, a set or a string, but this is a position; `if F 1 else 0` makes a number", "^~~~~~")]),
    (["-e", "check", "--count-by", "ply mate"], [("--count-by:1:5: error: a key of --count-by is one expression; expected a comma, found `mate`", "    ^~~~")]),
    (["-e", "check", "--count-by", "year,{reslt}"], [("--count-by:1:2: error: unknown name `reslt`; did you mean `result`?", " ^~~~~")]),
    (["--pedantic", "--dialect", "cql6", "-e", "check", "-e", "move legal : mate"], [("-e2:1:12: error: a speculative move " + PEDANTIC, "           ^")]),
    (["--pedantic", "-e", "clock > 3"], [("-e:1:1: error: `clock` is an extension of cqlgen, not part of CQL 6.2", "^~~~~")]),
    (["--pedantic", "--dialect", "cqli", "-e", "check eval > 3"], [("-e:1:7: error: `eval` is an extension of cqlgen, not part of CQLi", "      ^~~~"),
                                                                  ("-e:1:1: note: the query was read as cqli (by option)", "^")]),
    (["--pedantic", "-e", "line keepallbest --> check"], [("-e:1:6: error: the parameter `keepallbest` of `line` " + PEDANTIC, "     ^~~~~~~~~~~")]),
    (["--pedantic", "--dialect", "cqli", "-e", "check ; no"], [("-e:1:7: error: comments with `;` are not part of CQLi; write `//`", "      ^"),
                                                              ("-e:1:1: note: the query was read as cqli (by option)", "^")]),
    (["--pedantic", "--dialect", "cqli", "-e", '";" == ";" // ;'], []),
    (["--dialect", "cql6", "-e", "// dialect: cqli\nmate"], [("-e:1:13: warning: the option --dialect cql6 overrides this marker", "            ^~~~")]),
    (["--dialect", "cqli", "-e", "// dialect: cqli\nmate"], []),
    (["--dialect", "cql5", "-e", "mat"], [("-e:1:1: error: `mat` is not a word, number or piece designator of CQL 5; did you mean `mate`?", "^~~"),
                                         ("-e:1:1: note: the query was read as cql5 (by option)", "^")]),
    (["-e", "(match (position :mat))"], [("-e:1:18: error: position list 1: `:mat` is not a keyword of CQL 3; did you mean `:mate`?", " " * 17 + "^~~~"),
                                        ("-e:1:2: note: the query was read as cql3 (because of `match`)", " ^~~~~")]),
]

CQLI = "note: the query is valid CQLi; to have it read as CQLi, begin it with the line `// dialect: cqli`"
# Mistakes in the first filters of a text without a header: the text, and columns, lengths and messages.
OPTIONS += [(["-e", text], [("-e:1:%d: %s" % (column, message if ": " in message[:9] else "error: " + message),
                             " " * (column - 1) + "^" + "~" * (length - 1)) for column, length, message in wanted]) for text, wanted in (
    ("elo > 2500 white", [(12, 5, "`white` is a number, not a condition; the rating is `elo white`"), (12, 5, CQLI)]),
    ("white elo", [(1, 5, "`white` is a number, not a condition; the rating is `elo white`"), (1, 5, CQLI)]),
    ("year 1990", [(6, 4, "a number is not a condition; to compare, write `year == 1990`")]),
    ("1990", [(1, 4, "a number is not a condition")]),
    ('"a" "b"', [(1, 3, "a string is not a condition"), (5, 3, "a string is not a condition; to compare, write `==` or `~~` before it")]),
    ('"a" B20', [(1, 3, "a string is not a condition"), (5, 3, "unknown name `B20`")]),
    ("x q", [(1, 1, "unknown name `x`")]),
    ("R x", [(3, 1, "unknown name `x`; a capture is written `N[x]q`")]),
    ("Kasparov", [(1, 8, "unknown name `Kasparov`; games of a player are found by `player \"Kasparov\"`")]),
    ("player Kasparov", [(8, 8, "unknown name `Kasparov`; put strings in double quotes: `\"Kasparov\"`")]),
    ("player white Kasparov", [(14, 8, "unknown name `Kasparov`; put strings in double quotes: `\"Kasparov\"`")]),
    ('tag "ECO" == B20', [(14, 3, "unknown name `B20`; put strings in double quotes: `\"B20\"`")]),
    ('"a" == B20', [(8, 3, "unknown name `B20`")]),
    ("= 3", [(1, 1, "expected a filter, found `=`")]),
    ("& check", [(1, 1, "expected a filter, found `&`")]),
    (", check", [(1, 1, "expected a filter, found `,`; separate filters with spaces")]),
    (": 30", [(1, 1, "expected a filter, found `:`")]),
    ("1:30", [(1, 1, "a number is not a condition"), (2, 1, "`:` cannot follow a number; a time is a number of seconds: `90`")]),
    ("< 7", [(1, 1, "expected a filter, found `<`")]),
    ("or < 7", [(1, 2, "`or` needs a filter on each side")]),
    ("0-0", [(1, 3, "warning: a difference of numbers is always true; castling is `o-o` or `o-o-o`")]))]


def run(suite):
    names = [f[:-4] for f in sorted(os.listdir(DIAGNOSTICS)) if f.endswith(".cql")]

    def refuse(name):
        return suite.run([suite.cqlgen, "search", name + ".cql", "../../examples/games.pgn", "-q"], cwd=DIAGNOSTICS)

    for name, result in suite.map(refuse, names):
        want = read(os.path.join(DIAGNOSTICS, name + ".stderr"))
        why = "" if result.errors() == want else difference(want, result.errors())
        status = 2 if ": error: " in want else 0
        if result.status != status:
            why = "exit status %s, not %s" % (result.status, status)
        elif result.out:
            why = "writes to standard output: %r" % result.out[:80]
        suite.check("diagnostic " + name, not why, why)

    for arguments, wanted in OPTIONS:
        result = suite.run([suite.cqlgen, "search", *arguments, "examples/games.pgn", "-q"])
        lines = result.errors().splitlines()
        want = [part for message, mark in wanted for part in ((message, mark) if mark else (message,))]
        got = lines if wanted and not wanted[0][1] else [line for i, line in enumerate(lines) if i % 3 != 1]
        refused = any(": error: " in message for message, _ in wanted)
        suite.check("diagnostics of " + " ".join(arguments), got == want and result.status == (2 if refused else 0),
                    "exit status %s: %s" % (result.status, difference("\n".join(want), "\n".join(got))))

    hints = read(os.path.join(ROOT, "compiler", "front", "cql6", "hints.c"))
    names, motifs = (re.findall(r'^    \{"(.*?)", "(.*)"\},$', hints.partition("} %s[] = {" % table)[2].partition("};")[0], re.M)
                     for table in ("names", "motifs"))
    words = sorted({example for _, example in motifs})
    suite.ends("diagnostics: examples that messages name exist", suite.run([suite.cqlgen, "examples", *words]), err="", also=len(words) > 10)
    hinted(suite, [(name, advice.replace('\\"', '"')) for name, advice in names] +
           [(name, "`cqlgen examples %s` shows how to find it" % example) for name, example in motifs])


def hinted(suite, hints):
    """Each word with its advice."""
    query = suite.path("hints.cql")
    for first in range(0, len(hints), 25):
        some = hints[first:first + 25]
        with open(query, "w", encoding="utf-8") as out:
            out.write("cql()\n" + "".join(name + "\n" for name, _ in some))
        lines = suite.run([suite.cqlgen, "search", query]).errors().splitlines()
        wanted = ["%s:%d:1: error: unknown name `%s`; %s" % (query, i + 2, *hint) for i, hint in enumerate(some)]
        got = [line for line in lines if line.startswith(query) and ": error: " in line]
        suite.check("diagnostics: hints from `%s` on" % some[0][0], got == wanted, difference("\n".join(wanted), "\n".join(got)))
