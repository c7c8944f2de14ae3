// Values and conditions of a screen as expressions over lanes.
#include "emit_lanes.h"
#include "runtime/chess/word.h"

#include <stdlib.h>
#include <string.h>

// Is it a test whether the moved piece is of some kinds?
bool lanes_is_moved_test(const Ir *ir)
{
    const Ir *set = ir->op == IR_ANY ? ir->kid[0] : NULL;
    return set != NULL && set->op == IR_SET_AND && set->kid_count == 2 && set->kid[0]->op == IR_SET &&
           set->kid[1]->op == IR_BIT && set->kid[1]->kid[0]->op == IR_NODE &&
           set->kid[1]->kid[0]->number == IR_NODE_PIECE;
}

void lanes_line(Screened *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const Expr x = emit_vformat(s->e, STRENGTH_PRIMARY, format, arguments);
    va_end(arguments);
    emit_wrapped(s->e->out, s->indent, x.text);
}

// ---- values that are used several times -------------------------------------------------------------------

enum { MOST_VALUES = 8192 };

void lanes_count_uses(Screened *s, const Ir *tree)
{
    if (tree->kid_count == 0 || s->values.count == MOST_VALUES)
        return;
    const uint64_t hash = node_note_hash(&s->hashes, tree);
    if (kings_value(s, tree, hash) != NULL)
        return;
    if (tree_entry_of(&s->values, tree, hash)->value++ > 0)
        return;
    for (int i = 0; i < tree->kid_count; i++)
        lanes_count_uses(s, tree->kid[i]);
}

// Forgets the names given since `named`, at the end of a block.
void lanes_restore_names(Screened *s, const char *const *kept)
{
    for (int i = 0; i < s->values.count; i++)
        s->values.entry[i].name = kept[i];
}

const char **lanes_kept_names(const Screened *s)
{
    const char **kept = arena_alloc(s->e->arena, sizeof *kept * (size_t)(s->values.count + 1));
    for (int i = 0; i < s->values.count; i++)
        kept[i] = s->values.entry[i].name;
    return kept;
}

// ---- tables -----------------------------------------------------------------------------------------------

const char *lanes_set(Screened *s, const char *stem, int kinds)
{
    for (int i = 0; i < s->set_count; i++)
        if (s->set[i].kinds == kinds)
            return s->set[i].name;
    const KindSet set = {kinds, emit_file_name(s->e, stem)};
    ARENA_PUSH(s->e->arena, s->set, s->set_count, set);
    return set.name;
}

// The number that the table `name` has for each kind of move; equal tables are one.
const char *lanes_table(Screened *s, const char *stem, const uint64_t value[KINDS])
{
    for (int i = 0; i < s->table_count; i++)
        if (memcmp(s->table[i].value, value, sizeof s->table[i].value) == 0)
            return s->table[i].name;
    KindTable t = {.name = emit_file_name(s->e, stem)};
    memcpy(t.value, value, sizeof t.value);
    ARENA_PUSH(s->e->arena, s->table, s->table_count, t);
    return t.name;
}

// The code of the piece that a kind of move moves.
int lanes_moved_piece(int kind, int colour)
{
    const int type = kind <= WORD_KING ? kind : kind >= WORD_CASTLE_KING ? WHITE_KING : WHITE_PAWN;
    return colour == WHITE ? type : type + 6;
}

// ---- expressions ------------------------------------------------------------------------------------------

static Expr board_value(Screened *s, int board)
{
    if (board < BOARD_COUNT)
        return board == EMPTY
                   ? emit_expr(s->e, STRENGTH_UNARY, "~%u", boards_value(s, ir_board_kinds(BOARD_OCCUPIED)))
                   : boards_value(s, ir_board_kinds(board));
    board -= BOARD_COUNT;
    if (board != EMPTY && board != BOARD_OCCUPIED)
        return emit_word(boards_old_name(s, board));
    const char *white = boards_old_name(s, BOARD_WHITE), *black = boards_old_name(s, BOARD_BLACK);
    if (board == EMPTY)
        return emit_expr(s->e, STRENGTH_UNARY, "~(%s | %s)", white, black);
    Expr both[2] = {emit_word(white), emit_word(black)};
    return emit_joined_bits(s->e, both, 2, '|');
}

static Expr number(Screened *s, int32_t value)
{
    return emit_primary(s->e, value < 0 ? "lanes_all((uint64_t)%d)" : "lanes_all(%d)", (int)value);
}

