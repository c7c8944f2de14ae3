// Writing a result: as its games come, or at the end of the search.
#include "result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"

enum { STORE_BYTES = 64 << 20 }; // of all results: beyond this, games that wait go to files

void result_init(Result *r, const Plan *plan, uint32_t number)
{
    *r = (Result){.plan = plan,
                  .own = &plan->result[number],
                  .matcher = result_matcher(&plan->result[number], plan->matcher),
                  .store_bytes = STORE_BYTES / plan->result_count};
    r->query = memory_zeroed(r->own->count, sizeof *r->query);
}

void result_free(Result *r)
{
    sorted_free(&r->stored);
    free(r->query);
}

// ---- where it goes ----------------------------------------------------------------------------------------

// An output must not replace or extend an input.
static bool check_output(const SearchOptions *o, const char *output)
{
    for (size_t i = 0; o->format != FORMAT_NONE && i < o->input_count; i++) {
        if (output_is_input(output, o->input[i])) {
            fprintf(stderr, "cqlgen: %s is both an input and the output; choose another output name\n",
                    strcmp(o->input[i], "-") == 0 ? "standard input" : o->input[i]);
            return false;
        }
    }
    return true;
}

// Only games can go to several files, not pages and counts.
static bool check_split(const Result *r)
{
    const SearchFormat format = r->plan->options->format;
    const unsigned flags = r->plan->format_flags;
    if (!r->own->split || (flags != 0 && !(flags & FORMAT_PAGE)) || format == FORMAT_POSITIONS)
        return true;
    fprintf(stderr, "cqlgen: the format %s is one file; write an output name without a tag in braces\n",
            format_info[format].name);
    return false;
}

bool result_check(const Result *r)
{
    return check_output(r->plan->options, r->own->output) && check_split(r);
}

bool result_open(Result *r)
{
    const SearchOptions *o = r->plan->options;
    if (o->format != FORMAT_NONE && !r->own->split)
        r->failed = !(r->output = output_open(r->own->output, o->output_flags));
    return !r->failed;
}

static bool is_discarded(const Result *r)
{
    return r->totals.errors > 0 && r->plan->options->discard_failed;
}

bool result_close(Result *r, bool keep)
{
    if (r->output && !output_close(r->output, keep && !is_discarded(r)))
        r->failed = true;
    r->output = NULL;
    return !r->failed;
}

// ---- games as they come -----------------------------------------------------------------------------------

static void write_text(Result *r, const char *text, size_t length)
{
    if (r->output && !r->failed && length > 0 && !output_write(r->output, text, length))
        r->failed = true;
}

void result_cut(const Result *r, Part *part)
{
    const int64_t wanted = r->own->limit - r->totals.matches;
    if (r->own->limit > 0 && part->totals.matches >= wanted)
        part_cut(part, (size_t)wanted);
}

static void store_games(Result *r, Part *part)
{
    if (r->plan->format_flags & FORMAT_PAGE && !r->own->sorted &&
        r->stored.count + part->sorted.count > PAGE_GAMES)
        sorted_cut(&part->sorted, PAGE_GAMES - r->stored.count);
    if (!r->failed && !sorted_move(&r->stored, &part->sorted, r->store_bytes))
        r->failed = true;
}

static void add_totals(Result *r, const Part *part)
{
    SearchTotals *sum = &r->totals;
    sum->games += part->totals.games;
    sum->matches += part->totals.matches;
    sum->hits += part->totals.hits;
    sum->positions += part->totals.positions;
    sum->damaged += part->totals.damaged;
    sum->errors += part->totals.errors;
    for (uint32_t q = 0; q < r->own->count; q++) {
        r->query[q].matches += part->query[q].matches;
        r->query[q].hits += part->query[q].hits;
        r->query[q].errors += part->query[q].errors;
        r->query[q].by_tags += part->query[q].by_tags;
        r->query[q].by_moves += part->query[q].by_moves;
        r->query[q].evaluated += part->query[q].evaluated;
        r->query[q].seconds += part->query[q].seconds;
    }
}

void result_take(Result *r, Part *part)
{
    write_text(r, part->output.start, part->output.length);
    store_games(r, part);
    add_totals(r, part);
    r->complete = r->own->limit > 0 && r->totals.matches >= r->own->limit;
}

// ---- begin and end ----------------------------------------------------------------------------------------

