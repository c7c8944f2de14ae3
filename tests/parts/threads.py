"""Output is the same, byte for byte, for any number of threads and from a compressed file: every example query, every format."""
import gzip
import hashlib
import os
import re
import sqlite3
import sys
import threading

from parts.examples import WITH_TABLEBASES
from parts.harness import EXAMPLES, read, write

FORMATS = ["pgn", "list", "positions", "count", "jsonl", "csv", "tsv", "fen", "html"]
REPEAT = 60  # the example games, so many times: several blocks for the threads


def run(suite):
    text = "\n\n".join(read(os.path.join(EXAMPLES, f)).strip() for f in sorted(os.listdir(EXAMPLES)) if f.endswith(".pgn"))
    games = suite.path("many.pgn")
    write(games, (text + "\n\n") * (suite.size(full=REPEAT // 5, quick=REPEAT // 10, sanitize=4)))
    queries = [f for f in sorted(os.listdir(EXAMPLES)) if f.endswith(".cql") and f[:-4] not in WITH_TABLEBASES]
    packed = suite.path("many.pgn.zst")
    suite.check("threads: the games were compressed", suite.run(["zstd", "-q", "-f", games, "-o", packed]).status == 0)

    def compare(work):
        query, form = work
        outputs = []
        for threads in ("1", "2", "7"):
            result = suite.search(os.path.join(EXAMPLES, query), games, "-q", "--format", form, "-j", threads, "--engine", "tcc")
            if result.status != 0:
                return "exit status %s with %s threads: %s" % (result.status, threads, result.errors().strip()[-300:])
            outputs.append(result.out)
        for threads, output in zip("27", outputs[1:]):
            if output != outputs[0]:
                return "%s threads write something else than one" % threads
        if form in ("pgn", "positions"):
            result = suite.search(os.path.join(EXAMPLES, query), packed, "-q", "--format", form, "--engine", "tcc")
            if result.out != outputs[0]:
                return "the compressed file gives something else"
        return ""

    for (query, form), why in suite.map(compare, suite.some([(q, f) for q in queries for f in FORMATS], 24, 8, full=8)):
        suite.check("threads %s %s" % (query, form), not why, why)
    allowed_processors(suite)
    read_once(suite, games)
    long_texts(suite)
    if not suite.sanitize:
        bounded(suite, games)
        blanks(suite)
        long_windows(suite)
        imports(suite)
        repeated(suite)


def allowed_processors(suite):
    """Without a number, as many threads as the program may use processors (cql: one less), which may be fewer than the machine has."""
    games, allowed = os.path.join(EXAMPLES, "games.pgn"), sorted(os.sched_getaffinity(0))
    for processors in (allowed, allowed[:1]):
        bound = ["taskset", "-c", ",".join(map(str, processors)), suite.cqlgen]
        said = suite.run([*bound, "search", "-e", "mate", games, "-f", "count"]).errors()
        suite.check("threads: a search with %d processors" % len(processors), ", %d thread" % len(processors) in said, said)
        said = suite.run([*bound, "cql", "-gui", "-i", games, os.path.join(EXAMPLES, "fork.cql")], cwd=suite.path("")).text()
        suite.check("threads: cql with %d processors" % len(processors), "numberthreads %d\n" % max(1, len(processors) - 1) in said, said)


# Runs a program, reads its output slowly, and prints status, size and hash of the output, and the most memory in MB. It is a process
# of its own because the memory of a program begins with that of the one that starts it.
PEAK = """
import hashlib, os, subprocess, sys, time
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
size, digest = 0, hashlib.sha256()
while text := os.read(process.stdout.fileno(), 1 << 16):
    size += len(text)
    digest.update(text)
    if size < 100 << 16:
        time.sleep(0.002)
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), size >> 20, digest.hexdigest(), usage.ru_maxrss >> 10)
"""


def bounded(suite, games):
    """Memory does not grow with what a query finds: every game with all its positions, and a reader that takes its time."""
    text = read(games)
    many = suite.path("bounded.pgn")
    with open(many, "w", encoding="utf-8", newline="") as f:
        for _ in range(suite.size(full=6 << 20, quick=3 << 20, sanitize=0) // len(text)):
            f.write(text)
    stored = suite.path("bounded.cqldb")
    suite.run([suite.cqlgen, "import", many, "-o", stored, "-q"])
    for form, query, source in (("csv", "true", many), ("csv", "true", stored), ("csv", 'sort "pieces" #A', many), ("html", "true", stored)):
        outputs = set()
        for options in (["-j", "1", "--max-memory", "8"], ["-j", "6", "--max-memory", "8"], ["-j", "2"]):
            result = suite.run([sys.executable, "-c", PEAK, suite.cqlgen, "search", "-e", query, source, "-f", form, "-q", "--engine", "tcc", *options],
                               timeout=300)
            status, size, digest, memory = result.text().split()
            outputs.add(digest)
            # Pages of the mapped database count, and each thread has some MB of its own.
            good = status == "0" and (int(memory) < (60 if "1" in options else 80) or "--max-memory" not in options)
            name = "threads: memory, %s of %s, %s" % (form, os.path.basename(source), " ".join([query] + options))
            suite.check(name, good, "status %s, %s MB for an output of %s MB" % (status, memory, size))
        suite.check("threads: the same output with little memory, %s of %s" % (form, os.path.basename(source)), len(outputs) == 1)


def long_texts(suite):
    """A game whose texts need more than its share of the memory is abandoned; the others are searched."""
    long = 'S = "0123456789abcdef"  m = 0  while (m < 16) { m += 1  S = S + S }'  # 2^20 bytes
    games = suite.path("long-texts.pgn")
    write(games, "1. e4 e5 2. Nf3 *\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n\n1. d4 *\n\n" * 20)
    messages = suite.path("long-messages.cql")
    write(messages, "cql() if initial then {%s} message(S)" % long)
    comments = suite.path("long-comments.cql")
    write(comments, "cql() if initial then {%s} comment(S)" % long)
    persistent = suite.path("long-persistent.cql")
    write(persistent, "cql() if initial then {%s dictionary D  D[gamenumber] = S}" % long)
    # A game may take 6 MB, a 64th of the memory, and the games need 4, 9 and 2. The dictionary, which outlives games, may take 48.
    for query, found in ((messages, 40), (comments, 40), (persistent, 48)):
        for engine in ("interp", "tcc"):
            result = suite.run([sys.executable, "-c", PEAK, suite.cqlgen, "search", query, games, "-f", "pgn", "--engine", engine,
                                "-j", "2", "--max-memory", "384"], timeout=300)
            status, _, _, memory = result.text().split()
            name = "threads: %s, %s" % (os.path.basename(query), engine)
            suite.check(name + " abandons games", status == "4" and "too much memory" in result.errors() and
                        "%d of 60 games match" % found in result.errors(), "status %s: %s" % (status, result.errors()[-300:]))
            suite.check(name + " takes little memory", suite.sanitize or int(memory) < 300, "%s MB" % memory)


def blanks(suite):
    """What is between games, here a hundred million bytes of white space in a small file, is not kept in memory."""
    path = suite.path("blanks.pgn.gz")
    with gzip.open(path, "wb", compresslevel=1) as f:
        for fill in (b" \n" * (1 << 19), b"\0" * (1 << 20)):
            f.write(b"1. e4 e5 1-0\n")
            for _ in range(50):
                f.write(fill)
        f.write(b'[White "x"]\n\n1. d4 *\n')
    database = suite.path("blanks.cqldb")
    for arguments in (["search", "-e", "true", path, "-f", "positions", "-q", "-j", "1", "--engine", "interp"],
                      ["search", "-e", "true", path, "-f", "positions", "-q", "-j", "3", "--engine", "interp"],
                      ["import", path, "-q", "-j", "1", "-o", database]):
        result = suite.run([sys.executable, "-c", PEAK, suite.cqlgen, *arguments], timeout=120)
        status, _, digest, memory = result.text().split()
        want = hashlib.sha256(b"1: 0 1 2\n2: 0 1 2\n3: 0 1\n" if arguments[0] == "search" else b"").hexdigest()
        suite.check("threads: white space between games, %s" % arguments[0], (status, digest) == ("0", want) and int(memory) < 50,
                    "status %s, %s MB: %s" % (status, memory, result.errors()[-300:]))


def repeated(suite):
    """A byte or word repeated a million times takes no more time than other text: each command ends long before it would if the time grew
    with the square."""
    path, base = suite.path("repeated.pgn"), suite.path("repeated.cqldb")
    for piece in ("1. ", "1.", "1...", ". ", "(", ")", "*", "}", "[\n", "{} ", "e4 ", "$1 ", "! "):
        for begin in ("", "1. e4 "):
            write(path, begin + piece * (1000000 // len(piece)))
            for arguments in (["search", "-e", "true", path], ["search", "-e", "false", path], ["search", "-e", 'comment("x")', path, "--engine", "interp"],
                              ["import", path, "-o", base]):
                result = suite.run([suite.cqlgen, *arguments, *(["-f", "count"] if arguments[0] == "search" else []), "-q", "-j", "1"], timeout=20)
                suite.check("threads: %r without end after %r: %s" % (piece, begin, arguments[:3]), not result.crashed(), result.errors()[-300:])
            if os.path.exists(base):
                os.remove(base)


def long_windows(suite):
    """A small compressed file that asks for 2 GB is refused where that is more than a quarter of the memory, or than --max-memory."""
    path = suite.path("window.pgn.zst")
    text = b"1. e4 e5 *\n"
    with open(path, "wb") as f:  # RFC 8878: a frame with a window of 2^31 bytes and one raw block
        f.write(b"\x28\xb5\x2f\xfd\x00" + bytes([21 << 3]) + (len(text) << 3 | 1).to_bytes(3, "little") + text)
    command = [suite.cqlgen, "search", "-e", "true", path, "-f", "count", "-q", "-j", "1", "--engine", "interp"]
    for words in (["sh", "-c", 'ulimit -v 4000000; exec "$@"', "sh", *command], [*command, "--max-memory", "1000"]):
        suite.ends("threads: a window that is too long", suite.run(words), 3, err="too much memory")
    suite.ends("threads: a long window", suite.run([*command, "--max-memory", "2048"]), 0, "1\n")


def imports(suite):
    """An import within --max-memory: it drops the rest of a long text, leaves out a game that needs too much, goes on, and finds all names."""
    games, base = suite.path("import-memory.pgn"), suite.path("import-memory.cqldb")
    long = 100 << 20
    write(games, '[White "first"]\n\n1. e4 *\n\n[White "' + "x" * long + '"]\n\n1. d4 *\n\n[White "knights"]\n\n' + "Nf3 Nf6 Ng1 Ng8 " * 15000 +
          '*\n\n[White "last"]\n\n1. c4 *\n')
    for threads in ("1", "3"):
        result = suite.run([sys.executable, "-c", PEAK, suite.cqlgen, "import", games, "-o", base, "-j", threads, "--max-memory", "1"])
        status, _, _, memory = result.text().split()
        left_out = "game %d: the game needs more than 32 MB of memory and is left out; --max-memory allows more"
        suite.check("threads: an import of large games, -j " + threads, status == "4" and re.findall("(?:game .: )?the game .*", result.errors()) == [
            "the game has more than 16 MB of text, the rest is dropped; --max-memory allows more", left_out % 2, left_out % 3],
            "status %s: %s" % (status, result.errors()))
        suite.check("threads: an import of large games takes little memory, -j " + threads, suite.sanitize or int(memory) < 200, "%s MB" % memory)
        found = suite.run([suite.cqlgen, "search", "-e", "true", base, "-f", "csv", "--fields", "White", "-q"]).text().split()
        suite.check("threads: the other games are imported, -j " + threads, found == ["White", "first", "last"] and
                    suite.run([suite.cqlgen, "verify", base]).status == 0, str(found)[:300])
        os.remove(base)
    names = suite.path("import-names.pgn")
    write(names, "".join('[White "a person with the number %d"]\n[WhiteElo "%d"]\n\n1. e4 *\n\n' % (n % 4000, n) for n in range(8000)))
    counts, players = set(), []
    for options in ([], ["--max-memory", "1"]):
        base = suite.path("import-names-%d.cqldb" % len(options))
        for more in ([], ["--append"]):
            suite.run([suite.cqlgen, "import", names, "-o", base, "-q", *options, *more])
        players.append(sqlite3.connect(base).execute("SELECT count(*), count(DISTINCT name), min(id), max(id), count(DISTINCT id) FROM player").fetchone())
        counts.add((suite.search("-e", 'player "number 17"', base, "-f", "count").text(), suite.search("-e", "true", base, "-q", "--count-by", "white", "-f", "csv").out))
    # of 4001 names, with the black one that all games lack, the numbers with 17 at the beginning: 17, 170 to 179, 1700 to 1799
    suite.check("threads: an import that forgets names", [count for count, _ in counts] == ["444\n"] and players[0] == (4001, 4001, 1, 4001, 4001) and
                players[1][0] > 4001 and players[1][1:] == (4001, 1, players[1][0], players[1][0]), "%s %s" % (players, [count for count, _ in counts]))


def read_once(suite, games):
    """A pipe can be read only once: all threads share the file of `similarposition`."""
    pipe = suite.path("similar.pgn")
    os.mkfifo(pipe)
    for engine in ("interp", "auto"):
        writer = threading.Thread(target=write, args=(pipe, "1. e4 e5 *\n"))
        writer.start()
        arguments = ["-e", 'similarposition notransform nosort "%s"\nply==2' % pipe, games, "-q", "-f", "count", "-j", "4", "--engine", engine, "--allow-files", "/"]
        result = suite.search(*arguments, timeout=60)
        writer.join()
        text = suite.search("-e", "ply==2 Pe4 pe5 #A==16 #a==16 not Pe2 not pe7", games, "-q", "-f", "count").text()
        suite.check("threads: the file of similarposition is read once (%s)" % engine, result.text() == text != "0\n", result.text())
