// Diagrams as inline SVG. A page contains the board and the pieces once; all diagrams use them.
#include "writers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runtime/chess/variant.h"
#include "runtime/value/ascii.h"
#include "group_picture.h"

enum { CELL = 45 }; // the centre of a square is rounded down

// The outlines of the pieces in a square of 45 by 45. Lines of class d are inside, in the contrasting colour.
static const char *const piece_shape[7] = {
    NULL,
    "<circle cx='22.5' cy='13.5' r='5.5'/><path d='M18.5 18.5h8l-1 3c2 5 4 8 7 11.5h-20c3-3.5 5-6.5 "
    "7-11.5z'/>"
    "<path d='M10.5 33h24v5h-24z'/>",
    "<path d='M13 34c0-8 8-10 7.5-16-3 1.5-4 4.5-7 5.5-2 .5-4.5-1-4.5-3.5 2-3 4-5.5 5-9.5l1-4.5 4 3"
    "c10-.5 16.5 8 16 25z'/><path d='M10.5 33h25v5h-25z'/><circle class='d' cx='17' cy='13.5' r='.8'/>",
    "<circle cx='22.5' cy='7.5' r='2.8'/><path d='M22.5 10.5c-6.5 4-9.5 9-8.5 13 .8 3 3 5 3.5 9.5h10"
    "c.5-4.5 2.7-6.5 3.5-9.5 1-4-2-9-8.5-13z'/><path d='M10.5 33h24v5h-24z'/>"
    "<path class='d' d='M22.5 16v8M19 19.5h7'/>",
    "<path d='M11 8h5v4h4V8h5v4h4V8h5v9l-4 3v9.5l3 3.5h-21l3-3.5V20l-4-3z'/><path d='M9.5 33h26v5h-26z'/>"
    "<path class='d' d='M15.5 20h14M15.5 29.5h14'/>",
    "<path d='M8 14.5l6 10.5 1.5-14.5 5 13L22.5 9l2 14.5 5-13L31 25l6-10.5-4 18.5h-21z'/>"
    "<circle cx='7.5' cy='12.5' r='2.3'/><circle cx='15.5' cy='8.5' r='2.3'/><circle cx='22.5' cy='7' "
    "r='2.3'/>"
    "<circle cx='29.5' cy='8.5' r='2.3'/><circle cx='37.5' cy='12.5' r='2.3'/><path d='M10.5 33h24v5h-24z'/>"
    "<path class='d' d='M13.5 29.5h18'/>",
    "<path d='M21 3.5h3v3h3v3h-3v4h-3v-4h-3v-3h3z'/><path d='M22.5 13.5c-2.5 0-4 2.5-2.5 6.5-5.5-5-13-2-12 "
    "4.5"
    ".5 3.5 4.5 5 5 8.5h19c.5-3.5 4.5-5 5-8.5 1-6.5-6.5-9.5-12-4.5 1.5-4 0-6.5-2.5-6.5z'/>"
    "<path d='M10.5 33h24v5h-24z'/><path class='d' d='M14 29.5h17M22.5 20v9'/>"};

static int left_of(int square)
{
    return CELL * square_file(square);
}

static int top_of(int square)
{
    return CELL * (7 - square_rank(square));
}

static void draw_squares(Buffer *out)
{
    buffer_text(out, "<path class='light' d='M0 0h360v360h-360z'/><path class='dark' d='");
    for (int square = 0; square < 64; square++)
        if (BB_DARK >> square & 1)
            buffer_format(out, "M%d %dh45v45h-45z", left_of(square), top_of(square));
    buffer_text(out, "'/>");
}

// The names of files and ranks. turn: 63 where Black is at the bottom, otherwise 0; it turns a square to where it is drawn.
static void draw_names(Buffer *out, int turn)
{
    for (int i = 0; i < 8; i++) {
        const char *class = i % 2 ? "on-light" : "on-dark";
        const int name = turn ? 7 - i : i;
        buffer_format(out, "<text class='%s' x='%d' y='356'>%c</text>", class, CELL * i + 36, 'a' + name);
        buffer_format(out, "<text class='%s' x='3' y='%d'>%d</text>", class, CELL * (7 - i) + 12, name + 1);
    }
}

void write_html_pieces(Buffer *out)
{
    buffer_text(out, "<svg class='pieces' width='0' height='0' aria-hidden='true'><defs>\n"
                     "<g id='squares'>");
    draw_squares(out);
    buffer_text(out, "</g>\n<g id='board'><use href='#squares'/>");
    draw_names(out, 0);
    buffer_text(out, "</g>\n");
    for (int type = 1; type <= 6; type++)
        buffer_format(out, "<g id='%c'>%s</g>\n", "-pnbrqk"[type], piece_shape[type]);
    buffer_text(out, "</defs></svg>\n");
}

