// The file of a matcher: the matcher's interface, the primitives, then for each query its literals, tables,
// functions and description, and last the exported function.
#include "emit_internal.h"

#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "template.h"
#include "runtime/value/memory.h"

// ---- names -----------------------------------------------------------------------------------------------

const char *emit_text_name(Emit *e, int text)
{
    e->text_used[text] = true;
    return arena_printf(e->arena, "%sliteral_%d", e->prefix, text);
}

const char *emit_string(Emit *e, int text)
{
    return arena_printf(e->arena, "STRING(%s)", emit_text_name(e, text));
}

const char *emit_table_name(Emit *e, int table)
{
    e->table_used[table] = true;
    return arena_printf(e->arena, "%stable_%d", e->prefix, table);
}

const char *emit_function_name(Emit *e, int function)
{
    if (function == 0)
        return arena_printf(e->arena, "%smatches", e->prefix);
    if (function == e->m->show_function)
        return arena_printf(e->arena, "%sshow", e->prefix);
    const char *name = emit_identifier(e->arena, e->m->function[function]->name);
    return arena_printf(e->arena, "%srun_%s_%d", e->prefix, name, function);
}

static void name_slots(Emit *e)
{
    const Module *m = e->m;
    e->slot_name = arena_alloc(e->arena, sizeof *e->slot_name * (size_t)m->info.slot_count + 1);
    for (int i = 0; i < m->info.slot_count; i++) {
        const char *name = m->slot_name != NULL ? m->slot_name[i] : NULL;
        e->slot_name[i] = name != NULL ? arena_printf(e->arena, "%sslot_%d_%s", e->prefix, i,
                                                      emit_identifier(e->arena, name))
                                       : arena_printf(e->arena, "%sslot_%d", e->prefix, i);
    }
}

// ---- locals ----------------------------------------------------------------------------------------------

static bool binds_local(const Ir *ir)
{
    return ir->op == IR_EACH_SQUARE || ir->op == IR_EACH_POSITION || ir->op == IR_EACH_CHILD;
}

static void count_uses(const Ir *ir, LocalUse *local)
{
    if (ir->op == IR_LOCAL || ir->op == IR_LET || binds_local(ir))
        local[ir->number].uses++;
    else if (ir->op == IR_CALL && ir->out >= 0)
        local[ir->out].uses++;
    for (int i = 0; i < ir->kid_count; i++)
        count_uses(ir->kid[i], local);
}

static int uses_in(const Ir *ir, int local)
{
    int uses = 0;
    if ((ir->op == IR_LOCAL || ir->op == IR_LET || binds_local(ir)) && ir->number == local)
        uses++;
    if (ir->op == IR_CALL && ir->out == local)
        uses++;
    for (int i = 0; i < ir->kid_count; i++)
        uses += uses_in(ir->kid[i], local);
    return uses;
}

static const char *stem_of(IrType type)
{
    switch (type) {
    case IRT_BOOL:
        return "flag";
    case IRT_SET:
        return "set";
    case IRT_STRING:
        return "string";
    case IRT_POSITION:
        return "position";
    default:
        return "number";
    }
}

// Names locals after the loops that bind them and finds those that live inside one loop only.
static void find_loops(Emit *e, const Ir *ir)
{
    if (binds_local(ir)) {
        LocalUse *local = &e->local[ir->number];
        const char *stem = ir->op == IR_EACH_SQUARE  ? "square"
                           : ir->op == IR_EACH_CHILD ? "child"
                                                     : "position";
        local->name = arena_printf(e->arena, "%s_%d", stem, ir->number);
        const Ir *body = ir->kid[ir->kid_count - 1];
        local->in_loop = ir->number >= e->f->parameter_count && uses_in(body, ir->number) + 1 == local->uses;
    }
    for (int i = 0; i < ir->kid_count; i++)
        find_loops(e, ir->kid[i]);
}

static void name_locals(Emit *e)
{
    const IrFunction *f = e->f;
    e->local = arena_alloc(e->arena, sizeof *e->local * (size_t)(f->local_count + 1));
    for (int i = 0; i < f->local_count; i++)
        e->local[i].name = arena_printf(e->arena, "%s_%d", stem_of(f->local[i]), i);
    count_uses(f->body, e->local);
    find_loops(e, f->body);
}

