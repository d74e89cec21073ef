#include "interrupts.h"

#include <signal.h>
#include <stdatomic.h>

#ifdef __APPLE__
#include <pthread.h>

static int is_first_thread(void) { return pthread_main_np(); }
#else
#include <sys/syscall.h>
#include <unistd.h>

static int is_first_thread(void) { return syscall(SYS_gettid) == getpid(); }
#endif

/* Only the first thread changes these two and the handler, so two questions never wait for SIGINT at once. */
static _Atomic(uint64_t) asked, interrupted;
static struct sigaction earlier;

static void handle(int number, siginfo_t *info, void *context) {
  // Before the question ends, so that the program knows of the signal when it does.
  if (earlier.sa_flags & SA_SIGINFO) earlier.sa_sigaction(number, info, context); else earlier.sa_handler(number);
  atomic_store(&interrupted, atomic_load(&asked));
}

static int is_ours(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

int quoin_interrupts_begin(uint64_t question) {
  struct sigaction found;
  if (!is_first_thread() || sigaction(SIGINT, NULL, &found) != 0 || is_ours(&found)) return 0;
  if (!(found.sa_flags & SA_SIGINFO) && (found.sa_handler == SIG_DFL || found.sa_handler == SIG_IGN)) return 0;
  earlier = found;
  found.sa_sigaction = handle;
  found.sa_flags |= SA_SIGINFO;
  atomic_store(&asked, question);
  return sigaction(SIGINT, &found, NULL) == 0;
}

void quoin_interrupts_end(void) {
  struct sigaction found;
  // Whoever has set another handler meanwhile keeps it.
  if (sigaction(SIGINT, NULL, &found) == 0 && is_ours(&found)) sigaction(SIGINT, &earlier, NULL);
  atomic_store(&asked, 0);
}

int quoin_is_interrupted(uint64_t question) { return atomic_load_explicit(&interrupted, memory_order_relaxed) == question; }
