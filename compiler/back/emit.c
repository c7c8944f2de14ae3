// The file of a matcher: the queries as comments, the header, then for each query its data, functions and description.
#include "emit_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "template.h"
#include "runtime/value/account.h"
#include "runtime/value/memory.h"

// ---- functions -------------------------------------------------------------------------------------------

// e->f is the function.
static const char *signature(Emit *e, int number)
{
    return arena_printf(e->arena,
                        "static int32_t %s(Context *c, int32_t n, const Position *p, int32_t depth)",
                        emit_function_name(e, number));
}

static void begin_function(Emit *e, int number)
{
    e->f = e->m->function[number];
    emit_name_locals(e);
}

// The statements of a body, with what is declared before them.
static Code *body_code(Emit *e, const Ir *body)
{
    const Here here = {emit_word("n"), emit_word("p")};
    e->here = &here;
    e->loop = (LoopLabels){NO_LABEL, NO_LABEL};
    e->label_count = 0;
    e->label = NULL;
    e->line = 0;
    e->state = (Variable){.name = "state"};
    e->depth = (Variable){.name = "depth"};
    Code *code = emit_body(e, body);
    emit_declare_locals(e, code);
    return code;
}

static void print_body(Emit *e, const Code *code)
{
    if (e->state.is_used)
        fprintf(e->out, "    %s *const state = (%s *)c->slot;\n", e->state_type, e->state_type);
    emit_print(e, code, 1);
    fputs("}\n\n", e->out);
}

static void explain_function(Emit *e, int number)
{
    const IrFunction *f = e->f;
    if (number == 0)
        fputs("// The body of the query at position n.\n", e->out);
    else if (number == e->m->show_function)
        fputs("// Reports the squares and moves that the query is about at position n, which matches.\n",
              e->out);
    else if (f->comment != NULL || f->place != 0)
        emit_quoted(e->out, 0, e->m->source, e->m->source != NULL ? f->place / PLACE_COLUMNS : 0, f->comment);
}

static void emit_function(Emit *e, int number)
{
    begin_function(e, number);
    explain_function(e, number);
    emit_wrapped(e->out, 0, signature(e, number));
    fputs("{\n", e->out);
    print_body(e, body_code(e, e->f->body));
}

// A function that returns what one of `functions` does, by its parameter `which`; `arguments` are theirs.
static void emit_choice(Emit *e, const int *functions, int count, const char *comment, const char *signature,
                        const char *which, const char *arguments)
{
    if (count == 0)
        return;
    fprintf(e->out, "// %s\nstatic int32_t %s%s\n{\n", comment, e->prefix, signature);
    if (count > 1)
        fprintf(e->out, "    switch (%s) {\n", which);
    for (int i = 0; i < count; i++) {
        if (count > 1)
            fputs(i + 1 < count ? arena_printf(e->arena, "    case %d:\n    ", i) : "    default:\n    ",
                  e->out);
        fprintf(e->out, "    return %s(%s);\n", emit_function_name(e, functions[i]), arguments);
    }
    fputs(count > 1 ? "    }\n}\n\n" : "}\n\n", e->out);
}

// A function whose calls are being visited.
typedef struct Open {
    int number, first, next, end; // its calls: a part of Order.call
} Open;

// Functions in the order in which they are written: those that a function calls before it. A path calls a function for each
// of its moves, so the way to a function is kept in a list and not on the stack.
typedef struct Order {
    const Module *m;
    int *function;
    int count;
    enum { UNSEEN, BEGUN, DONE } * state;
    bool *called_early; // before its definition: it calls itself
    Open *open;
    int open_count;
    int *call; // of the open functions
    size_t call_count, call_capacity;
} Order;

static void list_calls(Order *o, const Ir *ir)
{
    for (int i = 0; i < ir->kid_count; i++)
        list_calls(o, ir->kid[i]);
    if (ir->op != IR_INVOKE)
        return;
    o->call = account_grow(o->call, &o->call_capacity, o->call_count + 1, sizeof *o->call);
    o->call[o->call_count++] = ir->number;
}

static void begin_visit(Order *o, int number)
{
    o->called_early[number] |= o->state[number] == BEGUN;
    if (o->state[number] != UNSEEN)
        return;
    o->state[number] = BEGUN;
    Open *open = &o->open[o->open_count++];
    *open = (Open){.number = number, .first = (int)o->call_count, .next = (int)o->call_count};
    list_calls(o, o->m->function[number]->body);
    open->end = (int)o->call_count;
}

