#include "linear.h"

#include "floats.h"
#include "offsets.h"

#include <math.h>

// Adds a term's 64 rows, of which the first is `row` of its block.
INLINE void add_rows(const quoin_linear_term *term, int width, long row, floats8 *sums) {
#pragma clang loop unroll_count(8)
  for (int group = 0; group < 8; group++) {
    lanes8 lanes;
    load(term->payload, width, term->rows, (int)row + 8 * group, &lanes);
    sums[group] += __builtin_convertvector(lanes, floats8) * term->factor;
  }
}

INLINE void add_head(const float *head, floats8 *sums) {
#pragma clang loop unroll_count(8)
  for (int group = 0; group < 8; group++) {
    floats8 values;
    memcpy(&values, head + 8 * group, sizeof values);
    sums[group] += values;
  }
}

// Adds a term's rows of a word whose rows end before the word does, or of a processor whose bytes are in another order.
INLINE void add_last(const quoin_linear_term *term, long row, long count, floats8 *sums) {
  float *lanes = (float *)sums;
  for (long index = 0; index < count; index++)
    lanes[index] += (float)(int32_t)offset(term->payload, term->width, term->rows, (int)(row + index)) * term->factor;
}

INLINE void add(const quoin_linear_term *term, long row, long end, long head_count, floats8 *sums) {
  if (row < head_count && term->shift > 0) return add_head(term->head + row, sums);
  if (term->width == 0) return;
  long own = row - term->shift;
  if (!IS_LITTLE_ENDIAN || own + 64 > term->rows) return add_last(term, own, (end < row + 64 ? end : row + 64) - row, sums);
  switch (term->width) {
  case 1: return add_rows(term, 1, own, sums);
  case 2: return add_rows(term, 2, own, sums);
  default: return add_rows(term, 3, own, sums);
  }
}

INLINE void compare_rows(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, long end,
                         uint64_t *above, uint64_t *below) {
  for (long row = 0; row < end; row += 64) {
    floats8 sums[8];
    for (int group = 0; group < 8; group++) sums[group] = (floats8){0} + sum->start;
    for (int index = 0; index < count; index++) add(terms + index, row, end, sum->head_count, sums);
    uint64_t more = 0, less = 0;
#pragma clang loop unroll_count(8)
    for (int group = 0; group < 8; group++) {
      masks8 is_above = sums[group] > sum->error, is_below = sums[group] < -sum->error;
      more |= bits(&is_above) << (8 * group);
      less |= bits(&is_below) << (8 * group);
    }
    above[row / 64] = more;
    below[row / 64] = less;
  }
}

INLINE uint64_t patch_bits(const quoin_linear_term *term, int index) {
  uint64_t value;
  memcpy(&value, term->patches + 8 * index, sizeof value);
#if !IS_LITTLE_ENDIAN
  value = __builtin_bswap64(value);
#endif
  return value;
}

// The sum's row that patch `index` belongs to.
INLINE long patch_row(const quoin_linear_term *term, int index) {
  const uint8_t *bytes = term->patches + 8 * term->patch_count + 2 * index;
  return (bytes[0] | (long)bytes[1] << 8) + term->shift;
}

INLINE double patch_value(const quoin_linear_term *term, int index) {
  uint64_t bits = patch_bits(term, index);
  if (term->are_integers) return (int64_t)bits == INT64_MIN ? NAN : (double)(int64_t)bits;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// What a term is in a row that has no patch of it: as it is decoded, or near it, without a division.
INLINE double unpatched(const quoin_linear_term *term, double base, double step, int is_exact, long row) {
  long own = row - term->shift;
  if (own < 0) return term->before ? term->before[row] : NAN;
  double offsets = term->width ? offset(term->payload, term->width, term->rows, (int)own) : 0;
  return is_exact ? (term->base + offsets * term->step) / term->power : base + offsets * step;
}

// Decides the rows that depend on patches: one after another, in float64.
INLINE void patched(const quoin_linear_term *terms, int count, int is_exact, const quoin_linear_sum *sum, long end,
                    uint64_t *above, uint64_t *below, uint64_t *missing, uint64_t *in_doubt) {
  int next[QUOIN_LINEAR_TERMS];
  long rows[QUOIN_LINEAR_TERMS];
  double bases[QUOIN_LINEAR_TERMS], steps[QUOIN_LINEAR_TERMS];
  for (int index = 0; index < count; index++) {
    const quoin_linear_term *term = terms + index;
    next[index] = 0;
    rows[index] = term->patch_count ? patch_row(term, 0) : end;
    bases[index] = term->base / term->power;
    steps[index] = term->step / term->power;
  }
  for (;;) {
    long row = end;
    for (int index = 0; index < count; index++)
      if (rows[index] < row) row = rows[index];
    if (row >= end) return;
    double total = sum->constant, size = sum->size;
    int is_in_doubt = 0;
    for (int index = 0; index < count; index++) {
      const quoin_linear_term *term = terms + index;
      double value;
      if (rows[index] == row) {
        value = patch_value(term, next[index]++);
        rows[index] = next[index] < term->patch_count ? patch_row(term, next[index]) : end;
        is_in_doubt |= term->are_integers && fabs(value) >= 0x1p53;
      } else {
        value = unpatched(term, bases[index], steps[index], is_exact, row);
      }
      is_in_doubt |= term->is_divisor && value <= 0x1p-200;
      total += term->weight * value;
      size += term->size * fabs(value);
    }
    uint64_t bit = (uint64_t)1 << (row & 63);
    double error = size * sum->wide_error;
    above[row / 64] &= ~bit;
    below[row / 64] &= ~bit;
    if (isnan(size))
      missing[row / 64] |= bit;
    else if (is_in_doubt || size >= 0x1p300)
      in_doubt[row / 64] |= bit;
    else if (total > error)
      above[row / 64] |= bit;
    else if (total < -error)
      below[row / 64] |= bit;
  }
}

INLINE void linear_compare_loop(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, long end,
                                uint64_t *above, uint64_t *below, uint64_t *missing, uint64_t *in_doubt) {
  compare_rows(terms, count, sum, end, above, below);
  int patch_count = 0;
  for (int index = 0; index < count; index++) patch_count += terms[index].patch_count;
  if (!patch_count) return;
  if (sum->wide_error == 0) return patched(terms, count, 1, sum, end, above, below, missing, in_doubt);
  if (count == 2) return patched(terms, 2, 0, sum, end, above, below, missing, in_doubt);
  patched(terms, count, 0, sum, end, above, below, missing, in_doubt);
}

DEFINE(void, linear_compare,
       (const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, long end, uint64_t *above, uint64_t *below,
        uint64_t *missing, uint64_t *in_doubt),
       (terms, count, sum, end, above, below, missing, in_doubt))

void quoin_linear_offsets(const uint8_t *payload, int width, int rows, long count, float factor, float *values) {
  for (int row = 0; row < count; row++)
    values[row] = width ? (float)(int32_t)offset(payload, width, rows, row) * factor : 0;
}
