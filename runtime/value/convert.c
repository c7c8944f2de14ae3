// Conversion to text (language reference 6.11, 7.12).
#include <stdio.h>

#include "runtime/match/run_state.h"

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
    char text[16];
    const int length = snprintf(text, sizeof text, "%d", (int)value);
    return run_string(c, text, (size_t)length);
}

static int put_square(char *out, int square)
{
    out[0] = (char)('a' + square_file(square));
    out[1] = (char)('1' + square_rank(square));
    return 2;
}

int set_text(Bitboard set, char out[SET_TEXT_MAX])
{
    if (bb_count(set) == 1)
        return put_square(out, bb_first(set));
    int length = 0;
    out[length++] = '[';
    for (; set; set &= set - 1) {
        length += put_square(out + length, bb_first(set));
        if (set & (set - 1))
            out[length++] = ',';
    }
    out[length++] = ']';
    return length;
}

String rt_text_set(Context *c, Bitboard set)
{
    char text[SET_TEXT_MAX];
    return run_string(c, text, (size_t)set_text(set, text));
}

int position_name(const Context *c, int32_t position, char out[POSITION_NAME_MAX])
{
    const Node *node = &c->node[position];
    const int side = c->position[position]->side;
    // Black made the first move: Black is to move at an even ply, or White at an odd one.
    const int black_began = (node->ply ^ side) & 1;
    int length = snprintf(out, POSITION_NAME_MAX, "move %d(%s)", (node->ply + black_began) / 2 + 1,
                          side == WHITE ? "wtm" : "btm");
    if (node->depth > 0)
        length += snprintf(out + length, POSITION_NAME_MAX - (size_t)length, "[%d]", (int)position);
    return length;
}

String rt_text_position(Context *c, int32_t position)
{
    char text[POSITION_NAME_MAX];
    if (c->node[position].depth > 0 && c->run->logging) {
        const int length = snprintf(text, sizeof text, "id:%d", (int)position);
        rt_log_add(c, position, run_string(c, text, (size_t)length));
    }
    return run_string(c, text, (size_t)position_name(c, position, text));
}

String rt_text_piece(Context *c, int32_t position, int32_t piece)
{
    const int square = rt_piece_square(c, position, piece);
    if (square == NO_SQUARE)
        return &run_empty;
    char text[3] = {rt_piece_letter(c->position[position]->square[square])->bytes[0]};
    put_square(text + 1, square);
    return run_string(c, text, 3);
}

// ---- dictionaries ----------------------------------------------------------------------------------------

static void append_slot(Context *c, Buffer *b, int32_t type, Slot slot)
{
    char text[SET_TEXT_MAX];
    String name;
    switch (type) {
    case DICT_INT:
        buffer_format(b, "%d", (int)slot.i);
        break;
    case DICT_SET:
        buffer_append(b, text, (size_t)set_text(slot.s, text));
        break;
    case DICT_STRING:
        buffer_append(b, slot.t->bytes, slot.t->length);
        break;
    default:
        name = rt_text_position(c, slot.i);
        buffer_append(b, name->bytes, name->length);
    }
}

String rt_text_dictionary(Context *c, int32_t dictionary)
{
    const Dictionary *d = &c->run->dictionary[dictionary];
    Buffer *b = &c->run->scratch;
    b->length = 0;
    buffer_format(b, "Dictionary %s with %d entries: \n", c->query->dictionary[dictionary].name,
                  (int)d->size);
    for (DictEntry *e = dict_above(d, NULL); e; e = dict_above(d, &e->key)) {
        append_slot(c, b, d->key_type, e->key);
        buffer_text(b, ": ");
        append_slot(c, b, d->value_type, e->value);
        buffer_text(b, "\n");
    }
    return run_string(c, b->start, b->length);
}
