"""`cqlgen cql`, the command line of CQL 6.2.

All searches are over tests/pgn/options.pgn: game 1 ends in Qxf7#, game 2 in Qh4# and has a variation of three moves, game 3 is
1.d4 d5, drawn. Their main lines have 8, 5 and 3 positions.
"""
import os
import re
import shutil

from harness import TESTS, games_of, read, write

MATE = "cql(input options.pgn) mate"
EVERY = "cql(input options.pgn) ."


class Folder:
    """A folder with the games, in which commands run."""

    def __init__(self, suite):
        self.suite = suite
        self.path = suite.path("cql")
        os.mkdir(self.path)
        shutil.copy(os.path.join(TESTS, "pgn", "options.pgn"), self.path)

    def run(self, *arguments, query=None, name="q.cql", stdin=b""):
        """Runs `cqlgen cql ARGUMENTS q.cql`, where q.cql holds the query; the output of an earlier run is removed."""
        words = list(arguments)
        if query is not None:
            write(self.file(name), query)
            words.append(name)
        if os.path.exists(self.file("q-out.pgn")):
            os.remove(self.file("q-out.pgn"))
        return self.suite.run([self.suite.cqlgen, "cql", *words], cwd=self.path, stdin=stdin)

    def file(self, name):
        return os.path.join(self.path, name)

    def output(self, name="q-out.pgn"):
        return read(self.file(name)) if os.path.exists(self.file(name)) else None


def rounds(text):
    """The games of an output by their tag Round, which is their number in options.pgn."""
    return None if text is None else [int(n) for n in re.findall(r'^\[Round "(\d)"\]', text, re.M)]


def moves(text):
    """The movetext of the first game, with white space folded."""
    games = games_of(text or "")
    return games[0].rpartition("\n\n")[2].strip() if games else None


def finds(folder, name, want, *options, query=MATE):
    result = folder.run(*options, query=query)
    got = rounds(folder.output())
    folder.suite.check("cql: " + name, result.status == 0 and got == want,
                       "status %s, games %s, not %s: %s" % (result.status, got, want, result.text()[-300:]))


def writes(folder, name, want, *options, query=MATE):
    result = folder.run(*options, query=query)
    got = moves(folder.output())
    folder.suite.check("cql: " + name, result.status == 0 and got == want, "%r, not %r\n%s" % (got, want, result.text()[-300:]))


def prints(folder, name, pattern, *options, query=MATE, status=0):
    """The pattern is found in standard output."""
    result = folder.run(*options, query=query)
    folder.suite.check("cql: " + name, result.status == status and re.search(pattern, result.text(), re.M),
                       "status %s, prints %r %r" % (result.status, result.text()[-400:], result.errors()[-200:]))


def refuses(folder, name, pattern, *options, query=MATE):
    result = folder.run(*options, query=query)
    good = result.status == 1 and re.search(pattern, result.text(), re.M) and folder.output() is None
    folder.suite.check("cql: " + name + " is refused", good, "status %s, prints %r" % (result.status, result.text()[-400:]))


