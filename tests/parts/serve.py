"""`cqlgen serve`: its answers against those of the command line, the plain form, mistakes, attacks, and how searches and the server end.

Without libcivetweb and libjansson the program has no server, which it must say.
"""
import concurrent.futures
import contextlib
import http.client
import json
import os
import re
import select
import shlex
import signal
import socket
import sqlite3
import subprocess
import time
import urllib.parse

from parts.harness import EXAMPLES, ROOT, read, write

TOKEN = "a-token-of-the-tests"
GAMES = os.path.join("examples", "games.pgn")
PATHS = ("/", "/databases", "/search", "/count", "/explore", "/game/1", "/export", "/check", "/complete", "/help/mate", "/examples", "/format", "/no/such")
ENDLESS = "loop true"  # each game takes seconds until it is abandoned
MARKUP = "<script>alert(1)</script><img src=x onerror='alert(2)'>&\"'"


class Server:
    """A running server; `address` is where it listens."""

    def __init__(self, suite, *arguments, token=TOKEN):
        self.token = token
        self.process = subprocess.Popen([suite.cqlgen, "serve", *arguments, "--token", token, "--no-browser"], cwd=ROOT, env=suite.environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"http://([\d.]+):(\d+)/\?token=%s\n" % token, line)
        if not found:
            raise RuntimeError("the server does not start: %s%s" % (line, self.process.stderr.read()))
        self.address, self.port = found.group(1), int(found.group(2))

    def request(self, path, members=None, method=None, body=None, token=TOKEN, headers=(), timeout=60):
        """(status, headers, body) of a request: GET, or POST of the members as JSON."""
        connection = http.client.HTTPConnection(self.address, self.port, timeout=timeout)
        headers = dict(headers)
        if token:
            headers.setdefault("Authorization", "Bearer " + token)
        if members is not None:
            body = json.dumps(members)
            headers.setdefault("Content-Type", "application/json")
        connection.request(method or ("GET" if body is None else "POST"), path, body, headers)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, response.headers, data.decode("utf-8", "replace") if not path.startswith("/export") else data

    def json(self, path, members=None):
        return json.loads(self.request(path, members)[2])

    def events(self, path, members):
        """The events of an answer: (name, text of the data)."""
        return events_of(self.request(path, members)[2])

    def open(self, path, members=None, more=""):
        """A connection on which a request is sent."""
        body = json.dumps(members or {})
        s = socket.create_connection((self.address, self.port), timeout=30)
        s.sendall(("POST %s HTTP/1.1\r\nHost: localhost:%d\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s"
                   % (path, self.port, self.token, len(body), more, body)).encode())
        return s

    def children(self):
        """The processes that search."""
        with open("/proc/%d/task/%d/children" % (self.process.pid, self.process.pid)) as file:
            own = file.read().split()
        for task in os.listdir("/proc/%d/task" % self.process.pid):
            with contextlib.suppress(FileNotFoundError), open("/proc/%d/task/%s/children" % (self.process.pid, task)) as file:
                own += file.read().split()
        return set(map(int, own))

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()
            self.process.stdout.close()
            self.process.stderr.close()


@contextlib.contextmanager
def serving(suite, *arguments):
    server = Server(suite, *arguments)
    try:
        yield server
    finally:
        if server.process.returncode is None:
            server.end()


def events_of(text):
    return [(part.partition("\n")[0][len("event: "):], part.partition("\ndata: ")[2]) for part in text.split("\n\n") if part]


def data_of(events, name):
    return [json.loads(data) for event, data in events if event == name]


