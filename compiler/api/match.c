// One position or one game at a time, in the thread of the caller.
//
// What that needs is a host: the states of the queries, and games whose memory is used again. A query keeps the hosts that are
// not in use. So only as many are made as there are calls at the same time, and later calls take no memory.
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "query.h"
#include "runtime/chess/variant.h"
#include "runtime/format/found.h"
#include "runtime/match/run.h"
#include "runtime/search/budget.h"
#include "runtime/value/memory.h"

// A host that has read a longer text is not kept, because of its memory.
enum { MOST_KEPT = 1 << 20 };

// A game as some queries see it.
typedef struct View {
    Game game;
    unsigned flags; // PARSE_ bits
    bool tags_read, read;
} View;

typedef struct Host {
    struct Host *next; // of those that are not in use
    const Matcher *matcher;
    Run **run;    // by query
    bool *wanted; // by query: the game is evaluated
    PgnSplitter *splitter;
    Text rest; // that the splitter has not read
    size_t memory_of_tree;
    View view
        [2]
        [2]; // of queries that search main lines and variations; that read games as chess and by their variants
    // The call.
    CqlMessages **to;      // NULL: nobody reads the messages
    CqlMessages *messages; // NULL: none so far
    CqlMatch *match;       // to be filled in
    size_t room;
    int64_t count;
    bool failed, read; // the game was read
} Host;

// ---- messages ---------------------------------------------------------------------------------------------

static CqlMessages *messages_of(Host *host)
{
    if (!host->messages)
        host->messages = messages_new();
    return host->messages;
}

static void tell_host(Host *host, CqlMessage message)
{
    host->failed |= message.severity == CQL_ERROR;
    if (host->to)
        messages_add(messages_of(host), &message);
}

static void tell_error(Host *host, const char *text)
{
    tell_host(host, (CqlMessage){.severity = CQL_ERROR, .text = text});
}

static void tell_damage(void *user, uint64_t line, int64_t game, const char *text)
{
    (void)game;
    tell_host(user,
              (CqlMessage){.severity = CQL_WARNING, .file = "game", .line = (int32_t)line, .text = text});
}

static void tell_result(Host *host, const QueryInfo *query, const RunResult *result)
{
    if (result->messages_length > 0 && host->to)
        messages_output(messages_of(host), result->messages, result->messages_length);
    if (result->error)
        tell_host(host, (CqlMessage){.severity = CQL_ERROR,
                                     .file = query->name,
                                     .line = result->error_line,
                                     .column = result->error_column,
                                     .text = result->error});
}

// ---- hosts ------------------------------------------------------------------------------------------------

static void free_host(Host *host)
{
    for (uint32_t q = 0; q < host->matcher->query_count && host->run; q++)
        if (host->run[q])
            run_free(host->run[q]);
    free(host->run);
    free(host->wanted);
    if (host->splitter)
        pgn_split_close(host->splitter);
    for (int i = 0; i < 4; i++)
        game_free(&host->view[i / 2][i % 2].game);
    free(host);
}

void hosts_free(CqlQuery *query)
{
    for (Host *host = query->hosts, *next; host; host = next) {
        next = host->next;
        free_host(host);
    }
    pthread_mutex_destroy(&query->hosts_mutex);
}

static View *view_of(Host *host, const QueryInfo *query)
{
    return &host->view[(query->flags & QUERY_VARIATIONS) != 0][(query->flags & QUERY_VARIANTS) != 0];
}

static Host *new_host(const CqlQuery *query)
{
    Host *host = memory_zeroed(1, sizeof *host);
    host->matcher = query->engine.matcher;
    for (int i = 0; i < 4; i++) {
        View *view = &host->view[i / 2][i % 2];
        game_init(&view->game);
        view->game.by_variant = i % 2;
        view->flags = i / 2 ? PARSE_VARIATIONS : 0;
    }
    for (uint32_t q = 0; q < host->matcher->query_count; q++)
        view_of(host, &host->matcher->query[q])->flags |= run_parse_flags(&host->matcher->query[q]);
    return host;
}

