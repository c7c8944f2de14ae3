"""Manners at a terminal: progress, colours, interrupts, closed pipes, limits of files. The terminal is a pseudo-terminal."""
import fcntl
import itertools
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time

from parts.harness import EXAMPLES, read, write

GAMES = os.path.join(EXAMPLES, "games.pgn")
LOCAL = "examples/games.pgn"  # for a shell that runs in the top folder, in whose name may be a blank

# A loop that does nothing at each position.
LOOP = "x=0 while (x<%d) {x+=1} false"


class Session:
    """A program whose standard error (and more, as told) is a terminal."""

    def __init__(self, suite, arguments, columns=100, stdout=None, stdin=subprocess.DEVNULL, environment=()):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        settings = {k: v for k, v in suite.environment.items() if k != "NO_COLOR"}
        self.process = subprocess.Popen([suite.cqlgen, *arguments], stdin=stdin, stdout=stdout or slave, stderr=slave,
                                        env={**settings, "TERM": "xterm", **dict(environment)})
        os.close(slave)

    def text(self, seconds=60):
        """All that it shows until it ends; its status is in self.process.returncode."""
        shown, end = b"", time.monotonic() + seconds
        while time.monotonic() < end:
            if not select.select([self.master], [], [], 0.2)[0]:
                continue
            try:
                part = os.read(self.master, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        else:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        return shown.decode("utf-8", "replace")


def widths(suite):
    """Tables of groups are as wide as the terminal; where it does not say how wide it is, as COLUMNS says, otherwise 80."""
    def shown(columns, variable):
        return Session(suite, ["search", "-e", "true", GAMES, "--count-by", "result", "-q"], columns=columns, environment={"COLUMNS": variable}).text()
    of_width = {columns: shown(columns, "") for columns in (1, 79, 80, 81, 100)}
    suite.check("terminal: bars are as wide as there is room", len(set(of_width.values())) == 5, str(of_width))
    for columns, variable, width in ((0, "", 80), (0, "0", 80), (0, "-1", 80), (0, "x", 80), (0, "1", 1), (0, "79", 79), (0, "100", 100), (81, "100", 81), (1, "100", 1)):
        suite.check("terminal: %d columns, COLUMNS=%s" % (columns, variable), shown(columns, variable) == of_width[width], shown(columns, variable))


def benchmarks(suite):
    """`cqlgen bench` shows its rounds in one line, which goes away before a message and at the end."""
    folder, report = suite.path("terminal-bench"), suite.path("terminal-bench.txt")
    os.mkdir(folder)
    games, query = os.path.join(folder, "g" * 50 + ".pgn"), "mate // " + "m" * 50
    shutil.copy(GAMES, games)
    rounds = "".join("\r%s\x1b[K" % ("round %d of at most 2: %.40s, %.40s" % (n, query, games))[:99] for n in range(3)) + "\r\x1b[K"
    missing = "\r\x1b[Kcqlgen: /missing.pgn: No such file or directory\r\n"
    for options, want in ([], missing + rounds), (["-q"], "cqlgen: /missing.pgn: No such file or directory\r\n"):
        with open(report, "w") as out:
            shown = Session(suite, ["bench", "-e", query, "/missing.pgn", games, "--engines", "interp", "--no-database", "--rounds", "2", "--seconds", "1000", *options], stdout=out).text()
        suite.check("terminal: rounds of a benchmark %s" % options, shown == want, repr(shown))


def tables(suite):
    shown = Session(suite, ["search", "-e", "mate", GAMES, "-f", "sqlite"]).text()
    suite.check("terminal: no database on a terminal", "name its file: -o found.sqlite" in shown, shown)


LISTED = """[White "M\xfcller, Karl Theodor Maria"]
[Black "\u674e, \u5f3a e\u0301\u001b[2J"]
[Date "1999.??.??"]
[Result "1-0"]

1. f3 e5 {[%%clk 0:01:00] a comment that is far too long for any line of a terminal of this width, or for one of 120 columns} 2. g4 Qh4# 1-0

[White "A"]
[Black "B, and a name that is long enough to be cut"]
[Result "1/2-1/2"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1/2-1/2

"""


def lists(suite):
    """A terminal gets a list: each line fits it, names that are too long are cut, with wide characters and marks counted as they are shown."""
    games = suite.path("listed.pgn")
    with open(games, "wb") as file:  # the first name is in ISO 8859-1, the second in UTF-8 with two wide characters and a mark
        file.write(LISTED.replace("%%", "%").encode("utf-8").replace("M\u00fcller".encode(), b"M\xfcller"))
    words = ["search", "-e", "ply <= 2 or mate", games, "-q"]
    def shown(columns, *more):
        return Session(suite, [*words, *more], columns=columns).text().replace("\r\n", "\n").splitlines()
    # 80 columns: 36 for numbers, year, result, move and spaces, 33 for both players, 11 for the comment.
    # "Müller, Karl Theodor Maria" takes 26 columns and "李, 强 é?[2J" 12: of 30, the second leaves 18 to the first.
    players, blank = "%-33s" % ("M\xfcller, Karl Theo\u2026 \u2013 \u674e, \u5f3a e\u0301?[2J"), " " * 55
    want = ["   game  %-33s  year       match         comment" % "players",
            "      1  M\xfcller, Karl Theo\u2026 \u2013 \u674e, \u5f3a e\u0301?[2J  1999  1\u20130",
            blank + "1.f3", blank + "1...e5        a comment \u2026", blank + "2...Qh4#",
            "      2  A \u2013 B, and a name that is long e\u2026        \xbd\u2013\xbd", blank + "1.e4", blank + "1...e5", blank + "3.Qxe5#"]
    suite.check("terminal: a list", shown(80) == want, "\n".join(shown(80) + want))
    for columns in (1, 60, 61, 100, 200):
        lines = shown(columns)
        width = max(sum(0 if c == "\u0301" else 2 if c in "\u674e\u5f3a" else 1 for c in line) for line in lines)
        suite.check("terminal: a list in %d columns" % columns, len(lines) == len(want) and width <= max(columns, 53), "\n".join(lines))
    suite.check("terminal: a long list is cut in other places, too", "…" in "".join(shown(200)) and max(map(len, suite.search(*words[1:], "-f", "list").text().splitlines())) == 120)
    # the move that the query finds; more matches than are shown; sort keys; several queries; no position
    lines = Session(suite, ["search", "-e", "N--f3", GAMES, "-q", "-n", "1"]).text().split("\r\n")
    suite.check("terminal: the move that is found", lines[1].endswith("2.Nf3"), str(lines))
    lines = Session(suite, ["search", "-e", 'sort "key" ply', games, "-q", "-n", "1"]).text().split("\r\n")
    suite.check("terminal: sort keys", lines[1].endswith("key: 5") and len(lines) == 8, str(lines))
    # the second game has six positions, which are all shown, the last one instead of their number; the first of the examples has more
    for query, file, count, last in (("gamenumber == 2 ply > 0", games, 5, "3.Qxe5#"), ("gamenumber == 2", games, 6, "3.Qxe5#"), ("gamenumber == 1", GAMES, 6, " more")):
        lines = Session(suite, ["search", "-e", query, file, "-q"]).text().split("\r\n")
        suite.check("terminal: matches of %s" % query, len(lines) == 2 + count and lines[-2].endswith(last), str(lines))
    lines = Session(suite, ["search", "-e", "mate", "-e", "check", games, "-q"]).text().split("\r\n")
    suite.check("terminal: queries of a list", [line.split("  -e")[1][:1] for line in lines[1:-1]] == ["1", "2", "1", "2"], str(lines))
    # what is asked for, and what only PGN has
    pgn = suite.search("-e", "mate", games, "-q").text()
    for name, more, is_pgn in (("-f pgn", ["-f", "pgn"], True), ("--context", ["--context", "1"], True), ("--utf8", ["--utf8"], True), ("-o -", ["-o", "-"], False),
                               ("-f list", ["-f", "list"], False)):
        text = Session(suite, ["search", "-e", "mate", games, "-q", *more]).text()
        suite.check("terminal: %s" % name, ("[White" in text) == is_pgn and text.startswith("   game") != is_pgn, repr(text[:200]))
    suite.check("terminal: PGN goes to pipes", "[White" in pgn and "{CQL}" in pgn)


def slow_search(suite, games):
    """A search that takes long enough on this machine to show progress, and how often its loop turns."""
    turns, seconds = 300, 0.0
    while seconds < 1:
        turns *= 2
        arguments = ["search", "-e", LOOP % turns, games, "--engine", "interp", "-j", "1", "-f", "count"]
        seconds = float(re.search(r"([\d.]+) s, ", suite.run([suite.cqlgen, *arguments]).errors()).group(1))
    return arguments, turns


def progress(suite):
    many = suite.path("terminal.pgn")
    write(many, read(GAMES) * 50)
    arguments, turns = slow_search(suite, many)
    slow = suite.path("slow.cql")
    write(slow, "cql() " + LOOP % (20 * turns))
    runs = {"wide": lambda: Session(suite, arguments).text(),
            "narrow": lambda: Session(suite, arguments, columns=30).text(),
            "dumb": lambda: Session(suite, arguments, environment={"TERM": "dumb"}).text(),
            "quiet": lambda: Session(suite, arguments + ["-q"]).text(),
            "elsewhere": lambda: suite.run([suite.cqlgen, *arguments]).errors(),
            "asked for": lambda: suite.run([suite.cqlgen, *arguments, "--progress"]).errors(),
            "as CQL": lambda: Session(suite, ["cql", "-input", many, "-output", suite.path("as-cql.pgn"), slow]).text()}
    shown = dict(suite.map(lambda name: runs[name](), runs))
    lines = re.findall(r"\r([^\r\n]*)\x1b\[K", shown["wide"])
    full = re.compile(r" *\d+%  \d+ games, 0 match, \d+ games/s, \d+\.\d MB/s, \d+:\d\d left$")
    suite.check("terminal: progress with games/s, MB/s and the time that is left", any(full.match(s) for s in lines),
                repr(shown["wide"][:500]))
    suite.check("terminal: the progress goes away",
                re.search(r"\r\x1b\[K0\r\n0 of 1600 games match \(.*\)\r\n$", shown["wide"]) is not None, repr(shown["wide"][-300:]))
    lines = re.findall(r"\r([^\r\n]*)\x1b\[K", shown["narrow"])
    suite.check("terminal: progress fits a narrow one", lines and max(len(s) for s in lines) == 29, repr(lines[:3]))
    suite.check("terminal: no progress where a line cannot be taken back",
                re.match(r"0\r\n0 of 1600 games match ", shown["dumb"]) is not None, repr(shown["dumb"][:300]))
    suite.check("terminal: --quiet shows nothing but the result", shown["quiet"] == "0\r\n", repr(shown["quiet"][:300]))
    suite.check("terminal: cqlgen cql has its own lines", "1600" in shown["as CQL"] and "games/s" not in shown["as CQL"], repr(shown["as CQL"][:300]))
    suite.check("terminal: elsewhere there is no progress",
                re.match(r"0 of 1600 games match [^\n]*\n$", shown["elsewhere"]) is not None, shown["elsewhere"][:300])
    suite.check("terminal: --progress shows it there, a line each time",
                re.match(r"( *\d+%  \d+ games, [^\n\x1b\r]*\n)+0 of 1600 games", shown["asked for"]) is not None, shown["asked for"][:300])


def colours(suite):
    mistake = ["search", "-e", "mat", GAMES]
    plain = "-e:1:1: error: unknown name `mat`; did you mean `mate`?"
    suite.check("terminal: messages are coloured", "\x1b[1;31merror:\x1b[0m" in Session(suite, mistake).text())
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        shown = Session(suite, mistake, environment={name: value}).text()
        suite.check("terminal: no colours with %s=%s" % (name, value), plain in shown and "\x1b" not in shown, repr(shown))
    shown = Session(suite, mistake, environment={"NO_COLOR": ""}).text()
    suite.check("terminal: an empty NO_COLOR does not count", "\x1b[1;31m" in shown, repr(shown))
    result = suite.run([suite.cqlgen, *mistake], environment={"NO_COLOR": "", "TERM": "xterm"})
    suite.check("terminal: no colours elsewhere", plain in result.errors() and b"\x1b" not in result.err, result.errors())


def wait_until(condition, seconds=60):
    """Waits for something that a program does; returns whether it has come."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not condition():
        time.sleep(0.02)
    return condition()


def is_drained(pipe):
    """All that was written to the pipe has been read."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0] == 0


def is_asleep(process):
    """No thread of the process has anything to do, three times in a row."""
    for _ in range(3):
        try:
            tasks = os.listdir("/proc/%d/task" % process)
            states = {read("/proc/%d/task/%s/stat" % (process, task)).rpartition(")")[2].split()[0] for task in tasks}
        except OSError:  # a thread has ended
            return False
        if states != {"S"}:
            return False
        time.sleep(0.02)
    return True


def interrupted(suite):
    """A search that waits for more games is interrupted."""
    for number, form in itertools.product((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), ("pgn", "html")):
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "found." + form)
            write(output, "old")
            reading, writing = os.pipe()
            search = Session(suite, ["search", "-e", "mate", "-", "-o", output], stdin=reading)
            os.close(reading)
            os.write(writing, read(GAMES).encode())
            wait_until(lambda: is_drained(writing))
            search.process.send_signal(number)
            shown = search.text(20)
            os.close(writing)
            name = "%s, %s" % (signal.Signals(number).name, form)
            suite.check("terminal: ended by the signal, " + name, search.process.returncode == -number, str(search.process.returncode))
            suite.check("terminal: it says what was searched, " + name,
                        re.search(r"cqlgen: interrupted after \d+ games?; \d+ of them match; .*found\.%s was not written" % form, shown)
                        is not None, repr(shown))
            suite.check("terminal: no half file, " + name, read(output) == "old" and os.listdir(folder) == ["found." + form],
                        str(os.listdir(folder)))


