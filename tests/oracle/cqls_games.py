"""What conditions on games mean in CQL-S, written from chapter 12b of the language reference alone (sections 3 to 6), and random ones."""
import calendar
import datetime
import re

DELIMITERS = "!?.,;:"
TITLES = "GM IM FM CM WGM WIM WFM WCM HGM CGM CIM CLGM CLIM CSIM".split()
SYSTEMS = ("ELO", "DWZ", "ECF", "ACF", "USCF", "Rapid", "Blitz", "ICCF", "Edo")
TEXTS = ("Event", "Site", "Annotator", "Opening")
ENUMERATIONS = {
    "termination": ("Termination", "unknown normal abandoned adjudication death disconnection emergency rulesinfraction timeforfeit unplayed unterminated"),
    "eventmode": ("Mode", "unknown otb corr email internet tele analysis composition"),
    "eventtype": ("EventType", "unknown game match tourn knockout swiss team schev simul"),
}
MODES = {"otb": "otb", "pm": "corr", "em": "email", "ics": "internet", "tc": "tele", "analysis": "analysis", "composition": "composition"}


# ---- patterns (§4)


def word_start(text, i):
    return i < len(text) and alphanumeric(text[i]) and not (i > 0 and alphanumeric(text[i - 1]))


def word_end(text, i):
    return i > 0 and alphanumeric(text[i - 1]) and not (i < len(text) and alphanumeric(text[i]))


def alphanumeric(sign):
    return sign.isalnum() or ord(sign) > 127


def tokens(pattern):
    """Pairs of a kind and a sign: literal, *, ?, blanks, and the brackets that form pairs or not."""
    raw, i = [], 0
    while i < len(pattern):
        if pattern[i] == "\\" and i + 1 < len(pattern):
            raw.append(("literal", pattern[i + 1]))
            i += 1
        elif pattern[i] in "*?(){} ":
            raw.append((pattern[i], pattern[i]))
        else:
            raw.append(("literal", pattern[i]))
        i += 1
    brackets = [i for i, t in enumerate(raw) if t[0] in "(){}"]
    kinds, paired = {}, False
    for n, i in enumerate(brackets):
        if paired:
            paired = False
            continue
        following = raw[brackets[n + 1]][0] if n + 1 < len(brackets) else ""
        if raw[i][0] + following in ("()", "{}"):
            kinds[i], kinds[brackets[n + 1]], paired = "open" + raw[i][0], "close" + raw[i][0], True
        elif raw[i][0] in "()":
            kinds[i] = "start" if raw[i][0] == "(" else "end"
        else:
            kinds[i] = "literal"
    return [(kinds.get(i, t[0]), t[1]) for i, t in enumerate(raw)]


def pattern_matches(pattern, text, whole=True):
    sensitive = pattern.startswith("!")
    if sensitive:
        pattern = pattern[1:]
    else:
        text, pattern = text.lower(), pattern.lower()
    parts, inside, i = [], "", 0
    raw = tokens(pattern)
    while i < len(raw):
        kind, sign = raw[i]
        before, following = raw[i - 1] if i else ("", ""), raw[i + 1] if i + 1 < len(raw) else ("", "")
        if kind == " " and inside != "{":
            j = i
            while j < len(raw) and raw[j][0] == " ":
                j += 1
            around = [before] * (i > 0) + raw[j:j + 1]
            free = any(k == "literal" and s in DELIMITERS for k, s in around)
            parts.append(("blanks", 0 if free else 1))
            i = j
            continue
        if kind in ("start", "end"):
            parts.append((kind, ""))
        elif kind.startswith("open"):
            inside = kind[-1]
            if inside == "(" or following[0] in ("*", "?") or following[0] == "literal" and alphanumeric(following[1]):
                parts.append(("start", ""))
        elif kind.startswith("close"):
            if inside == "(" or before[0] in ("*", "?") or before[0] == "literal" and alphanumeric(before[1]):
                parts.append(("end", ""))
            inside = ""
        elif kind in ("*", "?"):
            parts.append((kind, " " + DELIMITERS if inside == "(" else ""))
        else:
            parts.append(("literal", sign))
        i += 1
    return any(fits(parts, 0, text, start, whole, {}) for start in ([0] if whole else range(len(text) + 1)))


