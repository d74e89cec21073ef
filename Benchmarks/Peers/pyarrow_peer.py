"""PyArrow's compute kernels and its engine Acero: one uncompressed table in RAM, in ticker and date order.

It isn't durable: there is no Q15, and Q14 is Polars'."""

from datetime import date
from functools import reduce
from operator import and_

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from queries import COLUMNS, CSV_COLUMNS, PRICES, VOLUMES, WHOLE

version = pa.__version__
TYPES = {"ticker": pa.string(), "date": pa.date32()} | {name: pa.int64() for name in WHOLE}


class Peer:
    def __init__(self, directory, threads):
        pa.set_cpu_count(threads)
        options = pa.csv.ConvertOptions(column_types={name: TYPES.get(name, pa.float64()) for name in CSV_COLUMNS})
        table = pa.csv.read_csv(f"{directory}/wiki.csv", convert_options=options)
        self.quotes = table.rename_columns(COLUMNS).combine_chunks()
        self.tickers = {}
        runs = pc.run_end_encode(self.quotes["ticker"]).chunk(0)
        start = 0
        for ticker, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist()):
            self.tickers[ticker] = self.quotes.slice(start, end - start)
            start = end
        self.threads = threads

    def cases(self):
        f, quotes = pc.field, self.quotes
        four = reduce(and_, [(f(name) >= low) & (f(name) <= high) for name, low, high in [
            ("high", 80, 83), ("low", 78, 82), ("adj_high", 75, 85), ("adj_low", 70, 80)]])
        crash = (f("date") >= date(2008, 9, 1)) & (f("date") <= date(2009, 3, 31))
        above = lambda name, bound: pc.greater(quotes[name], bound)
        count = lambda mask: pc.sum(mask).as_py()
        return {
            "Q1": lambda: self.tickers["PG"].filter(four),
            "Q2": lambda: quotes.filter(four),
            "Q3": lambda: count(pc.and_(above("close", 80), pc.less(quotes["close"], 81))),
            "Q4": lambda: count(above("close", 0.0001)),
            "Q5": lambda: quotes.filter((f("volume") > 3_000_000) & (f("close") < 5)),
            "Q6": lambda: count(reduce(pc.and_, [above(name, 0.00001) for name in PRICES + ["split_ratio"]]
                                       + [above(name, -1) for name in VOLUMES])),
            "Q7": lambda: quotes.filter(crash & (f("close") < 10)),
            "Q8": self.means,
            "Q9": lambda: quotes.filter(f("ex_dividend") > 0),
            "Q10": lambda: quotes.select(["ticker", "close", "volume"]).group_by(
                "ticker", use_threads=self.threads > 1).aggregate([("close", "mean"), ("volume", "sum")]),
            "Q12": lambda: quotes.filter(pc.equal(quotes["date"], pa.scalar(date(2010, 6, 10)))),
        }

    def means(self):
        rows = self.quotes.select(["close", "volume", "adj_close"]).filter(
            (pc.field("adj_close") > 20) & (pc.field("adj_close") < 40))
        return pa.table({"mean_close": [pc.mean(rows["close"]).as_py()], "sum_volume": [pc.sum(rows["volume"]).as_py()]})

    def table(self, found):
        return found.select(["ticker", "close_mean", "volume_sum"]) if "close_mean" in getattr(found, "column_names", []) else found
