package quoin.spark;

import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Spark's conditions in Quoin's language. What Quoin would answer otherwise, or can't say, is null, and stays Spark's.
 *
 * Both leave out a row whose value is missing, also under "not". Tickers are compared as Spark does, byte by byte, with those that
 * the store has; so a condition on tickers becomes a list.
 */
final class Conditions {
  private static final Set<String> COMPARISONS = Set.of("=", "<>", "<", "<=", ">", ">=", "<=>");
  private static final int LIST_MAX = 2_000;
  private static final int LEVELS_MAX = 40;
  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

  private final List<String> tickers;

  /** @param tickers those of the store, ascending */
  Conditions(List<String> tickers) {
    this.tickers = tickers;
  }

  /** The condition as a text; null if it stays Spark's. */
  String text(Predicate predicate) {
    return text(predicate, 0);
  }

  private String text(Predicate predicate, int level) {
    if (level > LEVELS_MAX) return null;
    Expression[] parts = predicate.children();
    switch (predicate.name()) {
      case "ALWAYS_TRUE":
        return "true";
      case "ALWAYS_FALSE":
        return "false";
      case "AND":
      case "OR": {
        String left = part(parts[0], level), right = part(parts[1], level);
        return left == null || right == null ? null : "(" + left + (predicate.name().equals("AND") ? " and " : " or ") + right + ")";
      }
      case "NOT": {
        String part = part(parts[0], level);
        return part == null ? null : "not (" + part + ")";
      }
      default:
        return Columns.name(parts.length > 0 ? parts[0] : null) == null ? mirrored(predicate) : comparison(predicate.name(), parts);
    }
  }

  private String part(Expression part, int level) {
    return part instanceof Predicate predicate ? text(predicate, level + 1) : null;
  }

  /** A comparison with the column on its right side. */
  private String mirrored(Predicate predicate) {
    Expression[] parts = predicate.children();
    if (parts.length != 2 || Columns.name(parts[1]) == null || !COMPARISONS.contains(predicate.name())) return null;
    String name = switch (predicate.name()) {
      case "<" -> ">";
      case "<=" -> ">=";
      case ">" -> "<";
      case ">=" -> "<=";
      default -> predicate.name();
    };
    return comparison(name, new Expression[] {parts[1], parts[0]});
  }

  private String comparison(String name, Expression[] parts) {
    String column = Columns.name(parts[0]);
    if (column.equals("ticker")) return ofTickers(tickers(name, parts));
    boolean isDate = column.equals("date");
    switch (name) {
      case "IS_NULL":
        return isDate ? "false" : column + " is missing";
      case "IS_NOT_NULL":
        return isDate ? "true" : column + " is not missing";
      case "IN": {
        if (parts.length > LIST_MAX) return null;
        String list = "";
        for (int i = 1; i < parts.length; i++) {
          String value = value(column, parts[i]);
          if (value == null || value.isEmpty()) return null;
          list += (i > 1 ? ", " : "") + value;
        }
        return parts.length == 1 ? null : column + " in (" + list + ")";
      }
      default:
    }
    if (parts.length != 2 || !COMPARISONS.contains(name)) return null;
    String other = Columns.name(parts[1]);
    if (other != null) {
      // Two columns; a date has no like, and "<=>" of two would need four cases.
      boolean areAlike = Columns.type(column).equals(Columns.type(other)) && Columns.type(column).equals(DataTypes.DoubleType);
      return areAlike && !name.equals("<=>") ? column + " " + name + " " + other : null;
    }
    if (name.equals("<=>") && parts[1] instanceof Literal<?> literal && literal.value() == null) return isDate ? "false" : column + " is missing";
    String value = value(column, parts[1]);
    if (value == null) return null;
    if (name.equals("<=>")) return isDate ? column + " = " + value : "(" + column + " is not missing and " + column + " = " + value + ")";
    return column + " " + name + " " + value;
  }

