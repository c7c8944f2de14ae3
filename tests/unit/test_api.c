// The interface for other programs (compiler/api/cqlgen.h).
#include "api_fixture.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/api/query.h"
#include "runtime/search/search.h"

static bool no_threads; // none can be started

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *user)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    return no_threads ? EAGAIN : create(id, attributes, function, user);
}

static CqlSearch *search(const char *query_text, const char *text)
{
    CqlQuery *query = compile(query_text);
    CqlSearch *s = search_with(query, text, (CqlSearchOptions){.threads = 2});
    cql_query_free(query);
    return s;
}

static void versions(void **state)
{
    (void)state;
    assert_string_equal(cql_version(), CQLGEN_VERSION);
    assert_int_equal(cql_api_version(), CQL_API_VERSION);
}

static void a_hit_has_everything(void **state)
{
    (void)state;
    const CqlGame *game;
    CqlSearch *s = search("sort \"men\" #A K attackedby q mate comment(\"end\")", games);
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    assert_int_equal(game->number, 1);
    assert_int_equal(game->number_in_file, 1);
    assert_int_equal(game->offset, 0);
    assert_string_equal(game->file, "memory.pgn");
    assert_string_equal(game->query_name, "query");
    assert_string_equal(game->tag[0].name, "Event");
    assert_string_equal(game->tag[0].value, "A");
    assert_int_equal(game->sort_count, 1);
    assert_string_equal(game->sort[0].title, "men");
    assert_int_equal(game->sort[0].number, 16);
    assert_null(game->sort[0].text);
    assert_null(game->pgn);
    assert_int_equal(game->hit_count, 1);
    const CqlHit *hit = game->hit[0];
    assert_int_equal(hit->position, 4);
    assert_int_equal(hit->ply, 4);
    assert_int_equal(hit->move_number, 2);
    assert_int_equal(hit->variation, 0);
    assert_string_equal(hit->fen, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert_string_equal(hit->san, "Qh4#");
    assert_string_equal(hit->uci, "d8h4");
    assert_string_equal(hit->next_san, "");
    assert_string_equal(hit->comment, "end");
    assert_int_equal(hit->clock, CQL_NONE);
    ends(s, CQL_END);
}

// Each text of a game that is not UTF-8 is read as Latin-1; those of the query and the other texts stay as they are.
static void texts_are_utf8(void **state)
{
    (void)state;
    static const char latin[] =
        "[White \"M\xFCller\"]\n[Black \"K\xC3\xB6nig\"]\n[Result \"*\"]\n\n1. e4 {gr\xFC\xDFt} *\n\n"
        "[White \"M\xFCller\"]\n[Result \"*\"]\n\n1. e4 Qh9 *\n\n";
    const CqlGame *game;
    CqlQuery *query = compile("sort \"name\" player white if ply==0 then comment(\"\xE2\x99\x9E\") "
                              "else { ply==1 message(player white) }");
    CqlSearch *s =
        search_with(query, latin, (CqlSearchOptions){.threads = 1, .want = CQL_WANT_HITS | CQL_WANT_PGN});
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    assert_string_equal(game->tag[4].value, "M\xC3\xBCller");
    assert_string_equal(game->tag[5].value, "K\xC3\xB6nig");
    assert_string_equal(game->sort[0].text, "M\xC3\xBCller");
    assert_string_equal(game->hit[1]->comment, "gr\xC3\xBC\xC3\x9Ft");
    assert_non_null(strstr(game->pgn, "[White \"M\xC3\xBCller\"]\n[Black \"K\xC3\xB6nig\"]\n"));
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    assert_non_null(strstr(cql_messages_get(cql_search_messages(s), 1)->text, ": M\xC3\xBCller"));
    cql_query_free(query);
    ends(s, CQL_END);
    const CqlCompileOptions keyed = {.size = sizeof keyed, .count_by = "White"};
    query = cql_compile("true", &keyed, NULL);
    s = search_with(query, latin, (CqlSearchOptions){.want = CQL_WANT_GROUPS});
    cql_query_free(query);
    assert_int_equal(cql_search_next(s, -1, &game), CQL_END);
    assert_string_equal(cql_search_groups(s)->group[0]->value[0].text, "M\xC3\xBCller");
    cql_search_free(s);
}

static void errors_have_places(void **state)
{
    (void)state;
    CqlMessages *messages;
    assert_null(cql_compile("wtm\n  chek", NULL, &messages));
    assert_true(cql_messages_count(messages) > 0);
    const CqlMessage *m = cql_messages_get(messages, 0);
    assert_int_equal(m->severity, CQL_ERROR);
    assert_string_equal(m->file, "query");
    assert_int_equal(m->line, 2);
    assert_int_equal(m->column, 3);
    assert_int_equal(m->end_column, 7);
    assert_string_equal(m->excerpt, "  chek\n  ^~~~\n");
    assert_non_null(strstr(cql_messages_text(messages), "query:2:3: error: "));
    assert_null(cql_messages_get(messages, cql_messages_count(messages)));
    cql_messages_free(messages);
    const CqlCompileOptions options = {.size = sizeof options, .dialect = "latin"};
    assert_null(cql_compile("wtm", &options, &messages));
    assert_non_null(strstr(cql_messages_get(messages, 0)->text, "latin"));
    cql_messages_free(messages);
    assert_null(cql_compile("chek", NULL, NULL));
    const CqlSource missing = {.name = "/there/is/no/query.cql"};
    assert_null(cql_compile_sources(&missing, 1, NULL, &messages));
    assert_non_null(strstr(cql_messages_text(messages), "cannot read /there/is/no/query.cql"));
    cql_messages_free(messages);
    assert_null(cql_load("/there/is/no/matcher.so", &messages));
    assert_int_equal(cql_messages_count(messages), 1);
    cql_messages_free(messages);
}

// Names, tags and queries in texts are shown on one line, without what a terminal obeys; the name of the file is as it was given.
static void hostile_texts(void **state)
{
    (void)state;
    CqlMessages *messages;
    const CqlCompileOptions options = {.size = sizeof options, .name = "a\x1B\n"};
    const CqlGame *game;
    assert_null(cql_compile("foo\x9B", &options, &messages));
    assert_string_equal(cql_messages_get(messages, 0)->file, "a\x1B\n");
    assert_int_equal(strncmp(cql_messages_text(messages), "a??:1:", 6), 0);
    assert_string_equal(cql_messages_get(messages, 0)->excerpt, "foo?\n   ^\n");
    cql_messages_free(messages);
    CqlQuery *query = cql_compile("// dialect: cqli\ncql() message(event) true", NULL, NULL);
    const char *text = "[Event \"\x1B\"]\n\n1. e4 *\n\n[Variant \"b\x1B\xE2\x80\xAE\"]\n\n1. e4 *\n";
    const CqlInput input = {"g\x07\n:1", text, strlen(text)};
    CqlSearch *s = cql_search(query, &input, 1, NULL, NULL);
    cql_query_free(query);
    while (cql_search_next(s, -1, &game) != CQL_END)
        ;
    const CqlMessages *said = cql_search_messages(s);
    int outputs = 0, variants = 0;
    for (int i = 0; i < cql_messages_count(said); i++) {
        const CqlMessage *m = cql_messages_get(said, i);
        outputs += m->severity == CQL_OUTPUT && strchr(m->text, '\x1B');
        if (m->severity == CQL_OUTPUT)
            continue;
        assert_string_equal(m->file, "g\x07\n:1");
        assert_int_equal(m->line, 5);
        assert_int_equal(m->game, 2);
        assert_string_equal(m->text, "the variant \"b??\" is not supported; its games are not searched");
        variants++;
    }
    assert_int_equal(variants, 1);
    assert_true(outputs > 0);
    assert_non_null(strstr(cql_messages_text(said), "g??:1:5: game 2: "));
    assert_null(strpbrk(cql_messages_text(said), "\x1B\x07"));
    cql_search_free(s);
}

static void several_queries(void **state)
{
    (void)state;
    const CqlSource sources[] = {{"mates", "mate"}, {"all", "cql() sort \"ply\" ply #A==16"}};
    CqlMessages *messages;
    const CqlGame *game;
    CqlQuery *query = cql_compile_sources(sources, 2, NULL, &messages);
    assert_non_null(query);
    cql_messages_free(messages);
    assert_int_equal(cql_query_count(query), 2);
    assert_string_equal(cql_query_name(query, 0), "mates");
    assert_null(cql_query_name(query, 2));
    assert_string_equal(cql_query_dialect(query, 1), "cql6");
    assert_int_equal(cql_query_sort_count(query, 1), 1);
    assert_string_equal(cql_query_sort_title(query, 1, 0), "ply");
    CqlSearch *s = search_with(query, games, (CqlSearchOptions){.no_sort = 1});
    cql_query_free(query);
    const int found[][2] = {{1, 0}, {1, 1}, {2, 1}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
        assert_int_equal(game->number, found[i][0]);
        assert_int_equal(game->query, found[i][1]);
    }
    ends(s, CQL_END);
}

static void messages_of_searches(void **state)
{
    (void)state;
    CqlQuery *query = compile("message(\"seen\") initial x=1 dictionary D D[\"a\"]=\"b\" check");
    const CqlInput inputs[] = {{.name = "/there/is/no.pgn"},
                               {"bad.pgn", "[Event \"x\"]\n\n1. e4 Qh9 *\n", 26}};
    const CqlGame *game;
    CqlSearch *s = cql_search(query, inputs, 2, NULL, NULL);
    cql_query_free(query);
    while (cql_search_next(s, -1, &game) == CQL_GAME)
        ;
    const CqlMessages *messages = cql_search_messages(s);
    assert_int_equal(cql_messages_count(messages), 3);
    assert_string_equal(cql_messages_get(messages, 0)->file, "/there/is/no.pgn");
    assert_int_equal(cql_messages_get(messages, 0)->severity, CQL_ERROR);
    const CqlMessage *damage = cql_messages_get(messages, 1);
    assert_string_equal(damage->file, "bad.pgn");
    assert_int_equal(damage->severity, CQL_WARNING);
    assert_int_equal(damage->line, 3);
    assert_int_equal(damage->game, 1);
    assert_int_equal(cql_messages_get(messages, 2)->severity, CQL_OUTPUT);
    CqlTotals totals = {.size = sizeof totals};
    cql_search_totals(s, &totals);
    assert_int_equal(totals.games, 1);
    assert_int_equal(totals.damaged, 1);
    cql_search_free(s);
}

static void what_is_wanted(void **state)
{
    (void)state;
    const CqlGame *game;
    CqlQuery *query = compile("mate");
    CqlSearch *s = search_with(query, games, (CqlSearchOptions){.want = CQL_WANT_COUNTS});
    assert_int_equal(cql_search_next(s, -1, &game), CQL_END);
    CqlTotals totals = {.size = offsetof(CqlTotals, hits)}; // of an older program
    totals.hits = -1;
    cql_search_totals(s, &totals);
    assert_int_equal(totals.games, 2);
    assert_int_equal(totals.matches, 1);
    assert_int_equal(totals.hits, -1);
    cql_search_free(s);
    s = search_with(query, games, (CqlSearchOptions){.want = CQL_WANT_PGN});
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    assert_non_null(strstr(game->pgn, "2.g4 Qh4#"));
    assert_null(game->hit);
    assert_int_equal(game->hit_count, 1);
    ends(s, CQL_END);
    s = search_with(query, games, (CqlSearchOptions){.want = CQL_WANT_TAGS});
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    assert_string_equal(game->tag[1].value, "?"); // the tag Site, which a game always has
    ends(s, CQL_END);
    cql_query_free(query);
}

// Wherever the compilation is left, nothing of it stays: neither with sanitizers, which find leaks at the end, nor by the
// allocator's own count.
static void leaves_nothing(void **state)
{
    (void)state;
    enum { PATTERN = 300 << 10, STEP = 16 << 10, MOST = 1 << 20, SOME = 4 << 10 };
    static char text[PATTERN + 40] = "comment ~~ \"";
    memset(text + strlen(text), 'x', PATTERN);
    strcat(text, "\"");
    CqlCompileOptions options = {
        .size = sizeof options, .engine = CQL_ENGINE_INTERP, .count_by = "result,ply"};
    size_t before = 0;
    for (int i = 0; i < 2; i++) { // the first time, libraries keep memory of their own
        before = mallinfo2().uordblks;
        for (options.memory = STEP; options.memory < MOST; options.memory += STEP) {
            CqlMessages *messages;
            cql_query_free(cql_compile(text, &options, &messages));
            cql_messages_free(messages);
        }
    }
    assert_true(mallinfo2().uordblks <= before + SOME);
    for (int i = 0; i < 40; i++) { // nor does anything of queries and searches that end well
        const CqlGame *game;
        before = i == 10 ? mallinfo2().uordblks : before;
        options.memory = 0;
        CqlQuery *query = compile_with("mate", &options);
        CqlSearch *s = search_with(query, games, (CqlSearchOptions){.threads = 1});
        cql_query_free(query);
        assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
        ends(s, CQL_END);
    }
    assert_true(mallinfo2().uordblks <= before + SOME);
}

// A query that takes too much memory to compile is an error, again and again.
static void compiles_within_memory(void **state)
{
    (void)state;
    enum { MOVES = 20000 };
    char *text = malloc(6 + 3 * MOVES);
    char *end = stpcpy(text, "path ");
    for (int i = 0; i < MOVES; i++)
        end = stpcpy(end, "-- ");
    CqlCompileOptions options = {.size = sizeof options, .memory = 4 << 20, .engine = CQL_ENGINE_INTERP};
    for (int i = 0; i < 3; i++) {
        CqlMessages *messages;
        assert_null(cql_compile(text, &options, &messages));
        assert_int_equal(cql_messages_count(messages), 1);
        assert_non_null(strstr(cql_messages_text(messages),
                               "query: to compile this takes more memory than is left of "
                               "the 4 MB for queries; write a shorter query, or "
                               "allow more with `memory`"));
        cql_messages_free(messages);
        options.engine = CQL_ENGINE_AUTO;
    }
    options.memory = 0;
    options.engine = CQL_ENGINE_INTERP;
    CqlQuery *query = cql_compile(text, &options, NULL);
    assert_non_null(query);
    cql_query_free(query);
    free(text);
}

// ---- ends -------------------------------------------------------------------------------------------------

static char *many_games(size_t count)
{
    const size_t length = strlen(games);
    char *text = malloc(count * length + 1);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * length, games, length + 1);
    return text;
}

