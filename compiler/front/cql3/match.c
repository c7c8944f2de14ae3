// Match lists of CQL-S: their keywords, and lists in lists (language reference 12b.5).
#include "internal.h"

#include <string.h>

bool cql3_is_match(const Item *item)
{
    return item != NULL && item->kind == ITEM_LIST && item->count > 0 && item->item[0]->kind == ITEM_WORD &&
           strcmp(item->item[0]->text, "match") == 0;
}

// ---- reading ----------------------------------------------------------------------------------------------

MatchList *cql3_match_list(Cql3 *c, const Item *item)
{
    MatchList *list = arena_alloc(c->arena, sizeof *list);
    const int errors = c->diagnostics->errors;
    list->span = item->span;
    for (int i = 1; i < item->count;) {
        if (cql3_is_position(item->item[i])) {
            cql3_error(c, item->item[i]->span,
                       "position lists are not allowed in a match list inside another");
            i++;
        } else if (!cql3_match_keyword(c, list, item, &i, true)) {
            while (i < item->count && !cql3_is_keyword(item->item[i]))
                i++;
        }
    }
    return c->diagnostics->errors == errors ? list : NULL;
}

static bool add_list(Cql3 *c, GameTest *g, const Item *item)
{
    if (!cql3_is_match(item))
        return cql3_error(c, item->span, "expected a list `(match …)` in `:%s`, found %s",
                          cql3_word(g->test.keyword), cql3_item_text(c, item));
    MatchList *list = cql3_match_list(c, item);
    if (list != NULL)
        ARENA_PUSH(c->arena, g->list, g->list_count, list);
    return list != NULL;
}

