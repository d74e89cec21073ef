"""What Spark writes through the connector is in the store, once, and nothing else is left behind."""

from __future__ import annotations

import os
import pathlib
import unittest

from conditions import NUMBERS
from support import ROOT, a_writer, quoin, rows_of, scanned, session, while_an_executor_is_killed

ALL = ["ticker", "date", *NUMBERS]


def setUpModule():
    global spark
    spark = session()
    quoin("generate", "--tickers", 30, "--rows", 20000, "--store", "source")
    quoin("import", ROOT / "data/FDX.json", ROOT / "Tests/PythonClients/gaps.csv", "--store", "source")


def read(path="source"):
    return spark.read.format("quoin").load(os.path.abspath(path))


def write(frame, path, mode):
    frame.write.format("quoin").mode(mode).save(os.path.abspath(path))


def staged(path):
    return [str(file) for file in pathlib.Path(path).rglob("*") if "_staged" in file.name]


class Writing(unittest.TestCase):
    def assert_holds(self, path, rows):
        self.assertEqual(scanned(path, ALL), rows)
        self.assertEqual(staged(path), [])
        quoin("verify", "--store", path)

    def test_a_new_store_has_all_rows(self):
        write(read().repartition(5), "new", "append")
        self.assert_holds("new", scanned("source", ALL))
        self.assertEqual(rows_of(read("new")), scanned("source", ALL))

    def test_rows_are_appended_and_replaced(self):
        rows = scanned("source", ALL)
        for path, first in (("sharded", lambda: write(read().filter("ticker < 'F'"), "sharded", "append")),
                            ("plain", lambda: quoin("merge", "source", "--store", "plain"))):
            with self.subTest(path):
                first()
                write(read().filter("ticker >= 'B'"), path, "append")
                self.assert_holds(path, rows)
                write(read().filter("close > 50"), path, "overwrite")
                self.assert_holds(path, scanned("source", ALL, "close > 50"))
                write(read().filter("close > 1e9"), path, "append")
                self.assert_holds(path, scanned("source", ALL, "close > 50"))

    def test_a_frame_without_rows_overwrites_all(self):
        for path, first in (("emptied", lambda: write(read(), "emptied", "append")), ("emptied-plain", lambda: quoin("merge", "source", "--store", "emptied-plain"))):
            with self.subTest(path):
                first()
                write(read().filter("close > 1e9"), path, "overwrite")
                self.assertEqual(read(path).count(), 0)
                self.assertEqual(staged(path), [])
        write(read().filter("close > 1e9"), "nothing", "append")
        self.assertFalse(os.path.exists("nothing"))

    def test_rows_of_other_types_and_some_columns_are_written(self):
        frame = spark.sql(
            "select 'FDX' as Ticker, date '2026-11-24' as Date, cast(251.5 as decimal(10,2)) as Close, 7 as Volume, float(0.5) as `Ex-Dividend`"
            " union all select 'KO', date '2026-11-24', null, null, null union all select 'KO', date '2026-11-23', 71.25, 9, 0")
        write(frame, "typed", "append")
        rows = scanned("typed", ["ticker", "date", "close", "volume", "ex_dividend"])
        # The row without any value is left out, as everywhere.
        self.assertEqual(
            [(row[0], str(row[1]), *row[2:]) for row in rows], [("FDX", "2026-11-24", 251.5, 7, 0.5), ("KO", "2026-11-23", 71.25, 9, 0.0)])

    def test_a_write_that_fails_changes_nothing(self):
        quoin("generate", "--tickers", 3, "--rows", 2000, "--store", "kept")
        rows = scanned("kept", ALL)
        for mode in ("append", "overwrite"):
            for sql, sentence in (
                ("select ticker, date, if(date > '2000-01-01', raise_error('enough'), close) as close from source", "enough"),
                ("select concat(ticker, ' nothing') as ticker, date, close from source", "ticker"),
                ("select ticker, close from source", "no column 'date'"),
                ("select ticker, date, 'much' as close from source", "attributes are numbers"),
            ):
                with self.subTest(sql, mode=mode), self.assertRaises(Exception) as thrown:
                    read().createOrReplaceTempView("source")
                    write(spark.sql(sql), "kept", mode)
                self.assertIn(sentence, str(thrown.exception))
                self.assert_holds("kept", rows)
        with self.assertRaises(Exception):
            write(spark.sql("select ticker, date, raise_error('enough') as close from source"), "never", "append")
        self.assertFalse(os.path.exists("never"))

    def test_an_executor_killed_in_the_middle_leaves_every_row_once(self):
        quoin("generate", "--tickers", 60, "--rows", 400000, "--store", "large")
        rows = quoin("export", "--store", "large")
        for mode in ("append", "overwrite"):
            with self.subTest(mode=mode):
                while_an_executor_is_killed(spark, a_writer, lambda: write(read("large"), "killed", mode))
                self.assertEqual(quoin("export", "--store", "killed"), rows)
                self.assertEqual(staged("killed"), [])
