"""The system compiler in the background and its cache: a search never waits for the compiler, leaves nothing of it, and uses what
is complete; the cache stays within its bounds and distrusts what it did not write."""
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time

from parts.harness import EXAMPLES, read, write

GAMES = os.path.join(EXAMPLES, "games.pgn")
QUERY = "mate N attacks k"
FOUND = "4: 13\n7: 11\n"
DISTRUSTED = ("cqlgen: compiled queries are not kept: others can change what is in %s; take their permission away (chmod go-w), "
              "or set XDG_CACHE_HOME to a folder of your own\n")
SLOW = """#!/bin/sh
# a compiler that takes its time, in three processes, with a temporary file
echo half > "$TMPDIR/half.s"
(echo more > "$TMPDIR/more.s"; sleep 30) &
echo $$ $! > %s
sleep 30
"""


class Place:
    """A cache and a folder for temporary files, for one test."""

    def __init__(self, suite, name):
        self.suite, self.name = suite, name
        self.root = suite.path("cache-" + name)
        self.cache, self.temporary = os.path.join(self.root, "cache"), os.path.join(self.root, "tmp")
        self.folder = os.path.join(self.cache, "cqlgen")
        os.makedirs(self.temporary)
        os.makedirs(self.cache, mode=0o700)
        self.environment = dict(suite.environment, XDG_CACHE_HOME=self.cache, TMPDIR=self.temporary)
        self.pids = os.path.join(self.root, "pids")
        self.slow = os.path.join(self.root, "slow-cc")
        write(self.slow, SLOW % self.pids)
        os.chmod(self.slow, 0o755)

    def objects(self):
        return sorted(f for f in os.listdir(self.folder) if f.endswith(".so")) if os.path.isdir(self.folder) else []

    def search(self, *arguments, **environment):
        return self.suite.run([self.suite.cqlgen, "search", "-e", QUERY, GAMES, "-f", "positions", *arguments], timeout=60,
                              cwd=self.root, environment=dict(self.environment, **environment))

    def right(self, name, result):
        self.suite.check("cache: " + name, result.status == 0 and result.text() == FOUND, "%s %s" % (result.status, result.errors()[:300]))

    def compiles(self):
        """The slow compiler has begun, and started its process."""
        return os.path.exists(self.pids) and len(read(self.pids).split()) == 2

    def clean(self, name):
        """Nothing is left of a build, no process runs any more."""
        left = os.listdir(self.temporary) + (os.listdir(self.folder) if os.path.isdir(self.folder) else [])
        self.suite.check("cache: %s leaves no files" % name, not left, str(left))
        pids = read(self.pids).split() if os.path.exists(self.pids) else []
        ended = len(pids) == 2 and wait_for(lambda: not any(map(runs, pids)), 10)  # they have been killed, and end
        self.suite.check("cache: %s leaves no processes" % name, ended, str(pids))


