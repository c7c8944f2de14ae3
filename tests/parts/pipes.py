"""Programs that queries ask with `commandpipe` (language reference 13.18), and pipes in the place of files."""
import os
import signal
import subprocess
import sys
import time

from parts.harness import EXAMPLES, read, write

GAMES = os.path.join(EXAMPLES, "games.pgn")

ANSWERS = """
import sys
open(sys.argv[1], "a").write("started\\n")
for line in iter(sys.stdin.readline, ""):
    print("<" + line.rstrip("\\n") + ">", flush=True)
"""
ARGUMENTS = """
import sys
for line in iter(sys.stdin.readline, ""):
    print("|".join(sys.argv[1:]), flush=True)
"""
TWO_LINES = """
import sys
for line in iter(sys.stdin.readline, ""):
    sys.stdout.write("first " + line + "second\\n")
    sys.stdout.flush()
"""
LINE_ENDS = r"""
import sys
for line in iter(sys.stdin.readline, ""):
    sys.stdout.write("one\r\n")
    sys.stdout.flush()
"""
DIES = """
import sys
open(sys.argv[1], "a").write("started\\n")
print(sys.stdin.readline().strip(), flush=True)
"""
HANGS = """
import os, sys, time
open(sys.argv[1], "a").write("%d\\n" % os.getpid())
sys.stdin.readline()
time.sleep(60)
"""
FLOODS = """
import sys
try:
    while True:
        sys.stdout.write("y" * 1000)
except OSError:
    pass
"""


def script(suite, name, text):
    path = suite.path(name + ".py")
    write(path, text)
    return sys.executable + " " + path


def search(suite, query, *options):
    return suite.run([suite.cqlgen, "search", "--dialect", "cqli", "-e", query, GAMES, "-q", *options])


def expect(suite, name, result, status, out, message=None):
    """The exit status, standard output, and a message that appears once (None: no message)."""
    errors = result.errors()
    good = result.status == status and (out is None or result.text() == out)
    good = good and (errors.count(message) == 1 if message else not errors)
    suite.check("commandpipe: " + name, good, "status %s, %r, %r" % (result.status, result.text()[:200], errors[:400]))


def has_open(process, path):
    """Has the program opened the file?"""
    folder = "/proc/%d/fd" % process.pid
    try:
        return any(os.readlink(os.path.join(folder, fd)) == path for fd in os.listdir(folder))
    except OSError:  # it has just closed one
        return False


