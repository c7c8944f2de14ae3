// Reads command lines by the table of options.
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/chess/variant.h"
#include "runtime/game/game.h"
#include "compiler/front/cql6/cql6.h"
#include "compiler/language/hhdb.h"
#include "cli.h"
#include "examples.h"

// ---- unknown options --------------------------------------------------------------------------------------

// The long name of an option of the command that is most like the word; NULL: none is. `memory` keeps it.
enum { NAME_SIZE = 32 };
static const char *nearest_option(CommandId command, const char *word, size_t length,
                                  char memory[2 * OPTION_COUNT][NAME_SIZE])
{
    const char *all[2 * OPTION_COUNT];
    size_t count = 0;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const char *names = option_info[i].names, *name;
        for (int bytes; (option_info[i].commands & 1U << command) && (name = next_name(&names, &bytes));) {
            snprintf(memory[count], NAME_SIZE, "%.*s", bytes, name);
            all[count] = memory[count];
            count += bytes > 1;
        }
    }
    return nearest_name(word, length, all, count);
}

static bool complain_of_unknown(const Arguments *a, const char *word, size_t length)
{
    const Style style = command_info[a->command].style;
    char memory[2 * OPTION_COUNT][NAME_SIZE];
    const char *name = word + strspn(word, "-");
    const size_t dashes = (size_t)(name - word);
    const char *near = nearest_option(a->command, name, length - dashes, memory);
    if (style == STYLE_DASH) {
        print_command(stdout, a->command);
        fflush(stdout);
    }
    for (CommandId other = 0; style == STYLE_LONG && other < COMMAND_COUNT; other++)
        if (command_info[other].style == style && find_option(other, word, NULL) != OPTION_COUNT)
            return complain(NULL, "option `%.*s` cannot be used here; see `cqlgen help %.*s`", (int)length,
                            word, (int)length, word);
    const Console *console = a->command == COMMAND_CQLI ? a->console : NULL;
    if (near)
        complain(console, "unknown option `%s`; did you mean `%s%s`?", word, option_dashes(style, 2), near);
    else
        complain(console, "unknown option `%s`; see `cqlgen %s%s`", word,
                 style == STYLE_DASH ? command_info[a->command].name : "help",
                 style == STYLE_DASH ? " -help" : "");
    return a->console && a->console->gui && complain(a->console, "unknown option `%s`", word);
}

// ---- values -----------------------------------------------------------------------------------------------

// Each message names the option as written, without a value that is attached.
static bool complain_of_value(const Arguments *a, const char *option, const char *wanted, const char *value)
{
    return complain(a->console, "option `%.*s` needs %s, not `%s`", (int)strcspn(option, "="), option, wanted,
                    value);
}

static bool is_number(const char *text)
{
    text += *text == '-';
    return *text && strspn(text, "0123456789") == strlen(text);
}

static bool read_number(const Arguments *a, OptionId id, const char *option, const char *text, int64_t *value)
{
    const OptionInfo *o = &option_info[id];
    char wanted[80];
    errno = 0;
    *value = is_number(text) ? strtoll(text, NULL, 10) : LLONG_MIN;
    if (!errno && *value >= o->least && *value <= o->most)
        return true;
    snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)o->least,
             (long long)o->most);
    return complain_of_value(a, option, wanted, text);
}

static bool check_order(const Arguments *a, OptionId id, const char *option)
{
    return a->low[id] <= a->high[id] || a->high[id] == 0 ||
           complain(a->console, "option `%.*s`: %lld is less than %lld", (int)strcspn(option, "="), option,
                    (long long)a->high[id], (long long)a->low[id]);
}

// `A-B`, `A-`, `-B` or `A`; 0 means no bound.
static bool read_span(Arguments *a, OptionId id, const char *option, const char *text)
{
    const char *dash = strchr(text, '-');
    char low[24];
    const size_t length = dash ? (size_t)(dash - text) : strlen(text);
    a->low[id] = a->high[id] = 0;
    if (length >= sizeof low || (length == 0 && !(dash && dash[1])))
        return complain_of_value(a, option, "numbers A-B", text);
    snprintf(low, sizeof low, "%.*s", (int)length, text);
    if (length > 0 && !read_number(a, id, option, low, &a->low[id]))
        return false;
    if (!dash)
        a->high[id] = a->low[id];
    else if (dash[1] && !read_number(a, id, option, dash + 1, &a->high[id]))
        return false;
    return check_order(a, id, option);
}

