// The match list of CQL 3 and the entry of its parser (language reference 12.2, 12.3, 12.8).
#include "internal.h"

#include <string.h>

// Scidb combines match lists as CQL 3 combines position lists.
static Keyword match_keyword(Cql3 *c, const Item *item)
{
    static const char of_scidb[] = ":and :or :xor :not :cond ";
    if (item->text[0] == ':' && strstr(of_scidb, arena_printf(c->arena, "%s ", item->text)) != NULL)
        cql3_error(c, item->span,
                   "`%s` over match lists is an extension of Scidb that cqlgen does not support", item->text);
    else
        return cql3_keyword(c, item, IN_CQL3_MATCH);
    return KEYWORD_NONE;
}

// ":forany" tag designator
static bool add_tag(Cql3 *c, const Test *test)
{
    if (test->designator[0].tag >= 0)
        return cql3_error(c, test->span, "`:forany` needs pieces, not a tag");
    if (c->tag_count == CQL3_MAX_TAGS)
        return cql3_error(c, test->span, "more than %d tags: `%s` is one too many", CQL3_MAX_TAGS,
                          test->name);
    for (int k = 0; k < c->tag_count; k++)
        if (strcmp(c->tag[k].name, test->name) == 0)
            return cql3_error(c, test->span, "the tag `%s` is declared twice", test->name);
    c->tag[c->tag_count++] =
        (Cql3Tag){test->name, test->span, test->designator[0],
                  build_hidden_variable(c->query, test->name, VARIABLE_PIECE, test->span)};
    return true;
}

static bool read_keyword(Cql3 *c, const Item *match, int *i)
{
    const Item *item = match->item[(*i)++];
    if (!cql3_is_keyword(item))
        return cql3_error(
            c, item->span, "expected a keyword or a position list, found %s%s", cql3_item_text(c, item),
            item->kind == ITEM_LIST ? "; keywords have a colon and no parentheses: `:pgn FILE`" : "");
    Test test = {.keyword = match_keyword(c, item), .span = item->span};
    if (test.keyword == KEYWORD_NONE || !cql3_parameters(c, match, i, &test))
        return false;
    if (test.keyword == OP_CQL3_FORANY)
        return add_tag(c, &test);
    cql3_game_keyword(c, &test);
    return true;
}

// Reads the parameters first, wherever they are written: position lists name the tags.
static void read_parameters(Cql3 *c, const Item *match)
{
    for (int i = 1; i < match->count;) {
        if (cql3_is_position(match->item[i]))
            i++;
        else if (!read_keyword(c, match, &i))
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

static bool is_match(const Item *item)
{
    return item->kind == ITEM_LIST && item->count > 0 && item->item[0]->kind == ITEM_WORD &&
           strcmp(item->item[0]->text, "match") == 0;
}

// The match list, or NULL: the text is not one match list.
static const Item *only_match(Cql3 *c, const Item *all)
{
    if (all->count == 0 || !is_match(all->item[0])) {
        const Item *first = all->count > 0 ? all->item[0] : NULL;
        cql3_error(c, first != NULL ? first->span : (Span){all->span.end, all->span.end},
                   "a query in CQL 3 is one list `(match …)`, found %s",
                   first != NULL ? cql3_item_text(c, first) : "the end of the query");
        return NULL;
    }
    if (all->count > 1) {
        const Item *next = all->item[1];
        if (is_match(next))
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
    const Item *match = only_match(&c, all);
    if (match == NULL)
        return NULL;
    read_parameters(&c, match);
    read_positions(&c, match);
    if (diagnostics->errors > 0)
        return NULL;
    c.span = match->span;
    query->header.variations = c.variations;
    query->header.matchstring = "MATCH";
    return cql3_build_file(&c) ? query : NULL;
}
