#include "bits.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// A frame is 128 rows, or the rest of them: 16 steps of 8 lanes, in the vector types of Clang and GCC. A word is a vector.
typedef uint8_t lanes8 __attribute__((vector_size(8)));
typedef uint16_t lanes16 __attribute__((vector_size(16)));
typedef uint32_t lanes32 __attribute__((vector_size(16)));
typedef uint32_t numbers8 __attribute__((vector_size(32)));

enum { FRAME = 128, STEPS = 16, WORD = 16 };

#define INLINE static inline __attribute__((always_inline))

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LITTLE_16(lanes) (lanes)
#define LITTLE_32(lanes) (lanes)
#else
#define LITTLE_16(lanes) ((lanes) >> 8 | (lanes) << 8)
#define LITTLE_32(lanes) ((lanes) >> 24 | ((lanes) >> 8 & 0xFF00) | ((lanes) << 8 & 0xFF0000) | (lanes) << 24)
#endif

INLINE lanes16 load16(const void *bytes) {
  lanes16 lanes;
  memcpy(&lanes, bytes, sizeof lanes);
  return lanes;
}

// Each lane has 16 values of `bits` bits without a gap. `bits` is a constant, so all shifts are.
INLINE void expand(const uint8_t *words, int bits, uint16_t *values) {
  const lanes16 mask = (lanes16){0} + (uint16_t)((1u << bits) - 1);
#pragma GCC unroll 16
  for (int step = 0; step < STEPS; step++) {
    int word = step * bits / 16, shift = step * bits % 16;
    lanes16 lanes = LITTLE_16(load16(words + WORD * word)) >> shift;
    if (shift + bits > 16) lanes |= LITTLE_16(load16(words + WORD * (word + 1))) << (16 - shift);
    lanes &= mask;
    memcpy(values + 8 * step, &lanes, sizeof lanes);
  }
}

static void expand_frame(const uint8_t *words, int bits, uint16_t *values) {
  switch (bits) {
#define CASE(N)                                                                                                        \
  case N: return expand(words, N, values);
    CASE(1)
    CASE(2)
    CASE(3)
    CASE(4)
    CASE(5)
    CASE(6)
    CASE(7)
    CASE(8)
    CASE(9)
    CASE(10)
    CASE(11)
    CASE(12)
    CASE(13)
    CASE(14)
    CASE(15)
    CASE(16)
  default: memset(values, 0, FRAME * sizeof *values);
  }
}

static int words_byte_count(int rows, int bits) { return ((rows + 7) / 8 * bits + 15) / 16 * WORD; }

// The packed values of a frame; what is beyond its rows may be anything.
static void expand_rows(const uint8_t *words, int rows, int bits, uint16_t *values) {
  if (rows > FRAME - 8) return expand_frame(words, bits, values);
  // The last words of a shorter frame aren't there.
  uint8_t all[STEPS * WORD] = {0};
  memcpy(all, words, (size_t)words_byte_count(rows, bits));
  expand_frame(all, bits, values);
}

// Each lane's sum with all lanes before it.
INLINE lanes16 running16(lanes16 lanes) {
  const lanes16 zero = {0};
  lanes += __builtin_shufflevector(zero, lanes, 7, 8, 9, 10, 11, 12, 13, 14);
  lanes += __builtin_shufflevector(zero, lanes, 6, 7, 8, 9, 10, 11, 12, 13);
  return lanes + __builtin_shufflevector(zero, lanes, 4, 5, 6, 7, 8, 9, 10, 11);
}

INLINE lanes32 running32(lanes32 lanes) {
  const lanes32 zero = {0};
  lanes += __builtin_shufflevector(zero, lanes, 3, 4, 5, 6);
  return lanes + __builtin_shufflevector(zero, lanes, 2, 3, 4, 5);
}

// The low and the high 16 bits of eight numbers of 32 bits. Clang takes thrice as many instructions for the portable form.
#if defined(__SSE2__)

INLINE lanes16 high_halves(lanes32 a, lanes32 b) {
  return (lanes16)_mm_packs_epi32(_mm_srai_epi32((__m128i)a, 16), _mm_srai_epi32((__m128i)b, 16));
}

INLINE lanes16 low_halves(lanes32 a, lanes32 b) { return high_halves(a << 16, b << 16); }

#else

INLINE lanes16 low_halves(lanes32 a, lanes32 b) {
  numbers8 numbers = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  return __builtin_convertvector(numbers, lanes16);
}

INLINE lanes16 high_halves(lanes32 a, lanes32 b) { return low_halves(a >> 16, b >> 16); }

#endif

struct frame {
  int bits;
  uint32_t base, least;
  const uint8_t *words;
};

