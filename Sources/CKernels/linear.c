#include "linear.h"

#include "floats.h"
#include "offsets.h"

#include <math.h>

// How many bytes ahead the columns are asked for: about a block.
#define AHEAD 2048

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

INLINE double own_offset(const quoin_linear_term *term, long own) {
  return term->width ? offset(term->payload, term->width, term->rows, (int)own) : 0;
}

// The rows that depend on patches, and what these count beyond the offsets in their places.
typedef struct {
  uint64_t rows[16];
  float parts[1024];
} patched_rows;

INLINE void find_patches(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, long end,
                         patched_rows *patched, quoin_linear_rows *rows) {
  memset(patched, 0, sizeof *patched);
  for (int index = 0; index < count; index++) {
    const quoin_linear_term *term = terms + index;
    double base = term->base / term->power, step = term->step / term->power;
    double least = term->is_divisor ? 0x1p-200 : -INFINITY, part_max = sum->part_max / sum->unit;
    for (int patch = 0; patch < term->patch_count; patch++) {
      long row = patch_row(term, patch);
      if (row >= end) break;
      double value = patch_value(term, patch);
      double part = term->weight * (value - (base + own_offset(term, row - term->shift) * step));
      uint64_t bit = (uint64_t)1 << (row & 63);
      patched->rows[row / 64] |= bit;
      // A patch so large that it would put the other rows in doubt is by itself.
      if (fabs(value) <= term->patch_max && fabs(part) <= part_max && value > least)
        patched->parts[row] += (float)(part * sum->unit);
      else if (isnan(value))
        rows->missing[row / 64] |= bit;
      else
        rows->in_doubt[row / 64] |= bit;
    }
  }
}

// What is done about patches: there are none; they count something beside the offsets; besides, only sums that depend on them have
// errors.
enum { NO_PATCHES, PATCHES, PATCHES_OF_EXACT_SUMS };

// The rows of 64 sums in which these are above the error, and those in which they are below.
INLINE void compare_sums(const floats8 *sums, float error, uint64_t *above, uint64_t *below) {
  uint64_t more = 0, less = 0;
#pragma clang loop unroll_count(8)
  for (int group = 0; group < 8; group++) {
    masks8 is_above = sums[group] > error, is_below = sums[group] < -error;
    more |= bits(&is_above) << (8 * group);
    less |= bits(&is_below) << (8 * group);
  }
  *above = more;
  *below = less;
}

INLINE void compare_word(const floats8 *sums, int kind, const quoin_linear_sum *sum, uint64_t patched, uint64_t *above,
                         uint64_t *below) {
  compare_sums(sums, sum->error, above, below);
  if (kind != PATCHES_OF_EXACT_SUMS || !patched) return;
  uint64_t more, less;
  compare_sums(sums, sum->patched_error, &more, &less);
  *above = (*above & ~patched) | (more & patched);
  *below = (*below & ~patched) | (less & patched);
}

// Adds a term's 64 rows, of which the first is `row` of its block.
INLINE void add_rows(const quoin_linear_term *term, int width, long row, floats8 *sums) {
#pragma clang loop unroll_count(8)
  for (int group = 0; group < 8; group++) {
    lanes8 lanes;
    load(term->payload, width, term->rows, (int)row + 8 * group, &lanes);
    sums[group] += __builtin_convertvector(lanes, floats8) * term->factor;
  }
}

INLINE void add_floats(const float *values, floats8 *sums) {
#pragma clang loop unroll_count(8)
  for (int group = 0; group < 8; group++) {
    floats8 loaded;
    memcpy(&loaded, values + 8 * group, sizeof loaded);
    sums[group] += loaded;
  }
}

// Adds a term's rows of a word whose rows end before the word does, or of a processor whose bytes are in another order.
INLINE void add_last(const quoin_linear_term *term, long row, long count, floats8 *sums) {
  float *lanes = (float *)sums;
  for (long index = 0; index < count; index++) lanes[index] += (float)own_offset(term, row + index) * term->factor;
}

INLINE void add(const quoin_linear_term *term, long row, long end, long head_count, floats8 *sums) {
  if (row < head_count && term->shift > 0) return add_floats(term->head + row, sums);
  if (term->width == 0) return;
  long own = row - term->shift;
  if (!IS_LITTLE_ENDIAN || own + 64 > term->rows) return add_last(term, own, (end < row + 64 ? end : row + 64) - row, sums);
  switch (term->width) {
  case 1: return add_rows(term, 1, own, sums);
  case 2: return add_rows(term, 2, own, sums);
  default: return add_rows(term, 3, own, sums);
  }
}

// Compares the words from `row` on of a sum whose terms have offsets of two bytes there, while the sums are in registers.
INLINE long compare_pairs(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, int kind,
                          const patched_rows *patched, long row, long end, uint64_t *above, uint64_t *below) {
  const uint8_t *payloads[QUOIN_LINEAR_TERMS];
  for (int index = 0; index < count; index++) payloads[index] = terms[index].payload - 2 * terms[index].shift;
  for (; row + 64 <= end; row += 64) {
    // Two lines of each column, for the processor's own guesses end with the page. The next block's bytes follow this one's.
    for (int index = 0; index < count; index++) {
      __builtin_prefetch(payloads[index] + 2 * row + AHEAD);
      __builtin_prefetch(payloads[index] + 2 * row + AHEAD + 64);
    }
    floats8 sums[8];
#pragma clang loop unroll_count(8)
    for (int group = 0; group < 8; group++) {
      sums[group] = (floats8){0} + sum->start;
      for (int index = 0; index < count; index++) {
        lanes8 lanes;
        load_pairs(payloads[index] + 2 * (row + 8 * group), &lanes);
        sums[group] += __builtin_convertvector(lanes, floats8) * terms[index].factor;
      }
    }
    if (kind != NO_PATCHES) add_floats(patched->parts + row, sums);
    compare_word(sums, kind, sum, patched->rows[row / 64], above + row / 64, below + row / 64);
  }
  return row;
}

