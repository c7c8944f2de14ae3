// The comment log, sort values, messages and changes of tags and comments (language reference 10.3 - 10.7).
#include "imaginary.h"

#include <stdio.h>

enum { LOG_CAP = 4000000 }; // texts of one game

// ---- the log ---------------------------------------------------------------------------------------------

bool log_level_is(const Context *c, uint32_t flags)
{
    return !(c->query->flags & flags);
}

static void push_entry(struct RunState *run, LogEntry entry)
{
    if (run->log_count == run->log_capacity)
        run->log = run_grow(run->log, &run->log_capacity, run->log_count + 1, sizeof *run->log);
    run->log[run->log_count++] = entry;
}

static void push(struct RunState *run, int32_t position, String text)
{
    push_entry(run, (LogEntry){.position = position, .text = text});
}

// The matcher only counts its hits. Their matchstrings enter the log before anything that comes after them:
// at the next mark, the next text or the end. No mark can be older than a hit that is still to be logged, so
// no rollback loses one.
static void log_hits(Context *c)
{
    struct RunState *run = c->run;
    for (; run->hits_logged < c->hit_count; run->hits_logged++)
        if (run->matchstring)
            push(run, c->hit[run->hits_logged], run->matchstring);
}

void log_append_entry(Context *c, LogEntry entry)
{
    struct RunState *run = c->run;
    if (!run->logging)
        return;
    if (run->log_count > LOG_CAP)
        rt_raise(c, RAISE_MEMORY, NULL);
    log_hits(c);
    push_entry(run, entry);
}

void log_append(Context *c, int32_t position, String text)
{
    log_append_entry(c, (LogEntry){.position = imaginary_root(c, position), .text = run_text(text)});
}

int32_t rt_log_mark(Context *c)
{
    if (c->run->logging)
        log_hits(c);
    return c->run->log_count;
}

void rt_log_cut(Context *c, int32_t mark)
{
    if (mark < c->run->log_count && !c->run->options.keep_comments)
        c->run->log_count = mark;
}

int32_t rt_log_wanted(Context *c)
{
    return c->run->logging;
}

void rt_log_add(Context *c, int32_t position, String text)
{
    if (log_level_is(c, QUERY_SILENT))
        log_append(c, position, text);
}

void rt_log_auto(Context *c, int32_t position, String text)
{
    if (log_level_is(c, QUERY_SILENT | QUERY_QUIET))
        log_append(c, position, text);
}

// ---- sort values -----------------------------------------------------------------------------------------

// Keeps the texts since `mark` with the key, replacing what it had kept.
static void keep_texts(struct RunState *run, SortTexts *kept, int32_t mark)
{
    const int32_t count = run->log_count - mark;
    if (count > kept->capacity)
        kept->entry = run_grow(kept->entry, &kept->capacity, count, sizeof *kept->entry);
    if (count > 0)
        memcpy(kept->entry, run->log + mark, (size_t)count * sizeof *kept->entry);
    kept->count = count;
}

static void take_value(Context *c, int32_t key, int32_t filter, bool better, SortValue value, int32_t mark)
{
    struct RunState *run = c->run;
    SortTexts *kept = &run->sort_texts[key];
    const bool move_texts = run->logging && !run->options.no_sort_comments;
    if (mark > run->log_count)
        mark = run->log_count;
    if (better) {
        run->sort[key] = value;
        kept->filter = filter;
        kept->count = 0;
        if (move_texts)
            keep_texts(run, kept, mark);
    }
    if (move_texts)
        run->log_count = mark;
}

void rt_sort_int(Context *c, int32_t key, int32_t filter, int32_t value, int32_t mark)
{
    const SortValue *old = &c->run->sort[key];
    const bool better =
        !old->has_value || (c->query->sort_key[key].is_min ? value < old->number : value > old->number);
    take_value(c, key, filter, better, (SortValue){.has_value = true, .number = value}, mark);
}

void rt_sort_string(Context *c, int32_t key, int32_t filter, String value, int32_t mark)
{
    const SortValue *old = &c->run->sort[key];
    value = run_text(value);
    const int order = old->has_value ? rt_compare(value, old->text) : 0;
    const bool better = !old->has_value || (c->query->sort_key[key].is_min ? order < 0 : order > 0);
    take_value(c, key, filter, better, (SortValue){.has_value = true, .text = value}, mark);
}

// Appends the texts kept for the keys, in the order of the filters that gave the values.
static void add_sort_texts(Context *c)
{
    struct RunState *run = c->run;
    const int32_t keys = c->query->sort_key_count;
    int32_t last = -1;
    for (;;) {
        int32_t next = -1;
        for (int32_t k = 0; k < keys; k++)
            if (run->sort[k].has_value && run->sort_texts[k].filter > last &&
                (next < 0 || run->sort_texts[k].filter < run->sort_texts[next].filter))
                next = k;
        if (next < 0)
            return;
        const SortTexts *kept = &run->sort_texts[next];
        for (int32_t i = 0; i < kept->count; i++)
            push_entry(run, kept->entry[i]);
        last = kept->filter;
    }
}

