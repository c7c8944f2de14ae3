// The intermediate representation (docs/ir.md): a small, typed, structured tree, close to C and independent of
// the syntax of CQL. Lowering makes it from the typed syntax tree; the optimiser rewrites it; the interpreter and
// the C emitter implement it.
#ifndef CQL_IR_H
#define CQL_IR_H

#include "runtime/match/matcher.h"
#include "compiler/base/diagnostic.h"
#include "compiler/base/text_map.h"

typedef enum IrOp {
#define IR_OP(name, ...) IR_##name,
#include "ops.def"
    IR_OP_COUNT
} IrOp;

// What Ir.number is. NONE: nothing, or something of that operation only.
enum {
    IR_NUMBER_NONE,
    IR_NUMBER_INT,
    IR_NUMBER_TEXT,  // index into Module.text
    IR_NUMBER_LOCAL, // of the function; of LET and loops: the local that is written
    IR_NUMBER_SLOT,
    IR_NUMBER_BOARD, // index into Position.board
    IR_NUMBER_FIELD, // IR_NODE_
    IR_NUMBER_FACT,  // IR_GAME_
    IR_NUMBER_CALL,  // IR_CALL_
    IR_NUMBER_FUNCTION,
    IR_NUMBER_PLACE // PLACE()
};

typedef struct IrOpInfo {
    const char *name;
    char result;          // b i s t x *
    const char *operands; // see ops.def
    uint8_t number;       // IR_NUMBER_
    uint16_t effects;     // of the node itself
    const char *value;    // the expression of an IR_UNARY or IR_BINARY; else NULL
    const char *lanes;    // the same for several games at once, or NULL
} IrOpInfo;
extern const IrOpInfo ir_op_info[IR_OP_COUNT];

typedef enum IrType { IRT_BOOL, IRT_INT, IRT_SET, IRT_STRING, IRT_POSITION } IrType;
IrType ir_type_of(char letter,
                  IrType other); // of a letter of ops.def and calls.def; `other` for any other letter

// How a loop ends.
typedef enum IrMode {
    MODE_EACH, // visits all, ends true
    MODE_ANY,  // stops at the first true body and is true; else false
    MODE_ALL   // stops at the first false body and is false; else true
} IrMode;

// Ir.number of NODE, and the member of Node.
#define IR_NODE_FIELD_LIST(FIELD)                                                                            \
    FIELD(PARENT, parent)                                                                                    \
    FIELD(FIRST_CHILD, first_child)                                                                          \
    FIELD(NEXT_SIBLING, next_sibling)                                                                        \
    FIELD(LAST, last)                                                                                        \
    FIELD(PLY, ply)                                                                                          \
    FIELD(DEPTH, depth)                                                                                      \
    FIELD(INDEX, index)                                                                                      \
    FIELD(FROM, move.from)                                                                                   \
    FIELD(TO, move.to)                                                                                       \
    FIELD(VICTIM, move.victim)                                                                               \
    FIELD(PROMOTED, move.promoted)                                                                           \
    FIELD(PIECE, move.piece)                                                                                 \
    FIELD(FLAGS, move.flags)                                                                                 \
    FIELD(ROOK_FROM, move.rook_from)                                                                         \
    FIELD(ROOK_TO, move.rook_to)
#define IR_NODE_NUMBER(name, member) IR_NODE_##name,
enum { IR_NODE_FIELD_LIST(IR_NODE_NUMBER) IR_NODE_FIELDS };

// Ir.number of GAME; the last ones in screens only: the facts of a stored game, LINE_, and the men at the end of its main line
enum {
    IR_GAME_COUNT,
    IR_GAME_RESULT,
    IR_GAME_NUMBER,
    IR_GAME_LAST_NUMBER,
    IR_GAME_FACTS,
    IR_GAME_WHITE_MEN,
    IR_GAME_BLACK_MEN
};

// In screens, board BOARD_COUNT + b is board b before the move that led to the current position.
enum { IR_BOARDS = 2 * BOARD_COUNT };

// Runtime functions by number, in the order of calls.def.
typedef enum IrCall {
#define CALL(name, result, parameters, facts, c_result, prototype, help) IR_CALL_##name,
#include "runtime/match/calls.def"
    IR_CALL_COUNT
} IrCall;

// What is known of a runtime function: see calls.def.
enum {
    PURE,
    GAME,
    EFFECT,
    CALL_EFFECT = 3, // the bits of these three
    HIDDEN = 4,
    FORGOTTEN = 8,
    TEXTLESS = 16,
    MEMO = 32,
    TAGS_ONLY = 64,
    VOLATILE = 128,
    TAKES_STEPS = 256,
    CHECKS = 512,
    CALL_COST_SHIFT = 16,
    CALL_COST = 60
};
#define COSTS(cost) (cost) << CALL_COST_SHIFT

typedef struct IrCallInfo {
    const char *name;
    char result;            // b i s t x v
    const char *parameters; // see calls.def
    uint32_t facts;
} IrCallInfo;
extern const IrCallInfo ir_call_info[IR_CALL_COUNT];

