"""Files that queries read and write: which names they may have, what is written, and how much (language reference 7.16)."""
import os

from parts.commands import COUNT, expect
from parts.harness import read, write


def touched(suite):
    """What a query may read and write: files below the current folder, no existing one of the user's, and not too much."""
    folder = suite.path("touched")
    os.makedirs(os.path.join(folder, "below"))
    here = {"cwd": folder}
    outside = suite.path("touched-outside.pgn")
    write(outside, "1. e4 *\n")
    for name in ("mine.pgn", "mine.cql", "kept.cqo"):
        write(os.path.join(folder, name), "old")
    write(os.path.join(folder, "games.pgn"), "1. d4 *\n\n1. e4 *\n")
    for i, (output, options, status, message) in enumerate((
            ("new.pgn", [], 0, ""), ("new.pgn", [], 2, "-o new.pgn replaces it"), ("below/new.pgn", [], 0, ""), ("mine.pgn", [], 2, "mine.pgn exists"),
            ("mine.pgn", ["-o", "mine.pgn"], 0, ""), (outside, [], 2, "outside the current folder"), ("../touched-new.pgn", [], 2, "outside"),
            ("../touched-new.pgn", ["--allow-files", ".."], 0, ""), (outside, ["--allow-files", "/"], 2, "exists"),
            ("/touched-new.pgn", ["--allow-files", ".."], 2, "outside"), (suite.path("touched-none.pgn"), ["--allow-files", "no-folder"], 2, "outside"))):
        write(os.path.join(folder, "q.cql"), "cql(output %s) true" % output)
        result = suite.search("q.cql", "games.pgn", "-q", *options, **here)
        expect(suite, "output in a header, %d" % i, result, status, "", message)
    suite.check("command: files that a header names are kept", read(outside) == "1. e4 *\n" and os.path.exists(suite.path("touched-new.pgn")))
    for file, options, status, message in ((outside, [], 2, "outside the folder for files"), (outside, ["--allow-files", "/"], 0, ""),
                                           (outside, ["--allow-files", ".."], 0, ""), ("games.pgn", [], 0, "")):
        result = suite.search("-e", 'similarposition nosort "%s" ply==1' % file, "games.pgn", *COUNT, *options, **here)
        expect(suite, "similarposition %s" % options, result, status, None, message)
    for name, options, status, message in (("mine.cql", [], 4, "may be a query of yours"), ("kept.cqo", [], 0, ""), ("mine.cql", ["--allow-files", "."], 0, "")):
        result = suite.search("-e", 'gamenumber==1 initial writefile("%s" "new")' % name, "games.pgn", *COUNT, *options, **here)
        expect(suite, "writefile %s" % options, result, status, None, message)
        suite.check("command: writefile of %s with %s" % (name, options), read(os.path.join(folder, name)) == ("old" if status else "new"))
    many = 'initial x="0123456789abcdef" y=0 loop {y<16 y+=1 x+=x} writefile("much.cqo" x)'
    result = suite.search("-e", many, "games.pgn", *COUNT, "--max-output", "1", **here)
    expect(suite, "--max-output", result, 4, "1\n", "more than 1 MB; --max-output N permits more")
    suite.check("command: --max-output bounds the file", os.path.getsize(os.path.join(folder, "much.cqo")) == 1 << 20)


def named_by_queries(suite):
    """Names of files that readfile and writefile refuse, and files that they cannot read or write; the game is abandoned."""
    folder = suite.path("named")
    os.makedirs(os.path.join(folder, "inside", "folder.cqo"))
    write(os.path.join(folder, "outside.cqo"), "kept")
    inside = os.path.join(folder, "inside")
    os.symlink("../outside.cqo", os.path.join(inside, "away.cqo"))
    os.symlink("gone.cqo", os.path.join(inside, "gone-link.cqo"))
    write(os.path.join(inside, "large.cqo"), "x" * (20 << 20))
    write(os.path.join(inside, "games.pgn"), "1. e4 *\n")
    outside = "is outside the folder for files (--allow-files)"
    for query, message in (
            ('readfile "away.cqo" == "kept"', outside), ('writefile("away.cqo" "x")', outside), ('writefile("gone-link.cqo" "x")', outside),
            ('readfile "../inside/games.pgn" == "x"', outside), ('readfile "%s/../games.pgn" == "x"' % inside, outside),
            ('readfile "%s.cqo" == "x"' % ("x" * 3997), ": readfile: the file name is too long or contains a NUL byte\n"),
            ('readfile "%s.cqo" == "x"' % ("x" * 3996), ": readfile: cannot open %s: File name too long\n" % ("x" * 100)), ('readfile "folder.cqo" == ""', "readfile: cannot read folder.cqo"),
            ('readfile "missing.cqo" == ""', "readfile: cannot open missing.cqo: No such file"), ('readfile "large.cqo" == ""', "too much memory"),
            ('readfile "games.txt" == ""', 'the name "games.txt" must end in one of .cqo'),
            ('writefile("missing/x.cqo" "x")', "writefile: cannot open missing/x.cqo: No such file"), ('writefile("games.pgn" "x")', "must end in one of .cqo")):
        for engine in ("interp", "tcc"):
            result = suite.search("-e", "initial " + query, "games.pgn", *COUNT, "--max-memory", "64", "--engine", engine, cwd=inside)
            expect(suite, "%s: %s" % (engine, query[:40]), result, 4, "0\n", message)
    suite.check("command: files that may not be written are as they were", read(os.path.join(folder, "outside.cqo")) == "kept" and
                not os.path.exists(os.path.join(inside, "gone.cqo")))


