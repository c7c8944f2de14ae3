"""The Python package: its wheel, the examples of docs/python.md, and what it promises about errors, interrupts and threads.

Runs with a Python that has what the wheel needs, /usr/bin/python3 if the other one does not.
"""
import os
import re
import shutil

from parts.harness import EXAMPLES, ROOT, read

CHECKS = os.path.join(ROOT, "tests", "tools", "python_checks.py")


def interpreter(suite):
    for name in (os.environ.get("PYTHON", "python3"), "/usr/bin/python3"):
        if shutil.which(name) and suite.run([name, "-c", "import setuptools, wheel, zipfile"]).status == 0:
            return name
    return None


def fields(text, name):
    """The names of a struct's members in the header, or of _fields_ in _library.py."""
    header = re.search(r"\{([^{}]*)\} Cql%s;" % name, re.sub(r"//[^\n]*", "", text))
    if header:
        return [word for line in header.group(1).split(";") for word in re.findall(r"(\w+)\s*(?=,|$)", line.strip())]
    return re.findall(r'\("(\w+)"', re.search(r"class %s\(Structure\):\n    _fields_ = \[(.*?)\]\n\n" % name, text, re.S).group(1))


def check_header(suite):
    """ctypes knows no header: the structs and functions are those of cqlgen.h."""
    header, library = read(os.path.join(ROOT, "compiler", "api", "cqlgen.h")), read(os.path.join(ROOT, "runtime", "python", "cqlgen", "_library.py"))
    for name in re.findall(r"class (\w+)\(Structure\)", library):
        suite.check("python: the struct %s is that of cqlgen.h" % name, fields(header, name) == fields(library, name),
                    "%s, %s" % (fields(header, name), fields(library, name)))
    functions = set(re.findall(r"^CQL_PUBLIC [^;]*?\b(cql_\w+)\(", header, re.M))
    suite.check("python: the functions are those of cqlgen.h", functions == set(re.findall(r'^    "(cql_\w+)":', library, re.M)))


def run(suite):
    check_header(suite)
    python = interpreter(suite)
    if python is None:
        print("python: no Python with setuptools and wheel; skipped")
    if suite.sanitize or python is None:
        return
    site = suite.path("site")
    built = suite.run(["make", "-s", "install-python", "OUT=" + os.path.relpath(suite.out, ROOT), "PYTHON_DIR=" + site,
                       "PACKAGING_PYTHON=" + python], environment={"MAKEFLAGS": "", "MAKELEVEL": ""}, timeout=300)
    if not suite.check("python: make install-python", built.status == 0 and os.path.exists(os.path.join(site, "cqlgen", "libcqlgen.so.1")),
                       built.text() + built.errors()):
        return
    folder = suite.path("python")
    os.mkdir(folder)
    os.symlink(EXAMPLES, os.path.join(folder, "examples"))
    environment = {"PYTHONPATH": site, "PYTHONDONTWRITEBYTECODE": "1", "CQLGEN_PROGRAM": suite.cqlgen}
    result = suite.run([python, CHECKS, os.path.join(ROOT, "docs", "python.md")],
                       environment=environment, cwd=folder, timeout=300)
    for line in result.text().splitlines():
        m = re.match(r"(not )?ok (.*)", line)
        if m:
            suite.check("python: " + m.group(2), not m.group(1))
    suite.check("python: all checks", result.status == 0 and "\nend\n" in result.text() and "\nnot ok" not in result.text(), result.text() + result.errors())
    result = suite.run([python, os.path.join(EXAMPLES, "embed", "explore.py")], environment=environment, cwd=folder)
    suite.check("python: examples/embed/explore.py", result.status == 0 and "games end with mate" in result.text(),
                result.text() + result.errors())
    exhausted(suite, python, environment)


EXHAUSTED = """
import sys, cqlgen
print("imported", flush=True)
def work():
    return len(list(cqlgen.search("mate and comment(up 1 P)", sys.argv[1], threads=1))), cqlgen.count("check", sys.argv[1])
for _ in range(2 if len(sys.argv) > 2 else 0):
    try:
        print(*work())
    except (MemoryError, OSError, RuntimeError, cqlgen.CqlError) as e:
        print("raised")
"""


def exhausted(suite, python, environment):
    """A call of the system that fails is an exception, or a game or file is abandoned with a warning; what comes after it is as ever."""
    games, log = os.path.join(EXAMPLES, "games.pgn"), suite.path("python-faults")
    program = suite.run([python, "-c", "import sys; print(sys.executable)"]).text().strip()

    def run_with(fault, *more):
        return suite.run([program, "-c", EXHAUSTED, games, *more], timeout=60, environment=dict(
            environment, LD_PRELOAD=suite.fault, CQLGEN_FAULT=fault, CQLGEN_FAULT_LOG=log))

    calls = []
    for more in ((), ("twice",)):
        whole = run_with("count", *more)
        calls.append({kind: int(count) for kind, count in re.findall(r"(\w+) (\d+)", read(log))})
        os.remove(log)
    answer = whole.text().split("\n")[1]
    for kind in ("memory", "open", "read", "status", "name", "thread"):
        first, last = calls[0][kind] + 1, (calls[0][kind] + calls[1][kind]) // 2  # of those of the first answer
        tries = min(last + 1 - first, suite.size(full=40, quick=3 if kind == "memory" else 1, sanitize=0))
        for n in {first + (last + 1 - first) * (2 * place + 1) // (2 * tries) for place in range(tries)}:
            result = run_with("%s:%d:once" % (kind, n), "twice")
            lines = result.text().split("\n")
            aborted = "thread-local data" in result.errors()  # by the C library
            abandoned = "CqlWarning" in result.errors()  # a game or a file, with a message
            good = lines[1:2] == [answer] or lines[1:2] == ["raised"] or abandoned
            suite.check("python: %s %d fails" % (kind, n), aborted or result.status == 0 and lines[0] == "imported" and good and lines[2] == answer,
                        "%s %s" % (result.status, (result.text() + result.errors())[-300:]))
