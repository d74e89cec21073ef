"""DuckDB with the server's URLs, by its extension httpfs."""

import pathlib

import common
import duckdb
import duckdb_extension_httpfs


def main():
    (extension,) = pathlib.Path(duckdb_extension_httpfs.__file__).parent.rglob("httpfs.duckdb_extension")
    database = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    database.execute(f"LOAD '{extension}'")
    columns = "*, strftime(date, '%Y-%m-%d') AS day"
    scan = common.URL + "/api/v1/scan"
    expected = [[row["ticker"], row["date"], *(common.number(cell) for cell in list(row.values())[2:])] for row in common.rows()]
    for source in [
        f"read_csv('{scan}?format=csv', sample_size = -1)", f"read_json('{scan}?format=ndjson', sample_size = -1)",
    ]:
        found = database.execute(f"SELECT {columns} FROM {source}").fetchall()
        actual = [[row[0], row[-1], *(None if cell is None else float(cell) for cell in row[2:-1])] for row in found]
        common.equal(actual, expected, source)
    common.done(f"DuckDB {duckdb.__version__}", "`read_csv`, `read_json` with a URL (httpfs)", f"{len(expected):,} rows each")


main()
