import Quoin

/// A ticker whose whole history was downloaded anew, because its earlier rows may have changed.
public struct RenewedHistory: Hashable, Sendable {
  /// Why the store's earlier rows can't be trusted.
  ///
  /// Later versions may have more cases, so a `switch` needs an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Reason: Hashable, Sendable {
    /// The service has other values of these attributes on the store's last day.
    case correction(on: TradingDay, [Attribute])
    /// The shares were split on a day that the store doesn't have, and the service's adjusted values follow.
    case split(on: TradingDay, ratio: Double)
    /// A dividend was paid on a day that the store doesn't have, and the service's adjusted values follow.
    case dividend(on: TradingDay, amount: Double)
  }

  /// The stock.
  public let ticker: TickerSymbol
  /// Why it was taken anew.
  public let reason: Reason
}

extension RenewedHistory: CustomStringConvertible {
  /// `AAA: split 2 for 1 on 2024-01-05`.
  public var description: String { "\(ticker): \(reason)" }
}

extension RenewedHistory.Reason: CustomStringConvertible {
  /// What happened, and when: `another close and volume on 2024-01-04`.
  public var description: String {
    switch self {
    case .correction(let day, let attributes): "another \(Self.list(attributes.map(\.wikiName))) on \(day)"
    case .split(let day, let ratio): "a split of \(ratio.shortDescription) for 1 on \(day)"
    case .dividend(let day, let amount): "a dividend of \(amount.shortDescription) on \(day)"
    }
  }

  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }
}

extension Double {
  /// Whole numbers without a point: `2`, `1.5`.
  fileprivate var shortDescription: String {
    let text = "\(self)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
