#include "selected.h"

#include <string.h>

// Eight rows at a time, in the vector types of Clang and GCC, which use the registers that the processor has.
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint16_t pairs8 __attribute__((vector_size(16)));
typedef int32_t lanes8 __attribute__((vector_size(32)));
typedef double doubles8 __attribute__((vector_size(64)));

#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t offset(const uint8_t *payload, int width, int rows, int row) {
  switch (width) {
  case 1: return payload[row];
  case 2: return payload[2 * row] | (uint32_t)payload[2 * row + 1] << 8;
  case 3: return payload[2 * row] | (uint32_t)payload[2 * row + 1] << 8 | (uint32_t)payload[2 * rows + row] << 16;
  default: break;
  }
  const uint8_t *bytes = payload + 4 * row;
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// Vectors are passed through pointers, because passing them by value depends on the processor's registers. On a big-endian
// processor they aren't used.
INLINE void load_bytes(const uint8_t *bytes, lanes8 *lanes) {
  bytes8 loaded;
  memcpy(&loaded, bytes, sizeof loaded);
  *lanes = __builtin_convertvector(loaded, lanes8);
}

INLINE void load_pairs(const uint8_t *bytes, lanes8 *lanes) {
  pairs8 loaded;
  memcpy(&loaded, bytes, sizeof loaded);
  *lanes = __builtin_convertvector(loaded, lanes8);
}

INLINE void load(const uint8_t *payload, int width, int rows, int row, lanes8 *lanes) {
  if (width == 1) return load_bytes(payload + row, lanes);
  load_pairs(payload + 2 * row, lanes);
  if (width == 3) {
    lanes8 high;
    load_bytes(payload + 2 * rows + row, &high);
    *lanes |= high << 16;
  }
}

// Clears the lanes whose bits are not set.
INLINE void select(lanes8 *lanes, uint64_t bits) {
  const lanes8 places = {1, 2, 4, 8, 16, 32, 64, 128};
  int32_t byte = (int32_t)(bits & 0xFF);
  lanes8 set = {byte, byte, byte, byte, byte, byte, byte, byte};
  *lanes &= (set & places) == places;
}

#define IS_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

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

#define DEFINE(SUFFIX, ATTRIBUTES)                                                                                     \
  ATTRIBUTES static uint64_t sum_##SUFFIX(const uint8_t *payload, int width, int rows, const uint64_t *mask) {         \
    BY_WIDTH(SUM)                                                                                                      \
  }                                                                                                                    \
  ATTRIBUTES static int64_t rest_##SUFFIX(const uint8_t *payload, int width, int rows, const uint64_t *mask,           \
                                          int32_t base, int32_t step, double high, double low, double *result) {       \
    BY_WIDTH(REST)                                                                                                     \
  }

DEFINE(base, )

#if defined(__x86_64__) && !defined(__AVX2__)
DEFINE(avx2, __attribute__((target("avx2"))))
#define CALL(NAME, ...) (__builtin_cpu_supports("avx2") ? NAME##_avx2(__VA_ARGS__) : NAME##_base(__VA_ARGS__))
#else
#define CALL(NAME, ...) NAME##_base(__VA_ARGS__)
#endif

uint64_t quoin_selected_sum(const uint8_t *payload, int width, int rows, const uint64_t *mask) {
  return CALL(sum, payload, width, rows, mask);
}

int64_t quoin_selected_rest(const uint8_t *payload, int width, int rows, const uint64_t *mask, int32_t base,
                            int32_t step, double high, double low, double *result) {
  return CALL(rest, payload, width, rows, mask, base, step, high, low, result);
}
