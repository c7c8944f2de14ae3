// `cqlgen cql`: searching as the reference program does (language reference 02b, 2.1, 10.5-10.9).
#include "cql.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../runtime/game/game.h"
#include "../../runtime/search/search.h"
#include "../../runtime/value/regex.h"
#include "../back/engine.h"
#include "../front/hhdb.h"
#include "../front/token.h"
#include "../middle/lower.h"
#include "../middle/optimise.h"
#include "cli.h"
#include "interrupt.h"
#include "upgrade.h"
#include "../../runtime/value/memory.h"

enum { QUERY_SIZE_LIMIT = 10000000 }; // bytes, language reference 1.1

// One run of the program.
typedef struct CqlRun {
    CqlArguments arguments;
    Arena *arena;
    Source source;       // of the query
    Source whole;        // the query, and behind it the texts of options
    Source *part;        // by filter: its text alone, as shown in messages
    uint32_t *start;     // by filter: where it stands in `whole`
    ExtraFilters *extra; // by filter
    Query *query;
    Module *module;
    Regex *player; // -player
    const char *input, *output;
    int threads; // that search
} CqlRun;

// ---- the text of the query
// ---------------------------------------------------------------------------------------

bool cql_read_source(Arena *arena, const char *name, Source *source)
{
    bool standard = strcmp(name, "-") == 0;
    FILE *file = standard ? stdin : fopen(name, "rb");
    if (!file)
        return cql_complain("cannot read %s: %s", name, strerror(errno));
    char *text = memory_new(QUERY_SIZE_LIMIT + 1);
    size_t length = fread(text, 1, QUERY_SIZE_LIMIT + 1, file);
    bool failed = ferror(file) != 0;
    int reason = errno;
    if (!standard)
        fclose(file);
    *source = (Source){standard ? "<stdin>" : name, arena_copy(arena, text, length), length};
    free(text);
    if (failed)
        return cql_complain("cannot read %s: %s", name, strerror(reason));
    return length < QUERY_SIZE_LIMIT || cql_complain("%s: the query is too large", name);
}

static bool read_query(CqlRun *r)
{
    static const char every[] = "cql() .";
    if (r->arguments.query)
        return cql_read_source(r->arena, r->arguments.query, &r->source);
    r->source = (Source){"cqldefault.cql", every, strlen(every)};
    return true;
}

// Puts the texts of the options behind the query, each on a line of its own.
static void join_texts(CqlRun *r)
{
    const int count = r->arguments.filter_count;
    size_t length = r->source.length;
    for (int i = 0; i < count; i++)
        length += 1 + strlen(r->arguments.filter[i].text);
    char *text = arena_alloc(r->arena, length + 1), *blank = arena_alloc(r->arena, length + 1);
    memset(blank, ' ', length);
    memcpy(text, r->source.text, r->source.length);
    r->whole = (Source){r->source.name, text, length};
    r->part = arena_alloc(r->arena, (size_t)(count + 1) * sizeof *r->part);
    r->start = arena_alloc(r->arena, (size_t)(count + 1) * sizeof *r->start);
    r->extra = arena_alloc(r->arena, (size_t)(count + 1) * sizeof *r->extra);
    size_t at = r->source.length;
    for (int i = 0; i < count; i++) {
        const CqlFilter *f = &r->arguments.filter[i];
        const size_t part = strlen(f->text);
        text[at++] = '\n';
        memcpy(text + at, f->text, part);
        char *alone = arena_copy(r->arena, blank, at + part);
        memcpy(alone + at, f->text, part);
        r->part[i] = (Source){f->option, f->text, part};
        r->start[i] = (uint32_t)at;
        r->extra[i] = (ExtraFilters){{f->option, alone, at + part}, f->string};
        at += part;
    }
}

