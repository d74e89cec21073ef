#ifndef QUOIN_UNSCALE_H
#define QUOIN_UNSCALE_H

#include <stdint.h>

// The values of all rows of a scaled payload. Offsets have `width` bytes, 1 to 3, laid out as in range.h. The integers n = base +
// offset * step lie between -2^32 and 2^32; a value is n * high + n * low, rounded once, as `Reciprocal` says.
//
// This is in C because the loop uses AVX2 if the processor has it.
void quoin_unscale(const uint8_t *payload, int width, int rows, double base, double step, double high, double low, double *values);

#endif
