// Pictures of groups as SVG: boards, lines and bars, on a page or as one image. Each part has a drawing of its own, whose texts can
// be read where it is 360 pixels wide.
#include "group_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "runtime/value/unicode.h"
#include "text.h"

// Images are shown by programs that know neither variables nor media queries: the colours for light pages come first.
const char picture_style[] =
    ".chart text{font:13px system-ui,sans-serif;fill:#22201c}\n"
    ".chart .paper{fill:#fbfaf7}.chart .axis{stroke:#ddd7cb;fill:none}.chart text.name{fill:#6b655b}\n"
    ".chart text.heading{font-weight:600}.chart .plain{fill:#8a4b08}\n"
    ".chart .white{fill:#e8d9b8}.chart .draws{fill:#a9a9a9}.chart .black{fill:#4b5a73}\n"
    ".chart .other{fill:none;stroke:#6b655b}\n"
    ".chart .light{fill:#f1ebdd}.chart .dark{fill:#bfa98a}.chart .cell{stroke:#fff;stroke-opacity:.5}\n"
    ".chart .arrow{fill:#8a2b06;stroke:#fff;stroke-opacity:.6}\n"
    ".chart text.dark-text{fill:#22201c}.chart text.light-text{fill:#fff}\n"
    ".chart .line{fill:none;stroke-width:2;stroke-linejoin:round}\n"
    ".chart .l0{stroke:#8a4b08}.chart .l1{stroke:#1d6f5c}.chart .l2{stroke:#2b67ad}\n"
    ".chart .l3{stroke:#b5342c}.chart .l4{stroke:#7a4fa3}.chart .l5{stroke:#6b655b}\n"
    "@media screen and (prefers-color-scheme:dark){\n"
    ".chart text{fill:#e9e5dc}.chart .paper{fill:#1d1c1a}.chart .axis{stroke:#3f3b35}\n"
    ".chart text.name{fill:#a8a195}.chart .plain{fill:#e9a95c}.chart .black{fill:#5f7396}\n"
    ".chart .other{stroke:#a8a195}\n"
    ".chart .l0{stroke:#e9a95c}.chart .l1{stroke:#58bda4}.chart .l2{stroke:#7fb2ec}\n"
    ".chart .l3{stroke:#ef8a80}.chart .l4{stroke:#c3a0e8}.chart .l5{stroke:#a8a195}\n"
    "}\n";

enum { WIDTH = 400 };

// A part of a picture.
typedef struct Panel {
    Buffer title, summary, drawing; // HTML
    int width, height;
    size_t shown,
        groups; // bars, lines or boards that the picture has, and that it would have without a limit
} Panel;

static void panel_free(Panel *p)
{
    buffer_free(&p->title);
    buffer_free(&p->summary);
    buffer_free(&p->drawing);
}

// The text cut to a number of characters.
static void put_short(Buffer *out, Text text, size_t most)
{
    const size_t end = unicode_prefix(text.start, text.length, most);
    text_html(out, (Text){text.start, end});
    buffer_text(out, end < text.length ? "…" : "");
}

static void put_text(Buffer *out, double x, double y, const char *attributes, Text text, size_t most)
{
    buffer_format(out, "<text x='%s' y='%s'%s>", ascii_decimal(x, 1).text, ascii_decimal(y, 1).text,
                  attributes);
    put_short(out, text, most);
    buffer_text(out, "</text>\n");
}

// ---- boards -----------------------------------------------------------------------------------------------

// Squares in up to five colours, with the numbers they stand for, of two digits.
static void put_legend(Buffer *out, const PictureRows *r, double most)
{
    enum { STEPS = 5, STEP = 72 };
    double last = -1;
    for (int i = 0, x = 16; i < STEPS; i++) {
        const double part = most * i * i / ((STEPS - 1) * (STEPS - 1));
        double place = most < 10 && !picture_counts(r) ? .01 : 1;
        while (part / place >= 100 && i + 1 < STEPS)
            place *= 10;
        const double value = i + 1 < STEPS ? place * round(part / place) : most;
        char colour[8];
        Buffer text = {0};
        if (value <= last)
            continue;
        heat_colour(most > 0 ? sqrt(value / most) : 0, colour);
        buffer_format(&text, "%s%s", brief_number(value).text, picture_unit(r));
        buffer_format(out, "<path class='axis' style='fill:%s' d='M%d 386h14v14h-14z'/>", colour, x);
        put_text(out, x + 19, 398, " class='name'", (Text){text.start, text.length}, 12);
        buffer_free(&text);
        last = value;
        x += STEP;
    }
}

