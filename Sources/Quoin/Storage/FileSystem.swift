// The file-system seam: every operation by which a store touches the disk, and nothing else. One implementation calls
// the operating system. Tests have others, which fail the n-th call or forget writes that were not synced.
//
// A store's files are regular files. What else has the name of one is refused, unopened (StoreFileGate.swift).

/// The file operations that a store is built on.
protocol FileSystem: Sendable {
  /// Creates a directory, unless it exists already.
  func createDirectory(_ path: String) throws(FileSystemError)

  /// Creates a file, which must not exist yet, and opens it for writing.
  func createFile(_ path: String) throws(FileSystemError) -> any WritableFile

  /// Maps a whole file for reading. The mapping keeps the bytes, even when the file is removed.
  func map(_ path: String) throws(FileSystemError) -> MappedFile

  /// Renames the file at `path` to `newPath`, atomically, and replaces any file there.
  func rename(_ path: String, to newPath: String) throws(FileSystemError)

  func remove(_ path: String) throws(FileSystemError)

  /// Removes an empty directory.
  func removeDirectory(_ path: String) throws(FileSystemError)

  /// The names in a directory, in no particular order.
  func names(in directory: String) throws(FileSystemError) -> [String]

  /// Makes creations, renames and removals in a directory durable.
  func syncDirectory(_ path: String) throws(FileSystemError)

  /// Takes the lock on the file at `path`, which is created if necessary; nil if another holder has it. The lock is released
  /// with the returned object, or when the process ends, however it ends.
  func lock(_ path: String, holder: String) throws(FileSystemError) -> (any HeldLock)?

  /// The time by the system's clock, to the second.
  var now: CommitTime { get }

  /// Tells when a name in a directory comes or goes; nil if the file system can't. It may tell too often.
  func watch(_ directory: String) -> DirectoryWatch?

  /// Whether a symbolic link is at the path itself.
  func isLink(_ path: String) -> Bool
}

extension FileSystem {
  func watch(_ directory: String) -> DirectoryWatch? { nil }
  func isLink(_ path: String) -> Bool { false }
  // Nothing depends on it: sharded stores remove directories for their space, and a failed first write to leave nothing.
  func removeDirectory(_ path: String) throws(FileSystemError) {}
  var now: CommitTime { currentTime() }
}

/// A new file that is being written from its beginning.
protocol WritableFile {
  /// Appends all of `bytes`.
  func write(_ bytes: RawSpan) throws(FileSystemError)

  /// Makes the written bytes durable. After a failure their state is unknown, and the sync must not be repeated.
  func sync() throws(FileSystemError)
}

extension WritableFile {
  /// Writes all of `bytes` after what was written before.
  func write(_ bytes: [UInt8]) throws(FileSystemError) {
    try bytes.withRawSpan { (bytes) throws(FileSystemError) in try write(bytes) }
  }
}

/// A lock for as long as the object lives.
protocol HeldLock: AnyObject, Sendable {}

/// The bytes of a file, valid as long as the object lives.
///
/// It may be shared: the bytes are only read, and a published file is never written again.
final class MappedFile: @unchecked Sendable {
  /// The bytes, which must not be looked at after the object is gone.
  let view: ByteView
  /// Set if the bytes may become zeros, when somebody cuts off the file's end.
  private let mappingGuard: MappingGuard?
  private let fetch: @Sendable (Range<Int>) -> Void
  private let release: @Sendable () -> Void

  /// - Parameter fetch: what `announce` does.
  init(
    _ view: ByteView, guardedBy mappingGuard: MappingGuard? = nil,
    fetch: @escaping @Sendable (Range<Int>) -> Void = { _ in }, release: @escaping @Sendable () -> Void
  ) {
    (self.view, self.mappingGuard, self.fetch, self.release) = (view, mappingGuard, fetch, release)
  }

  deinit { release() }

  /// Says that these bytes will be read soon, so that the disk fetches just them, before they are waited for. It changes
  /// nothing else, and may do nothing. The range must lie inside.
  func announce(_ range: Range<Int>) { fetch(range) }

  /// Whether the bytes may become zeros while they are read, so that only copies of them can be relied on.
  var isGuarded: Bool { mappingGuard != nil }

  /// Whether the bytes have become zeros.
  var isLost: Bool { mappingGuard?.hasLostFile ?? false }

  /// Calls `body` with bytes that don't change meanwhile: a copy, if the file is guarded.
  func withStableBytes<Result>(
    _ range: Range<Int>, _ body: (ByteView) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard isGuarded else { return try body(view.slice(range)) }
    let copy = OwnedBytes(view.slice(range))
    defer { withExtendedLifetime(copy) {} }
    return try body(copy.view)
  }
}

/// A file operation that the operating system refused.
public struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried. Later versions may have more operations, so a `switch` needs an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Operation: String, Hashable, Sendable {
    /// Making a directory.
    case createDirectory = "create directory"
    /// The file operation of that name.
    case create, open, map, read, write, sync, rename, remove, list, lock
  }

  /// What was tried.
  public let operation: Operation
  /// The file or directory.
  public let path: String
  /// The operating system's error number.
  public let code: Int32
  /// What is at the path and isn't a store's file; nil if the system has refused the operation.
  let obstacle: StoreFileObstacle?

  /// An operation that failed with this error number of the operating system.
  public init(_ operation: Operation, _ path: String, code: Int32) {
    self.init(operation, path, code: code, nil)
  }

  init(_ operation: Operation, _ path: String, code: Int32, _ obstacle: StoreFileObstacle?) {
    (self.operation, self.path, self.code, self.obstacle) = (operation, path, code, obstacle)
  }

  /// The operation, the path and the operating system's message, or what is there.
  public var description: String {
    "cannot \(operation.rawValue) '\(path.printable)': \(obstacle.map { "\($0)" } ?? systemMessage(code))"
  }
}
