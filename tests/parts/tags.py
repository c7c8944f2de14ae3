"""Conditions on tags over databases, which are evaluated once for each value and not for each game: they find what they find in the
PGN that was imported, and what was worked out by hand.
"""
import os
import random
import shutil
import sqlite3

from parts.database import make
from parts.harness import EXAMPLES, TESTS, difference, read, write

# Each game: its tags (bytes, in the file's order) and its movetext.
GAMES = (
    ([("Event", "Open A"), ("Site", "Rome"), ("Date", "1999.12.31"), ("White", "Anna"), ("Black", "Bert"), ("Result", "1-0"),
      ("WhiteElo", "2000"), ("BlackElo", "1800"), ("ECO", "B20")], "1. e4 c5 1-0"),
    ([("Event", "Open B"), ("Site", "Oslo"), ("Date", "2000.01.01"), ("White", "Bert"), ("Black", "Anna"), ("Result", "0-1"),
      ("WhiteElo", "1800"), ("BlackElo", "2700"), ("ECO", "C00a")], "1. e4 e6 0-1"),
    ([("Event", "?"), ("Date", "????.??.??"), ("White", "M\u00fcller"), ("Black", "nAnna"), ("Result", "1/2-1/2"), ("WhiteElo", "0")],
     "1. d4 d5 1/2-1/2"),
    ([("Event", ""), ("White", ""), ("Black", "Anna (2100)"), ("Result", "*"), ("ECO", "x")], "*"),
    ([("White", "Back\\slash"), ("White", "Twice"), ("Black", "  van  Berg, Anna. "), ("Result", "1-0"), ("Date", "2001.13.05")],
     "1. Nf3 0-1"),
    ([], "1. c4 1-0"),
)

# A query and the games that it finds, worked out by hand.
CASES = (
    ('player white "Anna"', [1]), ('player black "Anna"', [2, 3, 4, 5]), ('player "Anna"', [1, 2, 3, 5]), ('player "nAnna"', [2, 3]),
    ('not player "Anna"', [4, 6]), ('player white == "Bert"', [2]), ('player ~~ "^Anna"', [1]), ('player ~~ "Anna$"', [2, 3, 5]),
    ('player ~~ "nB"', [1]), ('player ~~ "t.*A"', [2]), ('player "\\\\"', []), ('player white ~~ "^(A|B)"', [1, 2]),
    ('"m\u00fcller" in lowercase player white', [3]), ('player white "M\u00fcller"', [3]), ('event "Open"', [1, 2]), ('event ~~ "B$"', [2]),
    ('player white ~~ "^M.+ller$"', [3]), ('not player white ~~ "^M.+ller$" result 1/2-1/2', []), ('player white[0:1] == "M"', [3]),
    ('not event', [4]), ('site "Oslo"', [2]), ('site == "?"', [3, 4, 5, 6]), ('date < "2000"', [1]), ('date "??"', "refused"),
    ('year == 2000', [2]), ('year >= 1999', [1, 2, 5]), ('not year', [3, 4, 6]), ('date == "2001.??.??"', [5]), ('result 1-0', [1, 6]),
    ('result 0-1', [2, 5]), ('elo > 2000', [2, 4]), ('elo white >= 1800', [1, 2]), ('not elo', [3, 5, 6]),
    ('elo black == 2100', [4]), ('elo white > elo black', [1]), ('eco', [1, 2]), ('eco ~~ "^B"', [1]), ('eco == "C00a"', [2]),
    ('tag "White" == "Twice"', [5]), ('tag "Black" == "Van Berg, Anna"', []), ('tag "Black" == "Van  Berg, Anna"', [5]),
    ('player white "Anna" or year == 2000', [1, 2]), ('flipcolor { player white "Anna" result 1-0 }', [1, 2, 5]),
    ('if year > 1999 then player white "Bert" else site "Rome"', [1, 2]), ('X = elo white X > 1900', [1]), ('tag "Annotator"', []),
    ('max(elo white elo black) > 2600', [2]), ('year > 1990 ply == 1 btm', [1, 2, 5]), ('true', [1, 2, 3, 4, 5, 6]),
)


def text_of(games, coding):
    parts = []
    for tags, moves in games:
        parts.append("".join('[%s "%s"]\n' % tag for tag in tags) + "\n" + moves + "\n\n")
    return "".join(parts).encode(coding)


def write_games(suite, name, games, coding="utf-8"):
    path = suite.path(name)
    with open(path, "wb") as f:
        f.write(text_of(games, coding))
    return path


