/*
 * Quoin for C: opens a store of daily stock quotes, asks it in Quoin's language, and gets answers as Arrow data.
 *
 *     quoin_error *error;
 *     quoin_store *store = quoin_open("quoin-store", QUOIN_READ_ONLY, &error);
 *     quoin_query query = {.size = sizeof query, .where = "80 < high < 83", .columns = "ticker, date, high"};
 *     struct ArrowArrayStream rows;
 *     if (quoin_scan(store, &query, &rows, &error) != QUOIN_OK) puts(quoin_error_message(error));
 *
 * Mistakes. A function that can fail returns a quoin_code, or NULL in place of what it makes. What went wrong it puts into
 * *error, unless `error` is NULL; free it with quoin_error_free(). Otherwise *error becomes NULL. NULL, a closed store, a text that
 * isn't in the language and a number out of range are mistakes too, and never end the process. Other pointers can't
 * be checked: they must point to valid memory.
 *
 * Ownership. What a function returns is yours, and its comment names the function that frees it. What you give it stays yours,
 * and may go as soon as the function returns. Streams, and the arrays and schemas that they hand out, are freed by their own
 * release callbacks. They need neither the store nor the stream that they come from: each may be closed or released first.
 *
 * Threads. Any thread may call any function, and several may share a store. A stream belongs to one thread at a time. Arrays and
 * schemas may be released by any thread. No thread is kept between two calls, so a process may fork.
 *
 * Signals. The library installs no handler. A store's files are mapped: if one of them becomes shorter while it is read,
 * the process gets SIGBUS. Quoin itself never changes a file that it has published.
 *
 * Texts are UTF-8 and end with a zero. They have at most 1 MiB.
 */
#ifndef QUOIN_H
#define QUOIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The Arrow C data interface: https://arrow.apache.org/docs/format/CDataInterface.html */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

/* The Arrow C stream interface: https://arrow.apache.org/docs/format/CStreamInterface.html */
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/* ---- The library ---- */

/* The version of this interface. Functions and fields are added to it; a change that breaks programs raises it. */
#define QUOIN_ABI 1

/* The QUOIN_ABI that the library was built with. */
uint32_t quoin_abi(void);

/* The library's version, such as "0.1.0". It is never freed. */
const char *quoin_version(void);

/* ---- Errors ---- */

/* What went wrong: a code and a sentence. */
typedef struct quoin_error quoin_error;

typedef enum quoin_code {
  QUOIN_OK = 0,
  /* An argument that is never right: NULL, a store that is closed, a struct of no known size, a number out of range. */
  QUOIN_MISUSE = 1,
  /* A text that isn't in Quoin's language, or is no date, no ticker, no period. */
  QUOIN_SYNTAX = 2,
  /* The store has no quotes of a ticker. */
  QUOIN_UNKNOWN_TICKER = 3,
  /* There is no store at the path. */
  QUOIN_NO_STORE = 4,
  /* The operating system refused. */
  QUOIN_IO = 5,
  /* Bytes of the store aren't what was written. */
  QUOIN_DAMAGED = 6,
  /* The store needs a newer version of Quoin. */
  QUOIN_UNSUPPORTED = 7,
  /* A question that has no answer: it looks ahead of the day as of which it is asked, or a sum is too large. */
  QUOIN_UNANSWERABLE = 8,
  /* Anything else. */
  QUOIN_OTHER = 9,
  /* Rows or files that can't be imported. */
  QUOIN_BAD_INPUT = 10,
  /* Another writer is at work. */
  QUOIN_LOCKED = 11,
  /* The store keeps no such snapshot. */
  QUOIN_UNKNOWN_SNAPSHOT = 12,
  /* A question took all of the time, or would hold more than the memory, that it may: see quoin_limit_questions(). */
  QUOIN_OVER_BUDGET = 13,
  /* A question was given up: see quoin_interrupt() and QUOIN_INTERRUPTIBLE. */
  QUOIN_INTERRUPTED = 14
} quoin_code;

