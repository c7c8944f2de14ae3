// Names of input files on the command line and in lists.
#include "cli.h"
#include "runtime/value/ascii.h"
#include "runtime/value/file_mark.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void inputs_add(InputNames *inputs, const char *name)
{
    MEMORY_PUSH(inputs->name, inputs->count, inputs->capacity, memory_copy(name, strlen(name)));
}

// ---- folders ----------------------------------------------------------------------------------------------

// Does the name end like a PGN file, maybe compressed, or like a database?
static bool is_games_name(const char *name, bool databases)
{
    static const char *const endings[] = {".cqldb", ".pgn",     ".pgn.zst", ".pgn.gz",  ".pgn.bz2", ".pgn.xz",
                                          ".PGN",   ".PGN.zst", ".PGN.gz",  ".PGN.bz2", ".PGN.xz"};
    for (size_t i = databases ? 0 : 1; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(name, endings[i]))
            return true;
    return false;
}

// The files of games in a folder, not in folders inside it.
static bool read_folder(InputNames *inputs, const char *folder, const Arguments *a)
{
    const bool databases = a->command != COMMAND_IMPORT;
    const size_t first = inputs->count, length = strlen(folder);
    const char *between = folder[length - 1] == '/' ? "" : "/";
    DIR *open = opendir(folder);
    if (!open)
        return complain(NULL, "cannot read %s: %s", folder, strerror(errno));
    for (struct dirent *entry; (entry = readdir(open));) {
        if (entry->d_name[0] == '.' || !is_games_name(entry->d_name, databases))
            continue;
        char *name = memory_format("%s%s%s", folder, between, entry->d_name);
        inputs_add(inputs, name);
        free(name);
    }
    closedir(open);
    const size_t count = inputs->count - first;
    if (count == 0)
        return complain(NULL,
                        "the folder %s has no games: no file ends in .pgn (or .pgn.zst, .gz, .bz2, .xz)%s",
                        folder, databases ? " or .cqldb" : "");
    qsort(inputs->name + first, count, sizeof *inputs->name, ascii_compare);
    if (!a->value[OPTION_QUIET])
        printf_sanitized(stderr, "cqlgen: %s has %zu file%s of games: %s%s%s\n", folder, count,
                         count == 1 ? "" : "s", inputs->name[first],
                         count > 2    ? " ... "
                         : count == 2 ? " "
                                      : "",
                         count > 1 ? inputs->name[inputs->count - 1] : "");
    return true;
}

static bool read_name(InputNames *inputs, const char *name, const Arguments *a)
{
    struct stat status;
    const bool folder = strcmp(name, "-") != 0 && stat(name, &status) == 0 && S_ISDIR(status.st_mode);
    if (folder && !a->value[OPTION_LOCAL])
        return read_folder(inputs, name, a);
    inputs_add(inputs, name);
    return true;
}

// ---- words and lists --------------------------------------------------------------------------------------

static bool read_list(InputNames *inputs, const char *list, const Arguments *a)
{
    bool standard = strcmp(list, "-") == 0;
    FILE *file = standard ? stdin : fopen(list, "r");
    if (!file) {
        return complain(NULL, "cannot read the list %s: %s", list, strerror(errno));
    }
    const FileMark opened = file_mark(fileno(file));
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool good = true;
    while (good && (length = getline(&line, &room, file)) > 0) {
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            line[--length] = 0;
        if (length == 0)
            continue;
        good = read_name(inputs, line, a);
    }
    bool failed = ferror(file) != 0;
    if (failed)
        complain(NULL, "cannot read the list %s: %s", list, strerror(errno));
    else if (good && file_is_changed(&opened, fileno(file)))
        failed = !complain(NULL, "another program changed the list %s while it was read", list);
    free(line);
    if (!standard)
        fclose(file);
    return good && !failed;
}

bool read_inputs(InputNames *inputs, const Arguments *a, int from)
{
    *inputs = (InputNames){0};
    for (int i = from; i < a->word_count; i++) {
        const char *word = a->words[i];
        if (word[0] == '@' ? !read_list(inputs, word + 1, a) : !read_name(inputs, word, a))
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
