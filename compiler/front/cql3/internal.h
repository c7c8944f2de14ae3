// Shared by the files of the CQL 3 parser, which have one subject each:
//   lexer.c       the text as nested lists of words
//   header.c      the identification line
//   items.c       items of lists, errors about them
//   words.c       from words to rows of the table
//   values.c      parameters: designators, results
//   ranges.c      ranges and counts, read and built
//   position.c    position lists: keywords and their parameters
//   maps.c        transformation sets and the edge rule of CQL 3 (12.6)
//   nodes.c       small trees
//   parse_relation.c, parse_moves.c, rules.c, pawns.c, line.c, evaluation.c, tests.c   trees of single tests
//   start.c       numbers of start positions
//   control.c     :cut, :exclude, :skip
//   build.c       trees of position lists: distinct copies, counts
//   match.c       match lists: keywords, lists in lists
//   game_parameters.c, game_data.c, dates.c, countries.c, patterns.c   conditions on the data of games
//   game.c        the tree of the whole file: conditions, position lists, tags
//   parser.c      the match list, its position lists, the entry
#ifndef CQL_CQL3_INTERNAL_H
#define CQL_CQL3_INTERNAL_H

#include "compiler/base/text_map.h"
#include "compiler/front/shared/build.h"
#include "cql3.h"

enum {
    CQL3_MAX_NESTING = 60,    // lists in lists; recursion over them is safe
    CQL3_MAX_COPIES = 400000, // of all lists together
    CQL3_MAX_HEIGHT = 2000,   // of the tree
    CQL3_MAX_TAGS = 2,
    CQL3_LAST_NUMERAL = 89,
    CQL3_RESULT_LOST = 4 // `0-0`: by both, after the RESULT_ constants
};

// ---- the text ---------------------------------------------------------------------------------------------

typedef enum ItemKind { ITEM_WORD, ITEM_STRING, ITEM_LIST } ItemKind;

// A word, a string or a list of items.
typedef struct Item {
    ItemKind kind;
    Span span;
    const char *text; // words; strings without their quotes
    struct Item **item;
    int count;
    int list_number; // position lists: 1, 2, … in the order of the text; else 0
} Item;

// ---- keywords ---------------------------------------------------------------------------------------------

// A row of the table (filters.def), KEYWORD_NONE: none.
typedef int Keyword;
enum { KEYWORD_NONE = -1 };

const char *cql3_word(Keyword keyword); // without its colon

// ---- maps -------------------------------------------------------------------------------------------------

// One transformation. It distributes over unions, so the images of the single squares define it.
typedef struct Cql3Map {
    Bitboard image[64];
    int32_t colours;  // exchanges the colours; not bool: equal maps have equal bytes
    int32_t exchange; // exchanges files and ranks
} Cql3Map;

typedef struct Cql3Maps {
    Cql3Map *map; // the identity first
    int count;
} Cql3Maps;

// Sets of transformations as bits: 1u << (keyword - OP_CQL3_FLIPHORIZONTAL).
typedef unsigned Cql3Sets;

// The combined set of the keywords (12.6), without duplicates.
Cql3Maps cql3_maps(Arena *arena, Cql3Sets sets);
const Cql3Map *cql3_identity(void);

// What of a map matters to a position list.
typedef struct Cql3Scope {
    Bitboard squares; // their images do
    bool directions;  // so does the exchange of files and ranks
} Cql3Scope;

// `outer` after each of the maps, without those that do the same within the scope. Images outside of it are empty.
Cql3Maps cql3_compositions(Arena *arena, const Cql3Map *outer, Cql3Maps inner, Cql3Scope scope);
Bitboard cql3_map_squares(const Cql3Map *map, Bitboard squares);
uint32_t cql3_map_pieces(const Cql3Map *map, uint32_t pieces);

// ---- position lists ---------------------------------------------------------------------------------------

// pieces: SYMBOL_ and piece bits as in Ast.pieces; no pieces at all is the empty set of pieces.
typedef struct Designator {
    uint32_t pieces, promoted, unpromoted; // the last two: only those that were pawns, that were not
    Bitboard squares;
    int tag; // its index; pieces do not matter then. -1: not a tag
} Designator;

static inline uint32_t cql3_all_pieces(const Designator *d)
{
    return d->pieces | d->promoted | d->unpromoted;
}

typedef struct PositionList PositionList;