def fits(parts, i, text, at, whole, known):
    if (i, at) not in known:
        known[i, at] = fits_here(parts, i, text, at, whole, known)
    return known[i, at]


def fits_here(parts, i, text, at, whole, known):
    if i == len(parts):
        return at == len(text) or not whole
    kind, what = parts[i]
    if kind in ("start", "end"):
        return (word_start if kind == "start" else word_end)(text, at) and fits(parts, i + 1, text, at, whole, known)
    if kind == "blanks":
        end = at
        while end <= len(text):
            if end - at >= what and fits(parts, i + 1, text, end, whole, known):
                return True
            if end == len(text) or text[end] != " ":
                return False
            end += 1
    if kind == "*" and fits(parts, i + 1, text, at, whole, known):
        return True
    if at == len(text) or (kind == "literal" and text[at] != what) or (kind in "*?" and text[at] in what and what):
        return False
    return fits(parts, i if kind == "*" else i + 1, text, at + 1, whole, known)


def text_matches(word, value):
    """A pattern in quotes or a part of the value."""
    value = "" if value in (None, "?") else value
    if word.startswith('"'):
        return pattern_matches(word[1:-1], value)
    return word.lower() in value.lower()


# ---- dates (§6.4): intervals of days


def interval(text, dot="-"):
    """The first and last day of a date, without offsets; None when it is none."""
    parts = re.fullmatch(r"(\d{4})(?:[-.](\d\d|\?\?)(?:[-.](\d\d|\?\?))?)?", text)
    if not parts:
        return None
    year, month, day = [int(p) if p and p.isdigit() else None for p in parts.groups()]
    try:
        first = datetime.date(year, month or 1, day or 1)
        return first, datetime.date(year, month or 12, day or calendar.monthrange(year, month or 12)[1])
    except ValueError:
        return None


def shifted(day, offsets):
    for sign, number, unit in offsets:
        n = int(sign + str(number))
        if unit == "d":
            day += datetime.timedelta(n)
        else:
            months = day.year * 12 + day.month - 1 + (n if unit == "m" else 12 * n)
            year, month = divmod(months, 12)
            day = datetime.date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))
    return day


def random_dates(chance):
    """A range of dates: its text and the test of an interval or None."""
    def one():
        year, month, day = chance.randint(1997, 2003), chance.randint(1, 12), chance.randint(1, 28)
        form = chance.random()
        if form < 0.3:
            return "%d" % year, interval("%d" % year)
        if form < 0.55:
            return "%d-%02d" % (year, month), interval("%d-%02d" % (year, month))
        if chance.random() < 0.3:
            day = calendar.monthrange(year, month)[1]
        offsets = [(chance.choice("+-"), chance.randint(1, 40), chance.choice("dddm")) for _ in range(chance.choice((0, 0, 0, 1, 2)))]
        moved = shifted(datetime.date(year, month, day), offsets)
        return "%d-%02d-%02d%s" % (year, month, day, "".join("%s%d%s" % o for o in offsets)), (moved, moved)

    def within(low, high):
        return lambda d: d is not None and (low is None or d[0] >= low) and (high is None or d[1] <= high)

    (a, x), (b, y), day = one(), one(), datetime.timedelta(1)
    form = chance.choice(["*", "-", ">", ">=", "<", "<=", "one", "two", "..", ".."])
    if form == "*":
        return "*", lambda d: d is not None
    if form == "-":
        return "-", lambda d: d is None
    if form in (">", ">=", "<", "<="):
        return form + a, within({">": x[1] + day, ">=": x[0]}.get(form), {"<": x[0] - day, "<=": x[1]}.get(form))
    if form == "one" or not (x[1] < y[0] or y[1] < x[0]):
        return a, within(*x)
    later = x[1] < y[0]
    if form == "two":
        return ("%s %s" % (a, b), within(x[0], y[1])) if later else ("%s %s" % (b, a), within(y[0], x[1]))
    return "%s .. %s" % (a, b), within(x[0], y[0] - day) if later else within(y[1] + day, x[1])


# ---- games


def random_text(chance):
    return " ".join("".join(chance.choice("abAB1,.!:;({)}") if chance.random() < 0.5 else chance.choice("ab") for _ in range(chance.randint(1, 4)))
                    for _ in range(chance.randint(1, 3)))


