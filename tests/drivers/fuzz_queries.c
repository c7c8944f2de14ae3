// Damages queries at random and compiles and runs them: nothing may crash or hang, what one stage accepts the
// next must be able to handle, and the interpreter and libtcc must agree on the queries that remain valid.
//
//     fuzz_queries [--mutants N] [--seed N] [--seconds S] [--keep FOLDER] GAMES.pgn... QUERY.cql...
//
// The query files are the seeds. They are tried unchanged first, then N mutants of them. The text says which
// dialect it is, as for `cqlgen search`; half of the mutants are read by the parser of some dialect, whatever
// they say. A case that fails is kept as FOLDER/failed-N.cql (default: nowhere). `--seconds` is the longest
// time for one case. Prints `N passed, N failed`.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/cli/cli.h"
#include "compiler/front/detect/dialect.h"
#include "compiler/middle/lower/lower.h"
#include "compiler/middle/transform/transforms.h"
#include "compiler/middle/optimise/optimise.h"
#include "runtime/match/run.h"
#include "tests/tools/query_mutator.h"

enum { MAX_GAMES = 4, STEPS = 20000, MAX_FAILURES = 200, MAX_RESIDENT_KB = 3 << 20 };

// What the process that tries the cases reports to the one that watches it.
typedef struct Progress {
    long next; // the case that is being tried
    long passed, failed, accepted;
    char reason[300];
} Progress;

typedef struct Fuzz {
    long mutants;
    uint64_t seed;
    int seconds;
    const char *keep;
    char files[40]; // folder for readfile and writefile
    FILE *nowhere;
    Text *query;
    long query_count;
    Game game[MAX_GAMES];
    Text text[MAX_GAMES];
    int game_count;
    Progress *progress;
} Fuzz;

// ---- one case ---------------------------------------------------------------------------------------------

// What one engine found in one game.
typedef struct Found {
    bool matched, failed, out_of_steps;
    int32_t hits;
    uint64_t hash;
} Found;

static bool fail(Fuzz *f, const char *format, const char *detail)
{
    snprintf(f->progress->reason, sizeof f->progress->reason, format, detail);
    return false;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ b[i]) * 0x100000001B3ULL;
    return hash;
}

static Found found_of(const RunResult *r)
{
    Found found = {r->matched, r->error != NULL, r->error && strstr(r->error, "step"), 0,
                   0xCBF29CE484222325ULL};
    if (r->error || !r->matched)
        return found;
    found.hits = r->hit_count;
    found.hash = mix(found.hash, r->hit, (size_t)r->hit_count * sizeof *r->hit);
    for (int i = 0; i < r->log_count; i++)
        found.hash = mix(found.hash, r->log[i].text->bytes, r->log[i].text->length);
    return found;
}

// Runs the query over all games. A regular expression that the host refuses counts as refused, not as failed.
static bool run_games(Fuzz *f, const QueryInfo *query, Found *found)
{
    RunOptions options = {.max_steps = STEPS, .comments = true, .allow_files = f->files};
    char *message = NULL;
    Run *run = run_new(query, &options, NULL, &message);
    const bool refused = message != NULL;
    free(message);
    if (!run)
        return refused ? true : fail(f, "%s", "run_new gave no message");
    for (int g = 0; g < f->game_count; g++) {
        RunResult result;
        found[g] = (Found){0};
        if (f->game[g].skipped || !run_game_test(run, &f->game[g]))
            continue;
        run_game(run, &f->game[g], &result);
        found[g] = found_of(&result);
    }
    run_print_persistent(run, f->nowhere);
    run_free(run);
    return true;
}

static bool run_engine(Fuzz *f, Module *module, EngineKind kind, Found *found)
{
    Engine engine;
    EngineOptions options = {.no_cache = true};
    char *message = NULL;
    if (!engine_open(&engine, kind, &module, 1, &options, &message)) {
        fail(f, "engine_open: %s", message ? message : "no message");
        free(message);
        return false;
    }
    bool good = run_games(f, &engine.matcher->query[0], found);
    engine_close(&engine);
    return good;
}

static bool run_engines(Fuzz *f, Module *module)
{
    Found interp[MAX_GAMES] = {0}, tcc[MAX_GAMES] = {0};
    if (!run_engine(f, module, ENGINE_INTERP, interp) || !run_engine(f, module, ENGINE_TCC, tcc))
        return false;
    for (int g = 0; g < f->game_count; g++) {
        const Found *a = &interp[g], *b = &tcc[g];
        if (a->out_of_steps || b->out_of_steps)
            break; // from here on persistent values may differ
        if (a->matched != b->matched || a->failed != b->failed || a->hits != b->hits || a->hash != b->hash)
            return fail(f, "%s", "the interpreter and tcc disagree");
    }
    return true;
}

