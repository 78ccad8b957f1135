#include "cpass.h"

#include "cblock.h"
#include "cindex.h"
#include "cvalue.h"

/* What is checked: after a value comes a comma, a colon or a closing bracket. These come after nothing else,
   but a bracket may be closed at once. So the tokens after all of a kind are found at once:

       bytes                     { " i d " : 7 ,   " a " : [ ] }
       tokens after values                 1   1         1     1   a sum carries past white space
       strings that may be keys    1               1               after a comma or an open bracket
       after such a string                 1             1         a colon in an object, none in a list

   Which containers are open is known from bracket to bracket. What is wrong in an object only, or in a
   list only, is looked for between two of them. */

/* What the end of a block leaves to the next one. But for `text`, each is 1 or 0: whether the token after
   one of these is still to come, and `key`, whether a string that may be a key is still to end. */
typedef struct {
  carried text;
  uint64_t value, open, before_key, key, after_key;
} pass_carried;

/* The tokens of a block. */
typedef struct {
  uint64_t scalar; /* the first bytes of numbers and names */
  uint64_t open, close, escape;
  uint64_t wrong; /* wherever it stands */
  uint64_t wrong_in_object, wrong_in_list;
} pass_tokens;

/* Returns the first bytes of the tokens after those that end with the bytes in `last`. `carry` is whether
   that of the block before is still to come, and becomes the same for this block. */
INLINE uint64_t after(uint64_t last, uint64_t space, int is_compact, uint64_t *carry) {
  unsigned long long next = last << 1 | *carry;
  *carry = last >> 63;
  if (is_compact) return next;
  *carry |= __builtin_uaddll_overflow(next, space, &next);
  return next & ~space;
}

/* Returns the quotes that end the strings whose first quotes are these. */
INLINE uint64_t ends_of(uint64_t quotes, uint64_t string, uint64_t *carry) {
  unsigned long long sum;
  *carry = __builtin_uaddll_overflow(quotes | *carry, string, &sum);
  return sum & ~string;
}

/* Returns the tokens of a block with these marks, strings and white space outside of strings, and what is
   wrong with their order. `is_compact` is whether there is no white space. */
INLINE pass_tokens order_of(const block_marks *mark, const block_strings *text, uint64_t space,
                            int is_compact, pass_carried *state) {
  uint64_t string = text->string, outside = ~string;
  uint64_t first_quote = text->quote & string, last_quote = text->quote & outside;
  uint64_t comma = mark->comma & outside, colon = mark->colon & outside;
  uint64_t open = mark->open & outside, close = mark->close & outside;
  uint64_t scalar = outside & ~(last_quote | comma | colon | open | close | space);
  uint64_t first_scalar = scalar & ~(scalar << 1 | state->text.is_scalar);
  /* Whether the last byte of a block ends a scalar is known from the next block. */
  state->value |= state->text.is_scalar & ~scalar;
  uint64_t last_scalar = scalar & ~(scalar >> 1 | 1ull << 63);
  state->text.is_scalar = scalar >> 63;

  uint64_t after_value = after(last_quote | close | last_scalar, space, is_compact, &state->value);
  uint64_t after_open = after(open, space, is_compact, &state->open);
  uint64_t may_be_key = after(comma | open, space, is_compact, &state->before_key);
  uint64_t keys_end = ends_of(may_be_key & first_quote, string, &state->key);
  uint64_t after_key = after(keys_end, space, is_compact, &state->after_key);

  uint64_t wrong = text->wrong | (after_value & (first_quote | first_scalar | open));
  wrong |= (comma | colon | (close & ~after_open)) & ~after_value;
  wrong |= colon & ~after_key;
  uint64_t wrong_in_object = (may_be_key & ~(first_quote | close)) | (after_key & ~colon);
  return (pass_tokens){first_scalar, open, close, text->escape, wrong, wrong_in_object, colon};
}

/* Returns the tokens of the block at p, and what is wrong with it. */
INLINE pass_tokens tokens_of(const uint8_t *p, pass_carried *state, kinds_reader *kinds_of,
                             marks_reader *marks_of, lengths_reader *lengths_of,
                             bounds_reader *bounds_of) {
  block_kinds is = kinds_of(p);
  block_marks mark = marks_of(p);
  block_strings text = strings_of(p, &is, &state->text, lengths_of, bounds_of);
  text.wrong |= is.control & ~is.space;
  uint64_t space = is.space & ~text.string;
  return space == 0 ? order_of(&mark, &text, 0, 1, state) : order_of(&mark, &text, space, 0, state);
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

/* Returns whether there are numbers or literal names at these bytes of the block at p. */
INLINE int are_scalars(const uint8_t *p, uint64_t first, const uint8_t *limit, cpass_number *number) {
  for (; first != 0; first &= first - 1) {
    const uint8_t *q = p + __builtin_ctzll(first);
    if (q >= limit || !is_scalar(q, limit, number)) return 0;
  }
  return 1;
}

/* Returns whether escapes begin at these bytes of the block at p. *next is where the last one ends that was
   read. */
INLINE int are_escapes(const uint8_t *p, uint64_t first, const uint8_t *limit, const uint8_t **next) {
  for (; first != 0; first &= first - 1) {
    const uint8_t *q = p + __builtin_ctzll(first);
    if (q < *next) continue; /* the second half of a pair, read with the first */
    if (q >= limit) return 0;
    size_t length = short_escapes[q[1]] != 0 ? 2 : cindex_escape(q);
    if (length == 0) return 0;
    *next = q + length;
  }
  return 1;
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
      /* The bit 0x20 of a brace is set, that of a square bracket is not. */
      uint64_t is_object = p[__builtin_ctzll(bracket)] >> 5 & 1, in_object = objects & 1;
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
    if (!are_scalars(p, is.scalar & here, limit, number)) goto leave;
    if (!are_escapes(p, is.escape & here, limit, &next_escape)) goto leave;
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
  /* Nothing is in it: ] is [ and 2, } is { and 2. */
  if ((**p | 0x20) == '{' && (*p)[1] == **p + 2 && limit - *p >= 2) {
    *p += 2;
    return 1;
  }
#if defined(__SSE2__)
  if (way == CINDEX_AVX2) return pass_avx2(p, limit, number);
  if (way == CINDEX_SSE2) return pass_sse2(p, limit, number);
#endif
  return pass_scalar(p, limit, number);
}
