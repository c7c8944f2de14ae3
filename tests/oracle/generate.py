"""Random queries: each a tree of filters with its text. Operands are put in braces, so that the text does not depend on the
levels of operators."""
import transforms
from board import ALL, DIAGONAL, DIRECTIONS, STRAIGHT
from filters import LOGICAL, NUMBER, POSITION, SET, STRING, Filter
from transforms import MAPS

GROUPS = {name: [d] for name, d in DIRECTIONS.items()}
GROUPS.update(vertical=[(0, 1), (0, -1)], horizontal=[(1, 0), (-1, 0)], maindiagonal=[(1, 1), (-1, -1)],
              offdiagonal=[(1, -1), (-1, 1)], orthogonal=STRAIGHT, diagonal=DIAGONAL, anydirection=STRAIGHT + DIAGONAL)
COUNT = (-(1 << 40), 1 << 40)


class Generator:
    def __init__(self, random, comments=False):
        self.random = random
        self.comments = comments  # conditions make comments, too
        self.silent = 0           # sets and the like around: no comments
        self.names = 0          # given so far
        self.squares = []       # loop variables that may be read here
        self.positions = []     # variables of `echo` that may be read here
        self.transforms = 0     # transforms around
        self.plain = False      # under rotate45: no designators with squares, no shades
        self.heavy = 2          # searches and loops that may still be nested
        self.paths = 0          # paths around
        self.lines = 0          # lines around: `move` would be tied to their next move

    # ---- parts

    def choose(self, *options):
        return self.random.choice(options)

    def pick(self, makers, depth):
        return self.random.choice(makers)(depth)

    def name(self):
        self.names += 1
        return "name%d" % self.names

    def designator(self, depth=0):
        pieces = self.choose("K", "k", "Q", "q", "R", "r", "B", "b", "N", "n", "P", "p", "A", "a", "A", "a", "_", "Aa", "RQ", "nb", "Pp", "Kk")
        text = pieces if len(pieces) == 1 else "[%s]" % pieces
        squares, where = ALL, ""
        if not self.plain and self.random.random() < 0.5:
            files = sorted(self.random.choices("abcdefgh", k=2))
            ranks = sorted(self.random.choices("12345678", k=2))
            where = files[0] + ("" if files[0] == files[1] else "-" + files[1]) + ranks[0] + \
                ("" if ranks[0] == ranks[1] else "-" + ranks[1])
            squares = sum(1 << 8 * y + x for x in range(8) if files[0] <= "abcdefgh"[x] <= files[1]
                          for y in range(8) if ranks[0] <= "12345678"[y] <= ranks[1])
            if self.random.random() < 0.4:
                pieces, text = None, ""
        return Filter("designator", SET, text=text + where, pieces=pieces, squares=squares)

    def bounds(self):
        low = self.random.randint(0, 3)
        return self.choose(("", None), (" count", COUNT), (" %d" % low, (low, low)), (" %d %d" % (low, low + 2), (low, low + 2)))

    def inside(self, maker, *arguments):
        """A part in which one search less may be nested."""
        self.heavy -= 1
        try:
            return maker(*arguments)
        finally:
            self.heavy += 1

    # ---- sets

    def without_comments(self, maker, *arguments):
        self.silent += 1
        try:
            return maker(*arguments)
        finally:
            self.silent -= 1

    def set(self, depth):
        return self.without_comments(self._set, depth)

    def _set(self, depth):
        if depth <= 0:
            return self.pick([self.designator] * 6 + [self.simple_set], depth)
        makers = [self.designator, self.simple_set, self.two_sets, self.two_sets, self.arrows, self.arrows, self.ray, self.pin,
                  self.between, self.direction, self.direction, self.shade, self.complement, self.makesquare, self.legal,
                  self.same_squares, self.move_set]
        makers += [lambda d: self.general(SET, d)] * 3
        if self.heavy > 0:
            makers.append(self.loop)
        return self.pick(makers, depth)

    def simple_set(self, depth):
        if self.squares and self.random.random() < 0.6:
            name = self.choose(*self.squares)
            return Filter("name", SET, text=name, name=name)
        word = self.choose(".", "[]", "connectedpawns", "isolatedpawns", "doubledpawns", "passedpawns", "from", "to", "enpassantsquare")
        operation = {".": "all", "[]": "empty"}.get(word, word)
        if operation in ("isolatedpawns", "doubledpawns", "passedpawns", "connectedpawns"):
            return Filter("notransform", SET, [Filter(operation, SET)], text=word)
        return Filter(operation, SET, text=word)

    def two_sets(self, depth):
        sign = self.choose("&", "|", "attacks", "attackedby", "->", "<-")
        a, b = self.set(depth - 1), self.set(depth - 1)
        return Filter(sign, SET, [a, b], "{%s %s %s}" % (a.text, sign, b.text))

    def arrows(self, depth):
        sign = self.choose("->", "<-")
        operands = [self.set(depth - 1) for _ in range(self.random.randint(3, 4))]
        return Filter(sign, SET, operands, "{%s}" % (" %s " % sign).join(o.text for o in operands))

    def ray(self, depth):
        operands = [self.set(depth - 1) for _ in range(self.random.randint(2, 3))]
        inner = "(%s)" % " ".join(o.text for o in operands)
        form = self.random.randrange(3)
        if form == 0:
            return Filter("ray", SET, operands, "{ray%s}" % inner, directions=STRAIGHT + DIAGONAL, slider=False)
        if form == 1:
            word = self.choose("xray", "ray attack")
            return Filter("ray", SET, operands, "{%s%s}" % (word, inner), directions=STRAIGHT + DIAGONAL, slider=True)
        words = self.random.sample(sorted(DIRECTIONS), self.random.randint(1, 3)) if self.random.random() < 0.6 else [self.choose(*sorted(GROUPS))]
        directions = [d for w in words for d in GROUPS[w]]
        return Filter("ray", SET, operands, "{ray %s %s}" % (" ".join(words), inner), directions=directions, slider=False)

    def pin(self, depth):
        words = self.random.sample(["from", "through", "to"], self.random.randint(0, 3))
        operands = [self.set(depth - 1) for _ in words]
        text = "{pin%s}" % "".join(" %s %s" % (w, o.text) for w, o in zip(words, operands))
        return Filter("pin", SET, operands, text, words=words)

    def between(self, depth):
        a, b = self.set(depth - 1), self.set(depth - 1)
        return Filter("between", SET, [a, b], "{between(%s %s)}" % (a.text, b.text))

    def direction(self, depth):
        word = self.choose(*sorted(GROUPS))
        low, high = sorted((self.random.randint(-3, 4), self.random.randint(-3, 4)))
        a = self.set(depth - 1)
        form = self.random.randrange(3)
        if form == 0:
            low, high, numbers = 1, 7, ""
        elif form == 1:
            high, numbers = low, " %d" % low
        else:
            high = max(high, 0)  # a number before a minus sign is not part of a range
            numbers = " %d %d" % (low, high)
        return Filter("direction", SET, [a], "{%s%s {%s}}" % (word, numbers, a.text), directions=GROUPS[word], low=low, high=high)

    def shade(self, depth):
        if self.plain:
            return self.designator()
        light, a = self.random.random() < 0.5, self.set(depth - 1)
        return Filter("shade", SET, [a], "{%s %s}" % ("light" if light else "dark", a.text), light=light)

    def complement(self, depth):
        a = self.set(depth - 1)
        return Filter("~", SET, [a], "{~%s}" % a.text)

    def makesquare(self, depth):
        a, b = self.number(depth - 1), self.number(depth - 1)
        return Filter("makesquare", SET, [a, b], "{makesquare({%s} {%s})}" % (spaced(a), spaced(b)))

    def same_squares(self, depth):
        a, b = self.position(depth - 1), self.position(depth - 1)
        f = Filter("same squares", SET, [a, b], "{%s & %s}" % (a.text, b.text))
        return Filter("&", SET, [f, Filter("all", SET)], "{. & %s}" % f.text)  # alone it is not a condition

    def loop(self, depth):
        return self.inside(self._loop, depth, "")

    def _loop(self, depth, word):
        name, domain = self.name(), self.set(depth - 1)
        self.squares.append(name)
        body = self.condition(depth - 1)
        self.squares.remove(name)
        operation, type_ = ("all loop", LOGICAL) if word else ("set loop", SET)
        return Filter(operation, type_, [domain, body], "{square %s%s in %s %s}" % (word, name, domain.text, body.text), name=name)

    # ---- moves

    def sides(self, depth):
        """Left and right of a dash, with their texts."""
        operands = [self.set(depth - 1) if self.random.random() < 0.6 else None for _ in range(2)]
        return operands, ["" if o is None else o.text if o.text[0] not in ".[~#" and o.operation != "name" else "{%s}" % o.text for o in operands]

    def dash_parts(self, depth, type_):
        """A dash without the braces around it: its text ends where nothing may touch it."""
        operands, (left, right) = self.sides(depth)
        captures = self.random.random() < 0.3
        promotion, equals = None, ""
        if self.random.random() < 0.1:
            promotion = self.choose("Q", "N", "QR", "A")
            equals = "=%s" % ("[%s]" % promotion if len(promotion) > 1 else promotion)
        target = []
        if type_ is None and self.random.random() < 0.6 or type_ is not None:
            target = [self.condition(depth - 1) for _ in range(self.random.randint(0, 1))]
            target.append(self.condition(depth - 1) if type_ is None else self.of_type(type_, depth - 1))
        if not target:
            final = LOGICAL
        else:
            final = target[-1].type
        head = "%s%s%s%s" % (left, "[x]" if captures else "--", right, equals)
        inner = "(%s)" % " ".join(spaced(o) for o in target) if target else " "
        return Filter("dash", final, operands + target, head + inner, captures=captures, promotion=promotion, text_of_head=len(head))

    def dash(self, depth, type_=None):
        f = self.dash_parts(depth, type_)
        form = self.random.random()
        if form < 0.3:
            word = self.choose("currentmove", "previous")
            return Filter("currentmove", f.type, [f], "{%s {%s}}" % (word, f.text))
        f.text = "{%s}" % f.text
        return f

    def countmoves(self, depth):
        if self.random.random() < 0.4:
            f = self.legal_parts(depth)
            return Filter("countmoves legal", NUMBER, f.operands, "{countmoves %s}" % f.text, **f.constants)
        f = self.dash_parts(depth, None)
        return Filter("countmoves", NUMBER, [f], "{countmoves {%s}}" % f.text)

    def legal_parts(self, depth):
        operands, (left, right) = self.sides(depth)
        pseudo = self.random.random() < 0.3
        target = self.choose(None, None, None, "o-o", "o-o-o", "castle", "enpassant")
        text = "%s %s--%s%s" % ("pseudolegal" if pseudo else "legal", left, right, "(%s)" % target if target else " ")
        return Filter("legal", SET, operands, text, pseudo=pseudo, target=target)

    def legal(self, depth):
        f = self.legal_parts(depth)
        f.text = "{%s}" % f.text
        return f

    def move(self, depth, first=None):
        if self.lines:
            return self.dash(depth, SET if first else LOGICAL)
        words = ["from", "to", "capture", "enpassantsquare", "promote", "enpassant", "castle", "o-o", "o-o-o", "null", "primary",
                 "secondary", "previous"]
        chosen = self.random.sample(words, self.random.randint(0, 2))
        if first:
            chosen = [first] + [w for w in chosen if w != first]
        elif chosen and chosen[0] in ("from", "to", "capture"):
            chosen.insert(0, self.choose("primary", "secondary"))
        if len(set(chosen) & {"castle", "o-o", "o-o-o"}) > 1 or len(set(chosen) & {"enpassant", "enpassantsquare", "null", "promote"}) > 1 \
                or len(set(chosen) & {"primary", "secondary"}) > 1 or len(set(chosen)) < len(chosen):
            return self.move(depth, first)
        operands, text, promotion = [], "move", None
        for word in chosen:
            text += " " + word
            if word in ("from", "to", "capture", "enpassantsquare"):
                operands.append(self.set(depth - 1))
                text += " {%s}" % operands[-1].text
            elif word == "promote":
                promotion = self.choose("Q", "N", "A")
                text += " " + promotion
        type_ = SET if first else LOGICAL
        return Filter("move", type_, operands, "{%s}" % text, words=chosen, promotion=promotion, first=first,
                      with_sets=[w for w in chosen if w in ("from", "to", "capture", "enpassantsquare")])

    def move_set(self, depth):
        return self.move(depth, self.choose("from", "to", "capture"))

    # ---- numbers

    def number(self, depth):
        f = self.plain_number(depth)
        return self.commented(f) if self.comments and not self.silent and self.random.random() < 0.4 else f

    def plain_number(self, depth):
        simple = [self.literal, self.literal, self.tree_number]
        if depth <= 0:
            return self.pick(simple, depth)
        if self.paths and self.random.random() < 0.3:
            return Filter("pathcount", NUMBER, text="pathcount")
        makers = simple + [self.size, self.size, self.of_square, self.arithmetic, self.extreme, self.distance, self.countmoves,
                           self.counted_transform, self.comparison, lambda d: self.general(NUMBER, d), self.power]
        if self.heavy > 0:
            makers += [self.find_all, self.path, self.line]
        return self.pick(makers, depth)

    def literal(self, depth):
        number = self.random.randint(-2, 9)
        return Filter("number", NUMBER, text=str(number) if number >= 0 else "(%d)" % number, number=number)

    def tree_number(self, depth):
        word = self.choose("ply", "depth", "positionid", "movenumber", "sidetomove")
        return Filter(word, NUMBER, text=word)

    def size(self, depth):
        a = self.set(depth - 1)
        return Filter("#", NUMBER, [a], "{#%s}" % a.text)

    def power(self, depth):
        a = self.set(depth - 1)
        return Filter("power", NUMBER, [a], "{power %s}" % a.text)

    def of_square(self, depth):
        word, a = self.choose("file", "rank", "type", "colortype"), self.set(depth - 1)
        return Filter(word, NUMBER, [a], "{%s %s}" % (word, a.text))

    def arithmetic(self, depth):
        sign = self.choose("+", "-", "*", "/", "%")
        a, b = self.number(depth - 1), self.number(depth - 1)
        return Filter(sign, NUMBER, [a, b], "{%s %s %s}" % (a.text, sign, b.text))

    def extreme(self, depth):
        word = self.choose("max", "min")
        if self.transforms:  # the reference shares the arguments between variants
            return self.size(depth)
        operands = [self.number(depth - 1) for _ in range(self.random.randint(2, 3))]
        return Filter(word, NUMBER, operands, "{%s(%s)}" % (word, " ".join("{%s}" % spaced(o) for o in operands)))

    def distance(self, depth):
        a, b = self.position(depth - 1), self.position(depth - 1)
        return Filter("distance", NUMBER, [a, b], "{distance(%s %s)}" % (a.text, b.text))

    def comparison(self, depth):
        relation = self.choose("<", ">", "<=", ">=", "==")
        kinds = self.choose((self.number, self.number), (self.set, self.number), (self.number, self.set))
        a, b = kinds[0](depth - 1), kinds[1](depth - 1)
        return Filter("compare", NUMBER, [a, b], "{%s %s %s}" % (a.text, relation, b.text), relation=relation)

    def find_all(self, depth):
        return self.inside(self._find_all, depth)

    def _find_all(self, depth):
        words, (low, high) = self.choose((" all", (1, 1 << 40)), (" count", COUNT), (" 2", (2, 2)), (" 0 1", (0, 1)))
        backwards = self.random.random() < 0.4
        body = self.condition(depth - 1)
        text = "{find%s%s {%s}}" % (" <--" if backwards else "", words, body.text)
        return Filter("find all", NUMBER, [body], text, backwards=backwards, low=low, high=high)

    # ---- paths and lines

    def path(self, depth, last_position=False):
        self.paths += 1
        f = self.inside(self._path, depth, last_position)
        self.paths -= 1
        return f

    def _path(self, depth, last_position):
        focus = maximum = bounds = None
        words, skips = [], self.random.random()
        capture = singlecolor = primary = False
        if skips < 0.3:
            focus, capture = self.set(depth - 1), self.random.random() < 0.3
            words.append("focus %s{%s}" % ("capture " if capture else "", focus.text))
        elif skips < 0.45:
            singlecolor = True
            words.append("singlecolor")
        elif skips < 0.55:
            primary = True
            words.append("primary")
        if self.random.random() < 0.2:
            maximum = self.number(depth - 1)
            words.append("max {%s}" % spaced(maximum))
        firstmatch = self.random.random() < 0.15
        words += ["firstmatch"] * firstmatch + ["lastposition"] * last_position
        self.random.shuffle(words)
        if self.random.random() < 0.2:
            text, bounds = self.choose((" 2", (2, 2)), (" 1 3", (1, 3)), (" count", (-100000, 100000)))
            words.insert(0, text.strip())
        chain, text = self.path_chain(depth, 3, True)
        f = Filter("path", POSITION if last_position else NUMBER, [focus, maximum] + chain, "{path %s %s}" % (" ".join(words), text),
                   capture=capture, singlecolor=singlecolor, primary=primary, firstmatch=firstmatch, lastposition=last_position,
                   bounds=bounds)
        return f

    def likely(self, depth):
        """A condition, more often than not one that holds in many positions."""
        form = self.random.randrange(6)
        if form == 0:
            return self.condition(depth)
        if form == 1:
            return Filter("true", LOGICAL, text="true")
        if form == 2:
            white = self.random.random() < 0.5
            return Filter("wtm", LOGICAL, text="wtm" if white else "btm", white=white)
        if form == 3:
            word = self.choose("check", "initial", "primary", "secondary", "nullmove", "castle")
            return Filter("not", LOGICAL, [Filter(word, LOGICAL)], "{not %s}" % word)
        a, b = self.designator(), self.designator()
        if form == 4:
            return Filter("|", SET, [a, b], "{%s | %s}" % (a.text, b.text))
        number = self.random.randint(1, 12)
        f = Filter("compare", NUMBER, [a, Filter("number", NUMBER, number=number)], "{%s < %d}" % (a.text, number), relation="<")
        return f

    def root(self, depth):
        """A query's only filter. Paths and lines are compared with a number, so that their values are seen."""
        maker = self.choose(self.condition, self.condition, self.path, self.line)
        f = maker(depth)
        while self.comments and "comment" not in f.text:
            f = maker(depth)
        if f.type != NUMBER or self.random.random() < 0.4:
            return f
        relation, number = self.choose("==", ">=", "<="), self.random.randint(1, 4)
        return Filter("compare", NUMBER, [f, Filter("number", NUMBER, number=number)], "{%s %s %d}" % (f.text, relation, number), relation=relation)

    def wildcard(self, plain):
        """A wildcard with its text; without one a number of repetitions that is small."""
        if plain:
            return self.choose(("?", (0, 1)), ("{2}", (2, 2)), ("{1}", (1, 1)), ("{,2}", (0, 2)))
        return self.choose(("*", (0, 100000)), ("+", (1, 100000)), ("{+}", (1, 100000)), ("{1,3}", (1, 3)), ("{2,}", (2, 100000)), ("?", (0, 1)))

    def path_chain(self, depth, most, repeats):
        """Constituents with their text. After a dash without a wildcard, anything but a dash would be its target."""
        parts, texts, open_dash = [], [], False
        for _ in range(self.random.randint(1, most)):
            form = self.random.random()
            if form < 0.15 and not open_dash:
                operand = self.likely(depth - 2)
                parts.append(Filter("filter", LOGICAL, [operand], wildcard=None))
                texts.append("{true %s}" % spaced(operand))
                continue
            if form < 0.35 and not open_dash and most > 1:
                wildcard = ("", None) if self.random.random() < 0.3 else self.wildcard(not repeats)
                inner, text = self.path_chain(depth, most - 1, repeats and wildcard[1] is None)
                parts.append(Filter("chain", LOGICAL, inner, wildcard=wildcard[1]))
                texts.append("(%s)%s" % (text, wildcard[0]))
                continue
            dash = self.dash_parts(depth - 1, LOGICAL) if self.random.random() < 0.5 else self.bare_dash()
            wildcard = ("", None) if self.random.random() < 0.5 else self.wildcard(not repeats)
            open_dash = wildcard[1] is None
            parts.append(dash.with_operands(dash.operands, wildcard=wildcard[1]))
            texts.append(self.constituent(dash) + (" " + wildcard[0] if wildcard[0] else ""))
        return parts, " ".join(texts)

    def bare_dash(self):
        captures = self.random.random() < 0.2
        side = self.designator() if self.random.random() < 0.3 else None
        text = "%s%s " % ("" if side is None else "{%s}" % side.text, "[x]" if captures else "--")
        return Filter("dash", LOGICAL, [side, None], text, captures=captures, promotion=None)

    def constituent(self, dash):
        """The text of a dash as a constituent: targets without parentheses, each in braces that hold more than a move."""
        head = dash.text if len(dash.operands) == 2 else dash.text[:dash.text_of_head]
        return " ".join([head] + ["{true %s}" % spaced(o) for o in dash.operands[2:]])

    def line(self, depth, last_position=False):
        self.lines += 1
        f = self.inside(self._line, depth, last_position)
        self.lines -= 1
        return f

    def _line(self, depth, last_position):
        arrow = self.choose("-->", "-->", "<--")
        words = ["firstmatch"] if self.random.random() < 0.15 else []
        firstmatch, branches, bounds = bool(words), None, None
        singlecolor = self.random.random() < 0.2
        words += ["singlecolor"] * singlecolor + ["lastposition"] * last_position
        if arrow == "-->" and self.random.random() < 0.2:
            branches = self.choose("primary", "secondary")
            words.append(branches)
        self.random.shuffle(words)
        if self.random.random() < 0.2:
            text, bounds = self.choose(("2", (2, 2)), ("1 3", (1, 3)))
            words.append(text)
        parts, text = self.line_chain(depth, 3, arrow, True)
        return Filter("line", POSITION if last_position else NUMBER, parts, "{line %s %s %s}" % (" ".join(words), arrow, text),
                      firstmatch=firstmatch, singlecolor=singlecolor, branches=branches, bounds=bounds, backwards=arrow == "<--",
                      lastposition=last_position)

    def line_chain(self, depth, most, arrow, repeats):
        parts, texts = [], []
        for _ in range(self.random.randint(1, most)):
            wildcard = ("", None) if self.random.random() < 0.5 else self.choose(
                ("{+}", (1, 100000)), ("{*}", (0, 100000)), ("?", (0, 1)), ("{1,3}", (1, 3))) if repeats else ("{2}", (2, 2))
            if self.random.random() < 0.2 and most > 1:
                inner, text = self.line_chain(depth, most - 1, arrow, repeats and wildcard[1] is None)
                if all(c.wildcard and c.wildcard[0] == 0 for c in inner):
                    wildcard = ("", None)  # what can be nothing takes no wildcard
                parts.append(Filter("chain", LOGICAL, inner, wildcard=wildcard[1]))
                texts.append("(%s)%s" % (text, wildcard[0]))
            else:
                operand = self.likely(depth - 2)
                parts.append(Filter("filter", LOGICAL, [operand], wildcard=wildcard[1]))
                texts.append("{true %s}%s" % (spaced(operand), wildcard[0]))
        return parts, (" %s " % arrow).join(texts)

    # ---- positions and strings

    def position(self, depth):
        if depth <= 0 or self.random.random() < 0.4:
            if self.positions and self.random.random() < 0.6:
                name = self.choose(*self.positions)
                return Filter("name", POSITION, text=name, name=name)
            word = self.choose("currentposition", "parent", "parent", "child", "child", "initialposition")
            return Filter(word, POSITION, text="{%s}" % word)
        makers = [self.child, self.numbered, self.lca, self.position_comparison, lambda d: self.general(POSITION, d)]
        if self.heavy > 0:
            makers += [self.find, lambda d: self.path(d, True), lambda d: self.line(d, True)]
        return self.pick(makers, depth)

    def child(self, depth):
        a = self.number(depth - 1) if self.random.random() < 0.5 else Filter("number", NUMBER, text="1", number=1)
        return Filter("child", POSITION, [a], "{child({%s})}" % spaced(a))

    def numbered(self, depth):
        a = self.number(depth - 1)
        return Filter("position", POSITION, [a], "{position {%s}}" % spaced(a))

    def lca(self, depth):
        a, b = self.position(depth - 1), self.position(depth - 1)
        return Filter("lca", POSITION, [a, b], "{lca(%s %s)}" % (a.text, b.text))

    def position_comparison(self, depth):
        relation = self.choose("==", "<", ">", "<=", ">=", "[<]", "[<=]", "[>]", "[>=]")
        a, b = self.position(depth - 1), self.position(depth - 1)
        return Filter("compare positions", POSITION, [a, b], "{%s %s %s}" % (a.text, relation, b.text), relation=relation)

    def find(self, depth):
        return self.inside(self._find, depth)

    def _find(self, depth):
        backwards, body = self.random.random() < 0.4, self.condition(depth - 1)
        return Filter("find", POSITION, [body], "{find%s {%s}}" % (" <--" if backwards else "", body.text), backwards=backwards)

    def string(self, depth):
        return self.without_comments(self._string, depth)

    def _string(self, depth):
        if self.random.random() < 0.3:
            return Filter("fen", STRING, text="fen")
        word, a = self.choose("piecename", "typename"), self.set(depth - 1)
        return Filter(word, STRING, [a], "{%s %s}" % (word, a.text))

    # ---- conditions

    def condition(self, depth):
        if not self.comments or self.silent:
            return self.plain_condition(depth)
        f = self.likely(depth) if self.random.random() < 0.4 else self.plain_condition(depth)
        return self.commented(f) if self.random.random() < 0.5 else f

    def commented(self, f):
        """With a comment that is made before the condition is tested, or, where that changes no type, after."""
        label = self.name()
        comment = Filter("comment", LOGICAL, text='comment("%s." positionid)' % label, label=label)
        operands = [f, comment] if f.type == LOGICAL and self.random.random() < 0.5 else [comment, f]
        return Filter("compound", f.type, operands, "{%s}" % " ".join(spaced(o) for o in operands))

    def plain_condition(self, depth):
        if depth <= 0:
            return self.pick([self.word, self.designator], depth)
        makers = [self.word, self.set, self.set, self.logical, self.logical, self.logical, self.comparison, self.comparison, self.transform,
                  self.position_comparison, self.string_comparison, self.unequal]
        if self.heavy > 0:
            makers += [self.find, self.find_all, self.path, self.path, self.line]
        return self.pick(makers, depth)

    def logical(self, depth):
        if depth <= 0:
            return self.word(depth)
        makers = [self.junction, self.junction, self.negation, self.set_relation, self.dash, self.dash, self.move, self.word,
                  self.relatives, self.equality, lambda d: self.general(LOGICAL, d)]
        if self.heavy > 0:
            makers += [lambda d: self.inside(self._loop, d, "all ")]
            if not self.squares:
                makers.append(self.echo)
        return self.pick(makers, depth)

    def word(self, depth):
        word = self.choose("wtm", "btm", "check", "mate", "stalemate", "initial", "terminal", "mainline", "variation", "virtualmainline",
                           "primary", "secondary", "nullmove", "castle", "o-o", "o-o-o", "enpassant", "true", "false", "try")
        if word in ("wtm", "btm"):
            return Filter("wtm", LOGICAL, text=word, white=word == "wtm")
        if word == "try":
            return Filter("notransform", NUMBER, [Filter("try", NUMBER)], text=word)
        return Filter(word, LOGICAL, text=word)

    def junction(self, depth):
        word = self.choose("and", "or")
        a, b = self.condition(depth - 1), self.condition(depth - 1)
        return Filter(word, LOGICAL, [a, b], "{%s %s %s}" % (a.text, word, b.text))

    def negation(self, depth):
        a = self.condition(depth - 1)
        return Filter("not", LOGICAL, [a], "{not %s}" % a.text)

    def set_relation(self, depth):
        sign = self.choose("==", "!=", "in")
        a, b = self.set(depth - 1), self.set(depth - 1)
        text = "{%s %s %s}" % (a.text, sign, b.text)
        return Filter("in", LOGICAL, [a, b], text) if sign == "in" else Filter("same set", LOGICAL, [a, b], text, same=sign == "==")

    def unequal(self, depth):
        a, b = self.number(depth - 1), self.choose(self.number, self.set)(depth - 1)
        return Filter("!=", LOGICAL, [a, b], "{%s != %s}" % (a.text, b.text))

    def string_comparison(self, depth):
        relation = self.choose("<", ">=", "==")
        a, b = self.string(depth), self.string(depth)
        if a.operation == "fen":
            where = self.choose("parent", "child")
            b = Filter(":", STRING, [Filter(where, POSITION), b], "{%s:%s}" % (where, b.text))
        return Filter("compare", STRING, [a, b], "{{%s} %s {%s}}" % (a.text, relation, b.text), relation=relation)

    def relatives(self, depth):
        word = self.choose("ancestor", "descendant")
        a, b = self.position(depth - 1), self.position(depth - 1)
        return Filter(word, LOGICAL, [a, b], "{%s(%s %s)}" % (word, a.text, b.text))

    def equality(self, depth):
        maker = self.choose(self.position, self.number, self.set)
        a, b = maker(depth - 1), maker(depth - 1)
        return Filter("equal", LOGICAL, [a, b], "{equal({%s} {%s})}" % (spaced(a), spaced(b)))

    def echo(self, depth):
        return self.inside(self._echo, depth)

    def _echo(self, depth):
        source, target = self.name(), self.name()
        self.positions += [source, target]
        body = self.choose(self.condition, lambda d: self.without_comments(self.comparison, d))(depth - 1)
        self.positions = self.positions[:-2]
        in_all = self.random.random() < 0.3
        text = "{echo (%s %s)%s %s}" % (source, target, " in all" if in_all else "", body.text)
        type_ = NUMBER if body.type == NUMBER else LOGICAL
        return Filter("echo", type_, [body], text, source=source, target=target, in_all=in_all)

    # ---- filters of any type

    def of_type(self, type_, depth):
        return {SET: self.set, NUMBER: self.number, POSITION: self.position, LOGICAL: self.condition, STRING: self.string}[type_](depth)

    def general(self, type_, depth):
        form = self.random.choice(["compound", "if", ":", "dash", "transform", "notransform"])
        if form == "compound":
            operands = [self.condition(depth - 1), self.exactly(type_, depth - 1)]
            return Filter("compound", type_, operands, "{%s}" % " ".join(spaced(o) for o in operands))
        if form == "if":
            operands = [self.condition(depth - 1), self.exactly(type_, depth - 1), self.exactly(type_, depth - 1)]
            return Filter("if", type_, operands, "{if {%s} {%s} else {%s}}" % tuple(spaced(o) for o in operands))
        if form == ":":
            where, body = self.position(depth - 1), self.exactly(type_, depth - 1)
            return Filter(":", type_, [where, body], "{%s:{%s}}" % (where.text, spaced(body)))
        if form == "dash" and type_ != LOGICAL:
            return self.dash(depth, type_)
        if form == "transform" and type_ in (SET, NUMBER):
            return self.transform(depth, type_)
        operand = self.exactly(type_, depth - 1)
        return Filter("notransform", type_, [operand], "{notransform {%s}}" % spaced(operand))

    def exactly(self, type_, depth):
        """As of_type, but of that static type."""
        return self.logical(depth) if type_ == LOGICAL else self.of_type(type_, depth)

    def transform(self, depth, type_=None, bounds=("", None)):
        if self.transforms >= 2 or self.plain:
            return self.exactly(type_ or LOGICAL, depth - 1)
        words = [self.choose(*[w for w in MAPS if w != "shift" or not self.transforms])]
        if words[0] == "shift" and bounds[1] is None and self.random.random() < 0.6:
            words = ["shifthorizontal"]
        if words[0] == "reversecolor":
            bounds = ("", None)
        self.transforms += 1
        plain, self.plain = self.plain, self.plain or words[0] == "rotate45"
        operand = self.of_type(type_ or LOGICAL, depth - 1)
        self.plain = plain
        self.transforms -= 1
        maps = [(t,) for t in MAPS[words[0]]]
        own = bounds[1]
        text = "{%s%s {%s}}" % (words[0], bounds[0], spaced(operand))
        result = operand.type
        if own is None and operand.operation == "transform":  # they become one (§8.9)
            maps, own = [m + inner for m in maps for inner in operand.maps], operand.bounds
            operand = operand.operands[0]
        elif result in (STRING, POSITION):
            result = LOGICAL
        if own is not None:
            result = NUMBER
        return Filter("transform", result, [operand], text, maps=maps, bounds=own)

    def counted_transform(self, depth):
        bounds = self.bounds()
        f = self.transform(depth, None, bounds)
        return f if f.type == NUMBER else self.size(depth)


def spaced(f):
    """The text of a filter where `{3}` would be a repetition token."""
    return " %s " % f.text if f.operation == "number" else f.text
