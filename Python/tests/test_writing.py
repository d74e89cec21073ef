"""What is written from other libraries' tables is stored as it was, and sound."""

from __future__ import annotations

import datetime
import os
import pickle
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request
from decimal import Decimal
from pathlib import Path

import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet

import quoindb
from support import COMMAND, ROOT, StoreTests, run


class WritingTests(StoreTests):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.target = f"{self.folder.name}/store"

    def tearDown(self) -> None:
        self.folder.cleanup()

    def assert_copied(self, counts: quoindb.Counts) -> None:
        """The new store has the rows of the test's store, bit for bit, and is sound."""
        self.assertEqual(counts, (self.store.scan().count(), 0, 0, 0, 0))
        self.assertEqual(run("export", "--store", self.target), run("export", "--store", self.path))
        run("verify", "--store", self.target)

    def test_a_sharded_store_is_read_as_one_and_not_written(self) -> None:
        run("shard", "--count", "3", "--output", self.target, "--store", self.path)
        sharded = quoindb.open(self.target)
        for scan in (lambda store: store.scan(), lambda store: store.scan(where="rank(close by day) <= 3 and high > 20")):
            self.assertTrue(scan(sharded).to_polars().equals(scan(self.store).to_polars()))
        self.assertEqual(sharded.tickers(), self.store.tickers())
        with self.assertRaisesRegex(quoindb.QuoinError, "is made of shards.*shard-0001"):
            sharded.delete("FDX")
        shard = quoindb.open(f"{self.target}/shard-0002")
        gone = shard.tickers()[0]
        shard.delete(gone)
        self.assertIn(gone, sharded.tickers())
        sharded.refresh()
        self.assertNotIn(gone, sharded.tickers())

    def test_the_folder_of_the_process_may_change(self) -> None:
        before = os.getcwd()
        os.chdir(self.folder.name)
        try:
            store = quoindb.open("store", create=True)
            store.upsert(self.store.scan("FDX").to_arrow())
            store.keep_snapshot("first")
            os.chdir("/")
            store.upsert(self.store.scan("KO").to_arrow())
            store.refresh()
            self.assertEqual((store.scan().count(), store.snapshot("first").scan().count()), tuple(
                self.store.scan(tickers).count() for tickers in (["FDX", "KO"], "FDX")))
        finally:
            os.chdir(before)

    def test_every_library_s_table_is_stored_as_it_is(self) -> None:
        scan = self.store.scan()
        shuffled = scan.to_polars().sample(fraction=1, shuffle=True, seed=1)
        # pandas makes float64 of integers among which some are missing, and so may round them.
        frame = scan.to_arrow().to_pandas(date_as_object=False, types_mapper={pyarrow.int64(): pandas.Int64Dtype()}.get)
        tables = {
            "a scan": scan,
            "pyarrow": scan.to_arrow(),
            "a reader": pyarrow.RecordBatchReader.from_stream(scan),
            "pandas": frame,
            "pandas with an index": frame.set_index(["ticker", "date"]),
            "pandas with gaps in its index": frame.iloc[::-1],
            "Polars": scan.to_polars(),
            "Polars with texts": self.store.scan(dictionary=False).to_polars(),
            "Polars by day": scan.to_polars().sort("date", "ticker"),
            "Polars shuffled": shuffled,
            "small batches": pyarrow.Table.from_batches(scan.to_arrow().to_batches(max_chunksize=77)),
        }
        for name, table in tables.items():
            with self.subTest(name):
                store = quoindb.open(self.target, create=True)
                self.assert_copied(store.upsert(table))
                self.assertEqual(store.upsert(table), (0, 0, scan.count(), 0, 0)) if name != "a reader" else None
                run("delete", "--all", "--yes", "--store", self.target)

    def test_types_of_pyarrow_are_read(self) -> None:
        days = [datetime.date(2005, 10, 14), datetime.date(2005, 10, 17), datetime.date(1969, 12, 31)]
        tickers, closes, volumes = ["KO", "BRK.A", "A_LONG_TICKER_OF_THE_MARKET"], [80.25, None, 1.5], [None, 50, 2**40]
        expected = [(ticker, day, close, volume) for ticker, day, close, volume in zip(tickers, days, closes, volumes)]
        cases = {
            "ticker": [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(), pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
                       pyarrow.dictionary(pyarrow.uint32(), pyarrow.large_string())],
            "date": [pyarrow.date32(), pyarrow.date64(), pyarrow.timestamp("s"), pyarrow.timestamp("ms"), pyarrow.timestamp("us"),
                     pyarrow.timestamp("ns"), pyarrow.timestamp("us", "UTC"), pyarrow.string()],
            "close": [pyarrow.float64(), pyarrow.float32(), pyarrow.decimal128(20, 4), pyarrow.decimal64(12, 2), pyarrow.decimal32(9, 3)],
            "volume": [pyarrow.int64(), pyarrow.uint64(), pyarrow.float64(), pyarrow.decimal128(38, 0), pyarrow.decimal128(30, 2)],
        }
        for column, types in cases.items():
            for kind in types:
                with self.subTest(f"{column} {kind}"):
                    arrays = {
                        "ticker": pyarrow.array(tickers), "date": pyarrow.array(days),
                        "close": pyarrow.array([None if close is None else Decimal(str(close)) for close in closes], pyarrow.decimal128(20, 4))
                        if "decimal" in str(kind) else pyarrow.array(closes), "volume": pyarrow.array(volumes),
                    }
                    arrays[column] = arrays[column].dictionary_encode().cast(kind) if "dictionary" in str(kind) else arrays[column].cast(kind)
                    store = quoindb.open(self.target, create=True)
                    self.assertEqual(store.upsert(pyarrow.table(arrays)), (3, 0, 0, 0, 0))
                    found = {row[0]: row for row in store.scan(columns="ticker, date, close, volume").to_polars().iter_rows()}
                    self.assertEqual([found[ticker] for ticker in tickers], expected)
                    store.delete(where="date > 1900-01-01")

    def test_mistakes_are_sentences_and_change_nothing(self) -> None:
        store = quoindb.open(self.target, create=True)
        frame = pandas.DataFrame({"ticker": ["KO"], "date": pandas.to_datetime(["2005-10-14"]), "close": [80.25]})
        store.upsert(frame)
        zone = frame.assign(date=frame["date"].dt.tz_localize("America/New_York"))
        mistakes: list[tuple[type[Exception], str, object]] = [
            (quoindb.BadInputError, "unknown column 'cloze'; did you mean 'close'?", frame.rename(columns={"close": "cloze"})),
            (quoindb.BadInputError, "there is no column 'date'", frame.drop(columns="date")),
            (quoindb.BadInputError, "the zone 'America/New_York'", pyarrow.Table.from_pandas(zone).to_reader()),
            (quoindb.BadInputError, "row 0, counted from 0, has no date", zone.assign(date=zone["date"].dt.tz_convert("UTC"))),
            (quoindb.BadInputError, "row 0, counted from 0, has no date", frame.assign(date=frame["date"] + pandas.Timedelta("9h"))),
            (quoindb.BadInputError, "has a bad ticker", frame.assign(ticker="K O")),
            (quoindb.BadInputError, "volume that isn't finite", frame.assign(volume=[float("inf")])),
            (quoindb.BadInputError, "the close of KO on 2005-10-14 is inf", frame.assign(close=float("inf"))),
            (quoindb.BadInputError, "the volume of KO on 2005-10-14 is -5", frame.assign(volume=-5)),
            (quoindb.BadInputError, "the adj_volume of KO on 2005-10-14 is -1.5", frame.assign(adj_volume=-1.5)),
            (quoindb.BadInputError, "it has to be a number", polars.DataFrame({"ticker": ["KO"], "date": ["2005-10-14"], "close": ["1"]})),
            (TypeError, "call its collect()", polars.DataFrame({"close": [1.0]}).lazy()),
            (TypeError, "is no Arrow stream", {"close": [1.0]}),
        ]
        for kind, words, rows in mistakes:
            with self.subTest(words), self.assertRaises(kind) as caught:
                store.upsert(rows)
            self.assertIn(words, str(caught.exception))
        def batches():  # type: ignore[no-untyped-def]
            yield pyarrow.RecordBatch.from_pandas(frame.assign(close=[1.0]))
            raise RuntimeError("the vendor is gone")
        with self.assertRaisesRegex(quoindb.BadInputError, "the vendor is gone"):
            store.upsert(pyarrow.RecordBatchReader.from_batches(pyarrow.Schema.from_pandas(frame), batches()))
        with self.assertRaises(quoindb.QuoinError):
            quoindb.open(self.target, read_only=True).upsert(frame)
        with self.assertRaises(quoindb.QuoinError):
            store.delete()
        with self.assertRaises(ValueError):
            store.upsert(frame, patience=-1)
        with self.assertRaises(quoindb.QuerySyntaxError):
            store.upsert(frame, mode="upsert")
        self.assertEqual((store.refresh(), store.scan(columns="close").to_numpy()["close"].tolist()), (1, [80.25]))

    def test_two_rows_of_a_day_are_refused_and_missing_cells_fill_nothing(self) -> None:
        store = quoindb.open(self.target, create=True)
        twice = polars.DataFrame({"ticker": ["KO", "KO"], "date": ["2005-10-14"] * 2, "close": [1.0, 2.0]})
        with self.assertRaisesRegex(quoindb.BadInputError, "KO has 2005-10-14 twice, with different values"):
            store.upsert(twice)
        store.upsert(twice, on_duplicate="last")
        store.upsert(twice.head(1).with_columns(close=polars.lit(None, dtype=polars.Float64), open=3.0), mode="fill")
        self.assertEqual(store.scan(columns="open, close").to_polars().rows(), [(3.0, 2.0)])
        with self.assertRaisesRegex(quoindb.QuerySyntaxError, "'first' isn't one of error, last"):
            store.upsert(twice, on_duplicate="first")

    def test_a_wide_frame_that_was_made_long_brings_no_rows_of_nothing(self) -> None:
        days = pandas.to_datetime(["2024-07-03", "2024-07-04", "2024-07-05"])
        wide = pandas.DataFrame({"AAPL": [1.0, None, 2.0], "7203.T": [5.0, 6.0, 7.0]}, index=days)
        frame = wide.rename_axis("date").reset_index().melt("date", var_name="ticker", value_name="close")
        store = quoindb.open(self.target, create=True)
        self.assertEqual(store.upsert(frame), (5, 0, 0, 0, 1))
        self.assertEqual(store.scan("AAPL", columns="change(close) as c").to_polars()["c"].to_list(), [None, 1.0])

    def test_volumes_with_fractions_are_stored_exactly(self) -> None:
        store = quoindb.open(self.target, create=True)
        store.upsert(pandas.DataFrame({"ticker": ["KO"], "date": pandas.to_datetime(["2005-10-14"]), "volume": [98811715.138055]}))
        self.assertEqual(store.scan(columns="volume").to_polars()["volume"].to_list(), [98811715.138055])

    def test_a_frame_as_yfinance_makes_it_is_stored(self) -> None:
        days = pandas.DatetimeIndex(["2024-06-07", "2024-06-10"], name="Date")
        frame = pandas.DataFrame(
            {"Open": [1197.7, 120.37], "Close": [1208.88, 121.79], "Volume": [412386000, 314162700], "Dividends": [0.0, 0.0],
             "Stock Splits": [0.0, 10.0]}, index=days)
        store = quoindb.open(self.target, create=True)
        self.assertEqual(store.upsert(frame, ticker="NVDA"), (2, 0, 0, 0, 0))
        self.assertEqual(store.scan(columns="date, close, volume, ex-dividend, split_ratio").to_polars().rows(), [
            (datetime.date(2024, 6, 7), 1208.88, 412386000, 0.0, 1.0), (datetime.date(2024, 6, 10), 121.79, 314162700, 0.0, 10.0)])

    def test_columns_of_two_levels_are_a_row_for_each_ticker_and_day(self) -> None:
        days = pandas.DatetimeIndex(["2024-01-02", "2024-01-03"], name="Date", tz="America/New_York")
        cells = {("Close", "AAPL"): [1.5, 2.5], ("Close", "MSFT"): [3.5, float("nan")],
                 ("Volume", "AAPL"): [5, 6], ("Volume", "MSFT"): [7, float("nan")]}
        frame = pandas.DataFrame(cells, index=days)
        expected = [("AAPL", datetime.date(2024, 1, 2), 1.5, 5), ("AAPL", datetime.date(2024, 1, 3), 2.5, 6), ("MSFT", datetime.date(2024, 1, 2), 3.5, 7)]
        for names in (["Price", "Ticker"], [None, None], ["a", "symbols"]):
            rows = frame.rename_axis(columns=names)
            for asked in (rows, rows.swaplevel(axis=1).sort_index(axis=1)):
                with self.subTest(names, first=asked.columns[0]):
                    store = quoindb.open(self.target, create=True)
                    # MSFT has no cell on the second day.
                    self.assertEqual(store.upsert(asked), (3, 0, 0, 0, 1))
                    self.assertEqual(store.scan(columns="ticker, date, close, volume").to_polars().rows(), expected)
                    store.delete(where="date > 1900-01-01")
        # Which level has the tickers isn't guessed.
        for unknown in (frame[["Volume"]], frame.rename(columns={"AAPL": "close"})):
            with self.assertRaisesRegex(quoindb.BadInputError, "unknown column"):
                store.upsert(unknown)

    def test_frames_as_people_have_them_are_stored(self) -> None:
        days = pandas.to_datetime(["2024-01-02", "2024-01-03"])
        rows = [(day.date(), close) for day, close in zip(days, (1.5, 2.5))]
        frames: list[tuple[str, object, list[tuple[datetime.date, float]]]] = [
            ("an index without a name", pandas.DataFrame({"close": [1.5, 2.5]}, index=days), rows),
            ("the same with a zone", pandas.DataFrame({"close": [1.5, 2.5]}, index=days.tz_localize("Asia/Tokyo")), rows),
            ("an index beside a column", pandas.DataFrame({"Date": days, "close": [1.5, 2.5]}, index=days[::-1]), rows),
            ("a column without values", pandas.DataFrame({"date": days, "close": [1.5, 2.5], "volume": [None, None]}), rows),
            ("no rows", polars.DataFrame({"date": [], "close": []}), []),
            ("no rows", pandas.DataFrame(columns=["date", "close"]), []),
        ]
        for words, frame, expected in frames:
            with self.subTest(words):
                store = quoindb.open(self.target, create=True)
                store.upsert(frame, ticker="KO")
                self.assertEqual(store.scan(columns="date, close").to_polars().rows(), expected)
                store.delete(where="date > 1900-01-01")

    def test_days_come_as_texts_and_numbers_too(self) -> None:
        store = quoindb.open(self.target, create=True)
        texts = ["2005-10-14", "20051014", "2005/10/14", "2005-10-14T00:00:00Z", "2005-10-14 16:00", "14-Oct-2005", "Oct 14, 2005", "2005-1-2"]
        numbers = [polars.Series([20051014], dtype=kind) for kind in (polars.Int32, polars.UInt32, polars.Int64, polars.UInt64)]
        for days in [polars.Series([text]) for text in texts] + numbers:
            with self.subTest(days[0], kind=days.dtype):
                store.upsert(polars.DataFrame({"ticker": ["KO"], "date": days, "close": [80.25]}))
                expected = datetime.date(2005, 1, 2) if days[0] == "2005-1-2" else datetime.date(2005, 10, 14)
                self.assertEqual(store.scan(columns="date, close").to_polars().rows(), [(expected, 80.25)])
                store.delete(where="date > 1900-01-01")
        # What may be another day isn't guessed.
        for day in ("1/2/2005", "05-10-14", "2005-02-30", "soon", "", None, 20051332, 1129248000, 0, -20051014, 2005):
            with self.subTest(day), self.assertRaisesRegex(quoindb.BadInputError, "row 0, counted from 0, has no date"):
                store.upsert(polars.DataFrame({"ticker": ["KO"], "date": pandas.Series([day]).to_list(), "close": [80.25]}, schema_overrides={} if day is not None else {"date": polars.String}))
        self.assertEqual(store.scan().count(), 0)

    def test_a_column_or_a_frame_for_each_ticker_is_a_row_for_each_ticker_and_day(self) -> None:
        days = pandas.to_datetime(["2024-01-02", "2024-01-03"])
        expected = [("AAPL", days[0].date(), 1.5), ("AAPL", days[1].date(), 2.5), ("BRK.B", days[1].date(), 3.5)]
        wide = pandas.DataFrame({"AAPL": [1.5, 2.5], "BRK.B": [None, 3.5]}, index=days)
        columns = wide.rename_axis(index="Date").reset_index()
        frames: list[tuple[str, object, str | None]] = [
            ("wide", wide, "close"), ("as yfinance's", wide.rename_axis(index="Date", columns="Ticker").tz_localize("America/New_York"), "close"),
            ("days as periods", wide.set_axis(days.to_period("D")), "Close"), ("days in a column", columns, "close"),
            ("days as texts", columns.assign(Date=columns["Date"].dt.strftime("%Y-%m-%d")), "close"),
            ("Polars", polars.from_pandas(columns), "close"),
            ("frames", {ticker: wide[[ticker]].rename(columns={ticker: "Close"}) for ticker in wide}, None),
            ("frames with zones", {ticker: wide[[ticker]].set_axis(["close"], axis=1).tz_localize("Asia/Tokyo") for ticker in wide}, None),
            ("frames with columns of days", {ticker: columns[["Date", ticker]].set_axis(["date", "close"], axis=1) for ticker in wide}, None),
            ("frames of Polars", {ticker: polars.from_pandas(columns[["Date", ticker]]).rename({ticker: "close"}) for ticker in wide}, None),
        ]
        for words, frame, values in frames:
            with self.subTest(words):
                store = quoindb.open(self.target, create=True)
                self.assertEqual(store.upsert(frame, values=values), (3, 0, 0, 0, 1))
                self.assertEqual(store.scan(columns="ticker, date, close").to_polars().rows(), expected)
                store.delete(where="date > 1900-01-01")
        with self.assertRaisesRegex(TypeError, "values='close' is for frames of pandas and Polars whose columns are tickers, not for Table"):
            store.upsert(pyarrow.Table.from_pandas(columns), values="close")
        with self.assertRaisesRegex(ValueError, "there is no column 'date'"):
            store.upsert(polars.from_pandas(wide), values="close")
        with self.assertRaisesRegex(quoindb.BadInputError, "unknown column 'cloze'; did you mean 'close'"):
            store.upsert(wide, values="cloze")

    def test_extra_columns_are_refused_unless_they_are_to_be_left_out(self) -> None:
        store = quoindb.open(self.target, create=True)
        frame = polars.DataFrame({"ticker": ["KO"], "date": ["2005-10-14"], "close": [1.0], "vwap": [1.5], "sector": ["drinks"]})
        with self.assertRaisesRegex(quoindb.BadInputError, "unknown columns 'vwap', 'sector'; .*; on_extra \"ignore\" leaves such columns out"):
            store.upsert(frame)
        self.assertEqual(store.upsert(frame, on_extra="ignore"), (1, 0, 0, 0, 0))
        with self.assertRaisesRegex(quoindb.QuerySyntaxError, "on_extra: 'warn' isn't one of error, ignore"):
            store.upsert(frame, on_extra="warn")

    def test_days_are_those_of_the_frame_s_zone(self) -> None:
        # Before and after clocks change, west and east of Greenwich.
        days = ["2024-03-08", "2024-03-11", "2024-11-01", "2024-11-04"]
        for zone in ("America/New_York", "Asia/Tokyo", "Europe/London", "UTC", "Australia/Sydney", "Asia/Kolkata"):
            times = pandas.DatetimeIndex(days, name="Date").tz_localize(zone)
            indexed = pandas.DataFrame({"Close": [1.0, 2.0, 3.0, 4.0]}, index=times)
            column = indexed.reset_index()
            levels = indexed.assign(ticker="KO").set_index("ticker", append=True)
            frames: list[object] = [indexed, column, polars.from_pandas(column), pyarrow.Table.from_pandas(column, preserve_index=False)]
            for rows, ticker in [(frame, "KO") for frame in frames] + [(levels, None)]:
                with self.subTest(zone, kind=type(rows)):
                    store = quoindb.open(self.target, create=True)
                    store.upsert(rows, ticker=ticker)
                    found = store.scan(columns="ticker, date, close").to_polars().rows()
                    self.assertEqual(found, [("KO", datetime.date.fromisoformat(day), float(row + 1)) for row, day in enumerate(days)])
                    store.delete(where="date > 1900-01-01")
            self.assertEqual(str(indexed.index.tz), zone)  # type: ignore[attr-defined]

    def test_parquet_goes_out_and_comes_in(self) -> None:
        file = f"{self.folder.name}/quotes.parquet"
        self.assertEqual(self.store.to_parquet(file), self.store.scan().count())
        store = quoindb.open(self.target, create=True)
        self.assert_copied(store.from_parquet(file))
        self.assertIn("quotes.parquet", run("periods", "FDX", "--store", self.target))
        polars.read_parquet(file).write_parquet(file)
        self.assertEqual(store.from_parquet(file).unchanged, self.store.scan().count())

    def test_files_snapshots_and_differences(self) -> None:
        store = quoindb.open(self.target, create=True)
        counts = store.import_files([f"{ROOT}/data/FDX.json"])
        self.assertEqual(counts.inserted, store.scan("FDX").count())
        store.keep_snapshot("first")
        day = store.scan("FDX", limit=1).to_polars()["date"][0]
        store.upsert(polars.DataFrame({"date": [day], "close": [7.0]}), ticker="FDX", mode="update")
        store.delete("FDX", start=day + datetime.timedelta(1), end=day + datetime.timedelta(7))
        self.assertEqual((store.snapshots(), store.snapshot("first").scan().count()), (["first"], counts.inserted))
        changes = store.diff("first").to_polars()
        self.assertEqual(set(changes["change"]), {"changed", "removed"})
        self.assertEqual(changes.row(0)[:4] + changes.row(0)[5:], ("FDX", day, "changed", "close", 7.0))
        listed = subprocess.run([COMMAND, "diff", "first", "--store", self.target, "--format", "csv"], capture_output=True, text=True)
        self.assertEqual(len(listed.stdout.splitlines()) - 1, len(changes))
        self.assertEqual(store.diff(store).to_polars().height, 0)
        with self.assertRaises(quoindb.UnknownSnapshotError):
            store.snapshot("frist")
        copy = pickle.loads(pickle.dumps(store.snapshot("first").scan()))
        self.assertEqual((copy.count(), store.snapshot(1).scan().count()), (counts.inserted, counts.inserted))
        store.drop_snapshot("first")
        self.assertEqual(store.snapshots(), [])
        found = store.check(rules=["jump"], jump=12).to_polars()
        self.assertEqual(found.columns, ["ticker", "date", "rule", "values"])

    def test_parts_that_go_to_other_processes_make_one_answer(self) -> None:
        store = quoindb.open(self.target, create=True)
        days = [datetime.date(2017, 1, day) for day in (3, 4, 5)]
        store.upsert(polars.DataFrame({"ticker": ["A", "B", "C"], "date": days, "close": [1.0, 2.0, 3.0]}))
        parts = [pickle.dumps(part.select("close")) for part in store.scan().partitions(3)]
        closes = [pickle.loads(parts[0])["close"].tolist()]
        store.upsert(polars.DataFrame({"ticker": ["A", "B", "C"], "date": days, "close": [10.0, 20.0, 30.0]}))
        closes += [pickle.loads(part)["close"].tolist() for part in parts[1:]]
        self.assertEqual(closes, [[1.0], [2.0], [3.0]])
        self.assertEqual(pickle.loads(pickle.dumps(store.scan("A").select("close")))["close"].tolist(), [10.0])
        for close in (5.0, 6.0, 7.0):
            store.upsert(polars.DataFrame({"ticker": ["A"], "date": days[:1], "close": [close]}))
        with self.assertRaisesRegex(quoindb.UnknownSnapshotError, "it was changed since"):
            pickle.loads(parts[0])

    def test_shards_are_one_store(self) -> None:
        tickers = self.store.tickers()
        paths = [f"{self.target}-{part}" for part in range(3)]
        for part, path in enumerate(paths):
            quoindb.open(path, create=True).upsert(self.store.scan(tickers[part::3]))
        joined = quoindb.open(paths)
        self.assertEqual(joined.tickers(), tickers)
        for question in ({}, {"where": "rank(close by day) <= 2"}, {"latest": True}, {"top": "2 by volume per day", "let": {"x": "close * 2"}, "columns": "ticker, date, x"}):
            self.assertTrue(joined.scan(**question).to_polars().equals(self.store.scan(**question).to_polars()), question)
        with self.assertRaisesRegex(quoindb.QuoinError, "both have quotes of"):
            quoindb.open([paths[0], self.path])
        self.assertEqual(pickle.loads(pickle.dumps(joined.scan())).count(), self.store.scan().count())

    def test_memory_stays_bounded_while_a_long_stream_comes_in(self) -> None:
        """Eight times the rows take little more memory."""
        code = (
            "import quoindb, sys, pyarrow, numpy\n"
            "schema = pyarrow.schema([('ticker', pyarrow.string()), ('date', pyarrow.date32()), ('close', pyarrow.float64()), ('open', pyarrow.float64())])\n"
            "def batches(count):\n"
            "  for part in range(count):\n"
            "    closes = numpy.arange(65536) % 9973 / 100 + part\n"
            "    yield pyarrow.record_batch([pyarrow.array([f'T{part}']).take(pyarrow.array(numpy.zeros(65536, 'i4'))), pyarrow.array(numpy.arange(65536, dtype='i4')).cast(pyarrow.date32()), pyarrow.array(closes), pyarrow.array(closes)], schema=schema)\n"
            "count = int(sys.argv[2])\n"
            "store = quoindb.open(sys.argv[1], create=True)\n"
            "assert store.upsert(pyarrow.RecordBatchReader.from_batches(schema, batches(count))).inserted == count * 65536\n"
            "print([int(line.split()[1]) // 1024 for line in open('/proc/self/status') if line.startswith('VmHWM')][0])\n")
        peaks = []
        for count in (24, 192):
            done = subprocess.run([sys.executable, "-c", code, f"{self.target}{count}", str(count)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            peaks.append(int(done.stdout))
        print(f"peak memory of imports of 1.6 and 12.6 million rows: {peaks} MiB", flush=True)
        self.assertLess(peaks[1], peaks[0] + 100)

    def served(self) -> tuple[subprocess.Popen[str] | None, str]:
        """The server for the new store, if it has been built, and its address."""
        program = Path(COMMAND).with_name("quoin-serve")
        if not program.exists():
            return None, ""
        server = subprocess.Popen([program, "--port", "0", "--store", self.target], stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        for line in server.stdout:
            if found := re.search(r"http://[0-9.]*:[1-9][0-9]*", line):
                # What it logs is read, so that it never waits for room.
                log = server.stdout
                threading.Thread(target=lambda: (log.read(), log.close()), daemon=True).start()
                return server, found.group()
        self.fail("the server doesn't say where it answers")

    def test_no_answer_is_mixed_while_another_process_writes(self) -> None:
        """Each commit gives all rows one value; threads here, the command and the server see only one in each answer."""
        commits = int(os.environ.get("QUOIN_COMMITS", "60"))
        days = [datetime.date(2001, 1, 1) + datetime.timedelta(day) for day in range(2500)]
        base = polars.DataFrame({"ticker": ["A"] * 1250 + ["B"] * 1250, "date": days})
        quoindb.open(self.target, create=True).upsert(base.with_columns(close=0.0))
        server, url = self.served()
        writer = subprocess.Popen([sys.executable, "-c", (
            "import quoindb, sys, datetime, polars\n"
            "days = [datetime.date(2001, 1, 1) + datetime.timedelta(day) for day in range(2500)]\n"
            "base = polars.DataFrame({'ticker': ['A'] * 1250 + ['B'] * 1250, 'date': days})\n"
            "store = quoindb.open(sys.argv[1])\n"
            "for commit in range(1, int(sys.argv[2]) + 1): store.upsert(base.with_columns(close=float(commit)))\n"),
            self.target, str(commits)])
        seen: list[set[float]] = [set() for _ in range(4)]
        mixed: list[object] = []

        def read(values: set[float]) -> None:
            store = quoindb.open(self.target)
            while writer.poll() is None:
                store.refresh()
                closes = store.scan(columns="close").to_numpy()["close"]
                values.add(closes[0])
                if len(closes) != 2500 or numpy.unique(closes).size != 1:
                    mixed.append(closes)

        def ask_the_command(values: set[float]) -> None:
            while writer.poll() is None:
                answer = run("scan", "--aggregate", "count, min(close) as low, max(close) as top", "--format", "csv", "--store", self.target).split()[1]
                count, low, top = answer.split(",")
                values.add(float(low))
                if count != "2500" or low != top:
                    mixed.append(answer)

        def ask_the_server(values: set[float]) -> None:
            while writer.poll() is None:
                answer = urllib.request.urlopen(f"{url}/api/v1/scan?columns=close&format=csv").read().split()[1:]
                values.add(float(answer[0]))
                if len(answer) != 2500 or len(set(answer)) != 1:
                    mixed.append(answer)

        readers = [read, read, ask_the_command] + [ask_the_server] * (server is not None)
        threads = [threading.Thread(target=reader, args=(values,)) for reader, values in zip(readers, seen)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if server is not None:
            server.terminate()
            server.wait()
        del seen[len(readers):]
        print(f"{commits} commits: two threads, the command and the server saw {[len(values) for values in seen]} of them", flush=True)
        self.assertEqual((writer.returncode, mixed), (0, []))
        self.assertTrue(all(len(values) > 1 for values in seen))
        self.assertEqual(run("scan", "--where", f"close = {commits}", "--count", "--store", self.target), "2500\n")
        run("verify", "--store", self.target)
