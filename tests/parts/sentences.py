"""Sentences of the language reference as small queries: tests/sentences/CHAPTER.txt.

A line is one of

    # TITLE, ## SECTION        a heading
    game MOVES                 the game that the queries below search, from the standard position
    game FEN TEXT              ... a position
    moves MOVES                the moves that follow that position
    games FILE                 ... the games of tests/pgn/FILE
    dialect NAME               in which the queries below are written, cql6 to begin with; `none`: they say it themselves
    header PARAMETERS          the contents of `cql( )` from here on, at first empty
    yes FILTERS                they match the first position
    no FILTERS                 they do not
    at 0 3 4 | FILTERS         they match exactly the positions with these numbers
    at 1: 0 2; 3: 0 | FILTERS  ... of these games
    error FILTERS              they are refused; the lines after it are the whole of what is said
    warns FILTERS              they compile; the same
    becomes FILTERS            the same, after the lines that `cqlgen convert` prints, but those of the dialect and of an empty header
    converts FILTERS           parts/convert.py: they are converted, and find the same positions as the conversion
    fails FILTERS              they compile, and fail in the games, which do not match, with the messages of the lines after it
    same FILTERS ⇔ FILTERS     they match what the filters after the sign match, which are CQL 6.2

`error`, `warns`, `becomes` and `converts` take several FILTERS, with ` ¦ ` between them: the same is said about all of them. The lines
below mark the first. In what is said about another one, its own text is quoted, and what is marked is between `‹` and `›` in the
line, or anywhere within it.

In the dialect `none` FILTERS are whole query files. In cql3 they are the contents of `(match )`; after `yes` and `no`, the
contents of `(position :initial )`.

What is said stands below the filters it marks, indented like them: `^~~~ MESSAGE`, before a warning or note with its kind; for what
is marked in another line than one of FILTERS, `LINE:COLUMN ^~~~ MESSAGE` with the line of the query file. The note which dialect was
read, which ends all that is said in other dialects than cql6 and none, is not repeated. `run.py --only sentences --update`
writes these lines anew, for review.

`⏎` means the end of a line, `␉` a tab, `␍` a carriage return. The interpreter runs every query; without the optimiser it runs a sample, and libtcc
another (all of them with --full). The system compiler gets the same C as libtcc; tests/cases run it.
"""
import os
import re

from parts import cases
from parts.harness import TESTS, difference, read, write

SENTENCES = os.path.join(TESTS, "sentences")
VERDICTS = ("yes", "no", "at", "error", "warns", "becomes", "converts", "fails", "same")
SAID = " " * len("error ")  # before what is said
FAILURE = re.compile(r".*?: game \d+: (position \d+): (.*?):(\d+):(\d+): (.*)")
LIMIT = re.compile(r"(?<=\(the limit is )\d+(?= MB)")  # depends on the machine
TOGETHER = 20  # queries that are refused in one run
MARK = re.compile(r"(?<=^%s) *\^~* " % SAID)
DIAGNOSTIC = re.compile(r"(.*?):(\d+):(\d+): (error|warning|note): (.*)\n(?:(?!\1:).*\n *\t*(\^~*)\n)?")


