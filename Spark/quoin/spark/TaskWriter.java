package quoin.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Writes a task's rows into a store of its own, as one commit. */
final class TaskWriter implements DataWriter<InternalRow> {
  /** Rows of a batch: some megabytes. */
  private static final int CAPACITY = 1 << 15;
  /** The longest ticker that is handed over. It is longer than a store takes, so that the store says what is wrong. */
  private static final int TICKER_BYTES = 40;

  /** The store that a task made; null if it had no rows. */
  record Written(String store) implements WriterCommitMessage {
    private static final long serialVersionUID = 1;
  }

  /** Makes writers on the executors. */
  record Factory(String staged, WrittenColumns columns) implements DataWriterFactory {
    private static final long serialVersionUID = 1;

    @Override
    public DataWriter<InternalRow> createWriter(int partition, long task) {
      return new TaskWriter(Path.of(staged, partition + "-" + task), columns);
    }
  }

  private final Path directory;
  private final WrittenColumns columns;
  private final WrittenColumns.Kind[] kinds;
  private final DataType[] types;
  private final long[] places;
  private final int[] ends;
  private long store;
  private long rows;
  private int count;

  private TaskWriter(Path directory, WrittenColumns columns) {
    this.directory = directory;
    this.columns = columns;
    kinds = columns.kinds.toArray(WrittenColumns.Kind[]::new);
    types = columns.types.toArray(DataType[]::new);
    places = new long[3 * kinds.length];
    ends = new int[kinds.length];
  }

  @Override
  public void write(InternalRow row) throws IOException {
    if (rows == 0) begin();
    if (count == CAPACITY) send();
    if (count == 0) {
      Native.newBatch(rows, places);
      java.util.Arrays.fill(ends, 0);
    }
    for (int i = 0; i < kinds.length; i++) {
      if (kinds[i] == WrittenColumns.Kind.TEXT) {
        put(i, row.isNullAt(i) ? null : row.getUTF8String(i));
      } else if (!row.isNullAt(i)) {
        put(i, row);
      }
    }
    count++;
  }

  private void put(int i, InternalRow row) {
    long values = places[3 * i + 1];
    DataType type = types[i];
    switch (kinds[i]) {
      case DAY -> Platform.putInt(null, values + 4L * count, row.getInt(i));
      case WHOLE -> Platform.putLong(null, values + 8L * count,
          type instanceof LongType ? row.getLong(i) : type instanceof ShortType ? row.getShort(i) : type instanceof ByteType ? row.getByte(i) : row.getInt(i));
      default -> Platform.putDouble(null, values + 8L * count,
          type instanceof DecimalType decimal ? row.getDecimal(i, decimal.precision(), decimal.scale()).toDouble()
          : type instanceof FloatType ? row.getFloat(i) : row.getDouble(i));
    }
    show(i);
  }

  private void put(int i, UTF8String text) {
    if (text != null) {
      byte[] bytes = text.getBytes();
      int length = Math.min(bytes.length, TICKER_BYTES);
      Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET, null, places[3 * i + 2] + ends[i], length);
      ends[i] += length;
      show(i);
    }
    Platform.putInt(null, places[3 * i + 1] + 4L * (count + 1), ends[i]);
  }

  /** Says that the cell isn't missing. */
  private void show(int i) {
    long place = places[3 * i] + (count >> 3);
    Platform.putByte(null, place, (byte) (Platform.getByte(null, place) | 1 << (count & 7)));
  }

  private void begin() throws IOException {
    // The driver made the directory around it, and removes it at the end: a task that comes too late finds no place.
    Files.createDirectory(directory);
    store = Native.open(Native.text(directory.toString()), Native.CREATE);
    rows = Native.beginImport(store, Native.list(columns.names),
        Native.text(columns.kinds.stream().map(kind -> kind.format).collect(Collectors.joining("\n"))), CAPACITY);
  }

  private void send() {
    // An import that failed says why when it is finished.
    if (!Native.send(rows, count)) finish(true);
    count = 0;
  }

  private void finish(boolean isComplete) {
    long ended = rows;
    rows = 0;
    if (ended != 0) Native.finishImport(ended, isComplete);
  }

  @Override
  public WriterCommitMessage commit() {
    if (rows == 0) return new Written(null);
    send();
    finish(true);
    return new Written(directory.toString());
  }

  @Override
  public void abort() throws IOException {
    finish(false);
    QuoinWrite.remove(directory);
  }

  @Override
  public void close() {
    finish(false);
    if (store != 0) Native.close(store);
    store = 0;
  }
}
