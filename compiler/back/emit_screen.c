// The screen of a query as C: a replay of main lines that keeps only the boards that its conditions read.
#include "emit_lanes.h"
#include "runtime/chess/word.h"
#include "runtime/value/account.h"
#include "runtime/value/memory.h"

#include <stdlib.h>
#include <string.h>

enum { CHEAP = 60 };

// ---- what is needed ---------------------------------------------------------------------------------------

// Squares that differ in castling: the king's new square is not the second one of the word.
#define CASTLING_SQUARES 0xC5000000000000C5ULL

// The constant part of an intersection; all squares: there is none.
static Bitboard constant_part(const Ir *set)
{
    Bitboard squares = ~0ULL;
    for (int i = 0; set->op == IR_SET_AND && i < set->kid_count; i++)
        if (set->kid[i]->op == IR_SET)
            squares &= set->kid[i]->set;
    return squares;
}

static bool is_target(const Ir *tree)
{
    return tree->op == IR_BIT && tree->kid[0]->op == IR_NODE && tree->kid[0]->number == IR_NODE_TO;
}

static void collect_needs(Screened *s, const Ir *tree)
{
    for (int i = 0; i < tree->kid_count; i++)
        if (is_target(tree->kid[i]) && (tree->op != IR_SET_AND || constant_part(tree) & CASTLING_SQUARES))
            s->uses_target = true;
    if (lanes_is_moved_test(tree))
        return;
    if (tree->op == IR_REPEATS)
        lanes_history(s, tree);
    if (tree->op == IR_BOARD)
        boards_need_kinds(s, tree->number);
    const int exactly = boards_exactly(tree);
    if (exactly != 0) {
        boards_need_union(s, exactly);
        return;
    }
    const int united = boards_united(tree);
    if (united != 0)
        boards_need_union(s, united);
    if (tree->op == IR_NODE) {
        s->uses_victim |= tree->number == IR_NODE_VICTIM || tree->number == IR_NODE_FLAGS;
    }
    for (int i = 0; i < tree->kid_count; i++)
        if (united == 0 || !boards_is_one(tree->kid[i]))
            collect_needs(s, tree->kid[i]);
}

static bool is_of_position(const Ir *node, const void *unused)
{
    (void)unused;
    return node->op == IR_BOARD || node->op == IR_NODE;
}

static bool has_part(const Ir *condition, const Ir *part)
{
    if (ir_equal(condition, part))
        return true;
    for (int i = 0; condition->op == IR_AND && i < condition->kid_count; i++)
        if (ir_equal(condition->kid[i], part))
            return true;
    return false;
}

// The condition without the part; TRUE when nothing is left.
static Ir *without_part(const Ir *condition, const Ir *part)
{
    Ir *rest = ir_new(condition->arena, IR_AND, IRT_BOOL, 0);
    for (int i = 0; condition->op == IR_AND && i < condition->kid_count; i++)
        if (!ir_equal(condition->kid[i], part))
            ir_add_kid(rest, condition->kid[i]);
    return rest->kid_count == 0   ? ir_bool(condition->arena, true)
           : rest->kid_count == 1 ? rest->kid[0]
                                  : rest;
}

// Takes the parts of a condition that are facts of the game out of all its places.
static void split_condition(Screened *s, int number)
{
    Ir **at = s->condition[number];
    const Ir *model = at[SCREEN_WHITE_MOVED] != NULL ? at[SCREEN_WHITE_MOVED] : at[SCREEN_BLACK_MOVED];
    if (model == NULL)
        return;
    const bool is_list = model->op == IR_AND;
    for (int i = 0; i < (is_list ? model->kid_count : 1); i++) {
        Ir *part = is_list ? model->kid[i] : (Ir *)model;
        bool everywhere = part->op != IR_TRUE && !ir_has_node(part, is_of_position, NULL);
        for (int place = 0; place < SCREEN_PLACES && everywhere; place++)
            everywhere = at[place] == NULL || has_part(at[place], part);
        if (!everywhere)
            continue;
        s->game[number] =
            s->game[number] == NULL ? part : ir_new(part->arena, IR_AND, IRT_BOOL, 2, s->game[number], part);
        for (int place = 0; place < SCREEN_PLACES; place++)
            at[place] = at[place] != NULL ? without_part(at[place], part) : NULL;
    }
}

