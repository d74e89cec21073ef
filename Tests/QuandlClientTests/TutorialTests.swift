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

  @Test(arguments: [
    #"{"dataset_data":{"column_names":["Date","Close"],"data":[["KEY",1]]}}"#, #"{"KEY":1}"#,
    #"{"dataset_data":{"column_names":["KEY"],"data":[]}}"#, #"{"quandl_error":{"code":"KEY","message":"KEY"}}"#,
  ])
  func a_service_that_repeats_the_key_does_not_make_the_program_print_it(_ text: String) async throws {
    let folder = try TestFolder()
    let key = "s3cr3t-Key_of.mine"
    let answer = text.replacing("KEY", with: key)
    try await ScriptedServer { request, _ in
      request.header("x-api-token") == key ? .ok(answer) : .error(400, "QEAx01", "no key")
    }.run { server in
      let run = try ProgramRun(
        ProgramRun.built("quoin-tutorial"), [server.base],
        environment: ["QUOIN_STORE": folder.path + "/own", "QUANDL_API_KEY": key])
      #expect(run.status == 0 && run.err.contains("the document") && !run.err.contains(key))
      #expect(run.out.hasPrefix("65 companies") && !run.out.contains(key))
    }
  }

  @Test func an_address_that_is_none_is_a_sentence() throws {
    let folder = try TestFolder()
    let run = try ProgramRun(
      ProgramRun.built("quoin-tutorial"), ["ftp://nowhere"], environment: ["QUOIN_STORE": folder.path + "/own"])
    #expect(run.status == 2 && run.err.contains("isn't the address of a service") && run.out == "")
    #expect(folder.files.isEmpty)
  }
}
