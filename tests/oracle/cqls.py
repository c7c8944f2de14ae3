#!/usr/bin/env python3
"""Compares cqlgen with an evaluator of its own on random queries in CQL-S over random games.

usage: cqls.py CQLGEN FOLDER [--seed N] [--queries N] [--engine NAME]

cqls_lists.py says what position lists mean, cqls_games.py what conditions on games do. FOLDER keeps what differs. The last line is `N passed, N failed`.
"""
import argparse
import os
import random
import subprocess
import sys

from board import CASTLING, START, Board, Game, Move, Node, fen_of, mask_of, name_of, random_board
from cqls_games import conditions, random_tags
from cqls_lists import ALL_MEN, FLIPS, RAYS, expand, found, position
from filters import Budget, TooLong

LETTERS = "KQRBNPAMIkqrbnpamiU.?"
SHIFTS = ("shift", "shifthorizontal", "shiftvertical", "shiftmaindiagonal", "shiftoffdiagonal", "shiftdiagonal")
NEGATABLE = ("check", "mate", "stalemate", "initial", "terminal", "insidevariation", "doublecheck", "contactcheck", "endgame", "matingmaterial",
             "whitecannotwin", "blackcannotwin", "gameisover", "threefoldrepetition", "fivefoldrepetition")
MOVE_WORDS = ("enpassant", "isnull", "iscastling", "ischeck", "iscontactcheck", "isdoublecheck", "ismate", "isstalemate", "forced")
ATTRIBUTES = ("single double triple uno duo trio quart consecutive chained connected isolated integrated halfisolated defended defender blocked unblocked "
              "stoppable unstoppable stopped passed candidate behind backward advanced inside symmetrical mirrored forefront rear").split()
EXACT = ("single", "double", "triple", "uno", "duo", "trio", "quart", "consecutive", "chained", "blocked", "candidate", "behind")
NUMBERED = {"triple": (3, 6), "quart": (4, 8), "consecutive": (2, 6), "chained": (2, 8)}
GROUPS = {"islands": 8, "files": 8, "lines": 8, "compounds": 6, "ranks": 6, "bothsides": 0, "oneside": 0}


