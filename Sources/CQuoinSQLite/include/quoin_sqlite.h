/*
 * Quoin for SQLite: a store as a table that is only read.
 *
 *     .load ./libquoin
 *     create virtual table temp.quotes using quoin('quoin-store');
 *     select date, high from quotes where ticker = 'FDX' and high between 80 and 83;
 *
 * What SQL is slow at, the store answers, with the words of the command `quoin`:
 *
 *     quoin_aggregate(store, aggregates, by, condition)    the columns ticker, period (its first day), weekday, value1 to value16
 *     quoin_columns(store, columns, condition)             the columns ticker, date, value1 to value16
 *     quoin_bars(store, period)                            the columns of quotes
 *
 *     select ticker, period, value1 from quoin_aggregate('quoin-store', 'max(close)', 'month', 'volume > 1e6') where value1 > 80;
 *     create virtual table temp.highs using quoin_aggregate('quoin-store', 'max(close) as high', 'month');
 *     select ticker, month, high from highs;
 *
 * A key that is an expression, such as month(date), is one of the values. A table that is made of such a function has the columns of the
 * answer by their names. The store is a path, or the name of a table of the module `quoin`: a statement sees the same commit of both. The
 * last arguments may be left out or null.
 *
 * As aggregates and windows: median(x), quantile(x, share), stddev, variance, corr(x, y), covar_samp, regr_slope, regr_r2, and std, var,
 * cov, slope, r2; and date_trunc(period, date). Names in double quotes are never texts in such a connection (SQLITE_DBCONFIG_DQS_DML).
 *
 * SQLite finds this function in libquoin by its name. A program that has both libraries calls
 * sqlite3_auto_extension((void (*)(void))sqlite3_quoin_init) once instead, before it opens a connection.
 */
#ifndef QUOIN_SQLITE_H
#define QUOIN_SQLITE_H

#ifdef __cplusplus
extern "C" {
#endif

struct sqlite3;
struct sqlite3_api_routines;

/* Adds the modules and the functions to a connection. Returns a code of SQLite's. */
int sqlite3_quoin_init(struct sqlite3 *connection, char **message, const struct sqlite3_api_routines *functions);

#ifdef __cplusplus
}
#endif

#endif /* QUOIN_SQLITE_H */
