"""The HTML page: well formed, self-contained, with a board for each matching position; in a browser too where one is installed."""
import html as html_text
import html.parser
import os
import re
import shutil
import sys
from unittest import mock
from xml.etree import ElementTree

from parts.harness import EXAMPLES, TESTS, read, write
from tools.browser import Browser, NoBrowser

GAMES = os.path.join(EXAMPLES, "games.pgn")
VOID = {"meta", "br", "hr", "link", "img", "input", "use", "rect", "path", "circle", "line", "polygon"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.count, self.wrong, self.outside, self.links = [], {}, [], [], []

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        for name, value in attributes:
            if name in ("src", "href", "xlink:href") and value and not value.startswith(("#", "data:")):
                (self.links if tag == "a" else self.outside).append(value)
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
    replies = ["e4", "d4", "c4", "Nf3", "g3", "b3", "f4", "Nc3", "a3", "h3"]
    many_replies = suite.path("replies.pgn")
    write(many_replies, '[White "Many"]\n\n1. e4 %s e5 *\n' % " ".join("(1. %s)" % move for move in replies[1:]))
    page = suite.search("-e", "initial --", "--variations", many_replies, "-q", "-f", "html").text()
    suite.check("page: eight arrows at most", page.count("<path class='next'") == 8 and "to move: <b>%s</b></small>" % "</b>, <b>".join("1. " + move for move in replies[:8]) in page)
    suite.check("page: each move that is found is marked", re.findall(r"<u>1\.\u00a0<i>(\w+)</i></u>", page) == replies)
    start = suite.path("start.pgn")
    write(start, "1. e4 e5 2. Nf3 *\n")
    for query, attributes in (("initial", ""), ("initial Ke1", " data-r='e1'"), ("initial path --e4 --e5", " data-a='e2e4e7e5'")):
        page = suite.search("-e", query, start, "-q", "-f", "html").text()
        suite.check("page: what is found at the start, %s" % query,
                    "<a href='#g1p0'><b%s><i data-start>Start</i></b></a> " % attributes in page and "<b>Start</b><small>White to move" in page,
                    page[-600:])
    # From h5 (middle 337, 157) to f7 (247, 67), both ways alike: it begins 14 from the one and ends 4 from the other.
    page = suite.search("-e", "Q[x]f7", games, "-q", "-f", "html").text()
    suite.check("page: an arrow goes from square to square", "<path class='next' d='M329 145L" in page and "L250 70L" in page,
                str(re.findall("<path class='next'[^>]*>", page)))


DRAWN = """[White "Draws"]

{[%csl Yh8]} 1. e4 {[%csl Ga4, Rd5][%cal Gc2c4,Yb1c3] Sharp} e5 {[%csl Zz9,Ga9,,G][%cal Ga1a1,Ga1]still} 2. Nf3 (2. f4 {[%cal Bf4e5]})
2... Nc6 {[%csl Ra1} 3. Bc4 *
"""


def drawings(suite):
    """The coloured squares and arrows of comments are drawn, and not shown as text; what is none of them is left out."""
    games, path = suite.path("drawn.pgn"), suite.path("drawn.html")
    write(games, DRAWN)
    suite.run([suite.cqlgen, "import", games, "-o", suite.path("drawn.cqldb"), "-q"])
    pages = [suite.search("-e", "ply<=2", name, "-q", "-f", "html").text() for name in (games, suite.path("drawn.cqldb"))]
    # Squares are 45 wide, a8 is the first one. The arrow c2c4 begins 14 above the middle of c2, 112 292, and ends 4 below that of c4, 112 202.
    shapes = re.findall(r"<path class='(tint|draw) (\w+)' d='(M\d+ \d+)", pages[0])
    suite.check("page: drawings", shapes == [("tint", "yellow", "M315 0"), ("tint", "green", "M0 180"), ("tint", "red", "M135 135"), ("draw", "green", "M115 278"),
                                             ("draw", "yellow", "M76 326")] and "L112 206L" in pages[0], str(shapes))
    shown = re.findall(r"<(?:span|small) class='comment'>([^<]*)<", pages[0])
    suite.check("page: commands of comments are not shown", shown == ["Sharp", "still", "Sharp", "still", "[%csl Ra1"], str(shown))
    suite.check("page: drawings for the script", re.findall(r"<(\w+)[^>]* data-d='([^']*)'", pages[0]) ==
                [("div", "Yh8"), ("i", "Ga4Rd5Gc2c4Yb1c3"), ("i", "Bf4e5")], str(re.findall("data-d='[^']*'", pages[0])))
    suite.check("page: the same drawings from a database", re.findall("<section.*", pages[0], re.S) == re.findall("<section.*", pages[1], re.S))
    added = suite.search("-e", 'mate comment("[%cal Rh5f7]")', GAMES, "-q", "-f", "html").text()
    suite.check("page: drawings of comments that a query adds", "<path class='draw red'" in added)
    write(path, pages[0])


def drawn_by_script(suite, browser):
    browser.open("file://" + suite.path("drawn.html"))
    shapes = "return [...document.querySelectorAll('#g1 .player .tint, #g1 .player .draw')].map(e => e.getAttribute('class') + ' ' + (e.getAttribute('x') ?? e.getAttribute('d').split('L')[0]))"
    browser.run("document.querySelectorAll('#g1 .moves i[data-d]')[0].click()")
    suite.check("page in a browser: drawings", browser.run(shapes) == ["tint green 0", "tint red 135", "draw green M116 279", "draw yellow M76 326"], str(browser.run(shapes)))
    browser.press("ArrowLeft")
    suite.check("page in a browser: drawings before the first move", browser.run(shapes) == ["tint yellow 315"], str(browser.run(shapes)))
    browser.press("ArrowRight", "ArrowRight")
    suite.check("page in a browser: no drawings", browser.run(shapes) == [], str(browser.run(shapes)))


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
                not page.open and not page.wrong and page.count["script"] == 1 and "</style><" not in text, str(page.count))
    suite.check("page: their text is there", "&lt;b&gt; &amp;amp; &quot;" in text and "kcalB&#39; onload=&#39;x</bdi>" in text)


