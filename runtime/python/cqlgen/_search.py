"""Searches and what they find."""
from __future__ import annotations

import html
import json
import operator
import os
import re
import threading
from ctypes import byref, c_void_p, pointer, sizeof
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from . import _library as lib
from ._boards import Board, board, square_names
from ._errors import CqlError, Diagnostic, read_messages, take_messages, warn
from ._groups import Groups, read_groups
from ._library import file_name, library, text, whole_number
from ._queries import Query, QueryText, compile
from ._tables import Columns, Types, arrow, frame, module

STEP = 100  # milliseconds between looks at signals
BOARDS = 4  # of a game that are shown


# ---- what is found ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hit:
    """A matching position."""

    position: int  #: its number in the game's tree, from 0
    ply: int  #: half moves from the beginning
    number: Optional[int]  #: of the move that led there
    fen: str
    san: Optional[str]  #: the move that led there
    uci: Optional[str]
    next_san: Optional[str]  #: the next move of its line
    next_uci: Optional[str]
    comment: str  #: of the position, with what the query adds
    squares: List[str]  #: that the set filters of the query find
    variation: int = 0  #: how deep the variation is nested; 0: the main line
    clock: Optional[int] = None  #: seconds left to the side that has just moved
    elapsed: Optional[int] = None  #: seconds that it took
    eval: Optional[int] = None  #: centipawns from White's side

    @property
    def turn(self) -> str:
        """The side to move, "w" or "b"."""
        return self.fen.split()[1]

    def board(self, *, flipped: bool = False, width: int = 360) -> Board:
        """A diagram with the last move and the squares marked, and the next move as an arrow."""
        return board(self.fen, last=self.uci, next=self.next_uci, squares=self.squares, flipped=flipped, width=width)

    def _repr_html_(self) -> str:
        move = "%d%s %s" % (self.number, "." if self.turn == "b" else "...", self.san) if self.san else ""
        below = html.escape(" ".join(part for part in (move, self.comment) if part))
        return "<div style='display:inline-block;margin:0 8px 8px 0;vertical-align:top'>%s<div>%s</div></div>" % (
            self.board(width=280).svg, below)


@dataclass(frozen=True)
class Note:
    """A comment that the query adds at a position that does not match."""

    position: int
    ply: int
    comment: str


@dataclass(frozen=True)
class Game:
    """A game that a query finds."""

    number: int  #: in all inputs together, from 1
    file: str
    number_in_file: int
    offset: Optional[int]  #: of its first byte in the file, decompressed; None: it comes from a database
    query: str  #: the name of the query
    tags: Dict[str, str]
    hits: List[Hit]  #: matching positions; empty with `hits=False`
    hit_count: int
    sort: Dict[str, Union[int, str, None]] = field(default_factory=dict)  #: values of the sort keys by their titles
    notes: List[Note] = field(default_factory=list)
    pgn: Optional[str] = None  #: with `pgn=True`: the game with the query's comments

    @property
    def white(self) -> str:
        return self.tags.get("White", "?")

    @property
    def black(self) -> str:
        return self.tags.get("Black", "?")

    @property
    def result(self) -> str:
        return self.tags.get("Result", "*")

    def __str__(self) -> str:
        return "game %d: %s - %s, %s, %d position%s" % (self.number, self.white, self.black, self.result, self.hit_count,
                                                       "" if self.hit_count == 1 else "s")

    def _repr_html_(self) -> str:
        more = "<div>… and %d more</div>" % (len(self.hits) - BOARDS) if len(self.hits) > BOARDS else ""
        return "<div><b>%s</b></div>%s%s" % (html.escape(str(self)), "".join(hit._repr_html_() for hit in self.hits[:BOARDS]), more)


@dataclass(frozen=True)
class Totals:
    """What a search has counted."""

    games: int  #: read
    matches: int  #: games that match
    hits: int  #: matching positions in them
    positions: int  #: of the games that were searched
    bytes: int  #: of the inputs, decompressed
    damaged: int  #: games with damage, which were searched as far as they can be read
    errors: int  #: games that a query failed in
    seconds: float


