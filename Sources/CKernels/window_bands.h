#ifndef QUOIN_WINDOW_BANDS_H
#define QUOIN_WINDOW_BANDS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

// Exact sums of float64 values, which can lose values again. A band has values of 24 neighbouring exponents, as whole numbers of a
// unit that is the band's alone: their sum is exact in 128 bits for up to 2^25 values, and still is if multiplied by so many.
enum { BAND_BITS = 24, BAND_COUNT = 2047 / BAND_BITS + 1, BAND_UNIT = -1075 };

typedef __int128 band_sum;

// The band of a finite value, whose unit is 2^(BAND_UNIT + BAND_BITS * band).
static inline int band_of(double value, band_sum *units) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  int exponent = (int)(bits >> 52 & 2047);
  int64_t significand = (int64_t)(bits & 0xFFFFFFFFFFFFF);
  if (exponent > 0) significand |= INT64_C(1) << 52;
  else exponent = 1;
  if (bits >> 63) significand = -significand;
  *units = (band_sum)significand * (INT64_C(1) << exponent % BAND_BITS);
  return exponent / BAND_BITS;
}

#endif
