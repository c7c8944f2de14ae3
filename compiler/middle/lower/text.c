// Strings, regular expressions, conversion to strings, comments, messages, files and sorting (language
// reference 7.9 - 7.18).
#include "internal.h"

#include <limits.h>

// ---- parts of strings -------------------------------------------------------------------------------------

static Value slice(Lower *l, const Ast *ast)
{
    int missing;
    Value v[3] = {lower_value(l, ast->kid[0])};
    lower_slice_bounds(l, ast, v + 1, &missing);
    Ir *pre = value_join_all(l, v, 3);
    return value_of(
        pre, ir_call(l->arena, IR_CALL_slice, 4, v[0].val, v[1].val, v[2].val, ir_int(l->arena, missing)));
}

// ---- regular expressions ----------------------------------------------------------------------------------

// The number of the pattern in QueryInfo.pattern; equal ones share a number.
static Ir *pattern_number(Lower *l, const Ast *ast)
{
    QueryInfo *info = &l->m->info;
    bool is_new;
    const int number = text_map_number(l->arena, &l->pattern_number, ast->text, ast->text_length, &is_new);
    if (!is_new)
        return ir_int(l->arena, number);
    CqlString *text = arena_alloc(l->arena, sizeof *text + ast->text_length);
    text->length = ast->text_length;
    __builtin_memcpy(text->bytes, ast->text, ast->text_length);
    String *list = (String *)(uintptr_t)info->pattern;
    ARENA_PUSH(l->arena, list, info->pattern_count, text);
    info->pattern = list;
    return ir_int(l->arena, number);
}

// String and pattern of a search: the joint pre, and the number of the pattern.
static Ir *regex_operands(Lower *l, const Ast *ast, Value *string, Ir **pattern)
{
    *string = lower_value(l, ast->kid[0]);
    if (ast->kid_extra == NULL) {
        *pattern = pattern_number(l, ast);
        return string->pre;
    }
    Value text = lower_value(l, ast->kid_extra);
    Ir *pre = value_join(l, string, &text);
    const int local = ir_new_local(l->f, IRT_INT);
    *pattern = ir_local(l->f, local);
    return ir_and(pre, ir_let(local, ir_call(l->arena, IR_CALL_pattern, 1, text.val)));
}

static Value regex(Lower *l, const Ast *ast)
{
    Value s;
    Ir *pattern, *pre = regex_operands(l, ast, &s, &pattern);
    return value_out(l, pre, ir_call(l->arena, IR_CALL_regex, 2, pattern, s.val));
}

static bool reads_record(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_GROUP || node->op == OP_GROUP_OFFSET;
}

// Whether there is a match, not which one.
static Ir *regex_condition(Lower *l, const Ast *ast)
{
    if (l->records_matches < 0)
        l->records_matches = ast_contains(l->query->body, reads_record, NULL);
    if (is_original_comment(ast->kid[0]) && ast->kid_extra == NULL && !l->records_matches)
        return ir_call(l->arena, IR_CALL_comment_found, 1, pattern_number(l, ast));
    if (ast->kid[0]->op == OP_FEN && ast->kid_extra == NULL && !l->records_matches)
        return ir_call(l->arena, IR_CALL_fen_found, 1, pattern_number(l, ast));
    Value s;
    Ir *pattern, *pre = regex_operands(l, ast, &s, &pattern);
    if (pattern->op == IR_INT && !l->records_matches)
        pre = ir_and(tags_search_names(l, ast->kid[0], ir_pattern_literal(l->m, pattern->number)), pre);
    return ir_and(pre, ir_call(l->arena, l->records_matches ? IR_CALL_regex_search : IR_CALL_regex_found, 2,
                               pattern, s.val));
}

static Ir *regex_loop(Lower *l, const Ast *ast)
{
    Value s;
    Ir *pattern, *pre = regex_operands(l, ast, &s, &pattern);
    Ir *begin = ir_call(l->arena, IR_CALL_regex_begin, 2, pattern, s.val);
    Ir *next = ir_call(l->arena, IR_CALL_regex_next, 1, ir_copy(pattern));
    return ir_all(3, pre, begin, ir_while(next, lower_condition_clean(l, ast->kid[1])));
}