def _known(value: int) -> Optional[int]:
    return None if value == lib.NONE else value


def _hit(h) -> Hit:
    return Hit(h.position, h.ply, h.move_number or None, text(h.fen), text(h.san) or None, text(h.uci) or None,
               text(h.next_san) or None, text(h.next_uci) or None, text(h.comment), square_names(h.squares), h.variation,
               _known(h.clock), _known(h.elapsed), _known(h.eval))


def _game(g) -> Game:
    sort: Dict[str, Union[int, str, None]] = {}
    for s in g.sort[:g.sort_count]:
        sort[text(s.title)] = None if not s.has_value else s.number if s.text is None else text(s.text)
    return Game(g.number, file_name(g.file), g.number_in_file, None if g.offset < 0 else g.offset, file_name(g.query_name),
                {text(t.name): text(t.value) for t in g.tag[:g.tag_count]},
                [_hit(g.hit[i].contents) for i in range(g.hit_count)] if g.hit else [], g.hit_count, sort,
                [Note(n.position, n.ply, text(n.comment)) for n in g.note[:g.note_count]],
                text(g.pgn) if g.pgn is not None else None)


# ---- inputs -------------------------------------------------------------------------------------------------

GameSource = Union[str, bytes, "os.PathLike[str]", Any]


LONGEST_NAME = 4096  # bytes
BYTES = (bytes, bytearray, memoryview)


def _is_text(games: GameSource) -> bool:
    """True for PGN text; a string that could be text or a name is a name if there is such a file."""
    if not isinstance(games, str):
        return isinstance(games, BYTES)
    if len(games) <= LONGEST_NAME and games and os.path.exists(games):
        return False
    return not games or "\n" in games or games.lstrip().startswith("[")


def _inputs(games: Union[GameSource, Iterable[GameSource]]):
    """The inputs for the library, and what must live as long as it uses them."""
    single = isinstance(games, (str, *BYTES, os.PathLike)) or hasattr(games, "read") or not isinstance(games, Iterable)
    sources = [games] if single else list(games)
    if not sources:
        raise ValueError("no games to search: give a file, PGN text, or a list of them")
    array, kept = (lib.Input * len(sources))(), []
    for i, source in enumerate(sources):
        is_file = hasattr(source, "read")
        if is_file:
            source = source.read()
        if _is_text(source) or (is_file and isinstance(source, str)):
            data = source.encode("utf-8", "surrogateescape") if isinstance(source, str) else bytes(source)
            kept.append(data)
            array[i] = lib.Input(b"games" if len(sources) == 1 else b"games %d" % (i + 1), data, len(data))
        else:
            if not isinstance(source, (str, os.PathLike)):
                raise TypeError("games are PGN text, a file, its name or a list of these, not %r" % (source,))
            if not os.path.exists(source):
                raise FileNotFoundError(2, "there is no such file of games", os.fspath(source))
            array[i] = lib.Input(os.fsencode(source), None, 0)
    return array, kept


# ---- searches -----------------------------------------------------------------------------------------------


