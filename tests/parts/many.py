"""Several queries in one search: with --output-dir each file is what its query alone writes, in every format, with any number
of threads, from PGN and from a database; the summary; errors and interruptions, which leave nothing behind."""
import csv
import os
import re
import signal
import subprocess
import time

from parts.harness import EXAMPLES, TESTS, read, write

ENDINGS = {"pgn": ".pgn", "positions": ".txt", "count": ".txt", "jsonl": ".jsonl", "csv": ".csv", "tsv": ".tsv", "fen": ".fen", "html": ".html"}
QUERIES = {
    "mate": 'cql() mate comment("mate at " ply)',
    "copy": 'cql() mate comment("mate at " ply)',  # the same query under another name
    "checks": 'cql(output other.pgn) sort "checks" find all check>=3',
    "most": "cql(sort matchcount 1 100) check",
    "variations": "cql(variations) check wtm",
    "notes": 'cql() check originalcomment "a"',
    "once": "cql(matchcount 1 2) move promote A",
    "some": "cql(gamenumber 5 30) mate lastgamenumber == 30",
    "player": 'cql() player "a" result 1-0 terminal',
    "persistent": "cql() persistent Seen=0 mate Seen+=1",
    "speaks": 'cql() mate message("mate in game " gamenumber)',
    "fails": "cql() gamenumber % 7 == 3 x = ply if ply < 0 y = 1 y > 0",
    "settag": 'cql() stalemate settag("Annotator" "nobody")',
    "never": "cql() false",
    # Their screens are one function.
    "men": "cql() #[Aa] <= 6",
    "pawnless": "cql() #[Pp] == 0 #[Aa] <= 6",
    "ending": "cql() #R == 1 #r == 1 #[QBNqbn] == 0",
    "rook-mate": "cql() mate R attacks k",
    "edge-mate": "cql() mate k & a-h8 R attacks k",
    "repeated": "cql() echo quiet (s t) { s < t distance(s t) > 10 s:A == A s:a == a }",
    "early": "cql() check ply < 15",
}


def made_queries(suite):
    folder = suite.path("queries")
    os.makedirs(folder, exist_ok=True)
    names = []
    for name, text in QUERIES.items():
        write(os.path.join(folder, name + ".cql"), text + "\n")
        names.append(os.path.join(folder, name + ".cql"))
    return names


def stem(query):
    return os.path.basename(query)[:-len(".cql")]


def contents(folder):
    result = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as f:
            result[name] = f.read()
    return result


def alone(suite, query, games, options):
    """What the query alone writes, its messages, its status."""
    output = suite.path("alone-%s-%s" % (stem(query), abs(hash((games, options)))))
    result = suite.search(query, games, "-q", "-o", output, *options)
    with open(output, "rb") as f:
        return f.read(), result


def compare(suite, queries, games, options):
    """The results of one search with all queries and of each alone; returns why they differ."""
    want, statuses = {}, set()
    form = options[options.index("-f") + 1]
    for query in queries:
        want[stem(query) + ENDINGS[form]], result = alone(suite, query, games, options)
        statuses.add(result.status)
    for threads in "127":
        folder = suite.path("found-%s-%s" % (threads, abs(hash((games, options)))))
        result = suite.search(*queries, games, "-q", "--output-dir", folder, "-j", threads, *options)
        if result.status != max(statuses):
            return "status %s, expected %s: %s" % (result.status, max(statuses), result.errors()[:300])
        got = contents(folder)
        if sorted(got) != sorted(want):
            return "files: %s" % ", ".join(got)
        wrong = [name for name in want if want[name] != got[name]]
        if wrong:
            return "%s threads: %s differ" % (threads, ", ".join(wrong))
    return ""


