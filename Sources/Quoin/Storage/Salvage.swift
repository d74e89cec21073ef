// What can be saved of a damaged store, and what is lost with each damage:
//
//   a block of an attribute   the cells of its rows, and those of the adjusted attribute that is computed from it
//   a block of days           its rows
//   a directory               the same of every block of its column in the file
//   a column file's header    the rows in the file
//   the manifest              which rows are dead
//
// Without a manifest the column files are read in the order in which they were written, by the runs that each keeps:
// a block holds all rows that its ticker had between its first day and its last one, so it takes the place of all older
// rows between them. Deleted rows that no later block spans come back, and so do the rows of a file that a writer left
// when it was interrupted.

/// Reads what is sound of a store, ticker after ticker, and notes what is not.
struct Salvage {
  private let inventory: StoreInventory
  private let scratch = BlockScratch()
  /// Where each ticker's rows are; a later place goes before an earlier one.
  private var places: [TickerSymbol: [Place]] = [:]
  /// What is lost, in the order in which it was met; the same damage only once for each ticker and attribute.
  private(set) var losses: [RepairLoss] = []
  private var known: [LossKey: Int] = [:]

  /// Blocks of one ticker.
  private struct Place {
    let file: Result<ColumnFile, StoreError>
    let blocks: Range<Int>
    /// What the manifest says of them.
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
    if let manifest = inventory.snapshot?.manifest {
      for ticker in manifest.tickers.indices {
        places[manifest.tickers[ticker].symbol] = manifest.runs(ofTickerAt: ticker).map { run in
          Place(file: inventory.files[run.fileIndex], blocks: run.blocks, run: run)
        }
      }
    } else {
      if let damage = inventory.manifestDamage { note(RepairLoss(.manifest, damage)) }
      for file in inventory.files { findPlaces(in: file) }
    }
  }

  /// The tickers of which something may be left, ascending.
  var tickers: [TickerSymbol] { places.keys.sorted() }

  private mutating func findPlaces(in file: Result<ColumnFile, StoreError>) {
    do throws(StoreError) {
      for run in try file.get().runs() {
        let blocks = run.firstBlock..<(run.firstBlock + run.blockCount)
        places[run.ticker, default: []].append(Place(file: file, blocks: blocks, run: nil))
      }
    } catch { note(RepairLoss(.rows, error)) }
  }

  /// The rows of a ticker that can be read, by day; a cell that can't be is missing.
  mutating func rows(of ticker: TickerSymbol) -> QuoteColumns {
    var rows = QuoteColumns()
    for place in places[ticker] ?? [] {
      do throws(StoreError) {
        let file = try place.file.get()
        for block in place.blocks { read(block, of: file, ticker, place.run, into: &rows) }
      } catch {
        let days = place.run.map { $0.firstDay...$0.lastDay }
        note(RepairLoss(.rows, of: ticker, days: days, rowCount: place.run?.rowCount, error))
      }
    }
    return rows
  }

  /// Puts the rows of a block in the place of those that `rows` has between the block's days.
  private mutating func read(
    _ index: Int, of file: ColumnFile, _ ticker: TickerSymbol, _ run: Run?, into rows: inout QuoteColumns
  ) {
    do throws(StoreError) {
      var block = QuoteColumns(attributes: [])
      try file.appendRows(ofBlock: index, to: &block, scratch)
      var columns = QuoteColumns(days: block.dayValues, attributes: .all)
      for name in AttributeName.allCases { readCells(of: name, index, file, ticker, &columns) }
      columns = columns.sortedByDay
      rows.replace(columns.dayValues[0]...columns.dayValues[columns.rowCount - 1], by: columns)
    } catch {
      let days = try? file.days(ofBlock: index)
      if let days { rows.replace(days, by: QuoteColumns()) }
      note(
        RepairLoss(
          .rows, of: ticker, days: days ?? run.map { $0.firstDay...$0.lastDay }, rowCount: file.rowCount(index), error))
    }
  }

  /// Reads one attribute's cells of the rows `columns`, or leaves them missing.
  private mutating func readCells(
    of name: AttributeName, _ index: Int, _ file: ColumnFile, _ ticker: TickerSymbol, _ columns: inout QuoteColumns
  ) {
    do throws(StoreError) {
      var column = Column(of: name)
      try file.append(name, ofBlock: index, to: &column, scratch)
      columns[column: name] = column
    } catch {
      let (first, last) = (columns.dayValues[0], columns.dayValues[columns.rowCount - 1])
      let days = first...max(first, last)
      note(RepairLoss(.cells(name), of: ticker, days: days, rowCount: columns.rowCount, error))
    }
  }

  /// The records of imports that can be read, of the tickers that the store has.
  mutating func importRecords() -> [StockQuotePeriod] {
    var records: Set<StockQuotePeriod> = []
    for file in inventory.files {
      do throws(StoreError) { records.formUnion(try file.get().importRecords()) } catch {
        note(RepairLoss(.imports, error))
      }
    }
    let manifest = inventory.snapshot?.manifest
    return records.filter { record in manifest?.isCurrent(record) ?? (places[record.ticker] != nil) }
      .sorted { ($0.generation, $0.ticker, $0.firstDay) < ($1.generation, $1.ticker, $1.firstDay) }
  }

  private mutating func note(_ loss: RepairLoss) {
    let key = LossKey(part: loss.part, ticker: loss.ticker, path: loss.path, offset: loss.offset)
    if let index = known[key] {
      losses[index].join(loss)
    } else {
      known[key] = losses.count
      losses.append(loss)
    }
  }
}

extension QuoteColumns {
  /// Puts `others`, which rise by day, in the place of all rows between two days.
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