static Expr operand(Screened *s, const Ir *ir)
{
    return ir->op == IR_SET ? emit_squares(s->e, ir->set) : lanes_value(s, ir);
}

static Expr joined(Screened *s, const Ir *ir, char op)
{
    Expr *part = arena_alloc(s->e->arena, sizeof *part * (size_t)(ir->kid_count + 1));
    for (int i = 0; i < ir->kid_count; i++)
        part[i] = operand(s, ir->kid[i]);
    return emit_joined_bits(s->e, part, ir->kid_count, op);
}

static Expr by_table(Screened *s, const Ir *ir)
{
    Expr value[2] = {0};
    for (int i = 0; i < ir->kid_count; i++)
        value[i] = lanes_value(s, ir->kid[i]);
    return emit_by_table(s->e, ir_op_info[ir->op].lanes, ir->number, value);
}

static Expr choice(Screened *s, const Ir *ir)
{
    const Expr test = lanes_value(s, ir->kid[0]), yes = lanes_value(s, ir->kid[1]);
    return emit_primary(s->e, "lanes_choose(%e, %e, %e)", test, yes, lanes_value(s, ir->kid[2]));
}

static Expr lanes_step(Screened *s, const Ir *ir)
{
    const int files = ir->number, distance = 8 * ir->low + files;
    Expr set = lanes_value(s, ir->kid[0]);
    if (distance == 0)
        return set;
    if (files != 0) {
        Expr part[2] = {set, emit_squares(s->e, emit_kept_files(files))};
        set = emit_joined_bits(s->e, part, 2, '&');
    }
    return emit_expr(s->e, STRENGTH_ARITHMETIC, "%u %s %d", set, distance > 0 ? "<<" : ">>", abs(distance));
}

static Expr field(const Ir *ir)
{
    switch (ir->number) {
    case IR_NODE_PLY:
        return emit_word("lanes_all((uint64_t)ply)");
    case IR_NODE_PIECE:
        return emit_word("piece");
    case IR_NODE_PROMOTED:
        return emit_word("promoted");
    default:
        return emit_word("flags");
    }
}

static Expr square(Screened *s, const Ir *kid)
{
    if (kid->op == IR_NODE && kid->number == IR_NODE_FROM)
        return emit_word("from");
    if (kid->op == IR_NODE && kid->number == IR_NODE_TO)
        return emit_word(s->uses_target ? "target" : "to");
    if (kid->op == IR_NODE && kid->number == IR_NODE_VICTIM)
        return emit_word("victim");
    return emit_primary(s->e, "lanes_square(%e)", lanes_value(s, kid));
}

const char *lanes_moved_set(Screened *s, const Ir *test)
{
    const Bitboard moved = test->kid[0]->kid[0]->set;
    int kinds = 0;
    for (int kind = 1; kind < KINDS; kind++)
        if (moved >> lanes_moved_piece(kind, WHITE) & 1 || moved >> lanes_moved_piece(kind, BLACK) & 1)
            kinds |= 1 << kind;
    return lanes_set(s, "moved", kinds);
}

static const char *facts_name(Screened *s, int32_t facts)
{
    static const struct {
        int facts;
        const char *name;
    } row[] = {{LINE_MATE, "LINE_MATE"},
               {LINE_STALEMATE, "LINE_STALEMATE"},
               {LINE_CASTLES_KING, "LINE_CASTLES_KING"},
               {LINE_CASTLES_QUEEN, "LINE_CASTLES_QUEEN"},
               {LINE_PROMOTES, "LINE_PROMOTES"},
               {LINE_EN_PASSANT, "LINE_EN_PASSANT"}};
    const char *text = NULL;
    int count = 0;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (facts & row[i].facts)
            text = count++ == 0 ? row[i].name : arena_printf(s->e->arena, "%s | %s", text, row[i].name);
    return count > 1 ? arena_printf(s->e->arena, "(%s)", text) : text;
}

static Expr united(Screened *s, const Ir *ir)
{
    const int boards = boards_united(ir);
    if (boards <= 0)
        return joined(s, ir, '|');
    Expr *part = arena_alloc(s->e->arena, sizeof *part * (size_t)(ir->kid_count + 1));
    int count = 0;
    part[count++] = boards_value(s, boards);
    for (int i = 0; i < ir->kid_count; i++)
        if (!boards_is_one(ir->kid[i]))
            part[count++] = operand(s, ir->kid[i]);
    return emit_joined_bits(s->e, part, count, '|');
}