def interrupted_twice(suite):
    """Two signals at the same time are one request to end in good order; one that says that memory is bad ends the program."""
    reading, writing = os.pipe()
    search = Session(suite, ["search", "-e", "mate", "-", "-o", suite.path("twice.pgn")], stdin=reading)
    os.close(reading)
    os.write(writing, read(GAMES).encode())
    wait_until(lambda: is_drained(writing) and is_asleep(search.process.pid))
    for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
        search.process.send_signal(number)
    shown = search.text(20)
    os.close(writing)
    if not suite.sanitize:  # which has a handler of its own
        reading, writing = os.pipe()
        stuck = Session(suite, ["search", "-e", "mate", "-", "-f", "count"], stdin=reading)
        os.close(reading)
        wait_until(lambda: is_asleep(stuck.process.pid))
        stuck.process.send_signal(signal.SIGBUS)
        said = stuck.text(20)
        os.close(writing)
        suite.check("terminal: SIGBUS that no file causes", stuck.process.returncode == -signal.SIGBUS and "shorter" not in said, "%s %r" % (stuck.process.returncode, said))
    suite.check("terminal: two signals at once", search.process.returncode in (-signal.SIGINT, -signal.SIGTERM) and "cqlgen: interrupted after " in shown, repr(shown))


def interrupted_and_continued(suite):
    """An interrupted search keeps what it has found, and says how to search the rest."""
    with tempfile.TemporaryDirectory() as folder:
        games, found, rest = (os.path.join(folder, name) for name in ("games.pgn", "found.csv", "rest.csv"))
        write(games, read(GAMES) * 60)
        query = ["search", "-e", "mate", "-j", "2"]
        reading, writing = os.pipe()
        search = Session(suite, [*query, "-", "-o", found], stdin=reading)
        os.close(reading)
        os.write(writing, read(games).encode())
        wait_until(lambda: is_drained(writing) and is_asleep(search.process.pid))
        search.process.send_signal(signal.SIGINT)
        shown = search.text(20)
        os.close(writing)
        said = re.search(r"cqlgen: interrupted after (\d+) games; \S+found\.csv has the \d+ that match; -g (\d+)- goes on", shown)
        suite.check("terminal: an interrupted search says how to go on", search.process.returncode == -signal.SIGINT and said and
                    int(said[2]) == int(said[1]) + 1, repr(shown))
        if not said:
            return
        suite.run([suite.cqlgen, *query, games, "-q", "-g", said[2] + "-", "-o", rest])
        whole = suite.run([suite.cqlgen, *query, games, "-q", "-f", "csv"]).text()
        together = read(found) + "".join(read(rest).splitlines(True)[1:])
        suite.check("terminal: both parts are the whole", together.replace("<stdin>", games) == whole and len(read(rest)) < len(whole),
                    "%d and %d bytes" % (len(together), len(whole)))


