"""The step budget bounds work: whatever a query does in a loop, and however large the texts, games and tags are that it does it
with, the instructions that it takes stay within a constant times its steps.

The queries loop over one filter each, over large operands. Instructions are counted by valgrind, never time. Every call of the
runtime that can take long is in some query: the names in the C that is emitted for them are compared with
runtime/match/calls/*.def.
"""
import os
import re
import shutil

from parts.harness import ROOT, TESTS, read, write

# Strings of 2^20 bytes: S, and longer ones that begin like it.
TEXTS = '''initial
S = "a"  m = 0
while (m < 20) { m += 1  S = S + S }
T = S + "b"
U = S + "c"
dictionary D  dictionary E  dictionary I  dictionary G
D[S] = 1  D[T] = 2  E["e"] = S  I[3] = A  G[ A ] = 3
'''
TEXT_FILTERS = r'''
    T < U | T == U | T != U | T <= U | U > S | "zz" in S | T in S | T in U | #S > 3
    indexof("ab" S) == 3 | indexof(T S) == 3 | indexof(S T) == 4 | S[500000] == "b" | S[-1] == "b" | S[5:900000] == "x" | S[5:] == "x"
    S[:900000] == "x" | S[5:9] == "x" | {V = S  V[5] = "b"} | {V = S  V[5:7] = "bcc"} | {V = S  V[5:] = T}
    uppercase S == "A" | lowercase S == "A" | fold S == "A" | int(S) == 3 | ascii(S) == 3 | V = S + T | V = S + "b" | {V = "x"  V += S}
    str(S T) == "x" | str(12 A "x") == "x" | V = if check S else T | V = str(D) | V = str(E) | str(position 0) == "x"
    S ~~ "b" | S ~~ "a*b" | S ~~ "[^b]*c" | S ~~ "(a+)+$" | S ~~ "^(a|aa)*$" | S ~~ "(a*)*b" | S ~~ "a.*[bc]" | S ~~ "[ab][^c]*[cd]"
    S ~~ "(a*)\1b" | S ~~ "(?=.*b)a" | S ~~ "a{60000}b" | S[0:400] ~~ "^(a+)+$" | S[0:400] ~~ "(a*)*c" | S ~~ "a"
    {S ~~ "(a+)"  \1 == "b"} | {S ~~ "a(b)?"  \-1 == 3} | while (S ~~ "a") { x == 3 } | while (S ~~ "a*?") { \0 == "b" }
    D[S] = 1 | D[S] == 1 | #D > 3 | isbound D | {dictionary H  H[x + 0] = A  H[x + 0] == a} |  D[T] == 3 | D[U] == 3 | {D[U] = 3  unbind D[U]} | E["e"] == "x" | E["f"] = T
    {E["g"] = S  unbind E} | string k2 in D { k2 == "b" } | string k3 in E { E[k3] == "b" } | k4[element]I { k4 == 3 }
    k5[element]G { G[k5] == 4 } | I[x + 0] = A | {I[x + 0] = A  k6[element]I { k6 == 1  check }} | {G[ B ] = 3  unbind G[ B ]}
    message(S) | message quiet(S) | comment(S) | settag("x" S) | tag "x" == S | tag "zzz" == S
    player == S | player white == S | event == S | site == S | fen == S | eco == S | date == S | originalcomment == S
    S in originalcomment | originalcomment ~~ "a+b" | "b" in player | event ~~ "x+y" | writefile("/dev/null" S) | readfile(S) == "x"
    readfile("/dev/null") == S | sort "t" S | sort min "u" S | persistent Z = "" + S | V = min(S T) | V = F(S)
'''
# In a game of several thousand moves.
POSITION_FILTERS = '''
    find mate | find all check | find <-- check | find 3 10 check | find all A == 3 | path -- -- check | path --* mate
    path {-- check} {-- --} | path focus A --* | path firstmatch --* mate | path lastposition check --* | path nestban --* mate
    path verbose --* | path quiet --* | path --{3} (-- check) | line --> check+ | line <-- . <-- . | line --> .* --> mate
    path max(power A) --* check --* | line firstmatch --> .+ | lca(position 0 position 900) == position 0 | distance(position 0 position 900) == 4
    ancestor(position 0 position 900) | descendant(position 900 position 3) | position 900:check | parent:check | child:check
    depth > 4 | ply > 3 | move legal count > 3 | {y1 = move from A legal  y1 == 1} | similarposition "GAMES.pgn" | move from K to . | legal Q-- | movenumber > 4 | fen == "x" | echo (s1 s2) s1 == s2
    echo quiet (s3 s4) ply == 3 | echo (s5 s6) lca(s5 s6) == position 3 | echo quiet (s7 s8) {s7:#A > s8:#A + 9}
    echo quiet (z1 z2) {z1:#A == z2:#a z1:ply != z2:ply z1:#P > z2:ply + 20} | power A > 4 | A attacks a | A->R->k | xray(A k) | pin
    pin through a from R to k | ray(A k) | shift {Ra1 kb3} | flip {Ra1 kb3} | shifthorizontal Ra1 | #(A attacks a) > 3 | between(A k)
    countmoves -- == 3 | idealmate | puremate | modelmate | currentposition == position 3 | str(currentposition) == "x"
    reachableposition | terminal | virtualmainline | mainline | variation | hascomment | initialposition:check | position 900:parent:mate
    move legal : {currentmutation == "x"} | move legal : {move reverse : {currentmutation == "x"}} | sidetomove == white | makesquare("a1") | connectedpawns | doubledpawns | isolatedpawns | passedpawns
    piece X in A { X attacks k } | piece X2 in A { position 3:X2 } | square z3 in A { z3 attacks k } | assert (check or not check) | loop { check }
    sort min "a" #A | sort "b" ply | echo (s7 s8) s7:A == s8:A | fen == "8/8/8/8/8/8/8/8" | A == position 3:A | up 1 A
    find (find mate) | path {-- find check} | mate | stalemate | check | A→k | [x] | -- | --(check) | currentmove A--
    previous A-- | echo (q1 q2) consecutivemoves(q1 q2) > 3 | try | primary | secondary | clock > 3 | elapsed > 3 | eval > 3
    position 900:repetition > 3 | exactfen "1.e4 e5" | opening == "x" | openingcode == "x"
'''
# In a game with many tags.
TAG_FILTERS = '''
    tag "zzz" == "x" | tag "Tag19999" == "x" | settag("Tag7" "x") | tag "Tag3" ~~ "x*y"
'''
# Cases with calls that no filter above leads to, over the game with many moves.
CASES = '''
    cql5/comments-silent-filter tree/find-all-backward-in-variations programming/dictionary cql5/relation-mirrored
    cql5/comments-relation-dropped cql5/relation-ancestor-pawn cql5/comments-next-move relations/lcasource
    output/removecomment-leaves-nothing tree/echo-equal-squares relations/echoshift-all-pieces cqli/regex-computed
    cqli/hhdb-nonspecial cqli/hhdb-tourney-year-missing cqli/hhdb-distinction relations/both-square-sets
'''
# The tables of calls that take strings, dictionaries, or walk over the game.
TABLES = ("text", "game", "tree", "members", "path", "relation", "moves")
# Calls that do the same work whatever the operands.
CONSTANT = """
    char_string piece_letter type_letter text_piece elo year has_nag show_squares show_move key_int memo_visit log_constituent
    game_fault hhdb_bool hhdb_code hhdb_text_here hhdb_string hhdb_number first_match
""".split()
# Once for a matching position: what a page shows of it, the stretch of a path, which has taken steps for each of its moves, and
# what it is counted by.
AT_MATCHES = ["show", "show_line", "count_among", "key_number", "key_set", "key_string"]
TAGS, PLIES, STEPS = 20000, 4000, 100000
MOST = {"text": 1200, "position": 8000, "tag": 1200, "case": 8000}  # instructions a step


