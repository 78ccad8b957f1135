/* Values and keys of JSON, read by whole vectors if the processor can (SSE2). */
#ifndef CVALUE_H
#define CVALUE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cscan.h"
#include "cspace.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The length of a text that was read, -1 if it is of another kind, and whether it is tidy. */
struct cvalue_found_text {
  int32_t length, is_tidy;
};

/* The length of a number that was read, 0 if it needs a closer look, and whether it has no fraction. */
struct cvalue_found_number {
  int32_t length, is_whole;
};

/* Returns n, of which the compiler then knows nothing. So it cannot make n depend on a condition that is mostly
   true, or on another value that is found to be the same. The processor would have to wait for these: now it
   guesses, and goes on with n. */
static inline size_t cvalue_apart(size_t n) {
  __asm__("" : "+r"(n));
  return n;
}

/* Returns the mask of the digits among the first `width` bytes, 16 or 32, the first in the lowest bit. */
static inline uint64_t cvalue_digits(const uint8_t *p, int width) {
  uint64_t mask = 0;
#if defined(__SSE2__)
  for (int i = 0; i < width; i += 16) {
    __m128i v = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(p + i)), _mm_set1_epi8('0'));
    __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(9)), v);
    mask |= (uint64_t)(unsigned)_mm_movemask_epi8(digit) << i;
  }
#else
  for (int i = 0; i < width; i += 1) mask |= (uint64_t)(p[i] >= '0' && p[i] <= '9') << i;
#endif
  return mask;
}

/* Mixes the first 16 bytes of the key at p, or all up to its closing quote, into *hash. Returns the length
   of what was mixed. Reads 16 bytes. */
static inline size_t cvalue_mix_part(const uint8_t *p, uint64_t *hash) {
  uint64_t words[2];
#if defined(__SSE2__)
  /* From the place 16 - n on, the first n bytes are set. */
  static const uint8_t mask[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                   255, 255, 255, 255, 255, 255, 255, 255};
  __m128i v = _mm_loadu_si128((const __m128i *)p);
  unsigned quotes = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
  size_t n = (size_t)__builtin_ctz(quotes | 1u << 16);
  v = _mm_and_si128(v, _mm_loadu_si128((const __m128i *)(mask + 16 - n)));
  words[0] = (uint64_t)_mm_cvtsi128_si64(v);
  words[1] = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(v, v));
#else
  size_t n = 0;
  memset(words, 0, sizeof words);
  while (n < 16 && p[n] != '"') n += 1;
  memcpy(words, p, n);
#endif
  *hash = (*hash ^ words[0]) * 0x9E3779B97F4A7C15u + words[1] * 0xD6E8FEB86659FD93u;
  return n;
}

/* Mixes what follows the first 16 bytes of a key, at p, as far as it can be read in parts before end. Returns the
   length of what was mixed. */
static inline __attribute__((noinline)) size_t cvalue_mix_rest(const uint8_t *p, const uint8_t *end,
                                                               uint64_t *hash) {
  const uint8_t *start = p;
  while (end - p >= 16 && *p != '"') p += cvalue_mix_part(p, hash);
  return (size_t)(p - start);
}

/* Mixes the key at p into *hash, up to its closing quote, or what can be read of it before end: 16 bytes at least.
   Returns the length of what was mixed. Keys may begin alike, as those of a table do. */
static inline size_t cvalue_mix_key(const uint8_t *p, const uint8_t *end, uint64_t *hash) {
  size_t n = cvalue_mix_part(p, hash);
  if (__builtin_expect(n == 16, 0)) n += cvalue_mix_rest(p + 16, end, hash);
  return n;
}

/* What is seen of a label: a hash of it, without and with the first key in the object that is the value, and
   where it seems to end, which is right if it ends there. */
struct cvalue_found_label {
  uint64_t outer_hash, hash;
  size_t length;
};

/* Returns the end of what a label at p seems to be without a key in the object that is the value, and mixes its
   closing brackets and the key of the member into *hash. Returns NULL if the end is not known. */
