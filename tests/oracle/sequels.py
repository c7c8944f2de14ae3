"""What the filters of strings, tags, assignments and pieces mean (language reference 7.2, 7.5, 7.6, 7.10, 9.6)."""
import re

from board import bits, count
from filters import Budget, holds, operation, value


@operation("string")
def _(f, place):
    return f.string


@operation("concatenate")
def _(f, place, a, b):
    x, y = value(a, place), value(b, place)
    return None if x is None or y is None else x + y


@operation("length")
def _(f, place, a):
    x = value(a, place)
    return None if x is None else len(x)


@operation("substring")
def _(f, place, a, b):
    x, y = value(a, place), value(b, place)
    return x is not None and y is not None and x in y


@operation("regular")
def _(f, place, a):
    x = value(a, place)
    found = None if x is None else re.search(f.pattern, x)
    return found and found.group()


# ---- chapter 9: games


DEFAULTS = {"White": "?", "Black": "?", "Date": "????.??.??", "EventDate": "????.??.??"}


@operation("tag")
def _(f, place):
    """§9.6; an empty value of a built-in tag is none."""
    return place.game.tags.get(f.tag, DEFAULTS.get(f.tag)) or (place.game.tags.get(f.tag) if f.empty else None)


@operation("player")
def _(f, place):
    white, black = (place.game.tags.get(tag, "?") for tag in ("White", "Black"))
    if f.white is None:
        return white + "\\n" + black if white and black else None
    return (white if f.white else black) or None


@operation("elo")
def _(f, place):
    white, black = (int(place.game.tags.get(tag, 0)) or None for tag in ("WhiteElo", "BlackElo"))
    if f.white is None:
        return max((x for x in (white, black) if x), default=None)
    return white if f.white else black


@operation("year")
def _(f, place):
    digits = re.match(r"\d+", place.game.tags.get("Date", ""))
    return int(digits.group()) or None if digits else None


@operation("result")
def _(f, place):
    return place.game.result == f.result


@operation("gamenumber")
def _(f, place):
    return place.game.number


@operation("lastgamenumber")
def _(f, place):
    return place.game.last_number


@operation("originalcomment")
def _(f, place):
    return place.node.__dict__.get("comment")


# ---- chapter 7: names and pieces


@operation("assign")
def _(f, place, a):
    x = value(a, place)
    if x is None:
        return False
    place.names[f.name] = x
    return True


@operation("isbound")
def _(f, place):
    return f.name in place.names


@operation("while")
def _(f, place, test, body):
    while holds(test, place):
        Budget.spend()
        holds(body, place)
    return True


@operation("assign piece")
def _(f, place, a):
    squares = value(a, place)
    number = numbers(place.node)[squares.bit_length() - 1] if count(squares) == 1 else None
    if number is None:
        return False
    place.names[f.name] = number
    return True


def numbers(node):
    """§7.5: the number of the piece on each square, None where there is none."""
    if "numbers" not in node.__dict__:
        if node.parent is None:
            counter = iter(range(64))
            node.numbers = [None if man == "_" else next(counter) for man in node.board.men]
        else:
            node.numbers = list(numbers(node.parent))
            move = node.move
            if not move.null:
                if move.victim is not None:
                    node.numbers[move.victim] = None
                for start, end in [(move.start, move.end)] + ([move.rook] if move.rook else []):
                    node.numbers[end], node.numbers[start] = node.numbers[start], None
    return node.numbers


@operation("piece name")
def _(f, place):
    here = numbers(place.node)
    return 1 << here.index(place.names[f.name]) if place.names[f.name] in here else 0


@operation("pieceid")
def _(f, place, a):
    if a.operation == "piece name":
        return place.names[a.name]
    squares = list(bits(value(a, place)))
    return numbers(place.node)[squares[0]] if len(squares) == 1 else None


@operation("piece set loop", "piece all loop")
def _(f, place, domain, body):
    found = 0
    for s in bits(value(domain, place)):
        if place.board.men[s] == "_":
            continue
        place.names[f.name] = numbers(place.node)[s]
        good = holds(body, place)
        del place.names[f.name]
        if good:
            found |= 1 << s
        elif f.operation == "piece all loop":
            return False
    return found if f.operation == "piece set loop" else True
