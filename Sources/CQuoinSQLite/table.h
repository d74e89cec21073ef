/* What the files of the SQLite module share. */
#ifndef QUOIN_SQLITE_TABLE_H
#define QUOIN_SQLITE_TABLE_H

#include "quoin.h"
#include <sqlite3ext.h>

enum { TICKER, DATE, OPEN, HIGH, LOW, CLOSE, VOLUME, COLUMN_COUNT = 14 };

/* The names of the columns, which are those of Quoin's language too. */
extern const char *const column_names[COLUMN_COUNT];

/* A store as a table. Its snapshot stays the same while a cursor is open. */
typedef struct table {
  sqlite3_vtab base;
  quoin_store *store;
  int cursor_count;
  uint64_t generation;
  /* The snapshot's tickers, in ascending order of bytes, which is SQLite's order BINARY. */
  const char **tickers;
  size_t ticker_count;
  int64_t row_count;
} table;

/* A plan is a number, whose bits are the columns that a statement uses and this one, and the text of the conditions. */
enum { NEWEST_FIRST = 1 << 20 };

/* A comparison of a column as SQLite numbers it, and as the text of a plan has it. */
typedef struct comparison {
  int code;
  const char *text;
  /* The same in Quoin's language, for numbers. */
  const char *sign;
} comparison;

/* SQLite has no number for a list. */
enum { IN_LIST = 1000 };

/* The comparison that a number stands for; NULL for others. */
const comparison *comparison_of_code(int code);

/* The comparison that a text begins with; NULL if it begins with none. */
const comparison *comparison_of_text(const char *text);

int plan_scan(sqlite3_vtab *base, sqlite3_index_info *info);

/* Which rows of a snapshot a plan and its values select. The rows may be more than SQLite asks for, never fewer. */
typedef struct selection {
  /* No row meets the conditions. */
  int is_empty;
  /* For each ticker, whether it is selected. */
  unsigned char *tickers;
  /* Days since 1970-01-01, the last one included. */
  int first_day, last_day;
  /* The other conditions, in Quoin's language. */
  sqlite3_str *where;
} selection;

/* The calendar of Quoin. */
enum { EARLIEST_DAY = -719162, LATEST_DAY = 2932896 };

/* Writes a day as YYYY-MM-DD and a zero. */
void write_day(int day, char text[11]);

/* Reads the values of a plan into a selection, whose `tickers` has a place for each ticker. Returns a code of SQLite's. */
int select_rows(const table *table, const char *conditions, int count, sqlite3_value **values, selection *rows);

#endif
