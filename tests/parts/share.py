"""One search made by several processes: parts that are merged, a journal after a search that was killed, ranks of MPI. What comes
out is byte for byte what one search writes."""
import gzip
import os
import random
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import time

from parts.harness import EXAMPLES, ROOT, difference, read, write

FORMATS = ["pgn", "list", "jsonl", "csv", "html", "fen", "positions", "count", "sqlite"]
# Queries of all kinds of results: comments, messages, run-time errors, sort keys, variations, limits.
SEARCHES = [
    ("comments", ["-e", 'mate comment("mate at " ply)']),
    # Few messages: mpirun of Open MPI 5 puts the end of a line that it has read in part into the other stream.
    ("messages", ["-e", 'mate gamenumber % 23 == 0 message("mate in game " gamenumber)', "-e", "check stalemate"]),
    ("errors", ["-e", "gamenumber % 7 == 3 x = ply if ply < 0 y = 1 y > 0"]),
    ("steps", ["-e", "if gamenumber % 9 == 4 loop true\ncheck", "--max-steps", "2000"]),
    ("sort", ["-e", 'sort "checks" find all check>=3']),
    ("sort-first", ["-e", 'sort "plies" ply check', "-n", "5"]),
    ("limit", ["-e", "check", "-n", "7"]),
    ("limit-all", ["-e", "mate", "-n", "100000"]),
    ("range", ["-e", "check", "-g", "11-29"]),
    ("last", ["-e", "lastgamenumber == gamenumber + 20"]),
    ("nothing", ["-e", "false"]),
    ("variations", ["-e", "check wtm", "--variations"]),
    ("where", ["-e", "check", "-e", "mate", "--where", 'player "Lasker" ply > 5']),
]


def run(suite):
    text = "\n\n".join(read(os.path.join(EXAMPLES, f)).strip() for f in ("games.pgn", "studies.pgn"))
    games = suite.path("share.pgn")
    write(games, (text + "\n\n") * suite.size(full=16, quick=6, sanitize=6) + "1. e4 e5 2. Ke3 *\n\n")
    stored = suite.path("share.cqldb")
    suite.check("share: import", suite.run([suite.cqlgen, "import", games, "-o", stored, "-q"]).status == 0)
    several = [games, stored, suite.path("not-there.pgn"), games, suite.path("not-there-either.pgn")]
    work = [(name, arguments, form, inputs) for name, arguments in SEARCHES for form in FORMATS for inputs in ([games], several)
            if suite.full or form in ("pgn", "csv") or (name, len(inputs)) in (("comments", 5), ("steps", 1), ("sort-first", 1), ("limit", 5))]
    for item, why in suite.map(lambda item: compare_parts(suite, *item), work):
        suite.check("share: parts of %s as %s, %d inputs" % (item[0], item[2], len(item[3])), not why, why)
    several_results(suite, games)
    kept_options(suite)
    other_formats(suite, several[:2])
    mistakes(suite, games)
    damage(suite, games)
    journals(suite, several)
    text = read(os.path.join(EXAMPLES, "games.pgn")).strip() + "\n\n"
    changed_files(suite, text)
    changed_databases(suite, text)
    replaced_inputs(suite, text)
    split_journals(suite, games)
    if suite.sanitize or not suite.has_mpi():
        print("share: tests of MPI are left out")
        return
    ranks(suite, games, several)
    standard_output(suite, games)
    shards(suite, games)
    networks(suite, games)
    mpi_mistakes(suite, games)
    changed_ranks(suite, games)
    killed_ranks(suite, games)


def search_parts(suite, count, folder, arguments, inputs, form):
    """Searches all parts; returns their files and statuses."""
    files, statuses = [], []
    for part in range(1, count + 1):
        files.append(os.path.join(folder, "%d of %d.part" % (part, count)))
        result = suite.search(*arguments, *inputs, "-q", "-f", form, "-j", str(1 + part % 2), "--engine", "tcc", "--part",
                              "%d/%d" % (part, count), "-o", files[-1])
        if result.out or result.crashed():
            return None, result.errors()
        statuses.append(result.status)
    return files, statuses


def compare_parts(suite, name, arguments, form, inputs):
    folder = suite.path("parts-%s-%s-%d" % (name, form, len(inputs)))
    os.makedirs(folder)
    want = os.path.join(folder, "want")
    one = suite.search(*arguments, *inputs, "-q", "-f", form, "-o", want, "-j", "1", "--engine", "tcc")
    for count in (2, 7) if suite.full else (3,):
        files, statuses = search_parts(suite, count, folder, arguments, inputs, form)
        if files is None:
            return "a part printed something: %s" % statuses
        if not set(statuses) <= {0, 3, 4}:
            return "statuses %s of the parts" % statuses
        random.Random(name + form).shuffle(files)
        got = os.path.join(folder, "got")
        merged = suite.run([suite.cqlgen, "merge", *files, "-q", "-o", got])
        if merged.status != one.status:
            return "status %s, expected %s: %s" % (merged.status, one.status, merged.errors()[:300])
        if (merged.out, merged.err) != (one.out, one.err):
            return "messages differ: %s %s" % (merged.text()[:200], merged.errors()[:200])
        with open(want, "rb") as a, open(got, "rb") as b:
            if a.read() != b.read():
                return "%d parts: the results differ" % count
    return ""


