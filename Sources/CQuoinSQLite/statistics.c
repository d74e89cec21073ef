/*
 * Statistics that SQLite lacks, as aggregates and as windows: median, quantile, stddev, variance, corr, covar_samp, regr_slope, regr_r2
 * and the names that Quoin's language has for them, and date_trunc. What is null takes no part.
 */
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* A number of twice the digits, high + low, of which low is at most half a unit in the last place of high (T. J. Dekker, 1971). */
typedef struct twofold {
  double high, low;
} twofold;

static twofold exact_sum(double a, double b) {
  double sum = a + b, part = sum - a;
  return (twofold){sum, (a - (sum - part)) + (b - part)};
}

static twofold plus(twofold a, twofold b) {
  twofold sum = exact_sum(a.high, b.high);
  return exact_sum(sum.high, sum.low + (a.low + b.low));
}

static twofold times(twofold a, twofold b) {
  double product = a.high * b.high;
  return exact_sum(product, fma(a.high, b.high, -product) + (a.high * b.low + a.low * b.high));
}

static twofold negated(twofold a) { return (twofold){-a.high, -a.low}; }

typedef enum statistic { VARIANCE, STDDEV, COVARIANCE, CORRELATION, SLOPE, R2 } statistic;

/* Sums of differences from the first values, so that no digits are lost to a large mean. */
typedef struct moments {
  sqlite3_int64 count;
  double first[2], last[2];
  /* How many of the last values are equal. */
  sqlite3_int64 run[2];
  twofold x, y, xx, xy, yy;
} moments;

/* A number among the arguments: 0 for null, -1 with an error for what is no number. */
static int number(sqlite3_context *result, sqlite3_value *value, double *number) {
  int type = sqlite3_value_numeric_type(value);
  if (type == SQLITE_NULL) return 0;
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
    char *message = sqlite3_mprintf("quoin: '%.40s' is not a number", (const char *)sqlite3_value_text(value));
    sqlite3_result_error(result, message != NULL ? message : "quoin: not a number", -1);
    sqlite3_free(message);
    return -1;
  }
  *number = sqlite3_value_double(value);
  return isfinite(*number);
}

/* The values of a row, those of one column twice; whether they take part. */
static int row(sqlite3_context *result, int count, sqlite3_value **values, double pair[2]) {
  if (number(result, values[0], &pair[0]) <= 0) return 0;
  if (count == 1) pair[1] = pair[0];
  return count == 1 || number(result, values[1], &pair[1]) > 0;
}

static void add(moments *sums, const double pair[2], double sign) {
  twofold x = exact_sum(pair[0], -sums->first[0]), y = exact_sum(pair[1], -sums->first[1]);
  twofold parts[5] = {x, y, times(x, x), times(x, y), times(y, y)};
  twofold *all[5] = {&sums->x, &sums->y, &sums->xx, &sums->xy, &sums->yy};
  for (int i = 0; i < 5; i++) *all[i] = plus(*all[i], sign > 0 ? parts[i] : negated(parts[i]));
  sums->count += sign > 0 ? 1 : -1;
}

static void moments_step(sqlite3_context *result, int count, sqlite3_value **values) {
  double pair[2];
  moments *sums = sqlite3_aggregate_context(result, sizeof *sums);
  if (sums == NULL || !row(result, count, values, pair)) return;
  if (sums->count == 0) *sums = (moments){.first = {pair[0], pair[1]}};
  for (int i = 0; i < 2; i++) {
    sums->run[i] = sums->run[i] > 0 && pair[i] == sums->last[i] ? sums->run[i] + 1 : 1;
    sums->last[i] = pair[i];
  }
  add(sums, pair, 1);
}

static void moments_inverse(sqlite3_context *result, int count, sqlite3_value **values) {
  double pair[2];
  moments *sums = sqlite3_aggregate_context(result, sizeof *sums);
  if (sums != NULL && row(result, count, values, pair)) add(sums, pair, -1);
}

/* The sum of the squares of the deviations from the mean: 0 of equal values, NaN where the sums are too large to tell it. */
static double squares(const moments *sums, int i, twofold products, twofold a) {
  if (sums->run[i] >= sums->count) return 0;
  twofold n = {(double)sums->count, 0};
  double all = plus(times(n, products), negated(times(a, a))).high;
  return all > fabs(n.high * products.high) * 0x1p-80 ? all / n.high : NAN;
}

/* The sum of the products of two deviations. */
static double products(const moments *sums) {
  twofold n = {(double)sums->count, 0};
  return plus(times(n, sums->xy), negated(times(sums->x, sums->y))).high / n.high;
}

