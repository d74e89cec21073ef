#ifndef QUOIN_SELECTED_H
#define QUOIN_SELECTED_H

#include <stdint.h>

// Sums over the rows of a scaled payload that a mask selects, row r's bit being bit r % 64 of word r / 64. `rows` is the
// number of rows of the payload, at most 1,024, and the mask has no bits beyond. Offsets have `width` bytes, 1 to 4, and lie
// as range.h says.
//
// In C because these loops run on AVX2 where the processor has it: twice as fast as on the registers that Swift counts on.

// The sum of the offsets.
uint64_t quoin_selected_sum(const uint8_t *payload, int width, int rows, const uint64_t *mask);

// The sum of the integers n = base + offset * step, which lie between 0 and 2^24; and in `rest` the sum of what the values
// n * high + n * low, rounded, have more than n * high, which is exact.
int64_t quoin_selected_rest(const uint8_t *payload, int width, int rows, const uint64_t *mask, int32_t base,
                            int32_t step, double high, double low, double *rest);

#endif
