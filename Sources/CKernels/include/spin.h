#ifndef QUOIN_SPIN_H
#define QUOIN_SPIN_H

// Tells the processor that a loop waits for another thread. Swift has no public function for it.
static inline void quoin_spin_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

#endif
