#include "window_blocks.h"

// The sums of the first four powers of the deviations from the mean, or of the magnitudes alone, of eight windows or twice as
// many: one half's sums are added while the other's are on their way.
INLINE void power_sums(const double *x, long rows, const rows8 *mean, int has_missing, int powers, int halves,
                       rows8 (*sums)[4]) {
  for (int half = 0; half < halves; half++) {
    for (int power = 0; power < 4; power++) sums[half][power] = (rows8){0};
  }
  for (long row = 0; row < rows; row++) {
    for (int half = 0; half < halves; half++) {
      rows8 value = LOAD(x + row + 8 * half), d = value - mean[half], *sum = sums[half];
      if (has_missing) d = WHERE(value == value, d);
      sum[0] += powers == 0 ? MAGNITUDE(d) : d;
      if (powers < 2) continue;
      sum[1] = FUSE(d, d, sum[1]);
      if (powers < 4) continue;
      rows8 square = d * d;
      sum[2] = FUSE(square, d, sum[2]);
      sum[3] = FUSE(square, square, sum[3]);
    }
  }
}

// The mean is rounded: what the deviations lack to a sum of 0 is taken off again.
INLINE void variance(const rows8 *sums, const rows8 *n, double delta, rows8 *result) {
  rows8 variance = (sums[1] - sums[0] * sums[0] / *n) / (*n - delta);
  *result = CHOOSE(*n > delta, variance, ALL(NAN));
}

INLINE void root(rows8 *values) {
  *values = __builtin_elementwise_sqrt(*values);
}

// Bias-corrected, as in pandas: G1, and the excess G2.
INLINE void shape(const rows8 *sums, const rows8 *count, int is_kurt, rows8 *result) {
  rows8 n = *count, shift = sums[0] / n, m2 = sums[1] / n - shift * shift;
  rows8 m3 = sums[2] / n - shift * (3 * m2 + shift * shift);
  if (is_kurt) {
    rows8 m4 = sums[3] / n - shift * (4 * m3 + shift * (6 * m2 + shift * shift));
    rows8 kurt = ((n * n - 1) * (m4 / (m2 * m2)) - 3 * ((n - 1) * (n - 1))) / ((n - 2) * (n - 3));
    *result = CHOOSE((n > 3.0) & (m2 > 0.0) & (MAGNITUDE(kurt) < INFINITY), kurt, ALL(NAN));
  } else {
    rows8 factor = n * (n - 1), deviation = m2;
    root(&factor);
    root(&deviation);
    rows8 skew = factor * (m3 / m2 / deviation) / (n - 2);
    *result = CHOOSE((n > 2.0) & (m2 > 0.0) & (MAGNITUDE(skew) < INFINITY), skew, ALL(NAN));
  }
}

INLINE void deviations(const quoin_tile *tile, int has_missing, quoin_deviation function, double *results) {
  const int powers = function == QUOIN_MAD ? 0 : function == QUOIN_SKEW || function == QUOIN_KURT ? 4 : 2;
  // Four sums of sixteen windows would not fit the processor's registers.
  const int halves = function == QUOIN_KURT ? 1 : 2;
  for (long window = 0; window < tile->windows; window += 8 * halves) {
    rows8 sums[2][4], mean[2];
    for (int half = 0; half < halves; half++) mean[half] = LOAD(tile->x_means + window + 8 * half);
    power_sums(tile->x + window, tile->rows, mean, has_missing, powers, halves, sums);
    for (int half = 0; half < halves; half++) {
      rows8 n = LOAD(tile->counts + window + 8 * half), result;
      if (powers == 4) shape(sums[half], &n, function == QUOIN_KURT, &result);
      if (powers == 2) variance(sums[half], &n, function == QUOIN_VAR || function == QUOIN_STD ? 1 : 0, &result);
      if (powers == 0) result = sums[half][0] / n;
      if (function == QUOIN_STD || function == QUOIN_STD_P) root(&result);
      STORE(results + window + 8 * half, result);
    }
  }
}

