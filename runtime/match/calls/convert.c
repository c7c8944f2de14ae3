// Conversion to text (language reference 6.11, 7.12).
#include "runtime/match/facts.h"
#include "runtime/match/set_text.h"

static const CqlString piece_letters[PIECE_CODES] = {
    {1, "_"}, {1, "P"}, {1, "N"}, {1, "B"}, {1, "R"}, {1, "Q"}, {1, "K"},
    {1, "p"}, {1, "n"}, {1, "b"}, {1, "r"}, {1, "q"}, {1, "k"},
};

String rt_piece_letter(int32_t piece)
{
    return &piece_letters[piece >= 0 && piece < PIECE_CODES ? piece : EMPTY];
}

String rt_type_letter(int32_t piece)
{
    return &piece_letters[piece >= 0 && piece < PIECE_CODES ? piece_type(piece) : EMPTY];
}

String rt_text_int(Context *c, int32_t value)
{
    char text[12], *const end = text + sizeof text, *next = end;
    uint32_t rest = value < 0 ? 0 - (uint32_t)value : (uint32_t)value;
    do
        *--next = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        *--next = '-';
    return run_string(c, next, (size_t)(end - next));
}

String rt_text_set(Context *c, Bitboard set)
{
    char text[SET_TEXT_MAX];
    return run_string(c, text, (size_t)set_text(set, text));
}

String rt_text_position(Context *c, int32_t position)
{
    const char *const side = c->position[position]->side == WHITE ? "wtm" : "btm";
    const int number = facts_move_number(c, position);
    if (c->node[position].depth == 0)
        return run_format(c, "move %d(%s)", number, side);
    if (c->run->log.wanted)
        rt_log_add(c, position, run_format(c, "id:%d", (int)position));
    return run_format(c, "move %d(%s)[%d]", number, side, (int)position);
}

String rt_text_piece(Context *c, int32_t position, int32_t piece)
{
    const int square = rt_piece_square(c, position, piece);
    if (square == NO_SQUARE)
        return &string_empty;
    char text[3] = {rt_piece_letter(c->position[position]->square[square])->bytes[0]};
    square_name(square, text + 1);
    return run_string(c, text, 3);
}
