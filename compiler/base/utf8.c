// Characters of UTF-8 text: their code points and their width on a terminal.
#include "utf8.h"

size_t utf8_decode(const char *text, size_t available, uint32_t *character)
{
    const unsigned char *b = (const unsigned char *)text;
    if (b[0] < 0x80) {
        *character = b[0];
        return 1;
    }
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = b[0] >= 0xF8 ? 0 : b[0] >= 0xF0 ? 4 : b[0] >= 0xE0 ? 3 : b[0] >= 0xC0 ? 2 : 0;
    if (length == 0 || length > available)
        return 0;
    uint32_t value = b[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((b[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (b[i] & 0x3Fu);
    }
    if (value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 0;
    *character = value;
    return length;
}

int utf8_width(uint32_t c)
{
    if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || (c >= 0xFE00 && c <= 0xFE0F) ||
        c == 0xFEFF)
        return 0;
    if ((c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
        (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
        (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD))
        return 2;
    return 1;
}
