"""Many columns that are computed from rows, in Polars and in SQL: A1, Qlib's Alpha158, and A2, fourteen of the kind.

Windows are partial at a ticker's beginning, missing cells take no part, and rows are counted, not days, as Quoin does it.
Besides the quotes, a table needs each row's number in its ticker (`row`, from 0) and, for Polars, a number that leaps from
ticker to ticker by more than a window (`key`): so a window by that number needs no `over`."""

from pathlib import Path

import polars
from polars import col

NAMES = [line.split(" as ")[1] for line in
         (Path(__file__).resolve().parents[2] / "Examples/alpha158.txt").read_text().splitlines()]
FOURTEEN = ("return body length open_close high_close low_close ago5 mean5 mean20 std5 std20 max20 min20 volume5").split()
TINY = 1e-12  # Qlib's guard against a range of zero

open_, high, low, close = (col(name) for name in ("open", "high", "low", "close"))
volume = col("volume").cast(polars.Float64)


def in_polars(names):
    columns = candles() | {name + str(n): column for n in (5, 10, 20, 30, 60) for name, column in windows(n).items()} | few()
    return [columns[name].alias(name) for name in names]


def candles():
    length = high - low
    neither_is_missing = 0 * (open_ + close)  # extremes pass over missing cells
    above = polars.max_horizontal(open_, close) + neither_is_missing
    below = polars.min_horizontal(open_, close) + neither_is_missing
    return {
        "KMID": (close - open_) / open_, "KLEN": length / open_, "KMID2": (close - open_) / (length + TINY),
        "KUP": (high - above) / open_, "KUP2": (high - above) / (length + TINY),
        "KLOW": (below - low) / open_, "KLOW2": (below - low) / (length + TINY),
        "KSFT": (2 * close - high - low) / open_, "KSFT2": (2 * close - high - low) / (length + TINY),
        "OPEN0": open_ / close, "HIGH0": high / close, "LOW0": low / close, "VWAP0": (high + low + close) / 3 / close,
    }


def correlation(x, y, **over):
    """Of a window whose values don't differ, where Polars' is sometimes infinite, there is none."""
    found = polars.rolling_corr(x, y, **over)
    return polars.when(found.is_finite()).then(found)


def windows(n):
    over = {"window_size": n, "min_samples": 1}
    before, before_volume = close.shift(1), volume.shift(1)
    rise, more = close - before, volume - before_volume
    # Only rows with a close have a place on the line.
    place = polars.when(close.is_not_null()).then(col("row").cast(polars.Float64))
    slope = polars.rolling_cov(place, close, **over) / place.rolling_var(**over)
    highest, lowest = high.rolling_max(**over), low.rolling_min(**over)
    traded = (close / before - 1).abs() * volume
    up, down = ((close > before).fill_null(False), (close < before).fill_null(False))
    share = lambda flag: flag.cast(polars.Float64).rolling_mean(**over)
    sums = lambda x: (x.clip(lower_bound=0).rolling_sum(**over), (-x).clip(lower_bound=0).rolling_sum(**over),
                      x.abs().rolling_sum(**over) + TINY)
    (gains, losses, moves), (increases, decreases, changes) = sums(rise), sums(more)
    newest = lambda extreme: extreme.rolling(index_column="key", period=f"{n}i").cast(polars.Float64) + 1
    columns = {
        "ROC": close.shift(n) / close, "MA": close.rolling_mean(**over) / close, "STD": close.rolling_std(**over) / close,
        "BETA": slope / close, "RSQR": correlation(place, close, **over) ** 2,
        "RESI": (close - close.rolling_mean(**over) - slope * (place - place.rolling_mean(**over))) / close,
        "MAX": highest / close, "MIN": lowest / close,
        "QTLU": close.rolling_quantile(0.8, "linear", **over) / close,
        "QTLD": close.rolling_quantile(0.2, "linear", **over) / close,
        "RANK": close.rolling_rank(n, "average", min_samples=1)
        / close.is_not_null().cast(polars.Float64).rolling_sum(**over),
        "RSV": (close - lowest) / (highest - lowest + TINY),
        "CORR": correlation(close, (volume + 1).log(), **over),
        "CORD": correlation(close / before, (volume / before_volume + 1).log(), **over),
        "CNTP": share(up), "CNTN": share(down), "CNTD": share(up) - share(down),
        "SUMP": gains / moves, "SUMN": losses / moves, "SUMD": (gains - losses) / moves,
        "VMA": volume.rolling_mean(**over) / (volume + TINY), "VSTD": volume.rolling_std(**over) / (volume + TINY),
        "WVMA": traded.rolling_std(**over) / (traded.rolling_mean(**over) + TINY),
        "VSUMP": increases / changes, "VSUMN": decreases / changes, "VSUMD": (increases - decreases) / changes,
    }
    return {name: column.over("number") for name, column in columns.items()} | {
        "IMAX": newest(high.arg_max()) / n, "IMIN": newest(low.arg_min()) / n,
        "IMXD": (newest(high.arg_max()) - newest(low.arg_min())) / n}


