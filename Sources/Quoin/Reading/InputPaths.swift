#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files that the paths of an import stand for.
enum InputPaths {
  /// Directories become the files in them and below whose names have the extension of a text that is read, in the order of
  /// their names. What begins with a dot is left out.
  static func expanded(_ paths: [String]) throws(ImportError) -> [String] {
    var files: [String] = []
    files.reserveCapacity(paths.count)
    for path in paths {
      if path != "-", isDirectory(path) { try append(directory: path, to: &files) } else { files.append(path) }
    }
    return files
  }

  private static func append(directory: String, to files: inout [String]) throws(ImportError) {
    let names: [String]
    do throws(FileSystemError) { names = try SystemFiles().names(in: directory) } catch {
      throw .cannotOpen(file: directory, errno: error.code)
    }
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
      if isDirectory(path) {
        try append(directory: path, to: &files)
      } else {
        let name = FileNamePattern.unpackedName(of: name)
        if FileNamePattern.withoutExtension(name) != name || name != path.split(separator: "/").last.map(String.init) {
          files.append(path)
        }
      }
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
