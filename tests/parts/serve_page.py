"""The page of `cqlgen serve` in a browser: what one types, clicks and sees, against what the command line prints."""
import json
import os
import re
import urllib.parse

from parts.harness import EXAMPLES, ROOT, write
from parts.serve import TOKEN, serving, until
from tools.browser import Browser, NoBrowser

GAMES = os.path.join(EXAMPLES, "games.pgn")
STUDIES = os.path.join(EXAMPLES, "studies.pgn")
SAID = "document.querySelector('#said').textContent"
ROWS = "[...document.querySelectorAll('#rows .row')]"
# What the editor contains, whichever it is.
TEXT = "(document.querySelector('.CodeMirror') ? document.querySelector('.CodeMirror').CodeMirror.getValue() : document.querySelector('#text').value)"


class Page:
    """The page in a browser, with some games."""

    def __init__(self, suite, browser, server):
        self.suite, self.browser = suite, browser
        self.address = "http://%s:%d/?token=%s" % (server.address, server.port, TOKEN)
        self.wait, self.click, self.press = browser.wait, browser.click, browser.press

    def open(self, fragment=""):
        self.browser.open("about:blank")
        self.browser.open(self.address + fragment)

    def check(self, name, passed, detail=""):
        return self.suite.check("page of the server: " + name, passed, str(detail)[:400])

    def write(self, text):
        """Types a query instead of the one that is there."""
        self.click(".CodeMirror-code, #text:not([style*=none])")
        self.browser.press_with("Control", "a")
        self.press("Delete", *("Enter" if c == "\n" else c for c in text))

    def search(self, text):
        self.write(text)
        self.press("Escape")
        self.browser.run("%s = ''" % SAID)  # of the search before
        self.browser.press_with("Control", "Enter")
        return self.wait("/games? match|matches|failed|errors/.test(%s) && %s" % (SAID, SAID))

    def set(self, selector, value):
        """Chooses in a field, as a user does."""
        self.browser.run("const e = document.querySelector(arguments[0]); e.value = arguments[1];"
                         "for (const name of ['input', 'change']) e.dispatchEvent(new Event(name, {bubbles: true}))", selector, value)

    def rows(self):
        """(players, move) of the rows that are drawn."""
        return [tuple(row) for row in self.browser.run("return %s.map(e => [e.querySelector('.players').textContent, e.querySelector('.move').textContent])" % ROWS)]

    def selected(self):
        return self.browser.run("return [...document.querySelectorAll('#rows [aria-selected=true]')].map(e => e.querySelector('.players').textContent).join()")


def found(suite, *words):
    """The games that the command line finds, as JSON."""
    return [json.loads(line) for line in suite.search(*words, GAMES, "-q", "-f", "jsonl").text().splitlines()]


def players(game):
    return "%s \u2013 %s" % (game["tags"].get("White", ""), game["tags"].get("Black", ""))


def cures(page):
    """A mistake is marked under its word; a click on the cure puts it right."""
    page.open()
    page.write("// Mates\nmte")
    page.check("a mistake has a cure", page.wait("document.querySelectorAll('#problems .cure').length") == 1, page.browser.run("return document.querySelector('#problems').textContent"))
    if page.browser.run("return !!document.querySelector('.CodeMirror')"):
        page.check("the word is marked", page.browser.run("return [...document.querySelectorAll('.marked-error')].map(e => e.textContent).join('')") == "mte")
        page.check("comments and words have colours", page.browser.run("return !!document.querySelector('.cm-comment')"))
    page.click("#problems .cure")
    page.check("the cure", page.browser.run("return " + TEXT) == "// Mates\nmate", page.browser.run("return " + TEXT))
    page.check("no error is left", page.wait("document.querySelectorAll('#problems li').length === 0"))
    page.check("the title is the comment", page.wait("document.querySelector('#tabs [role=tab]').textContent === 'Mates'"))


