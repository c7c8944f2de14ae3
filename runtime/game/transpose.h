// Move words of several games side by side.
#ifndef CQL_TRANSPOSE_H
#define CQL_TRANSPOSE_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "lines.h"

// Writes LINE_LANES rows: word i of each lane is in row i.
static inline void line_transpose(const uint16_t *const lane[LINE_LANES], uint16_t *row)
{
#ifdef __SSE2__
    __m128i a[LINE_LANES], b[LINE_LANES];
    for (int i = 0; i < LINE_LANES; i++)
        a[i] = _mm_loadu_si128((const void *)lane[i]);
    for (int i = 0; i < 4; i++) {
        b[2 * i] = _mm_unpacklo_epi16(a[i], a[i + 4]);
        b[2 * i + 1] = _mm_unpackhi_epi16(a[i], a[i + 4]);
    }
    for (int i = 0; i < 4; i++) {
        a[2 * i] = _mm_unpacklo_epi16(b[i], b[i + 4]);
        a[2 * i + 1] = _mm_unpackhi_epi16(b[i], b[i + 4]);
    }
    for (int i = 0; i < 4; i++) {
        _mm_storeu_si128((void *)(row + 2 * i * LINE_LANES), _mm_unpacklo_epi16(a[i], a[i + 4]));
        _mm_storeu_si128((void *)(row + (2 * i + 1) * LINE_LANES), _mm_unpackhi_epi16(a[i], a[i + 4]));
    }
#else
    for (int i = 0; i < LINE_LANES; i++)
        for (int k = 0; k < LINE_LANES; k++)
            row[i * LINE_LANES + k] = lane[k][i];
#endif
}

#endif