def few():
    over = lambda n: {"window_size": n, "min_samples": 1}
    return {
        "body": (close - open_) / open_, "length": (high - low) / open_,
        "open_close": open_ / close, "high_close": high / close, "low_close": low / close,
        **{name: column.over("number") for name, column in {
            "return": close / close.shift(1) - 1, "ago5": close.shift(5) / close,
            "mean5": close.rolling_mean(**over(5)) / close, "mean20": close.rolling_mean(**over(20)) / close,
            "std5": close.rolling_std(**over(5)) / close, "std20": close.rolling_std(**over(20)) / close,
            "max20": high.rolling_max(**over(20)) / close, "min20": low.rolling_min(**over(20)) / close,
            "volume5": volume.rolling_mean(**over(5))}.items()}}


SQL_CANDLES = {
    "KMID": "(close - open) / open", "KLEN": "(high - low) / open", "KMID2": "(close - open) / (high - low + 1e-12)",
    "KUP": "(high - above) / open", "KUP2": "(high - above) / (high - low + 1e-12)",
    "KLOW": "(below - low) / open", "KLOW2": "(below - low) / (high - low + 1e-12)",
    "KSFT": "(2 * close - high - low) / open", "KSFT2": "(2 * close - high - low) / (high - low + 1e-12)",
    "OPEN0": "open / close", "HIGH0": "high / close", "LOW0": "low / close", "VWAP0": "(high + low + close) / 3 / close",
}
SQL_WINDOWS = {
    "ROC": "lag(close, N) OVER t / close", "MA": "avg(close) OVER w / close", "STD": "stddev(close) OVER w / close",
    "BETA": "regr_slope(close, row) OVER w / close", "RSQR": "pow(corr(close, row) OVER w, 2)",
    "RESI": "(close - regr_intercept(close, row) OVER w - regr_slope(close, row) OVER w * row) / close",
    "MAX": "max(high) OVER w / close", "MIN": "min(low) OVER w / close",
    "QTLU": "quantile_cont(close, 0.8) OVER w / close", "QTLD": "quantile_cont(close, 0.2) OVER w / close",
    # The mean of the first and the last place of equal values.
    "RANK": "CASE WHEN close IS NOT NULL THEN (rank(ORDER BY close) OVER w + count(close) OVER w + 1"
            " - rank(ORDER BY close DESC) OVER w) / 2 / count(close) OVER w END",
    "RSV": "(close - min(low) OVER w) / (max(high) OVER w - min(low) OVER w + 1e-12)",
    "IMAX": "(arg_max(row, high) OVER w - row + least(row + 1, N)) / N",
    "IMIN": "(arg_min(row, low) OVER w - row + least(row + 1, N)) / N",
    "IMXD": "(arg_max(row, high) OVER w - arg_min(row, low) OVER w) / N",
    "CORR": "corr(close, log_volume) OVER w", "CORD": "corr(ratio, log_ratio) OVER w",
    "CNTP": "avg(up) OVER w", "CNTN": "avg(down) OVER w", "CNTD": "avg(up) OVER w - avg(down) OVER w",
    "SUMP": "sum(greatest(rise, 0)) OVER w / (sum(abs(rise)) OVER w + 1e-12)",
    "SUMN": "sum(greatest(-rise, 0)) OVER w / (sum(abs(rise)) OVER w + 1e-12)",
    "SUMD": "(sum(greatest(rise, 0)) OVER w - sum(greatest(-rise, 0)) OVER w) / (sum(abs(rise)) OVER w + 1e-12)",
    "VMA": "avg(volume) OVER w / (volume + 1e-12)", "VSTD": "stddev(volume) OVER w / (volume + 1e-12)",
    "WVMA": "stddev(traded) OVER w / (avg(traded) OVER w + 1e-12)",
    "VSUMP": "sum(greatest(more, 0)) OVER w / (sum(abs(more)) OVER w + 1e-12)",
    "VSUMN": "sum(greatest(-more, 0)) OVER w / (sum(abs(more)) OVER w + 1e-12)",
    "VSUMD": "(sum(greatest(more, 0)) OVER w - sum(greatest(-more, 0)) OVER w) / (sum(abs(more)) OVER w + 1e-12)",
}
SQL_FOURTEEN = {
    "return": "close / prev - 1", "body": SQL_CANDLES["KMID"], "length": SQL_CANDLES["KLEN"],
    "open_close": "open / close", "high_close": "high / close", "low_close": "low / close",
    "ago": "lag(close, N) OVER t / close", "mean": "avg(close) OVER w / close", "std": "stddev(close) OVER w / close",
    "max": "max(high) OVER w / close", "min": "min(low) OVER w / close", "volume": "avg(volume) OVER w",
}


