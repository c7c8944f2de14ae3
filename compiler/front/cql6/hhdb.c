// The `hhdb` filters (language reference 9.7).
#include "compiler/front/cqli/cqli.h"
#include "parser.h"

#include "compiler/language/hhdb.h"

#include <string.h>

typedef struct Key {
    const char *word;
    int hhdb; // enum Hhdb
    Type type;
    const char *text; // HHDB_CODE, HHDB_TEXT_HERE: what is looked for
    bool variations;  // means nothing unless variations are searched
} Key;

static const Key keys[] = {{"(c)", HHDB_CODE, TYPE_BOOL, "(c)", false},
                           {"correction", HHDB_CODE, TYPE_BOOL, "(c)", false},
                           {"(m)", HHDB_CODE, TYPE_BOOL, "(m)", false},
                           {"modification", HHDB_CODE, TYPE_BOOL, "(m)", false},
                           {"(s)", HHDB_CODE, TYPE_BOOL, "(s)", false},
                           {"corrected_solution", HHDB_CODE, TYPE_BOOL, "(s)", false},
                           {"(v)", HHDB_CODE, TYPE_BOOL, "(v)", false},
                           {"version", HHDB_CODE, TYPE_BOOL, "(v)", false},
                           {"AN", HHDB_CODE, TYPE_BOOL, "AN", false},
                           {"anticipation", HHDB_CODE, TYPE_BOOL, "AN", false},
                           {"CR", HHDB_CODE, TYPE_BOOL, "CR", false},
                           {"colors_reversed", HHDB_CODE, TYPE_BOOL, "CR", false},
                           {"MC", HHDB_CODE, TYPE_BOOL, "MC", false},
                           {"too_many_composers", HHDB_CODE, TYPE_BOOL, "MC", false},
                           {"PH", HHDB_CODE, TYPE_BOOL, "PH", false},
                           {"posthumous", HHDB_CODE, TYPE_BOOL, "PH", false},
                           {"TE", HHDB_CODE, TYPE_BOOL, "TE", false},
                           {"theoretical_ending", HHDB_CODE, TYPE_BOOL, "TE", false},
                           {"TT", HHDB_CODE, TYPE_BOOL, "TT", false},
                           {"theme_tournament", HHDB_CODE, TYPE_BOOL, "TT", false},
                           {"theme_tourney", HHDB_CODE, TYPE_BOOL, "TT", false},
                           {"TW", HHDB_CODE, TYPE_BOOL, "TW", false},
                           {"twin", HHDB_CODE, TYPE_BOOL, "TW", false},
                           {"U1", HHDB_CODE, TYPE_BOOL, "U1", false},
                           {"dual_at_move_1", HHDB_CODE, TYPE_BOOL, "U1", false},
                           {"U2", HHDB_CODE, TYPE_BOOL, "U2", false},
                           {"dual_after_move_1", HHDB_CODE, TYPE_BOOL, "U2", false},
                           {"U3", HHDB_CODE, TYPE_BOOL, "U3", false},
                           {"white_fails", HHDB_CODE, TYPE_BOOL, "U3", false},
                           {"U4", HHDB_CODE, TYPE_BOOL, "U4", false},
                           {"white_wins_in_draw", HHDB_CODE, TYPE_BOOL, "U4", false},
                           {"U5", HHDB_CODE, TYPE_BOOL, "U5", false},
                           {"unreachable", HHDB_CODE, TYPE_BOOL, "U5", false},
                           {"cooked", HHDB_COOKED, TYPE_BOOL, NULL, false},
                           {"<cook>", HHDB_COOK_HERE, TYPE_BOOL, NULL, false},
                           {"<minor_dual>", HHDB_MINOR_DUAL_HERE, TYPE_BOOL, NULL, false},
                           {"<eg>", HHDB_TEXT_HERE, TYPE_BOOL, "<eg>", false},
                           {"<main>", HHDB_TEXT_HERE, TYPE_BOOL, "<main>", true},
                           {"<or>", HHDB_TEXT_HERE, TYPE_BOOL, "<or>", true},
                           {"dual", HHDB_DUAL, TYPE_BOOL, NULL, false},
                           {"sound", HHDB_SOUND, TYPE_BOOL, NULL, false},
                           {"unsound", HHDB_UNSOUND, TYPE_BOOL, NULL, false},
                           {"mainline", HHDB_MAINLINE, TYPE_BOOL, NULL, true},
                           {"variation", HHDB_VARIATION, TYPE_BOOL, NULL, true},
                           {"composer", HHDB_COMPOSER, TYPE_STRING, NULL, false},
                           {"firstcomment", HHDB_FIRSTCOMMENT, TYPE_STRING, NULL, false},
                           {"stipulation", HHDB_STIPULATION, TYPE_STRING, NULL, false},
                           {"diagram", HHDB_DIAGRAM, TYPE_STRING, NULL, false},
                           {"egdiagram", HHDB_EGDIAGRAM, TYPE_INT, NULL, false},
                           {"search", HHDB_SEARCH, TYPE_STRING, NULL, false},
                           {"gbr", HHDB_GBR, TYPE_STRING, NULL, false}};

static const Key parts[] = {{"material", HHDB_GBR_MATERIAL, TYPE_STRING, NULL, false},
                            {"pieces", HHDB_GBR_PIECES, TYPE_STRING, NULL, false},
                            {"pawns", HHDB_GBR_PAWNS, TYPE_STRING, NULL, false},
                            {"kings", HHDB_GBR_KINGS, TYPE_STRING, NULL, false}};

