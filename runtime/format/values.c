// Values as bytes: a letter; a number in 8 bytes, or the length of a text in 4, the highest first; the text.
#include "values.h"

#include "text.h"

enum { NUMBER_BYTES = 8, LENGTH_BYTES = 4 };

void value_put_none(Buffer *out)
{
    buffer_append(out, "n", 1);
}

static void set_number(char *bytes, int count, uint64_t number)
{
    for (int i = 0; i < count; i++)
        bytes[count - 1 - i] = (char)(number >> 8 * i);
}

void value_put_number(Buffer *out, int64_t number)
{
    char bytes[1 + NUMBER_BYTES] = "i";
    set_number(bytes + 1, NUMBER_BYTES, (uint64_t)number);
    buffer_append(out, bytes, sizeof bytes);
}

void value_put_text(Buffer *out, Text text)
{
    const size_t start = out->length + 1 + LENGTH_BYTES;
    buffer_append(out, "t\0\0\0", 1 + LENGTH_BYTES);
    text_utf8(out, text);
    for (size_t i = start; i < out->length; i++)
        if (out->start[i] == 0)
            out->start[i] = ' ';
    set_number(out->start + start - LENGTH_BYTES, LENGTH_BYTES, out->length - start);
}

void value_put_sort(Buffer *out, const SortValue *value)
{
    if (!value->has_value)
        value_put_none(out);
    else if (value->text)
        value_put_text(out, (Text){value->text->bytes, value->text->length});
    else
        value_put_number(out, value->number);
}

bool value_get(const char **at, const char *end, Value *v)
{
    const char *p = *at;
    const char kind = p < end ? *p++ : 0;
    const int bytes = kind == 'i' ? NUMBER_BYTES : kind == 't' ? LENGTH_BYTES : 0;
    uint64_t number = 0;
    if ((kind != 'n' && bytes == 0) || end - p < bytes)
        return false;
    for (int i = 0; i < bytes; i++)
        number = number << 8 | (unsigned char)*p++;
    if (kind == 't' && number > (uint64_t)(end - p))
        return false;
    *v = (Value){kind == 'n'   ? VALUE_NONE
                 : kind == 'i' ? VALUE_NUMBER
                               : VALUE_TEXT,
                 kind == 'i' ? (int64_t)number : 0,
                 {p, kind == 't' ? (size_t)number : 0}};
    *at = p + v->text.length;
    return true;
}