def several_results(suite, games):
    """A result for each query, and the summary."""
    arguments = ["-e", "mate", "-e", "check", "-e", "stalemate", games, "-q", "-f", "csv", "-n", "9"]
    want, got = suite.path("results-want"), suite.path("results-got")
    suite.search(*arguments, "--output-dir", want, "--summary", suite.path("want.csv"))
    files = []
    for part in "12":
        files.append(suite.path("results%s.part" % part))
        result = suite.search(*arguments, "--output-dir", got, "--part", part + "/2", "-o", files[-1])
        suite.check("share: part %s with results for each query" % part, result.status == 0 and not os.path.exists(got), result.errors())
    result = suite.run([suite.cqlgen, "merge", *files, "-q", "--output-dir", got, "--summary", suite.path("got.csv")])
    same = all(read(os.path.join(want, n)) == read(os.path.join(got, n)) for n in os.listdir(want))
    suite.check("share: results for each query", result.status == 0 and same and sorted(os.listdir(want)) == sorted(os.listdir(got)), result.errors())
    numbers = [[row.split(",")[:3] for row in read(suite.path(n)).split("\r\n")] for n in ("want.csv", "got.csv")]
    suite.check("share: summary", numbers[0] == numbers[1] and len(numbers[0]) == 5, str(numbers))
    suite.ends("share: one output of results for each query", suite.run([suite.cqlgen, "merge", *files, "-o", suite.path("x.csv")]), 2, err="--output-dir")


def make_part(suite, name, part, *arguments):
    path = suite.path(name)
    suite.ends("share: make %s" % name, suite.search(*arguments, "-q", "--part", part, "-o", path))
    return path


def kept_options(suite):
    """Options that change results belong to the search: other names of variants, and PGN in UTF-8."""
    games, journal, out = suite.path("kept.pgn"), suite.path("kept.journal"), suite.path("kept-out.pgn")
    with open(games, "wb") as file:  # after 2. exd5 by the rules of Atomic both pawns are gone; the name is in ISO 8859-1
        file.write((b'[Variant "Wild"]\n[White "M\xfcller"]\n\n1. e4 d5 2. exd5 *\n\n') * 40)
    words = ["-e", "[Aa] == 30", games, "--dialect", "cqli", "--variantalias", "Atomic", "wild", "--utf8"]
    want = suite.search(*words, "-q").out
    suite.check("share: an alias finds games", want.count("Müller".encode()) == 40, want[:200])
    one = make_part(suite, "kept1.part", "1/2", *words)
    two = make_part(suite, "kept2.part", "2/2", *words)
    suite.ends("share: an alias in parts", suite.run([suite.cqlgen, "merge", one, two, "-q"]), 0, want.decode())
    for name, changed in (("alias", words[:-2] + ["Wilder", "--utf8"]), ("encoding", words[:-1])):
        other = make_part(suite, "kept-other.part", "2/2", *changed)
        suite.ends("share: parts with another " + name, suite.run([suite.cqlgen, "merge", one, other, "-q"]), 3, err="not parts of one search")
        suite.search(*words, "-q", "-o", "/dev/full", "--journal", journal)
        suite.ends("share: a journal with another " + name, suite.search(*changed, "-q", "-o", out, "--journal", journal), 5,
                   err="journal of another search")
    suite.ends("share: a journal with an alias", suite.search(*words, "-q", "-o", out, "--journal", journal), 0, also=bytes_of(out) == want)
    if not suite.sanitize and suite.has_mpi():
        result = mpirun(suite, 2, *words, "-q", "-o", out)
        suite.check("share: an alias with ranks", result.status == 0 and bytes_of(out) == want, result.errors()[:300])


def other_formats(suite, inputs):
    """Parts become a result in any format, whatever they were searched for: the same bytes, messages and statuses as of one search."""
    kinds = [(name, arguments, one) for name, arguments in SEARCHES for one in ("pgn", "csv", "positions", "html")]
    for number, (name, arguments, one) in enumerate(suite.some(kinds, 18, 12, full=2)):
        folder = suite.path("formats-%d" % number)
        os.makedirs(folder)
        files, _ = search_parts(suite, 3, folder, arguments, inputs, one)
        for form in suite.some([form for form in FORMATS + ["tsv"] if form not in (one, "count")], 3, 4, full=3):
            want, got = os.path.join(folder, "want"), os.path.join(folder, "got")
            single = suite.search(*arguments, *inputs, "-q", "-f", form, "-o", want)
            merged = suite.run([suite.cqlgen, "merge", *files, "-q", "-f", form, "-o", got])
            suite.check("share: parts of %s for %s as %s" % (name, one, form), (merged.status, merged.out, merged.err) == (single.status, single.out, single.err)
                        and bytes_of(want) == bytes_of(got), merged.errors()[:300])
    games = suite.path("formats.pgn")
    shutil.copy(inputs[0], games)
    parts = [make_part(suite, "formats%d.part" % k, "%d/2" % k, "-e", 'mate message("at " ply)', games, "-f", "csv", "--fields", "White,san") for k in (1, 2)]
    single = suite.search("-e", 'mate message("at " ply)', games, "-f", "jsonl", "--fields", "White,san")
    merged = suite.run([suite.cqlgen, "merge", *parts, "-f", "jsonl"])
    said = [result.errors().split(" positions searched")[0] for result in (single, merged)]
    suite.check("share: messages and the summary come once", merged.out == single.out and said[0] == said[1] and merged.errors() == said[1] + " positions searched)\n", merged.errors()[-300:])
    found = suite.path("formats.sqlite")
    suite.ends("share: another format by the ending", suite.run([suite.cqlgen, "merge", *parts, "-q", "-o", found]), also=os.path.exists(found))
    suite.ends("share: the fields of parts are not those of PGN", suite.run([suite.cqlgen, "merge", *parts, "-q", "-f", "pgn"]), 0, suite.search("-e", "mate", games, "-q").text())
    counted = suite.run([suite.cqlgen, "merge", *parts, "-q", "-f", "count"])
    suite.ends("share: the count of parts", counted, 0, suite.search("-e", "mate", games, "-q", "-f", "count").text())
    write(games, read(games) + "1. e4 *\n")
    out = suite.path("formats-changed.jsonl")
    suite.ends("share: another format, and games that have changed", suite.run([suite.cqlgen, "merge", *parts, "-q", "-o", out]), 5, err="formats.pgn has changed since", also=not os.path.exists(out))
    os.remove(games)
    suite.ends("share: another format, and no games", suite.run([suite.cqlgen, "merge", *parts, "-q", "-o", out]), 5, err="formats.pgn: cannot read", also=not os.path.exists(out))
    suite.ends("share: the format of the parts needs no games", suite.run([suite.cqlgen, "merge", *parts, "-q"]), 0)