def files(suite):
    """With several files each game names its own; game 37 is the fifth of studies.pgn, after the 32 of games.pgn."""
    studies = os.path.join(EXAMPLES, "studies.pgn")
    pages = [suite.search("-e", "initial", *names, "-g", "37", "-q", "-f", "html").text() for names in ([GAMES, studies], [GAMES])]
    suite.check("page: the file of a game", "game 37 \u00b7 <bdi>%s</bdi></p>" % html_text.escape(studies) in pages[0] and
                "<section" not in pages[1], pages[0][-3000:-2000])


PLAYED = """[White "Ek"]
[Black "Q\u00fa, \u0414"]
[Site "https://example.org/a?b=1&c='2'"]
[Result "1-0"]

1. e4 {[%clk 0:03:00] [%eval 0.2]} e5 {[%clk 0:02:58]} 2. Nf3 (2. Bc4 Nc6 (2... Nf6 3. d3) 3. Qh5 Nf6 4. Qxf7#) 2... d6 {fine [%clk 1:02:03] so} 3. Be2 Bg4 4. O-O a5 5. Nc3 a4
6. b4 axb3 7. a3 b2 8. a4 bxa1=N 9. Qe1 Nxc2 {[%eval #-3]} 1-0

[Site "javascript:alert(1)"]
[SetUp "1"]
[FEN "4k3/P7/8/8/3pP3/8/8/4K2R b K e3 0 30"]
[Result "*"]

30... dxe3 31. a8=N Kd7 32. O-O Ke6 33. -- Kd5 *
"""

# What the script's board shows, as the first field of a FEN with White below; flipped it is the same.
BOARD = """
const section = document.querySelector(arguments[0]), board = {};
for (const e of section.querySelectorAll('.player .diagram use[data-square]'))
  board[e.dataset.square] = e.getAttribute('class') === 'w' ? e.getAttribute('href')[1].toUpperCase() : e.getAttribute('href')[1];
const rows = [8, 7, 6, 5, 4, 3, 2, 1].map(y => [...'abcdefgh'].map(x => board[x + y] || 1).join('').replace(/1+/g, s => s.length));
return [rows.join('/'), section.querySelector('.now').firstChild.textContent, section.querySelectorAll('.player .next').length,
        [...section.querySelectorAll('.player .bar')].map(e => e.textContent).join('|'),
        (section.querySelector('.moves .here') || {}).textContent || ''];
"""


def plays(suite, name, browser, selector, board, now, **more):
    shown = browser.run(BOARD, selector)
    for part, place in (("arrows", 2), ("bars", 3), ("here", 4)):
        suite.check("page in a browser: %s, %s" % (name, part), part not in more or shown[place] == more[part], str(shown))
    suite.check("page in a browser: " + name, shown[0] == board and shown[1] == now, "%s, expected %s, %s" % (shown, board, now))


