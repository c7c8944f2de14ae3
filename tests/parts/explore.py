"""`cqlgen explore`: the moves of positions against an independent count (tools/explored.py), by hand, in each form, and what is refused."""
import json
import os
import re
import sys

from parts.harness import EXAMPLES, TESTS, read, write

sys.path.insert(0, os.path.join(TESTS, "tools"))
import explored  # noqa: E402

GAMES = [  # tags, moves and result
    ("White=Ann Black=Bob WhiteElo=2700 BlackElo=2500 Date=1999.05.03 Site=https://example.org/1", "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 1-0"),
    ("White=Bob Black=Ann WhiteElo=2500 BlackElo=2700 Date=2004.??.??", "1. c4 Nf6 2. d4 g6 3. Nc3 Bg7 1/2-1/2"),
    ("White=Cy Black=Dee WhiteElo=2450 Date=????.??.??", "1. d4 e6 2. c4 Nf6 3. Nf3 b6 0-1"),
    ("White=Cy Black=Ann BlackElo=2710 Date=2011.01.01 Link=https://example.org/4", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 *"),
    ("White=Dee Black=Bob", "1. e4 Nf6 2. e5 d5 3. exd6 cxd6 1-0"),  # a capture en passant is legal
    ("White=Dee Black=Cy", "1. e3 d6 2. e4 d5 3. e5 Nf6 4. exf6 exf6 0-1"),  # the same men, where it is not
    ("White=Bob Black=Cy", "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Nf3 Nc6 1/2-1/2"),  # nobody may castle any more
    ("White=Bob Black=Dee", "1. e4 e5 2. Nf3 (2. f4 exf4 3. Nf3) 2... Nc6 3. Bb5 a6 4. O-O Nf6 5. d4 exd4 6. e5 d5 7. exd6 Bxd6 1-0"),
    ("White=Ann Black=Cy", "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O {main line} Nxe4 5. Re1 Nd6 6. Nxe5 Nxe5 7. Rxe5+ Be7 0-1"),
    ("White=Ann Black=Dee", "1. h4 h5 2. Rh2 Rh7 3. Rh1 Rh8 4. d4 d5 1-0"),
    ("White=Dee Black=Ann FEN=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq%20-%200%201", "1. d4 -- 2. c4 Nf6 3. Nc3 *"),
    ("White=Dee Black=Bob FEN=7k/P7/8/8/8/8/8/K7%20w%20-%20-%200%2040", "40. a8=N Kg7 41. Nb6 Kf6 1/2-1/2"),
    ("White=Cy Black=Bob FEN=7k/P7/8/8/8/8/8/K7%20w%20-%20-%203%2050", "50. a8=Q+ Kg7 51. Qb7+ 1-0"),
]
TEXT = "".join('[Event "Own %d"]\n%s[Result "%s"]\n\n%s\n\n' % (
    i + 1, "".join('[%s "%s"]\n' % tuple(tag.replace("%20", " ").split("=", 1)) for tag in tags.split(" ")), moves.split()[-1], moves)
    for i, (tags, moves) in enumerate(GAMES))
PAWN = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
EN_PASSANT = "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq %s 0 3"
# Positions, as the oracle and as cqlgen read them.
POSITIONS = ["", "e4 e5", "d4 Nf6 c4", "d4 Nf6 c4 e6", "e4 Nf6 e5 d5", EN_PASSANT % "-", "e4 e5 Ke2 Ke7 Ke1 Ke8", "e4 e5 Nf3 Nc6 Bb5", PAWN,
             "h4 h5 Rh2 Rh7 Rh1 Rh8", "a4 a5 b4"]


def explore(suite, *arguments, **options):
    return suite.run([suite.cqlgen, "explore", *arguments, "-q"], **options)


def run(suite):
    games, stored = suite.path("explore.pgn"), suite.path("explore.cqldb")
    write(games, TEXT)
    suite.run([suite.cqlgen, "import", games, "-o", stored, "-q"])
    against_oracle(suite, games, stored)
    by_hand(suite, games, stored)
    filters(suite, games, stored)
    forms(suite, games, stored)
    many(suite)
    mistakes(suite, games)


def against_oracle(suite, games, stored):
    more = suite.path("explore-more.pgn")
    write(more, read(os.path.join(EXAMPLES, "games.pgn")))
    known = {name: explored.pgn.read(name, False) for name in (games, more)}
    more_stored = suite.path("explore-more.cqldb")
    suite.run([suite.cqlgen, "import", more, "-o", more_stored, "-q"])
    for text in POSITIONS:
        root = explored.position(text)
        for name, inputs in ((games, (games, stored)), (more, (more, more_stored))):
            found = explored.explored(known[name], explored.identity(root), 4)
            for given in inputs:
                for threads in ("1", "3"):
                    got = explore(suite, given, "-f", "json", "-p", text, "--plies", "4", "--min-games", "1", "-j", threads)
                    wrong = list(explored.differences(json.loads(got.text()), root, found, 4)) if got.status == 0 else [got.errors()]
                    suite.check("explore: `%s` in %s, -j %s" % (text, os.path.basename(given), threads), not wrong, "; ".join(wrong[:5]))


def rows(result):
    """The first words of the rows of a table of text: move, games, and last year."""
    table = result.text().split("\n\n")[2].split("\n")[1:]
    return [(line.split()[0], int(line.split()[1]), line.split()[-1]) for line in table if line]


def by_hand(suite, games, stored):
    for given in (games, stored):
        name = os.path.basename(given)
        got = explore(suite, given, "-p", "1.d4 Nf6 2.c4 e6")
        suite.check("explore: transpositions in " + name, rows(got) == [("3.Nc3", 1, "1999"), ("3.Nf3", 1, "-"), ("all", 2, "1999")], got.text())
        for position in ("1. e4 Nf6 2.e5 d5", EN_PASSANT % "d6"):
            got = explore(suite, given, "-p", position)
            suite.check("explore: en passant in %s, %s" % (name, position), rows(got) == [("3.exd6", 1, "-"), ("all", 1, "-")], got.text())
        got = explore(suite, given, "--position", "1.e3 d6 2.e4 d5 3.e5 Nf6")
        suite.check("explore: no capture en passant in " + name, rows(got) == [("4.exf6", 1, "-"), ("all", 1, "-")], got.text())
        got = explore(suite, given, "-p", PAWN, "--plies", "2", "--min-games", "1")
        suite.check("explore: promotions in " + name,
                    rows(got) == [("1.a8=N", 1, "-"), ("1...Kg7", 1, "-"), ("1.a8=Q+", 1, "-"), ("1...Kg7", 1, "-"), ("all", 2, "-")]
                    or rows(got) == [("1.a8=Q+", 1, "-"), ("1...Kg7", 1, "-"), ("1.a8=N", 1, "-"), ("1...Kg7", 1, "-"), ("all", 2, "-")], got.text())
        got = json.loads(explore(suite, given, "-f", "json").text())
        knight = next(move for move in got["moves"] if move["san"] == "Nf3")
        # Game 4 has the first position three times: it counts once, and once for Nf3 and for e4.
        suite.check("explore: repeated in " + name, got["games"] == 11 and knight["games"] == 1 and knight["rating"] is None, str(knight))
        pawn = next(move for move in got["moves"] if move["san"] == "d4")  # games 1, 3 and 11
        suite.check("explore: numbers of 1.d4 in " + name, pawn["games"] == 3 and (pawn["white"], pawn["draws"], pawn["black"]) == (1, 0, 1) and
                    pawn["score"] == 50 and pawn["rating"] == 2575 and pawn["performance"] == 2500 + 800 and
                    (pawn["first_year"], pawn["last_year"]) == (1999, 1999) and pawn["share"] == 27.3, str(pawn))
        best = [(game["game"], game["link"], game["white"], game["white_elo"], game["year"], game["result"], game["event"]) for game in got["best"]]
        suite.check("explore: best-known games of " + name, best == [
            (1, "https://example.org/1", "Ann", 2700, 1999, "1-0", "Own 1"), (2, None, "Bob", 2500, 2004, "1/2-1/2", "Own 2"),
            (3, None, "Cy", 2450, None, "0-1", "Own 3")], str(best))
        got = explore(suite, given, "-p", "1.a4 a5")
        suite.ends("explore: a position of no game in " + name, got, 0)
        suite.check("explore: says so", "no game reaches this position\n" in got.text(), got.text())
        got = json.loads(explore(suite, given, "-p", "1.a4 a5", "-f", "json").text())
        suite.check("explore: as JSON", got["games"] == 0 and got["moves"] == got["best"] == [] and got["score"] is None, str(got))


def filters(suite, games, stored):
    query = suite.path("explore.cql")
    write(query, 'cql() player "Ann"\n')
    for given in (games, stored):
        for options, want in ((["-e", 'player "Ann"'], [("1.d4", 2, "1999"), ("1.Nf3", 1, "2011"), ("1.e4", 2, "2011"), ("1.c4", 1, "2004"),
                                                        ("1.h4", 1, "-"), ("all", 6, "2011")]),
                              (["-e", "path N--c3 b--b4"], [("1.d4", 1, "1999"), ("all", 1, "1999")]),  # later in the game
                              (["-e", "P--f4", "--variations"], [("1.e4", 1, "-"), ("all", 1, "-")]),
                              (["-e", "o-o", "-p", "1.e4 e5 2.Nf3"], [("2...Nc6", 2, "-"), ("all", 2, "-")]),
                              (["-e", "ply >= 12", "-p", "1.e4 e5"], [("2.Nf3", 2, "-"), ("all", 2, "-")]),
                              (["-e", "result 1-0", "-g", "1-8", "-p", "1.e4 e5"], [("2.Nf3", 1, "-"), ("all", 1, "-")])):
            got = explore(suite, *options, given)
            suite.check("explore: %s in %s" % (options, os.path.basename(given)), sorted(rows(got)) == sorted(want), got.text() + got.errors())
        same = [explore(suite, *options, given).text() for options in (["-e", 'player "Ann"'], ["--query", query], [query], ["--query", 'player "Ann"'],
                                                                      ["-e", 'player "Ann"', "--engine", "tcc"])]
        suite.check("explore: forms of a query in " + given, len(set(same)) == 1 and "all" in same[0], same[1])
    text = explore(suite, games).text()
    for name, result in (("standard input", explore(suite, "-", stdin=TEXT.encode())), ("a database", explore(suite, stored)),
                         ("threads", explore(suite, stored, "-j", "4")), ("two files", None)):
        if result:
            suite.check("explore: the same from " + name, result.text() == text, result.text() + result.errors())
    twice = json.loads(explore(suite, games, stored, "-f", "json").text())
    suite.check("explore: two inputs", twice["games"] == 22 and [game["game"] for game in twice["best"]] == [1, 2, 14], str(twice["best"]))


def forms(suite, games, stored):
    for given in (games, stored):
        page = suite.path("explore.html")
        suite.ends("explore: a page", explore(suite, given, "-o", page, "--plies", "3", "--min-games", "1"), 0, "", "")
        text = read(page)
        places, links = re.findall(r"<section id='(p\d+)'", text), re.findall(r"href='#(p\d+)'", text)
        away = re.findall(r"href='(?!#)([^']*)'", text) + re.findall(r"(?:src|url)[=(]['\"]?([^'\")]*)", text)
        # The first position, and those after one and two half moves.
        positions = len(explored.explored(explored.pgn.read(games, False), explored.identity(explored.position("")), 3))
        suite.check("explore: sections of the page", len(places) == len(set(places)) == positions and set(links) == set(places) and places[-1] == "p0",
                    "%d sections, %d positions" % (len(places), positions))
        suite.check("explore: the page needs no network", set(away) == {"https://example.org/1", "https://example.org/4"} and "<script" not in text, str(away))
        suite.check("explore: the page is whole", text.endswith("</html>\n") and text.count("<svg class='diagram'") == positions and "Ann" in text, text[-300:])
    out = suite.path("explore.json")
    explore(suite, games, "-o", out)
    suite.check("explore: --dialect without a query", explore(suite, games, "--dialect", "cql3").status == 0)
    suite.check("explore: the ending chooses the form", json.loads(read(out))["turn"] == "white")
    got = explore(suite, games, "-p", "1.e4 e5 2.Nf3 Nc6 3.Bb5")
    suite.check("explore: the board", got.text().startswith(
        "8  r . b q k b n r\n7  p p p p . p p p\n6  . . n . . . . .\n5  . B . . p . . .\n4  . . . . P . . .\n3  . . . . . N . .\n2  P P P P . P P P\n"
        "1  R N B Q K . . R\n   a b c d e f g h\n\nr1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 3\nBlack to move\n\nmove "), got.text())


def many(suite):
    """The same from several blocks of games and chunks, for any number of threads."""
    parts, stored = [suite.path("explore-%d.pgn" % i) for i in range(3)], suite.path("explore-many.cqldb")
    for i, part in enumerate(parts):
        suite.generate(part, games=400, seed=i + 1)
        suite.run([suite.cqlgen, "import", *(["--append"] if i > 0 else []), part, "-o", stored, "-q"])
    for options in (["--plies", "4"], ["-e", "check", "--plies", "2"], ["-p", "1.e4"]):
        texts = {}
        for inputs in (parts, [stored]):
            for threads in ("1", "2", "5"):
                texts.setdefault(explore(suite, *inputs, *options, "-f", "json", "-j", threads).text(), []).append((inputs[0], threads))
        suite.check("explore: many games with %s" % options, len(texts) == 1 and all(json.loads(text)["games"] > 9 for text in texts), str(list(texts.values())))


def mistakes(suite, games):
    here = os.path.dirname(games)
    for words, message in (
            (["-p", "1.e4 Zf3"], "--position:1:6: expected a FEN, or moves from the first position on like `1.e4 c5 2.Nf3`\n1.e4 Zf3\n     ^"),
            (["-p", "1.e4 e5 2.Ke3"], "--position:1:11: this move is not legal here\n1.e4 e5 2.Ke3\n          ^"),
            (["-p", "1.d4 d5 2.Nf3 Nf6 3.Nd2"], "--position:1:21: this move is ambiguous here\n1.d4 d5 2.Nf3 Nf6 3.Nd2\n                    ^"),
            (["-p", "8/8/8 w - -"], "--position:1:6: FEN with fewer than 64 squares\n8/8/8 w - -\n     ^"),
            (["--plies", "13"], "option `--plies` needs a whole number from 1 to 12, not `13`"),
            (["--min-games", "0"], "option `--min-games` needs a whole number from 1 to 9223372036854775807, not `0`"),
            (["-f", "csv"], "option `-f` needs one of text json html, not `csv`"),
            (["-o", "x.pgn"], "the ending of x.pgn names no form of a table; write .txt, .json or .html, or say -f FORMAT"),
            (["-e", "check", "-e", "mate"], "explore takes one query; write all its filters after one -e"),
            (["--limit", "3"], "option `--limit` cannot be used here; see `cqlgen help --limit`")):
        suite.ends("explore: " + " ".join(words), suite.run([suite.cqlgen, "explore", games, *words], cwd=here), 2, "", errors="cqlgen: %s\n" % message)
    suite.ends("explore: no games", explore(suite), 2, "", "no games to search")
    suite.ends("explore: an error of the query", explore(suite, games, "-e", "chek"), 2, "", "-e:1:1: error: unknown name `chek`")
    suite.ends("explore: no such file", explore(suite, suite.path("none.pgn")), 3, None, "none.pgn")
    suite.ends("explore: a folder that is not there", explore(suite, games, "-o", suite.path("none/x.html")), 5, "", "none/x.html")
    suite.ends("explore: the summary", suite.run([suite.cqlgen, "explore", games, "-p", "1.e4 e5"]), 0, None, "4 of 13 games")
