// A transaction collects the writes of one call and commits them together.
//
//   rows come in  ->  tails (rows in memory, by ticker)  ->  blocks in the builder  ->  a column file  ->  manifest
//
// Tails are encoded when many rows are waiting, and at the commit. The commit also moves the blocks of small or mostly dead
// files into the new file (see Transaction+Fold.swift). Until the manifest is renamed, readers see no change.

/// All the writes of one call, on top of one generation. Only the holder of the writer's lock makes one.
final class Transaction {
  /// How many rows may wait in memory before they are encoded: few, so that they are still in the cache; but many if the rows
  /// of a ticker come in parts, because otherwise each part would become a block.
  private var waitingRowLimit: Int { comesInParts ? 1 << 18 : 1 << 16 }
  private var comesInParts = false

  let directory: String
  let fileSystem: any FileSystem
  let base: Snapshot
  let generation: UInt64
  let scratch = BlockScratch()
  /// What is written whatever the store's packing says: for tests and measurements.
  private let fixedChoice: EncodingChoice?
  let crew: Crew

  /// The base's files, then the files that this transaction has written.
  private(set) var files: [ColumnFile]
  /// The file in the making. Its index will be `files.count`.
  var builder: ColumnFileBuilder
  private(set) var nextFileID: UInt64
  /// How blocks are packed from here on, and after this transaction.
  private(set) var packing: BlockPacking
  /// Whether volumes are written as float64s: those of the store are already, or some that came in have a fraction.
  private(set) var hasFractions: Bool
  /// Which earlier generations are kept after this transaction.
  var retention: Retention
  /// The tickers that differ from the base. A ticker without rows is deleted.
  private(set) var changed: [TickerSymbol: WorkingTicker] = [:]
  /// The tickers that have rows in memory, and the number of these rows.
  private var waiting: Set<TickerSymbol> = []
  private var waitingRowCount = 0
  /// The records of the imports that the rows came from, by ticker.
  private(set) var importRecords: [TickerSymbol: [ImportRecord]] = [:]
  /// The task that waits for the commit, if any. Once it is cancelled, no call succeeds any more.
  var cancellation: Cancellation?
  /// Whether the commit rewrites all files.
  private(set) var isCompacting = false
  /// The generation whose rows the commit brings back, in place of all others.
  private(set) var restored: Snapshot?
  /// The first error of a change or of a read. After it a part of a change may be missing, so nothing is committed.
  private(set) var failure: StoreError?

