#include "guard.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// The guards are a list that only grows, so the handler can go through it whatever it has interrupted. A guard that was removed
// stays in it with the start 0, and is used again.
struct quoin_guard {
  _Atomic(uintptr_t) start;
  _Atomic(size_t) count;
  atomic_int is_used;
  atomic_int has_lost;
  quoin_guard *next;
};

static _Atomic(quoin_guard *) guards;
static atomic_int is_installed;
static struct sigaction earlier;

// The guard of an address, or NULL.
static quoin_guard *guard_of(uintptr_t address) {
  for (quoin_guard *guard = atomic_load(&guards); guard; guard = guard->next) {
    uintptr_t start = atomic_load(&guard->start);
    size_t count = atomic_load(&guard->count);
    // The same start again: the count is that of this start.
    if (start && address >= start && address - start < count && atomic_load(&guard->start) == start) return guard;
  }
  return NULL;
}

// Puts zeros in the place of the mapping that has the address; 0 if it isn't guarded.
static int replace(uintptr_t address) {
  quoin_guard *guard = guard_of(address);
  if (!guard) return 0;
  // First: who sees a zero must be able to see why.
  atomic_store(&guard->has_lost, 1);
  void *start = (void *)atomic_load(&guard->start);
  return mmap(start, atomic_load(&guard->count), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == start;
}

// Does what would have happened without this handler.
static void pass_on(int signal, siginfo_t *info, void *context) {
  if (earlier.sa_flags & SA_SIGINFO) return earlier.sa_sigaction(signal, info, context);
  if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) return earlier.sa_handler(signal);
  // A signal that somebody sent may be ignored, a fault can't be.
  if (earlier.sa_handler == SIG_IGN && info->si_code <= 0) return;
  struct sigaction standard;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, NULL);
  // A fault happens again after the return; what was sent does not.
  if (info->si_code <= 0) raise(signal);
}

static void handle(int signal, siginfo_t *info, void *context) {
  int error = errno;
  // The page is not there: an address of memory that failed would be another code.
  if (info->si_code != BUS_ADRERR || !replace((uintptr_t)info->si_addr)) pass_on(signal, info, context);
  errno = error;
}

void quoin_guard_install(void) {
  if (atomic_exchange(&is_installed, 1)) return;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, NULL, &earlier);
  sigaction(SIGBUS, &action, NULL);
}

int quoin_guard_is_installed(void) { return atomic_load(&is_installed); }

// A guard that nobody uses: one that was removed, or a new one.
static quoin_guard *unused_guard(void) {
  for (quoin_guard *guard = atomic_load(&guards); guard; guard = guard->next) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&guard->is_used, &expected, 1)) return guard;
  }
  quoin_guard *guard = calloc(1, sizeof *guard);
  if (!guard) return NULL;
  atomic_store(&guard->is_used, 1);
  guard->next = atomic_load(&guards);
  while (!atomic_compare_exchange_weak(&guards, &guard->next, guard)) {}
  return guard;
}

quoin_guard *quoin_guard_add(const void *start, size_t count) {
  quoin_guard *guard = unused_guard();
  if (!guard) return NULL;
  atomic_store(&guard->has_lost, 0);
  atomic_store(&guard->count, count);
  atomic_store(&guard->start, (uintptr_t)start);
  return guard;
}

int quoin_guard_has_lost(const quoin_guard *guard) { return atomic_load(&guard->has_lost); }

void quoin_guard_remove(quoin_guard *guard) {
  atomic_store(&guard->start, 0);
  atomic_store(&guard->is_used, 0);
}
