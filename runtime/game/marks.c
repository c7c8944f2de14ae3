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
// The same by 64 bytes at once. Stops before the end, and where skip_marks stops.
SCAN_WIDE static MarkScan skip_marks_wide(MarkScan s, const char *end)
{
    enum { STEP = 64 };
    const char *comment = NULL; // the brace of the comment in which the step begins
    const char *p = s.place;
    for (; end - p >= STEP + PGN_LOOKAHEAD; p += STEP) {
        const ScanMarks found = scan_marks_wide(p);
        uint64_t rest = found.marks;
        for (;;) {
            if (comment) {
                const uint64_t braces = found.braces & rest;
                if (!braces)
                    break;
                const int at = __builtin_ctzll(braces);
                if (p[at] == '{')
                    return (MarkScan){comment, s.clean, s.depth};
                comment = NULL;
                s.clean = p + at + 1;
                rest &= -2ULL << at;
            }
            if (!rest)
                break;
            const char *mark = p + __builtin_ctzll(rest);
            rest &= rest - 1;
            if (*mark == '{' && begins_token(mark, s.clean))
                comment = mark;
            else if (*mark != '}' && !take_parenthesis(&s, mark) && !mark_is_within_token(mark, s.clean, end))
                return (MarkScan){mark, s.clean, s.depth};
        }
    }
    return (MarkScan){comment ? comment : p, s.clean, s.depth};
}
#endif

MarkScan marks_skip(MarkScan s, const char *end)
{
#ifdef SCAN_WIDE
    if (scan_has_wide())
        s = skip_marks_wide(s, end);
#endif
    return skip_marks(s, end);
}
