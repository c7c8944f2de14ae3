// Random trees: conditions and values for the body of a module.
#include "ir_maker.h"
#include "smaller_ir.h"

static Ir *condition_elsewhere(Maker *k, int depth, Ir *(*make)(Maker *, int));
static Ir *each_square(Maker *k, int depth, Ir *(*make)(Maker *, int));

uint32_t random_below(Maker *k, uint32_t limit)
{
    k->state = k->state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(k->state >> 33) % limit;
}

// A local or slot of the type; locals 0-8 and slots 0-8 are: int int int, set set set, text text text.
static int of_type(Maker *k, IrType type)
{
    return (type == IRT_SET ? 3 : type == IRT_STRING ? 6 : 0) + (int)random_below(k, 3);
}

Ir *with_number(Ir *ir, int32_t value, int32_t low)
{
    ir->number = value;
    ir->low = low;
    return ir;
}

// A call of the recursive function.
Ir *again(const Maker *k, Ir *limit, Ir *given)
{
    return ir_new(k->a, IR_AND, IRT_BOOL, 3, ir_store(LIMIT, limit), ir_store(GIVEN, given),
                  ir_invoke(k->a, 1));
}

static Ir *cell(Maker *k, IrType type)
{
    if (random_below(k, 2))
        return ir_local(k->f, of_type(k, type));
    return ir_slot(k->a, type, of_type(k, type));
}

// A positionid that exists: a number modulo the number of positions, made positive, or the local of a loop over positions.
static Ir *position(Maker *k, int depth)
{
    switch (random_below(k, 6)) {
    case 0:
    case 1:
        return ir_current(k->a);
    case 2:
    case 3:
        return ir_local(k->f, k->place);
    case 4:
        return ir_position_of(ir_int(k->a, 0));
    default: {
        Ir *positive = ir_binary(IR_AND_BITS, number(k, depth - 1), ir_int(k->a, 0xffff));
        return ir_position_of(ir_binary(IR_MOD, positive, ir_game(k->a, IR_GAME_COUNT)));
    }
    }
}

// A tree that was made before, as it was or with other constants; NULL: none.
static Ir *made_before(Maker *k, IrType type)
{
    if (k->seen_count[type] == 0 || random_below(k, 5) != 0)
        return NULL;
    const int count = k->seen_count[type] < SEEN ? k->seen_count[type] : SEEN;
    Ir *copy = ir_copy(k->seen[type][random_below(k, (uint32_t)count)]);
    if (random_below(k, 3) == 0)
        vary_tree(copy, (int)random_below(k, 19) - 9, (int)random_below(k, 3));
    return copy;
}

static Ir *see(Maker *k, Ir *tree)
{
    if (!ir_does_any(tree, IR_NOT_DROPPABLE) && ir_cost(tree) < 400)
        k->seen[tree->type][k->seen_count[tree->type]++ % SEEN] = ir_copy(tree);
    return tree;
}

// ---- locals for a part of the body ----

static bool has_locals(const Maker *k)
{
    return k->f->local_count < MOST_LOCALS;
}

static bool reads_local(const Ir *tree, int local)
{
    bool reads = tree->op == IR_LOCAL && tree->number == local;
    for (int i = 0; i < tree->kid_count && !reads; i++)
        reads = reads_local(tree->kid[i], local);
    return reads;
}

// Forgets the trees that read the local, where its part ends.
static void end_local(Maker *k, int local)
{
    for (int type = 0; type < 5; type++)
        for (int i = 0; i < k->seen_count[type] && i < SEEN; i++)
            if (local >= LOCALS && reads_local(k->seen[type][i], local)) {
                k->seen_count[type] = i;
                break;
            }
}

Ir *random_board(Maker *k)
{
    return ir_board(k->a, (int)random_below(k, BOARD_COUNT));
}

static Bitboard squares(Maker *k)
{
    static const Bitboard common[] = {
        0,          ~0ULL,  0xFF,       0x0101010101010101ULL, 0x1818000000ULL,
        1ULL << 28, 0xFF00, 0xF0F0F0F0, 0xFF000000000000ULL,   0x8100000000000081ULL};
    const uint32_t which = random_below(k, 16);
    if (which < 10)
        return common[which];
    const uint64_t low = random_below(k, 1u << 30), high = random_below(k, 1u << 30);
    return which < 13 ? 1ULL << random_below(k, 64) : low << 34 | high;
}

static Ir *pieces_on(Maker *k)
{
    Ir *board = random_board(k);
    return ir_set_and(board, ir_set(k->a, squares(k)));
}

