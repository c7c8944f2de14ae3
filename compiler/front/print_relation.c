// `relation` of CQL 5 and `:relation` of CQL 3 in terms of CQL 6.2 (language reference 11.7, 12.7): an
// `echo`.
//
// Boards are compared under symmetries and shifts by mapping sets of squares. `flip` and the like map the
// directions and the corner in the function `image`, and so make it the map of each of their copies; shifts
// are loops over the variables `files` and `ranks`. All this stands under `notransform` where a transform
// is around.
#include "print_internal.h"

#include <limits.h>

#include "../../runtime/chess/chess.h"

enum { MAPS_FLIP = 1, MAPS_SHIFT = 2 }; // Ast.number of OP_RESEMBLES

static const char piece_letters[] = "KQRBNPkqrbnp";
enum { PIECES = sizeof piece_letters - 1, MOST_SQUARES = 64 };

// ---- lines ------------------------------------------------------------------------------------------------

typedef struct Lines {
    Arena *arena;
    const char **line;
    int count;
} Lines;

static void add(Lines *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(Lines *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(l->arena, format, arguments);
    va_end(arguments);
    if (*text != '\0')
        ARENA_PUSH(l->arena, l->line, l->count, text);
}

static const char *lines_text(Printer *p, const Lines *l)
{
    return print_joined(p, l->line, l->count, "\n");
}

static const char *block(Printer *p, const Lines *l)
{
    return arena_printf(p->arena, "{\n%s\n}", print_indented(p, lines_text(p, l)));
}

// ---- counts -----------------------------------------------------------------------------------------------

typedef struct Limits {
    int64_t low, high;
} Limits;

static bool is_everything(Limits limits)
{
    return limits.low <= 0 && limits.high >= MOST_SQUARES;
}

static bool is_nothing(Limits limits)
{
    return limits.low <= 0 && limits.high == 0;
}

// A number of squares lies in the limits; empty: it certainly does.
static const char *count_test(Printer *p, const char *number, Limits limits)
{
    if (limits.low > MOST_SQUARES || limits.high < 0)
        return "false";
    if (is_everything(limits))
        return "";
    const int64_t low = limits.low <= 0 && limits.high != 0 ? INT32_MIN : limits.low;
    return print_long_limits(p, number, low <= 0 && limits.high == 0 ? 0 : low,
                             limits.high >= MOST_SQUARES ? INT32_MAX : limits.high);
}

// ---- functions --------------------------------------------------------------------------------------------

// What a transform does to a set: it maps `right`, `up` and `a1`.
static const char *image_function(Printer *p)
{
    const char *image = print_word(p, "moved"), *square = print_word(p, "place");
    const char *right = print_word(p, "files_away"), *up = print_word(p, "ranks_away");
    Lines l = {.arena = p->arena}, loop = {.arena = p->arena};
    add(&loop, "%s = file %s - 1", right, square);
    add(&loop, "%s = rank %s - 1", up, square);
    add(&loop, "%s |= right %s {up %s a1}", image, right, up);
    add(&l, "%s = []", image);
    add(&l, "square all %s in set %s", square, block(p, &loop));
    add(&l, "%s", image);
    return print_function(p, "image", "set",
                          "The squares of a set where the transform around, `flip` for one, puts them.",
                          lines_text(p, &l));
}

static const char *shift_function(Printer *p)
{
    const char *body =
        arena_printf(p->arena, "right %s {up %s set}", print_word(p, "files"), print_word(p, "ranks"));
    return print_function(p, "shifted", "set", "The squares of a set, shifted by `files` and `ranks`.", body);
}

// Nothing but the identity leaves both the corner and the square beside it where they are.
static const char *moves_function(Printer *p)
{
    return print_function(p, "is_moved", "", "Every transform begins with a copy that leaves all in place.",
                          "not a1 & notransform a1");
}

// ---- loops over shifts ------------------------------------------------------------------------------------

static const char *loop_over(Printer *p, const char *steps, const char *found, Lines *body)
{
    Lines l = {.arena = p->arena};
    add(body, "%s += 1", steps);
    add(&l, "%s = -7", steps);
    add(&l, "while (%s <= 7 and %s == 0) %s", steps, found, block(p, body));
    return lines_text(p, &l);
}

// Some shift along files, ranks or both for which the conditions hold. `prepared` comes before them.
static const char *some_shift(Printer *p, bool along_files, bool along_ranks, const char *prepared,
                              const Lines *conditions)
{
    const char *files = print_word(p, "files"), *ranks = print_word(p, "ranks");
    const char *found = print_word(p, "found");
    Lines l = {.arena = p->arena}, inner = {.arena = p->arena}, outer = {.arena = p->arena};
    add(&inner, "%s", prepared);
    add(&inner, "if %s then %s = 1", block(p, conditions), found);
    add(&l, "%s = 0", found);
    if (!along_files || !along_ranks) {
        add(&l, "%s = 0", along_files ? ranks : files);
        add(&l, "%s", loop_over(p, along_files ? files : ranks, found, &inner));
    } else {
        add(&outer, "%s", loop_over(p, ranks, found, &inner));
        add(&l, "%s", loop_over(p, files, found, &outer));
    }
    add(&l, "%s == 1", found);
    return lines_text(p, &l);
}

// ---- echo transforms of CQL 5 -----------------------------------------------------------------------------

// The squares that hold the same in the source and, moved, in the target.
static const char *equal_contents(Printer *p, const char *map)
{
    const char *part[PIECES + 1];
    for (int i = 0; i <= PIECES; i++) {
        const char piece = i < PIECES ? piece_letters[i] : '_';
        part[i] = arena_printf(p->arena, "%s(compared & source:%c) & %c", map, piece, piece);
    }
    return print_joined(p, part, PIECES + 1, "\n    | ");
}

// Assigns the numbers of matches and mismatches under one map.
static const char *compare_function(Printer *p, bool shift)
{
    const char *map = shift ? shift_function(p) : image_function(p);
    const char *equal = print_word(p, "equal_squares"), *left = print_word(p, "left_squares");
    Lines l = {.arena = p->arena};
    add(&l, "%s = #(\n    %s)", equal, equal_contents(p, map));
    if (shift) { // what lies beyond the edge is empty
        const char *empty = print_word(p, "empty_squares");
        add(&l, "%s = compared & source:_", empty);
        add(&l, "%s += #%s - #%s(%s)", equal, empty, map, empty);
    }
    add(&l, "%s = compared & ~%s(compared)", left, map);
    add(&l, "%s = %s + #(%s & _)", print_word(p, "matches"), equal, left);
    add(&l, "%s = #compared - %s + #(%s & [Aa])", print_word(p, "mismatches"), equal, left);
    return print_function(p, shift ? "compare_shifted" : "compare_images", "compared source",
                          "Compares squares of the source with where they are moved to in this position.",
                          lines_text(p, &l));
}

static void add_counts(Printer *p, Lines *l, Limits matches, Limits mismatches)
{
    add(l, "%s", count_test(p, print_word(p, "matches"), matches));
    add(l, "%s", count_test(p, print_word(p, "mismatches"), mismatches));
}

static const char *under_shifts(Printer *p, Op transform, const char *compare, Limits matches,
                                Limits mismatches)
{
    Lines conditions = {.arena = p->arena};
    const bool files = transform != OP_SHIFTVERTICAL, ranks = transform != OP_SHIFTHORIZONTAL;
    if (files && ranks)
        add(&conditions, "%s != 0 or %s != 0", print_word(p, "files"), print_word(p, "ranks"));
    else
        add(&conditions, "%s != 0", print_word(p, files ? "files" : "ranks"));
    add_counts(p, &conditions, matches, mismatches);
    return some_shift(p, files, ranks, compare, &conditions);
}

static const char *under_symmetries(Printer *p, Op transform, const char *compare, Limits matches,
                                    Limits mismatches)
{
    Lines conditions = {.arena = p->arena};
    if (transform != OP_FLIP && transform != OP_DIHEDRAL && transform != OP_FLIPDIHEDRAL)
        add(&conditions, "%s()", moves_function(p));
    add(&conditions, "%s", compare);
    add_counts(p, &conditions, matches, mismatches);
    return arena_printf(p->arena, "%s%s %s", p->transforms > 0 ? "notransform " : "", op_info[transform].name,
                        block(p, &conditions));
}

static bool is_shift(Op op)
{
    return op == OP_SHIFT || op == OP_SHIFTHORIZONTAL || op == OP_SHIFTVERTICAL;
}

// ---- square parameters of CQL 5 ---------------------------------------------------------------------------

// `source:S & T`, "" when all squares are compared.
static const char *compared_squares(Printer *p, const Ast *node, const char *source)
{
    const char *there = "", *here = "";
    if (node->kid_left != NULL)
        there = arena_printf(p->arena, "%s:%s", source, print_braced(p, node->kid_left));
    if (node->kid_right != NULL)
        here = print_at_least(p, node->kid_right, LEVEL_ATTACK);
    return arena_printf(p->arena, "%s%s%s", there, *there && *here ? " & " : "", here);
}

static void add_plain_squares(Printer *p, Lines *l, const char *compared, Limits matches, Limits mismatches)
{
    const char *s = print_name(p, p->source), *t = print_name(p, p->target);
    if (*compared && !is_everything(matches) && !is_everything(mismatches)) {
        add(l, "%s = %s", print_word(p, "compared"), compared);
        compared = print_word(p, "compared");
    }
    const char *equal = *compared ? arena_printf(p->arena, "#(%s & %s & %s)", s, t, compared)
                                  : arena_printf(p->arena, "#(%s & %s)", s, t);
    const char *different = *compared ? arena_printf(p->arena, "#(%s & ~(%s & %s))", compared, s, t)
                                      : arena_printf(p->arena, "#~(%s & %s)", s, t);
    add(l, "%s", count_test(p, equal, matches));
    add(l, "%s", count_test(p, different, mismatches));
}

static void add_squares(Printer *p, Lines *l, const Ast *node)
{
    const Limits matches = {node->range.present ? node->range.low.value : 0,
                            node->range.present ? node->range.high.value : MOST_SQUARES};
    const Limits mismatches = {node->low, node->high};
    const char *source = print_name(p, p->source), *compared = compared_squares(p, node, source);
    const Op transform = (Op)node->number;
    if (transform == 0) {
        add_plain_squares(p, l, compared, matches, mismatches);
        return;
    }
    const bool shift = is_shift(transform);
    const char *variable = print_word(p, "compared");
    add(l, "%s = %s", variable, *compared ? compared : ".");
    const char *compare = arena_printf(p->arena, "%s(%s %s)", compare_function(p, shift), variable, source);
    if (!shift) {
        add(l, "%s", under_symmetries(p, transform, compare, matches, mismatches));
        return;
    }
    const char *text = under_shifts(p, transform, compare, matches, mismatches);
    add(l, p->transforms > 0 ? "notransform %s" : "%s", p->transforms > 0 ? print_braces(p, text) : text);
}

// ---- the other parameters of CQL 5 ------------------------------------------------------------------------

// `distance(S T)`, `max((S:ply - lca(S T):ply) (T:ply - lca(S T):ply))` and the like
static const char *relation_value(Printer *p, const Ast *node)
{
    const char *s = print_name(p, p->source), *t = print_name(p, p->target);
    const char *up = arena_printf(p->arena, "%s:ply - lca(%s %s):ply", s, s, t);
    const char *down = arena_printf(p->arena, "%s:ply - lca(%s %s):ply", t, s, t);
    switch (node->number) {
    case RELATION_LCA_MAX:
        return arena_printf(p->arena, "max((%s) (%s))", up, down);
    case RELATION_LCA_SUM:
        return arena_printf(p->arena, "distance(%s %s)", s, t);
    case RELATION_LCA_SOURCE:
        return up;
    default:
        return down;
    }
}

const char *print_relation_number(Printer *p, const Ast *node)
{
    const char *s = print_name(p, p->source), *t = print_name(p, p->target);
    const int32_t low = node->range.low.value, high = node->range.high.value;
    switch (node->number) {
    case RELATION_ANCESTOR:
        return arena_printf(p->arena, "(%s [<] %s)", t, s);
    case RELATION_DESCENDANT:
        return arena_printf(p->arena, "(%s [<] %s)", s, t);
    case RELATION_SUBSTRING:
        return arena_printf(p->arena, "{consecutivemoves quiet %d %d (%s %s)}", low, high, s, t);
    default:
        return arena_printf(p->arena, "((%s >= %d) <= %d)", relation_value(p, node), low, high);
    }
}

static void add_number(Printer *p, Lines *l, const Ast *node)
{
    const char *s = print_name(p, p->source), *t = print_name(p, p->target);
    switch (node->number) {
    case RELATION_ANCESTOR:
        add(l, "%s [<] %s", t, s);
        break;
    case RELATION_DESCENDANT:
        add(l, "%s [<] %s", s, t);
        break;
    case RELATION_SUBSTRING:
        add(l, "%s", print_relation_number(p, node));
        break;
    default:
        add(l, "%s",
            print_long_limits(p, relation_value(p, node), node->range.low.value, node->range.high.value));
        break;
    }
}

static void add_parameter(Printer *p, Lines *l, const Ast *node)
{
    switch (node->op) {
    case OP_RELATION_SQUARES:
        add_squares(p, l, node);
        break;
    case OP_RELATION_SIDE:
        add(l, "sidetomove %s %s:sidetomove", node->number ? "==" : "!=", print_name(p, p->source));
        break;
    case OP_RELATION_LCA:
        add_number(p, l, node);
        break;
    default: // a sort of one of them
        add(l, "%s", print_filter(p, node));
        break;
    }
}

// echo quiet (S T) { targets parameters }
const char *print_relation(Printer *p, const Ast *node)
{
    Variable *pair = arena_alloc(p->arena, 2 * sizeof *pair);
    const Variable *outer_source = p->source, *outer_target = p->target;
    Lines l = {.arena = p->arena};
    pair[0] = (Variable){.name = print_fresh_name(p, "source"), .number = -1};
    pair[1] = (Variable){.name = print_fresh_name(p, "target"), .number = -1};
    if (node->kid_left != NULL)
        add(&l, "%s", print_lines(p, node->kid_left->kid, node->kid_left->kid_count));
    p->source = &pair[0];
    p->target = &pair[1];
    for (int i = 0; i < node->kid_count; i++)
        add_parameter(p, &l, node->kid[i]);
    p->source = outer_source;
    p->target = outer_target;
    if (l.count == 0)
        add(&l, "true");
    return arena_printf(p->arena, "echo quiet (%s %s) %s", pair[0].name, pair[1].name,
                        l.count == 1 ? print_braces(p, l.line[0]) : block(p, &l));
}

// ---- `:relation` of CQL 3 ---------------------------------------------------------------------------------

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
    if (is_nothing(change->limits)) {
        add(l, "not (%s)", set);
        return;
    }
    const char *variable = print_word(p, word);
    add(l, "%s = %s", variable, set);
    add(l, "%s", count_test(p, arena_printf(p->arena, "#%s", variable), change->limits));
    if (!is_any_piece(change->designator))
        add(l, "not (%s & ~%s)", variable, wanted);
}

