"""What position lists of CQL-S mean, written from chapters 12 and 12b of the language reference alone.

A designator is ("D", men, squares): pairs of a man and `~`, `~~` or nothing; a mask. A range is (least, greatest), with None for no bound
and ("end", n); a percentage ("%", relation, p, q). A test is (word, negated, arguments). A list is made by `position`; `expand` makes
of it its distinct copies, transformed, to which `matches` is applied.
"""
import functools
import itertools

from board import DIAGONAL, STRAIGHT, Node, bits, count, fen_of, is_white, mask_of, step
from filters import Budget

ALL_MEN = {"A": "KQRBNP", "M": "QR", "I": "BN", "U": "KQRBNPkqrbnp", ".": "_", "?": "KQRBNPkqrbnp_"}
ALL_MEN.update({word.lower(): ALL_MEN[word].lower() for word in "AMI"})
ALL_MEN.update({man: man for man in "KQRBNPkqrbnp"})
VALUES = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9}


def position(items, transforms=(), **settings):
    """settings: negated, variations, variationsonly, matchcount, pretransformmatchcount, repetitioncount, sum."""
    return ("list", tuple(items), tuple(transforms), tuple(sorted(settings.items())))


# ---- transformations (12 §6): a colour flip or not, and for each square the mask that becomes of it


def moved(image, mask):
    return functools.reduce(lambda a, b: a | b, (image[s] for s in bits(mask)), 0)


