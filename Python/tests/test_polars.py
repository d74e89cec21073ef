"""Polars gets the rows that it asks for, and its filters are pushed down."""

from __future__ import annotations

import datetime
import unittest

import polars as pl

from quoin.polars import pushed_down
from support import StoreTests


class PolarsTests(StoreTests):
    def test_polars_pushes_down_what_it_asks(self) -> None:
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


if __name__ == "__main__":
    unittest.main()
