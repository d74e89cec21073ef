import Testing

@testable import Quoin

/// The rooms of the library point one way: a file mentions only what its own room declares, and the rooms before it.
@Suite struct RoomTests {
  private static let rooms = [
    "Model", "Columns", "Threads", "Decimals", "Windows", "Functions", "Questions", "Blocks", "Storage", "Evaluation",
    "Scan",
    "Views", "Audit", "Language", "Reading", "Writing", "Asking",
  ]
  private static let types: Set<String> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
  private static let declarations: Set<String> = ["func", "var", "let", "case", "init"]
  private static let privacies: Set<String> = ["private", "fileprivate"]

  /// The library's files, each with its room; the public face comes after the rooms.
  private static let files: [(room: Int, file: SourceFile)] = SourceFile.library.map { file in
    let folder = file.path.split(separator: "/")[1]
    return (rooms.firstIndex { $0 == folder } ?? rooms.count, file)
  }

  @Test func tests_mirror_the_rooms() throws {
    let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let others = ["Store", "Support", "Fixtures", "Fuzz", "QuoteGenerator"]
    let folders = try SystemFiles().names(in: tests)
    #expect(Set(folders) == Set(Self.rooms + others))
    for room in Self.rooms {
      let files = try SystemFiles().names(in: "\(tests)/\(room)")
      #expect(files.contains { $0.hasSuffix("Tests.swift") }, "nothing tests \(room)")
    }
  }

  /// The types that files declare at the margin, each with its room; private ones have no say.
  private static func homes() -> [String: Int] {
    var homes: [String: Int] = [:]
    for (room, file) in files {
      for line in file.lines {
        guard let index = line.firstIndex(where: { $0.indentation == 0 && types.contains($0.text) }),
          index + 1 < line.count, !line[..<index].contains(where: { privacies.contains($0.text) })
        else { continue }
        let type = line[index + 1].text
        #expect(homes[type] == nil || homes[type] == room, "\(type) is declared in two rooms, again in \(file.path)")
        homes[type] = room
      }
    }
    return homes
  }

  @Test func types_point_one_way() {
    #expect(Self.files.count > 150)
    let homes = Self.homes()
    for (type, room) in [
      ("TradingDay", "Model"), ("RowMask", "Columns"), ("EncodedBlock", "Blocks"), ("Manifest", "Storage"),
      ("Predicate", "Questions"), ("Program", "Evaluation"), ("QuoteImporter", "Reading"),
    ] {
      #expect(homes[type] == Self.rooms.firstIndex(of: room))
    }
    #expect(homes["QuoteStore"] == Self.rooms.count)
    for (room, file) in Self.files {
      for word in file.vocabulary {
        if let home = homes[word], home > room { Issue.record("\(file.path) mentions \(word) of a later room") }
      }
    }
  }

  /// Free functions, and members that a room adds to the types of others, can be called from anywhere in the module.
  @Test func functions_and_extensions_point_one_way() {
    let homes = Self.homes()
    var declared: [String: Int] = [:]
    var added: [String: Int] = [:]
    for (room, file) in Self.files {
      for line in file.lines {
        for index in line.indices.dropLast() where Self.declarations.contains(line[index].text) {
          declared[line[index + 1].text, default: 0] += 1
        }
      }
      for name in Self.addedNames(file, room, homes) { added[name] = room }
    }
    // A name that is declared more than once, or that the standard library has too, doesn't say which one is meant.
    let unique = added.filter { declared[$0.key] == 1 && !["littleEndian", "replacing"].contains($0.key) }
    #expect(unique.count > 10)
    for (room, file) in Self.files {
      for word in file.vocabulary {
        if let home = unique[word], home > room { Issue.record("\(file.path) mentions \(word) of a later room") }
      }
    }
  }

  /// The free functions and constants of a file, and the members of its extensions of types from elsewhere.
  private static func addedNames(_ file: SourceFile, _ room: Int, _ homes: [String: Int]) -> [String] {
    var names: [String] = []
    var isForeign = false
    for line in file.lines {
      guard let first = line.first else { continue }
      let indentation = first.indentation
      guard let index = line.firstIndex(where: { declarations.contains($0.text) || $0.text == "extension" }),
        index + 1 < line.count
      else {
        if indentation == 0 { isForeign = false }
        continue
      }
      let name = line[index + 1].text
      if indentation == 0 { isForeign = line[index].text == "extension" && homes[name] != room }
      let isMember = indentation == 2 && isForeign
      let isFree = indentation == 0 && line[index].text != "extension"
      guard isMember || isFree, line[index].text != "init" else { continue }
      if !line[..<index].contains(where: { privacies.contains($0.text) }) { names.append(name) }
    }
    return names
  }
}
