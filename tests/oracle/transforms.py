"""Transforms (language reference 8): a transform is a filter whose operand is rewritten under a list of maps."""
from board import ALL
from filters import LOGICAL, SET, best_of, condition, holds, operation, value

EIGHTHS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
FILE = [sum(1 << 8 * y + x for y in range(8)) for x in range(8)]
RANK = [0xFF << 8 * y for y in range(8)]


class Dropped(Exception):
    """A designator has no square left (§8.5)."""


class Symmetry:
    def __init__(self, square, direction, shades, colours=False):
        self.square, self.direction, self.shades, self.colours = square, direction, shades, colours

    def squares(self, mask):
        result = 0
        for s in range(64):
            if mask >> s & 1:
                x, y = self.square(s % 8, s // 8)
                result |= 1 << 8 * y + x
        return result


class Shift:
    colours = False

    def __init__(self, i, j):
        self.i, self.j, self.shades = i, j, (i + j) % 2 == 1

    def direction(self, dx, dy):
        return dx, dy

    def squares(self, mask):
        return moved(moved(mask, 0, self.j, FILE), self.i, 0, RANK)


def moved(mask, i, j, lines):
    """Shifts a mask along its lines; those that are completely in it stay."""
    if i == j == 0:
        return mask
    kept = 0
    for whole in lines:
        if mask & whole == whole:
            kept |= whole
    result = kept
    for s in range(64):
        if (mask & ~kept) >> s & 1 and 0 <= s % 8 + i < 8 and 0 <= s // 8 + j < 8:
            result |= 1 << s + i + 8 * j
    return result


class Eighths:
    colours = shades = False

    def __init__(self, k):
        self.k = k

    def direction(self, dx, dy):
        return EIGHTHS[(EIGHTHS.index((dx, dy)) + self.k) % 8]

    def squares(self, mask):
        assert mask in (0, ALL)
        return mask


IDENTITY = Symmetry(lambda x, y: (x, y), lambda dx, dy: (dx, dy), False)
REFLECT_V = Symmetry(lambda x, y: (7 - x, y), lambda dx, dy: (-dx, dy), True)
REFLECT_H = Symmetry(lambda x, y: (x, 7 - y), lambda dx, dy: (dx, -dy), True)
ROTATE180 = Symmetry(lambda x, y: (7 - x, 7 - y), lambda dx, dy: (-dx, -dy), False)
REFLECT_A1H8 = Symmetry(lambda x, y: (y, x), lambda dx, dy: (dy, dx), False)
REFLECT_A8H1 = Symmetry(lambda x, y: (7 - y, 7 - x), lambda dx, dy: (-dy, -dx), False)
CLOCKWISE = Symmetry(lambda x, y: (y, 7 - x), lambda dx, dy: (dy, -dx), True)
COUNTERCLOCKWISE = Symmetry(lambda x, y: (7 - y, x), lambda dx, dy: (-dy, dx), True)
INVERT = Symmetry(lambda x, y: (x, 7 - y), lambda dx, dy: (dx, -dy), True, colours=True)

MAPS = {
    "flip": [IDENTITY, REFLECT_A1H8, REFLECT_H, COUNTERCLOCKWISE, REFLECT_V, CLOCKWISE, ROTATE180, REFLECT_A8H1],
    "flipvertical": [IDENTITY, REFLECT_V],
    "fliphorizontal": [IDENTITY, REFLECT_H],
    "rotate90": [IDENTITY, COUNTERCLOCKWISE, ROTATE180, CLOCKWISE],
    "flipcolor": [IDENTITY, INVERT],
    "reversecolor": [INVERT],
    "shift": [Shift(i, j) for i in range(-7, 8) for j in range(-7, 8)],
    "shifthorizontal": [Shift(i, 0) for i in range(-7, 8)],
    "shiftvertical": [Shift(0, j) for j in range(-7, 8)],
    "rotate45": [Eighths(k) for k in range(8)],
}

COLOURED = {"wtm", "elo", "player"}  # their constant `white` is a colour, or None


def rewritten(f, t):
    """§8.4: a copy of a filter under one map."""
    if f.operation == "notransform":
        return f
    if f.operation == "transform":
        inner = f.with_operands(f.operands, maps=[(t,) + m for m in f.maps])
        variants(inner)
        return inner
    changes = {}
    if f.operation == "designator":
        squares = t.squares(f.squares)
        if squares == 0:
            raise Dropped
        pieces = f.pieces.swapcase() if f.pieces and t.colours else f.pieces
        changes = {"squares": squares, "pieces": pieces}
    elif f.operation in ("direction", "ray"):
        changes = {"directions": [t.direction(*d) for d in f.directions]}
    elif f.operation == "shade" and t.shades:
        changes = {"light": not f.light}
    elif f.operation in COLOURED and t.colours and f.white is not None:
        changes = {"white": not f.white}
    elif f.operation == "result" and t.colours:
        changes = {"result": {"1-0": "0-1", "0-1": "1-0"}.get(f.result, f.result)}
    operands = [None if o is None else rewritten(o, t) for o in f.operands]
    return f.with_operands(operands, **changes)


def form(f):
    """What two variants must have in common to be the same (§8.6)."""
    if f is None:
        return None
    if f.operation == "transform":
        return "transform", frozenset(form(v) for v in variants(f))
    own = None
    if f.operation == "designator":
        own = f.squares, None if f.pieces is None else frozenset(f.pieces)
    elif f.operation in ("direction", "ray"):
        own = frozenset(f.directions)
    elif f.operation == "shade":
        own = f.light
    elif f.operation in COLOURED:
        own = f.white
    else:
        own = repr(sorted(f.constants.items()))
    return f.operation, own, tuple(form(o) for o in f.operands)


def variants(f):
    """The distinct variants of a transform. Raises Dropped when there is none (§8.5)."""
    if f.variants is None:
        distinct = {}
        for maps in f.maps:
            try:
                variant = f.operands[0]
                for t in reversed(maps):
                    variant = rewritten(variant, t)
                distinct.setdefault(form(variant), variant)
            except Dropped:
                pass
        f.variants = list(distinct.values())
    if not f.variants:
        raise Dropped
    return f.variants


def kept(f):
    try:
        return variants(f)
    except Dropped:
        return []


@operation("transform")
def _(f, place, operand):
    copies = kept(f)
    if f.bounds:
        succeeded = sum(holds(v, place) for v in copies)
        return succeeded if f.bounds[0] <= succeeded <= f.bounds[1] else None
    if f.type == LOGICAL:
        return any([holds(v, place) for v in copies])
    if f.type == SET:
        result = 0
        for v in copies:
            result |= value(v, place)
        return result
    return best_of(max, [lambda v=v: value(v, place) for v in copies])


@condition("transform")
def _(f, place, operand):
    if f.bounds:
        return value(f, place) is not None
    return any([holds(v, place) for v in kept(f)])


@operation("notransform")
def _(f, place, operand):
    return value(operand, place)


@condition("notransform")
def _(f, place, operand):
    return holds(operand, place)
