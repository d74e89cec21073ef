"""Parquet files, through pyarrow and in bounded memory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ._answer import Answer, required

if TYPE_CHECKING:
    import pyarrow


def write(answer: Answer, path: str | os.PathLike[str]) -> int:
    """Writes an answer batch by batch. Returns the number of rows."""
    pyarrow, parquet = required("pyarrow"), required("pyarrow.parquet")
    reader = pyarrow.RecordBatchReader.from_stream(answer)
    count = 0
    with parquet.ParquetWriter(path, reader.schema, compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)
            count += batch.num_rows
    return count


def read(path: str | os.PathLike[str]) -> pyarrow.RecordBatchReader:
    """The rows of a file, batch by batch.

    Row groups are read one by one: asked for all of them, pyarrow keeps what it has read.
    """
    pyarrow, parquet = required("pyarrow"), required("pyarrow.parquet")
    file = parquet.ParquetFile(path)
    batches = (batch for group in range(file.num_row_groups) for batch in file.iter_batches(row_groups=[group]))
    return pyarrow.RecordBatchReader.from_batches(file.schema_arrow, batches)