static Value group(Lower *l, const Ast *ast)
{
    Ir *pre = NULL, *group = ir_int(l->arena, ast->number);
    if (ast->number < 0) { // it has a name
        const int local = ir_new_local(l->f, IRT_INT);
        pre = ir_let(local, ir_call(l->arena, IR_CALL_group_number, 1, value_literal(l, ast)));
        group = ir_local(l->f, local);
    }
    if (ast->op == OP_GROUP)
        return value_out(l, pre, ir_call(l->arena, IR_CALL_group, 1, group));
    return value_out(l, pre, ir_call(l->arena, IR_CALL_group_offset, 1, group));
}

// ---- conversion to strings -----------------------------------------------------------------------------------

// The string of a value; has effects when it names a position.
static Ir *text_of(Lower *l, Type type, Ir *value)
{
    switch (type) {
    case TYPE_INT:
        return ir_call(l->arena, IR_CALL_text_int, 1, value);
    case TYPE_SET:
        return ir_call(l->arena, IR_CALL_text_set, 1, value);
    case TYPE_POSITION:
        return ir_call(l->arena, IR_CALL_text_position, 1, value);
    default:
        return value;
    }
}

// `has_value` leaves the string in the local; otherwise it becomes `missing`.
static Ir *text_or(Lower *l, Ir *has_value, int local, const char *missing)
{
    return ir_or(has_value, ir_let(local, ir_string(l->m, missing)));
}

// A variable by itself: that it is unbound is not an error.
static Value variable_text(Lower *l, const Ast *item)
{
    const Variable *v = item->variable;
    const Ir *unbound = variable_require_bound(l, v);
    const Value value = lower_value(l, item);
    Ir *text;
    if (v->kind == VARIABLE_PIECE)
        text = ir_call(l->arena, IR_CALL_text_piece, 2, ir_current(l->arena),
                       ir_copy(value.val->kid[0]->kid[1]));
    else
        text = text_of(l, item->type, value.val);
    const int local = ir_new_local(l->f, IRT_STRING);
    if (unbound == NULL)
        return value_of(ir_let(local, text), ir_local(l->f, local));
    Ir *known = ir_and(unbound->kid[0], ir_let(local, text));
    return value_of(text_or(l, known, local, arena_printf(l->arena, "<unbound: %s>", v->name)),
                    ir_local(l->f, local));
}

// The string of one item; always exists.
static Value item_text(Lower *l, const Ast *item)
{
    if (item->op == OP_VARIABLE && !item->variable->hidden && !(item->flags & AST_PAREN))
        return variable_text(l, item);
    if (item->op == OP_STRING)
        return value_of(NULL, value_literal(l, item));
    const bool text = facts_add_text(l, item);
    if (item->op == OP_DICTIONARY) {
        Ir *entries = ir_call(l->arena, IR_CALL_text_dictionary, 1,
                              ir_int(l->arena, l->dictionary[item->variable->number]));
        return value_in_local(l, value_of(NULL, entries));
    }
    const int local = ir_new_local(l->f, IRT_STRING);
    if (item->type == TYPE_BOOL) {
        Ir *success = log_rollback(l, lower_condition(l, item), text);
        return value_of(
            text_or(l, ir_and(success, ir_let(local, ir_string(l->m, "<true>"))), local, "<false>"),
            ir_local(l->f, local));
    }
    const Value v = lower_value(l, item);
    if (v.pre == NULL && item->type != TYPE_POSITION)
        return value_of(NULL, text_of(l, item->type, v.val));
    Ir *has = ir_and(log_rollback(l, v.pre, text), ir_let(local, text_of(l, item->type, v.val)));
    return value_of(ir_always_true(has) ? has : text_or(l, has, local, "<false>"), ir_local(l->f, local));
}

// Of halves when there are many, so that the tree is not deep and few long strings are made.
static Ir *concatenation(Lower *l, const Value *v, int count)
{
    if (count == 1)
        return v[0].val;
    enum { FEW = 16 };
    const int first = count <= FEW ? count - 1 : count / 2;
    return ir_call(l->arena, IR_CALL_concat, 2, concatenation(l, v, first),
                   concatenation(l, v + first, count - first));
}

// All items joined.
static Value joined_text(Lower *l, const Ast *ast)
{
    Value *v = arena_alloc(l->arena, sizeof *v * (size_t)ast->kid_count);
    for (int i = 0; i < ast->kid_count; i++) {
        const int saved = bound_save(l);
        v[i] = item_text(l, ast->kid[i]);
        bound_restore(l, saved);
    }
    Ir *pre = value_join_all(l, v, ast->kid_count);
    return value_of(pre, concatenation(l, v, ast->kid_count));
}

