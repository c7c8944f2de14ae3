// `:relation` of CQL 3 in terms of CQL 6.2 (language reference 12.7): two positions that are equal except for
// some pieces. The parser made the surrounding `echo`.
#include "internal.h"

#include "runtime/chess/chess.h"

static const char piece_letters[] = "KQRBNPkqrbnp";
enum { PIECES = sizeof piece_letters - 1 };
enum { BOTH_MAPS = RESEMBLES_FLIPPED | RESEMBLES_SHIFTED };

// Pieces that may be missing or added, and how many.
typedef struct Change {
    const Ast *designator;
    Limits limits;
} Change;

static bool is_any_piece(const Ast *node)
{
    return node->op == OP_DESIGNATOR && node->mask == ~(Bitboard)0 &&
           (node->pieces & (SYMBOL_WHITE | SYMBOL_BLACK)) == (SYMBOL_WHITE | SYMBOL_BLACK);
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

static void add_change(Printer *p, Lines *l, const char *variable, const char *set, const Change *change,
                       const char *wanted)
{
    if (print_limits_allow_none(change->limits)) {
        print_add(p, l, "not (%s)", set);
        return;
    }
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
    const bool everywhere = node->kid_extra->op == OP_DESIGNATOR && ~node->kid_extra->mask == 0;
    const char *allowed = everywhere ? "" : arena_printf(p->arena, "%s & ", squares);
    print_add(p, l, "not (%s%s:[Aa] & [Aa] & ~(%s & %s))", allowed, s, s, t);
    const char *gone = print_word(p, "missing"), *come = print_word(p, "added");
    add_change(p, l, gone, print_code(p, "%s%s:[Aa] & _", allowed, s), missing,
               print_code(p, "%s:%s", s, print_filter(p, missing->designator)));
    add_change(p, l, come, print_code(p, "%s%s:_ & [Aa]", allowed, s), added,
               print_filter(p, added->designator));
}

// The name stems of the flipped sets, which are shifted afterwards, by the index of a piece.
static const char *flipped_stem(int piece)
{
    static const char *const stems[PIECES] = {"white_king",   "white_queen",  "white_rook",   "white_bishop",
                                              "white_knight", "white_pawn",   "black_king",   "black_queen",
                                              "black_rook",   "black_bishop", "black_knight", "black_pawn"};
    return stems[piece];
}

// A set of pieces of this position as it is compared: flipped or shifted; with both, the flipped set, whose
// name stem is `flipped`, is shifted.
static const char *viewed(Printer *p, int maps, const char *pieces, const char *flipped)
{
    const char *function = maps & RESEMBLES_SHIFTED ? print_shift_function(p) : print_image_function(p);
    return arena_printf(p->arena, "%s(%s)", function, maps == BOTH_MAPS ? print_word(p, flipped) : pieces);
}

static const char *unchanged_function(Printer *p, int maps)
{
    const char *part[PIECES];
    for (int i = 0; i < PIECES; i++) {
        const char *piece = arena_printf(p->arena, "%c", piece_letters[i]);
        part[i] = arena_printf(p->arena, "source:%s & %s", piece, viewed(p, maps, piece, flipped_stem(i)));
    }
    return print_function(p, "unchanged", "source",
                          "The pieces of the source that are in the same places here.",
                          print_joined(p, part, PIECES, "\n    | "));
}

// A function that keeps the flipped pieces, so that they are not flipped again for each shift.
static const char *flip_function(Printer *p)
{
    Lines l = {0};
    const char *image = print_image_function(p);
    for (int i = 0; i < PIECES; i++)
        print_add(p, &l, "%s = %s(%c)", print_word(p, flipped_stem(i)), image, piece_letters[i]);
    print_add(p, &l, "$all_pieces = %s([Aa])", image);
    return print_function(p, "flip_pieces", "", "Remembers where `flip` puts the pieces of this position.",
                          print_added(p, &l));
}

// The conditions under one map.
static void add_mapped(Printer *p, Lines *l, int maps, const Change *missing, const Change *added)
{
    const char *wanted = "";
    print_add(p, l, "$occupied = %s", viewed(p, maps, "[Aa]", "all_pieces"));
    const char *gone = print_word(p, "missing"), *place = print_code(p, "allowed & source:[Aa] & ~$occupied");
    add_change(p, l, gone, place, missing, print_word(p, "may_go"));
    if (!is_any_piece(added->designator))
        wanted = print_code(p, "(%s & $may_come)",
                            viewed(p, maps, pieces_of(p, added->designator), "flipped_pieces"));
    const char *come = print_word(p, "added");
    add_change(p, l, come, print_code(p, "allowed & source:_ & $occupied"), added, wanted);
    print_add(p, l, "not (allowed & source:[Aa] & $occupied & ~%s(source))", unchanged_function(p, maps));
}

static const char *mapped_function(Printer *p, int maps, const Change *missing, const Change *added)
{
    Lines l = {0}, flip = {0}, one = {0};
    const bool chooses_added = !print_limits_allow_none(added->limits) && !is_any_piece(added->designator);
    if (!print_limits_allow_none(missing->limits) && !is_any_piece(missing->designator))
        print_add(p, &l, "$may_go = source:%s", print_filter(p, missing->designator));
    if (chooses_added)
        print_add(p, &l, "$may_come = %s", squares_of(p, added->designator->mask));
    add_mapped(p, &one, maps, missing, added);
    const char *text =
        maps & RESEMBLES_SHIFTED ? print_some_shift(p, true, true, "", &one) : print_added(p, &one);
    if (maps == BOTH_MAPS)
        print_add(p, &flip, "%s()", flip_function(p));
    if (maps == BOTH_MAPS && chooses_added)
        print_add(p, &flip, "$flipped_pieces = %s(%s)", print_image_function(p),
                  pieces_of(p, added->designator));
    print_add(p, &flip, "%s", text);
    if (maps & RESEMBLES_FLIPPED)
        text = arena_printf(p->arena, "flip %s", print_block(p, &flip));
    print_add(p, &l, "%s", text);
    return print_function(p, "resembles", "allowed source",
                          "On the allowed squares, this position equals the source except for some pieces.",
                          print_added(p, &l));
}

// A surrounding transform maps the allowed squares, not the designators of the pieces.
const char *print_resemblance(Printer *p, const Ast *node)
{
    const Change missing = {node->kid_left, {node->range.low.value, node->range.high.value}};
    const Change added = {node->kid_right, {node->low, node->high}};
    const bool transformed = p->transforms > 0;
    const char *allowed = print_filter(p, node->kid_extra);
    const char *squares = transformed ? print_word(p, "allowed_squares") : allowed;
    Lines l = {0};
    if (node->number == 0)
        add_same_place(p, &l, node, &missing, &added, squares);
    else
        print_add(p, &l, "%s(%s %s)", mapped_function(p, node->number, &missing, &added), squares,
                  print_name(p, node->kid[0]->variable));
    return transformed
               ? arena_printf(p->arena, "%s = %s\nnotransform %s", squares, allowed, print_block(p, &l))
               : print_added(p, &l);
}
