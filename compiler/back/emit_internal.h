// What the files of the C emitter share. Each uses those above it only.
//   emit_text.c        characters: literals, comments, long lines
//   emit_expression.c  expressions, made from formats
//   emit_names.c       names: of locals, functions, cells, strings; none is used twice
//   emit_statements.c  the code of a function as a tree of statements
//   emit_locals.c      where locals are declared
//   emit_constants.c   constants by name
//   emit_value.c       values and conditions as expressions
//   emit_code.c        conditions as statements: jumps, loops, blocks
//   emit_data.c        strings, state, the query's description
//   emit_lanes.c       values of a screen (emit_lanes.h)
//   emit_screen.c      the screen
//   emit.c             functions and the file
#ifndef CQL_EMIT_INTERNAL_H
#define CQL_EMIT_INTERNAL_H

#include <stdarg.h>

#include "compiler/middle/ir/uses.h"

// An expression in C with the binding strength of its outermost operator.
typedef enum Strength {
    STRENGTH_CHOICE, // ?:
    STRENGTH_OR,
    STRENGTH_AND,
    STRENGTH_BITS, // | ^ &: always in parentheses inside other operators
    STRENGTH_COMPARE,
    STRENGTH_ARITHMETIC, // + - * << >>
    STRENGTH_UNARY,
    STRENGTH_PRIMARY
} Strength;

typedef struct Variable Variable;

// The variables that an expression mentions: one, or those of two expressions.
typedef struct Mentions {
    Variable *variable;
    const struct Mentions *left, *right;
} Mentions;

typedef struct Expr {
    const char *text;
    Strength strength;
    char op;       // of STRENGTH_BITS: | ^ &
    bool is_truth; // 0 or 1
    const Mentions *mentions;
} Expr;

// A variable of the function being emitted, and what the statements do with it.
struct Variable {
    Mentions self;
    const char *name; // NULL: not mentioned so far
    bool is_used;     // by a statement
    bool has_pointer;
    int assignments;
    struct Statement *first;        // in the order of reading
    struct Code *home;              // the innermost block with all statements that use it
    bool begins_assigned;           // the first statement assigns it and does not read it
    const char *type;               // of a local that emit_locals.c declares
    Variable *next, *next_declared; // in the order of reading
};

typedef enum StatementKind { LINE, IF, LOOP, LABEL, COMMENT } StatementKind;

typedef struct Statement {
    StatementKind kind;
    const char *text; // LINE: all; IF: the condition; LOOP: before the brace; NULL: nothing
    const Mentions *mentions;
    Variable *assigned;                 // LINE: the variable on the left side, without which `text` begins
    const char *type;                   // of the assigned variable, which is declared here
    int label;                          // LABEL; LINE: where it jumps to; 0: nowhere
    int line;                           // COMMENT: of the query, or 0
    Variable *declared, **declared_end; // on lines before it
    struct Code *body;                  // IF, LOOP
    struct Code *other;                 // IF: the else branch, or NULL
    struct Code *code;                  // where it is
    int place;                          // in the order of reading
    struct Statement *next;
} Statement;

// Statements between braces.
typedef struct Code {
    Statement *first, **end;
    Statement *in; // its IF or LOOP; NULL: the body of the function
    int depth;
    int last;     // place of its last statement
    bool repeats; // a loop's body, or in one
} Code;

// The names of the current position inside a function.
typedef struct Here {
    Expr n, p;
} Here;

enum { NO_LABEL = -3 };

// The innermost loop: jumps to these labels are `continue` and `break`.
typedef struct LoopLabels {
    int next_round, after;
} LoopLabels;

typedef struct Label {
    const char *name; // once it is used
    int from, to;     // places of the first jump and of the label
} Label;

typedef struct Name {
    int next;        // number of the next name with this stem
    bool held, used; // now; ever
} Name;

// A set of names. Those made for a block are free again after it.
typedef struct Names {
    TextMap number;
    Name *name; // by number
    int count;
    const char **of_block; // names to be freed
    int of_block_count;
    int *block; // by open block: where its names begin
    int block_count;
} Names;