/* The code; QUOIN_OK for NULL. */
quoin_code quoin_error_code(const quoin_error *error);

/*
 * What is wrong, where, and what would be right. One line, or three for a mistake in a text of the language: the message, the
 * text, and a caret below the place. It lives as long as the error. Empty for NULL.
 */
const char *quoin_error_message(const quoin_error *error);

/* Frees an error. NULL, and one that is freed already, are left alone. */
void quoin_error_free(quoin_error *error);

/* ---- Stores ---- */

/*
 * An open store. It shows a snapshot: answers don't change until quoin_refresh(), whatever others commit. A store is a number
 * and no address, so a call with a closed one is refused.
 */
typedef struct quoin_store quoin_store;

enum {
  /* The store must exist, and what writes is refused. */
  QUOIN_READ_ONLY = 0,
  /* The store must exist. */
  QUOIN_READ_WRITE = 1,
  /* The store need not exist; the first write makes it. */
  QUOIN_CREATE = 2
};

/*
 * Opens the store in the directory `path`. Readers lock nothing, and a writer locks the store only while it writes. The caller closes
 * it with quoin_close(). NULL after an error.
 */
quoin_store *quoin_open(const char *path, uint32_t flags, quoin_error **error);

/*
 * Opens `count` stores as one, which has the tickers of all. No ticker may be in two of them. It is only read. The caller closes it
 * with quoin_close(). NULL after an error.
 */
quoin_store *quoin_open_shards(const char *const *paths, size_t count, quoin_error **error);

/*
 * What each question to the store may take from now on: `seconds` of work, without the time that the caller takes for batches, and
 * `megabytes` (of 2^20 bytes) that it holds at once. 0 stands for the usual limit: an hour, and three quarters of the memory that the
 * process may use. A question that takes more is given up: QUOIN_OVER_BUDGET.
 */
quoin_code quoin_limit_questions(quoin_store *store, double seconds, uint64_t megabytes, quoin_error **error);

/*
 * Gives up the questions to the store that are asked already, those of its streams too: QUOIN_INTERRUPTED, within a tenth of a second.
 * Any thread may call it. Later questions are answered.
 */
quoin_code quoin_interrupt(quoin_store *store, quoin_error **error);

/* Closes a store. Streams that come from it go on. NULL, and a store that is closed already, are left alone. */
void quoin_close(quoin_store *store);

/*
 * Shows the newest commit from now on. `generation`, unless it is NULL, gets its number, which grows with each commit. Streams
 * keep the snapshot that they were made from.
 */
quoin_code quoin_refresh(quoin_store *store, uint64_t *generation, quoin_error **error);

/*
 * The tickers that have quotes, ascending: `*count` texts, and then a NULL. The list and its texts are one block, which the caller
 * frees with quoin_free(). NULL after an error.
 */
const char **quoin_tickers(quoin_store *store, size_t *count, quoin_error **error);

/*
 * The stores that this one is made of: two texts for each, its directory and its generation, in a list like that of quoin_tickers(). An
 * ordinary store is made of itself. Whoever opens each directory, and in it the generation by quoin_open_snapshot(), sees what this
 * store shows. NULL after an error.
 */
const char **quoin_shards(quoin_store *store, size_t *count, quoin_error **error);

/* Frees a list, or the text of quoin_explain(). Anything else is left alone. */
void quoin_free(const void *block);

/* ---- Snapshots ---- */

/* The names of the snapshots that the store keeps, oldest first, as a list like that of quoin_tickers(). NULL after an error. */
const char **quoin_snapshots(quoin_store *store, size_t *count, quoin_error **error);

/*
 * Opens a snapshot: by its name, or a generation that the store keeps by its number. It never changes and is only read. The caller
 * closes it with quoin_close(). NULL after an error.
 */
quoin_store *quoin_open_snapshot(quoin_store *store, const char *name, quoin_error **error);