// "(" { match-list } ")" or, of `:cond`, the lists alone
static bool read_lists(Cql3 *c, const Item *items, int *i, GameTest *g)
{
    const Item *item = cql3_item_at(items, *i);
    const char *word = cql3_word(g->test.keyword);
    if (g->test.keyword == OP_CQL3_MATCH_COND && cql3_is_match(item)) {
        while (cql3_is_match(cql3_item_at(items, *i)))
            if (!add_list(c, g, items->item[(*i)++]))
                return false;
        return true;
    }
    if (item == NULL || item->kind != ITEM_LIST || cql3_is_match(item) || cql3_is_position(item))
        return cql3_error(c, cql3_span_at(items, *i),
                          "`:%s` needs a list of match lists, `((match …) …)`, found %s", word,
                          cql3_item_text(c, item));
    ++*i;
    for (int k = 0; k < item->count; k++)
        if (!add_list(c, g, item->item[k]))
            return false;
    return g->list_count > 0 || cql3_error(c, item->span, "`:%s` needs at least one match list", word);
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

static bool read_parameters(Cql3 *c, const Item *items, int *i, GameTest *g)
{
    for (const char *kind = op_info[g->test.keyword].syntax; *kind != '\0'; kind++) {
        const bool good = *kind == '@' || *kind == '!' ? true
                          : *kind == 'm'               ? read_lists(c, items, i, g)
                          : *kind >= 'a'               ? cql3_game_parameter(c, *kind, items, i, g)
                                                       : cql3_parameter(c, *kind, items, i, &g->test);
        if (!good)
            return false;
    }
    return true;
}

// Handles the keywords that are not conditions. *done: this was one.
static bool read_other(Cql3 *c, GameTest *g, bool *done)
{
    *done = true;
    switch (g->test.keyword) {
    case OP_CQL3_PGN:
        c->query->header.input = g->test.name;
        return true;
    case OP_CQL3_OUTPUT:
        c->query->header.output = g->test.name;
        return true;
    case OP_CQL3_FORANY:
        return add_tag(c, &g->test);
    case OP_CQL3_EITHERCOLOR:
        c->either_colour = true;
        return true;
    default:
        c->variations |= g->test.keyword == OP_CQL3_HASVARIATIONS || g->test.keyword == OP_CQL3_HASANNOTATION;
        *done = false;
        return true;
    }
}

static bool check_keyword(Cql3 *c, const Item *item, Keyword keyword, bool nested)
{
    const bool only_outside = keyword == OP_CQL3_PGN || keyword == OP_CQL3_OUTPUT ||
                              keyword == OP_CQL3_FORANY || keyword == OP_CQL3_EITHERCOLOR;
    if (nested && only_outside)
        return cql3_error(c, item->span, "`:%s` is not allowed in a match list inside another",
                          cql3_word(keyword));
    if (item->text[0] == '!' && strchr(op_info[keyword].syntax, '!') == NULL)
        return cql3_error(c, item->span, "`%s`: only keywords that need no parameter can be negated with `!`",
                          item->text);
    return true;
}

bool cql3_match_keyword(Cql3 *c, MatchList *list, const Item *items, int *i, bool nested)
{
    const Item *item = items->item[(*i)++];
    GameTest g = {.test = {.span = item->span}};
    bool done;
    if (!cql3_is_keyword(item))
        return cql3_error(c, item->span, "expected a keyword or a position list, found %s%s",
                          cql3_item_text(c, item),
                          item->kind == ITEM_LIST ? "; keywords have a colon and no parentheses: `:pgn FILE`"
                                                  : cql3_colon_hint(c, item, IN_CQL3_MATCH));
    g.test.keyword = cql3_match_word(c, item, &g.side);
    g.test.negated = item->text[0] == '!';
    if (g.test.keyword == KEYWORD_NONE || !check_keyword(c, item, g.test.keyword, nested))
        return false;
    if (g.test.keyword == OP_CQL3_MATCH_NOT && !cql3_is_match(cql3_item_at(items, *i))) {
        list->negated = true;
        return true;
    }
    if (g.test.keyword == OP_CQL3_MATCH_NOT ? !add_list(c, &g, items->item[(*i)++])
                                            : !read_parameters(c, items, i, &g))
        return false;
    if (g.test.keyword != OP_CQL3_FORANY) // it points to the tag
        g.test.span.end = items->item[*i - 1]->span.end;
    if (!read_other(c, &g, &done))
        return false;
    if (!done)
        ARENA_PUSH(c->arena, list->test, list->test_count, g);
    return true;
}

// ---- trees ------------------------------------------------------------------------------------------------

static Ast *build_test(Cql3 *c, const GameTest *g, bool exchanged)
{
    Ast **list = arena_alloc(c->arena, sizeof *list * (size_t)(g->list_count + 1));
    for (int i = 0; i < g->list_count; i++)
        list[i] = cql3_build_match(c, g->list[i], exchanged);
    c->span = g->test.span;
    switch (g->test.keyword) {
    case OP_CQL3_MATCH_AND:
        return cql3_all(c, list, g->list_count);
    case OP_CQL3_MATCH_OR:
        return cql3_any(c, list, g->list_count);
    case OP_CQL3_MATCH_XOR:
        return cql3_variants(c, list, g->list_count, TYPE_BOOL, build_range(1, 1));
    case OP_CQL3_MATCH_COND:
        return cql3_cond(c, list, g->list_count);
    case OP_CQL3_MATCH_NOT:
        return cql3_tree(c, "not $1", list[0]);
    default:
        return cql3_build_game_test(c, g, exchanged);
    }
}

Ast *cql3_build_match(Cql3 *c, const MatchList *list, bool exchanged)
{
    Ast **all = arena_alloc(c->arena, sizeof *all * (size_t)(list->test_count + 1));
    for (int i = 0; i < list->test_count; i++) {
        all[i] = build_test(c, &list->test[i], exchanged);
        if (list->test[i].test.negated)
            all[i] = cql3_tree(c, "not $1", all[i]);
    }
    c->span = list->span;
    Ast *node = cql3_all(c, all, list->test_count);
    return list->negated ? cql3_tree(c, "not {$1}", node) : node;
}

// ---- shorthands -------------------------------------------------------------------------------------------

// Gives the span to everything in the list.
static void place(MatchList *list, Span span)
{
    list->span = span;
    for (int i = 0; i < list->test_count; i++) {
        list->test[i].test.span = span;
        for (int k = 0; k < list->test[i].list_count; k++)
            place(list->test[i].list[k], span);
    }
}

Ast *cql3_good_game(Cql3 *c, bool exchanged)
{
    static const char text[] =
        "(match :timemode normal,corr :not (match :eventtype simul) :plycount >=16"
        " :not (match :result 1/2 :plycount <40)"
        " :or ((match :title IM,GM,WIM,WGM,CIM,CGM) (match :rating ELO >=2350) (match :rating DWZ >=2350)"
        " (match :rating ACF >=2350) (match :rating ICCF >=2350) (match :rating ECF >=220) (match :rating "
        "USCF >=2375)))";
    const Source source = {"template", text, strlen(text), NULL};
    Diagnostics wrong = {.arena = c->arena, .source = &source}, *outer = c->diagnostics;
    c->diagnostics = &wrong;
    MatchList *list = cql3_match_list(c, cql3_read(c->arena, &source, &wrong)->item[0]);
    c->diagnostics = outer;
    place(list, c->span);
    return cql3_build_match(c, list, exchanged);
}