def reflection(change):
    return tuple(1 << 8 * y + x for x, y in (change(s % 8, s // 8) for s in range(64)))


def after(second, first):
    return tuple(moved(second, first[s]) for s in range(64))


SAME = reflection(lambda x, y: (x, y))
ACROSS, DOWN = reflection(lambda x, y: (7 - x, y)), reflection(lambda x, y: (x, 7 - y))
DIAGONALLY, OFF = reflection(lambda x, y: (y, x)), reflection(lambda x, y: (7 - y, 7 - x))
FLIPS = {"fliphorizontal": [DOWN], "flipvertical": [ACROSS], "flipdiagonal": [DIAGONALLY], "flipoffdiagonal": [OFF],
         "flipdihedral": [DOWN, DIAGONALLY], "flip": [DOWN, DIAGONALLY]}


def unit(dx, dy):
    def image(s):
        parts = []
        for place, d in ((s % 8, dx), (s // 8, dy)):
            parts.append({place + d} | ({place} if place == (0 if d > 0 else 7) and d else set()))
        return mask_of(8 * y + x for x in parts[0] for y in parts[1] if 0 <= x < 8 and 0 <= y < 8)
    return tuple(image(s) for s in range(64))


def ways(*directions):
    images = [SAME]
    for d in directions:
        image = SAME
        for _ in range(7):
            image = after(unit(*d), image)
            images.append(image)
    return images


@functools.lru_cache(None)
def shifts(word):
    if word == "shift":
        return [after(v, h) for h in shifts("shifthorizontal") for v in shifts("shiftvertical")]
    return {"shifthorizontal": ways((1, 0), (-1, 0)), "shiftvertical": ways((0, 1), (0, -1)), "shiftmaindiagonal": ways((1, 1), (-1, -1)),
            "shiftoffdiagonal": ways((1, -1), (-1, 1)), "shiftdiagonal": ways((1, 1), (-1, -1), (1, -1), (-1, 1))}[word]


@functools.lru_cache(None)
def transformations(words):
    group = {SAME: None}
    while True:
        more = [after(g, f) for g in group for w in words if w in FLIPS for f in FLIPS[w]]
        if all(m in group for m in more):
            break
        group.update(dict.fromkeys(more))
    shift = next((shifts(w) for w in words if w.startswith("shift")), [SAME])
    images = dict.fromkeys(i for s in shift for d in group for i in (after(s, d), after(d, s)))
    return [(i, False) for i in images] + ([(after(DOWN, i), True) for i in images] if "flipcolor" in words else [])


SWAPPED = {"wtm": "btm", "whitecannotwin": "blackcannotwin", "whiteelo": "blackelo"}
SWAPPED.update({b: a for a, b in SWAPPED.items()})
EDGES = mask_of((8, 15, 48, 55))  # where b1 goes when ranks and files change places
TURNED = {"rayhorizontal": "rayvertical", "rayvertical": "rayhorizontal"}


def negative(r):
    return tuple(None if b is None else -b for b in reversed(r))


def named(a):
    return isinstance(a, tuple) and a[:1] in (("D",), ("list",))


def transformed(item, t):
    """A designator, list or test under a transformation."""
    image, flip = t
    if item[0] == "D":
        return ("D", frozenset((man.swapcase(), mark) for man, mark in item[1]) if flip else item[1], moved(image, item[2]))
    if item[0] == "list":
        return expand(item, t)
    word, negated, arguments = item
    changed = tuple(transformed(a, t) if named(a) else tuple(transformed(p, t) for p in a) if isinstance(a, tuple) and a and named(a[0]) else a
                    for a in arguments)
    if word == "tag":
        changed = (arguments[0], moved(image, arguments[1]))
    if word == "line":  # only a colour flip acts on it
        number, moves, bar = arguments
        changed = (number, tuple(tuple(transformed(p, (DOWN, True)) if named(p) else p for p in m)
                                 for m in moves) if flip else moves, bar)
    if word in TURNED and len(set(image)) == 64 and image[1] & EDGES:
        word = TURNED[word]
    if flip:
        word = SWAPPED.get(word, word)
        if word in ("powerdifference", "piececountdifference", "pawncountdifference") and sum(named(a) for a in changed) == 1:
            changed = changed[:-1] + (negative(changed[-1]),)
        elif word in ("castling", "iscastling", "opposition"):
            changed = tuple(a.swapcase() for a in changed)
        elif word == "pawncount" and isinstance(changed[2], tuple) and changed[2][0] == ":":
            changed = changed[:2] + ((":", changed[2][2], changed[2][1]),)
        elif word == "fen":
            words = changed[0].split()
            words[0] = "/".join(reversed(words[0].swapcase().split("/")))
            changed = (" ".join(words[:1] + [{"w": "b", "b": "w"}[w] for w in words[1:2]]),)
        elif word == "result":
            changed = (tuple({"1-0": "0-1", "0-1": "1-0"}.get(r, r) for r in changed[0]),)
    return (word, negated, changed)


def expand(lst, t=(SAME, False)):
    """The distinct copies of a list under t and its own transformations."""
    _, items, words, settings = lst
    copies = dict.fromkeys(tuple(transformed(i, (after(t[0], u[0]), t[1] != u[1])) for i in items) for u in transformations(words))
    return ("copies", tuple(copies), dict_(settings))


class dict_(dict):
    def __hash__(self):
        return hash(tuple(sorted(self.items())))


# ---- evaluation


class Search:
    """What a list sees: the game, whether it goes on into variations, the positions that it visits."""

    def __init__(self, game, settings, marks):
        self.game, self.marks = game, marks
        self.variations = "variations" in settings or "variationsonly" in settings
        self.visited = [n for n in game.nodes if (n.depth > 0 if "variationsonly" in settings else n.depth == 0 or self.variations)]
        self.end = max(n.ply for n in game.nodes if n.depth == 0)
        self.known = {}

    def line(self, node):
        """The visited positions of the line through a node."""
        line, p = [], node
        while p.parent is not None:
            p = p.parent
            line.insert(0, p)
        while node is not None:
            line.append(node)
            node = node.children[0] if node.children else None
        return [p for p in line if p in self.visited]

    def next(self, node):
        return node.children if self.variations else node.children[:1]


def found(lst, game, marks=None):
    """The visited positions in which an expanded list matches."""
    search = Search(game, lst[2], marks or {})
    return [n for n in search.visited if matches(lst, n, search)]


def matches(lst, node, c):
    key = id(lst), node.id
    if key not in c.known:
        c.known[key] = decided(lst, node, c)
    return c.known[key]


def decided(lst, node, c):
    Budget.spend()
    _, copies, settings = lst
    for word, r in settings.items():
        rest = dict_((k, v) for k, v in settings.items() if k != word)
        if word == "negated":
            return not matches(without(lst, rest, c), node, c)
        if word == "matchcount":
            n = sum(matches(without(lst, rest, c), p, c) for p in c.visited)
            return within(n, r) and (n == 0 or matches(without(lst, rest, c), node, c))
        if word == "pretransformmatchcount":
            counts = [sum(copy_matches(x, p, c) for p in c.visited) for x in copies]
            return any(within(n, r) and (n == 0 or copy_matches(x, node, c)) for x, n in zip(copies, counts))
        if word == "repetitioncount":
            line = c.line(node)
            hits = [matches(without(lst, rest, c), p, c) for p in line]
            if not any(hits):
                return within(0, r)
            at = line.index(node)
            if not hits[at]:
                return False
            low = high = at
            while low > 0 and hits[low - 1]:
                low -= 1
            while high + 1 < len(hits) and hits[high + 1]:
                high += 1
            return within(high - low + 1, r)
        if word == "sum":
            n = sum(copy_matches(x, node, c) for x in copies)
            return n > 0 and within(n, r)
    return any(copy_matches(x, node, c) for x in copies)


def without(lst, settings, c):
    key = "without", id(lst), settings
    if key not in c.known:
        c.known[key] = ("copies", lst[1], settings)
    return c.known[key]


def copy_matches(copy, node, c):
    Budget.spend()
    together = []
    for item in copy:
        if item[0] == "D":
            good = bool(squares(node, item))
        elif item[0] in MOVES:
            if not item[1]:
                together.append(item)
                continue
            good = not any(MOVES[item[0]](c, node, child, *item[2]) for child in c.next(node))
        else:
            good = bool(TESTS[item[0]](c, node, *item[2])) != item[1]
        if not good:
            return False
    return not together or any(all(MOVES[w](c, node, child, *a) for w, _, a in together) for child in c.next(node))


def bound(b, end):
    return end - b[1] if isinstance(b, tuple) else b


def within(n, r, end=0):
    low, high = bound(r[0], end), bound(r[1], end)
    return (low is None or n >= low) and (high is None or n <= high)


def counted(n, total, r):
    """A range or a percentage (12b §3)."""
    if r[0] != "%":
        return within(n, r)
    if total == 0:
        return False
    a = 100 * n
    return {"<": a < r[2] * total, "<=": a <= r[2] * total, ">": a > r[2] * total, ">=": a >= r[2] * total, "=": a == r[2] * total,
            "..": r[2] * total <= a <= r[3] * total}[r[1]]


def squares(node, d):
    men = node.board.men
    return [s for s in bits(d[2]) if (men[s], "") in d[1] or (men[s], "~" if s in node.made else "~~") in d[1]]


TESTS, MOVES = {}, {}


def test(*words):
    return lambda function: [TESTS.update({w: function}) for w in words] and function


def move(*words):
    return lambda function: [MOVES.update({w: function}) for w in words] and function


def mated(n):
    return n.board.in_check(n.white) and not n.moves()


def stale(n):
    return not n.board.in_check(n.white) and not n.moves()


def checkers(n):
    return list(bits(n.board.attackers(n.board.king(n.white), not n.white)))


def near(n, s):
    king = n.board.king(n.white)
    return n.board.men[s] in "NnPp" or max(abs(s % 8 - king % 8), abs(s // 8 - king // 8)) == 1


def contact(n, d=None):
    given = checkers(n)
    if d is None:
        return len(given) > 1 or any(near(n, s) for s in given)
    return any(near(n, s) for s in given if s in squares(n, d))


def of(n, men):
    return sum(n.board.men.count(m) for m in men)


def endgame(n):
    queens, pieces = (of(n, "Q"), of(n, "q")), (of(n, "RBN"), of(n, "rbn"))
    if queens == (0, 0):
        return max(pieces) <= 3
    if queens == (1, 1):
        return of(n, "Rr") == 0 and max(pieces) <= 1
    for own, other, rooks, worth in ((0, 1, "R", "rbn"), (1, 0, "r", "RBN")):
        if queens[own] == 1 and queens[other] == 0 and of(n, rooks) == 0 and pieces[own] <= 1:
            return sum(VALUES[m.upper()] * of(n, m) for m in worth) <= 16
    return False


def material(n):
    rest = [(s, m) for s, m in enumerate(n.board.men) if m not in "_Kk"]
    if len(rest) < 2:
        return not all(m in "BbNn" for _, m in rest)
    return not (len(rest) == 2 and all(m in "Bb" for _, m in rest) and len({(s % 8 + s // 8) % 2 for s, _ in rest}) == 1)


def cannot_win(n, men):
    rest = [m for m in n.board.men if m in men]
    return not rest or len(rest) == 1 and rest[0] in "BbNn"


def occurrence(n):
    """The n-th time that a position of the main line occurs in it."""
    def key(p):
        ep = next((m.end for m in p.moves() if m.en_passant), None)
        return p.board.men, p.white, p.rights, ep
    count_, p = 0, n
    while p is not None:
        count_ += key(p) == key(n)
        p = p.parent
    return count_


def clock(n):
    moves = 0
    while n.parent is not None:
        m = n.move
        if m is not None and not m.null and (m.victim is not None or n.parent.board.men[m.start] in "Pp"):
            return moves
        moves, n = moves + 1, n.parent
    return moves + n.clock


TESTS.update({
    "wtm": lambda c, n: n.white, "btm": lambda c, n: not n.white,
    "check": lambda c, n: n.board.in_check(n.white), "nocheck": lambda c, n: not n.board.in_check(n.white),
    "mate": lambda c, n: mated(n), "stalemate": lambda c, n: stale(n), "initial": lambda c, n: n.parent is None,
    "terminal": lambda c, n: n.depth == 0 and not n.children, "insidevariation": lambda c, n: n.depth > 0,
    "castling": lambda c, n, letters: sum((w.isupper(), w.upper()) in n.rights for w in letters) == 1,
    "doublecheck": lambda c, n: len(checkers(n)) > 1, "contactcheck": lambda c, n, *d: contact(n, *d),
    "endgame": lambda c, n: endgame(n), "matingmaterial": lambda c, n: material(n),
    "whitecannotwin": lambda c, n: cannot_win(n, "QRBNP"), "blackcannotwin": lambda c, n: cannot_win(n, "qrbnp"),
    "gameisover": lambda c, n: mated(n) or stale(n) or not material(n),
    "threefoldrepetition": lambda c, n: n.depth == 0 and occurrence(n) == 3,
    "fivefoldrepetition": lambda c, n: n.depth == 0 and occurrence(n) == 5,
    "halfmoveclock": lambda c, n, r: n.depth > 0 or within(clock(n), r),
    "movenumber": lambda c, n, r: within(1 + n.ply // 2, r, 1 + c.end // 2),
    "halfmovenumber": lambda c, n, r: n.depth == 0 and within(n.ply, r, c.end),
    "fen": lambda c, n, fen: fen_of(n.board, n.white).split()[:len(fen.split())] == fen.split(),
    "inside": lambda c, n, d, where: any(where >> s & 1 for s in squares(n, d)),
    "piececount": lambda c, n, d, r: within(len(squares(n, d)), r),
    "power": lambda c, n, d, r: within(power(n, squares(n, d)), r),
    "tag": lambda c, n, name, where: any(n.marks[s] == c.marks[name] for s in bits(where)),
    "result": lambda c, n, results: c.game.said in results,
    "elo": lambda c, n, r: any(within(e, r) for e in c.game.elos),
    "whiteelo": lambda c, n, r: within(c.game.elos[0], r), "blackelo": lambda c, n, r: within(c.game.elos[1], r),
    "not": lambda c, n, lst: not matches(lst, n, c),
    "and": lambda c, n, lists: all(matches(x, n, c) for x in lists), "or": lambda c, n, lists: any(matches(x, n, c) for x in lists),
    "xor": lambda c, n, lists: sum(matches(x, n, c) for x in lists) == 1,
    "match": lambda c, n, lists: all(any(matches(x, p, c) for p in c.visited) for x in lists),
    "sequence": lambda c, n, lists: sequence(lists, n, c),
    "gappedsequence": lambda c, n, lists: gapped(lists, n, c),
    "matchconsecutive": lambda c, n, lists: any(sequence(order, n, c) for order in itertools.permutations(lists)),
})


def power(n, where):
    return sum(VALUES.get(n.board.men[s].upper(), 0) for s in where)


def difference(worth):
    def value(c, n, d, *rest):
        own, men = squares(n, d), n.board.men
        if len(rest) == 2:
            return within(worth(n, own) - worth(n, squares(n, rest[0])), rest[1])
        white = [s for s in own if men[s] != "_" and is_white(men[s])]
        return within(worth(n, white) - worth(n, [s for s in own if men[s] != "_" and not is_white(men[s])]), rest[0])
    return value


TESTS.update({"powerdifference": difference(power), "piececountdifference": difference(lambda n, where: len(where))})


@test("cond")
def _(c, n, lists):
    for i in range(0, len(lists) - 1, 2):
        if matches(lists[i], n, c):
            return matches(lists[i + 1], n, c)
    return len(lists) % 2 == 1 and matches(lists[-1], n, c)


def sequence(lists, node, c):
    return matches(lists[0], node, c) and (len(lists) == 1 or any(sequence(lists[1:], child, c) for child in c.next(node)))


def gapped(lists, node, c):
    if matches(lists[0], node, c) and (len(lists) == 1 or any(gapped(lists[1:], child, c) for child in c.next(node))):
        return True
    return any(gapped(lists, child, c) for child in c.next(node))


@test("attackcount")
def _(c, n, d, e, r):
    ends = mask_of(squares(n, e))
    return within(sum(count(n.board.attacks(s) & ends) for s in squares(n, d)), r)


RAYS = {"ray": STRAIGHT + DIAGONAL, "rayattack": STRAIGHT + DIAGONAL, "rayorthogonal": STRAIGHT, "raydiagonal": DIAGONAL,
        "rayhorizontal": [(1, 0), (-1, 0)], "rayvertical": [(0, 1), (0, -1)]}


def rays(word):
    def value(c, n, designators, r):
        men, found_ = n.board.men, set()
        sets = [set(squares(n, d)) for d in designators]
        for start in sets[0]:
            for d in RAYS[word]:
                if word == "rayattack" and men[start].upper() not in ("RQ" if d in STRAIGHT else "BQ"):
                    continue
                states, s = {1}, step(start, d)  # how many designators have been met, the first one included
                while s is not None and states:
                    if len(sets) - 1 in states and s in sets[-1]:
                        found_.add((start, s))
                    states = {i + 1 for i in states if i < len(sets) - 1 and s in sets[i]} | (states if men[s] == "_" else set())
                    s = step(s, d)
        return within(len(found_), r)
    return value


TESTS.update({word: rays(word) for word in RAYS})


@test("goodbishop")
def _(c, n, d, first, second):
    men = n.board.men

    def shade(s):
        return (s % 8 + s // 8) % 2

    for s in squares(n, d):
        own, enemy = ("P", "p") if is_white(men[s]) else ("p", "P")
        enemies = [t for t in range(64) if men[t] == enemy]
        owns = [t for t in range(64) if men[t] == own]
        if counted(sum(shade(t) == shade(s) for t in enemies), len(enemies), first) \
                and counted(sum(shade(t) != shade(s) for t in owns), len(owns), second):
            return True
    return False


@test("opposition")
def _(c, n, letters):
    a, b = n.board.king(True), n.board.king(False)
    dx, dy = abs(a % 8 - b % 8), abs(a // 8 - b // 8)
    if dx and dy and dx != dy:
        return False
    has = (max(dx, dy) - 1) % 2 == 0
    return any((letter == "K") == (n.white == has) for letter in letters or ("K" if n.white else "k"))


# ---- pawn structure (12b §9): pawns are (file, rank) from their side's view


def property_of(name, exact, n, own, enemy, c):
    def beside(p, rank):
        return [q for q in own if abs(q[0] - p[0]) == 1 and rank(q[1] - p[1])]

    def foes(p, distance, rank):
        return [q for q in enemy if abs(q[0] - p[0]) == distance and rank(q[1] - p[1])]

    def run(p, dx, dy):
        size = 1
        for sign in (1, -1):
            x, y = p[0] + sign * dx, p[1] + sign * dy
            while (x, y) in own:
                size, x, y = size + 1, x + sign * dx, y + sign * dy
        return size

    def long(size, least):
        return size == least if exact else size >= least

    def ahead(d):
        return d > 0

    def any_(d):
        return True

    def file_of(p, pawns):
        return {y for x, y in pawns if x == p[0]}

    def neighbours(p):
        return [x for x in (p[0] - 1, p[0] + 1) if any(q[0] == x for q in own)]

    def passed(p):
        return not foes(p, 0, ahead) and not foes(p, 1, ahead)

    def caught(p):
        king, white, to_move = c
        x, y = king % 8, king // 8 + 1 if white else 8 - king // 8
        d = 8 - p[1] - (p[1] == 2)
        return max(abs(x - p[0]), 8 - y) <= d + (not to_move)

    return {
        "single": lambda p: len(file_of(p, own)) == 1, "double": lambda p: long(len(file_of(p, own)), 2),
        "triple": lambda p: long(len(file_of(p, own)), n or 3), "uno": lambda p: sum(q[1] == p[1] for q in own) == 1,
        "duo": lambda p: long(run(p, 1, 0), 2), "trio": lambda p: long(run(p, 1, 0), 3), "quart": lambda p: long(run(p, 1, 0), n or 4),
        "consecutive": lambda p: long(run(p, 0, 1), n or 2),
        "chained": lambda p: long(run(p, 1, 1), n or 2) or long(run(p, 1, -1), n or 2),
        "connected": lambda p: bool(beside(p, any_)), "isolated": lambda p: not beside(p, any_),
        "integrated": lambda p: len(neighbours(p)) == (1 if p[0] in (0, 7) else 2),
        "halfisolated": lambda p: p[0] not in (0, 7) and len(neighbours(p)) == 1,
        "defended": lambda p: bool(beside(p, lambda d: d == -1)), "defender": lambda p: bool(beside(p, lambda d: d == 1)),
        "blocked": lambda p: bool(foes(p, 0, (lambda d: d == 1) if exact else ahead)), "unblocked": lambda p: not foes(p, 0, ahead),
        "stoppable": lambda p: bool(foes(p, 1, ahead)), "unstoppable": lambda p: not foes(p, 1, ahead),
        "stopped": lambda p: bool(foes(p, 1, lambda d: d == 2)), "passed": passed,
        "candidate": lambda p: not foes(p, 0, ahead) and len(beside(p, lambda d: d <= 0)) >= len(foes(p, 1, ahead))
        and not (exact and passed(p)),
        "behind": lambda p: bool(file_of(p, enemy)) and max(file_of(p, enemy)) < p[1] and (not exact or max(file_of(p, enemy)) == p[1] - 1),
        "backward": lambda p: bool(beside(p, any_)) and not beside(p, lambda d: d <= 0),
        "advanced": lambda p: p[1] >= 5, "inside": caught,
        "symmetrical": lambda p: len(file_of(p, enemy)) == len(file_of(p, own)),
        "mirrored": lambda p: file_of(p, enemy) == {9 - y for y in file_of(p, own)},
        "forefront": lambda p: max(file_of(p, own)) == p[1], "rear": lambda p: min(file_of(p, own)) == p[1],
    }[name]


def groups(numbers):
    """The sizes of the groups of neighbouring numbers."""
    result, last = [], None
    for x in sorted(numbers):
        if last is None or x > last + 1:
            result.append(0)
        result[-1] += 1
        last = x
    return result


def by_word(pawns, word, exact, n):
    if word == "bothsides" or word == "oneside":
        left = sum(x < 4 for x, _ in pawns)
        both = min(left, len(pawns) - left)
        return both if word == "bothsides" else 0 if both else len(pawns)
    axis = [p[0 if word in ("islands", "files", "lines") else 1] for p in pawns]
    sizes = groups(axis) if word in ("islands", "compounds") else [axis.count(x) for x in set(axis)]
    return len([s for s in sizes if not n or (s == n if exact else s >= n)])


def pawns_of(node, d, attributes, white):
    """The number for a colour."""
    men = node.board.men

    def seen(symbol):
        return {(s % 8, s // 8 + 1 if white else 8 - s // 8) for s in range(64) if men[s] == symbol}

    own, enemy = seen("P" if white else "p"), seen("p" if white else "P")
    king = (node.board.king(not white), white, node.white == white)
    for negated, name, exact, n in attributes:
        if name in ("islands", "compounds", "files", "lines", "ranks", "bothsides", "oneside"):
            break
        good = property_of(name, exact, n, own, enemy, king)
        own = {p for p in own if good(p) != negated}
    else:
        name = None
    own = {(x, y) for x, y in own if d[2] >> (8 * (y - 1 if white else 8 - y) + x) & 1}
    return by_word(own, name, exact, n) if name else len(own)


def each(node, d, attributes):
    return [pawns_of(node, d, attributes, m == "P") if (m, "") in d[1] else 0 for m in "Pp"]


@test("pawncount")
def _(c, n, d, attributes, r):
    white, black = each(n, d, attributes)
    if r[0] == ":":
        totals = [sum(n.board.men[s] == m for s in squares(n, d)) for m in "Pp"]
        return counted(white, totals[0], r[1]) and counted(black, totals[1], r[2])
    return counted(white + black, len(squares(n, d)), r)


@test("pawncountdifference")
def _(c, n, d, *rest):
    white, black = each(n, d, rest[-2])
    if len(rest) == 3:
        return within(white + black - sum(each(n, rest[0], rest[1])), rest[2])
    return within(white - black, rest[1])


# ---- the next move (12 §4, 12b §10) and lines of moves (§11)


def landing(node, m, d):
    return not m.null and m.end in squares(node, d)


def nth_check(child):
    n, p = 0, child
    while p.parent is not None:
        n += p.white == child.white and p.board.in_check(p.white) and not p.move.null
        p = p.parent
    return n


def promotes(m, d, white):
    return m.promoted and d[2] >> m.end & 1 and any(mark != "~~" and man == (m.promoted if white else m.promoted.lower()) for man, mark in d[1])


def castled(node, m, letters="KQkq"):
    wing = "K" if m.end % 8 == 6 else "Q"
    return m.rook is not None and (wing if node.white else wing.lower()) in letters


MOVES.update({
    "movefrom": lambda c, n, k, d: not k.move.null and k.move.start in squares(n, d),
    "moveto": lambda c, n, k, d: landing(n, k.move, d),
    "promote": lambda c, n, k, d: promotes(k.move, d, n.white) if d[1] else not k.move.null and not k.move.promoted,
    "enpassant": lambda c, n, k: k.move.en_passant, "isnull": lambda c, n, k: k.move.null,
    "iscastling": lambda c, n, k, *letters: castled(n, k.move, *letters),
    "ischeck": lambda c, n, k, *r: k.board.in_check(k.white) and (not r or within(nth_check(k), r[0])),
    "iscontactcheck": lambda c, n, k: k.board.in_check(k.white) and contact(k),
    "isdoublecheck": lambda c, n, k: len(checkers(k)) > 1, "ismate": lambda c, n, k: mated(k), "isstalemate": lambda c, n, k: stale(k),
    "forced": lambda c, n, k: len(n.moves()) == 1 and not k.move.null,
    "exchangeevaluation": lambda c, n, k, r: k.move.victim is not None and within(exchange(n, k.move), r),
})


def exchange(node, m):
    """12b §16."""
    gain = VALUES.get(node.board.men[m.victim].upper(), 0) if m.victim is not None else 0
    gain += VALUES[m.promoted] - 1 if m.promoted else 0
    after_ = node.play(m)
    return gain - max([0] + [exchange(after_, reply) for reply in after_.moves() if reply.victim == m.end])


@test("maxswapevaluation")
def _(c, n, d, e, r):
    best = None
    for white in (True, False):
        side = n if white == n.white else Node(n.board, white, n.rights)
        if white != n.white and n.board.in_check(white):
            continue
        values = [exchange(side, m) for m in side.moves() if m.start in squares(n, d) and m.end in squares(n, e)]
        best = max([best] * (best is not None) + values) if values or best is not None else None
    return best is not None and within(best, r)


SIGNS = {"+": lambda k: k.board.in_check(k.white), "++": lambda k: len(checkers(k)) > 1, "+++": lambda k: k.board.in_check(k.white) and contact(k),
         "#": mated, "!": lambda k: len(k.parent.moves()) == 1}
SIGNS.update({"-": lambda k: not SIGNS["+"](k), "--": lambda k: not SIGNS["++"](k), "---": lambda k: not SIGNS["+++"](k), "*": lambda k: not mated(k)})


def fits(node, child, kind, a, sign, b, promotion, signs, ep):
    """One move of `:line` on the move from node to child."""
    m = child.move
    if not all(SIGNS[s](child) for s in signs):
        return False
    if kind in ("--", "null"):
        return m.null == (kind == "null")
    if m.null:
        return False
    if kind in ("O-O", "O-O-O", "O-O-O-O"):
        return m.rook is not None and (kind == "O-O-O-O" or m.text == kind)
    if a is not None and m.start not in squares(node, a):
        return False
    if ep and not m.en_passant or not ep and m.en_passant and sign != ":":
        return False
    if promotion and not promotes(m, promotion, node.white):
        return False
    empty = node.board.men[m.end] == "_"
    if b is not None and not b[2] >> m.end & 1:
        return False
    if sign == "x":
        if m.victim is None:
            return False
        return b is None or m.en_passant or m.end in squares(node, b)
    if sign == ":":
        return empty or b is None or m.end in squares(node, b)
    return empty or promotion and sign is None and b is None


@test("line")
def _(c, n, number, moves, bar):
    def go(node, i):
        if i == len(moves):
            return True
        if i >= bar:
            legal = [node.play(m) for m in node.moves()]
            return any(fits(node, k, *moves[i]) and go(k, i + 1) for k in legal)
        return any(fits(node, k, *moves[i]) and go(k, i + 1) for k in c.next(node))
    return (number is None or number == (1 + n.ply // 2, n.white)) and go(n, 0)
