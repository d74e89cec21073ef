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
    #: In the order of the question.
    tickers: list[str]
    #: A row for each day, a column for each ticker.
    values: numpy.ndarray[Any, Any]

    @staticmethod
    def of(scan: Scan) -> Panel:
        """Of a scan with the columns ticker, date and value."""
        columns = scan.to_numpy()
        import numpy

        days, rows = numpy.unique(columns["date"], return_inverse=True)
        # Rows come ticker by ticker.
        tickers = columns["ticker"]
        starts = numpy.flatnonzero(numpy.r_[True, tickers[1:] != tickers[:-1]]) if len(tickers) else numpy.empty(0, int)
        places = numpy.repeat(numpy.arange(len(starts)), numpy.diff(numpy.r_[starts, len(tickers)]))
        values = numpy.full((len(days), len(starts)), numpy.nan)
        values[rows, places] = columns["value"]
        return Panel(days, [str(ticker) for ticker in tickers[starts]], values)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame with an index of days and a column for each ticker."""
        import pandas

        return pandas.DataFrame(self.values, index=pandas.DatetimeIndex(self.days, name="date"), columns=self.tickers)

    def to_polars(self) -> polars.DataFrame:
        """A Polars data frame with the column date and one for each ticker."""
        import polars

        return polars.DataFrame({"date": self.days, **{ticker: self.values[:, place] for place, ticker in enumerate(self.tickers)}})
