#ifndef QUOIN_OFFSETS_H
#define QUOIN_OFFSETS_H

#include "dispatch.h"

#include <stdint.h>
#include <string.h>

// The offsets of a scaled payload, one or eight at a time, laid out as in include/range.h. Eight are in the vector types of Clang
// and GCC, which use the registers that the processor has.
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint16_t pairs8 __attribute__((vector_size(16)));
typedef int32_t lanes8 __attribute__((vector_size(32)));
typedef double doubles8 __attribute__((vector_size(64)));
typedef uint16_t pairs32 __attribute__((vector_size(64)));

INLINE uint32_t offset(const uint8_t *payload, int width, int rows, int row) {
  switch (width) {
  case 1: return payload[row];
  case 2: return payload[2 * row] | (uint32_t)payload[2 * row + 1] << 8;
  case 3: return payload[2 * row] | (uint32_t)payload[2 * row + 1] << 8 | (uint32_t)payload[2 * rows + row] << 16;
  default: break;
  }
  const uint8_t *bytes = payload + 4 * row;
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// Vectors are passed through pointers, because passing them by value depends on the processor's registers. On a big-endian
// processor they aren't used.
#define IS_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

INLINE void load_bytes(const uint8_t *bytes, lanes8 *lanes) {
  bytes8 loaded;
  memcpy(&loaded, bytes, sizeof loaded);
  *lanes = __builtin_convertvector(loaded, lanes8);
}

INLINE void load_pairs(const uint8_t *bytes, lanes8 *lanes) {
  pairs8 loaded;
  memcpy(&loaded, bytes, sizeof loaded);
  *lanes = __builtin_convertvector(loaded, lanes8);
}

// Eight offsets of 1 to 3 bytes.
INLINE void load(const uint8_t *payload, int width, int rows, int row, lanes8 *lanes) {
  if (width == 1) {
    load_bytes(payload + row, lanes);
    return;
  }
  load_pairs(payload + 2 * row, lanes);
  if (width == 3) {
    lanes8 high;
    load_bytes(payload + 2 * rows + row, &high);
    *lanes |= high << 16;
  }
}

#endif
