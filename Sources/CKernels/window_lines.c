#include "window_rows.h"

// What eight windows have: of present values their number n, the sums of the places, of their squares, of the deviations
// from the mean, of their squares, and of their products with the places. The newest place is 0, and older ones are negative.
typedef struct { rows8 n, mean, places, squares, d, dd, pd; } line_sums;

// Of two times eight windows: one's sums are added while the other's are on their way.
INLINE void sum_lines(const double *x, long rows, int has_missing, int wants_squares, line_sums *sums) {
  for (int half = 0; half < 2; half++) {
    rows8 zero = {0};
    sums[half].places = sums[half].squares = sums[half].d = sums[half].dd = sums[half].pd = zero;
  }
  for (long row = 0; row < rows; row++) {
    rows8 place = ALL((double)(row - rows + 1));
    for (int half = 0; half < 2; half++) {
      line_sums *sum = sums + half;
      rows8 value = LOAD(x + row + 8 * half), d = value - sum->mean;
      if (has_missing) {
        masks8 is_present = value == value;
        d = WHERE(is_present, d);
        sum->places += WHERE(is_present, place);
        sum->squares += WHERE(is_present, place * place);
      }
      sum->d += d;
      sum->pd = FUSE(d, place, sum->pd);
      if (wants_squares) sum->dd = FUSE(d, d, sum->dd);
    }
  }
  double n = (double)rows;
  for (int half = 0; half < 2 && !has_missing; half++) {
    sums[half].places = ALL(n * (1 - n) / 2);
    sums[half].squares = ALL((n - 1) * n * (2 * n - 1) / 6);
  }
}

// A share of the variance is at most 1, rounded or not; NaN stays, and so does what a division by 0 gave.
INLINE void share(rows8 *share) { *share = CHOOSE((*share > 1.0) & (*share < INFINITY), ALL(1), *share); }

// Least squares of the values by their places.
INLINE void fit(const line_sums *sums, const double *newest, quoin_line function, rows8 *result) {
  rows8 n = sums->n, middle = sums->places / n;
  rows8 width = (n * sums->squares - sums->places * sums->places) / n, product = sums->pd - middle * sums->d;
  *result = product / width;
  if (function == QUOIN_R2) {
    *result *= product / (sums->dd - sums->d * sums->d / n);
    share(result);
  }
  if (function == QUOIN_RESID) *result = ((LOAD(newest) - sums->mean) - sums->d / n) + *result * middle;
  *result = IF_FINITE(*result);
}

// The place of the oldest row that exists has weight 1.
INLINE void weigh(const line_sums *sums, const quoin_tile *tile, long window, rows8 *result) {
  rows8 newest;
  for (int row = 0; row < 8; row++) {
    long absent = tile->absent - window - row;
    newest[row] = (double)(tile->rows - (absent > 0 ? absent : 0));
  }
  *result = sums->mean + (sums->pd + newest * sums->d) / (sums->places + newest * sums->n);
}

INLINE void lines(const quoin_tile *tile, int has_missing, quoin_line function, double *results) {
  for (long window = 0; window < tile->windows; window += 16) {
    line_sums sums[2];
    for (int half = 0; half < 2; half++) {
      sums[half].n = LOAD(tile->counts + window + 8 * half);
      sums[half].mean = LOAD(tile->x_means + window + 8 * half);
    }
    sum_lines(tile->x + window, tile->rows, has_missing, function == QUOIN_R2, sums);
    for (int half = 0; half < 2; half++) {
      long first = window + 8 * half;
      rows8 result;
      if (function == QUOIN_WMEAN) weigh(sums + half, tile, first, &result);
      else fit(sums + half, tile->x + first + tile->rows - 1, function, &result);
      STORE(results + first, result);
    }
  }
}

#define LINES(FUNCTION)                                                                                                \
  case FUNCTION: BY_MISSING(lines(tile, has_missing, FUNCTION, results)) break;

