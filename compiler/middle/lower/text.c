// Strings, regular expressions, conversion to text, comments, tags and sorting (language reference 7.9
// - 7.18, 9.6, 9.7).
#include "internal.h"

#include <limits.h>

#include "compiler/language/hhdb.h"

// ---- helpers ----------------------------------------------------------------------------------------------

// The result of a bool call in a new local, after `pre`.
static Value out_value(Lower *l, Ir *pre, Ir *call, IrType type)
{
    const int local = ir_new_local(l->f, type);
    call->out = local;
    return value_of(ir_and(pre, call), ir_local(l->f, local));
}

static Ir *literal(Lower *l, const Ast *ast)
{
    return ir_text(l->m, ast->text, ast->text_length);
}

// An implicit search: the text of the node occurs in the value.
static Ir *search_in(Lower *l, const Ast *ast, Value text)
{
    return ir_and(text.pre, ir_call(l->arena, IR_CALL_contains, 2, literal(l, ast), text.val));
}

// ---- operators --------------------------------------------------------------------------------------------

static Value concatenation(Lower *l, const Ast *ast)
{
    Value a = lower_value(l, ast->kid[0]), b = lower_value(l, ast->kid[1]);
    Ir *pre = values_join(l, &a, &b);
    return value_of(pre, ir_call(l->arena, IR_CALL_concat, 2, a.val, b.val));
}

static Value of_one_string(Lower *l, const Ast *ast, IrCall call)
{
    const Value s = lower_value(l, ast->kid[0]);
    return value_of(s.pre, ir_call(l->arena, call, 1, s.val));
}

static Ir *string_in(Lower *l, const Ast *ast)
{
    Value a = lower_value(l, ast->kid[0]), b = lower_value(l, ast->kid[1]);
    Ir *pre = values_join(l, &a, &b);
    return ir_and(pre, ir_call(l->arena, IR_CALL_contains, 2, a.val, b.val));
}

static Value index_of(Lower *l, const Ast *ast)
{
    Value a = lower_value(l, ast->kid[0]), b = lower_value(l, ast->kid[1]);
    Ir *pre = values_join(l, &a, &b);
    return out_value(l, pre, ir_call(l->arena, IR_CALL_index_of, 2, a.val, b.val), IRT_INT);
}

static Value subscript(Lower *l, const Ast *ast)
{
    Value s = lower_value(l, ast->kid[0]), index = lower_value(l, ast->kid[1]);
    Ir *pre = values_join(l, &s, &index);
    return out_value(l, pre, ir_call(l->arena, IR_CALL_subscript, 2, s.val, index.val), IRT_STRING);
}

static Value slice(Lower *l, const Ast *ast)
{
    Value v[3] = {lower_value(l, ast->kid[0]), value_of(NULL, ir_int(l->arena, 0)),
                  value_of(NULL, ir_int(l->arena, 0))};
    if (ast->kid_left != NULL)
        v[1] = lower_value(l, ast->kid_left);
    if (ast->kid_right != NULL)
        v[2] = lower_value(l, ast->kid_right);
    const int missing = (ast->kid_left == NULL) | (ast->kid_right == NULL) << 1;
    Ir *pre = values_join_all(l, v, 3);
    return value_of(
        pre, ir_call(l->arena, IR_CALL_slice, 4, v[0].val, v[1].val, v[2].val, ir_int(l->arena, missing)));
}

static Value ascii(Lower *l, const Ast *ast)
{
    const Value v = lower_value(l, ast->kid[0]);
    if (ast->type == TYPE_INT)
        return out_value(l, v.pre, ir_call(l->arena, IR_CALL_char_code, 1, v.val), IRT_INT);
    return out_value(l, v.pre, ir_call(l->arena, IR_CALL_char_string, 1, v.val), IRT_STRING);
}

static Value parsed_int(Lower *l, const Ast *ast)
{
    const Value v = lower_value(l, ast->kid[0]);
    return out_value(l, v.pre, ir_call(l->arena, IR_CALL_parse_int, 1, v.val), IRT_INT);
}

