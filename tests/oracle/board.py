"""Boards, moves and game trees for the oracle: plain, slow, and written without a look at the program under test."""

DIRECTIONS = {
    "up": (0, 1), "northeast": (1, 1), "right": (1, 0), "southeast": (1, -1),
    "down": (0, -1), "southwest": (-1, -1), "left": (-1, 0), "northwest": (-1, 1),
}
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
LINES = {"R": STRAIGHT, "B": DIAGONAL, "Q": STRAIGHT + DIAGONAL}
ALL = (1 << 64) - 1
START = "RNBQKBNR" + "P" * 8 + "_" * 32 + "p" * 8 + "rnbqkbnr"


def step(square, direction):
    """The square one step away, or None beyond the edge."""
    x, y = square % 8 + direction[0], square // 8 + direction[1]
    return 8 * y + x if 0 <= x < 8 and 0 <= y < 8 else None


def bits(mask):
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(squares):
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def count(mask):
    return bin(mask).count("1")


def name_of(square):
    return "abcdefgh"[square % 8] + "12345678"[square // 8]


def is_white(piece):
    return piece.isupper()


def slides(piece):
    """The directions of a rook, bishop or queen of either colour; none for others."""
    return LINES.get(piece.upper(), [])


class Board:
    """Men on 64 squares, a1 first; `_` is an empty square."""

    def __init__(self, men):
        self.men = tuple(men)
        self._attacks = [None] * 64
        self._masks, self._checks = {}, {}

    def pieces(self, symbols):
        """The squares of the pieces named: letters, `A`, `a`, `_`."""
        if symbols not in self._masks:
            self._masks[symbols] = mask_of(s for s, man in enumerate(self.men) if any(fits(c, man) for c in symbols))
        return self._masks[symbols]

    def walk(self, square, direction):
        """The squares that a slider reaches: up to and including the first occupied one."""
        reached = []
        square = step(square, direction)
        while square is not None:
            reached.append(square)
            if self.men[square] != "_":
                break
            square = step(square, direction)
        return reached

    def attacks(self, square):
        """What the man on `square` attacks."""
        if self._attacks[square] is None:
            self._attacks[square] = mask_of(self._attack_list(square))
        return self._attacks[square]

    def _attack_list(self, square):
        man = self.men[square]
        if man == "_":
            return []
        if man in "Pp":
            forward = 1 if man == "P" else -1
            reached = [step(square, (side, forward)) for side in (-1, 1)]
        elif man in "Nn":
            reached = [step(square, d) for d in KNIGHT]
        elif man in "Kk":
            reached = [step(square, d) for d in STRAIGHT + DIAGONAL]
        else:
            return [s for d in slides(man) for s in self.walk(square, d)]
        return [s for s in reached if s is not None]

    def attackers(self, square, white):
        """The men of a colour that attack `square`."""
        return mask_of(s for s, man in enumerate(self.men)
                       if man != "_" and is_white(man) == white and self.attacks(s) >> square & 1)

    def king(self, white):
        man = "K" if white else "k"
        return self.men.index(man) if man in self.men else None

    def in_check(self, white):
        """True when the king of that colour is attacked."""
        if white not in self._checks:
            king = self.king(white)
            self._checks[white] = king is not None and self.attackers(king, not white) != 0
        return self._checks[white]

    def with_changes(self, changes):
        men = list(self.men)
        for square, man in changes:
            men[square] = man
        return Board(men)


def fits(symbol, man):
    if symbol == "A":
        return man != "_" and is_white(man)
    if symbol == "a":
        return man != "_" and not is_white(man)
    return symbol == man


class Move:
    """From, to, the captured man's square or None, the new piece's letter or None; the castling rook's squares or None."""

    def __init__(self, start, end, victim=None, promoted=None, rook=None, text=None):
        self.start, self.end, self.victim, self.promoted, self.rook = start, end, victim, promoted, rook
        self.text = text or name_of(start) + name_of(end) + ("=" + promoted if promoted else "")

    @property
    def null(self):
        return self.start == self.end

    @property
    def en_passant(self):
        return self.victim is not None and self.victim != self.end


CASTLING = {  # king's squares, rook's squares, the text; for each colour and wing
    (True, "K"): (4, 6, 7, 5, "O-O"), (True, "Q"): (4, 2, 0, 3, "O-O-O"),
    (False, "K"): (60, 62, 63, 61, "O-O"), (False, "Q"): (60, 58, 56, 59, "O-O-O"),
}


class Node:
    """A position of a game."""

    def __init__(self, board, white, rights, parent=None, move=None):
        self.board, self.white, self.rights, self.parent, self.move = board, white, rights, parent, move
        self.children = []
        self.ply = parent.ply + 1 if parent else 0
        self.id = self.last = self.index = self.depth = 0
        self._moves = None

    def passed_square(self):
        """The square that a pawn has just passed over and the pawn's square, or None."""
        m = self.move
        if m is None or m.null or self.board.men[m.end] not in "Pp" or abs(m.start - m.end) != 16 or m.promoted:
            return None
        return (m.start + m.end) // 2, m.end

    def play(self, move):
        men = self.board.men
        if move.null:
            board = self.board
        else:
            man = men[move.start]
            changes = [] if move.victim is None else [(move.victim, "_")]
            new = man if not move.promoted else (move.promoted if self.white else move.promoted.lower())
            changes += [(move.start, "_"), (move.end, new)]
            if move.rook:
                changes += [(move.rook[0], "_"), (move.rook[1], men[move.rook[0]])]
            board = self.board.with_changes(changes)
        touched = set() if move.null else {move.start, move.end}
        rights = frozenset(r for r in self.rights if not touched & {CASTLING[r][0], CASTLING[r][2]})
        return Node(board, not self.white, rights, self, move)

    def moves(self):
        """The legal moves of chess. (After a null move in check the enemy king could be taken: it is not.)"""
        if self._moves is None:
            self._moves = [m for m in self._possible() if (m.victim is None or self.board.men[m.victim] not in "Kk")
                           and not self.play(m).board.in_check(self.white)]
        return self._moves

    def _possible(self):
        men = self.board.men
        for square, man in enumerate(men):
            if man == "_" or is_white(man) != self.white:
                continue
            if man in "Pp":
                yield from self._pawn_moves(square)
                continue
            for end in bits(self.board.attacks(square)):
                if men[end] == "_" or is_white(men[end]) != self.white:
                    yield Move(square, end, None if men[end] == "_" else end)
        yield from self._castlings()

    def _pawn_moves(self, square):
        men, forward = self.board.men, 1 if self.white else -1
        ends = []
        ahead = step(square, (0, forward))
        if ahead is not None and men[ahead] == "_":
            ends.append((ahead, None))
            two = step(ahead, (0, forward))
            if square // 8 == (1 if self.white else 6) and men[two] == "_":
                ends.append((two, None))
        passed = self.passed_square()
        for end in bits(self.board.attacks(square)):
            if men[end] != "_" and is_white(men[end]) != self.white:
                ends.append((end, end))
            elif passed and passed[0] == end and is_white(men[passed[1]]) != self.white:
                ends.append((end, passed[1]))
        for end, victim in ends:
            for promoted in "QRBN" if end // 8 in (0, 7) else [None]:
                yield Move(square, end, victim, promoted)

    def _castlings(self):
        for (white, _), (king, to, rook, rook_to, text) in [(r, CASTLING[r]) for r in sorted(self.rights)]:
            if white != self.white:
                continue
            between = range(min(king, rook) + 1, max(king, rook))
            way = range(min(king, to), max(king, to) + 1)
            if all(self.board.men[s] == "_" for s in between) and not any(self.board.attackers(s, not white) for s in way):
                yield Move(king, to, rook=(rook, rook_to), text=text)


class Game:
    """A tree whose positions are numbered in preorder."""

    def __init__(self, root, fen):
        self.root, self.fen, self.nodes = root, fen, []
        self._number(root, 0)

    def _number(self, node, depth):
        node.id, node.depth = len(self.nodes), depth
        self.nodes.append(node)
        for index, child in enumerate(node.children):
            child.index = index
            self._number(child, depth + (index > 0))
        node.last = len(self.nodes) - 1

    def pgn(self, number):
        tags = [("Event", "Oracle %d" % number), ("Result", "*")] + ([("FEN", self.fen)] if self.fen else [])
        return "".join('[%s "%s"]\n' % t for t in tags) + "\n" + " ".join(text_of(self.root) + ["*"]) + "\n\n"


def text_of(node):
    """The words of the moves after a node."""
    words = []
    while node.children:
        words.append(node.children[0].move.text)
        for child in node.children[1:]:
            words += ["(", child.move.text] + text_of(child) + [")"]
        node = node.children[0]
    return words


def fen_of(board, white):
    ranks = []
    for y in range(7, -1, -1):
        rank = "".join(board.men[8 * y:8 * y + 8])
        for n in range(8, 0, -1):
            rank = rank.replace("_" * n, str(n))
        ranks.append(rank)
    return "/".join(ranks) + (" w" if white else " b") + " - - 0 1"


def random_board(random):
    """Two kings and up to ten men."""
    while True:
        men = ["_"] * 64
        for man in ["K", "k"] + random.choices("QRBNPPqrbnpp", k=random.randint(2, 10)):
            square = random.choice([s for s in range(64) if men[s] == "_" and not (man in "Pp" and s // 8 in (0, 7))])
            men[square] = man
        board = Board(men)
        kings = board.king(True), board.king(False)
        white = random.random() < 0.5
        if not board.attacks(kings[0]) >> kings[1] & 1 and not board.in_check(not white):
            return board, white


def grow(node, random, plies, depth):
    """Plays on from a node, with variations, in which a side may also pass."""
    for _ in range(plies):
        moves = node.moves()
        lively = [m for m in moves if m.victim is not None or m.promoted or m.rook]
        if not moves and random.random() < 0.7:
            return
        wanted = 2 if depth < 2 and random.random() < 0.15 else 1
        for number in range(wanted):
            if not moves or random.random() < 0.03:
                king = node.board.king(node.white)
                move = Move(king, king, text="--")
            else:
                move = random.choice(lively if lively and random.random() < 0.4 else moves)
            node.children.append(node.play(move))
            if number > 0:
                grow(node.children[-1], random, random.randint(0, 4), depth + 1)
        node = node.children[0]


def random_game(random):
    if random.random() < 0.4:
        root, fen = Node(Board(START), True, frozenset(CASTLING)), None
    else:
        board, white = random_board(random)
        root, fen = Node(board, white, frozenset()), fen_of(board, white)
    grow(root, random, random.randint(1, 40), 0)
    return Game(root, fen)
