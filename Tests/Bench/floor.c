// The floor under every converter: inflates a zip's first entry piece by piece, takes the CRC-32 of
// all of it, writes as many bytes as asked for, and nothing else.
//
//   floor ZIP BYTES OUTPUT [sync]
//
// With `sync` it waits until the output is on the disk, as sluice does.
// On standard output: the inflated bytes, and the seconds that inflate, CRC and writing took.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

// Small enough to stay in the cache, big enough for inflate, which keeps the end of each piece.
enum { PIECE = 128 * 1024, LOCAL_HEADER = 30 };

static void fail(const char *what) {
  fprintf(stderr, "floor: %s\n", what);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint32_t little(const unsigned char *bytes, int count) {
  uint32_t value = 0;
  while (count--) value = value << 8 | bytes[count];
  return value;
}

int main(int count, char **arguments) {
  if (count < 4) fail("usage: floor ZIP BYTES OUTPUT [sync]");
  int input = open(arguments[1], O_RDONLY);
  struct stat about;
  if (input < 0 || fstat(input, &about) != 0 || about.st_size < LOCAL_HEADER) fail("no zip");
  unsigned char *zip = mmap(NULL, about.st_size, PROT_READ, MAP_PRIVATE, input, 0);
  if (zip == MAP_FAILED) fail("no zip");
  int output = open(arguments[3], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (output < 0) fail("no output");

  // What the local header says: CRC at 14, deflated size at 18, lengths of name and extra at 26.
  z_stream stream = {0};
  stream.next_in = zip + LOCAL_HEADER + little(zip + 26, 2) + little(zip + 28, 2);
  stream.avail_in = little(zip + 18, 4);
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail("no memory");

  static unsigned char piece[PIECE];
  double inflating = 0, checking = 0;
  uLong crc = 0;
  int result;
  do {
    stream.next_out = piece;
    stream.avail_out = PIECE;
    double start = now();
    result = inflate(&stream, Z_NO_FLUSH);
    double inflated = now();
    crc = crc32(crc, piece, PIECE - stream.avail_out);
    inflating += inflated - start;
    checking += now() - inflated;
  } while (result == Z_OK);
  if (result != Z_STREAM_END || crc != little(zip + 14, 4)) fail("the zip is broken");

  double start = now();
  for (long left = atol(arguments[2]); left > 0;) {
    ssize_t written = write(output, piece, left < PIECE ? left : PIECE);
    if (written <= 0) fail("cannot write");
    left -= written;
  }
  if (count > 4 && fsync(output) != 0) fail("cannot write");
  printf("%lu %.6f %.6f %.6f\n", stream.total_out, inflating, checking, now() - start);
  return 0;
}
