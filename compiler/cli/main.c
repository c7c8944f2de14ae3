#include <signal.h>
#include <string.h>

#include "../../runtime/search/search.h"
#include "cli.h"

static const struct {
    const char *name;
    int (*run)(int count, char **argument);
} commands[] = {{"search", command_search}, {"explain", command_explain}, {"help", command_help}};

int main(int count, char **argument)
{
    signal(SIGPIPE, SIG_IGN); // a closed pipe is an error of the output, reported and cleaned up
    if (count < 2) {
        print_usage(stderr);
        return STATUS_QUERY;
    }
    for (int i = 1; i < count && strcmp(argument[i], "--") != 0; i++) {
        if (strcmp(argument[i], "--help") == 0 || strcmp(argument[i], "-h") == 0) {
            print_usage(stdout);
            return STATUS_OK;
        }
        if (strcmp(argument[i], "--version") == 0 || strcmp(argument[i], "-V") == 0) {
            printf("cqlgen %s\n", CQLGEN_VERSION);
            return STATUS_OK;
        }
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argument[1], commands[i].name) == 0)
            return commands[i].run(count - 2, argument + 2);
    return command_compile(count - 1, argument + 1);
}
