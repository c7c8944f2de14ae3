// Functions of one position (language reference 3): attacks, lines, directions, pawn structure, FEN.
#include "runtime/match/facts.h"

static Bitboard occupied(const Position *p)
{
    return p->board[BOARD_OCCUPIED];
}

Bitboard rt_attacked(const Position *p, Bitboard from)
{
    Bitboard result = 0;
    for (Bitboard rest = from & occupied(p); rest; rest &= rest - 1)
        result |= attacks_from(p, bb_first(rest));
    return result;
}

Bitboard rt_attackers(const Position *p, Bitboard from, Bitboard to)
{
    from &= occupied(p);
    Bitboard result = 0;
    // Looking back from a target costs about as much as looking forward from two pieces.
    if (2 * bb_count(to) < bb_count(from)) {
        for (; to; to &= to - 1)
            result |= attackers_to(p, bb_first(to), occupied(p)) & from;
        return result;
    }
    for (; from; from &= from - 1)
        if (attacks_from(p, bb_first(from)) & to)
            result |= from & -from;
    return result;
}

Bitboard rt_between(Bitboard a, Bitboard b)
{
    Bitboard result = 0;
    for (; a; a &= a - 1)
        for (Bitboard rest = b; rest; rest &= rest - 1)
            result |= between_table[bb_first(a)][bb_first(rest)];
    return result;
}

// ---- pins -------------------------------------------------------------------------------------------------

// The pieces that can move along the ranks and files (or the diagonals).
static Bitboard straight_sliders(const Position *p)
{
    return p->board[WHITE_ROOK] | p->board[BLACK_ROOK] | p->board[WHITE_QUEEN] | p->board[BLACK_QUEEN];
}

static Bitboard diagonal_sliders(const Position *p)
{
    return p->board[WHITE_BISHOP] | p->board[BLACK_BISHOP] | p->board[WHITE_QUEEN] | p->board[BLACK_QUEEN];
}

Bitboard rt_pin(const Position *p, Bitboard from, Bitboard through, Bitboard to, int32_t which)
{
    Bitboard result = 0;
    const Bitboard straight = from & straight_sliders(p), diagonal = from & diagonal_sliders(p);
    for (; to; to &= to - 1) {
        const int target = bb_first(to);
        Bitboard candidates = (rook_attacks(target, 0) & straight) | (bishop_attacks(target, 0) & diagonal);
        for (; candidates; candidates &= candidates - 1) {
            const int pinner = bb_first(candidates);
            const Bitboard blockers = between_table[target][pinner] & occupied(p);
            if (!blockers || (blockers & (blockers - 1)) || !(blockers & through))
                continue;
            const int colour = piece_colour(p->square[bb_first(blockers)]);
            if (piece_colour(p->square[pinner]) == colour ||
                (p->square[target] != EMPTY && piece_colour(p->square[target]) != colour))
                continue;
            result |= which == 0 ? blockers : which == 1 ? bb_of(pinner) : bb_of(target);
        }
    }
    return result;
}

// ---- directions -------------------------------------------------------------------------------------------

static const int8_t file_step[8] = {0, 1, 1, 1, 0, -1, -1, -1};
static const int8_t rank_step[8] = {1, 1, 0, -1, -1, -1, 0, 1};

Bitboard rt_direction(Context *c, Bitboard from, int32_t directions, int32_t low, int32_t high)
{
    if (low < -7 || high > 7 || low > high)
        run_raise(c, "the direction range %d %d must be within -7 to 7, lower bound first", (int)low,
                  (int)high);
    Bitboard result = 0;
    for (int d = 0; d < 8; d++)
        for (int i = low; directions >> d & 1 && i <= high; i++)
            result |= bb_step(from, i * file_step[d], i * rank_step[d]);
    return result;
}

// ---- pawn structure (3.14) --------------------------------------------------------------------------------

// All squares of the files on which the set has a square.
static Bitboard files_of(Bitboard set)
{
    set |= set >> 8;
    set |= set >> 16;
    set |= set >> 32;
    return (set & BB_RANK_1) * BB_FILE_A;
}

static Bitboard neighbours(Bitboard set)
{
    return bb_step(set, 1, 0) | bb_step(set, -1, 0);
}

Bitboard rt_connected_pawns(const Position *p)
{
    const Bitboard white = p->board[WHITE_PAWN], black = p->board[BLACK_PAWN];
    return (white & neighbours(files_of(white))) | (black & neighbours(files_of(black)));
}

Bitboard rt_doubled_pawns(const Position *p)
{
    Bitboard result = 0;
    for (int colour = WHITE; colour <= BLACK; colour++) {
        const Bitboard pawns = p->board[piece_make(colour, WHITE_PAWN)];
        for (int file = 0; file < 8; file++) {
            const Bitboard here = pawns & BB_FILE_A << file;
            if (here & (here - 1))
                result |= here;
        }
    }
    return result;
}

Bitboard rt_passed_pawns(const Position *p)
{
    const Bitboard white = p->board[WHITE_PAWN], black = p->board[BLACK_PAWN];
    Bitboard below = black >> 8, above = white << 8;
    for (int step = 8; step <= 32; step *= 2) {
        below |= below >> step;
        above |= above << step;
    }
    return (white & ~(below | neighbours(below))) | (black & ~(above | neighbours(above)));
}

// ---- check, material, names -------------------------------------------------------------------------------

int32_t rt_in_check(const Position *p)
{
    return pos_in_check(p, p->side);
}

int32_t rt_has_legal_move(const Position *p)
{
    return pos_has_legal_move(p);
}

int32_t rt_power(const Position *p, Bitboard set)
{
    static const int value[7] = {0, 1, 3, 3, 5, 9, 0};
    int power = 0;
    for (int type = WHITE_PAWN; type <= WHITE_QUEEN; type++)
        power += value[type] * bb_count(set & (p->board[type] | p->board[piece_make(BLACK, type)]));
    return power;
}

Bitboard rt_makesquare(String name)
{
    name = string_or_empty(name);
    if (name->length != 2 || name->bytes[0] < 'a' || name->bytes[0] > 'h' || name->bytes[1] < '1' ||
        name->bytes[1] > '8')
        return 0;
    return bb_of((name->bytes[1] - '1') * 8 + name->bytes[0] - 'a');
}

// The square passed over by a two-step pawn move, or NO_SQUARE.
static int passed_over(Move m)
{
    if (m.flags & MOVE_NULL || (m.piece != WHITE_PAWN && m.piece != BLACK_PAWN))
        return NO_SQUARE;
    return m.to - m.from == 16 || m.from - m.to == 16 ? (m.from + m.to) / 2 : NO_SQUARE;
}

// Each position is written once a game.
String rt_fen(Context *c, int32_t n)
{
    History *history = facts_history(c, n);
    if (history->fen)
        return history->fen;
    char text[FEN_MAX + 32];
    int length = fen_write_board(c->position[n], text);
    text[length++] = ' ';
    text[length++] = c->position[n]->side == WHITE ? 'w' : 'b';
    text[length++] = ' ';
    const int home = history->home;
    for (int i = 0; i < 4; i++) {
        text[length] = "KQkq"[i];
        length += home >> i & 1;
    }
    if (!home)
        text[length++] = '-';
    text[length++] = ' ';
    const int square = n > 0 ? passed_over(c->node[n].move) : NO_SQUARE;
    if (square == NO_SQUARE) {
        text[length++] = '-';
    } else {
        square_name(square, text + length);
        length += 2;
    }
    memcpy(text + length, " 0 1", 4);
    return history->fen = run_string(c, text, (size_t)length + 4);
}
