import Testing

@testable import Quoin

/// The parts of a sound store, and what has to be said when one of them is damaged.
struct StoreParts {
  struct Part {
    enum Kind: Equatable {
      case manifest, header, blockTable, imports
      case directory(ColumnSection)
      case statistics(StoredStatistics)
      case block(Int, ColumnSection, TickerSymbol)
    }

    let kind: Kind
    let path: String
    let range: Range<Int>
    let checksum: UInt64

    init(_ kind: Kind, _ path: String, _ range: Range<Int>, of bytes: [UInt8]) {
      (self.kind, self.path, self.range) = (kind, path, range)
      checksum = Checksum(of: bytes, range).value
    }

    /// Whether the part has other bytes in this content of its file.
    func isChanged(in bytes: [UInt8]) -> Bool { Checksum(of: bytes, range).value != checksum }

    /// What is said of bytes that are damaged in this part alone.
    func damage(at offset: Int, _ bytes: [UInt8]) -> StoreError {
      switch kind {
      case .manifest, .header:
        let isManifest = kind == .manifest
        if offset < 8 {
          return .damaged(
            path: path, offset: 0, reason: "it doesn't begin with \(isManifest ? "QUOINMAN" : "QUOINCOL")")
        }
        if case 12..<16 = offset, kind == .header {
          let count = Int(bytes.withView { $0.integer(at: 12, as: UInt32.self) })
          if !ColumnFileHeader.possibleByteCounts.contains(count) || count > bytes.count {
            return .damaged(path: path, offset: 12, reason: "a header of \(count) bytes")
          }
        }
        if offset < 12 {
          let version = bytes.withView { $0.integer(at: 8, as: UInt32.self) }
          let written = isManifest ? StoreFormat.version : StoreFormat.columnFileVersion
          return .damaged(path: path, offset: 8, reason: "the format version is \(version) in place of \(written)")
        }
        return .damaged(path: path, offset: 0, reason: "the \(isManifest ? "manifest" : "header")'s checksum differs")
      case .blockTable: return checksum("the block table")
      case .imports: return checksum("the records of imports")
      case .directory(let section): return checksum("the directory of \(section)")
      case .statistics(let statistics): return checksum(statistics.noun)
      case .block(let index, let section, let ticker): return checksum("block \(index) (\(section) of \(ticker))")
      }
    }

    private func checksum(_ name: String) -> StoreError {
      .damaged(path: path, offset: range.lowerBound, reason: "the checksum of \(name) differs")
    }
  }

  private(set) var parts: [Part] = []
  let columnPaths: [String]
  static let manifestPath = "store/MANIFEST"

  init(_ disk: InMemoryFiles) throws {
    let snapshot = try #require(try Snapshot.newest(in: "store", disk))
    let files = try snapshot.soundFiles()
    columnPaths = files.map(\.path)
    let manifest = disk[Self.manifestPath] ?? []
    parts.append(Part(.manifest, Self.manifestPath, manifest.indices, of: manifest))
    for file in files { try append(file, disk[file.path] ?? []) }
  }

  private mutating func append(_ file: ColumnFile, _ bytes: [UInt8]) throws {
    func add(_ kind: Part.Kind, _ extent: Extent) {
      parts.append(Part(kind, file.path, extent.offset..<(extent.offset + extent.byteCount), of: bytes))
    }
    add(.header, Extent(offset: 0, byteCount: ColumnFileHeader.byteCount, checksum: 0))
    add(.blockTable, file.header.blockTable)
    add(.imports, file.header.recordTable)
    for statistics in file.header.statistics { add(.statistics(statistics), statistics.extent) }
    var tickers: [TickerSymbol] = []
    for run in try file.runs() { tickers += Array(repeating: run.ticker, count: run.blockCount) }
    for section in ColumnSection.all {
      add(.directory(section), file.header.columns[section.index].directory)
      let directory = try file.directory(section)
      for index in 0..<file.blockCount {
        let start = file.offset(index, section, directory)
        let count = directory.blockOffset(index + 1) - directory.blockOffset(index)
        add(.block(index, section, tickers[index]), Extent(offset: start, byteCount: count, checksum: 0))
      }
    }
  }

