"""DuckDB: a native table in a database file, in ticker and date order."""

import duckdb

from Peers.features import FOURTEEN, NAMES, in_sql
from queries import COLUMNS, SCANS, WHOLE, sql

version = duckdb.__version__
TYPES = {"ticker": "VARCHAR", "date": "DATE"} | {name: "BIGINT" for name in WHOLE}
TABLE = "read_csv('CSV', header = true, columns = " + str({name: TYPES.get(name, "DOUBLE") for name in COLUMNS}) + ")"

BEFORE = "FROM (SELECT *, {} FROM wiki WINDOW t AS (PARTITION BY ticker ORDER BY date))"
COMPUTED = {
    "A1": in_sql(NAMES, "wiki", 6, 500),
    "A2": in_sql(FOURTEEN, "wiki", 4, 800),
    "A3": "SELECT count(*) FROM wiki WHERE close > open * 1.1",
    "A4": "SELECT count(*) " + BEFORE.format("lag(close, 5) OVER t AS before") + " WHERE close / before - 1 > 0.2",
    # Kahan's sum: with avg, which takes no longer, one close in 15,000 is above a mean that it is equal to.
    "A5": "SELECT count(*) FROM (SELECT close, favg(close) OVER w AS mean, count(*) OVER w AS rows FROM wiki"
          " WINDOW w AS (PARTITION BY ticker ORDER BY date ROWS 199 PRECEDING)) WHERE rows = 200 AND close > mean",
    # Equal values share the mean of their places.
    "A6": "SELECT CASE WHEN change IS NOT NULL THEN close * (rank() OVER (PARTITION BY date ORDER BY change NULLS LAST)"
          " + (count(*) OVER (PARTITION BY date, change) - 1) / 2) END AS rank "
          + BEFORE.format("close / lag(close, 5) OVER t - 1 AS change"),
    "A8": "SELECT pow(corr(close, row) OVER (ORDER BY row ROWS 19 PRECEDING), 2) AS r2 FROM"
          " (SELECT close, row_number() OVER (ORDER BY date) AS row FROM wiki WHERE ticker = 'PG')",
}


def loading(csv):
    """The statements of a load, for the command line too."""
    return [f"CREATE TABLE wiki AS FROM {TABLE.replace('CSV', csv)}", "CHECKPOINT"]


def load(csv, directory, threads):
    with connect(directory, threads) as connection:
        for statement in loading(csv):
            connection.execute(statement)
        return connection.execute("SELECT count(*) FROM wiki").fetchone()[0]


def connect(directory, threads):
    connection = duckdb.connect(f"{directory}/wiki.duckdb")
    connection.execute(f"SET threads = {threads}")
    return connection


class Peer:
    def __init__(self, directory, threads):
        self.connection, self.threads = connect(directory, threads), threads

    def cases(self):
        dialect = {"first": "arg_min(open, date)", "last": "arg_max(close, date)", "month": "date_trunc('month', date)"}
        texts = {query.name: sql(query, "wiki", **dialect) for query in SCANS} | COMPUTED
        if self.threads == 1:
            del texts["A1"]  # minutes
        return {name: lambda text=text: self.connection.sql(text).to_arrow_table() for name, text in texts.items()}

    def table(self, found):
        is_count = found.column_names == ["count_star()"]
        return found.column(0)[0].as_py() if is_count else found

    def append(self, csv):
        # The log is synced before this returns.
        self.connection.execute(f"INSERT INTO wiki FROM {TABLE.replace('CSV', csv)}")
