// Reads the pages of the manual.
#include "manual.h"

#include <string.h>

extern const char manual_text[]; // all files, made by the Makefile

static bool begins(ManualText line, const char *start)
{
    const size_t length = strlen(start);
    return line.length >= length && memcmp(line.start, start, length) == 0;
}

static ManualText after(ManualText line, const char *start)
{
    const size_t length = strlen(start);
    return (ManualText){line.start + length, line.length - length};
}

bool manual_line(ManualText *text, ManualText *line)
{
    if (text->length == 0)
        return false;
    const char *end = memchr(text->start, '\n', text->length);
    line->start = text->start;
    line->length = end != NULL ? (size_t)(end - text->start) : text->length;
    const size_t whole = line->length + (end != NULL);
    text->start += whole;
    text->length -= whole;
    return true;
}

bool manual_name(ManualText *names, ManualText *name)
{
    if (names->length == 0)
        return false;
    const char *end = memmem(names->start, names->length, ", ", 2);
    name->start = names->start;
    name->length = end != NULL ? (size_t)(end - names->start) : names->length;
    const size_t whole = name->length + (end != NULL ? 2 : 0);
    names->start += whole;
    names->length -= whole;
    return true;
}

// The lines between the names and the syntax.
static void read_head(ManualPage *page, ManualText *rest)
{
    const struct {
        const char *key;
        ManualText *value;
    } keys[] = {{"gloss: ", &page->gloss}, {"section: ", &page->section}, {"dialect: ", &page->dialect}};
    page->gloss = page->section = page->dialect = (ManualText){NULL, 0};
    for (ManualText next = *rest, line; manual_line(&next, &line); *rest = next) {
        size_t k = 0;
        while (k < sizeof keys / sizeof *keys && !begins(line, keys[k].key))
            k++;
        if (k == sizeof keys / sizeof *keys)
            return;
        *keys[k].value = after(line, keys[k].key);
    }
}

bool manual_next(ManualPage *page)
{
    ManualText rest = {manual_text, strlen(manual_text)}, line;
    if (page->body.start != NULL) {
        const char *from = page->body.start + page->body.length;
        rest = (ManualText){from, strlen(from)};
    }
    bool found = false;
    while (!found && manual_line(&rest, &line)) {
        if (begins(line, "== "))
            page->group = after(line, "== ");
        found = begins(line, "= ");
    }
    if (!found)
        return false;
    page->names = after(line, "= ");
    read_head(page, &rest);
    page->body = (ManualText){rest.start, 0};
    for (ManualText next = rest; manual_line(&next, &line) && !begins(line, "= ") && !begins(line, "== ");)
        page->body.length = (size_t)(next.start - rest.start);
    return true;
}

bool manual_has(const ManualPage *page, const char *word)
{
    ManualText names = page->names, name;
    while (manual_name(&names, &name))
        if (strlen(word) == name.length && memcmp(word, name.start, name.length) == 0)
            return true;
    return false;
}
