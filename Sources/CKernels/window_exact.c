#include "window_bands.h"
#include "windows.h"

// The exact sums of the values in a window, as it moves.
typedef struct {
  band_sum sums[BAND_COUNT];
  long counts[BAND_COUNT];  // of values
  int lowest, highest;      // no other bands have values
  long infinite, negative_infinite, count;
} moving_sum;

static void take(moving_sum *sum, double value, int sign) {
  if (isnan(value)) return;
  sum->count += sign;
  if (isinf(value)) {
    *(value > 0 ? &sum->infinite : &sum->negative_infinite) += sign;
    return;
  }
  band_sum units;
  if (value == 0) return;
  int band = band_of(value, &units);
  sum->sums[band] += sign * units;
  sum->counts[band] += sign;
  if (sign > 0) {
    if (band < sum->lowest) sum->lowest = band;
    if (band > sum->highest) sum->highest = band;
  } else {
    while (sum->lowest <= sum->highest && sum->counts[sum->lowest] == 0) sum->lowest++;
    while (sum->lowest <= sum->highest && sum->counts[sum->highest] == 0) sum->highest--;
    if (sum->lowest > sum->highest) sum->lowest = BAND_COUNT, sum->highest = -1;
  }
}

// A number of `bits` and possibly more below them, in units of 2^`exponent`, rounded once.
static double rounded(unsigned __int128 bits, int has_more, int exponent) {
  int low = exponent;
  // A denormal number has fewer bits: it is a whole number of the smallest unit.
  if (low < -1074) {
    int shift = -1074 - low;
    if (shift > 126) return 0;
    unsigned __int128 whole = bits >> shift, part = bits - (whole << shift), half = (unsigned __int128)1 << (shift - 1);
    if (whole < (unsigned __int128)1 << 53) {
      int is_up = part > half || (part == half && (has_more || (whole & 1)));
      return ldexp((double)(uint64_t)(whole + (is_up ? 1 : 0)), -1074);
    }
  }
  return ldexp((double)(bits | (has_more ? 1 : 0)), exponent);
}

// The sum of the bands divided by a number, rounded once: long division by digits of 24 bits.
static double quotient(const moving_sum *sum, uint64_t divisor) {
  uint32_t digits[BAND_COUNT + 6];
  const uint32_t digit_max = (1 << BAND_BITS) - 1;
  int sign = 1, digit_count;
  for (int attempt = 0; attempt < 2; attempt++) {
    band_sum carry = 0;
    digit_count = 0;
    for (int band = sum->lowest; band <= sum->highest || (carry != 0 && carry != -1); band++) {
      if (band <= sum->highest) carry += sign * sum->sums[band];
      digits[digit_count++] = (uint32_t)carry & digit_max;
      carry >>= BAND_BITS;
    }
    if (carry == 0) break;
    sign = -1;
  }
  unsigned __int128 bits = 0;
  uint64_t rest = 0;
  int place = digit_count - 1;
  // Below the units the digits are 0. Five digits from the first one on have 97 bits or more.
  for (int length = 0; length < 5 && (place >= 0 || rest != 0 || bits != 0); place--) {
    uint64_t part = rest << BAND_BITS | (place >= 0 ? digits[place] : 0);
    bits = bits << BAND_BITS | part / divisor;
    rest = part % divisor;
    if (bits != 0) length++;
  }
  if (bits == 0) return 0;
  int has_more = rest != 0;
  for (int below = place; below >= 0; below--) has_more |= digits[below] != 0;
  return sign * rounded(bits, has_more, BAND_UNIT + BAND_BITS * (sum->lowest + place + 1));
}

static void hand_out(const moving_sum *sum, double *value, double *mean) {
  if (sum->infinite > 0 || sum->negative_infinite > 0) {
    *value = *mean = sum->infinite == 0 ? -INFINITY : sum->negative_infinite == 0 ? INFINITY : NAN;
  } else if (sum->count == 0) {
    *value = *mean = NAN;
  } else {
    *value = quotient(sum, 1);
    *mean = quotient(sum, (uint64_t)sum->count);
  }
}

void quoin_window_exact_sums(const quoin_tile *tile, const double *values, double *sums, double *means) {
  moving_sum sum;
  memset(&sum, 0, sizeof sum);
  sum.lowest = BAND_COUNT;
  sum.highest = -1;
  for (long row = 0; row < tile->rows - 1; row++) take(&sum, values[row], 1);
  for (long window = 0; window < tile->windows; window++) {
    take(&sum, values[window + tile->rows - 1], 1);
    hand_out(&sum, sums + window, means + window);
    take(&sum, values[window], -1);
  }
}