static Ir *choose(Maker *k, int depth, Ir *(*make)(Maker *, int))
{
    Ir *first = make(k, depth - 1);
    return ir_choose(pure_condition(k, depth - 1), first, make(k, depth - 1));
}

// A sum of counted sets, each with a weight.
static Ir *weighted(Maker *k)
{
    Ir *sum = NULL;
    for (uint32_t count = 2 + random_below(k, 4); count; count--) {
        Ir *part = ir_count(random_below(k, 2) ? random_board(k) : pieces_on(k));
        if (random_below(k, 2))
            part = ir_with_int(IR_MUL, part, (int)random_below(k, 4));
        sum = sum == NULL ? part : ir_binary(random_below(k, 3) ? IR_ADD : IR_SUB, sum, part);
    }
    return sum;
}

static Ir *new_number(Maker *k, int depth)
{
    static const IrOp two[] = {IR_ADD, IR_SUB, IR_MUL, IR_AND_BITS};
    static const int32_t flags[] = {MOVE_EN_PASSANT, MOVE_CASTLE_KING, MOVE_CASTLE_QUEEN, MOVE_CASTLE};
    static const int32_t constant[] = {0, 1, -1, 2, 5, 31, INT32_MAX, INT32_MIN};
    if (depth <= 0)
        return random_below(k, 2) ? ir_int(k->a, constant[random_below(k, 8)]) : cell(k, IRT_INT);
    switch (random_below(k, 18)) {
    case 0:
        return ir_shift_right(number(k, depth - 1), (int)random_below(k, 32));
    case 1:
        return ir_with_int(random_below(k, 2) ? IR_DIV : IR_MOD, number(k, depth - 1),
                           random_below(k, 3) ? (int)random_below(k, 3) + 1 : -1);
    case 2:
        return ir_unary(IR_SQRT, ir_with_int(IR_AND_BITS, number(k, depth - 1), INT32_MAX));
    case 3:
        return ir_count(set(k, depth - 1));
    case 4: {
        Ir *some = ir_set_or(set(k, depth - 1), ir_set(k->a, 1ULL << random_below(k, 64)));
        Ir *first = ir_first(some);
        return random_below(k, 2) ? ir_unary(IR_SQUARE, first) : first;
    }
    case 5:
        return random_below(k, 2) ? ir_side(k->a) : ir_game(k->a, (int)random_below(k, 4));
    case 6: {
        const int field = (int)random_below(k, IR_NODE_FIELDS);
        Ir *node = ir_node(field, position(k, depth - 1));
        return field == IR_NODE_FLAGS ? ir_with_int(IR_AND_BITS, node, flags[random_below(k, 4)]) : node;
    }
    case 7:
        return choose(k, depth, number);
    case 8:
        switch (random_below(k, 3)) {
        case 0:
            return ir_int_of(position(k, depth - 1));
        case 1:
            return ir_int_of(pure_condition(k, depth - 1));
        default:
            return ir_int_of(cell(k, IRT_STRING));
        }
    case 9:
        return random_below(k, 2) ? ir_call(k->a, IR_CALL_length, 1, text(k, depth - 1))
                                  : ir_call(k->a, IR_CALL_log_mark, 0);
    case 10:
        return cell(k, IRT_INT);
    case 11:
    case 12:
        return weighted(k);
    case 13:
        return ir_call(k->a, IR_CALL_power, 1, set(k, depth - 1));
    case 14: {
        Ir *square = ir_local(k->f, k->square);
        return random_below(k, 2) ? square : ir_unary(IR_SQUARE, square);
    }
    case 15: {
        Ir *where = position(k, depth - 1);
        return ir_call(k->a, IR_CALL_piece_square, 2, where, ir_local(k->f, k->piece));
    }
    default:
        return ir_binary(two[random_below(k, 4)], number(k, depth - 1), number(k, depth - 1));
    }
}

// A value made before, or a new one, which later ones can repeat.
Ir *number(Maker *k, int depth)
{
    Ir *old = made_before(k, IRT_INT);
    return old != NULL ? old : see(k, new_number(k, depth));
}

