/* Tickers that a table keeps in memory. */
#ifndef QUOIN_SQLITE_KEPT_H
#define QUOIN_SQLITE_KEPT_H

#include "answer.h"
#include "table.h"

/* Some columns of a ticker, as one batch in order of days. */
typedef struct kept {
  answer answer;
  /* The bits of the columns; 0 before they were read. */
  int columns;
  int places[COLUMN_COUNT];
  int64_t byte_count;
  /* How many cursors read it. */
  int user_count;
  int is_too_long;
} kept;

/* The columns of a ticker, by its place in the snapshot, once it is asked for again; otherwise NULL. */
kept *keep_ticker(table *table, size_t ticker, int columns);

/* The first row on a day or after it. */
int64_t first_row_from(const kept *kept, int day);

/* Frees the tickers that no cursor reads. */
void forget_tickers(table *table);

/* Frees all of them, which no cursor reads. */
void free_tickers(table *table);

#endif
