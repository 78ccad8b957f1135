#include "cpass.h"

#include "cblock.h"
#include "cindex.h"
#include "cvalue.h"

/* What is checked: after each token, only some may follow. So the tokens after all of a kind are found
   at once:

       bytes                     { " i d " : 7 ,   " a " : [ ] }
       commas and colons                   1   1         1
       values after them                     1     1       1       a sum carries past white space
       strings that may be keys    1               1               after a comma or an open bracket
       after such a string                 1             1         a colon in an object, none in a list

   Which containers are open is known from bracket to bracket. What is wrong in an object only, or in a
   list only, is looked for between two of them. */

/* What the end of a block leaves to the next one. But for `text`, each is 1 or 0: whether the token after
   one of these is still to come, and `key`, whether a string that may be a key is still to end. */
typedef struct {
  carried text;
  uint64_t before_value, before_key, value, key, after_key;
} pass_carried;

/* The tokens of a block. */
typedef struct {
  uint64_t scalar; /* the first bytes of numbers and names */
  uint64_t open, close, brace, escape;
  uint64_t wrong; /* wherever it stands */
  uint64_t wrong_in_object, wrong_in_list;
} pass_tokens;

/* Returns the first bytes that are not white space from those in `from` on. `carry` is whether that of the
   block before is still to come, and becomes the same for this block. */
INLINE uint64_t past_space(uint64_t from, uint64_t space, uint64_t *carry) {
  unsigned long long sum;
  *carry = __builtin_uaddll_overflow(from | *carry, space, &sum);
  return sum & ~space;
}

/* Returns the first bytes of the tokens after those that end with the bytes in `last`, or before those in
   `end`. */
INLINE uint64_t after_or_at(uint64_t last, uint64_t end, uint64_t space, uint64_t *carry) {
  uint64_t found = past_space(last << 1 | end, space, carry);
  *carry |= last >> 63;
  return found;
}

/* Returns the first bytes of the tokens after those that end with the bytes in `last`. */
INLINE uint64_t after(uint64_t last, uint64_t space, uint64_t *carry) {
  return after_or_at(last, 0, space, carry);
}

/* Returns the quotes that end the strings whose first quotes are these. */
INLINE uint64_t ends_of(uint64_t quotes, uint64_t string, uint64_t *carry) {
  unsigned long long sum;
  *carry = __builtin_uaddll_overflow(quotes | *carry, string, &sum);
  return sum & ~string;
}

/* Returns the tokens of the block at p, and what is wrong with their order. */
INLINE pass_tokens tokens_of(const uint8_t *p, pass_carried *state, kinds_reader *kinds_of,
                             marks_reader *marks_of, lengths_reader *lengths_of,
                             bounds_reader *bounds_of) {
  block_kinds is = kinds_of(p);
  block_marks mark = marks_of(p);
  block_strings text = strings_of(p, &is, &state->text, lengths_of, bounds_of);
  uint64_t string = text.string, outside = ~string;
  uint64_t first_quote = text.quote & string, last_quote = text.quote & outside;
  uint64_t comma = mark.comma & outside, colon = mark.colon & outside;
  uint64_t open = mark.open & outside, close = mark.close & outside;
  uint64_t space = is.space & outside;
  uint64_t scalar = outside & ~(last_quote | comma | colon | open | close | space);
  uint64_t around = scalar << 1 | state->text.is_scalar;
  uint64_t first = scalar & ~around;
  state->text.is_scalar = scalar >> 63;

  uint64_t value = first_quote | first | open;
  uint64_t must_be_value = after(comma | colon, space, &state->before_value);
  uint64_t may_be_key = after(comma | open, space, &state->before_key);
  uint64_t after_value = after_or_at(last_quote | close, around & ~scalar, space, &state->value);
  uint64_t keys_end = ends_of(may_be_key & first_quote, string, &state->key);
  uint64_t after_key = after(keys_end, space, &state->after_key);

  uint64_t wrong = text.wrong | (is.control & ~is.space);
  wrong |= must_be_value & ~value;
  wrong |= may_be_key & ~(value | close);
  wrong |= after_value & ~(comma | colon | close);
  wrong |= colon & ~after_key;
  uint64_t wrong_in_object = (may_be_key & ~(first_quote | close)) | (after_key & ~colon);
  return (pass_tokens){first, open, close, mark.brace, text.escape, wrong, wrong_in_object, colon};
}

