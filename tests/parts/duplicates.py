"""`cqlgen duplicates`: pairs of games by hand; random games against a plain evaluator; lists, clean files, databases, pipes; what is refused."""
import contextlib
import csv
import io
import itertools
import json
import lzma
import os
import random
import re
import signal
import sqlite3
import subprocess

from parts.harness import read, write

# 48 plies that are legal in this order from the start: knights go out and back.
LONG = "Nf3 Nf6 Nc3 Nc6 Ng1 Ng8 Nb1 Nb8".split() * 6
TAGS = {"Event": "Open", "Site": "Bern", "Date": "1999.05.03", "Round": "2", "White": "Müller, Karl", "Black": "Smith, Jo", "Result": "1-0"}


def pgn(moves, **changes):
    tags = dict(TAGS, **changes)
    return "".join('[%s "%s"]\n' % tag for tag in tags.items()) + "\n" + " ".join([*moves, tags["Result"]]) + "\n"


def run(suite):
    by_hand(suite)
    at_random(suite)
    lists(suite)
    outputs(suite)
    imports(suite)
    inputs(suite)
    mistakes(suite)


def dropped(suite, *words, **options):
    """{(file, number): (why, (file, number))}"""
    result = suite.run([suite.cqlgen, "duplicates", *words, "-q", "-f", "csv"], **options)
    rows = list(csv.DictReader(io.StringIO(result.text())))
    return {(os.path.basename(r["file"]), int(r["number"])): (r["why"], (os.path.basename(r["kept_file"]), int(r["kept_number"]))) for r in rows}


def pair(suite, name, one, two, want):
    """want: (number of the dropped game, why), or None; the other order gives the same unless both are as good."""
    for order in (0, 1):
        path = suite.path("pair.pgn")
        write(path, "\n".join([one, two] if order == 0 else [two, one]))
        got = dropped(suite, path)
        answer = {}
        if want:
            number, why = want
            if number == 0:  # equal: the first one is kept
                number = 2
            elif order == 1:
                number = 3 - number
            answer = {("pair.pgn", number): (why, ("pair.pgn", 3 - number))}
        suite.check("duplicates: %s, order %d" % (name, order), got == answer, "%s\n%s" % (got, answer))


