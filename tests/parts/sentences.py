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
    error FILTERS              they are refused
    fails FILTERS              they compile, and fail in the games, which do not match
    same FILTERS ⇔ FILTERS     they match what the filters after the sign match, which are CQL 6.2

In the dialect `none` FILTERS are whole query files. In cql3 they are the contents of `(match )`; after `yes` and `no`, the
contents of `(position :initial )`.

`⏎` means the end of a line, `␉` a tab. The interpreter runs every query; without the optimiser it runs a sample, and libtcc
another (all of them with --full). The system compiler gets the same C as libtcc; tests/cases run it.
"""
import os

from parts import cases
from parts.harness import TESTS, read, write

SENTENCES = os.path.join(TESTS, "sentences")
VERDICTS = ("yes", "no", "at", "error", "fails", "same")


class Sentence:
    """One query of a file; has what cases.judge asks of a case."""

    def __init__(self, key, stem, pgn, dialect, header, verdict, text):
        self.key, self.query, self.pgn = key, stem + ".cql", pgn
        positions, filters = text.split("|", 1) if verdict == "at" else ("", text)
        filters, _, same = filters.partition(" ⇔ ") if verdict == "same" else (filters, "", "")
        self.refused = verdict == "error"
        self.fails = verdict == "fails"
        found = "0" if verdict == "yes" else positions.strip()
        games = found.split(";") if ":" in found else ["1: " + found] if found else []
        self.expected = "".join(" ".join(game.split()) + "\n" for game in games)
        body = filters.strip(" ").replace("⏎", "\n").replace("␉", "\t")
        write(self.query, query_text(dialect, header, verdict in ("yes", "no"), body))
        self.nothing = same == "false"
        self.other = stem + "-same.cql" if same else None  # the query that says what is expected
        if same:
            write(self.other, "// dialect: cql6\ncql(%s)\n%s\n" % (header, same))


def query_text(dialect, header, initial, body):
    if dialect == "none":
        return body + "\n"
    marker = "// dialect: %s\n" % dialect
    if dialect == "cql3":
        return marker + ("(match (position :initial %s))\n" if initial else "(match %s)\n") % body
    return "%scql(%s)\n%s%s\n" % (marker, header, "initial\n" if initial else "", body)


def game_text(fen, moves):
    tags = '[Event "?"]\n[Site "?"]\n[White "W"]\n[Black "B"]\n[Result "*"]\n'
    start = '[SetUp "1"]\n[FEN "%s"]\n' % fen if fen else ""
    return tags + start + "\n" + moves + " *\n"


def load(suite, folder, name):
    """The sentences of a file; writes their queries and games to the folder."""
    sentences, fen, moves, header, dialect, games, pgn = [], "", "", "", "cql6", {}, None
    for number, line in enumerate(read(os.path.join(SENTENCES, name)).split("\n"), 1):
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
            stem = os.path.join(folder, "%s-%d" % (name[:-4], number))
            sentences.append(Sentence("%s:%d" % (name, number), stem, pgn or games[fen, moves], dialect, header,
                                      word, rest))
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


def judge(suite, sentence, options):
    why = cases.judge(suite, sentence, options)
    if why or not sentence.fails:
        return why
    status = suite.search(sentence.query, sentence.pgn, "-q", "--format", "count", *options).status
    return "" if status == 4 else "must fail in the games; exit status %s" % status


def run(suite):
    folder = suite.path("sentences")
    os.mkdir(folder)
    for name in sorted(os.listdir(SENTENCES)):
        sentences = load(suite, folder, name)
        for _ in suite.map(lambda s: expect(suite, s), [s for s in sentences if s.other]):
            pass
        for engine, options in cases.ENGINES.items():
            if engine == "interp":
                chosen = suite.some(sentences, 2, 3)
            elif suite.sanitize:
                continue  # the cases take all engines through the sanitizers
            else:
                chosen = suite.some([s for s in sentences if not s.refused], 12, 12)
            for sentence, why in suite.map(lambda s: judge(suite, s, options), chosen):
                suite.check("sentence %s (%s)" % (sentence.key, engine), not why, why)
