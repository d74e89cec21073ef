#include "selected.h"

#include "offsets.h"

// Clears the lanes whose bits are not set.
INLINE void select(lanes8 *lanes, uint64_t bits) {
  const lanes8 places = {1, 2, 4, 8, 16, 32, 64, 128};
  int32_t byte = (int32_t)(bits & 0xFF);
  lanes8 set = {byte, byte, byte, byte, byte, byte, byte, byte};
  *lanes &= (set & places) == places;
}

// 64 offsets of 3 bytes add up in 32 bits.
INLINE uint64_t sum(const uint8_t *payload, int width, int rows, const uint64_t *mask) {
  uint64_t sum = 0;
  for (int first = 0; first < rows; first += 64) {
    uint64_t bits = mask[first / 64];
    if (bits == 0) continue;
    if (IS_LITTLE_ENDIAN && width < 4 && first + 64 <= rows) {
      lanes8 sums = {0};
      for (int row = 0; row < 64; row += 8) {
        lanes8 lanes;
        load(payload, width, rows, first + row, &lanes);
        if (bits != ~0ull) select(&lanes, bits >> row);
        sums += lanes;
      }
      for (int lane = 0; lane < 8; lane++) sum += (uint64_t)sums[lane];
    } else {
      for (; bits != 0; bits &= bits - 1) sum += offset(payload, width, rows, first + __builtin_ctzll(bits));
    }
  }
  return sum;
}

INLINE int64_t rest(const uint8_t *payload, int width, int rows, const uint64_t *mask, int32_t base, int32_t step,
                    double high, double low, double *result) {
  int64_t sum = 0;
  double rest = 0;
  doubles8 rests = {0};
  for (int first = 0; first < rows; first += 64) {
    uint64_t bits = mask[first / 64];
    if (bits == 0) continue;
    if (IS_LITTLE_ENDIAN && first + 64 <= rows) {
      lanes8 sums = {0};
      for (int row = 0; row < 64; row += 8) {
        lanes8 lanes;
        load(payload, width, rows, first + row, &lanes);
        if (step != 1) lanes *= step;
        lanes += base;
        if (bits != ~0ull) select(&lanes, bits >> row);
        sums += lanes;
        doubles8 numbers = __builtin_convertvector(lanes, doubles8);
        doubles8 parts = numbers * high;
        rests += (parts + numbers * low) - parts;
      }
      for (int lane = 0; lane < 8; lane++) sum += sums[lane];
    } else {
      for (; bits != 0; bits &= bits - 1) {
        double number = (int32_t)offset(payload, width, rows, first + __builtin_ctzll(bits)) * step + base;
        double part = number * high;
        sum += (int64_t)number;
        rest += (part + number * low) - part;
      }
    }
  }
  for (int lane = 0; lane < 8; lane++) rest += rests[lane];
  *result = rest;
  return sum;
}

// One loop for each width.
#define SUM(width) sum(payload, width, rows, mask)
#define REST(width) rest(payload, width, rows, mask, base, step, high, low, result)
#define BY_WIDTH(FUNCTION)                                                                                             \
  switch (width) {                                                                                                     \
  case 1: return FUNCTION(1);                                                                                          \
  case 2: return FUNCTION(2);                                                                                          \
  case 3: return FUNCTION(3);                                                                                          \
  default: return FUNCTION(4);                                                                                         \
  }

INLINE uint64_t selected_sum_loop(const uint8_t *payload, int width, int rows, const uint64_t *mask) { BY_WIDTH(SUM) }

INLINE int64_t selected_rest_loop(const uint8_t *payload, int width, int rows, const uint64_t *mask, int32_t base,
                                  int32_t step, double high, double low, double *result) {
  BY_WIDTH(REST)
}

DEFINE(uint64_t, selected_sum, (const uint8_t *payload, int width, int rows, const uint64_t *mask),
       (payload, width, rows, mask))

DEFINE(int64_t, selected_rest,
       (const uint8_t *payload, int width, int rows, const uint64_t *mask, int32_t base, int32_t step, double high,
        double low, double *result),
       (payload, width, rows, mask, base, step, high, low, result))
