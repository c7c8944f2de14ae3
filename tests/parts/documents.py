"""The commands shown in README.md, the guides in docs/ and the man pages do what is shown.

In Markdown they are in fenced blocks marked `sh`, in man pages between .EX and .EE: lines that begin with `$ ` are run by
the shell, one after the other in one folder, and the lines up to the next one are their output, standard error included. A
line `...` matches any lines.
"""
import glob
import os
import re
import shutil

from parts.harness import EXAMPLES, ROOT, read, write


def fenced_blocks(path, language):
    return re.findall(r"^```%s\n(.*?)^```" % language, read(os.path.join(ROOT, path)), re.M | re.S)


MANUAL_PAGES = ["cqlgen.1", "cqlgen-cql.1", "cqlgen-cqli.1"]


def manual_blocks(page):
    text = read(os.path.join(ROOT, "docs", page))
    for block in re.findall(r"^\.EX\n(.*?)^\.EE", text, re.M | re.S):
        for escape, plain in (("\\-", "-"), ("\\(aq", "'"), ("\\(dq", '"'), ("\\e", "\\"), ("\\&", ""), ("\\(ti", "~"),
                              ("\\(ha", "^")):
            block = block.replace(escape, plain)
        yield block


def commands(block):
    """The (command, shown output) pairs of a block."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif found:
            found[-1][1].append(line)
    for command, shown in found:
        while shown and not shown[-1].strip():
            shown.pop()
    return found


def fits(shown, got):
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ \t]*\n" for line in shown)
    return re.fullmatch(pattern, got) is not None


def run_block(suite, where, block, folder):
    for command, shown in commands(block):
        if command.startswith(("make", "sudo")) or (command.startswith("mpirun") and not suite.has_mpi()):
            continue
        result = suite.run(["sh", "-c", "exec 2>&1\n" + command], cwd=folder)
        got = "".join(line.rstrip() + "\n" for line in result.text().rstrip().splitlines())
        suite.check("%s: %s" % (where, command), fits(shown, got), "shown:\n%s\nbut got:\n%s" % ("\n".join(shown), got[:1500]))


def workspace(suite, name):
    """A folder that looks like the project's after `make`."""
    folder = suite.path(name)
    os.mkdir(folder)
    for entry in ("examples", "runtime", "tests"):
        os.symlink(os.path.join(ROOT, entry), os.path.join(folder, entry))
    os.symlink(suite.out, os.path.join(folder, "out"))
    return folder


def check_matcher_guide(suite):
    """The programs in docs/matcher.md, each with its file name in the first line, compile and do what is shown."""
    folder = workspace(suite, "matcher-guide")
    for program in fenced_blocks("docs/matcher.md", "c"):
        with open(os.path.join(folder, program.split()[1]), "w") as file:
            file.write(program)
    for document in ("docs/matcher.md", "docs/cqldb.md", "docs/cluster.md", "docs/embedding.md"):
        for block in fenced_blocks(document, "sh"):
            run_block(suite, document, block, folder)


def check_guide(suite):
    """The commands of docs/guide.md, with the query that it tells readers to save."""
    folder = workspace(suite, "guide")
    for query in fenced_blocks("docs/guide.md", "cql"):
        with open(os.path.join(folder, query.split()[1].rstrip(":")), "w") as file:
            file.write(query)
    for block in fenced_blocks("docs/guide.md", "sh"):
        run_block(suite, "guide", block, folder)


def option_rows(commands):
    """(names, argument, help) of the rows of options.def for any of the commands, by their letters."""
    table = read(os.path.join(ROOT, "compiler", "cli", "options.def"))
    table = re.sub(r'^TRANSFORM\(\w+, "(\w+)"\)', r'OPTION(T, R | I, "\1", NONE, NULL, TRANSFORM, "", "wrap the whole query in this transform")', table,
                   flags=re.M)
    for taken, names, form, argument, text in re.findall(
            r'^OPTION\(\w+, ([A-Z| ]+), "([^"]*)", (\w+)(?:\([^)]*\))?, (NULL|"[^"]*"), \w+, .*, "((?:[^"\\]|\\.)*)"\)$', table, re.M):
        if set(taken) & set(commands):
            long_style = "S" in commands
            dashed = ["%s%s%s" % ("--" if long_style and len(name) > 1 else "-", "[no]" if form == "SWITCH" else "", name) for name in names.split()]
            yield dashed, "" if argument == "NULL" else argument.strip('"'), text


def manual_options(commands):
    """The options of commands as a list of the man page."""
    lines = []
    for names, argument, text in option_rows(commands):
        label = ' ", " '.join(names)
        lines += [".TP", ".BR %s%s" % (label, ' " \\fI%s\\fR"' % argument if argument else ""), text[0].upper() + text[1:] + "."]
    return "".join(line.replace("-", "\\-") + "\n" for line in lines)


