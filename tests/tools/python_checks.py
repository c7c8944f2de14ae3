"""Checks the installed package cqlgen. usage: python_checks.py DOCUMENT... — runs their examples, too."""
import copy
import dataclasses
import doctest
import gc
import gzip
import io
import itertools
import multiprocessing
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time
import traceback
import warnings

import cqlgen
from cqlgen import _search

try:
    import pandas
except ImportError:
    pandas = None

MATE = '[White "Fool"]\n[WhiteElo "1500"]\n[BlackElo "1580"]\n[Result "0-1"]\n\n1. f3 {open} e5 2. g4 Qh4# 0-1\n\n'
QUIET = '[White "Other"]\n[Result "*"]\n\n1. e4 {[%clk 0:05:00]} e5 {[%eval 0.31]} *\n\n'
LONG = "x=0 while (x<2000000) x+=1"  # abandoned when its steps are used up


def raises(kind, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except kind as error:
        return error
    raise AssertionError("%s did not raise %s" % (function, kind))


def threads():
    return len(os.listdir("/proc/self/task"))


def all_ended(before):
    """The system lists a thread for a moment after its end."""
    end = time.monotonic() + 10
    while threads() > before and time.monotonic() < end:
        time.sleep(0.001)
    return threads() == before


def results():
    game, = cqlgen.search('sort "men" #A mate {comment("end")}', MATE + QUIET)
    assert (game.number, game.number_in_file, game.file, game.query) == (1, 1, "games", "query")
    assert game.tags["White"] == game.white == "Fool" and game.result == "0-1" and game.sort == {"men": 16}
    hit, = game.hits
    assert (hit.ply, hit.number, hit.san, hit.uci, hit.next_san) == (4, 2, "Qh4#", "d8h4", None)
    assert hit.fen == "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3" and hit.turn == "w"
    assert hit.comment == "end" and hit.clock is None
    hits = [h for g in cqlgen.search("Pe4", QUIET) for h in g.hits]
    assert hits[0].squares == ["e4"] and hits[0].next_san == "e5" and hits[0].clock == 300 and hits[1].eval == 31
    assert [h.next_uci for h in hits] == ["e7e5", None]


def inputs():
    with gzip.open("games.pgn.gz", "wb") as file:
        file.write(MATE.encode())
    with open("games.pgn", "w") as file:
        file.write(MATE)
    subprocess.run([os.environ["CQLGEN_PROGRAM"], "import", "games.pgn", "-o", "games.cqldb", "-q"], check=True)
    with open("games.pgn") as file:
        assert cqlgen.count("mate", file) == 1
    sources = ["games.pgn", "games.pgn.gz", "games.cqldb", MATE, MATE.encode()]
    for source in sources:
        assert cqlgen.count("mate", source) == 1
    assert [g.file for g in cqlgen.search("mate", sources)] == ["games.pgn", "games.pgn.gz", "games.cqldb", "games 4", "games 5"]
    assert [g.number for g in cqlgen.search("mate", sources, numbers=(2, 4), threads=2)] == [2, 3, 4]
    raises(FileNotFoundError, cqlgen.search, "mate", "missing.pgn")
    raises(ValueError, cqlgen.search, "mate", [])
    assert cqlgen.count("mate", "") == 0


def options():
    text = MATE * 5
    assert len(list(cqlgen.search("true", text, first=True))[0].hits) == 1
    assert [g.hits for g in cqlgen.search("mate", text, hits=False, limit=2)] == [[], []]
    assert "2.g4 Qh4#" in next(cqlgen.search("mate", text, pgn=True)).pgn
    both = list(cqlgen.search(["mate", "cql() Qd8"], MATE))
    assert [g.query for g in both] == ["query 1"]
    sort = 'sort min "n" gamenumber mate'
    assert [g.number for g in cqlgen.search('sort "n" gamenumber mate', text)] == [5, 4, 3, 2, 1]
    assert [g.number for g in cqlgen.search('sort "n" gamenumber mate', text, sort=False)] == [1, 2, 3, 4, 5]
    assert next(cqlgen.search(sort, text)).sort == {"n": 1}
    raises(ValueError, cqlgen.search, "mate", text, sample=0)
    raises(ValueError, cqlgen.compile, "mate", engine="steam")
    for engine in ("interp", "tcc"):
        assert cqlgen.count(cqlgen.compile("mate", engine=engine), text) == 5


def files_of_queries():
    with open("query.cql", "w") as file:
        file.write("cql()\nmate\n")
    assert cqlgen.count("query.cql", MATE) == 1
    assert cqlgen.compile("query.cql").names == ["query.cql"]
    subprocess.run([os.environ["CQLGEN_PROGRAM"], "query.cql", "-o", "query.so"], check=True)
    assert cqlgen.count(cqlgen.compile(os.path.join(".", "query.so")), MATE) == 1
    raises(FileNotFoundError, cqlgen.compile, "missing.cql")
    raises(ValueError, cqlgen.count_by, "./query.so", MATE, "year")
    raises(ValueError, cqlgen.compile, "./query.so", secure=True)


def errors():
    error = raises(cqlgen.CqlError, cqlgen.compile, "wtm\n  chek", name="mine")
    assert (error.file, error.line, error.column) == ("mine", 2, 3) and "chek" in error.message
    assert "mine:2:3: error: " in str(error) and "^~~~" in str(error) and isinstance(error, ValueError)
    assert error.diagnostics[0].end_column == 7
    assert pickle.loads(pickle.dumps(error)).line == 2
    assert "latin" in raises(cqlgen.CqlError, cqlgen.compile, "mate", dialect="latin").message
    assert "secure" in str(raises(cqlgen.CqlError, cqlgen.compile, 'x=readfile "x" mate', dialect="cqli", secure=True))
    raises(ValueError, cqlgen.compile, "ma\0te")
    raises(ValueError, cqlgen.board, "nine ranks")
    raises(ValueError, cqlgen.board, "8/8/8/8/8/8/8/8 w - - 0 1", squares=["z9"])
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        query = cqlgen.compile("1==1 mate")
        os.makedirs("folder.pgn", exist_ok=True)
        search = cqlgen.search(query, ["folder.pgn", MATE, '[White "x"]\n\n1. e4 Qh9 *\n'])
        assert len(list(search)) == 1
    assert [w.category for w in seen] == [cqlgen.CqlWarning] * 2, [str(w.message) for w in seen]
    assert [m.severity for m in search.messages] == ["error", "warning"] and search.messages[1].game == 2, search.messages
    assert search.totals.games == 2 and search.totals.damaged == 1
    search = cqlgen.search('initial message("hello")', MATE)
    list(search)
    assert [(m.severity, m.message) for m in search.messages if "hello" in m.message][0][0] == "output"


def wrong_arguments():
    for query in (None, 5, b"mate", ["mate", None]):
        assert "a query is" in str(raises(TypeError, cqlgen.compile, query))
    for games in (None, 5, [None], cqlgen.compile("mate"), io.BytesIO):
        raises(TypeError, cqlgen.count, "mate", games)
    for name in ("dialect", "name"):
        assert name in str(raises(TypeError, cqlgen.compile, "mate", **{name: 5}))
        assert name in str(raises(ValueError, cqlgen.compile, "mate", **{name: "a\0b"}))
    text = MATE * 3
    for option in (dict(limit=0), dict(limit=-1), dict(limit=2**64 + 1), dict(max_seconds=0), dict(max_seconds=-1), dict(max_steps=0),
                   dict(max_seconds=float("nan")), dict(threads=-1), dict(threads=2**32 + 1), dict(numbers=(0, 2)), dict(numbers=(1, 2**64 + 1))):
        assert [*option][0] in str(raises(ValueError, cqlgen.search, "mate", text, **option))
    raises(TypeError, cqlgen.search, "mate", text, limit="2")
    raises(ValueError, cqlgen.compile, "mate", memory=-1)
    raises(ValueError, cqlgen.compile, "mate", memory=2**64 + (1 << 30))
    assert cqlgen.compile("mate", variations=0).names == ["query"] and cqlgen.count(cqlgen.compile("mate", variations=2), text) == 3
    assert [g.hits for g in cqlgen.search("mate", text, hits=None, pgn=None, limit=1)] == [[]]
    empty = "8/8/8/8/4K3/8/8/k7 w - - 0 1"
    for fen, option in ((None, {}), (b"x", {}), (empty, dict(last=5)), (empty, dict(width=1.5))):
        raises(TypeError, cqlgen.board, fen, **option)
    for fen, option in ((empty + "\0", {}), (empty, dict(width=0)), (empty, dict(width=2**32 + 360)), (empty, dict(squares=[5]))):
        raises(ValueError, cqlgen.board, fen, **option)


def encodings():
    """Names of files with any bytes; texts of games in Latin-1."""
    os.makedirs("names", exist_ok=True)
    for name in ("größe ♞.pgn", "[a].pgn", os.fsdecode(b"\xff\xfe.pgn")):
        path = os.path.join("names", name)
        with open(path, "w") as file:
            file.write(MATE + QUIET.replace("e5", "Qh9"))
        search = cqlgen.search("mate", path)
        assert [g.file for g in search] == [path] and [m.file for m in search.messages] == [path], path
    for name in ("[a].pgn", "a\nb.pgn"):
        os.replace(path, name)
        path = name
        assert cqlgen.count("mate", name) == 1
    path = os.path.join("names", os.fsdecode(b"\xff.cql"))
    with open(path, "w") as file:
        file.write("cql() mate")
    assert cqlgen.compile(path).names == [path] and next(cqlgen.search(path, MATE)).query == path
    latin = MATE.replace("Fool", "Müller").encode("latin-1")
    with open("latin.pgn", "wb") as file:
        file.write(latin)
    with open("latin.pgn", errors="surrogateescape") as file:
        for games in (latin, bytearray(latin), memoryview(latin), io.BytesIO(latin), file):
            game, = cqlgen.search("mate", games, pgn=True)
            assert game.white == "Müller" and '[White "Müller"]' in game.pgn
    assert [g.keys["White"] for g in cqlgen.count_by("mate", latin, "White")] == ["Müller"]
    assert cqlgen.count("mate", io.StringIO("games.pgn")) == 0  # the text of a file is not the name of another one


def places_of_warnings():
    """A warning is about the line that calls the package, and may be an exception."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        query = cqlgen.compile("1==1 mate")
        list(cqlgen.search("1==1 mate", "folder.pgn"))
        next(cqlgen.search(query, "folder.pgn"), None)
        cqlgen.count(query, "folder.pgn")
        cqlgen.count_by("1==1 mate", MATE, "White")
        cqlgen.count_by(query, MATE, "White")
    assert [w.filename for w in seen] == [__file__] * 6, [(w.filename, w.lineno) for w in seen]
    assert len({w.lineno for w in seen}) == 5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        raises(cqlgen.CqlWarning, cqlgen.compile, "1==1 mate")
        search = cqlgen.search("mate", ["folder.pgn", MATE])
        assert next(search).white == "Fool"
        raises(cqlgen.CqlWarning, next, search)
        assert search.totals.matches == 1


def copies():
    query = cqlgen.compile(["mate", "stalemate"], name="mine")
    same = [copy.copy(query), copy.deepcopy([query])[0], pickle.loads(pickle.dumps(query))]
    assert [q.names for q in same] == [query.names] * 3
    same.append(query)
    del query
    while same:  # each is freed once
        assert cqlgen.count(same.pop(), MATE) == 1
    search = cqlgen.search("mate", MATE * 2)
    raises(TypeError, copy.copy, search)
    raises(TypeError, pickle.dumps, search)
    game = next(search)
    assert pickle.loads(pickle.dumps(game)) == game == copy.deepcopy(game)
    found = cqlgen.count_by("mate", MATE, "White")
    assert list(pickle.loads(pickle.dumps(found))) == list(found)


def groups():
    found = cqlgen.count_by("true", MATE * 2 + QUIET, ["White", "elo/100"], order="key")
    assert [tuple(g.keys.values()) for g in found] == [("Fool", 1500), ("Other", None)] and found.keys == ["White", "elo/100"], list(found)
    assert [(g.games, g.black, round(g.percent)) for g in found] == [(2, 2, 67), (1, 0, 33)]
    found = cqlgen.count_by("mate", MATE + QUIET, "White", of_all=True)
    assert {g.keys["White"]: (g.games, g.searched) for g in found} == {"Fool": (1, 1), "Other": (0, 1)}, list(found)
    two = cqlgen.count_by(["true", "mate"], MATE + QUIET, "White", order="key")
    assert [(g.as_dict()["query"], g.keys["White"], g.games) for g in two] == [("query 1", "Fool", 1), ("query 1", "Other", 1), ("query 2", "Fool", 1)]
    assert "<th>query</th><th>White</th>" in two._repr_html_() and "<td>query 2</td><td>Fool</td>" in two._repr_html_()
    assert "query" not in found[0].as_dict() and "<th>query</th>" not in found._repr_html_()
    moves = cqlgen.count_by("true", MATE + QUIET, "side,ply/2", per="position", measures=["avg(ply)", "distinct(move)", "score"], among="ply < 3")
    assert all(g.searched == g.positions for g in moves) and {"side", "ply/2", "avg(ply)", "distinct(move)", "score", "searched"} < set(moves[0].as_dict())
    assert {(g.keys["side"], g.keys["ply/2"]): (g.positions, g.measures["avg(ply)"]) for g in moves}["black", 0] == (2, 1.0), list(moves)
    assert "<th>avg(ply)</th>" in moves._repr_html_()
    mine = cqlgen.count_by("true", MATE + QUIET, "opponent", player="Fool", measures="score")
    assert [(g.games, g.black, g.measures) for g in mine] == [(1, 1, {"score": 0.0})], list(mine)
    raises(cqlgen.CqlError, cqlgen.count_by, "mate", MATE, "White", measures="mean(ply)")
    raises(ValueError, cqlgen.count_by, "mate", MATE, "White", per="move")
    limited = cqlgen.count_by("true", MATE * 2 + QUIET, "White", limit=1)
    assert limited[1].others and limited[1].games == 1 and "(others)" in limited._repr_html_()
    assert "elo" in raises(cqlgen.CqlError, cqlgen.count_by, "mate", MATE, "elo/").message
    raises(cqlgen.CqlError, cqlgen.count_by, "mate", MATE, "ply", of_all=True)
    raises(ValueError, cqlgen.count_by, "mate", MATE, "White", order="size")


def explorer():
    games = MATE + QUIET + QUIET
    found = cqlgen.explore(games, plies=2)
    assert (found["games"], found["turn"], found["draws"]) == (3, "white", 0)
    assert [(move["san"], move["games"], move["after"]["games"]) for move in found["moves"]] == [("e4", 2, 2), ("f3", 1, 1)]
    assert found["moves"][1]["after"]["moves"][0]["uci"] == "e7e5" and "after" not in found["moves"][1]["after"]["moves"][0]
    assert cqlgen.explore(games, min_games=2)["moves"][1:] == []
    assert cqlgen.explore(games, "1.f3", query="mate")["moves"][0]["performance"] == 1500 + 800
    assert cqlgen.explore(games, query=cqlgen.compile("mate"), threads=1)["games"] == 1
    assert cqlgen.explore(games, "4k3/8/8/8/8/8/8/4K3 w - - 0 1")["moves"] == []
    error = raises(cqlgen.CqlError, cqlgen.explore, games, "1.e4 Kd4")
    assert (error.file, error.line, error.column) == ("position", 1, 6), error
    for options in ({"plies": 0}, {"plies": 13}, {"min_games": 0}, {"position": "a\0"}):
        raises(ValueError, cqlgen.explore, games, **options)
    raises(TypeError, cqlgen.explore, games, 5)
    raises(cqlgen.CqlError, cqlgen.explore, games, query="chek")


def tables():
    odd = dataclasses.replace(next(cqlgen.search("true", QUIET)), tags={"WhiteElo": "\u00b2", "BlackElo": "9" * 20})
    assert [_search._tag(odd, name) for name in ("WhiteElo", "BlackElo")] == [None, None]
    assert [_search._free_name(name, ("ply", "ply_")) for name in ("ply", "men", "ply_")] == ["ply__", "men", "ply__"]
    if pandas is None:
        return
    assert list(cqlgen.to_frame(cqlgen.search('sort "ply" ply', MATE)).columns[-1:]) == ["ply_"]
    table = cqlgen.to_frame(cqlgen.search('sort "men" #A check', MATE + QUIET))
    assert list(table["white"]) == ["Fool"] and table["white_elo"][0] == 1500 and table["men"][0] == 16
    assert list(cqlgen.search("check", QUIET).to_frame(tags=["White"]).columns[:4]) == ["game", "file", "query", "White"]
    frame = cqlgen.count_by("true", MATE + QUIET, "White").to_frame()
    assert list(frame.columns) == ["White", "games", "positions", "white", "draws", "black", "percent"] and len(frame) == 2
    table = cqlgen.to_frame(cqlgen.search("true", MATE, hits=False))
    assert len(table) == 1 and table["ply"].dtype == "Int64" and table["ply"].isna().all() and table["fen"][0] is None
    names = '[White "007"]\n[Black "NA"]\n[WhiteElo "?"]\n[ply "1"]\n\n1. e4 {1} *\n\n'
    query = cqlgen.compile(['sort "n" ply ply==1', 'sort "n" (tag "White") ply==0'])
    table = cqlgen.to_frame(cqlgen.search(query, names, sort=False))
    assert list(table["white"]) == ["007"] * 2 and list(table["black"]) == ["NA"] * 2 and list(table["comment"]) == ["1", ""]
    assert list(table["n"]) == [1, "007"] and list(table["san"]) == ["e4", None] and list(table["query"]) == ["query 1", "query 2"]
    assert [str(table[name].dtype) for name in ("game", "ply", "number", "white_elo", "white")] == ["int64", "int64", "Int64", "Int64", "object"]
    table = cqlgen.to_frame(list(cqlgen.search(["check", 'sort "n" ply mate'], MATE + names)), tags=["ply", "White"])
    assert list(table["n"].isna()) == [True, False] and table["n"].dtype == "Int64"
    assert list(table.columns[3:6]) == ["ply_", "White", "position"] and table["ply_"].isna().all() and list(table["ply"]) == [4, 4]
    assert len(cqlgen.to_frame([])) == 0 and list(cqlgen.to_frame([], tags=[]).columns[:4]) == ["game", "file", "query", "position"]
    assert cqlgen.to_frame([])["ply"].dtype == "int64"
    table = cqlgen.to_frame(cqlgen.search('sort "white_elo" (tag "White") ply==1', names.replace("ply ", "clock ")), tags=["WhiteElo", "clock", "clock_"])
    assert list(table.columns[3:6]) == ["WhiteElo", "clock_", "clock__"] and list(table["white_elo"]) == ["007"] and list(table["clock_"]) == ["1"]


class Arrow:
    """What the package uses of pyarrow, for machines without it: an array is its type and its values."""
    int64, float64, string = staticmethod(lambda: "int64"), staticmethod(lambda: "double"), staticmethod(lambda: "string")

    @staticmethod
    def array(values, type):
        assert all(isinstance(value, {"int64": int, "double": (int, float), "string": str}[type]) for value in values if value is not None)
        "".join(value for value in values if type == "string" and value).encode()
        return type, values

    @staticmethod
    def table(columns):
        return columns


def arrow_tables():
    def columns(table):
        if isinstance(table, dict):
            return table
        return {name: (str(table.schema.field(name).type), table.column(name).to_pylist()) for name in table.column_names}

    try:
        import pyarrow
    except ImportError:
        search = cqlgen.search("mate", MATE)
        for function in (lambda: cqlgen.to_arrow(search), search.to_arrow, cqlgen.count_by("mate", MATE, "White").to_arrow):
            assert "pip install pyarrow" in str(raises(ImportError, function))
        assert len(list(search)) == 1  # nothing was read
        sys.modules["pyarrow"] = Arrow
    path = os.fsdecode(b"\xfftable.pgn")
    with open(path, "w") as file:
        file.write(MATE)
    query = cqlgen.compile(['sort "n" ply check', 'sort "n" (tag "White") ply==0'])
    found = columns(cqlgen.search(query, path, sort=False).to_arrow(tags=["White", "WhiteElo", "ECO"]))
    assert [*found] == ["game", "file", "query", "White", "WhiteElo", "ECO", *_search.HIT_COLUMNS, "n"]
    texts = {"file", "query", "White", "ECO", "san", "uci", "next_san", "next_uci", "fen", "comment", "n"}
    assert {name: kind for name, (kind, _) in found.items()} == {name: "string" if name in texts else "int64" for name in found}
    assert found["file"][1] == ["?table.pgn"] * 2 and found["White"][1] == ["Fool"] * 2 and found["WhiteElo"][1] == [1500] * 2
    assert found["ECO"][1] == [None] * 2 and found["ply"][1] == [4, 0] and found["san"][1] == ["Qh4#", None] and found["n"][1] == ["4", "Fool"]
    assert columns(cqlgen.to_arrow(cqlgen.search("true", MATE, hits=False)))["ply"] == ("int64", [None])
    found = columns(cqlgen.count_by("ply==2", MATE * 2 + QUIET, ["White", "elo/100"], order="key", measures="avg(ply)").to_arrow())
    assert found["White"] == ("string", ["Fool", "Other"]) and found["elo/100"] == ("int64", [1500, None]) and found["games"] == ("int64", [2, 1])
    assert found["avg(ply)"] == ("double", [2.0, 2.0]), found


def pictures():
    game = next(cqlgen.search("qh4 mate", MATE))
    svg = game.hits[0].board(flipped=True, width=99).svg
    assert svg.startswith("<svg xmlns=") and "width='99'" in svg and "class='last'" in svg
    assert game._repr_html_().count("<svg") == len(game.hits) and game.hits[0]._repr_html_().count("<svg") == 1
    assert cqlgen.board("8/8/8/8/4K3/8/8/k7 w - - 0 1", squares=["e4"])._repr_svg_().count("class='found'") == 1


def ends():
    text, before = (MATE + QUIET) * 20000, threads()
    search = cqlgen.search("true", text, threads=3)
    next(search)
    assert threads() > before
    del search  # abandoned
    gc.collect()
    assert all_ended(before)
    with cqlgen.search("true", text) as search:
        next(search)
    assert all_ended(before) and list(search) == []
    for game in cqlgen.search("true", text):
        break
    assert all_ended(before)
    search = cqlgen.search("true", text)
    next(search)
    threading.Timer(0.01, search.stop).start()
    assert sum(1 for _ in search) < 40000
    search.close()
    search.close()


def interrupts():
    """Ctrl-C during a search that finds nothing."""
    search = cqlgen.search(LONG + " false", MATE * 100000, threads=2, max_steps=1 << 40)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    raises(KeyboardInterrupt, next, search)
    assert search.totals.games < 100000, search.totals  # it ended in the middle
    assert raises(StopIteration, next, search) is not None
    query = cqlgen.compile("mate")
    assert cqlgen.count(query, MATE) == 1  # the library goes on


def handlers():
    """A signal handler that ends the search whose games are being read, and one that reads on."""
    def after(seconds, function):
        signal.signal(signal.SIGALRM, lambda *_: function())
        signal.setitimer(signal.ITIMER_REAL, seconds)

    before, seen = threads(), []
    try:
        for name in ("close", "stop"):
            search = cqlgen.search(LONG + " false", MATE * 100000, max_steps=1 << 40)
            after(0.1, getattr(search, name))
            assert list(search) == [] and search.totals.games < 100000
        assert all_ended(before)
        search = cqlgen.search(LONG + " false", MATE * 100000, max_steps=1 << 40)
        after(0.1, lambda: seen.append((search.messages, search.totals, threads())))
        threading.Timer(0.3, search.stop).start()
        assert list(search) == [] and len(seen) == 1 and seen[0][2] > before
        search = cqlgen.search("mate", MATE * 3)
        search._read_totals = lambda: [search.close(), raises(RuntimeError, next, search), search.messages, _search.Search._read_totals(search)][-1]
        assert len(list(search)) == 3 and search.totals.games == 3  # interrupted while the end is read
        search = cqlgen.search("mate", MATE * 3)
        search._read_totals = lambda: [search.close(), _search.Search._read_totals(search)][-1]
        search.close()
        assert list(search) == []
        search = cqlgen.search(LONG + " false", MATE * 100000, max_steps=1 << 40)
        after(0.1, lambda: 1 // 0)
        raises(ZeroDivisionError, next, search)
        assert all_ended(before)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def forked(query):
    return cqlgen.count(query, MATE * 2)


def forks():
    """A process that was forked ends without the search of its parent, whose queries it can use."""
    search, query = cqlgen.search("mate", MATE * 100000), cqlgen.compile("mate")
    next(search)
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            raises(RuntimeError, next, search)
            raises(RuntimeError, lambda: search.totals)
            search.stop()
            assert search.messages == []
            del search
            gc.collect()
            os._exit(0 if forked(query) == 2 else 1)
        finally:
            os._exit(2)
    end = time.monotonic() + 30
    while (status := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < end:
        time.sleep(0.01)
    if status == (0, 0):
        os.kill(child, signal.SIGKILL)
    assert status == (child, 0), status
    assert sum(1 for _ in search) == 99999
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            assert pool.map(forked, [query]) == [2]


def shared_search():
    """Each game goes to one of the threads that read a search."""
    search, numbers, interval = cqlgen.search("mate", MATE * 5000), [], sys.getswitchinterval()

    def work():
        numbers.extend(game.number for game in search)

    sys.setswitchinterval(1e-6)
    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    sys.setswitchinterval(interval)
    assert sorted(numbers) == list(range(1, 5001)), len(set(numbers))


def together():
    """Several searches at once, of one query and of others."""
    query, text, sums = cqlgen.compile("mate"), (MATE + QUIET) * 300, []

    def work(i):
        own = query if i % 2 else cqlgen.compile("mate #k==%d" % 1)
        sums.append(sum(game.number for game in cqlgen.search(own, text, threads=2)))

    workers = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sums == [300 * 300] * 6, sums  # mates in games 1, 3, 5, … 599


def matches():
    """match_fen and match_game find what a search of the one position or game finds."""
    def of_search(query, text):
        found = []
        for game in cqlgen.search(query, text, threads=1, sort=False):
            hits = [(game.query, hit.position, hit.ply, hit.variation, hit.squares) for hit in game.hits]
            found += hits or [(game.query, None, 0, 0, [])]
        return found

    def tuples(found):
        return [dataclasses.astuple(match) for match in found]

    games, fens = [], []
    for name in ("games.pgn", "studies.pgn"):
        with open(os.path.join("examples", name), encoding="latin-1", newline="") as f:
            games += [game for game in re.split(r"\n\n(?=\[)", f.read()) if game.strip()]
    for game in cqlgen.search("true", "\n\n".join(games)):
        fens.append(game.hits[len(game.hits) // 2].fen)
    assert len(games) == len(fens) > 40
    sequential = 0
    for file in sorted(os.listdir("examples")):
        if not file.endswith(".cql") or file == "rook-ending-given-away.cql":  # which needs tablebases
            continue
        for engine in ("interp", "tcc"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                query = cqlgen.compile(os.path.join("examples", file), engine=engine)
            try:
                query.match_fen(fens[0])
            except cqlgen.CqlError as error:
                assert "from game to game" in error.message, (file, error)
                sequential += 1
                continue
            together = of_search(query, "\n\n".join(games))
            apart = [match for game in games for match in tuples(query.match_game(game))]
            assert apart == together, (file, engine)
            positions = "\n\n".join('[FEN "%s"]\n\n*' % fen for fen in fens)
            assert [match for fen in fens for match in tuples(query.match_fen(fen))] == of_search(query, positions), (file, engine)
    assert sequential < 20

    query = cqlgen.compile("true")
    many = "1. Nf3 Nf6 2. Ng1 Ng8 " * 20 + "*"
    assert [match.ply for match in query.match_game(many.encode())] == list(range(81))
    error = raises(cqlgen.CqlError, query.match_fen, "8/8 w")
    assert (error.file, error.column) == ("FEN", 4) and "64 squares" in error.message, error
    raises(cqlgen.CqlError, query.match_game, MATE + QUIET)
    raises(cqlgen.CqlError, query.match_game, "")
    for wrong in (None, 1, b"8/8 w"):
        raises(TypeError, query.match_fen, wrong)
    raises(ValueError, query.match_fen, "8/8\0")
    raises(TypeError, query.match_game, None)


def stopped():
    """Searches of several queries that threads stop at random moments, while another thread forks: their games are the first ones."""
    with open("examples/games.pgn") as file:
        text = file.read() * 60  # several blocks
    with open("stopped.pgn", "w") as file:
        file.write(text)
    subprocess.run([os.environ["CQLGEN_PROGRAM"], "import", "stopped.pgn", "-o", "stopped.cqldb", "-q"], check=True)
    query, failures = cqlgen.compile(["check", "mate"]), []
    whole = [(game.number, game.query) for game in cqlgen.search(query, text)]

    def work(k):
        random_of = random.Random(k)
        for _ in range(40):
            search = cqlgen.search(query, random_of.choice((text, "stopped.pgn", "stopped.cqldb")), threads=random_of.randint(1, 3))
            found = [(game.number, game.query) for game in itertools.islice(search, random_of.choice((0, 1, 200)))]
            time.sleep(random_of.uniform(0, 0.005))
            random_of.choice((search.stop, search.close, lambda: None))()
            if found != whole[:len(found)]:
                failures.append(found)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers):
        child = os.fork()
        if child == 0:
            os._exit(0)
        assert os.waitpid(child, 0) == (child, 0)
        time.sleep(0.05)
    assert not failures, failures[0]


def documents(names):
    for name in names:
        with open(name) as file:
            blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
        text = "".join(block for block in blocks if block.startswith(">>>") and (pandas or "to_frame" not in block))
        test = doctest.DocTestParser().get_doctest(text, {"cqlgen": cqlgen}, os.path.basename(name), name, 0)
        result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
        report(os.path.basename(name), result.failed == 0 and result.attempted > 0)


def report(name, good):
    print("ok" if good else "not ok", name, flush=True)


def main():
    for check in (results, inputs, options, files_of_queries, errors, wrong_arguments, encodings, places_of_warnings, copies, groups, explorer, tables, arrow_tables,
                  pictures, matches, ends, interrupts, handlers, forks, shared_search, together, stopped):
        try:
            check()
            report(check.__name__, True)
        except BaseException:
            traceback.print_exc(file=sys.stdout)
            report(check.__name__, False)
    documents(sys.argv[1:])
    print("\nend")


if __name__ == "__main__":
    main()
