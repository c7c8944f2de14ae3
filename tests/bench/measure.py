"""Programs under the clock, and the games they run over.

All rates are the best of several rounds in which the candidates take turns, so that a busy machine slows all of them alike.
"""
import os
import re
import sqlite3
import subprocess
import tempfile
import time

ENGINES = ("interp", "tcc", "cc")
SHORTEST = 0.001  # seconds that can be measured


class Failed(Exception):
    """A command did not do what it was to do; the message is its own."""


class Program:
    """A cqlgen with a cache of its own."""

    def __init__(self, path, folder):
        self.path = os.path.abspath(path)
        if not os.access(self.path, os.X_OK):
            raise Failed("%s: cannot be run" % path)
        self.folder, self.processor = tempfile.mkdtemp(dir=folder), 0
        self.environment = dict(os.environ, XDG_CACHE_HOME=self.folder, NO_COLOR="1")
        self.answer_file = os.path.join(self.folder, "answer")
        self.help = self.output("help", "search")

    def output(self, *arguments):
        done = subprocess.run([self.path, *arguments], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise Failed("%s %s: %s" % (self.path, " ".join(arguments)[:200], done.stderr[:500]))
        return done.stdout

    def knows(self, option):
        return re.search(r"(^|\s)%s\b" % option, self.help) is not None

    def seconds(self, *arguments, compiler=None):
        """The time of one run by the clock. Its processor time is in self.processor, its output in self.answer()."""
        environment = dict(self.environment, CC=compiler) if compiler else self.environment
        with open(self.answer_file, "w") as answer:
            start = time.perf_counter()
            process = subprocess.Popen([self.path, *arguments], env=environment, stdout=answer, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            end = time.perf_counter()
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 4):  # 4: the query failed in some games
            raise Failed("%s %s: status %d" % (self.path, " ".join(arguments)[:300], process.returncode))
        self.processor = usage.ru_utime + usage.ru_stime
        return end - start

    def work(self, *arguments):
        """The processor time of one run."""
        self.seconds(*arguments)
        return self.processor

    def answer(self):
        with open(self.answer_file) as answer:
            return answer.read()


class Games:
    """The same games as PGN and, for each program, as a database."""

    def __init__(self, path):
        self.path, self.pgn = path, path + ".pgn"
        self.bytes = os.path.getsize(self.pgn)
        self.databases = {}
        self.games = self.positions = 0

    def import_with(self, program, threads=2):
        """Makes the database; returns the time that took."""
        database = "%s-%d.cqldb" % (self.path, len(self.databases))
        database = self.databases.setdefault(program, database)
        if os.path.exists(database):
            os.remove(database)
        seconds = program.seconds("import", self.pgn, "-o", database, "-q", "-j", str(threads))
        connection = sqlite3.connect(database)
        self.games, plies = connection.execute("select count(*), sum(ply_count) from game").fetchone()
        connection.close()
        self.positions = self.games + plies
        return seconds

    def file(self, program, source):
        return self.pgn if source == "pgn" else self.databases[program]


def copy_games(text, count):
    """The first games of a PGN text."""
    end = 0
    for _ in range(count):
        end = text.find(b"\n[Event ", end + 1)
        if end < 0:
            return text
    return text[:end]


def text_of(program, name):
    if not name.endswith(".cqldb"):
        with open(name, "rb") as f:
            return f.read()
    program.seconds("export", name)
    with open(program.answer_file, "rb") as f:
        return f.read()


class Data:
    """Inputs of ascending size: one game, some games, all, and all repeated up to some megabytes."""

    def __init__(self, inputs, folder, programs, megabytes):
        self.folder = folder
        whole = b"".join(text_of(programs[0], name).rstrip() + b"\n\n" for name in inputs)
        if b"[Event " not in whole:
            raise Failed("no games in " + " ".join(inputs))
        self.sizes = []
        for count in (1, 200, 2000):
            part = copy_games(whole, count)
            if len(part) < len(whole):
                self.make(str(count), part)
        self.base = self.make("all", whole)
        times = round(megabytes * 1e6 / len(whole))
        if times > 1:
            self.make("repeated", whole, times)
        self.one, self.large = self.sizes[0], self.sizes[-1]
        for games in self.sizes:
            for program in programs:
                games.import_with(program)

    def make(self, name, text, times=1):
        path = os.path.join(self.folder, name)
        with open(path + ".pgn", "wb") as f:
            for _ in range(times):
                f.write(text)
        self.sizes.append(Games(path))
        return self.sizes[-1]


def narrow_compiler():
    """The C compiler, as if the processor had no wide vectors; None when there is none."""
    command = os.environ.get("CC", "cc") + " -U__AVX512F__"
    try:
        done = subprocess.run([*command.split(), "-E", "-x", "c", os.devnull], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return None
    return command if done.returncode == 0 else None


class Best:
    """The shortest times of some runs."""

    def __init__(self):
        self.clock = self.work = float("inf")

    def note(self, clock, work):
        self.clock, self.work = min(self.clock, clock), min(self.work, work)


class Search:
    """One way to run a query. Its rate is that of the search alone: the time over as many copies of one game is what programs need
    to start and to open their files. One thread is measured by processor time, which other programs disturb least."""

    def __init__(self, program, query, source, engine="cc", threads=1, options=()):
        self.program, self.query, self.source, self.threads = program, query, source, threads
        self.compiler = narrow_compiler() if engine == "scalar" else None
        self.words = ["search", *query, "--engine", "cc" if engine == "scalar" else engine, "-j", str(threads), "-f", "count", "-q", *options]
        if source == "exact":
            self.words.append("--no-prefilter")
        self.games, self.copies = None, 1
        self.start, self.time = Best(), Best()
        self.share = None  # of the games that match

    def run(self, games, copies=1, best=None):
        """The processor time of one thread, the time of several by the clock."""
        best = best or Best()
        files = [games.file(self.program, self.source)] * copies
        clock = self.program.seconds(*self.words, *files, compiler=self.compiler)
        best.note(clock, self.program.processor if self.threads == 1 else clock)
        return best.work

    def prepare(self, data, budget):
        """Chooses an input that takes about `budget` seconds. Fills the cache of compiled queries, too."""
        self.data = data
        self.run(data.one)
        start = min(self.run(data.one) for _ in range(3))
        for place, self.games in enumerate(data.sizes):
            if place == 0 and len(data.sizes) > 1:
                continue
            seconds = max(min(self.run(self.games) for _ in range(2)) - start, 1e-4)
            self.share = int(self.program.answer()) / self.games.games
            larger = data.sizes[place + 1 :][:1]
            measurable = seconds > max(SHORTEST, start / 2)
            if larger and measurable and seconds * larger[0].positions / self.games.positions > budget:
                break
        self.copies = max(1, min(round(budget / seconds), 40))

    def round(self):
        self.run(self.data.one, self.copies, self.start)
        self.run(self.games, self.copies, self.time)

    def rate(self, of="work"):
        """Positions a second; None when the search is too short to be measured."""
        start, end = getattr(self.start, of), getattr(self.time, of)
        return self.copies * self.games.positions / (end - start) if end - start > max(SHORTEST, start / 4) else None


class Bare:
    """The bare loop (bare.h), the yardstick; measured again in each part."""

    def __init__(self, program, data):
        self.command = [program, "--bare", "--seconds", "0.15", "--rounds", "2", data.base.pgn]
        self.plain = self.tuned = 0

    def round(self):
        text = subprocess.run(self.command, stdout=subprocess.PIPE, text=True, check=True).stdout
        plain, tuned = (float(n) * 1e6 for n in re.findall(r": +([0-9.]+) million", text))
        self.plain, self.tuned = max(self.plain, plain), max(self.tuned, tuned)
