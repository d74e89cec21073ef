package quoin.spark;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** A store's columns. Every one may be null, which says that a value is missing. */
final class Columns {
  private static final List<String> NUMBERS = List.of(
      /* columns */
      "open",
      "high",
      "low",
      "close",
      "volume",
      "ex_dividend",
      "split_ratio",
      "adj_open",
      "adj_high",
      "adj_low",
      "adj_close",
      "adj_volume"
      /* end */
  );

  static final StructType SCHEMA = schema();

  private Columns() {}

  private static StructType schema() {
    StructType schema = new StructType().add("ticker", DataTypes.StringType).add("date", DataTypes.DateType);
    for (String name : NUMBERS) schema = schema.add(name, name.equals("volume") ? DataTypes.LongType : DataTypes.DoubleType);
    return schema;
  }

  /** The column that an expression is; null if it is something else. */
  static String name(Expression expression) {
    if (!(expression instanceof NamedReference reference) || reference.fieldNames().length != 1) return null;
    String name = reference.fieldNames()[0];
    return Arrays.asList(SCHEMA.fieldNames()).contains(name) ? name : null;
  }

  static DataType type(String name) {
    return SCHEMA.apply(name).dataType();
  }

  /** How many bytes a row of some columns takes. */
  static long width(StructType columns) {
    return 8 + 8L * columns.length();
  }
}
