// Output names that contain tags.
#include "output_name.h"

#include <string.h>

#include "runtime/value/unicode.h"

enum { LONGEST_VALUE = 100 };

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Finds the next tag in braces: *tag becomes its name. Returns the brace that opens it, or NULL.
static const char *next_tag(const char *name, Text *tag)
{
    for (const char *open = name; (open = strchr(open, '{')); open++) {
        const char *end = open + 1;
        while (is_word_byte(*end))
            end++;
        *tag = (Text){open + 1, (size_t)(end - open - 1)};
        if (*end == '}' && tag->length > 0)
            return open;
    }
    return NULL;
}

bool output_name_has_tags(const char *name)
{
    Text tag;
    return next_tag(name, &tag) != NULL;
}

// The value of a tag after the changes of the queries; empty without one.
static Text tag_value(Text tag, Game *game, const Found *found, size_t count)
{
    Text value = {0};
    if (!game_tag(game, tag, &value))
        value = (Text){0};
    for (size_t q = 0; q < count; q++)
        for (int32_t i = 0; i < found[q].result->set_tag_count; i++)
            if (text_equal(found[q].result->set_tag[i].name, tag))
                value = found[q].result->set_tag[i].value;
    return value;
}

// Keeps ASCII letters, digits and `-_. `; each other character becomes `_`, and so does a full stop at the
// beginning, so that no value is the name of a folder above.
static void append_value(Buffer *out, Text value)
{
    size_t at = 0;
    for (int i = 0; at < value.length && i < LONGEST_VALUE; i++) {
        const char c = value.start[at];
        const bool good = is_word_byte(c) || c == '-' || c == ' ' || (c == '.' && i > 0);
        buffer_append(out, good ? &c : "_", 1);
        at += unicode_length(value.start + at, value.length - at);
    }
    if (value.length == 0)
        buffer_text(out, "unknown");
}

char *output_name_for(const char *name, Game *game, const Found *found, size_t count)
{
    Buffer out = {0};
    Text tag;
    for (const char *open; (open = next_tag(name, &tag)); name = tag.start + tag.length + 1) {
        buffer_append(&out, name, (size_t)(open - name));
        append_value(&out, tag_value(tag, game, found, count));
    }
    buffer_text(&out, name);
    buffer_append(&out, "", 1);
    return out.start;
}
