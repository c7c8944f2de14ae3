// Searches in strings, the match record and loops over matches (language reference 7.11).
#include "runtime/value/regex.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "regex_search.h"
#include "runtime/match/run_state.h"
#include "runtime/value/strings.h"
#include "runtime/value/unicode.h"

enum { COMPUTED_KEPT = 64, COMPUTED_LIMIT = 10000 }; // computed patterns: from game to game, in one game

typedef struct Pattern {
    String text;
    Regex *regex;
    bool in_board; // what it requires can only be in the board of a FEN
} Pattern;

// The last successful search (7.11). `subject` NULL: the record is empty.
typedef struct MatchRecord {
    String subject;
    const Regex *regex;
    size_t *offset; // begin and end of each group (regex_match); room for the largest pattern
} MatchRecord;

// A loop over matches in progress.
typedef struct RegexLoop {
    int32_t pattern;
    String subject;
    size_t start;     // where the next search begins
    bool after_empty; // a non-empty match at `start` is tried first
} RegexLoop;

typedef struct RegexState {
    Pattern *pattern; // those of the query, then those computed in this game
    int32_t pattern_count;
    size_t pattern_capacity, offset_capacity;
    RegexMemory memory;
    MatchRecord record;
    RegexLoop *loop;
    int32_t loop_count;
    size_t loop_capacity;
} RegexState;

// The fields of a FEN after the board have other letters, and fields have no spaces.
static bool is_in_board(const Regex *regex)
{
    size_t length;
    const char *required = regex_required(regex, &length);
    bool only_there = false;
    for (size_t i = 0; i < length; i++) {
        if (required[i] == ' ')
            return false;
        only_there |= memchr("/PNRpnr", required[i], 7) != NULL;
    }
    return only_there;
}

// Compiles a pattern and adds it, with a copy of its text. Returns NULL or the error in the pattern.
static const char *add_pattern(Context *c, String text)
{
    RegexState *s = c->run->regex;
    const int flags = c->query->flags & QUERY_CQLI ? REGEX_UNICODE | REGEX_NAMES : 0;
    const char *message;
    Regex *regex = regex_new(text->bytes, text->length, flags, &message);
    if (!regex)
        return message;
    const size_t offsets = 2 * ((size_t)regex_groups(regex) + 1);
    s->record.offset = run_grow(c, s->record.offset, &s->offset_capacity, offsets, sizeof *s->record.offset);
    s->pattern =
        run_grow(c, s->pattern, &s->pattern_capacity, (size_t)s->pattern_count + 1, sizeof *s->pattern);
    s->pattern[s->pattern_count++] =
        (Pattern){string_copy(text->bytes, text->length), regex, is_in_board(regex)};
    return NULL;
}

// Keeps the first `count` patterns.
static void cut_patterns(RegexState *s, int32_t count)
{
    while (s->pattern_count > count) {
        const Pattern *last = &s->pattern[--s->pattern_count];
        regex_free(last->regex);
        string_free(last->text);
    }
}

static void regex_init(Context *c)
{
    for (int32_t i = 0; i < c->query->pattern_count && !c->run->failure; i++) {
        const char *wrong = add_pattern(c, c->query->pattern[i]);
        c->run->failure = wrong ? memory_copy(wrong, strlen(wrong)) : NULL;
    }
}

static void regex_begin_game(Context *c)
{
    RegexState *s = c->run->regex;
    s->record.subject = NULL;
    s->loop_count = 0;
    cut_patterns(s, c->query->pattern_count + COMPUTED_KEPT);
}

static void regex_release(Context *c)
{
    RegexState *s = c->run->regex;
    cut_patterns(s, 0);
    regex_memory_free(&s->memory);
}

const Subject regex_subject = {
    .size = sizeof(RegexState), .init = regex_init, .begin_game = regex_begin_game, .release = regex_release};

// ---- searches ---------------------------------------------------------------------------------------------

int32_t rt_pattern(Context *c, String text)
{
    const RegexState *s = c->run->regex;
    const int32_t own = c->query->pattern_count;
    text = string_or_empty(text);
    for (int32_t i = s->pattern_count - 1; i >= own; i--) {
        run_take_step(c);
        if (s->pattern[i].text->length != text->length)
            continue;
        run_take_bytes(c, text->length);
        if (string_compare(s->pattern[i].text, text) == 0)
            return i;
    }
    if (s->pattern_count - own >= COMPUTED_LIMIT)
        run_raise(c, "more than %d different regular expressions were computed", (int)COMPUTED_LIMIT);
    run_take_steps(c, text->length);
    const char *message = add_pattern(c, text);
    if (message)
        run_raise(c, "malformed regular expression \"%.80s\": %s", text->bytes, message);
    return s->pattern_count - 1;
}

static _Noreturn void raise_limit(Context *c, int32_t pattern)
{
    run_pause(c);
    run_raise(c, "the regular expression \"%.80s\" backtracks too much",
              c->run->regex->pattern[pattern].text->bytes);
}

// What is left of the budget of the game is that of the next search, too; it ends when the search of games does.
static void prepare_budget(Context *c)
{
    RegexMemory *m = &c->run->regex->memory;
    run_pause(c);
    m->most_steps = run_steps_left(c);
    m->stopped = c->run->options.stopped;
    m->user = c->run->options.user;
}

