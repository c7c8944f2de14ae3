// The inputs of a search, read one after the other.
#include "inputs.h"
#include "budget.h"
#include "ending.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/database/database.h"
#include "runtime/value/file_mark.h"
#include "runtime/value/file_open.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "output.h"

enum { BLOCK_BYTES = 192 * 1024, SPOOL_BYTES = 256 * 1024 };

void inputs_report_game(Buffer *out, const char *name, uint64_t line, int64_t game, int64_t base)
{
    line_format(out, "%s:%llu: ", name, (unsigned long long)line);
    if (game > 0 && base > 0)
        buffer_format(out, "game %lld (%lld of this file): ", (long long)game, (long long)(game - base));
    else if (game > 0)
        buffer_format(out, "game %lld: ", (long long)game);
}

void inputs_report(Buffer *out, const char *name, uint64_t line, int64_t game, int64_t base,
                   const char *message)
{
    inputs_report_game(out, name, line, game, base);
    line_format(out, "%s\n", message);
}

bool inputs_stopped(const Inputs *in)
{
    return (in->options->stop && *in->options->stop) || ending_is_late(in->deadline);
}

static void report_split(void *user, uint64_t line, int64_t game, const char *message)
{
    (void)game; // what the splitter reports is outside any game
    Inputs *in = user;
    if (!inputs_stopped(in)) // otherwise the input may have ended within a game
        inputs_report(in->reports, in->name, line, 0, 0, message);
}

static int64_t read_bytes(void *user, void *buffer, size_t size)
{
    Inputs *in = user;
    int64_t count = input_read(in->file, buffer, size);
    atomic_store_explicit(&in->stored, in->earlier_stored + input_offset(in->file), memory_order_relaxed);
    if (count > 0)
        atomic_fetch_add_explicit(&in->decoded, (uint64_t)count, memory_order_relaxed);
    return count;
}

// The name of an input in messages.
static const char *shown_name(const SearchOptions *o, size_t i)
{
    return strcmp(o->input[i], "-") == 0 ? "<stdin>" : o->input[i];
}

// The next chunks of the open database; false at its end.
static bool next_chunks(Inputs *in, InputBlock *block)
{
    const int64_t count = database_chunk_count(in->database), wanted = in->options->block_chunks;
    if (in->chunk == count)
        return false;
    block->database = in->database;
    block->chunk = in->chunk;
    block->first_game = in->file_games + 1;
    block->chunk_count = wanted <= 1 ? 1 : wanted < count - in->chunk ? wanted : count - in->chunk;
    for (int64_t end = in->chunk + block->chunk_count; in->chunk < end; in->chunk++) {
        const int64_t bytes = database_chunk_bytes(in->database, in->chunk);
        in->file_games += database_chunk_games(in->database, in->chunk);
        in->earlier_bytes += bytes;
        atomic_fetch_add_explicit(&in->decoded, (uint64_t)bytes, memory_order_relaxed);
    }
    const double part = (double)in->chunk / (double)count;
    atomic_store_explicit(&in->stored, in->earlier_stored + (uint64_t)(part * (double)input_size(in->file)),
                          memory_order_relaxed);
    return true;
}

// Warns of a file without games. The output of another program may well have none.
static void check_games(Inputs *in)
{
    const size_t i = in->next - 1;
    const bool file = strcmp(in->options->input[i], "-") != 0 &&
                      !(in->options->in_memory && in->options->in_memory[i].start);
    if (in->file_games > 0 || inputs_stopped(in) || !file)
        return;
    line_format(in->reports, "%s: warning: this file has no games\n", in->name);
    in->failed = true;
}

// Blocks refer to the database until the end of the search.
static void keep_file(Inputs *in)
{
    check_games(in);
    MEMORY_PUSH(in->kept, in->kept_count, in->kept_capacity, in->file);
    in->earlier_games += in->file_games;
    in->file_games = 0;
    in->earlier_stored += input_size(in->file);
    pgn_split_close(in->splitter);
    in->database = NULL;
    in->splitter = NULL;
    in->file = NULL;
}

