// Tables of openings: reading them, and looking for positions in them.
#include "openings.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/chess/variant.h"
#include "runtime/value/memory.h"

extern const char openings_text[]; // openings.tsv

enum { MOST_PLIES = 100 };

typedef struct Row {
    Opening opening;
    uint64_t key;
    int line; // of the table, from 1
} Row;

struct Openings {
    char *text, *file;
    Row *row;
    size_t count, capacity;
    uint32_t *slot; // 1 + index into `row`; 0: free
    size_t mask;
    int plies; // of the longest line
    int men;   // the fewest on the board
};

// ---- positions --------------------------------------------------------------------------------------------

// As pos_key, but of sets of squares, which is quicker.
static uint64_t key_of(const Position *p)
{
    const uint64_t factor = 0x9E3779B97F4A7C15u;
    const bool passed = p->en_passant != NO_SQUARE &&
                        pawn_table[!p->side][p->en_passant] & p->board[piece_make(p->side, WHITE_PAWN)];
    uint64_t key = p->side | (uint64_t)p->castling << 1 | (uint64_t)(passed ? p->en_passant : NO_SQUARE) << 8;
    for (int piece = WHITE_PAWN; piece <= BLACK_KING; piece++) {
        key = (key ^ p->board[piece]) * factor;
        key ^= key >> 32;
    }
    return key;
}

static const Row *find(const Openings *o, uint64_t key)
{
    for (size_t i = key & o->mask; o->slot[i]; i = (i + 1) & o->mask)
        if (o->row[o->slot[i] - 1].key == key)
            return &o->row[o->slot[i] - 1];
    return NULL;
}

static void make_slots(Openings *o)
{
    size_t size = 16;
    while (size < 4 * o->count)
        size *= 2;
    o->slot = memory_zeroed(size, sizeof *o->slot);
    o->mask = size - 1;
}

static void put_slot(Openings *o, size_t row)
{
    size_t i = o->row[row].key & o->mask;
    while (o->slot[i])
        i = (i + 1) & o->mask;
    o->slot[i] = (uint32_t)row + 1;
}

const char *openings_file(const Openings *o)
{
    return o->file;
}

const Opening *openings_row(const Openings *o, size_t i)
{
    return i < o->count ? &o->row[i].opening : NULL;
}

const Opening *openings_of(const Openings *o, const GameView *game)
{
    const Opening *last = NULL;
    int32_t n = 0;
    for (int ply = 0; ply <= o->plies && n >= 0; ply++, n = game->node[n].first_child) {
        const Position *p = game->position[n];
        if (variant_is(p) || __builtin_popcountll(p->occupied) < o->men)
            break;
        const Row *here = find(o, key_of(p));
        last = here ? &here->opening : last;
    }
    return last;
}

// ---- reading ----------------------------------------------------------------------------------------------

// The moves of the line before, which lines in order share to a large part.
typedef struct Reader {
    Openings *table;
    const char *file, *line_start;
    int line;
    char **message;
    Position position[MOST_PLIES + 1]; // after so many plies
    Text move[MOST_PLIES];
    int plies;
} Reader;

static bool fail(Reader *r, const char *at, const char *what)
{
    *r->message = memory_format("%s:%d:%d: %s", r->file, r->line, (int)(at - r->line_start) + 1, what);
    return false;
}

static bool fail_at(Reader *r, Text at, const char *form)
{
    char *what = memory_format(form, (int)at.length, at.start);
    fail(r, at.start, what);
    free(what);
    return false;
}

static bool is_code(Text t)
{
    return t.length == 3 && t.start[0] >= 'A' && t.start[0] <= 'E' && t.start[1] >= '0' &&
           t.start[1] <= '9' && t.start[2] >= '0' && t.start[2] <= '9';
}

