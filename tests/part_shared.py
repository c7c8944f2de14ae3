"""The conformance cases in ../shared/conformance, where that folder exists.

tests/shared-expected-failures lists cases that are known to fail, one `AREA/CASE reason` a line; a listed case that passes is
a failure, so that the list stays true.
"""
import os
import tempfile

from harness import ROOT, TESTS, difference, games_of, read
from part_cases import judge, load, run_cases

AREAS = ["lexical", "grammar", "position", "transforms", "moves", "paths", "tree", "programming", "games", "output", "cql5", "cql3",
         "cqli"]
REFUSALS = (2, 4)  # there, a run-time error counts as a refusal
SHARED = os.path.join(os.path.dirname(ROOT), "shared")


def known_failures():
    path = os.path.join(TESTS, "shared-expected-failures")
    lines = read(path).splitlines() if os.path.exists(path) else []
    return {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}


def judge_output(suite, case):
    """A case whose expectation is the PGN that the search writes."""
    with tempfile.TemporaryDirectory(dir=suite.folder.name) as folder:
        out = os.path.join(folder, "out.pgn")
        result = suite.search(case.query, case.pgn, "-q", "-o", out)
        if result.crashed() or result.status not in (0, 4):
            return "exit status %s: %s" % (result.status, result.errors().strip()[-400:])
        got = games_of(read(out, "latin-1")) if os.path.exists(out) else []
    want = games_of(read(case.output, "latin-1"))
    if len(got) != len(want):
        return "%d games written, %d expected" % (len(got), len(want))
    for i, (a, b) in enumerate(zip(want, got)):
        if a != b:
            return "game %d of the output: %s" % (i + 1, difference(a, b))
    return ""


def run(suite):
    folder = os.path.join(SHARED, "conformance")
    if not os.path.isdir(folder):
        return
    cases = [c for c in load(folder, [os.path.join(SHARED, "pgn")], AREAS) if suite.wanted(c.key)]
    known = known_failures()
    run_cases(suite, [c for c in cases if c.expected is not None], "shared", known, REFUSALS)
    for case, why in suite.map(lambda c: judge_output(suite, c), [c for c in cases if c.output]):
        if case.key not in known:
            suite.check("shared " + case.key, not why, why)
    for case in cases:
        if case.key in known:
            why = judge_output(suite, case) if case.output else judge(suite, case, [], REFUSALS)
            suite.check("shared %s is still listed in shared-expected-failures" % case.key, bool(why), "it passes now")