def files(folder):
    finds(folder, "the output is named after the query", [1, 2])
    prints(folder, "the version comes first", r"\ACQL version 6\.2 \(build ")
    prints(folder, "the summary", r"^$\n^2 matches of 3 games in [\d.]+ seconds using 1 thread to q-out\.pgn$", "-s")
    prints(folder, "the summary names threads", r"using 2 threads to ", "-threads", "2")
    prints(folder, "no match is no error", r"^0 matches of 3 games", query="cql(input options.pgn) false")
    finds(folder, "-i replaces the input of the header", [3], "-i", "options.pgn", query="cql(input none.pgn) d4 Pd4")
    folder.run("--Input", "options.pgn", "-O", "other.pgn", query="cql(output third.pgn) mate")
    folder.suite.check("cql: -o replaces the output of the header", rounds(folder.output("other.pgn")) == [1, 2])
    result = folder.run("-i", "options.pgn")
    folder.suite.check("cql: without a query every position matches",
                       result.status == 0 and rounds(folder.output("cqldefault-out.pgn")) == [1, 2, 3])
    write(folder.file("q.cql"), MATE)
    folder.suite.check("cql: .cql is added to the name", folder.run("q").status == 0 and rounds(folder.output()) == [1, 2])
    for name, pattern, options in (("another extension", "q.txt", ["q.txt"]), ("two queries", "two|last", ["q.cql", "q.cql"]),
                                   ("a query that is not last", "last", ["q.cql", "-s"]),
                                   ("a missing query", "missing.cql", ["missing"]),
                                   ("an input that is no PGN", "x.txt", ["-i", "x.txt", "q.cql"]),
                                   ("an output that is no PGN", "x.txt", ["-o", "x.txt", "q.cql"]),
                                   ("an input twice", "twice", ["-i", "options.pgn", "-i", "options.pgn", "q.cql"]),
                                   ("neither query nor input", "no query", ["-s"])):
        refuses(folder, name, pattern, *options, query=None)
    refuses(folder, "a query without input", "no input", query="cql() mate")


def scope(folder):
    finds(folder, "-g of one game", [2], "-g", "2", query=EVERY)
    finds(folder, "-g of a range", [2, 3], "-gamenumber", "2", "3", query=EVERY)
    finds(folder, "-g replaces the header's", [1], "-g", "1", query="cql(input options.pgn gamenumber 2 3) .")
    finds(folder, "-matchcount", [2, 3], "-matchcount", "3", "5", query=EVERY)
    finds(folder, "-matchcount 0", [3], "-matchcount", "0")
    finds(folder, "-matchcount keeps the sort", [1, 2], "-matchcount", "4", "9",
          query="cql(input options.pgn sort matchcount 1 2) .")
    finds(folder, "-variations", [1, 2], "-variations", "-matchcount", "8", query=EVERY)
    finds(folder, "-mainline", [2], "-mainline", "-matchcount", "5", query="cql(input options.pgn variations) .")
    # Black's other first move stays in the virtual main line.
    finds(folder, "-virtualmainline", [1, 2], "-virtualmainline", "-matchcount", "6", "8", query=EVERY)
    finds(folder, "-player", [1, 3], "-player", "^Quill", query=EVERY)
    finds(folder, "-player where no position may match", [3], "-player", "Quill", "-matchcount", "0")
    finds(folder, "-player by a class", [2], "-player", "R[ay]{2}, .o", query=EVERY)
    finds(folder, "-year", [2], "-year", "2010", query=EVERY)
    finds(folder, "-year of a range", [1, 2], "-year", "2000", "2010", query=EVERY)
    for options in (["-g", "0"], ["-g", "3", "2"], ["-matchcount", "5", "4"], ["-matchcount", "-1"], ["-year", "0"],
                    ["-player", "("], ["-mainline", "-variations"], ["-threads", "0"], ["-threads", "x"],
                    ["-lineincrement", "0"], ["-outputbuffer", "100000"], ["-outputbuffer", "100000001"]):
        refuses(folder, " ".join(options), r"^cqlgen: option", *options)


