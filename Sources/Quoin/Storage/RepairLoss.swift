/// Something that a repair could not save, and the damage that is to blame.
public struct RepairLoss: Hashable, Sendable {
  public enum Part: Hashable, Sendable, CustomStringConvertible {
    /// The rows themselves.
    case rows
    /// The cells of one attribute, which are missing now, in rows that were saved.
    case cells(AttributeName)
    /// Records of imports.
    case imports
    /// What says which rows are the newest: deleted or replaced ones may have come back.
    case manifest

    public var description: String {
      switch self {
      case .rows: "rows"
      case .cells(let name): name.wikiName
      case .imports: "imports"
      case .manifest: "manifest"
      }
    }
  }

  public let part: Part
  /// Whose rows or cells; nil when that is unknown or all are concerned.
  public let ticker: TickerSymbol?
  /// Days between which the loss lies; nil when that is unknown.
  public internal(set) var days: ClosedRange<TradingDay>?
  /// How many rows, or cells; nil when that is unknown.
  public internal(set) var rowCount: Int?
  /// The file that is damaged, the offset in it, and what is wrong there.
  public let path: String
  public let offset: Int
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
