"""Groups of games (--count-by) and samples (--sample): by hand over a few games, and the same from PGN, databases, threads,
parts, a journal and ranks of MPI."""
import os
import re
import shutil
import sqlite3
import subprocess

from parts.harness import EXAMPLES, read, write
from parts.terminal import Session

FOOL, SCHOLAR = "1. f3 e5 2. g4 Qh4# 0-1", "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0"  # mate at ply 4 and 7
GAMES = [
    ({"White": "Ann", "Black": "Bob", "Date": "1999.05.03", "WhiteElo": "1450", "BlackElo": "1550", "ECO": "A00", "Round": "1", "Event": "Cup", "Site": "Rome"}, FOOL),
    ({"White": "Bob", "Black": "Ann", "Date": "1999.11.??", "WhiteElo": "1550", "BlackElo": "1450", "ECO": "C20", "Round": "2", "Event": "Open", "Site": "Rome"}, SCHOLAR),
    ({"White": "Ann", "Black": "Cy", "Date": "2000.??.??", "WhiteElo": "1450", "ECO": "D00"}, "1. d4 d5 1/2-1/2"),
    ({"White": "Cy", "Black": "Zo\xe9", "UTCDate": "2001.02.03", "Opening": "Zo\xe9's, short"}, FOOL),
    ({}, "1. Nf3 *"),
    ({"White": "Ann", "Black": "Bob", "Date": "2000.05.01", "WhiteElo": "1499", "BlackElo": "1500", "ECO": "C21", "Round": "2", "Event": "Cup", "Site": "Paris"}, SCHOLAR),
]
# What `mate` finds: options, then rows of CSV without the heading.
TABLES = [
    ("year --of-all", ["1999,2,2,100.00,1,0,1", "2000,1,2,50.00,1,0,0", "2001,1,1,100.00,0,0,1", "????,0,1,0.00,0,0,0"]),
    ("month", ["1999.05,1,25.00,0,0,1", "1999.11,1,25.00,1,0,0", "2000.05,1,25.00,1,0,0", "2001.02,1,25.00,0,0,1"]),
    ("elo/100", ["1400-1499,1,25.00,1,0,0", "1500-1599,2,50.00,1,0,1", ",1,25.00,0,0,1"]),
    ("eco/1", ["C,2,50.00,2,0,0", "A,1,25.00,0,0,1", ",1,25.00,0,0,1"]),
    ("result --of-all", ["1-0,2,2,100.00,2,0,0", "1/2-1/2,0,1,0.00,0,0,0", "0-1,2,2,100.00,0,0,2", "*,0,1,0.00,0,0,0"]),
    ("white,result -n 2", ["Ann,1-0,1,25.00,1,0,0", "Ann,0-1,1,25.00,0,0,1", "(others),,2,50.00,1,0,1"]),
    ("black", ["Bob,2,50.00,1,0,1", "Ann,1,25.00,1,0,0", "Zoé,1,25.00,0,0,1"]),
    ("Opening --of-all", [",3,5,60.00,2,0,1", "\"Zoé's, short\",1,1,100.00,0,0,1"]),
    ("ply", ["4,2,50.00,0,0,2", "7,2,50.00,2,0,0"]),
    ("{wtm__ply},year", ["4,1999,1,25.00,0,0,1", "4,2001,1,25.00,0,0,1", ",1999,1,25.00,1,0,0", ",2000,1,25.00,1,0,0"]),
    ("tag__\"White\"", ["Ann,2,50.00,1,0,1", "Bob,1,25.00,1,0,0", "Cy,1,25.00,0,0,1"]),
    ("round", ["2,2,50.00,2,0,0", "1,1,25.00,0,0,1", "?,1,25.00,0,0,1"]),  # a tag that is absent has the value `?`
    ("round --of-all", ["2,2,2,100.00,2,0,0", "?,1,3,33.33,0,0,1", "1,1,1,100.00,0,0,1"]),
    ("event", ["Cup,2,50.00,1,0,1", "?,1,25.00,0,0,1", "Open,1,25.00,1,0,0"]),
    ("event --of-all", ["Cup,2,2,100.00,1,0,1", "?,1,3,33.33,0,0,1", "Open,1,1,100.00,1,0,0"]),
    ("site", ["Rome,2,50.00,1,0,1", "?,1,25.00,0,0,1", "Paris,1,25.00,1,0,0"]),
    ("date", ["1999.05.03,1,25.00,0,0,1", "1999.11.??,1,25.00,1,0,0", "2000.05.01,1,25.00,1,0,0", "????.??.??,1,25.00,0,0,1"]),
    ("white_elo", ["1450,1,25.00,0,0,1", "1499,1,25.00,1,0,0", "1550,1,25.00,1,0,0", ",1,25.00,0,0,1"]),
    ("black_elo", ["1450,1,25.00,1,0,0", "1500,1,25.00,1,0,0", "1550,1,25.00,0,0,1", ",1,25.00,0,0,1"]),
    ("elo", ["1499,1,25.00,1,0,0", "1500,2,50.00,1,0,1", ",1,25.00,0,0,1"]),
    ("eco", ["A00,1,25.00,0,0,1", "C20,1,25.00,1,0,0", "C21,1,25.00,1,0,0", ",1,25.00,0,0,1"]),
    ("year --order games -g 1-2", ["1999,2,100.00,1,0,1"]),
]
# The same for any query: query, options, heading and rows.
RESULTS = "white,draws,black"
MORE = [
    ("true", "side --per position", "side,positions,percent,games," + RESULTS, ["black,14,45.16,6,2,1,2", "white,17,54.84,6,2,1,2"]),
    ("move capture .", "move,uci,from,to,piece,captured,promotion --per position", "move,uci,from,to,piece,captured,promotion,positions,percent,games," + RESULTS,
     ["Qxf7#,h5f7,h5,f7,Q,p,,2,100.00,2,2,0,0"]),
    ("btm", "ply/4 --per position", "ply/4,positions,percent,games," + RESULTS, ["0-3,10,71.43,6,2,1,2", "4-7,4,28.57,2,2,0,0"]),
    ("mate", "k", "k,games,percent," + RESULTS, ["e8,4,100.00,2,0,2"]),
    ("mate", "{[Kk]} --per position", "{[Kk]},positions,percent,games," + RESULTS, ["e1,4,100.00,4,2,0,2", "e8,4,100.00,4,2,0,2"]),
    ("mate", "{Q},ply/5 --per position", "{Q},ply/5,positions,percent,games," + RESULTS, ["d1,0-4,2,50.00,2,0,0,2", "f7,5-9,2,50.00,2,2,0,0"]),
    ("ply == 5", "captured,to --per position", "captured,to,positions,percent,games," + RESULTS, [",f6,2,100.00,2,2,0,0"]),
    ("mate", "line --order key", "line,games,percent," + RESULTS, ["1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7#,2,50.00,2,0,0", "1.f3 e5 2.g4 Qh4#,2,50.00,0,0,2"]),
    ("move capture .", "material,next_material", "material,next_material,games,percent," + RESULTS,
     ["KQRRBBNNPPPPPPPP-KQRRBBNNPPPPPPPP,KQRRBBNNPPPPPPPP-KQRRBBNNPPPPPPP,2,100.00,2,0,0"]),
    ("true", "player", "player,games,percent,won,drawn,lost", ["Ann,4,66.67,1,1,2", "Bob,3,50.00,2,0,1", "Cy,2,33.33,0,1,1", "?,1,16.67,0,0,0", "Zoé,1,16.67,1,0,0"]),
    ("true", "player --measure score", "player,games,percent,score", ["Ann,4,66.67,37.50", "Bob,3,50.00,66.67", "Cy,2,33.33,25.00", "?,1,16.67,", "Zoé,1,16.67,100.00"]),
    ("true", "{Qh5} --player Ann --per position", "{Qh5},positions,percent,games,won,drawn,lost", ["h5,4,16.67,2,1,0,1"]),
    ("true", "opponent --player Ann", "opponent,games,percent,won,drawn,lost", ["Bob,3,75.00,1,0,2", "Cy,1,25.00,0,1,0"]),
    ("true", "player,opponent --measure results,score -n 2", "player,opponent,games,percent,won,drawn,lost,score",
     ["Ann,Bob,3,50.00,1,0,2,33.33", "Bob,Ann,3,50.00,2,0,1,66.67", "(others),,5,83.33,1,2,1,50.00"]),
    ("true", "result --measure avg(ply_count),median(ply_count),sum(ply_count),min(ply_count),max(ply_count),distinct(white)",
     "result,games,percent,avg(ply_count),median(ply_count),sum(ply_count),min(ply_count),max(ply_count),distinct(white)",
     ["1-0,2,33.33,7.00,7,14,7,7,2", "1/2-1/2,1,16.67,2.00,2,2,2,2,1", "0-1,2,33.33,4.00,4,8,4,4,2", "*,1,16.67,1.00,1,1,1,1,1"]),
    ("true", "result --per position --measure median(ply),avg(elo),count,games",
     "result,positions,percent,median(ply),avg(elo),games", ["1-0,16,51.61,3.5,1499.50,2", "1/2-1/2,3,9.68,1,,1", "0-1,10,32.26,2,1500.00,2", "*,2,6.45,0.5,,1"]),
    ("true", "result --measure max(ply_count) --order max(ply_count) -n 2", "result,games,percent,max(ply_count)",
     ["1-0,2,33.33,7", "0-1,2,33.33,4", "(others),2,33.33,2"]),
    ("true", "black --order rarest -n 1", "Black,games,percent," + RESULTS, ["?,1,16.67,0,0,0", "(others),5,83.33,2,1,2"]),
    ("true", "year/2", "year/2,games,percent," + RESULTS, ["1998-1999,2,33.33,1,0,1", "2000-2001,3,50.00,1,1,1", ",1,16.67,0,0,0"]),
    ("true", "result --measure distinct(player)", "result,games,percent,distinct(player)",
     ["1-0,2,33.33,2", "1/2-1/2,1,16.67,2", "0-1,2,33.33,4", "*,1,16.67,1"]),
    ("true", "result --player Ann --measure distinct(opponent),distinct(player)", "result,games,percent,distinct(opponent),distinct(player)",
     ["1-0,2,50.00,1,1", "1/2-1/2,1,25.00,1,1", "0-1,1,25.00,1,1"]),
    ("mate", "side --among btm --per position", "side,positions,among,percent,games," + RESULTS, ["black,2,14,14.29,2,2,0,0"]),
    ("mate", "white --among ply==7", "White,games,among,percent," + RESULTS, ["Ann,1,1,100.00,1,0,0", "Bob,1,1,100.00,1,0,0"]),
    ("check", "result --among ply==1", "result,games,among,percent," + RESULTS, ["1-0,0,2,0.00,0,0,0", "1/2-1/2,0,1,0.00,0,0,0", "0-1,0,2,0.00,0,0,0", "*,0,1,0.00,0,0,0"]),
    ("mate", "tag:White,men -n 1", "tag:White,men,games,percent," + RESULTS, ["Ann,Bc1,2,50.00,1,0,1", "(others),,124,3100.00,61,0,63"]),
]