// Prints what is wrong, each with the text in which it stands.
static void show(const CqlRun *r, const Diagnostics *d)
{
    for (int i = 0; i < d->count; i++) {
        Diagnostic one = d->list[i];
        const Source *source = &r->source;
        for (int k = 0; k < r->arguments.filter_count; k++) {
            if (one.span.start < r->start[k] || one.span.start > r->start[k] + r->part[k].length)
                continue;
            source = &r->part[k];
            one.span.start -= r->start[k];
            one.span.end = one.span.end > r->start[k] ? one.span.end - r->start[k] : one.span.start;
        }
        const Diagnostics alone = {r->arena, source, &one, 1, one.severity == DIAG_ERROR};
        fputs(i == 0 ? "\n" : "", stdout);
        diag_print(&alone, stdout, isatty(STDOUT_FILENO) && colour_wanted());
    }
}

// ---- the query
// ---------------------------------------------------------------------------------------------------

static int wanted_variations(const CqlArguments *a)
{
    return a->value[CQL_OPTION_VARIATIONS] || a->value[CQL_OPTION_VIRTUALMAINLINE] ? 1
           : a->value[CQL_OPTION_MAINLINE]                                         ? 0
                                                                                   : -1;
}

static void set_range(Range *range, const CqlArguments *a, CqlOptionId id)
{
    if (a->value[id])
        *range = (Range){.present = true, .low = {.value = a->low[id]}, .high = {.value = a->high[id]}};
}

// What the options say counts, not what the header says.
static void change_header(Header *h, const CqlArguments *a)
{
    set_range(&h->gamenumber, a, CQL_OPTION_GAMENUMBER);
    set_range(&h->matchcount, a, CQL_OPTION_MATCHCOUNT);
    if (a->value[CQL_OPTION_MATCHSTRING])
        h->matchstring = a->value[CQL_OPTION_MATCHSTRING];
    if (a->value[CQL_OPTION_QUIET] || a->value[CQL_OPTION_SILENT]) {
        h->silent = h->first_is_silent = a->value[CQL_OPTION_SILENT] != NULL;
        h->quiet = !h->silent;
    }
}

// Puts the body into the transforms of the options, as if they were written before it.
static void wrap_body(CqlRun *r)
{
    for (int i = r->arguments.transform_count - 1; i >= 0; i--) {
        Ast *kid = r->query->body;
        const bool keeps_type = kid->type == TYPE_SET || kid->type == TYPE_INT;
        Ast *node =
            ast_new(r->arena, r->arguments.transform[i], keeps_type ? kid->type : TYPE_BOOL, kid->span);
        ast_add_kid(r->arena, node, kid);
        Ast *body = ast_new(r->arena, OP_COMPOUND, node->type, kid->span);
        ast_add_kid(r->arena, body, node);
        r->query->body = body;
    }
}

// Reads the query with the options' filters; false after messages.
static bool parse(CqlRun *r)
{
    const ParseOptions options = {.variations = wanted_variations(&r->arguments),
                                  .extra = r->extra,
                                  .extra_count = r->arguments.filter_count,
                                  .whole = &r->whole};
    Diagnostics d = {.arena = r->arena, .source = &r->source};
    r->query = parse_query(r->arena, &r->source, &options, &d);
    if (r->query) {
        change_header(&r->query->header, &r->arguments);
        wrap_body(r);
    }
    show(r, &d);
    return r->query && d.errors == 0;
}

static bool lower(CqlRun *r)
{
    Diagnostics d = {.arena = r->arena, .source = &r->source};
    const LowerOptions options = {.optimize = true,
                                  .variations = wanted_variations(&r->arguments),
                                  .free_moves = r->arguments.value[CQL_OPTION_NOLINEARIZE] != NULL};
    if (expand_transforms(r->query, &d))
        r->module = lower_query(r->query, &options, &d);
    show(r, &d);
    if (!r->module || d.errors > 0)
        return false;
    optimise(r->module);
    keep_lines(r->module);
    const char *wrong = ir_verify(r->module);
    return !wrong || cql_complain("internal error: %s", wrong);
}

// ---- files
// -------------------------------------------------------------------------------------------------------

