#!/usr/bin/env python3
"""Answers of published kinds of queries (tests/known) over the example games, worked out by the evaluator of this folder.

usage: known.py check|update [--every N] [--first N] FILE...

A FILE has a paragraph for each query: its name, a colon and the query, which is wrapped in `cql()` unless it begins so; then `=` and
the positions that it matches: `games 1:33 2:45-47,60-64/2; studies 4:2`, or `nothing`. `check` compares the answers with what the evaluator says,
of every N-th query from the first one given; `update` writes them. cqlgen has no part in this. The last line is `N passed, N failed`.
"""
import argparse
import os
import re
import sys

import pgn
from filters import Budget, Log, Place, holds
from parse import Query, Unknown

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
FILES = ("games", "studies", "help")


def full_text(text):
    return text if text.startswith("cql(") else "cql() " + text


def paragraphs(path):
    """The queries of a file: line number, name, text, answer."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    for number, line in enumerate(lines):
        query = re.match(r"([a-z0-9-]+): (.*)", line)
        if query:
            answer = lines[number + 1] if number + 1 < len(lines) else ""
            yield number, query.group(1), full_text(query.group(2)), answer[4:] if answer.startswith("  = ") else None


def ranges(numbers):
    """`3-5,8,10-14/2` for ascending numbers."""
    parts = []
    while numbers:
        for step in (1, 2):
            length = 1
            while length < len(numbers) and numbers[length] == numbers[0] + step * length:
                length += 1
            if length > 2:
                break
        else:
            length = 1
        parts.append("%d-%d%s" % (numbers[0], numbers[length - 1], "/2" if step == 2 else "") if length > 2 else str(numbers[0]))
        numbers = numbers[length:]
    return ",".join(parts)


def answer_of(found):
    """The line of an answer: found is {file: {game: positions}}."""
    texts = ["%s %s" % (name, " ".join("%d:%s" % (game, ranges(found[name][game])) for game in sorted(found[name])))
             for name in FILES if found.get(name)]
    return "; ".join(texts) or "nothing"


class Games:
    """The games of the three files, with variations and without."""

    def __init__(self):
        self.read = {}

    def of(self, name, variations):
        if (name, variations) not in self.read:
            self.read[name, variations] = pgn.read(os.path.join(EXAMPLES, name + ".pgn"), variations)
        return self.read[name, variations]


def evaluate(text, games):
    """What a query finds: {file: {game: positions}}."""
    query, found = Query(text), {}
    Budget.steps = 1 << 40
    for name in FILES:
        found[name] = {}
        for game in games.of(name, bool(query.variations)):
            if query.result not in (None, game.result) or not query.games[0] <= game.number <= query.games[1]:
                continue
            names = {}  # variables live as long as a game (§7.4)
            Log.texts = []
            positions = [node.id for node in game.nodes if holds(query.body, Place(game, node, names))]
            if positions and query.matchcount[0] <= len(positions) <= query.matchcount[1]:
                found[name][game.number] = positions
    return found


def update(path, games):
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    for number, _, text, answer in reversed(list(paragraphs(path))):
        lines[number + 1:number + 1 + (answer is not None)] = ["  = " + answer_of(evaluate(text, games))]
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["check", "update"])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    sys.setrecursionlimit(20000)
    games, passed, failed = Games(), 0, 0
    if options.command == "update":
        for path in options.files:
            update(path, games)
        return 0
    for _, name, text, answer in [p for path in options.files for p in paragraphs(path)][options.first::options.every]:
        try:
            said = answer_of(evaluate(text, games))
        except Unknown as e:
            said = "the evaluator does not know it: %s" % e
        passed, failed = passed + (said == answer), failed + (said != answer)
        if said != answer:
            print("FAIL %s: the file says %s, the evaluator %s" % (name, str(answer)[:300], said[:300]))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
