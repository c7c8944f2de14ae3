// How much memory a game takes, before it is read.
#include "lex.h"
#include "game_memory.h"

// Arrays double; a game that is written is text once more, and its tree may be renumbered.
enum {
    OF_NODE = 2 * (2 * sizeof(Node) + sizeof(Position) + 2 * sizeof(Note) + 4 * sizeof(void *)),
    OF_LEVEL = 2 * sizeof(Level),
    OF_COMMENT = 2 * sizeof(CommentPart),
    OF_TAG = 2 * (2 * sizeof(Tag) + sizeof(Text)),
    OF_BYTE = 7
};

static size_t tags_of_line(const char *p, const char *end)
{
    size_t tags = 0;
    for (; p < end; p++)
        tags += *p == '[';
    return tags;
}

static size_t weight(Text text)
{
    const char *const end = text.start + text.length;
    size_t sum = text.length * OF_BYTE;
    for (const char *p = text.start; (p = pgn_skip_white(p, end)) < end;) {
        const PgnToken t = pgn_lex(text.start, p, end);
        sum += t.kind == PGN_MOVE      ? OF_NODE
               : t.kind == PGN_OPEN    ? OF_LEVEL
               : t.kind == PGN_COMMENT ? OF_COMMENT
               : t.kind == PGN_TAG     ? tags_of_line(p, t.end) * OF_TAG
                                       : 0;
        p = t.end;
    }
    return sum;
}

bool game_surely_fits(size_t bytes, size_t plies, bool variations, size_t memory)
{
    enum { SHORTEST_TAG = 7 };
    if (variations)
        return bytes <= memory / OF_NODE * 2;
    return bytes * OF_BYTE + (bytes / SHORTEST_TAG + 1) * OF_TAG + plies * OF_NODE <= memory;
}

bool game_fits(Text text, size_t plies, size_t memory)
{
    return plies <= memory / OF_NODE && (text.length <= memory / OF_NODE * 2 || weight(text) <= memory);
}
