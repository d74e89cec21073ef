#include "window_blocks.h"

// Lines and pairs in windows of many rows. A line through the values by their place is that of pairs with the place.

// Of deviations from the means of x and y, merged, what is asked for; of windows whose newest values are these.
INLINE void finish(const rows8 *part, const rows8 *n, const rows8 *x, const rows8 *y, quoin_merged result,
                   rows8 *value) {
  rows8 product = part[4];
  *value = product / part[6];
  if (result == QUOIN_MERGED_WMEAN) *value = part[0] + (part[1] + product / (*n * (part[2] + part[3] + 1)));
  if (result == QUOIN_MERGED_COV) *value = CHOOSE(*n > 1.0, product / (*n - 1), ALL(NAN));
  if (result == QUOIN_MERGED_RESID) *value = ((*x - part[0]) - part[1]) - *value * ((*y - part[2]) - part[3]);
  if (result == QUOIN_MERGED_R2 || result == QUOIN_MERGED_CORR) {
    *value *= product / part[5];
    *value = CHOOSE((*value > 1.0) & (*value < INFINITY), ALL(1), *value);
  }
  if (result == QUOIN_MERGED_CORR) {
    rows8 root = __builtin_elementwise_sqrt(*value);
    *value = CHOOSE(product < 0.0, -root, root);
  }
  *value = IF_FINITE(*value);
}

// The newest values of eight windows; of places, the last ones.
INLINE void newest_values(const quoin_history *history, const eight_windows *eight, int has_places, rows8 *x, rows8 *y) {
  *x = ALL(NAN);
  *y = eight->rows - 1;
  for (long lane = 0; lane < 8; lane++) {
    long row = eight->end + lane - 1;
    if (row < 0 || row >= history->count) continue;
    (*x)[lane] = history->x[row];
    if (!has_places) (*y)[lane] = history->y[row];
  }
}

INLINE void history_pairs_loop(const quoin_history *history, quoin_merged result, double *scratch, double *results) {
  int has_places = history->y == NULL;
  merge_state state = lay_out(history, scratch, 7, has_places);
  eight_windows eight = {.end = -1};
  merge_windows(&state, PAIRS, 7);
  while (next_windows(&state, 7, &eight)) {
    rows8 x, y, value;
    newest_values(history, &eight, has_places, &x, &y);
    finish(eight.parts.part, &eight.n, &x, &y, result, &value);
    hand_out(&eight, &value, results);
  }
}
DEFINE(void, history_pairs,
       (const quoin_history *history, quoin_merged result, double *scratch, double *results),
       (history, result, scratch, results))
