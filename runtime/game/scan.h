// Fast searches in PGN text: line ends, braces, the bytes that can end a game. Internal to runtime/game.
// All functions look at [p, end) only and return `end` when nothing is found.
#ifndef CQL_GAME_SCAN_H
#define CQL_GAME_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/value/cpu.h"

#ifdef __SSE2__
#include <immintrin.h>
#define SCAN_WIDE CPU_WIDE
#endif

// The bytes that matter to the splitter in movetext: ( ) * { % ; [ and the middle of a result token: - / :
static inline bool scan_is_mark(unsigned char c)
{
    switch (c) {
    case '(':
    case ')':
    case '*':
    case '{':
    case '%':
    case ';':
    case '[':
    case '-':
    case '/':
    case ':':
        return true;
    default:
        return false;
    }
}

#ifdef __SSE2__
static inline __m128i scan_load(const char *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline __m128i scan_equal(__m128i v, char c)
{
    return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

// The marks among 16 bytes. Some pairs of marks differ in one bit and share a comparison.
static inline unsigned scan_marks(__m128i v)
{
    __m128i braces = scan_equal(_mm_or_si128(v, _mm_set1_epi8(0x20)), '{'); // [ {
    __m128i colons = scan_equal(_mm_or_si128(v, _mm_set1_epi8(0x01)), ';'); // : ;
    __m128i dashes = scan_equal(_mm_or_si128(v, _mm_set1_epi8(0x02)), '/'); // - /
    __m128i closes = scan_equal(_mm_or_si128(v, _mm_set1_epi8(0x01)), ')'); // ( )
    __m128i others = _mm_or_si128(scan_equal(v, '*'), scan_equal(v, '%'));
    __m128i all = _mm_or_si128(_mm_or_si128(braces, colons), _mm_or_si128(dashes, closes));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(all, others));
}
#endif

static inline const char *scan_mark(const char *p, const char *end)
{
#ifdef __SSE2__
    for (; end - p >= 16; p += 16) {
        const unsigned found = scan_marks(scan_load(p));
        if (found)
            return p + __builtin_ctz(found);
    }
#endif
    while (p < end && !scan_is_mark((unsigned char)*p))
        p++;
    return p;
}

#ifdef __SSE2__
// The bytes `a` or `b` among 16.
static inline unsigned scan_both(__m128i v, char a, char b)
{
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(scan_equal(v, a), scan_equal(v, b)));
}
#endif

// The next `a` or `b`.
static inline const char *scan_either(const char *p, const char *end, char a, char b)
{
#ifdef __SSE2__
    for (; end - p >= 32; p += 32) {
        const unsigned found = scan_both(scan_load(p), a, b) | scan_both(scan_load(p + 16), a, b) << 16;
        if (found)
            return p + __builtin_ctz(found);
    }
#endif
    while (p < end && *p != a && *p != b)
        p++;
    return p;
}

static inline const char *scan_brace(const char *p, const char *end)
{
    return scan_either(p, end, '{', '}');
}

static inline const char *scan_line_end(const char *p, const char *end)
{
    return scan_either(p, end, '\n', '\r');
}

// The lines of a tag section at the 32 bytes p, which three more bytes follow: where they may end to be lines of one tag, that is,
// line ends that no '[' follows, and ']' that no line end follows; the line ends before "[F", "[R", "[V" and "[ ", in either case,
// as FEN, Result, Rules and Variant begin; and those before "[?v" and "[ ", as Event begins. Bit 0 for the first byte.
typedef struct ScanTagLines {
    uint32_t ends, names, events;
} ScanTagLines;
enum { SCAN_TAG_LINES = 32, SCAN_TAG_LINES_BYTES = SCAN_TAG_LINES + 3 };

