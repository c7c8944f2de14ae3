"""The command line: exit statuses, messages, files and pipes."""
import bz2
import csv
import gzip
import itertools
import io
import json
import lzma
import os
import platform
import random
import re
import shlex
import shutil
import subprocess
import zlib

from parts.harness import EXAMPLES, ROOT, TESTS, games_of, read, write

GAMES = os.path.join(EXAMPLES, "games.pgn")
COUNT = ["-q", "--format", "count"]


def expect(suite, name, *end):
    return suite.ends("command: " + name, *end)


def refuse(suite, name, arguments, message="cqlgen:"):
    expect(suite, name + " is refused", suite.run([suite.cqlgen, *arguments]), 2, "", message)


def bad_arguments(suite):
    expect(suite, "no arguments", suite.run([suite.cqlgen]), 2, "", "usage:")
    expect(suite, "--version", suite.run([suite.cqlgen, "--version"]), 0, None, "")
    expect(suite, "--help", suite.run([suite.cqlgen, "--help"]), 0, None, "")
    expect(suite, "search --help", suite.run([suite.cqlgen, "search", "--help"]), 0, None, "")
    version = suite.run([suite.cqlgen, "--version"]).text()
    for command in ("search", "explain", "convert", "import", "export", "info", "verify", "classify", "duplicates", "bench", "examples"):
        expect(suite, command + " --version", suite.run([suite.cqlgen, command, "--version"]), 0, version, "")
    refuse(suite, "a folder as query", ["examples/", "-o", suite.path("x.so")], "examples")
    for name in ("mates.json", "mates.xls", "mates.txt.gz", "mates.zip"):
        refuse(suite, "the output " + name, ["search", "-e", "mate", GAMES, "-o", suite.path(name)], "names no format; write one of .pgn, .jsonl")


def helps(suite):
    """`help` explains commands and options too, and suggests words for a misspelt one."""
    for words, part in ((["search"], "--limit N"), (["convert"], "--to cql62"), (["--limit"], "--limit N"), (["-n"], "--limit N"),
                        (["engine"], "--engine auto"), (["jsonl"], "a JSON object")):
        result = suite.run([suite.cqlgen, "help", *words])
        expect(suite, "help " + " ".join(words), result, 0, None, "")
        suite.check("command: help %s explains it" % words[0], part in result.text(), result.text())
    screen = suite.run([suite.cqlgen])
    expect(suite, "cqlgen alone", screen, 2, "", "cqlgen search -e 'mate' GAMES.pgn\n")
    lines = screen.errors().split("\n")
    suite.check("command: cqlgen alone prints a screen", len(lines) <= 36 and max(map(len, lines)) < 80 and "\n  cqlgen merge" in screen.errors(),
                screen.errors())
    entries = [re.sub(r"\n {20,}", " ", text).partition(after)[2] for text, after in (
        (screen.errors(), "usage:\n"), (suite.run([suite.cqlgen, "help"]).text(), "Commands\n"))]
    listed = [re.findall(r"(?m)^  (?:cqlgen )?(\w+) +(\S.*)$", text.partition("\n\n")[0]) for text in entries]
    suite.check("command: the screen lists what help lists", listed[0] == listed[1] and len(listed[0]) == read(os.path.join(ROOT, "compiler", "cli", "options.def")).count("\nCOMMAND("), str(listed))
    begins, ends = "cqlgen compiles CQL, the Chess Query Language, to native code and searches\ngames with it.\n\nusage:\n  cqlgen search       search games\n", (
        "\n\nfor example:\n  cqlgen search -e 'mate' GAMES.pgn\n  cqlgen search QUERY.cql GAMES.pgn -o found.html\n  cqlgen import GAMES.pgn -o GAMES.cqldb\n"
        "\n`cqlgen --help` lists all options, `cqlgen help search` those of a command;\n`cqlgen help` explains the filters.\n")
    suite.check("command: how the screen begins and ends", screen.errors().startswith(begins) and screen.errors().endswith(ends), screen.errors())


def inputs(suite):
    whole = suite.search("-e", "mate", GAMES, *COUNT)
    expect(suite, "-e", whole, 0, None, "")
    expect(suite, "standard input", suite.search("-e", "mate", "-", *COUNT, stdin=read(GAMES).encode()), 0, whole.text(), "")
    for text in (b" \n\t\r\n", b"{a} ; b\n% c\n{d}"):
        expect(suite, "no games in %r" % text, suite.search("-e", "true", "-", *COUNT, stdin=text), 0, "0\n", "")
    for threads in ("1", "3"):
        command = ["sh", "-c", 'yes "1. e4 *" | "$0" "$@"', suite.cqlgen, "search", "-e", "true", "-", *COUNT, "-n", "3", "-j", threads]
        expect(suite, "a limit ends the search of an input without an end", suite.run(command, timeout=20), 0, "3\n", "")
    expect(suite, "empty standard input", suite.search("-e", "mate", "-", *COUNT), 0, "0\n", "")
    expect(suite, "a missing PGN file", suite.search("-e", "mate", "missing.pgn", *COUNT), 3, None, "missing.pgn")
    expect(suite, "a missing PGN file among others", suite.search("-e", "mate", "missing.pgn", GAMES, *COUNT), 3, whole.text(),
           "missing.pgn")
    folders(suite)
    without_games(suite)
    wide = suite.path("wide.pgn")
    with open(wide, "wb") as f:
        f.write(b"\xff\xfe" + "[Event \"x\"]\n\n1. e4 *\n".encode("utf-16-le"))
    expect(suite, "UTF-16", suite.search("-e", "true", wide, *COUNT), 3, None, "UTF-16")
    archive = suite.path("games.zip")
    with open(archive, "wb") as f:
        f.write(b"PK\x03\x04" + bytes(40))
    expect(suite, "a zip archive", suite.search("-e", "true", archive, *COUNT), 3, None, "zip archive; unpack it")
    game = b"[White \"A\"]\n\n1. Sf3\x1b[2J d5 *\n\n[White \"B\"]\n\n1. e4 Sf6 2. Nf3\x1b *\n"
    foreign = suite.search("-e", "true", "-", *COUNT, stdin=game)
    expect(suite, "moves in German", foreign, 0, None, "unreadable move 1... Sf6 (PGN uses the piece letters K Q R B N), the rest of the game is dropped")
    suite.check("command: words of games do not control the terminal", "\x1b" not in foreign.errors(), foreign.errors())
    query = suite.path("stdin.so")
    result = suite.run([suite.cqlgen, "-", "-o", query], stdin=b"cql() mate")
    if expect(suite, "a query from standard input", result, 0, "", ""):
        expect(suite, "and its matcher", suite.search(query, GAMES, *COUNT), 0, whole.text(), "")
    crlf = suite.path("crlf.cql")
    write(crlf, "\ufeffcql()\r\n// a comment\r\nmate\r\n")
    expect(suite, "a query with a byte order mark and CRLF", suite.search(crlf, GAMES, *COUNT), 0, whole.text(), "")
    header = suite.path("header.cql")
    write(header, 'cql(input "%s") mate' % GAMES)
    expect(suite, "input in the header", suite.search(header, *COUNT), 0, whole.text(), "")


