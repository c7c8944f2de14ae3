"""The options of the commands: their values at and beyond each limit, what is refused together, and the summary of a search, each message whole.

All searches are over tests/pgn/options.pgn, whose three main lines have 8, 5 and 3 positions; the second game has a variation of 3, games 1 and 2 end in mate.
"""
import ctypes
import ctypes.util
import os
import re
import shutil
import sqlite3
import struct
import time

from parts.harness import TESTS, read, write

FOLDER = os.path.join(TESTS, "pgn")
SEARCH = ["search", "-e", "mate", "options.pgn"]
MOST_64, MOST_32 = 2**63 - 1, 2**31 - 1
# The least and the greatest value of each option that takes a number.
NUMBERS = {"--limit": (1, MOST_64), "--max-steps": (1, MOST_64), "--max-seconds": (1, 10**9), "--max-memory": (1, 10**6), "--max-output": (1, 10**9),
           "--pipetimeout": (1, 10**6), "--threads": (1, MOST_32), "--context": (1, 1000), "-n": (1, MOST_64), "-j": (1, MOST_32)}
SAMPLE = "option `--sample` needs a percentage above 0 and up to 100, as in `10%%`, not `%s`"
PART = "option `--part` needs K/N, the number of a part from 1 to N and the number N of parts, not `%s`"
TOGETHER = "options %s and %s cannot be used together"


def run(suite):
    numbers(suite)
    spans(suite)
    refused(suite)
    refused_elsewhere(suite)
    summaries(suite)
    folders(suite)
    several(suite)
    matchers(suite)
    shared(suite)
    older_commands(suite)
    last_arguments(suite)
    databases(suite)
    stored(suite)
    queries_and_games(suite)
    conversions(suite)


def says(suite, words, message, status=2, out=""):
    """The command prints this message, after its name, and nothing else."""
    suite.ends("options: " + " ".join(words)[-100:], suite.run([suite.cqlgen, *words], cwd=FOLDER), status, out, errors="cqlgen: %s\n" % message if message else "")


def finds(suite, words, out):
    says(suite, [*words, "-q"], "", 0, out)


def numbers(suite):
    """Each number at its limits and one beyond."""
    wanted = "option `%s` needs a whole number from %d to %d, not `%s`"
    for option, (least, most) in NUMBERS.items():
        form = [] if option == "--context" else ["-f", "positions"]
        for number in (least, most):
            result = suite.run([suite.cqlgen, *SEARCH, *form, "-q", option, str(number)], cwd=FOLDER)
            kept = "1: 7\n" if number == 1 and option in ("--limit", "-n") else "1: 7\n2: 4\n"
            steps = option == "--max-steps" and number == 1
            suite.check("options: %s %d" % (option, number), (result.status, result.text()) == (0, kept) if form and not steps else result.status in (0, 4),
                        "status %s, %r" % (result.status, result.errors()[:200]))
        for text in (str(least - 1), str(most + 1), "-1", "", "x", "1x", "+1", " 1", "--1", str(2**64 + 1)):
            says(suite, [*SEARCH, *form, option, text], wanted % (option, least, most, text))
    finds(suite, [*SEARCH, "-f", "count", "-n1"], "1\n")
    finds(suite, [*SEARCH, "-f=count", "--limit=1"], "1\n")
    finds(suite, [*SEARCH, "-f", "csv", "-n1", "--fields", ",".join("A%d" % i for i in range(64))], ",".join("A%d" % i for i in range(64)) + "\r\n" + "," * 63 + "\r\n")
    finds(suite, [*SEARCH, "-f", "csv", "-n1", "--fields", "A,Z"], "A,Z\r\n,\r\n")
    for name in ("@", "[", "a"):  # next to the capital letters
        said = suite.run([suite.cqlgen, *SEARCH, "-f", "csv", "--fields", name]).errors()
        suite.check("options: --fields " + name, said.startswith("cqlgen: --fields: `%s` is neither a field nor a tag (tags begin with a capital letter)" % name), said)
    bench = ["bench", "-e", "mate", "options.pgn", "--rounds"]
    for text in ("0", "1000001"):
        says(suite, [*bench, text], wanted % ("--rounds", 1, 10**6, text))


def spans(suite):
    """--games, --sample and --part."""
    for text, out in (("1", "1: 7\n"), ("2-", "2: 4\n"), ("-1", "1: 7\n"), ("-2", "1: 7\n2: 4\n"), ("2-2", "2: 4\n"), ("1-3", "1: 7\n2: 4\n"), ("3-", ""),
                      ("%d-" % MOST_32, ""), ("-%d" % MOST_32, "1: 7\n2: 4\n"), ("0" * 22 + "1", "1: 7\n")):
        finds(suite, [*SEARCH, "-f", "positions", "-g", text], out)
    beyond = "option `--games` needs a whole number from 1 to 2147483647, not `%s`"
    for text, message in (("3-2", "option `--games`: 2 is less than 3"), ("2-1", "option `--games`: 1 is less than 2"), ("0", beyond % "0"), ("-0", beyond % "0"),
                          ("1-0", beyond % "0"), (str(2**31), beyond % 2**31), ("1-%d" % 2**31, beyond % 2**31), ("1-2-3", beyond % "2-3"), ("1--2", beyond % "-2"),
                          ("-", "option `--games` needs numbers A-B, not `-`"), ("", "option `--games` needs numbers A-B, not ``"),
                          ("0" * 24, "option `--games` needs numbers A-B, not `%s`" % ("0" * 24))):
        says(suite, [*SEARCH, "--games=" + text], message)
    for text in ("100", "100%", "100.0%", "0099.9999999"):
        finds(suite, [*SEARCH, "-f", "count", "--sample", text], "2\n")
    for text in ("0", "0%", "0.0", "100.1", "101", "x", "%", "1e1", "10%%", "%10", "", ".", "1.2.3", "-1", " 1", "nan", "inf"):
        says(suite, [*SEARCH, "--sample", text], SAMPLE % text)
    for text in ("0/2", "3/2", "1/2147483648", "1/2x", "1", "/2", "1/", "1/0", "1/2/3", "-1/2", "", "12345678901/12345678901"):
        says(suite, [*SEARCH, "--part", text], PART % text)
    says(suite, [*SEARCH, "--part", "1/2147483647"], "--part needs -o FILE for the partial result")


