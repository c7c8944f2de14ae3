// Filters that are one call of the runtime: their operands are its arguments, its result is their value.
#include "internal.h"

// By op; 0: not such a filter, else 1 + IrCall.
#define ROW(op, call) [OP_##op] = 1 + IR_CALL_##call
static const uint16_t rows[OP_COUNT_] = {
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
    ROW(IN_STRING, contains),
    ROW(INDEXOF, index_of),
    ROW(INT, parse_int),
    ROW(SUBSCRIPT, subscript),
    ROW(UPPERCASE, upper),
    ROW(LOWERCASE, lower),
    // the game
    ROW(LCA, lca),
    ROW(CURRENTMUTATION, mutation),
    ROW(REMOVECOMMENT, remove_comment),
};
#undef ROW

static Value calls_value(Lower *l, const Ast *ast)
{
    const int row = rows[ast->op];
    return row > 0 ? lower_call(l, ast, (IrCall)(row - 1)) : value_missing(l, ast);
}

static Ir *calls_condition(Lower *l, const Ast *ast)
{
    const Value v = calls_value(l, ast);
    return ast->type == TYPE_BOOL ? ir_and(v.pre, v.val) : value_condition(l, v, ast->type);
}

const Lowering lowering_calls = {calls_condition, calls_value};
