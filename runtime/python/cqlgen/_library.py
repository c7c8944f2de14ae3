"""The functions and structs of libcqlgen (cqlgen.h) for ctypes."""
from __future__ import annotations

import ctypes
import ctypes.util
import operator
import os
from ctypes import POINTER, Structure, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Optional

API_VERSION = 3
NONE = -(2**31)  # CQL_NONE

ERROR, WARNING, NOTE, OUTPUT = range(4)
GAME, END, WAIT, STOPPED, FAILED = range(5)
WANT_HITS, WANT_PGN, WANT_TAGS, WANT_COUNTS, WANT_GROUPS, WANT_EXPLORER = 1, 2, 4, 8, 16, 32
EXPLORER_JSON = 1
ENGINES = {"auto": 0, "interp": 1, "tcc": 2, "cc": 3}
ORDERS = {None: 0, "key": 1, "games": 2}


class Message(Structure):
    _fields_ = [("severity", c_int32), ("file", c_char_p), ("line", c_int32), ("column", c_int32), ("end_line", c_int32),
                ("end_column", c_int32), ("game", c_int64), ("text", c_char_p), ("excerpt", c_char_p)]


class CompileOptions(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("dialect", c_char_p), ("engine", c_int32), ("no_cache", c_int32),
                ("pedantic", c_int32), ("secure", c_int32), ("no_optimize", c_int32), ("variations", c_int32),
                ("no_squares", c_int32), ("cc", c_char_p), ("count_by", c_char_p), ("memory", c_int64), ("variants", c_int32),
                ("measure", c_char_p), ("among", c_char_p), ("player", c_char_p), ("per_position", c_int32), ("syzygy", c_char_p)]


class Source(Structure):
    _fields_ = [("name", c_char_p), ("text", c_char_p)]


class Tag(Structure):
    _fields_ = [("name", c_char_p), ("value", c_char_p)]


class Sort(Structure):
    _fields_ = [("title", c_char_p), ("has_value", c_int32), ("number", c_int32), ("text", c_char_p)]


class Hit(Structure):
    _fields_ = [("position", c_int32), ("ply", c_int32), ("move_number", c_int32), ("variation", c_int32), ("fen", c_char_p),
                ("san", c_char_p), ("uci", c_char_p), ("next_san", c_char_p), ("next_uci", c_char_p), ("comment", c_char_p),
                ("squares", c_uint64), ("clock", c_int32), ("elapsed", c_int32), ("eval", c_int32)]


class Note(Structure):
    _fields_ = [("position", c_int32), ("ply", c_int32), ("comment", c_char_p)]


class Game(Structure):
    _fields_ = [("number", c_int64), ("file", c_char_p), ("number_in_file", c_int64), ("offset", c_int64), ("query", c_int32),
                ("query_name", c_char_p), ("tag_count", c_int32), ("tag", POINTER(Tag)), ("hit_count", c_int32),
                ("hit", POINTER(POINTER(Hit))), ("sort_count", c_int32), ("sort", POINTER(Sort)), ("note_count", c_int32),
                ("note", POINTER(Note)), ("pgn", c_char_p)]


class Input(Structure):
    _fields_ = [("name", c_char_p), ("text", c_char_p), ("length", c_uint64)]


class SearchOptions(Structure):
    _fields_ = [("size", c_size_t), ("threads", c_int32), ("want", c_uint32), ("limit", c_int64), ("first_game", c_int64),
                ("last_game", c_int64), ("max_seconds", c_double), ("max_steps", c_int64), ("memory", c_int64),
                ("sample", c_double), ("first", c_int32), ("of_all", c_int32), ("group_order", c_int32), ("no_sort", c_int32),
                ("allow_commands", c_int32), ("allow_files", c_char_p), ("position", c_char_p), ("min_games", c_int64), ("plies", c_int32)]


class Match(Structure):
    _fields_ = [("query", c_int32), ("position", c_int32), ("ply", c_int32), ("variation", c_int32), ("squares", c_uint64)]


class Totals(Structure):
    _fields_ = [("size", c_size_t), ("games", c_int64), ("matches", c_int64), ("hits", c_int64), ("positions", c_int64),
                ("bytes", c_int64), ("damaged", c_int64), ("errors", c_int64), ("seconds", c_double)]


class GroupValue(Structure):
    _fields_ = [("kind", c_int32), ("number", c_int64), ("text", c_char_p)]


class Group(Structure):
    _fields_ = [("query", c_int32), ("value", POINTER(GroupValue)), ("games", c_int64), ("positions", c_int64),
                ("white", c_int64), ("draws", c_int64), ("black", c_int64), ("searched", c_int64), ("percent", c_double), ("measure", POINTER(c_double))]