// ---- in words ---------------------------------------------------------------------------------------------

const char *html_status(const Position *p)
{
    const bool varies = variant_is(p);
    const int ended = varies ? variant_ended(p) : 0;
    if (!(varies ? variant_has_move(p) : pos_has_legal_move(p))) {
        if (varies ? variant_in_check(p, p->side) : pos_in_check(p, p->side))
            return "Checkmate";
        if (!(ended & (VARIANT_END_WON | VARIANT_END_LOST)))
            return "Stalemate";
    }
    if (ended & VARIANT_END_DRAWN)
        return "Drawn";
    if (ended)
        return (p->side == WHITE) == !!(ended & VARIANT_END_WON) ? "White has won" : "Black has won";
    return p->side == WHITE ? "White to move" : "Black to move";
}

// The men of a colour, the king first and pawns last.
static void write_men(Buffer *out, const Position *p, int colour)
{
    const char *between = " ";
    buffer_text(out, colour == WHITE ? "White:" : " Black:");
    for (int type = 6; type > 0; type--)
        for (int square = 0; square < 64; square++) {
            if (p->square[square] != piece_make(colour, type))
                continue;
            buffer_text(out, between);
            buffer_append(out, &"  NBRQK"[type], type > 1);
            buffer_format(out, "%c%d", 'a' + square_file(square), square_rank(square) + 1);
            between = ", ";
        }
    buffer_text(out, *between == ' ' ? " none." : ".");
}

void write_html_label(Buffer *out, const Position *p)
{
    write_men(out, p, WHITE);
    write_men(out, p, BLACK);
    buffer_format(out, " %s", html_status(p));
    buffer_append(out, "", 1);
}

// ---- what is on a board -----------------------------------------------------------------------------------

static int middle_x(int square)
{
    return left_of(square) + CELL / 2;
}

static int middle_y(int square)
{
    return top_of(square) + CELL / 2;
}

static void mark_square(Buffer *out, int square)
{
    buffer_format(out, "<path class='last' d='M%d %dh45v45h-45z'/>", left_of(square), top_of(square));
}

static void ring_square(Buffer *out, int square)
{
    buffer_format(out, "<circle class='found' cx='%d.5' cy='%d.5' r='20.5'/>", middle_x(square),
                  middle_y(square));
}

static const char *colour_class(char colour)
{
    return colour == 'R' ? "red" : colour == 'G' ? "green" : colour == 'Y' ? "yellow" : "blue";
}

static void tint_square(Buffer *out, char colour, int square)
{
    buffer_format(out, "<path class='tint %s' d='M%d %dh45v45h-45z'/>", colour_class(colour), left_of(square),
                  top_of(square));
}

// From the edge of the moving piece to the centre of its target square.
static void draw_arrow(Buffer *out, const char *class, int from, int to)
{
    enum { START = 14, END = 4, HEAD = 17, HALF_SHAFT = 3, HALF_HEAD = 9 };
    static const struct {
        int from_start, from_end, aside; // distances: from an end of the arrow, and across it
    } corner[] = {{START, 0, HALF_SHAFT}, {0, HEAD, HALF_SHAFT},  {0, HEAD, HALF_HEAD},   {0, END, 0},
                  {0, HEAD, -HALF_HEAD},  {0, HEAD, -HALF_SHAFT}, {START, 0, -HALF_SHAFT}};
    const double x = middle_x(from), y = middle_y(from);
    const double dx = middle_x(to) - x, dy = middle_y(to) - y, length = hypot(dx, dy);
    buffer_format(out, "<path class='%s' d='", class);
    for (size_t i = 0; i < sizeof corner / sizeof *corner; i++) {
        const double along = corner[i].from_end > 0 ? length - corner[i].from_end : corner[i].from_start;
        buffer_format(out, "%c%ld %ld", i == 0 ? 'M' : 'L',
                      lround(x + (dx * along - dy * corner[i].aside) / length),
                      lround(y + (dy * along + dx * corner[i].aside) / length));
    }
    buffer_text(out, "z'/>");
}

// A number from 0 to 999.
static void append_number(Buffer *out, int number)
{
    char digits[3];
    int length = 0;
    for (int unit = number >= 100 ? 100 : number >= 10 ? 10 : 1; unit > 0; unit /= 10)
        digits[length++] = (char)('0' + number / unit % 10);
    buffer_append(out, digits, (size_t)length);
}

// Pages have many pieces: written without formats.
static void use_piece(Buffer *out, int piece, int x, int y)
{
    buffer_text(out, "<use href='#");
    buffer_append(out, &"-pnbrqk"[piece_type(piece)], 1);
    buffer_text(out, piece_colour(piece) == WHITE ? "' class='w' x='" : "' class='b' x='");
    append_number(out, x);
    buffer_text(out, "' y='");
    append_number(out, y);
    buffer_text(out, "'/>");
}

