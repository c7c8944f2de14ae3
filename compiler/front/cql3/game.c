// Builds the tree of a file of CQL 3 from its game data, tags and position lists (language reference 12.2, 12.3, 12.8).
#include "internal.h"

#include <limits.h>
#include <string.h>

#include "runtime/game/view.h"

// ---- game data --------------------------------------------------------------------------------------------

static void intersect(Range *all, Range range)
{
    if (!all->present)
        *all = range;
    if (range.low.value > all->low.value)
        all->low.value = range.low.value;
    if (range.high.value < all->high.value)
        all->high.value = range.high.value;
}

static bool is_one_result(int results)
{
    return results == 1 << RESULT_WHITE || results == 1 << RESULT_BLACK || results == 1 << RESULT_DRAW;
}

// The header says what it can. The list keeps the other conditions.
static void move_to_header(Cql3 *c, MatchList *list)
{
    int kept = 0;
    for (int i = 0; i < list->test_count; i++) {
        const Test *test = &list->test[i].test;
        if (test->keyword == OP_CQL3_GAMENUMBER)
            intersect(&c->query->header.gamenumber, test->range);
        else if (test->keyword == OP_CQL3_GAME_RESULT && is_one_result(test->number) && !c->either_colour)
            c->query->header.results |= (unsigned)test->number;
        else
            list->test[kept++] = list->test[i];
    }
    list->test_count = kept;
}

// ---- the position lists together --------------------------------------------------------------------------

// A top-level list where it is tried.
static Ast *guarded_list(Cql3 *c, PositionList *list, const Cql3Map *outer)
{
    c->top = list;
    c->every_line = list->variations;
    c->span = list->span;
    Ast *part[2] = {cql3_visited(c)};
    const int count = part[0] != NULL;
    part[count] = cql3_build_list(c, list, outer);
    return cql3_all(c, part, count + 1);
}

// Where a game is reported that matches without position lists.
static Ast *main_line(Cql3 *c)
{
    return cql3_node(c, c->variations ? OP_MAINLINE : OP_TRUE, TYPE_BOOL);
}

// The lists at the current position.
typedef struct Lists {
    Ast *any;  // one of them matches here
    Ast *each; // evaluated at the initial position: every one matches somewhere after it; NULL: not needed
} Lists;

static Lists build_lists(Cql3 *c, const Cql3Map *outer)
{
    const int count = c->list_count;
    Ast **here = arena_alloc(c->arena, sizeof *here * (size_t)(count + 1));
    Ast **find = arena_alloc(c->arena, sizeof *find * (size_t)(count + 1));
    if (count == 0)
        return (Lists){main_line(c), NULL};
    for (int i = 0; i < count; i++) {
        here[i] = guarded_list(c, c->list[i], outer);
        find[i] = cql3_tree(c, "find quiet $1", ast_copy(c->arena, here[i]));
    }
    Ast *each = count > 1 || c->tag_count > 0 ? cql3_all(c, find, count) : NULL;
    return (Lists){cql3_any(c, here, count), each};
}

// The conditions on the whole game are tested at its first position; the result is kept.
static Ast *without_tags(Cql3 *c, Lists lists)
{
    if (lists.each == NULL)
        return lists.any;
    return cql3_tree(c, "if initial {all_match=0 if $1 all_match=1} all_match==1 $2", lists.each, lists.any);
}

// ---- tags -------------------------------------------------------------------------------------------------

enum {
    WHITE_SLIDERS_AND_KNIGHTS = 1 << WHITE_KNIGHT | 1 << WHITE_BISHOP | 1 << WHITE_ROOK | 1 << WHITE_QUEEN,
    BLACK_SLIDERS_AND_KNIGHTS = WHITE_SLIDERS_AND_KNIGHTS << 6
};

// Pawns can become the pieces.
static uint32_t with_pawns(uint32_t pieces)
{
    if (pieces & WHITE_SLIDERS_AND_KNIGHTS && !(pieces & SYMBOL_WHITE))
        pieces |= 1u << WHITE_PAWN;
    if (pieces & BLACK_SLIDERS_AND_KNIGHTS && !(pieces & SYMBOL_BLACK))
        pieces |= 1u << BLACK_PAWN;
    return pieces;
}

