/* The module `quoin`: tables, cursors, cells. */
#include "quoin_sqlite.h"
#include "table.h"

#include <string.h>

SQLITE_EXTENSION_INIT1

const char *const column_names[COLUMN_COUNT] = {
    "ticker", "date", "open", "high", "low", "close", "volume", "ex_dividend", "split_ratio",
    "adj_open", "adj_high", "adj_low", "adj_close", "adj_volume"};

static const char declaration[] =
    "create table quotes(ticker text, date text, open real, high real, low real, close real, volume integer,"
    " ex_dividend real, split_ratio real, adj_open real, adj_high real, adj_low real, adj_close real, adj_volume real)";

/* A scan that goes on row by row. */
typedef struct cursor {
  sqlite3_vtab_cursor base;
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  /* Where among the columns of the batch a column is. */
  int places[COLUMN_COUNT];
  int64_t row;
} cursor;

/* Moves the sentence of an error to where SQLite looks for it. */
static int failed(char **message, quoin_error *error) {
  sqlite3_free(*message);
  *message = sqlite3_mprintf("quoin: %s", quoin_error_message(error));
  quoin_error_free(error);
  return SQLITE_ERROR;
}

/* Shows the newest commit, and asks what plans and row numbers need of it. */
static int refresh(table *table, char **message) {
  quoin_error *error;
  uint64_t generation;
  if (quoin_refresh(table->store, &generation, &error) != QUOIN_OK) return failed(message, error);
  if (table->tickers != NULL && generation == table->generation) return SQLITE_OK;
  size_t count;
  const char **tickers = quoin_tickers(table->store, &count, &error);
  if (tickers == NULL) return failed(message, error);
  quoin_free(table->tickers);
  table->tickers = tickers;
  table->ticker_count = count;
  if (quoin_count(table->store, NULL, &table->row_count, &error) != QUOIN_OK) return failed(message, error);
  table->generation = generation;
  return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *base) {
  table *table = (struct table *)base;
  quoin_free(table->tickers);
  quoin_close(table->store);
  sqlite3_free(table);
  return SQLITE_OK;
}

/* An argument of the module without its quotes, which the caller frees. */
static char *unquoted(const char *text) {
  size_t length = strlen(text);
  char quote = text[0], *copy = sqlite3_malloc64(length + 1), *end = copy;
  if (copy == NULL) return NULL;
  if (quote != '\'' && quote != '"') return strcpy(copy, text);
  for (size_t i = 1; i + 1 < length; i++) {
    *end++ = text[i];
    if (text[i] == quote && text[i + 1] == quote) i++;
  }
  *end = 0;
  return copy;
}

static int connect(
    sqlite3 *connection, void *context, int count, const char *const *arguments, sqlite3_vtab **made, char **message) {
  (void)context;
  if (count != 4) {
    *message = sqlite3_mprintf("quoin: name the store, as in: create virtual table temp.quotes using quoin('quoin-store')");
    return SQLITE_ERROR;
  }
  int code = sqlite3_declare_vtab(connection, declaration);
  if (code != SQLITE_OK) return code;
  table *table = sqlite3_malloc64(sizeof *table);
  char *path = unquoted(arguments[3]);
  if (table == NULL || path == NULL) {
    sqlite3_free(table);
    sqlite3_free(path);
    return SQLITE_NOMEM;
  }
  memset(table, 0, sizeof *table);
  quoin_error *error;
  table->store = quoin_open(path, QUOIN_READ_ONLY, &error);
  sqlite3_free(path);
  code = table->store == NULL ? failed(message, error) : refresh(table, message);
  if (code == SQLITE_OK) *made = &table->base; else disconnect(&table->base);
  return code;
}

