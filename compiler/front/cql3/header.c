// The identification line of CQL-S, `; CQL-S 1.0 (variants) (variants)` (language reference 12b.1).
#include "internal.h"

#include <string.h>

#include "compiler/front/shared/preamble.h"
#include "runtime/value/ascii.h"

// Names as Scidb spells them; `played`: the chapter on variants (16) has its rules.
static const struct {
    const char *name;
    bool played;
} variants[] = {{"normal", true},     {"three-check", true}, {"king-of-the-hill", true},
                {"dropchess", false}, {"crazyhouse", true},  {"bughouse", false},
                {"chessgi", false},   {"antichess", true},   {"suicide", true},
                {"giveaway", true},   {"losers", true}};

// Checks a variant that the script needs; its name begins at `at`.
static void need(Cql3 *c, const char *text, size_t at, size_t length)
{
    size_t i = 0;
    while (i < sizeof variants / sizeof *variants &&
           (strlen(variants[i].name) != length || !ascii_same_bytes(variants[i].name, text + at, length)))
        i++;
    if (i == sizeof variants / sizeof *variants || !variants[i].played)
        cql3_error(c, (Span){(uint32_t)at, (uint32_t)(at + length)},
                   "this script needs the variant `%.*s`, which cqlgen does not support", (int)length,
                   text + at);
    else
        c->query->variants |= i > 0;
}

// Finds a list of names, "(" name { "," name } ")". Returns the offset of the first name and sets *end to that of ")"; without a
// list returns 0.
static size_t find_list(const char *text, size_t at, size_t line, size_t *end)
{
    while (at < line && text[at] == ' ')
        at++;
    const char *close = at < line && text[at] == '(' ? memchr(text + at, ')', line - at) : NULL;
    *end = close != NULL ? (size_t)(close - text) : at;
    return close != NULL ? at + 1 : 0;
}

void cql3_header(Cql3 *c, const Source *source)
{
    const char *text = source->text;
    const size_t at = preamble_identification(text, source->length),
                 line = text_semicolon_end(text, source->length, at);
    if (at == source->length)
        return;
    const size_t version = at + strcspn(text + at, " ") + 1;
    size_t end;
    if (!text_has(text, line, version, "1.0"))
        diag_add(c->diagnostics, DIAG_WARNING, (Span){(uint32_t)version, (uint32_t)version + 3},
                 "version %.3s of CQL-S is read as 1.0", text + version);
    if (find_list(text, version + 3, line, &end) == 0)
        return;
    for (size_t name = find_list(text, end + 1, line, &end), length; name != 0 && name < end;
         name += length + 1) {
        name += strspn(text + name, " ");
        length = strcspn(text + name, ",)");
        need(c, text, name, length);
    }
}
