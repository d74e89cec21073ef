import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A list of files that a command is given in a file.
package enum FileList {
  /// Bytes of a line, and of the whole list. Guards: nothing else bounds what comes from a pipe or a device.
  private static let (lineByteCount, byteCount) = (Limits.csvLineByteCount, 1 << 28)

  /// The lines that aren't blank; `-` is standard input.
  package static func lines(of path: String) throws -> [String] {
    let name = path == "-" ? "standard input" : "'\(path)'"
    var list = Lines()
    do throws(SystemError) {
      let descriptor = path == "-" ? STDIN_FILENO : try System.open(path, O_RDONLY)
      defer { if path != "-" { close(descriptor) } }
      try System.readPieces(descriptor) { list.append($0) }
    } catch { throw DataError("cannot read \(name): \(systemMessage(error.code))") }
    if list.line.count > lineByteCount {
      throw DataError("\(name) is no list of files: a line of it has more than \(lineByteCount) bytes")
    }
    if list.byteCount > byteCount {
      throw DataError("\(name) is a list of more than \(byteCount) bytes; divide it, or name directories")
    }
    list.endLine()
    return list.all
  }

  /// The lines so far.
  private struct Lines {
    private(set) var all: [String] = []
    private(set) var line: [UInt8] = []
    private(set) var byteCount = 0

    /// Adds bytes, and says whether more are wanted.
    mutating func append(_ bytes: ArraySlice<UInt8>) -> Bool {
      byteCount += bytes.count
      for byte in bytes {
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { endLine() } else { line.append(byte) }
      }
      return line.count <= FileList.lineByteCount && byteCount <= FileList.byteCount
    }

    mutating func endLine() {
      if !line.isEmpty { all.append(PathText.text(line)) }
      line.removeAll(keepingCapacity: true)
    }
  }
}