// `K/N` with K from 1 to N.
static bool read_part(Arguments *a, OptionId id, const char *option, const char *text)
{
    long long part, parts;
    int length = 0;
    const bool good = strspn(text, "0123456789/") == strlen(text) &&
                      sscanf(text, "%10lld/%10lld%n", &part, &parts, &length) == 2 && !text[length];
    if (!good || part < 1 || part > parts || parts > INT32_MAX)
        return complain_of_value(a, option, "K/N, the number of a part from 1 to N and the number N of parts",
                                 text);
    a->low[id] = part;
    a->high[id] = parts;
    return true;
}

static bool check_choice(const Arguments *a, OptionId id, const char *option, const char *value)
{
    char choices[256], wanted[300];
    int length;
    option_choices(id, choices, sizeof choices);
    for (const char *names = choices, *name; (name = next_name(&names, &length));)
        if (strlen(value) == (size_t)length && strncmp(name, value, (size_t)length) == 0)
            return true;
    snprintf(wanted, sizeof wanted, "one of %s", choices);
    return complain_of_value(a, option, wanted, value);
}

// ---- options that add filters -----------------------------------------------------------------------------

static bool add_filter(Arguments *a, const char *option, const char *text, const char *string)
{
    const AddedFilter filter = {option, text, string};
    ARENA_PUSH(a->arena, a->filter, a->filter_count, filter);
    return true;
}