static bool name_files(CqlRun *r)
{
    const CqlArguments *a = &r->arguments;
    const Header *h = &r->query->header;
    r->input = a->value[CQL_OPTION_INPUT] ? a->value[CQL_OPTION_INPUT]
               : a->value[CQL_OPTION_VI]  ? "hhdbvi.pgn"
               : a->value[CQL_OPTION_VII] ? "hhdbvii.pgn"
                                          : h->input;
    if (!r->input)
        return cql_complain("no input: give the option -i or the header `input`");
    if (access(r->input, R_OK) != 0)
        return cql_complain("cannot read %s: %s", r->input, strerror(errno));
    if (a->value[CQL_OPTION_OUTPUT] || h->output) {
        r->output = a->value[CQL_OPTION_OUTPUT] ? a->value[CQL_OPTION_OUTPUT] : h->output;
        return true;
    }
    const char *slash = strrchr(r->source.name, '/'), *name = slash ? slash + 1 : r->source.name;
    r->output = arena_printf(r->arena, "%.*s-out.pgn", (int)strlen(name) - 4, name);
    return true;
}

// ---- the search
// --------------------------------------------------------------------------------------------------

static bool is_found(const Regex *pattern, Text text)
{
    RegexMemory memory = {0};
    size_t *offset = memory_zeroed(2 * ((size_t)regex_groups(pattern) + 1), sizeof *offset);
    RegexResult result =
        regex_match(pattern, &memory, text.start ? text.start : "", text.length, 0, false, offset);
    regex_memory_free(&memory);
    free(offset);
    return result == REGEX_FOUND;
}

// The conditions of -player and -year.
static bool is_wanted(void *user, const Game *game)
{
    const CqlRun *r = user;
    const CqlArguments *a = &r->arguments;
    const TagRoster *tags = &game->roster;
    if (a->value[CQL_OPTION_YEAR] &&
        (tags->year < a->low[CQL_OPTION_YEAR] || tags->year > a->high[CQL_OPTION_YEAR]))
        return false;
    return !r->player || is_found(r->player, tags->white) || is_found(r->player, tags->black);
}

static void print_summary(void *user, int status, const SearchTotals *t)
{
    const CqlRun *r = user;
    if (status == STATUS_OK || status == STATUS_GAME_ERRORS)
        printf("\n%lld matches of %lld games in %.2f seconds using %d thread%s to %s\n",
               (long long)t->matches, (long long)t->games, t->seconds, r->threads, r->threads == 1 ? "" : "s",
               r->output);
}

static int thread_count(const CqlRun *r)
{
    const CqlArguments *a = &r->arguments;
    if (r->module->info.flags & QUERY_SEQUENTIAL) {
        printf("One thread: the query keeps values from game to game, or uses files.\n");
        return 1;
    }
    if (a->value[CQL_OPTION_SINGLETHREADED])
        return 1;
    if (a->value[CQL_OPTION_THREADS])
        return a->low[CQL_OPTION_THREADS] < 1024 ? a->low[CQL_OPTION_THREADS] : 1024;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 2 ? (int)processors - 1 : 1;
}

static SearchOptions search_options(CqlRun *r)
{
    const CqlArguments *a = &r->arguments;
    const int64_t increment = a->value[CQL_OPTION_LINEINCREMENT] ? a->low[CQL_OPTION_LINEINCREMENT] : 10000;
    return (SearchOptions){.input = &r->input,
                           .input_count = 1,
                           .output = r->output,
                           .format = FORMAT_PGN,
                           .threads = r->threads,
                           .quiet = true,
                           .stop = interrupt_flag(),
                           .no_header = a->value[CQL_OPTION_NOHEADER] != NULL,
                           .no_sort_comments = a->value[CQL_OPTION_NOSORTCOMMENTS] != NULL,
                           .no_settag = a->value[CQL_OPTION_NOSETTAG] != NULL,
                           .no_remove_comment = a->value[CQL_OPTION_NOREMOVECOMMENT] != NULL,
                           .keep_comments = a->value[CQL_OPTION_ALWAYSCOMMENT] != NULL,
                           .repeat_comments = a->value[CQL_OPTION_NOUNIQUECOMMENTS] != NULL,
                           .show_matches = a->value[CQL_OPTION_SHOWMATCHES] != NULL,
                           .show_games = a->value[CQL_OPTION_NOOUTPUTSTATUS] ? 0 : increment,
                           .wanted = r->player || a->value[CQL_OPTION_YEAR] ? is_wanted : NULL,
                           .finished = print_summary,
                           .user = r};
}

