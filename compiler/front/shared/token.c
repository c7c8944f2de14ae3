// How tokens are named in messages.
#include "token.h"

#include "compiler/language/ast.h"
#include "runtime/value/unicode.h"

const char *token_string(Arena *arena, const char *text, size_t *length)
{
    if (unicode_is_valid(text, *length))
        return arena_copy(arena, text, *length);
    char *utf8 = arena_alloc(arena, 2 * *length + 1);
    size_t bytes = 0;
    for (size_t i = 0; i < *length; i++)
        bytes += unicode_encode((unsigned char)text[i], utf8 + bytes);
    *length = bytes;
    return utf8;
}

enum { SHOWN_BYTES = 40 }; // of a long token

// The text, or its beginning and "..." when it is long; never cuts through a character.
static const char *quoted(Arena *arena, const char *text, size_t length)
{
    size_t shown = 0;
    while (shown < length && shown < SHOWN_BYTES) {
        uint32_t character;
        size_t bytes = unicode_decode(text + shown, length - shown, &character);
        shown += bytes ? bytes : 1;
    }
    return arena_printf(arena, "`%.*s%s`", (int)shown, text, shown < length ? "..." : "");
}

const char *token_text(Arena *arena, const Source *source, const Token *token)
{
    if (token->kind == TOKEN_END)
        return "end of query";
    if (token->kind == TOKEN_FILE && token->number >= 0)
        return arena_printf(arena, "`%s %s`", op_info[token->number].name, token->bytes);
    return quoted(arena, source->text + token->span.start, token->span.end - token->span.start);
}