def until(condition, seconds=20):
    """Waits until the condition is true; false when it does not become so."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def run(suite):
    stored, other = suite.path("games.cqldb"), suite.path("other/games.cqldb")
    os.makedirs(suite.path("other"))
    for name, source in ((stored, GAMES), (other, os.path.join("examples", "studies.pgn"))):
        suite.run([suite.cqlgen, "import", source, "-o", name, "-q"])
    if "built without a server" in suite.run([suite.cqlgen, "serve"]).errors():
        return
    with serving(suite, GAMES, stored, other, "--max-seconds", "60") as server:
        answers(suite, server, stored)
        searches(suite, server, stored)
        tables(suite, server, stored)
        files(suite, server, stored)
        games(suite, server, stored)
        forms(suite, server, stored)
        mistakes(suite, server)
        attacks(suite, server)
        many(suite, server)
        closed(suite, server)
    strange_names(suite)
    limits(suite, stored)
    markup(suite)
    ends(suite, stored)
    refused(suite, stored)


def answers(suite, server, stored):
    """Paths that are answered at once."""
    got = server.json("/databases")
    count = lambda name: int(re.match(r"games +(\d+)", suite.run([suite.cqlgen, "info", name]).text()).group(1))
    suite.check("serve: /databases", got["databases"] == [
        {"name": "games.pgn", "path": GAMES, "games": None, "bytes": os.path.getsize(os.path.join(ROOT, GAMES))},
        {"name": "games.cqldb", "path": stored, "games": count(stored), "bytes": os.path.getsize(stored)},
        {"name": "games.cqldb (2)", "path": suite.path("other/games.cqldb"), "games": count(suite.path("other/games.cqldb")), "bytes": os.path.getsize(suite.path("other/games.cqldb"))}]
        and got["version"] == suite.run([suite.cqlgen, "--version"]).text().split()[1], str(got))
    got = server.json("/check", {"query": "mat"})["diagnostics"]
    suite.check("serve: /check", got[0]["range"]["end"] == {"line": 0, "character": 3} and got[0]["fixes"][0]["edits"][0]["newText"] == "mate", str(got))
    suite.check("serve: /check of a good query", server.json("/check", {"query": "mate"})["diagnostics"] == [])
    got = server.json("/complete", {"query": "stalem", "position": {"line": 0, "character": 6}})["items"]
    suite.check("serve: /complete", "stalemate" in [item["label"] for item in got], str(got))
    status, _, text = server.request("/help/stalemate")
    suite.check("serve: /help", status == 200 and "stalemate" in json.loads(text)["text"], text)
    suite.check("serve: /help of no word", server.request("/help/nothing-like-it")[0] == 404)
    got = server.json("/format", {"query": "cql() mate   or\n check"})["query"]
    suite.check("serve: /format", "mate or check" in got, got)
    suite.check("serve: /format of a bad query", server.request("/format", {"query": "mat"})[0] == 400)
    got = {e["name"]: (s["subject"], e["query"]) for s in server.json("/examples")["subjects"] for e in s["examples"]}
    want = {name: (line.partition(":")[0], read(os.path.join(EXAMPLES, name + ".cql")))
            for line in read(os.path.join(EXAMPLES, "subjects.txt")).splitlines() for name in line.partition(":")[2].split()}
    suite.check("serve: /examples", got == want, str(set(got) ^ set(want)))
    status, headers, page = server.request("/?token=" + TOKEN, token=None)
    policy = headers["Content-Security-Policy"]
    nonce = re.search(r"script-src 'nonce-([0-9a-f]{32})'", policy)
    suite.check("serve: the page", status == 200 and "@TOKEN@" not in page and "@NONCE@" not in page and TOKEN in page and "default-src 'none'" in policy,
                policy)
    again = server.request("/")[1]["Content-Security-Policy"]
    suite.check("serve: each page has a nonce of its own", nonce and nonce.group(1) not in again, again)
    for path in PATHS:
        status, headers, _ = server.request(path, {})
        wrong = [name for name, value in (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"), ("Cache-Control", "no-store"),
                                          ("Cross-Origin-Resource-Policy", "same-origin"), ("Cqlgen-Api", "1"),
                                          ("Access-Control-Allow-Origin", None)) if headers[name] != value]
        suite.check("serve: headers of " + path, not wrong and "default-src 'none'" in headers["Content-Security-Policy"], str(wrong))


def searches(suite, server, stored):
    """The events of /search are the lines of -f jsonl, and `command` is a command that gives them."""
    for members, options in (({"query": "mate"}, ["-e", "mate"]),
                             ({"query": "check", "where": "result 1-0", "limit": 3, "first": True}, ["-e", "check", "--where", "result 1-0", "-n", "3", "--first"]),
                             ({"query": "mate", "sort": "ply"}, ["-e", "mate", "--where", "sort ply"]),
                             ({"query": "mate", "sort": "ply", "sort_min": True, "limit": 2}, ["-e", "mate", "--where", "sort min \"sort\" ply", "-n", "2"]),
                             ({"query": "check", "variations": True}, ["-e", "check", "--variations"]),
                             ({"query": "it's = 1 // '"}, None),
                             ({}, ["-e", "true"]),
                             ({"query": "check\ncomment(\"it's ä\")"}, ["-e", "check\ncomment(\"it's ä\")"])):
        events = server.events("/search", dict(members, databases=["games.cqldb"]))
        start, end = data_of(events, "start")[0], data_of(events, "end")[0]
        name = str(members)
        if options is None:
            suite.check("serve: a search with an error", "command" not in start and end["status"] == "failed" and
                        [event for event, _ in events] == ["start", "diagnostics", "end"], str(events))
            continue
        want = suite.search(*options, stored, "-f", "jsonl", "-q").text().splitlines()
        suite.check("serve: /search %s" % name, [data for event, data in events if event == "match"] == want, str(events)[:600])
        words = shlex.split(start["command"])
        again = suite.run([suite.cqlgen, *words[1:], "-f", "jsonl", "-q"]).text().splitlines()
        suite.check("serve: the command of %s" % name, again == want, start["command"])
        suite.check("serve: the end of %s" % name, end["matches"] >= len(want) and end["status"] == ("limit" if "limit" in members else "complete"), str(end))
    events = server.events("/search", {"query": "cql(gamenumber 2 3 output made-by-serve.pgn) mate", "databases": ["games.cqldb"]})
    suite.check("serve: a query with a header", [m["game"] for m in data_of(events, "match")] == [2, 3] and not os.path.exists(os.path.join(ROOT, "made-by-serve.pgn")), str(events)[:600])
    shell = subprocess.run(["bash", "-c", data_of(events, "start")[0]["command"] + "\n"], cwd=suite.path(""), env=suite.environment, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True).stdout
    suite.check("serve: its command in a shell", not shell and read(suite.path("made-by-serve.pgn")).count("[Event ") == 2, shell)
    long = "mate /* %s */" % ("a long comment " * 20000)
    events = server.events("/search", {"query": long, "databases": ["games.cqldb"]})
    suite.check("serve: a long query", [m["game"] for m in data_of(events, "match")] == [m["game"] for m in data_of(
        server.events("/search", {"query": "mate", "databases": ["games.cqldb"]}), "match")] != [], str(events)[-300:])
    events = server.events("/search", {"query": "mate", "databases": ["games.cqldb (2)", "games.pgn"]})
    files = [m["file"] for m in data_of(events, "match")]
    suite.check("serve: databases in their order", set(files[files.index(GAMES):]) == {GAMES} and files[0] == suite.path("other/games.cqldb") if GAMES in files else False, str(files))
    events = events_of(server.request("/search?" + urllib.parse.urlencode({"query": "mate", "databases": "games.pgn", "limit": 1}))[2])
    suite.check("serve: GET", [m["game"] for m in data_of(events, "match")] == [1], str(events))
    events = server.events("/search", {"query": "(match (position (pattern $ke1)))", "dialect": "cql3", "databases": ["games.pgn"], "limit": 1})
    suite.check("serve: a dialect", data_of(events, "start")[0]["dialect"] == "cql3", str(events)[:400])


def tables(suite, server, stored):
    for members, options in (({"by": "result"}, ["--count-by", "result"]),
                             ({"by": "eco/1", "measure": "games,avg(ply)", "order": "games", "limit": 2}, ["--count-by", "eco/1", "--measure", "games,avg(ply)", "--order", "games", "-n", "2"]),
                             ({"by": "piece", "per": "position", "among": "check"}, ["--count-by", "piece", "--per", "position", "--among", "check"]),
                             ({"by": "year/100", "of_all": True}, ["--count-by", "year/100", "--of-all"]),
                             ({"by": "result", "player": "Morphy"}, ["--count-by", "result", "--player", "Morphy"])):
        events = server.events("/count", dict(members, query="mate", databases=["games.cqldb"]))
        want = json.loads(suite.search("-e", "mate", stored, *options, "-f", "json", "-q").text())
        suite.check("serve: /count %s" % members, data_of(events, "table") == [want] and data_of(events, "end")[0]["status"] == "complete", str(events)[:600])
        suite.check("serve: /export of %s" % members, json.loads(server.request("/export", dict(members, query="mate", databases=["games.cqldb"], format="json"))[2]) == want)
    for members, options in (({}, []), ({"position": "1.e4", "plies": 2, "min_games": 2}, ["-p", "1.e4", "--plies", "2", "--min-games", "2"]),
                             ({"query": "mate", "where": "result 1-0"}, ["-e", "mate", "--where", "result 1-0"])):
        events = server.events("/explore", dict(members, databases=["games.cqldb"]))
        want = json.loads(suite.run([suite.cqlgen, "explore", stored, *options, "-f", "json", "-q"]).text())
        suite.check("serve: /explore %s" % members, data_of(events, "table") == [want], str(events)[:600])
    events = server.events("/explore", {"position": "1.e5"})
    suite.check("serve: /explore of an impossible position", "not legal" in data_of(events, "message")[0]["text"] and data_of(events, "end")[0]["status"] == "failed", str(events))


def files(suite, server, stored):
    """/export gives what -o writes."""
    for name in ("pgn", "jsonl", "csv", "tsv", "fen", "html", "positions", "count"):
        status, headers, got = server.request("/export", {"query": "mate", "databases": ["games.cqldb"], "format": name})
        want = suite.search("-e", "mate", stored, "-f", name, "-q", "-o", "-").out
        suite.check("serve: /export as %s" % name, status == 200 and got == want and re.match(r"%s; filename=\"found\." % ("inline" if name == "html" else "attachment"), headers["Content-Disposition"]),
                    "%s %r" % (headers, got[:200]))
    got = server.request("/export", {"query": "mate", "databases": ["games.cqldb"], "format": "csv", "fields": "game,White,after", "context": 1})[2]
    suite.check("serve: /export with fields", got == suite.search("-e", "mate", stored, "-f", "csv", "-q", "--fields", "game,White,after", "--context", "1").out, str(got[:200]))
    made = suite.path("found.sqlite")
    with open(made, "wb") as file:
        file.write(server.request("/export", {"query": "mate", "databases": ["games.cqldb"], "format": "sqlite"})[2])
    with contextlib.closing(sqlite3.connect(made)) as tables_:
        got = tables_.execute("SELECT count(*) FROM game").fetchone()[0]
    suite.check("serve: /export as sqlite", got == int(suite.search("-e", "mate", stored, "-f", "count", "-q").text()), str(got))
    for members, text in (({"query": "mat"}, b"did you mean `mate`"), ({"format": "xls"}, b"no such format: xls"), ({"fields": "game"}, b"--fields is for"),
                          ({"format": "json"}, b"count-by")):
        status, _, got = server.request("/export", members)
        suite.check("serve: /export %s is refused" % members, status == 400 and text in got, "%s %r" % (status, got))


def games(suite, server, stored):
    page = suite.search("-e", "mate", stored, "-g", "2-2", "-f", "html", "-q").text()
    got = server.json("/game/2", {"query": "mate", "databases": ["games.cqldb"]})
    suite.check("serve: /game", got["game"] == 2 and got["html"] in page and got["html"].startswith("<section "), str(got)[:500])
    got = server.json("/game/2", {"query": "mate", "databases": ["games.cqldb"], "format": "pgn"})
    suite.check("serve: /game as PGN", got["game"] == 2 and got["pgn"] == suite.search("-e", "mate", stored, "-g", "2-2", "-f", "pgn", "-q", "-o", "-").text(), str(got)[:500])
    none = {"query": "false", "databases": ["games.cqldb"], "where": "false"}
    got = server.json("/game/2", none)
    suite.check("serve: /game without a match", got["html"].startswith("<section ") and "<figure" not in got["html"] and "Be7#" in got["html"], str(got)[:500])
    got = server.json("/game/2", dict(none, format="pgn"))["pgn"]
    suite.check("serve: /game as PGN without a match", "CQL" not in got and "Game number" not in got and "23.Be7#" in got.replace("\n", " "), got)
    suite.check("serve: /game in another format", server.request("/game/2", dict(none, format="csv"))[0] == 400)
    for path, status in (("/game/9999", 404), ("/game/0", 404), ("/game/x", 404), ("/game/-1", 404), ("/game/1/2", 404), ("/game/99999999999999999999", 404)):
        suite.check("serve: %s" % path, server.request(path)[0] == status)
    suite.check("serve: /game with a bad query", server.request("/game/1", {"query": "mat"})[0] == 400)


def forms(suite, server, stored):
    """A form without a script gets the page of -f html."""
    body = urllib.parse.urlencode({"query": "mate", "databases": "games.cqldb", "where": "", "limit": ""})
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Origin": "http://localhost:%d" % server.port,
               "Host": "localhost:%d" % server.port}
    status, given, page = server.request("/search?token=" + TOKEN, body=body, token=None, headers=headers)
    want = suite.search("-e", "mate", stored, "-f", "html", "-q", "-o", "-").text()
    suite.check("serve: a form", status == 200 and page == want and given["Content-Type"] == "text/html; charset=utf-8" and "sandbox" in given["Content-Security-Policy"],
                page[:300])
    status, _, page = server.request("/search?token=" + TOKEN, body="query=mat", token=None, headers=headers)
    suite.check("serve: a form with an error", status == 400 and "did you mean" in page, page)


def mistakes(suite, server):
    for path, members, member in (("/search", {"limit": "many"}, "limit"), ("/search", {"limit": 0}, "limit"), ("/search", {"limit": 1.5}, "limit"),
                                  ("/search", {"first": 3}, "first"), ("/search", {"query": 3}, "query"), ("/search", {"lmit": 3}, "lmit"),
                                  ("/search", {"databases": "other.cqldb"}, "databases"), ("/search", {"databases": [3]}, "databases"),
                                  ("/search", {"databases": []}, "databases"), ("/search", {"dialect": "cql9"}, "dialect"), ("/search", {"api": 2}, "api"),
                                  ("/count", {}, "by"), ("/complete", {"query": "m"}, "position")):
        status, _, text = server.request(path, members)
        error = json.loads(text)["error"]
        suite.check("serve: %s %s is refused" % (path, members), status == error["status"] == 400 and error["member"] == member and member in error["text"], text)
    for body, type_, status in (("{", "application/json", 400), ("[]", "application/json", 400), ('{"query":"a","query":"b"}', "application/json", 400),
                                ('{"query":"a\\u0000b"}', "application/json", 400), ("query=%ff", "application/x-www-form-urlencoded", 400),
                                ("query=a%00b", "application/x-www-form-urlencoded", 400), ("query=mate", "text/plain", 415), ("[" * 100000, "application/json", 400)):
        got, _, text = server.request("/search", body=body, headers={"Content-Type": type_})
        suite.check("serve: the body %s is refused" % body[:30], got == status and json.loads(text)["error"]["text"], text[:300])
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "PROPFIND"):
        status, headers, _ = server.request("/", method=method)
        suite.check("serve: %s is refused" % method, status == 405 and headers["Allow"] == "GET, POST", str(status))


def attacks(suite, server):
    at = "127.0.0.1:%d" % server.port
    for path in PATHS:
        for name, headers, token, status in (
                ("no token", {}, None, 401), ("a wrong token", {}, TOKEN[:-1] + "x", 401), ("a longer token", {}, TOKEN + "x", 401), ("the beginning of the token", {}, TOKEN[:5], 401),
                ("a foreign origin", {"Origin": "http://example.org"}, TOKEN, 403), ("another port as origin", {"Origin": "http://127.0.0.1:1"}, TOKEN, 403),
                ("no origin", {"Origin": "null"}, TOKEN, 403), ("a name that leads here", {"Host": "example.org:%d" % server.port}, TOKEN, 403),
                ("an address of another computer", {"Host": "10.0.0.1:%d" % server.port}, TOKEN, 403), ("a host without port", {"Host": "localhost"}, TOKEN, 403),
                ("both foreign", {"Host": "example.org:%d" % server.port, "Origin": "http://example.org:%d" % server.port}, TOKEN, 403)):
            got, _, text = server.request(path, headers=headers, token=token)
            suite.check("serve: %s at %s" % (name, path), got == status and TOKEN not in str(text), "%s %s" % (got, text[:200]))
    for host in (at, "localhost:%d" % server.port, "LOCALHOST:%d" % server.port):
        suite.check("serve: the host %s" % host, server.request("/databases", headers={"Host": host, "Origin": "http://" + host})[0] == 200)
    status, _, text = server.request("/databases?token=%s&token=%s" % ("x" * 20, TOKEN), token=None)
    suite.check("serve: the first of two tokens counts", status == 401, text)
    secret = "Garry Kasparov"
    for path in ("/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/help/../../../../etc/passwd", "/help/..%2f..%2fREADME.md",
                 "/game/../../etc/passwd", "/help/%00", "/examples/games.pgn", "/page.html", "/.git/config"):
        status, _, text = server.request(path)
        suite.check("serve: the path %s" % path, status in (400, 404) and "root:" not in text, "%s %s" % (status, text[:200]))
    for name in ("/etc/passwd", "../examples/games.pgn", "examples/games.pgn", "@/etc/passwd", "-", "games.pgn\0", "--allow-files=/"):
        status, _, text = server.request("/search", {"databases": [name]})
        suite.check("serve: the database %r" % name, status == 400, text[:300])
    made = suite.path("made")
    bait = suite.path("bait.pgn")
    write(bait, '[White "%s"]\n\n1. e4 *\n' % secret)
    for member, text in (("query", 'readfile "%s" == "x"' % bait), ("query", 'writefile "%s" "x"' % made), ("query", 'commandpipe "touch %s" == ""' % made),
                         ("query", 'similarposition "%s"' % bait), ("query", 'similarposition "examples/studies.pgn"'), ("query", "// dialect: cqli\nreadfile(\"%s\") == \"x\"" % bait),
                         ("where", 'readfile "%s" == "x"' % bait), ("sort", 'readfile "%s"' % bait), ("sort", '"a" ply writefile "%s" "x"' % made)):
        events = server.events("/search", {"query": "true", member: text, "databases": ["games.pgn"]})
        suite.check("serve: the %s %s" % (member, text), not data_of(events, "match") and data_of(events, "end")[0]["status"] == "failed" and not os.path.exists(made)
                    and secret not in str(events), str(events)[:500])
    for member, text in (("by", 'readfile "%s"' % bait), ("among", 'writefile "%s" "x"' % made), ("measure", 'max(#readfile "%s")' % bait), ("player", "--allow-files=/"),
                         ("order", "--output=%s" % made), ("per", "--allow-commands"), ("by", "--output=%s" % made)):
        events = server.events("/count", dict({"by": "result"}, **{member: text, "databases": ["games.pgn"]}))
        suite.check("serve: the %s %s" % (member, text), not os.path.exists(made) and secret not in str(events) and
                    (data_of(events, "end")[0]["status"] == "failed" or member == "player"), str(events)[:500])
    for query in ("cql(input %s) true" % bait, "cql(output %s) mate" % made):
        for path, members in (("/search", {}), ("/export", {"format": "pgn"}), ("/explore", {})):
            server.request(path, dict(members, query=query, databases=["games.pgn"]))
            suite.check("serve: %s of %s" % (path, query[:10]), not os.path.exists(made) and secret not in str(server.request(path, dict(members, query=query, databases=["games.pgn"]))[2]))
    for title in ("--output=%s" % made, "-o%s" % made):
        server.request("/export", {"query": "mate", "format": "html", "title": title, "databases": ["games.pgn"]})
        server.request("/export", {"query": title, "format": "pgn", "databases": ["games.pgn"]})
        suite.check("serve: the title %s" % title, not os.path.exists(made))
    with contextlib.suppress(ConnectionError):
        status, _, text = server.request("/check", {"query": "a" * 10000000})
        suite.check("serve: a request of 10 MB", status == 413, text[:300])
    half = [socket.create_connection((server.address, server.port)) for _ in range(5)]
    for i, s in enumerate(half):
        s.sendall([b"GET / HT", b"POST /search HTTP/1.1\r\nHost: localhost\r\n", b"\0\xff\r\n\r\n", b"", b"GET /\r\n"][i])
    suite.check("serve: others are answered after half a request", server.request("/databases", timeout=10)[0] == 200)
    for s in half:
        s.close()


def many(suite, server):
    """A hundred searches at once: some are told to come again, the others are answered as ever."""
    want = server.events("/search", {"query": "mate", "databases": ["games.cqldb"]})
    matches = [data for event, data in want if event == "match"]
    blocked = [server.open("/search", {"query": ENDLESS}) for _ in range(max(2, len(os.sched_getaffinity(0))))]
    until(lambda: len(server.children()) == len(blocked))
    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        waiting = [pool.submit(server.request, "/search", {"query": "mate", "databases": ["games.cqldb"]}) for _ in range(100)]
        until(lambda: any(one.done() for one in waiting))
        suite.check("serve: others are answered while searches wait", server.request("/databases", timeout=10)[0] == 200)
        suite.check("serve: few searches run at once", len(server.children()) == len(blocked), str(server.children()))
        for s in blocked:
            s.close()
        got = [one.result() for one in waiting]
    good = [answer for answer in got if answer[0] == 200]
    late = [answer for answer in got if answer[0] == 503]
    suite.check("serve: of 100 searches, those that can wait are answered", len(good) == 64 and len(late) == 36 and all(a[1]["Retry-After"] for a in late),
                "%d, %d" % (len(good), len(late)))
    suite.check("serve: as ever", all([data for event, data in events_of(a[2]) if event == "match"] == matches for a in good))


def closed(suite, server):
    """The search ends with the connection, at each stage; a search that is killed says so."""
    for path, members in (("/search", {"query": ENDLESS}), ("/export", {"query": ENDLESS, "format": "csv"}), ("/game/1", {"query": ENDLESS}), ("/count", {"query": ENDLESS, "by": "result"}),
                          ("/explore", {"query": ENDLESS})):
        s = server.open(path, members)
        started = until(server.children)
        s.close()
        suite.check("serve: %s ends with its connection" % path, started and until(lambda: not server.children()), str(server.children()))
    s = server.open("/search", {"query": ENDLESS})
    until(server.children)
    for child in server.children():
        os.kill(child, signal.SIGKILL)
    text = b""
    while not text.endswith(b"\n\n") or b"event: end" not in text:
        text += s.recv(65536)
    s.close()
    suite.check("serve: a search that is killed", b"signal 9 ended the search" in text and b'"status":"failed"' in text, str(text))


def strange_names(suite):
    """A file whose name is not UTF-8 is searched, counted, and named in a command that finds it."""
    name = os.fsencode(suite.path("caf")) + b"\xe9's.pgn"
    with open(name, "wb") as file:
        file.write(read(GAMES).encode())
    with serving(suite, name, GAMES) as server:
        got = server.json("/databases")["databases"]
        suite.check("serve: a name that is not UTF-8", [d["name"] for d in got] == ["caf\u00e9's.pgn", "games.pgn"], str(got))
        events = server.events("/count", {"query": "mate", "by": "file"})
        groups = data_of(events, "table")[0] if data_of(events, "table") else []
        suite.check("serve: the key file is a path of /databases", {g["group"]["file"] for g in groups} == {d["path"] for d in got}, str(events))
        events = server.events("/search", {"query": "mate", "databases": [got[0]["name"]]})
        suite.check("serve: matches of a name that is not UTF-8", len(data_of(events, "match")) == found(suite, "mate"), str(events)[-300:])
        command = data_of(events, "start")[0]["command"].replace("cqlgen", suite.cqlgen, 1)
        suite.check("serve: the command of a name that is not UTF-8",
                    suite.run(["bash", "-c", command + " -q -f count"]).text().strip() == str(found(suite, "mate")), command)


def found(suite, query):
    """How many of GAMES the command line finds."""
    return int(suite.search("-e", query, GAMES, "-q", "-f", "count").text())


def limits(suite, stored):
    """The budgets of the server, and a client that reads slowly."""
    big = suite.path("big.pgn")
    suite.generate(big, games=700)
    with serving(suite, stored, big, "--max-seconds", "1", "--max-output", "1") as server:
        end = server.events("/search", {"query": ENDLESS})
        suite.check("serve: --max-seconds", data_of(end, "end")[0]["status"] == "time", str(end)[-300:])
        end = server.events("/search", {"query": "true", "databases": ["big.pgn"]})
        suite.check("serve: --max-output", data_of(end, "end")[0]["status"] == "limit" and "1 MB" in data_of(end, "message")[-1]["text"], str(end)[-300:])
        try:
            server.request("/export", {"query": "true", "databases": ["big.pgn"], "format": "jsonl"})
            whole = True
        except http.client.IncompleteRead:
            whole = False
        suite.check("serve: a file that breaks off can be told from a whole one", not whole)
    with serving(suite, stored, big) as server:
        slow = [server.open("/search", {"query": "true", "databases": ["big.pgn"]}) for _ in range(2 * max(2, len(os.sched_getaffinity(0))))]
        for s in slow:
            s.recv(1)
        until(lambda: len(server.children()) == len(slow), 5)
        got = [server.events("/search", {"query": "mate", "databases": ["games.cqldb"]}) for _ in range(2)]
        suite.check("serve: slow clients do not keep others from searching", all(data_of(events, "end")[0]["status"] == "complete" for events in got), str(got)[-300:])
        text = b""
        while True:
            piece = slow[0].recv(1 << 16)
            text += piece
            if not piece:
                break
        want = suite.search("-e", "true", big, "-f", "jsonl", "-q").text().splitlines()
        got = [data for event, data in events_of(text.decode().partition("\r\n\r\n")[2]) if event == "match"]
        suite.check("serve: a slow client gets all", got == want, "%d of %d" % (len(got), len(want)))
        for s in slow:
            s.close()
        suite.check("serve: no search is left", until(lambda: not server.children()))


def markup(suite):
    """Tags and comments full of markup remain text."""
    name = suite.path("markup.pgn")
    value = MARKUP.replace('"', '\\"')
    write(name, '[Event "%s"]\n[White "%s"]\n[Black "</section></script>"]\n[Result "*"]\n\n1. e4 {%s} e5 *\n' % (value, value, MARKUP))
    with serving(suite, name) as server:
        match = data_of(server.events("/search", {"query": "true", "first": True}), "match")[0]
        suite.check("serve: markup in JSON", match["tags"]["White"] == MARKUP, str(match))
        for query in ("ply==1", "false"):
            html = server.json("/game/1", {"query": query})["html"]
            suite.check("serve: markup of a game, %s" % query, "<script" not in html and "<img" not in html and html.count("</section>") == 1 and html.endswith("</section>"), html)
        status, headers, page = server.request("/search", {"query": "ply==1"}, headers={"Accept": "text/html"})
        suite.check("serve: markup in a page", "alert(1)</script>" not in page and "<img" not in page, page[-500:])
        page = server.request("/help/%3Cscript%3Ealert(1)%3C%2Fscript%3E")
        suite.check("serve: an error with markup is JSON", page[0] == 404 and page[1]["Content-Type"] == "application/json", str(page))


def ends(suite, stored):
    """The server ends in good order, with its searches; they do not outlive one that is killed."""
    for number, status in ((signal.SIGTERM, 0), (signal.SIGINT, 0), (signal.SIGHUP, 0), (signal.SIGKILL, -signal.SIGKILL)):
        server = Server(suite, stored)
        open_ = [server.open("/search", {"query": ENDLESS}), server.open("/export", {"query": ENDLESS, "format": "csv"})]
        until(lambda: len(server.children()) == 2)
        children = server.children()
        suite.check("serve: %s ends it" % number.name, server.end(number) == status)
        suite.check("serve: %s leaves no search" % number.name, len(children) == 2 and until(lambda: not any(map(alive, children))), str(children))
        for s in open_:
            s.close()


def refused(suite, stored):
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    for arguments, status, message in (
            ([], 3, "expected games: `cqlgen serve GAMES.cqldb...`"), ([suite.path("none.cqldb")], 3, "cannot read"), (["-"], 3, "standard input cannot be read for each search"),
            (["query.cql"], 3, "expected games, not query.cql"), ([stored, "--token", "short"], 2, "--token needs at least 16"), ([stored, "--token", "x" * 16 + "&"], 2, "--token needs"),
            ([stored, "--listen", "example.org"], 2, "--listen needs an address"), ([stored, "--port", "70000"], 2, "--port"),
            ([stored, "--port", str(taken.getsockname()[1])], 3, "cannot listen on 127.0.0.1, port %d" % taken.getsockname()[1])):
        suite.ends("serve: %s is refused" % " ".join(arguments), suite.run([suite.cqlgen, "serve", *arguments, "--no-browser"], timeout=20), status, "", message)
    taken.close()
    process = subprocess.Popen([suite.cqlgen, "serve", stored, "--no-browser"], cwd=ROOT, env=suite.environment, stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    process.terminate()
    suite.check("serve: a random token", bool(re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{32}\n", line)) and process.wait(20) == 0, line)
    process.stdout.close()