  init(
    on base: Snapshot, in directory: String, _ fileSystem: any FileSystem, encodings fixedChoice: EncodingChoice? = nil,
    crew: Crew = .alone
  ) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.base = base
    self.fixedChoice = fixedChoice
    self.crew = crew
    generation = base.manifest.generation + 1
    packing = base.manifest.packing
    hasFractions = base.hasFractions
    builder = ColumnFileBuilder(fixedChoice ?? EncodingChoice(packing), crew, hasFractions: base.hasFractions)
    nextFileID = base.manifest.nextFileID
    retention = Retention(base.manifest)
    // On damaged files nothing is built. But they can be left: for an earlier generation, say.
    do { files = try base.soundFiles() } catch { (files, failure) = ([], error) }
  }

  /// The ticker as it stands in this transaction.
  func working(_ ticker: TickerSymbol) -> WorkingTicker {
    changed[ticker] ?? stored(ticker)
  }

  /// The ticker as it stands in the base.
  private func stored(_ ticker: TickerSymbol) -> WorkingTicker {
    guard let index = base.manifest.index(of: ticker) else { return WorkingTicker(createdGeneration: generation) }
    return WorkingTicker(base.manifest, tickerAt: index)
  }

  /// All tickers that have rows in this transaction, ascending, as they stand.
  var standing: [(ticker: TickerSymbol, state: WorkingTicker)] {
    let manifest = base.manifest
    var all = manifest.tickers.indices.map { index in
      let ticker = manifest.tickers[index].symbol
      return (ticker: ticker, state: changed[ticker] ?? WorkingTicker(manifest, tickerAt: index))
    }
    let new = changed.filter { manifest.index(of: $0.key) == nil }.sorted { $0.key < $1.key }
    if !new.isEmpty {
      all += new.map { (ticker: $0.key, state: $0.value) }
      all.sort { $0.ticker < $1.ticker }
    }
    return all.filter { !$0.state.isEmpty }
  }

  /// The ticker as it stands, with all its blocks in files, because the builder's blocks can't be read.
  private func readable(_ ticker: TickerSymbol) throws(StoreError) -> WorkingTicker {
    let state = working(ticker)
    if state.runs.contains(where: { $0.fileIndex == files.count }) { try seal() }
    return state
  }

  /// Packs the blocks of this transaction and of later ones so. Those that are in files already stay as they are.
  func setPacking(_ packing: BlockPacking) throws(StoreError) {
    try attempt { () throws(StoreError) in
      guard packing != self.packing else { return }
      try seal()
      self.packing = packing
      builder = newBuilder
    }
  }

  /// Has the commit rewrite all files, so that all blocks are packed the same way.
  func compact(_ packing: BlockPacking?) throws(StoreError) {
    if let packing { try setPacking(packing) }
    isCompacting = true
  }

  /// Runs a change or a read, unless an earlier one has failed, and remembers whether this one fails.
  func attempt<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    try checkWhetherSound()
    do throws(StoreError) { return try body() } catch {
      failure = error
      throw error
    }
  }

  /// Brings back the rows of another generation, in place of the base's, whether or not those are sound.
  func bringBack(_ snapshot: Snapshot) {
    failure = nil
    let (now, then) = (base.manifest, snapshot.manifest)
    if now.files != then.files || now.tickers != then.tickers || now.runs != then.runs { restored = snapshot }
  }

  /// Throws the first error, so that nothing is added to what has failed, or committed of it.
  func checkWhetherSound() throws(StoreError) {
    if cancellation?.isCancelled == true { failure = failure ?? .cancelled }
    if let failure { throw failure }
  }

  /// Puts rows in, which must rise by day and have all attributes.
  ///
  /// - Parameter present: the attributes that the rows had in their source.
  func upsert(
    _ ticker: TickerSymbol, _ rows: QuoteColumns, _ mode: UpsertMode = .update, present: AttributeSet = .all
  ) throws(StoreError) -> UpsertCounts {
    try attempt { () throws(StoreError) in try merge(ticker, rows, mode, present) }
  }

  private func merge(
    _ ticker: TickerSymbol, _ rows: QuoteColumns, _ mode: UpsertMode, _ present: AttributeSet
  ) throws(StoreError) -> UpsertCounts {
    precondition(rows.attributes == .all && rows.isStrictlyAscending, "rows of \(ticker) out of order")
    let rows = rows.withPlainVolumes
    if rows.hasFractions { try takeFractions() }
    guard let firstDay = rows.dayValues.first else { return UpsertCounts() }
    guard let lastDay = working(ticker).lastDay, firstDay <= lastDay else {
      try append(ticker, rows)
      return UpsertCounts(inserted: rows.rowCount)
    }
    var state = try readable(ticker)
    let later = try state.cut(before: firstDay, files)
    let merge = QuoteMerge(stored: try self.rows(of: later), new: rows, mode, present: present)
    guard let changedDay = merge.firstChangedDay else { return merge.counts }
    state.noteChange(changedDay...(rows.dayValues.last ?? changedDay))
    try replace(ticker, state, later, by: merge.rows, from: changedDay)
    return merge.counts
  }

  /// Writes volumes as float64s from here on. What was encoded before stays in a file of its own.
  private func takeFractions() throws(StoreError) {
    guard !hasFractions else { return }
    try seal()
    hasFractions = true
    builder = newBuilder
  }

  /// Appends rows after a ticker's last one.
  private func append(_ ticker: TickerSymbol, _ rows: QuoteColumns) throws(StoreError) {
    guard let firstDay = rows.dayValues.first, let lastDay = rows.dayValues.last else { return }
    if let index = changed.index(forKey: ticker) {
      if changed.values[index].isEmpty {
        // The ticker was deleted earlier in this transaction, so its history of imports begins again.
        changed.values[index] = changed.values[index].deleted(created: generation)
        importRecords[ticker] = nil
      } else {
        comesInParts = true
      }
      // Changed in place, because a copy of the state would copy the rows too.
      changed.values[index].tail.adopt(rows)
      changed.values[index].noteChange(firstDay...lastDay)
    } else {
      var state = stored(ticker)
      state.tail = rows
      state.noteChange(firstDay...lastDay)
      changed[ticker] = state
    }
    try noteWaiting(ticker, addedRowCount: rows.rowCount)
  }

  /// Removes the rows of these days, which rise. Returns the number of rows removed.
  func delete(_ days: [TradingDay], of ticker: TickerSymbol) throws(StoreError) -> Int {
    try attempt { () throws(StoreError) in try remove(days, of: ticker) }
  }

  private func remove(_ days: [TradingDay], of ticker: TickerSymbol) throws(StoreError) -> Int {
    guard let firstDay = days.first else { return 0 }
    var state = try readable(ticker)
    let later = try state.cut(before: firstDay, files)
    let rows = try self.rows(of: later)
    let deleted = Set(days)
    let kept = rows.dayValues.indices.filter { !deleted.contains(rows.dayValues[$0]) }
    guard kept.count < rows.rowCount, let lastDay = days.last else { return 0 }
    state.noteChange(firstDay...lastDay)
    try replace(ticker, state, later, by: rows.gathered(kept), from: firstDay)
    return rows.rowCount - kept.count
  }

  /// Removes a ticker with all its rows and the records of its imports. Returns the number of rows removed.
  func delete(_ ticker: TickerSymbol) throws(StoreError) -> Int {
    try checkWhetherSound()
    let state = working(ticker)
    if !state.isEmpty { changed[ticker] = state.deleted(created: state.createdGeneration) }
    return state.rowCount
  }

  /// Adds a record of an import to the commit. If `isJoined`, what one source brings for one ticker gets one record.
  func note(_ record: ImportRecord, isJoined: Bool = false) {
    let index = isJoined ? importRecords[record.ticker]?.firstIndex { $0.source == record.source } : nil
    guard let index else { return importRecords[record.ticker, default: []].append(record) }
    importRecords[record.ticker]?[index].join(record)
  }

  /// The rows of a ticker from `first` to `last` as they stand in this transaction.
  func rows(of ticker: TickerSymbol, from first: TradingDay, to last: TradingDay) throws(StoreError) -> QuoteColumns {
    try attempt { () throws(StoreError) in
      var state = try readable(ticker)
      let rows = try self.rows(of: try state.cut(before: first, files))
      return rows.gathered(rows.dayValues.indices.filter { rows.dayValues[$0] >= first && rows.dayValues[$0] <= last })
    }
  }

  /// The store as it stands in this transaction, for a scan. Rows that wait in memory are written to a file first.
  func snapshot() throws(StoreError) -> Snapshot {
    guard !changed.isEmpty else { return base }
    return try attempt { () throws(StoreError) in
      try encodeTails()
      try seal()
      return newSnapshot()
    }
  }

  /// Replaces `later`, the part of the ticker that was cut off from `state`, by `rows`. Blocks of `later` that end before
  /// `day` stay as they are.
  private func replace(
    _ ticker: TickerSymbol, _ state: WorkingTicker, _ later: WorkingTicker, by rows: QuoteColumns, from day: TradingDay
  ) throws(StoreError) {
    var state = state
    var unchanged = later
    _ = try unchanged.cut(before: day, files)
    // The rows that waited in memory are among `rows`.
    unchanged.tail = QuoteColumns()
    state.runs += unchanged.runs
    let start =
      unchanged.runs.last.map { last in rows.dayValues.firstIndex { $0 > last.lastDay } ?? rows.rowCount } ?? 0
    state.tail = rows.sliced(start..<rows.rowCount)
    try update(ticker, state, addedRowCount: rows.rowCount - start)
  }

  private func rows(of state: WorkingTicker) throws(StoreError) -> QuoteColumns {
    var rows = QuoteColumns()
    for run in state.runs {
      for block in run.blocks { try files[run.fileIndex].appendRows(ofBlock: block, to: &rows, scratch) }
    }
    rows.append(state.tail)
    return rows
  }

  private func update(_ ticker: TickerSymbol, _ state: WorkingTicker, addedRowCount: Int) throws(StoreError) {
    changed[ticker] = state
    try noteWaiting(ticker, addedRowCount: addedRowCount)
  }

  private func noteWaiting(_ ticker: TickerSymbol, addedRowCount: Int) throws(StoreError) {
    waiting.insert(ticker)
    waitingRowCount += addedRowCount
    if waitingRowCount >= waitingRowLimit { try encodeTails() }
  }

  /// Encodes all rows that wait in memory.
  func encodeTails() throws(StoreError) {
    for ticker in waiting.sorted() where changed[ticker]?.tail.isEmpty == false {
      try settle(ticker, working(ticker), absorbing: [])
    }
    waiting = []
    waitingRowCount = 0
  }

  /// Says that the rows of a ticker lie in these runs now.
  func setRuns(_ runs: [Run], of ticker: TickerSymbol, _ state: WorkingTicker) {
    var state = state
    state.settle(runs)
    changed[ticker] = state
  }

  /// Writes the builder's blocks as a file and begins the next one.
  func seal() throws(StoreError) {
    guard !builder.isEmpty else { return }
    builder.finishEncoding()
    if base.manifest.generation == 0, files.isEmpty { try publish(base.manifest) }
    let path = directory + "/" + FileRecord.name(id: nextFileID)
    do {
      try fileSystem.writeFile(path, builder.parts(fileID: nextFileID))
    } catch {
      throw .inputOutput(error)
    }
    nextFileID += 1
    files.append(try ColumnFile(path, in: fileSystem))
    builder = newBuilder
  }

  private var newBuilder: ColumnFileBuilder {
    ColumnFileBuilder(fixedChoice ?? EncodingChoice(packing), crew, hasFractions: hasFractions)
  }
}

extension FileSystem {
  /// Creates a file of these parts and makes it durable.
  func writeFile(_ path: String, _ parts: [[UInt8]]) throws(FileSystemError) {
    let file = try createFile(path)
    // With one write Linux can keep the file in large pages, and a scan that jumps about has fewer TLB misses.
    var whole: [UInt8] = []
    whole.reserveCapacity(parts.reduce(0) { $0 + $1.count })
    for part in parts { whole += part }
    try file.write(whole)
    try file.sync()
  }
}
