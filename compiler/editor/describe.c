// Help about a word, for editors.
#include "internal.h"

#ifdef CQL_HAS_JSON
#include <stdlib.h>

#include "help_page.h"
#include "runtime/value/memory.h"

// Returns NULL for an unknown word.
static char *help_text(const char *word, bool markdown, size_t *length)
{
    char *text;
    const HelpWriter w = {.out = memory_stream(&text, length), .markdown = markdown};
    const bool page = help_pages(&w, word), older = help_older(&w, word);
    fclose(w.out);
    if (page || older)
        return text;
    free(text);
    return NULL;
}

json_t *editor_help(const char *word)
{
    size_t markdown_length, text_length;
    char *markdown = help_text(word, true, &markdown_length);
    if (!markdown)
        return NULL;
    char *text = help_text(word, false, &text_length);
    json_t *answer =
        json_pack("{s:o, s:o, s:o}", "word", json_string(word), "markdown",
                  editor_string(markdown, markdown_length), "text", editor_string(text, text_length));
    free(markdown);
    free(text);
    return answer;
}

#endif
