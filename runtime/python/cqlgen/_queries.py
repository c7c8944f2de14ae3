"""Compiled queries."""
from __future__ import annotations

import os
from ctypes import byref, c_void_p, sizeof
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _library as lib
from ._boards import square_names
from ._errors import CqlError, Diagnostic, take_messages, warn
from ._library import ENGINES, CompileOptions, Source, encoded, file_name, library, text, whole_number

QueryText = Union[str, "os.PathLike[str]"]
ROOM = 16  # for matches, at first


@dataclass(frozen=True)
class Match:
    """A matching position of `Query.match_fen` or `Query.match_game`."""

    query: str  #: the name of the query
    position: Optional[int]  #: its number in the game's tree, from 0; None: the query matches a game without matching positions
    ply: int  #: half moves from the beginning
    variation: int  #: how deep the variation is nested; 0: the main line
    squares: List[str]  #: that the set filters of the query find


def _is_file(query: QueryText) -> bool:
    """A path, or a string that names a query file or a matcher."""
    return not isinstance(query, str) or ("\n" not in query and query.lower().endswith((".cql", ".so")))


class Query:
    """One or more compiled queries, made by `compile`. Any number of searches may use it, in any threads.

    A query that is pickled is compiled again where it is needed, from the texts and files that `compile` got.
    """

    def __init__(self, handle: int, sources: Sequence[QueryText], options: Dict[str, Any], messages: List[Diagnostic]) -> None:
        self._handle: Optional[int] = handle
        self._sources = list(sources)
        self._options = options
        #: warnings and notes of the compiler
        self.messages: List[Diagnostic] = messages
        numbers = range(library.cql_query_count(handle))
        #: the names of the queries
        self.names: List[str] = [file_name(library.cql_query_name(handle, i)) for i in numbers]
        #: the dialects that they are written in; "" for a loaded matcher
        self.dialects: List[str] = [text(library.cql_query_dialect(handle, i)) for i in numbers]
        #: the titles of their sort keys, each once
        self.sort_titles: List[str] = list(dict.fromkeys(
            text(library.cql_query_sort_title(handle, i, k))
            for i in numbers for k in range(library.cql_query_sort_count(handle, i))))

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        if handle and library:
            library.cql_query_free(handle)

    def __repr__(self) -> str:
        return "<cqlgen.Query %s>" % ", ".join(self.names)

    def __copy__(self) -> Query:
        return self

    def __deepcopy__(self, _: object) -> Query:
        return self

    def __reduce__(self):
        return _compile, (self._sources, self._options)

    def match_fen(self, fen: str) -> List[Match]:
        """Matches one position, at once and without threads: an empty list when no query matches.

        fen: the position, which is a game without moves

        Raises CqlError when the FEN is not a position, when a query fails, and for queries that keep values from game to game or use
        files or programs.
        """
        if fen is None:
            raise TypeError("fen must be a string, not None")
        text = encoded("fen", fen)
        return self._match(lambda *room: library.cql_match_fen(self._handle, text, *room))

    def matches(self, fen: str) -> bool:
        """Does one of the queries match the position? As `match_fen`, whose errors it raises.

        `cqlgen.compile('exactfen "1.e4 c5"').matches(fen)` compares two positions as the Laws of Chess do.
        """
        return bool(self.match_fen(fen))

    def match_game(self, pgn: Union[str, bytes]) -> List[Match]:
        """Matches one game in PGN, as `match_fen` does. Damaged games are matched as far as they can be read."""
        if not isinstance(pgn, (str, bytes)):
            raise TypeError("pgn must be a string or bytes, not %r" % (pgn,))
        text = pgn.encode() if isinstance(pgn, str) else pgn
        return self._match(lambda *room: library.cql_match_game(self._handle, text, len(text), *room))

    def _match(self, match: Callable[..., int]) -> List[Match]:
        room, count = 0, ROOM
        while count > room:
            room, messages = count, c_void_p()
            found = (lib.Match * room)()
            count = match(found, room, byref(messages))
            told = take_messages(messages) if messages else []
        if count < 0:
            raise CqlError(told)
        return [Match(self.names[m.query], m.position if m.position >= 0 else None, m.ply, m.variation, square_names(m.squares))
                for m in found[:count]]

    def with_keys(self, keys: str, **options: Any) -> Query:
        """The same queries, whose games can be counted by these keys."""
        query = _compile(self._sources, dict(self._options, count_by=keys, **options))
        _warn(message for message in query.messages if message not in self.messages)
        return query


def _load(path: str) -> Tuple[Optional[int], List[Diagnostic]]:
    messages = c_void_p()
    handle = library.cql_load(os.fsencode(path), byref(messages))
    return handle, take_messages(messages)


