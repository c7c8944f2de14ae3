// Clocks and evaluations: the commands in comments, and the tag TimeControl (language reference 15).
#include <string.h>

#include "clocks.h"
#include "lex.h"

enum { SECOND = 100, MATE = 100000 };

// ---- numbers ----------------------------------------------------------------------------------------------

enum { MOST_WHOLE = 20000000 }; // greater numbers are refused; in hundredths they fit into 32 bits

// A number as it is written.
typedef struct Number {
    int32_t hundredths; // rounded
    bool point;         // it has a decimal point
} Number;

static bool is_digit(const char *p, const char *end)
{
    return p < end && *p >= '0' && *p <= '9';
}

static const char *skip_white(const char *p, const char *end)
{
    while (p < end && pgn_is(*p, BYTE_WHITE))
        p++;
    return p;
}

// Digits, perhaps with a point among them, before it or after it. `down`: hundredths are rounded down, otherwise to the
// nearest. Returns the end, or NULL when there is no number or it is too great.
static const char *read_number(const char *p, const char *end, bool down, Number *number)
{
    int32_t whole = 0, part = 0, digits = 0;
    const bool leading = is_digit(p, end);
    for (; is_digit(p, end); p++) {
        whole = 10 * whole + (*p - '0');
        if (whole > MOST_WHOLE)
            return NULL;
    }
    number->point = p < end && *p == '.';
    p += number->point;
    if (!leading && !is_digit(p, end))
        return NULL;
    for (; is_digit(p, end); p++)
        if (++digits <= 3)
            part = 10 * part + (*p - '0');
    for (; digits < 3; digits++)
        part *= 10;
    number->hundredths = 100 * whole + (part + (down ? 0 : 5)) / 10;
    return p;
}

// ---- commands in comments ---------------------------------------------------------------------------------

// A value ends at the bracket, or at a comma before something else.
static bool is_end(const char *p, const char *end)
{
    p = skip_white(p, end);
    return p < end && (*p == ']' || *p == ',');
}

static bool read_usual_time(const char *p, const char *end, int32_t *hundredths)
{
    uint8_t digit[8];
    if (end - p < 8 || !clocks_usual_time(p, digit))
        return false;
    *hundredths = clocks_time_of(digit);
    return true;
}

// `h:mm:ss`, `mm:ss` or seconds, perhaps with decimals.
static bool read_time(const char *p, const char *end, int32_t *hundredths)
{
    int64_t sum = 0;
    if (read_usual_time(p, end, hundredths))
        return true;
    for (int field = 1;; field++, p++) {
        Number n;
        p = read_number(p, end, true, &n);
        if (!p)
            return false;
        sum = 60 * sum + n.hundredths;
        if (n.point || p == end || *p != ':' || field == 3)
            break;
    }
    *hundredths = (int32_t)sum;
    return is_end(p, end) && sum <= INT32_MAX;
}

// `0.35`, `+1`, `#-3`; `35,20` is in centipawns, as nothing but the depth after it shows.
static bool read_eval(const char *p, const char *end, int32_t *centipawns)
{
    bool mate = false, negative = false;
    for (; p < end && (*p == '#' || *p == '-' || *p == '+'); p++) {
        mate |= *p == '#';
        negative |= *p == '-';
    }
    Number n;
    p = read_number(p, end, false, &n);
    if (!p || !is_end(p, end) || (mate && (n.point || n.hundredths > 100 * MATE)))
        return false;
    const bool whole = mate || (!n.point && *skip_white(p, end) == ',');
    int32_t value = whole ? n.hundredths / 100 : n.hundredths;
    if (mate)
        value = MATE - value;
    *centipawns = negative ? -value : value;
    return true;
}

// The value of a command with this name at p; NULL: it has another name.
static inline const char *value_after(const char *p, const char *end, const char *name, size_t length)
{
    if ((size_t)(end - p) <= length || memcmp(p, name, length) != 0 || !pgn_is(p[length], BYTE_WHITE))
        return NULL;
    return skip_white(p + length, end);
}

// Reads the command whose name begins at p, if it is one of ours and its value can be read.
static void read_command(NoteClocks *c, const char *p, const char *end)
{
    const char *value;
    int32_t read;
    if ((value = value_after(p, end, "clk", 3))) {
        if (read_time(value, end, &read)) {
            c->clock = read;
            c->has |= CLOCKS_CLOCK;
        }
    } else if ((value = value_after(p, end, "eval", 4))) {
        if (read_eval(value, end, &read)) {
            c->eval = read;
            c->has |= CLOCKS_EVAL;
        }
    } else if ((value = value_after(p, end, "emt", 3)) && read_time(value, end, &read)) {
        c->spent = read;
        c->has |= CLOCKS_SPENT;
    }
}