/*
 * Keeps what the newest commit has under a name of 1 to 64 letters, digits, '.', '_' and '-', of which the first is a letter. It is
 * one commit and copies no quotes.
 */
quoin_code quoin_keep_snapshot(quoin_store *store, const char *name, quoin_error **error);

/* Forgets a snapshot. It is one commit. */
quoin_code quoin_drop_snapshot(quoin_store *store, const char *name, quoin_error **error);

/* ---- Questions ---- */

/* The ticker of each row is plain text, not a place in a dictionary. */
#define QUOIN_TICKERS_AS_TEXT 1u

/* Only the last row of each ticker that the query selects. For quoin_scan() alone. */
#define QUOIN_LATEST 2u

/*
 * Ctrl-C gives the question up: QUOIN_INTERRUPTED, if SIGINT comes while the first thread of a program that handles SIGINT waits for
 * the answer or the next batch. The program's own handler runs as well.
 */
#define QUOIN_INTERRUPTIBLE 4u

/* As a limit: no rows, so that an answer is its schema. */
#define QUOIN_NO_ROWS (-1)

/* fields */
/*
 * The fields of a question:
 *
 *     tickers       The tickers, with commas between them. "FDX,KO"; all without it
 *     let           Names for expressions and conditions, with ';' between them, which later ones and the other fields may use. "r = close / prev(close) - 1; calm = std(r, 20) < 0.01"
 *     where         A condition that rows meet. Of several, rows meet all. "high > 80 and low < 78"
 *     from          Rows of this day and later. 'last' is the newest day that there is, 'last - 30 days' or '-1y' one before it. "2005-01-03"
 *     to            Rows of this day and earlier, which may be 'last' and so on. "2005-12-30"
 *     as_of         The quotes as they were on this day: no later rows, and adjusted for the dividends and splits up to it. "2010-06-01"
 *     trust_splits  As of a day, count a split although the price doesn't move by it. "true"; false without it
 *     resample      Bars of this length in place of days. The other fields are asked of bars and their days. "week"
 *     bar_label     A bar's day: the ticker's last one in the period, or the period's last one in the calendar. "period-end"; last-row without it
 *     columns       Columns with commas between them, which may be computed. Later ones and conditions may use their names. "date, close, mean(close, 20) as ma"; all without it
 *     top           Only the first rows of each day, ticker, month or other groups among those selected, group by group, largest first, or with 'asc' smallest first. "3 by change(close) per day"
 *     latest        Only the last row of each ticker, of the days that are asked for, and of these the rows that meet the conditions. "true"; false without it
 *     by            Groups: by ticker, day, week, month, quarter, half-year, year, weekday, the values of an expression, or a list of them. A period by itself groups each ticker by it; 'month, all' puts all tickers together, and so does 'month(date)'. "year, weekday"; all rows are one group without it
 *     aggregates    Aggregates, or what is computed from them: count, min, max, sum, mean, median, quantile, std, first, last, argmax, argmin, distinct, share, vwap, weighted_mean, var, product, mad, skew, kurt, corr, cov, slope, r2. "mean(close), max(high) / min(low) as range"
 *     having        Only groups that meet this condition on aggregates. "count > 20"
 *     pivot         The values of the last key as columns: with 'year, ticker' a row for each year and a column for each ticker. "true"; false without it
 *     order         'asc' or 'desc': each ticker's rows by rising or falling date; or what all rows, or groups, are ordered by: date, ticker, keys of groups, names of columns, expressions, with commas between them, each with 'desc' from the largest on. "volume desc, date"; asc without it
 *     limit         At most so many rows, or groups. "10"
 *     offset        So many rows, or groups, are left out before the first one. "10"; 0 without it
 *     threads       At most so many threads. "1"; one for each processor, up to 8 without it
 */
/* end */

