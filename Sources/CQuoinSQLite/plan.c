/* Which conditions and which order the store takes over from SQLite. */
#include "table.h"

SQLITE_EXTENSION_INIT3

char *list_columns(int columns, int places[COLUMN_COUNT]) {
  sqlite3_str *names = sqlite3_str_new(NULL);
  int place = 0;
  for (int i = 0; i < COLUMN_COUNT; i++) {
    int is_read = i <= DATE || columns & 1 << i;
    places[i] = is_read ? place++ : -1;
    if (is_read) sqlite3_str_appendf(names, "%s%s", i > 0 ? "," : "", column_names[i]);
  }
  return sqlite3_str_finish(names);
}

int is_binary(sqlite3_index_info *info, int i) {
  const char *collation = sqlite3_vtab_collation(info, i);
  return collation != NULL && sqlite3_stricmp(collation, "BINARY") == 0;
}

/* The column that a condition is about, whichever way it is spelled. */
static int column_of(const sqlite3_index_info *info, int i) {
  int column = info->aConstraint[i].iColumn;
  return column == COLUMN_COUNT ? EX_DIVIDEND : column;
}

/* Whether a comparison is one with a pattern, whose beginning selects rows. */
static int is_pattern(int code) { return code == SQLITE_INDEX_CONSTRAINT_LIKE || code == SQLITE_INDEX_CONSTRAINT_GLOB; }

/* The comparison of a condition that can be told to the store; NULL for others. */
static const comparison *comparison_of(sqlite3_index_info *info, int i) {
  const struct sqlite3_index_constraint *condition = &info->aConstraint[i];
  if (!condition->usable || condition->iColumn < 0) return NULL;
  int code = condition->op;
  if (is_pattern(code)) return condition->iColumn <= DATE ? comparison_of_code(code) : NULL;
  if (condition->iColumn <= DATE && !is_binary(info, i)) return NULL;
  // Before 3.38 SQLite asks for each value of a list by itself.
  if (code == SQLITE_INDEX_CONSTRAINT_EQ && sqlite3_libversion_number() >= 3038000 && sqlite3_vtab_in(info, i, -1)) {
    sqlite3_vtab_in(info, i, 1);
    code = IN_LIST;
  }
  return comparison_of_code(code);
}

/* The share of the rows that a condition leaves, more or less. */
static double share(const source *source, int column, int code) {
  int is_equal = code == SQLITE_INDEX_CONSTRAINT_EQ || code == SQLITE_INDEX_CONSTRAINT_IS;
  double tickers = source->ticker_count > 0 ? (double)source->ticker_count : 1;
  double days = (double)source->row_count / tickers + 1;
  if (code == SQLITE_INDEX_CONSTRAINT_NE || code == SQLITE_INDEX_CONSTRAINT_ISNOTNULL) return 1;
  if (column == TICKER && (is_equal || code == IN_LIST)) return (is_equal ? 1 : 10 < tickers ? 10 : tickers) / tickers;
  if (column == DATE && (is_equal || code == IN_LIST)) return (is_equal ? 1 : 10 < days ? 10 : days) / days;
  return is_equal ? 0.001 : code == IN_LIST ? 0.01 : 0.25;
}

/* The value of a condition, if the statement itself has it; NULL for a parameter or a cell of another table. */
static sqlite3_value *written_value(sqlite3_index_info *info, int i) {
  sqlite3_value *value;
  if (sqlite3_libversion_number() < 3038000 || sqlite3_vtab_rhs_value(info, i, &value) != SQLITE_OK) return NULL;
  return value;
}

/* Whether a condition says that there is one ticker. A number could be equal to several, such as '07' and '7': see filter(). */
static int is_one_ticker(sqlite3_index_info *info, int i) {
  if (info->aConstraint[i].iColumn != TICKER || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) return 0;
  sqlite3_value *value = written_value(info, i);
  return value == NULL || sqlite3_value_type(value) == SQLITE_TEXT;
}