def completes(page):
    """Words are completed with their meaning, and F1 opens the page about one."""
    if not page.browser.run("return !!document.querySelector('.CodeMirror')"):
        return
    page.write("stalem")
    hint = page.wait("(document.querySelector('.CodeMirror-hints li') || {}).textContent")
    page.check("completion with a gloss", hint and hint.startswith("stalemate") and len(hint) > len("stalemate"), hint)
    page.press("Enter")
    page.check("a word is completed", page.wait("%s === 'stalemate'" % TEXT), page.browser.run("return " + TEXT))
    page.press("ArrowLeft", "F1")
    page.check("help about a word", "stalemated and the game ends" in (page.wait("document.querySelector('#help').open && document.querySelector('#help-text').textContent") or ""))
    page.click("#help [data-close]")


def results(page):
    """The list and the board are those of the search; keys go from match to match."""
    suite, want = page.suite, found(page.suite, "-e", "mate")
    said = page.search("mate")
    page.check("totals", said and said.startswith("%d of 32 games match" % len(want)), said)
    rows = page.rows()
    page.check("rows", len(rows) > 3 and [name for name, _ in rows] == [players(g) for g in want[:len(rows)]], rows)
    first = want[0]["positions"][0]
    page.check("the move that matches", rows[0][1] == "%d%s%s" % (first["number"], ". " if first["ply"] % 2 else "\u2026 ", first["san"]), rows[0])
    page.check("the board shows the match", page.wait("(document.querySelector('#game .here') || {}).textContent") == first["san"])
    page.browser.run("document.querySelector('#games').focus()")
    for count, key in ((1, "n"), (2, "n"), (3, "ArrowDown"), (2, "p")):
        page.press(key)
        page.check("key %s to game %d" % (key, count + 1), page.wait("[...document.querySelectorAll('#rows [aria-selected=true] .players')].map(e => e.textContent).join() === %s" % json.dumps(players(want[count]))),
                   page.selected())
    page.wait("(document.querySelector('#game .here') || {}).textContent === %s" % json.dumps(want[2]["positions"][0]["san"]))
    page.press("Enter", "ArrowLeft")
    page.check("a key takes a move back", page.wait("!document.querySelector('#game .here') || document.querySelector('#game .here').textContent !== %s" %
                                                    json.dumps(want[2]["positions"][0]["san"])))
    page.browser.run("document.querySelector('#narrow').open = true")
    page.set("#list-sort", "white")
    page.check("sorted by White", page.wait("%s[0].querySelector('.players').textContent === %s" % (ROWS, json.dumps(players(min(want, key=lambda g: g["tags"]["White"].lower()))))), page.rows()[:2])
    page.set("#list-text", "morphy")
    page.check("filtered by a player", [name for name, _ in page.rows()] == [players(g) for g in want if "Morphy" in players(g)], page.rows())
    page.set("#list-text", "")
    page.set("#list-sort", "number")
    said = page.search("true")
    page.check("the list draws what is in view", said.startswith("32 of 32") and len(page.rows()) < 25, (said, len(page.rows())))
    said = page.search("false")
    page.check("nothing is found", said.startswith("0 of 32"), said)
    suite.check("page of the server: the command line", page.browser.run("return !document.querySelector('#copy').hidden"))


def keeps_focus(page):
    """A game that comes late takes the focus from nothing: one goes on typing."""
    page.search("mate")
    page.wait("document.querySelector('#game .here')")
    page.browser.run("document.querySelector('#games').focus()")
    page.press("Enter")
    page.browser.run("const all = window.fetch; window.fetch = async (...request) => {"
                     "if (/^.game/.test(request[0])) await new Promise(go => { window.go = go; }); return all(...request); };"
                     "document.querySelector('#row1').click(); window.again = () => { window.fetch = all; go(); }")
    page.click(".CodeMirror-code, #text:not([style*=none])")
    old = page.browser.run("return document.querySelector('#game h2').textContent")
    page.browser.run("again()")
    page.wait("document.querySelector('#game h2').textContent !== %s" % json.dumps(old))
    page.check("a late game leaves the focus", not page.browser.run("return document.querySelector('#game').contains(document.activeElement)"))


