// The report of a benchmark as text, CSV and JSON.
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/format/text.h"

size_t bench_group(const BenchRow *row, size_t count)
{
    size_t n = 1;
    while (n < count && strcmp(row[n].query, row->query) == 0 && strcmp(row[n].input, row->input) == 0)
        n++;
    return n;
}

static int compare_times(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double bench_median_of(double *time, int count)
{
    if (count == 0)
        return 0;
    qsort(time, (size_t)count, sizeof *time, compare_times);
    return count % 2 ? time[count / 2] : (time[count / 2 - 1] + time[count / 2]) / 2;
}

double bench_rate(const BenchRow *row)
{
    return row->median > 0 ? (double)row->positions / row->median : 0;
}

// The shortest median of some rows; 0: nothing was measured.
static double fastest(const BenchRow *row, size_t count)
{
    double best = 0;
    for (size_t i = 0; i < count; i++)
        if (!row[i].problem && (best == 0 || row[i].median < best))
            best = row[i].median;
    return best;
}

// ---- text -------------------------------------------------------------------------------------------------

static void text_label(Buffer *out, const BenchRow *row)
{
    Buffer label = {0};
    buffer_text(&label, strcmp(row->source, "pgn") == 0 ? "PGN" : row->source);
    if (row->threads > 0)
        buffer_format(&label, ", %d thread%s", row->threads, row->threads == 1 ? "" : "s");
    buffer_format(out, "%-20.*s %-10s", (int)label.length, label.start, row->program);
    buffer_free(&label);
}

static void text_row(Buffer *out, const BenchRow *row, double best)
{
    text_label(out, row);
    if (row->problem) {
        buffer_format(out, "  failed: %s\n", row->problem);
        return;
    }
    buffer_format(out, " %8.3f %8.3f %8.3f %7.2f %8.2f %8.1f ", row->median, row->least, row->most,
                  row->median / best, bench_rate(row) / 1e6, (double)row->bytes / 1e6 / row->median);
    if (row->start >= 0)
        buffer_format(out, "%8.3f", row->start);
    else
        buffer_format(out, "%8s", "-");
    buffer_format(out, " %7.1f %4d ", (double)row->memory / 1e6, row->runs);
    if (row->matches >= 0)
        buffer_format(out, "%8lld%s\n", (long long)row->matches, row->differs ? "  differs" : "");
    else
        buffer_format(out, "%8s\n", "?");
}

static void text_rows(Buffer *out, const BenchRow *row, size_t count, bool first)
{
    const double best = fastest(row, count);
    buffer_format(out, "%s%s, %s: %lld games, %lld positions, %.1f MB\n", first ? "" : "\n", row->query,
                  row->input, (long long)row->games, (long long)row->positions, (double)row->bytes / 1e6);
    buffer_format(out, "%-31s %8s %8s %8s %7s %8s %8s %8s %7s %4s %8s\n", "", "seconds", "min", "max",
                  "x best", "Mpos/s", "MB/s", "compile", "MB", "runs", "matches");
    for (size_t i = 0; i < count; i++)
        text_row(out, &row[i], best > 0 ? best : 1);
}

// True when an earlier row has the same source, threads and program.
static bool is_repeated(const BenchRow *row, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (row[k].threads == row[i].threads && strcmp(row[k].source, row[i].source) == 0 &&
            strcmp(row[k].program, row[i].program) == 0)
            return true;
    return false;
}

// The geometric mean, over all groups that have the row, of its time over the best of the group; 0: there is none.
static double mean_over_best(const BenchRow *row, size_t count, const BenchRow *like)
{
    double sum = 0;
    int terms = 0;
    for (size_t at = 0, n; at < count; at += n) {
        n = bench_group(row + at, count - at);
        const double best = fastest(row + at, n);
        for (size_t i = at; i < at + n; i++) {
            if (row[i].problem || row[i].threads != like->threads ||
                strcmp(row[i].source, like->source) != 0 || strcmp(row[i].program, like->program) != 0)
                continue;
            sum += log(row[i].median / best);
            terms++;
        }
    }
    return terms > 0 ? exp(sum / terms) : 0;
}

static void text_end(Buffer *out, const BenchRow *row, size_t count)
{
    if (count > 0 && bench_group(row, count) < count) {
        buffer_text(out, "\ngeometric mean of x best\n");
        for (size_t i = 0; i < count; i++) {
            const double mean = is_repeated(row, i) ? 0 : mean_over_best(row, count, &row[i]);
            if (mean == 0)
                continue;
            text_label(out, &row[i]);
            buffer_format(out, " %8.2f\n", mean);
        }
    }
    const char *gap = "\n";
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < i && strcmp(row[k].program, row[i].program) != 0)
            k++;
        if (!row[i].other || row[i].problem || k < i)
            continue;
        buffer_format(out, "%s%s: %s\n", gap, row[i].program,
                      row[i].counted ? row[i].counted : "the games that it finds could not be counted");
        gap = "";
    }
}

