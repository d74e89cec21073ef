import Quoin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The position of a row in the table, whose rows are in the order of ticker and day.
struct TableKey: Equatable {
  let ticker: TickerSymbol
  let day: TradingDay

  init(ticker: TickerSymbol, day: TradingDay) {
    self.ticker = ticker
    self.day = day
  }

  /// The key as a cursor: the URL-safe base64 of `v1_2005-10-14_FDX`.
  ///
  /// A cursor names the first row of the next page. So paging needs no state, and if rows are added or removed
  /// meanwhile, each of the others still comes once.
  var cursor: String {
    let base64 = Data("v1_\(day)_\(ticker)".utf8).base64EncodedString()
    return String(base64.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }

  /// The key of a cursor; nil if the service never gave such a cursor.
  init?(cursor: String) {
    guard cursor.utf8.count <= ServiceLimits.valueByteCount else { return nil }
    let base64 = cursor.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
    guard let bytes = Data(base64Encoded: String(base64) + padding) else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let day = TradingDay(parts[1]), let ticker = try? TickerSymbol(parts[2]) else { return nil }
    self.init(ticker: ticker, day: day)
    guard self.cursor == cursor else { return nil }
  }
}