// ---- regular expressions ----------------------------------------------------------------------------------

static bool same_pattern(const String pattern, const Ast *ast)
{
    return pattern->length == ast->text_length &&
           __builtin_memcmp(pattern->bytes, ast->text, ast->text_length) == 0;
}

// The number of the pattern in QueryInfo.pattern; equal ones share a number.
static Ir *pattern_number(Lower *l, const Ast *ast)
{
    QueryInfo *info = &l->m->info;
    for (int i = 0; i < info->pattern_count; i++)
        if (same_pattern(info->pattern[i], ast))
            return ir_int(l->arena, i);
    CqlString *text = arena_alloc(l->arena, sizeof *text + ast->text_length);
    text->length = ast->text_length;
    __builtin_memcpy(text->bytes, ast->text, ast->text_length);
    String *list = (String *)(uintptr_t)info->pattern;
    ARENA_PUSH(l->arena, list, info->pattern_count, text);
    info->pattern = list;
    return ir_int(l->arena, info->pattern_count - 1);
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
    Ir *pre = values_join(l, string, &text);
    const int local = ir_new_local(l->f, IRT_INT);
    *pattern = ir_local(l->f, local);
    return ir_and(pre, ir_let(local, ir_call(l->arena, IR_CALL_pattern, 1, text.val)));
}

static Value regex(Lower *l, const Ast *ast)
{
    Value s;
    Ir *pattern, *pre = regex_operands(l, ast, &s, &pattern);
    return out_value(l, pre, ir_call(l->arena, IR_CALL_regex, 2, pattern, s.val), IRT_STRING);
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
        pre = ir_let(local, ir_call(l->arena, IR_CALL_group_number, 1, literal(l, ast)));
        group = ir_local(l->f, local);
    }
    if (ast->op == OP_GROUP)
        return out_value(l, pre, ir_call(l->arena, IR_CALL_group, 1, group), IRT_STRING);
    return out_value(l, pre, ir_call(l->arena, IR_CALL_group_offset, 1, group), IRT_INT);
}

// ---- conversion to text -----------------------------------------------------------------------------------

// The text of a value; has effects when it names a position.
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

// `has_value` leaves the text in the local; otherwise it becomes `missing`.
static Ir *text_or(Lower *l, Ir *has_value, int local, const char *missing)
{
    return ir_or(has_value, ir_let(local, ir_string(l->m, missing)));
}