// ---- comments, files --------------------------------------------------------------------------------------

static Ir *comment(Lower *l, const Ast *ast)
{
    const Value text = joined_text(l, ast);
    const unsigned effects = IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES;
    const bool computed = text.pre != NULL || text.val->kid_count > 0;
    Ir *add = ir_and(text.pre, ir_call(l->arena, IR_CALL_log_add, 2, ir_current(l->arena), text.val));
    if (!computed || (text.pre != NULL && ir_noted_any(text.pre, effects)) || ir_noted_any(text.val, effects))
        return add;
    // Many formats show no comments: then the string is not made.
    return ir_always(ir_and(ir_call(l->arena, IR_CALL_log_wanted, 0), add));
}

static Ir *message(Lower *l, const Ast *ast)
{
    const Value text = joined_text(l, ast);
    Ir *quiet = ir_int(l->arena, (ast->flags & AST_QUIET) != 0);
    return ir_and(text.pre, ir_call(l->arena, IR_CALL_message, 2, text.val, quiet));
}

// A file name without value is an error, not "no value" (7.16).
static Value file_name(Lower *l, const Ast *ast)
{
    Value name = lower_value(l, ast);
    if (name.pre != NULL && !ir_always_true(name.pre))
        name.pre = ir_or(name.pre, value_raise(l, RAISE_FILE, "the name of a file has no value"));
    return name;
}

static Value read_file(Lower *l, const Ast *ast)
{
    const Value name = file_name(l, ast->kid[0]);
    return value_in_local(l, value_of(name.pre, ir_call(l->arena, IR_CALL_read_file, 1, name.val)));
}

static Ir *write_file(Lower *l, const Ast *ast)
{
    Value name = file_name(l, ast->kid[0]), text = lower_value(l, ast->kid[1]);
    Ir *pre = value_join(l, &name, &text);
    return ir_and(pre, ir_call(l->arena, IR_CALL_write_file, 2, name.val, text.val));
}

// ---- sort -------------------------------------------------------------------------------------------------

static Value sort_argument(Lower *l, const Ast *ast)
{
    const bool inside = l->in_sort;
    l->in_sort = true;
    Value v = lower_value(l, ast);
    l->in_sort = inside;
    if (ast->type == TYPE_SET)
        v.val = ir_count(v.val);
    return value_hold(l, v);
}

static Value sort(Lower *l, const Ast *ast)
{
    const Ast *argument = ast->kid[0];
    const Value v = sort_argument(l, argument);
    Ir *begin = NULL, *mark = ir_int(l->arena, INT_MAX);
    if (facts_add_text(l, argument)) {
        const int local = ir_new_local(l->f, IRT_INT);
        begin = log_mark(l, local);
        mark = ir_local(l->f, local);
    }
    const IrCall call = argument->type == TYPE_STRING ? IR_CALL_sort_string : IR_CALL_sort_int;
    Ir *offer =
        ir_call(l->arena, call, 4, ir_int(l->arena, ast->high), ir_int(l->arena, ast->low), v.val, mark);
    return value_of(ir_all(3, begin, v.pre, offer), ir_copy(v.val));
}

// ---- the family -------------------------------------------------------------------------------------------

static Value literal(Lower *l, const Ast *ast)
{
    return value_of(NULL, value_literal(l, ast));
}

static Value ascii(Lower *l, const Ast *ast)
{
    return lower_call(l, ast, ast->type == TYPE_INT ? IR_CALL_char_code : IR_CALL_char_string);
}

const Lowering lowering_text[OP_COUNT_] = {
    [OP_STRING] = {literal},
    [OP_GROUP] = {group},
    [OP_GROUP_OFFSET] = {group},
    [OP_SLICE] = {slice},
    [OP_REGEX] = {regex, regex_condition},
    [OP_REGEX_LOOP] = {NULL, regex_loop},
    [OP_ASCII] = {ascii},
    [OP_STR] = {joined_text},
    [OP_COMMENT] = {NULL, comment},
    [OP_MESSAGE] = {NULL, message},
    [OP_READFILE] = {read_file},
    [OP_WRITEFILE] = {NULL, write_file},
    [OP_SORT] = {sort, .outside_dash = true},
};
