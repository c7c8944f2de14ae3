"""The benchmark works: over a few games it has all rows, its report is read again, its chart is an XML document."""
import json
import os
import sys
import xml.etree.ElementTree

from parts.harness import TESTS, read

COMMAND = [sys.executable, os.path.join(TESTS, "bench", "bench.py")]
PARTS = {"replay", "rare", "matrix", "threads", "files", "tags", "latency", "many"}
KEYS = {"part", "name", "value", "unit"}


def bench(suite, *arguments):
    return suite.run([*COMMAND, "--out", suite.out, *arguments], timeout=300)


def rows(suite, games):
    report, again, picture = suite.path("report.json"), suite.path("again.json"), suite.path("report.svg")
    small = ["--quick", "--sample", "1", "--seconds", "0.01", "--megabytes", "0", "--tag-games", "200"]
    result = bench(suite, *small, "--json", report, "--svg", picture, games)
    if not suite.check("bench: runs", result.status == 0, result.errors()[-1000:]):
        return
    found = json.loads(read(report))
    wanted = PARTS - (set() if "--no-prefilter" in suite.run([suite.cqlgen, "help", "search"]).text() else {"latency"})
    missing = wanted - {row["part"] for row in found["rows"]}
    suite.check("bench: all parts", not missing, "no rows of %s" % sorted(missing))
    suite.check("bench: rows", all(KEYS <= set(row) for row in found["rows"]), str(found["rows"])[:500])
    suite.check("bench: the yardstick", found["bare"] > 0 and "bare loop" in result.text(), str(found["bare"]))
    suite.check("bench: chart", xml.etree.ElementTree.fromstring(read(picture)).tag.endswith("svg"))
    result = bench(suite, *small, "--part", "replay", "--compare", report, "--json", again, games)
    suite.check("bench: --compare", result.status == 0 and "replay, geometric mean" in result.text(), result.text()[-500:] + result.errors())
    if suite.full:
        result = bench(suite, *small, "--previous", suite.cqlgen, games)
        suite.check("bench: --previous", result.status == 0 and "geometric mean" in result.text(), result.text()[-500:] + result.errors())
    result = bench(suite, "--chart", report, "--svg", suite.path("second.svg"))
    suite.check("bench: --chart", result.status == 0 and read(suite.path("second.svg")) == read(picture), result.errors())


def mistakes(suite, games):
    suite.check("bench: no games", bench(suite, "--quick", os.path.join(TESTS, "README.md")).status == 1)
    suite.check("bench: no file", bench(suite, "--quick", games + "x").status == 1)
    suite.check("bench: a part that does not exist", bench(suite, "--part", "dance", games).status == 2)
    suite.check("bench: not a report", bench(suite, "--chart", games, "--svg", suite.path("x.svg")).status == 1)


def run(suite):
    games = suite.path("games.pgn")
    suite.generate(games, seed=5, games=120)
    rows(suite, games)
    mistakes(suite, games)
    text = [suite.run([os.path.join(suite.out, "generate-games"), "--seed", "9", "--games", "5", "--starts", "50"]).out for _ in range(2)]
    suite.check("generate-games: the same seed", text[0] == text[1] and text[0].count(b"[Event ") == 5)
    suite.check("generate-games: a wrong option", suite.run([os.path.join(suite.out, "generate-games"), "--sed", "1"]).status == 2)
