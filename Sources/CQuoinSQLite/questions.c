/* The functions that are tables, and what each asks. */
#include "function.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define VALUE_COLUMNS                                                                                                    \
  "value1, value2, value3, value4, value5, value6, value7, value8, value9, value10, value11, value12, value13,"          \
  " value14, value15, value16"

const function functions[FUNCTION_COUNT] = {
    {"quoin_aggregate", AGGREGATE, "quoin_aggregate(store, aggregates, by, condition), the last two if wanted",
     "create table answer(ticker text, period text, weekday integer, " VALUE_COLUMNS
     ", store hidden, aggregates hidden, grouping hidden, condition hidden)",
     3 + VALUE_MAX, 3, 4, 2},
    {"quoin_columns", COLUMNS, "quoin_columns(store, columns, condition), the last one if wanted",
     "create table answer(ticker text, date text, " VALUE_COLUMNS ", store hidden, columns hidden, condition hidden)",
     2 + VALUE_MAX, 2, 3, 2},
    {"quoin_bars", BARS, "quoin_bars(store, period), such as quoin_bars('quoin-store', 'week')",
     "create table answer(" QUOTE_COLUMNS ", store hidden, period hidden, " SPELLED_COLUMN ")", COLUMN_COUNT, COLUMN_COUNT, 2, 2},
};

/* Asks for the columns of rows. Those that tell rows apart come first, unless they are listed. */
static quoin_code ask_columns(
    quoin_store *store, char *const arguments[], int64_t limit, struct ArrowArrayStream *stream, quoin_error **error) {
  quoin_query query = {.size = sizeof query, .columns = arguments[1], .limit = QUOIN_NO_ROWS};
  quoin_code code = quoin_scan(store, &query, stream, error);
  if (code != QUOIN_OK) return code;
  struct ArrowSchema schema;
  int has_ticker = 0, has_date = 0;
  if (stream->get_schema(stream, &schema) == 0) {
    for (int64_t i = 0; i < schema.n_children; i++) {
      has_ticker |= kind_of(schema.children[i]) == TICKER_CELL;
      has_date |= kind_of(schema.children[i]) == DAY_CELL;
    }
    schema.release(&schema);
  }
  stream->release(stream);
  char *columns = sqlite3_mprintf("%s%s%s", has_ticker ? "" : "ticker, ", has_date ? "" : "date, ", arguments[1]);
  query.columns = columns;
  query.where = arguments[2];
  query.limit = limit;
  query.flags = QUOIN_INTERRUPTIBLE;
  code = quoin_scan(store, &query, stream, error);
  sqlite3_free(columns);
  return code;
}

quoin_code ask(
    const function *function, quoin_store *store, char *const arguments[], const char *ticker, int64_t limit,
    struct ArrowArrayStream *stream, quoin_error **error) {
  quoin_query query = {.size = sizeof query, .limit = limit, .flags = QUOIN_INTERRUPTIBLE};
  if (function->kind == COLUMNS) return ask_columns(store, arguments, limit, stream, error);
  if (function->kind == BARS) {
    query.resample = arguments[1];
    if (ticker != NULL) query.tickers = &ticker;
    query.ticker_count = ticker != NULL;
    return quoin_scan(store, &query, stream, error);
  }
  quoin_groups groups = {.size = sizeof groups, .aggregates = arguments[1], .by = arguments[BY]};
  query.where = arguments[3];
  return quoin_aggregate(store, &query, &groups, stream, error);
}

int key_count(char *const arguments[]) {
  quoin_query query = {.size = sizeof query};
  quoin_groups groups = {.size = sizeof groups, .aggregates = arguments[1], .by = arguments[BY]};
  quoin_facts facts = {.size = sizeof facts};
  // A question that was answered is right.
  quoin_inspect(&query, &groups, &facts, NULL);
  return (int)facts.key_count;
}
