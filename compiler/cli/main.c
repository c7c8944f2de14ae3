// The entry point: chooses the command.
#include <signal.h>
#include <string.h>

#include "runtime/search/search.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "cli.h"
#include "console.h"
#include "signals.h"
#include "stack.h"

static int (*const functions[COMMAND_COUNT])(int count, char **argument) = {
#define COMMAND(id, name, program, style, arguments, function, help) [COMMAND_##id] = function,
#include "options.def"
};

static int run_long(CommandId command, int count, char **argument)
{
    for (int i = 0; i < count && strcmp(argument[i], "--") != 0; i++) {
        if (strcmp(argument[i], "--help") == 0 || strcmp(argument[i], "-h") == 0) {
            print_usage(stdout);
            return STATUS_OK;
        }
        if (strcmp(argument[i], "--version") == 0 || strcmp(argument[i], "-V") == 0) {
            printf("cqlgen %s\n", CQLGEN_VERSION);
            return STATUS_OK;
        }
    }
    return functions[command](count, argument);
}

static int run_argument(int count, char **argument)
{
    const char *slash = strrchr(argument[0], '/'), *program = slash ? slash + 1 : argument[0];
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const CommandInfo *c = &command_info[i];
        if (c->program && strcmp(program, c->program) == 0)
            return functions[i](count - 1, argument + 1);
        if (count > 1 && strcmp(argument[1], c->name) == 0)
            return c->style == STYLE_LONG ? run_long(i, count - 2, argument + 2)
                                          : functions[i](count - 2, argument + 2);
    }
    if (count > 1)
        return run_long(COMMAND_COMPILE, count - 1, argument + 1);
    print_commands(stderr);
    return STATUS_QUERY;
}

int main(int count, char **argument)
{
    open_descriptors();
    terminal_guard();
    // A closed pipe and a file size limit are output errors: reported and cleaned up.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signals_catch_short_files();
    memory_keep_freed();
    const int status = run_with_stack(run_argument, count, argument);
    return status == STATUS_OK && !flush_output() ? STATUS_OUTPUT : status;
}
