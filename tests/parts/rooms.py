"""The order of rooms: no file uses a room above its own, so no two rooms use each other.

ROOMS is that order, lowest first; docs/architecture.md shows the same list. A file uses a room by an `#include` of one of its
files or, in the object file, by one of its symbols. Within a room, files include each other by their bare names; every other
include is a path from the top.
"""
import os
import re
import subprocess

from parts.harness import ROOT, TESTS, read
from run import PARTS

ROOMS = [
    "runtime/value",
    "runtime/chess",
    "runtime/game",
    "runtime/database",
    "runtime/match",
    "runtime/format",
    "runtime/search",
    "runtime/share",
    "compiler/base",
    "compiler/language",
    "compiler/front/shared",
    "compiler/front/cql6",
    "compiler/front/cqli",
    "compiler/front/cql5",
    "compiler/front/cql3",
    "compiler/front/detect",
    "compiler/middle/transform",
    "compiler/convert",
    "compiler/middle/ir",
    "compiler/middle/lower",
    "compiler/middle/optimise",
    "compiler/middle/screen",
    "compiler/back",
    "compiler/api",
    "compiler/editor",
    "compiler/serve",
    "compiler/cli",
    "compiler/mpi",
]
# The calls use the state of a run, and the table names all calls: both folders are one room.
INSIDE = {"runtime/match/calls": "runtime/match"}
LONGEST = 800  # lines of a file


# runtime/value/terminal.c prints all messages. Elsewhere standard error is an argument of these functions, or is named in one of these
# lines: they choose a stream, print what the program itself says, or ask what it is.
MESSAGES = "runtime/value/terminal.c"
PRINTERS = "printf_sanitized|print_lines|print_made|diag_print|flockfile|funlockfile"
STREAMS = {"compiler/cli/main.c": {"print_commands(stderr);"}, "compiler/cli/cql.c": {"r->console.out = stderr;"},
           "compiler/cli/cql_query.c": {"diag_print(&alone, out, is_on(a, OPTION_ANSICOLORS, (out == stderr || terminal_is_guarded()) && colour_wanted()));"},
           "compiler/cli/console.c": {"FILE *out = !console ? stderr : console->out ? console->out : stdout;"},
           "compiler/cli/cql_search.c": set(), "runtime/search/collector.c": {"return results_elsewhere ? stdout : stderr;"}}
DESCRIPTORS = {"runtime/value/memory.c", "compiler/cli/signals.c"}  # where stdio cannot be used: texts of their own


def room_of(path):
    folder = os.path.dirname(path)
    return INSIDE.get(folder, folder)