// Without threads there are neither queries nor searches.
static void threads_that_cannot_start(void **state)
{
    (void)state;
    CqlMessages *messages;
    CqlQuery *query = compile("mate");
    const CqlInput input = {"memory.pgn", games, strlen(games)};
    no_threads = true;
    assert_null(cql_compile("mate", NULL, &messages));
    assert_string_equal(cql_messages_text(messages), "error: cannot start a thread\n");
    cql_messages_free(messages);
    assert_null(cql_search(query, &input, 1, NULL, &messages));
    assert_string_equal(cql_messages_text(messages),
                        "error: cannot start a thread: Resource temporarily unavailable\n");
    cql_messages_free(messages);
    no_threads = false;
    cql_query_free(query);
}

// A compiled matcher is a query without a dialect, which finds what the query found.
static void loaded_matchers(void **state)
{
    (void)state;
    char path[] = "/tmp/cqlgen-load-XXXXXX.so", *message;
    close(mkstemps(path, 3));
    CqlMessages *messages = NULL;
    const CqlGame *game;
    CqlQuery *query = compile("sort \"men\" #A mate qh4");
    size_t length;
    char *text = emit_c(query->module, 1, HEADER_EMBEDDED, &length, NULL);
    assert_true(cc_build(text, length, path, NULL, &message));
    free(text);
    cql_query_free(query);
    query = cql_load(path, &messages);
    assert_non_null(query);
    assert_null(messages);
    unlink(path);
    assert_int_equal(cql_query_count(query), 1);
    assert_string_equal(cql_query_name(query, 0), "query");
    assert_string_equal(cql_query_dialect(query, 0), "");
    assert_null(cql_query_dialect(query, 1));
    assert_string_equal(cql_query_sort_title(query, 0, 0), "men");
    CqlSearch *s = search_with(query, games, (CqlSearchOptions){0});
    cql_query_free(query);
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    assert_int_equal(game->hit[0]->position, 4);
    assert_true(game->hit[0]->squares == 1ULL << 31); // h4
    ends(s, CQL_END);
    messages = NULL;
    assert_null(cql_load("/there/is/no.so", &messages));
    assert_int_equal(cql_messages_count(messages), 1);
    cql_messages_free(messages);
}