def interrupted_in_a_game(suite):
    """A query that does not end is interrupted while it is evaluated, on every engine."""
    for engine in ("interp", "tcc", "cc"):
        started = suite.path(engine + ".cqo")
        query = 'writefile("%s" "x") loop true' % os.path.basename(started)
        search = Session(suite, ["search", "-e", query, GAMES, "-f", "count", "--max-steps", str(10**15), "--engine", engine,
                                 "--allow-files", os.path.dirname(started)])
        suite.check("terminal: a query that does not end begins, " + engine, wait_until(lambda: os.path.exists(started)))
        search.process.send_signal(signal.SIGINT)
        search.text(60)
        suite.check("terminal: interrupted in a game, " + engine, search.process.returncode == -signal.SIGINT, str(search.process.returncode))


# What a terminal obeys, in the forms that it may have: escapes, bells, DEL, C1 controls of UTF-8 and of Latin-1, line ends, and
# characters that turn text around or end a line.
HOSTILE = "\x1b[31m\x07\x7f\u009b\u202e\u2066\u200f\u2028".encode() + b"\x9b2J\xff"
SHOWN = "?[31m????????2J\u00ff"
AS_LATIN1 = "".join(c if c.isprintable() else "?" for c in HOSTILE.decode("latin-1"))  # a value that is not UTF-8


