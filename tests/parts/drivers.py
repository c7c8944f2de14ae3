"""Programs that generate what they test: random queries on every engine, random IR through every pass, damaged queries, damaged PGN files.

The seeds are fixed, so that a run can be repeated; CQLGEN_SEED takes others.
"""
import os
import re

from parts.harness import EXAMPLES, TESTS
from parts.cases import CASES, load
from parts.shared import SHARED


def pgn_files():
    folders = [f for f in (EXAMPLES, os.path.join(TESTS, "pgn"), os.path.join(SHARED, "pgn")) if os.path.isdir(f)]
    return [os.path.join(folder, f) for folder in folders for f in sorted(os.listdir(folder)) if f.endswith(".pgn")]


def count(suite, title, result):
    """Adds the tally that a program prints at its end."""
    m = re.search(r"(\d+) passed, (\d+) failed\s*$", result.text())
    output = (result.text() + result.errors())[-3000:]
    if suite.check("%s runs" % title, m is not None and not result.crashed(), "status %s: %s" % (result.status, output)):
        suite.passed += int(m.group(1))
        suite.failed += int(m.group(2))
        if int(m.group(2)):
            print("FAIL %s: %s" % (title, output), flush=True)


def differential(suite, seed):
    """What is to be run, the longest first: (title, command)."""
    games = suite.path("random.pgn")
    lines = suite.path("lines.pgn")
    suite.generate(games, seed=7, games=40, annotated=100, starts=12, wild=50)
    suite.generate(lines, seed=8, games=32, annotated=0, starts=0, wild=100)
    number = suite.size(full=48, quick=16, sanitize=16)
    program = os.path.join(suite.out, "tests", "differential")
    for dialect, share in (("cql6", 1), ("cqli", 8), ("cql3", 8), ("cql5", 32)):
        arguments = ["--dialect", dialect, seed, str(max(1, number // share)), games, lines, os.path.join(EXAMPLES, "studies.pgn"),
                     os.path.join(TESTS, "pgn", "clocks.pgn"), os.path.join(TESTS, "pgn", "cqli.pgn")]
        yield "differential test of " + dialect, [program, *arguments]


def random_ir(suite, seed):
    lines = suite.path("short-lines.pgn")
    suite.generate(lines, seed=8, games=32, plies=60, annotated=0, starts=0, wild=100)
    number = suite.size(full=2000, quick=400, sanitize=150)
    games = [os.path.join(TESTS, "pgn", "random-ir.pgn"), lines]
    return "random IR", [os.path.join(suite.out, "tests", "random_ir"), str(int(seed) * 1000000), str(number), *games]


def damaged(suite, seed):
    """What is to be run: copies of queries of all kinds, and of each file of games."""
    def of(title, harness, copies, files):
        return title, [os.path.join(suite.out, "tests", "damaged"), harness, str(copies), seed, *files]

    queries = [os.path.join(EXAMPLES, f) for f in sorted(os.listdir(EXAMPLES)) if f.endswith(".cql")]
    queries += [c.query for c in load(CASES, [EXAMPLES])]
    yield of("damaged queries", "query", suite.size(full=160, quick=40, sanitize=40), queries)
    for path in pgn_files():
        yield of("damaged copies of " + os.path.basename(path), "pgn", suite.size(full=32, quick=10, sanitize=10), [path])


def run(suite):
    seed = os.environ.get("CQLGEN_SEED", "1")
    commands = [*differential(suite, seed), random_ir(suite, seed), *damaged(suite, seed)]
    for (title, _), result in suite.map(lambda command: suite.run(command[1], timeout=900, cwd=suite.path("")), commands):
        count(suite, title, result)
