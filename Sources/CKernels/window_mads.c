#include "window_bands.h"
#include "window_places.h"

// Means of some of the values in windows of many rows, which are told by their places. The sums are exact.
//
// The mean absolute deviation: what lies below the mean m lacks as much to it as lies above: of n values with the
// sum s, k values with the sum t being below, it is 2 (k s - n t) / n^2.

// The neighbouring places whose values have the same sign and band.
typedef struct {
  long first, end;
  int band;
  band_sum sum;    // of the values in the window
  band_sum *sums;  // the same, by words of places, in a binary indexed tree
} stretch;

typedef struct {
  place_set set;
  stretch stretches[2 * BAND_COUNT];
  int count, of_band[2][BAND_COUNT];
  long value_count, infinite_count;
} deviation_state;

static void divide_places(deviation_state *state, band_sum *room) {
  const place_set *set = &state->set;
  for (long place = 0; place < set->count; place++) {
    double value = set->sorted[place];
    band_sum units;
    if (isinf(value)) continue;
    int band = band_of(value, &units), *number = &state->of_band[value < 0][band];
    stretch *last = state->stretches + state->count - 1;
    if (state->count == 0 || last->band != band || (set->sorted[last->first] < 0) != (value < 0)) {
      *number = state->count++;
      *++last = (stretch){.first = place, .band = band};
    }
    last->end = place + 1;
  }
  for (int index = 0; index < state->count; index++) {
    stretch *part = state->stretches + index;
    long words = (part->end - 1) / 64 - part->first / 64 + 1;
    part->sums = room - 1;  // from 1 on
    room += words;
    memset(part->sums + 1, 0, (size_t)words * sizeof *room);
  }
}

static void take(deviation_state *state, long row_place, int sign) {
  place_set *set = &state->set;
  double value = set->sorted[row_place];
  if (sign > 0) insert(set, row_place);
  else erase(set, row_place);
  count_place(set, row_place, sign);
  state->value_count += sign;
  if (isinf(value)) {
    state->infinite_count += sign;
    return;
  }
  band_sum units;
  int band = band_of(value, &units);
  stretch *part = state->stretches + state->of_band[value < 0][band];
  units *= sign;
  part->sum += units;
  long words = (part->end - 1) / 64 - part->first / 64 + 1;
  for (long word = row_place / 64 - part->first / 64 + 1; word <= words; word += word & -word) part->sums[word] += units;
}

// The sum of a stretch's values at places before one.
static band_sum sum_before(const deviation_state *state, const stretch *part, long place) {
  if (place >= part->end) return part->sum;
  if (place <= part->first) return 0;
  band_sum sum = 0, units;
  for (long word = place / 64 - part->first / 64; word > 0; word -= word & -word) sum += part->sums[word];
  uint64_t rest = place & 63 ? state->set.levels[0][place / 64] << (64 - (place & 63)) >> (64 - (place & 63)) : 0;
  if (place / 64 == part->first / 64) rest = rest >> (part->first & 63) << (part->first & 63);
  for (; rest != 0; rest &= rest - 1) {
    band_of(state->set.sorted[(place & ~63L) + __builtin_ctzll(rest)], &units);
    sum += units;
  }
  return sum;
}

static long place_of(const place_set *set, double value) {
  long place = 0, count = set->count;
  while (count > 0) {
    long half = count / 2;
    int is_below = set->sorted[place + half] < value;
    place += is_below ? half + 1 : 0;
    count = is_below ? count - half - 1 : half;
  }
  return place;
}

// The sum of what the stretches have, divided.
static double quotient(const deviation_state *state, const band_sum *parts, double divisor) {
  int top = -1;
  for (int index = 0; index < state->count; index++) {
    if (parts[index] != 0 && state->stretches[index].band > top) top = state->stretches[index].band;
  }
  // In two numbers, for bands may nearly cancel out.
  double sum = 0, rest = 0;
  for (int index = 0; index < state->count; index++) {
    if (parts[index] == 0) continue;
    int exponent = BAND_BITS * (state->stretches[index].band - top);
    double value = (double)parts[index], low = (double)(parts[index] - (band_sum)value);
    value = ldexp(value, exponent);
    double total = sum + value, part = total - sum;
    rest += ((sum - (total - part)) + (value - part)) + ldexp(low, exponent);
    sum = total;
  }
  return top < 0 ? 0 : ldexp((sum + rest) / divisor, BAND_UNIT + BAND_BITS * top);
}

// The deviation if the places before one are those below the mean. It is less for any others.
static double deviation_at(const deviation_state *state, long place) {
  long n = state->value_count, below = count_before(&state->set, place);
  band_sum parts[2 * BAND_COUNT];
  for (int index = 0; index < state->count; index++) {
    const stretch *part = state->stretches + index;
    parts[index] = below * part->sum - n * sum_before(state, part, place);
  }
  return quotient(state, parts, (double)n * (double)n / 2);
}

// The mean is rounded, so values that are equal to it may be below.
static double deviation(const deviation_state *state, double mean) {
  if (state->value_count == 0 || state->infinite_count > 0) return NAN;
  const place_set *set = &state->set;
  long place = place_of(set, mean);
  double result = deviation_at(state, place);
  if (place == set->count || set->sorted[place] != mean) return result;
  return fmax(result, deviation_at(state, place_of(set, nextafter(mean, INFINITY))));
}

void quoin_history_mads(const quoin_history *history, const double *means, double *scratch, double *results) {
  deviation_state state;
  memset(&state, 0, sizeof state);
  quoin_sort_places(history, scratch, &state.set);
  divide_places(&state, (band_sum *)(scratch + 4 * (history->count + 64)));
  for (long row = 0; row < history->count; row++) {
    long old = row - history->rows;
    if (!isnan(history->x[row])) take(&state, state.set.places[row], 1);
    if (old >= 0 && !isnan(history->x[old])) take(&state, state.set.places[old], -1);
    if (row >= history->first) results[row] = deviation(&state, means[row]);
  }
}

// The mean of the values up to a quantile.
static double mean_up_to(const deviation_state *state, double quantile) {
  if (state->value_count == 0 || state->infinite_count > 0) return NAN;
  long place = place_of(&state->set, nextafter(quantile, INFINITY));
  band_sum parts[2 * BAND_COUNT];
  for (int index = 0; index < state->count; index++) parts[index] = sum_before(state, state->stretches + index, place);
  return quotient(state, parts, (double)count_before(&state->set, place));
}

void quoin_history_shortfalls(const quoin_history *history, const double *quantiles, double *scratch, double *results) {
  deviation_state state;
  memset(&state, 0, sizeof state);
  quoin_sort_places(history, scratch, &state.set);
  divide_places(&state, (band_sum *)(scratch + 4 * (history->count + 64)));
  for (long row = 0; row < history->count; row++) {
    long old = row - history->rows;
    if (!isnan(history->x[row])) take(&state, state.set.places[row], 1);
    if (old >= 0 && !isnan(history->x[old])) take(&state, state.set.places[old], -1);
    if (row >= history->first) results[row] = mean_up_to(&state, quantiles[row]);
  }
}
