// `cqlgen classify`: writes the openings of games into their tags.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/format/format.h"
#include "runtime/game/openings.h"
#include "runtime/game/retag.h"
#include "runtime/search/budget.h"
#include "runtime/search/input.h"
#include "runtime/search/output.h"
#include "runtime/value/clock.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "cli.h"
#include "signals.h"

// Which openings are written, and where.
typedef struct Classifier {
    const Openings *table;
    bool keep;
} Classifier;

// An input as a stream of bytes in which the games have the new tags.
typedef struct Classified {
    Classifier by;
    bool all_words; // each unknown word is reported
    const atomic_int *stop;
    int64_t games, named;
    const char *name;
    InputFile *file;
    PgnSplitter *splitter;
    Buffer read;               // of the file, from the offset `read_at` on
    uint64_t read_at, written; // offsets; the bytes before `written` are in `out` or gone
    Buffer out;
    size_t taken; // of `out`
    Game game;
    bool ended;
} Classified;

static const Opening *opening_of(const Classifier *c, const Game *game)
{
    return game->skipped || !game_is_chess(game) ? NULL : openings_of(c->table, &game->view);
}

static void put_opening(const Classifier *c, Buffer *out, Text game, const Opening *opening)
{
    const Tag set[] = {{text_of("ECO"), opening->code, false}, {text_of("Opening"), opening->name, false}};
    game_retag(out, game, set, 2, c->keep);
}

// ---- PGN --------------------------------------------------------------------------------------------------

static void report(void *user, uint64_t line, int64_t game, const char *message)
{
    const Classified *c = user;
    print_damage(c->name, line, game, message);
}

// The splitter reads here: the bytes between games are kept.
static int64_t read_file(void *user, void *buffer, size_t size)
{
    Classified *c = user;
    const int64_t length = input_read(c->file, buffer, size);
    if (length > 0)
        buffer_append(&c->read, buffer, (size_t)length);
    return length;
}

static void copy_up_to(Classified *c, uint64_t offset)
{
    enum { KEPT_BYTES = 1 << 22 };
    buffer_append(&c->out, c->read.start + (c->written - c->read_at), (size_t)(offset - c->written));
    c->written = offset;
    const size_t old = (size_t)(c->written - c->read_at);
    if (old < KEPT_BYTES)
        return;
    c->read.length -= old;
    memmove(c->read.start, c->read.start + old, c->read.length);
    c->read_at = c->written;
}

static void put_game(Classified *c, const GameText *source)
{
    game_parse(&c->game, source, c->all_words ? PARSE_ALL_WORDS : 0, report, c);
    const Opening *opening = opening_of(&c->by, &c->game);
    c->games++;
    copy_up_to(c, source->offset);
    const char *written = c->read.start + (source->offset - c->read_at);
    if (!opening || memcmp(written, source->text.start, source->text.length) != 0) // NULs are left out
        return;
    put_opening(&c->by, &c->out, source->text, opening);
    c->written += source->text.length;
    c->named++;
}

// As a ReadFn (runtime/game/game.h).
static int64_t read_classified(Classified *c, void *buffer, size_t size)
{
    GameText source;
    if (c->taken == c->out.length) {
        if (c->out.length > 0) // the last byte stays for game_retag
            c->out.start[0] = c->out.start[c->out.length - 1];
        c->taken = c->out.length = c->out.length > 0;
        while (!c->ended && c->out.length < size) {
            if (pgn_split_next(c->splitter, &source)) {
                put_game(c, &source);
            } else {
                c->ended = true;
                copy_up_to(c, c->read_at + c->read.length);
            }
        }
    }
    const size_t rest = c->out.length - c->taken, length = rest < size ? rest : size;
    memcpy(buffer, c->out.start + c->taken, length);
    c->taken += length;
    return length == 0 && (input_error(c->file) || pgn_split_error(c->splitter)) ? -1 : (int64_t)length;
}

static bool open_input(Classified *c, const char *name, const Arguments *a)
{
    const SearchOptions memory = {.memory = a->low[OPTION_MAX_MEMORY] << 20};
    c->name = name;
    c->file = input_open(name, c->stop);
    if (!c->file)
        return complain(NULL, "cannot read %s: %s", name, strerror(errno));
    input_set_memory(c->file, search_memory(&memory));
    c->splitter = pgn_split_open(read_file, c, report, c);
    pgn_split_limit(c->splitter, search_memory_of_text(&memory));
    c->read.length = c->out.length = c->taken = 0;
    c->read_at = c->written = 0;
    c->ended = false;
    return true;
}

