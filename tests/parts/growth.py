"""The work of the compiler grows no faster than the query, for each construct that can be repeated or nested.

The queries of tools/constructs.py are compiled, and converted, at a size and at ten times that size by a build of the
compiler that counts the basic blocks it runs (tools/count.c): a number that is the same on every machine. Ten times as much
query may cost at most twelve times as much work, and fourteen times as much memory, which is taken in large pieces. Nested
constructs are counted at 40 and 400 levels: the parser refuses more than 1,000 levels, and some constructs make two of them.
The program is built in a full run only.
"""
import os
import re
import sys

from parts.harness import TESTS

sys.path.insert(0, os.path.join(TESTS, "tools"))
from constructs import NESTED, REPEATED  # noqa: E402

MOST_WORK, MOST_MEMORY = 12, 14
LEAST_MEMORY = 8192  # KB: less is mostly fixed
COMMANDS = {"compile": lambda query, name: [query, "-o", name + ".c"],
            "convert": lambda query, name: ["convert", query, "-o", name + ".cql"],
            "explain": lambda query, name: ["explain", query]}


def cost(suite, command, name, text):
    query = suite.path(name + ".query.cql")
    with open(query, "w") as out:
        out.write("cql()\n%s\n" % text)
    result = suite.run([os.path.join(suite.out, "tests", "cqlgen-counted")] + COMMANDS[command](query, suite.path(name)),
                       timeout=120)
    found = re.search(r"blocks (\d+) memory (\d+)\n\Z", result.errors())
    return (result.status, int(found.group(1)), int(found.group(2))) if found else (result.status, 0, 0)


def run(suite):
    program = os.path.join(suite.out, "tests", "cqlgen-counted")
    if not os.path.exists(program):
        suite.check("growth: %s is there" % program, not suite.full)
        print("growth: left out; FULL=1 builds the program that counts")
        return
    flat, deep = (380, 40) if suite.full else (200, 40)  # a chain has at most 4,000 operators
    commands = ["compile", "convert"] + (["explain"] if suite.full else [])
    empty = {command: cost(suite, command, "empty-" + command, ".") for command in commands}
    jobs = [(command, name, make, size) for command in commands
            for table, size in ((REPEATED, flat), (NESTED, deep)) for name, make in table.items()
            if not suite.select or name in suite.select]

    def run_one(job):
        command, name, make, size = job
        file = "%s-%s" % (command, name.replace(" ", "-"))
        return [cost(suite, command, file, make(n)) for n in (size, 10 * size)]

    for (command, name, make, size), (small, large) in suite.map(run_one, jobs):
        title = "growth: %s %s" % (command, name)
        if not suite.check(title + " works", small[0] == large[0] == 0, "status %s and %s" % (small[0], large[0])):
            continue
        work = [c[1] - empty[command][1] for c in (small, large)]
        memory = [max(c[2] - empty[command][2], LEAST_MEMORY) for c in (small, large)]
        suite.check(title, work[1] <= MOST_WORK * work[0] and memory[1] <= MOST_MEMORY * memory[0],
                    "%d of it: %d blocks, %d KB; %d: %d blocks (%.1f times), %d KB (%.1f times)" % (
                        size, work[0], memory[0], 10 * size, work[1], work[1] / max(work[0], 1), memory[1], memory[1] / memory[0]))
