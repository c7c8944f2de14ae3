#!/usr/bin/env python3
"""Prints which lines of the sources the tests have reached, from the counters of a build with --coverage.

usage: coverage.py OUT [FILE.txt]

Standard output gets a table by folder; FILE.txt the lines never reached, as FILE:LINE and the text of the line. In the rooms of
EXPLAINED every line is reached or unreached.txt says why not: other blocks of lines are printed, and the status is 1.
"""
import collections
import concurrent.futures
import gzip
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
UNREACHED = os.path.join(HERE, "unreached.txt")
EXPLAINED = ("runtime/value", "runtime/chess", "runtime/game", "runtime/database", "runtime/match")


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
    """{file: {line: count}} of the project's own sources; the same line may be in several objects. Notes of files that are gone may be left."""
    counts = collections.defaultdict(collections.Counter)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for found in pool.map(lines_of, sorted(note_files(out))):
            for name, line, count in found:
                name = os.path.relpath(os.path.join(ROOT, name), ROOT)
                if name.startswith(("compiler/", "runtime/")) and os.path.exists(os.path.join(ROOT, name)):
                    counts[name][line] += count
    return counts


def source(name):
    """The lines of a file without the spaces around them; line 1 is at index 1."""
    with open(os.path.join(ROOT, name), encoding="utf-8") as f:
        return [""] + [line.strip() for line in f.read().split("\n")]


class Block:
    """Lines never reached that no reached line separates; `before`: the last one before them that was reached."""

    def __init__(self, before):
        self.before, self.lines = before, []

    def keys(self, text):
        """The texts by which unreached.txt may name the block."""
        return {text[self.lines[0]], text[self.before]}


def blocks_of(lines):
    """The blocks of a file, from {line: count}."""
    blocks, block, before = [], None, 0
    for line, count in sorted(lines.items()):
        if count > 0:
            block, before = None, line
            continue
        if block is None:
            block = Block(before)
            blocks.append(block)
        block.lines.append(line)
    return blocks


def read_reasons():
    """{(file, text): reason} of unreached.txt."""
    with open(UNREACHED, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line.strip() and not line.startswith("#")]
    return {(name, text): reason for name, text, reason in rows}


def room_of(name):
    return next((room for room in EXPLAINED if name.startswith(room + "/")), None)


def main():
    counts = collect(os.path.abspath(sys.argv[1]))
    reasons, used = read_reasons(), collections.Counter()
    folders = collections.defaultdict(collections.Counter)
    never, missing = [], []
    for name, lines in sorted(counts.items()):
        text, sums = source(name), folders[os.path.dirname(name)]
        sums.update(lines=len(lines), reached=sum(count > 0 for count in lines.values()))
        for block in blocks_of(lines):
            key = next(((name, k) for k in block.keys(text) if (name, k) in reasons), None)
            used[key] += 1
            shown = ["%s:%d: %s" % (name, line, text[line]) for line in block.lines]
            never += shown
            if key:
                sums["explained"] += len(block.lines)
            elif room_of(name):
                missing += shown
    for sums in list(folders.values()):
        folders["all"].update(sums)
    row = "%-32s %7s %7s %7s %8s %9s %11s"
    print(row % ("folder", "lines", "reached", "never", "", "explained", "unexplained"))
    for folder, sums in folders.items():
        left = sums["lines"] - sums["reached"]
        print(row % (folder, sums["lines"], sums["reached"], left, "%.1f %%" % (100 * left / sums["lines"]), sums["explained"], left - sums["explained"]))
    for key in sorted(reasons.keys() - used.keys()):
        print("reached, though unreached.txt has a reason: %s: %s" % key)
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8") as f:
            f.write("\n".join(never) + "\n")
        print("lines never reached: %s" % sys.argv[2])
    if missing:
        print("\n%d lines of rooms in which each line is reached or explained are neither:" % len(missing))
        print("\n".join(missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