// Makes the states of the queries; false, with a message, when one cannot be run.
static bool make_runs(Host *host, const CqlQuery *query)
{
    const SearchOptions usual = {0};
    const RunOptions options = {.memory = search_memory_of_game(&usual, false), .show = query->squares};
    host->memory_of_tree = search_memory_of_tree(&usual);
    host->run = memory_zeroed(host->matcher->query_count, sizeof *host->run);
    host->wanted = memory_zeroed(host->matcher->query_count, sizeof *host->wanted);
    for (uint32_t q = 0; q < host->matcher->query_count; q++) {
        char *message = NULL;
        host->run[q] = run_new(&host->matcher->query[q], &options, NULL, &message);
        if (!host->run[q])
            tell_host(
                host,
                (CqlMessage){.severity = CQL_ERROR, .file = host->matcher->query[q].name, .text = message});
        free(message);
    }
    return !host->failed;
}

static Host *take_host(CqlQuery *query)
{
    pthread_mutex_lock(&query->hosts_mutex);
    Host *host = query->hosts;
    query->hosts = host ? host->next : NULL;
    pthread_mutex_unlock(&query->hosts_mutex);
    return host ? host : new_host(query);
}

static void give_back(CqlQuery *query, Host *host, bool keep)
{
    if (!keep) {
        free_host(host);
        return;
    }
    pthread_mutex_lock(&query->hosts_mutex);
    host->next = query->hosts;
    query->hosts = host;
    pthread_mutex_unlock(&query->hosts_mutex);
}

// ---- one game ---------------------------------------------------------------------------------------------

static void add_matches(Host *host, uint32_t q, const Game *game, const RunResult *result)
{
    const Found found = {&host->matcher->query[q], result};
    const FoundGame one = {.found = &found, .count = 1};
    if (result->hit_count == 0) { // a game without a matching position, as the query wants it
        if ((size_t)host->count < host->room)
            host->match[host->count] = (CqlMatch){.query = (int32_t)q, .position = -1};
        host->count++;
    }
    for (int32_t i = 0; i < result->hit_count; i++, host->count++) {
        const int32_t id = result->hit[i];
        const Node *node = &game->view.node[id];
        if ((size_t)host->count < host->room)
            host->match[host->count] =
                (CqlMatch){(int32_t)q, id, node->ply, node->depth, found_squares(&one, id)};
    }
}

// Games of some variants are not searched.
static bool is_foreign(Host *host, const QueryInfo *query, const Game *game)
{
    if (!run_is_foreign(query, game))
        return false;
    char *text = run_foreign_message(query, game);
    tell_error(host, text);
    free(text);
    return true;
}

// May the query match by the number and the tags of the game?
static bool test_query(Host *host, uint32_t q, const GameText *source)
{
    const QueryInfo *query = &host->matcher->query[q];
    View *view = view_of(host, query);
    if (!view->tags_read)
        game_parse_tags(&view->game, source);
    view->tags_read = true;
    view->game.view.last_number = 1;
    return !is_foreign(host, query, &view->game) && run_game_test(host->run[q], &view->game);
}

static void run_query(Host *host, uint32_t q, const GameText *source)
{
    const QueryInfo *query = &host->matcher->query[q];
    View *view = view_of(host, query);
    RunResult result;
    if (!view->read) // damage is reported once
        game_parse(&view->game, source, view->flags, host->read ? NULL : tell_damage, host);
    view->read = host->read = true;
    if (view->game.skipped) {
        tell_error(host, "its FEN is not a position");
        return;
    }
    run_game(host->run[q], &view->game, &result);
    tell_result(host, query, &result);
    if (result.matched)
        add_matches(host, q, &view->game, &result);
}

static void match_source(Host *host, const GameText *source)
{
    const uint32_t count = host->matcher->query_count;
    host->read = false;
    for (int i = 0; i < 4; i++)
        host->view[i / 2][i % 2].tags_read = host->view[i / 2][i % 2].read = false;
    if (!game_fits(source->text, 0, host->memory_of_tree)) {
        tell_error(host, "the game needs too much memory");
        return;
    }
    for (uint32_t q = 0; q < count; q++)
        host->wanted[q] = test_query(host, q, source);
    for (uint32_t q = 0; q < count; q++)
        if (host->wanted[q])
            run_query(host, q, source);
}

// ---- what is matched --------------------------------------------------------------------------------------

// A position or a game.
typedef struct Subject {
    const char *fen; // NULL: a game
    Text game;
} Subject;

static void tell_fen(Host *host, const char *fen, size_t fault, const char *wrong)
{
    char *excerpt = memory_format("%s\n%*s^\n", fen, (int)fault, "");
    tell_host(host, (CqlMessage){.severity = CQL_ERROR,
                                 .file = "FEN",
                                 .line = 1,
                                 .column = (int32_t)fault + 1,
                                 .text = wrong,
                                 .excerpt = excerpt});
    free(excerpt);
}

