#include "compare.h"

#include "dispatch.h"

#include <math.h>
#include <string.h>

typedef double doubles4 __attribute__((vector_size(32)));
typedef int64_t masks4 __attribute__((vector_size(32)));
typedef _Bool bits4 __attribute__((ext_vector_type(4)));

INLINE void hold(const doubles4 *x, const doubles4 *y, quoin_comparison comparison, masks4 *result) {
  switch (comparison) {
  case QUOIN_BELOW: *result = *x < *y; return;
  case QUOIN_AT_MOST: *result = *x <= *y; return;
  case QUOIN_ABOVE: *result = *x > *y; return;
  case QUOIN_AT_LEAST: *result = *x >= *y; return;
  case QUOIN_EQUAL: *result = *x == *y; return;
  default: *result = (*x < *y) | (*x > *y); return;
  }
}

// The bits of 64 rows.
INLINE uint64_t word(const double *x, const double *y, quoin_comparison comparison) {
  uint64_t word = 0;
#pragma clang loop unroll_count(4)
  for (int row = 0; row < 64; row += 4) {
    doubles4 a, b;
    memcpy(&a, x + row, sizeof a);
    memcpy(&b, y + row, sizeof b);
    masks4 held;
    hold(&a, &b, comparison, &held);
    bits4 bits = __builtin_convertvector(held, bits4);
    uint8_t byte;
    memcpy(&byte, &bits, sizeof byte);
    word |= (uint64_t)(byte & 15) << row;
  }
  return word;
}

INLINE void compare(const double *x, const double *y, int y_is_number, long count, quoin_comparison comparison,
                    uint64_t *mask) {
  double rest[64], numbers[64];
  for (int row = 0; y_is_number && row < 64; row++) numbers[row] = *y;
  for (; count > 0; count -= 64, x += 64, y += y_is_number ? 0 : 64) {
    if (count < 64) {
      size_t byte_count = (size_t)count * sizeof *x;
      for (int row = 0; row < 64; row++) rest[row] = NAN;
      x = memcpy(rest, x, byte_count);
      if (!y_is_number) y = memcpy(numbers, y, byte_count);
    }
    *mask++ = word(x, y_is_number ? numbers : y, comparison);
  }
}

#define CASE(NAME)                                                                                                     \
  case NAME: return compare(x, y, y_is_number, count, NAME, mask);

INLINE void compare_loop(const double *x, const double *y, int y_is_number, long count, quoin_comparison comparison,
                         uint64_t *mask) {
  switch (comparison) {
    CASE(QUOIN_BELOW)
    CASE(QUOIN_AT_MOST)
    CASE(QUOIN_ABOVE)
    CASE(QUOIN_AT_LEAST)
    CASE(QUOIN_EQUAL)
    CASE(QUOIN_NOT_EQUAL)
  }
}

DEFINE(void, compare,
       (const double *x, const double *y, int y_is_number, long count, quoin_comparison comparison, uint64_t *mask),
       (x, y, y_is_number, count, comparison, mask))
