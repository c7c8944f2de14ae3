// Where a comment of PGN ends (language reference 9.4.2).
//
// The standard knows no inner comments: the first `}` ends a comment. People write them all the same, and they also forget to close
// a comment. What follows the first `}` tells the two apart: more text, or moves.
#include <string.h>

#include "lex.h"
#include "scan.h"

// Braces nest at most so deep. So each byte is looked at in advance for at most so many comments, and reading takes linear time.
enum { DEEPEST = 16 };

bool pgn_is_surely_move(PgnToken t, const char *p)
{
    if (t.kind != PGN_MOVE && t.kind != PGN_ODD_MOVE)
        return false;
    if (*p == 'O' || *p == '0')
        return true;
    bool rank = false;
    for (const char *q = p; q < t.end; q++)
        rank |= pgn_is(*q, BYTE_RANK);
    return rank && !pgn_is(*p, BYTE_DIGIT);
}

// Does a line that begins in (start, stop) look like a tag? The text ends at `end`.
static bool has_tag_line(const char *start, const char *stop, const char *end)
{
    for (const char *p = start; p < stop;) {
        p = pgn_skip_white(scan_line_end(p, stop), stop);
        if (p < stop && *p == '[' && pgn_is_tag_line(p, end) == 1)
            return true;
    }
    return false;
}

// Is there a move in [p, stop)? If `stop` is the end of what is known, a move counts only if that does not depend on what follows.
static bool has_move(const char *p, const char *stop, const char *end)
{
    while ((p = pgn_skip_white(p, stop)) < stop) {
        if (*p == ';' || *p == '%' || *p == '[') { // in prose they begin nothing
            p++;
            continue;
        }
        const PgnToken t = pgn_lex(p, p, stop);
        if (pgn_is_surely_move(t, p) && (stop < end || end - t.end >= PGN_LOOKAHEAD))
            return true;
        p = t.end;
    }
    return false;
}

// The end of the comment if its braces nest, or NULL.
static const char *matching_end(const char *comment, const char *close, const char *end, bool *cut)
{
    int depth = 0, least;
    for (const char *p = comment; p < close && depth <= DEEPEST; p = scan_brace(p + 1, close))
        depth++;
    least = --depth; // after `close`
    for (const char *p = close + 1; depth < DEEPEST; p++) {
        const char *brace = scan_brace(p, end);
        if (has_tag_line(p, brace, end) || (depth == least && has_move(p, brace, end)))
            return NULL;
        if (brace == end) {
            *cut = true;
            return NULL;
        }
        p = brace;
        depth += *p == '{' ? 1 : -1;
        least = depth < least ? depth : least;
        if (depth == 0)
            return p + 1;
    }
    return NULL;
}

const char *pgn_nested_comment_end(const char *p, const char *close, const char *end, bool *cut)
{
    *cut = false;
    const char *match = matching_end(p, close, end, cut);
    if (match)
        return match;
    return has_tag_line(p, close, end) ? NULL : close + 1;
}

const char *pgn_comment_end(const char *p, const char *end)
{
    bool cut;
    const char *brace = scan_brace(p + 1, end);
    if (brace == end || *brace == '}')
        return brace < end ? brace + 1 : NULL;
    const char *close = memchr(brace, '}', (size_t)(end - brace));
    return close ? pgn_nested_comment_end(p, close, end, &cut) : NULL;
}
