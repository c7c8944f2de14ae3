"""The steps of a query's budget: filters that look at other positions take a number in proportion to the length of a game, the same on
every engine. Steps are counted, never time."""
PLIES = (250, 1000)
MOST_GROWTH = 1.5  # over that of the length; a filter that looks from every position at every other one has 4
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
# Those that do: numbers in a range are looked for one after the other, 16 at once and 64 in a step. An index by
# key and number is more code than all of compared.c, and would pay from 20,000 plies on: such a game takes 0.03 s.
PAIRS = {"echo, greater numbers", "echo, differences", "echo, distances", "find, a variable"}


def words(query, dialect, engine, steps, games):
    return ["-e", query, "--dialect", dialect, "--engine", engine, "--max-steps", str(steps), "-f", "count", "-q", games]


def steps_of(suite, query, dialect, games):
    """The least budget that is enough; None: none is."""
    low, high = 0, 1 << 22
    while high - low > 1:
        middle = (low + high) // 2
        if suite.search(*words(query, dialect, "interp", middle, games)).status == 0:
            high = middle
        else:
            low = middle
    return high if high < 1 << 22 else None


def check(suite, name, dialect, query, games):
    steps = [steps_of(suite, query, dialect, path) for path in games]
    title = "steps of " + name
    if not suite.check(title, all(steps), "too many: %s" % steps):
        return
    growth = steps[-1] / steps[0] / (PLIES[-1] / PLIES[0])
    most = MOST_GROWTH * (PLIES[-1] / PLIES[0] if name in PAIRS else 1)
    suite.check(title + " grow with the length of the game", growth < most, "%s: %s" % (query, steps))
    for engine in suite.size(full=("tcc", "cc"), quick=("tcc",), sanitize=("tcc",)):
        enough = suite.search(*words(query, dialect, engine, steps[0], games[0]))
        less = suite.search(*words(query, dialect, engine, steps[0] - 1, games[0]))
        suite.check("%s with %s" % (title, engine), enough.status == 0 and (less.status == 4 or steps[0] == 1),
                    "%d steps: status %s; one less: %s" % (steps[0], enough.status, less.status))


def run(suite):
    games = [suite.path("long-%d.pgn" % plies) for plies in PLIES]
    for path, plies in zip(games, PLIES):
        suite.generate(path, endless=100, plies=plies, games=1, annotated=0, clocks=0)
    for _ in suite.map(lambda f: check(suite, *f, games), FILTERS):
        pass