static void close_file(Inputs *in)
{
    const char *error = input_error(in->file);
    if (!error)
        error = pgn_split_error(in->splitter);
    if (error && in->changed == in->next && input_is_changed(in->file)) {
        in->failed = true; // it is the change that was reported, or its consequence
    } else if (error) {
        line_format(in->reports, "%s: error: %s\n", in->name, error);
        in->failed = true;
    } else {
        check_games(in);
    }
    in->earlier_games += in->file_games;
    in->file_games = 0;
    in->earlier_bytes += (int64_t)pgn_split_bytes(in->splitter);
    in->earlier_stored += input_offset(in->file);
    pgn_split_close(in->splitter);
    in->splitter = NULL;
    input_close(in->file);
    in->file = NULL;
}

static InputFile *open_source(const Inputs *in, size_t i)
{
    const Text *memory = in->options->in_memory;
    const int *spool = in->spool ? in->spool : in->options->spool;
    int fd = spool ? spool[i] : -1;
    if (memory && memory[i].start)
        return input_open_memory(memory[i].start, memory[i].length, in->options->stop);
    if (fd < 0)
        return input_open(in->options->input[i], in->options->stop);
    fd = dup(fd);
    if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
        return NULL;
    return input_open_descriptor(fd, in->options->stop);
}

static InputFile *open_file(const Inputs *in, size_t i)
{
    InputFile *file = open_source(in, i);
    if (!file)
        return NULL;
    input_set_memory(file, search_memory(in->options));
    input_set_deadline(file, in->deadline);
    return file;
}

static void open_splitter(Inputs *in)
{
    in->splitter = pgn_split_open(read_bytes, in, report_split, in);
    pgn_split_limit(in->splitter, search_memory_of_text(in->options));
}

// Is the file that was opened, or NULL after an error, as it was when the search was prepared? Inputs are asked for in order.
static bool is_as_prepared(Inputs *in, size_t i, const InputFile *file)
{
    const int reason = errno;
    while (in->options->files && in->files_next <= i &&
           fingerprint_get(in->options->files, &in->files_at, &in->prepared))
        in->files_next++;
    const FileMark mark = fingerprint_mark(&in->prepared);
    errno = reason;
    if (in->files_next != i + 1 || !mark.is_ordinary || (file && !input_is_other(file, &mark)))
        return true;
    const char *name = shown_name(in->options, i);
    if (!in->replaced)
        in->replaced = file ? memory_format("%s has changed since the search began; search again", name)
                            : memory_format("%s: cannot read: %s", name, strerror(reason));
    return false;
}

// Opens the next readable file; false when there is none.
static bool open_next(Inputs *in)
{
    while (in->next < in->options->input_count && !in->replaced) {
        in->name = shown_name(in->options, in->next);
        in->file = open_file(in, in->next++);
        if (!is_as_prepared(in, in->next - 1, in->file)) {
            if (in->file)
                input_close(in->file);
            in->file = NULL;
            return false;
        }
        if (in->file) {
            open_splitter(in);
            in->chunk = 0;
            return true;
        }
        line_format(in->reports, "%s: error: cannot read: %s\n", in->name, strerror(errno));
        in->failed = true;
    }
    return false;
}

// The next block of a database that this process does not have; false when the next input is another one.
static bool next_absent(Inputs *in)
{
    const SearchShard *shard = in->options->shard;
    while (shard && !in->splitter && in->absent_blocks == 0 && in->next < in->options->input_count &&
           shard[in->next].absent) {
        in->absent_blocks = search_shard_blocks(in->options, &shard[in->next]);
        in->earlier_games += shard[in->next++].games;
    }
    if (in->absent_blocks == 0)
        return false;
    in->absent_blocks--;
    return true;
}

bool inputs_next_block(Inputs *in, Buffer *reports, InputBlock *block)
{
    in->reports = reports;
    while (!inputs_stopped(in)) {
        if (next_absent(in))
            return true;
        if (!in->splitter && !open_next(in))
            return false;
        block->input = in->name;
        block->index = in->next - 1;
        block->number_base = in->earlier_games;
        if (!in->database && in->file_games == 0)
            in->database = input_database(in->file);
        if (in->database) {
            if (next_chunks(in, block))
                return true;
            keep_file(in);
            continue;
        }
        if (pgn_split_block(in->splitter, BLOCK_BYTES, &block->pgn)) {
            in->file_games += (int64_t)block->pgn.count;
            return true;
        }
        close_file(in);
    }
    return false;
}

