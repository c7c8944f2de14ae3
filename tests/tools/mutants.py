#!/usr/bin/env python3
"""Do the tests notice? `make mutants N=200` makes small changes of the sources (mutations.py), one at a time, builds each and
runs the tests that reach the changed line, until one fails. What no test notices is listed: it calls for a test, or the line
does nothing.

It works on a copy of the tree in out/mutants. First the tests run once on a build that records which basic blocks each of them
reaches; this is kept until the sources or the tests change. Then each change is compiled; what does not compile, or compiles to
the same code, is left out. The fast tests (unit, cases, sentences, conversions, forms, diagnostics, golden) run in an order that finds
most soonest; what they do not notice goes to the other parts that reach the line, the cheapest first. A test that crashes, or
takes much longer than it did, has noticed. At the end, what survived is built with sanitizers and given to the tests again, as
`make test SANITIZE=1` does.
"""
import argparse
import collections
import contextlib
import functools
import hashlib
import importlib
import itertools
import json
import mmap
import operator
import os
import pickle
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import mutations  # noqa: E402

# From cheap to dear. The others need programs of another build, or only say again what these say.
PARTS = ["examples", "manual", "convert", "known", "fuzz", "groups", "tables", "cql", "cqli", "completion", "options",
         "failures", "files", "many", "threads", "commands", "share", "steps", "pipes", "database", "tags", "oracle", "drivers", "cache", "terminal",
         "page", "documents", "bench", "faults"]
SPLIT = {"commands", "options", "failures", "cql", "cqli", "cache", "tables", "bench", "terminal"}  # their functions are tests of their own
MEMORY = 6 << 30
WITHOUT_SANITIZERS = {"documents", "faults", "page", "drivers", "oracle"}  # left out there, or too slow
UNLIMITED = {"page"}  # a browser claims far more memory than it uses
EQUIVALENT = os.path.join(HERE, "equivalent.txt")


def listed():
    """The lines of equivalent.txt: (file, before, after, reason), and the comments."""
    with open(EQUIVALENT, encoding="utf-8") as f:
        return [tuple(line.rstrip("\n").split("\t")) for line in f]


def tidy(root):
    """Removes the lines of equivalent.txt whose change cannot be made, or not at one place alone."""
    def is_possible(row):
        if len(row) != 4:
            return True
        return mutations.occurs_once(text(row[0]), row[1]) and row[1:3] in differences(row[0])

    @functools.lru_cache(None)
    def text(path):
        if not os.path.exists(os.path.join(root, path)):
            return ""
        with open(os.path.join(root, path), encoding="utf-8", newline="") as f:
            return f.read()

    @functools.lru_cache(None)
    def differences(path):
        return {mutations.difference(text(path), site) for site in mutations.all_sites(path, text(path))}

    rows = listed()
    kept = [row for row in rows if is_possible(row)]
    with open(EQUIVALENT, "w", encoding="utf-8") as f:
        f.writelines("\t".join(row) + "\n" for row in kept)
    print("mutants: %d lines of equivalent.txt removed" % (len(rows) - len(kept)))


class Noticed(Exception):
    pass


def protect_devices():
    """Runs this program again where /dev/null is a mount point: a changed program that root runs could put a file in its place."""
    if os.geteuid() != 0 or "CQLGEN_PROTECTED" in os.environ or not shutil.which("unshare"):
        return
    if subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        return
    os.environ["CQLGEN_PROTECTED"] = "1"
    script = 'mount --bind /dev/null /dev/null; exec "$@"'
    os.execvp("unshare", ["unshare", "-m", "sh", "-c", script, "sh", sys.executable, *sys.argv])


def processor_time():
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return u.ru_utime + u.ru_stime


def limited(argv, seconds, memory):
    """The command with limits; a shell sets them, as a fork of this large process would cost more than most tests do."""
    return ["sh", "-c", 'ulimit -t %d; ulimit -v %s; ulimit -c 0; exec "$@"' % (seconds, memory), "sh", *argv]


