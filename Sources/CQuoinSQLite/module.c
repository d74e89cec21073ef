/* The module `quoin`: tables, cursors, cells. */
#include "answer.h"
#include "kept.h"
#include "quoin_sqlite.h"
#include "table.h"

#include <string.h>

SQLITE_EXTENSION_INIT1

const char *const column_names[COLUMN_COUNT] = {
    /* columns */
    "ticker",
    "date",
    "open",
    "high",
    "low",
    "close",
    "volume",
    "ex_dividend",
    "split_ratio",
    "adj_open",
    "adj_high",
    "adj_low",
    "adj_close",
    "adj_volume"
    /* end */
};

/* A scan that goes on row by row. */
typedef struct cursor {
  sqlite3_vtab_cursor base;
  answer answer;
  /* Where among the columns of the answer a column is; -1 for one that isn't read. */
  int places[COLUMN_COUNT];
  /* What is scanned, as long as columns may be missing. */
  int plan;
  selection rows;
  char *where;
  int64_t row;
  /* If the answer is a kept one, which the cursor borrows: how many rows are left, and which is next. */
  kept *kept;
  int64_t left;
  int step;
} cursor;

static int disconnect(sqlite3_vtab *base) {
  table *table = (struct table *)base;
  struct table **link = &table->connection->tables;
  while (*link != NULL && *link != table) link = &(*link)->next;
  if (*link != NULL) *link = table->next;
  free_tickers(table);
  close_source(table->connection, table->source);
  sqlite3_free(table);
  return SQLITE_OK;
}

static int connect(
    sqlite3 *database, void *context, int count, const char *const *arguments, sqlite3_vtab **made, char **message) {
  if (count != 4) {
    *message = sqlite3_mprintf("quoin: name the store, as in: create virtual table temp.quotes using quoin('quoin-store')");
    return SQLITE_ERROR;
  }
  int code = sqlite3_declare_vtab(database, "create table quotes(" QUOTE_COLUMNS ", " SPELLED_COLUMN ")");
  if (code != SQLITE_OK) return code;
  table *table = sqlite3_malloc64(sizeof *table + strlen(arguments[2]) + 1);
  char *path = unquoted(arguments[3]);
  if (table == NULL || path == NULL) {
    sqlite3_free(table);
    sqlite3_free(path);
    return SQLITE_NOMEM;
  }
  memset(table, 0, sizeof *table);
  table->connection = context;
  table->name = strcpy((char *)(table + 1), arguments[2]);
  code = open_source(table->connection, path, &table->source, message);
  sqlite3_free(path);
  if (code != SQLITE_OK) {
    disconnect(&table->base);
    return code;
  }
  table->next = table->connection->tables;
  table->connection->tables = table;
  *made = &table->base;
  return SQLITE_OK;
}

/* Not `connect` itself: then the module would be a table without a store too. */
static int create(
    sqlite3 *database, void *context, int count, const char *const *arguments, sqlite3_vtab **made, char **message) {
  return connect(database, context, count, arguments, made, message);
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **made) {
  cursor *cursor = sqlite3_malloc64(sizeof *cursor);
  if (cursor == NULL) return SQLITE_NOMEM;
  memset(cursor, 0, sizeof *cursor);
  int code = begin_reading(((table *)base)->source, &base->zErrMsg);
  if (code == SQLITE_OK) *made = &cursor->base; else sqlite3_free(cursor);
  return code;
}

/* Ends an answer, or gives back one that is borrowed. */
static void end(cursor *cursor) {
  if (cursor->kept != NULL) {
    cursor->kept->user_count--;
    cursor->kept = NULL;
    memset(&cursor->answer, 0, sizeof cursor->answer);
  }
  end_answer(&cursor->answer);
}