class Search(Iterator[Game]):
    """A search that runs in threads of its own: an iterator of games, made by `search`.

    It ends when the last game was read, when it is closed (`close`, the end of a `with` block), when nobody refers to it any more,
    and when an exception such as KeyboardInterrupt interrupts it. Several threads may read it; each game goes to one of them.
    A process that was forked cannot use it.
    """

    # `_reading` guards what one thread may use at a time, `_life` whether there is a handle. The thread that holds them may come
    # again, because signal handlers and __del__ of other objects run between any two lines; `_busy` says that it does so while
    # something is read from the library, which must not be freed then.

    def __init__(self, query: Query, games: Any, options: Dict[str, Any], want: int) -> None:
        self._handle: Optional[int] = None
        self._reading, self._life = threading.RLock(), threading.RLock()
        self._busy = self._closing = False
        self._process = os.getpid()
        self._totals: Optional[Totals] = None
        self._messages: List[Diagnostic] = []
        self._query, self._want = query, want
        self._of_all, self._groups = False, None  # of groups
        self._explored: Optional[bytes] = None
        self._next = pointer(lib.Game())
        inputs, self._kept = _inputs(games)
        given = lib.SearchOptions(size=sizeof(lib.SearchOptions), want=want, **options)
        messages = c_void_p()
        self._handle = library.cql_search(query._handle, inputs, len(inputs), byref(given), byref(messages))
        found = take_messages(messages)
        if not self._handle:
            raise CqlError(found)

    def __iter__(self) -> Search:
        return self

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and library:
            self.close()

    def __reduce__(self):
        raise TypeError("a search cannot be copied or pickled; its games can")

    def _step(self) -> Tuple[Optional[int], Optional[Game]]:
        """Waits for a while: the status, or None when the search is closed, and a game. Between two steps Python looks at signals."""
        def next_game():
            status = library.cql_search_next(self._handle, STEP, place)
            if status == lib.GAME:
                return status, _game(self._next.contents)
            if status != lib.WAIT:
                self._end()
            return status, None

        place = byref(self._next)
        with self._reading:
            return self._alone(next_game) if self._handle else (None, None)

    def _alone(self, function):
        """Calls a function that reads from the library; one that interrupts it and closes the search does so at its end."""
        try:
            self._busy = True
            return function()
        finally:
            self._busy = False
            if self._closing:
                self._closing = False
                self.close()

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise RuntimeError("the search belongs to the process that began it")

    def _end(self) -> None:
        """Keeps what is known at the end."""
        self._read_messages()
        if self._totals is None:
            self._totals = self._read_totals()
        if self._want == lib.WANT_GROUPS:
            groups = library.cql_search_groups(self._handle)
            self._groups = read_groups(groups.contents, self._of_all, self._query.names) if groups else None
        if self._want == lib.WANT_EXPLORER:
            self._explored = library.cql_explore(self._handle, lib.EXPLORER_JSON)

    def _read_messages(self) -> None:
        self._messages += read_messages(library.cql_search_messages(self._handle), len(self._messages))

    def _read_totals(self) -> Totals:
        totals = lib.Totals(size=sizeof(lib.Totals))
        place = byref(totals)
        library.cql_search_totals(self._handle, place)
        return Totals(*(getattr(totals, name) for name in Totals.__dataclass_fields__))

    def __next__(self) -> Game:
        self._check_process()
        with self._reading:
            if self._busy:
                raise RuntimeError("the search is being read by the function that was interrupted")
        try:
            status, game = lib.WAIT, None
            while status == lib.WAIT:
                status, game = self._step()
        except BaseException:
            self.close()
            raise
        if game is not None:
            return game
        self.close()
        if status == lib.FAILED:
            raise CqlError(self._messages)
        if status == lib.END:
            self._warn()
        raise StopIteration

    def _warn(self) -> None:
        errors = [m for m in self._messages if m.severity == "error"]
        if errors:
            more = "" if len(errors) == 1 else " (and %d more: see Search.messages)" % (len(errors) - 1)
            warn(str(errors[0]) + more)

    def stop(self) -> None:
        """Ends the search soon, from any thread or signal handler: its iterator ends."""
        if os.getpid() != self._process:
            return
        with self._life:
            if self._handle:
                library.cql_search_stop(self._handle)

    def close(self) -> None:
        """Ends the search and frees what it uses, from any thread or signal handler. `totals` and `messages` remain."""
        if os.getpid() != self._process:  # it has none of the threads of the search
            self._handle = None
            return
        self.stop()
        with self._reading, self._life:
            if self._busy:
                self._closing = True
                return
            if self._handle and self._totals is None:
                self._alone(self._end)
            handle, self._handle = self._handle, None
            library.cql_search_free(handle)
            self._kept = []

    @property
    def totals(self) -> Totals:
        """What was counted so far; at the end, everything."""
        self._check_process()
        with self._life:
            return self._totals or self._read_totals()

    @property
    def messages(self) -> List[Diagnostic]:
        """What there is to say about inputs and games, and what the query prints, up to the last game that was read."""
        if os.getpid() == self._process:
            with self._reading:
                if self._handle and not self._busy:
                    self._alone(self._read_messages)
        return list(self._messages)

    def to_frame(self, *, tags: Optional[Sequence[str]] = None):
        """See `cqlgen.to_frame`."""
        return to_frame(self, tags=tags)

    def to_arrow(self, *, tags: Optional[Sequence[str]] = None):
        """See `cqlgen.to_arrow`."""
        return to_arrow(self, tags=tags)


