/// Where the text of a file comes from.
package enum ImportSource: Sendable {
  /// A file, a directory, or `-` for standard input.
  case path(String)
  /// The bytes of a file in memory, as it lies on a disk, perhaps packed; its name may say the ticker.
  case bytes([UInt8], name: String)

  /// The path, or the name.
  var name: String {
    switch self {
    case .path(let path): path
    case .bytes(_, let name): name
    }
  }

  /// Whether it is standard input.
  var isStandardInput: Bool { if case .path("-") = self { true } else { false } }

  /// Whether it can be read again.
  var isRepeatable: Bool {
    switch self {
    case .path(let path): path != "-" && PathKind(of: path) == .file
    case .bytes: true
    }
  }

  /// The sources with the files of directories in the place of these.
  ///
  /// - Throws: `ImportError.noFiles` if there are directories and no file in them or beside them.
  static func expanded(_ sources: [ImportSource]) throws(ImportError) -> [ImportSource] {
    var paths: [String] = []
    for case .path(let path) in sources { paths.append(path) }
    if paths.count == sources.count { return try InputPaths.expanded(paths).map { .path($0) } }
    var all: [ImportSource] = []
    for source in sources {
      if case .path(let path) = source {
        all += try InputPaths.expanded([path]).map { .path($0) }
      } else {
        all.append(source)
      }
    }
    return all
  }
}
