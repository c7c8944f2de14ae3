// The command lines of other programs: words, quotes, placeholders.
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/game/game.h"
#include "runtime/search/input.h"
#include "runtime/value/memory.h"

// ---- words ------------------------------------------------------------------------------------------------

// Copies the next word without its quotes: '…' as it is, "…" and bare text with `\` before a character. NULL: no more; *open: a
// quote is not closed.
static char *take_word(const char **text, bool *open)
{
    const char *from = *text + strspn(*text, " \t\n");
    if (!*from)
        return NULL;
    char *word = memory_new(strlen(from) + 1), *to = word, quote = 0;
    for (; *from && (quote || !strchr(" \t\n", *from)); from++) {
        if (!quote && (*from == '\'' || *from == '"'))
            quote = *from;
        else if (quote && *from == quote)
            quote = 0;
        else if (*from == '\\' && quote != '\'' && from[1])
            *to++ = *++from;
        else
            *to++ = *from;
    }
    *to = 0;
    *open = quote != 0;
    *text = from;
    return word;
}

static bool split(Competitor *r, const char *text)
{
    size_t capacity = 0, count = 0;
    bool open = false;
    char *word;
    do {
        word = take_word(&text, &open);
        MEMORY_PUSH(r->word, count, capacity, word);
    } while (word);
    return !open;
}

// ---- placeholders -----------------------------------------------------------------------------------------

static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

// The first placeholder in the text, a name of small letters in braces, or NULL; its length with the braces.
static const char *find_placeholder(const char *text, size_t *length)
{
    for (const char *brace = text; (brace = strchr(brace, '{')); brace++) {
        const size_t name = strspn(brace + 1, letters);
        *length = name + 2;
        if (name > 0 && brace[name + 1] == '}')
            return brace;
    }
    return NULL;
}

static bool is_named(const char *placeholder, size_t length, const char *name)
{
    return length == strlen(name) + 2 && strncmp(placeholder + 1, name, length - 2) == 0;
}

// Notes the placeholders of a word; a message about one that is unknown, or NULL.
static char *note_placeholders(Competitor *r, const char *word)
{
    const struct {
        const char *name;
        bool *has;
    } known[] = {{"games", &r->games},
                 {"database", &r->database},
                 {"out", &r->out},
                 {"threads", &r->threads},
                 {"query", &r->query}};
    enum { KNOWN = sizeof known / sizeof *known };
    size_t length;
    for (const char *at = word; (at = find_placeholder(at, &length)); at += length) {
        size_t i = 0;
        while (i < KNOWN && !is_named(at, length, known[i].name))
            i++;
        if (i == KNOWN)
            return memory_format(
                "unknown placeholder `%.*s`; the placeholders are {games}, {database}, {query}, "
                "{out} and {threads}",
                (int)length, at);
        *known[i].has = true;
        if (strpbrk(word, " \t\n|&;<>()$`\"'\\"))
            return memory_format("`%.*s` is part of a text for a shell, where a file name could be read as a "
                                 "command; pass it as a word: sh -c 'PROGRAM \"$1\"' sh %.*s",
                                 (int)length, at, (int)length, at);
    }
    return NULL;
}

static char *check_command(Competitor *r)
{
    char *wrong = NULL;
    for (int i = 0; r->word[i] && !wrong; i++)
        wrong = note_placeholders(r, r->word[i]);
    if (!wrong && !r->word[0])
        wrong = memory_format("expected a command, such as 'cql -i {games} -o {out} {query}'");
    if (!wrong && !r->games && !r->database)
        wrong =
            memory_format("the command has no {games} and no {database}, so it cannot know what to search");
    if (!wrong && r->games && r->database)
        wrong = memory_format("the command has both {games} and {database}; compare with two commands");
    return wrong;
}

// ---- the command ------------------------------------------------------------------------------------------

char *competitor_open(Competitor *r, const char *text)
{
    const size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");
    const bool named = length > 0 && text[length] == '=';
    *r = (Competitor){0};
    const bool closed = split(r, named ? text + length + 1 : text);
    const char *program = r->word[0] ? r->word[0] : "", *slash = strrchr(program, '/');
    r->name = named ? memory_copy(text, length) : memory_format("%s", slash ? slash + 1 : program);
    return closed ? check_command(r) : memory_format("a quote is not closed");
}

void competitor_close(Competitor *r)
{
    free(r->name);
    competitor_free_words(r->word);
    *r = (Competitor){0};
}

// The word with values in place of its placeholders.
static char *fill(const char *word, const CompetitorValues *v)
{
    Buffer text = {0};
    const char *at;
    size_t length;
    for (; (at = find_placeholder(word, &length)); word = at + length) {
        buffer_append(&text, word, (size_t)(at - word));
        if (is_named(at, length, "threads"))
            buffer_format(&text, "%d", v->threads);
        else
            buffer_text(&text, is_named(at, length, "query") ? v->query
                               : is_named(at, length, "out") ? v->out
                                                             : v->input);
    }
    buffer_text(&text, word);
    char *filled = memory_copy(text.start ? text.start : "", text.length);
    buffer_free(&text);
    return filled;
}

char **competitor_words(const Competitor *r, const CompetitorValues *values)
{
    size_t count = 0;
    while (r->word[count])
        count++;
    char **word = memory_zeroed(count + 1, sizeof *word);
    for (size_t i = 0; i < count; i++)
        word[i] = fill(r->word[i], values);
    return word;
}

void competitor_free_words(char **word)
{
    for (size_t i = 0; word && word[i]; i++)
        free(word[i]);
    free(word);
}

// ---- what it has found ------------------------------------------------------------------------------------

int64_t bench_count_games(const char *path)
{
    InputFile *file = input_open(path, NULL);
    if (!file)
        return 0;
    PgnSplitter *splitter = pgn_split_open(input_read, file, NULL, NULL);
    GameText game;
    int64_t count = 0;
    while (pgn_split_next(splitter, &game))
        count++;
    pgn_split_close(splitter);
    input_close(file);
    return count;
}