def _query(query: Union[Query, QueryText, Sequence[QueryText]], dialect: Optional[str]) -> Query:
    if not isinstance(query, Query):
        return compile(query, dialect=dialect)
    if dialect is not None:
        raise ValueError("the query is compiled already: give the dialect to `compile`")
    return query


def _options(threads: int, limit: Optional[int], sort: bool, first: bool, sample: Optional[float], max_seconds: Optional[float],
             max_steps: Optional[int], games_between: Optional[Sequence[Optional[int]]]) -> Dict[str, Any]:
    if sample is not None and not 0 < sample <= 100:
        raise ValueError("sample needs a percentage above 0 and up to 100, not %r" % (sample,))
    if max_seconds is not None and not max_seconds > 0:
        raise ValueError("max_seconds must be more than 0, not %r" % (max_seconds,))
    low, high = games_between or (None, None)

    def at_most(what: str, value: Optional[int]) -> int:
        return 0 if value is None else whole_number(what, value)

    return dict(threads=whole_number("threads", threads, 0, 2**31 - 1), limit=at_most("limit", limit), no_sort=not sort,
                first=bool(first), sample=sample or 0, max_seconds=max_seconds or 0, max_steps=at_most("max_steps", max_steps),
                first_game=at_most("numbers", low), last_game=at_most("numbers", high))


def search(query: Union[Query, QueryText, Sequence[QueryText]], games: Union[GameSource, Iterable[GameSource]], *,
           dialect: Optional[str] = None, threads: int = 0, limit: Optional[int] = None, sort: bool = True, first: bool = False,
           hits: bool = True, pgn: bool = False, sample: Optional[float] = None, max_seconds: Optional[float] = None,
           max_steps: Optional[int] = None, numbers: Optional[Sequence[Optional[int]]] = None) -> Search:
    """Searches games: an iterator of the games that match, in their order or in that of the query's `sort`.

    query: as for `compile`, or a compiled query
    games: a PGN file, plain or compressed, or a database of `cqlgen import`; PGN text (str or bytes); an open file; or a list
    dialect: of the query
    threads: 0: one for each processor that the process may use
    limit: end after so many matching games; of sorted ones the first so many
    sort: False: leave the games in the order of the input
    first: only the first matching position of each game
    hits: False: only tags, which is faster
    pgn: also the text of each game, with the query's comments
    sample: search only this percentage of the games, always the same ones
    max_seconds: end after this time
    max_steps: budget of the query for one game
    numbers: (first, last) numbers of the games to search; None: no bound

    Raises CqlError when the query has errors, FileNotFoundError when an input does not exist. An input that cannot be read to its
    end gives a CqlWarning, and the rest is searched: see `Search.messages`.
    """
    want = lib.WANT_HITS * bool(hits) | lib.WANT_PGN * bool(pgn) or lib.WANT_TAGS
    options = _options(threads, limit, sort, first, sample, max_seconds, max_steps, numbers)
    return Search(_query(query, dialect), games, options, want)