def played(suite):
    """Keys, buttons, clicks and swipes play through games, in a browser."""
    games, path, query = suite.path("played.pgn"), suite.path("played.html"), suite.path("played.cql")
    write(games, PLAYED)
    write(query, "// A capture: of any kind.\ncql(variations quiet)\n{initial btm} or mate")
    suite.ends("page: it is written for the browser", suite.search(query, games, "-q", "-o", path))
    browser = Browser(suite.path("browser-desktop"))
    try:
        drawn_by_script(suite, browser)
        browser.open("file://" + suite.path("found.html"))
        shown = browser.run("return [document.querySelectorAll('figure .diagram').length, document.querySelectorAll('section').length]")
        suite.check("page in a browser: a diagram for each mate", shown[0] >= shown[1] > 5, str(shown))
        browser.open("file://" + path)
        one, two = "#g1", "#g2"
        browser.run("document.querySelector('#g1').scrollIntoView()")
        # The first match in the order of the text is the mate in the variation 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#.
        plays(suite, "the first match", browser, one, "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR", "4. Qxf7#, checkmate, found", here="Qxf7#")
        browser.press("ArrowLeft", "ArrowLeft")
        plays(suite, "two steps back", browser, one, "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR", "3. Qh5, Black to move")
        browser.press("n")
        browser.press("n")
        browser.run("document.querySelector('#g1 button[aria-label=Start]').focus()")
        browser.press("Home", "End")
        plays(suite, "the end", browser, one, "rn1qkbnr/1pp2ppp/3p4/4p3/P3P1b1/2N2N2/2nPBPPP/2B1QRK1", "9\u2026 Nxc2 (\u2212#3), White to move")
        browser.press("Home")
        browser.press("ArrowRight")
        plays(suite, "the first move, with clock and evaluation", browser, one, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "1. e4 (+0.20), Black to move",
              bars="Q\u00fa, \u0414|Ek3:00", here="e4")
        browser.click("#g1 button[aria-label='Forward']")
        browser.press("f")
        plays(suite, "a button, and the flipped board", browser, one, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", "1\u2026 e5, White to move",
              bars="Ek3:00|Q\u00fa, \u04142:58")
        places = browser.run("return [...document.querySelectorAll('#g1 .player use[data-square=a1]')].map(e => [e.getAttribute('x'), e.getAttribute('y')].join())")
        suite.check("page in a browser: a1 of the flipped board", places == ["315,0"], str(places))
        # 2... Nf6 3. d3 is a variation in a variation: the sixth and seventh move of the text after 1. e4 e5 2. Nf3 2. Bc4 Nc6.
        browser.run("document.querySelectorAll('#g1 .moves i')[6].click()")
        plays(suite, "a click on a move of a variation", browser, one, "rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/3P4/PPP2PPP/RNBQK1NR", "3. d3, Black to move", here="d3")
        browser.press("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight")
        plays(suite, "back to the main line", browser, one, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R", "2. Nf3, Black to move")
        link = browser.run("return document.querySelector('#g1 .now a').href")
        suite.check("page in a browser: its analysis board", link == "https://lichess.org/analysis/rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R_b_KQkq_-_0_2", link)
        browser.run("document.querySelector('#g2').scrollIntoView()")
        browser.click("#g2 .player .diagram")
        plays(suite, "a game from a FEN", browser, two, "4k3/P7/8/8/3pP3/8/8/4K2R", "Start, Black to move, found", here="Start")
        browser.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
        plays(suite, "en passant, promotion and castling", browser, two, "N7/3k4/8/8/8/4p3/8/5RK1", "32. O-O, Black to move")
        browser.press("ArrowRight", "ArrowRight", "ArrowRight")
        plays(suite, "a null move", browser, two, "N7/8/8/3k4/8/4p3/8/5RK1", "33\u2026 Kd5, White to move")
        links = browser.run("return [...document.querySelectorAll('h2 + p a')].map(a => [a.getAttribute('href'), a.rel, a.textContent])")
        suite.check("page in a browser: the site is a link only when it is a web address",
                    links == [["https://example.org/a?b=1&c='2'", "noopener noreferrer", "example.org/a?b=1&c='2'"]], str(links))
        browser.run("location.hash = document.querySelector('#g1 figure').id")
        plays(suite, "a link to a diagram", browser, one, "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR", "4. Qxf7#, checkmate, found")
        variants(suite, browser)
        quiz_in_browser(suite, browser)
    finally:
        browser.close()
    phone(suite, path)


def variants(suite, browser):
    """Explosions, drops, another array, a pocket in the FEN."""
    path = suite.path("variants.html")
    suite.search("--dialect", "cqli", "-e", 'terminal gamenumber <= 3', os.path.join(TESTS, "pgn", "variants.pgn"), "-q", "-o", path)
    browser.open("file://" + path)
    for selector, name, board, now in (
            ("#g1", "an explosion", "rnbq3r/ppp3pp/4p3/3p4/8/8/PPPPPPPP/RNBQKB1R", "3. Nxf7#, White has won, found"),
            ("#g2", "a drop", "rnb1kbnr/ppp1pppp/8/4q3/3p4/2N5/PPPPBPPP/R1BQK1NR", "4\u2026 P@d4, White to move, found"),
            ("#g3", "an array of its own", "rnbqkbnr/1ppppppp/1P6/5PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP", "2. cxb6, Black to move, found")):
        browser.run("document.querySelector('%s').scrollIntoView()" % selector)
        browser.run("document.querySelector('%s button[aria-label=Start]').focus()" % selector)
        browser.press("Home", "End")
        plays(suite, name, browser, selector, board, now)
    caption = browser.run("return document.querySelector('#g2 figure a.fen').textContent")
    suite.check("page: a pocket in the FEN of a diagram", "[P] w" in caption, caption)


# A chromedriver whose browser crashes.
CRASHES = """#!%s
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(500)
        self.end_headers()
        self.wfile.write(b'{"value": {"message": "session not created: Chrome crashed.\\\\nmore"}}')
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print("ChromeDriver was started successfully on port %%d." %% server.server_port, flush=True)
server.serve_forever()
""" % sys.executable


def no_browser(suite):
    """A browser that is not there or does not start has a reason, and is not the end of the tests."""
    folder = suite.path("no-browser")
    os.mkdir(folder)
    for program, text, reason in (("", "", "chromium is missing"), ("chromium", "#!/bin/sh\n", "chromedriver is missing"),
                                  ("chromedriver", "#!/bin/sh\n", "chromedriver ends without a word"),
                                  ("chromedriver", CRASHES, "chromium cannot start: session not created: Chrome crashed.")):
        if program:
            write(os.path.join(folder, program), text)
            os.chmod(os.path.join(folder, program), 0o755)
        with mock.patch.dict(os.environ, PATH=folder):
            try:
                Browser(folder).close()
                said = "it started"
            except NoBrowser as error:
                said = str(error)
        suite.check("page: no browser: %s" % reason, said == reason, said)


# Names and keys; in examples/games.pgn each has the groups for its picture.
PICTURES = (("board", "mate", "k", 1), ("boards", "mate", "result,k", 2), ("arrows", "check", "from,to", 3), ("line", "check", "ply", 1),
            ("lines", "check", "ply,eco/1", 1), ("bars", "check", "White,Event", 1), ("results", "check", "eco/1,result", 1))


def pictures(suite):
    """Pages and images with pictures of groups: well formed, with nothing from outside, and named for those who do not see them."""
    for name, query, keys, count in PICTURES:
        path, image = suite.path("picture-%s.html" % name), suite.path("picture-%s.svg" % name)
        for out in (path, image):
            suite.search("-e", query, GAMES, "--count-by", keys, "-q", "-o", out)
        text = read(path)
        page = boards(text)
        suite.check("page: picture, %s: every element is closed" % name, not page.open and not page.wrong and not page.outside, str(page.open))
        suite.check("page: picture, %s: parts" % name, text.count("<svg class='chart'") == page.count["figure"] == count, str(page.count))
        names = re.findall(r"<svg class='chart' viewBox='[\d ]+' role='img' aria-labelledby='(\S+) (\S+)'><title id='(\S+)'>[^<]+</title><desc id='(\S+)'>[^<]+</desc>", text)
        suite.check("page: picture, %s: titles" % name, len(set(names)) == page.count["figure"] and all((a, b) == (c, d) for a, b, c, d in names), str(names))
        root = ElementTree.parse(image).getroot()
        suite.check("page: picture, %s: the image" % name, root.get("role") == "img" and root[0].tag.endswith("title") and "href" not in read(image), str(root.attrib))


def phone(suite, path):
    """A narrow screen: nothing is too wide, and swipes play."""
    browser = Browser(suite.path("browser-phone"), 360, 640, touch=True)
    try:
        for page in (path, *(suite.path(name + ".html") for name in ("hostile", "found", "sections", "quiz", "worksheet"))):
            browser.open("file://" + page)
            widths = browser.run("return [innerWidth, document.documentElement.scrollWidth]")
            suite.check("page in a browser: nothing overflows at 360 pixels", widths == [360, 360], str(widths))
        for name, *_ in PICTURES:
            browser.open("file://" + suite.path("picture-%s.html" % name))
            shown = browser.run("return [document.documentElement.scrollWidth, ...[...document.querySelectorAll('.chart text')].map(t => t.getBoundingClientRect())"
                                ".map(r => r.left < 0 || r.right > 360 ? 'beside the screen' : r.height < 10 ? 'small' : 360)]")
            suite.check("page in a browser: the picture %s can be read at 360 pixels" % name, len(shown) > 4 and set(shown) == {360}, str(shown))
        browser.open("file://" + path)
        browser.run("document.querySelector('#g2').scrollIntoView()")
        browser.swipe("#g2 .player .diagram", -90)
        plays(suite, "a swipe to the left", browser, "#g2", "4k3/P7/8/8/8/4p3/8/4K2R", "30\u2026 dxe3, White to move")
        browser.swipe("#g2 .player .diagram", 90)
        plays(suite, "a swipe to the right", browser, "#g2", "4k3/P7/8/8/3pP3/8/8/4K2R", "Start, Black to move, found")
    finally:
        browser.close()


def stretches(suite):
    """The moves of a path are marked and drawn, those after the next one pale; the title comes from the comment."""
    games = suite.path("stretch.pgn")
    write(games, '[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 *\n')
    query = suite.path("stretch.cql")
    write(query, "// Trade: a bishop takes\n// a knight.\n\n// Not this.\ncql(quiet) path --(Bb5) p-- B[x]n p[x]B")
    pages = [suite.search(query, games, "-q", "-f", "html", "--engine", engine).text() for engine in ("interp", "tcc", "cc")]
    marked = [re.sub("<[^>]*>", "", u) for u in re.findall("<u>.*?</u>", pages[0])]
    suite.check("page: the moves of a path are marked", [m.replace("\u00a0", " ") for m in marked] == ["3. Bb5", "a6", "4. Bxc6", "dxc6"], str(marked))
    suite.check("page: they are drawn", pages[0].count("<path class='next' d") == 1 and pages[0].count("<path class='next later'") == 3 and
                "data-a='f1b5a7a6b5c6d7c6'" in pages[0] and "<b>3. Bb5 a6 4. Bxc6 dxc6</b>" in pages[0])
    suite.check("page: the same path from all engines", pages[0] == pages[1] == pages[2])
    suite.check("page: the title from the comment", "<title>Trade</title>" in pages[0] and "<p class='lead'>A bishop takes a knight.</p>" in pages[0])


def many(suite):
    """A page has an end, and says so; other formats go on."""
    games = suite.path("many.pgn")
    write(games, "".join('[White "%d"]\n[Result "*"]\n\n1. e4 *\n\n' % i for i in range(1, 5004)))
    result = suite.search("-e", "initial", games, "-q", "-f", "html")
    page = result.text()
    suite.check("page: 5000 games at most", page.count("<section") == 5000 and "<td>5000</td>" in page and "<td>5001</td>" not in page)
    suite.check("page: it says that there are more", "<strong>5003</strong> of 5003 games" in page and
                "<p>The page shows the first 5000 games of them.</p>" in page and "first 5000 of 5003 matching games" in result.errors(), result.errors())
    suite.check("page: other formats have no limit", suite.search("-e", "initial", games, "-q", "-f", "csv").text().count("\n") == 5004)
    page = suite.search("-e", 'sort max "n" gamenumber', games, "-q", "-f", "html", "--limit", "2").text()
    suite.check("page: --limit of sorted games", page.count("<section") == 2 and "shows the first 2 games of them" in page)
    page = suite.search("-e", 'sort max "n" gamenumber', games, "-q", "-f", "html", "--limit", "1").text()
    suite.check("page: one of them", "<p>The page shows the first 1 game of them.</p>" in page)


def without_positions(suite):
    """A game that matches because no position does has no diagrams; without games there is no table."""
    games, query = suite.path("without.pgn"), suite.path("without.cql")
    write(games, '[White "Ek"]\n[Black "Ray"]\n\n1. e4 *\n')
    write(query, "cql(matchcount 0) mate\n")
    page = suite.search(query, games, "-q", "-f", "html").text()
    body = page.partition("<section")[2].partition("<script>")[0]
    suite.check("page: no position", body == " id='g1' data-moves='e2e4'>\n<h2><bdi>Ek</bdi> \u2013 <bdi>Ray</bdi><span>*</span></h2>\n<p class='soft'>game 1</p>\n"
                "<div class='moves'>1. <i>e4</i> *</div>\n</section>\n".replace("1. <i>", "1.\u00a0<i>"), body)
    suite.check("page: its row", "<td class='n'>0</td></tr>\n</tbody>" in page and "<strong>1</strong> of 1 game matches, with 0 positions.</p>" in page)
    page = suite.search("-e", "mate", games, "-q", "-f", "html").text()
    suite.check("page: no game", "<strong>0</strong> of 1 game match, with 0 positions.</p>" in page and "<p>No game to show.</p>\n<script>" in page and
                "<table" not in page and "<section" not in page, page[-200:])


def shared_board(suite):
    """The board that all diagrams use: a1 and the squares a knight's move or a diagonal step from each other are dark; ranks are named on the left."""
    page = suite.search("-e", "false", GAMES, "-q", "-f", "html").text()
    dark = re.search("<path class='dark' d='([^']*)'/>", page)[1]
    squares = [(int(x) // 45, 7 - int(y) // 45) for x, y in re.findall(r"M(\d+) (\d+)h45v45h-45z", dark)]
    suite.check("page: dark squares", sorted(squares) == [(x, y) for x in range(8) for y in range(8) if (x + y) % 2 == 0] and
                dark == "".join("M%d %dh45v45h-45z" % (45 * x, 45 * (7 - y)) for x, y in squares), dark)
    names = re.findall(r"<text class='on-(\w+)' x='(\d+)' y='(\d+)'>(\w)</text>", page)
    want = [("dark" if i % 2 == 0 else "light", str(45 * i + 36), "356", "abcdefgh"[i]) for i in range(8)]
    want += [("dark" if i % 2 == 0 else "light", "3", str(45 * (7 - i) + 12), str(i + 1)) for i in range(8)]
    suite.check("page: names of files and ranks", sorted(names) == sorted(want), str(names))
    suite.check("page: a shape for each piece", re.findall("<g id='(.)'><", page) == list("pnbrqk"))


HOSTILE = "<script>alert(1)</script> & `x` ' \" \x1e1,\x1f"


def sections(suite):
    """Each query has a section with its own games, count and marks; a game of two queries is in both."""
    games, stored, path = suite.path("sections.pgn"), suite.path("sections.cqldb"), suite.path("sections.html")
    # The first game has a mate and two checks, the second one a check, the third one neither.
    write(games, '[White "A"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 d6 4. Qxf7# *\n\n[White "B"]\n\n1. e4 e5 2. Bb5 d6 3. Bxe8 *\n\n'
                 '[White "C"]\n\n1. e4 f6 2. Qh5+ g6 *\n\n[White "D"]\n\n1. d4 *\n')
    write(games, read(games).replace("2. Bb5 d6 3. Bxe8 *", "2. Bb5 d6 3. c3 *"))
    write(suite.path("mates.cql"), "// The `mate`: at the end.\ncql() mate")
    suite.run([suite.cqlgen, "import", games, "-o", stored, "-q"])
    queries = (suite.path("mates.cql"), "-e", "check")
    pages = [suite.search(*queries, source, "-q", "-f", "html", "--engine", engine).text()
             for source in (games, stored) for engine in ("interp", "tcc", "cc")]
    suite.check("page: sections, the same from all engines and a database", len({re.sub("Searched: .*", "", page) for page in pages}) == 1)
    page = pages[0]
    heads = re.findall(r"<h2 class='of-query' id='(\w+)'>(.*?)</h2>", page)
    suite.check("page: a heading with the counts for each query", heads == [
        ("q1", "The <code>mate</code> <small>1 game, 1 position</small>"), ("q2", "check <small>2 games, 2 positions</small>")], str(heads))
    suite.check("page: a section has the games of its query", re.findall("<section id='([^']*)'", page) == ["q1-g1", "q2-g1", "q2-g3"] and
                re.findall("<figure id='([^']*)'", page) == ["q1-g1p7", "q2-g1p7", "q2-g3p3"], str(re.findall("<section id='([^']*)'", page)))
    suite.check("page: a single match names its query", re.findall("found by ([^\n]*)</p>", page) == ["The <code>mate</code>", "check", "check"])
    parsed = boards(page)
    ids = re.findall(r" id='([^']*)'", page)
    suite.check("page: sections are well formed, and ids differ", not parsed.open and not parsed.wrong and len(ids) == len(set(ids)), str(ids))
    suite.check("page: no raw backticks", "`" not in re.sub(r"<(pre|script)>.*?</\1>", "", page, flags=re.S) and "<title>The mate; check</title>" in page)
    levels = [int(n) for n in re.findall(r"<h(\d)", page)]
    suite.check("page: headings in order", levels[0] == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])), str(levels))
    write(path, page)
    limited = suite.search("-e", "check", "-e", "mate", "-e", "false", games, "--limit", "1", "-q", "-f", "html").text()
    suite.check("page: sections and --limit", re.findall("<section id='([^']*)'", limited) == ["q1-g1", "q2-g1"] and "<p>No game to show.</p>" in limited)
    sorted_page = suite.search("-e", 'check sort min "n" ply', "-e", "mate", games, "--limit", "1", "-q", "-f", "html").text()
    suite.check("page: sections of a sorted search", re.findall("<section id='([^']*)'", sorted_page) == ["q1-g3"] and
                "The page shows 0 games of 1.</p>" in sorted_page, str(re.findall("<section id='([^']*)'", sorted_page)))
    hidden = suite.search(*queries, games, "-q", "-f", "html", "--no-query").text()
    suite.check("page: --no-query shows no query, and each game once", re.findall("<section id='([^']*)'", hidden) == ["g1", "g3"] and
                "<h1>Found games</h1>" in hidden and "mate" not in re.sub("Checkmate|<script>.*", "", hidden.partition("</style>")[2], flags=re.S) and
                "<details class='query'>" not in hidden, hidden[-3000:])
    folded = re.findall(r"<details[^>]*open", page)
    suite.check("page: queries and tables are folded", not folded and page.count("<details class='query'>") == 1 and page.count("<details class='table'>") == 2)


