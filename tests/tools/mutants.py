#!/usr/bin/env python3
"""Do the tests notice? `make mutants N=20` makes small changes of the sources (mutations.py), one at a time, builds each and runs
tests until one fails. What no test notices is listed at the end.

It works on a copy of the tree in out/mutants. What does not compile, or compiles to the same code, is left out. A test that
takes much longer than it did has noticed.
"""
import argparse
import collections
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import mutations  # noqa: E402

MEMORY = 6 << 30  # of a program, in bytes
PARTS = "unit,cases,sentences,diagnostics,convert,golden,options,cql,cqli,groups,many,tags,oracle"


def protect_devices():
    """Runs this program again where /dev/null is a mount point: a changed program that root runs could put a file in its place."""
    if os.geteuid() != 0 or "CQLGEN_PROTECTED" in os.environ or not shutil.which("unshare"):
        return
    if subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        return
    os.environ["CQLGEN_PROTECTED"] = "1"
    script = 'mount --bind /dev/null /dev/null; exec "$@"'
    os.execvp("unshare", ["unshare", "-m", "sh", "-c", script, "sh", sys.executable, *sys.argv])


def copy_tree(target):
    """Brings the copy of the tree up to date; what has not changed keeps its time."""
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    wanted = {name for name in files if name and os.path.isfile(os.path.join(ROOT, name))}
    for name in wanted:
        source, copy = os.path.join(ROOT, name), os.path.join(target, name)
        if not os.path.exists(copy) or read(source) != read(copy):
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copy(source, copy)
    for folder, _, names in os.walk(target):
        for name in (os.path.relpath(os.path.join(folder, n), target) for n in names):
            if name not in wanted and not name.startswith("out" + os.sep):
                os.unlink(os.path.join(target, name))


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(text)


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Tree:
    """The copy, its build and its tests."""

    def __init__(self, path, options):
        self.path = path
        self.make = [options.make, "-C", path, "-s", "-j%d" % options.jobs, "CC=" + options.cc, "PYTHON=" + sys.executable]
        self.tests = [sys.executable, "tests/run.py", "--first", "-j", str(options.jobs), "--only", options.parts]
        self.seconds = 3600

    def build(self, *targets):
        return subprocess.run([*self.make, *targets], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def failed_test(self):
        """What is printed of the first test that fails; '' when all pass."""
        process = subprocess.Popen(self.tests, cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   text=True, errors="replace", start_new_session=True, preexec_fn=limit)
        try:
            printed = process.communicate(timeout=self.seconds)[0]
            return "" if process.returncode == 0 else next((line for line in printed.splitlines() if line.lower().startswith("fail")), "failed")
        except subprocess.TimeoutExpired:
            return "too slow"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def verdict(self, site, text):
        """What becomes of a change, and the test that notices it. The change is left in the copy."""
        target = "out/obj/%s.o" % site.path[:-2]
        before = read(os.path.join(self.path, target))
        write(os.path.join(self.path, site.path), mutations.changed(text, site))
        if not self.build(target):
            return "not compiled", ""
        if read(os.path.join(self.path, target)) == before:
            return "same code", ""
        failed = self.failed_test() if self.build("test-programs") else "does not build"
        return ("caught", failed) if failed else ("survived", "")


def report(results):
    columns = ["not compiled", "same code", "caught", "survived"]
    table = collections.defaultdict(collections.Counter)
    for r in results:
        for room in (os.path.dirname(r["path"]), "all"):
            table[room][r["verdict"]] += 1
    print("\n%-28s" % "room" + "".join("%13s" % c for c in columns))
    for room in sorted(table, key=lambda r: (r == "all", r)):
        print("%-28s" % room + "".join("%13d" % table[room][c] for c in columns))
    for r in results:
        if r["verdict"] == "survived":
            print("\nsurvived: %s:%d\n  - %s\n  + %s" % (r["path"], r["line"], r["old"], r["new"]))
    caught, survived = (table["all"][c] for c in ("caught", "survived"))
    print("\nmutants: %d of %d noticed, %.1f %%" % (caught, caught + survived, 100.0 * caught / max(1, caught + survived)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default="out/mutants", help="folder to work in")
    parser.add_argument("--n", type=int, default=20, help="changes to test")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", type=lambda s: s.replace(",", " ").split(), default=[], help="folders whose files are changed")
    parser.add_argument("--kinds", type=lambda s: s.split(";"), default=[], help="kinds of changes, such as 'number;plus, minus'")
    parser.add_argument("--list", action="store_true", help="only list the changes")
    parser.add_argument("--parts", default=PARTS, help="parts of the tests, in this order")
    parser.add_argument("--make", default="make")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cc", default="cc")
    options = parser.parse_args()
    sites = mutations.choose(ROOT, options.rooms, random.Random(options.seed), options.kinds)
    if options.list:
        for _, site in zip(range(options.n), sites):
            text = read(os.path.join(ROOT, site.path)).decode()
            print("%s:%d (%s)\n  - %s\n  + %s" % (site.path, site.line, site.kind, *mutations.difference(text, site)))
        return
    protect_devices()
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"):
        os.environ.pop(name, None)
    tree = Tree(os.path.abspath(os.path.join(options.out, "tree")), options)
    copy_tree(tree.path)
    start = time.monotonic()
    failed = tree.failed_test() if tree.build("test-programs") else "make fails"
    if failed:
        sys.exit("mutants: without any change, the tests must build and pass: " + failed)
    tree.seconds = 60 + 3 * (time.monotonic() - start)
    results, tried = [], 0
    for site in sites:
        if tried == options.n:
            break
        path = os.path.join(tree.path, site.path)
        text = read(path).decode()
        start = time.monotonic()
        verdict, test = tree.verdict(site, text)
        write(path, text)
        tree.build("out/obj/%s.o" % site.path[:-2])
        old, new = mutations.difference(text, site)
        results.append(dict(path=site.path, line=site.line, kind=site.kind, old=old, new=new, verdict=verdict, test=test))
        tried += verdict in ("caught", "survived")
        print("%3d %-12s %4.0f s  %s:%d  %s  %s" % (tried, verdict, time.monotonic() - start, site.path, site.line, site.kind, test), flush=True)
        write(os.path.join(options.out, "report-%d.json" % options.seed), json.dumps(results, indent=1))
    report(results)


if __name__ == "__main__":
    main()
