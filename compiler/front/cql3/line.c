// Lines of moves: `:line` and `:line*` of CQL-S (language reference 12b.11).
#include "internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/chess/chess.h"

// The signs after a move, longest first; bits by their index.
static const char *const signs[] = {"+++", "++", "+", "---", "--", "-", "#", "*", "!"};
enum {
    CONTACT_CHECK = 1,
    DOUBLE_CHECK = 2,
    CHECK = 4,
    NO_CONTACT_CHECK = 8,
    NO_DOUBLE_CHECK = 16,
    NO_CHECK = 32,
    MATES = 64,
    NO_MATE = 128,
    ONLY_MOVE = 256,
    SIGNS = 9
};

typedef enum MoveKind { PLAIN, CASTLES, ANY_MOVE, NULL_MOVE } MoveKind;

typedef struct LineMove {
    Span span;
    MoveKind kind;
    char way;              // '-', 'x', ':'; 0: no sign between
    bool has_from, has_to; // written
    bool from_has_pieces, to_has_pieces;
    Designator from, to;
    uint32_t promoted; // 0: not given
    int wings;         // of castling: MOVE_WORD_SHORT, MOVE_WORD_LONG
    bool en_passant;
    int signs;
    int number; // 0: none
    bool black; // the number is that of a black move
    int colour; // of the side that moves; -1: unknown
} LineMove;

struct Cql3Line {
    LineMove *move;
    int count;
    int played;                 // those before `|`
    bool numbered, star, pawns; // pawns: squares alone are moves of pawns
};

// ---- one move ---------------------------------------------------------------------------------------------

static bool bad_move(Cql3 *c, Span span, const char *text)
{
    return cql3_error(c, span, "`%s` is not a move; expected one such as `Ng1-f3`, `Bxn`, `O-O` or `--`",
                      text);
}

// digits ( "." | "..." ), from 1 to 99999
static const char *read_number(const char *p, LineMove *m)
{
    const char *end = p + strspn(p, "0123456789");
    if (*end != '.' || end - p > 5 || atoi(p) == 0)
        return p;
    m->number = atoi(p);
    m->black = strncmp(end, "...", 3) == 0;
    return end + (m->black ? 3 : 1);
}

// Removes the signs from the end of the text, but never all of the text.
static const char *take_signs(Cql3 *c, const char *text, LineMove *m)
{
    size_t length = strlen(text);
    for (int i = 0; i < SIGNS;) {
        const size_t n = strlen(signs[i]);
        if (length > n && memcmp(text + length - n, signs[i], n) == 0) {
            m->signs |= 1 << i;
            length -= n;
            i = 0;
        } else {
            i++;
        }
    }
    return arena_copy(c->arena, text, length);
}

static bool read_castling(const char *text, LineMove *m)
{
    static const struct {
        const char *text;
        int wings, colour;
    } ways[] = {
        {"O-O", MOVE_WORD_SHORT, -1},    {"O-O-O", MOVE_WORD_LONG, -1},  {"O-O-O-O", MOVE_WORD_CASTLE, -1},
        {"K-K", MOVE_WORD_SHORT, WHITE}, {"K-Q", MOVE_WORD_LONG, WHITE}, {"K-KQ", MOVE_WORD_CASTLE, WHITE},
        {"k-k", MOVE_WORD_SHORT, BLACK}, {"k-q", MOVE_WORD_LONG, BLACK}, {"k-kq", MOVE_WORD_CASTLE, BLACK}};
    char with_letters[8] = "";
    if (strlen(text) >= sizeof with_letters)
        return false;
    for (size_t i = 0; text[i] != '\0'; i++)
        with_letters[i] = text[i] == '0' ? 'O' : text[i];
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(with_letters, ways[i].text) == 0) {
            m->kind = CASTLES;
            m->wings = ways[i].wings;
            m->colour = ways[i].colour;
            return true;
        }
    }
    return false;
}