void inputs_check_change(Inputs *in, Buffer *reports)
{
    if (!in->splitter || in->database || in->changed == in->next || !input_is_changed(in->file))
        return;
    line_format(reports, "%s: error: another program changed the file while it was read\n", in->name);
    in->changed = in->next;
    in->failed = true;
}

bool inputs_place(Inputs *in, SharePlace *place)
{
    *place = (SharePlace){.input = in->next - 1,
                          .earlier_games = in->earlier_games,
                          .earlier_bytes = in->earlier_bytes,
                          .earlier_stored = in->earlier_stored};
    return in->splitter && !in->database && input_can_go(in->file) &&
           pgn_split_place(in->splitter, &place->pgn);
}

// Leaves the open file before its end. What is wrong with it is reported by those who read it.
static void leave_file(Inputs *in)
{
    Buffer nowhere = {0};
    const bool failed = in->failed;
    in->reports = &nowhere;
    if (in->splitter && in->database)
        keep_file(in);
    else if (in->splitter)
        close_file(in);
    in->failed = failed;
    buffer_free(&nowhere);
}

bool inputs_go(Inputs *in, const SharePlace *place)
{
    if (!in->splitter || in->next != place->input + 1) {
        InputFile *file = open_file(in, place->input);
        if (!file)
            return false;
        if (!is_as_prepared(in, place->input, file) || !input_go(file, place->pgn.offset)) {
            input_close(file);
            return false;
        }
        leave_file(in);
        in->name = shown_name(in->options, place->input);
        in->file = file;
        in->next = place->input + 1;
        open_splitter(in);
    } else if (!input_go(in->file, place->pgn.offset)) {
        return false;
    }
    pgn_split_go(in->splitter, &place->pgn);
    in->file_games = place->pgn.number;
    in->earlier_games = place->earlier_games;
    in->earlier_bytes = place->earlier_bytes;
    in->earlier_stored = place->earlier_stored;
    return true;
}

int64_t inputs_games(const Inputs *in)
{
    return in->earlier_games + in->file_games;
}

int64_t inputs_bytes(const Inputs *in)
{
    return in->earlier_bytes + (in->splitter && !in->database ? (int64_t)pgn_split_bytes(in->splitter) : 0);
}

// A file that is still open was abandoned on purpose: errors in the rest of it do not matter.
void inputs_close(Inputs *in)
{
    Buffer nowhere = {0};
    bool failed = in->failed;
    in->reports = &nowhere;
    if (in->splitter)
        close_file(in);
    in->failed = failed;
    for (size_t i = 0; i < in->kept_count; i++)
        input_close(in->kept[i]);
    free(in->kept);
    in->kept = NULL;
    in->kept_count = in->kept_capacity = 0;
    buffer_free(&nowhere);
    for (size_t i = 0; in->spool && i < in->options->input_count; i++)
        if (in->spool[i] >= 0)
            close(in->spool[i]);
    free(in->spool);
    in->spool = NULL;
    free(in->replaced);
    in->replaced = NULL;
}

// ---- reading twice ----------------------------------------------------------------------------------------

static bool is_stopped(void *inputs)
{
    return inputs_stopped(inputs);
}

// Copies everything from `from` to `to`; false and errno after an error.
static bool copy_all(const Inputs *in, int from, int to)
{
    char *buffer = memory_zeroed(SPOOL_BYTES, 1);
    ssize_t count = 0;
    bool good = true;
    while (good && file_wait(from, is_stopped, (void *)(uintptr_t)in) &&
           (count = read(from, buffer, SPOOL_BYTES)) != 0)
        good = count > 0 ? output_write_all(to, buffer, (size_t)count) : errno == EINTR;
    int reason = errno;
    free(buffer);
    errno = reason;
    return good;
}