// ---- CSV --------------------------------------------------------------------------------------------------

static void csv_row(Buffer *out, const BenchRow *row, TextWriter text)
{
    const char *const names[] = {row->query, row->input, row->source, row->program};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        text(out, text_of(names[i]));
        buffer_text(out, ",");
    }
    if (row->threads > 0)
        buffer_format(out, "%d", row->threads);
    buffer_format(out, ",%lld,%lld,%lld,%d,", (long long)row->games, (long long)row->positions,
                  (long long)row->bytes, row->runs);
    if (row->problem)
        buffer_text(out, ",,,,,,,,,");
    else {
        buffer_format(out, "%.6f,%.6f,%.6f,%.6f,%.0f,%.6f,", row->median, row->least, row->most,
                      row->processor, bench_rate(row), (double)row->bytes / 1e6 / row->median);
        if (row->start >= 0)
            buffer_format(out, "%.6f", row->start);
        buffer_format(out, ",%lld,", (long long)row->memory);
        if (row->matches >= 0)
            buffer_format(out, "%lld", (long long)row->matches);
        buffer_text(out, ",");
    }
    text(out, text_of(row->problem ? row->problem : row->differs ? "differs" : ""));
    buffer_text(out, "\r\n");
}

// ---- JSON -------------------------------------------------------------------------------------------------

static void json_string(Buffer *out, const char *name, const char *text)
{
    buffer_format(out, "\"%s\":", name);
    if (text)
        text_json(out, text_of(text));
    else
        buffer_text(out, "null");
    buffer_text(out, ",");
}

static void json_row(Buffer *out, const BenchRow *row)
{
    buffer_text(out, "  {");
    json_string(out, "query", row->query);
    json_string(out, "input", row->input);
    json_string(out, "source", row->source);
    json_string(out, "program", row->program);
    if (row->threads > 0)
        buffer_format(out, "\"threads\":%d,", row->threads);
    buffer_format(out, "\"games\":%lld,\"positions\":%lld,\"bytes\":%lld,\"runs\":%d,", (long long)row->games,
                  (long long)row->positions, (long long)row->bytes, row->runs);
    if (!row->problem) {
        buffer_format(out,
                      "\"seconds\":%.6f,\"least\":%.6f,\"most\":%.6f,\"processor\":%.6f,"
                      "\"positions_per_second\":%.0f,\"megabytes_per_second\":%.6f,\"memory\":%lld,",
                      row->median, row->least, row->most, row->processor, bench_rate(row),
                      (double)row->bytes / 1e6 / row->median, (long long)row->memory);
        if (row->start >= 0)
            buffer_format(out, "\"compile\":%.6f,", row->start);
        if (row->matches >= 0)
            buffer_format(out, "\"matches\":%lld,", (long long)row->matches);
        json_string(out, "counted", row->counted);
    }
    json_string(out, "problem", row->problem);
    buffer_format(out, "\"differs\":%s}", row->differs ? "true" : "false");
}

// ---- reports ----------------------------------------------------------------------------------------------

void bench_begin(Buffer *out, BenchFormat format)
{
    if (format == BENCH_CSV || format == BENCH_CSV_SAFE)
        buffer_text(
            out, "query,input,source,program,threads,games,positions,bytes,runs,seconds,least,most,processor,"
                 "positions_per_second,megabytes_per_second,compile,memory,matches,problem\r\n");
    if (format == BENCH_JSON)
        buffer_text(out, "{\"version\":1,\"rows\":[\n");
}

void bench_rows(Buffer *out, BenchFormat format, const BenchRow *row, size_t count, bool first)
{
    if (format == BENCH_TEXT)
        text_rows(out, row, count, first);
    for (size_t i = 0; i < count && (format == BENCH_CSV || format == BENCH_CSV_SAFE); i++)
        csv_row(out, &row[i], format == BENCH_CSV_SAFE ? text_csv_safe : text_csv);
    for (size_t i = 0; i < count && format == BENCH_JSON; i++) {
        buffer_text(out, first && i == 0 ? "" : ",\n");
        json_row(out, &row[i]);
    }
}

void bench_end(Buffer *out, BenchFormat format, const BenchRow *row, size_t count)
{
    if (format == BENCH_TEXT)
        text_end(out, row, count);
    if (format == BENCH_JSON)
        buffer_text(out, "\n]}\n");
    if (format == BENCH_SVG)
        bench_chart(out, row, count);
}
