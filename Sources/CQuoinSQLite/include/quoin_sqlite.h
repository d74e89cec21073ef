/*
 * Quoin for SQLite: a store as a table that is only read.
 *
 *     .load ./libquoin
 *     create virtual table temp.quotes using quoin('quoin-store');
 *     select date, high from quotes where ticker = 'FDX' and high between 80 and 83;
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

/* Adds the module `quoin` and the function quoin_version() to a connection. Returns a code of SQLite's. */
int sqlite3_quoin_init(struct sqlite3 *connection, char **message, const struct sqlite3_api_routines *functions);

#ifdef __cplusplus
}
#endif

#endif /* QUOIN_SQLITE_H */
