#!/usr/bin/env python3
"""Compares `path` and `line` of cqlgen with the searches given in the language reference (5.5, 5.6, 5.7, 5.13), written out here.

usage: sequences.py CQLGEN FOLDER [--engine NAME] [--seed N] [--queries N]

The games are random trees of null moves, so that nothing about chess is needed: White's king moves from e1 to e1, Black's from e8
to e8. The filters ask for the place of a position in the tree, count, and try counters that constituents change. Each query prints,
at each position, the value of the search (or its last position), the two counters and what the path status filters say then.
The last line is `N passed, N failed`.
"""
import argparse
import os
import random
import subprocess
import sys

UNLIMITED = 100000
BUDGET = 60000  # steps of the evaluator for one game; queries that need more are left out


class TooLong(Exception):
    pass


# ---- games ----------------------------------------------------------------------------------------------------------------------

class Tree:
    """A tree of positions, numbered in preorder: lists by positionid."""

    def __init__(self, rnd):
        shape = [[]]
        for i in range(1, rnd.randint(2, 14)):
            parent = rnd.randint(max(0, i - 4), i - 1) if rnd.random() < 0.8 else rnd.randrange(i)
            shape[parent if len(shape[parent]) < 3 else i - 1].append(i)
            shape.append([])
        self.children, self.parent, self.ply, self.depth, self.index = [], [], [], [], []
        self.add(shape, 0, -1, 0, 0, 0)

    def add(self, shape, node, parent, ply, depth, index):
        here = len(self.children)
        self.children.append([])
        self.parent.append(parent)
        self.ply.append(ply)
        self.depth.append(depth)
        self.index.append(index)
        for i, child in enumerate(shape[node]):
            self.children[here].append(self.add(shape, child, here, ply + 1, depth + (i > 0), i))
        return here

    def pgn(self):
        return '[Event "Null moves"]\n\n%s*\n\n' % self.moves(0)

    def moves(self, position):
        children = self.children[position]
        sides = "".join("( -- %s) " % self.moves(c) for c in children[1:])
        return "-- %s%s" % (sides, self.moves(children[0])) if children else ""


def mover(tree, position):
    """The king that makes the moves from a position: its letter and its square."""
    return ("K", "e1") if tree.ply[position] % 2 == 0 else ("k", "e8")


# ---- filters: tuples, what they are called and what they say ---------------------------------------------------------------------

PLAIN = {"wtm": lambda t, p: t.ply[p] % 2 == 0, "btm": lambda t, p: t.ply[p] % 2 == 1, "terminal": lambda t, p: not t.children[p],
         "{secondary}": lambda t, p: t.index[p] > 0, "{primary}": lambda t, p: p > 0 and t.index[p] == 0, "true": lambda t, p: True,
         "mainline": lambda t, p: t.depth[p] == 0, "{child(1)}": lambda t, p: len(t.children[p]) > 1}


def random_filter(rnd, make, level=0):
    """make.path: status filters are allowed; make.effects: counters may change; make.nested: paths may be nested."""
    r = rnd.random()
    if r < 0.35:
        return ("plain", rnd.choice(sorted(PLAIN)))
    if r < 0.5:
        modulus = rnd.randint(2, 5)
        return ("id", modulus, rnd.randrange(modulus))
    if r < 0.6 and make.path:
        return ("count", rnd.choice(["<", ">=", "=="]), rnd.randint(0, 4))
    if r < 0.65 and make.path:
        return ("skipped", rnd.randint(0, 2))
    if r < 0.75 and make.effects:
        return ("add", rnd.choice("xy"))
    if r < 0.82 and make.effects:
        return ("ask", rnd.choice("xy"), rnd.randint(2, 3))
    if r < 0.9 and level < 2:
        return ("not", random_filter(rnd, make, level + 1))
    if r < 0.96 and level < 2:
        return ("or", random_filter(rnd, make, level + 1), random_filter(rnd, make, level + 1))
    if make.nested and level == 0:
        return ("path", Path(rnd, make, 1))
    return ("depth", rnd.randint(1, 3))


