#ifndef QUOIN_RANGE_H
#define QUOIN_RANGE_H

#include <stdint.h>

// Which of the rows `first` ..< `end` of a scaled payload have offsets from `lower` to `lower + span`: their bits are set
// in `mask`, row r's being bit r % 64 of word r / 64, and other bits are left as they are. `rows` is the number of rows
// of the payload, `end` at most that. Nothing outside the payload is read.
//
// In C for one instruction that Swift's SIMD types don't lead to: the one that gathers the lanes' signs into bits.

// Offsets of 1, 2 and 4 bytes, little-endian.
void quoin_range_1(const uint8_t *payload, int rows, int first, int end, uint32_t lower, uint32_t span, uint64_t *mask);
void quoin_range_2(const uint8_t *payload, int rows, int first, int end, uint32_t lower, uint32_t span, uint64_t *mask);
void quoin_range_4(const uint8_t *payload, int rows, int first, int end, uint32_t lower, uint32_t span, uint64_t *mask);
// Offsets of 3 bytes: the low two of every row, then the high one of every row.
void quoin_range_3(const uint8_t *payload, int rows, int first, int end, uint32_t lower, uint32_t span, uint64_t *mask);

#endif
