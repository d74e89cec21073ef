import Quoin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A `Retry-After` header: a number of seconds, or a date in HTTP's form, `Wed, 21 Oct 2015 07:28:00 GMT`.
enum RetryAfter {
  /// The wait that the header asks for; nil if it is neither.
  static func delay(_ text: String, secondsSince1970 now: Int64) -> Duration? {
    let text = text.drop { $0 == " " }.prefix { $0 != ";" }
    if let seconds = Int64(text) { return seconds >= 0 ? .seconds(min(seconds, 1 << 32)) : nil }
    return date(text).map { .seconds(max(0, $0 - now)) }
  }

  /// Seconds since 1970, from the only form of dates that servers should write (RFC 9110, 5.6.7).
  private static func date(_ text: Substring) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT", let month = months.firstIndex(of: words[2]),
      let dayOfMonth = Int(words[1]), let year = Int(words[3]),
      let day = TradingDay(year: year, month: month + 1, day: dayOfMonth), let time = timeOfDay(words[4])
    else { return nil }
    return Int64(day.daysSince1970) * 86_400 + time
  }

  private static func timeOfDay(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":").compactMap { Int64($0) }
    guard parts.count == 3, zip(parts, [23, 59, 60]).allSatisfy({ (0...$1).contains($0) }) else { return nil }
    return parts[0] * 3600 + parts[1] * 60 + parts[2]
  }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

enum SystemClock {
  static var secondsSince1970: Int64 { Int64(Date().timeIntervalSince1970) }
}