def numbers(text):
    return [int(line.split(":")[0]) for line in text.splitlines()]


def studies(suite):
    """Codes and awards of studies, which are parts of Black and Event."""
    pgn = os.path.join(TESTS, "pgn", "studies-tags.pgn")
    database = make(suite, pgn, "studies.cqldb")
    for query, wanted in (("hhdb TT", [1]), ("hhdb MC", [2]), ("not hhdb TT", [2, 3]), ('hhdb "(c)"', [1]), ('hhdb TT event "#34"', [1]), ("hhdb prize", []),
                          ('hhdb MC or event "# 7"', [2, 3])):
        for name in (pgn, database):
            found = numbers(suite.search("-e", query, name, "-q", "-f", "positions").text())
            suite.check("tags: %s in %s" % (query, os.path.basename(name)), found == wanted, "%s, not %s" % (found, wanted))


def run(suite):
    by_hand(suite)
    studies(suite)
    at_random(suite)
    several_queries(suite)
    several_databases(suite)
    without_columns(suite)
    without_results(suite)


def by_hand(suite):
    for coding in ("utf-8", "latin-1")[:suite.size(full=2, quick=2, sanitize=1)]:
        pgn = write_games(suite, "tags-%s.pgn" % coding, GAMES, coding)
        database = make(suite, pgn, "tags-%s.cqldb" % coding)
        for query, wanted in CASES:
            for name in (pgn, database):
                got = suite.search("-e", query, name, "-q", "-f", "positions", "--engine", "interp")
                found = numbers(got.text()) if got.status in (0, 1) else "refused"
                suite.check("tags: %s in %s" % (query, os.path.basename(name)), found == wanted, "%s, not %s" % (found, wanted))
            counts = [suite.search("-e", query, database, "-q", "-f", "count", "--engine", engine, *option).text().strip()
                      for engine, option in (("interp", []), ("tcc", []), ("cc", []), ("tcc", ["--no-prefilter"]))]
            same = wanted == "refused" or counts == [str(len(wanted))] * 4
            suite.check("tags: count of %s" % query, same, str(counts))


# ---- at random ----

NAMES = ("Anna", "Bert", "Berta, C.", "M\u00fcller, J", "\u0141uk", "n", "", "?", "van der Horst, A", "O'Neil,X", "Anna (2400)", "\u00c5se", "a\\nb")


def random_game(rnd):
    tags = []
    for name in ("White", "Black", "Event", "Site"):
        if rnd.random() < 0.9:
            tags.append((name, rnd.choice(NAMES)))
    for name, values in (("Date", ("1999.01.02", "2000.??.??", "????.??.??", "?", "2010.13.40", "1850", "2050.02.03", "2001.2.3")),
                         ("WhiteElo", ("0", "-", "2500", "1999", "5000", "2000")), ("BlackElo", ("0", "2500", "2100", "")),
                         ("ECO", ("B20", "b2", "E99z4", "A00", "F00", "C4")), ("Result", ("1-0", "0-1", "1/2-1/2", "*", "1/2", "?")),
                         ("Round", ("1", "2.3", "?")), ("WhiteRapid", ("1700", "2222"))):
        if rnd.random() < 0.8:
            tags.append((name, rnd.choice(values)))
    if rnd.random() < 0.2 and tags:
        tags.append((rnd.choice(tags)[0], rnd.choice(NAMES + ("2600", "2003.04.05"))))
    if rnd.random() < 0.05:
        tags.append(("FEN", rnd.choice(("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", "nonsense"))))
    if rnd.random() < 0.05:
        tags.append(("Variant", rnd.choice(("Chess", "Atomic"))))
    rnd.shuffle(tags)
    line = rnd.choice(("1. e4 e5 2. Qh5 Nc6", "1. e4 (1. d4 d5) e5", "1. f3 e5 2. g4 Qh4#", "1. e4 {a} e5 2. Kxe9", "", "1. Nf3 Nf6"))
    return tags, line + rnd.choice((" 1-0", " 0-1", " 1/2-1/2", " *", ""))


