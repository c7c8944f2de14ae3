"""Openings by position: the rows of the table, on the board of `oracle/`."""
import os
import re
import select
import signal
import subprocess
import sys

from parts.harness import ROOT, TESTS, read, write

sys.path.insert(0, os.path.join(TESTS, "oracle"))
from pgn import find_move, start  # noqa: E402


GAMES = os.path.join(TESTS, "pgn", "openings.pgn")


def run(suite):
    table(suite)
    filters(suite)
    other_tables(suite)
    classify(suite)


def filters(suite):
    """Words that --pedantic refuses, keys of groups."""
    for dialect, name in (("cql6", "CQL 6.2"), ("cqli", "CQLi"), ("cql5", "CQL 5")):
        refused = suite.search("--pedantic", "--dialect", dialect, "-e", 'opening "Najdorf"', GAMES)
        suite.check("openings: --pedantic in %s" % name, refused.status == 2 and "`opening` is an extension of cqlgen, not part of %s" % name
                    in refused.errors(), refused.errors())
    count = suite.search("-e", "initial", "--count-by", "opening/1,openingcode", "--order", "key", GAMES, "-f", "csv", "-q")
    rows = [line.split(",")[:3] for line in count.text().splitlines()]
    suite.check("openings: the keys of groups", rows == [
        ["opening/1", "openingcode", "games"], ["Nimzo-Indian Defence", "E20", "1"], ["Queen's Gambit Declined", "D30", "1"],
        ["Sicilian Defence", "B90", "2"], ["", "", "2"]], count.text() + count.errors())
    wrong = suite.search("-e", "initial", "--count-by", "opening/2", GAMES)
    suite.check("openings: the key opening/2", wrong.status == 2 and "write `opening` for the whole name" in wrong.errors(), wrong.errors())


def other_tables(suite):
    """--openings: a table of one's own, mistakes in it, results of a search in parts."""
    own, bad = suite.path("own.tsv"), suite.path("bad.tsv")
    write(own, "D06\tQueen's pawn\t1. d4 d5 2. c4\nB20\tMine: a\t1. e4 c5\n")
    write(bad, "B20\tMine\t1. e4 c5\n\nZ00\tX\t1. e4\n")
    found = suite.search("--openings", own, "-e", 'opening "Mine"', GAMES, "-f", "count", "-q")
    suite.check("openings: a table of one's own", found.text() == "2\n", found.text() + found.errors())
    wrong = suite.search("--openings", bad, "-e", "opening", GAMES)
    suite.check("openings: a mistake in a table", wrong.status == 2 and wrong.errors() == "cqlgen: %s:3:1: expected an ECO code, a letter A to E "
                "and two digits, not `Z00`\n" % bad, wrong.errors())
    missing = suite.search("--openings", suite.path("none.tsv"), "-e", "opening", GAMES)
    suite.check("openings: a table that is not there", missing.status == 2 and "cannot read" in missing.errors(), missing.errors())
    parts = [suite.path("openings-%d.part" % k) for k in (1, 2, 3)]
    for part, share, text in zip(parts, ("1/2", "2/2", "2/2"), ("1. e4 c5", "1. e4 c5", "1. e4 c6")):
        if "%s\n" % text not in read(own):  # written again it would have another time
            write(own, "B20\tMine\t%s\n" % text)
        suite.search("--openings", own, "-e", "opening", GAMES, "--part", share, "-o", part, "-q")
    good = suite.run([suite.cqlgen, "merge", *parts[:2], "-o", suite.path("openings-parts.pgn"), "-q"])
    other = suite.run([suite.cqlgen, "merge", parts[0], parts[2], "-o", suite.path("openings-parts.pgn"), "-q"])
    suite.check("openings: parts of one table", good.status == 0 and read(suite.path("openings-parts.pgn")).count("[Event") == 2, good.errors())
    suite.check("openings: parts of two tables", other.status != 0, other.errors())


