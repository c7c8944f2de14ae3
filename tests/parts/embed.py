"""The programs of examples/embed, compiled and run, find what the search finds."""
import os
import re
import shlex

from parts.harness import EXAMPLES, ROOT, read


def run(suite):
    query, games = os.path.join(EXAMPLES, "back-rank.cql"), os.path.join(EXAMPLES, "games.pgn")
    matcher = suite.path("embed.so")
    result = suite.run([suite.cqlgen, query, "-o", matcher])
    if not suite.check("embed: a matcher.so is made", result.status == 0 and os.path.exists(matcher), result.errors()):
        return
    found = suite.search(query, games, "-q", "--format", "positions").text().splitlines()
    suite.check("embed: the example finds something", bool(found))
    loaded = suite.search(matcher, games, "-q", "--format", "positions")
    suite.check("embed: search loads the matcher", loaded.text().splitlines() == found, loaded.text() + loaded.errors())
    in_c(suite, matcher, games, found)
    if not suite.sanitize:
        in_python(suite, matcher, games, found)


def in_c(suite, matcher, games, found):
    program = suite.path("count")
    flags = ["-fsanitize=address,undefined"] if suite.sanitize else []
    compiler = shlex.split(os.environ.get("CC", "cc"))
    result = suite.run(compiler + ["-Wall", "-Wextra", "-Werror", *flags, os.path.join(EXAMPLES, "embed", "count.c"), "-I",
                                   os.path.join(ROOT, "runtime", "search"), "-L", suite.out, "-lcqlgen",
                                   "-Wl,-rpath," + suite.out, "-o", program])
    if not suite.check("embed: count.c compiles", result.status == 0, result.errors()):
        return
    result = suite.run([program, matcher, games])
    want = ["%d games match" % len(found)]
    got = result.text().splitlines()
    suite.check("embed: count.c counts", result.status == 0 and got[-1:] == want, result.text() + result.errors())
    numbers = [re.match(r"game (\d+):", line).group(1) for line in got[:-1]]
    suite.check("embed: count.c finds the games", numbers == [line.split(":")[0] for line in found], result.text())
    result = suite.run([program, games, games])
    suite.check("embed: a file that is not a matcher is refused", result.status == 1 and bool(result.err), result.errors())
    result = suite.run([program, matcher, suite.path("missing.pgn")])
    suite.check("embed: a missing PGN file is reported", result.status == 1 and bool(result.err), result.errors())


def in_python(suite, matcher, games, found):
    result = suite.run([os.environ.get("PYTHON", "python3"), os.path.join(EXAMPLES, "embed", "count.py"),
                        os.path.join(suite.out, "libcqlgen.so"), matcher, games])
    want = ["game " + line for line in found] + ["%d games match" % len(found)]
    suite.check("embed: count.py finds the positions", result.status == 0 and result.text().splitlines() == want,
                result.text() + result.errors())
    exported = suite.run(["nm", "-D", "--defined-only", os.path.join(suite.out, "libcqlgen.so")]).text()
    header = read(os.path.join(ROOT, "runtime", "search", "cqlgen.h"))
    for name in sorted(set(re.findall(r"\b(cql_\w+)\(", header)) - {"cql_search"}):
        suite.check("embed: libcqlgen.so exports " + name, re.search(r" T %s$" % name, exported, re.M) is not None)
