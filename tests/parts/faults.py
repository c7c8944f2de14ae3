"""Calls of the system that fail, in every command: the program says so and leaves nothing half, or is not disturbed, and
the next run gives the right answer."""
import contextlib
import os
import random
import re
import shutil
import tempfile
import threading

from parts.harness import EXAMPLES, read, write

QUERY = r"""cql(input x.pgn)
sort "pawns" #P
player white ~~ "[A-Z].*"
comment("ray " (up 1 P))
find { check and [RQ] attacks k }
dictionary D
D[str(#P)] = "seen"
"""
# Kinds of calls and the ways in which they fail (tests/tools/fault.c).
WAYS = {"memory": ["once", ""], "read": ["once", "", "short", "cut", "grow", "swap"], "write": ["once", "", "short", "stop"], "open": ["once", "", "stop"],
        "name": ["once", "", "stop"], "space": ["once", "", "stop", "cut"], "status": ["once"], "process": ["once"], "load": ["once"],
        "thread": ["once", ""], "sqlite": ["once", "", "stop"]}
HARMLESS = ["short:1", "short:7", "short:4096", "interrupt:2", "interrupt:3"]  # must not change anything
# A system compiler that takes no time: what the real one makes of a text is kept.
COMPILER = """#!/bin/sh
folder=%s input=%s/input.$$ output=
cat >$input
last=
for word in "$@"; do [ "$last" = -o ] && output=$word; last=$word; done
key=$(cksum <$input | tr ' ' -)
if [ -z "$output" ]; then rm $input; exec cc "$@"; fi
if [ ! -e $folder/$key ]; then cc "$@" <$input && cp "$output" $folder/$key.$$ && mv $folder/$key.$$ $folder/$key || exit 1; fi
rm $input
cp $folder/$key "$output"
"""

# Loads the program that embeds the library, and with it the library, as an interpreter does.
LOADER = """#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **argument)
{
    void *library = dlopen("%s", RTLD_NOW | RTLD_GLOBAL); // so that fault.so finds SQLite
    int (*embedded)(int, char **) = library ? (int (*)(int, char **))dlsym(library, "embedded_main") : NULL;
    if (!embedded)
        fputs("cannot load the library\\n", stderr);
    return embedded ? embedded(count, argument) : 1;
}
"""


class Command:
    """A command line, run in a folder with copies of `inputs`. `results` are the files that it makes; `old`: those that exist
    before. `stored`: the database that it makes or adds to. `times`: numbers of the output differ from run to run. `kinds`: of the calls
    that fail; without them all."""

    def __init__(self, name, arguments, inputs=("games.pgn",), results=(), old=False, stored=None, stdin=None, times=False, program=None,
                 cache=False, variables=None, kinds=None):
        self.name, self.arguments, self.inputs, self.results = name, arguments, list(inputs), list(results)
        self.old, self.stored, self.stdin, self.times, self.program, self.cache = old, stored, stdin, times, program, cache
        self.variables, self.kinds = variables or {}, kinds
        # What could be read is written; other commands write all or nothing.
        self.writes_parts = name.startswith(("search", "cql", "bench", "the library"))


