// Constant sets by the names that templates/prelude.h gives them: SQUARE(D1), FILE_A, SQUARES(A1, D4) | RANK_8. A set
// that has no such name is a number with its squares as a comment.
#include "emit_internal.h"

#include <string.h>

enum { MOST_NAMED = 4, MOST_SHOWN = 8 };

typedef struct Rectangle {
    int first, last; // squares
} Rectangle;

static Bitboard squares_of(Rectangle r)
{
    const Bitboard ranks = ~0ULL << (r.first & 56) & ~0ULL >> (56 - (r.last & 56));
    return ranks & 0x0101010101010101 * (0xffu << (r.first & 7) & 0xffu >> (7 - (r.last & 7)));
}

// The largest of the rectangles in the set that begin at its first square and are as wide, or as high, as they can be.
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

// The set as rectangles, at most `most`; more: most + 1.
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
    return (Expr){text, count > 1 ? STRENGTH_BITS : STRENGTH_PRIMARY, '|', false};
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
        return (Expr){arena_printf(a, "0x%llxULL", (unsigned long long)set), STRENGTH_PRIMARY, 0, false};
    static const Bitboard dark = 0xaa55aa55aa55aa55;
    Rectangle r[MOST_SHOWN];
    if (set == 0 || set == ~0ULL || set == dark || set == ~dark)
        return (Expr){set == 0       ? "0"
                      : set == ~0ULL ? "ALL_SQUARES"
                      : set == dark  ? "DARK_SQUARES"
                                     : "LIGHT_SQUARES",
                      STRENGTH_PRIMARY, 0, false};
    const int count = rectangles(set, r, MOST_SHOWN);
    Rectangle other[2];
    const int other_count = count > 1 ? rectangles(~set, other, 2) : 0;
    if (other_count == 1 || (other_count == 2 && count > 2))
        return (Expr){
            arena_printf(a, other_count > 1 ? "~(%s)" : "~%s", union_of(a, other, other_count).text),
            STRENGTH_UNARY, 0, false};
    if (count <= MOST_NAMED)
        return union_of(a, r, count);
    const char *text = arena_printf(a, "0x%016llxULL", (unsigned long long)set);
    if (count <= MOST_SHOWN)
        text = arena_printf(a, "%s /*%s */", text, shown(a, r, count));
    return (Expr){text, STRENGTH_PRIMARY, 0, false};
}
