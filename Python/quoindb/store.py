"""A store and what can be asked of it."""

from __future__ import annotations

import ctypes
import os
import sys
from collections import namedtuple
from ctypes import c_int64, c_size_t, c_uint64
from typing import TYPE_CHECKING, Any, Callable, Iterator

from . import _native
from ._answer import Answer, required
from ._handle import Handle
from ._keeping import Keeping
from ._native import ArrowArrayStream, Call, encoded, library
from ._question import Question, listed, text, whole
from ._writing import Counts, Writing
from .panel import Panel

if TYPE_CHECKING:
    import numpy
    import polars
    from typing_extensions import Self

    from ._question import Columns, Day, Names, Tickers
    from .dataset import QuoinDataset


MADE = "'close / open as r' or {'r': 'close / open'}"


class Remark(UserWarning):
    """What should be known of an answer that is right, and perhaps not what was meant."""


class Asked(Answer):
    """The answer to a question, found each time it is asked for."""

    _has_told = False

    def __init__(self, handle: Handle, question: Question) -> None:
        self._handle, self._question = handle, question

    @property
    def remarks(self) -> list[str]:
        """What should be known of the answer: a ticker that is ranked among itself alone, for example. It comes as a warning too.

        >>> store.scan("KO", columns="date, rank(close by day)", start="2018-03-27").remarks[0].split(",")[0]
        'KO is alone among the quotes of each day'
        """
        with Call() as call:
            address = library.quoin_remarks(self._handle.address, self._question.query(), None, call.error)
        return _native.text(address).splitlines()

    def _tell(self) -> None:
        """Warns of what should be known, once."""
        if self._has_told:
            return
        self._has_told = True
        # Of a condition, columns and the like: a plain look at some tickers leaves nothing to tell.
        if all(name in PLAIN for name, _ in self._question.fields):
            return
        remarks = self.remarks
        if remarks:
            import warnings

            depth, frame = 1, sys._getframe()
            while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "quoindb":
                depth, frame = depth + 1, frame.f_back
            for remark in remarks:
                warnings.warn(remark, Remark, stacklevel=depth)


PLAIN = {"tickers", "from", "to", "limit", "offset", "threads", "latest"}


