// The header of a query (language reference 2.2).
#include "compiler/front/shared/characters.h"
#include "parser.h"

#include <string.h>

// "input" file | "output" file; one token.
static void parse_file(Parser *p, Header *header)
{
    const Token *t = parse_next(p);
    bool input = t->number == OP_WORD_INPUT;
    const char **name = input ? &header->input : &header->output;
    if (*name != NULL)
        parse_fail(p, t->span, "`%s` is given twice in the header", input ? "input" : "output");
    if (!is_pgn_name(t->bytes, t->length))
        parse_fail(p, t->span, "the name of the %s file must end in `.pgn`, but it is `%s`%s",
                   input ? "input" : "output", t->bytes,
                   strchr(t->bytes, '.') != NULL || p->source->text[t->span.end - 1] == '"'
                       ? ""
                       : "; put names that contain spaces in double quotes");
    *name = t->bytes;
}

static bool parse_constant(Parser *p, int32_t *value)
{
    int sign = parse_at(p, PUNCT_MINUS) ? 1 : 0;
    const Token *t = parse_peek_at(p, sign);
    if (t->kind != TOKEN_INTEGER)
        return false;
    *value = sign ? -t->number : t->number;
    p->position += sign + 1;
    return true;
}

// crange = [ "-" ] int [ [ "-" ] int ] | "count"
static void parse_constant_range(Parser *p, Range *range, const Token *word)
{
    if (range->present)
        parse_fail(p, word->span, "`%s` is given twice in the header", word->bytes);
    range->present = true;
    if (parse_take_word(p, OP_WORD_COUNT)) {
        range->all = true;
        return;
    }
    if (!parse_constant(p, &range->low.value))
        parse_fail_found(p, "expected one or two numbers after `%s`", word->bytes);
    if (!parse_constant(p, &range->high.value))
        range->high.value = range->low.value;
}

static void parse_level(Header *header, bool silent)
{
    if (!header->quiet && !header->silent)
        header->first_is_silent = silent;
    *(silent ? &header->silent : &header->quiet) = true;
}

static _Noreturn void fail_parameter(Parser *p)
{
    const Token *t = parse_peek(p);
    static const char *const names[] = {"input",      "output", "variations",  "matchcount", "sort",
                                        "gamenumber", "result", "matchstring", "quiet",      "silent"};
    if (t->kind == TOKEN_WORD && t->op == OP_WORD_PGN)
        parse_fail_found(p, "expected a parameter of the header (the games are named by `input FILE`)");
    const char *after = p->source->text + t->span.end;
    if (strncmp(after, ".pgn", 4) == 0 && !is_word_byte(after[4]))
        parse_fail(p, t->span, "expected a parameter of the header; the games are named by `input %.*s.pgn`",
                   (int)(t->span.end - t->span.start), p->source->text + t->span.start);
    if (t->kind == TOKEN_WORD && parse_begins_filter(t))
        parse_fail(p, t->span, "`%s` is a filter, not a parameter of the header; write it after the header",
                   t->bytes);
    parse_fail_word(p, "a parameter of the header", names, sizeof names / sizeof *names);
}

// parameter = file | "variations" | "sort" "matchcount" crange | "matchcount" crange | "gamenumber" crange
//           | "result" result | "matchstring" quoted | "quiet" | "silent"
static void parse_parameter(Parser *p)
{
    Header *header = &p->query->header;
    const Token *t = parse_peek(p);
    if (t->kind == TOKEN_FILE) {
        parse_file(p, header);
        return;
    }
    if (t->kind != TOKEN_WORD)
        fail_parameter(p);
    parse_next(p);
    switch (t->op) {
    case OP_WORD_INPUT:
    case OP_WORD_OUTPUT:
        parse_fail_found(p, "expected the name of a file after `%s`", t->bytes);
    case OP_WORD_VARIATIONS:
        header->variations = true;
        break;
    case OP_SORT:
        if (!parse_at_word(p, OP_WORD_MATCHCOUNT))
            parse_fail_found(p, "expected `matchcount` after `sort` in the header");
        header->sort_matchcount = true;
        parse_parameter(p);
        break;
    case OP_WORD_MATCHCOUNT:
        parse_constant_range(p, &header->matchcount, t);
        break;
    case OP_GAMENUMBER:
        parse_constant_range(p, &header->gamenumber, t);
        break;
    case OP_RESULT:
        header->results |= 1u << parse_result_value(p);
        break;
    case OP_WORD_MATCHSTRING:
        if (!parse_is_quoted(p, parse_peek(p)))
            parse_fail_found(p, "expected a string in double quotes after `matchstring`");
        header->matchstring = parse_next(p)->bytes;
        break;
    case OP_WORD_QUIET:
    case OP_WORD_SILENT:
        parse_level(header, t->op == OP_WORD_SILENT);
        break;
    default:
        p->position--;
        fail_parameter(p);
    }
}

// "cql" "(" { parameter } ")"
void parse_header(Parser *p)
{
    parse_header_with(p, OP_WORD_CQL, parse_parameter);
}