static const Key *find_key(const Key *table, size_t count, const Token *t)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].word, t->bytes) == 0)
            return &table[i];
    return NULL;
}

// ---- awards -----------------------------------------------------------------------------------------------

enum { WORD_SPECIAL = 100, WORD_MAX, WORD_SORT }; // behind the types of enum AWARD_

static const struct {
    const char *word;
    int value;
} awards[] = {{"award", AWARD_ANY},      {"prize", AWARD_PRIZE},
              {"hm", AWARD_HM},          {"commendation", AWARD_COMMENDATION},
              {"special", WORD_SPECIAL}, {"max", WORD_MAX},
              {"sort", WORD_SORT}};

// AWARD_ or WORD_ of a token, or -1.
static int award_word(const Token *t)
{
    if (t->kind != TOKEN_IDENTIFIER && t->kind != TOKEN_WORD)
        return -1;
    for (size_t i = 0; i < sizeof awards / sizeof *awards; i++)
        if (strcmp(awards[i].word, t->bytes) == 0)
            return awards[i].value;
    return -1;
}

static void add_award_flag(Parser *p, Ast *node, int flag, const Token *t)
{
    if (node->high & flag)
        parse_fail(p, t->span, "`%s` stands twice in one `hhdb`", t->bytes);
    node->high |= flag;
}

// award-word { award-word }
static void parse_award(Parser *p, Ast *node)
{
    bool typed = false;
    const Token *last = NULL;
    for (int word; (word = award_word(parse_peek(p))) >= 0;) {
        last = parse_next(p);
        if (word == WORD_SPECIAL || word == WORD_MAX || word == WORD_SORT) {
            add_award_flag(p, node,
                           word == WORD_SPECIAL ? AWARD_SPECIAL
                           : word == WORD_MAX   ? AWARD_MAX
                                                : AWARD_SORT,
                           last);
            continue;
        }
        if (typed)
            parse_fail(p, last->span, "`hhdb` takes one kind of award");
        typed = true;
        node->low = word;
    }
    node->number = HHDB_AWARD;
    node->type = TYPE_INT;
    if (!(node->high & AWARD_SORT))
        return;
    if (node->high & AWARD_MAX)
        parse_fail(p, last->span, "`hhdb sort` cannot be combined with `max`");
    if (strcmp(last->bytes, "sort") == 0 || (!typed && !(node->high & AWARD_SPECIAL)))
        parse_fail(p, last->span, "the kind of award must follow `hhdb sort`");
}

// ---- hhdb -------------------------------------------------------------------------------------------------

static bool is_plain_word(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '(' || *text == '<')
            return false;
    return true;
}

const char *hhdb_word(size_t i, bool *takes_text, bool *plain)
{
    const size_t key_count = sizeof keys / sizeof *keys, part_count = sizeof parts / sizeof *parts;
    const Key *key = i < key_count ? &keys[i] : i < key_count + part_count ? &parts[i - key_count] : NULL;
    const size_t award = i - key_count - part_count;
    const char *word = key ? key->word : award < sizeof awards / sizeof *awards ? awards[award].word : NULL;
    *takes_text = key && key->type == TYPE_STRING;
    *plain = word && is_plain_word(word);
    return word;
}

static _Noreturn void fail_key(Parser *p)
{
    const char *names[sizeof keys / sizeof *keys];
    size_t count = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        names[count++] = keys[i].word;
    parse_fail_word(p, "a key of `hhdb`", names, count);
}

static const Key *parse_key(Parser *p)
{
    const Token *t = parse_peek(p);
    bool quoted = parse_is_quoted(p, t);
    if (!quoted && t->kind != TOKEN_IDENTIFIER && t->kind != TOKEN_WORD)
        fail_key(p);
    const Key *key = find_key(keys, sizeof keys / sizeof *keys, t);
    if (key == NULL && own(p)->cqli)
        cqli_refuse_hhdb_key(p, t);
    if (key == NULL)
        fail_key(p);
    if (quoted && is_plain_word(key->word))
        parse_fail(p, t->span, "the key `%s` of `hhdb` must be written without quotes", key->word);
    if (key->variations && !own(p)->variations)
        parse_fail(p, t->span,
                   "`hhdb %s` means something only when variations are searched; write `variations` in "
                   "the header",
                   parse_text(p, t));
    parse_next(p);
    return key;
}

// "hhdb" ( award-word { award-word } | key [ quoted ] | "gbr" [ part ] [ quoted ] )
Ast *parse_hhdb(Parser *p)
{
    Ast *node = parse_node(p, OP_HHDB, TYPE_BOOL, parse_next(p)->span);
    if (award_word(parse_peek(p)) >= 0) {
        parse_award(p, node);
        return node;
    }
    const Key *key = parse_key(p);
    const Token *t = parse_peek(p);
    if (key->hhdb == HHDB_GBR && t->kind == TOKEN_IDENTIFIER) {
        const Key *part = find_key(parts, sizeof parts / sizeof *parts, t);
        if (part != NULL) {
            key = part;
            parse_next(p);
        }
    }
    node->number = key->hhdb;
    node->type = key->type;
    if (key->text != NULL) {
        node->text = key->text;
        node->text_length = (uint32_t)strlen(key->text);
    }
    if (key->type == TYPE_STRING)
        parse_search(p, node);
    return node;
}