/* Whether the store takes a condition over wholly, so that SQLite needn't look at the rows again. */
static int is_exact(sqlite3_index_info *info, int i, const comparison *comparison) {
  int column = column_of(info, i);
  // More may be too long to be said to the store.
  if (info->nConstraint > EXACT_MAX || comparison->code == IN_LIST || is_pattern(comparison->code)) return 0;
  if (comparison->code == SQLITE_INDEX_CONSTRAINT_ISNULL || comparison->code == SQLITE_INDEX_CONSTRAINT_ISNOTNULL) return 1;
  sqlite3_value *value = written_value(info, i);
  if (value == NULL) return 0;
  if (column > DATE) return is_number(value);
  return comparison->code != SQLITE_INDEX_CONSTRAINT_NE && sqlite3_value_type(value) == SQLITE_TEXT;
}

/* Whether rows come in the order that is asked for; `plan` gets how they are asked for then. */
static int is_ordered(const sqlite3_index_info *info, int has_one_ticker, int *plan) {
  int i = 0;
  if (info->nOrderBy > 0 && info->aOrderBy[0].iColumn == TICKER) {
    if (info->aOrderBy[0].desc && !has_one_ticker) return 0;
    i = 1;
  } else if (!has_one_ticker) {
    return info->nOrderBy == 0;
  }
  if (i < info->nOrderBy) {
    if (info->aOrderBy[i].iColumn != DATE) return 0;
    if (info->aOrderBy[i].desc) *plan |= NEWEST_FIRST;
  }
  if (info->nOrderBy > 0 && (info->aOrderBy[0].iColumn != TICKER || info->aOrderBy[0].desc)) *plan |= ONE_TICKER;
  // A ticker has one row a day, so whatever follows orders nothing.
  return 1;
}

int plan_scan(sqlite3_vtab *base, sqlite3_index_info *info) {
  const source *source = ((table *)base)->source;
  sqlite3_str *text = sqlite3_str_new(NULL);
  int plan = (int)(info->colUsed & ((1 << COLUMN_COUNT) - 1));
  if (info->colUsed >> COLUMN_COUNT & 1) plan |= 1 << EX_DIVIDEND;
  int count = 0, has_one_ticker = 0, exact_columns = 0, is_lookup = 0;
  double rows = (double)source->row_count;
  for (int i = 0; i < info->nConstraint; i++) {
    // Limits stay SQLite's, which stops asking. It offers them though there are conditions it doesn't offer, such as a = b (3.40).
    const comparison *comparison = comparison_of(info, i);
    if (comparison == NULL) continue;
    if (comparison->code == SQLITE_INDEX_CONSTRAINT_EQ && is_one_ticker(info, i)) has_one_ticker = 1;
    int column = column_of(info, i);
    is_lookup |= column == TICKER && (comparison->code == SQLITE_INDEX_CONSTRAINT_EQ || comparison->code == SQLITE_INDEX_CONSTRAINT_IS);
    sqlite3_str_appendf(text, "%s%s%s", count > 0 ? " and " : "", column_names[column], comparison->text);
    info->aConstraintUsage[i].argvIndex = ++count;
    info->aConstraintUsage[i].omit = (unsigned char)is_exact(info, i, comparison);
    if (info->aConstraintUsage[i].omit) exact_columns |= 1 << column;
    rows *= share(source, column, comparison->code);
  }
  if ((plan & ~exact_columns) == 0) plan |= COUNTING;
  info->orderByConsumed = is_ordered(info, has_one_ticker, &plan);
  info->idxNum = plan;
  info->estimatedRows = (sqlite3_int64)(rows < 1 ? 1 : rows);
  // To begin costs as much as some hundred rows, but a ticker that is asked for again is kept in memory.
  info->estimatedCost = rows + (is_lookup ? 10 : 300);
  int code = sqlite3_str_errcode(text);
  info->idxStr = sqlite3_str_finish(text);
  info->needToFreeIdxStr = 1;
  return code;
}
