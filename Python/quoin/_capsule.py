"""Arrow's PyCapsule interface: how a stream or a schema goes to pyarrow, Polars, DuckDB and pandas without a copy.

Capsules have no destructor. It would be Python code that C calls, in which an interrupt is lost: Ctrl-C during a long scan comes to
the next Python code that runs, and that would be the destructor. So capsules that nobody has any more are looked for when another
one is made. Until then they hold almost nothing: consumers move a stream out of its capsule, and release it themselves.
"""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_void_p, py_object
from sys import getrefcount
from typing import Any

from . import _native
from ._native import ArrowArrayStream, ArrowSchema

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = py_object, [c_void_p, c_char_p, c_void_p]

#: Capsules and the structures that they point to.
_owned: list[tuple[Any, ArrowArrayStream | ArrowSchema]] = []


def _references(owned: tuple[Any, ...]) -> int:
    return getrefcount(owned[0])


#: The references to what nobody else has.
_ALONE = _references((object(),))


def capsule(structure: ArrowArrayStream | ArrowSchema) -> Any:
    """A capsule that owns the structure. Whoever takes over its content leaves it released."""
    release_unused()
    name = b"arrow_array_stream" if isinstance(structure, ArrowArrayStream) else b"arrow_schema"
    made = _new(ctypes.addressof(structure), name, None)
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
