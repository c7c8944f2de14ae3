"""What is printed, compared with reviewed files: the C that is emitted for the queries of tests/golden, the output of
commands in tests/golden/text, and what the optimiser and the emitter make of the small queries in tests/golden/forms.
The queries of tests/golden/queries, and those of the forms, find the same with and without optimiser.

`run.py --only golden --update` writes them anew.
"""
import os
import platform
import re
import shutil

from parts.harness import EXAMPLES, TESTS, difference, read, write

GOLDEN = os.path.join(TESTS, "golden")
TEXT = os.path.join(GOLDEN, "text")
FORMS = os.path.join(GOLDEN, "forms")
QUERIES = os.path.join(GOLDEN, "queries")
DIALECT_OF_FORMS = {"cqli": "// dialect: cqli\n", "cql5": "; dialect: cql5\n"}
# What is left out of emitted C: the name and the text of the query, and what each query has.
SAME_IN_ALL = re.compile(r"""(?m)^        \.name = .*\n|^        \.source = "(.|\n)*?",\n|^// Finds the positions of a game at which matches is true\.
static void match_game\(Context \*c\)
{
    match_positions\(c, matches\);
}
|^EXPORT_QUERIES\(queries\)$""")
# The arguments of cqlgen, and the file of tests/golden/text with what it prints.
COMMANDS = [
    ("search page.cql drawn.cql games.pgn -f html -q", "page.html"),
    ("search -e check games.pgn --count-by white,{1+1} -q", "groups.txt"),
    ("search contents.cql -e variation games.pgn contents.pgn -f html -q", "contents.html"),
    ("search contents.cql contents.pgn -q", "contents.txt"),
    ("search contents.cql contents.pgn -f jsonl --context 1 -q", "contents.jsonl"),
    ("search contents.cql contents.pgn -f csv -q", "contents.csv"),
    ("search contents.cql contents.pgn -f tsv --first --context 3 -q --fields Theme,game_in_file,offset,file,number,before,after,clock,elapsed,eval,"
     "moves,uci_moves,sort,round,next_uci,Empty,tags,positions,comments", "contents.tsv"),
    ("search -e check -e parent:check contents.pgn -f fen --variations -q", "contents.fen"),
    ("search -e check contents.pgn --context 1 -q", "excerpt.txt"),
    ("search -e check -e btm contents.pgn games.pgn --count-by white,elo/100,white_elo,year,eco/1,TimeControl,{ply+1},file -q", "groups2.txt"),
    ("search -e check -e btm contents.pgn games.pgn --count-by black,month,Note --of-all -n 2 -q", "others.txt"),
    ("search -e check -e btm contents.pgn games.pgn --count-by black,month,Note --of-all -n 2 -f csv -q", "others.csv"),
    ("search -e check -e btm contents.pgn games.pgn --count-by elo/100,white_elo,eco,{ply+1} -f csv -q", "groups.csv"),
    ("search -e check -e btm contents.pgn games.pgn --count-by white,elo/100,white_elo,year,eco/1,TimeControl,{ply+1},file -f json -q", "groups.json"),
    ("search -e check -e btm contents.pgn games.pgn --count-by black,month,Note --of-all -n 2 -f jsonl -q", "others.jsonl"),
    ("search -e check -e btm contents.pgn games.pgn --count-by black,{ply} --order games -n 3 -f html -q", "others.html"),
    ("convert dialect6.cql", "dialect6.txt"),
    ("convert dialect5.cql", "dialect5.txt"),
    ("convert dialect3.cql", "dialect3.txt"),
    ("convert resemblance.cql", "resemblance.txt"),
    ("explain explain.cql", "explain.txt"),
    ("cql -parse -showfromstring -player Ek -year 2000 2020 -wtm -flipcolor page.cql", "cql.txt"),
    ("cql -parse tree.cql", "tree.txt"),
    ("cqli --parse page.cql", "cqli.txt"),
    ("cqli --parse imagine.cql", "imagine.txt"),
    ("help sort", "help-sort.txt"),
    ("help castle", "help-castle.txt"),
    ("help fields", "help-fields.txt"),
    ("help import", "help-import.txt"),
    ("help --max-memory", "help-max-memory.txt"),
    ("help jsonl", "help-jsonl.txt"),
    ("help --quiet text sqlite info", "help-several.txt"),
    ("help next accumulate", "help-older.txt"),
    ("help between countmoves year lca", "help-kinds.txt"),
    ("--help", "help-all.txt"),
]
# Queries that are compiled to one matcher, golden/several.c.
SEVERAL = ["Kd1", 'message("x") K attacks q', 'persistent hits = 0 hits += 1 sort "hits" hits', 'originalcomment ~~ "a+"', "A < 10 Ra1"]
# Queries of one matcher, and of each that has a screen its function, its place there, and its cost. At most 32 queries share
# a function, and together they cost at most 1500; one that costs more than 400 has a function of its own.
COSTS_100 = "#A>3 #B>1 #R>1 #N>1 #P>1 #a>1 #b>1"  # AND 2, each count 2 * (> 1, COUNT 4, board 1, number 1)
COSTS_400 = "doubledpawns A attacks k #A>3 Kd1 Ra1 #B>1"
COSTS_402 = "doubledpawns A attacks k #A>3 Kd1 Ra1 Qa2 nb8"
SHARED_SCREENS = [
    ("number", ["Kd1"] * 33, ["s1_screen %d:8" % i for i in range(32)] + ["s2_screen 0:8"]),
    ("all costs", ["check"] * 10 + [COSTS_100, "Kd1", "Kd1"],
     ["s1_screen %d:140" % i for i in range(10)] + ["s1_screen 10:100", "s2_screen 0:8", "s2_screen 1:8"]),
    ("one cost", [COSTS_400, COSTS_402, "Kd1", 'message("x")', "Kd1"], ["s1_screen 0:400", "q2_screen 0:402", "s1_screen 1:8", "s1_screen 2:8"]),
]
# What is left out: style, scripts and the shapes of pieces, which are files of templates/; the C of an explanation; the version.
FIXED = re.compile(r"(?s)(<style>|<script>).*?(?=</)|(<defs>).*?(?=</defs>)|(== C ==\n).*?(?=^== )|(build cqlgen ).*?(?=;)", re.M)


