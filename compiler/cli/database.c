// The commands that read and check databases of games: export, info, verify.
#include "runtime/database/database.h"
#include "runtime/format/format.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/search/output.h"
#include "runtime/search/search.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "cli.h"

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
