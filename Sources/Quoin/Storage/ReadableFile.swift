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
    descriptor = isOwned ? try systemCall(.open, path) { unsafe open(path, O_RDONLY | O_CLOEXEC) } : STDIN_FILENO
  }

  deinit { if isOwned { close(descriptor) } }

  /// The bytes from the position to the end, or nil for a stream.
  var remainingByteCount: Int? {
    var status = stat()
    let position = lseek(descriptor, 0, Int32(SEEK_CUR))
    guard position >= 0, unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return max(0, Int(status.st_size) - Int(position))
  }

  /// Reads some bytes into `buffer`; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileSystemError) -> Int {
    // Sound: the kernel writes no more bytes than the count says, which is at most the buffer's.
    let count = min(buffer.count, 1 << 30)
    return Int(try systemCall(.read, name) { unsafe Int32(systemRead(descriptor, buffer.baseAddress, count)) })
  }
}

/// `read(2)` under a name that `ReadableFile.read` doesn't hide.
private func systemRead(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, start, count)
}