class Tree:
    """The copy of the sources and tests, and its builds."""

    def __init__(self, root, folder, options, sanitize=False):
        self.root, self.folder, self.sanitize = root, folder, sanitize
        self.path = os.path.join(folder, "tree")
        self.make = [options.make, "-C", self.path, "-s", "-j%d" % options.jobs, "CC=" + options.cc, "PYTHON=" + sys.executable]
        self.cc, self.libs, self.tcc = options.cc, options.libs.split(), options.tcc.split()
        self.linker = next((["-fuse-ld=" + name] for name in ("lld", "gold") if shutil.which("ld." + name)), [])
        if sanitize:
            self.make.append("SANITIZE=1")
            self.linker.append("-fsanitize=address,undefined")

    def copy(self):
        """Brings the copy up to date; the digest of its sources."""
        command = ["git", "ls-files", "-co", "--exclude-standard"]
        files = subprocess.run(command, cwd=self.root, stdout=subprocess.PIPE, text=True, check=True)
        digest, wanted = hashlib.sha256(), set()
        for name in sorted(filter(None, files.stdout.split("\n"))):
            source, target = os.path.join(self.root, name), os.path.join(self.path, name)
            if not os.path.isfile(source):
                continue
            wanted.add(name)
            with open(source, "rb") as f:
                content = f.read()
            if name.startswith(("compiler/", "runtime/", "templates/")):
                digest.update(name.encode() + b"\0" + content)
            if not os.path.exists(target) or open(target, "rb").read() != content:
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(source, target)
        for folder, _, names in os.walk(self.path):
            for name in names:
                inside = os.path.relpath(os.path.join(folder, name), self.path)
                if inside not in wanted and not inside.startswith("out" + os.sep):
                    os.unlink(os.path.join(folder, name))
        return digest.hexdigest()

    def build(self, out, flags):
        """Objects in tree/OUT/obj; one library of all of them, and programs that use it, in tree/OUT."""
        self.out, self.flags = out, flags
        names = [n[:-2] for top in ("compiler", "runtime") for n in mutations.code_files(self.path, []) if n.startswith(top + "/")]
        generated = ["gen/templates", "gen/examples", "gen/manual", "gen/page"]
        self.objects = ["%s/obj/%s.o" % (out, n) for n in [*sorted(set(names)), *generated, *self.tcc]]
        self.programs = {"unit/" + u: ["tests/unit/" + u] for u in self.units}
        harnesses = [n[:-2] for n in sorted(os.listdir(self.inside("tests/fuzz"))) if n.endswith(".c") and n != "entry.c"]
        drivers = {"differential": ["query_generator", "dialect_generator", "games"], "fuzz_pgn": ["game_checks"],
                   "fuzz_queries": ["query_mutator"]}
        for driver, tools in drivers.items():
            self.programs["tests/" + driver] = ["tests/drivers/" + driver, *("tests/tools/" + tool for tool in tools)]
        self.programs["tests/replay"] = ["tests/tools/game_checks", *("tests/fuzz/" + h for h in harnesses)]
        bench = ["tests/bench/" + n[:-2] for n in sorted(os.listdir(self.inside("tests/bench"))) if n.endswith(".c")]
        self.programs.update({"generate-games": ["tests/tools/generate_games", "tests/tools/games"],
                              "bench": [*bench, "tests/tools/games"], "cqlgen": []})
        others = sorted({"%s/obj/%s.o" % (out, o) for objects in self.programs.values() for o in objects})
        if self.extra():
            os.makedirs(self.inside(out), exist_ok=True)
            command = [*self.cc.split(), "-O2", "-fPIC", "-c", "tests/tools/reached.c", "-o", out + "/reached.o"]
            subprocess.run(command, cwd=self.path, check=True)
        headers = [out + "/include/cqlgen/matcher.h", out + "/include/cqlgen/cqlgen.h"]
        self.compile(self.objects + others + headers, check=True)
        self.compile([out + "/tests/fault.so"], check=True)
        for folder in ("unit", "tests"):
            os.makedirs(self.inside(out, folder), exist_ok=True)
        if not os.path.lexists(self.inside(out, "libcqlgen.so")):
            os.symlink("libmutant.so", self.inside(out, "libcqlgen.so"))
        self.link_library()
        for program in self.programs:
            self.link(program)

    @functools.cached_property
    def units(self):
        return sorted(n[:-2] for n in os.listdir(self.inside("tests/unit")) if n.endswith(".c"))

    def inside(self, *parts):
        return os.path.join(self.path, *parts)

    def compile(self, targets, check=False):
        command = [*self.make, "OUT=" + self.out, "CFLAGS=" + self.flags, *targets]
        p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if check and p.returncode:
            sys.exit("mutants: the sources do not compile\n" + p.stdout[-3000:])
        return p.returncode == 0

    def link_library(self):
        linker = self.extra() or self.linker
        library = self.out + "/libmutant.so"
        command = [*self.cc.split(), "-shared", "-Wl,-Bsymbolic", *linker, "-o", library, *self.objects, *self.libs]
        return subprocess.run(command, cwd=self.path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).returncode == 0

    def extra(self):
        return ["-Wl,-Map=%s/map" % self.out, self.out + "/reached.o"] if self.out == "out/traced" else []

    def link(self, program):
        objects = ["%s/obj/%s.o" % (self.out, o) for o in self.programs[program]]
        libraries = ["-L" + self.out, "-lmutant", "-Wl,-rpath," + self.inside(self.out), "-Wl,--no-as-needed", "-lcmocka", *self.libs]
        command = [*self.cc.split(), *self.linker, "-o", "%s/%s" % (self.out, program), *objects, *libraries]
        subprocess.run(command, cwd=self.path, check=True)

    def dependents(self, path):
        """The objects that contain a C file: its own, and those of tests that include it."""
        found = ["%s/obj/%s.o" % (self.out, path[:-2])]
        for unit in self.units:
            with open(self.inside(self.out, "obj/tests/unit", unit + ".d")) as f:
                if path in f.read().replace("\\\n", " ").split():
                    found.append("%s/obj/tests/unit/%s.o" % (self.out, unit))
        return found