def random_atom(rnd):
    name = rnd.choice(("A", "B", "n", "\u00fc", "a,", "er", "O", "24", "An", "?"))
    field = rnd.choice(("player white", "player black", "player", "event", "site", "eco", "date"))
    return rnd.choice((
        lambda: '%s "%s"' % (field, name.replace("?", "u")), lambda: '%s ~~ "%s"' % (field, rnd.choice(("^A", "a$", "n[^x]", "A.*B", "^$", "er|An", "nA", "u.?"))),
        lambda: '%s == "%s"' % (field, rnd.choice(NAMES).replace("\\", "\\\\")), lambda: "elo %s %s %d" % (rnd.choice(("", "white", "black")), rnd.choice(("<", ">=", "==")), rnd.choice((1700, 2000, 2500))),
        lambda: "year %s %d" % (rnd.choice(("<", ">", "==")), rnd.choice((1850, 1999, 2001, 2010))), lambda: "elo white > elo black",
        lambda: "result %s" % rnd.choice(("1-0", "0-1", "1/2-1/2")), lambda: 'tag "%s" == "%s"' % (rnd.choice(("White", "Round", "Result", "WhiteElo", "ECO")), rnd.choice(("Anna", "1", "*", "2500", "B20"))),
        lambda: 'date %s "2000"' % rnd.choice(("<", ">=")), lambda: '"a" in lowercase %s' % field, lambda: rnd.choice(("year", "eco", "event", "elo", "check", "ply == 1")),
        lambda: "%s < %s" % (rnd.choice(("player white", "site")), rnd.choice(("player black", "event")))))()


def random_query(rnd, depth=0):
    if depth > 2 or rnd.random() < 0.4:
        return random_atom(rnd)
    a, b = random_query(rnd, depth + 1), random_query(rnd, depth + 1)
    return rnd.choice((lambda: "{%s %s}" % (a, b), lambda: "(%s or %s)" % (a, b), lambda: "not {%s}" % a, lambda: "if {%s} then {%s} else {%s}" % (a, b, random_atom(rnd)),
                       lambda: "flipcolor {%s}" % a, lambda: "{%s or %s}" % (b, a)))()


def at_random(suite):
    seed = int(os.environ.get("CQLGEN_SEED", "1"))
    rnd = random.Random(seed)
    inputs = []
    for i, coding in enumerate(("utf-8", "latin-1")):
        games = [random_game(rnd) for _ in range(400)]
        if coding == "latin-1":
            games = [([(n, v.replace("\u0141", "L")) for n, v in tags], moves) for tags, moves in games]
        pgn = write_games(suite, "random-%d.pgn" % i, games, coding)
        inputs.append((pgn, make(suite, pgn, "random-%d.cqldb" % i)))

    def compare(query):
        header = random.Random(query).choice(("", "cql(result 1-0)", "cql(variations)", "cql(gamenumber 20 300)", "cql(matchcount 2 9)", "cql(matchcount 0)"))
        engine = random.Random(query).choice(("interp", "tcc"))
        for pgn, database in inputs:
            for form in ("positions", "count"):
                options = ["-e", (header + " " + query).strip(), "-q", "-f", form, "--engine", engine, "-j", random.Random(query).choice("127")]
                wanted, got = suite.search(*options, pgn), suite.search(*options, database)
                if (wanted.out, wanted.status) != (got.out, got.status):
                    return "%s as %s: %s %s" % (os.path.basename(database), form, difference(wanted.text(), got.text()), got.errors()[-200:])
        return ""

    queries = [random_query(rnd) for _ in range(suite.size(full=250, quick=30, sanitize=8))]
    for query, why in suite.map(compare, queries):
        suite.check("tags: seed %d: %s" % (seed, query), not why, why)


def several_queries(suite):
    """Each query has candidates of its own; a query that looks at no tags, and one that reports games of another variant."""
    pgn, database = suite.path("random-0.pgn"), suite.path("random-0.cqldb")
    queries = []
    for i, text in enumerate(('player white "A"', "year > 2000 check", "check", "cql(variations) elo > 2000", "cqli year > 1900 check",
                              'message("x") year > 2000', 'year > 1990 message("y") result 1-0', "persistent N=0 N+=1 year > 2000")):
        dialect = ["--cqli"] if text.startswith("cqli ") else []
        query = suite.path("several-%d.cql" % i)
        with open(query, "w", encoding="utf-8") as f:
            f.write(text.replace("cqli ", ""))
        queries.append(query)
        for form in ("count", "pgn", "csv"):
            for options in (["-j", "1"], ["-j", "7"], ["--limit", "5"], ["-g", "10", "60"], ["--no-prefilter"]):
                wanted = suite.search(query, pgn, "-q", "-f", form, *dialect, *options)
                got = suite.search(query, database, "-q", "-f", form, *dialect, *options)
                same = (wanted.out.replace(pgn.encode(), b"") == got.out.replace(database.encode(), b"") and wanted.status == got.status and
                        len(wanted.err.splitlines()) == len(got.err.splitlines()))
                suite.check("tags: %s as %s, %s" % (text, form, " ".join(options)), same,
                            difference(wanted.text(), got.text()) + got.errors()[-200:] + wanted.errors()[-200:])
    wanted = suite.search(*queries[:4], pgn, "-q", "-f", "pgn").out
    suite.check("tags: several queries", suite.search(*queries[:4], database, "-q", "-f", "pgn").out == wanted != b"")


