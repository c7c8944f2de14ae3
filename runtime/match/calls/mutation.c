// Positions with changes, positions that are kept, and the text of what makes an imaginary position (language
// reference 13.17).
#include "runtime/match/facts.h"
#include "runtime/match/imaginary.h"

// ---- changes ----------------------------------------------------------------------------------------------

static Imaginary *position_of(Context *c, int32_t level)
{
    return &c->run->imaginary->level[level].position;
}

static void note(Context *c, Imaginary *p, char sign, int piece, int square)
{
    const size_t count = (size_t)p->change_count + 1;
    p->change = run_grow(c, p->change, &p->change_capacity, count, sizeof *p->change);
    p->change[p->change_count++] = (Change){sign, (uint8_t)piece, (uint8_t)square};
}

int32_t rt_imagine_begin(Context *c, int32_t n, int32_t level)
{
    imaginary_copy(position_of(c, level), c->position[n]);
    return imaginary_enter(c, n, level, IMAGINED_CHANGES, (Retraction){0});
}

int32_t rt_imagine_put(Context *c, int32_t level, int32_t piece, Bitboard squares)
{
    Imaginary *p = position_of(c, level);
    if (variant_is(&p->board))
        p->varied.promoted &= ~squares;
    for (; squares; squares &= squares - 1) {
        const int square = bb_first(squares), before = p->board.square[square];
        if (piece != EMPTY)
            note(c, p, '+', piece, square);
        else if (before != EMPTY)
            note(c, p, '-', before, square);
        p->board.square[square] = (uint8_t)piece;
    }
    const uint8_t varied = p->board.check & CHECK_VARIANT;
    pos_rebuild(&p->board);
    p->board.check = varied; // completed by rt_imagine_end
    return c->game->count + level;
}

int32_t rt_imagine_side(Context *c, int32_t level, int32_t side)
{
    Imaginary *p = position_of(c, level);
    const int before = p->board.side;
    p->board.side = side == WHITE || side == BLACK ? (uint8_t)side : !before;
    p->board.check &= CHECK_VARIANT;
    if (p->board.side != before)
        p->board.en_passant = NO_SQUARE;
    note(c, p, p->board.side == WHITE ? 'w' : 'b', EMPTY, 0);
    return c->game->count + level;
}

// The rights whose king and rook are where they were in the position that had the rights.
static uint8_t rights_left(const Position *p, const Position *origin)
{
    uint8_t rights = p->castling;
    for (int right = 0; right < 4; right++) {
        const int side = right / 2, king = piece_make(side, WHITE_KING), rook = piece_make(side, WHITE_ROOK);
        if (p->board[king] != origin->board[king] || p->square[p->rook_file[right] + 56 * side] != rook)
            rights &= ~(1 << right);
    }
    return rights;
}

// The pawn that the en passant square is about is there, and has passed over that square.
static bool may_pass(const Position *p)
{
    const int pawn = p->en_passant + (p->side == WHITE ? -8 : 8);
    return p->square[pawn] == piece_make(!p->side, WHITE_PAWN) && p->square[p->en_passant] == EMPTY;
}

int32_t rt_imagine_end(Context *c, int32_t level)
{
    Imaginary *p = position_of(c, level);
    Position *board = &p->board;
    board->castling = rights_left(board, c->position[p->origin]);
    if (board->en_passant != NO_SQUARE && !may_pass(board))
        board->en_passant = NO_SQUARE;
    if (!variant_is(board))
        return bb_count(board->white.king) == 1 && bb_count(board->black.king) == 1;
    variant_find_check(&p->varied);
    return variant_has_kings(variant_rules_of(board), board);
}

int32_t rt_save_position(Context *c, int32_t position)
{
    return imaginary_save(c, position);
}

// ---- currentmutation --------------------------------------------------------------------------------------

// What begins the next part of the text.
static void begin_part(Buffer *out)
{
    if (out->length > 0)
        buffer_text(out, " ");
}

// A move in PGN form with its number, made in position p; n says the number.
static void write_move(Context *c, int32_t n, const Position *p, Move m, const char *sign)
{
    Buffer *out = &c->run->scratch;
    char san[SAN_MAX];
    san_write(p, m, san);
    begin_part(out);
    buffer_format(out, "%s%d", sign, facts_move_number(c, n));
    buffer_text(out, p->side == WHITE ? "." : "...");
    buffer_text(out, san);
}

static void write_change(Buffer *out, Change change)
{
    char square[2];
    square_name(change.square, square);
    begin_part(out);
    if (change.sign == 'w' || change.sign == 'b')
        buffer_format(out, "%ctm", change.sign);
    else
        buffer_format(out, "%c%c%.2s", change.sign, fen_letters[change.piece], square);
}

static void write_mutation(Context *c, int32_t n)
{
    const Imaginary *p = imaginary_of(c, n);
    run_take_steps(c, 1 + (size_t)p->change_count);
    if (is_imaginary(c, p->origin))
        write_mutation(c, p->origin);
    if (p->kind == IMAGINED_MOVE)
        write_move(c, p->origin, c->position[p->origin], p->made.move, "");
    else if (p->kind == IMAGINED_RETRACTION)
        write_move(c, n, &p->board, p->made.move, "-");
    for (int32_t i = 0; i < p->change_count; i++)
        write_change(&c->run->scratch, p->change[i]);
}

int32_t rt_mutation(Context *c, int32_t n, String *result)
{
    if (!is_imaginary(c, n))
        return 0;
    run_scratch(c);
    write_mutation(c, n);
    *result = run_scratch_string(c);
    return 1;
}
