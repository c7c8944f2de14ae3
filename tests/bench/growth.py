"""How the work for a position grows with the length of a game: filters that look at other positions, over games of 50 to 1,000
plies. A filter that looks at each position once has the same work in all of them.

The unit is a machine instruction where valgrind is installed, else a nanosecond of the processor. What a query without filters
takes over the same games is subtracted.
"""
import os
import re
import shutil
import subprocess

from measure import Best, Failed

LENGTHS = (50, 100, 200, 400, 1000)
FILTERS = [  # (name, dialect, query)
    ("find", "cql6", "find quiet {check ply > 30}"),
    ("find, nothing there", "cql6", "find mate"),
    ("find backwards", "cql6", "find quiet <-- mate"),
    ("find in find", "cql6", "find quiet {check find quiet {stalemate}}"),
    ("find all", "cql6", "find quiet all check > 3"),
    ("find with a range", "cql6", "find quiet 2 5 check"),
    ("find all, backwards", "cql6", "find quiet <-- all check > 3"),
    ("path, repeated moves", "cql6", "path quiet (--)* mate"),
    ("path, any length", "cql6", "path quiet -- (--)* check"),
    ("path, firstmatch", "cql6", "path quiet firstmatch (--)* mate"),
    ("path, focus", "cql6", "path quiet focus k k-- (k--)* mate"),
    ("path, max", "cql6", "path quiet max(power A) (--)*"),
    ("path, its length", "cql6", "3 < path quiet (--)* mate"),
    ("line", "cql6", "line quiet --> check+ --> mate"),
    ("line, skipping", "cql6", "line quiet --> .* --> mate"),
    ("line, skipping twice", "cql6", "line quiet --> .* --> check --> .* --> mate"),
    ("line backwards", "cql6", "line quiet <-- .* <-- stalemate"),
    ("path in find", "cql6", "find quiet path quiet check -- mate"),
    ("path in find, repeated moves", "cql6", "find quiet path quiet check (--)* stalemate"),
    ("path in find, backwards", "cql6", "find quiet <-- path quiet max(power A) K-- -- R[x]q"),
    ("line in find", "cql6", "find quiet line quiet --> check --> mate"),
    ("next", "cql5", "silent next (. . check)"),
    ("previous*", "cql5", "silent previous* 2 5 check"),
    ("echo, conditions", "cql6", "echo quiet (s t) {s:mate t:mate}"),
    ("echo, equal sets", "cql6", "echo quiet (s t) {s < t s:K == K s:k == k s:q == q s:A == A}"),
    ("echo, equal numbers", "cql6", "echo quiet (s t) {s < t distance(s t) > 20 s:power A == t:power a + 17}"),
    ("echo, greater numbers", "cql6", "echo quiet (s t) {s < t s:power A < t:power A}"),
    ("echo, other numbers", "cql6", "echo quiet (s t) {s:#P != t:#P}"),
    ("echo, differences", "cql6", "echo quiet (s t) {s < t abs(s:power A - t:power A) > 60}"),
    ("echo, distances", "cql6", "echo quiet (s t) {s < t distance(s t) < 6 s:power A < t:power A - 20}"),
    ("find, a variable", "cql6", "v = power A find quiet {power A > v}"),
    ("consecutivemoves", "cql6", "echo quiet (s t) {s < t s:A == t:A consecutivemoves quiet 10 (s t)}"),
    ("relation, equal boards", "cql5", "relation (mismatch 0)"),
    ("relation, targets by a filter", "cql5", "mate relation mate (sourcesquares A mismatch 0 3)"),
    ("parent, child", "cql6", "parent:mate or child:stalemate"),
    ("ancestors", "cql6", "find quiet <-- {check ply < 9} lca(currentposition initialposition):check"),
]


def make_games(bench, length):
    path = os.path.join(bench.data.folder, "growth-%d.pgn" % length)
    positions = 4000 if bench.options.quick else 20000
    if not shutil.which("valgrind"):
        positions *= 20
    count = max(1, positions // length)
    command = [os.path.join(bench.options.out, "generate-games"), "--endless", "100", "--plies", str(length), "--games", str(count),
               "--annotated", "0", "--clocks", "0"]
    with open(path, "w") as out:
        if subprocess.run(command, stdout=out).returncode != 0:
            raise Failed("cannot make games with " + command[0])
    return path, count * (length + 1)


def instructions(program, words):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + os.devnull, program.path, *words]
    done = subprocess.run(command, env=program.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if not found:
        raise Failed("valgrind cannot run %s: %s" % (" ".join(words)[:200], done.stderr[-300:]))
    return int(found.group(1))


def work(bench, words):
    if shutil.which("valgrind"):
        bench.program.seconds(*words)  # fills the cache of compiled queries
        return instructions(bench.program, words)
    best = Best()
    for _ in range(bench.options.rounds + 1):
        best.note(bench.program.seconds(*words), bench.program.processor)
    return best.work * 1e9


def words_of(dialect, query, games):
    return ["search", "--dialect", dialect, "-e", query, "--engine", "cc", "-j", "1", "-f", "count", "-q", "--no-prefilter", games]


def measure(bench):
    """Adds a row for each filter: the work for a position in games of 50 plies over that in games of 1,000 plies."""
    unit = "instructions" if shutil.which("valgrind") else "nanoseconds"
    games = [make_games(bench, length) for length in LENGTHS]
    base = [work(bench, words_of("cql6", "ply >= 0", path)) for path, _ in games]
    print("\nThe work for a position (%s) by the length of the game in plies\n" % unit)
    print("%-32s" % "" + "".join("%9d" % length for length in LENGTHS) + "   growth")
    for name, dialect, query in bench.some(FILTERS):
        costs = []
        for (path, positions), empty in zip(games, base):
            bench.progress("growth: %s over %s" % (name, os.path.basename(path)))
            costs.append(max(0.1, (work(bench, words_of(dialect, query, path)) - empty) / positions))
        bench.progress("")
        growth = costs[-1] / costs[0]
        bench.add("growth", name, 1 / growth, "x")
        print("%-32s" % name + "".join("%9.0f" % cost for cost in costs) + "%9.2f" % growth)