SEARCH = ["search", "-j", "1", "-q"]
PACKERS = (("zst", ["zstd", "-q", "-c"]), ("gz", ["gzip", "-c"]), ("bz2", ["bzip2", "-c"]), ("xz", ["xz", "-0", "-c"]))
LARGE = ["large.pgn"] + ["large.pgn." + ending for ending, _ in PACKERS]  # files of several reads
RESTORED = 1000000000  # the time of files that a try begins with: partial results contain it
COMMANDS = [
    Command("search, interp", SEARCH + ["--engine", "interp", "query.cql", "games.pgn", "-o", "found.pgn"], ["query.cql", "games.pgn"], ["found.pgn"]),
    Command("search, tcc, compressed", SEARCH + ["--engine", "tcc", "query.cql", "games.pgn.zst", "-o", "found.pgn.zst"],
            ["query.cql", "games.pgn.zst"], ["found.pgn.zst"], old=True),
    Command("search, cc", SEARCH + ["--engine", "cc", "query.cql", "games.pgn", "-o", "found.pgn"], ["query.cql", "games.pgn"], ["found.pgn"], old=True),
    Command("search, cc kept", SEARCH + ["--engine", "cc", "query.cql", "games.pgn"], ["query.cql", "games.pgn"], cache=True),
    Command("search, auto kept", SEARCH + ["query.cql", "games.pgn"], ["query.cql", "games.pgn"], cache=True),
    Command("search, database", SEARCH + ["--engine", "tcc", "query.cql", "games.cqldb", "-o", "found.pgn"], ["query.cql", "games.cqldb"], ["found.pgn"]),
    Command("search, database by tags", SEARCH + ["--engine", "interp", "-e", 'player "a" elo white > 1300 clock < 200', "games.cqldb", "-f", "count"], ["games.cqldb"]),
    Command("search, several files", SEARCH + ["--engine", "interp", "-e", "check", "games.pgn", "games.pgn.gz", "games.pgn.bz2", "games.pgn.xz", "-f", "positions"],
            ["games.pgn", "games.pgn.gz", "games.pgn.bz2", "games.pgn.xz"]),
    Command("search, threads", ["search", "-q", "-j", "3", "--engine", "interp", "-e", "mate", "games.pgn", "games.cqldb", "-f", "positions"], ["games.pgn", "games.cqldb"]),
    Command("search, several queries", SEARCH + ["--engine", "tcc", "query.cql", "mate.cql", "games.pgn", "--output-dir", "found", "--summary", "table.csv"],
            ["query.cql", "mate.cql", "games.pgn"], ["found/query.pgn", "found/mate.pgn", "table.csv"], times=True),
    Command("search, journal", SEARCH + ["--engine", "interp", "mate.cql", "games.pgn", "--journal", "journal", "-o", "found.pgn"],
            ["mate.cql", "games.pgn"], ["found.pgn"]),
    Command("search, explorer", ["explore", "-q", "-j", "1", "games.pgn", "games.cqldb", "-p", "1.e4", "--plies", "3", "-o", "found.html"], ["games.pgn", "games.cqldb"], results=["found.html"]),
    Command("search, groups", SEARCH + ["--engine", "interp", "-e", "check", "games.pgn", "--count-by", "result,year", "--of-all", "-o", "found.csv"], results=["found.csv"]),
    Command("search, split", SEARCH + ["--engine", "interp", "-e", "mate", "games.pgn", "-o", "by/{Result}.pgn"], results=["by/1-0.pgn", "by/0-1.pgn"]),
    Command("search, part", SEARCH + ["--engine", "interp", "mate.cql", "games.pgn", "--part", "1/1", "-o", "one.part"], ["mate.cql", "games.pgn"], ["one.part"]),
    Command("search, files", SEARCH + ["--engine", "interp", "files.cql", "games.pgn", "-f", "positions", "--allow-commands", "--allow-files", "."],
            ["files.cql", "games.pgn", "words.cqo"], ["written.cqo"]),
    Command("search, list", SEARCH + ["--engine", "interp", "mate.cql", "@list", "-f", "positions"], ["mate.cql", "list", "games.pgn", "more.pgn"]),
    Command("search, long query", SEARCH + ["--engine", "interp", "long.cql", "games.pgn", "-f", "positions"], ["long.cql", "games.pgn"], kinds=["read"]),
    Command("search, similar position", SEARCH + ["--engine", "interp", "similar.cql", "games.pgn", "-f", "positions"], ["similar.cql", "games.pgn", "more.pgn"], kinds=["read"]),
    *[Command("search, " + name, SEARCH + ["--engine", "interp", "-e", "mate", name, "-o", "found.pgn"], [name], ["found.pgn"], kinds=["read"]) for name in LARGE],
    *[Command("search, threads, " + name, ["search", "-q", "-j", "3", "--engine", "interp", "-e", "mate", name, "-f", "positions"], [name], kinds=["read"]) for name in LARGE[:2]],
    *[Command("import, " + name, ["import", "-q", "-j", "1", name, "-o", "new.cqldb"], [name], stored="new.cqldb", results=["new.cqldb"], kinds=["read"]) for name in LARGE],
    Command("export, large", ["export", "large.cqldb", "-o", "out.pgn"], ["large.cqldb"], ["out.pgn"], old=True, kinds=["read"]),
    Command("convert, long query", ["convert", "long.cql", "-o", "newer.cql"], ["long.cql"], ["newer.cql"], old=True, kinds=["read"]),
    Command("compile, long query", ["long.cql", "-o", "made.c"], ["long.cql"], ["made.c"], kinds=["read"]),
    Command("search, matcher", SEARCH + ["matcher.so", "games.pgn", "-f", "positions"], ["matcher.so", "games.pgn"]),
    Command("search, similarposition", SEARCH + ["--engine", "interp", "-e", 'similarposition nosort "more.pgn"', "games.pgn", "-f", "positions"], ["games.pgn", "more.pgn"]),
    Command("search, standard input", SEARCH + ["--engine", "interp", "-e", "mate", "-", "-f", "positions"], [], stdin="games.pgn"),
    *[Command("search, " + form, SEARCH + ["--engine", "interp", "-e", "mate and comment(\"m\")", "games.pgn", "-f", form, "-o", "found." + form],
              results=["found." + form], old=form != "sqlite") for form in ("positions", "count", "jsonl", "csv", "html", "fen", "sqlite")],
    Command("merge", ["merge", "-q", "one.part", "two.part", "-o", "found.pgn"], ["one.part", "two.part"], ["found.pgn"], old=True),
    Command("import", ["import", "-q", "-j", "1", "games.pgn", "-o", "new.cqldb"], stored="new.cqldb", results=["new.cqldb"]),
    Command("import, compressed", ["import", "-q", "games.pgn.zst", "more.pgn", "-o", "new.cqldb"], ["games.pgn.zst", "more.pgn"], stored="new.cqldb", results=["new.cqldb"]),
    Command("import --append", ["import", "-q", "-j", "1", "--append", "more.pgn", "-o", "games.cqldb"], ["more.pgn", "games.cqldb"], stored="games.cqldb",
            results=["games.cqldb"]),
    Command("export", ["export", "games.cqldb", "-o", "out.pgn"], ["games.cqldb"], ["out.pgn"], old=True),
    Command("export to standard output", ["export", "games.cqldb"], ["games.cqldb"]),
    Command("info", ["info", "games.cqldb"], ["games.cqldb"]),
    Command("info --names", ["info", "--names", "games.cqldb"], ["games.cqldb"]),
    Command("duplicates", ["duplicates", "-q", "-j", "1", "games.pgn", "games.cqldb", "-f", "csv"], ["games.pgn", "games.cqldb"]),
    Command("duplicates, clean", ["duplicates", "-q", "-j", "1", "games.pgn", "games.cqldb", "-o", "out.pgn"], ["games.pgn", "games.cqldb"], ["out.pgn"], old=True),
    Command("import --skip-duplicates", ["import", "-q", "-j", "1", "--skip-duplicates", "games.pgn", "more.pgn", "-o", "new.cqldb"], ["games.pgn", "more.pgn"],
            stored="new.cqldb", results=["new.cqldb"]),
    Command("verify", ["verify", "games.cqldb"], ["games.cqldb"]),
    Command("explain", ["explain", "query.cql"], ["query.cql"]),
    Command("convert", ["convert", "older.cql", "-o", "newer.cql"], ["older.cql"], ["newer.cql"], old=True),
    Command("convert to standard output", ["convert", "older.cql"], ["older.cql"]),
    Command("compile to .so", ["query.cql", "-o", "made.so"], ["query.cql"], ["made.so"], old=True),
    Command("compile to .c", ["query.cql", "--standalone", "-o", "made.c"], ["query.cql"], ["made.c"], old=True),
    Command("bench", ["bench", "-q", "--rounds", "1", "--seconds", "1", "--engines", "interp,tcc", "mate.cql", "games.pgn", "-f", "csv", "-o", "report.csv"],
            ["mate.cql", "games.pgn"], ["report.csv"], times=True),
    Command("help", ["help"], []),
    Command("help attacks", ["help", "attacks"], []),
    Command("examples", ["examples"], []),
    Command("examples back-rank", ["examples", "back-rank"], []),
    Command("--version", ["--version"], []),
    Command("completion", ["help", "--completion", "bash"], []),
    Command("cql", ["cql", "-i", "games.pgn", "-o", "found.pgn", "-cql", "mate"], results=["found.pgn"], old=True, times=True),
    Command("cql -gui", ["cql", "-gui", "-guipgnstdin", "-guipgnstdout", "-silent", "mate6.cql"], ["mate6.cql"], stdin="games.pgn", times=True),
    Command("cqli", ["cqli", "-i", "games.pgn", "-o", "found.pgn", "--nosort", "--cql", "mate"], results=["found.pgn"], old=True, times=True),
    Command("cqli --append", ["cqli", "-i", "games.pgn", "-a", "found.pgn", "--nosort", "--cql", "mate"], results=["found.pgn"], old=True, times=True),
    Command("the library", ["check and comment(up 1 P)", "games.pgn", "games.cqldb"], ["games.pgn", "games.cqldb"], program="embed", times=True),
    Command("the library, loaded later", ["check and comment(up 1 P)", "games.pgn", "games.cqldb"], ["games.pgn", "games.cqldb"], program="loader", times=True),
]


