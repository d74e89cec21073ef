/// Something that a repair could not save, and the damage that caused the loss.
public struct RepairLoss: Hashable, Sendable {
  /// What is lost.
  public enum Part: Hashable, Sendable, CustomStringConvertible {
    /// The rows themselves.
    case rows
    /// The cells of one attribute in rows that were saved. They are missing now.
    case cells(Attribute)
    /// Records of imports.
    case imports
    /// A snapshot that the store keeps under this name. Only the newest generation is saved.
    case snapshot(String)
    /// The manifest, which says which rows are the newest. Deleted or replaced rows may have come back,
    /// and tickers that were renamed have their old names: two that took each other's may be mixed.
    case manifest

    /// `rows`, `imports`, `manifest`, `snapshot` and its name, or the attribute's name in files.
    public var description: String {
      switch self {
      case .rows: "rows"
      case .cells(let name): name.wikiName
      case .imports: "imports"
      case .snapshot(let name): "snapshot \(name)"
      case .manifest: "manifest"
      }
    }
  }

  /// What is lost.
  public let part: Part
  /// The ticker of the rows or cells; nil if it is unknown, or if all tickers are affected.
  public let ticker: TickerSymbol?
  /// The days between which the loss lies; nil if unknown.
  public internal(set) var days: ClosedRange<TradingDay>?
  /// The number of rows or cells; nil if unknown.
  public internal(set) var rowCount: Int?
  /// The file that is damaged.
  public let path: String
  /// Where in the file the damage is, in bytes from its start.
  public let offset: Int
  /// What is wrong there.
  public let reason: String
}

extension RepairLoss {
  init(
    _ part: Part, of ticker: TickerSymbol? = nil, days: ClosedRange<TradingDay>? = nil, rowCount: Int? = nil,
    _ damage: StoreError
  ) {
    (self.part, self.ticker, self.days, self.rowCount) = (part, ticker, days, rowCount)
    switch damage {
    case .damaged(let path, let offset, let reason): (self.path, self.offset, self.reason) = (path, offset, reason)
    default: (path, offset, reason) = ("", 0, "\(damage)")
    }
  }

  /// The loss of a snapshot.
  init(_ name: String, path: String) {
    (part, ticker, days, rowCount) = (.snapshot(name), nil, nil, nil)
    (self.path, offset, reason) = (path, 0, "only the newest generation is saved")
  }

  /// Adds another loss that the same damage caused.
  mutating func join(_ other: RepairLoss) {
    if let days, let more = other.days {
      self.days = min(days.lowerBound, more.lowerBound)...max(days.upperBound, more.upperBound)
    }
    if let rowCount, let more = other.rowCount { self.rowCount = rowCount + more }
  }
}
