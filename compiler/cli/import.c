// `cqlgen import`: games into a database.
#include "runtime/database/database.h"
#include "runtime/database/spelling.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/search/budget.h"
#include "runtime/search/duplicates.h"
#include "runtime/search/input.h"
#include "runtime/search/output.h"
#include "runtime/search/search.h"
#include "runtime/search/worker.h"
#include "runtime/value/terminal.h"
#include "cli.h"
#include "signals.h"

typedef struct Importing {
    const char *name; // of the PGN file
    bool quiet, progress;
    atomic_llong damaged; // messages
    int64_t cut_games, ignored_words;
    double start, next;
    InputFile *file;
    uint64_t size;
    bool cut;               // another run may read more of it
    const ImportPlan *plan; // its duplicates, if any, know this file by the number `input`
    size_t input;
    int64_t amended;         // games
    atomic_llong duplicates; // left out
} Importing;

void print_damage(const char *name, uint64_t line, int64_t game, const char *message)
{
    flockfile(stderr); // the threads that split the input and that store games both print
    printf_sanitized(stderr, "%s:%llu: ", name, (unsigned long long)line);
    if (game > 0)
        printf_sanitized(stderr, "game %lld: ", (long long)game);
    printf_sanitized(stderr, "%s\n", message);
    funlockfile(stderr);
}

static void note(void *user, uint64_t line, int64_t game, const char *message)
{
    const Importing *im = user;
    print_damage(im->name, line, game, message);
}

static void report(void *user, uint64_t line, int64_t game, const char *message)
{
    Importing *im = user;
    im->damaged++;
    print_damage(im->name, line, game, message);
}

// One line a second, with the time that is left.
static void show_progress(void *user, int64_t games, int64_t bytes)
{
    Importing *im = user;
    const double now = clock_now(),
                 part = im->size > 0 ? (double)input_offset(im->file) / (double)im->size : 0;
    if (!im->progress || now < im->next)
        return;
    im->next = now + 1;
    flockfile(stderr);
    printf_sanitized(stderr, "%s: %lld games, %.0f MB", im->name, (long long)games, (double)bytes / 1e6);
    if (part > 0)
        printf_sanitized(stderr, ", %.0f %%, %.0f s left", 100 * part, (now - im->start) * (1 - part) / part);
    printf_sanitized(stderr, "\n");
    funlockfile(stderr);
}

static bool is_cut(void *user)
{
    const Importing *im = user;
    return input_is_cut(im->file);
}

static bool is_wanted(void *user, int64_t number)
{
    Importing *im = user;
    const bool drops = duplicates_drops(im->plan->without, im->input, number);
    im->duplicates += drops;
    return !drops;
}

static void print_summary(const Importing *im, int64_t games)
{
    const ImportPlan *plan = im->plan;
    char *losses = damage_text(im->cut_games, im->ignored_words);
    printf_sanitized(stderr, "%s: %lld game%s imported", im->name, (long long)games, games == 1 ? "" : "s");
    if (plan->amend)
        printf_sanitized(stderr, ", %lld with %s", (long long)im->amended, plan->amended);
    if (plan->without)
        printf_sanitized(stderr, ", %lld duplicate%s left out", (long long)im->duplicates,
                         im->duplicates == 1 ? "" : "s");
    printf_sanitized(stderr, ", %lld message%s about damage%s, %.2f s\n", (long long)im->damaged,
                     im->damaged == 1 ? "" : "s", losses, clock_now() - im->start);
    free(losses);
}

