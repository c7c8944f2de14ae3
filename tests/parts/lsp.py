"""`cqlgen lsp` and the syntax files of editors: sessions over pipes, in which every request is made. Diagnostics are those that the command
line prints (tests/diagnostics), at the same places; each fix removes its error; completion offers the words of the table; a layout is that of
`cqlgen convert`; broken input ends nothing. The syntax files colour each word once."""
import glob
import json
import os
import random
import re
import shutil
import subprocess

from parts.harness import EXAMPLES, ROOT, TESTS, read, write
from parts import manual

DIAGNOSTICS = os.path.join(TESTS, "diagnostics")
SEVERITY = {1: "error", 2: "warning", 3: "note"}
URI = "file:///query.cql"


def holds(suite, name, good, why=""):
    return suite.check(name, bool(good), str(why))


class Session:
    """A language server; positions are UTF-16 units unless `encodings` has another one first that it takes."""

    def __init__(self, suite, encodings=None):
        self.process = subprocess.Popen([suite.cqlgen, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.last = 0
        general = {"positionEncodings": encodings} if encodings else {}
        self.start = self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {"general": general}})
        self.notify("initialized", {})

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def receive(self):
        """The next message; None at the end."""
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            length = int(re.fullmatch(rb"Content-Length: (\d+)\r\n", line)[1])

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def answer(self, number):
        """The answer with this number; what the server says before it is left out."""
        while True:
            message = self.receive()
            if message is None or (message.get("id") == number and "method" not in message):
                return message

    def request(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        return self.answer(self.last)

    def diagnostics(self, version):
        """The diagnostics of this version of the document."""
        while True:
            message = self.receive()
            if message["method"] == "textDocument/publishDiagnostics" and message["params"].get("version") == version:
                return message["params"]["diagnostics"]

    def open(self, text):
        self.last += 1
        self.notify("textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "cql", "version": self.last, "text": text}})
        return self.diagnostics(self.last)

    def change(self, *edits):
        self.last += 1
        self.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": self.last}, "contentChanges": list(edits)})
        return self.diagnostics(self.last)

    def ask(self, method, **params):
        return self.request("textDocument/" + method, {"textDocument": {"uri": URI}, **params})

    def end(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.stdin.close()
        return self.process.wait(timeout=60)


# ---- positions, worked out in Python --------------------------------------------------------------------------------------

def lines_of(text):
    return re.split("(?<=\n)|(?<=\r)(?!\n)", text)


def offset_of(text, position):
    """The offset in a Python string of a position in UTF-16 units."""
    lines = lines_of(text)
    before, line = lines[:position["line"]], lines[position["line"]]
    units = line.encode("utf-16-le")[:2 * position["character"]]
    return sum(map(len, before)) + len(units.decode("utf-16-le"))


def position_of(text, offset):
    lines = lines_of(text[:offset])
    return {"line": len(lines) - 1, "character": len(lines[-1].encode("utf-16-le")) // 2}


def span_of(text, span):
    return offset_of(text, span["start"]), offset_of(text, span["end"])


def apply_edits(text, edits):
    for start, end, new in sorted(((*span_of(text, e["range"]), e["newText"]) for e in edits), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def whole(text):
    return {"start": {"line": 0, "character": 0}, "end": position_of(text, len(text))}


# ---- diagnostics -------------------------------------------------------------------------------------------------------------

def printed_form(text, diagnostic):
    """LINE:COLUMN: SEVERITY: MESSAGE, as the command line prints it: LF ends lines, and columns count characters."""
    start = offset_of(text, diagnostic["range"]["start"])
    line = text.rfind("\n", 0, start) + 1
    column = start - line + 1 - (text[:1] == "\ufeff" and line == 0 and start > 0)
    return "%d:%d: %s: %s" % (text.count("\n", 0, start) + 1, column, SEVERITY[diagnostic["severity"]], diagnostic["message"])


def check_diagnostics(suite):
    """Those of the command line for each of tests/diagnostics; the fixes of each remove it."""
    session, fixed = Session(suite), 0
    for path in sorted(glob.glob(os.path.join(DIAGNOSTICS, "*.cql"))):
        name = os.path.basename(path)
        with open(path, "rb") as file:
            data = file.read()
        try:
            text = data.decode()
        except UnicodeDecodeError:
            continue  # JSON is UTF-8
        if "\0" in text:
            continue
        want = re.findall(r"(?m)^%s:(\d+:\d+: (?:error|warning|note): .*)$" % re.escape(name), read(path[:-4] + ".stderr"))
        found = session.open(text)
        got = [printed_form(text, d) for d in found]
        holds(suite, "lsp: diagnostics of " + name, got[:30] == want, "%s, not %s" % (got[:30], want))
        actions = session.ask("codeAction", range=whole(text), context={"diagnostics": []})["result"]
        messages = [d["message"] for d in found]
        for action in actions:
            fixed += 1
            mine = action["diagnostics"][0]
            after = session.open(apply_edits(text, action["edit"]["changes"][URI]))
            left = [d["message"] for d in after].count(mine["message"])
            holds(suite, "lsp: %s: `%s` removes the error" % (name, action["title"]),
                        mine in found and left < messages.count(mine["message"]), after)
    holds(suite, "lsp: there are fixes", fixed > 40, fixed)
    holds(suite, "lsp: the end", session.end() == 0)


def check_places(suite):
    """Characters beyond ASCII and beyond 16 bits before an error, line ends, both encodings; by hand."""
    text = 'cql() "\u00e9\U0001f600\u20ac" == "a"\r\n/* \U0001f600 */ chek\nmate "\U0001f600" in site mate stalmate'
    for encodings, name, columns in ((None, "utf-16", ((1, 9, 13), (2, 23, 31))), (["utf-8", "utf-16"], "utf-8", ((1, 11, 15), (2, 25, 33))),
                                     (["utf-32"], "utf-16", ((1, 9, 13), (2, 23, 31)))):
        session = Session(suite, encodings)
        holds(suite, "lsp: the encoding " + name, session.start["result"]["capabilities"]["positionEncoding"] == name)
        found = [(d["range"]["start"]["line"], d["range"]["start"]["character"], d["range"]["end"]["character"])
                 for d in session.open(text) if "did you mean" in d["message"]]
        holds(suite, "lsp: places in " + name, found == list(columns), found)
        hover = session.ask("hover", position={"line": 2, "character": columns[1][1] - 10})["result"]
        holds(suite, "lsp: hover in " + name, hover and "site" in hover["contents"]["value"], hover)
        session.end()


def check_edits(suite):
    """After random edits of ranges the diagnostics are those of the text that Python has edited."""
    pick = random.Random(3)
    pieces = ["chek", "mate ", "\U0001f600", '"\u00e9"', "\n", "\r\n", " { k ", "}", "", "cql()", "// \u20ac\n"]
    session, fresh = Session(suite), Session(suite)
    text, wrong = "cql()\nmate\n", None
    session.open(text)
    for _ in range(suite.size(300, 100, 30)):
        edits, start_text = [], text
        for _ in range(pick.randrange(1, 4)):
            ends = sorted(pick.randrange(len(text) + 1) for _ in range(2))
            if any(text[end - 1:end + 1] == "\r\n" for end in ends):
                continue  # no position of the protocol
            if ends[1] - ends[0] > 20:
                ends[1] = ends[0]
            new = pick.choice(pieces)
            edits.append({"range": {"start": position_of(text, ends[0]), "end": position_of(text, ends[1])}, "text": new})
            text = text[:ends[0]] + new + text[ends[1]:]
        got, want = session.change(*edits), fresh.open(text)
        if got != want and not wrong:
            wrong = (start_text, edits, got, want)
    holds(suite, "lsp: edits of ranges", not wrong, wrong)
    holds(suite, "lsp: a whole new text", session.change({"text": "cql() mate"}) == [] and
                [d["message"][:19] for d in session.change({"text": "cql() mat"})] == ["unknown name `mat`;"])
    session.end(), fresh.end()


# ---- words ----------------------------------------------------------------------------------------------------------------------

def table_words(dialect):
    """The words of the table for a dialect, by the rows of filters.def."""
    found = set()
    for row in read(os.path.join(manual.LANGUAGE, "filters.def")).splitlines():
        match = re.match(r'(FILTER|CHECKED|OWN|SYNONYM|PREFIX|WORD|CQL5|CQL5_WORD|CQL3|CQL3_WORD)\(\w+, "([^"]+)", ?(\w*)', row)
        if not match or "*" in match[2]:
            continue
        kind, word, place = match.groups()
        only = re.findall(r"\b(ONLY_CQL6|ONLY_CQLI|ONLY_CQL5|ONLY_CQL3|OF_CQLGEN|ONLY_PARAMETER|CQL5_TOO|CQLI_PARAMETER)\b", row)
        of = {"CQL5": {"cql5"}, "CQL5_WORD": {"cql5"}, "CQL3": {"cql3"}, "CQL3_WORD": {"cql3"}}.get(kind, {"cql6", "cqli"})
        if kind.startswith("CQL3") and place == "NOTHING":
            of = set()
        for one in only:
            of = of | {"cql5"} if one == "CQL5_TOO" else of if one in ("OF_CQLGEN", "CQLI_PARAMETER") else \
                {"cqli"} if one == "ONLY_PARAMETER" else {one[5:].lower()}
        if dialect in of:
            found.add(word)
    return found


def check_completion(suite):
    session = Session(suite)
    for dialect, mark, query in (("cql6", "// dialect: cql6", "cql() "), ("cqli", "// dialect: cqli", "cql() "),
                                 ("cql5", "; dialect: cql5", "cql(input x.pgn) "), ("cql3", "; dialect: cql3", "(match (position ")):
        text = mark + "\n" + query
        session.open(text)
        items = session.ask("completion", position=position_of(text, len(text)))["result"]["items"]
        labels = [item["label"] for item in items]
        words = table_words(dialect)
        holds(suite, "lsp: completion has the words of " + dialect, words <= set(labels) and len(words) > 80, words - set(labels))
        holds(suite, "lsp: completion has each word of %s once, with a gloss" % dialect, len(set(labels)) == len(labels) and
                    all(item["detail"] for item in items))
        wrong = [item["label"] for item in items if apply_edits(text, [item["textEdit"]]) != text + item["label"]]
        holds(suite, "lsp: completion of %s: applied" % dialect, not wrong, wrong)
    text = 'cql()\nfunction Twice(x) { x + x }\nCount = 3\npiece Rook in R { Rook }\nset /* fl */ fli k tag "Whi" == "a"\n// fli'

    def labels_at(word, number=0):
        offset = [m.end() for m in re.finditer(word, text)][number]
        items = session.ask("completion", position=position_of(text, offset))["result"]["items"]
        applied = {item["label"]: apply_edits(text, [item["textEdit"]]) for item in items}
        return applied, offset

    session.open(text)
    for word, number, want in (("fli", 0, {"flip", "flipcolor", "fliphorizontal", "flipvertical", "flipdihedral"}), ("fli", 1, set()), ("/\\* fl", 0, set()),
                               ('"Whi', 0, {"White", "WhiteElo"}), ('"a', 0, set()), ("set ", 0, {"Twice", "Count", "Rook"})):
        applied, offset = labels_at(word, number)
        good = want <= set(applied) and (bool(want) or not applied)
        holds(suite, "lsp: completion after `%s`, %d" % (word, number), good, sorted(applied)[:20])
        size = len(re.search(r"\w*$", text[:offset])[0])
        wrong = [label for label, new in applied.items() if new != text[:offset - size] + label + re.sub(r"^\w+", "", text[offset:])]
        holds(suite, "lsp: completion after `%s`, %d replaces the word" % (word, number), not wrong, wrong)
    symbols = session.ask("documentSymbol")["result"]
    holds(suite, "lsp: symbols", [(s["name"], s["kind"], text[slice(*span_of(text, s["range"]))]) for s in symbols] ==
                [("Twice", 12, "Twice"), ("Count", 13, "Count"), ("Rook", 13, "Rook")], symbols)
    session.end()


def check_hover(suite):
    """Each name of the manual has its page, with the syntax that the page has; the place that is explained has the name."""
    session, wrong = Session(suite), []
    pages = [page for page in manual.pages() if page.file < "10"]
    names = [(name, page) for page in pages for name in page.names if not re.search(r"\s|\u2026|[A-Z]{2}", name)]
    for name, page in names:
        text = "cql()\n" + name + "\n"
        session.open(text)
        hover = session.ask("hover", position={"line": 1, "character": 0})["result"]
        if not hover or "```\n%s\n```" % "\n".join(page.syntax) not in hover["contents"]["value"] or text[slice(*span_of(text, hover["range"]))] != name:
            wrong.append((name, hover and hover["contents"]["value"][:60]))
    # signs that begin a comment or a string, or are parts of others
    holds(suite, "lsp: hover over each name of the manual", len(names) > 200 and len(wrong) < 25, (len(wrong), wrong))
    session.end()


# ---- layout ---------------------------------------------------------------------------------------------------------------------

def check_layout(suite):
    session = Session(suite)
    paths = sorted(glob.glob(os.path.join(EXAMPLES, "*.cql"))) + sorted(glob.glob(os.path.join(EXAMPLES, "dialects", "*.cql*")))
    for path in suite.some(paths, 40, 10):
        try:
            text = read(path)
        except UnicodeDecodeError:
            continue
        session.open(text)
        edits = session.ask("formatting", options={"tabSize": 4, "insertSpaces": True})["result"]
        want = suite.run([suite.cqlgen, "convert", path]).text()
        holds(suite, "lsp: layout of " + os.path.basename(path), (edits and apply_edits(text, edits)) == (want or None), edits)
    session.open("cql() chek")
    holds(suite, "lsp: no layout after an error", session.ask("formatting", options={})["result"] is None)
    session.end()


# ---- the protocol ------------------------------------------------------------------------------------------------------------------

def check_protocol(suite):
    plain = subprocess.run([suite.cqlgen, "lsp"], input=b"", stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    holds(suite, "lsp: an empty input", (plain.returncode, plain.stdout, plain.stderr) == (1, b"", b""), plain)
    suite.ends("lsp: takes no file", suite.run([suite.cqlgen, "lsp", "x.cql"]), status=2,
               err="cqlgen: `cqlgen lsp` takes no file: the editor that starts it sends the queries\n")
    session = Session(suite)
    for name, message, want in (
            ("unknown method", {"id": 100, "method": "textDocument/rename", "params": {}}, (100, -32601)),
            ("initialized twice", {"id": "x", "method": "initialize", "params": {}}, ("x", -32600)),
            ("no document", {"id": 102, "method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///other"}, "position": {"line": 0, "character": 0}}}, (102, -32602)),
            ("no parameters", {"id": 103, "method": "textDocument/completion"}, (103, -32602)),
            ("wrong parameters", {"id": 104, "method": "textDocument/codeAction", "params": [1]}, (104, -32602)),
            ("neither request nor answer", {"id": 105}, (105, -32600))):
        session.send(message)
        got = session.receive()
        holds(suite, "lsp: " + name, (got.get("id"), got.get("error", {}).get("code")) == want, got)
    session.raw(b"Content-Length: 3\r\n\r\n{x}")
    got = session.receive()
    holds(suite, "lsp: no JSON", (got["id"], got["error"]["code"]) == (None, -32700), got)
    session.raw(b"Content-Length: 40000000\r\n\r\n" + b" " * 40000000)
    got = session.receive()
    holds(suite, "lsp: a message that is too long", (got["id"], got["error"]["code"]) == (None, -32600), got)
    session.send({"id": 1000, "result": None})  # an answer to a question that was not asked
    session.notify("$/setTrace", {"value": "off"})
    session.raw(b"content-length:  %d \r\nContent-Type: x\r\n\r\n" % 2 + b"{}")
    holds(suite, "lsp: a field in small letters", session.receive()["error"]["code"] in (-32600, -32700))
    session.open("cql() mate")
    session.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    closed = session.receive()
    holds(suite, "lsp: a closed document has no diagnostics", closed["params"] == {"uri": URI, "diagnostics": []}, closed)
    holds(suite, "lsp: a closed document is unknown", session.ask("documentSymbol")["error"]["code"] == -32602)
    holds(suite, "lsp: shutdown", session.request("shutdown", None)["result"] is None)
    holds(suite, "lsp: after shutdown", session.request("shutdown", None)["error"]["code"] == -32600)
    session.notify("exit", None)
    holds(suite, "lsp: exit", session.process.wait(timeout=60) == 0)
    session = Session(suite)
    session.notify("exit", None)
    holds(suite, "lsp: exit without shutdown", session.process.wait(timeout=60) == 1)


def check_large(suite):
    """Queries that are long or nested deeply are answered."""
    session = Session(suite)
    n = suite.size(100000, 20000, 2000)
    for name, text in (("brackets", "cql() " + "(" * n), ("braces", "cql() " + "{ " * n + "k" + " }" * n),
                       ("sum", "cql() 0 < " + "1 + " * n + "1"), ("names", "cql() " + "chek " * n), ("a line", "cql() mate // " + "x" * 10 * n),
                       ("lists", "; dialect: cql3\n" + "(" * n), ("strings", 'cql() "' * n),
                       ("copies", "cql() " + "flip shift rotate45 " * 12 + "{" + " Ra1-8 " * 400 + "}")):
        found = session.open(text)
        items = session.ask("completion", position=position_of(text, len(text)))
        holds(suite, "lsp: a large query, " + name, isinstance(found, list) and "result" in items, items)
    session.raw(b"Content-Length: 100000\r\n\r\n" + b"[" * 100000)
    holds(suite, "lsp: nested JSON", session.receive()["error"]["code"] == -32700)
    holds(suite, "lsp: the end after large queries", session.end() == 0)


def broken(pick, frame):
    """Bytes that are not a frame, or no longer."""
    kind = pick.randrange(5)
    if kind == 0:
        return bytes(pick.randrange(256) for _ in range(pick.randrange(200)))
    if kind == 1:
        return frame[:pick.randrange(len(frame))]
    data = bytearray(frame)
    for _ in range(pick.randrange(1, 6)):
        place = pick.randrange(len(data))
        data[place:place + (kind == 2)] = bytes([pick.choice(b'{}[]",:0123456789-\r\n\0\xff\\x')])
    if kind == 4:
        body = bytes(data).partition(b"\r\n\r\n")[2]
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    return bytes(data)


def check_garbage(suite):
    """After what is broken, the server answers again: what it took for a body has at most some hundred bytes."""
    pick = random.Random(5)
    bodies = [json.dumps(m).encode() for m in (
        {"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 7}}},
        {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": URI, "version": 9}, "contentChanges": [
            {"range": {"start": {"line": 0, "character": 6}, "end": {"line": 0, "character": 9}}, "text": "check \U0001f600"}]}},
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": URI, "languageId": "cql", "version": 3, "text": "cql() chek"}}},
        {"jsonrpc": "2.0", "id": 8, "method": "textDocument/codeAction", "params": {"textDocument": {"uri": URI}, "range": {
            "start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 99}}, "context": {"diagnostics": []}}})]
    frames = [b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies]
    session = Session(suite)
    session.open("cql() mate")
    silent = None
    for turn in range(suite.size(600, 250, 60)):
        data = broken(pick, pick.choice(frames))
        if re.search(rb"(?i)content-length:[ \t]*0*[1-9]\d{3}", data):
            continue  # a body that does not end here
        session.raw(data + b"\r\n" * 1000)
        for last in range(3):
            session.send({"id": "%d.%d" % (turn, last), "method": "textDocument/documentSymbol", "params": {"textDocument": {"uri": URI}}})
        if session.answer("%d.2" % turn) is None:
            silent = data
            break
    holds(suite, "lsp: answers after what is broken", silent is None, silent)
    holds(suite, "lsp: the end after what is broken", silent is not None or session.end() == 0)


# ---- syntax files -----------------------------------------------------------------------------------------------------------------

def check_grammar(suite, folder):
    """The grammar of TextMate is JSON, its expressions compile, and each word has one rule."""
    grammar = json.loads(read(os.path.join(folder, "chess-cql", "syntaxes", "cql.tmLanguage.json")))
    rules = [(p["name"], p[key]) for p in grammar["patterns"] for key in ("match", "begin", "end") if key in p]
    for name, expression in rules:
        re.compile(expression)
    word_rules = [(p["name"], re.compile(p["match"])) for p in grammar["patterns"] if "match" in p and not p["name"].startswith("variable.")]
    words = set().union(*map(table_words, ("cql6", "cqli", "cql5", "cql3")))
    wrong = []
    for word in words:
        found = [name for name, expression in word_rules if expression.fullmatch(word)]
        other = [name for name, expression in word_rules if re.search(expression, "x" + word + "y") and re.search(expression, "x" + word + "y").end() > len(word)]
        if len(found) != 1 or (word[0] != ":" and other):
            wrong.append((word, found, other))
    holds(suite, "lsp: the grammar colours each word once", len(words) > 300 and not wrong, wrong[:10])
    holds(suite, "lsp: the grammar has the scope of the extension", grammar["scopeName"] == json.loads(
        read(os.path.join(folder, "chess-cql", "package.json")))["contributes"]["grammars"][0]["scopeName"])


def check_vim(suite, folder):
    """Vim loads its files and colours a query as they say."""
    if not shutil.which("vim"):
        return
    query, out = suite.path("vim.cql"), suite.path("vim.txt")
    write(query, 'cql() flip mate and o-o-o Qd1 // mate\n"mate" 12 Own ; x\n(position :check)\n')
    wanted = [((1, 1), "cqlWord"), ((1, 7), "cqlTransform"), ((1, 12), "cqlFilter"), ((1, 17), "cqlWord"), ((1, 25), "cqlFilter"), ((1, 27), "cqlPieces"),
              ((1, 34), "cqlComment"), ((2, 3), "cqlString"), ((2, 8), "cqlNumber"), ((2, 11), "cqlVariable"), ((2, 15), "cqlComment"), ((3, 12), "cqlKeyword")]
    commands = ["set nocompatible encoding=utf-8 runtimepath^=%s" % os.path.join(folder, "vim"), "filetype plugin on", "syntax on", "edit " + query, "redir! > " + out,
                "silent echo &filetype b:current_syntax &commentstring"]
    commands += ["silent echo synIDattr(synID(%d, %d, 1), 'name')" % place for place, _ in wanted] + ["redir END", "qa!"]
    script = suite.path("check.vim")
    write(script, "\n".join(commands) + "\n")
    suite.run(["vim", "-u", "NONE", "-i", "NONE", "-es", "-n", "-S", script], timeout=60)
    got = [line for line in (read(out) if os.path.exists(out) else "").split("\n") if line]
    holds(suite, "lsp: vim", got == ["cql cql // %s"] + [name for _, name in wanted], got)


def check_emacs(suite, folder):
    if not shutil.which("emacs"):
        return
    query = suite.path("emacs.cql")
    write(query, 'cql() flip mate // mate\n"mate" ; x\n/* k */ and\n')
    places = {1: "font-lock-keyword-face", 7: "font-lock-type-face", 12: "font-lock-function-name-face", 20: "font-lock-comment-face",
              26: "font-lock-string-face", 34: "font-lock-comment-face", 39: "font-lock-comment-face", 44: "font-lock-keyword-face"}
    result = suite.run(["emacs", "-Q", "--batch", "-l", os.path.join(folder, "emacs", "cql-mode.el"), query, "--eval",
                        "(progn (font-lock-ensure) (princ (format \"%%s %%s\" major-mode (mapcar (lambda (p) (get-text-property p 'face)) '(%s)))))"
                        % " ".join(map(str, places))], timeout=60)
    holds(suite, "lsp: emacs", result.text() == "cql-mode (%s)" % " ".join(places.values()), result.text() + result.errors())


def check_extension(suite, folder):
    """The extension of VS Code in Node, with a stand-in for the interface of VS Code."""
    if not shutil.which("node"):
        return
    result = suite.run(["node", os.path.join(TESTS, "tools", "vscode.js"), os.path.join(folder, "chess-cql"), suite.cqlgen, 'cql()\n"\u00e9\U0001f600" in site mate chek'], timeout=60)
    got = json.loads(result.text() or "{}")
    holds(suite, "lsp: the extension: an error", got.get("diagnostics") == ["1:19-1:23 0 unknown name `chek`; did you mean `check`?"], str(got)[:300] + result.errors())
    holds(suite, "lsp: the extension: its fix", got.get("fixes") == [["write `check`", "1:19-1:23", "check"]], got.get("fixes"))
    holds(suite, "lsp: the extension: completion", "check 1:19-1:23" in got.get("items", []), got.get("items"))
    holds(suite, "lsp: the extension: hover", "site" in got.get("hover", ""), got.get("hover"))
    holds(suite, "lsp: the extension: layout", got.get("layout", [["", ""]])[0][1].endswith("check\n"), got.get("layout"))
    holds(suite, "lsp: the extension: after a change", got.get("changed") == [], got.get("changed"))
    result = suite.run(["node", os.path.join(TESTS, "tools", "vscode.js"), os.path.join(folder, "chess-cql"), suite.path("no-such-program"), "cql()"], timeout=60)
    holds(suite, "lsp: the extension without cqlgen", "chess-cql.command" in result.text(), result.text() + result.errors())


def check_editors(suite):
    folder = os.path.join(suite.out, "editors")
    sources = os.path.join(ROOT, "templates", "editors")
    files = [os.path.relpath(path, sources) for path in glob.glob(os.path.join(sources, "*", "**", "*.*"), recursive=True)]
    holds(suite, "lsp: no place for words is left", not [file for file in files if re.search(r"@(filter|word|transform|reserved|keyword|VERSION)@", read(os.path.join(folder, file)))])
    for check in (check_grammar, check_vim, check_emacs, check_extension):
        check(suite, folder)


def run(suite):
    check_protocol(suite)
    check_diagnostics(suite)
    check_places(suite)
    check_edits(suite)
    check_completion(suite)
    check_hover(suite)
    check_layout(suite)
    check_large(suite)
    check_garbage(suite)
    check_editors(suite)