class Folder:
    """The files in a folder and those below it. What has not changed is not read again."""

    def __init__(self, path):
        self.path, self.known = path, {}

    def files(self):
        """Name -> contents."""
        found = {}
        for path, _, names in os.walk(self.path):
            for name in names:
                place = os.path.join(path, name)
                status = os.lstat(place)
                mark = (status.st_ino, status.st_mtime_ns, status.st_size)
                if self.known.get(place, (None,))[0] != mark:
                    with open(place, "rb") as f:
                        self.known[place] = (mark, f.read())
                found[os.path.relpath(place, self.path)] = self.known[place][1]
        return found

    def restore(self, wanted):
        """Makes the files those that are wanted."""
        now = self.files()
        for name in now.keys() - wanted.keys():
            os.remove(os.path.join(self.path, name))
        for path, names, _ in os.walk(self.path, topdown=False):
            for name in names:
                if not os.listdir(os.path.join(path, name)):
                    os.rmdir(os.path.join(path, name))
        for name, content in wanted.items():
            if now.get(name) is not content and now.get(name) != content:
                place = os.path.join(self.path, name)
                os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
                with open(place, "wb") as f:
                    f.write(content)
                os.utime(place, (RESTORED, RESTORED))
                self.known.pop(place, None)


class Ground:
    """The files of which each try gets copies."""

    def __init__(self, suite):
        self.suite, self.library = suite, suite.fault
        self.root = suite.path("faults")
        self.template = os.path.join(self.root, "template")
        for folder in ("template", "tmp", "cache", "made"):
            os.makedirs(os.path.join(self.root, folder), mode=0o700)
        self.compiler = os.path.join(self.root, "compiler")
        write(self.compiler, COMPILER % (os.path.join(self.root, "made"), os.path.join(self.root, "made")))
        os.chmod(self.compiler, 0o755)
        self.make()
        self.own = threading.local()
        self.spare = []

    def path(self, name):
        return os.path.join(self.template, name)

    @contextlib.contextmanager
    def folders(self):
        """Gives this thread folders of its own."""
        try:
            self.own.folders = self.spare.pop()
        except IndexError:
            root = tempfile.mkdtemp(prefix="try-", dir=self.root)
            for name in ("work", "tmp", "cache"):
                os.mkdir(os.path.join(root, name), mode=0o700)
            self.own.folders = root, Folder(os.path.join(root, "work")), Folder(os.path.join(root, "cache"))
        yield
        self.spare.append(self.own.folders)

    def make(self):
        suite = self.suite
        games = read(os.path.join(EXAMPLES, "games.pgn"))
        games += "".join('[White "a"]\n[WhiteElo "1%d00"]\n\n1. e4 {[%%clk 0:0%d:00]} e5 {[%%clk 0:01:00]} 2. Ke2 (2. a3 Qh4 {x}) *\n\n' % (n, n) for n in range(5))
        write(self.path("games.pgn"), games)
        write(self.path("more.pgn"), games[:games.index("[Event", 2000)])
        write(self.path("query.cql"), QUERY)
        write(self.path("mate.cql"), "mate\n")
        write(self.path("mate6.cql"), "cql(input games.pgn) mate\n")
        write(self.path("older.cql"), '; dialect: cql3\n(match (position :mate :flipcolor :attackcount N k 1))\n')
        write(self.path("files.cql"), 'sort "n" #P\ngamenumber < 4\nx = readfile "words.cqo"\nwritefile("written.cqo" "seen")\n"word" == commandpipe("cat" "word")\n')
        write(self.path("words.cqo"), "word")
        write(self.path("list"), "games.pgn\nmore.pgn\n")
        write(self.path("similar.cql"), 'cql() similarposition nosort "more.pgn"\n')
        write(self.path("long.cql"), "// A comment that fills the file.\n" * 2000 + "check\n" + "// Another one.\n" * 4000 + "mate\n")
        write(self.path("large.pgn"), games + self.large_games())
        for name in "games.pgn", "large.pgn":
            for ending, packer in PACKERS:
                with open(self.path(name + "." + ending), "wb") as f:
                    f.write(suite.run([*packer, self.path(name)]).out)
        for arguments in (["import", "-q", "games.pgn", "-o", "games.cqldb"], ["import", "-q", "large.pgn", "-o", "large.cqldb"], ["query.cql", "-o", "matcher.so"],
                          *[SEARCH + ["mate.cql", "games.pgn", "--part", "%d/2" % n, "-o", name] for n, name in ((1, "one.part"), (2, "two.part"))]):
            suite.ends("faults: " + " ".join(arguments[:2]), suite.run([suite.cqlgen, *arguments], cwd=self.template))
        environment = {"CC": self.compiler, "XDG_CACHE_HOME": os.path.join(self.root, "cache")}
        suite.run([suite.cqlgen, *SEARCH, "--engine", "cc", "query.cql", "games.pgn"], cwd=self.template, environment=environment)
        self.files, kept = Folder(self.template).files(), Folder(environment["XDG_CACHE_HOME"]).files()
        self.cache = {name: content for name, content in kept.items() if name.startswith("cqlgen")}

    @staticmethod
    def large_games():
        """Games that do not become much shorter by compression."""
        chance = random.Random(1)
        return "".join('[White "w%d"]\n[Result "0-1"]\n\n1. f3 {%s} e5 2. g4 Qh4# 0-1\n\n' % (n, "%0900x" % chance.getrandbits(3600)) for n in range(2500))

    def build(self, program, *arguments):
        built = self.suite.run(["cc", "-O1", "-I", os.path.join(self.suite.out, "include"), *arguments, "-o", program])
        self.suite.check("faults: " + os.path.basename(program), built.status == 0, built.errors())

    def embedding(self, name):
        """A program that uses the library: `embed`, or `loader`, which loads that one when it has begun."""
        program, source = os.path.join(self.root, name), os.path.join("examples", "embed", "search.c")
        library = ["-L", self.suite.out, "-lcqlgen", "-Wl,-rpath," + self.suite.out]
        if os.path.exists(program):
            return program
        if name == "embed":
            self.build(program, source, *library)
        else:
            self.build(program + ".so", "-shared", "-fPIC", "-Dmain=embedded_main", source, *library)
            write(program + ".c", LOADER % (program + ".so"))
            self.build(program, program + ".c")
        return program


