// Reading a query for an editor: with a large stack, and limits on memory and time.
#include "internal.h"

#ifdef CQL_HAS_JSON
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "compiler/api/query.h"
#include "runtime/search/budget.h"
#include "runtime/value/memory.h"
#include "runtime/value/unicode.h"

enum { STACK = 64 << 20 }; // unused memory costs nothing
enum { MOST_SECONDS = 10 };

typedef struct Job {
    CompileOptions options;
    EditorWork *work;
    Account account;
    Compiled compiled;
    bool good;
} Job;

static void work_within(void *user)
{
    Job *job = user;
    job->work(&job->compiled, &job->options);
}

static void *work_in_thread(void *user)
{
    Job *job = user;
    MemoryEscape escape;
    if (setjmp(escape.jump) != 0)
        return NULL;
    memory_escape_begin(&escape);
    if (compile_within(&job->options, "query", work_within, job))
        compiled_free(&job->compiled);
    account_close(&job->account);
    job->good = true;
    memory_escape_end(&escape);
    return NULL;
}

static void show_nothing(void *user, const Diagnostics *d)
{
    (void)user;
    (void)d;
}

static void fail_quietly(void *user, const char *message)
{
    (void)user;
    (void)message;
}

bool editor_work(const EditorQuery *query, CompileOptions options, EditorWork *work)
{
    struct timespec now;
    pthread_t thread;
    clock_gettime(CLOCK_MONOTONIC, &now);
    Job job = {
        options, work, {.most = search_memory_of_queries(0), .end = now.tv_sec + MOST_SECONDS}, {0}, false};
    job.options.show = options.show ? options.show : show_nothing;
    job.options.fail = options.fail ? options.fail : fail_quietly;
    job.options.optimize = job.options.warn = job.options.runs_elsewhere = true;
    job.options.variations = -1;
    job.options.dialect = query->dialect;
    job.options.account = &job.account;
    if (thread_start(&thread, STACK, work_in_thread, &job) != 0)
        return false;
    pthread_join(thread, NULL);
    return job.good;
}

bool editor_read(Compiled *compiled, const EditorQuery *query, const CompileOptions *options)
{
    const Source whole = {"query", query->text, strlen(query->text), NULL};
    CompileOptions own = *options;
    const bool as_file = query->is_file || compile_has_header(query->text);
    if (as_file)
        own.file = &whole;
    return compile_read(compiled, "query", as_file ? NULL : query->text, &own);
}

json_t *editor_string(const char *text, size_t length)
{
    Buffer own = {0};
    unicode_append(&own, text, length);
    json_t *string = json_stringn(own.length > 0 ? own.start : "", own.length);
    buffer_free(&own);
    return string;
}

#endif
