// Pawn structure: `:pawncount` and `:pawncountdifference` of CQL-S (language reference 12b.9). Each attribute keeps the
// pawns of a set that have it; a table says which these are, in CQL 6.2.
#include "internal.h"
#include "runtime/value/ascii.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t pawn[2] = {1u << WHITE_PAWN, 1u << BLACK_PAWN};

// ---- the attributes ---------------------------------------------------------------------------------------

typedef enum AttributeKind {
    BY_TEMPLATE,
    STACKS,      // on a file with n pawns
    RANK_RUNS,   // in a run of n pawns on a rank
    FILE_RUNS,   // on a file
    DIAGONALS,   // on a diagonal
    MIRRORED,    // the enemy pawns of the file are its mirror image
    GROUPS,      // counting words from here on: groups of neighbouring files
    RANK_GROUPS, // groups of neighbouring ranks
    FILES,
    RANKS,
    NUMBER // what `meaning` says
} AttributeKind;

// meaning: the pawns with the attribute, in CQL 6.2, from White's view. $1 are the white pawns, $2 the black ones and $3 a
// variable for loops. For Black, up and down, and north and south, are exchanged, unless a form for Black follows `;`.
// exact: the form with `!` after the name; NULL: not allowed.
// usual, least, most: the n of `(n)` when it is left out, its minimum and maximum; most 0: `(n)` is not allowed.
typedef struct PawnWord {
    const char *name;
    AttributeKind kind;
    int usual, least, most;
    const char *meaning, *exact;
} PawnWord;

#define FILES_OF(set) "{vertical 0 7 {" set "}}"
#define NEIGHBOURS(set) "horizontal 1 {vertical 0 7 {" set "}}"
#define AHEAD "down {$2}"                       // where a pawn has an enemy pawn ahead on its file
#define AHEAD_BESIDE "horizontal 1 {down {$2}}" // on an adjacent file
#define CANDIDATE                                                                                            \
    "$1 & ~" AHEAD                                                                                           \
    " & {square $3 in {$1} {#($1 & horizontal 1 {down 0 7 {$3}}) >= #($2 & horizontal 1 {up {$3}})}}"

