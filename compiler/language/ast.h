// The typed syntax tree. The parser makes it; transforms copy and rewrite it; lowering turns it into IR.
#ifndef CQL_AST_H
#define CQL_AST_H

#include "runtime/chess/board.h"
#include "compiler/base/diagnostic.h"
#include "table.h"

// Piece symbols of a designator, as bits: 1 << EMPTY for `_`, 1 << WHITE_PAWN ... 1 << BLACK_KING, `A` and
// `a` as symbols of their own. The bits equal the indexes of Position.board, so the value is the union of
// these boards intersected with the mask.
enum {
    SYMBOL_WHITE = 1 << BOARD_WHITE,
    SYMBOL_BLACK = 1 << BOARD_BLACK,
    SYMBOL_EMPTY = 1 << EMPTY,
    ANY_SQUARE = SYMBOL_WHITE | SYMBOL_BLACK | SYMBOL_EMPTY
};
// The letters of the bits, in their order.
extern const char symbol_letters[BOARD_BLACK + 2];
// The bit of a letter, 0 when it is none.
uint32_t symbol_of(char letter);
// The symbols with the colours exchanged.
uint32_t symbols_exchange_colours(uint32_t symbols);

typedef enum VariableKind {
    VARIABLE_INT,
    VARIABLE_SET,
    VARIABLE_STRING,
    VARIABLE_POSITION, // ordinary
    VARIABLE_PIECE,
    VARIABLE_DICTIONARY,
    VARIABLE_FUNCTION
} VariableKind;

typedef struct Variable {
    const char *name; // "" for hidden variables (by-value arguments)
    VariableKind kind;
    int number; // 0, 1, 2 ... in order of introduction
    bool persistent, quiet, atomic, local;
    bool hidden;
    bool has_key, has_value; // dictionaries: types known so far
    Type key, value;
    Span span;                           // where it was introduced
    struct FunctionDefinition *function; // VARIABLE_FUNCTION (parser only)
} Variable;

Type variable_type(const Variable *v); // of its value; TYPE_BOOL for dictionaries and functions

// A bound of a range: a constant or a numeric variable.
typedef struct Bound {
    int32_t value;
    Variable *variable; // NULL: the constant
} Bound;

// A range (2.8). present = false: none written. all: `count`.
typedef struct Range {
    bool present, all;
    Bound low, high;
} Range;

enum {
#define FLAG(name, shown, word) AST_BIT_##name,
#include "flags.def"
    AST_FLAGS
};
// Ast.flags; filters.def says which ones an op uses.
enum {
#define FLAG(name, shown, word) AST_##name = 1 << AST_BIT_##name,
#include "flags.def"
    AST_COPIES =
        AST_ALL, // [variants]: a list that a parser made, whose members need not be alike, and its images
    AST_AS_CONDITION =
        AST_LINKED // a value, not a `move`, that CQL 6.2 refuses as a condition, and CQLi does not (13.12)
};

typedef struct Ast {
    Op op;
    Type type;
    Span span;
    unsigned flags;
    int kid_count;
    struct Ast **kid;
    Bitboard mask;     // designators; constants of type set
    uint32_t pieces;   // designators: symbols; promotions: symbols
    int32_t number;    // literals, group numbers, DirectionSet, results, PUNCT_ of assignments, ...
    int32_t low, high; // repetitions
    Range range;
    const char *text;     // string literals and names; NUL-terminated copy
    uint32_t text_length; // bytes
    Variable *variable, *variable2;
    struct Ast *kid_left, *kid_right, *kid_extra,
        *kid_extra2;     // optional operands by role (moves, paths), NULL: none
    const char *variant; // in a list of variants: which one it is, for readers of emitted C; or NULL
    int height;    // of the tree that begins here; the parser bounds it, so that recursion over trees is safe
    unsigned kept; // of ast_contains_kept
} Ast;

// Ast.number of VARIANTS that the parser of CQL 3 makes: what transformed the copies, as bits; 0: nothing
// did.
enum { COPIES_COLOURS = 1, COPIES_SYMMETRIES = 2, COPIES_SHIFTS = 4 };

enum { REPEAT_UNLIMITED = 100000 }; // Ast.high of REPEAT: `*`, `+` and `{n,}`

// Ast.number of SORT with FIRSTMATCH, which is a key of groups: its values, or no key but a mark that the filters before it are those of
// `among`.
enum { KEY_IS_NUMBER = 1, KEY_IS_STRING, KEY_IS_SET, KEY_IS_MEN, KEY_IS_AMONG };

// Ast.number of MOVE: the first parameter, which decides the value (4.7); 0: any other, or none.
enum { MOVE_GIVES_FROM = 1, MOVE_GIVES_TO, MOVE_GIVES_VICTIM };

// Ast.low of MOVE: parameters without operand, as bits.
enum {
    MOVE_WORD_CASTLE = 1,
    MOVE_WORD_SHORT = 2,
    MOVE_WORD_LONG = 4,
    MOVE_WORD_EN_PASSANT = 8,
    MOVE_WORD_DROP = 16
};

// Ast.number of LEGAL: the target (4.6).
enum { LEGAL_ANY, LEGAL_SHORT, LEGAL_LONG, LEGAL_CASTLE, LEGAL_EN_PASSANT };

// Ast.number of PIN: the set that is its value, that of the first parameter (3.6).
enum { PIN_GIVES_THROUGH, PIN_GIVES_FROM, PIN_GIVES_TO };

// Ast.number of RESEMBLES: how this position is turned before it is compared (12.7), as bits.
enum { RESEMBLES_FLIPPED = 1, RESEMBLES_SHIFTED = 2 };

// Ast.number of ECHO that was `relation`: what its comments tell besides the pairs (11.7), as bits.
enum { ECHO_LCA = 1, ECHO_RUN = 2 };

Ast *ast_new(Arena *a, Op op, Type type, Span span);
void ast_add_kid(Arena *a, Ast *parent, Ast *kid);
// Where node keeps its i-th operand: its kids come first, then the operands by role that it has. NULL: it has
// no more.
Ast **ast_operand(const Ast *node, int i);
Ast *ast_copy_node(Arena *a, const Ast *node); // with a list of its own of the same operands
Ast *ast_copy(Arena *a, const Ast *tree);      // deep; variables are shared
// Gives the node its optional operand `role`, one of its own fields; NULL: none.
void ast_set_operand(Ast *node, Ast **role, Ast *operand);
Ast *ast_unwrap(Ast *node); // what is alone in braces, else the node itself
// May the constituent of a path or line match without any position (`X*`, `X{0,2}`)?
bool ast_can_be_empty(const Ast *constituent);

// A text, in the arena, that says all of a tree but its spans: trees with equal texts mean the same. Lists of
// copies have no order in it, and hidden variables that the tree binds have no names.
const char *ast_signature(Arena *arena, const Ast *tree);

// Prints the tree with types, one node a line (cqlgen explain).
void ast_print(FILE *out, const Ast *tree);

// Does the tree (not counting called runtime) contain an op? Walks kids and optional operands.
bool ast_contains(const Ast *tree, bool (*test)(const Ast *node, void *user), void *user);
// The same for a question that is asked about each level of deep trees: the nodes keep the answer. `question`: a power of 4, one
// for each test, whose answer for a node never changes.
bool ast_contains_kept(const Ast *tree, unsigned question, bool (*test)(const Ast *node, void *user),
                       void *user);

#endif
