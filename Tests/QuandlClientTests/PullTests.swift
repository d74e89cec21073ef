import Foundation
import Quoin
import Testing

@testable import QuandlClient

/// Stores that come from servers.
@Suite struct PullTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// A store of some tickers, on the disk.
  private func makeStore(_ tickers: [TickerSymbol] = ["A", "B"], rows: Int = 3000) throws -> QuoteStore {
    let store = try folder.store("store")
    var quotes: [TickerSymbol: QuoteColumns] = [:]
    for (number, ticker) in tickers.enumerated() { quotes[ticker] = try Self.columns(rows, salt: number) }
    try store.upsert(quotes)
    return store
  }

  private static func columns(_ rows: Int, salt: Int) throws -> QuoteColumns {
    let days = (0..<rows).map { TradingDay(daysSince1970: 10_000 + $0)! }
    let closes = (0..<rows).map { Double(($0 * 7919 + salt) % 10_007) / 100 }
    return try QuoteColumns(days: days, doubles: [.close: closes, .adjustedClose: closes.map { $0 / 3 }])
  }

  // In a function of its own, because an async function would call the async form.
  private static func write(_ ticker: TickerSymbol, _ rows: Int, salt: Int, to store: QuoteStore) throws {
    try store.upsert([ticker: columns(rows, salt: salt)])
  }

  private static func address(of server: ScriptedServer) -> String { "http://127.0.0.1:\(server.port)/files/market" }

  private static func divide(_ store: QuoteStore, at path: String) throws { try store.divide(into: 3, at: path) }

  private static func isSound(_ path: String) throws -> Bool {
    try QuoteStore(at: path, mustExist: true).verify().damages.isEmpty
  }

  /// A server of the files in a directory, as nginx is one.
  private func staticServer(
    _ change: @escaping @Sendable (Reply, ScriptedRequest, _ index: Int) -> Reply = { reply, _, _ in reply }
  ) -> ScriptedServer {
    let directory = path("store")
    return ScriptedServer { request, index in
      guard request.path.hasPrefix("/files/market/"),
        let data = FileManager.default.contents(
          atPath: directory + "/" + request.path.dropFirst("/files/market/".count))
      else { return .status(404, "<html>no such file</html>") }
      let tag = "\"\(data.count)\""
      let start = request.header("range").flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
      let isRest = start > 0 && request.header("if-range") == tag
      let reply = Reply.bytes(
        isRest ? 206 : 200, Array(data[(isRest ? start : 0)...]),
        headers: ["etag: \(tag)", "content-range: bytes \(start)-\(data.count - 1)/\(data.count)"])
      return change(reply, request, index)
    }
  }

  @Test func a_server_of_static_files_is_enough() async throws {
    let store = try makeStore()
    let copy = path("copy")
    let whole = try store.csv()
    try await staticServer().run { server in
      let market = try StoreDownload(of: Self.address(of: server))
      let first = try await market.pull(into: copy)
      #expect(first.copiedFileCount == 1 && first.generation == store.generation)
      #expect(
        server.requests.allSatisfy { $0.header("accept-encoding") == "identity" && $0.header("x-api-token") == nil })
      #expect(try await market.pull(into: copy).copiedFileCount == 0)
      try Self.write("C", 10, salt: 5, to: store)
      let second = try await market.pull(into: copy)
      #expect(second.copiedFileCount == 1)
    }
    #expect(try folder.store("copy").csv() == store.csv() && whole != store.csv())
    #expect(try Self.isSound(copy))
  }

  /// Each connection ends after some bytes; what has come doesn't come again.
  @Test func broken_connections_go_on_where_they_were() async throws {
    let store = try makeStore(["A", "B", "C"], rows: 20_000)
    let copy = path("copy")
    try await staticServer { reply, request, _ in
      request.path.hasSuffix(".columns") ? reply.cut(after: 20_000) : reply
    }.run { server in
      var configuration = QuandlClient.Configuration()
      configuration.retries.count = 2
      configuration.retries.firstDelay = .milliseconds(1)
      let market = try StoreDownload(of: Self.address(of: server), configuration: configuration)
      let result = try await market.pull(into: copy)
      #expect(server.requests.count > result.byteCount / 20_000)
    }
    #expect(try folder.store("copy").csv() == store.csv())
  }

  /// Of a file that has other bytes nothing is kept, and the copy of before stays.
  @Test func what_is_not_what_the_manifest_names_is_refused() async throws {
    let store = try makeStore()
    let (copy, before, isDamaging) = (path("copy"), try store.csv(), Shared(false))
    try await staticServer { reply, request, _ in
      guard request.path.hasSuffix(".columns"), isDamaging.value, case .send(var bytes)? = reply.steps.first else {
        return reply
      }
      bytes[bytes.count - 100] ^= 1
      return Reply(steps: [.send(bytes)])
    }.run { server in
      let market = try StoreDownload(of: Self.address(of: server))
      _ = try await market.pull(into: copy)
      try Self.write("C", 2000, salt: 5, to: store)
      isDamaging.withLock { $0 = true }
      let error = try await clientError { try await market.pull(into: copy) }
      guard case .damaged(let path, _, _)? = error.storeError else { throw error }
      #expect(path.hasPrefix(Self.address(of: server)) && path.hasSuffix(".columns"))
      #expect(try folder.store("copy").csv() == before)
      isDamaging.withLock { $0 = false }
      _ = try await market.pull(into: copy)
    }
    #expect(try folder.store("copy").csv() == store.csv())
  }

  @Test func the_command_pulls_from_a_server_and_a_directory() async throws {
    let store = try makeStore(["FDX"], rows: 100)
    let server = try RunningServer(store: store.path)
    defer { server.stop() }
    let address = server.base.replacingOccurrences(of: "/api/v3", with: "/store")
    let quoin = ProgramRun.built("quoin")
    for (source, copy) in [(address, "a"), (store.path, "b")] {
      let first = try ProgramRun(quoin, ["pull", source, "--into", path(copy)])
      #expect(first.status == 0 && first.err.isEmpty, "\(first)")
      #expect(first.out.hasPrefix("Pulled '\(source)' into '\(path(copy))': 1 new file of "), "\(first)")
      let second = try ProgramRun(quoin, ["pull", source, "--into", path(copy)])
      #expect(second.status == 0 && second.out.contains(": 0 new files of 0 bytes, 1 file of "), "\(second)")
      #expect(try folder.store(copy).csv() == store.csv())
    }
    let missing = try ProgramRun(quoin, ["pull", address + "/nothing", "--into", path("c")])
    #expect(
      missing.status == 2
        && missing.err.hasPrefix("quoin: there is no store at '\(address)/nothing/'; the server has no MANIFEST there"),
      "\(missing)")
    let nowhere = try ProgramRun(quoin, ["pull", path("nowhere"), "--into", path("c")])
    #expect(nowhere.status == 2 && nowhere.err == "quoin: there is no store at '\(path("nowhere"))'\n", "\(nowhere)")
    let foreign = try ProgramRun(quoin, ["pull", "ftp://host/market", "--into", path("c")])
    #expect(foreign.status == 64 && foreign.err.contains("'ftp://host/market' is no address"), "\(foreign)")
    let taken = try ProgramRun(quoin, ["pull", address, "--into", store.path])
    #expect(taken.status == 2 && taken.err.contains("is a store by itself"), "\(taken)")
    #expect(!FileManager.default.fileExists(atPath: path("c")))
  }

  @Test func the_shards_of_a_served_store_come_with_its_token() async throws {
    let store = try makeStore(["A", "B", "C"], rows: 200)
    try Self.divide(store, at: path("sharded"))
    let (token, quoin) = (path("token.txt"), ProgramRun.built("quoin"))
    try "a-token-of-thirty-two-characters\n".write(toFile: token, atomically: true, encoding: .utf8)
    let server = try RunningServer(store: path("sharded"), ["--token-file", token])
    defer { server.stop() }
    let address = server.base.replacingOccurrences(of: "/api/v3", with: "/store")
    let refused = try ProgramRun(quoin, ["pull", address, "--into", path("copy")])
    #expect(refused.status == 2 && !FileManager.default.fileExists(atPath: path("copy")), "\(refused)")
    let pulled = try ProgramRun(quoin, ["pull", address, "--into", path("copy"), "--token-file", token])
    #expect(pulled.status == 0 && pulled.err.isEmpty && pulled.out.contains("3 new files"), "\(pulled)")
    #expect(try folder.store("copy").csv() == store.csv())
  }

  /// A program is killed while it pulls, again and again, and somebody writes to the store meanwhile.
  @Test func killed_pulls_leave_the_copy_of_before() async throws {
    let store = try makeStore(["A", "B", "C", "D"], rows: 300)
    let server = try RunningServer(store: store.path)
    defer { server.stop() }
    let address = server.base.replacingOccurrences(of: "/api/v3", with: "/store")
    var contents = [store.generation: try store.csv()]
    func write(_ round: Int) throws {
      try Self.write(["A", "B", "C", "E"][round % 4], 300 + round, salt: round, to: store)
      contents[store.generation] = try store.csv()
    }
    var (killed, least, usual) = (0, UInt64(0), 0.0)
    for round in 0..<60 {
      let isKilled = round % 4 != 0
      try write(round)
      let start = Date()
      let arguments = ["--pull", address, "--into", path("copy"), "--wait", "5"]
      let run = try ProgramRun(ProgramRun.built("quoin-fetch"), arguments) { process in
        if !isKilled { return try write(round + 1000) }
        usleep(UInt32(usual * 1e6 * Double(round * 7919 % 1000) / 1000))
        kill(process.processIdentifier, SIGKILL)
      }
      if run.status == 0 { usual = Date().timeIntervalSince(start) } else { killed += 1 }
      #expect(run.status == 0 || isKilled, "\(run)")
      guard FileManager.default.fileExists(atPath: path("copy/MANIFEST")) else { continue }
      let copy = try folder.store("copy")
      #expect(
        try copy.generation >= least && (copy.generation == 0 || contents[copy.generation] == copy.csv()))
      #expect(try Self.isSound(path("copy")))
      least = copy.generation
    }
    print("promise 28: 60 pulls by a program under a writer, \(killed) of them killed, 0 damaged, 0 mixed, 0 lost")
    #expect(least > 1 && killed > 10)
  }
}
