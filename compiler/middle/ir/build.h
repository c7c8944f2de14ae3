// Builders of IR, one vocabulary for lowering, passes and tests. A node lives in the arena of its first
// operand; nodes without operands are made by the functions of ir.h. Trees never share nodes: every call
// makes new ones; use ir_copy to read a value twice.
#ifndef CQL_IR_BUILD_H
#define CQL_IR_BUILD_H

#include "ir.h"

// ---- one or two operands ----
Ir *ir_unary(IrOp op, Ir *a);
Ir *ir_binary(IrOp op, Ir *a, Ir *b);
Ir *ir_with_int(IrOp op, Ir *a, int32_t b); // a binary operation with a constant

#define IR_BUILD_UNARY(function, op)                                                                         \
    static inline Ir *function(Ir *a)                                                                        \
    {                                                                                                        \
        return ir_unary(op, a);                                                                              \
    }
#define IR_BUILD_BINARY(function, op)                                                                        \
    static inline Ir *function(Ir *a, Ir *b)                                                                 \
    {                                                                                                        \
        return ir_binary(op, a, b);                                                                          \
    }
IR_BUILD_UNARY(ir_not, IR_NOT)
IR_BUILD_UNARY(ir_any, IR_ANY)
IR_BUILD_UNARY(ir_count, IR_COUNT)
IR_BUILD_UNARY(ir_first, IR_FIRST)
IR_BUILD_UNARY(ir_bit, IR_BIT)
IR_BUILD_UNARY(ir_set_not, IR_SET_NOT)
IR_BUILD_UNARY(ir_int_of, IR_INT_OF)
IR_BUILD_UNARY(ir_position_of, IR_POSITION_OF)
IR_BUILD_BINARY(ir_set_and, IR_SET_AND)
IR_BUILD_BINARY(ir_set_or, IR_SET_OR)
IR_BUILD_BINARY(ir_add, IR_ADD)
IR_BUILD_BINARY(ir_sub, IR_SUB)
IR_BUILD_BINARY(ir_mul, IR_MUL)
IR_BUILD_BINARY(ir_eq, IR_EQ)
IR_BUILD_BINARY(ir_ne, IR_NE)
IR_BUILD_BINARY(ir_lt, IR_LT)
IR_BUILD_BINARY(ir_le, IR_LE)
IR_BUILD_BINARY(ir_gt, IR_GT)
IR_BUILD_BINARY(ir_ge, IR_GE)
IR_BUILD_BINARY(ir_while, IR_WHILE) // test, body
#undef IR_BUILD_UNARY
#undef IR_BUILD_BINARY

Ir *ir_shift_right(Ir *a, int bits);
Ir *ir_step(Ir *set, int files, int ranks);
// The squares from which the moves (ir_is_moves) lead into the set.
Ir *ir_moved_back(const Ir *moves, Ir *set);
Ir *ir_choose(Ir *test, Ir *yes, Ir *no);

// ---- conditions ----
// An AND that grows: ir_append makes `all` what ir_and would, in time proportional to the part. All zero: no parts,
// and `all` stays NULL until there is one.
typedef struct IrParts {
    Ir *all;
    bool is_own; // the AND was made here
} IrParts;
void ir_append(IrParts *p, Ir *part); // part: may be NULL
Ir *ir_and(Ir *a, Ir *b);             // either may be NULL: true; one AND of all parts
Ir *ir_all(int count, ...);           // ir_and of several; NULL when all are
Ir *ir_or(Ir *a, Ir *b);              // either may be NULL: false
Ir *ir_if(Ir *test, Ir *yes, Ir *no);
Ir *ir_always(Ir *node);     // NULL stays NULL
Ir *ir_nonzero(Ir *number);  // an int differs from 0
Ir *ir_exists(Ir *position); // a position or an id is not -1
Ir *ir_in_set(Ir *square, Ir *set);
Ir *ir_or_true(Arena *a, Ir *node);    // NULL becomes TRUE
Ir *ir_or_false(Arena *a, Ir *node);   // NULL becomes FALSE
Ir *ir_then_false(Arena *a, Ir *node); // evaluates the node, which may be NULL; false

// One note for conditions that were joined.
const char *ir_joined_note(Arena *a, const char *const *note, int count);

// The comparison that is true when `op` is false (EQ: NE, LT: GE, ...); 0 for other operations.
IrOp ir_opposite(IrOp op);
// A condition and its negation have one positive form: NOT, NE, LE and GE are removed, the side to move is
// compared with White. Inverts *value when the form is the negation. May be the condition itself.
const Ir *ir_positive(const Ir *condition, bool *value);

// ---- elsewhere, and loops: a body NULL is TRUE; the local takes square or position ----
Ir *ir_at(Ir *position, Ir *body);
Ir *ir_each_square(Ir *set, int local, Ir *body, IrMode mode);
Ir *ir_each_ancestor(Ir *position, int local, Ir *body, IrMode mode);
Ir *ir_each_child(Ir *position, int local, Ir *body, IrMode mode);
Ir *ir_each_position(Ir *first, Ir *last, int local, Ir *body, IrMode mode);

// ---- locals and slots ----
Ir *ir_let_int(const IrFunction *f, int local, int32_t value);
Ir *ir_let_sum(const IrFunction *f, int local, Ir *added); // adds to the int in the local
Ir *ir_increment(const IrFunction *f, int local);
Ir *ir_store_int(Arena *a, int slot, int32_t value);
Ir *ir_store_sum(const Module *m, int slot, int32_t added);
Ir *ir_copy_slot(const Module *m, int to, int from);
Ir *ir_slot_is(const Module *m, int slot, int32_t value);

#endif