class Groups(Structure):
    _fields_ = [("key_count", c_int32), ("key", POINTER(c_char_p)), ("count", c_int32), ("group", POINTER(POINTER(Group))),
                ("measure_count", c_int32), ("measure", POINTER(c_char_p))]


class BoardOptions(Structure):
    _fields_ = [("size", c_size_t), ("last", c_char_p), ("next", c_char_p), ("squares", c_uint64), ("flipped", c_int32),
                ("width", c_int32)]


# Name: (result, parameters). Handles are plain pointers.
_MESSAGES = POINTER(c_void_p)
FUNCTIONS = {
    "cql_version": (c_char_p, []),
    "cql_api_version": (c_int32, []),
    "cql_messages_count": (c_int32, [c_void_p]),
    "cql_messages_get": (POINTER(Message), [c_void_p, c_int32]),
    "cql_messages_text": (c_char_p, [c_void_p]),
    "cql_messages_free": (None, [c_void_p]),
    "cql_compile": (c_void_p, [c_char_p, POINTER(CompileOptions), _MESSAGES]),
    "cql_compile_sources": (c_void_p, [POINTER(Source), c_size_t, POINTER(CompileOptions), _MESSAGES]),
    "cql_load": (c_void_p, [c_char_p, _MESSAGES]),
    "cql_query_free": (None, [c_void_p]),
    "cql_query_count": (c_int32, [c_void_p]),
    "cql_query_name": (c_char_p, [c_void_p, c_int32]),
    "cql_query_dialect": (c_char_p, [c_void_p, c_int32]),
    "cql_query_sort_count": (c_int32, [c_void_p, c_int32]),
    "cql_query_sort_title": (c_char_p, [c_void_p, c_int32, c_int32]),
    "cql_search": (c_void_p, [c_void_p, POINTER(Input), c_size_t, POINTER(SearchOptions), _MESSAGES]),
    "cql_search_next": (c_int32, [c_void_p, c_int32, POINTER(POINTER(Game))]),
    "cql_search_stop": (None, [c_void_p]),
    "cql_search_messages": (c_void_p, [c_void_p]),
    "cql_search_totals": (c_int32, [c_void_p, POINTER(Totals)]),
    "cql_match_fen": (c_int32, [c_void_p, c_char_p, POINTER(Match), c_size_t, _MESSAGES]),
    "cql_match_game": (c_int32, [c_void_p, c_char_p, c_size_t, POINTER(Match), c_size_t, _MESSAGES]),
    "cql_search_groups": (POINTER(Groups), [c_void_p]),
    "cql_explore": (c_char_p, [c_void_p, c_int32]),
    "cql_search_free": (None, [c_void_p]),
    "cql_board_svg": (c_void_p, [c_char_p, POINTER(BoardOptions)]),
    "cql_free": (None, [c_void_p]),
}


def _open() -> ctypes.CDLL:
    """The library: $CQLGEN_LIBRARY, the one in the package, or that of the system."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libcqlgen.so.1")
    named = os.environ.get("CQLGEN_LIBRARY")
    path = named or (own if os.path.exists(own) else ctypes.util.find_library("cqlgen") or "libcqlgen.so.1")
    try:
        library = ctypes.CDLL(path)
        for name, (result, parameters) in FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, parameters
    except (OSError, AttributeError) as error:
        raise ImportError("cannot load libcqlgen (CQLGEN_LIBRARY names its file): %s" % error) from None
    if library.cql_api_version() < API_VERSION:
        raise ImportError("%s is too old: its interface has the number %d, not %d" % (path, library.cql_api_version(), API_VERSION))
    return library


library = _open()


def text(value: bytes | None) -> str:
    """A string of the library."""
    return value.decode("utf-8", "replace") if value else ""


def file_name(value: bytes | None) -> str:
    """The name of a file, which need not be UTF-8."""
    return os.fsdecode(value) if value else ""


def encoded(what: str, value: Any) -> Optional[bytes]:
    """The argument `what` for the library: a string without zero bytes, or None."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError("%s must be a string, not %r" % (what, value))
    if "\0" in value:
        raise ValueError("%s must not contain zero bytes: %r" % (what, value))
    return value.encode()


def whole_number(what: str, value: Any, least: int = 1, most: int = 2**63 - 1) -> int:
    """The argument `what` as a number of the library, which looks at the lowest bits only."""
    number = operator.index(value)
    if not least <= number <= most:
        raise ValueError("%s must be from %d to %d, not %r" % (what, least, most, value))
    return number