def refused(suite):
    """What cannot be used together, or is missing."""
    pairs = (("--variations", "--mainline"), ("--secure", "--allow-commands"), ("--part", "--summary"), ("--journal", "--part"), ("--local", "--part"),
             ("--fields", "--count-by"), ("--context", "--count-by"), ("--among", "--of-all"), ("--output-dir", "--output"))
    value = {"--part": ["1/2"], "--summary": ["s.csv"], "--journal": ["j"], "--fields": ["game"], "--count-by": ["year"], "--context": ["2"], "--among": ["check"],
             "--output": ["x.pgn"], "--output-dir": ["d"]}
    for first, second in pairs:
        for a, b in ((first, second), (second, first)):
            says(suite, [*SEARCH, a, *value.get(a, []), b, *value.get(b, [])], TOGETHER % (first, second))
    groups = "option `--%s` is about groups; name their keys with --count-by KEY,..."
    query = "expected a query file (.cql), a matcher (.so), --example NAME or -e 'FILTERS': `cqlgen search QUERY.cql GAMES.pgn...`"
    fields = "--fields is for csv, tsv, jsonl and sqlite, not for the format %s: -f FORMAT or the ending of -o chooses one"
    for words, message in (
            ([*SEARCH, "--csv-safe"], "--csv-safe is for csv, tsv and --summary, not for the format pgn: -f FORMAT or the ending of -o chooses one"),
            ([*SEARCH, "--csv-safe", "--count-by", "year"], "--csv-safe is for csv, tsv and --summary, not for the format text: -f FORMAT or the ending of -o chooses one"),
            (["bench", "-e", "mate", SEARCH[-1], "--csv-safe", "-f", "json"], "--csv-safe is for csv, not for the format json"),
            ([*SEARCH, "--local"], "--local is for cqlgen-mpi, which searches with several processes"),
            ([*SEARCH, "--of-all"], groups % "of-all"), ([*SEARCH, "--order", "key"], groups % "order"),
            *(([*SEARCH, "--" + name, value], groups % name) for name, value in (("per", "game"), ("measure", "score"), ("among", "check"), ("player", "Ann"))),
            ([*SEARCH, "-f", "text"], "the format text is that of groups, which --count-by KEY,... makes in a search; choose another format"),
            ([*SEARCH, "-f", "json"], "the format json is that of groups, which --count-by KEY,... makes in a search; choose another format, such as `jsonl`"),
            ([*SEARCH, "--count-by", "year", "-f", "pgn"], "--count-by writes a table as text, csv, tsv, json, jsonl or html, or a picture as svg, not as pgn; choose one with --format"),
            ([*SEARCH, "--count-by", "year", "-f", "sqlite"], "--count-by writes a table as text, csv, tsv, json, jsonl or html, or a picture as svg, not as sqlite; choose one with --format"),
            ([*SEARCH, "--count-by", "year,{ply}", "--of-all"],
             "--of-all counts games that do not match, too, where `{ply}` has no value; use keys like tags, year, elo/100 or eco"),
            ([*SEARCH, "--fields", "game"], fields % "pgn"), ([*SEARCH, "--fields", "game", "-o", "x.html"], fields % "html"),
            ([*SEARCH, "--context", "1", "-f", "fen"], "--context is for pgn, csv, tsv, jsonl and sqlite, and for html with --quiz or --worksheet, not for the format fen"),
            ([*SEARCH, "-f", "csv", "--fields", "game,before"], "--fields: before and after need --context N, the number of moves to show"),
            ([*SEARCH, "-f", "csv", "--fields", "after"], "--fields: before and after need --context N, the number of moves to show"),
            ([*SEARCH, "-f", "csv", "--fields", "game,,ply"], "--fields: write names with commas between them, as in game,fen,White"),
            ([*SEARCH, "-f", "csv", "--fields", "game,gam"], "--fields: `gam` is neither a field nor a tag (tags begin with a capital letter); the fields are game, file, "
             "game_in_file, offset, query, position, ply, number, san, uci, next_san, next_uci, fen, comment, clock, elapsed, eval, before, after, white, black, white_elo, "
             "black_elo, result, date, event, site, round, eco, ply_count, sort, tags, positions, comments, moves, uci_moves"),
            ([*SEARCH, "-f", "csv", "--fields", ""], "--fields: write names with commas between them, as in game,fen,White"),
            ([*SEARCH, "-f", "csv", "--fields", "ply,ply"], "--fields: `ply` comes twice"),
            ([*SEARCH, "-f", "csv", "--fields", ",".join("A%d" % i for i in range(65))], "--fields: more than 64 fields"),
            ([*SEARCH, "--dialect", "cql7"], "option `--dialect` needs one of cql6 cqli cql5 cql51 cql3, not `cql7`"),
            ([*SEARCH, "--dialect", "cql"], "option `--dialect` needs one of cql6 cqli cql5 cql51 cql3, not `cql`"),
            ([*SEARCH, "--engine", "tc"], "option `--engine` needs one of auto interp tcc cc, not `tc`"),
            ([*SEARCH, "--count-by", "year", "--order=keys"], "`keys` is not an order of groups; expected `key`, `games`, `rarest` or a measure as it is written after --measure"),
            ([*SEARCH, "--bad-start="], "option `--bad-start` needs one of skip standard, not ``"),
            ([*SEARCH, "-f", "PGN"], "option `-f` needs one of pgn list positions count jsonl csv tsv fen html sqlite none text json svg, not `PGN`"),
            ([*SEARCH, "--format"], "option `--format` needs an argument: NAME"), ([*SEARCH, "-g"], "option `-g` needs an argument: A-B"),
            ([*SEARCH, "--quiet=1"], "option `--quiet` takes no argument"), ([*SEARCH, "-qq"], "option `-q` takes no argument"),
            ([*SEARCH, "-n", "1", "--limit", "1"], "option `--limit` is given twice"), ([*SEARCH, "--engine=cc", "--engine=cc"], "option `--engine` is given twice"),
            ([*SEARCH, "--count"], "unknown option `--count`; see `cqlgen help`"), ([*SEARCH, "--helpx"], "unknown option `--helpx`; did you mean `--help`?"),
            ([*SEARCH, "--Q"], "unknown option `--Q`; see `cqlgen help`"), ([*SEARCH, "-J", "1"], "unknown option `-J`; see `cqlgen help`"),
            ([*SEARCH, "--LIMIT", "1"], "unknown option `--LIMIT`; did you mean `--limit`?"), ([*SEARCH, "-limit", "1"], "unknown option `-limit`; see `cqlgen help`"),
            ([*SEARCH, "--n", "1"], "unknown option `--n`; see `cqlgen help`"), ([*SEARCH, "---"], "unknown option `---`; see `cqlgen help`"),
            ([*SEARCH, "-x"], "unknown option `-x`; see `cqlgen help`"),
            ([*SEARCH, "--append"], "option `--append` cannot be used here; see `cqlgen help --append`"),
            ([*SEARCH, "--rounds=3"], "option `--rounds` cannot be used here; see `cqlgen help --rounds`"),
            (["search"], query), (["search", "x.y", "options.pgn"], query), (["search", "options.pgn"], query),
            (["search", "mate", "options.pgn"], "`mate` is not a query file (.cql); put filters after -e: `cqlgen search -e 'mate' GAMES.pgn`"),
            (["search", "smothered-mate", "options.pgn"],
             "`smothered-mate` is a shipped query; put its name after --example: `cqlgen search --example smothered-mate GAMES.pgn`"),
            (["search", "options.pgn", "q.cql"], "the query comes before the games: `cqlgen search q.cql options.pgn`"),
            (["search", "-e", "mate", "check", "options.pgn"],
             "no such file: `check`; put filters and names that contain spaces in quotes: -e 'FILTERS', 'NAME OF A FILE.pgn'"),
            ([*SEARCH, "x.so"], "expected games, not x.so; put a matcher first, without other queries"),
            ([*SEARCH, "x.cql"], "expected games, not x.cql; put queries before the games"),
            (["search", "-e", "mate"], "no games to search: name a PGN file, `-` for standard input, or use `input` in the header of the query")):
        says(suite, words, message)


def refused_elsewhere(suite):
    """The options of the other commands."""
    wanted, one = "option `%s` needs %s, not `%s`", "expected one query: `cqlgen %s QUERY.cql`, --example NAME or -e 'FILTERS'"
    compilation = "expected `cqlgen QUERY.cql... -o NAME.so` or `-o NAME.c`; to search games: `cqlgen search QUERY.cql GAMES.pgn`"
    for words, message in (
            (["explain", "-e", "mate", "--limit", "1"], "option `--limit` cannot be used here; see `cqlgen help --limit`"),
            (["explain", "-e", "mate", "--max-memory", "1000001"], wanted % ("--max-memory", "a whole number from 1 to 1000000", "1000001")),
            (["convert", "-e", "mate", "--to", "cql5"], wanted % ("--to", "one of cql62", "cql5")),
            (["help", "--completion", "fish"], "unknown shell `fish`; completions exist for bash and zsh"),
            (["bench", "-e", "mate", "options.pgn", "-f", "xml"], wanted % ("-f", "one of text csv json svg", "xml")),
            (["merge", "-f", "xml", "x.part"], wanted % ("-f", "one of pgn list positions count jsonl csv tsv fen html sqlite none text json svg", "xml")),
            (["verify", "-q", "x.cqldb"], "option `-q` cannot be used here; see `cqlgen help -q`"),
            (["explain", "-e", "mate", "-o", "x"], "option `-o` cannot be used here; see `cqlgen help -o`"),
            (["serch", "x.pgn"], "`serch` is neither a command nor a query file; did you mean `cqlgen search`?"),
            (["foo"], "`foo` is neither a command nor a query file; for filters write `cqlgen search -e 'FILTERS' GAMES.pgn`; see `cqlgen help`"),
            (["search", "x.cql", "options.pgn"], "cannot read x.cql: No such file or directory"),
            (["x.cql", "-o", "x.exe"], compilation), (["x.cql"], compilation), (["x.cql", "options.pgn"], compilation), (["compile", "-e", "mate"], compilation), (["compile", "-o", "x.so"], compilation),
            (["compile", "-e", "mate", "-o", ".so"], compilation), (["compile", "-e", "mate", "-o", ".c"], compilation),
            (["explain"], one % "explain"), (["explain", "-e", "mate", "-e", "check"], one % "explain"), (["explain", "a.cql", "b.cql"], one % "explain"),
            (["convert"], one % "convert"), (["convert", "-e", "mate", "x.cql"], one % "convert"), (["explain", "none.cql"], "cannot read none.cql: No such file or directory"),
            (["examples", "nosuch"], "no example mentions `nosuch`; `cqlgen examples` lists all"),
            (["examples", "smotherd-mate"], "no example mentions `smotherd-mate`; did you mean `smothered-mate`?"),
            (["search", "--example", "smotherd-mate", "options.pgn"], "no example is named `smotherd-mate`; did you mean `smothered-mate`?"),
            (["search", "--example", "smoth", "options.pgn"], "no example is named `smoth`; did you mean `smothered-mate`?"),
            (["search", "--example", "smothxxxxxxxxx", "options.pgn"], "no example is named `smothxxxxxxxxx`; did you mean `smothered-mate`?"),
            (["search", "--example", "smot", "options.pgn"], "no example is named `smot`; `cqlgen examples` lists them"),
            (["search", "--example", "smotxxxxxxxxxx", "options.pgn"], "no example is named `smotxxxxxxxxxx`; `cqlgen examples` lists them"),
            (["examples", "cql("], "no example mentions `cql(`; `cqlgen examples` lists all"),
            (["search", "--example", "nosuch", "options.pgn"], "no example is named `nosuch`; `cqlgen examples` lists them"),
            (["help", "nosuchword"], "`nosuchword` is not a word of CQL, a sign, command, option or format\ndid you mean `nosort`?"),
            (["help", "echx"], "`echx` is not a word of CQL, a sign, command, option or format\ndid you mean `echo`, `echoflip`, `echodihedral`, `echoflipdihedral`, `echoflipvertical`, "
             "`echofliphorizontal`, `echorotate90`, `echorotate45`?"),  # eight at most
            (["help", "movx"], "`movx` is not a word of CQL, a sign, command, option or format\ndid you mean `move`, `movenumber`?"),
            (["help", "chec"], "`chec` is not a word of CQL, a sign, command, option or format\ndid you mean `check`?"),
            (["help", "movenumer"], "`movenumer` is not a word of CQL, a sign, command, option or format\ndid you mean `move`, `movenumber`?"),
            (["help", "flipp"], "`flipp` is not a word of CQL, a sign, command, option or format\n"
             "did you mean `flip`, `flipcolor`, `flipdihedral`, `fliphorizontal`, `flipvertical`?"),
            (["help", "serch"], "`serch` is not a word of CQL, a sign, command, option or format\ndid you mean `search`, `serve`?"),
            (["help", "merges"], "`merges` is not a word of CQL, a sign, command, option or format\ndid you mean `merge`?"),
            (["help", "rotate90x"], "`rotate90x` is not a word of CQL, a sign, command, option or format\ndid you mean `rotate45`, `rotate90`?"),
            (["help", "smothered"], "`smothered` is not a word of CQL, a sign, command, option or format\nqueries that mention it: `cqlgen examples smothered`"),
            (["help", "pathx"], "`pathx` is not a word of CQL, a sign, command, option or format\n"
             "did you mean `path`, `pathcount`, `pathcountunfocused`, `pathdebug`, `pathlastposition`, `pathstart`?"),
            (["help", "xxyyzz"], "`xxyyzz` is not a word of CQL, a sign, command, option or format\n`cqlgen help` lists all words"),
            (["bench"], "expected queries and games: `cqlgen bench QUERY.cql... GAMES...`")):
        says(suite, words, message)


def timed(text):
    """A summary without what depends on the machine."""
    return re.sub(r"\d+\.\d\d s, \d+\.\d MB/s", "T", text)


