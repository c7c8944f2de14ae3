"""What goes wrong."""
from __future__ import annotations

import sys
import warnings
from ctypes import c_void_p
from dataclasses import dataclass
from typing import List, Optional, Sequence

from ._library import file_name, library, text

SEVERITIES = ("error", "warning", "note", "output")


@dataclass(frozen=True)
class Diagnostic:
    """A message about a query, an input or a game."""

    severity: str  #: "error", "warning", "note", or "output": text that a query prints
    message: str  #: what is wrong, without the place
    file: str = ""  #: the query or the input
    line: Optional[int] = None  #: from 1
    column: Optional[int] = None  #: from 1
    end_line: Optional[int] = None
    end_column: Optional[int] = None  #: after the last character
    game: Optional[int] = None  #: number of the game
    excerpt: str = ""  #: the line of the query, and a line that marks the place

    def __str__(self) -> str:
        places = [self.file] if self.file else []
        places += [str(number) for number in (self.line, self.column) if number]
        where = ":".join(places) + ": " if places else ""
        about = "game %d: " % self.game if self.game else ""
        kind = "" if self.severity == "output" else self.severity + ": "
        return (where + about + kind + self.message + "\n" + self.excerpt).rstrip("\n")


class CqlWarning(UserWarning):
    """A query that looks wrong, or an input or game that was not searched."""


def warn(message: str) -> None:
    """Gives a CqlWarning about the line that called the package."""
    level, frame = 2, sys._getframe(1)
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, CqlWarning, stacklevel=level)


class CqlError(ValueError):
    """A query that cannot be compiled, or a search that cannot be carried out.

    `file`, `line` and `column` are the place of the first error, None when it has none; `message` is its text; `diagnostics`
    are all errors, warnings and notes.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        errors = [d for d in diagnostics if d.severity == "error"] or list(diagnostics)
        first = errors[0] if errors else Diagnostic("error", "it failed for an unknown reason")
        self.diagnostics: List[Diagnostic] = list(diagnostics)
        self.message: str = first.message
        self.file: Optional[str] = first.file or None
        self.line: Optional[int] = first.line
        self.column: Optional[int] = first.column
        super().__init__("\n".join(str(d) for d in self.diagnostics) or first.message)

    def __reduce__(self):
        return CqlError, (self.diagnostics,)


def read_messages(messages: Optional[int], start: int = 0) -> List[Diagnostic]:
    """The messages of a list, from number `start` on."""
    found = []
    for i in range(start, library.cql_messages_count(messages)):
        m = library.cql_messages_get(messages, i).contents
        found.append(Diagnostic(SEVERITIES[m.severity], text(m.text), file_name(m.file), m.line or None, m.column or None,
                                m.end_line or None, m.end_column or None, m.game or None, text(m.excerpt)))
    return found


def take_messages(messages: c_void_p) -> List[Diagnostic]:
    """The messages of a list that the caller owns, which is freed."""
    try:
        return read_messages(messages.value)
    finally:
        library.cql_messages_free(messages)
