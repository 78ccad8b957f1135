/* The structural index of a piece of JSON: the places of the bytes that a tokenizer has to look at.

       piece    {"city": "Ж\"", "no": -1.5}
       entries  ^^    ^^ ^  ^ ^^^  ^^ ^   ^

   An entry is the place of a bracket, a comma or a colon outside of strings, of both quotes of a
   string, of the backslash of each escape in it, or of the first byte of anything else: a number, a
   literal name, or what does not belong there. So a string without escapes is what stands between
   two entries that follow each other, and a number ends before the next entry or before white space.

   The piece begins outside of strings. What is covered by the index is well-formed UTF-8 as far as
   strings go that end in it, and has no control characters in strings. The grammar, numbers, names
   and escapes are left to the reader. */
#ifndef CINDEX_H
#define CINDEX_H

#include <stddef.h>
#include <stdint.h>

#include "cscan.h"

/* Bytes of a block: one bit of a word for each. */
#define CINDEX_BLOCK 64
/* Entries that an index may write in excess of the bytes of its piece. */
#define CINDEX_SLACK 16

/* The ways to make an index. All come to the same. */
enum cindex_way { CINDEX_SCALAR, CINDEX_SSE2, CINDEX_AVX2 };

typedef struct {
  size_t entries; /* their number */
  size_t length;  /* the bytes that they cover, whole blocks */
} cindex_extent;

/* Returns the fastest way that the processor knows. */
int cindex_best_way(void);

/* Indexes whole blocks from p on, 64 KiB at most. Stops before the first block with something wrong
   in a string. Reads the blocks only. `entries` has room for as many as there are bytes, and slack. */
cindex_extent cindex_make(const uint8_t *p, size_t blocks, uint16_t *entries, int way);

/* Returns the value of the four hexadecimal digits at p, or -1. */
int cindex_unit(const uint8_t *p);

/* Decodes the n bytes of a string between its quotes, which an index covers. Returns the number of
   bytes written, or -1 if an escape is wrong. Reads up to 16 bytes after the n. dst has room
   for n bytes and 16 more. */
ptrdiff_t cindex_unescape(uint8_t *dst, const uint8_t *src, size_t n);

/* Returns whether the escapes of such a string are right: those whose backslashes are at `count`
   entries of the piece. Reads up to 5 bytes after the string. */
int cindex_are_escapes(const uint8_t *piece, const uint16_t *entries, size_t count);

/* Returns the mask of the digits among 32 bytes, the first in the lowest bit. */
static inline uint64_t cindex_digits(const uint8_t *p) {
#if defined(__SSE2__)
  uint64_t mask = 0;
  for (int i = 0; i < 32; i += 16) {
    __m128i v = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(p + i)), _mm_set1_epi8('0'));
    __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(9)), v);
    mask |= (uint64_t)(unsigned)_mm_movemask_epi8(digit) << i;
  }
  return mask;
#else
  uint64_t mask = 0;
  for (int i = 0; i < 32; i += 1) mask |= (uint64_t)(p[i] >= '0' && p[i] <= '9') << i;
  return mask;
#endif
}

/* Returns the length of the number at p (RFC 8259, section 6). Returns 0 if there is none, if it has
   an exponent, or if it has more than 30 characters: then a closer look is needed. What follows it
   is not checked. Reads 32 bytes. */
static inline size_t cindex_number(const uint8_t *p) {
  uint64_t digits = cindex_digits(p);
  unsigned at = p[0] == '-';
  unsigned count = (unsigned)__builtin_ctzll(~(digits >> at));
  if (count == 0 || (count > 1 && p[at] == '0')) return 0;
  at += count;
  if (at > 30) return 0;
  if (p[at] == '.') {
    at += 1;
    count = (unsigned)__builtin_ctzll(~(digits >> at));
    if (count == 0) return 0;
    at += count;
  }
  return at > 30 || (p[at] | 0x20) == 'e' ? 0 : at;
}

/* Returns four bytes as one number, to compare them at once. */
static inline uint32_t cindex_four(const uint8_t *p) {
  uint32_t four;
  memcpy(&four, p, 4);
  return four;
}

#endif
