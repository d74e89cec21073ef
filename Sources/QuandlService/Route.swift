import Quoin

/// What a path under `/api/v3/` names.
enum Route: Equatable {
  case databases
  case database(code: String, DatabasePart)
  case datasets
  case dataset(database: String, code: String, DatasetPart)
  case table(vendor: String, code: String, TablePart)

  enum DatabasePart: String {
    case description = ""
    case data
    case codes
  }

  enum DatasetPart: String {
    case whole = ""
    case data
    case metadata
  }

  enum TablePart: String {
    case rows = ""
    case metadata
    /// Where the link of an export leads.
    case export = "export.zip"
  }

  static let prefix = "/api/v3/"

  private init?(_ words: [String]) {
    guard !words.contains("") else { return nil }
    let last = words.count > 3 ? words[3] : ""
    switch (words[0], words.count) {
    case ("databases", 1): self = .databases
    case ("databases", 2): self = .database(code: words[1], .description)
    case ("databases", 3):
      guard let part = DatabasePart(rawValue: words[2]) else { return nil }
      self = .database(code: words[1], part)
    case ("datasets", 1): self = .datasets
    case ("datasets", 3...4):
      guard let part = DatasetPart(rawValue: last) else { return nil }
      self = .dataset(database: words[1], code: words[2], part)
    case ("datatables", 3...4):
      guard let part = TablePart(rawValue: last) else { return nil }
      self = .table(vendor: words[1], code: words[2], part)
    default: return nil
    }
  }
}

extension Route {
  /// The route of a path, and the form that its extension asks for.
  static func parse(_ path: String) throws(ServiceError) -> (route: Route, form: AnswerForm?) {
    guard path.utf8.count <= ServiceLimits.pathByteCount, path.hasPrefix(prefix) else {
      throw ServiceError(.unknownRoute, "There is nothing at \(quoted(path)): paths begin with \(prefix).")
    }
    var words = path.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if words.count > 1, words.last == "" { words.removeLast() }
    let form = try takeExtension(&words[words.count - 1])
    if let route = Route(words) { return (route, form) }
    let nearest = suggestion(for: words).map { "; did you mean \(prefix)\($0)?" }
    throw ServiceError(.unknownRoute, "There is nothing at \(quoted(path))\(nearest ?? ".")")
  }

  private static func takeExtension(_ word: inout String) throws(ServiceError) -> AnswerForm? {
    for form in AnswerForm.allCases where word.hasSuffix("." + form.rawValue) {
      word.removeLast(form.rawValue.utf8.count + 1)
      return form
    }
    guard !word.hasSuffix(".xml") else {
      throw ServiceError(.unknownFormat, "There is no XML here: ask for .json or .csv.")
    }
    return nil
  }

  /// The path with one word replaced by the one that was probably meant.
  private static func suggestion(for words: [String]) -> String? {
    for index in words.indices {
      var changed = words
      let known = index == 0 ? ["databases", "datasets", "datatables"] : ["data", "metadata", "codes"]
      guard let word = Suggestion.nearestName(to: words[index], among: known) else { continue }
      changed[index] = word
      if Route(changed) != nil { return changed.joined(separator: "/") }
    }
    return nil
  }
}
