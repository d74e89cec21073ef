#include "range.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// `offset_N` is the offset of one row, `group_N` the bits of 16 rows from `row` on.

static inline uint32_t offset_1(const uint8_t *payload, int rows, int row) { return payload[row]; }

static inline uint32_t offset_2(const uint8_t *payload, int rows, int row) {
  return payload[2 * row] | (uint32_t)payload[2 * row + 1] << 8;
}

static inline uint32_t offset_3(const uint8_t *payload, int rows, int row) {
  return offset_2(payload, rows, row) | (uint32_t)payload[2 * rows + row] << 16;
}

static inline uint32_t offset_4(const uint8_t *payload, int rows, int row) {
  return offset_2(payload, rows, 2 * row) | offset_2(payload, rows, 2 * row + 1) << 16;
}

#if defined(__SSE2__)

static inline __m128i load(const uint8_t *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }

static inline uint32_t group_1(const uint8_t *payload, int rows, int row, uint32_t lower, uint32_t span) {
  __m128i distance = _mm_sub_epi8(load(payload + row), _mm_set1_epi8((char)lower));
  __m128i excess = _mm_subs_epu8(distance, _mm_set1_epi8((char)span));
  return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(excess, _mm_setzero_si128()));
}

static inline uint32_t group_2(const uint8_t *payload, int rows, int row, uint32_t lower, uint32_t span) {
  __m128i from = _mm_set1_epi16((short)lower), width = _mm_set1_epi16((short)span), zero = _mm_setzero_si128();
  __m128i a = _mm_sub_epi16(load(payload + 2 * row), from), b = _mm_sub_epi16(load(payload + 2 * row + 16), from);
  a = _mm_cmpeq_epi16(_mm_subs_epu16(a, width), zero);
  b = _mm_cmpeq_epi16(_mm_subs_epu16(b, width), zero);
  return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(a, b));
}

// The bits of 16 rows whose offsets are in four registers. There is no unsigned comparison of 32 bits, so both sides
// are shifted by 2^31 for the signed one.
static inline uint32_t compared(__m128i a, __m128i b, __m128i c, __m128i d, uint32_t lower, uint32_t span) {
  __m128i from = _mm_set1_epi32((int)(lower + 0x80000000u)), last = _mm_set1_epi32((int)(span - 0x80000000u));
  a = _mm_cmpgt_epi32(_mm_sub_epi32(a, from), last);
  b = _mm_cmpgt_epi32(_mm_sub_epi32(b, from), last);
  c = _mm_cmpgt_epi32(_mm_sub_epi32(c, from), last);
  d = _mm_cmpgt_epi32(_mm_sub_epi32(d, from), last);
  return ~(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d))) & 0xFFFF;
}

static inline uint32_t group_3(const uint8_t *payload, int rows, int row, uint32_t lower, uint32_t span) {
  __m128i low = load(payload + 2 * row), next = load(payload + 2 * row + 16), zero = _mm_setzero_si128();
  __m128i bytes = load(payload + 2 * rows + row);
  __m128i high = _mm_unpacklo_epi8(bytes, zero), higher = _mm_unpackhi_epi8(bytes, zero);
  return compared(_mm_unpacklo_epi16(low, high), _mm_unpackhi_epi16(low, high), _mm_unpacklo_epi16(next, higher),
                  _mm_unpackhi_epi16(next, higher), lower, span);
}

static inline uint32_t group_4(const uint8_t *payload, int rows, int row, uint32_t lower, uint32_t span) {
  const uint8_t *start = payload + 4 * row;
  return compared(load(start), load(start + 16), load(start + 32), load(start + 48), lower, span);
}

#else

#define DEFINE_GROUP(N)                                                                                            \
  static inline uint32_t group_##N(const uint8_t *payload, int rows, int row, uint32_t lower, uint32_t span) {     \
    uint32_t bits = 0;                                                                                             \
    for (int lane = 0; lane < 16; lane++)                                                                          \
      bits |= (uint32_t)(offset_##N(payload, rows, row + lane) - lower <= span) << lane;                           \
    return bits;                                                                                                   \
  }
DEFINE_GROUP(1)
DEFINE_GROUP(2)
DEFINE_GROUP(3)
DEFINE_GROUP(4)

#endif

// Rows are compared 16 at a time, and four times 16 where all 64 rows of a word of the mask are wanted: to add each 16
// to the word in memory takes longer than to compare them. Unwanted lanes of the first and last group are compared too,
// and masked out. The last group of a payload may be incomplete.
#define DEFINE_RANGE(N)                                                                                              \
  static inline uint64_t word_##N(const uint8_t *payload, int rows, int row, uint32_t lower, uint32_t span) {        \
    return (uint64_t)group_##N(payload, rows, row, lower, span) |                                                    \
           (uint64_t)group_##N(payload, rows, row + 16, lower, span) << 16 |                                         \
           (uint64_t)group_##N(payload, rows, row + 32, lower, span) << 32 |                                         \
           (uint64_t)group_##N(payload, rows, row + 48, lower, span) << 48;                                          \
  }                                                                                                                  \
                                                                                                                     \
  void quoin_range_##N(const uint8_t *payload, int rows, int first, int end, uint32_t lower, uint32_t span,          \
                       uint64_t *mask) {                                                                             \
    int row = first & ~15;                                                                                           \
    uint32_t lanes = 0xFFFFu << (first & 15);                                                                        \
    while (row < end && row + 16 <= rows) {                                                                          \
      if (row % 64 == 0 && row >= first && row + 64 <= end) {                                                        \
        mask[row / 64] |= word_##N(payload, rows, row, lower, span);                                                 \
        row += 64;                                                                                                   \
        continue;                                                                                                    \
      }                                                                                                              \
      if (row + 16 > end) lanes &= 0xFFFFu >> (row + 16 - end);                                                      \
      mask[row / 64] |= (uint64_t)(group_##N(payload, rows, row, lower, span) & lanes & 0xFFFF) << row % 64;         \
      lanes = 0xFFFF;                                                                                                \
      row += 16;                                                                                                     \
    }                                                                                                                \
    for (row = row < first ? first : row; row < end; row++)                                                          \
      mask[row / 64] |= (uint64_t)(offset_##N(payload, rows, row) - lower <= span) << row % 64;                      \
  }
DEFINE_RANGE(1)
DEFINE_RANGE(2)
DEFINE_RANGE(3)
DEFINE_RANGE(4)
