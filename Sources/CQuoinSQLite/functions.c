/*
 * What SQL is slow at, as tables: quoin_aggregate, quoin_columns and quoin_bars. Each has two forms, as a table's columns are declared
 * before anybody knows what is asked:
 *
 *     select ticker, period, value1 from quoin_aggregate('quoin-store', 'max(close)', 'month')
 *     create virtual table temp.highs using quoin_aggregate('quoin-store', 'max(close) as high', 'month')
 *
 * The first has the same columns whatever is asked, the second those of the answer.
 */
#include "function.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* A table of answers. */
typedef struct answer_table {
  sqlite3_vtab base;
  const function *function;
  connection *connection;
  /* Those that it was made with; NULL in the form that is called. */
  char *arguments[ARGUMENT_MAX];
  int is_made;
  /* The store that was asked last, which is kept open for the next time. */
  source *source;
} answer_table;

typedef struct answer_cursor {
  sqlite3_vtab_cursor base;
  answer answer;
  source *source;
  /* Where in the answer each column of the form that is called is; -1 for none. */
  int places[3 + VALUE_MAX];
  /* Of the arguments, so that rows of different questions have different numbers. */
  uint64_t hash;
  sqlite3_int64 row;
  /* The place of the only ticker; -1 for all. */
  int ticker;
} answer_cursor;

static int refuse(char **message, const char *sentence, const char *detail) {
  sqlite3_free(*message);
  *message = sqlite3_mprintf("quoin: %s: %s", sentence, detail);
  return SQLITE_ERROR;
}

/* Finds the columns of the form that is called in an answer. */
static int find_columns(answer_cursor *cursor, char *const arguments[]) {
  const function *function = ((answer_table *)cursor->base.pVtab)->function;
  const answer *answer = &cursor->answer;
  char **message = &cursor->base.pVtab->zErrMsg;
  int keys = function->kind == AGGREGATE ? key_count(arguments) : answer->column_count;
  int values = 0;
  for (int i = 0; i < 3 + VALUE_MAX; i++) cursor->places[i] = -1;
  for (int i = 0; i < answer->column_count; i++) {
    cell_kind kind = answer->columns[i].kind;
    int column = kind == TICKER_CELL ? TICKER : kind == DAY_CELL ? DATE : function->kind == AGGREGATE && i < keys && answer->columns[i].is_weekday ? 2 : -1;
    if (i >= keys || column < 0) {
      column = function->key_count + values++;
      if (values > VALUE_MAX) return refuse(message, function->name, "an answer of more than 16 values needs 'create virtual table'");
    } else if (cursor->places[column] >= 0) {
      return refuse(message, function->name, "groups of two periods need 'create virtual table'");
    }
    cursor->places[column] = i;
  }
  return SQLITE_OK;
}

/* Declares the columns of the answer to a table's question. */
static int declare(sqlite3 *database, const answer_table *table, char **message) {
  const function *function = table->function;
  struct ArrowArrayStream stream = {0};
  struct ArrowSchema schema;
  quoin_error *error;
  quoin_code asked = ask(function, table->source->store, table->arguments, NULL, QUOIN_NO_ROWS, &stream, &error);
  if (asked != QUOIN_OK) return failed(message, error);
  int code = read_schema(&stream, &schema, message);
  if (code == SQLITE_OK) {
    static const char *const types[] = {"text", "text", "integer", "real"};
    sqlite3_str *text = sqlite3_str_new(database);
    for (int64_t i = 0; i < schema.n_children; i++) {
      const struct ArrowSchema *field = schema.children[i];
      // As the table of a store has it.
      const char *name = strcmp(field->name, "ex-dividend") == 0 ? "ex_dividend" : field->name;
      sqlite3_str_appendf(text, "%s\"%w\" %s", i == 0 ? "create table answer(" : ", ", name, types[kind_of(field)]);
    }
    sqlite3_str_appendall(text, ")");
    schema.release(&schema);
    char *declaration = sqlite3_str_finish(text);
    code = declaration == NULL ? SQLITE_NOMEM : sqlite3_declare_vtab(database, declaration);
    sqlite3_free(declaration);
    if (code == SQLITE_ERROR) refuse(message, function->name, sqlite3_errmsg(database));
  }
  stream.release(&stream);
  return code;
}

static int disconnect(sqlite3_vtab *base) {
  answer_table *table = (answer_table *)base;
  for (int i = 0; i < ARGUMENT_MAX; i++) sqlite3_free(table->arguments[i]);
  close_source(table->connection, table->source);
  sqlite3_free(table);
  return SQLITE_OK;
}

