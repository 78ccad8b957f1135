/* The places to look at in the next 64 bytes of JSON, as masks (SSE2). */
#ifndef CWINDOW_H
#define CWINDOW_H

#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The bytes in a window, a bit each, the first in the lowest:

       bytes    " i d " : 7 , " a " : " Ж " }
       quotes   1     1       1   1   1   1
       stops                            1       inside a string: escapes, controls, not ASCII
       ends                 1               1   after a number or a literal name: separators, space */
struct cwindow {
  uint64_t quotes, stops, ends;
};

/* Returns the places in the 64 bytes at p. */
static inline struct cwindow cwindow_of(const uint8_t *p) {
  struct cwindow window = {0, 0, 0};
#if defined(__SSE2__)
  for (int i = 0; i < 64; i += 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)(p + i));
    /* As signed bytes, those from 80 on are less than 20 too. */
    __m128i quotes = _mm_cmpeq_epi8(v, _mm_set1_epi8('"'));
    __m128i stops = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')),
                                 _mm_cmplt_epi8(v, _mm_set1_epi8(0x20)));
    __m128i closing = _mm_cmpeq_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('}'));
    __m128i ends = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(',')), closing),
                                _mm_cmplt_epi8(v, _mm_set1_epi8(0x21)));
    window.quotes |= (uint64_t)(unsigned)_mm_movemask_epi8(quotes) << i;
    window.stops |= (uint64_t)(unsigned)_mm_movemask_epi8(stops) << i;
    window.ends |= (uint64_t)(unsigned)_mm_movemask_epi8(ends) << i;
  }
#else
  for (int i = 0; i < 64; i += 1) {
    uint8_t b = p[i];
    window.quotes |= (uint64_t)(b == '"') << i;
    window.stops |= (uint64_t)(b == '\\' || b < 0x20 || b >= 0x80) << i;
    window.ends |= (uint64_t)(b == ',' || (b | 0x20) == '}' || b <= 0x20 || b >= 0x80) << i;
  }
#endif
  return window;
}

#endif