// A range with the forms of CQL-S (12b.3).
typedef struct Cql3Range {
    Range range;  // of numbers or of percentages; INT32_MIN, INT32_MAX: no bound
    bool percent; // of a total; the one bound is excluded when `strict`
    bool strict;
    bool low_from_end, high_from_end; // the bound counts back from the last value of the game
    char special;                     // '*': any known value; '-': none; 'm': `mate`; else 0
} Cql3Range;

// One keyword with its parameters, or a designator.
typedef struct Test {
    Keyword keyword;
    bool negated; // !:word
    Span span;
    Designator *designator;
    int designator_count;
    Range range;
    Cql3Range bounds; // of keywords whose range has more forms
    Range *numbers;   // of start positions
    int number_count;
    PositionList **list;
    int list_count;
    const char *name;       // of an accumulator or tag; a word
    int number;             // results: bits by RESULT_; castling rights: CASTLE_ bits
    PositionList *relation; // its specification, as a list of keywords
    const struct Cql3Fen *fen;
    const struct Cql3Pawns *pawns;
    const struct Cql3Line *line;
    Cql3Range share[2]; // two counts with `:` between them
} Test;

struct PositionList {
    Span span;
    int number; // for messages
    Test *test;
    int test_count;
    Cql3Sets transformations;
    bool negated, variations, variations_only;
};

typedef struct Cql3Tag {
    const char *name;
    Span span;
    Designator designator; // its squares do not matter
    Variable *variable;
} Cql3Tag;

typedef struct Accumulator {
    const char *name;
    bool by_colour;   // two sums: of copies as written, and with the colours exchanged
    Variable *sum[2]; // NULL: not needed so far
} Accumulator;

typedef struct Cql3Parts {
    Ast **part;
    int count;
} Cql3Parts;

typedef struct Cql3 {
    Arena *arena;
    Diagnostics *diagnostics;
    Query *query;
    const ParseOptions *options;
    int list_number; // of the position list being read, for messages; 0: none
    int depth;       // of lists in lists
    Cql3Tag tag[CQL3_MAX_TAGS];
    int tag_count;
    const Item *relation; // the first `:relation`
    PositionList **list;  // the top-level ones
    int list_count;
    struct MatchList *match;
    bool either_colour; // `:eithercolor`
    bool variations;    // some list, relation or condition on the game searches variations
    bool told_mode;     // that evaluations are read, not computed
    // while trees are built
    Span span;                // given to new nodes
    const PositionList *top;  // the surrounding top-level list
    bool every_line;          // it searches variations
    Accumulator *accumulator; // of it
    int accumulator_count;
    Cql3Parts tried; // what must be evaluated before the tests of the copy being built
    long copies;     // made so far
    struct {
        Cql3Sets sets;
        Cql3Maps maps;
    } * known; // transformation sets that were computed
    int known_count;
} Cql3;

// ---- lexer.c -----------------------------------------------------------------------------------------

// Reads the text into a list of the items outside of all lists (12.1). Errors (brackets, strings) go to the
// diagnostics; then the result is NULL.
Item *cql3_read(Arena *arena, const Source *source, Diagnostics *diagnostics);

// ---- header.c -----------------------------------------------------------------------------------------

// Reads the identification line, if there is one.
void cql3_header(Cql3 *c, const Source *source);

// ---- items.c ----------------------------------------------------------------------------------------------