// Without flip and shift.
static void add_same_place(Printer *p, Lines *l, const Ast *node, const Change *missing, const Change *added,
                           const char *squares)
{
    const char *s = print_name(p, node->kid[0]->variable), *t = print_name(p, node->variable2);
    const char *allowed = is_everywhere(node->kid_extra) ? "" : arena_printf(p->arena, "%s & ", squares);
    if (is_nothing(missing->limits) && is_nothing(added->limits)) {
        add(l, *allowed ? "not (%s~(%s & %s))" : "not %s~(%s & %s)", allowed, s, t);
        return;
    }
    add(l, "not (%s%s:[Aa] & [Aa] & ~(%s & %s))", allowed, s, s, t);
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
    case MAPS_FLIP:
        return arena_printf(p->arena, "%s(%s)", image_function(p), pieces);
    case MAPS_SHIFT:
        return arena_printf(p->arena, "%s(%s)", shift_function(p), pieces);
    default:
        return arena_printf(p->arena, "%s(%s)", shift_function(p), flipped);
    }
}

static const char *unchanged_function(Printer *p, int maps)
{
    const char *part[PIECES];
    for (int i = 0; i < PIECES; i++) {
        const char *piece = arena_printf(p->arena, "%c", piece_letters[i]);
        const char *flipped = maps == (MAPS_FLIP | MAPS_SHIFT) ? seen(p, i) : NULL;
        part[i] = arena_printf(p->arena, "source:%s & %s", piece, viewed(p, maps, piece, flipped));
    }
    return print_function(p, "unchanged", "source", "The pieces of the source that this position has there.",
                          print_joined(p, part, PIECES, "\n    | "));
}

