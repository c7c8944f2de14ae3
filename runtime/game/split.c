// Finds games in a byte stream (language reference 9.1-9.4).
//
// scan_mark jumps from one byte that can matter to the next; the parser's lexer then reads the text around it, so that both see
// the same tokens. All places are 64-bit offsets in the input; the buffer contains the input from `base` on.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lex.h"
#include "game_memory.h"
#include "marks.h"
#include "scan.h"
#include "section.h"

enum {
    READ_SIZE = 64 * 1024,
    LOOK_BEHIND = 64 * 1024, // kept between games: whether '[' and '%' count depends on how their line begins
    // A comment that is longer than this and contains a tag line counts as unterminated before the end of the
    // input is seen, which bounds the memory.
    COMMENT_LIMIT = 32 * 1024 * 1024,
    WHITE_LIMIT = 1024 * 1024 // a game ends before so much white space
};

struct PgnSplitter {
    ReadFn *read;
    void *read_user;
    ReportFn *report;
    void *report_user;
    const char *error;

    char *buffer;
    size_t capacity, filled;
    uint64_t base;  // offset of buffer[0]
    uint64_t at;    // everything before this is consumed
    uint64_t keep;  // bytes from here on must stay in the buffer
    uint64_t low;   // looking back for the start of a line ends here
    uint64_t clean; // white space or the start of a token: the lexer may start here
    uint64_t
        plain; // movetext without other marks, and comments, from here to where the next mark is looked for
    uint64_t seen;    // the white space of `plain` was looked at up to here
    bool ended;       // the input has no more bytes
    bool started;     // the encoding of the input was checked
    bool fresh;       // only white space came since the last game, or since the beginning
    bool skip_to_tag; // after an unterminated comment: continue at the next line that looks like a tag
    bool holding;     // the games of a block must stay in the buffer
    bool junk_reported, nul_seen, nul_reported;
    size_t most; // bytes of a game; 0: any number
    bool inside; // a game, which began at `low`
    bool cut;    // it has more than `most` bytes

    int32_t depth;          // of variations
    int64_t number;         // of the last game
    uint64_t line_at, line; // `line` is the line number of offset line_at

    uint64_t open, open_end; // there is no '}' from `open` up to `open_end`
};

// ---- the buffer ------------------------------------------------------------------------------------------

static const char *pointer(const PgnSplitter *s, uint64_t offset)
{
    return s->buffer + (offset - s->base);
}

static uint64_t offset_of(const PgnSplitter *s, const char *p)
{
    return s->base + (uint64_t)(p - s->buffer);
}

static uint64_t data_end(const PgnSplitter *s)
{
    return s->base + s->filled;
}

static const char *end_pointer(const PgnSplitter *s)
{
    return s->buffer + s->filled;
}

// Makes room for `size` more bytes, dropping those before `keep`.
static void make_room(PgnSplitter *s, size_t size)
{
    size_t drop = (size_t)(s->keep - s->base);
    if (s->capacity - s->filled >= size)
        return;
    if (drop > s->filled / 2) {
        memmove(s->buffer, s->buffer + drop, s->filled - drop);
        s->filled -= drop;
        s->base += drop;
    }
    s->buffer = memory_grow(s->buffer, &s->capacity, s->filled + size, 1);
}

// Reads at least as much input as there is after `from`, so that scanning again from there takes linear time.
// Returns false when nothing was added.
static bool read_more(PgnSplitter *s, uint64_t from)
{
    s->cut |= s->inside && s->most > 0 && data_end(s) - s->low > s->most;
    if (s->ended || s->cut)
        return false;
    size_t wanted = (size_t)(data_end(s) - from);
    if (wanted < READ_SIZE)
        wanted = READ_SIZE;
    make_room(s, wanted);
    size_t added = 0;
    while (added < wanted && !s->ended) {
        int64_t n = s->read(s->read_user, s->buffer + s->filled, wanted - added);
        if (n <= 0) {
            s->ended = true;
            s->error = n < 0 ? "cannot read the input" : NULL;
            break;
        }
        s->filled += (size_t)n;
        added += (size_t)n;
    }
    return added > 0;
}

