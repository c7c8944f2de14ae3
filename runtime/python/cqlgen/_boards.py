"""Diagrams."""
from __future__ import annotations

from ctypes import byref, c_char_p, cast, sizeof
from typing import Iterable, List, Optional

from ._library import BoardOptions, encoded, library, whole_number

NAMES = [file + rank for rank in "12345678" for file in "abcdefgh"]


def square_names(squares: int) -> List[str]:
    """The names of a set of squares, a1 first."""
    names = []
    while squares:
        last = squares & -squares  # the lowest of its bits
        names.append(NAMES[last.bit_length() - 1])
        squares -= last
    return names


def square_set(names: Iterable[str]) -> int:
    """The set of squares with these names."""
    squares = 0
    for name in names:
        if not isinstance(name, str) or len(name) != 2 or name[0] not in "abcdefgh" or name[1] not in "12345678":
            raise ValueError("not a square: %r" % (name,))
        squares |= 1 << ("abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1))
    return squares


class Board:
    """A diagram, which notebooks show. `svg` is the image."""

    def __init__(self, svg: str) -> None:
        self.svg: str = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return "<cqlgen.Board, %d bytes of SVG>" % len(self.svg)


def board(fen: str, *, last: Optional[str] = None, next: Optional[str] = None, squares: Iterable[str] = (), flipped: bool = False,
          width: int = 360) -> Board:
    """A diagram of a position.

    fen: the position
    last: the move that led there as UCI ("e2e4"); its squares are marked
    next: a move that is drawn as an arrow
    squares: names of squares to ring
    flipped: Black is at the bottom
    width: in pixels, less than 10,000

    Raises ValueError when the FEN is not a position.
    """
    if fen is None:
        raise TypeError("fen must be a string, not None")
    options = BoardOptions(size=sizeof(BoardOptions), last=encoded("last", last), next=encoded("next", next),
                           squares=square_set(squares), flipped=bool(flipped), width=whole_number("width", width, 1, 9999))
    svg = library.cql_board_svg(encoded("fen", fen), byref(options))
    if not svg:
        raise ValueError("not a position: %r" % (fen,))
    try:
        return Board((cast(svg, c_char_p).value or b"").decode())
    finally:
        library.cql_free(svg)
