"""The queries of examples/ over the games that examples.txt names for them, as files and as `--example NAME`; `cqlgen examples`.

A line of it: QUERY FILE + GAME ... - GAME ...: these games must match, and these must not; `- *`: all others must not.
"""
import csv
import io
import os
import re
import shlex
import sys

from parts.harness import EXAMPLES, ROOT, TESTS, read
from parts.cases import ENGINES


# Its tables are not here; tests/parts/tablebases.py runs it.
WITH_TABLEBASES = {"rook-ending-given-away"}


def expectations():
    for line in read(os.path.join(TESTS, "parts", "examples.txt")).splitlines():
        if line.strip() and not line.startswith("#"):
            query, file, rest = line.split(None, 2)
            must, _, must_not = rest.partition("-")
            yield query, file, {int(n) for n in must.replace("+", " ").split()}, must_not.split()


def path_of(query):
    return os.path.join(EXAMPLES, query + ".cql")


def matching_games(suite, query, file):
    """The games that one query finds, by its name where it is a shipped one."""
    name = [path_of(query)] if "/" in query else ["--example", query]
    result = suite.search(*name, os.path.join(EXAMPLES, file), "-q", "--format", "positions")
    if result.status != 0:
        return None, "exit status %s: %s" % (result.status, (result.errors() or "no message").strip()[-400:])
    return {int(line.split(":")[0]) for line in result.text().splitlines()}, ""


def matching_all(suite, queries, file, options):
    """{query: games} of all queries in one search."""
    result = suite.search(*map(path_of, queries), os.path.join(EXAMPLES, file), "-q", "--format", "positions", *options)
    found = {query: set() for query in queries}
    by_path = {path_of(query): query for query in queries}
    for line in result.text().splitlines():
        path, _, rest = line.partition("\t")
        found[by_path[path]].add(int(rest.split(":")[0]))
    return found, "" if result.status == 0 else "exit status %s: %s" % (result.status, result.errors().strip()[-400:])