class Scan(Asked):
    """The rows that a question selects, found each time they are asked for."""

    def _stream(self, limit: int | None = None) -> ArrowArrayStream:
        self._tell()
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
        self._tell()
        count = c_int64()
        with Call() as call:
            library.quoin_count(self._handle.address, self._question.query(), ctypes.byref(count), call.error)
        return count.value

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process reads the commit that this one sees."""
        return _reopened, (self._handle.pinned(), self._question)

    def where(self, condition: str) -> Scan:
        """The rows that meet this condition too.

        >>> store.scan("FDX").where("high > 80").where("low < 79").count()
        11
        """
        self._refuse("where", "limit", "offset", "top", "latest")
        added = text("condition", condition, "'close > 80'")
        before = dict(self._question.fields).get("where")
        return self._asking(where=added if before is None else f"({before}) and ({added})")

    def select(self, columns: Columns) -> Scan:
        """These columns of the rows, or expressions.

        >>> store["KO"].where("volume > 3e7").select("date, close").head(2)
              date  close
        2016-03-30  38.92
        2016-08-01  44.35
        """
        self._refuse("select", "columns")
        return self._asking(columns=listed("columns", columns, "'date, close' or {'r': 'close / open'}"))

    def with_columns(self, columns: Columns) -> Scan:
        """The columns so far, and these."""
        before = dict(self._question.fields).get("columns") or ", ".join(self._names())
        return self._asking(columns=f"{before}, {listed('columns', columns, MADE)}")

    def sort(self, order: str) -> Scan:
        """The rows in an order, such as "volume desc"."""
        self._refuse("sort", "limit", "offset", "order")
        return self._asking(order=text("order", order, "'volume desc'"))

    def head(self, count: int = 5) -> Scan:
        """The first rows."""
        limit = dict(self._question.fields).get("limit")
        return self._asking(limit=str(whole("count", count) if limit is None else min(whole("count", count), int(limit))))

    limit = head

    def tail(self, count: int = 5) -> Scan:
        """The last rows, of which there are so many now."""
        skipped = max(0, self.count() - whole("count", count))
        fields = dict(self._question.fields)
        limit = None if "limit" not in fields else str(max(0, int(fields["limit"]) - skipped))
        return self._asking(offset=str(int(fields.get("offset", 0)) + skipped), limit=limit)

    def __len__(self) -> int:
        return self.count()

    def __getitem__(self, column: str) -> numpy.ndarray[Any, Any]:
        """The values of a column, as numpy has them."""
        if not isinstance(column, str):
            raise TypeError(f"a scan is asked for a column by its name, such as scan['close'], not {column!r}; for rows, use head() or tail()")
        names = self._names()
        if column not in names:
            raise KeyError(f"there is no column '{column}'; there are {', '.join(names)}")
        return (self if "columns" in dict(self._question.fields) else self.select(column)).to_numpy()[column]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """The rows, as named tuples. What is missing is NaN."""
        columns = self.to_numpy()
        names = [name.replace("-", "_") for name in columns]
        row: Any = namedtuple("Row", names, rename=True)  # type: ignore[misc]
        return map(row._make, zip(*(values.tolist() for values in columns.values())))

    def _names(self) -> list[str]:
        from . import _arrays

        stream = self._stream(limit=0)
        try:
            return _arrays.texts(stream)[0]
        finally:
            _native.release(stream)

    def _asking(self, **fields: str | None) -> Scan:
        """The same question with some other fields."""
        changed = {**dict(self._question.fields), **fields}
        given = tuple((name, value) for name, value in changed.items() if value is not None)
        return Scan(self._handle, self._question._replace(fields=given))

    def _refuse(self, verb: str, *names: str) -> None:
        """A step that would ask something else after some others: SQL has the same order of steps."""
        for name in names:
            if name in dict(self._question.fields):
                raise ValueError(f"this scan has {name} already, so {verb}() would ask something else; say {verb}() before, or ask store.scan(...) with all of it")

    def explain(self) -> str:
        """How the rows are found: step by step, and what was read of how many blocks."""
        with Call() as call:
            address = library.quoin_explain(self._handle.address, self._question.query(), call.error)
        return _native.text(address).rstrip("\n")

    def partitions(self, count: int) -> list[Scan]:
        """The same question to parts of the tickers, with about equal numbers of rows, for workers that scan a part each.

        >>> [part.tickers for part in store.scan().partitions(3)]
        [['AAPL', 'BA', 'BRK_A'], ['FDX'], ['GE', 'KO', 'MSFT']]

        A part can go to another process, which sees the same commit as long as the store keeps it: parts make one answer. Of several stores
        that are opened as one it sees the newest.
        """
        if count < 1:
            raise ValueError(f"{count} parts")
        ends = (c_size_t * count)()
        with Call() as call:
            address = library.quoin_partitions(self._handle.address, self._question.query(), count, ends, call.error)
        tickers = _native.texts(address, ends[count - 1])
        parts = [tickers[start:end] for start, end in zip([0, *ends], ends)]
        return [Scan(self._handle, self._question._replace(tickers=tuple(part))) for part in parts if part]


def _reopened(opened: tuple[list[str], int, bool, str | None], question: Question) -> Scan:
    return Scan(Handle.reopened(*opened), question)


class Aggregates(Asked):
    """Aggregates of groups of rows, found each time they are asked for."""

    def _stream(self, limit: int | None = None) -> ArrowArrayStream:
        self._tell()
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


class Store(Writing, Keeping):
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
        return f"quoindb.open({self.path!r})"

    def close(self) -> None:
        """Closes the store, as `with quoindb.open(...) as store:` does at its end. Without it, it closes when nothing needs it any more."""
        self._handle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __getitem__(self, ticker: str) -> Scan:
        """The rows of a ticker: `store["FDX"]`."""
        if ticker not in self:
            # Takes a tenth of the time that the package takes to be imported.
            import difflib

            near = difflib.get_close_matches(str(ticker).upper(), self.tickers(), 1)
            raise KeyError(f"there is no ticker {ticker!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        return self.scan(ticker)

    def __contains__(self, ticker: object) -> bool:
        return ticker in self.tickers()

    def __iter__(self) -> Iterator[str]:
        """The tickers."""
        return iter(self.tickers())

    def __len__(self) -> int:
        """The number of tickers."""
        return len(self.tickers())

    def __bool__(self) -> bool:
        return True

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
        pivot: bool = False,
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
        pivot       the values of the last key as columns
        """
        others: dict[str, Any] = dict(fields)
        return Aggregates(self._handle, Question.of(
            tickers, where=where, start=start, end=end, as_of=as_of, order=order, limit=limit, offset=offset, threads=threads, let=let,
            aggregates=aggregates, by=by, having=having, top=top, resample=resample, bar_label=bar_label,
            trust_splits=trust_splits, pivot=pivot, **others))

    def panel(
        self, expression: str, tickers: Tickers = None, *, start: Day = None, end: Day = None, as_of: Day = None, threads: int = 0,
        **options: Any,
    ) -> Panel:
        """What an expression is on each day for each ticker: a matrix for factor research.

        >>> momentum = store.panel("close / prev(close, 21) - 1", ["KO", "MSFT"], start="2018-03-26")
        >>> momentum.tickers, momentum.values.round(4).tolist()
        (['KO', 'MSFT'], [[-0.0597, -0.026], [-0.0748, -0.0049]])

        It has a column for every ticker that was asked for, or of the store: one without a row has NaN in all of it.

        options     those of `scan`, such as where, let or resample
        """
        scan = self.scan(
            tickers, columns={"ticker": "ticker", "date": "date", "value": expression}, start=start, end=end, as_of=as_of,
            threads=threads, **options)
        return Panel.of(scan, scan.tickers if scan.tickers is not None else self.tickers())

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

    def interrupt(self) -> None:
        """Gives up what is asked already, within a tenth of a second: whoever waits gets `QuestionInterruptedError`.

        For another thread than the one that waits. Ctrl-C doesn't need it: it ends a question of the main thread by itself.
        """
        with Call() as call:
            library.quoin_interrupt(self._handle.address, call.error)

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
