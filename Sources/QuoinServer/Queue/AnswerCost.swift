import QuandlService
import Quoin

/// How large the store is that is asked.
struct StoreSize: Sendable {
  var rowCount = 0
  var tickerCount = 0
}

/// What the answer to a question may take, as far as its text tells before anything is read: the rows of the tickers that it names
/// times the nanoseconds that its functions take for each.
///
/// It only decides who goes first and who waits for memory, so it may be wrong by a factor; what was taken for short by mistake is
/// found out by the clock.
struct AnswerCost: Sendable {
  var time: Duration
  /// Bytes that the answer holds while it is made.
  var byteCount = Self.leastByteCount

  /// Every answer holds some buffers.
  static let leastByteCount = 2 << 20

  /// Whether it has threads for short work.
  var isShort: Bool { time < .milliseconds(200) }

  init(time: Duration, byteCount: Int = Self.leastByteCount) { (self.time, self.byteCount) = (time, byteCount) }

  /// - Parameter megabytes: what one answer may hold; nil for any memory.
  init(of request: ServiceRequest, by route: ServerRoute, _ store: StoreSize, megabytes: Int?) {
    var words = QuestionWords()
    var tickerCount = route.pattern.variables.contains { $0 == "ticker" || $0 == "dataset" } ? 1 : 0
    var limit: Int?
    for (name, value) in request.query {
      words.read(value.utf8)
      if name == "limit" { limit = Int(value) }
      if name == "as_of" || name == "resample" { words.addView() }
      if name.hasPrefix("ticker") { tickerCount += 1 + value.utf8.count { $0 == UInt8(ascii: ",") } }
    }
    words.read(request.body)
    tickerCount += words.namedTickerCount
    // Some tickers have many more rows than others.
    let average = store.rowCount / max(1, store.tickerCount) + 1
    let rowCount = tickerCount == 0 ? store.rowCount : min(store.rowCount, tickerCount * average * 4)
    let written = Self.isWritten(route) ? min(limit ?? .max, rowCount) : 0
    let nanoseconds = Double(rowCount) * (Self.nanoseconds(route) + words.nanoseconds) + Double(written) * 300
    time = .nanoseconds(Int64(min(nanoseconds, 1e15)))
    let byteCountMax = megabytes.map { min($0, Int.max >> 20) << 20 } ?? .max
    byteCount = min(byteCountMax, Self.leastByteCount + rowCount * words.heldByteCount)
  }

  /// What a route takes for each row, without what its question computes.
  private static func nanoseconds(_ route: ServerRoute) -> Double {
    switch route.name {
    case CheckPage.route.name: 150
    case RangesPage.route.name, StatisticsRequest.route.name: 12
    case StorePage.route.name, TickersRequest.route.name: 0
    default: 2
    }
  }

  /// Whether a row that is found becomes text.
  private static func isWritten(_ route: ServerRoute) -> Bool {
    route === ScanRequest.route || route.mediaTypes == [.zip] && route.name != "databaseCodes"
  }
}

/// What the words of a question say of its cost.
struct QuestionWords {
  /// For each row.
  private(set) var nanoseconds = 0.0
  /// For each row.
  private(set) var heldByteCount = 0
  /// Tickers that a posted object names, as far as commas tell.
  private(set) var namedTickerCount = 0

  /// Functions of windows that take longer than others.
  private static let slow: Set = [
    "wmean", "std", "mad", "median", "rank", "slope", "r2", "resid", "skew", "quantile",
  ]

  /// The rows are made from the store's and kept in memory.
  mutating func addView() {
    nanoseconds += 150
    heldByteCount += 60
  }

  mutating func read(_ text: some Sequence<UInt8>) {
    var (word, last) = ("", "")
    var (namesTickers, commaCount) = (false, 0)
    for byte in text {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        // Longer words mean nothing here.
        if word.utf8.count < 16 { word.unicodeScalars.append(Unicode.Scalar(byte | (byte > 0x40 ? 0x20 : 0))) }
        continue
      case UInt8(ascii: "("): nanoseconds += Self.slow.contains(word.isEmpty ? last : word) ? 150 : 12
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "*"),
        UInt8(ascii: "/"), UInt8(ascii: "-"):
        nanoseconds += 1
      case UInt8(ascii: ","): commaCount += 1
      default: break
      }
      guard !word.isEmpty else { continue }
      if word == "day", last == "by" {
        // Of each row its place among the quotes of its day is held.
        nanoseconds += 300
        heldByteCount += 14
      }
      if word.hasPrefix("ticker"), byte == UInt8(ascii: "\"") { namesTickers = true }
      (last, word) = (word, "")
    }
    if word == "day", last == "by" {
      nanoseconds += 300
      heldByteCount += 14
    }
    if namesTickers { namedTickerCount += 1 + commaCount }
  }
}
