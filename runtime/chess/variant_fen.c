// FEN of variants (language reference 16.4): takes out pockets, marks and checks, and reads the rest as chess.
#include <string.h>

#include "fen.h"
#include "runtime/value/ascii.h"

enum { PLAIN_MAX = 512, MOST_PRISONERS = 64 };

typedef struct Reader {
    VariantPosition *v;
    char plain[PLAIN_MAX]; // what is read as chess
    size_t length;
    int fields;
    bool clock, given; // a number, and the checks given, came before
} Reader;

// Reports cut longer texts.
static const char *const bad_checks =
    "FEN with wrong checks; expected 3+3 before the clock or +0+0 at the end";

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool put(Reader *r, char c)
{
    if (r->length == PLAIN_MAX)
        return false;
    r->plain[r->length++] = c;
    return true;
}

// ---- pockets ----------------------------------------------------------------------------------------------

static const char *read_pocket(Reader *r, const char *p, const char *end)
{
    int men = 0;
    for (; p < end; p++) {
        const char *letter = strchr(fen_letters + 1, *p);
        const int piece = letter && *letter ? (int)(letter - fen_letters) : EMPTY;
        if (*p == '-')
            continue;
        if (piece == EMPTY || piece_type(piece) == WHITE_KING || ++men > MOST_PRISONERS)
            return "FEN with an unknown man in a pocket; expected QRBNPqrbnp";
        r->v->pocket[piece_colour(piece)][piece_type(piece)]++;
    }
    return NULL;
}

// The board of Crazyhouse: without marks, up to the pocket.
static const char *read_marked_board(Reader *r, const char *p, const char *end)
{
    const char *begin = p;
    int square = 0, slashes = 0;
    for (; p < end; p++) {
        slashes += *p == '/';
        if (*p == '[' && end[-1] == ']')
            return read_pocket(r, p + 1, end - 1);
        if (slashes == 8)
            return read_pocket(r, p + 1, end);
        const bool letter = p > begin && p[-1] && strchr("PNBRQKpnbrqk", p[-1]);
        if (*p == '~' && letter && square <= 64) {
            if (!strchr("PKpk", p[-1]))
                r->v->promoted |= bb_of((square - 1) ^ 56);
            continue;
        }
        square += *p >= '1' && *p <= '8' ? *p - '0' : *p != '/';
        if (!put(r, *p))
            break;
    }
    return NULL;
}

// ---- checks -----------------------------------------------------------------------------------------------

static bool is_count(char c)
{
    return c >= '0' && c <= '0' + CHECKS_TO_GIVE;
}

static const char *read_checks(Reader *r, const char *p, size_t length)
{
    const bool given = length == 4 && p[0] == '+' && p[2] == '+' && is_count(p[1]) && is_count(p[3]);
    const bool left =
        length == 3 && p[1] == '+' && is_count(p[0]) && is_count(p[2]) && r->fields == 4 && !r->clock;
    if (!given && !left)
        return bad_checks;
    r->v->checks[WHITE] = (uint8_t)(given ? CHECKS_TO_GIVE - (p[1] - '0') : p[0] - '0');
    r->v->checks[BLACK] = (uint8_t)(given ? CHECKS_TO_GIVE - (p[3] - '0') : p[2] - '0');
    r->given |= given;
    return NULL;
}

// ---- all fields -------------------------------------------------------------------------------------------

static const char *read_field(Reader *r, const char *p, size_t length)
{
    const unsigned rules = variant_rules[r->v->variant].rules;
    if (r->given)
        return bad_checks;
    if (r->fields == 0 && rules & RULE_POCKETS)
        return read_marked_board(r, p, p + length);
    if (r->fields > 0 && rules & RULE_COUNTS_CHECKS && memchr(p, '+', length))
        return read_checks(r, p, length);
    r->clock |= r->fields > 2 && is_digit(*p);
    for (size_t i = 0; i < length; i++)
        if (!put(r, p[i]))
            break;
    return NULL;
}

const char *variant_fen_parse(int variant, const char *text, size_t length, VariantPosition *v,
                              FenClocks *clocks)
{
    Reader r = {.v = v};
    *v = (VariantPosition){.variant = (uint8_t)variant, .checks = {CHECKS_TO_GIVE, CHECKS_TO_GIVE}};
    const char *const end = text + length;
    for (const char *p = text;;) {
        while (p < end && is_space(*p))
            p++;
        const char *field = p;
        while (p < end && !is_space(*p))
            p++;
        if (p == field)
            break;
        const char *wrong = read_field(&r, field, (size_t)(p - field));
        if (wrong)
            return wrong;
        r.fields++;
        if (!put(&r, ' '))
            return "FEN that is too long";
    }
    const char *at;
    const char *wrong =
        fen_read_fields(r.plain, r.plain + r.length, &v->board, clocks, &variant_rules[variant], &at);
    if (wrong)
        return wrong;
    v->promoted &= v->board.occupied;
    variant_find_check(v);
    return NULL;
}

// ---- writing ----------------------------------------------------------------------------------------------

char *fen_write_pockets(const Position *p, char *out)
{
    const VariantPosition *v = variant_position(p);
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const int square = 8 * rank + file, piece = p->square[square];
            empty = piece == EMPTY ? empty + 1 : 0;
            const bool counted = empty > 0 && (file == 7 || p->square[square + 1] != EMPTY);
            if (counted)
                *out++ = (char)('0' + empty);
            if (piece != EMPTY)
                *out++ = fen_letters[piece];
            if (v->promoted >> square & 1)
                *out++ = '~';
        }
        *out++ = rank > 0 ? '/' : '[';
    }
    for (int colour = WHITE; colour <= BLACK; colour++)
        for (int type = WHITE_QUEEN; type >= WHITE_PAWN; type--)
            for (int i = 0; i < v->pocket[colour][type]; i++)
                *out++ = fen_letters[piece_make(colour, type)];
    *out++ = ']';
    return out;
}