def game_text(tags, moves):
    return "".join('[%s "%s"]\n' % pair for pair in tags.items()) + "\n" + moves + "\n\n"


def options_of(text):
    return ["--count-by"] + [word.replace("__", " ") for word in text.split(" ")]


def later_numbers(suite):
    """The key `line` numbers moves as a game that begins with another move does."""
    for side, moves, line in (("w", "40. Ra2 Kb7", "40.Ra2 Kb7"), ("b", "40... Kb7 41. Ra2", "40...Kb7 41.Ra2")):
        games = suite.path("later-%s.pgn" % side)
        write(games, '[FEN "1k6/8/8/8/8/8/8/R3K3 %s - - 3 40"]\n[SetUp "1"]\n\n%s *\n' % (side, moves))
        got = suite.search("-e", "ply == 2", games, "--count-by", "line", "-f", "csv", "-q").text().split("\r\n")[1]
        suite.check("groups: line from move 40, %s" % side, got.startswith(line + ","), got)


def run(suite):
    later_numbers(suite)
    games, stored = suite.path("groups.pgn"), suite.path("groups.cqldb")
    with open(games, "wb") as file:
        file.write("".join(game_text(*game) for game in GAMES).encode("latin-1"))
    suite.run([suite.cqlgen, "import", games, "-o", stored, "-q"])
    for inputs in (games, stored):
        for options, rows in TABLES:
            got = suite.search("-e", "mate", inputs, *options_of(options), "-f", "csv", "-q").text().split("\r\n")[1:-1]
            suite.check("groups: %s of %s" % (options, os.path.basename(inputs)), got == rows, "%s\n%s" % (got, rows))
        for query, options, heading, rows in MORE:
            got = suite.search("-e", query, inputs, *options_of(options), "-f", "csv", "-q").text().split("\r\n")[:-1]
            suite.check("groups: %s by %s of %s" % (query, options, os.path.basename(inputs)), got == [heading, *rows], "%s\n%s" % (got, rows))
        got = suite.search("-e", "mate", "-e", "check", inputs, "--count-by", "white,result", "-n", "1", "-f", "tsv", "-q").text()
        suite.check("groups: tsv of %s" % os.path.basename(inputs), got ==
                    "query\tWhite\tresult\tgames\tpercent\twhite\tdraws\tblack\n" + "".join("-e%d\tAnn\t1-0\t1\t25.00\t1\t0\t0\n-e%d\t(others)\t\t3\t75.00\t1\t0\t2\n" % (q, q) for q in (1, 2)), got)
        page = suite.search("-e", "mate", "-e", "check", inputs, "--count-by", "result,ply / 2,1+1", "-n", "1", "-f", "html", "-q").text()
        count = re.search(r"<strong>(\d+)</strong> of %d games match, with " % len(GAMES), page)
        suite.check("groups: the page shows queries and numbers of %s" % os.path.basename(inputs), count and "<h1>mate; check</h1>" in page and
                    page.count("<h3>mate</h3>") == page.count("<h3>check</h3>") == 1 and "shows the first" not in page and
                    "<h2>Games by result, ply / 2 and 1+1</h2>" in page and "Searched: %s</p>" % inputs in page, page[-3000:])
        page = suite.search("-e", "mate", inputs, "--count-by", "k", "--per", "position", "--among", "check", "--player", "Ann", "-f", "html", "-q").text()
        suite.check("groups: the page shows --among and --player of %s" % os.path.basename(inputs), "<h1>mate</h1>" in page and
                    "<h2>Positions of Ann by k, among check</h2>" in page, page[-3000:])
        for form, want in (("text", "k      games       %      1-0  1/2-1/2      0-1\n"), ("html", "<p>No groups.</p>"), ("svg", "y='52.0' class='name'>No groups.</text>")):
            page = suite.search("-e", "false", inputs, "--count-by", "k", "-f", form, "-q").text()
            suite.check("groups: none as %s of %s" % (form, os.path.basename(inputs)), want in page and ("height='68'" in page) == (form == "svg"), page[-500:])
    queries(suite, games, stored)
    results(suite)
    namesakes(suite)
    headings(suite)
    months(suite)
    shared(suite)
    samples(suite)
    mistakes(suite, games)
    shown = Session(suite, ["search", "-e", "mate", games, "--count-by", "year", "-q"], columns=80).text().splitlines()
    suite.check("groups: bars on a terminal", shown[1].endswith("1  " + "█" * 27) and shown[2].endswith("0  " + "█" * 13 + "▌"),
                repr(shown))
    shown = Session(suite, ["search", "-e", "mate", games, "--count-by", "k", "-q"], columns=80).text().splitlines()
    empty = ["%d %s" % (rank, " ".join("·" * 8)) for rank in range(1, 8)]
    suite.check("groups: a board on a terminal", shown == ["8 · · · · 4 · · ·", *reversed(empty), "  a b c d e f g h"], repr(shown))


