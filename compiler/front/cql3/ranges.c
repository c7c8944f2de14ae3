// Ranges and counts of CQL 3 and CQL-S, as parameters and as trees (language reference 12.1, 12b.3).
#include "internal.h"

#include <limits.h>
#include <string.h>

#include "runtime/value/ascii.h"

// ---- bounds -----------------------------------------------------------------------------------------------

// A bound. from_end: counted back from the last value of the game.
typedef struct End {
    int32_t value;
    bool from_end;
} End;

// [ "+" | "-" ] digit { digit }, up to INT32_MAX either way
static bool read_integer(const char *text, int32_t *value)
{
    const bool minus = text[0] == '-';
    text += minus || text[0] == '+';
    int64_t sum = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        sum = 10 * sum + (*text - '0');
        if (sum > INT32_MAX)
            return false;
    }
    *value = (int32_t)(minus ? -sum : sum);
    return true;
}

const char *cql3_numeral(Cql3 *c, int number)
{
    static const char *const tens[] = {"", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx"};
    static const char *const ones[] = {"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"};
    return arena_printf(c->arena, "%s%s", tens[number / 10], ones[number % 10]);
}

static bool read_numeral(Cql3 *c, const char *text, int32_t *value)
{
    *value = 1;
    while (*value <= CQL3_LAST_NUMERAL && !ascii_same(text, cql3_numeral(c, *value)))
        ++*value;
    return *value <= CQL3_LAST_NUMERAL;
}

// [ "+" | "-" ] { digit } [ "." digit [ digit ] ], as hundredths
static bool read_pawns(Cql3 *c, const char *text, int32_t *value)
{
    const size_t whole = strcspn(text, ".");
    const char *decimals = text[whole] == '.' ? text + whole + 1 : "00";
    return is_digit(text[strlen(text) > 0 ? strlen(text) - 1 : 0]) && strlen(decimals) <= 2 &&
           read_integer(arena_printf(c->arena, "%.*s%s%s", (int)whole, text, decimals,
                                     strlen(decimals) == 1 ? "0" : ""),
                        value);
}

// digits "%", up to 100
static bool read_percent(Cql3 *c, const char *text, int32_t *value)
{
    const size_t length = strlen(text);
    return length >= 2 && text[length - 1] == '%' && text[0] != '+' && text[0] != '-' &&
           read_integer(arena_copy(c->arena, text, length - 1), value);
}

// bound = int | "end" [ "-" digits ]
static bool read_bound(Cql3 *c, const char *text, unsigned forms, End *bound)
{
    *bound = (End){0};
    if (forms & RANGE_END && strncmp(text, "end", 3) == 0) {
        bound->from_end = true;
        return text[3] == '\0' ||
               (text[3] == '-' && text[4] >= '0' && text[4] <= '9' && read_integer(text + 4, &bound->value));
    }
    if (forms & RANGE_PAWNS)
        return read_pawns(c, text, &bound->value);
    return read_integer(text, &bound->value) || (forms & RANGE_ROMAN && read_numeral(c, text, &bound->value));
}

// ---- words ------------------------------------------------------------------------------------------------

static void set_low(Cql3Range *range, End bound)
{
    range->range.low.value = bound.value;
    range->low_from_end = bound.from_end;
}

static void set_high(Cql3Range *range, End bound)
{
    range->range.high.value = bound.value;
    range->high_from_end = bound.from_end;
}

// ( ">" | ">=" | "<" | "<=" ) ( bound | pct )
static bool read_comparison(Cql3 *c, const char *text, unsigned forms, Cql3Range *range)
{
    const char sign = text[0];
    if (sign != '<' && sign != '>')
        return false;
    const bool equal = text[1] == '=';
    const char *number = text + 1 + equal;
    End bound = {0};
    *range = (Cql3Range){.range = build_range(INT32_MIN, INT32_MAX)};
    range->percent = forms & RANGE_PERCENT && read_percent(c, number, &bound.value);
    if (!range->percent && !read_bound(c, number, forms, &bound))
        return false;
    range->strict = range->percent && !equal;
    if (sign == '>' && !equal && bound.value == INT32_MAX)
        return false;
    if (!equal && !range->percent) // values after `end-3` are less than 3 before the end
        bound.value += (sign == '>') == bound.from_end ? -1 : 1;
    if (sign == '>')
        set_low(range, bound);
    else
        set_high(range, bound);
    return true;
}

bool cql3_range_begins(Cql3 *c, const Item *list, int i)
{
    const char *text = cql3_word_at(c, list, i);
    text += strspn(text, "<>=+-");
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

// `5,7` or `>=2000,<1500`
static bool is_list_of_ranges(const char *text)
{
    return *text != '\0' && strchr(text, ',') != NULL && strchr("+-<>0123456789", *text) != NULL;
}

static bool refuse_range(Cql3 *c, const Item *list, int i, unsigned forms)
{
    const Item *item = cql3_item_at(list, i);
    const Span span = cql3_span_at(list, i);
    const char *text = cql3_word_at(c, list, i), *number = text + strspn(text, "<>=");
    const char *expected =
        forms & RANGE_PERCENT ? "a range or a percentage"
        : forms & RANGE_MATE  ? "`mate` or a range in pawns with up to two decimals, such as `>=1.25`"
        : forms & RANGE_PAWNS ? "a range in pawns with up to two decimals, such as `>=1.25`"
                              : "a range";
    int32_t value;
    if (strcmp(text, "*") == 0 || strcmp(text, "-") == 0)
        return cql3_error(
            c, span,
            "expected %s, found `%s`: `*` (known) and `-` (unknown) are only for game data that may be "
            "missing",
            expected, text);
    if (strncmp(number, "end", 3) == 0 && !(forms & RANGE_END))
        return cql3_error(
            c, span, "expected %s, found `%s`: only `:movenumber` and `:halfmovenumber` count from the end",
            expected, item->text);
    if (read_percent(c, number, &value) && !(forms & RANGE_PERCENT))
        return cql3_error(c, span, "expected a range of numbers, found the percentage `%s`", item->text);
    if (is_list_of_ranges(text))
        return cql3_error(c, span, "expected one range, found a list: `%s`", item->text);
    return cql3_error(c, span, "expected %s, found %s", expected, cql3_item_text(c, item));
}

// ---- ranges -----------------------------------------------------------------------------------------------

static bool check_order(Cql3 *c, const Item *list, int first, int last, const Cql3Range *range)
{
    const Span span = {list->item[first]->span.start, list->item[last]->span.end};
    const int32_t low = range->range.low.value, high = range->range.high.value;
    const bool same_end = range->low_from_end && range->high_from_end;
    if (range->percent && (low > 100 || (high != INT32_MAX && high > 100)))
        return cql3_error(c, span, "a percentage is at most 100");
    if (same_end ? low >= high : range->low_from_end || range->high_from_end || low <= high)
        return true;
    return cql3_error(c, span, "the range `%s %s` is reversed; write the smaller number first",
                      list->item[first]->text, list->item[last]->text);
}

// range = bound | bound bound | bound "unlimited" | ( ">" | ">=" | "<" | "<=" ) bound | "*" | "-" | "mate" | percent
bool cql3_range_of(Cql3 *c, const Item *list, int *i, unsigned forms, Cql3Range *range)
{
    const int first = *i;
    const char *text = cql3_word_at(c, list, first);
    End low = {0}, high;
    if ((forms & RANGE_KNOWN && (strcmp(text, "*") == 0 || strcmp(text, "-") == 0)) ||
        (forms & RANGE_MATE && strcmp(text, "mate") == 0)) {
        *range = (Cql3Range){.range = build_range(0, 0), .special = *text};
        ++*i;
        return true;
    }
    if (read_comparison(c, text, forms, range)) {
        ++*i;
        return check_order(c, list, first, first, range);
    }
    *range = (Cql3Range){.range = build_range(0, 0)};
    range->percent = forms & RANGE_PERCENT && read_percent(c, text, &low.value);
    if (!range->percent && !read_bound(c, text, forms, &low))
        return refuse_range(c, list, first, forms);
    high = low;
    text = cql3_word_at(c, list, ++*i);
    set_low(range, low);
    if (range->percent ? read_percent(c, text, &high.value) : read_bound(c, text, forms, &high))
        ++*i;
    else if (!range->percent && strcmp(text, "unlimited") == 0 && ++*i)
        high = (End){INT32_MAX, false};
    else if (is_list_of_ranges(text))
        return refuse_range(c, list, *i, forms);
    else
        high = low;
    set_high(range, high);
    return check_order(c, list, first, *i - 1, range);
}

bool cql3_range(Cql3 *c, const Item *list, int *i, Range *range)
{
    Cql3Range read;
    const bool good = cql3_range_of(c, list, i, 0, &read);
    *range = read.range;
    return good;
}

bool cql3_two_ranges(Cql3 *c, const Item *list, int *i, unsigned forms, Cql3Range range[2])
{
    if (!cql3_range_of(c, list, i, forms, &range[0]))
        return false;
    if (strcmp(cql3_word_at(c, list, *i), ":") != 0)
        return cql3_error(c, cql3_span_at(list, *i),
                          "expected `:` with a blank before and after it between the two ranges, found %s",
                          cql3_item_text(c, cql3_item_at(list, *i)));
    ++*i;
    return cql3_range_of(c, list, i, forms, &range[1]);
}

// ---- trees ------------------------------------------------------------------------------------------------

static Ast *constant(Cql3 *c, int32_t value)
{
    Ast *node = cql3_node(c, OP_NUMBER, TYPE_INT);
    node->number = value;
    return node;
}

Ast *cql3_in_range(Cql3 *c, Ast *number, Ast *last, const Cql3Range *range)
{
    if (range->special == '*')
        return cql3_tree(c, "$1 >= 1", number);
    if (range->special == '-')
        return cql3_tree(c, "not $1 >= 1", number);
    if (!range->low_from_end && !range->high_from_end)
        return build_in_range(c->arena, number, range->range);
    Ast *value = cql3_variable(c, "value", VARIABLE_INT);
    Ast *from_end = cql3_variable(c, "from_end", VARIABLE_INT);
    Ast *part[4] = {cql3_tree(c, "$1 = $2", value, number),
                    cql3_tree(c, "$1 = $2 - $3", from_end, last, value)};
    int count = 2;
    if (range->low_from_end)
        part[count++] = cql3_tree(c, "$1 <= $2", from_end, constant(c, range->range.low.value));
    else if (range->range.low.value != INT32_MIN)
        part[count++] = cql3_tree(c, "$1 >= $2", value, constant(c, range->range.low.value));
    if (range->high_from_end)
        part[count++] = cql3_tree(c, "$1 >= $2", from_end, constant(c, range->range.high.value));
    else if (range->range.high.value != INT32_MIN && range->range.high.value != INT32_MAX)
        part[count++] = cql3_tree(c, "$1 <= $2", value, constant(c, range->range.high.value));
    return cql3_all(c, part, count);
}

// `part` of `total` is in a range of percentages, without rounding. Never for a total of 0.
static Ast *in_percent(Cql3 *c, Ast *part, Ast *total, const Cql3Range *percent)
{
    Ast *value = cql3_variable(c, "share", VARIABLE_INT), *whole = cql3_variable(c, "total", VARIABLE_INT);
    Ast *all[5] = {cql3_tree(c, "$1 = $2", whole, total), cql3_tree(c, "$1 >= 1", whole),
                   cql3_tree(c, "$1 = 100 * $2", value, part)};
    const int32_t low = percent->range.low.value, high = percent->range.high.value;
    int count = 3;
    if (low != INT32_MIN)
        all[count++] =
            cql3_tree(c, percent->strict ? "$1 > $3 * $2" : "$1 >= $3 * $2", value, whole, constant(c, low));
    if (high != INT32_MAX)
        all[count++] =
            cql3_tree(c, percent->strict ? "$1 < $3 * $2" : "$1 <= $3 * $2", value, whole, constant(c, high));
    return cql3_all(c, all, count);
}

Ast *cql3_in_count(Cql3 *c, Ast *number, Ast *total, const Cql3Range *range)
{
    return range->percent ? in_percent(c, number, total, range) : cql3_in_range(c, number, NULL, range);
}
