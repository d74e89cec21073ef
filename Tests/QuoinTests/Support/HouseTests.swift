import Testing

@testable import Quoin

/// What the architecture page promises of the sources, beside the direction of the rooms.
@Suite struct HouseTests {
  /// The only places in the library that may have unsafe code: blocks, the readers of text, the memory of columns, and what
  /// touches the operating system.
  private static let unsafePlaces = [
    "Quoin/Blocks/", "Quoin/Columns/", "Quoin/Reading/", "Quoin/Decimals/", "Quoin/Storage/", "Quoin/Threads/Mutex+",
    "Quoin/Scan/", "Quoin/Writing/TextBuffer.swift", "Console/", "Deflate/", "QuandlClient/", "QuoinServer/",
    "FetchCommand/",
    "ServeCommand/", "QuoteGenerator/",
  ]

  private static let targets = [
    "Quoin", "QuoteGenerator", "DataFetcher", "Deflate", "QuandlService", "QuandlClient", "QuoinServer", "Console",
    "CommandLine", "ServeCommand", "FetchCommand",
  ]

  @Test func unsafe_code_is_in_few_places_and_says_why_it_is_sound() throws {
    let files = try Self.targets.flatMap(SourceFile.all(in:)).filter { $0.mentions("unsafe") }
    for file in files where !Self.unsafePlaces.contains(where: file.path.hasPrefix) {
      Issue.record("\(file.path) has unsafe code")
    }
    let unexplained = files.filter { file in !file.comments.contains { $0.contains("ound") } }
    print("\(files.count) files with unsafe code, \(unexplained.count) of them without a reason")
    #expect(files.count <= 110)
  }

  @Test func one_switch_knows_the_encodings() throws {
    let files = try Self.targets.flatMap(SourceFile.all(in:)).filter { file in
      file.code.contains { $0.contains("case .daySet") || $0.contains("== .daySet") || $0.contains("== .derived") }
    }
    #expect(files.map(\.path) == ["Quoin/Blocks/BlockEncoding.swift"])
  }

  @Test func only_model_columns_and_blocks_ask_whether_an_attribute_is_integer() throws {
    let places = ["Quoin/Model/", "Quoin/Columns/", "Quoin/Blocks/"]
    let files = try Self.targets.flatMap(SourceFile.all(in:)).filter { $0.mentions("isInteger") }
    for file in files where !places.contains(where: file.path.hasPrefix) { Issue.record("\(file.path) asks isInteger") }
  }
}
