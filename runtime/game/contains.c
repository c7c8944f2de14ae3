// What the text of a game contains.
#include <string.h>

#include "lex.h"
#include "game_memory.h"
#include "runtime/value/strings.h"

bool game_text_holds(const Game *g, Text part)
{
    const Text *text = &g->source.text;
    const char *start = text->start, *end = start + text->length;
    if (!memmem(start, text->length, part.start, part.length))
        return false;
    size_t tags;
    const Tag *tag = game_tags(g, &tags);
    for (size_t i = 0; i < tags; i++)
        if (memmem(tag[i].value.start, tag[i].value.length, part.start, part.length))
            return true;
    for (const char *p = start + g->memory->movetext; (p = pgn_skip_white(p, end)) < end;) {
        const PgnToken t = pgn_lex(start, p, end);
        if (t.kind == PGN_COMMENT && memmem(p, (size_t)(t.end - p), part.start, part.length))
            return true;
        p = t.end;
    }
    return false;
}

bool game_may_comment(const Game *g, Text part)
{
    const Text text = g->source.text;
    const size_t movetext = text.length > 0 ? g->memory->movetext : 0;
    return movetext >= text.length ||
           string_find(text.start + movetext, text.length - movetext, part.start, part.length) != NULL;
}