// Reads until `count` bytes follow `offset`, or the input ends.
static void look_ahead(PgnSplitter *s, uint64_t offset, size_t count)
{
    while (data_end(s) - offset < count && read_more(s, offset))
        ;
}

// The line of a byte that is not before the last one that was asked for.
static uint64_t line_of(PgnSplitter *s, uint64_t offset)
{
    assert(offset >= s->line_at);
    s->line += scan_count_lines(pointer(s, s->line_at), pointer(s, offset));
    s->line_at = offset;
    return s->line;
}

static void report(PgnSplitter *s, uint64_t offset, const char *message)
{
    if (s->report)
        s->report(s->report_user, line_of(s, offset), 0, message);
}

// ---- lines and comments ----------------------------------------------------------------------------------

// The end of the line at `offset` (its CR or LF, or the end of the input).
static uint64_t line_end(PgnSplitter *s, uint64_t offset)
{
    for (uint64_t from = offset;;) {
        const char *p = scan_line_end(pointer(s, from), end_pointer(s));
        from = offset_of(s, p);
        if (p < end_pointer(s) || !read_more(s, offset))
            return from;
    }
}

// Whether '[' at `offset` begins a tag.
static bool is_tag_line(PgnSplitter *s, uint64_t offset)
{
    int tag;
    while ((tag = pgn_is_tag_line(pointer(s, offset), end_pointer(s))) < 0)
        if (!read_more(s, offset))
            return false;
    return tag == 1;
}

// The first tag line that begins after `offset` and before `limit`, or `limit`. Reads more only for the rest of the last line.
static uint64_t next_tag_line(PgnSplitter *s, uint64_t offset, uint64_t limit)
{
    while (offset < limit) {
        const char *end = pointer(s, limit);
        const char *p = pgn_skip_white(scan_line_end(pointer(s, offset), end), end);
        if (p == end)
            break;
        offset = offset_of(s, p);
        if (*p == '[' && is_tag_line(s, offset))
            return offset;
    }
    return limit;
}

// Finds the first '}' after the '{' at `open`. False when there is none, or none for long and a tag line before.
static bool find_close(PgnSplitter *s, uint64_t open, uint64_t *close)
{
    if (open < s->open || open > s->open_end)
        s->open = s->open_end = open;
    for (uint64_t limit = open + COMMENT_LIMIT;;) {
        const uint64_t to = data_end(s) < limit ? data_end(s) : limit; // it does not matter how much was read
        if (s->open_end < to) {
            const char *p = memchr(pointer(s, s->open_end), '}', (size_t)(to - s->open_end));
            *close = s->open_end = p ? offset_of(s, p) : to;
            if (p)
                return true;
        }
        if (s->open_end >= limit) {
            if (next_tag_line(s, open, limit) < limit)
                return false;
            limit += limit - open;
        } else if (!read_more(s,
                              s->open_end)) { // it continues where it stopped: no need to read much at once
            return false;
        }
    }
}

// Moves *offset from '{' past the end of the comment. Returns false, leaving *offset, when there is none.
static bool skip_comment(PgnSplitter *s, uint64_t *offset)
{
    const uint64_t open = *offset;
    uint64_t close;
    if (!find_close(s, open, &close))
        return false;
    *offset = close + 1;
    if (!memchr(pointer(s, open) + 1, '{', (size_t)(close - open - 1)))
        return true;
    for (bool cut = true; cut;) {
        const char *end = pgn_nested_comment_end(pointer(s, open), pointer(s, close), end_pointer(s), &cut);
        *offset = end ? offset_of(s, end) : open;
        cut = cut && read_more(s, open);
    }
    return *offset > open;
}

// ---- one game --------------------------------------------------------------------------------------------

