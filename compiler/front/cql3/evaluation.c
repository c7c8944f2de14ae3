// Evaluations in comments, and exchanges (language reference 12b.16).
#include "internal.h"

#include <limits.h>
#include <string.h>

// Test.number of the keywords.
enum { ABSOLUTE, OF_SIDE_TO_MOVE, MATE };

enum { MOST = 98999 }; // a mate is farther from 0, up to 100000 centipawns

// ---- reading ----------------------------------------------------------------------------------------------

// Pawns with up to two decimals, as centipawns.
static bool read_pawns(const char *text, int32_t *value)
{
    const bool minus = text[0] == '-';
    int32_t sum = 0, decimals = -1; // -1: no point yet
    text += minus || text[0] == '+';
    const char *start = text;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && decimals < 0); text++) {
        decimals += decimals >= 0 || *text == '.';
        if (*text != '.' && decimals <= 2)
            sum = 10 * sum + (*text - '0');
        if (sum > 10000000)
            return false;
    }
    for (int missing = decimals < 0 ? 2 : 2 - decimals; missing > 0; missing--)
        sum *= 10;
    *value = minus ? -sum : sum;
    return *text == '\0' && text > start && text[-1] != '.';
}

static bool read_sign(const char *text, Range *range)
{
    const char sign = text[0];
    const bool equal = text[1] == '=';
    int32_t value;
    if ((sign != '<' && sign != '>') || !read_pawns(text + 1 + equal, &value))
        return false;
    value += equal ? 0 : sign == '>' ? 1 : -1;
    *range = sign == '>' ? build_range(value, INT_MAX) : build_range(INT_MIN, value);
    return true;
}

// bound | bound bound | bound "unlimited" | ( ">" | ">=" | "<" | "<=" ) bound
static bool read_range(Cql3 *c, const Item *list, int *i, Range *range)
{
    const int first = *i;
    int32_t low, high;
    if (read_sign(cql3_word_at(c, list, first), range)) {
        ++*i;
        return true;
    }
    if (!read_pawns(cql3_word_at(c, list, first), &low))
        return cql3_error(c, cql3_span_at(list, first),
                          "expected `mate` or a range in pawns, like `>=1.5`, found %s",
                          cql3_item_text(c, cql3_item_at(list, first)));
    const char *second = cql3_word_at(c, list, ++*i);
    high = low;
    if (strcmp(second, "unlimited") == 0)
        high = INT_MAX;
    if (high == INT_MAX || read_pawns(second, &high))
        ++*i;
    *range = build_range(low, high);
    return low <= high || cql3_error(c, (Span){list->item[first]->span.start, list->item[*i - 1]->span.end},
                                     "the range is reversed; write the smaller number first");
}

// What an engine would be told.
static bool read_mode(Cql3 *c, const Item *list, int *i)
{
    const char *word = cql3_word_at(c, list, *i);
    if (strcmp(word, "depth") != 0 && strcmp(word, "movetime") != 0)
        return cql3_error(c, cql3_span_at(list, *i), "expected `depth` or `movetime` and a number, found %s",
                          cql3_item_text(c, cql3_item_at(list, *i)));
    if (!c->told_mode)
        diag_add(
            c->diagnostics, DIAG_WARNING, cql3_span_at(list, *i),
            "position list %d: evaluations are those of the comments, `[%%eval ...]`; `%s` has no effect",
            c->list_number, word);
    c->told_mode = true;
    ++*i;
    const char *digits = cql3_word_at(c, list, *i);
    if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0')
        return cql3_error(c, cql3_span_at(list, *i), "expected a number after `%s`, found %s", word,
                          cql3_item_text(c, cql3_item_at(list, *i)));
    ++*i;
    return true;
}

// mode ( "mate" | range ( "sidetomove" | "absolute" ) )
bool cql3_evaluation(Cql3 *c, const Item *list, int *i, Test *test)
{
    if (!read_mode(c, list, i))
        return false;
    if (test->keyword == OP_CQL3_EVALUATION && strcmp(cql3_word_at(c, list, *i), "mate") == 0) {
        test->number = MATE;
        ++*i;
        return true;
    }
    if (!read_range(c, list, i, &test->range))
        return false;
    const char *view = cql3_word_at(c, list, *i);
    test->number = strcmp(view, "sidetomove") == 0 ? OF_SIDE_TO_MOVE : ABSOLUTE;
    if (test->number == ABSOLUTE && strcmp(view, "absolute") != 0)
        return cql3_error(c, cql3_span_at(list, *i), "expected `sidetomove` or `absolute`, found %s",
                          cql3_item_text(c, cql3_item_at(list, *i)));
    ++*i;
    return true;
}

// ---- trees ------------------------------------------------------------------------------------------------

// In centipawns. A finite bound leaves out mates.
static Ast *in_range(Cql3 *c, Ast *value, Range range)
{
    if (range.high.value != INT_MAX && range.high.value > MOST)
        range.high.value = MOST;
    if (range.low.value != INT_MIN && range.low.value < -MOST)
        range.low.value = -MOST;
    return build_in_range(c->arena, value, range);
}

static Ast *view(Cql3 *c, const Test *test, const Cql3Map *map, const char *value)
{
    const char *text = test->number == OF_SIDE_TO_MOVE
                           ? arena_printf(c->arena, "if wtm then %s else 0 - (%s)", value, value)
                       : map->colours ? arena_printf(c->arena, "0 - (%s)", value)
                                      : value;
    return cql3_tree(c, text);
}

Ast *cql3_build_evaluation(Cql3 *c, const Test *test, const Cql3Map *map)
{
    if (test->keyword == OP_CQL3_MOVEEVALUATION) {
        Ast *change = in_range(c, view(c, test, map, "eval - parent:eval"), test->range);
        return cql3_tree(c, "move previous from $1 to $2 not move previous null not parent:initial $3",
                         cql3_designator_set(c, &test->designator[0], map),
                         cql3_designator_set(c, &test->designator[1], map), change);
    }
    if (test->number == MATE)
        return cql3_tree(c, arena_printf(c->arena, "not initial abs eval > %d", MOST));
    return cql3_tree(c, "not initial $1", in_range(c, view(c, test, map, "eval"), test->range));
}

Ast *cql3_max_swap(Cql3 *c, const Test *test, const Cql3Map *map)
{
    Ast *from = cql3_designator_set(c, &test->designator[0], map);
    Ast *to = cql3_designator_set(c, &test->designator[1], map);
    return build_in_range(c->arena, build_pair(c->arena, OP_BEST_EXCHANGE, TYPE_INT, from, to), test->range);
}