def filters(folder):
    finds(folder, "-white", [2], "-white", "^Ek", query=EVERY)
    finds(folder, "-black", [1], "-black", "^Ek", query=EVERY)
    finds(folder, "-event", [2, 3], "-event", "ill C", query=EVERY)
    finds(folder, "-site", [1], "-site", "side", query=EVERY)
    finds(folder, "-result", [3], "-result", "1/2-1/2", query=EVERY)
    finds(folder, "-fen", [3], "-fen", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR", query=EVERY)
    finds(folder, "-wtm", [2], "-wtm")
    finds(folder, "-btm", [1], "-btm")
    finds(folder, "-cql", [1], "-cql", "Qf7 // taken")
    finds(folder, "-cql with a text of its own", [1], "-cql", "/// \"taken\" Qf7", "-cql", "btm")
    finds(folder, "several options", [2], "-event", "Hill", "-white", "Ek", "-result", "0-1")
    finds(folder, "a quotation mark in a pattern", [], "-white", 'a"b')
    finds(folder, "an empty text", [1, 2], "-assign", "t", "", "-cql", 't==""')
    finds(folder, "-assign of a number", [1], "-assign", "num", "-7", query="cql(input options.pgn) mate ply==num+14")
    finds(folder, "-assign of a text", [2], "-assign", "$t", "Ek, Carl", query="cql(input options.pgn) mate player white==$t")
    prints(folder, "-assign of a quotation mark", r'^a"b$', "-assign", "$t", 'a"b', query="cql(input options.pgn) mate message quiet($t)")
    finds(folder, "names of options are known behind them", [1, 2], "-assign", "x", "1", "-cql", "x==1")
    refuses(folder, "a name before its option", r"^-cql:1:1: error: unknown name `x`", "-cql", "x==1", "-assign", "x", "1")
    finds(folder, "functions of options are known to the query", [1], "-cql", "function f(){btm} true",
          query="cql(input options.pgn) mate f()")
    finds(folder, "-similarposition", [1, 2, 3], "-similarposition", "nosort", "options.pgn", query=EVERY)
    finds(folder, "-hhdb", [], "-hhdb", "cooked", "-hhdb", "composer", "Troitzky")
    prints(folder, "-hhdb help", "^composer", "-hhdb", "help")
    queen = "cql(input options.pgn) Qh5 mate"
    finds(folder, "without transform", [], query=queen)
    finds(folder, "-flipcolor", [2], "-flipcolor", query=queen)
    finds(folder, "a transform holds for filters of options", [2], "-flipcolor", "-btm", query=queen)
    finds(folder, "two transforms", [2], "-flipcolor", "-flipvertical", query="cql(input options.pgn) Qa5 mate")
    finds(folder, "a transform alone is not two", [], "-flipvertical", query="cql(input options.pgn) Qa5 mate")
    # Each text is read by itself: it cannot close what another one opened.
    for text in ("}", "{", "} mate {", ")", "/* mate", '"', "", "// nothing"):
        refuses(folder, "-cql %r" % text, r"^-cql:1:\d+: error: ", "-cql", text)
    refuses(folder, "a mistake in the query behind a filter", r"^q\.cql:2:3: error: unknown name `chek`", "-cql", "check",
            query="cql(input options.pgn)\n  chek")
    refuses(folder, "-assign to no name", "-assign", "-assign", "a-b", "1")
    refuses(folder, "-result *", "-result", "-result", "*")


def comments(folder):
    line = "1.d4{queen pawn CQL}1...d5{CQL}1/2-1/2"
    draw = ["-g", "3"]
    writes(folder, "comments", "{Game number 3 CQL}" + line, *draw, query=EVERY)
    writes(folder, "-matchstring", "{Game number 3 x y}" + line.replace("CQL", "x y"), *draw, "-matchstring", "x y", query=EVERY)
    writes(folder, "-matchstring without text", "{Game number 3}1.d4{queen pawn}1...d5 1/2-1/2", *draw, "-matchstring", "", query=EVERY)
    writes(folder, "-quiet", "{Game number 3}1.d4{queen pawn}1...d5 1/2-1/2", *draw, "-quiet", query=EVERY)
    writes(folder, "-silent", "1.d4{queen pawn}1...d5 1/2-1/2", *draw, "-silent", query=EVERY)
    writes(folder, "-quiet replaces silent", "{Game number 3}1.d4{queen pawn}1...d5 1/2-1/2", *draw, "-quiet",
           query="cql(input options.pgn silent) .")
    refuses(folder, "-quiet with -silent", "-quiet and -silent", "-quiet", "-silent")
    writes(folder, "-noheader", "{CQL}" + line, *draw, "-noheader", query=EVERY)
    mate = ["-g", "2"]
    twice = 'cql(input options.pgn) comment("a") comment("a") mate'
    writes(folder, "comments of filters that fail", "{Game number 2}1.f3 e5(1...d5 2.g4 e5)2.g4 Qh4#{a CQL}0-1", *mate, query=twice)
    writes(folder, "-alwayscomment", "{Game number 2 a}1.f3{a}1...e5{a}(1...d5 2.g4 e5)2.g4{a}2...Qh4#{a CQL}0-1", *mate,
           "-alwayscomment", query=twice)
    writes(folder, "-nouniquecomments", "{Game number 2}1.f3 e5(1...d5 2.g4 e5)2.g4 Qh4#{a a CQL}0-1", *mate,
           "-nouniquecomments", query=twice)
    sort = 'cql(input options.pgn) sort "v" {comment("p") ply}'
    writes(folder, "comments inside sort", "{Game number 3 CQL v: 2}1.d4{queen pawn CQL}1...d5{CQL p}1/2-1/2", *draw, query=sort)
    writes(folder, "-nosortcomments", "{Game number 3 p CQL v: 2}1.d4{queen pawn p CQL}1...d5{p CQL}1/2-1/2", *draw,
           "-nosortcomments", query=sort)
    remove = "cql(input options.pgn) removecomment"
    writes(folder, "removecomment", "{Game number 3 CQL}1.d4{CQL}1...d5{CQL}1/2-1/2", *draw, query=remove)
    writes(folder, "-noremovecomment", "{Game number 3 CQL}" + line, *draw, "-noremovecomment", query=remove)
    tag = 'cql(input options.pgn) settag("Annotator" "Moon")'
    folder.run(*draw, query=tag)
    folder.suite.check("cql: settag", '[Annotator "Moon"]' in (folder.output() or ""))
    folder.run(*draw, "-nosettag", query=tag)
    folder.suite.check("cql: -nosettag", rounds(folder.output()) == [3] and "Annotator" not in folder.output())


def running(folder):
    prints(folder, "-showmatches", r"^<1><2>$", "-showmatches")
    prints(folder, "-lineincrement 2", r"^\[2\]$", "-lineincrement", "2")
    prints(folder, "-lineincrement 10", r"^\.\.\.$", "-lineincrement", "10")
    prints(folder, "-nooutputstatus", r"version.*\n\n3 matches", "-nooutputstatus", "-lineincrement", "2", query=EVERY)
    prints(folder, "messages", r"^Game: 2 move 3\(wtm\): over$", query='cql(input options.pgn) mate wtm message("over")')
    count = "cql(input options.pgn) persistent num+=1"
    prints(folder, "persistent variables come behind the summary", r"^3 matches of .*using 1 thread .*\nnum: 16\n\Z", "-threads", "2",
           query=count)
    prints(folder, "one thread is announced", r"^One thread", query=count)
    # In game 2 Black can move the pawn d7 or e7 after 1.f3; no position has the one move and the pawn of the other.
    line = "cql(input options.pgn variations) initial line --> move from f2 --> move from d7 --> pe5"
    finds(folder, "moves in a line are linked", [], query=line)
    finds(folder, "-nolinearize", [2], "-nolinearize", query=line)
    finds(folder, "-nolinearize in a transform", [2], "-nolinearize", "-flipvertical",
          query="cql(input options.pgn variations) initial line --> move from c2 --> move from e7 --> pd5")
    for option in ("-gui", "-guipgnstdin", "-guipgnstdout", "-debug", "-d", "-showthread", "-showfromstring"):
        refuses(folder, option, "option %s is not available" % option, option)
    result = folder.run("-fast", query=MATE)
    folder.suite.check("cql: an unknown option", result.status == 1 and "-showmatches" in result.text() and "-fast" in result.errors(),
                       result.text()[:200])
    for options in ([], ["-help"], ["-h"]):
        prints(folder, "help by %s" % options, r"^usage: cqlgen cql", *options, query=None)
    result = folder.run("-version")
    folder.suite.check("cql: -version", result.status == 0 and len(result.text().splitlines()) == 1)
    refuses(folder, "a query with a mistake", r"^q\.cql:1:24: error: ", query="cql(input options.pgn) chek")
    refuses(folder, "an unreadable input", "cannot read none.pgn", "-i", "none.pgn")
    prints(folder, "-lex", r"^1:24 `mate`$", "-lex")
    prints(folder, "-parse", r"^  mate : bool$", "-parse")
    folder.suite.check("cql: -parse searches nothing", folder.output() is None)
    link = folder.file("cqlgen-cql")
    os.symlink(folder.suite.cqlgen, link)
    result = folder.suite.run([link, "q.cql"], cwd=folder.path)
    folder.suite.check("cql: by the name cqlgen-cql", result.status == 0 and rounds(folder.output()) == [1, 2])


# The same queries in both spellings; strings and comments stay as they are.
SPELLINGS = [("cql() flipcolor {R->k and [Rr]a1}", "cql() ⬓ {♖→♚ and ♖♜a1}"),
             ("cql() // K ♔\n [Aa]x [element] [Aa] . \"K ♔\"", "cql() // K ♔\n ◭x ∊ ◭ ▦ \"K ♔\""),
             ("cql() path --e4 P[x]p", "cql() ⊢ ――e4 ♙×♟"),
             ("cql() #x>=3 or a!=A | _ & e4", "cql() #x≥3 or ▲≠△ ∪ □ ∩ e4"),
             ("cql() [QAa]b3 [a1,b2]", "cql() ♕◭b3 [a1,b2]")]


def conversions(folder):
    for plain, signs in SPELLINGS:
        for option, before, after in (("-a", signs, plain), ("-u", plain, signs)):
            write(folder.file("c.cql"), before)
            result = folder.run(option, "c.cql")
            folder.suite.check("cql: %s of %s" % (option, before), result.status == 0 and read(folder.file("c.cql")) == after,
                               read(folder.file("c.cql")) + result.text())
    write(folder.file("c.cql"), "cql() check♔")
    folder.run("-a", "c.cql")
    folder.suite.check("cql: -a keeps words apart", read(folder.file("c.cql")) == "cql() check K", read(folder.file("c.cql")))
    write(folder.file("c.cql"), "cql() K")
    folder.run("-utf8", "c.cql", "-o", "d.cql")
    folder.suite.check("cql: -utf8 to a file", read(folder.file("d.cql")) == "cql() ♔" and read(folder.file("c.cql")) == "cql() K")
    prints(folder, "-utf8", "^cql\\(\\) ♔", "-utf8", "c.cql", query=None)
    prints(folder, "-echo", r"^1 7 6 U\+2654 E2 99 94 ♔$", "-echo", "d.cql", query=None)
    write(folder.file("c.cql"), 'cql() k<-R // a&b')
    folder.run("-html", "c.cql")
    page = read(folder.file("c-cql.html"))
    folder.suite.check("cql: -html", '<span class="keyword">cql</span>' in page and '<span class="sign">&lt;-</span>' in page and
                       '<span class="comment">// a&amp;b</span>' in page, page)
    result = folder.run("-colorize", stdin=b"cql() mate")
    folder.suite.check("cql: -colorize", result.text() == '<span class="keyword">cql</span><span class="sign">(</span>'
                       '<span class="sign">)</span> <span class="keyword">mate</span>', result.text())
    write(folder.file("c.cql"), 'cql() "open')
    refuses(folder, "-u of a query with a mistake", r"c\.cql:1:7: error:", "-u", "c.cql", query=None)
    refuses(folder, "a conversion that is not first", "first", "-s", "-u", "c.cql", query=None)
    refuses(folder, "a conversion of something else", "end in .cql", "-u", "options.pgn", query=None)


def run(suite):
    folder = Folder(suite)
    for part in (files, scope, filters, comments, running, conversions):
        part(folder)
