"""SQL on a store: connections of the module `sqlite3` in which it is a table that is only read."""

from __future__ import annotations

import _sqlite3
import ctypes
import os
import sqlite3
import threading
from typing import Any

from . import _native

_lock = threading.Lock()


def connect(path: str | os.PathLike[str], database: str | os.PathLike[str] = ":memory:", *, table: str = "quotes", **options: Any) -> sqlite3.Connection:
    """A connection to a database of SQLite in which the store at `path` is the table `temp.quotes`, or another that `table` names.

    Ranges, lists and missing values in SQL are conditions of the scan. A statement sees one commit, and the next one sees the newest.
    `options` are those of `sqlite3.connect`. Raises `sqlite3.OperationalError` when there is no store.
    """
    connection = _connection(database, options)
    try:
        connection.execute(f"create virtual table temp.{_quoted(table, chr(34))} using quoin({_quoted(os.fspath(path), chr(39))})")
    except BaseException:
        connection.close()
        raise
    return connection


def _quoted(text: str, quote: str) -> str:
    return quote + text.replace(quote, quote * 2) + quote


def _connection(database: str | os.PathLike[str], options: dict[str, Any]) -> sqlite3.Connection:
    """A connection that has the module. Many interpreters can't load an extension, so SQLite itself is told to add it."""
    # What the interpreter's own SQLite exports is found through the module that is linked to it.
    sqlite = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
    try:
        add, cancel = sqlite.sqlite3_auto_extension, sqlite.sqlite3_cancel_auto_extension
    except AttributeError:
        return _loaded(sqlite3.connect(database, **options))
    entry = ctypes.cast(_native.library.sqlite3_quoin_init, ctypes.c_void_p)
    with _lock:
        if add(entry) != 0:
            raise MemoryError("SQLite has no memory for an extension")
        try:
            connection: sqlite3.Connection = sqlite3.connect(database, **options)
        finally:
            cancel(entry)
    return connection


def _loaded(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The connection with the module, which it loads as an extension."""
    try:
        connection.enable_load_extension(True)
        connection.load_extension(_native.library_path())
        connection.enable_load_extension(False)
    except BaseException:
        connection.close()
        raise
    return connection