// Keeps the flipped pieces, so that they are not flipped again for each shift.
static const char *look_function(Printer *p)
{
    Lines l = {.arena = p->arena};
    const char *image = image_function(p);
    for (int i = 0; i < PIECES; i++)
        add(&l, "%s = %s(%c)", seen(p, i), image, piece_letters[i]);
    add(&l, "%s = %s([Aa])", print_word(p, "all_pieces"), image);
    return print_function(p, "flip_pieces", "", "Where the pieces of this position stand after the `flip`.",
                          lines_text(p, &l));
}

// The conditions under one map.
static void add_mapped(Printer *p, Lines *l, int maps, const Change *missing, const Change *added)
{
    const char *occupied = print_word(p, "occupied"), *wanted = "";
    add(l, "%s = %s", occupied, viewed(p, maps, "[Aa]", print_word(p, "all_pieces")));
    add_change(p, l, "missing", arena_printf(p->arena, "allowed & source:[Aa] & ~%s", occupied), missing,
               print_word(p, "may_go"));
    if (!is_any_piece(added->designator))
        wanted =
            arena_printf(p->arena, "(%s & %s)",
                         viewed(p, maps, pieces_of(p, added->designator), print_word(p, "flipped_pieces")),
                         print_word(p, "may_come"));
    add_change(p, l, "added", arena_printf(p->arena, "allowed & source:_ & %s", occupied), added, wanted);
    add(l, "not (allowed & source:[Aa] & %s & ~%s(source))", occupied, unchanged_function(p, maps));
}

