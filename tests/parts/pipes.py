"""Programs that queries ask with `commandpipe` (language reference 13b §13)."""
import os
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
