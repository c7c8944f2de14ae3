#!/usr/bin/env python3
"""`make bench`: tables of what `cqlgen bench` measures over the same games as PGN and as a database, beside a bare loop (bare.c) and,
with --previous, another cqlgen. Times are never asserted."""
import argparse
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "..", "examples")

# Queries that look at one position at a time.
REPLAY = ["R & a-h7 k[g8,h8,c8]", "Pd4 Pe5 pd5 pe6 B[d3,c2] k[g8,h8]", "N attacks k", "[RQB] attacks k", "check", "pin",
          "#Q == 1 #q == 0 #r == 2 #R == 0 #P > 5", "power A - power a > 4 #P > 5", "#(isolatedpawns & P) >= 3", "#(doubledpawns & p) >= 4"]
# General queries that match few games.
RARE = ["queen-sacrifice.cql", "path N[x]q (check) (--){1,6} mate", "path --=N (--)* mate", "windmill.cql", "find quiet {--=N(check)}",
        "#Q > 1 find stalemate", "echo quiet (s t) { s < t distance(s t) > 80 s:A == A }", "smothered-mate.cql", "en-passant-mate.cql",
        "mate #N == 2 N attacks k #[QRB] == 0"]


def search(engine, *options):
    return ["PROGRAM", "search", "{query}", "{input}", "--engine", engine, "-j", "1", "-f", "count", "-q", *options]


