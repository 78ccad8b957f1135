/* The bytes of 64 bytes of JSON by their kinds, as masks: what the structural index and the check of
   what is passed are made of. Each way to find them comes to the same. */
#ifndef CBLOCK_H
#define CBLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "cindex.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define BLOCK CINDEX_BLOCK

#define INLINE static inline __attribute__((always_inline))
#define AVX2 __attribute__((target("avx2,bmi,popcnt")))

/* The bytes of a block by their kind, the first in the lowest bit. */
typedef struct {
  uint64_t quote, backslash;
  uint64_t control; /* 00 to 1F */
  uint64_t space;   /* JSON's white space */
  uint64_t mark;    /* {}[]:, */
  uint64_t high;    /* 80 to FF */
} block_kinds;

/* The marks of a block, whether in strings or not. */
typedef struct {
  uint64_t comma, colon;
  uint64_t open, close; /* brackets of objects and arrays */
} block_marks;

/* The bytes of a block that has some from 80 on. Bits of lower bytes may be set in any of them but
   `follow`. */
typedef struct {
  uint64_t follow;     /* 80 to BF */
  uint64_t three;      /* E0 to FF */
  uint64_t four;       /* F0 to FF */
  uint64_t never;      /* C0, C1, F5 to FF */
} block_lengths;

/* The bytes of a block whose next byte has narrower bounds, and these bounds. */
typedef struct {
  uint64_t e0, ed, f0, f4;
  uint64_t from_90, from_a0;
} block_bounds;

/* What the end of a block leaves to the next one. */
typedef struct {
  uint64_t in_string;    /* all bits if the block ends inside a string */
  uint64_t is_escaped;   /* the next byte follows a backslash */
  uint64_t is_scalar;    /* the last byte belongs to what is neither string, mark nor space */
  uint64_t one, two, three; /* bytes that must follow a lead */
  uint64_t e0, ed, f0, f4;  /* the last byte is this lead */
} carried;

/* The strings of a block.

       bytes       { " i d " : 7 , " \ n " }
       quote         1     1       1     1     those that are not escaped
       string        1 1 1         1 1 1       with the first quote
       escape                        1         backslashes that begin an escape
       wrong                                   controls in strings, what is no UTF-8 */
typedef struct {
  uint64_t quote, string, escape, wrong;
} block_strings;

/* How the kinds are found: one set of functions for each way. */
typedef block_kinds kinds_reader(const uint8_t *);
typedef block_marks marks_reader(const uint8_t *);
typedef block_lengths lengths_reader(const uint8_t *);
typedef block_bounds bounds_reader(const uint8_t *);

/* The characters of the escapes of two bytes, by their second byte (RFC 8259, section 7). */
static const uint8_t short_escapes[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = 0x08,
                                           ['f'] = 0x0C, ['n'] = 0x0A,  ['r'] = 0x0D, ['t'] = 0x09};

/* MARK: One block */