static inline ScanTagLines scan_tag_lines(const char *p)
{
    ScanTagLines lines = {0};
#ifdef __SSE2__
    for (int i = 0; i < SCAN_TAG_LINES; i += 16) {
        const __m128i v = scan_load(p + i), second = scan_load(p + i + 2), space = _mm_set1_epi8(' ');
        const __m128i next = scan_load(p + i + 1), third = scan_equal(scan_load(p + i + 3), 'v');
        const __m128i feed = scan_equal(v, '\n'), bracket = scan_equal(next, '[');
        const __m128i goes_on = _mm_andnot_si128(scan_equal(next, '\n'), scan_equal(v, ']'));
        const __m128i ends =
            _mm_or_si128(_mm_or_si128(scan_equal(v, '\r'), goes_on), _mm_andnot_si128(bracket, feed));
        const __m128i small = _mm_or_si128(second, space);
        const __m128i letters = _mm_or_si128(_mm_or_si128(scan_equal(small, 'f'), scan_equal(small, 'v')),
                                             scan_equal(small, 'r'));
        const __m128i blank = _mm_cmpeq_epi8(_mm_min_epu8(second, space), second);
        const __m128i line = _mm_and_si128(feed, bracket);
        const __m128i names = _mm_and_si128(line, _mm_or_si128(letters, blank));
        const __m128i events = _mm_and_si128(line, _mm_or_si128(third, blank));
        lines.ends |= (uint32_t)_mm_movemask_epi8(ends) << i;
        lines.names |= (uint32_t)_mm_movemask_epi8(names) << i;
        lines.events |= (uint32_t)_mm_movemask_epi8(events) << i;
    }
#else
    for (int i = 0; i < SCAN_TAG_LINES; i++) {
        const bool line = p[i] == '\n' && p[i + 1] == '[', more = p[i] == ']' && p[i + 1] != '\n';
        const bool blank = (unsigned char)p[i + 2] <= ' ';
        const int small = p[i + 2] | ' ';
        lines.ends |= (uint32_t)(p[i] == '\r' || more || (p[i] == '\n' && !line)) << i;
        lines.names |= (uint32_t)(line && (small == 'f' || small == 'r' || small == 'v' || blank)) << i;
        lines.events |= (uint32_t)(line && (p[i + 3] == 'v' || blank)) << i;
    }
#endif
    return lines;
}

#ifdef SCAN_WIDE
SCAN_WIDE static inline __m256i scan_equal_32(const char *p, char c)
{
    return _mm256_cmpeq_epi8(_mm256_loadu_si256((const void *)p), _mm256_set1_epi8(c));
}

SCAN_WIDE static inline ScanTagLines scan_tag_lines_wide(const char *p)
{
    const __m256i second = _mm256_loadu_si256((const void *)(p + 2)), space = _mm256_set1_epi8(' ');
    const __m256i small = _mm256_or_si256(second, space),
                  r_is_v = _mm256_or_si256(small, _mm256_set1_epi8('r' ^ 'v'));
    const __m256i feed = scan_equal_32(p, '\n'), line = _mm256_and_si256(feed, scan_equal_32(p + 1, '['));
    const __m256i goes_on = _mm256_andnot_si256(scan_equal_32(p + 1, '\n'), scan_equal_32(p, ']'));
    const __m256i ends =
        _mm256_or_si256(_mm256_or_si256(scan_equal_32(p, '\r'), goes_on), _mm256_xor_si256(feed, line));
    const __m256i blank = _mm256_cmpeq_epi8(_mm256_min_epu8(second, space), second);
    const __m256i letters = _mm256_or_si256(_mm256_cmpeq_epi8(small, _mm256_set1_epi8('f')),
                                            _mm256_cmpeq_epi8(r_is_v, _mm256_set1_epi8('v')));
    const __m256i names = _mm256_and_si256(line, _mm256_or_si256(letters, blank));
    const __m256i events = _mm256_and_si256(line, _mm256_or_si256(scan_equal_32(p + 3, 'v'), blank));
    return (ScanTagLines){(uint32_t)_mm256_movemask_epi8(ends), (uint32_t)_mm256_movemask_epi8(names),
                          (uint32_t)_mm256_movemask_epi8(events)};
}
#else
#define scan_tag_lines_wide scan_tag_lines
#endif

typedef struct ScanTag {
    size_t open, close;
} ScanTag;

#ifdef __SSE2__
static inline uint64_t scan_bits(__m128i low, __m128i middle, __m128i high)
{
    const unsigned first = (unsigned)_mm_movemask_epi8(low) | (unsigned)_mm_movemask_epi8(middle) << 16;
    return first | (uint64_t)(unsigned)_mm_movemask_epi8(high) << 32;
}

static inline __m128i scan_at_most(__m128i v, char c)
{
    return _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(c)), v);
}

static inline __m128i scan_control_or_backslash(__m128i v)
{
    return _mm_or_si128(scan_at_most(v, 0x1F), scan_equal(v, '\\'));
}
#endif

