#ifndef QUOIN_WINDOW_PLACES_H
#define QUOIN_WINDOW_PLACES_H

#include "windows.h"

#include <stddef.h>
#include <string.h>

// The places of a column's values in their order, each of which is in the window or not:
//
//   place    of each row's value among the column's sorted values; equal values have places in the order of rows
//   levels   64 places are a word of bits, 64 words are a bit each of the level above, which says that one isn't 0
//   counts   of places in the window, by words, in a binary indexed tree (Fenwick 1994)
//
// To find the neighbour of a place takes a few words, to count the places before one a step for each bit of its number.
enum { LEVELS = 6 };

typedef struct {
  long count;               // of places
  const double *sorted;     // the value of each
  const uint32_t *places;   // of each row; of a missing value there is none
  uint64_t *levels[LEVELS];
  int level_count;
  uint32_t *counts;
} place_set;

static inline void insert(place_set *set, long place) {
  for (int level = 0; level < set->level_count; level++, place >>= 6) {
    uint64_t *word = &set->levels[level][place >> 6], before = *word;
    *word = before | UINT64_C(1) << (place & 63);
    if (before != 0) return;
  }
}

static inline void erase(place_set *set, long place) {
  for (int level = 0; level < set->level_count; level++, place >>= 6) {
    uint64_t *word = &set->levels[level][place >> 6];
    *word &= ~(UINT64_C(1) << (place & 63));
    if (*word != 0) return;
  }
}

// The next place in the set after one, or before one; -1 if there is none.
static inline long next_place(const place_set *set, long place) {
  for (int level = 0; level < set->level_count; level++, place >>= 6) {
    long bit = place & 63;
    uint64_t rest = bit == 63 ? 0 : set->levels[level][place >> 6] >> (bit + 1) << (bit + 1);
    if (rest == 0) continue;
    place = (place & ~63L) | __builtin_ctzll(rest);
    for (; level > 0; level--) place = place << 6 | __builtin_ctzll(set->levels[level - 1][place]);
    return place;
  }
  return -1;
}

static inline long place_before(const place_set *set, long place) {
  for (int level = 0; level < set->level_count; level++, place >>= 6) {
    uint64_t rest = set->levels[level][place >> 6] & ((UINT64_C(1) << (place & 63)) - 1);
    if (rest == 0) continue;
    place = (place & ~63L) | (63 - __builtin_clzll(rest));
    for (; level > 0; level--) place = place << 6 | (63 - __builtin_clzll(set->levels[level - 1][place]));
    return place;
  }
  return -1;
}

static inline long word_count(long count) { return (count + 63) / 64; }

// Notes in the counts that a place came or went.
static inline void count_place(place_set *set, long place, int change) {
  long words = word_count(set->count);
  for (long word = place / 64 + 1; word <= words; word += word & -word) set->counts[word] += (uint32_t)change;
}

// How many places before one are in the set.
static inline long count_before(const place_set *set, long place) {
  long word = place / 64, count = place & 63 ? __builtin_popcountll(set->levels[0][word] << (64 - (place & 63))) : 0;
  for (; word > 0; word -= word & -word) count += set->counts[word];
  return count;
}

// Sorts the column and makes an empty set. `scratch` has room for 6 * (count + 64) numbers.
void quoin_sort_places(const quoin_history *history, double *scratch, place_set *set);

#endif
