"""Answers of the examples that count (examples/, subject `counting`), worked out from boards and moves: no query is read here.

`answers(path)` gives {example: (keys, rows)} for the games of a file: rows maps the values of the keys, as CSV has them, to the columns that
the command of the example shows, without the percentage. cqlgen has no part in this.
"""
import re
from fractions import Fraction

import pgn
from board import count, name_of

RESULTS = ("1-0", "1/2-1/2", "0-1")


def remember_san():
    """Lets the reader keep the text of each move."""
    find = pgn.find_move

    def find_and_keep(node, san):
        move = find(node, san)
        move.san = san
        return move

    pgn.find_move = find_and_keep


def line_of(game):
    nodes = [game.root]
    while nodes[-1].children:
        nodes.append(nodes[-1].children[0])
    return nodes


def plies(game):
    return len(line_of(game)) - 1


def band(number, width):
    low = number // width * width
    return "%d-%d" % (low, low + width - 1)


def side(node):
    return "white" if node.white else "black"


def in_check(node):
    return node.board.in_check(node.white)


def is_mate(node):
    return in_check(node) and not node.moves()


def next_move(node):
    """The next move that is one, or None."""
    return node.children[0].move if node.children and not node.children[0].move.null else None


def material(node):
    return "-".join("".join(letter * sum(man == (letter if white else letter.lower()) for man in node.board.men) for letter in "KQRBNP")
                    for white in (True, False))


def is_ending(node):
    return sum(man in "QRBNqrbn" for man in node.board.men) <= 2


def isolated(node, pawn):
    files = [sum(node.board.men[8 * rank + file] == pawn for rank in range(8)) for file in range(8)]
    return sum(n for file, n in enumerate(files) if not any(files[f] for f in (file - 1, file + 1) if 0 <= f < 8))


def survivors(game):
    """The letters and first squares of the men that are on the board at the end."""
    home = {square: man + name_of(square) for square, man in enumerate(game.root.board.men) if man != "_"}
    for node in line_of(game)[1:]:
        move = node.move
        if move.null:
            continue
        if move.victim is not None:
            del home[move.victim]
        home[move.end] = home.pop(move.start)
        if move.rook:
            home[move.rook[1]] = home.pop(move.rook[0])
    return home.values()


def notes(node):
    """The clock in seconds and the evaluation in centipawns of the comment, or None."""
    comment = getattr(node, "comment", "")
    clock, score = re.search(r"\[%clk (\d+):(\d+):(\d+)", comment), re.search(r"\[%eval (-?[\d.]+)", comment)
    return (clock and sum(int(n) * s for n, s in zip(clock.groups(), (3600, 60, 1)))), (score and round(float(score.group(1)) * 100))


def moves_to(node):
    """The moves that lead to the node: `1.e4 c5 2.Nf3`."""
    path = []
    while node.parent:
        path.append(node)
        node = node.parent
    number, text = 1, []
    for i, n in enumerate(reversed(path)):
        text.append(("%d." % number if n.parent.white else "%d..." % number if i == 0 else "") + n.move.san)
        number += not n.parent.white
    return " ".join(text)


class Table:
    """Matches in groups."""

    def __init__(self, *keys):
        self.keys, self.rows, self.games = keys, {}, {}

    def row(self, key):
        return self.rows.setdefault(tuple(str(k) for k in key), {"positions": 0, "games": set(), "among": 0, "values": []})

    def add(self, game, *key, value=None):
        row = self.row(key)
        row["positions"] += 1
        row["games"].add(game.number)
        row["values"].append(value)
        self.games[game.number] = game

    def columns(self, side_of=None):
        """{key: {column: text}}. side_of: gives the side of a player in a game."""
        table = {}
        for key, row in self.rows.items():
            results = [self.games[n].result for n in row["games"]]
            if side_of:
                turned = {"1-0": "0-1", "0-1": "1-0"}
                results = [r if side_of(self.games[n]) else turned.get(r, r) for n, r in zip(row["games"], results)]
            w, d, b = (results.count(r) for r in RESULTS)
            values = sorted(v for v in row["values"] if v is not None)
            half = len(values) // 2
            middle = None if not values else Fraction(values[half] + values[-1 - half], 2)
            table[key] = {"positions": str(row["positions"]), "games": str(len(row["games"])), "among": str(row["among"]),
                          "white": str(w), "draws": str(d), "black": str(b), "won": str(w), "drawn": str(d), "lost": str(b),
                          "score": "%.2f" % (100 * (w + d / 2) / (w + d + b)) if w + d + b else "",
                          "avg(ply_count)": "%.2f" % (sum(values) / len(values)) if values else "",
                          "median(ply_count)": "" if middle is None else str(middle.numerator) if middle.denominator == 1 else "%.1f" % middle,
                          "max(ply_count)": str(values[-1]) if values else ""}
        return table


