// Constants by the names that the header gives them. Sets: SQUARE(D1), FILE_A, SQUARES(A1, D4) | RANK_8; a set that has no
// such name is a number with its squares as a comment. Numbers, if what they mean is known: WHITE, BLACK_ROOK, D1.
#include "emit_internal.h"

#include <string.h>

#include "runtime/value/ascii.h"

enum { MOST_NAMED = 4, MOST_SHOWN = 8 };

typedef struct Rectangle {
    int first, last; // squares
} Rectangle;

static Bitboard squares_of(Rectangle r)
{
    const Bitboard ranks = ~0ULL << (r.first & 56) & ~0ULL >> (56 - (r.last & 56));
    return ranks & 0x0101010101010101ULL * (0xffu << (r.first & 7) & 0xffu >> (7 - (r.last & 7)));
}

// The largest rectangle in the set that begins at its first square. For each width it is as high as possible.
static Rectangle largest_at(Bitboard set, int first)
{
    Rectangle best = {first, first};
    for (int width = 1; (first & 7) + width <= 8; width++) {
        Rectangle r = {first, first + width - 1};
        if ((squares_of(r) & ~set) != 0)
            break;
        while (r.last + 8 < 64 && (squares_of((Rectangle){first, r.last + 8}) & ~set) == 0)
            r.last += 8;
        if (__builtin_popcountll(squares_of(r)) > __builtin_popcountll(squares_of(best)))
            best = r;
    }
    return best;
}

// Splits the set into at most `most` rectangles and returns their number; most + 1 when there are more.
static int rectangles(Bitboard set, Rectangle *r, int most)
{
    int count = 0;
    for (; set && count < most; count++) {
        r[count] = largest_at(set, __builtin_ctzll(set));
        set &= ~squares_of(r[count]);
    }
    return set ? most + 1 : count;
}

static const char *rectangle_name(Arena *a, Rectangle r)
{
    const int file = r.first & 7, rank = r.first >> 3, last_file = r.last & 7, last_rank = r.last >> 3;
    if (r.first == r.last)
        return arena_printf(a, "SQUARE(%c%d)", 'A' + file, rank + 1);
    if (file == last_file && rank == 0 && last_rank == 7)
        return arena_printf(a, "FILE_%c", 'A' + file);
    if (rank == last_rank && file == 0 && last_file == 7)
        return arena_printf(a, "RANK_%d", rank + 1);
    return arena_printf(a, "SQUARES(%c%d, %c%d)", 'A' + file, rank + 1, 'A' + last_file, last_rank + 1);
}

static Expr union_of(Arena *a, const Rectangle *r, int count)
{
    const char *text = rectangle_name(a, r[0]);
    for (int i = 1; i < count; i++)
        text = arena_printf(a, "%s | %s", text, rectangle_name(a, r[i]));
    return (Expr){.text = text, .strength = count > 1 ? STRENGTH_BITS : STRENGTH_PRIMARY, .op = '|'};
}

// As in a query: a-d1-4.
static const char *shown(Arena *a, const Rectangle *r, int count)
{
    const char *text = "";
    for (int i = 0; i < count; i++) {
        const int file = r[i].first & 7, rank = r[i].first >> 3, last_file = r[i].last & 7,
                  last_rank = r[i].last >> 3;
        text = arena_printf(a, file == last_file ? "%s %c" : "%s %c-%c", text, 'a' + file, 'a' + last_file);
        text = arena_printf(a, rank == last_rank ? "%s%d" : "%s%d-%d", text, rank + 1, last_rank + 1);
    }
    return text;
}

Expr emit_squares(Emit *e, Bitboard set)
{
    Arena *a = e->arena;
    if (!e->is_read && set != 0)
        return emit_word(arena_printf(a, "0x%llxULL", (unsigned long long)set));
    static const Bitboard dark = 0xaa55aa55aa55aa55;
    Rectangle r[MOST_SHOWN];
    if (set == 0 || set == ~0ULL || set == dark || set == ~dark)
        return emit_word(set == 0       ? "0"
                         : set == ~0ULL ? "ALL_SQUARES"
                         : set == dark  ? "DARK_SQUARES"
                                        : "LIGHT_SQUARES");
    const int count = rectangles(set, r, MOST_SHOWN);
    Rectangle other[2];
    const int other_count = count > 1 ? rectangles(~set, other, 2) : 0;
    if (other_count == 1 || (other_count == 2 && count > 2))
        return emit_expr(e, STRENGTH_UNARY, "~%u", union_of(a, other, other_count));
    if (count <= MOST_NAMED)
        return union_of(a, r, count);
    const char *text = arena_printf(a, "0x%016llxULL", (unsigned long long)set);
    if (count <= MOST_SHOWN)
        text = arena_printf(a, "%s /*%s */", text, shown(a, r, count));
    return emit_word(text);
}

