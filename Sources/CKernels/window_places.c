#include "window_places.h"

#include <math.h>

typedef struct { uint64_t key; uint64_t row; } entry;
enum { DIGIT_BITS = 11, DIGITS = 6, DIGIT_COUNT = 1 << DIGIT_BITS };

// Bits that rise with the value.
static uint64_t key_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t key) {
  uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Sorts by one digit after the other, from the lowest on; a digit that all have is passed over. Returns where the sorted ones are.
static entry *sort(entry *entries, entry *others, long count) {
  for (int digit = 0; digit < DIGITS; digit++) {
    int shift = digit * DIGIT_BITS;
    long starts[DIGIT_COUNT] = {0}, start = 0;
    for (long place = 0; place < count; place++) starts[entries[place].key >> shift & (DIGIT_COUNT - 1)]++;
    if (count > 0 && starts[entries[0].key >> shift & (DIGIT_COUNT - 1)] == count) continue;
    for (long value = 0; value < DIGIT_COUNT; value++) {
      long length = starts[value];
      starts[value] = start;
      start += length;
    }
    for (long place = 0; place < count; place++) {
      others[starts[entries[place].key >> shift & (DIGIT_COUNT - 1)]++] = entries[place];
    }
    entry *sorted = others;
    others = entries;
    entries = sorted;
  }
  return entries;
}

void quoin_sort_places(const quoin_history *history, double *scratch, place_set *set) {
  long rows = history->count, count = 0;
  double *sorted = scratch;
  uint32_t *places = (uint32_t *)(scratch + rows + 64);
  entry *entries = (entry *)(scratch + 2 * (rows + 64)), *others = entries + rows + 64;
  for (long row = 0; row < rows; row++) {
    if (isnan(history->x[row])) continue;
    entries[count++] = (entry){key_of(history->x[row]), (uint64_t)row};
  }
  entry *in_order = sort(entries, others, count);
  for (long place = 0; place < count; place++) {
    sorted[place] = value_of(in_order[place].key);
    places[in_order[place].row] = (uint32_t)place;
  }
  // The levels and the counts take the place of the entries.
  uint64_t *words = (uint64_t *)entries;
  *set = (place_set){.count = count, .sorted = sorted, .places = places};
  long length = count;
  do {
    length = word_count(length) + (length == 0);
    set->levels[set->level_count++] = words;
    memset(words, 0, (size_t)length * sizeof *words);
    words += length;
  } while (length > 1);
  set->counts = (uint32_t *)words;
  memset(words, 0, (size_t)(word_count(count) + 2) * sizeof *set->counts);
}