typedef struct Ir {
    uint8_t op;   // IrOp
    uint8_t type; // IrType
    uint8_t mode; // IrMode, loops
    uint8_t mark; // what passes have found of the tree: bits of emit_value.c, of the screens and of tags.c
    int32_t number, low;
    int32_t out; // CALL: local for the result through a pointer, or -1
    union {
        Bitboard set;     // SET
        const char *note; // conditions: a comment in emitted C, such as which variant it is, or NULL
    };
    int kid_count;
    uint32_t noted; // of ir_noted_any and the questions after it
    struct Ir **kid;
    Arena *arena; // of the node, and of nodes built from it
} Ir;

// A function of the module. Function 0 is the body: bool, evaluated at each position. Others are
// continuations of paths and the like; what they are given is in slots.
typedef struct IrFunction {
    const char
        *name; // for emitted C, which makes it a unique identifier: "matches", "path_2", a name of the query
    const char *comment; // what it does, a line above it in emitted C; NULL: none
    int32_t place;       // PLACE() of the part of the query that it implements; 0: none
    Arena *arena;
    IrType *local; // types of all locals
    int local_count;
    const char **local_name; // for emitted C, as `name`; NULL: the emitter invents one
    int local_name_count;    // locals from here on have no name
    Ir *body;                // bool
} IrFunction;

typedef struct IrText {
    const char *bytes; // NUL-terminated
    uint32_t length;
} IrText;

// Where the moves of a line have led to: nowhere yet, or the side that has just moved.
typedef enum ScreenPlace { SCREEN_START, SCREEN_WHITE_MOVED, SCREEN_BLACK_MOVED, SCREEN_PLACES } ScreenPlace;

// Conditions on the positions of a main line from the standard position, without null moves. A game without variations
// can only match if each of them is true at some of its positions (docs/ir.md).
typedef struct Screen {
    int count;
    Ir *(*condition)[SCREEN_PLACES]; // by number and place; no locals, slots or calls
    bool is_exact; // there is one condition: it is true at exactly those positions that match
} Screen;

// One compiled query before any back end.
typedef struct Module {
    Arena *arena;
    const Source *source; // for comments in emitted C
    QueryInfo info;       // everything but the function pointers and `implementation`
    IrFunction **function;
    int function_count;
    int show_function; // reports what diagrams show, called at matching positions; 0: nothing to show
    IrText *text;
    int text_count;
    TextMap text_number;    // of each text
    const char **slot_name; // for emitted C, by slot
    IrType *slot_type;      // by slot; NULL: not known
    bool *
        slot_of_search; // by slot: of a path or line, which gives it a value before it reads it; NULL: none is
    int *tag_atom;      // functions of the atoms of QueryInfo.tag_formula, bool, without a current position
    Screen *screen;     // NULL: none
    int *
        remembered; // functions of the conditions that the runtime remembers (QueryInfo.remembered_count), bool
} Module;

// ---- construction (see build.h for nodes with operands) ----
Ir *ir_new(Arena *a, IrOp op, IrType type, int kid_count, ...); // kids follow as Ir *
void ir_add_kid(Ir *parent, Ir *kid);
Ir *ir_int(Arena *a, int32_t value);
Ir *ir_set(Arena *a, Bitboard set);
Ir *ir_bool(Arena *a, bool value);
Ir *ir_text(Module *m, const char *bytes, uint32_t length); // equal texts share one entry
Ir *ir_string(Module *m, const char *text);                 // ir_text of a NUL-terminated string
// The longest text that every match of a pattern of the query contains.
IrText ir_pattern_literal(const Module *m, int pattern);
Ir *ir_local(const IrFunction *f, int local);
Ir *ir_slot(Arena *a, IrType type, int slot);
int ir_new_slot(Module *m, IrType type, const char *name); // reset to zero at each game
Ir *ir_read_slot(const Module *m, int slot);               // ir_slot of its type
Ir *ir_current(Arena *a);
Ir *ir_side(Arena *a);
Ir *ir_board(Arena *a, int board); // index of Position.board
Ir *ir_game(Arena *a, int fact);   // IR_GAME_
Ir *ir_invoke(Arena *a, int function);
Ir *ir_let(int local, Ir *value);
Ir *ir_store(int slot, Ir *value);
Ir *ir_call(Arena *a, IrCall call, int kid_count, ...);              // result is the call's
Ir *ir_call_out(Arena *a, IrCall call, int out, int kid_count, ...); // bool; the local `out` takes the value
Ir *ir_node(int field, Ir *position);
int ir_new_local(IrFunction *f, IrType type);
int ir_named_local(IrFunction *f, IrType type, const char *name); // a new local
void ir_name_local(IrFunction *f, int local, const char *name);
IrFunction *ir_new_function(Module *m, const char *name, int *number);
bool ir_is_tag_atom(const Module *m, int function); // Module.tag_atom
Ir *ir_copy(const Ir *tree);                // NULL stays NULL
Ir *ir_copy_node(Arena *a, const Ir *node); // without its operands

