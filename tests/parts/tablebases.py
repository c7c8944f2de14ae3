"""Endgame tablebases (`wdl`, `dtz`, `tablebase`): what is refused, and answers: of tables made by hand, which need libfathom only, and of
those in ../shared/syzygy. tests/unit/test_syzygy.c compares these with a solver."""
import ctypes
import os

from parts.harness import EXAMPLES, ROOT, write
from parts.share import mpirun

SHARED = os.path.join(ROOT, "..", "shared", "syzygy")
# Says "draw" of every position: magic, flags, order, king, king of the other colour, man, a byte that makes the place even, "all the
# same", 2 = draw; zeros up to a multiple of 64; the check sum. WDL: each half of the men's bytes is for a side, the values for each.
MAGIC = {"rtbw": b"\x71\xe8\x23\x5d", "rtbz": b"\xd7\x66\x0c\xa5"}
MEN = {"KNvK": 0x2, "KBvK": 0x3}
# A knight is lost, a right to castle, a rook ending that Black wins by 1.Rb1 Rh1#.
GAMES = """[Event "1"]
[FEN "6b1/8/8/8/4N3/3k4/8/7K w - - 0 1"]
[Result "*"]

1. Kg2 Bd5 2. Kf3 Bxe4+ 3. Kf4 Kd4 *

[Event "2"]
[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]
[Result "*"]

1. Kd2 *

[Event "3"]
[FEN "7r/8/8/8/8/4k3/8/R3K3 w - - 0 1"]
[Result "0-1"]

1. Rb1 Rh1# 0-1
"""


def tables(folder, names=("KNvK", "KBvK"), cut=0):
    os.makedirs(folder)
    for name in names:
        for ending, magic in MAGIC.items():
            text = magic + b"\x31\0" + bytes(17 * man if ending == "rtbw" else man for man in (0xE, 6, MEN[name])) + b"\0" + (b"\x80\2\x80\2" if ending == "rtbw" else b"\x80\0")
            with open(os.path.join(folder, name + "." + ending), "wb") as file:
                file.write(text + bytes(80 - len(text) - cut))


def has_library():
    try:
        ctypes.CDLL("libfathom.so.1")
    except OSError:
        return False
    return True


def check_refused(suite, games, whole):
    cut, empty, other = suite.path("cut"), suite.path("empty"), suite.path("other")
    tables(cut, cut=1)
    os.makedirs(empty)
    os.makedirs(other)
    foreign = os.path.join(other, "KBvK.rtbw")
    write(foreign, "[Event]\n")

    def refused(name, arguments, *texts):
        result = suite.search(*arguments, games, "-q", "-f", "count")
        suite.check("tablebases: %s" % name, result.status == 2 and all(text in result.errors() for text in texts), result.errors())

    for word in ("wdl", "dtz", "tablebase"):
        refused("%s without a folder" % word, ["-e", "wtm %s" % word], "-e:1:5: error: `%s` needs endgame tablebases: name their folder with --syzygy DIR\n" % word)
    refused("no folder", ["-e", "wdl", "--syzygy", empty + "/none"], "cannot read the folder of tablebases %s/none: No such file" % empty)
    refused("an empty folder", ["-e", "wdl", "--syzygy", empty], "there are no tablebases in %s: expected files like KRPvKR.rtbw" % empty)
    refused("an empty name", ["-e", "wdl", "--syzygy", ""], "the name of the folder of tablebases is empty")
    refused("a table that is cut off", ["-e", "wdl", "--syzygy", cut], "cannot be used: it is cut off; get it again, or remove it")
    refused("a second folder", ["-e", "wdl", "--syzygy", whole + ":" + cut], "cannot be used: it is cut off")
    refused("another file", ["-e", "wdl", "--syzygy", other], "the tablebase %s cannot be used: it is not a tablebase" % foreign)
    refused("pedantic", ["-e", "wdl", "--pedantic", "--syzygy", whole], "`wdl` is an extension of cqlgen, not part of CQL 6.2")
    refused("the example", ["--example", "rook-ending-given-away"], "needs endgame tablebases")
    fine = suite.search("-e", "wtm", "--syzygy", empty + "/none", games, "-q", "-f", "count")
    suite.check("tablebases: a query that asks nothing needs none", fine.status == 0 and fine.text() == "3\n", fine.errors())
    explained = suite.run([suite.cqlgen, "explain", "-e", "wdl == 0"])
    suite.check("tablebases: explained without a folder", explained.status == 0 and "endgame tablebases" in explained.text(), explained.errors())
    for name, text, message in (("without its functions", "int other;", "libfathom.so.1 cannot be used: it has no tb_init"),):
        folder = suite.path("library")
        os.makedirs(folder)
        write(os.path.join(folder, "a.c"), text)
        suite.run(["cc", "-shared", "-o", os.path.join(folder, "libfathom.so.1"), os.path.join(folder, "a.c")])
        result = suite.run([suite.cqlgen, "search", "-e", "wdl", "--syzygy", whole, games], environment={"LD_LIBRARY_PATH": folder})
        suite.check("tablebases: a library " + name, result.status == 2 and message in result.errors(), result.errors())