// Is the condition that the line ends here?
static bool is_end(const Ir *tree, ScreenPlace place)
{
    if (tree == NULL || tree->op != IR_EQ)
        return false;
    const Ir *a = tree->kid[0], *b = tree->kid[1];
    if (a->op != IR_GAME || a->number != IR_GAME_COUNT)
        return false;
    if (place == SCREEN_START)
        return b->op == IR_INT && b->number == 1;
    return b->op == IR_ADD && b->kid[0]->op == IR_NODE && b->kid[0]->number == IR_NODE_PLY &&
           b->kid[1]->op == IR_INT && b->kid[1]->number == 1;
}

static void prepare_condition(Screened *s, const ScreenQuery *query, int number)
{
    for (int place = 0; place < SCREEN_PLACES; place++) {
        Ir *condition = query->screen->condition[number - query->first][place];
        s->condition[number][place] = condition->op == IR_FALSE ? NULL : condition;
    }
    split_condition(s, number);
    s->is_once[number] = true;
    for (int place = 0; place < SCREEN_PLACES; place++)
        s->is_once[number] &= is_end(s->condition[number][place], (ScreenPlace)place);
    for (int place = 0; place < SCREEN_PLACES && !s->is_once[number]; place++)
        if (s->condition[number][place] != NULL) {
            collect_needs(s, s->condition[number][place]);
            kings_need(s, s->condition[number][place]);
        }
}

static void prepare(Screened *s)
{
    Arena *a = s->e->arena;
    for (int q = 0; q < s->query_count; q++) {
        s->query[q].first = s->count;
        s->count += s->query[q].screen->count;
    }
    s->condition = arena_alloc(a, sizeof *s->condition * (size_t)s->count);
    s->game = arena_alloc(a, sizeof *s->game * (size_t)s->count);
    s->is_once = arena_alloc(a, sizeof *s->is_once * (size_t)s->count);
    s->owner = arena_alloc(a, sizeof *s->owner * (size_t)s->count);
    for (int q = 0; q < s->query_count; q++)
        for (int i = s->query[q].first; i < s->query[q].first + s->query[q].screen->count; i++) {
            s->owner[i] = q;
            prepare_condition(s, &s->query[q], i);
            s->query[q].has_facts |= s->game[i] != NULL;
        }
    if (s->uses_victim) {
        boards_need_kinds(s, BOARD_WHITE);
        boards_need_kinds(s, BOARD_BLACK);
    }
    boards_choose(s);
}

static bool needs_replay(const Screened *s)
{
    for (int i = 0; i < s->count; i++)
        if (!s->is_once[i])
            return true;
    return false;
}

// ---- conditions -------------------------------------------------------------------------------------------

static int cost_of(const Ir *tree)
{
    const bool is_line = tree->op == IR_STRAIGHT || tree->op == IR_DIAGONAL;
    int cost = tree->op == IR_REPEATS ? 200
               : is_line              ? (kings_is_line(tree) ? 15 : 40)
               : tree->op == IR_COUNT ? 4
                                      : ir_own_cost(tree);
    for (int i = 0; i < tree->kid_count; i++)
        cost += cost_of(tree->kid[i]);
    return cost;
}

int emit_screen_cost(const Screen *screen)
{
    int cost = 0;
    for (int i = 0; i < screen->count; i++)
        for (int place = SCREEN_WHITE_MOVED; place < SCREEN_PLACES; place++)
            cost += cost_of(screen->condition[i][place]);
    return cost;
}

static int by_cost(const void *a, const void *b)
{
    return cost_of(*(Ir *const *)a) - cost_of(*(Ir *const *)b);
}

static bool is_exact(const Screened *s, int number)
{
    return s->query[s->owner[number]].screen->is_exact;
}

