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
static unsigned parse_colour(Parser *p)
{
    return parse_take_word(p, CQL5_WHITE) ? AST_WHITE : parse_take_word(p, CQL5_BLACK) ? AST_BLACK : 0;
}

static void set_text(Ast *node, const Token *text)
{
    node->text = text->bytes;
    node->text_length = text->length;
}

// "elo" [ color ] range. Without a colour either rating may be in the range; the value is the greater
// one.
static Ast *parse_elo(Parser *p)
{
    const Span start = parse_next(p)->span;
    const unsigned colour = parse_colour(p);
    const Range range = cql5_required_range(p, CQL5_ELO);
    if (colour != 0)
        return build_in_range(p->arena, build_number_or_zero(p->arena, OP_ELO, colour, start), range);
    Ast *white = build_in_range(p->arena, build_number_or_zero(p->arena, OP_ELO, AST_WHITE, start), range);
    Ast *black = build_in_range(p->arena, build_number_or_zero(p->arena, OP_ELO, AST_BLACK, start), range);
    return build_pair(p->arena, OP_COMPOUND, TYPE_INT, build_pair(p->arena, OP_OR, TYPE_BOOL, white, black),
                      build_number_or_zero(p->arena, OP_ELO, 0, start));
}

// "result" ( "1-0" | "0-1" | "1/2-1/2" )
static Ast *parse_result(Parser *p)
{
    const Span start = parse_next(p)->span;
    if (parse_peek(p)->kind != TOKEN_RESULT)
        parse_fail_found(p, "expected `1-0`, `0-1` or `1/2-1/2` after `result`");
    Ast *node = parse_node(p, OP_RESULT, TYPE_BOOL, start);
    node->number = parse_next(p)->number;
    return node;
}

// "player" [ color ] string | ( "site" | "event" ) string
static Ast *parse_tag_search(Parser *p)
{
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, cql5_words[word->op].op, TYPE_BOOL, word->span);
    if (word->op == CQL5_PLAYER)
        node->flags = parse_colour(p);
    set_text(node, cql5_string(p, word->op));
    return node;
}

// "year" range
static Ast *parse_year(Parser *p)
{
    const Span start = parse_next(p)->span;
    const Range range = cql5_required_range(p, CQL5_YEAR);
    return build_in_range(p->arena, build_number_or_zero(p->arena, OP_YEAR, 0, start), range);
}

Ast *cql5_game_filter(Parser *p)
{
    const Span start = parse_peek(p)->span;
    Ast *node;
    switch (parse_peek(p)->op) {
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
    parse_finish(p, node, start);
    return node;
}

// ---- comments --------------------------------------------------------------------------------------------

// "comment" ( string | set )
Ast *cql5_comment(Parser *p)
{
    const Span start = parse_next(p)->span;
    Ast *node = parse_node(p, OP_COMMENT, TYPE_BOOL, start);
    if (parse_peek(p)->kind == TOKEN_STRING) {
        const Token *t = parse_next(p);
        if (t->length >= 200)
            parse_report(p, t->span, "the string of `comment` may have at most 199 characters");
        Ast *text = parse_node(p, OP_STRING, TYPE_STRING, t->span);
        set_text(text, t);
        parse_add(p, node, text);
    } else {
        parse_add(p, node, cql5_set(p, "`comment` without a string"));
    }
    parse_finish(p, node, start);
    return node;
}

// "hascomment" string
Ast *cql5_hascomment(Parser *p)
{
    Ast *node = parse_node(p, OP_ORIGINALCOMMENT, TYPE_BOOL, parse_next(p)->span);
    set_text(node, cql5_string(p, CQL5_HASCOMMENT));
    return node;
}

// ---- sort ------------------------------------------------------------------------------------------------

Ast *cql5_sort_node(Parser *p, Span start)
{
    Ast *node = parse_node(p, OP_SORT, TYPE_INT, start);
    if (!parse_take_word(p, CQL5_MAX) && parse_take_word(p, CQL5_MIN))
        node->flags |= AST_MIN;
    if (parse_peek(p)->kind == TOKEN_STRING)
        set_text(node, parse_next(p));
    return node;
}

void cql5_sort_value(Parser *p, Ast *sort, Ast *value)
{
    if (value->type != TYPE_INT)
        parse_report(p, value->span, "`sort` needs a filter that counts: one with a range");
    parse_add(p, sort, value);
    parse_finish(p, sort, sort->span);
}

// "sort" [ "max" | "min" ] [ string ] filter
Ast *cql5_sort(Parser *p)
{
    Ast *node = cql5_sort_node(p, parse_next(p)->span);
    if (!cql5_begins_filter(parse_peek(p)))
        parse_fail_found(p, "expected the filter whose number `sort` records");
    cql5_sort_value(p, node, cql5_condition(p));
    return node;
}

// ---- header ----------------------------------------------------------------------------------------------

// ( "input" | "pgn" | "output" ) file
static void parse_file_name(Parser *p, Header *header)
{
    const Token *word = parse_next(p), *t = parse_peek(p);
    const char **name = word->op == CQL5_OUTPUT ? &header->output : &header->input;
    if ((t->kind != TOKEN_FILE && t->kind != TOKEN_STRING) || !is_pgn_name(t->bytes, t->length))
        parse_fail_found(p, "expected a file name that ends in `.pgn` after `%s`", word->bytes);
    if (*name != NULL)
        parse_report(p, word->span, "`%s` is written twice in the header", word->bytes);
    *name = parse_next(p)->bytes;
}

// [ "sort" ] "matchcount" range
static void parse_matchcount(Parser *p, Header *header)
{
    if (parse_take_word(p, CQL5_SORT))
        header->sort_matchcount = true;
    if (!parse_take_word(p, CQL5_MATCHCOUNT))
        parse_fail_found(p, "expected `matchcount` after `sort` in the header");
    header->matchcount = cql5_required_range(p, CQL5_MATCHCOUNT);
}

_Noreturn static void fail_parameter(Parser *p)
{
    parse_fail_found(
        p, "expected a parameter of the header (`input`, `output`, `variations`, `silent`, `result`, "
           "`gamenumber`, `matchcount`, `player`, `elo`, `year`, `site`, `event`) or `)`");
}

// parameter; those about tags become filters before all others.
static void parse_parameter(Parser *p)
{
    Header *header = &p->query->header;
    const Token *t = parse_peek(p);
    if (t->kind != TOKEN_WORD)
        fail_parameter(p);
    if (cql5_begins_game_filter(t->op)) {
        parse_add(p, p->query->body, cql5_game_filter(p));
        return;
    }
    switch (t->op) {
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
        parse_next(p);
        header->gamenumber = cql5_required_range(p, CQL5_GAMENUMBER);
        return;
    case CQL5_VARIATIONS:
        parse_next(p);
        header->variations = true;
        return;
    case CQL5_SILENT: // all but `comment`: what CQL 6.2 calls quiet
        parse_next(p);
        header->quiet = true;
        return;
    default:
        fail_parameter(p);
    }
}

// "cql" "(" { parameter } ")"
void cql5_header(Parser *p)
{
    parse_header_with(p, CQL5_CQL, parse_parameter);
}