/* A field of a question, by its name and as a text: {"trust_splits", "true"}. */
typedef struct quoin_field {
  const char *name;
  const char *text;
} quoin_field;

/*
 * Which rows, and what of them. Set `size` to sizeof(quoin_query) and whatever else you don't need to zero. Later versions add
 * fields at the end; a library refuses fields that it doesn't know unless they are zero.
 */
typedef struct quoin_query {
  size_t size;

  /* `ticker_count` symbols, in whose order rows come. NULL for all tickers, ascending. The store must have each of them. */
  const char *const *tickers;
  size_t ticker_count;

  /* A condition, such as "high in [80, 83) and close > mean(close, 200)"; NULL for every row. */
  const char *where;

  /* The first and the last day, as YYYY-MM-DD; NULL for no bound. */
  const char *from;
  const char *to;

  /*
   * The quotes as they were on this day, YYYY-MM-DD, with the adjusted values of that day; NULL for all that there is. Prices that
   * don't move by a split are refused (QUOIN_UNANSWERABLE): they are adjusted for it already.
   */
  const char *as_of;

  /*
   * Bars of this length in place of days: "week", "month", "quarter", "half-year" or "year"; NULL for days. `bar_label` is which
   * day a bar has: "last-row", which NULL stands for, or "period-end".
   */
  const char *resample;
  const char *bar_label;

  /*
   * The columns, with commas between them: names, and what is computed with a name for it, such as
   * "ticker, date, close, close / prev(close) - 1 as r". NULL for ticker, date and all twelve values.
   */
  const char *columns;

  /* "desc" for each ticker's rows from the newest on; "volume desc" for all rows by what is computed. NULL is "asc". */
  const char *order;

  /* The largest number of rows. 0 is no limit; QUOIN_NO_ROWS is none. */
  int64_t limit;

  /* So many rows are left out before the first. */
  int64_t offset;

  /* At most so many threads; 0 for one for each processor, up to 8. */
  uint32_t threads;

  /* Of QUOIN_TICKERS_AS_TEXT, QUOIN_LATEST and QUOIN_INTERRUPTIBLE, or 0. */
  uint32_t flags;

  /*
   * Names for expressions and conditions, which later ones and the other texts may use, with ';' between them:
   * "r = close / prev(close) - 1; calm = std(r, 20) < 0.01". NULL for none.
   */
  const char *let;

  /* Only the first rows of each day among those selected, such as "3 by change(close) per day", largest first; NULL for all. */
  const char *top;

  /*
   * `field_count` further fields by their names. They may be any of a question, those of this struct and of quoin_groups too, so a
   * program that passes fields on doesn't need to know them; but each is given once: tickers ("FDX,KO"), let, where, from, to, as_of,
   * trust_splits, resample, bar_label, columns, top, latest, aggregates, by, having, pivot, order, limit, offset, threads. NULL for none.
   */
  const quoin_field *fields;
  size_t field_count;
} quoin_query;

/*
 * The rows that a query selects, as a stream of record batches. NULL in place of a query selects all.
 *
 * Nothing is read before the first batch is asked for, and nothing for the schema. A batch has 65,536 rows or up to a block of
 * 1,024 more; the last one has fewer. Columns are
 *
 *     ticker            dictionary of utf8 with int32 places, or utf8. All batches of all streams of a snapshot have one dictionary:
 *                       its tickers, ascending
 *     date              date32
 *     volume            int64; float64 in a store of which some volumes have a fraction
 *     everything else   float64
 *
 * Every field is nullable. A missing value is null and no value is NaN. There is a validity bitmap only where a value of the
 * batch is missing. Buffers are the memory that the scan wrote, on multiples of 64 bytes.
 *
 * A failure of get_next or get_schema is EINVAL for a mistake in the question, EIO for a store that can't be read; the stream's
 * get_last_error has the sentence, which lives as long as the stream. After a failure each call fails alike.
 *
 * `rows` is overwritten. After an error its release callback is NULL.
 */