def folders(suite):
    """A folder means its games, sorted by name."""
    folder, empty = suite.path("folder"), suite.path("empty-folder")
    os.makedirs(folder)
    os.makedirs(empty)
    write(os.path.join(folder, "b.pgn"), "1. d4 *\n")
    write(os.path.join(folder, "a.pgn"), "1. e4 *\n\n1. c4 *\n")
    write(os.path.join(folder, ".hidden.pgn"), "1. g3 *\n")
    write(os.path.join(folder, "notes.txt"), "1. f4 *\n")
    suite.run([suite.cqlgen, "import", os.path.join(folder, "a.pgn"), "-q", "-o", os.path.join(folder, "c.cqldb")])
    suite.run(["gzip", "-k", os.path.join(folder, "b.pgn")])
    result = suite.search("-e", "ply==1", folder, "-f", "csv", "--fields", "game,file,san")
    said = "%s has 4 files of games: %s/a.pgn ... %s/c.cqldb\n" % (folder, folder, folder)
    rows = [line.split(",") for line in result.text().split()[1:]]
    expect(suite, "a folder says what it has", result, 0, None, said)
    suite.check("command: the games of a folder", [(os.path.basename(row[1]), row[2]) for row in rows] ==
                [("a.pgn", "e4"), ("a.pgn", "c4"), ("b.pgn", "d4"), ("b.pgn.gz", "d4"), ("c.cqldb", "e4"), ("c.cqldb", "c4")], str(rows))
    expect(suite, "a folder, quietly", suite.search("-e", "true", folder + "/", *COUNT), 0, "6\n", "")
    names = suite.path("folders.txt")
    write(names, folder + "\n")
    expect(suite, "a folder in a list", suite.search("-e", "true", "@" + names, *COUNT), 0, "6\n", "")
    imported = suite.path("folder.cqldb")
    expect(suite, "import of a folder leaves databases out", suite.run([suite.cqlgen, "import", folder, "-q", "-o", imported]), 0, "", "")
    expect(suite, "and has its games", suite.search("-e", "true", imported, *COUNT), 0, "4\n", "")
    expect(suite, "a folder without games", suite.search("-e", "true", empty, *COUNT), 3, "", "empty-folder has no games")


def without_games(suite):
    """A file without any game, and the numbers of games after the first file."""
    nothing, text, damaged = suite.path("nothing.pgn"), suite.path("text.pgn"), suite.path("second-broken.pgn")
    write(nothing, "")
    write(text, "hello\n")
    write(damaged, "1. e4 *\n\n1. e4 e5 2. Ke3 *\n")
    expect(suite, "an empty file", suite.search("-e", "true", damaged, nothing, *COUNT), 3, "2\n", "nothing.pgn: warning: this file has no games")
    expect(suite, "a file of text", suite.search("-e", "true", text, *COUNT), 3, "0\n", "text.pgn: warning: this file has no games")
    first = suite.search("-e", "true", damaged, *COUNT)
    expect(suite, "damage in the first file", first, 0, "2\n", "second-broken.pgn:3: game 2: illegal move")
    second = suite.search("-e", "assert gamenumber<4", damaged, damaged, *COUNT)
    expect(suite, "damage in the second file", second, 4, "3\n", "second-broken.pgn:3: game 4 (2 of this file): illegal move")
    expect(suite, "an error in the second file", second, 4, "3\n", "second-broken.pgn:3: game 4 (2 of this file): position 0: -e:1:1: assert")


def readable(suite, kind, data):
    """What another decoder can read of damaged data."""
    if kind == "zst":
        return suite.run(["zstd", "-q", "-d", "-c"], stdin=data).out
    decoder = {"gz": lambda: zlib.decompressobj(31), "bz2": bz2.BZ2Decompressor, "xz": lzma.LZMADecompressor}[kind]()
    text = b""
    try:
        for i in range(0, len(data), 64):
            text += decoder.decompress(data[i:i + 64])
    except (zlib.error, OSError, lzma.LZMAError):
        pass
    return text