Bitboard emit_kept_files(int files)
{
    return (0xff00u >> (8 + files) & 0xffu) * 0x0101010101010101ULL;
}

// ---- bits ------------------------------------------------------------------------------------------------

Expr emit_bits(Emit *e, uint32_t bits, const char *const *name, int count)
{
    Expr set[32];
    int names = 0;
    if (bits == 0 || (uint64_t)bits >> count)
        return emit_word(arena_printf(e->arena, "%u", bits));
    for (int i = 0; i < count; i++)
        if (bits >> i & 1)
            set[names++] = emit_word(name[i]);
    Expr x = emit_list(e, set, names, " | ", names > 1 ? STRENGTH_BITS : STRENGTH_PRIMARY);
    x.op = '|';
    return x;
}

Expr emit_kinds(Emit *e, int kinds)
{
    enum { WHITE_KINDS = 0x7e, BLACK_KINDS = 0x1f80 };
    static const char *const name[PIECE_CODES] = {"0",      "KIND_P", "KIND_N", "KIND_B", "KIND_R",
                                                  "KIND_Q", "KIND_K", "KIND_p", "KIND_n", "KIND_b",
                                                  "KIND_r", "KIND_q", "KIND_k"};
    const char *all = kinds == (WHITE_KINDS | BLACK_KINDS) ? "ANY_KIND"
                      : kinds == WHITE_KINDS               ? "WHITE_KINDS"
                      : kinds == BLACK_KINDS               ? "BLACK_KINDS"
                                                           : NULL;
    return all != NULL ? emit_word(all) : emit_bits(e, (uint32_t)kinds, name, PIECE_CODES);
}

// ---- numbers ---------------------------------------------------------------------------------------------

const char *const emit_board_name[BOARD_COUNT] = {
    "empty",      "white.pawn",   "white.knight", "white.bishop", "white.rook", "white.queen",
    "white.king", "black.pawn",   "black.knight", "black.bishop", "black.rook", "black.queen",
    "black.king", "white_pieces", "black_pieces", "occupied"};

const char *emit_board_word(Arena *a, int board, bool upper)
{
    char *word = arena_copy(a, emit_board_name[board], strlen(emit_board_name[board]));
    for (char *c = word; *c; c++)
        *c = *c == '.' ? '_' : upper ? ascii_upper(*c) : *c;
    return word;
}

Expr emit_constant(Emit *e, int32_t value, Meaning what)
{
    static const char *const side[] = {"WHITE", "BLACK"};
    static const char *const result[] = {"RESULT_UNKNOWN", "RESULT_WHITE", "RESULT_BLACK", "RESULT_DRAW"};
    static const char *const flag[] = {"MOVE_NULL",        "MOVE_CAPTURE",      "MOVE_EN_PASSANT",
                                       "MOVE_CASTLE_KING", "MOVE_CASTLE_QUEEN", "MOVE_DOUBLE_STEP"};
    const char *name = NULL;
    if (what == SIDE && value >= 0 && value < 2)
        name = side[value];
    else if (what == PIECE && value >= 0 && value < PIECE_CODES)
        name = emit_board_word(e->arena, value, true);
    else if (what == RESULT && value >= 0 && value < 4)
        name = result[value];
    else if (what == SQUARE && value == NO_SQUARE)
        name = "NO_SQUARE";
    else if (what == SQUARE && value >= 0 && value < 64)
        name = arena_printf(e->arena, "%c%d", 'A' + (value & 7), (value >> 3) + 1);
    else if (what == FLAGS && value > 0)
        return emit_bits(e, (uint32_t)value, flag, sizeof flag / sizeof *flag);
    else if (value == INT32_MIN)
        name = "(-2147483647 - 1)";
    if (name != NULL)
        return emit_word(name);
    return emit_expr(e, value < 0 ? STRENGTH_UNARY : STRENGTH_PRIMARY, "%d", value);
}
