/// The files that the paths of an import stand for.
struct InputPaths {
  private(set) var files: [String] = []
  /// What wasn't looked at in each directory, in words.
  private(set) var notes: [ImportNote] = []

  /// Directories become the files in them and below whose names have the extension of a text that is read, in the order of
  /// their names. What begins with a dot is left out, and links to directories aren't followed. What can't be looked at is among
  /// the files, so that reading it says why.
  ///
  /// - Parameter endingAtMissing: whether what comes behind a path where nothing is doesn't matter, as the import ends there: a list of
  ///   millions that aren't there is refused at once.
  /// - Throws: `ImportError.noFiles` if there are directories and no file in them or beside them; `cannotOpen` for what may be a
  ///   directory and can't be looked at.
  init(_ paths: [String], endingAtMissing: Bool = false) throws(ImportError) {
    var firstDirectory: String?
    files.reserveCapacity(paths.count)
    for path in paths {
      let kind: PathKind = path == "-" ? .other : PathKind(of: path)
      if kind == .directory {
        firstDirectory = firstDirectory ?? path
        try append(directory: path)
      } else {
        files.append(path)
      }
      if kind == .missing, endingAtMissing { break }
    }
    if files.isEmpty, let firstDirectory { throw .noFiles(directory: ShownText.path(firstDirectory)) }
  }

  private mutating func append(directory: String) throws(ImportError) {
    let names: [String]
    do throws(FileSystemError) { names = try SystemFiles().names(in: directory) } catch {
      throw .cannotOpen(file: ShownText.path(directory), errno: error.code)
    }
    var passedOver: [(reason: String, names: [String])] = []
    func pass(_ name: String, _ reason: String) {
      let index = passedOver.firstIndex { $0.reason == reason }
      if let index { passedOver[index].names.append(name) } else { passedOver.append((reason, [name])) }
    }
    for name in names.sorted() {
      if name.hasPrefix(".") {
        pass(name, "begins with a dot")
        continue
      }
      let path = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
      let isNamed = FileNamePattern.hasExtension(name)
      switch try kind(path, isNamed) {
      case .directory: try append(directory: path)
      case .file where isNamed, .missing: files.append(path)
      case .file: pass(name, "isn't named as a text with quotes")
      case .link where PathKind(of: path) == .directory: pass(name, "is a link to a directory")
      // A link that leads nowhere is among the files too.
      case .link where isNamed && PathKind(of: path) != .other: files.append(path)
      case .link, .other: pass(name, isNamed ? "is no file" : "isn't named as a text with quotes")
      }
    }
    if !passedOver.isEmpty {
      let texts = passedOver.map { reason, names in "\(Self.list(names)), which \(reason)" }
      let text = "not looked at: \(texts.joined(separator: "; "))"
      notes.append(ImportNote(file: ShownText.path(directory), text: text))
    }
  }

  /// The first names of what isn't looked at, and the number of the others.
  static func list(_ names: [String]) -> String {
    let first = names.prefix(3).map { "'\(ShownText.sanitized($0.utf8, byteCount: 100))'" }.joined(separator: ", ")
    return names.count > 3 ? "\(first) and \(names.count - 3) more" : first
  }

  /// What is at a path; `missing` for a file, by its name, that can't be looked at.
  private func kind(_ path: String, _ isNamed: Bool) throws(ImportError) -> PathKind {
    do throws(FileSystemError) { return try PathKind(lookingAt: path) } catch {
      if isNamed { return .missing }
      throw .cannotOpen(file: ShownText.path(path), errno: error.code)
    }
  }
}