def ended(suite):
    """Nobody is to move in a position that ends the game."""
    games = suite.path("ended.pgn")
    write(games, '[White "Mate"]\n\n1. f3 e5 2. g4 Qh4# *\n\n[FEN "7k/8/5K2/8/8/8/6Q1/8 w - - 0 1"]\n\n1. Qg6 *\n\n[FEN "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]\n\n*\n')
    for engine in ("interp", "tcc", "cc"):
        page = suite.search("-e", "terminal", games, "-q", "-f", "html", "--engine", engine).text()
        says = re.findall("<b>([^<]*)</b><small>([^<]*)</small>", page)
        suite.check("page: mate and stalemate, %s" % engine, says == [("2\u2026 Qh4#", "Checkmate"), ("1. Qg6", "Stalemate"), ("Start", "Stalemate")], str(says))
    suite.check("page: for the script too", re.findall("data-end='([^']*)'", page) == ["Checkmate", "Stalemate", "Stalemate", "Stalemate"][:page.count("data-end=")] and
                page.count("data-end='Checkmate'") == 1, str(re.findall("data-end='([^']*)'", page)))
    label = re.findall("role='img' aria-label='([^']*)'", page)[1]
    suite.check("page: a board in words", label == "1. Qg6. White: Kf6, Qg6. Black: Kh8. Stalemate", label)
    variants_page = suite.search("--dialect", "cqli", "-e", "terminal gamenumber <= 2", os.path.join(TESTS, "pgn", "variants.pgn"), "-q", "-f", "html").text()
    suite.check("page: an exploded king", re.findall("</b><small>([^<]*)</small>", variants_page) == ["White has won", "White to move"],
                str(re.findall("</b><small>([^<]*)</small>", variants_page)))