// False after a message when the input was not read to its end.
static bool close_input(Classified *c, const char *name)
{
    const char *wrong = input_error(c->file) ? input_error(c->file) : pgn_split_error(c->splitter);
    if (wrong)
        complain(NULL, "%s: %s", name, wrong);
    pgn_split_close(c->splitter);
    input_close(c->file);
    return !wrong;
}

static int write_pgn(Classified *c, const Arguments *a, const InputNames *inputs)
{
    enum { PIECE_BYTES = 1 << 20 };
    OutputFile *out = output_open(a->value[OPTION_OUTPUT], 0);
    char *bytes = memory_new(PIECE_BYTES), last = '\n';
    int status = out ? STATUS_OK : STATUS_OUTPUT;
    for (size_t i = 0; i < inputs->count && status == STATUS_OK; i++) {
        int64_t length;
        if (!open_input(c, inputs->name[i], a)) {
            status = STATUS_INPUT;
            break;
        }
        if (i > 0 && !output_write(out, "\n\n", last == '\n' ? 1 : 2)) // files may end without an empty line
            status = STATUS_OUTPUT;
        while (status == STATUS_OK && !*c->stop && (length = read_classified(c, bytes, PIECE_BYTES)) > 0) {
            last = bytes[length - 1];
            status = output_write(out, bytes, (size_t)length) ? STATUS_OK : STATUS_OUTPUT;
        }
        if (!close_input(c, inputs->name[i]))
            status = STATUS_INPUT;
        if (*c->stop && status == STATUS_OK) {
            complain(NULL, "interrupted");
            status = STATUS_INTERRUPTED;
        }
    }
    free(bytes);
    return out && !output_close(out, status == STATUS_OK) ? STATUS_OUTPUT : status;
}

// ---- databases --------------------------------------------------------------------------------------------

// An AmendFn.
static bool write_opening(void *user, const GameText *source, Game *game, Buffer *out, Buffer *scratch)
{
    const Classifier *c = user;
    (void)scratch;
    game_parse(game, source, 0, NULL, NULL);
    const Opening *opening = opening_of(c, game);
    if (opening)
        put_opening(c, out, source->text, opening);
    return opening != NULL;
}

// ---- the command ------------------------------------------------------------------------------------------

static int check_names(const char *output, const InputNames *inputs)
{
    const SearchFormat format = output ? format_by_file(output) : FORMAT_PGN;
    if (format == FORMAT_PGN || format == FORMAT_COUNT_)
        return check_sources(inputs, output);
    complain(NULL, "classify writes PGN or a database (.cqldb), not %s", output);
    return STATUS_QUERY;
}

int command_classify(int count, char **argument)
{
    Arguments a;
    InputNames inputs;
    const double start = clock_now();
    if (!read_arguments(&a, COMMAND_CLASSIFY, NULL, NULL, count, argument))
        return STATUS_QUERY;
    if (a.word_count == 0) {
        complain(NULL, "no games to classify: name a PGN file or a database, or `-` for standard input");
        return STATUS_QUERY;
    }
    const char *name = a.value[OPTION_OUTPUT];
    const bool stored = name && ends_with(name, ".cqldb");
    if (a.value[OPTION_ADD] && !stored) {
        complain(NULL, "--append adds games to a database: name it with -o GAMES.cqldb");
        return STATUS_QUERY;
    }
    Classified c = {.by.keep = a.value[OPTION_KEEP] != NULL, .all_words = a.value[OPTION_STRICT] != NULL};
    const Openings *own;
    if (!read_openings(&a, &own))
        return STATUS_QUERY;
    c.by.table = own ? own : openings_usual();
    c.stop = signals_catch();
    game_init(&c.game);
    int status = STATUS_INPUT;
    if (read_inputs(&inputs, &a, 0))
        status = check_names(name, &inputs);
    const ImportPlan plan = {.amend = write_opening, .amend_user = &c.by, .amended = "an opening"};
    if (status == STATUS_OK)
        status = stored ? import_inputs(&a, &inputs, &plan) : write_pgn(&c, &a, &inputs);
    if (status == STATUS_OK && !stored && !a.value[OPTION_QUIET])
        printf_sanitized(stderr, "%lld of %lld games have an opening, %.2f s\n", (long long)c.named,
                         (long long)c.games, clock_now() - start);
    inputs_free(&inputs);
    game_free(&c.game);
    buffer_free(&c.read);
    buffer_free(&c.out);
    free_openings(own);
    signals_end();
    return status;
}
