"""Messages about queries: tests/diagnostics/NAME.cql must be refused with exactly the text of NAME.stderr, or, when that has
only warnings, be accepted with it."""
import os
import re

from parts.harness import ROOT, TESTS, difference, read

DIAGNOSTICS = os.path.join(TESTS, "diagnostics")


def run(suite):
    names = [f[:-4] for f in sorted(os.listdir(DIAGNOSTICS)) if f.endswith(".cql")]

    def refuse(name):
        return suite.run([suite.cqlgen, "search", name + ".cql", "../../examples/games.pgn", "-q"], cwd=DIAGNOSTICS)

    for name, result in suite.map(refuse, names):
        want = read(os.path.join(DIAGNOSTICS, name + ".stderr"))
        why = "" if result.errors() == want else difference(want, result.errors())
        status = 2 if ": error: " in want else 0
        if result.status != status:
            why = "exit status %s, not %s" % (result.status, status)
        elif result.out:
            why = "writes to standard output: %r" % result.out[:80]
        suite.check("diagnostic " + name, not why, why)

    hints = read(os.path.join(ROOT, "compiler", "front", "cql6", "hints.c"))
    names, motifs = (re.findall(r'^    \{"(.*?)", "(.*)"\},$', hints.partition("} %s[] = {" % table)[2].partition("};")[0], re.M)
                     for table in ("names", "motifs"))
    words = sorted({example for _, example in motifs})
    result = suite.run([suite.cqlgen, "examples", *words])
    suite.check("diagnostics: examples that messages name exist", len(words) > 10 and result.status == 0 and not result.err, result.errors())
    hinted(suite, [(name, advice.replace('\\"', '"')) for name, advice in names] +
           [(name, "`cqlgen examples %s` shows how to find it" % example) for name, example in motifs])


def hinted(suite, hints):
    """Each word with its advice."""
    query = suite.path("hints.cql")
    for first in range(0, len(hints), 25):
        some = hints[first:first + 25]
        with open(query, "w", encoding="utf-8") as out:
            out.write("cql()\n" + "".join(name + "\n" for name, _ in some))
        lines = suite.run([suite.cqlgen, "search", query]).errors().splitlines()
        wanted = ["%s:%d:1: error: unknown name `%s`; %s" % (query, i + 2, *hint) for i, hint in enumerate(some)]
        got = [line for line in lines if line.startswith(query) and ": error: " in line]
        suite.check("diagnostics: hints from `%s` on" % some[0][0], got == wanted, difference("\n".join(wanted), "\n".join(got)))
