// The code of a function as a tree of statements. It is printed when all statements are known, with the declarations
// that emit_locals.c chooses.
#include "emit_internal.h"

#include <string.h>

enum { WIDTH = 110 };

// ---- building --------------------------------------------------------------------------------------------

Code *emit_code_new(Emit *e)
{
    Code *code = arena_alloc(e->arena, sizeof *code);
    code->end = &code->first;
    return code;
}

static Statement *add_statement(Emit *e, StatementKind kind)
{
    Statement *s = arena_alloc(e->arena, sizeof *s);
    s->kind = kind;
    s->code = e->code;
    *e->code->end = s;
    e->code->end = &s->next;
    return s;
}

static void use_all(const Mentions *m)
{
    for (; m != NULL; m = m->right) {
        if (m->variable != NULL)
            m->variable->is_used = true;
        use_all(m->left);
    }
}

static Statement *contains(Statement *s, Expr x)
{
    s->text = x.text;
    s->mentions = x.mentions;
    use_all(x.mentions);
    return s;
}

Statement *emit_line(Emit *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const Expr x = emit_vformat(e, STRENGTH_PRIMARY, format, arguments);
    va_end(arguments);
    return contains(add_statement(e, LINE), x);
}

void emit_assignment(Emit *e, const char *type, Variable *variable, Expr value)
{
    Statement *s = emit_line(e, " = %e;", value);
    s->assigned = variable;
    s->type = type;
    variable->is_used = true;
    variable->assignments++;
}

Statement *emit_blank(Emit *e)
{
    return add_statement(e, LINE);
}

void emit_fill(Emit *e, Statement *blank, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    contains(blank, emit_vformat(e, STRENGTH_PRIMARY, format, arguments));
    va_end(arguments);
}

// Opens the block of the statement; statements are added there until emit_close.
static Code *begin_block(Emit *e, Statement *s)
{
    Code *block = emit_code_new(e);
    block->in = s;
    block->depth = e->code->depth + 1;
    block->repeats = s->kind == LOOP || e->code->repeats;
    e->code = block;
    emit_enter(e);
    return block;
}

void emit_if(Emit *e, Expr condition)
{
    Statement *s = contains(add_statement(e, IF), condition);
    s->body = begin_block(e, s);
}

void emit_else(Emit *e)
{
    Statement *s = e->code->in;
    emit_close(e);
    s->other = begin_block(e, s);
}

void emit_loop(Emit *e, const char *head, ...)
{
    va_list arguments;
    va_start(arguments, head);
    Statement *s = contains(add_statement(e, LOOP), emit_vformat(e, STRENGTH_PRIMARY, head, arguments));
    va_end(arguments);
    s->body = begin_block(e, s);
}

void emit_close(Emit *e)
{
    emit_leave(e);
    e->code = e->code->in->code;
}

void emit_jump(Emit *e, int label)
{
    if (e->label[label].name == NULL)
        e->label[label].name = emit_unique_name(e, &e->own, "next");
    emit_line(e, "goto %s;", e->label[label].name)->label = label;
}

// All jumps are forward: whether a label is needed is known when its place is reached.
void emit_label(Emit *e, int label)
{
    if (e->label[label].name != NULL)
        add_statement(e, LABEL)->label = label;
}

void emit_comment(Emit *e, int line, const char *note)
{
    const bool has_line = line != e->line && line > 0 && e->m->source != NULL && e->m->source->text != NULL;
    if ((!has_line && note == NULL) || !e->is_read)
        return;
    Statement *s = add_statement(e, COMMENT);
    s->text = note;
    s->line = has_line ? line : 0;
    e->line = has_line ? line : e->line;
}

// ---- printing --------------------------------------------------------------------------------------------

static bool is_nothing(const Statement *s)
{
    return s->kind == LINE && s->text == NULL && s->declared == NULL;
}

static const Statement *skip_blanks(const Statement *s)
{
    while (s != NULL && is_nothing(s))
        s = s->next;
    return s;
}

// The only statement of a block, or NULL.
static const Statement *only_statement(const Code *code)
{
    const Statement *s = skip_blanks(code->first);
    return s != NULL && skip_blanks(s->next) == NULL && s->declared == NULL ? s : NULL;
}

// One line that needs no braces.
static bool is_single(const Code *code, int indent)
{
    const Statement *s = only_statement(code);
    if (s == NULL || s->kind != LINE || s->type != NULL)
        return false;
    const size_t target = s->assigned != NULL ? strlen(s->assigned->name) : 0;
    return 4 * (size_t)indent + target + strlen(s->text) <= WIDTH;
}

static void print_if(const Emit *e, const Statement *s, int indent, const char *before)
{
    const Statement *chained = s->other != NULL ? only_statement(s->other) : NULL;
    const bool chain = chained != NULL && chained->kind == IF;
    const bool bare =
        is_single(s->body, indent + 1) && (s->other == NULL || chain || is_single(s->other, indent + 1));
    emit_wrapped(e->out, indent, arena_printf(e->arena, "%sif (%s)%s", before, s->text, bare ? "" : " {"));
    emit_print(e, s->body, indent + 1);
    if (chain) {
        print_if(e, chained, indent, bare ? "else " : "} else ");
        return;
    }
    if (s->other != NULL) {
        emit_wrapped(e->out, indent, bare ? "else" : "} else {");
        emit_print(e, s->other, indent + 1);
    }
    if (!bare)
        emit_wrapped(e->out, indent, "}");
}

static void print_line(const Emit *e, const Statement *s, int indent)
{
    const char *text = s->text;
    if (text == NULL)
        return; // only declarations
    if (s->assigned != NULL)
        text = arena_printf(e->arena, "%s%s%s%s", s->type != NULL ? s->type : "", s->type != NULL ? " " : "",
                            s->assigned->name, text);
    emit_wrapped(e->out, indent, text);
}

static void print_statement(const Emit *e, const Statement *s, int indent)
{
    switch (s->kind) {
    case LINE:
        print_line(e, s, indent);
        break;
    case IF:
        print_if(e, s, indent, "");
        break;
    case LOOP:
        emit_wrapped(e->out, indent, arena_printf(e->arena, "%s {", s->text));
        emit_print(e, s->body, indent + 1);
        emit_wrapped(e->out, indent, "}");
        break;
    case LABEL:
        emit_wrapped(e->out, indent - 1, arena_printf(e->arena, "%s:;", e->label[s->label].name));
        break;
    case COMMENT:
        emit_quoted(e->out, indent, e->m->source, s->line, s->text);
        break;
    }
}

void emit_print(const Emit *e, const Code *code, int indent)
{
    for (const Statement *s = code->first; s != NULL; s = s->next) {
        for (const Variable *v = s->declared; v != NULL; v = v->next_declared)
            emit_wrapped(e->out, indent, arena_printf(e->arena, "%s %s = 0;", v->type, v->name));
        print_statement(e, s, indent);
    }
}