// Where the first thing that the code does with a local is to give it a value, in the outermost block; else
// NULL. No jump leads past that place: jumps are forward, and there is none before it.
static const char *first_value(const char *code, const char *name)
{
    enum { MARGIN = 4 };
    const size_t length = strlen(name);
    const char *place = emit_mentions(code, name, false);
    if (strncmp(place + length, " = ", 3) != 0 || emit_mentions(code, name, true) == NULL)
        return NULL;
    const char *margin = place - MARGIN;
    if (margin < code || strncmp(margin, "    ", MARGIN) != 0 || (margin > code && margin[-1] != '\n'))
        return NULL;
    const char *jump = strstr(code, "goto "), *next = emit_mentions(place + length, name, false);
    if ((jump != NULL && jump < place) || next < strchr(place, ';'))
        return NULL;
    return place;
}

static char *with_inserted(char *code, const char *place, const char *type)
{
    char *longer = memory_format("%.*s%s %s", (int)(place - code), code, type, place);
    free(code);
    return longer;
}

// Locals are declared where they get their first value, or at the top. Returns the code of the body, which
// takes the place of the one given.
static char *declare_locals(Emit *e, char *code)
{
    static const IrType order[] = {IRT_INT, IRT_SET, IRT_STRING};
    for (int t = 0; t < 3; t++)
        for (int i = e->f->parameter_count; i < e->f->local_count; i++) {
            const LocalUse *local = &e->local[i];
            if (local->in_loop || emit_type(e->f->local[i]) != emit_type(order[t]) ||
                !emit_mentions(code, local->name, false))
                continue;
            const char *place = first_value(code, local->name);
            if (place != NULL) {
                code = with_inserted(code, place, emit_type(e->f->local[i]));
                continue;
            }
            emit_line(e, "%s %s = 0;", emit_type(e->f->local[i]), local->name);
            if (!emit_mentions(code, local->name, true))
                emit_line(e, "(void)%s;", local->name);
        }
    return code;
}

// ---- functions -------------------------------------------------------------------------------------------

static const char *signature(Emit *e, int number)
{
    const IrFunction *f = e->m->function[number];
    const char *text =
        arena_printf(e->arena, "static int32_t %s(Context *c, int32_t n, const Position *p, int32_t depth",
                     emit_function_name(e, number));
    for (int i = 0; i < f->parameter_count; i++)
        text = arena_printf(e->arena, "%s, %s %s_%d", text, emit_type(f->local[i]), stem_of(f->local[i]), i);
    return arena_printf(e->arena, "%s)", text);
}

// The code of a body, and in *e what it uses.
static char *body_code(Emit *e, const Ir *body, size_t *length)
{
    FILE *out = e->out;
    char *code;
    e->out = memory_stream(&code, length);
    e->loop = (LoopLabels){NO_LABEL, NO_LABEL};
    e->label_count = 0;
    e->label_used = NULL;
    e->name_count = e->f != NULL ? e->f->local_count : 0;
    e->indent = 1;
    e->line = 0;
    emit_body(e, body);
    fclose(e->out);
    e->out = out;
    return code;
}

static void emit_function(Emit *e, int number)
{
    const IrFunction *f = e->m->function[number];
    const Here here = {"n", "p"};
    e->f = f;
    e->here = &here;
    name_locals(e);
    size_t length;
    char *code = body_code(e, f->body, &length);
    e->indent = 0;
    if (number == 0)
        fputs("// The body of the query at position n.\n", e->out);
    else if (number == e->m->show_function)
        fputs("// Hands over what the query is about at position n, which matches.\n", e->out);
    emit_line(e, "%s", signature(e, number));
    emit_line(e, "{");
    e->indent = 1;
    static const char *const parameter[] = {"c", "n", "p", "depth"};
    for (int i = 0; i < 4; i++)
        if (!emit_mentions(code, parameter[i], false))
            emit_line(e, "(void)%s;", parameter[i]);
    code = declare_locals(e, code);
    fputs(code, e->out);
    free(code);
    e->indent = 0;
    emit_line(e, "}");
    fputc('\n', e->out);
}

static void emit_game_test(Emit *e)
{
    if (e->m->game_test == NULL)
        return;
    const Here here = {"n", "p"};
    e->f = NULL;
    e->here = &here;
    size_t length;
    char *code = body_code(e, e->m->game_test, &length);
    fprintf(e->out,
            "// False: no position of the game can match.\nstatic int32_t %sgame_test(Context *c)\n{\n    "
            "(void)c;\n",
            e->prefix);
    // It may call functions; they use no position.
    if (emit_mentions(code, "depth", false))
        fputs("    const Position *const p = 0;\n    const int32_t n = -1, depth = c->depth;\n", e->out);
    fwrite(code, 1, length, e->out);
    fputs("}\n\n", e->out);
    free(code);
}

