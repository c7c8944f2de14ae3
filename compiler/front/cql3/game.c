// Game data, tags and the whole file of CQL 3 to a tree (language reference 12.2, 12.3, 12.8).
#include "internal.h"

#include <limits.h>
#include <string.h>

#include "runtime/game/view.h"

// ---- game data --------------------------------------------------------------------------------------------

static void add_condition(Cql3 *c, Ast *condition)
{
    ARENA_PUSH(c->arena, c->condition, c->condition_count, condition);
}

static Ast *string_node(Cql3 *c, const char *text)
{
    Ast *node = cql3_node(c, OP_STRING, TYPE_STRING);
    node->text = text;
    node->text_length = (uint32_t)strlen(text);
    return node;
}

// True when the word is a part of the string, ignoring case.
static Ast *contains(Cql3 *c, const char *word, Ast *text)
{
    Ast *part = build_with(c->arena, OP_LOWERCASE, TYPE_STRING, string_node(c, word));
    return build_pair(c->arena, OP_IN_STRING, TYPE_BOOL, part,
                      build_with(c->arena, OP_LOWERCASE, TYPE_STRING, text));
}

static Ast *player(Cql3 *c, unsigned flag)
{
    Ast *node = cql3_node(c, OP_PLAYER, TYPE_STRING);
    node->flags = flag;
    return node;
}

static Ast *tag(Cql3 *c, const char *name)
{
    Ast *node = cql3_node(c, OP_TAG, TYPE_STRING);
    node->text = name;
    node->text_length = (uint32_t)strlen(name);
    return node;
}

// `:eco B90` or `:eco B90-B99`.
static Ast *eco(Cql3 *c, const char *word)
{
    const char *dash = strchr(word, '-');
    const char *low = dash == NULL ? word : arena_copy(c->arena, word, (size_t)(dash - word));
    Ast *code = cql3_node(c, OP_ECO, TYPE_STRING);
    if (dash == NULL)
        return build_pair(c->arena, OP_EQ, TYPE_STRING, code, string_node(c, low));
    Ast *from = build_pair(c->arena, OP_GE, TYPE_STRING, code, string_node(c, low));
    return build_pair(c->arena, OP_LE, TYPE_STRING, from, string_node(c, dash + 1));
}

// The number of half-moves of the game: the ply of the last position of the main line.
static Ast *ply_count(Cql3 *c, Range range)
{
    Ast *last[3];
    last[0] = cql3_node(c, OP_MAINLINE, TYPE_BOOL);
    last[1] = cql3_node(c, OP_TERMINAL, TYPE_BOOL);
    last[2] = build_in_range(c->arena, cql3_node(c, OP_PLY, TYPE_INT), range);
    return cql3_at_initial(c, cql3_find(c, cql3_all(c, last, 3)));
}

static void result(Cql3 *c, int results)
{
    const bool one = (results & (results - 1)) == 0;
    if (one && results != 1 << RESULT_UNKNOWN)
        c->query->header.results |= (unsigned)results;
    else
        add_condition(c, cql3_result_is(c, results, false));
}

static void intersect(Range *all, Range range)
{
    if (!all->present)
        *all = range;
    if (range.low.value > all->low.value)
        all->low.value = range.low.value;
    if (range.high.value < all->high.value)
        all->high.value = range.high.value;
}

static const char *tag_of(Keyword keyword)
{
    switch (keyword) {
    case KEY_EVENT:
        return "Event";
    case KEY_SITE:
        return "Site";
    case KEY_ROUND:
        return "Round";
    case KEY_ANNOTATOR:
        return "Annotator";
    case KEY_TERMINATION:
        return "Termination";
    default:
        return "TimeMode";
    }
}

static bool word_keyword(Cql3 *c, Keyword keyword, const Item *list, int *i)
{
    const Item *item = *i < list->count ? list->item[*i] : NULL;
    if (item == NULL || item->kind == ITEM_LIST || cql3_is_keyword(item))
        return cql3_error(c, list->item[*i - 1]->span, "`:%s` needs a word, found %s", cql3_word(keyword),
                          cql3_item_text(c, item));
    ++*i;
    switch (keyword) {
    case KEY_PGN:
        c->query->header.input = item->text;
        break;
    case KEY_OUTPUT:
        c->query->header.output = item->text;
        break;
    case KEY_PLAYER:
        add_condition(c, build_pair(c->arena, OP_OR, TYPE_BOOL, contains(c, item->text, player(c, AST_WHITE)),
                                    contains(c, item->text, player(c, AST_BLACK))));
        break;
    case KEY_WHITEPLAYER:
        add_condition(c, contains(c, item->text, player(c, AST_WHITE)));
        break;
    case KEY_BLACKPLAYER:
        add_condition(c, contains(c, item->text, player(c, AST_BLACK)));
        break;
    case KEY_ECO:
        add_condition(c, eco(c, item->text));
        break;
    default:
        add_condition(c, contains(c, item->text, tag(c, tag_of(keyword))));
        break;
    }
    return true;
}

