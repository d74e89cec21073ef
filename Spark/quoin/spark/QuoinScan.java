package quoin.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructType;

/** A planned query: what every part of it is asked. */
final class QuoinScan implements SupportsReportStatistics, Batch {
  /** Fewer rows aren't worth a task of their own, and more take long to repeat when an executor goes. */
  private static final long PART_ROWS_MIN = 50_000, PART_ROWS_MAX = 20_000_000;

  /** What is asked of groups of rows: aggregates, their key or null, and the columns of the answer. */
  record Aggregates(String texts, String by, StructType columns) {}

  private final Market market;
  private final List<String> tickers;
  private final String where;
  private final StructType columns;
  private final Aggregates aggregates;
  private final int limit;
  private final int partitionCount;
  private long rowCount = -1;

  QuoinScan(Market market, List<String> tickers, String where, StructType columns, Aggregates aggregates, int limit, int partitionCount) {
    this.market = market;
    this.tickers = tickers;
    this.where = where;
    this.columns = columns;
    this.aggregates = aggregates;
    this.limit = limit;
    this.partitionCount = partitionCount;
  }

  @Override
  public StructType readSchema() {
    return aggregates == null ? columns : aggregates.columns;
  }

  @Override
  public String description() {
    return "quoin of " + tickers.size() + " tickers" + (where == null ? "" : ", where " + where)
        + (aggregates == null ? "" : ", " + aggregates.texts + (aggregates.by == null ? "" : " by " + aggregates.by))
        + (limit == 0 ? "" : ", at most " + limit + " rows of each part");
  }

  /** The rows that Spark gets, which are counted: Spark decides by it whether it sends a table to all executors. */
  @Override
  public Statistics estimateStatistics() {
    if (rowCount < 0) {
      rowCount = 0;
      market.tickers(tickers).forEach((key, here) -> rowCount += market.store(key).count(here, where));
    }
    long rows = rowCount;
    return new Statistics() {
      @Override
      public OptionalLong sizeInBytes() {
        return OptionalLong.of(Math.max(1, rows * Columns.width(readSchema())));
      }

      @Override
      public OptionalLong numRows() {
        return OptionalLong.of(rows);
      }
    };
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    Map<Store.Key, List<String>> shares = market.tickers(tickers);
    Map<Store.Key, Long> rows = new java.util.HashMap<>();
    shares.forEach((key, here) -> rows.put(key, market.store(key).count(here, null)));
    long total = rows.values().stream().mapToLong(Long::longValue).sum();
    int parallelism = SparkSession.active().sparkContext().defaultParallelism();
    long count = partitionCount > 0 ? partitionCount
        : Math.max(Math.min(parallelism, total / PART_ROWS_MIN + 1), total / PART_ROWS_MAX + 1);
    List<InputPartition> parts = new ArrayList<>();
    shares.forEach((key, here) -> {
      long share = total == 0 ? 1 : Math.max(1, Math.round((double) count * rows.get(key) / total));
      for (List<String> part : market.store(key).parts(here, (int) share)) parts.add(part(key, part));
    });
    // Spark adds the counts of the parts up, and wants one.
    if (parts.isEmpty() && aggregates != null && aggregates.by == null) parts.add(part(market.anyStore(), List.of()));
    return parts.toArray(InputPartition[]::new);
  }

  private Part part(Store.Key key, List<String> tickers) {
    return aggregates == null
        ? new Part(key, tickers, where, String.join(", ", columns.fieldNames()), null, null, columns, limit)
        : new Part(key, tickers, where, null, aggregates.texts, aggregates.by, aggregates.columns, 0);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new PartReader.Factory();
  }
}
