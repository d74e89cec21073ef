/// One generation of a store: its manifest and its column files, all mapped. Later commits don't change it, because a
/// mapping keeps its bytes even after the file is removed.
final class Snapshot: Sendable {
  let manifest: Manifest
  /// The tickers that have rows, ascending. Results name their tickers by their places here.
  let symbols: [TickerSymbol]
  /// In the order of `manifest.files`: each file, or its damage, which is thrown when its blocks are asked for. The rows in
  /// other files stay readable.
  let files: [Result<ColumnFile, StoreError>]
  /// Whether some volumes have a fraction, so that all are float64s in answers.
  let hasFractions: Bool
  /// The day up to which rows exist here, because later ones were left out, so that no question may look ahead; nil if it may.
  let asOf: TradingDay?
  /// How long the bars are that the rows are; nil if they are quotes of days. Bars of several tickers meet by period, whatever days
  /// they have.
  let barPeriod: CalendarPeriod?
  /// The stores that this one is made of; none if it is an ordinary one.
  let shards: [StoreShard]

  init(
    manifest: Manifest = Manifest(), files: [Result<ColumnFile, StoreError>] = [], asOf day: TradingDay? = nil,
    barsOf period: CalendarPeriod? = nil, shards: [StoreShard] = []
  ) {
    self.manifest = manifest
    (asOf, barPeriod) = (day, period)
    self.shards = shards
    symbols = manifest.tickers.map(\.symbol)
    self.files = files
    hasFractions = files.contains { (try? $0.get())?.hasFractions ?? false }
  }

  /// File `index` of the manifest.
  func file(_ index: Int) throws(StoreError) -> ColumnFile { try files[index].get() }

  /// Whether all files are there and can be read, as far as is known. If not, they may be by now, opened anew.
  var isWhole: Bool { files.allSatisfy { (try? $0.get()).map { !$0.file.isLost } ?? false } }

  /// All files. Writers need them; throws if one is damaged, or has a column that a writer would lose.
  func soundFiles() throws(StoreError) -> [ColumnFile] {
    var sound: [ColumnFile] = []
    for file in files {
      let file = try file.get()
      if let error = file.unknownColumnError { throw error }
      sound.append(file)
    }
    return sound
  }

  /// The newest generation in `directory`, of a store or a sharded one; nil when there is none.
  ///
  /// - Parameter known: another generation. Files that it has too aren't opened, or checked, once more.
  static func newest(
    in directory: String, _ fileSystem: some FileSystem, knowing known: Snapshot? = nil
  ) throws(StoreError) -> Snapshot? {
    if let snapshot = try newestOfStore(in: directory, fileSystem, knowing: known) {
      try snapshot.checkGeneration(in: directory, fileSystem)
      return snapshot
    }
    return try newestOfShards(in: directory, fileSystem, knowing: known)
  }

  /// The same of an ordinary store.
  ///
  /// A store has a manifest before it has column files, so column files alone mean that the manifest is lost.
  static func newestOfStore(
    in directory: String, _ fileSystem: some FileSystem, knowing known: Snapshot? = nil
  ) throws(StoreError) -> Snapshot? {
    while true {
      guard let manifest = try self.manifest(in: directory, fileSystem) else {
        if try !hasColumnFiles(directory, fileSystem) { return nil }
        // A writer may have created the store since the manifest was looked for.
        if try self.manifest(in: directory, fileSystem) != nil { continue }
        let path = directory + "/" + StoreFiles.manifest
        throw .damaged(path: path, offset: 0, reason: "it is missing, and there are column files that it has to name")
      }
      let (files, isComplete) = try files(of: manifest, in: directory, fileSystem, knowing: known)
      // A writer may have removed a file since the manifest was read: then there is a newer manifest.
      if !isComplete, try self.manifest(in: directory, fileSystem) != manifest { continue }
      return Snapshot(manifest: manifest, files: files)
    }
  }

