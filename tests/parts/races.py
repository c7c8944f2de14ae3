"""Several threads at work, and signals at random moments. With SANITIZE=thread a data race fails the test."""
import os
import random
import signal
import subprocess
import tempfile
import time

from parts.harness import EXAMPLES, read, write

FILTERS = ["check", "mate", "Q attacks k", "stalemate", "passedpawns"]
SETS = (1, 2, 5)  # queries in a search


def words(count):
    return [word for text in FILTERS[:count] for word in ("-e", text)]


def run(suite):
    text = "\n\n".join(read(os.path.join(EXAMPLES, name)).strip() for name in ("games.pgn", "studies.pgn"))
    games, database = suite.path("games.pgn"), suite.path("games.cqldb")
    write(games, (text + "\n\n") * suite.size(full=60, quick=40, sanitize=25))
    suite.check("races: the games were compressed", suite.run(["zstd", "-q", "-f", games, "-o", games + ".zst"]).status == 0)
    imports(suite, games, database)
    searches(suite, games, database)
    merges(suite, games)
    stops(suite, games, database)
    stopped_imports(suite, games)


def quiet(result):
    return result.status == 0 and b"Sanitizer" not in result.err


def imports(suite, games, database):
    """Progress is shown while other threads read and pack the next chunks, of 4 MB; compressed inputs have a thread of their own."""
    long = suite.path("long.pgn")
    write(long, "".join("1. e4 {%s} e5 *\n\n" % ("%d " % n * 2000) for n in range(2500)))
    for path, sources in ((suite.path("long.cqldb"), [long]), (database, [games, games + ".zst"])):
        result = suite.run([suite.cqlgen, "import", *sources, "-o", path, "-j", "4", "--progress"])
        suite.check("races: an import of %s" % os.path.basename(path), quiet(result), result.errors()[-2000:])
    result = suite.run([suite.cqlgen, "export", database, "-o", suite.path("export.pgn")])
    suite.check("races: an export", quiet(result), result.errors()[-2000:])


def searches(suite, games, database):
    """As with one thread, for one, two and five queries."""
    for count in SETS:
        for source, form in ((games, "pgn"), (games + ".zst", "jsonl"), (database, "csv"), (database, "count")):
            argv = [suite.cqlgen, "search", *words(count), source, "-f", form]
            one, many = suite.run([*argv, "-j", "1", "-q"]), suite.run([*argv, "-j", "4", "--progress"])
            suite.check("races: %d queries, %s of %s" % (count, form, os.path.basename(source)), quiet(many) and one.out == many.out, many.errors()[-2000:])


def merges(suite, games):
    names = [suite.path("part-%d" % part) for part in (1, 2)]
    for part, name in enumerate(names):
        result = suite.search(*words(2), games, "--part", "%d/2" % (part + 1), "-o", name, "-j", "3", "--progress")
        suite.check("races: a part", quiet(result), result.errors()[-2000:])
    result = suite.run([suite.cqlgen, "merge", *names, "-o", suite.path("merged.pgn")])
    suite.check("races: a merge", quiet(result), result.errors()[-2000:])


def stop(suite, argv, seconds, rng, text=None):
    """Sends a signal in this time, while part of the text has come. Returns the status, that of the signal, and what was written."""
    number = rng.choice((signal.SIGINT, signal.SIGTERM))
    reading, writing = os.pipe()  # which stays open: the input does not end
    with tempfile.TemporaryFile() as out:  # a pipe that nobody reads yet would fill up, and the program would stop reading
        process = subprocess.Popen(argv, stdin=reading, stdout=out, stderr=subprocess.PIPE, env=suite.environment)
        os.close(reading)
        try:
            with open(writing, "wb", closefd=False) as f:
                f.write(text[:rng.randrange(len(text))] if text else b"")
            time.sleep(rng.uniform(0, seconds))
            process.send_signal(number)
            err = process.communicate(timeout=120)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            err = process.communicate()[1]
        os.close(writing)
        out.seek(0)
        return process.returncode, -number, out.read(), err


def stops(suite, games, database):
    """A signal ends a search in good order; what it has written is the beginning of what it would write."""
    text = read(games).encode()
    work = []
    for count in SETS:
        for source in (games, database, "-"):
            argv = [suite.cqlgen, "search", *words(count), source, "-f", "positions", "-q"]
            start = time.monotonic()
            whole = suite.run([*argv, "-j", "1"], stdin=text).out
            seconds = time.monotonic() - start
            work += [(random.Random("%d %s %d" % (count, source[-1], i)), argv, seconds, whole) for i in range(suite.size(full=15, quick=4, sanitize=4))]

    def stop_one(item):
        rng, argv, seconds, whole = item
        return stop(suite, [*argv, "-j", str(rng.randint(1, 3))], seconds, rng, text if "-" in argv else None)

    for (_, argv, _, whole), (status, wanted, out, err) in suite.map(stop_one, work):
        good = b"Sanitizer" not in err and (status == wanted and whole.startswith(out) or status == 0 and out == whole)
        suite.check("races: a signal ends %s" % " ".join(argv[2:-3]), good, "%s, not %s: %s" % (status, wanted, err[-2000:].decode("utf-8", "replace")))


def stopped_imports(suite, games):
    """The same command goes on with an import that was interrupted, until all games are there, each once."""
    whole = suite.run([suite.cqlgen, "search", "-e", "true", games, "-f", "count", "-q"]).text()
    for i in range(suite.size(full=10, quick=2, sanitize=2)):
        rng, path = random.Random(i), suite.path("stopped-%d.cqldb" % i)
        argv = [suite.cqlgen, "import", games, games + ".zst", "-o", path, "-j", "3", "--progress"]
        status, wanted, _, err = stop(suite, argv, rng.uniform(0, 0.3), rng)
        suite.check("races: a signal ends an import", status in (wanted, 0) and b"Sanitizer" not in err, "%s: %s" % (status, err[-2000:].decode("utf-8", "replace")))
        if status != 0:
            again = suite.run(argv)
            complete = "has %d games; --append" % (2 * int(whole)) in again.errors()  # the signal came after the last game
            suite.check("races: an import goes on", quiet(again) or complete, again.errors())
        found = suite.search("-e", "true", path, "-f", "count", "-q").text()
        suite.check("races: all games are imported", found == "%d\n" % (2 * int(whole)), found)
