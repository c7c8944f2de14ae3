// The comment log as matchers see it (language reference 10.4).
#include "runtime/match/run_state.h"

int32_t rt_log_mark(Context *c)
{
    if (c->run->log.wanted)
        log_hits(c);
    return c->run->log.list.count;
}

void rt_log_cut(Context *c, int32_t mark)
{
    LogList *log = &c->run->log.list;
    if (mark < log->count && !c->run->options.keep_comments)
        log->count = mark;
}

int32_t rt_log_wanted(Context *c)
{
    return c->run->log.wanted;
}

int32_t rt_comments_wanted(Context *c)
{
    return c->run->log.wanted && log_level_is(c, QUERY_SILENT | QUERY_QUIET);
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
