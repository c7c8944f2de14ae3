// Filters that are one call of the runtime: their operands are its arguments, its result is their value.
#include "internal.h"

#include "runtime/chess/variant.h"

// The value of the kind that the call gives; of conditions the result.
static Ir *call_condition(Lower *l, const Ast *ast)
{
    const Value v = lower_value(l, ast);
    return ast->type == TYPE_BOOL ? ir_and(v.pre, v.val) : value_condition(l, v, ast->type);
}

// Comments of the input are searched where they are.
static Ir *contains_condition(Lower *l, const Ast *ast)
{
    if (!is_original_comment(ast->kid[1]))
        return call_condition(l, ast);
    const Value part = lower_value(l, ast->kid[0]);
    return ir_and(part.pre, ir_call(l->arena, IR_CALL_comment_contains, 1, part.val));
}

static Value current_fen(Lower *l, const Ast *ast)
{
    return value_of(NULL, ir_call(l->arena, IR_CALL_current_fen, 1, ir_int(l->arena, lower_number(l, ast))));
}

static Value castling_rights(Lower *l, const Ast *ast)
{
    return value_of(NULL, ir_call(l->arena, IR_CALL_castling_rights, 1, ir_int(l->arena, ast->number)));
}

static Ir *game_fault(Lower *l, const Ast *ast)
{
    return ir_call(l->arena, IR_CALL_game_fault, 1, ir_int(l->arena, ast->number));
}

static Value variant_end(Lower *l, const Ast *ast)
{
    return value_of(NULL, ir_call(l->arena, IR_CALL_variant_end, 1, ir_int(l->arena, lower_number(l, ast))));
}

// Under an exchange of colours, the evaluation is from the other side.
static Value evaluation(Lower *l, const Ast *ast)
{
    Value v = lower_call(l, ast, IR_CALL_eval);
    if (ast->flags & AST_BLACK)
        v.val = ir_sub(ir_int(l->arena, 0), v.val);
    return v;
}

static Ir *evaluation_condition(Lower *l, const Ast *ast)
{
    return evaluation(l, ast).pre;
}

// Screens see that there must be few men. There are no tablebases for more.
static Value tablebase_value(Lower *l, const Ast *ast)
{
    enum { MOST_MEN = 7 };
    Value v = lower_call(l, ast, ast->op == OP_DTZ ? IR_CALL_tablebase_dtz : IR_CALL_tablebase_wdl);
    Ir *men = ir_count(ir_board(l->arena, BOARD_OCCUPIED));
    v.pre = ir_and(ir_with_int(IR_LE, men, MOST_MEN), v.pre);
    return v;
}

// A position that has a value is in the tablebases.
static Ir *tablebase_condition(Lower *l, const Ast *ast)
{
    return tablebase_value(l, ast).pre;
}

#define ROW(op, name) [OP_##op] = {lower_call_value, call_condition, IR_CALL_##name}
const Lowering lowering_calls[OP_COUNT_] = {
    // sets and pieces
    ROW(ATTACKS, attackers),
    ROW(BETWEEN, between),
    ROW(CONNECTEDPAWNS, connected_pawns),
    ROW(DOUBLEDPAWNS, doubled_pawns),
    ROW(PASSEDPAWNS, passed_pawns),
    ROW(POWER, power),
    ROW(CHECK, in_check),
    // strings
    ROW(CONCATENATE, concat),
    ROW(COUNT_STRING, length),
    [OP_IN_STRING] = {lower_call_value, contains_condition, IR_CALL_contains},
    ROW(INDEXOF, index_of),
    ROW(INT, parse_int),
    ROW(SUBSCRIPT, subscript),
    ROW(UPPERCASE, upper),
    ROW(LOWERCASE, lower),
    ROW(FOLD, fold),
    // the game
    [OP_GAME_FAULT] = {NULL, game_fault, 0},
    ROW(CLOCK, clock),
    ROW(ELAPSED, elapsed),
    [OP_EVAL] = {evaluation, evaluation_condition, 0},
    ROW(CURRENTMUTATION, mutation),
    ROW(REMOVECOMMENT, remove_comment),
    [OP_CASTLING_RIGHTS] = {castling_rights, call_condition, 0},
    ROW(LEGAL_EN_PASSANT, legal_en_passant),
    ROW(REPETITION, occurrences),
    ROW(EXCHANGE, exchange),
    [OP_TABLEBASE] = {NULL, tablebase_condition},
    [OP_WDL] = {tablebase_value, tablebase_condition},
    [OP_DTZ] = {tablebase_value, tablebase_condition},
    ROW(BEST_EXCHANGE, best_exchange),
    ROW(COMMANDPIPE, command_pipe),
    ROW(REMOVETAG, remove_tag),
    ROW(HALFMOVECLOCK, halfmove_clock),
    ROW(PROMOTEDPIECES, promoted_pieces),
    [OP_CURRENTFEN] = {current_fen, call_condition, false},
    [OP_STANDARDFEN] = {current_fen, call_condition, true},
    ROW(ZOBRISTKEY, zobrist_key),
    ROW(LEGALPOSITION, legal_position),
    ROW(REACHABLEPOSITION, reachable_position),
    [OP_VARIANTWIN] = {variant_end, call_condition, VARIANT_END_WON},
    [OP_VARIANTLOSS] = {variant_end, call_condition, VARIANT_END_LOST},
    [OP_VARIANTDRAW] = {variant_end, call_condition, VARIANT_END_DRAWN},
    [OP_VARIANTEND] = {variant_end, call_condition, VARIANT_END_WON | VARIANT_END_LOST | VARIANT_END_DRAWN},
};
#undef ROW
