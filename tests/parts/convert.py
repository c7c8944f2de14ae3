"""`cqlgen convert` writes CQL 6.2 that finds what the query finds.

Every case of tests/cases, every sentence of tests/sentences, and every case of ../shared/conformance where that is, is
converted, and the query and its conversion search the same games. Nothing of CQL 6.2, CQL 5 and CQL 3 may be refused but tags that it does not read; what
CQL 6.2 cannot say of CQLi, and cqlgen's own filters, are refused by name. A conversion of the result changes nothing. Games of
variants of chess are left out, because only CQLi looks at the Variant tag. Without --full a sample is converted, most of it
sentences `converts`.
"""
import os
import re

from parts.harness import EXAMPLES, TESTS, difference, read, write
from parts.cases import CASES, load
from parts.sentences import SENTENCES, load as load_sentences
from parts.shared import AREAS, SHARED, known_failures


REFUSED = "refused"


def games_of_variants(pgn):
    """The numbers of the games that have a Variant tag, as text."""
    number, found = 0, set()
    for line in read(pgn).splitlines():
        number += line.startswith("[Event ")
        if line.startswith(("[Variant ", "[Rules ")):
            found.add(str(number))
    return found


def positions(suite, query, pgn, dropped):
    result = suite.search(query, pgn, "--format", "positions", "-q", "--engine", "interp")
    lines = result.text().splitlines(keepends=True)
    return result.status, "".join(line for line in lines if line.partition(":")[0] not in dropped)


def is_stable(suite, path):
    """Converting the result gives it again."""
    again = path[:-4] + ".again.cql"
    return suite.run([suite.cqlgen, "convert", path, "-o", again]).status == 0 and read(path) == read(again)


def judge(suite, case):
    """The reason why the conversion of a case is wrong, '' or the word REFUSED."""
    path = suite.path("converted-%s.cql" % re.sub("[/:]", "-", case.key))
    result = suite.run([suite.cqlgen, "convert", "--to", "cql62", case.query, "-o", path])
    if result.status == 2 and re.search("which only CQLi has|an extension of cqlgen", result.errors()):
        return ""
    if result.status == 2 and any(reason in result.errors() for reason in REASONS):
        return REFUSED
    if result.status != 0:
        return "exit status %s: %s" % (result.status, result.errors()[:300])
    if not read(path).startswith("// dialect: cql6\n"):
        return "the first line is not a marker"
    if not is_stable(suite, path):
        return "a second conversion changes it"
    if "strings are bytes" in result.errors():
        return ""
    dropped = games_of_variants(case.pgn)
    want, got = positions(suite, case.query, case.pgn, dropped), positions(suite, path, case.pgn, dropped)
    if want[0] == 4 or want == got:
        return ""
    return "the conversion finds something else (exit status %d): %s" % (got[0], difference(want[1], got[1]))


# What CQL 6.2 has no form of, besides what only CQLi has: counts of played moves, more parameters of legal moves, a pattern that
# is wrong only when it is used, and a group that no pattern has.
NO_FORM = {"move-count", "move-legal-capture", "move-legal-primary", "move-legal-promote-count", "named-group-missing",
           "regex-computed-malformed", "move-reverse-capture", "move-reverse-count", "move-reverse-from-a-pawn-to-a-promoted-piece",
           "move-reverse-none"}

# How a refusal names the construct.
REASONS = ("`count` of `move`", "with `move legal`", "computed regular expression",
           "malformed regular expression", "named group", "`move reverse`", "`drop` of `move`", "the tag `", "`:tag *`", "faults in the text of a game")


def check_alternatives(suite):
    """Alternatives are nested in groups of a hundred; what is left alone after them is no group."""
    some = "\nor ".join(["K"] * 100)
    query = suite.path("text.cql")
    for groups, count in ((some, 100), (some + "\nor K", 101), (some + "\nor (K or K)", 102), ("%s\nor (%s)\nor K" % (some, some), 201)):
        write(query, "(match (position :or (%s)))" % ("(position K)" * count))
        suite.ends("convert %d alternatives" % count, suite.run([suite.cqlgen, "convert", "--dialect", "cql3", query]), 0,
                   "// dialect: cql6\ncql(matchstring \"MATCH\")\n%s\n" % groups)


def is_listed(case):
    """A case, no sentence, that is in NO_FORM when it is refused. Of CQL-S and variants many are: each for one of REASONS."""
    return "/" in case.key and not case.key.startswith(("cqls/", "variants/"))


def all_cases():
    cases = load(CASES, [os.path.join(TESTS, "pgn"), EXAMPLES])
    shared = os.path.join(SHARED, "conformance")
    if os.path.isdir(shared):
        known = known_failures()
        cases += [c for c in load(shared, [os.path.join(SHARED, "pgn")], AREAS) if c.key not in known]
    return [c for c in cases if c.positions() and c.pgn]


def all_sentences(suite):
    folder = suite.path("sentences-to-convert")
    os.mkdir(folder)
    return [s for name in sorted(os.listdir(SENTENCES)) for s in load_sentences(suite, folder, name) if not s.speaks]


def run(suite):
    check_alternatives(suite)
    refused = set()
    sentences = all_sentences(suite)
    certain = suite.some([s for s in sentences if s.converts], 6, 20, full=5)
    sentences = suite.some([s for s in sentences if not s.converts], 18, 60, full=3) + certain
    chosen = [c for c in suite.some(all_cases(), 12, 24, full=5) + sentences if suite.wanted(c.key)]
    for case, why in suite.map(lambda c: judge(suite, c), chosen):
        if why == REFUSED and is_listed(case):
            refused.add(os.path.basename(case.query)[:-4])
        suite.check("converted case " + case.key, not why or why == REFUSED and case not in certain, why)
    if suite.wanted("cqli/") and suite.full:
        expected = NO_FORM & {os.path.basename(case.query)[:-4] for case in chosen if is_listed(case)}  # some are cases of the shared ones
        suite.check("what CQL 6.2 cannot say of CQLi", refused == expected, "refused: %s" % sorted(refused ^ expected))
