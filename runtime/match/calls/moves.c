// Generated moves (language reference 4.2.2): possible moves, computed from the board and the moves since the
// root.
#include "moves.h"

#include "runtime/chess/setwise.h"
#include "runtime/match/facts.h"
#include "runtime/match/imaginary.h"

// True when an enemy piece outside `taken` attacks `square` with these blockers.
static bool attacked_by_enemy(const Generator *g, int square, Bitboard blockers, Bitboard taken)
{
    return (attackers_to(g->p, square, blockers) & g->enemy & ~taken) != 0;
}

static void init_castling(Generator *g, Context *c, int32_t n)
{
    const int king = g->side == WHITE ? 4 : 60;
    if (g->king != king)
        return;
    const Bitboard arrived = facts_history(c, n)->arrived;
    Move m;
    for (int wing = 0; wing < 2; wing++)
        if (!(arrived & (bb_of(king) | bb_of(wing == 0 ? king + 3 : king - 4))) &&
            pos_castling_move(g->p, wing, false, &m))
            g->castling |= bb_of(m.to);
}

// The enemy pawn that has just moved two steps and the square that it passed over, or NO_SQUARE.
typedef struct EnPassant {
    int pawn, passed;
} EnPassant;

static const EnPassant no_en_passant = {NO_SQUARE, NO_SQUARE};

static EnPassant en_passant_of(const Context *c, int32_t n)
{
    const Position *p = c->position[n];
    if (n == 0 || p->en_passant == NO_SQUARE)
        return no_en_passant;
    return (EnPassant){p->en_passant + (p->side == WHITE ? -8 : 8), p->en_passant};
}

void generator_init(Generator *g, Context *c, int32_t n, bool pseudo)
{
    const Position *p = c->position[n];
    *g = (Generator){.p = p, .side = p->side, .king = NO_SQUARE, .pseudo = pseudo, .evasion = BB_ALL};
    g->own = p->board[BOARD_WHITE + g->side];
    g->enemy = p->board[BOARD_WHITE + !g->side];
    g->barred = g->own | (is_imaginary(c, n) ? p->board[piece_make(!g->side, WHITE_KING)] : 0);
    const Bitboard king = p->board[piece_make(g->side, WHITE_KING)];
    if (king)
        g->king = bb_first(king);
    init_castling(g, c, n);
    const EnPassant e = en_passant_of(c, n);
    g->pawn = e.pawn;
    g->passed = e.passed;
    if (pseudo || !king)
        return;
    // The only own piece between the king and an enemy slider on one line may have to stay on that line.
    g->pinned = rt_pin(p, g->enemy, g->own, king, 0);
    const Bitboard checkers = attackers_to(p, g->king, p->board[BOARD_OCCUPIED]) & g->enemy;
    if (checkers)
        g->evasion = checkers & (checkers - 1) ? 0 : checkers | between_table[g->king][bb_first(checkers)];
}

static Bitboard pawn_targets(const Generator *g, int square)
{
    const Bitboard empty = g->p->board[EMPTY];
    const int forward = g->side == WHITE ? 8 : -8, next = square + forward;
    Bitboard targets = pawn_table[g->side][square] & g->enemy;
    if (next < 0 || next > 63 || !(empty & bb_of(next)))
        return targets;
    targets |= bb_of(next);
    if (square_rank(square) == (g->side == WHITE ? 1 : 6))
        targets |= empty & bb_of(next + forward);
    return targets;
}

static Bitboard safe_king_steps(const Generator *g, int square, Bitboard targets)
{
    const Bitboard blockers = g->p->board[BOARD_OCCUPIED] & ~bb_of(square);
    Bitboard safe = 0;
    for (; targets; targets &= targets - 1)
        if (!attacked_by_enemy(g, bb_first(targets), blockers, targets & -targets))
            safe |= targets & -targets;
    return safe;
}

Bitboard generator_ordinary(const Generator *g, int square)
{
    const int type = piece_type(g->p->square[square]);
    Bitboard targets = type == WHITE_PAWN ? pawn_targets(g, square) : attacks_from(g->p, square) & ~g->own;
    if (square == g->king)
        return (g->pseudo ? targets : safe_king_steps(g, square, targets)) | (g->castling & ~g->own);
    if (g->pinned & bb_of(square))
        targets &= line_table[g->king][square];
    return targets & g->evasion;
}