// Do the threads of the library block all signals but those of mistakes in a program? Not while they start others.
static bool threads_block_signals(void)
{
    static const int open[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGKILL, SIGSTOP};
    unsigned long long wanted = (1ULL << 31) - 1, blocked;
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        wanted &= ~(1ULL << (open[i] - 1));
    DIR *directory = opendir("/proc/self/task");
    assert_non_null(directory);
    int threads = 0, right = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[300], line[200];
        if (entry->d_name[0] == '.' || atoi(entry->d_name) == getpid())
            continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        FILE *file = fopen(path, "r");
        threads += file != NULL;
        while (file && fgets(line, sizeof line, file))
            right += sscanf(line, "SigBlk: %llx", &blocked) == 1 && (blocked & ((1ULL << 31) - 1)) == wanted;
        if (file)
            fclose(file);
    }
    closedir(directory);
    return threads > 0 && right == threads;
}

static int signals;

static void note_signal(int number)
{
    signals += number == SIGUSR1;
}

// The threads of a search leave the signals of the program to its own threads.
static void signals_are_left(void **state)
{
    (void)state;
    const CqlGame *game;
    struct sigaction before;
    const struct sigaction own = {.sa_handler = note_signal};
    sigset_t mask, set, pending;
    char *text = many_games(20000);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    CqlQuery *query = compile("true");
    sigaction(SIGUSR1, &own, &before);
    CqlSearch *s = search_with(query, text, (CqlSearchOptions){.threads = 2});
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    for (int signal = 1; signal < 32; signal++)
        assert_int_equal(sigismember(&set, signal), sigismember(&mask, signal));
    bool blocked = false;
    for (int i = 0; i < 10000 && !(blocked = threads_block_signals()); i++)
        usleep(1000);
    assert_true(blocked);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), SIGUSR1);
    sigpending(&pending);
    assert_true(sigismember(&pending, SIGUSR1));
    cql_search_free(s);
    assert_int_equal(signals, 0);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert_int_equal(signals, 1);
    sigaction(SIGUSR1, &before, NULL);
    cql_query_free(query);
    free(text);
}

