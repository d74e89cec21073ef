package quoin.spark;

import java.io.IOException;
import java.io.Serializable;
import java.lang.ref.Cleaner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An open store, which shows one generation. It is closed once nobody has it any more. */
final class Store {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final int KEPT_MAX = 16;

  /** The stores that were asked last in this process: a store that stays open needn't check its blocks again. */
  private static final Map<Key, Store> KEPT = new LinkedHashMap<>(16, 0.75f, true) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<Key, Store> eldest) {
      return size() > KEPT_MAX;
    }
  };

  /**
   * Which state of which store: the driver says it to the executors.
   *
   * @param directory the store's, on every machine
   * @param generation its number
   * @param stamp tells the store from another that lay at the same place before
   */
  record Key(String directory, String generation, String stamp) implements Serializable {}

  final long handle;

  private Store(long handle) {
    this.handle = handle;
    CLEANER.register(this, () -> Native.close(handle));
  }

  /** Opens what is newest at a path. */
  static Store newest(String path) {
    return new Store(Native.open(Native.text(path), Native.READ_ONLY));
  }

  /** A snapshot of this store by its name, or a generation by its number. */
  Store snapshot(String name) {
    return new Store(Native.openSnapshot(handle, Native.text(name)));
  }

  /** The state that a key names: an open one, or one that is opened. */
  static Store at(Key key) {
    synchronized (KEPT) {
      Store kept = KEPT.get(key);
      if (kept != null) return kept;
    }
    try {
      Store store = newest(key.directory);
      // What is opened alone is asked for its generation, so that a query that sees the newest one opens it once.
      if (!store.keys(key.stamp).equals(List.of(key))) store = store.snapshot(key.generation);
      synchronized (KEPT) {
        KEPT.put(key, store);
      }
      return store;
    } catch (QuoinException error) {
      throw switch (error.code()) {
        case QuoinException.UNKNOWN_SNAPSHOT -> new QuoinException(error.code(),
            "the store '" + key.directory + "' no longer keeps generation " + key.generation + ", which this query reads: it was changed "
            + "meanwhile. Run the query again, let the store keep more (quoin snapshot recent 5), or read a snapshot (option 'at')");
        case QuoinException.NO_STORE -> new QuoinException(error.code(),
            error.getMessage() + ". Every executor has to have the store at this path");
        default -> error;
      };
    }
  }

  /** The stores that this one is made of. */
  List<Key> keys(String stamp) {
    List<String> texts = Native.texts(Native.shards(handle));
    Key[] keys = new Key[texts.size() / 2];
    for (int i = 0; i < keys.length; i++) {
      String directory = Path.of(texts.get(2 * i)).toAbsolutePath().normalize().toString();
      keys[i] = new Key(directory, texts.get(2 * i + 1), stamp == null ? stamp(directory) : stamp);
    }
    return List.of(keys);
  }

  /** Which file says what the store has. Another store at the same place has another one. */
  private static String stamp(String directory) {
    try {
      var manifest = Files.readAttributes(Path.of(directory, "MANIFEST"), BasicFileAttributes.class);
      return manifest.fileKey() + " " + manifest.lastModifiedTime();
    } catch (IOException error) {
      return "";
    }
  }

  List<String> tickers() {
    return Native.texts(Native.tickers(handle));
  }

  /** The number of rows that meet a condition; null for all. */
  long count(List<String> tickers, String where) {
    return tickers != null && tickers.isEmpty() ? 0 : Native.count(handle, Native.list(tickers), Native.text(where));
  }

  /** The tickers in parts with about equal numbers of rows, without those that are empty. */
  List<List<String>> parts(List<String> tickers, int count) {
    long[] ends = new long[count];
    List<String> all = Native.texts(Native.partitions(handle, Native.list(tickers), ends));
    List<List<String>> parts = new java.util.ArrayList<>();
    int start = 0;
    for (long end : ends) {
      if (end > start) parts.add(List.copyOf(all.subList(start, (int) end)));
      start = (int) end;
    }
    return parts;
  }
}
