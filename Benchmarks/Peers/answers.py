"""What a question found, in numbers that every engine has to agree on: whole numbers exactly, others to nine digits.

For rows these are their count and, for each column, the sum of its cells, the missing ones left out: days count as days
since 1970-01-01, tickers as the FNV-1a hashes of their symbols. `Answer.swift` says the same."""

import math

import pyarrow as pa
import pyarrow.compute as pc


def answer(found) -> list:
    """The numbers of a count or of an Arrow table."""
    if isinstance(found, int):
        return [found]
    return [found.num_rows] + [column_sum(column) for column in found.columns]


def column_sum(column: pa.ChunkedArray):
    kind = column.type
    if pa.types.is_dictionary(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind) \
            or pa.types.is_string_view(kind):
        return sum(fnv1a(str(v["values"])) * v["counts"].as_py() for v in pc.value_counts(column.cast(pa.string())))
    if pa.types.is_temporal(kind):
        return pc.sum(column.cast(pa.date32()).cast(pa.int32())).as_py() or 0
    if pa.types.is_floating(kind):
        column = column.filter(pc.invert(pc.is_nan(column)))
        return float(pc.sum(column).as_py() or 0)
    return int(pc.sum(column.cast(pa.decimal128(38, 0))).as_py() or 0)


def fnv1a(text: str) -> int:
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def agree(a: list, b: list, rest: float = 0) -> bool:
    """`rest` is what running sums may leave behind: in a sum so much for each row, in a mere count such a share of it."""
    if a[:1] == b[:1] == [0]:  # no rows: nothing to add up
        return True
    near = max(1e-9, rest * abs(a[0]))
    whole = lambda x, y: isinstance(x, int) and isinstance(y, int)
    return len(a) == len(b) and all(
        abs(x - y) <= (near if rest and len(a) == 1 else 0) if whole(x, y) else math.isclose(x, y, rel_tol=1e-9, abs_tol=near)
        for x, y in zip(a, b))
