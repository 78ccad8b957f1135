/* Values of JSON, read by whole vectors if the processor can (SSE2). */
#ifndef CVALUE_H
#define CVALUE_H

#include <stddef.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Returns the length of the number at p (RFC 8259, section 6) if it has at most 15 characters and no
   exponent. Sets *whole to whether it has no fraction. Returns 0 for anything else, which needs a
   closer look. What follows the number is not checked, but for a digit after a leading zero. Reads 16
   bytes from p on.

       bytes    - 1 2 . 5 0 ,
       digits     1 1   1 1        a bit each
                  └ n   └ the run after the point */
static inline size_t cvalue_number(const uint8_t *p, int *whole) {
#if defined(__SSE2__)
  __m128i v = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)p), _mm_set1_epi8('0'));
  unsigned digits =
      (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(9)), v));
  size_t at = *p == '-';
  size_t n = (size_t)__builtin_ctz(~(digits >> at));
  if (n == 0 || (n > 1 && p[at] == '0')) return 0;
  at += n;
  if (at > 15) return 0;
  *whole = p[at] != '.';
  if (p[at] == '.') {
    n = (size_t)__builtin_ctz(~(digits >> (at + 1)));
    if (n == 0) return 0;
    at += 1 + n;
    if (at > 15) return 0;
  }
  return (p[at] | 0x20) == 'e' ? 0 : at;
#else
  (void)p;
  (void)whole;
  return 0;
#endif
}

#endif