def mistakes(suite, games):
    """Each mistake has a message, and nothing is written."""
    one = make_part(suite, "one.part", "1/2", "-e", "mate", games)
    two = make_part(suite, "two.part", "2/2", "-e", "mate", games)
    other = make_part(suite, "other.part", "2/2", "-e", "check", games)
    counts = [make_part(suite, "count%d.part" % k, "%d/2" % k, "-e", "mate", games, "-f", "count") for k in (1, 2)]
    third = make_part(suite, "third.part", "2/3", "-e", "mate", games)
    changed = suite.path("share-changed.pgn")
    shutil.copy(games, changed)
    before = make_part(suite, "before.part", "1/2", "-e", "mate", changed)
    write(changed, read(changed) + "1. e4 *\n\n")
    after = make_part(suite, "after.part", "2/2", "-e", "mate", changed)
    # A call of the system that fails: the size, by which merge knows that the parts had the same games, must be in the part.
    for option in (["--part", "1/1", "-o", suite.path("unsized")], ["--journal", suite.path("unsized")]):
        log, ends = suite.path("unsized-log"), set()
        for n in range(1, 12):
            result = suite.search("-e", "mate", games, "-q", "-j", "1", "--engine", "interp", *option, environment={
                "LD_PRELOAD": suite.fault, "CQLGEN_FAULT": "status:%d:once" % n, "CQLGEN_FAULT_LOG": log})
            ends.add((result.status, result.errors()))
            for name in (suite.path("unsized"), log):
                if os.path.exists(name):
                    os.remove(name)
        suite.check("share: a size that the system does not tell, " + option[0], suite.sanitize or (3, "cqlgen: cannot find out the size and content of %s\n" % games) in ends, str(ends))
    target = suite.path("merged.pgn")
    for name, arguments, status, message in [
        ("no parts", [], 2, "expected the files of all parts"),
        ("a part is missing", [one], 3, "part 2 of 2 is missing"),
        ("a part twice", [one, two, two], 3, "are both part 2"),
        ("parts of other queries", [one, other], 3, "not parts of one search"),
        ("parts of other numbers", [one, third], 3, "not parts of one search"),
        ("parts of games that have changed", [before, after], 3, "search both parts again over the same file"),
        ("games instead of a part", [one, games], 3, "not a partial result"),
        ("a file that is not there", [one, suite.path("absent")], 3, "cannot read"),
        ("a format of counts", [*counts, "-f", "csv"], 2, "the parts were searched for the format count; for csv search them with -f csv"),
        ("a folder of results", [one, two, "--output-dir", suite.path("dir")], 2, "one result of all queries"),
    ]:
        result = suite.run([suite.cqlgen, "merge", *arguments] + (["-o", target] if "--output-dir" not in arguments else []))
        suite.check("share: " + name, result.status == status and message in result.errors(), "%s %s" % (result.status, result.errors()[:300]))
        suite.check("share: %s writes nothing" % name, not os.path.exists(target))
    for name, arguments, message in [
        ("the output is a part", [one, two, "-o", one], "both a part and the output"),
        ("tags in the output", [one, two, "-o", suite.path("{White}.pgn")], "cannot be split"),
        ("the ending of another format than that of counts", [*counts, "-o", suite.path("x.html")], "searched for the format count"),
    ]:
        suite.ends("share: " + name, suite.run([suite.cqlgen, "merge", *arguments]), 2, err=message)
    matcher = suite.path("share-matcher.so")
    suite.run([suite.cqlgen, "-e", "mate", "-o", matcher])
    for name, arguments, message in [
        ("part 0", ["-e", "mate", games, "--part", "0/2", "-o", target], "needs K/N"),
        ("part 3 of 2", ["-e", "mate", games, "--part", "3/2", "-o", target], "needs K/N"),
        ("part x", ["-e", "mate", games, "--part", "x", "-o", target], "needs K/N"),
        ("no output", ["-e", "mate", games, "--part", "1/2"], "--part needs -o FILE"),
        ("standard input", ["-e", "mate", "-", "--part", "1/2", "-o", target], "needs files"),
        ("memory of games", ["-e", "persistent Seen=0 mate Seen+=1", games, "--part", "1/2", "-o", target], "all games in their order"),
        ("a compiled matcher", [matcher, games, "--part", "1/2", "-o", target], "needs the text of the queries"),
        ("the games as the part", ["-e", "mate", games, "--part", "1/2", "-o", games], "both an input and the output"),
        ("ranks without MPI", ["-e", "mate", games, "--local", "-o", target], "cqlgen-mpi"),
        ("the journal as the output", ["-e", "mate", games, "--journal", target, "-o", target], "both the output and the journal"),
    ]:
        suite.ends("share: " + name, suite.search(*arguments), 2, err=message)
        suite.check("share: %s writes nothing" % name, not os.path.exists(target))


