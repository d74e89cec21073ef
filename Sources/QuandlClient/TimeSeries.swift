import Quoin

/// An answer of the time-series call: dates, and columns of numbers over them.
///
/// Numbers are float64, so a volume of more than 2^53 shares may be off by one. `QuandlClient.fetch` reads quotes exactly.
public struct TimeSeries: Hashable, Sendable {
  /// The names of the columns of values; nil where the service knows no such column.
  public let columnNames: [String?]
  /// The days of the rows, in the order in which they came.
  public let days: [TradingDay]
  /// The values, by column and row; nil where they are missing.
  public let columns: [[Double?]]
  /// The first day of the question, as the service understood it.
  public let startDate: TradingDay?
  /// The last day of the question, as the service understood it.
  public let endDate: TradingDay?
  /// The service's word for the time between rows: `daily`.
  public let frequency: String?
  /// The largest number of rows, as the service understood the question.
  public let limit: Int?
  /// The one column of the question, as the service understood it.
  public let columnIndex: Int?
  /// The order of the days, as the service understood it.
  public let order: TimeSeriesQuery.Order?
  /// The collapse of the question, as the service understood it.
  public let collapse: TimeSeriesQuery.Collapse?
  /// The transform of the question, as the service understood it.
  public let transform: TimeSeriesQuery.Transform?

  /// The number of days.
  public var rowCount: Int { days.count }

  /// The values of the column of this name; nil if there is none.
  public func column(named name: String) -> [Double?]? {
    columnNames.firstIndex { $0 == name }.map { columns[$0] }
  }
}

extension TimeSeries: Decodable {
  private enum Key: String, CodingKey {
    case columnNames = "column_names"
    case startDate = "start_date"
    case endDate = "end_date"
    case columnIndex = "column_index"
    case data, frequency, limit, order, collapse, transform
  }

  /// Reads the members of `dataset_data`.
  ///
  /// - Throws: `DecodingError`, also if a row has more or fewer cells than there are columns.
  public init(from decoder: any Decoder) throws {
    let body = try decoder.container(keyedBy: Key.self)
    columnNames = Array(try body.decode([String?].self, forKey: .columnNames).dropFirst())
    startDate = try body.decodeIfPresent(JSONDay.self, forKey: .startDate)?.day
    endDate = try body.decodeIfPresent(JSONDay.self, forKey: .endDate)?.day
    frequency = try body.decodeIfPresent(String.self, forKey: .frequency)
    limit = try body.decodeIfPresent(Int.self, forKey: .limit)
    columnIndex = try body.decodeIfPresent(Int.self, forKey: .columnIndex)
    order = try body.decodeIfPresent(TimeSeriesQuery.Order.self, forKey: .order)
    collapse = try body.decodeIfPresent(TimeSeriesQuery.Collapse.self, forKey: .collapse)
    transform = try body.decodeIfPresent(TimeSeriesQuery.Transform.self, forKey: .transform)
    (days, columns) = try Self.rows(body.nestedUnkeyedContainer(forKey: .data), columnCount: columnNames.count)
  }

  private static func rows(
    _ data: any UnkeyedDecodingContainer, columnCount: Int
  ) throws -> ([TradingDay], [[Double?]]) {
    var data = data
    var days: [TradingDay] = []
    var columns = Array(repeating: [Double?](), count: columnCount)
    while !data.isAtEnd {
      var row = try data.nestedUnkeyedContainer()
      days.append(try row.decode(JSONDay.self).day)
      for column in columns.indices {
        columns[column].append(try row.decode(Double?.self).flatMap { $0.isNaN ? nil : $0 })
      }
      guard row.isAtEnd else {
        throw DecodingError.dataCorruptedError(
          in: row, debugDescription: "row \(days.count) has more cells than there are columns")
      }
    }
    return (days, columns)
  }
}

/// A day in JSON.
struct JSONDay: Decodable {
  let day: TradingDay

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    let text = try value.decode(String.self)
    guard let day = TradingDay(text) else {
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "'\(text.prefix(40))' is not a date of the form YYYY-MM-DD")
    }
    self.day = day
  }
}
