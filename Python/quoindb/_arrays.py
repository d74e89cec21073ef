"""Arrow batches as numpy arrays and as texts, without any library for Arrow."""

from __future__ import annotations

import ctypes
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Iterator

from . import _native
from ._native import ArrowArray, ArrowArrayStream, ArrowSchema

if TYPE_CHECKING:
    import numpy

_EPOCH = date(1970, 1, 1)


def _children(parent: Any) -> Iterator[Any]:
    for index in range(parent.n_children):
        yield parent.children[index].contents


def _bytes(address: int | None, count: int) -> Any:
    """A view of memory."""
    return (ctypes.c_uint8 * count).from_address(address or 0) if count else (ctypes.c_uint8 * 0)()


def _tickers(array: ArrowArray) -> list[str]:
    """The texts of a utf8 column."""
    ends = (ctypes.c_int32 * (array.offset + array.length + 1)).from_address(array.buffers[1] or 0)
    text = bytes(_bytes(array.buffers[2], ends[array.offset + array.length]))
    return [text[ends[row] : ends[row + 1]].decode() for row in range(array.offset, array.offset + array.length)]


def _is_present(array: ArrowArray, row: int) -> bool:
    bits = array.buffers[0]
    if not bits:
        return True
    place = array.offset + row
    return bool(ctypes.c_uint8.from_address(bits + place // 8).value >> place % 8 & 1)


def fields(stream: ArrowArrayStream) -> list[tuple[str, str]]:
    """The names and formats of a stream's columns; the stream is released."""
    try:
        schema = _native.schema_of(stream)
        try:
            return [(child.name.decode(), child.format.decode()) for child in _children(schema)]
        finally:
            _native.release(schema)
    finally:
        _native.release(stream)


# numpy

_TYPES = {"g": "<f8", "l": "<i8", "tdD": "<i4", "i": "<i4"}


def columns(stream: ArrowArrayStream) -> dict[str, numpy.ndarray[Any, Any]]:
    """An array for each column of a stream."""
    import numpy

    schema = _native.schema_of(stream)
    try:
        fields = [(child.name.decode(), child.format.decode(), bool(child.dictionary)) for child in _children(schema)]
    finally:
        _native.release(schema)
    parts: list[list[Any]] = [[] for _ in fields]
    symbols: Any = numpy.empty(0, "U1")
    for batch in _native.batches_of(stream):
        for part, (_, kind, is_place), array in zip(parts, fields, _children(batch)):
            if is_place and not len(symbols):
                symbols = numpy.array(_tickers(array.dictionary.contents), dtype=str)
            part.append(_values(array, kind))
    return {
        name: _column(numpy.concatenate(part) if part else numpy.empty(0, _TYPES.get(kind, "U1")), kind, symbols if is_place else None)
        for part, (name, kind, is_place) in zip(parts, fields)
    }


def _values(array: ArrowArray, kind: str) -> Any:
    """A copy of a batch's values; missing numbers are NaN, missing days NaT."""
    import numpy

    if kind == "u":
        return numpy.array(_tickers(array), dtype=str)
    kind = _TYPES[kind]
    size = numpy.dtype(kind).itemsize
    values = numpy.frombuffer(_bytes((array.buffers[1] or 0) + array.offset * size, array.length * size), kind).copy()
    if array.null_count == 0 or not array.buffers[0]:
        return values
    bits = numpy.frombuffer(_bytes(array.buffers[0], (array.offset + array.length + 7) // 8), "u1")
    present = numpy.unpackbits(bits, bitorder="little")[array.offset : array.offset + array.length].astype(bool)
    return numpy.where(present, values.astype("f8"), numpy.nan)


def _column(values: Any, kind: str, symbols: Any) -> Any:
    import numpy

    if symbols is not None:
        return symbols[values]
    if kind == "tdD":
        if values.dtype.kind != "f":
            return values.astype("datetime64[D]")
        return numpy.where(numpy.isnan(values), numpy.datetime64("NaT", "D"), numpy.nan_to_num(values).astype("datetime64[D]"))
    return values


# Texts

def texts(stream: ArrowArrayStream) -> tuple[list[str], list[list[str]]]:
    """The names of a stream's columns, and its rows as texts; missing values are empty."""
    schema: ArrowSchema = _native.schema_of(stream)
    try:
        fields = [(child.name.decode(), child.format.decode()) for child in _children(schema)]
    finally:
        _native.release(schema)
    rows: list[list[str]] = []
    for batch in _native.batches_of(stream):
        columns = [_texts(array, kind) for array, (_, kind) in zip(_children(batch), fields)]
        rows += [list(row) for row in zip(*columns)]
    return [name for name, _ in fields], rows


def _texts(array: ArrowArray, kind: str) -> list[str]:
    if kind == "u":
        return _tickers(array)
    symbols = _tickers(array.dictionary.contents) if array.dictionary else []
    pointer = {"g": ctypes.c_double, "l": ctypes.c_int64, "tdD": ctypes.c_int32, "i": ctypes.c_int32}[kind]
    values = (pointer * (array.offset + array.length)).from_address(array.buffers[1] or 0) if array.length else []
    cells: list[str] = []
    for row in range(array.length):
        value = values[array.offset + row]
        if not _is_present(array, row):
            cells.append("")
        elif array.dictionary:
            cells.append(symbols[value])
        elif kind == "tdD":
            cells.append(str(_EPOCH + timedelta(days=value)))
        else:
            cells.append(str(value))
    return cells