// A piece of an image, which may use nothing outside itself.
static void draw_piece(Buffer *out, int piece, int x, int y)
{
    buffer_format(out, "<g class='%c' transform='translate(%d %d)'>%s</g>",
                  piece_colour(piece) == WHITE ? 'w' : 'b', x, y, piece_shape[piece_type(piece)]);
}

// What is on an empty board, the lowest first.
static void draw_diagram(Buffer *out, const Diagram *d, int turn, bool image)
{
    char class[16];
    if (d->last && !(d->last->flags & MOVE_NULL)) {
        mark_square(out, d->last->from ^ turn);
        mark_square(out, d->last->to ^ turn);
    }
    for (const Drawing *w = d->drawing; w < d->drawing + d->drawing_count; w++)
        if (w->from == w->to)
            tint_square(out, w->colour, w->from ^ turn);
    for (int i = 0; i < d->next_count; i++)
        if (d->next[i]->flags & MOVE_DROP)
            mark_square(out, d->next[i]->to ^ turn);
    for (Bitboard rest = d->squares; rest; rest &= rest - 1)
        ring_square(out, bb_first(rest) ^ turn);
    for (int square = 0; square < 64; square++) {
        const int piece = d->position->square[square ^ turn];
        if (piece != EMPTY)
            (image ? draw_piece : use_piece)(out, piece, left_of(square), top_of(square));
    }
    for (const Drawing *w = d->drawing; w < d->drawing + d->drawing_count; w++) {
        snprintf(class, sizeof class, "draw %s", colour_class(w->colour));
        if (w->from != w->to)
            draw_arrow(out, class, w->from ^ turn, w->to ^ turn);
    }
    for (int i = d->next_count - 1; i >= 0; i--)
        if (!(d->next[i]->flags & (MOVE_NULL | MOVE_DROP)))
            draw_arrow(out, d->later[i] ? "next later" : "next", d->next[i]->from ^ turn,
                       d->next[i]->to ^ turn);
    buffer_text(out, "</svg>");
}

void write_html_board(Buffer *out, const Diagram *d)
{
    buffer_format(
        out, "<svg class='diagram' viewBox='0 0 360 360' role='img' aria-label='%s'><use href='#board'/>",
        d->label);
    draw_diagram(out, d, 0, false);
}

// ---- drawings of comments ---------------------------------------------------------------------------------

// Reads a square at `p`; -1: there is none.
static int read_square(const char *p, const char *end)
{
    const bool good = end - p >= 2 && p[0] >= 'a' && p[0] <= 'h' && p[1] >= '1' && p[1] <= '8';
    return good ? (p[1] - '1') * 8 + p[0] - 'a' : -1;
}

// Reads `Ga4`, or with an arrow `Gc8f5`, which ends before `end`; false when it is something else.
static bool read_drawing(const char *p, const char *end, bool arrow, Drawing *d)
{
    while (p < end && *p == ' ')
        p++;
    while (p < end && end[-1] == ' ')
        end--;
    if (end - p != (arrow ? 5 : 3) || !memchr("RGYB", *p, 4))
        return false;
    const int from = read_square(p + 1, end), to = arrow ? read_square(p + 3, end) : from;
    *d = (Drawing){*p, (uint8_t)from, (uint8_t)to};
    return from >= 0 && to >= 0 && (from != to) == arrow;
}

int html_drawings(Text comment, Drawing drawing[MOST_DRAWINGS])
{
    enum { COMMAND = 6 }; // the length of `[%csl `
    const char *p = comment.start, *const end = p + comment.length;
    int count = 0;
    while (count < MOST_DRAWINGS && end - p > COMMAND && (p = memchr(p, '[', (size_t)(end - p))) != NULL &&
           end - p > COMMAND) {
        const bool arrow = memcmp(p, "[%cal ", COMMAND) == 0;
        if (!arrow && memcmp(p, "[%csl ", COMMAND) != 0) {
            p++;
            continue;
        }
        p += COMMAND;
        const char *last = memchr(p, ']', (size_t)(end - p));
        if (!last)
            break;
        for (const char *comma; p < last && count < MOST_DRAWINGS; p = comma + 1) {
            comma = memchr(p, ',', (size_t)(last - p));
            comma = comma ? comma : last;
            count += read_drawing(p, comma, arrow, &drawing[count]);
        }
    }
    return count;
}

// ---- an image of its own ----------------------------------------------------------------------------------

