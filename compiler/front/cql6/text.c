// Text, tags and sorting (language reference 7.12-7.18, 9.6).
#include "parser.h"

#include <string.h>

#include "runtime/game/view.h"

// ---- comment, message, str --------------------------------------------------------------------------------

// items = filter | "(" filter { filter } ")"
Ast *parse_items(Parser *p, Ast *node, Op word)
{
    const char *name = op_info[word].name;
    if (!parse_at(p, PUNCT_LEFT_PAREN)) {
        parse_need_filter(p, "`%s` needs something to write", name);
        parse_add(p, node, parse_filter(p));
        return node;
    }
    Surroundings outer = parse_enter(p);
    own(p)->here.list_item = true;
    parse_next(p);
    do
        parse_add(p, node, parse_filter(p));
    while (parse_begins_filter(parse_peek(p)));
    parse_close(p, outer, PUNCT_RIGHT_PAREN, arena_printf(p->arena, "after the items of `%s`", name));
    return node;
}

// "///" filter { filter } end-of-line
Ast *parse_line_comment(Parser *p)
{
    const Token *mark = parse_next(p);
    Ast *node = parse_node(p, OP_COMMENT, TYPE_BOOL, mark->span);
    int limit = p->limit;
    Surroundings outer = parse_enter(p);
    own(p)->here.list_item = true;
    p->limit = mark->number < limit ? mark->number : limit;
    while (p->position < p->limit) {
        parse_need_filter(p, "`///` takes all filters up to the end of its line; expected a filter");
        parse_add(p, node, parse_filter(p));
    }
    p->limit = limit;
    parse_leave(p, outer);
    return node;
}

// ---- functions of numbers and strings ---------------------------------------------------------------------

// "ascii" sum
void finish_ascii(Parser *p, Ast *node, const Token *word)
{
    (void)p, (void)word;
    node->type = node->kid[0]->type == TYPE_STRING ? TYPE_INT : TYPE_STRING;
}

// ---- tags -------------------------------------------------------------------------------------------------

static bool is_tag_name(const Token *t)
{
    for (uint32_t i = 0; i < t->length; i++) {
        char c = t->bytes[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (c != '_' || i == 0))
            return false;
    }
    return t->length <= 60;
}

// The rules for names of tags in 7.15; CQLi reads all tags (13.9).
static void check_tag_name(Parser *p, const Token *t, bool set)
{
    if (!is_tag_name(t))
        parse_fail(p, t->span,
                   "the name of a tag is 1 to 60 letters, digits and underscores, and does not begin with an "
                   "underscore");
    if (tag_is_built_in(t->bytes)) {
        if (set)
            parse_fail(p, t->span, "the tag `%s` cannot be set", t->bytes);
        return;
    }
    if (tag_is_refused(t->bytes) && (set || !own(p)->cqli))
        parse_fail(p, t->span, "the tag `%s` cannot be %s here", t->bytes, set ? "set" : "read");
}

// "tag" name; the older dialects read tags that CQL 6.2 cannot.
void finish_tag(Parser *p, Ast *node, const Token *word)
{
    if (node->text != NULL && !own(p)->is_template)
        check_tag_name(p, word + 1, false);
}

// "settag" "(" quoted str ")"
void finish_settag(Parser *p, Ast *node, const Token *word)
{
    check_tag_name(p, word + 2, true);
    parse_require(p, node->kid[0], TYPE_STRING, "the new value of the tag");
}

static bool looks_like_pattern(const Token *t)
{
    const char *open = memchr(t->bytes, '[', t->length);
    if (open != NULL && memchr(open, ']', t->length - (size_t)(open - t->bytes)) != NULL)
        return true;
    for (uint32_t i = 1; i < t->length; i++)
        if (t->bytes[i] == '*' || t->bytes[i] == '+' || t->bytes[i] == '?')
            return true;
    return false;
}

