"""Random conditions, in the words of several libraries."""

from __future__ import annotations

import datetime
import functools
import math
import operator
from random import Random
from typing import Any, Iterable

import polars as pl
import pyarrow.dataset

from support import exported

NUMBERS = ["open", "high", "low", "close", "volume", "ex-dividend", "split_ratio", "adj_close", "adj_volume"]
OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "!=": operator.ne}

#: A tree: the first element says what it is.
Condition = tuple[Any, ...]


def condition(random: Random, depth: int = 3) -> Condition:
    """Comparisons of columns with values that are there or almost, lists, ranges, null tests, joined and negated."""
    if depth > 0 and random.random() < 0.6:
        if random.random() < 0.2:
            return "not", condition(random, depth - 1)
        return random.choice(["and", "and", "or"]), [condition(random, depth - 1) for _ in range(random.randint(2, 3))]
    column = random.choice(["ticker", "date", *NUMBERS])
    kind = random.choice(["compare", "compare", "compare", "in", "between", "null", "columns"])
    if kind == "columns":
        return kind, random.choice(NUMBERS), random.choice(list(OPERATORS)), random.choice(NUMBERS)
    if kind == "null":
        return kind, column, random.random() < 0.5
    if kind == "in":
        return kind, column, [value(random, column) for _ in range(random.choice([1, 2, 5, 40]))]
    if kind == "between":
        low, high = value(random, column), value(random, column)
        return kind, column, min(low, high), max(low, high), random.choice(["both", "left", "right", "none"])
    return kind, column, random.choice(list(OPERATORS)), value(random, column), random.random() < 0.3


def value(random: Random, column: str) -> Any:
    """One of a random row, sometimes another number nearby."""
    text = random.choice(exported())[column]
    if column == "ticker":
        return random.choice([text, text, text, "NOPE"])
    if column == "date":
        return datetime.date.fromisoformat(text) + datetime.timedelta(days=random.choice([0, 0, 1, -400]))
    if column == "volume":
        return random.choice([int(text or 0), 0, 2**53 + 1])
    number = float(text or 0)
    return random.choice([number, number, math.nextafter(number, math.inf), round(number), -0.0, -1.5, 1e-300])


def polars_expression(tree: Condition) -> pl.Expr:
    match tree:
        case "and", parts:
            return functools.reduce(operator.and_, map(polars_expression, parts))
        case "or", parts:
            return functools.reduce(operator.or_, map(polars_expression, parts))
        case "not", part:
            return ~polars_expression(part)
        case "columns", one, symbol, other:
            return OPERATORS[symbol](pl.col(one), pl.col(other))
        case "null", column, is_null:
            return pl.col(column).is_null() if is_null else pl.col(column).is_not_null()
        case "in", column, values:
            # Polars has no lists of whole and other numbers.
            return pl.col(column).is_in([float(value) if column in NUMBERS and column != "volume" else value for value in values])
        case "between", column, low, high, closed:
            return pl.col(column).is_between(pl.lit(low), pl.lit(high), closed=closed)
        case "compare", column, symbol, value, mirrored:
            return OPERATORS[symbol](pl.lit(value), pl.col(column)) if mirrored else OPERATORS[symbol](pl.col(column), pl.lit(value))
    raise AssertionError(tree)


def arrow_expression(tree: Condition) -> Any:
    field = pyarrow.dataset.field
    match tree:
        case "and", parts:
            return functools.reduce(operator.and_, map(arrow_expression, parts))
        case "or", parts:
            return functools.reduce(operator.or_, map(arrow_expression, parts))
        case "not", part:
            return ~arrow_expression(part)
        case "columns", one, symbol, other:
            return OPERATORS[symbol](field(one), field(other))
        case "null", column, is_null:
            return field(column).is_null() if is_null else field(column).is_valid()
        case "in", column, values:
            return field(column).isin(values)
        case "between", column, low, high, closed:
            low_symbol, high_symbol = _bounds(closed)
            return OPERATORS[low_symbol](field(column), low) & OPERATORS[high_symbol](field(column), high)
        case "compare", column, symbol, value, mirrored:
            value = pyarrow.compute.scalar(value)
            return OPERATORS[symbol](value, field(column)) if mirrored else OPERATORS[symbol](field(column), value)
    raise AssertionError(tree)


def sql(tree: Condition) -> str:
    match tree:
        case "and" | "or" as name, parts:
            return "(" + f" {name} ".join(map(sql, parts)) + ")"
        case "not", part:
            return f"not ({sql(part)})"
        case "columns", one, symbol, other:
            return f'"{one}" {_sql_operator(symbol)} "{other}"'
        case "null", column, is_null:
            return f'"{column}" is {"" if is_null else "not "}null'
        case "in", column, values:
            return f'"{column}" in ({", ".join(map(_sql_value, values))})'
        case "between", column, low, high, "both":
            return f'"{column}" between {_sql_value(low)} and {_sql_value(high)}'
        case "between", column, low, high, closed:
            low_symbol, high_symbol = _bounds(closed)
            return f'("{column}" {low_symbol} {_sql_value(low)} and "{column}" {high_symbol} {_sql_value(high)})'
        case "compare", column, symbol, value, mirrored:
            sides = [f'"{column}"', _sql_value(value)]
            return f" {_sql_operator(symbol)} ".join(reversed(sides) if mirrored else sides)
    raise AssertionError(tree)


def rows(table: Iterable[Any]) -> list[Any]:
    """Rows in an order that doesn't depend on how they were found."""
    return sorted(table, key=str)


def _bounds(closed: str) -> tuple[str, str]:
    return {"both": (">=", "<="), "left": (">=", "<"), "right": (">", "<="), "none": (">", "<")}[closed]


def _sql_operator(symbol: str) -> str:
    return "<>" if symbol == "!=" else symbol


def _sql_value(value: Any) -> str:
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, datetime.date):
        return f"date '{value}'"
    # Without an exponent a number may be a decimal one, which is another.
    return repr(value) if isinstance(value, int) else f"{value!r}{'' if 'e' in repr(value) else 'e0'}"
