#include "window_rows.h"

#include <string.h>

// The number that divides two neighbours by `part`; infinite ones and a wide distance need another order.
double quoin_between(double lower, double upper, double part) {
  double result = part == 0.5 ? (lower + upper) / 2 : lower + (upper - lower) * part;
  if (isfinite(result)) return result;
  return lower == upper ? lower : lower * (1 - part) + upper * part;
}

// The quantile of `count` sorted values, which are `stride` apart.
static double quantile(const double *sorted, long stride, double count, double place) {
  if (count == 0) return NAN;
  double position = place * (count - 1), lower = floor(position);
  const double *value = sorted + (long)lower * stride;
  return quoin_between(value[0], position == lower ? value[0] : value[stride], position - lower);
}

double quoin_quantile(const double *sorted, long count, double place) { return quantile(sorted, 1, (double)count, place); }

// A value enters the sorted windows of eight stretches of rows, and another leaves. `sorted` ends with infinities: in place of
// missing values, and one beyond the window. Each number becomes itself or a neighbour, so no step waits for another.
INLINE void exchange(rows8 *sorted, long rows, const rows8 *entering, const rows8 *leaving) {
  rows8 here = sorted[0], inserted = CHOOSE(here < *entering, here, *entering);
  for (long place = 0; place < rows; place++) {
    rows8 next = sorted[place + 1], smaller = CHOOSE(next < *entering, next, *entering);
    rows8 following = CHOOSE(here > smaller, here, smaller);
    sorted[place] = CHOOSE(inserted < *leaving, inserted, following);
    inserted = following;
    here = next;
  }
}

INLINE void quantiles(const rows8 *sorted, const quoin_tile *tile, double place, long window, long length,
                      double *results) {
  double position = place * (double)(tile->rows - 1), lower = floor(position), part = position - lower;
  rows8 below = sorted[(long)lower], above = sorted[(long)lower + (part > 0)];
  rows8 value = part == 0.5 ? (below + above) / 2 : below + (above - below) * part;
  for (long lane = 0; lane < 8; lane++) {
    long at = lane * length + window;
    if (!tile->has_missing && isfinite(value[lane])) results[at] = value[lane];
    else results[at] = quantile((const double *)sorted + lane, 8, tile->counts[at], place);
  }
}

// The windows are divided into eight stretches.
INLINE void side_by_side(const quoin_tile *tile, double place, double *scratch, double *results) {
  long rows = tile->rows, length = tile->windows / 8;
  rows8 *sorted = (rows8 *)scratch;
  for (long row = 0; row <= rows; row++) sorted[row] = ALL(INFINITY);
  for (long step = 0; step < length + rows - 1; step++) {
    rows8 entering, leaving = ALL(INFINITY);
    for (long lane = 0; lane < 8; lane++) {
      const double *value = tile->x + lane * length + step;
      entering[lane] = value[0];
      if (step >= rows) leaving[lane] = value[-rows];
    }
    entering = CHOOSE(entering == entering, entering, ALL(INFINITY));
    leaving = CHOOSE(leaving == leaving, leaving, ALL(INFINITY));
    exchange(sorted, rows, &entering, &leaving);
    if (step >= rows - 1) quantiles(sorted, tile, place, step - rows + 1, length, results);
  }
}

// The first place in `count` sorted values at which one isn't smaller.
static long place_of(double value, const double *sorted, long count) {
  long place = 0;
  while (count > 0) {
    long half = count / 2;
    if (sorted[place + half] < value) {
      place += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return place;
}

// One window after the other, whose values move.
static void one_by_one(const quoin_tile *tile, double place, double *sorted, double *results) {
  long rows = tile->rows, count = 0;
  for (long row = 0; row < rows + tile->windows - 1; row++) {
    double entering = tile->x[row], leaving = row < rows ? NAN : tile->x[row - rows];
    if (!isnan(leaving)) {
      long at = place_of(leaving, sorted, count--);
      memmove(sorted + at, sorted + at + 1, (size_t)(count - at) * sizeof *sorted);
    }
    if (!isnan(entering)) {
      long at = place_of(entering, sorted, count);
      memmove(sorted + at + 1, sorted + at, (size_t)(count++ - at) * sizeof *sorted);
      sorted[at] = entering;
    }
    if (row >= rows - 1) results[row - rows + 1] = quantile(sorted, 1, (double)count, place);
  }
}

INLINE void window_quantiles_loop(const quoin_tile *tile, double place, double *scratch, double *results) {
  if (tile->rows <= tile->windows / 2 && tile->rows <= 512) side_by_side(tile, place, scratch, results);
  else one_by_one(tile, place, scratch, results);
}
DEFINE(void, window_quantiles, (const quoin_tile *tile, double place, double *scratch, double *results),
       (tile, place, scratch, results))
