// The main line of a game without its positions (language reference 9.4): what game_parse makes of an undamaged game,
// played on one board.
//
// Masks of movetext, made ahead of the moves, have the bytes that are not white space, not part of a number and not in a
// comment. So the next move is found without a loop, and wrong guesses of the processor about a move do not delay the search
// for the ones after it.
#include <stdlib.h>
#include <string.h>

#include "runtime/chess/usual.h"
#include "lex.h"
#include "game_memory.h"
#include "lines.h"
#include "scan.h"

enum { WINDOW = 64, WINDOWS = 32, WINDOW_BYTES = WINDOW + SAN_PLAY_BYTES };

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
    const char *masked;      // text of which `other` is known, or NULL;
    size_t masked_length;    // a multiple of WINDOW
    uint64_t inside;         // all bits: a comment goes on after it; or 0
    const char *comment;     // the first one that masks leave out, or NULL
    // By WINDOW: ScanText.others but for comments and the last SAN_PLAY_BYTES bytes of the game; at the end 0. The bytes are
    // those of a little-endian number.
    uint64_t other[WINDOWS + 1];
    Position now;
    // Before the last move of the level: `before`, if undo.captured is PIECE_CODES, or else `now` without that move.
    Position before;
    UsualUndo undo;
    size_t depth; // of variations
} LineReader;

INLINE uint64_t little_endian(uint64_t number)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(number) : number;
}

// Which of the three bytes before p are digits, as in scan_fourth_digits.
static unsigned digits_before(const LineReader *r, const char *p)
{
    unsigned digits = 0;
    for (int i = 1; i <= 3 && p - i >= r->start; i++)
        digits |= ((unsigned char)(p[-i] - '0') <= 9 ? 8u : 0u) >> i;
    return digits;
}

// What the WINDOW bytes of movetext at p are. There are some before the last SAN_PLAY_BYTES bytes of the game. `digits`: which
// of the three bytes before p are digits.
INLINE ScanText look_at(const LineReader *r, const char *p, uint64_t digits, bool wide)
{
    const char *last = r->end - WINDOW_BYTES, *from = p < last ? p : last;
    const size_t before = (size_t)(p - from); // bytes that were looked at
    if (before > 0)
        digits = digits_before(r, from);
#ifdef SCAN_WIDE
    const ScanText text = wide ? scan_text_wide(from, digits) : scan_text(from, digits);
#else
    (void)wide;
    const ScanText text = scan_text(from, digits);
#endif
    return (ScanText){text.others >> before, text.open >> before, text.close >> before, text.digits};
}

// Makes masks of the text from p on, up to where comments have inner braces. r->inside: p is in a comment. Returns false if
// there are none.
INLINE bool make_masks(LineReader *r, const char *p, bool wide)
{
    const char *first = p;
    size_t i = 0;
    uint64_t digits = r->end - p > SAN_PLAY_BYTES ? digits_before(r, p) : 0; // p may be beyond the end
    for (; i < WINDOWS && r->end - p > SAN_PLAY_BYTES; i++, p += WINDOW) {
        const ScanText text = look_at(r, p, digits, wide);
        digits = text.digits;
        uint64_t comments = r->inside, wrong = 0;
        if (text.open | text.close) {
            const uint64_t after = scan_comments(text.open, text.close, r->inside, &comments, &wrong);
            if (wrong)
                break;
            r->inside = 0 - (after >> (WINDOW - 1));
            if (text.open && !r->comment)
                r->comment = p + __builtin_ctzll(text.open);
        }
        r->other[i] = little_endian(text.others & ~comments);
    }
    r->masked = i > 0 ? first : NULL;
    r->masked_length = i * WINDOW;
    r->other[i] = 0;
    return i > 0;
}

static __attribute__((noinline)) bool make_masks_plain(LineReader *r, const char *p)
{
    return make_masks(r, p, false);
}