def queries(suite, games, stored):
    """Several queries; variables of the query in keys; each engine."""
    want = "query,(x),games,percent,white,draws,black\r\n-e1,5,2,100.00,0,0,2\r\n-e2,3,1,100.00,0,1,0\r\n"
    for engine in ("interp", "tcc", "cc"):
        got = suite.search("-e", "mate x = ply+1 x == 5", "-e", "x = 3 result 1/2-1/2 ply == 2", games, "--count-by", "(x)", "-f", "csv", "-q",
                           "--engine", engine).text()
        suite.check("groups: keys of two queries with %s" % engine, got == want, got)
    folder = suite.path("groups-folder")
    suite.search("-e", "mate", "-e", "wtm", games, stored, "--count-by", "result", "-f", "json", "-q", "--output-dir", folder)
    text = read(os.path.join(folder, "e1.json"))
    suite.check("groups: a file for each query", text ==
                '[\n {"group":{"result":"1-0"},"games":4,"percent":50.00,"white":4,"draws":0,"black":0},\n'
                ' {"group":{"result":"0-1"},"games":4,"percent":50.00,"white":0,"draws":0,"black":4}\n]\n', text)


def results(suite):
    """The end of the movetext where it is not one of the usual tokens: part of a comment or a word, or another spelling."""
    games, stored = suite.path("groups-results.pgn"), suite.path("groups-results.cqldb")
    moves = ("1. e4 e5 ; white won 1-0", "1. e4 e5 11-0", "1. e4 e5 1:0", "1. e4 e5 1/2")
    write(games, "".join(game_text({"Result": "0-1"}, text) for text in moves))
    suite.run([suite.cqlgen, "import", games, "-o", stored, "-q"])
    want = ["1-0,1,1,100.00,1,0,0", "1/2-1/2,1,1,100.00,0,1,0", "0-1,2,2,100.00,0,0,2"]
    for inputs in (games, stored):
        got = suite.search("-e", "btm", inputs, "--count-by", "result", "--of-all", "-f", "csv", "-q").text().split("\r\n")[1:-1]
        suite.check("groups: results at the end of movetext of " + os.path.basename(inputs), got == want, str(got))


