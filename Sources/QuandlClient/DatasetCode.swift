import Quoin

/// A dataset or a table of the service: a database and a code in it, `WIKI/FDX`, `WIKI/PRICES`.
///
/// Both parts are upper-case letters, digits and underscores. Other spellings, such as `wiki/brk.a`, are converted.
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

  /// The part in its normal spelling; nil if it isn't valid.
  private static func canonical(_ part: some StringProtocol) -> String? {
    guard (1...64).contains(part.utf8.count) else { return nil }
    var result = ""
    for byte in part.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "a")...UInt8(ascii: "z"): result.unicodeScalars.append(Unicode.Scalar(byte - 32))
      case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"): result.append("_")
      default: return nil
      }
    }
    return result
  }
}

extension DatasetCode: CustomStringConvertible {
  /// The code as in addresses: `WIKI/FDX`.
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