def _compile_sources(sources: Sequence[QueryText], options: Dict[str, Any]) -> Tuple[Optional[int], List[Diagnostic]]:
    messages = c_void_p()
    array = (Source * len(sources))()
    for i, source in enumerate(sources):
        if _is_file(source):
            array[i] = Source(os.fsencode(source), None)
        else:
            name = encoded("name", options["name"]) or b"query"
            array[i] = Source(name if len(sources) == 1 else b"%s %d" % (name, i + 1), encoded("a query", source))
    variations, variants = (0 if given is None else 1 if given else -1 for given in (options["variations"], options["variants"]))
    given = CompileOptions(size=sizeof(CompileOptions), dialect=encoded("dialect", options["dialect"]),
                           engine=ENGINES[options["engine"]], no_cache=not options["cache"], pedantic=bool(options["pedantic"]),
                           secure=bool(options["secure"]), variations=variations, variants=variants,
                           no_squares=not options["squares"],
                           count_by=encoded("keys", options["count_by"]), memory=whole_number("memory", options["memory"], 0),
                           measure=encoded("measures", options.get("measure")), among=encoded("among", options.get("among")),
                           player=encoded("player", options.get("player")), per_position=options.get("per") == "position",
                           syzygy=os.fsencode(options["syzygy"]) if options["syzygy"] else None)
    handle = library.cql_compile_sources(array, len(sources), byref(given), byref(messages))
    return handle, take_messages(messages)


def _compile(sources: Sequence[QueryText], options: Dict[str, Any]) -> Query:
    for source in sources:
        if not isinstance(source, (str, os.PathLike)):
            raise TypeError("a query is a string, a path or a list of these, not %r" % (source,))
        if _is_file(source) and not os.path.exists(source):
            raise FileNotFoundError(2, "there is no such query", os.fspath(source))
    loads = len(sources) == 1 and _is_file(sources[0]) and os.fsdecode(sources[0]).lower().endswith(".so")
    if loads and options["count_by"]:
        raise ValueError("groups need the text of the query; name it instead of the matcher %s" % sources[0])
    if loads and options["secure"]:
        raise ValueError("secure refuses the matcher %s: its code runs as soon as it is loaded, before anything can check it" % sources[0])
    handle, messages = _load(os.fspath(sources[0])) if loads else _compile_sources(sources, options)
    if not handle:
        raise CqlError(messages)
    return Query(handle, sources, options, messages)


def _warn(messages: Iterable[Diagnostic]) -> None:
    for message in messages:
        if message.severity == "warning":
            warn(str(message))


def compile(query: Union[QueryText, Sequence[QueryText]], *, dialect: Optional[str] = None, name: Optional[str] = None,
            engine: str = "auto", cache: bool = True, variations: Optional[bool] = None, variants: Optional[bool] = None,
            pedantic: bool = False, secure: bool = False, squares: bool = True, memory: int = 0,
            syzygy: Union[None, str, os.PathLike] = None) -> Query:
    """Compiles a query.

    query: filters ("mate"), a whole query with its header, the name of a file (.cql), a matcher that cqlgen has made (.so), or a
        list of queries, which are searched for in one pass
    dialect: "cql6", "cqli", "cql5" or "cql3"; by default it is recognised
    name: of a query in a string, for messages
    engine: "auto" (native code at once; a long search uses the C compiler in the background), "cc", "tcc" or "interp"
    cache: keep what the C compiler makes in ~/.cache/cqlgen
    variations: search variations, too (True), or not (False); by default as the query says
    variants: read games of variants of chess by their own rules (True), or as chess (False); by default as the dialect does
    pedantic: refuse constructs of CQLi in CQL 6.2
    secure: refuse filters that use files or programs, and matchers, whose code nothing checks before it runs
    squares: find `Hit.squares`
    memory: bytes that the compiler may take; by default an eighth of the machine's
    syzygy: the folder of endgame tablebases that `wdl`, `dtz` and `tablebase` ask; all queries of a process use the same one

    Raises CqlError when the query has errors, and FileNotFoundError. Warnings of the compiler are CqlWarning.
    """
    if engine not in ENGINES:
        raise ValueError("unknown engine %r; expected %s" % (engine, ", ".join(ENGINES)))
    several = not isinstance(query, (str, bytes, os.PathLike)) and isinstance(query, Iterable)
    compiled = _compile(list(query) if several else [query],
                        {"dialect": dialect, "name": name, "engine": engine, "cache": cache, "variations": variations,
                         "variants": variants, "pedantic": pedantic, "secure": secure, "squares": squares, "count_by": None,
                         "memory": memory, "syzygy": syzygy})
    _warn(compiled.messages)
    return compiled