// Is a variable always 0 or 1?
typedef enum Flag { FLAG_UNKNOWN, FLAG_YES, FLAG_NO } Flag;

// A local of the function being emitted.
typedef struct Local {
    Variable variable;
    const char *stem; // what it is named after
    int uses, writes; // places in the tree
    bool in_loop;     // lives in one loop only, which declares it
    bool is_square;   // its value is a square, never NO_SQUARE
    Flag flag;
} Local;

typedef struct Emit {
    Arena *arena;
    FILE *out;
    const Module *m;
    const char *prefix; // of everything that belongs to the query: "" or "q2_"
    bool is_read;       // people read the C; it is not only compiled in memory
    const char *screen; // the function that several queries share; NULL: the query has its own, or none
    int screen_place;   // among these queries
    Names names;        // of the file
    const char **text_name, **function_name; // NULL: not used
    const char **slot_name;                  // members of the query's state
    int8_t *slot_type;                       // IrType; -1: none so far, -2: several
    Flag *slot_flag;
    const char *state_type;
    // of the function being emitted
    const IrFunction *f; // NULL: the game test
    Code *code;          // where statements are added
    Variable state, depth;
    Variable *used; // locals to be declared, in the order of reading
    Variable **used_end;
    Names own;
    Local *local;
    const Here *here;
    struct At *at; // of emit_code.c: the innermost AT
    LoopLabels loop;
    Label *label;
    int label_count;
    int line;     // of the query: the last one shown
    char *buffer; // of formats
    size_t capacity;
    // Emits the bool node, which needs statements, as code that leaves 0 or 1 in a new variable.
    Expr (*computed)(struct Emit *e, const Ir *ir);
} Emit;

// ---- emit_text.c ----
// A line of code, or several if it is long.
void emit_wrapped(FILE *out, int indent, const char *text);
// The bytes as one or more C string literals.
void emit_literal(FILE *out, const char *bytes, size_t length, int indent);
// Text of the query inside a // comment. It cannot end the comment or join it to the next line.
void emit_shown(FILE *out, const char *text, size_t length);
// The text of a query as comments, indented.
void emit_source(FILE *out, const Source *source);
// A comment with a line of the query, unless it is 0, and a note, which may be NULL.
void emit_quoted(FILE *out, int indent, const Source *source, int line, const char *note);
bool emit_is_word(char c); // can it be part of an identifier?

// ---- emit_expression.c ----
// Expressions are made from formats: %s a string, %d an int, %e an Expr, %v a Variable *. %u is an Expr in parentheses
// unless its strength is at least STRENGTH_UNARY, %a the same for STRENGTH_ARITHMETIC, %b for STRENGTH_BITS.
Expr emit_expr(Emit *e, Strength strength, const char *format, ...);
Expr emit_primary(Emit *e, const char *format, ...);
Expr emit_vformat(Emit *e, Strength strength, const char *format, va_list arguments);
Expr emit_word(const char *text); // a name or a number
Expr emit_variable(Variable *variable);
// An expression of ops.def with the values of `a` and `b`; number: of the node.
Expr emit_by_table(Emit *e, const char *text, int number, const Expr value[2]);
Expr emit_list(Emit *e, const Expr *item, int count, const char *separator, Strength strength);

// ---- emit_names.c ----
// A name for a declaration of the function; it is free again after the block.
const char *emit_own_name(Emit *e, const char *stem);
Variable *emit_new_variable(Emit *e, const char *stem); // with such a name
// A name of the file that begins with the query's prefix.
const char *emit_file_name(Emit *e, const char *stem);
// A name for a struct member or the like: an identifier that is not a word of C or of the header.
const char *emit_safe_name(Emit *e, const char *name);
// A name of the set that is never free again.
const char *emit_unique_name(Emit *e, Names *names, const char *stem);
void emit_enter(Emit *e); // begins a block
void emit_leave(Emit *e);
void emit_name_locals(Emit *e); // of e->f
Variable *emit_local(Emit *e, int local);
const char *emit_text_name(Emit *e, int text);
const char *emit_string(Emit *e, int text); // STRING(...) of it
const char *emit_function_name(Emit *e, int function);
// A cell of the query's state as an lvalue of that type.
Expr emit_cell(Emit *e, int slot, IrType type);
const char *emit_type(IrType type);
void emit_note_flag(const Emit *e, Flag *flag, const Ir *value); // the value is assigned to the variable

