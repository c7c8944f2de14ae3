"""Random queries whose answers independent evaluators in Python know (tests/oracle): sequences.py those of paths and lines whose constituents
have side effects, mates.py those of pure mates and stalemates, cqls.py those in CQL-S,
variants.py those about variants of chess, oracle.py those of filters of all kinds.
"""
import os
import sys

from parts.harness import TESTS
from parts.drivers import count

RUNS = (("oracle", "interp", 1), ("oracle", "interp", 2), ("oracle", "tcc", 3), ("oracle", "tcc", 4),
        ("sequences", "interp", 1), ("sequences", "tcc", 2), ("mates", "interp", 1), ("mates", "tcc", 2), ("cqls", "interp", 1), ("cqls", "tcc", 2),
        ("variants", "interp", 1), ("variants", "tcc", 2))


def run(suite):
    seed = int(os.environ.get("CQLGEN_SEED", "1"))
    folder = suite.path("oracle")
    os.mkdir(folder)
    queries = str(suite.size(full=32, quick=6, sanitize=10))

    def compare(work):
        program, engine, number = work
        return suite.run([sys.executable, os.path.join(TESTS, "oracle", program + ".py"), suite.cqlgen, folder, "--engine", engine,
                          "--seed", str(100 * seed + number), "--queries", queries], timeout=900)

    for (program, engine, number), result in suite.map(compare, RUNS):
        count(suite, "%s against %s, %d" % (program, engine, number), result)
