// The commit protocol. A crash before the rename leaves the old generation, a crash after it the new one.
//
// A new store first gets an empty manifest, generation 0, by steps 2 to 5. So column files without a manifest always mean a
// store that has lost its manifest, which nothing may write to.
//
//   1. write the new column files, sync each (Transaction.seal); write and sync a copy of the old manifest if it is kept
//   2. write MANIFEST.tmp, sync it
//   3. sync the directory, so that the new names are durable before anything refers to them
//   4. rename MANIFEST.tmp to MANIFEST
//   5. sync the directory: now the commit is acknowledged
//   6. remove the files that no manifest names any more

extension Transaction {
  /// Publishes the transaction's writes as one new generation.
  ///
  /// - Returns: the new generation, or nil if nothing differs from the base. Then the base is durable.
  ///
  /// - Parameters:
  ///   - importRecords: the records of the imports that the rows came from.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  func commit(importRecords: [ImportRecord] = []) throws(StoreError) -> Snapshot? {
    let changesRows = !changed.isEmpty || (isCompacting && !base.files.isEmpty)
    guard changesRows || restored != nil || retention != Retention(base.manifest) || packing != base.manifest.packing
    else {
      // The writer of the base may have died before its last sync, and the caller takes the base for durable.
      do { try fileSystem.syncDirectory(directory) } catch { throw .commitUnknown(error) }
      return nil
    }
    if changesRows {
      try fold(everything: isCompacting)
      builder.importRecords += importRecords.filter(isCurrent)
      try seal()
    }
    if changesRows || restored != nil { retention.advance(base.manifest) }
    try keepBase()
    let snapshot = changesRows ? newSnapshot() : newSnapshot(withRowsOf: restored ?? base)
    if changesRows { try snapshot.checkVolumes(scratch) }
    try publish(snapshot.manifest)
    fileSystem.removeFiles(of: directory, except: snapshot.manifest.fileNames)
    return snapshot
  }

  /// Keeps the base under a name.
  func keepSnapshot(named name: String) throws(StoreError) { try retention.keep(base.manifest, as: name) }

  /// Removes the files that a dead writer has left behind.
  ///
  /// The writer may have died, or failed, between the rename and the sync after it. The files of the previous generation are
  /// needed until the base is durable, so the directory is synced first.
  func removeStrayFiles() throws(StoreError) {
    do throws(FileSystemError) {
      guard try !fileSystem.removableFiles(of: directory, except: base.manifest.fileNames).isEmpty else { return }
      try fileSystem.syncDirectory(directory)
    } catch { throw .inputOutput(error) }
    abandon()
  }

  /// Removes the files that were written.
  func abandon() { fileSystem.removeFiles(of: directory, except: base.manifest.fileNames) }

  /// The files and runs as they stand, without the rows that wait in memory.
  func newSnapshot() -> Snapshot {
    var manifest = Manifest(generation: generation, nextFileID: nextFileID, committedAt: fileSystem.now)
    let standing = standing
    manifest.tickers.reserveCapacity(standing.count)
    manifest.runs.reserveCapacity(base.manifest.runs.count + standing.count)
    var isUsed = [Bool](repeating: false, count: files.count)
    for (ticker, state) in standing {
      manifest.tickers.append(
        TickerRecord(
          symbol: ticker, firstRun: manifest.runs.count, runCount: state.runs.count,
          createdGeneration: state.createdGeneration))
      manifest.runs += state.runs
      for run in state.runs { isUsed[run.fileIndex] = true }
    }
    // A new file without live rows stays because of its records of imports, until the next fold takes them over.
    let kept = files.indices.filter { isUsed[$0] || files[$0].blockCount == 0 && $0 >= base.files.count }
    var newIndex = [Int](repeating: 0, count: files.count)
    for (index, file) in kept.enumerated() { newIndex[file] = index }
    for run in manifest.runs.indices { manifest.runs[run].fileIndex = newIndex[manifest.runs[run].fileIndex] }
    manifest.files = kept.map { files[$0].record }
    finish(&manifest, changing: changedTickers)
    return Snapshot(manifest: manifest, files: kept.map { .success(files[$0]) })
  }

  /// All files and rows of another generation, or of the base, damaged or not.
  private func newSnapshot(withRowsOf shown: Snapshot) -> Snapshot {
    var manifest = shown.manifest
    (manifest.generation, manifest.nextFileID, manifest.committedAt) = (generation, nextFileID, fileSystem.now)
    finish(&manifest, changing: shown === base ? [] : shown.manifest.changes(since: base.manifest))
    return Snapshot(manifest: manifest, files: shown.files)
  }

  /// Gives a new manifest what doesn't depend on its rows.
  private func finish(_ manifest: inout Manifest, changing tickers: [TickerDays]) {
    manifest.settings = base.manifest.settings
    manifest.isBackup = false
    if packing != manifest.packing { manifest.packing = packing }
    (manifest.kept, manifest.recentCount) = (retention.kept, retention.recentCount)
    manifest.log = base.manifest.log.appending(LoggedCommit(generation: generation, tickers: tickers))
    if manifest.identity == nil { manifest.identity = Array(manifest.bytes.suffix(8)) }
  }

  /// The tickers of which rows have changed, and the days between which they have.
  private var changedTickers: [TickerDays] {
    changed.compactMap { ticker, state in state.changedDays.map { (ticker: ticker, days: $0) } }
      .sorted { $0.ticker < $1.ticker }
  }

  /// Writes the base's manifest under its own name, if it is kept from now on.
  private func keepBase() throws(StoreError) {
    let manifest = base.manifest
    func keeps(_ kept: [KeptManifest]) -> Bool { kept.contains { $0.generation == manifest.generation } }
    guard keeps(retention.kept), !keeps(manifest.kept) else { return }
    do {
      try fileSystem.writeFile(directory + "/" + StoreFiles.keptManifest(manifest.generation), [manifest.bytes])
    } catch { throw .inputOutput(error) }
  }

  func publish(_ manifest: Manifest) throws(StoreError) { try fileSystem.publish(manifest, in: directory) }
}