/* Makes both forms: SQLite makes the one that is called by itself, without arguments. */
static int connect(
    sqlite3 *database, void *context, int count, const char *const *texts, sqlite3_vtab **made, char **message) {
  const struct function_module *module = context;
  const function *function = module->function;
  int argument_count = count - 3;
  answer_table *table = sqlite3_malloc64(sizeof *table);
  if (table == NULL) return SQLITE_NOMEM;
  memset(table, 0, sizeof *table);
  table->function = function;
  table->connection = module->connection;
  int code = SQLITE_OK;
  if (argument_count == 0) {
    code = sqlite3_declare_vtab(database, function->declaration);
  } else if (argument_count < function->required_count || argument_count > function->argument_count) {
    code = refuse(message, "a table of answers is made with", function->usage);
  } else {
    table->is_made = 1;
    for (int i = 0; i < argument_count; i++) {
      if (sqlite3_stricmp(texts[3 + i], "null") == 0) continue;
      table->arguments[i] = unquoted(texts[3 + i]);
      if (table->arguments[i] == NULL) code = SQLITE_NOMEM;
    }
    if (table->arguments[0] == NULL || table->arguments[1] == NULL) code = refuse(message, "a table of answers is made with", function->usage);
    if (code == SQLITE_OK) code = open_source(table->connection, table->arguments[0], &table->source, message);
    if (code == SQLITE_OK) code = declare(database, table, message);
  }
  if (code == SQLITE_OK) *made = &table->base; else disconnect(&table->base);
  return code;
}

/* A plan's bits are the arguments that are given, and this one for a ticker. */
enum { WITH_TICKER = 1 << ARGUMENT_MAX };