def write_bytes(path, content):
    with open(path, "wb") as out:
        out.write(content)


def is_plain(text):
    return text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable()


def control_characters(suite):
    """What a tag says is shown, not obeyed; a file or a pipe gets it as it is."""
    games = suite.path("control.pgn")
    write_bytes(games, b'[Event "a' + HOSTILE + b'"]\n[Site "caf\xc3\xa9"]\n\n1. e4 {\x1b[2J} Qxx9\x1b[2J e5 *\n')
    own = [["-e", "true", "-f", "pgn"], ["-e", "message(event site)"], ["-e", 'persistent X1 = ""  X1 = event  true', "-f", "none"], ["-e", "true", "--count-by", "event"]]
    for arguments in own + [["-e", "true", "-f", form] for form in ("csv", "tsv", "jsonl")]:
        shown = Session(suite, ["search", games, *arguments]).text()
        suite.check("terminal: no control characters, %s" % " ".join(arguments), "[31m" in shown and is_plain(shown), repr(shown[:2000]))
    shown = Session(suite, ["search", games, "-e", "true", "-f", "pgn"]).text()
    suite.check("terminal: other characters stay", "a" + SHOWN in shown and "caf\u00e9" in shown, repr(shown))
    result = suite.search(games, "-e", "true", "-q")
    suite.check("terminal: a pipe gets all characters", b"a" + HOSTILE in result.out, repr(result.out))
    result = suite.search(games, "-e", "message(event)", "-q")
    suite.check("terminal: messages of queries on standard error", ("a" + AS_LATIN1).encode() in result.err, repr(result.err))
    table = Session(suite, ["search", GAMES, "-e", "mate", "-q", "-f", "csv"]).text()
    suite.check("terminal: line ends of CSV", table.replace("\r\r\n", "\r\n") == suite.search(GAMES, "-e", "mate", "-q", "-f", "csv").text(), repr(table[:300]))