def by_hand(suite):
    long, some, few = LONG[:40], LONG[:39], LONG[:9]
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    same = (0, "same")
    for name, one, two, want in (
            ("the same game", pgn(long), pgn(long), same),
            ("accents, case, initials", pgn(long), pgn(long, White="MULLER,K", Black="Jo Smith"), same),
            ("letters without decomposition", pgn(long, White="Łøß, A"), pgn(long, White="loss"), same),
            ("a rating in the name, a title after it", pgn(long), pgn(long, White="Müller, Karl (2345)", Black="Smith, Jo (ENG)"), same),
            ("other first names", pgn(long), pgn(long, White="Müller, Peter"), None),
            ("other players", pgn(long), pgn(long, White="Mueller, Karl"), None),
            ("colours exchanged", pgn(long), pgn(long, White="Smith, Jo", Black="Müller, Karl"), None),
            ("results that contradict", pgn(long), pgn(long, Result="0-1"), None),
            ("a result that is unknown", pgn(long), pgn(long, Result="*"), same),
            ("other moves", pgn(long), pgn([*long[:-1], "Na6"]), None),
            ("other spelling of moves", pgn("e4 e5".split() + LONG[:38]), pgn("1.e2e4 e7-e5 2. Ng1f3! Ngf6".split() + LONG[2:38]), same),
            ("40 plies, all else differs", pgn(long), pgn(long, Event="Other", Site="Rome", Date="1950.??.??", Round="9"), same),
            ("39 plies, another date", pgn(some), pgn(some, Date="1999.05.04"), None),
            ("39 plies, a date in part", pgn(some), pgn(some, Date="1999.??.??"), same),
            ("39 plies, another round", pgn(some), pgn(some, Round="3"), None),
            ("39 plies, another event", pgn(some), pgn(some, Event="Closed"), None),
            ("39 plies, the event in other letters", pgn(some), pgn(some, Event="OPEN!"), same),
            ("39 plies, round and site unknown", pgn(some), pgn(some, Round="?", Site="?"), (2, "same")),
            ("39 plies, neither year nor event", pgn(some, Event="?", Date="????.05.03"), pgn(some, Event="?", Date="????.05.03"), None),
            ("39 plies, no year but the event", pgn(some, Date="????.??.??"), pgn(some, Date="????.??.??"), same),
            ("9 plies, equal tags", pgn(few), pgn(few), same),
            ("9 plies, round unknown", pgn(few), pgn(few, Round="?"), None),
            ("no moves", pgn([]), pgn([]), same),
            ("no moves, another round", pgn([]), pgn([], Round="1"), None),
            ("unknown players, 40 plies", pgn(long, White="?", Black="?", Round="1"), pgn(long, White="NN", Black="N.N."), (1, "same")),
            ("unknown players, 39 plies", pgn(some, White="?", Round="1"), pgn(some, White="?", Round="?"), None),
            ("an unknown player and a known one", pgn(long), pgn(long, White="?"), None),
            ("two addresses", pgn(long, Site="https://x.org/a"), pgn(long, Site="https://x.org/b"), None),
            ("an address and a place", pgn(long, Site="https://x.org/a"), pgn(long), same),
            ("two addresses in Link", pgn(long, Link="https://x.org/a"), pgn(long, Link="https://x.org/b"), None),
            ("a beginning", pgn(long), pgn(LONG), (1, "begins")),
            ("a beginning of 39 plies", pgn(some), pgn(LONG), (1, "begins")),
            ("a beginning of 39 plies, another round", pgn(some), pgn(LONG, Round="1"), None),
            ("a beginning of 9 plies", pgn(few), pgn(LONG), (1, "begins")),
            ("a beginning of 9 plies, round unknown", pgn(few, Round="?"), pgn(LONG), None),
            ("a game without moves and its moves", pgn([]), pgn(LONG), (1, "begins")),
            ("a beginning with another result", pgn(long, Result="1/2-1/2"), pgn(LONG), None),
            ("a beginning with comments", pgn([*long, "{much to say}"]), pgn(LONG), (1, "begins")),
            ("more tags", pgn(long), pgn(long, WhiteElo="2500"), (1, "same")),
            ("tags that say nothing", pgn(long, WhiteElo="?", ECO="?"), pgn(long, WhiteElo="2500"), (1, "same")),
            ("a comment", pgn(long), pgn([*long, "{so be it}"]), (1, "same")),
            ("a glyph", pgn(long), pgn([*long, "$2"]), (1, "same")),
            ("a variation", pgn(long), pgn([*long, "(20... Na5)"]), (1, "same")),
            ("a FEN", pgn(["e4", "Kd7"] + ["Kd2", "Ke7", "Ke2", "Kd7"] * 10, FEN=fen), pgn(["e4", "Kd7"] + ["Kd2", "Ke7", "Ke2", "Kd7"] * 10, FEN=fen.replace("0 1", "7 30")), same),
            ("another FEN", pgn(["Kd2", "Kd7", "Ke1", "Ke8"] * 10, FEN=fen), pgn(["Kd2", "Kd7", "Ke1", "Ke8"] * 10, FEN=fen.replace("4P3", "5P2")), None),
            ("a variant", pgn(long, Variant="Atomic"), pgn(long), None),
            ("the same variant", pgn(long, Variant="Atomic"), pgn(long, Variant="atomic"), same),
            ("an unknown variant, the same text", pgn(long, Variant="Mine"), pgn(long, Variant="Mine"), same),
            ("a move that cannot be read, and the same text", pgn([*long, "Ke5", "Nf3"]), pgn([*long, "Ke5", "Nf3"]), same),
            ("a move that cannot be read, and another text", pgn([*long, "Ke5", "Nf3"]), pgn([*long, "Ke5", "Nc3"]), None),
            ("a move that cannot be read, and the game", pgn([*long, "Ke5"]), pgn(LONG), None)):
        pair(suite, name, one, two, want)


# ---- an evaluator -----------------------------------------------------------------------------------------