def positions_on_a_page(suite):
    """Every mate is a check: its position counts for both queries, and the page says so."""
    found = {query: suite.search("-q", *query, os.path.join(EXAMPLES, "games.pgn"), "-f", "html").text() for query in (("-e", "mate"), ("-e", "check"), ("-e", "mate", "-e", "check"))}
    count = [int(re.search(r"with (\d+) positions", text).group(1)) for text in found.values()]
    told = [", counted for each query." in text for text in found.values()]
    suite.check("many: the positions on a page", count[0] + count[1] == count[2] and told == [False, False, True], "%s %s" % (count, told))


# Queries in each dialect, with and without a header, variants and variables of the names that the filters below use.
JOINED = {
    "cql6": "cql() flipcolor {N attacks k} x = 1",
    "cqli": "// dialect: cqli\ncql() x = 2  Q attacks a or check",
    "cql5": "// dialect: cql5\ncql() piece $x in [Qq] {attack($x a)}",
    "cql3": "(match (position Kg1 :flipcolor))",
    "negated": "(match (position [Qq]d1) (position :not kg8))",
    "cqls": "; CQL 1.0\n(match :forany x [Qq] (position :attackcount $x A 2))",
    "sorted": 'cql() sort "key" ply check',
    "path": "cql() path -- check --",
}
FILTERS = ['player "Lasker" or player "Anderssen"', "x=ply x>20 wtm", "flipcolor {R attacks Q or Q attacks r} result 1-0", "piece $x in N $x attacks a-h5-8"]


def found(result):
    return {(line.split(":")[0], place) for line in result.text().splitlines() for place in line.split(":")[1].split()}


def joined(suite):
    """--where joins a filter to each query: positions match both. The names are shared in CQL 6.2 and CQLi, other ones elsewhere."""
    games = os.path.join(EXAMPLES, "games.pgn")
    files = []
    for name, text in JOINED.items():
        files.append(suite.path("joined-%s.cql" % name))
        write(files[-1], text + "\n")
    alone = {words: found(suite.search(*words, games, "-q", "-f", "positions")) for words in [(f,) for f in files] + [("--dialect", "cql6", "-e", w) for w in FILTERS]}
    some = 0
    for query in files:
        for number, where in enumerate(FILTERS):
            if "sorted" in query and number == 1:
                continue
            want = alone[(query,)] & alone[("--dialect", "cql6", "-e", where)]
            for engine in ("interp", "tcc") if number else ("cc",):
                result = suite.search(query, games, "--where", where, "-q", "-f", "positions", "--engine", engine)
                suite.check("many: --where %s with %s, %s" % (where, os.path.basename(query), engine), result.status == 0 and found(result) == want, result.errors() or "%d of %d" % (len(found(result)), len(want)))
            some += bool(want)
    suite.check("many: queries with --where find something", some > 15, str(some))
    both = [files[0], files[3], "--where", FILTERS[0], games, "-q", "-f", "positions"]
    names = {line.split("\t")[0] for line in suite.search(*both).text().splitlines()}
    suite.check("many: --where joins each of several queries", names == {files[0], files[3]}, str(names))
    suite.ends("many: --where and an example", suite.search("--example", "fork", "--where", 'player "Anderssen"', games, "-q", "-f", "positions"), 0, "3: 32\n")
    suite.ends("many: --where and groups", suite.search("-e", "mate", "--where", "ply > 30 x = ply/10*10", games, "-q", "--count-by", "x", "-f", "csv"), 0,
               "x,games,percent,white,draws,black\r\n30,2,40.00,2,0,0\r\n40,2,40.00,2,0,0\r\n80,1,20.00,0,0,1\r\n")
    converted, text = suite.path("joined-converted.cql"), suite.run([suite.cqlgen, "convert", files[2], "--where", FILTERS[1]]).text()
    write(converted, text)
    suite.check("many: --where is converted", found(suite.search(converted, games, "-q", "-f", "positions")) == alone[(files[2],)] & alone[("--dialect", "cql6", "-e", FILTERS[1])]
                and "x > 20" in text, text)
    suite.check("many: --where is explained", "Lasker" in suite.run([suite.cqlgen, "explain", files[3], "--where", FILTERS[0]]).text())
    matcher = suite.path("joined.so")
    suite.run([suite.cqlgen, files[0], "--where", FILTERS[0], "-o", matcher])
    suite.check("many: --where is compiled", found(suite.search(matcher, games, "-q", "-f", "positions")) == alone[(files[0],)] & alone[("--dialect", "cql6", "-e", FILTERS[0])])
    suite.ends("many: --where and a matcher", suite.search(matcher, games, "--where", "check"), 2, err="--where needs the text of the query; name it instead of a compiled matcher")
    for query in (["-e", "mate"], [files[1]], [files[2]], [files[3]]):
        for where, place in (("wtm chek", "1:5"), ("wtm\n  matte", "2:3"), ('player "x', "1:8"), ("", "1:1"), ("flipcolor {", "1:11")):
            result = suite.search(*query, games, "--where", where, "-q", "--count-by", "ply" if query != [files[2]] and query != [files[3]] else "year")
            suite.ends("many: a mistake in --where %r of %s" % (where, query), result, 2, err="--where:%s: error: " % place)
    suite.ends("many: a mistake beside --where", suite.search("-e", "chek", games, "--where", "wtm", "--count-by", "plie"), 2, err="-e:1:1: error: unknown name `chek`")
    suite.ends("many: a key beside --where", suite.search("-e", "check", games, "--where", "wtm", "--count-by", "plie+1"), 2, err="--count-by:1:1: error: unknown name `plie`")
    parts = [suite.path("joined-%d.part" % k) for k in (1, 2, 3)]
    for part, number, where in zip(parts, "122", (FILTERS[0], FILTERS[0], FILTERS[1])):
        suite.search(*both[:3], where, games, "-q", "--part", number + "/2", "-o", part)
    suite.ends("many: parts with --where", suite.run([suite.cqlgen, "merge", parts[0], parts[1], "-q"]), 0, suite.search(*both[:-2]).text())
    suite.ends("many: parts with other filters", suite.run([suite.cqlgen, "merge", parts[0], parts[2], "-q"]), 3, err="not parts of one search")


