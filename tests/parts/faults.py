"""Memory, reads and writes that fail at every place: the program says so and leaves no half file, or is not disturbed."""
import os

from parts.harness import EXAMPLES

QUERY = r"""cql(input x.pgn)
sort "pawns" #P
player white ~~ "[A-Z].*"
comment("ray " (up 1 P))
find { check and [RQ] attacks k }
dictionary D
D[str(#P)] = "seen"
"""


def places(count, most):
    """1 … count: each of the first, then ever fewer, and the last."""
    chosen, at = [], 1
    while at <= count:
        chosen.append(at)
        at = max(at + 1, int(at * (1 + 4 / most)) if at < count * 0.2 else at + max(1, count // most))
    return chosen + [count]


class Faults:
    def __init__(self, suite, engine, compressed):
        self.suite, self.engine = suite, engine
        self.library = os.path.join(suite.out, "tests", "fault.so")
        self.games = os.path.join(EXAMPLES, "games.pgn")
        self.query = suite.path("faults.cql")
        if compressed:
            packed = suite.path("faults.pgn.zst")
            suite.run(["zstd", "-q", "-f", self.games, "-o", packed])
            self.games = packed
        with open(self.query, "w") as f:
            f.write(QUERY)
        self.folder = suite.path("faults-%s%s" % (engine, "-zst" if compressed else ""))
        os.mkdir(self.folder)
        self.output = "found.pgn.zst" if compressed else "found.pgn"
        self.name = "%s%s" % (engine, ", compressed" if compressed else "")

    def run(self, fault, descriptor=None):
        """The result, and the files that are there afterwards with their contents."""
        folder = os.path.join(self.folder, fault.replace(":", "-"))
        os.mkdir(folder)
        output = os.path.join(folder, self.output)
        command = [self.suite.cqlgen, "search", "--engine", self.engine, "-j", "1", self.query, self.games, "-o", output]
        if descriptor:
            command = ["sh", "-c", 'exec "$@" 9>%s' % descriptor, "sh"] + command
        result = self.suite.run(command, environment={"LD_PRELOAD": self.library, "CQLGEN_FAULT": fault}, timeout=60)
        files = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as f:
                files[name] = f.read()
        return result, files

    def sound(self, result, files, whole):
        """Why the end of a run is not a good one, or None."""
        if result.crashed():
            return "ends with %s: %s" % (result.status, result.errors()[-300:])
        if set(files) - {self.output}:
            return "leaves %s" % sorted(files)
        if result.status == 0 and files != whole:
            return "ends with 0, but the output is another: %s" % result.errors()[-300:]
        if result.status != 0 and not result.err.strip():
            return "ends with %d without a message" % result.status
        if result.status != 0 and files and result.status not in (3, 4):
            return "ends with %d and leaves an output" % result.status
        return None

    def test(self, most):
        counts = os.path.join(self.folder, "counts")
        result, whole = self.run("count", counts)
        good = result.status == 0 and whole and len(whole[self.output]) > 500
        if not self.suite.check("faults of %s: without one" % self.name, good, "status %s: %s" % (result.status, result.errors())):
            return
        with open(counts) as f:
            words = f.read().split()
        count = dict(zip(words[::2], map(int, words[1::2])))
        faults = ["short:%d" % n for n in (1, 7, 4096)]
        for kind in ("memory", "read", "write"):
            self.suite.check("faults of %s: there are %ss" % (self.name, kind), count[kind] > 0)
            faults += ["%s:%d" % (kind, n) for n in sorted(set(places(count[kind], most)))]
        for fault, (result, files) in self.suite.map(self.run, faults):
            why = self.sound(result, files, whole)
            if fault.startswith("short") and result.status != 0:
                why = "short reads end with %s: %s" % (result.status, result.errors()[-300:])
            self.suite.check("faults of %s: %s" % (self.name, fault), why is None, why)


def run(suite):
    for engine in ("interp", "tcc"):
        for compressed in (False, True):
            Faults(suite, engine, compressed).test(suite.size(full=500, quick=100, sanitize=0))
