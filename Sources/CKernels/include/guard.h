#ifndef QUOIN_GUARD_H
#define QUOIN_GUARD_H

#include <stddef.h>

// Mapped files whose end somebody may cut off. To read a page behind the new end raises SIGBUS, which ends a process. The
// handler that is installed here puts zeros in the place of the whole mapping, and notes it. A fault anywhere else goes to the
// handler that was there before.
//
// This is in C because a handler may interrupt anything, and Swift has no functions that are safe then.

// A mapping that is guarded.
typedef struct quoin_guard quoin_guard;

// Installs the handler, once.
void quoin_guard_install(void);
int quoin_guard_is_installed(void);

// Guards the `count` bytes from `start` on, a whole mapping for reading. NULL if there is no memory.
quoin_guard *quoin_guard_add(const void *start, size_t count);
// Whether zeros are in the place of the mapping.
int quoin_guard_has_lost(const quoin_guard *guard);
// Ends the guard, which must happen before the mapping ends. `guard` can't be used any more.
void quoin_guard_remove(quoin_guard *guard);

#endif
