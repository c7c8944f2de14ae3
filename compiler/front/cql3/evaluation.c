// Evaluations in comments, and exchanges (language reference 12b.16).
#include "internal.h"

#include <limits.h>
#include <string.h>

// Test.number of the keywords.
enum { ABSOLUTE, OF_SIDE_TO_MOVE, MATE };

enum { MOST = 98999 }; // centipawns; mates are from here to 100000

// ---- reading ----------------------------------------------------------------------------------------------

// ( "depth" | "movetime" ) number, which tells an engine how long to think
static bool read_mode(Cql3 *c, const Item *list, int *i)
{
    const char *word = cql3_word_at(c, list, *i);
    if (strcmp(word, "depth") != 0 && strcmp(word, "movetime") != 0)
        return cql3_error(c, cql3_span_at(list, *i), "expected `depth` or `movetime` and a number, found %s",
                          cql3_item_text(c, cql3_item_at(list, *i)));
    if (!c->told_mode)
        diag_add(c->diagnostics, DIAG_WARNING, cql3_span_at(list, *i),
                 "position list %d: evaluations are read from comments, `[%%eval ...]`; `%s` has no effect",
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
    const bool may_be_mate = test->keyword == OP_CQL3_EVALUATION;
    if (!cql3_range_of(c, list, i, RANGE_PAWNS | (may_be_mate ? RANGE_MATE : 0), &test->bounds))
        return false;
    if (test->bounds.special == 'm') {
        test->number = MATE;
        return true;
    }
    test->range = test->bounds.range;
    const char *view = cql3_word_at(c, list, *i);
    test->number = strcmp(view, "sidetomove") == 0 ? OF_SIDE_TO_MOVE : ABSOLUTE;
    if (test->number == ABSOLUTE && strcmp(view, "absolute") != 0)
        return cql3_error(c, cql3_span_at(list, *i), "expected `sidetomove` or `absolute`, found %s",
                          cql3_item_text(c, cql3_item_at(list, *i)));
    ++*i;
    return true;
}

// ---- trees ------------------------------------------------------------------------------------------------

// A range of centipawns. Mates are beyond every finite bound.
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