class Lists:
    """Makes position lists: each method returns a text and what it means."""

    def __init__(self, chance, games, tags=()):
        self.chance, self.games, self.tags, self.flips = chance, games, tags, 0

    def some(self, odds):
        return self.chance.random() < odds

    def choose(self, *options):
        return self.chance.choice(options)

    def node(self):
        return self.choose(*self.choose(*self.games).nodes)

    # ---- words

    def designator(self, letters=LETTERS, marks=True):
        node = self.node()
        if self.some(0.5):  # something of a position
            s = self.choose(*range(64))
            man = node.board.men[s]
            fitting = [w for w in letters if man in ALL_MEN[w]]
            if fitting:
                return self.with_squares(self.choose(*fitting), s, marks)
        word = "".join(self.chance.sample(letters.replace("?", ""), self.choose(1, 1, 1, 2, 3))) if len(letters) > 3 else \
            "".join(self.chance.sample(letters, self.choose(*range(1, len(letters) + 1))))
        return self.with_squares(word, self.choose(*range(64)), marks)

    def with_squares(self, word, s, marks):
        men, text = set(), ""
        for letter in word:
            mark = self.choose("~", "~~") if marks and letter not in "?." and self.some(0.08) else ""
            men |= {(m, mark) for m in ALL_MEN[letter]}
            text += letter + mark
        if len(word) > 1 or self.some(0.1):
            text = "[%s]" % text
        where, mask = self.squares(s)
        return text + where, ("D", frozenset(men), mask)

    def squares(self, s):
        if self.some(0.4):
            return "", (1 << 64) - 1
        if self.some(0.5):
            return name_of(s), 1 << s
        form = self.chance.random()
        if form < 0.3:
            parts = [self.part(s % 8, "abcdefgh", False), self.part(s // 8, "12345678", False)]
            return self.product(*parts)
        items = [self.product(self.part(x, "abcdefgh", True), self.part(y, "12345678", True))
                 for x, y in [(s % 8, s // 8)] + [(self.choose(*range(8)), self.choose(*range(8))) for _ in range(self.choose(0, 0, 1, 2))]]
        mask = 0
        for _, m in items:
            mask |= m
        return "[%s]" % ",".join(t for t, _ in items), mask

    def part(self, i, names, inside):
        """A file or rank: its text, its numbers, the shade that it asks for."""
        form = self.chance.random()
        if form < 0.4:
            return names[i], {i}, None
        if form < 0.55:
            return "?", set(range(8)), None
        if form < 0.65:
            letter = self.choose("L", "D")
            return letter, set(range(8)), letter
        if inside and form < 0.85:
            low, high = sorted((i, self.choose(*range(8))))
            return names[low] + "-" + names[high], set(range(low, high + 1)), None
        others = self.chance.sample(range(8), self.choose(1, 2)) + [i]
        return "[%s]" % "".join(names[x] for x in others), set(others), None

    def product(self, file, rank):
        if file[2] and rank[2]:
            rank = ("?", rank[1], None)
        shade = file[2] or rank[2]
        return file[0] + rank[0], sum(1 << 8 * y + x for x in file[1] for y in rank[1] if shade is None or (x + y) % 2 == (shade == "L"))

    def range(self, low, high, end=False):
        a, b = sorted((self.chance.randint(low, high), self.chance.randint(low, high)))
        if end and self.some(0.3):
            n = self.choose(0, 1, 2, 5)
            text = "end-%d" % n if n else "end"
            return self.choose((text, (("end", n), ("end", n))), (text + " unlimited", (("end", n), None)), ("<" + text, (None, ("end", n + 1))),
                               (">=" + text, (("end", n), None)), ("%s end" % text, (("end", n), ("end", 0))))
        return self.choose(("%d" % a, (a, a)), ("%d %d" % (a, b), (a, b)), ("%d unlimited" % a, (a, None)), (">%d" % a, (a + 1, None)),
                           (">=%d" % a, (a, None)), ("<%d" % b, (None, b - 1)), ("<=%d" % b, (None, b)))

    def count(self, high):
        if self.some(0.6):
            return self.range(0, high)
        a, b = sorted((self.choose(0, 25, 33, 50, 100), self.choose(0, 25, 50, 66, 100)))
        sign = self.choose("<", "<=", ">", ">=", "=", "..")
        text = "%d%% %d%%" % (a, b) if sign == ".." else "%s%d%%" % (sign.replace("=", "") if sign == "=" else sign, a)
        return text, ("%", sign, a, b)

    # ---- tests

    def test(self, depth):
        makers = [self.piece] * 6 + [self.simple] * 3 + [self.counting] * 4 + [self.pawns] * 4 + [self.next_move] * 4 + [self.special] * 3
        if depth > 0:
            makers += [self.logic] * 5
            makers += [self.line] * 3
        return self.choose(*makers)(depth)

    def piece(self, depth):
        if self.tags and self.some(0.4):
            chosen = self.chance.sample(range(64), self.choose(1, 3, 20))
            return "$%s[%s]" % (self.tags[0], ",".join(map(name_of, chosen))), ("tag", False, (self.tags[0], mask_of(chosen)))
        return self.designator()

    def simple(self, depth):
        word = self.choose("wtm", "btm", "nocheck", *NEGATABLE)
        negated = word in NEGATABLE and self.some(0.4)
        if word == "contactcheck" and self.some(0.4) and not negated:
            text, d = self.designator()
            return ":contactcheck " + text, (word, False, (d,))
        if word == "contactcheck":  # what follows may not be read as its parameter
            return "%s:contactcheck :halfmoveclock >=0" % ("!" * negated), (word, negated, ())
        return "%s:%s" % ("!" * negated, word), (word, negated, ())

    def counting(self, depth):
        word = self.choose("piececount", "power", "attackcount", "powerdifference", "piececountdifference", *RAYS)
        if word in RAYS:
            parts = [self.designator() for _ in range(self.choose(2, 2, 3))]
            text, r = self.choose(("", (1, None)), self.range(0, 3))
            return ":%s (%s) %s" % (word, " ".join(t for t, _ in parts), text), (word, False, (tuple(d for _, d in parts), r))
        a, b = self.designator(), self.designator()
        text, r = self.range(*{"power": (0, 20), "powerdifference": (-6, 6), "piececountdifference": (-3, 3)}.get(word, (0, 4)))
        if word == "attackcount" or word.endswith("difference") and self.some(0.4):
            return ":%s %s %s %s" % (word, a[0], b[0], text), (word, False, (a[1], b[1], r))
        return ":%s %s %s" % (word, a[0], text), (word, False, (a[1], r))

    def pawns(self, depth):
        attributes, text = [], []
        for _ in range(self.choose(1, 1, 2, 3)):
            name, negated, n = self.choose(*ATTRIBUTES), self.some(0.25), None
            exact = name in EXACT and self.some(0.3)
            if name in NUMBERED and self.some(0.5):
                n = self.chance.randint(*NUMBERED[name])
            attributes.append((negated, name, exact, n))
            text.append("!" * negated + name + "!" * exact + ("(%d)" % n if n else ""))
        groups = self.some(0.25)
        if groups:
            name = self.choose(*GROUPS)
            n = self.chance.randint(1, 3) if GROUPS[name] and self.some(0.5) else None
            exact = n is not None and self.some(0.4)
            attributes.append((False, name, exact, n))
            text.append(name + "!" * exact + ("(%d)" % n if n else ""))
        text, attributes = "-".join(text), tuple(attributes)
        word, d = self.designator(self.choose("P", "p", "Pp"), False)
        if self.some(0.25):
            r = self.range(-2, 2)
            if self.some(0.5):
                other = self.designator(self.choose("P", "p"), False)
                return ":pawncountdifference %s %s %s %s" % (word, other[0], text, r[0]), ("pawncountdifference", False, (d, other[1], attributes, r[1]))
            return ":pawncountdifference %s %s %s" % (word, text, r[0]), ("pawncountdifference", False, (d, attributes, r[1]))
        count = self.range if groups else lambda low, high: self.count(high)
        r = self.choose(("", (1, None)), count(0, 3))
        if len(d[1]) == 2 and self.some(0.5):
            a, b = count(0, 3), count(0, 3)
            r = "%s : %s" % (a[0], b[0]), (":", a[1], b[1])
        return ":pawncount %s %s %s" % (word, text, r[0]), ("pawncount", False, (d, attributes, r[1]))

    def special(self, depth):
        word = self.choose("castling", "halfmoveclock", "movenumber", "halfmovenumber", "inside", "goodbishop", "opposition", "fen",
                           "maxswapevaluation", "result", "elo", "whiteelo", "blackelo")
        if word == "castling":
            letters = "".join(self.chance.sample("KQkq", self.choose(1, 1, 2)))
            return ":castling " + (letters if len(letters) == 1 else "[%s]" % letters), (word, False, (letters,))
        if word == "opposition":
            letters = self.choose("", "K", "k", "Kk")
            return ":opposition " + (letters if len(letters) < 2 else "[Kk]"), (word, False, (letters,))
        if word == "inside":
            (text, d), (where, mask) = self.designator(), self.squares(self.choose(*range(64)))
            return (":inside %s %s" % (text, where), (word, False, (d, mask))) if where else self.special(depth)
        if word == "goodbishop":
            (text, d), a, b = self.designator(self.choose("B", "b", "Bb"), False), self.count(3), self.count(3)
            return ":goodbishop %s %s : %s" % (text, a[0], b[0]), (word, False, (d, a[1], b[1]))
        if word == "fen":
            node = self.node()
            fen = " ".join(fen_of(node.board, node.white).split()[:self.choose(1, 2)])
            return ':fen "%s"' % fen, (word, False, (fen,))
        if word == "maxswapevaluation":
            (a, d), (b, e), (text, r) = self.designator(), self.designator(), self.range(-2, 3)
            return ":%s %s %s %s" % (word, a, b, text), (word, False, (d, e, r))
        if word == "result":
            results = self.chance.sample(["1-0", "0-1", "1/2-1/2", "0-0", "*"], self.choose(1, 2))
            return ":result " + ",".join(results), (word, False, (tuple(results),))
        text, r = self.range(1500, 2700) if "elo" in word else self.range(0, 12, word != "halfmoveclock")
        return ":%s %s" % (word, text), (word, False, (r,))

    def next_move(self, depth):
        word = self.choose("movefrom", "moveto", "movefrom", "moveto", "promote", "exchangeevaluation", *MOVE_WORDS)
        if word in ("movefrom", "moveto", "promote"):
            if word == "promote" and self.some(0.3):
                return ":promote []", (word, False, (("D", frozenset(), 0),))
            text, d = self.designator("QRBNqrbnAaU" if word == "promote" else LETTERS, word != "promote")
            return ":%s %s" % (word, text), (word, False, (d,))
        if word == "exchangeevaluation":
            text, r = self.range(-3, 5)
            return ":%s %s" % (word, text), (word, False, (r,))
        if word == "iscastling" and self.some(0.5):
            letters = "".join(self.chance.sample("KQkq", self.choose(1, 2)))
            return ":iscastling " + (letters if len(letters) == 1 else "[%s]" % letters), (word, False, (letters,))
        if word == "ischeck" and self.some(0.5):
            text, r = self.range(1, 3)
            if not (r[1] is not None and r[1] < 1):
                return ":ischeck " + text, (word, False, (r,))
        negated = self.some(0.3)
        if word == "enpassant" and negated and self.some(0.5):
            return ":noenpassant", (word, True, ())
        return "%s:%s" % ("!" * negated, word), (word, negated, ())

    def logic(self, depth):
        word = self.choose("and", "or", "xor", "cond", "not", "sequence", "gappedsequence", "match", "matchconsecutive")
        lists = [self.nested(depth - 1) for _ in range(1 if word == "not" else self.choose(2, 3) if word != "cond" else self.choose(2, 3, 4))]
        texts = " ".join(t for t, _ in lists)
        if word == "not":
            return ":not " + texts, (word, False, (lists[0][1],))
        return ":%s (%s)" % (word, texts), (word, False, (tuple(x for _, x in lists),))

    def nested(self, depth):
        return self.list(depth, True)

    def list(self, depth, inner=False):
        words, transforms, settings = [], [], {}
        if self.some(0.35 if not inner else 0.2):
            transforms = [self.choose(*FLIPS, *SHIFTS, "flipcolor", "flipcolor", "flipcolor")]
            if self.some(0.3):
                transforms.append(self.choose("flipcolor", *FLIPS))
            if inner:
                transforms = [w for w in transforms if w not in SHIFTS or w != "shift"]
            words += [":" + w for w in dict.fromkeys(transforms)]
        shifted = any(w in SHIFTS for w in transforms)
        form = self.chance.random()
        if not inner and form < 0.3:
            settings[self.choose("variations", "variationsonly")] = True
        if self.some(0.12):
            settings["negated"] = True
            words.append(":not")
        elif self.some(0.2):
            word = self.choose("matchcount", "pretransformmatchcount", "repetitioncount", "sum")
            text, r = self.range(0, 4)
            if word == "sum":
                words.append(":accumulate c :sumrange c " + text)
            else:
                words.append(":%s %s" % (word, text))
            if not (word == "sum" and inner):
                settings[word] = r
            else:
                words.pop()
        words += [":" + w for w in settings if w.startswith("variations")]
        self.flips += "flipcolor" in transforms
        items = [self.test(depth) for _ in range(self.choose(1, 1, 2, 2, 3))]
        self.flips -= "flipcolor" in transforms
        if any(i[0] in ("rayhorizontal", "rayvertical") for _, i in items) and shifted and len(transforms) > 1:
            return self.list(depth, inner)
        words += [t for t, _ in items]
        self.chance.shuffle(words)
        return "(position %s)" % " ".join(words), position([i for _, i in items], dict.fromkeys(transforms), **settings)

    # ---- lines of moves

    def line(self, depth):
        start = self.node()
        numbered = not self.flips and self.some(0.4)
        texts, moves, node = [], [], start
        plain = self.some(0.4)  # the string form
        while len(moves) < self.choose(1, 2, 3, 4) and node.children:
            child = self.choose(*node.children)
            text, m = self.line_move(node, child, plain, numbered)
            if numbered and not moves:
                text = "%d%s%s" % (1 + node.ply // 2, "." if node.white else "...", text)
            texts.append(text)
            moves.append(m)
            node = child
        if not moves:
            return self.piece(depth)
        bar = len(moves)
        if len(moves) > 1 and moves[-1][0] != "null" and self.some(0.15):
            bar = len(moves) - 1
            texts.insert(bar, "|")
        text = " ".join(texts)
        number = (1 + start.ply // 2, start.white) if numbered else None
        return ':line "%s"' % text if plain else ":line (%s)" % text, ("line", False, (number, tuple(moves), bar))

    def line_move(self, node, child, plain, numbered):
        m, men = child.move, node.board.men
        signs = tuple(s for s, odds in (("+", 0.1), ("-", 0.1), ("!", 0.03)) if self.some(odds))[:1]
        tail = "".join(signs)
        if m.null or self.some(0.05):
            kind = "null" if m.null and self.some(0.7) else "--"
            return kind, (kind, None, None, None, None, (), False)
        if m.rook and self.some(0.6):
            kind = self.choose(m.text, "O-O-O-O")
            return kind + tail, (kind, None, None, None, None, signs, False)
        a_text, a = self.side(men[m.start], m.start, plain, numbered)
        empty = men[m.end] == "_"
        sign = self.choose(":", None if empty else "x", "-" if empty else "x", "x" if m.en_passant else ":" if self.some(0.5) else ("-" if empty else "x"))
        ep = m.en_passant and self.some(0.6)
        if sign is None:  # to these squares
            where = self.choose(name_of(m.end), "")
            if a_text[:1] not in "KQRBNPAMIU[kqrbnpami" or a_text[:1] in "abcdefgh" or "[" in a_text or len(a_text) != 1:
                sign = "-" if empty else ":"
            else:
                d = ("D", a[1], (1 << 64) - 1)
                b = ("D", frozenset((x, "") for x in ALL_MEN["?"]), 1 << m.end) if where else None
                return a_text + where + tail, ("move", d, "-", b, None, signs, False)
        b_text, b = "", None
        if sign == "x" and not m.en_passant and self.some(0.6):
            b_text, b = self.side(men[m.end], m.end, False, numbered)
        elif self.some(0.7) or sign == "-" and len(a_text) != 1:
            b_text, b = name_of(m.end), ("D", frozenset((x, "") for x in ALL_MEN["?"]), 1 << m.end)
        promotion = None
        if m.promoted and self.some(0.7):
            letter = m.promoted if node.white else m.promoted.lower()
            promotion = ("D", frozenset({(letter, "")}), (1 << 64) - 1)
            b_text += "=" + letter
        if sign == "-" and not b_text:  # the sign for no check (§11)
            return a_text + "-", ("move", a, "-", None, None, ("-",), False)
        if ep:
            tail += " ep"
        return a_text + sign + b_text + tail, ("move", a, sign, b, promotion, signs, ep)

    def side(self, man, s, plain, numbered):
        """A designator of a man on a square."""
        form = self.chance.random()
        where, mask = self.choose((name_of(s), 1 << s), ("", (1 << 64) - 1), ("[%s]%s" % ("abcdefgh"[s % 8], "12345678"[s // 8]), 1 << s))
        if plain and man in "Pp" and self.some(0.5):
            return name_of(s), ("D", frozenset({("P", ""), ("p", "")}), 1 << s)
        if not plain and form < 0.2:
            return name_of(s), ("D", frozenset((x, "") for x in ALL_MEN["?"]), 1 << s)
        letter = self.choose(*[w for w in "KQRBNPAMIUkqrbnpami" if man in ALL_MEN[w]])
        men = ALL_MEN[letter]
        if numbered:
            letter = self.choose(letter, letter.swapcase() if letter != "U" else "U")
        return letter + where, ("D", frozenset((x, "") for x in men), mask)


# ---- games


def random_root(chance):
    if chance.random() < 0.4:
        root, fen = Node(Board(START), True, frozenset(CASTLING)), None
    else:
        board, white = random_board(chance)
        if chance.random() < 0.5:  # more pawns
            free = [s for s in range(8, 56) if board.men[s] == "_"]
            more = board.with_changes([(s, "Pp"[i % 2]) for i, s in enumerate(chance.sample(free, chance.randint(2, 8)))])
            if not more.in_check(not white):
                board = more
        root, fen = Node(board, white, frozenset()), fen_of(board, white)
    root.clock = 0
    if fen and chance.random() < 0.5:
        root.clock = chance.randint(1, 9)
        fen = fen.replace(" 0 1", " %d 20" % root.clock)
    return root, fen


def grow(node, chance, plies, depth):
    back = chance.random() < 0.3
    for _ in range(plies):
        moves = node.moves()
        if not moves:
            return
        lively = [m for m in moves if m.victim is not None or m.promoted or m.rook]
        own = node.parent and node.parent.parent and node.parent.move
        again = [m for m in moves if own and back and (m.start, m.end) == (own.end, own.start)]
        for number in range(2 if depth < 2 and chance.random() < 0.12 else 1):
            if chance.random() < 0.03 and not node.board.in_check(node.white):
                king = node.board.king(node.white)
                move = Move(king, king, text="--")
            else:
                move = chance.choice(again if again and chance.random() < 0.8 else lively if lively and chance.random() < 0.4 else moves)
            node.children.append(node.play(move))
            if number > 0:
                grow(node.children[-1], chance, chance.randint(0, 4), depth + 1)
        node = node.children[0]


def mark(node):
    """Which squares hold promoted men, and whose man is on each square."""
    if node.parent is None:
        node.made, node.marks = frozenset(), tuple(s if m != "_" else None for s, m in enumerate(node.board.men))
    else:
        m, made, marks = node.move, set(node.parent.made), list(node.parent.marks)
        if not m.null:
            if m.victim is not None:
                made.discard(m.victim)
                marks[m.victim] = None
            if m.start in made or m.promoted:
                made.add(m.end)
            made.discard(m.start)
            marks[m.end], marks[m.start] = marks[m.start], None
            if m.rook:
                marks[m.rook[1]], marks[m.rook[0]] = marks[m.rook[0]], None
        node.made, node.marks = frozenset(made), tuple(marks)
    for child in node.children:
        mark(child)


def random_game(chance, number):
    root, fen = random_root(chance)
    grow(root, chance, chance.randint(1, 30), 0)
    game = Game(root, fen)
    mark(root)
    random_tags(chance, game, number)
    return game


# ---- queries


def bindings(men, game, lists):
    """The marks that `:forany` may bind: of pieces that are one of these men at some time (12 §8), in variations if a list visits them."""
    deep = any("variations" in name for _, x in lists for name, _ in x[3])
    return sorted({n.marks[s] for n in game.nodes if deep or n.depth == 0 for s in range(64) if n.board.men[s] in men})


def answer(lists, condition, tag, games):
    lines = []
    Budget.steps = 60000
    compiled = [expand(x) for _, x in lists]
    for number, game in enumerate(games, 1):
        if not condition(game):
            continue
        hits, bound = set(), False
        for binding in [{}] if tag is None else [{tag[0]: m} for m in bindings(tag[1], game, lists)]:
            each = [found(x, game, binding) for x in compiled]
            if all(each):
                bound, hits = True, hits | {n.id for e in each for n in e}
        if not lists and bound:
            hits = {n.id for n in game.nodes if n.depth == 0}
        if hits:
            lines.append("%d: %s" % (number, " ".join(map(str, sorted(hits)))))
    return lines


def query(chance, games):
    """A text and what it finds."""
    tag, text = None, []
    number = chance.choice((0, 1, 1, 1, 2))
    if number and chance.random() < 0.12:
        letter = chance.choice("QRBNPKqrbnpkAaMI")
        tag = ("t", ALL_MEN[letter])
        text.append(":forany t " + letter)
    lists = [Lists(chance, games, tag[:1] if tag else ()).list(chance.choice((0, 1, 1, 2))) for _ in range(number)]
    words, condition = ("", lambda game: True) if tag or lists and chance.random() < 0.7 else conditions(chance, games)
    text += [t for t, _ in lists] + [words]
    return "(match %s)" % " ".join(text), answer(lists, condition, tag, games)


def only(lines, others):
    """What the lines have that the others have not."""
    return "; ".join(line[:200] for line in lines if line not in others)[:400] or "(nothing else)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cqlgen")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--engine", default="interp")
    options = parser.parse_args()
    sys.setrecursionlimit(20000)
    chance = random.Random(options.seed)
    games = [random_game(chance, n) for n in range(1, options.games + 1)]
    for game in games:
        game.total = len(games)
    pgn = os.path.join(options.folder, "cqls-%d.pgn" % options.seed)
    with open(pgn, "w") as f:
        f.write("".join(game.text for game in games))
    passed = failed = 0
    for number in range(options.queries):
        try:
            text, wanted = query(chance, games)
        except TooLong:
            continue
        path = os.path.join(options.folder, "cqls-%d-%d.cql" % (options.seed, number))
        with open(path, "w") as f:
            f.write(text + "\n")
        run = subprocess.run([options.cqlgen, "search", "-q", "--engine", options.engine, "-j", "1", path, pgn, "-f", "positions"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        got = run.stdout.split("\n")[:-1]
        if run.returncode == 0 and got == wanted:
            passed += 1
            os.unlink(path)
            continue
        failed += 1
        print("FAIL %s: status %d %s\n  %s\n  expected %s\n  got      %s"
              % (path, run.returncode, run.stderr.strip()[:300], text, only(wanted, got), only(got, wanted)), flush=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