def filters(text):
    return [f.strip() for line in text.strip().split("\n") for f in line.split(" | ") if f.strip()]


def query(before, body):
    function = "function F(q1) { q1 }\n" if "F(" in body else ""
    return "cql()\n%s%sx = 0\nwhile (x < 1000000000) {\nx += 1\nif {%s} x += 1\n}\n" % (function, before, body)


def queries():
    """(kind, filter, query) of everything."""
    return ([("text", f, query(TEXTS, f)) for f in filters(TEXT_FILTERS)] +
            [("position", f, query("", f)) for f in filters(POSITION_FILTERS)] +
            [("tag", f, query("", f)) for f in filters(TAG_FILTERS)] +
            [("case", f, read(os.path.join(TESTS, "cases", f + ".cql"))) for f in CASES.split()])


def instructions(suite, number, text, games):
    path = suite.path("budget-%d.cql" % number)
    write(path, text.replace("GAMES.pgn", games))
    result = suite.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", suite.cqlgen, "search", path, games,
                        "-f", "none", "--engine", "interp", "-j", "1", "--max-steps", str(STEPS), "--no-cache", "--allow-files", "/"],
                       timeout=300)
    found = re.search(r"Collected : (\d+)", result.errors())
    return result, int(found.group(1)) if found else None


