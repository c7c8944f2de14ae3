// Filters that are one call of the runtime: their operands are its arguments, its result is their value.
#include "internal.h"

#include "runtime/match/variants.h"

typedef struct CallRow {
    uint16_t call;   // 1 + IrCall; 0: not such a filter
    bool has_number; // the only argument is `number`
    int8_t number;
} CallRow;

#define ROW(op, name) [OP_##op] = {.call = 1 + IR_CALL_##name}
#define NUMBER_ROW(op, name, argument) [OP_##op] = {1 + IR_CALL_##name, true, argument}
static const CallRow rows[OP_COUNT_] = {
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
    ROW(CURRENTMUTATION, mutation),
    ROW(REMOVECOMMENT, remove_comment),
    ROW(COMMANDPIPE, command_pipe),
    ROW(REMOVETAG, remove_tag),
    ROW(HALFMOVECLOCK, halfmove_clock),
    ROW(PROMOTEDPIECES, promoted_pieces),
    NUMBER_ROW(CURRENTFEN, current_fen, false),
    NUMBER_ROW(STANDARDFEN, current_fen, true),
    ROW(ZOBRISTKEY, zobrist_key),
    ROW(LEGALPOSITION, legal_position),
    ROW(REACHABLEPOSITION, reachable_position),
    ROW(VARIANT, variant),
    NUMBER_ROW(VARIANTWIN, variant_end, VARIANT_END_WON),
    NUMBER_ROW(VARIANTLOSS, variant_end, VARIANT_END_LOST),
    NUMBER_ROW(VARIANTDRAW, variant_end, 0),
    NUMBER_ROW(VARIANTEND, variant_end, VARIANT_END_WON | VARIANT_END_LOST),
};
#undef ROW
#undef NUMBER_ROW

static Value calls_value(Lower *l, const Ast *ast)
{
    const CallRow row = rows[ast->op];
    if (row.call == 0)
        return value_missing(l, ast);
    const IrCall call = (IrCall)(row.call - 1);
    return row.has_number ? value_of(NULL, ir_call(l->arena, call, 1, ir_int(l->arena, row.number)))
                          : lower_call(l, ast, call);
}

static Ir *calls_condition(Lower *l, const Ast *ast)
{
    const Value v = calls_value(l, ast);
    return ast->type == TYPE_BOOL ? ir_and(v.pre, v.val) : value_condition(l, v, ast->type);
}

const Lowering lowering_calls = {calls_condition, calls_value};
