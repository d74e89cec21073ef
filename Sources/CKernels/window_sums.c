#include "window_rows.h"

#include <float.h>
#include <string.h>

INLINE int tile_fill_loop(const double *values, long count, double *tile) {
  masks8 missing = {0}, large = {0};
  long row = 0;
  for (; row + 8 <= count; row += 8) {
    rows8 value = LOAD(values + row) + 0.0;
    missing |= value != value;
    large |= MAGNITUDE(value) > 0x1p200;
    STORE(tile + row, value);
  }
  int has_missing = any(&missing), has_large = any(&large);
  for (; row < count; row++) {
    tile[row] = values[row] + 0.0;
    has_missing |= isnan(values[row]);
    has_large |= fabs(values[row]) > 0x1p200;
  }
  return (has_missing ? QUOIN_HAS_MISSING : 0) | (has_large ? QUOIN_HAS_LARGE : 0);
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

// (sum + error) / count: the quotient of the sum, and that of the remainder, which is exact. The last addition rounds; `rest`
// becomes what it loses. The result is rounded once if the pair has some 90 bits at most, because a tie is exact too, or if
// it is not near a tie.
INLINE void divide(const rows8 *sum, const rows8 *error, const rows8 *count, rows8 *mean, rows8 *rest) {
  rows8 quotient = *sum / *count, remainder = FUSE(-quotient, *count, *sum), part = (remainder + *error) / *count;
  *mean = quotient + part;
  *rest = (quotient - *mean) + part;
}

// Whether more than some 90 bits were divided with a result near a tie, or one so small or large that the remainder isn't exact.
INLINE void test_division(const rows8 *sum, const rows8 *error, const rows8 *mean, const rows8 *rest, masks8 *is_hard) {
  rows8 size = MAGNITUDE(*sum), unit = size * 0x1.8p-38;
  rows8 step = (rows8)((masks8)MAGNITUDE(*mean) + 1) - MAGNITUDE(*mean), lost = MAGNITUDE(*rest);
  // Below a power of 2 the steps are half as large.
  masks8 near_tie = (MAGNITUDE(lost - step / 2) < step * 0x1p-40) | (MAGNITUDE(lost - step / 4) < step * 0x1p-40);
  masks8 is_long = (unit + *error) - unit != *error, is_zero = (size == 0.0) & (*error == 0.0);
  *is_hard = ~is_zero & ((is_long & near_tie) | ~((size > 0x1p-900) & (size < 0x1p900)));
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

// The sums of eight windows as pairs of numbers, whether these aren't exact, and the sums of infinite values.
INLINE void pair_sums(const double *x, long rows, int has_missing, rows8 *sum, rows8 *error, masks8 *is_inexact,
                      rows8 *infinite) {
  rows8 high = {0}, low = {0};
  *is_inexact = (masks8){0};
  *infinite = high;
  for (long row = 0; row < rows; row++) {
    rows8 value = LOAD(x + row), rest, lost;
    if (has_missing) value = WHERE(value == value, value);
    masks8 is_infinite = MAGNITUDE(value) == INFINITY;
    *infinite += WHERE(is_infinite, value);
    value = WHERE(~is_infinite, value);
    TWO_SUM(high, rest, high, value);
    TWO_SUM(low, lost, low, rest);
    *is_inexact |= lost != 0.0;
  }
  TWO_SUM(*sum, *error, high, low);
}

// The sums and means of eight windows one value at a time. Returns the windows that are too hard; infinite values are not.
INLINE void long_sums(const double *x, long rows, int has_missing, const rows8 *n, rows8 *sum, rows8 *mean,
                      masks8 *hard) {
  rows8 error, rest, infinite;
  masks8 is_inexact, is_hard;
  pair_sums(x, rows, has_missing, sum, &error, &is_inexact, &infinite);
  divide(sum, &error, n, mean, &rest);
  test_division(sum, &error, mean, &rest, &is_hard);
  masks8 has_infinite = infinite != 0.0;
  *hard = (is_inexact | is_hard) & ~has_infinite & (*n > 0.0);
  *sum = CHOOSE(has_infinite, infinite, *sum);
  *mean = CHOOSE(has_infinite, infinite, *mean);
}

INLINE long window_sums_loop(const quoin_tile *tile, const double *values, double *scratch, double *sums, double *means,
                             int32_t *hard) {
  long rows = tile->rows, count = rows + tile->windows - 1, hard_count = 0;
  double *high = scratch, *low = scratch + count + 9;
  int is_exact = prefix_sums(values, count, tile->has_missing, high, low);
  if (!is_exact && rows > QUOIN_FEW_ROWS) {
    quoin_window_exact_sums(tile, values, sums, means);
    return 0;
  }
  for (long window = 0; window < tile->windows; window += 8) {
    rows8 sum, error, n = LOAD(tile->counts + window), mean, rest;
    if (is_exact) {
      rows8 a = LOAD(high + window + rows) - LOAD(high + window), b = LOAD(low + window + rows) - LOAD(low + window);
      TWO_SUM(sum, error, a, b);
      divide(&sum, &error, &n, &mean, &rest);
    } else {
      masks8 is_hard;
      BY_MISSING(long_sums(values + window, rows, has_missing, &n, &sum, &mean, &is_hard))
      for (int row = 0; row < 8; row++) {
        if (is_hard[row]) hard[hard_count++] = (int32_t)(window + row);
      }
    }
    STORE(sums + window, CHOOSE(n == 0.0, ALL(NAN), sum));
    STORE(means + window, mean);
  }
  return hard_count;
}
DEFINE(long, window_sums,
       (const quoin_tile *tile, const double *values, double *scratch, double *sums, double *means, int32_t *hard),
       (tile, values, scratch, sums, means, hard))