Ir *set_of_call(Maker *k, int depth)
{
    static const IrCall of_position[] = {IR_CALL_connected_pawns, IR_CALL_doubled_pawns,
                                         IR_CALL_passed_pawns};
    Ir *through[2];
    switch (random_below(k, 8)) {
    case 0:
        return ir_call(k->a, IR_CALL_attacked, 1, set(k, depth - 1));
    case 1:
        through[0] = set(k, depth - 1);
        through[1] = set(k, depth - 1);
        return ir_call(k->a, IR_CALL_chain_from, 4 + (int)random_below(k, 2), ir_int(k->a, 255),
                       ir_int(k->a, 0), through[0], through[1], random_board(k));
    case 2:
        return ir_call(k->a, of_position[random_below(k, 3)], 0);
    case 3:
        return ir_call(k->a, IR_CALL_between, 2, set(k, depth - 1), set(k, depth - 1));
    case 4: {
        const IrCall call = random_below(k, 2) ? IR_CALL_legal_to : IR_CALL_legal_from;
        return ir_call(k->a, call, 4, set(k, depth - 1), set(k, depth - 1), set(k, 0),
                       ir_int(k->a, (int)random_below(k, 2)));
    }
    case 5: {
        Ir *attacks = ir_call(k->a, IR_CALL_attacked, 1, pieces_on(k));
        return ir_set_and(attacks, ir_call(k->a, IR_CALL_attackers, 2, random_board(k), pieces_on(k)));
    }
    default: {
        Ir *from = random_below(k, 2) ? random_board(k) : set(k, depth - 1);
        return ir_call(k->a, IR_CALL_attackers, 2, from, set(k, depth - 1));
    }
    }
}

static Ir *new_set(Maker *k, int depth)
{
    static const IrOp two[] = {IR_SET_AND, IR_SET_OR};
    if (depth <= 0)
        return random_below(k, 3) == 0 ? ir_set(k->a, squares(k))
               : random_below(k, 2)    ? random_board(k)
                                       : pieces_on(k);
    switch (random_below(k, 14)) {
    case 0:
        return cell(k, IRT_SET);
    case 1:
        return ir_set_not(set(k, depth - 1));
    case 2:
        return with_number(ir_unary(IR_STEP, set(k, depth - 1)), (int)random_below(k, 5) - 2,
                           (int)random_below(k, 5) - 2);
    case 3:
        return ir_bit(random_below(k, 2) ? ir_local(k->f, k->square) : number(k, depth - 1));
    case 4:
        return choose(k, depth, set);
    case 5:
    case 6:
    case 7:
        return set_of_call(k, depth);
    case 8:
        return set(k, 0);
    case 9:
        return ir_new(k->a, random_below(k, 2) ? IR_SET_AND : IR_SET_OR, IRT_SET, 3, set(k, depth - 1),
                      set(k, 0), set(k, depth - 1));
    case 10:
        return ir_unary((IrOp)(IR_WHITE_PAWN_ATTACKS + random_below(k, 4)), set(k, depth - 1));
    default:
        return ir_binary(two[random_below(k, 2)], set(k, depth - 1), set(k, depth - 1));
    }
}

Ir *set(Maker *k, int depth)
{
    Ir *old = made_before(k, IRT_SET);
    return old != NULL ? old : see(k, new_set(k, depth));
}

Ir *text(Maker *k, int depth)
{
    if (depth <= 0 || random_below(k, 3) == 0)
        return with_number(ir_new(k->a, IR_STRING, IRT_STRING, 0), (int)random_below(k, TEXTS), 0);
    switch (random_below(k, 6)) {
    case 0:
        return choose(k, depth, text);
    case 1:
        return ir_call(k->a, IR_CALL_text_int, 1, number(k, depth - 1));
    case 2:
        return cell(k, IRT_STRING);
    case 3:
        return ir_call(k->a, IR_CALL_upper, 1, text(k, depth - 1));
    case 4:
        return ir_call(k->a, IR_CALL_concat, 2, text(k, depth - 1), text(k, 0));
    default:
        return ir_call(k->a, IR_CALL_text_position, 1, position(k, depth - 1));
    }
}

// Where a king is, or whose move it is; perhaps negated.
static Ir *known_test(Maker *k)
{
    Ir *king = ir_board(k->a, random_below(k, 2) ? WHITE_KING : BLACK_KING);
    Ir *test = random_below(k, 3) ? ir_any(ir_set_and(king, ir_set(k->a, squares(k))))
                                  : ir_with_int(IR_EQ, ir_side(k->a), (int)random_below(k, 2));
    return random_below(k, 2) ? test : ir_not(test);
}