static void draw_board(Panel *p, const PictureRows *r, const HeatBoard *b)
{
    int best = 0;
    for (int i = 1; i < 64; i++)
        best = b->value[i] > b->value[best] ? i : best;
    p->width = 380;
    p->height = b->arrows > 0 ? 380 : 406;
    if (b->arrows > 0)
        buffer_format(&p->summary, "A board with %d arrows. Most: %c%d to %c%d (%s%s).", b->arrows,
                      'a' + square_file(b->arrow[0].from), square_rank(b->arrow[0].from) + 1,
                      'a' + square_file(b->arrow[0].to), square_rank(b->arrow[0].to) + 1,
                      number_text(b->arrow[0].value).text, picture_unit(r));
    else
        buffer_format(&p->summary, "A board with a number on each square. Most: %c%d (%s%s).",
                      'a' + square_file(best), square_rank(best) + 1, number_text(b->value[best]).text,
                      picture_unit(r));
    draw_heat_board(&p->drawing, b);
    if (b->arrows == 0)
        put_legend(&p->drawing, r, b->value[best]);
}

// ---- bars -------------------------------------------------------------------------------------------------

enum { MOST_BARS = 40, SHORT_LABEL = 20, LABEL = 48, CHARACTER = 8, NUMBER = 64, BAR = 14 };

// A bar with a part for each result; games without one leave a frame. `results`: of some bar they are known.
static void put_bar(Buffer *out, const GroupNumbers *n, bool results, double x, double y, double length)
{
    static const char *const classes[] = {"white", "draws", "black", "other"};
    const int64_t part[] = {n->white, n->draws, n->black, n->games - n->white - n->draws - n->black};
    for (int i = results ? 0 : 3; i < 4; i++) {
        const double share = !results ? 1 : n->games > 0 ? (double)part[i] / (double)n->games : 0;
        if (length * share > 0)
            buffer_format(out, "<rect class='%s' x='%s' y='%s' width='%s' height='%d'/>\n",
                          results ? classes[i] : "plain", ascii_decimal(x, 1).text, ascii_decimal(y, 1).text,
                          ascii_decimal(length * share, 1).text, BAR);
        x += length * share;
    }
}

// Where bars are, and how long.
typedef struct Bars {
    GroupTable table;
    size_t count, groups;
    bool above; // labels are on lines of their own
    int left, row;
    double most;
    size_t best;
    bool results;
} Bars;

static Text label_of(const Bars *b, size_t i)
{
    return (Text){b->table.values.start + b->table.group[i].start, b->table.group[i].length};
}

// The groups of the table that is shown; those of a combination with the results all together.
static Bars measure_bars(const PictureRows *r)
{
    Bars b = {0};
    const unsigned all = (1U << r->spec->count) - 1;
    const bool split = r->picture.split != NO_KEY;
    size_t longest = 0;
    picture_join(&b.table, r, split ? all & ~(1U << r->picture.split) : all, NO_KEY, NO_KEY, (Text){0});
    if (!split && r->spec->limit > 0 && (int64_t)b.table.count > r->spec->limit)
        b.table.count = (size_t)r->spec->limit;
    b.groups = b.table.count;
    b.count = picture_keep(&b.table, r, MOST_BARS);
    for (size_t i = 0; i < b.count; i++) {
        const GroupNumbers *n = &b.table.group[i].numbers;
        const double value = picture_value(r, &b.table.group[i]);
        const size_t characters = unicode_count(label_of(&b, i).start, label_of(&b, i).length);
        b.best = value > b.most ? i : b.best;
        b.most = value > b.most ? value : b.most;
        longest = characters > longest ? characters : longest;
        b.results |= !r->measure && n->white + n->draws + n->black > 0;
    }
    b.above = longest > SHORT_LABEL;
    b.left = b.above ? 0 : CHARACTER * (int)longest + CHARACTER;
    b.row = b.above ? 40 : 22;
    return b;
}

