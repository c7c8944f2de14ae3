// Searches as bytes: texts with their lengths, numbers as texts.
#include "job.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/database/spelling.h"
#include "runtime/format/format.h"
#include "runtime/game/openings.h"
#include "runtime/search/fingerprint.h"
#include "runtime/search/output_name.h"
#include "runtime/value/memory.h"

// ---- writing ----------------------------------------------------------------------------------------------

static void put(Buffer *out, const char *text, size_t length)
{
    buffer_format(out, "%zu:", length);
    buffer_append(out, text, length);
}

static void put_text(Buffer *out, const char *text)
{
    put(out, text, strlen(text));
}

static void put_number(Buffer *out, long long value)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", value);
    put_text(out, text);
}

static void put_option(Buffer *out, const char *name, const char *value)
{
    char *word = memory_format("--%s=%s", name, value);
    put_text(out, word);
    free(word);
}

// What the results depend on.
static const OptionId decisive[] = {
    OPTION_DIALECT,    OPTION_VARIANTS,    OPTION_NO_VARIANTS,    OPTION_PEDANTIC,      OPTION_VARIATIONS,
    OPTION_MAINLINE,   OPTION_LIMIT,       OPTION_GAMES,          OPTION_BAD_START,     OPTION_MAX_STEPS,
    OPTION_OUTPUT_DIR, OPTION_ALLOW_FILES, OPTION_ALLOW_COMMANDS, OPTION_FIELDS,        OPTION_FIRST,
    OPTION_CONTEXT,    OPTION_CSV_SAFE,    OPTION_COUNT_BY,       OPTION_OF_ALL,        OPTION_ORDER,
    OPTION_PER,        OPTION_MEASURE,     OPTION_AMONG,          OPTION_SCORED_PLAYER, OPTION_WHERE,
    OPTION_SAMPLE,     OPTION_OPENINGS,    OPTION_SPELLING,       OPTION_WRITE_UTF8,    OPTION_TITLE,
    OPTION_NO_QUERY,   OPTION_QUIZ,        OPTION_WORKSHEET};
// What another process must know besides.
static const OptionId other[] = {OPTION_ENGINE,       OPTION_THREADS,
                                 OPTION_NO_OPTIMIZE,  OPTION_MAX_SECONDS,
                                 OPTION_MAX_MEMORY,   OPTION_PIPETIMEOUT,
                                 OPTION_NO_PREFILTER, OPTION_NO_CACHE,
                                 OPTION_STRICT,       OPTION_SKIPUNKNOWNVARIANTS,
                                 OPTION_SYZYGY};
enum { DECISIVE = sizeof decisive / sizeof *decisive, OTHER = sizeof other / sizeof *other };

// Appends those of the options that are given; returns their number.
static int put_given(Buffer *out, const Arguments *a, const OptionId *id, int count)
{
    int given = 0;
    for (int i = 0; i < count; i++) {
        const OptionInfo *o = &option_info[id[i]];
        const char *value = a->value[id[i]], *last = strrchr(o->names, ' ');
        if (!value)
            continue;
        const char *name = last ? last + 1 : o->names;
        char *word = memory_format("--%s%s%s", name, o->form == FORM_NONE ? "" : "=", value);
        put_text(out, word);
        free(word);
        given++;
    }
    return given;
}

static void put_options(Buffer *out, const Arguments *a, const SearchOptions *search, bool whole)
{
    // Who searches finds out to which of several files a game goes. The output of a part is that part.
    const bool split = search->output && output_name_has_tags(search->output) && !a->value[OPTION_PART];
    Buffer words = {0};
    int count = 1 + split + 2 * a->alias_count;
    put_option(&words, "format", format_info[search->format].name);
    if (split)
        put_option(&words, "output", search->output);
    for (int i = 0; i < a->alias_count; i++) {
        put_option(&words, "variantalias", a->alias[i].name);
        put_text(&words, a->alias[i].alias);
    }
    count += put_given(&words, a, decisive, DECISIVE);
    if (whole)
        count += put_given(&words, a, other, OTHER);
    put_number(out, count);
    buffer_append(out, words.start, words.length);
    buffer_free(&words);
}