static void add_value_text(Buffer *b, const char *name, const SortValue *value)
{
    buffer_format(b, " %s: ", name);
    if (!value->has_value)
        buffer_text(b, "none");
    else if (value->text)
        buffer_append(b, value->text->bytes, value->text->length);
    else
        buffer_format(b, "%d", (int)value->number);
}

// The number of the game and the values of sort keys are written; `silent` in the header of CQL 5 leaves only
// the texts of `comment` (11.8).
static bool writes_of_itself(const Context *c)
{
    return log_level_is(c, QUERY_SILENT) && !(c->query->flags & QUERY_CQL5 && c->query->flags & QUERY_QUIET);
}

static bool has_header(const Context *c)
{
    return c->run->logging && !c->run->options.no_header && writes_of_itself(c);
}

// One text at the root with the values of all loud keys.
static void add_sort_line(Context *c)
{
    const QueryInfo *query = c->query;
    Buffer *b = &c->run->scratch;
    b->length = 0;
    for (int32_t k = 0; k < query->sort_key_count; k++)
        if (!query->sort_key[k].quiet)
            add_value_text(b, query->sort_key[k].name, &c->run->sort[k]);
    if (query->flags & QUERY_SORT_MATCHCOUNT)
        add_value_text(b, "matchcount", &(SortValue){.has_value = true, .number = c->hit_count});
    if (b->length == 0)
        return;
    struct RunState *run = c->run;
    push(run, 0, run_string(c, b->start, b->length));
    LogEntry line = run->log[run->log_count - 1];
    line.part = LOG_KEYS;
    // It is the last text, in CQL 5 the one behind the number of the game (11.8).
    const int32_t place = c->query->flags & QUERY_CQL5 && has_header(c) ? 1 : run->log_count - 1;
    memmove(&run->log[place + 1], &run->log[place], (size_t)(run->log_count - 1 - place) * sizeof line);
    run->log[place] = line;
}

// ---- the beginning and the end of a game -----------------------------------------------------------------

void log_begin(Context *c)
{
    struct RunState *run = c->run;
    run->log_count = 0;
    run->pair_count = 0;
    run->hits_logged = 0;
    run->messages.length = 0;
    run->dropping = false;
    run->set_tag_count = 0;
    for (int32_t k = 0; k < c->query->sort_key_count; k++) {
        run->sort[k] = (SortValue){0};
        run->sort_texts[k].count = 0;
    }
    for (int32_t i = 0; i < run->kept_run_count; i++)
        run->kept_run[i].length = 0;
    if (has_header(c))
        push(run, 0, &run_empty); // written when the game has matched
}

void log_finish(Context *c)
{
    if (!c->run->logging)
        return;
    if (has_header(c)) {
        char text[48];
        const int length = snprintf(text, sizeof text, "Game number %d", (int)c->game->number);
        c->run->log[0].text = run_string(c, text, (size_t)length);
    }
    log_hits(c);
    if (log_level_is(c, QUERY_SILENT | QUERY_QUIET))
        log_kept_runs(c);
    add_sort_texts(c);
    log_pairs(c);
    if (writes_of_itself(c))
        add_sort_line(c);
}

// ---- messages --------------------------------------------------------------------------------------------

void rt_message(Context *c, int32_t n, String text, int32_t quiet)
{
    const RunOptions *o = &c->run->options;
    Buffer *b = &c->run->messages;
    text = run_text(text);
    if (b->length + text->length > (size_t)1 << 30)
        run_raise(c, "the messages of this game are too long");
    buffer_text(b, o->message_begin ? o->message_begin : "");
    if (!quiet) {
        String name = rt_text_position(c, n);
        buffer_format(b, "Game: %d %s: ", (int)c->game->number, name->bytes);
    }
    buffer_append(b, text->bytes, text->length);
    buffer_append(b, "\n", 1);
    buffer_text(b, o->message_end ? o->message_end : "");
}

// ---- changes of the game ---------------------------------------------------------------------------------

void rt_remove_comment(Context *c, int32_t n)
{
    struct RunState *run = c->run;
    if (run->options.no_remove_comment || is_imaginary(c, n))
        return;
    if (!run->dropping) {
        run->drop = run_grow(run->drop, &run->drop_capacity, c->game->count, sizeof *run->drop);
        memset(run->drop, 0, (size_t)c->game->count * sizeof *run->drop);
        run->dropping = true;
    }
    run->drop[n] = true;
}

static bool same_name(Text a, String b)
{
    return a.length == b->length && memcmp(a.start, b->bytes, a.length) == 0;
}

void rt_set_tag(Context *c, String name, String value)
{
    struct RunState *run = c->run;
    if (run->options.no_settag)
        return;
    name = run_text(name);
    value = run_text(value);
    int32_t i = 0;
    while (i < run->set_tag_count && !same_name(run->set_tag[i].name, name))
        i++;
    if (i == run->set_tag_count) {
        run->set_tag = run_grow(run->set_tag, &run->set_tag_capacity, i + 1, sizeof *run->set_tag);
        run->set_tag[i].name = (Text){name->bytes, name->length};
        run->set_tag_count++;
    }
    run->set_tag[i].value = (Text){value->bytes, value->length};
}
