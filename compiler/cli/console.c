// Messages of the command line.
#include "console.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"

#define MESSAGE "CqlGuiMessage"
#define ERROR "CqlGuiError"

static const char *const frame_name[] = {[FRAME_MESSAGE] = MESSAGE, [FRAME_ERROR] = ERROR};

void begin_frame(const Console *console, Frame frame)
{
    if (console->gui)
        printf("<%s>\n", frame_name[frame]);
}

void end_frame(const Console *console, Frame frame)
{
    if (!console->gui)
        return;
    printf("</%s>\n", frame_name[frame]);
    fflush(stdout);
}

const SearchFrames *search_frames(const Console *console)
{
    static const SearchFrames plain = {"", "", "\n", "", false};
    static const SearchFrames gui = {"<" MESSAGE ">\n", "</" MESSAGE ">\n", "<" ERROR ">\n", "</" ERROR ">\n",
                                     true};
    return console->gui ? &gui : &plain;
}

void show_variable(const Console *console, const char *name, const char *format, ...)
{
    va_list arguments;
    if (!console->gui)
        return;
    va_start(arguments, format);
    char *value = memory_vformat(format, arguments);
    va_end(arguments);
    printf_sanitized(stdout, "<CqlGuiVariable> %s %s\n", name, value);
    free(value);
}

bool complain(const Console *console, const char *format, ...)
{
    va_list arguments;
    FILE *out = !console ? stderr : console->out ? console->out : stdout;
    va_start(arguments, format);
    char *text = memory_vformat(format, arguments);
    va_end(arguments);
    if (console)
        begin_frame(console, FRAME_ERROR);
    fputs(console && !console->gui ? "\n" : "", out);
    printf_sanitized(out, "cqlgen: %s\n", text);
    if (console)
        end_frame(console, FRAME_ERROR);
    free(text);
    return false;
}

char *damage_text(int64_t cut, int64_t words)
{
    char *games = cut > 0 ? memory_format("%lld cut short", (long long)cut) : memory_format("%s", "");
    char *ignored = words > 0 ? memory_format("%lld word%s ignored", (long long)words, words == 1 ? "" : "s")
                              : memory_format("%s", "");
    char *text = *games || *ignored
                     ? memory_format(" (%s%s%s)", games, *games && *ignored ? ", " : "", ignored)
                     : memory_format("%s", "");
    free(games);
    free(ignored);
    return text;
}

void complain_lines(const char *lines)
{
    Buffer text = {0};
    buffer_text(&text, "cqlgen: ");
    text_harmless(&text, lines, strlen(lines));
    buffer_text(&text, "\n");
    print_made(stderr, NULL, text.start, text.length);
    buffer_free(&text);
}

bool colour_wanted(void)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && !messages_are_json() && !(no_colour && *no_colour) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

void open_descriptors(void)
{
    static const int flags[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags[fd]) < 0) // gets the lowest free number
            _exit(STATUS_OUTPUT);
}
