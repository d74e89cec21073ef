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
  // What a value counts in the sum, and how large a patch may be for the error to hold.
  double weight, patch_max;
  // What an offset counts in the float32s of the sum, and the largest one.
  float factor;
  uint32_t largest;
} quoin_linear_term;

// The most terms of a sum.
#define QUOIN_LINEAR_TERMS 8

typedef struct {
  // The float32s' sum where all offsets are 0, and how far the sums may be off; 0 if they are exact.
  float start, error;
  // The same of rows in which what is added depends on patches.
  float patched_error;
  // What the float32s count for each 1 of the sum.
  double unit;
  // What the sum has besides the terms and what is added, and how far it may be off in float64, in rows where a term has a patch.
  double constant, row_error;
  // Whether the sum is a difference of integers, and exact but for patches.
  int32_t is_exact;
  // What is added to the float32s of each row besides, and the rows in which that depends on patches; null for nothing.
  const float *added;
  const uint64_t *added_patches;
  // The sums that are wanted: 1 for those above 0, 2 for those below, 4 for those equal to it.
  int32_t signs;
  // A multiple of 64.
  long head_count;
} quoin_linear_sum;

// Rows of a block, row r as bit r % 64 of word r / 64: those whose sum is wanted, those in doubt, those without a value, and those of an
// exact sum that is 0.
typedef struct {
  uint64_t held[16], in_doubt[16], missing[16], zero[16];
} quoin_linear_rows;

// Decides the rows up to `end`. Before, `in_doubt` and `missing` have those that are so whatever the sum is. Rows whose sum is closer to
// 0 than its error are in doubt. Those of an exact sum are not: what isn't above or below 0 equals it. Returns whether any is in doubt.
int quoin_linear_decide(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, long end, quoin_linear_rows *rows);

// A term's values in some rows, of sixteen words as above, as they are decoded; NaN where there is none.
void quoin_linear_values(const quoin_linear_term *term, const uint64_t *rows, double *values);

// Sums of the last `count` rows of a column. Each value is an integer of one unit, less that of the block where its offset is 0.
typedef struct {
  // The block, and the one before, of which `numbers` has the last `reach` offsets; null if there is none.
  const quoin_linear_term *term, *before;
  // How much an offset counts in the unit, one of the block before, and that one besides.
  int32_t step, before_step, before_delta;
  int32_t reach, count;
  // A value's number is value * power - base.
  double power, base;
  // What a number counts in `values`, and whether these count something before.
  double factor;
  int32_t adds;
  // The patches: their places among the numbers, and their values. There is room for QUOIN_LINEAR_PATCHES.
  int32_t patch_count;
  int32_t *patch_places;
  double *patch_values;
  // Their numbers are rounded. How large they may be, and how large the largest is; how far the sum of a window may be off.
  double patch_max, patch_most, patch_error;
  // The rows whose sums may be off are added to these.
  uint64_t *patched;
} quoin_linear_window;

// More patches than this are too many for a window.
#define QUOIN_LINEAR_PATCHES 128

// Writes what the windows that end `reach - count + 1` rows before the first `end` rows of a block count to `values`, or adds it. All
// numbers, and their sums, are int32s. There are 1 + reach + end + 16 of them, of which those from 1 to 1 + reach are the offsets before the
// block. Returns whether it could be done: not if a cell is missing, patches are too many or too large, or one isn't above 0 in a divisor.
int quoin_linear_add_windows(quoin_linear_window *window, long end, int32_t *numbers, float *values);

// The last `count` offsets of a block.
void quoin_linear_tail(const uint8_t *payload, int width, int rows, int count, int32_t *offsets);

// What the offsets of terms without shifts count in a row: NaN if one has a patch there.
double quoin_linear_row(const quoin_linear_term *terms, int count, long row);

// The first `count` offsets of a block, times `factor`.
void quoin_linear_offsets(const uint8_t *payload, int width, int rows, long count, float factor, float *values);

// The last `count` values of the term's block. Returns whether all are the whole numbers that they stand for.
int quoin_linear_last(const quoin_linear_term *term, int count, double *values);

#endif