def check_command(suite):
    """`cqlgen examples` lists all queries by subject, those that mention a word, or prints one; --example works with every command."""
    def say(*arguments):
        return suite.run([suite.cqlgen, *arguments])

    names = {name[:-4] for name in os.listdir(EXAMPLES) if name.endswith(".cql")}
    lines = say("examples").text().splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    suite.check("examples: all are listed", set(listed) == names and len(listed) == len(names), str(set(listed) ^ names))
    subjects = [line.split(":")[0] for line in read(os.path.join(EXAMPLES, "subjects.txt")).splitlines()]
    suite.check("examples: by subject", [line for line in lines if line and line[0] != " "] == subjects, str(lines)[:300])
    groups = [line.partition(":") for line in read(os.path.join(EXAMPLES, "subjects.txt")).splitlines()]
    listing = {subject: "".join("  %-25s %s\n" % (name, re.sub("^[/ ]+", "", read(os.path.join(EXAMPLES, name + ".cql"))).split("\n")[0]) for name in names.split())
               for subject, _, names in groups}
    suite.check("examples: the list", "\n".join(lines) + "\n" == "\n".join("%s\n%s" % item for item in listing.items()), "\n".join(lines))
    for subject, part in listing.items():
        found = say("examples", subject.upper()).text()
        suite.check("examples: those of a subject, " + subject, "%s\n%s" % (subject, part) in found + "\n", found)
    suite.check("examples: the titles fit", max(map(len, lines)) < 132, max(lines, key=len))
    suite.check("examples: one is printed", say("examples", "pin").text() == read(os.path.join(EXAMPLES, "pin.cql")))
    found = say("examples", "zugZWANG").text()
    suite.check("examples: a word is looked for", found.startswith("endings\n  mutual-zugzwang ") and found.count("\n") == 2, found)
    for words, wanted in ((["endgame"], {"lucena", "philidor", "rook-ending", "fortress"}), (["IQPs"], {"isolated-queen-pawn"}), (["rook endgame"], {"rook-ending", "lucena", "philidor"}),
                          (["isolani"], {"isolated-queen-pawn"}), (["bishop sacrifice"], {"greek-gift", "double-bishop-sacrifice"}), (["zeitnot"], {"time-trouble"}),
                          (["TN"], {"novelty"}), (["en prise"], {"hanging-piece"})):
        found = {line.split()[0] for line in say("examples", *words).text().splitlines() if line.startswith("  ")}
        suite.check("examples: by other words, %s" % words, wanted <= found and len(found) < 20, str(found))
    shown = re.findall(r'{"([a-z ]+)", "([a-z-]+)"}', read(os.path.join(ROOT, "compiler", "cli", "examples.c")))
    for word, other in shown:
        both = [say("examples", each).text() for each in (word, other)]
        suite.check("examples: `%s` finds what `%s` does" % (word, other), both[0] and (other in names or set(both[1].splitlines()) <= set(both[0].splitlines())), str(both)[:300])
    suite.check("examples: other words are tested", len(shown) > 25, str(shown))
    for words, message in ((["examples", "grek-gift"], "did you mean `greek-gift`?"), (["examples", "qwertz"], "`cqlgen examples` lists all"),
                           (["search", "--example", "grek-gift", "games.pgn"], "did you mean `greek-gift`?"),
                           (["search", "pin", "games.pgn"], "search --example pin GAMES.pgn"), (["explain"], "--example NAME")):
        result = say(*words)
        suite.check("examples: %s is refused" % " ".join(words), result.status == 2 and message in result.errors(), result.errors())
    games, folder = os.path.join(EXAMPLES, "games.pgn"), suite.path("shipped")
    result = suite.search("--example", "pin", "--example", "fork.cql", "-e", "mate", games, "-q", "--output-dir", folder)
    suite.check("examples: several", sorted(os.listdir(folder)) == ["e.pgn", "fork.pgn", "pin.pgn"], result.errors())
    suite.check("examples: converted", say("convert", "--example", "stalemate").text().endswith("cql(variations)\nstalemate\n"))
    suite.check("examples: explained", "stalemate" in say("explain", "--example", "stalemate").text())
    # Both colours must capture with check: the screen asks for the knights that would give it, not only for captures by rooks.
    screen = say("explain", "-e", "flipcolor { path (R[x]a check --){2,} }").text().split("screen:")[1]
    suite.check("examples: screen of both colours", all("KNIGHT_MOVES(BOARD %s)" % king in screen for king in "Kk"), screen[:2000])
    # Each king is one man; what is excluded is none.
    for query, bound in (("not [QRBNPqrbnp]", "LE(ADD(GAME white men, GAME black men), INT 2)"), ("not [QRBN] #P<=2", "LE(GAME white men, INT 3)"),
                         ("not [QRBNqrbn] #P<=1 #p<=1", "LE(ADD(GAME white men, GAME black men), INT 4)")):
        screen = say("explain", "-e", query).text().split("screen:")[1]
        suite.check("examples: the most men of %s" % query, bound in screen, screen[:2000])
    built = say("--example", "stalemate", "-o", suite.path("stalemate.c"))
    suite.check("examples: compiled", built.status == 0 and "stalemate" in read(suite.path("stalemate.c")), built.errors())
    result = say("bench", "--example", "fork", games, "--engines", "interp", "--rounds", "1", "--no-database",
                 "--against", "cqlgen search {query} {games} -o {out}")
    suite.check("examples: measured, also by other programs", result.status == 0, result.errors())