class Sentence:
    """One query of a file; has what cases.judge asks of a case."""

    def __init__(self, key, stem, pgn, dialect, header, verdict, text):
        self.key, self.query, self.pgn = key, stem + ".cql", pgn
        positions, filters = text.split("|", 1) if verdict == "at" else ("", text)
        filters, _, same = filters.partition(" ⇔ ") if verdict == "same" else (filters, "", "")
        self.refused = verdict == "error"
        self.fails = verdict == "fails"
        self.becomes = verdict == "becomes"
        self.converts = verdict == "converts"
        self.speaks = self.refused or self.becomes or verdict == "warns"
        self.said, self.got = [], []  # lines
        self.like = None  # another sentence, about which the same is said
        found = "0" if verdict == "yes" else positions.strip()
        games = found.split(";") if ":" in found else ["1: " + found] if found else []
        self.expected = "".join(" ".join(game.split()) + "\n" for game in games)
        body = filters.strip(" ").replace("⏎", "\n").replace("␉", "\t").replace("␍", "\r")
        pieces = re.split("[‹›]", body)  # every second one is marked
        self.marks = sorted(" " * len("".join(pieces[:i])) + "^".ljust(len(pieces[i]), "~") for i in range(1, len(pieces), 2))
        self.body = "".join(pieces)
        self.start, text, self.end = query_text(dialect, header, verdict in ("yes", "no"), self.body)
        self.dialect = dialect
        write(self.query, self.start + text + self.end)
        self.nothing = same == "false"
        self.other = stem + "-same.cql" if same else None  # the query that says what is expected
        if same:
            write(self.other, "// dialect: cql6\ncql(%s)\n%s\n" % (header, same))

    def mark(self, line, column, carets):
        """Where the carets stand, which begin at this place: below the filters, or with line and column."""
        lines = (self.start + self.body).split("\n")
        at = sum(len(text) + 1 for text in lines[:line - 1]) + column - 1 - len(self.start)
        if line <= len(lines) and 0 <= at <= len(self.body):
            return " " * at + carets
        return "%d:%d %s" % (line, column, carets)

    def heard(self, errors):
        """What the program says, as lines of the file."""
        found, end = [], 0
        for d in DIAGNOSTIC.finditer(errors):
            name, line, column, kind, message, carets = d.groups()
            known = d.start() == end and name == self.query and carets is not None
            found.append([self.mark(int(line), int(column), carets or "") + (" " if kind == "error" else " %s: " % kind) + message, known])
            end = d.end()
        lines = [text if known else "? " + text for text, known in found]
        which = "1:1 ^ note: the query was read as %s (from line 1)" % self.dialect
        if self.dialect not in ("cql6", "none") and not self.becomes:
            lines = lines[:-1] if lines and lines[-1] == which else lines + ["(without a note which dialect was read)"]
        return [SAID + text for text in lines + errors[end:].splitlines()]

    def kinds(self, lines):
        """What is said without its marks and what it quotes of the query."""
        return [re.sub("`([^`]*)`", lambda m: "`…`" if m.group(1) in self.body else m.group(), MARK.sub("", line)) for line in lines]

    def differs(self):
        """How what the program says differs from what the file has."""
        want = self.like.kinds(self.like.said) if self.like else self.said
        got = self.kinds(self.got) if self.like else self.got
        if self.marks and want == got:
            want, got = self.marks, sorted(re.match(r" *\^~*", line[len(SAID):]).group() for line in self.got)
        return "" if want == got else difference("\n".join(want), "\n".join(got))

    def failures(self, errors):
        """What the program says about games that fail, as lines of the file; equal ones once."""
        lines = []
        for text in errors.splitlines():
            m = FAILURE.match(text)
            known = m and m.group(2) == self.query
            line = self.mark(int(m.group(3)), int(m.group(4)), "^") + " in %s: " % m.group(1) + LIMIT.sub("…", m.group(5)) if known else "? " + text
            lines += [SAID + line] if SAID + line not in lines else []
        return lines


def query_text(dialect, header, initial, body):
    """What stands before the filters, they, and what stands after them."""
    if dialect == "none":
        return "", body, "\n"
    marker = "// dialect: %s\n" % dialect
    if dialect == "cql3":
        return (marker + "(match (position :initial ", body, "))\n") if initial else (marker + "(match ", body, ")\n")
    return "%scql(%s)\n%s" % (marker, header, "initial\n" if initial else ""), body, "\n"


def game_text(fen, moves):
    tags = '[Event "?"]\n[Site "?"]\n[White "W"]\n[Black "B"]\n[Result "*"]\n'
    start = '[SetUp "1"]\n[FEN "%s"]\n' % fen if fen else ""
    return tags + start + "\n" + moves + " *\n"


def load(suite, folder, name):
    """The sentences of a file; writes their queries and games to the folder."""
    sentences, fen, moves, header, dialect, games, pgn = [], "", "", "", "cql6", {}, None
    for number, line in enumerate(read(os.path.join(SENTENCES, name)).split("\n"), 1):
        if line.startswith(SAID):
            head.said.append(line)
            continue
        word, _, rest = line.partition(" ")
        if word == "games":
            pgn = os.path.join(TESTS, "pgn", rest)
        elif word == "game":
            pgn = None
            fen, moves = (rest[4:], "") if rest.startswith("FEN ") else ("", rest)
        elif word == "moves":
            moves = rest
        elif word == "dialect":
            dialect = rest
        elif word == "header":
            header = rest
        elif word in VERDICTS:
            if pgn is None and (fen, moves) not in games:
                games[fen, moves] = os.path.join(folder, "%s-%d.pgn" % (name[:-4], len(games)))
                write(games[fen, moves], game_text(fen, moves))
            first = None
            for also, text in enumerate(rest.split(" ¦ ") if word in ("error", "warns", "becomes", "converts") else [rest]):
                key = "%s:%d" % (name, number) + (".%d" % also if first else "")
                stem = os.path.join(folder, key.replace(".txt:", "-"))
                sentences.append(Sentence(key, stem, pgn or games[fen, moves], dialect, header, word, text))
                sentences[-1].like = first
                first = first or sentences[-1]
            head = first
        elif word not in ("", "#", "##"):
            raise ValueError("%s:%d: unknown word %s" % (name, number, word))
    return sentences


