#include "search.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../match/runtime.h"
#include "format.h"
#include "output.h"
#include "sorted.h"

enum { BLOCK_BYTES = 192 * 1024 };

// ---- inputs: several files read as one sequence of games ---------------------------------------------------------

typedef struct Inputs {
    const SearchOptions *options;
    size_t next;             // index of the next file to open
    const char *name;        // of the open file
    int fd;
    PgnSplitter *splitter;   // NULL: no file is open
    int64_t earlier_games;   // games of the files before
    int64_t file_games;      // games of this file so far
    int64_t earlier_bytes;
    Buffer *reports;         // where messages go now
    bool failed;             // some input could not be read
} Inputs;

static int64_t read_bytes(void *user, void *buffer, size_t size)
{
    Inputs *in = user;
    for (;;) {
        ssize_t count = read(in->fd, buffer, size);
        if (count >= 0 || errno != EINTR)
            return count;
    }
}

static void report(Buffer *out, const char *name, uint64_t line, int64_t game, const char *message)
{
    buffer_format(out, "%s:%llu: ", name, (unsigned long long)line);
    if (game > 0)
        buffer_format(out, "game %lld: ", (long long)game);
    buffer_format(out, "%s\n", message);
}

static void report_input(void *user, uint64_t line, int64_t game, const char *message)
{
    Inputs *in = user;
    report(in->reports, in->name, line, game > 0 ? game + in->earlier_games : 0, message);
}

static void close_input(Inputs *in)
{
    const char *error = pgn_split_error(in->splitter);
    if (error) {
        buffer_format(in->reports, "%s: error: %s (after %llu bytes)\n", in->name, error,
                      (unsigned long long)pgn_split_bytes(in->splitter));
        in->failed = true;
    }
    in->earlier_games += in->file_games;
    in->earlier_bytes += (int64_t)pgn_split_bytes(in->splitter);
    in->file_games = 0;
    pgn_split_close(in->splitter);
    in->splitter = NULL;
    if (in->fd != STDIN_FILENO)
        close(in->fd);
}

