"""What changes a store."""

from __future__ import annotations

import ctypes
import os
from ctypes import c_int64
from typing import TYPE_CHECKING, Any, Callable, Iterable, NamedTuple

from . import _capsule, _frames, _native
from ._handle import Handle
from ._native import Call, Write, WriteCounts, encoded, library
from ._question import Question, text

if TYPE_CHECKING:
    from ._question import Day, Names, Tickers

    Path = str | os.PathLike[str]


class Counts(NamedTuple):
    """What a write did: how many rows are new, changed stored ones, were there already, were left out by the mode "keep", or have no values."""

    inserted: int
    replaced: int
    unchanged: int
    kept: int
    empty: int


class Writing:
    """The part of a store that writes. Each call is one commit; when it raises an error, nothing has changed."""

    _handle: Handle

    def upsert(
        self, rows: Any, *, ticker: str | None = None, mode: str = "update", source: str | None = None, patience: float = 0,
        on_duplicate: str = "error", on_extra: str = "error", values: str | None = None,
    ) -> Counts:
        """Stores the rows of a pandas, Polars or pyarrow table, or of whatever else is an Arrow stream, as one commit.

        >>> import polars as pl
        >>> new = quoindb.open("new-store", create=True)
        >>> new.upsert(pl.DataFrame({"ticker": ["FDX", "KO"], "date": ["2026-11-24", "2026-11-24"], "close": [251.5, 71.25]}))
        Counts(inserted=2, replaced=0, unchanged=0, kept=0, empty=0)

        There is a column of dates, one of tickers, and attributes by the names that WIKI and other vendors give them. Nulls and NaN are
        missing, and rows with nothing else are left out. A row of a ticker and day that the store has changes it. An infinite value or a
        volume below zero is refused, as in a file. Times have to be midnights, in the zone that they have. Of pandas' columns of two
        levels, as `yfinance.download` makes them, one has the tickers. A dictionary has a frame for each ticker.

        ticker      the ticker of all rows, when there is no column of tickers
        mode        "update" changes the attributes that the rows have, "fill" only where they aren't missing, "replace" all of them,
                    "keep" leaves stored days as they are
        source      where the rows are from, for the store's records
        patience    how many seconds to wait while another writer is at work
        on_duplicate  "error" refuses two different rows of a ticker and day; with "last" the later one counts
        on_extra    "error" refuses columns that aren't known and names them; "ignore" leaves them out
        values      what the cells of a wide frame are, "close" say, which has the days as its index or column and a column for each ticker
        """
        # The capsule keeps the stream until the library has taken it over.
        capsule = _capsule.stream_of(_frames.plain(rows, text("values", values, "'close'")))
        address = _capsule.address_of(capsule)
        return written(
            lambda how, counts, error: library.quoin_import(self._handle.address, address, how, counts, error),
            options(ticker, mode, source or type(rows).__module__.partition(".")[0], patience, on_duplicate, on_extra))

    def import_files(
        self, paths: Path | Iterable[Path], *, ticker: str | None = None, mode: str = "update", source: str | None = None,
        patience: float = 0, on_duplicate: str = "error",
    ) -> Counts:
        """Imports files, and those in directories: Quandl JSON, CSV of many kinds, NDJSON, each also packed."""
        each = [paths] if isinstance(paths, (str, os.PathLike)) else paths
        names = [os.path.expanduser(os.fsdecode(path)) for path in each]
        texts = _native.list_of_texts(names)
        return written(
            lambda how, counts, error: library.quoin_import_files(self._handle.address, texts, len(names), how, counts, error),
            options(ticker, mode, source, patience, on_duplicate))

    def from_parquet(
        self, path: Path, *, ticker: str | None = None, mode: str = "update", source: str | None = None, patience: float = 0,
        on_duplicate: str = "error", on_extra: str = "error",
    ) -> Counts:
        """Stores the rows of a Parquet file, as `upsert` does, batch by batch."""
        from .parquet import read

        name = os.path.basename(os.fsdecode(path))
        return self.upsert(
            read(path), ticker=ticker, mode=mode, source=source or name, patience=patience, on_duplicate=on_duplicate,
            on_extra=on_extra)

    def delete(
        self, tickers: Tickers = None, *, where: str | None = None, start: Day = None, end: Day = None, let: Names = None,
        patience: float = 0,
    ) -> int:
        """Removes rows: those of tickers, of days, or that meet a condition. Returns their number."""
        question, count = Question.of(tickers, where=where, start=start, end=end, let=let), c_int64()
        with Call() as call:
            library.quoin_delete(
                self._handle.address, question.query(), options(patience=patience), ctypes.byref(count), call.error)
        return count.value

    def keep_snapshot(self, name: str) -> None:
        """Keeps what the newest commit has under a name. It copies no quotes."""
        with Call() as call:
            library.quoin_keep_snapshot(self._handle.address, encoded(name), call.error)

    def drop_snapshot(self, name: str) -> None:
        """Forgets a snapshot."""
        with Call() as call:
            library.quoin_drop_snapshot(self._handle.address, encoded(name), call.error)


def options(
    ticker: str | None = None, mode: str = "update", source: str | None = None, patience: float = 0, on_duplicate: str = "error",
    on_extra: str = "error",
) -> Write:
    if not 0 <= patience < 2**32 / 1000:
        raise ValueError(f"patience is {patience}, and has to be a number of seconds below 4,000,000")
    return Write(
        ctypes.sizeof(Write), encoded(text("source", source, "'a vendor'")), encoded(text("ticker", ticker, "'FDX'")),
        encoded(text("mode", mode, "'keep'")), int(patience * 1000), 0, encoded(text("on_duplicate", on_duplicate, "'last'")),
        encoded(text("on_extra", on_extra, "'ignore'")))


def written(write: Callable[[Write, Any, Any], object], how: Write) -> Counts:
    counts = WriteCounts(ctypes.sizeof(WriteCounts))
    with Call() as call:
        write(how, ctypes.byref(counts), call.error)
    return Counts(counts.inserted, counts.replaced, counts.unchanged, counts.kept, counts.empty)
