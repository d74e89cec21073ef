#ifndef QUOIN_PREFETCH_H
#define QUOIN_PREFETCH_H

// Asks the processor to fetch the 64 bytes around `address`, which need not be mapped. Swift has no word for it.
static inline void quoin_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