def namesakes(suite):
    """Both players of a game have names that contain that of --player: it counts once, for White, if no key is about players."""
    games = suite.path("groups-namesakes.pgn")
    write(games, game_text({"White": "Ann Lee", "Black": "Bob Lee"}, FOOL) + game_text({"White": "Cy", "Black": "Bob Lee"}, SCHOLAR))
    for options, want in (("white --per game", ["Ann Lee,1,50.00,0,0,1", "Cy,1,50.00,0,0,1"]),
                          ("side --per position", ["black,6,46.15,2,0,0,2", "white,7,53.85,2,0,0,2"]),
                          ("opponent", ["Ann Lee,1,50.00,1,0,0", "Bob Lee,1,50.00,0,0,1", "Cy,1,50.00,0,0,1"]),
                          ("player", ["Bob Lee,2,100.00,1,0,1", "Ann Lee,1,50.00,0,0,1"])):
        got = suite.search("-e", "true", games, *options_of(options), "--player", "Lee", "-f", "csv", "-q").text().split("\r\n")[1:-1]
        suite.check("groups: namesakes by " + options, got == want, str(got))
    for name, games_of in (("Cy", 1), ("Lee", 2), ("lee", 0), ('L"e', 0)):
        result = suite.search("-e", "true", games, "--count-by", "result", "--player", name)
        counted = sum(int(line.split()[1]) for line in result.text().splitlines()[1:])
        suite.check("groups: games of %s" % name, counted == games_of and ("%d of 2 games match" % games_of in result.errors() or '"' in name), result.errors())


