"""How the time of the compiler grows with a query: each construct that can be repeated (tests/tools/constructs.py), 100 to 100,000
times.

Our own passes write the C of a matcher; what they take is the processor time of `cqlgen compile QUERY.cql -o MATCHER.c`, less that
of a query without filters. libtcc and the C compiler get up to 1,000 terms; that is the processor time of a search of one game,
less our passes.
"""
import os
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tools"))
from constructs import REPEATED  # noqa: E402

SIZES = (100, 1000, 10000, 100000)
MOST_COMPILED = 1000  # terms for libtcc and cc
# Without --part compile: one construct of each kind.
USUAL = ("check", "attacks", "comparisons", "assignments of calls", "piece loops", "functions", "string tests", "comment filters", "if",
         "find", "path", "line")
SHORTEST = 0.001  # seconds that can be measured


def seconds(program, words):
    """The processor time of a run and of what it starts; None when the query is refused."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run([program.path, *words], env=program.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime if status == 0 else None


def best(program, words, rounds):
    times = [seconds(program, words) for _ in range(rounds)]
    return None if None in times else min(times)


def measure_one(bench, name, start):
    """The times of our passes by size, and of libtcc and cc by size."""
    query, out = (os.path.join(bench.data.folder, file) for file in ("terms.cql", "terms.c"))
    passes, engines = {}, {"tcc": {}, "cc": {}}
    for size in SIZES[:2] if bench.options.quick else SIZES:
        bench.progress("compile: %d times %s" % (size, name))
        with open(query, "w") as f:
            f.write("cql()\n%s\n" % REPEATED[name](size))
        rounds = bench.options.rounds if size < SIZES[-1] else 1
        ours = best(bench.program, ["compile", query, "-o", out], rounds)
        passes[size] = ours and max(ours - start, SHORTEST)
        for engine, times in engines.items():
            if size <= MOST_COMPILED and ours is not None:
                words = ["search", query, bench.data.one.pgn, "--engine", engine, "--no-cache", "-j", "1", "-f", "count", "-q"]
                whole = best(bench.program, words, rounds if engine == "tcc" else 1)
                times[size] = whole and max(whole - ours, SHORTEST)
    return passes, engines


def milliseconds(time):
    return "%9s" % "-" if time is None else "%9.0f" % (1000 * time)


def measure(bench):
    """Adds a row for each construct: the growth of our passes from the last size but one to the last, over that of the query."""
    names = bench.some([name for name in REPEATED if bench.options.all_terms or name in USUAL])
    program = bench.program
    empty = os.path.join(bench.data.folder, "empty.cql")
    with open(empty, "w") as f:
        f.write("cql()\n.\n")
    start = best(program, ["compile", empty, "-o", empty + ".c"], 3)
    sizes = SIZES[:2] if bench.options.quick else SIZES
    print("\nThe compiler's work by the number of terms: milliseconds of the processor (-: refused), of our passes, libtcc and cc\n")
    print("%-24s" % "" + "".join("%9d" % size for size in sizes) + "   growth" + "".join(
        "%9s" % ("%s %d" % (engine, size)) for engine in ("tcc", "cc") for size in SIZES if size <= MOST_COMPILED))
    for name in names:
        passes, engines = measure_one(bench, name, start)
        bench.progress("")
        done = [size for size in sizes if passes[size] is not None]
        growth = None
        if len(done) > 1:
            small, large = done[-2:]
            growth = passes[large] / passes[small] / (large / small)
            bench.add("compile", "%s, growth from %d to %d" % (name, small, large), 1 / growth, "x")
        for engine, times in engines.items():
            for size, time in times.items():
                if time is not None:
                    bench.add("compile", "%s, %d with %s" % (name, size, engine), 1000 * time, "ms", limit=5000)
        print("%-24s" % name + "".join(milliseconds(passes[size]) for size in sizes) + ("%9.2f" % growth if growth else "%9s" % "-") + "".join(
            milliseconds(times.get(size)) for times in engines.values() for size in SIZES if size <= MOST_COMPILED))