// ---- pieces on lines through kings --------------------------------------------------------------------------

static bool is_line(const Ir *node, const void *unused)
{
    (void)unused;
    return node->op == IR_STRAIGHT || node->op == IR_DIAGONAL;
}

static bool has_line(const Ir *tree)
{
    return ir_has_node(tree, is_line, NULL);
}

// The lines through a king that an intersection is on and that are worth a test: there is more work to do on them. NULL: none.
static const Ir *tested_line(const Screened *s, const Ir *set)
{
    const Ir *line = NULL;
    int lines = 0;
    bool has_pieces = false;
    for (int i = 0; set->op == IR_SET_AND && i < set->kid_count; i++) {
        lines += has_line(set->kid[i]);
        has_pieces |= !has_line(set->kid[i]);
        line = kings_lines(s, set->kid[i]) != NULL ? set->kid[i] : line;
    }
    return lines > 1 && has_pieces ? line : NULL;
}

// Starts a block for lanes where the pieces of the intersection are on the lines at all.
static void begin_line_block(Screened *s, const Ir *set, const Ir *line)
{
    Expr *part = arena_alloc(s->e->arena, sizeof *part * (size_t)(set->kid_count + 1));
    int count = 0;
    for (int i = 0; i < set->kid_count; i++)
        if (!has_line(set->kid[i]))
            part[count++] = operand(s, set->kid[i]);
    part[count++] = emit_primary(s->e, "%s_lines(%s)", line->op == IR_STRAIGHT ? "straight" : "diagonal",
                                 kings_lines(s, line));
    lanes_line(s, "if (lanes_rarely(%e)) {", emit_joined_bits(s->e, part, count, '&'));
}

Expr lanes_tested_value(Screened *s, const Ir *sum)
{
    const TreeEntry *v = tree_known(&s->values, sum, node_note_hash(&s->hashes, sum));
    int tested = 0;
    for (int i = 0; sum->op == IR_SET_OR && i < sum->kid_count; i++)
        tested += tested_line(s, sum->kid[i]) != NULL;
    if (tested == 0 || (v != NULL && v->value > 1))
        return lanes_value(s, sum);
    const char *found = arena_printf(s->e->arena, "found_%d", ++s->named);
    Expr *part = arena_alloc(s->e->arena, sizeof *part * (size_t)(sum->kid_count + 1));
    int others = 0;
    for (int i = 0; i < sum->kid_count; i++)
        if (tested_line(s, sum->kid[i]) == NULL)
            part[others++] = operand(s, sum->kid[i]);
    if (others == 0)
        part[others++] = emit_word("lanes_all(0ULL)");
    lanes_line(s, "Lanes %s = %e;", found, emit_joined_bits(s->e, part, others, '|'));
    for (int i = 0; i < sum->kid_count; i++) {
        const Ir *line = tested_line(s, sum->kid[i]);
        if (line == NULL)
            continue;
        begin_line_block(s, sum->kid[i], line);
        const char **kept = lanes_kept_names(s);
        s->indent++;
        lanes_line(s, "%s |= %e;", found, lanes_value(s, sum->kid[i]));
        s->indent--;
        lanes_restore_names(s, kept);
        lanes_line(s, "}");
    }
    return emit_word(found);
}

// ---- all operations -----------------------------------------------------------------------------------------

// The squares that rooks or bishops on a set attack; of a king, along the lines that are remembered.
static Expr line(Screened *s, const Ir *ir, const char *kind)
{
    const char *lines = kings_lines(s, ir);
    if (lines != NULL)
        return emit_primary(s->e, "%s_along(%s, %e)", kind, lines, lanes_value(s, ir->kid[1]));
    return by_table(s, ir);
}

static bool is_same_history(const Ir *a, const Ir *b)
{
    bool same = a->kid_count == b->kid_count;
    for (int i = 0; same && i < a->kid_count / 2; i++)
        same = ir_equal(a->kid[i], b->kid[i]);
    return same;
}

const char *lanes_history(Screened *s, const Ir *repeats)
{
    int i = 0;
    while (i < s->history_count && !is_same_history(s->history[i], repeats))
        i++;
    if (i == s->history_count)
        ARENA_PUSH(s->e->arena, s->history, s->history_count, repeats);
    return arena_printf(s->e->arena, "history_%d", i + 1);
}

