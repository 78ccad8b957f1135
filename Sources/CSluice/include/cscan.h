/* Scanning of text, sixteen bytes at a time if the processor can (SSE2), otherwise byte by byte.
   The functions are inlined into the loops that call them. None reads outside of the bytes that
   its comment names. */
#ifndef CSCAN_H
#define CSCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Prefetches the memory at p, and does not wait. p may be any address. */
static inline void cscan_prefetch(const void *p) { __builtin_prefetch(p, 1); }

#if defined(__SSE2__)
/* Returns which of 16 bytes are a quote, a backslash or a control. */
static inline __m128i cscan_stops(__m128i v) {
  /* With the bit of 2 changed, a quote is 20, the controls stay below, and all others above. */
  __m128i changed = _mm_xor_si128(v, _mm_set1_epi8(2));
  return _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(changed, _mm_set1_epi8(0x20)), changed),
                      _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
}

/* Returns the mask of the bytes among 16 that lead a UTF-8 character of two or three bytes, and after which
   every byte 80..BF is allowed (RFC 3629): C2..DF, E1..EC, EE, EF. */
static inline unsigned cscan_leads(__m128i v) {
  __m128i range = _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8((char)0xC1)),
                                _mm_cmplt_epi8(v, _mm_set1_epi8((char)0xF0)));
  __m128i strict = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xE0)),
                                _mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xED)));
  return (unsigned)_mm_movemask_epi8(_mm_andnot_si128(strict, range));
}

/* Returns the mask of those among such leads whose character has three bytes. */
static inline unsigned cscan_long_leads(__m128i v, unsigned leads) {
  return (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(v, _mm_set1_epi8((char)0xDF))) & leads;
}

/* Returns the mask of the bytes 80..BF among 16, which continue a character. */
static inline unsigned cscan_follows(__m128i v) {
  return (unsigned)_mm_movemask_epi8(_mm_cmplt_epi8(v, _mm_set1_epi8((char)0xC0)));
}
#endif

/* Returns the number of bytes from start to p. If p is inside a character, its first bytes do not count. */
static inline size_t cscan_whole(const uint8_t *start, const uint8_t *p, int is_inside) {
  if (is_inside) {
    do p -= 1;
    while ((*p & 0xC0) == 0x80);
  }
  return (size_t)(p - start);
}

/* Returns how many bytes from p on are plain text of a JSON string: whole UTF-8 characters of one to
   three bytes, without quote, backslash and controls, and without those that begin with E0 or ED. The
   byte after them ends the string, needs a closer look (another character, something ill-formed), or
   may be in the last 15 bytes, or in a character that they cut: vectors leave these to the caller. Reads
   p to end only.

       bytes     D1 8F E2 80 94 "       я—"
       leads     1     1
       wanted       1     1  1         one place after each lead, two after those of three bytes */
static inline size_t cscan_plain(const uint8_t *p, const uint8_t *end) {
  const uint8_t *start = p;
#if defined(__SSE2__)
  unsigned carry = 0; /* which bytes from p on must continue the character before p */
  while (end - p >= 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)p);
    unsigned stops = (unsigned)_mm_movemask_epi8(cscan_stops(v)) | 0x10000u;
    unsigned stop = (unsigned)__builtin_ctz(stops);
    unsigned mask = (1u << stop) - 1u;
    unsigned high = (unsigned)_mm_movemask_epi8(v) & mask;
    if (high != 0 || carry != 0) {
      unsigned follows = cscan_follows(v) & mask;
      unsigned leads = cscan_leads(v) & mask;
      unsigned wanted = (leads << 1) | (cscan_long_leads(v, leads) << 2) | carry;
      unsigned bad = (high & ~(follows | leads)) | ((wanted ^ follows) & mask);
      if (bad != 0) {
        unsigned i = (unsigned)__builtin_ctz(bad);
        return cscan_whole(start, p + i, (wanted >> i) & 1u);
      }
      carry = wanted >> stop;
    }
    if (stop < 16) return cscan_whole(start, p + stop, carry & 1u);
    p += 16;
  }
  return cscan_whole(start, p, carry & 1u);
