#ifndef QUOIN_FLOATS_H
#define QUOIN_FLOATS_H

#include "dispatch.h"

#include "offsets.h"

// Eight float32s, and the signs of what a comparison of them gives.
typedef float floats8 __attribute__((vector_size(32)));
typedef int32_t masks8 __attribute__((vector_size(32)));
typedef _Bool bits8 __attribute__((ext_vector_type(8)));
typedef _Bool bits32 __attribute__((ext_vector_type(32)));

INLINE uint64_t bits(const masks8 *held) {
  bits8 packed = __builtin_convertvector(*held, bits8);
  uint8_t byte;
  memcpy(&byte, &packed, sizeof byte);
  return byte;
}

// The lanes in which two vectors are equal.
INLINE uint32_t equal_bits(const pairs32 *x, const pairs32 *y) {
  bits32 packed = __builtin_convertvector(*x == *y, bits32);
  uint32_t word;
  memcpy(&word, &packed, sizeof word);
  return word;
}

#endif
