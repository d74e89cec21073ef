#ifndef QUOIN_COMPARE_H
#define QUOIN_COMPARE_H

#include <stdint.h>

typedef enum {
  QUOIN_BELOW, QUOIN_AT_MOST, QUOIN_ABOVE, QUOIN_AT_LEAST, QUOIN_EQUAL, QUOIN_NOT_EQUAL,
} quoin_comparison;

// Writes the bits of the rows in which a comparison holds: row r is bit r % 64 of word r / 64. It doesn't where a value is NaN. All
// rows of `y` have its first value if `y_is_number`.
//
// This is in C because the loop uses AVX2 if the processor has it.
void quoin_compare(const double *x, const double *y, int y_is_number, long count, quoin_comparison comparison, uint64_t *mask);

#endif