static void *stop_it(void *user)
{
    cql_search_stop(user);
    return NULL;
}

static void searches_are_stopped(void **state)
{
    (void)state;
    const CqlGame *game;
    pthread_t thread;
    char *text = many_games(20000);
    CqlQuery *query = compile("true");
    CqlSearch *s = search_with(query, text, (CqlSearchOptions){.threads = 2});
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    pthread_create(&thread, NULL, stop_it, s);
    CqlStatus status;
    while ((status = cql_search_next(s, 10, &game)) == CQL_GAME || status == CQL_WAIT)
        ;
    pthread_join(thread, NULL);
    assert_int_equal(status, CQL_STOPPED);
    cql_search_free(s);
    s = search_with(query, text, (CqlSearchOptions){.threads = 1}); // abandoned
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    cql_search_free(s);
    s = search_with(query, text, (CqlSearchOptions){.limit = 3});
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
        assert_int_equal(game->number, i);
    }
    ends(s, CQL_END);
    cql_query_free(query);
    free(text);
}

// The search waits while more than four megabytes of found games are there that nobody has taken.
static void searches_wait(void **state)
{
    (void)state;
    enum {
        GAMES = 2000,
        LENGTH = 4096,
        MOST = 4 << 20,
        TENTH = MOST / 10
    }; // about what the other tags take, and a block
    static const char begin[] = "[Result \"*\"]\n\n{", end[] = "} 1. e4 *\n\n";
    char *text = malloc((size_t)GAMES * LENGTH + 1), *to = text;
    for (int i = 0; i < GAMES; i++) {
        memset(to, 'x', LENGTH);
        memcpy(to, begin, strlen(begin));
        memcpy(to + LENGTH - strlen(end), end, strlen(end));
        to += LENGTH;
    }
    *to = 0;
    const CqlGame *game;
    CqlQuery *query = compile("initial");
    CqlSearch *s = search_with(query, text, (CqlSearchOptions){.threads = 1, .want = CQL_WANT_PGN});
    CqlTotals totals = {.size = sizeof totals};
    for (int i = 0; i < 60000 && totals.games * LENGTH <= MOST - TENTH; i++) {
        usleep(1000);
        cql_search_totals(s, &totals);
    }
    usleep(20000);
    cql_search_totals(s, &totals);
    assert_true(totals.games * LENGTH > MOST - TENTH);
    assert_true(totals.games * LENGTH <= MOST + TENTH);
    int found = 0;
    while (cql_search_next(s, -1, &game) == CQL_GAME)
        found++;
    assert_int_equal(found, GAMES);
    cql_search_free(s);
    cql_query_free(query);
    free(text);
}

