"""Polars gets the rows that it asks for, and its filters are pushed down."""

from __future__ import annotations

import datetime
import unittest
from typing import Any
from unittest import mock

import polars as pl

import quoindb
from conditions import condition, polars_expression
from quoindb import _native
from quoindb.polars import pushed_down
from support import StoreTests, long_store_path, seeded

c, day = pl.col, datetime.date(2005, 1, 3)


class PolarsTests(StoreTests):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.frame = cls.store.scan(dictionary=False).to_polars()

    @classmethod
    def tearDownClass(cls) -> None:
        del cls.frame
        super().tearDownClass()

    def scans(self, ask: Any) -> list[dict[str, Any]]:
        """The scans that are made while something is asked."""
        made: list[dict[str, Any]] = []
        scan = quoindb.Store.scan

        def spied(store: quoindb.Store, *arguments: Any, **options: Any) -> quoindb.Scan:
            made.append(options)
            return scan(store, *arguments, **options)

        with mock.patch.object(quoindb.Store, "scan", spied):
            ask()
        return made

    def test_what_can_be_said_is_pushed_down(self) -> None:
        for predicate, text in [
            (c("close") > 80, "close > 80"),
            (80 < c("close"), "close > 80"),
            (c("close").is_between(80, 81.5), "(close >= 80 and close <= 81.5)"),
            (c("close").is_between(80, 81.5, closed="left") & (c("date") >= day), "(close >= 80 and close < 81.5) and date >= 2005-01-03"),
            (c("date").is_between(day, datetime.date(2006, 1, 3)), "(date >= 2005-01-03 and date <= 2006-01-03)"),
            (c("date").is_in([day]), "date in (2005-01-03)"),
            (c("ticker") == "KO", "ticker in ('KO')"),
            (c("ticker").is_in(["FDX", "KO"]), "ticker in ('FDX', 'KO')"),
            (c("ticker") != "KO", "not (ticker in ('KO'))"),
            (c("open").is_null() | ~(c("volume") > 4.5), "(open is missing or not (volume > 4.5))"),
            (c("open").is_not_null() & (c("volume") == 12), "open is not missing and volume = 12"),
            (c("close").is_in([80.0, 81.0]), "close in (80.0, 81.0)"),
            ((c("close") > 80) | (c("close") < 3) | (c("open") == 5), "(close > 80 or close < 3 or open = 5)"),
            ((c("close") > c("open")) & (c("low") < 3), "low < 3"),
            (~c("close").is_in([80.0, 81.0]), "not (close in (80.0, 81.0))"),
            (~c("close").is_in([80.0, 81.0], nulls_equal=True), None),
            (c("close").is_in([80.0, None]), None),
            (c("close").is_in([]), None),
            (c("close") * 2 > 3, None),
            (c("close") > float("nan"), None),
            (c("ticker").str.starts_with("F"), None),
            (c("ticker") == "a' or 'b", None),
            (c("volume") == 2**53 + 1, None),
        ]:
            self.assertEqual(pushed_down(predicate), text)
            self.assertTrue(self.store.lazy().filter(predicate).collect().equals(self.frame.filter(predicate)), str(predicate))

    def test_random_filters_give_the_same_rows(self) -> None:
        random = seeded("test_random_filters_give_the_same_rows")
        pushed = found = 0
        for _ in range(300):
            tree = condition(random)
            predicate = polars_expression(tree)
            columns = random.choice([self.frame.columns, random.sample(self.frame.columns, 3)])
            engine = random.choice(["auto", "streaming"])
            expected = self.frame.filter(predicate)
            lazy = self.store.lazy().filter(predicate)
            self.assertTrue(lazy.select(columns).collect(engine=engine).equals(expected.select(columns)), str(tree))
            count = random.choice([0, 1, 7, 70_000])
            self.assertTrue(lazy.head(count).collect().equals(expected.head(count)), str(tree))
            pushed += pushed_down(predicate) is not None
            found += expected.height not in (0, self.frame.height)
        print(f"of 300 filters, some part of {pushed} was pushed down; {found} select some rows")
        self.assertGreater(pushed, 180)
        self.assertGreater(found, 150)

    def test_random_questions_of_several_steps_give_the_same_rows(self) -> None:
        random = seeded("test_random_questions_of_several_steps_give_the_same_rows")
        for _ in range(60):
            one, two = (polars_expression(condition(random)) for _ in range(2))
            steps = [
                lambda quotes: quotes.filter(one).filter(two),
                lambda quotes: quotes.with_columns(r=c("close") / c("open")).filter(one & (c("r") > 1)),
                lambda quotes: quotes.filter(one).group_by("ticker", maintain_order=True).agg(c("close").max(), pl.len()),
                lambda quotes: quotes.sort("close", "ticker", "date", descending=True, nulls_last=True).filter(one).head(5),
                lambda quotes: pl.concat([quotes.filter(one), quotes.filter(two)]),
                lambda quotes: quotes.filter(one).slice(3, 10).filter(two),
                lambda quotes: quotes.filter(one).tail(4),
                lambda quotes: quotes.filter(one).select("date", "close").join(quotes.filter(c("ticker") == "KO").select("date", "open"), on="date", maintain_order="left"),
                lambda quotes: quotes.with_columns(ma=c("close").rolling_mean(3).over("ticker")).filter(two),
                lambda quotes: quotes.select(pl.len(), c("close").max()),
            ]
            step = random.choice(steps)
            self.assertTrue(step(self.store.lazy()).collect().equals(step(self.frame.lazy()).collect()), f"step {steps.index(step)}: {one} / {two}")

    def test_columns_and_limits_are_pushed_down(self) -> None:
        lazy = self.store.lazy()
        for ask, expected in [
            (lambda: lazy.select("date", "open").head(7).collect(), {"where": None, "columns": ["date", "open"], "limit": 7}),
            (lambda: lazy.filter(c("close") > 80).select("date").collect(), {"where": "close > 80.0", "columns": ["date", "close"], "limit": None}),
            (lambda: lazy.select(pl.len()).collect(), {"where": None, "columns": ["date"], "limit": None}),
            (lambda: self.store.sql("select ticker from quotes where close between 80 and 81 and date >= '2005-01-03' and ticker in ('FDX', 'KO')"),
             {"where": "close >= 80.0 and close <= 81.0 and date >= 2005-01-03 and ticker in ('FDX', 'KO')", "limit": None}),
        ]:
            made = [options for options in self.scans(ask) if options.get("limit") != 0 or "columns" in options]
            scan = made[-1]
            if scan.get("where"):
                # Polars has an order of its own for what it joins.
                self.assertEqual(sorted(scan.pop("where").split(" and ")), sorted(expected.pop("where").split(" and ")))
            if "columns" in expected:
                self.assertEqual(set(scan.pop("columns")), set(expected.pop("columns")))
            self.assertEqual({name: scan.get(name) for name in expected}, expected)
        explained = lazy.filter(c("close") > 80).explain()
        self.assertIn("quoin", explained)
        self.assertNotIn("FILTER", explained.split("quoin")[0])

    def test_a_limit_ends_the_scan(self) -> None:
        next_batch, taken = _native.next_batch, 0

        def counted(stream: Any) -> Any:
            nonlocal taken
            taken += 1
            return next_batch(stream)

        lazy = quoindb.open(long_store_path()).lazy().filter(c("close") > 0)
        with mock.patch("quoindb._native.next_batch", counted):
            self.assertEqual(lazy.head(5).collect().height, 5)
            of_a_limit, taken = taken, 0
            self.assertEqual(lazy.collect().height, 200_000)
        self.assertLess(of_a_limit, taken, "batches")

    def test_sql_has_the_answers_of_polars(self) -> None:
        sql = "select ticker, max(close) as top from quotes where close between 80 and 81 and date >= '2005-01-03' group by ticker order by ticker"
        expected = self.frame.filter(c("close").is_between(80, 81) & (c("date") >= day)).group_by("ticker").agg(c("close").max().alias("top")).sort("ticker")
        self.assertGreater(expected.height, 3)
        self.assertTrue(self.store.sql(sql).equals(expected))

    def test_long_lists_are_no_error(self) -> None:
        for count in (500, 3000, 9000):
            tickers = [f"T{number}" for number in range(count)] + ["KO"]
            for predicate in (c("ticker").is_in(tickers), c("close").is_in([number + 0.25 for number in range(count)]) & (c("open") > 3)):
                self.assertTrue(self.store.lazy().filter(predicate).collect().equals(self.frame.filter(predicate)), count)
        many = pl.any_horizontal([c("close") == number + 0.25 for number in range(300)])
        self.assertTrue(self.store.lazy().filter(many).collect().equals(self.frame.filter(many)))
        deep = c("close") == 1.5
        for number in range(400):
            deep = ~(deep & (c("close") != number + 0.25))
        self.assertTrue(self.store.lazy().filter(deep).collect().equals(self.frame.filter(deep)))


if __name__ == "__main__":
    unittest.main()