def emitted(suite, name):
    """The part of the emitted C that depends on the query; '' with a reason when there is none."""
    result = suite.run([suite.cqlgen, "explain", name + ".cql"], cwd=GOLDEN)
    _, found, rest = result.text().partition("\n== C ==\n")
    if result.status != 0 or not found:
        return "", "exit status %s: %s" % (result.status, result.errors().strip()[:300])
    return rest.partition("\n== ")[0] + "\n", ""


def whole_program(suite, name, body):
    """`-o NAME.c` writes the same file, and with --standalone the same code after the header itself."""
    include = "#include <cqlgen/matcher.h>\n"
    for option in ([], ["--standalone"]):
        out = suite.path(name + ".c")
        result = suite.run([suite.cqlgen, name + ".cql", "-o", out, *option], cwd=GOLDEN)
        if result.status != 0 or not os.path.exists(out):
            return "exit status %s: %s" % (result.status, result.errors().strip()[:300])
        written = read(out)
        code = body.partition(include)[2].strip() if option else body.strip()
        if not code or code not in written or (include in written) != (not option):
            return "the C file is not the code that explain shows %s" % option
    return ""


def commands(suite):
    for arguments, name in COMMANDS:
        result = suite.run([suite.cqlgen, *arguments.split(" ")], cwd=TEXT)
        path, got = os.path.join(TEXT, name), FIXED.sub(lambda m: m.group(m.lastindex), result.text())
        if suite.update:
            write(path, got)
        why = "exit status %s: %s" % (result.status, result.errors()[:300]) if result.status != 0 else ""
        why = why or (difference(read(path), got) if read(path) != got else "")
        suite.check("golden text of cqlgen " + arguments, not why, why)


