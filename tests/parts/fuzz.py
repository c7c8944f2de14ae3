"""The inputs that fuzzing has collected (tests/fuzz/corpus), through their harnesses: nothing crashes, what must agree agrees."""
import os

from fuzz.fuzz import FUZZ, harnesses


def run(suite):
    program = os.path.join(suite.out, "tests", "replay")

    def replay(harness):
        folder = os.path.join(FUZZ, "corpus", harness)
        files = sorted(os.path.join(folder, name) for name in os.listdir(folder)) if os.path.isdir(folder) else []
        return files, suite.run(["sh", "-c", 'ulimit -s 65536 2>/dev/null; exec "$@"', "sh", program, harness, *files], timeout=300)

    for harness, (files, result) in suite.map(replay, harnesses()):
        begun = [line for line in result.text().splitlines() if line in files]
        good = result.status == 0 and not result.crashed() and files
        suite.passed += len(files) if good else max(0, len(begun) - 1)
        suite.check("fuzz %s" % harness, good, "%s: status %s: %s" % (
            os.path.basename(begun[-1]) if begun else "no input", result.status, result.errors()[-1500:]))
