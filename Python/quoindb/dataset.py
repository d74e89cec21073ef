"""A store as a dataset of pyarrow, for DataFusion, DuckDB and whatever else scans datasets.

What is asked for reaches the scan: columns, and each part of a filter that Quoin's language can say. pyarrow applies the whole filter
again to what comes back.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator

import pyarrow
import pyarrow.dataset
from pyarrow.fs import LocalFileSystem

from . import _conditions
from ._expressions import Call, Expression, Field, Literal, Node, fields, operands, tree

if TYPE_CHECKING:
    from .store import Scan, Store

_OPERATORS = {"greater": ">", "greater_equal": ">=", "less": "<", "less_equal": "<=", "equal": "=", "not_equal": "!="}
_JUNCTIONS = {"and_kleene": "and", "or_kleene": "or"}

#: The name of a file that isn't there. What reads a dataset past its scanner fails with it, and doesn't find no rows.
_NO_FILE = "/dev/null/quoin: call to_table() first"


class QuoinDataset(pyarrow.dataset.FileSystemDataset):  # type: ignore[misc]
    """All rows of a store. Joins and sorts of pyarrow's need `to_table()` first."""

    def __init__(self, store: Store, filter: Expression | None = None) -> None:
        self._store, self._filter = store, filter
        files, system = pyarrow.dataset.IpcFileFormat(), LocalFileSystem()
        schema = pyarrow.RecordBatchReader.from_stream(store.scan(dictionary=False, limit=0)).schema
        super().__init__([files.make_fragment(_NO_FILE, system)], schema, files, system)

    def __reduce__(self) -> Any:
        return QuoinDataset, (self._store, self._filter)

    def filter(self, expression: Expression) -> QuoinDataset:
        """The rows that meet a condition too."""
        return QuoinDataset(self._store, _both(self._filter, expression))

    def scanner(self, columns: Any = None, filter: Expression | None = None, **options: Any) -> pyarrow.dataset.Scanner:
        """A scanner of rows and columns, which can be read once."""
        return self._scanner(None, columns, filter, options)

    def get_fragments(self, filter: Expression | None = None) -> Iterator[_Fragment]:
        """Some tickers each, with about equal numbers of rows, for a thread each. The filter is for their scanners."""
        scan = self._store.scan()
        for part in scan.partitions(min(os.cpu_count() or 1, 8)) or [scan]:
            yield _Fragment(self, part)

    def _scanner(self, part: Scan | None, columns: Any, filter: Expression | None, options: dict[str, Any]) -> pyarrow.dataset.Scanner:
        filter = _both(self._filter, filter)
        names = self.schema.names
        if columns is not None:
            expressions = list(columns.values()) if isinstance(columns, dict) else [pyarrow.dataset.field(name) for name in columns]
            needed = fields([*expressions, *([] if filter is None else [filter])])
            # A batch needs a column to have rows.
            names = [name for name in names if needed is None or name in needed] or ["date"]
        where = None if filter is None else pushed_down(filter)
        scan = self._store.scan(
            None if part is None else part.tickers, where=where, columns=names, threads=0 if part is None else 1, dictionary=False)
        reader = pyarrow.RecordBatchReader.from_stream(scan)
        return pyarrow.dataset.Scanner.from_batches(reader, columns=columns, filter=filter, **options)


class _Fragment:
    """Some tickers of a dataset."""

    def __init__(self, dataset: QuoinDataset, part: Scan) -> None:
        self._dataset, self._part = dataset, part

    def scanner(
        self, schema: pyarrow.Schema | None = None, columns: Any = None, filter: Expression | None = None, **options: Any
    ) -> pyarrow.dataset.Scanner:
        return self._dataset._scanner(self._part, columns, filter, options)


def _both(one: Expression | None, other: Expression | None) -> Expression | None:
    return other if one is None else one if other is None else one & other


def pushed_down(filter: Expression) -> str | None:
    """The parts of a filter that Quoin's language can say: they select all rows that meet it, and perhaps others."""
    node = tree(filter)
    return None if node is None else _conditions.all_of(map(_condition, operands("and_kleene", node)))


def _condition(node: Node) -> str | None:
    """Exactly this condition in Quoin's language; None if it can't be said, or if this code doesn't know."""
    match node:
        case Call("and_kleene" | "or_kleene" as name):
            return _conditions.joined(_JUNCTIONS[name], map(_condition, operands(name, node)))
        case Call("invert", [condition]):
            return _conditions.negated(_condition(condition))
        case Call("is_null" | "is_valid" as name, [Field(column)]):
            return _conditions.is_missing(column, name == "is_null")
        case Call("is_in", [Field(column)], {"value_set": list(values)}) if 0 not in values:
            # Unlike a comparison it is false where the value is missing, so a negation of it is true there. And it tells both
            # zeros apart.
            found = _conditions.is_in(column, values)
            return found if column in ("ticker", "date") else _conditions.joined("and", [_conditions.is_missing(column, False), found])
        case Call("if_else", [Call("is_valid", [Field(column)]), Call("is_in", [Field(same)], {"value_set": list(values)}), Literal(None)]):
            # What DuckDB writes for a list.
            return _conditions.is_in(column, values) if same == column and 0 not in values else None
        case Call(name, [Field(column), Literal(value)]) if name in _OPERATORS:
            return _conditions.comparison(column, _OPERATORS[name], value)
        case Call(name, [Literal(value), Field(column)]) if name in _OPERATORS:
            return _conditions.comparison(column, _conditions.MIRRORED[_OPERATORS[name]], value)
    return None
