#include "cindex.h"

#include "cblock.h"

#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define KNOWS_PROCESSOR 1
#endif
#endif

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
    block_strings found = strings_of(p + place, &is, &state, lengths_of, bounds_of);
    if (found.wrong != 0) break;
    uint64_t scalar = ~(is.mark | is.space | found.quote);
    uint64_t first = scalar & ~(scalar << 1 | state.is_scalar);
    uint64_t outside = (is.mark | first) & ~found.string;
    end = put_places(end, outside | found.quote | found.escape, place);
    state.is_scalar = scalar >> 63;
  }
  return (cindex_extent){(size_t)(end - entries), place};
}

static cindex_extent make_scalar(const uint8_t *p, size_t blocks, uint16_t *entries) {
  return make(p, blocks, entries, kinds_scalar, lengths_scalar, bounds_scalar);
}

#if defined(__SSE2__)

static cindex_extent make_sse2(const uint8_t *p, size_t blocks, uint16_t *entries) {
  return make(p, blocks, entries, kinds_sse2, lengths_sse2, bounds_sse2);
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

/* The same for all such escapes that follow one another, as they do in words that are not Latin. Returns the length
   of those before the limit, up to a wrong one. Unless they are wanted, each is written to the same place. */
INLINE size_t take_units(const uint8_t *p, const uint8_t *limit, uint8_t **dst, int wanted) {
  const uint8_t *start = p;
  uint8_t *place = *dst;
  size_t length;
  do {
    if (!wanted) *dst = place;
    length = take_unit(p, dst);
    p += length;
  } while (length != 0 && p < limit && *p == '\\' && p[1] == 'u');
  return (size_t)(p - start);
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
        length = take_units(stop, limit, &next, wanted);
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

size_t cindex_escape(const uint8_t *p) {
  uint8_t character[4], *end = character;
  return short_escapes[p[1]] != 0 ? 2 : take_unit(p, &end);
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