INLINE void compare_rows(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, int kind,
                         const patched_rows *patched, long end, uint64_t *above, uint64_t *below) {
  // The words in which all terms have pairs of bytes.
  long first = sum->head_count, last = IS_LITTLE_ENDIAN ? end : 0;
  for (int index = 0; index < count; index++) {
    long rows = terms[index].rows + terms[index].shift;
    if (rows < last) last = rows;
    if (terms[index].width != 2) last = 0;
  }
  for (long row = 0; row < end; row += 64) {
    if (row >= first && row + 64 <= last && count <= 3) {
      row = count == 1   ? compare_pairs(terms, 1, sum, kind, patched, row, last, above, below)
            : count == 2 ? compare_pairs(terms, 2, sum, kind, patched, row, last, above, below)
                         : compare_pairs(terms, 3, sum, kind, patched, row, last, above, below);
      if (row >= end) return;
    }
    floats8 sums[8];
    for (int group = 0; group < 8; group++) sums[group] = (floats8){0} + sum->start;
    for (int index = 0; index < count; index++) add(terms + index, row, end, sum->head_count, sums);
    if (kind != NO_PATCHES) add_floats(patched->parts + row, sums);
    compare_word(sums, kind, sum, patched->rows[row / 64], above + row / 64, below + row / 64);
  }
}

// A term's value in a row as it is decoded.
static double exact_value(const quoin_linear_term *term, long row) {
  long own = row - term->shift;
  if (own < 0) return term->before ? term->before[row] : NAN;
  for (int patch = 0; patch < term->patch_count; patch++)
    if (patch_row(term, patch) == row) return patch_value(term, patch);
  return (term->base + own_offset(term, own) * term->step) / term->power;
}

// Decides the rows of an exact sum that depend on patches and are near 0: those of equal patches. Such a sum is a difference.
INLINE void settle_equals(const quoin_linear_term *terms, int count, const patched_rows *patched, long end, uint64_t *above,
                          uint64_t *below, const quoin_linear_rows *rows) {
  for (long word = 0; 64 * word < end; word++) {
    uint64_t rest = patched->rows[word] & ~(above[word] | below[word] | rows->missing[word] | rows->in_doubt[word]);
    for (; rest; rest &= rest - 1) {
      uint64_t bit = rest & -rest;
      double total = 0;
      for (int index = 0; index < count; index++)
        total += terms[index].weight * exact_value(terms + index, 64 * word + __builtin_ctzll(rest));
      if (total > 0) above[word] |= bit;
      if (total < 0) below[word] |= bit;
    }
  }
}

INLINE int linear_decide_loop(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, long end,
                              quoin_linear_rows *rows) {
  uint64_t above[16], below[16];
  patched_rows patched;
  int patch_count = 0, is_exact = sum->is_exact;
  for (int index = 0; index < count; index++) patch_count += terms[index].patch_count;
  if (patch_count) find_patches(terms, count, sum, end, &patched, rows);
  if (!patch_count) {
    compare_rows(terms, count, sum, NO_PATCHES, &patched, end, above, below);
  } else if (!is_exact) {
    compare_rows(terms, count, sum, PATCHES, &patched, end, above, below);
  } else {
    compare_rows(terms, count, sum, PATCHES_OF_EXACT_SUMS, &patched, end, above, below);
    settle_equals(terms, count, &patched, end, above, below, rows);
  }
  uint64_t if_above = -(uint64_t)(sum->signs & 1), if_below = -(uint64_t)(sum->signs >> 1 & 1);
  uint64_t if_equal = -(uint64_t)(sum->signs >> 2 & is_exact & 1), any = 0;
  for (long word = 0; word < 16; word++) {
    long left = end - 64 * word;
    uint64_t exist = left >= 64 ? ~(uint64_t)0 : left > 0 ? ((uint64_t)1 << left) - 1 : 0;
    exist &= ~rows->missing[word];
    uint64_t known = exist & ~rows->in_doubt[word], rest = known & ~above[word] & ~below[word];
    rows->held[word] = known & ((above[word] & if_above) | (below[word] & if_below) | (rest & if_equal));
    rows->in_doubt[word] = (exist & rows->in_doubt[word]) | (is_exact ? 0 : rest);
    any |= rows->in_doubt[word];
  }
  return any != 0;
}

DEFINE(int, linear_decide,
       (const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, long end, quoin_linear_rows *rows),
       (terms, count, sum, end, rows))

void quoin_linear_offsets(const uint8_t *payload, int width, int rows, long count, float factor, float *values) {
  for (int row = 0; row < count; row++)
    values[row] = width ? (float)(int32_t)offset(payload, width, rows, row) * factor : 0;
}

int quoin_linear_last(const quoin_linear_term *term, int count, double *values) {
  int first = term->rows - count, are_exact = 1;
  for (int row = 0; row < count; row++) values[row] = (term->base + own_offset(term, first + row) * term->step) / term->power;
  for (int patch = term->patch_count - 1; patch >= 0; patch--) {
    long row = patch_row(term, patch) - term->shift - first;
    if (row < 0) break;
    if (row < count) values[row] = patch_value(term, patch);
  }
  if (term->are_integers)
    for (int row = 0; row < count; row++) are_exact &= !(fabs(values[row]) >= 0x1p53);
  return are_exact;
}