// The first of the characters outside of brackets, or the end.
static const char *outside_brackets(const char *p, const char *wanted)
{
    for (int depth = 0; *p != '\0'; p++) {
        depth += *p == '[' ? 1 : *p == ']' ? -1 : 0;
        if (depth == 0 && strchr(wanted, *p) != NULL)
            break;
    }
    return p;
}

// [ D ] ( "-" | "x" | ":" ) [ D ] [ "=" pieces ] | D [ "=" pieces ]
static bool read_plain(Cql3 *c, const char *text, LineMove *m)
{
    const char *promotion = outside_brackets(text, "=");
    if (*promotion == '=') {
        Designator d;
        bool pieces;
        if (!cql3_piece_or_squares(promotion + 1, &d, &pieces) || !pieces || d.squares != BB_ALL)
            return false;
        m->promoted = cql3_all_pieces(&d);
        text = arena_copy(c->arena, text, (size_t)(promotion - text));
    }
    const char *way = outside_brackets(text, "-x:");
    const char *from = arena_copy(c->arena, text, (size_t)(way - text));
    m->way = *way;
    m->has_from = *from != '\0';
    m->has_to = *way != '\0' && way[1] != '\0';
    if ((m->has_from && !cql3_piece_or_squares(from, &m->from, &m->from_has_pieces)) ||
        (m->has_to && !cql3_piece_or_squares(way + 1, &m->to, &m->to_has_pieces)) ||
        (!m->has_from && m->way == 0))
        return false;
    return m->way != '-' || !m->has_to || !m->to_has_pieces;
}

// The colour of the pieces. -1: both colours, or no pieces.
static int colour_of(const Designator *d)
{
    const uint32_t white = 0x3Fu << WHITE_PAWN | SYMBOL_WHITE, black = 0x3Fu << BLACK_PAWN | SYMBOL_BLACK;
    const uint32_t pieces = cql3_all_pieces(d);
    return pieces & SYMBOL_EMPTY || !(pieces & (white | black)) ? -1
           : !(pieces & black)                                  ? WHITE
           : !(pieces & white)                                  ? BLACK
                                                                : -1;
}

static bool read_move(Cql3 *c, Span span, const char *text, const struct Cql3Line *line, LineMove *m)
{
    *m = (LineMove){.span = span, .colour = -1};
    const char *word = read_number(text, m);
    const bool any = strncmp(word, "--", 2) == 0; // a move, not a sign
    const char *body = take_signs(c, any ? arena_printf(c->arena, "any%s", word + 2) : word, m);
    if (strcmp(body, "any") == 0 || strcmp(body, "null") == 0) {
        m->kind = any ? ANY_MOVE : NULL_MOVE;
        return any || strcmp(body, "null") == 0 || bad_move(c, span, text);
    }
    if (read_castling(body, m))
        return true;
    if (*body == '\0' || !read_plain(c, body, m))
        return bad_move(c, span, text);
    const int captured = m->has_to && m->to_has_pieces ? colour_of(&m->to) : -1;
    if (m->has_from && m->from_has_pieces)
        m->colour = colour_of(&m->from);
    else if (m->has_from && line->pawns)
        m->from.pieces = 1u << WHITE_PAWN | 1u << BLACK_PAWN;
    if (m->colour < 0 && captured >= 0)
        m->colour = !captured;
    if (m->way == 0 && !m->from_has_pieces) { // a move to these squares
        m->to = m->from;
        m->to.pieces = ANY_SQUARE;
        m->has_to = true;
        m->from.squares = BB_ALL;
    } else if (m->way == 0) {
        m->to = (Designator){.pieces = ANY_SQUARE, .squares = m->from.squares, .tag = -1};
        m->has_to = m->from.squares != BB_ALL;
        m->from.squares = BB_ALL;
    }
    return true;
}

// ---- the line ---------------------------------------------------------------------------------------------

