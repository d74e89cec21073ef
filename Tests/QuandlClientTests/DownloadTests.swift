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

  /// A file in the hands of a server that breaks off after so many bytes, each time.
  private static func brokenFile(
    _ bytes: [UInt8], tag: String? = "\"one\"", breakingAfter count: Int
  ) -> ScriptedServer.Script {
    { request, _ in
      let isSame = request.header("if-range") == tag
      let range = request.header("range").flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
      let first = isSame ? range ?? 0 : 0
      let headers = ["content-range: bytes \(first)-\(bytes.count - 1)/\(bytes.count)"]
      let reply = Reply.bytes(
        first > 0 ? 206 : 200, Array(bytes[first...]), headers: (tag.map { ["etag: \($0)"] } ?? []) + headers)
      guard case .send(let all) = reply.steps.first, bytes.count - first > count else { return reply }
      return reply.cut(after: all.count - (bytes.count - first) + count)
    }
  }

  @Test func a_broken_download_goes_on_where_it_was() async throws {
    let folder = try TestFolder()
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let seen = Shared<[Int]>([])
    try await ScriptedServer(Self.brokenFile(bytes, breakingAfter: 20_000)).run { server in
      // More breaks than attempts: those that bring something don't count.
      let client = try server.client { $0.retries.count = 2 }
      try await client.download(database: "WIKI", to: folder.path + "/a.zip") { count, total in
        #expect(total == 200_000)
        seen.withLock { $0.append(count) }
      }
      #expect(server.requests.count >= 10)
      #expect(server.requests[0].header("range") == nil && server.requests[0].header("if-range") == nil)
      for request in server.requests.dropFirst() {
        #expect(request.header("range")?.hasPrefix("bytes=") == true && request.header("if-range") == "\"one\"")
      }
    }
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.zip"))) == bytes)
    #expect(seen.withLock { $0 == $0.sorted() && $0.last == 200_000 })
  }

  @Test(arguments: [nil, "W/\"weak\""])
  func without_a_strong_tag_it_begins_anew(_ tag: String?) async throws {
    let folder = try TestFolder()
    let bytes = Array(repeating: UInt8(7), count: 50_000)
    let broken = Self.brokenFile(bytes, tag: tag, breakingAfter: 20_000)
    try await ScriptedServer { request, index in
      try index == 0 ? broken(request, 0) : .bytes(200, bytes)
    }.run { server in
      try await server.client().download(database: "WIKI", to: folder.path + "/a.zip")
      #expect(server.requests.map { $0.header("range") } == [nil, nil])
    }
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.zip"))) == bytes)
  }

  @Test func another_file_in_the_meantime_is_downloaded_from_its_beginning() async throws {
    let folder = try TestFolder()
    let (old, new) = (Array(repeating: UInt8(1), count: 50_000), Array(repeating: UInt8(2), count: 30_000))
    let (first, second) = (
      Self.brokenFile(old, breakingAfter: 20_000), Self.brokenFile(new, tag: "\"two\"", breakingAfter: 40_000)
    )
    // A server without If-Range says that there are no such bytes.
    for refusal in [nil, Reply.status(416)] {
      try await ScriptedServer { request, index in
        if index == 0 { return try first(request, 0) }
        if let refusal, index == 1 { return refusal }
        return try second(request, 0)
      }.run { server in try await server.client().download(database: "WIKI", to: folder.path + "/a.zip") }
      #expect(Array(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.zip"))) == new)
    }
  }

  @Test func other_bytes_than_the_wanted_ones_are_refused() async throws {
    let folder = try TestFolder()
    let bytes = Array(repeating: UInt8(1), count: 50_000)
    let first = Self.brokenFile(bytes, breakingAfter: 20_000)
    for range in ["content-range: bytes 0-49999/50000", "x: y"] {
      try await ScriptedServer { request, index in
        index == 0 ? try first(request, 0) : .bytes(206, bytes, headers: ["etag: \"one\"", range])
      }.run { server in
        let error = try await clientError {
          try await server.client().download(database: "WIKI", to: folder.path + "/a.zip")
        }
        #expect(error.kind == .malformed && error.message.contains("sends others"), "\(error)")
      }
      #expect(folder.files == [])
    }
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
