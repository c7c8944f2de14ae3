"""Groups of games."""
from __future__ import annotations

import html
import math
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

from ._library import Groups as LibraryGroups
from ._library import text
from ._tables import arrow, module

COLUMNS = ("games", "positions", "white", "draws", "black", "percent")
Key = Union[str, int, None]


@dataclass(frozen=True)
class Group:
    """The matching games with the same keys."""

    keys: Dict[str, Key]  #: the values by the names of the keys; None: the games have none
    games: int  #: that match
    positions: int  #: that match, in these games
    white: int  #: games that White won, or with the key `player` or a player: that he won; `black`: that he lost
    draws: int
    black: int
    percent: float  #: of all matching games, or with `of_all` of the games of the group
    searched: Optional[int] = None  #: with `of_all`: games of the group, whether they match or not
    query: int = 0  #: number of the query, from 0
    others: bool = False  #: the groups beyond the limit together
    query_name: Optional[str] = None  #: with several queries: the name of the query
    measures: Dict[str, Optional[float]] = field(default_factory=dict)  #: those that were asked for, by their names; None: there is none

    def as_dict(self) -> Dict[str, Any]:
        """Keys and numbers in one dictionary."""
        row: Dict[str, Any] = {} if self.query_name is None else {"query": self.query_name}
        row.update(self.keys)
        row.update((column, getattr(self, column)) for column in COLUMNS)
        if self.searched is not None:
            row["searched"] = self.searched
        row.update(self.measures)
        return row


class Groups(Sequence):
    """The result of `count_by`: a sequence of `Group`, which notebooks show as a table; with several queries its first column is `query`."""

    def __init__(self, keys: List[str], groups: List[Group]) -> None:
        self.keys: List[str] = keys
        self._groups = groups
        self._several = any(group.query_name is not None for group in groups)

    def __getitem__(self, i):
        return self._groups[i]

    def __len__(self) -> int:
        return len(self._groups)

    def __iter__(self) -> Iterator[Group]:
        return iter(self._groups)

    def to_frame(self):
        """A pandas.DataFrame with a row for each group."""
        pandas, rows = module("pandas"), [group.as_dict() for group in self._groups]
        return pandas.DataFrame(rows, columns=list(rows[0]) if rows else [*self.keys, *COLUMNS])

    def to_arrow(self):
        """A pyarrow.Table with a row for each group."""
        rows = [group.as_dict() for group in self._groups]
        return arrow({name: [row[name] for row in rows] for name in (rows[0] if rows else [*self.keys, *COLUMNS])}, dict.fromkeys(COLUMNS[:-1], "int64"))

    def _repr_html_(self) -> str:
        def row(values, tag):
            return "<tr>%s</tr>" % "".join("<%s>%s</%s>" % (tag, html.escape(str(value)), tag) for value in values)

        shown = [[*([group.query_name] if self._several else []), *(("(others)" if group.others else "(none)") if group.keys[key] is None else group.keys[key] for key in self.keys),
                  *(getattr(group, column) for column in COLUMNS[:-1]), "%.1f" % group.percent,
                  *("" if value is None else "%.2f" % value for value in group.measures.values())] for group in self._groups]
        measures = list(self._groups[0].measures) if self._groups else []
        return "<table><thead>%s</thead><tbody>%s</tbody></table>" % (
            row([*(["query"] if self._several else []), *self.keys, *COLUMNS, *measures], "th"), "".join(row(values, "td") for values in shown))

    def __repr__(self) -> str:
        return "<cqlgen.Groups by %s: %d groups>" % (", ".join(self.keys), len(self))


def _value(value) -> Key:
    return None if value.kind == 0 else value.number if value.kind == 1 else text(value.text)


def read_groups(groups: LibraryGroups, of_all: bool, names: Sequence[str]) -> Groups:
    """Copies the groups of a search by queries with these names."""
    keys = [text(groups.key[i]) for i in range(groups.key_count)]
    measures = [text(groups.measure[i]) for i in range(groups.measure_count)]
    found = []
    for i in range(groups.count):
        group = groups.group[i].contents
        others = not group.value
        values = dict.fromkeys(keys) if others else {key: _value(group.value[k]) for k, key in enumerate(keys)}
        found.append(Group(values, group.games, group.positions, group.white, group.draws, group.black, group.percent,
                           group.searched if of_all else None, group.query, others,
                           names[group.query] if len(names) > 1 else None,
                           {name: None if math.isnan(group.measure[k]) else group.measure[k] for k, name in enumerate(measures)}))
    return Groups(keys, found)
