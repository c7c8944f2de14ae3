#!/usr/bin/env python3
"""Compares cqlgen with rules of its own on random games of the variants of chess (language reference 16), in the dialect CQLi.

usage: variants.py CQLGEN FOLDER [--seed N] [--queries N] [--engine NAME]

The rules were written from the chapter alone, and agree with its table of perft. For each position of each game the FEN, the number of
legal moves (a promotion is one), check, mate, stalemate and the ends by a rule of the variant are compared. FOLDER keeps the games. The last line is `N passed, N failed`.
"""
import argparse
import os
import random
import re
import subprocess
import sys

from board import CASTLING, DIAGONAL, KNIGHT, STRAIGHT, Board, bits, is_white, name_of, slides, step

KINDS = ("King of the Hill", "Three-check", "Crazyhouse", "Atomic", "Giveaway", "Suicide", "Losers", "Horde", "Racing Kings")
ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w %s - 0 1"
STARTS = {"Horde": "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1", "Racing Kings": "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
          "Giveaway": ARRAY % "-", "Suicide": ARRAY % "-"}
HILL = (27, 28, 35, 36)
FREE = ("Giveaway", "Suicide")  # kings are ordinary men


class State:
    """A position of a variant. A move is (from, to, promoted letter), a drop (letter, to, None)."""

    def __init__(self, kind, men, white, rights, passed=None, pockets=("", ""), checks=(3, 3), made=frozenset(), clock=0):
        self.kind, self.board, self.white, self.rights, self.passed = kind, Board(men), white, rights, passed
        self.pockets, self.checks, self.made, self.clock, self.known, self.played = pockets, checks, made, clock, None, {}

    # ---- check and the end

    def attacked(self, square, white):
        men = self.board.men
        for d in STRAIGHT + DIAGONAL:
            s, far = step(square, d), False
            while s is not None and men[s] == "_":
                s, far = step(s, d), True
            if s is None or is_white(men[s]) != white:
                continue
            man = men[s].upper()
            if d in slides(men[s]) or not far and (man == "K" or man == "P" and d[0] and d[1] == (-1 if white else 1)):
                return True
        return any(s is not None and men[s] == ("N" if white else "n") for s in [step(square, d) for d in KNIGHT])

    def king(self, white):
        return self.board.king(white)

    def checked(self, white):
        king = None if self.kind in FREE else self.king(white)
        if king is None:
            return False
        other = self.king(not white)
        if self.kind == "Atomic" and other is not None and self.board.attacks(king) >> other & 1:
            return False
        return self.attacked(king, not white)

    def over(self):
        """The side that has won by a rule of the variant that ends the game: True for White, "draw", None."""
        kings = {w: self.king(w) for w in (True, False)}
        men = {w: [m for m in self.board.men if m != "_" and is_white(m) == w] for w in (True, False)}
        if self.kind == "King of the Hill":
            there = [w for w in kings if kings[w] in HILL]
            return (not self.white if len(there) == 2 else there[0]) if there else None
        if self.kind == "Three-check":
            return next((w for w in (True, False) if self.checks[not w] == 0), None)
        if self.kind == "Atomic":
            return next((not w for w in kings if kings[w] is None), None)
        if self.kind in FREE:
            return next((w for w in (self.white, not self.white) if not men[w]), None)
        if self.kind == "Losers":
            return next((w for w in (self.white, not self.white) if len(men[w]) == 1), None)
        if self.kind == "Horde":
            return False if not men[True] else None
        if self.kind == "Racing Kings":
            white, black = kings[True] // 8 == 7, kings[False] // 8 == 7
            if self.white and (white or black) or not self.white and black:
                return "draw" if white and black else white
            if not self.white and white and not any(m[0] == kings[False] and m[1] // 8 == 7 for m in self.candidates()):
                return True
        return None

    def winner(self):
        """The same, with ends by want of moves where they are a rule of the variant."""
        over = self.over()
        if over is None and not self.moves():
            if self.kind in ("Giveaway", "Losers"):
                return self.white
            if self.kind == "Suicide":
                own = sum(m != "_" and is_white(m) == self.white for m in self.board.men)
                other = sum(m != "_" for m in self.board.men) - own
                return "draw" if own == other else self.white == (own < other)
        return over

    def mate(self):
        return self.checked(self.white) and not self.moves(True)

    def stalemate(self):
        return self.over() is None and not self.checked(self.white) and not self.moves()

    # ---- moves

    def moves(self, go_on=False):
        """The legal moves. go_on: those that the position would have were it not over, as PGN may hold them."""
        if self.over() is not None and not (go_on and self.kind in ("King of the Hill", "Three-check", "Losers", "Horde")):
            return []
        if self.known is None:
            self.known = self.candidates()
        return self.known

    def candidates(self):
        legal = [m for m in self.pseudo() if self.fits(m)]
        if self.kind in FREE + ("Losers",):
            return [m for m in legal if self.victim(m) is not None] or legal
        return legal

    def fits(self, m):
        if self.kind in FREE:
            return True
        after = self.play(m)
        if self.kind == "Atomic":
            if after.king(self.white) is None:
                return False
            return after.king(not self.white) is None or not after.checked(self.white)
        if self.victim(m) is not None and self.board.men[self.victim(m)] in "Kk":
            return False
        return not after.checked(self.white) and not (self.kind == "Racing Kings" and after.checked(not self.white))

    def victim(self, m):
        if isinstance(m[0], str) or self.board.men[m[0]] in "Kk" and abs(m[0] - m[1]) == 2 and m[0] // 8 == m[1] // 8:
            return None
        if self.board.men[m[1]] != "_":
            return m[1]
        return m[1] + (-8 if self.white else 8) if self.board.men[m[0]] in "Pp" and m[1] == self.passed else None

    def pseudo(self):
        men = self.board.men
        for s, man in enumerate(men):
            if man == "_" or is_white(man) != self.white:
                continue
            if man in "Pp":
                yield from self.pawn(s)
            else:
                yield from ((s, t, None) for t in bits(self.board.attacks(s)) if men[t] == "_" or is_white(men[t]) != self.white)
        yield from self.castlings()
        for letter in sorted(set(self.pockets[not self.white])):
            yield from ((letter, t, None) for t in range(64) if men[t] == "_" and (letter != "P" or 0 < t // 8 < 7))

    def pawn(self, s):
        men, forward = self.board.men, 1 if self.white else -1
        ends, ahead = [], step(s, (0, forward))
        if ahead is not None and men[ahead] == "_":
            ends.append(ahead)
            two = step(ahead, (0, forward))
            first = (0, 1) if self.kind == "Horde" and self.white else (1,) if self.white else (6,)
            if s // 8 in first and men[two] == "_":
                ends.append(two)
        ends += [t for t in bits(self.board.attacks(s)) if men[t] != "_" and is_white(men[t]) != self.white or t == self.passed]
        for t in ends:
            for letter in ("QRBN" + "K" * (self.kind in FREE)) if t // 8 in (0, 7) else [None]:
                yield s, t, letter

    def castlings(self):
        for white, wing in sorted(self.rights):
            king, to, rook, _, _ = CASTLING[white, wing]
            if white != self.white or any(self.board.men[s] != "_" for s in range(min(king, rook) + 1, max(king, rook))):
                continue
            other = self.king(not white)
            near = self.board.attacks(other) if self.kind == "Atomic" and other is not None else 0
            if not any(self.attacked(s, not white) and not near >> s & 1 for s in range(min(king, to), max(king, to) + 1)):
                yield king, to, None

    def play(self, m):
        if m not in self.played:
            self.played[m] = self.after(m)
        return self.played[m]

    def after(self, m):
        men, made, pockets, checks = list(self.board.men), set(self.made), list(self.pockets), list(self.checks)
        start, end, letter = m
        victim, passed, clock = self.victim(m), None, self.clock + 1
        if isinstance(start, str):
            men[end] = start if self.white else start.lower()
            pockets[not self.white] = pockets[not self.white].replace(start, "", 1)
            if start == "P":
                clock = 0
        else:
            man = men[start]
            if man in "Pp" or victim is not None:
                clock = 0
            if victim is not None:
                if self.kind == "Crazyhouse":
                    pockets[not self.white] += "P" if victim in made else men[victim].upper()
                men[victim] = "_"
                made.discard(victim)
            men[start] = "_"
            men[end] = (letter if self.white else letter.lower()) if letter else man
            if start in made or letter:
                made = made - {start} | {end}
            if man in "Pp" and abs(start - end) == 16 and start // 8 in (1, 6):
                passed = (start + end) // 2
            for right, (king, to, rook, rook_to, _) in CASTLING.items():
                if right in self.rights and man in "Kk" and (start, end) == (king, to):
                    men[rook_to], men[rook] = men[rook], "_"
            if self.kind == "Atomic" and victim is not None:
                men[end] = "_"
                for s in [step(end, (x, y)) for x in (-1, 0, 1) for y in (-1, 0, 1)]:
                    if s is not None and men[s] not in "Pp":
                        men[s] = "_"
        rights = frozenset(r for r in self.rights if men[CASTLING[r][0]] == ("K" if r[0] else "k") and men[CASTLING[r][2]] == ("R" if r[0] else "r")
                           and not {start, end} & {CASTLING[r][0], CASTLING[r][2]})
        after = State(self.kind, men, not self.white, rights, passed, tuple(pockets), tuple(checks), frozenset(made), clock)
        if self.kind == "Three-check" and after.checked(after.white):
            checks[not self.white] = max(0, checks[not self.white] - 1)
            after.checks = tuple(checks)
        return after

    # ---- texts

    def san(self, m):
        start, end, letter = m
        if isinstance(start, str):
            return "%s@%s" % (start, name_of(end))
        man, takes = self.board.men[start], "x" if self.victim(m) is not None else ""
        if man in "Kk" and abs(start - end) == 2 and (self.white, "K" if end > start else "Q") in self.rights:
            return "O-O" if end > start else "O-O-O"
        if man in "Pp":
            return (name_of(start)[0] + takes if takes else "") + name_of(end) + ("=" + letter if letter else "")
        return man.upper() + name_of(start) + takes + name_of(end)

    def fen(self):
        """Without the en passant square, which is compared by the number of moves."""
        rows = []
        for y in range(7, -1, -1):
            row = "".join(m + "~" * (self.kind == "Crazyhouse" and 8 * y + x in self.made and m not in "_Pp")
                          for x, m in enumerate(self.board.men[8 * y:8 * y + 8]))
            rows.append(re.sub("_+", lambda blank: str(len(blank.group())), row))
        text = "/".join(rows)
        if self.kind == "Crazyhouse":
            pockets = ["".join(sorted(p, key="QRBNP".index)) for p in self.pockets]
            text += "[%s%s]" % (pockets[0], pockets[1].lower())
        rights = "".join(x for x in "KQkq" if (x.isupper(), x.upper()) in self.rights) or "-"
        return "%s %s %s%s %d" % (text, "w" if self.white else "b", rights, " %d+%d" % self.checks if self.kind == "Three-check" else "", self.clock)


def start(kind, fen=None):
    words = (fen or STARTS.get(kind, ARRAY % "KQkq")).split()
    placement, pockets = re.match(r"([^\[]*)(?:\[(.*)\])?", words[0]).groups()
    plain = [re.sub(r"\d", lambda d: "_" * int(d.group()), row) for row in reversed(placement.split("/"))]
    made = {8 * y + i - row[:i].count("~") - 1 for y, row in enumerate(plain) for i, sign in enumerate(row) if sign == "~"}
    passed = None if words[3] == "-" else "abcdefgh".index(words[3][0]) + 8 * (int(words[3][1]) - 1)
    checks = tuple(map(int, words[4].split("+"))) if "+" in words[4] else (3, 3)
    held = ("".join(p for p in pockets or "" if p.isupper()), "".join(p.upper() for p in pockets or "" if p.islower()))
    return State(kind, "".join(plain).replace("~", ""), words[1] == "w", frozenset((x.isupper(), x.upper()) for x in words[2] if x != "-"),
                 passed, held, checks, frozenset(made))


def perft(state, depth):
    return sum(perft(state.play(m), depth - 1) for m in state.moves()) if depth > 1 else len(state.moves())


def random_game(chance, kind):
    """The positions and the moves of a game that likes captures and checks."""
    state = start(kind)
    states, moves = [state], []
    for _ in range(chance.randint(1, 40)):
        legal = state.moves(chance.random() < 0.5)
        if not legal:
            break
        lively = [m for m in legal if state.victim(m) is not None or m[2] or isinstance(m[0], str)]
        kings = [m for m in legal if not isinstance(m[0], str) and state.board.men[m[0]] in "Kk"]
        m = chance.choice(lively if lively and chance.random() < 0.5 else kings if kings and chance.random() < 0.2 else legal)
        moves.append(state.san(m))
        state = state.play(m)
        states.append(state)
    return states, moves


QUERIES = {
    "check": lambda s: s.checked(s.white), "mate": lambda s: s.kind not in FREE and s.mate() and not (s.kind == "Atomic" and s.over() is not None),
    "stalemate": None, "variantwin": lambda s: s.winner() is s.white, "variantloss": lambda s: s.winner() is (not s.white),
    "variantdraw": lambda s: s.winner() == "draw", "variantend": lambda s: s.winner() is not None,
    "move legal : check": lambda s: any(s.play(m).checked(not s.white) for m in s.moves()),
    'variant ~~ "^(King|Three|Atomic|Horde)" move legal : variantend': lambda s:
    re.match("King|Three|Atomic|Horde", s.kind) and any(s.play(m).winner() is not None for m in s.moves()),
    "move legal capture .": lambda s: any(s.victim(m) is not None for m in s.moves()),
    "move legal drop A": lambda s: any(isinstance(m[0], str) for m in s.moves()),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cqlgen")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries", type=int, default=26, help="three for each game")
    parser.add_argument("--engine", default="interp")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    kinds = [KINDS[(n + options.seed) % len(KINDS)] for n in range(options.queries // 3)]
    games = [(kind, *random_game(chance, kind)) for kind in kinds]
    pgn = os.path.join(options.folder, "variants-%d.pgn" % options.seed)
    with open(pgn, "w") as f:
        for kind, _, moves in games:
            f.write('[Event "?"]\n[Variant "%s"]\n\n%s *\n\n' % (kind, " ".join(moves)))
    wrong = []

    def search(text, form):
        path = os.path.join(options.folder, "variants-%d.cql" % options.seed)
        with open(path, "w") as f:
            f.write("// dialect: cqli\ncql(input x.pgn)\n%s\n" % text)
        run = subprocess.run([options.cqlgen, "search", "-q", "--engine", options.engine, "-j", "1", path, pgn, "-f", form], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        if run.returncode or run.stderr:
            wrong.append("%s: status %d %s" % (text, run.returncode, run.stderr.strip()[:300]))
        return run.stdout

    checks = 2
    said = re.findall(r"[{ ]=(.*?);", re.sub(r"\s+", " ", search('comment("=" currentfen " " (move legal count) ";")', "pgn")))
    expected = ["%s %d" % (s.fen(), len({m[:2] for m in s.moves()})) for _, states, _ in games for s in states]
    got = [re.sub(r"^(\S+ \S+ \S+) \S+((?: \S+\+\S+)?) (\d+) \d+ (\d+)$", r"\1\2 \3 \4", s.strip()) for s in said]
    origins = ["%s, game %d, position %d" % (kind, n, i) for n, (kind, states, _) in enumerate(games, 1) for i in range(len(states))]
    if got != expected:
        first = next((x for x in zip(origins, expected, got) if x[1] != x[2]), ("the number", len(expected), len(got)))
        wrong.append("%s: expected %s, got %s" % first)
    for text, test in QUERIES.items():
        found = {n: " ".join(str(i) for i, s in enumerate(states) if (test(s) if test else i + 1 == len(states) and s.stalemate()))
                 for n, (_, states, _) in enumerate(games, 1)}
        lines = ["%d: %s" % (n, x) for n, x in found.items() if x]
        got = search(text, "positions").split("\n")[:-1]
        checks += 1
        if got != lines:
            wrong += ["%s (%s): expected %s, got %s" % (text, games[int(line.split(":")[0]) - 1][0], line in lines and line, line in got and line)
                      for line in sorted(set(got) ^ set(lines))[:4]]
    for line in wrong:
        print("FAIL %s: %s" % (pgn, line))
    print("%d passed, %d failed" % (checks, len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
