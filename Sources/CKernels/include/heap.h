#ifndef QUOIN_HEAP_H
#define QUOIN_HEAP_H

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Has malloc give pieces of 128 KiB and more back to the system as soon as they are freed. Swift's Glibc has no mallopt.
//
// By itself, glibc takes the size of each large piece that is freed for a usual one from then on, and keeps such pieces in the
// heaps of the threads that freed them (mallopt(3), "dynamic mmap threshold").
static inline void quoin_give_back_large_pieces(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

#endif