def agree(a, b):
    """The rules of docs/command-line.md for games as at_random makes them: (moves, tags)."""
    (moves, x), (others, y) = sorted((a, b), key=lambda game: len(game[0]))
    if others[:len(moves)] != moves or x["White"].split(",")[0] != y["White"].split(",")[0] or x["Black"] != y["Black"]:
        return False
    first = [tags["White"].partition(", ")[2] for tags in (x, y)]
    if (all(first) and first[0] != first[1]) or ("*" not in (x["Result"], y["Result"]) and x["Result"] != y["Result"]):
        return False
    names = ("Event", "Round", "Date", "Site")
    if len(moves) < (40 if x["Black"] == "?" else 10):
        return all(x[name] == y[name] for name in names)
    if len(moves) >= 40:
        return True
    known = ("?" not in x["Date"][:4] + y["Date"][:4]) or "?" not in (x["Event"], y["Event"])
    parts = [(p, q) for name in names for p, q in zip(x[name].split("."), y[name].split("."))]
    return known and all("?" in p or "?" in q or p == q for p, q in parts)


def random_game(choose, lines):
    moves = choose.choice(lines)
    moves = moves[:choose.choice((0, 5, 9, 10, 12, 30, 39, 40, 44, len(moves)))]
    return moves, {"Event": choose.choice(("Open", "Open", "Cup", "?")), "Site": choose.choice(("Bern", "?")), "Round": choose.choice(("1", "1", "2", "?")),
                   "Date": choose.choice(("1999.05.03", "1999.05.03", "1999.05.??", "1998.??.??", "????.??.??")),
                   "White": choose.choice(("Able", "Able, A", "Able, B", "Cole")), "Black": choose.choice(("Dorn", "Dorn", "?")),
                   "Result": choose.choice(("1-0", "1-0", "0-1", "*"))}


def at_random(suite):
    choose = random.Random(int(os.environ.get("CQLGEN_SEED", "7")))
    steps = [("Nf3", "Ng1"), ("Nc3", "Nb1")], [("Nf6", "Ng8"), ("Nc6", "Nb8")]
    for number in range(6):
        lines = []
        for _ in range(3):
            out, moves = [[0, 0], [0, 0]], []
            for ply in range(48):
                knight = choose.randrange(2)
                moves.append(steps[ply % 2][knight][out[ply % 2][knight]])
                out[ply % 2][knight] ^= 1
            lines.append(moves)
        games = [random_game(choose, lines) for _ in range(400)]
        path, stored = suite.path("random.pgn"), suite.path("random.cqldb")
        write(path, "\n".join(pgn(moves, **tags) for moves, tags in games))
        if os.path.exists(stored):
            os.remove(stored)
        suite.run([suite.cqlgen, "import", path, "-o", stored, "-q"])
        got = {game[1] - 1: (why, kept[1] - 1) for game, (why, kept) in dropped(suite, path, "-j", "1").items()}
        also = {game[1] - 1: (why, kept[1] - 1) for game, (why, kept) in dropped(suite, stored, "-j", "3").items()}
        suite.check("duplicates: random %d, a database and threads" % number, got == also and len(got) > 50, str(len(got)))
        wrong = [(game, kept) for game, (why, kept) in got.items()
                 if kept in got or not agree(games[game], games[kept]) or (why == "same") != (len(games[game][0]) == len(games[kept][0]))]
        suite.check("duplicates: random %d, each agrees with the game that is kept" % number, not wrong, str(wrong[:5]))
        # Agreement is not transitive. A game may stay because the one that it agrees with is dropped for another.
        left = [(a, b) for a, b in itertools.combinations([i for i in range(len(games)) if i not in got], 2) if agree(games[a], games[b]) and
                not any(agree(games[min(a, b, key=lambda i: len(games[i][0]))], games[i]) for i in got)]
        suite.check("duplicates: random %d, none is left" % number, not left, str([(games[a], games[b]) for a, b in left[:2]]))


# ---- lists and files --------------------------------------------------------------------------------------