def random_pattern(chance, texts):
    """Made from a text by putting in wildcards."""
    text, out = chance.choice(texts), ""
    for sign in text if chance.random() < 0.8 else random_text(chance):
        form = chance.random()
        if form < 0.12:
            out += chance.choice("*?")
        elif form < 0.17:
            out += chance.choice("(){}")
        elif form < 0.2:
            out += " "
        if form > 0.1:
            out += "\\" + sign if sign in "*?(){}!\\" and chance.random() < 0.7 or sign == " " and chance.random() < 0.1 else sign
    if chance.random() < 0.2:
        out = "!" + out
    if chance.random() < 0.2:
        out += chance.choice(("*", ")", "*)"))
    raw, inside = tokens(out.lstrip("!") if out.startswith("!") else out), False
    for kind, sign in raw:  # an error (§4)
        if kind == "open(":
            inside = True
        elif kind == "close(":
            inside = False
        elif inside and (kind == " " or kind == "literal" and sign in DELIMITERS + " "):
            return random_pattern(chance, texts)
    return out


def random_tags(chance, game, number):
    def maybe(odds, values):
        return chance.choice(values) if chance.random() < odds else None

    tags = {name: maybe(0.85, [random_text(chance), random_text(chance), "?"]) for name in TEXTS}
    tags["Result"] = maybe(0.9, ["1-0", "0-1", "1/2-1/2", "*", "0-0", "x"])
    for name in ("Date", "EventDate"):
        tags[name] = maybe(0.9, ["%d.%02d.%02d" % (chance.randint(1997, 2003), chance.randint(1, 12), chance.randint(1, 31)),
                                 "%d.%02d.??" % (chance.randint(1997, 2003), chance.randint(1, 12)), "%d.??.??" % chance.randint(1997, 2003),
                                 "????.??.??", "?"])
    for side in ("White", "Black"):
        for system in SYSTEMS:
            tags[side + (system if system != "ELO" else "Elo")] = maybe(0.6, ["2350", "2349", "1800", "2700", "0", "?", "", "-"])
        tags[side + "Title"] = maybe(0.6, TITLES + ["-", "?", "BOT", "NM"])
        tags[side + "Type"] = maybe(0.4, ["human", "program", "computer", "engine"])
        tags[side + "Sex"] = maybe(0.2, ["f", "m"])
        tags[side] = maybe(0.9, ["Tal, M", "Tal", "Polgar, Judit", "Talasov", "?"])
    tags["ECO"] = maybe(0.7, ["A00", "A99", "B12", "B12/07", "C33a", "E99", "?", "e10"])
    tags["Round"] = maybe(0.8, ["1", "2", "3.1", "3.2", "(2)", "?", "-", "10", "2.x"])
    tags["EventCategory"] = maybe(0.5, ["1", "7", "X", "XIV", "?", "0", "IX"])
    tags["Termination"] = maybe(0.6, ["normal", "Time forfeit", "abandoned", "rules infraction", "won"])
    tags["Mode"] = maybe(0.6, ["OTB", "PM", "EM", "ICS", "TC", "Analysis", "x"])
    tags["EventType"] = maybe(0.6, ["swiss", "tourn", "k.o.", "single", "match (rapid)", "team (blitz)", "simul", "schev (corr)", "other"])
    tags["TimeMode"] = maybe(0.2, ["normal", "rapid", "blitz", "bullet", "corr"])
    tags["TimeControl"] = maybe(0.6, ["60+1", "120", "180+2", "600", "601", "3599", "3600", "5400+30", "40/7200", "?", "-", "59+2", "540+1"])
    game.tags = {name: value for name, value in tags.items() if value is not None}
    game.comments, game.glyphs = [], False
    game.said = game.tags.get("Result") if game.tags.get("Result") in ("1-0", "0-1", "1/2-1/2", "0-0") else "*"
    game.elos = [next((n for n in [number_of(game.tags.get(side + system)) for system in ("Elo", "DWZ", "USCF", "Rapid", "ICCF")] if n), 0)
                 for side in ("White", "Black")]  # §9.2.2, in the order of the tags
    game.annotated = chance.random() < 0.5
    end = game.said if game.said in ("1-0", "0-1", "1/2-1/2") else "*"
    head = "".join('[%s "%s"]\n' % t for t in game.tags.items()) + ('[FEN "%s"]\n' % game.fen if game.fen else "")
    game.number, game.text = number, (head or '[X "y"]\n') + "\n" + " ".join(words(chance, game, game.root) + [end]) + "\n\n"


