// The main line of a game without its positions (language reference 9.4): what game_parse makes of an undamaged game,
// played on one board.
//
// A mask of 64 bytes of movetext has the bytes that are not white space and not part of a number. So the next move is
// found without a loop, and comments are skipped by their braces.
#include <stdlib.h>
#include <string.h>

#include "runtime/chess/usual.h"
#include "lex.h"
#include "game_memory.h"
#include "lines.h"
#include "scan.h"

enum { WINDOW = 64, WINDOW_BYTES = WINDOW + SAN_PLAY_BYTES };

#define INLINE static inline __attribute__((always_inline))

// The state of a level of movetext, the game or a variation, while variations in it are read.
typedef struct LineLevel {
    Position now, before;   // after and before its last move
    MoveWord *first, *next; // its words
} LineLevel;

typedef struct LineReader {
    GameLine *line;
    const char *start, *end; // the game's text
    MoveWord *first;         // of the level
    MoveWord *next;          // where the next word goes
    const char *at;          // the end of what read_token has read
    const char *window;      // 64 bytes of movetext,
    uint64_t others;         // and those of them that scan_others finds
    Position now;
    // Before the last move of the level: `before`, if undo.captured is PIECE_CODES, or else `now` without that move.
    Position before;
    UsualUndo undo;
    size_t depth; // of variations
} LineReader;

// Moves the window to p, or as near to the end as it may be. Returns whether a digit comes before it.
static inline bool move_window(LineReader *r, const char *p)
{
    const char *last = r->end - WINDOW_BYTES;
    r->window = p < last ? p : last;
    return r->window > r->start && pgn_is(r->window[-1], BYTE_DIGIT);
}

static __attribute__((noinline)) void open_window_plain(LineReader *r, const char *p)
{
    const bool digit = move_window(r, p);
    r->others = scan_others(r->window, digit);
}

#ifdef SCAN_WIDE
SCAN_WIDE static __attribute__((noinline)) void open_window_wide(LineReader *r, const char *p)
{
    const bool digit = move_window(r, p);
    r->others = scan_others_wide(r->window, digit);
}
#else
#define open_window_wide open_window_plain
#endif

INLINE void open_window(LineReader *r, const char *p, bool wide)
{
    if (wide)
        open_window_wide(r, p);
    else
        open_window_plain(r, p);
}

// The next byte at or after p that is not white space nor part of a number; NULL if there is none before the last
// SAN_PLAY_BYTES bytes.
INLINE const char *next_other(LineReader *r, const char *p, bool wide)
{
    for (;;) {
        const size_t at = (size_t)(p - r->window);
        if (at < WINDOW) {
            const uint64_t rest = r->others >> at;
            if (rest)
                return p + __builtin_ctzll(rest);
            p = r->window + WINDOW;
        }
        if (r->end - p <= SAN_PLAY_BYTES)
            return NULL;
        open_window(r, p, wide);
    }
}

// Adds a fact about a move of a side; `both` has it of both sides, or is a fact about any.
static void add_fact(LineReader *r, int side, unsigned both)
{
    if (r->depth == 0)
        r->line->facts |= (uint16_t)(both & ~(side == WHITE ? LINE_BLACK : LINE_WHITE));
}

static void keep_before(LineReader *r)
{
    r->before = r->now;
    r->undo.captured = PIECE_CODES;
}

// Castling in the usual spelling; NULL where san_parse must decide.
static const char *castle(LineReader *r, const char *text)
{
    const unsigned both = memcmp(text, "O-O-O", 5) == 0 ? LINE_CASTLES_QUEEN : LINE_CASTLES_KING;
    const int side = r->now.side;
    keep_before(r);
    const char *end = usual_castle(&r->now, text, r->next);
    add_fact(r, side, end ? both : 0);
    return end;
}

// The move that san_parse reads.
static bool play_unusual(LineReader *r, const char *p, const char *end)
{
    Move m;
    if (san_parse(&r->now, p, (size_t)(end - p), &m) != SAN_OK)
        return false;
    const int side = r->now.side;
    if (m.flags & MOVE_NULL && r->depth == 0)
        r->line->null_moves = true;
    add_fact(r, side, m.promoted ? LINE_PROMOTES : 0);
    add_fact(r, side, m.flags & MOVE_CASTLE_KING ? LINE_CASTLES_KING : 0);
    add_fact(r, side, m.flags & MOVE_CASTLE_QUEEN ? LINE_CASTLES_QUEEN : 0);
    add_fact(r, side, m.flags & MOVE_EN_PASSANT ? LINE_EN_PASSANT : 0);
    keep_before(r);
    *r->next++ = word_of(m);
    pos_play(&r->now, m);
    pos_find_check(&r->now);
    return true;
}

// Begins a variation: alternatives to the last move of the level, or in a variation before its first move, to that move.
static bool open_level(LineReader *r)
{
    GameLine *line = r->line;
    const bool moved = r->next > r->first;
    if (!moved && r->depth == 0)
        return false;
    if (moved && r->undo.captured < PIECE_CODES)
        usual_undo(&r->before, &r->now, r->next[-1], r->undo);
    line->level = memory_grow(line->level, &line->level_capacity, r->depth + 1, sizeof *line->level);
    line->level[r->depth++] = (LineLevel){r->now, r->before, r->first, r->next};
    line->variations = true;
    if (moved)
        r->now = r->before;
    r->first = r->next;
    return true;
}

