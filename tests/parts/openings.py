"""Openings by position: the rows of the table, on the board of `oracle/`."""
import os
import re
import sys

from parts.harness import ROOT, TESTS, read

sys.path.insert(0, os.path.join(TESTS, "oracle"))
from pgn import find_move, start  # noqa: E402


def run(suite):
    table(suite)


def identity(node):
    """What makes a position: men, side, rights, and the passed square if a pawn attacks it."""
    passed = node.passed_square()
    if passed:
        square, own = passed
        taker = "P" if node.white else "p"
        beside = [own + step for step in (-1, 1) if (own + step) // 8 == own // 8]
        passed = square if any(node.board.men[s] == taker for s in beside) else None
    return "".join(node.board.men), node.white, tuple(sorted(node.rights)), passed


class Played:
    """A position whose moves are played once."""

    def __init__(self, node):
        self.node, self.next = node, {}

    def play(self, san):
        """The position after a legal move that is spelled as SAN spells it."""
        if san not in self.next:
            move = find_move(self.node, san)
            after = self.node.play(move)
            man = self.node.board.men[move.start].upper()
            check = after.board.in_check(after.white)
            mark = "" if not check else "+" if after.moves() else "#"
            legal = not after.board.in_check(self.node.white)
            taken = ("x" in san) == (move.victim is not None)
            others = [m for m in self.node.moves() if m.end == move.end and m.rook is None and self.node.board.men[m.start].upper() == man]
            short = man == "P" or move.rook or (len(re.sub("[x+#]", "", san)) == 3) == (len(others) == 1)
            if not (legal and taken and short and re.search("[+#]?$", san).group() == mark):
                raise ValueError("%s is not SAN of a legal move" % san)
            self.next[san] = Played(after)
        return self.next[san]


def table(suite):
    """Legal moves in SAN, with their numbers; no position twice; no name twice."""
    lines = read(os.path.join(ROOT, "runtime", "game", "openings.tsv")).splitlines()
    suite.check("openings: the heading of the table", lines[0] == "eco\tname\tmoves")
    root, places, names, wrong = Played(start(None)), {}, {}, []
    for line in suite.some(lines[1:], 8, 40):
        try:
            code, name, moves = line.split("\t")
            words = re.sub(r"\d+\. ", "", moves).split(" ")
            numbered = " ".join("%d. %s" % (ply // 2 + 1, san) if ply % 2 == 0 else san for ply, san in enumerate(words))
            played = root
            for san in words:
                played = played.play(san)
        except Exception as error:  # whatever is wrong is shown with its row
            wrong.append("%s: %s" % (line, error))
            continue
        place = identity(played.node)
        if numbered != moves or not re.fullmatch("[A-E][0-9][0-9]", code) or name != name.strip():
            wrong.append(line)
        for seen, key in ((places, place), (names, name)):
            if key in seen:
                wrong.append("%s: the same as %s" % (line, seen[key]))
            seen[key] = line
    suite.check("openings: %d rows" % len(lines[1:]), not wrong and len(lines) > 2000, "; ".join(wrong[:5]))