// If any move has a number, the first one has, and the others follow from it.
static bool check_numbers(Cql3 *c, struct Cql3Line *line)
{
    for (int i = 0; i < line->count; i++)
        line->numbered |= line->move[i].number > 0;
    const LineMove *first = &line->move[0];
    if (line->numbered && first->number == 0)
        return cql3_error(c, first->span,
                          "expected a number before the first move, since other moves have numbers");
    const int start = 2 * first->number + first->black;
    for (int i = 0; line->numbered && i < line->count; i++) {
        LineMove *m = &line->move[i];
        if (m->number > 0 && 2 * m->number + m->black != start + i)
            return cql3_error(c, m->span, "expected the move number `%d%s`", (start + i) / 2,
                              (start + i) % 2 ? "..." : ".");
        m->colour = (start + i) % 2;
    }
    return true;
}

static bool check_colours(Cql3 *c, const struct Cql3Line *line)
{
    int begins = -1;
    for (int i = 0; !line->numbered && !line->star && i < line->count; i++) {
        const LineMove *m = &line->move[i];
        if (m->colour < 0)
            continue;
        if (begins >= 0 && (m->colour ^ (i & 1)) != begins)
            return cql3_error(c, m->span, "this is a move of %s, but %s is to move here",
                              m->colour == WHITE ? "White" : "Black", m->colour == WHITE ? "Black" : "White");
        begins = m->colour ^ (i & 1);
    }
    return true;
}

static bool is_one_piece(const Designator *d)
{
    const uint32_t pieces = d->pieces & ~(uint32_t)SYMBOL_EMPTY;
    const uint32_t types = (pieces | pieces >> 6) & 0x3Fu << WHITE_PAWN;
    return pieces < SYMBOL_WHITE && types != 0 && (types & (types - 1)) == 0 && !d->promoted &&
           !d->unpromoted;
}

// `:line*` names each move completely.
static bool check_determined(Cql3 *c, const struct Cql3Line *line)
{
    for (int i = 0; line->star && i < line->count; i++) {
        const LineMove *m = &line->move[i];
        if (m->signs != 0 && i + 1 < line->count)
            return cql3_error(c, m->span, "only the last move of `:line*` may have signs");
        if (m->kind == CASTLES && m->wings != MOVE_WORD_CASTLE)
            continue;
        const bool one = m->kind == PLAIN && m->has_from && m->has_to && is_one_piece(&m->from) &&
                         bb_count(m->from.squares) == 1 && bb_count(m->to.squares) == 1;
        if (!one)
            return cql3_error(c, m->span,
                              "a move of `:line*` needs one piece and two squares, as in `Ng1-f3`");
        if (m->way != '-' && !m->en_passant && !(m->to_has_pieces && is_one_piece(&m->to)))
            return cql3_error(c, m->span,
                              "a capture of `:line*` must name the captured piece, as in `Ng1xBf3`");
        if (m->promoted != 0 && !is_one_piece(&(Designator){.pieces = m->promoted}))
            return cql3_error(c, m->span, "a promotion of `:line*` needs one piece");
    }
    return !line->star || line->played == line->count ||
           cql3_error(c, line->move[line->played].span, "potential moves are not allowed in `:line*`");
}

// Adds a word: a move, `ep` or `|`. *number: a move number that was written alone before it, or NULL.
static bool add_word(Cql3 *c, struct Cql3Line *line, Span span, const char *text, const char **number)
{
    LineMove m, *last = line->count > 0 ? &line->move[line->count - 1] : NULL;
    if (strcmp(text, "ep") == 0 || strcmp(text, "e.p.") == 0) {
        if (last == NULL || last->kind != PLAIN || (last->way != 'x' && last->way != ':') || *number != NULL)
            return cql3_error(c, span, "expected a capture such as `Pxf6` before `%s`", text);
        last->en_passant = true;
        return true;
    }
    if (strcmp(text, "|") == 0) {
        if (last == NULL || line->played >= 0)
            return cql3_error(c, span, "expected one `|`, between played and potential moves");
        line->played = line->count;
        return true;
    }
    const char *after = read_number(text, &m);
    if (*after == '\0' && after != text && *number == NULL) {
        *number = text;
        return true;
    }
    if (*number != NULL)
        text = arena_printf(c->arena, "%s%s", *number, text);
    *number = NULL;
    if (!read_move(c, span, text, line, &m))
        return false;
    if (m.kind == NULL_MOVE && line->played >= 0)
        return cql3_error(c, span, "a null move is not legal, so it cannot be a potential move");
    ARENA_PUSH(c->arena, line->move, line->count, m);
    return true;
}