quoin_code quoin_scan(quoin_store *store, const quoin_query *query, struct ArrowArrayStream *rows, quoin_error **error);

/* The number of rows that a query selects. Limit and offset count; columns and order don't. */
quoin_code quoin_count(quoin_store *store, const quoin_query *query, int64_t *count, quoin_error **error);

/* What is asked of groups of rows. Set `size` to sizeof(quoin_groups). */
typedef struct quoin_groups {
  size_t size;

  /* Aggregates and what is computed from them, such as "count, max(high) / min(low) as range". */
  const char *aggregates;

  /* "ticker", "month", "year, weekday", "month, all" ... as in `quoin scan --by`; NULL: all rows are one group. */
  const char *by;

  /* Only groups that meet this condition on aggregates, such as "count > 20 and range > 2"; NULL for all. */
  const char *having;
} quoin_groups;

/*
 * Aggregates of the rows that a query selects. The query's limit, offset and order apply to groups, and its columns are NULL.
 *
 * Everything is read before the function returns. Keys come first: ticker as in quoin_scan(), periods as date32 (their first days),
 * weekdays as int64, 1 for Monday. Counts and aggregates of whole volumes are int64, days of extremes date32, everything else
 * float64. A sum of volumes that an int64 doesn't hold is QUOIN_UNANSWERABLE.
 */
quoin_code quoin_aggregate(
    quoin_store *store, const quoin_query *query, const quoin_groups *groups, struct ArrowArrayStream *rows,
    quoin_error **error);

/*
 * The query's tickers in `part_count` parts of about equal numbers of rows, for workers that scan a part each. The list is like that
 * of quoin_tickers(), in the order of the query, part after part; `ends` is an array of `part_count` numbers: part i ends before place
 * ends[i], where the next one begins. A part may be empty. Free the list with quoin_free(). NULL after an error.
 */
const char **quoin_partitions(
    quoin_store *store, const quoin_query *query, size_t part_count, size_t *ends, quoin_error **error);

/* What is known of a question before a store is asked. Set `size` to sizeof(quoin_facts). */
typedef struct quoin_facts {
  size_t size;

  /* How many of an answer's first columns are keys of groups. */
  uint32_t key_count;

  /* 1 if quotes are compared with others of their day, so that parts of the tickers have other answers than all together; else 0. */
  uint32_t is_by_day;
} quoin_facts;

/* Reads a question, of rows if `groups` is NULL, and writes what is known of it. Needs no store. */
quoin_code quoin_inspect(
    const quoin_query *query, const quoin_groups *groups, quoin_facts *facts, quoin_error **error);

/*
 * How the rows of a query are found: the condition step by step, and what was read of how many blocks. It runs the query, without
 * its order, and discards the rows. A text of several lines for people, which later versions may word otherwise. Free it with
 * quoin_free(). NULL after an error.
 */
const char *quoin_explain(quoin_store *store, const quoin_query *query, quoin_error **error);

/*
 * What a user should know of an answer that is right, and perhaps not what was meant: how a text was read, or that a ticker is alone
 * among the quotes of each day. A line for each; an empty text when there is nothing to tell. `groups` is NULL for rows. Free the text
 * with quoin_free(). NULL after an error.
 */
const char *quoin_remarks(
    quoin_store *store, const quoin_query *query, const quoin_groups *groups, quoin_error **error);

/* ---- Comparing and checking ---- */

/*
 * What differs between two states, cell by cell, as a stream: two snapshots of a store, or two stores. A row for each day that only
 * one of them has, and one for each cell that differs. `rows` has the columns
 *
 *     ticker, change, attribute    utf8; change is "added", "removed" or "changed", and attribute is null unless it is "changed"
 *     date                         date32
 *     before, after                float64, null where missing and unless a cell has changed
 */
quoin_code quoin_diff(
    quoin_store *newer, quoin_store *older, struct ArrowArrayStream *rows, quoin_error **error);