TASKS = "".join('[White "W%d"]\n[Black "B"]\n[Date "19%02d.05.01"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 {secret%d} 4. Qxf7# {after} 1-0\n\n' % (i, i, i) for i in range(1, 14))


def body_text(page):
    return re.sub("<[^>]*>", "", page.partition("</defs></svg>")[2])


def quiz(suite):
    """A quiz shows who is to move, and the moves only in what its reader opens."""
    games, path = suite.path("quiz.pgn"), suite.path("quiz.html")
    write(games, TASKS)
    suite.run([suite.cqlgen, "import", games, "-o", suite.path("quiz.cqldb"), "-q"])
    pages = [suite.search("-e", "--(mate)", source, "-q", "-f", "html", "--quiz", "--title", HOSTILE, "--engine", engine).text()
             for source in (games, suite.path("quiz.cqldb")) for engine in ("interp", "tcc", "cc")]
    page = pages[0]
    suite.check("page: quiz, the same from all engines and a database", pages == [page] * 6)
    parsed = boards(page)
    suite.check("page: quiz, well formed, its title is text", not parsed.open and not parsed.wrong and "script" not in parsed.count and
                "<h1>&lt;script&gt;alert(1)&lt;/script&gt; &amp; <code>x</code> &#39; &quot; \ufffd1,\ufffd</h1>" in page, page[-2000:])
    closed = re.sub("<details.*?</details>", "", page, flags=re.S)
    suite.check("page: quiz, 13 diagrams without a hint", closed.count("<figure>") == 13 and "Qxf7" not in closed and "class='next'" not in closed.partition("</style>")[2] and
                "class='found'" not in closed.partition("</style>")[2] and "secret" not in closed and "1\u20130" not in closed and
                body_text(closed).count("White to move") == 13)
    suite.check("page: quiz, numbers", re.findall(r"<figcaption><b>(\d+)\.</b>", page) == [str(i) for i in range(1, 14)])
    suite.check("page: quiz, the answers", page.count("<summary>Show the move</summary>") == 13 and page.count("4.\u00a0<i data-end='Checkmate'>Qxf7#</i>") == 13 and
                "<bdi>W13</bdi> \u2013 <bdi>B</bdi>, 1913, 1\u20130" in page, page[-1500:])
    few = suite.search("-e", "--(mate)", games, "-q", "-f", "html", "--quiz", "--limit", "2", "--context", "2").text()
    suite.check("page: quiz, --limit and --context", few.count("<figure>") == 2 and "<small>after 3. Bc4 Nf6</small>" in few, few[-2000:])
    each = suite.search("-e", "check or btm", games, "-g", "1", "-q", "-f", "html", "--quiz").text()
    first = suite.search("-e", "check or btm", games, "-g", "1", "-q", "-f", "html", "--quiz", "--first").text()
    suite.check("page: quiz, --first", (each.count("<figure>"), first.count("<figure>")) == (4, 1) and "The game ends here." in each)
    line = suite.path("quiz-line.pgn")
    write(line, "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. d4 (2. f4 exf4) 2... exd4 *\n")
    tasks = suite.search("-e", "move from Pe2 or Pe4", "--variations", line, "-q", "-f", "html", "--quiz").text()
    moves = [re.sub("<[^>]*>", "", text).replace("\u00a0", " ") for text in re.findall("<p class='moves'>(.*?)</p>", tasks)]
    suite.check("page: quiz, what follows a position in a variation", "2. Nf3 (2. c3 d5) 2\u2026 d6" in [text.strip() for text in moves] and
                "2. d4 (2. f4 exf4) 2\u2026 exd4" in [text.strip() for text in moves], str(moves))
    write(path, page)


