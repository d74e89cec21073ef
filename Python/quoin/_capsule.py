"""Arrow's PyCapsule interface: how a stream or a schema goes to pyarrow, Polars, DuckDB and pandas without a copy."""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, c_char_p, c_void_p, py_object
from typing import Any

from . import _native
from ._native import ArrowArrayStream, ArrowSchema

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_pointer = CFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_name = CFUNCTYPE(c_char_p, c_void_p)(("PyCapsule_GetName", ctypes.pythonapi))

#: The structures that capsules point to, by address.
_structures: dict[int, ArrowArrayStream | ArrowSchema] = {}


@CFUNCTYPE(None, c_void_p)
def _destroy(capsule: int) -> None:
    structure = _structures.pop(_pointer(capsule, _name(capsule)), None)
    if structure is not None:
        _native.release(structure)


def capsule(structure: ArrowArrayStream | ArrowSchema) -> Any:
    """A capsule that owns the structure. Whoever takes over its content leaves it released."""
    name = b"arrow_array_stream" if isinstance(structure, ArrowArrayStream) else b"arrow_schema"
    address = ctypes.addressof(structure)
    _structures[address] = structure
    return _new(address, name, ctypes.cast(_destroy, c_void_p))