static void put_group(Buffer *out, const PictureRows *r, const Bars *b, size_t i)
{
    const GroupNumbers *n = &b->table.group[i].numbers;
    const double value = picture_value(r, &b->table.group[i]), y = (double)i * b->row;
    const double length = b->most > 0 && value > 0 ? (WIDTH - b->left - NUMBER) * value / b->most : 0;
    Buffer number = {0};
    buffer_format(&number, "%s%s", number_text(value).text, picture_unit(r));
    buffer_text(out, "<g><title>");
    text_html(out, label_of(b, i));
    buffer_format(out, ": %.*s", (int)number.length, number.start);
    if (b->results)
        buffer_format(out, "; 1-0 %lld, 1/2-1/2 %lld, 0-1 %lld", (long long)n->white, (long long)n->draws,
                      (long long)n->black);
    buffer_text(out, "</title>\n");
    put_text(out, b->above ? 0 : b->left - 8, y + 15, b->above ? "" : " text-anchor='end'", label_of(b, i),
             LABEL);
    put_bar(out, n, b->results, b->left, y + (b->above ? 21 : 3), length);
    put_text(out, b->left + length + 6, y + (b->above ? 33 : 15), " class='name'",
             (Text){number.start, number.length}, 20);
    buffer_text(out, "</g>\n");
    buffer_free(&number);
}

static void draw_bars(Panel *p, const PictureRows *r)
{
    static const char *const legend[][2] = {
        {"white", "White wins"}, {"draws", "draws"}, {"black", "Black wins"}};
    Bars b = measure_bars(r);
    const int end = (int)b.count * b.row;
    for (size_t i = 0; i < b.count; i++)
        put_group(&p->drawing, r, &b, i);
    for (int i = 0; i < 3 && b.results; i++) {
        buffer_format(&p->drawing, "<rect class='%s' x='%d' y='%d' width='14' height='14'/>\n", legend[i][0],
                      130 * i, end + 10);
        put_text(&p->drawing, 130 * i + 20, end + 22, " class='name'", text_of(legend[i][1]), 20);
    }
    p->width = WIDTH;
    p->height = end + (b.results ? 34 : 6);
    p->shown = b.count;
    p->groups = b.groups;
    buffer_format(&p->summary, "%zu bar%s. Most: ", b.count, b.count == 1 ? "" : "s");
    text_html(&p->summary, label_of(&b, b.best));
    buffer_format(&p->summary, " (%s%s).", number_text(b.most).text, picture_unit(r));
    groups_free(&b.table);
}

// ---- lines ------------------------------------------------------------------------------------------------

enum { MOST_LINES = 6, LEFT = 48, RIGHT = WIDTH - 10, TOP = 10, BOTTOM = 200 };

typedef struct Point {
    double x, y;
} Point;

typedef struct Line {
    Text label;
    Point *point;
    size_t count;
} Line;

typedef struct Axes {
    double first, last, step; // of x, and the least distance of two points
    double least, most;       // of y; 0 is between them
} Axes;

static int compare_points(const void *left, const void *right)
{
    const Point *a = left, *b = right;
    return (a->x > b->x) - (a->x < b->x);
}

static Line make_line(const PictureRows *r, Text value)
{
    GroupTable t;
    Line line = {.label = value};
    picture_join(&t, r, 1U << r->picture.point, r->picture.point, r->picture.split, value);
    line.point = memory_zeroed(t.count + 1, sizeof *line.point);
    for (size_t i = 0; i < t.count; i++) {
        const Text text = {t.values.start + t.group[i].start, t.group[i].length};
        line.point[line.count++] = (Point){picture_number(text), picture_value(r, &t.group[i])};
    }
    if (line.count > 1)
        qsort(line.point, line.count, sizeof *line.point, compare_points);
    groups_free(&t);
    return line;
}

