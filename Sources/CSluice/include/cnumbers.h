/* The numbers of a list of JSON in the next 64 bytes, as masks (SSE2). */
#ifndef CNUMBERS_H
#define CNUMBERS_H

#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The bytes of a list, a bit each, the first in the lowest:

       bytes      1 2 . 5 0 , - 3 ,   0 . 5 ] , 7
       digits     1 1   1 1     1     1   1     1
       points         1                 1
       minuses                1
       zeros              1           1           those that are '0'
       spaces                       1             blanks and line breaks
       commas               1     1           1
       brackets                             1     those that end a list */
struct cnumbers_bytes {
  uint64_t digits, points, minuses, zeros, spaces, commas, brackets;
};

/* Numbers that stand one after the other, each with what ends it.

       bytes      1 2 . 5 0 , - 3 ,   0 . 5 ] , 7
       starts     1           1       1         1   the last one has no end here
       ends                 1     1         1     a comma or the bracket of the list
       fractions            1               1     the ends of those with a fraction */
struct cnumbers {
  uint64_t starts, ends, fractions;
};

static inline struct cnumbers_bytes cnumbers_bytes_at(const uint8_t *p) {
  struct cnumbers_bytes bytes = {0, 0, 0, 0, 0, 0, 0};
#if defined(__SSE2__)
#define CNUMBERS_MASK(v) ((uint64_t)(unsigned)_mm_movemask_epi8(v) << i)
  for (int i = 0; i < 64; i += 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)(p + i));
    __m128i n = _mm_sub_epi8(v, _mm_set1_epi8('0'));
    __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')),
                                 _mm_cmpeq_epi8(v, _mm_set1_epi8('\n')));
    bytes.digits |= CNUMBERS_MASK(_mm_cmpeq_epi8(_mm_min_epu8(n, _mm_set1_epi8(9)), n));
    bytes.points |= CNUMBERS_MASK(_mm_cmpeq_epi8(v, _mm_set1_epi8('.')));
    bytes.minuses |= CNUMBERS_MASK(_mm_cmpeq_epi8(v, _mm_set1_epi8('-')));
    bytes.zeros |= CNUMBERS_MASK(_mm_cmpeq_epi8(v, _mm_set1_epi8('0')));
    bytes.spaces |= CNUMBERS_MASK(blank);
    bytes.commas |= CNUMBERS_MASK(_mm_cmpeq_epi8(v, _mm_set1_epi8(',')));
    bytes.brackets |= CNUMBERS_MASK(_mm_cmpeq_epi8(v, _mm_set1_epi8(']')));
  }
#undef CNUMBERS_MASK
#else
  for (int i = 0; i < 64; i += 1) {
    uint64_t bit = (uint64_t)1 << i;
    if (p[i] >= '0' && p[i] <= '9') bytes.digits |= bit;
    if (p[i] == '.') bytes.points |= bit;
    if (p[i] == '-') bytes.minuses |= bit;
    if (p[i] == '0') bytes.zeros |= bit;
    if (p[i] == ' ' || p[i] == '\n') bytes.spaces |= bit;
    if (p[i] == ',') bytes.commas |= bit;
    if (p[i] == ']') bytes.brackets |= bit;
  }
#endif
  return bytes;
}

/* Returns the numbers from p on (RFC 8259, section 6) that end in the 64 bytes at p, up to the first one that has
   an exponent, or a blank after it, or is none. Blanks may stand after a comma. What is not surely right is
   left out with all that follows it. So all numbers are checked together, and none waits for the one before. */
static inline struct cnumbers cnumbers_at(const uint8_t *p) {
  struct cnumbers_bytes is = cnumbers_bytes_at(p);
  uint64_t other = ~(is.digits | is.points | is.minuses | is.spaces | is.commas | is.brackets);
  uint64_t ends = is.commas | is.brackets;
  /* What begins after a comma, or after blanks that follow it. */
  uint64_t begun = (is.commas | is.spaces) << 1;
  uint64_t starts = (begun | 1) & ~is.spaces;
  uint64_t signs = is.minuses & starts;
  uint64_t first = signs << 1 | (starts & ~signs);
  /* A sum carries from the digit after a point past the last digit of the fraction. */
  uint64_t fractions = (is.digits + (is.points << 1)) & ~is.digits;
  uint64_t after_digit = is.digits << 1;

  uint64_t wrong = other | is.brackets << 1;
  wrong |= is.spaces & ~begun;
  wrong |= is.minuses & ~starts;
  wrong |= first & ~is.digits;
  wrong |= (first & is.zeros) << 1 & is.digits;
  wrong |= (is.points | ends) & ~after_digit;
  wrong |= is.points << 1 & ~is.digits;
  wrong |= is.points & fractions;
  /* Those before the first wrong byte. */
  ends &= (wrong & -wrong) - 1;
  return (struct cnumbers){starts, ends, fractions & ends};
}

#endif
