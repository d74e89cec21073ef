#ifndef QUOIN_WINDOW_BLOCKS_H
#define QUOIN_WINDOW_BLOCKS_H

#include "window_merges.h"

#include <string.h>

// Windows of many rows, merged from blocks:
//
//   blocks    2^k rows from each row on: two neighbouring blocks of half as many rows, merged, for k = 1, 2, 3 ...
//   windows   n rows are a block of 2^k rows for each bit k of n, the smaller blocks before the larger ones
//
// So a row costs two merges for each bit, and a result still depends on nothing but the values of its window.

// How many values are present in `length` rows.
INLINE void present(const merge_state *state, long start, long length, rows8 *n) {
  if (state->history->has_missing) *n = LOAD(state->counts + start + length) - LOAD(state->counts + start);
  else *n = ALL((double)length);
}

// Where the whole windows are, behind those of fewer rows.
INLINE long whole_place(long rows) { return rows / 8 * 8 + 8; }

// Twice as many rows for each block.
INLINE void double_blocks(merge_state *state, merge_kind kind, int part_count, long length) {
  long count = state->history->count, room = state->room;
  rows8 lengths = ALL((double)length);
  for (long row = 0; row + 2 * length <= count; row += 8) {
    double *block = state->blocks + row;
    merged a, b;
    rows8 n, m;
    load(block, room, part_count, &a);
    load(block + length, room, part_count, &b);
    present(state, row, length, &n);
    present(state, row + length, length, &m);
    merge(state, kind, part_count, &a, &b, &n, &m, &lengths);
    store(block, room, part_count, &a);
  }
}

// Windows of `rows` rows: those that begin at row `start` and after it.
INLINE void lengthen_whole(merge_state *state, merge_kind kind, int part_count, long length, long first_start) {
  const quoin_history *history = state->history;
  long rows = history->rows, smaller = rows & (length - 1), room = state->room;
  if (!(rows & length)) return;
  rows8 lengths = ALL((double)smaller);
  for (long start = first_start; start + rows <= history->count; start += 8) {
    double *window = state->windows + whole_place(rows) + start;
    merged a, b;
    load(state->blocks + start + smaller, room, part_count, &b);
    if (smaller > 0) {
      rows8 n, m;
      load(window, room, part_count, &a);
      present(state, start, smaller, &n);
      present(state, start + smaller, length, &m);
      merge(state, kind, part_count, &a, &b, &n, &m, &lengths);
      b = a;
    }
    store(window, room, part_count, &b);
  }
}

// Windows that begin at row 0 and have fewer rows: `first`, and more of them.
INLINE void lengthen_partial(merge_state *state, merge_kind kind, int part_count, long length, long first, long end) {
  const rows8 steps = {0, 1, 2, 3, 4, 5, 6, 7};
  long room = state->room;
  for (long rows = first / 8 * 8; rows < end; rows += 8) {
    if (length >= 8 && !(rows & length)) continue;
    long smaller = rows & (length - 1);
    double *window = state->windows + rows;
    merged a, b;
    load(window, room, part_count, &a);
    load(state->blocks + smaller, room, part_count, &b);
    rows8 lengths = steps + (double)smaller, n = LOAD(state->counts + smaller);
    rows8 m = LOAD(state->counts + smaller + length) - n;
    masks8 is_longer = ~(masks8){0};
    if (length < 8) {
      for (int lane = 0; lane < 8; lane++) {
        long at = lane & (length - 1);
        is_longer[lane] = lane & length ? -1 : 0;
        lengths[lane] = (double)at;
        n[lane] = state->counts[at];
        m[lane] = state->counts[at + length] - n[lane];
        for (int part = 0; part < part_count; part++) b.part[part][lane] = state->blocks[part * room + at];
      }
    }
    masks8 is_first = lengths == 0.0;
    merged old = a, alone = b;
    merge(state, kind, part_count, &a, &b, &n, &m, &lengths);
    for (int part = 0; part < part_count; part++) {
      rows8 longer = CHOOSE(is_first, alone.part[part], a.part[part]);
      a.part[part] = CHOOSE(is_longer, longer, old.part[part]);
    }
    store(window, room, part_count, &a);
  }
}

// Each row is a block.
INLINE void begin(merge_state *state, merge_kind kind, int part_count) {
  const quoin_history *history = state->history;
  long room = state->room;
  memset(state->blocks, 0, sizeof(double) * (size_t)(room * part_count));
  double count = 0;
  for (long row = 0; row < room; row++) {
    state->counts[row] = count;
    int is_present = row < history->count && !isnan(history->x[row]);
    count += is_present;
    if (kind == PRODUCT) state->blocks[row] = 1;
    if (!is_present) continue;
    double value = history->x[row];
    int exponent = 0;
    if (kind == PRODUCT && value != 0 && isfinite(value)) {
      value = 2 * frexp(value, &exponent);
      exponent--;
    }
    state->blocks[row] = value;
    if (kind == PRODUCT) state->blocks[room + row] = exponent;
    if (kind == PAIRS && !state->has_places) state->blocks[2 * room + row] = history->y[row];
  }
}

// The windows of all rows from `first` on.
INLINE void merge_windows(merge_state *state, merge_kind kind, int part_count) {
  const quoin_history *history = state->history;
  long rows = history->rows, count = history->count, first = history->first + 1;
  long partial_end = rows <= count ? rows : count + 1, first_start = first > rows ? first - rows : 0;
  begin(state, kind, part_count);
  for (long length = 1; length <= rows; length *= 2) {
    if (first < partial_end) lengthen_partial(state, kind, part_count, length, first, partial_end);
    lengthen_whole(state, kind, part_count, length, first_start);
    double_blocks(state, kind, part_count, length);
  }
}

// Eight windows that are whole, or eight that begin at row 0 and have fewer rows; the first one's end, and those that count.
typedef struct {
  merged parts;
  rows8 n, rows;
  long end, first, last;
} eight_windows;

// The next eight windows, from `end` -1 on. Returns 0 if there are no more.
INLINE int next_windows(const merge_state *state, int part_count, eight_windows *eight) {
  const rows8 steps = {0, 1, 2, 3, 4, 5, 6, 7};
  const quoin_history *history = state->history;
  long rows = history->rows, count = history->count, first = history->first + 1;
  long end = eight->end < 0 ? first / 8 * 8 : eight->end + 8, first_whole = first > rows ? first : rows;
  if (eight->end < rows) {
    if (end < rows && end <= count) {
      *eight = (eight_windows){.end = end, .first = first, .last = rows - 1 < count ? rows - 1 : count};
      load(state->windows + end, state->room, part_count, &eight->parts);
      eight->n = LOAD(state->counts + end);
      eight->rows = steps + (double)end;
      return 1;
    }
    end = first_whole;
  }
  if (end > count) return 0;
  *eight = (eight_windows){.end = end, .first = first_whole, .last = count, .rows = ALL((double)rows)};
  load(state->windows + whole_place(rows) + end - rows, state->room, part_count, &eight->parts);
  present(state, end - rows, rows, &eight->n);
  return 1;
}

INLINE void hand_out(const eight_windows *eight, const rows8 *values, double *results) {
  for (long lane = 0; lane < 8; lane++) {
    long end = eight->end + lane;
    if (end >= eight->first && end <= eight->last) results[end - 1] = (*values)[lane];
  }
}

INLINE merge_state lay_out(const quoin_history *history, double *scratch, int part_count, int has_places) {
  long room = history->count + 64;
  return (merge_state){history, room, scratch, scratch + room, scratch + (1 + part_count) * room, has_places};
}

#endif
