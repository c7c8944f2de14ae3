"""Tables for pandas and Arrow, made of columns: lists of values by their names, in which None is missing."""
from __future__ import annotations

import importlib
from typing import Any, Dict, List

MODULES = {"pandas": "tables need pandas: `pip install pandas`, or the Debian package python3-pandas",
           "pyarrow": "tables of Arrow need pyarrow: `pip install pyarrow`"}
Columns = Dict[str, List[Any]]
Types = Dict[str, str]  # int64, or Int64 of numbers that may be missing


def module(name: str):
    """One of MODULES, or ImportError that says what to install."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(MODULES[name]) from None


def _kind(values: List[Any]) -> type:
    kinds = set(map(type, values)) - {type(None)}
    return int if kinds == {int} else float if kinds and kinds <= {int, float} else str


def frame(columns: Columns, numbers: Types):
    """A pandas.DataFrame. Columns of numbers are those of `numbers`, and others that have nothing else."""
    pandas = module("pandas")

    def series(name: str, values: List[Any]):
        kind = numbers.get(name) or ("int64" if _kind(values) is int else "object")
        return pandas.Series(values, dtype="Int64" if kind == "int64" and None in values else kind)

    return pandas.DataFrame({name: series(name, values) for name, values in columns.items()}, copy=False)


def arrow(columns: Columns, numbers: Types):
    """A pyarrow.Table. Columns of numbers are those of `numbers`, and others that have nothing else."""
    pyarrow = module("pyarrow")
    types = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}

    def array(name: str, values: List[Any]):
        kind = int if name in numbers else _kind(values)
        if kind is str:  # UTF-8, which names of files need not be
            values = [None if value is None else str(value).encode("utf-8", "replace").decode() for value in values]
        return pyarrow.array(values, type=types[kind])

    return pyarrow.table({name: array(name, values) for name, values in columns.items()})
