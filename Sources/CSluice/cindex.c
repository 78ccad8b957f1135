#include "cindex.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif
#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define KNOWS_PROCESSOR 1
#endif
#endif

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

/* How the kinds are found: one set of functions for each way. */
typedef block_kinds kinds_reader(const uint8_t *);
typedef block_lengths lengths_reader(const uint8_t *);
typedef block_bounds bounds_reader(const uint8_t *);

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

/* Returns whether the block continues well-formed UTF-8 (RFC 3629, section 4). A character may go on
   in the next block. */
INLINE int is_utf8(const uint8_t *p, uint64_t high, carried *state, lengths_reader *lengths_of,
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
  return wrong == 0;
}

/* Writes the places of set bits, eight at a time: most blocks then take no branch that is hard to
   foretell. Returns the end of what is written. */
INLINE uint16_t *put_places(uint16_t *entries, uint64_t bits, size_t place) {
  uint16_t *end = entries + __builtin_popcountll(bits);
  do {
    for (int i = 0; i < 8; i += 1) {
      /* Without a bit left any number will do: it is overwritten, or behind the end. */
      entries[i] = (uint16_t)(place + (size_t)__builtin_ctzll(bits | 1ull << 63));
      bits &= bits - 1;
    }
    entries += 8;
  } while (bits != 0);
  return end;
}

/* MARK: All blocks */

INLINE cindex_extent make(const uint8_t *p, size_t blocks, uint16_t *entries, kinds_reader *kinds_of,
                          lengths_reader *lengths_of, bounds_reader *bounds_of) {
  uint16_t *end = entries;
  carried state = {0};
  size_t place = 0;
  for (; place < blocks * CINDEX_BLOCK; place += CINDEX_BLOCK) {
    block_kinds is = kinds_of(p + place);
    uint64_t escaped = 0;
    if ((is.backslash | state.is_escaped) != 0) escaped = escaped_bytes(is.backslash, &state);
    uint64_t quote = is.quote & ~escaped;
    uint64_t string = between_pairs(quote) ^ state.in_string; /* with the first quote */
    if ((is.control & string) != 0) break;
    if ((is.high | state.one | state.two | state.three) != 0 &&
        !is_utf8(p + place, is.high, &state, lengths_of, bounds_of))
      break;
    uint64_t scalar = ~(is.mark | is.space | quote);
    uint64_t first = scalar & ~(scalar << 1 | state.is_scalar);
    uint64_t outside = (is.mark | first) & ~string;
    end = put_places(end, outside | quote | (is.backslash & ~escaped & string), place);
    state.in_string = (uint64_t)((int64_t)string >> 63);
    state.is_scalar = scalar >> 63;
  }
  return (cindex_extent){(size_t)(end - entries), place};
}

/* MARK: Byte by byte */

