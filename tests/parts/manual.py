"""The manual (compiler/language/manual/*.txt, `cqlgen help`): every construct, sign, option and format has a page; each page
has a syntax, examples that find what it says, neighbours that exist, and fits a terminal."""
import glob
import json
import os
import re
import textwrap

from parts.harness import EXAMPLES, ROOT, read, write

LANGUAGE = os.path.join(ROOT, "compiler", "language")
GAMES = os.path.join(EXAMPLES, "help.pgn")


class Page:
    def __init__(self, file, names):
        self.file, self.names = file, names.split(", ")
        self.head, self.syntax, self.lines, self.see, self.examples = {}, [], [], [], []

    def read(self, lines):
        lines = list(lines)
        while lines and re.match(r"(gloss|section|dialect): ", lines[0]):
            key, _, self.head[key] = lines.pop(0).partition(": ")
        while lines and lines[0]:
            self.syntax.append(lines.pop(0))
        for line in lines:
            if line.startswith("see "):
                self.see = line[4:].split(", ")
            elif line.startswith("> "):
                if not self.examples or self.examples[-1][1] is not None:
                    self.examples.append([[], None])
                self.examples[-1][0].append(line[2:])
            elif line.startswith("    finds ") and self.examples:
                self.examples[-1][1] = line[10:].partition(":")[0]
            self.lines.append(line)


def pages():
    found = []
    for path in sorted(glob.glob(os.path.join(LANGUAGE, "manual", "*.txt"))):
        lines, begun = [], False  # a comment comes before the first page
        for line in read(path).splitlines() + ["= "]:
            if line.startswith(("= ", "== ")):
                if lines and begun:
                    found[-1].read(lines)
                lines = []
                if line.startswith("= ") and line != "= ":
                    found.append(Page(os.path.basename(path), line[2:]))
                    begun = True
            elif begun:
                lines.append(line)
    return found


def check_examples(suite, all_pages):
    """One search for all examples but those that need tablebases, which tests/parts/tablebases.py runs."""
    total = len(re.findall(r"^\[Event ", read(GAMES), re.M))
    folder, out = suite.path("help-pages"), suite.path("help-found")
    os.mkdir(folder)
    wanted = {}
    for number, page in enumerate(all_pages):
        for k, (query, finds) in enumerate(page.examples):
            text = "\n".join(query)
            if re.search(r"\b(wdl|dtz)\b", text):
                continue
            marker = "// dialect: %s\n" % page.head["dialect"] if "dialect" in page.head else ""
            header = "" if re.search(r"(?m)^(cql|\(match)\b", text) or "dialect" in page.head else "cql()\n"
            name = "p%03d-%d" % (number, k)
            write(os.path.join(folder, name + ".cql"), marker + header + text + "\n")
            games = set(range(1, total + 1)) if finds == "all" else set() if finds == "none" else {int(n) for n in (finds or "").split()}
            wanted[name] = (page, text, games)
    queries = [os.path.join(folder, name + ".cql") for name in wanted]
    result = suite.search(*queries, GAMES, "-q", "--format", "jsonl", "--output-dir", out, "--engine", "interp")
    suite.check("manual: the examples compile without a warning", result.status == 0 and not result.err, result.errors()[:1500])
    if result.status != 0:
        return
    for name, (page, text, games) in wanted.items():
        found = {json.loads(line)["game"] for line in read(os.path.join(out, name + ".jsonl")).splitlines()}
        suite.check("manual: %s: `%s`" % (page.names[0], text), found == games,
                    "found %s, the page says %s" % (sorted(found), sorted(games)))


def constructs():
    """The names that need a page, with what they are: rows of the table of the language, signs, formats."""
    table = read(os.path.join(LANGUAGE, "filters.def"))
    rows = r'^(FILTER|CHECKED|OWN|SYNONYM|PREFIX|WORD|RESERVED|REFUSED|OPERATOR|STRUCTURE)\(\w+, "((?:[^"\\]|\\.)*)"(.*)$'
    for kind, name, rest in re.findall(rows, table, re.M):
        internal = kind == "STRUCTURE" and "OF_CQLGEN" in rest  # no text names it
        if not internal and "ONLY_CQL5" not in rest and "ONLY_CQL3" not in rest and "TRANSFORMED" not in rest:
            yield name.replace("\\\\", "\\"), kind
            for spelled in re.findall(r'SPELLED\("(.*?)"\)', rest):
                yield spelled, "spelling"
    for ascii_sign, sign in re.findall(r'^SIGN\(\w+, "(.*?)", (?:"(.*?)"|NULL), (?:BOTH|CQL6)\)', read(os.path.join(LANGUAGE, "signs.def")), re.M):
        if ascii_sign not in "[],)":
            yield ascii_sign, "sign"
        if sign:
            yield sign, "sign"


