"""What a caller asks, as the library takes it. Arguments of a wrong type are refused here, with the name of the argument."""

from __future__ import annotations

import ctypes
import operator
import signal
from datetime import date
from typing import TYPE_CHECKING, Any, Iterable, Mapping, NamedTuple

from . import _native
from ._native import Field, Query, encoded

if TYPE_CHECKING:
    import numpy

    Tickers = str | Iterable[str] | None
    Columns = str | Iterable[str] | Mapping[str, str] | None
    Names = str | Mapping[str, str] | None
    #: The time of a datetime, pandas.Timestamp or numpy.datetime64 is left out.
    Day = str | date | numpy.datetime64 | None


class Question(NamedTuple):
    """Which rows, and what of them."""

    tickers: tuple[str, ...] | None = None
    #: Everything else: the library's name of a field, and its text.
    fields: tuple[tuple[str, str], ...] = ()
    dictionary: bool = True

    @staticmethod
    def of(
        tickers: Tickers = None,
        *,
        where: str | None = None,
        columns: Columns = None,
        start: Day = None,
        end: Day = None,
        as_of: Day = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int = 0,
        threads: int = 0,
        dictionary: bool = True,
        let: Names = None,
        latest: bool = False,
        aggregates: Columns = None,
        by: Columns = None,
        **others: str | bool | int | date | None,
    ) -> Question:
        """Of a caller's arguments. All others are passed on as they are, also those that only the library knows."""
        fields = {
            "let": _names(let),
            "where": text("where", where, "'close > 80'"),
            "from": _day("start", start),
            "to": _day("end", end),
            "as_of": _day("as_of", as_of),
            "columns": listed("columns", columns, "'date, close', ['date', 'close'] or {'r': 'close / open'}"),
            "order": text("order", order, "'desc' or 'volume desc'"),
            "aggregates": listed("aggregates", aggregates, "'count, max(high) as top'"),
            "by": listed("by", by, "'ticker' or ['year', 'weekday']"),
            "limit": None if limit is None else str(whole("limit", limit)),
            "offset": str(whole("offset", offset)) if offset else None,
            "threads": str(whole("threads", threads)) if threads else None,
            "latest": "true" if latest else None,
        }
        for name, value in others.items():
            fields[name] = _passed_on(name, value)
        given = tuple((name, value) for name, value in fields.items() if value is not None)
        return Question(_texts("tickers", tickers, "'FDX' or ['FDX', 'KO']"), given, dictionary)

    def query(self, limit: int | None = None) -> Query:
        """For the library; of no more than `limit` rows."""
        fields = dict(self.fields)
        if limit is not None:
            fields["limit"] = str(min(limit, int(fields.get("limit", limit))))
        query = Query(size=ctypes.sizeof(Query), flags=0 if self.dictionary else _native.TICKERS_AS_TEXT)
        # Ctrl-C raises KeyboardInterrupt as soon as the library comes back.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            query.flags |= _native.INTERRUPTIBLE
        if self.tickers is not None:
            query.tickers, query.ticker_count = _native.list_of_texts(self.tickers), len(self.tickers)
        query.fields = (Field * len(fields))(*(Field(encoded(name), encoded(value)) for name, value in fields.items()))
        query.field_count = len(fields)
        return query


EXAMPLES = {"resample": "'week'", "bar_label": "'period-end'", "top": "'3 by volume per day'", "having": "'count > 100'"}


def _passed_on(name: str, value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else None
    if name not in EXAMPLES and isinstance(value, date):
        return _day(name, value)
    if name not in EXAMPLES and hasattr(value, "__index__"):
        return str(operator.index(value))
    return text(name, value, EXAMPLES.get(name, "'close > 80'"))


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
    if let is None or isinstance(let, str):
        return let
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


def whole(name: str, value: Any) -> int:
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