def run(suite):
    positions_on_a_page(suite)
    text = "\n\n".join(read(os.path.join(EXAMPLES, f)).strip() for f in ("games.pgn", "studies.pgn"))
    games = suite.path("many-queries.pgn")
    write(games, (text + "\n\n") * suite.size(full=20, quick=10, sanitize=3) + "1. e4 e5 2. Ke3 *\n\n")
    stored = suite.path("many-queries.cqldb")
    suite.check("many: import", suite.run([suite.cqlgen, "import", games, "-o", stored, "-q"]).status == 0)
    queries = made_queries(suite)
    joined(suite)
    work = [(source, ("-f", form, "--engine", "tcc") + extra) for source in (games, stored) for form in ENDINGS
            for extra in ((), ("-n", "7")) if not extra or suite.full or form in ("pgn", "count", "html")]
    work += [(source, ("-f", "positions", "--engine", "cc")) for source in (games, stored)]
    for (source, options), why in suite.map(lambda item: compare(suite, queries, *item), work):
        suite.check("many %s %s" % (os.path.basename(source), " ".join(options)), not why, why)
    texts(suite, queries, games)
    failures(suite)
    summary(suite, queries, games)
    formulas(suite)
    mistakes(suite, queries, games)
    unchanged(suite, queries, games)
    interrupted(suite, queries, games)
    numbers(suite)


def numbers(suite):
    """Which games tags, moves and evaluation rule out: of three games the first has a rating, the second begins with a FEN, so that
    its moves rule nothing out, and the third has no check."""
    games, database = os.path.join(TESTS, "golden", "text", "games.pgn"), suite.path("numbers.cqldb")
    suite.run([suite.cqlgen, "import", games, "-o", database, "-q"])
    for source in (games, database):
        result = suite.search("-e", "elo white > 2000 mate", "-e", "Ka1", "-e", "check", source, "-f", "none", "--stats", "-q", "--engine", "tcc")
        suite.check("many: --stats, " + os.path.basename(source), result.errors().split("\n") == [
            "   by tags   by moves  evaluated   matching  query",
            "         2          0          1          1  -e1",
            "         0          2          1          0  -e2",
            "         0          1          2          2  -e3", ""], result.errors())