// The places of the quotes of the tag at p, '[', if it is `[Name "Value"]` before LF, with quotes in the first 48 bytes and no
// backslash or control character. {0, 0}: it may be something else.
static inline ScanTag scan_tag(const char *p, const char *end)
{
    const ScanTag none = {0, 0};
#ifdef __SSE2__
    if (end - p < 50)
        return none;
    const __m128i a = scan_load(p), b = scan_load(p + 16), c = scan_load(p + 32);
    const uint64_t quotes = scan_bits(scan_equal(a, '"'), scan_equal(b, '"'), scan_equal(c, '"')),
                   second = quotes & (quotes - 1);
    if (second == 0)
        return none;
    const uint64_t blanks = scan_bits(scan_at_most(a, ' '), scan_at_most(b, ' '), scan_at_most(c, ' '));
    const uint64_t others =
        scan_bits(scan_control_or_backslash(a), scan_control_or_backslash(b), scan_control_or_backslash(c));
    const size_t open = (size_t)__builtin_ctzll(quotes), close = (size_t)__builtin_ctzll(second);
    const uint64_t name = (1ULL << open) - 1, value = (1ULL << close) - 1; // the bytes before the quotes
    if (open > 2 && (blanks & name) == 1ULL << (open - 1) && (others & value) == 0 && p[close + 1] == ']' &&
        p[close + 2] == '\n')
        return (ScanTag){open, close};
#else
    (void)p, (void)end;
#endif
    return none;
}

// The next `"`, backslash or line end.
static inline const char *scan_value(const char *p, const char *end)
{
#ifdef __SSE2__
    for (; end - p >= 16; p += 16) {
        const __m128i v = scan_load(p);
        const unsigned found = scan_both(v, '"', '\\') | scan_both(v, '\n', '\r');
        if (found)
            return p + __builtin_ctz(found);
    }
#endif
    while (p < end && *p != '"' && *p != '\\' && *p != '\n' && *p != '\r')
        p++;
    return p;
}

// Is there a byte below `limit`?
static inline bool scan_has_below(const char *p, const char *end, unsigned char limit)
{
#ifdef __SSE2__
    if (end - p >= 16) {
        const __m128i least = _mm_set1_epi8((char)limit);
        __m128i most = scan_load(end - 16), other = most; // the smallest byte of each of 16 columns
        for (; end - p >= 32; p += 32) {
            most = _mm_min_epu8(most, scan_load(p));
            other = _mm_min_epu8(other, scan_load(p + 16));
        }
        if (end - p >= 16)
            other = _mm_min_epu8(other, scan_load(p));
        most = _mm_min_epu8(most, other);
        return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(most, least), most)) != 0xFFFF;
    }
#endif
    while (p < end && (unsigned char)*p >= limit)
        p++;
    return p < end;
}

static inline bool scan_is_space(char c)
{
    return c == ' ' || c == '\n';
}

// Skips a check mark, except one that may begin an evaluation, like +-.
static inline const char *scan_check_mark(const char *p, const char *end)
{
    return end - p > 1 && (*p == '#' || (*p == '+' && scan_is_space(p[1]))) ? p + 1 : p;
}

// Of bytes that are digits, bit 0 for the first: those that end four or more. `before`: bits 0-2 are for the three bytes before them.
static inline uint64_t scan_fourth_digits(uint64_t digits, uint64_t before)
{
    const uint64_t second = digits & (digits << 1 | before >> 2);
    return second & (second << 2 | (before & before << 1) >> 1);
}

// scan_numbers, byte by byte.
static __attribute__((noinline, unused)) const char *scan_numbers_slowly(const char *p, const char *end)
{
    enum { MOST = 64 };
    const char *q = p;
    int digits = 0;
    for (; q < end; q++) {
        const bool digit = *q >= '0' && *q <= '9';
        if (q - p == MOST || (*q == '0' && digits == 0))
            return p;
        digits = digit ? digits + 1 : 0;
        if (digits == 4)
            return p;
        if (!digit && !scan_is_space(*q) && *q != '.')
            break;
    }
    return q;
}