def summaries(suite):
    """What a search says on standard error in the end, with the singular and the plural of each count."""
    broken, twice = suite.path("options-broken.pgn"), suite.path("options-broken-twice.pgn")
    write(broken, "1. e4 e5 2. Ke3 *\n")
    write(twice, "1. e4 e5 2. Ke3 *\n\n1. Nf6 *\n")
    one = ["-j", "1", "-f", "count", "--engine", "interp"]
    illegal = "%s:1: game 1: illegal move 2. Ke3, the rest of the game is dropped\n" % broken
    for words, status, out, want in (
            (["-e", "mate", "options.pgn", *one], 0, "2\n", "2 of 3 games match (16 positions searched, T, 1 thread, interp)\n"),
            (["-e", "mate", "options.pgn", *one, "--variations"], 0, "2\n", "2 of 3 games match (19 positions searched, T, 1 thread, interp)\n"),
            (["-e", "mate", "options.pgn", "-f", "count", "-j", "2", "--engine", "tcc"], 0, "2\n", "2 of 3 games match (16 positions searched, T, 2 threads, tcc)\n"),
            (["-e", "mate", "options.pgn", "-f", "count", "-j", "1", "--engine", "cc"], 0, "2\n", "2 of 3 games match (16 positions searched, T, 1 thread, cc)\n"),
            (["-e", "mate", "options.pgn", "-j", "1", "-f", "fen", "--engine", "interp", "--variations"], 0, None, "2 of 3 games match (19 positions searched, T, 1 thread, interp)\n"),
            (["-e", "btm", "options.pgn", "-j", "1", "-f", "pgn", "--engine", "interp", "--variations"], 0, None,
             "3 of 3 games match (19 positions searched, T, 1 thread, interp)\n"),
            (["-e", "mate", "options.pgn", "-f", "count", "-j", "1025", "--engine", "interp"], 0, "2\n", "2 of 3 games match (16 positions searched, T, 1024 threads, interp)\n"),
            (["-e", "true", "options.pgn", *one, "-g", "3"], 0, "1\n", "1 of 3 games match (3 positions searched, T, 1 thread, interp)\n"),
            (["-e", "mate", "-", *one], 0, "0\n", "0 of 0 games match (0 positions searched, T, 1 thread, interp)\n"),
            (["-e", "assert ply<6", "options.pgn", *one], 4, "2\n", "options.pgn:1: game 1: position 6: -e:1:1: assert failed\n"
             "2 of 3 games match (16 positions searched, T, 1 thread, interp)\nthe query failed in 1 game\n"),
            (["-e", "assert ply<3", "options.pgn", *one], 4, "1\n", "options.pgn:1: game 1: position 3: -e:1:1: assert failed\n"
             "options.pgn:11: game 2: position 3: -e:1:1: assert failed\n"
             "1 of 3 games match (16 positions searched, T, 1 thread, interp)\nthe query failed in 2 games\n"),
            (["-e", "true", broken, *one], 0, "1\n", None), (["-e", "true", twice, *one], 0, "2\n", None)):
        result = suite.run([suite.cqlgen, "search", *words], cwd=FOLDER)
        if want is None:
            want, got = ("1 game is" if words[2] == broken else "2 games are") + " damaged; what could be read was searched (%d cut short)\n" % (1 if words[2] == broken else 2), result.errors().splitlines(True)[-1]
        else:
            got = timed(result.errors())
        shown = out if out is None else result.text()
        suite.check("options: the summary of " + " ".join(words), (result.status, shown, got) == (status, out, want), "%s %r %r" % (result.status, result.text(), got))
    for word in ([], ["--variations"]):
        for form in ("count", "pgn", "fen"):
            result = suite.run([suite.cqlgen, "search", "-e", "year==1900", "-e", "true", broken, "-q", "-f", form, "-j", "1", *word])
            suite.check("options: damage is reported once, as %s %s" % (form, word), result.errors() == illegal, result.errors())
    quiet = suite.run([suite.cqlgen, "search", "-e", "assert ply<3", "options.pgn", *one, "-q"], cwd=FOLDER)
    suite.check("options: no summary with -q", quiet.status == 4 and quiet.errors().count("\n") == 2, quiet.errors())
    part, folder = suite.path("options.part"), suite.path("options-folder")
    result = suite.run([suite.cqlgen, "search", "-e", "mate", "options.pgn", "--part", "1/1", "-o", part, *one[:2], *one[4:]], cwd=FOLDER)
    suite.check("options: the summary of a part", timed(result.errors()) == "2 of 3 games match (16 positions searched, T, 1 thread, interp)\n",
                result.errors())
    result = suite.run([suite.cqlgen, "search", "-e", "mate", "-e", "btm", "options.pgn", "--output-dir", folder, *one], cwd=FOLDER)
    rows = re.sub(r" +\d+%  ", " P ", timed(result.errors())).splitlines()
    suite.check("options: the summary of several results", rows == ["3 games (16 positions searched, T, 1 thread, interp)",
                "     games  positions   time  query", "         2          2 P -e1", "         3          7 P -e2"], str(rows))
    percents = [int(n) for n in re.findall(r" (\d+)%  -e", result.errors())]
    suite.check("options: the times of several results are the whole", 99 <= sum(percents) <= 101 and max(percents) <= 100, str(percents))
    for games, words, rows in (("options.pgn", ["-e", "mate"], "%10d %10d   100%%  -e\n" % (2, 2)), ("/dev/null", ["-e", "mate"], "%10d %10d   100%%  -e\n" % (0, 0)),
                               ("/dev/null", ["-e", "mate", "-e", "btm"], "".join("%10d %10d     0%%  -e%d\n" % (0, 0, n) for n in (1, 2)))):
        result = suite.run([suite.cqlgen, "search", *words, games, "--output-dir", folder, *one], cwd=FOLDER)
        suite.check("options: the times of %s of %s" % (words, games), result.errors().partition("   time  query\n")[2] == rows, result.errors())


def folders(suite):
    """What a search says of the files in a folder, the first and the last by name."""
    folder = suite.path("options-games")
    os.mkdir(folder)
    for count, (name, shown) in enumerate((("b.pgn", "b.pgn"), ("c.PGN", "b.pgn F/c.PGN"), ("a.pgn", "a.pgn ... F/c.PGN"), ("d.pgn", "a.pgn ... F/d.pgn")), 1):
        write(os.path.join(folder, name), "1. e4 *\n")
        result = suite.run([suite.cqlgen, "search", "-e", "true", folder, "-f", "count"])
        want = "cqlgen: F has %d file%s of games: F/%s" % (count, "" if count == 1 else "s", shown)
        suite.check("options: a folder with %d" % count, result.errors().replace(folder, "F").splitlines()[0] == want and result.text() == "%d\n" % count, result.errors())
    # Lists of names, one on a line; empty lines are none. The fourth has no line end at its end.
    names = suite.path("options-names")
    for text, count in (("a.pgn\nb.pgn\n", 2), ("a.pgn\r\n\r\nb.pgn\r\n", 2), ("\n\na.pgn\n\n\nb.pgn\n\n", 2), ("a.pgn\nb.pgn", 2), ("", 0), ("a.pgn\r\r\n", 1), (".\na.pgn\n", 5)):
        write(names, text)
        for word in ("@" + names, "@-"):
            result = suite.run([suite.cqlgen, "search", "-e", "true", word, "a.pgn", "-f", "count", "-q"], stdin=text.encode(), cwd=folder)
            suite.check("options: games of the list %r, %s" % (text, word[:2]), (result.status, result.text(), result.errors()) == (0, "%d\n" % (count + 1), ""), result.text() + result.errors())
    says(suite, ["search", "-e", "true", "@" + names + "x"], "cannot read the list %sx: No such file or directory" % names, 3)
    for command, more in (("search", " or .cqldb"), ("import", "")):
        empty = suite.path("options-empty-" + command)
        os.mkdir(empty)
        words = ["search", "-e", "true", empty] if command == "search" else ["import", empty, "-o", suite.path("options.cqldb")]
        says(suite, words, "the folder %s has no games: no file ends in .pgn (or .pgn.zst, .gz, .bz2, .xz)%s" % (empty, more), 3)


