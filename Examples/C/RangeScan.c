/* Prints the days on which FedEx was in some ranges: the first example, in C.
 *
 *     cc -std=c99 -o RangeScan RangeScan.c $(pkg-config --cflags --libs quoin) && ./RangeScan quoin-store
 */
#include <quoin.h>

#include <stdio.h>
#include <time.h>

/* Says what went wrong. */
static int complain(const char *message) {
  fprintf(stderr, "RangeScan: %s\n", message);
  return 2;
}

/* Prints rows of a day, a price and a volume, and releases the stream. */
static void print(struct ArrowArrayStream *rows) {
  struct ArrowArray batch;
  int code;
  while ((code = rows->get_next(rows, &batch)) == 0 && batch.release != NULL) {
    const int32_t *days = batch.children[0]->buffers[1];
    const double *highs = batch.children[1]->buffers[1];
    const int64_t *volumes = batch.children[2]->buffers[1];
    for (int64_t row = 0; row < batch.length; row++) {
      const time_t moment = (time_t)days[row] * 86400;
      char day[11];
      strftime(day, sizeof day, "%Y-%m-%d", gmtime(&moment));
      printf("%s %g %lld\n", day, highs[row], (long long)volumes[row]);
    }
    batch.release(&batch);
  }
  if (code != 0) complain(rows->get_last_error(rows));
  rows->release(rows);
}

int main(int count, char **arguments) {
  const char *path = count > 1 ? arguments[1] : "quoin-store";
  const char *fedex[] = {"FDX"};
  quoin_error *error;

  quoin_store *store = quoin_open(path, QUOIN_READ_ONLY, &error);
  quoin_query query = {.size = sizeof query, .tickers = fedex, .ticker_count = 1, .from = "2005-09-01",
                       .where = "80 < high < 83 and 78 < low < 82 and 75 < adj_high < 85", .columns = "date, high, volume"};
  struct ArrowArrayStream rows;
  if (store != NULL && quoin_scan(store, &query, &rows, &error) == QUOIN_OK) print(&rows);

  const int status = error == NULL ? 0 : complain(quoin_error_message(error));
  quoin_error_free(error);
  quoin_close(store);
  return status;
}