void clocks_read(NoteClocks *clocks, const char *comment, const char *end)
{
    const char *p = comment;
    while (p < end && (p = memchr(p, '[', (size_t)(end - p)))) {
        p = skip_white(p + 1, end);
        if (p < end && *p == '%')
            read_command(clocks, p + 1, end);
    }
}

// ---- the tag TimeControl ----------------------------------------------------------------------------------

// `moves/base+increment`; moves and increment may be missing. Returns the end, or NULL.
static const char *read_period(const char *p, const char *end, TimePeriod *period)
{
    Number n;
    *period = (TimePeriod){0};
    p = read_number(p, end, true, &n);
    if (p && p < end && *p == '/') {
        period->moves = n.hundredths / 100;
        p = n.point || period->moves == 0 ? NULL : read_number(p + 1, end, true, &n);
    }
    if (!p)
        return NULL;
    period->base = n.hundredths;
    if (p < end && *p == '+') {
        p = read_number(p + 1, end, true, &n);
        period->increment = n.hundredths;
    }
    return p;
}

// Reads the tag; there are no periods when it has another form.
static void read_time_control(const Game *g)
{
    struct GameMemory *m = g->memory;
    const int most = sizeof m->period / sizeof *m->period;
    Text value;
    m->periods = 0;
    if (!game_tag(g, text_of("TimeControl"), &value))
        return;
    const char *end = value.start + value.length, *p = value.start;
    for (int count = 0; count < most; count++) {
        p = read_period(p, end, &m->period[count]);
        if (p == end)
            m->periods = count + 1;
        if (!p || p == end || *p++ != ':')
            return;
    }
}

// The period to which a player's move belongs, and the one after it. The last period repeats.
static void find_periods(const struct GameMemory *m, int32_t move, const TimePeriod **now,
                         const TimePeriod **next)
{
    static const TimePeriod none;
    int i = 0;
    for (; i + 1 < m->periods && m->period[i].moves > 0 && move > m->period[i].moves; i++)
        move -= m->period[i].moves;
    *now = m->periods > 0 ? &m->period[i] : &none;
    *next = i + 1 < m->periods ? &m->period[i + 1] : *now;
}

// ---- values of positions ----------------------------------------------------------------------------------

static const NoteClocks *clocks_at(const Game *g, int32_t id)
{
    static const NoteClocks none;
    return g->note ? &g->note[id].clocks : &none;
}

bool game_clock(const Game *g, int32_t id, int32_t *seconds)
{
    const NoteClocks *c = clocks_at(g, id);
    *seconds = c->clock / SECOND;
    return id > 0 && (c->has & CLOCKS_CLOCK);
}

// What the clock showed before the move that leads to the position, in hundredths; false: that is not known.
static bool time_before(const Game *g, int32_t id, const TimePeriod *period, int32_t *time)
{
    const Node *node = g->view.node;
    *time = period->base;
    if (period->moves == 1) // each move has a time of its own
        return true;
    if (node[id].ply <= 2)
        return g->memory->periods > 0 && g->clocks.fullmove == 1;
    const NoteClocks *last = clocks_at(g, node[node[id].parent].parent);
    *time = last->clock;
    return last->has & CLOCKS_CLOCK;
}

// The time that a side took for a move by its clocks, in hundredths; less than 0: not known.
static int32_t clock_difference(const Game *g, int32_t id)
{
    const struct GameMemory *m = g->memory;
    const int32_t ply = g->view.node[id].ply;
    const TimePeriod *period, *next;
    int32_t before;
    if (m->periods < 0)
        read_time_control(g);
    find_periods(m, g->clocks.fullmove + (ply - 1 + (m->start.side == BLACK)) / 2, &period, &next);
    const int32_t after = clocks_at(g, id)->clock;
    if (!time_before(g, id, period, &before))
        return -1;
    if (ply <= 2 && g->clocks.fullmove == 1 && after == before) // the clock did not run during a first move
        return 0;
    int64_t spent = (int64_t)before + period->increment - after;
    if (spent < 0 && ply > 2)
        spent += next->base;
    return spent < 0 || spent > INT32_MAX ? -1 : (int32_t)spent;
}

bool game_elapsed(const Game *g, int32_t id, int32_t *seconds)
{
    const NoteClocks *c = clocks_at(g, id);
    if (id == 0)
        return false;
    const int32_t spent = c->has & CLOCKS_SPENT   ? c->spent
                          : c->has & CLOCKS_CLOCK ? clock_difference(g, id)
                                                  : -1;
    *seconds = spent / SECOND;
    return spent >= 0;
}

bool game_eval(const Game *g, int32_t id, int32_t *centipawns)
{
    const NoteClocks *c = clocks_at(g, id);
    *centipawns = c->eval;
    return c->has & CLOCKS_EVAL;
}