static void mark_reachable(const Module *m, const Ir *ir, bool *reachable)
{
    if (ir->op == IR_INVOKE && !reachable[ir->number]) {
        reachable[ir->number] = true;
        mark_reachable(m, m->function[ir->number]->body, reachable);
    }
    for (int i = 0; i < ir->kid_count; i++)
        mark_reachable(m, ir->kid[i], reachable);
}

static void emit_functions(Emit *e)
{
    const Module *m = e->m;
    bool *reachable = arena_alloc(e->arena, (size_t)m->function_count);
    mark_reachable(m, m->function[0]->body, reachable);
    if (m->game_test != NULL)
        mark_reachable(m, m->game_test, reachable);
    if (m->show_function > 0)
        mark_reachable(m, m->function[m->show_function]->body, reachable);
    reachable[0] = reachable[m->show_function] = true;
    e->indent = 0;
    bool declared = false;
    for (int i = 1; i < m->function_count; i++) {
        if (!reachable[i] || i == m->show_function)
            continue;
        emit_line(e, "%s;", signature(e, i));
        declared = true;
    }
    if (declared)
        fputc('\n', e->out);
    for (int i = m->function_count - 1; i >= 0; i--)
        if (reachable[i])
            emit_function(e, i);
}

// ---- data ------------------------------------------------------------------------------------------------

static void emit_text(Emit *e, const char *name, const char *bytes, uint32_t length)
{
    fprintf(e->out, "TEXT(%s, ", name);
    emit_literal(e->out, bytes, length, 1);
    fputs(");\n", e->out);
}

static void emit_texts(Emit *e)
{
    bool any = false;
    for (int i = 0; i < e->m->text_count; i++)
        if (e->text_used[i]) {
            emit_text(e, emit_text_name(e, i), e->m->text[i].bytes, e->m->text[i].length);
            any = true;
        }
    if (any)
        fputc('\n', e->out);
}

static void emit_cell(Emit *e, IrType type, uint64_t cell)
{
    if (type == IRT_SET)
        fprintf(e->out, "0x%016llxULL", (unsigned long long)cell);
    else if (type == IRT_STRING)
        fputs(emit_string(e, (int)cell), e->out);
    else
        fprintf(e->out, (int32_t)cell == INT32_MIN ? "-2147483647 - 1" : "%d", (int)(int32_t)cell);
}

static void emit_table(Emit *e, int number)
{
    const IrTable *t = e->m->table[number];
    fputs("static const struct {\n", e->out);
    for (int column = 0; column < t->column_count; column++)
        fprintf(e->out, "    %s column_%d;\n", emit_type(t->column[column]), column);
    fprintf(e->out, "} %s[%d] = {\n", emit_table_name(e, number), t->row_count ? t->row_count : 1);
    for (int row = 0; row < t->row_count; row++) {
        fputs("    {", e->out);
        for (int column = 0; column < t->column_count; column++) {
            fputs(column ? ", " : "", e->out);
            emit_cell(e, t->column[column], t->cell[row * t->column_count + column]);
        }
        fputs("},\n", e->out);
    }
    fputs(t->row_count ? "};\n\n" : "    {0},\n};\n\n", e->out);
}

static void mark_table_texts(Emit *e)
{
    for (int i = 0; i < e->m->table_count; i++) {
        const IrTable *t = e->m->table[i];
        for (int j = 0; e->table_used[i] && j < t->row_count * t->column_count; j++)
            if (t->column[j % t->column_count] == IRT_STRING)
                e->text_used[t->cell[j]] = true;
    }
}

