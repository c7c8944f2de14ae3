// The table of the language: one row for each construct (filters.def), with all that parsers, printer, lowering and
// help know about it.
#ifndef CQL_LANGUAGE_TABLE_H
#define CQL_LANGUAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Static types (language reference 2.3). TYPE_ANY: of a row whose type depends on the form.
typedef enum Type { TYPE_BOOL, TYPE_INT, TYPE_SET, TYPE_STRING, TYPE_POSITION, TYPE_ANY } Type;
enum { TYPE_COUNT = TYPE_ANY };

typedef enum Op {
#define FILTER(op, ...) OP_##op,
#define CHECKED FILTER
#define OWN FILTER
#define SYNONYM FILTER
#define PREFIX FILTER
#define WORD FILTER
#define RESERVED FILTER
#define REFUSED FILTER
#define OPERATOR FILTER
#define STRUCTURE FILTER
#define CQL5 FILTER
#define CQL5_WORD FILTER
#define CQL3 FILTER
#define CQL3_WORD FILTER
#include "filters.def"
    OP_COUNT_
} Op;

typedef enum Row {
    ROW_FILTER,    // begins with a word
    ROW_STRUCTURE, // has no word of its own
    ROW_WORD,      // reserved, part of other constructs
    ROW_RESERVED,  // reserved, without meaning
    ROW_REFUSED,   // a filter or parameter that is known, but not supported
    ROW_OLDER,     // a filter of CQL 5, a test of CQL 3
    ROW_OLDER_WORD // another word of CQL 5 or keyword of CQL 3
} Row;

// What a value does where only success matters (2.3).
// VALUE: true when there is a value, of a set when it is not empty. LAST: as its last operand.
typedef enum Condition { CONDITION_VALUE, CONDITION_ALWAYS, CONDITION_ERROR, CONDITION_LAST } Condition;

// The parts of lowering: a family of filters each. CALLS: one call of the runtime.
typedef enum Family {
    FAMILY_CALLS,
    FAMILY_LOGIC,
    FAMILY_SETS,
    FAMILY_NAMES,
    FAMILY_TEXT,
    FAMILY_TAGS,
    FAMILY_TREE,
    FAMILY_FIND,
    FAMILY_MOVES,
    FAMILY_PATHS,
    FAMILY_LINES,
    FAMILY_TRANSFORMED,
    FAMILY_RELATIONS,
    FAMILY_COUNT
} Family;

// What evaluating one operand says about the others. SEQUENTIAL: they are evaluated one after another until one
// fails, so each may rely on those before it. CAREFUL: lowering decides for each operand. UNKNOWN: on nothing.
typedef enum Order { ORDER_UNKNOWN, ORDER_SEQUENTIAL, ORDER_CAREFUL } Order;

// Does evaluating the construct change variables, comments, files …? MAY_WRITE: depends on the form.
typedef enum Effect { EFFECT_NONE, EFFECT_MAY_WRITE, EFFECT_WRITES } Effect;

// The levels of the expression grammar (2.7), loosest first.
typedef enum Level {
    LEVEL_PREFIX, // takes all that follows, or would be continued by it
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_IN, // also `not`
    LEVEL_RELATION,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_MOVE, // dashes, and words and signs with one set as operand
    LEVEL_ARROW,
    LEVEL_UNION,
    LEVEL_INTERSECTION,
    LEVEL_ATTACK,
    LEVEL_POSTFIX,
    LEVEL_AT,
    LEVEL_PRIMARY
} Level;

// Dialects of a row, as bits.
enum {
    IN_CQL6 = 1,
    IN_CQLI = 2,
    IN_CQL5 = 4,
    IN_CQLI_PARAMETERS = 8, // a word of CQLi only inside `move`, `line` and `pin`
    IN_CQL3_MATCH = 16,     // in the match list of CQL 3
    IN_CQL3_POSITION = 32,  // in its position lists
    IN_CQL3_RELATION = 64,  // in the specification of its `:relation`
    IN_CQL3 = IN_CQL3_MATCH | IN_CQL3_POSITION | IN_CQL3_RELATION,
    IN_EXTENSION = 128, // a filter of cqlgen in CQL 6.2 and CQLi, unless a name hides it (15)
    IN_NOTHING = 0,
    IN_BOTH = IN_CQL6 | IN_CQLI
};

