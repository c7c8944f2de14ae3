// Searches in strings, the match record and loops over matches (language reference 7.11).
#include <stdlib.h>

#include "runtime/match/run_state.h"
#include "memory.h"

enum { COMPUTED_KEPT = 64, COMPUTED_LIMIT = 10000 }; // computed patterns: from game to game, in one game

int regex_flags(const QueryInfo *query)
{
    return query->flags & QUERY_CQLI ? REGEX_UNICODE | REGEX_NAMES : 0;
}

void regex_begin_game(struct RunState *run, int32_t pattern_count)
{
    run->record.subject = NULL;
    run->loop_count = 0;
    for (; run->computed_count > COMPUTED_KEPT; run->computed_count--) {
        regex_free(run->pattern[pattern_count + run->computed_count - 1]);
        free((void *)(uintptr_t)run->computed[run->computed_count - 1]);
    }
}

static String copy_of(String s)
{
    CqlString *copy = memory_new(sizeof *copy + s->length);
    copy->length = s->length;
    memcpy(copy->bytes, s->bytes, s->length);
    copy->bytes[s->length] = '\0';
    return copy;
}

static int32_t add_pattern(Context *c, String text)
{
    struct RunState *run = c->run;
    const int32_t own = c->query->pattern_count, all = own + run->computed_count;
    const char *message;
    if (run->computed_count >= COMPUTED_LIMIT)
        run_raise(c, "more than %d different regular expressions were computed", (int)COMPUTED_LIMIT);
    Regex *re = regex_new(text->bytes, text->length, regex_flags(c->query), &message);
    if (!re)
        run_raise(c, "malformed regular expression \"%.80s\": %s", text->bytes, message);
    run->pattern = run_grow(run->pattern, &run->pattern_capacity, all + 1, sizeof *run->pattern);
    run->computed =
        run_grow(run->computed, &run->computed_capacity, run->computed_count + 1, sizeof *run->computed);
    const int32_t offsets = 2 * (regex_groups(re) + 1);
    run->record.offset =
        run_grow(run->record.offset, &run->record_capacity, offsets, sizeof *run->record.offset);
    run->pattern[all] = re;
    run->computed[run->computed_count++] = copy_of(text);
    return all;
}

int32_t rt_pattern(Context *c, String text)
{
    const struct RunState *run = c->run;
    text = run_text(text);
    for (int32_t i = run->computed_count - 1; i >= 0; i--)
        if (run->computed[i]->length == text->length &&
            memcmp(run->computed[i]->bytes, text->bytes, text->length) == 0)
            return c->query->pattern_count + i;
    return add_pattern(c, text);
}

// The text of a pattern, for messages.
static const char *pattern_text(const Context *c, int32_t pattern)
{
    const int32_t own = c->query->pattern_count;
    return pattern < own ? c->query->pattern[pattern]->bytes : c->run->computed[pattern - own]->bytes;
}

// Searches and sets the record, or empties it when there is no match.
static bool search(Context *c, int32_t pattern, String s, size_t start, bool nonempty_here)
{
    struct RunState *run = c->run;
    const Regex *re = run->pattern[pattern];
    run->record.subject = NULL;
    run_pause(c);
    switch (regex_match(re, &run->regex, s->bytes, s->length, start, nonempty_here, run->record.offset)) {
    case REGEX_NONE:
        return false;
    case REGEX_FOUND:
        run->record.subject = s;
        run->record.groups = regex_groups(re);
        run->record.regex = re;
        return true;
    default:
        run_raise(c, "the regular expression \"%.80s\" backtracks too much", pattern_text(c, pattern));
    }
}

static String matched_text(Context *c, int32_t group)
{
    const MatchRecord *r = &c->run->record;
    const size_t begin = r->offset[2 * group], end = r->offset[2 * group + 1];
    return run_string(c, r->subject->bytes + begin, end - begin);
}

int32_t rt_regex(Context *c, int32_t pattern, String s, String *result)
{
    if (!search(c, pattern, run_text(s), 0, false))
        return 0;
    *result = matched_text(c, 0);
    return 1;
}

// ---- loops -----------------------------------------------------------------------------------------------

void rt_regex_begin(Context *c, int32_t pattern, String s)
{
    struct RunState *run = c->run;
    if (run->loop_count == run->loop_capacity)
        run->loop = run_grow(run->loop, &run->loop_capacity, run->loop_count + 1, sizeof *run->loop);
    run->loop[run->loop_count++] = (RegexLoop){.pattern = pattern, .subject = run_text(s)};
    run->record.subject = NULL;
}

// The next match of the loop: after an empty match a non-empty one at the same place is tried, then the
// search goes on one byte further.
static bool next_match(Context *c, RegexLoop *loop)
{
    if (loop->after_empty) {
        if (search(c, loop->pattern, loop->subject, loop->start, true))
            return true;
        if (loop->start >= loop->subject->length)
            return false;
        loop->start++;
        while (c->query->flags & QUERY_CQLI && loop->start < loop->subject->length &&
               ((unsigned char)loop->subject->bytes[loop->start] & 0xC0) == 0x80)
            loop->start++; // to the next character
    }
    return search(c, loop->pattern, loop->subject, loop->start, false);
}

int32_t rt_regex_next(Context *c, int32_t pattern)
{
    struct RunState *run = c->run;
    (void)pattern;
    if (run->loop_count == 0)
        return 0;
    RegexLoop *loop = &run->loop[run->loop_count - 1];
    // At the end the record stays that of the last match, or what the last round made of it: its offsets are
    // still there, since a search that finds nothing writes none.
    const MatchRecord before = run->record;
    if (next_match(c, loop)) {
        const size_t begin = run->record.offset[0], end = run->record.offset[1];
        loop->after_empty = begin == end;
        loop->start = end;
        return 1;
    }
    run->record = before;
    run->loop_count--;
    return 0;
}

// ---- groups ----------------------------------------------------------------------------------------------

// True when the group took part in the last match.
static bool took_part(Context *c, int32_t group)
{
    const MatchRecord *r = &c->run->record;
    if (!r->subject)
        run_raise(c, "group %d of a regular expression was asked for, but the last search found nothing",
                  (int)group);
    if (group < 0 || group > r->groups)
        run_raise(c, "the pattern of the last match has no group %d", (int)group);
    return r->offset[2 * group] != REGEX_NO_OFFSET;
}

int32_t rt_group(Context *c, int32_t group, String *result)
{
    if (!took_part(c, group))
        return 0;
    *result = matched_text(c, group);
    return 1;
}

int32_t rt_group_offset(Context *c, int32_t group, int32_t *result)
{
    if (!took_part(c, group))
        return 0;
    *result = (int32_t)c->run->record.offset[2 * group];
    return 1;
}

int32_t rt_group_number(Context *c, String name)
{
    const MatchRecord *r = &c->run->record;
    name = run_text(name);
    if (!r->subject)
        run_raise(c,
                  "the group `%s` of a regular expression was asked for, but the last search found nothing",
                  name->bytes);
    const int number = regex_group_number(r->regex, name->bytes);
    if (number < 0)
        run_raise(c, "the pattern of the last match has no group `%s`", name->bytes);
    return number;
}