#else
  while (p < end) {
    uint8_t b = *p;
    ptrdiff_t size = b < 0x80 ? 1 : b < 0xE0 ? 2 : 3;
    if (b < 0x20 || b == '"' || b == '\\') break;
    if (size > 1 && (b < 0xC2 || b == 0xE0 || b == 0xED || b > 0xEF || end - p < size ||
                     (p[1] & 0xC0) != 0x80 || (p[size - 1] & 0xC0) != 0x80))
      break;
    p += size;
  }
  return (size_t)(p - start);
#endif
}

/* The same for whole characters of any length (RFC 3629). The byte after them ends the string, is
   ill-formed, or is in the last 15 bytes or a character that they cut. Reads p to end only. It is called,
   so that ASCII costs no registers that must be saved. */
static inline __attribute__((noinline)) size_t cscan_text(const uint8_t *p, const uint8_t *end) {
  const uint8_t *start = p;
  while (1) {
    p += cscan_plain(p, end);
    if (end - p < 16 || *p < 0xE0 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80) break;
    unsigned two = ((unsigned)*p << 8) | p[1];
    if (*p < 0xF0) {
      /* No character below U+0800 has three bytes, and surrogates are not characters. */
      if (two < 0xE0A0 || (two >= 0xEDA0 && two < 0xEE00)) break;
      p += 3;
    } else {
      /* Characters of four bytes are U+10000 to U+10FFFF. */
      if (two < 0xF090 || two >= 0xF490 || (p[3] & 0xC0) != 0x80) break;
      p += 4;
    }
  }
  return (size_t)(p - start);
}

#if defined(__SSE2__)
/* Returns the mask of the bytes among 16 that are a quote, a backslash, a control or not ASCII. */
static inline unsigned cscan_not_plain(const uint8_t *p) {
  __m128i v = _mm_loadu_si128((const __m128i *)p);
  /* As in cscan_stops. As signed bytes, those from 80 on are low too. */
  __m128i low = _mm_cmplt_epi8(_mm_xor_si128(v, _mm_set1_epi8(2)), _mm_set1_epi8(0x21));
  return (unsigned)_mm_movemask_epi8(_mm_or_si128(low, _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))));
}
#endif

/* The same, and quick where the text is ASCII. */
static inline size_t cscan_string(const uint8_t *p, const uint8_t *end) {
  size_t at = 0;
#if defined(__SSE2__)
  for (; end - p >= (ptrdiff_t)at + 32; at += 32) {
    unsigned stops = cscan_not_plain(p + at) | cscan_not_plain(p + at + 16) << 16;
    if (stops == 0) continue;
    at += (size_t)__builtin_ctz(stops);
    if (p[at] < 0x80) return at;
    break;
  }
#endif
  return at + cscan_text(p + at, end);
}

/* Returns how many of the n bytes at a and at b are equal before the first that differ. Reads up
   to 31 bytes after the n. */
static inline size_t cscan_common(const uint8_t *a, const uint8_t *b, size_t n) {
#if defined(__SSE2__)
  if (n - 1 < 16) {
    __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)a),
                                  _mm_loadu_si128((const __m128i *)b));
    size_t at = (size_t)__builtin_ctz(~(unsigned)_mm_movemask_epi8(same));
    return at < n ? at : n;
  }
  for (size_t i = 0; i < n; i += 32) {
    __m128i first = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(a + i)),
                                   _mm_loadu_si128((const __m128i *)(b + i)));
    __m128i second = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(a + i + 16)),
                                    _mm_loadu_si128((const __m128i *)(b + i + 16)));
    unsigned same = (unsigned)_mm_movemask_epi8(first) |
                    ((unsigned)_mm_movemask_epi8(second) << 16);
    if (same != 0xFFFFFFFFu) {
      size_t at = i + (size_t)__builtin_ctz(~same);
      return at < n ? at : n;
    }
  }
  return n;
#else
  size_t i = 0;
  while (i < n && a[i] == b[i]) i += 1;
  return i;
#endif
}

/* Returns whether the n bytes at a and at b are equal. Reads up to 31 bytes after the n. */
static inline int cscan_is_equal(const uint8_t *a, const uint8_t *b, size_t n) {
#if defined(__SSE2__)
  if (n - 1 < 16) {
    __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)a),
                                  _mm_loadu_si128((const __m128i *)b));
    return ((unsigned)_mm_movemask_epi8(same) ^ 0xFFFFu) << (32 - n) == 0;
  }
