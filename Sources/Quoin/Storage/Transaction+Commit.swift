// The commit protocol. After every step but the rename, a crash leaves the old generation; after the rename, the new.
//
// A new store gets an empty manifest, generation 0, by steps 2 to 5 first: column files without a manifest are a store
// that has lost it, and not one to write to.
//
//   1. write the new column files, sync each (Transaction.seal)
//   2. write MANIFEST.tmp, sync it
//   3. sync the directory, so that the new names are durable before anything refers to them
//   4. rename MANIFEST.tmp to MANIFEST
//   5. sync the directory: now the commit is acknowledged
//   6. remove the files that no manifest names any more

extension Transaction {
  /// Publishes what was written as one new generation; nil when nothing differs from the base, which is durable then.
  ///
  /// - Parameters:
  ///   - importRecords: the records of the imports that brought the rows.
  ///   - compacting: whether to rewrite all files, ticker by ticker.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  func commit(importRecords: [StockQuotePeriod] = [], compacting: Bool = false) throws(StoreError) -> Snapshot? {
    guard !changed.isEmpty || (compacting && !base.files.isEmpty) else {
      // Whoever wrote what is there already may have died before the last sync, and the caller takes it for durable.
      do { try fileSystem.syncDirectory(directory) } catch { throw .commitUnknown(error) }
      return nil
    }
    try fold(everything: compacting)
    builder.importRecords += importRecords.filter(isCurrent)
    try seal()
    let snapshot = newSnapshot()
    try publish(snapshot.manifest)
    removeFiles(except: snapshot)
    return snapshot
  }

  /// Removes what a writer that died has left behind.
  ///
  /// It may have died, or failed, between the rename and the sync after it: until the base is durable, the files of the
  /// generation before are needed.
  func removeStrayFiles() throws(StoreError) {
    do throws(FileSystemError) {
      guard try !removableFiles(except: base).isEmpty else { return }
      try fileSystem.syncDirectory(directory)
    } catch { throw .inputOutput(error) }
    removeFiles(except: base)
  }

  /// Removes what was written, unless the commit may have been published.
  func abandon(after error: any Error) {
    if case .commitUnknown? = error as? StoreError { return }
    removeFiles(except: base)
  }

  private func newSnapshot() -> Snapshot {
    var manifest = Manifest(generation: generation, nextFileID: nextFileID)
    var runs = tickers.map { ($0, working($0)) }
    let used = Set(runs.flatMap { $0.1.runs.map(\.fileIndex) })
    // A file without live rows stays for its records of imports, until the next fold takes them over.
    let kept = files.indices.filter { used.contains($0) || files[$0].blockCount == 0 && $0 >= base.files.count }
    let newIndex = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    for index in runs.indices {
      for run in runs[index].1.runs.indices {
        runs[index].1.runs[run].fileIndex = newIndex[runs[index].1.runs[run].fileIndex]!
      }
      let (ticker, state) = runs[index]
      manifest.tickers.append(
        TickerRecord(
          symbol: ticker, firstRun: manifest.runs.count, runCount: state.runs.count,
          createdGeneration: state.createdGeneration))
      manifest.runs += state.runs
    }
    manifest.files = kept.map { files[$0].record }
    return Snapshot(manifest: manifest, files: kept.map { .success(files[$0]) })
  }

  func publish(_ manifest: Manifest) throws(StoreError) {
    let temporary = directory + "/" + StoreFiles.temporaryManifest
    let bytes = manifest.bytes
    guard bytes.count <= Limits.manifestByteCount else {
      throw .limit(
        "a store has room for a manifest of \(Limits.manifestByteCount) bytes, and this one has \(bytes.count)")
    }
    do throws(FileSystemError) {
      try fileSystem.writeFile(temporary, [bytes])
      try fileSystem.syncDirectory(directory)
      try fileSystem.rename(temporary, to: directory + "/" + StoreFiles.manifest)
    } catch { throw .inputOutput(error) }
    do { try fileSystem.syncDirectory(directory) } catch { throw .commitUnknown(error) }
  }

  /// Removes column files that `snapshot` doesn't name, and a temporary manifest. Failing to costs only space: the next
  /// writer tries again.
  private func removeFiles(except snapshot: Snapshot) {
    for name in (try? removableFiles(except: snapshot)) ?? [] { try? fileSystem.remove(directory + "/" + name) }
  }

  private func removableFiles(except snapshot: Snapshot) throws(FileSystemError) -> [String] {
    let needed = Set(snapshot.manifest.files.map(\.name))
    return try fileSystem.names(in: directory).filter {
      !needed.contains($0) && (StoreFiles.isColumnFile($0) || $0 == StoreFiles.temporaryManifest)
    }
  }
}
