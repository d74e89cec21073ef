"""The reference queries, declared once: what each asks, and how much faster than the best peer Quoin has to be.

Engines that speak SQL are asked `sql(query)`; the others write the same question in their own words."""

from dataclasses import dataclass, replace

PRICES = "open high low close adj_open adj_high adj_low adj_close".split()
COLUMNS = ("ticker date open high low close volume ex_dividend split_ratio "
           "adj_open adj_high adj_low adj_close adj_volume").split()
CSV_COLUMNS = [c.replace("ex_dividend", "ex-dividend") for c in COLUMNS]
VOLUMES = ("volume", "adj_volume")
WHOLE = ("volume",)  # integers; all other numbers are float64

FOUR_RANGES = ("high BETWEEN 80 AND 83 AND low BETWEEN 78 AND 82"
               " AND adj_high BETWEEN 75 AND 85 AND adj_low BETWEEN 70 AND 80")
ELEVEN_RANGES = " AND ".join([f"{p} > 0.00001" for p in PRICES + ["split_ratio"]] + [f"{v} > -1" for v in VOLUMES])
MEANS = "avg(close) AS mean_close, sum(volume) AS sum_volume"

PEERS = ("duckdb", "chdb", "polars", "pyarrow", "arcticdb")
FRAMES = ("polars", "duckdb")  # what others compute columns with
LIBRARIES = ("talib",)  # over arrays
DURABLE_PEERS = ("duckdb", "chdb", "arcticdb")
COLD_PEERS = ("duckdb command line", "polars parquet")  # whole processes, as Quoin's command is one
COLD_PARTS = ("polars parquet in a running Python",)  # for comparison: no process has to start
BASELINES = ("naive", "sqlite", "sqlite-objects")  # what users come from: ranked, but no ratio is asked for


@dataclass(frozen=True)
class Query:
    name: str
    question: str
    ratio: float  # best peer's time / Quoin's time, at least
    where: str = ""
    select: str = "*"
    group: str = ""
    scales: bool = False  # whether two threads have to be 1.7 times one
    measured: str = ""  # the name in the record, where it is another
    against: tuple = PEERS
    rest: float = 0  # how far an answer may be from Quoin's because running sums leave something behind: `agree` in answers.py


SCANS = [
    Query("Q1", "one ticker, 4 ranges, all columns", 10, f"ticker = 'PG' AND {FOUR_RANGES}"),
    Query("Q2", "market, 4 ranges, all columns", 5, FOUR_RANGES, scales=True),
    Query("Q3", "market, 80 < close < 81, count", 5, "close > 80 AND close < 81", "count(*)"),
    Query("Q4", "market, close > 0.0001, count", 1, "close > 0.0001", "count(*)"),
    Query("Q5", "market, volume > 3,000,000 and close < 5, all columns", 3, "volume > 3000000 AND close < 5",
          scales=True),
    Query("Q6", "market, 11 one-sided ranges that nearly all rows pass, count", 5, ELEVEN_RANGES, "count(*)",
          scales=True),
    Query("Q7", "2008-09-01 to 2009-03-31 and close < 10, all columns", 5,
          "date BETWEEN DATE '2008-09-01' AND DATE '2009-03-31' AND close < 10"),
    Query("Q8", "20 < adj_close < 40: mean close, sum volume", 2, "adj_close > 20 AND adj_close < 40", MEANS,
          scales=True),
    Query("Q9", "ex-dividend > 0, all columns", 4, "ex_dividend > 0", scales=True),
    Query("Q10", "by ticker: mean close, sum volume", 10, "", MEANS, "ticker"),
    Query("Q11", "by ticker and month: first open, max high, min low, last close, sum volume", 10, "",
          "{first} AS open, max(high) AS high, min(low) AS low, {last} AS close, sum(volume) AS sum_volume",
          "ticker, {month} AS month", scales=True),
    Query("Q12", "one day, every ticker, all columns", 1, "date = DATE '2010-06-10'"),
]
COMPUTED = [
    Query("A1", "Qlib's Alpha158: 158 columns computed for 500 tickers", 9, scales=True, against=FRAMES, rest=1e-6),
    Query("A2", "14 such columns for 800 tickers", 5, against=FRAMES),
    Query("A3", "close > open * 1.1, count", 15, against=FRAMES),
    Query("A4", "close / prev(close, 5) - 1 > 0.2, count", 18, against=FRAMES),
    Query("A5", "close > mean(close, 200), count", 18, scales=True, against=FRAMES, rest=5e-5),
    Query("A6", "close * rank(change(close, 5) by day), a column", 3, against=FRAMES),
    Query("A7", "RSI, ATR, MACD and Bollinger bands, 6 columns", 0.5, against=LIBRARIES),
    Query("A8", "one ticker, r2(close, 20), a column", 15, against=FRAMES),
]
OTHERS = [
    Query("Q13a", "a new process: one ticker, 4 ranges, as CSV", 3, against=("duckdb command line",)),
    Query("Q13b", "a new process: market, 80 < close < 81, count", 3, against=("duckdb command line",)),
    Query("Q14a", "load the 1.7 GB CSV, durably", 1.5, measured="Q14", against=DURABLE_PEERS),
    Query("Q14b", "the same, against Polars, which only parses it", 1, measured="Q14", against=("polars",)),
    Query("Q15", "append a file of one day of every ticker, durably, then Q2", 1, against=DURABLE_PEERS),
    Query("Q17a", "Q13a, after the files were dropped from the cache", 2, against=COLD_PEERS),
    Query("Q17b", "Q13b, after the files were dropped from the cache", 1 / 0.6, against=COLD_PEERS),
]
QUERIES = SCANS + COMPUTED + OTHERS
ROUGH = " of rough quotes"  # what the record adds to the names of questions about the table of another character
ROUGH_QUERIES = [replace(query, measured=query.name + ROUGH, against=FRAMES if query in SCANS else query.against)
                 for query in SCANS + COMPUTED[2:7]]
RESTS = {query.measured or query.name: query.rest for query in QUERIES + ROUGH_QUERIES}


def sql(query: Query, table: str, **dialect: str) -> str:
    """The query in SQL. `dialect` says how an engine writes the first open, the last close and the month of a day."""
    columns = ", ".join(filter(None, [query.group, query.select])).format(**dialect)
    by = ", ".join(part.split(" AS ")[-1] for part in query.group.split(", "))
    return (f"SELECT {columns} FROM {table}" + (f" WHERE {query.where}" if query.where else "")
            + (f" GROUP BY {by}" if by else ""))