def check_warnings(suite):
    """The C of the examples compiles without a warning."""
    names = sorted(name[:-4] for name in os.listdir(EXAMPLES) if name.endswith(".cql"))

    def compiled(name):
        made = suite.path(name + ".warnings.c")
        suite.run([suite.cqlgen, path_of(name), "-o", made])
        return suite.run(["cc", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", os.path.join(suite.out, "include"), made])

    for name, result in suite.map(compiled, suite.some(names, 8, 6)):
        suite.check("example %s as C has no warnings" % name, result.status == 0, result.errors()[:500])


def check_found(suite, expected, engine, games, why):
    query, file, must, must_not = expected
    if not why:
        missing = must - games
        others = games - must
        wrong = others if "*" in must_not else others & {int(n) for n in must_not}
        why = "games missing: %s, games too many: %s" % (sorted(missing), sorted(wrong)) if missing or wrong else ""
    suite.check("example %s over %s (%s)" % (query, file, engine), not why, why)


def counting():
    """The examples that count, and the options of the commands in their comments, without a limit."""
    names = next(line.split()[1:] for line in read(os.path.join(EXAMPLES, "subjects.txt")).splitlines() if line.startswith("counting:"))
    for name in names:
        command = re.search(r"(?m)^// cqlgen search --example %s GAMES\.pgn (.*)$" % name, read(path_of(name)))
        yield name, re.sub(" -n [0-9]+$", "", command.group(1)) if command else None


def check_counts(suite):
    """What the commands of the examples count is what an evaluator in Python counts (oracle/counts.py), of PGN and of a database."""
    sys.path.insert(0, os.path.join(TESTS, "oracle"))
    import counts
    sys.path.pop(0)
    for file in ("games", "studies"):
        games, stored = os.path.join(EXAMPLES, file + ".pgn"), suite.path("counted-%s.cqldb" % file)
        suite.run([suite.cqlgen, "import", games, "-o", stored, "-q"])
        answers = counts.answers(games)
        for name, options in counting():
            keys, want = answers[name]
            for inputs in (games, stored):
                if options is None:
                    suite.check("example %s has its command" % name, False)
                    continue
                result = suite.search("--example", name, inputs, *shlex.split(options), "-f", "csv", "-q")
                lines = list(csv.reader(io.StringIO(result.text())))
                columns = [c for c in lines[0][len(keys):] if c != "percent"]
                got = {tuple(line[:len(keys)]): {c: line[lines[0].index(c, len(keys))] for c in columns} for line in lines[1:]}
                asked = {key: {c: row[c] for c in columns} for key, row in want.items()}
                wrong = sorted(str((key, got.get(key), asked.get(key))) for key in got.keys() | asked.keys() if got.get(key) != asked.get(key))
                suite.check("example %s counts in %s what the evaluator counts" % (name, os.path.basename(inputs)),
                            result.status == 0 and tuple(lines[0][:len(keys)]) == keys and not wrong, "; ".join(wrong[:4]) + result.errors())


def run(suite):
    check_command(suite)
    check_warnings(suite)
    check_counts(suite)
    counted = {name for name, _ in counting()}
    listed = list(expectations())
    for name in sorted(os.listdir(EXAMPLES)):
        if name.endswith(".cql") and name[:-4] not in WITH_TABLEBASES:
            mine = [e for e in listed if e[0] == name[:-4]]
            suite.check("example %s has a comment" % name, read(os.path.join(EXAMPLES, name)).startswith("//"))
            suite.check("example %s has games that match and games that do not" % name,
                        name[:-4] in counted or (any(e[2] for e in mine) and any(e[3] for e in mine)))
    for name in sorted(os.listdir(EXAMPLES)):
        if name.endswith(".pgn"):
            result = suite.search("-e", "true", os.path.join(EXAMPLES, name), "-q", "--format", "count")
            games = len(re.findall(r"^\[Event ", read(os.path.join(EXAMPLES, name)), re.M))
            suite.check("example %s has no damaged game" % name, not result.err and result.status == 0, result.errors()[:500])
            suite.check("example %s: all %d games are read" % (name, games), result.text().split() == [str(games)],
                        result.text())
    found = suite.map(lambda e: matching_games(suite, e[0], e[1]), listed)
    for expected, (games, why) in found:
        check_found(suite, expected, "auto", games, why)
    for file in sorted({e[1] for e in listed}):
        mine = [e for e in listed if e[1] == file]
        for engine, options in ENGINES.items():
            games, why = matching_all(suite, [e[0] for e in mine], file, options)
            for expected in mine:
                check_found(suite, expected, engine, games[expected[0]], why)