const char *job_put_files(Buffer *files, const CompiledAll *all, const SearchOptions *search)
{
    Fingerprint print;
    for (size_t i = 0; i < search->input_count; i++) {
        if (search->shard)
            print = search->shard[i].file;
        else if (!fingerprint_of(search->input[i], &print))
            return search->input[i];
        fingerprint_put(files, search->input[i], &print);
    }
    for (int i = 0; i < all->count; i++) {
        const char *name = all->compiled[i].module->info.similar_file;
        if (name && !fingerprint_of(name, &print))
            return name;
        if (name)
            fingerprint_put(files, name, &print);
    }
    const char *tables[] = {search->run.openings ? openings_file(search->run.openings) : NULL,
                            search->run.spelling ? spelling_file(search->run.spelling) : NULL};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (tables[i] && !fingerprint_of(tables[i], &print))
            return tables[i];
        if (tables[i])
            fingerprint_put(files, tables[i], &print);
    }
    return NULL;
}

void job_put(Buffer *out, const Arguments *a, const CompiledAll *all, const SearchOptions *search,
             const Buffer *files)
{
    put_text(out, CQLGEN_VERSION);
    put_options(out, a, search, files != NULL);
    put_number(out, all->count);
    for (int i = 0; i < all->count; i++) {
        const Compiled *c = &all->compiled[i];
        put_text(out, c->from_expression ? "expression" : "file");
        put_text(out, c->source.name);
        put(out, c->source.text, c->own_length);
    }
    put_number(out, (long long)search->input_count);
    for (size_t i = 0; i < search->input_count; i++)
        put_text(out, search->input[i]);
    if (files)
        put(out, files->start, files->length);
}

// ---- reading ----------------------------------------------------------------------------------------------

typedef struct Reader {
    Arena *arena;
    const char *at, *end;
    bool bad;
} Reader;

// The next text, followed by a NUL.
static char *get(Reader *r, size_t *length)
{
    unsigned long long size = 0;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && size < (1ULL << 40))
        size = size * 10 + (unsigned long long)(*r->at++ - '0');
    r->bad |= r->at == r->end || *r->at != ':' || size > (size_t)(r->end - r->at - 1);
    *length = r->bad ? 0 : (size_t)size;
    char *text = arena_copy(r->arena, r->bad ? "" : r->at + 1, *length);
    r->at += r->bad ? 0 : 1 + *length;
    return text;
}

static char *get_text(Reader *r)
{
    size_t length;
    return get(r, &length);
}

// A number of items that have at least two bytes each.
static int get_count(Reader *r)
{
    const long long count = atoll(get_text(r));
    r->bad |= count < 0 || count > (r->end - r->at) / 2;
    return r->bad ? 0 : (int)count;
}

static void get_queries(Reader *r, Job *job)
{
    job->query_count = get_count(r);
    job->query = arena_alloc(job->arena, (size_t)job->query_count * sizeof *job->query);
    for (int i = 0; i < job->query_count; i++) {
        JobQuery *query = &job->query[i];
        query->from_expression = strcmp(get_text(r), "expression") == 0;
        query->source.name = get_text(r);
        query->source.text = get(r, &query->source.length);
    }
}

bool job_get(Job *job, const char *bytes, size_t length)
{
    *job = (Job){.arena = arena_new()};
    Reader r = {job->arena, bytes, bytes + length, false};
    if (strcmp(get_text(&r), CQLGEN_VERSION) != 0)
        return false;
    job->word_count = get_count(&r);
    job->word = arena_alloc(job->arena, (size_t)job->word_count * sizeof *job->word);
    for (int i = 0; i < job->word_count; i++)
        job->word[i] = get_text(&r);
    get_queries(&r, job);
    job->input_count = (size_t)get_count(&r);
    job->input = arena_alloc(job->arena, job->input_count * sizeof *job->input);
    for (size_t i = 0; i < job->input_count; i++)
        job->input[i] = get_text(&r);
    if (r.at < r.end)
        job->files.start = get(&r, &job->files.length);
    return !r.bad;
}

void job_free(Job *job)
{
    arena_free(job->arena);
}

bool job_compile(const Job *job, CompiledAll *all, const CompileOptions *options)
{
    bool good = true;
    all->count = job->query_count;
    all->compiled = memory_zeroed((size_t)all->count, sizeof *all->compiled);
    all->module = memory_zeroed((size_t)all->count, sizeof *all->module);
    for (int i = 0; i < all->count; i++) {
        const JobQuery *query = &job->query[i];
        CompileOptions own = *options;
        own.file = query->from_expression ? NULL : &query->source;
        good &= compile_query(&all->compiled[i], query->source.name,
                              query->from_expression ? query->source.text : NULL, &own);
        all->module[i] = all->compiled[i].module;
    }
    return good;
}
