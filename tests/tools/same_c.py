#!/usr/bin/env python3
"""Programs that were built by different compilers compile the same queries to the same C.

    python3 tests/tools/same_c.py PROGRAM PROGRAM... [--random N] [--seed N]

For example, `make OUT=out/clang CC=clang out/clang/cqlgen`, then `same_c.py out/cqlgen out/clang/cqlgen`. Compilers differ in the
order in which they evaluate the arguments of a call: two arguments that take numbers, names or memory must be statements.

The queries are those of the tests, the examples, and N random ones. What `explain` and `convert` print and report is compared: trees, IR,
C, the query in CQL 6.2. Prints each query with a difference and closes with `N passed, N failed`."""
import argparse
import concurrent.futures
import glob
import os
import random
import re
import subprocess
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [TESTS, os.path.join(TESTS, "oracle")]
from generate import Generator  # noqa: E402
from parts import golden, sentences  # noqa: E402
from parts.harness import EXAMPLES, difference, read  # noqa: E402


def queries(count, seed):
    """(name, text) of each query."""
    for path in glob.glob(os.path.join(TESTS, "**", "*.cql"), recursive=True) + glob.glob(os.path.join(EXAMPLES, "*.cql")):
        yield os.path.relpath(path, TESTS), open(path, "rb").read().decode("utf-8", "surrogateescape")
    for name, line in golden.all_queries():
        yield line, golden.whole_query(name, line)
    for file in os.listdir(sentences.SENTENCES):
        dialect = "cql6"
        for word, rest in re.findall("(?m)^([a-z]+) (.*)", read(os.path.join(sentences.SENTENCES, file))):
            if word == "dialect":
                dialect = rest
            elif word in sentences.VERDICTS:
                for body in re.split(" ⇔ | ¦ ", rest.partition(" | ")[2] if word == "at" else rest):
                    body = re.sub("[‹›]", "", body)
                    yield body, "".join(sentences.query_text(dialect, "", False, body.replace("⏎", "\n").replace("␉", "\t")))
    chance = random.Random(seed)
    for number in range(count):
        text = Generator(chance, comments=number % 2 == 0).root(chance.randint(1, 5)).text
        yield text, "cql()\n%s\n" % text


def outcome(program, text):
    """What the program prints and reports for the query."""
    return "".join(subprocess.run([program, command, "-"], input=text.encode("utf-8", "surrogateescape"), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=120).stdout.decode("utf-8", "replace") for command in ("explain", "convert"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--random", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    listed = list({text: name for name, text in queries(options.random, options.seed)}.items())
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda item: [outcome(program, item[0]) for program in options.programs], listed)
        for (text, name), (first, *others) in zip(listed, results):
            different = next((other for other in others if other != first), None)
            if different is not None:
                failed += 1
                print("FAIL %s: %s" % (name[:200], difference(first, different)))
    print("%d passed, %d failed" % (len(listed) - failed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