def filter_text(f):
    kind = f[0]
    if kind == "plain":
        return f[1]
    if kind == "move":
        return "{move from %s%s}" % (f[1], " or " + filter_text(f[2]) if f[2] else "")
    return "{%s}" % {
        "id": lambda: "positionid %% %d == %d" % f[1:], "count": lambda: "pathcount %s %d" % f[1:],
        "skipped": lambda: "pathcountunfocused <= %d" % f[1], "add": lambda: "%scount += 1" % f[1],
        "ask": lambda: "%scount %% %d == 0" % f[1:], "not": lambda: "not " + filter_text(f[1]),
        "or": lambda: "%s or %s" % (filter_text(f[1]), filter_text(f[2])), "path": lambda: f[1].text(),
        "depth": lambda: "depth < %d" % f[1]}[kind]()


def holds(game, f, p, child=None):
    """child: the move to which a linked `move` filter is tied, -1 at a terminal position (5.13)."""
    kind, tree = f[0], game.tree
    if kind == "plain":
        return PLAIN[f[1]](tree, p)
    if kind == "id":
        return p % f[1] == f[2]
    if kind == "count":
        n = game.searches[-1].count
        return {"<": n < f[2], ">=": n >= f[2], "==": n == f[2]}[f[1]]
    if kind == "skipped":
        search = game.searches[-1]
        return tree.ply[p] - tree.ply[search.start] - search.count <= f[1]
    if kind == "add":
        game.counter[f[1]] += 1
        return True
    if kind == "ask":
        return game.counter[f[1]] % f[2] == 0
    if kind == "not":
        return not holds(game, f[1], p)
    if kind == "or":
        return holds(game, f[1], p) or holds(game, f[2], p)
    if kind == "path":
        return f[1].match(game, p) is not None
    if kind == "move":
        moves = bool(tree.children[p]) if child is None else child >= 0
        return moves and f[1] in (".", mover(tree, p)[1]) or f[2] is not None and holds(game, f[2], p)
    return tree.depth[p] < f[1]


# ---- constituents: ("filter", F), ("dash", L, R, targets), ("chain", list), ("repeat", constituent, wildcard) ---------------------

WILDCARDS = {"{*}": (0, UNLIMITED), "{+}": (1, UNLIMITED), "?": (0, 1), "{2}": (2, 2), "{1,2}": (1, 2), "{2,}": (2, UNLIMITED),
             "{,2}": (0, 2), "{1}": (1, 1), "{0,3}": (0, 3), "{1,3}": (1, 3), "{0,1}": (0, 1), "{0}": (0, 0)}


def chained(constituents, rest):
    for c in reversed(constituents):
        rest = (c, rest)
    return rest


class Search:
    """One evaluation of a path or line."""

    def __init__(self, start):
        self.start, self.count, self.best = start, 0, None


class Sequence:
    """What paths and lines share: flags, range, marks."""

    def choose(self, rnd, flag, chance):
        if rnd.random() < chance:
            self.flags.add(flag)

    def choose_range(self, rnd):
        self.range = rnd.choice([(1, 2), (2, 2), (2, 4), (3, 9), (1, 1), (3, 2)]) if rnd.random() < 0.2 else None

    def words(self):
        return sorted(self.flags) + (["%d %d" % self.range] if self.range else [])

    def in_range(self, value):
        return self.range is None or self.range[0] <= value <= self.range[1]

    def repeat(self, c, low, high, done, began, p, rest, run):
        if done >= low:
            run(rest, p)
        if done < high and not (done >= max(low, 1) and began == p):
            run((c, (("again", c, low, high, done + 1, p), rest)), p)

    def run_group(self, c, p, rest, run):
        """The constituents of which 5.13 says: as in 5.5. False: another one."""
        if c[0] == "chain":
            run(chained(c[1], rest), p)
        elif c[0] == "repeat" and c[2] == "?":
            run(rest, p)
            run((c[1], rest), p)
        elif c[0] == "repeat":
            self.repeat(c[1], *WILDCARDS[c[2]], 0, None, p, rest, run)
        elif c[0] == "again":
            self.repeat(*c[1:], p, rest, run)
        else:
            return False
        return True


# ---- path -----------------------------------------------------------------------------------------------------------------------

VALUES = {"{positionid % 5}": lambda g, p: p % 5, "{0 - positionid}": lambda g, p: -p,
          "{pathcount * 2 - ply}": lambda g, p: 2 * g.searches[-1].count - g.tree.ply[p]}
