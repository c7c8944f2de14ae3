// The data of a query in emitted C: its strings, state and description.
#include "emit_internal.h"

#include <string.h>

#include "runtime/game/game.h"
#include "runtime/value/ascii.h"

// ---- strings ---------------------------------------------------------------------------------------------

static void emit_text(Emit *e, const char *name, const char *bytes, uint32_t length)
{
    fprintf(e->out, "TEXT(%s, ", name);
    emit_literal(e->out, bytes, length, 1);
    fputs(");\n", e->out);
}

void emit_strings(Emit *e)
{
    bool any = false;
    for (int i = 0; i < e->m->text_count; i++)
        if (e->text_name[i] != NULL) {
            emit_text(e, e->text_name[i], e->m->text[i].bytes, e->m->text[i].length);
            any = true;
        }
    if (any)
        fputc('\n', e->out);
}

// ---- state -----------------------------------------------------------------------------------------------

enum { NO_TYPE = -1, SEVERAL_TYPES = -2 };

static void note_type(Emit *e, int slot, IrType type)
{
    const int8_t cell = type == IRT_SET || type == IRT_STRING ? (int8_t)type : IRT_INT;
    e->slot_type[slot] = e->slot_type[slot] == NO_TYPE || e->slot_type[slot] == cell ? cell : SEVERAL_TYPES;
}

// The slot that is the only source of a local's values, or:
enum { SOURCE_NONE = -1, SOURCE_OTHER = -2 };

static void find_sources(const Ir *ir, int *source)
{
    const int written = ir_written_local(ir);
    if (written >= 0) {
        const bool is_copy = ir->op == IR_LET && ir->kid[0]->op == IR_SLOT &&
                             (source[written] == SOURCE_NONE || source[written] == ir->kid[0]->number);
        source[written] = is_copy ? ir->kid[0]->number : SOURCE_OTHER;
    }
    for (int i = 0; i < ir->kid_count; i++)
        find_sources(ir->kid[i], source);
}

// source: by local of the function that has the tree.
static void find_types(Emit *e, const int *source, const Ir *ir)
{
    if (ir->op == IR_SLOT) {
        note_type(e, ir->number, (IrType)ir->type);
    } else if (ir->op == IR_STORE) {
        const Ir *value = ir->kid[0];
        note_type(e, ir->number, (IrType)value->type);
        const bool is_own = value->op == IR_LOCAL &&
                            (source[value->number] == SOURCE_NONE || source[value->number] == ir->number);
        if (!is_own)
            emit_note_flag(e, &e->slot_flag[ir->number], value);
    }
    for (int i = 0; i < ir->kid_count; i++)
        find_types(e, source, ir->kid[i]);
}

static void find_types_in(Emit *e, const Ir *body, int local_count)
{
    int *source = arena_alloc(e->arena, sizeof *source * (size_t)(local_count + 1));
    for (int i = 0; i < local_count; i++)
        source[i] = SOURCE_NONE;
    find_sources(body, source);
    find_types(e, source, body);
}

void emit_name_state(Emit *e)
{
    const Module *m = e->m;
    const int count = m->info.slot_count;
    Names members = {0};
    e->state_type = emit_file_name(e, "State");
    e->slot_name = arena_alloc(e->arena, sizeof *e->slot_name * (size_t)count + 1);
    e->slot_type = arena_alloc(e->arena, (size_t)count + 1);
    e->slot_flag = arena_alloc(e->arena, sizeof *e->slot_flag * (size_t)count + 1);
    memset(e->slot_type, NO_TYPE, (size_t)count);
    for (int i = 0; i < m->function_count; i++)
        find_types_in(e, m->function[i]->body, m->function[i]->local_count);
    for (int i = 0; i < count; i++) {
        const char *name = m->slot_name != NULL && m->slot_name[i] != NULL ? m->slot_name[i] : "cell";
        e->slot_name[i] = emit_unique_name(e, &members, emit_safe_name(e, name));
    }
}

void emit_state(Emit *e)
{
    if (e->m->info.slot_count == 0)
        return;
    fputs("// What the query remembers: the cells of c->slot.\ntypedef struct {\n", e->out);
    for (int i = 0; i < e->m->info.slot_count; i++) {
        const int type = e->slot_type[i];
        fprintf(e->out, "    %s %s;\n",
                type < 0          ? "Slot"
                : type == IRT_INT ? "Number"
                                  : emit_type((IrType)type),
                e->slot_name[i]);
    }
    fprintf(e->out, "} %s;\n\n", e->state_type);
}

// ---- the description of the query ------------------------------------------------------------------------

static void emit_chars(Emit *e, const char *text)
{
    if (text == NULL)
        fputc('0', e->out);
    else
        emit_literal(e->out, text, strlen(text), 2);
}