def lists(suite):
    one, two = suite.path("one.pgn"), suite.path("two.pgn")
    write(one, pgn(LONG) + "\n" + pgn(LONG[:40], White='=Quill, "Q"'.replace('"', '\\"')))
    write(two, "\n\n" + pgn(LONG[:41]) + "\n" + pgn(LONG[:40], White='=Quill, "Q"'.replace('"', '\\"')))
    text = suite.run([suite.cqlgen, "duplicates", one, two])
    suite.ends("duplicates: text", text, 0, '%s:3: game 1: Müller, Karl - Smith, Jo, 1999.05.03, 1-0, 41 plies\n    the beginning of %s:1: game 1: Müller, Karl - Smith, Jo, '
               '1999.05.03, 1-0, 48 plies\n%s:13: game 2: =Quill, "Q" - Smith, Jo, 1999.05.03, 1-0, 40 plies\n    the same as %s:11: game 2: =Quill, "Q" - Smith, Jo, '
               '1999.05.03, 1-0, 40 plies\n' % (two, one, two, one), "4 games, 2 duplicates, 1 of them the beginning of a longer game, ")
    rows = list(csv.reader(io.StringIO(suite.run([suite.cqlgen, "duplicates", one, two, "-q", "-f", "csv", "--csv-safe"]).text())))
    suite.check("duplicates: csv", rows[0][:10] == "file number line white black date result plies why kept_file".split() and
                rows[2] == [two, "2", "13", "'=Quill, \"Q\"", "Smith, Jo", "1999.05.03", "1-0", "40", "same", one, "2", "11", "'=Quill, \"Q\"", "Smith, Jo",
                            "1999.05.03", "1-0", "40"], str(rows))
    entries = json.loads(suite.run([suite.cqlgen, "duplicates", one, two, "-q", "-f", "json"]).text())
    suite.check("duplicates: json", [entry["why"] for entry in entries] == ["begins", "same"] and
                entries[1]["game"] == {"file": two, "number": 2, "line": 13, "white": '=Quill, "Q"', "black": "Smith, Jo", "date": "1999.05.03", "result": "1-0", "plies": 40},
                str(entries))
    suite.ends("duplicates: none", suite.run([suite.cqlgen, "duplicates", one, "-f", "json"]), 0, "[]\n", "2 games, 0 duplicates")


def outputs(suite):
    """The games that are kept come out byte for byte."""
    odd = pgn([*LONG, "{a  comment}"]).replace("Nc3", "Nc3!  ").replace("\n", "\r\n").strip()
    games = [pgn(LONG).strip(), odd, pgn(LONG[:12]).strip(), pgn(LONG[:12], Round="3", Event="é").encode().decode("latin-1").strip(), "[White \"x\"]\n\n1. e4 Ke4 *"]
    path, out, stored = suite.path("bytes.pgn"), suite.path("clean.pgn"), suite.path("clean.cqldb")
    with open(path, "wb") as file:
        file.write("\n\n".join(games).encode("latin-1", "replace"))
    want = ("\n\n".join(games[i] for i in (1, 3, 4)) + "\n\n").encode("latin-1", "replace")
    suite.ends("duplicates: a clean file", suite.run([suite.cqlgen, "duplicates", path, "-o", out, "-q"]))
    suite.check("duplicates: the clean file", open(out, "rb").read() == want)
    shown = suite.run([suite.cqlgen, "duplicates", path, "-o", "-", "-q"])
    suite.ends("duplicates: to standard output", shown, 0, None, "", also=shown.out == want)
    suite.run([suite.cqlgen, "duplicates", path, "-o", stored, "-q"])
    suite.check("duplicates: a clean database", suite.run([suite.cqlgen, "export", stored]).out == want)
    again = suite.path("again.pgn")
    suite.run([suite.cqlgen, "duplicates", stored, path, "-o", again, "-q"])
    suite.check("duplicates: from a database and PGN", open(again, "rb").read() == want)


