/* Values of JSON, read by whole vectors if the processor can (SSE2). */
#ifndef CVALUE_H
#define CVALUE_H

#include <stddef.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Returns the mask of the digits among 32 bytes, the first in the lowest bit. */
static inline uint64_t cvalue_digits(const uint8_t *p) {
  uint64_t mask = 0;
#if defined(__SSE2__)
  for (int i = 0; i < 32; i += 16) {
    __m128i v = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(p + i)), _mm_set1_epi8('0'));
    __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(9)), v);
    mask |= (uint64_t)(unsigned)_mm_movemask_epi8(digit) << i;
  }
#else
  for (int i = 0; i < 32; i += 1) mask |= (uint64_t)(p[i] >= '0' && p[i] <= '9') << i;
#endif
  return mask;
}

/* Returns the length of the number at p (RFC 8259, section 6) if it has at most 30 characters and no
   exponent. Sets *whole to whether it has no fraction. Returns 0 for anything else, which needs a
   closer look. What follows the number is not checked, but for a digit after a leading zero. Reads 32
   bytes.

       bytes    - 1 2 . 5 0 ,
       digits     1 1   1 1        a bit each
                  └ n   └ the run after the point */
static inline size_t cvalue_number(const uint8_t *p, int *whole) {
  uint64_t digits = cvalue_digits(p);
  size_t at = p[0] == '-';
  size_t n = (size_t)__builtin_ctzll(~(digits >> at));
  if (n == 0 || (n > 1 && p[at] == '0')) return 0;
  at += n;
  if (at > 30) return 0;
  *whole = p[at] != '.';
  if (p[at] == '.') {
    at += 1;
    n = (size_t)__builtin_ctzll(~(digits >> at));
    if (n == 0) return 0;
    at += n;
  }
  return at > 30 || (p[at] | 0x20) == 'e' ? 0 : at;
}

#endif