// A name that each query has.
static const char *name_of_query(Screened *s, const char *stem, int query)
{
    return s->query_count == 1 ? stem : arena_printf(s->e->arena, "%s_%d", stem, query + 1);
}

static const char *result_name(Screened *s, int number)
{
    return is_exact(s, number) ? name_of_query(s, "hits", s->owner[number])
                               : arena_printf(s->e->arena, "seen_%d", number + 1);
}

// A square that a set must contain, as a set; 0: the condition is another one.
static Bitboard needed_square(const Ir *condition)
{
    const Ir *set = condition->op == IR_ANY ? condition->kid[0] : NULL;
    if (set == NULL || set->op != IR_SET_AND || set->kid_count != 2 || lanes_is_moved_test(condition))
        return 0;
    const Ir *square = set->kid[set->kid[1]->op == IR_SET];
    return square->op == IR_SET && (square->set & (square->set - 1)) == 0 ? square->set : 0;
}

static const Ir *needed_set(const Ir *condition)
{
    return condition->kid[0]->kid[condition->kid[0]->kid[0]->op == IR_SET];
}

// The condition that sets contain squares, all of them different: one comparison.
static void add_squares(Screened *s, const char *where, Ir *const *part, int count)
{
    Expr *value = arena_alloc(s->e->arena, sizeof *value * (size_t)count);
    Bitboard all = 0;
    int values = 0;
    for (int i = 0; i < count; i++) {
        Bitboard squares = 0;
        bool is_first = true;
        for (int k = 0; k < count; k++) {
            const bool same = ir_equal(needed_set(part[k]), needed_set(part[i]));
            is_first &= !same || k >= i;
            squares |= same ? needed_square(part[k]) : 0;
        }
        all |= squares;
        if (is_first)
            value[values++] = emit_primary(s->e, "(%u & %u)", lanes_value(s, needed_set(part[i])),
                                           emit_squares(s->e, squares));
    }
    lanes_line(s, "%s = lanes_where_equal(%s, %e, lanes_all(%e));", where, where,
               emit_joined_bits(s->e, value, values, '|'), emit_squares(s->e, all));
}

static void add_part(Screened *s, const char *where, const Ir *part)
{
    const bool is_not =
        part->op == IR_NOT && part->kid[0]->op == IR_ANY && !lanes_is_moved_test(part->kid[0]);
    if (lanes_is_moved_test(part))
        lanes_line(s, "%s &= lanes_where_kind(%s, kinds);", where, lanes_moved_set(s, part));
    else if (part->op == IR_ANY || is_not)
        lanes_line(s, "%s = %s(%s, %e);", where, is_not ? "lanes_where_empty" : "lanes_where", where,
                   is_not ? lanes_value(s, part->kid[0]->kid[0]) : lanes_tested_value(s, part->kid[0]));
    else if (part->op == IR_EQ || part->op == IR_SET_EQ || part->op == IR_LT || part->op == IR_GT) {
        const Expr a = lanes_value(s, part->kid[part->op == IR_GT]),
                   b = lanes_value(s, part->kid[part->op != IR_GT]);
        lanes_line(s, "%s = %s(%s, %e, %e);", where,
                   part->op == IR_LT || part->op == IR_GT ? "lanes_where_less" : "lanes_where_equal", where,
                   a, b);
    } else {
        lanes_line(s, "%s = lanes_where(%s, %e);", where, where, lanes_value(s, part));
    }
}

// Leaves in `where` the lanes in which all parts are true.
static void add_parts(Screened *s, const char *where, Ir **part, int count)
{
    Ir **squares = arena_alloc(s->e->arena, sizeof *squares * (size_t)(count + 1));
    Bitboard seen = 0;
    int with_square = 0;
    for (int i = 0; i < count; i++) {
        const Bitboard square = needed_square(part[i]);
        if (square != 0 && !(seen & square))
            squares[with_square++] = part[i];
        seen |= square;
    }
    if (with_square > 1)
        add_squares(s, where, squares, with_square);
    for (int i = 0, k = 0; i < count; i++)
        if (with_square > 1 && k < with_square && part[i] == squares[k])
            k++;
        else
            add_part(s, where, part[i]);
}

