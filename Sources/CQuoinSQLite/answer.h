/* What the store answers, row by row. */
#ifndef QUOIN_SQLITE_ANSWER_H
#define QUOIN_SQLITE_ANSWER_H

#include "quoin.h"
#include <sqlite3ext.h>

/* How the cells of a column are given to SQLite: as text, an integer or a real number. */
typedef enum cell_kind { TICKER_CELL, DAY_CELL, INTEGER_CELL, REAL_CELL } cell_kind;

/* A column of the batch that is read. */
typedef struct cells {
  cell_kind kind;
  int is_weekday;
  const void *values;
  /* NULL if no cell is missing; otherwise the bit of the first row is bit `bit` of them. */
  const uint8_t *validity;
  int64_t bit;
  /* The texts of tickers, and where they begin. */
  const char *texts;
  const int32_t *starts;
} cells;

/* A stream of batches. All zeros is one that is over. */
typedef struct answer {
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  int64_t row;
  int column_count;
  cells *columns;
} answer;

/* Reads the first row of `answer->stream`. Returns a code of SQLite's. */
int begin_answer(answer *answer, char **message);

/* Goes on to the next row, behind the last one too. Returns a code of SQLite's. */
int next_row(answer *answer, char **message);

static inline int is_at_end(const answer *answer) { return answer->batch.release == NULL; }

/* The cell of a column in the present row. */
void give_cell(const answer *answer, int column, sqlite3_context *result);

/* The place of the ticker, or the day, of the present row. */
static inline int32_t place_at(const answer *answer, int column) {
  return ((const int32_t *)answer->columns[column].values)[answer->row];
}

/* Frees what an answer has. It is over then. */
void end_answer(answer *answer);

/* The kind of the cells of a field of a schema. */
cell_kind kind_of(const struct ArrowSchema *field);

/* Gets a stream's schema, which the caller releases. Returns a code of SQLite's. */
int read_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema, char **message);

#endif