/* Returns whether a number or a literal name stands at p, and nothing else up to a separator or white space. */
INLINE int is_scalar(const uint8_t *p, const uint8_t *limit, cpass_number *number) {
  size_t length = (size_t)cvalue_number(p).length;
  if (__builtin_expect(length == 0, 0)) {
    uint32_t four = cindex_four(p);
    if (four == cindex_four((const uint8_t *)"true") || four == cindex_four((const uint8_t *)"null"))
      length = 4;
    else if (four == cindex_four((const uint8_t *)"fals"))
      length = p[4] == 'e' ? 5 : 0;
    else
      length = number(p, limit);
    if (length == 0) return 0;
  }
  uint8_t end = p[length];
  return end == ',' || (end | 0x20) == '}' || end == ' ' || (end >= '\t' && end <= '\r');
}

/* Does what cpass_container does, by these readers. */
INLINE int pass(const uint8_t **place, const uint8_t *limit, cpass_number *number,
                kinds_reader *kinds_of, marks_reader *marks_of, lengths_reader *lengths_of,
                bounds_reader *bounds_of) {
  const uint8_t *p = *place, *next_escape = p;
  if ((*p | 0x20) != '{') return 0;
  pass_carried state = {0};
  /* A bit for each open container, the innermost in the lowest: whether it is an object. The highest
     one set is none of them. The first bracket is counted here. */
  uint64_t objects = 2 | (*p == '{'), first = 1, too_deep = 0;
  for (; p < limit; p += BLOCK) {
    pass_tokens is = tokens_of(p, &state, kinds_of, marks_of, lengths_of, bounds_of);
    uint64_t wrong = is.wrong, brackets = (is.open | is.close) & ~first;
    uint64_t left = ~0ull; /* the bytes after the last bracket */
    first = 0;
    for (; brackets != 0 && objects != 1; brackets &= brackets - 1) {
      uint64_t bracket = brackets & (0 - brackets);
      uint64_t part = left & (bracket ^ (bracket - 1));
      uint64_t opens = (is.open & bracket) != 0;
      uint64_t is_object = (is.brace & bracket) != 0, in_object = objects & 1;
      wrong |= part & (in_object ? is.wrong_in_object : is.wrong_in_list);
      wrong |= opens || in_object == is_object ? 0 : bracket;
      left &= ~part;
      objects = opens ? objects << 1 | is_object : objects >> 1;
      too_deep |= objects >> (CPASS_DEPTH + 1);
    }
    uint64_t here = ~0ull; /* the bytes of the container */
    if (objects == 1) {
      here = ~left;
    } else {
      wrong |= left & ((objects & 1) != 0 ? is.wrong_in_object : is.wrong_in_list);
    }
    if ((wrong & here) != 0 || too_deep) goto leave;
    for (uint64_t rest = is.scalar & here; rest != 0; rest &= rest - 1) {
      const uint8_t *q = p + __builtin_ctzll(rest);
      if (q >= limit || !is_scalar(q, limit, number)) goto leave;
    }
    for (uint64_t rest = is.escape & here; rest != 0; rest &= rest - 1) {
      const uint8_t *q = p + __builtin_ctzll(rest);
      /* The second half of a pair was read with the first. */
      if (q < next_escape) continue;
      size_t length = q < limit ? cindex_escape(q) : 0;
      if (length == 0) goto leave;
      next_escape = q + length;
    }
    if (objects == 1) {
      p += BLOCK - __builtin_clzll(here);
      if (p > limit) goto leave;
      *place = p;
      return 1;
    }
  }
leave:
  *place = p;
  return 0;
}

static int pass_scalar(const uint8_t **p, const uint8_t *limit, cpass_number *number) {
  return pass(p, limit, number, kinds_scalar, marks_scalar, lengths_scalar, bounds_scalar);
}

#if defined(__SSE2__)

static int pass_sse2(const uint8_t **p, const uint8_t *limit, cpass_number *number) {
  return pass(p, limit, number, kinds_sse2, marks_sse2, lengths_sse2, bounds_sse2);
}

AVX2 static int pass_avx2(const uint8_t **p, const uint8_t *limit, cpass_number *number) {
  return pass(p, limit, number, kinds_avx2, marks_avx2, lengths_avx2, bounds_avx2);
}

#endif

int cpass_container(const uint8_t **p, const uint8_t *limit, cpass_number *number, int way) {
#if defined(__SSE2__)
  if (way == CINDEX_AVX2) return pass_avx2(p, limit, number);
  if (way == CINDEX_SSE2) return pass_sse2(p, limit, number);
#endif
  return pass_scalar(p, limit, number);
}
