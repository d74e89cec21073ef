"""A store and what can be asked of it."""

from __future__ import annotations

import ctypes
import os
from ctypes import c_int64, c_size_t, c_uint64
from typing import TYPE_CHECKING, Any, Callable

from . import _native
from ._answer import Answer, required
from ._handle import Handle
from ._native import ArrowArrayStream, Call, encoded, library
from ._question import Question, listed, text
from ._writing import Counts, Writing
from .panel import Panel

if TYPE_CHECKING:
    import polars

    from ._question import Columns, Day, Names, Tickers
    from .dataset import QuoinDataset


class Scan(Answer):
    """The rows that a question selects, found each time they are asked for."""

    def __init__(self, handle: Handle, question: Question) -> None:
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
        """The number of rows, for which none is made.

        >>> store.scan(where="close between 100 and 101").count()
        27
        """
        count = c_int64()
        with Call() as call:
            library.quoin_count(self._handle.address, self._question.query(), ctypes.byref(count), call.error)
        return count.value

    def explain(self) -> str:
        """How the rows are found: step by step, and what was read of how many blocks."""
        with Call() as call:
            address = library.quoin_explain(self._handle.address, self._question.query(), call.error)
        return _native.text(address).rstrip("\n")

    def partitions(self, count: int) -> list[Scan]:
        """The same question to parts of the tickers, with about equal numbers of rows, for workers that scan a part each.

        >>> [part.tickers for part in store.scan().partitions(3)]
        [['AAPL', 'BA', 'BRK_A'], ['FDX'], ['GE', 'KO', 'MSFT']]

        A part can go to another process, which opens the store and sees its newest commit.
        """
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

    def __init__(self, handle: Handle, question: Question) -> None:
        self._handle, self._question = handle, question

    def _stream(self, limit: int | None = None) -> ArrowArrayStream:
        stream = ArrowArrayStream()
        with Call() as call:
            library.quoin_aggregate(self._handle.address, self._question.query(limit), None, stream, call.error)
        return stream


class Comparison(Answer):
    """What differs between two states, or looks wrong in one; found each time it is asked for."""

    def __init__(self, ask: Callable[[ArrowArrayStream, Any], object]) -> None:
        self._ask = ask

    def _stream(self, limit: int | None = None) -> ArrowArrayStream:
        stream = ArrowArrayStream()
        with Call() as call:
            self._ask(stream, call.error)
        return stream