// Such tests of which one says something about the others.
static Ir *known_tests(Maker *k, int depth)
{
    Ir *first = known_test(k), *second = known_test(k), *third = pure_condition(k, depth - 1);
    switch (random_below(k, 3)) {
    case 0:
        return ir_all(3, first, third, second);
    case 1:
        return ir_or(ir_or(first, third), second);
    default:
        return ir_if(first, second, third);
    }
}

// A test, and a value that only exists where it is true.
static Ir *guarded(Maker *k, int depth)
{
    Ir *value, *test;
    if (random_below(k, 2)) {
        Ir *some = set(k, depth - 1);
        test = ir_any(random_below(k, 2) ? some : ir_set_and(some, set(k, depth - 1)));
        value = ir_first(ir_copy(some));
    } else {
        Ir *divisor = number(k, depth - 1);
        test = ir_with_int(IR_NE, divisor, 0);
        value = ir_binary(random_below(k, 2) ? IR_DIV : IR_MOD, cell(k, IRT_INT), ir_copy(divisor));
    }
    Ir *use = ir_with_int((IrOp)(IR_EQ + random_below(k, 6)), value, (int)random_below(k, 5));
    return random_below(k, 4) ? ir_and(test, use) : ir_or(ir_not(test), use);
}

// Without effects, but perhaps with loops.
static Ir *new_pure_condition(Maker *k, int depth)
{
    static const IrCall of_position[] = {IR_CALL_in_check, IR_CALL_has_legal_move, IR_CALL_legal_position};
    if (depth <= 0)
        return ir_bool(k->a, random_below(k, 2));
    switch (random_below(k, 16)) {
    case 0:
        return each_square(k, depth, pure_condition);
    case 15:
        return known_tests(k, depth);
    case 14:
        return guarded(k, depth);
    case 1:
        return ir_not(pure_condition(k, depth - 1));
    case 2:
        return ir_binary(random_below(k, 2) ? IR_AND : IR_OR, pure_condition(k, depth - 1),
                         pure_condition(k, depth - 1));
    case 3:
    case 4:
    case 5:
        return ir_any(set(k, depth - 1));
    case 6:
        return condition_elsewhere(k, depth, pure_condition);
    case 7:
        return ir_if(pure_condition(k, depth - 1), pure_condition(k, depth - 1),
                     pure_condition(k, depth - 1));
    case 8:
        return ir_binary(IR_SET_EQ, set(k, depth - 1), set(k, depth - 1));
    case 9:
        return ir_call(k->a, of_position[random_below(k, 3)], 0);
    case 10: {
        const IrOp comparison = (IrOp)(IR_EQ + random_below(k, 6));
        Ir *sum = weighted(k);
        return random_below(k, 2) ? ir_with_int(comparison, sum, (int)random_below(k, 20))
                                  : ir_binary(comparison, sum, weighted(k));
    }
    case 11: { // a square of a set
        Ir *square = ir_bit(ir_local(k->f, k->square));
        return ir_any(ir_set_and(square, set(k, depth - 1)));
    }
    default:
        return ir_binary((IrOp)(IR_EQ + random_below(k, 6)), number(k, depth - 1), number(k, depth - 1));
    }
}

Ir *pure_condition(Maker *k, int depth)
{
    Ir *old = made_before(k, IRT_BOOL);
    return old != NULL ? old : see(k, new_pure_condition(k, depth));
}

// At another position, or at the parent, where there is one.
static Ir *condition_elsewhere(Maker *k, int depth, Ir *(*make)(Maker *, int))
{
    if (random_below(k, 3) == 0) { // and the same here
        Ir *where = position(k, depth - 1);
        Ir *test = random_below(k, 2) ? ir_any(set_of_call(k, depth - 1)) : pure_condition(k, depth - 1);
        Ir *there = ir_at(where, ir_copy(test));
        return random_below(k, 2) ? ir_and(there, test) : ir_or(test, there);
    }
    if (random_below(k, 2)) {
        Ir *where = position(k, depth - 1);
        return ir_at(where, make(k, depth - 1));
    }
    Ir *parent = ir_node(IR_NODE_PARENT, ir_current(k->a));
    return ir_and(ir_with_int(IR_GE, parent, 0), ir_at(ir_position_of(ir_copy(parent)), make(k, depth - 1)));
}

