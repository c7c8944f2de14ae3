// Reads and writes moves: standard algebraic notation in its many forms, and UCI.
#include <string.h>

#include "sliders.h"
#include "variant.h"

static bool is_file(char c)
{
    return c >= 'a' && c <= 'h';
}

static bool is_rank(char c)
{
    return c >= '1' && c <= '8';
}

// May appear anywhere in a move and has no meaning of its own.
static bool is_filler(char c)
{
    return c == 'x' || c == '-' || c == ':';
}

// The piece type of a capital letter, 0 when there is none.
static int type_of_letter(char c)
{
    static const uint8_t type[256] = {['P'] = WHITE_PAWN, ['N'] = WHITE_KNIGHT, ['B'] = WHITE_BISHOP,
                                      ['R'] = WHITE_ROOK, ['Q'] = WHITE_QUEEN,  ['K'] = WHITE_KING};
    return type[(unsigned char)c];
}

static int promotion_of_letter(char c, bool king)
{
    const int type = type_of_letter((char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c));
    return type == WHITE_PAWN || (type == WHITE_KING && !king) ? 0 : type;
}

static Move ordinary_move(const Position *p, int from, int to)
{
    return pos_plain_move(p->square[from], from, to, p->square[to] != EMPTY);
}

static bool is_legal(const Position *p, Move m)
{
    return variant_is(p) ? variant_is_legal(p, m) : pos_is_legal(p, m);
}

static Bitboard targets(const Position *p)
{
    return variant_is(p) ? variant_targets(p) : pos_targets(p);
}

static bool castling_move(const Position *p, int wing, bool need_right, Move *m)
{
    return variant_is(p) ? variant_castling_move(p, wing, need_right, m) && (need_right || is_legal(p, *m))
                         : pos_castling_move(p, wing, need_right, m);
}

// Legal for the reader: a king may go next to the other king. Printed studies contain such moves as the
// losing side's last one, and it would not help to drop the rest of the game.
static bool is_readable(const Position *p, Move m)
{
    if (piece_type(m.piece) != WHITE_KING || variant_is(p))
        return is_legal(p, m);
    const Bitboard occupied = (p->board[BOARD_OCCUPIED] & ~bb_of(m.from)) | bb_of(m.to);
    const Bitboard counted = ~p->board[piece_make(!p->side, WHITE_KING)] & ~bb_of(m.to);
    return !slider_attacked(p, m.to, !p->side, occupied, counted);
}

// Finds the only legal move to `to` among the pieces of one kind in `origins`, all of which reach it.
static SanResult choose(const Position *p, Bitboard origins, int to, Move *m)
{
    SanResult result = SAN_ILLEGAL;
    for (; origins; origins &= origins - 1) {
        const Move candidate = ordinary_move(p, bb_first(origins), to);
        if (!is_readable(p, candidate))
            continue;
        if (result == SAN_OK)
            return SAN_AMBIGUOUS;
        *m = candidate;
        result = SAN_OK;
    }
    return result;
}

// ---- castling ---------------------------------------------------------------------------------------------

// castle = "O-O" | "O-O-O", with O, o or 0 and optional hyphens; returns the wing or -1.
static int castling_wing(const char *text, size_t length)
{
    int letters = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == 'O' || text[i] == 'o' || text[i] == '0')
            letters++;
        else if (text[i] != '-' || i == 0 || i + 1 == length || text[i - 1] == '-')
            return -1;
    }
    return letters == 2 ? 0 : letters == 3 ? 1 : -1;
}

static SanResult parse_castling(const Position *p, const char *text, size_t length, Move *m)
{
    const int wing = castling_wing(text, length);
    if (wing < 0)
        return SAN_NOT_A_MOVE;
    const bool any = variant_rules_of(p)->rules & RULE_ANY_CASTLING;
    return castling_move(p, wing, true, m) || (any && castling_move(p, wing, false, m)) ? SAN_OK
                                                                                        : SAN_ILLEGAL;
}

static bool is_orthodox_right(const Position *p, int right)
{
    const int king = right < 2 ? 4 : 60;
    return p->square[king] == piece_make(right >= 2, WHITE_KING) &&
           p->rook_file[right] == (right & 1 ? 0 : 7);
}

// True when some right could not exist in ordinary chess.
static bool is_chess960(const Position *p)
{
    for (int right = 0; right < 4; right++)
        if ((p->castling >> right & 1) && !is_orthodox_right(p, right))
            return true;
    return false;
}

