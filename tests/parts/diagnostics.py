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

    motifs = read(os.path.join(ROOT, "compiler", "front", "cql6", "hints.c")).partition("} motifs[] = {")[2].partition("};")[0]
    words = sorted(set(re.findall(r'", "(.*?)"}', motifs)))
    result = suite.run([suite.cqlgen, "examples", *words])
    suite.check("diagnostics: examples that messages name exist", len(words) > 10 and result.status == 0 and not result.err, result.errors())