static void add_result(Screened *s, int number, const char *where)
{
    const char *result = result_name(s, number);
    lanes_line(s, "%s = %s(%s, %s);", result, is_exact(s, number) ? "lanes_counted" : "lanes_marked", result,
               where);
}

// Adds the lanes where the condition is true to its result. Expensive parts are evaluated only when some lane needs them.
static void condition_at(Screened *s, int number, ScreenPlace place)
{
    Ir *condition = s->condition[number][place];
    if (condition == NULL || s->is_once[number])
        return;
    const bool is_list = condition->op == IR_AND, is_start = place == SCREEN_START;
    const int count = is_list ? condition->kid_count : 1;
    Ir **part = arena_alloc(s->e->arena, sizeof *part * (size_t)(count + 1));
    for (int i = 0; i < count; i++)
        part[i] = is_list ? condition->kid[i] : condition;
    qsort(part, (size_t)count, sizeof *part, by_cost);
    int cheap = 0;
    while (cheap < count && cost_of(part[cheap]) <= CHEAP)
        cheap++;
    for (int i = 0; i < count; i++)
        if (is_end(part[i], place)) { // true in few rows
            Ir *end = part[i];
            memmove(part + 1, part, sizeof *part * (size_t)i);
            part[0] = end;
            cheap = 1;
        }
    const char *now = arena_printf(s->e->arena, "now_%d", ++s->named);
    lanes_line(s, "Where %s = %s;", now, is_start ? "EVERYWHERE" : "live");
    if (cheap == count || (cheap == 0 && (is_start || is_exact(s, number)))) {
        add_parts(s, now, part, count);
        add_result(s, number, now);
        return;
    }
    if (!is_exact(s, number))
        lanes_line(s, "%s = lanes_where_empty(%s, %s);", now, now, result_name(s, number));
    add_parts(s, now, part, cheap);
    lanes_line(s, "if (lanes_any(%s)) {", now);
    const char **kept = lanes_kept_names(s);
    s->indent++;
    add_parts(s, now, part + cheap, count - cheap);
    add_result(s, number, now);
    s->indent--;
    lanes_restore_names(s, kept);
    lanes_line(s, "}");
}

// Keeps the values that later positions look for. Boards before a move are those of the position before: the first
// value is then that of no position.
static void emit_history(Screened *s, ScreenPlace place)
{
    for (int i = 0; i < s->history_count; i++) {
        const char *name = lanes_history(s, s->history[i]);
        const bool none = place == SCREEN_START && ir_reads_board_before(s->history[i]);
        const Expr value = none ? emit_word("lanes_all(0ULL)") : lanes_history_value(s, s->history[i]);
        if (place == SCREEN_START)
            lanes_line(s, "Lanes %s[LANES_HISTORY];", name);
        else
            lanes_line(s, "if (ply < LANES_HISTORY)");
        if (place == SCREEN_START)
            lanes_line(s, "%s[0] = %e;", name, value);
        else
            lanes_line(s, "    %s[ply] = %e;", name, value);
    }
}

// Facts of the game often rule out a query: among others, its conditions are evaluated only where they do not. What several
// others need has got its name before.
static bool is_guarded(const Screened *s, int number)
{
    return s->query_count > 1 && s->query[s->owner[number]].has_facts;
}

static void guarded_conditions(Screened *s, int query, ScreenPlace place)
{
    const int first = s->query[query].first, end = first + s->query[query].screen->count;
    bool any = false;
    for (int i = first; i < end; i++)
        any |= is_guarded(s, i) && s->condition[i][place] != NULL && !s->is_once[i];
    if (!any)
        return;
    lanes_line(s, "if (wanted_%d) {", query + 1);
    const char **kept = lanes_kept_names(s);
    s->indent++;
    for (int i = first; i < end; i++)
        condition_at(s, i, place);
    s->indent--;
    lanes_restore_names(s, kept);
    lanes_line(s, "}");
}