// Castling written as a king's move: to its destination or, in Chess960 only, onto its own rook.
static SanResult parse_king_castling(const Position *p, int from, int to, Move *m)
{
    const bool onto_rook = p->square[to] == piece_make(p->side, WHITE_ROOK);
    for (int wing = 0; wing < 2; wing++) {
        Move candidate;
        if (!(p->castling >> (p->side * 2 + wing) & 1))
            continue;
        const int rook = p->rook_file[p->side * 2 + wing] + (p->side == WHITE ? 0 : 56);
        const bool named = onto_rook ? to == rook && is_chess960(p) : square_file(to) == (wing == 0 ? 6 : 2);
        if (named && castling_move(p, wing, true, &candidate) && candidate.from == from &&
            (onto_rook || candidate.to == to)) {
            *m = candidate;
            return SAN_OK;
        }
    }
    return SAN_ILLEGAL;
}

// ---- pieces -----------------------------------------------------------------------------------------------

// A move of a king of `origins`; only variants have several.
static SanResult king_to(const Position *p, Bitboard origins, int to, Move *m)
{
    const Bitboard king = p->board[piece_make(p->side, WHITE_KING)] & origins;
    if (king_table[to] & king) {
        const SanResult result =
            bb_of(to) & targets(p) ? choose(p, king & king_table[to], to, m) : SAN_ILLEGAL;
        if (result == SAN_OK || result == SAN_AMBIGUOUS)
            return result;
    }
    return king && p->castling ? parse_king_castling(p, bb_first(king), to, m) : SAN_ILLEGAL;
}

// The piece letter is text[0]. The last file and rank are the target; those before them restrict the origin.
// Nearly every move ends with its target, which then needs no search.
static SanResult parse_piece(const Position *p, const char *text, size_t length, Move *m)
{
    int from_file = -1, from_rank = -1, file = -1, rank = -1;
    const bool target_last = length >= 3 && is_file(text[length - 2]) && is_rank(text[length - 1]);
    const size_t searched = target_last ? length - 2 : length;
    for (size_t i = 1; i < searched; i++) {
        if (is_file(text[i])) {
            from_file = file;
            file = text[i] - 'a';
        } else if (is_rank(text[i])) {
            from_rank = rank;
            rank = text[i] - '1';
        } else if (!is_filler(text[i])) {
            return SAN_NOT_A_MOVE;
        }
    }
    if (target_last) {
        from_file = file;
        from_rank = rank;
        file = text[length - 2] - 'a';
        rank = text[length - 1] - '1';
    }
    if (file < 0 || rank < 0)
        return file == rank ? SAN_NOT_A_MOVE : SAN_ILLEGAL; // a letter alone, or half a target
    const int to = rank * 8 + file, type = type_of_letter(text[0]);
    if (type == WHITE_KING && !variant_is(p))
        return king_to(p, BB_ALL, to, m);
    Bitboard origins = p->board[piece_make(p->side, type)];
    if (from_file >= 0)
        origins &= BB_FILE_A << from_file;
    if (from_rank >= 0)
        origins &= BB_RANK_1 << (8 * from_rank);
    if (type == WHITE_KING)
        return king_to(p, origins, to, m);
    if (!(bb_of(to) & targets(p)))
        return SAN_ILLEGAL;
    return choose(p, origins & slider_type_attacks(type, to, p->board[BOARD_OCCUPIED]), to, m);
}

// ---- pawns and coordinates --------------------------------------------------------------------------------

// The parts of a token without a piece letter other than P.
typedef struct PawnText {
    char element[4];  // the first four files and ranks
    int files, count; // how many there are: files; files and ranks
    int promotion;    // piece type, 0: none
    bool pawn_letter; // begins with P
    bool king;        // promotes to a king, in variants
} PawnText;

// After the squares: nothing, or [ "=" | "/" ] letter | [ "=" ] "(" letter ")". False: neither.
static bool read_promotion(const char *text, size_t length, PawnText *t)
{
    const size_t sign = length > 0 && (text[0] == '=' || text[0] == '/');
    const bool brackets = length == sign + 3 && text[sign] == '(' && text[sign + 2] == ')';
    if (length == 0)
        return true;
    if (length == sign + 1 || brackets)
        t->promotion = promotion_of_letter(text[sign + brackets], t->king);
    return t->promotion != 0;
}