INLINE void window_lines_loop(const quoin_tile *tile, quoin_line function, double *results) {
  switch (function) {
    LINES(QUOIN_SLOPE)
    LINES(QUOIN_R2)
    LINES(QUOIN_RESID)
    LINES(QUOIN_WMEAN)
  }
}
DEFINE(void, window_lines, (const quoin_tile *tile, quoin_line function, double *results), (tile, function, results))

// Sums of deviations from the means, of their squares and products, of eight windows.
typedef struct { rows8 x_mean, y_mean, x, y, xx, yy, xy; } pair_sums;

INLINE void sum_pairs(const double *x, const double *y, long rows, int has_missing, pair_sums *sums) {
  rows8 zero = {0};
  sums->x = sums->y = sums->xx = sums->yy = sums->xy = zero;
  for (long row = 0; row < rows; row++) {
    rows8 value = LOAD(x + row), dx = value - sums->x_mean, dy = LOAD(y + row) - sums->y_mean;
    if (has_missing) {
      masks8 is_present = value == value;
      dx = WHERE(is_present, dx);
      dy = WHERE(is_present, dy);
    }
    sums->x += dx;
    sums->y += dy;
    sums->xx = FUSE(dx, dx, sums->xx);
    sums->yy = FUSE(dy, dy, sums->yy);
    sums->xy = FUSE(dx, dy, sums->xy);
  }
}

INLINE void finish(const pair_sums *sums, const rows8 *count, const double *x, const double *y, quoin_pair function,
                   rows8 *result) {
  rows8 n = *count, product = sums->xy - sums->x * sums->y / n;
  if (function == QUOIN_PAIR_COV) {
    *result = CHOOSE(n > 1.0, product / (n - 1), ALL(NAN));
    return;
  }
  *result = product / (sums->yy - sums->y * sums->y / n);
  if (function == QUOIN_PAIR_CORR || function == QUOIN_PAIR_R2) {
    *result *= product / (sums->xx - sums->x * sums->x / n);
    share(result);
  }
  if (function == QUOIN_PAIR_CORR) {
    rows8 root = __builtin_elementwise_sqrt(*result);
    *result = CHOOSE(product < 0.0, -root, root);
  }
  if (function == QUOIN_PAIR_RESID) {
    rows8 dx = (LOAD(x) - sums->x_mean) - sums->x / n, dy = (LOAD(y) - sums->y_mean) - sums->y / n;
    *result = dx - *result * dy;
  }
  *result = IF_FINITE(*result);
}

INLINE void pairs(const quoin_tile *tile, int has_missing, quoin_pair function, double *results) {
  for (long window = 0; window < tile->windows; window += 8) {
    const double *x = tile->x + window, *y = tile->y + window;
    long newest = tile->rows - 1;
    pair_sums sums;
    rows8 n = LOAD(tile->counts + window), result;
    sums.x_mean = LOAD(tile->x_means + window);
    sums.y_mean = LOAD(tile->y_means + window);
    sum_pairs(x, y, tile->rows, has_missing, &sums);
    finish(&sums, &n, x + newest, y + newest, function, &result);
    STORE(results + window, result);
  }
}

#define PAIRS(FUNCTION)                                                                                                \
  case FUNCTION: BY_MISSING(pairs(tile, has_missing, FUNCTION, results)) break;

INLINE void window_pairs_loop(const quoin_tile *tile, quoin_pair function, double *results) {
  switch (function) {
    PAIRS(QUOIN_PAIR_COV)
    PAIRS(QUOIN_PAIR_CORR)
    PAIRS(QUOIN_PAIR_SLOPE)
    PAIRS(QUOIN_PAIR_R2)
    PAIRS(QUOIN_PAIR_RESID)
  }
}
DEFINE(void, window_pairs, (const quoin_tile *tile, quoin_pair function, double *results), (tile, function, results))
