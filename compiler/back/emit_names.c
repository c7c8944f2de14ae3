// Names in emitted C. Names that come from the query or the lowering are made identifiers; things without a name are
// named after their value. A name that is already used gets a number.
#include "emit_internal.h"
#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "template.h"

#include <stdlib.h>
#include <string.h>

// ---- sets of names ---------------------------------------------------------------------------------------

static Name *entry(Arena *a, Names *names, const char *text)
{
    const int number = text_map_number(a, &names->number, text, (uint32_t)strlen(text), NULL);
    if (number == names->count)
        ARENA_PUSH(a, names->name, names->count, (Name){.next = 2});
    return &names->name[number];
}

// again: the name may have been used in an earlier block.
static const char *free_name(Emit *e, Names *names, const char *stem, bool again)
{
    const char *text = stem;
    for (;;) {
        Name *name = entry(e->arena, names, text);
        if (!name->held && (again || !name->used) &&
            (names == &e->names || !entry(e->arena, &e->names, text)->held)) {
            name->held = name->used = true;
            return text;
        }
        text = arena_printf(e->arena, "%s_%d", stem, entry(e->arena, names, stem)->next++);
    }
}

const char *emit_unique_name(Emit *e, Names *names, const char *stem)
{
    return free_name(e, names, stem, false);
}

const char *emit_own_name(Emit *e, const char *stem)
{
    const char *text = free_name(e, &e->own, stem, true);
    ARENA_PUSH(e->arena, e->own.of_block, e->own.of_block_count, text);
    return text;
}

Variable *emit_new_variable(Emit *e, const char *stem)
{
    Variable *v = arena_alloc(e->arena, sizeof *v);
    v->name = emit_own_name(e, stem);
    return v;
}

const char *emit_file_name(Emit *e, const char *stem)
{
    return emit_unique_name(e, &e->names, arena_printf(e->arena, "%s%s", e->prefix, stem));
}

void emit_enter(Emit *e)
{
    ARENA_PUSH(e->arena, e->own.block, e->own.block_count, e->own.of_block_count);
}

void emit_leave(Emit *e)
{
    const int first = e->own.block[--e->own.block_count];
    while (e->own.of_block_count > first) {
        const char *text = e->own.of_block[--e->own.of_block_count];
        entry(e->arena, &e->own, text)->held = false;
        const char *number = strrchr(text, '_');
        if (number != NULL)
            entry(e->arena, &e->own, arena_copy(e->arena, text, (size_t)(number - text)))->next = 2;
    }
}

// ---- identifiers -----------------------------------------------------------------------------------------

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

// Words of C, macros that compilers or <stdint.h> define, and parameters of emitted functions.
static bool is_taken(const char *name)
{
    static const char words[] =
        " asm auto break case char const constexpr continue default do double else enum extern false float "
        "for goto if "
        "inline int long nullptr register restrict return short signed sizeof static struct switch true "
        "typedef typeof "
        "union unsigned void volatile while bool alignas alignof static_assert thread_local linux unix i386 "
        "c n p depth state ";
    char *word = memory_format(" %s ", name);
    const bool is_word = strstr(words, word) != NULL;
    free(word);
    return is_word || ends_with(name, "_MAX") || ends_with(name, "_MIN") || ends_with(name, "_C") ||
           ends_with(name, "_WIDTH") ||
           bsearch(&name, template_words, (size_t)template_word_count, sizeof name, ascii_compare) != NULL;
}

const char *emit_safe_name(Emit *e, const char *name)
{
    enum { LONGEST = 40 };
    size_t length = strlen(name);
    length = length < LONGEST ? length : LONGEST;
    char *text = arena_copy(e->arena, name, length);
    for (char *c = text; *c; c++)
        if (!emit_is_word(*c))
            *c = '_';
    // Names that begin with an underscore are the compiler's.
    const bool begins_well = text[0] != 0 && text[0] != '_' && !(text[0] >= '0' && text[0] <= '9');
    const char *safe = begins_well ? text : arena_printf(e->arena, "x%s", text);
    return is_taken(safe) ? arena_printf(e->arena, "%s_", safe) : safe;
}

// ---- of the file -----------------------------------------------------------------------------------------

// A string is named after its content, if that is a word.
const char *emit_text_name(Emit *e, int text)
{
    enum { LONGEST = 24 };
    if (e->text_name[text] != NULL)
        return e->text_name[text];
    const IrText *t = &e->m->text[text];
    bool is_plain = t->length > 0 && t->length <= LONGEST;
    for (uint32_t i = 0; i < t->length && is_plain; i++)
        is_plain = emit_is_word(t->bytes[i]) || t->bytes[i] == ' ';
    uint32_t length = t->length;
    while (is_plain && length > 0 && !is_letter(t->bytes[length - 1]) && !is_digit(t->bytes[length - 1]))
        length--;
    const char *stem = is_plain ? arena_printf(e->arena, "text_%.*s", (int)length, t->bytes) : "text";
    return e->text_name[text] = emit_file_name(e, emit_safe_name(e, stem));
}

const char *emit_string(Emit *e, int text)
{
    return arena_printf(e->arena, "STRING(%s)", emit_text_name(e, text));
}

const char *emit_function_name(Emit *e, int function)
{
    if (e->function_name[function] == NULL)
        e->function_name[function] = emit_file_name(
            e, function == 0                     ? "matches"
               : function == e->m->show_function ? "show"
                                                 : emit_safe_name(e, e->m->function[function]->name));
    return e->function_name[function];
}