static bool take_assign(Arguments *a, const char *option, const char *name, const char *value)
{
    if (!*name ||
        strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$") != strlen(name))
        return complain_of_value(a, option, "a name of letters, digits, `_` and `$`", name);
    if (is_number(value))
        return add_filter(a, option, arena_printf(a->arena, "%s=%s", name, value), NULL);
    return add_filter(a, option, arena_printf(a->arena, "%s=\"\"", name), value);
}

static bool take_similar(Arguments *a, int count, char **argument, int *at)
{
    const char *option = argument[*at], *words = "";
    while (*at + 1 < count && (strcasecmp(argument[*at + 1], "nosort") == 0 ||
                               strcasecmp(argument[*at + 1], "notransform") == 0))
        words = arena_printf(a->arena, "%s %s", words,
                             strcasecmp(argument[++*at], "nosort") == 0 ? "nosort" : "notransform");
    if (*at + 1 >= count)
        return complain(a->console, "option `%s` needs the name of a PGN file", option);
    return add_filter(a, option, arena_printf(a->arena, "similarposition%s \"\"", words), argument[++*at]);
}

// Takes the words of -hhdb and writes the filter; *wants_text: a string may follow the last one. Returns the
// number of words.
static int take_hhdb_words(Arguments *a, int count, char **argument, int *at, const char **filter,
                           bool *wants_text)
{
    int words = 0;
    const unsigned places = 1 << HHDB_KEY | 1 << HHDB_PART | 1 << HHDB_KIND | 1 << HHDB_FLAG;
    const HhdbWord *word;
    *filter = "hhdb";
    *wants_text = false;
    for (; *at + 1 < count && (word = hhdb_find(argument[*at + 1], places)); words++) {
        const char *quote = hhdb_is_plain(word) ? "" : "\"";
        *filter = arena_printf(a->arena, "%s %s%s%s", *filter, quote, argument[++*at], quote);
        *wants_text = word->type == TYPE_STRING;
    }
    return words;
}

// -hhdb WORD { WORD } [ TEXT ]. The option takes all words of the filter; the argument after one that takes a
// string is that string, unless it is an option or the name of a query.
static bool take_hhdb(Arguments *a, int count, char **argument, int *at)
{
    const char *option = argument[*at], *first = *at + 1 < count ? argument[*at + 1] : "", *filter;
    bool wants_text;
    a->hhdb_help = strcasecmp(first, "help") == 0 || strcasecmp(first, "info") == 0;
    if (a->hhdb_help)
        return true;
    if (take_hhdb_words(a, count, argument, at, &filter, &wants_text) == 0)
        return complain(a->console, "option `%s` needs words of the filter `hhdb`; -hhdb help lists them",
                        option);
    const char *next = *at + 1 < count ? argument[*at + 1] : "";
    const size_t length = strlen(next);
    const bool quoted = length >= 2 && next[0] == '"' && next[length - 1] == '"';
    const bool bare = wants_text && length > 0 && next[0] != '-' && !is_query_name(next);
    if (!quoted && !bare)
        return add_filter(a, option, filter, NULL);
    ++*at;
    return add_filter(a, option, arena_printf(a->arena, "%s \"\"", filter),
                      quoted ? arena_copy(a->arena, next + 1, length - 2) : next);
}

static bool take_filter(Arguments *a, const OptionInfo *o, const char *option, const char *first,
                        const char *second)
{
    if (o->form == FORM_PAIR)
        return take_assign(a, option, first, second);
    if (strstr(o->text, "%s"))
        return add_filter(a, option, arena_printf(a->arena, o->text, first), NULL);
    return add_filter(a, option, o->text, first);
}

// ---- the command line -------------------------------------------------------------------------------------

// Checks the value of the option and reads its numbers. The second number of a range is a further argument.
static bool read_value(Arguments *a, OptionId id, const char *option, int count, char **argument, int *at)
{
    const char *value = a->value[id];
    switch (option_info[id].form) {
    case FORM_CHOICE:
        return check_choice(a, id, option, value);
    case FORM_PGN:
        return is_pgn_name(value, strlen(value)) ||
               (a->command == COMMAND_CQLI && strcmp(value, "stdout") == 0) ||
               complain_of_value(a, option, "a file that ends in .pgn", value);
    case FORM_NUMBER:
        return read_number(a, id, option, value, &a->low[id]);
    case FORM_SPAN:
        return read_span(a, id, option, value);
    case FORM_PART:
        return read_part(a, id, option, value);
    case FORM_RANGE:
        if (!read_number(a, id, option, value, &a->low[id]))
            return false;
        a->high[id] = a->low[id];
        return !(*at + 1 < count && is_number(argument[*at + 1])) ||
               (read_number(a, id, option, argument[++*at], &a->high[id]) && check_order(a, id, option));
    default:
        return true;
    }
}

// Keeps the words, the examples first, then the expressions, then the commands of --against at the front of the argument array, in place of the
// options already read: puts a word after the first `place` of these.
static void keep(const Arguments *a, char **argument, int place, char *word)
{
    const int after = a->word_count + a->expression_count + a->competitor_count - place;
    memmove(argument + place + 1, argument + place, (size_t)after * sizeof *argument);
    argument[place] = word;
}

static bool keep_listed(Arguments *a, OptionId id, char **argument, char *value)
{
    if (id == OPTION_EXAMPLE || (id == OPTION_QUERY && (is_query_name(value) || strcmp(value, "-") == 0))) {
        const Example *example = id == OPTION_EXAMPLE ? example_wanted(value) : NULL;
        if (!example && id == OPTION_EXAMPLE)
            return false;
        keep(a, argument, a->example_count,
             example                   ? (char *)example->file
             : strcmp(value, "-") == 0 ? (char *)STANDARD_QUERY
                                       : value);
        a->example_count++;
        a->word_count++;
    } else if (id == OPTION_AGAINST) {
        keep(a, argument, a->word_count + a->expression_count + a->competitor_count, value);
        a->competitor_count++;
    } else {
        keep(a, argument, a->word_count + a->expression_count, value);
        a->expression_count++;
    }
    return true;
}

// Takes the option argument[*at] and what follows it; `-j4`, `-j 4`, `--threads 4` and `--threads=4` are the same.
static bool take_option(Arguments *a, int count, char **argument, int *at)
{
    const char *option = argument[*at];
    size_t end;
    const OptionId id = find_option(a->command, option, &end);
    if (id == OPTION_COUNT)
        return complain_of_unknown(a, option, end);
    const OptionInfo *o = &option_info[id];
    if (o->kind == KIND_CONVERSION)
        return complain(a->console, "option `%s` must be the first option", option);
    if (o->form == FORM_SIMILAR)
        return take_similar(a, count, argument, at);
    if (o->form == FORM_HHDB)
        return take_hhdb(a, count, argument, at);
    const bool bare = o->form == FORM_NONE || o->form == FORM_SWITCH;
    const int wanted = bare ? 0 : o->form == FORM_PAIR ? 2 : 1;
    const char *first = option[end] ? option + end + (option[end] == '=') : NULL, *second = NULL;
    if (first && wanted == 0)
        return complain(a->console, "option `%.*s` takes no argument", (int)end, option);
    if (*at + wanted - (first != NULL) >= count)
        return complain(a->console, "option `%s` needs an argument: %s", option, o->argument);
    if (!first)
        first = wanted > 0 ? argument[++*at] : "";
    if (wanted > 1)
        second = argument[++*at];
    if (o->kind == KIND_TRANSFORM) {
        const AddedTransform transform = {option, (Op)op_from_word(o->text, strlen(o->text), IN_CQL6)};
        ARENA_PUSH(a->arena, a->transform, a->transform_count, transform);
        return true;
    }
    if (a->value[id] && wanted > 0 && o->kind != KIND_FILTER && o->form != FORM_LIST && o->form != FORM_PAIR)
        return complain(a->console, "option `%.*s` is given twice", (int)end, option);
    const bool off = o->form == FORM_SWITCH && strncasecmp(option + strspn(option, "-"), "no", 2) == 0;
    if (a->value[id] && a->off[id] != off)
        return complain(a->console, "options -%s and -no%s cannot be used together", o->names, o->names);
    a->value[id] = first;
    a->off[id] = off;
    if (o->form == FORM_LIST && !keep_listed(a, id, argument, (char *)first))
        return false;
    if (id == OPTION_VARIANTALIAS) {
        const VariantAlias alias = {first, second};
        if (variant_by_name(text_of(first)) == VARIANT_FOREIGN)
            return complain(a->console,
                            "option `%s`: expected the name of a variant of chess, not \"%s\"; "
                            "`cqlgen help variant` lists them",
                            option, first);
        ARENA_PUSH(a->arena, a->alias, a->alias_count, alias);
    }
    if (id == OPTION_GUI)
        a->console->gui = true;
    return read_value(a, id, option, count, argument, at) &&
           (o->kind != KIND_FILTER || take_filter(a, o, option, first, second));
}

bool is_on(const Arguments *a, OptionId id, bool missing)
{
    return a->value[id] ? !a->off[id] : missing;
}

bool name_query(const Console *console, Arena *arena, const char *word, const char **name)
{
    const char *slash = strrchr(word, '/'), *last = slash ? slash + 1 : word;
    *name = strchr(last, '.') ? word : arena_printf(arena, "%s.cql", word);
    return is_query_name(*name) || complain(console, "the name of a query file must end in .cql: %s", word);
}

// Takes a word that is not an option; in the style DASH it is the query.
static bool take_word(Arguments *a, char **argument, char *word, bool is_last)
{
    if (command_info[a->command].style == STYLE_LONG) {
        keep(a, argument, a->word_count, word);
        a->word_count++;
        return true;
    }
    return name_query(a->console, a->arena, word, &a->query) &&
           (is_last || complain(a->console, "the query file must be the last argument: %s", word));
}

static const char *long_name(OptionId id)
{
    const char *names = option_info[id].names, *last = strrchr(names, ' ');
    return last ? last + 1 : names;
}

static bool check_together(const Arguments *a)
{
    const char *dashes = option_dashes(command_info[a->command].style, 2);
    int length;
    char word[40];
    for (int i = 0; i < OPTION_COUNT; i++) {
        const OptionInfo *o = &option_info[i];
        const char *names = a->value[i] && o->kind == KIND_SETTING && o->text ? o->text : "", *name;
        while ((name = next_name(&names, &length))) {
            snprintf(word, sizeof word, "--%.*s", length, name);
            const OptionId other = find_option(a->command, word, NULL);
            if (other != OPTION_COUNT && a->value[other])
                return complain(a->console, "options %s%s and %s%s cannot be used together", dashes,
                                long_name(i), dashes, long_name(other));
        }
    }
    return true;
}

bool read_arguments(Arguments *a, CommandId command, Console *console, Arena *arena, int count,
                    char **argument)
{
    *a = (Arguments){.command = command, .console = console, .arena = arena};
    const bool is_long = command_info[command].style == STYLE_LONG;
    bool options = true, done = false;
    for (int i = 0; i < count && !done; i++) {
        char *word = argument[i];
        if (is_long && options && strcmp(word, "--") == 0)
            options = false;
        else if (!options || word[0] != '-' || (is_long && !word[1])) {
            if (!take_word(a, argument, word, i + 1 == count))
                return false;
        } else if (!take_option(a, count, argument, &i))
            return false;
        done = a->hhdb_help || a->value[OPTION_HELP_TEXT] || a->value[OPTION_VERSION];
    }
    a->words = (const char *const *)argument;
    a->expressions = a->words + a->word_count;
    a->competitors = a->expressions + a->expression_count;
    return done || check_together(a);
}
