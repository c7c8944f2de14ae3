// The `hhdb` filters (language reference 9.7).
#include "parser.h"

#include <string.h>

#include "compiler/language/hhdb.h"

// ---- awards -----------------------------------------------------------------------------------------------

static const HhdbWord *award_word(const Parser *p, const Token *t)
{
    if (t->kind != TOKEN_IDENTIFIER && t->kind != TOKEN_WORD)
        return NULL;
    const HhdbWord *word = hhdb_find(t->bytes, 1 << HHDB_KIND | 1 << HHDB_FLAG);
    return word != NULL && word->cqli && !own(p)->cqli ? NULL : word;
}

// award-word { award-word }
static void parse_award(Parser *p, Ast *node)
{
    bool typed = false;
    const Token *last = NULL;
    for (const HhdbWord *word; (word = award_word(p, parse_peek(p))) != NULL;) {
        last = parse_next(p);
        if (word->place == HHDB_FLAG) {
            if (node->high & word->value)
                parse_fail(p, last->span, "`%s` is given twice in one `hhdb`", last->bytes);
            node->high |= word->value;
            continue;
        }
        if (typed)
            parse_fail(p, last->span, "`hhdb` takes one kind of award");
        typed = true;
        node->low = word->value;
    }
    node->number = HHDB_AWARD;
    node->type = TYPE_INT;
    if (!(node->high & AWARD_SORT))
        return;
    if (node->high & AWARD_MAX)
        parse_fail(p, last->span, "`hhdb sort` cannot be combined with `max`");
    if (award_word(p, last)->value == AWARD_SORT || (!typed && !(node->high & AWARD_SPECIAL)))
        parse_fail(p, last->span, "the kind of award must follow `hhdb sort`");
}

// ---- hhdb -------------------------------------------------------------------------------------------------

static _Noreturn void fail_key(Parser *p)
{
    const char **names = arena_alloc(p->arena, hhdb_word_count * sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < hhdb_word_count; i++)
        if (hhdb_words[i].place == HHDB_KEY && (own(p)->cqli || !hhdb_words[i].cqli))
            names[count++] = hhdb_words[i].word;
    parse_fail_word(p, "a key of `hhdb`", names, count);
}

static const HhdbWord *parse_key(Parser *p)
{
    const Token *t = parse_peek(p);
    bool quoted = parse_is_quoted(p, t);
    if (!quoted && t->kind != TOKEN_IDENTIFIER && t->kind != TOKEN_WORD)
        fail_key(p);
    const HhdbWord *key = hhdb_find(t->bytes, 1 << HHDB_KEY);
    if (key == NULL)
        fail_key(p);
    if (quoted && hhdb_is_plain(key))
        parse_fail(p, t->span, "the key `%s` of `hhdb` must be written without quotes", key->word);
    if (key->variations && !own(p)->variations)
        parse_fail(p, t->span,
                   "%s of `hhdb` has a meaning only when variations are searched; write `variations` in "
                   "the header",
                   parse_text(p, t));
    parse_next(p);
    if (key->cqli)
        parse_accept_cqli(p, t->span, arena_printf(p->arena, "`hhdb %s`", key->word));
    return key;
}

// "hhdb" ( award-word { award-word } | key [ quoted ] | "gbr" [ part ] [ quoted ] )
Ast *parse_hhdb(Parser *p)
{
    Ast *node = parse_node(p, OP_HHDB, TYPE_BOOL, parse_next(p)->span);
    if (award_word(p, parse_peek(p)) != NULL) {
        parse_award(p, node);
        return node;
    }
    const HhdbWord *key = parse_key(p);
    const Token *t = parse_peek(p);
    if (key->value == HHDB_GBR && t->kind == TOKEN_IDENTIFIER) {
        const HhdbWord *part = hhdb_find(t->bytes, 1 << HHDB_PART);
        if (part != NULL) {
            key = part;
            parse_next(p);
        }
    }
    node->number = key->value;
    node->type = key->type;
    if (key->text != NULL) {
        node->text = key->text;
        node->text_length = (uint32_t)strlen(key->text);
    }
    if (key->type == TYPE_STRING)
        parse_search(p, node);
    return node;
}

// "cql_hhdbhascook"
void finish_has_cook(Parser *p, Ast *node, const Token *word)
{
    (void)p, (void)word;
    node->op = OP_HHDB;
    node->number = HHDB_COOKED;
}