// Sets from `first` on as one value.
static Expr mixed(Screened *s, const Ir *repeats, int first)
{
    const int count = repeats->kid_count / 2;
    Expr all = lanes_value(s, repeats->kid[first + count - 1]);
    for (int i = count - 2; i >= 0; i--)
        all = emit_primary(s->e, "lanes_mixed(%e, %e)", lanes_value(s, repeats->kid[first + i]), all);
    return all;
}

Expr lanes_history_value(Screened *s, const Ir *repeats)
{
    return mixed(s, repeats, 0);
}

Expr lanes_plain_value(Screened *s, const Ir *ir)
{
    const int kinds = boards_exactly(ir);
    if (kinds != 0)
        return boards_value(s, kinds);
    if (lanes_is_moved_test(ir))
        return emit_primary(s->e, "lanes_of_kind(%s, kinds)", lanes_moved_set(s, ir));
    switch ((IrOp)ir->op) {
    case IR_INT:
        return number(s, ir->number);
    case IR_TRUE:
    case IR_FALSE:
        return emit_word(ir->op == IR_TRUE ? "lanes_all(~0ULL)" : "lanes_all(0ULL)");
    case IR_SET:
        return emit_primary(s->e, "lanes_all(%e)", emit_squares(s->e, ir->set));
    case IR_BOARD:
        return board_value(s, ir->number);
    case IR_NODE:
        return field(ir);
    case IR_GAME:
        if (ir->number == IR_GAME_COUNT)
            return emit_expr(s->e, STRENGTH_ARITHMETIC, "length + 1");
        return ir->number >= IR_GAME_WHITE_MEN
                   ? emit_primary(s->e, "lanes_read(line->men[%d] + lane)", ir->number - IR_GAME_WHITE_MEN)
                   : emit_word("facts");
    case IR_AND_BITS:
        if (ir->kid[0]->op == IR_GAME && ir->kid[0]->number == IR_GAME_FACTS && ir->kid[1]->op == IR_INT)
            return emit_expr(s->e, STRENGTH_BITS, "facts & %s", facts_name(s, ir->kid[1]->number));
        return by_table(s, ir);
    case IR_SET_AND:
    case IR_AND:
        return joined(s, ir, '&');
    case IR_SET_OR:
        return united(s, ir);
    case IR_OR:
        return joined(s, ir, '|');
    case IR_STEP:
        return lanes_step(s, ir);
    case IR_BIT:
        return square(s, ir->kid[0]);
    case IR_STRAIGHT:
        return line(s, ir, "straight");
    case IR_DIAGONAL:
        return line(s, ir, "diagonal");
    case IR_CHOOSE:
    case IR_IF:
        return choice(s, ir);
    case IR_INT_OF:
        return emit_expr(s->e, STRENGTH_BITS, "%u & 1", lanes_value(s, ir->kid[0]));
    case IR_REPEATS:
        return emit_primary(s->e, "lanes_repeated(%s, ply - %d, %e)", lanes_history(s, ir), (int)ir->number,
                            mixed(s, ir, ir->kid_count / 2));
    default:
        return by_table(s, ir);
    }
}

// The name of a constant that has the value from here on.
static const char *named(Screened *s, Expr x)
{
    const char *name = arena_printf(s->e->arena, "value_%d", ++s->named);
    lanes_line(s, "const Lanes %s = %e;", name, x);
    return name;
}

// A long expression gets a name, so that the levels around it do not copy its text again and again. So does a choice: GCC takes
// about twice as long for each one that is within another.
static Expr shortened(Screened *s, const Ir *ir, Expr x)
{
    enum { LONGEST = 4000 };
    const bool is_choice = ir->op == IR_CHOOSE || ir->op == IR_IF;
    return is_choice || strnlen(x.text, LONGEST + 1) > LONGEST ? emit_word(named(s, x)) : x;
}

Expr lanes_value(Screened *s, const Ir *ir)
{
    const uint64_t hash = ir->kid_count > 0 ? node_note_hash(&s->hashes, ir) : 0;
    const char *known = ir->kid_count > 0 ? kings_value(s, ir, hash) : NULL;
    if (known != NULL)
        return emit_word(known);
    TreeEntry *v = ir->kid_count > 0 ? tree_known(&s->values, ir, hash) : NULL;
    if (v == NULL || v->value < 2)
        return shortened(s, ir, lanes_plain_value(s, ir));
    if (v->name == NULL)
        v->name = named(s, lanes_plain_value(s, ir));
    return emit_word(v->name);
}
