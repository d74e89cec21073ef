#include "segments.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Lanes

#if defined(__SSE2__)

static inline __m128i load(const void *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }

// There is no minimum of unsigned lanes. It is made of saturating differences, or of signed comparisons with both sides
// shifted by 2^31.
static inline __m128i smaller_16(__m128i a, __m128i b) { return _mm_sub_epi16(a, _mm_subs_epu16(a, b)); }
static inline __m128i larger_16(__m128i a, __m128i b) { return _mm_add_epi16(b, _mm_subs_epu16(a, b)); }

static inline __m128i chosen(__m128i is_b, __m128i a, __m128i b) {
  return _mm_or_si128(_mm_and_si128(is_b, b), _mm_andnot_si128(is_b, a));
}
static inline __m128i moved(__m128i lanes) { return _mm_xor_si128(lanes, _mm_set1_epi32((int)0x80000000)); }
static inline __m128i smaller_32(__m128i a, __m128i b) { return chosen(_mm_cmpgt_epi32(moved(a), moved(b)), a, b); }
static inline __m128i larger_32(__m128i a, __m128i b) { return chosen(_mm_cmpgt_epi32(moved(b), moved(a)), a, b); }

static inline __m128i turned(__m128i lanes) { return _mm_shufflelo_epi16(lanes, 0xB1); }

// The last vector of a segment overlaps the one before.
#define VECTORS(NAME, BITS, LANES)                                                                                     \
  if (end - row >= LANES) {                                                                                            \
    __m128i all = load(lanes + end - LANES);                                                                           \
    for (; row + LANES <= end; row += LANES) all = NAME##_##BITS(all, load(lanes + row));                              \
    all = NAME##_##BITS(all, _mm_shuffle_epi32(all, 0x4E));                                                            \
    all = NAME##_##BITS(all, _mm_shuffle_epi32(all, 0xB1));                                                            \
    if (BITS == 16) all = NAME##_##BITS(all, turned(all));                                                             \
    results[segment] = (uint##BITS##_t)_mm_cvtsi128_si32(all);                                                         \
    continue;                                                                                                          \
  }

#else

#define VECTORS(NAME, BITS, LANES)

#endif

#define DEFINE_EXTREMES(FUNCTION, NAME, IS, BITS, LANES)                                                               \
  void FUNCTION(const uint##BITS##_t *lanes, const long *bounds, long count, uint32_t *results) {                      \
    for (long segment = 0; segment < count; segment++) {                                                               \
      long row = bounds[segment], end = bounds[segment + 1];                                                           \
      VECTORS(NAME, BITS, LANES)                                                                                       \
      uint32_t result = lanes[row];                                                                                    \
      for (row++; row < end; row++) result = lanes[row] IS result ? lanes[row] : result;                               \
      results[segment] = result;                                                                                       \
    }                                                                                                                  \
  }
DEFINE_EXTREMES(quoin_minima_16, smaller, <, 16, 8)
DEFINE_EXTREMES(quoin_maxima_16, larger, >, 16, 8)
DEFINE_EXTREMES(quoin_minima_32, smaller, <, 32, 4)
DEFINE_EXTREMES(quoin_maxima_32, larger, >, 32, 4)

// Sums. 1,024 offsets of 16 bits add up in 32 bits.

static inline uint32_t sum_of_bytes(const uint8_t *bytes, long row, long end) {
  uint32_t sum = 0;
#if defined(__SSE2__)
  const __m128i zero = _mm_setzero_si128();
  __m128i sums = zero;
  for (; row + 16 <= end; row += 16) sums = _mm_add_epi32(sums, _mm_sad_epu8(load(bytes + row), zero));
  if (row + 8 <= end) {
    sums = _mm_add_epi32(sums, _mm_sad_epu8(_mm_loadl_epi64((const __m128i *)(bytes + row)), zero));
    row += 8;
  }
  sum = (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4E)));
#endif
  for (; row < end; row++) sum += bytes[row];
  return sum;
}

static inline uint32_t pair(const uint8_t *bytes, long row) {
  return bytes[2 * row] | (uint32_t)bytes[2 * row + 1] << 8;
}

static inline uint32_t sum_of_pairs(const uint8_t *bytes, long row, long end) {
  uint32_t sum = 0;
#if defined(__SSE2__)
  const __m128i low = _mm_set1_epi32(0xFFFF);
  __m128i sums = _mm_setzero_si128();
  for (; row + 8 <= end; row += 8) {
    __m128i pairs = load(bytes + 2 * row);
    sums = _mm_add_epi32(sums, _mm_add_epi32(_mm_and_si128(pairs, low), _mm_srli_epi32(pairs, 16)));
  }
  if (row + 4 <= end) {
    __m128i pairs = _mm_loadl_epi64((const __m128i *)(bytes + 2 * row));
    sums = _mm_add_epi32(sums, _mm_add_epi32(_mm_and_si128(pairs, low), _mm_srli_epi32(pairs, 16)));
    row += 4;
  }
  sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4E));
  sum = (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0xB1)));
#endif
  for (; row < end; row++) sum += pair(bytes, row);
  return sum;
}

static inline uint64_t sum_of_words(const uint8_t *bytes, long row, long end) {
  uint64_t sum = 0;
  for (; row < end; row++) sum += pair(bytes, 2 * row) | pair(bytes, 2 * row + 1) << 16;
  return sum;
}

#define DEFINE_SUMS(N, SUM)                                                                                            \
  void quoin_sums_##N(const uint8_t *payload, int rows, const long *bounds, long count, uint64_t *sums) {              \
    for (long segment = 0; segment < count; segment++) {                                                               \
      long row = bounds[segment], end = bounds[segment + 1];                                                           \
      sums[segment] = SUM;                                                                                             \
    }                                                                                                                  \
  }
DEFINE_SUMS(1, sum_of_bytes(payload, row, end))
DEFINE_SUMS(2, sum_of_pairs(payload, row, end))
DEFINE_SUMS(3, sum_of_pairs(payload, row, end) + ((uint64_t)sum_of_bytes(payload + 2 * rows, row, end) << 16))
DEFINE_SUMS(4, sum_of_words(payload, row, end))