// The names of values end with the conditions: what is kept of the kings is made from new boards before the next ones.
static void emit_conditions(Screened *s, ScreenPlace place)
{
    for (int i = 0; i < s->count; i++)
        if (s->condition[i][place] != NULL && !s->is_once[i])
            lanes_count_uses(s, s->condition[i][place]);
    emit_history(s, place);
    for (int i = 0; i < s->count; i++)
        if (!is_guarded(s, i))
            condition_at(s, i, place);
    for (int q = 0; q < s->query_count; q++)
        guarded_conditions(s, q, place);
    tree_map_free(&s->values);
}

// ---- moves ------------------------------------------------------------------------------------------------

static void emit_kind_number(Screened *s, const char *name, const uint64_t value[KINDS])
{
    lanes_line(s, "const Lanes %s = lanes_by_kind(%s, kind);", name,
               lanes_table(s, arena_printf(s->e->arena, "%s_by_kind", name), value));
}

// What conditions may ask about the move of a colour: `old` has the boards before it.
static void declare_move_facts(Screened *s, Block *b, int colour)
{
    if (s->uses_victim)
        block_declare(s, b, "Lanes", "victim", "(to & %u) | passed",
                      boards_value(s, ir_board_kinds(colour == WHITE ? BOARD_BLACK : BOARD_WHITE)));
    if (s->uses_target) { // of castling, not the rook's square but the king's new one
        const char *castling = lanes_set(s, "castling", 1 << WORD_CASTLE_KING | 1 << WORD_CASTLE_QUEEN);
        const char *extra = boards_king_castled(s, colour);
        block_declare(s, b, "Lanes", "target", "(to & ~lanes_of_kind(%s, kinds)) | lanes_by_kind(%s, kind)",
                      castling, extra);
    }
}

static bool mentions(const Ir *tree, int field)
{
    if (tree == NULL || lanes_is_moved_test(tree))
        return false;
    if (tree->op == IR_NODE && tree->number == field)
        return true;
    for (int i = 0; i < tree->kid_count; i++)
        if (mentions(tree->kid[i], field))
            return true;
    return false;
}

static bool place_mentions(const Screened *s, ScreenPlace place, int field)
{
    for (int i = 0; i < s->count; i++)
        if (!s->is_once[i] && mentions(s->condition[i][place], field))
            return true;
    return false;
}

// Numbers of the move: the piece codes and flags of struct Move.
static void emit_move_numbers(Screened *s, int colour, ScreenPlace place)
{
    uint64_t value[KINDS] = {0};
    const uint64_t base = colour == WHITE ? 0 : 6;
    if (place_mentions(s, place, IR_NODE_PIECE)) {
        for (int kind = 1; kind < KINDS; kind++)
            value[kind] = (uint64_t)lanes_moved_piece(kind, colour);
        emit_kind_number(s, "piece", value);
    }
    if (place_mentions(s, place, IR_NODE_PROMOTED)) {
        memset(value, 0, sizeof value);
        for (int kind = WORD_PROMOTION; kind < WORD_CASTLE_KING; kind++)
            value[kind] = base + (uint64_t)(WHITE_KNIGHT + kind - WORD_PROMOTION);
        emit_kind_number(s, "promoted", value);
    }
    if (place_mentions(s, place, IR_NODE_FLAGS)) {
        memset(value, 0, sizeof value);
        value[WORD_EN_PASSANT] = MOVE_EN_PASSANT;
        value[WORD_CASTLE_KING] = MOVE_CASTLE_KING;
        value[WORD_CASTLE_QUEEN] = MOVE_CASTLE_QUEEN;
        const char *table = lanes_table(s, "special", value);
        lanes_line(s, "const Lanes flags = lanes_by_kind(%s, kind) | (lanes_not_empty(victim) & %d);", table,
                   (int)MOVE_CAPTURE);
    }
}