// Imports a file that is open. STATUS_OK, or another status after a message.
static int import_open_file(Database *d, Importing *im, const SearchOptions *memory, int threads,
                            const atomic_int *stop)
{
    // SQLite stores less than 1 GB in a cell, and UTF-8 may need twice the bytes of the text
    enum { MOST_TEXT = 400 << 20 };
    const size_t text = search_memory_of_text(memory);
    int64_t games = 0, left_out = 0;
    char *message;
    ImportOptions options = {.source = im->name,
                             .threads = threads,
                             .all_words = memory->all_words,
                             .report = report,
                             .note = note,
                             .cut_games = &im->cut_games,
                             .ignored_words = &im->ignored_words,
                             .game_memory = search_memory_of_tree(memory),
                             .name_memory = search_memory(memory) / 4,
                             .user = im,
                             .stop = stop,
                             .amend = im->plan->amend,
                             .amend_user = im->plan->amend_user,
                             .amended = &im->amended,
                             .wanted = im->plan->without ? is_wanted : NULL,
                             .cut = is_cut,
                             .progress = show_progress};
    input_set_memory(im->file, search_memory(memory));
    PgnSplitter *splitter = pgn_split_open(input_read, im->file, report, im);
    pgn_split_limit(splitter, text < MOST_TEXT ? text : MOST_TEXT);
    int status = STATUS_OK;
    if (!database_import(d, splitter, &options, &games, &left_out, &message)) {
        complain(NULL, "%s; the same command continues the import", message);
        status = STATUS_OUTPUT;
    }
    const char *wrong = input_error(im->file) ? input_error(im->file) : pgn_split_error(splitter);
    im->cut = is_cut(im);
    if (wrong && !*stop && status == STATUS_OK) {
        complain(NULL, "%s: %s%s", im->name, wrong, im->cut ? "; the same command continues the import" : "");
        status = STATUS_INPUT;
    }
    if (left_out > 0 && status == STATUS_OK)
        status = STATUS_GAME_ERRORS;
    if (!im->quiet)
        print_summary(im, games);
    free(message);
    pgn_split_close(splitter);
    return status;
}

// Imports what the database does not have of a file. STATUS_OK, or another status after a message.
static int import_file(Database *d, Importing *im, const SearchOptions *memory, int threads,
                       const atomic_int *stop)
{
    int64_t stored;
    char *message;
    const SourceState state = database_source(d, im->name, &stored, &message);
    if (state != SOURCE_WANTED) {
        if (message)
            complain(NULL, "%s", message);
        free(message);
        return state == SOURCE_NONE ? STATUS_OK : STATUS_OUTPUT;
    }
    const Duplicates *without = im->plan->without;
    im->file = without ? duplicates_open(without, im->input) : input_open(im->name, stop);
    if (!im->file) {
        complain(NULL, "cannot read %s: %s; the same command continues the import", im->name,
                 strerror(errno));
        im->cut = true;
        return STATUS_INPUT;
    }
    if (stored > 0 && !im->quiet)
        printf_sanitized(stderr, "%s: continues after game %lld\n", im->name, (long long)stored);
    const int status = import_open_file(d, im, memory, threads, stop);
    input_close(im->file);
    return status;
}

// Imports the files in order. It stops where the next run continues, so that the order of the games stays the same.
static int import_all(Database *d, const Arguments *a, const InputNames *inputs, const ImportPlan *plan,
                      const atomic_int *stop)
{
    const int threads = search_threads(a->low[OPTION_THREADS]);
    struct stat status;
    char *message;
    if (!database_begin_import(d, inputs->name, inputs->count, a->value[OPTION_ADD] != NULL, &message)) {
        complain(NULL, "%s", message);
        free(message);
        return STATUS_OUTPUT;
    }
    const SearchOptions memory = {.memory = a->low[OPTION_MAX_MEMORY] << 20,
                                  .all_words = a->value[OPTION_STRICT] != NULL};
    int status_of_all = STATUS_OK;
    bool goes_on = true;
    for (size_t i = 0; i < inputs->count && !*stop && goes_on; i++) {
        Importing im = {.name = inputs->name[i],
                        .plan = plan,
                        .input = plan->first + i,
                        .quiet = a->value[OPTION_QUIET] != NULL,
                        .progress =
                            a->value[OPTION_PROGRESS] != NULL || (isatty(2) && !a->value[OPTION_QUIET]),
                        .start = clock_now(),
                        .size = input_status(inputs->name[i], &status) ? (uint64_t)status.st_size : 0};
        im.next = im.start + 1;
        const int status_of_one = import_file(d, &im, &memory, threads, stop);
        if (status_of_one != STATUS_OK)
            status_of_all = status_of_one;
        goes_on = status_of_one != STATUS_OUTPUT && !im.cut;
    }
    return status_of_all;
}

// True when there was no file with this name.
static bool make_file(const char *name)
{
    const int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    return file >= 0 && close(file) == 0;
}