static bool same_text(Text a, Text b)
{
    return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

// Plays a move after `ply` plies.
static bool play(Reader *r, Text word, int ply)
{
    if (ply == MOST_PLIES)
        return fail(r, word.start, "the moves of an opening may have at most 100 plies");
    if (ply < r->plies && same_text(word, r->move[ply]))
        return true;
    Move m;
    size_t length = word.length;
    while (length > 0 && strchr("+#!?", word.start[length - 1]))
        length--;
    const SanResult result = san_parse(&r->position[ply], word.start, length, &m);
    if (result == SAN_NOT_A_MOVE)
        return fail_at(r, word, "expected a move in SAN, as in `1. e4 c5 2. Nf3`, not `%.*s`");
    if (result != SAN_OK)
        return fail_at(r, word,
                       result == SAN_ILLEGAL ? "the move `%.*s` is not legal here"
                                             : "several pieces can play `%.*s`; add the file or rank");
    pos_make(&r->position[ply + 1], &r->position[ply], m);
    pos_find_check(&r->position[ply + 1]);
    r->move[ply] = word;
    r->plies = ply + 1;
    return true;
}

// moves = { [number "."{"."}] move }
static bool read_moves(Reader *r, Text moves, const Position **last, int *plies)
{
    const char *p = moves.start, *end = p + moves.length;
    int ply = 0;
    for (;;) {
        while (p < end && *p == ' ')
            p++;
        const char *number = p;
        while (p < end && *p >= '0' && *p <= '9')
            p++;
        if (p < end && p > number && *p == '.')
            while (p < end && *p == '.')
                p++;
        else
            p = number; // 0-0
        const char *word = p;
        while (p < end && *p != ' ')
            p++;
        if (p > word && !play(r, (Text){word, (size_t)(p - word)}, ply++))
            return false;
        if (p == end)
            break;
    }
    if (ply == 0)
        return fail(r, moves.start, "expected moves, as in `1. e4 c5 2. Nf3`");
    *last = &r->position[ply];
    *plies = ply;
    return true;
}

// line = code TAB name TAB moves
static bool read_line(Reader *r, const char *start, const char *end)
{
    Text field[3] = {0};
    const char *p = start;
    for (int i = 0; i < 3; i++) {
        const char *tab = memchr(p, '\t', (size_t)(end - p));
        if (i < 2 ? !tab : tab != NULL)
            return fail(r, tab ? tab : end,
                        tab ? "the moves end here; expected the end of the line"
                            : "expected a tab: a line is CODE, NAME and MOVES with a tab between them");
        field[i] = (Text){p, (size_t)((tab ? tab : end) - p)};
        p = tab ? tab + 1 : end;
    }
    if (!is_code(field[0]))
        return fail_at(r, field[0], "expected an ECO code, a letter A to E and two digits, not `%.*s`");
    if (field[1].length == 0)
        return fail(r, field[1].start, "expected the name of the opening");
    const Position *last = NULL;
    int plies = 0;
    if (!read_moves(r, field[2], &last, &plies))
        return false;
    Openings *o = r->table;
    const int men = __builtin_popcountll(last->occupied);
    o->plies = plies > o->plies ? plies : o->plies;
    o->men = men < o->men ? men : o->men;
    MEMORY_PUSH(o->row, o->count, o->capacity, (Row){{field[0], field[1]}, key_of(last), r->line});
    return true;
}

static bool read_lines(Reader *r, const char *p, const char *end)
{
    static const char mark[] = "\xEF\xBB\xBF", head[] = "eco\t";
    if (end - p >= 3 && memcmp(p, mark, 3) == 0)
        p += 3;
    for (r->line = 1; p < end; r->line++) {
        const char *next = memchr(p, '\n', (size_t)(end - p));
        const char *stop = next ? next : end;
        next = next ? next + 1 : end;
        stop -= stop > p && stop[-1] == '\r';
        r->line_start = p;
        const bool is_head = r->line == 1 && stop - p > 4 && memcmp(p, head, 4) == 0;
        if (stop > p && !is_head && !read_line(r, p, stop))
            return false;
        p = next;
    }
    r->line_start = end;
    return r->table->count > 0 || fail(r, end, "the table has no opening");
}

static bool fill_slots(Reader *r)
{
    Openings *o = r->table;
    make_slots(o);
    for (size_t i = 0; i < o->count; i++) {
        const Row *same = find(o, o->row[i].key);
        if (same) {
            *r->message =
                memory_format("%s:%d:1: the moves lead to the position of line %d; name a position once",
                              r->file, o->row[i].line, same->line);
            return false;
        }
        put_slot(o, i);
    }
    return true;
}

Openings *openings_read(Text text, const char *file, char **message)
{
    Openings *o = memory_zeroed(1, sizeof *o);
    Reader *r = memory_zeroed(1, sizeof *r);
    *r = (Reader){.table = o, .file = file, .message = message, .position = {pos_start}};
    pos_find_check(&r->position[0]);
    o->text = memory_copy(text.start, text.length);
    o->file = memory_copy(file, strlen(file));
    o->men = 32;
    *message = NULL;
    const bool good = read_lines(r, o->text, o->text + text.length) && fill_slots(r);
    free(r);
    if (good)
        return o;
    openings_free(o);
    return NULL;
}

void openings_free(Openings *o)
{
    if (!o)
        return;
    free(o->text);
    free(o->file);
    free(o->row);
    free(o->slot);
    free(o);
}

// ---- the table of the program -----------------------------------------------------------------------------

static Openings *usual;

static void read_usual(void)
{
    char *message;
    usual = openings_read((Text){openings_text, strlen(openings_text)}, "openings.tsv", &message);
}

const Openings *openings_usual(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_usual);
    return usual;
}
