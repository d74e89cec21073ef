// What each damage costs when a store is repaired:
//
//   a block of an attribute   the cells of its rows, and those of the adjusted attribute that is computed from it
//   a block of days           its rows
//   a directory               the same for every block of its column in the file
//   a column file's header    the rows in the file
//   the manifest              which rows are dead
//
// Without a manifest the column files are read in the order in which they were written, by the runs that each names. A block
// has all rows that its ticker had between the block's first and last day, so it replaces all older rows between them.
// Deleted rows come back unless a later block spans them, and so do the rows of a file that an interrupted writer left.

/// Reads the sound rows of a store, ticker by ticker, and notes what is lost.
struct Salvage {
  private let inventory: StoreInventory
  private let scratch = BlockScratch()
  /// Where each ticker's rows are. The rows of a later place replace those of an earlier one.
  private var places: [TickerSymbol: [Place]] = [:]
  /// The losses, in the order in which they were found. The same damage is one loss for each ticker and attribute.
  private(set) var losses: [RepairLoss] = []
  private var known: [LossKey: Int] = [:]
  /// Something that is no damage, but unknown to this version. A repair would lose it.
  private(set) var unsupported: StoreError?

  /// Blocks of one ticker.
  private struct Place {
    let file: Result<ColumnFile, StoreError>
    let blocks: Range<Int>
    /// The manifest's run of these blocks; nil without a manifest.
    let run: Run?
  }

  private struct LossKey: Hashable {
    let part: RepairLoss.Part
    let ticker: TickerSymbol?
    let path: String
    let offset: Int
  }

  init(_ inventory: StoreInventory) {
    self.inventory = inventory
    unsupported = inventory.files.lazy.compactMap { try? $0.get().unknownColumnError }.first
    if let manifest = inventory.snapshot?.manifest {
      for ticker in manifest.tickers.indices {
        places[manifest.tickers[ticker].symbol] = manifest.runs(ofTickerAt: ticker).map { run in
          Place(file: inventory.files[run.fileIndex], blocks: run.blocks, run: run)
        }
      }
    } else {
      if let damage = inventory.manifestDamage { note(.manifest, damage.withoutManifest) }
      for file in inventory.files { findPlaces(in: file) }
    }
  }

  /// The tickers that may have rows, ascending.
  var tickers: [TickerSymbol] { places.keys.sorted() }

  private mutating func findPlaces(in file: Result<ColumnFile, StoreError>) {
    do throws(StoreError) {
      for run in try file.get().runs() {
        let blocks = run.firstBlock..<(run.firstBlock + run.blockCount)
        places[run.ticker, default: []].append(Place(file: file, blocks: blocks, run: nil))
      }
    } catch { note(.rows, error) }
  }

  /// The readable rows of a ticker, by day. Cells that can't be read are missing.
  mutating func rows(of ticker: TickerSymbol) -> QuoteColumns {
    var rows = QuoteColumns()
    for place in places[ticker] ?? [] {
      do throws(StoreError) {
        let file = try place.file.get()
        for block in place.blocks { read(block, of: file, ticker, place.run, into: &rows) }
      } catch {
        let days = place.run.map { $0.firstDay...$0.lastDay }
        note(.rows, of: ticker, days: days, rowCount: place.run?.rowCount, error)
      }
    }
    return rows
  }

  /// Replaces the rows that `rows` has between a block's first and last day by the rows of the block.
  private mutating func read(
    _ index: Int, of file: ColumnFile, _ ticker: TickerSymbol, _ run: Run?, into rows: inout QuoteColumns
  ) {
    do throws(StoreError) {
      var block = QuoteColumns(attributes: [])
      try file.appendRows(ofBlock: index, to: &block, scratch)
      var columns = QuoteColumns(days: block.dayValues, attributes: .all)
      for name in Attribute.allCases { readCells(of: name, index, file, ticker, &columns) }
      columns = columns.sortedByDay
      rows.replace(columns.dayValues[0]...columns.dayValues[columns.rowCount - 1], by: columns)
    } catch {
      let days = try? file.days(ofBlock: index)
      if let days { rows.replace(days, by: QuoteColumns()) }
      note(.rows, of: ticker, days: days ?? run.map { $0.firstDay...$0.lastDay }, rowCount: file.rowCount(index), error)
    }
  }

  /// Reads one attribute's cells of the rows `columns`, or leaves them missing.
  private mutating func readCells(
    of name: Attribute, _ index: Int, _ file: ColumnFile, _ ticker: TickerSymbol, _ columns: inout QuoteColumns
  ) {
    do throws(StoreError) {
      var column = Column(of: name)
      try file.append(name, ofBlock: index, to: &column, scratch)
      columns[column: name] = column
    } catch {
      let (first, last) = (columns.dayValues[0], columns.dayValues[columns.rowCount - 1])
      let days = first...max(first, last)
      note(.cells(name), of: ticker, days: days, rowCount: columns.rowCount, error)
    }
  }

  /// The readable records of imports, for the tickers that the store has.
  mutating func importRecords() -> [ImportRecord] {
    var records: Set<ImportRecord> = []
    for file in inventory.files {
      do throws(StoreError) { records.formUnion(try file.get().importRecords()) } catch {
        note(.imports, error)
      }
    }
    let manifest = inventory.snapshot?.manifest
    return records.filter { record in manifest?.isCurrent(record) ?? (places[record.ticker] != nil) }
      .sorted { ($0.generation, $0.ticker, $0.firstDay) < ($1.generation, $1.ticker, $1.firstDay) }
  }

  /// The snapshots that the store keeps. They are not saved.
  func snapshotLosses(in directory: String) -> [RepairLoss] {
    inventory.kept.compactMap { kept, _ in
      kept.name.map { RepairLoss($0, path: directory + "/" + kept.fileName) }
    }
  }

  private mutating func note(
    _ part: RepairLoss.Part, of ticker: TickerSymbol? = nil, days: ClosedRange<TradingDay>? = nil, rowCount: Int? = nil,
    _ error: StoreError
  ) {
    if case .unsupported = error { unsupported = error }
    let loss = RepairLoss(part, of: ticker, days: days, rowCount: rowCount, error)
    let key = LossKey(part: loss.part, ticker: loss.ticker, path: loss.path, offset: loss.offset)
    if let index = known[key] {
      losses[index].join(loss)
    } else {
      known[key] = losses.count
      losses.append(loss)
    }
  }
}

extension StoreError {
  /// The damage of a manifest, and what nobody can know without one.
  fileprivate var withoutManifest: StoreError {
    guard case .damaged(let path, let offset, let reason) = self else { return self }
    return .damaged(
      path: path, offset: offset,
      reason: reason
        + "; without it there is no telling which rows were deleted and which tickers renamed: these rows have "
        + "the names under which they were written, so two securities that took each other's name may be mixed")
  }
}

extension QuoteColumns {
  /// Replaces all rows between two days by `others`, which rise by day.
  fileprivate mutating func replace(_ range: ClosedRange<TradingDay>, by others: QuoteColumns) {
    guard let last = dayValues.last, last >= range.lowerBound else { return adopt(others) }
    let start = dayValues.firstIndex { $0 >= range.lowerBound } ?? rowCount
    let end = dayValues.firstIndex { $0 > range.upperBound } ?? rowCount
    var result = sliced(0..<start)
    result.append(others)
    result.append(self, rows: end..<rowCount)
    self = result
  }
}
