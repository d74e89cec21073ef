import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A small text that a command is given in a file.
package enum TextFile {
  /// The whole text; `-` is standard input.
  package static func read(_ path: String) throws -> String {
    let name = path == "-" ? "standard input" : "'\(path)'"
    do throws(SystemError) {
      let descriptor = path == "-" ? STDIN_FILENO : try System.open(path, O_RDONLY)
      defer { if path != "-" { close(descriptor) } }
      return String(decoding: try System.readAll(descriptor), as: UTF8.self)
    } catch { throw InputError(description: "cannot read \(name): \(systemMessage(error.code))") }
  }
}

/// The operating system refused to give the input.
struct InputError: Error, CustomStringConvertible {
  let description: String
}