/* Returns the bytes from each set bit on up to the next set bit, without that one. */
INLINE uint64_t between_pairs(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

/* Returns the bytes that follow a backslash which is not escaped itself.

       text      \\\"  \n
       escaped    ^ ^   ^

   The first backslash left escapes the byte after it. Neither begins another escape. */
INLINE uint64_t escaped_bytes(uint64_t backslash, carried *state) {
  uint64_t escaped = state->is_escaped;
  uint64_t left = backslash & ~escaped;
  state->is_escaped = 0;
  while (left != 0) {
    uint64_t first = left & (0 - left);
    escaped |= first << 1;
    state->is_escaped = first >> 63;
    left &= ~(first | first << 1);
  }
  return escaped;
}

/* Returns the bytes at which the block does not continue well-formed UTF-8 (RFC 3629, section 4). A
   character may go on in the next block. */
INLINE uint64_t wrong_utf8(const uint8_t *p, uint64_t high, carried *state, lengths_reader *lengths_of,
                           bounds_reader *bounds_of) {
  block_lengths is = lengths_of(p);
  uint64_t lead = high & ~is.follow, three = high & is.three, four = high & is.four;
  uint64_t wanted = lead << 1 | state->one | three << 2 | state->two | four << 3 | state->three;
  uint64_t wrong = (high & is.never) | (wanted ^ is.follow);
  uint64_t before = state->e0 | state->ed | state->f0 | state->f4;
  state->one = lead >> 63;
  state->two = three >> 62;
  state->three = four >> 61;
  if (three != 0 || before != 0) {
    block_bounds has = bounds_of(p);
    wrong |= is.follow & ~has.from_a0 & (has.e0 << 1 | state->e0);
    wrong |= is.follow & has.from_a0 & (has.ed << 1 | state->ed);
    wrong |= is.follow & ~has.from_90 & (has.f0 << 1 | state->f0);
    wrong |= is.follow & has.from_90 & (has.f4 << 1 | state->f4);
    state->e0 = has.e0 >> 63;
    state->ed = has.ed >> 63;
    state->f0 = has.f0 >> 63;
    state->f4 = has.f4 >> 63;
  }
  return wrong;
}

/* Returns the strings of a block, whose bytes are of these kinds. */
INLINE block_strings strings_of(const uint8_t *p, const block_kinds *is, carried *state,
                                lengths_reader *lengths_of, bounds_reader *bounds_of) {
  uint64_t escaped = 0;
  if ((is->backslash | state->is_escaped) != 0) escaped = escaped_bytes(is->backslash, state);
  uint64_t quote = is->quote & ~escaped;
  uint64_t string = between_pairs(quote) ^ state->in_string;
  uint64_t wrong = is->control & string;
  if ((is->high | state->one | state->two | state->three) != 0)
    wrong |= wrong_utf8(p, is->high, state, lengths_of, bounds_of);
  state->in_string = (uint64_t)((int64_t)string >> 63);
  return (block_strings){quote, string, is->backslash & ~escaped & string, wrong};
}

/* MARK: Byte by byte */

#define EACH_BYTE(mask, condition) \
  for (int i = 0; i < BLOCK; i += 1) { \
    uint8_t b = p[i]; \
    mask |= (uint64_t)(condition) << i; \
  }

INLINE block_kinds kinds_scalar(const uint8_t *p) {
  block_kinds is = {0};
  EACH_BYTE(is.quote, b == '"')
  EACH_BYTE(is.backslash, b == '\\')
  EACH_BYTE(is.control, b < 0x20)
  EACH_BYTE(is.space, b == ' ' || b == '\n' || b == '\r' || b == '\t')
  EACH_BYTE(is.mark, b == '{' || b == '}' || b == '[' || b == ']' || b == ':' || b == ',')
  EACH_BYTE(is.high, b >= 0x80)
  return is;
}

INLINE block_marks marks_scalar(const uint8_t *p) {
  block_marks is = {0};
  EACH_BYTE(is.comma, b == ',')
  EACH_BYTE(is.colon, b == ':')
  EACH_BYTE(is.open, b == '{' || b == '[')
  EACH_BYTE(is.close, b == '}' || b == ']')
  return is;
}

INLINE block_lengths lengths_scalar(const uint8_t *p) {
  block_lengths is = {0};
  EACH_BYTE(is.follow, b >= 0x80 && b < 0xC0)
  EACH_BYTE(is.three, b >= 0xE0)
  EACH_BYTE(is.four, b >= 0xF0)
  EACH_BYTE(is.never, b == 0xC0 || b == 0xC1 || b >= 0xF5)
  return is;
}

INLINE block_bounds bounds_scalar(const uint8_t *p) {
  block_bounds has = {0};
  EACH_BYTE(has.e0, b == 0xE0)
  EACH_BYTE(has.ed, b == 0xED)
  EACH_BYTE(has.f0, b == 0xF0)
  EACH_BYTE(has.f4, b == 0xF4)
  EACH_BYTE(has.from_90, b >= 0x90)
  EACH_BYTE(has.from_a0, b >= 0xA0)
  return has;
}

/* MARK: Sixteen bytes at a time */

#if defined(__SSE2__)

#define EACH_16(mask, condition) \
  for (int i = 0; i < BLOCK; i += 16) { \
    __m128i v = _mm_loadu_si128((const __m128i *)(p + i)); \
    mask |= (uint64_t)(unsigned)_mm_movemask_epi8(condition) << i; \
  }
#define IS_16(byte) _mm_cmpeq_epi8(v, _mm_set1_epi8((char)(byte)))
#define FROM_16(byte) _mm_cmpeq_epi8(_mm_max_epu8(v, _mm_set1_epi8((char)(byte))), v)

INLINE block_kinds kinds_sse2(const uint8_t *p) {
  block_kinds is = {0};
  EACH_16(is.quote, IS_16('"'))
  EACH_16(is.backslash, IS_16('\\'))
  EACH_16(is.control, _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v))
  EACH_16(is.space, _mm_or_si128(_mm_or_si128(IS_16(' '), IS_16('\n')),
                                 _mm_or_si128(IS_16('\r'), IS_16('\t'))))
  for (int i = 0; i < BLOCK; i += 16) {
    /* [ is 5B and { is 7B, ] is 5D and } is 7D. */
    __m128i u = _mm_loadu_si128((const __m128i *)(p + i));
    __m128i v = _mm_or_si128(u, _mm_set1_epi8(0x20));
    __m128i bracket = _mm_or_si128(IS_16('{'), IS_16('}'));
    v = u;
    __m128i mark = _mm_or_si128(bracket, _mm_or_si128(IS_16(':'), IS_16(',')));
    is.mark |= (uint64_t)(unsigned)_mm_movemask_epi8(mark) << i;
    is.high |= (uint64_t)(unsigned)_mm_movemask_epi8(u) << i;
  }
  return is;
}

