@testable import Quoin
@testable import QuoteGenerator

/// A disk between its syncs: what the medium holds for sure, and what a power failure may leave of the rest.
///
/// It allows what POSIX does, which is more than any one journalling file system would do:
/// - of a file's unsynced bytes, any length, and each piece before that there, zero, or half there;
/// - of the changes of names (creations, renames, removals) that no sync of their directory followed, any selection; a
///   rename is made, or not, or made with the old name left;
/// - the sync of a file says nothing of its name.
struct UnsyncedDisk {
  /// What was done to a disk.
  enum Step {
    case createDirectory(String)
    case create(NewFile)
    case write(NewFile, [UInt8])
    case sync(NewFile)
    case rename(String, to: String)
    case remove(String)
    case syncDirectory(String)
    /// Nothing done: from here on, the store must hold one of these contents.
    case promise([StoreContent])
  }

  /// A file as it was created: renaming it changes neither.
  struct NewFile {
    let number: Int
    let path: String
  }

  private struct File {
    var bytes: [UInt8] = []
    var isSynced = true
  }

  private enum Node {
    case directory
    case file(Int)
  }

  private struct NameChange {
    let directory: String
    var removed: String?
    var added: (path: String, Node)?

    /// How much of it may be made.
    var choices: [Extent] { removed != nil && added != nil ? [.none, .all, .addition] : [.none, .all] }
  }

  private enum Extent { case none, all, addition }

  private var files: [File] = []
  private var names: [String: Node] = [:]
  private var changes: [NameChange] = []

  /// A disk of which everything is synced.
  init(_ image: DiskImage = DiskImage()) {
    for directory in image.directories { names[directory] = .directory }
    for (path, bytes) in image.files.sorted(by: { $0.key < $1.key }) {
      names[path] = .file(files.count)
      files.append(File(bytes: bytes))
    }
  }

  var fileCount: Int { files.count }

  mutating func apply(_ step: Step) {
    switch step {
    case .createDirectory(let path): change(path, added: (path, .directory))
    case .create(let file):
      while files.count <= file.number { files.append(File()) }
      change(file.path, added: (file.path, .file(file.number)))
    case .write(let file, let bytes):
      files[file.number].bytes += bytes
      files[file.number].isSynced = false
    case .sync(let file): files[file.number].isSynced = true
    case .rename(let path, let newPath):
      guard let node = namesAfterAll[path] else { return }
      change(newPath, removed: path, added: (newPath, node))
    case .remove(let path): change(path, removed: path)
    case .syncDirectory(let path):
      let directory = path.hasSuffix("/..") ? Self.parent(String(path.dropLast(3))) : path
      for change in changes where change.directory == directory { Self.make(change, .all, &names) }
      changes.removeAll { $0.directory == directory }
    case .promise: break
    }
  }

  private mutating func change(_ path: String, removed: String? = nil, added: (path: String, Node)? = nil) {
    changes.append(NameChange(directory: Self.parent(path), removed: removed, added: added))
  }

  private static func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  private static func make(_ change: NameChange, _ extent: Extent, _ names: inout [String: Node]) {
    if extent == .none { return }
    if let removed = change.removed, extent == .all { names[removed] = nil }
    if let (path, node) = change.added { names[path] = node }
  }

  private var namesAfterAll: [String: Node] {
    var names = names
    for change in changes { Self.make(change, .all, &names) }
    return names
  }

  /// The disk as running programs see it.
  var current: DiskImage { image(namesAfterAll, [:]) }

  private func image(_ names: [String: Node], _ remains: [Int: Remains]) -> DiskImage {
    var image = DiskImage()
    for (path, node) in names {
      // What is in a directory that was never made can't be reached.
      let parent = Self.parent(path)
      if !parent.isEmpty, names[parent] == nil { continue }
      switch node {
      case .directory: image.directories.insert(path)
      case .file(let file): image.files[path] = remains[file]?.of(files[file].bytes) ?? files[file].bytes
      }
    }
    return image
  }

  /// Calls `body` with every state that a power failure may leave now, or with about `limit` of them, when there are
  /// more: the plain ones and random ones. Ends when `body` returns false.
  func forEachState(limit: Int, _ dice: inout SeededRandom, _ body: (DiskImage) -> Bool) {
    let namings = namings(limit: limit, &dice).map { (names: $0, unsynced: unsyncedFiles($0)) }
    let limit = max(4, limit / max(1, namings.count { !$0.unsynced.isEmpty }))
    for (names, unsynced) in namings {
      let remains = unsynced.map { Remains.all(of: files[$0].bytes.count, limit: limit, &dice) }
      for chosen in Self.selections(of: remains, limit: limit, &dice) {
        guard body(image(names, Dictionary(uniqueKeysWithValues: zip(unsynced, chosen)))) else { return }
      }
    }
  }

