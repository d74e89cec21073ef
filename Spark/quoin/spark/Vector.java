package quoin.spark;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** A column of a batch where Quoin wrote it: values in Arrow's layout, and a bit for each that isn't missing. */
final class Vector extends ColumnVector {
  private long validity;
  private long values;
  private int count;
  /** The tickers, copied from the first batch: all batches have the same. */
  private UTF8String[] texts;

  /** What keeps the memory, while somebody has the vector. */
  @SuppressWarnings("unused")
  private final Object owner;

  Vector(DataType type, Object owner) {
    super(type);
    this.owner = owner;
  }

  /** Shows the column of a batch: its addresses lie from a place on, as {@code Native.next} says. */
  void show(long[] places, int place, int count) {
    this.count = count;
    validity = places[place];
    values = places[place + 1];
    if (places[place + 4] == 0 || texts != null) return;
    texts = new UTF8String[(int) places[place + 4]];
    for (int i = 0; i < texts.length; i++) {
      int start = Platform.getInt(null, places[place + 2] + 4L * i), end = Platform.getInt(null, places[place + 2] + 4L * (i + 1));
      texts[i] = UTF8String.fromAddress(null, places[place + 3] + start, end - start).clone();
    }
  }

  @Override
  public void close() {}

  @Override
  public boolean hasNull() {
    return validity != 0;
  }

  @Override
  public int numNulls() {
    int nulls = 0;
    for (int i = 0; i < count && validity != 0; i++) if (isNullAt(i)) nulls++;
    return nulls;
  }

  @Override
  public boolean isNullAt(int row) {
    return validity != 0 && (Platform.getByte(null, validity + (row >> 3)) >> (row & 7) & 1) == 0;
  }

  @Override
  public int getInt(int row) {
    return Platform.getInt(null, values + 4L * row);
  }

  @Override
  public long getLong(int row) {
    return Platform.getLong(null, values + 8L * row);
  }

  @Override
  public double getDouble(int row) {
    return Platform.getDouble(null, values + 8L * row);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return texts[Platform.getInt(null, values + 4L * row)];
  }

  private UnsupportedOperationException other() {
    return new UnsupportedOperationException("no column of a store is of this type");
  }

  @Override
  public boolean getBoolean(int row) {
    throw other();
  }

  @Override
  public byte getByte(int row) {
    throw other();
  }

  @Override
  public short getShort(int row) {
    throw other();
  }

  @Override
  public float getFloat(int row) {
    throw other();
  }

  @Override
  public ColumnarArray getArray(int row) {
    throw other();
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw other();
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    throw other();
  }

  @Override
  public byte[] getBinary(int row) {
    throw other();
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw other();
  }
}