// The move of one side, and what is true after it.
static void emit_move(Screened *s, int colour)
{
    const ScreenPlace place = colour == WHITE ? SCREEN_WHITE_MOVED : SCREEN_BLACK_MOVED;
    lanes_line(s, "{ // %s moves", colour == WHITE ? "White" : "Black");
    s->indent++;
    Block b;
    block_begin(s, &b);
    block_declare(s, &b, "Lanes", "word", "lanes_read(next)");
    block_declare(s, &b, "Lanes", "kind", "word >> 12");
    block_declare(s, &b, "Kinds", "kinds", "lanes_kinds(next, kind)");
    block_declare(s, &b, "Lanes", "from", "lanes_square_at(word)");
    block_declare(s, &b, "Lanes", "to", "lanes_square_at(word >> 6)");
    block_declare(s, &b, "Where", "live", "lanes_live(ply, length)");
    if (s->uses_victim || boards_have_pawns(s, !colour))
        block_declare(s, &b, "Lanes", "passed", "(to %s 8) & lanes_of_kind(%s, kinds)",
                      colour == WHITE ? ">>" : "<<", lanes_set(s, "en_passant", 1 << WORD_EN_PASSANT));
    declare_move_facts(s, &b, colour);
    for (int board = 1; board < BOARD_OCCUPIED; board++)
        if (s->before >> board & 1)
            block_declare(s, &b, "Lanes", boards_old_name(s, board), "%e",
                          boards_value(s, ir_board_kinds(board)));
    boards_move(s, colour);
    kings_move(s, colour);
    emit_move_numbers(s, colour, place);
    emit_conditions(s, place);
    block_end(s, &b);
    s->indent--;
    lanes_line(s, "}");
}

// ---- the function -----------------------------------------------------------------------------------------

static void emit_replay(Screened *s)
{
    boards_start(s);
    kings_start(s);
    emit_conditions(s, SCREEN_START);
    lanes_line(s, "const uint16_t *next = line->word + lane;");
    lanes_line(s, "const int32_t rows = LANES > 1 ? line->rows : line->length[lane];");
    lanes_line(s, "for (int32_t ply = 1; ply <= rows; ply++, next += LINE_LANES) {");
    s->indent++;
    emit_move(s, WHITE);
    lanes_line(s, "next += LINE_LANES;");
    lanes_line(s, "if (++ply > rows)");
    s->indent++;
    lanes_line(s, "break;");
    s->indent--;
    emit_move(s, BLACK);
    s->indent--;
    lanes_line(s, "}");
}

// What the facts of a game leave possible for a query: the variable `possible`.
static void emit_query_facts(Screened *s, int query)
{
    const ScreenQuery *q = &s->query[query];
    const char *possible = name_of_query(s, "possible", query);
    Expr *fact = arena_alloc(s->e->arena, sizeof *fact * (size_t)(q->screen->count + 1));
    int facts = 0;
    for (int i = q->first; i < q->first + q->screen->count; i++)
        if (s->game[i] != NULL)
            fact[facts++] = emit_primary(s->e, "%u", lanes_value(s, s->game[i]));
    const Expr value = facts > 0 ? emit_joined_bits(s->e, fact, facts, '&') : emit_word("lanes_all(~0ULL)");
    if (s->query_count == 1)
        lanes_line(s, "const Lanes %s = %e;", possible, value);
    else
        lanes_line(s, "const Lanes %s = found[%d] ? %e : lanes_all(0ULL);", possible, query, value);
    if (s->query_count > 1 && q->has_facts)
        lanes_line(s, "const int wanted_%d = lanes_some(%s);", query + 1, possible);
}

static void write_result(Screened *s, int query, const char *before, Expr value)
{
    lanes_line(s, "%slanes_write(found[%d][group] + lane, %e);", before, query, value);
}

