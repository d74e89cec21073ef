#ifndef QUOIN_SEGMENTS_H
#define QUOIN_SEGMENTS_H

#include <stdint.h>

// Measures a scaled payload by segments of rows. Segment s has the rows `bounds[s]` ..< `bounds[s + 1]`, at least one.
// Nothing outside these rows is read.
//
// This is in C because segments are short (a month has 21 rows). There the machine's own minimum, sum of bytes and shuffle,
// which Swift's SIMD types don't lead to, gain more than in long loops.

// The smallest or the largest of each segment's lanes.
void quoin_minima_16(const uint16_t *lanes, const long *bounds, long count, uint32_t *minima);
void quoin_maxima_16(const uint16_t *lanes, const long *bounds, long count, uint32_t *maxima);
void quoin_minima_32(const uint32_t *lanes, const long *bounds, long count, uint32_t *minima);
void quoin_maxima_32(const uint32_t *lanes, const long *bounds, long count, uint32_t *maxima);

// The sum of each segment's offsets of 1, 2, 4 bytes, little-endian, or of 3: the low two of every row, then the high one
// of every row. `rows` is the number of rows of the payload, at most 1,024.
void quoin_sums_1(const uint8_t *payload, int rows, const long *bounds, long count, uint64_t *sums);
void quoin_sums_2(const uint8_t *payload, int rows, const long *bounds, long count, uint64_t *sums);
void quoin_sums_3(const uint8_t *payload, int rows, const long *bounds, long count, uint64_t *sums);
void quoin_sums_4(const uint8_t *payload, int rows, const long *bounds, long count, uint64_t *sums);

#endif
