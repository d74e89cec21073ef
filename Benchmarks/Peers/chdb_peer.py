"""chDB (ClickHouse in process): a MergeTree table ordered by ticker and date."""

import os

import chdb
import pyarrow as pa
from chdb import session

from queries import COLUMNS, SCANS, WHOLE, sql

version = chdb.__version__
TYPES = {"ticker": "LowCardinality(String)", "date": "Date32"} | {name: "Int64" for name in WHOLE}
# Prices may be missing. Nullable costs about as much as it would to tell NaN from numbers in every aggregate.
COLUMN_TYPES = ", ".join(f"{name} {TYPES.get(name, 'Nullable(Float64)')}" for name in COLUMNS)
# An insert is synced before it returns, as the others' are. Merged parts are removed at once, so that they aren't counted.
SETTINGS = ("SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 1,"
            " merge_tree_clear_old_parts_interval_seconds = 1, cleanup_delay_period = 1")


def load(csv, directory, threads):
    os.makedirs(f"{directory}/chdb", exist_ok=True)
    peer = Peer(directory, threads)
    peer.ask("CREATE DATABASE market")
    peer.ask(f"CREATE TABLE market.wiki ({COLUMN_TYPES}) ENGINE = MergeTree ORDER BY (ticker, date) {SETTINGS}")
    peer.append(csv)
    peer.ask("OPTIMIZE TABLE market.wiki FINAL")
    return int(str(peer.ask("SELECT count() FROM market.wiki")))


class Peer:
    def __init__(self, directory, threads):
        self.session = session.Session(f"{directory}/chdb")
        self.settings = f" SETTINGS max_threads = {threads}, max_insert_threads = {threads}"

    def ask(self, text, form="CSV"):
        return self.session.query(text, form)

    def cases(self):
        dialect = {"first": "argMin(open, date)", "last": "argMax(close, date)",
                   "month": "date - toDayOfMonth(date) + 1"}  # toStartOfMonth knows no days before 1970
        return {query.name: lambda text=sql(query, "market.wiki", **dialect) + self.settings: self.ask(text, "Arrow")
                for query in SCANS}

    def table(self, found):
        table = pa.ipc.open_file(pa.py_buffer(found.bytes())).read_all()
        return table.column(0)[0].as_py() if table.column_names == ["count()"] else table

    def append(self, csv):
        columns = COLUMN_TYPES.replace("ex_dividend", "`ex-dividend`")
        self.ask(f"INSERT INTO market.wiki SELECT * FROM file('{csv}', 'CSVWithNames', '{columns}')" + self.settings)
