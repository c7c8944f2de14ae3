// `cqlgen duplicates`: lists games that are there more than once, and writes the others.
#include <stdlib.h>
#include <string.h>

#include "runtime/database/database.h"
#include "runtime/format/format.h"
#include "runtime/format/text.h"
#include "runtime/search/budget.h"
#include "runtime/search/duplicates.h"
#include "runtime/search/output.h"
#include "runtime/value/clock.h"
#include "runtime/value/terminal.h"
#include "cli.h"
#include "signals.h"

Duplicates *find_duplicates(const Arguments *a, const InputNames *inputs, int64_t fixed, const ImportPlan *plan,
                            int *status)
{
    const SearchOptions options = {.input = inputs->name,
                                   .input_count = inputs->count,
                                   .memory = a->low[OPTION_MAX_MEMORY] << 20,
                                   .threads = search_threads(a->low[OPTION_THREADS]),
                                   .stop = signals_catch()};
    Duplicates *d = duplicates_find(&options, fixed, plan->amend, plan->amend_user, status);
    if (*status == STATUS_INTERRUPTED)
        complain(NULL, "interrupted");
    return d;
}

// ---- the list ---------------------------------------------------------------------------------------------

typedef struct Listing {
    TextWriter field; // of CSV
    void (*row)(Buffer *out, const struct Listing *l, const DuplicateGame *dropped,
                const DuplicateGame *kept);
    const char *head, *between, *foot;
} Listing;

static void put_place(Buffer *out, const DuplicateGame *g)
{
    line_format(out, "%s:", g->file);
    if (g->line > 0)
        buffer_format(out, "%llu:", (unsigned long long)g->line);
    buffer_format(out, " game %lld", (long long)g->number);
}

static void put_game(Buffer *out, const DuplicateGame *g)
{
    put_place(out, g);
    line_format(out, ": %.*s - %.*s, %.*s, %.*s, %u plies", (int)g->white.length, g->white.start,
                (int)g->black.length, g->black.start, (int)g->date.length, g->date.start,
                (int)g->result.length, g->result.start, g->plies);
}

static bool begins(const DuplicateGame *dropped, const DuplicateGame *kept)
{
    return dropped->plies < kept->plies;
}

static void text_row(Buffer *out, const Listing *l, const DuplicateGame *dropped, const DuplicateGame *kept)
{
    (void)l;
    put_game(out, dropped);
    buffer_text(out, begins(dropped, kept) ? "\n    the beginning of " : "\n    the same as ");
    put_game(out, kept);
    buffer_text(out, "\n");
}

static void csv_game(Buffer *out, const Listing *l, const DuplicateGame *g)
{
    l->field(out, text_of(g->file));
    buffer_format(out, ",%lld,", (long long)g->number);
    if (g->line > 0)
        buffer_format(out, "%llu", (unsigned long long)g->line);
    const Text text[] = {g->white, g->black, g->date, g->result};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        buffer_text(out, ",");
        l->field(out, text[i]);
    }
    buffer_format(out, ",%u", g->plies);
}

static const char *reason(const DuplicateGame *dropped, const DuplicateGame *kept)
{
    return begins(dropped, kept) ? "begins" : "same";
}

static void csv_row(Buffer *out, const Listing *l, const DuplicateGame *dropped, const DuplicateGame *kept)
{
    csv_game(out, l, dropped);
    buffer_format(out, ",%s,", reason(dropped, kept));
    csv_game(out, l, kept);
    buffer_text(out, "\r\n");
}

static void json_game(Buffer *out, const DuplicateGame *g)
{
    buffer_text(out, "{\"file\": ");
    text_json(out, text_of(g->file));
    buffer_format(out, ", \"number\": %lld", (long long)g->number);
    if (g->line > 0)
        buffer_format(out, ", \"line\": %llu", (unsigned long long)g->line);
    static const char *const name[] = {"white", "black", "date", "result"};
    const Text text[] = {g->white, g->black, g->date, g->result};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        buffer_format(out, ", \"%s\": ", name[i]);
        text_json(out, text[i]);
    }
    buffer_format(out, ", \"plies\": %u}", g->plies);
}

static void json_row(Buffer *out, const Listing *l, const DuplicateGame *dropped, const DuplicateGame *kept)
{
    (void)l;
    buffer_format(out, "{\"why\": \"%s\", \"game\": ", reason(dropped, kept));
    json_game(out, dropped);
    buffer_text(out, ", \"kept\": ");
    json_game(out, kept);
    buffer_text(out, "}");
}

#define GAME_COLUMNS(of)                                                                                     \
    of "file," of "number," of "line," of "white," of "black," of "date," of "result," of "plies"

static Listing listing_of(const Arguments *a)
{
    const char *form = a->value[OPTION_LISTING];
    if (form && strcmp(form, "csv") == 0)
        return (Listing){a->value[OPTION_CSV_SAFE] ? text_csv_safe : text_csv, csv_row,
                         GAME_COLUMNS("") ",why," GAME_COLUMNS("kept_") "\r\n", "", ""};
    if (form && strcmp(form, "json") == 0)
        return (Listing){NULL, json_row, "[", ",\n", "]\n"};
    return (Listing){NULL, text_row, "", "", ""};
}

