"""`cqlgen cql`, the command line of CQL 6.2.

All searches are over tests/pgn/options.pgn: game 1 ends in Qxf7#, game 2 in Qh4# and has a variation of three moves, game 3 is
1.d4 d5, drawn. Their main lines have 8, 5 and 3 positions.
"""
import os
import re
import select
import shutil
import subprocess
import threading
import time

from parts.harness import TESTS, games_of, read, write

MATE = "cql(input options.pgn) mate"
EVERY = "cql(input options.pgn) ."


class Folder:
    """A folder with the games, in which `cqlgen COMMAND` runs."""

    def __init__(self, suite, command="cql"):
        self.suite, self.command = suite, command
        self.path = suite.path(command)
        os.mkdir(self.path)
        shutil.copy(os.path.join(TESTS, "pgn", "options.pgn"), self.path)

    def run(self, *arguments, query=None, name="q.cql", stdin=b""):
        """Runs `cqlgen COMMAND ARGUMENTS q.cql`, where q.cql holds the query; the output of an earlier run is removed."""
        words = list(arguments)
        if query is not None:
            write(self.file(name), query)
            words.append(name)
        if os.path.exists(self.file("q-out.pgn")):
            os.remove(self.file("q-out.pgn"))
        return self.suite.run([self.suite.cqlgen, self.command, *words], cwd=self.path, stdin=stdin)

    def file(self, name):
        return os.path.join(self.path, name)

    def output(self, name="q-out.pgn"):
        return read(self.file(name)) if os.path.exists(self.file(name)) else None


def rounds(text):
    """The games of an output by their tag Round, which is their number in options.pgn."""
    return None if text is None else [int(n) for n in re.findall(r'^\[Round "(\d)"\]', text, re.M)]


def moves(text):
    """The movetext of the first game, with white space folded."""
    games = games_of(text or "")
    return games[0].rpartition("\n\n")[2].strip() if games else None


def finds(folder, name, want, *options, query=MATE):
    result = folder.run(*options, query=query)
    got = rounds(folder.output())
    folder.suite.check("%s: %s" % (folder.command, name), result.status == 0 and got == want,
                       "status %s, games %s, not %s: %s" % (result.status, got, want, result.text()[-300:]))


def writes(folder, name, want, *options, query=MATE):
    result = folder.run(*options, query=query)
    got = moves(folder.output())
    folder.suite.check("%s: %s" % (folder.command, name), result.status == 0 and got == want, "%r, not %r\n%s" % (got, want, result.text()[-300:]))


def prints(folder, name, pattern, *options, query=MATE, status=0):
    """The pattern is found in standard output."""
    result = folder.run(*options, query=query)
    folder.suite.check("%s: %s" % (folder.command, name), result.status == status and re.search(pattern, result.text(), re.M),
                       "status %s, prints %r %r" % (result.status, result.text()[-400:], result.errors()[-200:]))


def refuses(folder, name, pattern, *options, query=MATE):
    result = folder.run(*options, query=query)
    good = result.status == 1 and re.search(pattern, result.text(), re.M) and folder.output() is None
    folder.suite.check("%s: %s is refused" % (folder.command, name), good, "status %s, prints %r" % (result.status, result.text()[-400:]))


def files(folder):
    finds(folder, "the output is named after the query", [1, 2])
    prints(folder, "the version comes first", r"\ACQL version 6\.2 \(build ")
    prints(folder, "the summary", r"^$\n^2 matches of 3 games in [\d.]+ seconds using 1 thread to q-out\.pgn$", "-s")
    prints(folder, "the summary names threads", r"using 2 threads to ", "-threads", "2")
    prints(folder, "no match is not an error", r"^0 matches of 3 games", query="cql(input options.pgn) false")
    finds(folder, "-i replaces the input of the header", [3], "-i", "options.pgn", query="cql(input none.pgn) d4 Pd4")
    shutil.copy(folder.file("options.pgn"), folder.file("@x.pgn"))
    finds(folder, "an input named like a list", [1, 2], query="cql(input @x.pgn) mate")
    search = folder.suite.search("q.cql", "-q", "-f", "count", cwd=folder.path)
    folder.suite.check("an input in the header is not a list", search.text() == "2\n", search.errors())
    folder.run("--Input", "options.pgn", "-O", "other.pgn", query="cql(output third.pgn) mate")
    folder.suite.check("cql: -o replaces the output of the header", rounds(folder.output("other.pgn")) == [1, 2])
    folder.suite.ends("cql: without a query every position matches", folder.run("-i", "options.pgn"),
                      also=rounds(folder.output("cqldefault-out.pgn")) == [1, 2, 3])
    write(folder.file("q.cql"), MATE)
    folder.suite.check("cql: .cql is added to the name", folder.run("q").status == 0 and rounds(folder.output()) == [1, 2])
    for name, pattern, options in (("another extension", "q.txt", ["q.txt"]), ("two queries", "two|last", ["q.cql", "q.cql"]),
                                   ("a query that is not last", "last", ["q.cql", "-s"]),
                                   ("a missing query", "missing.cql", ["missing"]),
                                   ("an input that is not PGN", "x.txt", ["-i", "x.txt", "q.cql"]),
                                   ("an output that is not PGN", "x.txt", ["-o", "x.txt", "q.cql"]),
                                   ("an input twice", "twice", ["-i", "options.pgn", "-i", "options.pgn", "q.cql"]),
                                   ("an output twice", "twice", ["-o", "a.pgn", "-output", "b.pgn", "q.cql"]),
                                   ("a player twice", "twice", ["-player", "a", "-player", "b", "q.cql"]),
                                   ("an input in mixed case", "options.Pgn", ["-i", "options.Pgn", "q.cql"]),
                                   ("the database VI and an input", "together", ["-vi", "-i", "options.pgn", "q.cql"]),
                                   ("the database VI that is not there", "hhdbvi.pgn", ["-vi", "q.cql"]),
                                   ("the database VII that is not there", "hhdbvii.pgn", ["-vii", "q.cql"]),
                                   ("neither query nor input", "no query", ["-s"])):
        refuses(folder, name, pattern, *options, query=None)
    refuses(folder, "a query without input", "no input", query="cql() mate")


