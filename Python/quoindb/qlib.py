"""A store as Qlib's data, so that its handlers and expressions run on quotes without a folder of binary files.

    import quoindb.qlib
    from qlib.contrib.data.handler import Alpha158

    quoindb.qlib.init("quoin-store")
    features = Alpha158(instruments="all", start_time="2017-01-01", end_time="2018-03-27").fetch(col_set="feature")

Prices and volumes are adjusted, as Qlib wants them; `$factor` is the adjustment. Daily quotes have no `$vwap`: it is the mean of high, low
and close. Any other field is what it is in Quoin's language: `$split_ratio`, or what `fields` says.
"""

from __future__ import annotations

import functools
import os
from typing import Any, Mapping, Sequence

import numpy
import pandas
import qlib  # pyright: ignore[reportMissingImports]
from qlib.data import data  # pyright: ignore[reportMissingImports]

from .store import Store

#: What Qlib's fields are in Quoin's language.
FIELDS = {
    "open": "adj_open",
    "high": "adj_high",
    "low": "adj_low",
    "close": "adj_close",
    "volume": "adj_volume",
    "vwap": "(adj_high + adj_low + adj_close) / 3",
    "factor": "adj_close / close",
    "change": "change(adj_close)",
}

_DAY_NUMBER = "year(date) * 10000 + month(date) * 100 + day(date)"


def init(
    path: str | os.PathLike[str],
    *,
    markets: Mapping[str, Sequence[str]] | None = None,
    fields: Mapping[str, str] | None = None,
    **options: Any,
) -> None:
    """Initializes Qlib with a store, as it is now.

    markets  tickers by the name of a market; "all" has all of the store
    fields   expressions of further fields, or others for those of `FIELDS`
    options  those of `qlib.init`
    """
    path = os.path.abspath(os.fspath(path))
    Store(path)

    def provider(name: str, **arguments: Any) -> dict[str, Any]:
        return {"class": name, "module_path": __name__, "kwargs": {"path": path, **arguments}}

    qlib.init(**{
        "provider_uri": path,
        "calendar_provider": provider("CalendarProvider"),
        "instrument_provider": provider("InstrumentProvider", markets=dict(markets or {})),
        "feature_provider": provider("FeatureProvider", fields={**FIELDS, **(fields or {})}),
        "expression_cache": None,
        "dataset_cache": None,
        **options,
    })


def _days(store: Store, freq: str) -> numpy.ndarray[Any, Any]:
    """All days with quotes, ascending."""
    if freq != "day":
        raise ValueError(f"a store has quotes of days, and not of freq={freq!r}; Qlib can resample them")
    return store.aggregate("count", "day").to_numpy()["day"]


class CalendarProvider(data.CalendarProvider):  # type: ignore[misc]
    """The days on which any ticker has a quote. The future has none."""

    def __init__(self, path: str) -> None:
        self._store = Store(path)

    def load_calendar(self, freq: str, future: bool) -> list[Any]:
        return [pandas.Timestamp(str(day)) for day in _days(self._store, freq)]


class InstrumentProvider(data.LocalInstrumentProvider):  # type: ignore[misc]
    """The tickers, each from its first day to its last."""

    def __init__(self, path: str, markets: dict[str, Sequence[str]]) -> None:
        super().__init__()
        self._store, self._markets = Store(path), markets

    def _load_instruments(self, market: str, freq: str) -> dict[str, list[tuple[Any, Any]]]:
        if market != "all" and market not in self._markets:
            known = ", ".join(map(repr, ["all", *self._markets]))
            raise ValueError(f"there is no market {market!r}, but {known}; quoindb.qlib.init(markets={{{market!r}: [...]}}) tells its tickers")
        tickers = None if market == "all" else self._markets[market]
        spans = self._store.aggregate(
            f"argmin({_DAY_NUMBER}) as first, argmax({_DAY_NUMBER}) as last", "ticker", tickers=tickers).to_numpy()
        return {str(ticker): [(first, last)] for ticker, first, last in zip(spans["ticker"], spans["first"], spans["last"])}


class FeatureProvider(data.FeatureProvider):  # type: ignore[misc]
    """The values of a field, by places in the calendar. A day between the ticker's first and last without a quote is NaN."""

    def __init__(self, path: str, fields: dict[str, str]) -> None:
        self._store, self._fields = Store(path), fields
        self._tickers = set(self._store.tickers())
        self._column = functools.lru_cache(maxsize=64)(self._read)

    def feature(self, instrument: str, field: str, start_index: int, end_index: int, freq: str) -> pandas.Series:
        ticker = str(instrument)
        if ticker not in self._tickers:
            return pandas.Series(dtype=numpy.float32)
        first, values = self._column(ticker, str(field).removeprefix("$"), freq)
        start, end = max(start_index, first), min(end_index, first + len(values) - 1)
        if start > end:
            return pandas.Series(dtype=numpy.float32)
        return pandas.Series(values[start - first : end - first + 1], index=pandas.RangeIndex(start, end + 1))

    def _read(self, ticker: str, field: str, freq: str) -> tuple[int, numpy.ndarray[Any, Any]]:
        """The place of the first value, and all values."""
        expression = self._fields.get(field, field)
        rows = self._store.scan(ticker, columns={"date": "date", "value": expression}).to_numpy()
        places = numpy.searchsorted(self._calendar(freq), rows["date"])
        values = numpy.full(places[-1] - places[0] + 1, numpy.nan, numpy.float32)
        values[places - places[0]] = rows["value"]
        return int(places[0]), values

    @functools.cached_property
    def _calendar(self) -> Any:
        return functools.cache(functools.partial(_days, self._store))