def hostile_names(suite):
    """Names and texts from outside in messages: on a terminal and elsewhere they are one line that nothing obeys."""
    name = HOSTILE.replace(b"\xff", b"") + b"\nx"  # macOS and some file systems refuse other bytes
    shown_name = SHOWN[:-1] + "?x"
    folder = os.fsencode(suite.path("hostile"))
    os.mkdir(folder)
    def at(ending, content):
        path = os.path.join(folder, name + ending)
        write_bytes(path, content)
        return path
    games = at(b".pgn", b"[Event \"x\"]\n[Variant \"" + HOSTILE + b"\"]\n\n1. e4 Qxx9" + HOSTILE + b" e5 *\n")
    query, bad = at(b".cql", b"cql() foo" + HOSTILE + b"\n"), at(b"", b"\x1b[31m")
    matcher, text = at(b".so", b"\x7fELF no" + HOSTILE), at(b".cqldb", b"SQLite format 3\0" + HOSTILE * 20)
    empty, other = at(b"-empty.pgn", b""), os.path.join(folder, b"absent" + name)
    plain = suite.path("plain.cqldb")
    suite.run([suite.cqlgen, "import", GAMES, "-o", plain, "-q"])
    hostile = name.decode("utf-8", "surrogateescape")
    line = hostile[:-2]  # of a query
    commands = [["search", games, "-e", "mate"], ["search", games, "-e", "// dialect: cqli\ncql() mate"], ["search", query, GAMES], ["search", matcher, GAMES],
                ["search", other + b".so", GAMES], ["search", text, "-e", "mate"], ["search", empty, "-e", "mate"], ["search", other, "-e", "mate"],
                ["search", GAMES, "-e", "mate", "-o", games + b"/x"], ["search", GAMES, "-e", "mate", "-o", other + b".odd"],
                ["search", GAMES, "-e", "mate", "--summary", bad + b"/x"], ["search", GAMES, "-e", "mate", "--journal", bad + b"/x", "-o", other],
                ["search", GAMES, "-e", "mate", "--count-by", "year," + line.replace("[", "")], ["search", GAMES, "-e", "mate", "-f", hostile], ["search", GAMES, "-e", "mate", "-f", "csv", "--fields", hostile],
                ["search", GAMES, "-e", 'player "' + line], ["search", GAMES, "-e", 'event ~~ "(' + line + '"'], ["search", GAMES, "-e", "mate" + line],
                ["search", GAMES, "-e", 'sort "' + line + '" ply foo'], ["search", GAMES, "--lim" + hostile], [hostile], ["help", hostile], ["examples", hostile],
                ["merge", bad, "-o", games], ["merge", other, "-o", games], ["info", text], ["info", bad], ["verify", bad], ["verify", other], ["export", bad, "-o", other],
                ["import", games, "-o", other + b".cqldb"], ["import", other, "-o", plain + "2"], ["convert", query], ["convert", other], ["explain", query], ["explain", matcher],
                ["compile", query, "-o", other + b".c"], ["compile", "-e", "mate", "-o", bad + b"/x.c"], ["compile", "-e", "mate", "-o", bad + b"/x.so"],
                ["bench", "-q", "-e", "mate" + line, games], ["bench", "-q", "-e", "mate", other], ["bench", "-q", "-e", "mate", GAMES, "--against", hostile, "--rounds", "1"],
                ["cql", query], ["cql", "-input", other, "-output", games, query], ["cqli", query], ["cqli", "-i", other, "-o", games, query], ["cql", "-" + hostile],
                ["cql", "-gui", "-input", other, query]]
    def check(arguments):
        session, piped = Session(suite, arguments, environment={"NO_COLOR": "1"}).text(), suite.run([suite.cqlgen, *arguments])
        yield "on a terminal", session, session
        yield "in a pipe", (piped.err + (b"" if arguments[0] not in ("cql", "cqli") else piped.out)).decode("utf-8", "surrogateescape"), None
    for arguments, results in suite.map(lambda arguments: list(check(arguments)), commands):
        for place, shown, _ in results:
            title = "terminal: hostile names %s: %r" % (place, [os.fsdecode(a) for a in arguments][:4])
            suite.check(title, is_plain(shown) and re.search(r"\[?31m", shown) and "\nx" not in shown.replace("\r", ""), repr(shown))
    said = suite.run([suite.cqlgen, "search", other, "-e", "mate"]).errors()
    suite.check("terminal: how a name is shown", "absent" + shown_name in said, repr(said))


