package quoin.spark;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The options of a table. One that nothing reads is refused, because without it another question would be answered. */
final class Options {
  static final List<String> READING = List.of("at", "partitions", "tickers", "where");
  static final List<String> WRITING = List.of();

  /** The other fields of a question. */
  private static final List<String> FIELDS = List.of(
      /* fields */
      "let",
      "from",
      "to",
      "as_of",
      "trust_splits",
      "resample",
      "bar_label",
      "columns",
      "top",
      "latest",
      "by",
      "aggregates",
      "having",
      "pivot",
      "order",
      "limit",
      "offset",
      "threads"
      /* end */
  );

  /** How Spark is asked for the fields that it answers itself. */
  private static final Map<String, String> FORMS = Map.of(
      "from", ".filter(\"date >= '2017-01-01'\")",
      "to", ".filter(\"date <= '2017-12-31'\")",
      "columns", ".select(\"date\", \"close\")",
      "by", ".groupBy(\"ticker\")",
      "aggregates", ".agg({\"close\": \"max\"})",
      "having", ".filter(\"m > 3\") after .agg()",
      "order", ".orderBy(\"date\")",
      "limit", ".limit(10)",
      "offset", ".offset(10)",
      "threads", ".option(\"partitions\", 4)");

  /** What Spark itself sets, for files and for tables of its catalog; so are names with a dot. */
  private static final Set<String> SPARKS = Set.of("path", "paths", "provider", "location", "owner", "external", "comment");

  private Options() {}

  /** Refuses a name that isn't known. */
  static void check(Iterable<String> names, List<String> known) {
    for (String name : names) {
      String plain = name.toLowerCase(Locale.ROOT);
      if (!known.contains(plain) && !SPARKS.contains(plain) && !plain.contains(".")) {
        throw new QuoinException(QuoinException.MISUSE, "there is no option '" + name + "'" + advice(plain, known));
      }
    }
  }

  private static String advice(String name, List<String> known) {
    if (known.isEmpty()) return " when a store is written; leave it out";
    for (String field : FIELDS) {
      // Also as others spell it: asOf, aggregate.
      if (!squeezed(field).equals(squeezed(name)) && !field.equals(name + "s")) continue;
      return FORMS.containsKey(field) ? "; Spark does that itself: write " + FORMS.get(field)
          : "; Spark has no form of it: ask the store with quoin, or from Python, and give Spark the answer";
    }
    String nearest = known.stream().filter(other -> distance(name, other) <= 2).findFirst().orElse(null);
    return nearest != null ? "; did you mean '" + nearest + "'?" : "; there are " + String.join(", ", known);
  }

  private static String squeezed(String name) {
    return name.replaceAll("[-_ ]", "");
  }

  /** How many letters differ (Levenshtein). */
  private static int distance(String x, String y) {
    int[] row = new int[y.length() + 1];
    for (int j = 0; j <= y.length(); j++) row[j] = j;
    for (int i = 1; i <= x.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= y.length(); j++) {
        int replaced = diagonal + (x.charAt(i - 1) == y.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[y.length()];
  }
}