static Axes measure(const Line *line, size_t count)
{
    Axes a = {.first = HUGE_VAL, .last = -HUGE_VAL, .step = HUGE_VAL};
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < line[k].count; i++) {
            const Point *p = &line[k].point[i];
            a.first = fmin(a.first, p->x);
            a.last = fmax(a.last, p->x);
            a.least = fmin(a.least, p->y);
            a.most = fmax(a.most, p->y);
            if (i > 0)
                a.step = fmin(a.step, p->x - p[-1].x);
        }
    return a;
}

static double x_of(const Axes *a, double x)
{
    return LEFT + (a->last > a->first ? (x - a->first) / (a->last - a->first) : .5) * (RIGHT - LEFT);
}

static double y_of(const Axes *a, double y)
{
    return BOTTOM - (a->most > a->least ? (y - a->least) / (a->most - a->least) : 0) * (BOTTOM - TOP);
}

// A round distance that fits up to `most` times into a range: 1, 2 or 5 with zeros.
static double round_step(double range, int most, double least)
{
    static const double factor[] = {2, 2.5, 2};
    double step = least;
    for (int i = 0; range / step > most && i < 100; i++)
        step *= factor[i % 3];
    return step;
}

static void put_axes(Buffer *out, Axes *a, const char *percent, bool whole)
{
    const double range = a->most - a->least, up = round_step(range, 5, range < 5 && !whole ? .01 : 1);
    a->least = up * floor(a->least / up + 1e-9);
    a->most = fmax(a->least + up, up * ceil(a->most / up - 1e-9));
    for (int i = (int)lround(a->least / up); i <= lround(a->most / up); i++) {
        const double y = y_of(a, i * up);
        Buffer text = {0};
        buffer_format(&text, "%s%s", brief_number(i * up).text, percent);
        buffer_format(out, "<path class='axis' d='M%d %sH%d'/>", LEFT, ascii_decimal(y, 1).text, RIGHT);
        put_text(out, LEFT - 6, y + 4, " class='name' text-anchor='end'", (Text){text.start, text.length},
                 12);
        buffer_free(&text);
    }
    const double along = round_step(a->last - a->first, 5, 1);
    for (double x = along * ceil(a->first / along); x <= a->last; x += along) {
        const double at = x_of(a, x);
        buffer_format(out, "<path class='axis' d='M%s %dv5'/>", ascii_decimal(at, 1).text, BOTTOM);
        put_text(out, at, BOTTOM + 19, " class='name' text-anchor='middle'", text_of(number_text(x).text),
                 12);
    }
}

static void put_point(Buffer *path, const Axes *a, double x, double y, bool move)
{
    buffer_format(path, "%c%s %s", move ? 'M' : 'L', ascii_decimal(x_of(a, x), 1).text,
                  ascii_decimal(y_of(a, y), 1).text);
}

// Where a number of games is missing it is 0; where a percentage is missing, the line has a gap.
static void put_line(Buffer *out, const Axes *a, const Line *line, size_t number, bool zeros)
{
    buffer_format(out, "<path class='line l%zu'%s d='", number, number >= 3 ? " stroke-dasharray='7 3'" : "");
    double x = a->first - a->step;
    for (size_t i = 0; i < line->count; x = line->point[i++].x) {
        const Point *p = &line->point[i];
        const bool gap = p->x - x > 1.5 * a->step;
        if (gap && zeros) {
            put_point(out, a, x + a->step, 0, i == 0);
            put_point(out, a, p->x - a->step, 0, false);
        }
        put_point(out, a, p->x, p->y, i == 0 ? !(gap && zeros) : gap && !zeros);
        if (!zeros)
            buffer_text(out, "h0"); // a point alone is seen, too
    }
    if (zeros && a->last - x > a->step / 2) {
        put_point(out, a, fmin(x + a->step, a->last), 0, false);
        put_point(out, a, a->last, 0, false);
    }
    buffer_text(out, "' stroke-linecap='round'/>\n");
}

