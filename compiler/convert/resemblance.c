// `:relation` of CQL 3 in terms of CQL 6.2 (language reference 12.7): two positions that are equal but for
// some pieces. The `echo` around was made by the parser.
#include "internal.h"

#include "runtime/chess/chess.h"

static const char piece_letters[] = "KQRBNPkqrbnp";
enum { PIECES = sizeof piece_letters - 1 };

// The pieces that may have gone or come, and how many of them.
typedef struct Change {
    const Ast *designator;
    Limits limits;
} Change;

static bool is_any_piece(const Ast *node)
{
    return node->op == OP_DESIGNATOR && node->mask == ~(Bitboard)0 &&
           (node->pieces & (SYMBOL_WHITE | SYMBOL_BLACK)) == (SYMBOL_WHITE | SYMBOL_BLACK);
}

static bool is_everywhere(const Ast *squares)
{
    return squares->op == OP_DESIGNATOR && squares->mask == ~(Bitboard)0;
}

// The pieces of a designator without its squares.
static const char *pieces_of(Printer *p, const Ast *node)
{
    return node->op == OP_DESIGNATOR ? print_pieces(p, node->pieces) : "[]";
}

static const char *squares_of(Printer *p, Bitboard squares)
{
    const Ast node = {.op = OP_DESIGNATOR, .pieces = ANY_SQUARE, .mask = squares};
    return print_designator(p, &node);
}

static void add_change(Printer *p, Lines *l, const char *word, const char *set, const Change *change,
                       const char *wanted)
{
    if (print_limits_allow_none(change->limits)) {
        print_add(p, l, "not (%s)", set);
        return;
    }
    const char *variable = print_word(p, word);
    print_add(p, l, "%s = %s", variable, set);
    print_add(p, l, "%s", print_count_test(p, arena_printf(p->arena, "#%s", variable), change->limits));
    if (!is_any_piece(change->designator))
        print_add(p, l, "not (%s & ~%s)", variable, wanted);
}

// Without flip and shift.
static void add_same_place(Printer *p, Lines *l, const Ast *node, const Change *missing, const Change *added,
                           const char *squares)
{
    const char *s = print_name(p, node->kid[0]->variable), *t = print_name(p, node->variable2);
    const char *allowed = is_everywhere(node->kid_extra) ? "" : arena_printf(p->arena, "%s & ", squares);
    if (print_limits_allow_none(missing->limits) && print_limits_allow_none(added->limits)) {
        print_add(p, l, *allowed ? "not (%s~(%s & %s))" : "not %s~(%s & %s)", allowed, s, t);
        return;
    }
    print_add(p, l, "not (%s%s:[Aa] & [Aa] & ~(%s & %s))", allowed, s, s, t);
    add_change(p, l, "missing", arena_printf(p->arena, "%s%s:[Aa] & _", allowed, s), missing,
               arena_printf(p->arena, "%s:%s", s, print_filter(p, missing->designator)));
    add_change(p, l, "added", arena_printf(p->arena, "%s%s:_ & [Aa]", allowed, s), added,
               print_filter(p, added->designator));
}

// The names of the flipped sets that are shifted afterwards, by the index of a piece.
static const char *seen(Printer *p, int piece)
{
    const char *side = piece < PIECES / 2 ? "white" : "black";
    static const char *const names[] = {"king", "queen", "rook", "bishop", "knight", "pawn"};
    return print_word(p, arena_printf(p->arena, "%s_%s", side, names[piece % (PIECES / 2)]));
}

// A set of pieces of this position as it is compared: flipped, shifted, or flipped before and now shifted.
static const char *viewed(Printer *p, int maps, const char *pieces, const char *flipped)
{
    switch (maps) {
    case RESEMBLES_FLIPPED:
        return arena_printf(p->arena, "%s(%s)", print_image_function(p), pieces);
    case RESEMBLES_SHIFTED:
        return arena_printf(p->arena, "%s(%s)", print_shift_function(p), pieces);
    default:
        return arena_printf(p->arena, "%s(%s)", print_shift_function(p), flipped);
    }
}

static const char *unchanged_function(Printer *p, int maps)
{
    const char *part[PIECES];
    for (int i = 0; i < PIECES; i++) {
        const char *piece = arena_printf(p->arena, "%c", piece_letters[i]);
        const char *flipped = maps == (RESEMBLES_FLIPPED | RESEMBLES_SHIFTED) ? seen(p, i) : NULL;
        part[i] = arena_printf(p->arena, "source:%s & %s", piece, viewed(p, maps, piece, flipped));
    }
    return print_function(p, "unchanged", "source", "The pieces of the source that this position has there.",
                          print_joined(p, part, PIECES, "\n    | "));
}

