// The commands that make and check databases of games: import, export, info, verify.
#include "runtime/format/format.h"
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

// ---- import -----------------------------------------------------------------------------------------------

typedef struct Importing {
    const char *name; // of the PGN file
    bool quiet, progress;
    atomic_llong damaged; // messages
    int64_t cut_games, ignored_words;
    double start, next;
    InputFile *file;
    uint64_t size;
    bool cut;                  // another run may read more of it
    const Duplicates *without; // duplicates that are left out; NULL: none
    size_t input;              // of them, this one
    const Spelling *spelling;  // corrects names; NULL: none does
    int64_t corrected;         // games
    atomic_llong duplicates;   // left out
} Importing;

static void note(void *user, uint64_t line, int64_t game, const char *message)
{
    const Importing *im = user;
    flockfile(stderr); // the threads that split the input and that store games both print
    printf_sanitized(stderr, "%s:%llu: ", im->name, (unsigned long long)line);
    if (game > 0)
        printf_sanitized(stderr, "game %lld: ", (long long)game);
    printf_sanitized(stderr, "%s\n", message);
    funlockfile(stderr);
}

static void report(void *user, uint64_t line, int64_t game, const char *message)
{
    Importing *im = user;
    im->damaged++;
    note(user, line, game, message);
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
    const bool drops = duplicates_drops(im->without, im->input, number);
    im->duplicates += drops;
    return !drops;
}

// STATUS_OK, or another status after a message.
static int import_file(Database *d, Importing *im, const SearchOptions *memory, int threads,
                       const atomic_int *stop)
{
    // SQLite stores less than 1 GB in a cell, and UTF-8 may need twice the bytes of the text
    enum { MOST_TEXT = 400 << 20 };
    const size_t text = search_memory_of_text(memory);
    int64_t stored, games = 0, left_out = 0;
    char *message;
    const SourceState state = database_source(d, im->name, &stored, &message);
    if (state != SOURCE_WANTED) {
        if (message)
            complain(NULL, "%s", message);
        free(message);
        return state == SOURCE_NONE ? STATUS_OK : STATUS_OUTPUT;
    }
    im->file = im->without ? duplicates_open(im->without, im->input) : input_open(im->name, stop);
    if (!im->file) {
        complain(NULL, "cannot read %s: %s; the same command continues the import", im->name,
                 strerror(errno));
        im->cut = true;
        return STATUS_INPUT;
    }
    if (stored > 0 && !im->quiet)
        printf_sanitized(stderr, "%s: continues after game %lld\n", im->name, (long long)stored);
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
                             .spelling = im->spelling,
                             .corrected = &im->corrected,
                             .wanted = im->without ? is_wanted : NULL,
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
    char *losses = damage_text(im->cut_games, im->ignored_words);
    char *corrected = im->spelling ? memory_format(", %lld with corrected names", (long long)im->corrected)
                                   : memory_copy("", 0);
    char *left = im->without ? memory_format(", %lld duplicate%s left out", (long long)im->duplicates,
                                             im->duplicates == 1 ? "" : "s")
                             : memory_copy("", 0);
    if (!im->quiet)
        printf_sanitized(stderr, "%s: %lld game%s imported%s%s, %lld message%s about damage%s, %.2f s\n",
                         im->name, (long long)games, games == 1 ? "" : "s", corrected, left,
                         (long long)im->damaged, im->damaged == 1 ? "" : "s", losses,
                         clock_now() - im->start);
    free(left);
    free(corrected);
    free(losses);
    free(message);
    pgn_split_close(splitter);
    input_close(im->file);
    return status;
}

// Imports the files in order. It stops where the next run continues, so that the order of the games stays the same.
static void report_spelling(void *user, uint64_t line, int64_t game, const char *message)
{
    (void)game;
    printf_sanitized(stderr, "%s:%llu: %s\n", (const char *)user, (unsigned long long)line, message);
}

