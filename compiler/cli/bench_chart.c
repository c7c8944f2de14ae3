// The chart of a benchmark: bars of positions a second, as SVG without scripts, readable on light and dark pages.
#include "bench.h"

#include <string.h>

#include "runtime/format/text.h"

enum { WIDTH = 830, LEFT = 220, RIGHT = 240, BAR = 12, STEP = 16, TITLE = 30, TOP = 48 };

static const char *colour_of(const BenchRow *row)
{
    static const struct {
        const char *program, *colour;
    } colours[] = {{"interp", "#8b949e"},  {"tcc", "#d29922"},  {"cc", "#2f81f7"},
                   {"cc-cold", "#79c0ff"}, {"auto", "#3fb950"}, {"auto-cold", "#7ee787"}};
    for (size_t i = 0; i < sizeof colours / sizeof *colours && !row->other; i++)
        if (strcmp(colours[i].program, row->program) == 0)
            return colours[i].colour;
    return "#a371f7";
}

static void write_text(Buffer *out, double x, double y, const char *anchor, const char *style,
                       const char *text)
{
    buffer_format(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, style);
    text_html(out, text_of(text));
    buffer_text(out, "</text>\n");
}

static void write_label(Buffer *out, const BenchRow *row, double y)
{
    Buffer label = {0};
    buffer_format(&label, "%s, %s", strcmp(row->source, "pgn") == 0 ? "PGN" : row->source, row->program);
    if (row->threads > 1)
        buffer_format(&label, ", %d threads", row->threads);
    buffer_append(&label, "", 1);
    write_text(out, LEFT - 10, y + BAR - 2, "end", "font-size=\"12\"", label.start);
    buffer_free(&label);
}

// A bar with its spread: the line goes from the rate of the slowest run to that of the fastest.
static void write_bar(Buffer *out, const BenchRow *row, double y, double scale)
{
    const double positions = (double)row->positions, end = LEFT + bench_rate(row) * scale;
    const double low = row->most > 0 ? LEFT + positions / row->most * scale : end;
    const double high = row->least > 0 ? LEFT + positions / row->least * scale : end;
    Buffer figures = {0};
    buffer_format(out, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>\n",
                  LEFT, y, end - LEFT > 1 ? end - LEFT : 1, BAR, colour_of(row));
    buffer_format(out, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#7d8590\"/>\n", low, y + BAR / 2.0, high);
    buffer_format(&figures, "%.2f million/s (%.3f s)", bench_rate(row) / 1e6, row->median);
    buffer_append(&figures, "", 1);
    write_text(out, (high > end ? high : end) + 8, y + BAR - 2, "start", "font-size=\"11\"", figures.start);
    buffer_free(&figures);
}

// The longest bar, with its spread, fills the width.
static double scale_of(const BenchRow *row, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        if (!row[i].problem && row[i].least > 0 && (double)row[i].positions / row[i].least > most)
            most = (double)row[i].positions / row[i].least;
    return most > 0 ? (WIDTH - LEFT - RIGHT) / most : 0;
}

static double write_group(Buffer *out, const BenchRow *row, size_t count, double y)
{
    const double scale = scale_of(row, count);
    Buffer title = {0};
    buffer_format(&title, "%s, %s", row->query, row->input);
    buffer_append(&title, "", 1);
    write_text(out, 8, y + TITLE - 12, "start", "font-size=\"13\" font-weight=\"bold\"", title.start);
    buffer_free(&title);
    y += TITLE;
    for (size_t i = 0; i < count; i++, y += STEP) {
        write_label(out, &row[i], y);
        if (row[i].problem)
            write_text(out, LEFT, y + BAR - 2, "start", "font-size=\"11\"", "failed");
        else
            write_bar(out, &row[i], y, scale);
    }
    return y;
}

void bench_chart(Buffer *out, const BenchRow *row, size_t count)
{
    static const char *const title = "Positions a second; the longest bar of each group is its fastest run";
    size_t groups = 0;
    for (size_t at = 0; at < count; at += bench_group(row + at, count - at))
        groups++;
    const size_t height = TOP + groups * TITLE + count * STEP + 8;
    buffer_format(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %zu\" width=\"%d\" height=\"%zu\" "
        "role=\"img\" font-family=\"system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif\" "
        "fill=\"#7d8590\">\n<title>%s</title>\n",
        WIDTH, height, WIDTH, height, title);
    write_text(out, 8, 22, "start", "font-size=\"15\" font-weight=\"bold\"", title);
    double y = TOP - 16;
    for (size_t at = 0, n; at < count; at += n) {
        n = bench_group(row + at, count - at);
        y = write_group(out, row + at, n, y);
    }
    buffer_text(out, "</svg>\n");
}
