// Comments with clocks and evaluations, on their way into databases and back. Internal to runtime/game.
#ifndef CQL_GAME_CLOCKS_H
#define CQL_GAME_CLOCKS_H

#include <string.h>

#include "game_memory.h"

// Most times are `h:mm:ss]`, which is read as a whole: the digits, with 0 between them. There are 8 bytes at p.
static inline bool clocks_usual_time(const char *p, uint8_t digit[8])
{
    static const char form[9] = "0:00:00]";
    // bytes of 0 to 9 stay without their high bits when this is added, others than 0 where no digit is expected do not
    static const uint8_t room[8] = {0x76, 0x7F, 0x76, 0x76, 0x7F, 0x76, 0x76, 0x7F};
    uint64_t bytes, expected, more;
    memcpy(&bytes, p, sizeof bytes);
    memcpy(&expected, form, sizeof expected);
    memcpy(&more, room, sizeof more);
    bytes ^= expected;
    memcpy(digit, &bytes, sizeof bytes);
    return !(((bytes + more) | bytes) & 0x8080808080808080u);
}

// Its value in hundredths of a second.
static inline int32_t clocks_time_of(const uint8_t digit[8])
{
    return 100 * (3600 * digit[0] + 600 * digit[2] + 60 * digit[3] + 10 * digit[5] + digit[6]);
}

// For game_pack_clocks: adds what a comment after a ply of the main line says, and returns it. Plies come in order.
NoteClocks clocks_add_ply(struct GameMemory *m, int32_t ply, const char *comment, const char *end);

// The forms of comments that follow from their values, bits of a byte that is not 0: ` {[%clk 0:01:02]}`, with spaces
// inside the braces, with `[%eval 0.25] ` before the clock.
enum { CLOCKS_COMMENT = 32, CLOCKS_SPACES = 1, CLOCKS_WITH_EVAL = 2 };
enum { CLOCKS_COMMENT_MAX = 64 };

// The form of the comment between the pointers, with the space before it, which says *c; 0: another.
unsigned clocks_form(const NoteClocks *c, const char *comment, const char *end);

// As clocks_add_ply and clocks_form for the most frequent comments with a clock; *after: their end. 0, and nothing added:
// another comment.
unsigned clocks_add_usual(struct GameMemory *m, int32_t ply, const char *comment, const char *end,
                          const char **after);

// Whether the form exists and *c has its values.
bool clocks_form_is_known(unsigned form, const NoteClocks *c);

// Writes a comment of a known form. Returns its length.
size_t clocks_write(unsigned form, const NoteClocks *c, char out[CLOCKS_COMMENT_MAX]);

#endif
