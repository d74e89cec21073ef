package quoin.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The columns of rows that are written: a ticker, a date, and attributes by the names that imports know. */
final class WrittenColumns implements Serializable {
  private static final long serialVersionUID = 1;

  /** How a value is handed over: its type in Arrow. */
  enum Kind {
    TEXT("u"), DAY("tdD"), WHOLE("l"), NUMBER("g");

    final String format;

    Kind(String format) {
      this.format = format;
    }
  }

  final List<String> names = new ArrayList<>();
  final List<Kind> kinds = new ArrayList<>();
  final List<DataType> types = new ArrayList<>();

  WrittenColumns(StructType schema) {
    for (StructField field : schema.fields()) {
      if (field.name().contains("\n")) throw refused(field, "a column's name is one line");
      names.add(field.name());
      kinds.add(kind(field));
      types.add(field.dataType());
    }
    ticker();
    date();
    if (names.size() > 32) throw new QuoinException(QuoinException.MISUSE, "there are " + names.size() + " columns; at most 32 are written");
  }

  private static Kind kind(StructField field) {
    DataType type = field.dataType();
    boolean isTicker = field.name().equalsIgnoreCase("ticker"), isDate = field.name().equalsIgnoreCase("date");
    if (isTicker && !(type instanceof StringType)) throw refused(field, "it has to be a string");
    if (isDate && !(type instanceof DateType)) throw refused(field, "it has to be a date: cast(date as date)");
    if (isTicker) return Kind.TEXT;
    if (isDate) return Kind.DAY;
    if (type instanceof LongType || type instanceof IntegerType || type instanceof ShortType || type instanceof ByteType) return Kind.WHOLE;
    if (type instanceof DoubleType || type instanceof FloatType || type instanceof DecimalType) return Kind.NUMBER;
    throw refused(field, "attributes are numbers");
  }

  private static QuoinException refused(StructField field, String reason) {
    return new QuoinException(QuoinException.MISUSE, "the column '" + field.name() + "' of " + field.dataType().simpleString() + " can't be written: " + reason);
  }

  String ticker() {
    return named("ticker");
  }

  String date() {
    return named("date");
  }

  private String named(String name) {
    return names.stream().filter(name::equalsIgnoreCase).findFirst().orElseThrow(() -> new QuoinException(
        QuoinException.MISUSE, "there is no column '" + name + "'; rows that are written have ticker, date and attributes such as close"));
  }
}
