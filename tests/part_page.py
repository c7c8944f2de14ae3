"""The HTML page: well formed, self-contained, with a board for each matching position; in a browser too where one is installed."""
import html.parser
import os
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


def run(suite):
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
    suite.check("page: the squares of set filters are ringed", "class='found'" in suite.search(
        "-e", "mate N attacks k", GAMES, "-q", "--format", "html").text() and "class='found'" not in text)
    browser = shutil.which("chromium")
    if browser:
        shown = suite.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                           "--disable-background-networking", "--disable-component-update", "--disable-sync",
                           "--user-data-dir=" + suite.path("browser"), "--dump-dom", "file://" + path])
        suite.check("page: the browser shows as many boards", boards(shown.text()).count.get("svg", 0) == drawn,
                    shown.errors()[-300:])
