// Fast searches in PGN text: line ends, braces, the bytes that can end a game. Internal to runtime/game.
// All functions look at [p, end) only and return `end` when nothing is found.
#ifndef CQL_GAME_SCAN_H
#define CQL_GAME_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
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

static inline bool scan_is_space(char c)
{
    return c == ' ' || c == '\n';
}

// Skips a check mark, except one that may begin an evaluation, like +-.
static inline const char *scan_check_mark(const char *p, const char *end)
{
    return end - p > 1 && (*p == '#' || (*p == '+' && scan_is_space(p[1]))) ? p + 1 : p;
}

// Skips spaces, digits and dots. Returns `p` where a number may be more than that: it begins with 0.
static inline const char *scan_numbers(const char *p, const char *end)
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
        const unsigned first_zeros = zeros & ~((unsigned)_mm_movemask_epi8(digits) << 1);
        const unsigned run = (others & -others) - 1;
        if (run < 0xFFFF)
            return first_zeros & run ? p : p + __builtin_ctz(others);
    }
#endif
    const char *q = p;
    for (; q < end; q++) {
        const bool digit = *q >= '0' && *q <= '9';
        if (*q == '0' && !(q > p && q[-1] >= '0' && q[-1] <= '9'))
            return p;
        if (!digit && !scan_is_space(*q) && *q != '.')
            break;
    }
    return q;
}

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

#ifdef __SSE2__
// Counts the LF among 64 bytes in columns of *count and remembers in *returns whether there was a CR.
static inline void scan_count_64(const char *p, __m128i *count, __m128i *returns)
{
    const __m128i a = scan_load(p), b = scan_load(p + 16), c = scan_load(p + 32), d = scan_load(p + 48);
    const __m128i first = _mm_add_epi8(scan_equal(a, '\n'), scan_equal(b, '\n'));
    const __m128i second = _mm_add_epi8(scan_equal(c, '\n'), scan_equal(d, '\n'));
    *count = _mm_sub_epi8(*count, _mm_add_epi8(first, second));
    // one of the bytes is CR where the smaller of their distances to it is 0
    const __m128i cr = _mm_set1_epi8('\r');
    const __m128i ab = _mm_min_epu8(_mm_xor_si128(a, cr), _mm_xor_si128(b, cr));
    const __m128i cd = _mm_min_epu8(_mm_xor_si128(c, cr), _mm_xor_si128(d, cr));
    *returns = _mm_min_epu8(*returns, _mm_min_epu8(ab, cd));
}
#endif

// The number of lines that end in [p, end): LF, CRLF and a lone CR each end one. A CR at `end` counts.
static inline uint64_t scan_count_lines(const char *p, const char *end)
{
    uint64_t lines = 0;
#ifdef __SSE2__
    while (end - p >= 64) {
        const char *from = p;
        const __m128i zero = _mm_setzero_si128();
        __m128i count = zero, returns = _mm_set1_epi8(-1); // count: of each of 16 columns, up to 252
        for (int i = 0; i < 63 && end - p >= 64; i++, p += 64)
            scan_count_64(p, &count, &returns);
        const __m128i sums = _mm_sad_epu8(count, zero), high = _mm_unpackhi_epi64(sums, sums);
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(returns, zero)) == 0)
            lines += (uint64_t)_mm_cvtsi128_si64(sums) + (uint64_t)_mm_cvtsi128_si64(high);
        else
            lines += scan_count_line_ends(from, p, end);
    }
#endif
    return lines + scan_count_line_ends(p, end, end);
}

#endif