def headings(suite):
    """No two columns have the same name: keys that are called like the columns of results have the names of their tags."""
    games = suite.path("groups-headings.pgn")
    write(games, game_text({"White": "Ann"}, FOOL))
    for keys, want in (("white,black", "White,Black,games,percent,white,draws,black"), ("event,White", "event,White,games,percent,white,draws,black"),
                       ("white --player Ann", "white,games,percent,won,drawn,lost"), ("white --measure games", "white,games,percent")):
        got = suite.search("-e", "mate", games, "--count-by", *keys.split(), "-f", "csv", "-q").text().split("\r\n")[0]
        suite.check("groups: headings of " + keys, got == want, got)


def months(suite):
    """A month that there is not is unknown."""
    games = suite.path("groups-months.pgn")
    write(games, "".join(game_text({"Date": "2000." + month}, FOOL) for month in ("12.01", "13.01", "09.??", "00.01")))
    got = suite.search("-e", "mate", games, "--count-by", "month", "-f", "csv", "-q").text().split("\r\n")[1:-1]
    suite.check("groups: months", [row.split(",")[:2] for row in got] == [["2000.09", "1"], ["2000.12", "1"], ["2000.??", "2"]], str(got))


def shared(suite):
    """Parts, a journal, ranks, threads and databases find the groups of one search."""
    text = "\n\n".join(read(os.path.join(EXAMPLES, name)).strip() for name in ("games.pgn", "studies.pgn"))
    games, stored = suite.path("groups-more.pgn"), suite.path("groups-more.cqldb")
    write(games, (text + "\n\n") * 12)
    suite.run([suite.cqlgen, "import", games, "-o", stored, "-q"])
    for keys, query in ((["elo/100,ply/10"], "check"), (["White,eco/1", "--of-all"], "mate"), (["year", "--of-all"], "wtm"),
                        (["captured,{k}", "--per", "position", "--among", "move capture .", "--measure", "games,score,avg(ply),median(A),max({a}),distinct(move)"], "check")):
        search = ["-e", query, "-e", "stalemate", "--count-by", *keys, "-q"]
        want = suite.search(*search, games, "-f", "csv", "-j", "1").text()
        suite.check("groups: %s has rows" % keys, len(want.splitlines()) > 3, want)
        for name, arguments in (("threads", [games, "-j", "4"]), ("database", [stored, "-j", "2"])):
            got = suite.search(*search, *arguments, "-f", "csv").text()
            suite.check("groups: %s by %s" % (keys, name), got == want, got[:300])
    parts = [suite.path("groups-%d.part" % k) for k in (1, 2, 3)]
    for k, part in enumerate(parts, 1):
        suite.search(*search, games, "--part", "%d/3" % k, "-o", part)
    got = suite.run([suite.cqlgen, "merge", *parts, "-q", "-f", "csv"]).text()
    suite.check("groups: merged parts", got == want, got[:300])
    journal = suite.path("groups.journal")
    for time in ("first", "second"):
        got = suite.search(*search, games, "--journal", journal, "-f", "csv").text()
        suite.check("groups: a journal, the %s time" % time, got == want, got[:300])
    if not suite.sanitize and suite.has_mpi():
        out = suite.path("ranks.csv")
        said = suite.run(["mpirun", "-n", "3", os.path.join(suite.out, "cqlgen-mpi"), "search", *search, games, "-o", out]).errors()
        suite.check("groups: ranks", os.path.exists(out) and read(out) == want, said)


