"""Frames as people have them: times with a zone, columns of two levels as yfinance gives them, a column or a frame for each ticker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def plain(rows: Any, values: str | None = None) -> Any:
    """The frame with times as clocks in their zones show them, so that a midnight in New York is that day, and a row for each ticker and day.

    pandas, Polars and pyarrow are known. What others give stays as it is, and the library refuses other zones than UTC's.

    values      the attribute whose values a wide frame has: its columns are tickers
    """
    if isinstance(rows, Mapping):
        rows = _of_each_ticker({ticker: plain(frame) for ticker, frame in rows.items()}, rows)
    kind = _library(rows)
    if values is not None:
        long = {"pandas": _long_pandas, "polars": _long_polars}.get(kind)
        if long is None:
            raise TypeError(f"values='{values}' is for frames of pandas and Polars whose columns are tickers, not for {type(rows).__name__}")
        rows = long(rows, values)
    change = {"pandas": _pandas, "polars": _polars, "pyarrow": _pyarrow}.get(kind)
    return change(rows) if change is not None else rows


def _library(rows: Any) -> str:
    return type(rows).__module__.partition(".")[0]


def _of_each_ticker(frames: dict[Any, Any], rows: Any) -> Any:
    """One frame of a frame for each ticker; what else a mapping is stays as it is."""
    kinds = {_library(frame) if hasattr(frame, "columns") else None for frame in frames.values()}
    if kinds == {"pandas"}:
        import pandas

        return pandas.concat(frames, names=["ticker"])
    if kinds == {"polars"}:
        import polars

        return polars.concat(
            [frame.select(polars.lit(str(ticker)).alias("ticker"), polars.all()) for ticker, frame in frames.items()], how="diagonal_relaxed")
    return rows


def _long_pandas(frame: Any, values: str) -> Any:
    names = {str(name).lower(): name for name in frame.columns}
    if "date" in names:
        frame = frame.set_index(names["date"])
    frame = frame.rename_axis(index="date", columns="ticker")
    return frame.stack(future_stack=True).rename(values).reset_index()


def _long_polars(frame: Any, values: str) -> Any:
    date = next((name for name in frame.columns if name.lower() == "date"), None)
    if date is None:
        raise ValueError("there is no column 'date'")
    return frame.unpivot(index=date, variable_name="ticker", value_name=values)


def _pandas(frame: Any) -> Any:
    level = _level_of_tickers(getattr(frame, "columns", None))
    if level is not None and frame.index.nlevels == 1:
        frame = frame.stack(level=level, future_stack=True).rename_axis(index=[frame.index.name, "ticker"])
    index: Any = getattr(frame, "index", None)
    if hasattr(index, "levels"):
        frame = frame.set_axis(index.set_levels([_clock(level) for level in index.levels]))
    elif _is_zoned(index) or _is_of_days(index):
        frame = frame.set_axis(_clock(index))
    # An index of times without a name has the days, unless a column has.
    if (hasattr(index, "tz") or _is_of_days(index)) and index.name is None and not any(str(name).lower() == "date" for name in frame.columns):
        frame = frame.rename_axis(index="date")
    # A frame has a type for each column; a series has one and none to put in.
    kinds = list(enumerate(frame.dtypes)) if hasattr(frame, "columns") else []
    zoned, periods = [place for place, kind in kinds if _is_zoned(kind)], [place for place, kind in kinds if _is_of_days(kind)]
    if zoned or periods:
        frame = frame.copy(deep=False)
        for place in zoned:
            frame.isetitem(place, frame.iloc[:, place].dt.tz_localize(None))
        for place in periods:
            frame.isetitem(place, frame.iloc[:, place].dt.to_timestamp())
    return frame


def _level_of_tickers(columns: Any) -> int | None:
    """Which of two levels of columns has the tickers: by its name, or because the other one has the closes. None if that isn't known."""
    if getattr(columns, "nlevels", 1) != 2:
        return None
    named = [level for level in (0, 1) if str(columns.names[level]).lower() in ("ticker", "tickers", "symbol", "symbols")]
    priced = [level for level in (0, 1) if "close" in {str(name).lower() for name in columns.get_level_values(level)}]
    if len(named) == 1:
        return named[0]
    return 1 - priced[0] if not named and len(priced) == 1 else None


def _is_of_days(values: Any) -> bool:
    """Whether these are pandas' periods of a day each; longer ones are no days."""
    return type(values).__name__ in ("PeriodIndex", "PeriodDtype") and values.freq.freqstr == "D"


def _is_zoned(values: Any) -> bool:
    return getattr(values, "tz", None) is not None


def _clock(index: Any) -> Any:
    if _is_of_days(index):
        return index.to_timestamp()
    return index.tz_localize(None) if _is_zoned(index) else index


def _polars(frame: Any) -> Any:
    if not hasattr(frame, "get_columns"):
        return frame
    zoned = [column for column in frame.get_columns() if getattr(column.dtype, "time_zone", None) is not None]
    return frame.with_columns([column.dt.replace_time_zone(None) for column in zoned])


def _pyarrow(table: Any) -> Any:
    if not hasattr(table, "set_column"):
        return table
    from pyarrow import compute

    functions: Any = compute
    for place, field in enumerate(table.schema):
        if _is_zoned(field.type):
            table = table.set_column(place, field.name, functions.local_timestamp(table.column(place)))
    return table
