// Reads and writes FEN, with the castling fields of Chess960.
#include <string.h>

#include "fen.h"
#include "runtime/value/ascii.h"
#include "runtime/value/cpu.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

// ---- reading ----------------------------------------------------------------------------------------------

typedef struct Field {
    const char *start;
    size_t length; // 0: the end of the FEN
} Field;

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// Takes the next field from the front of [*text, end).
static Field next_field(const char **text, const char *end)
{
    while (*text < end && is_space(**text))
        ++*text;
    Field field = {*text, 0};
    while (*text < end && !is_space(**text))
        ++*text;
    field.length = (size_t)(*text - field.start);
    return field;
}

static bool is_number(Field field)
{
    for (size_t i = 0; i < field.length; i++)
        if (!is_digit(field.start[i]))
            return false;
    return field.length > 0;
}

// The number in the field, or `otherwise` when there is none or it is out of range.
static int number_or(Field field, int least, int otherwise)
{
    int value = 0;
    if (!is_number(field) || field.length > 6)
        return otherwise;
    for (size_t i = 0; i < field.length; i++)
        value = value * 10 + field.start[i] - '0';
    return value >= least ? value : otherwise;
}

static const uint8_t piece_of_letter[256] = {
    ['P'] = WHITE_PAWN,   ['N'] = WHITE_KNIGHT, ['B'] = WHITE_BISHOP, ['R'] = WHITE_ROOK,
    ['Q'] = WHITE_QUEEN,  ['K'] = WHITE_KING,   ['p'] = BLACK_PAWN,   ['n'] = BLACK_KNIGHT,
    ['b'] = BLACK_BISHOP, ['r'] = BLACK_ROOK,   ['q'] = BLACK_QUEEN,  ['k'] = BLACK_KING,
};

static const char *check_men(const Position *p, const VariantRules *rules)
{
    if (rules)
        return variant_men_fault(rules, p);
    if (bb_count(p->board[WHITE_KING]) != 1)
        return "FEN without exactly one white king";
    if (bb_count(p->board[BLACK_KING]) != 1)
        return "FEN without exactly one black king";
    if (bb_count(p->board[BOARD_WHITE]) > 16 || bb_count(p->board[BOARD_BLACK]) > 16)
        return "FEN with more than 16 men of one side";
    return NULL;
}

// The squares go from a8 to h1; a slash is allowed only at the end of a rank. *at is left at what is wrong.
static const char *parse_board(Field field, Position *p, const VariantRules *rules, const char **at)
{
    int count = 0;
    for (size_t i = 0; i < field.length; i++) {
        const char c = field.start[i];
        const uint8_t piece = piece_of_letter[(unsigned char)c];
        *at = field.start + i;
        if (c == '/') {
            if (count % 8 || count == 0 || count == 64 || field.start[i - 1] == '/')
                return "FEN with a slash inside a rank";
        } else if (c >= '1' && c <= '8') {
            count += c - '0';
        } else if (piece == EMPTY) {
            return "FEN with an unknown character in the board; expected KQRBNPkqrbnp, 1 to 8 or /";
        } else {
            if (count < 64)
                p->square[count ^ 56] = piece;
            count++;
        }
        if (count > 64)
            return "FEN with more than 64 squares";
    }
    *at = field.start + field.length;
    if (count < 64)
        return "FEN with fewer than 64 squares";
    *at = field.start;
    pos_rebuild(p);
    return check_men(p, rules);
}

// The file of the outermost rook of `side` on the `wing` side of its king on the back rank; -1: none.
static int outermost_rook(const Position *p, int side, int wing)
{
    const int back = side == WHITE ? 0 : 56;
    const int step = wing == 0 ? -1 : 1;
    for (int file = wing == 0 ? 7 : 0; file >= 0 && file < 8; file += step) {
        if (p->square[back + file] == piece_make(side, WHITE_ROOK))
            return file;
        if (p->square[back + file] == piece_make(side, WHITE_KING))
            break;
    }
    return -1;
}

static void add_right(Position *p, int right, int rook_file)
{
    p->castling |= (uint8_t)(1 << right);
    p->rook_file[right] = (uint8_t)rook_file;
}