// How a part of a game ended.
typedef enum End {
    GAME_GOES_ON,
    GAME_ENDS,      // at s->at
    GAME_BROKEN_OFF // before an unterminated comment at s->at - 1
} End;

static End broken_off(PgnSplitter *s, uint64_t brace)
{
    s->at = brace + 1;
    s->skip_to_tag = true;
    return GAME_BROKEN_OFF;
}

// Lets the buffer drop the bytes before `offset`, which is at most s->at.
static void keep_from(PgnSplitter *s, uint64_t offset)
{
    line_of(s, s->at);
    s->keep = offset;
    if (s->low < offset)
        s->low = offset;
}

// Skips white space; returns false at the end of the input.
static bool skip_white(PgnSplitter *s, uint64_t *offset)
{
    for (;;) {
        look_ahead(s, *offset, PGN_LOOKAHEAD);
        const char *p = pgn_skip_white(pointer(s, *offset), end_pointer(s));
        *offset = offset_of(s, p);
        if (data_end(s) - *offset >= PGN_LOOKAHEAD || !read_more(s, *offset))
            return *offset < data_end(s);
    }
}

// Reads the token at `offset` (not white space, a comment, line or tag) and all bytes its kind depends on.
static PgnToken lex(PgnSplitter *s, uint64_t offset, uint64_t *end)
{
    for (;;) {
        const char *start = pointer(s, s->low), *stop = end_pointer(s);
        PgnToken t = pgn_lex(start, pointer(s, offset), stop);
        *end = offset_of(s, t.end);
        if (stop - t.end >= PGN_LOOKAHEAD || !read_more(s, offset))
            return t;
    }
}

static bool at_line_start(const PgnSplitter *s, uint64_t offset)
{
    return pgn_at_line_start(pointer(s, s->low), pointer(s, offset));
}

// Reads the tag at s->at. *name: its name in the buffer.
static void read_tag(PgnSplitter *s, Text *name)
{
    SectionTag tag;
    uint64_t end, at;
    bool cut;
    do {
        end = offset_of(s, section_read_tag(pointer(s, s->at), end_pointer(s), &tag, &cut));
        at = tag.name.length > 0 ? offset_of(s, tag.name.start) : s->at;
    } while (cut && read_more(s, s->at));
    *name = (Text){pointer(s, at), tag.name.length};
    s->at = end;
}

static bool begins_tag(PgnSplitter *s, uint64_t offset)
{
    return *pointer(s, offset) == '[' && (at_line_start(s, offset) || is_tag_line(s, offset));
}

// The tag section: tags, with blank lines, comments and escaped lines between them.
static End scan_section(PgnSplitter *s)
{
    SectionNames names;
    section_begin(&names);
    for (bool empty_line = false;;) {
        const uint64_t before = s->at;
        if (!skip_white(s, &s->at))
            return GAME_ENDS;
        const uint64_t place = s->at;
        const char c = *pointer(s, place);
        if (c != '[' && c != ';' && c != '%' && c != '{')
            return GAME_GOES_ON;
        if (place - before > 1)
            empty_line |= scan_count_lines(pointer(s, before), pointer(s, place)) > 1;
        Text name;
        if (begins_tag(s, place)) {
            read_tag(s, &name);
            if (section_ends(&names, pointer(s, s->low), pointer(s, place), name, empty_line)) {
                s->at = place;
                return GAME_ENDS;
            }
            s->at = offset_of(s, section_skip_lines(pointer(s, s->at), end_pointer(s), NULL, NULL));
            empty_line = false;
        } else if (c == '[') {
            return GAME_GOES_ON;
        } else if (c != '{') {
            s->at = line_end(s, place);
        } else if (!skip_comment(s, &s->at)) {
            return broken_off(s, place);
        }
    }
}