#ifdef SCAN_WIDE
SCAN_WIDE static __attribute__((noinline)) bool make_masks_wide(LineReader *r, const char *p)
{
    return make_masks(r, p, true);
}
#else
#define make_masks_wide make_masks_plain
#endif

// The next byte at or after p, the end of a token before the end of the game, that is not white space nor part of a number or a
// comment; NULL where the general reader must go on, and where there is none for long: what that reads begins with nearly as many
// bytes again.
INLINE const char *next_other(LineReader *r, const char *p, bool wide)
{
    enum { AT_ONCE = WINDOW - 8 }; // bytes about which any 8 bytes of the masks say something
    enum { FAR = WINDOW * WINDOWS };
    const char *begin = p;
    for (;;) {
        const size_t at = (size_t)(p - r->masked);
        if (at < r->masked_length) {
            if (p == begin && *p == '0') // a zero after a move is not part of a number
                return p;
            uint64_t rest;
            memcpy(&rest, (const char *)r->other + at / 8, sizeof rest);
            rest = little_endian(rest) >> at % 8;
            if (rest)
                return p + __builtin_ctzll(rest);
            p += r->masked_length - at < AT_ONCE ? r->masked_length - at : AT_ONCE;
            continue;
        }
        const char *from = r->masked ? r->masked + r->masked_length : p;
        r->inside = r->masked ? r->inside : 0;
        if (from - begin > FAR) {
            r->masked = NULL;
            r->masked_length = 0;
            return NULL;
        }
        if (wide ? !make_masks_wide(r, from) : !make_masks_plain(r, from))
            return NULL;
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

// Forgets the masks unless the token ends in their text and they are right about its braces: those of lines and words begin
// no comments.
static void check_masks(LineReader *r, const char *token, PgnToken t)
{
    const bool any = t.kind == PGN_LINE || t.kind == PGN_IGNORED;
    if ((size_t)(t.end - r->masked) > r->masked_length || (any && scan_brace(token, t.end) < t.end)) {
        r->masked = NULL;
        r->masked_length = 0;
        r->comment = r->comment < token ? r->comment : NULL;
    }
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
    if (r->masked)
        check_masks(r, token, t);
    switch (t.kind) {
    case PGN_MOVE:
        return play_unusual(r, token, t.end) ? LINE_GOES_ON : LINE_UNREADABLE;
    case PGN_OPEN:
        return open_level(r) ? LINE_GOES_ON : LINE_UNREADABLE;
    case PGN_CLOSE:
        return close_level(r) ? LINE_GOES_ON : LINE_UNREADABLE;
    case PGN_RESULT:
        r->line->result = t.value;
        return r->depth == 0 && pgn_nothing_follows(r->start, t.end, r->end) ? LINE_ENDS : LINE_UNREADABLE;
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

// Reads a move in the usual spelling at q; NULL where that is something else.
INLINE const char *read_usual(LineReader *r, const char *q)
{
    const char *end = usual_step(&r->now, q, r->next, &r->undo);
    if (!end && (*q != 'O' || !(end = castle(r, q))))
        return NULL;
    r->next++;
    return *end <= ' ' ? end : end + check_mark(end);
}

// The beginning of the number that ends before q, or q.
static const char *number_start(const char *low, const char *q)
{
    while (q > low && scan_is_number(q[-1]))
        q--;
    return q;
}

// Returns the end of the movetext, or NULL. Compiled for different processors.
INLINE const char *read_line(LineReader *r, const char *p, bool wide)
{
    const bool usual = r->end - p >= WINDOW_BYTES;
    for (;;) {
        const char *q = NULL, *after;
        while (usual && (q = next_other(r, p, wide)) && (after = read_usual(r, q)))
            p = after;
        const LineStep step = read_token(r, q ? number_start(p, q) : p);
        p = r->at;
        if (step != LINE_GOES_ON || p == r->end)
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
    if (cpu_is_wide())
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
    if (g->has_fen || g->variant != VARIANT_STANDARD || m->fen_error ||
        memchr(source.start, 0, source.length))
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
    line->notes |= r.comment && r.comment < end;
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
