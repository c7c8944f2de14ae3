"""What the filters of CQL 6.2 mean, one function each, written from the language reference (the sections are named).

A filter is a Filter: its operation, static type, operands and constants. `value` evaluates it for its value (None: it has none;
sets always have one; a logical filter has True or False), `holds` as a condition.
"""
from board import ALL, CASTLING, DIAGONAL, STRAIGHT, bits, count, is_white, mask_of, slides, step

SET, NUMBER, POSITION, STRING, LOGICAL = "set", "number", "position", "string", "logical"


class Filter:
    def __init__(self, operation, type_, operands=(), text="", **constants):
        self.operation, self.type, self.operands, self.text, self.constants = operation, type_, tuple(operands), text, constants
        self.variants = None  # of a transform, once they are made

    def __getattr__(self, name):
        try:
            return self.__dict__["constants"][name]
        except KeyError:
            raise AttributeError(name)

    def with_operands(self, operands, **changes):
        return Filter(self.operation, self.type, operands, self.text, **dict(self.constants, **changes))


class Place:
    """Where a filter is evaluated: the game, the position, the variables, and what restricts `from` and `to` (4.3.6)."""

    def __init__(self, game, node, names, sides=None):
        self.game, self.node, self.names, self.sides = game, node, names, sides

    def at(self, node, sides=None):
        return Place(self.game, node, self.names, sides)

    @property
    def board(self):
        return self.node.board


OPERATIONS, CONDITIONS = {}, {}


def operation(*names):
    def add(function):
        for name in names:
            OPERATIONS[name] = function
        return function
    return add


def condition(*names):
    def add(function):
        for name in names:
            CONDITIONS[name] = function
        return function
    return add


class TooLong(Exception):
    """The evaluation takes more steps than are worth waiting for."""


class Budget:
    steps = 0

    @classmethod
    def spend(cls):
        cls.steps -= 1
        if cls.steps < 0:
            raise TooLong


class Log:
    """The texts of comments, in the order in which they were made (§10.4.1): pairs of a position's number and a text."""
    texts = []

    @classmethod
    def cut(cls, length):
        """Returns what was added after the log had that length, and takes it out."""
        added = cls.texts[length:]
        del cls.texts[length:]
        return added

    @classmethod
    def attempt(cls, evaluate, failures=(None, False)):
        """The result of a function; the texts that it added stay unless it fails (§10.4.2)."""
        length = len(cls.texts)
        result = evaluate()
        if any(result is failure for failure in failures):
            cls.cut(length)
        return result


def value(f, place):
    """No comment is ever generated inside a set, so that sets have nothing to take back."""
    Budget.spend()
    return Log.attempt(lambda: OPERATIONS[f.operation](f, place, *f.operands))


def holds(f, place):
    """§2.3."""
    return Log.attempt(lambda: bool(tested(f, place)))


def tested(f, place):
    if f.operation in CONDITIONS:
        return CONDITIONS[f.operation](f, place, *f.operands)
    result = value(f, place)
    if f.type == SET:
        return result != 0
    if f.type == LOGICAL:
        return result
    return result is not None


def best_of(choose, evaluations):
    """The greatest or least value; the texts of those that reach it stay, in order."""
    results = []
    for evaluate in evaluations:
        length = len(Log.texts)
        results.append((evaluate(), Log.cut(length)))
    known = [x for x, _ in results if x is not None]
    best = choose(known) if known else None
    for x, texts in results:
        if x is not None and x == best:
            Log.texts += texts
    return best


@operation("comment")
def _(f, place):
    Log.texts.append((place.node.id, "%s.%d" % (f.label, place.node.id)))
    return True


def wrapped(number):
    """32-bit two's complement."""
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


# ---- chapter 3: sets


@operation("designator")
def _(f, place):
    return f.squares & (ALL if f.pieces is None else place.board.pieces(f.pieces))


@operation("all")
def _(f, place):
    return ALL


