"""Open stores of the library."""

from __future__ import annotations

import ctypes
import os
from ctypes import c_size_t
from typing import Any

from . import _native
from ._native import Call, encoded, library


class Handle:
    """An open store, several as one, or a snapshot. It closes when nothing needs it any more."""

    _address: int | None

    def __init__(self, paths: list[str], flags: int, is_joined: bool = False, snapshot: str | None = None) -> None:
        self._opened = (paths, flags, is_joined, snapshot)
        with Call() as call:
            if is_joined:
                self._address = library.quoin_open_shards(_native.list_of_texts(paths), len(paths), call.error)
            else:
                self._address = library.quoin_open(encoded(paths[0]), flags, call.error)
        if snapshot is not None:
            self._address = self._snapshot(snapshot)

    @property
    def address(self) -> int:
        if self._address is None:
            raise ValueError(f"the store '{self.path}' is closed")
        return self._address

    def close(self) -> None:
        """Closes the store. Rows that are still read are read to their end."""
        address, self._address = self._address, None
        if address:
            library.quoin_close(address)

    @staticmethod
    def at(path: Any, flags: int) -> Handle:
        """Of the path, or the paths, that a caller gives."""
        is_joined = isinstance(path, (list, tuple))
        try:
            paths = [os.path.expanduser(os.fsdecode(part)) for part in (path if is_joined else [path])]
        except TypeError:
            raise TypeError(f"path is the name of a directory, or a list of names, not {path!r}") from None
        # The folder of the process may change while the store is open.
        return Handle([path and os.path.abspath(path) for path in paths], flags, is_joined)

    @property
    def path(self) -> str:
        return ", ".join(self._opened[0])

    def snapshot(self, name: str) -> Handle:
        """A handle for one of the snapshots that the store keeps."""
        paths, _, is_joined, _ = self._opened
        return Handle(paths, _native.READ_ONLY, is_joined, name)

    def _snapshot(self, name: str) -> int:
        store = self._address
        try:
            with Call() as call:
                address: int = library.quoin_open_snapshot(store, encoded(name), call.error)
        finally:
            self._address = None
            library.quoin_close(store)
        return address

    def pinned(self) -> tuple[list[str], int, bool, str | None]:
        """What opens the generation that this one shows. Of several stores as one, and of a snapshot, the same as ever."""
        paths, flags, is_joined, snapshot = self._opened
        if is_joined or snapshot is not None:
            return self._opened
        count = c_size_t()
        with Call() as call:
            texts = library.quoin_shards(self.address, ctypes.byref(count), call.error)
        _, generation = _native.texts(texts, count.value)[:2]
        return paths, _native.READ_ONLY, False, generation

    @staticmethod
    def reopened(paths: list[str], flags: int, is_joined: bool, snapshot: str | None) -> Handle:
        try:
            return Handle(paths, flags, is_joined, snapshot)
        except _native.UnknownSnapshotError as error:
            raise _native.UnknownSnapshotError(
                f"{error}: it was changed since this question was made. Ask a snapshot that the store keeps (keep_snapshot) to read one state everywhere",
                error.code) from None

    def __reduce__(self) -> tuple[type[Handle], tuple[list[str], int, bool, str | None]]:
        """Another process opens the store, and sees its newest commit."""
        return Handle, self._opened

    def __del__(self, close=library.quoin_close) -> None:  # type: ignore[no-untyped-def]
        if getattr(self, "_address", None):
            close(self._address)