def scope(folder):
    finds(folder, "-g of one game", [2], "-g", "2", query=EVERY)
    finds(folder, "-g of a range", [2, 3], "-gamenumber", "2", "3", query=EVERY)
    finds(folder, "-g replaces the header's", [1], "-g", "1", query="cql(input options.pgn gamenumber 2 3) .")
    finds(folder, "-matchcount", [2, 3], "-matchcount", "3", "5", query=EVERY)
    finds(folder, "-matchcount 0", [3], "-matchcount", "0")
    finds(folder, "-matchcount keeps the sort", [1, 2], "-matchcount", "4", "9",
          query="cql(input options.pgn sort matchcount 1 2) .")
    finds(folder, "-variations", [1, 2], "-variations", "-matchcount", "8", query=EVERY)
    finds(folder, "-mainline", [2], "-mainline", "-matchcount", "5", query="cql(input options.pgn variations) .")
    # Black's other first move stays in the virtual main line.
    finds(folder, "-virtualmainline", [1, 2], "-virtualmainline", "-matchcount", "6", "8", query=EVERY)
    finds(folder, "-player", [1, 3], "-player", "^Quill", query=EVERY)
    finds(folder, "-player where no position may match", [3], "-player", "Quill", "-matchcount", "0")
    finds(folder, "-player by a class", [2], "-player", "R[ay]{2}, .o", query=EVERY)
    finds(folder, "-year", [2], "-year", "2010", query=EVERY)
    write(folder.file("undated.pgn"), '[Round "1"]\n\n1. e4 *\n\n[Round "2"]\n[Date "1901.??.??"]\n\n1. d4 *\n')
    finds(folder, "-year where there is none", [2], "-i", "undated.pgn", "-year", "1", "9999", query="cql() .")
    finds(folder, "-year of a range", [1, 2], "-year", "2000", "2010", query=EVERY)
    for options in (["-g", "0"], ["-g", "3", "2"], ["-matchcount", "5", "4"], ["-matchcount", "-1"], ["-year", "0"],
                    ["-player", "("], ["-mainline", "-variations"], ["-threads", "0"], ["-threads", "x"],
                    ["-lineincrement", "0"], ["-g", "3000000000"], ["-outputbuffer", "100000"], ["-outputbuffer", "100000001"]):
        refuses(folder, " ".join(options), r"^cqlgen: option", *options)


