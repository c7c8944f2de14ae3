// What a screen remembers of the squares of the kings, which move rarely: the lines through them and sets that depend on
// nothing else.
#include "emit_lanes.h"

enum { FEW_OPERATIONS = 8 };

static bool is_king(const Ir *tree, int colour)
{
    return tree->op == IR_BOARD && tree->number == (colour == WHITE ? WHITE_KING : BLACK_KING);
}

// The number of operations of a set that depends on that king alone; 0: it is something else.
static int operations_on(const Ir *tree, int colour)
{
    if (tree->op == IR_SET || is_king(tree, colour))
        return 1;
    if (!ir_is_algebra(tree))
        return 0;
    int sum = ir_own_cost(tree);
    for (int i = 0; i < tree->kid_count; i++) {
        const int kid = operations_on(tree->kid[i], colour);
        if (kid == 0)
            return 0;
        sum += kid;
    }
    return sum;
}

static bool is_line(const Ir *tree, int colour)
{
    return (tree->op == IR_STRAIGHT || tree->op == IR_DIAGONAL) && is_king(tree->kid[0], colour);
}

bool kings_is_line(const Ir *tree)
{
    return is_line(tree, WHITE) || is_line(tree, BLACK);
}

static void add_value(Screened *s, King *king, const Ir *tree, int operations)
{
    const int count = king->values.count;
    tree_entry_of(&king->values, tree, node_note_hash(&s->hashes, tree));
    king->operations += king->values.count > count ? operations : 0;
}

static void collect(Screened *s, const Ir *tree, int colour)
{
    King *king = &s->king[colour];
    const int operations = tree->kid_count > 0 ? operations_on(tree, colour) : 0;
    if (operations > 3) {
        add_value(s, king, tree, operations);
        return;
    }
    king->has_lines |= is_line(tree, colour);
    for (int i = 0; i < tree->kid_count; i++)
        collect(s, tree->kid[i], colour);
}

void kings_need(Screened *s, const Ir *condition)
{
    collect(s, condition, WHITE);
    collect(s, condition, BLACK);
}

static bool is_remembered(const King *king)
{
    return king->has_lines || king->operations >= FEW_OPERATIONS;
}

// Values that are within others are known by their names once they are made from the new square.
static void set_values(Screened *s, int colour, bool is_start)
{
    King *king = &s->king[colour];
    const char *name = colour == WHITE ? "K" : "k";
    if (king->has_lines)
        lanes_line(s, "%s%s_lines = king_lines(%s);", is_start ? "KingLines " : "", name, name);
    for (int i = 0; i < king->values.count; i++)
        king->values.entry[i].name = NULL;
    for (int i = 0; i < king->values.count; i++) {
        TreeEntry *v = &king->values.entry[i];
        const Expr value = lanes_plain_value(s, v->tree);
        v->name = arena_printf(s->e->arena, "%s_squares_%d", name, i + 1);
        lanes_line(s, "%s%s = %e;", is_start ? "Lanes " : "", v->name, value);
    }
}

void kings_forget(King *king)
{
    tree_map_free(&king->values);
    *king = (King){0};
}

void kings_start(Screened *s)
{
    for (int colour = WHITE; colour <= BLACK; colour++)
        if (is_remembered(&s->king[colour]))
            set_values(s, colour, true);
        else
            kings_forget(&s->king[colour]);
}

void kings_move(Screened *s, int colour)
{
    if (!is_remembered(&s->king[colour])) {
        boards_castle(s, colour);
        return;
    }
    lanes_line(s, "if (lanes_any_of_kind(%s, kinds)) {", boards_king_moves(s));
    s->indent++;
    boards_castle(s, colour);
    set_values(s, colour, false);
    s->indent--;
    lanes_line(s, "}");
}

const char *kings_value(const Screened *s, const Ir *tree, uint64_t hash)
{
    const TreeEntry *white = tree_known(&s->king[WHITE].values, tree, hash);
    const TreeEntry *v =
        white != NULL && white->name != NULL ? white : tree_known(&s->king[BLACK].values, tree, hash);
    return v != NULL ? v->name : NULL;
}

const char *kings_lines(const Screened *s, const Ir *line)
{
    return s->king[WHITE].has_lines && is_line(line, WHITE)   ? "K_lines"
           : s->king[BLACK].has_lines && is_line(line, BLACK) ? "k_lines"
                                                              : NULL;
}