// Reports an error; says which position list it is about. Returns false.
bool cql3_error(Cql3 *c, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool cql3_is_keyword(const Item *item);
const Item *cql3_item_at(const Item *list, int i);     // NULL: the list has no such item
Span cql3_span_at(const Item *list, int i);            // where to point to, also when the item is missing
const char *cql3_item_text(Cql3 *c, const Item *item); // for messages
// The word of a parameter, with `-` for the typographic signs that manuals print; "" if there is none.
const char *cql3_word_at(Cql3 *c, const Item *list, int i);
// The words of word { "," word }. count 0: the item is something else.
const char **cql3_words_at(Cql3 *c, const Item *list, int i, int *count);

// ---- words.c ----------------------------------------------------------------------------------------------

// The keyword of an item, without `!`, in a place (IN_CQL3_ bits); KEYWORD_NONE after an error.
Keyword cql3_keyword(Cql3 *c, const Item *item, unsigned place);
// The same in a match list; *side as in GameTest.
Keyword cql3_match_word(Cql3 *c, const Item *item, int *side);
// For a word that is a keyword without its colon: what to write, after a semicolon; else "".
const char *cql3_colon_hint(Cql3 *c, const Item *item, unsigned place);

// ---- values.c -----------------------------------------------------------------------------------------

// Each reads from the items i… of a list and moves *i past what it has read. False after an error.
// pieces [ squares ] | squares: all of the text.
bool cql3_piece_or_squares(const char *text, Designator *d, bool *has_pieces);
bool cql3_is_designator(const Item *item); // without squares alone
bool cql3_designator(Cql3 *c, const Item *list, int *i, Designator *designator);
bool cql3_squares(Cql3 *c, const Item *list, int *i, Test *test);  // adds a designator of them
bool cql3_result(Cql3 *c, const Item *list, int *i, int *results); // bits by RESULT_

// ---- ranges.c -----------------------------------------------------------------------------------------

enum {               // forms that a place allows besides numbers
    RANGE_KNOWN = 1, // `*`, `-`
    RANGE_END = 2,   // `end`, `end-N`
    RANGE_PERCENT = 4,
    RANGE_ROMAN = 8,  // numerals
    RANGE_PAWNS = 16, // decimal numbers instead of integers, read as hundredths
    RANGE_MATE = 32   // `mate`
};

// Readers as in values.c.
bool cql3_range(Cql3 *c, const Item *list, int *i, Range *range);
bool cql3_range_of(Cql3 *c, const Item *list, int *i, unsigned forms, Cql3Range *range);
bool cql3_two_ranges(Cql3 *c, const Item *list, int *i, unsigned forms,
                     Cql3Range range[2]);                 // range ":" range
bool cql3_range_begins(Cql3 *c, const Item *list, int i); // one of numbers, without other forms
// The number, which need not exist, is in a range that is not one of percentages. `last` is the value at the end of the
// game, for bounds that count from there.
Ast *cql3_in_range(Cql3 *c, Ast *number, Ast *last, const Cql3Range *range);
// The number, of a total that percentages refer to, is in a range.
Ast *cql3_in_count(Cql3 *c, Ast *number, Ast *total, const Cql3Range *range);
// The Roman numeral of 1 to CQL3_LAST_NUMERAL, in small letters.
const char *cql3_numeral(Cql3 *c, int number);

// ---- patterns.c ---------------------------------------------------------------------------------------

// A pattern (12b.4) as a regular expression for a text in lower case, or for the text itself when `sensitive`.
typedef struct Cql3Pattern {
    const char *regex; // not anchored
    char *plain;       // the only text that it matches, NULL: it is not that simple
    bool sensitive;
    bool empty, question, everything; // it matches the empty text, `?`, every text
    bool as_written;                  // it says which blanks and dots a name has
} Cql3Pattern;

bool cql3_pattern(Cql3 *c, const Item *item, Cql3Pattern *pattern);
// `?` and the empty text are no value, nor is a tag that the game does not have.
Ast *cql3_is_known(Cql3 *c, Ast *value);
Ast *cql3_matches_pattern(Cql3 *c, Ast *value, const Cql3Pattern *pattern); // the whole value
Ast *cql3_holds_pattern(Cql3 *c, Ast *value, const Cql3Pattern *pattern);   // a part of it

// ---- dates.c ------------------------------------------------------------------------------------------

typedef struct Cql3Day {
    int year, month, day;
} Cql3Day;

// The days from the first to the last one.
typedef struct Cql3Dates {
    Cql3Day first, last; // of the years 0 and 9999: no bound
    char special;        // '*': known; '-': unknown; else 0
} Cql3Dates;

bool cql3_dates(Cql3 *c, const Item *list, int *i, Cql3Dates *dates);
Ast *cql3_date_in(Cql3 *c, Ast *date,
                  const Cql3Dates *dates); // a text of ten characters, as the filter `date`

// ---- countries.c --------------------------------------------------------------------------------------

// All codes that mean the same as one, with a separator between them; all in lower case.
const char *cql3_country(Cql3 *c, const char *code, char separator);

// ---- match.c, game_parameters.c, game_data.c -------------------------------------------------------------------------------

typedef struct MatchList MatchList;

// A condition of a match list.
typedef struct GameTest {
    Test test;
    int side; // 0: either player; 1: White; 2: Black
    MatchList **list;
    int list_count;
    bool quoted; // the text is a pattern
    Cql3Pattern pattern;
    const char **word; // of a list
    int word_count;
    const char *system; // of ratings, of identities of players
    Cql3Dates dates;
} GameTest;

struct MatchList {
    Span span;
    GameTest *test;
    int test_count;
    bool negated; // `:not` without parameter
};

// A word that a parameter can be, and a regular expression that matches its tag values in lower case. regex NULL: it means any
// value that no other row matches, or no value. The last row has no word.
typedef struct Cql3Choice {
    const char *word, *regex;
} Cql3Choice;

const Cql3Choice *cql3_choices(Keyword keyword);
// Reads `(match …)` inside another; NULL after an error.
MatchList *cql3_match_list(Cql3 *c, const Item *item);
// Reads a keyword and its parameters from the items i…; conditions are added to the list.
bool cql3_match_keyword(Cql3 *c, MatchList *list, const Item *items, int *i, bool nested);
bool cql3_is_match(const Item *item);
// The parameter of a keyword of the match list that `kind`, a letter of its syntax, describes.
bool cql3_game_parameter(Cql3 *c, char kind, const Item *list, int *i, GameTest *g);
// All conditions of a list; `exchanged`: with the colours exchanged.
Ast *cql3_build_match(Cql3 *c, const MatchList *list, bool exchanged);
Ast *cql3_build_game_test(Cql3 *c, const GameTest *g, bool exchanged);
Ast *cql3_good_game(Cql3 *c, bool exchanged);

// ---- position.c --------------------------------------------------------------------------------------

bool cql3_is_position(const Item *item);
// Reads `(position …)`; NULL after errors.
PositionList *cql3_position(Cql3 *c, const Item *item);
// Reads the parameters of the keyword of `test` from the items i… of a list, by the syntax in its row, and moves *i
// past them. False after an error.
bool cql3_parameters(Cql3 *c, const Item *list, int *i, Test *test);
bool cql3_parameter(Cql3 *c, char kind, const Item *list, int *i,
                    Test *test);                                  // one, by its letter in the row
const Test *cql3_find(const PositionList *list, Keyword keyword); // the last one; NULL: none

// ---- nodes ------------------------------------------------------------------------------------------------

Ast *cql3_node(Cql3 *c, Op op, Type type);
Ast *cql3_all(Cql3 *c, Ast **kid, int count); // COMPOUND; TRUE for none
Ast *cql3_any(Cql3 *c, Ast **kid, int count); // VARIANTS; FALSE for none
Ast *cql3_variants(Cql3 *c, Ast **kid, int count, Type type, Range range);
// `:cond`: the result after the first condition that is true. An odd last list is the result when none is.
Ast *cql3_cond(Cql3 *c, Ast **list, int count);
// The tree of a template in CQL 6.2 (cql6_template); `$1`, `$2` … are the operands that follow, each one Ast *.
Ast *cql3_tree(Cql3 *c, const char *text, ...);
Ast *cql3_string(Cql3 *c, const char *text);
Ast *cql3_regex(Cql3 *c, Ast *value, const char *regex); // matches a part of the value
// Reads a new hidden variable; as an operand of templates it may be assigned too.
Ast *cql3_variable(Cql3 *c, const char *name, VariableKind kind);
// A number of the game, 0 when it is missing, is in a range.
Ast *cql3_number_in(Cql3 *c, Ast *number, const Cql3Range *range);
// What the table says of the keyword of the test; its range restricts the number. A missing tag is 0.
Ast *cql3_by_meaning(Cql3 *c, const Test *test, bool colours, Ast *operand);
// DESIGNATOR with its pieces and squares as they are; an empty set when there are none.
Ast *cql3_set(Cql3 *c, uint32_t pieces, Bitboard squares);
Ast *cql3_designator_set(Cql3 *c, const Designator *d, const Cql3Map *map);

// ---- parse_relation.c, parse_moves.c -----------------------------------------------------------------

Ast *cql3_build_relation(Cql3 *c, const PositionList *list, const Test *test, const Cql3Map *map);
// A condition: there is one legal move. A promotion is four.
#define CQL3_ONE_LEGAL_MOVE "countmoves legal -- == 1 not {legal P--a-h8 or legal p--a-h1}"
// The test is one of the requirements of a list on the next move.
bool cql3_is_move_test(const Test *test);
// All of these tests of a list as one node: they test the same move.
Ast *cql3_build_move(Cql3 *c, const PositionList *list, const Cql3Map *map);
// A keyword of the move that is tested by itself: negated, or `:noenpassant`. NULL: it is another test.
Ast *cql3_single_move(Cql3 *c, const Test *test, const Cql3Map *map);

// ---- rules.c ------------------------------------------------------------------------------------------

// Readers as in values.c. Letters of castling rights or kings become the bits of `number`.
bool cql3_castling(Cql3 *c, const Item *list, int *i, Test *test);
bool cql3_castling_begins(const Item *list, int i, const Test *test);
bool cql3_fen(Cql3 *c, const Item *list, int *i, Test *test);
int cql3_rights(const Test *test, const Cql3Map *map); // CASTLE_ bits
Ast *cql3_has_rights(Cql3 *c, const Test *test, const Cql3Map *map);
Ast *cql3_is_fen(Cql3 *c, const Test *test, const Cql3Map *map);
Ast *cql3_repetition(Cql3 *c, const Test *test);
Ast *cql3_contact_check(Cql3 *c, const Test *test, const Cql3Map *map);
Ast *cql3_opposition(Cql3 *c, const Test *test, const Cql3Map *map);
Ast *cql3_good_bishop(Cql3 *c, const Test *test, const Cql3Map *map);

// ---- pawns.c ------------------------------------------------------------------------------------------

// Reads attributes and what follows them.
bool cql3_pawns(Cql3 *c, const Item *list, int *i, Test *test);
Ast *cql3_pawn_count(Cql3 *c, const Test *test, const Cql3Map *map);

// ---- line.c -------------------------------------------------------------------------------------------

bool cql3_line(Cql3 *c, const Item *list, int *i, Test *test);
// Reports when the transformations of a list around the test are not allowed there.
bool cql3_line_bars(Cql3 *c, const Test *test, Cql3Sets transformations);
Ast *cql3_build_line(Cql3 *c, const Test *test, const Cql3Map *map);

// ---- evaluation.c -------------------------------------------------------------------------------------

bool cql3_evaluation(Cql3 *c, const Item *list, int *i, Test *test);
Ast *cql3_build_evaluation(Cql3 *c, const Test *test, const Cql3Map *map);
Ast *cql3_max_swap(Cql3 *c, const Test *test, const Cql3Map *map);

// ---- build.c, tests.c ---------------------------------------------------------------------------

// The tree of a list under `outer`.
Ast *cql3_build_list(Cql3 *c, const PositionList *list, const Cql3Map *outer);
// The list, or one nested in it, adds to an accumulator. It must be evaluated even if the tests around it fail (12.4).
bool cql3_adds(const PositionList *list);
// Restricts a search to the positions where the surrounding top-level list is evaluated; NULL: everywhere.
Ast *cql3_visited(Cql3 *c);
Ast *cql3_sequence(Cql3 *c, Ast **list, int count); // they are true in positions that follow each other
Ast *cql3_build_test(Cql3 *c, const PositionList *list, const Test *test, const Cql3Map *map);
Ast *cql3_result_is(Cql3 *c, int results, bool colours); // one of the bits; colours: players exchanged

// ---- start.c ------------------------------------------------------------------------------------------

// n { "," n }, with `n-m` and `*`.
bool cql3_start_numbers(Cql3 *c, const Item *list, int *i, Test *test);
Ast *cql3_start_position(Cql3 *c, const Test *test);

// ---- control.c ----------------------------------------------------------------------------------------

bool cql3_is_control(const Test *test);
bool cql3_must_match(const PositionList *list); // for the game to match
// Where a `:skip` lets the list be tried; NULL: everywhere.
Ast *cql3_not_skipped(Cql3 *c, PositionList *list, const Cql3Map *outer);

typedef struct Cql3Control {
    Ast *begin;    // evaluated at the initial position, before the others
    Ast *within;   // this position is not after the one with which a `:cut` ends the search
    Ast *excluded; // evaluated at the initial position: an `:exclude` matches
} Cql3Control;     // NULL: not needed

Cql3Control cql3_control(Cql3 *c, const Cql3Map *outer);

// ---- game.c ------------------------------------------------------------------------------------------

// Builds the tree of the whole file.
bool cql3_build_file(Cql3 *c);

#endif
