#ifndef QUOIN_DISPATCH_H
#define QUOIN_DISPATCH_H

// Results have the same bits on every processor, so the compiler has no choice of where to round.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

// Defines quoin_NAME(PARAMETERS), which calls NAME_loop(ARGUMENTS) compiled for the processor's registers.
#if defined(__x86_64__) && !(defined(__AVX2__) && defined(__FMA__))
#define HAS_AVX2 (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#define DEFINE(RESULT, NAME, PARAMETERS, ARGUMENTS)                                                                    \
  __attribute__((target("avx2,fma"))) static RESULT NAME##_avx2 PARAMETERS { return NAME##_loop ARGUMENTS; }           \
  static RESULT NAME##_base PARAMETERS { return NAME##_loop ARGUMENTS; }                                               \
  RESULT quoin_##NAME PARAMETERS { return HAS_AVX2 ? NAME##_avx2 ARGUMENTS : NAME##_base ARGUMENTS; }
#else
#define DEFINE(RESULT, NAME, PARAMETERS, ARGUMENTS)                                                                    \
  RESULT quoin_##NAME PARAMETERS { return NAME##_loop ARGUMENTS; }
#endif

#endif
