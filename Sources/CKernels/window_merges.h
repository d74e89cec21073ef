#ifndef QUOIN_WINDOW_MERGES_H
#define QUOIN_WINDOW_MERGES_H

#include "window_rows.h"

// What stretches of rows have, and what two neighbours have together. A merge subtracts no sums (Chan, Golub and LeVeque 1979;
// Pébay 2008). Means have two numbers, so that a large one hides no small deviation.

// What a stretch has, each in an array of its own:
//
//   moments   mean (in two numbers), sums of the second, third and fourth powers of the deviations
//   pairs     means of x and y (in two numbers each), sums of the deviations' products xy, xx, yy
//   product   a number from 1 to below 2, the exponent of 2
typedef struct { rows8 part[7]; } merged;
typedef enum { MOMENTS, PAIRS, PRODUCT } merge_kind;

typedef struct {
  const quoin_history *history;
  long room;
  double *counts;  // of present values before each row
  double *blocks, *windows;
  int has_places;  // y is the place in the block
} merge_state;

INLINE void load(const double *parts, long room, int part_count, merged *result) {
  for (int part = 0; part < part_count; part++) result->part[part] = LOAD(parts + part * room);
}

INLINE void store(double *parts, long room, int part_count, const merged *merged) {
  for (int part = 0; part < part_count; part++) STORE(parts + part * room, merged->part[part]);
}

// Moves a mean towards a newer one by a share of the distance.
INLINE void move_mean(rows8 *mean, const rows8 *newer, const rows8 *share, rows8 *distance) {
  *distance = (newer[0] - mean[0]) + (newer[1] - mean[1]);
  rows8 step = *distance * *share;
  rows8 sum = mean[0] + step, part = sum - mean[0];
  mean[1] += (mean[0] - (sum - part)) + (step - part);
  mean[0] = sum;
}

INLINE void merge_moments(rows8 *a, const rows8 *b, int part_count, const rows8 *older, const rows8 *newer,
                          const rows8 *factor) {
  rows8 d;
  move_mean(a, b, newer, &d);
  rows8 m2 = a[2], term = *factor * d * d;
  a[2] = m2 + b[2] + term;
  if (part_count < 5) return;
  rows8 v = *older, w = *newer, m3 = a[3], lean = v * b[2] - w * m2;
  a[3] = m3 + b[3] + (term * d * (v - w) + 3 * (d * lean));
  a[4] = a[4] + b[4] + term * (d * d) * (v * v - v * w + w * w)
    + (6 * (d * d) * (v * v * b[2] + w * w * m2) + 4 * (d * (v * b[3] - w * m3)));
}

INLINE void merge_pairs(rows8 *a, const rows8 *b, int part_count, const rows8 *newer, const rows8 *factor) {
  rows8 x, y;
  move_mean(a, b, newer, &x);
  move_mean(a + 2, b + 2, newer, &y);
  a[4] = a[4] + b[4] + *factor * x * y;
  if (part_count < 7) return;
  a[5] = a[5] + b[5] + *factor * x * x;
  a[6] = a[6] + b[6] + *factor * y * y;
}

// Zero and infinity stay what they are.
INLINE void merge_products(rows8 *a, const rows8 *b) {
  rows8 product = a[0] * b[0], magnitude = MAGNITUDE(product);
  masks8 is_large = magnitude >= 2.0, is_finite = magnitude < INFINITY;
  a[0] = CHOOSE(is_large & is_finite, product / 2, product);
  a[1] = a[1] + b[1] + WHERE(is_large & is_finite, ALL(1));
}

// Puts `b` behind `a`, whose rows are `lengths`. `a` has n values and `b` has m.
INLINE void merge(const merge_state *state, merge_kind kind, int part_count, merged *a, merged *b, const rows8 *n,
                  const rows8 *m, const rows8 *lengths) {
  if (kind == PRODUCT) {
    merge_products(a->part, b->part);
    return;
  }
  rows8 sum = *n + *m, count = CHOOSE(sum > 0.0, sum, ALL(1)), older = *n / count, newer = *m / count, factor = *n * newer;
  if (kind == PAIRS && state->has_places) b->part[2] += WHERE(*m > 0.0, *lengths);
  if (kind == MOMENTS) merge_moments(a->part, b->part, part_count, &older, &newer, &factor);
  else merge_pairs(a->part, b->part, part_count, &newer, &factor);
}

#endif