def counts(page):
    """A click on a bar shows its games."""
    want = json.loads(page.suite.search("-e", "mate", GAMES, "-q", "--count-by", "result", "-f", "json").text())
    page.search("mate")
    page.click("#tab-counts")
    page.set("#count-key", "result")
    got = page.wait("document.querySelectorAll('.bars .group').length") and page.browser.run(
        "return [...document.querySelectorAll('.bars .group')].map(e => [e.querySelector('.label').textContent, +e.querySelector('.n').textContent])")
    page.check("bars", got == [[g["group"]["result"].replace("-", "\u2013"), g["games"]] for g in want], got)
    page.click(".bars .group")
    said = page.wait("/^%d of/.test(%s) && %s" % (want[0]["games"], SAID, SAID))
    page.check("a click on a bar", said and page.browser.run("return document.querySelector('#where').value") == "result " + want[0]["group"]["result"], said)
    page.set("#where", "")
    page.click("#tab-counts")
    page.set("#count-key", "k")
    page.browser.run("document.querySelector('[name=count-as][value=board]').click()")
    want = json.loads(page.suite.search("-e", "mate", GAMES, "-q", "--count-by", "k", "-f", "json").text())
    squares = page.wait("document.querySelectorAll('.heat button').length")
    page.check("a board of squares", squares == len(want), squares)
    page.browser.run("document.querySelector('[name=count-as][value=bars]').click()")
    page.set("#count-key", "result")


# Promotions of both sides, checks, castling, and moves that two knights could make.
MOVES = """[Event "Moves"]
[White "A"]
[Black "B"]
[WhiteElo "2100"]
[BlackElo "2350"]
[Result "1-0"]
[FEN "4k3/P7/8/8/8/8/p7/4K2R w K - 0 1"]

1. a8=Q+ Kf7 2. O-O+ Kg7 3. Qe4 a1=N 1-0

[Event "Knights"]
[White "B"]
[Black "A"]
[Result "*"]
[FEN "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"]

1. Nbd2 Kd7 2. Ne4 Kc7 3. Nfd2 Kd7 4. Nc5+ *
"""


