import Testing

@testable import Quoin

/// What the architecture page promises of the sources, beside the direction of the rooms.
@Suite struct HouseTests {
  /// The only places that may have unsafe code: blocks, the readers of text, the memory of columns, the tiles of windows,
  /// the functions for C, and what touches the operating system or SQLite.
  private static let unsafePlaces = [
    "Quoin/Blocks/", "Quoin/Columns/", "Quoin/Reading/", "Quoin/Storage/", "Quoin/Windows/WindowTile",
    "Quoin/Windows/WindowHistory", "Quoin/Decimals/DecimalWords.swift", "Quoin/Decimals/PowersOfTen.swift",
    "Quoin/Threads/Mutex+", "Quoin/Threads/SystemThread.swift", "Quoin/Threads/ProcessMemory.swift",
    "Console/ReadingProgram.swift", "Console/System.swift", "QuoinC/", "Deflate/ZStream.swift",
    "QuoinServer/Connection/EventLoopExecutor.swift", "SQLCommand/",
  ]

  @Test func unsafe_code_is_in_few_places_and_says_why_it_is_sound() {
    let files = SourceFile.all.filter { $0.vocabulary.contains("unsafe") }
    for file in files where !Self.unsafePlaces.contains(where: file.path.hasPrefix) {
      Issue.record("\(file.path) has unsafe code")
    }
    for file in files where !file.comments.split(separator: "\n").contains(where: Self.saysWhyItIsSound) {
      Issue.record("\(file.path) does not say why its unsafe code is sound")
    }
    print("\(files.count) files with unsafe code")
    #expect(!files.isEmpty)
  }

  /// All of Foundation is three libraries with the tables of all languages: to load them took a third of the time of a small question.
  @Test func commands_load_only_the_essentials_of_foundation() {
    let rooms = ["Quoin/", "Console/", "Charts/", "CommandLine/", "QuoteGenerator/", "Deflate/"]
    let files = SourceFile.all.filter { file in rooms.contains { file.path.hasPrefix($0) } }
    var count = 0
    for file in files where file.vocabulary.contains("Foundation") {
      count += 1
      #expect(file.vocabulary.contains("FoundationEssentials"), "\(file.path)")
    }
    #expect(count > 0)
  }

  /// `Sound: ...`, `Sound throughout: ...`, `Sound to share: ...`
  private static func saysWhyItIsSound(_ comment: Substring) -> Bool {
    comment.contains("Sound") && comment.contains(/\bSound[a-z, ]*:/)
  }

  /// A case more breaks no program, and Foundation's `localizedDescription` is the sentence.
  @Test func public_errors_can_grow_and_are_localized() {
    let products = ["Quoin/", "DataFetcher/", "QuandlClient/", "QuoinServer/"]
    var (errors, localized) = (0, Set<String>())
    let files = SourceFile.all.filter { file in products.contains { file.path.hasPrefix($0) } }
    for line in files.flatMap(\.lines) where line.count == 3 && line[2].text == "LocalizedError" {
      localized.insert(line[1].text)
    }
    for file in files where file.vocabulary.contains("Error") {
      for line in file.lines.map({ $0.map(\.text) }) where line.count > 3 && line[0] == "public" && line[3] == "Error" {
        errors += 1
        if line[1] == "enum", !file.vocabulary.contains("nonexhaustive") { Issue.record("\(line[2]) can't grow") }
        if !localized.contains(line[2]) { Issue.record("\(line[2]) isn't localized") }
      }
    }
    #expect(errors >= 8)
  }

  /// Without the files the other tests would find nothing wrong.
  @Test func the_sources_are_read() {
    #expect(SourceFile.library.count >= 180 && SourceFile.all.count >= 320)
  }

  /// The library's sentences are read by programs in Python, C and SQL too, and in a browser.
  @Test func the_library_names_no_option_of_the_command() {
    #expect(SourceFile.library.contains { $0.texts.contains("rising or falling date") })
    for file in SourceFile.library {
      for text in file.texts.split(separator: "\n") where text.contains(/--[a-z]/) {
        Issue.record("\(file.path): \(text)")
      }
    }
  }

  @Test func one_switch_knows_the_encodings() {
    let files = SourceFile.all.filter { file in
      ["case .daySet", "== .daySet", "== .derived", "== .scaled"].contains { file.code.contains($0) }
    }
    #expect(files.map(\.path) == ["Quoin/Blocks/BlockEncoding.swift"])
  }

  @Test func only_model_columns_and_blocks_ask_whether_an_attribute_is_integer() {
    let places = ["Quoin/Model/", "Quoin/Columns/", "Quoin/Blocks/"]
    let files = SourceFile.all.filter { $0.vocabulary.contains("isInteger") }
    for file in files where !places.contains(where: file.path.hasPrefix) { Issue.record("\(file.path) asks isInteger") }
  }
}
