"""The parts of the benchmark. Each measures some rows, prints them as a table and adds them to the report.

A row is a dictionary: part, name, value, unit, and where they make sense target, rate (positions a second) and note.
"""
import json
import math
import os
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile

import growth
import terms
from measure import ENGINES, Bare, Best, Games, Search, narrow_compiler

HERE = os.path.dirname(os.path.abspath(__file__))
QUERIES = os.path.join(HERE, "queries")
EXAMPLES = os.path.join(HERE, "..", "..", "examples")

# Queries that look at one position at a time: (name, filters, target with cc, target with cc but without wide vectors).
REPLAY = [
    ("rook on the seventh rank, king castled", "R & a-h7  k[g8,h8,c8]", 7, 2.5),
    ("pawns and pieces on their squares", "Pd4 Pe5 pd5 pe6 B[d3,c2] k[g8,h8]", 7, 2.5),
    ("knight attacks the king", "N attacks k", 7, 2.5),
    ("line attack on the king", "[RQB] attacks k", 2, None),
    ("check", "check", 2, None),
    ("pin", "pin", 2, None),
    ("queen and pawns against two rooks", "#Q == 1 #q == 0 #r == 2 #R == 0 #P > 5", 3, None),
    ("ahead in material", "power A - power a > 4 #P > 5", 3, None),
    ("isolated pawns", "#(isolatedpawns & P) >= 3", 3, None),
    ("doubled pawns", "#(doubledpawns & p) >= 4", 3, None),
]
FORMS = ("cc", "scalar", "tcc")
# General queries that match few games: (name, query or file).
RARE = [
    ("path: queen sacrifice, then checks to mate", ("queen-sacrifice.cql",)),
    ("path: knight takes queen, mate follows soon", "path N[x]q (check) (--){1,6} mate"),
    ("path: knight promotion, mate in the end", "path --=N (--)* mate"),
    ("path: windmill", ("windmill.cql",)),
    ("find: promotion to a knight with check", "find quiet {--=N(check)}"),
    ("find: several queens, later stalemate", "#Q > 1 find stalemate"),
    ("echo: the same white set-up 40 moves later", "echo quiet (s t) { s < t distance(s t) > 80 s:A == A }"),
    ("smothered mate", ("smothered-mate.cql",)),
    ("mate by capture en passant", ("en-passant-mate.cql",)),
    ("mate with two knights", "mate #N == 2 N attacks k #[QRB] == 0"),
]
SOURCES = (("pgn", "PGN"), ("database", "database"), ("exact", "no prefilter"))


def words_of(query):
    return [os.path.join(EXAMPLES, query[0])] if isinstance(query, tuple) else ["-e", query]


def mean(values):
    values = [v for v in values if v and v > 0]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def ratio(over, under):
    return over / under if over and under else None


def speedup(one, several):
    """By the clock, for one thread as for several."""
    return ratio(several.rate("clock"), one.rate("clock"))


def is_below(row):
    return bool(row["value"] and row.get("target") and row["value"] < row["target"])


def number(value, digits=2, width=9):
    if value is None:
        return "-".rjust(width)
    digits = digits if abs(value) < 100 else 0
    return ("%.*f" % (digits, value)).rjust(width)


def keep_best(best, key, seconds):
    best[key] = min(best.get(key, math.inf), seconds)


