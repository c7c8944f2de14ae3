"""The queries of examples/ over the games that examples.txt names for them.

A line of it: QUERY FILE + GAME ... - GAME ...: these games must match, and these must not; `- *`: all others must not.
"""
import os
import re

from parts.harness import EXAMPLES, TESTS, read
from parts.cases import ENGINES


def expectations():
    for line in read(os.path.join(TESTS, "parts", "examples.txt")).splitlines():
        if line.strip() and not line.startswith("#"):
            query, file, rest = line.split(None, 2)
            must, _, must_not = rest.partition("-")
            yield query, file, {int(n) for n in must.replace("+", " ").split()}, must_not.split()


def matching_games(suite, query, file, options):
    result = suite.search(os.path.join(EXAMPLES, query + ".cql"), os.path.join(EXAMPLES, file), "-q", "--format", "positions",
                          *options)
    if result.status != 0:
        return None, "exit status %s: %s" % (result.status, (result.errors() or "no message").strip()[-400:])
    return {int(line.split(":")[0]) for line in result.text().splitlines()}, ""


def run(suite):
    listed = list(expectations())
    for name in sorted(os.listdir(EXAMPLES)):
        if name.endswith(".cql"):
            mine = [e for e in listed if e[0] == name[:-4]]
            suite.check("example %s has a comment" % name, read(os.path.join(EXAMPLES, name)).startswith("//"))
            suite.check("example %s has games that match and games that do not" % name,
                        any(e[2] for e in mine) and any(e[3] for e in mine))
    for name in sorted(os.listdir(EXAMPLES)):
        if name.endswith(".pgn"):
            result = suite.search("-e", "true", os.path.join(EXAMPLES, name), "-q", "--format", "count")
            games = len(re.findall(r"^\[Event ", read(os.path.join(EXAMPLES, name)), re.M))
            suite.check("example %s has no damaged game" % name, not result.err and result.status == 0, result.errors()[:500])
            suite.check("example %s: all %d games are read" % (name, games), result.text().split() == [str(games)],
                        result.text())
    engines = {"auto": [], **ENGINES}
    work = [(e, engine) for e in listed for engine in engines]
    found = suite.map(lambda w: matching_games(suite, w[0][0], w[0][1], engines[w[1]]), work)
    for ((query, file, must, must_not), engine), (games, why) in found:
        if games is not None:
            missing = must - games
            others = games - must
            wrong = others if "*" in must_not else others & {int(n) for n in must_not}
            why = "games missing: %s, games too many: %s" % (sorted(missing), sorted(wrong)) if missing or wrong else ""
        suite.check("example %s over %s (%s)" % (query, file, engine), not why, why)