static void visit_function(Order *o, int number)
{
    begin_visit(o, number);
    while (o->open_count > 0) {
        Open *open = &o->open[o->open_count - 1];
        if (open->next < open->end) {
            begin_visit(o, o->call[open->next++]);
            continue;
        }
        o->state[open->number] = DONE;
        o->function[o->count++] = open->number;
        o->call_count = (size_t)open->first;
        o->open_count--;
    }
}

static void emit_functions(Emit *e)
{
    const Module *m = e->m;
    const size_t count = (size_t)m->function_count;
    Order o = {.m = m,
               .function = arena_alloc(e->arena, sizeof *o.function * count),
               .state = arena_alloc(e->arena, sizeof *o.state * count),
               .open = arena_alloc(e->arena, sizeof *o.open * count),
               .called_early = arena_alloc(e->arena, count)};
    for (int i = 0; i < m->info.tag_atom_count; i++)
        visit_function(&o, m->tag_atom[i]);
    for (int i = 0; i < m->info.remembered_count; i++)
        visit_function(&o, m->remembered[i]);
    visit_function(&o, 0);
    if (m->show_function > 0)
        visit_function(&o, m->show_function);
    account_free(o.call);
    bool declared = false;
    for (int i = 0; i < o.count; i++) {
        if (!o.called_early[o.function[i]])
            continue;
        begin_function(e, o.function[i]);
        emit_wrapped(e->out, 0, arena_printf(e->arena, "%s;", signature(e, o.function[i])));
        declared = true;
    }
    fputs(declared ? "\n" : "", e->out);
    for (int i = 0; i < o.count; i++)
        emit_function(e, o.function[i]);
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

static void reserve_names(Emit *e)
{
    static const char *const name[] = {"match_game",  "tag_same",   "patterns",  "dictionaries",
                                       "sort_keys",   "persistent", "tag_atom",  "tag_columns",
                                       "tag_formula", "screen",     "remembered"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        emit_file_name(e, name[i]);
    emit_unique_name(e, &e->names, "queries");
    emit_function_name(e, 0);
    if (e->m->show_function > 0)
        emit_function_name(e, e->m->show_function);
}

// Functions come out first, into memory: they name the strings that they use.
static void emit_query(Emit *e)
{
    const Module *m = e->m;
    FILE *out = e->out;
    char *code;
    size_t length;
    e->text_name = arena_alloc(e->arena, sizeof *e->text_name * (size_t)(m->text_count + 1));
    e->function_name = arena_alloc(e->arena, sizeof *e->function_name * (size_t)(m->function_count + 1));
    reserve_names(e);
    emit_name_state(e);
    e->out = memory_stream(&code, &length);
    emit_functions(e);
    emit_choice(e, e->m->tag_atom, e->m->info.tag_atom_count,
                "Whether an atom of the condition on tags is true.", "tag_atom(Context *c, int32_t atom)",
                "atom", "c, -1, 0, c->depth");
    emit_choice(e, e->m->remembered, e->m->info.remembered_count,
                "Whether a remembered condition is true at position n.",
                "remembered(Context *c, int32_t condition, int32_t n)", "condition",
                "c, n, c->position[n], c->depth");
    emit_screen(e);
    FILE *const body = e->out;
    fflush(body);
    e->out = out;
    emit_strings(e);
    emit_state(e);
    fwrite(code, 1, length, e->out);
    fclose(body);
    free(code);
    emit_template(e, template_match);
    fputc('\n', e->out);
    emit_lists(e);
}

// How much code there is for a C compiler, in nodes of the usual size.
static int node_count(const Ir *ir)
{
    enum { PIN = 10 };
    int count = ir->op == IR_CALL && ir->number == IR_CALL_pin ? PIN : 1;
    for (int i = 0; i < ir->kid_count; i++)
        count += node_count(ir->kid[i]);
    return count;
}

// So large that C compilers take long for it when the primitives are inlined.
static bool is_large(const Module *m)
{
    enum { LARGE = 1000 };
    int count = 0;
    for (int i = 0; i < m->function_count && count <= LARGE; i++)
        count += node_count(m->function[i]->body);
    return count > LARGE;
}

// The same for the attacks of its screen.
static bool has_large_screen(const Module *m)
{
    enum { LARGE = 1500 };
    return m->screen != NULL && emit_screen_cost(m->screen) > LARGE;
}

// The queries as comments, then the header.
static void emit_head(FILE *out, Module *const *module, int count, HeaderForm header)
{
    for (int i = 0; i < count; i++) {
        fprintf(out, "// ");
        const char *name = module[i]->info.name != NULL ? module[i]->info.name : "a query";
        emit_shown(out, name, strlen(name));
        fputs(", compiled by cqlgen\n", out);
        if (module[i]->source != NULL && module[i]->source->text != NULL)
            emit_source(out, module[i]->source);
    }
    bool large = false, large_screen = false;
    for (int i = 0; i < count; i++) {
        large = large || is_large(module[i]);
        large_screen = large_screen || has_large_screen(module[i]);
    }
    fputs(large ? "#define CQL_LARGE // primitives are called instead of inlined\n" : "", out);
    fputs(large_screen ? "#define CQL_LARGE_SCREEN // likewise those of screens\n" : "", out);
    if (header == HEADER_INCLUDED)
        fputs("#include <cqlgen/matcher.h>\n\n", out);
    else
        fprintf(out, "#define CQL_GENERATED\n%s\n",
                header == HEADER_BARE ? template_bare_header : template_header);
}

// ---- calls that are not made ------------------------------------------------------------------------------

enum { NAME_CLASSES = 1024 };

// A number below NAME_CLASSES by the name at p.
static unsigned name_class(const char *p)
{
    unsigned hash = 0;
    for (; emit_is_word(*p); p++)
        hash = hash * 31 + (unsigned char)*p;
    return hash % NAME_CLASSES;
}

// Is the line at p a member of Runtime that is called by no name of these classes?
static bool is_unused_call(const char *p, const bool used[NAME_CLASSES])
{
    const char *name = strstr(p, "(*");
    return name != NULL && name < strchr(p, '\n') && !used[name_class(name + 2)];
}

// Replaces calls of Runtime that a text with HEADER_BARE does not make by pointers of the same size: libtcc takes a fifth of
// its time for a short query to read their prototypes. Returns the length that is left.
static size_t leave_out_calls(char *text, size_t length)
{
    static const char begin[] = "\ntypedef struct Runtime {\n"; // a query in the comments cannot begin a line
    bool used[NAME_CLASSES] = {false};
    char *to = strstr(text, begin) + strlen(begin);
    const char *line = to;
    for (const char *p = text; (p = strstr(p, "rt->")) != NULL;) {
        p += strlen("rt->");
        used[name_class(p)] = true;
    }
    for (int run = 0; *line != '}'; run++) {
        char pointers[64];
        const char *next = line;
        int calls = 0;
        for (; is_unused_call(next, used); calls++)
            next = strchr(next, '\n') + 1;
        const int size = snprintf(pointers, sizeof pointers, "    void *unused_%d[%d];\n", run, calls);
        const bool shorter = size < next - line; // than prototypes, so that it fits
        if (calls == 0)
            next = strchr(line, '\n') + 1;
        const size_t written = shorter ? (size_t)size : (size_t)(next - line);
        memmove(to, shorter ? pointers : line, written);
        to += written;
        line = next;
    }
    const size_t rest = length - (size_t)(line - text);
    memmove(to, line, rest + 1);
    return (size_t)(to - text) + rest;
}

char *emit_c(Module *const *module, int count, HeaderForm header, size_t *length, size_t *own)
{
    char *text;
    Emit *queries = account_new((size_t)count, sizeof *queries);
    Arena *arena = arena_new();
    FILE *out = memory_stream(&text, length);
    emit_head(out, module, count, header);
    for (int i = 0; i < count; i++) {
        ir_forget_notes(module[i]);
        queries[i] = (Emit){.arena = arena,
                            .out = out,
                            .m = module[i],
                            .is_read = header != HEADER_BARE,
                            .prefix = count > 1 ? arena_printf(arena, "q%d_", i + 1) : ""};
    }
    if (count > 1)
        emit_group_screens(queries, count);
    for (int i = 0; i < count; i++)
        emit_query(&queries[i]);
    emit_shared_screens(queries, count);
    fputs("static const QueryInfo queries[] = {\n", out);
    for (int i = 0; i < count; i++) {
        emit_info(&queries[i]);
        account_free(queries[i].buffer);
    }
    fputs("};\n\nEXPORT_QUERIES(queries)\n", out);
    fclose(out);
    if (header == HEADER_BARE) {
        if (own != NULL)
            *own = *length - strlen(template_bare_header);
        *length = leave_out_calls(text, *length);
    }
    arena_free(arena);
    account_free(queries);
    return text;
}
