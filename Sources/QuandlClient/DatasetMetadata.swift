import Quoin

/// A service's description of a dataset.
public struct DatasetMetadata: Hashable, Sendable {
  /// The service's number for the dataset.
  public let id: Int?
  /// The dataset's code in its database: `FDX`.
  public let datasetCode: String
  /// The database's code: `WIKI`.
  public let databaseCode: String
  /// A title for people.
  public let name: String?
  /// A text for people, which may have HTML in it.
  public let description: String?
  /// The time of the last update, in the service's words.
  public let refreshedAt: String?
  /// The last day with a row.
  public let newestAvailableDate: TradingDay?
  /// The first day with a row.
  public let oldestAvailableDate: TradingDay?
  /// The names of the columns; the date comes first.
  public let columnNames: [String]
  /// The service's word for the time between rows: `daily`.
  public let frequency: String?
  /// The service's word for the kind of data: `Time Series`.
  public let type: String?
  /// Whether the dataset costs money.
  public let isPremium: Bool?
}

extension DatasetMetadata: Decodable {
  private enum CodingKeys: String, CodingKey {
    case datasetCode = "dataset_code"
    case databaseCode = "database_code"
    case refreshedAt = "refreshed_at"
    case newestAvailableDate = "newest_available_date"
    case oldestAvailableDate = "oldest_available_date"
    case columnNames = "column_names"
    case isPremium = "premium"
    case id, name, description, frequency, type
  }

  /// Reads the members of `dataset`.
  ///
  /// - Throws: `DecodingError`, also if a code is absent or a date isn't in the form `YYYY-MM-DD`.
  public init(from decoder: any Decoder) throws {
    let body = try decoder.container(keyedBy: CodingKeys.self)
    id = try body.decodeIfPresent(Int.self, forKey: .id)
    datasetCode = try body.decode(String.self, forKey: .datasetCode)
    databaseCode = try body.decode(String.self, forKey: .databaseCode)
    name = try body.decodeIfPresent(String.self, forKey: .name)
    description = try body.decodeIfPresent(String.self, forKey: .description)
    refreshedAt = try body.decodeIfPresent(String.self, forKey: .refreshedAt)
    newestAvailableDate = try body.decodeIfPresent(JSONDay.self, forKey: .newestAvailableDate)?.day
    oldestAvailableDate = try body.decodeIfPresent(JSONDay.self, forKey: .oldestAvailableDate)?.day
    columnNames = try body.decodeIfPresent([String].self, forKey: .columnNames) ?? []
    frequency = try body.decodeIfPresent(String.self, forKey: .frequency)
    type = try body.decodeIfPresent(String.self, forKey: .type)
    isPremium = try body.decodeIfPresent(Bool.self, forKey: .isPremium)
  }
}
