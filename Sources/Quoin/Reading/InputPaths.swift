/// The files that the paths of an import stand for.
enum InputPaths {
  /// Directories become the files in them and below whose names have the extension of a text that is read, in the order of
  /// their names. What begins with a dot is left out, and links to directories aren't followed.
  ///
  /// - Throws: `ImportError.noFiles` if there are directories and no file in them or beside them.
  static func expanded(_ paths: [String]) throws(ImportError) -> [String] {
    var files: [String] = []
    var firstDirectory: String?
    files.reserveCapacity(paths.count)
    for path in paths {
      if path != "-", PathKind(of: path) == .directory {
        firstDirectory = firstDirectory ?? path
        try append(directory: path, to: &files)
      } else {
        files.append(path)
      }
    }
    if files.isEmpty, let firstDirectory { throw .noFiles(directory: ShownText.path(firstDirectory)) }
    return files
  }

  private static func append(directory: String, to files: inout [String]) throws(ImportError) {
    let names: [String]
    do throws(FileSystemError) { names = try SystemFiles().names(in: directory) } catch {
      throw .cannotOpen(file: ShownText.path(directory), errno: error.code)
    }
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
      switch PathKind(of: path, followingLinks: false) {
      case .directory: try append(directory: path, to: &files)
      case .file where FileNamePattern.hasExtension(name): files.append(path)
      case .link where FileNamePattern.hasExtension(name) && PathKind(of: path) == .file: files.append(path)
      default: break
      }
    }
  }
}
