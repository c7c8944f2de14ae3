// Whole files that commands read and write, and their names.
#include "cli.h"
#include "examples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/database/spelling.h"
#include "runtime/game/openings.h"
#include "runtime/search/input.h"
#include "runtime/search/output.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"

bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

size_t query_ending(const char *name)
{
    const bool script = ends_with(name, ".cqls") || ends_with(name, ".CQLS");
    return script ? strlen(".cqls") : ends_with(name, ".cql") || ends_with(name, ".CQL") ? strlen(".cql") : 0;
}

bool is_query_name(const char *name)
{
    return query_ending(name) > 0;
}

const char *read_source(Arena *arena, const char *name, Source *source)
{
    const Example *example = example_of_file(name);
    if (example) {
        *source = (Source){example->name, example->text, strlen(example->text), NULL};
        return NULL;
    }
    return source_read(arena, strcmp(name, STANDARD_QUERY) == 0 ? "-" : name, source);
}

bool read_openings(const Arguments *a, const Openings **table)
{
    const char *name = a->value[OPTION_OPENINGS];
    *table = NULL;
    if (!name)
        return true;
    Arena *arena = arena_new();
    Source source;
    char *message = NULL;
    const char *wrong = source_read(arena, name, &source);
    *table = !wrong ? openings_read((Text){source.text, source.length}, name, &message) : NULL;
    if (wrong || message)
        complain(NULL, "%s", wrong ? wrong : message);
    arena_free(arena);
    free(message);
    return *table;
}

void free_openings(const Openings *table)
{
    openings_free((Openings *)(uintptr_t)table);
}

static void report_spelling(void *user, uint64_t line, int64_t game, const char *message)
{
    (void)game;
    printf_sanitized(stderr, "%s:%llu: %s\n", (const char *)user, (unsigned long long)line, message);
}

bool read_spelling(const Arguments *a, const Spelling **table)
{
    enum { PIECE_BYTES = 1 << 16 };
    const char *name = a->value[OPTION_SPELLING];
    Spelling *spelling = NULL;
    *table = NULL;
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
        spelling =
            spelling_read((Text){text.start, text.length}, name, report_spelling, (void *)(uintptr_t)name);
    if (spelling && spelling_names(spelling) == 0) {
        complain(NULL,
                 "%s has no names: expected a spelling file of Scid, with a section @PLAYER, @SITE, @EVENT "
                 "or @ROUND",
                 name);
        spelling_free(spelling);
        spelling = NULL;
    }
    buffer_free(&text);
    input_close(file);
    *table = spelling;
    return spelling != NULL;
}

void free_spelling(const Spelling *table)
{
    spelling_free((Spelling *)(uintptr_t)table);
}

bool write_file(const char *name, const char *text, size_t length)
{
    OutputFile *out = output_open(name, 0);
    if (!out)
        return false;
    const bool written = output_write(out, text, length);
    return output_close(out, written) && written;
}

bool flush_output(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    if (output_has_no_reader())
        return false;
    return complain(NULL, "cannot write standard output: %s", errno ? strerror(errno) : "a write failed");
}
