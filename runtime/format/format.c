// Output formats: the table, the simple writers, the dispatch.
#include "format.h"

#include <stdio.h>
#include <string.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "found.h"
#include "packed.h"
#include "writers.h"

const FormatInfo format_info[FORMAT_COUNT_] = {
#define FORMAT(id, name, ending, flags, help) [FORMAT_##id] = {name, ending, flags, help},
#include "formats.def"
};

SearchFormat format_by_name(const char *name)
{
    SearchFormat format = 0;
    while (format < FORMAT_COUNT_ && strcmp(format_info[format].name, name) != 0)
        format++;
    return format;
}

// The ending of a file name without that which compresses; NULL: none.
static const char *find_ending(const char *file, size_t *length)
{
    const size_t end = packed_inner_length(file);
    size_t start = end;
    while (start > 0 && file[start - 1] != '.' && file[start - 1] != '/')
        start--;
    *length = end - start + 1;
    return start > 1 && file[start - 1] == '.' && file[start - 2] != '/' ? file + start - 1 : NULL;
}

SearchFormat format_by_file(const char *file)
{
    SearchFormat format = 0;
    size_t length;
    const char *ending = find_ending(file, &length);
    while (format < FORMAT_COUNT_ &&
           !(ending && format_info[format].ending && strlen(format_info[format].ending) == length &&
             ascii_same_bytes(format_info[format].ending, ending, length)))
        format++;
    return format;
}

bool format_has_ending(const char *file)
{
    size_t length;
    return find_ending(file, &length) != NULL;
}

// ---- pgn, positions, count --------------------------------------------------------------------------------

static void write_pgn(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    found_comments(m, g, g->found, g->count, false);
    found_set_tags(m, g->found, g->count);
    GameChanges changes = {.added = m->added,
                           .semicolon = m->between[0] == ';',
                           .drop_comment = m->any_drop ? m->drop : NULL,
                           .set_tag = m->set_tag,
                           .set_tag_count = m->set_tag_count,
                           .forms = g->forms};
    if (g->context == 0 || !write_pgn_excerpt(out, g, m, &changes))
        game_write_pgn(out, g->game, &changes);
}

static void write_ids(Buffer *out, const FoundGame *g, const Found *found)
{
    if (found->result->hit_count == 0) // matchcount 0: the game matches because none of its positions does
        return;
    if (g->matcher->query_count > 1)
        buffer_format(out, "%s\t", found->query->name);
    buffer_format(out, "%lld:", (long long)g->number);
    for (int32_t i = 0; i < found->result->hit_count; i++) {
        char number[16];
        int length = snprintf(number, sizeof number, " %d", (int)found->result->hit[i]);
        buffer_append(out, number, (size_t)length);
    }
    buffer_append(out, "\n", 1);
}

static void write_positions(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    (void)m;
    for (size_t i = 0; i < g->count; i++)
        write_ids(out, g, &g->found[i]);
}

// One number, or with several queries a line with name and number for each.
static void write_counts(Buffer *out, const FormatSearch *s)
{
    const uint32_t count = s->matcher->query_count;
    for (uint32_t q = 0; q < count; q++) {
        if (count > 1)
            buffer_format(out, "%s\t", s->matcher->query[q].name);
        buffer_format(out, "%lld\n", (long long)s->query[q].matches);
    }
}

// ---- dispatch ---------------------------------------------------------------------------------------------

void format_begin(SearchFormat format, Buffer *out, const FormatSearch *search)
{
    if (format == FORMAT_CSV)
        write_csv_header(out, search);
    else if (format == FORMAT_TSV)
        write_tsv_header(out, search);
    else if (format == FORMAT_LIST)
        write_list_header(out, search);
}

void format_game(SearchFormat format, Buffer *out, const FoundGame *game, FormatMemory *memory)
{
    static void (*const writers[FORMAT_COUNT_])(Buffer *, const FoundGame *, FormatMemory *) = {
        [FORMAT_PGN] = write_pgn,       [FORMAT_POSITIONS] = write_positions,
        [FORMAT_JSONL] = write_jsonl,   [FORMAT_CSV] = write_csv,
        [FORMAT_TSV] = write_tsv,       [FORMAT_FEN] = write_fen,
        [FORMAT_SQLITE] = write_sqlite, [FORMAT_LIST] = write_list,
        [FORMAT_HTML] = write_html_game,
    };
    if (writers[format])
        writers[format](out, game, memory);
}

void format_end(SearchFormat format, Buffer *out, const FormatSearch *search)
{
    if (format == FORMAT_COUNT)
        write_counts(out, search);
}
