/* White space of texts (Unicode's property White_Space), sixteen bytes at a time if the processor can (SSE2).
   A text is tidy if it has none but single spaces between other characters, and no controls 00..1F. All
   texts are well-formed UTF-8, and end after a whole character.

       У ю т · — · 5         tidy: what begins with E2, as the dash, may be white space, and is not
       У ю т · · 5           not tidy: two spaces
       У ю т ⍽ 5             not tidy: a no-break space, C2 A0 */
#ifndef CSPACE_H
#define CSPACE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Returns whether a byte of UTF-8 may begin white space, other than a space: 00..1F, which include all
   other ASCII white space, C2, and E1 to E3. */
static inline int cspace_may_begin(uint8_t byte) {
  return byte < 0x20 || byte == 0xC2 || (byte > 0xE0 && byte < 0xE4);
}

/* Returns whether the character at p, whose first byte cspace_may_begin names, is white space or a control. */
static inline int cspace_begins(const uint8_t *p) {
  if (*p < 0x20) return 1;
  if (*p == 0xC2) return p[1] == 0x85 || p[1] == 0xA0;
  switch ((unsigned)*p << 16 | (unsigned)p[1] << 8 | p[2]) {
    case 0xE19A80: case 0xE280A8: case 0xE280A9: case 0xE280AF: case 0xE2819F: case 0xE38080: return 1;
    default: return p[0] == 0xE2 && p[1] == 0x80 && p[2] <= 0x8A;
  }
}

#if defined(__SSE2__)
/* Returns the mask of the bytes among 16 that cspace_may_begin names. */
static inline unsigned cspace_candidates(__m128i v) {
  return (unsigned)_mm_movemask_epi8(_mm_or_si128(
      _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v),
      _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xC2)),
                   _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8((char)0xE0)),
                                 _mm_cmplt_epi8(v, _mm_set1_epi8((char)0xE4))))));
}
#endif

/* Returns the mask of those bytes that begin white space or are controls, among the bytes in `mask` that may:
   bit i is p[i]. Texts have few of them: quotation marks, dashes. */
static inline unsigned cspace_confirmed(unsigned mask, const uint8_t *p) {
  for (unsigned rest = mask; rest != 0; rest &= rest - 1)
    if (!cspace_begins(p + __builtin_ctz(rest))) mask ^= rest & -rest;
  return mask;
}

/* Returns whether the text of n bytes is tidy. Reads up to 32 bytes after the n. */
static inline int cspace_is_tidy(const uint8_t *p, size_t n) {
#if defined(__SSE2__)
  unsigned before = 1; /* whether a space is before p: the start counts as one */
  size_t i = 0;
  do { /* at least once: an empty text needs no branch of its own */
    __m128i first = _mm_loadu_si128((const __m128i *)(p + i));
    __m128i second = _mm_loadu_si128((const __m128i *)(p + i + 16));
    __m128i blank = _mm_set1_epi8(' ');
    unsigned mask = n - i >= 32 ? 0xFFFFFFFFu : (1u << (n - i)) - 1u;
    unsigned space = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(first, blank)) |
                     (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(second, blank)) << 16;
    unsigned untidy = (cspace_candidates(first) | cspace_candidates(second) << 16) & mask;
    if ((space & ((space << 1) | before) & mask) != 0) return 0;
    if (untidy != 0 && cspace_confirmed(untidy, p + i) != 0) return 0;
    before = space >> 31;
    i += 32;
  } while (i < n);
  return n == 0 || p[n - 1] != ' ';
#else
  unsigned before = 1;
  for (size_t i = 0; i < n; i += 1) {
    if (cspace_may_begin(p[i]) && cspace_begins(p + i)) return 0;
    if (p[i] == ' ' && before) return 0;
    before = p[i] == ' ';
  }
  return n == 0 || !before;
#endif
}

/* Copies the bytes from src to dst that are before the first of the n that makes them untidy. Returns their
   number. `before` is whether a space is before src: the start of a text counts as one. Reads only the n
   bytes. dst must have 16 bytes of room after as many. */
static inline size_t cspace_copy_tidy(uint8_t *dst, const uint8_t *src, size_t n, unsigned before) {
  size_t i = 0;
#if defined(__SSE2__)
  while (i < n) {
    uint8_t last[16] = {0};
    size_t rest = n - i;
    const uint8_t *from = src + i;
    if (rest < 16) {
      memcpy(last, from, rest);
      from = last;
    }
    __m128i v = _mm_loadu_si128((const __m128i *)from);
    _mm_storeu_si128((__m128i *)(dst + i), v);
    unsigned mask = rest < 16 ? (1u << rest) - 1u : 0xFFFFu;
    unsigned space = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')));
    unsigned stops = space & ((space << 1) | before) & mask;
    stops |= cspace_confirmed(cspace_candidates(v) & mask, src + i);
    if (stops != 0) return i + (size_t)__builtin_ctz(stops);
    before = space >> 15;
    i += 16;
  }
#else
  for (; i < n; i += 1) {
    uint8_t byte = src[i];
    if ((cspace_may_begin(byte) && cspace_begins(src + i)) || (byte == ' ' && before)) return i;
    before = byte == ' ';
    dst[i] = byte;
  }
#endif
  return n;
}

#endif