static const PawnWord words[] = {
    {"single", BY_TEMPLATE, 0, 0, 0, "$1 & ~vertical {$1}", "$1 & ~vertical {$1}"},
    {"double", STACKS, 2, 0, 0, NULL, NULL},
    {"triple", STACKS, 3, 3, 6, NULL, NULL},
    {"uno", BY_TEMPLATE, 0, 0, 0, "$1 & ~horizontal {$1}", "$1 & ~horizontal {$1}"},
    {"duo", RANK_RUNS, 2, 0, 0, NULL, NULL},
    {"trio", RANK_RUNS, 3, 0, 0, NULL, NULL},
    {"quart", RANK_RUNS, 4, 4, 8, NULL, NULL},
    {"consecutive", FILE_RUNS, 2, 2, 6, NULL, NULL},
    {"chained", DIAGONALS, 2, 2, 8, NULL, NULL},
    {"connected", BY_TEMPLATE, 0, 0, 0, "$1 & " NEIGHBOURS("$1"), NULL},
    {"isolated", BY_TEMPLATE, 0, 0, 0, "$1 & ~" NEIGHBOURS("$1"), NULL},
    {"integrated", BY_TEMPLATE, 0, 0, 0,
     "$1 & {right 1 " FILES_OF("$1") " | a1-8} & {left 1 " FILES_OF("$1") " | h1-8}", NULL},
    {"halfisolated", BY_TEMPLATE, 0, 0, 0,
     "$1 & b-g1-8 & {right 1 " FILES_OF("$1") " & ~left 1 " FILES_OF("$1") " | left 1 " FILES_OF(
         "$1") " & ~right 1 " FILES_OF("$1") "}",
     NULL},
    {"defended", BY_TEMPLATE, 0, 0, 0, "$1 & {northeast 1 {$1} | northwest 1 {$1}}", NULL},
    {"defender", BY_TEMPLATE, 0, 0, 0, "$1 & {southeast 1 {$1} | southwest 1 {$1}}", NULL},
    {"blocked", BY_TEMPLATE, 0, 0, 0, "$1 & " AHEAD, "$1 & down 1 {$2}"},
    {"unblocked", BY_TEMPLATE, 0, 0, 0, "$1 & ~" AHEAD, NULL},
    {"stoppable", BY_TEMPLATE, 0, 0, 0, "$1 & " AHEAD_BESIDE, NULL},
    {"unstoppable", BY_TEMPLATE, 0, 0, 0, "$1 & ~" AHEAD_BESIDE, NULL},
    {"stopped", BY_TEMPLATE, 0, 0, 0, "$1 & horizontal 1 {down 2 {$2}}", NULL},
    {"passed", BY_TEMPLATE, 0, 0, 0, "$1 & ~" AHEAD " & ~" AHEAD_BESIDE, NULL},
    {"candidate", BY_TEMPLATE, 0, 0, 0, CANDIDATE, CANDIDATE " & " AHEAD_BESIDE},
    {"behind", BY_TEMPLATE, 0, 0, 0, "$1 & up {$2} & ~" AHEAD, "$1 & up 1 {$2} & ~" AHEAD},
    {"backward", BY_TEMPLATE, 0, 0, 0, "$1 & " NEIGHBOURS("$1") " & ~horizontal 1 {up 0 7 {$1}}", NULL},
    {"advanced", BY_TEMPLATE, 0, 0, 0, "$1 & a-h5-8;$1 & a-h1-4", NULL},
    // A pawn on its first square needs five moves, as many as from the next rank.
    {"inside", BY_TEMPLATE, 0, 0, 0,
     "{square $3 in {$1} {max (abs (file $3 - file k) 8 - rank k) <= min (8 - rank $3 5) + if wtm 0 else 1}};"
     "{square $3 in {$1} {max (abs (file $3 - file K) rank K - 1) <= min (rank $3 - 1 5) + if btm 0 else 1}}",
     NULL},
    {"symmetrical", BY_TEMPLATE, 0, 0, 0,
     "{square $3 in {$1} {#($1 & " FILES_OF("$3") ") == #($2 & " FILES_OF("$3") ")}}", NULL},
    {"mirrored", MIRRORED, 0, 0, 0, NULL, NULL},
    {"forefront", BY_TEMPLATE, 0, 0, 0, "$1 & ~down {$1}", NULL},
    {"rear", BY_TEMPLATE, 0, 0, 0, "$1 & ~up {$1}", NULL},
    {"islands", GROUPS, 0, 1, 8, NULL, NULL},
    {"compounds", RANK_GROUPS, 0, 1, 6, NULL, NULL},
    {"files", FILES, 0, 1, 8, NULL, NULL},
    {"lines", FILES, 0, 1, 8, NULL, NULL},
    {"ranks", RANKS, 0, 1, 6, NULL, NULL},
    {"bothsides", NUMBER, 0, 0, 0, "min (#($1 & a-d1-8) #($1 & e-h1-8))", NULL},
    {"oneside", NUMBER, 0, 0, 0, "if {{$1 & a-d1-8} {$1 & e-h1-8}} then 0 else #{$1}", NULL}};
enum { WORDS = sizeof words / sizeof *words };

static bool has_exact(const PawnWord *word)
{
    return word->exact != NULL || (word->kind >= STACKS && word->kind <= DIAGONALS);
}

// An attribute or counting word as it is written.
typedef struct Attribute {
    const PawnWord *word;
    bool negated, exact;
    int n; // 0: not given
} Attribute;

struct Cql3Pawns {
    Attribute *attribute;
    int count;
    Attribute counting; // word NULL: the pawns are counted
    int counts;         // how many ranges follow
};

// ---- reading ----------------------------------------------------------------------------------------------

