/* libdeflate: CRC-32 with carry-less multiplication. Debian: libdeflate-dev. Linked statically. */
#include <libdeflate.h>