def texts(suite, queries, games):
    """Messages and errors come in the order of the games, those of the queries one after the other; damage comes once."""
    player, speaks, fails = (q for q in queries if stem(q) in ("player", "speaks", "fails"))
    for extra in ((), ("-n", "3")):
        outputs = set()
        for threads in "127":
            result = suite.search(speaks, fails, player, games, "-q", "-j", threads, "--output-dir", suite.path("texts"), *extra)
            outputs.add((result.out, result.err))
        suite.check("many: messages do not depend on threads %s" % (extra,), len(outputs) == 1)
        single = suite.search(speaks, games, "-q", "-o", suite.path("x.pgn"), *extra)
        suite.check("many: messages are those of the query", result.out == single.out and single.out.count(b"\n") > 2, result.text()[:300])
        if not extra:
            suite.check("many: damage is reported once", result.errors().count("illegal") == 1, result.errors()[-300:])
        single = suite.search(fails, games, "-q", "-o", suite.path("x.pgn"), *extra)
        of_query = [line for line in result.err.split(b"\n") if b"fails.cql" in line]
        want = [line for line in single.err.split(b"\n") if b"fails.cql" in line]
        suite.check("many: errors are those of the query", of_query == want, "%d, expected %d" % (len(of_query), len(want)))


def failures(suite):
    """A game in which several queries fail counts once."""
    queries = [suite.path("fails-%d.cql" % n) for n in (0, 8)]
    for query, least in zip(queries, "08"):
        write(query, "; dialect: cqli\nassert #P < %s\n" % least)
    games = os.path.join(EXAMPLES, "games.pgn")
    for options in (["-f", "count"], ["--output-dir", suite.path("failures")], ["--output-dir", suite.path("failures"), "-j", "3", "-n", "2"]):
        result = suite.search(*queries, games, *options)
        wanted = "the query failed in %d games\n" % read(games).count("[White ")
        suite.check("many: games in which several queries fail, %s" % " ".join(o for o in options if o != suite.path("failures")), result.status == 4 and wanted in result.errors(), result.errors()[-200:])


def rows(text):
    return list(csv.reader(text.split("\r\n")[:-1]))


def summary(suite, queries, games):
    name = os.path.join(suite.path("queries"), 'odd, "name".cql')
    write(name, "cql() check\n")
    table = suite.path("summary.csv")
    for options in (["--output-dir", suite.path("summary")], ["-o", suite.path("together.pgn")], ["-f", "none", "-j", "1"]):
        result = suite.search(*queries, name, games, "-q", "--summary", table, *options)
        with open(table, newline="") as f:
            got = rows(f.read())
        suite.check("many: summary, head", got[0] == ["query", "games", "positions", "time_share"], str(got[:2]))
        suite.check("many: summary, names", [row[0] for row in got[1:]] == queries + [name])
        share = sum(float(row[3]) for row in got[1:])
        suite.check("many: summary, time", abs(share - 1) < 0.01, str(share))
        want = []
        for query in queries + [name]:
            counted = suite.search(query, games, "-q", "-f", "positions").text().split("\n")[:-1]
            want.append([str(len(counted)), str(sum(len(line.split()) - 1 for line in counted))])
        suite.check("many: summary, counts", [row[1:3] for row in got[1:]] == want, str([(a[0], a[1:3], b) for a, b in zip(got[1:], want) if a[1:3] != b]))
    result = suite.search("-e", "mate", "-e", "check", games, "-f", "count")
    lines = [line.split() for line in result.errors().split("\n")]
    head = lines.index(["games", "positions", "time", "query"])
    suite.check("many: table on standard error", [line[-1] for line in lines[head + 1:head + 3]] == ["-e1", "-e2"], result.errors())
    one = suite.search("-e", "mate", games, "-q", "--summary", "-", "-f", "none").text()
    suite.check("many: summary of one query", rows(one)[1][0] == "-e" and rows(one)[1][3] == "1.0000", one)