// Skips spaces, digits and dots. Returns `p` where a number may be more than that, because it begins with 0 or has four digits, as a
// move in numbers has, and where they go on for very long: readers that find no move after them read them one by one, and ask again
// each time.
static inline __attribute__((always_inline)) const char *scan_numbers(const char *p, const char *end)
{
#ifdef __SSE2__
    if (end - p >= 16) {
        if (*p == ' ' && p[1] > '9')
            return p + 1;
        const __m128i v = scan_load(p), digit = _mm_sub_epi8(v, _mm_set1_epi8('0'));
        const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
        const __m128i spaces = _mm_or_si128(scan_equal(v, ' '), scan_equal(v, '\n'));
        const __m128i skipped = _mm_or_si128(_mm_or_si128(spaces, digits), scan_equal(v, '.'));
        const unsigned others = ~(unsigned)_mm_movemask_epi8(skipped);
        const unsigned zeros = (unsigned)_mm_movemask_epi8(scan_equal(v, '0'));
        const unsigned in_number = (unsigned)_mm_movemask_epi8(digits), after = in_number << 1;
        const unsigned second = in_number & after, fourth = second & second << 2;
        const unsigned run = (others & -others) - 1;
        if (run < 0xFFFF)
            return ((zeros & ~after) | fourth) & run ? p : p + __builtin_ctz(others);
    }
#endif
    return scan_numbers_slowly(p, end);
}

static inline bool scan_is_number(char c)
{
    return (c >= '0' && c <= '9') || c == '.';
}

#ifdef __SSE2__
// The bytes of 16 that are in [low, low + range].
static inline __m128i scan_range(__m128i v, char low, char range)
{
    const __m128i above = _mm_sub_epi8(v, _mm_set1_epi8(low));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8(range)), above);
}
#endif

#ifdef __SSE2__
// The bytes that a normal comment does not have.
static inline __m128i scan_not_normal(__m128i v)
{
    const __m128i braces = _mm_or_si128(scan_equal(v, '{'), scan_equal(v, '}'));
    return _mm_or_si128(_mm_or_si128(braces, scan_range(v, '\t', '\r' - '\t')), scan_equal(v, 0));
}
#endif

// Are there no braces, no white space but spaces, and no two spaces next to each other?
static inline bool scan_is_normal(const char *p, const char *end)
{
#ifdef __SSE2__
    // Blocks overlap by a byte, so that two spaces next to each other are together in one of them.
    const size_t length = (size_t)(end - p);
    if (length >= 16) {
        unsigned found = 0;
        for (const char *last = end - 16;; p = last - p < 15 ? last : p + 15) {
            const __m128i v = scan_load(p);
            const unsigned spaces = (unsigned)_mm_movemask_epi8(scan_equal(v, ' '));
            found |= (unsigned)_mm_movemask_epi8(scan_not_normal(v)) | (spaces & spaces << 1);
            if (p == last)
                return found == 0;
        }
    }
    if (length >= 8) {
        const __m128i first = _mm_loadl_epi64((const void *)p),
                      last = _mm_loadl_epi64((const void *)(end - 8));
        const __m128i v = _mm_unpacklo_epi64(first, last), spaces = scan_equal(v, ' ');
        const __m128i pairs = _mm_and_si128(spaces, _mm_slli_epi64(spaces, 8));
        return _mm_movemask_epi8(_mm_or_si128(scan_not_normal(v), pairs)) == 0;
    }
#endif
    for (bool space = false; p < end; p++) {
        if (*p == '{' || *p == '}' || *p == 0 || (*p >= '\t' && *p <= '\r') || (space && *p == ' '))
            return false;
        space = *p == ' ';
    }
    return true;
}

// What 64 bytes of movetext are, bit 0 for the first: those that are neither white space nor digits nor dots; zeros
// that no digit comes before, which may begin more than a number; the digits from the fourth one of a number on, which may be a
// move; the braces { and }.
typedef struct ScanText {
    uint64_t others, open, close;
    uint64_t digits; // the three last bytes, as `before` of the next 64
} ScanText;

// Of 64 bytes of which `digits` are digits those that may be more than a number. `before`: as in scan_fourth_digits.
static inline uint64_t scan_more_than_number(uint64_t digits, uint64_t zeros, uint64_t before)
{
    return (zeros & ~(digits << 1 | before >> 2)) | scan_fourth_digits(digits, before);
}