// Joins words and lists that are written without blanks: the lexer splits words at parentheses.
static const char *joined_text(Cql3 *c, const Item *list, int *i)
{
    const Item *item = cql3_item_at(list, *i);
    if (item == NULL || item->kind != ITEM_WORD || cql3_is_keyword(item))
        return NULL;
    const char *text = item->text;
    for (uint32_t end = item->span.end; (item = cql3_item_at(list, ++*i)) != NULL && item->span.start == end;
         end = item->span.end) {
        if (item->kind == ITEM_LIST && item->count == 1 && item->item[0]->kind == ITEM_WORD)
            text = arena_printf(c->arena, "%s(%s)", text, item->item[0]->text);
        else if (item->kind == ITEM_WORD)
            text = arena_printf(c->arena, "%s%s", text, item->text);
        else
            break;
    }
    return text;
}

static const PawnWord *find_word(const char *name, size_t length)
{
    for (int i = 0; i < WORDS; i++)
        if (strlen(words[i].name) == length && memcmp(words[i].name, name, length) == 0)
            return &words[i];
    return NULL;
}

static bool unknown(Cql3 *c, Span span, const char *text, size_t length)
{
    const char *names[WORDS];
    for (int i = 0; i < WORDS; i++)
        names[i] = words[i].name;
    cql3_error(c, span, "`%.*s` is not a pawn attribute", (int)length, text);
    diag_suggest(c->diagnostics, text, length, names, WORDS);
    return false;
}

// "(" n ")"
static bool read_n(Cql3 *c, Span span, const char **p, Attribute *a)
{
    char *end;
    const long n = strtol(*p + 1, &end, 10);
    if (a->word->most == 0)
        return cql3_error(c, span, "`%s` takes no number in parentheses", a->word->name);
    if (!is_digit((*p)[1]) || *end != ')' || n < a->word->least || n > a->word->most)
        return cql3_error(c, span, "`%s` takes a number from %d to %d in parentheses", a->word->name,
                          a->word->least, a->word->most);
    a->n = (int)n;
    *p = end + 1;
    return true;
}

// [ "!" ] name [ "!" ] [ "(" n ")" ]
static bool read_attribute(Cql3 *c, Span span, const char **p, Attribute *a)
{
    *a = (Attribute){.negated = **p == '!'};
    *p += a->negated;
    const size_t length = strcspn(*p, "!(-)");
    a->word = find_word(*p, length);
    if (length == 0 && (**p == '-' || **p == '\0'))
        return cql3_error(c, span, "expected a pawn attribute before and after each `-`");
    if (a->word == NULL)
        return unknown(c, span, *p, length > 0 ? length : strlen(*p));
    *p += length;
    a->exact = **p == '!';
    *p += a->exact;
    if (**p == '(' && !read_n(c, span, p, a))
        return false;
    if (**p != '-' && **p != '\0')
        return cql3_error(c, span, "expected `-` and another attribute after `%s`, found `%s`", a->word->name,
                          *p);
    const bool counts = a->word->kind >= GROUPS;
    if (counts && a->negated)
        return cql3_error(c, span, "the counting word `%s` cannot be negated", a->word->name);
    if (a->exact && (counts ? a->n == 0 : !has_exact(a->word)))
        return cql3_error(c, span, "`!` may not follow `%s`", a->word->name);
    return true;
}

// attribute { "-" attribute } [ "-" counting ]
static bool read_attributes(Cql3 *c, Span span, const char *p, struct Cql3Pawns *pawns)
{
    for (;; p++) {
        Attribute a;
        if (!read_attribute(c, span, &p, &a))
            return false;
        if (pawns->counting.word != NULL)
            return cql3_error(c, span, "no attribute may follow the counting word `%s`",
                              pawns->counting.word->name);
        if (a.word->kind >= GROUPS)
            pawns->counting = a;
        else
            ARENA_PUSH(c->arena, pawns->attribute, pawns->count, a);
        if (*p == '\0')
            break;
    }
    return pawns->count > 0 ||
           cql3_error(c, span, "expected a pawn attribute before `%s`", pawns->counting.word->name);
}

static bool count_begins(Cql3 *c, const Item *list, int i)
{
    const char first = cql3_word_at(c, list, i)[0];
    return first != '\0' && strchr("<>+-0123456789*", first) != NULL;
}