def damage(suite, games):
    """Bytes changed and files cut anywhere: a message, or the right result; no crash, nothing half-written."""
    one = make_part(suite, "whole1.part", "1/2", "-e", "check", games, "-n", "40")
    two = make_part(suite, "whole2.part", "2/2", "-e", "check", games, "-n", "40")
    right = suite.path("right.pgn")
    suite.run([suite.cqlgen, "merge", one, two, "-q", "-o", right])
    with open(one, "rb") as f:
        whole = f.read()
    with open(right, "rb") as f:
        right = f.read()
    maker = random.Random(7)
    bad = []
    for i in range(suite.size(full=16, quick=6, sanitize=6)):
        path, out = suite.path("damaged%d.part" % (i % 4)), suite.path("damaged.pgn")
        bytes_ = bytearray(whole)
        if i % 4 == 0:
            bytes_ = bytes_[:maker.randrange(len(whole))]
        else:
            for _ in range(1 + i % 3):
                bytes_[maker.randrange(len(whole))] ^= 1 << maker.randrange(8)
        with open(path, "wb") as f:
            f.write(bytes_)
        result = suite.run([suite.cqlgen, "merge", path, two, "-q", "-o", out], timeout=20)
        if result.crashed() or (result.status == 0) != os.path.exists(out) or (result.status != 0 and not result.err):
            bad.append((i, result.status, result.errors()[:200]))
        if os.path.exists(out):
            with open(out, "rb") as f:
                if f.read() != right:
                    bad.append((i, "another result"))
            os.unlink(out)
    suite.check("share: damaged parts", not bad, str(bad[:3]))


SLOW = ["-e", "ply % 6 == 0 x=0 square all one in . square all two in . {x+=1 x>0} x>4000", "-e", "mate", "--engine", "interp", "--no-optimize", "--no-prefilter"]


def kill_later(suite, argv, journal, least, environment=None):
    """Starts a search, kills its group when the journal has so many bytes. Returns false when it was over before."""
    p = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                         env=dict(suite.environment, **(environment or {})))
    for _ in range(30000):
        if p.poll() is not None:
            return False
        if os.path.exists(journal) and os.path.getsize(journal) > least:
            break
        time.sleep(0.01)
    os.killpg(p.pid, signal.SIGKILL)
    p.wait()
    return True


def journals(suite, inputs):
    """A search that is killed goes on where it was."""
    long = [inputs[0]] * suite.size(full=5, quick=2, sanitize=1) + inputs
    want, got, journal = suite.path("journal-want.pgn"), suite.path("journal-got.pgn"), suite.path("journal")
    one = suite.search(*SLOW, *long, "-q", "-o", want)
    killed = 0
    for i in range(1, 4):
        killed += kill_later(suite, [suite.cqlgen, "search", *SLOW, *long, "-q", "-o", got, "--journal", journal, "-j", "2"],
                             journal, 5000 * i)
        suite.check("share: a killed search writes nothing", killed < i or not os.path.exists(got))
    suite.check("share: searches were killed", killed > 0)
    goes_on = os.path.exists(journal)  # the last search may have ended before it was killed
    if goes_on:
        result = suite.search("-e", "check", *long, "-q", "-o", got, "--journal", journal)
        suite.check("share: the journal of another search", result.status == 5 and "journal of another search" in result.errors(), result.errors())
        with open(journal, "ab") as f:
            f.write(b"\3\0\0\0\0\0\0\0\xff")  # the beginning of a record
    result = suite.search(*SLOW, *long, "-o", got, "--journal", journal)
    suite.check("share: the search goes on", ("goes on with the others" in result.errors()) == goes_on, result.errors()[:300])
    suite.check("share: after the journal", result.status == one.status and read(want) == read(got), "%s %s" % (result.status, result.errors()[:300]))
    suite.check("share: the journal is removed", not os.path.exists(journal))
    write(journal, "something else entirely, which is no journal")
    result = suite.search("-e", "mate", inputs[0], "--journal", journal, "-o", got)
    suite.check("share: not a journal", result.status == 5 and "not a journal" in result.errors() and "something" in read(journal), result.errors())
    write(journal, "cqlgen par")
    result = suite.search("-e", "mate", inputs[0], "-q", "--journal", journal, "-o", got)
    suite.check("share: a journal without a beginning", result.status == 0 and not os.path.exists(journal), result.errors())


# ---- files that change ------------------------------------------------------------------------------------------------

def sampled(size):
    """The offsets of the bytes by which a file of this size is known: both ends, and 64 blocks of 4 KB at equal distances."""
    apart = (size - (128 << 10)) // 64
    blocks = [(0, 64 << 10), (size - (64 << 10), 64 << 10)] + [((64 << 10) + i * apart + (apart - 4096) // 2, 4096) for i in range(64)]
    return [range(at, at + length) for at, length in blocks]


def change_byte(path, at):
    """Changes a byte and gives the file its time back."""
    times = os.stat(path)
    with open(path, "r+b") as f:
        f.seek(at)
        byte = f.read(1)[0] ^ 1
        f.seek(at)
        f.write(bytes([byte]))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def change_time(path):
    times = os.stat(path)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns + 1))