def worksheet(suite):
    """Sheets of diagrams, and the solutions on the last page."""
    games, path = suite.path("quiz.pgn"), suite.path("worksheet.html")
    suite.search("-e", "--(mate)", games, "-q", "--worksheet", "6", "--title", "Mates & `co`", "-o", path)
    page = read(path)
    parsed = boards(page)
    suite.check("page: worksheet, three sheets and the solutions", not parsed.open and not parsed.wrong and page.count("<section class='sheet of-6'>") == 3 and
                page.count("<section class='solutions'>") == 1 and page.count("Mates &amp; <code>co</code> <small>") == 4 and
                [part.count("<figure>") for part in page.split("<section class='sheet of-6'>")[1:]] == [6, 6, 1])
    sheets, solutions = page.split("<section class='solutions'>")
    suite.check("page: worksheet, no solution on a sheet", "Qxf7" not in sheets and sheets.count("White to move</") + sheets.count("White to move<span class='rule'>") >= 13 and
                sheets.count("<span class='rule'>") == 13 and "class='next'" not in sheets.partition("</style>")[2])
    shown = re.findall(r"<p><b>(\d+)\.</b> <b>4\. Qxf7#</b> <small><bdi>W(\d+)</bdi> \u2013 <bdi>B</bdi>, 19(\d+), 1\u20130</small></p>", solutions)
    suite.check("page: worksheet, each solution", [tuple(map(int, row)) for row in shown] == [(i, i, i) for i in range(1, 14)], solutions[:800])
    nine = suite.search("-e", "--(mate)", games, "-q", "-f", "html", "--worksheet", "9", "--no-query").text()
    suite.check("page: worksheet of nine without a query", nine.count("<section class='sheet of-9'>") == 2 and "<h1>Worksheet <small>" in nine and "--(mate)" not in nine)
    none = suite.search("-e", "false", games, "-q", "-f", "html", "--worksheet", "9").text()
    suite.check("page: worksheet without a position", "<p>No position to show.</p>" in none and "<section" not in none and not boards(none).open)
    game = suite.search("-e", "ply == 2", games, "-g", "1", "-q", "-f", "html", "--worksheet", "6").text()
    suite.check("page: worksheet, the moves of the game", "<p><b>1.</b> 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# <small>" in game, game[-600:])
    two = suite.search("-e", "--(mate)", "-e", "terminal or --(mate)", games, "-g", "1", "-q", "-f", "html", "--worksheet", "6").text()
    suite.check("page: worksheet of several queries has a position once, and names them", two.count("<figure>") == 2 and
                "<small>--(mate) \u00b7 terminal or --(mate) \u00b7 <bdi>W1<" in two and "<small>terminal or --(mate) \u00b7 <bdi>W1<" in two, two[-900:])


