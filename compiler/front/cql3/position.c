// Position lists of CQL 3: keywords and their parameters (language reference 12.4, 12.5).
#include "internal.h"
#include "runtime/value/ascii.h"

#include <string.h>

// ---- parameters -------------------------------------------------------------------------------------------

bool cql3_is_position(const Item *item)
{
    return item != NULL && item->kind == ITEM_LIST && item->list_number > 0;
}

static bool add_list(Cql3 *c, Test *test, const Item *item)
{
    PositionList *list = cql3_position(c, item);
    if (list == NULL)
        return false;
    if (list->variations)
        diag_add(c->diagnostics, DIAG_WARNING, list->span,
                 "position list %d: `:variations` has an effect only in the lists directly in the match list",
                 list->number);
    ARENA_PUSH(c->arena, test->list, test->list_count, list);
    return true;
}

// "(" { position-list } ")"
static bool read_lists(Cql3 *c, const Item *list, int *i, Test *test)
{
    const Item *item = cql3_item_at(list, *i);
    if (item == NULL || item->kind != ITEM_LIST || cql3_is_position(item))
        return cql3_error(c, cql3_span_at(list, *i),
                          "`:%s` needs a list of position lists, `((position …) …)`, found %s",
                          cql3_word(test->keyword), cql3_item_text(c, item));
    ++*i;
    for (int k = 0; k < item->count; k++) {
        if (!cql3_is_position(item->item[k]))
            return cql3_error(c, item->item[k]->span, "expected a position list in `:%s`, found %s",
                              cql3_word(test->keyword), cql3_item_text(c, item->item[k]));
        if (!add_list(c, test, item->item[k]))
            return false;
    }
    if (test->list_count == 0)
        return cql3_error(c, item->span, "`:%s` needs at least one position list", cql3_word(test->keyword));
    return true;
}

// "(" { position-list } ")" | { position-list }: pairs of condition and result, perhaps with a last result
static bool read_pairs(Cql3 *c, const Item *list, int *i, Test *test)
{
    if (!cql3_is_position(cql3_item_at(list, *i)))
        return read_lists(c, list, i, test);
    while (cql3_is_position(cql3_item_at(list, *i)))
        if (!add_list(c, test, list->item[(*i)++]))
            return false;
    return true;
}

static bool add_designator(Cql3 *c, const Item *list, int *i, Test *test)
{
    Designator d;
    if (!cql3_designator(c, list, i, &d))
        return false;
    ARENA_PUSH(c->arena, test->designator, test->designator_count, d);
    return true;
}

// "(" designator designator { designator } ")" [ range ]
static bool read_ray(Cql3 *c, const Item *list, int *i, Test *test)
{
    const Item *item = cql3_item_at(list, *i);
    if (item == NULL || item->kind != ITEM_LIST)
        return cql3_error(c, cql3_span_at(list, *i), "`:%s` needs a list of designators, found %s",
                          cql3_word(test->keyword), cql3_item_text(c, item));
    ++*i;
    for (int k = 0; k < item->count;)
        if (!add_designator(c, item, &k, test))
            return false;
    if (test->designator_count < 2)
        return cql3_error(c, item->span, "`:%s` needs at least two designators", cql3_word(test->keyword));
    return !cql3_range_begins(c, list, *i) || cql3_range(c, list, i, &test->range);
}

