// Queries of all dialects, to IR and through the interpreter, over a few games: with and without the optimiser, and
// converted to CQL 6.2, they find the same.
//
// The first byte less '0' has the dialect in its lower three bits: detected, then those of enum Dialect. With 8 the C that is
// emitted for the query is looked at, too, which finds with libtcc what the interpreter finds; with 24 without the optimiser.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/api/compile.h"
#include "compiler/back/engine.h"
#include "compiler/convert/query.h"
#include "runtime/match/run.h"

enum { GAMES = 3, STEPS = 5000, MEMORY = 1 << 22, LONGEST = 1 << 14 };

static const char games_text[] = "[Event \"Fuzz\"]\n[White \"Smith, Ann\"]\n[Black \"Jones\"]\n[WhiteElo "
                                 "\"2100\"]\n[Date \"2001.05.??\"]\n"
                                 "[Result \"1-0\"]\n\n1. e4 {[%clk 0:10:00] good} e5 2. Nf3 Nc6 (2... d6 3. "
                                 "d4 exd4) 3. Bc4 Nd4? 4. Nxe5 Qg5 "
                                 "5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 1-0\n\n"
                                 "[FEN \"4k3/P6p/8/3pP3/8/8/1r5P/R3K2R w KQ d6 0 1\"]\n\n1. exd6 (1. O-O Rb8 "
                                 "2. axb8=Q+) 1... Rb1+ 2. Rxb1 h5 "
                                 "3. a8=N (3. a8=Q+ Kf7 4. O-O+) h4 4. d7+ Kxd7 1/2-1/2\n\n"
                                 "[FEN \"7k/8/6QK/8/8/8/8/8 b - - 0 1\"]\n\n*\n\n";

static Game game[GAMES];
static FILE *nowhere;

typedef struct Found {
    bool failed, out_of_steps;
    uint64_t hash, said; // of positions, of comments
} Found;

// The splitter stays open: the games are slices of its text.
static void read_once(void)
{
    static PgnBlock block;
    FuzzText text = {games_text, sizeof games_text - 1, 0, 0};
    if (nowhere)
        return;
    nowhere = fuzz_silence();
    PgnSplitter *splitter = pgn_split_open(fuzz_read_text, &text, NULL, NULL);
    if (!pgn_split_block(splitter, 1 << 20, &block) || block.count != GAMES)
        fuzz_fail("the games of the harness cannot be read");
    pgn_split_close(splitter);
    for (int i = 0; i < GAMES; i++) {
        game_init(&game[i]);
        game_parse(&game[i], &block.game[i], PARSE_NOTES | PARSE_CLOCKS | PARSE_VARIATIONS, NULL, NULL);
        game[i].view.number = game[i].view.last_number = i + 1;
    }
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ b[i]) * 0x100000001B3ULL;
    return hash;
}

// The games that the query finds. Once a game is too much for the budget, the rest may differ.
static Found search(Module *module, EngineKind kind)
{
    Found found = {.hash = 0xCBF29CE484222325ULL};
    const RunOptions options = {.max_steps = STEPS,
                                .max_depth = 200,
                                .memory = MEMORY,
                                .comments = true,
                                .allow_files = fuzz_folder()};
    Engine engine;
    char *wrong = NULL;
    char *message = NULL;
    if (!engine_open(&engine, kind, &module, 1, &(EngineOptions){.no_cache = true}, &wrong))
        fuzz_fail("engine_open: %s", wrong);
    Run *run = run_new(&engine.matcher->query[0], &options, NULL, &message);
    if (!run && !message)
        fuzz_fail("run_new gave no message");
    free(message);
    for (int i = 0; run && i < GAMES && !found.failed; i++) {
        RunResult r = {0};
        if (run_game_test(run, &game[i]))
            run_game(run, &game[i], &r);
        found.failed = r.error != NULL;
        found.out_of_steps = r.error && strstr(r.error, "step");
        if (r.error || !r.matched)
            continue;
        found.hash = mix(found.hash, &i, sizeof i);
        found.hash = mix(found.hash, r.hit, (size_t)r.hit_count * sizeof *r.hit);
        for (int k = 0; k < r.log_count; k++)
            found.said = mix(found.said, r.log[k].text->bytes, r.log[k].text->length);
    }
    if (run)
        run_print_persistent(run, nowhere);
    run_free(run);
    engine_close(&engine);
    return found;
}

static void show(void *user, const Diagnostics *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->list[i].span.start > d->list[i].span.end || d->list[i].span.end > d->source->length)
            fuzz_fail("a message points outside of the query: %s", d->list[i].message);
    *(int *)user += d->errors;
    diag_print(d, nowhere, true);
}