// SAN_OK: fills in *t; SAN_ILLEGAL: looks like a move but cannot be one; SAN_NOT_A_MOVE.
static SanResult read_pawn_text(const char *text, size_t length, PawnText *t)
{
    size_t i = t->pawn_letter = text[0] == 'P';
    // a8b: the bishop in lower case is no file
    if (length > 2 && text[length - 1] == 'b' && (text[length - 2] == '8' || text[length - 2] == '1')) {
        t->promotion = WHITE_BISHOP;
        length--;
    }
    for (; i < length; i++) {
        if (is_file(text[i]) || is_rank(text[i])) {
            if (t->count < 4)
                t->element[t->count] = text[i];
            t->count++;
            t->files += is_file(text[i]);
        } else if (!is_filler(text[i])) {
            break;
        }
    }
    if (t->files == 0 || t->count < 2)
        return SAN_NOT_A_MOVE;
    return read_promotion(text + i, length - i, t) && t->count <= 4 ? SAN_OK : SAN_ILLEGAL;
}

// Completes and checks a pawn move whose squares fit; a promotion must name the piece.
static bool complete_pawn_move(const Position *p, int from, int to, int promotion, Move *m)
{
    if ((square_rank(to) == (p->side == WHITE ? 7 : 0)) != (promotion != 0))
        return false;
    *m = ordinary_move(p, from, to);
    if (promotion)
        m->promoted = piece_make(p->side, promotion);
    if ((from ^ to) == 16)
        m->flags = square_rank(from) == 0 ? 0 : MOVE_DOUBLE_STEP; // 0: in Horde
    if (to == p->en_passant && square_file(from) != square_file(to)) {
        m->victim = to + (p->side == WHITE ? -8 : 8);
        m->flags = MOVE_CAPTURE | MOVE_EN_PASSANT;
    }
    return is_legal(p, *m);
}

static SanResult pawn_push(const Position *p, int to, int promotion, Move *m)
{
    const int pawn = piece_make(p->side, WHITE_PAWN), back = p->side == WHITE ? -8 : 8;
    int from = to + back;
    if (from < 0 || from > 63 || p->square[to] != EMPTY)
        return SAN_ILLEGAL;
    const bool two =
        square_rank(to) == (p->side == WHITE ? 3 : 4) ||
        (square_rank(to) == 2 && variant_rules_of(p)->rules & RULE_FIRST_RANK && p->side == WHITE);
    if (p->square[from] == EMPTY && two)
        from += back;
    if (p->square[from] != pawn)
        return SAN_ILLEGAL;
    return complete_pawn_move(p, from, to, promotion, m) ? SAN_OK : SAN_ILLEGAL;
}

// The squares on which pawns can capture: enemy men except the king, and the en passant square.
static Bitboard pawn_victims(const Position *p)
{
    const Bitboard en_passant = p->en_passant != NO_SQUARE ? bb_of(p->en_passant) : 0;
    return (p->board[BOARD_WHITE + !p->side] & targets(p)) | en_passant;
}

// A capture from a file onto a square; with `to_rank` < 0, onto the only square of `to_file` that fits.
static SanResult pawn_capture(const Position *p, int from_file, int to_file, int to_rank, int promotion,
                              Move *m)
{
    if (from_file - to_file != 1 && to_file - from_file != 1)
        return SAN_ILLEGAL;
    Bitboard targets = pawn_victims(p) & BB_FILE_A << to_file;
    if (to_rank >= 0)
        targets &= bb_of(to_rank * 8 + to_file);
    const Bitboard pawns = p->board[piece_make(p->side, WHITE_PAWN)] & BB_FILE_A << from_file;
    SanResult result = SAN_ILLEGAL;
    for (; targets; targets &= targets - 1) {
        const int to = bb_first(targets);
        const Bitboard origin = pawn_table[!p->side][to] & pawns;
        Move candidate;
        if (!origin || !complete_pawn_move(p, bb_first(origin), to, promotion, &candidate))
            continue;
        if (result == SAN_OK)
            return SAN_AMBIGUOUS;
        *m = candidate;
        result = SAN_OK;
    }
    return result;
}