Bitboard generator_en_passant(const Generator *g, int square)
{
    if (g->pawn == NO_SQUARE || g->p->square[square] != piece_make(g->side, WHITE_PAWN) ||
        square_rank(square) != square_rank(g->pawn) || !(king_table[g->pawn] & bb_of(square)))
        return 0;
    const Bitboard taken = bb_of(g->pawn), to = bb_of(g->passed);
    if (g->pseudo || g->king == NO_SQUARE)
        return to;
    const Bitboard blockers = (g->p->board[BOARD_OCCUPIED] & ~taken & ~bb_of(square)) | to;
    return attacked_by_enemy(g, g->king, blockers, taken) ? 0 : to;
}

// ---- the calls --------------------------------------------------------------------------------------------

// Castling moves that are open and whose king and rook have not moved, by their destinations.
static Bitboard untouched(Context *c, int32_t n)
{
    const Position *p = c->position[n], *start = c->position[0];
    const Bitboard open = moves_open_castling(p, p->side);
    if (!open)
        return 0;
    const int back = p->side == WHITE ? 0 : 56, rights = p->castling >> 2 * p->side;
    // Where all rights are there at the start, only moves of king and rook, or their capture, have ended them.
    if (!is_imaginary(c, n) && start->castling == 15 && !memcmp(start->rook_file, pos_start.rook_file, 4))
        return open & ((rights & CASTLE_WHITE_KING ? bb_of(back + 6) : 0) |
                       (rights & CASTLE_WHITE_QUEEN ? bb_of(back + 2) : 0));
    const Bitboard arrived = facts_history(c, n)->arrived >> back;
    if (arrived & bb_of(4))
        return 0;
    return open & ~((arrived & bb_of(7) ? bb_of(back + 6) : 0) | (arrived & bb_of(0) ? bb_of(back + 2) : 0));
}

static void add_squares(MovesFound *found, MovesAspect aspect, int from, Bitboard to)
{
    found->squares |= aspect == MOVES_TO ? to : to ? bb_of(from) : 0;
    found->count += bb_count(to);
}

// Adds the moves of some pieces one piece at a time.
static void add_moves(Context *c, int32_t n, MovesFound *found, const MovesWanted *wanted, bool ordinary,
                      bool en_passant)
{
    Generator g;
    generator_init(&g, c, n, wanted->pseudolegal);
    for (Bitboard rest = wanted->from & g.own; rest; rest &= rest - 1) {
        const int square = bb_first(rest);
        const Bitboard to = (ordinary ? generator_ordinary(&g, square) : 0) |
                            (en_passant ? generator_en_passant(&g, square) : 0);
        add_squares(found, wanted->aspect, square, to & wanted->to);
    }
}

bool moves_fits(Move m, Bitboard from, int32_t flags)
{
    const bool drop = m.flags & MOVE_DROP;
    if (drop ? flags & GENERATE_FROM : !(from >> m.from & 1))
        return false;
    if (flags & GENERATE_DROP)
        return drop && flags >> (GENERATE_TYPES + piece_type(m.piece)) & 1;
    if (flags & (GENERATE_CASTLE_KING | GENERATE_CASTLE_QUEEN))
        return (m.flags & MOVE_CASTLE_KING && flags & GENERATE_CASTLE_KING) ||
               (m.flags & MOVE_CASTLE_QUEEN && flags & GENERATE_CASTLE_QUEEN);
    return true;
}

