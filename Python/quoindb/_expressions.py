"""What an expression of pyarrow says.

pyarrow shows no parts of an expression, but it can be pickled: as a batch whose schema has the calls, fields and literals as metadata,
in order, and whose columns are the literals. Whatever this code doesn't know makes an expression unknown.
"""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, Iterator, NamedTuple, Union

import pyarrow

from ._native import ArrowSchema, release

#: `pyarrow.compute.Expression`
Expression = Any


class Field(NamedTuple):
    """A column."""

    name: str


class Literal(NamedTuple):
    """A value."""

    value: Any


class Call(NamedTuple):
    """A function of arguments."""

    name: str
    arguments: list[Any]
    options: dict[str, Any] | None


Node = Union[Field, Literal, Call]


def tree(expression: Expression) -> Node | None:
    """The expression; None if it has parts that aren't known here."""
    try:
        data = expression.__reduce__()[1][0]
        batch = pyarrow.ipc.open_file(data).get_batch(0)
        return _node(batch, _metadata(batch.schema))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, pyarrow.ArrowException):
        return None


def operands(function: str, node: Node) -> Iterator[Node]:
    """What a function joins, as often as it stands beside itself."""
    nodes = [node]
    while nodes:
        node = nodes.pop()
        if isinstance(node, Call) and node.name == function:
            nodes += reversed(node.arguments)
        else:
            yield node


def fields(expressions: Iterable[Expression]) -> set[str] | None:
    """The columns that expressions read; None if that can't be told."""
    found: set[str] = set()
    nodes: list[Node | None] = [tree(expression) for expression in expressions]
    while nodes:
        match nodes.pop():
            case Field(name):
                found.add(name)
            case Call(_, arguments):
                nodes += arguments
            case None:
                return None
    return found


def _node(batch: pyarrow.RecordBatch, steps: Iterable[tuple[str, str]]) -> Node:
    """The one node that the steps make: a call's arguments, and then perhaps its options, stand before its end."""
    opened = [Call("", [], None)]
    for step, value in steps:
        if step == "call":
            opened.append(Call(value, [], None))
        elif step == "field_ref":
            opened[-1].arguments.append(Field(value))
        elif step == "literal":
            opened[-1].arguments.append(Literal(batch.column(int(value))[0].as_py()))
        elif step == "options":
            opened[-1] = opened[-1]._replace(options=batch.column(int(value))[0].as_py())
        elif step == "end":
            call = opened.pop()
            opened[-1].arguments.append(call)
        else:
            raise ValueError(step)
    (call,) = opened
    (node,) = call.arguments
    return node  # type: ignore[no-any-return]


def _metadata(schema: pyarrow.Schema) -> Iterator[tuple[str, str]]:
    """A schema's metadata, in order and with keys as often as they stand there, as pyarrow itself doesn't show them."""
    exported = ArrowSchema()
    schema._export_to_c(ctypes.addressof(exported))
    try:
        address = exported.metadata or 0

        def number() -> int:
            nonlocal address
            value = ctypes.c_int32.from_address(address).value
            address += 4
            return value

        def text() -> str:
            nonlocal address
            length = number()
            value = ctypes.string_at(address, length).decode()
            address += length
            return value

        for _ in range(number() if address else 0):
            yield text(), text()
    finally:
        release(exported)
