"""Parquet through Polars, for the cold questions.

    python -m Peers.parquet write CSV FILE
    python -m Peers.parquet Q17a FILE        drops the file from the page cache, asks, and prints a JSON object: the number
                                             of rows, the milliseconds, the bytes read"""

import json
import resource
import sys
import time

import polars
from polars import col

from Peers.polars_peer import TYPES
from cold import BLOCK, evict
from queries import CSV_COLUMNS, FOUR_RANGES

QUESTIONS = {
    "Q17a": lambda table: table.filter((col("ticker") == "PG") & polars.sql_expr(FOUR_RANGES)).collect().height,
    "Q17b": lambda table: table.filter((col("close") > 80) & (col("close") < 81)).select(polars.len())
    .collect(engine="streaming").item(),
}


def write(csv, file):
    """In the order of the CSV, by ticker and date, so the statistics of a row group say which few tickers it has."""
    schema = {name: TYPES.get(name, polars.Float64) for name in CSV_COLUMNS}
    frame = polars.read_csv(csv, schema=schema).rename({"ex-dividend": "ex_dividend"})
    frame.write_parquet(file, statistics="full")


def ask(query, file):
    # Polars starts its threads.
    polars.LazyFrame({"a": [1, 2]}).filter(col("a") > 1).select(polars.len()).collect(engine="streaming")
    evict(file)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_inblock
    start = time.perf_counter()
    answer = QUESTIONS[query](polars.scan_parquet(file))
    milliseconds = (time.perf_counter() - start) * 1000
    read = (resource.getrusage(resource.RUSAGE_SELF).ru_inblock - before) * BLOCK
    print(json.dumps({"answer": answer, "ms": milliseconds, "read_bytes": read}))


if __name__ == "__main__":
    words = sys.argv[1:]
    write(*words[1:]) if words[0] == "write" else ask(*words)