static bool spool_one(const Inputs *in, size_t i)
{
    const char *name = in->options->input[i];
    bool standard = strcmp(name, "-") == 0;
    int from = standard ? STDIN_FILENO : file_open(name);
    if (from < 0)
        return true; // the search will report it
    int to = output_temporary();
    bool good = to >= 0 && copy_all(in, from, to);
    int reason = errno;
    if (!standard)
        close(from);
    in->spool[i] = to;
    errno = reason;
    return good;
}

bool inputs_spool(Inputs *in, Buffer *reports)
{
    size_t count = in->options->input_count;
    in->spool = memory_zeroed(count, sizeof *in->spool);
    for (size_t i = 0; i < count; i++)
        in->spool[i] = -1;
    for (size_t i = 0; i < count; i++) {
        const char *name = in->options->input[i];
        if (strcmp(name, "-") != 0 && inputs_size_of(in->options, i) >= 0)
            continue;
        if (!spool_one(in, i)) {
            line_format(reports, "%s: error: cannot make a copy to read it twice: %s\n",
                        shown_name(in->options, i), strerror(errno));
            in->failed = true;
            return false;
        }
    }
    return true;
}

int64_t inputs_count_games(const Inputs *in, int64_t limit)
{
    Buffer nowhere = {0};
    Inputs again = {.options = in->options, .spool = in->spool, .deadline = in->deadline};
    InputBlock block = {0};
    while (inputs_games(&again) < limit && inputs_next_block(&again, &nowhere, &block))
        pgn_block_free(&block.pgn);
    const int64_t count = inputs_games(&again);
    again.spool = NULL; // owned by `in`
    inputs_close(&again);
    buffer_free(&nowhere);
    return count < limit ? count : limit;
}

int64_t inputs_size_of(const SearchOptions *o, size_t i)
{
    struct stat status;
    if (o->in_memory && o->in_memory[i].start)
        return (int64_t)o->in_memory[i].length;
    if (!input_status(o->input[i], &status))
        return 0;
    return S_ISREG(status.st_mode) ? status.st_size : -1;
}

uint64_t inputs_size(const Inputs *in)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < in->options->input_count; i++) {
        struct stat status;
        const bool spooled = in->spool && in->spool[i] >= 0 && fstat(in->spool[i], &status) == 0;
        const int64_t size = spooled ? status.st_size : inputs_size_of(in->options, i);
        if (size < 0)
            return 0;
        sum += (uint64_t)size;
    }
    return sum;
}

// ---- blocks before they are read ---------------------------------------------------------------------------

bool search_look_at_shard(const char *name, SearchShard *shard)
{
    InputFile *file = input_open(name, NULL);
    struct Database *database = file ? input_database(file) : NULL;
    *shard = (SearchShard){0};
    if (database)
        shard->chunks = database_chunk_count(database);
    for (int64_t i = 0; i < shard->chunks; i++)
        shard->games += database_chunk_games(database, i);
    if (file)
        input_close(file);
    return database != NULL;
}

uint64_t search_shard_blocks(const SearchOptions *o, const SearchShard *shard)
{
    const int64_t wanted = o->block_chunks > 1 ? o->block_chunks : 1;
    return (uint64_t)((shard->chunks + wanted - 1) / wanted);
}

enum { MANY_BLOCKS = 1 << 16, MOST_CHUNKS = 64 };

uint64_t search_plan_blocks(SearchOptions *o)
{
    SearchShard *shard = memory_zeroed(o->input_count, sizeof *shard);
    struct stat status;
    int64_t chunks = 0;
    uint64_t blocks = 0;
    for (size_t i = 0; i < o->input_count; i++) {
        if (o->shard)
            shard[i] = o->shard[i];
        else if (input_status(o->input[i], &status) && S_ISREG(status.st_mode) && // a pipe is read once
                 !search_look_at_shard(o->input[i], &shard[i]))
            blocks += (uint64_t)status.st_size / BLOCK_BYTES + 1;
        chunks += shard[i].chunks;
    }
    o->block_chunks = chunks / MANY_BLOCKS < MOST_CHUNKS ? chunks / MANY_BLOCKS + 1 : MOST_CHUNKS;
    for (size_t i = 0; i < o->input_count; i++)
        blocks += search_shard_blocks(o, &shard[i]);
    free(shard);
    return blocks;
}
