// Literals of CQL 6.2: designators, numbers, strings, ranges, directions, flags, FEN patterns.
#include "internal.h"

#include <stdio.h>
#include <string.h>

#include "runtime/chess/chess.h"
#include "runtime/game/view.h"

static const char *block(Printer *p, int square, int files, int ranks)
{
    const char file = (char)('a' + square % 8), rank = (char)('1' + square / 8);
    const char *text = arena_printf(p->arena, "%c", file);
    if (files > 1)
        text = arena_printf(p->arena, "%s-%c", text, file + files - 1);
    text = arena_printf(p->arena, "%s%c", text, rank);
    return ranks == 1 ? text : arena_printf(p->arena, "%s-%c", text, rank + ranks - 1);
}

// The squares as rectangles, each first as wide and then as high as possible.
static const char *print_squares(Printer *p, Bitboard squares)
{
    const char *text = "";
    int blocks = 0;
    for (; squares != 0; blocks++) {
        const int square = __builtin_ctzll(squares);
        int files = 1, ranks = 1;
        while (square % 8 + files < 8 && squares >> (square + files) & 1)
            files++;
        const Bitboard row = (((Bitboard)1 << files) - 1) << square;
        Bitboard all = row;
        for (; square / 8 + ranks < 8 && (squares & row << 8 * ranks) == row << 8 * ranks; ranks++)
            all |= row << 8 * ranks;
        squares &= ~all;
        text = arena_printf(p->arena, "%s%s%s", text, blocks > 0 ? "," : "", block(p, square, files, ranks));
    }
    return blocks == 1 ? text : arena_printf(p->arena, "[%s]", text);
}

const char *print_pieces(Printer *p, uint32_t pieces)
{
    char letters[sizeof symbol_letters] = "";
    int count = 0;
    for (int i = 0; symbol_letters[i]; i++)
        if (pieces >> i & 1)
            letters[count++] = symbol_letters[i];
    return arena_printf(p->arena, count == 1 ? "%s" : "[%s]", letters);
}

const char *print_designator(Printer *p, const Ast *node)
{
    const bool everywhere = node->mask == ~(Bitboard)0, anything = (node->pieces & ANY_SQUARE) == ANY_SQUARE;
    if (node->mask == 0 || node->pieces == 0)
        return "[]";
    if (anything)
        return everywhere ? "." : print_squares(p, node->mask);
    const char *pieces = print_pieces(p, node->pieces);
    return everywhere ? pieces : arena_printf(p->arena, "%s%s", pieces, print_squares(p, node->mask));
}

const char *print_number(Printer *p, int32_t value)
{
    return value == INT32_MIN ? "-2147483647 - 1" : arena_printf(p->arena, "%d", value);
}

const char *print_quoted(Printer *p, const Ast *node, const char *text, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        if (text[i] == '"' || text[i] == '\n' || text[i] == '\0')
            return print_refuse(p, node->span,
                                "a string with a quote or line end where only a literal is allowed");
    return arena_printf(p->arena, "\"%.*s\"", (int)length, text);
}

// Quotes and line ends are separate tokens, so such a string becomes a sum.
const char *print_string(Printer *p, const Ast *node)
{
    const char *text = node->text, *end = text + node->text_length, *sum = NULL;
    do {
        const char *stop = text;
        while (stop < end && *stop != '"' && *stop != '\n')
            stop++;
        const char *piece;
        if (stop > text || stop == end)
            piece = arena_printf(p->arena, "\"%.*s\"", (int)(stop - text), text);
        else
            piece = *stop++ == '"' ? "\\\"" : "\\n";
        sum = sum == NULL ? piece : arena_printf(p->arena, "%s + %s", sum, piece);
        text = stop;
    } while (text < end);
    return sum;
}

static const char *bound(Printer *p, const Bound *b)
{
    return b->variable != NULL ? print_name(p, b->variable) : arena_printf(p->arena, "%d", b->value);
}

const char *print_range(Printer *p, const Range *range)
{
    if (!range->present)
        return "";
    if (range->all)
        return " count";
    const bool one = range->low.variable == range->high.variable && range->low.value == range->high.value;
    return one ? arena_printf(p->arena, " %s", bound(p, &range->low))
               : arena_printf(p->arena, " %s %s", bound(p, &range->low), bound(p, &range->high));
}

// Words for several directions come first.
const char *print_directions(Printer *p, int directions)
{
    const char *text = "";
    for (int size = 8; size > 0; size /= 2) {
        for (int op = OP_UP; op <= OP_ANYDIRECTION; op++) {
            const int named = directions_of((Op)op);
            if (bb_count((Bitboard)named) != size || (directions & named) != named)
                continue;
            directions &= ~named;
            text = arena_printf(p->arena, "%s %s", text, op_info[op].name);
        }
    }
    return text;
}

const char *print_flags(Printer *p, unsigned flags)
{
    static const char *const words[] = {
#define FLAG(name, shown, word) word,
#include "compiler/language/flags.def"
    };
    const char *text = "";
    for (int i = 0; i < AST_FLAGS; i++)
        if (flags >> i & 1 && words[i] != NULL)
            text = arena_printf(p->arena, "%s %s", text, words[i]);
    return text;
}

// The kids are 64 designators from a8 to h1, each with one symbol or any.
const char *print_fen_pattern(Printer *p, const Ast *node)
{
    char text[80], *at = text;
    for (int i = 0; i < node->kid_count; i++) {
        const uint32_t pieces = node->kid[i]->pieces;
        if (i > 0 && i % 8 == 0)
            *at++ = '/';
        *at++ = pieces == ANY_SQUARE ? '.' : pieces == 0 ? '?' : symbol_letters[__builtin_ctz(pieces)];
        if (pieces != ANY_SQUARE && (pieces & (pieces - 1)) != 0)
            return print_refuse(p, node->span, "a FEN pattern with several pieces on one square");
    }
    *at = '\0';
    return arena_printf(p->arena, "fen \"%s\"", text);
}