def samples(suite):
    games, stored = suite.path("groups-more.pgn"), suite.path("sample.cqldb")
    write(suite.path("sample.pgn"), "".join(game_text({"White": "p%d" % i, "Date": "2000.01.%02d" % (i % 30)}, FOOL)
                                            for i in range(1000)))
    games = suite.path("sample.pgn")
    suite.run([suite.cqlgen, "import", games, "-o", stored, "-q"])
    every = suite.search("-e", "mate", games, "--sample", "100%", "-f", "count", "-q").text()
    suite.check("sample: 100% is all", every == "1000\n", every)
    for form in ("positions", "count"):
        one = [suite.search("-e", "mate", g, "--sample", "10%", "-f", form, "-q", "-j", j).text() for g, j in ((games, "1"), (stored, "2"))]
        suite.check("sample: the same games of PGN and database as " + form, one[0] == one[1] and one[0] != "", one[0][:200])
    for percent in ("1%", "30%", "70%", "99.99%"):
        one = [suite.search("-e", "mate", g, "--sample", percent, "-f", "positions", "-q", "-j", "1").text() for g in (games, stored)]
        suite.check("sample: the same games of PGN and database at " + percent, one[0] == one[1] and one[0] != "", one[1][:200])
        suite.check("sample: the first game at " + percent, one[0].startswith("1:") == (percent == "99.99%"), one[0][:200])
    damaged, said = suite.path("sample-damaged.cqldb"), "%s: error: the columns of chunk 1 are damaged; its games cannot be in the sample\n"
    shutil.copy(stored, damaged)
    connection = sqlite3.connect(damaged)
    connection.execute("UPDATE columns SET white = x'00', date = x'00'")
    connection.commit()
    connection.close()
    suite.ends("sample: of damaged columns", suite.search("-e", "mate", damaged, "--sample", "50%", "-f", "count", "-q"), 3, "0\n", errors=said % damaged)
    for keys in ("year", "white", "result", "White"):  # the tags say the same
        got = [suite.search("-e", "mate", g, "--count-by", keys, "--of-all", "-f", "csv", "-q").text() for g in (stored, damaged)]
        suite.check("groups: of damaged columns by " + keys, got[0] == got[1] != "", got[1][:200])
    few, more = ({line.split(":")[0] for line in suite.search("-e", "mate", games, "--sample", p, "-f", "positions", "-q").text().splitlines()}
                 for p in ("10", "20.5%"))
    suite.check("sample: a greater one contains a smaller one", few < more and 60 < len(few) < 140 and 150 < len(more) < 260,
                "%d %d" % (len(few), len(more)))
    query, out = suite.path("sample.cql"), suite.path("sample-cql.pgn")
    write(query, "cql() mate\n")
    for command in ("cql", "cqli"):
        suite.run([suite.cqlgen, command, "-i", games, "-o", out, "-sample" if command == "cql" else "--sample", "10%", query])
        suite.check("sample: " + command, read(out).count("[White ") == len(few), read(out)[:200])
    result = suite.run([suite.cqlgen, "cql", "-i", games, "-sample", "0", query])
    suite.check("sample: cql refuses 0", "`-sample` needs a percentage" in result.text() + result.errors() and result.status != 0,
                result.text() + result.errors())
    said = suite.search("-e", "false", games, "--sample", "10", "-f", "none").errors()
    suite.check("sample: games left out are not searched", "0 of %d games" % len(few) in said, said)


