#include "unscale.h"

#include "offsets.h"

INLINE void unscale(const uint8_t *payload, int width, int rows, double base, double step, double high, double low,
                    double *values) {
  int row = 0;
  for (; IS_LITTLE_ENDIAN && row + 8 <= rows; row += 8) {
    lanes8 lanes;
    load(payload, width, rows, row, &lanes);
    doubles8 numbers = __builtin_convertvector(lanes, doubles8) * step + base;
    numbers = numbers * high + numbers * low;
    memcpy(values + row, &numbers, sizeof numbers);
  }
  for (; row < rows; row++) {
    double number = (double)(int32_t)offset(payload, width, rows, row) * step + base;
    values[row] = number * high + number * low;
  }
}

INLINE void unscale_loop(const uint8_t *payload, int width, int rows, double base, double step, double high, double low,
                         double *values) {
  switch (width) {
  case 1: return unscale(payload, 1, rows, base, step, high, low, values);
  case 2: return unscale(payload, 2, rows, base, step, high, low, values);
  default: return unscale(payload, 3, rows, base, step, high, low, values);
  }
}

DEFINE(void, unscale,
       (const uint8_t *payload, int width, int rows, double base, double step, double high, double low, double *values),
       (payload, width, rows, base, step, high, low, values))