static bool add_words(Cql3 *c, struct Cql3Line *line, const Item *item)
{
    const char *number = NULL;
    if (item->kind == ITEM_LIST) {
        for (int k = 0; k < item->count; k++)
            if (item->item[k]->kind != ITEM_WORD)
                return cql3_error(c, item->item[k]->span, "expected a move, found %s",
                                  cql3_item_text(c, item->item[k]));
            else if (!add_word(c, line, item->item[k]->span, item->item[k]->text, &number))
                return false;
    } else {
        static const char blanks[] = " \t\r";
        for (const char *p = item->text + strspn(item->text, blanks); *p != '\0'; p += strspn(p, blanks)) {
            const uint32_t start = item->span.start + 1 + (uint32_t)(p - item->text);
            const uint32_t length = (uint32_t)strcspn(p, blanks);
            const char *word = arena_copy(c->arena, p, length);
            p += length;
            if (strcmp(word, "*") == 0 && p[strspn(p, blanks)] == '\0')
                line->star = true;
            else if (!add_word(c, line, (Span){start, start + length}, word, &number))
                return false;
        }
    }
    if (line->count == 0 || line->played == line->count || number != NULL)
        return cql3_error(c, item->span, "expected a move before the end of the line");
    return true;
}

bool cql3_line(Cql3 *c, const Item *list, int *i, Test *test)
{
    const Item *item = cql3_item_at(list, *i);
    struct Cql3Line *line = arena_alloc(c->arena, sizeof *line);
    if (item == NULL || item->kind == ITEM_WORD || cql3_is_position(item))
        return cql3_error(c, cql3_span_at(list, *i), "`:%s` needs moves in a list or in quotes, found %s",
                          cql3_word(test->keyword), cql3_item_text(c, item));
    ++*i;
    line->played = -1;
    line->star = test->keyword == OP_CQL3_LINE_STAR;
    line->pawns = item->kind == ITEM_STRING;
    test->line = line;
    if (!add_words(c, line, item))
        return false;
    if (line->played < 0)
        line->played = line->count;
    return check_numbers(c, line) && check_colours(c, line) && check_determined(c, line);
}

bool cql3_line_bars(Cql3 *c, const Test *test, Cql3Sets transformations)
{
    const bool flip = transformations >> (OP_CQL3_FLIPCOLOR - OP_CQL3_FLIPHORIZONTAL) & 1;
    if (test->line == NULL)
        return true;
    if (test->line->star && transformations != 0)
        return cql3_error(c, test->span, "`:line*` is not allowed in a list with transformations");
    return !flip || !test->line->numbered ||
           cql3_error(c, test->span, "numbered moves are not allowed in a list with `:flipcolor`");
}

// ---- trees ------------------------------------------------------------------------------------------------

static bool either_case(const struct Cql3Line *line)
{
    return line->numbered || line->star;
}

// The pieces of both colours that the letters name.
static uint32_t of_both(uint32_t pieces)
{
    return pieces | symbols_exchange_colours(pieces);
}

static Ast *squares_of(Cql3 *c, const struct Cql3Line *line, Designator d, const Cql3Map *map, int colour)
{
    if (either_case(line)) {
        d.pieces = of_both(d.pieces);
        d.promoted = of_both(d.promoted);
        d.unpromoted = of_both(d.unpromoted);
    }
    Ast *set = cql3_designator_set(c, &d, map);
    return line->numbered && colour >= 0 ? cql3_tree(c, colour == WHITE ? "$1 & A" : "$1 & a", set) : set;
}

