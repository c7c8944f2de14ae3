// Evaluates operations on constants.
#include "ir.h"

#include "runtime/chess/chess.h"
#include "templates/lanes.h"

uint64_t ir_value_of(const Ir *ir, uint64_t x, uint64_t y)
{
    switch ((IrOp)ir->op) {
#define IR_OP(name, ...) case IR_##name:
#define IR_UNARY(name, result, operand, value, lanes, help)                                                  \
    case IR_##name: {                                                                                        \
        const IrValue_##operand a = (IrValue_##operand)x;                                                    \
        return (uint64_t)(value);                                                                            \
    }
#define IR_BINARY(name, result, first, second, value, lanes, help)                                           \
    case IR_##name: {                                                                                        \
        const IrValue_##first a = (IrValue_##first)x;                                                        \
        const IrValue_##second b = (IrValue_##second)y;                                                      \
        return (uint64_t)(value);                                                                            \
    }
#include "ops.def"
    default:
        return 0;
    }
}

bool ir_compare(IrOp op, int32_t a, int32_t b)
{
    const Ir comparison = {.op = (uint8_t)op};
    return ir_value_of(&comparison, (uint64_t)a, (uint64_t)b) != 0;
}
