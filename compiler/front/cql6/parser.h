// The parser of CQL 6.2 from the inside: the state shared by its files and the functions that they
// offer each other. Everybody else includes ast.h and calls parse_query.
//
// The grammar is that of language reference 2.10. It is directed by types: whether an operator continues an
// expression depends on the type to its left, so every parse function returns a typed tree. There is one
// token of lookahead except where the reference demands more.
#ifndef CQL_PARSER_H
#define CQL_PARSER_H

#include "compiler/base/text_map.h"
#include "compiler/front/shared/parser.h"
#include "cql6.h"
#include "token.h"

enum {
    PARSER_MAX_NESTING = 1000,      // filters inside filters, in the text and after expansion of functions
    PARSER_MAX_EXPANSION = 1000000, // tokens copied for calls of functions in one query
    ALIAS_SIGN = '&',               // names of arguments that are variables begin so
    PARSER_MAX_PARAMETERS = 255     // of a function; each token of a copy is compared with all of them
};

// A function as it was written: the tokens of its body with both braces.
typedef struct FunctionDefinition {
    const Token *body;
    int body_start; // index of its first token in the array that it comes from
    int body_count;
    const char **parameter;
    int parameter_count;
    bool expanding; // a call is being expanded right now: another one would never end
} FunctionDefinition;

// What a name means outside a scope.
typedef struct Hidden {
    const char *text;
    Variable *variable; // NULL: nothing
    const struct Scope *scope;
    struct Hidden *next;
} Hidden;

// A loop or the body of a function in CQLi (13.14).
typedef struct Scope {
    struct Scope *outer;
    bool body; // of a function
    Hidden *hidden;
} Scope;

// One name of the query; hidden variables have names that no identifier can have.
typedef struct Name {
    Variable *variable; // NULL: it has no meaning here
    unsigned kinds;     // of the variables that it has meant, as bits
    bool poisoned;      // was seen in text that was skipped after an error
    const Scope *scope; // the innermost one around the introduction of the variable; NULL: none
} Name;

typedef struct NameTable {
    TextMap number;
    Name **name; // by number
    int count;
} NameTable;

// A `sort` key that has a name (10.6.1).
typedef struct SortKey {
    const char *name;
    Type type;
    bool min;
} SortKey;

// Meanings that end at brackets: inside them everything is ordinary again.
typedef struct Surroundings {
    int open_paths;  // paths that a blank line here would end (1.12)
    bool list_item;  // in the list of `comment`, `message`, `str`: no implicit search (7.12)
    bool subscript;  // directly in a subscript of CQLi: `:` is not an operator (13.13)
    bool dash_right; // right side of a dash: `=` after a name begins a promotion, not an assignment (4.3.1)
    const char *assigned; // the variable whose value this is
} Surroundings;

// A node that has been read but not taken: the parser has gone back, and meets it again at `start`.
typedef struct Memo {
    const Token *token; // the array of its tokens
    int start, end;     // indexes of its first token and of the one after it
    Ast *node;
    struct Memo *later; // one further to the right
} Memo;

// The state of the parser besides what all parsers have.
typedef struct Cql6 {
    bool variations;       // variations are searched
    bool cqli;             // the text is CQLi (13)
    bool is_template;      // of an older dialect
    bool pedantic;         // nothing of CQLi in a text of CQL 6.2
    const char **accepted; // constructs of CQLi that have been noted in a text of CQL 6.2
    int accepted_count;

    Surroundings here;
    int inside_path;     // depth of constituents and parameters of `path` around this place
    int inside_sort_min; // depth of `sort min` around this place

    const Ast *last; // the last whole filter, for messages

    Memo *memo; // the leftmost

    int set_keys; // keys of groups that are sets

    NameTable names;
    Scope *scope;  // the innermost one
    int aliases;   // names of arguments that are variables
    Ast **pending; // isbound / isunbound of names that may be introduced later
    int pending_count;
    SortKey *sort_key;
    int sort_key_count;
    TextMap sort_key_number;
    const char *similar_file; // file and mode of the first `similarposition`
    bool similar_plain;

    Span call;      // outermost call being expanded
    int expansions; // calls around this place
    long expanded_tokens;
} Cql6;

static inline Cql6 *own(const Parser *p)
{
    return p->own;
}

// ---- parser.c: errors, tokens, nodes ----------------------------------------------------------------------
// A parser without tokens.
Parser parser_cql6(Query *query, const Source *source, Diagnostics *diagnostics, Cql6 *state);