def mistakes(suite, games):
    for arguments, message in (
            (["--count-by", "ply", "--of-all"], "--of-all counts games that do not match, too, where `ply` has no value"),
            (["--of-all"], "`--of-all` is about groups"),
            (["--order", "key"], "`--order` is about groups"),
            (["--count-by", "year", "-f", "pgn"], "not as pgn"),
            (["--count-by", "year", "-o", suite.path("x.fen")], "names no format; write one of .jsonl, .csv"),
            (["-f", "json"], "the format json is that of groups"),
            (["--count-by", "year,,white"], "a key of --count-by is empty; write keys with commas between them"),
            (["--count-by", "year, white ,year"], "the key `year` of --count-by is given twice"),
            (["--count-by", ",".join("ply+%d" % i for i in range(17))], "--count-by takes at most 16 keys"),
            (["--count-by", "mate"], "a key of --count-by is a number, a set or a string"),
            (["--count-by", "ply A"], "is one expression; expected a comma"),
            (["--count-by", "plyy"], "--count-by:1:1: error: unknown name `plyy`"),
            (["--count-by", "white,ply+ plyy"], "--count-by:1:6: error: unknown name `plyy`"),
            (["--count-by", "elo/x"], "as in `elo/100`"),
            (["--count-by", "year", "-o", suite.path("{White}.csv")], "is one file"),
            (["--count-by", "K"], "the key `K` of --count-by can be a tag or pieces; write `tag:K` or `{K}`"),
            (["--count-by", "Ka1"], "the key `Ka1` of --count-by can be a tag or pieces"),
            (["--count-by", "year", "--measure", "mean(ply)"], "`mean(ply)` is not a measure; expected count, games"),
            (["--count-by", "year", "--measure", "avg(white)"], "the measure `avg(white)` needs a number"),
            (["--count-by", "year", "--measure", "avg(plyy)"], "--measure:1:1: error: unknown name `plyy`"),
            (["--count-by", "year", "--measure", "score,score"], "the measure `score` is given twice"),
            (["--count-by", "year", "--among", "chek"], "--among:1:1: error: unknown name `chek`"),
            (["--count-by", "ply", "--among", "check"], "--among counts games, whose first match says nothing of `ply`"),
            (["--count-by", "year", "--of-all", "--per", "position"], "for positions use --among true"),
            (["--count-by", "k/3"], "--count-by:1:1: error: only numbers have bands, such as `ply/10`, but this is a set"),
            (["--count-by", "openingcode/1"], "only numbers have bands, such as `ply/10`, but this is a string"),
            (["--count-by", "opponent"], "`opponent` is that of a player: add the key `player`, or --player NAME"),
            (["--count-by", "year", "--measure", "distinct(opponent)"], "`opponent` is that of a player"),
            (["--count-by", "year", "--measure", "results,results"], "the measure `results` is given twice"),
            (["--count-by", "year", "--order", "size"], "`size` is not an order of groups"),
            (["--count-by", "{K},{k},{Q}"], "at most two keys of --count-by may be sets"),
            (["--per", "position"], "`--per` is about groups"),
            (["--sample", "0"], "needs a percentage"),
            (["--sample", "ten"], "needs a percentage")):
        suite.ends("groups: refused: " + " ".join(arguments), suite.search("-e", "mate", games, "-q", *arguments), 2, err=message)
    for keys, said in (("WhitElo", "warning: no game that was counted has a tag `WhitElo`; did you mean `WhiteElo`?"), ("tag:Zz,year", "warning: no game that was counted has a tag `Zz`"),
                       ("Opening", ""), ("white", "")):
        for inputs in (games, games.replace(".pgn", ".cqldb")):
            result = suite.search("-e", "mate", inputs, "-q", "--count-by", keys)
            suite.check("groups: warned of the tag %s of %s" % (keys, os.path.basename(inputs)), (result.status, result.errors()) == (0, "cqlgen: %s\n" % said if said else ""), result.errors())
    old = suite.path("old.cql")
    write(old, "(match (position Ka1))\n")
    suite.ends("groups: no expressions for CQL 3", suite.search(old, games, "-q", "--count-by", "ply+1"), 2, err="is not written in CQL 6.2 or CQLi")
    matcher = suite.path("groups.so")
    subprocess.run([suite.cqlgen, "-e", "mate", "-o", matcher], env=suite.environment)
    suite.ends("groups: no expressions for matchers", suite.search(matcher, games, "-q", "--count-by", "ply+1"), 2, err="needs the text of the query")
    many = suite.path("many-groups.pgn")
    write(many, "".join('[White "somebody with the number %d"]\n\n1. e4 *\n\n' % i for i in range(12000)))
    result = suite.search("-e", "btm", many, "-q", "--count-by", "white", "--max-memory", "1", "-o", suite.path("many.csv"))
    suite.check("groups: too many for the memory", result.status == 5 and "take more than 0.5 MB" in result.errors() and
                not os.path.exists(suite.path("many.csv")), result.errors())