// After a result token inside a variation: true when only white space and comments precede the next game.
static bool nothing_follows(PgnSplitter *s, uint64_t offset)
{
    while (skip_white(s, &offset)) {
        char c = *pointer(s, offset);
        if (c == '[' && at_line_start(s, offset) && is_tag_line(s, offset))
            return true;
        if (c == ';' || c == '%')
            offset = line_end(s, offset);
        else if (c != '{')
            return false;
        else if (!skip_comment(s, &offset))
            return true;
    }
    return true;
}

// Reads the token at s->clean, which is not white space.
static End scan_token(PgnSplitter *s)
{
    uint64_t end;
    PgnToken t;
    switch (*pointer(s, s->clean)) {
    case '{':
        return skip_comment(s, &s->clean) ? GAME_GOES_ON : broken_off(s, s->clean);
    case ';':
    case '%':
        s->clean = line_end(s, s->clean);
        return GAME_GOES_ON;
    case '(':
        s->depth++;
        s->clean++;
        return GAME_GOES_ON;
    case ')':
        s->depth -= s->depth > 0;
        s->clean++;
        return GAME_GOES_ON;
    case '[':
        if (at_line_start(s, s->clean) && is_tag_line(s, s->clean)) {
            s->at = s->clean;
            return GAME_ENDS;
        }
        break;
    }
    t = lex(s, s->clean, &end);
    if (t.kind == PGN_RESULT && (s->depth == 0 || nothing_follows(s, end))) {
        s->at = end;
        return GAME_ENDS;
    }
    s->clean = end;
    return GAME_GOES_ON;
}

// Reads the tokens up to and including the one with the mark at `mark`.
static End scan_run(PgnSplitter *s, uint64_t mark)
{
    const char *p = pointer(s, mark), *low = pointer(s, s->clean);
    while (p > low && !pgn_is(p[-1], BYTE_WHITE))
        p--;
    s->clean = offset_of(s, p);
    End how = GAME_GOES_ON;
    while (how == GAME_GOES_ON && s->clean <= mark && skip_white(s, &s->clean))
        how = scan_token(s);
    return how;
}

static uint64_t skip_plain_marks(PgnSplitter *s, uint64_t place)
{
    const MarkScan scan =
        marks_skip((MarkScan){pointer(s, place), pointer(s, s->clean), s->depth}, end_pointer(s));
    s->clean = offset_of(s, scan.clean);
    s->depth = scan.depth;
    return offset_of(s, scan.place);
}

// Is `p` within a comment without inner braces? Movetext begins at `low`.
static bool is_in_comment(const char *low, const char *p)
{
    while (p > low && p[-1] != '{' && p[-1] != '}')
        p--;
    return p > low && p[-1] == '{';
}

// Is there white space for long in the movetext up to `end` that marks_skip has passed? Then the game ends before it. How much
// was read does not matter: WHITE_LIMIT bytes of white space contain one of the places that are looked at.
static bool is_left(PgnSplitter *s, uint64_t end)
{
    const char *const low = pointer(s, s->plain), *const high = pointer(s, end), *p = pointer(s, s->seen);
    bool goes_on = false; // white space at the end
    while (!goes_on && high - p >= WHITE_LIMIT) {
        const char *place = p + WHITE_LIMIT - 1, *first = place, *last = place;
        while (last < high && last - first < WHITE_LIMIT && pgn_is(*last, BYTE_WHITE))
            last++;
        while (last > place && first > p && pgn_is(first[-1], BYTE_WHITE))
            first--;
        if (last - first >= WHITE_LIMIT && !is_in_comment(low, first)) {
            s->at = offset_of(s, first);
            return true;
        }
        goes_on = last == high && last - first < WHITE_LIMIT;
        if (!goes_on)
            p = last > place ? last : place + 1;
    }
    s->seen = offset_of(s, p);
    return false;
}