def count(query: Union[Query, QueryText, Sequence[QueryText]], games: Union[GameSource, Iterable[GameSource]], *,
          dialect: Optional[str] = None, threads: int = 0, sample: Optional[float] = None, max_seconds: Optional[float] = None,
          numbers: Optional[Sequence[Optional[int]]] = None) -> int:
    """The number of matching games. The parameters are those of `search`; this is faster."""
    options = _options(threads, None, False, False, sample, max_seconds, None, numbers)
    with Search(_query(query, dialect), games, options, lib.WANT_COUNTS) as found:
        for _ in found:
            pass
    return found.totals.matches


def count_by(query: Union[Query, QueryText, Sequence[QueryText]], games: Union[GameSource, Iterable[GameSource]],
             keys: Union[str, Sequence[str]], *, dialect: Optional[str] = None, threads: int = 0, of_all: bool = False,
             order: Optional[str] = None, limit: Optional[int] = None, sample: Optional[float] = None, per: str = "game",
             measures: Union[str, Sequence[str], None] = None, among: Optional[str] = None, player: Optional[str] = None) -> Groups:
    """Counts the matching games or positions in groups, as `cqlgen search --count-by` does.

    keys: tags, "year/5", "elo/100", "result", "eco/1", "player", "file"; "move", "from", "to", "piece", "captured", "side", "ply/10"
        and others of the match; or expressions of CQL; a list, or a string with commas
    per: "game": each game once, with the keys at its first match; "position": every match
    measures: "score", "avg(ply)", "median(elo)", "distinct(move)" and so on: `Group.measures`
    among: filters: search only positions that match them, and count these, too: `Group.searched`
    player: only games of this player, a part of the name; results and scores are his
    of_all: also count the games of each group that do not match
    order: "key" or "games"; by default names come by their numbers of games, years and numbers by their values
    limit: so many groups, and one for the others

    The other parameters are those of `search`.
    """
    if order not in lib.ORDERS:
        raise ValueError('unknown order %r; expected "key" or "games"' % (order,))
    if per not in ("game", "position"):
        raise ValueError('unknown per=%r; expected "game" or "position"' % (per,))
    options = _options(threads, limit, False, False, sample, None, None, None)
    options.update(of_all=bool(of_all), group_order=lib.ORDERS[order])
    keyed = _query(query, dialect).with_keys(
        keys if isinstance(keys, str) else ",".join(keys), per=per, among=among, player=player,
        measure=measures if measures is None or isinstance(measures, str) else ",".join(measures))
    with Search(keyed, games, options, lib.WANT_GROUPS) as found:
        found._of_all = of_all or among is not None
        for _ in found:
            pass
    if found._groups is None:
        raise CqlError(found.messages)
    return found._groups


def explore(games: Union[GameSource, Iterable[GameSource]], position: Optional[str] = None, *,
            query: Union[Query, QueryText, None] = None, dialect: Optional[str] = None, plies: int = 1, min_games: int = 1,
            threads: int = 0, sample: Optional[float] = None, numbers: Optional[Sequence[Optional[int]]] = None) -> Dict[str, Any]:
    """The moves that were played in a position, how often, and how they scored, as `cqlgen explore` shows them.

    position: a FEN, or moves from the beginning such as "1.e4 c5 2.Nf3"; by default the beginning
    query: count only games that match it
    plies: explore so many half moves deep, up to 12
    min_games: leave out moves with fewer games

    Gives the object of the JSON that docs/command-line.md describes: "games", "score", "moves", "best" and so on. Each of "moves" has
    "san", "uci" and the same numbers and, with `plies`, "after": the object of the next position.

    Raises CqlError when the position is none. The other parameters are those of `search`.
    """
    options = _options(threads, None, False, False, sample, None, None, numbers)
    options.update(position=lib.encoded("position", position), plies=whole_number("plies", plies, 1, 12),
                   min_games=whole_number("min_games", min_games))
    chosen = compile("true", engine="interp") if query is None else _query(query, dialect)
    with Search(chosen, games, options, lib.WANT_EXPLORER) as found:
        for _ in found:
            pass
    if found._explored is None:
        raise CqlError(found.messages)
    return json.loads(found._explored)


