"""A store as a Polars lazy frame.

Polars hands over the whole condition of a query. Each part that Quoin's language can say is pushed down to the scan, which skips
blocks by their statistics; the others select more rows than are wanted. Polars applies the whole condition again to what comes
back, so the form in which it writes conditions may change without a wrong answer.
"""

from __future__ import annotations

import io
import json
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Iterator

import polars
from polars.io.plugins import register_io_source

from . import _arrays, _capsule, _conditions

if TYPE_CHECKING:
    from .store import Store

_TYPES: dict[str, Any] = {"u": polars.String, "tdD": polars.Date, "l": polars.Int64, "g": polars.Float64}
_OPERATORS = {"Gt": ">", "GtEq": ">=", "Lt": "<", "LtEq": "<=", "Eq": "=", "NotEq": "!="}
_BOUNDS = {"Both": (">=", "<="), "Left": (">=", "<"), "Right": (">", "<="), "None": (">", "<")}
_EPOCH = date(1970, 1, 1)


def lazy_frame(store: Store) -> polars.LazyFrame:
    """All rows of a store."""
    schema = {name: _TYPES[kind] for name, kind in _arrays.fields(store.scan(dictionary=False)._stream(limit=0))}

    def rows(
        columns: list[str] | None, predicate: polars.Expr | None, limit: int | None, _: int | None
    ) -> Iterator[polars.DataFrame]:
        where = None if predicate is None else pushed_down(predicate)
        wanted = columns if columns is not None else list(schema)
        # A frame needs a column to have rows.
        scan = store.scan(where=where, columns=wanted or ["date"], limit=limit if predicate is None else None, dictionary=False)
        for batch in _capsule.batches_of(scan._stream()):
            frame = polars.DataFrame(batch)
            # Mostly all rows meet the condition, and needn't be copied.
            if predicate is not None and frame.select(predicate).to_series().all(ignore_nulls=False) is not True:
                frame = frame.filter(predicate)
            yield frame if frame.columns == wanted else frame.select(wanted)

    return register_io_source(rows, schema=schema, is_pure=True, explain_name="quoin", explain_detail=store.path)


def pushed_down(predicate: polars.Expr) -> str | None:
    """The parts of a condition that Quoin's language can say: they select all rows that meet it, and perhaps others."""
    try:
        return _conditions.all_of(map(_condition, _operands("And", json.loads(predicate.meta.serialize(format="json")))))
    except RecursionError:
        return None


def _operands(operator: str, node: Any) -> Iterator[Any]:
    """What an operator joins, as often as it stands beside itself."""
    nodes = [node]
    while nodes:
        node = nodes.pop()
        parts = node.get("BinaryExpr") if isinstance(node, dict) else None
        if parts and parts["op"] == operator:
            nodes += [parts["right"], parts["left"]]
        else:
            yield node


def _condition(node: Any) -> str | None:
    """Exactly this condition in Quoin's language; None if it can't be said, or if this code doesn't know."""
    try:
        (kind, content), = node.items()
        if kind == "BinaryExpr":
            if content["op"] in ("And", "Or"):
                return _conditions.joined(content["op"].lower(), map(_condition, _operands(content["op"], node)))
            return _comparison(content["left"], _OPERATORS[content["op"]], content["right"])
        if kind == "Function":
            return _function(content["function"]["Boolean"], content["input"])
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        pass
    return None


def _comparison(left: Any, operator: str, right: Any) -> str | None:
    if _column(left) is None:
        left, operator, right = right, _conditions.MIRRORED[operator], left
    column = _column(left)
    return None if column is None else _conditions.comparison(column, operator, _literal(right))


def _function(name: Any, inputs: list[Any]) -> str | None:
    if name == "Not":
        return _conditions.negated(_condition(inputs[0]))
    column = _column(inputs[0])
    if column is None:
        return None
    if name in ("IsNull", "IsNotNull"):
        return _conditions.is_missing(column, name == "IsNull")
    (name, options), = name.items()
    if name == "IsBetween":
        low, high = _BOUNDS[options["closed"]]
        bounds = [(low, _literal(inputs[1])), (high, _literal(inputs[2]))]
        return _conditions.joined("and", (_conditions.comparison(column, operator, value) for operator, value in bounds))
    # If nulls equal each other, a list never answers that it doesn't know.
    if name == "IsIn" and options == {"nulls_equal": False}:
        return _conditions.is_in(column, _values(inputs[1]["Literal"]))
    return None


def _values(literal: Any) -> list[Any]:
    """A list that stands in a condition, or none if it is something else."""
    data = literal["Scalar"]["List"] if "Scalar" in literal else literal["Series"]
    values = polars.read_ipc_stream(io.BytesIO(bytes(data))).to_series()
    if values.dtype == polars.List:
        return values[0].to_list() if len(values) == 1 else []
    return values.to_list()


def _column(node: Any) -> str | None:
    """The name of a column; also of a volume as float64."""
    cast = node.get("Cast")
    if cast and cast["expr"].get("Column") == "volume" and cast["dtype"] == {"Literal": "Float64"}:
        node = cast["expr"]
    column = node.get("Column")
    return column if isinstance(column, str) else None


def _literal(node: Any) -> Any:
    (kind, value), = node["Literal"].items()
    (kind, value), = value.items()
    return _EPOCH + timedelta(days=value) if kind == "Date" else value
