"""Queries of the kinds that people publish over the example games: tests/known/*.txt.

The answers in these files come from the evaluator in Python (oracle/known.py), never from cqlgen. cqlgen has to find the same on each engine;
the evaluator has to say the same again, in a quick run for a sample. `--update` lets the evaluator write the answers.
"""
import glob
import os
import sys

from parts.harness import EXAMPLES, TESTS, write
from parts.drivers import count

ORACLE = os.path.join(TESTS, "oracle")
FOLDER = os.path.join(TESTS, "known")


def answers(suite, known, queries, engine):
    """What cqlgen finds: {path: {file: {game: positions}}}, and its errors."""
    found, errors = {path: {} for path in queries}, ""
    for name in known.FILES:
        result = suite.search(*queries, os.path.join(EXAMPLES, name + ".pgn"), "-q", "--engine", engine, "-f", "positions",
                              timeout=600)  # cc compiles all queries at once
        errors += result.errors() if result.status != 0 or result.err else ""
        for line in result.text().splitlines():
            path, _, game = line.partition("\t")
            number, _, positions = game.partition(": ")
            found[path].setdefault(name, {})[int(number)] = [int(p) for p in positions.split()]
    return found, errors.strip()


def run(suite):
    sys.path.insert(0, ORACLE)
    import known
    sys.path.remove(ORACLE)
    files = sorted(glob.glob(os.path.join(FOLDER, "*.txt")))
    if suite.update:
        suite.run([sys.executable, os.path.join(ORACLE, "known.py"), "update", *files], timeout=1800)
    folder = suite.path("known")
    os.mkdir(folder)
    queries = {}
    for file in files:
        for _, name, text, answer in known.paragraphs(file):
            path = os.path.join(folder, name + ".cql")
            if path in queries:
                suite.check("known %s has a name of its own" % name, False)
            queries[path] = answer
            write(path, text + "\n")
    for engine in ["interp", "tcc"] + ["cc"] * suite.full:
        # the system compiler takes its time
        asked = suite.some(list(queries), 3, 3, full=3) if engine == "cc" else list(queries)
        found, errors = answers(suite, known, asked, engine)
        suite.check("known: %s has nothing to say" % engine, not errors, errors[-500:])
        for path in asked:
            got, answer = known.answer_of(found[path]), queries[path]
            suite.check("known %s (%s)" % (os.path.basename(path)[:-4], engine), got == answer, "%s, not %s" % (got[:300], str(answer)[:300]))
    every = suite.size(full=12, quick=60, sanitize=60)
    first = int(os.environ.get("CQLGEN_SEED", "1")) % every
    result = suite.run([sys.executable, os.path.join(ORACLE, "known.py"), "check", "--every", str(every), "--first", str(first), *files], timeout=1800)
    count(suite, "known: the evaluator says the same", result)