/* Ends a scan. */
static void stop(cursor *cursor) {
  end(cursor);
  sqlite3_free(cursor->where);
  sqlite3_free(cursor->rows.tickers);
  cursor->where = NULL;
  cursor->rows.tickers = NULL;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
  ((table *)base->pVtab)->source->cursor_count--;
  stop((cursor *)base);
  sqlite3_free(base);
  return SQLITE_OK;
}

/* The columns that a plan reads. */
static int columns_of(int plan) { return plan & COUNTING ? 0 : plan & ((1 << COLUMN_COUNT) - 1); }

/* Borrows the rows of the selection, if they are of a ticker that is kept. */
static int borrow(cursor *cursor) {
  const selection *rows = &cursor->rows;
  table *table = (struct table *)cursor->base.pVtab;
  size_t count = table->source->ticker_count;
  const unsigned char *one = memchr(rows->tickers, 1, count);
  if (one == NULL || (cursor->where != NULL && *cursor->where != 0)) return 0;
  size_t ticker = (size_t)(one - rows->tickers);
  if (memchr(one + 1, 1, count - ticker - 1) != NULL) return 0;
  kept *kept = keep_ticker(table, ticker, columns_of(cursor->plan) | 1 << TICKER | 1 << DATE);
  if (kept == NULL) return 0;
  int64_t first = first_row_from(kept, rows->first_day), end = first_row_from(kept, rows->last_day + 1);
  kept->user_count++;
  cursor->kept = kept;
  cursor->answer = kept->answer;
  memcpy(cursor->places, kept->places, sizeof cursor->places);
  cursor->left = end - first;
  cursor->step = cursor->plan & NEWEST_FIRST ? -1 : 1;
  cursor->answer.row = cursor->step > 0 ? first : end - 1;
  if (cursor->left <= 0) cursor->answer.batch.release = NULL;
  return 1;
}

/* Begins the scan of the selection. */
static int scan(cursor *cursor) {
  const selection *rows = &cursor->rows;
  int plan = cursor->plan;
  sqlite3_vtab *base = cursor->base.pVtab;
  const source *source = ((table *)base)->source;
  const char **tickers = sqlite3_malloc64((source->ticker_count + 1) * sizeof *tickers);
  if (tickers == NULL) return SQLITE_NOMEM;
  size_t count = 0;
  for (size_t i = 0; i < source->ticker_count; i++) {
    if (rows->tickers[i]) tickers[count++] = source->tickers[i];
  }
  char *names = list_columns(columns_of(plan), cursor->places), from[11], to[11];
  write_day(rows->first_day, from);
  write_day(rows->last_day, to);
  quoin_query query = {.size = sizeof query, .where = cursor->where, .columns = names, .flags = QUOIN_INTERRUPTIBLE};
  if (count < source->ticker_count) query.tickers = tickers;
  if (count < source->ticker_count) query.ticker_count = count;
  if (rows->first_day > EARLIEST_DAY) query.from = from;
  if (rows->last_day < LATEST_DAY) query.to = to;
  if (plan & NEWEST_FIRST) query.order = "desc";
  quoin_error *error;
  int code = names == NULL ? SQLITE_NOMEM : SQLITE_OK;
  if (code == SQLITE_OK && count > 0) {
    code = quoin_scan(source->store, &query, &cursor->answer.stream, &error) == QUOIN_OK
               ? begin_answer(&cursor->answer, &base->zErrMsg) : failed(&base->zErrMsg, error);
  }
  sqlite3_free(names);
  sqlite3_free(tickers);
  return code;
}

static size_t ticker_count(const selection *rows, const source *source) {
  size_t count = 0;
  for (size_t i = 0; i < source->ticker_count; i++) count += rows->tickers[i];
  return count;
}

