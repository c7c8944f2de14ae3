// Facts of the game: its tags, numbers and result, and what the `hhdb` filters read (language reference 9).
#include "internal.h"

#include <limits.h>
#include <string.h>

#include "compiler/language/hhdb.h"

// ---- tags and numbers -------------------------------------------------------------------------------------

enum { BOTH = 2 };

static int colour_of(const Ast *ast)
{
    return ast->flags & AST_WHITE ? WHITE : ast->flags & AST_BLACK ? BLACK : BOTH;
}

static Value tag(Lower *l, Ir *name)
{
    return value_out(l, NULL, ir_call(l->arena, IR_CALL_tag, 1, name));
}

static Value of_colour(Lower *l, IrCall call, int colour)
{
    return value_out(l, NULL, ir_call(l->arena, call, 1, ir_int(l->arena, colour)));
}

static Ir *joined(Lower *l, const char *text, Ir *end)
{
    return ir_call(l->arena, IR_CALL_concat, 2, ir_string(l->m, text), end);
}

static Value name_of(Lower *l, const Ast *ast)
{
    const int colour = colour_of(ast);
    if (colour != BOTH)
        return of_colour(l, IR_CALL_player, colour);
    const Value white = of_colour(l, IR_CALL_player, WHITE), black = of_colour(l, IR_CALL_player, BLACK);
    return value_of(ir_and(white.pre, black.pre),
                    ir_call(l->arena, IR_CALL_concat, 2, white.val, joined(l, "\\n", black.val)));
}

static Value rating(Lower *l, const Ast *ast)
{
    return of_colour(l, IR_CALL_elo, colour_of(ast));
}

static Ir *set_tag(Lower *l, const Ast *ast)
{
    const Value v = lower_value(l, ast->kid[0]);
    return ir_and(v.pre, ir_call(l->arena, IR_CALL_set_tag, 2, value_literal(l, ast), v.val));
}

// An implicit search: the string of the node occurs in the value.
static Ir *search_in(Lower *l, const Ast *ast, Value text)
{
    return ir_and(text.pre, ir_call(l->arena, IR_CALL_contains, 2, value_literal(l, ast), text.val));
}

Ir *tags_search_names(Lower *l, const Ast *ast, IrText text)
{
    if (ast->op != OP_PLAYER || colour_of(ast) != BOTH || text.length == 0 ||
        memchr(text.bytes, '\\', text.length) != NULL)
        return NULL;
    const Value white = of_colour(l, IR_CALL_player, WHITE), black = of_colour(l, IR_CALL_player, BLACK);
    Ir *end = text.bytes[0] == 'n' ? joined(l, "n", black.val) : black.val;
    Ir *sought = ir_text(l->m, text.bytes, text.length);
    Ir *in_white = ir_call(l->arena, IR_CALL_contains, 2, sought, white.val);
    Ir *in_end = ir_call(l->arena, IR_CALL_contains, 2, ir_copy(sought), end);
    return ir_all(3, white.pre, black.pre, ir_or(in_white, in_end));
}

static Value last_game_number(Lower *l, const Ast *ast)
{
    (void)ast;
    const Range *range = &l->query->header.gamenumber;
    Ir *last = ir_game(l->arena, IR_GAME_LAST_NUMBER);
    if (!range->present || range->all)
        return value_of(NULL, last);
    const int high = range->high.value;
    return value_of(NULL, ir_choose(ir_with_int(IR_LT, last, high), ir_copy(last), ir_int(l->arena, high)));
}

// ---- hhdb -------------------------------------------------------------------------------------------------

static Value award(Lower *l, const Ast *ast, int flags)
{
    return value_out(
        l, NULL,
        ir_call(l->arena, IR_CALL_hhdb_award, 2, ir_int(l->arena, ast->low), ir_int(l->arena, flags)));
}

// The three keys of `hhdb sort`: category, rank, last rank.
static Ir *award_keys(Lower *l, const Ast *ast)
{
    static const int flags[3] = {AWARD_SORT | AWARD_CATEGORY, AWARD_SORT, AWARD_SORT | AWARD_MAX};
    Ir *all = NULL;
    for (int i = 0; i < 3; i++) {
        const Value v = award(l, ast, flags[i] | (ast->high & (AWARD_SPECIAL | AWARD_NONSPECIAL)));
        Ir *offer = ir_call(l->arena, IR_CALL_sort_int, 4, ir_int(l->arena, ast->range.low.value + i),
                            ir_int(l->arena, ast->range.high.value + i), v.val, ir_int(l->arena, INT_MAX));
        all = ir_and(all, ir_always(ir_and(v.pre, offer)));
    }
    return all;
}

static Value award_value(Lower *l, const Ast *ast)
{
    Value v = award(l, ast, ast->high & ~(int)AWARD_SORT);
    if (ast->high & AWARD_SORT)
        v.pre = ir_and(award_keys(l, ast), v.pre);
    return v;
}

