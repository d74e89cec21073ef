"""What the package promises, on a store that the test makes: `python -m unittest` with QUOIN (the command) and QUOIN_SAMPLE (a CSV file)."""

from __future__ import annotations

import csv
import datetime
import gc
import io
import math
import multiprocessing
import os
import pickle
import subprocess
import tempfile
import threading
import unittest

import quoin
from quoin import _native

COMMAND, SAMPLE = os.environ["QUOIN"], os.environ["QUOIN_SAMPLE"]


def run(*arguments: str) -> str:
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=True).stdout


def missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value)) or str(value) in ("NaT", "<NA>", "nan")


class QuoinTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = f"{cls.folder.name}/store"
        run("generate", "--tickers", "40", "--rows", "150000", "--store", cls.path)
        run("import", SAMPLE, "--store", cls.path)
        cls.store = quoin.open(cls.path)
        cls.expected = list(csv.DictReader(io.StringIO(run("export", "--store", cls.path))))

    @classmethod
    def tearDownClass(cls) -> None:
        del cls.store
        gc.collect()
        assert _native.library.quoin_live_count() == 0, "something was not freed"
        cls.folder.cleanup()

    def assert_exported(self, columns: dict[str, list[object]]) -> None:
        """Columns are those of `quoin export`, bit for bit."""
        count = len(self.expected)
        names = list(self.expected[0])
        self.assertEqual([name.replace("-", "_") for name in names], [name.replace("-", "_") for name in columns])
        for name, values in zip(names, columns.values()):
            self.assertEqual(len(values), count)
            for row, value in zip(self.expected, values):
                text = row[name]
                if missing(value):
                    self.assertEqual(text, "", name)
                elif name == "ticker":
                    self.assertEqual(text, value)
                elif name == "date":
                    self.assertEqual(text, str(value)[:10])
                else:
                    self.assertEqual(float(text), float(value), name)

    def test_every_library_has_the_exported_values(self) -> None:
        scan = self.store.scan()
        self.assert_exported({name: list(values) for name, values in scan.to_numpy().items()})
        table = scan.to_arrow()
        table.validate(full=True)
        self.assert_exported({name: table[name].to_pylist() for name in table.column_names})
        frame = scan.to_polars()
        self.assert_exported({name: frame[name].to_list() for name in frame.columns})
        frame = scan.to_pandas()
        self.assert_exported({name: frame[name].tolist() for name in frame.columns})
        self.assertEqual(str(frame["date"].dtype)[:10], "datetime64")
        plain = self.store.scan(dictionary=False).to_arrow()
        self.assert_exported({name: plain[name].to_pylist() for name in plain.column_names})

    def test_duckdb_reads_a_scan(self) -> None:
        import duckdb

        rows = self.store.scan(columns="ticker, date, close")
        found = duckdb.sql("select count(*), max(close) from rows").fetchall()[0]
        self.assertEqual(found[0], len(self.expected))
        self.assertEqual(found[1], max(float(row["close"]) for row in self.expected if row["close"]))
        del rows, found

    def test_a_question_is_the_commands(self) -> None:
        where = "80 < high < 83 and close > mean(close, 20)"
        text = run("scan", "--where", where, "--columns", "ticker,date,high", "--format", "csv", "--store", self.path)
        scan = self.store.scan(where=where, columns=["ticker", "date", "high"])
        rows = [[r["ticker"], r["date"], float(r["high"])] for r in csv.DictReader(io.StringIO(text))]
        self.assertGreater(len(rows), 10)
        self.assertEqual([[t, str(d), h] for t, d, h in scan.to_polars().iter_rows()], rows)
        self.assertEqual(scan.count(), len(rows))
        self.assertIn("high", scan.explain())
        self.assertEqual(self.store.scan(where=where, columns={"ticker": "ticker", "r": "close / open"}).to_polars().columns, ["ticker", "r"])
        self.assertEqual(self.store.scan("FDX" if "FDX" in self.store.tickers() else self.store.tickers()[0], limit=3).count(), 3)
        self.assertEqual(self.store.scan(limit=0).to_polars().height, 0)

    def test_aggregates_and_bars_are_the_commands(self) -> None:
        text = run("scan", "--aggregate", "count, max(high) as top", "--by", "year", "--format", "csv", "--store", self.path)
        rows = [[r["ticker"], r["year"], int(r["count"]), float(r["top"])] for r in csv.DictReader(io.StringIO(text))]
        found = self.store.aggregate("count, max(high) as top", "year").to_polars()
        self.assertEqual([[t, str(d), c, m] for t, d, c, m in found.iter_rows()], rows)
        text = run("resample", "--by", "month", "--columns", "ticker,date,close", "--format", "csv", "--store", self.path)
        bars = self.store.resample("month", columns="ticker, date, close").to_polars()
        self.assertEqual(bars.height, len(text.splitlines()) - 1)

    def test_mistakes_are_sentences(self) -> None:
        with self.assertRaisesRegex(quoin.QuerySyntaxError, "did you mean 'high'"):
            self.store.scan(where="hihg > 80").count()
        with self.assertRaises(quoin.QuerySyntaxError):
            self.store.scan(where="lag(close) > 1").to_polars()
        with self.assertRaises(quoin.UnknownTickerError):
            self.store.scan("NOPE").count()
        with self.assertRaises(quoin.NoStoreError):
            quoin.open("/nowhere")
        with self.assertRaises(ValueError):
            self.store.scan(where="close > 1\0").count()
        with self.assertRaises(ValueError):
            self.store.scan().partitions(0)

    def test_partitions_are_all_rows(self) -> None:
        parts = self.store.scan(where="close > 20").partitions(3)
        self.assertEqual(len(parts), 3)
        self.assertEqual(sum(part.count() for part in parts), self.store.scan(where="close > 20").count())

    def test_polars_pushes_down_what_it_asks(self) -> None:
        import polars as pl

        from quoin.polars import pushed_down

        day, c = datetime.date(2005, 1, 3), pl.col
        pushed = [
            (c("close") > 80, "close > 80"),
            (80 < c("close"), "close > 80"),
            (c("close").is_between(80, 81.5, closed="left") & (c("date") >= day), "(close >= 80 and close < 81.5) and date >= 2005-01-03"),
            (c("ticker").is_in(["FDX", "KO"]), "ticker in ('FDX', 'KO')"),
            (c("ticker") != "KO", "not (ticker in ('KO'))"),
            (c("open").is_null() | ~(c("volume") > 4.5), "(open is missing or not (volume > 4.5))"),
            (c("close").is_in([80.0, 81.0]), "(close = 80.0 or close = 81.0)"),
            ((c("close") > c("open")) & (c("low") < 3), "low < 3"),
            (c("close") * 2 > 3, None),
        ]
        frame = self.store.scan(dictionary=False).to_polars()
        for predicate, text in pushed:
            self.assertEqual(pushed_down(predicate), text)
            found = self.store.lazy().filter(predicate).collect()
            self.assertTrue(found.equals(frame.filter(predicate)), str(predicate))
        some = self.store.lazy().filter(c("close") > 80).select("date", "open").head(7).collect()
        self.assertTrue(some.equals(frame.filter(c("close") > 80).select("date", "open").head(7)))
        self.assertEqual(self.store.lazy().select(pl.len()).collect().item(), frame.height)
        sql = "select ticker, max(close) as top from quotes where close between 80 and 81 and date >= '2005-01-03' group by ticker order by ticker"
        expected = frame.filter(c("close").is_between(80, 81) & (c("date") >= day)).group_by("ticker").agg(c("close").max().alias("top")).sort("ticker")
        self.assertTrue(self.store.sql(sql).equals(expected))

    def test_a_panel_is_a_matrix(self) -> None:
        panel = self.store.panel("close / prev(close) - 1")
        frame = self.store.scan(columns="ticker, date, close / prev(close) - 1 as r").to_polars()
        self.assertEqual(panel.tickers, self.store.tickers())
        values = panel.to_pandas()
        for ticker, day, r in list(frame.iter_rows())[:: frame.height // 500]:
            found = values.loc[str(day), ticker]
            self.assertTrue(found == r or (r is None and math.isnan(found)))
        self.assertEqual(sum(1 for row in panel.values.flat if not math.isnan(row)), frame["r"].count())

    def test_parquet_has_all_rows(self) -> None:
        import polars as pl

        path = f"{self.folder.name}/quotes.parquet"
        self.assertEqual(self.store.to_parquet(path), len(self.expected))
        self.assertTrue(pl.read_parquet(path).with_columns(pl.col("ticker").cast(pl.String)).equals(self.store.scan(dictionary=False).to_polars()))

    def test_threads_and_forks_read_alike(self) -> None:
        count = self.store.scan(where="close > 30").count()
        found: list[int] = []
        threads = [threading.Thread(target=lambda: found.append(self.store.scan(where="close > 30").to_arrow().num_rows)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [count] * 8)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(_count, [self.path] * 4), [count] * 4)

    def test_what_is_dropped_midway_is_freed(self) -> None:
        import pyarrow

        before = _native.library.quoin_live_count()
        for _ in range(50):
            reader = pyarrow.RecordBatchReader.from_stream(self.store.scan())
            reader.read_next_batch()
            del reader
            self.store.scan().__arrow_c_stream__()
            self.store.scan().__arrow_c_schema__()
        gc.collect()
        self.assertEqual(_native.library.quoin_live_count(), before)

    def test_a_scan_shows_its_first_rows(self) -> None:
        scan = self.store.scan(columns="ticker, date, close", limit=12)
        self.assertEqual(len(repr(scan).splitlines()), 12)
        self.assertIn("<table>", scan._repr_html_())
        self.assertIn(self.path, repr(self.store))

    def test_the_newest_commit_is_seen_after_a_refresh(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            run("generate", "--tickers", "1", "--rows", "10", "--store", f"{folder}/s")
            store = quoin.open(f"{folder}/s")
            generation = store.refresh()
            run("import", SAMPLE, "--store", f"{folder}/s")
            self.assertEqual(len(store.tickers()), 1)
            self.assertGreater(store.refresh(), generation)
            self.assertGreater(len(store.tickers()), 1)


def _count(path: str) -> int:
    return quoin.open(path).scan(where="close > 30").to_arrow().num_rows


if __name__ == "__main__":
    unittest.main()
