/* Lines that are typed on a terminal, with libedit. Of one thread. */
#ifndef QUOIN_LINE_EDITOR_H
#define QUOIN_LINE_EDITOR_H

/* What is offered at a place of a line. */
enum { LINE_WORDS, LINE_NAMES, LINE_COMMANDS, LINE_LIST_COUNT };

/*
 * Sets what the tab key completes: words of the language; what stands in quotes; commands, which begin a line and of which the first
 * character is a dot. The list ends with NULL and is copied.
 */
void line_complete_with(int list, const char *const *words);

/* Reads the history from a file, and keeps at most `max` entries from then on. */
void line_begin_history(const char *path, int max);

/* Adds an entry, and writes the history to a file. */
void line_remember(const char *entry, const char *path);

/*
 * Reads a line, which the caller frees. NULL at the end of the input, and after Ctrl-C, where *is_cancelled is 1.
 */
char *line_read(const char *prompt, int *is_cancelled);

/* What Ctrl-C calls while no line is read; NULL for the signal's default. Only what a signal's handler may do. */
void line_on_interrupt(void (*handler)(void));

#endif
