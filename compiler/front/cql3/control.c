// Keywords of CQL-S that end or restrict the search of a game: `:cut`, `:exclude`, `:skip` (language reference 12b.14).
#include "internal.h"

#include <limits.h>

bool cql3_is_control(const Test *test)
{
    return test->keyword == OP_CQL3_CUT || test->keyword == OP_CQL3_EXCLUDE || test->keyword == OP_CQL3_SKIP;
}

static bool stands_alone(const PositionList *list, Keyword keyword)
{
    for (int i = 0; i < list->test_count; i++)
        if (list->test[i].keyword == keyword && list->test[i].list_count == 0)
            return true;
    return false;
}

bool cql3_must_match(const PositionList *list)
{
    return !stands_alone(list, OP_CQL3_EXCLUDE) && !stands_alone(list, OP_CQL3_SKIP);
}

// A list, tried in the positions that `visitor` visits.
static Ast *tried_list(Cql3 *c, PositionList *list, const PositionList *visitor, const Cql3Map *outer)
{
    list->variations = visitor->variations;
    list->variations_only = visitor->variations_only;
    c->top = list;
    c->every_line = list->variations;
    c->span = list->span;
    Ast *part[2] = {cql3_visited(c)};
    const int count = part[0] != NULL;
    part[count] = cql3_build_list(c, list, outer);
    return cql3_all(c, part, count + 1);
}

// True if one of the conditions that follow the keyword is, in `only` (NULL: all lists) but not in `except`. NULL: no list has the
// keyword.
static Ast *stated(Cql3 *c, Keyword keyword, const PositionList *only, const PositionList *except,
                   const Cql3Map *outer)
{
    Ast **any = NULL;
    int count = 0;
    for (int i = 0; i < c->list_count; i++) {
        PositionList *list = c->list[i];
        for (int k = 0; k < list->test_count; k++) {
            const Test *test = &list->test[k];
            const bool alone = test->list_count == 0;
            if (test->keyword != keyword || list == except || (only != NULL && list != only) ||
                (keyword == OP_CQL3_SKIP && alone == (only != NULL)))
                continue;
            Ast *part[2] = {tried_list(c, alone ? list : test->list[0], list, outer), NULL};
            if (keyword != OP_CQL3_SKIP)
                part[1] = cql3_not_skipped(c, list, outer);
            Ast *both = cql3_all(c, part, 1 + (part[1] != NULL));
            ARENA_PUSH(c->arena, any, count, both);
        }
    }
    return count > 0 ? cql3_any(c, any, count) : NULL;
}

Ast *cql3_not_skipped(Cql3 *c, PositionList *list, const Cql3Map *outer)
{
    Ast *by_itself = stated(c, OP_CQL3_SKIP, list, NULL, outer);
    Ast *by_others = stated(c, OP_CQL3_SKIP, NULL, list, outer);
    Ast *any[2];
    int count = 0;
    if (by_itself != NULL)
        any[count++] = by_itself;
    if (by_others != NULL)
        any[count++] = by_others;
    return count > 0 ? cql3_tree(c, "not {$1}", cql3_any(c, any, count)) : NULL;
}

Cql3Control cql3_control(Cql3 *c, const Cql3Map *outer)
{
    Cql3Control control = {NULL, NULL, NULL};
    Ast *cut = stated(c, OP_CQL3_CUT, NULL, NULL, outer),
        *exclude = stated(c, OP_CQL3_EXCLUDE, NULL, NULL, outer);
    if (cut != NULL) {
        Ast *last = cql3_variable(c, "last_searched", VARIABLE_INT);
        control.begin = cql3_tree(c, "$1 = 2147483647 if {find quiet $2} $1 = {find quiet $3}:positionid",
                                  last, cut, ast_copy(c->arena, cut));
        control.within = cql3_tree(c, "positionid <= $1", last);
    }
    if (exclude != NULL)
        control.excluded = cql3_tree(
            c, "find quiet $1",
            control.within == NULL ? exclude
                                   : cql3_tree(c, "$1 $2", ast_copy(c->arena, control.within), exclude));
    return control;
}