def filters_of_bars(page):
    """The filter of a bar finds the games of the bar."""
    suite = page.suite
    moves = suite.path("moves.pgn")
    write(moves, MOVES)
    keys = ("result", "year/50", "eco/1", "white_elo/100", "elo/100", "ply_count/20", "player", "White", "side", "ply/10", "material", "move", "piece",
            "from", "to", "captured", "promotion", "men", "{K}", "[Qq]", "#A", "#[Aa]/10")
    for key in keys:
        names = [GAMES, moves] if key in ("move", "material", "promotion", "elo/100") else [GAMES]
        groups = json.loads(suite.search("-e", "true", *names, "-q", "--count-by", key, "--per", "position", "-f", "json", "--order", "rarest").text())
        groups = [g for g in groups if g["group"][key] is not None]
        some = suite.size(full=4, quick=2, sanitize=1)
        groups = groups[::max(1, len(groups) // (6 * some))] if names[-1] is moves else groups[:some] + groups[-some:]
        filters = [page.browser.run("return counts.condition(arguments[0], arguments[1])", key, g["group"][key]) for g in groups]
        counted = suite.map(lambda text: text and suite.search("-e", text, *names, "-q", "-f", "count").text().strip(), filters)
        wrong = [(g["group"][key], text, got, g["games"]) for g, (text, got) in zip(groups, counted) if got != str(g["games"])]
        page.check("the filters of bars of %s" % key, groups and not wrong, wrong[:4])


def databases(page):
    """A bar of the key `file` chooses its database, and its other keys are conditions."""
    page.open("#q=mate&s=" + json.dumps({"ran": True, "view": "counts", "counts": {"key": "file", "second": "result", "ran": True}}))
    bars = "[...document.querySelectorAll('.bars .group')]"
    want = {(name, g["group"]["result"]): g["games"] for name in (GAMES, STUDIES)
            for g in json.loads(page.suite.search("-e", "mate", name, "-q", "--count-by", "result", "-f", "json").text())}
    page.check("bars of databases", page.wait("%s.length === %d" % (bars, len(want))), want)
    page.browser.run("%s.find(e => /studies.*1\u20130/.test(e.textContent)).click()" % bars)
    said = page.wait("/ of .* match/.test(%s) && %s" % (SAID, SAID)) or ""
    page.check("games of a bar of a database", said.startswith("%d of" % want[STUDIES, "1-0"]), said)
    state = page.browser.run("return [state.now.databases, state.now.where, byId('sources').querySelector('summary').textContent]")
    page.check("a bar of a database chooses it", state == [["studies.pgn"], "result 1-0", "studies.pgn"], state)


def explores(page):
    """The moves of the explorer are those of the command line, also after one was clicked."""
    page.click("#tab-explorer")
    line = []
    for _ in range(3):
        want = json.loads(page.suite.run([page.suite.cqlgen, "explore", GAMES, "-f", "json", "-q", "-p", " ".join(line)]).text())
        moves = "[...document.querySelectorAll('#explorer-moves .move')].map(e => e.textContent)"
        names = [m["san"] for m in want["moves"]]
        page.check("moves after '%s'" % " ".join(line), page.wait("JSON.stringify(%s) === %s" % (moves, json.dumps(json.dumps(names, separators=(",", ":"))))),
                   page.browser.run("return " + moves))
        page.click("#explorer-moves .move")
        line.append(names[0])
    page.wait("!document.querySelector('#explorer-moves').inert")
    best = "document.querySelector('#explorer-moves .best button')"
    name = page.browser.run("return %s && %s.textContent" % (best, best))
    if page.check("games of the position", name):
        page.click("#explorer-moves .best button")
        page.wait("document.querySelector('#explorer-game svg')")
        page.check("such a game", page.browser.run("return [...document.querySelectorAll('#explorer-game h2 bdi')].map(e => e.textContent).join(' \u2013 ')") == name, name)
        page.check("it is shown at that position", page.browser.run(
            "return cqlgenBoards.build(document.querySelector('#explorer-game section')).fen().split(' ')[0] === document.querySelector('#explorer-fen').value.split(' ')[0]"))
    page.check("the line", re.sub(r"\d+\. ", "", page.browser.run("return document.querySelector('#explorer-line').textContent")).split() == line)
    page.click("#explorer-start")
    page.wait("document.querySelectorAll('#explorer-moves .move').length")


def explores_from_games(page):
    """A position of a game in the explorer, with the right to capture en passant."""
    page.click("#tab-games")
    page.search("move enpassant")
    page.wait("document.querySelector('#game .here')")
    page.click("#explore-this")
    fen = page.wait("!document.querySelector('#view-explorer').hidden && document.querySelector('#explorer-fen').value") or ""
    want = found(page.suite, "-e", "move enpassant")[0]["positions"][0]["fen"]
    page.check("a game's position in the explorer", fen.split()[:4] == want.split()[:4], (fen, want))
    page.click("#explorer-start")


def signs(page):
    """Signs of pieces, for those who would rather read them."""
    page.click("#tab-games")
    page.write("")
    page.click("#open-signs")
    for n in (5, 6):
        page.click("#signs button:nth-child(%d)" % n)
    page.check("signs are typed", page.browser.run("return " + TEXT) == "\u2658\u2659", page.browser.run("return " + TEXT))
    if page.browser.run("return !!document.querySelector('.CodeMirror')"):
        said = page.search("[Qq]a1 or Kg1-3 // K and N\n#N == 1")
        page.click("#signs button:nth-last-child(2)")
        want = "\u2655\u265ba1 or \u2654g1-3 // K and N\n#\u2658 == 1"
        page.check("letters become signs", page.browser.run("return " + TEXT) == want, page.browser.run("return " + TEXT))
        page.press("Escape")
        page.browser.run("%s = ''" % SAID)
        page.browser.press_with("Control", "Enter")
        again = page.wait("/games? match|matches|failed|errors/.test(%s) && %s" % (SAID, SAID))
        page.check("they mean the same", said and again and said.split(".")[0] == again.split(".")[0], (said, again))
        page.click("#signs button:last-child")
        page.check("signs become letters", page.browser.run("return " + TEXT) == "[Qq]a1 or Kg1-3 // K and N\n#N == 1", page.browser.run("return " + TEXT))
    page.click("#open-signs")


def edits_positions(page):
    """Men that are put on the board are a query, and a query of men is on the board."""
    page.write("")
    page.click("#tab-position")
    for mark, square in (("K", "g1"), ("k", "g8"), ("_", "f7")):
        page.click("#palette [data-mark='%s']" % mark)
        page.click("#men [data-square='%s']" % square)
    page.browser.run("""const of = s => document.querySelector('#men [data-square=' + s + ']');
        for (const [name, square] of [['dragstart', 'g8'], ['dragover', 'h8'], ['drop', 'h8'], ['dragstart', 'h8'], ['drop', 'g8']])
            of(square).dispatchEvent(new DragEvent(name, {bubbles: true, cancelable: true}));
        of('g1').dispatchEvent(new DragEvent('dragstart', {bubbles: true})); of('h1').dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true}))""")
    page.browser.run("document.querySelector('#men [data-square=h7]').focus()")
    page.press("x")
    page.browser.run("document.querySelector('#position-flipcolor').click()")
    page.check("the query of a position", page.wait("%s === 'flipcolor { Kh1 kg8 _f7 not [Pp]h7 }'" % TEXT), page.browser.run("return " + TEXT))
    page.click("#tab-games")
    said = page.search("wtm { Kd5 qd8 }")
    page.check("it can be searched", said and "of 32 games" in said, said)
    page.click("#tab-position")
    labels = page.browser.run("return ['d5', 'd8', 'g1'].map(s => document.querySelector('#men [data-square=' + s + ']').getAttribute('aria-label'))")
    page.check("a query on the board", [word in label for word, label in zip(("white king", "black queen", "anything"), labels)] == [True] * 3 or
               ["white king" in labels[0], "black queen" in labels[1], "king" not in labels[2]] == [True] * 3, labels)
    page.check("the side to move", page.browser.run("return document.querySelector('#position-side').value") == "wtm")


def prints(page):
    """A worksheet opens in a window of its own."""
    page.click("#tab-games")
    want = len(found(page.suite, "-e", "mate"))
    page.search("mate")
    page.click("#tab-export")
    here = page.browser.windows()
    page.set("[data-export=worksheet] [name=title]", "Mates <for> Monday")
    page.click("[data-export=worksheet] button")
    until(lambda: len(page.browser.windows()) > len(here))
    page.browser.go_to((set(page.browser.windows()) - set(here)).pop())
    page.check("the title of a worksheet", page.wait("document.title === 'Mates <for> Monday'"), page.browser.run("return document.title"))
    page.check("its boards", page.browser.run("return document.querySelectorAll('svg[role=img], svg.board, .diagram svg, figure svg').length") >= want)
    page.browser.close_window()
    page.browser.go_to(here[0])
    page.click("[data-export=quiz] button")
    until(lambda: len(page.browser.windows()) > len(here))
    page.browser.go_to((set(page.browser.windows()) - set(here)).pop())
    page.check("a quiz hides the moves", page.wait("document.querySelectorAll('details.answer:not([open])').length >= %d" % want),
               page.browser.run("return document.body.innerText")[:300])
    page.browser.close_window()
    page.browser.go_to(here[0])


def saves(page):
    """Queries that are kept under a name, and the history."""
    page.click("#tab-games")
    page.write("// Two knights\n#N == 2 #n == 0")
    page.wait("document.querySelector('#title').textContent")
    page.search("// Two knights\n#N == 2 #n == 0")
    page.click("#open-saved")
    page.browser.run("document.querySelector('#save-name').value = ''; document.querySelector('#save-name').focus()")
    page.press(*"Mine", "Enter")
    names = "[...document.querySelectorAll('#saved-list .entry b')].map(e => e.textContent)"
    page.check("a saved query", page.wait("%s[0] === 'Mine'" % names), page.browser.run("return " + names))
    page.check("the history", "Two knights" in page.browser.run("return %s.slice(1)" % names))
    page.click("#saved [data-close]")
    page.write("")
    page.click("#open-saved")
    page.click("#saved-list .entry")
    page.check("it is opened", page.browser.run("return " + TEXT) == "// Two knights\n#N == 2 #n == 0", page.browser.run("return " + TEXT))
    page.click("#open-saved")
    page.click("#saved-list button[aria-label='Forget Mine']")
    page.check("it is forgotten", "Mine" not in page.browser.run("return " + names))
    page.click("#saved [data-close]")


def has_names(page):
    """What the keyboard reaches has a name for a screen reader, in every view and dialog."""
    page.search("mate")
    page.wait("document.querySelector('#game .here')")
    for view in ("games", "counts", "explorer", "position", "compare", "export"):
        page.click("#tab-" + view)
        page.wait("!document.querySelector('#view-%s').hidden" % view)
        page.check("names for a screen reader in %s" % view, page.browser.nameless() == [], page.browser.nameless())
    for dialog in ("help", "examples", "saved"):
        page.click("#open-" + dialog)
        page.check("names for a screen reader in %s" % dialog, page.browser.nameless() == [], page.browser.nameless())
        page.click("#%s [data-close]" % dialog)
    page.click("#tab-games")


def compares(page):
    """Queries in tabs, side by side."""
    page.click("#new-tab")
    page.write("stalemate")
    page.click("#tab-compare")
    page.click("#compare")
    page.check("two queries side by side", page.wait("document.querySelectorAll('#compared tbody tr').length === 2"))
    got = page.browser.run("return [...document.querySelectorAll('#compared tbody tr')].map(e => +e.children[1].textContent)")
    page.check("their games", got == [len(found(page.suite, "-e", q)) for q in ("mate", "stalemate")], got)


def bookmarks(page):
    """The address holds the state: queries, conditions, the view."""
    page.browser.run("document.querySelector('#conditions').open = true")
    page.set("#where", "result 1-0")
    page.click("#tab-counts")
    address = page.wait("location.hash.includes('stalemate') && location.hash.includes('1-0') && decodeURIComponent(location.hash).includes(%s) && location.hash" %
                        json.dumps('"view":"counts"'))
    page.check("the address has the state", address, page.browser.run("return location.hash"))
    page.open(address or "")
    now = "JSON.stringify([document.querySelectorAll('#tabs [role=tab]').length, document.querySelector('#where').value, " \
          "document.querySelector('#tab-counts').getAttribute('aria-selected'), %s])" % TEXT
    want = json.dumps([2, "result 1-0", "true", "stalemate"], separators=(",", ":"))
    page.check("a bookmark brings it back", page.wait("%s === %s" % (now, json.dumps(want))), page.browser.run("return " + now))
    page.open("#q=mate&s=%7B%22view%22%3A7%2C%22counts%22%3Anull%2C%22tab%22%3A%22x%22")
    page.check("a damaged bookmark", page.browser.run("return " + TEXT) == "mate")


def ends(page, server):
    """A page that is closed ends its search."""
    page.write("loop true")
    page.press("Escape")
    page.browser.press_with("Control", "Enter")
    page.check("a long search runs", until(server.children))
    page.click("#stop")
    page.check("the button ends it", until(lambda: not server.children()))
    page.browser.press_with("Control", "Enter")
    page.click("#search")
    page.check("it runs again", until(server.children))
    page.browser.open("about:blank")
    page.check("a closed page ends it", until(lambda: not server.children()))


def widths(suite, server):
    """No view is wider than a small screen."""
    browser = Browser(suite.path("serve-narrow"), 360, 740, touch=True)
    try:
        page = Page(suite, browser, server)
        page.open("#q=mate&s=%7B%22ran%22%3Atrue%7D")
        page.wait("document.querySelector('#game svg')")
        for view in ("games", "counts", "explorer", "position", "compare", "export"):
            browser.run("document.querySelector('#tab-%s').click()" % view)
            page.wait("!document.querySelector('#view-%s').hidden" % view)
            width = browser.run("return document.documentElement.scrollWidth")
            page.check("%s at 360 pixels" % view, width <= 360, width)
    finally:
        browser.close()


def plain_form(suite, server):
    """A browser without scripts: a form, and a page as the answer."""
    browser = Browser(suite.path("serve-plain"))
    try:
        browser.command("Emulation.setScriptExecutionDisabled", value=True)
        page = Page(suite, browser, server)
        page.open()
        page.check("the form says what it does", "without JavaScript" in browser.call("GET", "/element/%s/text" % browser.find("noscript")))
        browser.call("POST", "/element/%s/clear" % browser.find("#text"), {})
        browser.call("POST", "/element/%s/value" % browser.find("#text"), {"text": "stalemate"})
        browser.click("#search")
        until(lambda: "/search" in browser.call("GET", "/url"))
        text = browser.call("GET", "/element/%s/text" % browser.find("body"))
        want = found(suite, "-e", "stalemate")
        page.check("the answer to a plain form", want and all(g["tags"].get("White", "") in text for g in want), text[:300])
    finally:
        browser.close()


FORKS = "// Forks of king, queen and rooks\nflipcolor { A--({[kqr]<-to} >= 2) }"


# (name, width, height, dark, address, what to click, what is there then)
PICTURES = [
    ("serve", 1440, 960, False, "#q=%s&s={\"ran\":true}" % urllib.parse.quote(FORKS), "#row1", "(document.querySelector('#game .here') || {}).textContent === 'Qh5'"),
    ("serve-wide", 2000, 1000, False, "#q=mate&s={\"ran\":true,\"view\":\"counts\",\"counts\":{\"key\":\"k\",\"as\":\"board\",\"ran\":true}}", None, "document.querySelectorAll('.heat button').length"),
    ("serve-narrow", 360, 780, True, "#q=%s&s={\"ran\":true}" % urllib.parse.quote(FORKS), "#row1", "(document.querySelector('#game .here') || {}).textContent === 'Qh5'")]


def pictures(suite, server):
    """The pictures of README.md and docs/serve.md; `--update` takes them again."""
    for name, width, height, dark, address, click, shown in PICTURES:
        browser = Browser(suite.path(name), width, height, touch=width < 500)
        try:
            page = Page(suite, browser, server)
            browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
            page.open(address)
            page.wait("document.querySelector('#game .here') && document.querySelector('#tabs [role=tab]').textContent")
            if click:
                page.click(click)
            page.check("%s is shown" % name, page.wait(shown))
            if width < 500:
                browser.run("document.querySelector('#between').scrollIntoView()")
            path = os.path.join(ROOT, "docs", name + ".webp")
            browser.picture(path)
            page.check("%s is small" % name, os.path.getsize(path) <= 80000, os.path.getsize(path))
        finally:
            browser.close()


def run(suite):
    result = suite.run([suite.cqlgen, "serve"])
    if "libcivetweb" in result.errors():
        print("serve_page: the program has no server; skipped")
        return
    database = suite.path("games.cqldb")
    suite.run([suite.cqlgen, "import", GAMES, "-o", database, "-q"])
    try:
        browser = Browser(suite.path("serve-browser"), 1200, 900)
    except NoBrowser as reason:
        print("serve_page: not tried in a browser: %s; skipped" % reason)
        return
    with serving(suite, database) as server:
        try:
            page = Page(suite, browser, server)
            cures(page)
            completes(page)
            results(page)
            keeps_focus(page)
            counts(page)
            filters_of_bars(page)
            explores(page)
            explores_from_games(page)
            edits_positions(page)
            signs(page)
            prints(page)
            saves(page)
            has_names(page)
            compares(page)
            bookmarks(page)
            ends(page, server)
            with serving(suite, GAMES, STUDIES) as other:
                databases(Page(suite, browser, other))
        finally:
            browser.close()
        widths(suite, server)
        plain_form(suite, server)
        if suite.update:
            pictures(suite, server)
