#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that a download is written to. It gets its name when it is complete; otherwise it is removed.
final class DownloadFile {
  private let descriptor: Int32
  /// The path of the unfinished file; nil if it has none.
  private var temporaryPath: String?

  /// A file that will appear at `path`.
  init(for path: String) throws {
    (descriptor, temporaryPath) = try Self.make(path)
  }

  /// A file without a name, in the environment's TMPDIR, else in /var/tmp. However the process ends, no file is left behind.
  /// `path` leads to it as long as this object exists.
  init() throws {
    let folder = ProcessEnvironment["TMPDIR"] ?? "/var/tmp"
    let path: String?
    (descriptor, path) = try Self.make(folder.hasSuffix("/") ? folder + "quoin" : folder + "/quoin")
    if let path { unsafe unlink(path) }
  }

  deinit {
    close(descriptor)
    if let temporaryPath { unsafe unlink(temporaryPath) }
  }

  private static func make(_ path: String) throws -> (Int32, String?) {
    var template = Array("\(path).XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw error("make a file beside '\(path)'") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return (descriptor, String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// A path at which the file can be read from its beginning.
  var path: String { "/dev/fd/\(descriptor)" }

  /// Discards the written bytes.
  func empty() throws {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, Int32(SEEK_SET)) == 0 else {
      throw Self.error("empty the download")
    }
  }

  /// Goes back to the beginning, because on some systems reading at `path` starts at the file's position.
  func rewind() throws {
    guard lseek(descriptor, 0, Int32(SEEK_SET)) == 0 else { throw Self.error("read the download") }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    // Sound: the rest is always a part of `bytes`.
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let count = unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.error("write the download") }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Syncs the file and moves it to its path.
  func finish(as path: String) throws {
    guard let temporaryPath else { return }
    guard fchmod(descriptor, 0o644) == 0, fsync(descriptor) == 0, unsafe rename(temporaryPath, path) == 0 else {
      throw Self.error("make '\(path)'")
    }
    self.temporaryPath = nil
  }

  private static func error(_ action: String) -> QuandlClientError {
    let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    return QuandlClientError(.file, "cannot \(action): \(reason)")
  }
}

private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, start, count)
}