static bool search(CqlRun *r)
{
    const char *pattern = r->arguments.value[CQL_OPTION_PLAYER], *wrong = NULL;
    if (pattern && !(r->player = regex_new(pattern, strlen(pattern), 0, &wrong)))
        return cql_complain("option -player: %s", wrong);
    Engine engine;
    const EngineOptions engine_options = {0};
    char *message = NULL;
    if (!engine_open(&engine, ENGINE_AUTO, &r->module, 1, &engine_options, &message)) {
        cql_complain("%s", message ? message : "the query could not be made ready to run");
        free(message);
        return false;
    }
    r->threads = thread_count(r);
    SearchOptions options = search_options(r);
    Upgrade *upgrade = upgrade_start(&r->module, 1, &engine_options, &options);
    interrupt_catch();
    int status = search_run(engine.matcher, &options, NULL);
    upgrade_finish(upgrade);
    engine_close(&engine);
    if (status == STATUS_INTERRUPTED)
        interrupt_end();
    return status == STATUS_OK;
}

// ---- -lex, -parse
// ------------------------------------------------------------------------------------------------

static void print_tokens(CqlRun *r, const Source *source, const Source *text)
{
    Diagnostics d = {.arena = r->arena, .source = source};
    const TokenList tokens = lex(r->arena, text, &d);
    for (int i = 0; i < tokens.count; i++) {
        const Place place = source_place(text, tokens.token[i].span.start);
        printf("%u:%u %s\n", (unsigned)place.line, (unsigned)place.column,
               token_text(r->arena, text, &tokens.token[i]));
    }
    show(r, &d);
}

static bool print_stages(CqlRun *r)
{
    for (int i = 0; i < r->arguments.filter_count; i++) {
        printf("%s\n", r->part[i].name);
        print_tokens(r, &r->part[i], &r->part[i]);
    }
    print_tokens(r, &r->source, &r->source);
    if (r->arguments.value[CQL_OPTION_LEX])
        return true;
    if (!parse(r))
        return false;
    ast_print(stdout, r->query->body);
    return true;
}

// ---- the command
// -------------------------------------------------------------------------------------------------

static bool print_hhdb_words(void)
{
    const char *word;
    bool takes_text, plain;
    for (size_t i = 0; (word = hhdb_word(i, &takes_text, &plain)); i++)
        printf("%s%s\n", word, takes_text ? " [\"TEXT\"]" : "");
    return true;
}

static bool run(CqlRun *r, int count, char **argument)
{
    if (!cql_read_arguments(&r->arguments, r->arena, count, argument))
        return false;
    const CqlArguments *a = &r->arguments;
    if (a->value[CQL_OPTION_VERSION])
        return true;
    if (a->value[CQL_OPTION_HELP]) {
        cql_print_help(stdout);
        return true;
    }
    if (a->hhdb_help)
        return print_hhdb_words();
    if (!a->query && !a->value[CQL_OPTION_INPUT] && !a->value[CQL_OPTION_VI] && !a->value[CQL_OPTION_VII])
        return cql_complain("no query and no input; see -help");
    if (!read_query(r))
        return false;
    join_texts(r);
    if (a->value[CQL_OPTION_LEX] || a->value[CQL_OPTION_PARSE])
        return print_stages(r);
    return parse(r) && lower(r) && name_files(r) && search(r);
}

int command_cql(int count, char **argument)
{
    CqlOptionId first = count > 0 ? cql_find_option(argument[0]) : CQL_OPTION_COUNT;
    if (first != CQL_OPTION_COLORIZE && first != CQL_OPTION_UTF8)
        cql_print_version(stdout);
    if (count == 0) {
        cql_print_help(stdout);
        return 0;
    }
    if (first != CQL_OPTION_COUNT && cql_option_info[first].kind == CQL_KIND_CONVERSION)
        return cql_convert(first, count, argument);
    CqlRun r = {.arena = arena_new()};
    bool good = run(&r, count, argument);
    regex_free(r.player);
    arena_free(r.arena);
    return good ? 0 : 1;
}
