"""Parquet files, through pyarrow and in bounded memory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._answer import Answer


def write(answer: Answer, path: str | os.PathLike[str]) -> int:
    """Writes an answer batch by batch. Returns the number of rows."""
    import pyarrow
    import pyarrow.parquet

    reader = pyarrow.RecordBatchReader.from_stream(answer)
    count = 0
    with pyarrow.parquet.ParquetWriter(path, reader.schema, compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)
            count += batch.num_rows
    return count