// Reads the file of --spelling, if there is one; false after a message.
static bool read_spelling(const Arguments *a, Spelling **spelling)
{
    enum { PIECE_BYTES = 1 << 16 };
    const char *name = a->value[OPTION_SPELLING];
    *spelling = NULL;
    if (!name)
        return true;
    InputFile *file = input_open(name, NULL);
    if (!file)
        return complain(NULL, "cannot read %s: %s", name, strerror(errno));
    Buffer text = {0};
    int64_t length;
    while ((length = input_read(file, buffer_room(&text, PIECE_BYTES), PIECE_BYTES)) > 0)
        text.length += (size_t)length;
    if (length < 0)
        complain(NULL, "cannot read %s: %s", name, input_error(file));
    else
        *spelling = spelling_read((Text){text.start, text.length}, report_spelling, (void *)(uintptr_t)name);
    if (*spelling && spelling_names(*spelling) == 0) {
        complain(NULL,
                 "%s has no names: expected a spelling file of Scid, with a section @PLAYER, @SITE, @EVENT "
                 "or @ROUND",
                 name);
        spelling_free(*spelling);
        *spelling = NULL;
    }
    buffer_free(&text);
    input_close(file);
    return *spelling != NULL;
}

static int import_all(Database *d, const Arguments *a, const InputNames *inputs, const Duplicates *without,
                      size_t first, const Spelling *spelling, const atomic_int *stop)
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
                        .without = without,
                        .spelling = spelling,
                        .input = first + i,
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

int import_inputs(const Arguments *a, const InputNames *inputs, const Duplicates *without, size_t first)
{
    const char *name = a->value[OPTION_OUTPUT];
    char *message;
    Spelling *spelling;
    if (!read_spelling(a, &spelling))
        return STATUS_INPUT;
    const bool made = !a->value[OPTION_ADD] && make_file(name);
    Database *d =
        database_open(name, a->value[OPTION_ADD] ? DATABASE_APPEND : DATABASE_CREATE, NULL, &message);
    const atomic_int *stop = signals_catch();
    int status = STATUS_OUTPUT;
    if (d)
        status = import_all(d, a, inputs, without, first, spelling, stop);
    else
        complain(NULL, "%s", message);
    free(message);
    if (d && *stop) {
        complain(NULL, "interrupted; %s has %lld games, and the same command continues the import", name,
                 (long long)database_game_count(d));
        status = STATUS_INTERRUPTED;
    }
    database_close(d);
    spelling_free(spelling);
    if (status != STATUS_OK && made)
        database_remove_empty(name);
    return status;
}

// The same without duplicates, also of what the database has.
static int import_single(const Arguments *a, const InputNames *inputs)
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
    const size_t first = all.count;
    database_close(d);
    for (size_t i = 0; i < inputs->count; i++)
        inputs_add(&all, inputs->name[i]);
    int status;
    Duplicates *without = find_duplicates(a, &all, fixed, &status);
    if (without && !duplicates_whole(without)) {
        complain(NULL, "nothing is imported: games of a database cannot be read");
        status = STATUS_INPUT;
    } else if (without) {
        status = import_inputs(a, inputs, without, first);
    }
    duplicates_free(without);
    inputs_free(&all);
    return status;
}

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
    if (status == STATUS_OK)
        status = a.value[OPTION_SKIP_DUPLICATES] ? import_single(&a, &inputs)
                                                 : import_inputs(&a, &inputs, NULL, 0);
    inputs_free(&inputs);
    signals_end();
    return status;
}

// ---- export, info, verify ---------------------------------------------------------------------------------

// The only word of a command, the name of a database; NULL after a message.
static const char *database_name(Arguments *a, CommandId command, int count, char **argument)
{
    if (!read_arguments(a, command, NULL, NULL, count, argument))
        return NULL;
    if (a->word_count == 1)
        return a->words[0];
    complain(NULL, "expected one database: `cqlgen %s GAMES.cqldb`", command_info[command].name);
    return NULL;
}

static Database *open_database(const char *name)
{
    char *message;
    Database *d = database_open(name, DATABASE_READ, NULL, &message);
    if (!d)
        complain(NULL, "%s", message);
    free(message);
    return d;
}

