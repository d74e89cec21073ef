#ifndef QUOIN_SELECTED_H
#define QUOIN_SELECTED_H

#include <stdint.h>

// Sums over the rows of a scaled payload that a mask selects: row r is bit r % 64 of word r / 64. `rows` is the number of rows
// of the payload, at most 1,024, and the mask has no bits beyond. Offsets have `width` bytes, 1 to 4, laid out as in range.h.
//
// This is in C because these loops use AVX2 if the processor has it, and are then twice as fast as on the baseline's
// registers, which Swift uses.

// The sum of the offsets.
uint64_t quoin_selected_sum(const uint8_t *payload, int width, int rows, const uint64_t *mask);

// The sum of the integers n = base + offset * step, which lie between 0 and 2^24. `rest` becomes the sum of the differences
// between the rounded values n * high + n * low and n * high, which is exact.
int64_t quoin_selected_rest(const uint8_t *payload, int width, int rows, const uint64_t *mask, int32_t base,
                            int32_t step, double high, double low, double *rest);

#endif