class Try:
    """What a run of a command leaves."""

    def __init__(self, result, files, cache, temporary, log):
        self.result, self.files, self.cache, self.temporary, self.log = result, files, cache, temporary, log


class Faults:
    def __init__(self, ground, command):
        self.ground, self.suite, self.command = ground, ground.suite, command
        self.proved = set()  # states in which the next run is right
        self.tries = 0
        self.program = ground.embedding(command.program) if command.program else self.suite.cqlgen
        self.name = "faults of %s: " % command.name

    def folders(self):
        """The folders of this thread: root, work, cache."""
        return self.ground.own.folders

    def prepare(self):
        root, work, cache = self.folders()
        work.restore(self.initial)
        cache.restore(self.ground.cache if self.command.cache else {})
        for name in os.listdir(os.path.join(root, "tmp")):
            place = os.path.join(root, "tmp", name)
            (shutil.rmtree if os.path.isdir(place) else os.remove)(place)

    def run(self, fault, arguments=None):
        """Runs the command, or others, in the folder as it is."""
        root, work, cache = self.folders()
        temporary, log = os.path.join(root, "tmp"), os.path.join(root, "log")
        if os.path.exists(log):
            os.remove(log)
        environment = dict(self.command.variables, TMPDIR=temporary, XDG_CACHE_HOME=cache.path, CC=self.ground.compiler, CQLGEN_CHECK="")
        if fault:
            environment.update(LD_PRELOAD=self.ground.library, CQLGEN_FAULT=fault, CQLGEN_FAULT_LOG=log)
        stdin = b""
        if self.command.stdin:
            with open(self.ground.path(self.command.stdin), "rb") as f:
                stdin = f.read()
        result = self.suite.run([self.program, *(arguments or self.command.arguments)], stdin=stdin, cwd=work.path, environment=environment, timeout=60)
        self.tries += 1
        noted = read(log) if os.path.exists(log) else ""
        kept = {name: content for name, content in cache.files().items() if name.startswith("cqlgen")}
        return Try(result, work.files(), kept, os.listdir(temporary), noted)

    def same(self, a, b):
        """Two texts are the same, but for times."""
        def without(text):
            return re.sub(rb"(?<=,)(?=,)|[\d.]+", b"N", text)

        return a == b or self.command.times and without(a) == without(b)

    def right(self, done, left=()):
        """Why a run did not give what it should, or None. left: files that may be there, too."""
        if done.result.status != self.whole.result.status:
            return "ends with %s: %s" % (done.result.status, done.result.errors()[-200:])
        if not self.same(done.result.out, self.whole.result.out):
            return "prints something else: %r" % done.result.out[-200:]
        for name in set(done.files) - set(left) ^ set(self.whole.files):
            return "%s %s" % ("leaves" if name in done.files else "does not write", name)
        for name, content in self.whole.files.items():
            content = done.files[name]
            if not self.same(content, self.whole.files[name]) and (name != self.command.stored or self.games() != self.stored[1]):
                return "%s is another (%d and %d bytes)" % (name, len(content), len(self.whole.files[name]))
        return None

    def games(self):
        """The games of the database that the command makes; None when they cannot be had."""
        place = os.path.join(self.folders()[1].path, self.command.stored)
        if not os.path.exists(place):
            return None
        with tempfile.TemporaryDirectory() as folder:
            if os.path.exists(place + "-journal"):  # only an import undoes the last step of one that was cut off
                for end in ("-journal", ""):
                    shutil.copy(place + end, os.path.join(folder, "undone" + end))
                place = os.path.join(folder, "undone")
                self.suite.run([self.suite.cqlgen, "import", os.devnull, "-q", "--append", "-o", place])
            result = self.suite.run([self.suite.cqlgen, "export", place])
            return result.out if result.status == 0 and self.suite.run([self.suite.cqlgen, "verify", place]).status == 0 else None

    def changed(self, done):
        """Why the end of a run in which an input was changed is not a good one, or None: it may have read the old file, the new one, or say
        that it could not."""
        result, command = done.result, self.command
        if result.status != 0:
            if not result.err.strip() and not result.out.strip():
                return "ends with %d without a message" % result.status
            for name in [] if command.writes_parts or command.stored else command.results:
                if done.files.get(name) != self.initial.get(name):
                    return "ends with %d and leaves a part of %s" % (result.status, name)
            return None
        if command.stored:
            return None if self.games() is not None else "leaves a damaged database"
        again = self.run(None)
        for wanted, files in (self.whole, self.whole.files), (again, again.files):
            if self.same(result.out, wanted.result.out) and all(self.same(done.files.get(name, b""), files.get(name, b"")) for name in command.results):
                return None
        return "ends with 0, and gives neither the old answer nor the new one: %r" % result.out[-200:]

    def sound(self, fault, done):
        """Why the end of a run with a fault is not a good one, or None."""
        result, command = done.result, self.command
        killed = fault.endswith("stop") and result.status == -9
        # 127: the dynamic linker has no memory for thread-local data
        if (result.crashed() or result.status == 127) and not killed:
            return "ends with %s: %s" % (result.status, result.errors()[-300:])
        changed = done.log.startswith("changed /") and done.log[len("changed /"):-1]
        if changed:
            return self.changed(done) if changed in command.inputs and changed not in command.results else None
        if done.log == "cut\n":  # the input is gone
            return None if result.status == 0 or result.err.strip() else "ends with %d without a message" % result.status
        kept = {"journal"} if result.status != 0 else set()
        if command.stored:
            kept.add(command.stored + "-journal")  # of an import that was cut off
        left = sorted(set(done.files) - set(self.initial) - set(command.results) - kept)
        unremovable = killed or fault[:5] == "name:" or fault[:5] == "open:" and command.name == "bench"
        if result.status == self.whole.result.status:
            why = self.right(done, left if unremovable else ())
            goes_on = command.program and result.err or b"commandpipe: " in result.err  # without this input or program
            if why and not goes_on:
                return "ends with %d, but %s %s" % (result.status, why, result.errors()[-200:])
        elif not killed and not result.err.strip() and not (command.name[:3] in ("cql", "ver") and result.out.strip()):
            return "ends with %d without a message" % result.status
        left += done.temporary + [name for name in done.cache if not name.endswith(".so")]
        if left and not unremovable:
            return "leaves %s" % left
        for name in command.results:
            if name == command.stored or (result.status in (3, 4) and command.writes_parts) or (command.name, result.status) == ("bench", 1) or command.name[:3] == "cql" and b"cannot" in result.out + result.err:
                continue
            now = done.files.get(name)
            if now != self.initial.get(name) and (now is None or not self.same(now, self.whole.files[name])) and name not in ("journal", "written.cqo"):
                return "ends with %s and leaves a part of %s (%s bytes)" % (result.status, name, "no" if now is None else len(now))
        return self.next_run(done, left)

    def state(self, done):
        return tuple(sorted((n, hash(c)) for n, c in [*done.files.items(), *done.cache.items()]))

    def next_run(self, done, left):
        """Why the next run does not give the right answer, or None."""
        state = self.state(done)
        if state in self.proved:
            return None
        why = self.next_import() if self.command.stored else self.right(self.run(None), left)
        if not why:
            self.proved.add(state)
        return why and "then the next run " + why

    def next_import(self):
        """The database has all of what is imported, or nothing, and the next import adds what is missing."""
        self.run(None, ["info", self.command.stored])
        if self.games() == self.stored[1]:
            return None
        if self.stored[0] is not None and not self.is_between(self.games()):
            return "finds a damaged database"
        again = self.run(None)
        if again.result.status != 0:
            return "ends with %s: %s" % (again.result.status, again.result.errors()[-200:])
        return None if self.games() == self.stored[1] else "imports other games"

    def is_between(self, games):
        """The games from before, and perhaps the first of those that are added: the last one of a file that cannot be read may be cut."""
        return games is not None and games.startswith(self.stored[0]) and self.stored[1].startswith(games)

    def attempt(self, fault):
        with self.ground.folders():
            self.prepare()
            done = self.run(fault)
            why = self.sound(fault, done)
        if not why and fault in HARMLESS and done.result.status != self.whole.result.status:
            why = "ends with %s: %s" % (done.result.status, done.result.errors()[-300:])
        return done.log, why

    def faults(self, most):
        """All faults; or those of the first call from each place of the program, or from a third of them; or a sample: of each kind and
        way, of the first calls and of all."""
        every, count, places = list(HARMLESS), {}, {}
        for kind, calls, *first in map(str.split, self.log.splitlines()):
            count[kind], places[kind] = int(calls), sorted(map(int, first))
        groups = [(kind, ":" + way if way else "", count[kind]) for kind, ways in WAYS.items() for way in ways
                  if count[kind] and (self.command.kinds is None or kind in self.command.kinds)]
        if most in ("places", "a fifteenth of the places"):
            groups = [group for group in groups if group[:2] != ("memory", "")]  # memory that is missing once is missing
            found = ["%s:%d%s" % (kind, n, way) for kind, way, _ in groups for n in places[kind]]
            return every + (found if most == "places" else self.suite.some(found, 1, 1, full=15))
        if most == "all":
            return every + ["%s:%d%s" % (kind, n, way) for kind, way, calls in groups for n in range(1, calls + 1)]
        chance = random.Random("%s %s" % (os.environ.get("CQLGEN_SEED", "1"), self.command.name))
        found = chance.sample(every[1:], 1)
        for _ in range(most):
            kind, way, calls = chance.choice(groups)
            found.append("%s:%d%s" % (kind, chance.randint(1, chance.choice([calls, min(calls, 12)])), way))
        return sorted(set(found))

    def undisturbed(self):
        """Counts the calls; what an undisturbed run gives is the measure."""
        with self.ground.folders():
            self.initial = {name: self.ground.files[name] for name in self.command.inputs}
            if self.command.old:
                self.initial.update((name, b"old\n") for name in self.command.results)
            self.prepare()
            self.stored = [self.games(), None] if self.command.stored else None
            self.whole = self.run("count")
            if self.stored:
                self.stored[1] = self.games()
            self.proved.add(self.state(self.whole))
            self.log = self.whole.log
        good = self.whole.result.status == 0 and all(name in self.whole.files for name in self.command.results)
        return self.suite.check(self.name + "without one", good, "status %s: %s %s" % (self.whole.result.status, self.whole.result.errors()[-300:],
                                                                                       sorted(self.whole.files)))

    def test(self, most):
        if not self.undisturbed():
            return
        for fault, (log, why) in self.suite.map(self.attempt, self.faults(most)):
            self.suite.check(self.name + fault, why is None, "%s: %s" % (log.strip(), why))


def run(suite):
    ground = Ground(suite)
    wanted = os.environ.get("FAULTS", "")
    for command in COMMANDS:
        if wanted not in ("", "all", "places") and not re.search(wanted, command.name):
            continue
        faults = Faults(ground, command)
        faults.test("places" if wanted == "places" else "all" if wanted else suite.size(full="a fifteenth of the places", quick=8, sanitize=0))
        if suite.verbose or wanted:
            print("faults of %s: %d runs" % (command.name, faults.tries), flush=True)
