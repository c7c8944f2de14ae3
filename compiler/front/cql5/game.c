// The header of CQL 5, and its filters about tags, comments and sorting (language reference 11.2, 11.4).
#include "parser.h"

#include <string.h>

#include "runtime/game/view.h"

// ---- tags ------------------------------------------------------------------------------------------------

// color = "white" | "black"
unsigned cql5_colour(Parser *p)
{
    return parse_take_word(p, OP_CQL5_WHITE) ? AST_WHITE : parse_take_word(p, OP_CQL5_BLACK) ? AST_BLACK : 0;
}

void cql5_set_text(Ast *node, const Token *text)
{
    node->text = text->bytes;
    node->text_length = text->length;
}

// "elo" [ color ] range. Without a colour either rating may be in the range; the value is the greater
// one.
Ast *cql5_elo(Parser *p)
{
    const Span start = parse_next(p)->span;
    const unsigned colour = cql5_colour(p);
    const Range range = cql5_required_range(p, OP_CQL5_ELO);
    Ast *rating[2];
    for (int i = 0; i < 2; i++)
        rating[i] =
            build_in_range(p->arena,
                           cql5_tree(p, start,
                                     (i == 0) == (colour != AST_BLACK) ? "if elo white then elo white else 0"
                                                                       : "if elo black then elo black else 0",
                                     NULL, NULL),
                           range);
    Ast *either = colour != 0
                      ? rating[0]
                      : cql5_tree(p, start, "{$1 or $2} if elo then elo else 0", rating[0], rating[1]);
    return parse_finish(p, either, start);
}

// "result" ( "1-0" | "0-1" | "1/2-1/2" )
Ast *cql5_result(Parser *p)
{
    const Span start = parse_next(p)->span;
    if (parse_peek(p)->kind != TOKEN_RESULT)
        parse_fail_found(p, "expected `1-0`, `0-1` or `1/2-1/2` after `result`");
    Ast *node = parse_node(p, OP_RESULT, TYPE_BOOL, start);
    node->number = parse_next(p)->number;
    return parse_finish(p, node, start);
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
        cql5_set_text(text, t);
        parse_add(p, node, text);
    } else {
        parse_add(p, node, cql5_set(p, "`comment` without a string"));
    }
    parse_finish(p, node, start);
    return node;
}

// ---- sort ------------------------------------------------------------------------------------------------

Ast *cql5_sort_node(Parser *p, Span start)
{
    Ast *node = parse_node(p, OP_SORT, TYPE_INT, start);
    if (!parse_take_word(p, OP_CQL5_MAX) && parse_take_word(p, OP_CQL5_MIN))
        node->flags |= AST_MIN;
    if (parse_peek(p)->kind == TOKEN_STRING)
        cql5_set_text(node, parse_next(p));
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
    const char **name = word->op == OP_WORD_OUTPUT ? &header->output : &header->input;
    if ((t->kind != TOKEN_FILE && t->kind != TOKEN_STRING) || !is_pgn_name(t->bytes, t->length))
        parse_fail_found(p, "expected a file name that ends in `.pgn` after `%s`", word->bytes);
    if (*name != NULL)
        parse_report(p, word->span, "`%s` is written twice in the header", word->bytes);
    *name = parse_next(p)->bytes;
}

// [ "sort" ] "matchcount" range
static void parse_matchcount(Parser *p, Header *header)
{
    if (parse_take_word(p, OP_CQL5_SORT))
        header->sort_matchcount = true;
    if (!parse_take_word(p, OP_WORD_MATCHCOUNT))
        parse_fail_found(p, "expected `matchcount` after `sort` in the header");
    header->matchcount = cql5_required_range(p, OP_WORD_MATCHCOUNT);
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
    switch (t->op) {
    case OP_PLAYER:
    case OP_CQL5_ELO:
    case OP_CQL5_YEAR:
    case OP_SITE:
    case OP_EVENT:
    case OP_RESULT:
        parse_add(p, p->query->body, cql5_word(p));
        return;
    case OP_WORD_INPUT:
    case OP_CQL5_PGN:
    case OP_WORD_OUTPUT:
        parse_file_name(p, header);
        return;
    case OP_CQL5_SORT:
    case OP_WORD_MATCHCOUNT:
        parse_matchcount(p, header);
        return;
    case OP_CQL5_GAMENUMBER:
        parse_next(p);
        header->gamenumber = cql5_required_range(p, OP_CQL5_GAMENUMBER);
        return;
    case OP_WORD_VARIATIONS:
        parse_next(p);
        header->variations = true;
        return;
    case OP_CQL5_SILENT: // all but `comment`: what CQL 6.2 calls quiet
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
    parse_header_with(p, OP_WORD_CQL, parse_parameter);
}