#endif
  return cscan_common(a, b, n) == n;
}

/* Writes a number as 16 hexadecimal digits. */
static inline void cscan_hex(uint8_t *dst, uint64_t number) {
#if defined(__SSE2__)
  __m128i bytes = _mm_cvtsi64_si128((long long)__builtin_bswap64(number));
  __m128i nibble = _mm_set1_epi8(0x0F);
  __m128i digits = _mm_unpacklo_epi8(_mm_and_si128(_mm_srli_epi16(bytes, 4), nibble),
                                     _mm_and_si128(bytes, nibble));
  __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(digits, _mm_set1_epi8(9)),
                                 _mm_set1_epi8('a' - '0' - 10));
  _mm_storeu_si128((__m128i *)dst,
                   _mm_add_epi8(_mm_add_epi8(digits, _mm_set1_epi8('0')), letter));
#else
  for (int i = 0; i < 16; i += 1) dst[i] = (uint8_t)"0123456789abcdef"[number >> (60 - 4 * i) & 15];
#endif
}

/* Returns how many bytes from p on are JSON white space. Reads p to end only. */
static inline size_t cscan_space(const uint8_t *p, const uint8_t *end) {
  const uint8_t *start = p;
#if defined(__SSE2__)
  while (end - p >= 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)p);
    __m128i space = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\n'))),
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\r')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\t'))));
    unsigned other = ~(unsigned)_mm_movemask_epi8(space) & 0xFFFFu;
    if (other != 0) return (size_t)(p - start) + (size_t)__builtin_ctz(other);
    p += 16;
  }
#endif
  while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) p += 1;
  return (size_t)(p - start);
}

/* Copies n bytes from src to dst, and returns a pointer to the byte after the copy. Both must have
   16 bytes of room after the n. */
static inline uint8_t *cscan_put(uint8_t *dst, const uint8_t *src, size_t n) {
#if defined(__SSE2__)
  size_t i = 0;
  do {
    _mm_storeu_si128((__m128i *)(dst + i), _mm_loadu_si128((const __m128i *)(src + i)));
    i += 16;
  } while (i < n);
#else
  memcpy(dst, src, n);
#endif
  return dst + n;
}

/* Which of 16 bytes are a backslash, a semicolon, a comma or a control character (also 7F): a text of a
   calendar with one of them needs escapes or a closer look. */
#if defined(__SSE2__)
static inline __m128i cscan_special(__m128i v) {
  __m128i escaped = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')),
                                              _mm_cmpeq_epi8(v, _mm_set1_epi8(';'))),
                                 _mm_cmpeq_epi8(v, _mm_set1_epi8(',')));
  __m128i control = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v),
                                 _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7F)));
  return _mm_or_si128(escaped, control);
}
#else
static inline int cscan_is_special(uint8_t byte) {
  return byte == '\\' || byte == ';' || byte == ',' || byte < 0x20 || byte == 0x7F;
}
#endif

/* Returns how many of n bytes are before the first backslash, semicolon, comma or control character
   (also 7F), or n if there is none. Reads up to 16 bytes after the n. */
static inline size_t cscan_calendar(const uint8_t *src, size_t n) {
#if defined(__SSE2__)
  for (size_t i = 0; i < n; i += 16) {
    __m128i special = cscan_special(_mm_loadu_si128((const __m128i *)(src + i)));
    unsigned mask = (unsigned)_mm_movemask_epi8(special);
    if (mask != 0) {
      size_t at = i + (size_t)__builtin_ctz(mask);
      return at < n ? at : n;
    }
  }
  return n;
#else
  for (size_t i = 0; i < n; i += 1) {
    if (cscan_is_special(src[i])) return i;
  }
  return n;
#endif
}

/* Returns how many of n bytes are a backslash, a semicolon, a comma or a control character (also 7F).
   Reads up to 16 bytes after the n. */
