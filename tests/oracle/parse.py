"""Reads queries for the oracle: a recursive descent over the grammar of the language reference (1 and 2.10), of which it knows what published
queries use. What it does not know raises Unknown; it accepts more than the language does, for it reads queries that are right.
"""
import re

import paths, sequels, transforms  # noqa: F401, E401 - their operations join those of filters
from board import ALL, DIAGONAL, DIRECTIONS, STRAIGHT
from filters import LOGICAL, NUMBER, POSITION, SET, STRING, Filter
from transforms import MAPS

GROUPS = {name: [d] for name, d in DIRECTIONS.items()}
GROUPS.update(vertical=[(0, 1), (0, -1)], horizontal=[(1, 0), (-1, 0)], maindiagonal=[(1, 1), (-1, -1)],
              offdiagonal=[(1, -1), (-1, 1)], orthogonal=STRAIGHT, diagonal=DIAGONAL, anydirection=STRAIGHT + DIAGONAL)
TRANSFORMS = dict(MAPS, dihedral=MAPS["flip"], flipdihedral=MAPS["flip"])
MANY = 100000

BLOCK = r"[a-h](?:-[a-h])?[1-8](?:-[1-8])?"
SQUARES = r"(?:%s|\[%s(?:,%s)*\])" % (BLOCK, BLOCK, BLOCK)
PIECES = r"(?:[KQRBNPkqrbnpAa_]|\[[KQRBNPkqrbnpAa_]+\])"
END = r"(?![A-Za-z0-9_$\]]|\[(?!x\]))"
TOKEN = re.compile(r"""
    (?P<space>\s+|//.*|/\*.*?\*/)
  | (?P<string>"[^"]*")
  | (?P<result>(?:1-0|0-1|1/2-1/2)(?![\w/-]))
  | (?P<repeat>\{(?:\d+(?:,\d*)?|,\d+)\})
  | (?P<designator>%s%s|%s%s%s|%s%s)
  | (?P<piece>\[Aa\](?=[A-Za-z_$]))
  | (?P<word>o-o-o(?![\w$])|o-o(?![\w$-])|[A-Za-z_$][\w$]*)
  | (?P<number>\d+)
  | (?P<sign>\[element\]|\[forall\]|-->|<--|\{\*\}|\{\+\}|->|<-|~~|<=|>=|==|!=|\+=|-=|\[<=\]|\[>=\]|\[<\]|\[>\]|\[x\]|--|\[\]|[-+*/%%=<>.(){}\[\]|&?:\#~,])
""" % (SQUARES, END, PIECES, SQUARES, END, PIECES, END), re.X | re.S)
SPELLINGS = {"――": "--", "×": "[x]", "→": "->", "←": "<-", "∪": "|", "∩": "&", "≤": "<=", "≥": ">=", "≠": "!=", "∊": "[element]",
             "∀": "[forall]", "▦": ".", "◭": "[Aa]", "⊢": " path ", "◎": " focus ", "∙": " currentposition ", "✵": " flip ", "⬓": " flipcolor "}
FIGURES = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟△▲□", "KQRBNPkqrbnpAa_"))

NUMBER_WORDS = {"ply", "movenumber", "depth", "positionid", "sidetomove", "pathcount", "gamenumber", "lastgamenumber", "year"}
POSITION_WORDS = {"currentposition", "initialposition", "parent"}
SET_WORDS = {"from", "to", "enpassantsquare"}
PAWN_WORDS = {"connectedpawns", "isolatedpawns", "doubledpawns", "passedpawns"}
LOGICAL_WORDS = {"check", "mate", "stalemate", "initial", "terminal", "mainline", "variation", "virtualmainline", "true", "false", "castle",
                 "o-o", "o-o-o", "enpassant", "nullmove", "primary", "secondary"}
TAG_WORDS = {"event": "Event", "site": "Site", "date": "Date", "eventdate": "EventDate", "eco": "ECO"}


class Unknown(Exception):
    """The parser does not know this."""


class Token:
    def __init__(self, kind, text, start, end):
        self.kind, self.text, self.start, self.end = kind, text, start, end


