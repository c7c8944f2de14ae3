// The entry of the lowering: what the query needs and asks for (QueryInfo), the slots of persistent
// variables, the body.
#include "lower_moves.h"

#include <limits.h>

// ---- what the query needs ---------------------------------------------------------------------------------

static bool is_op(const Ast *node, void *user)
{
    return node->op == *(const Op *)user;
}

static bool uses(const Lower *l, Op op)
{
    return ast_contains(l->query->body, is_op, &op);
}

static bool makes_position(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_SPECULATIVE || node->op == OP_IMAGINE ||
           (node->op == OP_MOVE && node->flags & AST_BACKWARD);
}

static bool keeps_position(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_SAVEPOSITION || node->op == OP_ENTRY_ASSIGN;
}

static bool needs_pieces(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_PIECEID || (node->variable != NULL && node->variable->kind == VARIABLE_PIECE);
}

static bool needs_tags(const Ast *node, void *user)
{
    (void)user;
    switch (node->op) {
    case OP_GAMENUMBER:
    case OP_LASTGAMENUMBER:
    case OP_RESULT:
    case OP_SETTAG:
        return false;
    default:
        return op_info[node->op].family == FAMILY_TAGS;
    }
}

static bool changes_output(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_SETTAG || node->op == OP_REMOVETAG || node->op == OP_REMOVECOMMENT ||
           node->op == OP_SORT || node->op == OP_CONSECUTIVEMOVES || node->op == OP_SIMILARPOSITION ||
           (node->op == OP_HHDB && node->range.present);
}

// Persistent variables and non-local dictionaries keep their values from game to game, as files and programs do.
static bool is_sequential(const Lower *l)
{
    for (int i = 0; i < l->query->variable_count; i++) {
        const Variable *v = l->query->variable[i];
        if (v->persistent || (v->kind == VARIABLE_DICTIONARY && !v->local))
            return true;
    }
    return uses(l, OP_READFILE) || uses(l, OP_WRITEFILE) || uses(l, OP_COMMANDPIPE);
}

static uint32_t query_flags(const Lower *l)
{
    const Header *h = &l->query->header;
    const Ast *body = l->query->body;
    const CommentLevel level = facts_level(h);
    uint32_t flags = level == LEVEL_SILENT ? QUERY_SILENT : level == LEVEL_QUIET ? QUERY_QUIET : 0;
    flags |= l->variations ? QUERY_VARIATIONS : 0;
    flags |= h->sort_matchcount ? QUERY_SORT_MATCHCOUNT | QUERY_COMMENTS : 0;
    flags |= h->matchcount.present ? QUERY_HAS_MATCHCOUNT : 0;
    flags |= h->gamenumber.present && !h->gamenumber.all ? QUERY_HAS_GAMENUMBER : 0;
    flags |= uses(l, OP_ORIGINALCOMMENT) || uses(l, OP_HHDB) || uses(l, OP_CQL_HHDBHASCOOK)
                 ? QUERY_NEEDS_NOTES
                 : 0;
    flags |= uses(l, OP_CLOCK) || uses(l, OP_ELAPSED) || uses(l, OP_EVAL) ? QUERY_NEEDS_CLOCKS : 0;
    flags |= uses(l, OP_TABLEBASE) || uses(l, OP_WDL) || uses(l, OP_DTZ) ? QUERY_TABLEBASES : 0;
    flags |= ast_contains(body, needs_tags, NULL) ? QUERY_NEEDS_TAGS : 0;
    flags |= ast_contains(body, needs_pieces, NULL) ? QUERY_NEEDS_PIECES : 0;
    flags |= facts_add_text(l, body) || ast_contains(body, changes_output, NULL) ? QUERY_COMMENTS : 0;
    flags |= is_sequential(l) ? QUERY_SEQUENTIAL : 0;
    flags |= uses(l, OP_LASTGAMENUMBER) ? QUERY_NEEDS_LAST_NUMBER : 0;
    flags |= l->query->cqli ? QUERY_CQLI : 0;
    flags |= l->query->variants ? QUERY_VARIANTS : l->query->as_chess ? QUERY_AS_CHESS : 0;
    flags |= l->imaginary ? QUERY_IMAGINARY : 0;
    flags |= l->query->cql5 ? QUERY_CQL5 : 0;
    flags |= l->query->cql3 ? QUERY_CQL3 : 0;
    return flags;
}