# ---- tables -------------------------------------------------------------------------------------------------

# Columns of tags with the names that `cqlgen search -f csv` gives them.
TAG_COLUMNS = {"white": "White", "black": "Black", "white_elo": "WhiteElo", "black_elo": "BlackElo", "result": "Result",
               "date": "Date", "event": "Event", "site": "Site", "round": "Round", "eco": "ECO"}
GAME_COLUMNS = ("game", "file", "query")
HIT_COLUMNS = ("position", "ply", "number", "san", "uci", "next_san", "next_uci", "fen", "comment", "clock", "elapsed", "eval")
RATINGS = ("WhiteElo", "BlackElo")
NUMBERS = {"game": "int64", "position": "int64", "ply": "int64", "number": "Int64", "clock": "Int64", "elapsed": "Int64", "eval": "Int64"}


def _tag(game: Game, name: str) -> Union[str, int, None]:
    value = game.tags.get(name)
    if name in RATINGS:
        return int(value) if value and re.fullmatch("[0-9]{1,9}", value) else None
    return value


def _free_name(name: str, taken: Iterable[str]) -> str:
    """The name of a column, with underscores where another one has it."""
    while name in taken:
        name += "_"
    return name


def _columns(games: Iterable[Game], tags: Optional[Sequence[str]]) -> Tuple[Columns, Types]:
    """The columns of a table with a row for each matching position, and the types of those that have numbers."""
    chosen = TAG_COLUMNS if tags is None else {name: name for name in ([tags] if isinstance(tags, str) else tags)}
    of_games: Columns = {column: [] for column in GAME_COLUMNS}
    of_tags: Columns = {name: [] for name in chosen.values()}
    of_hits: Columns = {column: [] for column in HIT_COLUMNS}
    of_keys: Columns = {title: [] for title in games._query.sort_titles} if isinstance(games, Search) else {}
    getters = [(values, operator.attrgetter(column)) for column, values in of_hits.items()]
    for game in games:
        rows = len(game.hits) or 1
        for title in game.sort:
            of_keys.setdefault(title, [None] * len(of_games["game"]))
        for title, values in of_keys.items():
            values += [game.sort.get(title)] * rows
        for values, value in zip(of_games.values(), (game.number, game.file, game.query)):
            values += [value] * rows
        for name, values in of_tags.items():
            values += [_tag(game, name)] * rows
        for values, getter in getters:
            values += map(getter, game.hits) if game.hits else [None]
    columns, numbers = dict(of_games), dict(NUMBERS)
    for column, name in chosen.items():
        free = _free_name(column, {*columns, *HIT_COLUMNS})
        columns[free] = of_tags[name]
        if name in RATINGS:
            numbers[free] = "Int64"
    columns.update(of_hits)
    for title, values in of_keys.items():
        columns[_free_name(title, columns)] = values
    return columns, numbers


def to_frame(games: Iterable[Game], *, tags: Optional[Sequence[str]] = None):
    """A pandas.DataFrame with a row for each matching position.

    games: a search, or any games that it gave
    tags: names of tags that become columns; by default the usual ones, in lower case: white, black, white_elo, …

    The sort keys are columns with their titles; underscores follow where another column has the name. Games that were searched
    with `hits=False` have one row. Texts are strings, even if they look like numbers; numbers that may be missing are Int64.
    """
    module("pandas")  # before the search
    return frame(*_columns(games, tags))


def to_arrow(games: Iterable[Game], *, tags: Optional[Sequence[str]] = None):
    """A pyarrow.Table with the columns of `to_frame`: numbers are int64, texts are strings."""
    module("pyarrow")
    return arrow(*_columns(games, tags))
