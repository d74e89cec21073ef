/* The stores that a connection has open. */
#include "table.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

void release_connection(void *context) {
  connection *connection = context;
  if (--connection->module_count == 0) sqlite3_free(connection);
}

int failed(char **message, quoin_error *error) {
  sqlite3_free(*message);
  *message = sqlite3_mprintf("quoin: %s", quoin_error_message(error));
  int code = quoin_error_code(error) == QUOIN_INTERRUPTED ? SQLITE_INTERRUPT : SQLITE_ERROR;
  quoin_error_free(error);
  return code;
}

char *unquoted(const char *text) {
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

/* Shows the newest commit, and asks what plans and row numbers need of it. */
static int refresh(source *source, char **message) {
  quoin_error *error;
  uint64_t generation;
  if (quoin_refresh(source->store, &generation, &error) != QUOIN_OK) return failed(message, error);
  if (source->tickers != NULL && generation == source->generation) return SQLITE_OK;
  size_t count;
  const char **tickers = quoin_tickers(source->store, &count, &error);
  if (tickers == NULL) return failed(message, error);
  quoin_free(source->tickers);
  source->tickers = tickers;
  source->ticker_count = count;
  if (quoin_count(source->store, NULL, &source->row_count, &error) != QUOIN_OK) return failed(message, error);
  source->generation = generation;
  return SQLITE_OK;
}

/* The source that has a text as its path, or whose table has it as its name; NULL for none. */
static source *find_source(connection *connection, const char *text) {
  for (table *table = connection->tables; table != NULL; table = table->next) {
    if (sqlite3_stricmp(table->name, text) == 0) return table->source;
  }
  for (source *source = connection->sources; source != NULL; source = source->next) {
    if (strcmp(source->path, text) == 0) return source;
  }
  return NULL;
}

/* Has SQLite connect a table, which it does only when it is needed. */
static void connect_table(connection *connection, const char *name) {
  sqlite3_stmt *statement = NULL;
  char *text = sqlite3_mprintf("select 1 from \"%w\"", name);
  if (text != NULL) sqlite3_prepare_v2(connection->database, text, -1, &statement, NULL);
  sqlite3_finalize(statement);
  sqlite3_free(text);
}

static quoin_code limit(const connection *connection, const source *source, quoin_error **error) {
  return quoin_limit_questions(source->store, connection->question_seconds, connection->question_megabytes, error);
}

/* A limit above 0; 0 for null, and -1 for anything else. */
static double limit_of(sqlite3_value *value) {
  int type = sqlite3_value_numeric_type(value);
  if (type == SQLITE_NULL) return 0;
  double limit = type == SQLITE_TEXT || type == SQLITE_BLOB ? -1 : sqlite3_value_double(value);
  return limit > 0 ? limit : -1;
}

void limit_questions(sqlite3_context *result, int count, sqlite3_value **values) {
  (void)count;
  connection *connection = sqlite3_user_data(result);
  double seconds = limit_of(values[0]), megabytes = limit_of(values[1]);
  if (seconds < 0 || megabytes < 0 || (megabytes > 0 && megabytes < 1)) {
    sqlite3_result_error(result, "quoin: quoin_limit_questions(seconds, megabytes) takes numbers above 0, or null for the usual limit", -1);
    return;
  }
  connection->question_seconds = seconds;
  connection->question_megabytes = megabytes < 1e15 ? (uint64_t)megabytes : (uint64_t)1e15;
  for (source *source = connection->sources; source != NULL; source = source->next) limit(connection, source, NULL);
}

int open_source(connection *connection, const char *text, source **opened, char **message) {
  source *source = find_source(connection, text);
  if (source == NULL) {
    connect_table(connection, text);
    source = find_source(connection, text);
  }
  *opened = source;
  if (source != NULL) {
    source->user_count++;
    return SQLITE_OK;
  }
  source = sqlite3_malloc64(sizeof *source + strlen(text) + 1);
  if (source == NULL) return SQLITE_NOMEM;
  memset(source, 0, sizeof *source);
  source->path = strcpy((char *)(source + 1), text);
  source->user_count = 1;
  source->next = connection->sources;
  connection->sources = source;
  quoin_error *error;
  source->store = quoin_open(text, QUOIN_READ_ONLY, &error);
  int code = source->store == NULL || limit(connection, source, &error) != QUOIN_OK ? failed(message, error) : refresh(source, message);
  if (code == SQLITE_OK) *opened = source; else close_source(connection, source);
  return code;
}

void close_source(connection *connection, source *source) {
  if (source == NULL || --source->user_count > 0) return;
  struct source **link = &connection->sources;
  while (*link != source) link = &(*link)->next;
  *link = source->next;
  quoin_free(source->tickers);
  quoin_close(source->store);
  sqlite3_free(source);
}

int begin_reading(source *source, char **message) {
  // A statement sees one snapshot.
  int code = source->cursor_count == 0 ? refresh(source, message) : SQLITE_OK;
  if (code == SQLITE_OK) source->cursor_count++;
  return code;
}
