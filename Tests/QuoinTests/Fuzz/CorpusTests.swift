import Testing

@testable import Quoin

/// The inputs that libFuzzer found worth keeping, and that were broken once: each is read as `make fuzz` reads it.
@Suite struct CorpusTests {
  private static let corpus: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/") + "/Fuzz/Corpus"
  }()

  @Test(arguments: FuzzTarget.allCases)
  func every_input_of_the_corpus_is_read_in_agreement(_ target: FuzzTarget) throws {
    let files = SystemFiles()
    let directory = Self.corpus + "/" + target.rawValue
    let names = try files.names(in: directory).sorted()
    #expect(names.count >= 5, "a corpus of \(names.count)")
    let read = unsafe target.makeReader()
    for name in names {
      let file = try files.map(directory + "/" + name)
      defer { withExtendedLifetime(file) {} }
      #expect(throws: Never.self, "\(target.rawValue)/\(name)") { try unsafe read(file.view.bytes) }
    }
    print("promise 5: \(target.rawValue): \(names.count) inputs of the corpus read")
  }
}