// ---- emit_statements.c ----
// Statements are added at e->code.
Statement *emit_line(Emit *e, const char *format, ...);
// Assigns to a variable. A type declares it here.
void emit_assignment(Emit *e, const char *type, Variable *variable, Expr value);
// A line that emit_fill can fill in later.
Statement *emit_blank(Emit *e);
void emit_fill(Emit *e, Statement *blank, const char *format, ...);
void emit_if(Emit *e, Expr condition); // begins a block
void emit_else(Emit *e);
void emit_loop(Emit *e, const char *head, ...); // begins a block
void emit_close(Emit *e);                       // ends a block
void emit_jump(Emit *e, int label);
void emit_label(Emit *e, int label);
// A comment with the line of the query and a note, which may be NULL; nothing when both were shown last.
void emit_comment(Emit *e, int line, const char *note);
Code *emit_code_new(Emit *e);
void emit_print(const Emit *e, const Code *code, int indent);

// ---- emit_locals.c ----
// Decides where the locals of the function are declared.
void emit_declare_locals(Emit *e, Code *body);

// ---- emit_constants.c ----
// What a number means. Constants that it is compared with are written accordingly.
typedef enum Meaning { PLAIN, SIDE, PIECE, SQUARE, FLAGS, RESULT } Meaning;

extern const char *const emit_board_name[BOARD_COUNT];        // members of Position
const char *emit_board_word(Arena *a, int board, bool upper); // as one word
Expr emit_squares(Emit *e, Bitboard set);
Bitboard emit_kept_files(int files); // the squares from which a step by so many files stays on the board
Expr emit_kinds(Emit *e, int kinds); // a set of piece codes
Expr emit_constant(Emit *e, int32_t value, Meaning meaning);
// The names of the bits that are set, joined by |.
Expr emit_bits(Emit *e, uint32_t bits, const char *const *name, int count);

// ---- emit_value.c ----
// The value of an expression. What needs statements is emitted before it.
Expr emit_value(Emit *e, const Ir *ir);
// The condition for if, while, &&: not zero is true.
Expr emit_condition(Emit *e, const Ir *ir);
Expr emit_negation(Emit *e, const Ir *ir);
// The condition as 0 or 1.
Expr emit_truth(Emit *e, const Ir *ir);
Expr emit_as_truth(Emit *e, Expr condition);
Expr emit_of_type(Emit *e, const Ir *ir); // emit_truth or emit_value
// Expressions joined by an operator on bits.
Expr emit_joined_bits(Emit *e, Expr *value, int count, char op);
// True when the tree can be an expression without statements before it.
bool emit_is_expression(const Ir *ir);
// Conditions joined by && or ||, or the opposite of that; `count` at least 1.
Expr emit_joined(Emit *e, Ir *const *kid, int count, bool all, bool negated);

// ---- emit_code.c ----
// The whole body of a function.
Code *emit_body(Emit *e, const Ir *body);

// ---- emit_screen.c ----
void emit_screen(Emit *e); // nothing when the module has none, or shares one
// Chooses the queries that share their screens (Emit.screen), and emits these, after everything else of the queries.
void emit_group_screens(Emit *queries, int count);
void emit_shared_screens(Emit *queries, int count);
// Rough number of operations for two moves.
int emit_screen_cost(const Screen *screen);

// ---- emit_data.c ----
void emit_name_state(Emit *e); // names and types of the cells
void emit_state(Emit *e);
void emit_strings(Emit *e); // those that were named
void emit_lists(Emit *e);   // what the description refers to
void emit_info(Emit *e);    // the description

#endif