// Writes a frame's offsets of 1 or 2 bytes.
INLINE void put16(const struct frame *frame, int rows, int width, int differences, uint8_t *bytes) {
  uint16_t values[FRAME];
  expand_rows(frame->words, rows, frame->bits, values);
  lanes16 before = (lanes16){0} + (uint16_t)frame->base, least = (lanes16){0} + (uint16_t)frame->least;
  for (int row = 0; row < FRAME; row += 8) {
    lanes16 lanes = load16(values + row);
    if (differences) lanes = running16(lanes + least);
    lanes += before;
    if (differences) before = __builtin_shufflevector(lanes, lanes, 7, 7, 7, 7, 7, 7, 7, 7);
    if (width == 1) {
      lanes8 narrow = __builtin_convertvector(lanes, lanes8);
      memcpy(bytes + row, &narrow, sizeof narrow);
    } else {
      lanes = LITTLE_16(lanes);
      memcpy(bytes + 2 * row, &lanes, sizeof lanes);
    }
  }
}

// Writes a frame's offsets of 4 bytes, or the low two bytes of 3, and the third to `high`.
INLINE void put32(const struct frame *frame, int rows, int width, int differences, uint8_t *bytes, uint8_t *high) {
  uint16_t low_values[FRAME], high_values[FRAME];
  int low_bits = frame->bits < 16 ? frame->bits : 16;
  expand_rows(frame->words, rows, low_bits, low_values);
  expand_rows(frame->words + words_byte_count(rows, low_bits), rows, frame->bits - low_bits, high_values);
  lanes32 before = (lanes32){0} + frame->base, least = (lanes32){0} + frame->least;
  for (int row = 0; row < FRAME; row += 8) {
    numbers8 numbers = __builtin_convertvector(load16(low_values + row), numbers8) |
                       __builtin_convertvector(load16(high_values + row), numbers8) << 16;
    lanes32 halves[2] = {__builtin_shufflevector(numbers, numbers, 0, 1, 2, 3),
                         __builtin_shufflevector(numbers, numbers, 4, 5, 6, 7)};
    for (int half = 0; half < 2; half++) {
      if (differences) halves[half] = running32(halves[half] + least);
      halves[half] += before;
      if (differences) before = __builtin_shufflevector(halves[half], halves[half], 3, 3, 3, 3);
    }
    if (width == 3) {
      lanes16 lowest = LITTLE_16(low_halves(halves[0], halves[1]));
      lanes8 highest = __builtin_convertvector(high_halves(halves[0], halves[1]), lanes8);
      memcpy(bytes + 2 * row, &lowest, sizeof lowest);
      memcpy(high + row, &highest, sizeof highest);
    } else {
      for (int half = 0; half < 2; half++) halves[half] = LITTLE_32(halves[half]);
      memcpy(bytes + 4 * row, halves, sizeof halves);
    }
  }
}

INLINE uint32_t number(const uint8_t *bytes, int width) {
  uint32_t number = 0;
  for (int byte = 0; byte < width; byte++) number |= (uint32_t)bytes[byte] << 8 * byte;
  return number;
}

INLINE int unpack(const uint8_t *packed, int count, int rows, int width, int differences, uint32_t wanted,
                  uint8_t *payload) {
  const int low_width = width == 3 ? 2 : width, head_size = 1 + width + (differences ? width : 0);
  const uint8_t *head = packed, *end = packed + count;
  if ((rows + FRAME - 1) / FRAME * head_size > count) return 0;
  packed += (rows + FRAME - 1) / FRAME * head_size;
  for (int first = 0; first < rows; first += FRAME, wanted >>= 1, head += head_size) {
    int left = rows - first < FRAME ? rows - first : FRAME, bits = head[0], low_bits = bits < 16 ? bits : 16;
    int size = words_byte_count(left, low_bits) + words_byte_count(left, bits - low_bits);
    if (bits > 8 * width || size > end - packed) return 0;
    struct frame frame = {bits, number(head + 1, width), differences ? number(head + 1 + width, width) : 0, packed};
    packed += size;
    if (!(wanted & 1)) continue;
    // A shorter frame is unpacked elsewhere, because there is no room for 128 rows.
    uint8_t part[4 * FRAME], high_part[FRAME];
    uint8_t *bytes = payload + low_width * first, *high = payload + 2 * rows + first;
    uint8_t *target = left < FRAME ? part : bytes, *high_target = left < FRAME ? high_part : high;
    if (width < 3) {
      put16(&frame, left, width, differences, target);
    } else {
      put32(&frame, left, width, differences, target, high_target);
    }
    if (left == FRAME) continue;
    memcpy(bytes, part, (size_t)(low_width * left));
    if (width == 3) memcpy(high, high_part, (size_t)left);
  }
  return packed == end;
}

int quoin_unpack_bits(const uint8_t *packed, int count, int rows, int width, int differences, uint32_t wanted,
                      uint8_t *payload) {
  switch (width) {
#define WIDTH(N)                                                                                                       \
  case N:                                                                                                              \
    return differences ? unpack(packed, count, rows, N, 1, wanted, payload)                                            \
                       : unpack(packed, count, rows, N, 0, wanted, payload);
    WIDTH(1)
    WIDTH(2)
    WIDTH(3)
    WIDTH(4)
  default: return 0;
  }
}
