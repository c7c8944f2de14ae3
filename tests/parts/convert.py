"""`cqlgen convert` writes CQL 6.2 that finds what the query finds.

Every case of tests/cases, every sentence of tests/sentences, and every case of ../shared/conformance where that is, is
converted, and the query and its conversion search the same games. Nothing of CQL 6.2, CQL 5 and CQL 3 may be refused but `:round`; what
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
        if line.startswith("[Variant "):
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

# What the conversion is, derived from the reference: designators, unions and values of CQL 5; relations (11.7, 12.7), copies as
# the transform that makes them or written out with the edge rule of CQL 3 (12.6); comments where they stood.
TEXTS = [
    ("cql5", "cql() ; kings\nK or k on e4", "// dialect: cql6\n// kings\ncql(matchstring \"MATCH\")\nK or k & e4\n"),
    ("cql5", "cql() A on [Kk]a-h1", "// dialect: cql6\ncql(matchstring \"MATCH\")\nA & [Kk]a-h1\n"),
    ("cql5", "cql(input x.pgn variations) move from P to _", "// dialect: cql6\ncql(input \"x.pgn\" variations matchstring "
             "\"MATCH\")\nmove to _ from P\n"),
    ("cql5", "cql()\n; one\ncheck\nmate ; two", "// dialect: cql6\ncql(matchstring \"MATCH\")\n// one\ncheck\n// two\nmate\n"),
    ("cql5", "cql() relation check (mismatch 0) (tomove match)", "// dialect: cql6\ncql(matchstring \"MATCH\")\n"
             "echo quiet (source target) { check #~(source & target) == 0 sidetomove == source:sidetomove }\n"),
    ("cql5", "cql() flipcolor 1 K", "// dialect: cql6\ncql(matchstring \"MATCH\")\nflipcolor 1 K\n"),
    ("cql5", "cql() attack 2 3 (R k)", "// dialect: cql6\ncql(matchstring \"MATCH\")\npairs = 0\n"
             "square all attacker in R { pairs += #(k attackedby attacker) }\npairs >= 2 and pairs <= 3\n"),
    ("cqli", "cql() `K attacks q", "// dialect: cql6\ncql()\n{ K } attacks q\n"),
    ("cqli", "cql()\n\"ab\" ~~ (\"(?<x>a)\" + \"(?<y>b)\")\n\\{y} == \"b\"", "// dialect: cql6\ncql()\n"
             "\"ab\" ~~ \"(a)(b)\"\n\\2 == \"b\"\n"),
    ("cql6", "cql()\nnot (check or mate) and #R >= 2", "// dialect: cql6\ncql()\nnot (check or mate) and #R >= 2\n"),
    ("cql6", "cql() comment(\"a\"+\\\"+\"b\")", "// dialect: cql6\ncql()\ncomment({ \"a\" + \\\" + \"b\" })\n"),
    ("cql6", "cql()\nfunction f(x) { x & // inside\n R }\nf(a1)", "// dialect: cql6\ncql()\n\n"
             "function f(x) { x & // inside\n R }\n\nf(a1)\n"),
    ("cql3", "(match (position Ka1 :flip))", "// dialect: cql6\ncql(matchstring \"MATCH\")\nflip Ka1\n"),
    ("cql3", "(match (position Kd4 qe6 :shift))", "// dialect: cql6\ncql(matchstring \"MATCH\")\nshift { Kd4 qe6 }\n"),
    ("cql3", "(match (position ra4 kg5 :shifthorizontal))", "// dialect: cql6\ncql(matchstring \"MATCH\")\n{ ra4 kg5 } or { ra-b4 kh5 }\n"),
    ("cql3", "(match (position :or ((position :mate) (position :stalemate))))", "// dialect: cql6\ncql(matchstring \"MATCH\")\nmate or stalemate\n"),
    ("cql3", "(match (position :relation (:samesidetomove)))", "// dialect: cql6\ncql(matchstring \"MATCH\")\necho quiet (source target) "
             "{\n    target > source\n    mainline\n    sidetomove == source:sidetomove\n    not ~(source & target)\n}\n"),
]

# Alternatives are nested in groups of a hundred; what is left alone after them is no group.
HUNDRED = "\nor ".join(["K"] * 100)
for groups, count in ((HUNDRED, 100), (HUNDRED + "\nor K", 101), (HUNDRED + "\nor (K or K)", 102), ("%s\nor (%s)\nor K" % (HUNDRED, HUNDRED), 201)):
    TEXTS.append(("cql3", "(match (position :or (%s)))" % ("(position K)" * count), "// dialect: cql6\ncql(matchstring \"MATCH\")\n%s\n" % groups))
REFUSALS = [("cqli", "cql() move legal : mate", "speculative move"), ("cqli", "cql() \"a\" ~~ str(\"b\")", "computed"),
            ("cqli", "cql() move count == 2", "`count` of `move`"), ("cqli", "cql() move capture a legal", "`capture`"),
            ("cqli", "cql() \"a\" ~~ \"(?<x>a)|b\" \"b\" ~~ \"b\" \\{x} == \"\"", "named group"),
            ("cqli", "cql() currentmutation == \"1.e4\"", "currentmutation")]


# How a refusal names the construct.
REASONS = ("`count` of `move`", "with `move legal`", "computed regular expression",
           "malformed regular expression", "named group", "`move reverse`", "`drop` of `move`", "the tag `Round`")


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
    check_texts(suite)
    refused = set()
    sentences = all_sentences(suite)
    certain = suite.some([s for s in sentences if s.converts], 2, 6)
    sentences = suite.some([s for s in sentences if not s.converts], 12, 30) + certain
    chosen = [c for c in suite.some(all_cases(), 4, 8) + sentences if suite.wanted(c.key)]
    for case, why in suite.map(lambda c: judge(suite, c), chosen):
        if why == REFUSED and "/" in case.key:
            refused.add(os.path.basename(case.query)[:-4])
        suite.check("converted case " + case.key, not why or why == REFUSED and case not in certain, why)
    if suite.wanted("cqli/") and suite.full:
        expected = NO_FORM & {os.path.basename(case.query)[:-4] for case in chosen}  # some are cases of the shared ones
        suite.check("what CQL 6.2 cannot say of CQLi", refused == expected, "refused: %s" % sorted(refused ^ expected))
