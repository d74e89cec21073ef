#!/usr/bin/env python3
"""Times everyday questions that compute something, as counts, in the Python package and in Polars, and compares the counts.

    Benchmarks/Python/questions.py                     the whole market, 15.4 million rows
    Benchmarks/Python/questions.py --rows 1000000      the same on a smaller table

`make bench-questions` builds the wheel, installs it beside Polars in .build/embedding, and runs this. Polars has all columns in memory, with
each row's number in its ticker, so it asks no question ticker by ticker: that is its fastest form. Each engine is asked in processes of its
own, with one thread and with two. The table goes into Benchmarks/Records. Ends with 1 when a count differs by more than one row in
20,000: Polars' moving sums and squares are rounded, so a close may lie above a mean that it equals.
"""

from __future__ import annotations

import math
import statistics
import time

from run import WORK, geometric_mean, made_store, measure, run, write_comparison

REST = 5e-5

QUESTIONS = [
    "close > open",
    "(high - low) / close > 5%",
    "close * volume > 1e9",
    "(close - low) / (high - low) > 0.9",
    "change(close) > 5%",
    "open > prev(high)",
    "close > open * 1.1",
    "close / prev(close, 5) - 1 > 0.2",
    "every(close > prev(close), 3)",
    "close > mean(close, 200)",
    "crosses(mean(close, 50), mean(close, 200))",
    "close >= 0.95 * max(high, 252)",
    "low < min(prev(low), 20)",
    "volume > 3 * mean(prev(volume), 20)",
    "std(log(close / prev(close)), 20) * sqrt(252) > 0.6",
    "(close - mean(close, 20)) / std(close, 20) < -2",
    "close > mean(close, 20) + 2 * std_p(close, 20)",
    "close / max(close) - 1 < -0.5",
]


def asked_of_polars(pl):
    """The same questions, each as an expression of which the true rows are counted."""
    open_, high, low, close, volume = (pl.col(name) for name in ("open", "high", "low", "close", "volume"))
    row = pl.col("row")

    def prev(x, count=1):
        return pl.when(row >= count).then(x.shift(count))

    def window(x, count, function, first=0):
        """Of `count` rows, which begin at row `first` of a ticker."""
        return pl.when(row >= first + count - 1).then(getattr(x, f"rolling_{function}")(count))

    up = close > prev(close)
    mean50, mean200 = window(close, 50, "mean"), window(close, 200, "mean")
    log = (close / prev(close)).log()
    mean20 = window(close, 20, "mean")
    return [
        close > open_,
        (high - low) / close > 0.05,
        close * volume > 1e9,
        (close - low) / (high - low) > 0.9,
        close / prev(close) - 1 > 0.05,
        open_ > prev(high),
        close > open_ * 1.1,
        close / prev(close, 5) - 1 > 0.2,
        up & prev(up) & prev(up, 2),
        close > mean200,
        (mean50 > mean200) & (prev(mean50) <= prev(mean200)),
        close >= 0.95 * window(high, 252, "max"),
        low < window(prev(low), 20, "min", 1),
        volume > 3 * window(prev(volume), 20, "mean", 1),
        window(log, 20, "std", 1) * math.sqrt(252) > 0.6,
        (close - mean20) / window(close, 20, "std") < -2,
        close > mean20 + 2 * pl.when(row >= 19).then(close.rolling_std(20, ddof=0)),
        close / close.cum_max().over("ticker") - 1 < -0.5,
    ]


def times(body):
    """Milliseconds of runs after two to warm up: nine, or as many as begin within four seconds; and the answer."""
    start, found = time.perf_counter(), []
    while len(found) < 3 or len(found) < 11 and time.perf_counter() - start < 4:
        begin = time.perf_counter()
        answer = body()
        found.append((time.perf_counter() - begin) * 1000)
    return found[2:], answer


def quoin_times(store, threads):
    import quoindb

    opened = quoindb.open(store)
    return [times(lambda: opened.scan(where=question, threads=threads).count()) for question in QUESTIONS]


def polars_times(parquet):
    import polars as pl

    names = ["ticker", "open", "high", "low", "close", "volume"]
    frame = pl.read_parquet(parquet, columns=names)
    frame = frame.with_columns(pl.col("volume").cast(pl.Float64), row=pl.int_range(pl.len(), dtype=pl.UInt32).over("ticker")).rechunk()
    return [times(lambda: frame.lazy().select(asked.sum()).collect().item()) for asked in asked_of_polars(pl)]


def write_parquet(store, parquet):
    import quoindb

    return quoindb.open(store).to_parquet(parquet)


STEPS = {step.__name__: step for step in (quoin_times, polars_times, write_parquet)}


def main(rows):
    import polars

    WORK.mkdir(parents=True, exist_ok=True)
    store, parquet = made_store(rows), WORK / f"questions-{rows}.parquet"
    if not parquet.exists():
        measure("write_parquet", store, parquet)
    wrong, lines, ratios = [], [], {1: [], 2: []}
    found = {threads: (
        measure("quoin_times", store, threads), measure("polars_times", parquet, environment={"POLARS_MAX_THREADS": str(threads)})) for threads in (1, 2)}
    for place, question in enumerate(QUESTIONS):
        cells = []
        for threads, (ours, theirs) in found.items():
            (mine, count), (peer, other) = ours[place], theirs[place]
            if abs(count - other) > REST * max(count, other):
                wrong.append(f"{question}: {count} and {other} rows")
            mine, peer = statistics.median(mine), statistics.median(peer)
            ratios[threads].append(peer / mine)
            cells += [f"{mine:.2f}", f"{peer:.1f}", f"{peer / mine:.2f}"]
        lines.append(f"| `{question}` | {count:,} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    means = [geometric_mean(each) for each in ratios.values()]
    behind = [sum(ratio < 1 for ratio in each) for each in ratios.values()]
    summary = (f"Polars takes {means[0]:.2f} times as long with one thread and {means[1]:.2f} times with two (geometric means); it is ahead in {behind[0]} "
               f"and {behind[1]} of {len(QUESTIONS)}, at most by {1 / min(ratios[1]):.2f} and {1 / min(ratios[2]):.2f}.")
    print(summary)
    write_comparison(
        "questions", "Questions that compute, as counts", f"{rows:,} rows, Polars {polars.__version__} with its columns in memory. Medians in ms", ["question", "rows"], lines, summary, wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    run(__doc__, STEPS, main)