def sources():
    for top in ("runtime", "compiler"):
        for folder, _, names in sorted(os.walk(os.path.join(ROOT, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".def")):
                    yield os.path.relpath(os.path.join(folder, name), ROOT)


def included(path):
    """The files of the project that a file includes, as paths from the top."""
    for name in re.findall(r'^#\s*include "([^"]+)"', read(os.path.join(ROOT, path)), re.M):
        yield name if "/" in name else os.path.join(os.path.dirname(path), name)


def symbols(out):
    """For each source file: (the symbols that its object file defines, those that it needs)."""
    folder = os.path.join(out, "obj")
    files = {os.path.join(folder, path[:-2] + ".o"): path for path in sources() if path.endswith(".c")}
    table = {path: (set(), set()) for path in files.values()}
    listing = subprocess.run(["nm", "-A", *filter(os.path.exists, files)], stdout=subprocess.PIPE, text=True).stdout
    for line in listing.splitlines():
        file, _, rest = line.partition(":")
        *_, kind, name = rest.split()
        if kind in "TDBRCU":
            table[files[file]][kind == "U"].add(name)
    return table


def uses(out):
    """(file, used file, how) for each use of another room's file."""
    for path in sources():
        for other in included(path):
            yield path, other, "includes it"
    table = symbols(out)
    home = {name: path for path, (defined, _) in table.items() for name in defined}
    for path, (_, needed) in table.items():
        for name in sorted(needed):
            if name in home:
                yield path, home[name], "calls `%s`" % name


def check_order(suite):
    wrong = {}
    rank = {room: i for i, room in enumerate(ROOMS)}
    for path, other, how in uses(suite.out):
        a, b = room_of(path), room_of(other)
        if a != b and b in rank and rank[b] > rank.get(a, -1):
            wrong.setdefault((a, b), []).append("%s uses %s (%s)" % (path, other, how))
    for room in ROOMS:
        mine = [line for (a, _), lines in wrong.items() if a == room for line in lines]
        suite.check("rooms: %s uses no higher room" % room, not mine, "; ".join(mine[:6]))


def check_files(suite):
    for path in sources():
        text = read(os.path.join(ROOT, path))
        why = ""
        if room_of(path) not in ROOMS:
            why = "its folder is not in the list of rooms"
        elif not text.startswith("//"):
            why = "it must begin with a comment that says what it is for"
        elif text.count("\n") > LONGEST:
            why = "it is longer than %d lines" % LONGEST
        elif re.search(r'^#\s*include "\.\.?/', text, re.M):
            why = "it includes a relative path: use a bare name or a path from the top"
        suite.check("rooms: the file %s" % path, not why, why)


def statements(path):
    """The statements of a source, on a line each, without comments and the contents of strings."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', read(os.path.join(ROOT, path)))
    text = re.sub(r"//.*", "", text)
    return [" ".join(line.split()) for line in re.findall(r"[^;{}]+[;{}]", text)]


def check_messages(suite):
    """No message reaches standard error but through terminal.c, which makes text from outside harmless."""
    printed = re.compile(r"\b(?:%s)\(.*\bstderr\b" % PRINTERS)
    for path in sources():
        wrong = []
        for line in () if path == MESSAGES else statements(path):
            if re.search(r"\bstderr\b", line) and not printed.search(line) and not line.endswith(tuple(STREAMS.get(path, ()))):
                wrong.append(line)
            if re.search(r"\b(?:perror|psignal|dprintf|vdprintf|warnx|errx)\(", line) or ("write(STDERR_FILENO" in line and path not in DESCRIPTORS):
                wrong.append(line)
            # where a stream may be standard error, only constants are printed by other means
            if path in STREAMS and re.search(r"\b(?:v?fprintf|fwrite|fputc|putc)\(|\bfputs\((?![^,]*\"\")", line) and "stdout" not in line:
                wrong.append(line)
        if wrong or path in STREAMS:
            suite.check("rooms: %s prints messages by %s" % (path, MESSAGES), not wrong, "; ".join(wrong[:3]))


def check_document(suite):
    text = read(os.path.join(ROOT, "docs", "architecture.md"))
    shown = [m for m in re.findall(r"^\| `((?:runtime|compiler)/[a-z0-9/]+)`", text, re.M) if m in ROOMS]
    suite.check("rooms: docs/architecture.md shows the same order", shown == ROOMS, "it shows %s" % shown)


def check_parts(suite):
    """`make test` runs each part: tests/README.md lists it once."""
    folder = os.path.join(TESTS, "parts")
    there = [name[:-3] for name in os.listdir(folder) if name.endswith(".py") and re.search(r"^def run\(suite\)", read(os.path.join(folder, name)), re.M)]
    suite.check("rooms: every part of the tests is run", sorted(PARTS) == sorted(there), "%s, but there are %s" % (PARTS, there))


def check_unreached(suite):
    """The lines that tests/tools/unreached.txt explains are in the sources, and each is explained once."""
    rows = [row.split("\t") for row in read(os.path.join(TESTS, "tools", "unreached.txt")).splitlines() if row and not row.startswith("#")]
    for row in rows:
        lines = read(os.path.join(ROOT, row[0])).splitlines() if len(row) == 3 and os.path.exists(os.path.join(ROOT, row[0])) else []
        suite.check("rooms: unreached.txt, %s" % row, row[1] in map(str.strip, lines) and rows.count(row) == 1, "no such file or line, or twice")


def run(suite):
    check_parts(suite)
    check_order(suite)
    check_files(suite)
    check_messages(suite)
    check_unreached(suite)
    check_document(suite)