// The squares that the move may go to, as they are before it.
static Ast *target(Cql3 *c, const struct Cql3Line *line, const LineMove *m, const Cql3Map *map)
{
    const Designator any = {.pieces = ANY_SQUARE, .squares = BB_ALL, .tag = -1};
    Designator to = m->has_to ? m->to : any,
               squares = {.pieces = ANY_SQUARE, .squares = to.squares, .tag = -1};
    Ast *there = cql3_designator_set(c, &squares, map);
    if (m->promoted != 0 && m->way == 0 && !m->has_to)
        return NULL;
    if (m->en_passant || m->way == '-' || m->way == 0)
        return cql3_tree(c, "$1 & _", there);
    if (!m->has_to || !m->to_has_pieces)
        return cql3_tree(c, m->way == 'x' ? "$1 & [Aa]" : "$1 & ~[Kk]", there);
    Ast *captured = squares_of(c, line, to, map, m->colour < 0 ? -1 : !m->colour);
    return m->way == 'x' ? captured : cql3_tree(c, "$1 | $2 & _", captured, there);
}

static Ast *move_node(Cql3 *c, const struct Cql3Line *line, const LineMove *m, const Cql3Map *map)
{
    const int colour = m->colour < 0 ? -1 : m->colour ^ map->colours;
    Ast *node = cql3_node(c, OP_MOVE, TYPE_BOOL), *from = NULL, *to = NULL;
    if (m->kind == PLAIN) {
        from = m->has_from ? squares_of(c, line, m->from, map, m->colour) : NULL;
        to = target(c, line, m, map);
        node->pieces = of_both(m->promoted);
        if (m->way == 'x')
            ast_set_operand(node, &node->kid_extra, cql3_node(c, OP_ALL_SQUARES, TYPE_SET));
        node->low = m->en_passant ? MOVE_WORD_EN_PASSANT : 0;
    } else if (m->kind == CASTLES) {
        from = colour < 0 ? NULL : cql3_tree(c, colour == WHITE ? "K" : "k");
        node->low = m->wings;
    }
    node->flags = m->kind == NULL_MOVE ? AST_NULL : 0;
    ast_set_operand(node, &node->kid_left, from);
    ast_set_operand(node, &node->kid_right, to);
    return node;
}

// A move to an empty square must not be an en passant capture, which also goes to one.
static bool bars_en_passant(const LineMove *m)
{
    return m->kind == PLAIN && (m->way == '-' || m->way == 0) && m->promoted == 0;
}

// What the signs require of the position after the move. NULL: nothing.
static Ast *after(Cql3 *c, const LineMove *m)
{
    static const struct {
        int sign;
        Keyword keyword;
    } all[] = {{CHECK, OP_CQL3_CHECK},
               {DOUBLE_CHECK, OP_CQL3_DOUBLECHECK},
               {CONTACT_CHECK, OP_CQL3_CONTACTCHECK},
               {MATES, OP_CQL3_MATE},
               {NO_CHECK, OP_CQL3_CHECK},
               {NO_DOUBLE_CHECK, OP_CQL3_DOUBLECHECK},
               {NO_CONTACT_CHECK, OP_CQL3_CONTACTCHECK},
               {NO_MATE, OP_CQL3_MATE}};
    Ast *part[8];
    int count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (m->signs & all[i].sign) {
            Ast *there = cql3_tree(c, op_info[all[i].keyword].meaning);
            part[count++] = i < 4 ? there : cql3_tree(c, "not $1", there);
        }
    return count > 0 ? cql3_all(c, part, count) : NULL;
}

static Ast *only_move(Cql3 *c)
{
    return cql3_tree(c, CQL3_ONE_LEGAL_MOVE);
}

// The moves from i on are legal one after the other, and `last` (unless NULL) is true after them.
static Ast *possible(Cql3 *c, const struct Cql3Line *line, int i, const Cql3Map *map, Ast *last)
{
    if (i == line->count)
        return last;
    const LineMove *m = &line->move[i];
    Cql3Parts parts = {0};
    Ast *checks = after(c, m), *next = possible(c, line, i + 1, map, last);
    Ast *node = cql3_node(c, OP_SPECULATIVE, TYPE_BOOL), *move = move_node(c, line, m, map);
    if (bars_en_passant(m))
        ARENA_PUSH(c->arena, parts.part, parts.count, cql3_tree(c, "not enpassant"));
    if (checks != NULL)
        ARENA_PUSH(c->arena, parts.part, parts.count, checks);
    if (next != NULL)
        ARENA_PUSH(c->arena, parts.part, parts.count, next);
    move->flags |= AST_LEGAL;
    ast_add_kid(c->arena, node, move);
    ast_add_kid(c->arena, node, cql3_all(c, parts.part, parts.count));
    return m->signs & ONLY_MOVE ? cql3_tree(c, "$1 $2", only_move(c), node) : node;
}

