@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A directory of the system's that is removed with the value.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    let template = (TestSettings.variable("TMPDIR") ?? "/tmp") + "/quoin-test-XXXXXX"
    var bytes = Array(template.utf8CString)
    path = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe mkdtemp(buffer.baseAddress!) != nil ? String(cString: buffer.baseAddress!) : ""
    }
    precondition(!path.isEmpty, "no temporary directory")
  }

  deinit { Self.removeTree(path) }

  /// Removes what is in a directory.
  static func empty(_ path: String) {
    for name in (try? SystemFiles().names(in: path)) ?? [] { removeTree(path + "/" + name) }
  }

  func names(in directory: String) -> [String] { (try? SystemFiles().names(in: directory).sorted()) ?? [] }

  private static func removeTree(_ path: String) {
    for name in (try? SystemFiles().names(in: path)) ?? [] { removeTree(path + "/" + name) }
    unsafe remove(path)
  }
}

/// Commits rows with chosen encodings and records of imports, which the public face leaves to the engine.
@discardableResult
func commit(
  _ rows: [TickerSymbol: QuoteColumns], to directory: String, in fileSystem: any FileSystem,
  _ choice: EncodingChoice = EncodingChoice(), importRecords: [ImportRecord] = [], keepingRecent recentCount: Int = 1
) throws -> UpsertCounts {
  let lock = try WriterLock(directory, fileSystem, patience: .zero)
  defer { withExtendedLifetime(lock) {} }
  let base = try Snapshot.newest(in: directory, fileSystem) ?? Snapshot()
  let transaction = Transaction(on: base, in: directory, fileSystem, encodings: choice)
  transaction.retention.recentCount = recentCount
  var counts = UpsertCounts()
  for (ticker, rows) in rows.sorted(by: { $0.key < $1.key }) {
    counts += try transaction.upsert(ticker, rows.completed.sortedByDay)
  }
  _ = try transaction.commit(importRecords: importRecords)
  return counts
}

extension QuoteColumns {
  /// A row for each day, its cells told by `cell`, as bits or nil for missing ones.
  init(days: some Sequence<TradingDay>, _ value: (_ row: Int, Attribute) -> Double?) {
    self.init(days: Array(days))
    for row in self.days.indices {
      for name in Attribute.allCases {
        guard let number = value(row, name) else { continue }
        switch name.key {
        case .double: self[column: name].doubles[row] = number
        case .integer: self[column: name].integers[row] = Int64(number)
        }
      }
    }
  }

  /// Plain rows of prices in cents on weekdays from a day on, which differ by `salt`.
  static func sample(_ rowCount: Int, from first: TradingDay = "2001-01-01", salt: Int = 0) -> QuoteColumns {
    let days = (0..<rowCount).map { TradingDay(daysSince1970: Int(first.daysSince1970) + $0 / 5 * 7 + $0 % 5)! }
    return QuoteColumns(days: days) { row, name in
      let source = name.derivationSource ?? name
      let seed = (row * 7 + Int(source.rawValue) * 31 + salt * 101) % 1009
      let factor = row < 120 ? 0.9123456789 : row < 200 ? 0.97 : 1
      switch name {
      case .splitRatio: return row % 50 == 49 ? 2 : 1
      case .exDividend: return row % 60 == 59 ? 0.25 : 0
      case .volume: return Double(1_000_000 + seed * 100)
      case .adjustedVolume: return Double((1_000_000 + seed * 100) * (row < 50 ? 2 : 1))
      case .adjustedOpen, .adjustedHigh, .adjustedClose:
        return SignificantDigits(digits: 14).rounded(Double(8000 + seed) / 100 * factor)
      case .adjustedLow: return row % 40 == 3 ? nil : Double(7000 + seed) / 123
      default: return Double(8000 + seed) / 100
      }
    }
  }

  /// Every cell as bits, row by row, with the day first: equal if and only if the rows are.
  var cellBits: [[UInt64]] {
    days.indices.map { row in
      [UInt64(bitPattern: Int64(days[row].daysSince1970))]
        + Attribute.allCases.map { name in
          switch self[column: name] {
          case .doubles(let values): values[row].canonical.bits
          case .integers(let values): values[row].bits
          }
        }
    }
  }
}

/// All rows of a store by ticker, as bits.
typealias StoreContent = [TickerSymbol: [[UInt64]]]

func content(of store: QuoteStore) throws -> StoreContent {
  var content: StoreContent = [:]
  let batch = try store.allQuotes.fetchColumns()
  for (ticker, row) in zip(batch.tickers, batch.columns.cellBits) { content[ticker, default: []].append(row) }
  return content
}

func content(in directory: String, _ fileSystem: any FileSystem) throws -> StoreContent {
  try content(of: QuoteStore(at: directory, in: fileSystem))
}
