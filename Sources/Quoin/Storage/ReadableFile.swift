#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file, or standard input, that is read from its position to its end.
///
/// It isn't part of the seam: no store depends on the files that an import reads.
final class ReadableFile {
  /// The path, or `standard input`.
  let name: String
  private let descriptor: Int32
  private let isOwned: Bool

  /// Opens the file at `path`; `-` is standard input, which stays open.
  init(path: String) throws(FileSystemError) {
    isOwned = path != "-"
    name = isOwned ? path : "standard input"
    descriptor = isOwned ? try openDescriptor(path, O_RDONLY) : STDIN_FILENO
  }

  deinit { if isOwned { close(descriptor) } }

  /// The bytes from the position to the end, or nil for a stream.
  var remainingByteCount: Int? {
    let position = lseek(descriptor, 0, Int32(SEEK_CUR))
    guard position >= 0, let status = status(of: descriptor), status.st_mode & S_IFMT == S_IFREG else { return nil }
    return max(0, Int(status.st_size) - Int(position))
  }

  /// The last bytes of the file, at most `count`; nil for a stream.
  func lastBytes(_ count: Int) throws(FileSystemError) -> [UInt8]? {
    guard let status = status(of: descriptor), status.st_mode & S_IFMT == S_IFREG else { return nil }
    return try readBytes(of: descriptor, name, at: max(0, Int(status.st_size) - count), count)
  }

  /// Reads some bytes, at most `countMax`, into `buffer` from byte `start` on; 0 at the end.
  func read(into buffer: inout MutableRawSpan, at start: Int, countMax: Int) throws(FileSystemError) -> Int {
    try readSome(of: descriptor, name, into: &buffer, at: start, countMax: countMax)
  }
}