FOCUS = {"K": "K", "k": "k", "A": "K", "(K|k)": "Kk", "R": ""}


class Path(Sequence):
    def __init__(self, rnd, make, level=0):
        self.flags, self.focus, self.max = set(), None, None
        self.choose_range(rnd)
        r = rnd.random()
        if r < 0.1:
            self.flags.add("primary")
        elif r < 0.25:
            self.focus = rnd.choice(sorted(FOCUS))
        elif r < 0.32:
            self.flags.add("singlecolor")
        self.choose(rnd, "nestban", 0.12)
        self.choose(rnd, "firstmatch", 0.15)
        self.choose(rnd, "quiet", 0.5)
        if rnd.random() < 0.2:
            self.max = rnd.choice(sorted(VALUES))
        self.constituents = self.random_list(rnd, make, level)

    def random_list(self, rnd, make, level):
        made = [self.random_constituent(rnd, make, level) for _ in range(rnd.choice([1, 1, 2, 2, 3]))]
        for i, c in enumerate(made[:-1]):  # what follows a move without wildcard would be one of its targets
            follower = made[i + 1][1] if made[i + 1][0] == "repeat" else made[i + 1]
            if c[0] == "dash" and follower[0] != "dash":
                made[i] = ("repeat", c, "{1}")
        return made

    def random_constituent(self, rnd, make, level):
        r = rnd.random()
        if r < 0.25:
            return ("filter", random_filter(rnd, make, level))
        if r < 0.75 or level >= 2:
            sides = rnd.choice([("", "")] * 6 + [("e1", ""), ("e8", ""), ("", "e1"), ("", "e8")])
            c = ("dash", *sides, [random_filter(rnd, make, level) for _ in range(rnd.choice([0, 0, 0, 1, 1, 2]))])
        else:
            c = ("chain", self.random_list(rnd, make, level + 1))
        return c if rnd.random() < 0.45 else ("repeat", c, rnd.choice(sorted(WILDCARDS)))

    def text(self, lastposition=False):
        words = ["path"] + self.words() + (["lastposition"] if lastposition else [])
        words += ["max " + self.max] if self.max else []
        words += ["focus " + self.focus] if self.focus else []
        return " ".join(words + [self.constituent_text(c) for c in self.constituents])

    def constituent_text(self, c):
        if c[0] == "filter":
            return filter_text(c[1])
        if c[0] == "dash":
            return " ".join([c[1] + "--" + c[2]] + [filter_text(f) for f in c[3]])
        if c[0] == "chain":
            return "(%s)" % " ".join(map(self.constituent_text, c[1]))
        return "%s %s" % (self.constituent_text(c[1]), c[2])

    def candidates(self, tree, tracked, start, p):
        if tracked is None:
            return tree.children[p]
        if mover(tree, p)[0] in tracked:
            return tree.children[p]
        if p == start:
            return []
        return [m for child in tree.children[p] for m in self.candidates(tree, tracked, start, child)]

    def match(self, game, start):
        tree, search, marks = game.tree, Search(start), game.marks.setdefault(id(self), set())
        if "nestban" in self.flags and start in marks:
            return None
        tracked = FOCUS[self.focus] if self.focus else mover(tree, start)[0] if "singlecolor" in self.flags else None
        atomic = game.counter["y"]
        game.searches.append(search)

        def offer(p):
            value = VALUES[self.max](game, p) if self.max else search.count
            if search.best is None or value > search.best[0]:
                search.best = (value, p, search.count, game.counter["y"])

        def run(rest, p):
            game.step()
            if rest is None:
                if p != start:
                    offer(p)
                return
            if "firstmatch" in self.flags and search.best is not None:
                return
            c, rest = rest
            if c[0] == "filter":
                if holds(game, c[1], p):
                    run(rest, p)
            elif not self.run_group(c, p, rest, run):
                take_moves(c, p, rest)

        def take_moves(dash, p, rest):
            for move in self.candidates(tree, tracked, start, p):
                square = mover(tree, tree.parent[move])[1]
                if any(side not in ("", square) for side in dash[1:3]) or "primary" in self.flags and tree.index[move] > 0:
                    continue
                saved = game.counter["y"]
                search.count += 1
                if all(holds(game, f, move) for f in dash[3]):
                    run(rest, move)
                search.count -= 1
                game.counter["y"] = saved

        run(chained(self.constituents, None), start)
        game.searches.pop()
        game.counter["y"] = atomic
        if search.best is None or not self.in_range(search.best[0]):
            return None
        value, end, count, game.counter["y"] = search.best
        game.status = "%d,%d,%d" % (start, end, count)
        while "nestban" in self.flags and end != start:
            end = tree.parent[end]
            marks.add(end)
        return search.best[:2]


