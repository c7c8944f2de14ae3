"""The conformance cases in ../shared/conformance, where that folder exists.

tests/shared-expected-failures lists cases that are known to fail, one `AREA/CASE reason` a line; a listed case that passes is
a failure, so that the list stays true.
"""
import os

from parts.harness import ROOT, TESTS, read
from parts.cases import ENGINES, judge, judge_output, load, run_cases, run_outputs

AREAS = ["lexical", "grammar", "position", "transforms", "moves", "paths", "tree", "programming", "games", "output", "cql5", "cql3", "cqls",
         "cqli", "variants"]
REFUSALS = (2, 4)  # there, a run-time error counts as a refusal
SHARED = os.path.join(os.path.dirname(ROOT), "shared")


def known_failures():
    path = os.path.join(TESTS, "shared-expected-failures")
    lines = read(path).splitlines() if os.path.exists(path) else []
    return {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}


def run(suite):
    folder = os.path.join(SHARED, "conformance")
    if not os.path.isdir(folder):
        return
    cases = [c for c in load(folder, [os.path.join(SHARED, "pgn")], AREAS) if suite.wanted(c.key)]
    known = known_failures()
    fit = [c for c in cases if c.key not in known]
    run_cases(suite, [c for c in fit if c.expected is not None], "shared", REFUSALS)
    engines = {name: options for name, options in ENGINES.items() if name in ("interp", "tcc")}
    run_outputs(suite, [c for c in fit if c.output], "shared", engines)
    for case in cases:
        if case.key in known:
            why = judge_output(suite, case) if case.output else judge(suite, case, [], REFUSALS)
            suite.check("shared %s is still listed in shared-expected-failures" % case.key, bool(why), "it passes now")
