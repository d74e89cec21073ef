"""A store and what can be asked of it."""

from __future__ import annotations

import ctypes
import os
from ctypes import c_int64, c_size_t, c_uint64
from typing import TYPE_CHECKING, Any

from . import _native
from ._answer import Answer
from ._native import ArrowArrayStream, Call, Groups, encoded, library
from ._question import Question
from .panel import Panel

if TYPE_CHECKING:
    import polars

    from ._question import Columns, Day, Tickers
    from .dataset import QuoinDataset


class _Handle:
    """An open store of the library, which closes when nothing needs it any more."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        try:
            self.path = os.path.expanduser(os.fsdecode(path))
        except TypeError:
            raise TypeError(f"path is the name of a directory, not {path!r}") from None
        with Call() as call:
            self.address = library.quoin_open(encoded(self.path), 0, call.error)

    def __reduce__(self) -> tuple[type[_Handle], tuple[str]]:
        """Another process opens the store, and sees its newest commit."""
        return _Handle, (os.path.abspath(self.path),)

    def __del__(self, close=library.quoin_close) -> None:  # type: ignore[no-untyped-def]
        if getattr(self, "address", None):
            close(self.address)


class Scan(Answer):
    """The rows that a question selects, found each time they are asked for."""

    def __init__(self, handle: _Handle, question: Question) -> None:
        self._handle, self._question = handle, question

    def _stream(self, limit: int | None = None) -> ArrowArrayStream:
        stream = ArrowArrayStream()
        with Call() as call:
            library.quoin_scan(self._handle.address, self._question.query(limit), stream, call.error)
        return stream

    @property
    def tickers(self) -> list[str] | None:
        """The tickers that are asked for; None for all."""
        return None if self._question.tickers is None else list(self._question.tickers)

    def count(self) -> int:
        """The number of rows, for which none is made."""
        count = c_int64()
        with Call() as call:
            library.quoin_count(self._handle.address, self._question.query(), ctypes.byref(count), call.error)
        return count.value

    def explain(self) -> str:
        """How the rows are found: step by step, and what was read of how many blocks."""
        with Call() as call:
            address = library.quoin_explain(self._handle.address, self._question.query(), call.error)
        return _native.text(address)

    def partitions(self, count: int) -> list[Scan]:
        """The same question to parts of the tickers, with about equal numbers of rows, for workers that scan a part each."""
        if count < 1:
            raise ValueError(f"{count} parts")
        ends = (c_size_t * count)()
        with Call() as call:
            address = library.quoin_partitions(self._handle.address, self._question.query(), count, ends, call.error)
        tickers = _native.texts(address, ends[count - 1])
        parts = [tickers[start:end] for start, end in zip([0, *ends], ends)]
        return [Scan(self._handle, self._question._replace(tickers=tuple(part))) for part in parts if part]


class Aggregates(Answer):
    """Aggregates of groups of rows, found each time they are asked for."""

    def __init__(self, handle: _Handle, question: Question, aggregates: str, by: str | None, having: str | None) -> None:
        self._handle, self._question = handle, question
        self._aggregates, self._by, self._having = aggregates, by, having

    def _stream(self, limit: int | None = None) -> ArrowArrayStream:
        stream = ArrowArrayStream()
        groups = Groups(ctypes.sizeof(Groups), encoded(self._aggregates), encoded(self._by), encoded(self._having))
        with Call() as call:
            library.quoin_aggregate(self._handle.address, self._question.query(limit), groups, stream, call.error)
        return stream


class Store:
    """A store of daily quotes. It shows one snapshot until `refresh`, whatever others commit."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._handle = _Handle(path)

    @property
    def path(self) -> str:
        """The directory."""
        return self._handle.path

    def __repr__(self) -> str:
        return f"quoin.open({self.path!r})"

    def scan(
        self,
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
    ) -> Scan:
        """The rows that meet a condition, ticker by ticker in order of days.

        tickers     one, or several in whose order rows come; all by default
        where       "80 < high < 83 and close > mean(close, 200)"
        columns     "date, close, close / prev(close) - 1 as r", or a list, or a dictionary of names and expressions
        start, end  the first and the last day
        as_of       the quotes as they were on a day: no later rows, adjusted as of then
        order       "desc" for each ticker's rows from the newest on, or an expression by which all rows are sorted
        dictionary  whether tickers are Arrow dictionaries; plain texts otherwise
        """
        return Scan(self._handle, Question.of(
            tickers, where, start, end, as_of, None, None, columns, order, limit, offset, threads, dictionary))

    def resample(
        self,
        by: str,
        tickers: Tickers = None,
        *,
        label: str | None = None,
        where: str | None = None,
        columns: Columns = None,
        start: Day = None,
        end: Day = None,
        as_of: Day = None,
        order: str | None = None,
        limit: int | None = None,
        threads: int = 0,
    ) -> Scan:
        """Bars of a week, month, quarter, half-year or year, of which the same can be asked as of days.

        label       "last-row" (the default) or "period-end": which day a bar has
        """
        return Scan(self._handle, Question.of(
            tickers, where, start, end, as_of, by, label, columns, order, limit, threads=threads))

    def aggregate(
        self,
        aggregates: str,
        by: str | None = None,
        *,
        tickers: Tickers = None,
        where: str | None = None,
        having: str | None = None,
        start: Day = None,
        end: Day = None,
        as_of: Day = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int = 0,
        threads: int = 0,
    ) -> Aggregates:
        """Aggregates of groups of rows.

        aggregates  "count, max(high) / min(low) - 1 as range"
        by          "ticker", "month", "year, weekday" ...; one group of all rows by default
        having      only groups that meet this condition on aggregates
        """
        question = Question.of(tickers, where, start, end, as_of, order=order, limit=limit, offset=offset, threads=threads)
        return Aggregates(self._handle, question, aggregates, by, having)

    def panel(
        self, expression: str, tickers: Tickers = None, *, start: Day = None, end: Day = None, as_of: Day = None, threads: int = 0
    ) -> Panel:
        """What an expression is on each day for each ticker, such as "close / prev(close) - 1": a matrix for factor research."""
        scan = self.scan(
            tickers, columns={"ticker": "ticker", "date": "date", "value": expression}, start=start, end=end, as_of=as_of,
            threads=threads)
        return Panel.of(scan)

    def to_parquet(self, path: str | os.PathLike[str], tickers: Tickers = None, **options: Any) -> int:
        """Writes the rows of a scan, whose options it takes, to a Parquet file, batch by batch. Returns their number."""
        from .parquet import write

        return write(self.scan(tickers, **options), path)

    def tickers(self) -> list[str]:
        """The tickers that have quotes, ascending."""
        count = c_size_t()
        with Call() as call:
            address = library.quoin_tickers(self._handle.address, ctypes.byref(count), call.error)
        return _native.texts(address, count.value)

    def refresh(self) -> int:
        """Shows the newest commit from now on. Returns its number, which grows with each commit."""
        generation = c_uint64()
        with Call() as call:
            library.quoin_refresh(self._handle.address, ctypes.byref(generation), call.error)
        return generation.value

    def lazy(self) -> polars.LazyFrame:
        """A Polars lazy frame of all rows, whose filters, columns and limits are pushed down to the scan."""
        from .polars import lazy_frame

        return lazy_frame(self)

    def dataset(self) -> QuoinDataset:
        """A dataset of pyarrow, for DataFusion and DuckDB, whose filters and columns are pushed down to the scan."""
        from .dataset import QuoinDataset

        return QuoinDataset(self)

    def sql(self, text: str) -> polars.DataFrame:
        """What SQL says of the table `quotes`, in Polars' dialect."""
        import polars

        return polars.SQLContext(quotes=self.lazy()).execute(text, eager=True)