static void constant_range(const Range *range, int32_t *low, int32_t *high)
{
    *low = range->all ? INT_MIN : range->low.value;
    *high = range->all ? INT_MAX : range->high.value;
}

static int info_type(Type type)
{
    return type == TYPE_SET ? 1 : type == TYPE_STRING ? 2 : type == TYPE_POSITION ? 3 : 0;
}

static int info_kind(VariableKind kind)
{
    return kind == VARIABLE_SET ? 1 : kind == VARIABLE_STRING ? 2 : 0;
}

// Persistent variables get the first slots.
static void give_persistent_slots(Lower *l)
{
    PersistentInfo *list = NULL;
    int count = 0;
    for (int i = 0; i < l->query->variable_count; i++) {
        const Variable *v = l->query->variable[i];
        if (!v->persistent || v->kind == VARIABLE_DICTIONARY)
            continue;
        const int value = variable_slot(l, v), bound = variable_bound_slot(l, v);
        const PersistentInfo info = {v->name, info_kind(v->kind), value, bound, v->quiet};
        ARENA_PUSH(l->arena, list, count, info);
    }
    l->m->info.persistent = list;
    l->m->info.persistent_count = count;
    l->m->info.persistent_slots = l->m->info.slot_count;
}

static void give_dictionaries(Lower *l)
{
    DictionaryInfo *list = NULL;
    int count = 0;
    for (int i = 0; i < l->query->variable_count; i++) {
        const Variable *v = l->query->variable[i];
        if (v->kind != VARIABLE_DICTIONARY)
            continue;
        const DictionaryInfo info = {v->name, v->has_key ? info_type(v->key) : 0,
                                     v->has_value ? info_type(v->value) : 0, v->local};
        l->dictionary[i] = count;
        ARENA_PUSH(l->arena, list, count, info);
    }
    l->m->info.dictionary = list;
    l->m->info.dictionary_count = count;
}

static void fill_info(Lower *l)
{
    QueryInfo *info = &l->m->info;
    const Header *h = &l->query->header;
    info->name = l->query->source.name;
    info->source = l->query->source.text;
    info->flags = query_flags(l);
    info->results = h->results;
    constant_range(&h->matchcount, &info->matchcount_low, &info->matchcount_high);
    constant_range(&h->gamenumber, &info->gamenumber_low, &info->gamenumber_high);
    info->matchstring = h->matchstring;
    info->input = h->input;
    info->output = h->output;
}

static int *numbers(Lower *l, int value)
{
    const int count = l->query->variable_count;
    int *list = arena_alloc(l->arena, sizeof *list * (size_t)count);
    for (int i = 0; i < count; i++)
        list[i] = value;
    return list;
}

static const Lowering *const families[FAMILY_COUNT] = {
    [FAMILY_CALLS] = lowering_calls,        [FAMILY_LOGIC] = lowering_logic,
    [FAMILY_SETS] = lowering_sets,          [FAMILY_NAMES] = lowering_names,
    [FAMILY_TEXT] = lowering_text,          [FAMILY_TAGS] = lowering_tags,
    [FAMILY_TREE] = lowering_tree,          [FAMILY_FIND] = lowering_find,
    [FAMILY_MOVES] = lowering_moves,        [FAMILY_PATHS] = lowering_path,
    [FAMILY_LINES] = lowering_line,         [FAMILY_TRANSFORMED] = lowering_variants,
    [FAMILY_RELATIONS] = lowering_relation,
};

