"""The benchmark works: over a few games it prints all tables, and its chart is an XML document. The command
`cqlgen bench` compares what it is given, reports what is wrong, and leaves nothing behind. No time is asserted."""
import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

from parts.commands import expect, refuse
from parts.harness import EXAMPLES, TESTS, read, write

COMMAND = [sys.executable, os.path.join(TESTS, "bench", "bench.py")]


def bench(suite, *arguments):
    return suite.run([*COMMAND, "--out", suite.out, "--quick", *arguments], timeout=300)


def tables(suite, games):
    """Each part has a table, and a ratio for each column where there are two programs."""
    picture = suite.path("replay.svg")
    small = ["--rounds", "1", "--sample"]
    for part, titles, columns in (("replay", 1, 4), ("rare", 1, 3), ("queries", 2, 2), ("files", 2, 3), ("filters", 1, 4)):
        result = bench(suite, *small, "1", "--megabytes", "5" if part == "rare" else "0.1", "--part", part, "--svg", picture, games)
        lines = re.findall(r"^((?: +(?:-|[0-9.]+)){%d})  \S" % columns, result.text(), re.M)
        suite.check("bench: part " + part, result.status == 0 and len(lines) == titles and result.text().count(", over the bare loop\n") == titles,
                    result.text()[-500:] + result.errors()[-500:])
        if part == "rare":
            suite.check("bench: a rate", lines[0].split()[1] not in ("-", "0.00"), result.text()[-500:])
    suite.check("bench: chart", xml.etree.ElementTree.fromstring(read(picture)).tag.endswith("svg"))
    result = bench(suite, *small, "2", "--megabytes", "0.1", "--part", "queries", "--previous", suite.cqlgen, games)
    head = [line.split() for line in result.text().split("\n") if "x cc" in line]
    suite.check("bench: --previous", result.status == 0 and head == [["cc", "x", "bare", "x", "cc"]] * 2 and result.text().count("geometric mean") == 2,
                result.text()[-500:] + result.errors()[-500:])


def mistakes(suite, games):
    suite.check("bench: no games", bench(suite, os.path.join(TESTS, "README.md")).status == 1)
    suite.check("bench: no file", bench(suite, games + "x").status == 1)
    suite.check("bench: a part that does not exist", bench(suite, "--part", "dance", games).status == 2)


# ---- cqlgen bench ---------------------------------------------------------------------------------------------


GAMES = os.path.join(EXAMPLES, "games.pgn")
QUERIES = [os.path.join(EXAMPLES, name) for name in ("smothered-mate.cql", "stalemate.cql")]
SMALL = ["--rounds", "1", "--seconds", "0.01"]


def command(suite, *arguments, **options):
    """`cqlgen bench` with a folder of its own for temporary files, which must be empty afterwards."""
    folder = suite.path("bench-temporary")
    os.makedirs(folder, exist_ok=True)
    result = suite.run([suite.cqlgen, "bench", *([] if "--seconds" in arguments else SMALL), *arguments], environment={"TMPDIR": folder}, **options)
    suite.check("cqlgen bench %s: nothing is left" % " ".join(arguments)[-100:], not os.listdir(folder), str(os.listdir(folder)))
    shutil.rmtree(folder)
    return result