#define EACH_BYTE(mask, condition) \
  for (int i = 0; i < CINDEX_BLOCK; i += 1) { \
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

static cindex_extent make_scalar(const uint8_t *p, size_t blocks, uint16_t *entries) {
  return make(p, blocks, entries, kinds_scalar, lengths_scalar, bounds_scalar);
}

/* MARK: Sixteen bytes at a time */

#if defined(__SSE2__)

#define EACH_16(mask, condition) \
  for (int i = 0; i < CINDEX_BLOCK; i += 16) { \
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
  for (int i = 0; i < CINDEX_BLOCK; i += 16) {
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

static cindex_extent make_sse2(const uint8_t *p, size_t blocks, uint16_t *entries) {
  return make(p, blocks, entries, kinds_sse2, lengths_sse2, bounds_sse2);
}

/* MARK: Thirty-two bytes at a time */

#define EACH_32(mask, condition) \
  for (int i = 0; i < CINDEX_BLOCK; i += 32) { \
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
  for (int i = 0; i < CINDEX_BLOCK; i += 32) {
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

AVX2 static cindex_extent make_avx2(const uint8_t *p, size_t blocks, uint16_t *entries) {
  return make(p, blocks, entries, kinds_avx2, lengths_avx2, bounds_avx2);
}

#endif

/* MARK: The choice */

int cindex_best_way(void) {
#if defined(__SSE2__) && defined(KNOWS_PROCESSOR)
  /* The C library has asked the processor before the program began. */
  if (CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(BMI1) && CPU_FEATURE_ACTIVE(POPCNT))
    return CINDEX_AVX2;
#endif
#if defined(__SSE2__)
  return CINDEX_SSE2;
#else
  return CINDEX_SCALAR;
#endif
}

cindex_extent cindex_make(const uint8_t *p, size_t blocks, uint16_t *entries, int way) {
#if defined(__SSE2__)
  if (way == CINDEX_AVX2) return make_avx2(p, blocks, entries);
  if (way == CINDEX_SSE2) return make_sse2(p, blocks, entries);
#endif
  return make_scalar(p, blocks, entries);
}

/* MARK: Escapes */

/* The value of each hexadecimal digit, and 16. */
static const uint8_t hex_digits[256] = {
    ['0'] = 16, ['1'] = 17, ['2'] = 18, ['3'] = 19, ['4'] = 20, ['5'] = 21, ['6'] = 22, ['7'] = 23,
    ['8'] = 24, ['9'] = 25, ['a'] = 26, ['b'] = 27, ['c'] = 28, ['d'] = 29, ['e'] = 30, ['f'] = 31,
    ['A'] = 26, ['B'] = 27, ['C'] = 28, ['D'] = 29, ['E'] = 30, ['F'] = 31};

/* Returns the value of the four hexadecimal digits at p, or -1. */
static int hex_unit(const uint8_t *p) {
  unsigned a = hex_digits[p[0]], b = hex_digits[p[1]], c = hex_digits[p[2]], d = hex_digits[p[3]];
  if ((a & b & c & d & 16) == 0) return -1;
  return (int)((a & 15) << 12 | (b & 15) << 8 | (c & 15) << 4 | (d & 15));
}

static int is_high(int unit) { return unit >= 0xD800 && unit < 0xDC00; }
static int is_low(int unit) { return unit >= 0xDC00 && unit < 0xE000; }

static uint8_t *put_character(uint8_t *dst, uint32_t c) {
  if (c < 0x80) {
    *dst++ = (uint8_t)c;
  } else if (c < 0x800) {
    *dst++ = (uint8_t)(0xC0 | c >> 6);
    *dst++ = (uint8_t)(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *dst++ = (uint8_t)(0xE0 | c >> 12);
    *dst++ = (uint8_t)(0x80 | (c >> 6 & 0x3F));
    *dst++ = (uint8_t)(0x80 | (c & 0x3F));
  } else {
    *dst++ = (uint8_t)(0xF0 | c >> 18);
    *dst++ = (uint8_t)(0x80 | (c >> 12 & 0x3F));
    *dst++ = (uint8_t)(0x80 | (c >> 6 & 0x3F));
    *dst++ = (uint8_t)(0x80 | (c & 0x3F));
  }
  return dst;
}

/* The characters of the escapes of two bytes, by their second byte. */
static const uint8_t short_escapes[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = 0x08,
                                           ['f'] = 0x0C, ['n'] = 0x0A,  ['r'] = 0x0D, ['t'] = 0x09};

/* Writes the character of an escape of six bytes, or of a pair, whose backslash is at p. Returns its
   length, or 0 if it is wrong. Reads up to 12 bytes. */
INLINE size_t take_unit(const uint8_t *p, uint8_t **dst) {
  int unit = p[1] == 'u' ? hex_unit(p + 2) : -1;
  if (unit < 0 || is_low(unit)) return 0;
  if (!is_high(unit)) {
    *dst = put_character(*dst, (uint32_t)unit);
    return 6;
  }
  /* The first half of a pair: the second one follows. */
  if (p[6] != '\\' || p[7] != 'u') return 0;
  int low = hex_unit(p + 8);
  if (!is_low(low)) return 0;
  *dst = put_character(*dst, 0x10000 + ((uint32_t)(unit - 0xD800) << 10 | (uint32_t)(low - 0xDC00)));
  return 12;
}

/* Returns the mask of the bytes among `width` that are a quote, a backslash, a control or not ASCII. */
INLINE uint64_t not_plain(const uint8_t *p, size_t width) {
  uint64_t mask = 0;
#if defined(__SSE2__)
  for (size_t i = 0; i < width; i += 16) mask |= (uint64_t)cscan_not_plain(p + i) << i;
#else
  for (size_t i = 0; i < width; i += 1)
    mask |= (uint64_t)(p[i] < 0x20 || p[i] >= 0x80 || p[i] == '"' || p[i] == '\\') << i;
#endif
  return mask;
}

/* Decodes a string, or only checks it.

       text      Krak\u00f3w, \"Old\""
       stops         ^        ^    ^ ^     found at once
       runs      └──┘      └─┘  └─┘        copied */
INLINE ptrdiff_t read_string(uint8_t *dst, const uint8_t **text, const uint8_t *limit, int wanted) {
  const uint8_t *p = *text;
  uint8_t *start = dst, character[4];
  while (p < limit) {
    size_t width = limit - p >= 64 ? 64 : 16;
    const uint8_t *run = p, *end = p + width;
    uint64_t stops = width == 64 ? not_plain(p, 64) : not_plain(p, 16);
    while (stops != 0) {
      const uint8_t *stop = p + __builtin_ctzll(stops);
      if (stop >= limit) return -1;
      if (wanted) dst = cscan_put(dst, run, (size_t)(stop - run));
      if (*stop == '"') {
        *text = stop;
        return dst - start;
      }
      size_t length;
      if (*stop == '\\' && short_escapes[stop[1]] != 0) {
        if (wanted) *dst++ = short_escapes[stop[1]];
        length = 2;
      } else if (*stop == '\\') {
        uint8_t *next = wanted ? dst : character;
        length = take_unit(stop, &next);
        if (wanted) dst = next;
      } else {
        length = cscan_text(stop, limit + 16);
        if (length >= (size_t)(limit - stop)) return -1;
        if (wanted) dst = cscan_put(dst, stop, length);
      }
      if (length == 0) return -1;
      run = stop + length;
      if (run >= end) break;
      stops &= ~0ull << (run - p);
    }
    if (run < end && wanted) dst = cscan_put(dst, run, (size_t)(end - run));
    p = run < end ? end : run;
  }
  return -1;
}

ptrdiff_t cindex_string(uint8_t *dst, const uint8_t **text, const uint8_t *limit) {
  return read_string(dst, text, limit, 1);
}

int cindex_is_string(const uint8_t **text, const uint8_t *limit) {
  return read_string(NULL, text, limit, 0) >= 0;
}

int cindex_are_escapes(const uint8_t *piece, const uint16_t *entries, size_t count) {
  for (size_t i = 0; i < count; i += 1) {
    const uint8_t *p = piece + entries[i];
    if (p[1] != 'u') {
      if (short_escapes[p[1]] == 0) return 0;
      continue;
    }
    int unit = hex_unit(p + 2);
    if (unit < 0 || is_low(unit)) return 0;
    if (!is_high(unit)) continue;
    /* The second half of a pair is the next escape. */
    i += 1;
    if (i == count || entries[i] != entries[i - 1] + 6 || p[7] != 'u' || !is_low(hex_unit(p + 8)))
      return 0;
  }
  return 1;
}
