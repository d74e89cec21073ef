"""SQLite as Core Data would use it: one row an object, dates as seconds since 2001, indexes on ticker and date.

Only the loading is here; `SQLite/` asks the questions, in Swift, for Python's objects would be the slower half."""

import re
import sqlite3
from datetime import date

import polars

from Peers.polars_peer import TYPES
from queries import COLUMNS, CSV_COLUMNS, SCANS, WHOLE, sql

version = sqlite3.sqlite_version
COLUMN_TYPES = {"ticker": "VARCHAR", "date": "TIMESTAMP"} | {name: "INTEGER" for name in WHOLE}


def load(csv, directory, threads):
    database = sqlite3.connect(f"{directory}/wiki.sqlite")
    columns = ", ".join(f"{name} {COLUMN_TYPES.get(name, 'FLOAT')}" for name in COLUMNS)
    database.execute(f"CREATE TABLE wiki (id INTEGER PRIMARY KEY, {columns})")
    marks = ", ".join("?" * len(COLUMNS))
    database.executemany(f"INSERT INTO wiki ({', '.join(COLUMNS)}) VALUES ({marks})", rows(csv))
    database.execute("CREATE INDEX by_ticker ON wiki (ticker, date)")
    database.execute("CREATE INDEX by_date ON wiki (date)")
    database.execute("ANALYZE")
    database.commit()
    return database.execute("SELECT count(*) FROM wiki").fetchone()[0]


def rows(csv):
    frame = polars.read_csv(csv, schema={name: TYPES.get(name, polars.Float64) for name in CSV_COLUMNS})
    seconds = (polars.col("date").cast(polars.Int32) - 11323) * 86400.0
    return frame.with_columns(seconds.alias("date")).iter_rows()


def statements():
    """Lines for sqlite-bench: engine, query, statement. It has no first and last by date: no Q11."""
    seconds = lambda day: str((date.fromisoformat(day[1]) - date(2001, 1, 1)).days * 86400.0)
    for query in SCANS:
        if query.name != "Q11":
            text = sql(query, "wiki").replace("SELECT *", f"SELECT {', '.join(COLUMNS)}")
            yield f"sqlite\t{query.name}\t" + re.sub(r"DATE '([-0-9]+)'", seconds, text)
    for name, where in [("Q1", " WHERE ticker = 'PG'"), ("Q2", "")]:
        yield f"sqlite-objects\t{name}\tSELECT {', '.join(COLUMNS)} FROM wiki{where}"
