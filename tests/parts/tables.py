"""The format sqlite: by hand over a few games; the statements of docs/command-line.md; the same file from threads and parts."""
import os
import re
import sqlite3

from parts.harness import EXAMPLES, ROOT, read, write

PGN = """[White "Zo\xe9"]
[Black "It's"]
[WhiteElo "2100"]
[Result "0-1"]
[Date "1999.05.03"]
[Opening "Fool's"]

1. f3 e5 {back} 2. g4 Qh4# 0-1

[White "Bob"]
[Black "Zo\xe9"]

1. e4 e5 (1... d5) *
"""


def run(suite):
    games = suite.path("tables.pgn")
    with open(games, "wb") as file:
        file.write(PGN.encode("latin-1"))
    by_hand(suite, games)
    chosen(suite, games)
    clocks(suite)
    same_names(suite)
    joins(suite)
    same(suite)
    mistakes(suite, games)


def rows(file, text):
    base = sqlite3.connect(file)
    found = base.execute(text).fetchall()
    base.close()
    return found


def by_hand(suite, games):
    out, query = suite.path("tables.sqlite"), suite.path("mates.cql")
    write(query, 'cql() mate sort "SAN" ply sort "name" tag "White" comment("at " ply)\n')
    result = suite.search(query, "-e", "p & e5 wtm", games, "-o", out, "-q")
    if not suite.check("tables: written", result.status == 0 and os.path.exists(out), result.errors()):
        return
    want = [
        ("SELECT id, number, file, game_in_file, white, black, white_elo, black_elo, result, date, eco, ply_count FROM game",
         [(1, 1, games, 1, "Zoé", "It's", 2100, None, "0-1", "1999.05.03", None, 4),
          (2, 2, games, 2, "Bob", "Zoé", None, None, "*", "????.??.??", None, 2)]),
        ("SELECT name, value FROM tag", [("Opening", "Fool's")]),
        ("SELECT id, dialect FROM query", [(1, "cql6"), (2, "cql6")]),
        ("SELECT text FROM query WHERE id = 1", [(read(query),)]),
        ("SELECT game, query, position, ply, number, san, uci, next_san, next_uci, comment, SAN_, \"name\" FROM hit",
         [(1, 1, 4, 4, 2, "Qh4#", "d8h4", None, None, "at 4", 4, "Zoé"),
          (1, 2, 2, 2, 1, "e5", "e7e5", "g4", "g2g4", "back", None, None),
          (1, 2, 4, 4, 2, "Qh4#", "d8h4", None, None, None, None, None),
          (2, 2, 2, 2, 1, "e5", "e7e5", None, None, None, None, None)]),
        ("SELECT name, colour, elo, game FROM player ORDER BY game, colour DESC",
         [("Zoé", "white", 2100, 1), ("It's", "black", None, 1), ("Bob", "white", None, 2), ("Zoé", "black", None, 2)]),
        ("SELECT query_name, white, san FROM found WHERE game = 2", [("-e", "Bob", "e5")]),
        ("PRAGMA integrity_check", [("ok",)]), ("PRAGMA foreign_key_check", []), ("PRAGMA application_id", [(0x43514C46,)])]
    for text, answer in want:
        got = rows(out, text)
        suite.check("tables: " + text[:60], got == answer, "%s\n%s" % (got, answer))
    seen = {row[0] for row in rows(out, "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")}
    suite.check("tables: indexes", {"hit_game", "hit_query", "game_white", "tag_name"} <= seen and "hit_fen" not in seen, str(seen))


