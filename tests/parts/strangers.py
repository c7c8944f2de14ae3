"""Databases of strangers: nothing that lies in or beside a file makes a command write another one, run for ever, crash, or lose games
without a word; what `verify` finds sound is searched like the PGN.
"""
import os
import random
import shutil
import sqlite3
import struct

from parts.database import FACTS, NOTES, START, VARIANT, VARIATIONS, checksums, make
from parts.harness import EXAMPLES, TESTS, read, write


def run(suite):
    journals(suite)
    modes(suite)
    schemas(suite)
    endless(suite)
    numbers(suite)
    arrays(suite)
    renamed(suite)


def cut_off(suite, path, copy):
    """A copy of a database in the middle of a write, with the journal that undoes it."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN")
    connection.execute("UPDATE game SET round = 'a round that is not to be'")
    connection.execute("UPDATE player SET name = name || 'x'")
    connection.execute("CREATE TABLE more AS SELECT hex(zeroblob(400000))")  # pages go to the disk
    for end in ("", "-journal"):
        shutil.copy(path + end, copy + end)
    connection.execute("ROLLBACK")
    connection.close()


READERS = (["search", "-e", "check", "-f", "count", "-q"], ["info"], ["verify"], ["export"])


def journals(suite):
    """A reader writes nothing: after a write that was cut off it says what to do, and an import undoes the write. A journal that makes SQLite
    delete another file, or is no journal, is left alone by all."""
    games = os.path.join(EXAMPLES, "games.pgn")
    good, path = make(suite, games, "undone.cqldb"), suite.path("cut-off.cqldb")
    exported = suite.run([suite.cqlgen, "export", good]).out
    journal, victim = path + "-journal", suite.path("victim")
    append = ["import", os.devnull, "-q", "--append", "-o"]

    def state():
        return [os.path.lexists(name) and open(name, "rb").read() for name in (path, journal, victim)]

    def refused(commands, what, words):
        before = state()
        for command in commands:
            result = suite.run([suite.cqlgen, *command, path])
            said = result.errors()
            suite.check("strangers: %s, %s is refused" % (what, command[0]), result.status in (3, 5) and words in said and journal in said, said)
            suite.check("strangers: %s, %s changes nothing" % (what, command[0]), state() == before)

    cut_off(suite, good, path)
    refused(READERS, "a write that was cut off", "the same command undoes its last step")
    suite.ends("strangers: an import undoes a write that was cut off", suite.run([suite.cqlgen, *append, path]),
               also=not os.path.exists(journal) and suite.run([suite.cqlgen, "export", path]).out == exported)
    suite.ends("strangers: what it undoes is whole", suite.run([suite.cqlgen, "verify", path]))
    write(victim, "precious\n")
    name = victim.encode()
    tail = struct.pack(">I", 0x40000000 // 65536 + 1) + name + struct.pack(">II", len(name), sum(name)) + bytes.fromhex("d9d505f920a163d7")
    cut_off(suite, good, path)
    with open(journal, "ab") as f:
        f.write(tail)
    refused((*READERS, append), "a journal with the name of another file", "names another file, which SQLite would delete")
    write(journal, "a file of somebody\n")
    refused((append,), "another file as a journal", "is not a journal of SQLite")
    for link, words in ((os.symlink, "is a link to another file"), (os.link, "is another file, too")):
        os.remove(journal)
        link(victim, journal)
        refused((append,), "a link as a journal", words)
    os.remove(journal)


def modes(suite):
    """A database in WAL mode, to read which SQLite writes, is refused, and so is one with a file of changes beside it."""
    path = make(suite, os.path.join(EXAMPLES, "games.pgn"), "wal.cqldb")
    wal = path + "-wal"
    plain = open(path, "rb").read()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("UPDATE game SET round = 'x'")
    connection.commit()
    changes = open(wal, "rb").read()
    connection.close()
    marked = open(path, "rb").read()
    for what, head, beside, words in (("the mode WAL", marked, b"", "journal mode to WAL"), ("the mode WAL and changes", marked, changes, wal),
                                      ("changes beside it", plain, changes, wal)):
        write_bytes(path, head)
        if beside:
            write_bytes(wal, beside)
        for command in (*READERS, ["import", os.devnull, "-q", "--append", "-o"]):
            result = suite.run([suite.cqlgen, *command, path])
            suite.check("strangers: %s, %s is refused" % (what, command[0]), result.status in (3, 5) and words in result.errors(), result.errors())
            files = [open(name, "rb").read() if os.path.exists(name) else b"" for name in (path, wal)]
            suite.check("strangers: %s, %s changes nothing" % (what, command[0]), files == [head, beside] and not os.path.exists(path + "-shm"))
    os.remove(wal)
    # names that mean something to SQLite
    for name in ("file:games.cqldb?mode=memory", ":memory:"):
        inside = os.path.join(suite.path("odd-names"), name)
        os.makedirs(os.path.dirname(inside), exist_ok=True)
        write_bytes(inside, plain)
        found = suite.run([suite.cqlgen, "search", "-e", "true", "-f", "count", "-q", name], cwd=os.path.dirname(inside))
        suite.check("strangers: a file with the name %s" % name, found.text() == "32\n", found.errors())


def write_bytes(path, data):
    with open(path, "wb") as f:
        f.write(data)


def schemas(suite):
    """A file with other tables, views, triggers or indexes than an import makes is refused before anything of them is run; indexes on
    columns and the statistics of ANALYZE are not."""
    good = make(suite, os.path.join(EXAMPLES, "games.pgn"), "schema.cqldb")
    games = suite.search("-e", "check", os.path.join(EXAMPLES, "games.pgn"), "-f", "count", "-q").out
    path = suite.path("strange.cqldb")
    add = ["import", os.path.join(EXAMPLES, "studies.pgn"), "-q", "--append", "-o", path]
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS id, x AS name FROM c"
    for what, statements in (
            ("chunk", "DROP TABLE chunk; CREATE VIEW chunk AS " + endless), ("player", "DROP TABLE player; CREATE VIEW player AS " + endless),
            ("more", "CREATE VIEW more AS " + endless), ("games", "DROP VIEW games; CREATE VIEW games AS " + endless), ("more", "CREATE TABLE more(a)"),
            ("empty", "CREATE TRIGGER empty AFTER INSERT ON chunk BEGIN DELETE FROM game; END"),
            ("more", "CREATE VIRTUAL TABLE more USING fts5(a)"), ("source", "ALTER TABLE source ADD COLUMN more AS (hex(id))"),
            ("source", "ALTER TABLE source ADD COLUMN more CHECK (more IS NULL)"), ("by_length", "CREATE INDEX by_length ON player(length(name))"),
            ("long", "CREATE INDEX long ON player(name) WHERE length(name) > 5"), ("its table game is missing", "DROP VIEW games; DROP TABLE game"),
            ("clocks", "DROP TABLE clocks; CREATE TABLE clocks(chunk INTEGER, sum INTEGER, clocks BLOB)")):
        shutil.copy(good, path)
        change_all(path, statements)
        for command in (*((*reader, path) for reader in READERS), add):
            result = suite.run([suite.cqlgen, *command], timeout=30)
            suite.check("strangers: %s is refused by %s" % (statements[:40], command[0]), result.status in (3, 5) and
                        (what if " " in what else '"%s"' % what) in result.errors(), "%s %s" % (result.status, result.errors()))
    shutil.copy(good, path)
    change_all(path, "CREATE INDEX player_name ON player(name COLLATE NOCASE DESC); CREATE UNIQUE INDEX once ON game(id, white); ANALYZE; VACUUM")
    found, verified, added = suite.search("-e", "check", path, "-f", "count", "-q"), suite.run([suite.cqlgen, "verify", path]), suite.run([suite.cqlgen, *add])
    suite.check("strangers: indexes and statistics are allowed", (found.out, verified.status, added.status) == (games, 0, 0), verified.text() + added.errors())
    suite.check("strangers: an index is kept by an import", suite.run([suite.cqlgen, "verify", path]).status == 0)


def change_all(path, statements):
    connection = sqlite3.connect(path)
    connection.executescript(statements)
    connection.commit()
    connection.close()


def endless(suite):
    """A table whose pages lead to the same pages again and again has more rows than can be read; all commands end."""
    for table in ("player", "game", "source", "chunk", "columns", "sqlite_stat1"):
        path = make(suite, os.path.join(EXAMPLES, "studies.pgn"), "endless-%s.cqldb" % table)
        change_all(path, "CREATE INDEX player_name ON player(name); ANALYZE; PRAGMA page_size = 512; VACUUM")
        connection = sqlite3.connect(path)
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        connection.close()
        data = bytearray(open(path, "rb").read())
        pages, leaf = len(data) // 512, root
        while data[(leaf - 1) * 512] == 5:  # the leaf with the last row
            leaf = struct.unpack(">I", data[(leaf - 1) * 512 + 8:(leaf - 1) * 512 + 12])[0]
        data += data[(leaf - 1) * 512:leaf * 512]
        for depth in range(15):
            below = pages + 1 + depth
            cell = struct.pack(">IB", below, 1)
            page = struct.pack(">BHHHBI", 5, 0, 60, 512 - 5 * 60, 0, below) + b"".join(struct.pack(">H", 512 - 5 * (i + 1)) for i in range(60))
            page = page.ljust(512 - 5 * 60, b"\0") + cell * 60
            data += page
        data[(root - 1) * 512:root * 512] = page
        data[28:32] = struct.pack(">I", len(data) // 512)
        write_bytes(path, data)
        for command in (*READERS, ["search", "-e", 'player "e"', "-f", "count", "-q"], ["import", os.path.join(EXAMPLES, "games.pgn"), "-q", "--append", "-o"]):
            result = suite.run([suite.cqlgen, *command, path], timeout=60)
            suite.check("strangers: %s of a table %s without end" % (command[0], table), result.status is not None and not result.crashed(), result.errors())
        suite.ends("strangers: verify finds a table %s without end" % table, suite.run([suite.cqlgen, "verify", path], timeout=60), 3)


# What the columns of a stranger's tables may have.
HOSTILE = (-2 ** 63, -2 ** 63 + 1, -2 ** 32, -2 ** 31, -5, -1, 0, 1, 2, 3, 127, 255, 65535, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1,
           2 ** 40, 2 ** 53, 2 ** 62, 2 ** 63 - 5, 2 ** 63 - 1, None, 1.5, 9e30, "x", b"", b"\0\1", "+1", "-1", "+7")
QUESTIONS = (["-e", "check", "-f", "positions"], ["-e", "check", "-f", "count"], ["-e", 'player "e"', "-f", "count"],
             ["-e", 'event "a" year > 1900', "-f", "positions"], ["-e", "clock > 1", "-f", "count"], ["-e", "true", "-f", "pgn"],
             ["-e", "initial", "--count-by", "white", "-f", "csv"], ["-e", "check", "-f", "pgn", "--games", "30-40"])


def answers(suite, path):
    """What searches of a database answer: output and status."""
    found = [suite.search(*question, path, "-q", "--engine", "tcc", timeout=60) for question in QUESTIONS]
    for question, result in zip(QUESTIONS, found):
        if result.crashed() or result.status is None:
            return None, "%s: status %s %s" % (" ".join(question), result.status, result.errors()[-500:])
    return [(result.out, result.status) for result in found], ""


def of_three_chunks(suite, name):
    """A database of three chunks: of games with all kinds of tags, clocks, damage and other starts."""
    path = make(suite, os.path.join(EXAMPLES, "games.pgn"), name)
    for more in (os.path.join(TESTS, "pgn", "clocks.pgn"), suite.path("facts.pgn")):
        suite.run([suite.cqlgen, "import", more, "-o", path, "-q", "--append"])
    return path


def numbers(suite):
    """Each number of each table takes hostile values. When `verify` finds nothing, searches and imports do what they did; otherwise searches
    report damage, or answer as before. Nothing crashes."""
    write(suite.path("facts.pgn"), "\n\n".join(tags + text for tags, text, *_ in FACTS) + "\n")
    more = suite.path("one-more.pgn")
    write(more, '[White "Somebody"]\n[Event "New"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7# 1-0\n')
    good = of_three_chunks(suite, "numbers.cqldb")
    wanted, why = answers(suite, good)
    suite.check("strangers: answers of three chunks", wanted and all(out and status in (0, 1) for out, status in wanted), why or str([status for _, status in wanted]))
    exported = suite.run([suite.cqlgen, "export", good]).out
    with sqlite3.connect(good) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        places = [(table, column[1]) for table in tables for column in connection.execute("PRAGMA table_info(%s)" % table)
                  if column[2] == "INTEGER"]
    connection.close()
    suite.check("strangers: there are numbers in all tables", len(places) > 25 and len(set(place[0] for place in places)) == 8, str(places))
    work = [(place, value, row) for place in places for value in HOSTILE for row in ("first", "last", "all")]
    chance = random.Random(os.environ.get("CQLGEN_SEED", "1"))
    work = chance.sample(work, suite.size(full=len(work) // 8, quick=30, sanitize=20))

    def attempt(numbered):
        number, ((table, column), value, row) = numbered
        path = suite.path("numbers-%d.cqldb" % number)
        shutil.copy(good, path)
        connection = sqlite3.connect(path)
        where = {"first": "WHERE rowid = (SELECT min(rowid) FROM %s)", "last": "WHERE rowid = (SELECT max(rowid) FROM %s)", "all": ""}[row]
        try:
            if value in ("+1", "-1", "+7"):  # other rows are in the way of a key
                connection.execute("UPDATE %s SET %s = %s %s" % (table, column, column + value, where % table if where else ""))
            else:
                connection.execute("UPDATE OR IGNORE %s SET %s = ? %s" % (table, column, where % table if where else ""), (value,))
            connection.commit()
        except sqlite3.Error:
            return ""  # not in this column
        finally:
            connection.close()
        verified = suite.run([suite.cqlgen, "verify", path], timeout=60)
        got, why = answers(suite, path)
        if verified.status not in (0, 3):
            return "verify: status %s %s" % (verified.status, verified.errors())
        if got is None:
            return why
        for question, old, new in zip(QUESTIONS, wanted, got):
            # arrays of another chunk are as right as forged ones: only `verify` looks at the games, too
            if old[0] != new[0] and (verified.status == 0 or (new[1] != 3 and table != "columns")):
                return "%s: status %s, and verify says %s" % (" ".join(question), new[1], verified.text())
        added = suite.run([suite.cqlgen, "import", more, "-o", path, "-q", "--append"], timeout=60)
        if added.status not in (0, 5):
            return "import: status %s %s" % (added.status, added.errors())
        if verified.status == 0 and added.status == 0:
            after = suite.run([suite.cqlgen, "verify", path], timeout=60)
            if after.status != 0 or suite.run([suite.cqlgen, "export", path]).out != exported + read(more).encode() + b"\n":
                return "after an import: %s" % after.text()
        os.unlink(path)
        return ""

    for (_, (place, value, row)), why in suite.map(attempt, enumerate(work)):
        suite.check("strangers: %s.%s = %r in %s" % (*place, value, row), not why, why)


def arrays(suite):
    """Columns that say something else than the tags and moves, with right checksums, are faults: searches look at nothing else."""
    checksum = checksums(suite)
    write(suite.path("facts.pgn"), "\n\n".join(tags + text for tags, text, *_ in FACTS) + "\n")
    good = of_three_chunks(suite, "arrays.cqldb")
    if not checksum:
        return
    names = ["white", "black", "event", "site", "date", "result", "white_elo", "black_elo", "eco", "ply_count", "player_names", "event_names", "site_names"]

    def attempt(work):
        name, chunk, place = work
        path = suite.path("arrays-%s-%d-%s.cqldb" % work)
        shutil.copy(good, path)
        connection = sqlite3.connect(path)
        data = bytearray(connection.execute("SELECT %s FROM columns WHERE chunk = ?" % name, (chunk,)).fetchone()[0])[:-8]
        if not data:
            connection.close()
            return ""
        data[int(place * (len(data) - 1))] ^= 2
        connection.execute("UPDATE columns SET %s = ? WHERE chunk = ?" % name, (bytes(data) + struct.pack("<q", checksum(bytes(data), len(data))), chunk))
        connection.commit()
        connection.close()
        result = suite.run([suite.cqlgen, "verify", path])
        found, why = answers(suite, path)
        os.unlink(path)
        return why or ("" if result.status == 3 and "columns" in result.text() else "status %s, %s" % (result.status, result.text()))

    work = [(name, chunk, place) for name in names for chunk in (1, 2, 3) for place in (0, 0.5, 1)]
    for (name, chunk, place), why in suite.map(attempt, work[::suite.size(full=2, quick=2, sanitize=9)]):
        suite.check("strangers: %s of chunk %d forged at %s" % (name, chunk, place), not why, why)
    for flag in (VARIATIONS, NOTES, VARIANT, START):  # in the index and in the table
        path = suite.path("flags-%d.cqldb" % flag)
        shutil.copy(good, path)
        with sqlite3.connect(path) as connection:
            (data,) = connection.execute("SELECT games FROM chunk WHERE id = 3").fetchone()
            data = bytearray(data)
            data[2] ^= flag
            connection.execute("UPDATE chunk SET games = ?, games_sum = ? WHERE id = 3", (bytes(data), checksum(bytes(data), len(data))))
            connection.execute("UPDATE game SET flags = (flags | ?1) - (flags & ?1) WHERE id = (SELECT first_game FROM chunk WHERE id = 3)", (flag,))
        connection.close()
        suite.ends("strangers: the flag %d of a game forged" % flag, suite.run([suite.cqlgen, "verify", path]), 3)


def renamed(suite):
    """A program that changes names in the tables does not change what searches find, also in games that are imported later."""
    path = make(suite, os.path.join(EXAMPLES, "games.pgn"), "renamed.cqldb")
    more = suite.path("renamed.pgn")
    write(more, '[White "Somebody Else"]\n\n1. e4 *\n\n[White "NN"]\n\n1. d4 *\n')
    wanted = suite.search("-e", 'player white == "NN"', os.path.join(EXAMPLES, "games.pgn"), more, "-f", "positions", "-q").out
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE player SET name = 'Somebody Else' WHERE name = 'NN'")
    connection.close()
    suite.check("strangers: names may be changed", suite.run([suite.cqlgen, "verify", path]).status == 0)
    suite.ends("strangers: an import after names were changed", suite.run([suite.cqlgen, "import", more, "-o", path, "-q", "--append"]))
    found = suite.search("-e", 'player white == "NN"', path, "-f", "positions", "-q").out
    other = suite.search("-e", 'player white == "Somebody Else"', path, "-f", "count", "-q").text()
    suite.check("strangers: names of games that are imported later", (found, other) == (wanted, "1\n") and
                suite.run([suite.cqlgen, "verify", path]).status == 0, "%s %s" % (found, other))
