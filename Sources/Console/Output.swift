import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where a command's data goes: standard output, or a file that appears under its name only when it is complete.
package final class Output {
  private static let bufferByteCount = 1 << 16

  private let name: String
  /// Where the bytes go. Another program may write there too.
  package private(set) var descriptor: Int32
  /// Shows what doesn't fit the screen, once that is known.
  private var pager: ReadingProgram?
  private var isPaged: Bool
  private var unfinished: UnfinishedFile?
  private var buffer: [UInt8] = []

  /// - Parameters:
  ///   - path: nil or `-` for standard output.
  ///   - paged: whether a pager shows it on a terminal that is too small for it.
  package init(to path: String? = nil, paged: Bool = false) throws(OutputError) {
    isPaged = paged && Terminal.isOutput
    guard let path, path != "-" else {
      (name, descriptor) = ("standard output", STDOUT_FILENO)
      return
    }
    isPaged = false
    name = "'\(path)'"
    guard let mode = System.mode(of: path), mode & S_IFMT != S_IFREG else {
      let file = try UnfinishedFile(path)
      (descriptor, unfinished) = (file.descriptor, file)
      return
    }
    // A device or a pipe is written to; a file in its place would be a nasty surprise.
    do throws(SystemError) { descriptor = try System.open(path, O_WRONLY) } catch {
      throw OutputError(name, error.code)
    }
  }

  deinit { if unfinished == nil, descriptor > STDERR_FILENO { close(descriptor) } }

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  package func write(_ bytes: RawSpan) throws {
    if buffer.count + bytes.byteCount > Self.bufferByteCount { try flush() }
    if bytes.byteCount > Self.bufferByteCount {
      do throws(SystemError) { try System.write(bytes, to: descriptor) } catch { throw OutputError(name, error.code) }
    } else {
      buffer.append(bytes)
    }
  }

  package func write(_ text: String) throws { try write(Array(text.utf8)) }

  package func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count > Self.bufferByteCount { try flush() }
  }

  /// Writes the rest, and gives the file its name.
  package func finish() throws {
    try flush()
    if let pager { _ = pager.finish() }
    try unfinished?.finish()
  }

  private func startPager() {
    pager = Pager.start()
    if let pager { descriptor = pager.input }
  }

  private func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    // The first time, there is either everything or more than any screen takes.
    if isPaged {
      isPaged = false
      if buffer.count(where: { $0 == UInt8(ascii: "\n") }) >= Terminal.outputSize.rows { startPager() }
    }
    do throws(SystemError) { try System.write(buffer, to: descriptor) } catch { throw OutputError(name, error.code) }
  }
}

/// The operating system refused to take the output.
package struct OutputError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  /// - Parameter name: where it should go, in quotes if it is a path.
  package init(_ name: String, _ code: Int32) {
    description = "cannot write \(name): \(systemMessage(code))"
  }
}

/// Prints a sentence about what a command did.
package func report(_ sentence: String) throws {
  let output = try Output()
  try output.write(sentence.printableLines + "\n")
  try output.finish()
}
