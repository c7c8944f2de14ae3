"""What fails: each message whole, the exit status, the output, and what stays of files and folders.

A call of the system fails (tests/tools/fault.c), or a search or merge ends before it writes. All searches are over tests/pgn/options.pgn, as in
parts/options.py.
"""
import bz2
import gzip
import lzma
import os
import re
import shutil

from parts.harness import EXAMPLES, read, write
from parts.options import FOLDER, finds, says, timed


def run(suite):
    calls(suite)
    left_alone(suite)


def calls(suite):
    """A call of the system that fails: the message whole, the output, and the exit status (3: an input, 5: an output, 7: memory). Of each
    kind of calls (tests/tools/fault.c) one after the other fails, alone, until all expected ends have been seen."""
    if suite.sanitize:
        return
    folder = suite.path("failing-calls-in")
    os.makedirs(os.path.join(folder, "folder"))
    games = os.path.join(folder, "g.pgn")
    shutil.copy(os.path.join(FOLDER, "options.pgn"), games)
    shutil.copy(games, os.path.join(folder, "folder"))
    shutil.copy(os.path.join(EXAMPLES, "games.pgn"), os.path.join(folder, "more.pgn"))
    write(os.path.join(folder, "list"), "g.pgn\n")
    write(os.path.join(folder, "q.cql"), "cql() mate\n")
    write(os.path.join(folder, "i.cql"), "cql(input g.pgn) mate\n")
    write(os.path.join(folder, "old.pgn"), "1. e4 *\n")
    with open(games, "rb") as f:
        plain = f.read()
    packed = {"g.pgn.gz": gzip.compress(plain), "g.pgn.bz2": bz2.compress(plain), "g.pgn.xz": lzma.compress(plain)}
    for name, content in packed.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(content)
    own = ["search", "-q", "-j", "1", "--engine", "interp"]
    search = [*own, "-f", "positions", "-e", "mate"]
    stored, last = [*own, "-e", "mate"], [*own, "-f", "count", "-e", "lastgamenumber==3"]
    sort = [*own, "--max-memory", "1", "-e", 'sort "x" gamenumber comment("1234567890" gamenumber)', *6 * ["more.pgn"]]
    part = [*own, "-f", "count", "-e", "mate", "g.pgn", "--part", "1/1", "-o"]
    journal = [*own, "-f", "count", "-e", "mate", "g.pgn", "--journal", "j"]
    goes_on, run = "; the same command continues the import", "cannot run /proc/self/exe: Resource temporarily unavailable"
    suite.run([suite.cqlgen, *part, "made.part"], cwd=folder)
    suite.run([suite.cqlgen, "import", "-q", "g.pgn", "-o", "g.cqldb"], cwd=folder)
    broken, full, denied, many = "Input/output error", "No space left on device", "Permission denied", "Too many open files"
    found, merged = "1: 7\n2: 4\n", "cqlgen: made.part: %s\n"
    cut, error, no = "%%s: error: cannot read: %s%%s\n" % broken, "%s: error: %s\n", "cqlgen: cannot write %s: %s\n"
    near = " (near byte %d of the file)"
    changed, thread = "another program changed the file while it was read" + near, "cqlgen: cannot start a thread: Resource temporarily unavailable\n"
    keep, tables, copy = ("cqlgen: cannot %s a temporary file: %%s\n" % what for what in ("keep the results in", "make the tables in", "write"))
    again = "<stdin>: error: cannot make a copy to read it twice: %s\n"
    rows = [([*search, "g.pgn"], {
        "read": [(3, "", cut % ("g.pgn", "")), (3, found, cut % ("g.pgn", near % len(plain)))], "open": [(3, "", error % ("g.pgn", "cannot read: " + many))],
        "status": [(3, found, error % ("g.pgn", changed % len(plain)))], "thread": [(7, "", thread)], "write": [(5, "", no % ("standard output", full))]})]
    rows += [([*search, name], {
        "read": [(3, "", cut % (name, "")), (3, found, cut % (name, near % len(content)))], "status": [(3, found, error % (name, changed % len(content)))]})
        for name, content in packed.items()]
    rows += [
        ([*search, "-"], {"read": [(3, "", cut % ("<stdin>", "")), (3, found, cut % ("<stdin>", near % len(plain)))]}),
        *(([*search, name], {"memory": [(3, "", error % (name, "cannot decode %s data: out of memory" % codec)), *others]}) for name, codec, others in (
            ("g.pgn.gz", "gzip", []), ("g.pgn.bz2", "bzip2", [(3, "", error % ("g.pgn.bz2", "cannot read: Cannot allocate memory" + near % len(packed["g.pgn.bz2"])))]),
            ("g.pgn.xz", "xz", [(3, "", error % ("g.pgn.xz", "cannot read: Cannot allocate memory" + near % len(packed["g.pgn.xz"])))]))),
        ([*search, "@list"], {"read": [(3, "", "cqlgen: cannot read the list list: %s\n" % broken)], "open": [(3, "", "cqlgen: cannot read the list list: %s\n" % many)],
                              "status": [(3, "", "cqlgen: another program changed the list list while it was read\n")]}),
        ([*search, "folder"], {"open": [(3, "", "cqlgen: cannot read folder: %s\n" % many)]}),
        ([*last, "-"], {"read": [(3, "", again % broken)], "write": [(3, "", again % full), (5, "", no % ("standard output", full))]}),
        ([*search, "g.pgn", "-o", "o.pgn"], {"write": [(5, "", no % ("o.pgn", full))], "name": [(5, "", no % ("o.pgn", denied))]}),
        ([*stored, "g.pgn", "-o", "o.pgn.gz"], {"write": [(5, "", no % ("o.pgn.gz", full))], "name": [(5, "", no % ("o.pgn.gz", denied))]}),
        ([*stored, "g.pgn", "-o", "o.html"], {"write": [(5, "", no % ("o.html", full))], "name": [(5, "", no % ("o.html", denied))]}),
        ([*stored, "g.pgn", "-o", "o.sqlite"], {"write": [(5, "", tables % "database or disk is full"), (5, "", no % ("o.sqlite", full))], "open": [(5, "", tables % many)],
                                               "space": [(5, "", tables % broken)], "name": [(5, "", no % ("o.sqlite", denied))]}),
        ([*own, "-f", "count", "q.cql", "g.pgn"], {"read": [(2, "", "cqlgen: cannot read q.cql: %s\n" % broken)], "open": [(2, "", "cqlgen: cannot read q.cql: %s\n" % many)],
                                                   "status": [(2, "", "cqlgen: another program changed q.cql while it was read\n")]}),
        (sort, {"write": [(5, "", keep % full), (5, None, no % ("standard output", full))], "read": [(5, None, "cqlgen: cannot read the temporary file: %s\n" % broken)]}),
        (journal, {"write": [(5, "", no % ("j", full)), (5, "", no % ("standard output", full))], "read": [(5, "", "cqlgen: cannot read j again\n")],
                   "open": [(5, "", "cqlgen: cannot open j: %s\n" % many)], "space": [(5, "", no % ("j", broken))],
                   "name": [(0, "2\n", "cqlgen: cannot remove the journal j: %s\n" % denied)]}),
        ([*part, "o.part"], {"write": [(5, "", no % ("o.part", full))], "name": [(5, "", no % ("o.part", denied))]}),
        (["merge", "made.part", "-q"], {
            "read": [(3, "", merged % "not a partial result of a search (made with --part)"), (3, "", merged % "the partial result is incomplete; search this part again"),
                     (3, "", merged % "the partial result is damaged; search this part again")],
            "open": [(3, "", "cqlgen: cannot read made.part: %s\n" % many)], "write": [(5, "", no % ("standard output", full))]}),
        ([*stored, "-e", "check", "g.pgn", "--output-dir", "d", "--summary", "s.csv"], {
            "write": [(5, "", no % (name, full)) for name in ("d/e1.pgn", "d/e2.pgn", "s.csv")],
            "name": [(5, "", "cqlgen: cannot make the folder d: %s\n" % denied), *((5, "", no % (name, denied)) for name in ("d/e1.pgn", "d/e2.pgn", "s.csv"))]}),
        (["import", "-q", "g.pgn", "-o", "o.cqldb"], {
            "read": [(3, "", "cqlgen: g.pgn: cannot read: %s%s%s\n" % (broken, place, goes_on)) for place in ("", near % len(plain))],
            "open": [(3, "", "cqlgen: cannot read g.pgn: %s%s\n" % (many, goes_on))], "space": [(5, "", "cqlgen: o.cqldb: cannot write the database: %s%s\n" % (broken, goes_on))]}),
        (["export", "g.cqldb", "-o", "o.pgn"], {"write": [(5, "", no % ("o.pgn", full))], "name": [(5, "", no % ("o.pgn", denied))]}),
        (["verify", "g.cqldb"], {"write": [(5, "", no % ("standard output", full))]}),
        (["cqli", "--append", "old.pgn", "i.cql"], {kind: [(1, None, no % ("old.pgn", reason))] for kind, reason in
                                                    (("read", broken), ("open", many), ("write", full), ("name", denied))}),
        (["bench", "-e", "mate", "g.pgn", "--rounds", "1", "--engines", "interp", "-f", "csv", "-o", "o.csv"], {
            "name": [(5, "", "cqlgen: cannot make a temporary folder: %s\n" % denied), (5, "", no % ("B/empty.pgn", denied)), (5, "", no % ("B/query-1.cql", denied))],
            "write": [(5, "", no % (name, full)) for name in ("B/empty.pgn", "B/query-1.cql", "o.csv")],
            "process": [(3, None, "cqlgen: g.pgn: %s\n" % run), (3, None, "cqlgen: g.pgn: no database could be made of it: %s\n" % run),
                        (1, None, "cqlgen: mate, g.pgn, interp: failed: %s\n" % run)]}),
        (["-e", "mate", "-o", "o.c"], {"write": [(5, "", no % ("o.c", full))], "name": [(5, "", no % ("o.c", denied))]}),
        # what follows the first piece could be written, so only the stream knows of it
        (["help"], {"write": [(5, None, no % ("standard output", "a write failed")), (5, None, no % ("standard output", full))]}),
        (["convert", "q.cql"], {"read": [(2, "", "cqlgen: cannot read q.cql: %s\n" % broken)], "write": [(5, "", no % ("standard output", full))]})]
    work = [(words, kind, ends) for words, kinds in rows for kind, ends in kinds.items()]
    for (words, kind, ends), missing in suite.map(lambda row: missing_ends(suite, folder, games, *row), work):
        suite.check("failures: %s fails in %s" % (kind, " ".join(words)[-60:]), not missing, "no run ended with %s" % missing)


