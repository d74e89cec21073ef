package quoin.spark;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Stores as tables of Spark: {@code spark.read().format("quoin").load("quoin-store")}.
 *
 * <p>Options: {@code where}, a condition in Quoin's language; {@code tickers}, with commas between them; {@code at}, a snapshot's name
 * or the number of a generation; {@code partitions}, the number of parts to read at the same time. Others are
 * refused.
 */
public final class QuoinSource implements TableProvider, DataSourceRegister {
  @Override
  public String shortName() {
    return "quoin";
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return Columns.SCHEMA;
  }

  @Override
  public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new QuoinTable(properties);
  }

  /** A store with the options that a table of Spark's catalog was made with, or those of a reader. */
  private record QuoinTable(Map<String, String> properties) implements SupportsRead, SupportsWrite {
    @Override
    public String name() {
      return "quoin " + properties.get("path");
    }

    /** The table's options and those of a query or a write, which come first. */
    private CaseInsensitiveStringMap with(CaseInsensitiveStringMap options) {
      Map<String, String> all = new HashMap<>(new CaseInsensitiveStringMap(properties));
      all.putAll(options);
      return new CaseInsensitiveStringMap(all);
    }

    @Override
    @SuppressWarnings("deprecation")
    public StructType schema() {
      return Columns.SCHEMA;
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.BATCH_READ, TableCapability.BATCH_WRITE, TableCapability.TRUNCATE, TableCapability.ACCEPT_ANY_SCHEMA);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return new QuoinScanBuilder(with(options));
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
      return new QuoinWrite(info, with(info.options()));
    }
  }
}
