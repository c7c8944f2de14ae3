// The words of CQL 3 (language reference 12.1): piece designators, ranges, results.
#include "internal.h"

#include <limits.h>
#include <string.h>

#include "runtime/game/view.h"

bool cql3_error(Cql3 *c, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(c->arena, format, arguments);
    va_end(arguments);
    if (c->list_number > 0)
        diag_add(c->diagnostics, DIAG_ERROR, span, "position list %d: %s", c->list_number, text);
    else
        diag_add(c->diagnostics, DIAG_ERROR, span, "%s", text);
    return false;
}

const char *cql3_item_text(Cql3 *c, const Item *item)
{
    if (item == NULL)
        return "the end of the list";
    if (item->kind == ITEM_LIST)
        return "a list";
    return arena_printf(c->arena, item->kind == ITEM_STRING ? "\"%s\"" : "`%s`", item->text);
}

bool cql3_is_keyword(const Item *item)
{
    return item->kind == ITEM_WORD && (item->text[0] == ':' || strncmp(item->text, "!:", 2) == 0);
}

const Item *cql3_item_at(const Item *list, int i)
{
    return i < list->count ? list->item[i] : NULL;
}

Span cql3_span_at(const Item *list, int i)
{
    return i < list->count ? list->item[i]->span : (Span){list->span.end - 1, list->span.end};
}

// ---- ranges -----------------------------------------------------------------------------------------------

Range cql3_range_of(int32_t low, int32_t high)
{
    return (Range){.present = true, .low.value = low, .high.value = high};
}

// [ "+" | "-" ] digit { digit }
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

static bool is_integer(const Item *item, int32_t *value)
{
    return item != NULL && item->kind == ITEM_WORD && read_integer(item->text, value);
}

// ( ">" | ">=" | "<" | "<=" ) int
static bool read_comparison(const char *text, Range *range)
{
    const char sign = text[0];
    const bool equal = text[1] == '=';
    int32_t value;
    if ((sign != '<' && sign != '>') || !read_integer(text + 1 + equal, &value))
        return false;
    if ((sign == '>' && !equal && value == INT32_MAX) || (sign == '<' && !equal && value == INT32_MIN))
        return false;
    if (sign == '>')
        *range = cql3_range_of(equal ? value : value + 1, INT32_MAX);
    else
        *range = cql3_range_of(INT32_MIN, equal ? value : value - 1);
    return true;
}

bool cql3_range_begins(const Item *list, int i)
{
    const Item *item = cql3_item_at(list, i);
    int32_t value;
    Range range;
    return is_integer(item, &value) ||
           (item != NULL && item->kind == ITEM_WORD && read_comparison(item->text, &range));
}

// `5,7` or `>=2000,<1500`; a range with two numbers may stand before it or behind it.
static bool begins_list_of_ranges(const Item *item)
{
    return item != NULL && item->kind == ITEM_WORD && strchr(item->text, ',') != NULL &&
           strchr("+-<>0123456789", item->text[0]) != NULL;
}

// What Scidb writes in the place of a range (12.1), or NULL.
static const char *extension_of_ranges(const Item *item)
{
    if (item == NULL || item->kind != ITEM_WORD)
        return NULL;
    if (strncmp(item->text, "end", 3) == 0)
        return "counting from the end of the game";
    if (strcmp(item->text, "*") == 0)
        return "`*` for any known value";
    if (strcmp(item->text, "-") == 0)
        return "`-` for no value";
    return begins_list_of_ranges(item) ? "a list of ranges" : NULL;
}

static bool refuse_range(Cql3 *c, const Item *list, int i)
{
    const Item *item = cql3_item_at(list, i);
    const char *extension = extension_of_ranges(item);
    if (extension != NULL)
        return cql3_error(c, item->span, "%s is an extension of Scidb that cqlgen does not support",
                          extension);
    return cql3_error(c, cql3_span_at(list, i), "expected a range, found %s", cql3_item_text(c, item));
}

// range = int | int int | int "unlimited" | ext
bool cql3_range(Cql3 *c, const Item *list, int *i, Range *range)
{
    const Item *first = cql3_item_at(list, *i), *second;
    int32_t low, high;
    if (!is_integer(first, &low)) {
        if (first != NULL && first->kind == ITEM_WORD && read_comparison(first->text, range)) {
            ++*i;
            return true;
        }
        return refuse_range(c, list, *i);
    }
    second = cql3_item_at(list, ++*i);
    high = low;
    if (is_integer(second, &high)) {
        ++*i;
    } else if (second != NULL && second->kind == ITEM_WORD && strcmp(second->text, "unlimited") == 0) {
        ++*i;
        high = INT32_MAX;
    } else if (begins_list_of_ranges(second)) {
        return refuse_range(c, list, *i);
    }
    if (low > high)
        return cql3_error(c, (Span){first->span.start, second->span.end}, "the range `%d %d` is inverted",
                          low, high);
    *range = cql3_range_of(low, high);
    return true;
}