def page_options(suite):
    for words in (("--title", "x"), ("--no-query",), ("--quiz",), ("--worksheet", "6")):
        result = suite.search("-e", "mate", GAMES, "-q", "-f", "csv", *words)
        suite.check("page: %s of another format" % words[0], result.status == 2 and
                    "%s is for html, not for the format csv: -f html or the ending .html of -o chooses it" % words[0] in result.errors(), result.errors())
    result = suite.search("-e", "mate", GAMES, "-q", "-f", "html", "--worksheet", "7")
    suite.check("page: sheets of 6 or 9", result.status == 2 and "needs one of 6 9" in result.errors(), result.errors())
    result = suite.search("-e", "mate", GAMES, "-q", "-f", "html", "--context", "2")
    suite.check("page: --context without a quiz", result.status == 2 and "html with --quiz or --worksheet" in result.errors(), result.errors())
    page = suite.search("-e", "mate", GAMES, "--count-by", "result", "-f", "html", "--title", "All <mates>", "--no-query", "-q").text()
    suite.check("page: title of groups", "<h1>All &lt;mates&gt;</h1>" in page and "<pre>" not in page)
    parts = [suite.path("page-%d.part" % k) for k in (1, 2)]
    words = ["-e", "--(mate)", suite.path("quiz.pgn"), "-q", "-f", "html", "--worksheet", "6", "--title", "T"]
    for k, part in enumerate(parts, 1):
        suite.search(*words, "--part", "%d/2" % k, "-o", part)
    merged = suite.run([suite.cqlgen, "merge", *parts, "-o", suite.path("merged.html"), "-q"])
    suite.check("page: a worksheet of parts", merged.status == 0 and read(suite.path("merged.html")) == suite.search(*words).text(), merged.errors())
    other = suite.run([suite.cqlgen, "merge", *parts, "-f", "count", "-q"])
    suite.check("page: parts of a worksheet in another format", other.status == 0 and other.text() == "13\n", other.errors() + other.text())


