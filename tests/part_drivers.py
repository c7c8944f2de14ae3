"""Programs that generate what they test: random queries on every engine, and damaged PGN files.

The seeds are fixed, so that a run can be repeated; CQLGEN_SEED takes others.
"""
import os
import re

from harness import EXAMPLES, TESTS


def pgn_files():
    return [os.path.join(folder, f) for folder in (EXAMPLES, os.path.join(TESTS, "pgn")) for f in sorted(os.listdir(folder))
            if f.endswith(".pgn")]


def differential(suite, seed):
    program = os.path.join(suite.out, "tests", "differential")
    games = suite.path("random.pgn")
    made = suite.run([os.path.join(suite.out, "tests", "generate_games"), "7", "40", "variations"])
    with open(games, "wb") as f:
        f.write(made.out)
    count = "64" if suite.sanitize else "256"
    result = suite.run([program, seed, count, games, os.path.join(EXAMPLES, "studies.pgn")], timeout=900)
    m = re.search(r"(\d+) passed, (\d+) failed\s*$", result.text())
    if suite.check("differential test runs", m is not None and not result.crashed(),
                   "status %s: %s" % (result.status, (result.text() + result.errors())[-2000:])):
        suite.passed += int(m.group(1))
        suite.failed += int(m.group(2))
        if int(m.group(2)):
            print("FAIL differential test: %s" % (result.text() + result.errors())[-4000:])


def fuzz(suite, seed):
    program = os.path.join(suite.out, "tests", "fuzz_pgn")
    rounds = "60" if suite.sanitize else "300"

    def run_one(path):
        folder = suite.path("fuzz-" + os.path.basename(path))
        os.mkdir(folder)
        return suite.run([program, rounds, seed, path], cwd=folder, timeout=300)

    for path, result in suite.map(run_one, pgn_files()):
        suite.check("damaged copies of %s" % os.path.basename(path), result.status == 0,
                    "status %s: %s" % (result.status, result.errors()[-2000:]))


def run(suite):
    seed = os.environ.get("CQLGEN_SEED", "1")
    fuzz(suite, seed)
    differential(suite, seed)