def table_of_options(commands):
    """The options of commands as a Markdown table; what two lines cannot hold is explained below it."""
    rows = ("| %s | %s |\n" % (", ".join("`%s`" % name for name in [*names[:-1], (names[-1] + " " + argument).strip().replace("|", "\\|")]),
                               text if len(text) <= 160 else re.split(r" \(|: | for results", text)[0] + "; see below")
            for names, argument, text in option_rows(commands))
    return "| option | |\n|---|---|\n" + "".join(rows)


def check_options(suite):
    """The lists of options in the man pages and docs/command-line.md are those of options.def."""
    for path, mark, make in (*(("docs/" + page, '.\\" options %s\n', manual_options) for page in MANUAL_PAGES),
                             ("docs/command-line.md", "<!-- options %s -->\n", table_of_options)):
        whole = os.path.join(ROOT, path)
        text = read(whole)
        lists = re.findall(re.escape(mark % "@").replace("@", "([A-Z]+)"), text)
        suite.check("%s lists options" % path, lists == [{"docs/cqlgen-cql.1": "R", "docs/cqlgen-cqli.1": "I"}.get(path, "SQCEVHMXNFTDGBW")], str(lists))
        for commands in lists:
            begin = mark % commands
            before, _, rest = text.partition(begin)
            shown, _, after = rest.partition(mark % "end")
            wanted = make(commands)
            if suite.update and shown != wanted:
                text = before + begin + wanted + mark % "end" + after
                write(whole, text)
                shown = wanted
            suite.check("%s lists the options %s of options.def" % (path, commands), shown == wanted and wanted.count("\n") > 5,
                        "run with --update and review it")


def check_manual_pages(suite):
    """The manual pages have dates and no mistakes; long lines of the source are no mistake."""
    if not shutil.which("mandoc"):
        print("documents: mandoc is missing; its test is skipped")
        return
    for name in (*MANUAL_PAGES, "cqlgen.3"):
        suite.ends("documents: %s for mandoc" % name, suite.run(["mandoc", "-Tlint", "-Wwarning", os.path.join(ROOT, "docs", name)]), 0, "")


def check_examples(suite):
    """The examples that the README proposes exist."""
    named = re.findall(r"`([a-z][a-z-]+)`", read(os.path.join(ROOT, "README.md")).partition("| question |")[2].partition("\n\n")[0])
    missing = [name for name in named if not os.path.exists(os.path.join(ROOT, "examples", name + ".cql"))]
    suite.check("the README proposes examples that exist", len(named) > 10 and not missing, str(missing))
    count = sum(name.endswith(".cql") for name in os.listdir(os.path.join(ROOT, "examples")))
    for document in ("README.md", "CHANGELOG.md"):
        suite.check("%s counts the examples" % document, re.search(r"(contains|There are) %d\b" % count, read(os.path.join(ROOT, document))) is not None, str(count))


def check_picture(suite):
    """docs/found.svg, the picture in the README, is the diagram of a page that the program writes."""
    page = suite.search("--example", "fork", os.path.join(EXAMPLES, "games.pgn"), "-g", "18", "-q", "-f", "html").text()
    svg = re.search(r"<svg class='diagram'(.*?)>(.*?)</svg>", page, re.S)
    style = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", page.partition("<style>")[2].partition("</style>")[0])
    rules = [selectors.strip() + " {" + text + "}" for selectors, text in re.findall(r"([^{}]+)\{([^{}]*)\}", style)
             if re.search(r"(^|[\s,])\.(light|dark|last|next|found|on-light|on-dark|diagram text|w|b|d)(,|$)", selectors.strip())]
    shapes = re.search(r"<defs>.*?</defs>", page, re.S)
    picture = svg and shapes and len(rules) > 8 and "<svg xmlns='http://www.w3.org/2000/svg' class='diagram' width='360' height='360'%s>\n<style>\n%s\n</style>\n%s\n%s\n</svg>\n" % (
        svg.group(1), "\n".join(rules), shapes.group(), svg.group(2))
    path = os.path.join(ROOT, "docs", "found.svg")
    if suite.update and picture:
        write(path, picture)
    suite.check("docs/found.svg is what the program draws", bool(picture) and read(path) == picture, "run with --update and review it")


def check_demo(suite, folder):
    """`make demo` shows two games with the sacrifice on h7 and makes a page."""
    out = os.path.join(folder, "program")
    os.mkdir(out)
    os.symlink(suite.cqlgen, os.path.join(out, "cqlgen"))
    result = suite.run(["sh", "examples/demo.sh", os.path.join(out, "cqlgen")], cwd=folder)
    shown = result.text()
    suite.check("the demo finds games", result.status == 0 and "2 of 32 games match" in shown and "6 of 32 games match" in shown,
                shown + result.errors())
    page = os.path.join(out, "demo.html")
    suite.check("the demo makes a page", os.path.exists(page) and "Anderssen" in read(page))


