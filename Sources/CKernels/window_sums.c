#include "window_rows.h"

#include <float.h>
#include <string.h>

INLINE int tile_fill_loop(const double *values, long count, double *tile) {
  masks8 missing = {0}, infinite = {0};
  long row = 0;
  for (; row + 8 <= count; row += 8) {
    rows8 value = LOAD(values + row) + 0.0;
    missing |= value != value;
    infinite |= MAGNITUDE(value) == INFINITY;
    STORE(tile + row, value);
  }
  int has_missing = any(&missing), has_infinite = any(&infinite);
  for (; row < count; row++) {
    tile[row] = values[row] + 0.0;
    has_missing |= isnan(values[row]);
    has_infinite |= isinf(values[row]);
  }
  return (has_missing ? QUOIN_HAS_MISSING : 0) | (has_infinite ? QUOIN_HAS_INFINITE : 0);
}
DEFINE(int, tile_fill, (const double *values, long count, double *tile), (values, count, tile))

void quoin_tile_pair(double *x, double *y, long count) {
  for (long row = 0; row < count; row++) {
    if (isnan(x[row])) y[row] = x[row];
    if (isnan(y[row])) x[row] = y[row];
  }
}

void quoin_window_counts(const quoin_tile *tile, double *counts) {
  long count = 0;
  for (long row = 0; row < tile->rows - 1; row++) count += !isnan(tile->x[row]);
  for (long window = 0; window < tile->windows; window++) {
    count += !isnan(tile->x[window + tile->rows - 1]);
    counts[window] = (double)count;
    count -= !isnan(tile->x[window]);
  }
}

// sum = a + b rounded, and the error of the rounding (Knuth).
#define TWO_SUM(sum, error, a, b)                                                                                      \
  do {                                                                                                                 \
    rows8 first = (a), second = (b), total = first + second, part = total - first;                                     \
    error = (first - (total - part)) + (second - part);                                                                \
    sum = total;                                                                                                       \
  } while (0)

// (sum + error) / count, rounded once, if the pair has some 90 bits at most: the quotient of the sum, and that of the
// remainder, which is exact. It is added last; a tie is exact there too.
INLINE void divide(const rows8 *sum, const rows8 *error, const rows8 *count, rows8 *result) {
  rows8 quotient = *sum / *count, remainder = FUSE(-quotient, *count, *sum);
  rows8 mean = quotient + (remainder + *error) / *count;
  *result = CHOOSE(MAGNITUDE(quotient) == INFINITY, quotient, mean);
}

// Divides each value into a multiple of a unit and the rest, a multiple of a smaller unit. The units are so large that sums of
// all values are exact in float64, whatever the order. Then prefix sums give every window. Returns 0 if a value has more bits.
INLINE int prefix_sums(const double *x, long count, int has_missing, double *high, double *low) {
  rows8 largest = {0};
  for (long row = 0; row < count; row += 8) {
    rows8 size = MAGNITUDE(LOAD(x + row));
    largest = CHOOSE(size > largest, size, largest);
  }
  double maximum = 0;
  for (int row = 0; row < 8; row++) maximum = fmax(maximum, largest[row]);
  if (!(maximum < 0x1p800)) return 0;
  int exponent, bits = 64 - __builtin_clzll((unsigned long long)count);
  frexp(fmax(maximum, 0x1p-800), &exponent);
  double high_unit = ldexp(1.5, exponent + bits), low_unit = ldexp(1.5, exponent + 2 * bits - 53);
  masks8 inexact = {0};
  high[0] = low[0] = 0;
  for (long row = 0; row < count; row += 8) {
    rows8 value = LOAD(x + row);
    if (has_missing) value = WHERE(value == value, value);
    rows8 part = (value + high_unit) - high_unit, rest = value - part;
    inexact |= ((rest + low_unit) - low_unit) != rest;
    STORE(high + row + 1, part);
    STORE(low + row + 1, rest);
  }
  if (any(&inexact)) return 0;
  double high_sum = 0, low_sum = 0;
  for (long row = 1; row <= count; row++) {
    high[row] = high_sum += high[row];
    low[row] = low_sum += low[row];
  }
  return 1;
}

// The sums of eight windows as pairs of numbers, and the windows for which these aren't exact or can't be divided. If there
// are infinite values, their sum is the result.
INLINE void pair_sums(const double *x, long rows, int has_missing, rows8 *sum, rows8 *error, masks8 *hard) {
  rows8 high = {0}, low = {0}, infinite = {0};
  masks8 inexact = {0};
  for (long row = 0; row < rows; row++) {
    rows8 value = LOAD(x + row), rest, lost;
    if (has_missing) value = WHERE(value == value, value);
    masks8 is_infinite = MAGNITUDE(value) == INFINITY;
    infinite += WHERE(is_infinite, value);
    value = WHERE(~is_infinite, value);
    TWO_SUM(high, rest, high, value);
    TWO_SUM(low, lost, low, rest);
    inexact |= lost != 0.0;
  }
  TWO_SUM(*sum, *error, high, low);
  rows8 size = MAGNITUDE(*sum), unit = size * 0x1.8p-38;
  masks8 fits = ((unit + *error) - unit == *error) & (size > 0x1p-900) & (size < 0x1p900);
  masks8 has_infinite = infinite != 0.0;
  *hard = (inexact | ~(fits | ((size == 0.0) & (*error == 0.0)))) & ~has_infinite;
  *sum = CHOOSE(has_infinite, infinite, *sum);
  *error = WHERE(~has_infinite, *error);
}

INLINE long window_sums_loop(const quoin_tile *tile, const double *values, double *scratch, double *sums, double *means,
                             int32_t *hard) {
  long rows = tile->rows, count = rows + tile->windows - 1, hard_count = 0;
  double *high = scratch, *low = scratch + count + 9;
  int is_exact = prefix_sums(values, count, tile->has_missing, high, low);
  for (long window = 0; window < tile->windows; window += 8) {
    rows8 sum, error, n = LOAD(tile->counts + window), mean;
    if (is_exact) {
      rows8 a = LOAD(high + window + rows) - LOAD(high + window), b = LOAD(low + window + rows) - LOAD(low + window);
      TWO_SUM(sum, error, a, b);
    } else {
      masks8 is_hard;
      BY_MISSING(pair_sums(values + window, rows, has_missing, &sum, &error, &is_hard))
      for (int row = 0; row < 8; row++) {
        if (is_hard[row]) hard[hard_count++] = (int32_t)(window + row);
      }
    }
    divide(&sum, &error, &n, &mean);
    STORE(sums + window, CHOOSE(n == 0.0, ALL(NAN), sum));
    STORE(means + window, mean);
  }
  return hard_count;
}
DEFINE(long, window_sums,
       (const quoin_tile *tile, const double *values, double *scratch, double *sums, double *means, int32_t *hard),
       (tile, values, scratch, sums, means, hard))