// The look of the boards of pages, for elements in an image only.
#define IMAGE ".cqlgen-board "
static const char image_style[] =
    "<style>" IMAGE ".light{fill:#f1ebdd}" IMAGE ".dark{fill:#bfa98a}" IMAGE
    ".last{fill:#f0c419;fill-opacity:.55}" IMAGE
    ".next{fill:#1d6f5c;fill-opacity:.75;stroke:#fff;stroke-opacity:.6}" IMAGE
    ".found{fill:none;stroke:#1d6f5c;stroke-width:2.5;stroke-opacity:.85}" IMAGE
    "text{font:600 10px system-ui,sans-serif}" IMAGE ".on-light{fill:#8d775a}" IMAGE
    ".on-dark{fill:#f6f0e4}" IMAGE ".w," IMAGE
    ".b{stroke:#15130f;stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}" IMAGE
    ".w{fill:#fff;color:#15130f}" IMAGE ".b{fill:#2b2822;color:#f4efe4}" IMAGE
    ".d{stroke:currentColor;fill:none}</style>";

void write_svg_board(Buffer *out, const Diagram *d, bool flipped, int width)
{
    const int turn = flipped ? 63 : 0;
    buffer_format(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' class='cqlgen-board' viewBox='0 0 360 360' width='%d' "
        "height='%d' role='img' aria-label='%s'>%s",
        width, width, d->label, image_style);
    draw_squares(out);
    draw_names(out, turn);
    draw_diagram(out, d, turn, true);
}

// ---- boards of numbers ------------------------------------------------------------------------------------

bool heat_colour(double share, char colour[8])
{
    static const struct {
        double share;
        int part[3]; // red, green, blue
    } stop[] = {{0, {247, 242, 230}}, {.35, {239, 192, 122}}, {.7, {185, 100, 15}}, {1, {107, 47, 4}}};
    enum { STOPS = sizeof stop / sizeof *stop };
    int i = 1, part[3];
    while (i < STOPS - 1 && share > stop[i].share)
        i++;
    const double along = (share - stop[i - 1].share) / (stop[i].share - stop[i - 1].share);
    for (int k = 0; k < 3; k++)
        part[k] = (int)lround(stop[i - 1].part[k] + along * (stop[i].part[k] - stop[i - 1].part[k]));
    snprintf(colour, 8, "#%02x%02x%02x", part[0] & 255, part[1] & 255, part[2] & 255);
    return share > .62;
}

// A square in the colour of its number, which browsers also show where the mouse is. Without one, dark squares are a little darker.
static void draw_number(Buffer *out, int square, double value, double share)
{
    char colour[8];
    const bool light = heat_colour(share, colour), dark = value == 0 && BB_DARK >> square & 1;
    buffer_format(out, "<g><title>%c%d: %s</title><path class='cell' fill='%s' d='M%d %dh45v45h-45z'/>",
                  'a' + square_file(square), square_rank(square) + 1, number_text(value).text,
                  dark ? "#ebe3d2" : colour, left_of(square), top_of(square));
    if (value != 0)
        buffer_format(out, "<text class='%s' x='%d.5' y='%d' text-anchor='middle'>%s</text>",
                      light ? "light-text" : "dark-text", middle_x(square), middle_y(square) + 5,
                      brief_number(value).text);
    buffer_text(out, "</g>\n");
}

static void draw_heat_arrows(Buffer *out, const HeatBoard *b)
{
    draw_squares(out);
    for (int i = b->arrows - 1; i >= 0; i--) {
        const int from = b->arrow[i].from, to = b->arrow[i].to;
        const double share = b->arrow[0].value > 0 ? b->arrow[i].value / b->arrow[0].value : 0;
        buffer_format(out, "<g opacity='%s'><title>%c%d to %c%d: %s</title>",
                      ascii_decimal(.25 + .65 * share, 2).text, 'a' + square_file(from),
                      square_rank(from) + 1, 'a' + square_file(to), square_rank(to) + 1,
                      number_text(b->arrow[i].value).text);
        draw_arrow(out, "arrow", from, to);
        buffer_text(out, "</g>\n");
    }
}

void draw_heat_board(Buffer *out, const HeatBoard *b)
{
    double most = 0;
    for (int i = 0; i < 64; i++)
        most = b->value[i] > most ? b->value[i] : most;
    buffer_text(out, "<g transform='translate(16 0)'>");
    if (b->arrows > 0)
        draw_heat_arrows(out, b);
    for (int i = 0; i < 64 && b->arrows == 0; i++)
        draw_number(out, i, b->value[i], most > 0 && b->value[i] > 0 ? sqrt(b->value[i] / most) : 0);
    for (int i = 0; i < 8; i++)
        buffer_format(out,
                      "<text class='name' x='%d.5' y='373' text-anchor='middle'>%c</text>"
                      "<text class='name' x='-8' y='%d' text-anchor='middle'>%d</text>",
                      CELL * i + CELL / 2, 'a' + i, CELL * (7 - i) + 27, i + 1);
    buffer_text(out, "</g>\n");
}
