import Foundation
import Testing

@testable import QuandlClient

@Suite struct DownloadTests {
  private static func export(_ status: String, _ link: String = "null") -> Reply {
    .ok(#"{"datatable_bulk_download":{"file":{"status":"\#(status)","link":\#(link)},"datatable":{}}}"#)
  }

  @Test func an_export_is_asked_for_until_it_is_ready() async throws {
    let folder = try TestFolder()
    let clock = RecordingClock()
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let seen = Shared<[Int]>([])
    try await ScriptedServer { request, index in
      if request.path == "/file" { return .bytes(200, bytes) }
      return index < 7 ? Self.export(index == 0 ? "creating" : "regenerating") : Self.export("fresh", #""/file?x=1""#)
    }.run { server in
      let client = try server.client(clock: clock)
      try await client.export(DatatableQuery().filtered("date", .greater, "2005-01-01"), to: folder.path + "/a.zip") {
        count, total in
        #expect(total == 300_000)
        seen.withLock { $0.append(count) }
      }
      let request = server.requests[0]
      #expect(request.path == "/api/v3/datatables/WIKI/PRICES.json" && request.value("qopts.export") == "true")
      #expect(request.value("date.gt") == "2005-01-01")
      #expect(server.requests.last?.header("accept-encoding") == "identity")
    }
    #expect(clock.waits == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    #expect(seen.withLock { $0.last == 300_000 && $0 == $0.sorted() })
    #expect(folder.files == ["a.zip"])
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.zip"))) == bytes)
  }

  @Test func an_export_that_never_gets_ready_is_an_error() async throws {
    let folder = try TestFolder()
    try await ScriptedServer { _, _ in Self.export("creating") }.run { server in
      let client = try server.client { $0.timeLimits.export = .seconds(100) }
      let error = try await clientError { try await client.export(to: folder.path + "/a.zip") }
      #expect(error.kind == .timeLimit && server.requests.count == 9)
    }
    #expect(folder.files == [])
  }

  @Test func a_database_is_downloaded_whole_or_in_part() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/wiki.zip"
    try await ScriptedServer { request, _ in .ok(request.value("download_type") ?? "") }.run { server in
      try await server.client().download(database: "WIKI", to: path)
      #expect(server.requests[0].path == "/api/v3/databases/WIKI/data")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "complete")
      try await server.client().download(database: "WIKI", .partial, to: path)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "partial")
      let error = try await clientError { try await server.client().download(database: "../x", to: path) }
      #expect(error.kind == .usage)
    }
    #expect(folder.files == ["wiki.zip"])
  }

  @Test func a_broken_download_begins_anew() async throws {
    let folder = try TestFolder()
    let text = String(repeating: "0123456789", count: 5000)
    try await ScriptedServer { _, index in
      index < 2 ? .ok(String(text.reversed())).cut(after: 30_000) : .ok(text)
    }.run { server in try await server.client().download(database: "WIKI", to: folder.path + "/a.zip") }
    #expect(try String(contentsOfFile: folder.path + "/a.zip", encoding: .utf8) == text)
  }

  @Test func a_failed_download_leaves_the_file_that_was_there() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/a.zip"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    let replies: [Reply] = [
      .close, .error(404, "QECx03", "no"), .ok(String(repeating: "x", count: 2000)).cut(after: 1000),
      .ok(String(repeating: "x", count: 20_000)),
    ]
    for reply in replies {
      try await ScriptedServer { _, _ in reply }.run { server in
        let client = try server.client { $0.downloadByteLimit = 10_000 }
        _ = try await clientError { try await client.download(database: "WIKI", to: path) }
      }
      #expect(folder.files == ["a.zip"] && (try? String(contentsOfFile: path, encoding: .utf8)) == "old")
    }
  }

  @Test func where_no_file_can_be_made_the_error_says_so() async throws {
    try await ScriptedServer { _, _ in .ok("x") }.run { server in
      let error = try await clientError { try await server.client().download(database: "WIKI", to: "/nowhere/a.zip") }
      #expect(error.kind == .file && error.description.contains("No such file or directory"))
      #expect(server.requests.isEmpty)
    }
  }
}