  /// What verify has to name when the files have become these, which are as long as they were or gone: all damage that can
  /// be told from the damage around it, and nothing else.
  func damages(from sound: InMemoryFiles, to damaged: InMemoryFiles) -> Set<StoreError> {
    var damages: Set<StoreError> = []
    let isManifestSound = damaged[Self.manifestPath].map { !parts[0].isChanged(in: $0) } ?? false
    for path in [Self.manifestPath] + columnPaths {
      guard let new = damaged[path] else {
        if path == Self.manifestPath {
          damages.insert(
            .damaged(path: path, offset: 0, reason: "it is missing, and there are column files that it has to name"))
        } else if isManifestSound {
          damages.insert(.damaged(path: path, offset: 0, reason: "it is missing, and the manifest names it"))
        }
        continue
      }
      let changed = parts.filter { $0.path == path && $0.isChanged(in: new) }
      // Without these the file can't be opened; without its directory a block can't be found.
      if let part = changed.first(where: { [.manifest, .header, .blockTable].contains($0.kind) }) {
        let old = sound[path] ?? []
        let offset = part.range.first { old[$0] != new[$0] } ?? 0
        damages.insert(part.damage(at: offset, new))
        continue
      }
      for part in changed {
        if case .block(_, let section, _) = part.kind, changed.contains(where: { $0.kind == .directory(section) }) {
          continue
        }
        damages.insert(part.damage(at: part.range.lowerBound, new))
      }
    }
    return damages
  }
}

extension Checksum {
  /// The checksum of some of these bytes.
  fileprivate init(of bytes: [UInt8], _ range: Range<Int>) {
    self = bytes.withView { Checksum(of: $0.slice(range)) }
  }
}

extension InMemoryFiles {
  /// This disk with some bytes of a file replaced.
  func changing(_ path: String, _ change: (inout [UInt8]) -> Void) -> InMemoryFiles {
    let copy = InMemoryFiles(copying: self)
    var bytes = self[path] ?? []
    change(&bytes)
    copy[path] = bytes
    return copy
  }
}

/// What readers are told of a store: each answer, or the error in its place.
struct Answers {
  private(set) var ofTickers: [TickerSymbol: Result<[[UInt64]], StoreError>] = [:]
  private(set) var count: Result<Int, StoreError>
  private(set) var periods: Result<[ImportRecord], StoreError>

  /// - Throws: when the store can't even be opened.
  init(_ disk: InMemoryFiles) throws(StoreError) {
    let store = try QuoteStore(at: "store", in: disk)
    for ticker in store.tickers {
      ofTickers[ticker] = Result { () throws(StoreError) in
        try store.quotes(for: ticker).fetchColumns().columns.cellBits
      }
    }
    count = Result { () throws(StoreError) in try store.allQuotes.where(.range(.high, 80.05...80.4)).count() }
    periods = Result { () throws(StoreError) in try store.importRecords() }
  }

  /// The errors among the answers, and how many answers are neither errors nor those of `sound`.
  func compared(with sound: Answers) -> (errors: [StoreError], wrongCount: Int) {
    var errors: [StoreError] = []
    var wrongCount = ofTickers.count == sound.ofTickers.count ? 0 : 1
    func compare<Value: Equatable>(_ answer: Result<Value, StoreError>, _ right: Result<Value, StoreError>?) {
      if case .failure(let error) = answer { errors.append(error) } else if answer != right { wrongCount += 1 }
    }
    for (ticker, answer) in ofTickers { compare(answer, sound.ofTickers[ticker]) }
    compare(count, sound.count)
    compare(periods, sound.periods)
    return (errors, wrongCount)
  }
}