// ---- results ----------------------------------------------------------------------------------------------

static int one_result(const char *text, size_t length)
{
    static const struct {
        const char *text;
        int result;
    } all[] = {{"1-0", RESULT_WHITE},
               {"0-1", RESULT_BLACK},
               {"1/2-1/2", RESULT_DRAW},
               {"1/2", RESULT_DRAW},
               {"*", RESULT_UNKNOWN}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strlen(all[i].text) == length && memcmp(all[i].text, text, length) == 0)
            return all[i].result;
    return -1;
}

// result { "," result }
bool cql3_result(Cql3 *c, const Item *list, int *i, int *results)
{
    const Item *item = cql3_item_at(list, *i);
    *results = 0;
    for (const char *text = item != NULL && item->kind == ITEM_WORD ? item->text : ""; *text != '\0';) {
        const size_t length = strcspn(text, ",");
        const int result = one_result(text, length);
        if (result < 0 || (text[length] == ',' && text[length + 1] == '\0')) {
            *results = 0;
            break;
        }
        *results |= 1 << result;
        text += length + (text[length] == ',');
    }
    if (*results == 0 && item != NULL && item->kind == ITEM_WORD && strcmp(item->text, "0-0") == 0)
        return cql3_error(c, item->span,
                          "the result `0-0` is an extension of Scidb that cqlgen does not support");
    if (*results == 0)
        return cql3_error(c, cql3_span_at(list, *i), "expected a result (`1-0`, `0-1`, `1/2-1/2`), found %s",
                          cql3_item_text(c, item));
    ++*i;
    return true;
}

// ---- designators ------------------------------------------------------------------------------------------

static uint32_t symbols_of(char letter)
{
    static const struct {
        char letter;
        uint32_t pieces;
    } all[] = {{'K', 1u << WHITE_KING},
               {'Q', 1u << WHITE_QUEEN},
               {'R', 1u << WHITE_ROOK},
               {'B', 1u << WHITE_BISHOP},
               {'N', 1u << WHITE_KNIGHT},
               {'P', 1u << WHITE_PAWN},
               {'k', 1u << BLACK_KING},
               {'q', 1u << BLACK_QUEEN},
               {'r', 1u << BLACK_ROOK},
               {'b', 1u << BLACK_BISHOP},
               {'n', 1u << BLACK_KNIGHT},
               {'p', 1u << BLACK_PAWN},
               {'A', SYMBOL_WHITE},
               {'a', SYMBOL_BLACK},
               {'M', 1u << WHITE_QUEEN | 1u << WHITE_ROOK},
               {'m', 1u << BLACK_QUEEN | 1u << BLACK_ROOK},
               {'I', 1u << WHITE_BISHOP | 1u << WHITE_KNIGHT},
               {'i', 1u << BLACK_BISHOP | 1u << BLACK_KNIGHT},
               {'U', SYMBOL_WHITE | SYMBOL_BLACK},
               {'.', SYMBOL_EMPTY},
               {'?', ANY_SQUARE}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].letter == letter)
            return all[i].pieces;
    return 0;
}

// Equal sets of pieces get equal bits: `A` covers the six white ones.
static uint32_t normal_pieces(uint32_t pieces)
{
    const uint32_t white = 0x3Fu << WHITE_PAWN, black = 0x3Fu << BLACK_PAWN;
    if ((pieces & white) == white || pieces & SYMBOL_WHITE)
        pieces = (pieces & ~white) | SYMBOL_WHITE;
    if ((pieces & black) == black || pieces & SYMBOL_BLACK)
        pieces = (pieces & ~black) | SYMBOL_BLACK;
    return pieces;
}

// pieces = letter | "[" { letter } "]"
static const char *read_pieces(const char *p, uint32_t *pieces)
{
    *pieces = 0;
    const bool list = *p == '[';
    for (p += list; *p != '\0' && *p != ']'; p++) {
        const uint32_t symbols = symbols_of(*p);
        if (symbols == 0)
            return NULL;
        *pieces |= symbols;
        if (!list)
            return p + 1;
    }
    return list && *p == ']' ? p + 1 : NULL;
}