const char *emit_type(IrType type)
{
    return type == IRT_SET ? "Bitboard" : type == IRT_STRING ? "String" : "int32_t";
}

static const char *stem_of_type(IrType type)
{
    static const char *const stem[] = {[IRT_BOOL] = "flag",
                                       [IRT_INT] = "number",
                                       [IRT_SET] = "squares",
                                       [IRT_STRING] = "string",
                                       [IRT_POSITION] = "position"};
    return stem[type];
}

Expr emit_cell(Emit *e, int slot, IrType type)
{
    enum { SEVERAL = -2 };
    const char *member = type == IRT_SET ? ".s" : type == IRT_STRING ? ".t" : ".i";
    return emit_primary(e, "%v->%s%s", &e->state, e->slot_name[slot],
                        e->slot_type[slot] == SEVERAL ? member : "");
}

// ---- locals ----------------------------------------------------------------------------------------------

// Strings and tables are named when they are first used, so locals avoid such names.
static const char *safe_local_name(Emit *e, const char *name)
{
    const bool is_file_name = strncmp(name, "text", 4) == 0 || strncmp(name, "table", 5) == 0;
    return emit_safe_name(e, is_file_name ? arena_printf(e->arena, "x_%s", name) : name);
}

static const char *stem_of_value(Emit *e, const Ir *value)
{
    switch ((IrOp)value->op) {
    case IR_BOARD:
        return emit_board_word(e->arena, value->number, false);
    case IR_COUNT:
        return "count";
    case IR_FIRST:
        return "square";
    case IR_CALL:
        return safe_local_name(e, ir_call_info[value->number].name);
    case IR_SLOT:
        return arena_printf(e->arena, "old_%s", e->slot_name[value->number]);
    default:
        return NULL;
    }
}

// A local is named after the source of its first value, unless the query names it.
static void note_source(Local *local, const char *stem)
{
    if (local->stem == NULL)
        local->stem = stem;
}

void emit_note_flag(const Emit *e, Flag *flag, const Ir *value)
{
    const bool is_bool = value->type == IRT_BOOL ||
                         (value->op == IR_INT_OF && value->kid[0]->type == IRT_BOOL) ||
                         (value->op == IR_INT && (value->number == 0 || value->number == 1)) ||
                         (value->op == IR_SLOT && e->slot_flag[value->number] == FLAG_YES);
    *flag = is_bool && *flag != FLAG_NO ? FLAG_YES : FLAG_NO;
}

static void find_uses(Emit *e, const Ir *ir)
{
    const int written = ir_written_local(ir);
    if (ir->op == IR_LOCAL)
        e->local[ir->number].uses++;
    if (written >= 0) {
        e->local[written].uses++;
        e->local[written].writes++;
    }
    if (ir->op == IR_LET)
        emit_note_flag(e, &e->local[written].flag, ir->kid[0]);
    else if (written >= 0)
        e->local[written].flag = FLAG_NO;
    const char *call = ir->op == IR_CALL ? ir_call_info[ir->number].name : "";
    if (ir->op == IR_LET)
        note_source(&e->local[written], stem_of_value(e, ir->kid[0]));
    else if (ir->op == IR_CALL && written >= 0)
        note_source(&e->local[written], safe_local_name(e, arena_copy(e->arena, call, strcspn(call, "_"))));
    else if (ir_is_loop(ir))
        note_source(&e->local[written], ir->op == IR_EACH_SQUARE  ? "square"
                                        : ir->op == IR_EACH_CHILD ? "child"
                                                                  : "position");
    for (int i = 0; i < ir->kid_count; i++)
        find_uses(e, ir->kid[i]);
}

// Visits the nodes in the order of find_uses. seen: by local, its uses so far.
static void find_loops(Emit *e, const Ir *ir, int *seen)
{
    const int written = ir_written_local(ir), local = ir->op == IR_LOCAL ? ir->number : written;
    if (local >= 0)
        seen[local]++;
    for (int i = 0; i < ir->kid_count - 1; i++)
        find_loops(e, ir->kid[i], seen);
    const int before = local >= 0 ? seen[local] : 0;
    if (ir->kid_count > 0)
        find_loops(e, ir->kid[ir->kid_count - 1], seen);
    if (ir_is_loop(ir)) {
        Local *bound = &e->local[local];
        bound->in_loop = seen[local] - before + 1 == bound->uses;
        bound->is_square = bound->in_loop && ir->op == IR_EACH_SQUARE;
    }
}

void emit_name_locals(Emit *e)
{
    const IrFunction *f = e->f;
    e->own = (Names){0};
    e->local = arena_alloc(e->arena, sizeof *e->local * (size_t)(f->local_count + 1));
    for (int i = 0; i < f->local_name_count; i++)
        if (f->local_name[i] != NULL)
            e->local[i].stem = safe_local_name(e, f->local_name[i]);
    find_uses(e, f->body);
    find_loops(e, f->body, arena_alloc(e->arena, sizeof(int) * (size_t)(f->local_count + 1)));
}

// Named when first mentioned, so that numbers rise in reading order.
Variable *emit_local(Emit *e, int number)
{
    Local *local = &e->local[number];
    const IrType type = local->flag == FLAG_YES ? IRT_BOOL : e->f->local[number];
    const char *stem = local->stem != NULL ? local->stem : stem_of_type(type);
    Variable *v = &local->variable;
    if (v->name != NULL)
        return v;
    v->name = local->in_loop ? emit_own_name(e, stem) : emit_unique_name(e, &e->own, stem);
    if (!local->in_loop)
        v->type = emit_type(e->f->local[number]);
    return v;
}