def check_work(suite, number, kind, body, text, games):
    result, count = instructions(suite, number, text, games)
    if kind == "case":
        suite.check("budget: %s ends" % body, count is not None, result.errors()[-300:])
    else:
        spent = "too many steps" in result.errors() or "too much memory" in result.errors() or "too long" in result.errors()
        suite.check("budget: %s ends" % body, result.status == 4 and spent and count is not None, "status %s: %s" % (result.status, result.errors()[-300:]))
    suite.check("budget: work of %s" % body, count is None or count < STEPS * MOST[kind], "%d instructions a step" % ((count or 0) / STEPS))


def calls_in_use(suite, every):
    """The calls of the runtime in the C that is emitted for all queries."""
    names = []
    for i, (_, _, text) in enumerate(every):
        names.append(suite.path("budget-c-%d.cql" % i))
        write(names[-1], text)
    found = set()
    for name, result in suite.map(lambda name: suite.run([suite.cqlgen, name, "-o", name + ".c"]), names):
        if suite.check("budget: %s compiles" % os.path.basename(name), result.status == 0, result.errors()[:300]):
            found |= set(re.findall(r"rt->([a-z_0-9]+)", read(name + ".c")))
    return found


def run(suite):
    every = queries()
    known = set(re.findall(r"^CALL\((\w+)", "".join(read(os.path.join(ROOT, "runtime/match/calls", name + ".def")) for name in TABLES), re.M))
    missing = known - calls_in_use(suite, every) - set(CONSTANT + AT_MATCHES)
    suite.check("budget: every call that can take long is in a query", not missing, ", ".join(sorted(missing)))
    if not shutil.which("valgrind"):
        print("budget: not counted, valgrind is missing; skipped")
        return
    games = {"text": suite.path("budget-text.pgn"), "position": suite.path("budget-long.pgn"), "tag": suite.path("budget-tags.pgn")}
    games["case"] = games["position"]
    write(games["text"], '[White "A"]\n\n1. e4 {%s} e5 *\n' % ("a" * 1000000))
    suite.generate(games["position"], endless=100, plies=PLIES, games=1, annotated=0, clocks=0)
    write(games["tag"], "".join('[Tag%d "%d"]\n' % (i, i) for i in range(TAGS)) + "\n1. e4 e5 *\n")
    some = suite.some(list(enumerate(every)), quick=29, sanitize=1, full=8)
    for _ in suite.map(lambda job: check_work(suite, job[0], *job[1], games[job[1][0]]), some):
        pass
