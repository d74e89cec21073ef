import Quoin

/// What the service says about a dataset.
public struct DatasetMetadata: Hashable, Sendable {
  public let id: Int?
  public let datasetCode: String
  public let databaseCode: String
  public let name: String?
  public let description: String?
  /// When the service renewed it, in the service's words.
  public let refreshedAt: String?
  public let newestAvailableDate: TradingDay?
  public let oldestAvailableDate: TradingDay?
  /// The columns' names, the date's first.
  public let columnNames: [String]
  public let frequency: String?
  public let type: String?
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