def imports(suite):
    one, two, stored = suite.path("i1.pgn"), suite.path("i2.pgn"), suite.path("i.cqldb")
    write(one, pgn(LONG[:40]) + "\n" + pgn(LONG[:41], White="Other, A"))
    write(two, pgn([*LONG[:40], "{better}"]) + "\n" + pgn(LONG, White="Other, A") + "\n" + pgn(LONG, White="Third, B") + "\n" + pgn(LONG, White="Third"))
    suite.ends("duplicates: import", suite.run([suite.cqlgen, "import", one, two, "--skip-duplicates", "-o", stored]), 0, "",
               "%s: 0 games imported, 2 duplicates left out, 0 messages about damage, " % one)
    kept = "\n\n".join(re.split(r"\n\n(?=\[)", read(two).strip())[:3]) + "\n\n"
    suite.check("duplicates: the import", suite.run([suite.cqlgen, "export", stored]).text() == kept)
    os.remove(stored)
    # What the database has stays, even where what comes is better.
    suite.run([suite.cqlgen, "import", one, "-o", stored, "-q"])
    suite.ends("duplicates: import --append", suite.run([suite.cqlgen, "import", two, "--append", "--skip-duplicates", "-o", stored]), 0, "",
               "%s: 2 games imported, 2 duplicates left out" % two)
    names = re.findall(r'White "([^"]*)', suite.run([suite.cqlgen, "export", stored]).text())
    suite.check("duplicates: the import --append", names == ["Müller, Karl", "Other, A", "Other, A", "Third, B"], str(names))


def inputs(suite):
    path, packed = suite.path("in.pgn"), suite.path("in.pgn.xz")
    write(path, pgn(LONG))
    with lzma.open(packed, "wb") as file:
        file.write(read(path).encode())
    got = dropped(suite, path, packed, "-", stdin=read(path).encode())
    suite.check("duplicates: compressed, a pipe", got == {("in.pgn.xz", 1): ("same", ("in.pgn", 1)), ("<stdin>", 1): ("same", ("in.pgn", 1))}, str(got))
    stored = suite.path("in.cqldb")
    suite.ends("duplicates: a pipe into a database", suite.run([suite.cqlgen, "import", "-", path, "--skip-duplicates", "-o", stored, "-q"], stdin=read(path).encode()), 0, "", "",
               also=suite.run([suite.cqlgen, "export", stored]).text().count("[White") == 1)
    missing = suite.run([suite.cqlgen, "duplicates", path, suite.path("none.pgn"), path, "-q"])
    suite.check("duplicates: an input that is missing", missing.status == 3 and "the same as" in missing.text() and "none.pgn: error: cannot read" in missing.errors(), missing.errors())
    os.remove(stored)
    write(path, pgn(LONG) + "\n" + pgn(["e4", "Ke4"]) + "\n" + pgn(LONG))
    suite.run([suite.cqlgen, "import", path, "-o", stored, "-q"])
    with contextlib.closing(sqlite3.connect(stored)) as connection, connection:
        connection.execute("UPDATE chunk SET texts = X'00'")
    broken = suite.run([suite.cqlgen, "duplicates", stored, "-q"])
    suite.check("duplicates: a database with a text that is damaged", broken.status == 3 and "game 3" in broken.text() and
                "error: chunk 1 is damaged" in broken.errors() and "changed" not in broken.errors(), broken.text() + broken.errors())
    no_room = suite.run([suite.cqlgen, "duplicates", path, path], environment={"TMPDIR": suite.path("nowhere")})
    suite.ends("duplicates: no temporary file", no_room, 5, "", "cannot use a temporary file: No such file")


def mistakes(suite):
    path = suite.path("in.pgn")
    for words, message in (([], "no games to look through"), ([path, "-o", "x.csv"], "writes games as PGN"), ([path, "-f", "xml"], "text"),
                           ([path, "-o", "-", "-f", "csv"], "choose another output name"), ([path, "-o", path], "both an input and the output")):
        suite.ends("duplicates: refused: %s" % words, suite.run([suite.cqlgen, "duplicates", *words]), 2, "", message)
    clean = suite.path("clean2.pgn")
    missing = suite.run([suite.cqlgen, "duplicates", path, suite.path("none.pgn"), "-o", clean])
    suite.ends("duplicates: no clean file without all inputs", missing, 3, "", "cannot read", also=not os.path.exists(clean))
    process = subprocess.Popen([suite.cqlgen, "duplicates", "-", "-o", clean], stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=suite.environment)
    process.stdin.write(pgn(LONG).encode() * 2000)  # more than a pipe holds: it has begun
    process.send_signal(signal.SIGINT)
    errors = process.communicate()[1]
    suite.check("duplicates: interrupted", process.returncode == -signal.SIGINT and errors == b"cqlgen: interrupted\n" and not os.path.exists(clean), repr(errors))