// What a loop over squares knows of its square.
static Ir *about_square(Maker *k, int depth)
{
    switch (random_below(k, 6)) {
    case 0:
    case 5: {
        Ir *of_square = ir_call(k->a, IR_CALL_piece_number, 2, ir_current(k->a), ir_local(k->f, k->square));
        k->piece = ir_new_local(k->f, IRT_INT);
        Ir *square = ir_call(k->a, IR_CALL_piece_square, 2, ir_current(k->a), ir_local(k->f, k->piece));
        Ir *test = ir_eq(square, random_below(k, 2) ? ir_local(k->f, k->square) : number(k, depth - 1));
        return ir_and(ir_let(k->piece, of_square), random_below(k, 2) ? test : ir_at(position(k, 1), test));
    }
    case 1:
    case 4: {
        const int one = ir_new_local(k->f, IRT_SET);
        Ir *let = ir_let(one, ir_bit(ir_local(k->f, k->square)));
        Ir *size = ir_with_int(IR_EQ, ir_count(ir_local(k->f, one)), 1), *some = ir_any(ir_local(k->f, one));
        Ir *first = ir_eq(ir_first(ir_local(k->f, one)), ir_local(k->f, k->square)), *between = NULL;
        if (random_below(k, 6) == 0)
            between = ir_let(one, ir_set_or(set(k, depth - 1), ir_set(k->a, 1ULL << random_below(k, 64))));
        else if (random_below(k, 6) == 0)
            between = ir_let(k->square, ir_with_int(IR_AND_BITS, number(k, depth - 1), 63));
        return ir_all(4, let, between, some,
                      ir_or(random_below(k, 2) ? size : first, pure_condition(k, depth - 1)));
    }
    case 2:
        return ir_any(ir_set_and(ir_bit(ir_local(k->f, k->square)), set(k, depth - 1)));
    default:
        return NULL;
    }
}

static Ir *each_square(Maker *k, int depth, Ir *(*make)(Maker *, int))
{
    Ir *of = set(k, depth - 1);
    if (random_below(k, 2))
        of = ir_set_and(of, ir_board(k->a, BOARD_OCCUPIED));
    if (!has_locals(k))
        return ir_any(of);
    const int square = k->square, piece = k->piece, own = k->square = ir_new_local(k->f, IRT_INT);
    Ir *about = make == condition ? about_square(k, depth) : NULL;
    Ir *body = ir_and(about, make(k, depth - 1));
    end_local(k, own);
    end_local(k, k->piece);
    k->square = square;
    k->piece = piece;
    Ir *each = ir_each_square(of, own, body, (IrMode)random_below(k, 3));
    if (make != condition || random_below(k, 6) != 0)
        return each;
    Ir *last = ir_with_int((IrOp)(IR_EQ + random_below(k, 6)), ir_local(k->f, own), (int)random_below(k, 64));
    return ir_all(3, ir_let_int(k->f, own, (int)random_below(k, 64)), ir_always(each), last);
}

// For each position of the game between two, before one, or after it.
static Ir *each_position(Maker *k, int depth)
{
    if (!has_locals(k))
        return pure_condition(k, depth - 1);
    Ir *from = position(k, 1), *to = position(k, 1);
    const int place = k->place, own = k->place = ir_new_local(k->f, IRT_POSITION);
    const IrMode mode = (IrMode)random_below(k, 3);
    Ir *body = random_below(k, 2) ? ir_at(ir_local(k->f, own), pure_condition(k, depth - 1))
                                  : condition(k, depth - 1);
    if (random_below(k, 3) == 0) { // a bound, of all positions perhaps
        body = ir_and(ir_binary((IrOp)(IR_EQ + random_below(k, 6)), ir_local(k->f, own), ir_current(k->a)),
                      body);
        from = ir_position_of(ir_int(k->a, 0));
        if (random_below(k, 2))
            to = ir_position_of(ir_with_int(IR_SUB, ir_game(k->a, IR_GAME_COUNT), 1));
    }
    end_local(k, own);
    k->place = place;
    switch (random_below(k, 3)) {
    case 0:
        return ir_each_child(from, own, body, mode);
    case 1:
        return ir_each_ancestor(from, own, body, mode);
    default:
        return ir_each_position(from, to, own, body, mode);
    }
}

