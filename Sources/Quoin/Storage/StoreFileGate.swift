#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// The gate that a store's files pass, because a store may come from somebody else: a name in it may lead to any file of the
// user's, to a device, or to a pipe that keeps its reader waiting for ever.
//
// Sound: the kernel gets each pointer with the true size of its memory, and keeps none of them. Swift ends a path with a
// zero byte.

/// Opens a file of a store: a regular one, through no symbolic link, and without waiting.
///
/// - Returns: the descriptor, which a program that this process starts doesn't inherit, and what the system knows of the file.
/// - Throws: `FileSystemError`; with an `obstacle` if there is something else of that name.
func openStoreFile(
  _ path: String, _ flags: Int32, as operation: FileSystemError.Operation = .open
) throws(FileSystemError) -> (descriptor: Int32, status: stat) {
  let descriptor: Int32
  do throws(FileSystemError) {
    descriptor = try openDescriptor(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, as: operation)
  } catch {
    // The kernel's words, such as `Too many levels of symbolic links`, don't say what is there.
    if let obstacle = StoreFileObstacle(at: path) { throw FileSystemError(operation, path, obstacle) }
    throw error
  }
  guard let status = status(of: descriptor) else {
    defer { close(descriptor) }
    throw FileSystemError(operation, path, code: errno)
  }
  if let obstacle = StoreFileObstacle(mode: status.st_mode) {
    close(descriptor)
    throw FileSystemError(operation, path, obstacle)
  }
  return (descriptor, status)
}

/// What is in the place of a store's file and can't be taken for one.
enum StoreFileObstacle: String, Hashable, Sendable, CustomStringConvertible {
  case link = "a symbolic link"
  case directory = "a directory"
  case pipe = "a named pipe"
  case socket = "a socket"
  case device = "a device"
  case manyNames = "a file with a second name (a hard link)"

  /// What is at a path; nil for a regular file, for nothing, and for what can't be looked at.
  init?(at path: String) {
    var status = stat()
    guard unsafe PathText.withSystemPath(path, { unsafe lstat($0, &status) }) == 0 else { return nil }
    self.init(mode: status.st_mode)
  }

  /// What a file of this mode is; nil for a regular file.
  init?(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFLNK: self = .link
    case S_IFDIR: self = .directory
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    default: self = .device
    }
  }

  /// What it is, and what to do about it.
  var description: String {
    switch self {
    case .link: "it is \(rawValue), which no store follows; put the file itself in its place"
    case .manyNames: "it is \(rawValue), and a writer would write into both; remove this name"
    case .directory, .pipe, .socket, .device: "it is \(rawValue) and no file; remove it"
    }
  }
}

extension FileSystemError {
  /// An operation that was refused because of what is at the path.
  init(_ operation: Operation, _ path: String, _ obstacle: StoreFileObstacle) {
    self.init(operation, path, code: EINVAL, obstacle)
  }
}

extension StoreError {
  /// That a store's file can't be read: what is no file at all is damage, so it costs only what the file had.
  init(reading error: FileSystemError) {
    self = error.obstacle.map { .damaged(path: error.path, offset: 0, reason: "\($0)") } ?? .inputOutput(error)
  }
}

/// What a path leads to.
enum PathKind {
  case file, directory, link, missing
  /// A pipe, a device or a socket.
  case other

  /// - Parameter followingLinks: whether a symbolic link counts as what it leads to.
  init(of path: String, followingLinks: Bool = true) {
    var status = stat()
    let result = unsafe PathText.withSystemPath(path) { path in
      unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
    }
    self = result == 0 ? Self(mode: status.st_mode) : .missing
  }

  /// What is at the path itself.
  ///
  /// - Throws: `FileSystemError` if that can't be known.
  init(lookingAt path: String) throws(FileSystemError) {
    var status = stat()
    try systemCall(.open, path) { unsafe PathText.withSystemPath(path) { unsafe lstat($0, &status) } }
    self.init(mode: status.st_mode)
  }

  private init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .link
      default: .other
      }
  }
}