def check_answers(suite, games, folder, rows):
    for query, want in rows:
        for engine in ("interp", "tcc"):
            result = suite.search("-e", query, "--syzygy", folder, "--engine", engine, games, "-q", "-f", "positions")
            suite.check("tablebases: %s (%s)" % (query, engine), result.text() == want, result.text() + result.errors())


def check_matcher(suite, games, folder):
    made = suite.path("draws.so")
    suite.run([suite.cqlgen, "-e", "wdl == 0", "-o", made])
    result = suite.search(made, games, "-q", "-f", "count")
    suite.check("tablebases: a matcher without them", result.status != 0 and "the query needs tablebases: name their folder with --syzygy DIR" in result.errors(), result.errors())
    result = suite.search(made, games, "-q", "-f", "count", "--syzygy", folder)
    suite.check("tablebases: a matcher", result.text() == "1\n", result.errors())


def check_shares(suite, games, folder):
    """Keys of groups; parts, whose merging needs no tables; ranks of MPI; any number of threads."""
    given = ["--syzygy", folder, games, "-q"]
    result = suite.search("-e", "K", "--count-by", "wdl", *given, "-f", "csv")
    suite.check("tablebases: groups", [line.split(",")[:2] for line in result.text().splitlines()[1:]] == [["", "3"]], result.text() + result.errors())
    result = suite.search("-e", "tablebase", "--count-by", "wdl,dtz", *given, "-f", "csv")
    suite.check("tablebases: groups of values", [line.split(",")[:3] for line in result.text().splitlines()[1:]] == [["0", "0", "1"]], result.text() + result.errors())
    parts = [suite.path("%d.part" % k) for k in (1, 2, 3)]
    for k, part in enumerate(parts):
        suite.search("-e", "wdl == 0", *given, "--part", "%d/3" % (k + 1), "-o", part, "-f", "positions")
    merged = suite.run([suite.cqlgen, "merge", *parts, "-q", "-f", "positions"])
    suite.check("tablebases: parts", merged.text() == "1: 4 5 6\n", merged.text() + merged.errors())
    if suite.has_mpi():
        ranks = mpirun(suite, 2, "-e", "wdl == 0", *given, "-f", "positions")
        suite.check("tablebases: ranks", ranks.text() == "1: 4 5 6\n", ranks.text() + ranks.errors())
    many = suite.path("many.pgn")
    write(many, GAMES * 2000)
    one, four = (suite.search("-e", "wdl == 0 dtz == 0", "--syzygy", folder, many, "-q", "-f", "positions", "-j", j) for j in ("1", "4"))
    suite.check("tablebases: threads", one.text() == four.text() and one.text().count("\n") == 2000, four.errors())


def run(suite):
    games, whole = suite.path("endings.pgn"), suite.path("whole")
    write(games, GAMES)
    tables(whole)
    check_refused(suite, games, whole)
    if not has_library():
        print("tablebases: without libfathom only what is refused is tested")
        return
    check_answers(suite, games, whole, (("tablebase", "1: 4 5 6\n"), ("wdl == 0", "1: 4 5 6\n"), ("dtz == 0", "1: 4 5 6\n"), ("wdl != 0", "1: 0 1 2 3\n2: 0 1\n3: 0 1 2\n"),
                                        ("flipcolor wdl < 0", ""), ("not wdl k attacks N", "1: 0 1 2 3\n")))
    check_matcher(suite, games, whole)
    check_shares(suite, games, whole)
    if os.path.isdir(SHARED):
        check_answers(suite, games, SHARED, (("tablebase", "1: 0 1 2 3 4 5 6\n2: 1\n3: 0 1 2\n"), ("wdl == 0", "1: 0 1 2 3 4 5 6\n3: 0\n"), ("wdl == -2", "2: 1\n3: 2\n"),
                                             ("dtz == 1", "3: 1\n"), ("dtz == -1", "3: 2\n"), ("wdl == 0 child:wdl > 0", "3: 0\n")))
        check_answers(suite, os.path.join(EXAMPLES, "help.pgn"), SHARED, (  # of `cqlgen help wdl`: Saavedra's study, and a queen that wins
            ("initial wdl == 2", "6: 0\n10: 0\n"), ("dtz < -2", "6: 1 3 5 7 11\n"), ("wdl == 0 child:wdl > 0", "")))
        result = suite.search(os.path.join(EXAMPLES, "rook-ending-given-away.cql"), "--syzygy", SHARED, games, "-q", "-f", "positions")
        suite.check("tablebases: the example", result.text() == "3: 0\n", result.text() + result.errors())
