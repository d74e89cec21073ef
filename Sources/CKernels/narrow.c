#include "narrow.h"

#include "floats.h"
#include "offsets.h"

INLINE void integers(const uint8_t *payload, int width, int rows, int first, float base, float step, float *values) {
  int row = first;
  for (; IS_LITTLE_ENDIAN && row + 8 <= rows; row += 8) {
    lanes8 lanes;
    load(payload, width, rows, row, &lanes);
    floats8 numbers = __builtin_convertvector(lanes, floats8) * step + base;
    memcpy(values + (row - first), &numbers, sizeof numbers);
  }
  for (; row < rows; row++) values[row - first] = (float)(int32_t)offset(payload, width, rows, row) * step + base;
}

INLINE void narrow_integers_loop(const uint8_t *payload, int width, int rows, int first, float base, float step,
                                 float *values) {
  switch (width) {
  case 1: return integers(payload, 1, rows, first, base, step, values);
  case 2: return integers(payload, 2, rows, first, base, step, values);
  default: return integers(payload, 3, rows, first, base, step, values);
  }
}

DEFINE(void, narrow_integers,
       (const uint8_t *payload, int width, int rows, int first, float base, float step, float *values),
       (payload, width, rows, first, base, step, values))

// What a comparison of lanes gives is all ones or zeros.
INLINE void choose(const masks8 *chosen, const floats8 *x, const floats8 *y, floats8 *result) {
  masks8 a, b;
  memcpy(&a, x, sizeof a);
  memcpy(&b, y, sizeof b);
  a = (a & *chosen) | (b & ~*chosen);
  memcpy(result, &a, sizeof a);
}

INLINE void operate(quoin_narrow_operation operation, const floats8 *x, const floats8 *y, float factor, floats8 *result) {
  switch (operation) {
  case QUOIN_NARROW_SUM: *result = *x + *y * factor; return;
  case QUOIN_NARROW_PRODUCT: *result = *x * *y; return;
  case QUOIN_NARROW_QUOTIENT: *result = *x / *y; return;
  case QUOIN_NARROW_MAGNITUDE: {
    masks8 bits;
    memcpy(&bits, x, sizeof bits);
    bits &= 0x7fffffff;
    memcpy(result, &bits, sizeof bits);
    return;
  }
  default: {
    floats8 scaled = *y * factor;
    masks8 chosen = operation == QUOIN_NARROW_LARGER ? *x > scaled : *x < scaled;
    choose(&chosen, x, &scaled, result);
  }
  }
}

INLINE void rows(quoin_narrow_operation operation, const float *x, int x_is_number, const float *y, int y_is_number,
                 float factor, long count, float *results) {
  floats8 a = (floats8){0} + *x, b = (floats8){0} + *y, result;
  for (long row = 0; row < count; row += 8) {
    if (!x_is_number) memcpy(&a, x + row, sizeof a);
    if (!y_is_number) memcpy(&b, y + row, sizeof b);
    operate(operation, &a, &b, factor, &result);
    memcpy(results + row, &result, sizeof result);
  }
}

#define CASE(NAME)                                                                                                     \
  case NAME: return rows(NAME, x, x_is_number, y, y_is_number, factor, count, results);

INLINE void narrow_rows_loop(quoin_narrow_operation operation, const float *x, int x_is_number, const float *y,
                             int y_is_number, float factor, long count, float *results) {
  switch (operation) {
    CASE(QUOIN_NARROW_SUM)
    CASE(QUOIN_NARROW_PRODUCT)
    CASE(QUOIN_NARROW_QUOTIENT)
    CASE(QUOIN_NARROW_LARGER)
    CASE(QUOIN_NARROW_SMALLER)
    CASE(QUOIN_NARROW_MAGNITUDE)
  }
}

DEFINE(void, narrow_rows,
       (quoin_narrow_operation operation, const float *x, int x_is_number, const float *y, int y_is_number, float factor,
        long count, float *results),
       (operation, x, x_is_number, y, y_is_number, factor, count, results))

INLINE void compared(const float *x, const float *y, int y_is_number, float factor, float error, long count,
                     uint64_t *above, uint64_t *below) {
  floats8 b = (floats8){0} + *y * factor;
  for (; count > 0; count -= 64, x += 64, y += y_is_number ? 0 : 64) {
    uint64_t more = 0, less = 0;
#pragma clang loop unroll_count(8)
    for (int row = 0; row < 64; row += 8) {
      floats8 a;
      memcpy(&a, x + row, sizeof a);
      if (!y_is_number) {
        memcpy(&b, y + row, sizeof b);
        b *= factor;
      }
      a -= b;
      masks8 is_above = a > error, is_below = a < -error;
      more |= bits(&is_above) << row;
      less |= bits(&is_below) << row;
    }
    *above++ = more;
    *below++ = less;
  }
}

INLINE void narrow_compare_loop(const float *x, const float *y, int y_is_number, float factor, float error, long count,
                                uint64_t *above, uint64_t *below) {
  if (y_is_number) return compared(x, y, 1, factor, error, count, above, below);
  return compared(x, y, 0, factor, error, count, above, below);
}

DEFINE(void, narrow_compare,
       (const float *x, const float *y, int y_is_number, float factor, float error, long count, uint64_t *above,
        uint64_t *below),
       (x, y, y_is_number, factor, error, count, above, below))
