#!/usr/bin/env python3
"""Compares cqlgen with an evaluator of its own on random queries over random games.

usage: oracle.py CQLGEN FOLDER [--seed N] [--queries N] [--engine NAME]

The evaluator was written from the language reference alone; it shares no code with cqlgen. Games, queries and the positions
that each finds, or for every third query the comments that it adds, are made from the seed. FOLDER keeps what differs. The last line is `N passed, N failed`.
"""
import argparse
import os
import random
import re
import subprocess
import sys

from board import random_game
from filters import Budget, Log, Place, TooLong, holds
from generate import Generator

import paths, transforms  # noqa: F401, E401 - their operations join those of filters


STEPS = 300000  # of a query in all games


def expected(query, games):
    """The lines of `positions` for a query, and for each of these games the texts at each position. Raises TooLong."""
    lines, texts, Budget.steps = [], [], STEPS
    for number, game in enumerate(games, 1):
        Log.texts = []
        found = [str(node.id) for node in game.nodes if holds(query, Place(game, node, {}))]
        if found:
            lines.append("%d: %s" % (number, " ".join(found)))
            texts.append("%d: %s" % (number, distributed(Log.texts)))
    return lines, texts


def distributed(log):
    """The texts of a game by position, each once (§10.3). They name their positions: `name3.17`."""
    comments = {}
    for node, text in log:
        comments.setdefault(node, {})[text] = None
    return " | ".join(" ".join(comments[node]) for node in sorted(comments))


def written(pgn):
    """The same, read from a file of games that were found with `quiet` comments."""
    lines = []
    for game in pgn.split("{Game number ")[1:]:
        log = []
        for comment in re.findall(r"[{ ]([^{}]*)}", game):
            names = re.findall(r"name\d+\.(\d+)", comment)
            log += [(int(names[0]), text) for text in re.findall(r"name\d+\.\d+", comment)]
        lines.append("%s: %s" % (re.match(r"\d+", game).group(), distributed(log)))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cqlgen")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--engine", default="interp")
    options = parser.parse_args()
    sys.setrecursionlimit(20000)
    chance = random.Random(options.seed)
    games = [random_game(chance) for _ in range(options.games)]
    pgn = os.path.join(options.folder, "oracle-%d.pgn" % options.seed)
    with open(pgn, "w") as f:
        f.write("".join(game.pgn(n) for n, game in enumerate(games, 1)))
    passed = failed = 0
    for number in range(options.queries):
        comments = number % 3 == 0
        query = Generator(chance, comments).root(chance.randint(1, 4) + comments)
        try:
            wanted = expected(query, games)[comments]
        except TooLong:
            continue
        path = os.path.join(options.folder, "oracle-%d-%d.cql" % (options.seed, number))
        with open(path, "w") as f:
            f.write("cql(input x.pgn variations quiet)\n%s\n" % query.text)
        command = [options.cqlgen, "search", "-q", "--engine", options.engine, "-j", "1", path, pgn, "-f", "pgn" if comments else "positions"]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        got = written(run.stdout) if comments else run.stdout.split("\n")[:-1]
        if run.returncode == 0 and got == wanted:
            passed += 1
            os.unlink(path)
            continue
        failed += 1
        first = next((pair for pair in zip(wanted + ["(nothing)"], got + ["(nothing)"]) if pair[0] != pair[1]), ("", ""))
        print("FAIL %s: status %d %s\n  %s\n  expected %s\n  got      %s"
              % (path, run.returncode, run.stderr.strip()[:300], query.text, first[0][:400], first[1][:400]), flush=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
