/// Something that a repair could not save, and the damage that is to blame.
public struct RepairLoss: Hashable, Sendable {
  /// What is lost.
  public enum Part: Hashable, Sendable, CustomStringConvertible {
    /// The rows themselves.
    case rows
    /// The cells of one attribute, which are missing now, in rows that were saved.
    case cells(AttributeName)
    /// Records of imports.
    case imports
    /// What says which rows are the newest: deleted or replaced ones may have come back.
    case manifest

    /// `rows`, `imports`, `manifest`, or the attribute's name in files.
    public var description: String {
      switch self {
      case .rows: "rows"
      case .cells(let name): name.wikiName
      case .imports: "imports"
      case .manifest: "manifest"
      }
    }
  }

  /// What is lost.
  public let part: Part
  /// Whose rows or cells; nil when that is unknown or all are concerned.
  public let ticker: TickerSymbol?
  /// Days between which the loss lies; nil when that is unknown.
  public internal(set) var days: ClosedRange<TradingDay>?
  /// How many rows, or cells; nil when that is unknown.
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

  /// Takes in a loss by the same damage.
  mutating func join(_ other: RepairLoss) {
    if let days, let more = other.days {
      self.days = min(days.lowerBound, more.lowerBound)...max(days.upperBound, more.upperBound)
    }
    if let rowCount, let more = other.rowCount { self.rowCount = rowCount + more }
  }
}
