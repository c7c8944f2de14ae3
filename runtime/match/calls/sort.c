// Sort values and the comments made on the way to them (language reference 10.6).
#include "comments.h"

// The comments of the sort filter that gave a key its best value so far (10.6.3).
typedef struct SortTexts {
    int32_t filter;
    LogList list;
} SortTexts;

typedef struct SortState {
    SortValue *value; // by key
    SortTexts *texts;
} SortState;

static void sort_init(Context *c)
{
    const int32_t keys = c->query->sort_key_count;
    *c->run->sort =
        (SortState){run_zeroed(c, keys, sizeof(SortValue)), run_zeroed(c, keys, sizeof(SortTexts))};
}

static void sort_begin_game(Context *c)
{
    SortState *s = c->run->sort;
    for (int32_t k = 0; k < c->query->sort_key_count; k++) {
        s->value[k] = (SortValue){0};
        s->texts[k].list.count = 0;
    }
}

static void sort_result(Context *c, RunResult *result)
{
    result->sort = c->run->sort->value;
}

const Subject sort_subject = {
    .size = sizeof(SortState), .init = sort_init, .begin_game = sort_begin_game, .result = sort_result};

// ---- values -----------------------------------------------------------------------------------------------

static void take_value(Context *c, int32_t key, int32_t filter, bool better, SortValue value, int32_t mark)
{
    SortState *s = c->run->sort;
    LogList *log = &c->run->log.list;
    const bool move_texts = c->run->log.wanted && !c->run->options.no_sort_comments;
    if (better) {
        s->value[key] = value;
        s->texts[key].filter = filter;
        s->texts[key].list.count = 0;
        if (move_texts)
            log_copy(c, mark, &s->texts[key].list);
    }
    if (move_texts && mark < log->count)
        log->count = mark;
}

void rt_sort_int(Context *c, int32_t key, int32_t filter, int32_t value, int32_t mark)
{
    const SortValue *old = &c->run->sort->value[key];
    const bool better =
        !old->has_value || (c->query->sort_key[key].is_min ? value < old->number : value > old->number);
    take_value(c, key, filter, better, (SortValue){.has_value = true, .number = value}, mark);
}

void rt_sort_string(Context *c, int32_t key, int32_t filter, String value, int32_t mark)
{
    const SortValue *old = &c->run->sort->value[key];
    value = string_or_empty(value);
    run_take_bytes(c, value->length);
    const int order = old->has_value ? string_compare(value, old->text) : 0;
    const bool better = !old->has_value || (c->query->sort_key[key].is_min ? order < 0 : order > 0);
    take_value(c, key, filter, better, (SortValue){.has_value = true, .text = value}, mark);
}

// ---- comments at the end of the game ----------------------------------------------------------------------

void sort_comments(Context *c)
{
    const SortState *s = c->run->sort;
    for (int32_t last = -1;;) {
        const SortTexts *next = NULL; // of the least filter after the last one
        for (int32_t k = 0; k < c->query->sort_key_count; k++)
            if (s->value[k].has_value && s->texts[k].filter > last &&
                (!next || s->texts[k].filter < next->filter))
                next = &s->texts[k];
        if (!next)
            return;
        log_append_list(c, &next->list);
        last = next->filter;
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

void sort_value_comment(Context *c)
{
    const QueryInfo *query = c->query;
    LogList *log = &c->run->log.list;
    Buffer *b = run_scratch(c);
    for (int32_t k = 0; k < query->sort_key_count; k++)
        if (!query->sort_key[k].quiet)
            add_value_text(b, query->sort_key[k].name, &c->run->sort->value[k]);
    if (query->flags & QUERY_SORT_MATCHCOUNT)
        add_value_text(b, "matchcount", &(SortValue){.has_value = true, .number = c->hit_count});
    if (b->length == 0)
        return;
    log_append_always(c, 0, run_scratch_string(c));
    LogEntry line = log->entry[log->count - 1];
    line.part = LOG_KEYS;
    // It is the last text; in CQL 5 the one after the number of the game (11.8).
    const int32_t place = query->flags & QUERY_CQL5 && log_has_number(c) ? 1 : log->count - 1;
    memmove(&log->entry[place + 1], &log->entry[place], (size_t)(log->count - 1 - place) * sizeof line);
    log->entry[place] = line;
}
