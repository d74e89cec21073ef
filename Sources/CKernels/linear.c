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

// A value that is no patch, as it is decoded.
INLINE double scaled_value(const quoin_linear_term *term, long own) {
  return (term->base + own_offset(term, own) * term->step) / term->power;
}

// Finds the rows that depend on patches. Those of patches that are missing, or that no bound covers, are decided here.
INLINE void find_patches(const quoin_linear_term *terms, int count, long end, uint64_t *patched, quoin_linear_rows *rows) {
  for (int index = 0; index < count; index++) {
    const quoin_linear_term *term = terms + index;
    double least = term->is_divisor ? 0x1p-200 : -INFINITY;
    for (int patch = 0; patch < term->patch_count; patch++) {
      long row = patch_row(term, patch);
      if (row >= end) break;
      double value = patch_value(term, patch);
      uint64_t bit = (uint64_t)1 << (row & 63);
      patched[row / 64] |= bit;
      if (isnan(value))
        rows->missing[row / 64] |= bit;
      else if (!(fabs(value) <= term->patch_max && value > least))
        rows->in_doubt[row / 64] |= bit;
    }
  }
}

// What counts beside the offsets: nothing; what is added to all rows; or that, where only the rows with patches in it have an error.
enum { NOTHING, ADDED, ADDED_TO_EXACT_SUMS };

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

