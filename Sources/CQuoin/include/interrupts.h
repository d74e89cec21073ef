/* Questions that SIGINT gives up. */
#ifndef QUOIN_INTERRUPTS_H
#define QUOIN_INTERRUPTS_H

#include <stdint.h>

/*
 * From now on SIGINT gives up the question of this number, which isn't 0, and then does what the program does on it. Returns 0, and
 * changes nothing, when this isn't the program's first thread, or the program doesn't handle SIGINT.
 */
int quoin_interrupts_begin(uint64_t question);

/* SIGINT does what it did before. */
void quoin_interrupts_end(void);

/* Whether the question was given up. */
int quoin_is_interrupted(uint64_t question);

#endif
