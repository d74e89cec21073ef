#ifndef QUOIN_NARROW_H
#define QUOIN_NARROW_H

#include <stdint.h>

// Rows of float32s, of which a question is decided wherever the error allows it.
//
// This is in C because the loops use AVX2 if the processor has it, and because Swift's SIMD types don't lead to the instruction that
// gathers the lanes' signs into bits.

// The integers base + offset * step of the rows `first` ..< `rows` of a scaled payload. Offsets have `width` bytes, 1 to 3, laid out as
// in range.h. Each operation rounds once; integers up to 2^24 are exact.
void quoin_narrow_integers(const uint8_t *payload, int width, int rows, int first, float base, float step, float *values);

typedef enum {
  QUOIN_NARROW_SUM, QUOIN_NARROW_PRODUCT, QUOIN_NARROW_QUOTIENT, QUOIN_NARROW_LARGER, QUOIN_NARROW_SMALLER, QUOIN_NARROW_MAGNITUDE,
} quoin_narrow_operation;

// x + y * factor, x * y, x / y, the larger or smaller of x and y * factor, or the magnitude of x, in `count` rows. All rows of `x` or
// `y` have its first value if that is a number. Eight rows are read and written at a time, also at the end.
void quoin_narrow_rows(quoin_narrow_operation operation, const float *x, int x_is_number, const float *y, int y_is_number,
                       float factor, long count, float *results);

// Writes the bits of the rows in which x - y * factor is above `error`, and of those in which it is below `-error`: row r is bit r % 64
// of word r / 64. Both have `(count + 63) / 64` words; `x` and `y` can be read up to the end of the last one, whose bits beyond the
// rows may be anything. All rows of `y` have its first value if it is a number.
void quoin_narrow_compare(const float *x, const float *y, int y_is_number, float factor, float error, long count,
                          uint64_t *above, uint64_t *below);

#endif
