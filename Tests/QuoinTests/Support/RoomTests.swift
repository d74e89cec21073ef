import Testing

@testable import Quoin

/// The rooms of the library point one way: a file mentions only what its own room declares, and the rooms before it.
@Suite struct RoomTests {
  private static let rooms = [
    "Model", "Columns", "Threads", "Decimals", "Blocks", "Storage", "Scan", "Language", "Reading", "Writing",
  ]
  private static let types: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

  /// The library's files, each with its room; the public face comes after the rooms.
  private static func files() throws -> [(room: Int, file: SourceFile)] {
    try SourceFile.all(in: "Quoin").map { file in
      let folder = file.path.split(separator: "/")[1]
      return (rooms.firstIndex { $0 == folder } ?? rooms.count, file)
    }
  }

  /// The types that files declare at the margin, each with its room; private ones have no say.
  private static func homes(_ files: [(room: Int, file: SourceFile)]) -> [Substring: Int] {
    var homes: [Substring: Int] = [:]
    for (room, file) in files {
      let words = file.words
      for index in words.indices.dropLast() where words[index].isAtMargin && types.contains(words[index].word) {
        if index > 0, ["private", "fileprivate"].contains(words[index - 1].word) { continue }
        let type = words[index + 1].word
        guard type.first?.isUppercase == true else { continue }
        #expect(homes[type] == nil || homes[type] == room, "\(type) is declared in two rooms, again in \(file.path)")
        homes[type] = room
      }
    }
    return homes
  }

  @Test func types_point_one_way() throws {
    let files = try Self.files()
    #expect(files.count > 150)
    let homes = Self.homes(files)
    for (type, room) in [
      ("TradingDay", "Model"), ("RowMask", "Columns"), ("EncodedBlock", "Blocks"), ("Manifest", "Storage"),
      ("Predicate", "Scan"), ("QuoteImporter", "Reading"),
    ] {
      #expect(homes[Substring(type)] == Self.rooms.firstIndex(of: room))
    }
    #expect(homes["QuoteStore"] == Self.rooms.count)
    for (room, file) in files {
      for word in Set(file.words.map(\.word)) {
        if let home = homes[word], home > room { Issue.record("\(file.path) mentions \(word) of a later room") }
      }
    }
  }

  /// Free functions, and members that a room adds to the types of others, can be called from anywhere in the module.
  @Test func functions_and_extensions_point_one_way() throws {
    let files = try Self.files()
    let homes = Self.homes(files)
    var declared: [Substring: Int] = [:]
    var added: [Substring: Int] = [:]
    for (room, file) in files {
      for name in Self.declaredNames(file) { declared[name, default: 0] += 1 }
      for name in Self.addedNames(file, room, homes) { added[name] = room }
    }
    // A name that is declared more than once says nothing about the room that is meant.
    let unique = added.filter { declared[$0.key] == 1 }
    #expect(unique.count > 20)
    for (room, file) in files {
      for word in Set(file.words.map(\.word)) {
        if let home = unique[word], home > room { Issue.record("\(file.path) mentions \(word) of a later room") }
      }
    }
  }

  private static let declarations: Set<Substring> = ["func", "var", "let", "case", "init"]

  /// Every name that stands after a declaring word, local ones too.
  private static func declaredNames(_ file: SourceFile) -> [Substring] {
    let words = file.words
    return words.indices.dropLast().filter { declarations.contains(words[$0].word) }.map { words[$0 + 1].word }
  }

  /// The free functions and constants of a file, and the members of its extensions of types from elsewhere.
  private static func addedNames(_ file: SourceFile, _ room: Int, _ homes: [Substring: Int]) -> [Substring] {
    var names: [Substring] = []
    var isExtension = false
    for line in file.code {
      let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      guard let index = words.firstIndex(where: { declarations.contains($0) || $0 == "extension" }) else {
        if line.first == "}" { isExtension = false }
        continue
      }
      let isPrivate = words[..<index].contains { ["private", "fileprivate"].contains($0) }
      let name = index + 1 < words.count ? words[index + 1] : ""
      let indentation = line.prefix { $0 == " " }.count
      if indentation == 0, words[index] == "extension" {
        isExtension = homes[name] != room
      } else if indentation == 0 || isExtension && indentation == 2, !isPrivate, words[index] != "init" {
        names.append(name)
      }
    }
    return names
  }
}
