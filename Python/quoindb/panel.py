"""Days x tickers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars

    from .store import Scan


class Panel(NamedTuple):
    """A value for each day and ticker; NaN where there is none."""

    #: datetime64[D], ascending.
    days: numpy.ndarray[Any, Any]
    #: Those that were asked for, in their order; otherwise all of the store.
    tickers: list[str]
    #: A row for each day, a column for each ticker.
    values: numpy.ndarray[Any, Any]

    @staticmethod
    def of(scan: Scan, asked: list[str]) -> Panel:
        """Of a scan of some tickers with the columns ticker, date and value. A ticker without a row has a column of NaN."""
        columns = scan.to_numpy()
        import numpy

        days, rows = numpy.unique(columns["date"], return_inverse=True)
        # Rows come ticker by ticker.
        tickers = columns["ticker"]
        starts = numpy.flatnonzero(numpy.r_[True, tickers[1:] != tickers[:-1]]) if len(tickers) else numpy.empty(0, int)
        places = {ticker: place for place, ticker in enumerate(asked)}
        found = numpy.array([places[str(ticker)] for ticker in tickers[starts]], dtype=int)
        values = numpy.full((len(days), len(asked)), numpy.nan)
        values[rows, numpy.repeat(found, numpy.diff(numpy.r_[starts, len(tickers)]))] = columns["value"]
        return Panel(days, asked, values)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of days and tickers."""
        return len(self.days), len(self.tickers)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray[Any, Any]:
        """The values, for numpy."""
        import numpy

        return numpy.array(self.values, dtype=dtype) if copy else numpy.asarray(self.values, dtype=dtype)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame with an index `date` and a column for each ticker; the axis of these is called `ticker`."""
        import pandas

        return pandas.DataFrame(self.values, index=pandas.DatetimeIndex(self.days, name="date"), columns=pandas.Index(self.tickers, name="ticker"))

    def to_polars(self) -> polars.DataFrame:
        """A Polars data frame with the column date and one for each ticker."""
        import polars

        return polars.DataFrame({"date": self.days, **{ticker: self.values[:, place] for place, ticker in enumerate(self.tickers)}})