class Tests:
    """The tests as items: a name, and a function that raises Noticed when the test fails."""

    def __init__(self, tree, parts):
        self.tree, self.parts = tree, parts
        sys.path.insert(0, tree.inside("tests"))
        from parts import cases, convert, golden, harness, sentences
        from run import topics
        self.topics = topics
        self.cases, self.convert, self.golden, self.sentences, self.harness = cases, convert, golden, sentences, harness
        self.trace = None
        self.seconds = 10
        self.memory = "unlimited" if tree.sanitize else MEMORY >> 10
        self.items, self.mark = {}, {}  # functions; what a test is made of: it is run again when that has changed
        self.digests = {}
        self.make_suite()

    def traced(self):
        """The environment of a program that records what it reaches."""
        return {"CQLGEN_TRACE": self.trace} if self.trace else {}

    def renew(self):
        """A cache would keep matchers of the change before."""
        shutil.rmtree(self.suite.path("cache"), ignore_errors=True)

    def make_suite(self):
        tests = self

        class Suite(self.harness.Suite):
            def check(self, name, good, why=""):
                if not good:
                    raise Noticed("%s: %s" % (name, why[:200]))
                return good

            def run(self, argv, stdin=b"", timeout=120, cwd=tests.harness.ROOT, environment=None):
                environment = {**self.environment, **(environment or {}), **tests.traced()}
                p = subprocess.Popen(limited(argv, tests.seconds, tests.memory), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, cwd=cwd, env=environment, start_new_session=True)
                try:
                    out, err = p.communicate(stdin, timeout=tests.seconds * 6)
                    return tests.harness.Result(p.returncode, out, err)
                except subprocess.TimeoutExpired:
                    os.killpg(p.pid, signal.SIGKILL)
                    out, err = p.communicate()
                    return tests.harness.Result(None, out, err)

        self.suite = Suite(self.tree.inside(self.tree.out), sanitize=self.tree.sanitize, jobs=1)
        os.mkdir(self.suite.path("sentences"))
        self.load()

    def load(self):
        suite, cases, engines = self.suite, self.cases, self.cases.ENGINES
        for unit in self.tree.units:
            self.items["unit/" + unit] = lambda u=unit: self.unit(u)
            self.mark["unit/" + unit] = self.digest(self.tree.inside("tests/unit", unit + ".c"))
        loaded = cases.load(cases.CASES, [self.tree.inside("tests", "pgn"), self.tree.inside("examples")])
        for case in loaded:
            for engine, options in engines.items():
                if case.expected is not None and (case.positions() or engine == "interp"):
                    self.add("case/" + case.key, engine, case, lambda c=case, o=options: cases.judge(suite, c, o, timeout=60))
                if case.output:
                    self.add("case/%s, output" % case.key, engine, case, lambda c=case, o=options: cases.judge_output(suite, c, o))
        converted = []
        for name in sorted(os.listdir(self.sentences.SENTENCES)):
            loaded = self.sentences.load(suite, suite.path("sentences"), name)
            converted += [s for s in loaded if not s.speaks]
            for i, sentence in enumerate(loaded):
                for engine, options in engines.items():
                    if engine == "interp" or not sentence.speaks and i % 12 == 0:
                        self.add("sentence/" + sentence.key, engine, sentence, lambda s=sentence, o=options: self.sentence(s, o))
        for sentence in converted[::5] + [s for i, s in enumerate(converted) if i % 5 and s.key.startswith(("11", "12", "13"))]:
            self.add("convert/" + sentence.key, "", sentence, lambda s=sentence: self.conversion(s))
        for case in self.convert.all_cases()[::3]:
            self.add("convert/" + case.key, "", case, lambda c=case: self.conversion(c))
        for file in sorted(os.listdir(self.golden.FORMS)):
            parts = self.golden.parts_of(file)
            for i in range(1, len(parts), 3):
                name = "form/%s: %s" % (file, parts[i])
                self.items[name] = lambda f=file, i=i, p=parts: self.form(f, i, p[i], p[i + 1])
                self.mark[name] = hashlib.sha256((parts[i] + parts[i + 1]).encode()).hexdigest()[:16]
        for part in ["diagnostics", "golden"] + self.parts:
            found = self.topics(importlib.import_module("parts." + part)) if part in SPLIT else []
            for item in [part + "." + topic for topic in found] or [part]:
                self.items["part/" + item] = lambda p=item: self.part(p)
                self.mark["part/" + item] = self.digest_of_part(part)

    def add(self, name, engine, case, judge):
        def run():
            why = judge()
            if why:
                raise Noticed(why)
        name += " (%s)" % engine if engine else ""
        self.items[name] = run
        self.mark[name] = self.digest(case.query) + self.digest(case.pgn)

    def digest(self, path):
        if path not in self.digests:
            with open(path or os.devnull, "rb") as f:
                self.digests[path] = hashlib.sha256(f.read()).hexdigest()[:16]
        return self.digests[path]

    def digest_of_part(self, part):
        """Of its module, and of the folder that has its name."""
        names = [os.path.join(folder, name) for folder, _, found in os.walk(self.tree.inside("tests", part)) for name in found]
        return "".join(self.digest(name) for name in [self.tree.inside("tests/parts", part + ".py"), *sorted(names)])

    def sentence(self, sentence, options):
        if sentence.other:
            self.sentences.expect(self.suite, sentence)
        return self.sentences.judge(self.suite, sentence, options)

    def conversion(self, case):
        why = self.convert.judge(self.suite, case)
        return "" if why == self.convert.REFUSED else why

    def form(self, *form):
        why = self.golden.judge_form(self.suite, *form)[1]
        if why:
            raise Noticed(why)

    def unit(self, unit):
        result = self.suite.run([self.tree.inside(self.tree.out, "unit", unit)])
        if result.status != 0:
            raise Noticed("exit status %s: %s" % (result.status, (result.text() + result.errors())[-500:]))

    def part(self, part):
        out = self.tree.inside(self.tree.out)
        command = [sys.executable, self.tree.inside("tests/run.py"), "--out", out, "--only", part, "-j", "1", "--first"]
        command += ["--sanitize"] if self.tree.sanitize else []
        memory = "unlimited" if part in UNLIMITED else self.memory
        p = subprocess.Popen(limited(command, max(60, self.seconds), memory), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, cwd=self.tree.path, env={**os.environ, **self.traced()},
                             start_new_session=True)
        try:
            out = p.communicate(timeout=max(300, self.seconds * 6))[0].decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            out = "no answer in time"
        finally:
            try:
                os.killpg(p.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if p.returncode != 0:
            raise Noticed(next((line for line in out.split("\n") if line.startswith("FAIL")), out[-300:])[:300])


class Reached:
    """Which lines each test reaches: bits for the basic blocks of a traced build."""

    def __init__(self, tree, path, key):
        self.tree, self.path, self.key = tree, path, key
        self.hits, self.cost, self.broken, self.mark = {}, {}, {}, {}
        self.blocks_of = {}

    def blocks(self):
        library = self.tree.inside(self.tree.out, "libmutant.so")
        with open(self.tree.inside(self.tree.out, "map")) as f:
            found = re.findall(r"^ \.text\S*\s+0x(\w+)\s+0x(\w+)\s+\S*?/obj/(\S+)\.o$", f.read(), re.M)
        places = [(int(start, 16), int(start, 16) + int(size, 16), source + ".c") for start, size, source in found]
        places.sort()
        code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", library], stdout=subprocess.PIPE, text=True).stdout
        self.address, after = [], False
        for line in code.split("\n"):
            if after and ":" in line:
                self.address.append(int(line.split(":")[0], 16))
            after = "call" in line and "__sanitizer_cov_trace_pc" in line
        self.size = self.address[-1] + 16
        command = ["objdump", "--dwarf=decodedline", library]
        rows = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace").stdout
        self.line = {}  # (source, line): indices of blocks
        points = []
        for row in rows.split("\n"):
            words = row.split()
            if len(words) >= 3 and words[0].endswith(".c") and words[1].isdigit() and words[2].startswith("0x"):
                points.append((int(words[2], 16), words[0], int(words[1])))
        points.sort()
        block = place = 0
        for address, name, number in points:
            while block + 1 < len(self.address) and self.address[block + 1] - 5 <= address:
                block += 1
            while place + 1 < len(places) and places[place + 1][0] <= address:
                place += 1
            start, end, source = places[place]
            if start <= address < end and os.path.basename(source) == os.path.basename(name):
                self.line.setdefault((source, number), set()).add(block)

    def keep(self):
        with open(self.path, "wb") as f:
            pickle.dump((self.key, self.size, self.address, self.line, self.hits, self.cost, self.broken, self.mark), f)

    def load(self):
        """Whether all is known that the tests of these sources reach."""
        if not os.path.exists(self.path):
            return False
        with open(self.path, "rb") as f:
            key, *kept = pickle.load(f)
        if key != self.key:
            return False
        self.size, self.address, self.line, self.hits, self.cost, self.broken, self.mark = kept
        return True

    def record(self, tests):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else self.tree.inside(self.tree.out)
        with tempfile.NamedTemporaryFile(prefix="cqlgen-trace.", dir=memory) as f:
            f.truncate(self.size)
            tests.trace = f.name
            with mmap.mmap(f.fileno(), self.size) as trace:
                self.record_in(trace, tests)
        tests.trace = None

    def record_in(self, trace, tests):
        zeros, at_blocks = b"\0" * self.size, operator.itemgetter(*reversed(self.address))
        same = {(kind_of(name), mark): name for name, mark in self.mark.items()}
        # a sentence has the number of its line
        moved = {name: same.get((kind_of(name), mark)) for name, mark in tests.mark.items()}
        for table in (self.hits, self.cost, self.broken, self.mark):
            kept = {name: table[old] for name, old in moved.items() if old in table}
            table.clear()
            table.update(kept)
        for name, run in tests.items.items():
            if name in self.mark:
                continue
            trace[:] = zeros
            before = processor_time()
            tests.seconds = 120
            self.broken.pop(name, None)
            try:
                run()
            except Noticed as e:
                self.broken[name] = str(e)
                print("mutants: %s does not pass, and is left out: %s" % (name, str(e)[-200:]), flush=True)
            self.cost[name], self.mark[name] = processor_time() - before, tests.mark[name]
            self.hits[name] = int(bytes(at_blocks(trace[:])).translate(bytes([48, 49] + [49] * 254)), 2)
            if name.startswith("part/"):
                print("mutants: %s, %.1f s" % (name, self.cost[name]), flush=True)
                self.keep()
            elif len(self.mark) % 500 == 0:
                self.keep()

    def extent(self, name):
        """How many blocks a test reaches."""
        if name not in self.blocks_of:
            self.blocks_of[name] = bin(self.hits[name]).count("1")
        return self.blocks_of[name]

    def nearest(self, path, text, lines):
        """The blocks of the first of these lines that has code, within its function."""
        for line in lines:
            if text[line - 1].startswith("}"):
                break
            if self.line.get((path, line)):
                return self.line[path, line]
        return set()

    def tests_of(self, site):
        """The names of the tests that reach a line; of a line without code, those of the lines before and after, or of the file."""
        with open(self.tree.inside(site.path), encoding="utf-8", newline="") as f:
            text = f.read().split("\n")
        blocks = self.line.get((site.path, site.line))
        if not blocks:
            blocks = self.nearest(site.path, text, range(site.line - 1, max(0, site.line - 15), -1))
        if blocks and not self.line.get((site.path, site.line)):  # in a function, whose lines a compiler may have moved
            blocks = blocks | self.nearest(site.path, text, range(site.line + 1, min(len(text), site.line + 40)))
        if not blocks:  # a table
            blocks = set().union(*(found for (path, _), found in self.line.items() if path == site.path))
        if not blocks:  # in a file of tables
            return [name for name in self.hits if name not in self.broken]
        mask = 0
        for block in blocks:
            mask |= 1 << block
        return [name for name, hit in self.hits.items() if hit & mask and name not in self.broken]


def kind_of(name):
    """Which engine runs a case or sentence; the part, unit test or form."""
    if name.startswith(("part/", "unit/", "form/")):
        return name
    return name.split("/")[0] + (name[name.rfind(" ("):] if " (" in name else "")


def fast(name):
    return not name.startswith("part/") or name in ("part/diagnostics", "part/golden")


def order(names, reached, rng, killers):
    """What noticed changes of this file before, small tests that reach little else, cheap unit tests, the rest by cost."""
    first = [n for n in killers if n in names]
    units = sorted((n for n in names if n.startswith("unit/")), key=lambda n: reached.cost[n])
    small = [n for n in names if n.startswith(("case/", "sentence/", "convert/", "form/"))]
    special = sorted(small, key=reached.extent)[:12]
    rng.shuffle(small)
    cheap = [n for n in units if reached.cost[n] < 0.5]
    rest = [n for n in names if fast(n)]
    rest.sort(key=lambda n: (n.startswith("part/"), n.startswith("unit/") and reached.cost[n] > 1))
    middling = [n for n in units if reached.cost[n] < 3]
    found = first + special[:6] + cheap[:4] + small[:25] + special[6:] + cheap[4:] + middling + small[25:] + units + rest
    return list(dict.fromkeys(found))


class Hunt:
    def __init__(self, tree, tests, reached, options):
        self.tree, self.tests, self.reached, self.options = tree, tests, reached, options
        self.rng = random.Random(options.seed + 1)
        self.killers = collections.defaultdict(list)
        self.slowness = 8 if tree.sanitize else 1
        self.equivalent = {row[:3]: row[3] for row in listed() if len(row) == 4}

    @contextlib.contextmanager
    def change(self, site, text):
        """The tree with the change, built; gives a verdict when there is nothing to test."""
        tree, source = self.tree, self.tree.inside(site.path)
        objects = tree.dependents(site.path)
        times = os.stat(source)
        for o in objects:
            os.rename(tree.inside(o), tree.inside(o + ".kept"))
        with open(source, "w", encoding="utf-8", newline="") as f:
            f.write(mutations.changed(text, site))
        try:
            if not tree.compile(objects):
                yield "not compiled"
            elif all(open(tree.inside(o), "rb").read() == open(tree.inside(o + ".kept"), "rb").read() for o in objects):
                yield "same code"
            elif not tree.link_library():
                yield "not compiled"
            else:
                for o in objects[1:]:
                    tree.link("unit/" + os.path.basename(o)[:-2])
                yield None
        finally:
            with open(source, "w", encoding="utf-8", newline="") as f:
                f.write(text)
            os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
            for o in objects:
                os.replace(tree.inside(o + ".kept"), tree.inside(o))
            for o in objects[1:]:
                tree.link("unit/" + os.path.basename(o)[:-2])

    def try_site(self, site, text):
        """(verdict, test, why): verdict is `not compiled`, `same code`, `caught` or `survived`."""
        with self.change(site, text) as verdict:
            return (verdict, "", "") if verdict else self.run_tests(site)

    def run_tests(self, site):
        names = [name for name in self.reached.tests_of(site) if name in self.tests.items]
        including = ["unit/" + os.path.basename(o)[:-2] for o in self.tree.dependents(site.path)[1:]]  # their copy is not traced
        names += [name for name in including if name not in names and name in self.reached.cost]
        if not names:
            return "survived", "", "no test reaches the line"
        before, done = processor_time(), set()
        self.tests.renew()
        for name in order(names, self.reached, self.rng, self.killers[site.path]):
            if processor_time() - before > self.options.seconds * self.slowness:
                break
            if self.caught(site, name):
                return "caught", name, self.why
            done.add(name)
        if self.options.fast:
            parts = [n[5:] for n in names if not fast(n)]
            return "survived", "", "%d of %d fast tests reach it, parts %s" % (len(done), len(names) - len(parts), " ".join(parts))
        parts = sorted((n for n in names if n.startswith("part/") and n not in done), key=lambda n: self.reached.cost[n])
        before = processor_time()
        for i, name in enumerate(parts):
            if processor_time() - before > self.options.parts_seconds:
                return "survived", "", "%d tests reach it, without %s" % (len(names), " ".join(n[5:] for n in parts[i:]))
            if self.caught(site, name):
                return "caught", name, self.why
        return "survived", "", "%d tests reach it" % len(names)

    def caught(self, site, name):
        self.tests.seconds = int(3 + 4 * self.reached.cost[name]) * self.slowness
        try:
            self.tests.items[name]()
        except Noticed:
            pass
        else:
            return False
        try:  # once more, as a busy machine may make a test fail
            self.tests.items[name]()
        except Noticed as e:
            self.why = str(e)
            killers = self.killers[site.path]
            if name in killers:
                killers.remove(name)
            killers.insert(0, name)
            del killers[6:]
            return True
        return False

    def again(self, results):
        """(result, site) of the changes of a report that survived, where their lines are now."""
        for r in results:
            if r["verdict"] != "survived" or not os.path.exists(self.tree.inside(r["path"])):
                continue
            with open(self.tree.inside(r["path"]), encoding="utf-8", newline="") as f:
                text = f.read()
            found = [site for site in mutations.all_sites(r["path"], text) if mutations.difference(text, site) == (r["old"], r["new"])]
            for site in sorted(found, key=lambda site: abs(site.line - r["line"]))[:1]:
                yield r, site, text

    def look_again(self, results):
        """What a build with sanitizers notices of the changes that survived."""
        for r, site, text in self.again(results):
            verdict, test, why = self.try_site(site, text)
            while verdict == "caught" and not self.sound(test):
                print("mutants: with sanitizers %s does not pass, and is left out" % test, flush=True)
                del self.tests.items[test]
                verdict, test, why = self.try_site(site, text)
            print("    %-12s with sanitizers  %s:%d  %s" % (verdict, site.path, site.line, test), flush=True)
            if verdict == "caught":
                r.update(verdict=verdict, test=test, why="with sanitizers: " + why)
                self.keep(results)

    def sound(self, name):
        """Whether a test passes without a change."""
        self.tree.link_library()
        try:
            self.tests.items[name]()
        except Noticed:
            return False
        return True

    def keep(self, results):
        with open(self.options.report, "w") as f:
            json.dump(results, f, indent=1)

    def run(self):
        results = []
        chosen = mutations.choose(self.tree.path, self.options.rooms, random.Random(self.options.seed), self.options.kinds)
        if self.options.go_on and os.path.exists(self.options.report):
            with open(self.options.report) as f:
                results = json.load(f)
        valid = sum(r["verdict"] not in ("not compiled", "same code") for r in results)
        if self.options.again:
            with open(self.options.again, encoding="utf-8") as f:
                chosen = (site for _, site, _ in self.again(json.load(f)))
        if self.options.listed:
            rows = [dict(path=path, old=old, new=new, line=0, verdict="survived") for path, old, new in self.equivalent]
            random.Random(self.options.seed).shuffle(rows)
            self.equivalent, chosen = {}, (site for _, site, _ in self.again(rows))
        for site in itertools.islice(chosen, len(results), None):
            if valid == self.options.n:
                break
            with open(self.tree.inside(site.path), encoding="utf-8", newline="") as f:
                text = f.read()
            old, new = mutations.difference(text, site)
            before = processor_time()
            reason = self.equivalent.get((site.path, old, new)) if mutations.occurs_once(text, old) else None
            verdict, test, why = ("equivalent", "", reason) if reason else self.try_site(site, text)
            valid += verdict not in ("not compiled", "same code")
            results.append(dict(path=site.path, line=site.line, kind=site.kind, old=old, new=new,
                                verdict=verdict, test=test, why=why))
            found = "%s -> %s (%s)" % (old, new, why) if verdict == "survived" else test
            seconds = processor_time() - before
            print("%3d %-12s %4.1f s  %s:%d  %s  %s" % (
                valid, verdict, seconds, site.path, site.line, site.kind, found), flush=True)
            self.keep(results)
        return results


def report(results):
    columns = ["not compiled", "same code", "equivalent", "caught", "survived"]
    table = collections.defaultdict(collections.Counter)
    for r in results:
        for room in (os.path.dirname(r["path"]), "all"):
            table[room]["tried"] += 1
            table[room][r["verdict"]] += 1
    print("\n%-28s" % "room" + "".join("%13s" % c for c in ["tried"] + columns))
    for room in sorted(table, key=lambda r: (r == "all", r)):
        print("%-28s" % room + "".join("%13d" % table[room][c] for c in ["tried"] + columns))
    tests = [r["test"] for r in results if r["verdict"] == "caught"]
    by = collections.Counter(test[5:] if test.startswith("part/") else test.split("/")[0] for test in tests)
    print("\ncaught by " + ", ".join("%s %d" % pair for pair in by.most_common()))
    for title in ("equivalent", "survived"):
        for r in results:
            if r["verdict"] == title:
                print("\n%s: %s:%d (%s)\n  - %s\n  + %s" % (title, r["path"], r["line"], r["why"], r["old"], r["new"]))
    caught, survived = (table["all"][c] for c in ("caught", "survived"))
    print("\nmutants: %d of %d noticed, %.1f %%" % (caught, caught + survived, 100.0 * caught / max(1, caught + survived)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default="out/mutants", help="folder to work in")
    parser.add_argument("--n", type=int, default=200, help="changes to test")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", type=lambda s: s.replace(",", " ").split(), default=[], help="folders whose files are changed")
    parser.add_argument("--kinds", type=lambda s: s.split(";"), default=[], help="kinds of changes, such as 'number;plus, minus'")
    parser.add_argument("--again", help="the changes that survived, of such a report")
    parser.add_argument("--listed", action="store_true", help="changes that equivalent.txt names: what is caught does not belong there")
    parser.add_argument("--tidy", action="store_true", help="only remove the lines of equivalent.txt whose change cannot be made any more")
    parser.add_argument("--list", action="store_true", help="only list the changes")
    parser.add_argument("--fast", action="store_true", help="only run the fast tests")
    parser.add_argument("--parts", type=lambda s: s.split(","), default=PARTS, help="parts for what the fast tests do not notice")
    parser.add_argument("--seconds", type=float, default=20, help="processor time of the fast tests for a change")
    parser.add_argument("--parts-seconds", type=float, default=1e9, help="processor time of the parts for a change, the cheapest first")
    parser.add_argument("--report", help="file for the results as JSON")
    parser.add_argument("--go-on", action="store_true", help="continue the report where a run was interrupted; the sources are the same")
    parser.add_argument("--make", default="make")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--libs", default="-lpcre2-8 -lzstd -lz -lbz2 -llzma -lsqlite3 -lxxhash -ldl -lm -pthread")
    parser.add_argument("--tcc", default="libtcc", help="object with libtcc, where that is not in --libs")
    options = parser.parse_args()
    root = os.path.dirname(os.path.dirname(HERE))
    if options.tidy:
        tidy(root)
        return
    if options.list:
        for _, site in zip(range(options.n), mutations.choose(root, options.rooms, random.Random(options.seed), options.kinds)):
            with open(os.path.join(root, site.path), encoding="utf-8", newline="") as f:
                print("%s:%d (%s)\n  - %s\n  + %s" % (site.path, site.line, site.kind, *mutations.difference(f.read(), site)))
        return
    protect_devices()
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"):
        os.environ.pop(name, None)
    folder = os.path.abspath(options.out)
    os.makedirs(folder, exist_ok=True)
    options.report = os.path.abspath(options.report or os.path.join(folder, "report-%d.json" % options.seed))
    tree = Tree(root, folder, options)
    key = tree.copy()
    parts = [] if options.fast else [p for p in options.parts if os.path.exists(tree.inside("tests/parts", p + ".py"))]
    reached = what_is_reached(tree, os.path.join(folder, "reached"), key, parts)
    tree.build("out", "-O2")
    results = Hunt(tree, Tests(tree, parts), reached, options).run()
    if not options.fast and any(r["verdict"] == "survived" for r in results):
        tree = Tree(root, folder, options, sanitize=True)
        tree.build("out/sanitize", "-O1 -g -fno-omit-frame-pointer -fno-var-tracking-assignments")
        tests = Tests(tree, [p for p in parts if p not in WITHOUT_SANITIZERS])
        Hunt(tree, tests, reached, options).look_again(results)
    report(results)


def what_is_reached(tree, path, key, parts):
    """What the tests reach, from the file, or from a run of all of them."""
    reached = Reached(tree, path, key)
    tree.out = "out/traced"
    tests = Tests(tree, parts)
    if reached.load() and all(reached.mark.get(name) == mark for name, mark in tests.mark.items()):
        return reached
    tree.build(tree.out, "-O1 -g1 -w -fsanitize-coverage=trace-pc")
    print("mutants: the tests run once to learn what they reach", flush=True)
    kept = getattr(reached, "address", None)
    reached.blocks()
    if kept != reached.address:  # linked otherwise: what was recorded is about other addresses
        for table in (reached.hits, reached.cost, reached.broken, reached.mark):
            table.clear()
    reached.record(tests)
    reached.keep()
    seconds = sum(reached.cost.values())
    print("mutants: %d tests reach parts of %d blocks, %.0f s of processor time" % (
        len(reached.hits), len(reached.address), seconds), flush=True)
    return reached


if __name__ == "__main__":
    main()