static bool emits(Fuzz *f, Module *module)
{
    for (HeaderForm header = HEADER_INCLUDED; header <= HEADER_BARE; header++) {
        size_t length = 0;
        char *c = emit_c(&module, 1, header, &length, NULL);
        bool good = c && strlen(c) == length;
        free(c);
        if (!good)
            return fail(f, "%s", "emit_c: NUL bytes or a wrong length");
    }
    return true;
}

static bool spans_are_sound(Fuzz *f, const Diagnostics *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->list[i].span.start > d->list[i].span.end || d->list[i].span.end > d->source->length)
            return fail(f, "a message points outside of the query: %s", d->list[i].message);
    return true;
}

// Compiles as cqlgen does; *module is NULL when the query is refused, which needs a message.
static bool compile(Fuzz *f, Arena *arena, const Source *source, Dialect dialect, bool optimized,
                    Module **module)
{
    Diagnostics d = {.arena = arena, .source = source};
    ParseOptions parse = {.variations = -1};
    LowerOptions lower = {.optimize = optimized, .variations = -1};
    *module = NULL;
    Query *query = parse_any(arena, source, dialect, &parse, &d, NULL, NULL);
    bool good = query && transform_query(query, &d) && d.errors == 0;
    if (good) {
        *module = lower_query(query, &lower, &d);
        if (!*module != (d.errors > 0))
            return fail(f, "%s", "lower_query: result and errors do not agree");
    }
    diag_print(&d, f->nowhere, true);
    if (!*module && d.errors == 0)
        return fail(f, "%s", "refused without a message");
    const char *wrong = *module ? ir_verify(*module) : NULL;
    if (wrong)
        return fail(f, "after lowering: %s", wrong);
    if (*module && optimized) {
        optimise(*module, NULL, NULL);
        wrong = ir_verify(*module);
    }
    if (wrong)
        return fail(f, "after optimise: %s", wrong);
    return spans_are_sound(f, &d);
}

static bool try_query(Fuzz *f, Text text, Dialect dialect, bool optimized)
{
    Arena *arena = arena_new();
    Source source = {"mutant */ \"%s\" \\", arena_copy(arena, text.start, text.length), text.length, NULL};
    Module *module;
    bool good = compile(f, arena, &source, dialect, optimized, &module);
    if (good && module) {
        f->progress->accepted++;
        good = emits(f, module) && run_engines(f, module);
    }
    arena_free(arena);
    struct rusage usage;
    if (good && getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss > MAX_RESIDENT_KB)
        return fail(f, "%s", "needs more than 3 GB of memory");
    return good;
}

// ---- all cases --------------------------------------------------------------------------------------------

// The text of case n: a seed, or a mutant of one.
static void make_case(const Fuzz *f, long n, Buffer *out)
{
    out->length = 0;
    if (n < f->query_count) {
        buffer_append(out, f->query[n].start, f->query[n].length);
        return;
    }
    uint64_t seed = f->seed * 1000003 + (uint64_t)n, pick = seed * 0xD1B54A32D192ED03ULL;
    Text query = f->query[(pick >> 20) % (uint64_t)f->query_count];
    mutate_query(seed, query, f->query[(pick >> 40) % (uint64_t)f->query_count], out);
}

static Dialect dialect_of_case(const Fuzz *f, long n)
{
    static const Dialect forced[] = {DIALECT_CQL6, DIALECT_CQLI, DIALECT_CQL5, DIALECT_CQL51, DIALECT_CQL3};
    const bool chosen = n >= f->query_count && n % 2 == 0;
    return chosen ? forced[n / 2 % (long)(sizeof forced / sizeof *forced)] : DIALECT_NONE;
}

static void report(const Fuzz *f, long n, const char *reason)
{
    printf("case %ld (dialect %s): %s\n", n, dialect_name(dialect_of_case(f, n)), reason);
    fflush(stdout);
    char name[600];
    if (!f->keep || snprintf(name, sizeof name, "%s/failed-%ld.cql", f->keep, n) >= (int)sizeof name)
        return;
    Buffer text = {0};
    make_case(f, n, &text);
    FILE *file = fopen(name, "wb");
    if (file) {
        fwrite(text.start, 1, text.length, file);
        fclose(file);
    }
    buffer_free(&text);
}

static void try_cases(Fuzz *f)
{
    Progress *p = f->progress;
    Buffer text = {0};
    for (; p->next < f->query_count + f->mutants; p->next++) {
        make_case(f, p->next, &text);
        alarm((unsigned)f->seconds);
        bool good = try_query(f, (Text){text.start ? text.start : "", text.length},
                              dialect_of_case(f, p->next), p->next % 4 != 3);
        alarm(0);
        p->passed += good;
        p->failed += !good;
        if (!good)
            report(f, p->next, p->reason);
    }
    buffer_free(&text);
}