static void emit_patterns(Emit *e)
{
    const QueryInfo *q = &e->m->info;
    for (int i = 0; i < q->pattern_count; i++)
        emit_text(e, arena_printf(e->arena, "%spattern_%d", e->prefix, i), q->pattern[i]->bytes,
                  q->pattern[i]->length);
    if (q->pattern_count == 0)
        return;
    fprintf(e->out, "static const String %spatterns[] = {", e->prefix);
    for (int i = 0; i < q->pattern_count; i++)
        fprintf(e->out, "%sSTRING(%spattern_%d)", i ? ", " : "", e->prefix, i);
    fputs("};\n\n", e->out);
}

static void emit_numbers(Emit *e, const char *name, const int32_t *number, int count,
                         const char *(*text)(Emit *e, int32_t number))
{
    fprintf(e->out, "static const int32_t %s%s[] = {", e->prefix, name);
    for (int i = 0; i < count; i++)
        fprintf(e->out, "%s%s", i ? ", " : "", text(e, number[i]));
    fputs("};\n", e->out);
}

static const char *columns_text(Emit *e, int32_t columns)
{
    const char *text = "";
    for (unsigned rest = (unsigned)columns; rest; rest &= rest - 1) {
        const char *name = game_column_name[__builtin_ctz(rest)];
        char *upper = arena_copy(e->arena, name, strlen(name));
        for (char *c = upper; *c; c++)
            *c = ascii_upper(*c);
        text = arena_printf(e->arena, "%s%s1 << COLUMN_%s", text, *text ? " | " : "", upper);
    }
    return text;
}

// An atom, or an operation of a formula.
static const char *atom_text(Emit *e, int32_t atom)
{
    static const char *const op[] = {"TAGS_NOT", "TAGS_OR", "TAGS_AND"};
    return atom < 0 ? op[atom - TAGS_NOT] : arena_printf(e->arena, "%d", atom);
}

static void emit_tag_formula(Emit *e)
{
    const QueryInfo *q = &e->m->info;
    if (q->tag_atom_count == 0)
        return;
    emit_numbers(e, "tag_columns", q->tag_columns, q->tag_atom_count, columns_text);
    emit_numbers(e, "tag_same", q->tag_same, q->tag_atom_count, atom_text);
    emit_numbers(e, "tag_formula", q->tag_formula, q->tag_formula_count, atom_text);
    fputs("\n", e->out);
}

void emit_lists(Emit *e)
{
    const QueryInfo *q = &e->m->info;
    emit_patterns(e);
    emit_tag_formula(e);
    if (q->dictionary_count)
        fprintf(e->out, "static const DictionaryInfo %sdictionaries[] = {\n", e->prefix);
    for (int i = 0; i < q->dictionary_count; i++) {
        const DictionaryInfo *d = &q->dictionary[i];
        fputs("    {", e->out);
        emit_chars(e, d->name);
        fprintf(e->out, ", %d, %d, %d},\n", d->key_type, d->value_type, d->local);
    }
    fputs(q->dictionary_count ? "};\n\n" : "", e->out);
    if (q->sort_key_count)
        fprintf(e->out, "static const SortKeyInfo %ssort_keys[] = {\n", e->prefix);
    for (int i = 0; i < q->sort_key_count; i++) {
        const SortKeyInfo *k = &q->sort_key[i];
        fputs("    {", e->out);
        emit_chars(e, k->name);
        fprintf(e->out, ", %d, %d, %d},\n", k->is_string, k->is_min, k->quiet);
    }
    fputs(q->sort_key_count ? "};\n\n" : "", e->out);
    if (q->persistent_count)
        fprintf(e->out, "static const PersistentInfo %spersistent[] = {\n", e->prefix);
    for (int i = 0; i < q->persistent_count; i++) {
        const PersistentInfo *v = &q->persistent[i];
        fputs("    {", e->out);
        emit_chars(e, v->name);
        fprintf(e->out, ", %d, %d, %d, %d},\n", v->type, v->slot, v->bound_slot, v->quiet);
    }
    fputs(q->persistent_count ? "};\n\n" : "", e->out);
}

static void member_text(Emit *e, const char *name, const char *text)
{
    if (text == NULL)
        return;
    fprintf(e->out, "        .%s = ", name);
    emit_literal(e->out, text, strlen(text), 3);
    fputs(",\n", e->out);
}

static void member_number(Emit *e, const char *name, int64_t number)
{
    if (number == INT32_MIN)
        fprintf(e->out, "        .%s = -2147483647 - 1,\n", name);
    else if (number)
        fprintf(e->out, "        .%s = %lld,\n", name, (long long)number);
}