// A position is a game without moves that begins with it.
static void match_fen(Host *host, const char *fen)
{
    char text[FEN_MAX + 16] = "[FEN \"";
    Position position;
    FenClocks clocks;
    size_t fault;
    const char *wrong = fen_parse_to(fen, strlen(fen), &position, &clocks, &fault);
    if (wrong) {
        tell_fen(host, fen, fault, wrong);
        return;
    }
    fen_write(&position, clocks, text + strlen(text));
    strcat(text, "\"]\n\n*");
    match_source(host, &(GameText){.text = text_of(text), .line = 1, .number = 1});
}

static int64_t read_text(void *user, void *buffer, size_t size)
{
    Text *rest = &((Host *)user)->rest;
    const size_t length = size < rest->length ? size : rest->length;
    if (length > 0)
        memcpy(buffer, rest->start, length);
    rest->start += length;
    rest->length -= length;
    return (int64_t)length;
}

static void match_pgn(Host *host, Text pgn)
{
    GameText source;
    host->rest = pgn;
    if (!host->splitter)
        host->splitter = pgn_split_open(read_text, host, tell_damage, host);
    pgn_split_go(host->splitter, &(PgnPlace){.line = 1});
    if (pgn_split_next(host->splitter, &source))
        match_source(host, &source);
    else
        tell_error(host, pgn_split_error(host->splitter) ? pgn_split_error(host->splitter)
                                                         : "expected a game in PGN");
    if (!host->failed && pgn_split_next(host->splitter, &source))
        tell_error(host, "more than one game; search several with cql_search");
}

// Why nothing can be matched, or NULL.
static const char *check_match(const CqlQuery *query, const Subject *subject, const CqlMatch *match,
                               size_t room)
{
    if (!query)
        return "`query` is NULL";
    if (!subject->fen && !subject->game.start)
        return "expected a FEN or the text of a game, not NULL";
    if (!match && room > 0)
        return "`match` is NULL, but `room` is not 0";
    for (uint32_t q = 0; q < query->engine.matcher->query_count; q++)
        if (query->engine.matcher->query[q].flags & QUERY_SEQUENTIAL)
            return "the query keeps values from game to game or uses files or programs; use cql_search";
    return NULL;
}

static int32_t match_with(Host *host, const Subject *subject, CqlMatch *match, size_t room)
{
    host->match = match;
    host->room = room;
    host->count = 0;
    if (subject->fen)
        match_fen(host, subject->fen);
    else
        match_pgn(host, subject->game);
    return host->failed ? -1 : host->count > INT32_MAX ? INT32_MAX : (int32_t)host->count;
}

// What the call has to do with memory. When that runs out, the host is lost.
static int32_t match_within(CqlQuery *query, const Subject *subject, CqlMatch *match, size_t room,
                            CqlMessages **messages)
{
    Host *host = take_host(query);
    host->to = messages;
    host->messages = NULL;
    host->failed = false;
    const bool good = host->run || make_runs(host, query);
    const int32_t count = good ? match_with(host, subject, match, room) : -1;
    if (messages)
        *messages = host->messages;
    give_back(query, host, good && subject->game.length <= MOST_KEPT);
    return count;
}

static int32_t match_subject(CqlQuery *query, const Subject *subject, CqlMatch *match, size_t room,
                             CqlMessages **messages)
{
    MemoryEscape escape;
    if (messages)
        *messages = NULL;
    if (setjmp(escape.jump) != 0) {
        if (messages)
            *messages = messages_of_memory();
        return -1;
    }
    memory_escape_begin(&escape);
    const char *wrong = check_match(query, subject, match, room);
    if (wrong)
        messages_refuse(wrong, messages);
    const int32_t count = wrong ? -1 : match_within(query, subject, match, room, messages);
    memory_escape_end(&escape);
    return count;
}

int32_t cql_match_fen(CqlQuery *query, const char *fen, CqlMatch *match, size_t room, CqlMessages **messages)
{
    return match_subject(query, &(Subject){.fen = fen}, match, room, messages);
}

int32_t cql_match_game(CqlQuery *query, const char *pgn, size_t length, CqlMatch *match, size_t room,
                       CqlMessages **messages)
{
    return match_subject(query, &(Subject){.game = {pgn, length}}, match, room, messages);
}