def words(chance, game, node):
    """The moves after a node, in some games with comments and glyphs."""
    result = []
    while node.children:
        for child in node.children:
            text = [child.move.text]
            if game.annotated and chance.random() < 0.05:
                game.comments.append(re.sub("[{}]", "", random_text(chance)) + " x")
                text.append("{%s}" % game.comments[-1])
            if game.annotated and chance.random() < 0.03:
                game.glyphs = True
                text.append(chance.choice(("$1", "!", "$13")))
            result += text if child.index == 0 else ["("] + text + words(chance, game, child) + [")"]
        node = node.children[0]
    return result


def number_of(text):
    return int(text) if text and text.isdigit() else 0


def roman(text):
    total, last = 0, 0
    for sign in reversed(text):
        n = {"I": 1, "V": 5, "X": 10, "L": 50}[sign]
        total, last = total + (n if n >= last else -n), max(n, last)
    return total


def round_of(game):
    parts = re.fullmatch(r"\(?(\d+)(?:\.(\d+))?(?:\..*)?\)?", game.tags.get("Round", ""))
    return (int(parts.group(1)), int(parts.group(2) or 0)) if parts else (0, 0)


def enumerated(name, value):
    value = re.sub(r"\(.*?\)", "", value or "").replace(" ", "").lower()
    if name == "eventmode":
        return MODES.get(value, "unknown")
    value = {"k.o.": "knockout", "single": "game"}.get(value, value) if name == "eventtype" else value
    return value if value in ENUMERATIONS[name][1].split() else "unknown"


def time_mode(tags):
    words_ = ("normal", "rapid", "blitz", "bullet", "corr")
    if tags.get("TimeMode") in words_:
        return tags["TimeMode"]
    inside = re.search(r"\((rapid|blitz|bullet|corr)\.?\)", tags.get("EventType", ""))
    if inside:
        return inside.group(1)
    if tags.get("Mode") in ("PM", "EM"):
        return "corr"
    control = re.fullmatch(r"(\d+)(?:\+(\d+))?", tags.get("TimeControl", ""))
    if control:
        t = int(control.group(1)) + 60 * int(control.group(2) or 0)
        return "bullet" if t < 180 else "blitz" if t <= 600 else "rapid" if t < 3600 else "normal"
    return "normal" if re.fullmatch(r"\d+/\d.*", tags.get("TimeControl", "")) else "unknown"


def has_title(tags, side):
    return tags.get(side + "Title") not in (None, "-", "?", "")


def computer(tags, side):
    return tags.get(side + "Type") in ("program", "computer", "engine") or tags.get(side + "Title") == "BOT"


def gender(tags, side):
    if side + "Sex" in tags:
        return tags[side + "Sex"]
    return "f" if tags.get(side + "Title") in ("WGM", "WIM", "WFM", "WCM") else "x"


SIDES = {"": ("White", "Black"), "white": ("White",), "black": ("Black",)}


def known_range(chance, low, high):
    """A range with `*` and `-`: its text, the test of a number."""
    a, b = sorted((chance.randint(low, high), chance.randint(low, high)))
    return chance.choice([("*", "*"), ("-", "-"), ("0", lambda n: n == 0), ("%d" % a, lambda n: n == a), ("%d %d" % (a, b), lambda n: a <= n <= b),
                          (">%d" % a, lambda n: n > a), (">=%d" % a, lambda n: n >= a), ("<%d" % b, lambda n: n < b), ("<=%d" % b, lambda n: n <= b),
                          ("%d unlimited" % a, lambda n: n >= a)])


def of_numbers(test, numbers):
    if test in ("*", "-"):
        return any(numbers) == (test == "*")
    return any(test(n) for n in numbers)


def condition(chance, games, depth):
    """A condition on a game: its text, what it means."""
    forms = [by_text, by_text, by_number, by_number, by_date, by_list, by_list, by_player, by_player, by_content]
    return chance.choice(forms + [logic] * 6 if depth > 0 else forms)(chance, games, depth)


