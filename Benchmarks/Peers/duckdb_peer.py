"""DuckDB: a native table in a database file, in ticker and date order."""

import duckdb

from queries import COLUMNS, SCANS, WHOLE, sql

version = duckdb.__version__
TYPES = {"ticker": "VARCHAR", "date": "DATE"} | {name: "BIGINT" for name in WHOLE}
TABLE = "read_csv('CSV', header = true, columns = " + str({name: TYPES.get(name, "DOUBLE") for name in COLUMNS}) + ")"


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
        self.connection = connect(directory, threads)

    def cases(self):
        dialect = {"first": "arg_min(open, date)", "last": "arg_max(close, date)", "month": "date_trunc('month', date)"}
        return {query.name: lambda text=sql(query, "wiki", **dialect): self.connection.sql(text).to_arrow_table()
                for query in SCANS}

    def table(self, found):
        is_count = found.column_names == ["count_star()"]
        return found.column(0)[0].as_py() if is_count else found

    def append(self, csv):
        # The log is synced before this returns.
        self.connection.execute(f"INSERT INTO wiki FROM {TABLE.replace('CSV', csv)}")