static int plan(sqlite3_vtab *base, sqlite3_index_info *info) {
  const answer_table *table = (answer_table *)base;
  const function *function = table->function;
  int constraints[ARGUMENT_MAX + 1] = {-1, -1, -1, -1, -1};
  for (int i = 0; i < info->nConstraint; i++) {
    const struct sqlite3_index_constraint *condition = &info->aConstraint[i];
    int argument = condition->iColumn - function->column_count;
    if (condition->op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (!table->is_made && argument >= 0 && argument < function->argument_count) {
      // The value comes from a table that has to be read first.
      if (!condition->usable) return SQLITE_CONSTRAINT;
      constraints[argument] = i;
    } else if (function->kind == BARS && condition->iColumn == TICKER && condition->usable && is_binary(info, i)) {
      constraints[ARGUMENT_MAX] = i;
    }
  }
  int count = 0;
  info->idxNum = 0;
  for (int i = 0; i <= ARGUMENT_MAX; i++) {
    if (constraints[i] < 0) continue;
    info->idxNum |= 1 << i;
    info->aConstraintUsage[constraints[i]].argvIndex = ++count;
    info->aConstraintUsage[constraints[i]].omit = i < ARGUMENT_MAX;
  }
  info->estimatedRows = constraints[ARGUMENT_MAX] < 0 ? 1000000 : 1000;
  info->estimatedCost = (double)info->estimatedRows;
  // SQLite tries what one side of an 'or' would take without the arguments. A question without them is refused once it is asked.
  if (!table->is_made && (constraints[0] < 0 || constraints[1] < 0)) info->estimatedCost = 1e50;
  return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **made) {
  (void)base;
  answer_cursor *cursor = sqlite3_malloc64(sizeof *cursor);
  if (cursor == NULL) return SQLITE_NOMEM;
  memset(cursor, 0, sizeof *cursor);
  *made = &cursor->base;
  return SQLITE_OK;
}

/* Ends an answer. */
static void stop(answer_cursor *cursor) {
  end_answer(&cursor->answer);
  if (cursor->source == NULL) return;
  cursor->source->cursor_count--;
  close_source(((answer_table *)cursor->base.pVtab)->connection, cursor->source);
  cursor->source = NULL;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
  stop((answer_cursor *)base);
  sqlite3_free(base);
  return SQLITE_OK;
}

/* Opens the store that an answer is of. */
static int begin(answer_cursor *cursor, const char *name) {
  answer_table *table = (answer_table *)cursor->base.pVtab;
  char **message = &table->base.zErrMsg;
  source *source = table->source;
  int code = SQLITE_OK;
  if (table->is_made) {
    source->user_count++;
  } else {
    code = open_source(table->connection, name, &source, message);
    if (code != SQLITE_OK) return code;
    close_source(table->connection, table->source);
    table->source = source;
    source->user_count++;
  }
  code = begin_reading(source, message);
  if (code == SQLITE_OK) cursor->source = source; else close_source(table->connection, source);
  return code;
}

static int filter(sqlite3_vtab_cursor *base, int plan, const char *text, int count, sqlite3_value **values) {
  (void)text;
  answer_cursor *cursor = (answer_cursor *)base;
  const answer_table *table = (answer_table *)base->pVtab;
  char **message = &base->pVtab->zErrMsg, *arguments[ARGUMENT_MAX];
  memcpy(arguments, table->arguments, sizeof arguments);
  stop(cursor);
  cursor->row = 0;
  cursor->ticker = -1;
  cursor->hash = 14695981039346656037u;
  int used = 0;
  for (int i = 0; i < ARGUMENT_MAX; i++) {
    if (plan & 1 << i) arguments[i] = (char *)sqlite3_value_text(values[used++]);
    // FNV-1a.
    for (const char *byte = arguments[i]; byte != NULL; byte = *byte != 0 ? byte + 1 : NULL) {
      cursor->hash = (cursor->hash ^ (unsigned char)*byte) * 1099511628211u;
    }
  }
  if (arguments[0] == NULL || arguments[1] == NULL) return refuse(message, "an argument is missing or null", table->function->usage);
  int code = begin(cursor, arguments[0]);
  if (code != SQLITE_OK) return code;
  const char *ticker = NULL;
  if (plan & WITH_TICKER && sqlite3_value_type(values[used]) == SQLITE_TEXT) {
    cursor->ticker = place_of_ticker(cursor->source, values[used]);
    if (cursor->ticker < 0) return SQLITE_OK;
    ticker = cursor->source->tickers[cursor->ticker];
  }
  (void)count;
  quoin_error *error;
  if (ask(table->function, cursor->source->store, arguments, ticker, 0, &cursor->answer.stream, &error) != QUOIN_OK) {
    return failed(message, error);
  }
  code = begin_answer(&cursor->answer, message);
  if (code == SQLITE_OK && !table->is_made && table->function->kind != BARS) code = find_columns(cursor, arguments);
  return code;
}

static int next(sqlite3_vtab_cursor *base) {
  answer_cursor *cursor = (answer_cursor *)base;
  cursor->row++;
  return next_row(&cursor->answer, &base->pVtab->zErrMsg);
}

static int is_over(sqlite3_vtab_cursor *base) { return is_at_end(&((answer_cursor *)base)->answer); }

static int read_cell(sqlite3_vtab_cursor *base, sqlite3_context *result, int column) {
  const answer_cursor *cursor = (answer_cursor *)base;
  const answer_table *table = (answer_table *)base->pVtab;
  if (table->function->kind == BARS && !table->is_made && column == COLUMN_COUNT + 2) column = EX_DIVIDEND;
  // Of the arguments SQLite knows the values.
  if (!table->is_made && column >= table->function->column_count) return SQLITE_OK;
  if (!table->is_made && table->function->kind != BARS) column = cursor->places[column];
  if (column >= 0) give_cell(&cursor->answer, column, result);
  return SQLITE_OK;
}

/* The same for a row whichever ticker is asked for, and never that of another question: SQLite tells by it which rows it has seen. */
static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *number) {
  const answer_cursor *cursor = (answer_cursor *)base;
  uint64_t row = (uint64_t)cursor->row;
  if (((answer_table *)base->pVtab)->function->kind == BARS) {
    int ticker = cursor->ticker >= 0 ? cursor->ticker : place_at(&cursor->answer, TICKER);
    row = (uint64_t)ticker << 22 | (uint64_t)(place_at(&cursor->answer, DATE) - EARLIEST_DAY);
  }
  *number = (sqlite3_int64)(cursor->hash << 44 ^ row);
  return SQLITE_OK;
}

// One function makes and connects, so that there is the form that is called too.
static const sqlite3_module module = {
    .xCreate = connect, .xConnect = connect, .xBestIndex = plan, .xDisconnect = disconnect, .xDestroy = disconnect,
    .xOpen = open_cursor, .xClose = close_cursor, .xFilter = filter, .xNext = next, .xEof = is_over,
    .xColumn = read_cell, .xRowid = row_number};

static void release(void *context) { release_connection(((struct function_module *)context)->connection); }

int add_functions(sqlite3 *database, connection *connection) {
  for (int i = 0; i < FUNCTION_COUNT; i++) {
    connection->functions[i].connection = connection;
    connection->functions[i].function = &functions[i];
    connection->module_count++;
    int code = sqlite3_create_module_v2(database, functions[i].name, &module, &connection->functions[i], release);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}
