"""Arrow's PyCapsule interface: how a stream or a schema goes to pyarrow, Polars, DuckDB and pandas without a copy.

Capsules have no destructor. It would be Python code that C calls, in which an interrupt is lost: Ctrl-C during a long scan comes to
the next Python code that runs, and that would be the destructor. So capsules that nobody has any more are looked for when another
one is made. Until then they hold almost nothing: consumers move a stream out of its capsule, and release it themselves.
"""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_void_p, py_object
from sys import getrefcount
from typing import Any, Iterator

from . import _native
from ._native import ArrowArray, ArrowArrayStream, ArrowSchema

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_content = ctypes.pythonapi.PyCapsule_GetPointer
_content.restype, _content.argtypes = c_void_p, [py_object, c_char_p]

_Structure = ArrowArray | ArrowArrayStream | ArrowSchema

_NAMES: dict[type[_Structure], bytes] = {
    ArrowArray: b"arrow_array", ArrowArrayStream: b"arrow_array_stream", ArrowSchema: b"arrow_schema"}

#: Capsules and the structures that they point to.
_owned: list[tuple[Any, _Structure]] = []


def _references(owned: tuple[Any, ...]) -> int:
    return getrefcount(owned[0])


#: The references to what nobody else has.
_ALONE = _references((object(),))


class Batch:
    """Some rows of a stream, for a library that knows the PyCapsule interface. It can be taken once."""

    def __init__(self, schema: ArrowSchema, array: ArrowArray) -> None:
        self._capsules = capsule(schema), capsule(array)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[Any, Any]:
        return self._capsules


def batches_of(stream: ArrowArrayStream) -> Iterator[Batch]:
    """The batches of a stream, which is released at the end."""
    try:
        while (array := _native.next_batch(stream)) is not None:
            yield Batch(_native.schema_of(stream), array)
    finally:
        _native.release(stream)


def capsule(structure: _Structure) -> Any:
    """A capsule that owns the structure. Whoever takes over its content leaves it released."""
    release_unused()
    made = _new(ctypes.addressof(structure), _NAMES[type(structure)], None)
    _owned.append((made, structure))
    return made


def release_unused() -> None:
    """Releases what is in capsules that nobody has."""
    for owned in list(_owned):
        if _references(owned) > _ALONE:
            continue
        try:
            _owned.remove(owned)
        except ValueError:
            # Another thread was faster.
            continue
        _native.release(owned[1])


def stream_of(rows: Any) -> Any:
    """The capsule of a table's Arrow stream."""
    if not hasattr(rows, "__arrow_c_stream__"):
        hint = "call its collect()" if hasattr(rows, "collect") else "give a pandas, Polars or pyarrow table"
        raise TypeError(f"a {type(rows).__module__}.{type(rows).__qualname__} is no Arrow stream; {hint}")
    return rows.__arrow_c_stream__()


def address_of(capsule: Any) -> int:
    """Where the stream of a capsule is."""
    address: int = _content(capsule, _NAMES[ArrowArrayStream])
    return address