def mean(values):
    values = [v for v in values if v]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def number(value):
    return "%9s" % ("-" if value is None else "%.2f" % value if value < 100 else "%.0f" % value)


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.program = os.path.abspath(os.path.join(options.out, "cqlgen"))
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))  # of the commands of --against
        self.previous = options.previous and os.path.abspath(options.previous)
        text = b"".join(self.text_of(name).rstrip() + b"\n\n" for name in options.games)
        if b"[Event " not in text:
            sys.exit("bench: no games in " + " ".join(options.games))
        size = options.megabytes * 1e6
        for name, wanted in (("one", 1), ("some", size / 10), ("games", size)):
            self.write_games(name, text, int(wanted))
        self.bare = 0

    def text_of(self, name):
        if not name.endswith(".cqldb"):
            with open(name, "rb") as f:
                return f.read()
        return subprocess.run([self.program, "export", "-q", name], stdout=subprocess.PIPE, check=True).stdout

    def write_games(self, name, text, size):
        """Whole games, at least `size` bytes, and a database of them."""
        end = text.find(b"\n[Event ", size % len(text))
        path = os.path.join(self.folder, name)
        with open(path + ".pgn", "wb") as f:
            for _ in range(size // len(text)):
                f.write(text)
            f.write(text[: end + 1] if end >= 0 else text)
        subprocess.run([self.program, "import", "-q", path + ".pgn", "-o", path + ".cqldb"], check=True)

    def file_of(self, query):
        """The file of a query; filters get one with the same name in each run, so that it is compiled once."""
        if query.endswith(".cql"):
            return query
        name = "./%s.cql" % query.replace("/", "\N{DIVISION SLASH}")
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
            f.write("cql()\n%s\n" % query)
        return name

    def measure_bare(self):
        text = subprocess.run([os.path.join(self.options.out, "bench"), os.path.join(self.folder, "some.pgn")], stdout=subprocess.PIPE, text=True,
                              check=True).stdout
        self.bare = max(self.bare, 1e6 * float(re.search(r": ([0-9.]+) million", text).group(1)))

    def times(self, queries, input, engine, columns, *options):
        """{(query, column): (processor time, positions)} by `cqlgen bench`; where it failed, there is none."""
        place = "{database}" if input.endswith(".cqldb") else "{games}"
        words = [self.program, "bench", *queries, input, "--no-database", "--engines", engine, "-f", "json", "--rounds", str(self.options.rounds), *options]
        for name, command in columns.items():
            words += ["--against", name + "=" + " ".join(shlex.quote(word) for word in command).replace("{input}", place)]
        best = {}
        for _ in range(self.options.turns):
            done = subprocess.run(words, stdout=subprocess.PIPE, env=self.environment, cwd=self.folder)
            if done.returncode not in (0, 1):  # 1: a search failed, or found something else
                sys.exit("bench: status %d" % done.returncode)
            for row in json.loads(done.stdout)["rows"]:
                if not row["problem"]:
                    key = row["query"], row["program"]
                    best[key] = min(best.get(key, (math.inf,)), (row["processor"], row["positions"]))
        return best

    def table(self, title, queries, input, engine, others={}, chart=None):
        """Rates of the engine and of other commands; one of each with the previous program. The time of a search is that over all
        games less that over one game."""
        queries = [self.file_of(query) for query in queries[: self.options.sample]]
        commands = {engine: search(engine), **others}
        columns = {name: [self.program if w == "PROGRAM" else w for w in command] for name, command in others.items()}
        if self.previous:
            columns.update({"previous." + name: [self.previous if w == "PROGRAM" else w for w in command] for name, command in commands.items()})
        self.measure_bare()
        start = self.times(queries, "one" + os.path.splitext(input)[1], engine, columns, "--seconds", "100")  # its warm-up does not count
        whole = self.times(queries, input, engine, columns, "--seconds", str(self.options.seconds), *(["--svg", chart] if chart else []))
        self.measure_bare()

        def rate(query, name):
            if (query, name) not in whole or (query, name) not in start:
                return None
            least, (time, positions) = start[query, name][0], whole[query, name]
            return positions / (time - least) if time > 1.5 * least else None  # shorter searches cannot be measured

        def ratio(query, name):
            new, old = rate(query, name), rate(query, "previous." + name)
            return new / old if new and old else None

        compared = list(commands) if self.previous else []
        lines = [(os.path.basename(query)[:-4], [rate(query, name) for name in commands], [ratio(query, name) for name in compared]) for query in queries]
        if len(queries) > 1:
            lines.append(("geometric mean", *([mean(column) for column in zip(*(line[i] for line in lines))] for i in (1, 2))))
        print("\n%s; million positions a second, over the bare loop%s\n" % (title, ", over the previous program" if self.previous else ""))
        print("".join("%9s" % name for name in [*commands, "x bare", *("x " + name for name in compared)]))
        for label, rates, ratios in lines:
            print("".join(map(number, [*(r and r / 1e6 for r in rates), rates[0] and rates[0] / self.bare, *ratios])) + "  " + label)

    def replay(self):
        scalar = ["env", "CC=%s -U__AVX512F__" % os.environ.get("CC", "cc"), *search("cc")]
        self.table("Queries on single positions, database", REPLAY, "games.cqldb", "cc", {"tcc": search("tcc"), "scalar": scalar}, self.options.svg)

    def rare(self):
        queries = [os.path.join(EXAMPLES, q) if q.endswith(".cql") else q for q in RARE]
        self.table("Queries that match few games, database", queries, "games.cqldb", "cc", {"exact": search("cc", "--no-prefilter")})

    def queries(self):
        folder = os.path.join(HERE, "queries")
        queries = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
        self.table("Queries of all kinds, database", queries, "games.cqldb", "cc")
        self.table("Queries of all kinds, PGN", queries, "some.pgn", "cc")

    def files(self):
        def write(command, name, *more):
            script = 'rm -f "$3"; exec "$1" %s "$2" -o "$3"' % " ".join([command, *more])
            return ["sh", "-c", script, "sh", "PROGRAM", "{input}", os.path.join(self.folder, name)]
        self.table("Import beside a search, PGN", ["false"], "some.pgn", "tcc", {"import": write("import", "again.cqldb", "-q", "-j", "1")})
        self.table("Export beside a search, database", ["false"], "some.cqldb", "tcc", {"export": write("export", "again.pgn")})

    def filters(self):
        """Each filter of the language, at every position."""
        with open(os.path.join(HERE, "filters.txt"), encoding="utf-8") as f:
            pairs = [line.split(None, 1) for line in f.read().splitlines()[1:]]
        with open(os.path.join(HERE, "..", "..", "compiler", "language", "filters.def"), encoding="utf-8") as f:
            words = re.findall(r'^FILTER\(\w+, "(\w+)"', f.read(), re.M)
        missing = [word for word in words if word not in dict(pairs)]
        if missing:
            print("Without a query: " + ", ".join(missing))
        # The column tcc is that of --against, which is read later.
        self.table("Filters, database, without prefilter", [query for _, query in pairs], "some.cqldb", "tcc",
                   {engine: search(engine, "--no-prefilter") for engine in ("interp", "tcc", "cc")})


PARTS = ("replay", "rare", "queries", "files")
MORE_PARTS = ("filters",)  # of which the default is without


def read_options():
    p = argparse.ArgumentParser(prog="make bench BENCH='...'", description="Measures searches, imports and exports.")
    p.add_argument("--out", default="out", help="where cqlgen and bench were built")
    p.add_argument("--part", default=",".join(PARTS), help="some of %s (default: all but %s)" % (",".join(PARTS + MORE_PARTS), ",".join(MORE_PARTS)))
    p.add_argument("--quick", action="store_true", help="less precise: few rounds over less")
    p.add_argument("--turns", type=int, help="the best of so many medians counts (default 3)")
    p.add_argument("--rounds", type=int, help="a median is that of at most so many rounds (default 5)")
    p.add_argument("--seconds", type=float, help="no more rounds of a search after this time (default 1)")
    p.add_argument("--megabytes", type=float, help="cut or repeat the games to this size of PGN (default 140), for PGN and filters to a tenth")
    p.add_argument("--sample", type=int, metavar="N", help="only the first N queries of each table")
    p.add_argument("--svg", metavar="FILE", type=os.path.abspath, help="draw the chart of the part replay")
    p.add_argument("--previous", metavar="CQLGEN", help="compare with another cqlgen; they take turns")
    p.add_argument("games", nargs="+", metavar="GAMES", help="PGN files and databases")
    o = p.parse_args()
    for name, value in zip(("turns", "rounds", "seconds", "megabytes"), (1, 3, 0.1, 14) if o.quick else (3, 5, 1, 140)):
        if getattr(o, name) is None:
            setattr(o, name, value)
    o.part = o.part.split(",")
    if not set(o.part) <= set(PARTS + MORE_PARTS):
        p.error("the parts are " + ", ".join(PARTS + MORE_PARTS))
    return o


def main():
    options = read_options()
    sys.stdout.reconfigure(line_buffering=True)
    with tempfile.TemporaryDirectory(prefix="cqlgen-bench-") as folder:
        try:
            bench = Bench(options, folder)
            for part in options.part:
                getattr(bench, part)()
        except (OSError, subprocess.CalledProcessError) as e:
            sys.exit("bench: %s" % e)


if __name__ == "__main__":
    main()