// An accumulator or a tag.
static bool read_name(Cql3 *c, const Item *list, int *i, Test *test)
{
    const Item *item = cql3_item_at(list, *i);
    bool letters = false;
    if (item != NULL && item->kind == ITEM_WORD && !cql3_is_keyword(item))
        for (const char *p = item->text; *p != '\0'; p++)
            letters |= (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');
    if (!letters)
        return cql3_error(c, cql3_span_at(list, *i), "`:%s` needs a name with letters, found %s",
                          cql3_word(test->keyword), cql3_item_text(c, item));
    test->name = item->text;
    ++*i;
    return true;
}

// A word or string.
static bool read_word(Cql3 *c, const Item *list, int *i, Test *test)
{
    const Item *item = cql3_item_at(list, *i);
    if (item == NULL || item->kind == ITEM_LIST || cql3_is_keyword(item))
        return cql3_error(c, test->span, "`:%s` needs a word, found %s", cql3_word(test->keyword),
                          cql3_item_text(c, item));
    test->name = item->text;
    ++*i;
    return true;
}

// The name of a new tag.
static bool read_tag_name(Cql3 *c, const Item *list, int *i, Test *test)
{
    const Item *item = cql3_item_at(list, *i);
    if (item == NULL || item->kind != ITEM_WORD || cql3_is_keyword(item) ||
        strpbrk(item->text, "$[]") != NULL)
        return cql3_error(c, test->span, "`:%s` needs the name of a tag, found %s", cql3_word(test->keyword),
                          cql3_item_text(c, item));
    test->span = item->span;
    return read_word(c, list, i, test);
}

static bool read_bounds(Cql3 *c, const Item *list, int *i, unsigned forms, Test *test)
{
    const bool good = cql3_range_of(c, list, i, forms, &test->bounds);
    test->range = test->bounds.range;
    return good;
}

typedef bool Reader(Cql3 *c, const Item *list, int *i, Test *test);
static Reader read_relation;

bool cql3_parameter(Cql3 *c, char kind, const Item *list, int *i, Test *test)
{
    static Reader *const reader[] = {
        ['C'] = read_pairs, ['D'] = add_designator, ['F'] = cql3_fen,      ['K'] = cql3_castling,
        ['L'] = read_lists, ['A'] = cql3_pawns,     ['M'] = cql3_line,     ['U'] = cql3_evaluation,
        ['N'] = read_name,  ['Q'] = cql3_squares,   ['S'] = read_relation, ['T'] = read_tag_name,
        ['W'] = read_word,  ['Y'] = read_ray};
    switch (kind) {
    case 'R':
        return read_bounds(c, list, i, 0, test);
    case 'G':
        return read_bounds(c, list, i, RANGE_KNOWN, test);
    case 'E':
        return read_bounds(c, list, i, RANGE_END, test);
    case 'V':
        return cql3_start_numbers(c, list, i, test);
    case 'I':
        return !cql3_is_position(cql3_item_at(list, *i)) || add_list(c, test, list->item[(*i)++]);
    case 'O':
        return cql3_result(c, list, i, &test->number);
    case 'B':
        return cql3_two_ranges(c, list, i, RANGE_PERCENT, test->share);
    default:
        return reader[(int)kind](c, list, i, test);
    }
}

// An optional parameter follows.
static bool is_given(Cql3 *c, const Item *list, int i, const Test *test, char kind)
{
    const Item *item = cql3_item_at(list, i);
    if (kind == 'K')
        return cql3_castling_begins(list, i, test);
    return kind == 'R' ? cql3_range_begins(c, list, i) : cql3_is_designator(item);
}

bool cql3_parameters(Cql3 *c, const Item *list, int *i, Test *test)
{
    for (const char *kind = op_info[test->keyword].syntax; *kind != '\0'; kind++) {
        const char needed = ascii_upper(*kind);
        if ((*kind == needed || is_given(c, list, *i, test, needed)) &&
            !cql3_parameter(c, needed, list, i, test))
            return false;
    }
    return true;
}

// The keyword has a parameter that is not optional.
static bool needs_parameter(Keyword keyword)
{
    const char *syntax = op_info[keyword].syntax;
    return strpbrk(syntax, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL;
}

// ---- one keyword ------------------------------------------------------------------------------------------

static int find_tag(const Cql3 *c, const char *name)
{
    for (int i = 0; i < c->tag_count; i++)
        if (strcmp(c->tag[i].name, name) == 0)
            return i;
    return -1;
}

static bool is_repeated(const PositionList *list, const Test *test)
{
    for (int i = 0; i < list->test_count; i++)
        if (list->test[i].keyword == test->keyword &&
            (test->name == NULL || strcmp(list->test[i].name, test->name) == 0))
            return true;
    return false;
}

// The designators have only these pieces.
static bool check_pieces(Cql3 *c, const Test *test, uint32_t pieces, const char *name)
{
    for (int i = 0; i < test->designator_count; i++) {
        const Designator *d = &test->designator[i];
        if (d->tag >= 0 || cql3_all_pieces(d) & ~pieces || cql3_all_pieces(d) == 0)
            return cql3_error(c, test->span, "`:%s` needs a designator of %s only", cql3_word(test->keyword),
                              name);
    }
    return true;
}

static bool check_test(Cql3 *c, const PositionList *list, const Test *test)
{
    switch (test->keyword) {
    case OP_CQL3_TAGMATCH:
        if (find_tag(c, test->name) < 0)
            return cql3_error(c, test->span, "the tag `%s` is not declared by a `:forany`", test->name);
        return true;
    case OP_CQL3_CUT:
    case OP_CQL3_EXCLUDE:
    case OP_CQL3_SKIP:
        if (c->depth > 1)
            return cql3_error(c, test->span, "`:%s` is allowed only in the lists directly in the match list",
                              cql3_word(test->keyword));
        return true;
    case OP_CQL3_MATCHCONSECUTIVE:
        return test->list_count <= 8 ||
               cql3_error(c, test->span, "`:matchconsecutive` takes at most 8 position lists");
    case OP_CQL3_ACCUMULATE:
    case OP_CQL3_ACCUMULATE_COLOURS:
    case OP_CQL3_REPETITIONCOUNT:
    case OP_CQL3_PRETRANSFORMREPETITIONCOUNT:
    case OP_CQL3_MATCHCOUNT:
    case OP_CQL3_PRETRANSFORMMATCHCOUNT:
        if (is_repeated(list, test))
            return cql3_error(c, test->span, "`:%s` is written twice in one position list",
                              cql3_word(test->keyword));
        return true;
    case OP_CQL3_RELATION_MISSINGPIECECOUNT:
    case OP_CQL3_RELATION_NEWPIECECOUNT:
        if (is_repeated(list, test))
            return cql3_error(c, test->span, "`:%s` is written twice in one `:relation`",
                              cql3_word(test->keyword));
        if (test->designator[0].promoted || test->designator[0].unpromoted)
            return cql3_error(c, test->span, "`:%s` cannot tell promoted pieces: `~` is not allowed",
                              cql3_word(test->keyword));
        return test->designator[0].tag < 0 ||
               cql3_error(c, test->span, "`:%s` needs pieces, not a tag", cql3_word(test->keyword));
    case OP_CQL3_ISCASTLING:
    case OP_CQL3_ISCHECK:
        return !test->negated || (test->number == 0 && !test->range.present) ||
               cql3_error(c, test->span, "`!:%s` takes no parameter", cql3_word(test->keyword));
    case OP_CQL3_ISILLEGAL:
    case OP_CQL3_ISINVALID:
        diag_add(c->diagnostics, DIAG_WARNING, test->span,
                 "position list %d: `:%s` never matches: games are read up to the first illegal move",
                 c->list_number, cql3_word(test->keyword));
        return true;
    case OP_CQL3_PAWNCOUNT:
    case OP_CQL3_PAWNCOUNTDIFFERENCE:
        return check_pieces(c, test, 1u << WHITE_PAWN | 1u << BLACK_PAWN, "pawns");
    case OP_CQL3_GOODBISHOP:
        return check_pieces(c, test, 1u << WHITE_BISHOP | 1u << BLACK_BISHOP, "bishops");
    default:
        return true;
    }
}

static bool read_test(Cql3 *c, PositionList *list, const Item *items, int *i, Test test)
{
    if (!cql3_parameters(c, items, i, &test))
        return false;
    test.span.end = items->item[*i - 1]->span.end;
    if (!check_test(c, list, &test))
        return false;
    ARENA_PUSH(c->arena, list->test, list->test_count, test);
    return true;
}

// "(" { keyword { parameter } } ")"
static bool read_relation(Cql3 *c, const Item *list, int *i, Test *test)
{
    const Item *item = cql3_item_at(list, *i);
    if (c->relation == NULL)
        c->relation = list->item[*i - 1];
    if (item == NULL || item->kind != ITEM_LIST)
        return cql3_error(c, list->item[*i - 1]->span,
                          "`:relation` needs its specification in a list, found %s", cql3_item_text(c, item));
    ++*i;
    test->relation = arena_alloc(c->arena, sizeof *test->relation);
    for (int k = 0; k < item->count;) {
        const Item *word = item->item[k++];
        if (!cql3_is_keyword(word))
            return cql3_error(c, word->span, "expected a keyword of `:relation`, found %s",
                              cql3_item_text(c, word));
        const Test part = {.keyword = cql3_keyword(c, word, IN_CQL3_RELATION), .span = word->span};
        if (part.keyword == KEYWORD_NONE || !read_test(c, test->relation, item, &k, part))
            return false;
        c->variations |= c->options->variations != 0 && (part.keyword == OP_CQL3_RELATION_VARIATIONS ||
                                                         part.keyword == OP_CQL3_RELATION_VARIATIONSONLY);
    }
    return true;
}

const Test *cql3_find(const PositionList *list, Keyword keyword)
{
    const Test *found = NULL;
    for (int i = 0; i < list->test_count; i++)
        if (list->test[i].keyword == keyword)
            found = &list->test[i];
    return found;
}

// A designator, or a keyword with its parameters.
static bool read_entry(Cql3 *c, PositionList *list, const Item *items, int *i)
{
    const Item *item = items->item[*i];
    Test test = {.keyword = OP_CQL3_DESIGNATOR, .span = item->span};
    if (item->kind != ITEM_WORD)
        return cql3_error(c, item->span, "expected a keyword or a piece designator, found %s",
                          cql3_item_text(c, item));
    if (!cql3_is_keyword(item))
        return read_test(c, list, items, i, test);
    test.negated = item->text[0] == '!';
    test.keyword = cql3_keyword(c, item, IN_CQL3_POSITION);
    if (test.keyword == KEYWORD_NONE)
        return false;
    ++*i;
    if (test.keyword == OP_CQL3_NOT && cql3_is_position(cql3_item_at(items, *i)))
        return add_list(c, &test, items->item[(*i)++]) && read_test(c, list, items, i, test);
    const bool is_test = op_info[test.keyword].row == ROW_OLDER;
    if (test.negated && (!is_test || needs_parameter(test.keyword)))
        return cql3_error(c, item->span, "`%s`: only tests without parameters can be negated with `!`",
                          item->text);
    if (is_test)
        return read_test(c, list, items, i, test);
    if (test.keyword == OP_CQL3_FLIPCOLOR && c->either_colour)
        return cql3_error(c, item->span,
                          "`:flipcolor` is not allowed in a match list with `:eithercolor`, which exchanges "
                          "the colours of all lists");
    if (test.keyword >= OP_CQL3_FLIPHORIZONTAL && test.keyword <= OP_CQL3_SHIFTDIAGONAL)
        list->transformations |= 1u << (test.keyword - OP_CQL3_FLIPHORIZONTAL);
    list->negated |= test.keyword == OP_CQL3_NOT;
    list->variations |= test.keyword == OP_CQL3_VARIATIONS || test.keyword == OP_CQL3_VARIATIONSONLY;
    list->variations_only |= test.keyword == OP_CQL3_VARIATIONSONLY;
    return true;
}

// Reports lines of moves, in the list or nested in it, that do not allow its transformations.
static void check_lines(Cql3 *c, const PositionList *list, Cql3Sets transformations)
{
    for (int i = 0; transformations != 0 && i < list->test_count; i++) {
        cql3_line_bars(c, &list->test[i], transformations);
        for (int k = 0; k < list->test[i].list_count; k++)
            check_lines(c, list->test[i].list[k], transformations);
    }
}

// "(" "position" { designator | keyword { parameter } } ")"
PositionList *cql3_position(Cql3 *c, const Item *item)
{
    PositionList *list = arena_alloc(c->arena, sizeof *list);
    const int outer = c->list_number, errors = c->diagnostics->errors;
    list->span = item->span;
    list->number = c->list_number = item->list_number;
    c->depth++;
    for (int i = 1; i < item->count;) {
        const int start = i;
        if (read_entry(c, list, item, &i))
            continue;
        i += i == start;
        while (i < item->count && !cql3_is_keyword(item->item[i])) // continue with the next keyword
            i++;
    }
    check_lines(c, list, list->transformations);
    c->list_number = outer;
    c->depth--;
    return c->diagnostics->errors == errors ? list : NULL;
}