// The number of matching games in the result.
static int64_t written_games(const Result *r)
{
    const int64_t limit = r->plan->options->limit;
    int64_t count = r->totals.matches;
    if (limit > 0 && limit < count)
        count = limit;
    return r->plan->format_flags & FORMAT_PAGE && count > PAGE_GAMES ? PAGE_GAMES : count;
}

static FormatSearch format_search(const Result *r)
{
    const SearchOptions *o = r->plan->options;
    return (FormatSearch){&r->matcher, &r->totals, r->query, written_games(r), o->input_count, o->input};
}

void result_begin(Result *r)
{
    Buffer text = {0};
    FormatSearch search = format_search(r);
    format_begin(r->plan->options->format, &text, &search);
    write_text(r, text.start, text.length);
    buffer_free(&text);
}

// Writes a part of a stored game: the index part, or the rest.
static void write_stored_game(Result *r, size_t i, bool index)
{
    Buffer text = {0};
    const SortedGame *game = &r->stored.game[i];
    if (sorted_text(&r->stored, i, index ? 0 : game->index_length, index ? game->index_length : game->length,
                    &text)) {
        write_text(r, text.start, text.length);
    } else {
        fprintf(stderr, "cqlgen: cannot read the temporary file: %s\n", strerror(r->stored.error));
        r->failed = true;
    }
    buffer_free(&text);
}

// The same of the first `count` stored games.
static void write_stored(Result *r, size_t count, bool index)
{
    for (size_t i = 0; i < count && !r->failed; i++)
        write_stored_game(r, i, index);
}

// ---- output in several files ------------------------------------------------------------------------------

// By the file, then by the order of writing.
static int compare_files(const void *left, const void *right, void *user)
{
    const SortedGame *game = user;
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    const int order = strcmp(game[a].file, game[b].file);
    return order != 0 ? order : (a > b) - (a < b);
}

// Writes the file of some games.
static void write_file(Result *r, const size_t *place, size_t count)
{
    const SearchOptions *o = r->plan->options;
    const char *name = r->stored.game[place[0]].file;
    r->output = check_output(o, name) ? output_open(name, o->output_flags | OUTPUT_FOLDERS) : NULL;
    r->failed = !r->output;
    if (r->failed)
        return;
    result_begin(r);
    for (size_t i = 0; i < count && !r->failed; i++)
        write_stored_game(r, place[i], false);
    if (!output_close(r->output, !r->failed && !is_discarded(r)))
        r->failed = true;
    r->output = NULL;
}

static void write_files(Result *r, size_t count)
{
    size_t *place = memory_zeroed(count + 1, sizeof *place);
    for (size_t i = 0; i < count; i++)
        place[i] = i;
    qsort_r(place, count, sizeof *place, compare_files, r->stored.game);
    for (size_t begin = 0, end; begin < count && !r->failed; begin = end) {
        for (end = begin + 1;
             end < count && strcmp(r->stored.game[place[begin]].file, r->stored.game[place[end]].file) == 0;)
            end++;
        write_file(r, place + begin, end - begin);
    }
    free(place);
}

// ---- the end of the output --------------------------------------------------------------------------------

// Announces the results. A stored format consists of games only.
static void announce_results(Result *r, size_t count)
{
    const SearchOptions *o = r->plan->options;
    int64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += (int64_t)r->stored.game[i].length;
    o->before_results(o->user, (int64_t)count, bytes);
    fflush(stdout); // the output has a buffer of its own
}

// Writes everything that follows the last game.
void result_end(Result *r)
{
    const SearchOptions *o = r->plan->options;
    Buffer text = {0};
    FormatSearch search = format_search(r);
    if (r->own->stored) {
        sorted_sort(&r->stored);
        const size_t count = (size_t)search.written;
        if (search.written == PAGE_GAMES && r->totals.matches > PAGE_GAMES)
            fprintf(stderr,
                    "cqlgen: the page shows the first %d of %lld matching games; other formats write all\n",
                    PAGE_GAMES, (long long)r->totals.matches);
        if (o->before_results)
            announce_results(r, count);
        if (r->plan->format_flags & FORMAT_PAGE) {
            result_begin(r);
            write_stored(r, count, true);
            format_middle(o->format, &text, &search);
            write_text(r, text.start, text.length);
            text.length = 0;
        }
        if (r->own->split)
            write_files(r, count);
        else
            write_stored(r, count, false);
    }
    format_end(o->format, &text, &search);
    write_text(r, text.start, text.length);
    buffer_free(&text);
}
