"""Every library has the values of `quoin export`, bit for bit."""

from __future__ import annotations

import array
import datetime
import math
import subprocess
import tempfile
import unittest
from typing import Any, Iterable

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet
from datafusion import SessionContext

from support import COMMAND, StoreTests, exported, folder, run, seeded, store_path


def missing(value: object) -> bool:
    return value is None or value is pandas.NA or (isinstance(value, float) and math.isnan(value)) or str(value) == "NaT"


def bits(name: str, values: Iterable[Any]) -> list[Any]:
    """What a column's values are to the last bit: texts, days, whole numbers, and the eight bytes of each other number."""
    if name == "ticker":
        return list(values)
    if name == "date":
        return [str(value)[:10] for value in values]
    if name == "volume":
        return [None if missing(value) else int(value) for value in values]
    return [None if missing(value) else array.array("d", [value]).tobytes() for value in values]


class ValueTests(StoreTests):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        number = {"ticker": str, "date": str, "volume": int}
        cls.expected = {
            name.replace("-", "_"): bits(name, [number.get(name, float)(row[name]) if row[name] else None for row in exported()])
            for name in exported()[0]
        }

    def assert_exported(self, columns: dict[str, Iterable[Any]], volume: Any = int) -> None:
        self.assertEqual(list(self.expected), [name.replace("-", "_") for name in columns])
        for name, values in zip(self.expected, columns.values()):
            expected = self.expected[name]
            if name == "volume" and volume is float:
                # What a float64 has of a whole number.
                expected = [None if value is None else int(float(value)) for value in expected]
            found = bits(name, values)
            wrong = [row for row, pair in enumerate(zip(found, expected)) if pair[0] != pair[1]]
            self.assertEqual((len(found), wrong[:3]), (len(expected), []), name)

    def test_files_of_arrow_have_the_values(self) -> None:
        path = f"{folder()}/rows.arrow"
        run("scan", "--output", path, "--store", store_path())
        with pyarrow.ipc.open_file(path) as file:
            self.assertGreater(file.num_record_batches, 0)
            table = file.read_all()
        table.validate(full=True)
        self.assertEqual([str(kind) for kind in table.schema.types], ["string", "date32[day]"] + ["double"] * 4 + ["int64"] + ["double"] * 7)
        self.assert_exported(table.to_pydict())
        self.assert_exported(polars.read_ipc(path).to_dict(as_series=False))
        self.assert_exported(pandas.read_feather(path).to_dict("list"), volume=float)

    def test_files_of_parquet_have_the_values(self) -> None:
        path = f"{folder()}/rows.parquet"
        run("scan", "--output", path, "--store", store_path())
        table = pyarrow.parquet.read_table(path)
        table.validate(full=True)
        self.assertEqual([str(kind) for kind in table.schema.types], ["string", "date32[day]"] + ["double"] * 4 + ["int64"] + ["double"] * 7)
        self.assert_exported(table.to_pydict())
        self.assert_exported(polars.read_parquet(path).to_dict(as_series=False))
        self.assert_exported(pandas.read_parquet(path).to_dict("list"), volume=float)
        relation = duckdb.sql(f"from '{path}'")
        self.assert_exported(dict(zip(relation.columns, zip(*relation.fetchall()))))
        # The extremes of each group of rows are right: a reader leaves groups out by them.
        metadata = pyarrow.parquet.ParquetFile(path).metadata
        for index, name in enumerate(table.column_names):
            chunk = metadata.row_group(0).column(index).statistics
            values = [value for value in table[name].to_pylist()[: metadata.row_group(0).num_rows] if value is not None]
            self.assertEqual((chunk.null_count, chunk.min, chunk.max), (metadata.row_group(0).num_rows - len(values), min(values), max(values)), name)
        run("scan", "--where", "close < -1", "--output", f"{folder()}/none.parquet", "--store", store_path())
        self.assertEqual(pyarrow.parquet.read_table(f"{folder()}/none.parquet").schema, table.schema)

    def test_a_stream_of_arrow_has_the_values(self) -> None:
        def stream(*arguments: str) -> pyarrow.Table:
            done = subprocess.run([COMMAND, "scan", *arguments, "--format", "arrows", "--store", store_path()], capture_output=True, check=True)
            table = pyarrow.ipc.open_stream(done.stdout).read_all()
            table.validate(full=True)
            return table

        whole = stream()
        self.assert_exported(whole.to_pydict())
        self.assert_exported(polars.from_arrow(stream("--limit", "1000000")).to_dict(as_series=False))  # type: ignore[union-attr]
        # No rows have the same columns.
        self.assertEqual(stream("--where", "close < -1").schema, whole.schema)
        computed = stream("KO", "--columns", "date, close / prev(close) - 1 as r")
        self.assertEqual(computed["r"].null_count, 1)
        groups = stream("--aggregate", "count, max(close) as top", "--by", "ticker")
        self.assertEqual([str(kind) for kind in groups.schema.types], ["string", "double", "double"])
        self.assertEqual(sum(groups["count"].to_pylist()), len(self.expected["date"]))

    def test_the_export_has_gaps_and_awkward_numbers(self) -> None:
        self.assertIn(None, self.expected["open"])
        self.assertIn(9007199254740993, self.expected["volume"])

    def test_pyarrow(self) -> None:
        for dictionary in (True, False):
            table = self.store.scan(dictionary=dictionary).to_arrow()
            table.validate(full=True)
            self.assert_exported({name: table[name].to_pylist() for name in table.column_names})
            self.assertEqual(pyarrow.types.is_dictionary(table.schema.field("ticker").type), dictionary)

    def test_polars(self) -> None:
        for frame in (self.store.scan().to_polars(), self.store.lazy().collect(), polars.DataFrame(self.store.scan(dictionary=False))):
            self.assert_exported({name: frame[name].to_list() for name in frame.columns})

    def test_pandas(self) -> None:
        frame = self.store.scan().to_pandas()
        self.assert_exported({name: frame[name].tolist() for name in frame.columns}, volume=float)
        self.assertEqual(str(frame["date"].dtype)[:10], "datetime64")
        for frame in (self.store.scan().to_pandas(types_mapper=pandas.ArrowDtype), pandas.DataFrame.from_arrow(self.store.scan())):
            exact = float if frame["volume"].dtype == "float64" else int
            self.assert_exported({name: frame[name].tolist() for name in frame.columns}, volume=exact)
        whole = self.store.scan(where="volume is not missing", columns="volume").to_pandas()
        self.assertEqual(str(whole["volume"].dtype), "int64")
        self.assertEqual(whole["volume"].tolist(), [value for value in self.expected["volume"] if value is not None])

    def test_numpy(self) -> None:
        self.assert_exported({name: values.tolist() for name, values in self.store.scan().to_numpy().items()}, volume=float)
        self.assert_exported({name: values.tolist() for name, values in self.store.scan(dictionary=False).to_numpy().items()}, volume=float)
        whole = self.store.scan(where="volume is not missing").to_numpy()
        self.assertEqual(str(whole["volume"].dtype), "int64")
        self.assertEqual(whole["volume"].tolist(), [value for value in self.expected["volume"] if value is not None])
        none = self.store.scan(where="close > 1e300").to_numpy()
        self.assertEqual([str(values.dtype)[:10] for values in none.values()], ["<U1", "datetime64", *["float64"] * 4, "int64", *["float64"] * 7])

    def test_duckdb(self) -> None:
        connection = duckdb.connect()
        rows = self.store.scan()
        relation = connection.sql("from rows")
        self.assert_exported(dict(zip(relation.columns, zip(*relation.fetchall()))))
        connection.close()
        del relation, connection

    def test_datafusion(self) -> None:
        context = SessionContext()
        self.assert_exported(context.from_arrow(self.store.scan()).to_pydict())
        del context

    def test_parquet(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.store.to_parquet(f"{folder}/quotes.parquet"), len(exported()))
            frame = polars.read_parquet(f"{folder}/quotes.parquet")
            self.assert_exported({name: frame[name].to_list() for name in frame.columns})
            self.assertEqual(self.store.to_parquet(f"{folder}/two.parquet", ["KO", "FDX"], columns="ticker, close", where="close > 40"),
                             self.store.scan(["KO", "FDX"], where="close > 40").count())

    def test_a_panel_is_a_matrix(self) -> None:
        panel = self.store.panel("close / prev(close) - 1")
        frame = self.store.scan(columns="ticker, date, close / prev(close) - 1 as r").to_polars()
        self.assertEqual(panel.tickers, self.store.tickers())
        self.assertEqual(panel.days.tolist(), sorted({datetime.date.fromisoformat(row["date"]) for row in exported()}))
        random = seeded("test_a_panel_is_a_matrix")
        values = panel.to_pandas()
        for ticker, day, r in random.sample(list(frame.iter_rows()), 500):
            found = values.loc[str(day), ticker]
            self.assertTrue(found == r or (r is None and math.isnan(found)), (ticker, day))
        self.assertEqual(sum(1 for value in panel.values.flat if not math.isnan(value)), frame["r"].count())
        self.assertEqual(panel.to_polars().columns, ["date", *panel.tickers])
        self.assertEqual(values.columns.name, "ticker")
        self.assertEqual(panel.shape, panel.values.shape)

    def test_a_panel_has_a_column_for_each_ticker_that_was_asked_for(self) -> None:
        import numpy

        tickers = self.store.tickers()
        first = {row["ticker"]: row["date"] for row in reversed(exported())}
        asked = [max(tickers, key=lambda ticker: first[ticker]), min(tickers, key=lambda ticker: first[ticker])]
        panel = self.store.panel("close", asked, end=min(first.values()))
        self.assertEqual(panel.tickers, asked)
        self.assertTrue(numpy.isnan(panel.values[:, 0]).all())
        self.assertFalse(numpy.isnan(panel.values).all())
        self.assertEqual(numpy.asarray(panel).shape, panel.shape)
        for ticker, values in zip(asked, self.store.panel("close", asked).values.T):
            closes = [float(row["close"]) for row in exported() if row["ticker"] == ticker and row["close"]]
            self.assertEqual(values[~numpy.isnan(values)].tolist(), closes)
        self.assertEqual(self.store.panel("close", start="2100-01-01").to_pandas().shape, (0, len(tickers)))
        bars = self.store.panel("close", asked, resample="year", where="volume > 0")
        self.assertLess(bars.shape[0], panel.shape[0] + 60)


if __name__ == "__main__":
    unittest.main()