def chosen(suite, games):
    """--fields: the columns of both tables, views and indexes of what is there, the same from parts."""
    out, other = suite.path("chosen.sqlite"), suite.path("chosen-other.sqlite")
    words = ["-e", 'mate sort "White" ply', games, "-q", "-f", "sqlite", "--context", "2", "--fields"]
    fields = "fen,White,sort,before,Opening,moves,ply_count,query"
    suite.ends("tables: chosen fields", suite.search(*words, fields, "-o", out))
    suite.check("tables: chosen columns of games", rows(out, "SELECT * FROM game") == [(1, "Zoé", "Fool's", "f3 e5 g4 Qh4#", 4)])
    suite.check("tables: chosen columns of hits, and sort keys", rows(out, 'SELECT id, game, query, fen, before, "White" FROM hit') == [
        (1, 1, 1, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "g4 Qh4#", 4)])
    suite.check("tables: no tags unless they are chosen", rows(out, "SELECT * FROM tag") == [])
    suite.check("tables: views of what is there", rows(out, "SELECT name FROM sqlite_master WHERE type = 'view'") == [("found",)]
                and rows(out, "SELECT query_name, white, before FROM found") == [("-e", "Zoé", "g4 Qh4#")])
    suite.check("tables: indexes of what is there", rows(out, "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL ORDER BY 1")
                == [("game_white",), ("hit_fen",), ("hit_game",), ("hit_query",), ("tag_name",)])
    parts = [suite.path("chosen-%d.part" % k) for k in (1, 2)]
    for k, part in enumerate(parts, 1):
        suite.search(*words, fields, "--part", "%d/2" % k, "-o", part)
    with open(out, "rb") as a:
        suite.ends("tables: chosen fields of parts", suite.run([suite.cqlgen, "merge", *parts, "-q", "-o", other]), also=a.read() == bytes_of(other))
    # The players without ratings; the tag Result has a column, which leaves two tags; columns may differ in capitals only.
    suite.ends("tables: players and tags", suite.search(*words, "tags,white,black,result,White,ID", "-o", out))
    suite.check("tables: tags without columns", rows(out, "SELECT name FROM tag ORDER BY 1") == [("Date",), ("Event",), ("Opening",), ("Round",), ("Site",), ("WhiteElo",)]
                and rows(out, "SELECT white, White_, ID_ FROM game") == [("Zoé", "Zoé", None)], str(rows(out, "SELECT * FROM tag")))
    suite.check("tables: players without ratings", rows(out, "SELECT * FROM player") == [("Zoé", "white", None, 1), ("It's", "black", None, 1)])
    for fields, message in (("positions", "positions and comments are for csv"), ("fenn", "neither a field nor a tag"), ("before,White,before", "comes twice")):
        suite.ends("tables: --fields " + fields, suite.search(*words, fields, "-o", other), 2, err=message)


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def clocks(suite):
    """Clocks, times and evaluations are columns of each hit, from PGN and from a database; a sort key of that name gets another."""
    games, stored, out = suite.path("clocks.pgn"), suite.path("tables-clocks.cqldb"), suite.path("clocks.sqlite")
    write(games, '[TimeControl "180+2"]\n\n{[%eval 0.05]} 1. e4 {[%clk 0:03:00] [%eval 0.2]} e5 {[%clk 0:02:58]} '
          '2. Nf3 {[%clk 0:02:50.5]} Nc6 {[%emt 0:00:07] [%eval #-3]} 3. Bb5 *\n')
    suite.run([suite.cqlgen, "import", games, "-o", stored, "-q"])
    # A move takes what the clock shows before it, 180 at first, and the increment of 2 less what it shows after it; a first move that
    # leaves the base time takes none.
    want = [(0, None, None, 5, 5), (1, 180, 0, 20, 5), (2, 178, 4, None, 5), (3, 170, 11, None, 5), (4, None, 7, -99997, 5), (5, None, None, None, 5)]
    for name in (games, stored):
        result = suite.search("-e", 'sort "Clock" ply', name, "-o", out, "-q")
        got = rows(out, "SELECT ply, clock, elapsed, eval, Clock_ FROM hit ORDER BY id") if result.status == 0 else result.errors()
        suite.check("tables: clocks of %s" % os.path.basename(name), got == want, str(got))


