"""`cqlgen convert` writes CQL 6.2 that finds what the query finds.

Every case of tests/cases that is not refused is converted, and the query and its conversion search the same games. What
cannot be converted must be refused by name, and CQL 6.2 can always be converted. A second conversion of the result changes
nothing. Games of variants of chess are left out, because only CQLi looks at the Variant tag.
"""
import os

from harness import EXAMPLES, TESTS, difference, read, write
from part_cases import CASES, load


def games_of_variants(pgn):
    """The numbers of the games that have a Variant tag, as text."""
    number, found = 0, set()
    for line in read(pgn).splitlines():
        number += line.startswith("[Event ")
        if line.startswith("[Variant "):
            found.add(str(number))
    return found


def positions(suite, query, pgn, dropped):
    result = suite.search(query, pgn, "--format", "positions", "-q", "--engine", "interp")
    lines = result.text().splitlines(keepends=True)
    return result.status, "".join(line for line in lines if line.partition(":")[0] not in dropped)


def is_stable(suite, path):
    """Converting the result once more gives it again."""
    again = path[:-4] + ".again.cql"
    for source, target in ((path, again), (again, again + ".cql")):
        if suite.run([suite.cqlgen, "convert", source, "-o", target]).status != 0:
            return False
    return read(again) == read(again + ".cql")


def is_older(case):
    """Is the query written in another dialect than CQL 6.2?"""
    text = read(case.query)
    return case.key.startswith("cql") or "(match" in text or "dialect: cql" in text


def judge(suite, case):
    """The reason why the conversion of a case is wrong, or ''."""
    path = suite.path(case.key.replace("/", "-") + ".cql")
    result = suite.run([suite.cqlgen, "convert", "--to", "cql62", case.query, "-o", path])
    if result.status == 2 and "has no form" in result.errors():
        return "" if is_older(case) else "CQL 6.2 is refused: " + result.errors()[:300]
    if result.status != 0:
        return "exit status %s: %s" % (result.status, result.errors()[:300])
    if not read(path).startswith("// dialect: cql6\n"):
        return "the first line is no marker"
    if not is_stable(suite, path):
        return "a second conversion changes it"
    if "strings are bytes" in result.errors():
        return ""
    dropped = games_of_variants(case.pgn)
    want, got = positions(suite, case.query, case.pgn, dropped), positions(suite, path, case.pgn, dropped)
    if want[0] == 4 or want == got:
        return ""
    return "the conversion finds something else (exit status %d): %s" % (got[0], difference(want[1], got[1]))


# What the conversion is, derived from the reference: designators, unions and values of CQL 5, and the refusals.
TEXTS = [
    ("cql5", "cql() ; kings\nK or k on e4", "// dialect: cql6\n// kings\ncql(matchstring \"MATCH\")\nK or k & e4\n"),
    ("cql5", "cql() A on [Kk]a-h1", "// dialect: cql6\ncql(matchstring \"MATCH\")\nA & [Kk]a-h1\n"),
    ("cql5", "cql(input x.pgn variations) move from P to _", "// dialect: cql6\ncql(input \"x.pgn\" variations matchstring "
             "\"MATCH\")\nmove to _ from P\n"),
    ("cqli", "cql() `K attacks q", "// dialect: cql6\ncql()\n{ K } attacks q\n"),
    ("cql6", "cql()\nnot (check or mate) and #R >= 2", "// dialect: cql6\ncql()\nnot (check or mate) and #R >= 2\n"),
    ("cql6", "cql() comment(\"a\"+\\\"+\"b\")", "// dialect: cql6\ncql()\ncomment({ \"a\" + \\\" + \"b\" })\n"),
]
REFUSALS = [("cqli", "cql() move legal : mate", "speculative move"), ("cqli", "cql() \"a\" ~~ str(\"b\")", "computed"),
            ("cql5", "cql() relation echoflip (mismatch 0)", "echoflip"),
            ("cql3", "(match (position :relation (:samesidetomove)))", "relation")]


def check_texts(suite):
    for dialect, text, want in TEXTS:
        query = suite.path("text.cql")
        write(query, text)
        result = suite.run([suite.cqlgen, "convert", "--dialect", dialect, query])
        suite.check("convert %s" % text, result.text() == want, difference(want, result.text()))
    for dialect, text, what in REFUSALS:
        query = suite.path("text.cql")
        write(query, text)
        result = suite.run([suite.cqlgen, "convert", "--dialect", dialect, query])
        good = result.status == 2 and not result.out and what in result.errors()
        suite.check("convert refuses %s" % text, good, result.errors()[:300])
    result = suite.run([suite.cqlgen, "convert", "--to", "cql5", "-e", "check"])
    suite.check("convert refuses another language", result.status == 2 and b"cql62" in result.err)


def run(suite):
    check_texts(suite)
    cases = [c for c in load(CASES, [os.path.join(TESTS, "pgn"), EXAMPLES]) if c.positions() and c.pgn]
    for case, why in suite.map(lambda c: judge(suite, c), [c for c in cases if suite.wanted(c.key)]):
        suite.check("converted case " + case.key, not why, why)
