"""Messages about bad queries: tests/diagnostics/NAME.cql must be refused with exactly the text of NAME.stderr."""
import os

from parts.harness import TESTS, difference, read

DIAGNOSTICS = os.path.join(TESTS, "diagnostics")


def run(suite):
    names = [f[:-4] for f in sorted(os.listdir(DIAGNOSTICS)) if f.endswith(".cql")]

    def refuse(name):
        return suite.run([suite.cqlgen, "search", name + ".cql", "../../examples/games.pgn"], cwd=DIAGNOSTICS)

    for name, result in suite.map(refuse, names):
        want = read(os.path.join(DIAGNOSTICS, name + ".stderr"))
        why = "" if result.errors() == want else difference(want, result.errors())
        if result.status != 2:
            why = "exit status %s, not 2" % result.status
        elif result.out:
            why = "writes to standard output: %r" % result.out[:80]
        suite.check("diagnostic " + name, not why, why)