def check_help(suite):
    """`cqlgen help` lists the words of the older dialects, and `cqlgen help WORD` knows each of them. (tests/parts/manual.py looks at
    the other words.)"""
    text = suite.run([suite.cqlgen, "help"]).text()
    for dialect, sample in (("CQL 5", "relation"), ("CQL 3", ":piececount")):
        part = text.partition("\nWords of %s " % dialect)[2].partition("\n\n")[0]
        words = re.findall(r"(?m)^  (\S+)", part.partition("\n")[2])
        suite.check("help lists the words of " + dialect, sample in words and len(words) == len(set(words)), part[:200])
        result = suite.run([suite.cqlgen, "help", *words])
        missing = [word for word in words if "\n%s  (%s)\n    " % (word, dialect) not in "\n" + result.text()]
        suite.check("help explains the words of " + dialect, result.status == 0 and not missing, str(missing[:5]))


def check_older_words(suite):
    """The help knows every word that the lexers of the older dialects know."""
    table = read(os.path.join(ROOT, "compiler", "language", "filters.def"))
    for pattern, sign in ((r'^CQL5(?:_WORD)?\(\w+, "(\w+)"', ""), (r'^CQL3(?:_WORD)?\(\w+, ":(\w+)"', ":")):
        for word in re.findall(pattern, table, re.M):
            suite.ends("help knows %s%s" % (sign, word), suite.run([suite.cqlgen, "help", sign + word]))


def operation_tables():
    """The tables of docs/ir.md: the operations of ops.def by section."""
    table = read(os.path.join(ROOT, "compiler", "middle", "ir", "ops.def"))
    text = ""
    rows = r'^// ---- (.*?) ----$|^IR_(?:OP|UNARY|BINARY)\((\w+), (.), (?:"(.*?)", [^"]*|(.), (?:(.), )?[^"]*?, )"(.*)"\)$'
    for section, name, result, operands, first, second, meaning in re.findall(rows, table, re.M):
        operands += first + second
        if section:
            text += "\n### %s\n\n| operation | result | operands | meaning |\n|---|---|---|---|\n" % section.capitalize()
        else:
            text += "| `%s` | %s | %s | %s |\n" % (name, result, operands and "`%s`" % operands, meaning.replace("|", "\\|"))
    return text + "\n"


def check_operations(suite):
    """docs/ir.md explains every operation of the IR as ops.def does."""
    path = os.path.join(ROOT, "docs", "ir.md")
    begin, end = "<!-- operations -->\n", "<!-- end of operations -->"
    before, _, rest = read(path).partition(begin)
    shown, _, after = rest.partition(end)
    wanted = operation_tables()
    if suite.update and shown != wanted:
        write(path, before + begin + wanted + end + after)
        shown = wanted
    suite.check("docs/ir.md lists the operations of ops.def", shown == wanted and wanted.count("\n") > 50, "run with --update and review it")


def check_references(suite):
    """Files that the documents link to or name exist, or the example patch adds them."""
    added = set(re.findall(r"(?m)^\+\+\+ b/(.*)$", read(os.path.join(ROOT, "tests", "patches", "add-filter.patch"))))
    paths = [glob.glob(os.path.join(ROOT, *pattern), recursive=True) for pattern in (("*.md",), ("docs", "**", "*.md"), ("tests", "*.md"))]
    for document in sorted(os.path.relpath(path, ROOT) for found in paths for path in found):
        text = read(os.path.join(ROOT, document))
        links = [os.path.join(os.path.dirname(document), link) for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", re.sub(r"(?s)```.*?```|``.*?``|`[^`\n]*`", "", text))]
        named = re.findall(r"`((?:compiler|runtime|templates|tests|examples|docs)/[a-z0-9_./-]+)`", text)
        missing = sorted({path for path in links + named if path not in added and not os.path.exists(os.path.join(ROOT, path))})
        suite.check("%s: the files that it names exist" % document, not missing, " ".join(missing))


def run(suite):
    folder = workspace(suite, "readme")
    for document in ("README.md", "docs/install.md", "docs/command-line.md", "docs/dialects.md", "docs/benchmarks.md"):
        for block in fenced_blocks(document, "sh"):
            run_block(suite, document, block, folder)
    check_manual_pages(suite)
    check_guide(suite)
    check_matcher_guide(suite)
    for block in fenced_blocks("docs/ir.md", "sh"):
        run_block(suite, "ir.md", block, folder)
    folder = workspace(suite, "manual")
    for page in MANUAL_PAGES:
        for block in manual_blocks(page):
            run_block(suite, page, block, folder)
    check_picture(suite)
    check_demo(suite, folder)
    check_examples(suite)
    check_options(suite)
    check_help(suite)
    check_older_words(suite)
    check_references(suite)
    check_operations(suite)
