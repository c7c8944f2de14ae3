// Names of input files on the command line and in lists.
#include "cli.h"
#include "runtime/value/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void inputs_add(InputNames *inputs, const char *name)
{
    inputs->name = memory_grow(inputs->name, &inputs->capacity, inputs->count + 1, sizeof *inputs->name);
    inputs->name[inputs->count++] = memory_copy(name, strlen(name));
}

static bool read_list(InputNames *inputs, const char *list)
{
    bool standard = strcmp(list, "-") == 0;
    FILE *file = standard ? stdin : fopen(list, "r");
    if (!file) {
        return complain(NULL, "cannot read the list %s: %s", list, strerror(errno));
    }
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, file)) > 0) {
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            line[--length] = 0;
        if (length == 0)
            continue;
        inputs_add(inputs, line);
    }
    bool failed = ferror(file) != 0;
    if (failed)
        complain(NULL, "cannot read the list %s: %s", list, strerror(errno));
    free(line);
    if (!standard)
        fclose(file);
    return !failed;
}

bool read_inputs(InputNames *inputs, const char *const *words, int count)
{
    *inputs = (InputNames){0};
    for (int i = 0; i < count; i++) {
        if (words[i][0] != '@')
            inputs_add(inputs, words[i]);
        else if (!read_list(inputs, words[i] + 1))
            return false;
    }
    return true;
}

void inputs_free(InputNames *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        free((char *)inputs->name[i]);
    free(inputs->name);
    *inputs = (InputNames){0};
}