int import_inputs(const Arguments *a, const InputNames *inputs, const ImportPlan *plan)
{
    const char *name = a->value[OPTION_OUTPUT];
    char *message;
    const bool made = !a->value[OPTION_ADD] && make_file(name);
    Database *d =
        database_open(name, a->value[OPTION_ADD] ? DATABASE_APPEND : DATABASE_CREATE, NULL, &message);
    const atomic_int *stop = signals_catch();
    int status = STATUS_OUTPUT;
    if (d)
        status = import_all(d, a, inputs, plan, stop);
    else
        complain(NULL, "%s", message);
    free(message);
    if (d && *stop) {
        complain(NULL, "interrupted; %s has %lld games, and the same command continues the import", name,
                 (long long)database_game_count(d));
        status = STATUS_INTERRUPTED;
    }
    database_close(d);
    if (status != STATUS_OK && made)
        database_remove_empty(name);
    return status;
}

// The same without duplicates, also of what the database has.
static int import_single(const Arguments *a, const InputNames *inputs, ImportPlan *plan)
{
    const char *name = a->value[OPTION_OUTPUT];
    InputNames all = {0};
    char *message;
    Database *d = a->value[OPTION_ADD] ? database_open(name, DATABASE_READ, NULL, &message) : NULL;
    if (a->value[OPTION_ADD] && !d) {
        complain(NULL, "%s", message);
        free(message);
        return STATUS_OUTPUT;
    }
    const int64_t fixed = d ? database_game_count(d) : 0;
    if (fixed > 0)
        inputs_add(&all, name);
    plan->first = all.count;
    database_close(d);
    for (size_t i = 0; i < inputs->count; i++)
        inputs_add(&all, inputs->name[i]);
    int status;
    Duplicates *without = find_duplicates(a, &all, fixed, plan, &status);
    if (without && !duplicates_whole(without)) {
        complain(NULL, "nothing is imported: games of a database cannot be read");
        status = STATUS_INPUT;
    } else if (without) {
        plan->without = without;
        status = import_inputs(a, inputs, plan);
    }
    duplicates_free(without);
    inputs_free(&all);
    return status;
}

// ---- names ------------------------------------------------------------------------------------------------

static bool correct_names(void *user, const GameText *source, Game *game, Buffer *out, Buffer *scratch)
{
    (void)game;
    return spelling_correct(user, source->text, out, scratch);
}

// ---- the command ------------------------------------------------------------------------------------------

int check_sources(const InputNames *inputs, const char *output)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const char *name = inputs->name[i];
        if (strcmp(name, "-") != 0 && access(name, R_OK) != 0) {
            complain(NULL, "cannot read %s: %s", name, strerror(errno));
            return STATUS_INPUT;
        }
        if (output_is_input(output, name)) {
            complain(NULL, "%s is both an input and the output; choose another output name",
                     strcmp(name, "-") == 0 ? "standard input" : name);
            return STATUS_QUERY;
        }
    }
    return STATUS_OK;
}

int command_import(int count, char **argument)
{
    Arguments a;
    InputNames inputs;
    if (!read_arguments(&a, COMMAND_IMPORT, NULL, NULL, count, argument))
        return STATUS_QUERY;
    const char *name = a.value[OPTION_OUTPUT];
    if (a.word_count == 0 || name == NULL) {
        complain(NULL, a.word_count == 0 ? "no games to import: name a PGN file, or `-` for standard input"
                                         : "name the database with -o GAMES.cqldb");
        return STATUS_QUERY;
    }
    if (!read_inputs(&inputs, &a, 0)) {
        inputs_free(&inputs);
        return STATUS_INPUT;
    }
    int status = check_sources(&inputs, name);
    const Spelling *spelling = NULL;
    if (status == STATUS_OK && !read_spelling(&a, &spelling))
        status = STATUS_INPUT;
    ImportPlan plan = {.amend = spelling ? correct_names : NULL,
                       .amend_user = (void *)(uintptr_t)spelling,
                       .amended = "corrected or added tags"};
    if (status == STATUS_OK)
        status = a.value[OPTION_SKIP_DUPLICATES] ? import_single(&a, &inputs, &plan)
                                                 : import_inputs(&a, &inputs, &plan);
    free_spelling(spelling);
    inputs_free(&inputs);
    signals_end();
    return status;
}