// [ range [ ":" range ] ]
static bool read_counts(Cql3 *c, const Item *list, int *i, Test *test, struct Cql3Pawns *pawns)
{
    const int first = *i;
    test->share[0] = (Cql3Range){.range = build_range(1, INT_MAX)};
    if (!count_begins(c, list, first))
        return true;
    if (!cql3_range_of(c, list, i, RANGE_PERCENT, &test->share[0]))
        return false;
    pawns->counts = 1;
    if (strcmp(cql3_word_at(c, list, *i), ":") == 0) {
        const uint32_t both = pawn[WHITE] | pawn[BLACK];
        if ((cql3_all_pieces(&test->designator[0]) & both) != both)
            return cql3_error(c, cql3_span_at(list, *i),
                              "two counts need a designator of pawns of both colours");
        pawns->counts = 2;
        *i = first;
        if (!cql3_two_ranges(c, list, i, RANGE_PERCENT, test->share))
            return false;
    }
    if (pawns->counting.word != NULL && (test->share[0].percent || test->share[1].percent))
        return cql3_error(c, cql3_span_at(list, first), "the counting word `%s` cannot have a percentage",
                          pawns->counting.word->name);
    return true;
}

bool cql3_pawns(Cql3 *c, const Item *list, int *i, Test *test)
{
    struct Cql3Pawns *pawns = arena_alloc(c->arena, sizeof *pawns);
    const Span span = cql3_span_at(list, *i);
    const char *text = joined_text(c, list, i);
    test->pawns = pawns;
    if (text == NULL)
        return cql3_error(c, span,
                          "`:%s` needs pawn attributes such as `passed` or `isolated-!blocked`, found %s",
                          cql3_word(test->keyword), cql3_item_text(c, cql3_item_at(list, *i)));
    if (!read_attributes(c, (Span){span.start, list->item[*i - 1]->span.end}, text, pawns))
        return false;
    return test->keyword == OP_CQL3_PAWNCOUNTDIFFERENCE ? cql3_range(c, list, i, &test->range)
                                                        : read_counts(c, list, i, test, pawns);
}

// ---- templates --------------------------------------------------------------------------------------------

// What the templates of a test refer to.
typedef struct Look {
    Cql3 *c;
    int colour;
    Ast *own, *enemy, *square; // variables and a set
} Look;

// For Black: the part after `;`, or the other direction along the files.
static const char *for_colour(Cql3 *c, const char *text, int colour)
{
    static const char *const turned[][2] = {
        {"up", "down"}, {"down", "up"}, {"north", "south"}, {"south", "north"}};
    const char *other = strchr(text, ';'), *result = "";
    if (colour == WHITE)
        return other == NULL ? text : arena_copy(c->arena, text, (size_t)(other - text));
    if (other != NULL)
        return other + 1;
    while (*text != '\0') {
        size_t length = strcspn(text, "usdn"), i = 0;
        result = arena_printf(c->arena, "%s%.*s", result, (int)length, text);
        text += length;
        while (i < 4 && strncmp(text, turned[i][0], strlen(turned[i][0])) != 0)
            i++;
        if (i == 4 && *text == '\0')
            break;
        result = i < 4 ? arena_printf(c->arena, "%s%s", result, turned[i][1])
                       : arena_printf(c->arena, "%s%c", result, *text);
        text += i < 4 ? strlen(turned[i][0]) : 1;
    }
    return result;
}

static Ast *look(const Look *l, const char *text)
{
    return cql3_tree(l->c, for_colour(l->c, text, l->colour), l->own, l->enemy, l->square);
}

// The pawns $1 on a line with at least n of them.
static const char *stacks(Cql3 *c, const char *step, const char *line, int n)
{
    // After round k, `last` selects pawns with at least k - 1 pawns behind them.
    const char *last = "$1";
    for (int k = 2; k <= n; k++)
        last = arena_printf(c->arena, "$1 & %s {%s}", step, last);
    return arena_printf(c->arena, "$1 & %s 0 7 {%s}", line, last);
}