def missing_ends(suite, folder, games, words, kind, wanted):
    """The ends that no run with a failing call of this kind had, each in a folder of its own."""
    own = os.path.join(suite.path("failing-calls"), re.sub(r"\W", "", kind + " ".join(words))[-200:])
    missing = list(wanted)
    # How many allocations come before those of a codec depends on the system; most often there are about 80.
    for numbers in (range(80, 200), range(1, 80)) if kind == "memory" else (range(1, 60),):
        for n in numbers:
            shutil.copytree(folder, own)
            log = own + ".log"
            result = suite.run([suite.cqlgen, *words], stdin=read(games).encode() if "-" in words else b"", cwd=own, environment={
                "LD_PRELOAD": suite.fault, "CQLGEN_FAULT": "%s:%d:once" % (kind, n), "CQLGEN_FAULT_LOG": log})
            errors = re.sub(r"\S*/cqlgen-bench-\w+/", "B/", result.errors())
            errors = errors.replace("disk I/O error", "Input/output error")  # SQLite knows the reason of the system in some versions
            missing = [end for end in missing if (end[0], end[2]) != (result.status, errors) or (end[1] is not None and end[1] != result.text())]
            if result.status == 5 and "import" not in words:  # no output, not even under another name
                missing += [name for name in os.listdir(own) if name.startswith("o.")]
            if read(os.path.join(own, "old.pgn")) != "1. e4 *\n" and result.status == 1:
                missing.append("what old.pgn had")
            shutil.rmtree(own)
            if not missing:
                return []
            if not os.path.exists(log):  # there is no call n
                break
            os.remove(log)
    return missing


