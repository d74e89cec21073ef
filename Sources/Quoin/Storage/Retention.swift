/// Which earlier generations a store keeps: those with a name, and the newest ones.
///
/// The newest manifest lists them with the files that they name, so a writer knows what it must not remove without reading them.
struct Retention: Equatable, Sendable {
  private(set) var kept: [KeptManifest]
  /// How many of the newest earlier generations each commit keeps.
  var recentCount: Int

  /// The nearest number that a manifest can hold.
  static func recentCount(_ wanted: Int) -> Int { min(max(wanted, 0), 1_000_000) }

  init(_ manifest: Manifest) { (kept, recentCount) = (manifest.kept, manifest.recentCount) }

  /// Keeps the base under a name.
  mutating func keep(_ base: Manifest, as name: String) throws(StoreError) {
    guard KeptManifest.isName(name) else { throw .snapshotRefused(name: name, .badName) }
    guard base.generation > 0 else { throw .snapshotRefused(name: name, .emptyStore) }
    guard !kept.contains(where: { $0.name == name }) else { throw .snapshotRefused(name: name, .nameTaken) }
    insert(KeptManifest(base, name))
  }

  /// Forgets a name. Returns whether there was such a snapshot.
  mutating func drop(_ name: String) -> Bool {
    let count = kept.count
    kept.removeAll { $0.name == name }
    return kept.count < count
  }

  /// Keeps the base because it is recent, and lets go what is recent no more.
  mutating func advance(_ base: Manifest) {
    if recentCount > 0, base.generation > 0 { insert(KeptManifest(base, nil)) }
    let recent = kept.filter { $0.name == nil }
    let oldest = Set(recent.dropLast(recentCount).map(\.generation))
    kept.removeAll { $0.name == nil && oldest.contains($0.generation) }
  }

  private mutating func insert(_ manifest: KeptManifest) {
    kept.append(manifest)
    kept.sort { ($0.generation, $0.name ?? "") < ($1.generation, $1.name ?? "") }
  }
}

extension KeptManifest {
  fileprivate init(_ manifest: Manifest, _ name: String?) {
    self.init(
      generation: manifest.generation, committedAt: manifest.committedAt, name: name, fileIDs: manifest.files.map(\.id))
  }
}
