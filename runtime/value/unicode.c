// Characters of UTF-8, their case and their accents.
#include "unicode.h"

#include <string.h>

size_t unicode_decode(const char *text, size_t length, uint32_t *character)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)*text;
    const size_t bytes = first < 0x80   ? 1
                         : first < 0xC2 ? 0
                         : first < 0xE0 ? 2
                         : first < 0xF0 ? 3
                         : first < 0xF5 ? 4
                                        : 0;
    if (bytes == 0 || bytes > length)
        return 0;
    uint32_t value = bytes == 1 ? first : first & (0x7Fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | ((unsigned char)text[i] & 0x3F);
    }
    if (value < least[bytes] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return 0;
    *character = value;
    return bytes;
}

size_t unicode_encode(uint32_t character, char out[4])
{
    if (character < 0x80) {
        out[0] = (char)character;
        return 1;
    }
    const size_t bytes = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = bytes - 1; i > 0; i--, character >>= 6)
        out[i] = (char)(0x80 | (character & 0x3F));
    out[0] = (char)(0xF00u >> bytes | character);
    return bytes;
}

size_t unicode_length(const char *text, size_t length)
{
    uint32_t character;
    const size_t bytes = unicode_decode(text, length, &character);
    return bytes ? bytes : 1;
}

size_t unicode_count(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; count++)
        i += unicode_length(text + i, length - i);
    return count;
}

size_t unicode_prefix(const char *text, size_t length, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count && bytes < length; i++)
        bytes += unicode_length(text + bytes, length - bytes);
    return bytes;
}

