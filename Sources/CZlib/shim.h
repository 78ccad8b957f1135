/* zlib: inflate (RFC 1951) and CRC-32. Debian: zlib1g-dev. Linked statically. */
#include <zlib.h>
