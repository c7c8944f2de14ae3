// Reports of a search.
#include "sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/value/terminal.h"
#include "search.h"

void sink_lines(const SearchOptions *o, const Buffer *lines)
{
    if (lines->length == 0)
        return;
    if (o->sink)
        o->sink->tell(o->sink->user, true, lines->start, lines->length);
    else
        print_lines(stderr, lines->start, lines->length);
}

void sink_report(const SearchOptions *o, const char *format, ...)
{
    Buffer line = {0};
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_vformat(format, arguments);
    va_end(arguments);
    line_format(&line, "%s%s\n", o->sink ? "" : "cqlgen: ", text);
    sink_lines(o, &line);
    buffer_free(&line);
    free(text);
}