def runs(pid):
    try:
        with open("/proc/%s/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_for(condition, seconds=60):
    end = time.time() + seconds
    while not condition() and time.time() < end:
        time.sleep(0.01)
    return condition()


def start(place, *command, **environment):
    return subprocess.Popen([place.suite.cqlgen, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=dict(place.environment, **environment))


def finish(process, data=None):
    """(status, stdout, stderr); a process that does not end is killed."""
    try:
        out, err = process.communicate(data, timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        return None, out.decode(), err.decode()
    return process.returncode, out.decode(), err.decode()


def long_search(place, *arguments, **environment):
    """A search whose games have not all come yet."""
    process = start(place, "search", "-e", QUERY, "-", "-f", "positions", *arguments, **environment)
    process.stdin.write(read(GAMES).encode())
    process.stdin.flush()
    return process


def background(suite):
    processors, own = len(os.sched_getaffinity(0)), os.nice(0)
    for no_cache, threads in (((), 1), (("--no-cache",), processors)):
        place = Place(suite, "slow%d" % len(no_cache))
        process = long_search(place, *no_cache, "-j", str(threads), CC=place.slow)
        suite.check("cache: the compiler starts", wait_for(place.compiles))
        behind = min(own + 10 * (threads < processors), 19)  # only on a processor that the search leaves to others
        pid = int(read(place.pids).split()[0])
        reached = wait_for(lambda: os.getpriority(os.PRIO_PROCESS, pid) == behind, 10)  # it is set when the compiler has begun
        suite.check("cache: the niceness of a compiler besides %d threads" % threads, reached, str(os.getpriority(os.PRIO_PROCESS, pid)))
        status, out, err = finish(process)
        suite.check("cache: the search ends before the compiler", status == 0 and out == FOUND and "tcc)" in err, "%s %s" % (status, err))
        place.clean("a search that ends first")
    for number in (signal.SIGINT, signal.SIGTERM):
        place = Place(suite, "signal%d" % number)
        process = long_search(place, CC=place.slow)
        wait_for(lambda: os.path.exists(place.pids) and read(place.pids).strip())
        process.send_signal(number)
        wait_for(lambda: process.poll() is not None, 20)  # its input is still open
        status, _, err = finish(process)
        suite.check("cache: signal %d ends a search that compiles" % number, status == -number, "%s %s" % (status, err))
        place.clean("signal %d" % number)
    place = Place(suite, "ready")
    process = long_search(place)
    if suite.check("cache: the compiler finishes", wait_for(place.objects)):
        time.sleep(1.5)  # the matcher is loaded
        status, out, err = finish(process, read(GAMES).encode() * 20)
        suite.check("cache: the faster matcher takes over", status == 0 and out.startswith(FOUND) and " cc)" in err, "%s %s" % (status, err))
        result = place.search()
        suite.check("cache: it is there for the next search", " cc)" in result.errors() and result.text() == FOUND, result.errors())
        suite.check("cache: one object", os.listdir(place.folder) == place.objects() and len(place.objects()) == 1, str(os.listdir(place.folder)))
        result = place.search("--no-cache")
        suite.check("cache: --no-cache does not use it", " tcc)" in result.errors() and result.text() == FOUND, result.errors())
    else:
        finish(process)
    within_chunk(suite)


def within_chunk(suite):
    """The faster matcher takes over between two games of a database's chunk, and finds the same."""
    place, games, database = Place(suite, "chunk"), suite.path("chunk.pgn"), suite.path("chunk.cqldb")
    suite.generate(games, seed=3, games=1500)
    suite.run([suite.cqlgen, "import", games, "-o", database, "-q"])
    words = ["-e", "echo (s t) {s < t distance(s t) > 5 s:#(A attacks a) == #(A attacks a) s:#(a attacks A) == #(a attacks A)}", database, "-f", "positions", "-j", "1"]
    environment = dict(place.environment)
    wanted = suite.search(*words, "--engine", "tcc", "-q", environment=environment)
    result = suite.search(*words, environment=environment)
    suite.check("cache: the faster matcher in a chunk finds the same", result.status == 0 and result.out == wanted.out and len(wanted.out) > 0, result.errors())


def foreground(suite):
    """A signal while a command waits for the compiler."""
    output = suite.path("slow.so")
    commands = {"search": ["search", "-e", QUERY, GAMES, "--engine", "cc"], "compile": ["compile", "-e", QUERY, "-o", output]}
    for name, command in commands.items():
        place = Place(suite, "foreground-" + name)
        process = start(place, *command, CC=place.slow)
        wait_for(lambda: os.path.exists(place.pids) and read(place.pids).strip())
        if name == "compile":
            wait_for(lambda: os.path.exists(os.path.join(place.temporary, "more.s")))
        process.send_signal(signal.SIGTERM)
        status, _, err = finish(process)
        suite.check("cache: a signal ends " + name, status == -signal.SIGTERM and not err, "%s %s" % (status, err))
        if name == "compile":
            for file in ("half.s", "more.s"):  # in the TMPDIR of the caller
                os.remove(os.path.join(place.temporary, file))
            suite.check("cache: nothing is compiled", not [f for f in os.listdir(suite.path("")) if f.startswith("slow.so")])
        place.clean("an interrupted " + name)


def limited(suite):
    """--max-seconds ends what would not end before: a reader that waits, the front end, the system compiler."""
    output, long = suite.path("limited.so"), suite.path("long.cql")
    message = "cqlgen: --max-seconds %d ended the compilation; nothing was searched or written\n"
    commands = {"search": ["search", "-e", QUERY, GAMES, "--engine", "cc"], "compile": ["compile", "-e", QUERY, "-o", output],
                "convert": ["convert", "-", "-o", output], "explain": ["explain", "-"], "long": ["compile", long, "-o", output + ".c"]}

    def begin(name, seconds):
        place = Place(suite, "limited-%s-%d" % (name, seconds))
        return place, start(place, *commands[name], "--max-seconds", str(seconds), CC=place.slow)

    def end(name, process, seconds):
        wait_for(lambda: process.poll() is not None)  # its input is still open
        status, out, err = finish(process)
        suite.check("cache: --max-seconds ends " + name, status == 4 and err == message % seconds and not out, "%s %s" % (status, err[:300]))

    large, begun = suite.path("large.cql"), time.monotonic()
    write(large, "cql()\n" + "#K == 1\n" * 20000)  # more than a pipe holds
    pipe = suite.path("pipe.c")
    os.mkfifo(pipe)
    commands_that_write = (["convert", large], ["-e", QUERY, "-o", pipe])

    def begin_to_write(seconds):
        return [start(Place(suite, "limited-%s-%d" % (words[-1][-6:], seconds)), *words, "--max-seconds", str(seconds)) for words in commands_that_write]

    def end_writing(writing, until):
        time.sleep(max(0, until - time.monotonic()))
        text = read(pipe) if writing[1].poll() is None else ""  # nothing had been read
        return [finish(process) for process in writing], text

    writing = begin_to_write(2)
    running = {name: begin(name, 1) for name in commands if name != "long"}
    terms = 50000
    while True:  # until the query is too long for the limit
        terms *= 4
        write(long, "cql()\n" + " ".join("x%d = %d * #R (x%d > 3 or R attacks k)" % (i, i, i) for i in range(terms)))
        place = Place(suite, "limited-long-%d" % terms)
        process = start(place, *commands["long"], "--max-seconds", "1")
        wait_for(lambda: process.poll() is not None)
        if process.poll() != 0 or terms > 10**6:
            break
        finish(process)
        os.remove(output + ".c")
    end("long", process, 1)
    for name, (place, process) in running.items():
        end(name, process, 1)
    for name in ("search", "compile"):
        place, seconds = running[name][0], 1
        while not place.compiles() and seconds < 64:  # the limit was over before the compiler began
            seconds *= 4
            place, process = begin(name, seconds)
            end(name, process, seconds)
        for file in os.listdir(place.temporary) if name == "compile" else ():  # the TMPDIR of the caller
            os.remove(os.path.join(place.temporary, file))
        place.clean("limited " + name)
    ends, text = end_writing(writing, begun + 2.5)
    if any(err == message % 2 for _, _, err in ends):  # on a slow machine the limit was over before they wrote
        ends, text = end_writing(begin_to_write(20), time.monotonic() + 20.5)
    for (status, out, err), begins in zip(ends, ("// dialect: cql6\ncql()\n#K == 1\n", "")):
        suite.check("cache: --max-seconds does not end what only writes", (status, err) == (0, "") and out.startswith(begins), "%s %s" % (status, err[:300]))
    suite.check("cache: all that was written", out == "" and text.endswith("EXPORT_QUERIES(queries)\n"), text[-300:])
    suite.check("cache: nothing is compiled within the limit", not [f for f in os.listdir(suite.path("")) if f.startswith("limited.so")])


def damage(suite):
    place = Place(suite, "damage")
    place.right("the first build", place.search("--engine", "cc"))
    path = os.path.join(place.folder, place.objects()[0])
    with open(path, "rb") as f:
        good = f.read()
    elsewhere = Place(suite, "another")
    suite.run([suite.cqlgen, "search", "-e", "stalemate", GAMES, "--engine", "cc", "-q"], environment=elsewhere.environment)
    with open(os.path.join(elsewhere.folder, elsewhere.objects()[0]), "rb") as f:
        another = f.read()

    def put(data):
        with open(path, "wb") as f:
            f.write(data)

    rng = random.Random(5)
    flipped = bytearray(good)
    flipped[rng.randrange(len(good))] ^= 16
    damages = {"cut off": lambda: put(good[:len(good) // 2]), "without its seal": lambda: put(good[:-32]), "empty": lambda: put(b""),
               "another query's": lambda: put(another), "a changed byte": lambda: put(bytes(flipped)), "noise": lambda: put(rng.randbytes(3000)), "a pipe": lambda: os.mkfifo(path),
               "a folder": lambda: os.mkdir(path), "a link": lambda: os.symlink("/etc/passwd", path), "a device": lambda: os.symlink("/dev/zero", path)}
    for name, make in damages.items():
        if os.path.isdir(path) and not os.path.islink(path):
            os.rmdir(path)
        elif os.path.lexists(path):
            os.remove(path)
        make()
        for engine in ("cc", "auto"):
            place.right("an object that is %s, %s" % (name, engine), place.search("--engine", engine))
        whole = os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path) >= len(good) - 64
        suite.check("cache: %s is built again" % name, whole or name == "a folder", name)
        suite.check("cache: %s leaves nothing else" % name, len(os.listdir(place.folder)) == 1, str(os.listdir(place.folder)))


def bounds(suite):
    place = Place(suite, "bounds")
    os.makedirs(place.folder, mode=0o700)

    def put(name, size, age):
        path = os.path.join(place.folder, name)
        with open(path, "wb") as f:
            f.truncate(size)
        os.utime(path, (time.time() - age, time.time() - age))

    for i in range(1010):
        put("%032x.so" % i, 10, 100000 - i)
    put("%032x.so.77.so" % 1, 10, 7200)  # of a process that was killed
    put("%032x.so.78.so" % 1, 10, 60)
    put("notes.txt", 10, 1000000)
    put("build-notes", 10, 1000000)
    os.symlink("notes.txt", os.path.join(place.folder, "%032x" % 5000))
    os.utime(os.path.join(place.folder, "%032x" % 5000), (0, 0), follow_symlinks=False)
    for name, age in (("build-abcdef", 7200), ("build-ghijkl", 60), ("notes", 7200)):
        os.mkdir(os.path.join(place.folder, name))
        put(name + "/matcher.so", 10, age)
        os.utime(os.path.join(place.folder, name), (time.time() - age, time.time() - age))
    place.right("a full cache", place.search("--engine", "cc"))
    left = os.listdir(place.folder)
    old = [name for name in left if len(name) == 35 and name.startswith("0" * 28)]
    suite.check("cache: at most 1000 objects", len(place.objects()) == 1001 and len(old) == 999, "%d, %d" % (len(place.objects()), len(old)))
    suite.check("cache: the oldest go first", "%032x.so" % 10 not in left and "%032x.so" % 11 in left)
    suite.check("cache: what was left is removed after a time", "build-abcdef" not in left and "%032x.so.77.so" % 1 not in left)
    suite.check("cache: other files stay", {"build-ghijkl", "%032x.so.78.so" % 1, "notes.txt", "notes", "build-notes", "%032x" % 5000} <= set(left), str(sorted(left)[-8:]))
    for name in set(place.objects()) - set(old):
        os.utime(os.path.join(place.folder, name), (1, 1))  # the oldest, until it is used
    for i in range(5):
        put("%032x.so" % i, 300000, 50 - i)
    place.right("a use of the cache", place.search("--engine", "cc"))
    used = set(place.objects())
    suite.run([suite.cqlgen, "search", "-e", "stalemate", GAMES, "--engine", "cc", "-q"], environment=dict(place.environment, CQLGEN_CACHE_SIZE="1"))
    left = set(place.objects())
    size = sum(os.path.getsize(os.path.join(place.folder, name)) for name in left)
    suite.check("cache: at most 1 MB", size <= 1 << 20 and {"%032x.so" % i for i in range(2, 5)} <= left and "%032x.so" % 1 not in left, str(size))
    suite.check("cache: what was used stays", len(left - used) == 1 and len([name for name in left & used if name not in old and not name.startswith("0" * 28)]) == 1)
    shutil.rmtree(place.folder)
    os.mkdir(place.folder, mode=0o700)
    for megabytes, kept in ((254, {0, 1, 2}), (255, {0, 1})):  # of 256 at most; one of them and the new object are there besides
        for i, size in enumerate((1 << 19, 1 << 19, megabytes << 20)):
            put("%032x.so" % i, size, 0)
            age = 10**18 + (i + 1) % 3  # the last is the oldest, by a billionth of a second
            os.utime(os.path.join(place.folder, "%032x.so" % i), ns=(age, age))
        suite.run([suite.cqlgen, "search", "-e", "stalemate" if megabytes == 254 else "mate", GAMES, "--engine", "cc", "-q"], environment=place.environment)
        left = {i for i in range(3) if "%032x.so" % i in place.objects()}
        suite.check("cache: what is kept of %d MB" % (megabytes + 1), left == kept, str(left))
    for size in ("0", "-1", "many", "1x", "0 ", str(2**63 - 1), ""):
        shutil.rmtree(place.folder)
        place.right("a size of `%s`" % size, place.search("--engine", "cc", CQLGEN_CACHE_SIZE=size))
        suite.check("cache: objects with a size of `%s`" % size, len(place.objects()) == (0 if size == "0" else 1), str(place.objects()))


def folders(suite):
    """Folders that are not used, with a warning where others could put something of theirs into them, and those that are."""
    def check(name, prepare, kept, distrusted=None, **environment):
        place = Place(suite, name.replace(" ", "-"))
        prepare(place)
        warning = DISTRUSTED % os.path.normpath(os.path.join(os.path.realpath(place.root), distrusted)) if distrusted else ""
        for engine in ("cc", "auto"):
            result = place.search("--engine", engine, "-q", **environment)
            place.right("%s, %s" % (name, engine), result)
            suite.check("cache: %s, %s: warning" % (name, engine), result.errors() == warning, result.errors())
        for option in (["--engine", "tcc"], ["--engine", "interp"], ["--no-cache"]):
            suite.check("cache: %s, %s: no warning" % (name, option), not place.search("-q", *option, **environment).errors())
        suite.check("cache: %s: objects" % name, len(place.objects()) == kept, str(place.objects()))
        suite.check("cache: %s: temporary files" % name, not os.listdir(place.temporary), str(os.listdir(place.temporary)))

    def folder(mode, above=0o700):
        def make(place):
            os.mkdir(place.folder)
            os.chmod(place.folder, mode)
            os.chmod(place.cache, above)
        return make

    def link(place):
        os.mkdir(os.path.join(place.root, "elsewhere"), mode=0o700)
        os.symlink(os.path.join(place.root, "elsewhere"), place.folder)

    def above(mode):  # of the folder above that of all programs
        return lambda place: os.chmod(place.root, mode)

    def linked(target, mode=0o700):
        """XDG_CACHE_HOME is a link to a folder `far/cache`; the folder `far` has the mode."""
        def make(place):
            os.rmdir(place.cache)
            os.makedirs(os.path.join(place.root, "far", "cache"), mode=0o700)
            os.chmod(os.path.join(place.root, "far"), mode)
            os.symlink(target % {"root": place.root}, place.cache)
        return make

    check("a folder of our own", folder(0o700), 1)
    check("a folder that others write", folder(0o777), 0, "cache/cqlgen")
    check("a folder that the group writes", folder(0o770), 0, "cache/cqlgen")
    check("a folder that everybody writes, and keeps their own", folder(0o1777), 0)
    check("a folder that others may replace", folder(0o700, 0o777), 0, "cache")
    check("a folder that only others write", folder(0o702), 0, "cache/cqlgen")
    check("a folder that everybody reads", folder(0o755, 0o755), 1)
    check("a folder among those of a group", folder(0o700, 0o770), 0, "cache")
    check("a folder that only others may replace", folder(0o700, 0o702), 0, "cache")
    check("a folder far below one that a group writes", above(0o770), 0, ".", TMPDIR=suite.path(""))
    check("a folder far below one that others write", above(0o702), 0, ".", TMPDIR=suite.path(""))
    check("a folder far below one where each keeps their own", above(0o1777), 1)
    check("a link on the way", linked("%(root)s/far/cache"), 1)
    check("a link on the way, by a name from here", linked("./far//../far/cache/."), 1)
    check("a link on the way through a folder of a group", linked("%(root)s/far/cache", 0o770), 0, "far")
    check("a link on the way through a folder of a group, and out again", linked("far/../far", 0o770), 0, "far")
    check("a link on the way to nowhere", linked("far/nowhere"), 0)
    check("a link on the way to itself", linked("cache"), 0)
    check("a folder in one for everybody, where each keeps their own", folder(0o700, 0o1777), 1)
    check("a link of our own", link, 1)
    check("a link to nowhere", lambda place: os.symlink("nowhere", place.folder), 0)
    check("a file in its place", lambda place: write(place.folder, "x"), 0)
    check("a pipe in its place", lambda place: os.mkfifo(place.folder), 0)
    check("a relative name", lambda place: None, 0, XDG_CACHE_HOME="cache", HOME="home")
    if os.geteuid() == 0:
        check("a folder of somebody else", lambda place: (folder(0o700)(place), os.chown(place.folder, 12345, 12345)), 0, "cache/cqlgen")
        check("a folder among those of somebody else", lambda place: (folder(0o700)(place), os.chown(place.cache, 12345, 12345)), 0, "cache")
        check("a link of somebody else", lambda place: (link(place), os.lchown(place.folder, 12345, 12345)), 0, "cache/cqlgen")
    else:
        check("a folder without permission", folder(0o500), 0)
    place = Place(suite, "home")
    home = {k: v for k, v in place.environment.items() if k not in ("XDG_CACHE_HOME", "HOME")}
    for name, environment, kept in (("without HOME", home, 0), ("with HOME", dict(home, HOME=place.root), 1)):
        process = subprocess.run([suite.cqlgen, "search", "-e", QUERY, GAMES, "-f", "positions", "-q", "--engine", "cc"], env=environment, timeout=60,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        suite.check("cache: " + name, process.returncode == 0 and process.stdout.decode() == FOUND, process.stderr.decode())
        folder = os.path.join(place.root, ".cache", "cqlgen")
        suite.check("cache: objects " + name, len(os.listdir(folder) if os.path.exists(folder) else []) == kept)


def temporary(suite):
    """Where nothing is kept, code is compiled in TMPDIR: others must not be able to replace it there either."""
    for mode, good in ((0o700, True), (0o1777, True), (0o770, False), (0o707, False)):
        place = Place(suite, "temporary-%o" % mode)
        os.chmod(place.temporary, mode)
        result = place.search("--engine", "cc", "--no-cache", "-q")
        said = "cannot compile in the temporary folder %s: others can change what is in %s; set TMPDIR" % (place.temporary, os.path.realpath(place.temporary))
        suite.check("cache: a temporary folder with mode %o" % mode, (result.status == 0 and result.text() == FOUND) if good else
                    (result.status == 2 and said in result.errors() and not result.out), "%s %s" % (result.status, result.errors()))
        place.right("automatically in a temporary folder with mode %o" % mode, place.search("--no-cache"))


def ordinary(suite):
    """The same for a user who is not root, when root runs the tests and the user can reach the program."""
    user, other = 12345, 12346
    if os.geteuid() != 0:
        return
    with open(GAMES, "rb") as f:
        games = f.read()
    # (name, owner and mode of HOME, of HOME/.cache, objects, distrusted)
    for name, home, cache, kept, distrusted in (
            ("a home of one's own", (user, 0o755), None, 1, None),
            ("a home of one's own with a cache", (user, 0o700), (user, 0o755), 1, None),
            ("a home of a group", (user, 0o775), None, 0, ""),
            ("a cache of a group", (user, 0o755), (user, 0o775), 0, ".cache"),
            ("a home that belongs to root", (0, 0o755), None, 0, None),
            ("a home that belongs to root, a cache that does not", (0, 0o755), (user, 0o700), 1, None),
            ("a home that belongs to somebody else", (other, 0o755), (user, 0o700), 0, ""),
            ("a home for everybody, where each keeps their own", (0, 0o1777), None, 1, None),
            ("a cache that somebody else made there", (0, 0o1777), (other, 0o777), 0, ".cache")):
        with tempfile.TemporaryDirectory(prefix="cqlgen-tests-") as folder:
            os.chmod(folder, 0o755)
            for path, (owner, mode) in ((folder, home), (os.path.join(folder, ".cache"), cache or (None, None))):
                if owner is not None:
                    os.makedirs(path, exist_ok=True)
                    os.chown(path, owner, owner)
                    os.chmod(path, mode)
            environment = {k: v for k, v in suite.environment.items() if k not in ("XDG_CACHE_HOME", "TMPDIR")}
            try:
                result = subprocess.run([suite.cqlgen, "search", "-e", QUERY, "-", "-f", "positions", "-q", "--engine", "cc"], input=games, cwd="/",
                                        env=dict(environment, HOME=folder), user=user, group=user, extra_groups=[], capture_output=True, timeout=60)
            except PermissionError:  # out of the user's reach
                return
            warning = DISTRUSTED % os.path.join(os.path.realpath(folder), distrusted).rstrip("/") if distrusted is not None else ""
            suite.check("cache: of a user, %s" % name, (result.returncode, result.stdout.decode(), result.stderr.decode()) == (0, FOUND, warning),
                        "%s %s" % (result.returncode, result.stderr.decode()))
            objects = os.path.join(folder, ".cache", "cqlgen")
            suite.check("cache: objects of a user, %s" % name, len(os.listdir(objects) if os.path.isdir(objects) else []) == kept)


def at_once(suite):
    """Processes that build, use and remove the same objects."""
    place = Place(suite, "at-once")
    for size in ("0", "256"):
        def one(_):
            return place.search("--engine", "cc", CQLGEN_CACHE_SIZE=size)
        for i, result in suite.map(one, range(suite.size(full=40, quick=8, sanitize=4))):
            place.right("processes at once, %s MB, %d" % (size, i), result)
        suite.check("cache: objects of processes at once, %s MB" % size, len(place.objects()) == (size != "0") and len(os.listdir(place.folder)) == (size != "0"))


def run(suite):
    background(suite)
    foreground(suite)
    limited(suite)
    damage(suite)
    bounds(suite)
    folders(suite)
    temporary(suite)
    ordinary(suite)
    at_once(suite)
