"""The library in C, by ctypes. Names are those of `quoin.h`, which says what each function does."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Iterator, Sequence

from ._version import VERSION

ABI = 1
READ_ONLY, READ_WRITE, CREATE = 0, 1, 2
TICKERS_AS_TEXT, LATEST, INTERRUPTIBLE = 1, 2, 4
NO_ROWS = -1
#: What the library says of a question that was given up.
INTERRUPTED = "the question was interrupted"


class Field(Structure):
    """`quoin_field`."""

    _fields_ = [("name", c_char_p), ("text", c_char_p)]


class Query(Structure):
    """`quoin_query`."""

    _fields_ = [
        ("size", c_size_t),
        ("tickers", POINTER(c_char_p)),
        ("ticker_count", c_size_t),
        ("where", c_char_p),
        ("start", c_char_p),
        ("end", c_char_p),
        ("as_of", c_char_p),
        ("resample", c_char_p),
        ("bar_label", c_char_p),
        ("columns", c_char_p),
        ("order", c_char_p),
        ("limit", c_int64),
        ("offset", c_int64),
        ("threads", c_uint32),
        ("flags", c_uint32),
        ("let", c_char_p),
        ("top", c_char_p),
        ("fields", POINTER(Field)),
        ("field_count", c_size_t),
    ]


class Rules(Structure):
    """`quoin_rules`."""

    _fields_ = [("size", c_size_t), ("rules", c_char_p), ("jump", c_double)]


class Write(Structure):
    """`quoin_write`."""

    _fields_ = [
        ("size", c_size_t),
        ("source", c_char_p),
        ("ticker", c_char_p),
        ("mode", c_char_p),
        ("patience", c_uint32),
        ("threads", c_uint32),
        ("on_duplicate", c_char_p),
        ("on_extra", c_char_p),
    ]


class WriteCounts(Structure):
    """`quoin_counts`."""

    _fields_ = [("size", c_size_t), ("inserted", c_int64), ("replaced", c_int64), ("unchanged", c_int64), ("kept", c_int64),
                ("empty", c_int64)]


class ArrowSchema(Structure):
    """A column's name and type, in Arrow's C data interface."""


ArrowSchema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(ArrowSchema))),
    ("dictionary", POINTER(ArrowSchema)),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class ArrowArray(Structure):
    """A column's values, in Arrow's C data interface."""


ArrowArray._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(ArrowArray))),
    ("dictionary", POINTER(ArrowArray)),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class ArrowArrayStream(Structure):
    """Batches of rows, in Arrow's C stream interface."""

    _fields_ = [
        ("get_schema", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("get_next", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("get_last_error", CFUNCTYPE(c_char_p, c_void_p)),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


_Release = CFUNCTYPE(None, c_void_p)


def release(structure: ArrowSchema | ArrowArray | ArrowArrayStream) -> None:
    """Releases an Arrow structure, unless it is released or moved already."""
    if structure.release:
        _Release(structure.release)(ctypes.addressof(structure))


class QuoinError(Exception):
    """What Quoin says is wrong, where, and what would be right."""

    #: A number of `quoin_code`.
    code: int

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[QuoinError], tuple[str, int]]:
        return type(self), (str(self), self.code)


class QuerySyntaxError(QuoinError, ValueError):
    """A text that isn't in Quoin's language, or is no date, no ticker, no period."""


class UnknownTickerError(QuoinError, LookupError):
    """The store has no quotes of a ticker."""


class NoStoreError(QuoinError, FileNotFoundError):
    """There is no store at the path."""


class DamagedStoreError(QuoinError):
    """Bytes of the store aren't what was written."""


class BadInputError(QuoinError, ValueError):
    """Rows or files that can't be imported."""


class LockedError(QuoinError):
    """Another writer is at work."""


class UnknownSnapshotError(QuoinError, LookupError):
    """The store keeps no such snapshot."""


class OverBudgetError(QuoinError):
    """A question took all of the time, or would hold more than the memory, that it may: see `Store.limit_questions`."""


class QuestionInterruptedError(QuoinError):
    """A question was given up: see `Store.interrupt`."""


def interrupted() -> QuestionInterruptedError:
    """The error of a stream whose question was given up."""
    return QuestionInterruptedError(INTERRUPTED, 14)


_ERRORS: dict[int, type[QuoinError]] = {
    2: QuerySyntaxError,
    3: UnknownTickerError,
    4: NoStoreError,
    6: DamagedStoreError,
    10: BadInputError,
    11: LockedError,
    12: UnknownSnapshotError,
    13: OverBudgetError,
    14: QuestionInterruptedError,
}

#: What arguments are called here that have other names in C.
_ARGUMENTS = {"from": "start", "to": "end", "resample": "by", "bar_label": "label"}


def library_path() -> str:
    """The library beside this file, or the one that QUOIN_LIBRARY names."""
    name = "libquoin.dylib" if sys.platform == "darwin" else "libquoin.so"
    return os.environ.get("QUOIN_LIBRARY") or os.path.join(os.path.dirname(__file__), name)


def _load() -> ctypes.CDLL:
    path = library_path()
    try:
        library = ctypes.CDLL(path)
    except OSError as failure:
        raise ImportError(f"quoindb can't load its library {path}: {failure}") from failure
    error = POINTER(c_void_p)
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "quoin_abi": (c_uint32, []),
        "quoin_version": (c_char_p, []),
        "quoin_error_code": (c_int, [c_void_p]),
        "quoin_error_message": (c_char_p, [c_void_p]),
        "quoin_error_free": (None, [c_void_p]),
        "quoin_open": (c_void_p, [c_char_p, c_uint32, error]),
        "quoin_open_shards": (c_void_p, [POINTER(c_char_p), c_size_t, error]),
        "quoin_limit_questions": (c_int, [c_void_p, c_double, c_uint64, error]),
        "quoin_interrupt": (c_int, [c_void_p, error]),
        "quoin_close": (None, [c_void_p]),
        "quoin_refresh": (c_int, [c_void_p, POINTER(c_uint64), error]),
        "quoin_tickers": (c_void_p, [c_void_p, POINTER(c_size_t), error]),
        "quoin_free": (None, [c_void_p]),
        "quoin_scan": (c_int, [c_void_p, POINTER(Query), POINTER(ArrowArrayStream), error]),
        "quoin_count": (c_int, [c_void_p, POINTER(Query), POINTER(c_int64), error]),
        "quoin_aggregate": (c_int, [c_void_p, POINTER(Query), c_void_p, POINTER(ArrowArrayStream), error]),
        "quoin_partitions": (c_void_p, [c_void_p, POINTER(Query), c_size_t, POINTER(c_size_t), error]),
        "quoin_explain": (c_void_p, [c_void_p, POINTER(Query), error]),
        "quoin_remarks": (c_void_p, [c_void_p, POINTER(Query), c_void_p, error]),
        "quoin_snapshots": (c_void_p, [c_void_p, POINTER(c_size_t), error]),
        "quoin_open_snapshot": (c_void_p, [c_void_p, c_char_p, error]),
        "quoin_keep_snapshot": (c_int, [c_void_p, c_char_p, error]),
        "quoin_drop_snapshot": (c_int, [c_void_p, c_char_p, error]),
        "quoin_diff": (c_int, [c_void_p, c_void_p, POINTER(ArrowArrayStream), error]),
        "quoin_check": (c_int, [c_void_p, POINTER(Query), POINTER(Rules), POINTER(ArrowArrayStream), error]),
        "quoin_import": (c_int, [c_void_p, c_void_p, POINTER(Write), POINTER(WriteCounts), error]),
        "quoin_import_files": (c_int, [c_void_p, POINTER(c_char_p), c_size_t, POINTER(Write), POINTER(WriteCounts), error]),
        "quoin_delete": (c_int, [c_void_p, POINTER(Query), POINTER(Write), POINTER(c_int64), error]),
        "quoin_shards": (c_void_p, [c_void_p, POINTER(c_size_t), error]),
        "quoin_publish": (c_int, [c_char_p, POINTER(c_char_p), c_size_t, c_uint32, POINTER(Write), error]),
        "quoin_undo": (c_int, [c_void_p, POINTER(Write), error]),
        "quoin_restore": (c_int, [c_void_p, c_char_p, POINTER(Write), error]),
        "quoin_rename": (c_int, [c_void_p, POINTER(Query), c_char_p, POINTER(Write), error]),
        "quoin_merge": (c_int, [c_void_p, c_void_p, POINTER(Query), POINTER(Write), POINTER(WriteCounts), error]),
        "quoin_adjust": (c_int, [c_void_p, POINTER(Query), c_uint32, POINTER(Write), POINTER(WriteCounts), error]),
        "quoin_compact": (c_int, [c_void_p, c_char_p, POINTER(Write), error]),
        "quoin_back_up": (c_int, [c_void_p, c_char_p, POINTER(Write), error]),
        "quoin_verify": (c_void_p, [c_void_p, error]),
        "quoin_live_count": (c_int64, []),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name, None)
        if function is None:
            raise ImportError(f"quoindb {VERSION} needs its own library, but {path} has no {name}; install quoindb again")
        function.restype, function.argtypes = result, arguments
    if library.quoin_abi() != ABI:
        raise ImportError(f"quoin wants interface {ABI} of its library, but {path} has {library.quoin_abi()}")
    if version_of(library) != VERSION:
        raise ImportError(f"quoindb {VERSION} needs its own library, but {path} is version {version_of(library)}; install quoindb again")
    return library


def version_of(library: ctypes.CDLL) -> str:
    """A library's version."""
    return str(library.quoin_version().decode())


library = _load()
version = version_of(library)


class Call:
    """The error of one call: `with Call() as call: library.quoin_x(..., call.error)` raises what went wrong."""

    def __init__(self) -> None:
        self._error = c_void_p()

    @property
    def error(self) -> Any:
        return ctypes.byref(self._error)

    def __enter__(self) -> Call:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        # Of a question that Ctrl-C gave up, KeyboardInterrupt says it.
        if not self._error or kind is not None:
            return
        code = library.quoin_error_code(self._error)
        message = library.quoin_error_message(self._error).decode()
        self._free()
        name, colon, rest = message.partition(": ")
        raise _ERRORS.get(code, QuoinError)(_ARGUMENTS.get(name, name) + colon + rest, code)

    def __del__(self) -> None:
        # Ctrl-C may come before __exit__.
        self._free()

    def _free(self) -> None:
        if self._error:
            library.quoin_error_free(self._error)
            self._error = c_void_p()


def encoded(text: str | None) -> bytes | None:
    """A text for C; it can't have a zero inside."""
    if text is None:
        return None
    if "\0" in text:
        raise ValueError(f"a text with a zero character: {text!r}")
    return text.encode()


def list_of_texts(texts: Sequence[str]) -> Any:
    """An array of texts."""
    return (c_char_p * len(texts))(*[encoded(text) for text in texts])


def texts(address: int, count: int) -> list[str]:
    """The texts of a list that the library made, which is freed."""
    try:
        return [text.decode() for text in ctypes.cast(address, POINTER(c_char_p))[:count] if text is not None]
    finally:
        library.quoin_free(address)


def text(address: int) -> str:
    """A text that the library made, which is freed."""
    try:
        return ctypes.string_at(address).decode()
    finally:
        library.quoin_free(address)


def schema_of(stream: ArrowArrayStream) -> ArrowSchema:
    """The schema of a stream, which the caller releases."""
    schema = ArrowSchema()
    _check(stream, stream.get_schema(ctypes.addressof(stream), ctypes.addressof(schema)))
    return schema


def next_batch(stream: ArrowArrayStream) -> ArrowArray | None:
    """The next batch of a stream, which the caller releases; None at the end."""
    batch = ArrowArray()
    _check(stream, stream.get_next(ctypes.addressof(stream), ctypes.addressof(batch)))
    return batch if batch.release else None


def batches_of(stream: ArrowArrayStream) -> Iterator[ArrowArray]:
    """The batches of a stream, each of which is released when the next one is asked for."""
    while (batch := next_batch(stream)) is not None:
        try:
            yield batch
        finally:
            release(batch)


def _check(stream: ArrowArrayStream, status: int) -> None:
    if status != 0:
        sentence = stream.get_last_error(ctypes.addressof(stream))
        if status == errno.EINTR:
            raise interrupted()
        raise QuoinError(sentence.decode() if sentence else os.strerror(status), status)