// A variable given directly: unbound it is no error.
static Value variable_text(Lower *l, const Ast *item)
{
    const Variable *v = item->variable;
    const Ir *unbound = require_bound(l, v);
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

// The text of one item; always exists.
static Value item_text(Lower *l, const Ast *item)
{
    if (item->op == OP_VARIABLE && !item->variable->hidden && !(item->flags & AST_PAREN))
        return variable_text(l, item);
    if (item->op == OP_STRING)
        return value_of(NULL, literal(l, item));
    const bool text = adds_text(l, item);
    if (item->op == OP_DICTIONARY) {
        Ir *entries = ir_call(l->arena, IR_CALL_text_dictionary, 1,
                              ir_int(l->arena, l->dictionary[item->variable->number]));
        return value_in_local(l, value_of(NULL, entries));
    }
    const int local = ir_new_local(l->f, IRT_STRING);
    if (item->type == TYPE_BOOL) {
        Ir *holds = with_rollback(l, lower_condition(l, item), text);
        return value_of(text_or(l, ir_and(holds, ir_let(local, ir_string(l->m, "<true>"))), local, "<false>"),
                        ir_local(l->f, local));
    }
    const Value v = lower_value(l, item);
    if (v.pre == NULL && item->type != TYPE_POSITION)
        return value_of(NULL, text_of(l, item->type, v.val));
    Ir *has = ir_and(with_rollback(l, v.pre, text), ir_let(local, text_of(l, item->type, v.val)));
    return value_of(ir_always_true(has) ? has : text_or(l, has, local, "<false>"), ir_local(l->f, local));
}

// All items joined.
static Value joined_text(Lower *l, const Ast *ast)
{
    Value *v = arena_alloc(l->arena, sizeof *v * (size_t)ast->kid_count);
    for (int i = 0; i < ast->kid_count; i++) {
        uint8_t *saved = bound_save(l);
        v[i] = item_text(l, ast->kid[i]);
        bound_restore(l, saved);
    }
    Value all = {values_join_all(l, v, ast->kid_count), v[0].val};
    for (int i = 1; i < ast->kid_count; i++)
        all.val = ir_call(l->arena, IR_CALL_concat, 2, all.val, v[i].val);
    return all;
}

// ---- comments, tags, files --------------------------------------------------------------------------------

static Ir *comment(Lower *l, const Ast *ast)
{
    const Value text = joined_text(l, ast);
    const unsigned effects = IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES;
    const bool computed = text.pre != NULL || text.val->kid_count > 0;
    Ir *add = ir_and(text.pre, ir_call(l->arena, IR_CALL_log_add, 2, ir_current(l->arena), text.val));
    if (!computed || (text.pre != NULL && ir_does_any(text.pre, effects)) || ir_does_any(text.val, effects))
        return add;
    // Many formats show no comment: then the text is not made.
    return ir_always(ir_and(ir_call(l->arena, IR_CALL_log_wanted, 0), add));
}

static Ir *message(Lower *l, const Ast *ast)
{
    const Value text = joined_text(l, ast);
    Ir *quiet = ir_int(l->arena, (ast->flags & AST_QUIET) != 0);
    return ir_and(text.pre, ir_call(l->arena, IR_CALL_message, 2, text.val, quiet));
}

static Value tag(Lower *l, const Ast *ast)
{
    return out_value(l, NULL, ir_call(l->arena, IR_CALL_tag, 1, literal(l, ast)), IRT_STRING);
}

static Ir *set_tag(Lower *l, const Ast *ast)
{
    const Value v = lower_value(l, ast->kid[0]);
    return ir_and(v.pre, ir_call(l->arena, IR_CALL_set_tag, 2, literal(l, ast), v.val));
}

// A file name without value is an error, not "no value" (7.16).
static Value file_name(Lower *l, const Ast *ast)
{
    Value name = lower_value(l, ast);
    if (name.pre != NULL && !ir_always_true(name.pre))
        name.pre = ir_or(name.pre, raise_error(l, RAISE_FILE, "the name of a file has no value"));
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
    Ir *pre = values_join(l, &name, &text);
    return ir_and(pre, ir_call(l->arena, IR_CALL_write_file, 2, name.val, text.val));
}

// ---- sort -------------------------------------------------------------------------------------------------

static Value sort_argument(Lower *l, const Ast *ast)
{
    const bool outer = l->in_sort;
    DashScope *const dash = l->dash;
    l->in_sort = true;
    l->dash = NULL;
    Value v = lower_value(l, ast);
    l->in_sort = outer;
    l->dash = dash;
    if (ast->type == TYPE_SET)
        v.val = ir_count(v.val);
    return value_hold(l, v);
}

static Value sort(Lower *l, const Ast *ast)
{
    const Ast *argument = ast->kid[0];
    const Value v = sort_argument(l, argument);
    Ir *begin = NULL, *mark = ir_int(l->arena, INT_MAX);
    if (adds_text(l, argument)) {
        const int local = ir_new_local(l->f, IRT_INT);
        begin = ir_let(local, ir_call(l->arena, IR_CALL_log_mark, 0));
        mark = ir_local(l->f, local);
    }
    const IrCall call = argument->type == TYPE_STRING ? IR_CALL_sort_string : IR_CALL_sort_int;
    Ir *offer =
        ir_call(l->arena, call, 4, ir_int(l->arena, ast->high), ir_int(l->arena, ast->low), v.val, mark);
    return value_of(ir_all(3, begin, v.pre, offer), ir_copy(v.val));
}

// ---- facts of the game ------------------------------------------------------------------------------------

static int colour_of(const Ast *ast)
{
    return ast->flags & AST_WHITE ? WHITE : ast->flags & AST_BLACK ? BLACK : 2;
}

static Value named_tag(Lower *l, const char *name)
{
    return out_value(l, NULL, ir_call(l->arena, IR_CALL_tag, 1, ir_string(l->m, name)), IRT_STRING);
}

static Value tag_filter(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_PLAYER:
        return out_value(l, NULL, ir_call(l->arena, IR_CALL_player, 1, ir_int(l->arena, colour_of(ast))),
                         IRT_STRING);
    case OP_EVENT:
        return named_tag(l, "Event");
    case OP_SITE:
        return named_tag(l, "Site");
    case OP_DATE:
        return named_tag(l, "Date");
    case OP_EVENTDATE:
        return named_tag(l, "EventDate");
    default:
        return named_tag(l, "ECO");
    }
}