def check_pages(suite, all_pages):
    """The form of the pages."""
    known = {name for page in all_pages for name in page.names}
    for name, kind in constructs():
        suite.check("manual: the %s `%s` has a page" % (kind.lower(), name), name in known,
                    "write one in compiler/language/manual (manual.h explains the form)")
    for page in all_pages:
        where = "manual: %s: %s" % (page.file, page.names[0])
        suite.check(where + " has a syntax", bool(page.syntax))
        suite.check(where + " has two examples with what they find",
                    len(page.examples) >= 2 and all(finds is not None for _, finds in page.examples))
        suite.check(where + " has neighbours, which exist", page.see and not set(page.see) - known, str(set(page.see) - known))
        wide = [line for line in page.syntax + page.lines if len(line) > 76]
        suite.check(where + " is at most 76 columns wide", not wide, str(wide[:1]))


def filled(text, indent, first=0):
    """Words in lines of 79 columns; the first line begins at the column `first`, the others at `indent`."""
    lines = textwrap.wrap("\0" * first + text, 79, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace("\0", "")


def printed(page, lists):
    """The body of a page, from its source; `lists` has what stands for {NAME}."""
    shown, lines = ["    " + line for line in page.syntax], list(page.lines)
    begun = False
    while lines:
        line = lines.pop(0)
        if line.startswith("> ") and not begun:
            shown.append("Examples, over examples/help.pgn")
            begun = True
        if line.startswith("> "):
            shown.append("    " + line[2:])
        elif line.startswith("see "):
            shown.append(filled("See also: " + line[4:], 4))
        elif line.startswith("    finds "):
            games, colon, text = line[10:].partition(":")
            while lines and lines[0].startswith("    "):
                text += " " + lines.pop(0)[4:]
            games = {"all": "all games", "none": "no game"}.get(games, ("games " if " " in games else "game ") + games.replace(" ", ", "))
            shown.append(" " * 8 + filled("finds " + games + colon + text, 8, 8))
        else:
            shown.append(lists.get(line, line))
    return "\n".join(shown) + "\n"


def check_bodies(suite, all_pages):
    """What is printed of each page, line by line."""
    usage = suite.run([suite.cqlgen, "--help"]).text()
    lists = {"{%s}" % name: usage.partition("\n%s\n" % head)[2].partition("\n\n")[0] for name, head in (
        ("options", "options:"), ("formats", "formats:"), ("fields", "fields, besides tags by their names:"))}
    commands = re.sub(r"\n {20,}", " ", suite.run([suite.cqlgen, "help"]).text().partition("\nCommands\n")[2].partition("\n\n")[0])
    lists["{commands}"] = "\n".join("  " + name.ljust(14) + filled(text, 16, 16) for name, text in re.findall(r"(?m)^  (\w+) +(.*)$", commands))
    names = [page.names[0] for page in all_pages]
    for page, (_, result) in zip(all_pages, suite.map(lambda name: suite.run([suite.cqlgen, "help", "--", name]), names)):
        shown = ["\nSyntax\n" + part for part in result.text().split("\nSyntax\n")[1:]]
        want = "\nSyntax\n" + printed(page, lists)
        suite.check("manual: the body of %s" % page.names[0], any(part.startswith(want) for part in shown), "%s\nexpected\n%s" % (result.text(), want))


def check_print(suite, all_pages):
    """What `cqlgen help` prints fits 80 columns, and has all parts; the places in docs/language exist."""
    result = suite.run([suite.cqlgen, "help", "--", *sorted({name for page in all_pages for name in page.names})])
    text = result.text()
    suite.check("manual: every name has its page", result.status == 0 and not result.err, result.errors()[:300])
    suite.check("manual: there is no undefined text", not re.search(r"(?m)^{\w+}$", text))
    for what, shown in (("pages", text), ("overview", suite.run([suite.cqlgen, "help"]).text())):
        wide = [line for line in shown.splitlines() if len(line) > 79]
        suite.check("manual: the %s fit 80 columns" % what, not wide, str(wide[:3]))
    references = set(re.findall(r"^Reference: (docs/language/\S+), section (\S+)$", text, re.M))
    suite.check("manual: pages refer to the language reference", len(references) > 60)
    for file, section in sorted(references):
        path = os.path.join(ROOT, file)
        heading = r"(?m)^#{1,4} (?:Part [A-Z]\. )?%s\b" % re.escape(section.split(".", 1)[-1] if file[14:17] in ("11-", "13-", "14-") else section)
        suite.check("manual: %s has the section %s" % (file, section),
                    os.path.exists(path) and (re.search(heading, read(path)) or re.search(r"(?m)^# %s\." % section, read(path))))


def run(suite):
    all_pages = pages()
    check_pages(suite, all_pages)
    check_examples(suite, all_pages)
    check_print(suite, all_pages)
    check_bodies(suite, all_pages)
