package quoin.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** What a query sees: the state of each store that it reads, as the driver found them, and the tickers that it may read there. */
final class Market {
  private final Map<Store.Key, Store> stores = new LinkedHashMap<>();
  private final Map<Store.Key, List<String>> tickers = new LinkedHashMap<>();

  Market(CaseInsensitiveStringMap options) {
    String path = options.get("path");
    if (path == null) {
      throw new QuoinException(QuoinException.MISUSE, "there is no path of a store: spark.read.format(\"quoin\").load(\"quoin-store\")");
    }
    Store store = Store.newest(localPath(path));
    if (options.get("at") != null) store = store.snapshot(options.get("at"));
    List<Store.Key> keys = store.keys(null);
    for (Store.Key key : keys) {
      Store opened = Store.at(key);
      stores.put(key, opened);
      tickers.put(key, opened.tickers());
    }
    if (options.get("tickers") != null) keepNamed(options.get("tickers"));
  }

  /** Reads a condition, so that a mistake in it is told at once. */
  void check(String where) {
    for (Store store : stores.values()) Native.release(Native.scan(store.handle, null, Native.text(where), Native.text("date"), -1));
  }

  /** A path of Spark's, which may be an address of a file. */
  static String localPath(String path) {
    if (path.startsWith("file:")) return java.net.URI.create(path).getPath();
    if (path.matches("[a-z0-9]+://.*")) {
      throw new QuoinException(QuoinException.MISUSE, "'" + path + "' is no path of a store: stores lie on file systems that each executor mounts");
    }
    return path;
  }

  /** Leaves the tickers of an option: {@code FDX, KO}. */
  private void keepNamed(String option) {
    TreeSet<String> named = new TreeSet<>();
    for (String ticker : option.split("[,\\s]+")) if (!ticker.isEmpty()) named.add(ticker.toUpperCase(Locale.ROOT));
    TreeSet<String> unknown = new TreeSet<>(named);
    tickers.values().forEach(unknown::removeAll);
    if (!unknown.isEmpty()) {
      throw new QuoinException(QuoinException.MISUSE, "the store has no quotes of '" + unknown.first() + "', which the option 'tickers' names");
    }
    tickers.replaceAll((key, all) -> all.stream().filter(named::contains).toList());
  }

  /** All tickers that may be read. */
  List<String> tickers() {
    List<String> all = new ArrayList<>();
    tickers.values().forEach(all::addAll);
    return all;
  }

  int storeCount() {
    return stores.size();
  }

  /** The states that are read, and of each the tickers among those of a list. */
  Map<Store.Key, List<String>> tickers(List<String> among) {
    TreeSet<String> wanted = new TreeSet<>(among);
    Map<Store.Key, List<String>> kept = new LinkedHashMap<>();
    tickers.forEach((key, all) -> {
      List<String> here = all.stream().filter(wanted::contains).toList();
      if (!here.isEmpty()) kept.put(key, here);
    });
    return kept;
  }

  Store.Key anyStore() {
    return stores.keySet().iterator().next();
  }

  Store store(Store.Key key) {
    return stores.get(key);
  }
}