static Value last_game_number(Lower *l)
{
    const Range *range = &l->query->header.gamenumber;
    Ir *last = ir_game(l->arena, IR_GAME_LAST_NUMBER);
    if (!range->present || range->all)
        return value_of(NULL, last);
    const int high = range->high.value;
    return value_of(NULL, ir_choose(ir_with_int(IR_LT, last, high), ir_copy(last), ir_int(l->arena, high)));
}

// ---- hhdb -------------------------------------------------------------------------------------------------

static Value award(Lower *l, const Ast *ast, int flags)
{
    return out_value(
        l, NULL,
        ir_call(l->arena, IR_CALL_hhdb_award, 2, ir_int(l->arena, ast->low), ir_int(l->arena, flags)),
        IRT_INT);
}

// The three keys of `hhdb sort`: category, rank, last rank.
static Ir *award_keys(Lower *l, const Ast *ast)
{
    static const int flags[3] = {AWARD_SORT | AWARD_CATEGORY, AWARD_SORT, AWARD_SORT | AWARD_MAX};
    Ir *all = NULL;
    for (int i = 0; i < 3; i++) {
        const Value v = award(l, ast, flags[i] | (ast->high & AWARD_SPECIAL));
        Ir *offer = ir_call(l->arena, IR_CALL_sort_int, 4, ir_int(l->arena, ast->range.low.value + i),
                            ir_int(l->arena, ast->range.high.value + i), v.val, ir_int(l->arena, INT_MAX));
        all = ir_and(all, ir_always(ir_and(v.pre, offer)));
    }
    return all;
}

static Value award_value(Lower *l, const Ast *ast)
{
    Value v = award(l, ast, ast->high & ~(int)AWARD_SORT);
    if (ast->high & AWARD_SORT)
        v.pre = ir_and(award_keys(l, ast), v.pre);
    return v;
}

static Ir *award_condition(Lower *l, const Ast *ast)
{
    Ir *holds = ir_call(l->arena, IR_CALL_hhdb_award_holds, 2, ir_int(l->arena, ast->low),
                        ir_int(l->arena, ast->high & ~(int)AWARD_SORT));
    return ast->high & AWARD_SORT ? ir_and(award_keys(l, ast), holds) : holds;
}

static Value hhdb_value(Lower *l, const Ast *ast)
{
    if (ast->number == HHDB_AWARD)
        return award_value(l, ast);
    if (ast->number == HHDB_EGDIAGRAM)
        return out_value(l, NULL, ir_call(l->arena, IR_CALL_hhdb_egdiagram, 0), IRT_INT);
    return out_value(l, NULL, ir_call(l->arena, IR_CALL_hhdb_string, 1, ir_int(l->arena, ast->number)),
                     IRT_STRING);
}

