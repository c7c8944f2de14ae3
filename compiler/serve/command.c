// The command lines of searches.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/unicode.h"

// Linux takes arguments of up to 128 KB.
enum { MOST_ARGUMENT = 100000 };

static void add_word(Command *c, bool shown, char *word)
{
    c->word = memory_resized(c->word, c->count + 2, sizeof *c->word);
    c->shown = memory_resized(c->shown, c->count + 1, sizeof *c->shown);
    c->shown[c->count] = shown;
    c->word[c->count++] = word;
    c->word[c->count] = NULL;
}

void command_add(Command *c, bool shown, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_word(c, shown, memory_vformat(format, list));
    va_end(list);
}

void command_free(Command *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->word[i]);
    free(c->word);
    free(c->shown);
    *c = (Command){0};
}

// ---- from members -----------------------------------------------------------------------------------------

// Adds an option with the text of a member, if there is one.
bool command_add_text(Command *c, Request *r, const char *member, const char *option)
{
    const char *text = member_text(r, member);
    if (!text)
        return true;
    if (strlen(text) > MOST_ARGUMENT)
        return request_fail(r, 400, member, "too long; the limit is %d bytes: %s", MOST_ARGUMENT, member);
    command_add(c, true, "%s", option);
    command_add(c, true, "%s", text);
    return true;
}

void command_add_number(Command *c, const Request *r, const char *member, const char *option)
{
    if (member_number(r, member) > 0) {
        command_add(c, true, "%s", option);
        command_add(c, true, "%lld", (long long)member_number(r, member));
    }
}

void command_add_flag(Command *c, const Request *r, const char *member, const char *yes, const char *no)
{
    if (member_is(r, member, false))
        command_add(c, true, "%s", yes);
    else if (no && !member_is(r, member, true))
        command_add(c, true, "%s", no);
}

// A query with a header, or a long one, goes through standard input.
static void add_query(Command *c, const char *query)
{
    const bool argument = strlen(query) <= MOST_ARGUMENT && !strstr(query, "cql");
    command_add(c, true, "%s", argument ? "-e" : "--query");
    command_add(c, true, "%s", argument ? query : "-");
    c->in = argument ? NULL : query;
}

// The filters that must match too; `sort` adds one that always does.
static bool add_filters(Command *c, Request *r, CommandKind kind)
{
    const char *where = member_text(r, "where"),
               *sort = kind == COMMAND_OF_GAMES ? member_text(r, "sort") : NULL;
    if (!sort)
        return command_add_text(c, r, "where", "--where");
    if (strlen(sort) + (where ? strlen(where) : 0) > MOST_ARGUMENT)
        return request_fail(r, 400, "sort", "too long; the limit is %d bytes: sort", MOST_ARGUMENT);
    const bool least = member_is(r, "sort_min", false), titled = sort[strspn(sort, " \t\n")] == '"';
    command_add(c, true, "--where");
    command_add(c, true, "%s%ssort %s%s", where ? where : "", where ? "\n" : "",
                !least   ? ""
                : titled ? "min "
                         : "min \"sort\" ", // which needs a title
                sort);
    return true;
}

static size_t find_file(const Server *s, const char *name)
{
    size_t i = 0;
    while (i < s->options->input_count && strcmp(s->file[i].name, name) != 0)
        i++;
    return i;
}

static bool add_files(Command *c, Request *r)
{
    const Server *s = r->server;
    const json_t *names = json_object_get(r->member, "databases");
    const size_t all = s->options->input_count, count = names ? json_array_size(names) : all;
    for (size_t i = 0; i < count; i++) {
        const char *name = names ? json_string_value(json_array_get(names, i)) : NULL;
        const size_t file = name ? find_file(s, name) : i;
        if (file == all)
            return request_fail(r, 400, "databases", "no such database: %s; /databases lists them", name);
        // `@` and `-` would mean something else
        command_add(c, true, "%s%s", strchr("@-", *s->file[file].input) ? "./" : "", s->file[file].input);
    }
    return count > 0 || request_fail(r, 400, "databases", "expected at least one name: databases");
}

static bool add_groups(Command *c, Request *r)
{
    if (!member_text(r, "by"))
        return request_fail(r, 400, "by",
                            "expected the keys by which games are counted, such as year or eco/1: by");
    const bool good =
        command_add_text(c, r, "by", "--count-by") && command_add_text(c, r, "measure", "--measure") &&
        command_add_text(c, r, "per", "--per") && command_add_text(c, r, "among", "--among") &&
        command_add_text(c, r, "order", "--order") && command_add_text(c, r, "player", "--player");
    command_add_flag(c, r, "of_all", "--of-all", NULL);
    return good;
}

static bool add_moves(Command *c, Request *r)
{
    command_add_number(c, r, "plies", "--plies");
    command_add_number(c, r, "min_games", "--min-games");
    return command_add_text(c, r, "position", "--position");
}

static void add_budgets(Command *c, const Server *s, const char *format)
{
    const ServeOptions *o = s->options;
    command_add(c, false, "--secure");
    command_add(c, false, "--report=json");
    command_add(c, false, "--format=%s", format);
    command_add(c, false, "--output=-"); // whatever a header says
    command_add(c, false, "--max-seconds=%lld", (long long)o->max_seconds);
    if (o->max_memory > 0)
        command_add(c, false, "--max-memory=%lld", (long long)o->max_memory);
    if (o->threads > 0)
        command_add(c, false, "--threads=%lld", (long long)o->threads);
}

bool command_make(Command *c, Request *r, CommandKind kind, const char *query, const char *format)
{
    *c = (Command){0};
    command_add(c, true, "cqlgen");
    command_add(c, true, kind == COMMAND_OF_MOVES ? "explore" : "search");
    add_query(c, query);
    bool good = command_add_text(c, r, "dialect", "--dialect") && add_filters(c, r, kind);
    command_add_flag(c, r, "variations", "--variations", "--mainline");
    if (kind != COMMAND_OF_MOVES) {
        command_add_flag(c, r, "variants", "--variants", "--no-variants");
        command_add_flag(c, r, "first", "--first", NULL);
        command_add_number(c, r, "limit", "--limit");
    }
    good = good && (kind != COMMAND_OF_GROUPS || add_groups(c, r)) &&
           (kind != COMMAND_OF_MOVES || add_moves(c, r)) && add_files(c, r);
    add_budgets(c, r->server, format);
    return good;
}

// ---- to be shown ------------------------------------------------------------------------------------------

static void append_quoted(Buffer *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        buffer_text(out, word);
        return;
    }
    const bool utf8 = unicode_is_valid(word, strlen(word)); // other bytes are written by their numbers
    buffer_text(out, utf8 ? "'" : "$'");
    for (; *word; word++) {
        if (!utf8 && ((unsigned char)*word >= 0x80 || *word == '\\' || *word == '\''))
            buffer_format(out, "\\x%02x", (unsigned char)*word);
        else if (*word == '\'')
            buffer_text(out, "'\\''");
        else
            buffer_append(out, word, 1);
    }
    buffer_text(out, "'");
}

char *command_text(const Command *c)
{
    Buffer text = {0};
    for (size_t i = 0; i < c->count; i++) {
        if (!c->shown[i])
            continue;
        buffer_text(&text, text.length > 0 ? " " : "");
        append_quoted(&text, c->word[i]);
    }
    if (c->in) {
        buffer_text(&text, " <<'END OF THE QUERY'\n");
        buffer_text(&text, c->in);
        buffer_text(&text, "\nEND OF THE QUERY\n");
    }
    buffer_append(&text, "", 1);
    return text.start;
}