def left_alone(suite):
    """A search or merge that ends before it writes anything leaves what was there."""
    folder, fault = suite.path("refused-later"), suite.fault
    os.mkdir(folder)
    games = os.path.join(FOLDER, "options.pgn")
    search = [suite.cqlgen, "search", "-e", "mate", games, "-q", "-j", "1", "--engine", "interp"]
    missing = ["-o", "none/o.pgn"]
    no = "cqlgen: cannot write none/o.pgn: No such file or directory\n"
    write(os.path.join(folder, "s.csv"), "old")
    suite.ends("failures: a summary without a search", suite.run([*search, *missing, "--summary", "s.csv"], cwd=folder), 5, errors=no,
               also=os.listdir(folder) == ["s.csv"] and read(os.path.join(folder, "s.csv")) == "old")
    journal = os.path.join(folder, "j")
    result = suite.run([*search, *missing, "--journal", "j"], cwd=folder)
    suite.check("failures: an empty journal is removed", (result.status, result.errors(), os.path.exists(journal)) == (5, no, False), result.errors())
    if not suite.sanitize:
        # When the output, which is the first or third write, cannot be written, the journal is kept, and a summary stays as it was.
        for words, number in ((["--journal", "j"], 3), (["--summary", "s.csv"], 1)):
            result = suite.run([*search, "-f", "count", *words], cwd=folder, environment={"LD_PRELOAD": fault, "CQLGEN_FAULT": "write:%d:once" % number})
            suite.check("failures: the output fails with %s" % words, (result.status, result.text(), result.errors()) ==
                        (5, "", "cqlgen: cannot write standard output: No space left on device\n") and
                        os.path.exists(journal) == ("j" in words) and read(os.path.join(folder, "s.csv")) == "old", result.errors())
            result = suite.run([*search, "-f", "count", "--journal", "j"], cwd=folder)
            suite.check("failures: then the search goes on", (result.status, result.text(), os.path.exists(journal)) == (0, "2\n", False), result.errors())
        result = suite.run([*search[:3], "assert ply<6", *search[4:], "-f", "count", "--journal", "j"], cwd=folder)
        suite.check("failures: no journal is left after errors of a query", (result.status, result.text(), os.path.exists(journal)) == (4, "2\n", False), result.errors())
        # The third write would be that of the results: the journal has those of the only block.
        suite.run([*search, "-f", "count", "--journal", "j"], cwd=folder, environment={"LD_PRELOAD": fault, "CQLGEN_FAULT": "write:3:stop"})
        kept = read(journal)
        result = suite.run([*search, *missing, "--journal", "j"], cwd=folder)
        other = "cqlgen: j is the journal of another search: the queries, options, games or version of cqlgen differ; remove it, or name another journal\n"
        suite.check("failures: the journal of another format", (result.status, result.errors(), read(journal)) == (5, other, kept), result.errors())
        result = suite.run([*search, "-f", "count", "-o", "none/o.pgn", "--journal", "j"], cwd=folder)
        suite.check("failures: a journal is kept", (result.status, result.errors(), os.path.exists(journal) and read(journal)) == (5, no, kept), result.errors())
        result = suite.run([*search[:-5], *search[-4:], "-f", "count", "--journal", "j"], cwd=folder)
        want = "cqlgen: j has the results of 1 blocks of games; the search goes on with the others\n2 of 3 games match (16 positions searched, T, 1 thread, interp)\n"
        suite.check("failures: a search goes on", (result.status, result.text(), timed(result.errors()), os.path.exists(journal)) == (0, "2\n", want, False), result.errors())
    for made in (False, True):  # a folder that is made for results is removed without results
        if made:
            os.mkdir(os.path.join(folder, "new"))
        result = suite.run([*search, "--output-dir", "new", "--summary", "none/s.csv"], cwd=folder)
        suite.check("failures: the folder of a search that cannot begin, there before: %s" % made, (result.status, result.errors()) ==
                    (5, "cqlgen: cannot write none/s.csv: No such file or directory\n") and os.path.exists(os.path.join(folder, "new")) == made, result.errors())
    # An import whose file cannot be read further goes on after the last game that was whole.
    place, base = " (near byte %d of the file)" % os.path.getsize(games), os.path.join(folder, "b.cqldb")
    for n in range(1, 0 if suite.sanitize else 60):
        result = suite.run([suite.cqlgen, "import", games, "-o", base, "-q"], environment={"LD_PRELOAD": fault, "CQLGEN_FAULT": "read:%d:once" % n})
        if place in result.errors():
            result = suite.run([suite.cqlgen, "import", games, "-o", base])
            want = "%s: continues after game 2\n%s: 1 game imported, 0 messages about damage, T\n" % (games, games)
            suite.check("failures: an import goes on", (result.status, re.sub(r"[\d.]+ s\n", "T\n", result.errors())) == (0, want), result.errors())
            exported = suite.run([suite.cqlgen, "export", base]).text()
            suite.check("failures: all games are imported", exported.strip() == read(games).strip(), exported)
            break
        for name in (base, base + "-journal"):
            if os.path.exists(name):
                os.remove(name)
    part = os.path.join(folder, "p")
    suite.run([*search, "--output-dir", os.path.join(folder, "d"), "--part", "1/1", "-o", part])
    each = "the parts were searched with --output-dir: a result for each query; merge them with --output-dir DIR instead of -o"
    says(suite, ["merge", part, "-q", "-o", os.path.join(folder, "x.pgn")], each)
    suite.run([*search, "--count-by", "year", "--part", "1/1", "-o", part])
    table = "year      games       %      1-0  1/2-1/2      0-1\n2004          1    50.0        1        0        0\n2010          1    50.0        0        0        1\n"
    rows = "year,games,percent,white,draws,black\r\n2004,1,50.00,1,0,0\r\n2010,1,50.00,0,0,1\r\n"
    finds(suite, ["merge", part], table)
    finds(suite, ["merge", part, "-f", "csv"], rows)
    for name, text in (("x.csv", rows), ("x", table)):
        result = suite.run([suite.cqlgen, "merge", part, "-q", "-o", name], cwd=folder)
        suite.check("failures: groups of parts in " + name, (result.status, read(os.path.join(folder, name))) == (0, text), result.errors())