static void internal_error(void *user, const char *message)
{
    (void)user;
    fuzz_fail("%s", message);
}

static bool compile(Compiled *c, const Source *source, const char *dialect, bool optimize, bool secure)
{
    int errors = 0;
    const CompileOptions options = {.optimize = optimize,
                                    .warn = true,
                                    .variations = -1,
                                    .file = source,
                                    .dialect = dialect,
                                    .secure = secure,
                                    .show = show,
                                    .fail = internal_error,
                                    .user = &errors};
    const bool good = compile_query(c, source->name, NULL, &options);
    if (good == (errors > 0))
        fuzz_fail("result and errors do not agree");
    return good;
}

// What the query finds; false when it is refused.
static bool try(const Source *source, const char *dialect, bool optimize, Found *found)
{
    Compiled c;
    const bool good = compile(&c, source, dialect, optimize, true);
    if (good)
        *found = search(c.module, ENGINE_INTERP);
    compiled_free(&c);
    return good;
}

static void try_engines(const Source *source, const char *dialect, bool optimize)
{
    Compiled c;
    const bool good = compile(&c, source, dialect, optimize, false);
    for (HeaderForm header = HEADER_INCLUDED; good && header <= HEADER_BARE; header++) {
        size_t length = 0;
        char *text = emit_c(&c.module, 1, header, &length, NULL);
        if (!text || strlen(text) != length)
            fuzz_fail("emit_c: NUL bytes or a wrong length");
        free(text);
    }
    if (good) {
        const Found a = search(c.module, ENGINE_INTERP), b = search(c.module, ENGINE_TCC);
        if (!a.out_of_steps && !b.out_of_steps &&
            (a.failed != b.failed || a.hash != b.hash || a.said != b.said))
            fuzz_fail("the interpreter and tcc disagree");
    }
    compiled_free(&c);
}

// The query as CQL 6.2 in the arena; NULL: it cannot be converted. *sure: without a warning that results may differ.
static const char *convert(Arena *arena, const Source *source, const char *dialect, bool *sure)
{
    const CompileOptions options = {.variations = -1, .file = source, .dialect = dialect};
    Compiled c;
    const char *text = NULL;
    if (compile_read(&c, source->name, NULL, &options)) {
        Diagnostics d = {.arena = c.arena, .source = &c.source};
        text = print_query(c.query, c.dialect, &d);
        if (!text == (d.errors == 0))
            fuzz_fail("print_query: result and errors do not agree");
        *sure = d.count == 0;
    }
    if (text)
        text = arena_copy(arena, text, strlen(text));
    compiled_free(&c);
    return text;
}

static void try_converted(Arena *arena, const Source *source, const char *dialect, const Found *found)
{
    bool sure = false;
    const char *text = convert(arena, source, dialect, &sure);
    if (!text)
        return;
    const Source again = {"converted", text, strlen(text), NULL};
    Found converted;
    if (!try(&again, "cql6", true, &converted))
        return; // which `cqlgen convert` reports: CQLi has numbers as conditions, CQL 5 any bytes in comments
    if (sure && !found->failed && !converted.failed && found->hash != converted.hash)
        fuzz_fail("the converted query finds something else:\n%s", text);
    const char *twice = convert(arena, &again, "cql6", &sure);
    if (!twice || strcmp(text, twice) != 0)
        fuzz_fail("printing the converted query changes it:\n%s\n%s", text, twice ? twice : "(refused)");
}

void fuzz_query(const uint8_t *data, size_t size)
{
    const int bits = size > 0 ? data[0] - '0' : 0, choice = bits & 7;
    if (size == 0 || (size > LONGEST && !(bits & 8)))
        return;
    read_once();
    const char *dialect = choice >= 1 && choice <= 5 ? dialect_name((Dialect)(choice - 1)) : NULL;
    Arena *arena = arena_new();
    const Source source = {"fuzz */ \"%s\" \\", arena_copy(arena, (const char *)data + 1, size - 1), size - 1,
                           NULL};
    Found found, plain;
    if (bits & 8)
        try_engines(&source, dialect, !(bits & 16));
    if (size <= LONGEST && try(&source, dialect, true, &found)) {
        if (!try(&source, dialect, false, &plain))
            fuzz_fail("refused without the optimiser");
        if (!found.failed && !plain.failed && found.hash != plain.hash)
            fuzz_fail("the optimiser changes what the query finds");
        try_converted(arena, &source, dialect, &found);
    }
    arena_free(arena);
}