def logic(chance, games, depth):
    word = chance.choice(("and", "or", "xor", "cond", "not"))
    lists = [match_list(chance, games, depth - 1) for _ in range(1 if word == "not" else chance.choice((2, 3, 4)))]
    text = " ".join(t for t, _ in lists)

    def holds(game):
        values = [f(game) for _, f in lists]
        if word == "cond":
            for i in range(0, len(values) - 1, 2):
                if values[i]:
                    return values[i + 1]
            return len(values) % 2 == 1 and values[-1]
        return {"and": all(values), "or": any(values), "xor": values.count(True) == 1, "not": not values[0]}[word]

    return ":not " + text if word == "not" else ":%s (%s)" % (word, text), holds


def match_list(chance, games, depth):
    parts = [condition(chance, games, depth) for _ in range(chance.choice((0, 1, 1, 1, 2)))]
    negated = chance.random() < 0.15
    return "(match %s%s)" % (":not " * negated, " ".join(t for t, _ in parts)), lambda game: all(f(game) for _, f in parts) != negated


def by_text(chance, games, depth):
    name = chance.choice(TEXTS)
    values = [g.tags[name] for g in games if name in g.tags] or ["a"]
    if chance.random() < 0.75:
        word = '"%s"' % chance.choice([random_pattern(chance, values)] * 6 + ["", "?*"])
    else:
        word = "".join(c for c in chance.choice(values) if c.isalnum())[:2] or "a"
    if name == "Opening":
        return ":tag Opening " + word, lambda game: text_matches(word, game.tags.get(name))
    return ":%s %s" % (name.lower(), word), lambda game: text_matches(word, game.tags.get(name))


