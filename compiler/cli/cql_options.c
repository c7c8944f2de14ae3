// Reading the command line of the reference program (language reference 02b).
#include "cql.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "compiler/language/hhdb.h"
#include "compiler/front/cql6/cql6.h"
#include "cli.h"

const CqlOptionInfo cql_option_info[CQL_OPTION_COUNT] = {
#define CQL_OPTION(id, names, form, argument, kind, text, help)                                              \
    {names, CQL_FORM_##form, argument, CQL_KIND_##kind, text, help},
#include "cql_options.def"
};

const char *cql_next_name(const char **names, int *length)
{
    const char *name = *names;
    *length = (int)strcspn(name, " ");
    *names += *length + (name[*length] == ' ');
    return *length > 0 ? name : NULL;
}

enum { COLUMN = 34 }; // width of the names in the help

static void print_option(FILE *out, const CqlOptionInfo *o)
{
    char left[80] = "";
    int used = 0, length;
    for (const char *names = o->names, *name; (name = cql_next_name(&names, &length));)
        used += snprintf(left + used, sizeof left - (size_t)used, "%s-%.*s", used ? ", " : "", length, name);
    if (o->argument)
        snprintf(left + used, sizeof left - (size_t)used, " %s", o->argument);
    const bool fits = strlen(left) <= COLUMN;
    fprintf(out, "  %-*s%s%*s%s\n", COLUMN, left, fits ? " " : "\n", fits ? 0 : COLUMN + 3, "", o->help);
}

void cql_print_help(FILE *out)
{
    fputs("usage: cqlgen cql [options] [query.cql]\n\nThe command line of CQL 6.2. Options:\n", out);
    for (int i = 0; i < CQL_OPTION_COUNT; i++)
        print_option(out, &cql_option_info[i]);
}

// ---- options ---------------------------------------------------------------------------------------------

static bool has_name(const CqlOptionInfo *o, const char *word)
{
    int length;
    for (const char *names = o->names, *name; (name = cql_next_name(&names, &length));)
        if ((size_t)length == strlen(word) && strncasecmp(name, word, strlen(word)) == 0)
            return true;
    return false;
}

CqlOptionId cql_find_option(const char *word)
{
    CqlOptionId id = 0;
    if (word[0] != '-' || !word[1])
        return CQL_OPTION_COUNT;
    word += word[1] == '-' ? 2 : 1;
    while (id < CQL_OPTION_COUNT && !has_name(&cql_option_info[id], word))
        id++;
    return id;
}

static bool is_number(const char *text)
{
    text += *text == '-';
    return *text && strspn(text, "0123456789") == strlen(text);
}

static bool read_whole_number(const CqlArguments *a, const char *option, const char *text, int32_t low,
                              int32_t high, int32_t *value)
{
    errno = 0;
    const long long number = is_number(text) ? strtoll(text, NULL, 10) : LLONG_MIN;
    if (errno || number < low || number > high)
        return cql_complain(a->console, "option %s needs a whole number from %d to %d, not `%s`", option,
                            (int)low, (int)high, text);
    *value = (int32_t)number;
    return true;
}

static void add_filter(CqlArguments *a, const char *option, const char *text, const char *string)
{
    const CqlFilter filter = {option, text, string};
    ARENA_PUSH(a->arena, a->filter, a->filter_count, filter);
}

// ---- options that add filters ----------------------------------------------------------------------------

static bool take_assign(CqlArguments *a, const char *option, const char *name, const char *value)
{
    if (!*name ||
        strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$") != strlen(name))
        return cql_complain(a->console, "option %s needs a name of letters, digits, `_` and `$`, not `%s`",
                            option, name);
    if (is_number(value))
        add_filter(a, option, arena_printf(a->arena, "%s=%s", name, value), NULL);
    else
        add_filter(a, option, arena_printf(a->arena, "%s=\"\"", name), value);
    return true;
}

static bool take_result(CqlArguments *a, const char *option, const char *value)
{
    if (result_number(value) < 0)
        return cql_complain(a->console, "option %s needs 1-0, 0-1 or 1/2-1/2, not `%s`", option, value);
    add_filter(a, option, arena_printf(a->arena, "result %s", value), NULL);
    return true;
}

static bool take_similar(CqlArguments *a, int count, char **argument, int *at)
{
    const char *option = argument[*at], *words = "";
    while (*at + 1 < count && (strcasecmp(argument[*at + 1], "nosort") == 0 ||
                               strcasecmp(argument[*at + 1], "notransform") == 0))
        words = arena_printf(a->arena, "%s %s", words,
                             strcasecmp(argument[++*at], "nosort") == 0 ? "nosort" : "notransform");
    if (*at + 1 >= count)
        return cql_complain(a->console, "option %s needs the name of a PGN file", option);
    add_filter(a, option, arena_printf(a->arena, "similarposition%s \"\"", words), argument[++*at]);
    return true;
}

// Takes the words of -hhdb and writes the filter; *wants_text: a string may follow the last one. Returns the
// number of words.
static int take_hhdb_words(CqlArguments *a, int count, char **argument, int *at, const char **filter,
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
static bool take_hhdb(CqlArguments *a, int count, char **argument, int *at)
{
    const char *option = argument[*at], *first = *at + 1 < count ? argument[*at + 1] : "", *filter;
    bool wants_text;
    a->hhdb_help = strcasecmp(first, "help") == 0 || strcasecmp(first, "info") == 0;
    if (a->hhdb_help)
        return true;
    if (take_hhdb_words(a, count, argument, at, &filter, &wants_text) == 0)
        return cql_complain(a->console, "option %s needs words of the filter `hhdb`; -hhdb help lists them",
                            option);
    const char *next = *at + 1 < count ? argument[*at + 1] : "";
    const size_t length = strlen(next);
    const bool quoted = length >= 2 && next[0] == '"' && next[length - 1] == '"';
    const bool bare = wants_text && length > 0 && next[0] != '-' && !is_query_name(next);
    if (quoted || bare) {
        filter = arena_printf(a->arena, "%s \"\"", filter);
        add_filter(a, option, filter, quoted ? arena_copy(a->arena, next + 1, length - 2) : next);
        ++*at;
    } else {
        add_filter(a, option, filter, NULL);
    }
    return true;
}

static bool take_filter(CqlArguments *a, CqlOptionId id, const char *option, const char *first,
                        const char *second)
{
    const char *text = cql_option_info[id].text;
    if (id == CQL_OPTION_ASSIGN)
        return take_assign(a, option, first, second);
    if (id == CQL_OPTION_RESULT)
        return take_result(a, option, first);
    if (id == CQL_OPTION_CQL)
        add_filter(a, option, first, NULL);
    else
        add_filter(a, option, text, first);
    return true;
}

// ---- settings --------------------------------------------------------------------------------------------

static bool check_name(const CqlArguments *a, const char *option, const char *name)
{
    return is_pgn_name(name, strlen(name)) ||
           cql_complain(a->console, "option %s needs a file that ends in .pgn, not `%s`", option, name);
}

static bool check_setting(CqlArguments *a, CqlOptionId id, const char *option)
{
    const char *value = a->value[id];
    switch (id) {
    case CQL_OPTION_GUI:
        a->console->gui = true;
        return true;
    case CQL_OPTION_INPUT:
    case CQL_OPTION_OUTPUT:
        return check_name(a, option, value);
    case CQL_OPTION_THREADS:
    case CQL_OPTION_LINEINCREMENT:
        return read_whole_number(a, option, value, 1, INT32_MAX, &a->low[id]);
    case CQL_OPTION_OUTPUTBUFFER:
        return read_whole_number(a, option, value, 100001, 100000000, &a->low[id]);
    default:
        return true;
    }
}

static bool take_range(CqlArguments *a, CqlOptionId id, const char *option, int count, char **argument,
                       int *at)
{
    const int32_t least = id == CQL_OPTION_MATCHCOUNT ? 0 : 1;
    if (!read_whole_number(a, option, argument[*at], least, INT32_MAX, &a->low[id]))
        return false;
    a->high[id] = a->low[id];
    if (*at + 1 < count && is_number(argument[*at + 1]) &&
        !read_whole_number(a, option, argument[++*at], least, INT32_MAX, &a->high[id]))
        return false;
    return a->low[id] <= a->high[id] || cql_complain(a->console, "option %s: %d is less than %d", option,
                                                     (int)a->high[id], (int)a->low[id]);
}

// Takes the option argument[*at] and its arguments.
static bool take_option(CqlArguments *a, CqlOptionId id, int count, char **argument, int *at)
{
    const CqlOptionInfo *o = &cql_option_info[id];
    const char *option = argument[*at];
    if (o->kind == CQL_KIND_CONVERSION)
        return cql_complain(a->console, "option %s must be the first option", option);
    if (o->form == CQL_FORM_SIMILAR)
        return take_similar(a, count, argument, at);
    if (o->form == CQL_FORM_HHDB)
        return take_hhdb(a, count, argument, at);
    const int wanted = o->form == CQL_FORM_NONE ? 0 : o->form == CQL_FORM_PAIR ? 2 : 1;
    if (*at + wanted >= count)
        return cql_complain(a->console, "option %s needs %s", option, o->argument);
    const char *first = wanted > 0 ? argument[*at + 1] : "", *second = wanted > 1 ? argument[*at + 2] : NULL;
    *at += wanted;
    if (o->kind == CQL_KIND_TRANSFORM) {
        const CqlTransform transform = {option, (Op)op_from_word(o->text, strlen(o->text), IN_CQL6)};
        ARENA_PUSH(a->arena, a->transform, a->transform_count, transform);
        return true;
    }
    const bool again = a->value[id] != NULL;
    a->value[id] = first;
    if (o->kind == CQL_KIND_FILTER)
        return take_filter(a, id, option, first, second);
    if (again && wanted > 0)
        return cql_complain(a->console, "option %s is given twice", option);
    return o->form == CQL_FORM_RANGE ? take_range(a, id, option, count, argument, at)
                                     : check_setting(a, id, option);
}

// ---- the command line ------------------------------------------------------------------------------------

bool cql_name_query(const CqlConsole *console, Arena *arena, const char *word, const char **name)
{
    const char *slash = strrchr(word, '/'), *last = slash ? slash + 1 : word;
    *name = strchr(last, '.') ? word : arena_printf(arena, "%s.cql", word);
    return is_query_name(*name) ||
           cql_complain(console, "the name of a query file must end in .cql: %s", word);
}

static bool take_query(CqlArguments *a, const char *word)
{
    return a->query ? cql_complain(a->console, "two query files: %s and %s", a->query, word)
                    : cql_name_query(a->console, a->arena, word, &a->query);
}

static const char *first_name(Arena *arena, CqlOptionId id)
{
    const char *names = cql_option_info[id].names;
    int length;
    const char *name = cql_next_name(&names, &length);
    return arena_printf(arena, "-%.*s", length, name);
}

static bool check_together(const CqlArguments *a)
{
    static const CqlOptionId pairs[][2] = {{CQL_OPTION_QUIET, CQL_OPTION_SILENT},
                                           {CQL_OPTION_INPUT, CQL_OPTION_VI},
                                           {CQL_OPTION_INPUT, CQL_OPTION_VII},
                                           {CQL_OPTION_VI, CQL_OPTION_VII},
                                           {CQL_OPTION_GUIPGNSTDIN, CQL_OPTION_INPUT},
                                           {CQL_OPTION_GUIPGNSTDIN, CQL_OPTION_VI},
                                           {CQL_OPTION_GUIPGNSTDIN, CQL_OPTION_VII},
                                           {CQL_OPTION_GUIPGNSTDOUT, CQL_OPTION_OUTPUT},
                                           {CQL_OPTION_VARIATIONS, CQL_OPTION_MAINLINE},
                                           {CQL_OPTION_MAINLINE, CQL_OPTION_VIRTUALMAINLINE},
                                           {CQL_OPTION_SINGLETHREADED, CQL_OPTION_THREADS},
                                           {CQL_OPTION_SINGLETHREADED, CQL_OPTION_MULTITHREADED},
                                           {CQL_OPTION_UNIQUECOMMENTS, CQL_OPTION_NOUNIQUECOMMENTS},
                                           {CQL_OPTION_SHOWOUTPUT, CQL_OPTION_NOOUTPUTSTATUS}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (a->value[pairs[i][0]] && a->value[pairs[i][1]])
            return cql_complain(a->console, "options %s and %s cannot be used together",
                                first_name(a->arena, pairs[i][0]), first_name(a->arena, pairs[i][1]));
    return true;
}

static void complain_of_unknown(Arena *arena, const char *word)
{
    const char *all[2 * CQL_OPTION_COUNT];
    size_t count = 0;
    int length;
    for (int i = 0; i < CQL_OPTION_COUNT; i++)
        for (const char *names = cql_option_info[i].names, *name;
             count < 2 * CQL_OPTION_COUNT && (name = cql_next_name(&names, &length));)
            all[count++] = arena_printf(arena, "%.*s", length, name);
    const char *plain = word + strspn(word, "-");
    const char *near = nearest_name(plain, strlen(plain), all, count);
    fprintf(stderr, "cqlgen: unknown option %s", word);
    if (near)
        fprintf(stderr, "; did you mean -%s?\n", near);
    else
        fputs("\n", stderr);
}

bool cql_read_arguments(CqlArguments *a, Arena *arena, CqlConsole *console, int count, char **argument)
{
    *a = (CqlArguments){.arena = arena, .console = console};
    for (int i = 0; i < count; i++) {
        const char *word = argument[i];
        if (word[0] != '-') {
            if (!take_query(a, word))
                return false;
            if (i + 1 < count)
                return cql_complain(a->console, "the query file must be the last argument: %s", word);
            continue;
        }
        CqlOptionId id = cql_find_option(word);
        if (id == CQL_OPTION_COUNT) {
            cql_print_help(stdout);
            fflush(stdout);
            complain_of_unknown(arena, word);
            return console->gui && cql_complain(console, "unknown option %s", word);
        }
        if (!take_option(a, id, count, argument, &i))
            return false;
        if (a->hhdb_help || id == CQL_OPTION_HELP || id == CQL_OPTION_VERSION)
            return true;
    }
    return check_together(a);
}