// Directions as a bit set; bit numbers are enum Direction of chess.h (NORTH = up, NORTH_EAST, EAST = right …).
typedef uint8_t DirectionSet;

typedef struct OpInfo {
    const char *name;    // the word as written, the sign of an operator, or a name for structures
    const char *unicode; // the spelling that is not ASCII, or NULL
    Row row;
    Op canonical; // the op that the parser makes of it; of most rows their own
    Type type;
    const char *syntax; // of the operands; NULL: own reader, or no filter
    Condition condition;
    Family family;
    Order order;
    Effect effect;
    Level level;             // see op_level
    Level left, right;       // operators: of operands that are printed without brackets
    unsigned dialects, also; // IN_ bits; also: the row has the same meaning there
    DirectionSet directions;
    unsigned flag;       // AST_ flag that it sets as a parameter, 0: none
    const char *section; // of the language reference, NULL for structures
    const char *help;
    const char *meaning; // of a word of an older dialect, as a template in CQL 6.2 (filters.def), or NULL
    const char *form;    // how it is printed (filters.def), NULL: by its syntax
    const char *modern;  // how CQL 6.2 spells a word of CQL 5, for display; NULL: the same word
} OpInfo;
extern const OpInfo op_info[OP_COUNT_];

// "bool", "int", "set", "string", "position"; "any" for TYPE_ANY.
const char *type_name(Type type);

// The level of a construct when it is printed, as far as its row says: the form of a node may change it.
Level op_level(Op op);

// A transform with maps (8.3): all but `notransform`.
bool op_is_transform(Op op);

// The directions of a direction word (3.8); none for any other op.
DirectionSet directions_of(Op op);

// ---- syntax -----------------------------------------------------------------------------------------------

typedef enum SyntaxKind {
    SYNTAX_OPEN,
    SYNTAX_CLOSE,
    SYNTAX_SET,
    SYNTAX_TIGHT_SET,
    SYNTAX_NUMBER,
    SYNTAX_STRING,
    SYNTAX_TIGHT_STRING,
    SYNTAX_POSITION,
    SYNTAX_FILTER,
    SYNTAX_CONDITION,
    SYNTAX_TIGHT_CONDITION,
    SYNTAX_VALUE,
    SYNTAX_ITEMS,
    SYNTAX_RANGE,
    SYNTAX_QUOTED,
    SYNTAX_NAME,
    SYNTAX_SEARCH,
    SYNTAX_FLAGS
} SyntaxKind;

// One part of a syntax column.
typedef struct SyntaxPart {
    SyntaxKind kind;
    bool optional, repeated;
    unsigned flags; // SYNTAX_FLAGS: of the words that may be here
} SyntaxPart;

// Reads the part at *syntax and goes to the next one; false at the end. Begin with OpInfo.syntax.
bool syntax_next(const char **syntax, SyntaxPart *part);

// ---- from spellings to rows -------------------------------------------------------------------------------

// "CQL 5" or "CQL 3", NULL: the row is not a word of these dialects, or CQL 6.2 has it with the same meaning.
const char *op_older_dialect(Op op);

// The op of a word (1.8.2) that is reserved in one of the dialects (IN_ bits), or -1. Keywords of CQL 3 have their colon. `length` is in bytes.
int op_from_word(const char *word, size_t length, unsigned dialects);
// The op whose non-ASCII spelling (1.5) begins `text`, or -1; *length becomes the bytes of the spelling.
int op_from_symbol(const char *text, size_t available, size_t *length);
// All words of one dialect, sorted; for diag_suggest.
const char *const *op_words(unsigned dialect, size_t *count);

#endif