def by_number(chance, games, depth):
    word = chance.choice(("elo", "whiteelo", "blackelo", "rating", "whiterating", "blackrating", "averagerating", "averagerating*",
                          "ratingdifference", "round", "subround", "eventcategory", "year", "plycount", "gamenumber"))
    side = next((s for s in ("white", "black") if word.startswith(s)), "")
    system = "ELO" if word.endswith("elo") else chance.choice(SYSTEMS)
    text, test = known_range(chance, *{"round": (0, 4), "subround": (0, 2), "eventcategory": (0, 15), "year": (1997, 2003), "plycount": (0, 30),
                                      "gamenumber": (1, 10), "ratingdifference": (0, 900)}.get(word, (1700, 2400)))
    if word in ("averagerating*", "ratingdifference", "plycount", "gamenumber") and test in ("*", "-"):
        return by_number(chance, games, depth)
    if word == "eventcategory" and chance.random() < 0.3:
        text, test = ">=IX", lambda n: n >= 9

    def numbers(game, colour):
        return [number_of(game.tags.get(s + (system if system != "ELO" else "Elo"))) for s in SIDES[colour]]

    def holds(game):
        if word in ("plycount", "gamenumber"):
            return test(game.number if word == "gamenumber" else max(n.ply for n in game.nodes if n.depth == 0))
        if word == "round":
            return of_numbers(test, [round_of(game)[0]])
        if word == "subround":
            return round_of(game)[0] > 0 and of_numbers(test, [round_of(game)[1]])
        if word == "eventcategory":
            category = game.tags.get("EventCategory", "")
            return of_numbers(test, [roman(category) if re.fullmatch("[IVXL]+", category) else number_of(category)])
        if word == "year":
            return of_numbers(test, [number_of(game.tags.get("Date", "")[:4])])
        both = game.elos if word == "elo" else game.elos[word[0] == "b":][:1] if word.endswith("elo") else numbers(game, side)
        if word == "ratingdifference":
            return all(both) and test(abs(both[0] - both[1]))
        if word == "averagerating*":
            return all(both) and test(sum(both) // 2)
        if word == "averagerating":
            known = [n for n in both if n]
            return of_numbers(test, [sum(known) // len(known)]) if known else test == "-"
        return of_numbers(test, both)

    return ":%s %s%s" % (word, system + " " if "rating" in word else "", text), holds


def by_date(chance, games, depth):
    word, (text, test) = chance.choice(("date", "eventdate")), random_dates(chance)
    name = {"date": "Date", "eventdate": "EventDate"}[word]
    return ":%s %s" % (word, text), lambda game: test(interval(game.tags.get(name, "")))


def by_list(chance, games, depth):
    word = chance.choice((*ENUMERATIONS, "timemode", "result", "eco"))
    if word == "eco":
        parts = []
        for _ in range(chance.choice((1, 1, 2))):
            low, high = sorted((chance.choice("ABCDE") + "%02d" % chance.randint(0, 99), chance.choice("ABCDE") + "%02d" % chance.randint(0, 99)))
            parts.append(chance.choice(((low, low, low), ("%s-%s" % (low, high), low, high), (low[0] + "00-99", low[0] + "00", low[0] + "99"))))

        def code(game):
            value = game.tags.get("ECO", "")[:3].upper()
            return value if re.fullmatch("[A-E][0-9][0-9]", value) else None

        if chance.random() < 0.2:
            text = chance.choice("*-")
            return ":eco " + text, lambda game: (code(game) is not None) == (text == "*")
        return ":eco " + ",".join(t for t, _, _ in parts), lambda game: code(game) is not None and any(a <= code(game) <= b for _, a, b in parts)
    if word == "result":
        chosen = chance.sample(["1-0", "0-1", "1/2-1/2", "0-0", "*"], chance.choice((1, 2)))
        return ":result " + ",".join(chosen), lambda game: game.said in chosen
    if word == "timemode":
        chosen = chance.sample("unknown normal rapid blitz bullet corr".split(), chance.choice((1, 2)))
        return ":timemode " + ",".join(chosen), lambda game: time_mode(game.tags) in chosen
    tag, values = ENUMERATIONS[word]
    chosen = chance.sample(values.split(), chance.choice((1, 2, 4)))
    return ":%s %s" % (word, ",".join(chosen)), lambda game: enumerated(word, game.tags.get(tag)) in chosen


def by_player(chance, games, depth):
    side = chance.choice(tuple(SIDES))
    word = chance.choice(("title", "iscomputer", "ishuman", "gender", "player"))
    text = ":" + side + word

    def some(test):
        return lambda game: any(test(game.tags, s) for s in SIDES[side])

    if word == "player":
        part = chance.choice(("Tal", "polgar", "sov", '"Tal"', '"Tal*"', '"Polgar, J*"', '"?*"', '""', '"(Tal)*"', '"*Judit"', '"tal, m"'))
        return text + " " + part, some(lambda tags, s: text_matches(part, tags.get(s)))
    if word == "title":
        chosen = chance.sample(["None"] + TITLES, chance.choice((1, 2, 5)))

        def titled(game):
            none = "None" in chosen and not any(has_title(game.tags, s) for s in SIDES[side])
            return none or any(game.tags.get(s + "Title") in chosen for s in SIDES[side])

        return text + " " + ",".join(chosen), titled
    if word == "gender":
        letter = chance.choice("fwmx")
        return text + " " + letter, some(lambda tags, s: gender(tags, s) == letter.replace("w", "f"))
    negated = chance.random() < 0.4
    holds = some(lambda tags, s: computer(tags, s) == (word == "iscomputer"))
    return "!" * negated + text, lambda game: holds(game) != negated


def by_content(chance, games, depth):
    word = chance.choice(("hascomments", "hasannotation", "hasvariations", "comment", "tag"))
    if word == "comment":
        texts = [c for g in games for c in g.comments] or ["a"]
        pattern = random_pattern(chance, texts)
        return ':comment "%s"' % pattern, lambda game: any(pattern_matches(pattern, c, False) for c in game.comments)
    if word == "tag":
        name = chance.choice(("Opening", "TimeMode", "WhiteSex", "Mode"))
        return ":tag " + name, lambda game: game.tags.get(name) not in (None, "?")
    negated = chance.random() < 0.4

    def holds(game):
        return bool(game.comments if word == "hascomments" else game.glyphs if word == "hasannotation" else any(n.depth for n in game.nodes)) != negated

    return "!" * negated + ":" + word, holds


def conditions(chance, games):
    parts = [condition(chance, games, 2) for _ in range(chance.choice((1, 1, 2)))]
    return " ".join(t for t, _ in parts), lambda game: all(f(game) for _, f in parts)
