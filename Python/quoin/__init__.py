"""Quoin for Python: range questions about daily stock quotes, answered as Arrow data.

    >>> import quoin
    >>> store = quoin.open("quoin-store")
    >>> store.scan("FDX", where="80 < high < 83 and low < 82", columns="date, high, low").to_polars()

Nothing is required beside this package; pyarrow, Polars, pandas or numpy are imported by the methods that make their data.
"""

from __future__ import annotations

import os

from ._native import DamagedStoreError, NoStoreError, QuerySyntaxError, QuoinError, UnknownTickerError
from ._native import version as __version__
from .store import Aggregates, Scan, Store

__all__ = [
    "Aggregates",
    "DamagedStoreError",
    "NoStoreError",
    "QuerySyntaxError",
    "QuoinError",
    "Scan",
    "Store",
    "UnknownTickerError",
    "__version__",
    "open",
]


def open(path: str | os.PathLike[str]) -> Store:
    """Opens the store in a directory, for reading."""
    return Store(path)
