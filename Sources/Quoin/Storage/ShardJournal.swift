/// What a change of a sharded store is about to make and to remove: a small text file, `SHARDS.changes`, which is there only while
/// the change goes on.
///
///     quoin shard changes 1
///     make shard-0003
///     move shard-0004 staged/7
///     drop shard-0001
///
/// It is complete before the first directory is made. So whatever interrupts the change, the next one knows which of the
/// directories beside the list are its leftovers.
struct ShardJournal {
  /// The directories that may be made, each with the path of the finished store that is moved there, if it is one.
  var made: [(name: String, finished: String?)] = []
  /// The directories that go when the new list is published.
  var dropped: [String] = []

  private static let firstLine = "quoin shard changes 1"

  /// Writes it into a directory. Afterwards it is durable.
  func write(in directory: String, _ fileSystem: some FileSystem) throws(FileSystemError) {
    var lines = [Self.firstLine]
    for (name, finished) in made {
      guard let finished else {
        lines.append("make \(name)")
        continue
      }
      // A store from elsewhere is never taken for a leftover.
      if let place = Self.place(of: finished, in: directory) { lines.append("move \(name) \(place)") }
    }
    lines += dropped.map { "drop \($0)" }
    try fileSystem.replaceFile(
      StoreFiles.shardJournal, by: Array(lines.map { $0 + "\n" }.joined().utf8), through: StoreFiles.temporaryShards,
      in: directory)
    try fileSystem.syncDirectory(directory)
  }

  /// What an interrupted change has written down. Lines that no change writes say nothing.
  static func read(in directory: String, _ fileSystem: some FileSystem) throws(FileSystemError) -> ShardJournal {
    let file = try fileSystem.map(directory + "/" + StoreFiles.shardJournal)
    defer { withExtendedLifetime(file) {} }
    var journal = ShardJournal()
    let lines = String(decoding: file.view.prefix(Limits.shardListByteCount).array, as: UTF8.self).split(
      separator: "\n")
    guard lines.first == firstLine[...] else { return journal }
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count >= 2, ShardList.isName(words[1]) else { continue }
      switch words[0] {
      case "make" where words.count == 2: journal.made.append((words[1], nil))
      case "drop" where words.count == 2: journal.dropped.append(words[1])
      case "move" where words.count == 3:
        let place = directory + "/" + words[2]
        if self.place(of: place, in: directory) != nil { journal.made.append((words[1], place)) }
      default: continue
      }
    }
    return journal
  }

  /// Takes away what `list` doesn't name: finished stores are where they were then, and new directories are gone. The journal goes
  /// last, and stays if something couldn't be removed.
  func settle(in directory: String, _ list: ShardList?, _ fileSystem: some FileSystem) {
    let others = (made.map { ($0.name, $0.finished) } + dropped.map { ($0, nil) }).filter { list?.has($0.0) != true }
    for (name, finished) in others {
      let path = directory + "/" + name
      if fileSystem.isLink(path) { continue }
      if let finished { try? fileSystem.rename(path, to: finished) } else { fileSystem.removeStore(path) }
    }
    try? fileSystem.remove(directory + "/" + StoreFiles.temporaryShards)
    guard let names = try? fileSystem.names(in: directory), Set(names).isDisjoint(with: others.map(\.0)) else { return }
    try? fileSystem.remove(directory + "/" + StoreFiles.shardJournal)
  }

  /// The path of a finished store from the directory on; nil if it isn't inside, or can't be written in a line.
  private static func place(of finished: String, in directory: String) -> String? {
    guard finished.hasPrefix(directory + "/") else { return nil }
    let place = String(finished.dropFirst(directory.utf8.count + 1))
    let parts = place.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { !["", ".", ".."].contains($0) } && !place.utf8.contains(UInt8(ascii: "\n"))
    return isPlain ? place : nil
  }
}

extension ShardList {
  /// Whether a directory is one of these shards, or was one before.
  func has(_ name: String) -> Bool { names.contains(name) || before.contains(name) }
}

extension FileSystem {
  /// Removes a store's files, and its directory if nothing else is in it. A failure costs only space.
  func removeStore(_ directory: String) {
    if isLink(directory) { return }
    for name in (try? names(in: directory)) ?? [] where StoreFiles.isOurs(name) { try? remove(directory + "/" + name) }
    try? removeDirectory(directory)
  }

  /// Removes stores that were published elsewhere. First all are out of the way, so that nobody finds a part of one, and who is
  /// interrupted meanwhile knows that all were published.
  func removePublishedStores(_ directories: [String]) {
    for directory in directories {
      do { try rename(directory, to: directory + Self.published) } catch {
        if !error.isNoSuchFile { removeStore(directory) }
      }
    }
    for directory in directories { removeStore(directory + Self.published) }
  }

  /// Whether a store is on its way out after it was published.
  func wasPublished(_ directory: String) -> Bool { (try? names(in: directory + Self.published)) != nil }

  /// Whether there is no such directory.
  func isGone(_ directory: String) -> Bool {
    do { _ = try names(in: directory) } catch { return error.isNoSuchFile }
    return false
  }

  private static var published: String { ".published" }
}
