"""Databases of games: what a search of a database finds and writes is what it finds and writes in the PGN that was imported,
byte for byte; the PGN comes out again as it was; imports that are cut off continue; damage is reported.
"""
import ctypes
import ctypes.util
import os
import random
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import time

from parts import cases
from parts.drivers import pgn_files
from parts.harness import EXAMPLES, TESTS, difference, read, write
from parts.shared import AREAS, REFUSALS, SHARED, known_failures
from parts.threads import FORMATS


def make(suite, pgn, name, *options):
    """The path of a database made of PGN files."""
    path = suite.path(name)
    files = pgn if isinstance(pgn, list) else [pgn]
    suite.ends("database: import of %s" % name, suite.run([suite.cqlgen, "import", *files, "-o", path, "-q", *options]), also=os.path.exists(path))
    return path


def run(suite):
    files = suite.some(pgn_files(), 2, 3)
    databases = {pgn: make(suite, pgn, "db-%d.cqldb" % i) for i, pgn in enumerate(files)}
    for pgn, why in suite.map(lambda p: whole(suite, p, databases[p]), files):
        suite.check("database of %s" % os.path.basename(pgn), not why, why)
    same_answers(suite, databases)
    same_output(suite)
    limits(suite)
    several_inputs(suite)
    continues(suite)
    interrupted(suite)
    at_once(suite)
    refusals(suite)
    damage(suite)
    forged(suite)
    rows(suite)
    older(suite)
    variants(suite)
    clocks(suite)
    without_games(suite)
    odd(suite)
    facts(suite, databases)
    layout(suite)
    many_names(suite)
    info(suite)


def whole(suite, pgn, database):
    """Everything comes out again: `export` gives the bytes of each game, and a search all that it would write."""
    verified = suite.run([suite.cqlgen, "verify", database])
    if verified.status != 0:
        return "verify: " + verified.text()[-300:]
    exported = database + ".pgn"
    if suite.run([suite.cqlgen, "export", database, "-o", exported]).status != 0:
        return "export fails"
    for options in (["-e", "true", "-f", "pgn"], ["-e", "true", "-f", "positions"], ["-e", "find all true", "-f", "fen"]):
        wanted = suite.search(*options, "--variations", "-q", pgn)
        for name in (exported, database):
            got = suite.search(*options, "--variations", "-q", name)
            if (got.out, got.status) != (wanted.out, wanted.status):
                return "%s of %s: %s" % (" ".join(options), os.path.splitext(name)[1],
                                         difference(wanted.out.decode("latin-1"), got.out.decode("latin-1")))
    return ""


# Games whose moves or texts an import cannot pack in the usual way.
ODD = (
    '[Event "a control byte in a comment"]\n\n1. e4 {\x02} e5 *',
    '[Event "more is said than needed: the rook on h3 cannot come to a3"]\n\n1. a4 a5 2. h4 h5 3. Rh3 b6 4. Nf3 c6 5. Raa3 d6 6. Rhg3 *',
    '[Event "the answer to a check brings a king next to the other one"]\n\n1. d4 e6 2. Kd2 Ke7 3. Kd3 Kf6 4. Ke4 h6 5. Bg5+ Kf5 6. a3 *',
    '[Event "a king goes next to the other one"]\n\n1. d4 e6 2. Kd2 Ke7 3. Kd3 Kf6 4. Ke4 h6 5. a3 Kf5 6. a4 g6 *',
    '[Event "castling written like, and with letters after it"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-Ox *',
    '[Event "castling out of check"]\n\n1. e4 e5 2. Bc4 Qh4 3. Nf3 Qxf2+ 4. O-O *',
    '[Event "castling through check"]\n\n1. g3 b6 2. Bg2 Ba6 3. Nf3 c6 4. e3 c5 5. O-O *',
    '[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8=queen Kg7 *',
    '[Event "no result"]\n\n1. e4 {a} e5 {b}',
)


def odd(suite):
    """Each of them in a database of its own comes out again."""
    for i, text in enumerate(ODD):
        pgn = suite.path("odd-%d.pgn" % i)
        write(pgn, text + "\n")
        why = whole(suite, pgn, make(suite, pgn, "odd-%d.cqldb" % i))
        suite.check("database: %s" % text.split("\n")[0], not why, why)


def same_answers(suite, databases):
    """The conformance cases, on databases."""
    found = cases.load(cases.CASES, [os.path.join(TESTS, "pgn"), EXAMPLES])
    shared = os.path.join(SHARED, "conformance")
    if os.path.isdir(shared):
        known = known_failures()
        found += [c for c in cases.load(shared, [os.path.join(SHARED, "pgn")], AREAS) if c.key not in known]
    found = [c for c in found if c.pgn in databases and suite.wanted(c.key)]
    found = found[::suite.size(full=8, quick=32, sanitize=32)]
    for case in found:
        case.pgn = databases[case.pgn]

    def judge(work):
        case, engine = work
        if case.positions():
            return cases.judge(suite, case, ["--engine", engine], REFUSALS)
        return cases.judge_output(suite, case) if case.output else ""

    # Screens are compiled: libtcc has one lane, the system compiler several.
    work = [(case, "tcc") for case in found] + [(case, "cc") for case in found[::10]]
    for (case, engine), why in suite.map(judge, work):
        suite.check("database, %s: %s" % (engine, case.key), not why, why)