static void moments_value(sqlite3_context *result) {
  const moments *sums = sqlite3_aggregate_context(result, 0);
  if (sums == NULL || sums->count < 2) return;
  double xx = squares(sums, 0, sums->xx, sums->x), yy = squares(sums, 1, sums->yy, sums->y);
  double xy = xx == 0 || yy == 0 ? 0 : products(sums), degrees = (double)(sums->count - 1), value = NAN;
  statistic wanted = *(const statistic *)sqlite3_user_data(result);
  // Nothing goes with what doesn't vary.
  if (wanted >= CORRELATION && (yy == 0 || (xx == 0 && wanted != SLOPE))) return;
  switch (wanted) {
  case VARIANCE: value = xx / degrees; break;
  case STDDEV: value = sqrt(xx / degrees); break;
  case COVARIANCE: value = xy / degrees; break;
  case CORRELATION: value = fmax(-1, fmin(1, xy / (sqrt(xx) * sqrt(yy)))); break;
  case SLOPE: value = xy / yy; break;
  case R2: value = fmin(1, (xy / xx) * (xy / yy)); break;
  }
  if (isfinite(value)) sqlite3_result_double(result, value);
}

/* Values, of which the first are in ascending order. */
typedef struct ordered {
  double *values;
  sqlite3_int64 count, sorted_count, capacity;
  double share;
} ordered;

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The first place in order of a value that isn't below. */
static sqlite3_int64 place(const ordered *all, double value) {
  sqlite3_int64 low = 0, high = all->sorted_count;
  while (low < high) {
    sqlite3_int64 middle = low + (high - low) / 2;
    if (all->values[middle] < value) low = middle + 1; else high = middle;
  }
  return low;
}

static void sort(ordered *all) {
  if (all->count - all->sorted_count > 16) {
    qsort(all->values, (size_t)all->count, sizeof(double), compare);
    all->sorted_count = all->count;
  }
  for (; all->sorted_count < all->count; all->sorted_count++) {
    double value = all->values[all->sorted_count];
    sqlite3_int64 at = place(all, value);
    memmove(all->values + at + 1, all->values + at, (size_t)(all->sorted_count - at) * sizeof(double));
    all->values[at] = value;
  }
}

/* The share of `quantile`; that of `median` is the half. */
static int read_share(sqlite3_context *result, int count, sqlite3_value **values, double *share) {
  *share = 0.5;
  if (count == 1 || (number(result, values[1], share) > 0 && *share >= 0 && *share <= 1)) return 1;
  sqlite3_result_error(result, "quoin: quantile(x, share) takes a share from 0 to 1, such as quantile(close, 0.9)", -1);
  return 0;
}

static void ordered_step(sqlite3_context *result, int count, sqlite3_value **values) {
  double value, share;
  ordered *all = sqlite3_aggregate_context(result, sizeof *all);
  if (all == NULL || !read_share(result, count, values, &share)) return;
  all->share = share;
  if (number(result, values[0], &value) <= 0) return;
  if (all->count == all->capacity) {
    sqlite3_int64 capacity = all->capacity > 0 ? all->capacity * 2 : 64;
    double *moved = sqlite3_realloc64(all->values, (sqlite3_uint64)capacity * sizeof(double));
    if (moved == NULL) {
      sqlite3_result_error_nomem(result);
      return;
    }
    all->values = moved;
    all->capacity = capacity;
  }
  all->values[all->count++] = value;
}

static void ordered_inverse(sqlite3_context *result, int count, sqlite3_value **values) {
  double value;
  ordered *all = sqlite3_aggregate_context(result, sizeof *all);
  (void)count;
  if (all == NULL || number(result, values[0], &value) <= 0) return;
  sort(all);
  sqlite3_int64 at = place(all, value);
  if (at == all->count) return;
  memmove(all->values + at, all->values + at + 1, (size_t)(all->count - at - 1) * sizeof(double));
  all->sorted_count = --all->count;
}

/* Between the two nearest values in proportion, as numpy and DuckDB's quantile_cont have it. */
static void ordered_value(sqlite3_context *result) {
  ordered *all = sqlite3_aggregate_context(result, 0);
  if (all == NULL || all->count == 0) return;
  sort(all);
  double at = all->share * (double)(all->count - 1), part = at - floor(at);
  double low = all->values[(sqlite3_int64)at];
  sqlite3_result_double(result, part > 0 ? low + (all->values[(sqlite3_int64)at + 1] - low) * part : low);
}

static void ordered_final(sqlite3_context *result) {
  ordered *all = sqlite3_aggregate_context(result, 0);
  ordered_value(result);
  if (all != NULL) sqlite3_free(all->values);
}