def same_names(suite):
    """Names of tags that are the same in UTF-8, and sort keys with the names of columns."""
    games, out = suite.path("names.pgn"), suite.path("names.sqlite")
    with open(games, "wb") as file:
        file.write(b'[Tag\xc4 "one"]\n[Tag\xc3\x84 "two"]\n\n1. e4 *\n')
    suite.ends("tables: names of tags in two encodings", suite.search("-e", 'sort "id" ply sort "ID" ply+6', games, "-o", out, "-q"),
               also=rows(out, "SELECT * FROM tag") == [(1, "TagÄ", "one")])
    with open(games, "wb") as file:  # the second has half of a pair of UTF-16, which is not UTF-8
        file.write(b'[White "\xe9\xc3\xa9"]\n\n1. e4 *\n\n[White "b\xed\xa0\x80"]\n\n1. e4 *\n')
    suite.run([suite.cqlgen, "import", games, "-o", suite.path("names.cqldb"), "-q"])
    for name in (games, suite.path("names.cqldb")):
        for words in ("-f csv", "-f tsv", "-f jsonl", "-f html", "--count-by white", "--count-by white -f json", "-f sqlite"):
            result = suite.search("-e", "initial", name, "-q", *words.split())
            suite.check("tables: a text that is not UTF-8 is Latin-1, %s %s" % (words, os.path.basename(name)),
                        result.out.count("\xe9\xc3\xa9".encode()) > 0 and "b\xed\xa0\x80".encode() in result.out and "\xe9\xe9".encode() not in result.out, result.errors())
    suite.check("tables: sort keys like columns", rows(out, "SELECT id_, ID__ FROM hit") == [(1, 7), (1, 7)], result.errors())


def joins(suite):
    """Each statement of docs/command-line.md gives the rows that follow it as comments."""
    text = read(os.path.join(ROOT, "docs", "command-line.md"))
    out = suite.path("found.sqlite")
    suite.search("-e", "check", "-e", "mate", os.path.join(EXAMPLES, "games.pgn"), "-o", out, "-q")
    statements = re.findall(r"(SELECT [^;]*;)\n((?:-- .*\n)*)", text[text.index("```sql"):])
    suite.check("tables: three joins are shown", len(statements) == 3)
    for number, (statement, comments) in enumerate(statements):
        got = ["-- " + " | ".join(str(value) for value in row) for row in rows(out, statement)]
        shown = comments.splitlines()[:len(got)]
        suite.check("tables: join %d" % (number + 1), got == shown and got, "%s\n%s" % (got, shown))


def same(suite):
    text = read(os.path.join(EXAMPLES, "games.pgn"))
    games, stored = suite.path("tables-more.pgn"), suite.path("tables-more.cqldb")
    write(games, (text + "\n\n") * 8)
    for name, query in (("limit", ["-e", "check", "-n", "9"]), ("sort", ["-e", 'sort "x" ply check', "-e", "mate"])):
        one, other = suite.path(name + "-1.sqlite"), suite.path(name + "-2.sqlite")
        suite.search(*query, games, "-q", "-o", one, "-j", "1")
        suite.search(*query, games, "-q", "-o", other, "-j", "4")
        with open(one, "rb") as a, open(other, "rb") as b:
            want = a.read()
            suite.check("tables: the same from threads, " + name, want == b.read() and len(want) > 4096)
        parts = [suite.path("%s-%d.part" % (name, k)) for k in (1, 2)]
        for k, part in enumerate(parts, 1):
            suite.search(*query, games, "-q", "-f", "sqlite", "--part", "%d/2" % k, "-o", part)
        merged = suite.run([suite.cqlgen, "merge", *parts, "-q", "-o", other])
        with open(other, "rb") as b:
            suite.check("tables: the same from parts, " + name, want == b.read(), merged.errors())
    piped = suite.search(*query, games, "-q", "-f", "sqlite")
    suite.check("tables: the same through a pipe", piped.out == want)
    folder = suite.path("tables-folder")
    suite.search("-e", "mate", "-e", "check", games, "-q", "-f", "sqlite", "--output-dir", folder)
    suite.check("tables: a file for each query", [rows(os.path.join(folder, name), "SELECT count(*) FROM query")
                                                  for name in ("e1.sqlite", "e2.sqlite")] == [[(1,)], [(1,)]])


def mistakes(suite, games):
    suite.ends("tables: not split into files", suite.search("-e", "mate", games, "-q", "-o", suite.path("{White}.sqlite")), 2, err="is one file")
    out = suite.path("none.sqlite")
    suite.ends("tables: no temporary file", suite.search("-e", "mate", games, "-q", "-o", out, environment=dict(suite.environment, TMPDIR="/not/there")), 5,
               err="in a temporary file", also=not os.path.exists(out))
    result = suite.search("-e", "mate", games, "-q", "-o", out)
    left = [name for name in os.listdir(suite.path("")) if name.startswith("cqlgen.")]
    suite.check("tables: nothing is left over", result.status == 0 and not left, str(left))