def identity(node):
    """What makes a position: men, side, rights, and the passed square if a pawn attacks it."""
    passed = node.passed_square()
    if passed:
        square, own = passed
        taker = "P" if node.white else "p"
        beside = [own + step for step in (-1, 1) if (own + step) // 8 == own // 8]
        passed = square if any(node.board.men[s] == taker for s in beside) else None
    return "".join(node.board.men), node.white, tuple(sorted(node.rights)), passed


class Played:
    """A position whose moves are played once."""

    def __init__(self, node):
        self.node, self.next = node, {}

    def play(self, san):
        """The position after a legal move that is spelled as SAN spells it."""
        if san not in self.next:
            move = find_move(self.node, san)
            after = self.node.play(move)
            man = self.node.board.men[move.start].upper()
            check = after.board.in_check(after.white)
            mark = "" if not check else "+" if after.moves() else "#"
            legal = not after.board.in_check(self.node.white)
            taken = ("x" in san) == (move.victim is not None)
            others = [m for m in self.node.moves() if m.end == move.end and m.rook is None and self.node.board.men[m.start].upper() == man]
            short = man == "P" or move.rook or (len(re.sub("[x+#]", "", san)) == 3) == (len(others) == 1)
            if not (legal and taken and short and re.search("[+#]?$", san).group() == mark):
                raise ValueError("%s is not SAN of a legal move" % san)
            self.next[san] = Played(after)
        return self.next[san]


def table(suite):
    """Legal moves in SAN, with their numbers; no position twice; no name twice."""
    lines = read(os.path.join(ROOT, "runtime", "game", "openings.tsv")).splitlines()
    suite.check("openings: the heading of the table", lines[0] == "eco\tname\tmoves")
    root, places, names, wrong = Played(start(None)), {}, {}, []
    for line in suite.some(lines[1:], 8, 40):
        try:
            code, name, moves = line.split("\t")
            words = re.sub(r"\d+\. ", "", moves).split(" ")
            numbered = " ".join("%d. %s" % (ply // 2 + 1, san) if ply % 2 == 0 else san for ply, san in enumerate(words))
            played = root
            for san in words:
                played = played.play(san)
        except Exception as error:  # whatever is wrong is shown with its row
            wrong.append("%s: %s" % (line, error))
            continue
        place = identity(played.node)
        if numbered != moves or not re.fullmatch("[A-E][0-9][0-9]", code) or name != name.strip():
            wrong.append(line)
        for seen, key in ((places, place), (names, name)):
            if key in seen:
                wrong.append("%s: the same as %s" % (line, seen[key]))
            seen[key] = line
    suite.check("openings: %d rows" % len(lines[1:]), not wrong and len(lines) > 2000, "; ".join(wrong[:5]))


def classify(suite):
    """`cqlgen classify`: the tags, all other bytes, databases, what it refuses."""
    games = [b'\xef\xbb\xbf% first\n\n[Event  "A"]\n[ECO "?"]\n\n1. e4   c5 {[ECO "x"]}\n 2. Nf3 *\n\n\n',
             b'[Event "B"]\r\n[Site "R\xe9"]\r\n\r\n1. c4 e6 2. d4 d5 1-0 ; end\r\n\r\n', b'[Event "C"]\n[ECO "E99"]\n\n*\n\n',
             b'[Event "D"]\n[Variant "Atomic"]\n\n1. e4 d5 2. exd5 Nf6 *\n\n', b'[Event "E"]\n[Variant "King of the Hill"]\n\n1. e4 c5 *\n']
    wanted = [games[0].replace(b'"?"]\n', b'"B27"]\n[Opening "Sicilian Defence: King\'s Knight Variation"]\n'),
              games[1].replace(b'\xe9"]\r\n', b'\xe9"]\r\n[ECO "D30"]\r\n[Opening "Queen\'s Gambit Declined"]\r\n'), games[2],
              games[3], games[4].replace(b'Hill"]\n', b'Hill"]\n[ECO "B20"]\n[Opening "Sicilian Defence"]\n')]
    source, out, base = suite.path("classify.pgn"), suite.path("classified.pgn"), suite.path("classified.cqldb")
    with open(source, "wb") as file:
        file.write(b"".join(games))

    def run_it(*words, **options):
        return suite.run([suite.cqlgen, "classify", *words], **options)

    def bytes_of(path):
        with open(path, "rb") as file:
            return file.read()

    result = run_it(source, "-o", out)
    suite.check("classify: the tags are written, all other bytes stay", result.status == 0 and bytes_of(out) == b"".join(wanted)
                and result.errors().startswith("3 of 5 games have an opening, "), repr(bytes_of(out)) + result.errors())
    suite.check("classify: again, nothing changes", run_it(out, "-q").out == b"".join(wanted))
    suite.check("classify: standard input", run_it("-", "-q", stdin=b"".join(games)).out == b"".join(wanted))
    kept = games[0].replace(b'"?"', b'"A00"')
    suite.check("classify --keep", run_it("--keep", "-", "-q", stdin=kept).out
                == kept.replace(b'"A00"]\n', b'"A00"]\n[Opening "Sicilian Defence: King\'s Knight Variation"]\n'))
    suite.check("classify: a game that begins within a line", run_it("-", "-q", stdin=b"1. d4 * 1. e4 c5 *\n").out == b'[ECO "A40"]\n[Opening "Queen\'s Pawn Game"]\n\n'
                b'1. d4 * \n[ECO "B20"]\n[Opening "Sicilian Defence"]\n\n1. e4 c5 *\n')
    several = run_it(source, source, "-q").out
    suite.check("classify: several files", several == b"".join(wanted) + b"\n" + b"".join(wanted), repr(several))
    own = suite.path("classify.tsv")
    write(own, 'B20\tMy "own"\t1. e4 c5\n')
    suite.check("classify --openings", b'[Opening "My \\"own\\""]\n' in run_it(source, "--openings", own, "-q").out)
    result = run_it(source, "-o", base, "-q")
    found = suite.search("-e", "initial eco == openingcode", base, "-f", "count", "-q")
    suite.check("classify: a database", result.status == 0 and found.text() == "3\n", result.errors() + found.errors())
    exported, again = suite.path("exported.pgn"), suite.path("again.pgn")
    suite.run([suite.cqlgen, "export", base, "-o", exported])
    run_it(base, "-o", again, "-q")
    suite.check("classify: a database that has the tags", bytes_of(exported) == bytes_of(again))
    for name, words, status, message in (
            ("no games", [], 2, "no games to classify"), ("a missing file", [suite.path("none.pgn"), "-o", again], 3, "cannot read"),
            ("a missing file after another one", [source, suite.path("none.pgn"), "-o", suite.path("x.cqldb")], 3, "cannot read"),
            ("another format", [source, "-o", suite.path("x.csv")], 2, "classify writes PGN or a database (.cqldb)"),
            ("the input as output", [source, "-o", source], 2, "both an input and the output"),
            ("a database that has games", [source, "-o", base], 5, "--append adds more"),
            ("--append without a database", [source, "--append", "-o", again], 2, "--append adds games to a database")):
        result = run_it(*words)
        suite.check("classify: " + name, result.status == status and message in result.errors(), "%s %s" % (result.status, result.errors()))
    result = run_it(source, "-o", base, "--append")
    suite.check("classify --append", result.status == 0 and "5 games imported, 3 with an opening, 0 messages" in result.errors()
                and suite.search("-e", "initial opening", base, "-f", "count", "-q").text() == "6\n", result.errors())
    broken = suite.path("broken.pgn")
    write(broken, '[Event "A"]\n[Site "S"]\n\n1. e4 c5 *\n\n[Event "B"]\n\n1. d4\nQxh7 d5 *\n')
    for output in ("again.pgn", "broken.cqldb"):
        result = run_it(broken, "-o", suite.path(output), "-q")
        suite.check("classify: damage, %s" % output, result.status == 0 and result.errors().startswith("%s:9: game 2: " % broken)
                    and "Qxh7" in result.errors() and result.errors().count("\n") == 1, result.errors())
    write(broken, "1. e4 foo c5 bar *\n")
    few, all_of_them = (run_it(broken, "-q", "-o", again, *words).errors().count("\n") for words in ([], ["--strict"]))
    suite.check("classify --strict", (few, all_of_them) == (1, 2), "%d, %d" % (few, all_of_them))
    suite.check("classify: no database without all inputs", not os.path.exists(suite.path("x.cqldb")))
    with open(again, "wb") as file:
        file.write(games[2])
    result = suite.run(["sh", "-c", "cqlgen classify %s >>%s" % (again, again)])
    suite.check("classify: the input as standard output", result.status == 2 and "both an input and the output" in result.errors() and bytes_of(again) == games[2],
                result.errors())
    with open(again, "wb") as file:
        file.write(games[2] * 160000)
    # Games without an opening do not wait in memory: they come out while the input goes on.
    with subprocess.Popen(["sh", "-c", "cat %s; exec sleep 100" % again], stdout=subprocess.PIPE) as feeder, \
            subprocess.Popen([suite.cqlgen, "classify", "-", "-q"], stdin=feeder.stdout, stdout=subprocess.PIPE, env=suite.environment) as process:
        suite.check("classify: a stream of games without openings", select.select([process.stdout], [], [], 50)[0])
        process.kill()
        feeder.kill()
    process = subprocess.Popen([suite.cqlgen, "classify", again, "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=suite.environment)
    begin = process.stdout.read(1)  # it waits until the rest is read, too
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate()
    suite.check("classify: interrupted", process.returncode == -signal.SIGINT and b"interrupted" in errors and len(begin + rest) < os.path.getsize(again), repr(errors))
    suite.check("classify: a database that was refused stays", suite.search("-e", "initial", base, "-f", "count", "-q").text() == "8\n")