typedef struct Together {
    CqlQuery *query;
    const char *text;
    int64_t sum;
} Together;

// The C compiler of a search: it writes down how far it stands back, and fails.
static void write_compiler(const char *path, const char *called)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\nsleep 0.1; nice > %s.new; mv %s.new %s; exit 1\n", called, called, called);
    fclose(file);
    assert_int_equal(chmod(path, 0700), 0);
}

// While a search goes on, a C compiler prepares a faster matcher, in each search of the query again as long as there is none. It
// stands back where the search leaves a processor to it.
static void compiles_in_the_background(void **state)
{
    (void)state;
    char folder[] = "/tmp/cqlgen-api-XXXXXX", compiler[64], called[64];
    assert_non_null(mkdtemp(folder));
    snprintf(compiler, sizeof compiler, "%s/cc", folder);
    snprintf(called, sizeof called, "%s/called", folder);
    write_compiler(compiler, called);
    char *text = many_games(5000);
    const CqlCompileOptions options = {.size = sizeof options, .cc = compiler, .no_cache = 1};
    CqlQuery *query = cql_compile("x=0 while (x<20000) {x+=1} x==1", &options, NULL);
    assert_non_null(query);
    const int processors = search_threads(0), own = getpriority(PRIO_PROCESS, 0);
    for (int round = 0; round < 2; round++) {
        CqlSearch *s = search_with(query, text, (CqlSearchOptions){.threads = 1});
        const CqlGame *game;
        while (access(called, F_OK) != 0 && cql_search_next(s, 10, &game) == CQL_WAIT)
            ;
        FILE *file = fopen(called, "r");
        assert_non_null(file);
        int niceness;
        assert_int_equal(fscanf(file, "%d", &niceness), 1);
        fclose(file);
        unlink(called);
        const int wanted = own + (processors > 1 ? 10 : 0);
        assert_int_equal(niceness, wanted < 19 ? wanted : 19);
        cql_search_free(s);
    }
    cql_query_free(query);
    free(text);
    unlink(compiler);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions),
        cmocka_unit_test(a_hit_has_everything),
        cmocka_unit_test(texts_are_utf8),
        cmocka_unit_test(errors_have_places),
        cmocka_unit_test(hostile_texts),
        cmocka_unit_test(several_queries),
        cmocka_unit_test(messages_of_searches),
        cmocka_unit_test(what_is_wanted),
        cmocka_unit_test(searches_are_stopped),
        cmocka_unit_test(signals_are_left),
        cmocka_unit_test(threads_that_cannot_start),
        cmocka_unit_test(loaded_matchers),
        cmocka_unit_test(compiles_within_memory),
        cmocka_unit_test(leaves_nothing),
        cmocka_unit_test(compiles_in_the_background),
        cmocka_unit_test(searches_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
