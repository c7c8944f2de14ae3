// The comment log.
#include "imaginary.h"

enum { LOG_CAP = 4000000 }; // texts of one game

static void push(Context *c, LogEntry entry)
{
    LogList *list = &c->run->log.list;
    list->entry = run_grow(c, list->entry, &list->capacity, (size_t)list->count + 1, sizeof *list->entry);
    list->entry[list->count++] = entry;
}

void log_append_always(Context *c, int32_t position, String text)
{
    push(c, (LogEntry){.position = position, .text = text});
}

// The matcher only counts its hits. Their matchstrings enter the log before anything that comes after them:
// at the next mark, the next text or the end. No mark can be older than a hit that is still to be logged, so
// no rollback loses one.
void log_hits(Context *c)
{
    Log *log = &c->run->log;
    for (; log->hits_logged < c->hit_count; log->hits_logged++) {
        if (log->matchstring)
            log_append_always(c, c->hit[log->hits_logged], log->matchstring);
        if (log->hits_logged == 0)
            log->first_end = log->list.count;
    }
}

size_t log_bytes(const LogList *list)
{
    size_t sum = 0;
    for (int32_t i = 0; i < list->count; i++)
        sum += sizeof *list->entry + (list->entry[i].text ? list->entry[i].text->length : 0);
    return sum;
}

void log_append_entry(Context *c, LogEntry entry)
{
    Log *log = &c->run->log;
    if (!log->wanted)
        return;
    if (log->list.count > LOG_CAP)
        run_raise_memory(c);
    log_hits(c);
    push(c, entry);
}

void log_append(Context *c, int32_t position, String text)
{
    log_append_entry(c, (LogEntry){imaginary_root(c, position), LOG_TEXT, string_or_empty(text)});
}

void log_copy(Context *c, int32_t mark, LogList *list)
{
    const LogList *log = &c->run->log.list;
    list->count = log->count > mark ? log->count - mark : 0;
    list->entry = run_grow(c, list->entry, &list->capacity, (size_t)list->count, sizeof *list->entry);
    if (list->count > 0)
        memcpy(list->entry, log->entry + mark, (size_t)list->count * sizeof *list->entry);
}

void log_append_list(Context *c, const LogList *list)
{
    for (int32_t i = 0; i < list->count; i++)
        log_append_entry(c, list->entry[i]);
}

bool log_level_is(const Context *c, uint32_t flags)
{
    return !(c->query->flags & flags);
}

bool log_has_own_texts(const Context *c)
{
    return log_level_is(c, QUERY_SILENT) && !(c->query->flags & QUERY_CQL5 && c->query->flags & QUERY_QUIET);
}

bool log_has_number(const Context *c)
{
    return c->run->log.wanted && !c->run->options.no_header && log_has_own_texts(c);
}

void log_begin_game(Context *c)
{
    c->run->log.list.count = 0;
    c->run->log.hits_logged = 0;
    if (log_has_number(c))
        log_append_always(c, 0, &string_empty); // filled in when the game has matched
}
