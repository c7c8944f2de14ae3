// Cuts a written game to a size.
#include <string.h>

#include "game.h"

// A place where a game may end: after `length` bytes, inside `depth` variations and perhaps a comment.
typedef struct Cut {
    size_t length, depth;
    bool in_comment;
} Cut;

typedef struct Cutter {
    const char *text;
    size_t at, end; // of the movetext without its result
    size_t limit;   // bytes, without the result
    size_t depth;   // of variations
    bool moved;     // the innermost variation has a move
    Cut best;
} Cutter;

static bool is_white(char c)
{
    return c == ' ' || c == '\n';
}

// Takes a place as the end of the game if it can be one; false when no later place can.
static bool offer(Cutter *c, size_t length, bool in_comment)
{
    if (c->depth > 0 && !c->moved)
        return true;
    if (length + in_comment + 2 * c->depth > c->limit)
        return false;
    c->best = (Cut){length, c->depth, in_comment};
    return true;
}

// Reads a comment, which may end after each of its words.
static bool cut_comment(Cutter *c)
{
    bool any = false;
    for (c->at++; c->at < c->end && c->text[c->at] != '}'; c->at++) {
        const bool white = is_white(c->text[c->at]);
        if (white && any && !is_white(c->text[c->at - 1]) && !offer(c, c->at, true))
            return false;
        any = any || !white;
    }
    c->at++; // a comment that was written is closed
    return offer(c, c->at, false);
}

static bool cut_word(Cutter *c)
{
    const size_t start = c->at;
    while (c->at < c->end && !is_white(c->text[c->at]))
        c->at++;
    if (c->text[start] == '(') {
        c->depth++;
        c->moved = false;
        return true;
    }
    c->depth -= c->text[start] == ')';
    c->moved = true;
    return offer(c, c->at, false);
}

static void find_cut(Cutter *c)
{
    bool more = true;
    while (more) {
        while (c->at < c->end && is_white(c->text[c->at]))
            c->at++;
        if (c->at == c->end)
            return;
        more = c->text[c->at] == '{' ? cut_comment(c) : cut_word(c);
    }
}

bool game_cut_pgn(Buffer *out, size_t start, size_t limit)
{
    const char *text = out->start + start, *tags_end;
    const size_t length = out->length - start, blank = strlen("\n\n\n");
    if (length <= limit || !(tags_end = memmem(text, length, "\n\n", 2)))
        return false;
    size_t result = length - blank;
    while (!is_white(text[result - 1]))
        result--;
    char ending[16] = " ";
    const size_t ending_length = length - result + 1;
    memcpy(ending + 1, text + result, length - result);

    const size_t body = (size_t)(tags_end - text) + 2;
    Cutter c = {.text = text, .at = body, .end = result, .best = {.length = body}};
    c.limit = limit > ending_length ? limit - ending_length : 0;
    find_cut(&c);
    out->length = start + c.best.length;
    buffer_text(out, c.best.in_comment ? "}" : "");
    for (size_t i = 0; i < c.best.depth; i++)
        buffer_text(out, " )");
    const size_t space = c.best.length > body;
    buffer_append(out, ending + !space, ending_length - !space);
    return true;
}