static bool range_keyword(Cql3 *c, Keyword keyword, const Item *list, int *i)
{
    Range range;
    if (!cql3_range(c, list, i, &range))
        return false;
    switch (keyword) {
    case KEY_GAMENUMBER:
        intersect(&c->query->header.gamenumber, range);
        break;
    case KEY_YEAR:
        add_condition(c, cql3_tag_in_range(c, OP_YEAR, 0, range));
        break;
    case KEY_PLYCOUNT:
        add_condition(c, ply_count(c, range));
        break;
    case KEY_GAME_ELO:
        add_condition(c, cql3_elo(c, AST_WHITE | AST_BLACK, range));
        break;
    default:
        add_condition(c, cql3_elo(c, keyword == KEY_GAME_WHITEELO ? AST_WHITE : AST_BLACK, range));
        break;
    }
    return true;
}

bool cql3_game_keyword(Cql3 *c, Keyword keyword, const Item *list, int *i)
{
    int results;
    c->span = list->item[(*i)++]->span;
    switch (keyword) {
    case KEY_GAME_RESULT:
        if (!cql3_result(c, list, i, &results))
            return false;
        result(c, results);
        return true;
    case KEY_GAMENUMBER:
    case KEY_YEAR:
    case KEY_PLYCOUNT:
    case KEY_GAME_ELO:
    case KEY_GAME_WHITEELO:
    case KEY_GAME_BLACKELO:
        return range_keyword(c, keyword, list, i);
    default:
        return word_keyword(c, keyword, list, i);
    }
}

// ---- the position lists together --------------------------------------------------------------------------

// A top-level list where it is tried.
static Ast *guarded_list(Cql3 *c, PositionList *list)
{
    c->top = list;
    c->every_line = list->variations;
    c->span = list->span;
    Ast *part[2] = {cql3_visited(c)};
    const int count = part[0] != NULL;
    part[count] = cql3_build_list(c, list, cql3_identity());
    return cql3_all(c, part, count + 1);
}

// The lists at the current position.
typedef struct Lists {
    Ast *any;  // one of them matches here
    Ast *each; // evaluated at the initial position: every one matches somewhere after it; NULL: not needed
} Lists;

static Lists build_lists(Cql3 *c)
{
    const int count = c->list_count;
    Ast **here = arena_alloc(c->arena, sizeof *here * (size_t)(count + 1));
    Ast **find = arena_alloc(c->arena, sizeof *find * (size_t)(count + 1));
    if (count == 0)
        return (Lists){cql3_node(c, OP_TRUE, TYPE_BOOL), NULL};
    for (int i = 0; i < count; i++) {
        here[i] = guarded_list(c, c->list[i]);
        find[i] = cql3_find(c, ast_copy(c->arena, here[i]));
    }
    Ast *each = count > 1 || c->tag_count > 0 ? cql3_all(c, find, count) : NULL;
    return (Lists){cql3_any(c, here, count), each};
}

// Tests conditions on the whole game at its first position and keeps the result.
static Ast *at_first_position(Cql3 *c, Ast *action)
{
    return build_pair(c->arena, OP_IF, TYPE_BOOL, cql3_node(c, OP_INITIAL, TYPE_BOOL), action);
}

// if initial { ALL = 0  if {each} ALL = 1 }  ALL == 1  any
static Ast *without_tags(Cql3 *c, Lists lists)
{
    if (lists.each == NULL)
        return lists.any;
    Variable *all = build_hidden_variable(c->query, "all_match", VARIABLE_INT, c->span);
    Ast *set = build_assign(c->arena, all, build_number(c->arena, 1, c->span));
    Ast *test[2] = {build_assign(c->arena, all, build_number(c->arena, 0, c->span)),
                    build_pair(c->arena, OP_IF, TYPE_BOOL, lists.each, set)};
    Ast *part[3] = {at_first_position(c, cql3_all(c, test, 2))};
    part[1] = build_in_range(c->arena, build_read(c->arena, all, c->span), build_range(1, 1));
    part[2] = lists.any;
    return cql3_all(c, part, 3);
}

