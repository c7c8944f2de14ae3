// The output of `cqlgen cql`: plain, or framed for a graphical front end (language reference 02b, -gui).
#include "cql.h"

#include <stdarg.h>

#define MESSAGE "CqlGuiMessage"
#define ERROR "CqlGuiError"

static const char *const frame_name[] = {[CQL_FRAME_MESSAGE] = MESSAGE, [CQL_FRAME_ERROR] = ERROR};

void cql_begin_frame(const CqlConsole *console, CqlFrame frame)
{
    if (console->gui)
        printf("<%s>\n", frame_name[frame]);
}

void cql_end_frame(const CqlConsole *console, CqlFrame frame)
{
    if (!console->gui)
        return;
    printf("</%s>\n", frame_name[frame]);
    fflush(stdout);
}

const SearchFrames *cql_search_frames(const CqlConsole *console)
{
    static const SearchFrames plain = {"", "", "\n", "", false};
    static const SearchFrames gui = {"<" MESSAGE ">\n", "</" MESSAGE ">\n", "<" ERROR ">\n", "</" ERROR ">\n",
                                     true};
    return console->gui ? &gui : &plain;
}

void cql_show_variable(const CqlConsole *console, const char *name, const char *format, ...)
{
    va_list arguments;
    if (!console->gui)
        return;
    va_start(arguments, format);
    printf("<CqlGuiVariable> %s ", name);
    vprintf(format, arguments);
    fputs("\n", stdout);
    va_end(arguments);
}

bool cql_complain(const CqlConsole *console, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cql_begin_frame(console, CQL_FRAME_ERROR);
    fputs(console->gui ? "cqlgen: " : "\ncqlgen: ", stdout);
    vprintf(format, arguments);
    fputs("\n", stdout);
    cql_end_frame(console, CQL_FRAME_ERROR);
    va_end(arguments);
    return false;
}

void cql_print_version(FILE *out)
{
    fputs("CQL version 6.2 (build cqlgen " CQLGEN_VERSION ")\n", out);
}