def add_game(path):
    times = os.stat(path)
    with open(path, "ab") as f:
        f.write(b"1. e4 *\n\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def make_journal(suite, journal, *arguments):
    """A journal of a search that has not ended: its output has no room."""
    suite.ends("share: a journal is kept", suite.search(*arguments, "-q", "-o", "/dev/full", "--journal", journal), 5, also=os.path.getsize(journal) > 1000)


def bytes_of(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as f:
        return f.read()


def compare_versions(suite, name, arguments, path, changes):
    """Makes a journal and a part, changes the file, and makes the other part: `changes` says how, and how the file differs then."""
    files = [suite.path("versions-%s-%s" % (name, n)) for n in ("kept", "one", "two", "got", "journal")]
    kept, one, two, got, journal = files
    shutil.copy2(path, kept)
    make_journal(suite, journal, *arguments)
    suite.search(*arguments, "-q", "--part", "1/2", "-o", one)
    noted = bytes_of(journal)
    for what, change, differs in changes:
        change(path)
        result = suite.search(*arguments, "-q", "-o", got, "--journal", journal)
        good = (result.status == 5 and "cqlgen: %s is not the file" % path in result.errors() and "differ in %s" % differs in result.errors() and
                "remove %s to begin again" % journal in result.errors() and ("samples" in result.errors()) == differs.startswith("time"))
        suite.check("share: a journal and %s, %s" % (name, what), good and bytes_of(journal) == noted and not os.path.exists(got), "%s %s" % (result.status, result.errors()))
        suite.search(*arguments, "-q", "--part", "2/2", "-o", two)
        result = suite.run([suite.cqlgen, "merge", one, two, "-q", "-o", got])
        told = "%s of %s and that of %s differ in %s" % (path, one, two, differs)
        if differs.startswith("time"):
            want = suite.search(*arguments, "-q").text()
            good = result.status == 0 and "cqlgen: warning: " + told in result.errors() and result.errors().count("\n") == 1 and bytes_of(got) == want.encode()
        else:
            good = result.status == 3 and "cqlgen: " + told in result.errors() and not os.path.exists(got)
        os.path.exists(got) and os.unlink(got)
        suite.check("share: parts and %s, %s" % (name, what), good, "%s %s" % (result.status, result.errors()))
        os.unlink(path)
        shutil.copy2(kept, path)
    suite.search(*arguments, "-q", "--part", "2/2", "-o", two)
    result = suite.run([suite.cqlgen, "merge", one, two, "-q"])
    want = suite.search(*arguments, "-q")
    suite.check("share: parts and a copy of %s" % name, (result.status, result.text(), result.errors()) == (0, want.text(), ""), result.errors())
    suite.ends("share: a journal and a copy of %s" % name, suite.search(*arguments, "-q", "--journal", journal), 0, want.text(), "")


def changed_files(suite, text):
    """Another version of a file is noticed, also when it has the same size and time."""
    big = suite.path("versions.pgn")
    write(big, text * (1 + (1 << 20) // len(text)))
    size = os.path.getsize(big)
    places = [(name, at) for name, at in (("the first byte", 0), ("the last byte", size - 1), ("a block of 4 KB", sampled(size)[40][2000]))]
    changes = [("another " + name, lambda path, at=at: change_byte(path, at), "content") for name, at in places]
    changes += [("another time", change_time, "time of the last change"), ("another size", add_game, "size (%d bytes and %d bytes)" % (size, size + 9))]
    compare_versions(suite, "PGN", ["-e", "mate", big], big, changes)
    packed = suite.path("versions.pgn.gz")
    with open(packed, "wb") as f:
        f.write(gzip.compress(4 * text.encode()))
    compare_versions(suite, "compressed PGN", ["-e", "mate", packed], packed,
                     [("another byte in the head", lambda path: change_byte(path, 9), "content")])  # it names the system
    similar = suite.path("similar.pgn")
    write(similar, text)
    compare_versions(suite, "the file of similarposition", ["-e", 'similarposition "%s"' % similar, big, "--allow-files", "/"], similar,
                     [("another byte", lambda path: change_byte(path, 3), "content"), ("another time", change_time, "time of the last change")])


def changed_databases(suite, text):
    """The checksums that a database has of its chunks are part of what it is known by."""
    source, stored, other = (suite.path("versions" + n) for n in (".many.pgn", ".cqldb", ".other.cqldb"))
    write(source, text * (1 + (9 << 20) // len(text)))
    suite.run([suite.cqlgen, "import", source, "-o", stored, "-q"])
    content = bytes_of(stored)
    blocks = sampled(len(content))
    with sqlite3.connect(stored) as database:
        sums = [value for row in database.execute("SELECT moves_sum, games_sum, tags_sum, texts_sum FROM chunk UNION ALL SELECT sum, 0, 0, 0 FROM clocks") for value in row]
    places = [content.find(struct.pack(">q", value)) for value in sums if value]
    hidden = [at for at in places if at >= 0 and not any(at in block for block in blocks)]
    suite.check("share: a checksum that is not in a sampled block", bool(hidden))
    changes = [("another checksum", lambda path: change_byte(path, hidden[0]), "content")] if hidden else []
    # One game has another tag of the same length, in the middle; the file has the same size and time.
    write(source, read(source)[:4 << 20] + read(source)[4 << 20:].replace("[White ", "[Whyte ", 1))
    suite.run([suite.cqlgen, "import", source, "-o", other, "-q"])

    def import_again(path):
        times = os.stat(path)
        shutil.copy(other, path)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    suite.check("share: a database of other games has the same size", os.path.getsize(other) == len(content))
    compare_versions(suite, "a database", ["-e", "ply==0", "-n", "40", "-f", "count", stored], stored,
                     [*changes, ("another import", import_again, "content"), ("another time", change_time, "time of the last change")])
    two, got = suite.path("versions-appended"), suite.path("versions-got")
    suite.search("-e", "mate", stored, "-q", "--part", "1/2", "-o", got)
    suite.run([suite.cqlgen, "import", source, "--append", "-o", stored, "-q"])
    suite.search("-e", "mate", stored, "-q", "--part", "2/2", "-o", two)
    suite.ends("share: a database with more games", suite.run([suite.cqlgen, "merge", got, two, "-q"]), 3, "", "differ in ")


def replaced_inputs(suite, text):
    """A file that is replaced before it is read, while the search reads a pipe."""
    pipe, later, got = suite.path("pipe"), suite.path("later.pgn"), suite.path("replaced")
    os.mkfifo(pipe)
    for name, option in (("a part", ["--part", "1/1", "-o", got]), ("a journal", ["--journal", suite.path("replaced-journal"), "-o", got])):
        for replace in (False, True):
            write(later, text)
            p = subprocess.Popen([suite.cqlgen, "search", "-e", "mate", pipe, later, "-q", *option], stderr=subprocess.PIPE, env=suite.environment)
            fd = -1
            for _ in range(6000):
                try:
                    fd = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)  # there is a reader
                    break
                except OSError:
                    time.sleep(0.01)
            if replace:
                shutil.copy2(later, later + ".new")
                change_time(later + ".new")
                os.replace(later + ".new", later)
            os.set_blocking(fd, True)
            os.write(fd, text.encode())
            os.close(fd)
            errors = p.communicate(timeout=60)[1].decode()
            want = (5, "cqlgen: %s has changed since the search began; search again\n" % later, False) if replace else (0, "", True)
            suite.check("share: %s and a file that is%s replaced" % (name, "" if replace else " not"), (p.returncode, errors, os.path.exists(got)) == want,
                        "%s %s" % (p.returncode, errors))
            os.path.exists(got) and os.unlink(got)


def split_journals(suite, games):
    """Results that go to several files, by tags."""
    arguments, journal = ["-e", "mate", games, "-q"], suite.path("split-journal")
    for name, command in (("want", []), ("got", ["--journal", journal])):
        os.makedirs(suite.path("split-" + name))
        suite.ends("share: files by tags, " + name, suite.search(*arguments, *command, "-o", suite.path("split-%s/{White}.pgn" % name)))
    compare_folders(suite, "a journal", "split-want", "split-got")
    make_journal(suite, journal, *arguments)
    result = suite.search(*arguments, "--journal", journal, "-o", suite.path("split-got/{White}.pgn"))
    suite.check("share: the journal of one file", result.status == 5 and "journal of another search" in result.errors(), result.errors())


def compare_folders(suite, name, want, got):
    want, got = ({n: read(os.path.join(suite.path(folder), n)) for n in os.listdir(suite.path(folder))} for folder in (want, got))
    suite.check("share: files by tags, with " + name, want == got and len(want) > 1, "%s %s" % (sorted(want), sorted(got)))


# ---- MPI ------------------------------------------------------------------------------------------------------------

def mpirun(suite, ranks, *arguments, timeout=120, environment=None):
    return suite.run(["mpirun", "-n", str(ranks), os.path.join(suite.out, "cqlgen-mpi"), "search", *arguments], timeout=timeout,
                     environment=environment)


def without_mpirun(text):
    """Messages without those of mpirun about a status that is not 0."""
    head = text.split(b"--------------------------------------------------------------------------")[0]
    return head.replace(b"\n\n", b"\n").rstrip(b"\n")


def compare_ranks(suite, number, name, arguments, form, inputs, count, engine):
    want, got = suite.path("ranks-want-%d" % number), suite.path("ranks-got-%d" % number)
    one = suite.search(*arguments, *inputs, "-q", "-f", form, "-o", want, "-j", "1")
    result = mpirun(suite, count, *arguments, *inputs, "-q", "-f", form, "-o", got, "-j", "1", "--engine", engine)
    if result.status != one.status or not os.path.exists(got):
        return "status %s, expected %s: %s" % (result.status, one.status, result.errors()[:400])
    if read(want) != read(got):
        return "the results differ: " + difference(read(want), read(got))
    if result.out != one.out:
        return "standard output differs: " + difference(one.text(), result.text())
    if without_mpirun(result.err) != one.err.rstrip(b"\n"):
        return "the messages differ: %s" % result.errors()[:400]
    return ""


def ranks(suite, games, several):
    """The same bytes as from one process, in all formats, with any number of ranks."""
    kinds = [(name, arguments, form) for name, arguments in SEARCHES for form in FORMATS]
    work = [(i, *kind, several if i % 2 else [games], [1, 2, 3, 8][i % 4], ["tcc", "interp", "cc"][i % 3])
            for i, kind in enumerate(suite.some(kinds, 28, 1, full=2))]
    for item, why in suite.map(lambda item: compare_ranks(suite, *item), work):
        suite.check("share: %d ranks, %s as %s, %s" % (item[5], item[1], item[3], item[6]), not why, why)
    # many blocks of PGN, which ranks need not read from the beginning, also after a comment that does not end
    many = suite.path("many.pgn")
    damage = '[Event "damaged"]\n\n1. e4 {no end\n\n'
    write(many, (read(games) + damage) * 4 + read(games) * 12)
    why = compare_ranks(suite, 1000, "many", ["-e", 'mate comment("mate at " ply)'], "pgn", [many, games, many], 3, "tcc")
    suite.check("share: 3 ranks, many blocks of PGN", not why, why)
    result = mpirun(suite, 3, "-e", "mate", games, "-o", suite.path("stats.pgn"), "-j", "1", "--stats")
    table = result.errors().split("bytes to rank 0")[1].split("\n")[1:4]
    sums = [sum(int(row.split()[k]) for row in table) for k in (2, 3)]
    want = suite.search("-e", "mate", games, "-o", suite.path("stats.pgn")).errors()
    suite.check("share: the table of the ranks", " of %d games match (%d positions" % tuple(sums) in want, "%s %s" % (result.errors(), want))
    result = mpirun(suite, 2, "-e", "persistent Seen=0 mate Seen+=1", games, "-q", "-o", suite.path("sequential.pgn"))
    suite.check("share: a query that needs all games", result.status == 0 and "rank 0 searches alone" in result.errors(), result.errors()[:300])


def standard_output(suite, games):
    """The same bytes through standard output, which is a terminal of mpirun's for rank 0, in every format: control characters, too."""
    odd = suite.path("odd.pgn")
    with open(odd, "wb") as out:
        out.write(b'[Event "a\x1b[31m\xc2\x9b\x04\x03\x1a\x11\x13\x7f b\tc"]\n[White "Caf\xe9"]\n\n1. e4 {\x04 x\r\ny \x1b[2J} e5 *\n')
    rows = re.findall(r'^FORMAT\(\w+, "(\w+)", [^,]+, ([^,]+),', read(os.path.join(ROOT, "runtime/format/formats.def")), re.M)
    forms = [(form, [*keys, "-f", form, "-q"]) for form, flags in rows for keys in ([[]] if "GROUPS" not in flags else []) +
             ([["--count-by", "event"]] if "GROUP" in flags else [])]

    def difference_of(form):
        # Few messages, as above. Where mpirun has put some bytes into the other stream, and lost none, it is asked again.
        arguments = ["-e", 'ply<3 {gamenumber>2 or message("at " ply " of " event)}', odd, games, *form[1]]
        one = suite.search(*arguments)
        for _ in range(3):
            ranks = mpirun(suite, 2, *arguments)
            if ranks.out == one.out or sorted(ranks.out + without_mpirun(ranks.err)) != sorted(one.out + one.err.rstrip(b"\n")):
                break
        return "%s %r" % (ranks.errors()[:300], ranks.out[:300]) if ranks.out != one.out or not (one.out or form[0] == "none") else ""

    suite.check("share: formats for standard output", {"csv", "json", "text", "sqlite"} <= {form for form, _ in forms}, str(forms))
    for form, why in suite.map(difference_of, forms):
        suite.check("share: standard output of ranks: %s" % " ".join(form[1]), not why, why)


def shards(suite, games):
    """--local: each rank searches the databases that it has."""
    folders = [suite.path("disk%d" % i) for i in range(3)]
    names = []
    for i, folder in enumerate(folders):
        os.makedirs(folder)
        name = os.path.join(folder, "shard-%d.cqldb" % (2 - i))
        suite.run([suite.cqlgen, "import", *[games] * (i + 1), "-o", name, "-q"])
        names.append(name)
    pattern = suite.path("disk[0-9]") + "/shard-*.cqldb"
    want, got = suite.path("shards-want.csv"), suite.path("shards-got.csv")
    suite.search("-e", "check", *sorted(names), "-q", "-o", want)
    result = mpirun(suite, 3, "-e", "check", pattern, "--local", "-q", "-o", got)
    suite.check("share: databases that all ranks have", result.status == 0 and read(want) == read(got), result.errors()[:300])
    # Each rank has a root of its own, in which only one of the databases is there.
    if os.geteuid() != 0 or not shutil.which("unshare"):
        return
    hidden = suite.path("hidden")
    os.makedirs(hidden)
    program = 'n=$OMPI_COMM_WORLD_RANK; for i in 0 1 2; do [ $i = $n ] || mount --bind "$H" "$D$i"; done; exec "$@"'
    argv = ["mpirun", "-n", "3", "unshare", "-m", "sh", "-c", program, "sh", os.path.join(suite.out, "cqlgen-mpi"), "search", "-e", "check",
            pattern, "--local", "-q", "-o", got, "--stats"]
    if suite.run(["unshare", "-m", "mount", "--bind", hidden, folders[0]]).status != 0:
        return
    os.unlink(got)
    result = suite.run(argv, environment=dict(H=hidden, D=suite.path("disk")))
    suite.check("share: a database for each rank", result.status == 0 and read(want) == read(got), result.errors()[:300])
    table = [row.split() for row in result.errors().split("bytes to rank 0")[-1].split("\n")[1:4]]
    suite.check("share: each rank has searched its own", all(len(row) > 2 and int(row[1]) > 0 for row in table), result.errors()[:300])


def networks(suite, games):
    """Each rank in a network of its own."""
    name = "cg-try-%d" % os.getpid()
    if os.geteuid() != 0 or not shutil.which("ip") or suite.run(["ip", "netns", "add", name]).status != 0:
        return
    suite.run(["ip", "netns", "delete", name])
    want, got = suite.path("network-want.jsonl"), suite.path("network-got.jsonl")
    suite.search("-e", "check", games, "-q", "-o", want)
    result = suite.run(["sh", "tests/cluster/namespaces.sh", "3", os.path.join(suite.out, "cqlgen-mpi"), "search", "-e", "check", games, "-q",
                        "-o", got, "-j", "1"])
    suite.check("share: ranks in networks of their own", result.status == 0 and read(want) == read(got), result.errors()[:400])


def mpi_mistakes(suite, games):
    output = suite.path("mistake.pgn")
    wrong = [
        ("a query with an error", ["-e", "chek", games, "-o", output], 2, "unknown name"),
        ("no games", ["-e", "mate", "-o", output], 2, "no games to search"),
        ("standard input of ranks", ["-e", "mate", "-", "-o", output], 2, "standard input cannot be shared"),
        ("no database of ranks", ["-e", "mate", suite.path("nothing*.cqldb"), "--local", "-o", output], 3, "no rank has a database"),
        ("an output that cannot be written", ["-e", "mate", games, "-o", suite.path("no/where.pgn")], 5, "cannot write"),
    ]
    for (name, _, status, message), result in suite.map(lambda item: mpirun(suite, 2, *item[1]), wrong):
        suite.check("share: ranks, %s" % name, result.status == status and message in result.errors(), "%s %s" % (result.status, result.errors()[:400]))
    suite.check("share: ranks with mistakes write nothing", not os.path.exists(output))
    want = suite.path("alone.pgn")
    suite.search("-e", "check", games, "-q", "-o", want)
    # Another rank does not see the games; or it has no compiler.
    for name, script, arguments, message in [
        ("games that a rank cannot read", '[ $OMPI_COMM_WORLD_RANK = 0 ] || mount --bind /dev/null "$G"; exec "$@"', [], "takes no part"),
        ("a rank without a compiler", '[ $OMPI_COMM_WORLD_RANK = 0 ] || PATH=/none; exec "$@"', ["--engine", "cc", "--no-cache"], "compiler"),
    ]:
        if os.geteuid() != 0 or suite.run(["unshare", "-m", "mount", "--bind", "/dev/null", games]).status != 0:
            continue
        words = ["mpirun", "-n", "2", "unshare", "-m", "sh", "-c", script, "sh", os.path.join(suite.out, "cqlgen-mpi"), "search"]
        suite.ends("share: " + name, suite.run([*words, "-e", "check", games, "-q", "-o", output, *arguments], environment=dict(G=games)),
                   err=message, also=read(output) == read(want))
    os.path.exists(output) and os.unlink(output)
    script = '[ $OMPI_COMM_WORLD_RANK != 0 ] || ulimit -f 16; exec "$@"'
    result = suite.run(["mpirun", "-n", "2", "sh", "-c", script, "sh", os.path.join(suite.out, "cqlgen-mpi"), "search", "-e", "check", games,
                        "-q", "-o", output], environment=dict(OMPI_MCA_btl="self,tcp"))
    suite.check("share: a full disk at rank 0", result.status not in (0, None) and not os.path.exists(output), "%s %s" % (result.status, result.errors()[:400]))


def changed_ranks(suite, games):
    """Each rank has a copy of the games on its own disk."""
    os.makedirs(suite.path("split-ranks"))
    result = mpirun(suite, 2, "-e", "mate", games, "-q", "-o", suite.path("split-ranks/{White}.pgn"))
    suite.check("share: ranks and files by tags", result.status == 0, "%s %s" % (result.status, result.errors()[:300]))
    compare_folders(suite, "ranks", "split-want", "split-ranks")
    stored, copy, got = suite.path("copies.cqldb"), suite.path("copy"), suite.path("copies-got.pgn")
    suite.run([suite.cqlgen, "import", games, "-o", stored, "-q"])
    if os.geteuid() != 0 or suite.run(["unshare", "-m", "mount", "--bind", stored, games]).status != 0:
        return
    script = '[ $OMPI_COMM_WORLD_RANK = 0 ] || mount --bind "$C" "$G"; exec "$@"'
    want = suite.search("-e", "check", games, "-q").text()

    def same(path):
        pass

    for kind, path, options, last in (("games", games, [], os.path.getsize(games) - 1), ("databases", stored, ["--local"], 27)):
        for name, change, told in [("with equal times", same, ""), ("with other times", change_time, "differ in time of the last change"),
                                   ("with other bytes", lambda path: change_byte(path, last), "differ in content")]:
            shutil.copy2(path, copy)
            change(copy)
            result = suite.run(["mpirun", "-n", "2", "unshare", "-m", "sh", "-c", script, "sh", os.path.join(suite.out, "cqlgen-mpi"), "search",
                                "-e", "check", path, "-q", "-o", got, "-j", "1", "--stats", *options], environment=dict(G=path, C=copy))
            both = result.errors().split("bytes to rank 0")[-1].split("\n")[2:3]
            refused = options and "content" in told
            good = (result.status == (3 if refused else 0) and (told in result.errors() if told else "differ" not in result.errors()) and
                    ("warning: " in result.errors()) == ("time" in told) and ("takes no part" in result.errors()) == ("content" in told and not options) and
                    (not os.path.exists(got) if refused else read(got) == want and len(both) == 1))
            suite.check("share: copies of %s %s" % (kind, name), good, "%s %s" % (result.status, result.errors()[:600]))
            os.path.exists(got) and os.unlink(got)


def killed_ranks(suite, games):
    """A killed rank ends the job; the same command goes on."""
    long = [games] * suite.size(full=8, quick=3, sanitize=1)
    want, got, journal = suite.path("rank-want.pgn"), suite.path("rank-got.pgn"), suite.path("rank-journal")
    suite.search(*SLOW, *long, "-q", "-o", want)
    argv = ["mpirun", "-n", "3", os.path.join(suite.out, "cqlgen-mpi"), "search", *SLOW, *long, "-q", "-j", "1", "-o", got, "--journal", journal]
    p = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=suite.environment)
    killed = False
    for _ in range(3000):
        if p.poll() is not None or (os.path.exists(journal) and os.path.getsize(journal) > 4000):
            break
        time.sleep(0.01)
    if p.poll() is None:
        ids = subprocess.run(["pgrep", "-P", str(p.pid)], stdout=subprocess.PIPE, text=True).stdout.split()
        if len(ids) == 3:
            os.kill(int(ids[1]), signal.SIGKILL)  # it cannot be over: a rank waits for the others
            killed = True
    errors = p.communicate(timeout=60)[1]
    whole = not os.path.exists(got) or read(got) == read(want)  # rank 0 may have finished just before
    suite.check("share: a killed rank ends the job", not killed or (p.returncode != 0 and errors and whole),
                "%s %s" % (p.returncode, errors[:300]))
    suite.ends("share: ranks go on with the journal", suite.run(argv), also=read(want) == read(got) and not os.path.exists(journal))