@operation("empty")
def _(f, place):
    return 0


@operation("&")
def _(f, place, a, b):
    return value(a, place) & value(b, place)


@operation("|")
def _(f, place, a, b):
    return value(a, place) | value(b, place)


@operation("~")
def _(f, place, a):
    return ALL & ~value(a, place)


def attackers_among(board, left, right):
    return mask_of(s for s in bits(left) if board.attacks(s) & right)


def attacked_among(board, left, right):
    attacked = 0
    for s in bits(right):
        attacked |= board.attacks(s)
    return left & attacked


def line(board, sets, directions, slider):
    """§3.4, the algorithm as given there."""
    starts = ends = 0
    for start in bits(sets[0]):
        for d in directions:
            if slider and d not in slides(board.men[start]):
                continue
            reached = walk(board, sets, start, 1, d)
            if reached:
                starts |= 1 << start
                ends |= reached
    return starts, ends


def walk(board, sets, square, i, d):
    reached = 0
    while True:
        square = step(square, d)
        if square is None:
            return reached
        inside, occupied = sets[i] >> square & 1, board.men[square] != "_"
        if i == len(sets) - 1:
            if inside:
                reached |= 1 << square
            if occupied:
                return reached
        elif inside:
            if occupied:
                i += 1
            else:
                reached |= walk(board, sets, square, i + 1, d)
        elif occupied:
            return reached


@operation("->", "attacks")
def _(f, place, *operands):
    sets = [value(o, place) for o in operands]
    if len(sets) == 2:
        return attackers_among(place.board, *sets)
    return line(place.board, sets, STRAIGHT + DIAGONAL, True)[0]


@operation("<-", "attackedby")
def _(f, place, *operands):
    sets = [value(o, place) for o in operands]
    if len(sets) == 2:
        return attacked_among(place.board, *sets)
    return line(place.board, sets[::-1], STRAIGHT + DIAGONAL, True)[1]


@operation("ray")
def _(f, place, *operands):
    return line(place.board, [value(o, place) for o in operands], f.directions, f.slider)[1]


def pins(board, starts, middles, ends):
    """§3.6: all (from, through, to)."""
    for start in bits(starts):
        for d in slides(board.men[start]):
            middle, square = None, step(start, d)
            while square is not None:
                man = board.men[square]
                if middle is not None and ends >> square & 1 and (man == "_" or is_white(man) == is_white(board.men[middle])):
                    yield start, middle, square
                if man != "_":
                    if middle is not None:
                        break
                    if is_white(man) == is_white(board.men[start]) or not middles >> square & 1:
                        break
                    middle = square
                square = step(square, d)


@operation("pin")
def _(f, place, *operands):
    sets = {"from": ALL, "through": ALL, "to": place.board.pieces("Kk")}
    for word, operand in zip(f.words, operands):
        sets[word] = value(operand, place)
    wanted = {"from": 0, "through": 1, "to": 2}[f.words[0] if f.words else "through"]
    return mask_of(p[wanted] for p in pins(place.board, sets["from"], sets["through"], sets["to"]))


@operation("between")
def _(f, place, a, b):
    result = 0
    for s in bits(value(a, place)):
        for t in bits(value(b, place)):
            for d in STRAIGHT + DIAGONAL:
                way, square = 0, step(s, d)
                while square is not None and square != t:
                    way |= 1 << square
                    square = step(square, d)
                if square == t:
                    result |= way
    return result


@operation("direction")
def _(f, place, a):
    result = 0
    for s in bits(value(a, place)):
        for dx, dy in f.directions:
            for i in range(f.low, f.high + 1):
                x, y = s % 8 + i * dx, s // 8 + i * dy
                if 0 <= x < 8 and 0 <= y < 8:
                    result |= 1 << 8 * y + x
    return result