// Opens the next readable file; false when there is none.
static bool open_input(Inputs *in)
{
    while (in->next < in->options->input_count) {
        const char *name = in->options->input[in->next++];
        bool standard = strcmp(name, "-") == 0;
        in->name = standard ? "<stdin>" : name;
        in->fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
        if (in->fd >= 0) {
            posix_fadvise(in->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
            in->splitter = pgn_split_open(read_bytes, in, report_input, in);
            return true;
        }
        buffer_format(in->reports, "%s: error: cannot read: %s\n", name, strerror(errno));
        in->failed = true;
    }
    return false;
}

// One unit of work for a thread.
typedef struct Block {
    PgnBlock pgn;
    const char *input;
    int64_t number_base;     // added to the game numbers of the block
    uint64_t sequence;
    Buffer reports, messages, output;
    SortedGames sorted;
    SearchTotals totals;
    struct Block *next;      // in the list of finished blocks
} Block;

static bool next_block(Inputs *in, Block *block)
{
    in->reports = &block->reports;
    for (;;) {
        if (!in->splitter && !open_input(in))
            return false;
        if (pgn_split_block(in->splitter, BLOCK_BYTES, &block->pgn)) {
            block->input = in->name;
            block->number_base = in->earlier_games;
            in->file_games += (int64_t)block->pgn.count;
            return true;
        }
        close_input(in);
    }
}

// ---- the search --------------------------------------------------------------------------------------------------

typedef struct Search {
    const SearchOptions *options;
    const Matcher *matcher;
    bool sequential;
    bool variations, notes;      // some query searches side lines, needs comments
    bool sorted;                 // some query sorts
    int64_t last_wanted;         // no game after this one is wanted by any query
    int64_t last_number;         // for lastgamenumber, 0: not needed
    OutputFile *output;
    pthread_mutex_t input_mutex, output_mutex;
    pthread_cond_t output_moved;
    Inputs inputs;
    uint64_t next_sequence;      // of the block to be read
    bool input_ended;
    uint64_t next_output;        // sequence of the block to be written
    Block *finished;             // blocks that wait for their turn, by ascending sequence
    bool output_failed;
    SortedGames all_sorted;
    SearchTotals totals;
} Search;

// What one thread works with.
typedef struct Worker {
    Search *search;
    const Matcher *matcher;
    Run **run;
    RunResult *result;
    Found *found;
    Game game, whole;            // whole: the complete tree of a matching game, for the writers
    FormatMemory memory;
    Block *block;
    uint64_t reported_line;      // start of the game being parsed
    bool damaged;
} Worker;

static bool in_range(int64_t number, bool present, int32_t low, int32_t high)
{
    return !present || (number >= low && number <= high);
}

static void make_runs(Worker *w, const Matcher *matcher)
{
    const SearchOptions *o = w->search->options;
    RunOptions options = {.max_steps = o->max_steps,
                          .comments = o->format == FORMAT_PGN || o->format == FORMAT_JSONL,
                          .allow_files = o->allow_files};
    for (uint32_t q = 0; w->matcher && q < w->matcher->query_count; q++)
        run_free(w->run[q]);
    w->matcher = matcher;
    for (uint32_t q = 0; q < matcher->query_count; q++) {
        const char *message = NULL;
        w->run[q] = run_new(&matcher->query[q], &options, &message);
        if (!w->run[q]) {
            fprintf(stderr, "cqlgen: %s: %s\n", matcher->query[q].name, message ? message : "cannot run");
            exit(STATUS_QUERY);
        }
    }
}

static void report_game(void *user, uint64_t line, int64_t game, const char *message)
{
    Worker *w = user;
    w->damaged = true;
    report(&w->block->reports, w->block->input, line, game, message);
}

static void report_error(Worker *w, const GameText *source, const QueryInfo *query, const char *error)
{
    buffer_format(&w->block->reports, "%s:%llu: game %lld: %s: %s\n", w->block->input,
                  (unsigned long long)source->line, (long long)source->number, query->name, error);
    w->block->totals.errors++;
}

// Parses the whole tree with its notes for the writers, unless `game` holds it already.
static Game *whole_game(Worker *w, const GameText *source)
{
    if (w->search->variations && w->search->notes)
        return &w->game;
    unsigned flags = PARSE_VARIATIONS | PARSE_NOTES;
    if (w->search->options->bad_start_standard)
        flags |= PARSE_BAD_START_STANDARD;
    game_parse(&w->whole, source, flags, NULL, NULL);
    w->whole.view.number = (int32_t)source->number;
    return &w->whole;
}

static void sort_values(SortedGames *sorted, const Worker *w, const Found *found, size_t count, int64_t number,
                        const Buffer *out, size_t start)
{
    (void)w;
    SortedGame *game = sorted_add(sorted, number, out->start + start, out->length - start);
    for (size_t q = 0; q < count; q++) {
        const QueryInfo *query = found[q].query;
        for (int32_t k = 0; k < query->sort_key_count; k++) {
            const SortValue *value = &found[q].result->sort[k];
            sorted_key(game, value->has_value, query->sort_key[k].is_min, value->number, value->text);
        }
        if (query->flags & QUERY_SORT_MATCHCOUNT)
            sorted_key(game, true, false, found[q].result->hit_count, NULL);
    }
}

static void write_found(Worker *w, const GameText *source, size_t count)
{
    Search *s = w->search;
    Buffer *out = &w->block->output;
    switch (s->options->format) {
    case FORMAT_POSITIONS:
        for (size_t i = 0; i < count; i++)
            format_positions(out, source->number, &w->found[i], w->matcher->query_count > 1);
        break;
    case FORMAT_PGN: {
        size_t start = out->length;
        format_pgn(out, whole_game(w, source), w->found, count, &w->memory);
        if (s->sorted) {
            sort_values(&w->block->sorted, w, w->found, count, source->number, out, start);
            out->length = start;
        }
        break;
    }
    case FORMAT_JSONL: {
        Game *game = whole_game(w, source);
        for (size_t i = 0; i < count; i++)
            format_jsonl(out, game, &w->found[i], &w->memory);
        break;
    }
    case FORMAT_COUNT:
    case FORMAT_NONE:
        break;
    }
}

static void search_game(Worker *w, GameText source)
{
    Search *s = w->search;
    Block *block = w->block;
    source.number += block->number_base;
    block->totals.games++;
    game_parse_tags(&w->game, &source);
    w->game.view.number = (int32_t)source.number;
    w->game.view.last_number = (int32_t)s->last_number;
    bool wanted = false;
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        const QueryInfo *query = &w->matcher->query[q];
        w->result[q].matched = in_range(source.number, query->flags & QUERY_HAS_GAMENUMBER, query->gamenumber_low,
                                        query->gamenumber_high) &&
                               run_game_test(w->run[q], &w->game);
        wanted |= w->result[q].matched;
    }
    if (!wanted)
        return;
    unsigned flags = (s->variations ? PARSE_VARIATIONS : 0) | (s->notes ? PARSE_NOTES : 0) |
                     (s->options->bad_start_standard ? PARSE_BAD_START_STANDARD : 0);
    w->damaged = false;
    game_parse(&w->game, &source, flags, report_game, w);
    block->totals.damaged += w->damaged;
    if (w->game.skipped)
        return;
    w->game.view.number = (int32_t)source.number;
    w->game.view.last_number = (int32_t)s->last_number;
    block->totals.positions += w->game.view.count;
    size_t count = 0;
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        if (!w->result[q].matched)
            continue;
        run_game(w->run[q], &w->game, &w->result[q]);
        if (w->result[q].messages_length > 0)
            buffer_append(&block->messages, w->result[q].messages, w->result[q].messages_length);
        if (w->result[q].error)
            report_error(w, &source, &w->matcher->query[q], w->result[q].error);
        else if (w->result[q].matched)
            w->found[count++] = (Found){&w->matcher->query[q], &w->result[q]};
    }
    if (count > 0) {
        block->totals.matches++;
        write_found(w, &source, count);
    }
}

