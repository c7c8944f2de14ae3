"""The cmocka programs of tests/unit, and what run.py makes of a part that ends by an exception."""
import os
import re
import shutil
import sys

from parts.harness import TESTS, write

BROKEN = """def run(suite):
    suite.check("before", True)
    [][0]
"""
SOUND = """def run(suite):
    suite.check("later", True)
"""


def run(suite):
    exceptions(suite)
    programs(suite)


def exceptions(suite):
    """An exception is one failure; the other parts are run."""
    tests = suite.path("tests")
    os.makedirs(os.path.join(tests, "parts"))
    for name in ("run.py", "README.md", "parts/__init__.py", "parts/harness.py"):
        shutil.copy(os.path.join(TESTS, name), os.path.join(tests, name))
    write(os.path.join(tests, "parts", "broken.py"), BROKEN)
    write(os.path.join(tests, "parts", "sound.py"), SOUND)
    result = suite.run([sys.executable, os.path.join(tests, "run.py"), "--out", suite.out, "--only", "broken,sound"])
    suite.check("unit: a part that ends by an exception", result.status == 1 and result.text().endswith("quick: 2 passed, 1 failed\n")
                and "FAIL broken: ended by an exception" in result.text(), result.text() + result.errors())


def programs(suite):
    folder = os.path.join(suite.out, "unit")
    built = os.listdir(folder) if os.path.isdir(folder) else []
    programs = sorted(name for name in built if os.path.exists(os.path.join(TESTS, "unit", name + ".c")))  # others are of an earlier build
    suite.check("unit: there are unit tests", bool(programs))

    # What a thread keeps of memory that was freed would count as memory in use.
    environment = {"CMOCKA_MESSAGE_OUTPUT": "TAP", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0", **({"FULL": "1"} if suite.full else {})}

    def run_one(program):
        return suite.run([os.path.join(folder, program)], environment=environment, timeout=1200)  # counters make perft slow

    for program, result in suite.map(run_one, programs):
        counted = 0
        for line in result.text().splitlines() + result.errors().splitlines():
            m = re.match(r"\s*(not )?ok \d+ - (\S+)", line)
            if m:
                counted += not m.group(1)
                suite.check("unit %s %s" % (program, m.group(2)), not m.group(1))
        if result.status != 0 or counted == 0:
            tail = (result.text() + result.errors()).strip()[-1500:]
            suite.check("unit %s" % program, False, "exit status %s: %s" % (result.status, tail))
