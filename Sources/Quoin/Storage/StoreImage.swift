/// What a store keeps, by its manifests.
struct StoreListing: Sendable {
  let newest: Manifest
  /// The earlier generations that the newest one keeps, each once.
  let kept: [Manifest]

  /// The column files of all generations, each once.
  var files: [FileRecord] {
    var known: Set<UInt64> = []
    return ([newest] + kept).flatMap(\.files).filter { known.insert($0.id).inserted }
  }
}

/// All that is kept of a store: its newest generation and the earlier ones, mapped, so that no later commit changes any of it.
struct StoreImage {
  let newest: Snapshot
  /// The earlier generations that the newest one keeps, each once.
  let kept: [Snapshot]

  var listing: StoreListing { StoreListing(newest: newest.manifest, kept: kept.map(\.manifest)) }

  /// - Throws: `StoreError`: `noStore`, or `damaged` if something of any generation is missing.
  init(of directory: String, _ fileSystem: any FileSystem) throws(StoreError) {
    self = try Self.opened(directory, fileSystem)
  }

  private init(newest: Snapshot, kept: [Snapshot]) { (self.newest, self.kept) = (newest, kept) }

  private static func opened(_ directory: String, _ fileSystem: any FileSystem) throws(StoreError) -> StoreImage {
    while true {
      guard let newest = try Snapshot.newestOfStore(in: directory, fileSystem), newest.manifest.generation > 0 else {
        throw .noStore(path: directory)
      }
      do throws(StoreError) {
        var (kept, known) = ([Snapshot](), Set<UInt64>())
        for manifest in newest.manifest.kept where known.insert(manifest.generation).inserted {
          kept.append(try Snapshot.kept(manifest, in: directory, fileSystem, knowing: newest))
        }
        let image = StoreImage(newest: newest, kept: kept)
        _ = try image.files()
        return image
      } catch {
        // A commit may have let a generation go since the manifest was read.
        guard try Snapshot.manifest(in: directory, fileSystem, otherThan: newest.manifest.generation) != nil else {
          throw error
        }
      }
    }
  }

  /// The column files of all generations, each once.
  func files() throws(StoreError) -> [ColumnFile] {
    var (files, known) = ([ColumnFile](), Set<UInt64>())
    for snapshot in [newest] + kept {
      for (record, file) in zip(snapshot.manifest.files, snapshot.files) where known.insert(record.id).inserted {
        files.append(try file.get())
      }
    }
    return files
  }
}

extension Manifest {
  /// Whether this is the same generation of the same store as one of the listed, or can be an earlier one: neither has anything that
  /// the other one has in another form.
  func canPrecede(_ listing: StoreListing) -> Bool {
    let newest = listing.newest
    let records = Dictionary(listing.files.map { ($0.id, $0) }) { $1 }
    let moments = Dictionary(([newest] + listing.kept).map { ($0.generation, $0.committedAt) }) { $1 }
    let shared = files.filter { records[$0.id] != nil }
    guard generation <= newest.generation, identity == newest.identity || identity == nil && !shared.isEmpty else {
      return false
    }
    return shared.allSatisfy { records[$0.id] == $0 }
      && ([(generation, committedAt)] + kept.map { ($0.generation, $0.committedAt) })
        .allSatisfy { moments[$0.0] == nil || moments[$0.0] == $0.1 }
      && (generation < newest.generation || files == newest.files)
  }
}