// Reports a name that nothing before it introduces, with suggestions, and abandons the filter. Silent for names that
// occur only in text that was skipped after an error.
_Noreturn void parse_fail_unknown(Parser *p, const Token *name);

bool parse_is_quoted(const Parser *p, const Token *t); // "…", not an escape token such as \n
// A quoted string that is not empty, else an error that says what it is for.
const Token *parse_quoted(Parser *p, const char *purpose);
bool parse_begins_filter(const Token *t);
bool parse_is_dash(const Token *t);

// Goes back to the token number `place`. The node, which was read from `start` (not before `place`) up to
// here, is taken as it is when the parser comes to `start` again. Reading it again would cost time that
// doubles with each level of nesting, and would do twice what it does to names.
void parse_put_back(Parser *p, Ast *node, int start, int place);
Surroundings parse_enter(Parser *p); // at a bracket: everything is ordinary
void parse_leave(Parser *p, Surroundings outer);
// The same with the brackets, which must be next; else the error says "expected BRACKET WHY".
Surroundings parse_open(Parser *p, enum Punctuation bracket, const char *why);
void parse_close(Parser *p, Surroundings outer, enum Punctuation bracket, const char *why);
// Fails with `MESSAGE, found TOKEN` unless a filter begins here.
void parse_need_filter(Parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

void parse_keep_text(Ast *node, const Token *t); // the bytes of the token as text of the node
const char *type_noun(Type type);
// Fails unless the node has the type; `role` begins the message ("operand of `light`").
Ast *parse_require(Parser *p, Ast *node, Type type, const char *role);
Ast *parse_require_op(Parser *p, Ast *node, Type type, Op op); // "operand of `WORD`"

// A construct of CQLi has been read. In a file of CQL 6.2 this adds a note where `what`, which begins the
// message, is met first; with ParseOptions.pedantic it fails (13.10).
void parse_accept_cqli(Parser *p, Span span, const char *what);
// CQLi: notes that the text cannot be CQL 6.2 because of `what` (14.3).
void parse_note_only_cqli(Parser *p, Span span, const char *what);

// ---- levels.c: the levels of 2.7 -------------------------------------------------------------------
Op operator_of_sign(const Token *t); // that the token stands for, the first of several; or OP_COUNT_

// Those that other constructs refer to. `first` is an operand of level 8 that has been read, or NULL.
Ast *parse_filter(Parser *p); // level 1
Ast *parse_filter_from(Parser *p, Ast *first);
Ast *parse_in(Parser *p, Ast *first);       // 3
Ast *parse_relation(Parser *p, Ast *first); // 4
Ast *parse_sum(Parser *p);                  // 5
Ast *parse_product(Parser *p, Ast *first);  // 6
Ast *parse_move_x(Parser *p);               // 7
Ast *parse_arrow(Parser *p);                // 8
Ast *parse_attack(Parser *p);               // 11
Ast *parse_at_level(Parser *p);             // 13
Ast *parse_condition(Parser *p);            // level 1, as a condition
Ast *parse_set_arg(Parser *p, Op op);       // 7, a set
Ast *parse_tight_set(Parser *p, Op op);     // 13, a set

// ---- primary.c -------------------------------------------------------------------------------------
Ast *parse_primary(Parser *p);

// ---- syntax.c ---------------------------------------------------------------------------------------------
// A filter of ROW_FILTER that has a syntax column; its word is next.
Ast *parse_by_syntax(Parser *p, Op op);

// Fails where the next token, the word of an extension of cqlgen (15), is refused: --pedantic.
void parse_check_extension(Parser *p);
// The range after a word that takes one (2.8, 8.1); not present when there is none.
Range parse_range(Parser *p);
// Fails when the operand after the range of `word` is only a number; returns the operand.
Ast *parse_after_range(Parser *p, Ast *operand, const char *word);
// Takes the next word if it sets one of the flags `allowed`, and sets it.
bool parse_take_flag(Parser *p, Ast *node, unsigned allowed);

// The functions that rows of the table name: read a construct whose word is next; complete a node, whose operands have been
// read and whose word is `token`.
#define OWN(op, word, type, reader, ...) Ast *parse_##reader(Parser *p);
#define PREFIX(op, word, reader, ...) Ast *parse_##reader(Parser *p);
#define CHECKED(op, word, type, syntax, finish, ...)                                                         \
    void finish_##finish(Parser *p, Ast *node, const Token *token);
#include "compiler/language/filters.def"

// ---- scope.c: what names mean (7.2, 13.14) ------------------------------------------------------------------
Variable *name_find(Parser *p, const char *text);
Variable *name_add(Parser *p, const char *text, VariableKind kind, Span span);
void name_define(Parser *p, const char *text, Variable *v); // makes it another name of the variable
// Remembers a name that is unknown only because text was skipped.
void name_poison(Parser *p, const char *text);
bool name_is_poisoned(Parser *p, const char *text);
void names_recover(Parser *p); // after an error: no call is being expanded

// Begins and ends a scope of CQLi; `body`: of a function. At the end all names mean what they did at its beginning, except
// those of variables first assigned in a loop.
void scope_enter(Parser *p, bool body);
void scope_leave(Parser *p);
// A new variable of the innermost scope.
Variable *scope_add(Parser *p, const Token *name, VariableKind kind);
// A new variable for an assignment: of the body of a function when it is in one.
Variable *scope_assign(Parser *p, const Token *name, VariableKind kind);
// May an assignment of another type give the name to a new variable?
bool scope_may_replace(Parser *p, const char *text);

// ---- names.c: variables, assignments, loops, control (7.1-7.7) -------------------------------------
bool is_assignment_mark(const Token *t); // `=`, `+=` …
VariableKind variable_kind(Type type);   // not of TYPE_BOOL
const char *kind_noun(VariableKind kind);
// The identifier that must be next; `purpose` completes "expected …".
const Token *parse_name(Parser *p, const char *purpose);
Ast *parse_identifier(Parser *p);
Ast *parse_forall(Parser *p);
Ast *parse_part_assignment(Parser *p, Ast *variable);
void names_resolve(Parser *p); // isbound of names introduced later
// The variable of the name, a new one when it has none.
Variable *variable_of_kind(Parser *p, const Token *name, VariableKind kind);

// ---- functions.c: functions, dictionaries (7.8, 7.13) ----------------------------------------------
Ast *parse_call(Parser *p, Variable *function);
bool parse_at_dictionary(Parser *p);        // a dictionary, not one of its entries
Variable *parse_dictionary_name(Parser *p); // with its declaration, if one is written
Ast *parse_count(Parser *p);                // #

// ---- sets.c (3) ------------------------------------------------------------------------------------
void check_direction_range(Parser *p, const Range *range, Span span);

// ---- parse_moves.c (4) -----------------------------------------------------------------------------
// A dash with the operand `left` (NULL: none); the next token is the dash. In a path without target.
Ast *parse_dash(Parser *p, Ast *left);
Ast *parse_path_dash(Parser *p, Ast *left);

// ---- speculative.c (13.5) ---------------------------------------------------------------------------------
// ":" relation: the filter that is evaluated in an imaginary position (13.13). `what` says what makes the position, for
// messages.
Ast *parse_imaginary_target(Parser *p, const char *what);
// A `move` that is followed by ":"; its parameters must have been checked.
Ast *parse_speculative(Parser *p, Ast *move);

// ---- text.c: text, tags, sorting (7.12-7.18, 9.6) --------------------------------------------------
Ast *parse_items(Parser *p, Ast *node, Op word); // items of comment, message, str; `word` is for messages
Ast *parse_line_comment(Parser *p);
int parse_result_value(Parser *p); // RESULT_
// The optional implicit search after a string filter (9.6); makes the node logical.
void parse_search(Parser *p, Ast *node);

// ---- hints.c: what the writer of a broken query may have meant ------------------------------------
bool takes_text(Op op); // a filter with a text in double quotes: `player`, `eco` …
// What is said about a name, NULL: nothing; and what to write instead, NULL: that is not certain.
typedef struct Advice {
    const char *text, *word;
} Advice;
Advice hint_for_name(const Parser *p, const Token *name); // an unknown one
// Advice for an operator that cannot follow something of type `left` (2.7), whose error comes next; "" when there is none.
const char *hint_for_operator(Parser *p, int mark, Type left);

// ---- header.c (2.2) ---------------------------------------------------------------------------------------
// Reads `cql ( … )`. After an error in it the parser goes on after its closing parenthesis.
void parse_header(Parser *p);

// ---- condition.c (2.3, 6.3) -------------------------------------------------------------------------------
// Reports an error when the node is a value whose mere presence means nothing. Returns the node.
Ast *parse_as_condition(Parser *p, Ast *node);

#endif
