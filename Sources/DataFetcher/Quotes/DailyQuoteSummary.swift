import Foundation
import Quoin

/// A quote in the types of the tutorials: prices are `Float`, volumes `Int64`, and the date is a `Date`.
///
/// `quote` is what the store has, exactly. A program that imports `DataFetcher` alone means this type by the name, and the store's by
/// `Quoin.DailyQuoteSummary`. One that imports `Quoin` too says which it means: `import struct DataFetcher.DailyQuoteSummary`.
public struct DailyQuoteSummary: Hashable, Sendable {
  /// The quote as the store has it, with `Double` prices; nil is a missing value.
  public var quote: Quoin.DailyQuoteSummary

  /// The quote in the tutorials' types.
  public init(_ quote: Quoin.DailyQuoteSummary) { self.quote = quote }

  /// A quote of these values; those left out are missing.
  public init(
    ticker: TickerSymbol, date: TradingDay,
    open: Double? = nil, high: Double? = nil, low: Double? = nil, close: Double? = nil, volume: Int64? = nil,
    exDividend: Double? = nil, splitRatio: Double? = nil,
    adjustedOpen: Double? = nil, adjustedHigh: Double? = nil, adjustedLow: Double? = nil,
    adjustedClose: Double? = nil, adjustedVolume: Double? = nil
  ) {
    quote = Quoin.DailyQuoteSummary(
      ticker: ticker, date: date, open: open, high: high, low: low, close: close, volume: volume,
      exDividend: exDividend, splitRatio: splitRatio, adjustedOpen: adjustedOpen, adjustedHigh: adjustedHigh,
      adjustedLow: adjustedLow, adjustedClose: adjustedClose, adjustedVolume: adjustedVolume)
  }

  /// The stock.
  public var ticker: TickerSymbol { quote.ticker }
  /// The moment at which the trading day begins in the current time zone. It is never nil.
  public var date: Date? { quote.date.start(in: .current) }
}

// What is missing is NaN, and 0 for a volume, as Core Data has it.
extension DailyQuoteSummary {
  /// The day's first price; NaN if it is missing, as for all prices here.
  public var open: Float { Float(quote.open ?? .nan) }
  /// The day's highest price.
  public var high: Float { Float(quote.high ?? .nan) }
  /// The day's lowest price.
  public var low: Float { Float(quote.low ?? .nan) }
  /// The day's last price.
  public var close: Float { Float(quote.close ?? .nan) }
  /// The shares traded, without a fraction as the tutorials have them; 0 if the number is missing. `quote.exactVolume` has the fraction.
  public var volume: Int64 { quote.volume ?? 0 }
  /// The dividend a share, in dollars. The tutorials make it an `Int64`, which has no cents.
  public var exDividend: Float { Float(quote.exDividend ?? .nan) }
  /// New shares for an old one.
  public var splitRatio: Float { Float(quote.splitRatio ?? .nan) }
  /// `open` in terms of today's shares.
  public var adjustedOpen: Float { Float(quote.adjustedOpen ?? .nan) }
  /// `high` in terms of today's shares.
  public var adjustedHigh: Float { Float(quote.adjustedHigh ?? .nan) }
  /// `low` in terms of today's shares.
  public var adjustedLow: Float { Float(quote.adjustedLow ?? .nan) }
  /// `close` in terms of today's shares.
  public var adjustedClose: Float { Float(quote.adjustedClose ?? .nan) }
  /// `volume` in terms of today's shares, without its fraction; 0 if it is missing.
  public var adjustedVolume: Int64 {
    let shares = quote.adjustedVolume ?? 0
    return Int64(exactly: shares.rounded(.towardZero)) ?? (shares < 0 ? .min : .max)
  }
}

extension DailyQuoteSummary: CustomStringConvertible {
  /// The ticker, the day and the values, without the missing ones: `FDX 2018-03-27: open 238.0, volume 2135400`.
  public var description: String { "\(quote)" }
}