def narrower(lines, width=128):
    """A tree, one node a line and its operands indented, with those parts in one line that fit."""
    folded = []
    for line in reversed(lines):
        indent = len(line) - len(line.lstrip())
        operands = next((i for i, l in enumerate(folded) if len(l) - len(l.lstrip()) <= indent), len(folded))
        whole = "%s(%s)" % (line, ", ".join(l.strip() for l in folded[:operands]))
        is_flat = all(len(l) - len(l.lstrip()) == indent + 2 for l in folded[:operands])
        if operands and is_flat and len(whole) <= width and line.strip()[0].isupper():
            folded[:operands] = [whole]
        else:
            folded.insert(0, line)
    return folded


def whole_query(name, text, header=""):
    """The file for a query of the forms with this name; `⏎` means the end of a line."""
    dialect, text = DIALECT_OF_FORMS.get(name, ""), text.replace("⏎", "\n")
    return dialect + (text if text.startswith(("cql(", "// dialect: ")) else "cql(%s)\n%s" % (header, text))


def form_of(suite, name, number, text):
    """The optimised IR of a query; for those of screens.txt its screen, for those of shown.txt the function that marks what diagrams show.
    For those of emitted.txt and emitted-shown.txt the C that is made from it; '' with a reason."""
    path = suite.path("%s-%d.cql" % (name, number))
    write(path, whole_query(name, text))
    result = suite.run([suite.cqlgen, "explain", *(["--show"] if name.endswith("shown") else []), path])
    optimised, _, code = result.text().partition("\n== intermediate representation, optimised ==\n")[2].partition("== C ==\n")
    needs = result.text().partition("\n== what the query needs ==\n")[2].splitlines() if name == "games" else []
    if result.status != 0 or not optimised:
        return "", "exit status %s: %s" % (result.status, result.errors().strip()[:300])
    if name.startswith("emitted"):
        code = SAME_IN_ALL.sub("", code.partition("#include <cqlgen/matcher.h>\n")[2].partition("\n== ")[0])
        return "".join("  %s\n" % line for line in code.splitlines() if line), ""
    tree, screen, conditions = optimised.partition("screen: ")
    tree = re.sub(r"(?m)^function (?!body\().*\n((  local .*\n)*)  TRUE\n", "", tree)  # its body has gone into a caller
    if name == "shown":
        tree = "".join(tree.partition("function show()\n")[1:]) or "nothing\n"
    lines = [l for l in (screen + conditions if name == "screens" else tree).splitlines() if not l.startswith("  local ")]
    return "".join(line + "\n" for line in narrower(lines) + needs), ""


def parts_of(file):
    """What a file of tests/golden/forms consists of: comments, a query, its form, comments, ..., comments."""
    return re.split("(?m)^> (.*)\n((?:[^>#\n].*\n)*)\n?", read(os.path.join(FORMS, file)))


def judge_form(suite, file, number, text, expected):
    """The form of the query with this number, and '' or what is wrong with it."""
    got, why = form_of(suite, os.path.splitext(file)[0], number, text)
    return got, why or (difference(expected, got) if expected != got else "")


def forms(suite):
    """In a file of tests/golden/forms each line `> QUERY` is followed by what becomes of the query, up to an empty line."""
    for file in sorted(os.listdir(FORMS)):
        parts = parts_of(file)
        for i, (got, why) in suite.map(lambda i: judge_form(suite, file, i, parts[i], parts[i + 1]), range(1, len(parts), 3)):
            suite.check("golden form of %s, %s" % (parts[i], file), not why or (suite.update and got), why)
            parts[i:i + 2] = ["> %s\n" % parts[i], got + "\n"]
        if suite.update:
            write(os.path.join(FORMS, file), "".join(parts))


def all_queries():
    """(subject, text) of each query of the forms, and of each line of tests/golden/queries but comments, `# ...`."""
    for file in sorted(os.listdir(FORMS)):
        yield from ((file[:-4], text) for text in parts_of(file)[1::3])
    for file in sorted(os.listdir(QUERIES)):
        yield from ((file[:-4], line) for line in read(os.path.join(QUERIES, file)).split("\n") if line and line[:2] != "# ")


