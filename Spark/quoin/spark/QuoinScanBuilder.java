package quoin.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Takes over from Spark what the store can do as well: conditions, columns, aggregates, limits. Each query has one of its own. */
final class QuoinScanBuilder
    implements SupportsPushDownV2Filters, SupportsPushDownRequiredColumns, SupportsPushDownAggregates, SupportsPushDownLimit {
  /** Quoin reads at most 64 KiB. */
  private static final int TEXT_MAX = 60_000;

  private final Market market;
  private final Conditions conditions;
  /** What compares the quotes of a day with each other looks at all tickers, so it can't be asked of parts. */
  private final boolean isByDay;
  private final int partitionCount;
  private final List<Predicate> pushed = new ArrayList<>();
  private List<String> tickers;
  private String where;
  private StructType columns = Columns.SCHEMA;
  private QuoinScan.Aggregates aggregates;
  private int limit;

  QuoinScanBuilder(CaseInsensitiveStringMap options) {
    Options.check(options.keySet(), Options.READING);
    market = new Market(options);
    tickers = market.tickers();
    conditions = new Conditions(tickers);
    String asked = options.get("where");
    if (asked != null && !asked.isBlank()) {
      // A mistake in the text is told before anything is read.
      market.check(asked);
      where = "(" + asked + ")";
    }
    isByDay = where != null && Native.isByDay(Native.text(where));
    if (isByDay && market.storeCount() > 1) {
      throw new QuoinException(QuoinException.MISUSE,
          "'by day' compares all tickers of a day, and the shards of a store are read apart: leave it out of the option 'where'");
    }
    partitionCount = options.getInt("partitions", 0);
    if (partitionCount < 0 || partitionCount > 1_000_000) {
      throw new QuoinException(QuoinException.MISUSE, "the option 'partitions' is " + partitionCount + "; it is from 1 to 1000000");
    }
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    List<Predicate> left = new ArrayList<>();
    for (Predicate predicate : predicates) {
      if (push(predicate)) pushed.add(predicate); else left.add(predicate);
    }
    return left.toArray(Predicate[]::new);
  }

  private boolean push(Predicate predicate) {
    Set<String> named = isByDay ? null : conditions.tickers(predicate);
    if (named != null) {
      tickers = tickers.stream().filter(named::contains).toList();
      return true;
    }
    String text = conditions.text(predicate);
    if (text == null || text.length() + (where == null ? 0 : where.length()) > TEXT_MAX) return false;
    if (!text.equals("true")) where = where == null ? text : where + " and " + text;
    return true;
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.toArray(Predicate[]::new);
  }

  @Override
  public void pruneColumns(StructType required) {
    columns = required;
  }

  /** With groups by ticker, each group is in one part; without, Spark adds the parts up. */
  @Override
  public boolean supportCompletePushDown(Aggregation aggregation) {
    return aggregation.groupByExpressions().length == 1;
  }

  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    Expression[] keys = aggregation.groupByExpressions();
    if (keys.length > 1 || keys.length == 1 && !"ticker".equals(Columns.name(keys[0]))) return false;
    StructType schema = new StructType();
    if (keys.length == 1) schema = schema.add("ticker", DataTypes.StringType);
    List<String> texts = new ArrayList<>();
    for (AggregateFunc function : aggregation.aggregateExpressions()) {
      String text = text(function);
      if (text == null) return false;
      boolean isCount = text.startsWith("count");
      schema = schema.add(text, isCount ? DataTypes.LongType : Columns.type(Columns.name(function.children()[0])));
      texts.add(text + " as a" + texts.size());
    }
    // Distinct tickers alone aren't worth it.
    if (texts.isEmpty()) return false;
    aggregates = new QuoinScan.Aggregates(String.join(", ", texts), keys.length == 1 ? "ticker" : null, schema);
    return true;
  }

  /** A function in Quoin's language; null if it stays Spark's. Spark's sums depend on the order of the rows, so they stay. */
  private static String text(AggregateFunc function) {
    if (function instanceof CountStar) return "count";
    String column = function.children().length == 1 ? Columns.name(function.children()[0]) : null;
    if (column == null) return null;
    boolean isNumber = !column.equals("ticker") && !column.equals("date");
    if (function instanceof Count count && !count.isDistinct()) return isNumber ? "count(" + column + ")" : "count";
    if (function instanceof Min && isNumber) return "min(" + column + ")";
    if (function instanceof Max && isNumber) return "max(" + column + ")";
    return null;
  }

  @Override
  public boolean pushLimit(int limit) {
    this.limit = limit;
    return true;
  }

  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  @Override
  public Scan build() {
    return new QuoinScan(market, tickers, where, columns, aggregates, limit, isByDay ? 1 : partitionCount);
  }
}