int command_export(int count, char **argument)
{
    enum { PIECE_BYTES = 1 << 20 };
    Arguments a;
    const char *name = database_name(&a, COMMAND_EXPORT, count, argument);
    char *message;
    if (!name)
        return STATUS_QUERY;
    if (output_is_input(a.value[OPTION_OUTPUT], name)) {
        complain(NULL, "%s is both the input and the output; choose another output name", name);
        return STATUS_QUERY;
    }
    const SearchFormat format = a.value[OPTION_OUTPUT] ? format_by_file(a.value[OPTION_OUTPUT]) : FORMAT_PGN;
    if (format != FORMAT_PGN && format != FORMAT_COUNT_) {
        complain(NULL, "export writes PGN, not %s; `cqlgen search -e true %s -o %s` writes other formats",
                 a.value[OPTION_OUTPUT], name, a.value[OPTION_OUTPUT]);
        return STATUS_QUERY;
    }
    DatabaseStream *stream = database_stream_open(name, NULL, &message);
    if (!stream) {
        complain(NULL, "%s", message);
        free(message);
        return STATUS_INPUT;
    }
    OutputFile *out = output_open(a.value[OPTION_OUTPUT], 0);
    char *bytes = memory_new(PIECE_BYTES);
    int64_t length = 0;
    while (out && (length = database_stream_read(stream, bytes, PIECE_BYTES)) > 0 &&
           output_write(out, bytes, (size_t)length))
        ;
    int status = out && output_close(out, length >= 0) ? STATUS_OK : STATUS_OUTPUT;
    if (length < 0) { // what had been written is gone
        complain(NULL, "%s: %s", name, database_stream_error(stream));
        status = STATUS_INPUT;
    }
    free(bytes);
    database_stream_close(stream);
    return status;
}

static void print_info(const DatabaseInfo *i)
{
    const double games = i->games > 0 ? (double)i->games : 1, plies = i->plies > 0 ? (double)i->plies : 1;
    printf("games      %lld, %lld of them damaged\n", (long long)i->games, (long long)i->damaged);
    printf("moves      %lld, without variations\n", (long long)i->plies);
    printf("players    %lld\nevents     %lld\nsites      %lld\n", (long long)i->players, (long long)i->events,
           (long long)i->sites);
    printf("ends       %lld with checkmate, %lld with stalemate\n", (long long)i->mates,
           (long long)i->stalemates);
    printf("apart      %lld: from other positions, with null moves, or damaged\n", (long long)i->apart);
    if (i->first_year > 0)
        printf("years      %lld to %lld\n", (long long)i->first_year, (long long)i->last_year);
    printf("chunks     %lld\n", (long long)i->chunks);
    printf("file       %lld bytes, %.1f a game; as PGN %.1f a game\n", (long long)i->file_bytes,
           (double)i->file_bytes / games, (double)i->bytes / games);
    printf("           moves %.2f bytes a move; tags %.1f bytes a game, texts %.1f\n",
           (double)i->move_bytes / plies, (double)i->tag_bytes / games, (double)i->text_bytes / games);
}

// The variants of chess that the games are of, if one is not Standard.
static void print_variants(const Database *d, const int64_t count[VARIANTS + 1])
{
    const char *before = "variants  ";
    if (count[VARIANT_STANDARD] == database_game_count(d))
        return;
    for (int i = 0; i <= VARIANTS; i++) {
        if (count[i] == 0)
            continue;
        printf("%s %lld %s", before, (long long)count[i], i < VARIANTS ? variant_rules[i].name : "unknown");
        before = ",";
    }
    putchar('\n');
}

int command_info_database(int count, char **argument)
{
    Arguments a;
    const char *name = database_name(&a, COMMAND_INFO, count, argument);
    Database *d = name ? open_database(name) : NULL;
    DatabaseInfo info;
    if (!d)
        return name ? STATUS_INPUT : STATUS_QUERY;
    int64_t variants[VARIANTS + 1];
    char *message = NULL;
    const bool names = a.value[OPTION_NAMES] != NULL,
               good = names ? print_players(d)
                            : database_info(d, &info) && database_count_variants(d, variants, &message);
    if (good && !names) {
        print_info(&info);
        print_variants(d, variants);
    } else if (!good) {
        complain(NULL, "%s: %s; `cqlgen verify` shows where", name,
                 message ? message : "the database cannot be read, or is damaged");
    }
    free(message);
    database_close(d);
    return good ? STATUS_OK : STATUS_INPUT;
}

static void print_fault(void *user, const char *message)
{
    printf_sanitized(stdout, "%s: %s\n", (const char *)user, message);
}

int command_verify(int count, char **argument)
{
    Arguments a;
    const char *name = database_name(&a, COMMAND_VERIFY, count, argument);
    Database *d = name ? open_database(name) : NULL;
    if (!d)
        return name ? STATUS_INPUT : STATUS_QUERY;
    const int64_t faults = database_verify(d, print_fault, (void *)name);
    const int64_t games = database_game_count(d);
    printf_sanitized(stdout, "%s: %lld game%s, %lld fault%s\n", name, (long long)games, games == 1 ? "" : "s",
                     (long long)faults, faults == 1 ? "" : "s");
    database_close(d);
    return faults == 0 ? STATUS_OK : STATUS_INPUT;
}
