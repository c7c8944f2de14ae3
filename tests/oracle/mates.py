"""Pure, model and ideal mates and stalemates (language reference 3.16) of random positions, decided by the words of the reference.

The program under test says which positions are mates or stalemates; what kind each of them is, and who takes part, is worked out here for Black to
move, and for White to move after the board has been mirrored.
"""
import argparse
import os
import random
import re
import subprocess

from board import ALL, DIAGONAL, STRAIGHT, Board, Node, bits, count, fen_of, mask_of, name_of, slides, step
from filters import attackers_among, line, pins

KINDS = ["puremate", "modelmate", "idealmate", "purestalemate", "modelstalemate", "idealstalemate"]


def between(a, b):
    """The squares strictly between two squares of one line."""
    for d in STRAIGHT + DIAGONAL:
        passed, square = 0, step(a, d)
        while square is not None and square != b:
            passed |= 1 << square
            square = step(square, d)
        if square == b:
            return passed
    return 0


def chain(board, first, middle, last):
    """Is there a chain first -> middle -> last of three sets?"""
    return line(board, [first, middle, last], STRAIGHT + DIAGONAL, True)[0] != 0


class Mated:
    """A position in which Black, to move, has no legal move."""

    def __init__(self, board):
        self.board, self.white, self.black = board, board.pieces("A"), board.pieces("a")
        self.king = board.king(False)
        self.field = board.attacks(self.king)
        self.checkers = board.attackers(self.king, True)
        self.pins = list(pins(board, ALL, ALL, board.pieces("Kk")))
        self.pinned = mask_of(p[1] for p in self.pins)
        self.answers = self.way(self.checkers)
        self.goals = board.pieces("K") | self.answers
        self.pseudo = {}
        for move in Node(board, False, frozenset())._possible():
            self.pseudo[move.start] = self.pseudo.get(move.start, 0) | 1 << move.end

    def way(self, checkers):
        """Checkers and what is between them and the king."""
        return checkers | sum(between(c, self.king) for c in bits(checkers))

    def guards(self, square):
        found = 0
        for w in bits(self.white):
            through = slides(self.board.men[w]) and chain(self.board, 1 << w, 1 << self.king, 1 << square)
            found += bool(self.board.attacks(w) >> square & 1 or through)
        return found

    def is_pure_mate(self):
        single = count(self.checkers) == 1
        for square in bits(self.field):
            guards = self.guards(square)
            if not self.black >> square & 1:
                if guards != 1:
                    return False
            elif guards > 0 and not (single and guards == 1 and self.pinned >> square & 1 and self.pseudo.get(square, 0) & self.answers):
                return False
        if single:
            return True
        free = self.black & ~self.pinned & ~(1 << self.king)
        return all(attackers_among(self.board, free, self.way(self.checkers & ~(1 << c))) for c in bits(self.checkers))

    def mate_participants(self):
        single = count(self.checkers) == 1
        reaching = mask_of(b for b, ends in self.pseudo.items() if ends & self.goals)
        found = 0
        for x in bits(self.white):
            if (self.checkers >> x & 1 or self.board.attacks(x) & self.field or self.pinned >> x & 1 or
                    single and any(f == x and reaching >> m & 1 for f, m, _ in self.pins) or single and chain(self.board, reaching, 1 << x, self.goals)):
                found |= 1 << x
        for x in bits(self.black):
            if (x == self.king or self.field >> x & 1 or chain(self.board, self.black, 1 << x, self.board.pieces("K")) or
                    single and chain(self.board, self.black, 1 << x, self.goals)):
                found |= 1 << x
        return found

    def is_pure_stalemate(self):
        return all(count(self.board.attackers(s, True)) == (self.pinned >> s & 1 if self.black >> s & 1 else 1) for s in bits(self.field))

    def stalemate_participants(self):
        taking_part = self.pinned | mask_of(f for f, _, _ in self.pins) | attackers_among(self.board, self.white, self.field)
        return self.black | self.white & taking_part

    def sets(self):
        """The values of the six filters."""
        officers, found = self.board.pieces("QRBN"), [0] * 6
        if self.checkers and self.is_pure_mate():
            all_of = self.mate_participants()
            found[:3] = [all_of, 0 if officers & ~all_of else all_of, all_of if all_of == self.white | self.black else 0]
        if not self.checkers and self.is_pure_stalemate():
            all_of = self.stalemate_participants()
            found[3:] = [all_of, 0 if officers & ~all_of else all_of, 0 if self.white & ~all_of else all_of]
        return found


def mirrored(board):
    return Board([board.men[s ^ 56].swapcase() for s in range(64)])


def text_of(mask):
    names = ",".join(name_of(s) for s in sorted(bits(mask)))
    return "[%s]" % names if count(mask) != 1 else names


def random_board(rnd):
    """A black king, mostly at the edge; white men that may confine it, and some of its own near it."""
    while True:
        men = ["_"] * 64
        king = rnd.choice([s for s in range(64) if s % 8 in (0, 7) or s // 8 in (0, 7) or rnd.random() < 0.2])
        men[king] = "k"
        near = [s for s in range(64) if abs(s % 8 - king % 8) < 3 and abs(s // 8 - king // 8) < 3]
        for man in ["K"] + rnd.choices("QRRBBNNPP", k=rnd.randint(2, 5)) + rnd.choices("qrbnppp", k=rnd.randint(0, 4)):
            place = [s for s in (near if rnd.random() < 0.6 else range(64)) if men[s] == "_" and not (man in "Pp" and s // 8 in (0, 7))]
            if place:
                men[rnd.choice(place)] = man
        board = Board(men)
        if "K" in men and not board.in_check(True) and not board.attacks(king) >> board.king(True) & 1:
            return board


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cqlgen")
    parser.add_argument("folder")
    parser.add_argument("--engine", default="interp")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries", type=int, default=100, help="a two-hundredth of the number of positions")
    options = parser.parse_args()
    rnd = random.Random(options.seed)
    boards, path = [random_board(rnd) for _ in range(200 * options.queries)], os.path.join(options.folder, "mates-%d.pgn" % options.seed)
    turned = [rnd.random() < 0.5 for _ in boards]
    with open(path, "w") as f:
        for board, turn in zip(boards, turned):
            f.write('[FEN "%s"]\n[Result "*"]\n\n*\n\n' % fen_of(mirrored(board) if turn else board, turn))
    query = 'mate or stalemate message quiet(gamenumber %s)' % "".join(' " " %s' % kind for kind in KINDS)
    result = subprocess.run([options.cqlgen, "search", "-q", "-e", query, path, "-f", "none", "-j", "1", "--no-cache", "--engine", options.engine],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=300)
    passed, failed, seen = 0, 0, [0] * 6
    if result.returncode != 0 or result.stderr:
        print("status %s: %s" % (result.returncode, result.stderr[:500]))
        failed += 1
    for row in result.stdout.splitlines():
        number, *got = re.split(" ", row)
        board, turn = boards[int(number) - 1], turned[int(number) - 1]
        sets = Mated(board).sets()
        want = [text_of(mask_of(s ^ 56 for s in bits(mask)) if turn else mask) for mask in sets]
        seen = [a + (mask != 0) for a, mask in zip(seen, sets)]
        passed += got == want
        failed += got != want
        if got != want:
            print("%s: %s, expected %s" % (fen_of(mirrored(board) if turn else board, turn), got, want))
    if not seen[0] or not seen[3]:
        print("of each kind: %s" % seen)
        failed += 1
    print("%d passed, %d failed" % (passed, failed))


main()
