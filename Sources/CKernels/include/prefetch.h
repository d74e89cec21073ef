#ifndef QUOIN_PREFETCH_H
#define QUOIN_PREFETCH_H

// Asks the processor to fetch the 64 bytes around `address`, which needn't be mapped. Swift has no function for it.
static inline void quoin_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
