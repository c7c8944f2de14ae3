"""Reads the games of a PGN file (language reference 9.1-9.5) for the oracle: tags, moves, variations, comments. The files are good PGN."""
import re

from board import CASTLING, START, Board, Game, Move, Node, name_of

TOKEN = re.compile(r"\{([^}]*)\}|([()])|\$(\d+)|(1-0|0-1|1/2-1/2|\*)(?=\s|$)|(--|[A-Za-z][A-Za-z0-9+#=-]*)|\d+\.*|[!?]+|\s+|\.+")


class Unread(Exception):
    """The text is not PGN that this module knows."""


def board_of(text):
    ranks = [re.sub(r"\d", lambda m: "_" * int(m.group()), rank) for rank in text.split("/")]
    return Board("".join(reversed(ranks)))


def start(fen):
    """The root of a game."""
    if not fen:
        return Node(Board(START), True, frozenset(CASTLING))
    words = fen.split()
    rights = frozenset((letter.isupper(), letter.upper()) for letter in words[2] if letter != "-")
    return Node(board_of(words[0]), words[1] == "w", rights)


def find_move(node, san):
    """The move that SAN means."""
    if san == "--":
        king = node.board.king(node.white)
        return Move(king, king, text=san)
    san = san.rstrip("+#")
    if san.startswith("O-O"):
        return next(m for m in node._castlings() if m.text == san)
    piece, file, rank, target, promoted = re.fullmatch(r"([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=([QRBN]))?", san).groups()
    found = [m for m in node._possible()
             if name_of(m.end) == target and m.rook is None and m.promoted == promoted
             and node.board.men[m.start].upper() == (piece or "P")
             and (not file or name_of(m.start)[0] == file) and (not rank or name_of(m.start)[1] == rank)]
    if len(found) > 1:
        found = [m for m in found if not node.play(m).board.in_check(node.white)]
    if len(found) != 1:
        raise Unread("%s at ply %d" % (san, node.ply))
    return found[0]


def read_moves(root, text):
    """Plays the movetext; returns the result."""
    node, stack = root, []
    place = 0
    while place < len(text):
        token = TOKEN.match(text, place)
        if not token:
            raise Unread(text[place:place + 20])
        place = token.end()
        comment, bracket, _, result, move = token.groups()
        if comment is not None:
            node.comment = " ".join(comment.split())
        elif bracket == "(":
            stack.append(node)
            node = node.parent
        elif bracket == ")":
            node = stack.pop()
        elif result:
            return result
        elif move:
            child = node.play(find_move(node, move))
            node.children.append(child)
            node = child
    return "*"


def main_line(node):
    """Takes the variations out of a tree."""
    while node.children:
        del node.children[1:]
        node = node.children[0]


def read(path, variations):
    """The games of a file, each with `tags`, `result` and its `number`; without variations only their main lines exist."""
    with open(path) as f:
        text = f.read()
    games = []
    for section in re.split(r"(?m)^(?=\[Event )", text):
        if not section.strip():
            continue
        head, moves = re.split(r"\n\s*\n", section, 1)
        tags = dict(re.findall(r'(?m)^\[(\w+) "(.*)"\]', head))
        root = start(tags.get("FEN"))
        result = read_moves(root, moves)
        if not variations:
            main_line(root)
        game = Game(root, tags.get("FEN"))
        game.tags, game.result = tags, result
        games.append(game)
        game.number = len(games)
    for game in games:
        game.last_number = len(games)
    return games