INLINE block_marks marks_sse2(const uint8_t *p) {
  block_marks is = {0};
  EACH_16(is.comma, IS_16(','))
  EACH_16(is.colon, IS_16(':'))
  for (int i = 0; i < BLOCK; i += 16) {
    __m128i u = _mm_loadu_si128((const __m128i *)(p + i));
    __m128i v = _mm_or_si128(u, _mm_set1_epi8(0x20));
    is.open |= (uint64_t)(unsigned)_mm_movemask_epi8(IS_16('{')) << i;
    is.close |= (uint64_t)(unsigned)_mm_movemask_epi8(IS_16('}')) << i;
  }
  return is;
}

INLINE block_lengths lengths_sse2(const uint8_t *p) {
  block_lengths is = {0};
  /* As numbers with a sign, 80 to BF are the lowest. */
  EACH_16(is.follow, _mm_cmplt_epi8(v, _mm_set1_epi8((char)0xC0)))
  EACH_16(is.three, _mm_cmpgt_epi8(v, _mm_set1_epi8((char)0xDF)))
  EACH_16(is.four, _mm_cmpgt_epi8(v, _mm_set1_epi8((char)0xEF)))
  EACH_16(is.never, _mm_or_si128(FROM_16(0xF5),
                                 _mm_cmpeq_epi8(_mm_and_si128(v, _mm_set1_epi8((char)0xFE)),
                                                _mm_set1_epi8((char)0xC0))))
  return is;
}

INLINE block_bounds bounds_sse2(const uint8_t *p) {
  block_bounds has = {0};
  EACH_16(has.e0, IS_16(0xE0))
  EACH_16(has.ed, IS_16(0xED))
  EACH_16(has.f0, IS_16(0xF0))
  EACH_16(has.f4, IS_16(0xF4))
  EACH_16(has.from_90, FROM_16(0x90))
  EACH_16(has.from_a0, FROM_16(0xA0))
  return has;
}

