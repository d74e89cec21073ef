import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A list of files that a command is given in a file.
package enum FileList {
  /// The lines that aren't blank; `-` is standard input.
  package static func lines(of path: String) throws -> [String] {
    let name = path == "-" ? "standard input" : "'\(path)'"
    do throws(SystemError) {
      let descriptor = path == "-" ? STDIN_FILENO : try System.open(path, O_RDONLY)
      defer { if path != "-" { close(descriptor) } }
      return try System.readAll(descriptor).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map {
        PathText.text($0)
      }
    } catch { throw DataError("cannot read \(name): \(systemMessage(error.code))") }
  }
}