static Ir *hhdb_condition(Lower *l, const Ast *ast)
{
    switch (ast->number) {
    case HHDB_CODE:
        return ir_call(l->arena, IR_CALL_hhdb_code, 1, literal(l, ast));
    case HHDB_TEXT_HERE:
        return ir_call(l->arena, IR_CALL_hhdb_text_here, 1, literal(l, ast));
    case HHDB_AWARD:
        return award_condition(l, ast);
    default:
        break;
    }
    if (ast->type != TYPE_BOOL)
        return condition_of(l, hhdb_value(l, ast), ast->type);
    if (ast->text != NULL)
        return search_in(l, ast, hhdb_value(l, ast));
    return ir_call(l->arena, IR_CALL_hhdb_bool, 1, ir_int(l->arena, ast->number));
}

// ---- the family -------------------------------------------------------------------------------------------

Ir *lower_text_condition(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_IN_STRING:
        return string_in(l, ast);
    case OP_REGEX_LOOP:
        return regex_loop(l, ast);
    case OP_COMMENT:
        return comment(l, ast);
    case OP_MESSAGE:
        return message(l, ast);
    case OP_REMOVECOMMENT:
        return ir_call(l->arena, IR_CALL_remove_comment, 0);
    case OP_SETTAG:
        return set_tag(l, ast);
    case OP_WRITEFILE:
        return write_file(l, ast);
    case OP_RESULT:
        return ir_with_int(IR_EQ, ir_game(l->arena, IR_GAME_RESULT), ast->number);
    case OP_CQL_HHDBHASCOOK:
        return ir_call(l->arena, IR_CALL_hhdb_bool, 1, ir_int(l->arena, HHDB_COOKED));
    case OP_HHDB:
        return hhdb_condition(l, ast);
    default:
        break;
    }
    if (ast->type == TYPE_BOOL && ast->text != NULL)
        return search_in(l, ast, tag_filter(l, ast));
    return condition_of(l, lower_text_value(l, ast), ast->type);
}

static Value fact_value(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_GAMENUMBER:
        return value_of(NULL, ir_game(l->arena, IR_GAME_NUMBER));
    case OP_LASTGAMENUMBER:
        return last_game_number(l);
    case OP_ELO:
        return out_value(l, NULL, ir_call(l->arena, IR_CALL_elo, 1, ir_int(l->arena, colour_of(ast))),
                         IRT_INT);
    case OP_YEAR:
        return out_value(l, NULL, ir_call(l->arena, IR_CALL_year, 0), IRT_INT);
    case OP_HHDB:
        return hhdb_value(l, ast);
    case OP_TAG:
        return tag(l, ast);
    case OP_PLAYER:
    case OP_EVENT:
    case OP_SITE:
    case OP_DATE:
    case OP_EVENTDATE:
    case OP_ECO:
        return tag_filter(l, ast);
    default:
        lower_error(l, ast, "`%s` cannot be lowered for its value", op_info[ast->op].name);
        return value_of(ir_bool(l->arena, false), ir_string(l->m, ""));
    }
}

Value lower_text_value(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_STRING:
        return value_of(NULL, literal(l, ast));
    case OP_GROUP:
    case OP_GROUP_OFFSET:
        return group(l, ast);
    case OP_CONCATENATE:
        return concatenation(l, ast);
    case OP_COUNT_STRING:
        return of_one_string(l, ast, IR_CALL_length);
    case OP_SUBSCRIPT:
        return subscript(l, ast);
    case OP_SLICE:
        return slice(l, ast);
    case OP_REGEX:
        return regex(l, ast);
    case OP_INT:
        return parsed_int(l, ast);
    case OP_INDEXOF:
        return index_of(l, ast);
    case OP_ASCII:
        return ascii(l, ast);
    case OP_STR:
        return joined_text(l, ast);
    case OP_UPPERCASE:
        return of_one_string(l, ast, IR_CALL_upper);
    case OP_LOWERCASE:
        return of_one_string(l, ast, IR_CALL_lower);
    case OP_READFILE:
        return read_file(l, ast);
    case OP_SORT:
        return sort(l, ast);
    case OP_CURRENTTRANSFORM:
        return value_of(NULL, ir_string(l->m, ast->text != NULL ? ast->text : "<>"));
    default:
        return fact_value(l, ast);
    }
}
