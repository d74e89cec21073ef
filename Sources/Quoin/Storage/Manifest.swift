/// Which blocks of which files make up each ticker. This is all that a commit publishes: one file, replaced by one atomic
/// rename.
struct Manifest: Equatable, Sendable {
  /// Counts the commits.
  var generation: UInt64 = 0
  /// The id of the next column file; an id is never used again.
  var nextFileID: UInt64 = 1
  /// When the commit was made, by the writer's clock.
  var committedAt = CommitTime(secondsSince1970: 0)
  var files: [FileRecord] = []
  /// Ascending by symbol.
  var tickers: [TickerRecord] = []
  /// The runs of the first ticker, then those of the second, and so on; each ticker's in order of days.
  var runs: [Run] = []
  /// The manifests of earlier generations that are kept, by generation and name. The files that they name are not removed.
  var kept: [KeptManifest] = []
  /// How many of the newest earlier generations each commit keeps. With one, the last change can be taken back.
  var recentCount = 1
  /// What the newest commits changed.
  var log = CommitLog()
  /// What holds for the whole store, by name. A commit hands on the settings that it doesn't know.
  var settings: [String: [UInt8]] = [:]

  /// How the blocks of later commits are packed. A store of `balanced` has no setting; of one that this version doesn't know,
  /// the blocks are packed so too.
  var packing: BlockPacking {
    get { settings["packing"].flatMap { BlockPacking(rawValue: String(decoding: $0, as: UTF8.self)) } ?? .balanced }
    set { settings["packing"] = newValue == .balanced ? nil : Array(newValue.rawValue.utf8) }
  }

  /// Which store this is, whatever is written to it and wherever it is copied: the checksum of the first manifest that was published
  /// without one. Nil in a store that only earlier programs have written to.
  var identity: [UInt8]? {
    get { settings["store"] }
    set { settings["store"] = newValue }
  }

  /// Whether a backup has made this generation here. A commit on top of it makes the directory a store of its own, which no backup
  /// replaces.
  var isBackup: Bool {
    get { settings["backup"] != nil }
    set { settings["backup"] = newValue ? [] : nil }
  }

  /// Whether this is the generation that a newer manifest keeps.
  func isNamed(by kept: KeptManifest) -> Bool { generation == kept.generation && files.map(\.id) == kept.fileIDs }

  /// The place of a ticker in `tickers`. Complexity: O(log tickers).
  func index(of ticker: TickerSymbol) -> Int? {
    tickers.sortedIndex(of: ticker) { $0.symbol }
  }

  /// Whether the ticker of an import's record has not been deleted since that import.
  func isCurrent(_ record: ImportRecord) -> Bool {
    index(of: record.ticker).map { record.generation >= tickers[$0].createdGeneration } ?? false
  }

  /// The names of the files that must not be removed: those of this generation and of all that it keeps.
  var fileNames: Set<String> {
    Set(files.map(\.name) + kept.map(\.fileName) + kept.flatMap { $0.fileIDs.map(FileRecord.name(id:)) })
  }

  /// The runs of ticker `index`, in order of days.
  func runs(ofTickerAt index: Int) -> ArraySlice<Run> {
    let record = tickers[index]
    return runs[record.firstRun..<(record.firstRun + record.runCount)]
  }
}

/// A column file that the manifest names, with enough to recognize it.
struct FileRecord: Hashable, Sendable {
  let id: UInt64
  let byteCount: Int
  let blockCount: Int
  /// The checksum at the end of the file's header, by which another file in its place is noticed.
  let headerChecksum: UInt64

  /// The file's name in the store's directory.
  var name: String { Self.name(id: id) }

  static func name(id: UInt64) -> String {
    let digits = String(id)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + ".columns"
  }
}

/// A ticker that has rows.
struct TickerRecord: Equatable, Sendable {
  let symbol: TickerSymbol
  let firstRun: Int
  let runCount: Int
  /// The first commit with rows of the ticker since it was last deleted.
  let createdGeneration: UInt64
}

/// Neighboring blocks in one file that hold consecutive rows of one ticker.
struct Run: Equatable, Sendable {
  /// The place of the file in the manifest's `files`.
  var fileIndex: Int
  var firstBlock: Int
  var blockCount: Int
  var rowCount: Int
  var firstDay: TradingDay
  var lastDay: TradingDay

  var blocks: Range<Int> { firstBlock..<(firstBlock + blockCount) }
}

/// The manifest of an earlier generation, which lies beside the newest one in a file of its own.
struct KeptManifest: Equatable, Sendable {
  let generation: UInt64
  let committedAt: CommitTime
  /// What the user calls it; nil if it is kept because it is recent.
  let name: String?
  /// The column files that it names.
  let fileIDs: [UInt64]

  var fileName: String { StoreFiles.keptManifest(generation) }

  /// Whether a snapshot may have this name: 1 to 64 letters, digits, `.`, `_` and `-`, of which the first is a letter.
  static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && name.first!.isLetter
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