class Store(Writing):
    """A store of daily quotes. It shows one snapshot until it writes or `refresh` is called, whatever others commit."""

    def __init__(self, path: Any, *, create: bool = False, read_only: bool = False) -> None:
        if create and read_only:
            raise ValueError("create and read_only exclude each other")
        flags = _native.CREATE if create else _native.READ_ONLY if read_only else _native.READ_WRITE
        self._handle = Handle.at(path, flags)

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
        let: Names = None,
        top: str | None = None,
        latest: bool = False,
        resample: str | None = None,
        bar_label: str | None = None,
        trust_splits: bool = False,
        **fields: str,
    ) -> Scan:
        """The rows that meet a condition, ticker by ticker in order of days.

        >>> store.scan("FDX", where="80 < high < 83 and low < 79", columns="date, high, low", start="2005-09-01")
              date   high    low
        2005-09-12  80.03  78.55
        2005-09-29   81.8   78.5

        tickers     one, or several in whose order rows come; all by default
        where       "80 < high < 83 and close > mean(close, 200)"
        columns     "date, close, close / prev(close) - 1 as r", or a list, or a dictionary of names and expressions
        start, end  the first and the last day
        as_of       the quotes as they were on a day: no later rows, adjusted as of then
        order       "desc" for each ticker's rows from the newest on, or an expression by which all rows are sorted
        dictionary  whether tickers are Arrow dictionaries; plain texts otherwise
        let         names for expressions and conditions: {"r": "close / prev(close) - 1", "big": "volume > 1e6"}
        top         only the first rows of each day: "3 by change(close) per day"
        latest      only the last row of each ticker
        resample    bars of a "week", "month", "quarter", "half-year" or "year" in place of days
        bar_label   a bar's day: "last-row" (the default) or "period-end"
        trust_splits  as of a day, whether a split counts although no price moves by it
        fields      what a newer library has besides
        """
        return Scan(self._handle, Question.of(
            tickers, where=where, columns=columns, start=start, end=end, as_of=as_of, order=order, limit=limit, offset=offset,
            threads=threads, dictionary=dictionary, let=let, top=top, latest=latest, resample=resample, bar_label=bar_label,
            trust_splits=trust_splits, **fields))

    def resample(
        self,
        by: str,
        tickers: Tickers = None,
        *,
        label: str | None = None,
        **options: Any,
    ) -> Scan:
        """Bars of a week, month, quarter, half-year or year, of which the same can be asked as of days.

        >>> store.resample("quarter", "BA", start="2017-10-01", columns="date, high, low, close", label="period-end")
              date    high     low   close
        2017-12-31  305.62  223.74  297.11
        2018-03-31  311.98  252.43   310.0

        label       "last-row" (the default) or "period-end": which day a bar has
        options     those of `scan`
        """
        return self.scan(tickers, resample=text("by", by, "'week'"), bar_label=text("label", label, "'period-end'"), **options)

    def aggregate(
        self,
        aggregates: Columns,
        by: Columns = None,
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
        let: Names = None,
        top: str | None = None,
        resample: str | None = None,
        bar_label: str | None = None,
        trust_splits: bool = False,
        **fields: str,
    ) -> Aggregates:
        """Aggregates of groups of rows.

        >>> store.aggregate("first(open), max(high), last(close)", by="quarter", tickers="KO", start="2017-10-01")
        ticker     quarter  first(open)  max(high)  last(close)
            KO  2017-10-01        42.05      48.39        43.23
            KO  2018-01-01        43.22      48.12        42.81

        aggregates  "count, max(high) / min(low) - 1 as range", or a list, or a dictionary of names and aggregates
        by          "ticker", "month", "year, weekday" ..., or a list; one group of all rows by default
        having      only groups that meet this condition on aggregates
        """
        others: dict[str, Any] = dict(fields)
        return Aggregates(self._handle, Question.of(
            tickers, where=where, start=start, end=end, as_of=as_of, order=order, limit=limit, offset=offset, threads=threads, let=let,
            aggregates=aggregates, by=by, having=having, top=top, resample=resample, bar_label=bar_label,
            trust_splits=trust_splits, **others))

    def panel(
        self, expression: str, tickers: Tickers = None, *, start: Day = None, end: Day = None, as_of: Day = None, threads: int = 0
    ) -> Panel:
        """What an expression is on each day for each ticker: a matrix for factor research.

        >>> momentum = store.panel("close / prev(close, 21) - 1", ["KO", "MSFT"], start="2018-03-26")
        >>> momentum.tickers, momentum.values.round(4).tolist()
        (['KO', 'MSFT'], [[-0.0597, -0.026], [-0.0748, -0.0049]])
        """
        scan = self.scan(
            tickers, columns={"ticker": "ticker", "date": "date", "value": expression}, start=start, end=end, as_of=as_of,
            threads=threads)
        return Panel.of(scan)

    def to_parquet(self, path: str | os.PathLike[str], tickers: Tickers = None, **options: Any) -> int:
        """Writes the rows of a scan, whose options it takes, to a Parquet file, batch by batch. Returns their number.

        >>> store.to_parquet("ko.parquet", "KO", columns="date, close", start="2018-01-01")
        59
        """
        from .parquet import write

        return write(self.scan(tickers, **options), path)

    def snapshots(self) -> list[str]:
        """The names of the snapshots that the store keeps, oldest first."""
        count = c_size_t()
        with Call() as call:
            address = library.quoin_snapshots(self._handle.address, ctypes.byref(count), call.error)
        return _native.texts(address, count.value)

    def snapshot(self, name: str | int) -> Store:
        """The store as a snapshot shows it, by its name; or a generation that is kept, by its number. It is only read."""
        store = Store.__new__(Store)
        store._handle = self._handle.snapshot(str(name))
        return store

    def diff(self, older: Store | str | int) -> Comparison:
        """What differs from another store, or from a snapshot of this one: a row for each day that was added or removed, and one for each
        cell that changed, with the values before and after."""
        other = older if isinstance(older, Store) else self.snapshot(older)
        return Comparison(lambda stream, error: library.quoin_diff(self._handle.address, other._handle.address, stream, error))

    def check(
        self, tickers: Tickers = None, *, rules: Columns = None, start: Day = None, end: Day = None, jump: float = 0
    ) -> Comparison:
        """Rows, and days without one, that look wrong.

        >>> store.check("AAPL", rules="jump", jump=7)
        ticker        date  rule                                            values
          AAPL  2017-02-02  jump  close_before=83.96 close=90.6 change_percent=7.9

        rules       "jump, zero-price", or a list; all by default, which `quoin check --help` explains
        jump        by how many percent a price may differ from the close before; 40 by default
        """
        question = Question.of(tickers, start=start, end=end)
        wanted = _native.Rules(ctypes.sizeof(_native.Rules), encoded(listed("rules", rules, "'jump' or ['jump', 'zero-price']")), jump)
        return Comparison(lambda stream, error: library.quoin_check(
            self._handle.address, question.query(), wanted, stream, error))

    def tickers(self) -> list[str]:
        """The tickers that have quotes, ascending.

        >>> store.tickers()
        ['AAPL', 'BA', 'BRK_A', 'FDX', 'GE', 'KO', 'MSFT']
        """
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

    def limit_questions(self, *, seconds: float | None = None, megabytes: int | None = None) -> None:
        """What each question may take from now on: seconds of work, and megabytes (of 2^20 bytes) that it holds at once.

        A question that takes more is given up: `OverBudgetError`. None stands for the usual limit: an hour, and three quarters of
        the memory that the process may use.
        """
        if seconds is not None and not seconds > 0:
            raise ValueError(f"seconds is {seconds}; it is a number above 0, or None for the usual limit")
        if megabytes is not None and not 0 < megabytes < 1 << 64:
            raise ValueError(f"megabytes is {megabytes}; it is a number above 0, or None for the usual limit")
        with Call() as call:
            library.quoin_limit_questions(self._handle.address, seconds or 0.0, megabytes or 0, call.error)

    def lazy(self) -> polars.LazyFrame:
        """A Polars lazy frame of all rows, whose filters, columns and limits are pushed down to the scan.

        >>> import polars as pl
        >>> store.lazy().filter(pl.col("close").is_between(80, 81)).select(pl.len()).collect().item()
        49
        """
        required("polars")
        from .polars import lazy_frame

        return lazy_frame(self)

    def dataset(self) -> QuoinDataset:
        """A dataset of pyarrow, for DataFusion and DuckDB, whose filters and columns are pushed down to the scan.

        >>> import duckdb
        >>> quotes = store.dataset()
        >>> duckdb.sql("select ticker, max(close) from quotes where date >= '2018-03-26' and ticker in ('KO', 'MSFT') group by 1 order by 1").fetchall()
        [('KO', 43.17), ('MSFT', 90.76)]
        """
        required("pyarrow")
        from .dataset import QuoinDataset

        return QuoinDataset(self)

    def sql(self, text: str) -> polars.DataFrame:
        """What SQL says of the table `quotes`, in Polars' dialect.

        >>> store.sql("select ticker, count(*) as days from quotes where close > 250 group by ticker order by days desc").rows()
        [('BRK_A', 504), ('BA', 263)]
        """
        return required("polars").SQLContext(quotes=self.lazy()).execute(text, eager=True)  # type: ignore[no-any-return]
