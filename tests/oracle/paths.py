"""`path` and `line` (language reference 5), with the algorithms given there.

The operands of a path are those of `focus` and `max`, or None, and its constituents: `filter` with one operand, `dash`
(left, right, targets…), `chain`. Those of a line are `filter` and `chain`. Each has a wildcard (least, most) or None.
"""
from board import ALL, bits
from filters import Budget, Log, holds, move_fits, operation, value

MANY = 100000


class Best:
    def __init__(self):
        self.node, self.count, self.value, self.texts = None, 0, None, []


def backtracking(step):
    """What a step of a search adds to the log is taken out after it; a line that is found has kept a copy (§10.4.2)."""
    def wrapped(self, *arguments):
        length = len(Log.texts)
        step(self, *arguments)
        Log.cut(length)
    return wrapped


class Path:
    """One evaluation of a path."""

    def __init__(self, f, place):
        self.f, self.place, self.start = f, place, place.node
        self.best, self.count, self.outer = Best(), 0, place.names.get("pathcount")
        self.log = len(Log.texts)
        self.tracked = None  # squares of the pieces in focus, at the position reached; None: all moves count
        focus, self.maximum, self.constituents = f.operands[0], f.operands[1], list(f.operands[2:])
        if focus is not None:
            self.tracked = frozenset(bits(value(focus, self.at(place.node))))
        elif f.singlecolor:
            self.tracked = frozenset(bits(place.board.pieces("A" if place.node.white else "a")))
        if self.tracked is not None:
            self.tracked = frozenset(s for s in self.tracked if place.board.men[s] != "_")

    def search(self):
        self.run(self.constituents, self.start, self.tracked)
        self.place.names["pathcount"] = self.outer
        best = self.best
        if best.node is None:
            return None, None
        reached = best.value if self.maximum is not None else best.count
        if self.f.bounds and not self.f.bounds[0] <= reached <= self.f.bounds[1]:
            return None, None
        Log.texts += best.texts
        return reached, best.node

    def at(self, node, sides=None):
        self.place.names["pathcount"] = self.count
        return self.place.at(node, sides)

    def offer(self, node):
        best = self.best
        if self.maximum is not None:
            reached = value(self.maximum, self.at(node))
            if reached is not None and reached > -100000000 and (best.node is None or reached > best.value):
                best.node, best.count, best.value = node, self.count, reached
                best.texts = Log.texts[self.log:]
        elif best.node is None or self.count > best.count:
            best.node, best.count, best.texts = node, self.count, Log.texts[self.log:]

    @backtracking
    def run(self, constituents, node, tracked):
        Budget.spend()
        if not constituents:
            if node is not self.start:
                self.offer(node)
            return
        if self.f.firstmatch and self.best.node is not None:
            return
        first, rest = constituents[0], constituents[1:]
        if isinstance(first, Repeated):
            first.go_on(self, rest, node, tracked)
        elif first.wildcard:
            Repeated(first, 0, None).go_on(self, rest, node, tracked)
        elif first.operation == "filter":
            if holds(first.operands[0], self.at(node)):
                self.run(rest, node, tracked)
        elif first.operation == "chain":
            self.run(list(first.operands) + rest, node, tracked)
        else:
            self.take(first, rest, node, tracked)

    def take(self, dash, rest, node, tracked):
        for child, there, after in self.candidates(node, tracked):
            left, right = [ALL if o is None else value(o, self.at(there)) for o in dash.operands[:2]]
            move = child.move
            if move.rook and tracked is not None:
                before = self.tracked_before(child, after)
                for square, end in ((move.start, move.end), move.rook):
                    if square not in before:
                        left &= ~(1 << square)
                        right &= ~(1 << end)
            if not move_fits(move, left, right, dash.captures) or (self.f.primary and child.index > 0):
                continue
            if dash.promotion is not None and (not move.promoted or (dash.promotion != "A" and move.promoted not in dash.promotion)):
                continue
            self.count += 1
            sides = None if dash.captures else (left, right)
            length = len(Log.texts)
            if all(holds(o, self.at(child, sides)) for o in dash.operands[2:]):
                self.run(rest, child, after)
            Log.cut(length)
            self.count -= 1

    @staticmethod
    def tracked_before(child, after):
        """The squares of castling pieces that are tracked, before the move."""
        move = child.move
        return {s for s, end in ((move.start, move.end), move.rook) if end in after}

    def candidates(self, node, tracked):
        """Child, its head, and what is tracked after the move."""
        for child in node.children:
            if tracked is None:
                yield child, node, None
                continue
            after, focused = followed(child, tracked, self.f.capture)
            if focused:
                yield child, node, after
            elif node is not self.start:
                yield from self.candidates(child, after)