def expect(suite, sentence):
    """The expectation of a sentence that has another query for it, which must match something unless it is `false`."""
    result = suite.search(sentence.other, sentence.pgn, "--format", "positions", "-q", "--engine", "interp")
    if result.status != 0:
        sentence.expected = "cannot be searched: " + result.errors()
    elif not result.out and not sentence.nothing:
        sentence.expected = "the query after ⇔ must match something"
    else:
        sentence.expected = result.text()


def listen(suite, sentence):
    """Compares what is said about a query that is refused or gets warnings, or what it is converted to."""
    if sentence.becomes:
        result = suite.run([suite.cqlgen, "convert", sentence.query])
        text = re.sub(r"\A// dialect: cql6\n(cql\(\)\n)?", "", result.text())
    else:
        result = suite.search(sentence.query, sentence.pgn, "-q", "--format", "count", "--engine", "interp")
        text = ""
    sentence.got = [SAID + line for line in text.splitlines()] + sentence.heard(result.errors())
    if result.status not in ((2,) if sentence.refused else (0, 2) if sentence.becomes else (0, 1)):
        return "exit status %s: %s" % (result.status, result.errors().strip()[:300])
    return sentence.differs()


def listen_together(suite, sentences):
    """The reasons that listen() gives for each sentence; those that are refused are compiled in one run."""
    if not all(s.refused for s in sentences):
        return [listen(suite, s) for s in sentences]
    result = suite.search(*[s.query for s in sentences], sentences[0].pgn, "-q", "--format", "count", "--engine", "interp")
    said, wrong = {s.query: "" for s in sentences}, set()
    for d in DIAGNOSTIC.finditer(result.errors()):
        said[d.group(1)] = said.get(d.group(1), "") + d.group()
        wrong |= {d.group(1)} if d.group(4) == "error" else set()
    for sentence in sentences:
        sentence.got = sentence.heard(said[sentence.query])
    return ["" if result.status == 2 and s.query in wrong and not s.differs() else listen(suite, s) for s in sentences]


def renew(name, sentences):
    """Writes what is said anew."""
    got = {}
    for sentence in [s for s in sentences if not s.like]:
        sentence.said = got[int(sentence.key.rpartition(":")[2])] = sentence.got
    lines = []
    for number, line in enumerate(read(os.path.join(SENTENCES, name)).split("\n"), 1):
        lines += [] if line.startswith(SAID) else [line] + got.get(number, [])
    write(os.path.join(SENTENCES, name), "\n".join(lines))


def judge(suite, sentence, options):
    if sentence.speaks:
        return listen(suite, sentence)
    why = cases.judge(suite, sentence, options)
    if why or not sentence.fails:
        return why
    result = suite.search(sentence.query, sentence.pgn, "-q", "--format", "count", *options)
    sentence.got = sentence.failures(result.errors())
    if result.status != 4:
        return "must fail in the games; exit status %s" % result.status
    return sentence.differs()


def run(suite):
    folder = suite.path("sentences")
    os.mkdir(folder)
    for name in sorted(os.listdir(SENTENCES)):
        sentences = load(suite, folder, name)
        for _ in suite.map(lambda s: expect(suite, s), [s for s in sentences if s.other]):
            pass
        speaking = [s for s in sentences if s.speaks]
        if not suite.update:
            speaking = suite.some(speaking, 2, 4)
        groups = [some[i:i + TOGETHER] for some in ([s for s in speaking if s.refused], [s for s in speaking if not s.refused])
                  for i in range(0, len(some), TOGETHER)]
        for group, reasons in suite.map(lambda g: listen_together(suite, g), groups):
            for sentence, why in zip(group, reasons):
                suite.check("sentence %s" % sentence.key, not why or suite.update, why)
        failing = [s for s in sentences if s.fails]
        if suite.update:
            for _ in suite.map(lambda s: judge(suite, s, cases.ENGINES["interp"]), failing):
                pass
            renew(name, speaking + failing)
        answered = [s for s in sentences if not s.speaks and not s.converts]
        for engine, options in cases.ENGINES.items():
            if engine == "interp":
                chosen = suite.some(answered, 4, 24)
            elif suite.sanitize:
                continue  # the cases take all engines through the sanitizers
            else:
                chosen = suite.some(answered, 30, 12, full=4)
            for sentence, why in suite.map(lambda s: judge(suite, s, options), chosen):
                suite.check("sentence %s (%s)" % (sentence.key, engine), not why, why)