  /** A value as Quoin reads it; null if it isn't of the column's type, or is none that a column can have. */
  private static String value(String column, Expression expression) {
    if (!(expression instanceof Literal<?> literal) || literal.value() == null) return null;
    DataType type = Columns.type(column);
    if (!type.equals(literal.dataType())) return null;
    if (type.equals(DataTypes.DateType)) {
      int day = (Integer) literal.value();
      return day < FIRST_DAY || day > LAST_DAY ? null : LocalDate.ofEpochDay(day).toString();
    }
    if (type.equals(DataTypes.LongType)) return Long.toString((Long) literal.value());
    double number = (Double) literal.value();
    if (Double.isNaN(number) || Double.isInfinite(number)) return null;
    return number == 0 ? "0" : Double.toString(number).toLowerCase();
  }

  // Tickers: the store's are known, so that a condition on them is a set.

  /** Those of the store's tickers that meet a condition on nothing else; null if it isn't one. */
  Set<String> tickers(Predicate predicate) {
    Expression[] parts = predicate.children();
    switch (predicate.name()) {
      case "AND":
      case "OR": {
        Set<String> left = parts[0] instanceof Predicate first ? tickers(first) : null;
        Set<String> right = parts[1] instanceof Predicate second ? tickers(second) : null;
        if (left == null || right == null) return null;
        Set<String> both = new TreeSet<>(left);
        if (predicate.name().equals("AND")) both.retainAll(right); else both.addAll(right);
        return both;
      }
      case "NOT": {
        Set<String> part = parts[0] instanceof Predicate inner ? tickers(inner) : null;
        return part == null ? null : tickers.stream().filter(ticker -> !part.contains(ticker)).collect(Collectors.toSet());
      }
      default:
        return parts.length > 0 && "ticker".equals(Columns.name(parts[0])) ? tickers(predicate.name(), parts) : null;
    }
  }

  private Set<String> tickers(String name, Expression[] parts) {
    if (name.equals("IS_NULL")) return Set.of();
    if (name.equals("IS_NOT_NULL")) return Set.copyOf(tickers);
    for (int i = 1; i < parts.length; i++) {
      if (!(parts[i] instanceof Literal<?> literal) || !(literal.value() instanceof UTF8String)) return null;
    }
    if (name.equals("IN")) {
      Set<String> listed = new TreeSet<>();
      for (int i = 1; i < parts.length; i++) listed.add(string(parts[i]).toString());
      return tickers.stream().filter(listed::contains).collect(Collectors.toSet());
    }
    if (parts.length != 2) return null;
    UTF8String text = string(parts[1]);
    return switch (name) {
      case "=", "<=>" -> ordered(text, order -> order == 0);
      case "<>" -> ordered(text, order -> order != 0);
      case "<" -> ordered(text, order -> order < 0);
      case "<=" -> ordered(text, order -> order <= 0);
      case ">" -> ordered(text, order -> order > 0);
      case ">=" -> ordered(text, order -> order >= 0);
      case "STARTS_WITH" -> tickers.stream().filter(ticker -> UTF8String.fromString(ticker).startsWith(text)).collect(Collectors.toSet());
      case "ENDS_WITH" -> tickers.stream().filter(ticker -> UTF8String.fromString(ticker).endsWith(text)).collect(Collectors.toSet());
      case "CONTAINS" -> tickers.stream().filter(ticker -> UTF8String.fromString(ticker).contains(text)).collect(Collectors.toSet());
      default -> null;
    };
  }

  private static UTF8String string(Expression literal) {
    return (UTF8String) ((Literal<?>) literal).value();
  }

  private Set<String> ordered(UTF8String text, IntPredicate holds) {
    return tickers.stream().filter(ticker -> holds.test(UTF8String.fromString(ticker).compareTo(text))).collect(Collectors.toSet());
  }

  /** The condition that a ticker is one of a set, as a text; null if it would be long. */
  private String ofTickers(Set<String> set) {
    if (set == null) return null;
    if (set.isEmpty()) return "false";
    if (set.size() == tickers.size()) return "true";
    if (set.size() <= LIST_MAX) return listed(set);
    Set<String> others = tickers.stream().filter(ticker -> !set.contains(ticker)).collect(Collectors.toSet());
    return others.size() <= LIST_MAX ? "not (" + listed(others) + ")" : null;
  }

  private static String listed(Set<String> set) {
    // A ticker may have an apostrophe, and a text in either kind of quotes.
    return set.stream().sorted().map(ticker -> ticker.contains("'") ? '"' + ticker + '"' : "'" + ticker + "'")
        .collect(Collectors.joining(", ", "ticker in (", ")"));
  }
}