static inline size_t cscan_count_calendar(const uint8_t *src, size_t n) {
#if defined(__SSE2__)
  static const uint8_t part[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                   255, 255, 255, 255, 255, 255, 255, 255};
  __m128i sum = _mm_setzero_si128();
  for (size_t i = 0; i < n; i += 16) {
    __m128i special = cscan_special(_mm_loadu_si128((const __m128i *)(src + i)));
    if (n - i < 16)
      special = _mm_and_si128(special, _mm_loadu_si128((const __m128i *)(part + 16 - (n - i))));
    /* -1 for each of them: added up in two halves */
    __m128i ones = _mm_sub_epi8(_mm_setzero_si128(), special);
    sum = _mm_add_epi64(sum, _mm_sad_epu8(ones, _mm_setzero_si128()));
  }
  return (size_t)_mm_cvtsi128_si64(_mm_add_epi64(sum, _mm_unpackhi_epi64(sum, sum)));
#else
  size_t count = 0;
  for (size_t i = 0; i < n; i += 1) count += cscan_is_special(src[i]);
  return count;
#endif
}

/* Returns how many of n bytes of HTML are text as they stand: those before a `<`, a `&`, a control character below
   20, or the second of two spaces. Reads the n only. */
static inline size_t cscan_html_text(const uint8_t *p, size_t n) {
  size_t i = 0;
  unsigned before = 0; /* whether the byte before is a space */
#if defined(__SSE2__)
  for (; i + 16 <= n; i += 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)(p + i));
    __m128i mark = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('<')),
                                _mm_cmpeq_epi8(v, _mm_set1_epi8('&')));
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v);
    unsigned spaces = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')));
    unsigned stops = (unsigned)_mm_movemask_epi8(_mm_or_si128(mark, control)) |
                     (spaces & (spaces << 1 | before));
    if (stops != 0) return i + (size_t)__builtin_ctz(stops);
    before = spaces >> 15;
  }
#endif
  for (; i < n; i += 1) {
    if (p[i] == '<' || p[i] == '&' || p[i] < 0x20 || (p[i] == ' ' && before)) return i;
    before = p[i] == ' ';
  }
  return n;
}

/* Returns the length of the character at p that ends a line to Unicode, but is no control below
   0x20: U+0085, U+2028 or U+2029. Returns 0 for another one. Reads p to end only. */
static inline size_t cscan_break(const uint8_t *p, const uint8_t *end) {
  if (end - p >= 2 && p[0] == 0xC2 && p[1] == 0x85) return 2;
  if (end - p >= 3 && p[0] == 0xE2 && p[1] == 0x80 && (p[2] & 0xFE) == 0xA8) return 3;
  return 0;
}

/* Returns whether n bytes of UTF-8 have such a character. Reads them only. */
static inline int cscan_has_break(const uint8_t *p, size_t n) {
  size_t i = 0;
#if defined(__SSE2__)
  for (; i + 16 <= n; i += 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)(p + i));
    __m128i lead = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xC2)),
                                _mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xE2)));
    unsigned leads = (unsigned)_mm_movemask_epi8(lead);
    for (; leads != 0; leads &= leads - 1)
      if (cscan_break(p + i + __builtin_ctz(leads), p + n) != 0) return 1;
  }
#endif
  for (; i < n; i += 1)
    if ((p[i] == 0xC2 || p[i] == 0xE2) && cscan_break(p + i, p + n) != 0) return 1;
  return 0;
}

/* Moves n bytes forward by three. Reads up to 15 bytes after the n and writes up to 18. */
static inline void cscan_move_by_3(uint8_t *p, size_t n) {
#if defined(__SSE2__)
  /* From the last vector to the first: each is read before it is overwritten. */
  for (size_t i = (n + 15) & ~(size_t)15; i > 0; i -= 16)
    _mm_storeu_si128((__m128i *)(p + i - 13), _mm_loadu_si128((const __m128i *)(p + i - 16)));
#else
  memmove(p + 3, p, n);
#endif
}

/* Copies the bytes from src to dst that are before the first a, b, c or d, at most n, and returns
   their number. Both must have 16 bytes of room after the n. */