// Is a set here what it is at another position, so many plies away?
static Ir *repeated(Maker *k)
{
    if (!has_locals(k))
        return of_tags(k);
    const int own = ir_new_local(k->f, IRT_POSITION), there = ir_new_local(k->f, IRT_SET);
    Ir *here = random_below(k, 2) ? random_board(k) : pieces_on(k);
    Ir *plies[2] = {ir_node(IR_NODE_PLY, ir_local(k->f, own)), ir_node(IR_NODE_PLY, ir_current(k->a))};
    Ir *order = ir_binary((IrOp)(IR_NE + random_below(k, 5)), plies[0], plies[1]);
    if (random_below(k, 2)) {
        Ir *least = ir_choose(ir_binary(IR_LT, ir_copy(plies[0]), ir_copy(plies[1])), ir_copy(plies[0]),
                              ir_copy(plies[1]));
        Ir *distance = ir_sub(ir_add(ir_copy(plies[0]), ir_copy(plies[1])), ir_with_int(IR_MUL, least, 2));
        order = ir_with_int(random_below(k, 2) ? IR_GT : IR_GE, distance, (int)random_below(k, 9));
    }
    Ir *same = ir_binary(IR_SET_EQ, ir_local(k->f, there), here);
    Ir *let = ir_at(ir_local(k->f, own), ir_let(there, ir_copy(here)));
    return ir_each_position(ir_position_of(ir_int(k->a, 0)),
                            ir_with_int(IR_SUB, ir_game(k->a, IR_GAME_COUNT), 1), own,
                            ir_all(3, order, let, same), MODE_ANY);
}

// A local of its own, which may be a constant.
static Ir *with_local(Maker *k, int depth)
{
    Ir *value = random_below(k, 2) ? number(k, random_below(k, 2) ? 0 : depth - 1) : set(k, depth - 1);
    const int local = has_locals(k)            ? ir_new_local(k->f, (IrType)value->type)
                      : value->type == IRT_SET ? 3
                                               : 0;
    Ir *read = ir_local(k->f, local);
    Ir *test = value->type == IRT_SET
                   ? ir_any(ir_set_and(read, set(k, depth - 1)))
                   : ir_binary((IrOp)(IR_EQ + random_below(k, 6)), read, number(k, depth - 1));
    see(k, ir_local(k->f, local));
    Ir *rest = condition(k, depth - 1);
    end_local(k, local);
    return ir_all(3, ir_let(local, value), test, rest);
}

Ir *loop(Maker *k, int depth)
{
    k->loops++;
    const uint32_t which = random_below(k, 4);
    Ir *ir = which < 2 ? each_position(k, depth) : each_square(k, depth, condition);
    k->loops--;
    return ir;
}

// A loop that ends: a local counts down.
static Ir *counted_while(Maker *k, int depth)
{
    Ir *less = ir_with_int(IR_SUB, ir_local(k->f, COUNTER), 1);
    Ir *test = ir_with_int(IR_GT, ir_local(k->f, COUNTER), 0);
    Ir *head = random_below(k, 2) ? test : ir_and(ir_store(1, number(k, 1)), test);
    Ir *body = ir_and(ir_let(COUNTER, less), condition(k, depth - 1));
    return ir_and(ir_let_int(k->f, COUNTER, 3), ir_while(head, body));
}

static Ir *assignment(Maker *k, int depth)
{
    const uint32_t type = random_below(k, 3);
    Ir *value = type == 0 ? number(k, depth - 1) : type == 1 ? set(k, depth - 1) : text(k, depth - 1);
    const int target = of_type(k, (IrType)value->type);
    return random_below(k, 2) ? ir_let(target, value) : ir_store(target, value);
}

// The flag is 1 while something else happens.
static Ir *flag(Maker *k, int depth)
{
    if (!k->may_flag)
        return ir_with_int(IR_EQ, ir_read_slot(k->m, FLAG), 1);
    k->may_flag = false;
    Ir *inside = ir_always(condition(k, depth - 1));
    Ir *asks = ir_always(
        ir_if(ir_with_int(IR_EQ, ir_read_slot(k->m, FLAG), 1), assignment(k, 1), condition(k, depth - 1)));
    Ir *set_it = ir_store_int(k->a, FLAG, 1);
    if (random_below(k, 3) == 0 && has_locals(k)) { // from the second round on it is 1
        Ir *before = ir_always(ir_and(ir_with_int(IR_EQ, ir_read_slot(k->m, FLAG), 1), assignment(k, 1)));
        const int local = ir_new_local(k->f, IRT_INT);
        set_it = ir_each_square(set(k, 1), local, ir_and(before, set_it), MODE_EACH);
    }
    return ir_all(4, set_it, inside, asks, ir_store_int(k->a, FLAG, 0));
}

static Ir *joined(Maker *k, int depth)
{
    Ir *ir = ir_new(k->a, random_below(k, 2) ? IR_AND : IR_OR, IRT_BOOL, 0);
    for (uint32_t count = random_below(k, 5); count; count--)
        ir_add_kid(ir, condition(k, depth - 1));
    return ir;
}