static SanResult coordinate_move(const Position *p, int from, int to, const PawnText *t, Move *m)
{
    const int piece = p->square[from], type = piece_type(piece);
    if (piece == EMPTY || piece_colour(piece) != p->side || (t->pawn_letter && type != WHITE_PAWN))
        return SAN_ILLEGAL;
    if (type == WHITE_PAWN) {
        if (square_file(from) != square_file(to))
            return bb_of(from) & pawn_table[!p->side][to]
                       ? pawn_capture(p, square_file(from), square_file(to), square_rank(to), t->promotion, m)
                       : SAN_ILLEGAL;
        const SanResult result = pawn_push(p, to, t->promotion, m);
        return result == SAN_OK && m->from != from ? SAN_ILLEGAL : result;
    }
    if (t->promotion)
        return SAN_ILLEGAL;
    if (type == WHITE_KING)
        return king_to(p, bb_of(from), to, m);
    const Bitboard reached = slider_type_attacks(type, from, p->board[BOARD_OCCUPIED]) & targets(p);
    return reached & bb_of(to) ? choose(p, bb_of(from), to, m) : SAN_ILLEGAL;
}

static int element_square(const char *file_and_rank)
{
    return (file_and_rank[1] - '1') * 8 + file_and_rank[0] - 'a';
}

static SanResult parse_pawn(const Position *p, const char *text, size_t length, Move *m)
{
    // e4 and exd5 are by far the most frequent.
    if (length == 2 && is_file(text[0]) && is_rank(text[1]))
        return pawn_push(p, element_square(text), 0, m);
    if (length == 4 && is_file(text[0]) && text[1] == 'x' && is_file(text[2]) && is_rank(text[3]))
        return pawn_capture(p, text[0] - 'a', text[2] - 'a', text[3] - '1', 0, m);
    PawnText t = {.count = 0, .king = variant_rules_of(p)->rules & RULE_PROMOTES_TO_KING};
    const SanResult form = read_pawn_text(text, length, &t);
    if (form != SAN_OK)
        return form;
    const char *e = t.element;
    if (t.count == 2 && t.files == 1 && is_file(e[0]))
        return pawn_push(p, element_square(e), t.promotion, m);
    if (t.count == 2 && t.files == 2)
        return pawn_capture(p, e[0] - 'a', e[1] - 'a', -1, t.promotion, m);
    if (t.count == 3 && t.files == 2 && is_rank(e[2]))
        return pawn_capture(p, e[0] - 'a', e[1] - 'a', e[2] - '1', t.promotion, m);
    if (t.count == 4 && t.files == 2 && is_file(e[0]) && is_file(e[2]))
        return is_rank(e[1]) ? coordinate_move(p, element_square(e), element_square(e + 2), &t, m)
                             : SAN_ILLEGAL;
    return SAN_ILLEGAL;
}

// ---- drops ------------------------------------------------------------------------------------------------

// drop = [ "P" | "N" | "B" | "R" | "Q" ] "@" square
static SanResult parse_drop(const Position *p, const char *text, size_t length, Move *m)
{
    const size_t letter = text[0] != '@';
    if (length != 3 + letter || !is_file(text[length - 2]) || !is_rank(text[length - 1]))
        return SAN_NOT_A_MOVE;
    const int type = letter ? type_of_letter(text[0]) : WHITE_PAWN;
    const int to = (text[length - 1] - '1') * 8 + text[length - 2] - 'a', rank = square_rank(to);
    if (!variant_is(p) || type == 0 || type == WHITE_KING || p->square[to] != EMPTY ||
        !variant_position(p)->pocket[p->side][type] || (type == WHITE_PAWN && (rank == 0 || rank == 7)))
        return SAN_ILLEGAL;
    *m = variant_drop(p->side, type, to);
    return is_legal(p, *m) ? SAN_OK : SAN_ILLEGAL;
}

// ---- any move ---------------------------------------------------------------------------------------------

static bool is_null_move(const char *text, size_t length)
{
    static const char *const words[] = {"--", "---", "Z0", "<>", "null", "@@@@"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(text, words[i], length) == 0)
            return true;
    return false;
}

SanResult san_parse_plain(const Position *p, const char *text, size_t length, Move *m)
{
    if (length < 2)
        return SAN_NOT_A_MOVE;
    if ((text[0] == '@') != (text[1] == '@')) // @@@@ is a null move
        return parse_drop(p, text, length, m);
    switch (text[0]) {
    case 'N':
    case 'B':
    case 'R':
    case 'Q':
    case 'K':
        return parse_piece(p, text, length, m);
    case 'O':
    case 'o':
    case '0':
        return parse_castling(p, text, length, m);
    default:
        break;
    }
    if (is_null_move(text, length)) {
        *m = pos_null_move(p);
        return SAN_OK;
    }
    return is_file(text[0]) || text[0] == 'P' || is_filler(text[0]) ? parse_pawn(p, text, length, m)
                                                                    : SAN_NOT_A_MOVE;
}

