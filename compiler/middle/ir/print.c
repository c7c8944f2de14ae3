// Prints IR for people: one operation a line, kids indented, short values in the line.
#include "ir.h"

#include <string.h>

static const char *const type_name[] = {"bool", "int", "set", "string", "position"};
static const char *const mode_name[] = {"each", "any", "all"};
#define FIELD_NAME(name, member) #member,
static const char *const field_name[] = {IR_NODE_FIELD_LIST(FIELD_NAME)};
static const char *const fact_name[] = {"count", "result",    "number",   "last number",
                                        "facts", "white men", "black men"};
static const char *const board_name[BOARD_COUNT] = {
    "empty", "P", "N", "B", "R", "Q", "K", "p", "n", "b", "r", "q", "k", "white", "black", "occupied"};

static void print_text(FILE *out, const IrText *text)
{
    fputc('"', out);
    for (uint32_t i = 0; i < text->length; i++) {
        const unsigned char byte = (unsigned char)text->bytes[i];
        if (byte == '"' || byte == '\\')
            fprintf(out, "\\%c", byte);
        else if (byte < ' ' || byte == 0x7f)
            fprintf(out, "\\x%02x", byte);
        else
            fputc(byte, out);
    }
    fputc('"', out);
}

static void print_slot(FILE *out, const Module *m, int slot)
{
    fprintf(out, " slot %d", slot);
    if (m->slot_name != NULL && m->slot_name[slot] != NULL)
        fprintf(out, " (%s)", m->slot_name[slot]);
}

static void print_number(FILE *out, const Module *m, const Ir *ir)
{
    switch (ir_op_info[ir->op].number) {
    case IR_NUMBER_INT:
        fprintf(out, " %d", ir->number);
        break;
    case IR_NUMBER_TEXT:
        fputc(' ', out);
        print_text(out, &m->text[ir->number]);
        break;
    case IR_NUMBER_LOCAL:
        fprintf(out, " %%%d", ir->number);
        break;
    case IR_NUMBER_SLOT:
        print_slot(out, m, ir->number);
        break;
    case IR_NUMBER_BOARD:
        fprintf(out, " %s%s", board_name[ir->number % BOARD_COUNT],
                ir->number < BOARD_COUNT ? "" : " before the move");
        break;
    case IR_NUMBER_FIELD:
        fprintf(out, " %s", field_name[ir->number]);
        break;
    case IR_NUMBER_FACT:
        fprintf(out, " %s", fact_name[ir->number]);
        break;
    case IR_NUMBER_CALL:
        fprintf(out, " %s", ir_call_info[ir->number].name);
        break;
    case IR_NUMBER_FUNCTION:
        fprintf(out, " %s", m->function[ir->number]->name);
        break;
    case IR_NUMBER_PLACE:
        fprintf(out, " %d:%d", ir->number / PLACE_COLUMNS, ir->number % PLACE_COLUMNS);
        break;
    }
}

static void print_details(FILE *out, const Module *m, const Ir *ir)
{
    print_number(out, m, ir);
    if (ir->op == IR_SET)
        fprintf(out, " %016llx", (unsigned long long)ir->set);
    else if (ir->op == IR_STEP)
        fprintf(out, " files %+d ranks %+d", ir->number, ir->low);
    else if (ir->op == IR_SHIFT_RIGHT)
        fprintf(out, " by %d", ir->number);
    else if (ir->op == IR_CALL && ir->out >= 0)
        fprintf(out, " to %%%d", ir->out);
    else if (ir->op == IR_RAISE)
        fprintf(out, " %d ", ir->number);
    if (ir->op == IR_RAISE && ir->low >= 0)
        print_text(out, &m->text[ir->low]);
    if (ir_is_loop(ir) && ir->low > 0)
        fprintf(out, " where condition %d", ir->low); // the name of its function
    if (ir_is_loop(ir))
        fprintf(out, " %s", mode_name[ir->mode]);
}

static bool is_leaf(const Ir *ir)
{
    return ir->kid_count == 0;
}

static bool is_short(const Ir *ir)
{
    int size = 0;
    for (int i = 0; i < ir->kid_count; i++) {
        const Ir *kid = ir->kid[i];
        size += 1 + kid->kid_count;
        for (int j = 0; j < kid->kid_count; j++)
            if (!is_leaf(kid->kid[j]))
                return false;
    }
    return size <= 5;
}

static void print_inline(FILE *out, const Module *m, const Ir *ir)
{
    fputs(ir_op_info[ir->op].name, out);
    print_details(out, m, ir);
    if (is_leaf(ir))
        return;
    fputc('(', out);
    for (int i = 0; i < ir->kid_count; i++) {
        if (i)
            fputs(", ", out);
        print_inline(out, m, ir->kid[i]);
    }
    fputc(')', out);
}

static void print_tree(FILE *out, const Module *m, const Ir *ir, int indent)
{
    enum { DEEPEST = 60 }; // from here on a number shows the level
    if (indent > DEEPEST)
        fprintf(out, "%*s(%d) ", 2 * DEEPEST, "", indent);
    else
        fprintf(out, "%*s", 2 * indent, "");
    if (is_short(ir)) {
        print_inline(out, m, ir);
        fputc('\n', out);
        return;
    }
    fputs(ir_op_info[ir->op].name, out);
    print_details(out, m, ir);
    fputc('\n', out);
    for (int i = 0; i < ir->kid_count; i++)
        print_tree(out, m, ir->kid[i], indent + 1);
}

static void print_function(FILE *out, const Module *m, const IrFunction *f)
{
    fprintf(out, "function %s()\n", f->name);
    for (int i = 0; i < f->local_count; i++)
        fprintf(out, "  local %s %%%d\n", type_name[f->local[i]], i);
    print_tree(out, m, f->body, 1);
}

static bool is_same_everywhere(Ir *const at[SCREEN_PLACES])
{
    return ir_equal(at[SCREEN_START], at[SCREEN_WHITE_MOVED]) &&
           ir_equal(at[SCREEN_START], at[SCREEN_BLACK_MOVED]);
}

static void print_screen(FILE *out, const Module *m)
{
    static const char *const place[] = {"at the start", "after a move of White", "after a move of Black"};
    fputs(m->screen->is_exact ? "screen: the positions that match\n" : "screen: each is true somewhere\n",
          out);
    for (int i = 0; i < m->screen->count; i++) {
        Ir *const *at = m->screen->condition[i];
        fprintf(out, "  condition %d\n", i + 1);
        for (int k = 0; k < (is_same_everywhere(at) ? 1 : SCREEN_PLACES); k++) {
            fprintf(out, "    %s\n", is_same_everywhere(at) ? "everywhere" : place[k]);
            print_tree(out, m, at[k], 3);
        }
    }
}

void ir_print(FILE *out, const Module *m)
{
    for (int i = 0; i < m->function_count; i++)
        print_function(out, m, m->function[i]);
    if (m->screen != NULL)
        print_screen(out, m);
}