def without_writer(suite):
    """A pipe that nobody writes to: the first signal ends what waits for it, with the usual message, and so does the end of the time."""
    pipe = suite.path("silent.pgn")
    os.mkfifo(pipe)
    nothing = "interrupted after 0 games"
    commands = {
        "games": (["search", "-e", "mate", pipe, "-q", "-j", "1"], nothing),
        "games, several threads": (["search", "-e", "mate", pipe, "-q", "-j", "3"], nothing),
        "later games": (["search", "-e", "mate", GAMES, pipe, "-q", "-f", "count"], "interrupted after "),
        "games that are counted first": (["search", "-e", "gamenumber == lastgamenumber", pipe, "-q"], nothing),
        "several results": (["search", "-e", "mate", "-e", "check", pipe, "-q", "--output-dir", suite.path("results")], nothing),
        "games, cc": (["search", "-e", "mate", pipe, "-q", "--engine", "cc"], nothing),
        "readfile": (["search", "-e", 'readfile "%s" == ""' % pipe, GAMES, "-q", "--allow-files", "/"], nothing),
        "similarposition": (["search", "-e", 'similarposition "%s"' % pipe, GAMES, "-q", "--allow-files", "/"], nothing),
        "import": (["import", pipe, "-o", suite.path("silent.cqldb"), "-j", "2"], "interrupted; "),
    }
    for name, (words, message) in commands.items():
        process = subprocess.Popen([suite.cqlgen, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=suite.environment)
        end = time.time() + 10
        while time.time() < end and not has_open(process, pipe):
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        try:
            err = process.communicate(timeout=20)[1].decode()
        except subprocess.TimeoutExpired:
            process.kill()
            err = "it goes on" + process.communicate()[1].decode()
        suite.check("pipes: a signal while nobody writes: " + name, process.returncode == -signal.SIGTERM and message in err, "%s: %s" % (process.returncode, err[-300:]))
    reading, writing = os.pipe()
    for name in ("games", "games, several threads", "games that are counted first", "readfile", "similarposition"):
        for source in (pipe, "-") if pipe in commands[name][0] else (pipe,):
            argv = [suite.cqlgen, *[source if word == pipe else word for word in commands[name][0]], "-f", "count", "--max-seconds", "1"]
            try:
                result = subprocess.run(argv, stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30, env=suite.environment)
                status, err = result.returncode, result.stderr.decode()
            except subprocess.TimeoutExpired:
                status, err = None, "no end"
            suite.check("pipes: the end of the time while nobody writes: %s %s" % (name, os.path.basename(source)),
                        status == 4 and "time limit reached: only the first 0 games have been searched" in err, "%s: %s" % (status, err[-300:]))
    os.close(reading)
    os.close(writing)


def lines(path):
    return read(path).split() if os.path.exists(path) else []


def forget(path):
    if os.path.exists(path):
        os.remove(path)


def run(suite):
    allow = ("--allow-commands", "--format", "count")
    total = suite.run([suite.cqlgen, "search", "-e", "true", GAMES, "-q", "--format", "count"]).text()
    log = suite.path("started.txt")
    answers = script(suite, "answers", ANSWERS)
    for engine in ("interp", "tcc"):
        forget(log)
        query = 'initial commandpipe("%s %s" str(gamenumber \\n ply)) == str("<" gamenumber " " ply ">")' % (answers, log)
        result = search(suite, query, *allow, "-j4", "--engine", engine)
        expect(suite, "a line for a line (%s)" % engine, result, 0, total)
        suite.check("commandpipe: the program starts once (%s)" % engine, lines(log) == ["started"], "%s" % lines(log))
    query = 'initial commandpipe("%s $HOME ;touch *" "") == "$HOME|;touch|*"' % script(suite, "arguments", ARGUMENTS)
    expect(suite, "no shell reads the arguments", search(suite, query, *allow), 0, total)
    query = 'ply <= 2 commandpipe("%s" str(ply)) == str("first " ply)' % script(suite, "two", TWO_LINES)
    expect(suite, "lines beyond the first are dropped", search(suite, query, *allow), 0, total)

    forget(log)
    query = 'commandpipe("%s %s" "1") == "1"' % (script(suite, "dies", DIES), log)
    expect(suite, "a program that dies", search(suite, query, *allow), 0, "1\n", "has ended")
    suite.check("commandpipe: it starts once", lines(log) == ["started"], "%s" % lines(log))
    query = 'commandpipe("%s" "1") == "1"' % suite.path("missing")
    expect(suite, "a missing program", search(suite, query, *allow), 0, "0\n", "cannot start")
    expect(suite, "no program", search(suite, 'commandpipe(" " "1") == "1"', *allow), 0, "0\n", "cannot start")

    query = 'commandpipe("%s" "1") == "one"' % script(suite, "line_ends", LINE_ENDS)
    expect(suite, "a carriage return at the end of a line", search(suite, query, *allow), 0, total)
    query = 'gamenumber == 1 initial x = 0 program = "cat" while (x < %d) { x += 1 program += " " commandpipe(program str(x)) == str(x) } x == %d'
    expect(suite, "as many programs as may be", search(suite, query % (32, 32), *allow), 0, "1\n")
    expect(suite, "more programs than may be", search(suite, query % (33, 33), *allow), 4, "0\n", "more than 32 programs")

    forget(log)
    started = time.time()
    query = 'commandpipe("%s %s" "1") == "1"' % (script(suite, "hangs", HANGS), log)
    expect(suite, "a program that hangs when the time ends", search(suite, query, *allow, "--max-seconds", "1"), 4, "0\n", "have been searched")
    suite.check("commandpipe: the end of the time does not wait for it", time.time() - started < 30)

    forget(log)
    started = time.time()
    query = 'not commandpipe("%s %s" "1") == "1"' % (script(suite, "hangs", HANGS), log)
    expect(suite, "a program that hangs", search(suite, query, *allow, "--pipetimeout", "1"), 0, total, "in time")
    suite.check("commandpipe: the timeout ends it", time.time() - started < 30)
    suite.check("commandpipe: it is killed", len(lines(log)) == 1 and not os.path.exists("/proc/" + lines(log)[0]), "%s" % lines(log))
    query = 'commandpipe("%s" "1") == "1"' % script(suite, "floods", FLOODS)
    expect(suite, "a line without an end", search(suite, query, *allow), 0, "0\n", "in time")

    query = 'commandpipe("%s %s" "1") == "1"' % (answers, log)
    expect(suite, "refused without --allow-commands", search(suite, query, "--format", "count"), 4, "0\n", "--allow-commands")
    for query in (query, 'readfile "x.pgn" == ""', 'writefile("x.cqo" "a")'):
        expect(suite, "--secure refuses " + query.partition("(")[0].partition(" ")[0],
               search(suite, query, "--secure"), 2, "", "refused because of --secure")
    without_writer(suite)