Ir *variants(Maker *k)
{
    Ir *first = ir_new(k->a, IR_AND, IRT_BOOL, 0);
    for (uint32_t parts = 1 + random_below(k, 3); parts; parts--)
        switch (random_below(k, 8)) {
        case 0:
            ir_add_kid(first, ir_not(ir_any(pieces_on(k))));
            break;
        case 1:
            ir_add_kid(first, random_below(k, 3) ? new_pure_condition(k, 2) : assignment(k, 1));
            break;
        case 2:
        case 3:
            ir_add_kid(first, new_pure_condition(k, 2));
            break;
        default:
            ir_add_kid(first, ir_any(pieces_on(k)));
        }
    Ir *any = ir_new(k->a, IR_OR, IRT_BOOL, 0);
    const int count = random_below(k, 2) ? 2 + (int)random_below(k, 3) : 12 + (int)random_below(k, 6);
    const int far = random_below(k, 2) ? 1 : 8;
    for (int i = 0; i < count; i++) {
        Ir *next = ir_copy(first);
        vary_tree(next, far * (i - count / 2), i);
        next->note = arena_printf(k->a, "variant %d", i);
        ir_add_kid(any, next);
    }
    return any;
}

// The texts of a condition that fails are taken back.
static Ir *cut_texts(Maker *k, int depth)
{
    Ir *mark = ir_let(MARK, ir_call(k->a, IR_CALL_log_mark, 0));
    Ir *cut = ir_call(k->a, IR_CALL_log_cut, 1, ir_local(k->f, MARK));
    return ir_and(mark, ir_or(pure_condition(k, depth - 1), ir_then_false(k->a, cut)));
}

// Asks for something of the game alone.
Ir *of_tags(Maker *k)
{
    const int name = has_locals(k) ? ir_new_local(k->f, IRT_STRING) : NAME;
    const int rating = has_locals(k) ? ir_new_local(k->f, IRT_INT) : RATING;
    switch (random_below(k, 4)) {
    case 0: {
        Ir *player = ir_call_out(k->a, IR_CALL_player, name, 1, ir_int(k->a, (int)random_below(k, 2)));
        Ir *part = with_number(ir_new(k->a, IR_STRING, IRT_STRING, 0), 9 + (int)random_below(k, 2), 0);
        return ir_and(player, ir_call(k->a, IR_CALL_contains, 2, part, ir_local(k->f, name)));
    }
    case 1: {
        Ir *elo = ir_call_out(k->a, IR_CALL_elo, rating, 1, ir_int(k->a, (int)random_below(k, 3)));
        return ir_and(elo, ir_with_int(IR_GE, ir_local(k->f, rating), 2000));
    }
    case 2: {
        const IrOp comparison = (IrOp)(IR_EQ + random_below(k, 6));
        return ir_with_int(comparison, ir_game(k->a, IR_GAME_RESULT), (int)random_below(k, 3));
    }
    default: {
        Ir *year = ir_call_out(k->a, IR_CALL_year, rating, 0);
        return ir_and(year, ir_with_int(IR_LT, ir_local(k->f, rating), 1950));
    }
    }
}

// So many men at most, or exactly.
static Ir *few_men(Maker *k)
{
    static const IrOp comparison[] = {IR_LE, IR_LT, IR_EQ};
    static const int sides[] = {BOARD_WHITE, BOARD_BLACK};
    const int side = (int)random_below(k, 2);
    Ir *men = ir_count(random_below(k, 2) ? ir_board(k->a, sides[side]) : random_board(k));
    if (random_below(k, 3) == 0)
        men = ir_add(men, ir_count(random_below(k, 2) ? ir_board(k->a, sides[!side]) : random_board(k)));
    if (random_below(k, 4) == 0)
        men = ir_with_int(IR_MUL, men, (int)random_below(k, 4) - 1);
    return ir_with_int(comparison[random_below(k, 3)], men, (int)random_below(k, 32));
}