// piece $t in D' { [not {$t & $u}] [find quiet {$t & D}] body }
static Ast *bind_tag(Cql3 *c, int index, Ast *body, const Cql3Map *outer)
{
    const Cql3Tag *t = &c->tag[index];
    const uint32_t pieces = cql3_map_pieces(outer, cql3_all_pieces(&t->designator) & ~(uint32_t)SYMBOL_EMPTY);
    Designator known = t->designator;
    known.pieces &= ~(uint32_t)SYMBOL_EMPTY;
    known.squares = ~(Bitboard)0;
    c->span = t->span;
    Ast *piece = build_read(c->arena, t->variable, c->span);
    if (with_pawns(pieces) != cql3_map_pieces(outer, known.pieces))
        body = cql3_tree(c, "find quiet {$1 & $2} $3", piece, cql3_designator_set(c, &known, outer), body);
    if (index > 0)
        body =
            cql3_tree(c, "not {$1 & $2} $3", piece, build_read(c->arena, c->tag[0].variable, c->span), body);
    return cql3_tree(c, "piece $1 in $2 $3", piece, cql3_set(c, with_pawns(pieces), ~(Bitboard)0), body);
}

static Ast *with_tags(Cql3 *c, Lists lists, const Cql3Map *outer)
{
    Ast *each = lists.each != NULL ? lists.each : cql3_node(c, OP_TRUE, TYPE_BOOL);
    Ast *here = cql3_variable(c, "here", VARIABLE_POSITION);
    Ast *there = cql3_tree(c, "$1:$2", here, lists.any);
    if (c->tag_count > 1) {
        there = bind_tag(c, 1, cql3_tree(c, "$1 $2", ast_copy(c->arena, each), there), outer);
        each = bind_tag(c, 1, each, outer);
    }
    return cql3_tree(c,
                     "if initial candidates=$1  candidates  $2=currentposition "
                     "initialposition:piece $3 in candidates $4",
                     bind_tag(c, 0, each, outer), here, build_read(c->arena, c->tag[0].variable, c->span),
                     there);
}

// ---- the file ---------------------------------------------------------------------------------------------

// The match list under `outer`.
static Ast *build_match(Cql3 *c, const Cql3Map *outer)
{
    Ast *body = cql3_node(c, OP_COMPOUND, TYPE_BOOL);
    if (c->match->test_count > 0)
        ast_add_kid(c->arena, body, cql3_build_match(c, c->match, outer->colours));
    const Lists lists = build_lists(c, outer);
    Ast *all = c->tag_count > 0 ? with_tags(c, lists, outer) : without_tags(c, lists);
    ast_add_kid(c->arena, body, all);
    body->type = all->type;
    return body;
}

// `:not` without parameter: the game matches when nothing in it matches as it should.
static Ast *build_negated(Cql3 *c, Ast *body)
{
    return cql3_tree(c, "if initial {matching=0 if {find quiet $1} matching=1} matching==0 $2", body,
                     main_line(c));
}

bool cql3_build_file(Cql3 *c)
{
    const Cql3Map *identity = cql3_identity();
    const bool negated = c->match->negated;
    c->match->negated = false;
    if (!negated)
        move_to_header(c, c->match);
    Ast *body = build_match(c, identity);
    if (c->either_colour) {
        const Cql3Maps maps = cql3_maps(c->arena, 1u << (OP_CQL3_FLIPCOLOR - OP_CQL3_FLIPHORIZONTAL));
        Ast *both[2] = {body, build_match(c, &maps.map[1])};
        body = cql3_any(c, both, 2);
    }
    if (negated)
        body = build_negated(c, body);
    if (body->op != OP_COMPOUND)
        body = build_with(c->arena, OP_COMPOUND, body->type, body);
    c->query->body = body;
    if (body->height > CQL3_MAX_HEIGHT)
        cql3_error(c, body->span, "expression nested too deeply (more than %d tests inside one another)",
                   CQL3_MAX_HEIGHT);
    return c->diagnostics->errors == 0;
}
