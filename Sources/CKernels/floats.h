#ifndef QUOIN_FLOATS_H
#define QUOIN_FLOATS_H

#include "dispatch.h"

#include <stdint.h>
#include <string.h>

// Eight float32s, and the signs of what a comparison of them gives.
typedef float floats8 __attribute__((vector_size(32)));
typedef int32_t masks8 __attribute__((vector_size(32)));
typedef _Bool bits8 __attribute__((ext_vector_type(8)));

INLINE uint64_t bits(const masks8 *held) {
  bits8 packed = __builtin_convertvector(*held, bits8);
  uint8_t byte;
  memcpy(&byte, &packed, sizeof byte);
  return byte;
}

#endif
