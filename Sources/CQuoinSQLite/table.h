/* What the files of the SQLite modules share. */
#ifndef QUOIN_SQLITE_TABLE_H
#define QUOIN_SQLITE_TABLE_H

#include "quoin.h"
#include <sqlite3ext.h>

enum { TICKER, DATE, OPEN, HIGH, LOW, CLOSE, VOLUME, EX_DIVIDEND };

/* count */
enum { COLUMN_COUNT = 14 };
/* end */

/* The names of the columns, which are those of Quoin's language too. */
extern const char *const column_names[COLUMN_COUNT];

/* The same as SQLite declares them. */
/* columns */
#define QUOTE_COLUMNS \
  "ticker text, " \
  "date text, " \
  "open real, " \
  "high real, " \
  "low real, " \
  "close real, " \
  "volume integer, " \
  "ex_dividend real, " \
  "split_ratio real, " \
  "adj_open real, " \
  "adj_high real, " \
  "adj_low real, " \
  "adj_close real, " \
  "adj_volume real"
/* end */

/* The language's own spelling, which only a name in double quotes can have: a hidden column, so that `select *` has it once. */
#define SPELLED_COLUMN "\"ex-dividend\" real hidden"

/* A store that a connection has open, once however many tables ask it. Its snapshot stays the same while a cursor is open. */
typedef struct source {
  struct source *next;
  char *path;
  int user_count, cursor_count;
  quoin_store *store;
  uint64_t generation;
  /* The snapshot's tickers, in ascending order of bytes, which is SQLite's order BINARY. */
  const char **tickers;
  size_t ticker_count;
  int64_t row_count;
} source;

struct kept;

/* A store as a table. */
typedef struct table {
  sqlite3_vtab base;
  struct connection *connection;
  struct table *next;
  char *name;
  source *source;
  /* For each ticker of a snapshot what was asked of it, if anything (kept.c), and the bytes of all. */
  struct kept **kept;
  size_t kept_count;
  uint64_t kept_generation;
  int64_t kept_bytes;
} table;

struct function;

/* What the modules of a connection share. */
typedef struct connection {
  sqlite3 *database;
  /* What each question may take; 0 for the usual limit. */
  double question_seconds;
  uint64_t question_megabytes;
  source *sources;
  table *tables;
  int module_count;
  /* What each function's module is told. */
  struct function_module {
    struct connection *connection;
    const struct function *function;
  } functions[3];
} connection;

/* Called once for each module of a connection that closes. */
void release_connection(void *connection);

/* The function quoin_limit_questions(seconds, megabytes): for all stores of the connection. */
void limit_questions(sqlite3_context *result, int count, sqlite3_value **values);

/* Opens the store that a text names, a table of this connection or a path. The caller closes it with close_source(). */
int open_source(connection *connection, const char *text, source **opened, char **message);

void close_source(connection *connection, source *source);

/* Counts a cursor. For the first one the newest commit is shown. */
int begin_reading(source *source, char **message);

/* Moves the sentence of an error to where SQLite looks for it. */
int failed(char **message, quoin_error *error);

/* An argument of a module without its quotes, which the caller frees. */
char *unquoted(const char *text);

/*
 * A plan is a number, whose bits are the columns that a statement uses and these, and the text of the conditions. COUNTING: all columns
 * stand in conditions that the store takes over, so that most likely no cell of them will be asked for, as in count(*). ONE_TICKER: the
 * rows come in the order that is asked for because they are of one ticker.
 */
enum { NEWEST_FIRST = 1 << 20, COUNTING = 1 << 21, ONE_TICKER = 1 << 22 };

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

/* Lists the columns whose bits are set and their places; the ticker and the day, which number a row, come first. The caller frees it. */
char *list_columns(int columns, int places[COLUMN_COUNT]);

/* Whether SQLite compares the texts of a condition byte by byte, as the store does. */
int is_binary(sqlite3_index_info *info, int i);

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

/* Days since 1970-01-01. */
int day_number(int year, int month, int day);

/* Writes a day as YYYY-MM-DD and a zero. */
void write_day(int day, char text[11]);

/* The place of a ticker that is equal to a value; -1 if there is none. */
int place_of_ticker(const source *source, sqlite3_value *value);

/* So many conditions of numbers are always told to the store. */
enum { EXACT_MAX = 64 };

/* Whether a value is a number that Quoin's language has as it is. */
int is_number(sqlite3_value *value);

/* Reads the values of a plan into a selection, whose `tickers` has a place for each ticker. Returns a code of SQLite's. */
int select_rows(const source *source, const char *conditions, int count, sqlite3_value **values, selection *rows);

/* Adds the modules of the functions to a connection. */
int add_functions(sqlite3 *database, connection *connection);

/* Adds the aggregates that SQLite lacks, unless the connection has functions of these names. */
int add_statistics(sqlite3 *database);

#endif
