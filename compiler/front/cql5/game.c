// The header of CQL 5, and its filters about tags, comments and sorting (language reference 11.2, 11.4).
#include "parser.h"

#include <string.h>

#include "runtime/game/view.h"

// ---- tags ------------------------------------------------------------------------------------------------

bool cql5_begins_game_filter(Cql5WordId word)
{
    switch (word) {
    case CQL5_PLAYER:
    case CQL5_ELO:
    case CQL5_YEAR:
    case CQL5_SITE:
    case CQL5_EVENT:
    case CQL5_RESULT:
        return true;
    default:
        return false;
    }
}

// color = "white" | "black"
static unsigned parse_colour(Cql5Parser *p)
{
    return cql5_take(p, CQL5_WHITE) ? AST_WHITE : cql5_take(p, CQL5_BLACK) ? AST_BLACK : 0;
}

static void set_text(Ast *node, const Cql5Token *text)
{
    node->text = text->bytes;
    node->text_length = text->length;
}

// A tag's number, 0 when the tag has none.
static Ast *number_or_zero(Cql5Parser *p, Op op, unsigned flags, Span span)
{
    Ast *test = cql5_node(p, op, TYPE_INT, span), *value = cql5_node(p, op, TYPE_INT, span);
    test->flags = value->flags = flags;
    Ast *node = cql5_pair(p, OP_IF, TYPE_INT, test, value);
    cql5_add(p, node, cql5_number(p, 0, span));
    return node;
}

// "elo" [ color ] range. Without colour either rating may lie in the range; as a number it is the greater
// one.
static Ast *parse_elo(Cql5Parser *p)
{
    const Span start = cql5_next(p)->span;
    const unsigned colour = parse_colour(p);
    const Cql5Range range = cql5_required_range(p, CQL5_ELO);
    if (colour != 0)
        return cql5_in_range(p, number_or_zero(p, OP_ELO, colour, start), range);
    Ast *white = cql5_in_range(p, number_or_zero(p, OP_ELO, AST_WHITE, start), range);
    Ast *black = cql5_in_range(p, number_or_zero(p, OP_ELO, AST_BLACK, start), range);
    return cql5_pair(p, OP_COMPOUND, TYPE_INT, cql5_pair(p, OP_OR, TYPE_BOOL, white, black),
                     number_or_zero(p, OP_ELO, 0, start));
}

// "result" ( "1-0" | "0-1" | "1/2-1/2" )
static Ast *parse_result(Cql5Parser *p)
{
    const Span start = cql5_next(p)->span;
    const int result = cql5_peek(p)->kind == CQL5_OTHER ? result_number(cql5_peek(p)->bytes) : -1;
    if (result < 0)
        cql5_fail_found(p, "expected `1-0`, `0-1` or `1/2-1/2` behind `result`");
    cql5_next(p);
    Ast *node = cql5_node(p, OP_RESULT, TYPE_BOOL, start);
    node->number = result;
    return node;
}

// "player" [ color ] string | ( "site" | "event" ) string
static Ast *parse_tag_search(Cql5Parser *p)
{
    const Cql5Token *word = cql5_next(p);
    Ast *node = cql5_node(p, cql5_words[word->word].op, TYPE_BOOL, word->span);
    if (word->word == CQL5_PLAYER)
        node->flags = parse_colour(p);
    set_text(node, cql5_string(p, word->word));
    return node;
}

// "year" range
static Ast *parse_year(Cql5Parser *p)
{
    const Span start = cql5_next(p)->span;
    const Cql5Range range = cql5_required_range(p, CQL5_YEAR);
    return cql5_in_range(p, number_or_zero(p, OP_YEAR, 0, start), range);
}

Ast *cql5_game_filter(Cql5Parser *p)
{
    const Span start = cql5_peek(p)->span;
    Ast *node;
    switch (cql5_peek(p)->word) {
    case CQL5_ELO:
        node = parse_elo(p);
        break;
    case CQL5_YEAR:
        node = parse_year(p);
        break;
    case CQL5_RESULT:
        node = parse_result(p);
        break;
    default:
        node = parse_tag_search(p);
        break;
    }
    cql5_finish(p, node, start);
    return node;
}

// ---- comments --------------------------------------------------------------------------------------------

// "comment" ( string | set )
Ast *cql5_comment(Cql5Parser *p)
{
    const Span start = cql5_next(p)->span;
    Ast *node = cql5_node(p, OP_COMMENT, TYPE_BOOL, start);
    if (cql5_peek(p)->kind == CQL5_STRING) {
        const Cql5Token *t = cql5_next(p);
        if (t->length >= 200)
            cql5_report(p, t->span, "the text of `comment` has at most 199 characters");
        Ast *text = cql5_node(p, OP_STRING, TYPE_STRING, t->span);
        set_text(text, t);
        cql5_add(p, node, text);
    } else {
        cql5_add(p, node, cql5_set(p, "`comment` without a text"));
    }
    cql5_finish(p, node, start);
    return node;
}