def formulas(suite):
    """With --csv-safe no text of a table begins a formula; numbers and other formats stay as they are."""
    games, query = suite.path("formulas.pgn"), suite.path("=1+1.cql")
    write(games, '[Event "=HYPERLINK(x,1)"]\n[White "@sum"]\n[Black "+x"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# { [%eval #-1] } 0-1\n')
    folder, name = os.path.split(query)
    write(query, "cql() mate\n")
    def table(*arguments, ending="\r\n"):
        return suite.run([suite.cqlgen, "search", name, "-e", "mate", games, "-q", *arguments], cwd=folder).text()
    fields = ["--fields", "query,White,Black,Event,eval,Result"]
    got = {safe: table("-f", "csv", *fields, *safe) for safe in ((), ("--csv-safe",))}
    suite.check("many: formulas of csv", rows(got["--csv-safe",])[1][:4] == ["'=1+1.cql", "'@sum", "'+x", "'=HYPERLINK(x,1)"], repr(got))
    suite.check("many: csv as it is", rows(got[()])[1][:4] == ["=1+1.cql", "@sum", "+x", "=HYPERLINK(x,1)"], repr(got))
    suite.check("many: numbers of csv", rows(got["--csv-safe",])[1][4:] == rows(got[()])[1][4:] and rows(got[()])[1][4].startswith("-"), repr(got))
    tsv = table("-f", "tsv", *fields, "--csv-safe").split("\n")[1].split("\t")
    suite.check("many: formulas of tsv", tsv[:3] == ["'=1+1.cql", "'@sum", "'+x"], repr(tsv))
    groups = rows(table("-f", "csv", "--count-by", "White", "--csv-safe"))
    suite.check("many: formulas of groups", groups[1][:2] == ["'=1+1.cql", "'@sum"] and groups[2][:2] == ["'-e", "'@sum"], repr(groups))
    said = rows(table("-f", "none", "--summary", "-", "--csv-safe"))
    suite.check("many: formulas of the summary", [row[0] for row in said[1:]] == ["'=1+1.cql", "'-e"], repr(said))
    parts = [suite.path("formulas-%d.part" % k) for k in (1, 2)]
    for k, part in enumerate(parts, 1):
        table("-f", "csv", "--count-by", "White", "--csv-safe", "--part", "%d/2" % k, "-o", part)
    merged = rows(suite.run([suite.cqlgen, "merge", *parts, "-q"]).text())
    suite.check("many: formulas of merged groups", merged == groups, repr(merged))
    said = rows(suite.run([suite.cqlgen, "bench", name, games, "-f", "csv", "--csv-safe", "--rounds", "1", "--engines", "interp", "-q", "--no-database"], cwd=folder).text())
    suite.check("many: formulas of a benchmark", said[1][0] == "'=1+1.cql", repr(said))


