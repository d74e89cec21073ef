"""Questions have the command's answers, and mistakes have its sentences."""

from __future__ import annotations

import datetime
import multiprocessing
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy
import pandas

import quoindb
from quoindb import _native
from support import ROOT, StoreTests, folder, lines, run


class QuestionTests(StoreTests):
    def test_a_question_is_the_commands(self) -> None:
        where = "80 < high < 83 and close > mean(close, 20)"
        rows = lines("scan", "--where", where, "--columns", "ticker,date,high", "--store", self.path)
        self.assertGreater(len(rows), 10)
        expected = [(row["ticker"], row["date"], float(row["high"])) for row in rows]
        for columns in ("ticker, date, high", ["ticker", "date", "high"], {"ticker": "ticker", "date": "date", "high": "high"}):
            scan = self.store.scan(where=where, columns=columns)
            self.assertEqual([(t, str(d), h) for t, d, h in scan.to_polars().iter_rows()], expected)
            self.assertEqual(scan.count(), len(rows))
        self.assertIn("high", scan.explain())
        ratio = self.store.scan(where=where, columns={"ticker": "ticker", "r": "close / open"}).to_polars()
        self.assertEqual(ratio.columns, ["ticker", "r"])

    def test_tickers_days_order_and_limits_are_the_commands(self) -> None:
        day = datetime.date(2017, 6, 1)
        for start in (day, "2017-06-01", datetime.datetime(2017, 6, 1, 12), pandas.Timestamp(day), numpy.datetime64("2017-06-01T09:30")):
            scan = self.store.scan(["KO", "AAPL"], start=start, end=datetime.date(2018, 1, 31), order="desc", limit=150, offset=3, columns="ticker, date")
            rows = lines("scan", "KO", "AAPL", "--from", "2017-06-01", "--to", "2018-01-31", "--order", "desc", "--limit", "150", "--offset", "3",
                         "--columns", "ticker,date", "--store", self.path)
            self.assertEqual([(t, str(d)) for t, d in scan.to_polars().iter_rows()], [(row["ticker"], row["date"]) for row in rows])
        self.assertEqual(self.store.scan("fdx", limit=3).count(), 3)
        self.assertEqual(self.store.scan(limit=0).to_polars().height, 0)
        self.assertEqual(self.store.scan([]).count(), 0)
        as_of = self.store.scan("AAPL", as_of="2016-10-11", start="2016-10-10", columns="date, adj_close").to_polars()
        self.assertEqual(as_of["adj_close"].to_list(), [193.68, 195.42])

    def test_aggregates_and_bars_are_the_commands(self) -> None:
        rows = lines("scan", "--aggregate", "count, max(high) as top", "--by", "year", "--having", "count > 100", "--store", self.path)
        found = self.store.aggregate("count, max(high) as top", "year", having="count > 100").to_polars()
        self.assertEqual([(t, str(d), c, m) for t, d, c, m in found.iter_rows()],
                         [(row["ticker"], row["year"], int(row["count"]), float(row["top"])) for row in rows])
        rows = lines("resample", "--by", "month", "--columns", "ticker,date,close", "--store", self.path)
        bars = self.store.resample("month", columns="ticker, date, close").to_polars()
        self.assertEqual([(t, str(d), c) for t, d, c in bars.iter_rows()], [(row["ticker"], row["date"], float(row["close"]) if row["close"] else None) for row in rows])

    def test_every_field_of_a_question_can_be_asked(self) -> None:
        def rows(*arguments: str) -> int:
            return len(lines(*arguments, "--store", self.path))

        self.assertEqual(self.store.scan(resample="week").count(), rows("resample", "--by", "week"))
        self.assertEqual(self.store.resample("month", "KO", order="desc", offset=2, let="r = change(close)", where="r > 0").count(),
                         rows("resample", "KO", "--by", "month", "--offset", "2", "--let", "r = change(close)", "--where", "r > 0"))
        self.assertEqual(self.store.scan("AAPL", as_of="2017-06-01", trust_splits=True).count(), rows("scan", "AAPL", "--as-of", "2017-06-01", "--trust-splits"))
        self.assertEqual(len(self.store.aggregate("count", "ticker", resample="year").to_polars()), rows("resample", "--by", "year", "--aggregate", "count", "--group-by", "ticker"))
        self.assertEqual(self.store.aggregate("count", top="1 by volume per day").to_polars().item(), rows("scan", "--top", "1 by volume per day"))
        # What this package doesn't know is passed on, and the library answers.
        with self.assertRaisesRegex(quoindb.QuoinError, "there is no field 'colums'; did you mean 'columns'"):
            self.store.scan(colums="date").count()
        for value in (5, True, datetime.date(2005, 10, 14), numpy.int64(5), "5"):
            with self.subTest(value=value), self.assertRaisesRegex(quoindb.QuoinError, "there is no field 'tial'"):
                self.store.scan(tial=value).count()

    def test_a_scan_is_refined_step_by_step(self) -> None:
        whole = self.store.scan("FDX", where="(high > 80 or low > 90) and low < 91", columns="date, high, close / open as r", order="high desc", limit=7)
        steps = self.store["FDX"].where("high > 80 or low > 90").where("low < 91").sort("high desc").select("date, high").with_columns({"r": "close / open"}).head(9).limit(7)
        self.assertEqual(list(steps), list(whole))
        self.assertEqual(len(steps), 7)
        fedex = list(self.store.scan("FDX"))
        self.assertEqual(list(self.store["FDX"].tail(3)), fedex[-3:])
        self.assertEqual(list(self.store["FDX"].tail(10).head(4)), fedex[-10:-6])
        self.assertEqual(list(self.store["FDX"].head(10).tail(4)), fedex[6:10])
        self.assertEqual(list(self.store["FDX"].tail(10**6)), fedex)
        self.assertEqual(self.store["FDX"]["close"].tolist(), [row.close for row in fedex])
        self.assertEqual(fedex[0]._fields[:8], ("ticker", "date", "open", "high", "low", "close", "volume", "ex_dividend"))
        self.assertEqual(self.store["FDX"].select("close / open as r")["r"].tolist(), [row.close / row.open for row in fedex])
        self.assertFalse(self.store.scan("FDX", where="close > 1e9"))
        # None of these steps can mean what it says after those before.
        for step in (
            lambda: self.store["FDX"].head(3).where("close > 1"), lambda: self.store["FDX"].head(3).sort("close"),
            lambda: self.store["FDX"].select("date").select("close"), lambda: self.store.scan(latest=True).where("close > 1"),
        ):
            with self.assertRaisesRegex(ValueError, "would ask something else"):
                step()
        with self.assertRaisesRegex(KeyError, "there is no column 'clos'"):
            self.store["FDX"]["clos"]
        with self.assertRaisesRegex(TypeError, "by its name"):
            self.store["FDX"][0]  # type: ignore[index]

    def test_a_store_has_tickers_and_can_be_closed(self) -> None:
        with quoindb.open(self.path, read_only=True) as store:
            self.assertEqual(list(store), store.tickers())
            self.assertEqual(len(store), len(store.tickers()))
            self.assertIn("FDX", store)
            self.assertNotIn("FXD", store)
            with self.assertRaisesRegex(KeyError, "did you mean 'FDX'"):
                store["FXD"]
            scan = store["FDX"]
            batches = scan.__arrow_c_stream__()
        with self.assertRaisesRegex(ValueError, "is closed"):
            store.tickers()
        with self.assertRaisesRegex(ValueError, "is closed"):
            scan.count()
        del batches
        store.close()
        empty = quoindb.open(f"{folder()}/nothing-yet", create=True)
        self.assertTrue(empty)
        self.assertEqual(len(empty), 0)

    def test_partitions_are_all_rows(self) -> None:
        scan = self.store.scan(where="close > 20")
        parts = scan.partitions(3)
        self.assertEqual(len(parts), 3)
        self.assertEqual([row for part in parts for row in part.to_polars().iter_rows()], list(scan.to_polars().iter_rows()))
        self.assertEqual(sum(part.count() for part in scan.partitions(1000)), scan.count())

    def test_a_scan_shows_its_first_rows(self) -> None:
        scan = self.store.scan(columns="ticker, date, close", limit=12)
        self.assertEqual(len(repr(scan).splitlines()), 12)
        self.assertIn("<table>", scan._repr_html_())
        self.assertEqual(repr(self.store), f"quoindb.open({self.path!r})")

    def test_what_is_easily_overlooked_is_a_warning(self) -> None:
        alone = self.store.scan("FDX", columns="date, rank(close by day) as r", limit=3)
        with self.assertWarnsRegex(quoindb.Remark, "^FDX is alone among the quotes of each day") as seen:
            alone.to_numpy()
        self.assertEqual(seen.filename, __file__)
        self.assertEqual(alone.remarks, [str(seen.warning)])
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            alone.to_numpy(), alone.count()
            self.store.scan("FDX", where="close > 80").count()
            self.store.scan(columns="ticker, date, rank(close by day) as r", limit=3).to_numpy()
        self.assertEqual(told, [])
        with self.assertWarnsRegex(quoindb.Remark, "FDX is alone"):
            self.store.aggregate("mean(rank(close by day))", by="year", tickers="FDX").to_numpy()

    def test_a_question_over_its_budget_is_given_up(self) -> None:
        store = quoindb.open(self.path)
        count = store.scan(where="close > mean(close, 20)").count()
        store.limit_questions(seconds=1e-9)
        with self.assertRaisesRegex(quoindb.OverBudgetError, "1e-09 seconds"):
            store.scan(where="close > mean(close, 20)").count()
        store.limit_questions()
        self.assertEqual(store.scan(where="close > mean(close, 20)").count(), count)
        for seconds, megabytes in [(0, None), (-1, None), (None, 0), (None, 1 << 64)]:
            with self.assertRaises(ValueError):
                store.limit_questions(seconds=seconds, megabytes=megabytes)

    def test_the_newest_commit_is_seen_after_a_refresh(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            run("generate", "--tickers", "1", "--rows", "10", "--store", f"{folder}/s")
            store = quoindb.open(f"{folder}/s")
            generation = store.refresh()
            run("import", f"{ROOT}/data/wiki-sample.csv", "--store", f"{folder}/s")
            self.assertEqual(len(store.tickers()), 1)
            self.assertGreater(store.refresh(), generation)
            self.assertGreater(len(store.tickers()), 1)


class MistakeTests(StoreTests):
    def assert_says(self, kind: type[Exception], sentence: str, call: object) -> None:
        with self.assertRaisesRegex(kind, sentence):
            call()  # type: ignore[operator]

    def test_mistakes_in_a_question_are_sentences(self) -> None:
        scan = self.store.scan
        for kind, sentence, call in [
            (quoindb.QuerySyntaxError, "did you mean 'high'", lambda: scan(where="hihg > 80").count()),
            (quoindb.QuerySyntaxError, "did you mean 'close'", lambda: scan(columns=["ticker", "clse"]).to_polars()),
            (quoindb.QuerySyntaxError, "100 \\* change", lambda: scan(where="roc(close, 5) > 1").to_polars()),
            (quoindb.QuerySyntaxError, "start: '2020-13-01'", lambda: scan(start="2020-13-01").count()),
            (quoindb.UnknownTickerError, "NOPE", lambda: scan("NOPE").count()),
            (quoindb.NoStoreError, "/nowhere", lambda: quoindb.open("/nowhere")),
            (FileNotFoundError, "/nowhere", lambda: quoindb.open("/nowhere")),
            (ValueError, "zero character", lambda: scan(where="close > 1\0").count()),
            (ValueError, "0 parts", lambda: scan().partitions(0)),
            (quoindb.QuerySyntaxError, "by: 'fortnight'", lambda: self.store.resample("fortnight").count()),
            (quoindb.QuerySyntaxError, "summ", lambda: self.store.aggregate("summ(close)").to_polars()),
            (quoindb.QuoinError, "looks ahead", lambda: scan("AAPL", as_of="2016-10-11", where="next(close) > close").count()),
        ]:
            with self.subTest(sentence):
                self.assert_says(kind, sentence, call)

    def test_arguments_of_a_wrong_type_are_sentences(self) -> None:
        scan = self.store.scan
        for sentence, call in [
            ("where is a text such as 'close > 80', not 5", lambda: scan(where=5)),
            ("where is a text such as 'close > 80', not a Series", lambda: scan(where=pandas.Series([1], name="close") > 80)),
            ("columns", lambda: scan(columns=5)),
            ("columns", lambda: scan(columns=["close", 5])),
            ("tickers", lambda: scan(7)),
            ("tickers", lambda: scan(["KO", 7])),
            ("start is a day", lambda: scan(start=20170601)),
            ("end is a day", lambda: scan(end=2017.5)),
            ("limit is a whole number", lambda: scan(limit="3")),
            ("limit is a whole number", lambda: scan(limit=2.5)),
            ("path", lambda: quoindb.open(5)),
            ("path", lambda: quoindb.open(None)),
        ]:
            with self.subTest(sentence):
                self.assert_says(TypeError, sentence, call)
        for sentence, call in [
            ("limit is -1", lambda: scan(limit=-1)),
            ("offset is -1", lambda: scan(offset=-1)),
            ("threads is -2", lambda: scan(threads=-2)),
        ]:
            with self.subTest(sentence):
                self.assert_says(ValueError, sentence, call)
        self.assertEqual(scan(limit=numpy.int64(3)).count(), 3)

    def test_what_is_not_installed_is_named(self) -> None:
        code = (f"import quoindb, sys\nstore = quoindb.open({self.path!r})\nprint(store.scan('KO', limit=1).count(), store.scan('KO', limit=1))\n"
                "assert not {'numpy', 'pandas', 'polars', 'pyarrow'} & set(sys.modules)\n"
                "for name in ('numpy', 'pandas', 'polars', 'pyarrow'): sys.modules[name] = None\n"
                "for ask in (store.scan().to_arrow, store.scan().to_polars, store.scan().to_pandas, store.scan().to_numpy, store.lazy, store.dataset):\n"
                "    try: ask()\n    except ModuleNotFoundError as error: print(error)\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual([line for line in done.stdout.splitlines() if "pip" in line],
                         [f"this needs {name}, which isn't installed: pip install {name}" for name in ("pyarrow", "polars", "pandas", "numpy", "polars", "pyarrow")])

    def test_it_is_imported_and_opened_in_no_time(self) -> None:
        """Of numpy's import, so that a slow machine judges as a fast one does; with bytecode, as users have it."""
        code = {
            "quoin": "import time; start = time.process_time(); import quoindb; imported = time.process_time(); "
                     f"quoindb.open({self.path!r}); print(imported - start, time.process_time() - imported)",
            "numpy": "import time; start = time.process_time(); import numpy; print(time.process_time() - start)",
        }
        best: dict[str, list[float]] = {}
        with tempfile.TemporaryDirectory() as bytecode:
            environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
            environment["PYTHONPYCACHEPREFIX"] = bytecode
            for _ in range(8):  # the first run writes the bytecode
                for name, text in code.items():
                    run = subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True)
                    times = [float(word) * 1000 for word in run.stdout.split()]
                    best[name] = [min(pair) for pair in zip(best.get(name, times), times)]
        importing, opening = best["quoin"]
        numpy_alone = best["numpy"][0]
        print(f"quoindb is imported in {importing:.1f} ms, numpy in {numpy_alone:.1f}, and a store is opened in {opening:.1f} ms")
        self.assertLess(importing, numpy_alone / 4)
        self.assertLess(opening, numpy_alone / 20)

    def test_errors_go_to_other_processes(self) -> None:
        with multiprocessing.get_context("fork").Pool(1) as pool:
            with self.assertRaises(quoindb.UnknownTickerError) as raised:
                pool.apply(_count, (self.path, "NOPE"))
        self.assertEqual(raised.exception.code, 3)

    def test_another_library_is_refused(self) -> None:
        """A library of another version, or something else, is an ImportError that says so."""
        for library, sentence in [("/nowhere/libquoin.so", "can't load its library /nowhere/libquoin.so"), ("libc.so.6", "has no quoin_abi")]:
            done = subprocess.run([sys.executable, "-c", "import quoindb"], env={**os.environ, "QUOIN_LIBRARY": library}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("ImportError: quoindb", done.stderr)
            self.assertIn(sentence, done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            # The same package, one version later.
            code = ("import sys, types; later = types.ModuleType('quoindb._version'); later.VERSION = '99.0.0'; "
                    "sys.modules['quoindb._version'] = later; import quoindb")
            done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
        self.assertIn(f"quoindb 99.0.0 needs its own library, but {_native.library._name} is version {quoindb.__version__}", done.stderr)


def _count(path: str, ticker: str) -> int:
    return quoindb.open(path).scan(ticker).count()


if __name__ == "__main__":
    unittest.main()