// ---- tags -------------------------------------------------------------------------------------------------

enum {
    WHITE_SLIDERS_AND_KNIGHTS = 1 << WHITE_KNIGHT | 1 << WHITE_BISHOP | 1 << WHITE_ROOK | 1 << WHITE_QUEEN,
    BLACK_SLIDERS_AND_KNIGHTS = WHITE_SLIDERS_AND_KNIGHTS << 6
};

// Pawns can become the pieces.
static uint32_t with_pawns(uint32_t pieces)
{
    if (pieces & WHITE_SLIDERS_AND_KNIGHTS && !(pieces & SYMBOL_WHITE))
        pieces |= 1u << WHITE_PAWN;
    if (pieces & BLACK_SLIDERS_AND_KNIGHTS && !(pieces & SYMBOL_BLACK))
        pieces |= 1u << BLACK_PAWN;
    return pieces;
}

// piece $t in set body
static Ast *piece_loop(Cql3 *c, const Cql3Tag *t, Ast *set, Ast *body)
{
    Ast *loop = build_pair(c->arena, OP_SET_LOOP, TYPE_SET, set, body);
    loop->variable = t->variable;
    loop->flags = AST_PIECES;
    return loop;
}

// piece $t in D' { [not {$t & $u}] [find quiet {$t & D}] body }
static Ast *bind_tag(Cql3 *c, int index, Ast *body)
{
    const Cql3Tag *t = &c->tag[index];
    const uint32_t pieces = t->pieces & ~(uint32_t)SYMBOL_EMPTY;
    Ast *part[3];
    int count = 0;
    c->span = t->span;
    if (index > 0) {
        Ast *both = build_pair(c->arena, OP_INTERSECT, TYPE_SET, build_read(c->arena, t->variable, c->span),
                               build_read(c->arena, c->tag[0].variable, c->span));
        part[count++] = build_with(c->arena, OP_NOT, TYPE_BOOL, both);
    }
    if (with_pawns(pieces) != pieces) {
        Ast *is_one = build_pair(c->arena, OP_INTERSECT, TYPE_SET, build_read(c->arena, t->variable, c->span),
                                 cql3_set(c, pieces, ~(Bitboard)0));
        part[count++] = cql3_find(c, is_one);
    }
    part[count++] = body;
    return piece_loop(c, t, cql3_set(c, with_pawns(pieces), ~(Bitboard)0), cql3_all(c, part, count));
}

// if initial { GOOD = piece $t in D' { … each } }  GOOD  HERE = currentposition
// initialposition: { piece $t in GOOD { … HERE: any } }
static Ast *with_tags(Cql3 *c, Lists lists)
{
    Variable *good = build_hidden_variable(c->query, "candidates", VARIABLE_SET, c->span);
    Variable *here = build_hidden_variable(c->query, "here", VARIABLE_POSITION, c->span);
    Ast *each = lists.each != NULL ? lists.each : cql3_node(c, OP_TRUE, TYPE_BOOL);
    Ast *there = build_pair(c->arena, OP_AT, lists.any->type, build_read(c->arena, here, c->span), lists.any);
    if (c->tag_count > 1) {
        there = bind_tag(c, 1, cql3_all(c, (Ast *[]){ast_copy(c->arena, each), there}, 2));
        each = bind_tag(c, 1, each);
    }
    Ast *part[4];
    part[0] = at_first_position(c, build_assign(c->arena, good, bind_tag(c, 0, each)));
    part[1] = build_read(c->arena, good, c->span);
    part[2] = build_assign(c->arena, here, cql3_node(c, OP_CURRENTPOSITION, TYPE_POSITION));
    part[3] = cql3_at_initial(c, piece_loop(c, &c->tag[0], build_read(c->arena, good, c->span), there));
    return cql3_all(c, part, 4);
}

// ---- the file ---------------------------------------------------------------------------------------------

bool cql3_build_file(Cql3 *c)
{
    Ast *body = cql3_node(c, OP_COMPOUND, TYPE_BOOL);
    for (int i = 0; i < c->condition_count; i++)
        ast_add_kid(c->arena, body, c->condition[i]);
    Ast *lists = c->tag_count > 0 ? with_tags(c, build_lists(c)) : without_tags(c, build_lists(c));
    ast_add_kid(c->arena, body, lists);
    body->type = lists->type;
    c->query->body = body;
    if (body->height > CQL3_MAX_HEIGHT)
        cql3_error(c, body->span, "expression nested too deeply (more than %d tests inside one another)",
                   CQL3_MAX_HEIGHT);
    return c->diagnostics->errors == 0;
}