def mistakes(suite, queries, games):
    """Each mistake has a message, and nothing is written."""
    mate = queries[0]
    other = suite.path("other")
    os.makedirs(other, exist_ok=True)
    write(os.path.join(other, "mate.cql"), "cql() check\n")
    target = suite.path("not/there")
    blocked = suite.path("blocked")
    write(blocked, "a file\n")
    wrong = [
        ("the same name twice", [mate, os.path.join(other, "mate.cql"), games, "--output-dir", target], 2,
         "would both go to %s/mate.pgn" % target),
        ("a file where the folder goes", [mate, games, "--output-dir", os.path.join(blocked, "found")], 5, "cannot make the folder"),
        ("a file of the name of the folder", [mate, games, "--output-dir", blocked], 5, "cannot make the folder"),
        ("no format", [mate, games, "--output-dir", target, "-f", "none"], 2, "the format none"),
        ("two outputs", [mate, games, "--output-dir", target, "-o", "x.pgn"], 2, "--output-dir"),
        ("summary over a result", [mate, games, "--output-dir", target, "--summary", target + "/mate.pgn"], 2, "both the output and"),
        ("summary over an input", [mate, games, "--output-dir", target, "--summary", games], 2, "both an input and"),
        ("summary nowhere", [mate, games, "--output-dir", target, "--summary", target + "/a/b.csv"], 5, "cannot write"),
        ("a bad query", [mate, "-e", "chek", games, "--output-dir", target], 2, "unknown name"),
    ]
    for name, arguments, status, message in wrong:
        suite.ends("many: " + name, suite.search(*arguments), status, err=message)
        suite.check("many: %s writes nothing" % name, not os.path.exists(target), target)
    here = suite.path("inputs")
    os.makedirs(here, exist_ok=True)
    write(os.path.join(here, "mate.pgn"), read(games))
    result = suite.search(*queries, os.path.join(here, "mate.pgn"), "--output-dir", here)
    suite.check("many: a result over an input", result.status == 2 and "both an input and the output" in result.errors(), result.errors()[:300])
    suite.check("many: the input is as before", list(contents(here)) == ["mate.pgn"] and read(os.path.join(here, "mate.pgn")) == read(games))


def unchanged(suite, queries, games):
    """Files that exist are replaced; an unreadable game file leaves the results of the rest; expressions have names."""
    folder = suite.path("replaced")
    os.makedirs(folder, exist_ok=True)
    write(os.path.join(folder, "mate.pgn"), "old")
    write(os.path.join(folder, "more.pgn"), "kept")
    result = suite.search(queries[0], suite.path("missing.pgn"), games, "-q", "--output-dir", folder)
    got = contents(folder)
    suite.check("many: files are replaced", result.status == 3 and got["mate.pgn"].startswith(b"[") and got["more.pgn"] == b"kept" and len(got) == 2)
    folder = suite.path("expressions")
    result = suite.search("-e", "mate", "-e", "check", games, "-q", "--output-dir", folder + "/", "-f", "fen")
    suite.check("many: names of expressions", sorted(contents(folder)) == ["e1.fen", "e2.fen"], result.errors())
    many = []
    for i in range(300):
        many += ["-e", "ply == %d" % i]
    result = suite.run(["sh", "-c", 'ulimit -Sn 100; exec "$@"', "sh", suite.cqlgen, "search", *many, games, "-q", "--engine", "interp",
                        "--output-dir", suite.path("hundreds")])
    suite.check("many: more results than open files", result.status == 0 and len(os.listdir(suite.path("hundreds"))) == 300, result.errors()[:300])


def interrupted(suite, queries, games):
    """A signal, and an output that cannot be written, leave nothing."""
    for number in (signal.SIGINT, signal.SIGTERM):
        folder = suite.path("interrupted")
        pipe = suite.path("pipe-%d.pgn" % number)
        os.mkfifo(pipe)
        process = subprocess.Popen([suite.cqlgen, "search", *queries, pipe, "--output-dir", folder, "--summary", suite.path("none.csv")],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=suite.environment)
        with open(pipe, "w") as f:
            f.write(read(games))
            f.flush()
            end = time.time() + 60
            while not os.path.isdir(folder) and time.time() < end:
                time.sleep(0.01)
            time.sleep(0.2)
            process.send_signal(number)
            errors = process.communicate(timeout=60)[1].decode()
        suite.check("many: interrupted", process.returncode == -number and "nothing was written" in errors, "%s %s" % (process.returncode, errors[:300]))
        suite.check("many: nothing remains", not os.path.exists(folder) and not os.path.exists(suite.path("none.csv")))
    folder = suite.path("full")
    os.makedirs(folder, exist_ok=True)
    os.symlink("/dev/full", os.path.join(folder, "variations.pgn"))
    suite.ends("many: a full disk", suite.search(*queries, games, "-q", "--output-dir", folder), 5, err="No space left")
    suite.check("many: a full disk leaves nothing", os.listdir(folder) == ["variations.pgn"], str(os.listdir(folder)))
