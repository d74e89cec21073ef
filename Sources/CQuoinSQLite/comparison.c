/* The comparisons that the store takes over, and the values that it compares. */
#include "table.h"

#include <math.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* A text comes after those that it begins with. */
static const comparison comparisons[] = {
    {SQLITE_INDEX_CONSTRAINT_EQ, "=?", "="},
    {SQLITE_INDEX_CONSTRAINT_NE, "!=?", "!="},
    {SQLITE_INDEX_CONSTRAINT_LE, "<=?", "<="},
    {SQLITE_INDEX_CONSTRAINT_LT, "<?", "<"},
    {SQLITE_INDEX_CONSTRAINT_GE, ">=?", ">="},
    {SQLITE_INDEX_CONSTRAINT_GT, ">?", ">"},
    {SQLITE_INDEX_CONSTRAINT_IS, " is ?", "="},
    {SQLITE_INDEX_CONSTRAINT_ISNULL, " is null", " is missing"},
    {SQLITE_INDEX_CONSTRAINT_ISNOTNULL, " is not null", " is not missing"},
    {SQLITE_INDEX_CONSTRAINT_LIKE, " like ?", NULL},
    {SQLITE_INDEX_CONSTRAINT_GLOB, " glob ?", NULL},
    {IN_LIST, " in ?", " in "},
};

enum { COMPARISON_COUNT = sizeof comparisons / sizeof *comparisons };

const comparison *comparison_of_code(int code) {
  for (int i = 0; i < COMPARISON_COUNT; i++) {
    if (comparisons[i].code == code) return &comparisons[i];
  }
  return NULL;
}

const comparison *comparison_of_text(const char *text) {
  for (int i = 0; i < COMPARISON_COUNT; i++) {
    if (strncmp(text, comparisons[i].text, strlen(comparisons[i].text)) == 0) return &comparisons[i];
  }
  return NULL;
}

int is_number(sqlite3_value *value) {
  if (sqlite3_value_type(value) == SQLITE_FLOAT) return isfinite(sqlite3_value_double(value));
  sqlite3_int64 number = sqlite3_value_int64(value), exact = (sqlite3_int64)1 << 53;
  return sqlite3_value_type(value) == SQLITE_INTEGER && -exact <= number && number <= exact;
}
