package quoin.spark;

import java.lang.ref.Cleaner;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.DataTypes;
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

  private static final Cleaner CLEANER = Cleaner.create();

  /** The native rows, which the vectors keep: a thread that feeds Python may still read them when the task has closed its reader. */
  private static final class Rows {
    final long address;
    final Cleaner.Cleanable cleanable;

    Rows(long address) {
      this.address = address;
      cleanable = CLEANER.register(this, () -> Native.release(address));
    }
  }

  private final Vector[] vectors;
  private final long[] places;
  private final ColumnarBatch batch;
  private final Rows rows;
  private boolean isOver;

  private PartReader(Part part) {
    StructField[] fields = part.schema().fields();
    rows = new Rows(part.open());
    byte[] formats = Native.formats(rows.address);
    for (int i = 0; i < fields.length; i++) {
      if (fields[i].dataType().equals(DataTypes.LongType) && formats[i] != 'l') {
        throw new QuoinException(
            QuoinException.UNANSWERABLE,
            "volumes of this store have fractions, which no bigint holds; leave the column volume out, or import the files with --round-volumes");
      }
    }
    vectors = new Vector[fields.length];
    for (int i = 0; i < fields.length; i++) vectors[i] = new Vector(fields[i].dataType(), rows);
    places = new long[5 * Math.max(1, fields.length)];
    batch = new ColumnarBatch(vectors);
  }

  @Override
  public synchronized boolean next() {
    if (isOver) return false;
    long count = Native.next(rows.address, places);
    if (count < 0) {
      isOver = true;
      rows.cleanable.clean();
      return false;
    }
    for (int i = 0; i < vectors.length; i++) vectors[i].show(places, 5 * i, (int) count);
    batch.setNumRows((int) count);
    return true;
  }

  @Override
  public ColumnarBatch get() {
    return batch;
  }

  /** The last batch stays until nobody has it any more, unless all were read. */
  @Override
  public synchronized void close() {
    isOver = true;
  }
}
