// Tags of a tag section.
#include "section.h"

#include <string.h>

#include "scan.h"

const char *section_find_tag(const char *start, const char *p, const char *end)
{
    for (;;) {
        p = pgn_skip_white(p, end);
        if (p == end)
            return NULL;
        if (*p == '[')
            return pgn_at_line_start(start, p) || pgn_is_tag_line(p, end) == 1 ? p : NULL;
        if (*p == ';' || *p == '%')
            p = scan_line_end(p, end);
        else if (*p != '{' || (p = pgn_comment_end(p, end)) == NULL)
            return NULL;
    }
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

// White space that ends no line.
static bool is_blank(char c)
{
    return pgn_is(c, BYTE_WHITE) && !is_line_end(c);
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    return p;
}

// The first white space or `"` at or after p.
static const char *name_end(const char *p, const char *end)
{
    while (p < end && !pgn_is(*p, BYTE_WHITE) && *p != '"')
        p++;
    return p;
}

// The `"` that ends the value after p: the first one that no backslash escapes and only blanks and a ']' follow. *next: one past that
// ']'. NULL where the line has none.
static const char *value_end(const char *p, const char *end, SectionTag *tag, const char **next)
{
    for (;; p++) {
        p = scan_value(p, end);
        if (p == end || is_line_end(*p))
            break;
        if (*p == '\\') {
            const bool escape = end - p > 1 && (p[1] == '"' || p[1] == '\\');
            tag->escaped |= escape;
            p += escape;
            continue;
        }
        const char *bracket = skip_blanks(p + 1, end);
        if (bracket < end && *bracket == ']') {
            *next = bracket + 1;
            return p;
        }
    }
    *next = p;
    return NULL;
}

// Where reading goes on after a tag that ends before p: at what else is in its line, if that is a tag, a comment or movetext.
static const char *after_tag(const char *p, const char *end, bool *cut)
{
    p = skip_blanks(p, end);
    if (p < end && (is_line_end(*p) || *p == '{' || *p == ';' || *p == '%'))
        return p;
    *cut = end - p < PGN_LOOKAHEAD;
    if (p == end)
        return p;
    const int tag = *p == '[' ? pgn_is_tag_line(p, end) : 0;
    *cut |= tag < 0;
    if (tag == 1)
        return p;
    const PgnToken t = pgn_lex(p, p, end);
    *cut |= end - t.end < PGN_LOOKAHEAD;
    if (t.kind == PGN_RESULT || (t.kind == PGN_NUMBER && pgn_is(*p, BYTE_DIGIT)) || pgn_is_surely_move(t, p))
        return p;
    p = scan_line_end(p, end);
    *cut |= p == end;
    return p;
}

static __attribute__((noinline)) const char *read_unusual_tag(const char *p, const char *end, SectionTag *tag,
                                                              bool *cut)
{
    *tag = (SectionTag){0};
    const char *name = skip_blanks(p + 1, end), *open = name_end(name, end);
    const Text found = {name, (size_t)(open - name)};
    while (open < end && *open != '"' && !is_line_end(*open))
        open++;
    *cut = open == end;
    if (*cut || *open != '"' || found.length == 0) {
        p = scan_line_end(open, end);
        *cut |= p == end;
        return p;
    }
    const char *next, *close = value_end(open + 1, end, tag, &next);
    if (close) {
        tag->name = found;
        tag->value = (Text){open + 1, (size_t)(close - open - 1)};
        if (next < end && *next == '\n')
            return next;
        return after_tag(next, end, cut);
    }
    *cut = next == end;
    close = memrchr(open + 1, '"', (size_t)(next - open - 1)); // without ']': the last one of the line
    if (close) {
        tag->name = found;
        tag->value = (Text){open + 1, (size_t)(close - open - 1)};
    }
    return next;
}

const char *section_read_tag(const char *p, const char *end, SectionTag *tag, bool *cut)
{
    const ScanTag usual = scan_tag(p, end);
    if (usual.close > 0) {
        *tag = (SectionTag){.name = {p + 1, usual.open - 2},
                            .value = {p + usual.open + 1, usual.close - usual.open - 1}};
        *cut = false;
        return p + usual.close + 2;
    }
    return read_unusual_tag(p, end, tag, cut);
}

// May the line, whose name begins with a blank or has a 'v' in the second place, be an Event?
static bool may_be_event(const char *line, const char *end)
{
    if (end - line < 7 || pgn_is(line[1], BYTE_WHITE))
        return true;
    return memcmp(line, "[Event", 6) == 0 && (pgn_is(line[6], BYTE_WHITE) || line[6] == '"');
}

// As section_skip_lines; `wide`: with vectors of 256 bits.
static inline __attribute__((always_inline)) const char *
skip_lines(const char *p, const char *end, void (*take)(void *user, const char *line), void *user, bool wide)
{
    const char *const first = p;
    for (; end - p >= SCAN_TAG_LINES_BYTES && *first == '\n'; p += SCAN_TAG_LINES) {
        const ScanTagLines lines = wide ? scan_tag_lines_wide(p) : scan_tag_lines(p);
        const uint32_t before = lines.ends ? lines.ends ^ (lines.ends - 1) : ~0U;
        for (uint32_t names = (take ? lines.names : lines.events) & before; names; names &= names - 1) {
            const char *line = p + __builtin_ctz(names) + 1;
            if (take)
                take(user, line);
            else if (may_be_event(line, end))
                return line - 1;
        }
        if (lines.ends) {
            const char *stop = p + __builtin_ctz(lines.ends);
            return *stop == ']' ? memrchr(first, '\n', (size_t)(stop - first)) : stop;
        }
    }
    return p > first ? memrchr(first, '\n', (size_t)(p - first)) : first;
}

#ifdef SCAN_WIDE
SCAN_WIDE static const char *skip_lines_wide(const char *p, const char *end,
                                             void (*take)(void *user, const char *line), void *user)
{
    return take ? skip_lines(p, end, take, user, true) : skip_lines(p, end, NULL, NULL, true);
}
#endif

const char *section_skip_lines(const char *p, const char *end, void (*take)(void *user, const char *line),
                               void *user)
{
#ifdef SCAN_WIDE
    if (cpu_is_wide())
        return skip_lines_wide(p, end, take, user);
#endif
    return skip_lines(p, end, take, user, false);
}

void section_begin(SectionNames *n)
{
    n->event = false;
    n->known = n->count = 0;
}

// Adds the names of the tags before `end`.
static void know_names(SectionNames *n, const char *start, const char *end)
{
    SectionTag tag;
    bool cut;
    for (const char *p = start + n->known;
         n->count < sizeof n->name / sizeof *n->name && (p = section_next_tag(start, p, end));) {
        p = section_read_tag(p, end, &tag, &cut);
        if (tag.name.length == 0)
            continue;
        n->name[n->count].at = (size_t)(tag.name.start - start);
        n->name[n->count++].length = tag.name.length;
    }
    n->known = (size_t)(end - start);
}

bool section_ends(SectionNames *n, const char *start, const char *tag, Text name, bool empty_line)
{
    const bool event = text_equal(name, text_of("Event"));
    const bool again = event && n->event;
    n->event |= event;
    if (!(empty_line || again) || name.length == 0)
        return false;
    know_names(n, start, tag);
    for (size_t i = 0; i < n->count; i++)
        if (text_equal(name, (Text){start + n->name[i].at, n->name[i].length}) == empty_line)
            return true;
    return false;
}