def several(suite):
    """The names of the results of several queries, and of their summary."""
    place = suite.path("options-results")
    for folder in ("one", "two"):
        os.makedirs(os.path.join(place, folder))
        write(os.path.join(place, folder, "a.cql"), "cql() mate\n")
    write(os.path.join(place, "B.c.CQL"), "cql() btm\n")
    queries, games = [os.path.join(place, name) for name in ("one/a.cql", "B.c.CQL")], os.path.join(FOLDER, "options.pgn")
    for folder, form, names in (("x", "pgn", ["B.c.pgn", "a.pgn", "e.pgn"]), ("y/", "csv", ["B.c.csv", "a.csv", "e.csv"]), ("z", "count", ["B.c.txt", "a.txt", "e.txt"])):
        result = suite.search(*queries, "-e", "true", games, "-q", "--output-dir", os.path.join(place, folder), "-f", form)
        got = sorted(os.listdir(os.path.join(place, folder)))
        suite.check("options: the names of results in %s" % folder, (result.status, result.errors(), got) == (0, "", names), "%s %s" % (result.errors(), got))
    result = suite.search("-e", "mate", "-e", "btm", games, "-q", "--output-dir", os.path.join(place, "w"), "-f", "count")
    suite.check("options: the results of expressions", {name: read(os.path.join(place, "w", name)) for name in os.listdir(os.path.join(place, "w"))} ==
                {"e1.txt": "2\n", "e2.txt": "3\n"}, result.errors())
    shutil.copy(queries[0], os.path.join(place, "d.cql"))
    shutil.copy(queries[0], os.path.join(place, "one", "-e.cql"))
    result = suite.run([suite.cqlgen, "search", "d.cql", "one/-e.cql", games, "-q", "--output-dir", "v", "-f", "count"], cwd=place)
    suite.check("options: the results of names without a folder, and with a dash", (result.status, sorted(os.listdir(os.path.join(place, "v")))) == (0, ["-e.txt", "d.txt"]), result.errors())
    # More results than files may be open at first: the limit is raised.
    more = [word for _ in range(100) for word in ("-e", "mate")]
    result = suite.run(["sh", "-c", 'ulimit -Sn 90 && exec "$@"', "sh", suite.cqlgen, "search", *more, games, "-q", "-j", "1", "--engine", "interp", "--output-dir", "u", "-f", "count"], cwd=place)
    got = {name: read(os.path.join(place, "u", name)) for name in os.listdir(os.path.join(place, "u"))}
    suite.check("options: a hundred results", (result.status, got) == (0, {"e%d.txt" % (n + 1): "2\n" for n in range(100)}), result.errors())
    nothing = os.path.join(place, "none.pgn")
    write(nothing, "")
    result = suite.search("-e", "mate", "-e", "btm", nothing, "-q", "-f", "none", "--summary", os.path.join(place, "none.csv"))
    suite.check("options: the times of a search without games", read(os.path.join(place, "none.csv")) == "query,games,positions,time_share\r\n-e1,0,0,0.0000\r\n-e2,0,0,0.0000\r\n",
                result.errors())
    others, summary = [os.path.join(place, name) for name in ("one/a.cql", "two/a.cql")], os.path.join(place, "s.csv")
    for words, message in (
            ([*others, games, "--output-dir", "x/"], "the results of %s and %s would both go to x/a.pgn; rename one of the queries" % tuple(others)),
            ([*others, games, "--output-dir", "x"], "the results of %s and %s would both go to x/a.pgn; rename one of the queries" % tuple(others)),
            ([queries[0], games, "--output-dir", "x", "-f", "none"], "the format none writes no results; leave out --output-dir or choose another format"),
            ([queries[0], games, "--summary", games], "%s is both an input and the summary; choose another name" % games),
            ([queries[0], games, "--summary", "x/a.pgn", "--output-dir", "x"], "x/a.pgn is both the output and the summary; choose another name"),
            ([queries[0], games, "--summary", "s.pgn", "-o", "s.pgn"], "s.pgn is both the output and the summary; choose another name"),
            ([queries[0], games, "--summary", queries[0]], "%s is both a query and an output; choose another output name" % queries[0]),
            ([queries[0], games, "-o", queries[0], "-f", "pgn"], "%s is both a query and an output; choose another output name" % queries[0])):
        says(suite, ["search", *words], message)
    suite.check("options: queries are kept", read(queries[0]) == "cql() mate\n" and not os.path.exists(os.path.join(FOLDER, "x")))
    for words, table in (([queries[0]], "query,games,positions,time_share\r\n%s,2,2,1.0000\r\n" % queries[0]),
                         (["-e", "false"], "query,games,positions,time_share\r\n-e,0,0,1.0000\r\n")):
        suite.ends("options: the summary of one query", suite.search(*words, games, "-q", "--summary", summary, "-f", "none"), also=read(summary) == table)


def matchers(suite):
    """What explain says of compiled matchers; the numbers of their cells are left out."""
    one, many, query = suite.path("options-one.so"), suite.path("options-many.so"), suite.path("options-many.cql")
    text = 'cql(variations)\npersistent Seen=0\nSeen+=1\nsort min "plies" ply\nsort quiet "n" gamenumber\nevent "x" originalcomment "y"'
    write(query, text)
    needs, line = "== what the query needs ==\nvisits: %s\n", "skips games before their moves are read: %s\n"
    for queries, matcher, wanted in (
            (["-e", "mate"], one, "compiled matcher of 1 query, made by cqlgen, CC\n== -e ==\nmate\n" + needs % "the main line" + line % "no"),
            ([query, "-e", 'result 1-0 or elo white > 2000 year > 1990', "-e", "mate clock > 3 gamenumber < lastgamenumber\n"], many,
             "compiled matcher of 3 queries, made by cqlgen, CC\n== %s ==\n%s\nsort key: \"plies\", the least first\nsort key: \"n\"\npersistent variable: Seen\n" % (os.path.basename(query), text) +
             needs % "all variations" + "needs: tags\nneeds: comments and glyphs of the input\nneeds: the comment log, for formats that show comments\n"
             "needs: all games in order, in one thread\n" + line % "no" +
             "== -e1 ==\nresult 1-0 or elo white > 2000 year > 1990\n" + needs % "the main line" + "needs: tags\n" + line % "yes" +
             "rules out games by their tags: (result or white_elo) and date, which decide\n"
             "== -e2 ==\nmate clock > 3 gamenumber < lastgamenumber\n" + needs % "the main line" + "needs: clocks and evaluations in the comments of the input\n"
             "needs: the number of games in the input\n" + line % "no")):
        suite.run([suite.cqlgen, *queries, "-o", matcher])
        result = suite.run([suite.cqlgen, "explain", matcher])
        got = re.sub("(?m)^state: .*\n", "", re.sub("made by cqlgen, .*", "made by cqlgen, CC", result.text()))
        suite.check("options: explain of a matcher of %d" % len(queries), (result.status, got) == (0, wanted), got)


def shared(suite):
    """Which options must be the same in all parts of a search, and which need not; the messages of merge."""
    first, second, games = suite.path("options-1.part"), suite.path("options-2.part"), suite.path("options-own.pgn")
    parts = ("--part", "1/2", "-o", first), ("--part", "2/2", "-o", second)
    work = ["--engine", "interp", "-j", "2", "--no-optimize", "--max-seconds", "1000", "--max-memory", "100", "--pipetimeout", "5", "--no-prefilter", "--no-cache"]
    search = [suite.cqlgen, *SEARCH, "-f", "positions", "-q"]
    suite.run([*search, *parts[0]], cwd=FOLDER)
    suite.run([*search, *parts[1], *work], cwd=FOLDER)
    merge = ["merge", first, second, "-q"]
    finds(suite, merge[:-1], "1: 7\n2: 4\n")
    differ = "%s and %s are not parts of one search: the queries, options, games, number of parts or version of cqlgen differ" % (first, second)
    for words in (["--dialect", "cql6"], ["--pedantic"], ["--variations"], ["--mainline"], ["-n", "5"], ["-g", "1-"], ["--bad-start", "skip"], ["--max-steps", "100000"],
                  ["--allow-files", "."], ["--allow-commands"], ["--first"], ["--sample", "100"]):
        suite.run([*search, *parts[1], *words], cwd=FOLDER)
        says(suite, merge, differ, 3)
        suite.run([*search, *parts[0], *words], cwd=FOLDER)
        suite.ends("options: parts with %s" % words, suite.run([suite.cqlgen, *merge]), 0, "1: 7\n2: 4\n")
        suite.run([*search, *parts[0]], cwd=FOLDER)
    table = [suite.cqlgen, *SEARCH, "-q", "-f", "csv"]
    for words in (["--fields", "game"], ["--context", "1"], ["-f=jsonl"]):
        suite.run([*table[:len(table) - 2 * (words[0] == "-f=jsonl")], *parts[1], *words], cwd=FOLDER)
        suite.run([*table, *parts[0]], cwd=FOLDER)
        says(suite, merge, differ, 3)
    suite.run([*search, "--part", "2/3", "-o", second], cwd=FOLDER)
    suite.run([*search, *parts[0]], cwd=FOLDER)
    says(suite, merge, differ, 3)
    suite.run([*search, "--part", "1/2", "-o", second], cwd=FOLDER)
    says(suite, merge, "%s and %s are both part 1" % (first, second), 3)
    says(suite, ["merge", first, "-q"], "part 2 of 2 is missing: search it with --part 2/2", 3)
    says(suite, ["merge", "-q"], "expected the files of all parts: `cqlgen merge PART... -o FILE`; `cqlgen search --part K/N` makes them")
    suite.run([*search, *parts[1]], cwd=FOLDER)
    one = "the parts were searched for one result of all queries; for a result for each query search them with --output-dir"
    for words, message in ((["--output-dir", "d"], one), (["-o", "{White}"], "results of parts cannot be split into files by tags: {White}"),
                           (["-o", first], "%s is both a part and the output; choose another output name" % first)):
        says(suite, [*merge, *words], message)
    # What merge takes for itself: the summary, statistics, the status, and for groups the format, by the ending of the output.
    told, stats, rows = "2 of 3 games match (16 positions searched)\n", "   by tags   by moves  evaluated   matching  query\n", "%10d %10d %10d %10d  -e\n" % (0, 1, 2, 2)
    for words, status, out, err in (([], 0, "1: 7\n2: 4\n", told), (["--stats", "-q"], 0, "1: 7\n2: 4\n", stats + rows), (["--exit-status", "-q"], 0, "1: 7\n2: 4\n", "")):
        suite.ends("options: merge %s" % words, suite.run([suite.cqlgen, *merge[:-1], *words]), status, out, errors=err)
    for part in parts:
        suite.run([suite.cqlgen, "search", "-e", "false", "options.pgn", "-f", "count", "-q", *part], cwd=FOLDER)
    for words, status in (([], 0), (["--exit-status"], 1)):
        says(suite, [*merge, *words], "", status, "0\n")
    for part in parts:
        suite.run([suite.cqlgen, *SEARCH, "--count-by", "year", "-q", *part], cwd=FOLDER)
    table, grouped = suite.path("options-merged.csv"), "year,games,percent,white,draws,black\r\n2004,1,50.00,1,0,0\r\n2010,1,50.00,0,0,1\r\n"
    says(suite, [*merge, "-f", "csv"], "", 0, grouped)
    says(suite, [*merge, "-o", table], "", 0)
    suite.check("options: groups merged to .csv", read(table) == grouped, read(table))
    says(suite, [*merge, "-o", suite.path("merged.fen")], "the ending of %s names no format; write one of .jsonl, .csv, .tsv, .html, .txt, .json, .svg, and after it .zst, .gz, .bz2, .xz "
         "to compress; with -f FORMAT any name will do" % suite.path("merged.fen"), 2)
    forged(suite, [*search, "--part", "1/1", "-o", first], first)
    write(games, "1. e4 *\n")
    for words in (["--part", "1/2", "-o", games], ["--journal", games], ["-o", games]):
        says(suite, ["search", "-e", "true", games, *words], "%s is both an input and the output; choose another output name" % games)
    says(suite, ["search", "-e", "true", "-", "--part", "1/2", "-o", first], "--part needs files: standard input cannot be read again")
    says(suite, ["search", "-e", "true", "-", "--journal", first], "--journal needs files: standard input cannot be read again")
    says(suite, ["search", "-e", "true", games, "--journal", "j", "-o", "j"], "j is both the output and the journal; choose another name")
    says(suite, ["search", "-e", "persistent X=1 X+=1", games, "--part", "1/2", "-o", first],
         "-e needs all games in their order (it has persistent variables, or writes files): search it without --part")
    suite.check("options: the games are kept", read(games) == "1. e4 *\n")