# ---- line -----------------------------------------------------------------------------------------------------------------------

class Line(Sequence):
    def __init__(self, rnd, make):
        self.flags, self.backward = set(), rnd.random() < 0.25
        self.choose_range(rnd)
        if not self.backward:
            self.flags.update(rnd.choice([[]] * 6 + [["primary"], ["secondary"]]))
            self.choose(rnd, "nestban", 0.15)
        self.choose(rnd, "singlecolor", 0.2)
        self.choose(rnd, "firstmatch", 0.15)
        self.choose(rnd, "quiet", 0.5)
        self.constituents = [self.random_constituent(rnd, make, 0) for _ in range(rnd.choice([1, 2, 2, 3]))]

    def random_constituent(self, rnd, make, level):
        if rnd.random() < 0.72 or level >= 2:
            f = random_filter(rnd, make)
            if not self.backward and rnd.random() < 0.4:
                f = ("move", rnd.choice(["e1", "e8", "."]), f if rnd.random() < 0.5 else None)
            c = ("filter", f)
        else:
            c = ("chain", [self.random_constituent(rnd, make, level + 1) for _ in range(rnd.choice([1, 2, 2]))])
        if rnd.random() < 0.5 or self.can_be_empty(c):
            return c
        return ("repeat", c, rnd.choice(sorted(set(WILDCARDS) - {"{0}"})))

    def can_be_empty(self, c):
        if c[0] == "chain":
            return all(map(self.can_be_empty, c[1]))
        if c[0] == "again":
            return c[4] >= c[2] or self.can_be_empty(c[1])
        return c[0] == "repeat" and (WILDCARDS[c[2]][0] == 0 or self.can_be_empty(c[1]))

    def all_can_be_empty(self, rest):
        while rest is not None and self.can_be_empty(rest[0]):
            rest = rest[1]
        return rest is None

    def text(self, lastposition=False):
        arrow = "<--" if self.backward else "-->"

        def constituent(c):
            if c[0] == "chain":
                return "(%s)" % (" %s " % arrow).join(map(constituent, c[1]))
            return filter_text(c[1]) if c[0] == "filter" else "%s %s" % (constituent(c[1]), c[2])

        words = ["line"] + self.words() + (["lastposition"] if lastposition else [])
        return " ".join(words + ["%s %s" % (arrow, constituent(c)) for c in self.constituents])

    def next_positions(self, tree, p):
        if self.backward:
            return [tree.parent[p]] if p > 0 else []
        children = tree.children[p]
        return children[:1] if "primary" in self.flags else children[1:] if "secondary" in self.flags else children

    def match(self, game, start):
        tree, search, marks = game.tree, Search(start), game.marks.setdefault(id(self), set())
        if "nestban" in self.flags and start in marks:
            return None

        def skipped(p):
            return "singlecolor" in self.flags and (tree.ply[p] - tree.ply[start]) % 2 == 1

        def done():
            return "firstmatch" in self.flags and search.best is not None

        def offer(rest, p):
            if self.all_can_be_empty(rest) and not skipped(p):
                if search.best is None or abs(tree.ply[p] - tree.ply[start]) > abs(tree.ply[search.best] - tree.ply[start]):
                    search.best = p

        def run(rest, p):
            game.step()
            if rest is None or done():
                return
            if skipped(p):
                for q in self.next_positions(tree, p):
                    run(rest, q)
                return
            c, after = rest
            if c[0] == "filter" and c[1][0] == "move":
                linked_step(c[1], after, p)
            elif c[0] == "filter":
                step(c[1], after, p)
            else:
                self.run_group(c, p, after, run)

        def step(f, rest, p):
            if not holds(game, f, p):
                return
            offer(rest, p)
            for q in self.next_positions(tree, p) if rest is not None else []:
                run(rest, q)

        def linked_step(f, rest, p):
            if not tree.children[p] and holds(game, f, p, -1):
                offer(rest, p)
            for child in self.next_positions(tree, p):
                if not done() and holds(game, f, p, child):
                    offer(rest, p)
                    run(rest, child)

        run(chained(self.constituents, None), start)
        if search.best is None:
            return None
        value = abs(tree.ply[search.best] - tree.ply[start]) + 1
        value = (value + 1) // 2 if "singlecolor" in self.flags else value
        if not self.in_range(value):
            return None
        p = search.best
        while "nestban" in self.flags and p != tree.parent[start]:
            marks.update(() if skipped(p) else (p,))
            p = tree.parent[p]
        return value, search.best


