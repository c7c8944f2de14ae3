#!/usr/bin/env python3
"""Runs all tests of cqlgen.

usage: run.py [--out DIR] [--full] [--sanitize] [--only PART,...] [--update] [-j N] [-v] [AREA[/CASE] ...]

The parts, in order, are the modules of tests/parts that tests/README.md lists. The last line is `SIZES: N passed, N failed`, where SIZES
is `quick`, `full` or `sanitize`; the exit status is 1 when something failed. Without --full, what is generated or repeated for
each engine is a sample. --sanitize takes smaller samples, and leaves out what only repeats the same code at great length. --update rewrites the golden
files from what the program emits now: review the difference before it is committed. PART.TOPIC leaves out the other functions
that the part's run() calls. AREA[/CASE] selects conformance cases. With -j 1 parts are run one after the other; otherwise several at
once, since many wait for programs that use one processor.
"""
import argparse
import ast
import concurrent.futures
import importlib
import inspect
import itertools
import os
import re
import signal
import subprocess
import sys
import time
import traceback

sys.dont_write_bytecode = True  # nothing is left beside the sources
from parts import harness

PARTS = re.findall(r"(?m)^\| `(\w+)` \|.*\| \d+ \|$", harness.read(os.path.join(harness.TESTS, "README.md")))
LEFT_OUT_WITH_SANITIZERS = {"golden", "growth", "steps", "budget", "documents", "completion", "options", "page", "serve_page", "faults", "install", "patches", "rebuild",
                            "bench", "shared", "known"}
MAKE_IN_THE_BUILD = {"install", "python"}  # no other part is run meanwhile


def topics(module):
    """The functions of a part that its run() calls one after the other."""
    found = []
    for node in ast.walk(ast.parse(inspect.getsource(module.run))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
            found.append(node.value.func.id)
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple):
            found += [name.id for name in node.iter.elts if isinstance(name, ast.Name)]
    own = dict(inspect.getmembers(module, inspect.isfunction))
    return [name for name in found if name in own and own[name].__module__ == module.__name__]


def run_part(suite, part):
    part, _, topic = part.partition(".")
    module = importlib.import_module("parts." + part)
    suite.begin(part)
    known = topics(module)
    if topic and topic not in known:
        sys.exit("run.py: the part %s has no function %s; expected one of: %s" % (part, topic, " ".join(known)))
    left_out = {name: getattr(module, name) for name in known if topic and name != topic}
    for name in left_out:
        setattr(module, name, lambda *arguments: None)
    try:
        module.run(suite)
    except Exception:  # what the part had still to do is lost; the other parts are run
        suite.check("%s: ended by an exception" % part, False, traceback.format_exc())
    for name, function in left_out.items():
        setattr(module, name, function)


def run_parts_at_once(suite, parts, arguments):
    """Runs each part in a process of its own, and prints what they print in the order of the parts; last those that are run alone."""
    at_once = min(suite.jobs, 4)
    last = [part for part in parts if part.partition(".")[0] in MAKE_IN_THE_BUILD]
    parts = [part for part in parts if part not in last]

    def run_alone(part):
        command = [sys.executable, os.path.abspath(__file__), *arguments, "--only", part, "-j", str(2 * suite.jobs // at_once)]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace").stdout

    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        for part, text in itertools.chain(zip(parts, pool.map(run_alone, parts)), zip(last, map(run_alone, last))):
            tally = re.search(r"(?m)^\w+: (\d+) passed, (\d+) failed\n\Z", text)
            print(text[:tally.start()] if tally else "%sFAIL %s: no result\n" % (text, part), end="", flush=True)
            suite.passed += int(tally.group(1)) if tally else 0
            suite.failed += int(tally.group(2)) if tally else 1


def main():
    # What a shell ignores for its background jobs would be ignored by the programs under test, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default="out", help="folder of the build")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("-j", "--jobs", type=int)
    parser.add_argument("--first", action="store_true", help="end at the first failure")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("select", nargs="*")
    options = parser.parse_args()
    suite = harness.Suite(options.out, options.sanitize, options.full, options.update, options.verbose, options.jobs, options.select, options.first)
    if not os.path.exists(suite.cqlgen):
        sys.exit("run.py: there is no %s; run make first" % suite.cqlgen)
    if options.only:
        parts = options.only.split(",")
    elif options.select:
        parts = ["cases", "shared"]
    else:
        parts = [p for p in PARTS if not (options.sanitize and p in LEFT_OUT_WITH_SANITIZERS)]
    if suite.jobs > 1 and len(parts) > 1 and not (options.update or options.first or options.select):
        flags = [word for word in ("--full", "--sanitize") if getattr(options, word[2:])] + ["-v"] * options.verbose
        run_parts_at_once(suite, parts, ["--out", options.out, *flags])
        parts = []
    for part in parts:
        before = suite.passed + suite.failed
        start = time.monotonic()
        run_part(suite, part)
        print("%-12s %5d tests, %.1f s" % (part, suite.passed + suite.failed - before, time.monotonic() - start), flush=True)
    print("%s: %d passed, %d failed" % (suite.size("full", "quick", "sanitize"), suite.passed, suite.failed))
    return 1 if suite.failed else 0


if __name__ == "__main__":
    sys.exit(main())
