// Compiles and loads queries for other programs.
#include "query.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "options.h"
#include "runtime/search/budget.h"
#include "runtime/value/memory.h"

enum { COMPILE_STACK = 64 << 20 }; // whatever the stack of the caller; unused memory costs nothing

const char *cql_version(void)
{
    return CQLGEN_VERSION;
}

int32_t cql_api_version(void)
{
    return CQL_API_VERSION;
}

void cql_free(void *memory)
{
    free(memory);
}

int thread_start(pthread_t *id, size_t stack, void *(*function)(void *), void *user)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t blocked, before;
    pthread_attr_t attributes;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&blocked, own[i]);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    const int error = pthread_create(id, &attributes, function, user);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

// ---- life -------------------------------------------------------------------------------------------------

CqlQuery *query_keep(CqlQuery *query)
{
    atomic_fetch_add(&query->references, 1);
    return query;
}

void query_release(CqlQuery *query)
{
    if (atomic_fetch_sub(&query->references, 1) > 1)
        return;
    hosts_free(query);
    engine_close(&query->engine);
    group_spec_free(&query->spec);
    for (int i = 0; i < query->count && query->compiled; i++)
        compiled_free(&query->compiled[i]);
    account_close(&query->account);
    free(query->compiled);
    free(query->module);
    free(query->cc);
    free(query->among);
    free(query->player);
    free(query);
}

void cql_query_free(CqlQuery *query)
{
    if (query)
        query_release(query);
}

// ---- compiling --------------------------------------------------------------------------------------------

// One call of cql_compile_sources, in a thread with a large stack, or of cql_load.
typedef struct Work {
    const char *path; // of cql_load
    const CqlSource *source;
    size_t count;
    const CqlCompileOptions *given;
    CqlSource *named; // the source of cql_compile, which the options name; otherwise NULL
    CqlCompileOptions options;
    CqlMessages *messages;
    CqlQuery *query;
    bool good, out_of_memory;
} Work;

static void note_diagnostics(void *user, const Diagnostics *d)
{
    const Work *work = user;
    messages_diagnostics(work->messages, d);
}

static void note_failure(void *user, const char *text)
{
    const Work *work = user;
    messages_fail(work->messages, text);
}

static CompileOptions compile_options(Work *work)
{
    const CqlCompileOptions *o = &work->options;
    return (CompileOptions){.optimize = !o->no_optimize,
                            .fold = o->engine != CQL_ENGINE_INTERP,
                            .variations = o->variations == 0 ? -1 : o->variations > 0,
                            .dialect = o->dialect,
                            .pedantic = o->pedantic != 0,
                            .secure = o->secure != 0,
                            .variants = o->variants > 0,
                            .no_variants = o->variants < 0,
                            .syzygy = o->syzygy,
                            .syzygy_option = "`syzygy`",
                            .diagrams = !o->no_squares,
                            .count_by = work->query->spec.count > 0 ? &work->query->spec : NULL,
                            .warn = true,
                            .account = &work->query->account,
                            .memory_option = "`memory`",
                            .show = note_diagnostics,
                            .fail = note_failure,
                            .user = work};
}

static const char *name_of(const CqlSource *source)
{
    return source->name ? source->name : "query";
}

static bool compile_one(Work *work, int i)
{
    const CqlSource *source = &work->source[i];
    CompileOptions options = compile_options(work);
    Source whole = {name_of(source), source->text, source->text ? strlen(source->text) : 0, NULL};
    const bool has = source->text && compile_has_header(source->text);
    if (has)
        options.file = &whole;
    const char *text = has ? NULL : source->text;
    return compile_query(&work->query->compiled[i], name_of(source), text, &options);
}

