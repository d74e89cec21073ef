"""What a caller asks, as the library takes it. Arguments of a wrong type are refused here, with the name of the argument."""

from __future__ import annotations

import ctypes
import operator
from datetime import date
from typing import TYPE_CHECKING, Any, Iterable, Mapping, NamedTuple

from . import _native
from ._native import Query, encoded

if TYPE_CHECKING:
    import numpy

    Tickers = str | Iterable[str] | None
    Columns = str | Iterable[str] | Mapping[str, str] | None
    Names = Mapping[str, str] | None
    #: The time of a datetime, pandas.Timestamp or numpy.datetime64 is left out.
    Day = str | date | numpy.datetime64 | None


class Question(NamedTuple):
    """Which rows, and what of them."""

    tickers: tuple[str, ...] | None = None
    where: str | None = None
    start: str | None = None
    end: str | None = None
    as_of: str | None = None
    resample: str | None = None
    label: str | None = None
    columns: str | None = None
    order: str | None = None
    limit: int | None = None
    offset: int = 0
    threads: int = 0
    dictionary: bool = True
    let: str | None = None
    top: str | None = None
    latest: bool = False

    @staticmethod
    def of(
        tickers: Tickers = None,
        where: str | None = None,
        start: Day = None,
        end: Day = None,
        as_of: Day = None,
        resample: str | None = None,
        label: str | None = None,
        columns: Columns = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int = 0,
        threads: int = 0,
        dictionary: bool = True,
        let: Names = None,
        top: str | None = None,
        latest: bool = False,
    ) -> Question:
        """Of a caller's arguments."""
        return Question(
            _texts("tickers", tickers, "'FDX' or ['FDX', 'KO']"), text("where", where, "'close > 80'"), _day("start", start),
            _day("end", end), _day("as_of", as_of), text("by", resample, "'week'"), text("label", label, "'period-end'"),
            listed("columns", columns, "'date, close', ['date', 'close'] or {'r': 'close / open'}"),
            text("order", order, "'desc' or 'volume desc'"), None if limit is None else _whole("limit", limit),
            _whole("offset", offset), _whole("threads", threads), dictionary, _names(let),
            text("top", top, "'3 by volume per day'"), latest)

    def query(self, limit: int | None = None) -> Query:
        """For the library; of no more than `limit` rows."""
        limits = [count for count in (self.limit, limit) if count is not None]
        query = Query(size=ctypes.sizeof(Query), threads=self.threads, offset=self.offset)
        if self.tickers is not None:
            query.tickers, query.ticker_count = _native.list_of_texts(self.tickers), len(self.tickers)
        query.where, query.columns, query.order = encoded(self.where), encoded(self.columns), encoded(self.order)
        query.start, query.end, query.as_of = encoded(self.start), encoded(self.end), encoded(self.as_of)
        query.resample, query.bar_label = encoded(self.resample), encoded(self.label)
        query.limit = 0 if not limits else min(limits) or _native.NO_ROWS
        query.let, query.top = encoded(self.let), encoded(self.top)
        query.flags = (0 if self.dictionary else _native.TICKERS_AS_TEXT) | (_native.LATEST if self.latest else 0)
        return query


def text(name: str, value: Any, example: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise TypeError(f"{name} is a text such as {example}, not {_said(value)}")


def _texts(name: str, value: Any, example: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    try:
        values = (value,) if isinstance(value, str) else tuple(value)
    except TypeError:
        values = (value,)
    for each in values:
        if not isinstance(each, str):
            raise TypeError(f"{name} are texts such as {example}, not {_said(each)}")
    return values


def listed(name: str, value: Any, example: str) -> str | None:
    """A list in the language, of a text, of texts, or of names and expressions."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        expressions = _texts(name, value.values(), example) or ()
        return ", ".join(key if key == expression else f"{expression} as {key}" for key, expression in zip(value, expressions))
    return ", ".join(_texts(name, value, example) or ())


def _names(let: Any) -> str | None:
    """Definitions in the language, of names and what they mean."""
    if let is None:
        return None
    example = "{'r': 'close / prev(close) - 1'}"
    if not isinstance(let, Mapping):
        raise TypeError(f"let has names and what they mean, such as {example}, not {_said(let)}")
    return "; ".join(f"{name} = {meaning}" for name, meaning in zip(let, _texts("let", let.values(), example) or ()))


def _day(name: str, value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, date):
        return value.isoformat()[:10]
    if type(value).__name__ == "datetime64":
        return str(value)[:10]
    raise TypeError(f"{name} is a day such as '2005-01-31' or datetime.date(2005, 1, 31), not {_said(value)}")


def _whole(name: str, value: Any) -> int:
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {_said(value)}") from None
    if not 0 <= count < 2**63 or (name == "threads" and count >= 2**32):
        raise ValueError(f"{name} is {count}, and has to be 0 or more")
    return count


def _said(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 60 and "\n" not in text else f"a {type(value).__name__}"