static inline size_t cscan_copy(uint8_t *dst, const uint8_t *src, size_t n, uint8_t a, uint8_t b,
                                uint8_t c, uint8_t d) {
#if defined(__SSE2__)
  __m128i va = _mm_set1_epi8((char)a), vb = _mm_set1_epi8((char)b);
  __m128i vc = _mm_set1_epi8((char)c), vd = _mm_set1_epi8((char)d);
  size_t i = 0;
  do {
    __m128i v = _mm_loadu_si128((const __m128i *)(src + i));
    _mm_storeu_si128((__m128i *)(dst + i), v);
    __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, va), _mm_cmpeq_epi8(v, vb)),
                               _mm_or_si128(_mm_cmpeq_epi8(v, vc), _mm_cmpeq_epi8(v, vd)));
    unsigned mask = (unsigned)_mm_movemask_epi8(hit);
    if (mask != 0) {
      size_t at = i + (size_t)__builtin_ctz(mask);
      return at < n ? at : n;
    }
    i += 16;
  } while (i < n);
  return n;
#else
  for (size_t i = 0; i < n; i += 1) {
    uint8_t byte = src[i];
    if (byte == a || byte == b || byte == c || byte == d) return i;
    dst[i] = byte;
  }
  return n;
#endif
}

/* Like cscan_copy, up to a semicolon, a comma, a quote or a control below 0x0E: what a cell of a
   spreadsheet may need quotes or a guard for. */
static inline size_t cscan_copy_cell(uint8_t *dst, const uint8_t *src, size_t n) {
#if defined(__SSE2__)
  size_t i = 0;
  do {
    __m128i v = _mm_loadu_si128((const __m128i *)(src + i));
    _mm_storeu_si128((__m128i *)(dst + i), v);
    __m128i hit = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(';')), _mm_cmpeq_epi8(v, _mm_set1_epi8(','))),
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')),
                     _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x0D)), v)));
    unsigned mask = (unsigned)_mm_movemask_epi8(hit);
    if (mask != 0) {
      size_t at = i + (size_t)__builtin_ctz(mask);
      return at < n ? at : n;
    }
    i += 16;
  } while (i < n);
  return n;
#else
  for (size_t i = 0; i < n; i += 1) {
    uint8_t byte = src[i];
    if (byte == ';' || byte == ',' || byte == '"' || byte < 0x0E) return i;
    dst[i] = byte;
  }
  return n;
#endif
}

/* Like cscan_copy, up to &, <, >, an underscore, a control below 0x20 or the byte EF: what a cell of
   a workbook may need an escape for. */
static inline size_t cscan_copy_xml(uint8_t *dst, const uint8_t *src, size_t n) {
#if defined(__SSE2__)
  size_t i = 0;
  do {
    __m128i v = _mm_loadu_si128((const __m128i *)(src + i));
    _mm_storeu_si128((__m128i *)(dst + i), v);
    /* < is 3C and > is 3E. */
    __m128i bracket = _mm_cmpeq_epi8(_mm_and_si128(v, _mm_set1_epi8((char)0xFD)),
                                     _mm_set1_epi8('<'));
    __m128i hit = _mm_or_si128(
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('&')), bracket),
                     _mm_cmpeq_epi8(v, _mm_set1_epi8('_'))),
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xEF)),
                     _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v)));
    unsigned mask = (unsigned)_mm_movemask_epi8(hit);
    if (mask != 0) {
      size_t at = i + (size_t)__builtin_ctz(mask);
      return at < n ? at : n;
    }
    i += 16;
  } while (i < n);
  return n;
#else
  for (size_t i = 0; i < n; i += 1) {
    uint8_t byte = src[i];
    if (byte == '&' || byte == '<' || byte == '>' || byte == '_' || byte == 0xEF || byte < 0x20)
      return i;
    dst[i] = byte;
  }
  return n;
#endif
}

/* Like cscan_copy, up to a quote, a backslash or a control below 0x20. */
static inline size_t cscan_copy_json(uint8_t *dst, const uint8_t *src, size_t n) {
#if defined(__SSE2__)
  size_t i = 0;
  do {
    __m128i v = _mm_loadu_si128((const __m128i *)(src + i));
    _mm_storeu_si128((__m128i *)(dst + i), v);
    unsigned mask = (unsigned)_mm_movemask_epi8(cscan_stops(v));
    if (mask != 0) {
      size_t at = i + (size_t)__builtin_ctz(mask);
      return at < n ? at : n;
    }
    i += 16;
  } while (i < n);
  return n;
#else
  for (size_t i = 0; i < n; i += 1) {
    uint8_t byte = src[i];
    if (byte == '"' || byte == '\\' || byte < 0x20) return i;
    dst[i] = byte;
  }
  return n;
#endif
}

#endif