def script(suite, name, text):
    path = suite.path(name)
    write(path, "#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


def reports(suite):
    """The rows of each form are the product of queries, sources, threads and engines."""
    picture, table = suite.path("bench.svg"), suite.path("bench.csv")
    result = command(suite, *QUERIES, GAMES, "-j", "1,2", "--engines", "interp,tcc,auto-cold", "-f", "json", "--svg", picture)
    if not expect(suite, "bench -f json", result, 0, None, ""):
        return
    found = json.loads(result.text())["rows"]
    keys = [(row["query"], row["source"], row["threads"], row["program"]) for row in found]
    wanted = [(q, s, t, e) for q in QUERIES for s in ("pgn", "database") for t in (1, 2) for e in ("interp", "tcc", "auto-cold")]
    suite.check("bench: the rows", keys == wanted, str(keys)[:1000])
    games = read(GAMES).count("[Event ")
    suite.check("bench: games, positions", {(r["games"], r["input"], r["problem"], r["differs"]) for r in found} == {(games, GAMES, None, False)} and
                all(r["positions"] > games and r["least"] == r["seconds"] == r["most"] > 0 and r["processor"] > 0 and r["memory"] > 0 and r["runs"] == 1 and
                    0 < r["compile"] < 60 for r in found))
    for query in QUERIES:
        count = int(suite.search(query, GAMES, "-q", "-f", "count").text())
        suite.check("bench: games found by " + query, {r["matches"] for r in found if r["query"] == query} == {count})
    root = xml.etree.ElementTree.fromstring(read(picture))
    suite.check("bench: a bar for each row", len(root.findall("{*}rect")) == len(found))
    result = command(suite, "-e", 'event "a, b"', "-e", "stalemate", GAMES, "--no-database", "--engines", "interp", "-o", table)
    expect(suite, "bench -o bench.csv", result, 0, "", "")
    lines = list(csv.DictReader(io.StringIO(read(table))))
    suite.check("bench: csv", [(r["query"], r["source"], r["program"], r["problem"]) for r in lines] ==
                [(q, "pgn", "interp", "") for q in ('event "a, b"', "stalemate")], str(lines))
    database = suite.path("bench.cqldb")
    suite.run([suite.cqlgen, "import", GAMES, "-o", database, "-q"])
    result = command(suite, "-e", "mate", database, "--engines", "tcc,cc,cc-cold")
    expect(suite, "bench of a database", result, 0, None, "")
    suite.check("bench: a database is used as it is", "PGN" not in result.text() and "database, 1 thread   cc-cold" in result.text(), result.text())


def rivals(suite):
    """Other programs: the same games, other ones, none that can be counted, failures; names that a shell would misread."""
    strange = suite.path("ga'mes $(touch broken) ; \"x\".pgn")
    shutil.copy(GAMES, strange)
    search = 'cqlgen search "$2" "$1" -q'
    good, bad = script(suite, "good", search + ' -o "$3"'), script(suite, "bad", 'head -c 275 "$1" >"$3"')
    number, text = script(suite, "number", search + " -f count"), script(suite, "text", search)
    silent, failing = script(suite, "silent", "echo done"), script(suite, "failing", "echo it is broken >&2; exit 3")
    mates = int(suite.search("-e", "mate", GAMES, "-q", "-f", "count").text())
    own = ["-e", "mate", strange, "--engines", "interp", "--no-database"]
    result = command(suite, *own, "--against", good + " {games} {query} {out}", "--against", number + " {games} {query}",
                     "--against", "other=%s {games} {query}" % text, "--against", silent + " {games}")
    expect(suite, "bench with other programs", result, 0, None, "")
    for line in ("good: counted the games in {out}", "number: took the number on standard output", "other: counted the games on standard output",
                 "silent: the games that it finds could not be counted"):
        suite.check("bench: " + line, line in result.text(), result.text())
    suite.check("bench: names are not commands", not os.path.exists("broken") and not os.path.exists(suite.path("broken")))
    result = command(suite, *own, "--against", bad + " {games} {query} {out}", "--against", failing + " {games}",
                     "--against", "none=/nonexistent/program {games}", "-f", "json")
    expect(suite, "bench with wrong programs", result, 1, None, "bad: finds 1 games, but interp finds %d" % mates)
    for message in ("failing: failed: status 3: it is broken", "none: failed: cannot run /nonexistent/program: No such file"):
        suite.check("bench: " + message, message in result.errors(), result.errors())
    found = {row["program"]: row for row in json.loads(result.text())["rows"]}
    suite.check("bench: the rest is measured", found["interp"]["runs"] == 1 and found["bad"]["differs"] and "seconds" not in found["failing"], str(found))
    # A number alone, whatever blanks are around it, is that of games; a file that is not written has none.
    padded, more, empty, two = (script(suite, name, text) for name, text in (
        ("padded", "printf ' \\n\\t%d \\n'" % mates), ("more", "echo %d games" % mates), ("empty", ":"), ("two", "echo %d %d" % (mates, mates))))
    result = command(suite, *own, *(word for name in (padded, more, empty, two) for word in ("--against", name + " {games}")), "--against",
                     good + " {games} {query} {out}", "--against", "gone=%s {games} {out}" % empty)
    expect(suite, "bench with programs that print numbers", result, 1, None, "gone: finds 0 games, but interp finds %d" % mates)
    for line in ("padded: took the number on standard output", "gone: counted the games in {out}", *("%s: the games that it finds could not be counted" % n for n in ("more", "empty", "two"))):
        suite.check("bench: " + line, line in result.text(), result.text())
    # Another program has an empty input and the usual signals, though this one ignores some.
    reader = script(suite, "reader", 'read line; echo "${line:-%d}"' % mates)
    ends = {number: script(suite, "ends-%d" % number, "kill -%d $$; sleep 0.1; exit 3" % number) for number in (1, 2, 13, 15, 25)}
    result = command(suite, *own, "--against", reader + " {games}", *(word for path in ends.values() for word in ("--against", path + " {games}")), stdin=b"7\n" * 100)
    expect(suite, "bench with programs that a signal ends", result, 1, None, "ends-1: failed")
    suite.check("bench: an empty input", "reader: took the number on standard output" in result.text() and "reader: finds" not in result.errors(), result.errors())
    for number in ends:
        suite.check("bench: ended by signal %d" % number, "ends-%d: failed: signal %d, without a message\n" % (number, number) in result.errors(), result.errors())
    result = command(suite, "-e", "mate", GAMES, "--engines", "interp", "-j", "1,2", "-f", "json", "--against", "data=cqlgen search {query} {database} -f count -q -j "
                     "{threads}")
    expect(suite, "bench with {database} and {threads}", result, 0, None, "")
    suite.check("bench: rows of {database}", [(r["source"], r["threads"]) for r in json.loads(result.text())["rows"] if r["program"] == "data"] ==
                [("database", 1), ("database", 2)])


def turns(suite):
    """A round to warm up and the others, as far as the time goes; a compiler for each cold run, and one for all warm ones."""
    calls, compiled = suite.path("bench-calls"), suite.path("bench-compiled")
    quick = script(suite, "quick", 'echo "${1##*/}" >>%s; echo 1' % calls)
    compiler = script(suite, "compiler", 'echo >>%s; exec cc "$@"' % compiled)
    own = ["-e", "mate", GAMES, "--no-database", "-f", "json"]

    def called(name, *arguments, runs, rounds):
        result = command(suite, *own, "--engines", "interp", "--against", quick + " {games}", *arguments)
        expect(suite, "bench, " + name, result, 1, None, "quick: finds 1 games")
        rows = json.loads(result.text())["rows"]
        suite.check("bench, %s: the times of runs" % name, all(0 < row["least"] <= row["seconds"] <= row["most"] < 60 for row in rows), str(rows))
        found = [row["runs"] for row in rows]
        lines = read(calls).split("\n") if os.path.exists(calls) else []
        suite.check("bench, %s: runs" % name, found == [runs, runs] and lines.count("games.pgn") == rounds and lines.count("empty.pgn") == rounds,
                    "%s %s" % (found, lines))
        os.remove(calls)
    threads = script(suite, "threads", 'echo "${1##*/} $2" >>%s; echo 2' % calls)
    expect(suite, "bench with numbers of threads", command(suite, *own, "--engines", "interp", "-j", "2,3", "--rounds", "1", "--seconds", "1000", "--against",
                                                           threads + " {games} {threads}"), 1, None, "threads: finds 2 games")
    suite.check("bench: over no games with one thread", read(calls).split("\n") == ["empty.pgn 1", "games.pgn 2", "games.pgn 3"] * 2 + [""], read(calls))
    os.remove(calls)
    called("three rounds", "--rounds", "3", "--seconds", "1000", runs=3, rounds=4)
    called("the usual rounds", "--seconds", "1000", runs=5, rounds=6)
    called("no time for another round", "--rounds", "3", "--seconds", "0.000001", runs=1, rounds=1)
    environment = {"CC": compiler, "TMPDIR": suite.path("bench-compilers")}
    os.mkdir(environment["TMPDIR"])
    result = suite.run([suite.cqlgen, "bench", *own, "--engines", "cc,cc-cold", "--rounds", "1", "--seconds", "1000"], environment=environment)
    row = {r["program"]: r for r in json.loads(result.text())["rows"]}
    suite.check("bench: a compiler for each cold run", read(compiled).count("\n") == 1 + 2 * 2, read(compiled))
    suite.check("bench: the time to compile", row["cc-cold"]["compile"] > 2 * row["cc"]["compile"] > 0, str(row))
    suite.check("bench: memory and processor time", all(1 << 20 < r["memory"] < 1 << 30 and 0 < r["processor"] < 60 for r in row.values()), str(row))


def forms(suite):
    """Names that look like options or lists, the format by the name of the file, lists that are too long."""
    only = ["--engines", "interp", "--no-database"]
    folder = suite.path("bench-names")
    os.mkdir(folder)
    for name in ("-games.pgn", "@games.pgn"):
        shutil.copy(GAMES, os.path.join(folder, name))
        write(os.path.join(folder, "list"), name + "\n")
        result = command(suite, "-e", "mate", "--engines", "interp", "-f", "csv", "--against", "cat=cat {games}", "@list", cwd=folder)
        expect(suite, "bench of " + name, result, 1, None, "cat: finds")  # all games, not only those with a mate
        suite.check("bench: rows of " + name, [line.split(",")[2:4] for line in result.text().split("\r\n")[1:4]] ==
                    [["pgn", "interp"], ["pgn", "cat"], ["database", "interp"]], result.text())
    for ending, begins in (("json", '{"version":1'), ("svg", "<svg"), ("csv", "query,input"), ("txt", "mate, ")):
        path = suite.path("bench-form." + ending)
        expect(suite, "bench -o .%s" % ending, command(suite, "-e", "mate", GAMES, *only, "-o", path), 0, "", "")
        suite.check("bench: the form of .%s" % ending, read(path).startswith(begins), read(path)[:200])
        expect(suite, "bench -f text -o .%s" % ending, command(suite, "-e", "mate", GAMES, *only, "-f", "text", "-o", path), 0, "", "")
        suite.check("bench: text in .%s" % ending, read(path).startswith("mate, "), read(path)[:200])
    shown = script(suite, "shown", 'cat "$1" >&2; exit 1')
    result = command(suite, "-e", "mate // a comment", GAMES, *only, "--against", shown + " {query} {games}")
    suite.check("bench: another program reads the query", "status 1: mate // a comment" in result.errors(), result.errors())
    result = command(suite, "--example", "stalemate", GAMES, *only, "--against", shown + " {query} {games}")
    suite.check("bench: another program reads an example", "status 1: " + read(QUERIES[1]).rstrip().split("\n")[-1] in result.errors(), result.errors())
    own = ["bench", "-e", "mate", GAMES]
    for name, arguments, message in (
            ("17 engines", ["--engines", ",".join(["tcc"] * 17)], "--engines"), ("an empty list of engines", ["--engines", ""], "--engines"),
            ("17 numbers of threads", ["-j", ",".join(["1"] * 17)], "not `1,1"), ("threads with letters", ["-j", "1x"], "not `1x`"),
            ("negative time", ["--seconds", "-1"], "not `-1`"), ("time with letters", ["--seconds", "1s"], "not `1s`"),
            ("too much time", ["--seconds", "1e9"], "not `1e9`"), ("a chart that is an input", ["--svg", GAMES], "both an input and the output")):
        refuse(suite, "bench with " + name, [*own, *arguments], message)
    result = command(suite, "-e", "mate", GAMES, "--engines", ",".join(["interp"] * 16), "-j", "1024", "--no-database", "-f", "csv")
    expect(suite, "bench with 16 engines", result, 0, None, "")
    suite.check("bench: 16 engines", result.text().count("\nmate,") == 16, result.text())
    empty = suite.path("nothing.pgn")
    write(empty, "")
    expect(suite, "bench of a file without games", command(suite, "-e", "mate", empty, *only), 3, "", "nothing.pgn: ")


def command_mistakes(suite):
    own = ["-e", "mate", GAMES]
    for name, arguments, message in (
            ("an unknown placeholder", [*own, "--against", "cql {games} {outt}"], "unknown placeholder `{outt}`"),
            ("a placeholder in a text for a shell", [*own, "--against", "sh -c 'cql <{games}'"], "part of a text for a shell"),
            ("a program twice", [*own, "--against", "cql {games}", "--against", "cql -x {games}"], "--against 'NAME=cql -x {games}'"),
            ("an unknown engine", [*own, "--engines", "tcc,jit"], "unknown engine `jit`"),
            ("no engine", [*own, "--engines", ","], "--engines"), ("no thread", [*own, "-j", "1,0"], "not `1,0`"),
            ("too many threads", [*own, "-j", "1025"], "not `1025`"),
            ("no time", [*own, "--seconds", "0"], "--seconds"), ("no games", ["-e", "mate"], "cqlgen bench QUERY.cql"),
            ("no query", [GAMES], "cqlgen bench QUERY.cql"), ("the input as output", [*own, "-o", GAMES], "both an input and the output")):
        refuse(suite, "bench with " + name, ["bench", *arguments], message)
    only = ["--engines", "interp", "--no-database", "-f", "csv"]
    result = command(suite, "missing.cql", QUERIES[0], GAMES, *only)
    expect(suite, "bench with a missing query", result, 2, None, "missing.cql: not measured")
    suite.check("bench: the other query is measured", "smothered-mate.cql,%s,pgn,interp" % GAMES in result.text(), result.text())
    result = command(suite, "-e", "mate mate)", "-e", "check", GAMES, *only)
    expect(suite, "bench with a wrong query", result, 2, None, "error:")
    suite.check("bench: the other filters are measured", "\ncheck,%s,pgn,interp" % GAMES in result.text(), result.text())
    result = command(suite, "-e", "mate", "missing.pgn", GAMES, "-", "/dev/null", *only)
    expect(suite, "bench with missing games", result, 3, None, "missing.pgn: No such file")
    suite.check("bench: the other games are measured", result.text().count("\nmate,") == 1 and "not a file that can be read again" in result.errors(),
                result.text() + result.errors())
    # The worst fault gives the status, whatever comes first.
    other = script(suite, "other", "echo 100000")
    for words, status in (([*own, "--against", other + " {games}"], 1), (["missing.cql", *own, "--against", other + " {games}"], 2),
                          (["missing.cql", *own, "missing.pgn"], 3), (["-e", "mate", "missing.pgn", GAMES, "--against", other + " {games}"], 3)):
        expect(suite, "bench with several faults, %d" % status, command(suite, *words, *only), status)
    expect(suite, "bench with nothing but missing games", command(suite, "-e", "mate", "missing.pgn", *only), 3, "", "missing.pgn")
    expect(suite, "bench to a folder that does not exist", command(suite, "-e", "mate", GAMES, *only, "-o", "/nonexistent/x.csv"), 5, "", "/nonexistent/x.csv")


def interrupted(suite):
    """A signal ends the benchmark with the program that it waits for, and nothing is left."""
    folder, mark = suite.path("bench-interrupted"), suite.path("pid")
    os.mkdir(folder)
    sleeper = script(suite, "sleeper", "echo $$ >%s.new && mv %s.new %s; sleep 1000 & wait" % (mark, mark, mark))
    table = suite.path("interrupted.csv")
    process = subprocess.Popen([suite.cqlgen, "bench", "-e", "mate", GAMES, "--engines", "interp", "--against", sleeper + " {games}", "-o", table],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(suite.environment, TMPDIR=folder))
    for _ in range(600):
        if os.path.exists(mark):
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
    suite.check("bench: interrupted", process.returncode == -signal.SIGINT, str(process.returncode))
    alive = os.path.exists(mark) and os.path.exists("/proc/" + read(mark).strip())
    suite.check("bench: the other program is ended", os.path.exists(mark) and not alive)
    suite.check("bench: nothing is left after an interruption", not os.listdir(folder) and not os.path.exists(table), str(os.listdir(folder)))


def run(suite):
    reports(suite)
    rivals(suite)
    turns(suite)
    forms(suite)
    command_mistakes(suite)
    interrupted(suite)
    games = suite.path("games.pgn")
    suite.generate(games, seed=5, games=120)
    tables(suite, games)
    mistakes(suite, games)
    text = [suite.run([os.path.join(suite.out, "generate-games"), "--seed", "9", "--games", "5", "--starts", "50"]).out for _ in range(2)]
    suite.check("generate-games: the same seed", text[0] == text[1] and text[0].count(b"[Event ") == 5)
    suite.check("generate-games: a wrong option", suite.run([os.path.join(suite.out, "generate-games"), "--sed", "1"]).status == 2)