// Adds the right for one letter of the castling field, if king and rook are in place.
static void parse_right(Position *p, char letter)
{
    const int side = letter >= 'a' ? BLACK : WHITE;
    const char c = side == BLACK ? letter : (char)(letter - 'A' + 'a');
    const int back = side == WHITE ? 0 : 56;
    const Bitboard king = p->board[piece_make(side, WHITE_KING)] & BB_RANK_1 << back;
    if (!king)
        return;
    if (c == 'k' || c == 'q') {
        const int wing = c == 'q', rook = outermost_rook(p, side, wing);
        if (rook >= 0)
            add_right(p, side * 2 + wing, rook);
    } else if (p->square[back + c - 'a'] == piece_make(side, WHITE_ROOK)) {
        add_right(p, side * 2 + (back + c - 'a' < bb_first(king)), c - 'a');
    }
}

static const char *parse_castling(Field field, Position *p, const char **at)
{
    for (size_t i = 0; i < field.length; i++) {
        const char c = field.start[i];
        *at = field.start + i;
        if (c == '-')
            continue;
        if (!strchr("KQkqABCDEFGHabcdefgh", c) || c == 0)
            return "FEN with an unknown castling right; expected KQkq, A-H, a-h or -";
        parse_right(p, c);
    }
    return NULL;
}

static void assume_castling(Position *p, unsigned rights)
{
    for (int right = 0; right < 4; right++) {
        const int side = right / 2, back = side == WHITE ? 0 : 56;
        if (rights >> right & 1 && p->square[back + 4] == piece_make(side, WHITE_KING) &&
            p->square[back + p->rook_file[right]] == piece_make(side, WHITE_ROOK))
            p->castling |= (uint8_t)(1 << right);
    }
}

// Keeps the square only if a pawn of the side not to move could have passed over it and can be captured.
static void parse_en_passant(Field field, Position *p)
{
    const char rank = p->side == WHITE ? '6' : '3';
    if (field.length != 2 || field.start[0] < 'a' || field.start[0] > 'h' || field.start[1] != rank)
        return;
    const int square = (rank - '1') * 8 + field.start[0] - 'a';
    const int pawn = square + (p->side == WHITE ? -8 : 8);
    if (p->square[square] == EMPTY && p->square[pawn] == piece_make(!p->side, WHITE_PAWN))
        p->en_passant = (uint8_t)square;
}

const char *fen_read_fields(const char *text, const char *end, Position *p, FenClocks *clocks,
                            const VariantRules *rules, const char **at)
{
    *p = (Position){.en_passant = NO_SQUARE, .rook_file = {7, 0, 7, 0}};
    const char *wrong = parse_board(next_field(&text, end), p, rules, at);
    if (wrong)
        return wrong;
    const Field side = next_field(&text, end);
    *at = side.start;
    if (side.length != 1 || (side.start[0] != 'w' && side.start[0] != 'b'))
        return "FEN without a side to move; expected w or b after the board";
    p->side = side.start[0] == 'b' ? BLACK : WHITE;
    const Field castling = next_field(&text, end);
    if (castling.length == 0)
        assume_castling(p, rules ? rules->castling : 15);
    else if ((wrong = parse_castling(castling, p, at)))
        return wrong;
    Field field = next_field(&text, end);
    if (!is_number(field)) { // otherwise the en passant field is missing
        parse_en_passant(field, p);
        field = next_field(&text, end);
    }
    if (clocks) {
        clocks->halfmove = number_or(field, 0, 0);
        clocks->fullmove = number_or(next_field(&text, end), 1, 1);
    }
    if (!rules)
        pos_find_check(p);
    return NULL;
}

const char *fen_parse_to(const char *text, size_t length, Position *p, FenClocks *clocks, size_t *fault)
{
    const char *at = text;
    const char *wrong = fen_read_fields(text, text + length, p, clocks, NULL, &at);
    *fault = (size_t)(at - text);
    return wrong;
}

const char *fen_parse(const char *text, size_t length, Position *p, FenClocks *clocks)
{
    size_t fault;
    return fen_parse_to(text, length, p, clocks, &fault);
}

// ---- writing ----------------------------------------------------------------------------------------------

// A rank as FEN by the set of its occupied squares: for each character where it is found, 0..7 the letter of a file,
// 8..15 a digit from 1 on.
typedef struct RankText {
    uint8_t pick[8];
} RankText;

static RankText rank_text[256];
static uint8_t rank_length[256];

__attribute__((constructor)) static void fill_ranks(void)
{
    for (unsigned occupied = 0; occupied < 256; occupied++) {
        int length = 0, empty = 0;
        for (int file = 0; file < 8; file++) {
            const bool here = occupied >> file & 1;
            empty += !here;
            if (empty && (here || file == 7))
                rank_text[occupied].pick[length++] = (uint8_t)(7 + empty);
            if (here) {
                rank_text[occupied].pick[length++] = (uint8_t)file;
                empty = 0;
            }
        }
        rank_length[occupied] = (uint8_t)length;
    }
}