static void open_engine(void *user)
{
    Work *work = user;
    CqlQuery *query = work->query;
    static const EngineKind kinds[] = {[CQL_ENGINE_AUTO] = ENGINE_AUTO,
                                       [CQL_ENGINE_INTERP] = ENGINE_INTERP,
                                       [CQL_ENGINE_TCC] = ENGINE_TCC,
                                       [CQL_ENGINE_CC] = ENGINE_CC};
    const EngineKind kind = kinds[work->options.engine];
    char *message = NULL;
    work->good =
        engine_open(&query->engine, kind, query->module, query->count, &query->engine_options, &message);
    if (!work->good)
        messages_fail(work->messages, message ? message : "the query could not be prepared to run");
    free(message);
    query->may_upgrade = kind == ENGINE_AUTO;
}

static bool compile_all(Work *work)
{
    CqlQuery *query = work->query;
    bool good = true;
    for (int i = 0; i < query->count; i++) {
        good &= compile_one(work, i);
        query->module[i] = query->compiled[i].module;
    }
    const CompileOptions options = compile_options(work);
    return good && compile_within(&options, name_of(&work->source[0]), open_engine, work) && work->good;
}

static void *compile_work(void *user)
{
    Work *work = user;
    MemoryEscape escape;
    if (setjmp(escape.jump) != 0) {
        work->out_of_memory = true;
        return NULL;
    }
    memory_escape_begin(&escape);
    work->good = compile_all(work);
    memory_escape_end(&escape);
    return NULL;
}

static CqlQuery *query_new(size_t count)
{
    CqlQuery *query = memory_zeroed(1, sizeof *query);
    query->references = 1;
    query->count = (int)count;
    atomic_flag_clear(&query->upgrading);
    pthread_mutex_init(&query->hosts_mutex, NULL);
    return query;
}

// What is wrong with what the caller gave, or NULL.
static char *check_sources(const CqlSource *source, size_t count)
{
    if (count == 0 || count > INT16_MAX)
        return memory_format("expected 1 to %d queries, not %zu", INT16_MAX, count);
    if (!source)
        return memory_format("`source` is NULL, but `count` is %zu", count);
    for (size_t i = 0; i < count; i++)
        if (!source[i].name && !source[i].text)
            return memory_format("`source[%zu]` has neither a text nor the name of a file", i);
    return NULL;
}

static char *check_options(const CqlCompileOptions *o)
{
    const OptionRange range[] = {{"engine", o->engine, CQL_ENGINE_AUTO, CQL_ENGINE_CC},
                                 OPTION_FROM_0(o, memory)};
    if (o->dialect && dialect_from_name(o->dialect, strlen(o->dialect)) == DIALECT_NONE)
        return memory_format("unknown dialect `%.40s`; expected `cql6`, `cqli`, `cql5` or `cql3`",
                             o->dialect);
    return options_check(range, sizeof range / sizeof *range);
}

static char *copy_of(const char *text)
{
    return text ? memory_copy(text, strlen(text)) : NULL;
}

static bool read_keys(Work *work)
{
    const CqlCompileOptions *o = &work->options;
    CqlQuery *query = work->query;
    GroupSpec *spec = &query->spec;
    if (!o->count_by)
        return true;
    char *wrong = group_spec_read(spec, o->count_by);
    spec->per_position = o->per_position != 0;
    spec->among = query->among = copy_of(o->among);
    spec->player = query->player = copy_of(o->player);
    query->measures = o->measure != NULL;
    wrong = wrong ? wrong : group_measures_read(spec, o->measure);
    wrong = wrong ? wrong : group_spec_check(spec);
    if (wrong)
        messages_fail(work->messages, wrong);
    free(wrong);
    return wrong == NULL;
}

static bool compile_in_thread(Work *work)
{
    const size_t count = work->count;
    const CqlCompileOptions *o = &work->options;
    pthread_t thread;
    CqlQuery *query = work->query = query_new(count);
    query->compiled = memory_zeroed(count, sizeof *query->compiled);
    query->module = memory_zeroed(count, sizeof *query->module);
    query->squares = !o->no_squares;
    query->account.most = o->memory > 0 ? (size_t)o->memory : search_memory_of_queries(0);
    query->cc = o->cc ? memory_copy(o->cc, strlen(o->cc)) : NULL;
    query->engine_options = (EngineOptions){.cc = query->cc, .no_cache = o->no_cache != 0};
    if (!read_keys(work))
        return false;
    if (thread_start(&thread, COMPILE_STACK, compile_work, work) == 0)
        pthread_join(thread, NULL);
    else
        messages_fail(work->messages, "cannot start a thread");
    if (work->out_of_memory)
        memory_exhausted();
    return work->good;
}

