"""The project's own conformance cases, tests/cases/AREA/NAME.cql, with every engine.

The first line of a case is `// pgn: FILE`, FILE in tests/pgn or examples. Next to it is NAME.expected: what
`--format positions` must print, a line `GAME: ID ID ...` for each matching game, or the line `error`, when the query must be
refused with exit status 2; or NAME.pgn, the games that `-o` must write (compared as chapter 10 of the language reference
says); or both.
"""
import os
import re
import tempfile

from parts.harness import EXAMPLES, TESTS, difference, games_of, read

CASES = os.path.join(TESTS, "cases")
ENGINES = {
    "interp": ["--engine", "interp"],
    "interp, not optimised": ["--engine", "interp", "--no-optimize"],
    "tcc": ["--engine", "tcc"],
}
BATCH = 24  # queries that are compiled together by the system compiler


class Case:
    def __init__(self, folder, pgn_folders, area, name):
        self.key = area + "/" + name
        self.query = os.path.join(folder, area, name + ".cql")
        stem = self.query[:-4]
        m = re.match(r"//\s*pgn:\s*(\S+)", read(self.query).split("\n", 1)[0])
        files = [os.path.join(f, m.group(1)) for f in pgn_folders] if m else []
        self.pgn = next((f for f in files if os.path.exists(f)), None)
        self.expected = read(stem + ".expected") if os.path.exists(stem + ".expected") else None
        self.output = stem + ".pgn" if os.path.exists(stem + ".pgn") else None
        self.refused = self.expected is not None and self.expected.strip() == "error"

    def positions(self):
        return self.expected is not None and not self.refused


def load(folder, pgn_folders, areas=None):
    cases = []
    for area in sorted(os.listdir(folder)):
        if os.path.isdir(os.path.join(folder, area)) and (areas is None or area in areas):
            for name in sorted(os.listdir(os.path.join(folder, area))):
                if name.endswith(".cql"):
                    cases.append(Case(folder, pgn_folders, area, name[:-4]))
    return cases


def judge(suite, case, options, refusals=(2,), timeout=60):
    """Runs one case; returns the reason why it fails, or ''. refusals: the statuses with which a query may be refused."""
    if not case.pgn:
        return "the first line must be `// pgn: FILE` and name a file"
    result = suite.search(case.query, case.pgn, "--format", "positions", "-q", *options, timeout=timeout)
    if result.crashed():
        return "crashed, status %s: %s" % (result.status, result.errors().strip()[-400:])
    if case.refused:
        if result.status not in refusals or not result.err.strip():
            return "must be refused with a message; exit status %s" % result.status
        return ""
    if result.status not in (0, 4):
        return "exit status %s: %s" % (result.status, result.errors().strip()[:300])
    return "" if result.text() == case.expected else difference(case.expected, result.text())


def judge_output(suite, case, options=()):
    """Runs a case whose expectation is the PGN that the search writes; returns the reason why it fails, or ''."""
    if not case.pgn:
        return "the first line must be `// pgn: FILE` and name a file"
    with tempfile.TemporaryDirectory(dir=suite.path("")) as folder:
        out = os.path.join(folder, "out.pgn")
        result = suite.search(case.query, case.pgn, "-q", "-o", out, *options)
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


def batches(cases):
    """Groups of cases that search the same file."""
    by_pgn = {}
    for case in cases:
        if case.pgn and case.positions():
            by_pgn.setdefault(case.pgn, []).append(case)
    for group in by_pgn.values():
        for i in range(0, len(group), BATCH):
            yield group[i:i + BATCH]


def judge_batch(suite, group, refusals):
    """Compiles the queries of a group together with the system compiler and searches in one pass; a list of reasons."""
    result = suite.search(*[c.query for c in group], group[0].pgn, "--format", "positions", "-q", "--engine", "cc",
                          "--no-cache", timeout=300)
    found = {c.query: [] for c in group}
    for line in result.text().splitlines():
        query, _, rest = line.partition("\t")
        if query in found:
            found[query].append(rest)
    reasons = []
    for case in group:
        want = sorted(case.expected.splitlines())
        if len(group) > 1 and result.status in (0, 4) and sorted(found[case.query]) == want:
            reasons.append("")
        else:
            alone = judge(suite, case, ["--engine", "cc", "--no-cache"], refusals)
            reasons.append(alone or ("only when searched together with other queries" if len(group) > 1 else ""))
    return reasons


def run_cases(suite, cases, title, refusals=(2,)):
    def report(case, engine, why):
        suite.check("%s %s (%s)" % (title, case.key, engine), not why, why)

    for engine, options in ENGINES.items():
        chosen = suite.some([c for c in cases if c.positions() or engine == "interp"], 1 if engine == "interp" else 3, 3)
        if title == "shared" and engine == "interp, not optimised":
            continue
        for case, why in suite.map(lambda c: judge(suite, c, options, refusals), chosen):
            report(case, engine, why)
    if suite.sanitize:
        return
    # The system compiler takes most of the time: a fifth of the groups, or half of them.
    for group, reasons in suite.map(lambda g: judge_batch(suite, g, refusals), suite.some(list(batches(cases)), 9, 5, full=2)):
        for case, why in zip(group, reasons):
            report(case, "cc", why)


def run_outputs(suite, cases, title, engines):
    for engine, options in engines.items():
        for case, why in suite.map(lambda c: judge_output(suite, c, options), cases):
            suite.check("%s %s, output (%s)" % (title, case.key, engine), not why, why)


def run(suite):
    cases = [c for c in load(CASES, [os.path.join(TESTS, "pgn"), EXAMPLES]) if suite.wanted(c.key)]
    for case in cases:
        if case.expected is None and not case.output:
            suite.check("case " + case.key, False, "has neither an .expected nor a .pgn file")
    run_cases(suite, [c for c in cases if c.expected is not None], "case")
    engines = ENGINES if suite.sanitize else dict(ENGINES, cc=["--engine", "cc", "--no-cache"])
    run_outputs(suite, [c for c in cases if c.output], "case", engines)