// ---- order of output ---------------------------------------------------------------------------------------------

static void add_totals(SearchTotals *sum, const SearchTotals *part)
{
    sum->games += part->games;
    sum->matches += part->matches;
    sum->positions += part->positions;
    sum->damaged += part->damaged;
    sum->errors += part->errors;
}

static void free_block(Block *block)
{
    pgn_block_free(&block->pgn);
    buffer_free(&block->reports);
    buffer_free(&block->messages);
    buffer_free(&block->output);
    sorted_free(&block->sorted);
    free(block);
}

// Where `message` filters and persistent variables print: standard output, unless the results go there.
static FILE *message_stream(const Search *s)
{
    const char *name = s->options->output;
    bool results_elsewhere = s->options->format == FORMAT_NONE || (name && strcmp(name, "-") != 0);
    return results_elsewhere ? stdout : stderr;
}

// Writes one block; called in order, under the output mutex.
static void write_block(Search *s, Block *block)
{
    if (block->reports.length > 0)
        fwrite(block->reports.start, 1, block->reports.length, stderr);
    if (block->messages.length > 0)
        fwrite(block->messages.start, 1, block->messages.length, message_stream(s));
    if (s->output && block->output.length > 0 && !output_write(s->output, block->output.start, block->output.length))
        s->output_failed = true;
    sorted_move(&s->all_sorted, &block->sorted);
    add_totals(&s->totals, &block->totals);
    free_block(block);
}

// Hands over a finished block; writes it and those behind it when its turn has come.
static void finish_block(Search *s, Block *block)
{
    pthread_mutex_lock(&s->output_mutex);
    Block **place = &s->finished;
    while (*place && (*place)->sequence < block->sequence)
        place = &(*place)->next;
    block->next = *place;
    *place = block;
    while (s->finished && s->finished->sequence == s->next_output) {
        Block *first = s->finished;
        s->finished = first->next;
        write_block(s, first);
        s->next_output++;
    }
    pthread_cond_broadcast(&s->output_moved);
    pthread_mutex_unlock(&s->output_mutex);
}

