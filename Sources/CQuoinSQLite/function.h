/* The functions that are tables: their arguments and columns, and what they ask. */
#ifndef QUOIN_SQLITE_FUNCTION_H
#define QUOIN_SQLITE_FUNCTION_H

#include "answer.h"
#include "table.h"

enum { ARGUMENT_MAX = 4, VALUE_MAX = 16, BY = 2, FUNCTION_COUNT = 3 };

typedef enum function_kind { AGGREGATE, COLUMNS, BARS } function_kind;

typedef struct function {
  const char *name;
  function_kind kind;
  /* How a table of it is made. */
  const char *usage;
  /* The form that is called; arguments are hidden columns behind the others. */
  const char *declaration;
  /* The columns of that form, and how many of them aren't values. */
  int column_count, key_count;
  int argument_count, required_count;
} function;

extern const function functions[FUNCTION_COUNT];

/* Asks a store. `ticker` is NULL for all; `limit` may be QUOIN_NO_ROWS. */
quoin_code ask(
    const function *function, quoin_store *store, char *const arguments[], const char *ticker, int64_t limit,
    struct ArrowArrayStream *stream, quoin_error **error);

/* How many keys groups have: an aggregate may have the name of a key that they don't have. */
int key_count(char *const arguments[]);

#endif