static bool write_list(Duplicates *d, const Arguments *a)
{
    enum { PIECE_BYTES = 1 << 16 };
    const Listing l = listing_of(a);
    OutputFile *out = output_open(NULL, 0);
    DuplicateGame dropped, kept;
    Buffer text = {0};
    int64_t at = 0;
    bool failed, good = true;
    buffer_text(&text, l.head);
    for (bool first = true; good && duplicates_next(d, &at, &dropped, &kept, &failed); first = false) {
        buffer_text(&text, first ? "" : l.between);
        l.row(&text, &l, &dropped, &kept);
        if (text.length > PIECE_BYTES) {
            good = output_write(out, text.start, text.length);
            text.length = 0;
        }
    }
    if (good && failed)
        complain(NULL, "cannot read a temporary file");
    buffer_text(&text, l.foot);
    good = good && output_write(out, text.start, text.length);
    buffer_free(&text);
    return output_close(out, true) && good && !failed;
}

// ---- the games without duplicates -------------------------------------------------------------------------

static bool write_bytes(void *user, const void *bytes, size_t length)
{
    return output_write(user, bytes, length);
}

static int write_pgn(Duplicates *d, const char *name, int status)
{
    OutputFile *out = output_open(name, 0);
    if (!out)
        return STATUS_OUTPUT;
    bool whole = duplicates_write(d, write_bytes, out, &status);
    if (status == STATUS_INTERRUPTED)
        complain(NULL, "interrupted");
    if (status == STATUS_INPUT && strcmp(name, "-") != 0) {
        complain(NULL, "%s is not written: not all games can be read", name);
        whole = false;
    }
    return output_close(out, whole) ? status : STATUS_OUTPUT;
}

static int write_clean(Duplicates *d, const Arguments *a, const InputNames *inputs, int status)
{
    const char *name = a->value[OPTION_OUTPUT];
    if (!ends_with(name, ".cqldb"))
        return write_pgn(d, name, status);
    if (!duplicates_whole(d)) {
        complain(NULL, "%s is not written: games of a database cannot be read", name);
        return STATUS_INPUT;
    }
    const int imported = import_inputs(a, inputs, &(ImportPlan){.without = d});
    return imported != STATUS_OK ? imported : status;
}

static bool check_output(const Arguments *a)
{
    const char *name = a->value[OPTION_OUTPUT];
    const SearchFormat format = name ? format_by_file(name) : FORMAT_PGN;
    if (format != FORMAT_PGN && format != FORMAT_COUNT_)
        return complain(
            NULL,
            "duplicates writes games as PGN (-o CLEAN.pgn) or as a database (-o CLEAN.cqldb), not %s; for a "
            "list use -f csv or -f json, which goes to standard output",
            name);
    if (name && strcmp(name, "-") == 0 && a->value[OPTION_LISTING])
        return complain(NULL, "-o - writes games to standard output, where the list of -f would be; choose "
                              "another output name");
    return true;
}

static void summarise(const Duplicates *d, double start)
{
    const int64_t dropped = duplicates_dropped(d), begins_longer = duplicates_begins(d);
    printf_sanitized(stderr,
                     "%lld game%s, %lld duplicate%s, %lld of them the beginning of a longer game, %.2f s\n",
                     (long long)duplicates_games(d), duplicates_games(d) == 1 ? "" : "s", (long long)dropped,
                     dropped == 1 ? "" : "s", (long long)begins_longer, clock_now() - start);
}

int command_duplicates(int count, char **argument)
{
    Arguments a;
    InputNames inputs = {0};
    int status = STATUS_INPUT;
    if (!read_arguments(&a, COMMAND_DUPLICATES, NULL, NULL, count, argument))
        return STATUS_QUERY;
    if (a.word_count == 0) {
        complain(NULL, "no games to look through: name PGN files, databases or folders of them, or `-` for "
                       "standard input");
        return STATUS_QUERY;
    }
    const double start = clock_now();
    if (read_inputs(&inputs, &a, 0)) {
        const char *output = a.value[OPTION_OUTPUT];
        status = !check_output(&a) ? STATUS_QUERY : output ? check_sources(&inputs, output) : STATUS_OK;
        Duplicates *d = status == STATUS_OK ? find_duplicates(&a, &inputs, 0, &(ImportPlan){0}, &status) : NULL;
        if (d && !(output && strcmp(output, "-") == 0) && !write_list(d, &a))
            status = STATUS_OUTPUT;
        else if (d && output)
            status = write_clean(d, &a, &inputs, status);
        if (d && !a.value[OPTION_QUIET])
            summarise(d, start);
        duplicates_free(d);
    }
    inputs_free(&inputs);
    signals_end();
    return status;
}
