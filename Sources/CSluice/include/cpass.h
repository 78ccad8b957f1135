/* Goes past an object or array of JSON that nobody asked for, 64 bytes at a time. It is only checked. */
#ifndef CPASS_H
#define CPASS_H

#include <stddef.h>
#include <stdint.h>

/* The deepest nesting that is passed. */
#define CPASS_DEPTH 62

/* Returns the length of the number at p, of any length that is allowed, before the limit; 0 for anything else.
   It is called for those that are longer than 30 characters. */
typedef size_t cpass_number(const uint8_t *p, const uint8_t *limit);

/* Moves *p from a bracket to the end of the object or array that it begins (RFC 8259). Returns whether it did:
   not if that does not end before the limit, is wrong or too deep. *p is then near to where this was seen, or
   before it. Reads up to 64 bytes from the limit on. `way` is one of cindex_way; all come to the same. */
int cpass_container(const uint8_t **p, const uint8_t *limit, cpass_number *number, int way);

#endif
