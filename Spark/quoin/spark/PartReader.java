package quoin.spark;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Reads a part batch by batch: one call of native code for each, which says where the values lie. */
final class PartReader implements PartitionReader<ColumnarBatch> {
  /** Makes readers on the executors. */
  static final class Factory implements PartitionReaderFactory {
    private static final long serialVersionUID = 1;

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      throw new UnsupportedOperationException("rows are read in batches");
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
      return new PartReader((Part) partition);
    }

    @Override
    public boolean supportColumnarReads(InputPartition partition) {
      return true;
    }
  }

  private final Vector[] vectors;
  private final long[] places;
  private final ColumnarBatch batch;
  private long rows;

  private PartReader(Part part) {
    StructField[] fields = part.schema().fields();
    vectors = new Vector[fields.length];
    for (int i = 0; i < fields.length; i++) vectors[i] = new Vector(fields[i].dataType());
    places = new long[5 * Math.max(1, fields.length)];
    batch = new ColumnarBatch(vectors);
    rows = part.open();
  }

  @Override
  public boolean next() {
    long count = Native.next(rows, places);
    if (count < 0) return false;
    for (int i = 0; i < vectors.length; i++) vectors[i].show(places, 5 * i, (int) count);
    batch.setNumRows((int) count);
    return true;
  }

  @Override
  public ColumnarBatch get() {
    return batch;
  }

  @Override
  public void close() {
    if (rows != 0) Native.release(rows);
    rows = 0;
  }
}
