// Reads the command line of cqlgen.
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { C = COMMAND_COMPILE, S = COMMAND_SEARCH, E = COMMAND_EXPLAIN, V = COMMAND_CONVERT };

const OptionInfo option_info[OPTION_COUNT] = {
#define OPTION(id, name, letter, argument, commands, help) {name, letter, argument, commands, help},
#include "options.def"
};

static const OptionInfo *find_option(const char *word, size_t length, unsigned command)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const OptionInfo *o = &option_info[i];
        bool named = word[1] == '-'
                         ? strlen(o->name) == length - 2 && strncmp(o->name, word + 2, length - 2) == 0
                         : length == 2 && o->letter == word[1];
        if (named && (o->commands & command))
            return o;
    }
    return NULL;
}

static bool complain_of_unknown(const char *word, size_t length, unsigned command)
{
    const unsigned every = COMMAND_COMPILE | COMMAND_SEARCH | COMMAND_EXPLAIN | COMMAND_CONVERT;
    if (find_option(word, length, every)) {
        fprintf(stderr, "cqlgen: option `%.*s` cannot be used here; see `cqlgen help %.*s`\n", (int)length,
                word, (int)length, word);
        return false;
    }
    const char *names[OPTION_COUNT];
    size_t count = 0;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_info[i].commands & command)
            names[count++] = option_info[i].name;
    const char *near = length > 2 ? nearest_name(word + 2, length - 2, names, count) : NULL;
    if (near)
        fprintf(stderr, "cqlgen: unknown option `%s`; did you mean `--%s`?\n", word, near);
    else
        fprintf(stderr, "cqlgen: unknown option `%s`; see `cqlgen help`\n", word);
    return false;
}

static bool complain(const char *format, const char *word)
{
    fputs("cqlgen: ", stderr);
    fprintf(stderr, format, word);
    fputs("; see `cqlgen help`\n", stderr);
    return false;
}

// Keeps the words and then the expressions at the front of the argument array, in place of the options
// already read.
static void keep_word(Arguments *a, char **argument, char *word)
{
    char **expressions = argument + a->word_count;
    memmove(expressions + 1, expressions, (size_t)a->expression_count * sizeof *expressions);
    *expressions = word;
    a->word_count++;
}

// Takes the option argument[*at]; `-j4`, `-j 4`, `--threads 4` and `--threads=4` are the same.
static bool take_option(Arguments *a, unsigned command, int count, char **argument, int *at)
{
    char *word = argument[*at];
    bool is_long = word[1] == '-';
    char *equals = is_long ? strchr(word, '=') : NULL;
    size_t length = equals ? (size_t)(equals - word) : is_long ? strlen(word) : 2;
    const OptionInfo *o = find_option(word, length, command);
    if (!o)
        return complain_of_unknown(word, length, command);
    char *value = equals ? equals + 1 : !is_long && word[2] ? word + 2 : NULL;
    if (!o->argument && value)
        return complain("option `%s` takes no argument", word);
    if (o->argument && !value) {
        if (*at + 1 >= count)
            return complain("option `%s` needs an argument", word);
        value = argument[++*at];
    }
    size_t id = (size_t)(o - option_info);
    if (id == OPTION_EXPRESSION)
        argument[a->word_count + a->expression_count++] = value;
    else if (a->option[id])
        return complain("option `%s` is given twice", word);
    a->option[id] = value ? value : "";
    return true;
}

bool read_arguments(Arguments *a, unsigned command, int count, char **argument)
{
    *a = (Arguments){0};
    bool options = true;
    for (int i = 0; i < count; i++) {
        char *word = argument[i];
        if (options && strcmp(word, "--") == 0)
            options = false;
        else if (options && word[0] == '-' && word[1]) {
            if (!take_option(a, command, count, argument, &i))
                return false;
        } else
            keep_word(a, argument, word);
    }
    if (a->option[OPTION_VARIATIONS] && a->option[OPTION_MAINLINE])
        return complain("option `%s` cannot be used with `--mainline`", "--variations");
    a->words = (const char *const *)argument;
    a->expressions = (const char *const *)argument + a->word_count;
    return true;
}

bool read_number(const char *option, const char *text, int64_t low, int64_t high, int64_t *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end || errno || number < low || number > high) {
        fprintf(stderr, "cqlgen: option `--%s` needs a whole number from %lld to %lld, not `%s`\n", option,
                (long long)low, (long long)high, text);
        return false;
    }
    *value = number;
    return true;
}

bool read_games(const char *text, int64_t *first, int64_t *last)
{
    const char *dash = strchr(text, '-');
    char low[24];
    size_t length = dash ? (size_t)(dash - text) : strlen(text);
    *first = *last = 0;
    if (length >= sizeof low || (length == 0 && !(dash && dash[1]))) {
        fprintf(stderr, "cqlgen: option `--games` needs numbers A-B, not `%s`\n", text);
        return false;
    }
    memcpy(low, text, length);
    low[length] = 0;
    if (length > 0 && !read_number("games", low, 1, INT32_MAX, first))
        return false;
    if (!dash)
        *last = *first;
    else if (dash[1] && !read_number("games", dash + 1, 1, INT32_MAX, last))
        return false;
    if (*last > 0 && *last < *first)
        fprintf(stderr, "cqlgen: option `--games`: %lld is less than %lld\n", (long long)*last,
                (long long)*first);
    return *last == 0 || *last >= *first;
}

bool colour_wanted(void)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && !(no_colour && *no_colour) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}
