// The match list of CQL 3 and the entry of its parser (language reference 12.2, 12.3, 12.8).
#include "internal.h"

#include <string.h>

// Reads the parameters first, wherever they are written: position lists name the tags.
static void read_parameters(Cql3 *c, const Item *match)
{
    for (int i = 1; i < match->count;) {
        if (cql3_is_position(match->item[i]))
            i++;
        else if (!cql3_match_keyword(c, c->match, match, &i, false))
            while (i < match->count && !cql3_is_keyword(match->item[i]) && !cql3_is_position(match->item[i]))
                i++;
    }
}

static void read_positions(Cql3 *c, const Item *match)
{
    for (int i = 1; i < match->count; i++) {
        if (!cql3_is_position(match->item[i]))
            continue;
        PositionList *list = cql3_position(c, match->item[i]);
        if (list == NULL)
            continue;
        if (c->options->variations >= 0)
            list->variations = c->options->variations > 0;
        c->variations |= list->variations;
        ARENA_PUSH(c->arena, c->list, c->list_count, list);
    }
    if (c->relation != NULL && c->tag_count > 0)
        cql3_error(c, c->relation->span, "`:relation` is not allowed in a match list with tags");
}

// The match list, or NULL: the text is not one match list.
static const Item *only_match(Cql3 *c, const Item *all)
{
    if (all->count == 0 || !cql3_is_match(all->item[0])) {
        const Item *first = all->count > 0 ? all->item[0] : NULL;
        cql3_error(c, first != NULL ? first->span : (Span){all->span.end, all->span.end},
                   "a query in CQL 3 is one list `(match …)`, found %s",
                   first != NULL ? cql3_item_text(c, first) : "the end of the query");
        return NULL;
    }
    if (all->count > 1) {
        const Item *next = all->item[1];
        if (cql3_is_match(next))
            cql3_error(c, next->span, "a query has only one match list");
        else
            cql3_error(c, next->span, "nothing may follow the match list, found %s", cql3_item_text(c, next));
        return NULL;
    }
    return all->item[0];
}

// "(" "match" { keyword { parameter } | position-list } ")"
Query *parse_cql3(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics)
{
    const Item *all = cql3_read(arena, source, diagnostics);
    if (all == NULL)
        return NULL;
    Query *query = arena_alloc(arena, sizeof *query);
    query->source = *source;
    query->arena = arena;
    query->cql3 = true;
    Cql3 c = {.arena = arena, .diagnostics = diagnostics, .query = query, .options = options};
    cql3_header(&c, source);
    const Item *match = only_match(&c, all);
    if (match == NULL)
        return NULL;
    c.match = arena_alloc(arena, sizeof *c.match);
    c.match->span = match->span;
    read_parameters(&c, match);
    read_positions(&c, match);
    if (diagnostics->errors > 0)
        return NULL;
    c.span = match->span;
    query->header.variations = c.variations;
    query->header.matchstring = "MATCH";
    return cql3_build_file(&c) ? query : NULL;
}
