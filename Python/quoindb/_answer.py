"""Rows of an answer, for whatever library wants them."""

from __future__ import annotations

import contextlib
import importlib
from typing import TYPE_CHECKING, Any, Iterator

from . import _capsule, _native
from ._native import ArrowArrayStream

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars
    import pyarrow

_SHOWN_ROWS = 10


def required(library: str) -> Any:
    """A library that only some methods need."""
    try:
        return importlib.import_module(library)
    except ModuleNotFoundError as error:
        if error.name != library:
            raise
        raise ModuleNotFoundError(f"this needs {library}, which isn't installed: pip install {library}", name=library) from None


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Around a library that reads a stream: it has an error of its own for one that was interrupted.

    After Ctrl-C Python has KeyboardInterrupt ready, and raises it as soon as it comes here.
    """
    try:
        yield
    except Exception as error:
        if _native.INTERRUPTED in str(error):
            raise _native.interrupted() from None
        raise


class Answer:
    """Rows that are found when they are asked for, as often as they are asked for.

    It is an Arrow stream to every library that knows the PyCapsule interface: `pyarrow.table(answer)`, `polars.DataFrame(answer)`,
    `duckdb.sql("from answer")`.
    """

    def _stream(self, limit: int | None = None) -> ArrowArrayStream:
        """A stream of the rows; of no more than `limit` of them."""
        raise NotImplementedError

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return _capsule.capsule(self._stream())

    def __arrow_c_schema__(self) -> Any:
        stream = self._stream(limit=0)
        try:
            return _capsule.capsule(_native.schema_of(stream))
        finally:
            _native.release(stream)

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow table, whose columns are the memory that the scan wrote."""
        pyarrow = required("pyarrow")
        batches = []
        with _interruptible():
            reader = pyarrow.RecordBatchReader.from_stream(self)
            # In Python, so that Ctrl-C ends a long scan between two batches too.
            for batch in reader:
                batches.append(batch)
        return pyarrow.Table.from_batches(batches, reader.schema)

    def to_polars(self) -> polars.DataFrame:
        """A Polars data frame."""
        with _interruptible():
            return required("polars").DataFrame(self)  # type: ignore[no-any-return]

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """A pandas data frame, through pyarrow, whose `Table.to_pandas` takes the options.

        Dates are datetime64, and an integer column with missing values becomes float64, which holds whole numbers up to 2^53.
        `types_mapper=pandas.ArrowDtype` keeps Arrow's types and every bit.
        """
        required("pandas")
        return self.to_arrow().to_pandas(**{"date_as_object": False, **options})

    def to_numpy(self) -> dict[str, numpy.ndarray[Any, Any]]:
        """A numpy array for each column. Dates are datetime64[D]; an integer column with missing values becomes float64."""
        from . import _arrays

        required("numpy")
        stream = self._stream()
        try:
            return _arrays.columns(stream)
        finally:
            _native.release(stream)

    def _head(self) -> tuple[list[str], list[list[str]], bool]:
        """The names, the first rows as texts, and whether there are more."""
        from . import _arrays

        stream = self._stream(limit=_SHOWN_ROWS + 1)
        try:
            names, rows = _arrays.texts(stream)
        finally:
            _native.release(stream)
        return names, rows[:_SHOWN_ROWS], len(rows) > _SHOWN_ROWS

    def __repr__(self) -> str:
        names, rows, has_more = self._head()
        widths = [max(len(cell) for cell in column) for column in zip(names, *rows)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip() for row in [names, *rows]]
        return "\n".join(lines + ["..."] * has_more)

    def _repr_html_(self) -> str:
        import html

        names, rows, has_more = self._head()

        def line(cells: list[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        body = "".join(line(row, "td") for row in rows) + (line(["..."] * len(names), "td") if has_more else "")
        return f"<table><thead>{line(names, 'th')}</thead><tbody>{body}</tbody></table>"