def forged(suite, search, path):
    """What merge says of partial results with right checksums that no search of this version writes."""
    checksum = ctypes.CDLL(ctypes.util.find_library("xxhash")).XXH3_64bits
    checksum.restype, checksum.argtypes = ctypes.c_uint64, (ctypes.c_char_p, ctypes.c_size_t)
    suite.run(search, cwd=FOLDER)
    with open(path, "rb") as f:
        line, rest = f.read().split(b"\n", 1)
    records = []
    while rest:
        kind, length = struct.unpack_from("<QQ", rest)
        records.append((kind, rest[24:24 + length]))
        rest = rest[24 + length:]
    suite.check("options: the records of a part", [kind for kind, _ in records] == [1, 5, 2, 3, 4] and records[0][1] == struct.pack("<qq", 1, 1) and
                records[4][1] == struct.pack("<q", 1), str(records))
    number, files, key, block, end = records

    def merged(message, *forged, begin=line + b"\n", rest=b"", status=3, out=""):
        with open(path, "wb") as f:
            f.write(begin + b"".join(struct.pack("<QQQ", kind, len(data), checksum(data, len(data))) + data for kind, data in forged) + rest)
        says(suite, ["merge", path, "-q"], message and message.replace("PART", path), status, out)

    merged("", *records, status=0, out="1: 7\n2: 4\n")
    merged("", block, key, files, number, end, status=0, out="1: 7\n2: 4\n")
    for digit in b"2", b"4":
        merged("PART: the partial result of another version of cqlgen; search this part again with this one", *records, begin=line[:-1] + digit + b"\n")
    merged("PART: not a partial result of a search (made with --part)", begin=line)
    damaged, incomplete = ("PART: the partial result is %s; search this part again" % what for what in ("damaged", "incomplete"))
    for part, parts in ((0, 1), (2, 1), (0, 0), (-1, 1)):
        merged(damaged, (1, struct.pack("<qq", part, parts)), files, key, block, end)
    for forged_records in ([number, files, block, end], [files, key, block, end], [number, key, block, end], [(0, b""), *records], [number, files, key, (6, b""), end],
                           [(1, b"1234567"), files, key, end], [number, files, key, (3, b""), end], [number, files, key, (4, struct.pack("<qq", 1, 1))]):
        merged(damaged, *forged_records)
    for forged_records in ([], [number, key, block]):
        merged(incomplete, *forged_records)
    merged(incomplete, number, key, block, rest=struct.pack("<QQQ", 4, 9, 0) + b"12345678")
    merged(incomplete, number, key, block, rest=struct.pack("<QQ", 4, 8))
    merged(damaged, number, key, block, rest=struct.pack("<QQQ", 4, 8, 0) + b"12345678")
    merged(damaged, number, rest=struct.pack("<QQQ", 2, 1, 0) + b"1")
    version = key[1][:key[1].index(b":") + 1 + int(key[1].split(b":")[0])]
    ends = [key[1][:n] for n in (0, 1, len(version) - 1, len(version), len(version) + 1, len(key[1]) // 2, len(key[1]) - 3, len(key[1]) - 1)]
    for other in (b"5:9.9.9" + key[1][len(version):], version + b":", version + b"x:1", version + b"2:-1", version + b"1:9", version + b"99999999999999999999:1", *ends):
        merged("the parts were searched by another version of cqlgen", number, files, (2, other), block, end)


def older_commands(suite):
    """The options of cql and cqli, written with one dash: their messages are on standard output, the status is 1."""
    query = suite.path("options-query.cql")
    write(query, "cql(input options.pgn output %s) mate" % suite.path("options-found.pgn"))
    wanted = "option `-%s` needs %s, not `%s`"
    number = "a whole number from %d to " + str(MOST_32)
    # The name of an option, its least and its greatest number, and the commands that have it.
    numbers = (("g", 1, MOST_32, "cql cqli"), ("gamenumber", 1, MOST_32, "cql cqli"), ("matchcount", 0, MOST_32, "cql cqli"), ("year", 1, MOST_32, "cql cqli"),
               ("threads", 1, MOST_32, "cql cqli"), ("lineincrement", 1, MOST_32, "cql cqli"), ("outputbuffer", 100001, 10**8, "cql"),
               ("maxopenoutputfiles", 1, MOST_32, "cqli"), ("pgnlinewidth", 1, MOST_32, "cqli"), ("pipetimeout", 1, 10**6, "cqli"), ("limit", 1, MOST_64, "cqli"))
    cases = {"cql": [], "cqli": []}
    for name, least, most, commands in numbers:
        for command in commands.split():
            for text in (str(least - 1), str(most + 1), "x", "1-2", ""):
                cases[command].append(((name, text), wanted % (name, "a whole number from %d to %d" % (least, most), text)))
    for command in ("cql", "cqli"):
        for name in ("g", "year", "matchcount"):
            least = 0 if name == "matchcount" else 1
            cases[command] += [((name, "3", "2"), "option `-%s`: 2 is less than 3" % name), ((name, "2", "-1"), wanted % (name, number % least, "-1")),
                               ((name, "2", str(2**31)), wanted % (name, number % least, str(2**31)))]
        cases[command] += [
            (("i", "x"), wanted % ("i", "a file that ends in .pgn", "x")), (("output", ".pgn"), wanted % ("output", "a file that ends in .pgn", ".pgn")),
            (("result", "2-0"), wanted % ("result", "one of 1-0 0-1 1/2-1/2" + " *" * (command == "cqli"), "2-0")), (("g", "1", "-g", "2"), "option `-g` is given twice"),
            (("assign", "a-b", "1"), wanted % ("assign", "a name of letters, digits, `_` and `$`", "a-b")), (("player", "a", "-player", "b"), "option `-player` is given twice"),
            (("assign", "", "1"), wanted % ("assign", "a name of letters, digits, `_` and `$`", "")), (("vi", "-vii"), "options -vi and -vii cannot be used together"),
            (("input", "options.pgn", "-vi"), "options -input and -vi cannot be used together"), (("quiet", "-silent"), "options -quiet and -silent cannot be used together"),
            (("variations", "-mainline"), "options -variations and -mainline cannot be used together"), (("wtm", "-nosuch"), "unknown option `-nosuch`; see `cqlgen cql -help`")]
    cases["cqli"] = [case for case in cases["cqli"] if "-nosuch" not in case[0]] + [
        (("warnlevel", "4"), wanted % ("warnlevel", "one of 1 2 3", "4")), (("w", "0"), wanted % ("w", "one of 1 2 3", "0")),
        (("nosort", "-sortmatchcount"), "options -nosort and -sortmatchcount cannot be used together"),
        (("compactmoves", "-nocompactmoves"), "options -compactmoves and -nocompactmoves cannot be used together"),
        (("append", "x.pgn", "-o", "y.pgn"), "options -append and -output cannot be used together")]
    rows = [(command, words, message) for command, rows in cases.items() for words, message in rows]
    for (command, words, message), result in suite.map(lambda row: suite.run([suite.cqlgen, row[0], "-" + row[1][0], *row[1][1:], query], cwd=FOLDER), rows):
        told = [line for line in (result.text() + result.errors()).split("\n") if line.startswith("cqlgen: ")]
        suite.check("options: %s -%s" % (command, " ".join(words)), (result.status, told) == (1, ["cqlgen: " + message]), "%s %s, expected %s" % (result.status, told, message))
    for name, least, most, commands in numbers:
        for command in commands.split():
            for value in (least, most):
                result = suite.run([suite.cqlgen, command, "-" + name, str(value), query], cwd=FOLDER)
                suite.check("options: %s -%s %d" % (command, name, value), result.status == 0 and "cqlgen: " not in result.text(), result.text() + result.errors())
    suite.check("options: no file in tests/pgn", not [name for name in os.listdir(FOLDER) if not name.endswith(".pgn")])


def last_arguments(suite):
    """Options of cql and cqli whose words end with the command line; without a query all positions of the input are found."""
    folder = suite.path("options-last")
    os.mkdir(folder)
    shutil.copy(os.path.join(FOLDER, "options.pgn"), folder)
    hhdb, similar, whole = "option `-hhdb` needs words of the filter `hhdb`; -hhdb help lists them", "option `-similarposition` needs the name of a PGN file", "== what options add ==\n"
    needs = "option `-%s` needs an argument: %s"
    for command, words, message in (
            ("cql", "-hhdb", hhdb), ("cqli", "-hhdb", hhdb), ("cql", "-hhdb nosuch", hhdb), ("cql", "-similarposition", similar), ("cql", "-similarposition nosort", similar),
            ("cql", "-similarposition NOTRANSFORM nosort", similar), ("cql", "-assign", needs % ("assign", "NAME VALUE")), ("cql", "-assign x", needs % ("assign", "NAME VALUE")),
            ("cql", "-i", needs % ("i", "FILE")), ("cqli", "-output", needs % ("output", "FILE")), ("cql", "-year", needs % ("year", "N [M]")),
            ("cql", "-wtm", "no query and no input; see -help")):
        result = suite.run([suite.cqlgen, command, *words.split()], cwd=folder)
        told = re.sub(r"\ACQL version 6\.2 \(.*\)\n", "", result.text())
        suite.check("options: %s %s" % (command, words), (result.status, told) == (1, "\ncqlgen: %s\n" % message), "%s %r" % (result.status, result.text()))
    added = "before cqldefault.cql:1:7, -%s\n"
    for words, told in (
            ("-hhdb cooked", added % "hhdb: hhdb cooked"), ("-hhdb special prize", added % "hhdb: hhdb special prize"), ("-hhdb cooked -wtm", added % "hhdb: hhdb cooked" + added % "wtm: wtm"),
            ("-hhdb composer Rinck", added % 'hhdb: hhdb composer "Rinck"'), ('-hhdb gbr kings "x"', added % 'hhdb: hhdb gbr kings "x"'),
            ("-similarposition nosort options.pgn", added % 'similarposition: similarposition nosort "options.pgn"'),
            ("-similarposition notransform NOSORT nosort options.pgn", added % 'similarposition: similarposition notransform nosort nosort "options.pgn"'),
            ("-assign x -1", added % "assign: x=-1"), ("-assign x 1-", added % 'assign: x="1-"'), ("-year 2004", "of each game, -year: 2004 2004\n"), ("-year 2004 2010", "of each game, -year: 2004 2010\n")):
        result = suite.run([suite.cqlgen, "cql", "-i", "options.pgn", "-showfromstring", *words.split()], cwd=folder)
        shown = result.text().partition(whole)[2].partition("== the whole query ==")[0]
        suite.check("options: cql %s adds filters" % words, (result.status, shown) == (0, told), "%s %r" % (result.status, result.text()))
    for words, told in ((["-hhdb", "composer", "Rinck"], '// dialect: cql6\ncql()\n{ hhdb composer "Rinck" }\n.\n'), (["-hhdb", "gbr", "kings", '"x y"'], '// dialect: cql6\ncql()\n{ hhdb gbr kings "x y" }\n.\n'),
                        (["-hhdb", "cooked"], "// dialect: cql6\ncql()\n{ hhdb cooked }\n.\n"), (["-white", 'a"b'], "it cannot be shown: CQL 6.2 cannot express this: a string with a quote or line end where only a literal is allowed\n"),
                        (["-matchcount", "2", "3", "-wtm", "-flip"], "// dialect: cql6\ncql(matchcount 2 3)\nflip { wtm . }\n")):
        result = suite.run([suite.cqlgen, "cql", "-i", "options.pgn", "-showfromstring", *words], cwd=folder)
        shown = result.text().partition("== the whole query ==\n")[2].partition("\n\n")[0] + "\n"
        suite.check("options: the whole query with %s" % words, (result.status, shown) == (0, told), result.text())
    # A dot for a tenth of -lineincrement, which is 10000 for cql and 1000 for cqli.
    for command, count, increment, shown in (("cql", 10000, "", "........." + "[10000]"), ("cql", 9999, "", "........."), ("cqli", 1000, "", "........." + "[1000]"), ("cqli", 999, "", "........."),
                                             ("cqli", 1000, "1001", ".........."), ("cqli", 20, "10", ".........[10]\n.........[20]")):
        write(os.path.join(folder, "many.pgn"), "1. e4 *\n\n" * count)
        result = suite.run([suite.cqlgen, command, "-i", "many.pgn", "-j", "1", *(["-lineincrement", increment] if increment else [])], cwd=folder)
        told = re.sub(r"\ACQL version 6\.2 \(.*\)\n", "", result.text()).partition("\n\n")[0]
        suite.check("options: progress of %s over %d games, %s" % (command, count, increment or "as usual"), told == shown, result.text())
    # Both outputs in one: what is printed first comes first.
    write(os.path.join(folder, "zip.pgn"), "PK\3\4" + "x" * 20)
    both, zipped = ["sh", "-c", 'exec "$@" 2>&1', "sh", suite.cqlgen], "zip.pgn: error: this is a zip archive; unpack it first\n"
    for words, order in ((["cql", "-i", "zip.pgn"], ["CQL version 6.2 ", zipped, "0 matches of 0 games"]), (["cqli", "-i", "zip.pgn"], [zipped, "Analyzed 0 games", "cannot read zip.pgn to its end"]),
                         (["examples", "stalemate", "nosuch", "smothered-mate"], ["stalemate\n", "no example mentions `nosuch`", "cql("])):
        shown = suite.run([*both, *words], cwd=folder).text()
        places = [shown.rfind(part) if part == "cql(" else shown.find(part) for part in order]
        suite.check("options: the order of what %s says" % words, -1 not in places and places == sorted(places), "%s %s" % (places, shown))
    # What is said on standard output of an input or output that fails; `cql` leaves it to standard error without -gui.
    frame, read_to, out = "<CqlGuiError>\n%s</CqlGuiError>\n", "cqlgen: cannot read %s to its end\n", "cqlgen: cannot write /nonexistent/x.pgn\n"
    for words, told in (("cqli -i zip.pgn", "\n" + read_to % "zip.pgn"), ("cql -gui -i zip.pgn", "\n" + frame % (read_to % "zip.pgn")), ("cql -i zip.pgn", ""),
                        ("cql -gui -guipgnstdin", "\n" + frame % (read_to % "standard input")), ("cqli -i options.pgn -o /nonexistent/x.pgn", "\n" + out),
                        ("cql -gui -i options.pgn -o /nonexistent/x.pgn", "\n" + frame % out), ("cql -i options.pgn -o /nonexistent/x.pgn", "")):
        result = suite.run([suite.cqlgen, *words.split()], stdin=b"PK\3\4xxxx", cwd=folder)
        ended = result.text().endswith(told) if told else "cannot" not in result.text()
        suite.check("options: %s fails" % words, (result.status, ended, result.errors().count("\n")) == (1, True, 1), "%s %r %r" % (result.status, result.text(), result.errors()))


def databases(suite):
    """What import, info, verify and export say, with the singular and the plural of each count; the text of a damaged game is kept, and it has no moves."""
    own, base, missing = suite.path("options-import.pgn"), suite.path("options-import.cqldb"), suite.path("options-none.pgn")
    write(own, "1. e4 *\n")
    both = "%s is both an input and the output; choose another output name" % own
    for words, message, status in (
            (["import"], "no games to import: name a PGN file, or `-` for standard input", 2), (["import", "-o", base], "no games to import: name a PGN file, or `-` for standard input", 2),
            (["import", own], "name the database with -o GAMES.cqldb", 2), (["import", own, missing, "-o", base], "cannot read %s: No such file or directory" % missing, 3),
            (["import", own, "-o", own], both, 2), (["info"], "expected one database: `cqlgen info GAMES.cqldb`", 2),
            (["verify", base, base], "expected one database: `cqlgen verify GAMES.cqldb`", 2), (["export", base, own], "expected one database: `cqlgen export GAMES.cqldb`", 2)):
        says(suite, words, message, status)
    suite.check("options: imports that are refused write nothing", not os.path.exists(base))
    for games, said, verified, numbers in (
            ("1. e4 *\n", "1 game imported, 0 messages", "1 game, 0 faults", "games 1, 0 of them damaged|moves 1, without variations|ends 0 with checkmate, 0 with stalemate|"
             "apart 0: from other positions, with null moves, or damaged|chunks 1"),
            ("1. e4 e5 2. Ke3 *\n\n" + '[FEN "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"]\n[Date "1999.??.??"]\n\n1. Qf7 1/2-1/2\n', "2 games imported, 1 message", "2 games, 0 faults",
             "games 2, 1 of them damaged|moves 1, without variations|ends 0 with checkmate, 1 with stalemate|apart 2: from other positions, with null moves, or damaged|"
             "years 1999 to 1999|chunks 1"),
            ("1. Nf6 *\n\n1. -- e5 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n", "3 games imported, 1 message", "3 games, 0 faults",
             "games 3, 1 of them damaged|moves 6, without variations|ends 1 with checkmate, 0 with stalemate|apart 2: from other positions, with null moves, or damaged|chunks 1")):
        write(own, games)
        if os.path.exists(base):
            os.remove(base)
        begun = time.monotonic()
        result = suite.run([suite.cqlgen, "import", own, "-o", base])
        passed = time.monotonic() - begun
        seconds = float(re.search(r"([\d.]+) s$", result.errors()).group(1))
        suite.check("options: import says no more time than it takes, " + said, seconds <= passed + 0.01, "%s of %s" % (seconds, passed))
        last = re.sub(r"[\d.]+ s$", "T", result.errors().splitlines()[-1])
        want = ["%s:1: game 1: illegal move %s, the rest of the game is dropped" % (own, move) for move in ("2. Ke3", "1. Nf6") if move in games]
        suite.check("options: the messages of import, " + said, result.errors().splitlines()[:-1] == want, result.errors())
        suite.check("options: import, " + said, (result.status, last) == (0, "%s: %s about damage%s, T" % (own, said, " (1 cut short)" if want else "")), result.errors())
        suite.ends("options: verify, " + verified, suite.run([suite.cqlgen, "verify", base]), 0, "%s: %s\n" % (base, verified), "")
        lines = [re.sub(" +", " ", line) for line in suite.run([suite.cqlgen, "info", base]).text().splitlines()]
        size, count = os.path.getsize(base), games.count(" *\n") + games.count("1/2\n") + games.count("0-1\n")
        suite.check("options: the size of " + verified, any(line.startswith("file %d bytes, %.1f a game; as PGN " % (size, size / count)) for line in lines), str(lines))
        suite.check("options: info of " + verified, [line for line in lines if not re.match("players|events|sites|file| ", line)] == numbers.split("|"), str(lines))
    def damaged(change):
        connection = sqlite3.connect(base)
        connection.execute(change)
        connection.commit()
        connection.close()
    damaged("UPDATE chunk SET moves_sum = moves_sum + 1")
    wrong = "%s: chunk 1 is damaged: its checksum is wrong\n" % base
    says(suite, ["verify", base], "", 3, wrong + "%s: 3 games, 1 fault\n" % base)
    says(suite, ["export", base], wrong.strip(), 3)
    suite.check("options: info of a database with a damaged chunk", suite.run([suite.cqlgen, "info", base]).status == 0)
    damaged("DROP TABLE player")
    for command in ("info", "verify", "export"):
        says(suite, [command, base], "%s: its table player is missing; import the games again" % base, 3)
    for command in ("info", "verify", "export"):
        said = suite.run([suite.cqlgen, command, own])
        suite.check("options: %s of another file" % command, (said.status, said.text()) == (3, "") and said.errors() == "cqlgen: %s: not a database of games; `cqlgen import GAMES.pgn -o GAMES.cqldb` makes one\n" % own, said.errors())
    slow = suite.path("options-slow.cqldb")  # games that come in two parts, more than a second apart
    for words, shown in ((["--progress"], "-: 3 games, 0 MB\n"), ([], "")):
        result = suite.run(["sh", "-c", '{ echo "1. e4 *"; sleep %s; printf "\\n1. d4 *\\n\\n1. c4 *\\n"; } | "$@"' % ("1.2" if words else "0"), "sh", suite.cqlgen, "import", "-", "-o", slow, *words])
        os.remove(slow)
        suite.check("options: progress of import %s" % words, re.sub(r"[\d.]+ s\n", "T\n", result.errors()) == shown + "-: 3 games imported, 0 messages about damage, T\n", result.errors())
    result = suite.run([suite.cqlgen, "import", own, "-o", base])
    suite.check("options: a second import", result.status == 5 and result.errors().startswith("cqlgen: ") and result.errors().count("\n") == 1, result.errors())
    for words, message, status in (
            (["export", base, "-o", base], "%s is both the input and the output; choose another output name" % base, 2),
            (["export", base, "-o", "x.csv"], "export writes PGN, not x.csv; `cqlgen search -e true %s -o x.csv` writes other formats" % base, 2)):
        says(suite, words, message, status)


def stored(suite):
    """What is said of a search of stored games: each row has the query, options, what is found, the games that match of those that
    were reached, the positions of games that were searched, and how many games tags ruled out, were evaluated and match. Columns that
    decide need no evaluation, unless positions or variations are wanted."""
    base = suite.path("options-stored.cqldb")
    suite.run([suite.cqlgen, "import", os.path.join(FOLDER, "options.pgn"), "-o", base, "-q"])
    csv, count, places = "year,games,percent,white,draws,black\r\n", ["-f", "count"], ["-f", "positions"]
    first, others, last = "1: 0 1 2 3 4 5 6 7\n", "2: 0 1 2 3 4\n3: 0 1 2\n", "2: 0 1 2 3 4 5 6 7\n3: 0 1 2\n"
    year, other, both = "year == 2004", "year != 2004 K", "year == 2004 Ka1"
    for query, options, out, games, positions, row in (
            (year, count, "1\n", "1 of 3", 8, (2, 0, 1)), (year, places, first, "1 of 3", 8, (2, 1, 1)), (year, [*count, "--variations"], "1\n", "1 of 3", 8, (2, 1, 1)),
            (year, [*count, "-g", "2-3"], "0\n", "0 of 3", 0, (2, 0, 0)), (year, [*places, "-g", "2-3"], "", "0 of 3", 0, (2, 0, 0)),
            (year, ["-f", "csv", "--count-by", "year"], csv + "2004,1,100.00,1,0,0\r\n", "1 of 3", 8, (2, 0, 1)),
            (year, [*places, "-n", "1"], first, "1 of 1", 8, (2, 1, 1)),
            (other, count, "2\n", "2 of 3", 8, (1, 0, 2)), (other, places, others, "2 of 3", 8, (1, 2, 2)), (other, [*places, "--variations"], last, "2 of 3", 11, (1, 2, 2)),
            (other, [*count, "--variations"], "2\n", "2 of 3", 11, (1, 2, 2)), (other, [*places, "-n", "1"], "2: 0 1 2 3 4\n", "1 of 2", 5, (1, 1, 1)),
            (other, [*count, "-g", "2-3"], "2\n", "2 of 3", 8, (0, 0, 2)), (other, [*places, "-g", "3"], "3: 0 1 2\n", "1 of 3", 3, (0, 1, 1)),
            (other, ["-f", "csv", "--count-by", "year"], csv + "2010,1,50.00,0,0,1\r\n2011,1,50.00,0,1,0\r\n", "2 of 3", 8, (1, 0, 2)),
            (both, count, "0\n", "0 of 3", 8, (2, 1, 0)), (both, places, "", "0 of 3", 8, (2, 1, 0)), (both, [*count, "-g", "2-3"], "0\n", "0 of 3", 0, (2, 0, 0)),
            ("Ka1", count, "0\n", "0 of 3", 16, (0, 3, 0)), ("Ka1", [*count, "-g", "2-3"], "0\n", "0 of 3", 8, (0, 2, 0)),
            ("Ka1", [*places, "--variations"], "", "0 of 3", 19, (0, 3, 0)), ("Qf7", places, "1: 7\n", "1 of 3", 16, (0, 3, 1)),
            ("Qf7", [*places, "-n", "1"], "1: 7\n", "1 of 1", 8, (0, 1, 1)), ("K", count, "3\n", "3 of 3", 16, (0, 0, 3)), ("K", [*count, "-g", "2-3"], "2\n", "2 of 3", 8, (0, 0, 2))):
        result = suite.run([suite.cqlgen, "search", "-e", query, base, *options, "--stats", "--engine", "interp", "-j", "1"])
        said = timed(result.errors())
        want = "%s games match (%d positions searched, T, 1 thread, interp)\n   by tags   by moves  evaluated   matching  query\n%10d %10d %10d %10d  -e\n" % (
            games, positions, row[0], 0, *row[1:])
        suite.check("options: stored games, %s %s" % (query, " ".join(options)), (result.status, result.text(), said) == (0, out, want), "%r %s" % (result.text(), result.errors()))
    # Games are numbered through all inputs, whatever they are; without the last, and with a mistake in the middle.
    games = os.path.join(FOLDER, "options.pgn")
    rows = "".join("%d,%d\r\n" % (before + game, game) for before in (0, 3, 6, 9) for game in (1, 2))
    result = suite.run([suite.cqlgen, "search", "-e", "mate", base, games, base, games, "-f", "csv", "--fields", "game,game_in_file", "-q", "--engine", "interp"])
    suite.check("options: numbers of games in several inputs", (result.status, result.text(), result.errors()) == (0, "game,game_in_file\r\n" + rows, ""), result.text())
    result = suite.run([suite.cqlgen, "search", "-e", "mate", base, "nosuch.pgn", games, base, "-f", "positions", "-g", "2-8", "-q", "--engine", "interp"])
    suite.check("options: a range of games in several inputs", (result.status, result.text(), result.errors()) ==
                (3, "2: 4\n4: 7\n5: 4\n7: 7\n8: 4\n", "nosuch.pgn: error: cannot read: No such file or directory\n"), result.text() + result.errors())


def queries_and_games(suite):
    """Limits and mistakes of queries and games that only whole files have."""
    folder = suite.path("whole-files")
    os.mkdir(folder)
    here = dict(cwd=folder)
    for name, length, status, out, errors in (("fits.cql", 9999999, 0, "2\n", ""), ("large.cql", 10**7, 2, "", "cqlgen: large.cql: the query is too large; the limit is 10000000 bytes\n")):
        write(os.path.join(folder, name), "cql() mate".ljust(length))
        result = suite.run([suite.cqlgen, "search", name, os.path.join(FOLDER, "options.pgn"), "-q", "-f", "count", "--engine", "interp"], **here)
        suite.check("options: a query of %d bytes" % length, (result.status, result.text(), result.errors()) == (status, out, errors), result.errors())
        os.remove(os.path.join(folder, name))
    # Names come by their numbers of games, unless the order of the keys is asked for; years the other way round.
    write(os.path.join(folder, "order.pgn"), "".join('[Black "%s"]\n[Date "%d.01.01"]\n\n*\n\n' % (name, year) for name, year in (("b", 2001), ("a", 2000), ("b", 2001))))
    for key, order, want in (("black", "", "b2 a1"), ("black", "key", "a1 b2"), ("black", "games", "b2 a1"), ("year", "", "20001 20012"), ("year", "key", "20001 20012"), ("year", "games", "20012 20001"),
                             ("date", "", "2000.01.011 2001.01.012"), ("date", "games", "2001.01.012 2000.01.011")):
        result = suite.run([suite.cqlgen, "search", "-e", "true", "order.pgn", "-q", "-f", "csv", "--count-by", key, *(["--order", order] if order else [])], **here)
        got = " ".join("".join(line.split(",")[:2]) for line in result.text().split("\r\n")[1:-1])
        suite.check("options: groups by %s in the order %s" % (key, order), (result.status, got) == (0, want), result.text() + result.errors())
    # Each mistake in a key has the column in its own text.
    condition = "a key of --count-by is a number, a set or a string, but this is a condition (true or false); `if F 1 else 0` makes a number"
    first, second = "--count-by:1:1: error: %s\n{check}\n^~~~~~~\n" % condition, "--count-by:1:6: error: `+` cannot follow a number\n{ply +}\n     ^\n"
    third = "-e:1:6: error: `+` cannot follow a condition (true or false)\nmate +\n     ^\n"
    for query, keys, want in (("mate", "{ply +},{check}", second + first), ("mate", "{check},{ply +}", first + second), ("mate +", "{check},{ply +}", first + second + third)):
        result = suite.run([suite.cqlgen, *SEARCH[:2], query, SEARCH[3], "--count-by", keys], cwd=FOLDER)
        suite.check("options: mistakes in %s by %s" % (query, keys), (result.status, result.text(), result.errors()) == (2, "", want), result.errors())
    write(os.path.join(folder, "bad.pgn"), '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 e5 *\n')
    bad = "bad.pgn:1: game 1: bad FEN (FEN without exactly one white king), the game %s\n"
    for words, out, what in (([], "", "is skipped"), (["--bad-start", "skip"], "", "is skipped"), (["--bad-start", "standard"], "1: 2\n", "starts from the standard position")):
        for form in ([], ["--variations"], ["--no-prefilter"]):
            result = suite.run([suite.cqlgen, "search", "-e", "ply==2", "bad.pgn", "-q", "-f", "positions", *words, *form], **here)
            suite.check("options: a bad start with %s" % [*words, *form], (result.status, result.text(), result.errors()) == (0, out, bad % what), result.text() + result.errors())
    odd = "[Event \"%s\"]\n\n%s *\n\n"
    write(os.path.join(folder, "odd.pgn"), odd % ("a", "1. e4 e5 2. Sf3 Sc6 3. Lb5") + odd % ("b", "1. e4 foo e5 bar 2. Nf7 baz") +
          odd % ("c", "1. e4 e5 2. Sf3") + odd % ("d", "1. d4 hm d5"))
    german = "odd.pgn:1: game 1: read with the piece letters of German, as other games of the file may be\n"
    line, hm = "odd.pgn:7: game 2: unknown word \"%s\" ignored\n", "odd.pgn:15: game 4: unknown word \"hm\" ignored\n"
    foo, nf7 = line % "foo", "odd.pgn:7: game 2: illegal move 2. Nf7, the rest of the game is dropped\n"
    for words, reports in (([], foo + nf7 + hm), (["--strict"], foo + line % "bar" + nf7 + line % "baz" + hm)):
        for form in ([], ["--variations"], ["--no-prefilter"], ["-j", "1"], ["--output-dir", "out"]):
            result = suite.run([suite.cqlgen, "search", "-e", "ply==3", "odd.pgn", *([] if "--output-dir" in form else ["-f", "positions"]), *words, *form], **here)
            said, summary = result.errors().splitlines(True)[:1 + reports.count("\n")], result.errors().splitlines(True)[-1]
            suite.check("options: words of games with %s" % [*words, *form], (result.status, "".join(said)) == (0, german + reports), result.errors())
            if "--output-dir" not in form:
                suite.check("options: what is left out of them", (result.text(), summary) ==
                            ("1: 3\n3: 3\n", "2 games are damaged; what could be read was searched (1 cut short, 4 words ignored)\n"), result.text() + summary)
        result = suite.run([suite.cqlgen, "import", "odd.pgn", "-o", "odd%d.cqldb" % len(words), *words], **here)
        suite.check("options: an import of them, %s" % words, re.sub(r"[\d.]+ s\n", "T\n", result.errors()) == german + reports +
                    "odd.pgn: 4 games imported, %d messages about damage (1 cut short, 4 words ignored), T\n" % reports.count("\n"), result.errors())
    # RFC 8878, 3.1.2: a skippable frame has a magic number from 0x184D2A50 to 0x184D2A5F, and its length.
    suite.run([suite.cqlgen, "search", "-e", "true", os.path.join(FOLDER, "options.pgn"), "-q", "-o", "g.pgn.zst"], **here)
    with open(os.path.join(folder, "g.pgn.zst"), "rb") as f:
        frame = f.read()
    for magic, good in ((0x4f, False), (0x50, True), (0x5f, True), (0x60, False)):
        skipped = bytes((magic, 0x2a, 0x4d, 0x18, 5, 0, 0, 0)) + b"hello"
        for name, content in (("before", skipped + frame), ("between", skipped + frame + skipped)):
            with open(os.path.join(folder, name), "wb") as f:
                f.write(content)
            result = suite.run([suite.cqlgen, "search", "-e", "true", name, "-q", "-f", "count"], **here)
            suite.check("options: a frame with %x, %s" % (magic, name), (result.text(), result.errors() == "") == ("3\n", True) if good else result.text() == "0\n", result.errors())


def conversions(suite):
    """What the options of cql and cqli print that rewrite or show a query."""
    folder = suite.path("cql-shown")
    os.mkdir(folder)
    write(os.path.join(folder, "q.cql"), "cql()\nK ≠ 1\n")
    write(os.path.join(folder, "pieces.cql"), "cql()\na--e4 b--c4 a1 b2 h8 a-b3 b-c4 h-h2 a b [a1,b2] A--e4 [ab]a1 ba-h2 "
          "[AaK]a1 [KAa]b2 [aQA]c3 [Aa] A [RQa] 3check /* c */K 1or K /*d*/ //e\n")
    version = r"CQL version 6\.2 \(.*\)\n\n?"
    lines = "".join("1 %d %d U+%04X %02X %s\n" % (i + 1, i, ord(c), ord(c), c) for i, c in enumerate("cql()"))
    lines += "1 6 5 U+000A 0A end of line\n2 1 6 U+004B 4B K\n2 2 7 U+0020 20 space\n2 3 8 U+2260 E2 89 A0 ≠ = !=\n2 6 11 U+0020 20 space\n2 7 12 U+0031 31 1\n2 8 13 U+000A 0A end of line\n"
    one, tree = "cqlgen: %s needs one query file%s\n", "{…} : bool\n  != : bool\n    designator : set K\n    number : int 1\n"
    for words, status, want in (
            (["cql", "-utf8", "pieces.cql"], 0, "cql()\n▲――e4 ♝――c4 a1 b2 h8 a-b3 b-c4 h-h2 ▲ ♝ [a1,b2] △――e4 ▲♝a1 ♝a-h2 "
             "◭♔a1 ♔◭b2 ◭♕c3 ◭ △ ♖♕▲ 3check /* c */♔ 1or ♔ /*d*/ //e\n"),
            (["cql", "-echo", "q.cql"], 0, lines), (["cql", "-echo"], 1, one % ("-echo", "")), (["cql", "-html", "q.cql", "x"], 1, one % ("-html", ", and may have -o FILE.html")),
            (["cql", "-utf8", "q.cql", "-o"], 1, one % ("-utf8", ", and may have -o FILE.cql")), (["cql", "-a", "q.cql", "q.cql"], 1, one % ("-a", "")),
            (["cql", "-u"], 1, one % ("-u", "")), (["cql", "-colorize", "x"], 1, "cqlgen: -colorize must be the only option\n"),
            (["cqli", "--parse", "q.cql"], 0, "cql()\nK ≠ 1\n\n" + tree), (["cqli", "--parse", "--noconsoleunicode", "q.cql"], 0, "cql()\nK ? 1\n\n" + tree),
            (["cqli", "--parse", "--wtm", "--flip", "q.cql"], 0,
             "wtm\ncql()\nK ≠ 1\n\n{…} : bool\n  flip : bool\n    {…} : bool\n      wtm : bool\n      != : bool\n        designator : set K\n        number : int 1\n")):
        result = suite.run([suite.cqlgen, *words], cwd=folder)
        shown = re.sub("\\A" + version + r"|\A\n", "", result.text())
        suite.check("options: " + " ".join(words), (result.status, shown.strip("\n"), result.errors()) == (status, want.strip("\n"), ""), "%s %r" % (result.status, result.text()))
    suite.check("options: the query is as it was", sorted(os.listdir(folder)) == ["pieces.cql", "q.cql"] and read(os.path.join(folder, "q.cql")) == "cql()\nK ≠ 1\n")
    classes = {"k": "keyword", "n": "name", "d": "number", "s": "string", "p": "piece", "g": "sign", "c": "comment"}
    tokens = (r'kcql|g(|sinput x.pgn|g)|\n |c/* a&amp;b */|  |kmate| |s&quot;s&lt;t&quot;| |pK| |p[Qr]a1| |nx|g=|d3| |c// end| \n |n$q|g≠|p♔| |n[Aa]|ny|g=|pK| |kresult| |d1-0| '
              r'|kpath| |g--| |d{2}| |s\1| |s\-1|\n').replace(r"\n", "\n").split("|")
    spans = "".join('<span class="%s">%s</span>' % (classes[t[0]], t[1:]) if t[0] in classes else t for t in tokens)
    text = re.sub("<.*?>", "", spans).replace("&lt;", "<").replace("&quot;", '"').replace("&amp;", "&")
    write(os.path.join(folder, "page.cql"), text)
    result = suite.run([suite.cqlgen, "cql", "-html", "page.cql"], cwd=folder)
    page = read(os.path.join(folder, "page-cql.html"))
    head = '<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>page.cql</title>\n<style>\n'
    suite.check("options: cql -html", result.status == 0 and page.startswith(head) and page.partition("<body>")[2] == "<pre>%s</pre></body></html>\n" % spans, page)
    suite.ends("options: cql -colorize", suite.run([suite.cqlgen, "cql", "-colorize"], stdin=text.encode(), cwd=folder), 0, spans)
    with open(os.path.join(folder, "bytes.cql"), "wb") as f:
        f.write(b"\1\37 \177\x80~\r!")
    write(os.path.join(folder, "open.cql"), 'cql() "open')
    names = ("U+0001 01 control character", "U+001F 1F control character", "U+0020 20 space", "U+007F 7F control character", "- 80 not UTF-8", "U+007E 7E ~",
             "U+000D 0D carriage return", "U+0021 21 !")
    mistake = "\n%s:1:7: error: string without a closing quote on its line\ncql() \"open\n      ^~~~~\n"
    # Signs that would merge: `-->` is one token, `--` and `-` are not `-` and `--`.
    changes = "\ncqlgen: merges.cql%s: the rewritten query would mean something else%s\n"
    for text, where in (("1-→2", ""), ("←-", ""), ("1\n1<→2", ":3"), ("1-――2", ":2"), ("1≠2 -\n\n-――2", ":4")):
        write(os.path.join(folder, "merges.cql"), "cql()\n" + text)
        result = suite.run([suite.cqlgen, "cql", "-a", "merges.cql"], cwd=folder)
        shown = re.sub(r"\ACQL version 6\.2 \(.*\)\n", "", result.text())
        suite.check("options: cql -a of " + text, (result.status, shown, read(os.path.join(folder, "merges.cql"))) ==
                    (1, changes % (where, " here" if where else ""), "cql()\n" + text), result.text())
    write(os.path.join(folder, "signs.cql"), "×é♔→\n")
    signs = ("1 1 0 U+00D7 C3 97 × = [x]\n1 3 2 U+00E9 C3 A9 é\n1 5 4 U+2654 E2 99 94 ♔ = K\n1 8 7 U+2192 E2 86 92 → = ->\n1 11 10 U+000A 0A end of line\n")
    for words, status, want in (
            (["-echo", "signs.cql"], 0, signs), (["-echo", "bytes.cql"], 0, "".join("1 %d %d %s\n" % (i + 1, i, name) for i, name in enumerate(names))), (["-u", "open.cql"], 1, mistake % "open.cql"),
            (["-html", "open.cql"], 1, mistake % "open.cql"), (["-colorize"], 1, mistake % "<stdin>")):
        result = suite.run([suite.cqlgen, "cql", *words], stdin=b'cql() "open', cwd=folder)
        shown = re.sub(r"\ACQL version 6\.2 \(.*\)\n", "", result.text())
        suite.check("options: cql " + " ".join(words), (result.status, shown) == (status, want), result.text())