def tokens_of(text):
    text = re.sub("[%s]{2,}" % "".join(FIGURES), lambda m: "[%s]" % m.group(), text)
    for sign, ascii_ in {**SPELLINGS, **FIGURES}.items():
        text = text.replace(sign, ascii_)
    tokens, place = [], 0
    while place < len(text):
        found = TOKEN.match(text, place)
        if not found:
            raise Unknown("no token at `%s`" % text[place:place + 20])
        if found.lastgroup != "space":
            tokens.append(Token(found.lastgroup, found.group(), place, found.end()))
        place = found.end()
    return tokens + [Token("end", "", place + 1, place + 1)]


class Query:
    """A query's header and body."""

    def __init__(self, text):
        parser = Parser(text)
        self.variations = self.result = None
        self.matchcount = self.games = (-MANY, MANY)
        parser.header(self)
        self.body = parser.compound(lambda: parser.token.kind == "end")


class Parser:
    def __init__(self, text):
        self.tokens, self.place, self.names = tokens_of(text), 0, {}
        self.top_of_path = False

    # ---- tokens

    @property
    def token(self):
        return self.tokens[self.place]

    @property
    def next(self):
        return self.tokens[min(self.place + 1, len(self.tokens) - 1)]

    def fail(self, wanted):
        raise Unknown("%s expected, not `%s` (token %d)" % (wanted, self.token.text, self.place))

    def take(self):
        self.place += 1
        return self.tokens[self.place - 1].text

    def is_(self, *texts):
        return self.token.kind in ("sign", "word") and self.token.text in texts

    def accept(self, *texts):
        return self.take() if self.is_(*texts) else None

    def expect(self, text):
        return self.accept(text) or self.fail("`%s`" % text)

    def touches(self):
        """The token touches the one before it."""
        return self.place > 0 and self.tokens[self.place - 1].end == self.token.start

    def wildcard(self):
        """§1.12: reads a wildcard, (least, most), or None."""
        t, after = self.token, self.next
        if t.kind == "repeat":
            least, comma, most = re.fullmatch(r"\{(\d*)(,?)(\d*)\}", self.take()).groups()
            return int(least or 0), int(most) if most else MANY if comma else int(least)
        closing = after.kind in ("repeat", "end") or after.text in ("}", ")", "-->", "<--", "?", "{*}", "{+}")
        if t.kind == "sign" and (t.text in ("?", "{*}", "{+}") or (t.text in "+*" and (self.top_of_path or closing))):
            return {"?": (0, 1), "*": (0, MANY), "{*}": (0, MANY), "+": (1, MANY), "{+}": (1, MANY)}[self.take()]
        return None

    def at_wildcard(self):
        place = self.place
        found = self.wildcard()
        self.place = place
        return found is not None

    # ---- the header

    def constants(self):
        """One or two integers."""
        numbers = []
        while len(numbers) < 2 and (self.token.kind == "number" or (self.is_("-") and self.next.kind == "number")):
            sign = -1 if self.accept("-") else 1
            numbers.append(sign * int(self.take()))
        return (numbers[0], numbers[-1]) if numbers else None

    def header(self, query):
        self.expect("cql")
        self.expect("(")
        while not self.accept(")"):
            word = self.take()
            if word == "variations":
                query.variations = True
            elif word == "result":
                query.result = self.take()
            elif word == "matchcount":
                query.matchcount = self.constants()
            elif word == "gamenumber":
                query.games = self.constants()
            elif word not in ("quiet", "silent"):
                raise Unknown("parameter `%s`" % word)

    # ---- operators, from loosest to tightest (§2.7)

    def filter(self):
        left = self.and_x()
        while self.accept("or"):
            left = Filter("or", LOGICAL, [left, self.and_x()])
        return left

    def and_x(self):
        left = self.in_x()
        while self.accept("and"):
            left = Filter("and", LOGICAL, [left, self.in_x()])
        return left

    def in_x(self):
        left = self.relation()
        if left.type == SET and self.accept("in"):
            return Filter("in", LOGICAL, [left, self.move_x(SET)])
        if left.type == STRING and self.accept("in"):
            return Filter("substring", LOGICAL, [left, self.relation()])
        return left

    def relation(self):
        left = self.sum()
        if left.type == LOGICAL or not self.is_("<", ">", "<=", ">=", "==", "!=", "[<]", "[<=]", "[>]", "[>=]"):
            return left
        sign, right = self.take(), self.relation()
        if left.type == right.type == SET:
            return Filter("same set", LOGICAL, [left, right], same=sign == "==")
        if left.type == right.type == POSITION:
            f = Filter("compare positions", POSITION, [left, right], relation="==" if sign == "!=" else sign)
            return Filter("not", LOGICAL, [f]) if sign == "!=" else f
        if sign == "!=":
            return Filter("!=", LOGICAL, [left, right])
        return Filter("compare", STRING if left.type == STRING else NUMBER, [left, right], relation=sign)

    def sum(self):
        left = self.product()
        while left.type in (NUMBER, STRING) and self.is_("+", "-") and not self.at_wildcard():
            sign = self.take()
            left = Filter("concatenate" if left.type == STRING else sign, left.type, [left, self.product()])
        return left

    def product(self):
        left = self.move_x()
        while left.type == NUMBER and self.is_("*", "/", "%") and not self.at_wildcard():
            sign = self.take()
            left = Filter(sign, NUMBER, [left, self.move_x()])
        return left

    def move_x(self, wanted=None):
        left = self.arrows()
        if left.type == SET and self.tied_dash():
            left = self.dash(left)
        return self.typed(left, wanted)

    def typed(self, f, wanted):
        if wanted and f.type != wanted:
            raise Unknown("%s expected before `%s` (token %d)" % (wanted, self.token.text, self.place))
        return f

    def arrows(self):
        operands = [self.union()]
        sign = self.token.text
        while operands[0].type == SET and sign in ("->", "<-") and self.accept(sign):
            operands.append(self.union())
        return operands[0] if len(operands) == 1 else Filter(sign, SET, operands)

    def union(self):
        left = self.intersection()
        while left.type == SET and self.accept("|"):
            left = Filter("|", SET, [left, self.intersection()])
        return left

    def intersection(self):
        left = self.attack()
        while left.type in (SET, POSITION) and self.accept("&"):
            left = Filter("&" if left.type == SET else "same squares", SET, [left, self.attack()])
        return left

    def attack(self):
        left = self.postfix()
        while left.type == SET and self.is_("attacks", "attack", "attackedby", "attacked"):
            word = self.take()
            if word == "attacked":
                self.expect("by")
            left = Filter("attacks" if word in ("attacks", "attack") else "attackedby", SET, [left, self.postfix()])
        return left

    def postfix(self):
        left = self.at()
        while left.type == STRING and self.accept("~~"):
            left = Filter("regular", STRING, [left], pattern=self.take()[1:-1])
        return left

    def at(self, wanted=None):
        left = self.primary()
        if left.type == POSITION and self.accept(":"):
            body = self.at()
            left = Filter(":", body.type, [left, body])
        return self.typed(left, wanted)

    # ---- moves

    def dash_here(self):
        return self.is_("--", "[x]")

    def tied_dash(self):
        """A dash to which the token before is tied (§1.11)."""
        return self.dash_here() and self.touches() and not re.search(r"[({:+*/><,~=|&-]$|\[element\]$", self.tokens[self.place - 1].text)

    def dash_head(self):
        """After the left side: captures, right, promotion."""
        captures = self.take() == "[x]"
        right = promotion = None
        if self.touches() and not self.is_("=", "(") and not re.match(r"[})*+?:]", self.token.text) and self.token.kind not in ("repeat", "end"):
            right = self.arrows()
        if self.is_("=") and (right or self.touches()):
            self.take()
            promotion = self.promotion()
        return captures, right, promotion

    def promotion(self):
        text = self.take()
        if text in (".", "a"):
            return "A"
        text = re.sub(r"[]\[\"]", "", text).upper()
        return "A" if "A" in text else text

    def dash(self, left=None):
        """A move filter; the next token is the dash (§4.3)."""
        captures, right, promotion = self.dash_head()
        target, type_ = [], LOGICAL
        if self.is_("(") and self.touches():
            self.take()
            target = self.inside(lambda: self.sequence(")"))
            type_ = target[-1].type
        return Filter("dash", type_, [left, right] + target, captures=captures, promotion=promotion)

    # ---- primaries

    def inside(self, maker):
        """A part in brackets or braces: not at the top of a path."""
        before, self.top_of_path = self.top_of_path, False
        result = maker()
        self.top_of_path = before
        return result

    def sequence(self, closing):
        filters = [self.filter()]
        while not self.accept(closing):
            filters.append(self.filter())
        return filters

    def compound(self, ends):
        filters = [self.filter()]
        while not ends():
            filters.append(self.filter())
        return filters[0] if len(filters) == 1 else Filter("compound", filters[-1].type, filters)

    def range(self):
        """§2.8: bounds, or None."""
        if self.accept("count"):
            return -MANY, MANY
        numbers = []
        while len(numbers) < 2:
            negative = self.is_("-") and self.next.kind == "number"
            after = self.tokens[min(self.place + 1 + negative, len(self.tokens) - 1)]
            number = self.next if negative else self.token
            if number.kind != "number" or (after.kind in ("sign", "repeat") and after.text not in ("(", ")", "{", "}", "-->", "<--", "--", "[x]")):
                break
            self.place += negative + 1
            numbers.append(-int(number.text) if negative else int(number.text))
        return (numbers[0], numbers[-1]) if numbers else None

    def primary(self):
        t = self.token
        if self.dash_here():
            return self.dash()
        maker = {"designator": self.designator, "number": lambda: Filter("number", NUMBER, number=int(self.take())),
                 "string": lambda: Filter("string", STRING, string=self.take()[1:-1]), "sign": self.sign, "word": self.word,
                 "piece": lambda: self.take() and self.word_piece()}.get(t.kind)
        return maker() if maker else self.fail("a filter")

    def designator(self):
        text = self.take()
        pieces, squares = re.fullmatch("(%s)?(%s)?" % (PIECES, SQUARES), text).groups()
        if re.fullmatch(SQUARES, text):
            pieces, squares = None, text
        mask = 0 if squares else ALL
        for block in re.findall(BLOCK, squares or ""):
            files, ranks = re.findall("[a-h]", block), re.findall("[1-8]", block)
            mask |= sum(1 << 8 * (int(y) - 1) + "abcdefgh".index(x) for x in "abcdefgh" for y in "12345678"
                        if files[0] <= x <= files[-1] and ranks[0] <= y <= ranks[-1])
        return Filter("designator", SET, pieces=pieces and pieces.strip("[]"), squares=mask)

    def sign(self):
        sign = self.take()
        if sign == ".":
            return Filter("all", SET)
        if sign == "[]":
            return Filter("empty", SET)
        if sign == "~":
            return Filter("~", SET, [self.typed(self.attack(), SET)])
        if sign == "#":
            f = self.move_x()
            return Filter("#" if f.type == SET else "length", NUMBER, [f])
        if sign == "-":
            return Filter("-", NUMBER, [Filter("number", NUMBER, number=0), self.at(NUMBER)])
        if sign == "{":
            return self.inside(lambda: self.compound(lambda: self.accept("}")))
        if sign == "(":
            f = self.filter()
            self.expect(")")
            return f
        if sign == "[forall]":
            pieces = self.token.kind == "piece"
            self.place += pieces
            return self.loop(pieces, True)
        self.place -= 1
        return self.fail("a filter")

    def word(self):
        word = self.token.text
        name = self.next.text if self.next.kind == "sign" else ""
        if name in ("=", "+=", "-="):
            return self.assignment()
        if name == "[element]":
            return self.loop(False, False)
        if word in self.names:
            self.take()
            return Filter("piece name" if self.names[word] == "piece" else "name", SET if self.names[word] == "piece" else self.names[word], name=word)
        self.take()
        if word in GROUPS:
            bounds = self.range() or (1, 7)
            return Filter("direction", SET, [self.at(SET)], directions=GROUPS[word], low=bounds[0], high=bounds[1])
        if word in TRANSFORMS:
            return self.transform(word)
        for words, type_ in ((NUMBER_WORDS, NUMBER), (POSITION_WORDS, POSITION), (SET_WORDS, SET), (LOGICAL_WORDS, LOGICAL)):
            if word in words:
                return Filter(word, type_)
        if word in PAWN_WORDS:
            return Filter("notransform", SET, [Filter(word, SET)])
        if word in TAG_WORDS:
            return self.searched(Filter("tag", STRING, tag=TAG_WORDS[word], empty=False))
        method = getattr(self, "word_" + word, None)
        return method() if method else self.other(word)

    def other(self, word):
        if word in ("wtm", "btm"):
            return Filter("wtm", LOGICAL, white=word == "wtm")
        if word in ("light", "dark"):
            return Filter("shade", SET, [self.at(SET)], light=word == "light")
        if word in ("power", "type", "colortype", "rank", "file", "pieceid"):
            return Filter(word, NUMBER, [self.move_x(SET)])
        if word in ("typename", "piecename"):
            return Filter(word, STRING, [self.move_x(SET)])
        if word in ("max", "min"):
            self.expect("(")
            return Filter(word, NUMBER, self.inside(lambda: self.sums()))
        if word in ("currentmove", "previous"):
            dash = self.move_x()
            return Filter("currentmove", dash.type, [dash])
        if word in ("legal", "pseudolegal"):
            return self.legal(word == "pseudolegal")
        if word in ("lca", "distance", "ancestor", "descendant"):
            self.expect("(")
            operands = self.inside(lambda: self.sequence(")"))
            return Filter(word, {"lca": POSITION, "distance": NUMBER}.get(word, LOGICAL), operands)
        self.place -= 1
        return self.fail("a known filter")

    def sums(self):
        operands = [self.sum()]
        while not self.accept(")"):
            operands.append(self.sum())
        return operands

    def word_not(self):
        return Filter("not", LOGICAL, [self.in_x()])

    def word_notransform(self):
        f = self.filter()
        return Filter("notransform", f.type, [f])

    def word_if(self):
        test = self.filter()
        self.accept("then")
        yes = self.filter()
        if not self.accept("else"):
            return Filter("if", LOGICAL, [test, yes, Filter("true", LOGICAL)])
        no = self.filter()
        return Filter("if", yes.type if yes.type == no.type else LOGICAL, [test, yes, no])

    def word_abs(self):
        return Filter("abs", NUMBER, [self.typed(self.sum(), NUMBER)])

    def word_try(self):
        return Filter("notransform", NUMBER, [Filter("try", NUMBER)])

    def word_fen(self):
        return Filter("fen", STRING)

    def word_curpos(self):
        return Filter("currentposition", POSITION)

    def word_child(self):
        if not self.accept("("):
            return Filter("child", POSITION)
        operand = self.inside(self.sum)
        self.expect(")")
        return Filter("child", POSITION, [operand])

    def word_position(self):
        return Filter("position", POSITION, [self.typed(self.sum(), NUMBER)])

    def word_countmoves(self):
        dash = self.move_x()
        if dash.operation == "legal":
            return Filter("countmoves legal", NUMBER, dash.operands, **dash.constants)
        return Filter("countmoves", NUMBER, [dash])

    def legal(self, pseudo):
        dash = self.move_x()
        target = dash.operands[2].operation if len(dash.operands) > 2 else None
        return Filter("legal", SET, dash.operands[:2], pseudo=pseudo, target=target)

    def word_between(self):
        self.expect("(")
        return Filter("between", SET, self.inside(lambda: self.sequence(")")))

    def word_makesquare(self):
        self.expect("(")
        return Filter("makesquare", SET, self.inside(self.sums))

    def word_pin(self):
        words, operands = [], []
        while self.is_("from", "through", "to"):
            words.append(self.take())
            operands.append(self.at(SET))
        return Filter("pin", SET, operands, words=words)

    def word_ray(self):
        slider = bool(self.accept("attack", "attacks"))
        directions = []
        while self.token.text in GROUPS:
            directions += GROUPS[self.take()]
        self.expect("(")
        operands = self.inside(lambda: self.sequence(")"))
        return Filter("ray", SET, operands, directions=directions or STRAIGHT + DIAGONAL, slider=slider)

    def word_xray(self):
        self.expect("(")
        return Filter("ray", SET, self.inside(lambda: self.sequence(")")), directions=STRAIGHT + DIAGONAL, slider=True)

    def word_find(self):
        backwards = all_ = False
        bounds = None
        while True:
            if self.accept("quiet"):
                continue
            if self.accept("<--"):
                backwards = True
            elif self.accept("all"):
                all_ = True
            elif bounds is None and self.starts_range():
                bounds = self.range()
            else:
                break
        body = self.filter()
        if all_:
            bounds = (1, 1 << 40)
        if bounds:
            return Filter("find all", NUMBER, [body], backwards=backwards, low=bounds[0], high=bounds[1])
        return Filter("find", POSITION, [body], backwards=backwards)

    def starts_range(self):
        place = self.place
        found = self.range()
        self.place = place
        return found is not None

    def word_echo(self):
        self.accept("quiet")
        self.expect("(")
        source, target = self.take(), self.take()
        self.expect(")")
        self.names[source] = self.names[target] = POSITION
        in_all = bool(self.accept("in"))
        if in_all:
            self.expect("all")
        body = self.filter()
        return Filter("echo", NUMBER if body.type == NUMBER else LOGICAL, [body], source=source, target=target, in_all=in_all)

    def word_move(self):
        words, operands, promotion = [], [], None
        while self.is_("from", "to", "capture", "captures", "promote", "enpassant", "enpassantsquare", "castle", "o-o", "o-o-o", "null", "previous",
                       "primary", "secondary"):
            word = self.take().replace("captures", "capture")
            words.append(word)
            if word in ("from", "to", "capture", "enpassantsquare"):
                operands.append(self.at(SET))
            elif word == "promote":
                promotion = self.promotion()
        first = words[0] if words and words[0] in ("from", "to", "capture") else None
        return Filter("move", SET if first else LOGICAL, operands, words=words, promotion=promotion, first=first,
                      with_sets=[w for w in words if w in ("from", "to", "capture", "enpassantsquare")])

    def word_line(self):
        words, bounds = set(), None
        while not self.is_("-->", "<--"):
            if self.starts_range():
                bounds = self.range()
            else:
                words.add(self.take())
        if words - {"singlecolor", "primary", "secondary", "firstmatch", "lastposition", "quiet"}:
            raise Unknown("line %s" % words)
        arrow = self.token.text
        parts = []
        while self.accept(arrow):
            parts.append(self.line_constituent(arrow))
        return Filter("line", POSITION if "lastposition" in words else NUMBER, parts, firstmatch="firstmatch" in words, bounds=bounds,
                      singlecolor="singlecolor" in words, branches=next(iter(words & {"primary", "secondary"}), None), backwards=arrow == "<--",
                      lastposition="lastposition" in words)

    def line_constituent(self, arrow):
        if self.accept("("):
            parts = [self.line_constituent(arrow)]
            while self.accept(arrow):
                parts.append(self.line_constituent(arrow))
            self.expect(")")
            return Filter("chain", LOGICAL, parts, wildcard=self.wildcard())
        f = self.inside(self.filter)
        return Filter("filter", LOGICAL, [f], wildcard=self.wildcard())

    # ---- paths (§5.1, §5.2)

    def word_path(self):
        words, bounds, focus, maximum, capture = set(), None, None, None, False
        while True:
            if bounds is None and self.starts_range():
                bounds = self.range()
            elif self.accept("focus"):
                capture = bool(self.accept("capture"))
                focus = self.move_x(SET)
            elif self.accept("max"):
                maximum = self.filter()
            elif self.is_("primary", "singlecolor", "firstmatch", "lastposition", "quiet", "verbose"):
                words.add(self.take())
            elif self.accept("title"):
                self.take()
            else:
                break
        before, self.top_of_path = self.top_of_path, True
        parts = []
        while not self.path_ends():
            parts.append(self.path_constituent())
        self.top_of_path = before
        return Filter("path", POSITION if "lastposition" in words else NUMBER, [focus, maximum] + parts, capture=capture, bounds=bounds,
                      singlecolor="singlecolor" in words, primary="primary" in words, firstmatch="firstmatch" in words,
                      lastposition="lastposition" in words)

    def path_ends(self):
        t = self.token
        if t.kind == "end" or self.at_wildcard():
            return True
        if t.kind == "sign":
            return t.text not in ("--", "[x]", "(", "{", "#", ".", "~", "[]", "-", "[forall]")
        return t.kind == "word" and t.text in ("or", "and", "in", "then", "else", "attacks", "attackedby")

    def path_dash(self):
        """The left side of a dash constituent that begins here, in a list, or None."""
        if self.dash_here():
            return [None]
        if self.is_("("):
            return None
        place = self.place
        try:
            left = self.arrows()
            if left.type == SET and self.tied_dash():
                return [left]
        except Unknown:
            pass
        self.place = place
        return None

    def path_constituent(self):
        if self.accept("("):
            parts = [self.path_constituent()]
            while not self.accept(")"):
                parts.append(self.path_constituent())
            return Filter("chain", LOGICAL, parts, wildcard=self.wildcard())
        left = self.path_dash()
        if left is None:
            return Filter("filter", LOGICAL, [self.filter()], wildcard=None)
        captures, right, promotion = self.dash_head()
        targets = []
        while not self.path_ends():
            place = self.place
            if self.path_dash() is not None:
                self.place = place
                break
            targets.append(self.filter())
        return Filter("dash", LOGICAL, left + [right] + targets, captures=captures, promotion=promotion, wildcard=self.wildcard())

    # ---- transforms

    def transform(self, word):
        bounds = self.range()
        operand = self.filter()
        maps = [(t,) for t in TRANSFORMS[word]]
        result = operand.type
        if bounds is None and operand.operation == "transform":  # they become one (§8.9)
            maps, bounds = [m + inner for m in maps for inner in operand.maps], operand.bounds
            operand = operand.operands[0]
        elif result in (STRING, POSITION):
            result = LOGICAL
        return Filter("transform", NUMBER if bounds else result, [operand], maps=maps, bounds=bounds)

    # ---- names

    def assignment(self):
        name, sign = self.take(), self.take()
        f = self.sum()
        if sign != "=":
            return Filter("assign", LOGICAL, [Filter(sign[0], NUMBER, [Filter("name", NUMBER, name=name), f])], name=name)
        self.names[name] = f.type
        return Filter("assign", LOGICAL, [f], name=name)

    def word_isbound(self):
        return Filter("isbound", LOGICAL, name=self.take())

    def word_while(self):
        self.expect("(")
        test = self.inside(self.filter)
        self.expect(")")
        return Filter("while", LOGICAL, [test, self.filter()])

    def word_square(self):
        return self.loop(False, bool(self.accept("all")))

    def word_piece(self):
        if self.next.text == "=":
            name = self.take()
            self.take()
            self.names[name] = "piece"
            return Filter("assign piece", LOGICAL, [self.move_x(SET)], name=name)
        return self.loop(True, bool(self.accept("all")))

    def loop(self, pieces, all_):
        name = self.take()
        if not self.accept("in"):
            self.expect("[element]")
        domain = self.move_x(SET)
        self.names[name] = "piece" if pieces else SET
        body = self.filter()
        kind = "piece " if pieces else ""
        return Filter(kind + ("all loop" if all_ else "set loop"), LOGICAL if all_ else SET, [domain, body], name=name)

    # ---- games

    def searched(self, f):
        """§9.6: the implicit search."""
        if self.token.kind != "string":
            return f
        return Filter("substring", LOGICAL, [Filter("string", STRING, string=self.take()[1:-1]), f])

    def word_tag(self):
        return Filter("tag", STRING, tag=self.take()[1:-1], empty=True)

    def word_player(self):
        side = self.accept("white", "black")
        return self.searched(Filter("player", STRING, white=None if side is None else side == "white"))

    def word_elo(self):
        side = self.accept("white", "black")
        return Filter("elo", NUMBER, white=None if side is None else side == "white")

    def word_result(self):
        return Filter("result", LOGICAL, result=self.take().strip('"'))

    def word_originalcomment(self):
        return self.searched(Filter("originalcomment", STRING))

    def word_sort(self):
        self.accept("quiet")
        self.accept("min", "max")
        if self.token.kind == "string":
            self.take()
        return self.filter()