  /// Throws if the directory is a copy that was made while a writer changed the store: files that the manifest names are missing or
  /// not finished, and others are there, or kept manifests are missing too. No writer leaves a store so, whenever it dies.
  func checkGeneration(in directory: String, _ fileSystem: some FileSystem) throws(StoreError) {
    let isBroken = zip(manifest.files, files).contains { record, file in
      guard case .failure = file else { return false }
      do throws(FileSystemError) {
        let file = try fileSystem.map(directory + "/" + record.name)
        return withExtendedLifetime(file) { file.view.count < record.byteCount }
      } catch { return error.isNoSuchFile }
    }
    guard isBroken, let names = try? fileSystem.names(in: directory) else { return }
    let needed = manifest.fileNames
    let others = names.contains {
      (StoreFiles.isColumnFile($0) || StoreFiles.isKeptManifest($0)) && !needed.contains($0)
    }
    if others || manifest.kept.contains(where: { !names.contains($0.fileName) }) {
      throw .twoGenerations(path: directory)
    }
  }

  /// An earlier generation that `newest` keeps.
  static func kept(
    _ kept: KeptManifest, in directory: String, _ fileSystem: some FileSystem, knowing newest: Snapshot? = nil
  ) throws(StoreError) -> Snapshot {
    let path = directory + "/" + kept.fileName
    guard let manifest = try manifest(at: path, fileSystem) else {
      throw .damaged(path: path, offset: 0, reason: "it is missing, and the manifest names it")
    }
    guard manifest.isNamed(by: kept) else {
      throw .damaged(path: path, offset: 0, reason: "this is not the generation that the manifest names")
    }
    let (files, _) = try files(of: manifest, in: directory, fileSystem, knowing: newest)
    return Snapshot(manifest: manifest, files: files)
  }

  private static func hasColumnFiles(_ directory: String, _ fileSystem: some FileSystem) throws(StoreError) -> Bool {
    do { return try fileSystem.names(in: directory).contains(where: StoreFiles.isColumnFile) } catch {
      if error.isNoSuchFile { return false }
      throw .inputOutput(error)
    }
  }

  private static func manifest(in directory: String, _ fileSystem: some FileSystem) throws(StoreError) -> Manifest? {
    try manifest(at: directory + "/" + StoreFiles.manifest, fileSystem)
  }

  /// The newest manifest, unless it is that of `generation`.
  static func manifest(
    in directory: String, _ fileSystem: some FileSystem, otherThan generation: UInt64
  ) throws(StoreError) -> Manifest? {
    let path = directory + "/" + StoreFiles.manifest
    let mapping: MappedFile
    do { mapping = try fileSystem.map(path) } catch {
      guard error.isNoSuchFile else { throw StoreError(reading: error) }
      if generation > 0 { throw .noStore(path: directory) }
      return nil
    }
    defer { withExtendedLifetime(mapping) {} }
    let offset = Manifest.generationOffset
    if mapping.view.count >= offset + 8, mapping.view.integer(at: offset) == generation { return nil }
    return try manifest(in: mapping, path)
  }

  private static func manifest(at path: String, _ fileSystem: some FileSystem) throws(StoreError) -> Manifest? {
    let mapping: MappedFile
    do { mapping = try fileSystem.map(path) } catch {
      if error.isNoSuchFile { return nil }
      throw StoreError(reading: error)
    }
    defer { withExtendedLifetime(mapping) {} }
    mapping.announce(0..<min(mapping.view.count, Limits.manifestByteCount))
    return try manifest(in: mapping, path)
  }

  private static func manifest(in file: MappedFile, _ path: String) throws(StoreError) -> Manifest {
    guard file.view.count <= Limits.manifestByteCount else {
      throw .damaged(path: path, offset: Limits.manifestByteCount, reason: "a manifest ends before this byte")
    }
    return try file.withStableBytes(0..<file.view.count) { bytes throws(StoreError) in try Manifest(bytes, path: path) }
  }

  /// The manifest's files, damaged or not, and whether all of them are there.
  ///
  /// - Throws: errors other than damage: another version of the format, or a lack of descriptors or memory.
  private static func files(
    of manifest: Manifest, in directory: String, _ fileSystem: some FileSystem, knowing known: Snapshot?
  ) throws(StoreError) -> (files: [Result<ColumnFile, StoreError>], isComplete: Bool) {
    var files: [Result<ColumnFile, StoreError>] = []
    let openFiles = known?.files(matching: manifest.files) ?? manifest.files.map { _ in nil }
    let mappings = try mappings(of: manifest, without: openFiles, in: directory, fileSystem)
    var isComplete = true
    for ((record, mapping), openFile) in zip(zip(manifest.files, mappings), openFiles) {
      if let openFile {
        files.append(.success(openFile))
        continue
      }
      let path = directory + "/" + record.name
      do throws(StoreError) {
        guard let mapping = try mapping?.get() else {
          isComplete = false
          throw .damaged(path: path, offset: 0, reason: "it is missing, and the manifest names it")
        }
        files.append(.success(try ColumnFile(record, path, mapping)))
      } catch {
        guard case .damaged = error else { throw error }
        files.append(.failure(error))
      }
    }
    return (files, isComplete)
  }

