import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Random damages, some at a time, of a store of many tickers: `verify` names exactly those, a ticker that none of them
/// touches is read as before, and `repair` saves exactly what is sound.
@Suite struct RandomDamageTests {
  private static let trialCount = TestSettings.count("QUOIN_DAMAGES", debug: 100, release: 100)

  /// Many tickers in some files, of which the first has blocks that were replaced since.
  static func disk() throws -> InMemoryFiles {
    let disk = InMemoryFiles()
    let count = TestSettings.size("QUOIN_DAMAGE_TICKERS", debug: 24, release: 100)
    let tickers = try (0..<count).map { try TickerSymbol("T\($0)") }
    var rows: [TickerSymbol: QuoteColumns] = [:]
    for (index, ticker) in tickers.enumerated() { rows[ticker] = .sample(20 + index % 30, salt: index) }
    try commit(rows, to: "store", in: disk, importRecords: [ColumnFileTests.record], keepingRecent: 0)
    for ticker in tickers.prefix(count / 3) { rows[ticker] = .sample(40, from: "2011-01-03") }
    try commit(rows.filter { tickers.prefix(count / 3).contains($0.key) }, to: "store", in: disk, keepingRecent: 0)
    let changed = tickers[(count / 2)..<(count / 2 + 3)]
    try commit(
      Dictionary(uniqueKeysWithValues: changed.map { ($0, .sample(4, salt: 77)) }), to: "store", in: disk,
      keepingRecent: 0)
    #expect(disk.content.count == 5)
    return disk
  }

  /// Damages some parts, or removes a file.
  static func damage(_ disk: InMemoryFiles, _ parts: StoreParts, _ dice: inout SeededRandom) -> InMemoryFiles {
    let damaged = InMemoryFiles(copying: disk)
    for _ in 0...dice.below(5) {
      if dice.chance(0.03) {
        damaged[dice.element(of: parts.columnPaths)] = nil
        continue
      }
      let wanted = dice.below(20)
      let part = dice.element(
        of: parts.parts.filter { part in
          switch part.kind {
          case .block: wanted > 3
          case .directory, .statistics: wanted == 3 || wanted == 2
          case .blockTable, .header: wanted == 1
          case .imports, .manifest: wanted == 0
          }
        })
      guard damaged[part.path] != nil, !part.range.isEmpty else { continue }
      let isSmall = part.kind == .header || part.kind == .manifest
      for _ in 0..<(isSmall ? 1 : 1 + dice.below(30)) {
        damaged[part.path]?[part.range.lowerBound + dice.below(part.range.count)] ^= UInt8(1 + dice.below(255))
      }
    }
    return damaged
  }

  @Test func verify_names_exactly_what_was_damaged_and_the_other_tickers_stay_readable() throws {
    var dice = TestSettings.dice("random damages")
    let disk = try Self.disk()
    let parts = try StoreParts(disk)
    let sound = try Answers(disk)
    var (exact, plantedCount, readable, refused) = (0, 0, 0, 0)
    for trial in 0..<Self.trialCount {
      let damaged = Self.damage(disk, parts, &dice)
      let expected = parts.damages(from: disk, to: damaged)
      let found = try QuoteStore.verify("store", in: damaged).damages
      #expect(Set(found) == expected && found.count == expected.count, "trial \(trial)")
      if Set(found) == expected, found.count == expected.count { exact += 1 }
      plantedCount += expected.count
      guard let store = try? QuoteStore(at: "store", in: damaged) else {
        #expect(expected.contains { $0.path == StoreParts.manifestPath }, "trial \(trial)")
        continue
      }
      let touched = Self.touched(by: expected, store, parts)
      for (ticker, answer) in try Answers(damaged).ofTickers {
        if case .failure(let error) = answer {
          refused += 1
          #expect(touched.contains(ticker) && expected.contains(error), "trial \(trial): \(ticker), \(error)")
        } else {
          readable += 1
          #expect(answer == sound.ofTickers[ticker], "trial \(trial): \(ticker)")
        }
      }
    }
    print(
      "promise 13: \(plantedCount) damages in \(Self.trialCount) stores of \(sound.ofTickers.count) tickers, "
        + "\(exact) of \(Self.trialCount) named exactly; "
        + "tickers read \(readable) times, refused \(refused) times, 0 wrong rows")
    #expect(exact == Self.trialCount && readable > refused && refused > 0)
  }

  /// The tickers that have a live block which one of the damages makes unreadable.
  private static func touched(
    by damages: Set<StoreError>, _ store: QuoteStore, _ parts: StoreParts
  ) -> Set<TickerSymbol> {
    var touched: Set<TickerSymbol> = []
    let manifest = store.snapshot.manifest
    for damage in damages {
      let part = parts.parts.first { part in
        guard case .damaged(let path, let offset, _) = damage, part.path == path else { return false }
        return part.range.contains(offset)
      }
      switch part?.kind {
      case .block(_, _, let ticker)?: touched.insert(ticker)
      case .imports?: break
      default:
        for index in manifest.tickers.indices
        where manifest.runs(ofTickerAt: index).contains(where: {
          damage.path == "store/" + manifest.files[$0.fileIndex].name
        }) {
          touched.insert(manifest.tickers[index].symbol)
        }
      }
    }
    return touched
  }