static Ir *award_condition(Lower *l, const Ast *ast)
{
    Ir *matches = ir_call(l->arena, IR_CALL_hhdb_award_holds, 2, ir_int(l->arena, ast->low),
                          ir_int(l->arena, ast->high & ~(int)AWARD_SORT));
    return ast->high & AWARD_SORT ? ir_and(award_keys(l, ast), matches) : matches;
}

static Value hhdb_value(Lower *l, const Ast *ast)
{
    if (ast->number == HHDB_AWARD)
        return award_value(l, ast);
    const IrCall call = ast->type == TYPE_INT ? IR_CALL_hhdb_number : IR_CALL_hhdb_string;
    return value_out(l, NULL, ir_call(l->arena, call, 1, ir_int(l->arena, ast->number)));
}

static Ir *hhdb_condition(Lower *l, const Ast *ast)
{
    switch (ast->number) {
    case HHDB_CODE:
        return ir_call(l->arena, IR_CALL_hhdb_code, 1, value_literal(l, ast));
    case HHDB_TEXT_HERE:
        return ir_call(l->arena, IR_CALL_hhdb_text_here, 1, value_literal(l, ast));
    case HHDB_AWARD:
        return award_condition(l, ast);
    default:
        break;
    }
    if (ast->type != TYPE_BOOL)
        return value_condition(l, hhdb_value(l, ast), ast->type);
    if (ast->text != NULL)
        return search_in(l, ast, hhdb_value(l, ast));
    return ir_call(l->arena, IR_CALL_hhdb_bool, 1, ir_int(l->arena, ast->number));
}

// ---- the family -------------------------------------------------------------------------------------------

// A filter that reads the tag of its name.
static Value named_tag(Lower *l, const Ast *ast)
{
    static const char *const names[OP_COUNT_] = {[OP_EVENT] = "Event",
                                                 [OP_SITE] = "Site",
                                                 [OP_DATE] = "Date",
                                                 [OP_EVENTDATE] = "EventDate",
                                                 [OP_ECO] = "ECO"};
    return tag(l, ir_string(l->m, names[ast->op]));
}

static Value opening(Lower *l, const Ast *ast)
{
    return value_out(l, NULL,
                     ir_call(l->arena, IR_CALL_opening, 1, ir_int(l->arena, ast->op == OP_OPENINGCODE)));
}

static Value any_tag(Lower *l, const Ast *ast)
{
    return ast->text != NULL ? tag(l, value_literal(l, ast)) : lower_call(l, ast, IR_CALL_tag);
}

// With an implicit search, if there is one.
static Ir *tag_condition(Lower *l, const Ast *ast)
{
    const bool searches = ast->type == TYPE_BOOL && ast->text != NULL;
    Ir *names = searches ? tags_search_names(l, ast, (IrText){ast->text, ast->text_length}) : NULL;
    if (names != NULL)
        return names;
    const Value v = lower_value(l, ast);
    return searches ? search_in(l, ast, v) : value_condition(l, v, ast->type);
}

static Value game_number(Lower *l, const Ast *ast)
{
    (void)ast;
    return value_of(NULL, ir_game(l->arena, IR_GAME_NUMBER));
}

static Ir *result_condition(Lower *l, const Ast *ast)
{
    return ir_with_int(IR_EQ, ir_game(l->arena, IR_GAME_RESULT), ast->number);
}

static Ir *has_cook(Lower *l, const Ast *ast)
{
    return ir_call(l->arena, IR_CALL_hhdb_bool, 1, ir_int(l->arena, lower_number(l, ast)));
}

const Lowering lowering_tags[OP_COUNT_] = {
    [OP_GAMENUMBER] = {game_number},
    [OP_LASTGAMENUMBER] = {last_game_number},
    [OP_PLAYER] = {name_of, tag_condition},
    [OP_ELO] = {rating, tag_condition},
    [OP_YEAR] = {lower_call_value, tag_condition, IR_CALL_year},
    [OP_EVENT] = {named_tag, tag_condition},
    [OP_SITE] = {named_tag, tag_condition},
    [OP_DATE] = {named_tag, tag_condition},
    [OP_EVENTDATE] = {named_tag, tag_condition},
    [OP_ECO] = {named_tag, tag_condition},
    [OP_OPENING] = {opening, tag_condition},
    [OP_OPENINGCODE] = {opening, tag_condition},
    [OP_VARIANT] = {lower_call_value, tag_condition, IR_CALL_variant},
    [OP_TAG] = {any_tag, tag_condition},
    [OP_SETTAG] = {NULL, set_tag},
    [OP_RESULT] = {NULL, result_condition},
    [OP_HHDB] = {hhdb_value, hhdb_condition},
    [OP_CQL_HHDBHASCOOK] = {NULL, has_cook, HHDB_COOKED},
};