// One side of a block: "?" or a letter of `first`…, with `-` and a second one when ranges are allowed.
static const char *read_side(const char *p, char first, bool ranges, int *low, int *high)
{
    *low = 0;
    *high = 7;
    if (*p == '?')
        return p + 1;
    if (*p < first || *p > first + 7)
        return NULL;
    *low = *high = *p++ - first;
    if (!ranges || *p != '-')
        return p;
    if (p[1] < first || p[1] > first + 7 || p[1] - first < *low)
        return NULL;
    *high = p[1] - first;
    return p + 2;
}

// block = ( file [ "-" file ] | "?" ) ( rank [ "-" rank ] | "?" )
static const char *read_block(const char *p, bool ranges, Bitboard *squares)
{
    int low_file, high_file, low_rank, high_rank;
    p = read_side(p, 'a', ranges, &low_file, &high_file);
    if (p != NULL)
        p = read_side(p, '1', ranges, &low_rank, &high_rank);
    if (p == NULL)
        return NULL;
    for (int rank = low_rank; rank <= high_rank; rank++)
        for (int file = low_file; file <= high_file; file++)
            *squares |= (Bitboard)1 << (8 * rank + file);
    return p;
}

// squares = file rank | "[" [ block { "," block } ] "]"
static const char *read_squares(const char *p, Bitboard *squares)
{
    *squares = 0;
    if (*p != '[')
        return read_block(p, false, squares);
    if (p[1] == ']')
        return p + 2;
    do {
        p = read_block(p + 1, true, squares);
    } while (p != NULL && *p == ',');
    return p != NULL && *p == ']' ? p + 1 : NULL;
}

// A range of squares without brackets is the commonest mistake.
static bool lacks_brackets(const char *squares)
{
    const size_t length = strlen(squares);
    Bitboard mask;
    char text[64];
    if (*squares == '[' || length > sizeof text - 3)
        return false;
    text[0] = '[';
    memcpy(text + 1, squares, length);
    memcpy(text + 1 + length, "]", 2);
    const char *end = read_squares(text, &mask);
    return end != NULL && *end == '\0';
}

static bool bad_designator(Cql3 *c, const Item *item)
{
    uint32_t pieces;
    const char *squares = read_pieces(item->text, &pieces);
    if (squares == NULL)
        return cql3_error(c, item->span, "`%s` is no piece designator", item->text);
    if (lacks_brackets(squares))
        return cql3_error(c, item->span, "in `%s` the squares need brackets: `[%s]`", item->text, squares);
    if (strpbrk(squares, "~LD+*") != NULL)
        return cql3_error(
            c, item->span,
            "`%s`: marks of promoted pieces, of light and dark squares and of pieces in hand are an "
            "extension of Scidb that cqlgen does not support",
            item->text);
    return cql3_error(c, item->span, "`%s` is no piece designator: `%s` are no squares", item->text, squares);
}

// "$" tag [ "[" list "]" ]
static bool read_tag(Cql3 *c, const Item *item, Designator *d)
{
    const char *name = item->text + 1;
    const size_t length = strcspn(name, "[");
    const char *end = name + length;
    if (*end == '[')
        end = read_squares(end, &d->squares);
    if (end == NULL || *end != '\0')
        return cql3_error(c, item->span, "expected a list of squares in brackets behind `$%.*s`", (int)length,
                          name);
    for (int i = 0; i < c->tag_count; i++) {
        if (strlen(c->tag[i].name) == length && memcmp(c->tag[i].name, name, length) == 0) {
            d->tag = i;
            d->pieces = ANY_SQUARE;
            return true;
        }
    }
    return cql3_error(c, item->span, "the tag `%.*s` is not declared by a `:forany`", (int)length, name);
}

// designator = pieces [ squares ] | "$" tag [ "[" list "]" ]
bool cql3_designator(Cql3 *c, const Item *list, int *i, Designator *d)
{
    const Item *item = cql3_item_at(list, *i);
    *d = (Designator){.squares = ~(Bitboard)0, .tag = -1};
    if (item == NULL || item->kind != ITEM_WORD || cql3_is_keyword(item))
        return cql3_error(c, cql3_span_at(list, *i), "expected a piece designator, found %s",
                          cql3_item_text(c, item));
    ++*i;
    if (item->text[0] == '$')
        return read_tag(c, item, d);
    const char *end = read_pieces(item->text, &d->pieces);
    if (end != NULL && *end != '\0')
        end = read_squares(end, &d->squares);
    if (end == NULL || *end != '\0')
        return bad_designator(c, item);
    d->pieces = normal_pieces(d->pieces);
    return true;
}
