import Foundation
import Quoin
import Testing

/// `Examples/Tutorial`, a program as the tutorials have it: asks a running `quoin-serve`, saves, and prints.
@Suite struct TutorialTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../.."

  @Test func the_tutorials_program_asks_saves_and_prints() throws {
    let folder = try TestFolder()
    try folder.store("service").importFiles([Self.root + "/data/FDX.json"])
    let server = try RunningServer(store: folder.path + "/service")
    defer { server.stop() }
    let key = "s3cr3t-Key_of.mine"
    let run = try ProgramRun(
      ProgramRun.built("quoin-tutorial"), [server.base],
      environment: ["QUOIN_STORE": folder.path + "/own", "NASDAQ_DATA_LINK_API_KEY": key, "TZ": "UTC"])
    #expect(run.status == 0 && run.err == "")
    #expect(try run.out == String(contentsOfFile: Self.root + "/Examples/Tutorial/Output.txt", encoding: .utf8))
    #expect(!run.out.contains(key))

    let own = try folder.store("own")
    #expect(own.tickers == [.fedEx])
    let expected = try folder.store("service").quotes(for: .fedEx).dates(from: "2005-10-01").fetch()
    #expect(try own.quotes(for: .fedEx).fetch() == expected && expected.count == 10)
  }

  @Test func an_address_that_is_none_is_a_sentence() throws {
    let folder = try TestFolder()
    let run = try ProgramRun(
      ProgramRun.built("quoin-tutorial"), ["ftp://nowhere"], environment: ["QUOIN_STORE": folder.path + "/own"])
    #expect(run.status == 2 && run.err.contains("isn't the address of a service") && run.out == "")
    #expect(folder.files.isEmpty)
  }
}
