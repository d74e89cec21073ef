/* Arrow's batches as rows of SQLite's. */
#include "answer.h"
#include "table.h"

#include <errno.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

static int failed_reading(struct ArrowArrayStream *stream, int code, char **message) {
  const char *sentence = stream->get_last_error(stream);
  sqlite3_free(*message);
  *message = sqlite3_mprintf("quoin: %s", sentence != NULL ? sentence : "the store can't be read");
  return code == EINTR ? SQLITE_INTERRUPT : SQLITE_ERROR;
}

cell_kind kind_of(const struct ArrowSchema *field) {
  switch (field->format[0]) {
  case 'i': return TICKER_CELL;
  case 't': return DAY_CELL;
  case 'l': return INTEGER_CELL;
  default: return REAL_CELL;
  }
}

int read_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema, char **message) {
  int code = stream->get_schema(stream, schema);
  return code == 0 ? SQLITE_OK : failed_reading(stream, code, message);
}

/* Finds the cells of the batch. */
static void find_cells(answer *answer) {
  for (int i = 0; i < answer->column_count; i++) {
    const struct ArrowArray *array = answer->batch.children[i];
    cells *column = &answer->columns[i];
    int64_t first = answer->batch.offset + array->offset;
    int is_short = column->kind == TICKER_CELL || column->kind == DAY_CELL;
    column->values = (const char *)array->buffers[1] + first * (is_short ? 4 : 8);
    column->validity = array->buffers[0];
    column->bit = first;
    if (column->kind == TICKER_CELL) {
      column->starts = (const int32_t *)array->dictionary->buffers[1] + array->dictionary->offset;
      column->texts = array->dictionary->buffers[2];
    }
  }
}

/* Gets the next batch that has rows. There is none after the last row. */
static int read_batch(answer *answer, char **message) {
  do {
    if (answer->batch.release != NULL) answer->batch.release(&answer->batch);
    int code = answer->stream.get_next(&answer->stream, &answer->batch);
    if (code != 0) {
      answer->batch.release = NULL;
      return failed_reading(&answer->stream, code, message);
    }
  } while (answer->batch.release != NULL && answer->batch.length == 0);
  answer->row = 0;
  if (answer->batch.release != NULL) find_cells(answer);
  return SQLITE_OK;
}

int begin_answer(answer *answer, char **message) {
  struct ArrowSchema schema;
  int code = read_schema(&answer->stream, &schema, message);
  if (code != SQLITE_OK) return code;
  answer->column_count = (int)schema.n_children;
  answer->columns = sqlite3_malloc64((size_t)(schema.n_children + 1) * sizeof *answer->columns);
  if (answer->columns != NULL) {
    for (int i = 0; i < answer->column_count; i++) {
      answer->columns[i].kind = kind_of(schema.children[i]);
      answer->columns[i].is_weekday = strcmp(schema.children[i]->name, "weekday") == 0;
    }
  }
  schema.release(&schema);
  return answer->columns == NULL ? SQLITE_NOMEM : read_batch(answer, message);
}

int next_row(answer *answer, char **message) {
  return ++answer->row < answer->batch.length ? SQLITE_OK : read_batch(answer, message);
}

void give_cell(const answer *answer, int column, sqlite3_context *result) {
  const cells *cells = &answer->columns[column];
  int64_t row = answer->row, bit = cells->bit + row;
  if (cells->validity != NULL && !(cells->validity[bit >> 3] >> (bit & 7) & 1)) return;
  switch (cells->kind) {
  case REAL_CELL: sqlite3_result_double(result, ((const double *)cells->values)[row]); break;
  case INTEGER_CELL: sqlite3_result_int64(result, ((const int64_t *)cells->values)[row]); break;
  case TICKER_CELL: {
    int32_t place = ((const int32_t *)cells->values)[row], start = cells->starts[place];
    sqlite3_result_text(result, cells->texts + start, cells->starts[place + 1] - start, SQLITE_TRANSIENT);
    break;
  }
  case DAY_CELL: {
    char text[11];
    write_day(((const int32_t *)cells->values)[row], text);
    sqlite3_result_text(result, text, 10, SQLITE_TRANSIENT);
  }
  }
}

void end_answer(answer *answer) {
  if (answer->batch.release != NULL) answer->batch.release(&answer->batch);
  if (answer->stream.release != NULL) answer->stream.release(&answer->stream);
  sqlite3_free(answer->columns);
  memset(answer, 0, sizeof *answer);
}
