"""The cmocka programs of tests/unit."""
import os
import re


def run(suite):
    folder = os.path.join(suite.out, "unit")
    programs = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    suite.check("unit: there are unit tests", bool(programs))

    def run_one(program):
        return suite.run([os.path.join(folder, program)], environment={"CMOCKA_MESSAGE_OUTPUT": "TAP"}, timeout=1200)  # counters make perft slow

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
