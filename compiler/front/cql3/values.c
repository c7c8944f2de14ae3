// The values in parameters of CQL 3 (language reference 12.1): piece designators, ranges, results.
#include "internal.h"

#include <limits.h>
#include <string.h>

#include "compiler/front/shared/designator.h"
#include "runtime/game/view.h"

// ---- results ----------------------------------------------------------------------------------------------

static int one_result(const char *text)
{
    static const struct {
        const char *text;
        int result;
    } all[] = {{"1-0", RESULT_WHITE}, {"0-1", RESULT_BLACK},     {"1/2-1/2", RESULT_DRAW},
               {"1/2", RESULT_DRAW},  {"0-0", CQL3_RESULT_LOST}, {"*", RESULT_UNKNOWN}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].text, text) == 0)
            return all[i].result;
    return -1;
}

// result { "," result }
bool cql3_result(Cql3 *c, const Item *list, int *i, int *results)
{
    int count;
    const char **word = cql3_words_at(c, list, *i, &count);
    *results = 0;
    for (int k = 0; k < count; k++) {
        const int result = one_result(word[k]);
        if (result < 0)
            count = 0; // refused below
        else
            *results |= 1 << result;
    }
    if (count == 0)
        return cql3_error(c, cql3_span_at(list, *i), "expected a result (`1-0`, `0-1`, `1/2-1/2`), found %s",
                          cql3_item_text(c, cql3_item_at(list, *i)));
    ++*i;
    return true;
}

// ---- designators ------------------------------------------------------------------------------------------

static bool ends_word(const char *after)
{
    return *after == '\0';
}

static const DesignatorRules rules = {
    .more_letters = "UMmIi.?", .empty_lists = true, .any_side = true, .scidb = true, .may_end = ends_word};

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

// The most common mistake is a range of squares without brackets.
static bool lacks_brackets(Cql3 *c, const char *squares)
{
    Bitboard mask;
    const char *end = designator_squares(&rules, arena_printf(c->arena, "[%s]", squares), &mask);
    return *squares != '[' && end != NULL && *end == '\0';
}

static bool bad_designator(Cql3 *c, const Item *item)
{
    uint32_t pieces;
    const char *squares = designator_pieces(&rules, item->text, &pieces);
    const DesignatorScan scan = designator_scan(&rules, item->text);
    if (scan.mistake != NULL)
        return cql3_error(c, item->span, "`%s` is not a piece designator: %s", item->text, scan.mistake);
    const char *hint = cql3_colon_hint(c, item, IN_CQL3_POSITION);
    if (squares == NULL || *hint != '\0')
        return cql3_error(c, item->span, "`%s` is not a piece designator%s", item->text, hint);
    if (lacks_brackets(c, squares))
        return cql3_error(c, item->span, "in `%s` the squares need brackets: `[%s]`", item->text, squares);
    return cql3_error(c, item->span, "`%s` is not a piece designator: `%s` does not name squares", item->text,
                      squares);
}

// "$" tag [ "[" list "]" ]
static bool read_tag(Cql3 *c, const Item *item, Designator *d)
{
    const char *name = item->text + 1;
    const size_t length = strcspn(name, "[");
    const char *end = name + length;
    if (*end == '[') {
        d->squares = 0;
        end = designator_squares(&rules, end, &d->squares);
    }
    if (length == 0)
        return cql3_error(c, item->span, "expected the name of a tag after `$`");
    if (end == NULL || *end != '\0')
        return cql3_error(c, item->span, "expected a list of squares in brackets after `$%.*s`", (int)length,
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

// squares, of any contents
bool cql3_squares(Cql3 *c, const Item *list, int *i, Test *test)
{
    const Item *item = cql3_item_at(list, *i);
    Designator d = {.pieces = ANY_SQUARE, .tag = -1};
    const char *end =
        item != NULL && item->kind == ITEM_WORD ? designator_squares(&rules, item->text, &d.squares) : NULL;
    if (end == NULL || *end != '\0')
        return cql3_error(c, cql3_span_at(list, *i), "expected squares such as `e4` or `[a1-8]`, found %s",
                          cql3_item_text(c, item));
    ++*i;
    ARENA_PUSH(c->arena, test->designator, test->designator_count, d);
    return true;
}

bool cql3_piece_or_squares(const char *text, Designator *d, bool *has_pieces)
{
    const DesignatorScan scan = designator_scan(&rules, text);
    *has_pieces = scan.length > 0 && scan.mistake == NULL;
    *d = (Designator){.pieces = ANY_SQUARE, .tag = -1};
    if (*has_pieces) {
        d->pieces = normal_pieces(scan.pieces);
        d->promoted = normal_pieces(scan.promoted);
        d->unpromoted = normal_pieces(scan.unpromoted);
        d->squares = scan.mask;
        return true;
    }
    const char *end = designator_squares(&rules, text, &d->squares);
    return end != NULL && *end == '\0';
}

bool cql3_is_designator(const Item *item)
{
    if (item == NULL || item->kind != ITEM_WORD || cql3_is_keyword(item))
        return false;
    const DesignatorScan scan = designator_scan(&rules, item->text);
    return item->text[0] == '$' || (scan.length > 0 && scan.mistake == NULL);
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
    const DesignatorScan scan = designator_scan(&rules, item->text);
    if (scan.length == 0 || scan.mistake != NULL)
        return bad_designator(c, item);
    d->pieces = normal_pieces(scan.pieces);
    d->promoted = normal_pieces(scan.promoted);
    d->unpromoted = normal_pieces(scan.unpromoted);
    d->squares = scan.mask;
    return true;
}