// "fold" quoted, after a filter that takes a search: `player fold "x"` is `fold "x" in fold player`.
static bool parse_folded_search(Parser *p, Ast *node)
{
    const Token *t = parse_peek(p), *text = parse_peek_at(p, 1);
    if (t->kind != TOKEN_IDENTIFIER || strcmp(t->bytes, op_info[OP_FOLD].name) != 0 ||
        name_find(p, t->bytes) != NULL || !parse_is_quoted(p, text) || text->length == 0)
        return false;
    parse_check_extension(p);
    parse_next(p);
    Ast *value = parse_node(p, node->op, node->type, node->span),
        *searched = parse_node(p, OP_STRING, TYPE_STRING, text->span),
        *folds[] = {parse_node(p, OP_FOLD, TYPE_STRING, t->span),
                    parse_node(p, OP_FOLD, TYPE_STRING, t->span)};
    *value = *node;
    parse_keep_text(searched, parse_next(p));
    parse_add(p, folds[0], searched);
    parse_add(p, folds[1], value);
    *node = *parse_node(p, OP_IN_STRING, TYPE_BOOL, node->span);
    parse_add(p, node, folds[0]);
    parse_add(p, node, folds[1]);
    return true;
}

void parse_search(Parser *p, Ast *node)
{
    const Token *t = parse_peek(p);
    if (own(p)->here.list_item || parse_folded_search(p, node) || !parse_is_quoted(p, t) || t->length == 0)
        return;
    if (looks_like_pattern(t))
        parse_fail(p, t->span,
                   "this text is searched literally but looks like a pattern; write `~~` before a pattern, "
                   "or `TEXT in %s`",
                   op_info[node->op].name);
    parse_next(p);
    node->type = TYPE_BOOL;
    parse_keep_text(node, t);
}

// result | quoted; in CQLi also "*" (13.13)
int parse_result_value(Parser *p)
{
    const Token *t = parse_peek(p);
    const int result = t->kind == TOKEN_RESULT        ? t->number
                       : parse_is_quoted(p, t)        ? result_number(t->bytes)
                       : token_is_mark(t, PUNCT_STAR) ? RESULT_UNKNOWN
                                                      : -1;
    if (own(p)->cqli && result < 0)
        parse_fail_found(p, "expected `1-0`, `0-1`, `1/2-1/2` or `*` after `result`");
    if (result < (own(p)->cqli ? RESULT_UNKNOWN : RESULT_WHITE))
        parse_fail_found(p, "expected `1-0`, `0-1` or `1/2-1/2` after `result`%s",
                         token_is_mark(t, PUNCT_ASSIGN) || token_is_mark(t, PUNCT_EQ) ? ", without a sign"
                                                                                      : "");
    parse_next(p);
    return result;
}

// "result" result
Ast *parse_result(Parser *p)
{
    Ast *node = parse_node(p, OP_RESULT, TYPE_BOOL, parse_next(p)->span);
    node->number = parse_result_value(p);
    return node;
}

// ---- original comments ------------------------------------------------------------------------------------

// The number of a glyph, 0 when the string is not a glyph, -1 for a number that no glyph has.
static int glyph_number(const char *text)
{
    static const struct {
        const char *text;
        int number;
    } glyphs[] = {{"!", 1},    {"?", 2},    {"!!", 3},   {"??", 4},   {"!?", 5},  {"?!", 6}, {"=", 10},
                  {"+/=", 14}, {"=/+", 15}, {"+/-", 16}, {"-/+", 17}, {"+-", 18}, {"-+", 19}};
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (strcmp(text, glyphs[i].text) == 0)
            return glyphs[i].number;
    if (text[0] != '$' || text[1] == '\0' || text[1 + strspn(text + 1, "0123456789")] != '\0')
        return 0;
    int number = 0;
    for (text++; *text != '\0'; text++)
        number = number > 255 ? number : 10 * number + (*text - '0');
    return number >= 1 && number <= 255 ? number : -1;
}

// ( "originalcomment" | "hascomment" ) [ quoted ]
Ast *parse_originalcomment(Parser *p)
{
    Ast *node = parse_node(p, OP_ORIGINALCOMMENT, TYPE_STRING, parse_next(p)->span);
    const Token *t = parse_peek(p);
    if (own(p)->here.list_item || !parse_is_quoted(p, t))
        return node;
    node->number = glyph_number(t->bytes);
    if (node->number < 0)
        parse_fail(p, t->span, "the number of a glyph is from $1 to $255");
    if (node->number == 0) {
        parse_search(p, node);
        return node;
    }
    parse_next(p);
    node->type = TYPE_BOOL;
    return node;
}