def names(suite):
    """Where outputs go: through links, never over a query."""
    with tempfile.TemporaryDirectory() as folder:
        query, link, lost = [os.path.join(folder, name) for name in ("q.cql", "link.pgn", "lost.pgn")]
        write(query, "cql() true\n")
        os.symlink("found.pgn", link)
        os.symlink("missing/found.pgn", lost)
        suite.ends("terminal: a link to a file that is not there yet", suite.search(query, GAMES, "-q", "-o", link),
                   also=os.path.islink(link) and os.path.getsize(os.path.join(folder, "found.pgn")) > 1000)
        suite.ends("terminal: a link into a folder that is not there", suite.search(query, GAMES, "-q", "-o", lost), 5, err="No such file",
                   also=os.path.islink(lost))
        for option in (["-o", query, "-f", "csv"], ["-o", os.path.join(folder, "f.csv"), "--summary", query]):
            suite.ends("terminal: a query is not replaced by %s" % option[-2], suite.search(query, GAMES, "-q", *option), 2, err="both a query and an output",
                       also=read(query) == "cql() true\n")


def without_proc(suite):
    """Outputs get their names without /proc, too."""
    hidden = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
    if suite.sanitize:  # the check for leaks needs /proc
        return
    if os.geteuid() != 0 or suite.run(hidden + ["true"]).status != 0:
        print("terminal: no search without /proc; it needs a mount namespace")
        return
    output = suite.path("without-proc.csv")
    suite.ends("terminal: a search without /proc", suite.run(hidden + [suite.cqlgen, "search", "-e", "mate", GAMES, "-o", output, "-q", "--engine", "tcc"]),
               also=read(output).startswith("game,") and (not [n for n in os.listdir(suite.path("")) if n.startswith("without-proc.csv.")]))