def same_output(suite):
    """All formats, with several numbers of threads in turn."""
    text = "\n\n".join(read(os.path.join(EXAMPLES, f)).strip() for f in sorted(os.listdir(EXAMPLES)) if f.endswith(".pgn"))
    games = suite.path("formats.pgn")
    write(games, (text + "\n\n") * suite.size(full=40, quick=20, sanitize=4))
    database = make(suite, games, "formats.cqldb", "-j", "3")
    queries = [f for f in sorted(os.listdir(EXAMPLES)) if f.endswith(".cql")][::suite.size(full=4, quick=8, sanitize=8)]

    def compare(work):
        query, form, threads = work
        words = [os.path.join(EXAMPLES, query), "-q", "-f", form, "--engine", "tcc"]
        wanted = suite.search(*words, games).out.replace(games.encode(), b"").decode("latin-1")
        got = suite.search(*words, database, "-j", threads).out.replace(database.encode(), b"").decode("latin-1")
        return "" if got == wanted else difference(wanted, got)

    work = [(query, form, "172"[(q + f) % 3]) for q, query in enumerate(queries) for f, form in enumerate(FORMATS)]
    for (query, form, threads), why in suite.map(compare, work):
        suite.check("database: %s as %s in %s threads" % (query, form, threads), not why, why)


def limits(suite):
    """A search that has enough ends at the same game, also where moves or tags alone decide."""
    games = suite.path("limits.pgn")
    write(games, (read(os.path.join(EXAMPLES, "games.pgn")).strip() + "\n\n") * 20)
    database = make(suite, games, "limits.cqldb")
    for query in ("ply == 1", "mate", "result 1-0 initial", "result 1-0", "check comment(ply)"):
        for form in ("count", "positions", "pgn"):
            said = [suite.search("-e", query, name, "-n", "7", "-f", form, "-j", "1", "--engine", "tcc") for name in (games, database)]
            numbers = [re.search(r"(\d+) of (\d+) games? match", result.errors()) for result in said]
            good = said[0].out == said[1].out and all(numbers) and numbers[0].group() == numbers[1].group() and numbers[0].group(1) == "7"
            suite.check("database: the first 7 games of %s as %s" % (query, form), good, " / ".join(r.errors() for r in said))


def several_inputs(suite):
    """PGN and databases in one search; several files in one database."""
    first, second = (os.path.join(EXAMPLES, f) for f in ("games.pgn", "studies.pgn"))
    one, both = make(suite, second, "second.cqldb"), make(suite, [first, second], "both.cqldb")
    added = make(suite, first, "added.cqldb")
    suite.ends("database: --append", suite.run([suite.cqlgen, "import", "--append", second, "-o", added, "-q"]))
    wanted = suite.search("-e", "check", first, second, "-q", "-f", "positions").out
    for inputs in ([first, one], [both], [added]):
        got = suite.search("-e", "check", *inputs, "-q", "-f", "positions").out
        suite.check("database: %d inputs" % len(inputs), got == wanted and got != b"", difference(wanted.decode(), got.decode()))
    number = suite.search("-e", "lastgamenumber == gamenumber", both, "-q", "-f", "count").text()
    suite.check("database: lastgamenumber", number == "1\n", number)


def continues(suite):
    """An import that is killed continues with the same command and gives the same database."""
    games = suite.path("long.pgn")
    suite.generate(games, seed=3, games=suite.size(full=16000, quick=9000, sanitize=9000), starts=12)  # several chunks
    whole_one = make(suite, games, "whole.cqldb")
    cut = suite.path("cut.cqldb")
    command = [suite.cqlgen, "import", games, "-o", cut, "-q", "-j", "1"]
    for _ in range(3):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            time.sleep(0.02)
            if process.poll() is not None or os.path.exists(cut) and os.path.getsize(cut) > 300000:
                break
        process.send_signal(signal.SIGKILL)
        process.wait()
    suite.run(command)
    texts = [suite.run([suite.cqlgen, "export", path]).out for path in (whole_one, cut)]
    suite.check("database: a killed import continues", texts[0] == texts[1] != b"", "%d and %d bytes" % (len(texts[0]), len(texts[1])))
    info = suite.run([suite.cqlgen, "info", whole_one]).text()
    mates = suite.search("-e", "terminal mate", games, "-q", "-f", "count").text().strip()
    suite.check("database: info counts mates", mates != "0" and "ends       %s with checkmate" % mates in info, info)
    again = suite.run(command)
    suite.check("database: a second import needs --append", again.status != 0 and "--append" in again.errors(), again.errors())


