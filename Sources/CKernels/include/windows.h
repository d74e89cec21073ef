#ifndef QUOIN_WINDOWS_H
#define QUOIN_WINDOWS_H

#include <stdint.h>

// What windows of rows amount to. A tile has the values of neighbouring rows: `windows` of them, a multiple of 16, and the
// `rows` - 1 before these. Window w has the values w ..< w + rows, the newest last. NaN is missing, and takes no part.
//
// A result depends on nothing but the values of its window, not even on the processor: sums go from the oldest value to the
// newest, eight or sixteen windows side by side. Only what is exact is added in another order. Windows of many rows have other
// functions (`quoin_history`), of which the same is true.
//
// This is in C because these loops use AVX2 if the processor has it, and are then twice as fast as on the baseline's
// registers, which Swift uses.
typedef struct {
  long rows, windows;
  long absent;  // how many rows of window 0 lie before the first row that exists: their values are missing
  int has_missing;
  const double *x, *y;            // the values, `rows` + `windows` - 1 of them; `y` where a function has two inputs
  const double *counts;           // of present values
  const double *x_means, *y_means;
} quoin_tile;

//
// Values are large if sums of their fourth powers could be infinite. What is computed of others is finite, but for products.
enum { QUOIN_HAS_MISSING = 1, QUOIN_HAS_LARGE = 2 };

// Copies values, with 0 for -0. Returns whether some are missing, or large.
int quoin_tile_fill(const double *values, long count, double *tile);

// Makes missing in both what is missing in one.
void quoin_tile_pair(double *x, double *y, long count);

// How many values are present.
void quoin_window_counts(const quoin_tile *tile, double *counts);

// Of `x` or `y`: the exact sums, rounded once, and the exact sums divided by the counts, rounded once. `scratch` has room for 2 *
// (`rows` + `windows` + 8) numbers. Returns how many windows are too hard, for their sum needs more than some 100 bits or
// is too large; they are listed in `hard`.
long quoin_window_sums(const quoin_tile *tile, const double *values, double *scratch, double *sums, double *means, int32_t *hard);

// A loop over the rows of each window is faster for so many rows or fewer.
enum { QUOIN_FEW_ROWS = 256 };

// The same of any values; none is too hard. A window costs the same whatever its length.
void quoin_window_exact_sums(const quoin_tile *tile, const double *values, double *sums, double *means);

// Functions of the deviations from the mean: `x_means` are needed.
typedef enum {
  QUOIN_VAR, QUOIN_VAR_P, QUOIN_STD, QUOIN_STD_P, QUOIN_SKEW, QUOIN_KURT, QUOIN_MAD,
} quoin_deviation;
void quoin_window_deviations(const quoin_tile *tile, quoin_deviation function, double *results);

// The line through the values by their place in the window, and the mean weighted by place: `x_means` are needed.
typedef enum { QUOIN_SLOPE, QUOIN_R2, QUOIN_RESID, QUOIN_WMEAN } quoin_line;
void quoin_window_lines(const quoin_tile *tile, quoin_line function, double *results);

// Functions of pairs: `y`, `x_means` and `y_means` are needed. Lines are those of x by y.
typedef enum { QUOIN_PAIR_COV, QUOIN_PAIR_CORR, QUOIN_PAIR_SLOPE, QUOIN_PAIR_R2, QUOIN_PAIR_RESID } quoin_pair;
void quoin_window_pairs(const quoin_tile *tile, quoin_pair function, double *results);

// The product of the values.
void quoin_window_products(const quoin_tile *tile, double *results);

// The largest value if `sign` is 1, the smallest if it is -1. `scratch` has room for `rows` + `windows` + 8 numbers.
void quoin_window_extremes(const quoin_tile *tile, double sign, double *scratch, double *results);

// How many rows before the newest it is, the oldest of equal ones. `scratch` has room for twice as many numbers.
void quoin_window_places(const quoin_tile *tile, double sign, double *scratch, double *results);

// The average rank of the newest value among the present ones, divided by their number.
void quoin_window_ranks(const quoin_tile *tile, double *results);

// The value at `place`, between 0 and 1, of the sorted window, interpolated. `scratch`, on a multiple of 64 bytes, has
// room for 8 * (`rows` + 1) numbers.
void quoin_window_quantiles(const quoin_tile *tile, double place, double *scratch, double *results);

// The number that divides two neighbours by `part`, between 0 and 1.
double quoin_between(double lower, double upper, double part);

// The value at `place`, between 0 and 1, of `count` sorted values, interpolated; NaN without any.
double quoin_quantile(const double *sorted, long count, double place);

// A ticker's column with windows of many rows, each of which costs a number of steps that grows with the number's digits: row r
// has a window of the last `rows` rows, or of all r + 1 if there are no more. Rows before `first` have no result. `x` and `y` are
// as in a tile, of `count` values.
typedef struct {
  long count, rows, first;
  int has_missing;
  const double *x, *y;
} quoin_history;

// As `quoin_window_deviations` without QUOIN_MAD, and as `quoin_window_products`, for the rows from `first` on. `scratch` has room for
// 11 * (`count` + 64) numbers.
void quoin_history_deviations(const quoin_history *history, quoin_deviation function, double *scratch, double *results);
void quoin_history_products(const quoin_history *history, double *scratch, double *results);

// As the functions of a tile with such names. `scratch` has room for 6 * (`count` + 64) numbers.
void quoin_history_quantiles(const quoin_history *history, double share, double *scratch, double *results);
void quoin_history_ranks(const quoin_history *history, double *scratch, double *results);

// The mean absolute deviations from `means`, which are those of the windows, for each row.
void quoin_history_mads(const quoin_history *history, const double *means, double *scratch, double *results);

// The means of the values that aren't above `quantiles`, which are those of the windows, for each row.
void quoin_history_shortfalls(const quoin_history *history, const double *quantiles, double *scratch, double *results);

// As `quoin_window_pairs`, and if there is no `y` as `quoin_window_lines`. `scratch` has room for 15 * (`count` + 64) numbers.
typedef enum {
  QUOIN_MERGED_SLOPE, QUOIN_MERGED_R2, QUOIN_MERGED_RESID, QUOIN_MERGED_COV, QUOIN_MERGED_CORR, QUOIN_MERGED_WMEAN,
} quoin_merged;
void quoin_history_pairs(const quoin_history *history, quoin_merged result, double *scratch, double *results);

#endif