// ---- sort -------------------------------------------------------------------------------------------------

// All sorts with one name are one key, so they must agree (10.6.1).
static void check_sort_key(Parser *p, const Ast *node)
{
    bool min = (node->flags & AST_MIN) != 0;
    bool is_new;
    const int number =
        text_map_number(p->arena, &own(p)->sort_key_number, node->text, node->text_length, &is_new);
    if (is_new) {
        const SortKey key = {node->text, node->type, min};
        ARENA_PUSH(p->arena, own(p)->sort_key, own(p)->sort_key_count, key);
    } else {
        const SortKey *key = &own(p)->sort_key[number];
        if (key->type != node->type)
            parse_fail(p, node->span, "the sort key \"%s\" was %s before, but is %s here", node->text,
                       type_noun(key->type), type_noun(node->type));
        if (key->min != min)
            parse_fail(p, node->span, "the sort key \"%s\" was used %s `min` before", node->text,
                       key->min ? "with" : "without");
    }
}

static bool is_key_name(Parser *p, const Token *t)
{
    return parse_is_quoted(p, t) && t->length > 0;
}

// Is `min` or `max` before the token the order of `sort`? It needs a name in CQL 6.2; in CQLi it is no
// function unless a parenthesis follows (13.3).
static bool is_order(Parser *p, const Token *after)
{
    const bool parenthesis = token_is_mark(after, PUNCT_LEFT_PAREN);
    return is_key_name(p, after) || (own(p)->cqli && !parenthesis);
}

// "sort" [ "quiet" ] [ "min" | "max" ] [ quoted ] filter
Ast *parse_sort(Parser *p)
{
    Ast *node = parse_node(p, OP_SORT, TYPE_INT, parse_next(p)->span);
    if (parse_take_word(p, OP_WORD_QUIET))
        node->flags |= AST_QUIET;
    if ((parse_at_word(p, OP_MIN) || parse_at_word(p, OP_MAX)) && is_order(p, parse_peek_at(p, 1)))
        node->flags |= parse_next(p)->op == OP_MIN ? AST_MIN : AST_MAX;
    else if ((parse_at_word(p, OP_MIN) || parse_at_word(p, OP_MAX)) &&
             !token_is_mark(parse_peek_at(p, 1), PUNCT_LEFT_PAREN))
        parse_fail(p, parse_peek(p)->span, "`sort %s` needs a title: `sort %s \"plies\" ply`",
                   parse_peek(p)->bytes, parse_peek(p)->bytes);
    if (is_key_name(p, parse_peek(p))) {
        const Token *t = parse_next(p);
        parse_keep_text(node, t);
    }
    parse_need_filter(p, "expected the value to sort by");
    own(p)->inside_sort_min += (node->flags & AST_MIN) != 0;
    Ast *kid = parse_filter(p);
    own(p)->inside_sort_min -= (node->flags & AST_MIN) != 0;
    if (kid->type == TYPE_BOOL || kid->type == TYPE_POSITION)
        parse_fail(p, kid->span, "`sort` needs a number, a set or a string, but this is %s",
                   type_noun(kid->type));
    if (kid->op == OP_NUMBER)
        parse_fail(p, kid->span, "sorting by a constant number has no effect");
    node->type = kid->type == TYPE_SET ? TYPE_INT : kid->type;
    parse_add(p, node, kid);
    if (node->text != NULL)
        check_sort_key(p, node);
    return node;
}

// ---- statements -------------------------------------------------------------------------------------------

// "cql_assertvariations" quoted
void finish_assertvariations(Parser *p, Ast *node, const Token *word)
{
    if (!own(p)->variations)
        parse_fail(p, word->span, "%s", node->text);
}

// "assert" filter; a variable alone is not a condition
void finish_assert(Parser *p, Ast *node, const Token *word)
{
    (void)word;
    Ast *kid = node->kid[0];
    if (kid->op != OP_VARIABLE || kid->flags & AST_PAREN)
        parse_as_condition(p, kid);
}
