"""The steps of a query's budget: filters that look at other positions take a number in proportion to the length of a game, the same on
every engine. Steps are counted, never time."""
import os
import sys

from parts.harness import TESTS

PLIES = (250, 1000)
MOST_GROWTH = 1.5  # over that of the length; a filter that looks from every position at every other one has 4
# Filters of growth.py that do: numbers in a range are looked for one after the other, 16 at once and 64 in a step. An index by
# key and number is more code than all of compared.c, and would pay from 20,000 plies on: such a game takes 0.03 s.
PAIRS = {"echo, greater numbers", "echo, differences", "echo, distances", "find, a variable"}


def filters():
    sys.path.append(os.path.join(TESTS, "bench"))
    from growth import FILTERS
    return FILTERS


def words(query, dialect, engine, steps, games):
    return ["-e", query, "--dialect", dialect, "--engine", engine, "--max-steps", str(steps), "-f", "count", "-q", games]


def steps_of(suite, query, dialect, games):
    """The least budget that is enough; None: none is."""
    low, high = 0, 1 << 22
    while high - low > 1:
        middle = (low + high) // 2
        if suite.search(*words(query, dialect, "interp", middle, games)).status == 0:
            high = middle
        else:
            low = middle
    return high if high < 1 << 22 else None


def check(suite, name, dialect, query, games):
    steps = [steps_of(suite, query, dialect, path) for path in games]
    title = "steps of " + name
    if not suite.check(title, all(steps), "too many: %s" % steps):
        return
    growth = steps[-1] / steps[0] / (PLIES[-1] / PLIES[0])
    most = MOST_GROWTH * (PLIES[-1] / PLIES[0] if name in PAIRS else 1)
    suite.check(title + " grow with the length of the game", growth < most, "%s: %s" % (query, steps))
    for engine in suite.size(full=("tcc", "cc"), quick=("tcc",), sanitize=("tcc",)):
        enough = suite.search(*words(query, dialect, engine, steps[0], games[0]))
        less = suite.search(*words(query, dialect, engine, steps[0] - 1, games[0]))
        suite.check("%s with %s" % (title, engine), enough.status == 0 and (less.status == 4 or steps[0] == 1),
                    "%d steps: status %s; one less: %s" % (steps[0], enough.status, less.status))


def run(suite):
    games = [suite.path("long-%d.pgn" % plies) for plies in PLIES]
    for path, plies in zip(games, PLIES):
        suite.generate(path, endless=100, plies=plies, games=1, annotated=0, clocks=0)
    for _ in suite.map(lambda f: check(suite, *f, games), filters()):
        pass
