#!/usr/bin/env python3
"""Prints which lines of the sources the tests have reached, from the counters of a build with --coverage.

usage: coverage.py OUT [FILE.txt]

Standard output gets a table by folder; FILE.txt the lines never reached, as FILE:LINE and the text of the line.
"""
import collections
import concurrent.futures
import gzip
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def note_files(out):
    for folder, _, names in os.walk(os.path.join(out, "obj")):
        for name in names:
            if name.endswith(".gcno"):
                yield os.path.join(folder, name)


def lines_of(note):
    """The counts of lines that one object file has: [(file, line, count)]."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["gcov", "--json-format", note], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = []
        for name in os.listdir(folder):
            with gzip.open(os.path.join(folder, name)) as f:
                for part in json.load(f)["files"]:
                    found += [(part["file"], line["line_number"], line["count"]) for line in part["lines"]]
        return found


def collect(out):
    """{file: {line: count}} of the project's own sources; the same line may be in several objects."""
    counts = collections.defaultdict(collections.Counter)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for found in pool.map(lines_of, sorted(note_files(out))):
            for name, line, count in found:
                name = os.path.relpath(os.path.join(ROOT, name), ROOT)
                if name.startswith(("compiler/", "runtime/")):
                    counts[name][line] += count
    return counts


def main():
    counts = collect(os.path.abspath(sys.argv[1]))
    folders = collections.defaultdict(lambda: [0, 0])
    never = []
    for name, lines in sorted(counts.items()):
        sums = folders[os.path.dirname(name)]
        with open(os.path.join(ROOT, name), encoding="utf-8") as f:
            text = f.read().split("\n")
        for line, count in sorted(lines.items()):
            sums[0] += 1
            sums[1] += count > 0
            if count == 0:
                never.append("%s:%d: %s" % (name, line, text[line - 1].strip()))
    row = "%-32s %7s %7s %8s"
    print(row % ("folder", "lines", "reached", "never"))
    for folder, (all_lines, reached) in sorted(folders.items()) + [("all", tuple(map(sum, zip(*folders.values()))))]:
        print(row % (folder, all_lines, reached, "%.1f %%" % (100 - 100 * reached / all_lines)))
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8") as f:
            f.write("\n".join(never) + "\n")
        print("lines never reached: %s" % sys.argv[2])


if __name__ == "__main__":
    main()