def in_sql(names, table, step, count):
    """A query for the columns of every `step`th ticker, `count` of them."""
    parts = [(name.rstrip("0123456789"), "".join(filter(str.isdigit, name))) for name in names]
    columns = [SQL_CANDLES.get(name) or SQL_FOURTEEN.get(name) or SQL_FOURTEEN.get(stem) or SQL_WINDOWS[stem]
               for name, (stem, _) in zip(names, parts)]
    columns = ", ".join(f"{column.replace('OVER w', f'OVER w{n}').replace('N)', f'{n})').replace('/ N', f'/ {n}')} AS \"{name}\""
                        for column, name, (_, n) in zip(columns, names, parts))
    windows = ", ".join(f"w{n} AS (PARTITION BY ticker ORDER BY date ROWS {n - 1} PRECEDING)" for n in (5, 10, 20, 30, 60))
    return f"""
        WITH tickers AS (SELECT ticker, row_number() OVER (ORDER BY ticker) - 1 AS number FROM {table} GROUP BY ticker),
        quotes AS (SELECT *, row_number() OVER t - 1 AS row, lag(close) OVER t AS prev, lag(volume) OVER t AS prev_volume
            FROM {table} WHERE ticker IN (SELECT ticker FROM tickers WHERE number % {step} = 0 AND number < {step * count})
            WINDOW t AS (PARTITION BY ticker ORDER BY date)),
        changes AS (SELECT *, close - prev AS rise, volume - prev_volume AS more, abs(close / prev - 1) * volume AS traded,
            close / prev AS ratio, ln(volume / prev_volume + 1) AS log_ratio, ln(volume + 1) AS log_volume,
            coalesce(close > prev, false)::INT AS up, coalesce(close < prev, false)::INT AS down,
            greatest(open, close) + 0 * (open + close) AS above, least(open, close) + 0 * (open + close) AS below FROM quotes)
        SELECT {columns} FROM changes WINDOW t AS (PARTITION BY ticker ORDER BY date), {windows}"""