// The 64 bytes at p. `before`: which of the three bytes before them are digits, as in scan_fourth_digits.
static inline ScanText scan_text(const char *p, uint64_t before)
{
    uint64_t skipped = 0, zeros = 0, digits = 0;
    ScanText text = {0};
#ifdef __SSE2__
    for (int i = 0; i < 64; i += 16) {
        const __m128i v = scan_load(p + i), in_number = scan_range(v, '0', 9);
        const __m128i white = _mm_or_si128(scan_equal(v, ' '), scan_range(v, '\t', '\r' - '\t'));
        const __m128i all = _mm_or_si128(_mm_or_si128(white, in_number), scan_equal(v, '.'));
        skipped |= (uint64_t)(unsigned)_mm_movemask_epi8(all) << i;
        digits |= (uint64_t)(unsigned)_mm_movemask_epi8(in_number) << i;
        zeros |= (uint64_t)(unsigned)_mm_movemask_epi8(scan_equal(v, '0')) << i;
        text.open |= (uint64_t)(unsigned)_mm_movemask_epi8(scan_equal(v, '{')) << i;
        text.close |= (uint64_t)(unsigned)_mm_movemask_epi8(scan_equal(v, '}')) << i;
    }
#else
    for (int i = 0; i < 64; i++) {
        const bool white = p[i] == ' ' || (p[i] >= '\t' && p[i] <= '\r');
        skipped |= (uint64_t)(white || scan_is_number(p[i])) << i;
        digits |= (uint64_t)(scan_is_number(p[i]) && p[i] != '.') << i;
        zeros |= (uint64_t)(p[i] == '0') << i;
        text.open |= (uint64_t)(p[i] == '{') << i;
        text.close |= (uint64_t)(p[i] == '}') << i;
    }
#endif
    text.others = ~skipped | scan_more_than_number(digits, zeros, before);
    text.digits = digits >> 61;
    return text;
}

// Bit i: the number of the bits 0 ... i that are set is odd.
static inline uint64_t scan_parity(uint64_t bits)
{
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    return bits ^ bits << 32;
}

// Of 64 bytes those after which a comment goes on. *comments: the bytes of comments, braces included. `inside`: all bits if a
// comment goes on after the bytes before, or 0. *wrong: braces in comments, and those that close none; unless there are none,
// the masks mean nothing.
static inline uint64_t scan_comments(uint64_t open, uint64_t close, uint64_t inside, uint64_t *comments,
                                     uint64_t *wrong)
{
    const uint64_t after = scan_parity(open | close) ^ inside;
    *comments = after | close;
    *wrong = (open & ~after) | (close & after);
    return after;
}

#ifdef SCAN_WIDE
SCAN_WIDE static inline uint64_t scan_mask_wide(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

// Classes of bytes by their two hexadecimal digits: 0 for ScanText.others, the high bit for digits.
SCAN_WIDE static inline __m256i scan_classes_wide(__m256i v)
{
    enum { CONTROL = 1, SPACE_OR_DOT = 2, DIGIT = -128 };
    const __m256i by_second = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                      DIGIT | SPACE_OR_DOT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT,
                      DIGIT | CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, SPACE_OR_DOT, 0)),
                  by_first = _mm256_broadcastsi128_si256(
                      _mm_setr_epi8(CONTROL, 0, SPACE_OR_DOT, DIGIT, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i first = _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15));
    return _mm256_and_si256(_mm256_shuffle_epi8(by_second, v), _mm256_shuffle_epi8(by_first, first));
}

// The bytes that are `c`.
SCAN_WIDE static inline uint64_t scan_equal_wide(__m256i low, __m256i high, char c)
{
    const __m256i all = _mm256_set1_epi8(c);
    return scan_mask_wide(_mm256_cmpeq_epi8(low, all), _mm256_cmpeq_epi8(high, all));
}

SCAN_WIDE static inline ScanText scan_text_wide(const char *p, uint64_t before)
{
    const __m256i low = _mm256_loadu_si256((const void *)p),
                  high = _mm256_loadu_si256((const void *)(p + 32));
    const __m256i low_class = scan_classes_wide(low), high_class = scan_classes_wide(high);
    const __m256i none = _mm256_setzero_si256();
    const uint64_t zeros = scan_equal_wide(low, high, '0'), digits = scan_mask_wide(low_class, high_class);
    return (ScanText){
        .others = scan_mask_wide(_mm256_cmpeq_epi8(low_class, none), _mm256_cmpeq_epi8(high_class, none)) |
                  scan_more_than_number(digits, zeros, before),
        .open = scan_equal_wide(low, high, '{'),
        .close = scan_equal_wide(low, high, '}'),
        .digits = digits >> 61};
}

// Of 64 bytes, bit 0 for the first: the marks; { and }; spaces and line feeds.
typedef struct ScanMarks {
    uint64_t marks, open, close, white;
} ScanMarks;

