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

  /// The sources with the files of directories in the place of these, and what wasn't looked at in them.
  ///
  /// - Parameter endingAtMissing: whether what comes behind a path where nothing is doesn't matter.
  /// - Throws: `ImportError.noFiles` if there are directories and no file in them or beside them; `cannotOpen` for what may be a
  ///   directory and can't be looked at.
  static func expanded(
    _ sources: [ImportSource], endingAtMissing: Bool = false
  ) throws(ImportError) -> (files: [ImportSource], notes: [ImportNote]) {
    var paths: [String] = []
    for case .path(let path) in sources { paths.append(path) }
    if paths.count == sources.count {
      let inputs = try InputPaths(paths, endingAtMissing: endingAtMissing)
      return (inputs.files.map { .path($0) }, inputs.notes)
    }
    var (files, notes): ([ImportSource], [ImportNote]) = ([], [])
    for source in sources {
      if case .path(let path) = source {
        let inputs = try InputPaths([path])
        files += inputs.files.map { .path($0) }
        notes += inputs.notes
      } else {
        files.append(source)
      }
    }
    return (files, notes)
  }
}
