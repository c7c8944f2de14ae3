// Tests of CQL-S that the rules of chess and the placement of a few pieces decide (language reference 12b.8): castling
// rights, FEN, contact checks, opposition, good bishops.
#include "internal.h"

#include <string.h>

#include "runtime/chess/chess.h"

static const char rights[] = "KQkq"; // by the bits CASTLE_

static int exchange_rights(int set)
{
    return (set >> 2 | set << 2) & 15;
}

// ---- letters ----------------------------------------------------------------------------------------------

static const char *allowed_letters(const Test *test)
{
    return test->keyword == OP_CQL3_OPPOSITION ? "Kk" : rights;
}

// Letters, which may be in brackets, as bits by their index among those allowed; 0 unless all are allowed.
static int letters_of(const Item *item, const Test *test)
{
    const char *p = item != NULL && item->kind == ITEM_WORD ? item->text : "",
               *allowed = allowed_letters(test);
    const bool bracket = *p == '[';
    int set = 0;
    for (p += bracket; *p != '\0' && *p != ']'; p++) {
        const char *letter = strchr(allowed, *p);
        if (letter == NULL)
            return 0;
        set |= 1 << (letter - allowed);
    }
    return strcmp(p, bracket ? "]" : "") == 0 ? set : 0;
}

bool cql3_castling(Cql3 *c, const Item *list, int *i, Test *test)
{
    const Item *item = cql3_item_at(list, *i);
    test->number = letters_of(item, test);
    if (test->number == 0)
        return cql3_error(c, cql3_span_at(list, *i), "expected letters of `%s` after `:%s`, found %s",
                          allowed_letters(test), cql3_word(test->keyword), cql3_item_text(c, item));
    ++*i;
    return true;
}

bool cql3_castling_begins(const Item *list, int i, const Test *test)
{
    return letters_of(cql3_item_at(list, i), test) != 0;
}

int cql3_rights(const Test *test, const Cql3Map *map)
{
    return map->colours ? exchange_rights(test->number) : test->number;
}

Ast *cql3_has_rights(Cql3 *c, const Test *test, const Cql3Map *map)
{
    Ast *number = cql3_node(c, OP_CASTLING_RIGHTS, TYPE_INT);
    number->number = cql3_rights(test, map);
    return cql3_tree(c, "$1 == 1", number);
}

// ---- FEN --------------------------------------------------------------------------------------------------

struct Cql3Fen {
    Bitboard squares[PIECE_CODES];
    int fields; // how many are given: placement, side to move, castling rights, en passant
    int side, castling;
    Bitboard en_passant; // where a pawn can legally capture
};

static bool read_placement(const char *p, size_t length, Bitboard squares[PIECE_CODES])
{
    int rank = 7, file = 0;
    for (; length > 0; p++, length--) {
        const char *letter = *p != ' ' ? strchr(fen_letters, *p) : NULL;
        if (*p == '/' && file == 8 && rank > 0) {
            rank--;
            file = 0;
        } else if (*p >= '1' && *p <= '8' && file + (*p - '0') <= 8) {
            for (int k = *p - '0'; k > 0; k--)
                squares[EMPTY] |= bb_of(8 * rank + file++);
        } else if (letter != NULL && *letter != '\0' && file < 8) {
            squares[letter - fen_letters] |= bb_of(8 * rank + file++);
        } else {
            return false;
        }
    }
    return rank == 0 && file == 8;
}

static bool only(const char *p, size_t length, const char *allowed)
{
    for (size_t i = 0; i < length; i++)
        if (strchr(allowed, p[i]) == NULL)
            return false;
    return true;
}

static bool are_rights(const char *p, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (memchr(p, p[i], i) != NULL) // twice
            return false;
    return length <= 4 && only(p, length, "KQkqABCDEFGHabcdefgh");
}

// The text of a field is well formed. Field 0, the placement, is not checked here.
static bool is_field(int number, const char *p, size_t length)
{
    switch (number) {
    case 1:
        return length == 1 && only(p, length, "wb");
    case 2:
        return (length == 1 && *p == '-') || are_rights(p, length);
    case 3:
        return (length == 1 && *p == '-') ||
               (length == 2 && *p >= 'a' && *p <= 'h' && (p[1] == '3' || p[1] == '6'));
    default:
        return only(p, length, "0123456789");
    }
}

// By their number; the placement has an error of its own.
static const char *const field_names[] = {NULL,
                                          "the side to move (`w` or `b`)",
                                          "the castling rights",
                                          "the en passant square",
                                          "the number of half-moves",
                                          "the number of the move"};

// The fields after the placement, if such a position can occur.
static void read_position(const char *text, struct Cql3Fen *fen)
{
    Position p;
    if (fen->fields > 4)
        fen->fields = 4;
    if (fen->fields < 2 || fen_parse(text, strlen(text), &p, NULL) != NULL)
        return;
    fen->side = p.side;
    fen->castling = p.castling;
    fen->en_passant = fen->fields > 3 ? pos_legal_en_passant(&p) : 0;
}

bool cql3_fen(Cql3 *c, const Item *list, int *i, Test *test)
{
    const Item *item = cql3_item_at(list, *i);
    struct Cql3Fen *fen = arena_alloc(c->arena, sizeof *fen);
    if (item == NULL || item->kind != ITEM_STRING ||
        !read_placement(item->text, strcspn(item->text, " "), fen->squares))
        return cql3_error(c, cql3_span_at(list, *i),
                          "expected the placement of a FEN in quotes after `:fen`, found %s",
                          cql3_item_text(c, item));
    for (const char *p = item->text; *p != '\0'; p += strspn(p, " ")) {
        const size_t length = strcspn(p, " ");
        const int k = fen->fields++;
        if (k > 5)
            return cql3_error(c, item->span, "a FEN has at most six fields");
        if (k > 0 && !is_field(k, p, length))
            return cql3_error(c, item->span, "expected %s of the FEN, found `%.*s`", field_names[k],
                              (int)length, p);
        p += length;
    }
    read_position(item->text, fen);
    ++*i;
    test->fen = fen;
    return true;
}