// Keeps the flipped pieces, so that they are not flipped again for each shift.
static const char *look_function(Printer *p)
{
    Lines l = {0};
    const char *image = print_image_function(p);
    for (int i = 0; i < PIECES; i++)
        print_add(p, &l, "%s = %s(%c)", seen(p, i), image, piece_letters[i]);
    print_add(p, &l, "%s = %s([Aa])", print_word(p, "all_pieces"), image);
    return print_function(p, "flip_pieces", "", "Where the pieces of this position stand after the `flip`.",
                          print_added(p, &l));
}

// The conditions under one map.
static void add_mapped(Printer *p, Lines *l, int maps, const Change *missing, const Change *added)
{
    const char *occupied = print_word(p, "occupied"), *wanted = "";
    print_add(p, l, "%s = %s", occupied, viewed(p, maps, "[Aa]", print_word(p, "all_pieces")));
    add_change(p, l, "missing", arena_printf(p->arena, "allowed & source:[Aa] & ~%s", occupied), missing,
               print_word(p, "may_go"));
    if (!is_any_piece(added->designator))
        wanted =
            arena_printf(p->arena, "(%s & %s)",
                         viewed(p, maps, pieces_of(p, added->designator), print_word(p, "flipped_pieces")),
                         print_word(p, "may_come"));
    add_change(p, l, "added", arena_printf(p->arena, "allowed & source:_ & %s", occupied), added, wanted);
    print_add(p, l, "not (allowed & source:[Aa] & %s & ~%s(source))", occupied, unchanged_function(p, maps));
}

static const char *mapped_function(Printer *p, int maps, const Change *missing, const Change *added)
{
    Lines l = {0}, flip = {0}, one = {0};
    if (!print_limits_allow_none(missing->limits) && !is_any_piece(missing->designator))
        print_add(p, &l, "%s = source:%s", print_word(p, "may_go"), print_filter(p, missing->designator));
    if (!print_limits_allow_none(added->limits) && !is_any_piece(added->designator))
        print_add(p, &l, "%s = %s", print_word(p, "may_come"), squares_of(p, added->designator->mask));
    add_mapped(p, &one, maps, missing, added);
    const char *text =
        maps & RESEMBLES_SHIFTED ? print_some_shift(p, true, true, "", &one) : print_added(p, &one);
    if (maps & RESEMBLES_FLIPPED) {
        if (maps & RESEMBLES_SHIFTED)
            print_add(p, &flip, "%s()", look_function(p));
        if (maps & RESEMBLES_SHIFTED && !print_limits_allow_none(added->limits) &&
            !is_any_piece(added->designator))
            print_add(p, &flip, "%s = %s(%s)", print_word(p, "flipped_pieces"), print_image_function(p),
                      pieces_of(p, added->designator));
        print_add(p, &flip, "%s", text);
        text = arena_printf(p->arena, "flip %s", print_block(p, &flip));
    }
    print_add(p, &l, "%s", text);
    return print_function(p, "resembles", "allowed source",
                          "This position is the source again on the squares allowed, but for some pieces.",
                          print_added(p, &l));
}

// The designators of the pieces are not transformed with the list around, the squares allowed are.
const char *print_resemblance(Printer *p, const Ast *node)
{
    const Change missing = {node->kid_left, {node->range.low.value, node->range.high.value}};
    const Change added = {node->kid_right, {node->low, node->high}};
    Lines l = {0};
    const char *source = print_name(p, node->kid[0]->variable), *allowed = print_word(p, "allowed_squares");
    if (p->transforms == 0 && node->number == 0) {
        add_same_place(p, &l, node, &missing, &added, print_filter(p, node->kid_extra));
    } else if (p->transforms == 0) {
        print_add(p, &l, "%s(%s %s)", mapped_function(p, node->number, &missing, &added),
                  print_filter(p, node->kid_extra), source);
    } else {
        Lines inner = {0};
        print_add(p, &l, "%s = %s", allowed, print_filter(p, node->kid_extra));
        if (node->number == 0)
            add_same_place(p, &inner, node, &missing, &added, allowed);
        else
            print_add(p, &inner, "%s(%s %s)", mapped_function(p, node->number, &missing, &added), allowed,
                      source);
        print_add(p, &l, "notransform %s",
                  inner.count == 1 ? print_braces(p, inner.line[0]) : print_block(p, &inner));
    }
    return print_added(p, &l);
}