// "hascomment" string
Ast *cql5_hascomment(Cql5Parser *p)
{
    Ast *node = cql5_node(p, OP_ORIGINALCOMMENT, TYPE_BOOL, cql5_next(p)->span);
    set_text(node, cql5_string(p, CQL5_HASCOMMENT));
    return node;
}

// ---- sort ------------------------------------------------------------------------------------------------

Ast *cql5_sort_node(Cql5Parser *p, Span start)
{
    Ast *node = cql5_node(p, OP_SORT, TYPE_INT, start);
    if (!cql5_take(p, CQL5_MAX) && cql5_take(p, CQL5_MIN))
        node->flags |= AST_MIN;
    if (cql5_peek(p)->kind == CQL5_STRING)
        set_text(node, cql5_next(p));
    return node;
}

void cql5_sort_value(Cql5Parser *p, Ast *sort, Ast *value)
{
    if (value->type != TYPE_INT)
        cql5_report(p, value->span, "`sort` needs a filter that counts: one with a range");
    cql5_add(p, sort, value);
    cql5_finish(p, sort, sort->span);
}

// "sort" [ "max" | "min" ] [ string ] filter
Ast *cql5_sort(Cql5Parser *p)
{
    Ast *node = cql5_sort_node(p, cql5_next(p)->span);
    if (!cql5_begins_filter(p))
        cql5_fail_found(p, "expected the filter whose number `sort` records");
    cql5_sort_value(p, node, cql5_condition(p));
    return node;
}

// ---- header ----------------------------------------------------------------------------------------------

static void parse_file_name(Cql5Parser *p, Header *header)
{
    const Cql5Token *word = cql5_next(p), *t = cql5_peek(p);
    const char **name = word->word == CQL5_OUTPUT ? &header->output : &header->input;
    if ((t->kind != CQL5_OTHER && t->kind != CQL5_STRING) || !is_pgn_name(t->bytes, t->length))
        cql5_fail_found(p, "expected the name of a file that ends in `.pgn` behind `%s`", word->bytes);
    if (*name != NULL)
        cql5_report(p, word->span, "`%s` stands twice in the header", word->bytes);
    *name = cql5_next(p)->bytes;
}

static void parse_matchcount(Cql5Parser *p, Header *header)
{
    if (cql5_take(p, CQL5_SORT))
        header->sort_matchcount = true;
    if (!cql5_take(p, CQL5_MATCHCOUNT))
        cql5_fail_found(p, "expected `matchcount` behind `sort` in the header");
    header->matchcount = cql5_ast_range(cql5_required_range(p, CQL5_MATCHCOUNT));
}

_Noreturn static void fail_parameter(Cql5Parser *p)
{
    cql5_fail_found(
        p, "expected a parameter of the header (`input`, `output`, `variations`, `silent`, `result`, "
           "`gamenumber`, `matchcount`, `player`, `elo`, `year`, `site`, `event`) or `)`");
}

// parameter; those about tags are filters in front of all others.
static void parse_parameter(Cql5Parser *p, Header *header)
{
    const Cql5Token *t = cql5_peek(p);
    if (t->kind != CQL5_KEYWORD)
        fail_parameter(p);
    if (cql5_begins_game_filter(t->word)) {
        cql5_add(p, p->query->body, cql5_game_filter(p));
        return;
    }
    switch (t->word) {
    case CQL5_INPUT:
    case CQL5_PGN:
    case CQL5_OUTPUT:
        parse_file_name(p, header);
        return;
    case CQL5_SORT:
    case CQL5_MATCHCOUNT:
        parse_matchcount(p, header);
        return;
    case CQL5_GAMENUMBER:
        cql5_next(p);
        header->gamenumber = cql5_ast_range(cql5_required_range(p, CQL5_GAMENUMBER));
        return;
    case CQL5_VARIATIONS:
        cql5_next(p);
        header->variations = true;
        return;
    case CQL5_SILENT: // all but `comment`: what CQL 6.2 calls quiet
        cql5_next(p);
        header->quiet = true;
        return;
    default:
        fail_parameter(p);
    }
}

static void skip_header(Cql5Parser *p, int limit)
{
    for (int depth = 1; p->position < limit && depth > 0; cql5_next(p))
        depth += cql5_at_mark(p, '(') - cql5_at_mark(p, ')');
}

// "cql" "(" { parameter } ")"
void cql5_header(Cql5Parser *p, int limit)
{
    volatile bool opened = false;
    if (setjmp(p->failed) != 0) {
        if (opened)
            skip_header(p, limit);
        else
            p->position = limit; // without a header nothing says what the text is
        return;
    }
    if (!cql5_take(p, CQL5_CQL))
        cql5_fail_found(p, "a query begins with `cql (`: expected `cql`");
    cql5_expect(p, '(', "behind `cql`");
    opened = true;
    p->query->header.matchstring = "MATCH";
    while (!cql5_take_mark(p, ')'))
        parse_parameter(p, &p->query->header);
}
