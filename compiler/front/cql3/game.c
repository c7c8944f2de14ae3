// Builds the tree of a file of CQL 3 from its game data, tags and position lists (language reference 12.2, 12.3, 12.8).
#include "internal.h"

#include <limits.h>
#include <string.h>

#include "runtime/game/view.h"

// ---- game data --------------------------------------------------------------------------------------------

static void add_condition(Cql3 *c, Ast *condition)
{
    ARENA_PUSH(c->arena, c->condition, c->condition_count, condition);
}

static Ast *string_node(Cql3 *c, const char *text, size_t length)
{
    Ast *node = cql3_node(c, OP_STRING, TYPE_STRING);
    node->text = arena_copy(c->arena, text, length);
    node->text_length = (uint32_t)length;
    return node;
}

// `:eco B90` or `:eco B90-B99`.
static Ast *eco(Cql3 *c, const char *word)
{
    const size_t length = strcspn(word, "-");
    Ast *low = string_node(c, word, length);
    if (word[length] == '\0')
        return cql3_tree(c, "eco == $1", low);
    const char *high = word + length + 1;
    return cql3_tree(c, "{eco >= $1} <= $2", low, string_node(c, high, strlen(high)));
}

static void result(Cql3 *c, int results)
{
    const bool one = (results & (results - 1)) == 0;
    if (one && results != 1 << RESULT_UNKNOWN)
        c->query->header.results |= (unsigned)results;
    else
        add_condition(c, cql3_result_is(c, results, false));
}

static void intersect(Range *all, Range range)
{
    if (!all->present)
        *all = range;
    if (range.low.value > all->low.value)
        all->low.value = range.low.value;
    if (range.high.value < all->high.value)
        all->high.value = range.high.value;
}

void cql3_game_keyword(Cql3 *c, const Test *test)
{
    const char *word = test->name;
    Header *header = &c->query->header;
    c->span = test->span;
    switch (test->keyword) {
    case OP_CQL3_PGN:
        header->input = word;
        break;
    case OP_CQL3_OUTPUT:
        header->output = word;
        break;
    case OP_CQL3_GAMENUMBER:
        intersect(&header->gamenumber, test->range);
        break;
    case OP_CQL3_GAME_RESULT:
        result(c, test->number);
        break;
    case OP_CQL3_ECO:
        add_condition(c, eco(c, word));
        break;
    case OP_CQL3_PLYCOUNT: // that of the last position of the main line
        add_condition(c, cql3_tree(c, "initialposition:find quiet {mainline terminal $1}",
                                   build_in_range(c->arena, cql3_tree(c, "ply"), test->range)));
        break;
    default:
        add_condition(
            c, cql3_by_meaning(c, test, false, word != NULL ? string_node(c, word, strlen(word)) : NULL));
    }
}

// ---- the position lists together --------------------------------------------------------------------------

// A top-level list where it is tried.
static Ast *guarded_list(Cql3 *c, PositionList *list)
{
    c->top = list;
    c->every_line = list->variations;
    c->span = list->span;
    Ast *part[2] = {cql3_visited(c)};
    const int count = part[0] != NULL;
    part[count] = cql3_build_list(c, list, cql3_identity());
    return cql3_all(c, part, count + 1);
}

// The lists at the current position.
typedef struct Lists {
    Ast *any;  // one of them matches here
    Ast *each; // evaluated at the initial position: every one matches somewhere after it; NULL: not needed
} Lists;

static Lists build_lists(Cql3 *c)
{
    const int count = c->list_count;
    Ast **here = arena_alloc(c->arena, sizeof *here * (size_t)(count + 1));
    Ast **find = arena_alloc(c->arena, sizeof *find * (size_t)(count + 1));
    if (count == 0)
        return (Lists){cql3_node(c, OP_TRUE, TYPE_BOOL), NULL};
    for (int i = 0; i < count; i++) {
        here[i] = guarded_list(c, c->list[i]);
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
static Ast *bind_tag(Cql3 *c, int index, Ast *body)
{
    const Cql3Tag *t = &c->tag[index];
    const uint32_t pieces = cql3_all_pieces(&t->designator) & ~(uint32_t)SYMBOL_EMPTY;
    Designator known = t->designator;
    known.pieces &= ~(uint32_t)SYMBOL_EMPTY;
    known.squares = ~(Bitboard)0;
    c->span = t->span;
    Ast *piece = build_read(c->arena, t->variable, c->span);
    if (with_pawns(pieces) != known.pieces)
        body = cql3_tree(c, "find quiet {$1 & $2} $3", piece, cql3_designator_set(c, &known, cql3_identity()),
                         body);
    if (index > 0)
        body =
            cql3_tree(c, "not {$1 & $2} $3", piece, build_read(c->arena, c->tag[0].variable, c->span), body);
    return cql3_tree(c, "piece $1 in $2 $3", piece, cql3_set(c, with_pawns(pieces), ~(Bitboard)0), body);
}

static Ast *with_tags(Cql3 *c, Lists lists)
{
    Ast *each = lists.each != NULL ? lists.each : cql3_node(c, OP_TRUE, TYPE_BOOL);
    Ast *here = cql3_variable(c, "here", VARIABLE_POSITION);
    Ast *there = cql3_tree(c, "$1:$2", here, lists.any);
    if (c->tag_count > 1) {
        there = bind_tag(c, 1, cql3_tree(c, "$1 $2", ast_copy(c->arena, each), there));
        each = bind_tag(c, 1, each);
    }
    return cql3_tree(c,
                     "if initial candidates=$1  candidates  $2=currentposition "
                     "initialposition:piece $3 in candidates $4",
                     bind_tag(c, 0, each), here, build_read(c->arena, c->tag[0].variable, c->span), there);
}

// ---- the file ---------------------------------------------------------------------------------------------

bool cql3_build_file(Cql3 *c)
{
    Ast *body = cql3_node(c, OP_COMPOUND, TYPE_BOOL);
    for (int i = 0; i < c->condition_count; i++)
        ast_add_kid(c->arena, body, c->condition[i]);
    Ast *lists = c->tag_count > 0 ? with_tags(c, build_lists(c)) : without_tags(c, build_lists(c));
    ast_add_kid(c->arena, body, lists);
    body->type = lists->type;
    c->query->body = body;
    if (body->height > CQL3_MAX_HEIGHT)
        cql3_error(c, body->span, "expression nested too deeply (more than %d tests inside one another)",
                   CQL3_MAX_HEIGHT);
    return c->diagnostics->errors == 0;
}