#ifdef __x86_64__
// Two ranks at a time: one shuffle turns pieces into letters, another one puts letters and digits in their places.
CPU_TARGET("ssse3") static char *write_ranks_ssse3(const Position *p, char *out)
{
    const __m128i letters =
        _mm_setr_epi8(' ', 'P', 'N', 'B', 'R', 'Q', 'K', 'p', 'n', 'b', 'r', 'q', 'k', 0, 0, 0);
    const __m128i digits = _mm_setr_epi8('1', '2', '3', '4', '5', '6', '7', '8', 0, 0, 0, 0, 0, 0, 0, 0);
    for (int rank = 7; rank > 0; rank -= 2) {
        const __m128i pieces = _mm_loadu_si128((const __m128i *)(const void *)(p->square + 8 * (rank - 1)));
        const __m128i text = _mm_shuffle_epi8(letters, pieces);
        const __m128i halves[2] = {_mm_unpacklo_epi64(_mm_srli_si128(text, 8), digits),
                                   _mm_unpacklo_epi64(text, digits)};
        for (int half = 0; half < 2; half++) {
            const unsigned occupied = (uint8_t)(p->occupied >> 8 * (rank - half));
            const __m128i pick = _mm_loadl_epi64((const __m128i *)(const void *)rank_text[occupied].pick);
            _mm_storel_epi64((__m128i *)(void *)out, _mm_shuffle_epi8(halves[half], pick));
            out += rank_length[occupied];
            *out++ = '/';
        }
    }
    return out;
}
#endif

// Writes the ranks, each with a slash after it. Room for 8 more bytes is needed after the last rank.
static char *write_ranks(const Position *p, char *out)
{
#ifdef __x86_64__
    if (CPU_HAS("ssse3"))
        return write_ranks_ssse3(p, out);
#endif
    for (int rank = 7; rank >= 0; rank--) {
        char source[] = "        12345678";
        for (int file = 0; file < 8; file++)
            source[file] = fen_letters[p->square[8 * rank + file]];
        const unsigned occupied = (uint8_t)(p->occupied >> 8 * rank);
        for (int i = 0; i < 8; i++)
            out[i] = source[rank_text[occupied].pick[i]];
        out += rank_length[occupied];
        *out++ = '/';
    }
    return out;
}

int fen_write_board(const Position *p, char out[FEN_MAX])
{
    char *end = write_ranks(p, out) - 1; // without the last slash
    *end = 0;
    return (int)(end - out);
}

// K, Q, k, q for an outermost rook, otherwise the letter of its file (X-FEN): the orthodox form wherever
// possible.
static char *write_castling(const Position *p, char *out)
{
    static const char wing_letters[] = "KQkq";
    for (int right = 0; right < 4; right++) {
        if (!(p->castling >> right & 1))
            continue;
        if (outermost_rook(p, right / 2, right & 1) == p->rook_file[right])
            *out++ = wing_letters[right];
        else
            *out++ = (char)((right < 2 ? 'A' : 'a') + p->rook_file[right]);
    }
    if (!p->castling)
        *out++ = '-';
    return out;
}

// A space and a number in decimal, 0 or more.
static char *write_number(int number, char *out)
{
    char digit[12];
    int count = 0;
    *out++ = ' ';
    do
        digit[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count > 0)
        *out++ = digit[--count];
    return out;
}

int fen_write(const Position *p, FenClocks clocks, char out[FEN_MAX])
{
    const unsigned rules = variant_is(p) ? variant_rules_of(p)->rules : 0;
    char *next = rules & RULE_POCKETS ? fen_write_pockets(p, out) : out + fen_write_board(p, out);
    *next++ = ' ';
    *next++ = p->side == WHITE ? 'w' : 'b';
    *next++ = ' ';
    next = write_castling(p, next);
    *next++ = ' ';
    if (p->en_passant == NO_SQUARE) {
        *next++ = '-';
    } else {
        square_name(p->en_passant, next);
        next += 2;
    }
    if (rules & RULE_COUNTS_CHECKS) {
        const uint8_t *checks = variant_position(p)->checks;
        next = write_number(checks[WHITE], next);
        *next++ = '+';
        *next++ = (char)('0' + checks[BLACK]);
    }
    next = write_number(clocks.halfmove, next);
    next = write_number(clocks.fullmove, next);
    *next = 0;
    return (int)(next - out);
}
