// `:relation` of CQL 3: two positions of a game that differ as specified (language reference 12.7).
#include "internal.h"

#include <string.h>

// ---- reading ----------------------------------------------------------------------------------------------

static bool read_count(Cql3 *c, const Item *item, const Item *word, int *i, Designator *d, Range *range,
                       bool *seen)
{
    if (*seen)
        return cql3_error(c, word->span, "`%s` is written twice in one `:relation`", word->text);
    *seen = true;
    if (!cql3_designator(c, item, i, d) || !cql3_range(c, item, i, range))
        return false;
    return d->tag < 0 || cql3_error(c, word->span, "`%s` needs pieces, not a tag", word->text);
}

typedef struct Seen {
    bool missing, added;
} Seen;

static bool read_keyword(Cql3 *c, const Item *item, int *i, RelationSpec *spec, Seen *seen)
{
    const Item *word = item->item[*i];
    if (!cql3_is_keyword(word))
        return cql3_error(c, word->span, "expected a keyword of `:relation`, found %s",
                          cql3_item_text(c, word));
    ++*i;
    switch (cql3_keyword(c, word, IN_CQL3_RELATION)) {
    case OP_CQL3_RELATION_SAMESIDETOMOVE:
        spec->side = SIDE_SAME;
        return true;
    case OP_CQL3_RELATION_CHANGESIDETOMOVE:
        spec->side = SIDE_CHANGED;
        return true;
    case OP_CQL3_RELATION_IGNORESIDETOMOVE:
        spec->side = SIDE_ANY;
        return true;
    case OP_CQL3_RELATION_MISSINGPIECECOUNT:
        return read_count(c, item, word, i, &spec->missing, &spec->missing_range, &seen->missing);
    case OP_CQL3_RELATION_NEWPIECECOUNT:
        return read_count(c, item, word, i, &spec->added, &spec->added_range, &seen->added);
    case OP_CQL3_RELATION_PATTERN:
        spec->pattern = true;
        return true;
    case OP_CQL3_RELATION_FLIP:
        spec->flip = true;
        return true;
    case OP_CQL3_RELATION_SHIFT:
        spec->shift = true;
        return true;
    case OP_CQL3_RELATION_ORIGINALDIFFERENTCOUNT:
        return cql3_range(c, item, i, &spec->different);
    case OP_CQL3_RELATION_ORIGINALSAMECOUNT:
        return cql3_range(c, item, i, &spec->same);
    case OP_CQL3_RELATION_VARIATIONSONLY:
        spec->variations_only = true;
        return true;
    case OP_CQL3_RELATION_VARIATIONS:
        spec->variations = true;
        return true;
    default:
        return false;
    }
}

// "(" { keyword { parameter } } ")"
RelationSpec *cql3_relation(Cql3 *c, const Item *list, int *i)
{
    const Item *item = *i < list->count ? list->item[*i] : NULL;
    if (item == NULL || item->kind != ITEM_LIST) {
        cql3_error(c, list->item[*i - 1]->span, "`:relation` needs its specification in a list, found %s",
                   cql3_item_text(c, item));
        return NULL;
    }
    ++*i;
    RelationSpec *spec = arena_alloc(c->arena, sizeof *spec);
    const Designator any_piece = {SYMBOL_WHITE | SYMBOL_BLACK, ~(Bitboard)0, -1};
    spec->missing = spec->added = any_piece;
    spec->missing_range = spec->added_range = build_range(0, 0);
    Seen seen = {0};
    for (int k = 0; k < item->count;)
        if (!read_keyword(c, item, &k, spec, &seen))
            return NULL;
    c->variations |= (spec->variations || spec->variations_only) && c->options->variations != 0;
    return spec;
}