def filters(folder):
    finds(folder, "-white", [2], "-white", "^Ek", query=EVERY)
    finds(folder, "-black", [1], "-black", "^Ek", query=EVERY)
    finds(folder, "-event", [2, 3], "-event", "ill C", query=EVERY)
    finds(folder, "-site", [1], "-site", "side", query=EVERY)
    finds(folder, "-result", [3], "-result", "1/2-1/2", query=EVERY)
    finds(folder, "-fen", [3], "-fen", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR", query=EVERY)
    finds(folder, "-wtm", [2], "-wtm")
    finds(folder, "-btm", [1], "-btm")
    finds(folder, "-cql", [1], "-cql", "Qf7 // taken")
    finds(folder, "-cql with a text of its own", [1], "-cql", "/// \"taken\" Qf7", "-cql", "btm")
    finds(folder, "several options", [2], "-event", "Hill", "-white", "Ek", "-result", "0-1")
    finds(folder, "a quotation mark in a pattern", [], "-white", 'a"b')
    finds(folder, "an empty text", [1, 2], "-assign", "t", "", "-cql", 't==""')
    finds(folder, "-assign of a number", [1], "-assign", "num", "-7", query="cql(input options.pgn) mate ply==num+14")
    finds(folder, "-assign of a text", [2], "-assign", "$t", "Ek, Carl", query="cql(input options.pgn) mate player white==$t")
    prints(folder, "-assign of a quotation mark", r'^a"b$', "-assign", "$t", 'a"b', query="cql(input options.pgn) mate message quiet($t)")
    finds(folder, "names of options are known after them", [1, 2], "-assign", "x", "1", "-cql", "x==1")
    refuses(folder, "a name before its option", r"^-cql:1:1: error: unknown name `x`", "-cql", "x==1", "-assign", "x", "1")
    finds(folder, "functions of options are known to the query", [1], "-cql", "function f(){btm} true",
          query="cql(input options.pgn) mate f()")
    finds(folder, "-similarposition", [1, 2, 3], "-similarposition", "nosort", "options.pgn", query=EVERY)
    finds(folder, "-hhdb", [], "-hhdb", "cooked", "-hhdb", "composer", "Troitzky")
    prints(folder, "-hhdb with texts", r'^before q\.cql:1:24, -hhdb: hhdb composer "Troitzky"\n.*hhdb cooked\n.*hhdb composer "Rinck"\n',
           "-showfromstring", "-hhdb", "composer", "Troitzky", "-hhdb", "cooked", "-hhdb", "composer", '"Rinck"')
    prints(folder, "-hhdb info", "^cooked", "-hhdb", "INFO")
    refuses(folder, "-hhdb without words", "needs words", "-hhdb")
    prints(folder, "-hhdb help", "^composer", "-hhdb", "help")
    queen = "cql(input options.pgn) Qh5 mate"
    finds(folder, "without transform", [], query=queen)
    finds(folder, "-flipcolor", [2], "-flipcolor", query=queen)
    finds(folder, "a transform holds for filters of options", [2], "-flipcolor", "-btm", query=queen)
    finds(folder, "two transforms", [2], "-flipcolor", "-flipvertical", query="cql(input options.pgn) Qa5 mate")
    finds(folder, "a transform alone is not two", [], "-flipvertical", query="cql(input options.pgn) Qa5 mate")
    # Each text is read by itself: it cannot close what another one opened.
    for text in ("}", "{", "} mate {", ")", "/* mate", '"', "", "// nothing"):
        refuses(folder, "-cql %r" % text, r"^-cql:1:\d+: error: ", "-cql", text)
    refuses(folder, "a mistake in the query after a filter", r"^q\.cql:2:3: error: unknown name `chek`", "-cql", "check",
            query="cql(input options.pgn)\n  chek")
    refuses(folder, "-fen of something else", r'^-fen:1:5: error: .*\nfen "xx/"\n    \^~~~~$', "-fen", "xx/")
    # The place of a mistake is in the text of its option as it is shown, up to its end; each text by itself.
    unknown = "-cql:1:1: error: unknown name `nosuch`\nnosuch\n^~~~~~\n"
    first = "q.cql:2:1: error: unknown name `chek`; did you mean `check`?\nchek\n^~~~\nCQL syntax error: unknown name `chek` {Line 2, Column 1}\n"
    for words, message in ((("-cql", "mate and"), "-cql:1:9: error: expected a filter on the right of `and`, found the end of the query\nmate and\n        ^\n"),
                           (("-cql", "mate )"), "-cql:1:6: error: `)` without a `(` before it\nmate )\n     ^\n"),
                           (("-white", "a("), '-white:1:17: error: malformed regular expression: missing ) after (\nplayer white ~~ "a("\n                ^~~~\n'),
                           (("-assign", "x", "99999999999"), "-assign:1:3: error: number too large: the greatest is 2147483647\nx=99999999999\n  ^~~~~~~~~~~\n")):
        result = folder.run(*words, "-cql", "nosuch", query="cql(input options.pgn)\nchek")
        folder.suite.check("cql: the places of mistakes with %s" % " ".join(words), result.text().partition("\n\n")[2] == first + message + unknown, result.text())
    refuses(folder, "-assign to no name", "-assign", "-assign", "a-b", "1")
    refuses(folder, "-result *", "-result", "-result", "*")


def comments(folder):
    line = "1.d4{queen pawn CQL}1...d5{CQL}1/2-1/2"
    draw = ["-g", "3"]
    writes(folder, "comments", "{Game number 3 CQL}" + line, *draw, query=EVERY)
    writes(folder, "-matchstring", "{Game number 3 x y}" + line.replace("CQL", "x y"), *draw, "-matchstring", "x y", query=EVERY)
    writes(folder, "-matchstring without text", "{Game number 3}1.d4{queen pawn}1...d5 1/2-1/2", *draw, "-matchstring", "", query=EVERY)
    writes(folder, "-quiet", "{Game number 3}1.d4{queen pawn}1...d5 1/2-1/2", *draw, "-quiet", query=EVERY)
    writes(folder, "-silent", "1.d4{queen pawn}1...d5 1/2-1/2", *draw, "-silent", query=EVERY)
    writes(folder, "-quiet replaces silent", "{Game number 3}1.d4{queen pawn}1...d5 1/2-1/2", *draw, "-quiet",
           query="cql(input options.pgn silent) .")
    refuses(folder, "-quiet with -silent", "-quiet and -silent", "-quiet", "-silent")
    # find puts `Found` after 1.d4; the sort key is at the beginning.
    found = 'cql(input options.pgn) initial find btm sort "v" #R comment("c")'
    writes(folder, "comments of all kinds", "{Game number 3 c CQL v: 2}1.d4{queen pawn Found}1...d5 1/2-1/2", *draw, query=found)
    writes(folder, "-quiet drops what is made by itself", "{Game number 3 c v: 2}1.d4{queen pawn}1...d5 1/2-1/2", *draw, "-quiet", query=found)
    writes(folder, "-silent leaves nothing", "1.d4{queen pawn}1...d5 1/2-1/2", *draw, "-silent", query=found)
    for level in ("-quiet", "-silent"):
        result = folder.run(*draw, level, query='cql(input options.pgn) removecomment settag("Annotator" "Moon") initial message("m")')
        folder.suite.check("cql: %s keeps tags, removals, messages" % level, '[Annotator "Moon"]' in folder.output() and
                           "queen pawn" not in folder.output() and "Game: 3 move 1(wtm): m\n" in result.text(), folder.output())
    writes(folder, "-noheader", "{CQL}" + line, *draw, "-noheader", query=EVERY)
    mate = ["-g", "2"]
    twice = 'cql(input options.pgn) comment("a") comment("a") mate'
    writes(folder, "comments of filters that fail", "{Game number 2}1.f3 e5(1...d5 2.g4 e5)2.g4 Qh4#{a CQL}0-1", *mate, query=twice)
    writes(folder, "-alwayscomment", "{Game number 2 a}1.f3{a}1...e5{a}(1...d5 2.g4 e5)2.g4{a}2...Qh4#{a CQL}0-1", *mate,
           "-alwayscomment", query=twice)
    writes(folder, "-nouniquecomments", "{Game number 2}1.f3 e5(1...d5 2.g4 e5)2.g4 Qh4#{a a CQL}0-1", *mate,
           "-nouniquecomments", query=twice)
    sort = 'cql(input options.pgn) sort "v" {comment("p") ply}'
    writes(folder, "comments inside sort", "{Game number 3 CQL v: 2}1.d4{queen pawn CQL}1...d5{CQL p}1/2-1/2", *draw, query=sort)
    writes(folder, "-nosortcomments", "{Game number 3 p CQL v: 2}1.d4{queen pawn p CQL}1...d5{p CQL}1/2-1/2", *draw,
           "-nosortcomments", query=sort)
    remove = "cql(input options.pgn) removecomment"
    writes(folder, "removecomment", "{Game number 3 CQL}1.d4{CQL}1...d5{CQL}1/2-1/2", *draw, query=remove)
    writes(folder, "-noremovecomment", "{Game number 3 CQL}" + line, *draw, "-noremovecomment", query=remove)
    tag = 'cql(input options.pgn) settag("Annotator" "Moon")'
    folder.run(*draw, query=tag)
    folder.suite.check("cql: settag", '[Annotator "Moon"]' in (folder.output() or ""))
    folder.run(*draw, "-nosettag", query=tag)
    folder.suite.check("cql: -nosettag", rounds(folder.output()) == [3] and "Annotator" not in folder.output())


def running(folder):
    prints(folder, "-showmatches", r"^<1><2>\n\n2 matches", "-showmatches")
    prints(folder, "-lineincrement 2", r"^\[2\]$", "-lineincrement", "2")
    prints(folder, "-lineincrement 10", r"^\.\.\.$", "-lineincrement", "10")
    prints(folder, "-nooutputstatus", r"version.*\n\n3 matches", "-nooutputstatus", "-lineincrement", "2", query=EVERY)
    prints(folder, "-showthread", r"^\[1:1\]\n\[2:1\]\n\[3:1\]\n\n2 matches", "-s", "-showthread", "-lineincrement", "1")
    prints(folder, "-showthread with dots", r"^\.1\.1\.1$", "-s", "-showthread", "-lineincrement", "10")
    over = 'cql(input options.pgn) mate wtm message("over")'
    prints(folder, "messages have lines of their own", r"^\.\nGame: 2 move 3\(wtm\): over\n\.\.$", "-lineincrement", "10", query=over)
    prints(folder, "an error comes after an empty line", r"^\.\n\n\S*options\.pgn:\d+: game 2: position 0: q\.cql:1:41: assert failed\n\.\.$", "-lineincrement", "10",
           query="cql(input options.pgn) gamenumber!=2 or assert false", status=1)
    prints(folder, "messages", r"^Game: 2 move 3\(wtm\): over$", query='cql(input options.pgn) mate wtm message("over")')
    count = "cql(input options.pgn) persistent num+=1"
    prints(folder, "persistent variables come after the summary", r"^3 matches of .*using 1 thread .*\nnum: 16\n\Z", "-threads", "2",
           query=count)
    prints(folder, "one thread is announced", r"^One thread", query=count)
    # In game 2 Black can move the pawn d7 or e7 after 1.f3; no position has the one move and the pawn of the other.
    line = "cql(input options.pgn variations) initial line --> move from f2 --> move from d7 --> pe5"
    finds(folder, "moves in a line are linked", [], query=line)
    finds(folder, "-nolinearize", [2], "-nolinearize", query=line)
    finds(folder, "-nolinearize in a transform", [2], "-nolinearize", "-flipvertical",
          query="cql(input options.pgn variations) initial line --> move from c2 --> move from e7 --> pd5")
    result = folder.run("-fast", query=MATE)
    folder.suite.check("cql: an unknown option", result.status == 1 and "-showmatches" in result.text() and "-fast" in result.errors(),
                       result.text()[:200])
    result = folder.run(query="; dialect: cql5\ncql(input options.pgn) attack (N k)")
    folder.suite.check("cql: CQL 5", result.status == 1 and "`cqlgen search` takes it" in result.text(), result.text())
    result = folder.run("-showmatch", query=MATE)
    folder.suite.check("cql: an option with a slip", "did you mean `-showmatches`?" in result.errors(), result.errors())
    for word in ("-", "--"):
        folder.suite.ends("cql: %s is not an option" % word, folder.run(word, query=MATE), 1, err="unknown option `%s`" % word)
    # The pieces of game 2 stop at its first position: the variable has no value there.
    result = folder.run(query="cql(input options.pgn) if gamenumber!=2 {x=1} x==1")
    folder.suite.check("cql: a game in which the query fails", result.status == 1 and folder.output() is None and
                       re.search(r"^\noptions\.pgn:11: game 2: .*q\.cql:1:\d+: .*\bx\b.*\n\n2 matches", result.text(), re.M), result.text() + result.errors())
    for options in ([], ["-help"], ["-h"]):
        prints(folder, "help by %s" % options, r"^usage: cqlgen cql", *options, query=None)
    for option in ("-version", "-v", "--Version"):
        result = folder.run(option)
        folder.suite.check("cql: " + option, result.status == 0 and len(result.text().splitlines()) == 1)
    folder.suite.ends("cql: output that cannot be written", folder.suite.run(["sh", "-c", "cqlgen cql -help >/dev/full"]), 1, err="cannot write")
    refuses(folder, "a query with a mistake", r"^q\.cql:1:24: error: ", query="cql(input options.pgn) chek")
    refuses(folder, "an unreadable input", "cannot read none.pgn", "-i", "none.pgn")
    prints(folder, "-lex", r"^1:24 `mate`$", "-lex")
    prints(folder, "-lex of an option", r'^-white\n1:1 `player`\n1:8 `white`\n1:14 `~~`\n1:17 `"a b"`\n1:22 end of query\n1:1 `cql`', "-lex", "-white", "a b")
    prints(folder, "-lex of a mistake", r"^-cql:1:1: error: string without", "-lex", "-cql", '"', status=1)
    prints(folder, "-parse of a mistake", r"^-cql:1:6: error: ", "-parse", "-cql", "mate )", status=1)
    prints(folder, "-parse", r"^  mate : bool$", "-parse")
    folder.suite.check("cql: -parse searches nothing", folder.output() is None)
    prints(folder, "-parse of filters without games", r"^  mate : bool$", "-parse", "-cql", "mate", query=None)
    folder.suite.check("cql: -help begins with the options of CQL", folder.run("-help").text().splitlines()[3].startswith("  -i, -input FILE"))
    link = folder.file("cqlgen-cql")
    os.symlink(folder.suite.cqlgen, link)
    folder.suite.ends("cql: by the name cqlgen-cql", folder.suite.run([link, "q.cql"], cwd=folder.path), also=rounds(folder.output()) == [1, 2])


VARIABLE = "<CqlGuiVariable> "


def shows_progress(folder):
    """The front end reads how far the search is while it goes on: here the input has not ended."""
    folder.suite.generate(folder.file("many.pgn"), seed=5, games=3000)
    write(folder.file("live.cql"), "cql() mate\n")
    command = [folder.suite.cqlgen, "cql", "-gui", "-guipgnstdin", "-lineincrement", "100", "-o", "live.pgn", "live.cql"]
    with open(folder.file("many.pgn"), "rb") as f, subprocess.Popen(
            command, cwd=folder.path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as p:
        feeder = threading.Thread(target=lambda: (p.stdin.write(f.read()), p.stdin.flush()))
        feeder.start()
        seen, end = b"", time.monotonic() + 30
        while b"currentgamenumber" not in seen and time.monotonic() < end:
            if select.select([p.stdout], [], [], 1)[0]:
                seen += os.read(p.stdout.fileno(), 1 << 16)
        feeder.join()
        p.stdin.close()
        p.stdout.read()
    folder.suite.check("cql: -gui tells during the search how far it is", b"currentgamenumber" in seen and p.returncode == 0, seen[-300:].decode())


def front_end(folder):
    """-gui, -guipgnstdin, -guipgnstdout."""
    check, games = folder.suite.check, read(folder.file("options.pgn")).encode()
    begin = r"\ACQL version .*\n<CqlGuiVariable> version 6\.2\n<CqlGuiVariable> build cqlgen \S+\n"
    totals = "".join(VARIABLE + line + "\n" for line in ("currentgamenumber 3", "numbermatches %d", "numbergamesexamined 3", r"seconds [\d.]+"))
    over = 'cql(input options.pgn) mate wtm message("over")'
    prints(folder, "-gui", begin + VARIABLE + "numberthreads 1\n" + VARIABLE + "outputfile q-out.pgn\n<CqlGuiMessage>\n"
           r"Game: 2 move 3\(wtm\): over\n</CqlGuiMessage>\n" + totals % 1 + "\n1 matches .*\n<CqlGuiNormalExit>\n\\Z", "-gui", "-s", query=over)
    prints(folder, "-gui with progress", "outputfile q-out.pgn\n" + 2 * (totals % 2) + "\n2 matches", "-gui", "-lineincrement", "3")
    prints(folder, "-gui without progress", "outputfile q-out.pgn\n" + totals % 2 + "\n2 matches", "-gui", "-lineincrement", "3",
           "-nooutputstatus")
    prints(folder, "-gui with marks", "^<1>\n<2>\n" + VARIABLE, "-gui", "-showmatches")
    mistake = r"\n<CqlGuiError>\nq\.cql:2:3: error: unknown name `chek`(.*\n)+?</CqlGuiError>\n\Z"
    prints(folder, "-gui with a mistake", begin + VARIABLE + "linenumbererror 2\n" + VARIABLE + "columnnumbererror 3" + mistake, "-gui",
           query="cql(input options.pgn)\n  chek", status=1)
    prints(folder, "-gui: columns count bytes", VARIABLE + "columnnumbererror 11\n", "-gui", query='cql() ♔ chek', status=1)
    prints(folder, "-gui with a mistake in an option", begin + "<CqlGuiError>\n-cql:1:1: error", "-gui", "-cql", "chek", status=1)
    prints(folder, "-gui with a bad command line", "^<CqlGuiError>\ncqlgen: option `-g` .*\n</CqlGuiError>\n\\Z", "-gui", "-g", "0", status=1)
    result = folder.run("-gui", "-fast", query=MATE)
    check("cql: -gui with an unknown option", result.status == 1 and "<CqlGuiError>\ncqlgen: unknown option `-fast`\n</CqlGuiError>" in result.text())
    prints(folder, "-gui with an unreadable input", "^<CqlGuiError>\ncqlgen: cannot read none.pgn.*\n</CqlGuiError>\n\\Z", "-gui", "-i", "none.pgn",
           status=1)
    prints(folder, "-gui with a query that fails", r"^<CqlGuiError>\noptions\.pgn:11: game 2: .*q\.cql:1:\d+: .*\n</CqlGuiError>\n(.*\n)+2 matches .*\n\Z",
           "-gui", query="cql(input options.pgn) if gamenumber!=2 {x=1} x==1", status=1)
    prints(folder, "-gui with an output that cannot be written",
           begin + "(?s:.*)outputfile none/x.pgn\n<CqlGuiError>\ncqlgen: cannot write none/x.pgn\n</CqlGuiError>\n\\Z", "-gui", "-o", "none/x.pgn", status=1)
    result = folder.run("-o", "none/x.pgn", query=MATE)
    check("cql: an output that cannot be written, without -gui: %s %s" % (result.text(), result.errors()),
          result.status == 1 and "cannot write" not in result.text() and result.errors().count("cannot write none/x.pgn") == 1)
    for query, want, options in ((MATE, [1, 2], []), (EVERY, [3], ["-g", "3", "-gui"]), ("cql(input options.pgn) false", [], ["-gui"]),
                                 ('cql(input options.pgn output o.pgn) sort min "n" {gamenumber} message("m")', [1, 2, 3], ["-showmatches"]),
                                 ("cql(input options.pgn) sort gamenumber", [3, 2, 1], [])):
        result = folder.run("-guipgnstdout", *options, query=query)
        found = re.search(rb"^<CqlGuiPgn numbergames=(\d+) numberbytes=(\d+)>\n", result.out, re.M)
        count, size = (int(n) for n in found.groups()) if found else (-1, 0)
        text, rest = result.out[found.end():][:size], result.out[found.end() + size:]
        check("cql: -guipgnstdout %s" % query, result.status == 0 and count == len(want) and rounds(text.decode()) == want and
              rest.startswith(b"</CqlGuiPgn>\n") and folder.output() is None and folder.output("o.pgn") is None, result.text())
        check("cql: the summary of -guipgnstdout", b" to standard output\n" in rest, rest)
        folder.run(*options, "-o", "plain.pgn", query=query)
        check("cql: -guipgnstdout writes the same games", text.decode() == folder.output("plain.pgn"))
    for query in ("cql(input none.pgn) mate", "cql() mate gamenumber<lastgamenumber"):
        result = folder.run("-guipgnstdin", query=query, stdin=games)
        check("cql: -guipgnstdin %s" % query, result.status == 0 and rounds(folder.output()) == [1, 2], result.text())
    result = folder.run("-guipgnstdin", "-guipgnstdout", stdin=games)
    check("cql: -guipgnstdin and -guipgnstdout without a query", result.status == 0 and rounds(result.text()) == [1, 2, 3], result.text())
    shows_progress(folder)
    for options in (["-guipgnstdin", "-i", "options.pgn"], ["-vi", "-guipgnstdin"], ["-guipgnstdin", "-vii"],
                    ["-guipgnstdout", "-output", "o.pgn"]):
        refuses(folder, " ".join(options), "^cqlgen: options .* cannot be used together$", *options)


def debugging(folder):
    for option in ("-d", "-debug"):
        prints(folder, option, r"^== syntax tree, with types ==\n(.*\n)+== intermediate representation ==\n(.*\n)+"
               r"== intermediate representation, optimised ==\n(.*\n)+2 matches (.*\n)+== time ==\n(\w+ +[\d.]+ s\n)+\Z", option)
    begun = time.monotonic()
    shown = folder.run("-debug", query=MATE).text()
    passed, stages = time.monotonic() - begun, re.findall(r"(?m)^(\w+) +([\d.]+) s$", shown.partition("== time ==\n")[2])
    folder.suite.check("cql: -debug shows the time of each stage", " ".join(name for name, _ in stages) ==
                       "reading parsing transforms lowering optimiser files engine search" and sum(float(t) for _, t in stages) <= passed + 0.001, shown[-400:])
    said = re.search(r"\n2 matches of 3 games in ([\d.]+) seconds using ", shown)
    folder.suite.check("cql: the search takes no more time than the program", said and float(said[1]) <= passed + 0.01, shown[-400:])
    for number, used in (("1", "1 thread"), ("2", "2 threads"), ("1023", "1023 threads"), ("1024", "1024 threads"), ("1025", "1024 threads"), (str(2**31 - 1), "1024 threads")):
        prints(folder, "-threads " + number, "^2 matches of 3 games in .* seconds using %s to q-out.pgn$" % used, "-threads", number)
    prints(folder, "-singlethreaded", "^2 matches of 3 games in .* seconds using 1 thread to q-out.pgn$", "-singlethreaded")
    processors = len(os.sched_getaffinity(0))
    prints(folder, "threads without an option", "numberthreads %d\n" % max(1, processors - 1), "-gui")
    prints(folder, "-debug of a query with a mistake", r"^== time ==\nreading .*\nparsing .*\n\Z", "-debug", query="cql() chek", status=1)
    prints(folder, "-showfromstring", r"^== what options add ==\nbefore q\.cql:2:3, -white: player white ~~ \"\^Ek\"\n"
           r"before q\.cql:2:3, -cql: true\nbefore q\.cql:2:3, -assign: \$t=\"a b\"\naround the query, -flip: flip\n"
           r"around the query, -flipcolor: flipcolor\n== the whole query ==\n(.*\n)*?cql *\(.*gamenumber 2.*\)\nflip ?{ ?flipcolor ?{.*mate ?} ?}\n",
           "-white", "^Ek", "-cql", "true", "-flip", "-assign", "$t", "a b", "-flipcolor", "-g", "2", "-showfromstring",
           query="cql(input options.pgn)\n  mate")
    prints(folder, "-showfromstring of games", "^of each game, -player: Qu.ll\nof each game, -year: 2000 2000\n", "-year", "2000", "-player", "Qu.ll",
           "-showfromstring")
    prints(folder, "-parse in a frame", r"^<CqlGuiMessage>\n1:1 `cql`\n(.*\n)+</CqlGuiMessage>\n<CqlGuiMessage>\n(.*\n)*.*mate : bool\n</CqlGuiMessage>\n<CqlGuiNormalExit>\n\Z",
           "-gui", "-parse")
    prints(folder, "-showfromstring in a frame", r"^<CqlGuiMessage>\n== what options add ==\n(.*\n)+</CqlGuiMessage>", "-gui", "-showfromstring")


WORDS = "word " * 30000
LONG = "[White \"Long\"]\n[Result \"1-0\"]\n\n%s 1-0\n\n[White \"Short\"]\n\n1. d4 d5 1/2-1/2\n"


def cutting(folder):
    """-outputbuffer. What follows the cut is missing; everything before it is unchanged."""
    suite, limit = folder.suite, 100001
    for name, movetext, end in (("in a comment", "1. e4 {%s} e5" % WORDS, r"1\.e4 {(word )+word} 1-0"),
                                ("in a variation", "1. e4 (1. d4 d5 (1... c5 2. d5 {%s}) 2. c4) e5" % WORDS,
                                 r"1\.e4 \( 1\.d4 d5 \( 1\.\.\.c5 2\.d5 {(word )+word} \) \) 1-0"),
                                ("before a variation", "1. e4 e5 $2 ({%s} 1... c5 2. Nf3) 2. Nf3" % WORDS, r"1\.e4 e5 \$2 1-0"),
                                ("after a move", "1. e4 e5 {%s} 2. Nf3" % ("x" * 150000), r"1\.e4 e5 1-0"),
                                ("before the moves", "{%s} 1. e4" % ("x" * 150000), "1-0")):
        write(folder.file("long.pgn"), LONG % movetext)
        result = folder.run("-outputbuffer", str(limit), "-silent", query="cql(input long.pgn variations) .")
        cut, _, rest = (folder.output() or "").partition('\n\n\n')
        tags, _, moves_left = cut.partition("\n\n")
        suite.check("cql: a game is cut " + name, result.status == 0 and len(cut) + 3 <= limit and
                    re.fullmatch(end, " ".join(moves_left.split())) and '[Result "1-0"]' in tags, cut[:300] + cut[-100:] + result.text())
        suite.check("cql: cut %s as late as possible" % name, "(word" not in end or len(cut) + 3 > limit - len(" word"), len(cut))
        suite.check("cql: the next game is whole, " + name, "1.d4 d5 1/2-1/2" in rest)
        suite.check("cql: the cut is reported, " + name, re.search(r"long\.pgn:1: game 1: .*100001 bytes", result.errors()), result.errors())
        again = suite.search("-e", "ply==1", "--variations", "-q", folder.file("q-out.pgn"), "-f", "count")
        suite.check("cql: a game cut %s can be read" % name, again.status == 0 and again.errors() == "", again.errors())
    for options in ([], ["-outputbuffer", "100000000"]):
        result = folder.run(*options, "-silent", query="cql(input long.pgn) .")
        suite.check("cql: games are whole with %s" % options, len(folder.output()) > 150000 and result.errors() == "")


# The same queries in both spellings; strings and comments stay as they are.
SPELLINGS = [("cql() flipcolor {R->k and [Rr]a1}", "cql() ⬓ {♖→♚ and ♖♜a1}"),
             ("cql() // K ♔\n [Aa]x [element] [Aa] . \"K ♔\"", "cql() // K ♔\n ◭x ∊ ◭ ▦ \"K ♔\""),
             ("cql() path --e4 P[x]p", "cql() ⊢ ――e4 ♙×♟"),
             ("cql() #x>=3 or a!=A | _ & e4", "cql() #x≥3 or ▲≠△ ∪ □ ∩ e4"),
             ("cql() [QAa]b3 [a1,b2]", "cql() ♕◭b3 [a1,b2]")]


def conversions(folder):
    for plain, signs in SPELLINGS:
        for option, before, after in (("-a", signs, plain), ("-u", plain, signs)):
            write(folder.file("c.cql"), before)
            folder.suite.ends("cql: %s of %s" % (option, before), folder.run(option, "c.cql"), also=read(folder.file("c.cql")) == after)
    write(folder.file("c.cql"), "cql() check♔")
    folder.run("-a", "c.cql")
    folder.suite.check("cql: -a keeps words apart", read(folder.file("c.cql")) == "cql() check K", read(folder.file("c.cql")))
    write(folder.file("c.cql"), "cql() K")
    folder.run("-utf8", "c.cql", "-o", "d.cql")
    folder.suite.check("cql: -utf8 to a file", read(folder.file("d.cql")) == "cql() ♔" and read(folder.file("c.cql")) == "cql() K")
    write(folder.file("e.cql"), "é‖⊢\t")
    prints(folder, "-echo of other characters", r"^1 1 0 U\+00E9 C3 A9 é\n1 3 2 U\+2016 E2 80 96 ‖\n1 6 5 U\+22A2 E2 8A A2 ⊢ = path\n1 9 8 U\+0009 09 tab\n\Z",
           "-echo", "e", query=None)
    prints(folder, "-utf8 begins with the version", "\\ACQL version .*\ncql", "-utf8", "c.cql", query=None)
    prints(folder, "-utf8", "^cql\\(\\) ♔", "-utf8", "c.cql", query=None)
    prints(folder, "-echo", r"^1 7 6 U\+2654 E2 99 94 ♔ = K$", "-echo", "d.cql", query=None)
    write(folder.file("c.cql"), 'cql() k<-R // a&b')
    result = folder.run("-html", "c.cql")
    page = read(folder.file("c-cql.html"))
    folder.suite.check("cql: -html", result.status == 0 and '<span class="keyword">cql</span>' in page and '<span class="sign">&lt;-</span>' in page and
                       '<span class="comment">// a&amp;b</span>' in page, page)
    result = folder.run("-html", "c.cql", "-o", "other.html")
    folder.suite.check("cql: -html to a file", result.status == 0 and read(folder.file("other.html")) == page, result.errors())
    result = folder.run("-colorize", stdin=b"cql() mate")
    folder.suite.check("cql: -colorize", result.text() == '<span class="keyword">cql</span><span class="sign">(</span>'
                       '<span class="sign">)</span> <span class="keyword">mate</span>', result.text())
    write(folder.file("c.cql"), 'cql() "open')
    refuses(folder, "-u of a query with a mistake", r"c\.cql:1:7: error:", "-u", "c.cql", query=None)
    refuses(folder, "a conversion that is not first", "first", "-s", "-u", "c.cql", query=None)
    write(folder.file("c.cql"), "cql() K")
    folder.run("-u", "c")
    folder.suite.check("cql: .cql is added to the name of a query to rewrite", read(folder.file("c.cql")) == "cql() ♔")
    refuses(folder, "a conversion of something else", "end in .cql", "-u", "options.pgn", query=None)


def web_application(folder):
    """A program that drives the reference: version, count, places of errors, and a run that fails (02b)."""
    check, found = folder.suite.check, re.compile(r"CQL version .+ Gady Costeff and Lewis Stiller")
    for options, query in ((["--version"], None), ([], MATE), ([], "cql() chek")):
        first = folder.run(*options, query=query).text().splitlines()[0]
        check("cql: the first line of %s" % (query or options), found.match(first) and "cqlgen" in first, first)
    result = folder.run("-i", "options.pgn", "-o", "found.pgn", query=MATE)
    count = re.search(r"^(\d+) matches of (\d+) games", result.text(), re.M)
    check("cql: the count is read", count and count.groups() == ("2", "3") and rounds(folder.output("found.pgn")) == [1, 2])
    result = folder.run(query="cql(input options.pgn)\n  ♔ chek")
    place = re.search(r"^CQL syntax error: (.*) \{Line (\d+), Column (\d+)\}$", result.text(), re.M)
    check("cql: line and column are read", place and place.groups() == ("unknown name `chek`", "2", "7"),
          result.text())
    for query in ('cql(input options.pgn) assert ply<3', 'cql(input options.pgn output failed.pgn) writefile("../x" "a")'):
        result = folder.run(query=query)
        check("cql: no output of a run that fails: " + query, result.status == 1 and folder.output() is None and
              folder.output("failed.pgn") is None, result.text())


LONG_LINE = """[Event "Long"]
[Site "?"]
[Date "2001.02.03"]
[Round "1"]
[White "A"]
[Black "B"]
[Result "1-0"]

{first words} 1. e4 {%s} ( 1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 7. Bh4 b6 8. cxd5 Nxd5 ) e5
2. Nf3 $1 Nc6 {%s} 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 1-0
""" % ("word " * 30 + "end", "x" * 100)


def wrapping(folder):
    """The games that are written are those that the reference writes: only white space differs (10.10)."""
    write(folder.file("wrap.pgn"), LONG_LINE)
    folder.run("-i", "wrap.pgn", "-o", "wrapped.pgn", query="cql(silent) .")
    text = folder.output("wrapped.pgn") or ""
    want = LONG_LINE.replace(") e5", ") 1... e5").replace("} 3. Bb5", "}\n3.\nBb5")
    folder.suite.check("cql: wrapping changes white space only", games_of(text) == games_of(want), text)
    folder.suite.check("cql: lines are wrapped", max(len(line) for line in text.splitlines() if "xxx" not in line) <= 79, text)


def ignored_words(folder):
    """One word of each game is reported, and with --strict each."""
    write(folder.file("odd.pgn"), "1. e4 foo e5 bar *\n\n1. d4 baz d5 *\n")
    for options, words in (([], ["foo", "baz"]), (["--strict"], ["foo", "bar", "baz"])):
        result = folder.run("-i", "odd.pgn", *options, query="cql() .")
        folder.suite.check("%s: ignored words, %s" % (folder.command, options), re.findall('unknown word "(\\w+)" ignored', result.errors()) == words, result.errors())


def run(suite):
    folder = Folder(suite)
    for part in (files, scope, filters, comments, running, front_end, debugging, cutting, conversions, web_application, wrapping, ignored_words):
        part(folder)
