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

// Moves the conditions that a header can express out of the list.
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
static Ast *guarded_list(Cql3 *c, PositionList *list, const Cql3Map *outer, const Cql3Control *control)
{
    Ast *part[4];
    int count = 0;
    if (control->within != NULL)
        part[count++] = ast_copy(c->arena, control->within);
    Ast *tried = cql3_not_skipped(c, list, outer);
    c->top = list;
    c->every_line = list->variations;
    c->span = list->span;
    if ((part[count] = cql3_visited(c)) != NULL)
        count++;
    if (tried != NULL)
        part[count++] = tried;
    part[count++] = cql3_build_list(c, list, outer);
    return cql3_all(c, part, count);
}

// The positions that are reported when no position list selects them.
static Ast *main_line(Cql3 *c)
{
    return cql3_node(c, c->variations ? OP_MAINLINE : OP_TRUE, TYPE_BOOL);
}

// The lists at the current position.
typedef struct Lists {
    Ast *begin; // evaluated at the initial position, before the others; NULL: not needed
    Ast *any;   // one of them matches here
    Ast *each;  // evaluated at the initial position: every one matches somewhere after it; NULL: not needed
} Lists;

static Lists build_lists(Cql3 *c, const Cql3Map *outer)
{
    const int count = c->list_count;
    Ast **here = arena_alloc(c->arena, sizeof *here * (size_t)(count + 1));
    Ast **find = arena_alloc(c->arena, sizeof *find * (size_t)(count + 1));
    if (count == 0)
        return (Lists){NULL, main_line(c), NULL};
    const Cql3Control control = cql3_control(c, outer);
    int needed = 0;
    for (int i = 0; i < count; i++) {
        if (!cql3_must_match(c->list[i]))
            continue;
        here[needed] = guarded_list(c, c->list[i], outer, &control);
        find[needed] = cql3_tree(c, "find quiet $1", ast_copy(c->arena, here[needed]));
        needed++;
    }
    Ast *any = needed > 0 ? cql3_any(c, here, needed) : main_line(c);
    if (control.excluded != NULL)
        find[needed++] = cql3_tree(c, "not $1", control.excluded);
    return (Lists){control.begin, any,
                   needed > 1 || count > needed || c->tag_count > 0 ? cql3_all(c, find, needed) : NULL};
}

// What decides whether the match list is true here.
typedef struct Parts {
    Ast *initial; // evaluated at the first position; NULL: nothing
    Ast *here;
} Parts;

// The conditions on the whole game are tested at its first position; the result is kept.
static Parts without_tags(Cql3 *c, Lists lists)
{
    if (lists.each == NULL)
        return (Parts){lists.begin != NULL ? cql3_tree(c, "if initial {$1}", lists.begin) : NULL, lists.any};
    Ast *all_match = cql3_variable(c, "all_match", VARIABLE_INT);
    Ast *each = cql3_tree(c, "$1 = 0 if $2 $1 = 1", all_match, lists.each);
    if (lists.begin != NULL)
        each = cql3_tree(c, "$1 $2", lists.begin, each);
    return (Parts){cql3_tree(c, "if initial {$1}", each), cql3_tree(c, "$1 == 1 $2", all_match, lists.any)};
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

static Parts with_tags(Cql3 *c, Lists lists, const Cql3Map *outer)
{
    Ast *each = lists.each != NULL ? lists.each : cql3_node(c, OP_TRUE, TYPE_BOOL);
    Ast *here = cql3_variable(c, "here", VARIABLE_POSITION),
        *candidates = cql3_variable(c, "candidates", VARIABLE_SET);
    Ast *there = cql3_tree(c, "$1:$2", here, lists.any);
    if (lists.begin != NULL) { // the lists that it looks at name the tags
        each = cql3_tree(c, "$1 $2", lists.begin, each);
        there = cql3_tree(c, "$1 $2", ast_copy(c->arena, lists.begin), there);
    }
    if (c->tag_count > 1) {
        there = bind_tag(c, 1, cql3_tree(c, "$1 $2", ast_copy(c->arena, each), there), outer);
        each = bind_tag(c, 1, each, outer);
    }
    return (Parts){cql3_tree(c, "if initial $1=$2", candidates, bind_tag(c, 0, each, outer)),
                   cql3_tree(c, "$1  $2=currentposition initialposition:piece $3 in $1 $4", candidates, here,
                             build_read(c->arena, c->tag[0].variable, c->span), there)};
}

// ---- the file ---------------------------------------------------------------------------------------------

static Parts build_parts(Cql3 *c, const Cql3Map *outer)
{
    const Lists lists = build_lists(c, outer);
    return c->tag_count > 0 ? with_tags(c, lists, outer) : without_tags(c, lists);
}

static void add_kid(Cql3 *c, Ast *body, Ast *kid)
{
    if (kid != NULL)
        ast_add_kid(c->arena, body, kid);
    body->type = kid != NULL ? kid->type : body->type;
}

static Ast *conditions(Cql3 *c, bool exchanged)
{
    return c->match->test_count > 0 ? cql3_build_match(c, c->match, exchanged) : NULL;
}

static Ast *build_once(Cql3 *c)
{
    Ast *body = cql3_node(c, OP_COMPOUND, TYPE_BOOL);
    add_kid(c, body, conditions(c, false));
    const Parts parts = build_parts(c, cql3_identity());
    add_kid(c, body, parts.initial);
    add_kid(c, body, parts.here);
    return body;
}

// The match list as it is, or with the colours exchanged. What is kept at the first position comes before both.
static Ast *build_both(Cql3 *c)
{
    const Cql3Maps maps = cql3_maps(c->arena, 1u << (OP_CQL3_FLIPCOLOR - OP_CQL3_FLIPHORIZONTAL));
    Ast *body = cql3_node(c, OP_COMPOUND, TYPE_BOOL), *both[2];
    for (int i = 0; i < 2; i++) {
        both[i] = cql3_node(c, OP_COMPOUND, TYPE_BOOL);
        add_kid(c, both[i], conditions(c, i == 1));
        const Parts parts = build_parts(c, &maps.map[i]);
        add_kid(c, body, parts.initial);
        add_kid(c, both[i], parts.here);
    }
    add_kid(c, body, cql3_any(c, both, 2));
    return body;
}

// `:not` without parameter: the game matches if it would not without it.
static Ast *build_negated(Cql3 *c, Ast *body)
{
    return cql3_tree(c, "if initial {matching=0 if {find quiet $1} matching=1} matching==0 $2", body,
                     main_line(c));
}

bool cql3_build_file(Cql3 *c)
{
    const bool negated = c->match->negated;
    c->match->negated = false;
    if (!negated)
        move_to_header(c, c->match);
    Ast *body = c->either_colour ? build_both(c) : build_once(c);
    if (negated)
        body = build_negated(c, body);
    c->query->body = body;
    if (body->height > CQL3_MAX_HEIGHT)
        cql3_error(c, body->span, "expression nested too deeply (more than %d tests inside one another)",
                   CQL3_MAX_HEIGHT);
    return c->diagnostics->errors == 0;
}
