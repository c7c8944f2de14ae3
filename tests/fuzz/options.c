// Command lines and lists of files, as the commands read them; nothing is searched.
//
// The first byte chooses the command. The words follow, a line each; what comes after an empty line is a list, which the
// word @list names.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/cli/searching.h"

enum { LONGEST = 4000, WORDS = 200 };

static char list[120];

// Splits the lines up to an empty one; what follows becomes the list. Returns the number of words.
static int split(char *text, char **word)
{
    int count = 0;
    char *rest = text + strlen(text);
    while (*text && count < WORDS) {
        char *end = strchrnul(text, '\n');
        if (end == text) {
            rest = text + 1;
            break;
        }
        word[count++] = text;
        text = end + (*end != 0);
        *end = 0;
    }
    snprintf(list, sizeof list, "@%s/list", fuzz_folder());
    fuzz_write(list + 1, rest, strlen(rest));
    for (int i = 0; i < count; i++)
        if (strcmp(word[i], "@list") == 0)
            word[i] = list;
    return count;
}

// Words that name files of this machine are left alone.
static bool only_the_list(const Arguments *a)
{
    for (int i = 0; i < a->word_count; i++)
        if (a->words[i][0] == '@' && a->words[i] != list)
            return false;
    return true;
}

static void read_long(CommandId command, int count, char **word)
{
    Arguments a;
    if (!read_arguments(&a, command, NULL, NULL, count, word))
        return;
    SearchOptions search = {0};
    if (command == COMMAND_SEARCH)
        read_search_options(&a, &search);
    free_search_options(&search);
    InputNames inputs = {0};
    if (only_the_list(&a))
        read_inputs(&inputs, &a, a.example_count);
    inputs_free(&inputs);
}

static void read_dash(CommandId command, int count, char **word)
{
    Console console = {.out = fuzz_silence()};
    Arena *arena = arena_new();
    Arguments a;
    read_arguments(&a, command, &console, arena, count, word);
    arena_free(arena);
}

void fuzz_options(const uint8_t *data, size_t size)
{
    char text[LONGEST + 1], *word[WORDS + 1];
    if (size == 0 || size > LONGEST)
        return;
    fuzz_silence();
    const CommandId command = (CommandId)((data[0] - 'A') & 0xff) % COMMAND_COUNT;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    const int count = split(text, word);
    word[count] = NULL;
    if (command_info[command].style == STYLE_LONG)
        read_long(command, count, word);
    else
        read_dash(command, count, word);
    find_option(command, text, NULL);
}
