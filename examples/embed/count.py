#!/usr/bin/env python3
"""Counts matching games with a compiled matcher, through ctypes.

    cqlgen examples/back-rank.cql -o matcher.so
    python3 examples/embed/count.py out/libcqlgen.so matcher.so examples/games.pgn
"""
import ctypes
import sys


class Hit(ctypes.Structure):
    _fields_ = [
        ("game", ctypes.c_int64),
        ("query", ctypes.c_int32),
        ("position_count", ctypes.c_int32),
        ("position", ctypes.POINTER(ctypes.c_int32)),
    ]


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(Hit))


def load(path):
    library = ctypes.CDLL(path)
    library.cql_open.restype = ctypes.c_void_p
    library.cql_open.argtypes = [ctypes.c_char_p]
    library.cql_close.argtypes = [ctypes.c_void_p]
    library.cql_error.restype = ctypes.c_char_p
    library.cql_error.argtypes = [ctypes.c_void_p]
    library.cql_search_file.restype = ctypes.c_int64
    library.cql_search_file.argtypes = [ctypes.c_void_p, ctypes.c_char_p, CALLBACK, ctypes.c_void_p]
    return library


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: count.py LIBCQLGEN.so MATCHER.so GAMES.pgn")
    library = load(sys.argv[1])
    search = library.cql_open(sys.argv[2].encode())
    if not search:
        sys.exit("count.py: " + library.cql_error(None).decode())

    def show(_user, hit):
        found = hit.contents
        positions = [found.position[i] for i in range(found.position_count)]
        print("game %d:" % found.game, *positions)
        return 0

    matches = library.cql_search_file(search, sys.argv[3].encode(), CALLBACK(show), None)
    if matches < 0:
        sys.exit("count.py: " + library.cql_error(search).decode())
    print(matches, "games match")
    library.cql_close(search)


main()