def little_memory(suite):
    """A low limit on the stack or on memory: queries nested as deeply as may be are compiled and searched all the same."""
    query = suite.path("deep.cql")
    write(query, "cql() " + "{" * 900 + "check" + "}" * 900)
    expected = suite.search(query, GAMES, "-q", "-f", "count").text()
    for limit, engine in (("-s 256", "tcc"), ("-s 256", "interp"), ("-S -s 256", "interp"), ("-v 200000", "interp")):
        result = suite.run(["sh", "-c", "ulimit %s; exec cqlgen search %s %s -q -f count -j 4 --engine %s --no-cache" % (limit, query, LOCAL, engine)])
        suite.check("terminal: ulimit %s, %s" % (limit, engine), suite.sanitize or (result.status == 0 and result.text() == expected),
                    "%s %s" % (result.status, result.errors()[-300:]))
    result = suite.run(["sh", "-c", "ulimit -s 256; ulimit -v 20000; exec cqlgen search %s %s -q -f count" % (query, LOCAL)])
    suite.check("terminal: not enough memory for a stack", suite.sanitize or (result.status in (7, 127) and not result.text()),
                "%s %s" % (result.status, result.errors()[-300:]))


def limits(suite):
    """A pipe whose reader has had enough, a file that may not grow, a disk that is full."""
    shown = suite.run(["sh", "-c", "cqlgen search -e true %s -f positions | head -1; echo end" % " ".join([LOCAL] * 40)])
    suite.check("terminal: `| head` gets its line, without a complaint", shown.text().splitlines()[1:] == ["end"] and
                "cannot write" not in shown.errors(), shown.text()[:200] + shown.errors())
    shown = suite.run(["sh", "-c", "cqlgen help mate | true; cqlgen help mate | head -1"])
    suite.check("terminal: `help | head` does not complain", shown.errors() == "", shown.errors())
    # closed descriptors: no file that is opened later gets the number, and a result that cannot be written is a failure
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "found.csv")
        search = "cqlgen search -e 'mate' %s -f csv"
        want = suite.run(["sh", "-c", search % LOCAL]).text()
        suite.ends("terminal: 2>&-", suite.run(["sh", "-c", search % LOCAL + " -o %s 2>&- <&-" % output]), 0, "", also=read(output) == want)
        suite.ends("terminal: >&-", suite.run(["sh", "-c", search % LOCAL + " >&-"]), 5, err="cannot write standard output")
        shown = suite.run(["sh", "-c", search % "-" + " <&-"])
        suite.check("terminal: <&-", shown.status == 3 and "cannot read" in shown.errors(), "%d %s" % (shown.status, shown.errors()))
        games = os.path.join(folder, "games.pgn")
        os.mkfifo(games)
        for number, closed in enumerate(("<&-", ">&-", "2>&-")):
            process = subprocess.Popen(["sh", "-c", "exec " + search % games + " " + closed], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env=suite.environment)
            writer, place = None, "the program ended"
            while writer is None and process.poll() is None:
                try:
                    writer = os.open(games, os.O_WRONLY | os.O_NONBLOCK)
                except OSError:  # the program has not opened it yet
                    time.sleep(0.01)
            if writer is not None:
                place = os.readlink("/proc/%d/fd/%d" % (process.pid, number))
                os.close(writer)
            process.communicate()
            suite.check("terminal: the place of descriptor %d" % number, place == "/dev/null", place)
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "found.pgn")
        suite.ends("terminal: a file that may not grow", suite.run(["sh", "-c", "ulimit -f 1; exec cqlgen search -e true %s -q -o %s" % (LOCAL, output)]), 5,
                   err="found.pgn: File too large", also=not os.listdir(folder))
    for form in ("pgn", "count", "html"):
        shown = suite.run(["sh", "-c", "cqlgen search -e true %s -f %s -q >/dev/full" % (LOCAL, form)])
        suite.check("terminal: a full disk, " + form, shown.status == 5 and "No space left" in shown.errors(), shown.errors())


def run(suite):
    for part in (tables, lists, widths, benchmarks, progress, colours, interrupted, interrupted_twice, interrupted_and_continued, interrupted_in_a_game, limits, control_characters, hostile_names,
                 names, without_proc, little_memory):
        part(suite)