// Classes of bytes by their two hexadecimal digits: 0 for those that are not marks, the high bit for {, the next one for }.
SCAN_WIDE static inline __m256i scan_mark_classes_wide(__m256i v)
{
    enum { SIGN = 1, COLON = 2, BRACKET = 4, OPEN = -128, CLOSE = 64 };
    const __m256i by_second =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 0, 0, SIGN, 0, 0, SIGN, SIGN, SIGN | COLON,
                                                  COLON | BRACKET | OPEN, 0, SIGN | CLOSE, 0, SIGN));
    const __m256i by_first = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, SIGN, COLON, 0, BRACKET, 0, OPEN | CLOSE, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i first = _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15));
    return _mm256_and_si256(_mm256_shuffle_epi8(by_second, v), _mm256_shuffle_epi8(by_first, first));
}

SCAN_WIDE static inline ScanMarks scan_marks_wide(const char *p)
{
    const __m256i low = _mm256_loadu_si256((const void *)p),
                  high = _mm256_loadu_si256((const void *)(p + 32));
    const __m256i low_class = scan_mark_classes_wide(low), high_class = scan_mark_classes_wide(high);
    return (ScanMarks){.marks = ~scan_equal_wide(low_class, high_class, 0),
                       .open = scan_mask_wide(low_class, high_class),
                       .close = scan_mask_wide(_mm256_add_epi8(low_class, low_class),
                                               _mm256_add_epi8(high_class, high_class)),
                       .white = scan_equal_wide(low, high, ' ') | scan_equal_wide(low, high, '\n')};
}

// Of the marks of 64 bytes those that digits of a result are next to, if they are - / or :, and all others.
SCAN_WIDE static inline uint64_t scan_results_wide(const char *p, uint64_t marks)
{
    const __m256i low = _mm256_loadu_si256((const void *)p),
                  high = _mm256_loadu_si256((const void *)(p + 32)), two = _mm256_set1_epi8(2);
    const __m256i low_digit = _mm256_sub_epi8(low, _mm256_set1_epi8('0')),
                  high_digit = _mm256_sub_epi8(high, _mm256_set1_epi8('0'));
    const uint64_t digits = scan_mask_wide(_mm256_cmpeq_epi8(_mm256_min_epu8(low_digit, two), low_digit),
                                           _mm256_cmpeq_epi8(_mm256_min_epu8(high_digit, two), high_digit));
    const uint64_t joins =
        scan_equal_wide(low, high, '-') | scan_equal_wide(low, high, '/') | scan_equal_wide(low, high, ':');
    return marks & (~joins | ((digits << 1 | 1) & (digits >> 1 | 1ULL << 63)));
}
#endif

// The line ends in [p, to), where `end` is the end of the text.
static inline uint64_t scan_count_line_ends(const char *p, const char *to, const char *end)
{
    uint64_t lines = 0;
#ifdef __SSE2__
    for (; to - p >= 17; p += 16) {
        const __m128i v = scan_load(p), next = scan_load(p + 1);
        const __m128i lone = _mm_andnot_si128(scan_equal(next, '\n'), scan_equal(v, '\r'));
        const unsigned found = (unsigned)_mm_movemask_epi8(_mm_or_si128(scan_equal(v, '\n'), lone));
        lines += (uint64_t)__builtin_popcount(found);
    }
#endif
    for (; p < to; p++)
        lines += *p == '\n' || (*p == '\r' && !(end - p > 1 && p[1] == '\n'));
    return lines;
}

#ifdef SCAN_WIDE
// Files with CR are left to scan_count_line_ends.
SCAN_WIDE static inline uint64_t scan_count_lines_wide(const char *p, const char *end)
{
    uint64_t lines = 0;
    for (; end - p >= 64; p += 64) {
        const __m256i low = _mm256_loadu_si256((const void *)p),
                      high = _mm256_loadu_si256((const void *)(p + 32));
        if (scan_equal_wide(low, high, '\r'))
            break;
        lines += (uint64_t)__builtin_popcountll(scan_equal_wide(low, high, '\n'));
    }
    return lines + scan_count_line_ends(p, end, end);
}
#endif

// The number of lines that end in [p, end): LF, CRLF and a lone CR each end one. A CR at `end` counts.
static inline uint64_t scan_count_lines(const char *p, const char *end)
{
#ifdef SCAN_WIDE
    if (cpu_is_wide())
        return scan_count_lines_wide(p, end);
#endif
    return scan_count_line_ends(p, end, end);
}

#endif