// Every square is as the FEN says, and so are the other fields. Only a colour flip changes it.
Ast *cql3_is_fen(Cql3 *c, const Test *test, const Cql3Map *map)
{
    const struct Cql3Fen *fen = test->fen;
    const bool flip = map->colours;
    const int castling = flip ? exchange_rights(fen->castling) : fen->castling;
    Ast *all[PIECE_CODES + 4];
    int count = 0;
    for (int code = 0; code < PIECE_CODES; code++) {
        const uint32_t piece = flip ? symbols_exchange_colours(1u << code) : 1u << code;
        if (fen->squares[code] != 0)
            all[count++] = cql3_tree(
                c, "$1 in $2",
                cql3_set(c, ANY_SQUARE, flip ? bb_mirror_ranks(fen->squares[code]) : fen->squares[code]),
                cql3_set(c, piece, BB_ALL));
    }
    if (fen->fields > 1)
        all[count++] = cql3_tree(c, (fen->side == WHITE) != flip ? "wtm" : "btm");
    for (int there = 0; fen->fields > 2 && there < 2; there++) {
        Ast *number = cql3_node(c, OP_CASTLING_RIGHTS, TYPE_INT);
        number->number = there ? castling : ~castling & 15;
        const int wanted = there ? bb_count((Bitboard)castling) : 0;
        all[count++] = build_in_range(c->arena, number, build_range(wanted, wanted));
    }
    if (fen->fields > 3)
        all[count++] =
            cql3_tree(c, "$1 == $2", cql3_node(c, OP_LEGAL_EN_PASSANT, TYPE_SET),
                      cql3_set(c, ANY_SQUARE, flip ? bb_mirror_ranks(fen->en_passant) : fen->en_passant));
    return cql3_all(c, all, count);
}

// ---- repetitions ------------------------------------------------------------------------------------------

Ast *cql3_repetition(Cql3 *c, const Test *test)
{
    const int times = test->keyword == OP_CQL3_THREEFOLDREPETITION ? 3 : 5;
    Ast *number = cql3_node(c, OP_REPETITION, TYPE_INT);
    return build_in_range(c->arena, number, build_range(times, times));
}

// ---- checks -----------------------------------------------------------------------------------------------

// A checker that the designator matches.
Ast *cql3_contact_check(Cql3 *c, const Test *test, const Cql3Map *map)
{
    return cql3_tree(
        c, "$1 & ({a attacks K & ([np] | . attackedby K)} | {A attacks k & ([NP] | . attackedby k)})",
        cql3_designator_set(c, &test->designator[0], map));
}

// ---- opposition -------------------------------------------------------------------------------------------

Ast *cql3_opposition(Cql3 *c, const Test *test, const Cql3Map *map)
{
    enum { WHITE_HAS = 1, BLACK_HAS = 2 };
    Ast *files = cql3_variable(c, "files", VARIABLE_INT), *ranks = cql3_variable(c, "ranks", VARIABLE_INT);
    Ast *distances =
        cql3_tree(c, "$1 = abs (file K - file k) $2 = abs (rank K - rank k) {$1 == 0 or $2 == 0 or $1 == $2}",
                  files, ranks);
    // At an odd distance the side to move has the opposition.
    Ast *odd = cql3_tree(c, "max ($1 $2) % 2 == 1", files, ranks);
    const int set =
        map->colours && test->number != 0 ? 3 & (test->number << 1 | test->number >> 1) : test->number;
    const char *has = set == 0           ? "$1 $2"
                      : set == WHITE_HAS ? "$1 if $2 then wtm else btm"
                      : set == BLACK_HAS ? "$1 if $2 then btm else wtm"
                                         : "$1";
    return cql3_tree(c, has, distances, odd);
}

// ---- good bishops -----------------------------------------------------------------------------------------

static Ast *share(Cql3 *c, const char *part, const char *whole, const Cql3Range *range)
{
    return cql3_in_count(c, cql3_tree(c, part), cql3_tree(c, whole), range);
}

// Some bishop, which is of one colour and stands on squares of one colour.
Ast *cql3_good_bishop(Cql3 *c, const Test *test, const Cql3Map *map)
{
    static const struct {
        const char *bishop, *enemies, *all_enemies, *own, *all_own;
    } kinds[] = {{"$1 & light B", "#(light p)", "#p", "#(dark P)", "#P"},
                 {"$1 & dark B", "#(dark p)", "#p", "#(light P)", "#P"},
                 {"$1 & light b", "#(light P)", "#P", "#(dark p)", "#p"},
                 {"$1 & dark b", "#(dark P)", "#P", "#(light p)", "#p"}};
    Ast *any[4];
    for (int i = 0; i < 4; i++) {
        Ast *all[3] = {cql3_tree(c, kinds[i].bishop, cql3_designator_set(c, &test->designator[0], map)),
                       share(c, kinds[i].enemies, kinds[i].all_enemies, &test->share[0]),
                       share(c, kinds[i].own, kinds[i].all_own, &test->share[1])};
        any[i] = cql3_all(c, all, 3);
    }
    return cql3_any(c, any, 4);
}
