"""The explorer by an independent evaluator: the games of a PGN file are read and played by the oracle, and each position is compared with
the first one by its men, side, castling rights and legal captures en passant.

`python3 tests/tools/explored.py GAMES.pgn PLIES POSITION CQLGEN [INPUT...]` compares what cqlgen explores of the inputs with it.
"""
import json
import os
import subprocess
import sys
from collections import defaultdict

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import pgn  # noqa: E402
from board import name_of  # noqa: E402


def identity(node):
    passed = any(move.en_passant for move in node.moves()) if node.passed_square() else False
    return node.board.men, node.white, node.rights, passed and node.passed_square()[0]


def main_line(game):
    nodes = [game.root]
    while nodes[-1].children:
        nodes.append(nodes[-1].children[0])
    return nodes


def uci(move):
    return "0000" if move.null else name_of(move.start) + name_of(move.end) + (move.promoted or "").lower()


class Count:
    """What is known of a position, or of a move in it."""

    def __init__(self):
        self.games, self.results, self.years, self.own, self.other, self.points, self.moves = [], defaultdict(int), [], [], [], 0, {}

    def add(self, game, white):
        if game in self.games:
            return
        tags = game.tags
        self.games.append(game)
        self.results[game.result] += 1
        if tags.get("Date", "?")[:4].isdigit():
            self.years.append(int(tags["Date"][:4]))
        rating = [int(tags.get(name) or 0) for name in ("WhiteElo", "BlackElo")]
        own, other = rating if white else rating[::-1]
        if own:
            self.own.append(own)
        if other and game.result != "*":
            self.other.append(other)
            self.points += {"1-0": white, "0-1": not white, "1/2-1/2": .5}[game.result]

    def numbers(self, white):
        """As JSON has them, but for the performance."""
        known = self.results["1-0"], self.results["1/2-1/2"], self.results["0-1"]
        score = None if not sum(known) else 100 * (known[0 if white else 2] + known[1] / 2) / sum(known)
        return {"games": len(self.games), "white": known[0], "draws": known[1], "black": known[2], "score": score,
                "rating": int(sum(self.own) / len(self.own) + .5) if self.own else None,
                "first_year": min(self.years, default=None), "last_year": max(self.years, default=None)}

    def best(self):
        """The numbers of the best-known games."""
        def rank(game):
            ratings = [int(game.tags.get(name) or 0) for name in ("WhiteElo", "BlackElo")]
            return (-sum(ratings) if all(ratings) else 0), game.number
        return [game.number for game in sorted(self.games, key=rank)[:3]]


def explored(games, root, plies):
    """A Count for each position, by its identity, down to `plies` half moves below `root`."""
    found = defaultdict(Count)
    for game in games:
        line = main_line(game)
        known = [identity(node) for node in line]
        for start in [i for i, position in enumerate(known) if position == root]:
            for i in range(start, min(start + plies, len(line))):
                found[known[i]].add(game, line[i].white)
                if i + 1 < len(line):
                    move = uci(line[i + 1].move)
                    found[known[i]].moves.setdefault(move, Count()).add(game, line[i].white)
    return found


def close(a, b):
    return a == b if a is None or b is None else abs(a - b) < .0501


def differences(got, node, found, plies, where=""):
    """What is wrong with the JSON of a position, which is `node` of the oracle, and of those below it."""
    count = found[identity(node)]
    for key, value in count.numbers(node.white).items():
        if not close(got[key], value):
            yield "%s: %s is %s, not %s" % (where, key, got[key], value)
    if [game["game"] for game in got["best"]] != count.best():
        yield "%s: best %s, not %s" % (where, [game["game"] for game in got["best"]], count.best())
    if sorted(move["uci"] for move in got["moves"]) != sorted(count.moves):
        yield "%s: moves %s, not %s" % (where, [move["uci"] for move in got["moves"]], sorted(count.moves))
        return
    for move in got["moves"]:
        for key, value in count.moves[move["uci"]].numbers(node.white).items():
            if not close(move[key], value):
                yield "%s %s: %s is %s, not %s" % (where, move["san"], key, move[key], value)
        if not close(move["share"], 100 * move["games"] / len(count.games)):
            yield "%s %s: share" % (where, move["san"])
        if ("after" in move) != (plies > 1):
            yield "%s %s: what follows" % (where, move["san"])
        if "after" in move:
            after = node.play(pgn.find_move(node, move["san"]))
            yield from differences(move["after"], after, found, plies - 1, "%s %s" % (where, move["san"]))


def position(text):
    if "/" in text:
        return pgn.start(text)
    node = pgn.start(None)
    for move in text.split():
        node = node.play(pgn.find_move(node, move))
    return node


def main(games, plies, text, cqlgen, *inputs):
    root, plies = position(text), int(plies)
    found = explored(pgn.read(games, False), identity(root), plies)
    for name in inputs:
        got = json.loads(subprocess.run([cqlgen, "explore", name, "-q", "-f", "json", "--min-games", "1", "--plies", str(plies), "-p", text],
                                        stdout=subprocess.PIPE, check=True).stdout)
        wrong = list(differences(got, root, found, plies))
        print("%s: %d games, %d positions, %d differences" % (name, got["games"], len(found), len(wrong)), *wrong[:10], sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
