/// Every limit of the service: guards against questions whose answers would take memory or time without bound.
public enum ServiceLimits {
  /// Rows of one page of a table. A request for more gets these, and a cursor for the next page.
  public static let rowsPerPage = 10_000

  /// Datasets of one page of a list. A request for more gets these.
  public static let datasetsPerPage = 100

  /// Days and numbers that all filters of a table may have together. Tickers don't count, because they are looked up.
  public static let filterValueCount = 1000

  /// Bytes of a parameter that is a day, a number, a name or a cursor.
  public static let valueByteCount = 128

  /// Bytes of the words that datasets are searched for.
  public static let searchByteCount = 256

  /// Bytes of a path.
  public static let pathByteCount = 1024

  /// Bytes of the link to an export, which has to fit in the first line of a request.
  public static let linkByteCount = 12 << 10
}
