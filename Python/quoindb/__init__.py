"""Quoin for Python: range questions about daily stock quotes, answered as Arrow data.

    >>> import quoindb
    >>> store = quoindb.open("quoin-store")
    >>> store.scan("FDX", where="80 < high < 83 and low < 79", columns="date, high, low", start="2005-09-01")
          date   high    low
    2005-09-12  80.03  78.55
    2005-09-29   81.8   78.5

A scan is lazy. `to_arrow`, `to_polars`, `to_pandas` and `to_numpy` make its data, and every library that reads Arrow streams takes it as
it is. Mistakes are sentences:

    >>> store.scan("FDX", where="hihg > 80").count()
    Traceback (most recent call last):
    quoindb.QuerySyntaxError: where: unknown attribute 'hihg'; did you mean 'high'?
      hihg > 80
      ^

Nothing is required beside this package; pyarrow, Polars, pandas or numpy are imported by the methods that make their data.
"""

from __future__ import annotations

import os

from ._native import (
    BadInputError,
    DamagedStoreError,
    LockedError,
    NoStoreError,
    OverBudgetError,
    QuerySyntaxError,
    QuestionInterruptedError,
    QuoinError,
    UnknownSnapshotError,
    UnknownTickerError,
)
from ._native import version as __version__
from ._writing import Counts
from .store import Aggregates, Comparison, Remark, Scan, Store

__all__ = [
    "Aggregates",
    "BadInputError",
    "Comparison",
    "Counts",
    "DamagedStoreError",
    "LockedError",
    "NoStoreError",
    "OverBudgetError",
    "QuerySyntaxError",
    "QuestionInterruptedError",
    "QuoinError",
    "Remark",
    "Scan",
    "Store",
    "UnknownSnapshotError",
    "UnknownTickerError",
    "__version__",
    "language",
    "open",
]

# What users see of them is here.
for _kind in (
    QuoinError, BadInputError, DamagedStoreError, LockedError, NoStoreError, OverBudgetError, QuerySyntaxError,
    QuestionInterruptedError, UnknownSnapshotError, UnknownTickerError, Counts,
):
    _kind.__module__ = __name__


def open(
    path: str | os.PathLike[str] | list[str | os.PathLike[str]], *, create: bool = False, read_only: bool = False
) -> Store:
    """Opens the store in a directory; or several as one, none of which has a ticker of another, for reading.

    create      the store need not exist; the first write makes it
    read_only   what writes is refused
    """
    return Store(path, create=create, read_only=read_only)


def language() -> str:
    """The language of questions as Markdown: every function and field with a sentence and an example."""
    from pathlib import Path  # a sixth of the time that importing quoindb takes

    page = Path(__file__).with_name("language.md")
    if not page.exists():  # in the sources
        page = Path(__file__).parents[2] / "docs/language.md"
    return page.read_text("utf-8")
