"""Random queries whose answers an independent evaluator in Python knows (tests/oracle)."""
import os
import sys

from harness import TESTS
from part_drivers import count

RUNS = (("interp", 1), ("interp", 2), ("tcc", 3), ("tcc", 4))


def run(suite):
    seed = int(os.environ.get("CQLGEN_SEED", "1"))
    folder = suite.path("oracle")
    os.mkdir(folder)
    queries = "25" if suite.sanitize else "120"

    def compare(engine_and_number):
        engine, number = engine_and_number
        return suite.run([sys.executable, os.path.join(TESTS, "oracle", "oracle.py"), suite.cqlgen, folder, "--engine", engine,
                          "--seed", str(100 * seed + number), "--queries", queries], timeout=900)

    for (engine, number), result in suite.map(compare, RUNS):
        count(suite, "oracle against %s, %d" % (engine, number), result)
