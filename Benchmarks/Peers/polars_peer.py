"""Polars: everything uncompressed in RAM, in ticker and date order; each ticker's rows as a frame of their own too.

Each question is asked in the fastest of the ways that were tried: eager or lazy, streaming or not. There is also a sorted
column of tickers as numbers, because a group-by of strings takes three times as long, and one of each row's number in its
ticker, which tells whether earlier rows are of the same ticker. Polars isn't durable: it has no Q15, and for Q14 it only
parses."""

from datetime import date
from functools import cache

import polars
from polars import col

from Peers.features import FOURTEEN, NAMES, in_polars
from queries import CSV_COLUMNS, ELEVEN_RANGES, FOUR_RANGES, WHOLE

version = polars.__version__
TYPES = {"ticker": polars.String, "date": polars.Date} | {name: polars.Int64 for name in WHOLE}


def load(csv, directory, threads):
    frame = polars.read_csv(csv, schema={name: TYPES.get(name, polars.Float64) for name in CSV_COLUMNS})
    return frame.height


class Peer:
    def __init__(self, directory, threads):
        schema = {name: TYPES.get(name, polars.Float64) for name in CSV_COLUMNS}
        frame = polars.read_csv(f"{directory}/wiki.csv", schema=schema).rename({"ex-dividend": "ex_dividend"}).rechunk()
        self.names = frame["ticker"].unique(maintain_order=True)
        number = col("ticker").cast(polars.Enum(self.names)).to_physical().cast(polars.Int32).set_sorted().alias("number")
        self.frame = frame
        self.numbered = frame.with_columns(number).with_columns(row=polars.int_range(polars.len(), dtype=polars.Int32).over("number"))
        self.tickers = {name: rows for (name,), rows in frame.partition_by("ticker", as_dict=True).items()}

    def cases(self):
        lazy, numbered = self.frame.lazy(), self.numbered.lazy()
        four, eleven = polars.sql_expr(FOUR_RANGES), polars.sql_expr(ELEVEN_RANGES)
        close, adjusted = col("close"), col("adj_close")
        crash = col("date").is_between(date(2008, 9, 1), date(2009, 3, 31))
        change = close / close.shift(5) - 1
        means = [close.mean().alias("mean_close"), col("volume").sum().alias("sum_volume")]
        rows = lambda where: lambda: lazy.filter(where).collect()
        count = lambda where: lambda: lazy.filter(where).select(polars.len()).collect(engine="streaming").item()
        return {
            "Q1": lambda: self.tickers["PG"].filter(four),
            "Q2": rows(four),
            "Q3": count((close > 80) & (close < 81)),
            "Q4": count(close > 0.0001),
            "Q5": rows((col("volume") > 3_000_000) & (close < 5)),
            "Q6": count(eleven),
            "Q7": rows(crash & (close < 10)),
            "Q8": lambda: lazy.filter((adjusted > 20) & (adjusted < 40)).select(means).collect(engine="streaming"),
            "Q9": rows(col("ex_dividend") > 0),
            "Q10": lambda: self.named(self.numbered.group_by("number").agg(means)),
            "Q11": self.months,
            "Q12": lambda: self.frame.filter(col("date") == date(2010, 6, 10)),
            "A1": lambda: self.sample(6, 500).select(in_polars(NAMES)).collect(),
            "A2": lambda: self.sample(4, 800).select(in_polars(FOURTEEN)).collect(),
            "A3": count(close > col("open") * 1.1),
            "A4": lambda: numbered.filter((col("row") >= 5) & (change > 0.2)).select(polars.len()).collect(engine="streaming").item(),
            "A5": lambda: numbered.filter((close > close.rolling_mean(200, min_samples=1)).over("number") & (col("row") >= 199))
            .select(polars.len()).collect().item(),
            "A6": lambda: numbered.with_columns(change=polars.when(col("row") >= 5).then(change))
            .select(close * col("change").rank().over("date")).collect(),
            "A8": lambda: self.tickers["PG"].select(
                polars.rolling_corr(polars.int_range(polars.len()), "close", window_size=20, min_samples=1) ** 2),
        }

    @cache
    def sample(self, step, count):
        """The quotes of every `step`th ticker, `count` of them."""
        number = col("number")
        quotes = self.numbered.filter((number % step == 0) & (number < step * count))
        return quotes.with_columns(key=polars.int_range(polars.len()) + number.cast(polars.Int64) * 60).lazy()

    def months(self):
        """Grouped by one number, 30,000 x ticker + month, which is faster than by ticker and month."""
        month = col("date").dt.year().cast(polars.Int32) * 12 + col("date").dt.month() - 1
        key = (col("number") * 30_000 + month).set_sorted().alias("key")
        groups = self.numbered.lazy().select(key, "open", "high", "low", "close", "volume").group_by("key").agg(
            col("open").drop_nulls().first(), col("high").max(), col("low").min(), col("close").drop_nulls().last(),
            col("volume").sum().alias("sum_volume")).collect(engine="streaming")
        key = col("key")
        return self.named(groups.select(
            (key // 30_000).alias("number"), polars.date(key % 30_000 // 12, key % 12 + 1, 1).alias("month"),
            "open", "high", "low", "close", "sum_volume"))

    def named(self, groups):
        """Numbers become tickers again."""
        return groups.with_columns(self.names.gather(groups["number"]).alias("number"))

    def table(self, found):
        return found if isinstance(found, int) else found.to_arrow()