INLINE void compare_word(const floats8 *sums, int kind, const quoin_linear_sum *sum, long row, uint64_t *above, uint64_t *below) {
  compare_sums(sums, sum->error, above + row / 64, below + row / 64);
  if (kind != ADDED_TO_EXACT_SUMS) return;
  uint64_t patched = sum->added_patches[row / 64], more, less;
  if (!patched) return;
  compare_sums(sums, sum->patched_error, &more, &less);
  above[row / 64] = (above[row / 64] & ~patched) | (more & patched);
  below[row / 64] = (below[row / 64] & ~patched) | (less & patched);
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

// Asks for two lines of a column, for the processor's own guesses end with the page. The next block's bytes follow this one's.
INLINE void ask_for_pairs(const uint8_t *payload, long row) {
  __builtin_prefetch(payload + 2 * row + AHEAD);
  __builtin_prefetch(payload + 2 * row + AHEAD + 64);
}

// Compares the words from `row` on of a sum whose terms have offsets of two bytes there, while the sums are in registers.
INLINE long compare_pairs(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, int kind, long row, long end,
                          uint64_t *above, uint64_t *below) {
  const uint8_t *payloads[QUOIN_LINEAR_TERMS];
  for (int index = 0; index < count; index++) payloads[index] = terms[index].payload - 2 * terms[index].shift;
  for (; row + 64 <= end; row += 64) {
    for (int index = 0; index < count; index++) ask_for_pairs(payloads[index], row);
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
    if (kind != NOTHING) add_floats(sum->added + row, sums);
    compare_word(sums, kind, sum, row, above, below);
  }
  return row;
}

// An exact sum of two terms that count as much with different signs: it is above 0 where x + delta is above y, as offsets.
typedef struct {
  const quoin_linear_term *x, *y;
  uint16_t delta;
  // Whether the sum is y - x instead.
  int is_reversed;
} offset_difference;

// Whether a sum is such a difference, and what is added may be cut at the largest offset of two bytes: x + delta doesn't reach it, or y
// doesn't.
INLINE int find_difference(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, offset_difference *difference) {
  if (!sum->is_exact || count != 2 || terms[0].factor != -terms[1].factor || terms[0].factor == 0) return 0;
  int is_second = terms[0].factor < 0;
  double factor = fabsf(terms[0].factor), delta = sum->start / factor, size = fabs(delta);
  if (!(size <= UINT16_MAX) || rint(delta) != delta || delta * factor != sum->start) return 0;
  difference->is_reversed = delta < 0;
  difference->x = terms + (is_second ^ difference->is_reversed);
  difference->y = terms + (1 ^ is_second ^ difference->is_reversed);
  difference->delta = (uint16_t)size;
  return difference->x->largest + size <= UINT16_MAX || difference->y->largest < UINT16_MAX;
}

INLINE long compare_integers(const offset_difference *difference, long row, long end, uint64_t *above, uint64_t *below) {
  const uint8_t *x = difference->x->payload - 2 * difference->x->shift, *y = difference->y->payload - 2 * difference->y->shift;
  const pairs32 delta = (pairs32){0} + difference->delta;
  if (difference->is_reversed) {
    uint64_t *other = above;
    above = below;
    below = other;
  }
  for (; row + 64 <= end; row += 64) {
    ask_for_pairs(x, row);
    ask_for_pairs(y, row);
    uint64_t at_least = 0, at_most = 0;
#pragma clang loop unroll_count(2)
    for (int half = 0; half < 2; half++) {
      pairs32 left, right;
      memcpy(&left, x + 2 * (row + 32 * half), sizeof left);
      memcpy(&right, y + 2 * (row + 32 * half), sizeof right);
      left = __builtin_elementwise_add_sat(left, delta);
      pairs32 most = __builtin_elementwise_max(left, right);
      at_least |= (uint64_t)equal_bits(&most, &left) << (32 * half);
      at_most |= (uint64_t)equal_bits(&most, &right) << (32 * half);
    }
    above[row / 64] = ~at_most;
    below[row / 64] = ~at_least;
  }
  return row;
}

INLINE void compare_rows(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, int kind, long end,
                         uint64_t *above, uint64_t *below) {
  // The words in which all terms have pairs of bytes.
  long first = sum->head_count, last = IS_LITTLE_ENDIAN ? end : 0;
  for (int index = 0; index < count; index++) {
    long rows = terms[index].rows + terms[index].shift;
    if (rows < last) last = rows;
    if (terms[index].width != 2) last = 0;
  }
  offset_difference difference;
  int is_difference = kind == NOTHING && find_difference(terms, count, sum, &difference);
  for (long row = 0; row < end; row += 64) {
    if (row >= first && row + 64 <= last && count >= 1 && count <= 3) {
      row = is_difference ? compare_integers(&difference, row, last, above, below)
            : count == 1  ? compare_pairs(terms, 1, sum, kind, row, last, above, below)
            : count == 2  ? compare_pairs(terms, 2, sum, kind, row, last, above, below)
                          : compare_pairs(terms, 3, sum, kind, row, last, above, below);
      if (row >= end) return;
    }
    floats8 sums[8];
    for (int group = 0; group < 8; group++) sums[group] = (floats8){0} + sum->start;
    for (int index = 0; index < count; index++) add(terms + index, row, end, sum->head_count, sums);
    if (kind != NOTHING) add_floats(sum->added + row, sums);
    compare_word(sums, kind, sum, row, above, below);
  }
}

// A term's value in a row as it is decoded. `patch` is that of an earlier row, or 0, and goes on to this one.
INLINE double exact_value(const quoin_linear_term *term, long row, int *patch) {
  long own = row - term->shift;
  if (own < 0) return term->before ? term->before[row] : NAN;
  while (*patch < term->patch_count && patch_row(term, *patch) < row) (*patch)++;
  return *patch < term->patch_count && patch_row(term, *patch) == row ? patch_value(term, *patch) : scaled_value(term, own);
}

void quoin_linear_values(const quoin_linear_term *term, const uint64_t *rows, double *values) {
  int patch = 0;
  for (long word = 0; word < 16; word++)
    for (uint64_t rest = rows[word]; rest; rest &= rest - 1)
      *values++ = exact_value(term, 64 * word + __builtin_ctzll(rest), &patch);
}

// Decides the rows that depend on patches one by one, in float64. What is neither above nor below 0 is in doubt, or equals it if the sum
// is exact: two float64s differ by 0 only if they are equal.
INLINE void decide_patched(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, const uint64_t *patched,
                           long end, uint64_t *above, uint64_t *below, const quoin_linear_rows *rows) {
  int patches[QUOIN_LINEAR_TERMS] = {0};
  for (long word = 0; 64 * word < end; word++) {
    above[word] &= ~patched[word];
    below[word] &= ~patched[word];
    uint64_t rest = patched[word] & ~(rows->missing[word] | rows->in_doubt[word]);
    for (; rest; rest &= rest - 1) {
      long row = 64 * word + __builtin_ctzll(rest);
      double total = sum->constant + (sum->added ? sum->added[row] / sum->unit : 0);
      for (int index = 0; index < count; index++) total += terms[index].weight * exact_value(terms + index, row, patches + index);
      above[word] |= total > sum->row_error ? rest & -rest : 0;
      below[word] |= total < -sum->row_error ? rest & -rest : 0;
    }
  }
}

INLINE int linear_decide_loop(const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, long end,
                              quoin_linear_rows *rows) {
  uint64_t above[16], below[16], patched[16] = {0};
  int patch_count = 0, is_exact = sum->is_exact;
  for (int index = 0; index < count; index++) patch_count += terms[index].patch_count;
  if (patch_count) find_patches(terms, count, end, patched, rows);
  if (!sum->added)
    compare_rows(terms, count, sum, NOTHING, end, above, below);
  else if (sum->error != 0)
    compare_rows(terms, count, sum, ADDED, end, above, below);
  else
    compare_rows(terms, count, sum, ADDED_TO_EXACT_SUMS, end, above, below);
  if (patch_count) decide_patched(terms, count, sum, patched, end, above, below, rows);
  uint64_t if_above = -(uint64_t)(sum->signs & 1), if_below = -(uint64_t)(sum->signs >> 1 & 1);
  uint64_t if_equal = -(uint64_t)(sum->signs >> 2 & is_exact & 1), any = 0;
  for (long word = 0; word < 16; word++) {
    long left = end - 64 * word;
    uint64_t exist = left >= 64 ? ~(uint64_t)0 : left > 0 ? ((uint64_t)1 << left) - 1 : 0;
    exist &= ~rows->missing[word];
    uint64_t known = exist & ~rows->in_doubt[word], rest = known & ~above[word] & ~below[word];
    rows->held[word] = known & ((above[word] & if_above) | (below[word] & if_below) | (rest & if_equal));
    rows->zero[word] = is_exact ? rest : 0;
    rows->in_doubt[word] = (exist & rows->in_doubt[word]) | (is_exact ? 0 : rest);
    any |= rows->in_doubt[word];
  }
  return any != 0;
}

DEFINE(int, linear_decide,
       (const quoin_linear_term *terms, int count, const quoin_linear_sum *sum, long end, quoin_linear_rows *rows),
       (terms, count, sum, end, rows))

// The offsets of `count` rows of a block, times a step.
INLINE void scaled_offsets(const uint8_t *payload, int width, int rows, int first, long count, int32_t step, int32_t *numbers) {
  long row = 0;
  if (IS_LITTLE_ENDIAN)
    for (; row + 8 <= count; row += 8) {
      lanes8 lanes;
      load(payload, width, rows, first + (int)row, &lanes);
      lanes *= step;
      memcpy(numbers + row, &lanes, sizeof lanes);
    }
  for (; row < count; row++) numbers[row] = (int32_t)offset(payload, width, rows, first + (int)row) * step;
}

INLINE void window_numbers(const uint8_t *payload, int width, int rows, int first, long count, int32_t step, int32_t *numbers) {
  switch (width) {
  case 0: memset(numbers, 0, count * sizeof *numbers); return;
  case 1: return scaled_offsets(payload, 1, rows, first, count, step, numbers);
  case 2: return scaled_offsets(payload, 2, rows, first, count, step, numbers);
  default: return scaled_offsets(payload, 3, rows, first, count, step, numbers);
  }
}

// Sums of the numbers from each on, as a running sum of what comes in and what goes out.
INLINE void sum_windows(const int32_t *numbers, long count, long end, float factor, int adds, float *values) {
  const lanes8 zero = {0};
  int32_t first = 0;
  for (long index = 1; index < count; index++) first += numbers[index];
  lanes8 total = zero + first;
  for (long row = 0; row < end; row += 8) {
    lanes8 in, out;
    memcpy(&in, numbers + row + count, sizeof in);
    memcpy(&out, numbers + row, sizeof out);
    lanes8 sums = in - out;
    sums += __builtin_shufflevector(sums, zero, 8, 0, 1, 2, 3, 4, 5, 6);
    sums += __builtin_shufflevector(sums, zero, 8, 8, 0, 1, 2, 3, 4, 5);
    sums += __builtin_shufflevector(sums, zero, 8, 8, 8, 8, 0, 1, 2, 3);
    sums += total;
    total = __builtin_shufflevector(sums, sums, 7, 7, 7, 7, 7, 7, 7, 7);
    floats8 parts = __builtin_convertvector(sums, floats8) * factor, before = {0};
    if (adds) memcpy(&before, values + row, sizeof before);
    parts += before;
    memcpy(values + row, &parts, sizeof parts);
  }
}

// Puts the patches of a block, whose first row is at `start`, among the numbers, and how far they are off into `errors`. Returns whether a
// window can have them.
INLINE int take_patches(quoin_linear_window *window, const quoin_linear_term *term, long start, int32_t *numbers, double *errors) {
  for (int patch = 0; patch < term->patch_count; patch++) {
    long place = start + patch_row(term, patch);
    if (place < 1) continue;
    double value = patch_value(term, patch), number = value * window->power - window->base, rounded = rint(number);
    if (!(fabs(rounded) <= window->patch_max) || window->patch_count == QUOIN_LINEAR_PATCHES) return 0;
    if (term->is_divisor && !(value > 0)) return 0;
    numbers[place] = (int32_t)rounded;
    if (fabs(rounded) > window->patch_most) window->patch_most = fabs(rounded);
    errors[window->patch_count] = fabs(number - rounded);
    window->patch_places[window->patch_count] = (int32_t)place;
    window->patch_values[window->patch_count++] = value;
  }
  return 1;
}

INLINE void set_bits(uint64_t *words, long row, long end) {
  while (row < end) {
    long left = end - row, room = 64 - (row & 63), count = left < room ? left : room;
    words[row / 64] |= (~(uint64_t)0 >> (64 - count)) << (row & 63);
    row += count;
  }
}

// Finds the rows whose windows have patches that are off by more than float64s are, and how far.
INLINE void bound_patches(quoin_linear_window *window, long end, const double *errors) {
  double error = 0;
  int out = 0;
  for (int in = 0; in < window->patch_count; in++) {
    if (errors[in] < 0x1p-20) continue;
    long place = window->patch_places[in];
    // Each is in as many windows, so those that came in first have gone out before.
    for (; window->patch_places[out] <= place - window->count; out++)
      if (errors[out] >= 0x1p-20) error -= errors[out];
    error += errors[in];
    if (error > window->patch_error) window->patch_error = error;
    set_bits(window->patched, place < window->count ? 0 : place - window->count, place < end ? place : end);
  }
  window->patch_error *= 1.001;
}

INLINE int linear_add_windows_loop(quoin_linear_window *window, long end, int32_t *numbers, float *values) {
  const quoin_linear_term *term = window->term;
  const int32_t step = window->before_step, delta = window->before_delta, reach = window->reach;
  double errors[QUOIN_LINEAR_PATCHES];
  // The number that goes out of the first window was never in it.
  numbers[0] = 0;
  for (long row = 1; row <= reach; row++) numbers[row] = numbers[row] * step + delta;
  int32_t *own = numbers + 1 + reach;
  window_numbers(term->payload, term->width, term->rows, 0, end, window->step, own);
  memset(own + end, 0, 15 * sizeof *own);
  window->patch_count = 0;
  window->patch_most = window->patch_error = 0;
  if (window->before && !take_patches(window, window->before, 1 + reach - window->before->rows, numbers, errors)) return 0;
  if (!take_patches(window, term, 1 + reach, numbers, errors)) return 0;
  if (window->patch_count) bound_patches(window, end, errors);
  sum_windows(numbers, window->count, end, (float)window->factor, window->adds, values);
  return 1;
}

DEFINE(int, linear_add_windows, (quoin_linear_window *window, long end, int32_t *numbers, float *values),
       (window, end, numbers, values))

INLINE void linear_tail_loop(const uint8_t *payload, int width, int rows, int count, int32_t *offsets) {
  window_numbers(payload, width, rows, rows - count, count, 1, offsets);
}

DEFINE(void, linear_tail, (const uint8_t *payload, int width, int rows, int count, int32_t *offsets),
       (payload, width, rows, count, offsets))

double quoin_linear_row(const quoin_linear_term *terms, int count, long row) {
  double total = 0;
  for (int index = 0; index < count; index++) {
    for (int patch = 0; patch < terms[index].patch_count; patch++)
      if (patch_row(terms + index, patch) == row) return NAN;
    total += own_offset(terms + index, row) * terms[index].factor;
  }
  return total;
}

void quoin_linear_offsets(const uint8_t *payload, int width, int rows, long count, float factor, float *values) {
  for (int row = 0; row < count; row++)
    values[row] = width ? (float)(int32_t)offset(payload, width, rows, row) * factor : 0;
}

int quoin_linear_last(const quoin_linear_term *term, int count, double *values) {
  int first = term->rows - count, are_exact = 1;
  for (int row = 0; row < count; row++) values[row] = scaled_value(term, first + row);
  for (int patch = term->patch_count - 1; patch >= 0; patch--) {
    long row = patch_row(term, patch) - term->shift - first;
    if (row < 0) break;
    if (row < count) values[row] = patch_value(term, patch);
  }
  if (term->are_integers)
    for (int row = 0; row < count; row++) are_exact &= !(fabs(values[row]) >= 0x1p53);
  return are_exact;
}
