import Quoin

/// A dataset or a table of the service: a database and a code in it, `WIKI/FDX`, `WIKI/PRICES`.
///
/// Both parts have 1 to 64 of the characters that tickers have. Lower case becomes upper case, as in `WIKI/BRK.A` for
/// `wiki/brk.a`; nothing else changes.
public struct DatasetCode: Hashable, Sendable {
  /// The database's code: `WIKI`.
  public let database: String
  /// The dataset's or table's code in the database: `FDX`, `PRICES`.
  public let dataset: String

  /// The code that a text spells. Without a database, as in `FDX`, it is WIKI's.
  ///
  /// - Throws: `DatasetCodeError`.
  public init(_ text: some StringProtocol) throws(DatasetCodeError) {
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map { Self.canonical($0) }
    guard let last = parts.last, let dataset = last, parts.count <= 2 else { throw DatasetCodeError(text) }
    self.dataset = dataset
    guard parts.count == 2 else {
      database = Self.wiki
      return
    }
    guard let database = parts[0] else { throw DatasetCodeError(text) }
    self.database = database
  }

  /// A ticker's dataset in WIKI.
  public init(_ ticker: TickerSymbol) {
    database = Self.wiki
    dataset = ticker.description
  }

  private static let wiki = "WIKI"

  /// The part in upper case; nil if it isn't valid. In an address, `.` and `..` would lead elsewhere.
  private static func canonical(_ part: some StringProtocol) -> String? {
    guard (1...64).contains(part.utf8.count), part != ".", part != ".." else { return nil }
    var result = ""
    for byte in part.utf8 {
      guard let byte = TickerSymbol.canonical(byte) else { return nil }
      result.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return result
  }

  /// The code as part of an address: `WIKI/%5EGSPC`.
  var path: String { "\(ServiceBase.encoded(database))/\(ServiceBase.encoded(dataset))" }
}

extension DatasetCode: CustomStringConvertible {
  /// Both parts with a slash between them: `WIKI/FDX`.
  public var description: String { "\(database)/\(dataset)" }
}

extension DatasetCode: ExpressibleByStringLiteral {
  /// The code that a literal spells. Traps if it isn't valid; use `init(_:)` for text from outside.
  public init(stringLiteral text: String) {
    do { self = try Self(text) } catch { preconditionFailure("\(error)") }
  }
}

/// An error: a text isn't the code of a dataset.
public struct DatasetCodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text's first 80 characters.
  public let text: String

  init(_ text: some StringProtocol) { self.text = String(text.prefix(80)) }

  /// The text, and the form of a code.
  public var description: String {
    "'\(text)' isn't a dataset; write a ticker such as FDX, or a database and a code in it, such as WIKI/FDX"
  }
}