// The next block of games, or NULL at the end. Waits while too many blocks are ahead of the output.
static Block *take_block(Search *s)
{
    Block *block = calloc(1, sizeof *block);
    if (!block)
        abort();
    pthread_mutex_lock(&s->input_mutex);
    pthread_mutex_lock(&s->output_mutex);
    while (s->next_sequence > s->next_output + 4 * (uint64_t)s->options->threads)
        pthread_cond_wait(&s->output_moved, &s->output_mutex);
    bool failed = s->output_failed;
    pthread_mutex_unlock(&s->output_mutex);
    bool beyond = s->inputs.earlier_games + s->inputs.file_games >= s->last_wanted;
    bool got = !s->input_ended && !failed && !beyond && next_block(&s->inputs, block);
    block->sequence = s->next_sequence;
    if (!got)
        s->input_ended = true;
    bool keep = got || block->reports.length > 0;
    s->next_sequence += keep;
    pthread_mutex_unlock(&s->input_mutex);
    if (!keep) {
        free_block(block);
        return NULL;
    }
    return block;
}

static void *work(void *user)
{
    Worker *w = user;
    Search *s = w->search;
    while ((w->block = take_block(s))) {
        if (s->options->upgrade && !s->sequential) {
            const Matcher *better = atomic_load(s->options->upgrade);
            if (better && better != w->matcher)
                make_runs(w, better);
        }
        for (size_t i = 0; i < w->block->pgn.count; i++)
            if (w->block->pgn.game[i].number + w->block->number_base <= s->last_wanted)
                search_game(w, w->block->pgn.game[i]);
        finish_block(s, w->block);
    }
    return NULL;
}

static void worker_open(Worker *w, Search *s)
{
    size_t n = s->matcher->query_count;
    *w = (Worker){.search = s};
    w->run = calloc(n, sizeof *w->run);
    w->result = calloc(n, sizeof *w->result);
    w->found = calloc(n, sizeof *w->found);
    if (!w->run || !w->result || !w->found)
        abort();
    game_init(&w->game);
    game_init(&w->whole);
    make_runs(w, s->matcher);
}

static void worker_close(Worker *w, bool print_persistent)
{
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        if (print_persistent)
            run_print_persistent(w->run[q], message_stream(w->search));
        run_free(w->run[q]);
    }
    free(w->run);
    free(w->result);
    free(w->found);
    game_free(&w->game);
    game_free(&w->whole);
    format_memory_free(&w->memory);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// What the queries together want from the games.
static void plan(Search *s)
{
    s->last_wanted = 0;
    for (uint32_t q = 0; q < s->matcher->query_count; q++) {
        const QueryInfo *query = &s->matcher->query[q];
        s->variations |= (query->flags & QUERY_VARIATIONS) != 0;
        s->notes |= (query->flags & QUERY_NEEDS_NOTES) != 0;
        s->sequential |= (query->flags & QUERY_SEQUENTIAL) != 0;
        s->sorted |= query->sort_key_count > 0 || (query->flags & QUERY_SORT_MATCHCOUNT);
        int64_t last = query->flags & QUERY_HAS_GAMENUMBER ? query->gamenumber_high : INT64_MAX;
        if (last > s->last_wanted)
            s->last_wanted = last;
    }
}

static void run_workers(Search *s, int threads)
{
    Worker *worker = calloc((size_t)threads, sizeof *worker);
    pthread_t *thread = calloc((size_t)threads, sizeof *thread);
    if (!worker || !thread)
        abort();
    int started = 1;
    for (int i = 0; i < threads; i++)
        worker_open(&worker[i], s);
    while (started < threads && pthread_create(&thread[started], NULL, work, &worker[started]) == 0)
        started++;
    work(&worker[0]);
    for (int i = 1; i < started; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < threads; i++)
        worker_close(&worker[i], i == 0);
    free(worker);
    free(thread);
}