#define DEVIATIONS(FUNCTION)                                                                                           \
  case FUNCTION: BY_MISSING(deviations(tile, has_missing, FUNCTION, results)) break;

INLINE void window_deviations_loop(const quoin_tile *tile, quoin_deviation function, double *results) {
  switch (function) {
    DEVIATIONS(QUOIN_VAR)
    DEVIATIONS(QUOIN_VAR_P)
    DEVIATIONS(QUOIN_STD)
    DEVIATIONS(QUOIN_STD_P)
    DEVIATIONS(QUOIN_SKEW)
    DEVIATIONS(QUOIN_KURT)
    DEVIATIONS(QUOIN_MAD)
  }
}
DEFINE(void, window_deviations, (const quoin_tile *tile, quoin_deviation function, double *results),
       (tile, function, results))

INLINE void products(const quoin_tile *tile, int has_missing, double *results) {
  for (long window = 0; window < tile->windows; window += 16) {
    rows8 product[2] = {ALL(1), ALL(1)};
    for (long row = 0; row < tile->rows; row++) {
      for (int half = 0; half < 2; half++) {
        rows8 value = LOAD(tile->x + window + row + 8 * half);
        if (has_missing) value = CHOOSE(value == value, value, ALL(1));
        product[half] *= value;
      }
    }
    for (int half = 0; half < 2; half++) {
      rows8 n = LOAD(tile->counts + window + 8 * half);
      STORE(results + window + 8 * half, CHOOSE((n > 0.0) & (MAGNITUDE(product[half]) < INFINITY), product[half] + 0.0, ALL(NAN)));
    }
  }
}

INLINE void window_products_loop(const quoin_tile *tile, double *results) {
  BY_MISSING(products(tile, has_missing, results))
}
DEFINE(void, window_products, (const quoin_tile *tile, double *results), (tile, results))

INLINE void merge_deviations(const quoin_history *history, quoin_deviation function, int part_count, double *scratch,
                             double *results) {
  merge_state state = lay_out(history, scratch, part_count, 0);
  eight_windows eight = {.end = -1};
  merge_windows(&state, MOMENTS, part_count);
  while (next_windows(&state, part_count, &eight)) {
    rows8 sums[4] = {{0}, eight.parts.part[2], {0}, {0}}, result;
    for (int power = 3; power < part_count; power++) sums[power - 1] = eight.parts.part[power];
    if (part_count > 4) shape(sums, &eight.n, function == QUOIN_KURT, &result);
    else variance(sums, &eight.n, function == QUOIN_VAR || function == QUOIN_STD ? 1 : 0, &result);
    if (function == QUOIN_STD || function == QUOIN_STD_P) root(&result);
    hand_out(&eight, &result, results);
  }
}

INLINE void history_deviations_loop(const quoin_history *history, quoin_deviation function, double *scratch,
                                    double *results) {
  if (function == QUOIN_SKEW || function == QUOIN_KURT) merge_deviations(history, function, 5, scratch, results);
  else merge_deviations(history, function, 3, scratch, results);
}
DEFINE(void, history_deviations,
       (const quoin_history *history, quoin_deviation function, double *scratch, double *results),
       (history, function, scratch, results))

INLINE void history_products_loop(const quoin_history *history, double *scratch, double *results) {
  merge_state state = lay_out(history, scratch, 2, 0);
  eight_windows eight = {.end = -1};
  merge_windows(&state, PRODUCT, 2);
  while (next_windows(&state, 2, &eight)) {
    rows8 result;
    for (long lane = 0; lane < 8; lane++) {
      // A number beyond these is infinite or 0.
      double exponent = fmax(-5000, fmin(5000, eight.parts.part[1][lane]));
      double product = ldexp(eight.parts.part[0][lane], (int)exponent) + 0.0;
      result[lane] = eight.n[lane] > 0 && isfinite(product) ? product : NAN;
    }
    hand_out(&eight, &result, results);
  }
}
DEFINE(void, history_products, (const quoin_history *history, double *scratch, double *results),
       (history, scratch, results))