def quiz_in_browser(suite, browser):
    browser.open("file://" + suite.path("quiz.html"))
    visible = "const e = document.querySelector('.answer .moves'); return [e.checkVisibility(), document.body.innerText.includes('Qxf7')]"
    suite.check("page in a browser: quiz, nothing is given away", browser.run(visible) == [False, False], str(browser.run(visible)))
    browser.press("ArrowRight", "n", "End")
    suite.check("page in a browser: quiz, keys give nothing away", browser.run(visible) == [False, False])
    browser.run("document.querySelector('.answer summary').focus()")
    browser.press(" ")
    suite.check("page in a browser: quiz, the space bar shows the move", browser.run(visible) == [True, True], str(browser.run(visible)))
    suite.check("page in a browser: quiz, the others stay hidden", browser.run("return [...document.querySelectorAll('.answer')].filter(e => e.open).length") == 1)
    browser.open("file://" + suite.path("sections.html"))
    top = browser.run("return document.querySelector('.player .diagram').getBoundingClientRect().top")
    suite.check("page in a browser: the first board is in view", 0 < top < 600, str(top))
    browser.run("document.querySelector('#q2-g1').scrollIntoView()")
    browser.run("location.hash = 'q2-g1p7'")
    plays(suite, "a link to a diagram of a section", browser, "#q2-g1", "r1bqkbnr/ppp2Qpp/2np4/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR", "4. Qxf7#, checkmate, found")


def pages_of_pdf(suite, name, paper=""):
    """What a browser prints: the text of each page; None without the programs."""
    path, out = suite.path(name + ".html"), suite.path(name + ".pdf")
    if paper:
        write(suite.path(name + "-" + paper + ".html"), read(path).replace("@page {", "@page { size: %s;" % paper))
        path, out = suite.path(name + "-" + paper + ".html"), suite.path(name + "-" + paper + ".pdf")
    suite.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--print-to-pdf=" + out, "file://" + path])
    return suite.run(["pdftotext", "-layout", out, "-"]).text().split("\f")[:-1]


def printed(suite):
    """Sheets fill pages of A4 and Letter; prints have no clocks and no queries."""
    if not (shutil.which("chromium") and shutil.which("pdftotext")):
        print("page: not printed: chromium or pdftotext is missing; skipped")
        return
    write(suite.path("nine.html"), suite.search("-e", "--(mate)", suite.path("quiz.pgn"), "-q", "-f", "html", "--worksheet", "9").text())
    for paper in ("A4", "Letter"):
        pages = pages_of_pdf(suite, "worksheet", paper)
        suite.check("page: printed on %s, three sheets and the solutions" % paper, [page.count("to move") for page in pages] == [6, 6, 1, 0] and
                    all("Mates & co" in page for page in pages) and pages[3].count("Qxf7#") == 13, str([page.count("to move") for page in pages]))
        pages = pages_of_pdf(suite, "nine", paper)
        suite.check("page: printed on %s, sheets of nine" % paper, [page.count("to move") for page in pages] == [9, 4, 0], str(len(pages)))
    quiz_pages = "".join(pages_of_pdf(suite, "quiz"))
    suite.check("page: a printed quiz gives nothing away", "Qxf7" not in quiz_pages and "Show the move" not in quiz_pages and quiz_pages.count("White to move") == 13)
    played_page = "".join(pages_of_pdf(suite, "played"))
    suite.check("page: printed without clocks and queries", "Qxf7#" in played_page and "3:00" not in played_page and "2:58" not in played_page and
                "cql(variations" not in played_page and "The query" not in played_page, str(re.findall(".*(?:3:00|2:58|cql|The query).*", played_page)))


def run(suite):
    arrows(suite)
    drawings(suite)
    pictures(suite)
    hostile(suite)
    files(suite)
    many(suite)
    rings(suite)
    skipped(suite)
    stretches(suite)
    without_positions(suite)
    shared_board(suite)
    sections(suite)
    ended(suite)
    quiz(suite)
    worksheet(suite)
    page_options(suite)
    path = suite.path("found.html")
    suite.ends("page: it is written", suite.search("-e", "mate", GAMES, "-q", "-o", path), also=os.path.exists(path))
    with open(path, encoding="utf-8") as f:
        text = f.read()
    page = boards(text)
    matches = len(suite.search("-e", "mate", GAMES, "-q", "--format", "positions").text().splitlines())
    suite.check("page: every element is closed", not page.open and not page.wrong, "%s %s" % (page.open, page.wrong))
    suite.check("page: it needs no network", not page.outside and "default-src 'none'" in text, str(page.outside))
    suite.check("page: its links go to an analysis board", page.links and all(
        re.fullmatch(r"https://lichess.org/analysis/[1-8pnbrqkPNBRQK/]+_[wb]_[KQkq-]+_(-|[a-h][36])_\d+_\d+", link) for link in page.links), str(page.links)[:300])
    drawn = page.count.get("svg", 0)
    suite.check("page: a board for each of %d matches" % matches, drawn >= matches, "%d boards" % drawn)
    no_browser(suite)
    try:
        played(suite)
        printed(suite)
    except NoBrowser as reason:
        print("page: not tried in a browser: %s; skipped" % reason)
