// What the files of the C emitter share.
//   emit.c         the file: literals, tables, slots, the query's description, templates
//   emit_code.c    conditions as statements: jumps, loops, blocks
//   emit_value.c   values and conditions as expressions
//   emit_text.c    characters: literals, comments, identifiers, long lines
#ifndef CQL_EMIT_INTERNAL_H
#define CQL_EMIT_INTERNAL_H

#include <stdarg.h>

#include "compiler/middle/ir/ir.h"

// An expression in C with the binding strength of its outermost operator.
typedef enum Strength {
    STRENGTH_CHOICE, // ?:
    STRENGTH_OR,
    STRENGTH_AND,
    STRENGTH_BITS, // | ^ &: always in parentheses inside other operators
    STRENGTH_COMPARE,
    STRENGTH_ARITHMETIC, // << >>
    STRENGTH_UNARY,
    STRENGTH_PRIMARY
} Strength;

typedef struct Expr {
    const char *text;
    Strength strength;
    char op;       // of STRENGTH_BITS: | ^ &
    bool is_truth; // 0 or 1
} Expr;

// The names of the current position inside a function.
typedef struct Here {
    const char *n, *p;
} Here;

enum { NO_LABEL = -3 };

// The innermost loop: jumps to these labels are `continue` and `break`.
typedef struct LoopLabels {
    int next_round, after;
} LoopLabels;

// How a local is used, by number.
typedef struct LocalUse {
    const char *name;
    int uses;     // places in the tree
    bool in_loop; // declared by its loop
} LocalUse;

typedef struct Emit {
    Arena *arena;
    FILE *out;
    const Module *m;
    const char *prefix; // of everything that belongs to the query: "" or "q2_"
    bool *text_used, *table_used;
    const char **slot_name; // enumerators by slot
    // of the function being emitted
    const IrFunction *f; // NULL: the game test
    LocalUse *local;
    const char **row; // index variable of the current row, by table
    const Here *here;
    LoopLabels loop;
    bool *label_used;
    int label_count;
    int name_count; // for names made by the emitter
    int indent;
    int line; // of the query: the last one shown
} Emit;

// ---- emit_text.c ----
void emit_line(Emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Opens and closes a block: `HEAD {` and `}`.
void emit_open(Emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_close(Emit *e, const char *tail);
// The bytes as one or more C string literals.
void emit_literal(FILE *out, const char *bytes, size_t length, int indent);
// Text of the query inside a // comment: nothing in it can end the comment or join it to the next line.
void emit_shown(FILE *out, const char *text);
// The text of a query as comments, indented.
void emit_source(FILE *out, const Source *source);
// A comment with the line of the query. Nothing in it can end the comment.
void emit_comment(Emit *e, int line);
// Where the code, comments aside, first contains the name; NULL: nowhere. as_value: otherwise than as the
// target of an assignment.
const char *emit_mentions(const char *code, const char *name, bool as_value);
// Letters, digits and underscores only.
const char *emit_identifier(Arena *a, const char *name);

// ---- emit_value.c ----
// The value of an expression. What needs statements is emitted before it.
Expr emit_value(Emit *e, const Ir *ir);
// The condition for if, while, &&: not zero is true.
Expr emit_condition(Emit *e, const Ir *ir);
Expr emit_negation(Emit *e, const Ir *ir);
// The condition as 0 or 1.
Expr emit_truth(Emit *e, const Ir *ir);
Expr emit_as_truth(Emit *e, Expr condition);
// True when the tree can be an expression without statements before it.
bool emit_is_expression(const Ir *ir);
const char *emit_type(IrType type);
const char *emit_own_name(Emit *e, const char *stem); // stem with a number
// Conditions joined by && or ||; `count` at least 1.
Expr emit_joined(Emit *e, Ir *const *kid, int count, bool all);

// ---- emit_code.c ----
// Evaluates the bool node into the int32_t variable `name`, which is declared.
void emit_into(Emit *e, const Ir *ir, const char *name);
// The whole body of a function.
void emit_body(Emit *e, const Ir *body);
const char *emit_string(Emit *e, int text); // STRING(...) of a literal, which is marked as used
const char *emit_text_name(Emit *e, int text);
const char *emit_table_name(Emit *e, int table);
const char *emit_function_name(Emit *e, int function);

#endif
