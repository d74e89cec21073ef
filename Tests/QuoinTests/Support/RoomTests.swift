import Testing

@testable import Quoin

/// The rooms of the library point one way: a file mentions only types of its own room and of those before it.
@Suite struct RoomTests {
  private static let rooms = [
    "Model", "Columns", "Threads", "Decimals", "Blocks", "Storage", "Scan", "Language", "Reading", "Writing",
  ]
  private static let keywords = ["struct", "class", "enum", "protocol", "actor", "typealias"]

  private static let sources: String = {
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Sources/Quoin"
  }()

  /// The words of a source text, without comments and texts, each with whether its line begins at the margin.
  private static func words(_ text: String) -> [(word: Substring, isAtMargin: Bool)] {
    var words: [(Substring, Bool)] = []
    var isInText = false
    for line in text.split(separator: "\n") {
      let trimmed = line.drop { $0 == " " }
      if trimmed.hasPrefix("//") || trimmed.hasPrefix("*") { continue }
      let quoteCount = line.components(of: "\"\"\"")
      if quoteCount > 0 {
        if quoteCount == 1 { isInText.toggle() }
        continue
      }
      if isInText { continue }
      let code = withoutTextsAndComment(line)
      for word in code.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }) {
        words.append((word, line.first != " "))
      }
    }
    return words
  }

  private static func withoutTextsAndComment(_ line: Substring) -> Substring {
    var code = ""
    var isInText = false
    var previous: Character = " "
    for character in line {
      if character == "\"", previous != "\\" { isInText.toggle() }
      if !isInText, character == "/", previous == "/" { break }
      code.append(isInText ? " " : character)
      previous = character
    }
    return Substring(code)
  }

  /// The Swift files in a folder, and those in its folders.
  private static func files(in folder: String, deep: Bool = true) throws -> [(name: String, text: String)] {
    let files = SystemFiles()
    return try files.names(in: folder).sorted().flatMap { name in
      if !name.contains(".") {
        return deep ? try Self.files(in: folder + "/" + name).map { ("\(name)/\($0.name)", $0.text) } : []
      }
      guard name.hasSuffix(".swift") else { return [] }
      let mapping = try files.map(folder + "/" + name)
      return [(name, withExtendedLifetime(mapping) { unsafe String(decoding: mapping.bytes, as: UTF8.self) })]
    }
  }

  @Test func rooms_point_one_way() throws {
    var contents: [(room: Int, name: String, words: [(word: Substring, isAtMargin: Bool)])] = []
    for (index, room) in Self.rooms.enumerated() {
      for file in try Self.files(in: Self.sources + "/" + room) {
        contents.append((index, "\(room)/\(file.name)", Self.words(file.text)))
      }
    }
    for file in try Self.files(in: Self.sources, deep: false) {
      contents.append((Self.rooms.count, file.name, Self.words(file.text)))
    }
    #expect(contents.count > 60)

    // Types that are declared at the margin of a file, each with its room; private ones have no say.
    var homes: [Substring: Int] = [:]
    for (room, name, words) in contents {
      for index in words.indices.dropLast()
      where words[index].isAtMargin && Self.keywords.contains("\(words[index].word)") {
        if index > 0, ["private", "fileprivate"].contains(words[index - 1].word) { continue }
        let type = words[index + 1].word
        guard type.first?.isUppercase == true else { continue }
        #expect(homes[type] == nil || homes[type] == room, "\(type) is declared in two rooms, again in \(name)")
        homes[type] = room
      }
    }
    for (type, room) in [
      ("TradingDay", "Model"), ("RowMask", "Columns"), ("EncodedBlock", "Blocks"), ("Manifest", "Storage"),
      ("Predicate", "Scan"), ("QuoteImporter", "Reading"),
    ] {
      #expect(homes[Substring(type)] == Self.rooms.firstIndex(of: room))
    }
    #expect(homes["QuoteStore"] == Self.rooms.count)

    for (room, name, words) in contents {
      for word in Set(words.map(\.word)) {
        if let home = homes[word], home > room { Issue.record("\(name) mentions \(word) of a later room") }
      }
    }
  }
}

extension Substring {
  /// How often `part` occurs.
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