static inline __attribute__((always_inline)) const uint8_t *cvalue_outer_label(
    const uint8_t *p, unsigned objects, uint64_t *hash) {
  const uint8_t *last = p + 38; /* a key that begins later is left out */
  const uint8_t *end = p + 58; /* some bytes after the key are looked at too */
  if (__builtin_expect(*p != ',', 0)) {
    if (*p <= ' ') p += cscan_space(p, last);
    while ((*p | 0x20) == '}' && objects > 1 && p < last) {
      *hash = (*hash ^ *p) * 0x9E3779B97F4A7C15u;
      objects >>= 1;
      p += 1;
      if (*p <= ' ') p += cscan_space(p, last);
    }
    *hash = (*hash ^ *p) * 0x9E3779B97F4A7C15u;
    if (*p == '"') p -= 1; /* the first key in an object that has begun */
    else if (*p != ',' && *p != '{') return NULL;
  }
  if ((objects & 1) == 0) {
    *hash *= 0x9E3779B97F4A7C15u;
    return NULL;
  }
  p += 1;
  if (*p == ' ') p += cvalue_apart(1); /* mostly there is one or none */
  if (__builtin_expect(*p != '"', 0)) {
    if (p < last) p += cscan_space(p, last);
    if (*p != '"') return NULL;
  }
  p += 1;
  p += cvalue_mix_key(p, end, hash);
  if (p[0] != '"' || p[1] != ':') return NULL;
  p += 2;
  if (*p == ' ') p += cvalue_apart(1);
  if (*p == '[') p += cvalue_apart(1);
  return p;
}

/* Returns a hash of the label at p: of its closing brackets, the key of a member, and the first key in
   the object that is the value. It is the same for all labels that have these. `objects` has a bit for each
   container that is open before the label, the innermost in the lowest: whether it is an object. Reads 64
   bytes.

       label               its hash depends on     its length seems to be
       ,"id":              , id                    6
       ,"tags":{"name":    , tags name             16
       ,"at":[{"id":       , at id                 13
       },"id":             } , id                  7
       "id":               id                      5, in an object that has begun
       ,"at":[[            , at                    7, which is too short
       }                   }                       unknown, 0 */
static inline __attribute__((always_inline)) struct cvalue_found_label cvalue_label(
    const uint8_t *p, uint64_t seed, unsigned objects) {
  uint64_t hash = seed;
  const uint8_t *start = p;
  p = cvalue_outer_label(p, objects, &hash);
  struct cvalue_found_label found = {hash, hash, 0};
  if (p == NULL) return found;
  found.length = (size_t)(p - start);
  if (*p != '{') return found;
  p += 1;
  if (*p <= ' ') p += cscan_space(p, start + 45);
  if (*p != '"' || p - start > 44) return found; /* the rest of the 64 is too short for a key */
  p += 1;
  p += cvalue_mix_key(p, start + 58, &found.hash);
  if (p[0] != '"' || p[1] != ':') return found;
  p += 2;
  if (*p == ' ') p += cvalue_apart(1);
  found.length = (size_t)(p - start);
  return found;
}

#if defined(__SSE2__)
/* Returns whether the text of n bytes, of which `spaces` are spaces, has only single ones between other
   characters. The quote after it counts as a space, and the start as one before it. */
static inline int cvalue_has_single_spaces(unsigned spaces, int n) {
  unsigned end = 1u << n;
  spaces = (spaces & (end - 1)) | end;
  return n == 0 || (spaces & (spaces << 1 | 1)) == 0;
}
#endif

/* Like cvalue_text, for any such text. It is called for those that are not only ASCII. */
static inline __attribute__((noinline)) struct cvalue_found_text cvalue_wide_text(const uint8_t *p) {
  struct cvalue_found_text none = {-1, 0};
#if defined(__SSE2__)
  /* Masks of the 32 bytes, as far as they have been read. */
  unsigned ends = 0, leads = 0, wanted = 0, follows = 0, high = 0, spaces = 0, untidy = 0;
  for (int i = 0; ends == 0; i += 16) {
    if (i == 32) return none;
    __m128i v = _mm_loadu_si128((const __m128i *)(p + i));
    unsigned lead = cscan_leads(v);
    ends = (unsigned)_mm_movemask_epi8(cscan_stops(v)) << i;
    leads |= lead << i;
    wanted |= (lead << 1 | cscan_long_leads(v, lead) << 2) << i;
    follows |= cscan_follows(v) << i;
    high |= (unsigned)_mm_movemask_epi8(v) << i;
    spaces |= (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(' '))) << i;
    untidy |= cspace_candidates(v) << i;
  }
  int n = __builtin_ctz(ends);
  /* The quote must not continue a character either. */
  unsigned all = (2u << n) - 1;
  if (p[n] != '"' || ((high ^ leads ^ follows) & all) != 0 || ((wanted ^ follows) & all) != 0) {
    return none;
  }
  int is_tidy = cvalue_has_single_spaces(spaces, n) && cspace_confirmed(untidy & all, p) == 0;
  return (struct cvalue_found_text){n, is_tidy};