// ---- writing ----------------------------------------------------------------------------------------------

// Other pieces of the moving kind that could legally go to the same square.
static Bitboard rivals(const Position *p, Move m)
{
    const int type = piece_type(m.piece);
    Bitboard candidates =
        p->board[m.piece] & slider_type_attacks(type, m.to, p->board[BOARD_OCCUPIED]) & ~bb_of(m.from);
    for (Bitboard rest = candidates; rest; rest &= rest - 1)
        if (!is_legal(p, ordinary_move(p, bb_first(rest), m.to)))
            candidates &= ~bb_of(bb_first(rest));
    return candidates;
}

static char *write_origin(char *out, const Position *p, Move m)
{
    const Bitboard others = piece_type(m.piece) == WHITE_KING && !variant_is(p) ? 0 : rivals(p, m);
    if (!others)
        return out;
    const bool same_file = others & BB_FILE_A << square_file(m.from);
    const bool same_rank = others & BB_RANK_1 << (8 * square_rank(m.from));
    if (!same_file || same_rank)
        *out++ = (char)('a' + square_file(m.from));
    if (same_file)
        *out++ = (char)('1' + square_rank(m.from));
    return out;
}

static char *write_move(char *out, const Position *p, Move m)
{
    if (m.flags & MOVE_NULL) {
        memcpy(out, "--", 2);
        return out + 2;
    }
    if (m.flags & MOVE_CASTLE) {
        const char *castling = m.flags & MOVE_CASTLE_KING ? "O-O" : "O-O-O";
        memcpy(out, castling, strlen(castling));
        return out + strlen(castling);
    }
    const int type = piece_type(m.piece);
    if (m.flags & MOVE_DROP) {
        *out++ = fen_letters[type];
        *out++ = '@';
    } else if (type != WHITE_PAWN) {
        *out++ = fen_letters[type];
        out = write_origin(out, p, m);
    } else if (m.flags & MOVE_CAPTURE) {
        *out++ = (char)('a' + square_file(m.from));
    }
    if (m.flags & MOVE_CAPTURE)
        *out++ = 'x';
    square_name(m.to, out);
    out += 2;
    if (m.promoted) {
        *out++ = '=';
        *out++ = fen_letters[piece_type(m.promoted)];
    }
    return out;
}

int san_write_move(const Position *p, Move m, char out[SAN_MAX])
{
    return (int)(write_move(out, p, m) - out);
}

static char *write_variant_mark(char *out, const Position *next)
{
    if (variant_ended(next) & (VARIANT_END_WON | VARIANT_END_LOST))
        *out++ = '#';
    else if (next->check & CHECK_GIVEN)
        *out++ = variant_has_move(next) ? '+' : '#';
    return out;
}

int san_write_into(const Position *p, Move m, const Position *next, char out[SAN_MAX])
{
    char *end = write_move(out, p, m);
    if (m.flags & MOVE_NULL)
        ;
    else if (variant_is(next))
        end = write_variant_mark(end, next);
    else if (pos_in_check(next, next->side))
        *end++ = pos_has_legal_move(next) ? '+' : '#';
    *end = 0;
    return (int)(end - out);
}

int san_write(const Position *p, Move m, char out[SAN_MAX])
{
    Position next;
    VariantPosition after;
    if (m.flags & MOVE_NULL)
        return san_write_into(p, m, p, out);
    if (variant_is(p)) {
        variant_make(&after, p, m);
        return san_write_into(p, m, &after.board, out);
    }
    pos_make(&next, p, m);
    return san_write_into(p, m, &next, out);
}

int uci_write(const Position *p, Move m, char out[SAN_MAX])
{
    if (m.flags & MOVE_NULL) {
        memcpy(out, "0000", 5);
        return 4;
    }
    if (m.flags & MOVE_DROP) {
        write_move(out, p, m);
        out[4] = 0;
        return 4;
    }
    // Written as a king's move, Chess960 castling could be mistaken for a step.
    const bool onto_rook = (m.flags & MOVE_CASTLE) && is_chess960(p);
    char *end = out + 4;
    square_name(m.from, out);
    square_name(onto_rook ? m.rook_from : m.to, out + 2);
    if (m.promoted)
        *end++ = fen_letters[piece_make(BLACK, piece_type(m.promoted))];
    *end = 0;
    return (int)(end - out);
}