// Characters of no column, and of two, by Unicode's categories Mn, Me and Cf and its East Asian widths W and F, in blocks.
static size_t width_of(uint32_t c)
{
    static const struct {
        uint32_t first, last;
        size_t width;
    } ranges[] = {{0x300, 0x36F, 0},     {0x483, 0x489, 0},    {0x591, 0x5BD, 0},     {0x610, 0x61A, 0},
                  {0x64B, 0x65F, 0},     {0x1100, 0x115F, 2},  {0x1AB0, 0x1AFF, 0},   {0x1DC0, 0x1DFF, 0},
                  {0x200B, 0x200F, 0},   {0x20D0, 0x20FF, 0},  {0x2E80, 0x303E, 2},   {0x3041, 0x33FF, 2},
                  {0x3400, 0x4DBF, 2},   {0x4E00, 0xA4CF, 2},  {0xA960, 0xA97F, 2},   {0xAC00, 0xD7A3, 2},
                  {0xF900, 0xFAFF, 2},   {0xFE00, 0xFE0F, 0},  {0xFE20, 0xFE2F, 0},   {0xFE30, 0xFE6F, 2},
                  {0xFF00, 0xFF60, 2},   {0xFFE0, 0xFFE6, 2},  {0x1F300, 0x1F64F, 2}, {0x1F900, 0x1F9FF, 2},
                  {0x20000, 0x3FFFD, 2}, {0xE0100, 0xE01EF, 0}};
    for (size_t i = 0; c >= ranges[0].first && i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return ranges[i].width;
    return 1;
}

// The columns of the text; *length becomes that of the beginning which fits into `most` of them.
static size_t count_columns(const char *text, size_t *length, size_t most)
{
    size_t used = 0;
    for (size_t i = 0, bytes; i < *length; i += bytes) {
        uint32_t character = 0;
        bytes = unicode_decode(text + i, *length - i, &character);
        const size_t width = bytes > 0 ? width_of(character) : 1;
        bytes += bytes == 0;
        if (used + width > most) {
            *length = i;
            break;
        }
        used += width;
    }
    return used;
}

size_t unicode_fit(const char *text, size_t length, size_t columns)
{
    count_columns(text, &length, columns);
    return length;
}

size_t unicode_columns(const char *text, size_t length)
{
    return count_columns(text, &length, SIZE_MAX);
}

bool unicode_is_ascii(const char *text, size_t length)
{
    uint64_t all = 0;
    size_t i = 0;
    for (; i + sizeof all <= length; i += sizeof all) {
        uint64_t bytes;
        memcpy(&bytes, text + i, sizeof bytes);
        all |= bytes;
    }
    for (; i < length; i++)
        all |= (unsigned char)text[i];
    return !(all & 0x8080808080808080u);
}

bool unicode_is_valid(const char *text, size_t length)
{
    if (unicode_is_ascii(text, length))
        return true;
    uint32_t character;
    for (size_t i = 0, bytes; i < length; i += bytes)
        if ((bytes = unicode_decode(text + i, length - i, &character)) == 0)
            return false;
    return true;
}

void unicode_append_byte(Buffer *out, bool latin, char byte)
{
    const unsigned char c = (unsigned char)byte;
    const char wide[2] = {(char)(0xC0 | c >> 6), (char)(0x80 | (c & 0x3F))};
    if (latin && c >= 0x80)
        buffer_append(out, wide, 2);
    else
        buffer_append(out, &byte, 1);
}

void unicode_append(Buffer *out, const char *text, size_t length)
{
    if (unicode_is_valid(text, length)) {
        buffer_append(out, text, length);
        return;
    }
    for (size_t i = 0; i < length; i++)
        unicode_append_byte(out, true, text[i]);
}

bool unicode_append_latin(Buffer *out, const char *text, size_t length)
{
    const size_t start = out->length;
    uint32_t character;
    for (size_t i = 0, bytes; i < length; i += bytes) {
        bytes = unicode_decode(text + i, length - i, &character);
        if (bytes == 0 || character > 0xFF) {
            out->length = start;
            return false;
        }
        const char byte = (char)character;
        buffer_append(out, &byte, 1);
    }
    return true;
}

// The case of the characters first, first + step ... last.
typedef struct Fold {
    uint32_t first, last;
    int32_t step, difference;
} Fold;

static const Fold upper_fold[] = {
#define FOLD_BOTH(first, last, step, difference) {first, last, step, difference},
#define FOLD_UPPER(first, last, step, difference) {first, last, step, difference},
#define FOLD_LOWER(first, last, step, difference)
#include "unicode_case.def"
};

#undef FOLD_BOTH
#undef FOLD_UPPER
#undef FOLD_LOWER

static const Fold lower_fold[] = {
#define FOLD_BOTH(first, last, step, difference) {first + difference, last + difference, step, -(difference)},
#define FOLD_UPPER(first, last, step, difference)
#define FOLD_LOWER(first, last, step, difference) {first, last, step, difference},
#include "unicode_case.def"
};

// `first`: the first letter of ASCII that has another case.
static uint32_t folded(uint32_t character, char first, const Fold *fold, size_t count)
{
    if (character < 0x80)
        return character - (unsigned char)first < 26 ? character ^ 0x20 : character;
    for (size_t i = 0; i < count; i++)
        if (character >= fold[i].first && character <= fold[i].last &&
            (character - fold[i].first) % (uint32_t)fold[i].step == 0)
            return character + (uint32_t)fold[i].difference;
    return character;
}

uint32_t unicode_upper(uint32_t character)
{
    return folded(character, 'a', upper_fold, sizeof upper_fold / sizeof *upper_fold);
}

uint32_t unicode_lower(uint32_t character)
{
    return folded(character, 'A', lower_fold, sizeof lower_fold / sizeof *lower_fold);
}

typedef struct Base {
    uint32_t first, last, step;
    const char *letters;
} Base;

static const Base bases[] = {
#define BASE(first, last, step, letters) {first, last, step, letters},
#include "unicode_base.def"
};

// Appends a small letter beyond ASCII without its accent.
static void append_base(Buffer *out, uint32_t letter)
{
    char bytes[4];
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (letter >= bases[i].first && letter <= bases[i].last &&
            (letter - bases[i].first) % bases[i].step == 0) {
            buffer_text(out, bases[i].letters);
            return;
        }
    buffer_append(out, bytes, unicode_encode(letter, bytes));
}

void unicode_append_folded(Buffer *out, const char *text, size_t length)
{
    uint32_t character;
    for (size_t i = 0, bytes; i < length; i += bytes) {
        char *to = buffer_room(out, length - i);
        for (bytes = 0; i + bytes < length && (unsigned char)text[i + bytes] < 0x80; bytes++)
            to[bytes] = (char)unicode_lower((unsigned char)text[i + bytes]);
        out->length += bytes;
        if (bytes > 0)
            continue;
        bytes = unicode_decode(text + i, length - i, &character);
        if (bytes == 0)
            buffer_append(out, text + i, bytes = 1);
        else if (character < 0x300 || character > 0x36F) // not a combining mark
            append_base(out, unicode_lower(character));
    }
}