  @Test func repair_saves_exactly_what_is_sound() throws {
    var dice = TestSettings.dice("random repairs")
    let disk = try Self.disk()
    let parts = try StoreParts(disk)
    let sound = try QuoteStore(at: "store", in: disk)
    let rows = try content(of: sound)
    var (exact, trials, savedRows, lostRows, lostCells) = (0, 0, 0, 0, 0)
    while trials < Self.trialCount {
      let damaged = Self.damage(disk, parts, &dice)
      // Without a manifest other rules hold: see RepairTests.
      guard damaged[StoreParts.manifestPath] == disk[StoreParts.manifestPath] else { continue }
      trials += 1
      let model = try RepairModel(sound, rows, parts, damaged)
      let report = try QuoteStore.repair("store", into: "saved", in: damaged)
      let saved = model.rows.isEmpty ? [:] : try content(in: "saved", damaged)
      #expect(saved == model.rows, "trial \(trials)")
      #expect(report.losses.count == Set(report.losses).count)
      var losses: [RepairModel.Loss: Int] = [:]
      for loss in report.losses {
        losses[RepairModel.Loss(part: loss.part, ticker: loss.ticker), default: 0] += loss.rowCount ?? 1
        let damage = StoreError.damaged(path: loss.path, offset: loss.offset, reason: loss.reason)
        #expect(parts.damages(from: disk, to: damaged).contains(damage), "trial \(trials): \(damage)")
      }
      #expect(losses == model.losses, "trial \(trials)")
      if saved == model.rows, losses == model.losses { exact += 1 }
      savedRows += report.rowCount
      for (loss, count) in losses {
        if loss.part == .rows { lostRows += count }
        if case .cells = loss.part { lostCells += count }
      }
    }
    print(
      "promise 13: \(trials) repairs, \(exact) of \(trials) saved exactly what is sound: \(savedRows) rows saved, "
        + "\(lostRows) rows and \(lostCells) cells lost and listed")
    #expect(exact == trials && savedRows > lostRows && lostRows > 0 && lostCells > 0)
  }
}

/// What has to be saved of a damaged store, row by row and cell by cell, and what is lost.
private struct RepairModel {
  struct Loss: Hashable {
    let part: RepairLoss.Part
    let ticker: TickerSymbol?
  }

  private(set) var rows: [TickerSymbol: [[UInt64]]] = [:]
  /// Rows or cells; 1 of the records of a file's imports.
  private(set) var losses: [Loss: Int] = [:]

  init(
    _ sound: QuoteStore, _ soundRows: [TickerSymbol: [[UInt64]]], _ parts: StoreParts, _ damaged: InMemoryFiles
  ) throws {
    var lost: [String: [StoreParts.Part.Kind]] = [:]
    for path in parts.columnPaths {
      guard let bytes = damaged[path] else {
        lost[path] = [.header]
        continue
      }
      lost[path] = parts.parts.filter { $0.path == path && $0.isChanged(in: bytes) }.map(\.kind)
    }
    let manifest = sound.snapshot.manifest
    for index in manifest.tickers.indices {
      let ticker = manifest.tickers[index].symbol
      var next = 0
      for run in manifest.runs(ofTickerAt: index) {
        let file = try sound.snapshot.file(run.fileIndex)
        for block in run.blocks {
          let cells = (soundRows[ticker] ?? [])[next..<(next + file.rowCount(block))]
          next += cells.count
          try add(cells, block, file, ticker, lost[file.path] ?? [])
        }
      }
    }
    for kinds in lost.values where !Set(["header", "blockTable", "imports"]).isDisjoint(with: kinds.map { "\($0)" }) {
      losses[Loss(part: .imports, ticker: nil), default: 0] += 1
    }
  }

  private mutating func add(
    _ cells: ArraySlice<[UInt64]>, _ block: Int, _ file: ColumnFile, _ ticker: TickerSymbol,
    _ lost: [StoreParts.Part.Kind]
  ) throws {
    func isLost(_ section: ColumnSection) -> Bool {
      lost.contains(.directory(section)) || lost.contains(.block(block, section, ticker))
    }
    if lost.contains(.header) || lost.contains(.blockTable) || isLost(.date) {
      losses[Loss(part: .rows, ticker: ticker), default: 0] += cells.count
      return
    }
    var saved = Array(cells)
    for (column, name) in Attribute.allCases.enumerated() {
      let section = ColumnSection.attribute(name)
      var isLost = isLost(section)
      if let source = section.derivationSource {
        let header = try file.block(block, section, file.directory(section)).header
        isLost =
          isLost
          || header.encoding == .derived
            && (lost.contains(.directory(source)) || lost.contains(.block(block, source, ticker)))
      }
      guard isLost else { continue }
      losses[Loss(part: .cells(name), ticker: ticker), default: 0] += cells.count
      for row in saved.indices { saved[row][column + 1] = name.isInteger ? Int64.missing.bits : Double.missing.bits }
    }
    rows[ticker, default: []] += saved
  }
}
