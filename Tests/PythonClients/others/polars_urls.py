"""Polars with the server's URLs: it wants the length and parts of each answer."""

import math

import common
import polars


def cells(frame):
    return [
        [None if isinstance(cell, float) and math.isnan(cell) else cell for cell in row]
        for row in frame.with_columns(polars.col("date").cast(polars.String)).rows()
    ]


def main():
    rows = common.rows()
    expected = [[*list(row.values())[:2], *(common.number(cell) for cell in list(row.values())[2:])] for row in rows]
    scan = common.URL + "/api/v1/scan"
    table = common.URL + "/api/v3/datatables/WIKI/PRICES.csv"
    overrides = {"schema_overrides": {name: polars.Float64 for name in list(rows[0])[2:]}}
    ways = {
        "read_csv": (lambda: polars.read_csv(scan + "?format=csv", **overrides), expected),
        "scan_csv": (lambda: polars.scan_csv(scan + "?format=csv", **overrides).collect(), expected),
        "scan_csv of a page": (lambda: polars.scan_csv(table, **overrides).collect(), expected[:10_000]),
        "read_csv of few rows": (lambda: polars.read_csv(scan + "?format=csv&limit=3", **overrides), expected[:3]),
        "scan_ndjson": (lambda: polars.scan_ndjson(scan + "?format=ndjson", **overrides).collect(), expected),
    }
    for name, (read, wanted) in ways.items():
        common.equal(cells(read()), wanted, name)
    common.done(
        f"Polars {polars.__version__}", "`read_csv`, `scan_csv`, `scan_ndjson` with a URL", f"{len(expected):,} rows each")


main()
