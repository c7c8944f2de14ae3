"""The HTML page: well formed, self-contained, with a board for each matching position; in a browser too where one is installed."""
import html.parser
import os
import re
import shutil

from harness import EXAMPLES

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


def rings(suite):
    """The squares of set filters are ringed, in a matcher.so too."""
    circle = "<circle class='found' cx='%d.5' cy='%d.5' r='20.5'/>"

    def square(name):
        return circle % (45 * "abcdefgh".index(name[0]) + 22, 45 * (8 - int(name[1])) + 22)

    # Games 4, 7, 14 and 15 end with 7. Nd5#, 6. Nd6#, 7... Nf3# and 16... Nd3#.
    queries = (("mate N attacks k", ["d5", "d6"]), ("mate not N attacks r", []), ("x=k mate {N attacks x}", ["d5", "d6"]),
               ("flipcolor {mate n attacks K}", ["d5", "d6", "f3", "d3"]), ("mate (false or N attacks k)", ["d5", "d6"]))
    for query, squares in queries:
        matcher = suite.path("rings.so")
        suite.run([suite.cqlgen, "-e", query, "-o", matcher])
        pages = [suite.search(*words, GAMES, "-q", "-f", "html", *rest).text() for words, *rest in (
            (["-e", query], "--engine", "interp"), (["-e", query], "--engine", "tcc"), ([matcher],))]
        suite.check("page: rings, %s" % query, re.findall("<circle class='found'[^>]*>", pages[0]) == [square(s) for s in squares],
                    str(re.findall("<circle class='found'[^>]*>", pages[0])))
        suite.check("page: the same from all engines, %s" % query, pages[0] == pages[1] == pages[2])


def run(suite):
    rings(suite)
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
    browser = shutil.which("chromium")
    if browser:
        shown = suite.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                           "--disable-background-networking", "--disable-component-update", "--disable-sync",
                           "--user-data-dir=" + suite.path("browser"), "--dump-dom", "file://" + path])
        suite.check("page: the browser shows as many boards", boards(shown.text()).count.get("svg", 0) == drawn,
                    shown.errors()[-300:])
