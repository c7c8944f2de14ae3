// Diagrams for other programs.
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "runtime/format/writers.h"
#include "runtime/value/memory.h"

enum { USUAL_WIDTH = 360, MOST_WIDTH = 9999 };

// A square as in UCI, such as "e4"; -1: it is none.
static int read_square(const char *text)
{
    const bool good = text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
    return good ? 8 * (text[1] - '1') + text[0] - 'a' : -1;
}

// The squares of a move; false when it is none.
static bool read_move(const char *text, Move *move)
{
    if (!text || strlen(text) < 4)
        return false;
    const int from = read_square(text), to = read_square(text + 2);
    if (from < 0 || to < 0)
        return false;
    *move = (Move){.from = (uint8_t)from, .to = (uint8_t)to};
    return true;
}

static char *draw(const Position *position, const CqlBoardOptions *o)
{
    Buffer out = {0};
    char label[FEN_MAX];
    Move last, next;
    fen_write_board(position, label);
    Diagram d = {.position = position, .squares = o->squares, .label = label};
    if (read_move(o->last, &last))
        d.last = &last;
    if (read_move(o->next, &next))
        d.next[d.next_count++] = &next;
    write_svg_board(&out, &d, o->flipped != 0, o->width > 0 ? o->width : USUAL_WIDTH);
    char *text = memory_copy(out.start, out.length);
    buffer_free(&out);
    return text;
}

char *cql_board_svg(const char *fen, const CqlBoardOptions *given)
{
    CqlBoardOptions options;
    Position position;
    FenClocks clocks;
    MemoryEscape escape;
    if (!fen || fen_parse(fen, strlen(fen), &position, &clocks) != NULL || setjmp(escape.jump) != 0)
        return NULL;
    memory_escape_begin(&escape);
    char *wrong = options_take(&options, sizeof options, given, "CqlBoardOptions");
    const bool good = !wrong && options.width >= 0 && options.width <= MOST_WIDTH;
    free(wrong);
    char *text = good ? draw(&position, &options) : NULL;
    memory_escape_end(&escape);
    return text;
}