static int filter(sqlite3_vtab_cursor *base, int plan, const char *conditions, int count, sqlite3_value **values) {
  const source *source = ((table *)base->pVtab)->source;
  cursor *cursor = (struct cursor *)base;
  // A statement that has asked for a cell once will do so again.
  int was_wrong = cursor->plan != 0 && !(cursor->plan & COUNTING);
  stop(cursor);
  cursor->plan = was_wrong ? plan & ~COUNTING : plan;
  cursor->row = 0;
  selection *rows = &cursor->rows;
  memset(rows, 0, sizeof *rows);
  rows->tickers = sqlite3_malloc64(source->ticker_count + 1);
  if (rows->tickers == NULL) return SQLITE_NOMEM;
  rows->where = sqlite3_str_new(NULL);
  int code = select_rows(source, conditions, count, values, rows);
  cursor->where = sqlite3_str_finish(rows->where);
  if (code == SQLITE_OK && plan & ONE_TICKER && !rows->is_empty && ticker_count(rows, source) > 1) {
    sqlite3_free(base->pVtab->zErrMsg);
    base->pVtab->zErrMsg = sqlite3_mprintf("quoin: a number is equal to several tickers; compare the ticker with a text");
    return SQLITE_ERROR;
  }
  return code == SQLITE_OK && !rows->is_empty && !borrow(cursor) ? scan(cursor) : code;
}

static int next(sqlite3_vtab_cursor *base) {
  cursor *cursor = (struct cursor *)base;
  cursor->row++;
  if (cursor->kept == NULL) return next_row(&cursor->answer, &base->pVtab->zErrMsg);
  cursor->answer.row += cursor->step;
  if (--cursor->left == 0) cursor->answer.batch.release = NULL;
  return SQLITE_OK;
}

/* Scans once more, with all columns, up to the present row. */
static int read_all_columns(cursor *cursor) {
  int64_t row = cursor->row;
  end(cursor);
  cursor->plan &= ~COUNTING;
  int code = scan(cursor);
  while (code == SQLITE_OK && row-- > 0) code = next_row(&cursor->answer, &cursor->base.pVtab->zErrMsg);
  return code;
}

static int is_over(sqlite3_vtab_cursor *base) { return is_at_end(&((cursor *)base)->answer); }

static int read_cell(sqlite3_vtab_cursor *base, sqlite3_context *result, int column) {
  cursor *cursor = (struct cursor *)base;
  if (column == COLUMN_COUNT) column = EX_DIVIDEND;
  int code = cursor->places[column] < 0 ? read_all_columns(cursor) : SQLITE_OK;
  if (code == SQLITE_OK) give_cell(&cursor->answer, cursor->places[column], result);
  return code;
}

/* The same for a row whatever the statement asks: SQLite tells by it which rows it has seen, as in `a or b`. */
static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *number) {
  const answer *answer = &((cursor *)base)->answer;
  *number = (sqlite3_int64)place_at(answer, TICKER) << 22 | (place_at(answer, DATE) - EARLIEST_DAY);
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

int sqlite3_quoin_init(sqlite3 *database, char **message, const sqlite3_api_routines *functions) {
  SQLITE_EXTENSION_INIT2(functions);
  if (sqlite3_libversion_number() < 3024000) {
    *message = sqlite3_mprintf("quoin needs SQLite 3.24, and this is %s", sqlite3_libversion());
    return SQLITE_ERROR;
  }
  connection *connection = sqlite3_malloc64(sizeof *connection);
  if (connection == NULL) return SQLITE_NOMEM;
  memset(connection, 0, sizeof *connection);
  connection->database = database;
  connection->module_count = 1;
  int code = sqlite3_create_module_v2(database, "quoin", &module, connection, release_connection);
  if (code == SQLITE_OK) code = add_functions(database, connection);
  if (code == SQLITE_OK) code = add_statistics(database);
  if (code == SQLITE_OK) {
    code = sqlite3_create_function_v2(
        database, "quoin_limit_questions", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, connection, limit_questions, NULL, NULL, NULL);
  }
  if (code != SQLITE_OK) return code;
  // A mistyped name in double quotes would be a text, and be above every number.
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  return sqlite3_create_function_v2(
      database, "quoin_version", 0, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, version, NULL, NULL, NULL);
}
