/* What SQLite's values select, in Quoin's language. */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* Longer conditions are left to SQLite. Quoin reads at most 64 KiB, of which the rest is for EXACT_MAX numbers. */
enum { TEXT_MAX = 40000, REST = EXACT_MAX * 100, LIST_MAX = 500 };

void write_day(int day, char text[11]) {
  // Howard Hinnant's days_from_civil backwards; a year begins in March.
  int days = day + 719468, era = (days >= 0 ? days : days - 146096) / 146097, of_era = days - era * 146097;
  int year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  int of_year = of_era - (365 * year + year / 4 - year / 100), march_month = (5 * of_year + 2) / 153;
  int month = march_month < 10 ? march_month + 3 : march_month - 9;
  int parts[3] = {year + era * 400 + (month <= 2), month, of_year - (153 * march_month + 2) / 5 + 1};
  int ends[3] = {3, 6, 9}, starts[3] = {0, 5, 8};
  text[4] = text[7] = '-';
  text[10] = 0;
  for (int part = 0; part < 3; part++) {
    for (int i = ends[part]; i >= starts[part]; i--, parts[part] /= 10) text[i] = (char)('0' + parts[part] % 10);
  }
}

int day_number(int year, int month, int day) {
  // Howard Hinnant's days_from_civil; a year begins in March.
  int years = year - (month <= 2), era = (years >= 0 ? years : years - 399) / 400, of_era = years - era * 400;
  int of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* How a text of ours and one of SQLite's are ordered in BINARY: negative, zero or positive. */
static int order(const char *text, sqlite3_value *value) {
  size_t length = strlen(text), other = (size_t)sqlite3_value_bytes(value);
  int order = memcmp(text, sqlite3_value_text(value), length < other ? length : other);
  return order != 0 ? order : length < other ? -1 : length > other;
}

/* How the text in a place is ordered with regard to a value: days, or tickers. */
static int order_in_place(const source *source, int column, int place, sqlite3_value *value) {
  char text[11];
  if (column == TICKER) return order(source->tickers[place], value);
  write_day(place, text);
  return order(text, value);
}

/* The first place whose text is at least the value, or above it. */
static int first_place(const source *source, int column, sqlite3_value *value, int is_above) {
  int low = column == TICKER ? 0 : EARLIEST_DAY, high = column == TICKER ? (int)source->ticker_count : LATEST_DAY + 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (order_in_place(source, column, middle, value) < is_above) low = middle + 1; else high = middle;
  }
  return low;
}

int place_of_ticker(const source *source, sqlite3_value *value) {
  if (sqlite3_value_type(value) != SQLITE_TEXT || sqlite3_value_text(value) == NULL) return -1;
  int place = first_place(source, TICKER, value, 0);
  return place < first_place(source, TICKER, value, 1) ? place : -1;
}

/* Leaves only the tickers or the days in places from `first` on and before `end`. */
static void keep(const source *source, int column, int first, int end, selection *rows) {
  if (column == DATE) {
    if (first > rows->first_day) rows->first_day = first;
    if (end - 1 < rows->last_day) rows->last_day = end - 1;
  } else {
    for (int i = 0; i < (int)source->ticker_count; i++) rows->tickers[i] &= i >= first && i < end;
  }
}

/* Leaves what begins as a pattern does, up to its first sign that stands for others. SQLite looks at the rest. */
static void compare_pattern(const source *source, int column, int is_like, sqlite3_value *value, selection *rows) {
  if (sqlite3_value_type(value) != SQLITE_TEXT || sqlite3_value_text(value) == NULL) return;
  const char *pattern = (const char *)sqlite3_value_text(value);
  int length = (int)strcspn(pattern, is_like ? "%_" : "*?[");
  for (int i = 0; i < length; i++) {
    // Letters beyond ASCII may have cases that we don't know.
    if ((unsigned char)pattern[i] >= 128) length = i;
  }
  if (column == TICKER) {
    for (size_t i = 0; i < source->ticker_count; i++) {
      const char *ticker = source->tickers[i];
      rows->tickers[i] &= (is_like ? sqlite3_strnicmp(ticker, pattern, length) : strncmp(ticker, pattern, (size_t)length)) == 0;
    }
    return;
  }
  int ends[2];
  for (int is_above = 0; is_above < 2; is_above++) {
    int low = EARLIEST_DAY, high = LATEST_DAY + 1;
    while (low < high) {
      int middle = low + (high - low) / 2;
      char text[11];
      write_day(middle, text);
      if (strncmp(text, pattern, (size_t)length) < is_above) low = middle + 1; else high = middle;
    }
    ends[is_above] = low;
  }
  keep(source, column, ends[0], ends[1], rows);
}