static bool close_level(LineReader *r)
{
    if (r->depth == 0)
        return false;
    const LineLevel *outer = &r->line->level[--r->depth];
    r->now = outer->now;
    r->before = outer->before;
    r->undo.captured = PIECE_CODES;
    r->first = outer->first;
    r->next = outer->next;
    return true;
}

typedef enum LineStep { LINE_GOES_ON, LINE_ENDS, LINE_UNREADABLE } LineStep;

// Reads any token at p, up to r->at.
static LineStep read_token(LineReader *r, const char *p)
{
    const char *token = pgn_skip_white(p, r->end);
    if (token == r->end)
        return LINE_UNREADABLE;
    const PgnToken t = pgn_lex(r->start, token, r->end);
    r->at = t.end;
    switch (t.kind) {
    case PGN_MOVE:
        return play_unusual(r, token, t.end) ? LINE_GOES_ON : LINE_UNREADABLE;
    case PGN_OPEN:
        return open_level(r) ? LINE_GOES_ON : LINE_UNREADABLE;
    case PGN_CLOSE:
        return close_level(r) ? LINE_GOES_ON : LINE_UNREADABLE;
    case PGN_RESULT:
        r->line->result = t.value;
        return r->depth == 0 ? LINE_ENDS : LINE_UNREADABLE;
    case PGN_COMMENT:
    case PGN_GLYPH:
        r->line->notes = true;
        return LINE_GOES_ON;
    case PGN_NUMBER:
    case PGN_LINE:
    case PGN_IGNORED:
        return LINE_GOES_ON;
    default:
        return LINE_UNREADABLE;
    }
}

// The length of the check mark at the end of a move, or 0.
static inline size_t check_mark(const char *p)
{
    return (*p == '+' || *p == '#') && scan_is_space(p[1]);
}

// One past the comment at q, unless it contains braces or does not end.
static inline const char *skip_comment(LineReader *r, const char *q)
{
    const char *brace = scan_brace(q + 1, r->end);
    if (brace == r->end || *brace == '{')
        return NULL;
    r->line->notes = true;
    return brace + 1;
}

// Reads what most movetext consists of at q; NULL where that is something else.
INLINE const char *read_usual(LineReader *r, const char *q)
{
    if (*q == '{')
        return skip_comment(r, q);
    const char *end = usual_step(&r->now, q, r->next, &r->undo);
    if (!end && (*q != 'O' || !(end = castle(r, q))))
        return NULL;
    r->next++;
    return *end <= ' ' ? end : end + check_mark(end);
}

// Returns the end of the movetext, or NULL. Compiled for different processors.
INLINE const char *read_line(LineReader *r, const char *p, bool wide)
{
    const bool usual = r->end - p >= WINDOW_BYTES;
    if (usual)
        open_window(r, p, wide);
    for (;;) {
        const char *q;
        while (usual && (q = next_other(r, p, wide)) && (q = read_usual(r, q)))
            p = q;
        const LineStep step = read_token(r, p);
        p = r->at;
        if (step != LINE_GOES_ON)
            return step == LINE_ENDS ? p : NULL;
    }
}

static const char *read_line_plain(LineReader *r, const char *p)
{
    return read_line(r, p, false);
}

#ifdef SCAN_WIDE
SCAN_WIDE static const char *read_line_wide(LineReader *r, const char *p)
{
    return read_line(r, p, true);
}
#endif

static const char *read_line_fast(LineReader *r, const char *p)
{
#ifdef SCAN_WIDE
    if (scan_has_wide())
        return read_line_wide(r, p);
#endif
    return read_line_plain(r, p);
}

// What the last position says.
static void end_facts(GameLine *line)
{
    if (pos_has_legal_move(&line->last))
        return;
    line->facts |= pos_in_check(&line->last, line->last.side) ? LINE_MATE : LINE_STALEMATE;
}

bool game_read_line(GameLine *line, const Game *g)
{
    const struct GameMemory *m = g->memory;
    const Text source = g->source.text;
    line->count = 0;
    line->facts = 0;
    line->null_moves = line->variations = line->notes = false;
    if (g->has_fen || m->fen_error || memchr(source.start, 0, source.length))
        return false;
    // a move takes three bytes with the white space after it
    line->word = memory_grow(line->word, &line->capacity, source.length / 2 + 1, sizeof *line->word);
    LineReader r = {.line = line,
                    .start = source.start,
                    .end = source.start + source.length,
                    .first = line->word,
                    .next = line->word,
                    .now = pos_start};
    const char *end = read_line_fast(&r, source.start + m->movetext);
    if (!end)
        return false;
    line->count = (size_t)(r.next - line->word);
    line->last = r.now;
    end_facts(line);
    return true;
}

void game_line_free(GameLine *line)
{
    free(line->word);
    free(line->level);
    *line = (GameLine){0};
}