def names(suite):
    """The endings of names, and the way that a name may take."""
    folder = suite.path("file-names")
    os.makedirs(os.path.join(folder, "sub"))
    write(os.path.join(folder, "games.pgn"), "1. e4 *\n")
    place = "games.pgn:1: game 1: position 0: -e:1:9: "
    ending = 'writefile: the name "%s" must end in one of .cqo .CQO .cql .CQL\n'
    outside = 'writefile: "%s" is outside the folder for files (--allow-files)\n'
    missing = "writefile: cannot open %s: No such file or directory\n"
    for name, message in (("a.cqo", ""), ("b.CQO", ""), ("c.cql", ""), ("d.CQL", ""), ("sub/a.cqo", ""), ("./e.cqo", ""), ("..f.cqo", ""), ("sub/..g.cqo", ""),
                          ("h..cqo", ""), ("sub/./i.cqo", ""), ("sub//j.cqo", ""), ("k.pgn", ending), ("k.Cqo", ending), ("kcqo", ending), ("k.cqo.txt", ending),
                          (".cqo", ending), ("", ending), ("k.cqo ", ending), ("../k.cqo", outside), ("sub/../k.cqo", outside), ("./../k.cqo", outside),
                          ("..//k.cqo", outside), ("/k.cqo", outside), (folder + "/k.cqo", outside), (".../k.cqo", missing), ("..k/k.cqo", missing), ("none/k.cqo", missing)):
        result = suite.search("-e", 'initial writefile("%s" "x")' % name, "games.pgn", *COUNT, cwd=folder)
        want = place + message % name[:100] if message else ""
        suite.check("files: writefile %r" % name, (result.status, result.errors(), result.text()) == (4 if message else 0, want, "0\n" if message else "1\n"),
                    "%s %r, expected %r" % (result.status, result.errors(), want))
        suite.check("files: what writefile %r has written" % name, bool(message) or read(os.path.join(folder, name)) == "x")
    found = sorted(os.path.relpath(os.path.join(where, file), folder) for where, _, files in os.walk(folder) for file in files)
    suite.check("files: nothing else is written", found == sorted(["..f.cqo", "a.cqo", "b.CQO", "c.cql", "d.CQL", "e.cqo", "games.pgn", "h..cqo", "sub/..g.cqo", "sub/a.cqo",
                                                                   "sub/i.cqo", "sub/j.cqo"]) and not os.path.exists(suite.path("k.cqo")), str(found))
    ending = 'readfile: the name "%s" must end in one of .cqo .CQO .cql .CQL .pgn .PGN\n'
    for name, message in (("a.cqo", ""), ("b.CQO", ""), ("c.cql", ""), ("d.CQL", ""), ("sub/a.cqo", ""), ("k.pgn", "readfile: cannot open %s: No such file or directory\n"),
                          ("k.Pgn", ending), (".pgn", ending), ("../file-names/a.cqo", outside.replace("writefile", "readfile"))):
        result = suite.search("-e", 'initial readfile "%s" == "x"' % name, "games.pgn", *COUNT, cwd=folder)
        want = place + message % name if message else ""
        suite.check("files: readfile %r" % name, (result.status, result.errors(), result.text()) == (4 if message else 0, want, "0\n" if message else "1\n"),
                    "%s %r, expected %r" % (result.status, result.errors(), want))


def written(suite):
    """The first writefile of a search replaces a file, later ones append; their bytes count together."""
    folder = suite.path("file-bytes")
    os.makedirs(folder)
    write(os.path.join(folder, "games.pgn"), "1. e4 *\n\n1. d4 d5 *\n")
    file = os.path.join(folder, "a.cqo")
    for _ in range(2):
        result = suite.search("-e", 'writefile("a.cqo" str(gamenumber ":" ply " "))', "games.pgn", *COUNT, cwd=folder)
        suite.check("files: written in order", (result.status, result.text(), read(file)) == (0, "2\n", "1:0 1:1 2:0 2:1 2:2 "), read(file))
    result = suite.search("-e", 'initial writefile("a.cqo" "") writefile("b.cqo" "b") writefile("./b.cqo" "c") readfile "a.cqo" == "" readfile "b.cqo" == "c"', "games.pgn",
                          *COUNT, "-g", "1", cwd=folder)
    expect(suite, "an empty text, and two names of one file", result, 0, "1\n", "")
    double = 'gamenumber == 1 initial x="0123456789abcdef" y=0 loop {y<16 y+=1 x+=x} %s'
    most = "games.pgn:1: game 1: position 0: -e:1:%d: writefile: the query writes more than 1 MB; --max-output N permits more\n"
    for query, status, sizes, column in (('writefile("a.cqo" x)', 0, (1 << 20, None), 0), ('writefile("a.cqo" x) writefile("b.cqo" "")', 0, (1 << 20, 0), 0),
                                         ('writefile("a.cqo" x) writefile("b.cqo" "y")', 4, (1 << 20, None), len(double) - 2 + 22), ('writefile("a.cqo" str(x "y"))', 4, (None, None), len(double) - 1)):
        for name in ("a.cqo", "b.cqo"):
            if os.path.exists(os.path.join(folder, name)):
                os.remove(os.path.join(folder, name))
        result = suite.search("-e", double % query, "games.pgn", *COUNT, "--max-output", "1", cwd=folder)
        got = tuple(os.path.getsize(os.path.join(folder, name)) if os.path.exists(os.path.join(folder, name)) else None for name in ("a.cqo", "b.cqo"))
        suite.check("files: --max-output 1, " + query, (result.status, result.errors(), got) == (status, most % column if status else "", sizes),
                    "%s %r %s" % (result.status, result.errors(), got))


def run(suite):
    touched(suite)
    named_by_queries(suite)
    names(suite)
    written(suite)