static void emit_game_facts(Screened *s)
{
    bool all = true;
    for (int q = 0; q < s->query_count; q++) {
        emit_query_facts(s, q);
        all &= s->query[q].has_facts;
    }
    if (!all || !needs_replay(s))
        return;
    Expr *possible = arena_alloc(s->e->arena, sizeof *possible * (size_t)s->query_count);
    for (int q = 0; q < s->query_count; q++)
        possible[q] = emit_word(name_of_query(s, "possible", q));
    lanes_line(s, "if (!lanes_some(%e)) {", emit_joined_bits(s->e, possible, s->query_count, '|'));
    s->indent++;
    for (int q = 0; q < s->query_count; q++)
        write_result(s, q, s->query_count > 1 ? arena_printf(s->e->arena, "if (found[%d]) ", q) : "",
                     possible[q]);
    lanes_line(s, "continue;");
    s->indent--;
    lanes_line(s, "}");
}

static void emit_result(Screened *s, int query)
{
    const ScreenQuery *q = &s->query[query];
    Expr *result = arena_alloc(s->e->arena, sizeof *result * (size_t)(q->screen->count + 2));
    int count = 0;
    for (int i = q->first; i < q->first + q->screen->count; i++)
        if (!s->is_once[i])
            result[count++] = q->screen->is_exact
                                  ? emit_word(result_name(s, i))
                                  : emit_primary(s->e, "lanes_not_empty(%s)", result_name(s, i));
    result[count++] = emit_word(name_of_query(s, "possible", query));
    if (!q->screen->is_exact || count == 1)
        result[count++] = emit_word("1");
    write_result(s, query, s->query_count > 1 ? arena_printf(s->e->arena, "if (found[%d]) ", query) : "",
                 emit_joined_bits(s->e, result, count, '&'));
}

static bool looks_at_lines(const Screened *s)
{
    bool looks = needs_replay(s);
    for (int q = 0; q < s->query_count; q++)
        looks |= s->query[q].has_facts;
    return looks;
}

static void emit_function(Screened *s)
{
    s->indent = 0;
    lanes_line(s,
               "static void %sscreen(const LineGroup *line, int32_t count, int32_t (*const "
               "*found)[LINE_LANES])",
               s->e->prefix);
    lanes_line(s, "{");
    s->indent++;
    if (!looks_at_lines(s)) // gcc 16 warns of a parameter that is only counted up
        lanes_line(s, "(void)line;");
    lanes_line(s, "for (int32_t group = 0; group < count; group++, line++)");
    s->indent++;
    lanes_line(s, "for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {");
    s->indent++;
    Block b;
    block_begin(s, &b);
    block_declare(s, &b, "Lanes", "length", "lanes_read(line->length + lane)");
    block_declare(s, &b, "Lanes", "facts", "lanes_read(line->facts + lane)");
    emit_game_facts(s);
    for (int i = 0; i < s->count; i++)
        if (!s->is_once[i])
            lanes_line(s, "Lanes %s = lanes_all(0ULL);", result_name(s, i));
    if (needs_replay(s))
        emit_replay(s);
    for (int q = 0; q < s->query_count; q++)
        emit_result(s, q);
    block_end(s, &b);
    s->indent--;
    lanes_line(s, "}");
    s->indent = 0;
    lanes_line(s, "}\n");
}

static void print_table(Screened *s, const KindTable *t)
{
    uint64_t most = 0;
    for (int kind = 0; kind < KINDS; kind++)
        most = t->value[kind] > most ? t->value[kind] : most;
    const char *text = arena_printf(s->e->arena, "KIND_TABLE(%s", t->name);
    for (int kind = 0; kind < KINDS; kind++) {
        const uint64_t value = t->value[kind];
        const char *shown = value == ~0ULL            ? "~0ULL"
                            : most < 64 || value == 0 ? arena_printf(s->e->arena, "%d", (int)value)
                                                      : emit_squares(s->e, value).text;
        text = arena_printf(s->e->arena, "%s, %s", text, shown);
    }
    emit_wrapped(s->e->out, 0, arena_printf(s->e->arena, "%s, 0, 0);", text));
}