// Searches and sets the record, or empties it when there is no match.
static bool search(Context *c, int32_t pattern, String subject, size_t start, bool nonempty_here)
{
    RegexState *s = c->run->regex;
    const Pattern *p = &s->pattern[pattern];
    s->record.subject = NULL;
    prepare_budget(c);
    const RegexResult result = regex_match(p->regex, &s->memory, subject->bytes, subject->length, start,
                                           nonempty_here, s->record.offset);
    run_take_steps(c, (size_t)s->memory.steps);
    switch (result) {
    case REGEX_NONE:
        return false;
    case REGEX_FOUND:
        s->record.subject = subject;
        s->record.regex = p->regex;
        return true;
    default:
        raise_limit(c, pattern);
    }
}

static String matched_text(Context *c, int32_t group)
{
    const MatchRecord *r = &c->run->regex->record;
    const size_t begin = r->offset[2 * group], end = r->offset[2 * group + 1];
    return run_string(c, r->subject->bytes + begin, end - begin);
}

int32_t rt_regex(Context *c, int32_t pattern, String s, String *result)
{
    if (!search(c, pattern, string_or_empty(s), 0, false))
        return 0;
    *result = matched_text(c, 0);
    return 1;
}

int32_t rt_regex_search(Context *c, int32_t pattern, String s)
{
    return search(c, pattern, string_or_empty(s), 0, false);
}

// What a test has found. Takes its steps.
static bool is_found(Context *c, int32_t pattern, RegexResult result)
{
    run_take_steps(c, (size_t)c->run->regex->memory.steps);
    if (result == REGEX_LIMIT || result == REGEX_STOPPED)
        raise_limit(c, pattern);
    return result == REGEX_FOUND;
}

bool regex_found_in(Context *c, int32_t pattern, Text text)
{
    RegexState *s = c->run->regex;
    prepare_budget(c);
    return is_found(c, pattern, regex_test(s->pattern[pattern].regex, &s->memory, text.start, text.length));
}

bool regex_found_in_line(Context *c, int32_t pattern, Text line, size_t before)
{
    RegexState *s = c->run->regex;
    prepare_budget(c);
    return is_found(c, pattern,
                    regex_test_line(s->pattern[pattern].regex, &s->memory, line.start, line.length, before));
}

bool regex_is_local_pattern(const Context *c, int32_t pattern)
{
    return regex_is_local(c->run->regex->pattern[pattern].regex);
}

bool regex_may_match_board(Context *c, int32_t pattern, Text board)
{
    const Pattern *p = &c->run->regex->pattern[pattern];
    if (!p->in_board)
        return true;
    size_t length;
    const char *required = regex_required(p->regex, &length);
    run_take_bytes(c, board.length);
    return string_find(board.start, board.length, required, length) != NULL;
}

int32_t rt_regex_found(Context *c, int32_t pattern, String s)
{
    s = string_or_empty(s);
    return regex_found_in(c, pattern, (Text){s->bytes, s->length});
}

// ---- loops -----------------------------------------------------------------------------------------------

void rt_regex_begin(Context *c, int32_t pattern, String s)
{
    RegexState *state = c->run->regex;
    state->loop =
        run_grow(c, state->loop, &state->loop_capacity, (size_t)state->loop_count + 1, sizeof *state->loop);
    state->loop[state->loop_count++] = (RegexLoop){.pattern = pattern, .subject = string_or_empty(s)};
    state->record.subject = NULL;
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
    RegexState *s = c->run->regex;
    (void)pattern;
    assert(s->loop_count > 0);
    RegexLoop *loop = &s->loop[s->loop_count - 1];
    // At the end of the loop the record is restored to that of the last match, or to what the last iteration
    // made of it. Its offsets are still there: a search without a match writes none.
    const MatchRecord before = s->record;
    if (next_match(c, loop)) {
        loop->start = s->record.offset[1];
        loop->after_empty = s->record.offset[0] == loop->start;
        return 1;
    }
    s->record = before;
    s->loop_count--;
    return 0;
}

// ---- groups ----------------------------------------------------------------------------------------------

// True when the group took part in the last match.
static bool took_part(Context *c, int32_t group)
{
    const MatchRecord *r = &c->run->regex->record;
    if (!r->subject)
        run_raise(c, "group %d of a regular expression is used, but the last search found nothing",
                  (int)group);
    if (group < 0 || group > regex_groups(r->regex))
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
    const MatchRecord *r = &c->run->regex->record;
    const size_t bytes = r->offset[2 * group];
    *result = (int32_t)(c->query->flags & QUERY_CQLI ? unicode_count(r->subject->bytes, bytes) : bytes);
    return 1;
}

int32_t rt_group_number(Context *c, String name)
{
    const MatchRecord *r = &c->run->regex->record;
    name = string_or_empty(name);
    if (!r->subject)
        run_raise(c, "the group `%s` of a regular expression is used, but the last search found nothing",
                  name->bytes);
    const int number = regex_group_number(r->regex, name->bytes);
    if (number < 0)
        run_raise(c, "the pattern of the last match has no group `%s`", name->bytes);
    return number;
}