#else
  size_t n = cscan_plain(p, p + 32);
  if (n == 32 || p[n] != '"') return none;
  return (struct cvalue_found_text){(int32_t)n, cspace_is_tidy(p, n)};
#endif
}

/* Returns the length of the text at p, up to the quote that ends it, if it has at most 31 bytes and only
   characters of cscan_plain: no escapes and controls. It is tidy if it has no white space except single
   spaces between other characters; that is found out if it is asked. Returns -1 for any other text. Reads
   32 bytes.

       bytes    U l .   A " ,
       stops              1
       spaces         1         none at the ends, and no two together */
static inline __attribute__((always_inline)) struct cvalue_found_text cvalue_text(const uint8_t *p,
                                                                                  int is_asked) {
#if defined(__SSE2__)
  unsigned stops = cscan_not_plain(p) | cscan_not_plain(p + 16) << 16;
  struct cvalue_found_text none = {-1, 0};
  if (stops == 0) return none;
  int n = __builtin_ctz(stops);
  if (p[n] != '"') return p[n] < 0x80 ? none : cvalue_wide_text(p);
  if (!is_asked) return (struct cvalue_found_text){n, 0};
  __m128i blank = _mm_set1_epi8(' ');
  unsigned spaces =
      (unsigned)_mm_movemask_epi8(
          _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)p), blank)) |
      (unsigned)_mm_movemask_epi8(
          _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(p + 16)), blank))
          << 16;
  return (struct cvalue_found_text){n, cvalue_has_single_spaces(spaces, n)};
#else
  return cvalue_wide_text(p);
#endif
}

/* Returns the byte at p. It is read from there: taking it out of the vector that was read before goes through
   memory, and takes longer. */
static inline uint8_t cvalue_first(const uint8_t *p) { return *(const volatile uint8_t *)p; }

/* Returns the length of the number at p (RFC 8259, section 6) if it has at most `most` characters; a longer
   length if there may be more. If that is not 30, a number with an exponent counts as longer. `digits` is the
   mask of the digits among more than `most` bytes. Sets *whole to whether it has no fraction and no exponent.
   Returns 0 for anything else. What follows the number is not checked, but for a digit after a leading zero.

       bytes    - 1 2 . 5 0 ,
       digits     1 1   1 1        a bit each
                  └ n   └ the run after the point */
static inline __attribute__((always_inline)) size_t cvalue_number_in(const uint8_t *p,
                                                                      uint64_t digits,
                                                                      size_t most, int *whole) {
  size_t at = cvalue_first(p) == '-';
  size_t n = (size_t)__builtin_ctzll(~(digits >> at));
  if (n == 0 || (n > 1 && p[at] == '0')) return 0;
  at += n;
  if (at > most) return at;
  *whole = p[at] != '.';
  if (p[at] == '.') {
    at += 1;
    n = (size_t)__builtin_ctzll(~(digits >> at));
    at += n;
    if (at > most) return at;
    if (n == 0) return 0;
  }
  if ((p[at] | 0x20) == 'e') {
    if (most < 30) return most + 1;
    at += 1;
    at += p[at] == '-' || p[at] == '+';
    n = (size_t)__builtin_ctzll(~(digits >> at));
    at += n;
    if (at > most) return at;
    if (n == 0) return 0;
    *whole = 0;
  }
  return cvalue_apart(at);
}

/* The same with at most 30 characters; 0 if there may be more. */
static inline __attribute__((noinline)) struct cvalue_found_number cvalue_long_number(
    const uint8_t *p) {
  int whole = 0;
  size_t n = cvalue_number_in(p, cvalue_digits(p, 32), 30, &whole);
  return (struct cvalue_found_number){n > 30 ? 0 : (int32_t)n, whole};
}

/* Returns the length of the number at p if it has at most 30 characters. Returns 0 for anything else, which
   needs a closer look. Most are short and without an exponent, and are read without a call. Reads 32 bytes. */
static inline __attribute__((always_inline)) struct cvalue_found_number cvalue_number(
    const uint8_t *p) {
  int whole = 0;
  size_t n = cvalue_number_in(p, cvalue_digits(p, 16), 15, &whole);
  if (n > 15) return cvalue_long_number(p);
  return (struct cvalue_found_number){(int32_t)n, whole};
}

#endif