/* MARK: Thirty-two bytes at a time */

#define EACH_32(mask, condition) \
  for (int i = 0; i < BLOCK; i += 32) { \
    __m256i v = _mm256_loadu_si256((const __m256i *)(p + i)); \
    mask |= (uint64_t)(uint32_t)_mm256_movemask_epi8(condition) << i; \
  }
#define IS_32(byte) _mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)(byte)))
#define FROM_32(byte) _mm256_cmpeq_epi8(_mm256_max_epu8(v, _mm256_set1_epi8((char)(byte))), v)

AVX2 INLINE block_kinds kinds_avx2(const uint8_t *p) {
  /* A shuffle takes the byte of the table that the lower four bits name, and 0 from 80 on. */
  const __m256i spaces = _mm256_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0,
                                          ' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0);
  const __m256i marks = _mm256_setr_epi8(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0,
                                         1, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0);
  block_kinds is = {0};
  EACH_32(is.quote, IS_32('"'))
  EACH_32(is.backslash, IS_32('\\'))
  EACH_32(is.control, _mm256_cmpeq_epi8(_mm256_min_epu8(v, _mm256_set1_epi8(0x1F)), v))
  EACH_32(is.high, v)
  EACH_32(is.space, _mm256_cmpeq_epi8(_mm256_shuffle_epi8(spaces, v), v))
  for (int i = 0; i < BLOCK; i += 32) {
    /* With bit 20 set, a square bracket is a brace; a comma and a colon have it. But 0C and 1A get
       it too, which are controls. */
    __m256i v = _mm256_loadu_si256((const __m256i *)(p + i));
    __m256i upper = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
    __m256i mark = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(marks, v), upper);
    is.mark |= (uint64_t)(uint32_t)_mm256_movemask_epi8(mark) << i;
  }
  is.mark &= ~is.control;
  return is;
}

AVX2 INLINE block_marks marks_avx2(const uint8_t *p) {
  block_marks is = {0};
  EACH_32(is.comma, IS_32(','))
  EACH_32(is.colon, IS_32(':'))
  for (int i = 0; i < BLOCK; i += 32) {
    __m256i u = _mm256_loadu_si256((const __m256i *)(p + i));
    __m256i v = _mm256_or_si256(u, _mm256_set1_epi8(0x20));
    is.open |= (uint64_t)(uint32_t)_mm256_movemask_epi8(IS_32('{')) << i;
    is.close |= (uint64_t)(uint32_t)_mm256_movemask_epi8(IS_32('}')) << i;
  }
  return is;
}

AVX2 INLINE block_lengths lengths_avx2(const uint8_t *p) {
  block_lengths is = {0};
  EACH_32(is.follow, _mm256_cmpgt_epi8(_mm256_set1_epi8((char)0xC0), v))
  EACH_32(is.three, _mm256_cmpgt_epi8(v, _mm256_set1_epi8((char)0xDF)))
  EACH_32(is.four, _mm256_cmpgt_epi8(v, _mm256_set1_epi8((char)0xEF)))
  EACH_32(is.never, _mm256_or_si256(FROM_32(0xF5),
                                    _mm256_cmpeq_epi8(
                                        _mm256_and_si256(v, _mm256_set1_epi8((char)0xFE)),
                                        _mm256_set1_epi8((char)0xC0))))
  return is;
}

AVX2 INLINE block_bounds bounds_avx2(const uint8_t *p) {
  block_bounds has = {0};
  EACH_32(has.e0, IS_32(0xE0))
  EACH_32(has.ed, IS_32(0xED))
  EACH_32(has.f0, IS_32(0xF0))
  EACH_32(has.f4, IS_32(0xF4))
  EACH_32(has.from_90, FROM_32(0x90))
  EACH_32(has.from_a0, FROM_32(0xA0))
  return has;
}

#endif

#endif
