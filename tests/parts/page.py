"""The HTML page: well formed, self-contained, with a board for each matching position; in a browser too where one is installed."""
import html as html_text
import html.parser
import os
import re
import shutil

from parts.harness import EXAMPLES, read, write

GAMES = os.path.join(EXAMPLES, "games.pgn")
VOID = {"meta", "br", "hr", "link", "img", "input", "use", "rect", "path", "circle", "line", "polygon"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.count, self.wrong, self.outside = [], {}, [], []

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        for name, value in attributes:
            if name in ("src", "href", "xlink:href") and value and not value.startswith(("#", "data:")):
                self.outside.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def boards(text):
    page = Page()
    page.feed(text)
    return page


def ring(name):
    """The ring around a square of a diagram with White below."""
    return "<circle class='found' cx='%d.5' cy='%d.5' r='20.5'/>" % (45 * "abcdefgh".index(name[0]) + 22, 45 * (8 - int(name[1])) + 22)


def rings(suite):
    """The squares of set filters are ringed, in a matcher.so made with --show too."""
    # Games 4, 7, 14 and 15 end with 7. Nd5#, 6. Nd6#, 7... Nf3# and 16... Nd3#.
    queries = (("mate N attacks k", ["d5", "d6"]), ("mate not N attacks r", []), ("x=k mate {N attacks x}", ["d5", "d6"]),
               ("flipcolor {mate n attacks K}", ["d5", "d6", "f3", "d3"]), ("mate (false or N attacks k)", ["d5", "d6"]))
    for query, squares in queries:
        matcher = suite.path("rings.so")
        suite.run([suite.cqlgen, "-e", query, "--show", "-o", matcher])
        pages = [suite.search(*words, GAMES, "-q", "-f", "html", *rest).text() for words, *rest in (
            (["-e", query], "--engine", "interp"), (["-e", query], "--engine", "tcc"), ([matcher],))]
        suite.check("page: rings, %s" % query, re.findall("<circle class='found'[^>]*>", pages[0]) == [ring(s) for s in squares],
                    str(re.findall("<circle class='found'[^>]*>", pages[0])))
        suite.check("page: the same from all engines, %s" % query, pages[0] == pages[1] == pages[2])
    suite.run([suite.cqlgen, "-e", "mate N attacks k", "-o", matcher])
    suite.check("page: no rings by a matcher.so made without --show", "class='found'" not in suite.search(matcher, GAMES, "-q", "-f", "html").text())


def skipped(suite):
    """Alternatives that the evaluation skips neither abandon a game nor change what is found."""
    games, path = suite.path("skipped.pgn"), suite.path("skipped.html")
    write(games, '[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 *\n')
    # The white king is on e1 and the queen on d1 in all five positions; after the first the pawn has left e2.
    everywhere = [ring("e1")] * 5
    for reason, query, rings_wanted in (
            ("a variable without a value", "if Kd4 x = 3 Ke1 or {x > 2 Qd1} Qd1", [ring("e1"), ring("d1")] * 5),
            ("an endless loop", "Ke1 or {while (Ke1) {true} Qd1}", everywhere),
            ("a bad direction range", "x = 9 (Ke1 or up x x Qd1)", everywhere),
            ("a loop that fails keeps its variable", "y = 9 (Ke1 or {square s in Qd1 {up y y s} Qd1}) not isbound s", everywhere)):
        matcher = suite.path("skipped.so")
        suite.run([suite.cqlgen, "-e", query, "--show", "-o", matcher])
        for words, *rest in ((["-e", query], "--engine", "interp"), (["-e", query], "--engine", "tcc"), (["-e", query], "--engine", "cc"), ([matcher],)):
            name = "page: skipped, %s, %s" % (reason, rest[-1] if rest else "matcher.so")
            result = suite.search(*words, games, "-q", "-o", path, *rest)
            with open(path, encoding="utf-8") as f:
                found = re.findall("<circle class='found'[^>]*>", f.read())
            suite.check(name, result.status == 0 and sorted(found) == sorted(rings_wanted), result.errors() + str(found))


def arrows(suite):
    """The moves that move filters find are drawn and named, in a matcher.so too."""
    games = suite.path("arrows.pgn")
    write(games, '[Result "1-0"]\n\n1. e4 e5 2. Bc4 d6 3. Nf3 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n\n'
                 '[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n')
    for query, names in (("Q[x]p(mate)", ["4. Qxf7#"]), ("move from B to f7", ["6. Bxf7+"]), ("flipcolor {B[x]d8}", ["5\u2026 Bxd1"]),
                         ("currentmove Q[x]p mate", []), ("--(mate) not --(mate)", [])):
        matcher = suite.path("arrows.so")
        suite.run([suite.cqlgen, "-e", query, "--show", "-o", matcher])
        pages = [suite.search(*words, games, "-q", "-f", "html", *rest).text() for words, *rest in ((["-e", query], "--engine", "interp"), (["-e", query], "--engine", "tcc"), ([matcher],))]
        found = re.findall("to move: <b>([^<]*)</b>", pages[0])
        suite.check("page: arrows, %s" % query, found == names and pages[0].count("<path class='next'") == len(names) == pages[0].count("<u>"),
                    str(found))
        suite.check("page: the same arrows from all engines, %s" % query, pages[0] == pages[1] == pages[2])
    # From h5 (middle 337, 157) to f7 (247, 67), both ways alike: it begins 14 from the one and ends 4 from the other.
    page = suite.search("-e", "Q[x]f7", games, "-q", "-f", "html").text()
    suite.check("page: an arrow goes from square to square", "<path class='next' d='M329 145L" in page and "L250 70L" in page,
                str(re.findall("<path class='next'[^>]*>", page)))


def hostile(suite):
    """Text of the games stays text."""
    script = "<script>alert(1)</script>"
    games, path = suite.path("hostile.pgn"), suite.path("hostile.html")
    write(games, '[Event "</style>%s"]\n[White "%s"]\n[Black "\u202ekcalB\' onload=\'x"]\n[Result "*"]\n\n1. e4 {%s <b> &amp; "} *\n'
          % (script, script, script))
    query = "// %s </pre>\ncql() ply==1 comment(\"%s\")" % (script, script)
    write(suite.path("hostile.cql"), query)
    suite.search(suite.path("hostile.cql"), games, "-q", "-o", path)
    text = read(path)
    page = boards(text)
    suite.check("page: no tag of the games becomes one of the page",
                not page.open and not page.wrong and "script" not in page.count and "</style><" not in text, str(page.count))
    suite.check("page: their text is there", "&lt;b&gt; &amp;amp; &quot;" in text and "kcalB&#39; onload=&#39;x</bdi>" in text)


def files(suite):
    """With several files each game names its own; game 37 is the fifth of studies.pgn, after the 32 of games.pgn."""
    studies = os.path.join(EXAMPLES, "studies.pgn")
    pages = [suite.search("-e", "initial", *names, "-g", "37", "-q", "-f", "html").text() for names in ([GAMES, studies], [GAMES])]
    suite.check("page: the file of a game", "game 37 \u00b7 <bdi>%s</bdi></p>" % html_text.escape(studies) in pages[0] and
                "<section" not in pages[1], pages[0][-3000:-2000])


def many(suite):
    """A page has an end, and says so; other formats go on."""
    games = suite.path("many.pgn")
    write(games, "".join('[White "%d"]\n[Result "*"]\n\n1. e4 *\n\n' % i for i in range(1, 5004)))
    result = suite.search("-e", "initial", games, "-q", "-f", "html")
    page = result.text()
    suite.check("page: 5000 games at most", page.count("<section") == 5000 and "<td>5000</td>" in page and "<td>5001</td>" not in page)
    suite.check("page: it says that there are more", "<strong>5003</strong> of 5003 games" in page and
                "shows the first 5000 games" in page and "first 5000 of 5003 matching games" in result.errors(), result.errors())
    suite.check("page: other formats have no limit", suite.search("-e", "initial", games, "-q", "-f", "csv").text().count("\n") == 5004)
    page = suite.search("-e", 'sort max "n" gamenumber', games, "-q", "-f", "html", "--limit", "2").text()
    suite.check("page: --limit of sorted games", page.count("<section") == 2 and "shows the first 2 games" in page)


def run(suite):
    arrows(suite)
    hostile(suite)
    files(suite)
    many(suite)
    rings(suite)
    skipped(suite)
    path = suite.path("found.html")
    result = suite.search("-e", "mate", GAMES, "-q", "-o", path)
    suite.check("page: it is written", result.status == 0 and os.path.exists(path), result.errors())
    with open(path, encoding="utf-8") as f:
        text = f.read()
    page = boards(text)
    matches = len(suite.search("-e", "mate", GAMES, "-q", "--format", "positions").text().splitlines())
    suite.check("page: every element is closed", not page.open and not page.wrong, "%s %s" % (page.open, page.wrong))
    suite.check("page: it needs no network", not page.outside and "http://" not in text.replace("http://www.w3.org", ""),
                str(page.outside))
    drawn = page.count.get("svg", 0)
    suite.check("page: a board for each of %d matches" % matches, drawn >= matches, "%d boards" % drawn)
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("page: not tried in a browser, there is none")
    else:
        shown = suite.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                           "--disable-background-networking", "--disable-component-update", "--disable-sync",
                           "--user-data-dir=" + suite.path("browser"), "--dump-dom", "file://" + path])
        suite.check("page: the browser shows as many boards", boards(shown.text()).count.get("svg", 0) == drawn,
                    shown.errors()[-300:])