static const char *mapped_function(Printer *p, int maps, const Change *missing, const Change *added)
{
    Lines l = {.arena = p->arena}, flip = {.arena = p->arena}, one = {.arena = p->arena};
    if (!is_nothing(missing->limits) && !is_any_piece(missing->designator))
        add(&l, "%s = source:%s", print_word(p, "may_go"), print_filter(p, missing->designator));
    if (!is_nothing(added->limits) && !is_any_piece(added->designator))
        add(&l, "%s = %s", print_word(p, "may_come"), squares_of(p, added->designator->mask));
    add_mapped(p, &one, maps, missing, added);
    const char *text = maps & MAPS_SHIFT ? some_shift(p, true, true, "", &one) : lines_text(p, &one);
    if (maps & MAPS_FLIP) {
        if (maps & MAPS_SHIFT)
            add(&flip, "%s()", look_function(p));
        if (maps & MAPS_SHIFT && !is_nothing(added->limits) && !is_any_piece(added->designator))
            add(&flip, "%s = %s(%s)", print_word(p, "flipped_pieces"), image_function(p),
                pieces_of(p, added->designator));
        add(&flip, "%s", text);
        text = arena_printf(p->arena, "flip %s", block(p, &flip));
    }
    add(&l, "%s", text);
    return print_function(p, "resembles", "allowed source",
                          "This position is the source again on the squares allowed, but for some pieces.",
                          lines_text(p, &l));
}

// The designators of the pieces are not transformed with the list around, the squares allowed are.
const char *print_resemblance(Printer *p, const Ast *node)
{
    const Change missing = {node->kid_left, {node->range.low.value, node->range.high.value}};
    const Change added = {node->kid_right, {node->low, node->high}};
    Lines l = {.arena = p->arena};
    const char *source = print_name(p, node->kid[0]->variable), *allowed = print_word(p, "allowed_squares");
    if (p->transforms == 0 && node->number == 0) {
        add_same_place(p, &l, node, &missing, &added, print_filter(p, node->kid_extra));
    } else if (p->transforms == 0) {
        add(&l, "%s(%s %s)", mapped_function(p, node->number, &missing, &added),
            print_filter(p, node->kid_extra), source);
    } else {
        Lines inner = {.arena = p->arena};
        add(&l, "%s = %s", allowed, print_filter(p, node->kid_extra));
        if (node->number == 0)
            add_same_place(p, &inner, node, &missing, &added, allowed);
        else
            add(&inner, "%s(%s %s)", mapped_function(p, node->number, &missing, &added), allowed, source);
        add(&l, "notransform %s", inner.count == 1 ? print_braces(p, inner.line[0]) : block(p, &inner));
    }
    return lines_text(p, &l);
}