static void begin_lowering(Lower *l)
{
    l->family = families;
    const size_t count = (size_t)l->query->variable_count;
    l->variable_slot = numbers(l, -1);
    l->bound_slot = numbers(l, -1);
    l->dictionary = numbers(l, -1);
    l->loop_local = numbers(l, -1);
    l->loop_function = arena_alloc(l->arena, count * sizeof *l->loop_function);
    l->use = arena_alloc(l->arena, count * sizeof *l->use);
    l->bound = arena_alloc(l->arena, count);
    l->bound_order = arena_alloc(l->arena, count * sizeof *l->bound_order);
    l->path_status_slots = -1;
    l->records_matches = -1;
    l->imaginary = ast_contains(l->query->body, makes_position, NULL);
    l->saves_positions = l->imaginary && ast_contains(l->query->body, keeps_position, NULL);
    l->m->info.imaginary_levels = imaginary_depth(l->query->body);
    facts_collect(l);
    fill_info(l);
    give_persistent_slots(l);
    give_dictionaries(l);
}

static bool is_group_key(const Ast *filter)
{
    return filter->op == OP_SORT && filter->flags & AST_FIRSTMATCH;
}

// Records the value at the position, which the filters before it match; true even if it has none.
static Ir *group_key(Lower *l, const Ast *filter)
{
    const Ast *key = filter->kid[0];
    if (filter->number == KEY_IS_AMONG)
        return ir_always(ir_call(l->arena, IR_CALL_count_among, 0));
    l->in_sort = true;
    Value v = lower_value(l, key);
    l->in_sort = false;
    Ir *number = ir_int(l->arena, filter->low), *offer;
    if (filter->number == KEY_IS_STRING)
        offer = ir_call(l->arena, IR_CALL_key_string, 2, number, v.val);
    else if (filter->number == KEY_IS_NUMBER)
        offer =
            ir_call(l->arena, IR_CALL_key_number, 2, number, key->type == TYPE_SET ? ir_count(v.val) : v.val);
    else
        offer = ir_call(l->arena, IR_CALL_key_set, 3, number, v.val,
                        ir_int(l->arena, filter->number == KEY_IS_MEN));
    Ir *record = ir_all(2, v.pre, offer);
    if (!l->options || !l->options->keys_everywhere)
        record = ir_and(ir_call(l->arena, IR_CALL_first_match, 0), record);
    return ir_or(record, ir_bool(l->arena, true));
}

// The filters of the body in order, each with its place.
static Ir *lower_body(Lower *l)
{
    const Ast *body = l->query->body;
    Ir *all = ir_new(l->arena, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < body->kid_count; i++) {
        Ir *place = ir_unary(IR_PLACE, is_group_key(body->kid[i]) ? group_key(l, body->kid[i])
                                                                  : lower_condition(l, body->kid[i]));
        place->number = place_at(l->query, body->kid[i]->span.start);
        ir_add_kid(all, place);
    }
    return log_rollback(l, all, facts_add_text(l, body));
}

static bool asks_for_checks(const Ir *node, const void *unused)
{
    (void)unused;
    return ir_is_call_that(node, CHECKS);
}

Module *lower_query(Query *query, const LowerOptions *options, Diagnostics *diagnostics)
{
    const int errors = diagnostics->errors;
    Module *m = arena_alloc(query->arena, sizeof *m);
    *m = (Module){.arena = query->arena, .source = &query->source};
    Lower l = {.arena = query->arena, .m = m, .query = query, .diagnostics = diagnostics, .options = options};
    l.variations =
        options != NULL && options->variations >= 0 ? options->variations != 0 : query->header.variations;
    begin_lowering(&l);
    l.f = ir_new_function(m, "body", NULL);
    l.f->body = lower_body(&l);
    if (options != NULL && options->diagrams)
        lower_show(&l);
    for (int i = 0; i < m->function_count; i++)
        if (ir_has_node(m->function[i]->body, asks_for_checks, NULL))
            m->info.flags |= QUERY_NEEDS_CHECKS;
    m->info.sort_key = l.sort_key;
    m->info.sort_key_count = l.sort_key_count;
    return diagnostics->errors > errors ? NULL : m;
}
