"""DataFusion, DuckDB and pyarrow get the right rows of a dataset, and their filters are pushed down."""

from __future__ import annotations

import datetime
import pickle
import unittest
from typing import Any
from unittest import mock

import duckdb
import polars
import pyarrow
from datafusion import SessionContext

import quoindb.dataset
from conditions import arrow_expression, condition, rows, sql
from quoindb.dataset import pushed_down
from support import StoreTests, exported, seeded

f = pyarrow.dataset.field


class DatasetTests(StoreTests):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.table = cls.store.scan(dictionary=False).to_arrow()

    @classmethod
    def tearDownClass(cls) -> None:
        del cls.table
        super().tearDownClass()

    def pushes(self, ask: Any) -> list[str | None]:
        """What is pushed down while something is asked."""
        found: list[str | None] = []

        def spied(filter: Any) -> str | None:
            found.append(pushed_down(filter))
            return found[-1]

        with mock.patch("quoindb.dataset.pushed_down", spied):
            ask()
        return found

    def test_what_can_be_said_is_pushed_down(self) -> None:
        day = datetime.date(2005, 1, 3)
        for filter, text in [
            (f("close") > 80, "close > 80"),
            (80.5 >= f("close"), "close <= 80.5"),
            (f("close") > 0.1 + 0.2, "close > 0.30000000000000004"),
            ((f("close") > 80) & (f("date") >= day) & (f("ticker") == "KO"), "close > 80 and date >= 2005-01-03 and ticker in ('KO')"),
            ((f("close") > 80) | (f("close") < 3) | (f("open") == 5), "(close > 80 or close < 3 or open = 5)"),
            (f("ticker").isin(["FDX", "KO"]), "ticker in ('FDX', 'KO')"),
            (~f("ticker").isin(["FDX", "KO"]), "not (ticker in ('FDX', 'KO'))"),
            (~f("close").isin([1.5, 2.0]), "not ((close is not missing and close in (1.5, 2.0)))"),
            (~f("close").isin([1.5, -0.0]), None),
            (f("open").is_null() | f("close").is_valid(), "(open is missing or close is not missing)"),
            ((f("close") * 2 > 3) & (f("low") < 3), "low < 3"),
            (f("close") * 2 > 3, None),
            (f("ticker") == 'A" or "B', None),
            (f("volume") == 2**53 + 1, None),
            (f("close") > float("nan"), None),
            (f("date") > datetime.datetime(2005, 1, 3, 12), None),
        ]:
            self.assertEqual(pushed_down(filter), text)

    def test_random_filters_of_pyarrow_give_the_same_rows(self) -> None:
        random = seeded("test_random_filters_of_pyarrow_give_the_same_rows")
        dataset, pushed, found = self.store.dataset(), 0, 0
        for _ in range(200):
            tree = condition(random)
            filter = arrow_expression(tree)
            columns = random.choice([None, [], ["date"], random.sample(dataset.schema.names, 4)])
            try:
                expected = self.table.filter(filter) if columns is None else self.table.filter(filter).select(columns)
            except pyarrow.ArrowInvalid:
                # pyarrow doesn't compare a volume with a price if the volume is larger than a float64 can count.
                continue
            table = dataset.to_table(columns=columns, filter=filter)
            self.assertTrue(table.equals(expected), str(tree))
            self.assertEqual(dataset.filter(filter).count_rows(), table.num_rows, str(tree))
            pushed += pushed_down(filter) is not None
            found += table.num_rows not in (0, self.table.num_rows)
        self.assertGreater(pushed, 100)
        self.assertGreater(found, 100)

    def test_random_filters_of_sql_give_the_same_rows(self) -> None:
        random = seeded("test_random_filters_of_sql_give_the_same_rows")
        context = SessionContext()
        quotes = self.store.dataset()
        context.register_dataset("quotes", quotes)
        context.register_dataset("plain", pyarrow.dataset.dataset(self.table))
        connection = duckdb.connect()
        connection.register("plain", self.table)
        connection.register("quotes", quotes)
        pushed = {"duckdb": 0, "datafusion": 0}
        for _ in range(100):
            tree = condition(random)
            columns = '"ticker", "date", "close", "ex-dividend", "volume"' if random.random() < 0.5 else 'count(*), max("close"), min("date")'
            text = f"select {columns} from {{}} where {sql(tree)}"
            expected = rows(connection.execute(text.format("plain")).fetchall())

            def ask_duckdb() -> None:
                self.assertEqual(rows(connection.execute(text.format("quotes")).fetchall()), expected, text)

            def ask_datafusion() -> None:
                # Its `not in` with more than three values is true where the value is missing, in any dataset.
                expected, found = (context.sql(text.format(table)).to_pydict() for table in ("plain", "quotes"))
                self.assertEqual(rows(zip(*found.values())), rows(zip(*expected.values())), text)

            pushed["duckdb"] += any(self.pushes(ask_duckdb))
            pushed["datafusion"] += any(self.pushes(ask_datafusion))
        print(f"of 100 filters, some part was pushed down: {pushed}")
        self.assertGreater(pushed["datafusion"], 50)
        self.assertGreater(pushed["duckdb"], 30)
        connection.close()
        del context, connection

    def test_joins_windows_and_subqueries(self) -> None:
        context, connection = SessionContext(), duckdb.connect()
        quotes = self.store.dataset()
        context.register_dataset("quotes", quotes)
        connection.register("plain", self.table)
        connection.register("quotes", quotes)
        for text in [
            "select a.date, a.close / b.close from {0} a join {0} b on a.date = b.date where a.ticker = 'KO' and b.ticker = 'MSFT' and a.close > 42",
            "select ticker, count(*) from {0} where close > (select avg(close) from {0} where ticker = 'KO') group by ticker",
            "select * from (select ticker, date, row_number() over (partition by ticker order by close desc, date) as place from {0} where high > 50) where place < 3",
            "select ticker, date from {0} where ticker in (select ticker from {0} where close > 300) and volume < 1000000",
            "select ticker, close from {0} where close is not null order by close desc, ticker, date limit 7",
        ]:
            expected = rows(connection.execute(text.format("plain")).fetchall())
            self.assertGreater(len(expected), 0)
            self.assertEqual(rows(connection.execute(text.format("quotes")).fetchall()), expected, text)
            self.assertEqual(rows(zip(*context.sql(text.format("quotes")).to_pydict().values())), expected, text)
        connection.close()
        del context, connection

    def test_a_dataset_is_one_of_pyarrow(self) -> None:
        dataset = self.store.dataset()
        self.assertEqual(dataset.count_rows(), len(exported()))
        self.assertEqual(dataset.head(5).num_rows, 5)
        doubled = dataset.to_table(columns={"twice": f("close") * 2, "day": f("date")}, filter=f("open") > 50)
        self.assertTrue(doubled["twice"].equals(pyarrow.compute.multiply(self.table.filter(f("open") > 50)["close"], 2)))
        narrow = dataset.filter(f("close") > 50).filter(f("ticker") == "KO")
        self.assertEqual(narrow.count_rows(), self.store.scan("KO", where="close > 50").count())
        self.assertEqual(pickle.loads(pickle.dumps(narrow)).count_rows(), narrow.count_rows())
        self.assertEqual(polars.scan_pyarrow_dataset(dataset).filter(polars.col("close") > 50).collect().height, self.store.scan(where="close > 50").count())
        with self.assertRaisesRegex(Exception, "nope"):
            dataset.to_table(columns=["nope"])

    def test_what_reads_a_dataset_past_its_scanner_fails_and_finds_not_nothing(self) -> None:
        dataset = self.store.dataset()
        for read in (lambda: dataset.sort_by("close"), lambda: dataset.join(dataset, "ticker"), lambda: pyarrow.dataset.dataset([dataset]).to_table()):
            with self.assertRaisesRegex(OSError, r"call to_table\(\) first"):
                read()

    def test_long_lists_are_no_error(self) -> None:
        for count in (500, 3000, 9000):
            values = [number + 0.25 for number in range(count)]
            filter = f("close").isin(values) & (f("open") > 3)
            self.assertTrue(self.store.dataset().to_table(filter=filter).equals(self.table.filter(filter)))
            self.assertIn("open > 3", str(pushed_down(filter)))
        many = f("close") == 1.5
        for number in range(2000):
            many = many | (f("close") == number + 0.25)
        self.assertEqual(self.store.dataset().count_rows(filter=many), self.table.filter(many).num_rows)


if __name__ == "__main__":
    unittest.main()
