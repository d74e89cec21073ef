#ifndef QUOIN_WINDOW_ROWS_H
#define QUOIN_WINDOW_ROWS_H

#include "dispatch.h"
#include "windows.h"

#include <math.h>
#include <stddef.h>

// A sum of a product is rounded once where FUSE says so, in software if need be, and nowhere else.
#define FUSE(a, b, sum) __builtin_elementwise_fma(a, b, sum)

// Eight rows side by side, in Clang's vector types, which use the registers that the processor has.
typedef double rows8 __attribute__((vector_size(64)));
typedef int64_t masks8 __attribute__((vector_size(64)));
typedef double rows8_anywhere __attribute__((vector_size(64), aligned(8), may_alias));

#define LOAD(address) (*(const rows8_anywhere *)(address))
#define STORE(address, value) (*(rows8_anywhere *)(address) = (value))
#define ALL(number) ((rows8){0} + (number))

// Clears the rows that a mask doesn't have, or takes others instead.
#define WHERE(mask, value) ((rows8)((masks8)(value) & (mask)))
#define CHOOSE(mask, value, other) ((rows8)(((masks8)(value) & (mask)) | ((masks8)(other) & ~(mask))))
#define MAGNITUDE(value) ((rows8)((masks8)(value) & INT64_MAX))

// What isn't finite is missing.
#define IF_FINITE(value) CHOOSE(MAGNITUDE(value) < INFINITY, value, ALL(NAN))

INLINE int any(const masks8 *mask) {
  int64_t all = 0;
  for (int row = 0; row < 8; row++) all |= (*mask)[row];
  return all != 0;
}

// Calls a loop twice: where values are missing, and where none is, which is faster.
#define BY_MISSING(CALL)                                                                                               \
  if (tile->has_missing) {                                                                                             \
    const int has_missing = 1;                                                                                         \
    CALL;                                                                                                              \
  } else {                                                                                                             \
    const int has_missing = 0;                                                                                         \
    CALL;                                                                                                              \
  }

#endif
