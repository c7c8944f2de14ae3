// The entry point: chooses the command.
#include <signal.h>
#include <string.h>

#include "runtime/search/search.h"
#include "cli.h"
#include "cql.h"

static const struct {
    const char *name;
    int (*run)(int count, char **argument);
} commands[] = {{"search", command_search},
                {"explain", command_explain},
                {"convert", command_convert},
                {"help", command_help}};

static int run(int count, char **argument)
{
    const char *slash = strrchr(argument[0], '/');
    if (strcmp(slash ? slash + 1 : argument[0], "cqlgen-cql") == 0)
        return command_cql(count - 1, argument + 1);
    if (count > 1 && strcmp(argument[1], "cql") == 0) // has its own -h and -version
        return command_cql(count - 2, argument + 2);
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

int main(int count, char **argument)
{
    // A closed pipe and a file size limit are output errors: reported and cleaned up.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    const int status = run(count, argument);
    return status == STATUS_OK && !flush_output() ? STATUS_OUTPUT : status;
}
