"""The C that is emitted for the queries of tests/golden, compared with the reviewed files next to them.

`run.py --only golden --update` writes them anew.
"""
import os

from parts.harness import TESTS, difference, read, write

GOLDEN = os.path.join(TESTS, "golden")


def emitted(suite, name):
    """The part of the emitted C that depends on the query; '' with a reason when there is none."""
    result = suite.run([suite.cqlgen, "explain", name + ".cql"], cwd=GOLDEN)
    _, found, rest = result.text().partition("\n== C ==\n")
    if result.status != 0 or not found:
        return "", "exit status %s: %s" % (result.status, result.errors().strip()[:300])
    return rest.partition("\n== ")[0] + "\n", ""


def whole_program(suite, name, body):
    """`-o NAME.c` writes the same file, and with --standalone the same code after the header itself."""
    include = "#include <cqlgen/matcher.h>\n"
    for option in ([], ["--standalone"]):
        out = suite.path(name + ".c")
        result = suite.run([suite.cqlgen, name + ".cql", "-o", out, *option], cwd=GOLDEN)
        if result.status != 0 or not os.path.exists(out):
            return "exit status %s: %s" % (result.status, result.errors().strip()[:300])
        written = read(out)
        code = body.partition(include)[2].strip() if option else body.strip()
        if not code or code not in written or (include in written) != (not option):
            return "the C file is not the code that explain shows %s" % option
    return ""


def run(suite):
    for file in sorted(os.listdir(GOLDEN)):
        name, extension = os.path.splitext(file)
        if extension != ".cql":
            continue
        got, why = emitted(suite, name)
        path = os.path.join(GOLDEN, name + ".c")
        if got and suite.update:
            write(path, got)
        if got and not os.path.exists(path):
            why = "there is no golden file; make it with --update and review it"
        if not why and read(path) != got:
            why = difference(read(path), got)
        suite.check("golden " + name, not why, why)
        if got:
            why = whole_program(suite, name, got)
            suite.check("golden %s, as a file" % name, not why, why)
