// `cqlgen examples`: lists and prints the shipped queries; the option --example.
#include "examples.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/search/search.h"
#include "runtime/value/memory.h"
#include "cli.h"

const Example *example_find(const char *name)
{
    const size_t length = strlen(name) - query_ending(name);
    for (int i = 0; i < example_count; i++)
        if (strlen(example_list[i].name) == length && strncmp(name, example_list[i].name, length) == 0)
            return &example_list[i];
    return NULL;
}

static const char *nearest_example(const char *word)
{
    const char **names = memory_zeroed((size_t)example_count, sizeof *names);
    for (int i = 0; i < example_count; i++)
        names[i] = example_list[i].name;
    const char *near = nearest_name(word, strlen(word), names, (size_t)example_count);
    for (int i = 0; i < example_count && !near; i++)
        near = strlen(word) > 4 && strncmp(names[i], word, 5) == 0 ? names[i] : NULL;
    free(names);
    return near;
}

const Example *example_wanted(const char *name)
{
    const Example *example = example_find(name);
    const char *near = example ? NULL : nearest_example(name);
    if (near)
        complain(NULL, "no example is named `%s`; did you mean `%s`?", name, near);
    else if (!example)
        complain(NULL, "no example is named `%s`; `cqlgen examples` lists them", name);
    return example;
}

const Example *example_of_file(const char *file)
{
    const size_t length = strlen(EXAMPLE_FOLDER);
    return strncmp(file, EXAMPLE_FOLDER, length) == 0 ? example_find(file + length) : NULL;
}

void example_print_names(FILE *out)
{
    for (int i = 0; i < example_count; i++)
        fprintf(out, "%s ", example_list[i].name);
}

// ---- the list ---------------------------------------------------------------------------------------------

enum { NAME_WIDTH = 25 };

// The length of the comment lines at the beginning of the query.
static size_t comment_length(const char *text)
{
    const char *end = text;
    while (strncmp(end, "//", 2) == 0)
        end += strcspn(end, "\n") + 1;
    return (size_t)(end - text);
}

// What people call what the queries name otherwise; a word may have several rows.
static const struct {
    const char *word, *shown;
} synonyms[] = {{"bridge", "lucena"},
                {"castle", "castling"},
                {"checkmate", "mate"},
                {"decoy", "deflection"},
                {"elo", "rating"},
                {"en prise", "hanging"},
                {"endgame", "ending"},
                {"endgame", "endings"},
                {"flag", "time"},
                {"intermezzo", "zwischenzug"},
                {"iqp", "isolated"},
                {"isolani", "isolated"},
                {"loose", "hanging"},
                {"miniature", "shortest"},
                {"mistake", "blunder"},
                {"passer", "passed"},
                {"pressure", "trouble"},
                {"promote", "promotion"},
                {"queening", "promotion"},
                {"repeat", "repetition"},
                {"sac", "sacrifice"},
                {"seesaw", "windmill"},
                {"swindle", "stalemate-trap"},
                {"tactic", "combinations"},
                {"theoretical novelty", "novelty"},
                {"tn", "novelty"},
                {"variation", "opening"},
                {"zeitnot", "time"}};

static bool has_word(const Example *example, const char *comment, const char *word)
{
    return strcasestr(example->name, word) || strcasestr(comment, word) ||
           strcasecmp(example->subject, word) == 0;
}

// The word, in the singular or plural, or a synonym.
static bool has_meaning(const Example *example, const char *comment, const char *word)
{
    bool found = has_word(example, comment, word);
    const size_t length = strlen(word);
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms && !found; i++) {
        const size_t same = strlen(synonyms[i].word);
        const bool plural = length == same + 1 && (word[same] == 's' || word[same] == 'S');
        found = (length == same || plural) && strncasecmp(synonyms[i].word, word, same) == 0 &&
                has_word(example, comment, synonyms[i].shown);
    }
    return found;
}

// The words together, or each of them.
static bool mentions(const Example *example, const char *words)
{
    char *comment = memory_format("%.*s", (int)comment_length(example->text), example->text);
    char *each = memory_format("%s", words), *rest = NULL;
    bool found = has_meaning(example, comment, words), all = strchr(words, ' ') != NULL;
    for (char *word = strtok_r(each, " ", &rest); word && all; word = strtok_r(NULL, " ", &rest))
        all = has_meaning(example, comment, word);
    free(comment);
    free(each);
    return found || all;
}

bool example_mentioned(const char *word)
{
    for (int i = 0; i < example_count; i++)
        if (mentions(&example_list[i], word))
            return true;
    return false;
}

// Lists the examples that mention the word, by subject; false when there are none.
static bool list(const char *word)
{
    const char *subject = NULL;
    for (int i = 0; i < example_count; i++) {
        const Example *e = &example_list[i];
        if (!mentions(e, word))
            continue;
        if (!subject || strcmp(subject, e->subject) != 0)
            printf("%s%s\n", subject ? "\n" : "", e->subject);
        const char *title = e->text + strspn(e->text, "/ ");
        printf("  %-*s %.*s\n", NAME_WIDTH, e->name, (int)strcspn(title, "\n"), title);
        subject = e->subject;
    }
    return subject != NULL;
}

int command_examples(int count, char **argument)
{
    Arguments a;
    if (!read_arguments(&a, COMMAND_EXAMPLES, NULL, NULL, count, argument))
        return STATUS_QUERY;
    if (a.word_count == 0)
        list("");
    int status = STATUS_OK;
    for (int i = 0; i < a.word_count; i++) {
        const Example *example = example_find(a.words[i]);
        if (example)
            fputs(example->text, stdout);
        else if (!list(a.words[i])) {
            fflush(stdout);
            const char *near = nearest_example(a.words[i]);
            complain(NULL,
                     near ? "no example mentions `%s`; did you mean `%s`?"
                          : "no example mentions `%s`; `cqlgen examples` lists all",
                     a.words[i], near);
            status = STATUS_QUERY;
        }
    }
    return status;
}
