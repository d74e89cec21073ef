package quoin.spark;

import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.types.StructType;

/**
 * A part of a query, which one task reads.
 *
 * @param store which state of which store
 * @param tickers whose rows
 * @param where the condition; null for all rows
 * @param columns the columns with commas between them; null for aggregates
 * @param aggregates the aggregates; null for rows
 * @param by "ticker", or null for one group
 * @param schema what Spark gets
 * @param limit the largest number of rows; 0 for all
 */
record Part(Store.Key store, List<String> tickers, String where, String columns, String aggregates, String by, StructType schema, int limit)
    implements InputPartition {
  private static final long serialVersionUID = 1;

  /** Begins to read: the address of the rows. */
  long open() {
    Store opened = Store.at(store);
    byte[] list = Native.list(tickers), condition = Native.text(where);
    if (aggregates != null) return Native.aggregate(opened.handle, list, condition, Native.text(aggregates), Native.text(by));
    return Native.scan(opened.handle, list, condition, Native.text(columns.isEmpty() ? "date" : columns), limit);
  }
}
