"""Output is the same, byte for byte, for any number of threads and from a compressed file: every example query, every format."""
import os
import sys
import threading

from parts.harness import EXAMPLES, read, write

FORMATS = ["pgn", "positions", "count", "jsonl", "csv", "tsv", "fen", "html"]
REPEAT = 60  # the example games, so many times: several blocks for the threads


def run(suite):
    text = "\n\n".join(read(os.path.join(EXAMPLES, f)).strip() for f in sorted(os.listdir(EXAMPLES)) if f.endswith(".pgn"))
    games = suite.path("many.pgn")
    write(games, (text + "\n\n") * (suite.size(full=REPEAT, quick=REPEAT // 6, sanitize=4)))
    queries = [f for f in sorted(os.listdir(EXAMPLES)) if f.endswith(".cql")]
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

    for (query, form), why in suite.map(compare, [(q, f) for q in queries for f in FORMATS]):
        suite.check("threads %s %s" % (query, form), not why, why)
    read_once(suite, games)
    if not suite.sanitize:
        bounded(suite, games)


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
print(status, size >> 20, digest.hexdigest(), usage.ru_maxrss >> 10)
"""


def bounded(suite, games):
    """Memory does not grow with what a query finds: every game with all its positions, and a reader that takes its time."""
    text = read(games)
    many = suite.path("bounded.pgn")
    with open(many, "w", encoding="utf-8", newline="") as f:
        for _ in range(suite.size(full=20 << 20, quick=5 << 20, sanitize=0) // len(text)):
            f.write(text)
    stored = suite.path("bounded.cqldb")
    suite.run([suite.cqlgen, "import", many, "-o", stored, "-q"])
    for form, query, source in (("csv", "true", many), ("csv", "true", stored), ("csv", 'sort "pieces" #A', many), ("html", "true", stored)):
        outputs = set()
        for options in (["-j", "1", "--memory", "8"], ["-j", "6", "--memory", "8"], ["-j", "2"]):
            result = suite.run([sys.executable, "-c", PEAK, suite.cqlgen, "search", "-e", query, source, "-f", form, "-q", "--engine", "tcc", *options],
                               timeout=300)
            status, size, digest, memory = result.text().split()
            outputs.add(digest)
            good = status == "0" and (int(memory) < 60 or "--memory" not in options)
            name = "threads: memory, %s of %s, %s" % (form, os.path.basename(source), " ".join([query] + options))
            suite.check(name, good, "status %s, %s MB for an output of %s MB" % (status, memory, size))
        suite.check("threads: the same output with little memory, %s of %s" % (form, os.path.basename(source)), len(outputs) == 1)


def read_once(suite, games):
    """A pipe can be read only once: all threads share the file of `similarposition`."""
    pipe = suite.path("similar.pgn")
    os.mkfifo(pipe)
    for engine in ("interp", "auto"):
        writer = threading.Thread(target=write, args=(pipe, "1. e4 e5 *\n"))
        writer.start()
        arguments = ["-e", 'similarposition notransform nosort "%s"\nply==2' % pipe, games, "-q", "-f", "count", "-j", "4", "--engine", engine]
        result = suite.search(*arguments, timeout=60)
        writer.join()
        text = suite.search("-e", "ply==2 Pe4 pe5 #A==16 #a==16 not Pe2 not pe7", games, "-q", "-f", "count").text()
        suite.check("threads: the file of similarposition is read once (%s)" % engine, result.text() == text != "0\n", result.text())
