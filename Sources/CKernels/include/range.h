#ifndef QUOIN_RANGE_H
#define QUOIN_RANGE_H

#include <stdint.h>

// Sets the bits of the rows `first` ..< `end` of a scaled payload whose offsets lie between `lower` and `lower + span`. In
// `mask`, row r is bit r % 64 of word r / 64; other bits don't change. `rows` is the number of rows of the payload, and `end`
// is at most that. Nothing outside the payload is read.
//
// This is in C because Swift's SIMD types don't lead to the instruction that gathers the lanes' signs into bits.

// Offsets of 1, 2 and 4 bytes, little-endian.
void quoin_range_1(const uint8_t *payload, int rows, int first, int end, uint32_t lower, uint32_t span, uint64_t *mask);
void quoin_range_2(const uint8_t *payload, int rows, int first, int end, uint32_t lower, uint32_t span, uint64_t *mask);
void quoin_range_4(const uint8_t *payload, int rows, int first, int end, uint32_t lower, uint32_t span, uint64_t *mask);
// Offsets of 3 bytes: the low two of every row, then the high one of every row.
void quoin_range_3(const uint8_t *payload, int rows, int first, int end, uint32_t lower, uint32_t span, uint64_t *mask);

#endif
