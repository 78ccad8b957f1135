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

/* Decodes the text of a string, which begins at *text, and checks it: UTF-8, controls, escapes. Returns
   the number of bytes written, and sets *text to the quote that ends the string. Returns -1 if something
   is wrong, or if no quote ends it before the limit. Reads up to 32 bytes from the limit on. dst has
   room for the bytes before the limit and 32 more. */
ptrdiff_t cindex_string(uint8_t *dst, const uint8_t **text, const uint8_t *limit);

/* Checks a string in the same way and writes nothing. Returns whether it is right. */
int cindex_is_string(const uint8_t **text, const uint8_t *limit);

/* Returns whether the escapes of a string that an index covers are right: those whose backslashes are
   at `count` entries of the piece. Reads up to 5 bytes after the string. */
int cindex_are_escapes(const uint8_t *piece, const uint16_t *entries, size_t count);

/* Returns the length of the escape whose backslash is at p, of both halves of a pair together; 0 if it is wrong.
   Reads up to 12 bytes. */
size_t cindex_escape(const uint8_t *p);

/* Returns four bytes as one number, to compare them at once. */
static inline uint32_t cindex_four(const uint8_t *p) {
  uint32_t four;
  memcpy(&four, p, 4);
  return four;
}

#endif