def answers(path):
    remember_san()
    games = pgn.read(path, variations=False)
    table = {"mate-squares": Table("if wtm K else k"), "king-moves": Table("to"), "capture-squares": Table("to"), "who-captures-whom": Table("piece", "captured"),
             "survivors": Table("men"), "game-length": Table("eco/1"), "rarest-moves": Table("move"), "blunders-by-clock": Table("clock/10"),
             "frequent-endings": Table("material"), "ending-transitions": Table("material", "next_material"), "longest-games": Table("white", "black", "date"),
             "first-check": Table("ply/10", "side"), "castling-sides": Table("to"), "promotions": Table("promotion"),
             "structure-score": Table("{#(isolatedpawns & P)}", "{#(isolatedpawns & p)}"), "opening-tree": Table("line", "side")}
    for game in games:
        nodes, tags = line_of(game), game.tags
        for man in survivors(game):
            table["survivors"].add(game, man)
        table["game-length"].add(game, tags.get("ECO", "")[:1], value=plies(game))
        table["longest-games"].add(game, tags.get("White", "?"), tags.get("Black", "?"), tags.get("Date", "????.??.??"), value=plies(game))
        checked = [node for node in nodes if in_check(node)]
        if checked:
            table["first-check"].add(game, band(checked[0].ply, 10), side(checked[0]))
        for node in nodes:
            move, men = next_move(node), node.board.men
            if node in checked and is_mate(node):
                table["mate-squares"].add(game, name_of(node.board.king(node.white)))
            if node.children:
                table["rarest-moves"].add(game, node.children[0].move.san)
            if move and men[move.start] in "Kk":
                table["king-moves"].add(game, name_of(move.end))
            if move and move.victim is not None:
                table["capture-squares"].add(game, name_of(move.end))
                table["who-captures-whom"].add(game, men[move.start], men[move.victim])
                if is_ending(node):
                    table["ending-transitions"].add(game, material(node), material(node.children[0]))
            if is_ending(node) and node.move and (node.move.victim is not None or node.move.promoted):
                table["frequent-endings"].add(game, material(node))
            if move and move.rook:
                table["castling-sides"].add(game, name_of(move.end))
            if move and move.promoted:
                table["promotions"].add(game, move.promoted if node.white else move.promoted.lower())
            if node.ply == 30:
                table["structure-score"].add(game, isolated(node, "P"), isolated(node, "p"))
            if 0 < node.ply <= 4 and "Morphy" in tags.get("White", "") + "\n" + tags.get("Black", ""):
                table["opening-tree"].add(game, moves_to(node), side(node))
            (clock, score), (_, before) = notes(node), notes(node.parent) if node.parent else (None, None)
            if clock is not None and score is not None and before is not None and abs(before) <= 300 and abs(score) < 100000:
                table["blunders-by-clock"].row((band(clock, 10),))["among"] += 1
                if (score - before) * (1 if node.white else -1) >= 200:
                    table["blunders-by-clock"].add(game, band(clock, 10))
    return {name: (t.keys, t.columns((lambda game: "Morphy" in game.tags.get("White", "")) if name == "opening-tree" else None))
            for name, t in table.items()}