/* Leaves the tickers that are equal to a number, as '07' and '7' are to 7. */
static void keep_numbers(const source *source, double number, selection *rows) {
  for (size_t i = 0; i < source->ticker_count; i++) {
    char *end;
    rows->tickers[i] &= strtod(source->tickers[i], &end) == number && *end == 0 && end != source->tickers[i];
  }
}

/* A comparison of the ticker or the date with a text. Every text is a bound, '2005' too. */
static void compare_text(const source *source, int column, int code, sqlite3_value *value, selection *rows) {
  int first = INT32_MIN, end = INT32_MAX, type = sqlite3_value_type(value);
  if (column == TICKER && code == SQLITE_INDEX_CONSTRAINT_EQ) {
    // Bytes are equal to no text.
    if (type == SQLITE_BLOB) rows->is_empty = 1;
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) keep_numbers(source, sqlite3_value_double(value), rows);
  }
  if (type != SQLITE_TEXT || sqlite3_value_text(value) == NULL) return;
  switch (code) {
  case SQLITE_INDEX_CONSTRAINT_EQ:
  case SQLITE_INDEX_CONSTRAINT_IS:
    first = first_place(source, column, value, 0);
    end = first_place(source, column, value, 1);
    break;
  case SQLITE_INDEX_CONSTRAINT_GE: first = first_place(source, column, value, 0); break;
  case SQLITE_INDEX_CONSTRAINT_GT: first = first_place(source, column, value, 1); break;
  case SQLITE_INDEX_CONSTRAINT_LT: end = first_place(source, column, value, 0); break;
  case SQLITE_INDEX_CONSTRAINT_LE: end = first_place(source, column, value, 1); break;
  default: return;
  }
  keep(source, column, first, end, rows);
}

/* Adds a number to a text; 0 if Quoin would read another one. */
static int append_number(sqlite3_str *text, sqlite3_value *value) {
  if (!is_number(value)) return 0;
  if (sqlite3_value_type(value) == SQLITE_INTEGER) {
    sqlite3_str_appendf(text, "%lld", sqlite3_value_int64(value));
  } else {
    double number = sqlite3_value_double(value);
    char digits[32];
    // Minus zero is zero for SQLite. A locale may have another point.
    int length = snprintf(digits, sizeof digits, "%.17g", number == 0 ? 0.0 : number);
    for (int i = 0; i < length; i++) {
      if (strchr("+-0123456789e", digits[i]) == NULL) digits[i] = '.';
    }
    sqlite3_str_append(text, digits, length);
  }
  return 1;
}

/* Adds a condition to those of a selection, unless they get longer than that. Frees the text. */
static void add(sqlite3_str *text, int is_said, int length_max, selection *rows) {
  char *condition = sqlite3_str_finish(text);
  if (is_said && condition != NULL && sqlite3_str_length(rows->where) + (int)strlen(condition) <= length_max) {
    sqlite3_str_appendf(rows->where, "%s%s", sqlite3_str_length(rows->where) > 0 ? " and " : "", condition);
  }
  sqlite3_free(condition);
}

