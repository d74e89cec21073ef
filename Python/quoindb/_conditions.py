"""Conditions of other libraries in Quoin's language, as far as it can say them.

Each function returns a condition that selects the same rows, or None. What can't be said isn't pushed down, and whoever asked
applies it afterwards.
"""

from __future__ import annotations

import math
import re
from datetime import date
from itertools import accumulate
from typing import Any, Iterable

#: What an operator is with its sides exchanged.
MIRRORED = {">": "<", ">=": "<=", "<": ">", "<=": ">=", "=": "=", "!=": "!="}


def comparison(column: str, operator: str, value: Any) -> str | None:
    """A column and a value."""
    text = _literal(column, value)
    if text is None:
        return None
    if column == "ticker":
        return {"=": f"ticker in ({text})", "!=": f"not (ticker in ({text}))"}.get(operator)
    return f"{column} {operator} {text}"


def is_in(column: str, values: Iterable[Any]) -> str | None:
    """A list, which has at least one value."""
    texts = [_literal(column, value) for value in values]
    return f"{column} in ({', '.join(map(str, texts))})" if texts and None not in texts else None


def is_missing(column: str, is_missing: bool = True) -> str | None:
    """Whether a value is there."""
    return None if column in ("ticker", "date") else f"{column} is {'' if is_missing else 'not '}missing"


def negated(part: str | None) -> str | None:
    """Where it is false, and not missing."""
    return None if part is None else f"not ({part})"


def joined(operator: str, parts: Iterable[str | None]) -> str | None:
    """`and` or `or`, in three-valued logic."""
    known = list(parts)
    return None if None in known else f"({f' {operator} '.join(map(str, known))})"


def all_of(parts: Iterable[str | None]) -> str | None:
    """Those of the conditions that can be said: they select the rows that meet all of them, and perhaps others."""
    chosen: list[str] = []
    length = 0
    for part in parts:
        if part is not None and length + len(part) < _TEXT_LENGTH and _depth(part) < _DEPTH:
            chosen.append(part)
            length += len(part) + len(" and ")
    return " and ".join(chosen) or None


#: A little less than the language allows.
_TEXT_LENGTH, _DEPTH = 60_000, 90


def _depth(text: str) -> int:
    """How many parentheses are inside each other."""
    return max(accumulate((character == "(") - (character == ")") for character in text))


def _literal(column: str, value: Any) -> str | None:
    """A value in Quoin's language, if it is of the column's kind."""
    if column == "ticker":
        return f"'{value}'" if isinstance(value, str) and re.fullmatch("[A-Z0-9][A-Z0-9._-]*", value) else None
    if column == "date":
        return value.isoformat() if type(value) is date else None
    # A float64 has these whole numbers, and no others nearby.
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or abs(value) >= 2**53:
        return None
    return repr(float(value) if isinstance(value, float) else int(value))