def several_databases(suite):
    """Each database has numbers of its own for names; games are numbered through."""
    stored = []
    for i, names in enumerate((("Anna", "Bert"), ("Cleo", "Anna"), ("Bert", "Dora"), ("Anna",))):
        games = write_games(suite, "several-%d.pgn" % i, [([("Event", name + "'s"), ("White", name), ("Date", "200%d.01.01" % i)], "1. e4 *") for name in names])
        stored.append(suite.path("several-%d.cqldb" % i))
        suite.run([suite.cqlgen, "import", games, "-o", stored[-1], "-q"])
    for query, want in (('player white "Anna"', [1, 4, 7]), ('player white "Bert"', [2, 5]), ('player white "Cleo"', [3]), ('player white "Dora"', [6]),
                        ('event "Bert"', [2, 5]), ('event "Anna" year > 2000', [4, 7]), ('not player white "Anna" not event "Bert"', [3, 6])):
        for engine in ("interp", "tcc"):
            got = numbers(suite.search("-e", query + " initial", *stored, "-q", "-f", "positions", "-j", "1", "--engine", engine).text())
            suite.check("tags: %s in several databases with %s" % (query, engine), got == want, str(got))
    for keys, rows in (("White", ["Anna,3,42.86", "Bert,2,28.57", "Cleo,1,14.29", "Dora,1,14.29"]), ("year", ["2000,2,28.57", "2001,2,28.57", "2002,2,28.57", "2003,1,14.29"])):
        lines = suite.search("-e", "initial", *stored, "-q", "-f", "csv", "--count-by", keys, "--order", "key").text().splitlines()[1:]
        suite.check("tags: groups of several databases by " + keys, [",".join(line.split(",")[:3]) for line in lines] == rows, str(lines))
    samples = [numbers(suite.search("-e", "initial", *inputs, "-q", "-f", "positions", "--sample", "60").text()) for inputs in (stored, [suite.path("several-%d.pgn" % i) for i in range(4)])]
    suite.check("tags: a sample of several databases", samples[0] == samples[1] and 0 < len(samples[0]) < 7, str(samples))


def without_results(suite):
    """Positions are counted by the moves, the result is compared even if its column is damaged."""
    pgn, path, query = os.path.join(EXAMPLES, "games.pgn"), suite.path("results.cqldb"), suite.path("white-wins.cql")
    write(query, "cql(result 1-0)\nPa-h2\n")
    suite.run([suite.cqlgen, "import", pgn, "-o", path, "-q"])
    connection = sqlite3.connect(path)
    connection.execute("UPDATE columns SET result = x'00'")
    connection.commit()
    connection.close()
    got = suite.search(query, path, "-q", "-f", "count", "--engine", "tcc").text().strip()
    suite.check("tags: counts by result", got == str(read(pgn).count('[Result "1-0"]')), got)


def without_columns(suite):
    """Damaged columns and names rule nothing out; `verify` reports them."""
    good = suite.path("random-0.cqldb")
    wanted = suite.search("-e", 'player white "A"', good, "-q", "-f", "positions").out
    for i, sql in enumerate(("UPDATE columns SET white = x'00'", "UPDATE columns SET white = zeroblob(length(white))",
                             "DELETE FROM columns", "UPDATE columns SET player_names = x'0100000001000000410000000000000000'")):
        path = suite.path("columns-%d.cqldb" % i)
        shutil.copy(good, path)
        connection = sqlite3.connect(path)
        connection.executescript(sql)
        connection.commit()
        connection.close()
        got = suite.search("-e", 'player white "A"', path, "-q", "-f", "positions")
        suite.check("tags: after %s" % sql, got.out == wanted != b"" and "columns of chunk 1 are damaged" in got.errors(),
                    difference(wanted.decode(), got.text()) + got.errors()[-200:])
        if "columns" in sql:
            verified = suite.run([suite.cqlgen, "verify", path])
            suite.check("tags: verify after %s" % sql, verified.status != 0 and "columns" in verified.text() + verified.errors(), verified.text())