# ---- comparing ------------------------------------------------------------------------------------------------------------------

class Game:
    """The state of an evaluation of a game."""

    def __init__(self, tree):
        self.tree, self.counter, self.marks, self.searches = tree, {"x": 0, "y": 0}, {}, []
        self.status, self.left = "none", BUDGET

    def step(self):
        self.left -= 1
        if self.left < 0:
            raise TooLong


def answers(sequence, trees, kind):
    """What the query prints."""
    lines = []
    for number, tree in enumerate(trees, 1):
        game, hits = Game(tree), []
        for p in range(len(tree.children)):
            found = sequence.match(game, p)
            hits += [str(p)] if found else []
            if kind != "condition":
                value = "<false>" if found is None else str(found[kind == "lastposition"])
                lines.append("%d %s %d %d %s" % (p, value, game.counter["x"], game.counter["y"], game.status))
        if hits and kind == "condition":
            lines.append("%d: %s" % (number, " ".join(hits)))
    return "".join(line + "\n" for line in lines)


def query_text(sequence, kind):
    begin = "cql(variations)\nif initial {xcount=0 atomic ycount=0}\n"
    if kind == "condition":
        return begin + sequence.text() + "\n"
    value = "{%s}" % sequence.text() if kind == "value" else "{%s}:positionid" % sequence.text(True)
    status = 'if pathstart then str(pathstart:positionid "," pathlastposition:positionid "," pathcount) else "none"'
    return begin + 'message quiet(positionid " " {%s} " " xcount " " ycount " " {%s})\n' % (value, status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cqlgen")
    parser.add_argument("folder")
    parser.add_argument("--engine", default="interp")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries", type=int, default=100)
    options = parser.parse_args()
    sys.setrecursionlimit(20000)
    rnd = random.Random(options.seed)
    stem = os.path.join(options.folder, "sequences-%d" % options.seed)
    passed = failed = 0
    for number in range(options.queries):
        is_path = rnd.random() < 0.6
        make = argparse.Namespace(path=is_path, effects=rnd.random() < 0.6, nested=is_path and rnd.random() < 0.3)
        trees = [Tree(rnd) for _ in range(3)]
        sequence = (Path if is_path else Line)(rnd, make)
        kind = rnd.choice(["value", "value", "condition", "lastposition"])
        try:
            want = answers(sequence, trees, kind)
        except TooLong:
            continue
        text = query_text(sequence, kind)
        for ending, content in ((".cql", text), (".pgn", "".join(tree.pgn() for tree in trees))):
            with open(stem + ending, "w") as f:
                f.write(content)
        command = [options.cqlgen, "search", "-q", "--engine", options.engine, "-j", "1", "--no-cache", stem + ".cql", stem + ".pgn",
                   "-f", "positions" if kind == "condition" else "none"]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=300)
        if result.returncode == 0 and result.stdout == want:
            passed += 1
        else:
            failed += 1
            print("seed %d, query %d: status %d %s\n%s" % (options.seed, number, result.returncode, result.stderr, text))
            got = result.stdout.splitlines() + [""] * len(want)
            print(next(("  `%s`, not `%s`" % pair for pair in zip(got, want.splitlines()) if pair[0] != pair[1]), "  too much"))
    print("%d passed, %d failed" % (passed, failed))


main()