// ---- questions ----
// What evaluating a tree may do besides computing its value. Bits.
enum {
    IR_READS_LOCAL = 1,
    IR_WRITES_LOCAL = 2,
    IR_READS_SLOT = 4,
    IR_WRITES_SLOT = 8,
    IR_EFFECT = 16,         // calls marked EFFECT, RAISE
    IR_READS_POSITION = 32, // the current position's board, side or node
    IR_READS_GAME = 64,     // the tree, tags, the result
    IR_INVOKES = 128,
    IR_CALLS = 256,    // the runtime
    IR_VOLATILE = 512, // calls marked VOLATILE
    IR_NOT_DROPPABLE = IR_WRITES_LOCAL | IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES
};
// Whether evaluating the tree does any of `effects`.
bool ir_does_any(const Ir *tree, unsigned effects);
// The same, from notes in the nodes, which the first question about a tree makes: for passes that ask about each level of deep
// trees. Notes are about trees as they were: a pass begins with ir_forget_notes, and does not add effects to nodes that it has
// asked about.
bool ir_noted_any(const Ir *tree, unsigned effects);
// The number of nodes, at most IR_MOST_NOTED_NODES, from the same notes.
enum { IR_MOST_NOTED_NODES = 30000 };
int ir_noted_size(const Ir *tree);
// ir_always_true, from the same notes.
bool ir_noted_always_true(const Ir *tree);
void ir_forget_notes(const Module *m);
// Is it a call, and do any of the facts (EFFECT, HIDDEN, ...) apply to the function?
bool ir_is_call_that(const Ir *node, unsigned facts);
// Whether the node itself, without its kids, has the effect IR_EFFECT.
bool ir_has_own_effect(const Ir *node);
// Evaluating the tree changes nothing, so it can be removed.
bool ir_is_droppable(const Ir *tree);
// Its value depends on the current position and the game only: the same wherever it is evaluated at that
// position.
bool ir_is_fixed(const Ir *tree);
// Safe to evaluate speculatively: no division, no field of a position that might not exist ... Such a tree
// can be evaluated earlier than it is written.
bool ir_is_total(const Ir *tree);
// Rough number of machine operations.
int ir_cost(const Ir *tree);
int ir_own_cost(const Ir *node);                  // without its operands
bool ir_costs_at_least(const Ir *tree, int cost); // looks no further than it must
int ir_size(const Ir *tree, int most);            // nodes; counts no further than it must to exceed `most`
bool ir_is_loop(const Ir *node);
// The local that the node itself writes, -1: none.
int ir_written_local(const Ir *node);
// True when the bool node is certainly true at its end (LET, ALWAYS, an AND of such, a loop with MODE_EACH
// ...).
bool ir_always_true(const Ir *tree);
// True when the optimised bool node is certainly false. *place: PLACE of the condition that is the reason, 0
// when it has none.
bool ir_is_never_true(const Ir *tree, int32_t *place);
bool ir_equal(const Ir *a, const Ir *b); // whatever the notes

// The types of operands of IR_UNARY and IR_BINARY by letter.
typedef int32_t IrValue_i;
typedef Bitboard IrValue_s;
typedef bool IrValue_b;
// The value of a node that ops.def gives an expression, for these values of its operands, all as 64
// bits, numbers with their sign. 0 for other nodes.
uint64_t ir_value_of(const Ir *ir, uint64_t a, uint64_t b);
// The value of EQ ... GE.
bool ir_compare(IrOp op, int32_t a, int32_t b);
bool ir_is_constant(const Ir *ir);    // INT, SET, STRING, TRUE, FALSE
uint64_t ir_hash(const Ir *tree);     // equal trees have equal hashes
uint64_t ir_own_hash(const Ir *node); // what ir_hash begins with; then it joins the hashes of the operands
uint64_t ir_joined_hash(uint64_t hash, uint64_t operand);
// The kinds of squares that a set can have: a bit for each piece code, EMPTY included. All 13: nothing is
// known.
enum {
    IR_ALL_KINDS = (1 << PIECE_CODES) - 1,
    IR_WHITE_KINDS = 0x3F << WHITE_PAWN,
    IR_BLACK_KINDS = 0x3F << BLACK_PAWN
};
int ir_kinds(const Ir *set);
int ir_board_kinds(int board);     // of a board, by its number
int ir_exact_kinds(const Ir *set); // of a set that is exactly a union of boards (EMPTY: a kind, too), or -1
// SET_AND to KING_MOVES: a set made of other sets.
bool ir_is_algebra(const Ir *set);
// Of these STEP to KING_MOVES: what becomes of a set is the union of what becomes of its squares.
bool ir_is_moves(const Ir *set);

// Checks types, operand counts, local and slot numbers; returns NULL or a message in the arena. Used
// after lowering and after each pass in checked builds.
const char *ir_verify(const Module *m);

// Prints the IR readably (cqlgen explain).
void ir_print(FILE *out, const Module *m);

#endif
