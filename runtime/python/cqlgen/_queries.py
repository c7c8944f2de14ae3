"""Compiled queries."""
from __future__ import annotations

import os
import warnings
from ctypes import byref, c_void_p, sizeof
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ._errors import CqlError, CqlWarning, Diagnostic, take_messages
from ._library import ENGINES, CompileOptions, Source, library, text

QueryText = Union[str, "os.PathLike[str]"]


def _is_file(query: QueryText) -> bool:
    """A path, or a string that names a query file or a matcher."""
    return not isinstance(query, str) or ("\n" not in query and query.lower().endswith((".cql", ".so")))


def _encoded(value: Optional[str]) -> Optional[bytes]:
    if value is not None and "\0" in value:
        raise ValueError("a query contains no zero bytes")
    return value.encode() if value is not None else None


class Query:
    """One or more compiled queries, made by `compile`. Any number of searches may use it, in any threads."""

    def __init__(self, handle: int, sources: Sequence[QueryText], options: Dict[str, Any], messages: List[Diagnostic]) -> None:
        self._handle: Optional[int] = handle
        self._sources = list(sources)
        self._options = options
        #: warnings and notes of the compiler
        self.messages: List[Diagnostic] = messages
        numbers = range(library.cql_query_count(handle))
        #: the names of the queries
        self.names: List[str] = [text(library.cql_query_name(handle, i)) for i in numbers]
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

    def with_keys(self, keys: str) -> Query:
        """The same queries, whose games can be counted by these keys."""
        return _compile(self._sources, dict(self._options, count_by=keys))


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
            name = options["name"] or "query"
            array[i] = Source((name if len(sources) == 1 else "%s %d" % (name, i + 1)).encode(), _encoded(str(source)))
    variations = {None: 0, True: 1, False: -1}[options["variations"]]
    given = CompileOptions(size=sizeof(CompileOptions), dialect=_encoded(options["dialect"]), engine=ENGINES[options["engine"]],
                           no_cache=not options["cache"], pedantic=options["pedantic"], secure=options["secure"],
                           variations=variations, no_squares=not options["squares"], count_by=_encoded(options["count_by"]),
                           memory=options["memory"])
    handle = library.cql_compile_sources(array, len(sources), byref(given), byref(messages))
    return handle, take_messages(messages)


def _compile(sources: Sequence[QueryText], options: Dict[str, Any]) -> Query:
    loads = len(sources) == 1 and _is_file(sources[0]) and os.fspath(sources[0]).lower().endswith(".so")
    for source in sources:
        if _is_file(source) and not os.path.exists(source):
            raise FileNotFoundError(2, "there is no such query", os.fspath(source))
    if loads and options["count_by"]:
        raise ValueError("groups need the text of the query; name it instead of the matcher %s" % sources[0])
    handle, messages = _load(os.fspath(sources[0])) if loads else _compile_sources(sources, options)
    if not handle:
        raise CqlError(messages)
    for message in messages:
        if message.severity == "warning":
            warnings.warn(str(message), CqlWarning, stacklevel=4)
    return Query(handle, sources, options, messages)


def compile(query: Union[QueryText, Sequence[QueryText]], *, dialect: Optional[str] = None, name: Optional[str] = None,
            engine: str = "auto", cache: bool = True, variations: Optional[bool] = None, pedantic: bool = False,
            secure: bool = False, squares: bool = True, memory: int = 0) -> Query:
    """Compiles a query.

    query: filters ("mate"), a whole query with its header, the name of a file (.cql), a matcher that cqlgen has made (.so), or a
        list of queries, which are searched for in one pass
    dialect: "cql6", "cqli", "cql5" or "cql3"; by default it is recognised
    name: of a query in a string, for messages
    engine: "auto" (native code at once; a long search uses the C compiler in the background), "cc", "tcc" or "interp"
    cache: keep what the C compiler makes in ~/.cache/cqlgen
    variations: search variations, too (True), or not (False); by default as the query says
    pedantic: refuse constructs of CQLi in CQL 6.2
    secure: refuse filters that use files or programs
    squares: find `Hit.squares`
    memory: bytes that the compiler may take; by default an eighth of the machine's

    Raises CqlError when the query has errors, and FileNotFoundError. Warnings of the compiler are CqlWarning.
    """
    if engine not in ENGINES:
        raise ValueError("unknown engine %r; expected %s" % (engine, ", ".join(ENGINES)))
    sources = [query] if isinstance(query, (str, os.PathLike)) else list(query)
    return _compile(sources, {"dialect": dialect, "name": name, "engine": engine, "cache": cache, "variations": variations,
                              "pedantic": pedantic, "secure": secure, "squares": squares, "count_by": None,
                              "memory": memory})
