"""Searches chess games with queries in CQL, the Chess Query Language.

    import cqlgen
    for game in cqlgen.search("mate", "games.pgn"):
        print(game.white, game.black, game.hits[0].fen)

`search` gives the games that match, `count` their number, `count_by` groups of them, `to_frame` and `to_arrow` tables, and
`explore` the moves that were played in a position.
`compile` compiles a query once for several searches, and for `Query.match_fen` and `Query.match_game`, which match one
position or game. Errors are `CqlError`, with the place in the query. The query language is described at docs/language,
this package in docs/python.md.
"""
from ._boards import Board, board
from ._errors import CqlError, CqlWarning, Diagnostic
from ._groups import Group, Groups
from ._library import library as _functions
from ._queries import Match, Query, compile
from ._search import Game, Hit, Note, Search, Totals, count, count_by, explore, search, to_arrow, to_frame

__version__ = _functions.cql_version().decode()
__all__ = ["Board", "CqlError", "CqlWarning", "Diagnostic", "Game", "Group", "Groups", "Hit", "Match", "Note", "Query", "Search", "Totals",
           "board", "compile", "count", "count_by", "explore", "search", "to_arrow", "to_frame"]