static void draw_lines(Panel *p, const PictureRows *r)
{
    Text value[MOST_LINES] = {{0}};
    Line line[MOST_LINES];
    GroupTable values = {0};
    size_t count = 1, best = 0;
    if (r->picture.split != NO_KEY)
        count = picture_largest(&values, r, r->picture.split, r->picture.point, value, MOST_LINES);
    for (size_t k = 0; k < count; k++)
        line[k] = make_line(r, value[k]);
    Axes a = measure(line, count);
    for (size_t i = 0; i < line[0].count; i++)
        best = line[0].point[i].y > line[0].point[best].y ? i : best;
    put_axes(&p->drawing, &a, picture_unit(r), picture_counts(r));
    for (size_t k = 0; k < count; k++)
        put_line(&p->drawing, &a, &line[k], k, picture_counts(r));
    p->width = WIDTH;
    p->height = BOTTOM + 28;
    for (size_t k = 0; k < count && r->picture.split != NO_KEY; k++, p->height += 20) {
        buffer_format(&p->drawing, "<path class='line l%zu'%s d='M%d %dh30'/>", k,
                      k >= 3 ? " stroke-dasharray='7 3'" : "", LEFT, p->height + 8);
        put_text(&p->drawing, LEFT + 38, p->height + 12, "", value[k], 40);
    }
    buffer_format(&p->summary, "%zu line%s", count, count == 1 ? "" : "s");
    p->shown = count;
    p->groups = values.count;
    buffer_format(&p->summary, ", from %s to %s. Most", number_text(a.first).text, number_text(a.last).text);
    if (r->picture.split != NO_KEY) {
        buffer_text(&p->summary, " of ");
        text_html(&p->summary, value[0]);
    }
    buffer_format(&p->summary, ": %s%s at %s.", number_text(line[0].point[best].y).text, picture_unit(r),
                  number_text(line[0].point[best].x).text);
    for (size_t k = 0; k < count; k++)
        free(line[k].point);
    groups_free(&values);
}

// ---- pictures ---------------------------------------------------------------------------------------------

// The parts of the picture; none without rows.
static size_t make_panels(Panel panel[MOST_BOARDS], const PictureRows *r)
{
    size_t count = r->count > 0;
    memset(panel, 0, MOST_BOARDS * sizeof *panel);
    if (r->picture.kind == PICTURE_BOARDS) {
        HeatBoards boards;
        heat_boards(&boards, r);
        count = boards.count;
        for (size_t i = 0; i < count; i++) {
            if (count > 1)
                put_short(&panel[i].title, boards.board[i].title, LABEL);
            if (count > 1 && r->measure)
                buffer_text(&panel[i].title, ": ");
            draw_board(&panel[i], r, &boards.board[i]);
            panel[i].shown = count;
            panel[i].groups = boards.titles.count;
        }
        heat_boards_free(&boards);
    } else if (count > 0)
        (r->picture.kind == PICTURE_LINES ? draw_lines : draw_bars)(&panel[0], r);
    for (size_t i = 0; i < count && r->measure; i++)
        put_short(&panel[i].title, text_of(r->measure->name), LABEL);
    return count;
}

// Says that the picture does not show everything.
static bool put_note(Buffer *out, const char *begin, const Panel *p, const char *end)
{
    if (p->shown < p->groups)
        buffer_format(out, "%sThe picture has the largest %zu of %zu.%s", begin, p->shown, p->groups, end);
    return p->shown < p->groups;
}

void picture_html(Buffer *out, const GroupSpec *spec, const GroupRows *rows, uint32_t query)
{
    const PictureRows r = picture_rows(spec, rows, query);
    Panel panel[MOST_BOARDS];
    const size_t count = make_panels(panel, &r);
    buffer_text(out, count > 0 ? "<div class='charts'>\n" : "");
    for (size_t i = 0; i < count; i++) {
        Panel *p = &panel[i];
        buffer_text(out, "<figure>");
        if (p->title.length > 0)
            buffer_format(out, "<figcaption>%.*s</figcaption>", (int)p->title.length, p->title.start);
        buffer_format(out,
                      "<svg class='chart' viewBox='0 0 %d %d' role='img' aria-labelledby='t%u-%zu "
                      "d%u-%zu'><title id='t%u-%zu'>",
                      p->width, p->height, query, i, query, i, query, i);
        groups_put_title(out, spec);
        if (p->title.length > 0)
            buffer_format(out, ": %.*s", (int)p->title.length, p->title.start);
        buffer_format(out, "</title><desc id='d%u-%zu'>%.*s</desc>\n", query, i, (int)p->summary.length,
                      p->summary.start);
        buffer_append(out, p->drawing.start, p->drawing.length);
        buffer_text(out, "</svg></figure>\n");
        panel_free(p);
    }
    buffer_text(out, count > 0 ? "</div>\n" : "");
    if (count > 0)
        put_note(out, "<p class='soft'>", &panel[0], "</p>\n");
}