/* Not `connect` itself: then the module would be a table without a store too. */
static int create(
    sqlite3 *connection, void *context, int count, const char *const *arguments, sqlite3_vtab **made, char **message) {
  return connect(connection, context, count, arguments, made, message);
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **made) {
  table *table = (struct table *)base;
  // A statement sees one snapshot.
  int code = table->cursor_count == 0 ? refresh(table, &base->zErrMsg) : SQLITE_OK;
  if (code != SQLITE_OK) return code;
  cursor *cursor = sqlite3_malloc64(sizeof *cursor);
  if (cursor == NULL) return SQLITE_NOMEM;
  memset(cursor, 0, sizeof *cursor);
  table->cursor_count++;
  *made = &cursor->base;
  return SQLITE_OK;
}

/* Ends a scan. */
static void stop(cursor *cursor) {
  if (cursor->batch.release != NULL) cursor->batch.release(&cursor->batch);
  if (cursor->stream.release != NULL) cursor->stream.release(&cursor->stream);
  cursor->row = 0;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
  ((table *)base->pVtab)->cursor_count--;
  stop((cursor *)base);
  sqlite3_free(base);
  return SQLITE_OK;
}

/* Gets the next batch. There is none after the last row. */
static int read_batch(cursor *cursor) {
  sqlite3_vtab *table = cursor->base.pVtab;
  struct ArrowArrayStream *stream = &cursor->stream;
  do {
    if (cursor->batch.release != NULL) cursor->batch.release(&cursor->batch);
    if (stream->get_next(stream, &cursor->batch) != 0) {
      const char *sentence = stream->get_last_error(stream);
      sqlite3_free(table->zErrMsg);
      table->zErrMsg = sqlite3_mprintf("quoin: %s", sentence != NULL ? sentence : "the store can't be read");
      cursor->batch.release = NULL;
      return SQLITE_ERROR;
    }
  } while (cursor->batch.release != NULL && cursor->batch.length == 0);
  cursor->row = 0;
  return SQLITE_OK;
}

/* Begins the scan of a selection. */
static int scan(cursor *cursor, int plan, const selection *rows, const char *where) {
  table *table = (struct table *)cursor->base.pVtab;
  const char **tickers = sqlite3_malloc64((table->ticker_count + 1) * sizeof *tickers);
  sqlite3_str *columns = sqlite3_str_new(NULL);
  if (tickers == NULL) {
    sqlite3_free(sqlite3_str_finish(columns));
    return SQLITE_NOMEM;
  }
  size_t count = 0;
  for (size_t i = 0; i < table->ticker_count; i++) {
    if (rows->tickers[i]) tickers[count++] = table->tickers[i];
  }
  int place = 0;
  // The number of a row is its ticker and its day.
  for (int i = 0; i < COLUMN_COUNT; i++) {
    if (i > DATE && !(plan & 1 << i)) continue;
    cursor->places[i] = place++;
    sqlite3_str_appendf(columns, "%s%s", i > 0 ? "," : "", column_names[i]);
  }
  char *names = sqlite3_str_finish(columns), from[11], to[11];
  write_day(rows->first_day, from);
  write_day(rows->last_day, to);
  quoin_query query = {.size = sizeof query, .where = where, .columns = names};
  if (count < table->ticker_count) query.tickers = tickers;
  if (count < table->ticker_count) query.ticker_count = count;
  if (rows->first_day > EARLIEST_DAY) query.from = from;
  if (rows->last_day < LATEST_DAY) query.to = to;
  if (plan & NEWEST_FIRST) query.order = "desc";
  quoin_error *error;
  int code = names == NULL ? SQLITE_NOMEM : SQLITE_OK;
  if (code == SQLITE_OK && count > 0) {
    code = quoin_scan(table->store, &query, &cursor->stream, &error) == QUOIN_OK
               ? read_batch(cursor) : failed(&table->base.zErrMsg, error);
  }
  sqlite3_free(names);
  sqlite3_free(tickers);
  return code;
}