// A constituent of the line: the position before move i, and the move.
static Ast *constituent(Cql3 *c, const struct Cql3Line *line, int i, const Cql3Map *map)
{
    const LineMove *m = &line->move[i];
    Cql3Parts parts = {0};
    Ast *checks = i > 0 ? after(c, &line->move[i - 1]) : NULL;
    if (m->number > 0) {
        Ast *number = cql3_tree(c, m->black ? "btm ply / 2 + 1" : "wtm ply / 2 + 1");
        ARENA_PUSH(c->arena, parts.part, parts.count,
                   build_in_range(c->arena, number, build_range(m->number, m->number)));
    }
    if (checks != NULL)
        ARENA_PUSH(c->arena, parts.part, parts.count, checks);
    if (m->signs & ONLY_MOVE)
        ARENA_PUSH(c->arena, parts.part, parts.count, only_move(c));
    ARENA_PUSH(c->arena, parts.part, parts.count, move_node(c, line, m, map));
    if (bars_en_passant(m))
        ARENA_PUSH(c->arena, parts.part, parts.count, cql3_tree(c, "not move enpassant"));
    if (m->kind == ANY_MOVE)
        ARENA_PUSH(c->arena, parts.part, parts.count, cql3_tree(c, "not move null"));
    return cql3_all(c, parts.part, parts.count);
}

// The moves lead from the start of the game to this position.
static Ast *reached(Cql3 *c, const struct Cql3Line *line)
{
    Ast *here = cql3_variable(c, "here", VARIABLE_POSITION);
    Ast *part[6] = {cql3_tree(c, "sidetomove == $1:sidetomove", here),
                    cql3_tree(c, "{$1 & currentposition} == .", here)};
    for (int i = 0; i < 4; i++) {
        Ast *number = cql3_node(c, OP_CASTLING_RIGHTS, TYPE_INT);
        number->number = 1 << i;
        part[2 + i] = cql3_tree(c, "$1 == $2:$3", number, here, ast_copy(c->arena, number));
    }
    return cql3_tree(c,
                     c->every_line ? "mainline $1 = currentposition initialposition:$2"
                                   : "$1 = currentposition initialposition:$2",
                     here, possible(c, line, 0, cql3_identity(), cql3_all(c, part, 6)));
}

// Only a colour flip acts on the moves.
static Cql3Map flip_of(const Cql3Map *map)
{
    Cql3Map flip = *cql3_identity();
    flip.colours = map->colours;
    for (int s = 0; s < 64 && flip.colours; s++)
        flip.image[s] = bb_of(square_image(s, MIRROR_RANKS));
    return flip;
}

Ast *cql3_build_line(Cql3 *c, const Test *test, const Cql3Map *map)
{
    const struct Cql3Line *line = test->line;
    const Cql3Map flip = flip_of(map);
    if (line->star)
        return reached(c, line);
    Ast **each = arena_alloc(c->arena, sizeof *each * (size_t)(line->played + 1));
    for (int i = 0; i < line->played; i++)
        each[i] = constituent(c, line, i, &flip);
    Cql3Parts end = {0};
    Ast *checks = after(c, &line->move[line->played - 1]);
    if (checks != NULL)
        ARENA_PUSH(c->arena, end.part, end.count, checks);
    if (line->played < line->count)
        ARENA_PUSH(c->arena, end.part, end.count, possible(c, line, line->played, &flip, NULL));
    each[line->played] = cql3_all(c, end.part, end.count);
    return cql3_sequence(c, each, line->played + 1);
}