  /// Maps the manifest's files that aren't open, nil for one that is missing, and announces what opening reads of them. So the
  /// disk fetches it of all files together.
  private static func mappings(
    of manifest: Manifest, without openFiles: [ColumnFile?], in directory: String, _ fileSystem: some FileSystem
  ) throws(StoreError) -> [Result<MappedFile, StoreError>?] {
    var runCounts = manifest.files.map { _ in 0 }
    for run in manifest.runs { runCounts[run.fileIndex] += 1 }
    var mappings: [Result<MappedFile, StoreError>?] = manifest.files.map { _ in nil }
    for (index, record) in manifest.files.enumerated() where openFiles[index] == nil {
      do {
        let file = try fileSystem.map(directory + "/" + record.name)
        ColumnFile.announceFront(of: file, blockCount: record.blockCount, runCount: runCounts[index])
        mappings[index] = .success(file)
      } catch {
        if error.isNoSuchFile { continue }
        guard case .damaged = StoreError(reading: error) else { throw .inputOutput(error) }
        mappings[index] = .failure(StoreError(reading: error))
      }
    }
    return mappings
  }

  /// For each record the sound file of this snapshot that it names; nil if there is none.
  ///
  /// A header's checksum is that of all checksums in the file, so a file of the same record has the same bytes.
  private func files(matching records: [FileRecord]) -> [ColumnFile?] {
    let files = Dictionary(
      zip(manifest.files, self.files).compactMap { record, file in (try? file.get()).map { (record, $0) } },
      uniquingKeysWith: { first, _ in first })
    return records.map { record in files[record].flatMap { $0.file.isLost ? nil : $0 } }
  }
}

/// The names in a store's directory.
enum StoreFiles {
  static let manifest = "MANIFEST"
  static let temporaryManifest = "MANIFEST.tmp"
  /// A file that is being copied.
  static let temporaryCopy = "COPY.tmp"
  static let lock = "LOCK"
  static let shards = "SHARDS"
  static let temporaryShards = "SHARDS.tmp"
  static let shardJournal = "SHARDS.changes"

  /// The manifest of an earlier generation that is kept.
  static func keptManifest(_ generation: UInt64) -> String { "\(generation).manifest" }

  /// A column file that comes from elsewhere and isn't whole yet.
  static func arriving(_ id: UInt64) -> String { "\(id).arriving" }

  /// Whether a file of this name belongs to a store.
  static func isOurs(_ name: String) -> Bool {
    isPublished(name) || [temporaryManifest, temporaryCopy, lock].contains(name) || isNumbered(name, ".arriving")
  }

  /// Whether a reader may look for a file of this name, because it is whole whenever it is there.
  static func isPublished(_ name: String) -> Bool {
    name == manifest || isColumnFile(name) || isKeptManifest(name)
  }

  /// Whether this is the name of a column file: digits and the suffix.
  static func isColumnFile(_ name: String) -> Bool { isNumbered(name, ".columns") }

  /// Whether this is the name of a kept manifest: digits and the suffix.
  static func isKeptManifest(_ name: String) -> Bool { isNumbered(name, ".manifest") }

  private static func isNumbered(_ name: String, _ suffix: String) -> Bool {
    guard name.hasSuffix(suffix) else { return false }
    let digits = name.dropLast(suffix.count)
    return !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }
}

extension ColumnFile {
  /// Checks that the file that was mapped from `path` is the one that a manifest names.
  convenience init(_ record: FileRecord, _ path: String, _ file: MappedFile) throws(StoreError) {
    try self.init(path, file)
    guard id == record.id, byteCount == record.byteCount, blockCount == record.blockCount,
      header.checksum == record.headerChecksum
    else {
      throw .damaged(path: path, offset: 0, reason: "this is not the file that the manifest names")
    }
  }

  /// How a manifest names the file.
  var record: FileRecord {
    FileRecord(id: id, byteCount: byteCount, blockCount: blockCount, headerChecksum: header.checksum)
  }
}