static void print_set(Screened *s, const KindSet *set)
{
    const char *text = s->e->is_read ? NULL : arena_printf(s->e->arena, "%d", set->kinds);
    for (int kind = 0; kind < KINDS && s->e->is_read; kind++)
        if (set->kinds >> kind & 1)
            text = text == NULL ? arena_printf(s->e->arena, "1 << %d", kind)
                                : arena_printf(s->e->arena, "%s | 1 << %d", text, kind);
    fprintf(s->e->out, "KIND_SET(%s, %s);\n", set->name, text != NULL ? text : "0");
}

static void print_purpose(const Screened *s)
{
    fputs(
        s->query_count > 1
            ? "// Looks for games in which each of these queries may match, straight from their moves:\n"
        : s->query->screen->is_exact
            ? "// Counts the positions of main lines at which the query matches, straight from their moves.\n"
            : "// Looks for games that may match, straight from their moves.\n",
        s->e->out);
}

// The function comes out first, into memory: it names the tables that it uses.
static void emit_all(Screened *s)
{
    Emit *e = s->e;
    FILE *out = e->out;
    char *code;
    size_t length;
    e->own = (Names){0};
    prepare(s);
    e->out = memory_stream(&code, &length);
    emit_function(s);
    FILE *const body = e->out;
    fflush(body);
    e->out = out;
    for (int i = 0; i < s->set_count; i++)
        print_set(s, &s->set[i]);
    for (int i = 0; i < s->table_count; i++)
        print_table(s, &s->table[i]);
    fputs(s->set_count + s->table_count > 0 ? "\n" : "", e->out);
    print_purpose(s);
    fwrite(code, 1, length, e->out);
    fclose(body);
    free(code);
    kings_forget(&s->king[WHITE]);
    kings_forget(&s->king[BLACK]);
}

void emit_screen(Emit *e)
{
    if (e->m->screen == NULL || e->screen != NULL)
        return;
    ScreenQuery query = {.screen = e->m->screen};
    Screened s = {.e = e, .hashes = {.arena = e->arena}, .query = &query, .query_count = 1};
    emit_all(&s);
}

// ---- screens of several queries ---------------------------------------------------------------------------

// C compilers take long for large functions, and libtcc leaves out costly screens.
enum { MOST_SHARED_COST = 400, MOST_GROUP_COST = 1500 };

static bool is_shared(const Module *m)
{
    return m->screen != NULL && emit_screen_cost(m->screen) <= MOST_SHARED_COST;
}

void emit_group_screens(Emit *queries, int count)
{
    int members = 0, cost = 0, groups = 0;
    Emit *last = NULL;
    for (int i = 0; i < count; i++) {
        Emit *e = &queries[i];
        if (!is_shared(e->m))
            continue;
        const int more = emit_screen_cost(e->m->screen);
        if (last == NULL || members == SCREEN_QUERIES || cost + more > MOST_GROUP_COST) {
            members = cost = 0;
            groups++;
        }
        e->screen = arena_printf(e->arena, "s%d_screen", groups);
        e->screen_place = members++;
        cost += more;
        last = e;
    }
}

void emit_shared_screens(Emit *queries, int count)
{
    ScreenQuery query[SCREEN_QUERIES];
    for (int first = 0; first < count; first++) {
        const char *name = queries[first].screen;
        if (name == NULL || queries[first].screen_place != 0)
            continue;
        int members = 0;
        for (int i = first; i < count; i++)
            if (queries[i].screen != NULL && strcmp(queries[i].screen, name) == 0)
                query[members++] = (ScreenQuery){.screen = queries[i].m->screen};
        Emit e = {.arena = queries[first].arena,
                  .out = queries[first].out,
                  .m = queries[first].m,
                  .is_read = queries[first].is_read,
                  .prefix = arena_printf(queries[first].arena, "%.*s", (int)(strlen(name) - strlen("screen")),
                                         name)};
        emit_file_name(&e, "screen");
        Screened s = {.e = &e, .hashes = {.arena = e.arena}, .query = query, .query_count = members};
        emit_all(&s);
        account_free(e.buffer);
    }
}
