#include "window_places.h"

#include <math.h>

// Quantiles and ranks in windows of many rows.

// A place in the window, and how many are before it; -1 in an empty window.
typedef struct { long place, before, count; } finger;

static void enter(place_set *set, finger *at, long place) {
  insert(set, place);
  at->count++;
  if (at->place < 0) at->place = place;
  else if (place < at->place) at->before++;
}

static void leave(place_set *set, finger *at, long place) {
  erase(set, place);
  at->count--;
  if (place < at->place) at->before--;
  if (place != at->place) return;
  at->place = next_place(set, place);
  if (at->place >= 0) return;
  at->place = place_before(set, place);
  at->before = at->place < 0 ? 0 : at->before - 1;
}

// Moves to the place that has so many before it.
static void move(const place_set *set, finger *at, long before) {
  for (; at->before < before; at->before++) at->place = next_place(set, at->place);
  for (; at->before > before; at->before--) at->place = place_before(set, at->place);
}

// From one row to the next a quantile moves by two places at most, so it is found from the one before.
void quoin_history_quantiles(const quoin_history *history, double share, double *scratch, double *results) {
  place_set set;
  finger at = {-1, 0, 0};
  quoin_sort_places(history, scratch, &set);
  for (long row = 0; row < history->count; row++) {
    long old = row - history->rows;
    if (!isnan(history->x[row])) enter(&set, &at, set.places[row]);
    if (old >= 0 && !isnan(history->x[old])) leave(&set, &at, set.places[old]);
    if (row < history->first) continue;
    double pair[2] = {NAN, NAN};
    double position = share * (double)(at.count - 1), lower = floor(position);
    if (at.count > 0) {
      move(&set, &at, (long)lower);
      pair[0] = pair[1] = set.sorted[at.place];
      if (position > lower) pair[1] = set.sorted[next_place(&set, at.place)];
    }
    results[row] = at.count == 0 ? NAN : quoin_between(pair[0], pair[1], position - lower);
  }
}

void quoin_history_ranks(const quoin_history *history, double *scratch, double *results) {
  place_set set;
  long count = 0;
  quoin_sort_places(history, scratch, &set);
  // The first place of equal values, and the place after them, which fit where the entries were.
  uint32_t *firsts = (uint32_t *)(scratch + 4 * (history->count + 64)), *ends = firsts + history->count + 64;
  for (long first = 0, end; first < set.count; first = end) {
    for (end = first + 1; end < set.count && set.sorted[end] == set.sorted[first];) end++;
    for (long place = first; place < end; place++) {
      firsts[place] = (uint32_t)first;
      ends[place] = (uint32_t)end;
    }
  }
  for (long row = 0; row < history->count; row++) {
    long old = row - history->rows;
    int is_present = !isnan(history->x[row]);
    if (is_present) {
      insert(&set, set.places[row]);
      count_place(&set, set.places[row], 1);
      count++;
    }
    if (old >= 0 && !isnan(history->x[old])) {
      erase(&set, set.places[old]);
      count_place(&set, set.places[old], -1);
      count--;
    }
    if (row < history->first) continue;
    long place = is_present ? set.places[row] : 0;
    // What is below counts twice, and what is equal once, so halves are whole numbers.
    long twice = is_present ? count_before(&set, firsts[place]) + count_before(&set, ends[place]) + 1 : 0;
    results[row] = is_present ? (double)twice / 2 / (double)count : NAN;
  }
}
