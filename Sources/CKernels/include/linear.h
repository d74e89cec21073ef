#ifndef QUOIN_LINEAR_H
#define QUOIN_LINEAR_H

#include <stdint.h>

// Sums of stored columns, each times a weight, compared with 0 while their offsets are in registers: no column is written.
//
// This is in C for the reasons of narrow.h.

// What a sum takes of one block: values (base + offset * step) / power, and its patches, which have other values.
typedef struct {
  // Offsets of `width` bytes for each of `rows` rows, 1 to 3 as in range.h; 0 says that all offsets are 0.
  const uint8_t *payload;
  int32_t width, rows;
  // The sum's row r has the block's row r - shift. Of the first rows, up to `head_count`, `head` has what they count beyond the start
  // instead, and of those before the block `before` has the values; null if there are none.
  int32_t shift;
  int32_t patch_count;
  const float *head;
  const double *before;
  // The patches: their values, then their rows, rising.
  const uint8_t *patches;
  // Whether patches are int64s.
  int32_t are_integers;
  // Whether a row in which the value isn't above 0 (2^-200, so that no quotient is infinite) is in doubt.
  int32_t is_divisor;
  double base, step, power;
  // What a value counts in the sum, and at most in the numbers that the sum stands for.
  double weight, size;
  // What an offset counts in the float32s of the sum.
  float factor;
} quoin_linear_term;

// The most terms of a sum.
#define QUOIN_LINEAR_TERMS 8

typedef struct {
  // What the sum has besides its terms, and the size of that.
  double constant, size;
  // The float32s' sum where all offsets are 0, and how far the sums may be off.
  float start, error;
  // Of rows that depend on patches, how far a sum may be off in parts of its size.
  double wide_error;
  // A multiple of 64.
  long head_count;
} quoin_linear_sum;

// Writes the bits of the rows up to `end` in which the sum is above 0 by more than the error and in which it is below 0 by more, as
// row r's bit r % 64 of word r / 64. Bits of the last word from `end` on may be anything. Of rows that depend on patches it adds the
// bits of those in which a value is missing, and of those that the error isn't all that is to be said of.
void quoin_linear_compare(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, long end, uint64_t *above,
                          uint64_t *below, uint64_t *missing, uint64_t *in_doubt);

// The first `count` offsets of a block, times `factor`.
void quoin_linear_offsets(const uint8_t *payload, int width, int rows, long count, float factor, float *values);

#endif