static bool write_sorted(Search *s)
{
    sorted_sort(&s->all_sorted);
    for (size_t i = 0; i < s->all_sorted.count; i++) {
        const SortedGame *game = &s->all_sorted.game[i];
        if (!output_write(s->output, game->text, game->length))
            return false;
    }
    return true;
}

static bool write_counts(Search *s)
{
    Buffer text = {0};
    buffer_format(&text, "%lld\n", (long long)s->totals.matches);
    bool good = output_write(s->output, text.start, text.length);
    buffer_free(&text);
    return good;
}

// The number of games in all inputs, for lastgamenumber. Inputs that cannot be read twice count as unknown (0).
static int64_t count_games(const SearchOptions *options)
{
    Buffer nowhere = {0};
    Inputs in = {.options = options, .reports = &nowhere};
    int64_t count = 0;
    while (open_input(&in)) {
        GameText game;
        while (in.fd != STDIN_FILENO && pgn_split_next(in.splitter, &game))
            count++;
        close_input(&in);
    }
    buffer_free(&nowhere);
    return count;
}

static int64_t last_game_number(const Search *s)
{
    int64_t limit = -1;
    bool needed = false;
    for (uint32_t q = 0; q < s->matcher->query_count; q++) {
        const QueryInfo *query = &s->matcher->query[q];
        needed |= (query->flags & QUERY_NEEDS_LAST_NUMBER) != 0;
        if (query->flags & QUERY_HAS_GAMENUMBER && query->gamenumber_high > limit)
            limit = query->gamenumber_high;
    }
    if (!needed)
        return 0;
    int64_t count = count_games(s->options);
    return limit >= 0 && limit < count ? limit : count;
}

int search_run(const Matcher *matcher, const SearchOptions *options, SearchTotals *totals)
{
    Search s = {.options = options, .matcher = matcher, .inputs = {.options = options}};
    plan(&s);
    s.last_number = last_game_number(&s);
    if (options->format != FORMAT_NONE && !(s.output = output_open(options->output)))
        return STATUS_OUTPUT;
    pthread_mutex_init(&s.input_mutex, NULL);
    pthread_mutex_init(&s.output_mutex, NULL);
    pthread_cond_init(&s.output_moved, NULL);
    double start = now();
    run_workers(&s, s.sequential ? 1 : options->threads);
    if (s.inputs.splitter) { // stopped before the end
        Buffer rest = {0};
        s.inputs.reports = &rest;
        close_input(&s.inputs);
        buffer_free(&rest);
    }
    bool written = !s.output_failed;
    if (written && s.output && options->format == FORMAT_PGN && s.sorted)
        written = write_sorted(&s);
    if (written && options->format == FORMAT_COUNT)
        written = write_counts(&s);
    if (s.output && !output_close(s.output, written))
        written = false;
    s.totals.bytes = s.inputs.earlier_bytes;
    s.totals.seconds = now() - start;
    sorted_free(&s.all_sorted);
    pthread_mutex_destroy(&s.input_mutex);
    pthread_mutex_destroy(&s.output_mutex);
    pthread_cond_destroy(&s.output_moved);
    if (totals)
        *totals = s.totals;
    return !written ? STATUS_OUTPUT : s.inputs.failed ? STATUS_INPUT : s.totals.errors ? STATUS_GAME_ERRORS : STATUS_OK;
}

int search_read_only(const SearchOptions *options, bool tree, SearchTotals *totals)
{
    Buffer reports = {0};
    Inputs in = {.options = options, .reports = &reports};
    Game game;
    game_init(&game);
    *totals = (SearchTotals){0};
    double start = now();
    while (open_input(&in)) {
        GameText text;
        while (pgn_split_next(in.splitter, &text)) {
            game_parse(&game, &text, tree ? PARSE_VARIATIONS | PARSE_NOTES : 0, NULL, NULL);
            totals->games++;
            totals->positions += game.view.count;
        }
        close_input(&in);
        reports.length = 0;
    }
    totals->seconds = now() - start;
    totals->bytes = in.earlier_bytes;
    game_free(&game);
    buffer_free(&reports);
    return in.failed ? STATUS_INPUT : STATUS_OK;
}