static End scan_movetext(PgnSplitter *s)
{
    uint64_t place = s->at;
    s->clean = s->plain = s->seen = s->at;
    s->depth = 0;
    for (;;) {
        place = skip_plain_marks(s, place);
        if (place - s->seen >= WHITE_LIMIT && is_left(s, place))
            return GAME_ENDS;
        if (data_end(s) - place < PGN_LOOKAHEAD && read_more(s, place))
            continue;
        if (place == data_end(s)) {
            s->at = place;
            return GAME_ENDS;
        }
        if (mark_is_within_token(pointer(s, place), pointer(s, s->clean), end_pointer(s))) {
            place++;
            continue;
        }
        End how = scan_run(s, place);
        if (how != GAME_GOES_ON)
            return how;
        place = s->clean > place ? s->clean : place + 1;
        s->plain = s->seen = place;
    }
}

// ---- between games ---------------------------------------------------------------------------------------

static bool is_first_move(PgnToken t, const char *p)
{
    Move m;
    return t.kind == PGN_MOVE && san_parse(&pos_start, p, (size_t)(t.end - p), &m) == SAN_OK &&
           !(m.flags & MOVE_NULL);
}

// After a move number between games: true when movetext continues, which anything but a word does.
static bool movetext_follows(PgnSplitter *s, uint64_t offset)
{
    uint64_t end;
    if (!skip_white(s, &offset))
        return false;
    if (*pointer(s, offset) == '{')
        return true;
    const int kind = lex(s, offset, &end).kind;
    return kind != PGN_WORD && kind != PGN_IGNORED && kind != PGN_TAG && kind != PGN_CLOSE;
}

// Goes to the first line after an unterminated comment that looks like a tag. Returns false at the end of the input.
static bool find_tag_line(PgnSplitter *s)
{
    for (;;) {
        keep_from(s, s->at);
        uint64_t limit = data_end(s), tag = next_tag_line(s, s->at, limit);
        if (tag < limit) {
            s->at = tag;
            return true;
        }
        const char *low = pointer(s, s->at), *p = end_pointer(s); // the last line may be incomplete
        while (p > low && p[-1] != '\n' && p[-1] != '\r')
            p--;
        if (end_pointer(s) - p > LOOK_BEHIND) // it is none, and too long to keep
            p = low = end_pointer(s);
        while (p > low && pgn_is(p[-1], BYTE_WHITE))
            p--;
        s->at = offset_of(s, p);
        if (!read_more(s, s->at)) {
            s->at = data_end(s);
            return false;
        }
    }
}

// The last of the bytes at `offset` that are equal, of those that were read, but one: how a byte is read depends on the next ones.
static uint64_t last_of_run(const PgnSplitter *s, uint64_t offset)
{
    const char *p = pointer(s, offset), *end = end_pointer(s);
    const char first = *p;
    while (end - p > 2 && p[1] == first && p[2] == first)
        p++;
    return offset_of(s, p);
}

// What begins at s->at, between games.
typedef enum Between { NOTHING, TAG_SECTION, MOVETEXT, SKIPPED } Between;

static Between look_between(PgnSplitter *s)
{
    uint64_t end;
    char c = *pointer(s, s->at);
    if (c == ';' || c == '%') {
        s->at = line_end(s, s->at);
        return SKIPPED;
    }
    if (c == '{') {
        if (!skip_comment(s, &s->at)) {
            report(s, s->at, "unterminated comment outside any game");
            s->at++;
            s->skip_to_tag = true;
        }
        return SKIPPED;
    }
    if (c == '[' && (s->fresh || at_line_start(s, s->at)) && is_tag_line(s, s->at))
        return TAG_SECTION;
    PgnToken t = lex(s, s->at, &end);
    const char *p = pointer(s, s->at);
    bool dotted = t.kind == PGN_NUMBER && end - s->at > 1 && pgn_is(*p, BYTE_DIGIT) && t.end[-1] == '.';
    if ((dotted && movetext_follows(s, end)) || is_first_move(t, p))
        return MOVETEXT;
    if (!s->junk_reported)
        report(s, s->at, "text outside any game ignored");
    s->junk_reported = true;
    s->at = end - s->at == 1 ? last_of_run(s, end - 1) + 1 : end;
    return SKIPPED;
}

