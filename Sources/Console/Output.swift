import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where a command's data goes: standard output, or a file that appears under its name only when it is whole.
package final class Output {
  private static let bufferByteCount = 1 << 16

  private let name: String
  private let descriptor: Int32
  private var unfinished: UnfinishedFile?
  private var buffer: [UInt8] = []

  /// - Parameter path: nil or `-` for standard output.
  package init(to path: String? = nil) throws(OutputError) {
    guard let path, path != "-" else {
      (name, descriptor) = ("standard output", STDOUT_FILENO)
      return
    }
    name = "'\(path)'"
    if Self.isDevice(path) {
      // A device or a pipe is written to; a file in its place would be a nasty surprise.
      descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw OutputError(name, errno) }
    } else {
      let file = try UnfinishedFile(path)
      (descriptor, unfinished) = (file.descriptor, file)
    }
  }

  deinit { if unfinished == nil, descriptor > STDERR_FILENO { close(descriptor) } }

  /// Whether it is there, and no regular file.
  private static func isDevice(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  package func write(_ bytes: RawSpan) throws {
    if buffer.count + bytes.byteCount > Self.bufferByteCount { try flush() }
    if bytes.byteCount > Self.bufferByteCount {
      try unsafe bytes.withUnsafeBytes { unsafe try writeAll($0) }
    } else {
      unsafe bytes.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
    }
  }

  package func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > Self.bufferByteCount { try flush() }
  }

  /// Writes the rest, and gives the file its name.
  package func finish() throws {
    try flush()
    try unfinished?.finish()
  }

  private func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    try unsafe buffer.withUnsafeBytes { unsafe try writeAll($0) }
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let count = unsafe write(rest.baseAddress, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw OutputError(name, count == 0 ? ENOSPC : errno) }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  private func write(_ start: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.write(descriptor, start, count)
    #else
      unsafe Darwin.write(descriptor, start, count)
    #endif
  }
}

/// The operating system did not take the output.
package struct OutputError: Error, CustomStringConvertible {
  package let description: String

  /// - Parameter name: where it was to go, in quotes if it is a path.
  package init(_ name: String, _ code: Int32) {
    description = "cannot write \(name): \(systemMessage(code))"
  }
}

/// Prints a command's sentence about what it did.
package func report(_ sentence: String) throws {
  let output = try Output()
  try output.write(sentence + "\n")
  try output.finish()
}
