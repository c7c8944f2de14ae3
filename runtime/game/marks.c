// Jumps from one byte of movetext that can matter to the splitter to the next.
#include "marks.h"

#include "lex.h"
#include "scan.h"

// Most '-', '/' and ':' are part of moves: only 1-0, 0-1, 1/2 and the like need the lexer.
static bool maybe_result(const char *p, const char *low, const char *end)
{
    if (p == low || p + 1 == end)
        return p > low;
    if (*p == '/')
        return p[-1] == '1' && p[1] == '2';
    return (p[-1] == '1' && p[1] == '0') || (p[-1] == '0' && p[1] == '1');
}

// Whether the '-', '/' or ':' at p is part of a move, which most are, or else of a word.
bool mark_is_within_token(const char *p, const char *low, const char *end)
{
    return (*p == '-' || *p == '/' || *p == ':') && !maybe_result(p, low, end);
}

// Does a token begin at p, '{' or '('?
static inline bool begins_token(const char *p, const char *clean)
{
    return p == clean || pgn_is(p[-1], BYTE_WHITE);
}

// Reads a parenthesis at p if it is a token, as a closing one always is.
static inline bool take_parenthesis(MarkScan *s, const char *p)
{
    if (*p != ')' && (*p != '(' || !begins_token(p, s->clean)))
        return false;
    s->depth += *p == '(' ? 1 : -(s->depth > 0);
    s->clean = p + 1;
    return true;
}

static MarkScan skip_marks(MarkScan s, const char *end)
{
    const char *p = scan_mark(s.place, end);
    while (end - p >= PGN_LOOKAHEAD) {
        const char *next = p + 1;
        if (*p == '{') {
            if (!begins_token(p, s.clean))
                break;
            next = scan_brace(p + 1, end);
            if (next == end || *next == '{')
                break;
            s.clean = ++next;
        } else if (!take_parenthesis(&s, p) && !mark_is_within_token(p, s.clean, end)) {
            break;
        }
        p = scan_mark(next, end);
    }
    s.place = p;
    return s;
}

#ifdef SCAN_WIDE
// What skip_marks_wide has passed.
typedef struct WideScan {
    MarkScan scan;
    const char *opened; // the last brace that begins a comment
    uint64_t inside;    // all bits: the next bytes begin in that comment; or 0
    uint64_t white;     // bit 0: white space comes before them
} WideScan;

// Passes 64 bytes whose marks are all in comments without inner braces that begin after white space. Returns false, changing
// nothing, for others. Where comments begin and end is hard to predict: no branches.
SCAN_WIDE static inline bool pass_comments(WideScan *s, ScanMarks found, const char *p)
{
    uint64_t comments = s->inside, after = s->inside, others = 0;
    if (found.open | found.close) {
        after = scan_comments(found.open, found.close, s->inside, &comments, &others);
        others |= found.open & ~(found.white << 1 | s->white);
    }
    if (others | (found.marks & ~comments))
        return false;
    const char *opened = p + 63 - _lzcnt_u64(found.open), *closed = p + 64 - _lzcnt_u64(found.close);
    s->opened = found.open ? opened : s->opened;
    s->scan.clean = found.close ? closed : s->scan.clean;
    s->inside = 0 - (after >> 63);
    return true;
}

// Passes the marks of 64 bytes one by one. Returns the one at which to stop, or NULL.
SCAN_WIDE static inline const char *pass_marks(WideScan *s, ScanMarks found, const char *p, const char *end)
{
    const uint64_t braces = found.open | found.close;
    for (uint64_t rest = scan_results_wide(p, found.marks);;) {
        if (s->inside) {
            if (!(braces & rest))
                return NULL;
            const int at = __builtin_ctzll(braces & rest);
            if (p[at] == '{')
                return s->opened;
            s->inside = 0;
            s->scan.clean = p + at + 1;
            rest &= -2ULL << at;
        }
        if (!rest)
            return NULL;
        const char *mark = p + __builtin_ctzll(rest);
        rest &= rest - 1;
        if (*mark == '{' && begins_token(mark, s->scan.clean)) {
            s->inside = ~0ULL;
            s->opened = mark;
        } else if (*mark != '}' && !take_parenthesis(&s->scan, mark) &&
                   !mark_is_within_token(mark, s->scan.clean, end)) {
            return mark;
        }
    }
}

// The same by 64 bytes at once. Stops before the end, and where skip_marks stops.
SCAN_WIDE static MarkScan skip_marks_wide(MarkScan scan, const char *end)
{
    enum { STEP = 64 };
    const char *p = scan.place;
    WideScan s = {.scan = scan, .white = begins_token(p, scan.clean)};
    for (; end - p >= STEP + PGN_LOOKAHEAD; p += STEP) {
        const ScanMarks found = scan_marks_wide(p);
        const char *stop = NULL;
        if (!pass_comments(&s, found, p) && (stop = pass_marks(&s, found, p, end)) != NULL)
            return (MarkScan){stop, s.scan.clean, s.scan.depth};
        s.white = found.white >> 63;
    }
    return (MarkScan){s.inside ? s.opened : p, s.scan.clean, s.scan.depth};
}
#endif

MarkScan marks_skip(MarkScan s, const char *end)
{
#ifdef SCAN_WIDE
    if (cpu_is_wide())
        s = skip_marks_wide(s, end);
#endif
    return skip_marks(s, end);
}