def interrupted(suite):
    """Ctrl-C ends an import in good order: the chunks in work are stored, and the same command continues."""
    games = suite.path("long.pgn")
    with open(games, "rb") as f:
        text = f.read()
    for number in (signal.SIGINT, signal.SIGTERM):
        path, fifo = suite.path("interrupted-%d.cqldb" % number), suite.path("games-%d.pgn" % number)
        os.mkfifo(fifo)
        command = [suite.cqlgen, "import", fifo, "-o", path, "-q", "-j", "2"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with open(fifo, "wb", buffering=0) as f:  # the rest never comes: the import waits in the middle of a game
            f.write(text[:len(text) * 3 // 4])
            for _ in range(600):
                time.sleep(0.02)
                if os.path.exists(path) and os.path.getsize(path) > 300000:
                    break
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
        name = signal.Signals(number).name
        suite.check("database: %s ends an import" % name, process.returncode == -number, str(process.returncode))
        suite.check("database: %s says how to go on" % name, b"the same command continues" in errors, errors[-600:].decode("latin-1"))
        suite.check("database: %s leaves a good database" % name, suite.run([suite.cqlgen, "verify", path]).status == 0)
        os.unlink(fifo)
        os.link(games, fifo)
        suite.run(command)
        got = suite.run([suite.cqlgen, "export", path]).out
        suite.check("database: an import continues after %s" % name, got == suite.run([suite.cqlgen, "export", suite.path("whole.cqldb")]).out,
                    str(len(got)))


def at_once(suite):
    """Of two imports into a database, new or not, the one that comes later is refused, and loses nothing of the other."""
    path, games = suite.path("at-once.cqldb"), os.path.join(EXAMPLES, "games.pgn")
    for append in ([], ["--append"]):
        process = subprocess.Popen([suite.cqlgen, "import", "-", "-o", path, "-q", *append], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        for _ in range(600):
            time.sleep(0.02)
            other = suite.run([suite.cqlgen, "import", os.devnull, "-o", path, "-q", *append])
            if b"another import" in other.err:  # the first one waits for games
                break
        other = suite.run([suite.cqlgen, "import", games, "-o", path, "-q", *append])
        _, errors = process.communicate(b"1. e4 *\n", timeout=60)
        expected = "cqlgen: %s: another import is writing to it; run this one when it has ended\n" % path
        suite.check("database: the second of two imports at once is refused", (other.status, other.errors(), process.returncode) == (5, expected, 0),
                    "%s %s, %s %s" % (other.status, other.errors(), process.returncode, errors))
        exported = suite.run([suite.cqlgen, "export", path]).out
        suite.check("database: the first of two imports at once stays", exported == b"1. e4 *\n\n" * (1 + len(append)), str(exported[:100]))
    suite.ends("database: an import after them", suite.run([suite.cqlgen, "import", games, "-o", path, "-q", "--append"]))
    one, two = ([suite.cqlgen, "import", os.path.join(EXAMPLES, name), "-o", suite.path("race.cqldb"), "-q"] for name in ("games.pgn", "studies.pgn"))
    for _ in range(suite.size(full=20, quick=3, sanitize=2)):
        both = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for command in (one, two)]
        ends = [(process.communicate(timeout=60)[1].decode(), process.returncode) for process in both]
        texts = [read(command[2]) for command in (one, two)]
        exported = suite.run([suite.cqlgen, "export", one[4]]).text()
        counts = [exported.count("[White ") == text.count("[White ") for text in texts]
        suite.check("database: one of two imports at the same moment is whole, the other refused", sorted(status for _, status in ends) == [0, 5] and
                    counts == [status == 0 for _, status in ends] and any("another import" in text or "--append adds" in text for text, _ in ends), str(ends))
        os.remove(one[4])


def refusals(suite):
    foreign, text, empty = suite.path("foreign.sqlite"), suite.path("text.cqldb"), suite.path("empty.cqldb")
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE t(a)")
    connection.commit()
    connection.close()
    write(text, "1. e4 e5 *\n")
    write(empty, "")
    good = make(suite, os.path.join(EXAMPLES, "games.pgn"), "good.cqldb")
    for command, words in (
            (["search", "-e", "check", foreign], "did not make"),
            (["info", foreign], "not a database of games"), (["verify", text], "not a database"), (["export", empty], "not a database"),
            (["import", good, "-o", foreign], "not a database of games"), (["import", "-o", good], "no games to import"),
            (["import", text], "-o GAMES.cqldb"), (["import", "missing.pgn", "-o", suite.path("none.cqldb")], "missing.pgn"),
            (["import", "--append", text, "-o", suite.path("absent.cqldb")], "cannot open"), (["info"], "expected one database")):
        result = suite.run([suite.cqlgen, *command])
        suite.check("database: %s is refused" % " ".join(command[:2]), result.status not in (0, None) and not result.crashed() and
                    words in result.errors() + result.text(), "%s %s" % (result.status, result.errors()))
    with open(good, "rb") as f:
        piped = suite.search("-e", "check", "-", "-q", "-f", "count", stdin=f.read())
    suite.check("database: a pipe is refused", piped.status == 3 and "from a pipe" in piped.errors(), piped.errors())


def damage(suite):
    """Changed bytes and cut files: never a crash, never a hang, and searches say what they left out."""
    good = make(suite, os.path.join(EXAMPLES, "studies.pgn"), "before.cqldb")
    with open(good, "rb") as f:
        original = f.read()
    chance = random.Random(int(os.environ.get("CQLGEN_SEED", "1")))

    def attempt(number):
        rnd = random.Random(number)
        data = bytearray(original)
        if number % 4 == 0:
            data = data[:rnd.randrange(len(data))]
        else:
            # most of a page is empty; damage what is not
            used = [i for i in range(0, len(data)) if data[i]]
            for _ in range(rnd.choice((1, 4, 30))):
                data[rnd.choice(used)] = rnd.randrange(256)
        path = suite.path("damaged-%d.cqldb" % number)
        with open(path, "wb") as f:
            f.write(data)
        for command in (["search", "-e", "check", "-q", "-f", "pgn"], ["verify"], ["info"], ["export"]):
            result = suite.run([suite.cqlgen, *command, path], timeout=60)
            if result.crashed() or result.status is None:
                return "%s: status %s %s" % (command[0], result.status, result.errors()[-300:])
        os.unlink(path)
        return ""

    numbers = [chance.randrange(1 << 30) for _ in range(suite.size(full=60, quick=12, sanitize=10))]
    for number, why in suite.map(attempt, numbers):
        suite.check("database: damage %d" % number, not why, why)
    # a changed byte in a blob is noticed by its checksum
    data = bytearray(original)
    at = original.rindex(b"\x28\xb5\x2f\xfd") + 20
    data[at] ^= 255
    path = suite.path("blob.cqldb")
    with open(path, "wb") as f:
        f.write(data)
    searched, verified = suite.search("-e", "check", path, "-q"), suite.run([suite.cqlgen, "verify", path])
    suite.check("database: a damaged chunk is reported", searched.status == 3 and "chunk 1 is damaged" in searched.errors() and
                verified.status == 3 and "chunk 1 is damaged" in verified.text(), searched.errors() + verified.text())


def checksums(suite):
    """The function that a database takes checksums with."""
    library = ctypes.util.find_library("xxhash")
    if not suite.check("database: the library of checksums", library is not None):
        return None
    checksum = ctypes.CDLL(library).XXH3_64bits
    checksum.restype, checksum.argtypes = ctypes.c_int64, (ctypes.c_char_p, ctypes.c_size_t)
    return checksum


def forged(suite):
    """Changed bytes of blobs whose checksums are right: never a crash, and verify finds all that is about moves, texts and clocks."""
    checksum = checksums(suite)
    if not checksum:
        return
    good = make(suite, [os.path.join(EXAMPLES, "games.pgn"), os.path.join(TESTS, "pgn", "clocks.pgn")], "forged.cqldb")
    chance, found = random.Random(os.environ.get("CQLGEN_SEED", "1")), set()

    def attempt(work):
        number, (table, blob, place) = work
        path = suite.path("forged-%d.cqldb" % number)
        shutil.copy(good, path)
        connection = sqlite3.connect(path)
        data = bytearray(connection.execute("SELECT %s FROM %s" % (blob, table)).fetchone()[0])
        if isinstance(place, bytes):
            data = place
        else:
            data[int(place * len(data))] ^= 1 << number % 8
        connection.execute("UPDATE %s SET %s = ?, %s = ?" % (table, blob, "sum" if table == "clocks" else blob + "_sum"),
                           (bytes(data), checksum(bytes(data), len(data))))
        connection.commit()
        connection.close()
        for command in (["search", "-e", "check", "-q", "-f", "pgn"], ["search", "-e", "clock > 1", "-q", "-f", "count"], ["export"], ["verify"]):
            result = suite.run([suite.cqlgen, *command, path], timeout=60)
            if result.crashed():
                return "%s: status %s %s" % (command[0], result.status, result.errors()[-300:])
        os.unlink(path)
        found.update(re.findall("(?m)(?:game|chunk) [0-9]+(?: is damaged)?: (.*)", result.text()))
        # bits of the index that say nothing about a game, and texts that are others but no less right
        return "" if result.status == 3 or blob in ("games", "tags", "texts") else "verify finds nothing"

    places = [("chunk", blob, chance.random()) for blob in ("games", "moves", "tags", "texts") for _ in range(suite.size(full=12, quick=3, sanitize=2))]
    places += [("chunk", "games", n / 1000) for n in range(suite.size(full=10, quick=6, sanitize=1))]
    places += [("clocks", "clocks", chance.random()) for _ in range(suite.size(full=24, quick=6, sanitize=2))]
    # nothing; numbers that do not end; lengths of parts, the second too long, which the blob has not
    places += [(table, blob, text) for table, blob in (("chunk", "moves"), ("chunk", "tags"), ("chunk", "texts"), ("clocks", "clocks"))
               for text in (b"\0", b"\0" * 99, b"\xff" * 30, b"\1\1x", b"\1\xff\xff\xff\xff\x07x")]
    for (number, place), why in suite.map(attempt, enumerate(places)):
        suite.check("database: the blob %s forged at %s" % (place[1], place[2]), not why, why)
    suite.check("database: verify says what is wrong", len(found) > 1, str(found))


def rows(suite):
    """The tables that other programs read."""
    path = make(suite, os.path.join(EXAMPLES, "games.pgn"), "rows.cqldb")
    connection = sqlite3.connect(path)
    games = connection.execute("SELECT id, white, black, result, ply_count FROM games ORDER BY id").fetchall()
    connection.close()
    wanted = []
    for line in suite.search("-e", 'initial comment(player white "|" player black)', os.path.join(EXAMPLES, "games.pgn"), "-q", "-f", "csv").text().splitlines():
        wanted.append(line)
    suite.check("database: a row for each game", len(games) == len(wanted) - 1 > 0, "%d rows, %d lines" % (len(games), len(wanted)))
    suite.check("database: names in rows", all(row[1] in line and row[2] in line for row, line in zip(games, wanted[1:]) if "," not in row[1] + row[2]),
                repr(games[:1]))


def older(suite):
    """A database of an earlier or later version is refused with advice. One of version 3 does not know which games have a tag Rules."""
    path = make(suite, os.path.join(EXAMPLES, "games.pgn"), "older.cqldb")
    connection = sqlite3.connect(path)
    games = suite.path("rules.pgn")
    with open(games, "w") as f:
        f.write('[Rules "Atomic"]\n\n1. Nf3 d5 2. Ne5 e6 3. Nxf7# *\n\n1. e4 *\n')
    rules = make(suite, games, "rules.cqldb")
    for version in (4, 3):
        with sqlite3.connect(rules) as older:
            if version == 3:
                blob, = older.execute("SELECT games FROM chunk").fetchone()
                suite.check("database: the flag of Rules", blob[2] & 128)
            older.execute("PRAGMA user_version = %d" % version)
        older.close()
        got = suite.search("--dialect", "cqli", "-e", "not k", rules, "-f", "positions", "-q").text()
        suite.check("database: Rules in version %d" % version, got == "1: 5\n", got)
    for version, words in ((2, "import the games again"), (99, "has version 99, this program reads version")):
        connection.execute("PRAGMA user_version = %d" % version)
        connection.commit()
        suite.ends("database: version %d is refused" % version, suite.search("-e", "check", path, "-q"), 3, err=words)
    connection.close()


def variants(suite):
    """Games of variants are the same in PGN and in a database, whichever query reads them, and for each of several queries."""
    games = os.path.join(TESTS, "pgn", "variants.pgn")
    path = make(suite, games, "variants.cqldb")
    read = {"chess alone": "4: 0\n5: 0\n10: 0\n11: 0\n", "chess": "1: 0\n2: 0\n3: 0\n4: 0\n5: 0\n6: 0\n9: 0\n10: 0\n11: 0\n", "variants": "".join("%d: 0\n" % i for i in range(1, 11))}
    for dialect, option, wanted in (("cql6", None, "chess alone"), ("cql6", "--no-variants", "chess"), ("cql6", "--variants", "variants"), ("cqli", None, "variants"),
                                    ("cqli", "--no-variants", "chess")):
        options = ["--dialect", dialect, "-f", "positions", "-q"] + ([option] if option else [])
        for query in ("initial", "mate", "stalemate", "check", "not move legal", "not k", "K attacks k", "A == 15", "move legal from K"):
            from_pgn, stored = (suite.search("-e", query, source, *options).text() for source in (games, path))
            suite.check("database: variants, %s %s %s" % (dialect, option, query), from_pgn == stored and
                        (query != "initial" or stored == read[wanted]), "%s, not %s" % (stored, from_pgn))
    # one of each variant but Standard, and a bughouse game
    for dialect in ("cql6", "cql5"):  # with chess alone, what is left is Chess960, King of the Hill, bughouse and Three-check
        for source in (games, path):
            result = suite.search("-e", "K", source, "--dialect", dialect, "-f", "count")
            suite.check("database: variants are left out, %s" % dialect, result.text() == "4\n" and
                        result.errors().count("are not searched as chess; --variants reads them by their own rules, --no-variants as chess") == 1,
                        result.text() + result.errors())
            result = suite.search("-e", "K", source, "--dialect", dialect, "-f", "count", "--skipunknownvariants", "-q")
            suite.check("database: variants are left out without a word, %s" % dialect, result.text() == "4\n" and not result.err)
    counted = ("variants   1 Chess960, 1 Atomic, 1 Crazyhouse, 1 Giveaway, 1 Horde, 1 King of the Hill, 1 Losers, 1 Racing Kings, 1 Suicide, "
               "1 Three-check, 1 unknown\n")
    suite.check("database: info counts variants", suite.run([suite.cqlgen, "info", path]).text().endswith(counted))
    for dialect in ("cqli", "cql6"):
        with open(suite.path(dialect + ".cql"), "w") as f:
            f.write("// dialect: %s\ncql() terminal" % dialect)
    for source in (games, path):
        folder = suite.path("both")
        suite.search(suite.path("cqli.cql"), suite.path("cql6.cql"), source, "--output-dir", folder, "-f", "positions", "-q")
        for dialect in ("cqli", "cql6"):
            with open(os.path.join(folder, dialect + ".txt")) as f:
                together = f.read()
            alone = suite.search(suite.path(dialect + ".cql"), source, "-f", "positions", "-q").text()
            suite.check("database: variants, together with another dialect, %s" % dialect, together == alone != "", together)
    alias, part = suite.path("alias.pgn"), suite.path("alias.part")
    with open(alias, "w") as f:
        f.write('[Variant "Wild"]\n\n1. e4 d5 2. exd5 *\n')
    words = ["-e", "[Aa] == 30", alias, "--dialect", "cqli", "-f", "positions", "-q", "--variantalias", "Atomic", "wild"]
    suite.ends("database: variants, another name", suite.search(*words), 0, out="1: 3\n")  # both pawns vanish
    suite.search(*words, "--part", "1/1", "-o", part)
    suite.ends("database: variants, another name in a part", suite.run([suite.cqlgen, "merge", part]), 0, out="1: 3\n")
    words[-2] = "Atomik"
    suite.ends("database: variants, another name of none", suite.search(*words), 2, err='expected the name of a variant of chess, not "Atomik"')


def without_games(suite):
    """A chunk without games is damaged, whatever its checksums say."""
    path = make(suite, os.path.join(TESTS, "pgn", "clocks.pgn"), "empty.cqldb")
    connection = sqlite3.connect(path)
    empty = 0x2D06800538D394C2  # XXH3 of no bytes
    connection.execute("UPDATE chunk SET game_count = 0, games = x'', moves = x'', tags = x'', texts = x'', games_sum = ?,"
                       " moves_sum = ?, tags_sum = ?, texts_sum = ?", [empty] * 4)
    connection.commit()
    connection.close()
    for command in (["export", path], ["verify", path], ["search", "-e", "check", "-q", path]):
        result = suite.run([suite.cqlgen, *command])
        suite.check("database: %s of a chunk without games" % command[0], result.status == 3 and
                    "chunk 1 is damaged: its numbers do not fit together" in result.text() + result.errors(),
                    "%s: %s" % (result.status, result.text() + result.errors()))


def clocks(suite):
    """Clocks and evaluations come from columns, without the texts."""
    games = os.path.join(TESTS, "pgn", "clocks.pgn")
    path = make(suite, games, "clocks.cqldb")

    def change(*statements):
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    def compare(name, moves="--mainline"):
        for query in ("clock comment(clock elapsed)", "elapsed > 20", "flipcolor {eval > 20 comment(eval)}", "not clock < 30"):
            wanted, got = (suite.search("--dialect", "cql6", "-e", query, moves, "-q", "-f", "csv", f) for f in (games, path))
            suite.check("database: %s, %s: %s" % (name, moves, query), got.out == wanted.out.replace(games.encode(), path.encode())
                        and not got.err, got.errors() or difference(wanted.text(), got.text()))

    compare("clocks")
    compare("clocks", "--variations")
    suite.check("database: clocks are verified", suite.run([suite.cqlgen, "verify", path]).status == 0)
    search = ("--dialect", "cql6", "-e", "clock < 30", "-q", "-f", "positions", path)
    change("UPDATE chunk SET texts_sum = texts_sum + 1")
    suite.ends("database: clocks need no texts", suite.search(*search), 0, "1: 3 6\n5: 4\n")
    change("UPDATE chunk SET texts_sum = texts_sum - 1", "UPDATE clocks SET sum = sum + 1")
    suite.ends("database: damaged clocks are reported", suite.search(*search), 3, err="checksum")
    late = suite.path("late-clocks.pgn")
    write(late, "1. e4 *\n\n" * 200 + "1. e4 {[%clk 0:00:20]} *\n\n1. d4 *\n")
    late = make(suite, late, "late-clocks.cqldb")
    suite.check("database: clocks after many games without any", suite.search(*search[:-1], late).text() == "201: 1\n" and
                suite.run([suite.cqlgen, "verify", late]).status == 0)


# Games whose facts are known: tags, the text after them, flags, men of White and of Black at the end, special moves.
MATE, STALEMATE, START, RAW, VARIATIONS, NOTES, NULL, VARIANT = 32, 64, 1, 2, 4, 8, 16, 128
FACTS = (
    ("", "1. f3 e5 2. g4 Qh4# 0-1", MATE, 16, 16, 128),
    ("", "1. e4 d5 2. exd5 Qxd5 1-0", 0, 15, 15, 128),
    ("", "1. e4 -- 2. d4 *", NULL, 16, 16, 128),
    ("", "1. e4 {best} e5 *", NOTES, 16, 16, 128),
    ("", "1. e4 (1. d4) e5 *", VARIATIONS, 16, 16, 128),
    ("", "1. e4 {\x02} e5 *", RAW | VARIATIONS | NOTES, 0, 0, 0),
    ('[Event "none"]\n', "*", 0, 16, 16, 128),
    ("", "1. e4 Ke6 *", RAW | VARIATIONS | NOTES, 0, 0, 0),
    ("", "1. e4 {[%clk 0:05:00]} Ke6 *", RAW | VARIATIONS | NOTES, 0, 0, 0),
    ('[Event "NUL \0 here"]\n', "1. e4 *", RAW | VARIATIONS | NOTES, 0, 0, 0),
    ("", "1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3 8. Qxb8 Qh7 9. Qxc8 Kg6 10. Qe6 1/2-1/2",
     STALEMATE, 16, 10, 128),
    ('[FEN "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]\n', "*", START | STALEMATE, 2, 1, 128),
    ('[Variant "Chess960"]\n[FEN "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"]\n', "1. Ra8# 1-0", START | MATE | VARIANT, 2, 4, 128),
    ("", "1. e4 d5 2. e5 f5 3. exf6 Nc6 4. fxg7 Bf5 5. Nf3 Qd7 6. gxh8=N O-O-O 7. Bd3 h5 8. O-O *", 0, 16, 13, 1 + 8 + 16 + 64 + 128),
    ('[FEN "4k2r/8/8/8/8/8/p7/R3K3 w Qk - 0 1"]\n', "1. Rd1 O-O 2. Ke2 a1=R *", START, 2, 3, 4 + 32 + 128),
)


def index_of(connection):
    """The entries of all chunks' indexes: plies, flags, result, men of White and Black, special moves."""
    found = []
    for (blob,) in connection.execute("SELECT games FROM chunk ORDER BY id"):
        for entry in struct.iter_unpack("<HHBBBB", blob):
            found.append(entry)
    return found


def facts(suite, databases):
    """The flags and facts of games: of some by hand, of the others by queries."""
    pgn = suite.path("facts.pgn")
    write(pgn, "\n\n".join(tags + text for tags, text, *_ in FACTS) + "\n")
    path = make(suite, pgn, "facts.cqldb")
    connection = sqlite3.connect(path)
    got = [(flags, white, black, special) for _, flags, _, white, black, special in index_of(connection)]
    connection.close()
    suite.check("database: facts", got == [wanted[2:] for wanted in FACTS], str(got))
    for pgn, path in suite.some(list(databases.items()), quick=4, sanitize=6):
        connection = sqlite3.connect(path)
        index = index_of(connection)
        rows_flags = [row[0] for row in connection.execute("SELECT flags FROM game ORDER BY id")]
        connection.close()
        wrong = [] if rows_flags == [entry[1] for entry in index] else ["the rows of the table"]
        raw = {i + 1 for i, entry in enumerate(index) if entry[1] & RAW}
        for query, want in (("terminal mate", lambda e: e[1] & MATE), ("terminal stalemate", lambda e: e[1] & STALEMATE),
                            ("terminal #A >= 8", lambda e: e[3] >= 8), ("terminal #a < 8", lambda e: e[4] < 8),
                            ("btm o-o", lambda e: e[5] & 1), ("btm o-o-o", lambda e: e[5] & 2), ("wtm o-o", lambda e: e[5] & 4),
                            ("wtm o-o-o", lambda e: e[5] & 8), ("wtm --=A", lambda e: e[5] & 16), ("btm --=A", lambda e: e[5] & 32), ("enpassant", lambda e: e[5] & 64)):
            lines = suite.search("-e", query, pgn, "-q", "-f", "positions", "--no-variants").text().splitlines()
            found = {int(line.split(":")[0]) for line in lines} - raw
            if found != {i + 1 for i, entry in enumerate(index) if want(entry)} - raw:
                wrong.append(query)
        suite.check("database: facts of %s" % os.path.basename(pgn), not wrong, ", ".join(wrong))


def layout(suite):
    """The order of the moves: eight games side by side, by length; then those that are apart."""
    texts = ["1. e4 *", "1. d4 d5 *", "1. e4 -- *", "1. c4 *", '[Event "none"]\n*'] + ["1. a3 a6 2. %s3 *" % f for f in "bcdefgh"]
    pgn = suite.path("layout.pgn")
    write(pgn, "\n\n".join(texts) + "\n")
    connection = sqlite3.connect(make(suite, pgn, "layout.cqldb"))
    (moves,) = connection.execute("SELECT moves FROM chunk").fetchone()
    connection.close()

    def word(name, kind=1):
        squares = [ord(c[0]) - ord("a") + 8 * (int(c[1]) - 1) for c in (name[:2], name[2:])]
        return squares[0] | squares[1] << 6 | kind << 12

    first = [word("e2e4"), word("c2c4"), word("d2d4")]
    # eleven games are not apart: five empty lanes, then games 5, 1 and 4; then games 2 and 6 to 12
    rows_wanted = [0] * 6 + first[:2]
    rows_wanted += [first[2]] + [word("a2a3")] * 7 + [word("d7d5")] + [word("a7a6")] * 7
    rows_wanted += [0] + [word("%s2%s3" % (f, f)) for f in "bcdefgh"]
    rows_wanted += [first[0], 0]
    got = list(struct.unpack("<%dH" % (len(moves) // 2), moves))
    suite.check("database: the layout of moves", got == rows_wanted, "%s\n%s" % (got, rows_wanted))


def many_names(suite):
    """An import with little memory forgets names and may store one twice; searches and `info` do not show it."""
    pgn = suite.path("many-names.pgn")
    write(pgn, "".join('[Event "E"]\n[White "A player with the number %d"]\n\n1. e4 *\n\n' % n for n in list(range(4000)) * 2))
    path = make(suite, pgn, "many-names.cqldb", "--max-memory", "1")
    connection = sqlite3.connect(path)
    (rows,) = connection.execute("SELECT count(*) FROM player").fetchone()
    connection.close()
    suite.check("database: names are forgotten", rows > 4001, str(rows))
    printed = suite.run([suite.cqlgen, "info", path]).text()
    suite.check("database: info counts a name once", "\nplayers    4001\n" in printed, printed)  # Black is "?"
    found = [suite.search("-e", 'player white == "A player with the number 7"', name, "-f", "positions", "-q").text() for name in (pgn, path)]
    suite.check("database: a name that is stored twice is found", found[0] == found[1] and found[0].count("\n") == 2, str(found))
    groups = suite.search("-e", "initial", path, "--count-by", "white", "-f", "csv", "-q").text().splitlines()
    suite.check("database: groups by names that are stored twice", len(groups) == 4001 and all(line.split(",")[1] == "2" for line in groups[1:]),
                "\n".join(groups[:3]))


def info(suite):
    """All that `info` prints of three games."""
    games = ['[Event "Club"]\n[Site "Here"]\n[Date "1991.05.??"]\n[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1',
             '[Event "Club"]\n[Site "There"]\n[Date "2003.??.??"]\n[White "B"]\n[Black "C"]\n\n1. e4 {King\'s pawn} (1. d4 d5) *',
             '[Event "Study"]\n[Site "There"]\n[White "D"]\n[Black "A"]\n[FEN "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1"]\n\n1. Qf7 1/2-1/2']
    pgn = suite.path("info.pgn")
    write(pgn, "\n\n".join(games) + "\n")
    path = make(suite, pgn, "info.cqldb")
    connection = sqlite3.connect(path)
    sizes = connection.execute("SELECT length(moves) + length(games), length(tags), length(texts) FROM chunk").fetchone()
    connection.close()
    size = os.path.getsize(path)
    wanted = """\
games      3, 0 of them damaged
moves      6, without variations
players    4
events     2
sites      2
ends       1 with checkmate, 1 with stalemate
apart      1: from other positions, with null moves, or damaged
years      1991 to 2003
chunks     1
file       %d bytes, %.1f a game; as PGN %.1f a game
           moves %.2f bytes a move; tags %.1f bytes a game, texts %.1f
""" % (size, size / 3, sum(map(len, games)) / 3, sizes[0] / 6, sizes[1] / 3, sizes[2] / 3)
    got = suite.run([suite.cqlgen, "info", path]).text()
    suite.check("database: info", got == wanted, difference(wanted, got))
    said = suite.run([suite.cqlgen, "import", pgn, "-o", suite.path("said.cqldb")]).errors()
    suite.check("database: import says what it has done", re.fullmatch(r"%s: 3 games imported, 0 messages about damage, \d+\.\d\d s\n" % pgn, said), said)