def followed(child, tracked, capture):
    """The tracked squares after a move, and whether it is in focus."""
    move = child.move
    if move.null:
        return tracked, move.start in tracked
    pairs = [(move.start, move.end)] + ([move.rook] if move.rook else [])
    focused = any(start in tracked for start, _ in pairs) or (capture and move.victim in tracked)
    after = set(tracked) - {move.victim} - {start for start, _ in pairs}
    after |= {end for start, end in pairs if start in tracked}
    return frozenset(after), bool(focused)


class Repeated:
    """A constituent with its wildcard, of which some repetitions are done; `since` is where the last one began."""

    def __init__(self, body, done, since):
        self.body, self.done, self.since = body, done, since
        self.least, self.most = body.wildcard

    def go_on(self, search, rest, node, tracked):
        if self.done >= self.least:
            search.run(rest, node, tracked)
        if self.done < self.most and not (self.since is node and self.done >= self.least):
            bare = self.body.with_operands(self.body.operands, wildcard=None)
            search.run([bare, Repeated(self.body, self.done + 1, node)] + rest, node, tracked)


@operation("path")
def _(f, place, *operands):
    reached, node = Path(f, place).search()
    return node if f.lastposition else reached


@operation("pathcount")
def _(f, place):
    return place.names["pathcount"]


# ---- lines


class Line:
    def __init__(self, f, place):
        self.f, self.place, self.start, self.best = f, place, place.node, None
        self.log, self.texts = len(Log.texts), []

    def search(self):
        self.run(list(self.f.operands), self.start)
        if self.best is None:
            return None
        length = abs(self.best.ply - self.start.ply) + 1
        if self.f.singlecolor:
            length = (length + 1) // 2
        if self.f.bounds and not self.f.bounds[0] <= length <= self.f.bounds[1]:
            return None
        Log.texts += self.texts
        return self.best if self.f.lastposition else length

    def skipped(self, node):
        return self.f.singlecolor and node.white != self.start.white

    @backtracking
    def run(self, constituents, node):
        Budget.spend()
        if not constituents or (self.f.firstmatch and self.best is not None):
            return
        if self.skipped(node):
            self.step(None, constituents, node)
            return
        first, rest = constituents[0], constituents[1:]
        body, done = first if isinstance(first, tuple) else (first, 0)
        if body.wildcard:
            least, most = body.wildcard
            if done >= least:
                self.run(rest, node)
            if done < most:
                self.run([body.with_operands(body.operands, wildcard=None), (body, done + 1)] + rest, node)
        elif body.operation == "chain":
            self.run(list(body.operands) + rest, node)
        else:
            self.step(body.operands[0], rest, node)

    @backtracking
    def step(self, f, rest, node):
        if self.f.firstmatch and self.best is not None:
            return
        if f is not None and not holds(f, self.place.at(node)):
            return
        if all(can_be_nothing(c) for c in rest) and not self.skipped(node):
            if self.best is None or abs(node.ply - self.start.ply) > abs(self.best.ply - self.start.ply):
                self.best, self.texts = node, Log.texts[self.log:]
        if not rest:
            return
        for next_node in self.reached(node):
            self.run(rest, next_node)

    def reached(self, node):
        if self.f.backwards:
            return [node.parent] if node.parent is not None else []
        if self.f.branches == "primary":
            return node.children[:1]
        return node.children[1:] if self.f.branches == "secondary" else node.children


def can_be_nothing(constituent):
    if isinstance(constituent, tuple):
        body, done = constituent
        return done >= body.wildcard[0] or can_be_nothing(body.with_operands(body.operands, wildcard=None))
    if constituent.wildcard:
        return constituent.wildcard[0] == 0 or can_be_nothing(constituent.with_operands(constituent.operands, wildcard=None))
    return constituent.operation == "chain" and all(can_be_nothing(o) for o in constituent.operands)


@operation("line")
def _(f, place, *operands):
    return Line(f, place).search()