// Takes the options; false, with a message, when something that the caller gave is wrong.
static bool take_options(Work *work)
{
    char *wrong = options_take(&work->options, sizeof work->options, work->given, "CqlCompileOptions");
    if (!wrong && work->named && !work->source->text)
        wrong = memory_format("`text` is NULL; expected a query");
    if (!wrong && work->named)
        work->named->name = work->options.name;
    if (!wrong)
        wrong = check_sources(work->source, work->count);
    if (!wrong)
        wrong = check_options(&work->options);
    if (wrong)
        messages_fail(work->messages, wrong);
    free(wrong);
    return wrong == NULL;
}

static bool compile_given(Work *work)
{
    return take_options(work) && compile_in_thread(work);
}

static bool load_given(Work *work)
{
    char *message = NULL;
    if (!work->path) {
        messages_fail(work->messages, "`matcher_path` is NULL; expected the name of a file");
        return false;
    }
    work->query = query_new(0);
    work->query->squares = true;
    const bool good = engine_load(&work->query->engine, work->path, &message);
    if (!good)
        messages_fail(work->messages, message ? message : "the matcher cannot be loaded");
    free(message);
    return good;
}

// Sets *messages and returns the query, or NULL. Everything is in *work, which the escape finds again.
static CqlQuery *make_query(Work *work, bool (*make)(Work *work), CqlMessages **messages)
{
    MemoryEscape escape;
    if (setjmp(escape.jump) != 0) {
        if (messages)
            *messages = messages_of_memory();
        return NULL;
    }
    memory_escape_begin(&escape);
    work->messages = messages_new();
    const bool good = make(work);
    memory_escape_end(&escape);
    messages_give(work->messages, messages);
    if (good)
        return work->query;
    if (work->query)
        query_release(work->query);
    return NULL;
}

CqlQuery *cql_compile_sources(const CqlSource *source, size_t count, const CqlCompileOptions *given,
                              CqlMessages **messages)
{
    Work work = {.source = source, .count = count, .given = given};
    return make_query(&work, compile_given, messages);
}

CqlQuery *cql_compile(const char *text, const CqlCompileOptions *given, CqlMessages **messages)
{
    CqlSource source = {.text = text};
    Work work = {.source = &source, .count = 1, .named = &source, .given = given};
    return make_query(&work, compile_given, messages);
}

CqlQuery *cql_load(const char *matcher_path, CqlMessages **messages)
{
    Work work = {.path = matcher_path};
    return make_query(&work, load_given, messages);
}

// ---- about queries ----------------------------------------------------------------------------------------

static const QueryInfo *info(const CqlQuery *query, int32_t i)
{
    return query && i >= 0 && (uint32_t)i < query->engine.matcher->query_count
               ? &query->engine.matcher->query[i]
               : NULL;
}

int32_t cql_query_count(const CqlQuery *query)
{
    return query ? (int32_t)query->engine.matcher->query_count : 0;
}

const char *cql_query_name(const CqlQuery *query, int32_t i)
{
    return info(query, i) ? info(query, i)->name : NULL;
}

const char *cql_query_dialect(const CqlQuery *query, int32_t i)
{
    return !info(query, i) ? NULL : i < query->count ? dialect_name(query->compiled[i].dialect) : "";
}

int32_t cql_query_sort_count(const CqlQuery *query, int32_t i)
{
    return info(query, i) ? info(query, i)->sort_key_count : 0;
}

const char *cql_query_sort_title(const CqlQuery *query, int32_t i, int32_t key)
{
    return key >= 0 && key < cql_query_sort_count(query, i) ? info(query, i)->sort_key[key].name : NULL;
}