def answers_of_forms(suite):
    """The optimiser and the engine change neither what these queries find nor what they write, in main lines and in variations."""
    queries = suite.some(list(all_queries()), 8, 12, full=2)
    work = suite.path("forms")  # what queries write stays there
    os.makedirs(os.path.join(work, "examples"))
    shutil.copy(os.path.join(EXAMPLES, "games.pgn"), os.path.join(work, "examples"))
    for header in ("", "variations"):
        folder, found = suite.path("forms-" + (header or "main-lines")), {}
        paths = [os.path.join(folder, "%03d.cql" % i) for i in range(len(queries))]
        os.mkdir(folder)
        for path, (name, text) in zip(paths, queries):
            write(path, whole_query(name, text, header))
        for engine in ("interp --no-optimize", "interp", "tcc"):
            out = os.path.join(folder, engine)
            os.mkdir(out)
            result = suite.search(*paths, os.path.join(EXAMPLES, "games.pgn"), "-q", "-j", "1", "--output-dir", out, "--engine", *engine.split(), cwd=work)
            found[engine] = [result.text()] + [read(os.path.join(out, name)) for name in sorted(os.listdir(out))]
            right = found["interp --no-optimize"]
            wrong = [queries[i - 1][1] if i else "messages" for i, (a, b) in enumerate(zip(right, found[engine])) if a != b]
            suite.check("golden forms find the same with %s %s" % (engine, header), not wrong and len(found[engine]) == 1 + len(queries),
                        "%d results, other ones of %s" % (len(found[engine]), ", ".join(wrong)[:200]))


def compiled_together(suite, queries):
    """The C of one matcher for several queries; '' with a reason."""
    out = suite.path("several.c")
    result = suite.run([suite.cqlgen, "compile", *(word for text in queries for word in ("-e", text)), "-o", out])
    return (read(out), "") if result.status == 0 else ("", result.errors()[:300])


def several(suite):
    """Several queries in one matcher: the names of each have its number, and cheap screens are in one function."""
    code, why = compiled_together(suite, SEVERAL)
    code, path = code.partition("#include <cqlgen/matcher.h>\n")[2], os.path.join(GOLDEN, "several.c")
    if code and suite.update:
        write(path, code)
    why = why or (difference(read(path), code) if read(path) != code else "")
    suite.check("golden several", not why, why)
    for name, queries, wanted in SHARED_SCREENS:
        code, why = compiled_together(suite, queries)
        found = re.findall(r"\.screen = SCREEN\((\w+), (\d+)\),\n(?: *\.screen_place = (\d+),\n)?", code)
        found = ["%s %s:%s" % (screen, place or 0, cost) for screen, cost, place in found]
        suite.check("golden screens of several queries: " + name, not why and found == wanted, why or " ".join(found))


def other_compilers(suite):
    """The whole program is C for each compiler that is here, and for processors with vectors of each width."""
    out = suite.path("standalone.c")
    made = suite.run([suite.cqlgen, "echo.cql", "-o", out, "--standalone"], cwd=GOLDEN)
    widths = ["-march=" + name for name in ("x86-64", "x86-64-v3", "x86-64-v4")] if platform.machine() == "x86_64" else ["-O1"]
    for compiler in filter(shutil.which, ("gcc", "clang")):
        for width in widths:
            suite.ends("golden: echo.c for %s %s" % (compiler, width), suite.run([compiler, "-std=gnu11", "-fsyntax-only", width, out]), err="",
                       also=made.status == 0)


def emitted_files(suite):
    """For each golden/NAME.cql the C of golden/NAME.c."""
    for file in sorted(os.listdir(GOLDEN)):
        name, extension = os.path.splitext(file)
        if extension != ".cql":
            continue
        got, why = emitted(suite, name)
        path = os.path.join(GOLDEN, name + ".c")
        if got and suite.update:
            write(path, got)
        if got and not os.path.exists(path):
            why = "there is no golden file; make it with --update and review it"
        if not why and read(path) != got:
            why = difference(read(path), got)
        suite.check("golden " + name, not why, why)
        if got:
            why = whole_program(suite, name, got)
            suite.check("golden %s, as a file" % name, not why, why)


def run(suite):
    commands(suite)
    forms(suite)
    answers_of_forms(suite)
    several(suite)
    other_compilers(suite)
    emitted_files(suite)
