"""ArcticDB on LMDB: one symbol for each ticker, and one for the market, of which the better is asked.

The market is in ticker and date order; a second one in order of dates, as ArcticDB's own date ranges need it, answers
Q7 and Q12. Results are Arrow tables. Q11 can't be asked: ArcticDB resamples by fixed spans, not by months."""

import os
from functools import reduce
from operator import and_, ge, gt, le, lt

import arcticdb
import numpy
import polars
from arcticdb import OutputFormat, QueryBuilder, WritePayload
from arcticdb_ext import set_config_int
from pandas import Timestamp

from Peers.polars_peer import TYPES
from queries import COLUMNS, CSV_COLUMNS, PRICES, VOLUMES

version = arcticdb.__version__

MEANS = {"close": "mean", "volume": "sum"}
# numpy's numbers, for Python's own ones are taken for float32, which finds other rows.
above, below = (lambda bound: (">", numpy.float64(bound))), (lambda bound: ("<", numpy.float64(bound)))
FOUR = [(name, (">=", numpy.float64(low)), ("<=", numpy.float64(high))) for name, low, high in [
    ("high", 80, 83), ("low", 78, 82), ("adj_high", 75, 85), ("adj_low", 70, 80)]]
ELEVEN = [(name, above(0.00001), None) for name in PRICES + ["split_ratio"]] + [(name, above(-1), None) for name in VOLUMES]
COMPARE = {">": gt, ">=": ge, "<": lt, "<=": le}


def ranges(conditions):
    query = QueryBuilder()
    return query[reduce(and_, [COMPARE[sign](query[name], bound)
                               for name, *bounds in conditions for sign, bound in filter(None, bounds)])]


def read(csv):
    schema = {name: TYPES.get(name, polars.Float64) for name in CSV_COLUMNS}
    frame = polars.read_csv(csv, schema=schema).rename({"ex-dividend": "ex_dividend"})
    return frame.with_columns(polars.col("date").cast(polars.Datetime("ns")))


def payloads(frame):
    for (ticker,), rows in frame.partition_by("ticker", as_dict=True).items():
        yield WritePayload(ticker, rows.drop("ticker").to_pandas().set_index("date"))


def load(csv, directory, threads):
    peer = Peer(directory, threads)
    frame = read(csv)
    peer.tickers.write_batch(list(payloads(frame)))
    peer.market.write("by ticker", frame.to_pandas())
    peer.market.write("by date", frame.sort("date", maintain_order=True).to_pandas().set_index("date"))
    return frame.height


class Peer:
    def __init__(self, directory, threads):
        set_config_int("VersionStore.NumCPUThreads", threads)
        set_config_int("VersionStore.NumIOThreads", threads)
        os.makedirs(f"{directory}/arcticdb", exist_ok=True)
        arctic = arcticdb.Arctic(f"lmdb://{directory}/arcticdb?map_size=20GB", output_format=OutputFormat.PYARROW)
        self.tickers = arctic.get_library("tickers", create_if_missing=True)
        self.market = arctic.get_library("market", create_if_missing=True)

    def read(self, symbol, where=None, columns=None, **options):
        return self.market.read(symbol, query_builder=where, columns=columns, **options).data

    def cases(self):
        days = lambda first, last: {"date_range": (Timestamp(first), Timestamp(last))}
        count = lambda where: self.read("by ticker", ranges(where), [name for name, _, _ in where]).num_rows
        return {
            "Q1": lambda: self.tickers.read("PG", query_builder=ranges(FOUR)).data,
            "Q2": lambda: self.read("by ticker", ranges(FOUR)),
            "Q3": lambda: count([("close", above(80), below(81))]),
            "Q4": lambda: count([("close", above(0.0001), None)]),
            "Q5": lambda: self.read("by ticker", ranges([("volume", above(3_000_000), None), ("close", None, below(5))])),
            "Q6": lambda: count(ELEVEN),
            "Q7": lambda: self.read("by date", ranges([("close", None, below(10))]), **days("2008-09-01", "2009-03-31")),
            "Q8": self.means,
            "Q9": lambda: self.read("by ticker", ranges([("ex_dividend", above(0), None)])),
            "Q10": lambda: self.read("by ticker", QueryBuilder().groupby("ticker").agg(MEANS)),
            "Q12": lambda: self.read("by date", **days("2010-06-10", "2010-06-10")),
        }

    def means(self):
        """There is no aggregate without groups: one group of all rows."""
        where = ranges([("adj_close", above(20), below(40))])
        one = where.apply("one", where["split_ratio"] * 0 + 1)
        return self.read("by ticker", one.groupby("one").agg(MEANS))

    def table(self, found):
        if isinstance(found, int):
            return found
        names = found.column_names
        if "one" in names:
            return found.select(["close", "volume"])
        if "open" not in names:
            return found.select(["ticker", "close", "volume"])
        if "ticker" not in names:  # a symbol's own rows don't say so
            found = found.append_column("ticker", [["PG"] * found.num_rows])
        return found.select(COLUMNS)

    def append(self, csv):
        # Only where Q2 looks; the 3,199 symbols of the tickers take seconds more.
        self.market.append("by ticker", read(csv).to_pandas())