// Skips white space up to where more input is needed; returns false when more was read.
static bool skip_white_between(PgnSplitter *s)
{
    const uint64_t before = s->at;
    look_ahead(s, before, PGN_LOOKAHEAD);
    s->at = offset_of(s, pgn_skip_white(pointer(s, before), end_pointer(s)));
    s->nul_seen = s->nul_seen || memchr(pointer(s, before), 0, (size_t)(s->at - before));
    return data_end(s) - s->at >= PGN_LOOKAHEAD || !read_more(s, s->at);
}

// Goes to the beginning of the next game. Also returns NOTHING, to be called again later, when an unterminated comment, or much
// text or white space that is not part of any game, follows games that are held.
static Between find_game(PgnSplitter *s)
{
    uint64_t from = s->at;
    for (;;) {
        if (s->skip_to_tag && (s->holding || !find_tag_line(s)))
            return NOTHING;
        s->skip_to_tag = false;
        if (s->at - from > 2 * LOOK_BEHIND) {
            if (s->holding)
                return NOTHING;
            from = s->at - LOOK_BEHIND;
            keep_from(s, from);
        }
        if (!skip_white_between(s))
            continue;
        if (s->at == data_end(s))
            return NOTHING;
        if (s->nul_seen && !s->nul_reported)
            report(s, s->at, "NUL byte read as white space");
        s->nul_reported |= s->nul_seen;
        Between what = look_between(s);
        if (what != SKIPPED)
            return what;
        s->fresh = false;
    }
}

// Refuses UTF-16.
static void check_encoding(PgnSplitter *s)
{
    s->started = true;
    look_ahead(s, 0, 3);
    const unsigned char *p = (const unsigned char *)s->buffer;
    if (s->filled >= 2 && ((p[0] == 0xFF && p[1] == 0xFE) || (p[0] == 0xFE && p[1] == 0xFF))) {
        s->error = "the input is UTF-16; convert it to UTF-8";
        s->ended = true;
        s->filled = 0;
    }
}

// Ends the game with the last byte that its text may have; what follows is dropped up to a tag.
static void cut_game(PgnSplitter *s)
{
    char message[120];
    snprintf(message, sizeof message,
             "the game has more than %zu MB of text, the rest is dropped; --max-memory allows more",
             s->most >> 20);
    report(s, s->low, message);
    s->at = s->low + s->most;
    s->skip_to_tag = true;
}

// Has the game, which has ended in this way at s->at, too much text? A long comment with a tag line counts as unterminated.
static bool is_too_long(PgnSplitter *s, End how)
{
    const uint64_t limit = s->low + s->most;
    if (s->cut && how == GAME_BROKEN_OFF)
        return next_tag_line(s, s->at, limit) == limit;
    return s->most > 0 && s->at > limit;
}

// Finds the next game; its text is at the offsets *begin .. *end.
static bool next_game(PgnSplitter *s, uint64_t *begin, uint64_t *end)
{
    if (!s->started)
        check_encoding(s);
    Between what = find_game(s);
    if (what == NOTHING)
        return false;
    *begin = s->low = s->at;
    s->junk_reported = false;
    if (!s->holding)
        keep_from(s, s->at);
    s->inside = true;
    End how = what == TAG_SECTION ? scan_section(s) : GAME_GOES_ON;
    if (how == GAME_GOES_ON)
        how = scan_movetext(s);
    s->inside = false;
    if (is_too_long(s, how))
        cut_game(s);
    s->cut = false;
    *end = s->at;
    if (how == GAME_ENDS)
        while (*end > *begin && pgn_is(*pointer(s, *end - 1), BYTE_WHITE))
            --*end;
    s->low = s->at;
    s->fresh = true;
    s->number++;
    return true;
}

// ---- interface -------------------------------------------------------------------------------------------

