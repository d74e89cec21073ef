/*
 * Tickers that a table keeps in memory: a join or a subquery asks for one ticker again and again, each time for other days. Whatever
 * is asked twice is read whole and kept, so that the next time takes a binary search.
 */
#include "kept.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* Of all tickers of a table together. Beyond it those that no cursor reads are forgotten. */
enum { BYTES_MAX = 256 << 20 };

static void forget(table *table, kept **place) {
  kept *kept = *place;
  *place = NULL;
  if (kept == NULL) return;
  table->kept_bytes -= kept->byte_count;
  end_answer(&kept->answer);
  sqlite3_free(kept);
}

void forget_tickers(table *table) {
  for (size_t i = 0; i < table->kept_count; i++) {
    if (table->kept[i] != NULL && table->kept[i]->user_count == 0) forget(table, &table->kept[i]);
  }
}

void free_tickers(table *table) {
  forget_tickers(table);
  sqlite3_free(table->kept);
  table->kept = NULL;
  table->kept_count = 0;
}

/* Makes a place for each ticker of the present snapshot. */
static int make_places(table *table) {
  const source *source = table->source;
  if (table->kept != NULL && table->kept_generation == source->generation) return 1;
  // No cursor was open when the snapshot changed.
  free_tickers(table);
  table->kept = sqlite3_malloc64(source->ticker_count * sizeof *table->kept);
  if (table->kept == NULL) return 0;
  memset(table->kept, 0, source->ticker_count * sizeof *table->kept);
  table->kept_count = source->ticker_count;
  table->kept_generation = source->generation;
  return 1;
}

/* Reads the columns of a ticker; 0 if they don't come in one batch, or can't be read: then the scan that follows says why. */
static int read_ticker(table *table, kept *kept, size_t ticker, int columns) {
  char *message = NULL, *names = list_columns(columns, kept->places);
  quoin_query query = {.size = sizeof query, .columns = names, .tickers = &table->source->tickers[ticker], .ticker_count = 1};
  struct ArrowArray rest = {0};
  int is_read = names != NULL && quoin_scan(table->source->store, &query, &kept->answer.stream, NULL) == QUOIN_OK
                && begin_answer(&kept->answer, &message) == SQLITE_OK && !is_at_end(&kept->answer);
  sqlite3_free(names);
  sqlite3_free(message);
  is_read = is_read && kept->answer.stream.get_next(&kept->answer.stream, &rest) == 0 && rest.release == NULL;
  if (rest.release != NULL) rest.release(&rest);
  kept->columns = is_read ? columns : 0;
  kept->byte_count = is_read ? kept->answer.batch.length * 8 * (int64_t)kept->answer.column_count : 0;
  table->kept_bytes += kept->byte_count;
  if (!is_read) end_answer(&kept->answer);
  return is_read;
}

kept *keep_ticker(table *table, size_t ticker, int columns) {
  if (!make_places(table)) return NULL;
  kept **place = &table->kept[ticker];
  if (*place == NULL) {
    // Asked for the first time.
    *place = sqlite3_malloc64(sizeof **place);
    if (*place != NULL) memset(*place, 0, sizeof **place);
    return NULL;
  }
  if ((*place)->is_too_long) return NULL;
  if (((*place)->columns & columns) != columns) {
    if ((*place)->user_count > 0) return NULL;
    columns |= (*place)->columns;
    table->kept_bytes -= (*place)->byte_count;
    end_answer(&(*place)->answer);
    if (table->kept_bytes > BYTES_MAX) {
      (*place)->user_count++;
      forget_tickers(table);
      (*place)->user_count--;
    }
    if (!read_ticker(table, *place, ticker, columns)) {
      (*place)->is_too_long = 1;
      return NULL;
    }
  }
  return *place;
}

int64_t first_row_from(const kept *kept, int day) {
  const int32_t *days = kept->answer.columns[kept->places[DATE]].values;
  int64_t low = 0, high = kept->answer.batch.length;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (days[middle] < day) low = middle + 1; else high = middle;
  }
  return low;
}