static int filter(sqlite3_vtab_cursor *base, int plan, const char *conditions, int count, sqlite3_value **values) {
  table *table = (struct table *)base->pVtab;
  stop((cursor *)base);
  selection rows = {0};
  rows.tickers = sqlite3_malloc64(table->ticker_count + 1);
  if (rows.tickers == NULL) return SQLITE_NOMEM;
  rows.where = sqlite3_str_new(NULL);
  int code = select_rows(table, conditions, count, values, &rows);
  char *where = sqlite3_str_finish(rows.where);
  if (code == SQLITE_OK && !rows.is_empty) code = scan((cursor *)base, plan, &rows, where);
  sqlite3_free(where);
  sqlite3_free(rows.tickers);
  return code;
}

static int next(sqlite3_vtab_cursor *base) {
  cursor *cursor = (struct cursor *)base;
  return ++cursor->row < cursor->batch.length ? SQLITE_OK : read_batch(cursor);
}

static int is_over(sqlite3_vtab_cursor *base) { return ((cursor *)base)->batch.release == NULL; }

static int32_t cell(const cursor *cursor, int column) {
  const struct ArrowArray *array = cursor->batch.children[cursor->places[column]];
  return ((const int32_t *)array->buffers[1])[cursor->batch.offset + array->offset + cursor->row];
}

static int read_cell(sqlite3_vtab_cursor *base, sqlite3_context *result, int column) {
  const cursor *cursor = (struct cursor *)base;
  const struct ArrowArray *array = cursor->batch.children[cursor->places[column]];
  int64_t row = cursor->batch.offset + array->offset + cursor->row;
  const uint8_t *validity = array->buffers[0];
  if (column == TICKER) {
    const char *ticker = ((table *)base->pVtab)->tickers[cell(cursor, TICKER)];
    sqlite3_result_text(result, ticker, -1, SQLITE_TRANSIENT);
  } else if (column == DATE) {
    char text[11];
    write_day(cell(cursor, DATE), text);
    sqlite3_result_text(result, text, 10, SQLITE_TRANSIENT);
  } else if (validity != NULL && !(validity[row >> 3] >> (row & 7) & 1)) {
    sqlite3_result_null(result);
  } else if (column == VOLUME) {
    sqlite3_result_int64(result, ((const int64_t *)array->buffers[1])[row]);
  } else {
    sqlite3_result_double(result, ((const double *)array->buffers[1])[row]);
  }
  return SQLITE_OK;
}

/* The same for a row whatever the statement asks: SQLite tells by it which rows it has seen, as in `a or b`. */
static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *number) {
  const cursor *cursor = (struct cursor *)base;
  *number = (sqlite3_int64)cell(cursor, TICKER) << 22 | (cell(cursor, DATE) - EARLIEST_DAY);
  return SQLITE_OK;
}

static const sqlite3_module module = {
    .xCreate = create, .xConnect = connect, .xBestIndex = plan_scan, .xDisconnect = disconnect, .xDestroy = disconnect,
    .xOpen = open_cursor, .xClose = close_cursor, .xFilter = filter, .xNext = next, .xEof = is_over,
    .xColumn = read_cell, .xRowid = row_number};

static void version(sqlite3_context *result, int count, sqlite3_value **values) {
  (void)count, (void)values;
  sqlite3_result_text(result, quoin_version(), -1, SQLITE_STATIC);
}

int sqlite3_quoin_init(sqlite3 *connection, char **message, const sqlite3_api_routines *functions) {
  SQLITE_EXTENSION_INIT2(functions);
  if (sqlite3_libversion_number() < 3024000) {
    *message = sqlite3_mprintf("quoin needs SQLite 3.24, and this is %s", sqlite3_libversion());
    return SQLITE_ERROR;
  }
  int code = sqlite3_create_function_v2(
      connection, "quoin_version", 0, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, version, NULL, NULL, NULL);
  return code == SQLITE_OK ? sqlite3_create_module_v2(connection, "quoin", &module, NULL, NULL) : code;
}
