// Functions of one position (language reference 3): attacks, lines, directions, pawn structure, FEN.
#include "regex_search.h"
#include "runtime/chess/setwise.h"
#include "runtime/match/facts.h"
#include "runtime/value/cpu.h"

enum { LONGEST_CHAIN = 8 }; // a line has no more squares

Bitboard rt_attacked(const Position *p, Bitboard from)
{
    return setwise.attacked(p, from);
}

Bitboard rt_attackers(const Position *p, Bitboard from, Bitboard to)
{
    return setwise.attackers(p, from, to);
}

Bitboard rt_chain_from(const Position *p, int32_t directions, int32_t sliders, const Bitboard *set,
                       int32_t count)
{
    return count < 2 || count > LONGEST_CHAIN ? 0 : setwise.chain_from(p, directions, sliders, set, count);
}

Bitboard rt_chain_to(const Position *p, int32_t directions, int32_t sliders, const Bitboard *set,
                     int32_t count)
{
    return count < 2 || count > LONGEST_CHAIN ? 0 : setwise.chain_to(p, directions, sliders, set, count);
}

Bitboard rt_pin(const Position *p, Bitboard from, Bitboard through, Bitboard to, int32_t which)
{
    return setwise.pins(p, from, through, to, which);
}

Bitboard rt_between(Bitboard a, Bitboard b)
{
    Bitboard result = 0;
    for (; a; a &= a - 1)
        for (Bitboard rest = b; rest; rest &= rest - 1)
            result |= between_table[bb_first(a)][bb_first(rest)];
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
    return p->check == CHECK_UNKNOWN ? pos_in_check(p, p->side) : (p->check & CHECK_GIVEN) != 0;
}

int32_t rt_has_legal_move(const Position *p)
{
    return variant_is(p) ? variant_has_move(p) : pos_has_legal_move(p);
}

// Inlined into callers that may use more instructions.
static inline __attribute__((always_inline)) int32_t power(const Position *p, Bitboard set)
{
    const Pieces *white = &p->white, *black = &p->black;
    const Bitboard minor = white->knight | black->knight | white->bishop | black->bishop;
    return bb_count(set & (white->pawn | black->pawn)) + 3 * bb_count(set & minor) +
           5 * bb_count(set & (white->rook | black->rook)) +
           9 * bb_count(set & (white->queen | black->queen));
}

CPU_TARGET("popcnt") static int32_t power_popcnt(const Position *p, Bitboard set)
{
    return power(p, set);
}

int32_t rt_power(const Position *p, Bitboard set)
{
    return CPU_HAS("popcnt") ? power_popcnt(p, set) : power(p, set);
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

enum { FEN_ROOM = FEN_MAX + 32 };

// Completes the FEN whose board has been written; its length.
static int complete_fen(Context *c, int32_t n, const History *history, char text[FEN_ROOM], int length)
{
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
    return length + 4;
}

// Each position is written once a game.
String rt_fen(Context *c, int32_t n)
{
    History *history = facts_history(c, n);
    if (history->fen)
        return history->fen;
    char text[FEN_ROOM];
    const int length = complete_fen(c, n, history, text, fen_write_board(c->position[n], text));
    return history->fen = run_string(c, text, (size_t)length);
}

// What asks once for a FEN needs no string. Its board alone rules out most positions, or is enough for a match.
int32_t rt_fen_found(Context *c, int32_t n, int32_t pattern)
{
    if (c->query->pattern_count > 1) {
        const String fen = rt_fen(c, n);
        return regex_found_in_line(c, pattern, (Text){fen->bytes, fen->length}, 0);
    }
    char text[FEN_ROOM];
    int length = fen_write_board(c->position[n], text);
    const Text board = {text, (size_t)length};
    if (!regex_may_match_board(c, pattern, board))
        return 0;
    const bool is_local = regex_is_local_pattern(c, pattern);
    if (is_local && regex_found_in_line(c, pattern, board, 0))
        return 1;
    length = complete_fen(c, n, facts_history(c, n), text, length);
    return regex_found_in_line(c, pattern, (Text){text, (size_t)length}, is_local ? board.length : 0);
}