// What screens read: of a position, of the one before, of the next ones or of any.
static Ir *fact(Maker *k, int depth)
{
    static const int32_t flags[] = {MOVE_EN_PASSANT, MOVE_CASTLE, MOVE_CASTLE_KING};
    Ir *here = ir_current(k->a), *parent = ir_node(IR_NODE_PARENT, ir_current(k->a));
    switch (random_below(k, depth > 0 ? 10 : 6)) {
    case 0:
        return ir_with_int(IR_EQ, ir_side(k->a), (int)random_below(k, 2));
    case 1:
        return ir_with_int((IrOp)(IR_EQ + random_below(k, 6)), ir_node(IR_NODE_PLY, here),
                           (int)random_below(k, 20));
    case 2:
        return few_men(k);
    case 3:
        return ir_not(ir_any(pieces_on(k)));
    case 4: {
        Ir *test = ir_call(k->a, random_below(k, 2) ? IR_CALL_in_check : IR_CALL_has_legal_move, 0);
        return random_below(k, 2) ? test : ir_not(test);
    }
    case 5:
        return ir_any(pieces_on(k));
    case 6: {
        Ir *flag = ir_with_int(IR_AND_BITS, ir_node(IR_NODE_FLAGS, here), flags[random_below(k, 3)]);
        return ir_and(ir_with_int(IR_GE, parent, 0),
                      random_below(k, 2) ? ir_with_int(IR_NE, flag, 0)
                                         : ir_with_int(IR_NE, ir_node(IR_NODE_PROMOTED, here), 0));
    }
    case 7:
        return ir_and(ir_with_int(IR_GE, parent, 0),
                      ir_at(ir_position_of(ir_copy(parent)), fact(k, depth - 1)));
    case 8: {
        const int local = ir_new_local(k->f, IRT_POSITION);
        return ir_each_child(here, local, ir_at(ir_local(k->f, local), fact(k, depth - 1)), MODE_ANY);
    }
    default:
        return repeated(k);
    }
}

Ir *facts(Maker *k)
{
    Ir *first = fact(k, 2);
    if (random_below(k, 3) == 0)
        return ir_and(first, fact(k, 2));
    if (random_below(k, 3) != 0)
        return first;
    // a number says whether it is so, or something else has changed that
    const int local = ir_new_local(k->f, IRT_INT);
    Ir *zero = ir_let_int(k->f, local, 0), *one = ir_always(ir_and(first, ir_let_int(k->f, local, 1)));
    Ir *other = random_below(k, 2) ? ir_always(ir_and(fact(k, 1), ir_let_int(k->f, local, 2))) : NULL;
    return ir_all(4, zero, one, other, ir_with_int(IR_GT, ir_local(k->f, local), 0));
}

static Ir *rare(Maker *k)
{
    if (k->may_search && random_below(k, 2)) {
        k->may_search = false;
        return ir_invoke(k->a, 2);
    }
    if (random_below(k, 3) == 0)
        return repeated(k);
    return random_below(k, 8) ? of_tags(k)
                              : with_number(ir_new(k->a, IR_RAISE, IRT_BOOL, 0), RAISE_UNBOUND,
                                            (int)random_below(k, TEXTS) - 1);
}

Ir *condition(Maker *k, int depth)
{
    if (depth <= 0)
        return random_below(k, 2) ? assignment(k, 1) : pure_condition(k, 1);
    switch (random_below(k, 24)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return joined(k, depth);
    case 4:
        return ir_if(condition(k, depth - 1), condition(k, depth - 1), condition(k, depth - 1));
    case 5:
        return ir_not(condition(k, depth - 1));
    case 6:
        return random_below(k, 3) == 0 ? ir_always(condition(k, depth - 1)) : flag(k, depth);
    case 7:
    case 8:
        return k->loops < 3 ? loop(k, depth) : assignment(k, depth);
    case 9:
        return k->loops == 0 ? counted_while(k, depth) : assignment(k, depth);
    case 10:
        return condition_elsewhere(k, depth, condition);
    case 11:
        return again(k, number(k, 1), set(k, 1));
    case 12:
        return with_number(ir_new(k->a, IR_PLACE, IRT_BOOL, 1, condition(k, depth - 1)),
                           1 + (int)random_below(k, 3), 0);
    case 13:
        return ir_call(k->a, IR_CALL_log_add, 2, position(k, depth - 1), text(k, depth - 1));
    case 14:
        return ir_call_out(k->a, IR_CALL_parse_int, (int)random_below(k, 3), 1, text(k, depth - 1));
    case 15:
        return rare(k);
    case 16:
        return variants(k);
    case 17:
        return random_below(k, 2) ? cut_texts(k, depth) : with_local(k, depth);
    case 18:
        return ir_gt(ir_call(k->a, IR_CALL_compare, 2, text(k, depth - 1), text(k, depth - 1)),
                     number(k, depth - 1));
    case 19:
    case 20:
        return assignment(k, depth);
    default:
        return pure_condition(k, depth);
    }
}
