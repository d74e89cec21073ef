"""A store as a Polars lazy frame.

Polars hands over the whole condition of a query. Each part that Quoin's language can say is pushed down to the scan, which skips
blocks by their statistics; the others select more rows than are wanted. Polars applies the whole condition again to what comes
back, so the form in which it writes conditions may change without a wrong answer.
"""

from __future__ import annotations

import io
import json
import math
import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Iterator

import polars
from polars.io.plugins import register_io_source

from . import _arrays, _native

if TYPE_CHECKING:
    from .store import Store

_TYPES: dict[str, Any] = {"u": polars.String, "tdD": polars.Date, "l": polars.Int64, "g": polars.Float64}
_OPERATORS = {"Gt": ">", "GtEq": ">=", "Lt": "<", "LtEq": "<=", "Eq": "=", "NotEq": "!="}
_MIRRORED = {"Gt": "Lt", "GtEq": "LtEq", "Lt": "Gt", "LtEq": "GtEq", "Eq": "Eq", "NotEq": "NotEq"}
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
        frame = scan.to_polars()
        if predicate is not None:
            frame = frame.filter(predicate)
        yield frame.select(wanted)

    return register_io_source(rows, schema=schema, is_pure=True, explain_name="quoin", explain_detail=store.path)


def pushed_down(predicate: polars.Expr) -> str | None:
    """The parts of a condition that Quoin's language can say: they select all rows that meet it, and perhaps others."""
    node = json.loads(predicate.meta.serialize(format="json"))
    parts = [text for text in map(_condition, _conjuncts(node)) if text is not None]
    return " and ".join(parts) or None


def _conjuncts(node: Any) -> Iterator[Any]:
    parts = node.get("BinaryExpr") if isinstance(node, dict) else None
    if parts and parts["op"] == "And":
        yield from _conjuncts(parts["left"])
        yield from _conjuncts(parts["right"])
    else:
        yield node


def _condition(node: Any) -> str | None:
    """Exactly this condition in Quoin's language; None if it can't be said, or if this code doesn't know."""
    try:
        (kind, content), = node.items()
        if kind == "BinaryExpr":
            return _comparison(content["left"], content["op"], content["right"])
        if kind == "Function":
            return _function(content["function"], content["input"])
    except (AttributeError, KeyError, TypeError, ValueError):
        pass
    return None


def _comparison(left: Any, operator: str, right: Any) -> str | None:
    if operator in ("And", "Or"):
        parts = [_condition(left), _condition(right)]
        return None if None in parts else f"({parts[0]} {operator.lower()} {parts[1]})"
    if operator not in _OPERATORS:
        return None
    if _column(left) is None:
        left, operator, right = right, _MIRRORED[operator], left
    column = _column(left)
    if column is None:
        return None
    value = _literal(column, right)
    if value is None:
        return None
    if column == "ticker":
        return {"Eq": f"ticker in ({value})", "NotEq": f"not (ticker in ({value}))"}.get(operator)
    return f"{column} {_OPERATORS[operator]} {value}"


def _function(function: Any, inputs: list[Any]) -> str | None:
    name = function["Boolean"]
    if name == "Not":
        part = _condition(inputs[0])
        return None if part is None else f"not ({part})"
    column = _column(inputs[0])
    if column is None:
        return None
    if name in ("IsNull", "IsNotNull"):
        is_never_missing = column in ("ticker", "date")
        return None if is_never_missing else f"{column} is {'' if name == 'IsNull' else 'not '}missing"
    (name, options), = name.items()
    if name == "IsBetween":
        closed = options["closed"]
        below = ">=" if closed in ("Both", "Left") else ">"
        above = "<=" if closed in ("Both", "Right") else "<"
        low, high = _literal(column, inputs[1]), _literal(column, inputs[2])
        return None if column == "ticker" or not (low and high) else f"({column} {below} {low} and {column} {above} {high})"
    if name == "IsIn":
        data = bytes(inputs[1]["Literal"]["Scalar"]["List"])
        values = polars.read_ipc_stream(io.BytesIO(data)).to_series().explode().to_list()
        texts = [_text(column, value) for value in values]
        if not texts or None in texts:
            return None
        if column == "ticker":
            return f"ticker in ({', '.join(map(str, texts))})"
        return "(" + " or ".join(f"{column} = {text}" for text in texts) + ")"
    return None


def _column(node: Any) -> str | None:
    """The name of a column; also of a volume as float64."""
    cast = node.get("Cast")
    if cast and cast["expr"].get("Column") in ("volume", "adj_volume") and cast["dtype"] == {"Literal": "Float64"}:
        node = cast["expr"]
    column = node.get("Column")
    return column if isinstance(column, str) else None


def _literal(column: str, node: Any) -> str | None:
    (kind, value), = node["Literal"].items()
    (kind, value), = value.items()
    if kind == "Date":
        value = _EPOCH + timedelta(days=value)
    return _text(column, value)


def _text(column: str, value: Any) -> str | None:
    """A value in Quoin's language, if it is of the column's kind."""
    if column == "ticker":
        return f"'{value}'" if isinstance(value, str) and re.fullmatch("[A-Z0-9][A-Z0-9._-]*", value) else None
    if column == "date":
        return value.isoformat() if type(value) is date else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or abs(value) >= 2**53:
        return None
    return repr(value)