class Bench:
    def __init__(self, data, program, bare_program, options):
        self.data, self.program, self.options = data, program, options
        self.bare, self.bare_program = Bare(bare_program, data), bare_program
        self.sources = [s for s in SOURCES if s[0] != "exact" or program.knows("--no-prefilter")]
        self.rows, self.notes = [], []
        if len(self.sources) < len(SOURCES):
            self.notes.append("--no-prefilter is not an option of this cqlgen: rows that need it are left out")
        self.queries = self.some([f for f in sorted(os.listdir(QUERIES)) if f.endswith(".cql")])

    def some(self, items):
        return items[: self.options.sample]

    def add(self, part, name, value, unit, **more):
        row = {"part": part, "name": name, "value": value, "unit": unit}
        row.update({k: v for k, v in more.items() if v is not None})
        self.rows.append(row)
        return row

    def progress(self, text):
        if sys.stderr.isatty():
            sys.stderr.write("\r\033[K" + text)
            sys.stderr.flush()

    def measure(self, part, searches, budget=None, most=9):
        """Prepares the searches and lets them take turns with the bare loop."""
        for i, search in enumerate(searches):
            self.progress("%s: preparing %d of %d" % (part, i + 1, len(searches)))
            search.prepare(self.data, budget or self.options.seconds)
        count = min(self.options.rounds, most)
        for i in range(count):
            self.progress("%s: round %d of %d" % (part, i + 1, count))
            for candidate in [self.bare, *searches]:
                candidate.round()
        self.progress("")

    def times_bare(self, search):
        return ratio(search.rate(), self.bare.plain)

    def growth(self):
        """Longer and longer games."""
        growth.measure(self)

    def compile(self):
        """Longer and longer queries; the examples from their text to the first answer."""
        terms.measure(self)
        if self.options.sample:
            return
        command = [self.bare_program, "--part", "compile", "--rounds", str(self.options.rounds + 2), self.data.one.pgn]
        print("\n" + subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=os.path.join(HERE, "..", "..")).stdout)

    # ---- the rows --------------------------------------------------------------------------------------

    def table(self, title, rows, head="x bare"):
        print("\n%s\n\n%-58s %9s %9s %9s" % (title, "", "Mpos/s", head, "target"))
        for row in rows:
            rate = row.get("rate")
            low = "  below" if is_below(row) else ""
            print("%-58s %s %s %s%s%s" % (row["name"], number(rate and rate / 1e6, 1), number(row["value"]),
                                          number(row.get("target"), 1), low, "  " + row["note"] if row.get("note") else ""))

    def replay(self):
        """One-position queries over a database."""
        mate = Search(self.program, ["-e", "mate"], "pgn")
        forms = [form for form in FORMS if form != "scalar" or narrow_compiler()]
        searches = {(name, form): Search(self.program, ["-e", text], "database", form)
                    for name, text, *_ in self.some(REPLAY) for form in forms}
        self.measure("replay", [mate, *searches.values()])
        print("\nQueries on single positions, database, one thread, x bare; cc, without wide vectors, libtcc\n")
        print("%-50s %9s %9s %7s %9s %7s %9s" % ("", "Mpos/s", "cc", "target", "scalar", "target", "tcc"))
        plain = self.bare.plain
        for name, value, rate in (("mate over PGN", self.times_bare(mate), mate.rate()), ("bare loop", 1.0, plain),
                                  ("bare loop without branches on the moving piece", self.bare.tuned / plain, self.bare.tuned)):
            row = self.add("replay", name, value, "x bare", rate=rate)
            print("%-50s %s %s" % (name, number(rate and rate / 1e6, 1), number(row["value"])))
        for name, _, lanes, scalar in self.some(REPLAY):
            targets = {"cc": lanes, "scalar": scalar}
            found = {form: self.add("replay", "%s, %s" % (name, form), self.times_bare(searches[name, form]), "x bare",
                                    rate=searches[name, form].rate(), target=targets.get(form)) for form in forms}
            values = [found[form]["value"] if form in found else None for form in FORMS]
            rate = found["cc"].get("rate")
            print("%-50s %s %s %s %s %s %s%s" % (name, number(rate and rate / 1e6, 1), number(values[0]), number(lanes, 1, 7), number(values[1]),
                                                 number(scalar, 1, 7), number(values[2]), "  below" if any(map(is_below, found.values())) else ""))

    def rare(self):
        """General queries that match few games, with and without the prefilter."""
        searches = [(name, [Search(self.program, words_of(query), source) for source, _ in self.sources if source != "pgn"])
                    for name, query in self.some(RARE)]
        self.measure("rare", [s for _, both in searches for s in both])
        rows, gains = [], []
        for name, both in searches:
            share = "%.2f of 1000 games" % (1000 * both[0].share) if both[0].share is not None else None
            rows.append(self.add("rare", name, self.times_bare(both[0]), "x bare", rate=both[0].rate(), target=1.5, note=share))
            if len(both) > 1:
                gains.append(self.add("rare", name + ": gain", ratio(both[0].rate(), both[1].rate()), "x --no-prefilter",
                                      rate=both[1].rate(), target=5))
        self.table("General queries, database, cc, one thread", rows)
        if gains:
            self.table("The same with --no-prefilter; how much faster they are with it", gains, "gain")

    def matrix(self):
        """Queries of all kinds by source, engine and number of threads."""
        columns = [(source, engine) for source, _ in self.sources for engine in ENGINES]
        cells = {}
        for file in self.queries:
            for source, engine in columns:
                for threads in (1, 2):
                    cells[file, source, engine, threads] = Search(
                        self.program, [os.path.join(QUERIES, file)], source, engine, threads)
        self.measure("matrix", list(cells.values()), self.options.seconds / 2, 2)
        for (file, source, engine, threads), search in cells.items():
            self.add("matrix", "%s %s %s %d" % (file[:-4], source, engine, threads), self.times_bare(search), "x bare",
                     rate=search.rate(), games=search.games.games * search.copies)
        self.print_matrix("Queries of all kinds, one thread; x bare", columns, lambda f, c: self.times_bare(cells[(f, *c, 1)]))
        self.print_matrix("Two threads : one (inputs of more than 2000 games)", columns,
                          lambda f, c: speedup(cells[(f, *c, 1)], cells[(f, *c, 2)])
                          if min(cells[(f, *c, t)].games.games for t in (1, 2)) > 2000 else None)

    def print_matrix(self, title, columns, value):
        print("\n%s\n\n%-22s%s" % (title, "", "".join("%9s" % dict(self.sources)[s][:8] for s, _ in columns)))
        print("%-22s%s" % ("", "".join("%9s" % engine for _, engine in columns)))
        for file in self.queries:
            print("%-22s%s" % (file[:-4], "".join(number(value(file, c), 3) for c in columns)))
        print("%-22s%s" % ("geometric mean", "".join(number(mean(value(f, c) for f in self.queries), 3) for c in columns)))

    def threads(self):
        """Two threads against one, where the work is largest."""
        rows = []
        for name, query in (("knight attacks the king", ["-e", "N attacks k"]), ("12-echo", [os.path.join(QUERIES, "12-echo.cql")])):
            for source, title in self.sources:
                pair = [Search(self.program, query, source, "cc", threads) for threads in (1, 2)]
                self.measure("threads", pair, 2 * self.options.seconds)
                rows.append(self.add("threads", "%s, %s" % (name, title), speedup(*pair), "x one thread",
                                     rate=pair[1].rate(), target=1.8))
        self.table("Two threads, cc", rows, "2 : 1")

    def files(self):
        """Import and export beside a search of the same PGN."""
        games, again = Games(self.data.large.path), os.path.join(self.data.folder, "again")
        best, program = {}, self.program

        def note(key, action, *arguments):
            clock = action(*arguments)
            best.setdefault(key, Best()).note(clock, program.processor)

        for _ in range(min(self.options.rounds, 2)):
            for threads in (1, 2):
                search = ("search", "-e", "false", "-f", "count", "-q", "-j", str(threads), games.pgn)
                note(("search", threads), program.seconds, *search)
                note(("import", threads), games.import_with, program, threads)
            note("export", program.seconds, "export", games.databases[program], "-o", again)
        one, two, stored = best["import", 1], best["import", 2], os.path.getsize(games.databases[program])
        rows = []
        for name, unit, value, target in (
                ("import, 1 thread", "x search -e false", best["search", 1].work / one.work, 0.8),
                ("import, 2 threads", "x search -e false", best["search", 2].clock / two.clock, 0.8),
                ("import, 2 threads : 1", "x one thread", one.clock / two.clock, 1.8),
                ("search of PGN, 2 threads : 1", "x one thread", best["search", 1].clock / best["search", 2].clock, 1.8),
                ("export", "x search -e false", best["search", 1].work / best["export"].work, None),
                ("size of the database", "x PGN", stored / games.bytes, None)):
            rows.append(self.add("files", name, value, unit, target=target))
        self.table("Import and export, beside `search -e false` over the same %.0f MB of PGN" % (games.bytes / 1e6), rows, "ratio")

    def tags(self):
        """Conditions on tags, over a database of many short games."""
        games = self.short_games(self.options.tag_games)
        cases = {"rating and result": "elo white >= 2600 result 1-0", "year and part of a name": 'year > 2000 player black "ski"',
                 "regular expression of a name": 'player white ~~ "^Bar.*ov,"', "player": 'player "%s"' % self.some_player(games)}
        best = {}
        for _ in range(self.options.rounds + 1):
            for title, text in cases.items():
                for which in (games, self.data.one):
                    words = ["search", "-e", text, "--engine", "tcc", "-f", "count", "-q", "-j", "1", which.databases[self.program]]
                    keep_best(best, (title, which), self.program.work(*words))
        more = {title: max(best[title, games] - best[title, self.data.one], 1e-6) for title in cases}
        rows = [self.add("tags", title, games.games / more[title] / 1e6, "million games a second", target=5)
                for title in cases if title != "player"]
        self.table("Conditions on tags, database of %d games, one thread" % games.games, rows, "Mgames/s")
        row = self.add("tags", "games of a player", 1000 * more["player"], "ms more than over one game", limit=20)
        self.print_limited("games of a player: ms more than over one game", row)

    def print_limited(self, name, row):
        print("%-58s %9s %s %s at most" % (name, "", number(row["value"]), number(row["limit"], 1)))

    def some_player(self, games):
        """A player with some ten games."""
        connection = sqlite3.connect(games.databases[self.program])
        order = "select p.name from game g join player p on p.id = g.white group by 1 order by abs(count(*) - 10), 1 limit 1"
        (name,) = connection.execute(order).fetchone()
        connection.close()
        return name

    def short_games(self, count):
        path = os.path.join(self.data.folder, "short")
        generator = os.path.join(os.path.dirname(self.bare_program), "generate-games")
        with open(path + ".pgn", "wb") as f:
            words = ["--games", str(count), "--plies", "2", "--annotated", "0", "--clocks", "0"]
            subprocess.run([generator, *words], stdout=f, check=True)
        games = Games(path)
        games.import_with(self.program)
        return games

    def latency(self):
        """From the start of the program to the answer over one game, with and without the prefilter."""
        if len(self.sources) < len(SOURCES):
            return
        added = []
        for i, file in enumerate(self.queries):
            self.progress("latency: %d of %d" % (i + 1, len(self.queries)))
            words = ["search", os.path.join(QUERIES, file), "--no-cache", "-f", "count", "-q", self.data.one.databases[self.program]]
            best = {}
            for _ in range(self.options.rounds + 1):
                for options in ((), ("--no-prefilter",)):
                    keep_best(best, options, self.program.seconds(*words, *options))
            added.append(1000 * (best[()] - best["--no-prefilter",]))
        self.progress("")
        print("\nFirst answer over one game: milliseconds more than with --no-prefilter, all queries\n")
        for name, value in (("median", statistics.median(added)), ("most", max(added))):
            self.print_limited(name, self.add("latency", name, value, "ms more than with --no-prefilter", limit=40))

    def many(self):
        """All queries in one pass, beside one search for each; queries of all kinds, and a family that has conditions in common."""
        # Those with relations compare all pairs of positions.
        files = [os.path.join(QUERIES, f) for f in self.queries if "relation" not in f]
        with open(os.path.join(HERE, "family.txt"), encoding="utf-8") as f:
            family = self.some([["-e", line.strip()] for line in f if line.strip()])
        games = self.data.sizes[min(2, len(self.data.sizes) - 1)]
        rows, best = [], {}
        for kind, queries in (("queries of all kinds", [[file] for file in files]), ("endings and mates", family)):
            for source, title in self.sources[:2]:
                words = ["--engine", "cc", "-j", "1", "-f", "count", "-q", games.file(self.program, source)]
                for _ in range(self.options.rounds + 1):
                    keep_best(best, source, self.program.work("search", *sum(queries, []), *words))
                    for query in queries:
                        keep_best(best, (source, query[-1]), self.program.work("search", *query, *words))
                gain = sum(best[source, query[-1]] for query in queries) / best.pop(source)
                rows.append(self.add("many", "%d %s, %s" % (len(queries), kind, title), gain, "x one after the other"))
        self.table("Many queries in one pass, beside one search for each", rows, "gain")

    def auto(self):
        """The engine `auto` beside the better of tcc and cc with a warm cache, and beside tcc with a cold one: all examples."""
        queries = self.some([os.path.join(EXAMPLES, f) for f in sorted(os.listdir(EXAMPLES)) if f.endswith(".cql")])
        inputs = list(dict.fromkeys((self.data.sizes[min(1, len(self.data.sizes) - 1)].pgn, self.data.base.pgn)))
        self.progress("auto: %d queries over %d inputs" % (len(queries), len(inputs)))
        report = json.loads(self.program.output("bench", *queries, *inputs, "--engines", "tcc,cc,auto,auto-cold", "-j", "1,2", "-f", "json", "-q", "--rounds",
                                                str(self.options.rounds + 2), "--seconds", str(20 * self.options.seconds)))
        self.progress("")
        times = {}
        for row in report["rows"]:
            # Other programs disturb processor time least, but that of a cold cache includes the compiler.
            times.setdefault((row["source"], row["games"], row["threads"], row["query"]), {})[row["program"]] = (
                row["processor"] if row["threads"] == 1 else row["least"], row["least"])
        ratios = {}
        for (source, games, threads, query), t in times.items():
            for cache, value in (("warm", t["auto"][0] / min(t["tcc"][0], t["cc"][0])), ("cold", t["auto-cold"][1] / t["tcc"][1])):
                ratios.setdefault((cache, source, games, threads), []).append((value, os.path.basename(query)))
        print("\n`auto` beside the better of tcc and cc (warm cache) and beside tcc (cold cache)\n")
        for (cache, source, games, threads), values in sorted(ratios.items(), key=lambda item: item[0][0], reverse=True):
            name = "%s cache, %d games, %s, %d thread%s" % (cache, games, dict(self.sources)[source], threads, "s" if threads > 1 else "")
            self.print_limited(name + ": median", self.add("auto", name + ": median", statistics.median(v for v, _ in values), "x time", limit=1.1))
            self.print_limited("    worst: %s" % max(values)[1], self.add("auto", name + ": worst", max(values)[0], "x time", limit=1.1))

    def filter_queries(self):
        """Pairs of a word and a query; notes the filters that have none."""
        with open(os.path.join(HERE, "filters.txt"), encoding="utf-8") as f:
            pairs = [line.split(None, 1) for line in f.read().splitlines()[1:]]
        with open(os.path.join(HERE, "..", "..", "compiler", "language", "filters.def"), encoding="utf-8") as f:
            words = re.findall(r'^FILTER\(\w+, "(\w+)"', f.read(), re.M)
        missing = [word for word in words if word not in dict(pairs)]
        if missing:
            print("Without a query: " + ", ".join(missing))
        return self.some(pairs)

    def filters(self):
        """Each filter of the language, over games in memory."""
        folder = tempfile.mkdtemp(dir=self.data.folder)
        pairs = self.filter_queries()
        for i, (_, query) in enumerate(pairs):
            with open(os.path.join(folder, "%04d.cql" % i), "w", encoding="utf-8") as f:
                f.write("cql()\n%s\n" % query)
        programs = [self.bare_program]
        if self.options.previous:
            programs.append(os.path.join(os.path.dirname(os.path.abspath(self.options.previous)), "bench"))
        best = {}
        for turn in range(self.options.rounds):
            self.progress("filters: round %d of %d" % (turn + 1, self.options.rounds))
            for which, program in enumerate(programs):
                words = [program, "--part", "match", "--rounds", "1", "--seconds", str(self.options.seconds / 2),
                         "--queries", folder, self.data.base.pgn]
                text = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
                for line in re.findall(r"^(\d{4} .*)$", text, re.M):
                    name, _, *rates = line.split()[:5]
                    for engine, rate in zip(ENGINES, rates):
                        if rate != "-":
                            key = (int(name), engine, which)
                            best[key] = max(best.get(key, 0), float(rate))
        self.progress("")
        self.print_filters(pairs, best, len(programs) > 1)

    def print_filters(self, pairs, best, compares):
        """Slow ones first."""
        print("\nFilters, over games in memory; millions of positions a second%s\n" % ("; x previous" if compares else ""))
        print("%-19s%s%s  query" % ("", "".join("%9s" % e for e in ENGINES), "".join("%9s" % e for e in ENGINES) if compares else ""))
        for i in sorted(range(len(pairs)), key=lambda i: best.get((i, "cc", 0), 0)):
            rates = [best.get((i, engine, 0)) for engine in ENGINES]
            ratios = [ratio(best.get((i, engine, 0)), best.get((i, engine, 1))) for engine in ENGINES] if compares else []
            for engine, rate in zip(ENGINES, rates):
                self.add("filters", "%s, %s" % (pairs[i][0], engine), rate, "million positions a second", rate=rate and rate * 1e6)
            print("%-19s%s%s  %s" % (pairs[i][0], "".join(map(number, rates)), "".join(map(number, ratios)), pairs[i][1]))

    def previous(self, other):
        """Searches of two programs that take turns."""
        rows = []
        for source, title in self.sources[:2]:
            pairs = [(f, [Search(p, [os.path.join(QUERIES, f)], source) for p in (self.program, other)]) for f in self.queries]
            self.measure("previous", [search for _, pair in pairs for search in pair])
            rows += [self.add("previous", "%s, %s" % (f[:-4], title), ratio(a.rate(), b.rate()), "x previous", rate=a.rate())
                     for f, (a, b) in pairs]
        rows.append(self.add("previous", "geometric mean", mean(row["value"] for row in rows), "x previous"))
        self.table("Searches of this program and the previous one, cc, one thread", rows, "ratio")


PARTS = ("replay", "rare", "matrix", "threads", "files", "tags", "latency", "many", "auto", "compile")
MORE_PARTS = ("filters", "growth")  # of which the default is without