  /// What the names may be.
  private func namings(limit: Int, _ dice: inout SeededRandom) -> [[String: Node]] {
    Self.selections(of: changes.map(\.choices), limit: limit, &dice).map { extents in
      var names = names
      for (change, extent) in zip(changes, extents) { Self.make(change, extent, &names) }
      return names
    }
  }

  private func unsyncedFiles(_ names: [String: Node]) -> [Int] {
    var files: Set<Int> = []
    for case .file(let file) in names.values where !self.files[file].isSynced { files.insert(file) }
    return files.sorted()
  }

  /// Every way to take one of each list, or `limit` random ones when there are more.
  private static func selections<Choice>(
    of lists: [[Choice]], limit: Int, _ dice: inout SeededRandom
  ) -> [[Choice]] {
    let count = lists.reduce(1) { min($0 * $1.count, limit + 1) }
    if count > limit { return (0..<limit).map { _ in lists.map { dice.element(of: $0) } } }
    return (0..<count).map { number in
      var rest = number
      return lists.map { list in
        defer { rest /= list.count }
        return list[rest % list.count]
      }
    }
  }
}

/// What is left of a file's unsynced bytes.
private struct Remains {
  private enum Piece: CaseIterable { case there, zero, half }

  private let pieceByteCount: Int
  private let byteCount: Int
  private let pieces: [Piece]

  func of(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = Array(bytes.prefix(byteCount))
    for (index, piece) in pieces.enumerated() where piece != .there {
      let range = (index * pieceByteCount)..<min((index + 1) * pieceByteCount, byteCount)
      for position in range.dropFirst(piece == .half ? range.count / 2 : 0) { bytes[position] = 0 }
    }
    return bytes
  }

  /// All that may be left of so many bytes, or `limit` selections of it when there are more.
  static func all(of byteCount: Int, limit: Int, _ dice: inout SeededRandom) -> [Remains] {
    // Disks write sectors; files of few of them are cut finer, as a memory's lines are.
    let pieceByteCount = byteCount > 4096 ? 512 : 64
    let pieceCount = (byteCount + pieceByteCount - 1) / pieceByteCount
    func remains(_ length: Int, _ piece: (Int) -> Piece) -> Remains {
      let length = min(length, byteCount)
      return Remains(
        pieceByteCount: pieceByteCount, byteCount: length,
        pieces: (0..<((length + pieceByteCount - 1) / pieceByteCount)).map(piece))
    }
    let lengths = (0...(pieceCount * 2)).map { $0 * pieceByteCount / 2 }
    var all: [Remains] = []
    if pieceCount <= 8 {
      var selections = 1
      for length in lengths {
        for number in 0..<selections {
          var rest = number
          all.append(
            remains(length) { _ in
              defer { rest /= 3 }
              return Piece.allCases[rest % 3]
            })
        }
        // The piece that a length ends in is there as far as the length goes.
        if length % pieceByteCount == 0, length < byteCount { selections *= 3 }
      }
    }
    if all.isEmpty || all.count > limit {
      let whole = byteCount
      all = [remains(whole) { _ in .there }, remains(0) { _ in .there }, remains(whole) { _ in .zero }]
      for index in 0..<pieceCount {
        all.append(remains(whole) { $0 == index ? .zero : .there })
        all.append(remains(whole) { $0 == index ? .half : .there })
        all.append(remains(whole) { $0 == index ? .there : .zero })
      }
      for length in lengths.dropFirst() { all.append(remains(length) { _ in .there }) }
      while all.count < limit {
        let length = dice.chance(0.5) ? whole : dice.element(of: lengths)
        let share = dice.element(of: [0.05, 0.3, 0.7])
        all.append(remains(length) { _ in dice.chance(share) ? dice.element(of: [.zero, .half]) : .there })
      }
      if all.count > limit { all = (0..<limit).map { all[$0 * all.count / limit] } }
    }
    return all
  }
}

/// All that is on a disk.
struct DiskImage: Equatable {
  var directories: Set<String> = []
  var files: [String: [UInt8]] = [:]

  /// Equal for equal images, and for no others that a test will ever see.
  var checksum: UInt64 {
    var text: [UInt8] = []
    for directory in directories.sorted() { text += Array(directory.utf8) + [0] }
    for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
      text += Array(path.utf8) + [0]
      text.append(littleEndian: UInt64(bytes.count))
      text.append(littleEndian: Checksum(of: bytes).value)
    }
    return Checksum(of: text).value
  }
}
