/// The files in a store's directory, sound or damaged, for `verify` and `repair`.
struct StoreInventory {
  let directory: String
  /// The newest generation; nil when its manifest is damaged or lost.
  let snapshot: Snapshot?
  /// What is wrong with the manifest.
  let manifestDamage: StoreError?
  /// The files of the snapshot, in its order; without a snapshot, all column files in the directory, the oldest first.
  let files: [Result<ColumnFile, StoreError>]
  /// The earlier generations that the snapshot keeps.
  let kept: [(manifest: KeptManifest, snapshot: Result<Snapshot, StoreError>)]
  /// Column files that no manifest names: an interrupted writer has left them, or a writer is making them now.
  let strayNames: [String]

  /// - Throws: `noStore`, `unsupportedVersion` or `inputOutput`.
  init(_ directory: String, _ fileSystem: some FileSystem) throws(StoreError) {
    var inventory = try Self(now: directory, fileSystem)
    // A commit may have let a generation go since the manifest was read. Then it is no damage that its files are gone.
    while let snapshot = inventory.snapshot, !inventory.areKeptWhole,
      (try? Snapshot.manifest(in: directory, fileSystem, otherThan: snapshot.manifest.generation)) != nil
    {
      inventory = try Self(now: directory, fileSystem)
    }
    self = inventory
  }

  private init(now directory: String, _ fileSystem: some FileSystem) throws(StoreError) {
    var damage: StoreError?
    var snapshot: Snapshot?
    do { snapshot = try Snapshot.newestOfStore(in: directory, fileSystem) } catch {
      guard case .damaged = error else { throw error }
      damage = error
    }
    let names: [String]
    do { names = try fileSystem.names(in: directory).filter(StoreFiles.isColumnFile).sorted() } catch {
      throw error.isNoSuchFile ? .noStore(path: directory) : .inputOutput(error)
    }
    if let snapshot {
      let manifest = snapshot.manifest
      kept = manifest.kept.map { kept in
        (kept, Result { () throws(StoreError) in try Snapshot.kept(kept, in: directory, fileSystem) })
      }
      let named = manifest.fileNames
      (files, strayNames) = (snapshot.files, names.filter { !named.contains($0) })
    } else {
      guard damage != nil else { throw .noStore(path: directory) }
      (files, kept, strayNames) = (try Self.files(names, in: directory, fileSystem), [], [])
    }
    (self.directory, self.snapshot, manifestDamage) = (directory, snapshot, damage)
  }

  /// Whether everything of the earlier generations can be read.
  private var areKeptWhole: Bool {
    kept.allSatisfy { _, snapshot in
      guard case .success(let snapshot) = snapshot else { return false }
      return snapshot.files.allSatisfy { file in if case .success = file { true } else { false } }
    }
  }

  /// The bytes of all files that can be read.
  var byteCount: Int { (files + keptFiles).reduce(0) { $0 + ((try? $1.get())?.byteCount ?? 0) } }

  /// The files of the kept generations that the newest one doesn't have, each once.
  var keptFiles: [Result<ColumnFile, StoreError>] {
    var known = Set(snapshot?.manifest.files.map(\.id) ?? [])
    var files: [Result<ColumnFile, StoreError>] = []
    for case .success(let snapshot) in kept.map(\.snapshot) {
      for (record, file) in zip(snapshot.manifest.files, snapshot.files) where known.insert(record.id).inserted {
        files.append(file)
      }
    }
    return files
  }

  /// The files of these names, by the ids in their headers, ascending; files that can't be read come last.
  private static func files(
    _ names: [String], in directory: String, _ fileSystem: some FileSystem
  ) throws(StoreError) -> [Result<ColumnFile, StoreError>] {
    var (sound, damaged): ([ColumnFile], [StoreError]) = ([], [])
    for name in names {
      do { sound.append(try ColumnFile(directory + "/" + name, in: fileSystem)) } catch {
        guard case .damaged = error else { throw error }
        damaged.append(error)
      }
    }
    return sound.sorted { $0.id < $1.id }.map { .success($0) } + damaged.map { .failure($0) }
  }
}
