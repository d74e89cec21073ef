"""TA-Lib: a call for each ticker and indicator, over arrays in memory. It answers A7 alone. A second thread hardly
helps."""

from concurrent.futures import ThreadPoolExecutor

import numpy
import polars
import pyarrow as pa
import talib

from Peers.polars_peer import TYPES
from queries import CSV_COLUMNS

version = talib.__version__
NAMES = "rsi atr macd_signal macd_above upper_band lower_band".split()


class Peer:
    def __init__(self, directory, threads):
        schema = {name: TYPES.get(name, polars.Float64) for name in CSV_COLUMNS}
        frame = polars.read_csv(f"{directory}/wiki.csv", schema=schema).select("ticker", "high", "low", "close")
        self.tickers = [[rows[name].fill_null(numpy.nan).to_numpy() for name in ("high", "low", "close")]
                        for rows in frame.partition_by("ticker", maintain_order=True)]
        self.pool = ThreadPoolExecutor(threads)
        self.map = self.pool.map if threads > 1 else map

    def cases(self):
        return {"A7": lambda: list(self.map(indicators, self.tickers))}

    def table(self, found):
        return pa.table({name: numpy.concatenate(parts) for name, parts in zip(NAMES, zip(*found))})


def indicators(quotes):
    high, low, close = quotes
    rsi, = passing_over(lambda x: [talib.RSI(x, 14)], close)
    atr, = passing_over(lambda *x: [talib.ATR(*x, 14)], high, low, close)
    _, signal, above = passing_over(talib.MACD, close)
    upper, _, lower = bands(close)
    return rsi, atr, signal, above, upper, lower


def passing_over(function, *inputs):
    """TA-Lib finds nothing more after a missing cell. Quoin passes over its row, which repeats the value before."""
    whole = ~numpy.isnan(sum(inputs))
    if whole.all():
        return function(*inputs)
    place = numpy.cumsum(whole) - 1
    return [numpy.where(place < 0, numpy.nan, values[place]) for values in function(*(x[whole] for x in inputs))]


def bands(close):
    """Rows count, and missing cells take no part: where there are any, the sums are of the others."""
    present = ~numpy.isnan(close)
    if present.all():
        return talib.BBANDS(close, 20)
    shift = close[present][0]
    values = numpy.where(present, close - shift, 0)
    count, total, squares = (talib.SUM(x, 20) for x in (present.astype(float), values, values * values))
    mean = total / count
    deviation = numpy.sqrt(numpy.maximum(squares / count - mean * mean, 0))
    return shift + mean + 2 * deviation, shift + mean, shift + mean - 2 * deviation
