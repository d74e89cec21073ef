package quoin.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Writes rows: each task makes a store of its tickers inside the target, and the driver publishes those that tasks committed, in one
 * step. What else lies there then, of tasks that failed or ran twice, is removed. Only if the driver itself is killed does a directory
 * {@code _staged-...} stay, which no store knows.
 */
final class QuoinWrite implements WriteBuilder, SupportsTruncate, RequiresDistributionAndOrdering, BatchWrite {
  /** A task has some million rows, as its store may become a shard. */
  private static final long TASK_BYTES = 256L << 20;

  private final Path path;
  private final Path staged;
  private final WrittenColumns columns;
  private boolean replaces;

  QuoinWrite(LogicalWriteInfo info, CaseInsensitiveStringMap options) {
    Options.check(options.keySet(), Options.WRITING);
    String said = options.get("path");
    if (said == null) throw new QuoinException(QuoinException.MISUSE, "there is no path of a store: frame.write.format(\"quoin\").save(\"quoin-store\")");
    path = Path.of(Market.localPath(said)).toAbsolutePath().normalize();
    staged = path.resolve("_staged-" + info.queryId());
    columns = new WrittenColumns(info.schema());
  }

  @Override
  public WriteBuilder truncate() {
    replaces = true;
    return this;
  }

  @Override
  public Write build() {
    return this;
  }

  @Override
  public String description() {
    return "quoin " + path;
  }

  @Override
  public Distribution requiredDistribution() {
    return Distributions.clustered(new Expression[] {Expressions.column(columns.ticker())});
  }

  @Override
  public long advisoryPartitionSizeInBytes() {
    return TASK_BYTES;
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return new SortOrder[] {
      Expressions.sort(Expressions.column(columns.ticker()), SortDirection.ASCENDING),
      Expressions.sort(Expressions.column(columns.date()), SortDirection.ASCENDING)
    };
  }

  @Override
  public BatchWrite toBatch() {
    return this;
  }

  @Override
  public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    try {
      Files.createDirectories(staged);
    } catch (IOException error) {
      throw new UncheckedIOException("'" + path + "' can't be written: " + error.getMessage(), error);
    }
    return new TaskWriter.Factory(staged.toString(), columns);
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    List<String> stores = Arrays.stream(messages).map(message -> ((TaskWriter.Written) message).store()).filter(Objects::nonNull).toList();
    if (!stores.isEmpty() || replaces) Native.publish(Native.text(path.toString()), Native.list(stores), replaces);
    removeStaged();
  }

  @Override
  public void abort(WriterCommitMessage[] messages) {
    removeStaged();
  }

  private void removeStaged() {
    try {
      for (int trial = 1; ; trial++) {
        try {
          remove(staged);
          break;
        } catch (DirectoryNotEmptyException error) {
          // A task that nobody waits for still writes there. Without its directory it fails.
          if (trial == 100) throw error;
        }
      }
      // A write that failed leaves no directory where there was none.
      try (var left = Files.list(path)) {
        if (left.findAny().isEmpty()) Files.delete(path);
      }
    } catch (IOException error) {
      throw new UncheckedIOException("'" + staged + "' can't be removed: " + error.getMessage(), error);
    }
  }

  /** Removes a directory with all that is in it, if it is there. */
  static void remove(Path directory) throws IOException {
    if (!Files.exists(directory)) return;
    Files.walkFileTree(directory, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        Files.deleteIfExists(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException error) {
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path each, IOException error) throws IOException {
        Files.deleteIfExists(each);
        return FileVisitResult.CONTINUE;
      }
    });
  }
}
