import Quoin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One page of a table, as the service sent it.
public struct DatatablePage: Sendable {
  /// The query.
  public let url: String
  /// The cursor of the next page; nil on the last page.
  public let nextCursor: String?
  let document: Document
  private let client: QuandlClient

  init(_ document: Document, _ client: QuandlClient) throws(QuandlClientError) {
    url = document.url
    do { nextCursor = try client.decoded(Envelope.self, document).meta.nextCursor } catch {
      // Of what is no JSON, the reader of quotes says where it isn't.
      if error.kind == .malformed { _ = try client.read(document, ticker: nil) }
      throw error
    }
    self.document = document
    self.client = client
    if nextCursor == "" { throw client.failure(.malformed, "the next page's cursor is empty", url: url) }
  }

  /// The page as quotes, exactly; ordered by ticker and day.
  ///
  /// - Throws: `QuandlClientError` if the rows aren't quotes.
  public func quotes() throws(QuandlClientError) -> QuoteBatch { try client.quotes(of: document, ticker: nil) }

  /// The page's rows by ticker, and what an import reports of them.
  func text() throws(QuandlClientError) -> TextQuotes { try client.read(document, ticker: nil) }

  /// The page as cells of any kind. Numbers are float64.
  ///
  /// - Throws: `QuandlClientError` if the answer isn't a table.
  public func table() throws(QuandlClientError) -> Datatable {
    struct Answer: Decodable { let datatable: Datatable }
    return try client.decoded(Answer.self, document).datatable
  }

  private struct Envelope: Decodable { let meta: Meta }

  private struct Meta: Decodable {
    let nextCursor: String?

    private enum CodingKeys: String, CodingKey { case nextCursor = "next_cursor_id" }

    /// Without the key it is unknown whether this is the last page.
    init(from decoder: any Decoder) throws {
      nextCursor = try decoder.container(keyedBy: CodingKeys.self).decode(String?.self, forKey: .nextCursor)
    }
  }
}

/// Rows of any table.
public struct Datatable: Hashable, Sendable, Decodable {
  /// A column's name and type, as the service gives them.
  public struct Column: Hashable, Sendable, Decodable {
    /// The name: `ticker`, `adj_close`.
    public let name: String
    /// The service's word for the column's type: `Date`, `BigDecimal(34,12)`.
    public let type: String?
  }

  /// The value of one row in one column.
  public enum Cell: Hashable, Sendable {
    /// JSON's `null`, and `NaN`, which isn't JSON's.
    case missing
    /// A number, as float64.
    case number(Double)
    /// A text, such as a date.
    case text(String)
  }

  /// The columns, in the order of a row's cells.
  public let columns: [Column]
  /// The rows, each with a cell for each column.
  public let rows: [[Cell]]

  private enum CodingKeys: String, CodingKey {
    case columns
    case rows = "data"
  }

  /// Reads the members of `datatable`.
  ///
  /// - Throws: `DecodingError`, also if a row has more or fewer cells than there are columns.
  public init(from decoder: any Decoder) throws {
    let body = try decoder.container(keyedBy: CodingKeys.self)
    columns = try body.decode([Column].self, forKey: .columns)
    rows = try body.decode([[Cell]].self, forKey: .rows)
    for (index, row) in rows.enumerated() where row.count != columns.count {
      throw DecodingError.dataCorruptedError(
        forKey: .rows, in: body,
        debugDescription: "row \(index + 1) has \(row.count) cells where there are \(columns.count) columns")
    }
  }
}

extension Datatable.Cell: Decodable {
  /// Reads one cell.
  ///
  /// - Throws: `DecodingError` if it is a list or an object.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .missing
    } else if let number = try? value.decode(Double.self) {
      self = number.isNaN ? .missing : .number(number)
    } else {
      self = .text(try value.decode(String.self))
    }
  }
}
