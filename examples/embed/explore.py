# %% [markdown]
# A first look at a collection of games: run it whole, or cell by cell in an editor or a notebook.

# %%
import os
import sys

import cqlgen

GAMES = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "games.pgn")

# %% How many games end with mate, and which piece gives it?
mates = cqlgen.compile('mate sort "men" #A', name="mates")
print(cqlgen.count(mates, GAMES), "games end with mate")
last = {}
for game in cqlgen.search(mates, GAMES):
    san = game.hits[-1].san or ""
    piece = san[0] if san[:1] in "KQRBN" else "O" if san.startswith("O") else "P"
    last[piece] = last.get(piece, 0) + 1
print(dict(sorted(last.items(), key=lambda item: -item[1])))

# %% Results by the first letter of the opening
groups = cqlgen.count_by("true", GAMES, "eco/1")
for group in groups:
    print(group.keys["eco/1"] or "?", group.games, "games:", group.white, group.draws, group.black)

# %% The position with the fewest men in which a mate was given
with cqlgen.search('mate sort min "men" #A', GAMES, limit=1) as found:
    smallest = next(found)
print(smallest, "with", smallest.sort["men"], "men of White")
smallest.hits[-1].board(width=280)

# %% A table, where pandas is installed
try:
    table = cqlgen.to_frame(cqlgen.search("check", GAMES))
    print(table.groupby("white")["ply"].count().sort_values(ascending=False).head(5).to_string())
except ImportError as missing:
    print(missing)