static void member_bits(Emit *e, const char *name, uint32_t bits, const char *const *bit_name, int count)
{
    if (bits)
        fprintf(e->out, "        .%s = %s,\n", name, emit_bits(e, bits, bit_name, count).text);
}

static void member_list(Emit *e, const char *name, int count, const char *list)
{
    if (count == 0)
        return;
    member_number(e, arena_printf(e->arena, "%s_count", name), count);
    fprintf(e->out, "        .%s = %s%s,\n", name, e->prefix, list);
}

static void emit_screen_info(Emit *e)
{
    if (e->m->screen == NULL)
        return;
    const int cost = emit_screen_cost(e->m->screen);
    const char *name = e->screen != NULL ? e->screen : arena_printf(e->arena, "%sscreen", e->prefix);
    fprintf(e->out, "        .screen = SCREEN(%s, %d),\n", name, cost);
    member_number(e, "screen_place", e->screen_place);
    fprintf(e->out, "        .screen_cost = SCREEN_COST(%d),\n", cost);
}

void emit_info(Emit *e)
{
    const QueryInfo *q = &e->m->info;
    fputs("    {\n", e->out);
    member_text(e, "name", q->name);
    member_text(e, "source", q->source);
    static const char *const flag[] = {
        "QUERY_VARIATIONS",     "QUERY_QUIET",          "QUERY_SILENT",      "QUERY_SORT_MATCHCOUNT",
        "QUERY_HAS_MATCHCOUNT", "QUERY_HAS_GAMENUMBER", "QUERY_NEEDS_NOTES", "QUERY_NEEDS_TAGS",
        "QUERY_NEEDS_PIECES",   "QUERY_COMMENTS",       "QUERY_SEQUENTIAL",  "QUERY_NEEDS_LAST_NUMBER",
        "QUERY_SIMILAR_PLAIN",  "QUERY_CQLI",           "QUERY_IMAGINARY",   "QUERY_CQL5",
        "QUERY_EXACT_SCREEN",   "QUERY_NEEDS_CLOCKS",   "QUERY_CQL3",        "QUERY_VARIANTS",
        "QUERY_AS_CHESS",       "QUERY_TABLEBASES",     "QUERY_NEEDS_CHECKS"};
    static const char *const result[] = {"1 << RESULT_UNKNOWN", "1 << RESULT_WHITE", "1 << RESULT_BLACK",
                                         "1 << RESULT_DRAW"};
    member_bits(e, "flags", q->flags, flag, sizeof flag / sizeof *flag);
    member_bits(e, "results", q->results, result, sizeof result / sizeof *result);
    member_number(e, "matchcount_low", q->matchcount_low);
    member_number(e, "matchcount_high", q->matchcount_high);
    member_number(e, "gamenumber_low", q->gamenumber_low);
    member_number(e, "gamenumber_high", q->gamenumber_high);
    member_text(e, "matchstring", q->matchstring);
    member_text(e, "input", q->input);
    member_text(e, "output", q->output);
    member_text(e, "similar_file", q->similar_file);
    member_text(e, "comment_part", q->comment_part);
    member_number(e, "slot_count", q->slot_count);
    member_number(e, "persistent_slots", q->persistent_slots);
    member_number(e, "place_cell", q->place_cell);
    member_list(e, "dictionary", q->dictionary_count, "dictionaries");
    member_number(e, "imaginary_levels", q->imaginary_levels);
    member_number(e, "mark_set_count", q->mark_set_count);
    member_list(e, "sort_key", q->sort_key_count, "sort_keys");
    member_list(e, "pattern", q->pattern_count, "patterns");
    member_list(e, "persistent", q->persistent_count, "persistent");
    if (q->tag_atom_count > 0) {
        member_number(e, "tag_atom_count", q->tag_atom_count);
        fprintf(e->out, "        .tag_columns = %stag_columns,\n", e->prefix);
        fprintf(e->out, "        .tag_same = %stag_same,\n", e->prefix);
        member_list(e, "tag_formula", q->tag_formula_count, "tag_formula");
        fprintf(e->out, "        .tag_atom = %stag_atom,\n", e->prefix);
    }
    member_number(e, "tags_decide", q->tags_decide);
    member_number(e, "remembered_count", q->remembered_count);
    if (q->remembered_count > 0)
        fprintf(e->out, "        .remembered = %sremembered,\n", e->prefix);
    fprintf(e->out, "        .match_game = %smatch_game,\n", e->prefix);
    emit_screen_info(e);
    if (e->m->show_function > 0)
        fprintf(e->out, "        .show = %s,\n", emit_function_name(e, e->m->show_function));
    fputs("    },\n", e->out);
}