static void emit_slots(Emit *e)
{
    if (e->m->info.slot_count == 0)
        return;
    fputs("// The state of the query, cells of c->slot.\nenum {\n", e->out);
    for (int i = 0; i < e->m->info.slot_count; i++)
        fprintf(e->out, "    %s = %d,\n", e->slot_name[i], i);
    fputs("};\n\n", e->out);
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

static void emit_lists(Emit *e)
{
    const QueryInfo *q = &e->m->info;
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
    emit_chars(e, text);
    fputs(",\n", e->out);
}

static void member_number(Emit *e, const char *name, int64_t number)
{
    if (number == INT32_MIN)
        fprintf(e->out, "        .%s = -2147483647 - 1,\n", name);
    else if (number)
        fprintf(e->out, "        .%s = %lld,\n", name, (long long)number);
}

static void member_list(Emit *e, const char *name, const char *count_name, int count, const char *list)
{
    if (count == 0)
        return;
    member_number(e, count_name, count);
    fprintf(e->out, "        .%s = %s%s,\n", name, e->prefix, list);
}

static void emit_info(Emit *e)
{
    const QueryInfo *q = &e->m->info;
    fputs("    {\n", e->out);
    member_text(e, "name", q->name);
    member_text(e, "source", q->source);
    member_number(e, "flags", q->flags);
    member_number(e, "results", q->results);
    member_number(e, "matchcount_low", q->matchcount_low);
    member_number(e, "matchcount_high", q->matchcount_high);
    member_number(e, "gamenumber_low", q->gamenumber_low);
    member_number(e, "gamenumber_high", q->gamenumber_high);
    member_text(e, "matchstring", q->matchstring);
    member_text(e, "input", q->input);
    member_text(e, "output", q->output);
    member_text(e, "similar_file", q->similar_file);
    member_number(e, "slot_count", q->slot_count);
    member_number(e, "persistent_slots", q->persistent_slots);
    member_number(e, "place_cell", q->place_cell);
    member_list(e, "dictionary", "dictionary_count", q->dictionary_count, "dictionaries");
    member_number(e, "mark_set_count", q->mark_set_count);
    member_list(e, "sort_key", "sort_key_count", q->sort_key_count, "sort_keys");
    member_list(e, "pattern", "pattern_count", q->pattern_count, "patterns");
    member_list(e, "persistent", "persistent_count", q->persistent_count, "persistent");
    if (e->m->game_test != NULL)
        fprintf(e->out, "        .game_test = %sgame_test,\n", e->prefix);
    fprintf(e->out, "        .match_game = %smatch_game,\n", e->prefix);
    if (e->m->show_function > 0)
        fprintf(e->out, "        .show = %s,\n", emit_function_name(e, e->m->show_function));
    fputs("    },\n", e->out);
}

// ---- the file --------------------------------------------------------------------------------------------

// The template with QUERY_ replaced by the prefix.
static void emit_template(Emit *e, const char *text)
{
    static const char mark[] = "QUERY_";
    for (const char *found; (found = strstr(text, mark)) != NULL; text = found + sizeof mark - 1) {
        fwrite(text, 1, (size_t)(found - text), e->out);
        fputs(e->prefix, e->out);
    }
    fputs(text, e->out);
}

// Functions come out first, into memory: they tell which literals and tables are used.
static void emit_query(Emit *e)
{
    FILE *out = e->out;
    char *code;
    size_t length;
    name_slots(e);
    e->text_used = arena_alloc(e->arena, (size_t)e->m->text_count + 1);
    e->table_used = arena_alloc(e->arena, (size_t)e->m->table_count + 1);
    e->row = arena_alloc(e->arena, sizeof *e->row * (size_t)(e->m->table_count + 1));
    e->out = memory_stream(&code, &length);
    emit_functions(e);
    emit_game_test(e);
    fclose(e->out);
    e->out = out;
    mark_table_texts(e);
    emit_texts(e);
    for (int i = 0; i < e->m->table_count; i++)
        if (e->table_used[i])
            emit_table(e, i);
    emit_slots(e);
    fwrite(code, 1, length, e->out);
    free(code);
    emit_template(e, template_match);
    fputc('\n', e->out);
    emit_patterns(e);
    emit_lists(e);
}

// The queries as comments, then the header.
static void emit_head(FILE *out, Module *const *module, int count, bool standalone)
{
    for (int i = 0; i < count; i++) {
        fprintf(out, "// ");
        emit_shown(out, module[i]->info.name != NULL ? module[i]->info.name : "a query");
        fputs(", compiled by cqlgen\n", out);
        if (module[i]->source != NULL && module[i]->source->text != NULL)
            emit_source(out, module[i]->source);
    }
    if (standalone)
        fprintf(out, "#define CQL_GENERATED\n%s\n", template_header);
    else
        fputs("#include <cqlgen/matcher.h>\n\n", out);
}

char *emit_c(Module *const *module, int count, bool standalone, size_t *length)
{
    char *text;
    Emit *queries = memory_zeroed((size_t)count, sizeof *queries);
    Arena *arena = arena_new();
    FILE *out = memory_stream(&text, length);
    emit_head(out, module, count, standalone);
    for (int i = 0; i < count; i++) {
        queries[i] = (Emit){.arena = arena,
                            .out = out,
                            .m = module[i],
                            .prefix = count > 1 ? arena_printf(arena, "q%d_", i + 1) : ""};
        emit_query(&queries[i]);
    }
    fputs("static const QueryInfo queries[] = {\n", out);
    for (int i = 0; i < count; i++)
        emit_info(&queries[i]);
    fputs("};\n\nEXPORT_QUERIES(queries)\n", out);
    fclose(out);
    arena_free(arena);
    free(queries);
    return text;
}