// ---- an image of its own ----------------------------------------------------------------------------------

enum { MARGIN = 16, HEADING = 26, COLUMN = WIDTH + MARGIN };

// Draws the panels in columns below `y`; returns where they end.
static int put_panels(Buffer *out, Panel *panel, size_t count, int y)
{
    const int columns = count > 4 ? 3 : count > 1 ? 2 : 1;
    int tallest = 0;
    for (int i = 0; i < (int)count; i++) {
        Panel *p = &panel[i];
        const int x = MARGIN + i % columns * COLUMN, heading = p->title.length > 0 ? HEADING : 0;
        if (i > 0 && i % columns == 0) {
            y += tallest;
            tallest = 0;
        }
        if (heading)
            buffer_format(out, "<text class='heading' x='%d' y='%d'>%.*s</text>\n", x, y + 14,
                          (int)p->title.length, p->title.start);
        buffer_format(out, "<g transform='translate(%d %d)'><desc>%.*s</desc>\n", x, y + heading,
                      (int)p->summary.length, p->summary.start);
        buffer_append(out, p->drawing.start, p->drawing.length);
        buffer_text(out, "</g>\n");
        tallest = tallest > p->height + heading + MARGIN ? tallest : p->height + heading + MARGIN;
        panel_free(p);
    }
    return y + tallest;
}

// The text of a query of the command line, or the name of its file.
static Text query_title(const QueryInfo *q)
{
    const Text source = text_of(strncmp(q->name, "-e", 2) == 0 && q->source ? q->source : q->name);
    return (Text){source.start, strcspn(source.start, "\n")};
}

void picture_svg(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const Matcher *matcher)
{
    Buffer body = {0};
    int y = MARGIN + HEADING;
    size_t most = 1;
    for (size_t begin = 0, end; begin < rows->count; begin = end) {
        const QueryInfo *q = &matcher->query[rows->row[begin].query];
        Panel panel[MOST_BOARDS];
        end = group_rows_end(rows, begin);
        const PictureRows r = picture_rows(spec, rows, rows->row[begin].query);
        const size_t count = make_panels(panel, &r);
        most = count > most ? count : most;
        put_text(&body, MARGIN, y + 10, " class='heading'", query_title(q), LABEL);
        y = put_panels(&body, panel, count, y + HEADING);
        if (count > 0) {
            Buffer note = {0};
            if (put_note(&note, "", &panel[0], "")) {
                put_text(&body, MARGIN, y, " class='name'", (Text){note.start, note.length}, LABEL);
                y += HEADING;
            }
            buffer_free(&note);
        }
    }
    if (rows->count == 0) {
        put_text(&body, MARGIN, y + 10, " class='name'", text_of("No groups."), LABEL);
        y += HEADING;
    }
    const int width = MARGIN + COLUMN * (most > 4 ? 3 : most > 1 ? 2 : 1);
    buffer_format(out,
                  "<svg xmlns='http://www.w3.org/2000/svg' class='chart' viewBox='0 0 %d %d' width='%d' "
                  "height='%d' role='img'>\n<title>",
                  width, y, width, y);
    groups_put_title(out, spec);
    buffer_format(out, "</title>\n<style>\n%s</style>\n<rect class='paper' width='%d' height='%d'/>\n",
                  picture_style, width, y);
    buffer_format(out, "<text class='heading' x='%d' y='%d'>", MARGIN, MARGIN + 10);
    groups_put_title(out, spec);
    buffer_text(out, "</text>\n");
    buffer_append(out, body.start, body.length);
    buffer_text(out, "</svg>\n");
    buffer_free(&body);
}