/* date_trunc('month', date): the first day of the period that a day lies in. */
static void date_trunc(sqlite3_context *result, int count, sqlite3_value **values) {
  static const char *const periods[] = {"day", "week", "month", "quarter", "year"};
  const char *period = (const char *)sqlite3_value_text(values[0]), *date = (const char *)sqlite3_value_text(values[1]);
  int year, month, day, length, kind = 0;
  char text[11];
  (void)count;
  if (period == NULL || date == NULL) return;
  while (kind < 5 && sqlite3_stricmp(period, periods[kind]) != 0) kind++;
  if (kind == 5) {
    sqlite3_result_error(result, "quoin: date_trunc(period, date) takes day, week, month, quarter or year", -1);
    return;
  }
  if (sscanf(date, "%4d-%2d-%2d%n", &year, &month, &day, &length) != 3 || length != 10 || month < 1 || month > 12) return;
  int days = day_number(year, month, day);
  write_day(days, text);
  if (strncmp(text, date, 10) != 0) return;
  // 1970-01-01 was a Thursday, and a week begins on Monday.
  if (kind == 1) days -= ((days + 3) % 7 + 7) % 7;
  if (kind >= 2) days = day_number(year, kind == 2 ? month : kind == 3 ? month - (month - 1) % 3 : 1, 1);
  write_day(days, text);
  sqlite3_result_text(result, text, 10, SQLITE_TRANSIENT);
}

/* Whether a connection has a function already, its own or the program's, which stays. */
static int has_function(sqlite3 *database, const char *name, int argument_count) {
  sqlite3_stmt *statement;
  int has = 0;
  if (sqlite3_prepare_v2(
          database, "select 1 from pragma_function_list where name = ? and narg in (?, -1)", -1, &statement, NULL) == SQLITE_OK) {
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 2, argument_count);
    has = sqlite3_step(statement) == SQLITE_ROW;
  }
  sqlite3_finalize(statement);
  return has;
}

/* A function by one of its names. */
typedef struct named_statistic {
  const char *name;
  int argument_count;
  statistic statistic;
  void (*step)(sqlite3_context *, int, sqlite3_value **);
  void (*inverse)(sqlite3_context *, int, sqlite3_value **);
  void (*value)(sqlite3_context *);
  void (*final)(sqlite3_context *);
} named_statistic;

#define OF_MOMENTS moments_step, moments_inverse, moments_value, moments_value
#define OF_ORDER 0, ordered_step, ordered_inverse, ordered_value, ordered_final

int add_statistics(sqlite3 *database) {
  static const named_statistic all[] = {
      {"variance", 1, VARIANCE, OF_MOMENTS}, {"var_samp", 1, VARIANCE, OF_MOMENTS}, {"var", 1, VARIANCE, OF_MOMENTS},
      {"stddev", 1, STDDEV, OF_MOMENTS}, {"stddev_samp", 1, STDDEV, OF_MOMENTS}, {"std", 1, STDDEV, OF_MOMENTS},
      {"covar_samp", 2, COVARIANCE, OF_MOMENTS}, {"cov", 2, COVARIANCE, OF_MOMENTS}, {"corr", 2, CORRELATION, OF_MOMENTS},
      {"regr_slope", 2, SLOPE, OF_MOMENTS}, {"slope", 2, SLOPE, OF_MOMENTS}, {"regr_r2", 2, R2, OF_MOMENTS}, {"r2", 2, R2, OF_MOMENTS},
      {"median", 1, OF_ORDER}, {"quantile", 2, OF_ORDER}, {"quantile_cont", 2, OF_ORDER},
  };
  enum { FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC };
  int code = SQLITE_OK, has_windows = sqlite3_libversion_number() >= 3025000;
  for (size_t i = 0; i < sizeof all / sizeof *all && code == SQLITE_OK; i++) {
    const named_statistic *one = &all[i];
    void *which = (void *)&one->statistic;
    if (has_function(database, one->name, one->argument_count)) continue;
    code = has_windows
               ? sqlite3_create_window_function(
                     database, one->name, one->argument_count, FLAGS, which, one->step, one->final, one->value, one->inverse, NULL)
               : sqlite3_create_function_v2(database, one->name, one->argument_count, FLAGS, which, NULL, one->step, one->final, NULL);
  }
  if (code == SQLITE_OK && !has_function(database, "date_trunc", 2)) {
    code = sqlite3_create_function_v2(database, "date_trunc", 2, FLAGS, NULL, date_trunc, NULL, NULL, NULL);
  }
  return code;
}