PgnSplitter *pgn_split_open(ReadFn *read, void *read_user, ReportFn *report_to, void *report_user)
{
    PgnSplitter *s = memory_new(sizeof *s);
    *s = (PgnSplitter){.read = read,
                       .read_user = read_user,
                       .report = report_to,
                       .report_user = report_user,
                       .line = 1,
                       .fresh = true};
    return s;
}

void pgn_split_limit(PgnSplitter *s, size_t most)
{
    s->most = most;
}

void pgn_split_close(PgnSplitter *s)
{
    free(s->buffer);
    free(s);
}

static GameText game_text(PgnSplitter *s, uint64_t begin, uint64_t end)
{
    return (GameText){.text = {pointer(s, begin), (size_t)(end - begin)},
                      .line = line_of(s, begin),
                      .offset = begin,
                      .number = s->number};
}

bool pgn_split_next(PgnSplitter *s, GameText *game)
{
    uint64_t begin, end;
    keep_from(s, s->at);
    if (!next_game(s, &begin, &end))
        return false;
    *game = game_text(s, begin, end);
    return true;
}

// Moves the games from `keep` to `end` out of the splitter, copying the smaller part of the buffer. *first: the offset of the
// memory.
static char *take_memory(PgnSplitter *s, uint64_t end, uint64_t *first)
{
    const size_t used = (size_t)(end - s->keep), rest = (size_t)(data_end(s) - end);
    char *taken;
    if (rest < used) {
        taken = s->buffer;
        *first = s->base;
        s->capacity = s->capacity > rest ? s->capacity : rest;
        s->buffer = memory_new(s->capacity);
        memcpy(s->buffer, taken + (end - s->base), rest);
        s->filled = rest;
        s->base = end;
    } else {
        taken = memory_new(used);
        *first = s->keep;
        memcpy(taken, pointer(s, s->keep), used);
    }
    return taken;
}

bool pgn_split_block(PgnSplitter *s, size_t target, PgnBlock *block)
{
    size_t capacity = 0;
    uint64_t begin, end;
    *block = (PgnBlock){0};
    keep_from(s, s->at);
    while ((block->count == 0 || s->at - s->keep < target) && next_game(s, &begin, &end)) {
        s->holding = true;
        MEMORY_PUSH(block->game, block->count, capacity, game_text(s, begin, end));
    }
    s->holding = false;
    if (block->count == 0)
        return false;
    line_of(s, s->at);
    uint64_t base;
    block->memory = take_memory(s, s->at, &base);
    for (size_t i = 0; i < block->count; i++)
        block->game[i].text.start = block->memory + (block->game[i].offset - base);
    keep_from(s, s->at);
    return true;
}

void pgn_block_free(PgnBlock *block)
{
    free(block->memory);
    free(block->game);
    *block = (PgnBlock){0};
}

bool pgn_split_is_cut(PgnSplitter *s)
{
    const uint64_t end = data_end(s);
    return s->error && (s->at == end || (s->skip_to_tag && next_tag_line(s, s->at, end) == end));
}

const char *pgn_split_error(const PgnSplitter *s)
{
    return s->error;
}

uint64_t pgn_split_bytes(const PgnSplitter *s)
{
    return s->at;
}

bool pgn_split_place(PgnSplitter *s, PgnPlace *place)
{
    *place = (PgnPlace){s->at, line_of(s, s->at), s->number, s->nul_reported};
    return s->started && s->low == s->at && !s->skip_to_tag;
}

void pgn_split_go(PgnSplitter *s, const PgnPlace *place)
{
    s->base = s->at = s->keep = s->low = s->clean = s->open = s->open_end = s->line_at = place->offset;
    s->filled = 0;
    s->line = place->line;
    s->number = place->number;
    s->nul_reported = place->nul_reported;
    s->fresh = true;
    s->started = place->offset > 0;
    s->error = NULL;
    s->ended = s->skip_to_tag = s->junk_reported = s->nul_seen = false;
}
