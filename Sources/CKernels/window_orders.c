#include "window_rows.h"

#include <string.h>

// The largest of each window, in place: first of 2, 4, 8 ... values, then two of these, which overlap, make up the window.
// Smallest values are the largest of the opposite ones.
INLINE void window_extremes_loop(const quoin_tile *tile, double sign, double *scratch, double *results) {
  long count = tile->rows + tile->windows - 1, length = 1;
  for (long row = 0; row < count; row += 8) {
    rows8 value = LOAD(tile->x + row);
    STORE(scratch + row, CHOOSE(value == value, value * sign, ALL(-INFINITY)));
  }
  for (; 2 * length <= tile->rows; length *= 2) {
    for (long row = 0; row + length < count; row += 8) {
      rows8 older = LOAD(scratch + row), newer = LOAD(scratch + row + length);
      STORE(scratch + row, CHOOSE(newer > older, newer, older));
    }
  }
  for (long window = 0; window < tile->windows; window += 8) {
    rows8 older = LOAD(scratch + window), newer = LOAD(scratch + window + tile->rows - length);
    rows8 largest = CHOOSE(newer > older, newer, older) * sign + 0.0;
    STORE(results + window, CHOOSE(LOAD(tile->counts + window) > 0.0, largest, ALL(NAN)));
  }
}
DEFINE(void, window_extremes, (const quoin_tile *tile, double sign, double *scratch, double *results),
       (tile, sign, scratch, results))

// Takes the newer of two values and its row if it is larger, or if the older one is missing, whose row is -1.
INLINE void take_larger(rows8 *value, rows8 *row, const rows8 *newer, const rows8 *newer_row) {
  masks8 is_newer = (*newer > *value) | ((*row < 0.0) & (*newer_row >= 0.0));
  *value = CHOOSE(is_newer, *newer, *value);
  *row = CHOOSE(is_newer, *newer_row, *row);
}

INLINE void window_places_loop(const quoin_tile *tile, double sign, double *scratch, double *results) {
  long count = tile->rows + tile->windows - 1, length = 1;
  double *values = scratch, *places = scratch + count + 8;
  const rows8 steps = {0, 1, 2, 3, 4, 5, 6, 7};
  for (long row = 0; row < count; row += 8) {
    rows8 value = LOAD(tile->x + row);
    STORE(values + row, CHOOSE(value == value, value * sign, ALL(-INFINITY)));
    STORE(places + row, CHOOSE(value == value, steps + (double)row, ALL(-1)));
  }
  for (; 2 * length <= tile->rows; length *= 2) {
    for (long row = 0; row + length < count; row += 8) {
      rows8 value = LOAD(values + row), place = LOAD(places + row);
      rows8 newer = LOAD(values + row + length), newer_place = LOAD(places + row + length);
      take_larger(&value, &place, &newer, &newer_place);
      STORE(values + row, value);
      STORE(places + row, place);
    }
  }
  for (long window = 0; window < tile->windows; window += 8) {
    long second = window + tile->rows - length;
    rows8 value = LOAD(values + window), place = LOAD(places + window);
    rows8 newer = LOAD(values + second), newer_place = LOAD(places + second);
    take_larger(&value, &place, &newer, &newer_place);
    STORE(results + window, CHOOSE(place >= 0.0, steps + (double)(window + tile->rows - 1) - place, ALL(NAN)));
  }
}
DEFINE(void, window_places, (const quoin_tile *tile, double sign, double *scratch, double *results),
       (tile, sign, scratch, results))

// A missing value is neither below nor equal.
INLINE void window_ranks_loop(const quoin_tile *tile, double *results) {
  for (long window = 0; window < tile->windows; window += 8) {
    rows8 newest = LOAD(tile->x + window + tile->rows - 1);
    masks8 below = {0};
    for (long row = 0; row < tile->rows; row++) {
      rows8 value = LOAD(tile->x + window + row);
      below -= (masks8)(value < newest) + (masks8)(value <= newest);
    }
    rows8 twice = __builtin_convertvector(below, rows8) + 1;
    STORE(results + window, CHOOSE(newest == newest, twice / 2 / LOAD(tile->counts + window), ALL(NAN)));
  }
}
DEFINE(void, window_ranks, (const quoin_tile *tile, double *results), (tile, results))