def damaged(suite):
    """Everything before a damaged place is searched; the message says where it is."""
    plain = "".join("[Event \"%d\"]\n[Result \"*\"]\n\n%s *\n\n" % (i, " ".join("%d. N%s3 N%s6 %d. N%s1 N%s8" % (
        2 * k + 1, *(("f", "f") if i >> k & 1 else ("c", "c")), 2 * k + 2, *(("g", "g") if i >> k & 1 else ("b", "b"))) for k in range(14)))
        for i in range(4000)).encode()
    for kind, data in {"gz": gzip.compress(plain), "bz2": bz2.compress(plain, 1), "xz": lzma.compress(plain, preset=1),
                       "zst": suite.run(["zstd", "-q", "-c", "-1"], stdin=plain).out}.items():
        for name, bad in (("cut off", data[:len(data) * 2 // 3]), ("zeros", data[:len(data) * 2 // 3] + bytes(500))):
            games = os.path.commonprefix([readable(suite, kind, bad), plain]).count(b"[Event ")
            result = suite.search("-e", "initial", "-", "-q", "-f", "count", stdin=bad)
            found = int(result.text() or -1)
            good = result.status == 3 and re.search(r"near byte \d+ of the file", result.errors())
            # zeros can be decoded to something before a check sum shows that they are wrong
            suite.check("command: damaged %s, %s" % (kind, name), good and games > 100 and
                        (found >= games - 1 if name == "zeros" else abs(found - games) <= 1),
                        "%d games, not %d: %s" % (found, games, result.errors()[-200:]))


def compressed(suite):
    damaged(suite)
    whole = suite.search("-e", "mate", GAMES, *COUNT)
    plain = read(GAMES).encode()
    packed = {"gz": gzip.compress(plain), "bz2": bz2.compress(plain), "xz": lzma.compress(plain)}
    packed["zst"] = suite.run(["zstd", "-q", "-c", GAMES]).out
    for kind, data in packed.items():
        path = suite.path("games.pgn." + kind)
        with open(path, "wb") as f:
            f.write(data)
        expect(suite, "compressed input, " + kind, suite.search("-e", "mate", path, *COUNT), 0, whole.text(), "")
        expect(suite, "compressed standard input, " + kind, suite.search("-e", "mate", "-", *COUNT, stdin=data), 0, whole.text(),
               "")
        with open(path, "wb") as f:
            f.write(data[:len(data) * 2 // 3])
        expect(suite, "truncated input, " + kind, suite.search("-e", "mate", path, *COUNT), 3, None, os.path.basename(path))


def replaced(suite):
    """The games that are searched are not replaced by what is found, under whatever name."""
    only, other = suite.path("only.pgn"), suite.path("other.pgn")
    write(only, read(GAMES))
    os.symlink(only, other)
    for output in (only, other, suite.path("./only.pgn")):
        refuse(suite, "-o %s of the games" % os.path.basename(output), ["search", "-e", "mate", GAMES, only, "-o", output],
               "both an input and the output")
    again = suite.run(["sh", "-c", "cqlgen search -e mate %s >>%s" % (only, only)])
    expect(suite, "games that are searched and appended to", again, 2, "", "both an input and the output")
    query = suite.path("replace.cql")
    write(query, "cql(input %s output %s) mate" % (only, only))
    refuse(suite, "output that is input, in the header", ["search", query, "--allow-files", "/"], "both an input and the output")
    suite.check("command: the games are there", read(only) == read(GAMES))


def outputs(suite):
    replaced(suite)
    split(suite)
    target = suite.path("target.pgn")
    write(target, "old")
    expect(suite, "a bad query leaves the output file alone", suite.search("-e", "not", GAMES, "-o", target), 2)
    suite.check("command: the output file is as before", read(target) == "old")
    expect(suite, "-o", suite.search("-e", "mate", GAMES, "-q", "-o", target), 0, "", "")
    printed = suite.search("-e", "mate", GAMES, "-q")
    suite.check("command: -o writes what standard output shows", read(target).encode() == printed.out)
    expect(suite, "-o -", suite.search("-e", "mate", GAMES, "-q", "-o", "-"), 0, printed.text(), "")
    expect(suite, "no match gives an empty file", suite.search("-e", "false", GAMES, "-q", "-o", target), 0, "", "")
    suite.check("command: the file is there and empty", os.path.exists(target) and os.path.getsize(target) == 0)
    left = [f for f in os.listdir(suite.path("")) if f.lstrip(".").startswith("target.pgn") and f != "target.pgn"]
    suite.check("command: no temporary files stay", not left, str(left))
    expect(suite, "-o in a missing folder", suite.search("-e", "mate", GAMES, "-o", suite.path("no/x.pgn")), 5, "", "no/x.pgn")
    loop = suite.path("loop.pgn")
    os.symlink("loop.pgn", loop)
    expect(suite, "-o a link to itself", suite.search("-e", "mate", GAMES, "-o", loop), 5, "", "loop.pgn: Too many levels of symbolic links")
    suite.check("command: the link to itself is there", os.path.islink(loop))
    expect(suite, "a compilation into a missing folder",
           suite.run([suite.cqlgen, "-e", "mate", "-o", suite.path("no/x.so")]), 5, "", "no/x.so: No such file or directory")
    os.makedirs(suite.path("folder.so"))
    expect(suite, "a compilation into a folder", suite.run([suite.cqlgen, "-e", "mate", "-o", suite.path("folder.so")]), 5, "",
           "folder.so: Is a directory")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            p = subprocess.run([suite.cqlgen, "search", "-e", "mate", GAMES, "-q"], stdout=full, stderr=subprocess.PIPE,
                               env=suite.environment)
        suite.check("command: a full disk is reported", p.returncode == 5 and p.stderr, "status %d" % p.returncode)
    reading, writing = os.pipe()
    os.close(reading)
    p = subprocess.run([suite.cqlgen, "search", "-e", "true", GAMES, "-q"], stdout=writing, stderr=subprocess.PIPE,
                       env=suite.environment, timeout=60)
    os.close(writing)
    suite.check("command: a closed pipe is an exit status", p.returncode == 5 and b"cannot write" not in p.stderr, "status %d" % p.returncode)
    summary = suite.search("-e", "mate", GAMES, "--format", "count")
    suite.check("command: the summary goes to standard error", b"games match" in summary.err, summary.errors())


def files_below(folder):
    return {os.path.relpath(os.path.join(where, name), folder): read(os.path.join(where, name))
            for where, _, names in os.walk(folder) for name in names}


def split(suite):
    """Output names with tags in braces (language reference 13.18)."""
    pgn = suite.path("split.pgn")
    games = [("A, B", "1-0", "e4"), ("A/B", "0-1", "d4"), ("../../x", "1-0", "c4"), ("", "*", "Nf3"), ("Ö" + 120 * "x", "*", "a3"), ("A, B", "0-1", "b3")]
    write(pgn, "".join('[White "%s"]\n[Result "%s"]\n\n1. %s %s\n\n' % (name, result, move, result) for name, result, move in games))
    names = {"A_ B": ["e4", "b3"], "A_B": ["d4"], "_._.._x": ["c4"], "unknown": ["Nf3"], "_" + 99 * "x": ["a3"]}

    def found(query, name, *options):
        folder = suite.path("split")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        expect(suite, "output in " + name, suite.search("-e", query, pgn, "-q", "-o", os.path.join(folder, name), *options), 0, "", "")
        return {name: re.findall(r"1\.(\w+)", text) for name, text in files_below(folder).items()}

    for threads in ("1", "3"):
        files = found("true", "{White}.pgn", "-j", threads)
        suite.check("command: games in the files of their tags", files == {name + ".pgn": moves for name, moves in names.items()}, str(files))
    files = found("true", "{Nothing}/{Result}-{x y}.pgn")
    suite.check("command: folders of split output", files == {
        "unknown/1-0-{x y}.pgn": ["e4", "c4"], "unknown/0-1-{x y}.pgn": ["d4", "b3"], "unknown/_-{x y}.pgn": ["Nf3", "a3"]}, str(files))
    files = found('settag("Kind" { if result 1-0 then "won" else "not won" }) sort gamenumber', "{Kind}.pgn", "--limit", "4")
    suite.check("command: files by a tag that the query sets, sorted", files == {"won.pgn": ["c4"], "not won.pgn": ["b3", "a3", "Nf3"]}, str(files))
    files = found("mate", "{White}.pgn")
    suite.check("command: no game, no file", files == {}, str(files))
    refuse(suite, "a page in several files", ["search", "-e", "true", pgn, "-q", "-o", suite.path("{White}.html")], "one file")
    same = suite.path("0-1.pgn")
    shutil.copy(pgn, same)
    result = suite.search("-e", "true", same, "-q", "-o", suite.path("{Result}.pgn"))
    expect(suite, "an input among several outputs", result, 5, "", "both an input and the output")
    suite.check("command: it stays", read(same) == read(pgn))


def tables_agree(suite, query):
    """The machine-readable formats, read by other programs, hold what `positions` prints."""
    positions = suite.search("-e", query, GAMES, "-q", "--format", "positions").text().splitlines()
    lines = suite.search("-e", query, GAMES, "-q", "--format", "jsonl").text().splitlines()
    table = suite.search("-e", query, GAMES, "-q", "--format", "csv").text()
    try:
        objects = [json.loads(line) for line in lines]
        same = ["%d: %s" % (o["game"], " ".join(str(p["id"]) for p in o["positions"])) for o in objects]
        fens = [p["fen"] for o in objects for p in o["positions"]]
        rows = list(csv.DictReader(io.StringIO(table, newline="")))
        found = {}
        for row in rows:
            found.setdefault(int(row["game"]), []).append(row["position"])
        suite.check("command: jsonl and positions agree: " + query, same == positions and positions, str(same)[:300])
        suite.check("command: csv and positions agree: " + query,
                    ["%d: %s" % (g, " ".join(ids)) for g, ids in found.items()] == positions, str(found)[:300])
        suite.check("command: jsonl and csv have the same FENs: " + query, [row["fen"] for row in rows] == fens)
    except (ValueError, KeyError, TypeError) as e:
        suite.check("command: jsonl and csv can be read: " + query, False, repr(e))


def hostile_tables(suite):
    """Tags and comments that would end a string, a field or a line stay inside."""
    games, odd = suite.path("odd.pgn"), b"a, b; \x01\x1f\x7f\x85 \xe2\x80\xa8 \xff\xc3\xa9 =cmd|x"
    with open(games, "wb") as f:
        f.write(b'[Event "' + odd + b' \\\\"]\n[White "x\ty"]\n[Site "\xe2\x80\xa8 \xc2\x85 \xc3\xa9"]\n[Black "the "best""]\n[Result "1-0"]\n\n1. e4 {"q", \xff \xc2\x85 , z} 1-0\n')
    want = {"Event": odd.decode("latin-1") + " \\", "Site": "\u2028 \x85 \xe9", "White": "x\ty", "Black": 'the "best"', "Result": "1-0", "comment": '"q", \xff \xc2\x85 , z', "uci": "e2e4"}
    query = ["-e", 'ply == 1 sort "k, \'" (ply+2)', games, "-q"]
    result = suite.search(*query, "-f", "jsonl")
    lines = result.out.decode("utf-8").splitlines()  # goes by Unicode
    found = json.loads(lines[0]) if len(lines) == 1 else {}
    got = dict(found.get("tags", {}), **found.get("positions", [{}])[0])
    suite.check("command: jsonl of hostile text", {k: got.get(k) for k in want} == want and found["sort"] == {"k, '": 3}, str(got))
    rows = list(csv.DictReader(io.StringIO(suite.search(*query, "-f", "csv").out.decode("utf-8"), newline="")))
    got = rows[0] if len(rows) == 1 else {}
    suite.check("command: csv of hostile text", {k: got.get(k if k in got else k.lower()) for k in want} == want and got["k, '"] == "3",
                str(rows))


def packed_output(suite):
    """The ending of the name compresses, the one before it is the format; no half-written file remains."""
    want = suite.search("-e", "check", GAMES, "-q", "-f", "csv").out
    for ending, module in (("gz", gzip), ("bz2", bz2), ("xz", lzma)):
        path = suite.path("packed.csv." + ending)
        expect(suite, "output to .csv." + ending, suite.search("-e", "check", GAMES, "-q", "-o", path), 0, "", "")
        with module.open(path) as f:
            suite.check("command: packed output .csv." + ending, f.read() == want)
    path = suite.path("packed.pgn.zst")
    suite.search("-e", "mate", GAMES, "-q", "-o", path)
    suite.check("command: packed output can be searched", suite.search("-e", "mate", path, *COUNT).text() == suite.search("-e", "mate", GAMES, *COUNT).text())
    path = suite.path("packed.xls")
    suite.search("-e", "check", GAMES, "-q", "-f", "csv", "-o", path)
    suite.check("command: -f permits any ending", read(path).encode() == want.replace(b"\r\n", b"\n") or read(path) == want.decode("utf-8"))
    database, path = suite.path("packed.cqldb"), suite.path("exported.pgn.gz")
    suite.run([suite.cqlgen, "import", GAMES, "-q", "-o", database])
    expect(suite, "export to .pgn.gz", suite.run([suite.cqlgen, "export", database, "-o", path]), 0, "", "")
    with gzip.open(path) as f:
        suite.check("command: the packed export", f.read() == suite.run([suite.cqlgen, "export", database]).out != b"")
    refuse(suite, "an export to another format", ["export", database, "-o", suite.path("x.csv")], "writes PGN")


def chosen_fields(suite):
    """--fields, --first and --context, from PGN and from a database of its games after another file."""
    games, other, database = suite.path("chosen.pgn"), suite.path("other.pgn"), suite.path("chosen.cqldb")
    write(other, '[Event "x"]\n[Result "*"]\n\n1. a3 *\n')
    text = '[White "A"]\n[Opening "Spanish"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n'
    write(games, text + '[White "B"]\n[Result "*"]\n\n1. d4 (1. e4 c5) 1... d5 2. c4 *\n')
    suite.run([suite.cqlgen, "import", games, "-q", "-o", database])
    fields = "game,game_in_file,offset,White,Opening,position,before,san,next_san,next_uci,after"
    words = ["-e", "btm", "--variations", "--first", "--context", "1", "--fields", fields, "-q"]
    # Black is to move for the first time after 1. a3, 1. e4 and 1. d4.
    rows = ["2,1,0,A,Spanish,1,e4,e4,e5,e7e5,e5", "3,2,%d,B,,1,d4,d4,d5,d7d5,d5" % len(text)]
    want = [fields, "1,1,0,?,,1,a3,a3,,,", *rows]
    got = suite.search(*words, other, games, "-f", "csv").text().splitlines()
    suite.check("command: chosen fields", got == want, str(got))
    got = suite.search(*words, other, database, "-f", "csv", "-j", "3").text().splitlines()
    suite.check("command: chosen fields of a database have no offset", got[2:] == [rows[0].replace(",0,", ",,"), rows[1].replace(",%d," % len(text), ",,")],
                str(got))
    lines = [json.loads(line) for line in suite.search("-e", "btm", games, "-q", "-f", "jsonl", "--fields", "game,moves").text().splitlines()]
    suite.check("command: moves in jsonl", lines == [{"game": 1, "moves": ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]}, {"game": 2, "moves": ["d4", "d5", "c4"]}],
                str(lines))
    clocks = os.path.join(TESTS, "pgn", "clocks.pgn")
    got = suite.search("--dialect", "cql6", "-e", "eval gamenumber < 2", clocks, "-q", "-f", "csv", "--fields", "ply,clock,elapsed,eval").text().splitlines()
    suite.check("command: clocks in csv", got == ["ply,clock,elapsed,eval", "0,,,20", "1,180,0,35", "5,,,-99997"], str(got))
    for form, between in (("csv", ","), ("tsv", "\t")):  # without --fields as well, and where a game has none
        lines = [line.split(between)[-4:] for line in suite.search("--dialect", "cql6", "-e", "{ply == 1 gamenumber >= 3} or {eval gamenumber < 2}", clocks, "-q", "-f", form).text().splitlines()]
        suite.check("command: clocks in columns of %s" % form, [line[1:] for line in lines] == [["clock", "elapsed", "eval"], ["", "", "20"], ["180", "0", "35"], ["", "", "-99997"],
                                                                                             ["", "", ""], ["600", "", ""], ["90", "10", ""]], str(lines))
    found = json.loads(suite.search("--dialect", "cql6", "-e", "ply == 4 gamenumber == 1", clocks, "-q", "-f", "jsonl").text())["positions"][0]
    suite.check("command: clocks in jsonl", (found["clock"], found["elapsed"], "eval" in found) == (160, 5, False), str(found))
    parts = [suite.path("chosen-%d.part" % k) for k in (1, 2)]
    for k, part in enumerate(parts):
        suite.search(*words, games, "-f", "tsv", "--part", "%d/2" % (k + 1), "-o", part)
    merged = suite.run([suite.cqlgen, "merge", *parts, "-q"]).out
    suite.check("command: chosen fields in parts", merged == suite.search(*words, games, "-f", "tsv").out and merged.count(b"\t") == 30, str(merged))
    refuse(suite, "a merge to an unknown ending", ["merge", *parts, "-o", suite.path("x.xls")], "names no format")
    cut = [suite.search("-e", "Bb5", "--context", "1", *names, "-q", "-f", "pgn").text() for names in ([games], [database], [other, database, "-j", "3"])]
    suite.check("command: games cut to the context", cut[0] == cut[1] and "Qkq - 2 3\"]\n\n{Game number 1}\n3.Bb5 {CQL} 3...a6 {CQL} *" in cut[0] and
                cut[2] == cut[0].replace("number 1", "number 2"), cut[0] + cut[2])
    # The comment of the first match only; all three count for the header. The second game has two.
    write(suite.path("chosen.cql"), "cql(matchcount 3 9) btm comment(ply)")
    got = suite.search(suite.path("chosen.cql"), games, "-q", "--first").text()
    suite.check("command: --first", "1.e4 {1 CQL} 1...e5 2.Nf3 Nc6 3.Bb5 a6 *" in got and "White \"B\"" not in got, got)


def formats(suite):
    hostile_tables(suite)
    packed_output(suite)
    chosen_fields(suite)
    printed = suite.search("-e", "mate", GAMES, "-q")
    again = suite.search("-e", "mate", "-", "-q", stdin=printed.out)
    suite.check("command: the PGN that is written can be searched",
                len(games_of(again.text())) == len(games_of(printed.text())) > 0, again.errors())
    for query in ("mate", "R attacks k", "path -- check -- -- check", "find all check == 3", "flip {Kg1 ph7}"):
        tables_agree(suite, query)
    pages = [suite.search("-e", "ply<3 K attacks P", "-", "-q", "-f", "html", *first, stdin=b"1. e4 e5 2. d4 *\n").text() for first in ([], ["--first"])]
    # the king's square, in each of three positions
    suite.check("command: --first shows the squares of the first position only", [page.count("class='found'") for page in pages] == [3, 1], str(
        [page.count("class='found'") for page in pages]))
    positions = suite.search("-e", "mate", GAMES, "-q", "--format", "positions").text().splitlines()
    number = suite.search("-e", "mate", GAMES, *COUNT).text().strip()
    suite.check("command: count and positions agree", number == str(len(positions)), number)


def several(suite):
    one = suite.search("-e", "mate", GAMES, "-q", "--format", "positions").text().splitlines()
    two = suite.search("-e", "check not mate", GAMES, "-q", "--format", "positions").text().splitlines()
    a, b = suite.path("a.cql"), suite.path("b.cql")
    write(a, "cql() mate")
    write(b, "cql() check not mate")
    both = suite.search(a, b, GAMES, "-q", "--format", "positions").text().splitlines()
    suite.check("command: several queries in one search, the first", [x[len(a) + 1:] for x in both if x.startswith(a)] == one)
    suite.check("command: several queries in one search, the second", [x[len(b) + 1:] for x in both if x.startswith(b)] == two)
    expect(suite, "several queries on the command line", suite.search("-e", "mate", "-e", "check not mate", GAMES, *COUNT), 0,
           "-e1\t%d\n-e2\t%d\n" % (len(one), len(two)), "")
    expect(suite, "a mistake in one of them", suite.search("-e", "mate", "-e", "chek", GAMES, *COUNT), 2, "", "-e2:1:1: error: ")
    matcher = suite.path("several.so")
    expect(suite, "several queries in one matcher", suite.run([suite.cqlgen, a, b, "-o", matcher]), 0, "", "")
    loaded = suite.search(matcher, GAMES, "-q", "--format", "positions").text().splitlines()
    suite.check("command: the matcher of several queries finds the same", loaded == [os.path.basename(line) for line in both])
    zero = suite.path("zero.cql")
    write(zero, "cql(matchcount 0) mate")
    total = int(suite.search("-e", "true", GAMES, *COUNT).text() or 0)
    expect(suite, "games without a match are found by matchcount 0", suite.search(zero, GAMES, *COUNT), 0,
           "%d\n" % (total - len(one)), "")
    flags = ["--variations", "--mainline"]
    studies = os.path.join(EXAMPLES, "studies.pgn")
    counts = [suite.search("-e", "variation", studies, *COUNT, f).text() for f in flags]
    suite.check("command: --variations and --mainline", counts[1] == "0\n" and int(counts[0] or 0) > 0, str(counts))


def matchers_of_strangers(suite):
    """The code of a matcher runs when it is loaded; --secure does not load it."""
    source, ran, matcher = suite.path("stranger.c"), suite.path("ran"), suite.path("stranger.so")
    write(source, "#include <fcntl.h>\n__attribute__((constructor)) static void run(void)\n{\n    open(\"%s\", O_CREAT, 0600);\n}\n" % ran)
    if not expect(suite, "a stranger's matcher", suite.run(["cc", "-shared", "-fPIC", source, "-o", matcher]), 0, "", ""):
        return
    for arguments in (["search", matcher, "examples/games.pgn"], ["explain", matcher]):
        expect(suite, "%s --secure MATCHER.so" % arguments[0], suite.run([suite.cqlgen, *arguments, "--secure"]), 2, "",
               "%s is refused because of --secure" % matcher)
        suite.check("command: %s --secure does not run it" % arguments[0], not os.path.exists(ran))
    expect(suite, "a stranger's matcher is loaded", suite.run([suite.cqlgen, "explain", matcher]), 2, "", "no function cql_matcher")
    suite.check("command: its code has run", os.path.exists(ran))


def matchers(suite):
    good = suite.path("good.so")
    if not expect(suite, "a matcher", suite.run([suite.cqlgen, "-e", "mate", "-o", good]), 0, "", ""):
        return
    with open(good, "rb") as f:
        image = f.read()
    said = suite.run([suite.cqlgen, "explain", good])
    suite.check("command: explain MATCHER.so", said.status == 0 and said.text().startswith("compiled matcher of 1 query, made by cqlgen, ") and
                "== -e ==\nmate\n" in said.text() and "visits: the main line\n" in said.text(), said.text()[:300] + said.errors())
    expect(suite, "explain MISSING.so", suite.run([suite.cqlgen, "explain", suite.path("none.so")]), 2, "", "none.so")
    for name, content in (("half", image[:len(image) // 2]), ("head", image[:100]), ("empty", b""), ("text", b"not ELF\n" * 99),
                          ("short", image[:-1000])):
        path = suite.path(name + ".so")
        with open(path, "wb") as f:
            f.write(content)
        expect(suite, "a damaged matcher (%s)" % name, suite.search(path, GAMES, *COUNT), 2, "", name + ".so")
    damaged, maker, kinds = suite.path("bits.so"), random.Random(11), set()
    for i in range(suite.size(full=200, quick=24, sanitize=24)):
        content = bytearray(image)
        for _ in range(1 + i % 3):
            content[maker.randrange(len(image))] ^= 1 << maker.randrange(8)
        with open(damaged, "wb") as f:
            f.write(content)
        kinds.add(suite.search(damaged, GAMES, *COUNT).status)
    suite.check("command: matchers with changed bits are refused", kinds == {2}, str(kinds))
    fails = "fma4" not in read("/proc/cpuinfo") if platform.machine() == "x86_64" and os.path.exists("/proc/cpuinfo") else False
    other = suite.path("other-processor.so")
    if fails and suite.run([suite.cqlgen, "-e", "mate", "-o", other], environment={"CC": "cc -mfma4"}).status == 0:
        expect(suite, "a matcher for another processor", suite.search(other, GAMES, *COUNT), 2, "", "for a processor with fma4, which this one lacks")
    expect(suite, "a missing matcher", suite.search(suite.path("none.so"), GAMES, *COUNT), 2, "", "none.so")
    for name, source in (
            ("wrong-version", 'static const Matcher m = {.magic = CQL_MAGIC, .abi_version = CQL_ABI_VERSION + 1};\n'
                              'const Matcher *cql_matcher(void);\nconst Matcher *cql_matcher(void) { return &m; }\n'),
            ("wrong-magic", 'static const Matcher m = {.magic = CQL_MAGIC + 1, .abi_version = CQL_ABI_VERSION};\n'
                            'const Matcher *cql_matcher(void);\nconst Matcher *cql_matcher(void) { return &m; }\n'),
            ("no-entry", "int something_else(void);\nint something_else(void) { return 1; }\n")):
        write(suite.path(name + ".c"), "#include <cqlgen/matcher.h>\n" + source)
        path = suite.path(name + ".so")
        built = suite.run(shlex.split(os.environ.get("CC", "cc")) + ["-std=gnu11", "-I", os.path.join(suite.out, "include"), "-fPIC", "-shared",
                                                                     "-o", path, suite.path(name + ".c")])
        if suite.check("command: %s compiles" % name, built.status == 0, built.errors()[:500]):
            message = "version" if name == "wrong-version" else name + ".so"
            expect(suite, "a matcher with %s" % name.replace("-", " "), suite.search(path, GAMES, *COUNT), 2, "", message)


def selection(suite):
    mates = suite.search("-e", "mate", GAMES, "-q", "-f", "positions").text().splitlines(True)
    for form, games in (("4-7", range(4, 8)), ("7", [7]), ("-4", range(1, 5)), ("12-", range(12, 1000))):
        want = "".join(line for line in mates if int(line.split(":")[0]) in games)
        expect(suite, "--games " + form, suite.search("-e", "mate", GAMES, "-q", "-f", "positions", "--games=" + form), 0, want, "")
    stored = suite.path("selection.cqldb")
    suite.run([suite.cqlgen, "import", GAMES, "-o", stored, "-q"])
    for query, form in itertools.product(("mate", "ply==4", "btm"), ("count", "pgn")):
        searched = [re.search(r"\((\d+) positions", suite.search("-e", query, games, "-f", form, "-g", "3-5").errors()) for games in (GAMES, stored)]
        suite.check("command: --games counts the positions of its games: %s, %s" % (query, form),
                    all(searched) and searched[0][1] == searched[1][1], str(searched))
    expect(suite, "--limit", suite.search("-e", "mate", GAMES, "-q", "-f", "positions", "--limit", "3"), 0, "".join(mates[:3]), "")
    longest = suite.search(os.path.join(EXAMPLES, "queen-sacrifice.cql"), GAMES, "-q", "--limit", "1").text()
    suite.check("command: --limit of sorted games", len(games_of(longest)) == 1 and "Thomas, George Alan" in longest, longest)
    # every format has the same first game
    first = suite.search("-e", 'sort "plies" ply', GAMES, "-q", "-n", "1", "-f", "csv", "--fields", "game").text().split()[1]
    for form, number in (("positions", r"^(\d+):"), ("jsonl", r'"game": ?(\d+)')):
        found = suite.search("-e", 'sort "plies" ply', GAMES, "-q", "-n", "1", "-f", form).text()
        suite.check("command: the first of sorted games as " + form, re.findall(number, found, re.M) == [first], found[:200])
    for games in ("7-4", "x", "0", ""):
        refuse(suite, "--games=%s" % games, ["search", "-e", "mate", GAMES, "--games=" + games], "games")
    expect(suite, "--exit-status without a match", suite.search("-e", "false", GAMES, *COUNT, "--exit-status"), 1, "0\n", "")
    expect(suite, "--exit-status with matches", suite.search("-e", "mate", GAMES, *COUNT, "--exit-status"), 0, None, "")
    names = suite.path("names.txt")
    write(names, "%s\n%s\n" % (GAMES, GAMES))
    expect(suite, "@FILE", suite.search("-e", "mate", "@" + names, *COUNT), 0, "%d\n" % (2 * len(mates)), "")
    expect(suite, "--format none", suite.search("-e", "mate", GAMES, "-q", "-f", "none"), 0, "", "")
    fens = suite.search("-e", "mate", GAMES, "-q", "-f", "fen").text().splitlines()
    suite.check("command: a FEN for each position", len(fens) == len(mates) and all(f.count("/") == 7 for f in fens), str(fens[:2]))


def deep(suite):
    """Searches along ten thousand plies, and into variations that nest five thousand times."""
    long, nested = suite.path("long.pgn"), suite.path("nested.pgn")
    write(long, "1. " + "Nf3 Nf6 Ng1 Ng8 " * 2500 + "*\n")
    pairs = (("Nf3", "Nc3"), ("Nf6", "Nc6"), ("Nf3", "Nb1"), ("Nf6", "Nb8"))  # the move that is played, and the one instead
    write(nested, "1. " + " ".join("%s ( %s" % pair for pair in pairs * 1250) + " )" * 5000 + " *\n")
    for query, games in (("path 10000 (-- ? --?)* terminal", long), ("x=0 path 10000 (-- {x+=1})* terminal", long),
                         ("{line --> (wtm --> btm)* --> wtm} == 10001", long), ("{path max depth (-- {x=1})*} == 5000", nested),
                         ("{find all terminal} == 5001", nested)):
        for engine in ("interp", "tcc", "cc"):
            result = suite.search("--variations", "-e", "initial\n" + query, games, "-f", "count", "-q", "--engine", engine)
            expect(suite, "%s (%s)" % (query, engine), result, 0, "1\n", "")
    echoes = "".join("echo (s%d t%d) {" % (i, i) for i in range(80)) + "true" + "}" * 80
    for engine in ("interp", "tcc", "cc"):  # the system compiler would take days for 80 loops if each level doubled its work
        expect(suite, "80 nested loops (%s)" % engine, suite.search("-e", echoes, "-", "-f", "count", "-q", "--engine", engine, stdin=b"1. e4 *\n"), 0, "1\n", "")
    # what a search of 641 positions remembers: from the first and the last but one, one position or more lie before the last
    result = suite.search("-e", "{ply == 0 or ply > 638} line --> .+ --> ply == 640", "-", "-q", "-f", "positions", stdin=b"Nf3 Nf6 Ng1 Ng8 " * 160 + b"*\n")
    expect(suite, "a line of 641 positions", result, 0, "1: 0 639\n", "")


def running(suite):
    mates = suite.search("-e", "mate", GAMES, "-q", "--format", "positions").text().splitlines()
    games = int(suite.search("-e", "true", GAMES, *COUNT).text() or 0)
    result = suite.search("-e", "persistent Seen=0 Seen+=1", GAMES, "-f", "count", "-j", "2")
    suite.check("command: a sequential query has one thread", " 1 thread, " in result.errors(), result.errors())
    result = suite.run([suite.cqlgen, "search", "-e", "mate", GAMES, *COUNT, "--engine", "cc"], environment={"TMPDIR": "/missing", "XDG_CACHE_HOME": "/dev/null/none", "HOME": "/dev/null"})
    expect(suite, "a temporary file for cc that cannot be written", result, 2, "", "cannot make a temporary folder /missing/")
    result = suite.search("-e", "assert not mate", GAMES, *COUNT)
    expect(suite, "a run-time error in some games", result, 4, "%d\n" % (games - len(mates)), "games.pgn:")
    number = mates[0].split(":")[0] if mates else ""
    suite.check("command: it names the game", "game %s:" % number in result.errors(), result.errors()[:300])
    late = suite.path("late.cql")
    write(late, "cql()\nif check\n  {x=1}\nflipcolor {\n  wtm or btm\n  x==1\n}\n")
    endless = suite.path("endless.cql")
    write(endless, "cql()\ntrue\n\nwhile (true)\n  {x=1}\n")
    for query, engine in itertools.product(((late, 6, 3), (endless, 4, 1)), ("interp", "tcc")):
        result = suite.search(query[0], GAMES, *COUNT, "--max-steps", "100000", "--engine", engine)
        expect(suite, "the query's place in a run-time error (%s)" % engine, result, 4, None, "%s:%d:%d: " % query)
    result = suite.search("-e", "ply<4 or assert ply!=4", GAMES, *COUNT)
    expect(suite, "the position in a run-time error", result, 4, None, "game 1: position 4: -e:1:10: assert failed")
    endless_third = ["-e", "if gamenumber==3 {loop true}", GAMES, *COUNT, "-j", "1", "--max-steps", str(10**15), "--max-seconds", "1"]
    expect(suite, "the end of the time", suite.search(*endless_third, timeout=30), 4, "2\n", "only the first 2 games have been searched")
    for engine in ("interp", "tcc"):
        result = suite.search("-e", "loop true", GAMES, *COUNT, "--max-steps", "100000", "--engine", engine, timeout=60)
        expect(suite, "an endless query (%s)" % engine, result, 4, "0\n", "step")
        result = suite.search("-e", "x=movenumber false and ((x<900 and 1<2) or ply==777)", GAMES, *COUNT, "--no-optimize", "--engine", engine)
        expect(suite, "constants among conditions, not optimised (%s)" % engine, result, 0, "0\n")
    doubtful = '[White "%sb"]\n\n1. e4 *\n\n[White "%s"]\n\n1. e4 *\n' % ("a" * 60, "a" * 60)
    for engine, (options, why) in itertools.product(("interp", "tcc"), ((["--max-steps", "100000"], "the query needs too many steps for this game"),
                                                                        ([], 'the regular expression "^(a+)+$" backtracks too much'))):
        result = suite.search("-e", 'player white ~~ "^(a+)+$"', "-", *COUNT, *options, "--engine", engine, stdin=doubtful.encode())
        expect(suite, "an error in a condition on tags (%s)" % engine, result, 4, "1\n", "game 1: position 0: -e:1:1: " + why)
    result = suite.search("-e", 'writefile("../outside.cqo" "x")', GAMES, *COUNT, cwd=suite.path(""))
    expect(suite, "writing outside of the folder", result, 4, "0\n")
    path = {"PATH": suite.path("nowhere")}
    expect(suite, "a search where there is no C compiler", suite.search("-e", "mate", GAMES, *COUNT, environment=path), 0,
           "%d\n" % len(mates))
    result = suite.search("-e", "mate", GAMES, *COUNT, "--engine", "cc", "--no-cache", environment=path)
    expect(suite, "--engine cc where there is none", result, 2, "", "cqlgen:")


def hostile(suite):
    """Text of a query must stay text in what is emitted: strings, comments and names that would end a literal or a comment."""
    games = int(suite.search("-e", "true", GAMES, *COUNT).text() or 0)
    escape = ('*/ int evil(void){return 1;} /*', '*/\n#error evil\n/*', '\\', '\\"; abort(); //', '%s%n%d', '??/', '??/"??\'', '// \\',
              '#include </etc/passwd>', '\\x41\\u0022', 'é€\u202e', '\x01\x7f', "'", 'a' * 5000)
    bodies = ['"%s" == "%s"' % (t, t) for t in escape if '"' not in t and '\n' not in t]
    bodies += ['/* %s */ true' % t.replace("*/", "* /") for t in escape] + ['true // %s' % t.replace("\n", " ") for t in escape]
    bodies += ['true /* #error evil */ // ??/', 'comment("*/ #error \\" \\")', 'true // ends in a backslash \\\ntrue']
    bodies += ['%s=1 %s==1' % (name, name) for name in ("struct", "return", "c", "abort", "main", "NULL", "cql_matcher", "STRING",
                                                         "static", "define", "x__", "__x", "auto1", "typeof")]
    for i, body in enumerate(bodies):
        query = suite.path("hostile*%d'$.cql" % i)
        write(query, "cql()\n%s\n" % body)
        whole = suite.search(query, GAMES, *COUNT, "--engine", "interp")
        if not expect(suite, "a hostile query is read: %r" % body[:60], whole, 0, "%d\n" % games, ""):
            continue
        expect(suite, "a hostile query, tcc: %r" % body[:60], suite.search(query, GAMES, *COUNT, "--engine", "tcc"), 0,
               whole.text(), "")
    everything = [suite.path("hostile*%d'$.cql" % i) for i in range(len(bodies))]
    source, matcher = suite.path("hostile.c"), suite.path("hostile.so")
    compiler = shlex.split(os.environ.get("CC", "cc")) + ["-std=gnu11", "-Wall", "-Wextra", "-fPIC", "-shared", "-o", matcher]
    for options, flags in (["--standalone"], []), ([], ["-I", os.path.join(suite.out, "include")]):
        expect(suite, "all hostile queries, to C %s" % options, suite.run([suite.cqlgen, *everything, "-o", source, *options]), 0, "", "")
        built = suite.run(compiler + flags + [source])
        if suite.check("command: all hostile queries compile %s" % options, built.status == 0, built.errors()[:500]):
            counts = suite.search(matcher, GAMES, *COUNT)
            numbers = [line.rsplit(None, 1)[-1] for line in counts.text().splitlines()]
            suite.check("command: all hostile queries match %s" % options, numbers == [str(games)] * len(bodies), counts.text()[:300])


def too_long(suite):
    """Queries whose compilation takes more than its part of --max-memory."""
    long = "path " + "-- " * 25000
    message = "cqlgen: %s: to compile this takes more memory than is left of the 32 MB for queries; write a shorter query, or allow more with --max-memory\n"
    made = suite.path("long.so")
    for arguments in (["search", "-e", long, GAMES], ["search", "-e", long, GAMES, "--engine", "interp"], ["explain", "-e", long],
                      ["compile", "-e", long, "-o", made]):
        result = suite.run([suite.cqlgen, *arguments, "--max-memory", "1"])
        expect(suite, "a query that takes too much memory: " + arguments[0], result, 2, None, message % "-e")
        suite.check("command: it is all that is wrong: " + arguments[0], result.errors() == message % "-e" and not os.path.exists(made))
    result = suite.run([suite.cqlgen, "convert", "-e", "path " + "-- " * 40000, "--max-memory", "1"])
    expect(suite, "a query that takes too much memory: convert", result, 2, "", message % "-e")
    result = suite.search("-e", long, "-e", "mate check chek", "-e", long, GAMES, *COUNT, "--max-memory", "1")
    expect(suite, "a query that takes too much memory, among others", result, 2, "", message % "-e3")
    suite.check("command: the others are compiled", message % "-e1" in result.errors() and "-e2:1:12: error" in result.errors(), result.errors())
    many = list(itertools.chain(*(["-e", "path " + "-- " * 5000] for _ in range(8))))
    result = suite.search(*many, GAMES, "--output-dir", suite.path("too-many"), "--max-memory", "1")
    expect(suite, "queries that take too much memory together", result, 2, "", "cqlgen: -e8: to compile this takes more memory")
    suite.check("command: nothing is left of them", not os.path.exists(suite.path("too-many")))
    expect(suite, "a long query", suite.search("-e", long, GAMES, *COUNT, "--engine", "interp", "--max-memory", "600"), 0, "0\n")
    part = suite.path("long.part")
    suite.search("-e", long, GAMES, *COUNT, "--engine", "interp", "--max-memory", "600", "--part", "1/1", "-o", part)
    expect(suite, "parts of a long query", suite.run([suite.cqlgen, "merge", part, "-q"]), 0, "0\n")
    expect(suite, "parts of a query that takes too much memory", suite.run([suite.cqlgen, "merge", part, "-q", "--max-memory", "1"]), 2, "", message % "-e")


def too_large(suite):
    """A game that takes more than its part of --max-memory is left out; the others are searched."""
    games, base = suite.path("large.pgn"), suite.path("large.cqldb")
    tag = '[White "%s"]\n\n'
    knights = "Nf3 Nf6 Ng1 Ng8 " * 15000
    write(games, tag % "first" + "1. e4 *\n\n" + tag % "knights" + knights + "*\n\n" + tag % "variations" + "1. d4 " + "(1. e4 e5) " * 30000 +
          "*\n\n" + tag % "last" + "1. c4 *\n")
    suite.run([suite.cqlgen, "import", games, "-o", base, "-q"])
    message = "game %d: the game needs more than 32 MB of memory and is left out; --max-memory allows more\n"
    for source, threads in itertools.product((games, base), ("1", "3")):
        result = suite.search("-e", "ply==1", source, "-j", threads, "--max-memory", "1", "-q")
        suite.check("command: games that take too much memory: %s" % result.errors()[:300], result.status == 4 and
                    re.findall(r'White "(\w*)"', result.text()) == ["first", "last"] and all(message % n in result.errors() for n in (2, 3)))
    queries = {"check": ("0", {2, 3}), "not check": ("4", {2, 3}), 'player "knights"': ("0", {2}), 'comment("x") check': ("0", {2, 3})}
    for (query, (count, left)), source, engine in itertools.product(queries.items(), (games, base), ("interp", "tcc", "tcc --no-prefilter")):
        result = suite.search("-e", query, source, "--max-memory", "1", "-q", "--engine", *engine.split(), *COUNT)
        reported = {n for n in (2, 3) if message % n in result.errors()}
        left = left - {3} if source == base else left  # its main line is short
        expected = str(int(count) - len(reported)) if count == "4" else count
        suite.check("command: %s leaves the same games out: %s, %s: %s" % (engine, query, os.path.basename(source), result.errors()[:300]),
                    reported == left and result.text().split() == [expected] and result.status == 4)
    result = suite.search("-e", "ply==1", "-e", "ply==0", games, "--output-dir", suite.path("large"), "--max-memory", "1", "-q")
    suite.check("command: several results report a large game once: %s" % result.errors()[:300],
                result.status == 4 and [result.errors().count(message % n) for n in (2, 3)] == [1, 1])
    expect(suite, "a large game", suite.search("-e", "ply==1", games, *COUNT, "--max-memory", "1000"), 0, "4\n")
    for name, query in (("a string", 'initial ss="0123456789abcdef" loop {#ss<2000000000 ss+=ss}'),
                        ("a dictionary", "initial dictionary D nn=0 loop {nn<200000 nn+=1 D[ nn ]=nn}")):
        expect(suite, name + " that takes too much memory", suite.search("-e", query, GAMES, *COUNT, "-g", "1", "--max-memory", "1", "-q"), 4, "0\n",
               "the query needs too much memory for this game (the limit is 4 MB of texts)")


def many_results(suite):
    """Results that are more than their part of --max-memory are written piece by piece, each in its turn."""
    games, base = suite.path("many-results.pgn"), suite.path("many-results.cqldb")
    suite.generate(games, seed=5, games=2000)
    suite.run([suite.cqlgen, "import", games, "-o", base, "-q"])
    for kind in ("fen", "pgn"):
        whole = suite.search("-e", "true", games, "-f", kind, "-q", "-j", "1")
        suite.check("command: many results, %s: %d bytes" % (kind, len(whole.out)), whole.status == 0 and len(whole.out) > 1 << 20)
        for source, threads in itertools.product((games, base), ("1", "3")):
            result = suite.search("-e", "true", source, "-f", kind, "-q", "-j", threads, "--max-memory", "1", timeout=60)
            suite.check("command: many results with little memory, %s, -j %s, %s: %s" % (kind, threads, os.path.basename(source), result.errors()[:300]),
                        result.status == 0 and result.out == whole.out)


def places(suite):
    """What a query is compiled to does not depend on the folder of the query."""
    text = "cql() assert ply < 3 comment(mate) echo (here there) there == here"
    built = []
    for folder in ("one", "an other"):
        os.mkdir(suite.path(folder))
        query, out = os.path.join(suite.path(folder), "place.cql"), os.path.join(suite.path(folder), "place")
        write(query, text)
        for ending in (".c", ".so"):
            expect(suite, "a query in " + folder, suite.run([suite.cqlgen, query, "--show", "-o", out + ending]), 0, "", "")
            with open(out + ending, "rb") as f:
                built.append(f.read())
    suite.check("command: the same C from any folder", built[0] == built[2] and built[0].startswith(b"// place.cql, compiled by cqlgen\n"), str(built[0][:100]))
    suite.check("command: the same matcher from any folder", built[1] == built[3])
    queries = [suite.path(os.path.join(folder, "place.cql")) for folder in ("one", "an other")]
    suite.run([suite.cqlgen, *queries, "-o", suite.path("places.so")])
    found = suite.search(suite.path("places.so"), GAMES, *COUNT).text().splitlines()
    suite.check("command: queries with one name in two folders", [line.partition("\t")[0] for line in found] == queries, str(found))


def run(suite):
    for part in (bad_arguments, helps, inputs, compressed, outputs, formats, several, matchers, matchers_of_strangers, places, selection, running, deep, hostile, too_long, too_large, many_results):
        part(suite)