/* How quotes are checked. Set `size` to sizeof(quoin_rules). NULL stands for zeros. */
typedef struct quoin_rules {
  size_t size;

  /* Rules with commas between them, such as "jump, zero-price"; NULL for all. `quoin check --help` says what breaks each. */
  const char *rules;

  /* By how many percent a price may differ from the close before; 0 for 40. */
  double jump;
} quoin_rules;

/*
 * Rows, and days without one, that look wrong. Of the query only tickers, from and to may be set. Everything is read before the
 * function returns. `rows` has the columns ticker (utf8), date (date32), rule and values (utf8), as `quoin check` lists them.
 */
quoin_code quoin_check(
    quoin_store *store, const quoin_query *query, const quoin_rules *rules, struct ArrowArrayStream *rows,
    quoin_error **error);

/* ---- Writing ---- */

/* How rows are stored. Set `size` to sizeof(quoin_write). NULL stands for zeros. */
typedef struct quoin_write {
  size_t size;

  /* Where the rows are from, for the store's records; NULL for "Arrow", and for the names of files. */
  const char *source;

  /* The ticker of all rows, for data without a column of tickers; NULL if there is one. */
  const char *ticker;

  /*
   * What becomes of a day that the store has: "update" changes the attributes that the row has, "fill" those of them that aren't
   * missing, "replace" all attributes, "keep" none. NULL is "update".
   */
  const char *mode;

  /* How many milliseconds to wait while another writer is at work. */
  uint32_t patience;

  /* At most so many threads; 0 for one for each processor, up to 8. */
  uint32_t threads;

  /*
   * What becomes of two rows with the same ticker and day and different values: "error" refuses all rows, with "last" the later one
   * counts. NULL is "error".
   */
  const char *on_duplicate;

  /*
   * What becomes of a stream's columns that aren't known: "error" refuses all rows and names the columns, "ignore" leaves the columns
   * out. NULL is "error". Those of files are left out.
   */
  const char *on_extra;
} quoin_write;

/* What a write did. Set `size` to sizeof(quoin_counts). */
typedef struct quoin_counts {
  size_t size;
  /* Rows of new days. */
  int64_t inserted;
  /* Rows that changed a stored one. */
  int64_t replaced;
  /* Rows that the store had already. */
  int64_t unchanged;
  /* Rows that the mode "keep" left out. */
  int64_t kept;
  /* Rows without any value, which are left out. */
  int64_t empty;
} quoin_counts;

/*
 * Stores the rows of a stream as one commit: a column of tickers, one of days, and any attributes, by the names that WIKI and other
 * vendors give them, in any order. As in files, an infinite value or a volume below zero is QUOIN_BAD_INPUT.
 *
 *     tickers       utf8, large_utf8 or utf8_view, or a dictionary of these
 *     days          date32, date64, a timestamp at midnight, integers as YYYYMMDD, or texts as files have them that mean one day only
 *     attributes    float64, float32, integers, decimals
 *
 * A null and a NaN are missing. Rows without any value are left out and counted. The stream is released, whatever happens. Nothing has
 * changed after an error. Batches are stored as they come, so memory stays bounded. `counts` may be NULL.
 */
quoin_code quoin_import(
    quoin_store *store, struct ArrowArrayStream *rows, const quoin_write *options, quoin_counts *counts,
    quoin_error **error);

/* Imports files and directories as one commit, as `quoin import` does. `counts` may be NULL. */
quoin_code quoin_import_files(
    quoin_store *store, const char *const *paths, size_t path_count, const quoin_write *options, quoin_counts *counts,
    quoin_error **error);

/*
 * Removes the rows that a query selects, as one commit. Of the query only tickers, where, let, from and to may be set, and one of them
 * has to be. `count`, unless it is NULL, gets the number of rows.
 */
quoin_code quoin_delete(
    quoin_store *store, const quoin_query *query, const quoin_write *options, int64_t *count, quoin_error **error);