/* A comparison with the values of a list. */
static int compare_list(const source *source, int column, sqlite3_value *list, selection *rows) {
  unsigned char *listed = column == TICKER ? sqlite3_malloc64(source->ticker_count + 1) : NULL;
  if (column == TICKER) {
    if (listed == NULL) return SQLITE_NOMEM;
    memset(listed, 0, source->ticker_count);
  }
  sqlite3_str *text = sqlite3_str_new(NULL);
  sqlite3_str_appendf(text, "%s in (", column_names[column]);
  sqlite3_value *value = NULL;
  int count = 0, is_said = 1, code = sqlite3_vtab_in_first(list, &value);
  for (; code == SQLITE_OK && is_said; code = sqlite3_vtab_in_next(list, &value)) {
    if (sqlite3_value_type(value) == SQLITE_NULL) continue;
    if (column <= DATE) {
      if (sqlite3_value_type(value) != SQLITE_TEXT) { is_said = 0; break; }
      int place = first_place(source, column, value, 0);
      if (place >= first_place(source, column, value, 1)) continue;
      if (column == TICKER) {
        listed[place] = 1;
      } else {
        char day[11];
        write_day(place, day);
        sqlite3_str_appendf(text, "%s%s", count > 0 ? ", " : "", day);
      }
    } else {
      if (count > 0) sqlite3_str_appendall(text, ", ");
      if (!append_number(text, value)) { is_said = 0; break; }
    }
    if (++count > LIST_MAX && column != TICKER) is_said = 0;
  }
  sqlite3_str_appendall(text, ")");
  if (is_said && count == 0) rows->is_empty = 1;
  if (is_said && column == TICKER) {
    for (size_t i = 0; i < source->ticker_count; i++) rows->tickers[i] &= listed[i];
  }
  if (column == TICKER || count == 0) {
    sqlite3_free(sqlite3_str_finish(text));
  } else {
    add(text, is_said, TEXT_MAX, rows);
  }
  sqlite3_free(listed);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* A comparison of a column with a value. */
static int compare(const source *source, int column, const comparison *comparison, sqlite3_value *value, selection *rows) {
  int code = comparison->code;
  if (code == IN_LIST) return compare_list(source, column, value, rows);
  if (code == SQLITE_INDEX_CONSTRAINT_IS && sqlite3_value_type(value) == SQLITE_NULL) {
    code = SQLITE_INDEX_CONSTRAINT_ISNULL;
    comparison = comparison_of_code(code);
  }
  if (code == SQLITE_INDEX_CONSTRAINT_ISNULL || code == SQLITE_INDEX_CONSTRAINT_ISNOTNULL) {
    if (column > DATE) {
      sqlite3_str *text = sqlite3_str_new(NULL);
      sqlite3_str_appendf(text, "%s%s", column_names[column], comparison->sign);
      add(text, 1, TEXT_MAX + REST, rows);
    } else if (code == SQLITE_INDEX_CONSTRAINT_ISNULL) {
      rows->is_empty = 1;
    }
  } else if (sqlite3_value_type(value) == SQLITE_NULL) {
    rows->is_empty = 1;
  } else if (code == SQLITE_INDEX_CONSTRAINT_LIKE || code == SQLITE_INDEX_CONSTRAINT_GLOB) {
    compare_pattern(source, column, code == SQLITE_INDEX_CONSTRAINT_LIKE, value, rows);
  } else if (column <= DATE) {
    compare_text(source, column, code, value, rows);
  } else {
    // A text stays SQLite's, which knows whether it is a number.
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendf(text, "%s %s ", column_names[column], comparison->sign);
    int is_said = append_number(text, value);
    add(text, is_said, TEXT_MAX + REST, rows);
  }
  return SQLITE_OK;
}

int select_rows(const source *source, const char *conditions, int count, sqlite3_value **values, selection *rows) {
  rows->first_day = EARLIEST_DAY;
  rows->last_day = LATEST_DAY;
  memset(rows->tickers, 1, source->ticker_count);
  const char *text = conditions;
  for (int i = 0; i < count; i++) {
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
    int column = 0;
    while (strncmp(column_names[column], text, length) != 0 || column_names[column][length] != 0) column++;
    const comparison *comparison = comparison_of_text(text + length);
    int code = compare(source, column, comparison, values[i], rows);
    if (code != SQLITE_OK) return code;
    text += length + strlen(comparison->text);
    if (*text != 0) text += strlen(" and ");
  }
  if (rows->first_day > rows->last_day) rows->is_empty = 1;
  return sqlite3_str_errcode(rows->where);
}
