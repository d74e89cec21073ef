// What the newest commits changed, oldest first, for programs that follow a store. The bytes, little-endian, per commit:
//
//   generation (u64), byte count of the rest (u32), the tickers: byte count (u8), bytes, first and last changed day (2 i32)
//
// The log is read only by a program that follows. One that has fallen behind it compares manifests.

/// A ticker, and the days between which its rows have changed.
typealias TickerDays = (ticker: TickerSymbol, days: ClosedRange<TradingDay>)

/// The tickers that a commit changed, each with the days between which it did.
struct LoggedCommit: Equatable, Sendable {
  let generation: UInt64
  /// Ascending by ticker. A compaction changes none.
  let tickers: [TickerDays]

  static func == (a: Self, b: Self) -> Bool {
    a.generation == b.generation && a.tickers.elementsEqual(b.tickers) { $0.ticker == $1.ticker && $0.days == $1.days }
  }
}

/// The newest commits, in the bytes of the manifest.
struct CommitLog: Equatable, Sendable {
  /// Older commits leave the log when it grows beyond this. The newest always stays.
  private static let byteLimit = 1 << 17
  private static let commitByteCount = 12

  private(set) var bytes: [UInt8]

  init(bytes: [UInt8] = []) { self.bytes = bytes }

  /// A log with one more commit.
  func appending(_ commit: LoggedCommit) -> CommitLog {
    var entry: [UInt8] = []
    for (ticker, days) in commit.tickers {
      let symbol = ticker.utf8
      entry.append(UInt8(symbol.count))
      entry += symbol
      entry.append(littleEndian: days.lowerBound.daysSince1970)
      entry.append(littleEndian: days.upperBound.daysSince1970)
    }
    var log = CommitLog(bytes: Array(bytes[firstKept(beside: Self.commitByteCount + entry.count)...]))
    log.bytes.append(littleEndian: commit.generation)
    log.bytes.append(littleEndian: UInt32(entry.count))
    log.bytes += entry
    return log
  }

  /// Where the commits begin for which there is room beside as many new bytes.
  private func firstKept(beside newByteCount: Int) -> Int {
    var start = 0
    while bytes.count - start + newByteCount > Self.byteLimit, start + Self.commitByteCount <= bytes.count {
      start += Self.commitByteCount + Int(bytes.integer(at: start + 8, as: UInt32.self))
    }
    return min(start, bytes.count)
  }

  /// The commits after a generation.
  func commits(after generation: UInt64) throws(Damage) -> [LoggedCommit] {
    do {
      return try bytes.withView { view in
        var reader = ByteReader(view)
        var commits: [LoggedCommit] = []
        while reader.offset < view.count {
          let commit = try LoggedCommit(&reader)
          guard commits.last.map({ $0.generation < commit.generation }) ?? true else {
            throw Damage(offset: reader.offset, "the log's generations don't rise")
          }
          if commit.generation > generation { commits.append(commit) }
        }
        return commits
      }
    } catch { throw error as? Damage ?? Damage(offset: 0, "\(error)") }
  }
}

extension LoggedCommit {
  fileprivate init(_ reader: inout ByteReader) throws(Damage) {
    generation = try reader.read()
    let end = Int(try reader.read(UInt32.self)) + reader.offset
    var tickers: [(TickerSymbol, ClosedRange<TradingDay>)] = []
    while reader.offset < end {
      let start = reader.offset
      let symbol = try reader.view(Int(try reader.read(UInt8.self))).array
      let (first, last) = (try TradingDay(&reader), try TradingDay(&reader))
      guard let ticker = try? TickerSymbol(utf8: symbol), first <= last else {
        throw Damage(offset: start, "an impossible change")
      }
      tickers.append((ticker, first...last))
    }
    guard reader.offset == end else { throw Damage(offset: end, "a commit ends within a ticker") }
    self.tickers = tickers
  }
}