static inline __attribute__((always_inline)) MovesFound generate(Context *c, int32_t n, Bitboard from,
                                                                 Bitboard to, Bitboard victims, int32_t flags,
                                                                 MovesAspect aspect)
{
    const Position *p = c->position[n];
    const Bitboard king = p->board[piece_make(p->side, WHITE_KING)];
    const bool ordinary = !(flags & GENERATE_EN_PASSANT), several_kings = (king & (king - 1)) != 0;
    const EnPassant e = p->en_passant == NO_SQUARE ? no_en_passant : en_passant_of(c, n);
    const bool en_passant = e.pawn != NO_SQUARE && (ordinary || victims >> e.pawn & 1);
    MovesWanted wanted = {.aspect = aspect,
                          .pseudolegal = flags & GENERATE_PSEUDOLEGAL,
                          .some = flags & GENERATE_SOME,
                          .from = from,
                          .to = to};
    MovesFound found = {0, 0};
    if (is_imaginary(c, n))
        wanted.to &= ~p->board[piece_make(!p->side, WHITE_KING)];
    if (ordinary && !several_kings) {
        wanted.castling = king & (bb_of(4) | bb_of(60)) & from ? untouched(c, n) : 0;
        found = setwise.moves(p, &wanted);
        if (found.squares && wanted.some)
            return found;
        wanted.from &= en_passant ? king_table[e.pawn] & p->board[piece_make(p->side, WHITE_PAWN)] : 0;
    }
    if (wanted.from && (several_kings || en_passant))
        add_moves(c, n, &found, &wanted, ordinary && several_kings, en_passant);
    return found;
}

// ---- variants ---------------------------------------------------------------------------------------------

static MovesFound generate_varied(const Position *p, Bitboard from, Bitboard to, Bitboard victims,
                                  int32_t flags, MovesAspect aspect)
{
    Move moves[MAX_VARIANT_MOVES];
    MovesFound found = {0, 0};
    const int count = variant_moves(p, flags & GENERATE_PSEUDOLEGAL, moves);
    for (int i = 0; i < count; i++) {
        const Move m = moves[i];
        const bool counts = !m.promoted || piece_type(m.promoted) == WHITE_QUEEN; // a promotion is one move
        const bool passed = m.flags & MOVE_EN_PASSANT && victims >> m.victim & 1;
        if (!counts || !moves_fits(m, from, flags) || !(to >> m.to & 1) ||
            (flags & GENERATE_EN_PASSANT && !passed))
            continue;
        found.squares |= aspect == MOVES_TO ? bb_of(m.to) : bb_of(m.from);
        found.count++;
    }
    return found;
}

// Is it a position of a variant, or do the flags have bits that only queries that read variants set?
static inline bool is_special(const Context *c, int32_t n, int32_t flags)
{
    return variant_is(c->position[n]) || flags >= GENERATE_CASTLE_KING;
}

static __attribute__((noinline)) MovesFound generate_special(Context *c, int32_t n, Bitboard from,
                                                             Bitboard to, Bitboard victims, int32_t flags,
                                                             MovesAspect aspect)
{
    const Position *p = c->position[n];
    const int back = p->side == WHITE ? 0 : 56;
    if (moves_vary(p))
        return generate_varied(p, from, to, victims, flags, aspect);
    if (flags & GENERATE_DROP)
        return (MovesFound){0, 0};
    if (flags & (GENERATE_CASTLE_KING | GENERATE_CASTLE_QUEEN)) {
        from &= p->board[piece_make(p->side, WHITE_KING)] & bb_of(back + 4);
        to &= (flags & GENERATE_CASTLE_KING ? bb_of(back + 6) : 0) |
              (flags & GENERATE_CASTLE_QUEEN ? bb_of(back + 2) : 0);
    }
    return generate(c, n, from, to, victims, flags, aspect);
}

Bitboard rt_legal_to(Context *c, int32_t n, Bitboard left, Bitboard right, Bitboard en_passant, int32_t flags)
{
    return is_special(c, n, flags) ? generate_special(c, n, left, right, en_passant, flags, MOVES_TO).squares
                                   : generate(c, n, left, right, en_passant, flags, MOVES_TO).squares;
}

Bitboard rt_legal_from(Context *c, int32_t n, Bitboard left, Bitboard right, Bitboard en_passant,
                       int32_t flags)
{
    return is_special(c, n, flags)
               ? generate_special(c, n, left, right, en_passant, flags, MOVES_FROM).squares
               : generate(c, n, left, right, en_passant, flags, MOVES_FROM).squares;
}

int32_t rt_legal_count(Context *c, int32_t n, Bitboard left, Bitboard right, Bitboard en_passant,
                       int32_t flags)
{
    return (int32_t)(is_special(c, n, flags)
                         ? generate_special(c, n, left, right, en_passant, flags, MOVES_COUNT).count
                         : generate(c, n, left, right, en_passant, flags, MOVES_COUNT).count);
}