@operation("shade")
def _(f, place, a):
    return mask_of(s for s in bits(value(a, place)) if (s % 8 + s // 8) % 2 == (1 if f.light else 0))


def only_square(mask):
    return next(bits(mask)) if count(mask) == 1 else None


@operation("file", "rank", "colortype", "type", "piecename", "typename")
def _(f, place, a):
    square = only_square(value(a, place))
    if square is None:
        return None
    man = place.board.men[square]
    if f.operation == "file":
        return square % 8 + 1
    if f.operation == "rank":
        return square // 8 + 1
    if f.operation == "piecename":
        return man
    if f.operation == "typename":
        return man.upper()
    number = "_PNBRQK".index(man.upper())
    return number if f.operation == "type" or man.isupper() else -number


@operation("makesquare")
def _(f, place, a, b):
    x, y = value(a, place), value(b, place)
    return 1 << 8 * (y - 1) + x - 1 if x is not None and y is not None and 1 <= x <= 8 and 1 <= y <= 8 else 0


@operation("power")
def _(f, place, a):
    return sum({"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9}.get(place.board.men[s].upper(), 0) for s in bits(value(a, place)))


@operation("connectedpawns", "isolatedpawns", "doubledpawns", "passedpawns")
def _(f, place):
    men = place.board.men
    pawns = [s for s in range(64) if men[s] in "Pp"]

    def belongs(s):
        own = [t for t in pawns if men[t] == men[s] and t != s]
        if f.operation == "doubledpawns":
            return any(t % 8 == s % 8 for t in own)
        if f.operation == "passedpawns":
            ahead = 1 if men[s] == "P" else -1
            return not any(men[t] != men[s] and abs(t % 8 - s % 8) <= 1 and (t // 8 - s // 8) * ahead > 0 for t in pawns)
        return any(abs(t % 8 - s % 8) == 1 for t in own) == (f.operation == "connectedpawns")

    return mask_of(s for s in pawns if belongs(s))


@operation("set loop")
def _(f, place, domain, body):
    result = 0
    for s in bits(value(domain, place)):
        place.names[f.name] = 1 << s
        if holds(body, place):
            result |= 1 << s
        del place.names[f.name]
    return result


@operation("all loop")
def _(f, place, domain, body):
    for s in bits(value(domain, place)):
        place.names[f.name] = 1 << s
        good = holds(body, place)
        del place.names[f.name]
        if not good:
            return False
    return True


@operation("name")
def _(f, place):
    return place.names[f.name]


# ---- chapter 3: the side to move, check and mate


@operation("wtm")
def _(f, place):
    return place.node.white == f.white


@operation("sidetomove")
def _(f, place):
    return 1 if place.node.white else -1


@operation("check")
def _(f, place):
    return place.board.in_check(place.node.white)


@operation("mate")
def _(f, place):
    return place.board.in_check(place.node.white) and not place.node.moves()


@operation("stalemate")
def _(f, place):
    return not place.node.children and not place.board.in_check(place.node.white) and not place.node.moves()


@operation("fen")
def _(f, place):
    from board import fen_of, name_of
    node, rights = place.node, set("KQkq")
    while node is not None:
        for letter, king, rook in (("K", 4, 7), ("Q", 4, 0), ("k", 60, 63), ("q", 60, 56)):
            men = node.board.men
            if (men[king], men[rook]) != (("K", "R") if letter.isupper() else ("k", "r")):
                rights.discard(letter)
        node = node.parent
    passed = place.node.passed_square()
    words = fen_of(place.board, place.node.white).split()
    words[2] = "".join(letter for letter in "KQkq" if letter in rights) or "-"
    words[3] = name_of(passed[0]) if passed else "-"
    return " ".join(words)


# ---- chapter 2: numbers and logic


@operation("number")
def _(f, place):
    return f.number


@operation("#")
def _(f, place, a):
    return count(value(a, place))


@operation("+", "-", "*", "/", "%")
def _(f, place, a, b):
    x = value(a, place)
    if x is None:
        return None
    y = value(b, place)
    if y is None:
        return None
    if f.operation == "+":
        return wrapped(x + y)
    if f.operation == "-":
        return wrapped(x - y)
    if f.operation == "*":
        return wrapped(x * y)
    if y == 0:
        return None
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return wrapped(quotient if f.operation == "/" else x - quotient * y)


@operation("abs")
def _(f, place, a):
    x = value(a, place)
    return None if x is None else wrapped(abs(x))


@operation("max", "min")
def _(f, place, *operands):
    return best_of(max if f.operation == "max" else min, [lambda o=o: value(o, place) for o in operands])


RELATIONS = {"<": lambda x, y: x < y, ">": lambda x, y: x > y, "<=": lambda x, y: x <= y, ">=": lambda x, y: x >= y,
             "==": lambda x, y: x == y}


def as_number(f, place):
    return count(value(f, place)) if f.type == SET else value(f, place)


@operation("compare")
def _(f, place, a, b):
    """Numbers, or a set's size with a number, or strings; the value is the left operand's (§2.8)."""
    x, y = as_number(a, place), as_number(b, place)
    return x if x is not None and y is not None and RELATIONS[f.relation](x, y) else None


@operation("!=")
def _(f, place, a, b):
    length = len(Log.texts)
    x, y = as_number(a, place), as_number(b, place)
    Log.cut(length)
    return x is None or y is None or x != y


@operation("same set")
def _(f, place, a, b):
    return (value(a, place) == value(b, place)) == f.same


@operation("in")
def _(f, place, a, b):
    return value(a, place) & ~value(b, place) == 0


@operation("true")
def _(f, place):
    return True


@operation("false")
def _(f, place):
    return False


@operation("not")
def _(f, place, a):
    length = len(Log.texts)
    result = not holds(a, place)
    Log.cut(length)
    return result


@operation("and")
def _(f, place, a, b):
    return holds(a, place) and holds(b, place)


@operation("or")
def _(f, place, a, b):
    return holds(a, place) or holds(b, place)


@operation("compound")
def _(f, place, *operands):
    good = all(holds(o, place) for o in operands[:-1])
    if good:
        return value(operands[-1], place)
    return {SET: 0, LOGICAL: False}.get(f.type)


@condition("compound")
def _(f, place, *operands):
    return all(holds(o, place) for o in operands)


@operation("if")
def _(f, place, test, yes, no):
    return value(yes if holds(test, place) else no, place)


@condition("if")
def _(f, place, test, yes, no):
    return holds(yes if holds(test, place) else no, place)


# ---- chapter 6: the tree


def number_filter(name):
    def add(function):
        OPERATIONS[name] = lambda f, place: function(place.node)
    return add


number_filter("ply")(lambda node: node.ply)
number_filter("depth")(lambda node: node.depth)
number_filter("positionid")(lambda node: node.id)
number_filter("initial")(lambda node: node.parent is None)
number_filter("terminal")(lambda node: not node.children)
number_filter("mainline")(lambda node: node.depth == 0)
number_filter("variation")(lambda node: node.depth > 0)
number_filter("primary")(lambda node: node.parent is not None and node.index == 0)
number_filter("secondary")(lambda node: node.parent is not None and node.index > 0)
number_filter("nullmove")(lambda node: node.move is not None and node.move.null)
number_filter("castle")(lambda node: node.move is not None and node.move.rook is not None)
number_filter("o-o")(lambda node: node.move is not None and node.move.rook is not None and node.move.end % 8 == 6)
number_filter("o-o-o")(lambda node: node.move is not None and node.move.rook is not None and node.move.end % 8 == 2)
number_filter("enpassant")(lambda node: node.move is not None and node.move.en_passant)
number_filter("enpassantsquare")(lambda node: 1 << node.move.victim if node.move is not None and node.move.en_passant else 0)


@operation("movenumber")
def _(f, place):
    node = place.node
    black_began = node.white == (node.ply % 2 == 1)
    return (node.ply + black_began) // 2 + 1


@operation("virtualmainline")
def _(f, place):
    node = place.node
    while node.parent is not None:
        if node.move.null or (node.index > 0 and node.parent.white):
            return False
        node = node.parent
    return True


@operation("try")
def _(f, place):
    node, found = place.node, 0
    while node.parent is not None:
        found += not node.white and node.index > 0
        node = node.parent
    return 1 if found == 1 else None


@operation("currentposition")
def _(f, place):
    return place.node


@operation("initialposition")
def _(f, place):
    return place.game.root


@operation("parent")
def _(f, place):
    return place.node.parent


@operation("child")
def _(f, place, *index):
    number = value(index[0], place.at(place.node)) if index else 0
    children = place.node.children
    return children[number] if number is not None and 0 <= number < len(children) else None


@operation("position")
def _(f, place, a):
    number = value(a, place.at(place.node))
    return place.game.nodes[number] if number is not None and 0 <= number < len(place.game.nodes) else None


NOTHING = {SET: 0, LOGICAL: False}


@operation(":")
def _(f, place, where, body):
    node = value(where, place.at(place.node))
    return NOTHING.get(f.type) if node is None else value(body, place.at(node))


@condition(":")
def _(f, place, where, body):
    node = value(where, place.at(place.node))
    return node is not None and holds(body, place.at(node))


def is_ancestor(a, b):
    return a.id < b.id <= a.last


TREE_RELATIONS = {"==": lambda a, b: a is b, "<": lambda a, b: a.id < b.id, ">": lambda a, b: a.id > b.id,
                  "<=": lambda a, b: a.id <= b.id, ">=": lambda a, b: a.id >= b.id,
                  "[<]": is_ancestor, "[>]": lambda a, b: is_ancestor(b, a),
                  "[<=]": lambda a, b: a is b or is_ancestor(a, b), "[>=]": lambda a, b: a is b or is_ancestor(b, a)}


@operation("compare positions")
def _(f, place, a, b):
    x, y = value(a, place), value(b, place)
    return x if x is not None and y is not None and TREE_RELATIONS[f.relation](x, y) else None


@operation("ancestor", "descendant")
def _(f, place, a, b):
    x, y = value(a, place), value(b, place)
    return x is not None and y is not None and TREE_RELATIONS["[<]" if f.operation == "ancestor" else "[>]"](x, y)


def common_ancestor(x, y):
    while x is not y:
        if x.ply >= y.ply:
            x = x.parent
        else:
            y = y.parent
    return x


@operation("lca")
def _(f, place, a, b):
    x, y = value(a, place), value(b, place)
    return None if x is None or y is None else common_ancestor(x, y)


@operation("distance")
def _(f, place, a, b):
    x, y = value(a, place), value(b, place)
    return None if x is None or y is None else x.ply + y.ply - 2 * common_ancestor(x, y).ply


@operation("equal")
def _(f, place, a, b):
    """Of two filters of one type; a filter without a value counts as false."""
    x, y = value(a, place), value(b, place)
    return x is y if a.type == POSITION else x == y


@operation("same squares")
def _(f, place, a, b):
    x, y = value(a, place), value(b, place)
    if x is None or y is None:
        return 0
    return mask_of(s for s in range(64) if x.board.men[s] == y.board.men[s])


def searched(f, place):
    if f.backwards:
        node = place.node
        while node is not None:
            yield node
            node = node.parent
    else:
        yield from place.game.nodes[place.node.id:place.node.last + 1]


@operation("find")
def _(f, place, body):
    return next((n for n in searched(f, place) if holds(body, place.at(n))), None)


@operation("find all")
def _(f, place, body):
    found = sum(holds(body, place.at(n)) for n in searched(f, place))
    return found if f.low <= found <= f.high else None


@operation("echo")
def _(f, place, body):
    hits, best = 0, None
    outer = place.node
    for target in place.game.nodes:
        if target is outer and not f.in_all:
            continue
        place.names[f.source], place.names[f.target] = outer, target
        there = place.at(target)
        if holds(body, there):
            hits += 1
            if body.type == NUMBER:
                reached = value(body, there)
                best = reached if best is None else max(best, reached)
    return best if body.type == NUMBER else hits > 0


# ---- chapter 4: moves


@operation("from", "to")
def _(f, place):
    """§4.5, and for castling §4.3.6."""
    move = place.node.move
    if move is None:
        return 0
    starts, ends = [move.start], [move.end]
    if move.rook:
        starts.append(move.rook[0])
        ends.append(move.rook[1])
    left, right = place.sides if move.rook and place.sides else (ALL, ALL)
    own, own_side, other, other_side = (starts, left, ends, right) if f.operation == "from" else (ends, right, starts, left)
    return mask_of(s for s, t in zip(own, other) if own_side >> s & 1 and other_side >> t & 1)


def move_fits(move, left, right, captures):
    """§4.3.2."""
    if captures:
        return move.victim is not None and left >> move.start & 1 and right >> move.victim & 1
    if move.rook and left >> move.rook[0] & 1 and right >> move.rook[1] & 1:
        return True
    return left >> move.start & 1 and right >> move.end & 1


def dash_moves(f, place, children):
    """The children reached by fitting moves with the place at which the target is evaluated. Operands: left, right, target…"""
    left, right = [ALL if o is None else value(o, place.at(place.node)) for o in f.operands[:2]]
    for child in children:
        if move_fits(child.move, left, right, f.captures):
            yield place.at(child, None if f.captures else (left, right))


def target_holds(f, there):
    move = there.node.move
    if f.promotion is not None and (not move.promoted or (f.promotion != "A" and move.promoted not in f.promotion)):
        return False
    return Log.attempt(lambda: all(holds(o, there) for o in f.operands[2:]))


def dash_condition(f, place, children):
    return any(target_holds(f, there) for there in dash_moves(f, place, children))


def dash_value(f, place, children):
    """§4.3.5."""
    if f.type == LOGICAL:
        return dash_condition(f, place, children)
    for there in dash_moves(f, place, children):
        if f.type == SET:
            checked = f.with_operands(f.operands[:-1])
            return value(f.operands[-1], there) if target_holds(checked, there) else 0
        checked = f.with_operands(f.operands[:-1])
        result = Log.attempt(lambda: value(f.operands[-1], there) if target_holds(checked, there) else None)
        if result is not None:
            return result
    return NOTHING.get(f.type)


@operation("dash")
def _(f, place, *operands):
    return dash_value(f, place, place.node.children)


@condition("dash")
def _(f, place, *operands):
    return dash_condition(f, place, place.node.children)


@operation("currentmove")
def _(f, place, dash):
    if place.node.parent is None:
        return NOTHING.get(f.type)
    return dash_value(dash, place.at(place.node.parent), [place.node])


@condition("currentmove")
def _(f, place, dash):
    return place.node.parent is not None and dash_condition(dash, place.at(place.node.parent), [place.node])


@operation("countmoves")
def _(f, place, dash):
    return sum(target_holds(dash, there) for there in dash_moves(dash, place, place.node.children))


def generated(place, left, right, pseudo, victims=None):
    """§4.2.2: the pairs (from, to)."""
    node, board = place.node, place.board
    men, white = board.men, node.white
    own = board.pieces("A" if white else "a")
    enemy = board.pieces("a" if white else "A")

    def safe(changes):
        after = board.with_changes(changes)
        king = after.king(white)
        return pseudo or king is None or after.attackers(king, not white) == 0

    for start in bits(left & own):
        man, ends = men[start], 0
        if victims is None:
            if man in "Pp":
                ends = board.attacks(start) & enemy
                ahead = step(start, (0, 1 if white else -1))
                if ahead is not None and men[ahead] == "_":
                    ends |= 1 << ahead
                    two = step(ahead, (0, 1 if white else -1))
                    if start // 8 == (1 if white else 6) and men[two] == "_":
                        ends |= 1 << two
            else:
                ends = board.attacks(start)
            for end in bits(ends & right & ~own):
                if safe([(start, "_"), (end, man)]):
                    yield start, end
            if man in "Kk":
                for end in castlings(node):
                    if right & ~own & 1 << end:
                        yield start, end
        passed = None if node.parent is None else node.passed_square()
        if man in "Pp" and passed and is_white(men[passed[1]]) != white and start // 8 == passed[1] // 8 \
                and abs(start % 8 - passed[1] % 8) == 1 and right & ~own & 1 << passed[0] \
                and (victims is None or victims >> passed[1] & 1) \
                and safe([(start, "_"), (passed[1], "_"), (passed[0], man)]):
            yield start, passed[0]


def castlings(node):
    board, white = node.board, node.white
    arrived, n = set(), node
    while n.parent is not None:
        if not n.move.null:
            arrived.add(n.move.end)
        n = n.parent
    for wing in "KQ":
        king, to, rook, _, _ = CASTLING[white, wing]
        men = ("K", "R") if white else ("k", "r")
        way = range(min(king, to), max(king, to) + 1)
        if (board.men[king], board.men[rook]) == men and not arrived & {king, rook} \
                and all(board.men[s] == "_" for s in range(min(king, rook) + 1, max(king, rook))) \
                and not any(board.attackers(s, not white) for s in way):
            yield to


CASTLING_TARGETS = {"o-o": 1 << 6 | 1 << 62, "o-o-o": 1 << 2 | 1 << 58, "castle": 1 << 6 | 1 << 62 | 1 << 2 | 1 << 58}


def generated_for(f, place):
    """The moves of `legal L--R(target)`."""
    left, right = [ALL if o is None else value(o, place) for o in f.operands[:2]]
    victims = ALL if f.target == "enpassant" else None
    if f.target in CASTLING_TARGETS:
        men = place.board.men
        left &= mask_of(s for s, man in ((4, "K"), (60, "k")) if men[s] == man)
        right &= CASTLING_TARGETS[f.target]
    return list(generated(place, left, right, f.pseudo, victims))


@operation("legal")
def _(f, place, *operands):
    return mask_of(end for _, end in generated_for(f, place))


@operation("countmoves legal")
def _(f, place, *operands):
    return len(generated_for(f, place))


@operation("move")
def _(f, place, *operands):
    """§4.7.1."""
    there = place
    children = place.node.children
    if "previous" in f.words:
        if place.node.parent is None:
            return NOTHING.get(f.type)
        children, there = [place.node], place.at(place.node.parent, place.sides)
    sets = {word: value(o, there) for word, o in zip(f.with_sets, operands)}
    found = [c.move for c in children if fits_parameters(f, there, c, sets)]
    if f.type == LOGICAL:
        return bool(found)
    return mask_of({"from": m.start, "to": m.end, "capture": m.victim}[f.first] for m in found)


def fits_parameters(f, there, child, sets):
    m = child.move
    kings = mask_of(s for s, man in ((4, "K"), (60, "k")) if there.board.men[s] == man)
    tests = {
        "from": lambda: sets["from"] >> m.start & 1,
        "to": lambda: sets["to"] >> m.end & 1,
        "capture": lambda: m.victim is not None and sets["capture"] >> m.victim & 1,
        "enpassantsquare": lambda: m.en_passant and sets["enpassantsquare"] >> m.victim & 1,
        "promote": lambda: m.promoted and (f.promotion == "A" or m.promoted in f.promotion),
        "enpassant": lambda: m.en_passant,
        "null": lambda: m.null,
        "primary": lambda: child.index == 0,
        "secondary": lambda: child.index > 0,
        "previous": lambda: True,
    }
    for word in CASTLING_TARGETS:
        tests[word] = lambda word=word: kings >> m.start & 1 and CASTLING_TARGETS[word] >> m.end & 1
    return all(tests[word]() for word in f.words)
