/// The stores that a sharded store is made of: a small text file, `SHARDS`, which is replaced by one atomic rename.
///
///     quoin shards 1
///     base 0
///     shard shard-0002
///     before shard-0001
///     checksum 1f0c37a2b95e6d48
struct ShardList: Equatable, Sendable {
  /// What the generations of the shards are added to. So the sum grows too when shards are replaced by others.
  var base: UInt64 = 0
  /// The names of the shards' directories, next to the list.
  var names: [String] = []
  /// The directories that the list before this one named. They go with the next list, so that a reader of that one has time to
  /// open them.
  var before: [String] = []

  private static let version: UInt32 = 1

  /// The list's bytes.
  var bytes: [UInt8] {
    var lines = ["quoin shards \(Self.version)", "base \(base)"]
    lines += names.map { "shard \($0)" } + before.map { "before \($0)" }
    let text = lines.map { $0 + "\n" }.joined()
    return Array((text + "checksum \(Self.checksum(of: text))\n").utf8)
  }

  /// - Parameter path: the file, for errors.
  /// - Throws: `StoreError`: `damaged` or `unsupportedVersion`.
  init(_ bytes: [UInt8], path: String) throws(StoreError) {
    let damaged = StoreError.damaged(path: path, offset: 0, reason: "it is no list of shards")
    let text = String(decoding: bytes, as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, first.hasPrefix("quoin shards "), let found = UInt32(first.dropFirst(13)) else {
      throw damaged
    }
    if found != Self.version { throw .unsupportedVersion(path: path, found: found, supported: Self.version) }
    guard lines.popLast() == "", let last = lines.popLast(),
      last == "checksum \(Self.checksum(of: lines.map { $0 + "\n" }.joined()))"
    else { throw .damaged(path: path, offset: 0, reason: "its checksum is that of other bytes") }
    for line in lines.dropFirst() {
      let (word, rest) = (line.prefix { $0 != " " }, String(line.drop { $0 != " " }.dropFirst()))
      switch word {
      case "base":
        guard let base = UInt64(rest), base < 1 << 60 else { throw damaged }
        self.base = base
      case "shard" where Self.isName(rest): names.append(rest)
      case "before" where Self.isName(rest): before.append(rest)
      default: throw damaged
      }
    }
  }

  init(base: UInt64 = 0, names: [String] = [], before: [String] = []) {
    (self.base, self.names, self.before) = (base, names, before)
  }

  /// The list in a directory; nil if there is none.
  static func read(in directory: String, _ fileSystem: some FileSystem) throws(StoreError) -> ShardList? {
    let path = directory + "/" + StoreFiles.shards
    let file: MappedFile
    do { file = try fileSystem.map(path) } catch {
      if error.isNoSuchFile { return nil }
      throw StoreError(reading: error)
    }
    defer { withExtendedLifetime(file) {} }
    guard file.view.count <= Limits.shardListByteCount else {
      throw .damaged(path: path, offset: Limits.shardListByteCount, reason: "a list of shards ends before this byte")
    }
    let list = try file.withStableBytes(0..<file.view.count) { bytes throws(StoreError) in
      try ShardList(bytes.array, path: path)
    }
    // Else a list from somebody else could name any store of the user's, and the next list would remove it.
    for name in list.names + list.before where fileSystem.isLink(directory + "/" + name) {
      throw StoreError(reading: FileSystemError(.open, directory + "/" + name, .link))
    }
    return list
  }

  /// Replaces the list in a directory. Afterwards it is durable.
  ///
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, the old list is there.
  func publish(in directory: String, _ fileSystem: some FileSystem) throws(StoreError) {
    do {
      try fileSystem.replaceFile(StoreFiles.shards, by: bytes, through: StoreFiles.temporaryShards, in: directory)
    } catch { throw .inputOutput(error) }
    do { try fileSystem.syncDirectory(directory) } catch { throw .commitUnknown(error) }
  }

  /// A name for one more directory: `shard-0017`. It isn't one of those that were there.
  static func newName(besides names: some Sequence<String>) -> String {
    // Longer numbers aren't names that were made here.
    let numbers = names.compactMap { $0.hasPrefix("shard-") && $0.utf8.count < 24 ? Int($0.dropFirst(6)) : nil }
    let digits = String((numbers.max() ?? 0) + 1)
    return "shard-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Whether this may be the name of a shard's directory, which lies in the store's.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix(".") && !text.utf8.contains(UInt8(ascii: "/"))
  }

  private static func checksum(of text: String) -> String {
    let digits = String(Checksum(of: Array(text.utf8)).value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