// The pawns $1 in a straight run of at least n.
static const char *runs(Cql3 *c, const char *step, const char *back, int n)
{
    // After round k, `last` selects the front pawns of runs of k.
    const char *last = "$1";
    for (int k = 2; k <= n; k++)
        last = arena_printf(c->arena, "$1 & %s 1 {%s}", step, last);
    return arena_printf(c->arena, "%s 0 %d {%s}", back, n - 1, last);
}

typedef const char *Template(Cql3 *c, const char *step, const char *line, int n);

// At least n, or exactly n. No line is longer than eight squares.
static const char *with_n(Cql3 *c, Template *at_least, const char *step, const char *line, int n, bool exact)
{
    const char *some = at_least(c, step, line, n);
    return exact && n < 8 ? arena_printf(c->arena, "{%s} & ~{%s}", some, at_least(c, step, line, n + 1)) : some;
}

// The pawns of files whose enemy pawns are the mirror image of the own ones.
static const char *mirrored(Cql3 *c)
{
    const char *mirror = "[]";
    for (int rank = 1; rank <= 8; rank++)
        mirror = arena_printf(c->arena, "%s | %s %d {$2 & a-h%d}", mirror, rank < 5 ? "up" : "down",
                              rank < 5 ? 9 - 2 * rank : 2 * rank - 9, rank);
    return arena_printf(c->arena, "$1 & ~vertical 0 7 {{{%s} & ~$1} | {$1 & ~{%s}}}", mirror, mirror);
}

static Ast *with_attribute(const Look *l, const Attribute *a)
{
    Cql3 *c = l->c;
    const int n = a->n != 0 ? a->n : a->word->usual;
    const char *text = a->exact ? a->word->exact : a->word->meaning;
    Look white = *l; // attributes without a direction
    white.colour = WHITE;
    switch (a->word->kind) {
    case STACKS:
        return look(&white, with_n(c, stacks, "up", "vertical", n, a->exact));
    case RANK_RUNS:
        return look(&white, with_n(c, runs, "right", "left", n, a->exact));
    case FILE_RUNS:
        return look(&white, with_n(c, runs, "up", "down", n, a->exact));
    case DIAGONALS:
        return look(&white, arena_printf(c->arena, "{%s} | {%s}",
                                         with_n(c, runs, "northeast", "southwest", n, a->exact),
                                         with_n(c, runs, "northwest", "southeast", n, a->exact)));
    case MIRRORED:
        return look(&white, mirrored(c));
    default:
        return look(l, text);
    }
}

// ---- counting words ---------------------------------------------------------------------------------------

// Files projected on rank 1, or ranks on the file a.
static Ast *groups(const Look *l, const Attribute *a, const char *edge, const char *line, const char *step)
{
    Cql3 *c = l->c;
    const char *lines = arena_printf(c->arena, "{%s & %s 0 7 {$1}}", edge, line);
    const char *first = arena_printf(c->arena, "%s & ~%s 1 %s", lines, step, lines);
    if (a->n == 0)
        return look(l, arena_printf(c->arena, "#{%s}", first));
    // From its first line, a group goes on to the next gap.
    const char *group =
        arena_printf(c->arena, "{$3 | %s {$3} & ~%s 0 7 {%s {$3} & ~%s}}", step, step, step, lines);
    return look(l, arena_printf(c->arena, "#{square $3 in {%s} {#($1 & %s 0 7 %s) %s %d}}", first, line,
                                group, a->exact ? "==" : ">=", a->n));
}

static Ast *number_of_lines(const Look *l, const Attribute *a, const char *edge, const char *line,
                            const char *step)
{
    Cql3 *c = l->c;
    const char *pawns = a->n == 0 ? "$1" : with_n(c, stacks, step, line, a->n, a->exact);
    return look(l, arena_printf(c->arena, "#{%s & %s 0 7 {%s}}", edge, line, pawns));
}

