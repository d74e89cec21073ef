"""What keeps a store: going back, whole tickers, backups."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING

from . import _native
from ._handle import Handle
from ._native import Call, encoded, library
from ._question import Question, text
from ._writing import options, written

if TYPE_CHECKING:
    from ._question import Day, Tickers
    from ._writing import Counts, Path
    from .store import Store


class Keeping:
    """The part of a store that does what the command does to a whole one. Each change is one commit; when a call raises an error, nothing has changed."""

    _handle: Handle

    def undo(self, *, patience: float = 0) -> None:
        """Takes the last change back: an import, a deletion, or an undo. To go back further, `restore` a snapshot.

        >>> new = quoindb.open("undone-store", create=True)
        >>> counts = new.import_files("data/FDX.json")
        >>> new.delete("FDX") == counts.inserted
        True
        >>> new.undo()
        >>> len(new.scan("FDX")) == counts.inserted
        True
        """
        with Call() as call:
            library.quoin_undo(self._handle.address, options(patience=patience), call.error)

    def restore(self, name: str | int, *, patience: float = 0) -> None:
        """Brings back the rows of a snapshot, by its name, or of a generation that is kept, by its number."""
        with Call() as call:
            library.quoin_restore(self._handle.address, encoded(str(name)), options(patience=patience), call.error)

    def rename(self, ticker: str, name: str, *, start: Day = None, end: Day = None, patience: float = 0) -> None:
        """Gives a ticker, or its rows of some days, another name. If that has quotes of other days, the two histories become one."""
        if not isinstance(ticker, str):
            raise TypeError(f"ticker is a text such as 'FB', not {ticker!r}")
        question = Question.of(ticker, start=start, end=end)
        with Call() as call:
            library.quoin_rename(
                self._handle.address, question.query(), encoded(text("name", name, "'META'")), options(patience=patience), call.error)

    def merge(self, other: Store | Path, tickers: Tickers = None, *, mode: str = "update", patience: float = 0) -> Counts:
        """Takes the quotes of another store over, or of a snapshot of any store: of all its tickers, or of some.

        mode        what becomes of days that this store has, as in `upsert`
        """
        from .store import Store

        source = other if isinstance(other, Store) else Store(other, read_only=True)
        question = Question.of(tickers)
        return written(
            lambda how, counts, error: library.quoin_merge(
                self._handle.address, source._handle.address, question.query(), how, counts, error),
            options(mode=mode, patience=patience))

    def adjust(
        self, tickers: Tickers = None, *, replace: bool = False, trust_splits: bool = False, patience: float = 0
    ) -> Counts:
        """Computes the adjusted columns of tickers from their prices, volumes, dividends and splits.

        replace       whether adjusted values that are there go, wherever they come from
        trust_splits  whether a split counts although the prices don't show it
        """
        question, flags = Question.of(tickers), (1 if replace else 0) | (2 if trust_splits else 0)
        return written(
            lambda how, counts, error: library.quoin_adjust(
                self._handle.address, question.query(), flags, how, counts, error),
            options(patience=patience))

    def compact(self, *, packing: str | None = None, patience: float = 0) -> None:
        """Rewrites all files with full blocks and without deleted rows.

        packing     "fast", "balanced" or "small", in later commits too; as it was by default
        """
        with Call() as call:
            library.quoin_compact(
                self._handle.address, encoded(text("packing", packing, "'small'")), options(patience=patience), call.error)

    def backup(self, path: Path, *, patience: float = 0) -> None:
        """Copies the store and what it keeps to a new directory, or to one with an earlier backup of it, to which only new files go.

        The backup is a store, and has the newest commit, whichever one this store shows.
        """
        with Call() as call:
            library.quoin_back_up(
                self._handle.address, encoded(os.path.expanduser(os.fsdecode(path))), options(patience=patience), call.error)

    def verify(self) -> list[str]:
        """Reads every byte of the store and of what it keeps. Returns a sentence for each damage; none if it is sound.

        >>> store.verify()
        []
        """
        with Call() as call:
            address = library.quoin_verify(self._handle.address, call.error)
        return _native.text(address).splitlines()