enum {
  /* The rows that the store has go. */
  QUOIN_REPLACE = 1
};

/*
 * Adds finished stores to the store in the directory `path`, or puts them in the place of all its rows, in one step: for several
 * writers that make a store each, of which no two have a ticker in common. Their directories lie inside `path`, and are gone afterwards.
 * Where there is no store, a sharded one is made, whose shards they are. If it has some of the tickers already, the copy of their
 * shard gets the rows. An ordinary store takes all rows in one commit. `flags` is 0 or QUOIN_REPLACE. Of the options only `patience`
 * counts. Readers see all of it or nothing. With QUOIN_REPLACE there may be no finished store, so that no row is left.
 */
quoin_code quoin_publish(
    const char *path, const char *const *stores, size_t store_count, uint32_t flags, const quoin_write *options,
    quoin_error **error);

/* ---- Keeping a store ---- */

/*
 * Each change is one commit, and nothing has changed after an error. Of the options only `patience` counts, and `mode` where rows of
 * another store come in.
 */

/*
 * Takes the last change back: the store has the rows of before again, bit for bit. That is a change, too, which a second call takes
 * back. To go back further, name a snapshot.
 */
quoin_code quoin_undo(quoin_store *store, const quoin_write *options, quoin_error **error);

/*
 * Brings back the rows of a snapshot in place of all that the store has: by its name, or a generation that the store keeps by its number.
 */
quoin_code quoin_restore(
    quoin_store *store, const char *name, const quoin_write *options, quoin_error **error);

/*
 * Gives a ticker, or its rows of some days, another name. Of the query only tickers, from and to may be set, and tickers has one. If the
 * new name has quotes of other days, the two histories become one; of the same day, nothing is done: QUOIN_UNANSWERABLE.
 */
quoin_code quoin_rename(
    quoin_store *store, const quoin_query *query, const char *name, const quoin_write *options, quoin_error **error);

/*
 * Takes the quotes of another store over, or of a snapshot of any store. Of the query only tickers may be set; NULL takes all.
 * `counts` may be NULL.
 */
quoin_code quoin_merge(
    quoin_store *store, quoin_store *other, const quoin_query *query, const quoin_write *options, quoin_counts *counts,
    quoin_error **error);

enum {
  /* A split counts although the prices don't show it. */
  QUOIN_TRUST_SPLITS = 2
};

/*
 * Computes the adjusted columns of tickers from prices, volumes, dividends and splits. Of the query only tickers may be set; NULL takes
 * all. `flags` are 0, QUOIN_REPLACE (adjusted values that are there go), QUOIN_TRUST_SPLITS, or both. `counts` may be NULL.
 */
quoin_code quoin_adjust(
    quoin_store *store, const quoin_query *query, uint32_t flags, const quoin_write *options, quoin_counts *counts,
    quoin_error **error);

/* Rewrites all files with full blocks and without deleted rows. `packing` is "fast", "balanced" or "small"; NULL is as it was. */
quoin_code quoin_compact(
    quoin_store *store, const char *packing, const quoin_write *options, quoin_error **error);

/*
 * Copies the store's directory, with what it keeps, to a new one, or to one with an earlier backup of it, to which only new files go.
 * The backup is a store. It has the newest commit, whichever one `store` shows.
 */
quoin_code quoin_back_up(
    quoin_store *store, const char *path, const quoin_write *options, quoin_error **error);

/*
 * Reads every byte of the store's directory, and what it keeps. Returns a line for each damage, and an empty text if there is none, which
 * the caller frees with quoin_free(). NULL after an error.
 */
const char *quoin_verify(quoin_store *store, quoin_error **error);

/* ---- For tests ---- */

/* How many stores, errors, lists, streams, arrays and schemas of this process haven't been freed. */
int64_t quoin_live_count(void);

#ifdef __cplusplus
}
#endif

#endif /* QUOIN_H */