static Ast *number_of(const Look *l, const Attribute *counting)
{
    Look white = *l;
    white.colour = WHITE;
    switch (counting->word != NULL ? counting->word->kind : BY_TEMPLATE) {
    case GROUPS:
        return groups(&white, counting, "a-h1", "vertical", "right");
    case RANK_GROUPS:
        return groups(&white, counting, "a1-8", "horizontal", "up");
    case FILES:
        return number_of_lines(&white, counting, "a-h1", "vertical", "up");
    case RANKS:
        return number_of_lines(&white, counting, "a1-8", "horizontal", "right");
    case NUMBER:
        return look(&white, counting->word->meaning);
    default:
        return look(&white, "#{$1}");
    }
}

// ---- counts -----------------------------------------------------------------------------------------------

// The number of pawns of one colour. Adds to *first what must be evaluated before it.
static Ast *count_colour(Cql3 *c, const Test *test, const Designator *d, const Cql3Map *map, int colour,
                         Cql3Parts *first)
{
    if (!(cql3_map_pieces(map, cql3_all_pieces(d)) & pawn[colour]))
        return cql3_tree(c, "0");
    Look l = {c, colour, cql3_variable(c, "pawns", VARIABLE_SET), cql3_set(c, pawn[!colour], ~(Bitboard)0),
              cql3_variable(c, "pawn", VARIABLE_SET)};
    ARENA_PUSH(c->arena, first->part, first->count,
               cql3_tree(c, "$1 = $2", l.own, cql3_set(c, pawn[colour], ~(Bitboard)0)));
    for (int i = 0; i < test->pawns->count; i++) {
        const Attribute *a = &test->pawns->attribute[i];
        ARENA_PUSH(c->arena, first->part, first->count,
                   cql3_tree(c, a->negated ? "$1 = {$1 & ~$2}" : "$1 = $2", l.own, with_attribute(&l, a)));
    }
    ARENA_PUSH(c->arena, first->part, first->count,
               cql3_tree(c, "$1 = {$1 & $2}", l.own, cql3_designator_set(c, d, map)));
    return number_of(&l, &test->pawns->counting);
}

// The number is in the range; `pieces`: the pawns that a percentage refers to.
static Ast *in_count(Cql3 *c, Ast *number, const Designator *d, const Cql3Map *map, uint32_t pieces,
                     const Cql3Range *range)
{
    Ast *total =
        cql3_tree(c, "#($1 & $2)", cql3_designator_set(c, d, map), cql3_set(c, pieces, ~(Bitboard)0));
    return cql3_in_count(c, number, total, range);
}

Ast *cql3_pawn_count(Cql3 *c, const Test *test, const Cql3Map *map)
{
    const Designator *d = test->designator;
    Cql3Parts parts = {0};
    Ast *number[2], *tested;
    if (test->keyword == OP_CQL3_PAWNCOUNTDIFFERENCE) {
        const bool two = test->designator_count > 1;
        for (int i = 0; i < 2; i++) {
            number[i] = count_colour(c, test, &d[two * i], map, two ? WHITE : i ^ map->colours, &parts);
            if (two)
                number[i] =
                    cql3_tree(c, "$1 + $2", number[i], count_colour(c, test, &d[i], map, BLACK, &parts));
        }
        tested = build_in_range(c->arena, cql3_tree(c, "$1 - $2", number[0], number[1]), test->range);
    } else {
        for (int i = 0; i < 2; i++)
            number[i] = count_colour(c, test, d, map, i, &parts);
        if (test->pawns->counts < 2) {
            tested = in_count(c, cql3_tree(c, "$1 + $2", number[0], number[1]), d, map, pawn[0] | pawn[1],
                              &test->share[0]);
        } else {
            Ast *both[2];
            for (int i = 0; i < 2; i++) // a colour flip exchanges the counts
                both[i] = in_count(c, number[i], d, map, pawn[i], &test->share[i ^ map->colours]);
            tested = cql3_all(c, both, 2);
        }
    }
    ARENA_PUSH(c->arena, parts.part, parts.count, tested);
    return cql3_all(c, parts.part, parts.count);
}