// Tries the cases in processes of their own; one that dies is replaced, beginning with the next case.
static void watch(Fuzz *f)
{
    Progress *p = f->progress;
    long end = f->query_count + f->mutants;
    while (p->next < end && p->failed < MAX_FAILURES) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            try_cases(f);
            exit(0); // not _exit: the leak checker runs at exit
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0) {
            perror("fuzz_queries");
            exit(2);
        }
        if (status == 0)
            continue;
        char reason[80];
        if (p->next == end)
            snprintf(reason, sizeof reason, "exit status %d after the last case (memory not freed?)",
                     WEXITSTATUS(status));
        else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
            snprintf(reason, sizeof reason, "not ready after %d s", f->seconds);
        else if (WIFSIGNALED(status))
            snprintf(reason, sizeof reason, "killed by signal %d", WTERMSIG(status));
        else
            snprintf(reason, sizeof reason, "ended with status %d", WEXITSTATUS(status));
        p->failed++;
        report(f, p->next < end ? p->next : end - 1, reason);
        p->next++;
    }
    if (p->failed >= MAX_FAILURES)
        printf("stopped after %d failures\n", MAX_FAILURES);
}

// ---- start ------------------------------------------------------------------------------------------------

static Text read_file(const char *name)
{
    Buffer b = {0};
    char piece[65536];
    FILE *file = fopen(name, "rb");
    if (!file) {
        fprintf(stderr, "fuzz_queries: cannot read %s: %s\n", name, strerror(errno));
        exit(2);
    }
    for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;)
        buffer_append(&b, piece, n);
    fclose(file);
    return (Text){b.start, b.length};
}

static int64_t read_text(void *user, void *buffer, size_t size)
{
    Text *rest = user;
    size_t n = rest->length < size ? rest->length : size;
    memcpy(buffer, rest->start, n);
    rest->start += n;
    rest->length -= n;
    return (int64_t)n;
}

static void add_games(Fuzz *f, const char *name)
{
    Text all = read_file(name), rest = all;
    PgnSplitter *splitter = pgn_split_open(read_text, &rest, NULL, NULL);
    GameText game;
    while (f->game_count < MAX_GAMES && pgn_split_next(splitter, &game)) {
        int k = f->game_count++;
        char *copy = malloc(game.text.length + 1);
        if (!copy)
            abort();
        memcpy(copy, game.text.start, game.text.length);
        game.text.start = copy;
        f->text[k] = game.text;
        game_init(&f->game[k]);
        game_parse(&f->game[k], &game, PARSE_NOTES | PARSE_CLOCKS | PARSE_VARIATIONS, NULL, NULL);
        f->game[k].view.number = f->game[k].view.last_number = k + 1;
    }
    pgn_split_close(splitter);
    free((char *)all.start);
}

static bool read_options(Fuzz *f, int count, char **argument)
{
    for (int i = 1; i < count; i++) {
        const char *word = argument[i], *value = i + 1 < count ? argument[i + 1] : "";
        size_t length = strlen(word);
        bool option = strncmp(word, "--", 2) == 0;
        i += option;
        if (option && strcmp(word, "--mutants") == 0)
            f->mutants = strtol(value, NULL, 10);
        else if (option && strcmp(word, "--seed") == 0)
            f->seed = strtoull(value, NULL, 10);
        else if (option && strcmp(word, "--seconds") == 0)
            f->seconds = atoi(value);
        else if (option && strcmp(word, "--keep") == 0)
            f->keep = value;
        else if (option)
            return false;
        else if (length > 4 && strcmp(word + length - 4, ".pgn") == 0)
            add_games(f, word);
        else
            f->query[f->query_count++] = read_file(word);
    }
    return f->query_count > 0;
}

static void remove_folder(const char *folder)
{
    char command[80];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        fprintf(stderr, "fuzz_queries: cannot remove %s\n", folder);
}

int main(int count, char **argument)
{
    Fuzz f = {.mutants = 1000,
              .seconds = 20,
              .files = "/tmp/cqlgen-fuzz-XXXXXX",
              .nowhere = fopen("/dev/null", "w")};
    f.query = calloc((size_t)count, sizeof *f.query);
    f.progress = mmap(NULL, sizeof *f.progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!f.query || !f.nowhere || f.progress == MAP_FAILED || !mkdtemp(f.files)) {
        perror("fuzz_queries");
        return 2;
    }
    if (!read_options(&f, count, argument)) {
        fputs("usage: fuzz_queries [--mutants N] [--seed N] [--seconds S] [--keep FOLDER] GAMES.pgn... "
              "QUERY.cql...\n",
              stderr);
        return 2;
    }
    watch(&f);
    remove_folder(f.files);
    printf("%ld queries accepted\n%ld passed, %ld failed\n", f.progress->accepted, f.progress->passed,
           f.progress->failed);
    int status = f.progress->failed > 0;
    for (long i = 0; i < f.query_count; i++)
        free((char *)f.query[i].start);
    for (int i = 0; i < f.game_count; i++) {
        game_free(&f.game[i]);
        free((char *)f.text[i].start);
    }
    free(f.query);
    fclose(f.nowhere);
    return status;
}
