import Foundation
import NIOPosix
import Quoin
import Synchronization
import Testing

@testable import QuoinServer

/// A server in this process whose patience is short.
struct DeadlineTests {
  /// Runs a server as long as `body` takes, which may wait: it has a thread of its own.
  private func withServer(
    rowCount: Int? = nil, _ deadlines: Deadlines, _ body: @escaping @Sendable (Int) throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.deadlines = deadlines
    let folder = try TestFolder(rowCount: rowCount)
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let server = try QuoinServer(store: folder.store, configuration: configuration, logger: .silent) { url in
      continuation.yield(url.split(separator: ":").last.flatMap { Int($0) } ?? 0)
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await server.run() }
      for await port in ports {
        try await NIOThreadPool.singleton.runIfActive { try body(port) }
        break
      }
      group.cancelAll()
    }
    withExtendedLifetime(folder) {}
  }

  private static func head(_ line: String, _ port: Int) -> String {
    "\(line) HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\n"
  }

  @Test func a_connection_without_a_request_ends() async throws {
    try await withServer(.with(\.head, .milliseconds(300))) { port in
      #expect(try Wire(port: port, seconds: 5).isClosedByServer)
    }
  }

  @Test func a_request_that_stays_unfinished_ends_the_connection() async throws {
    try await withServer(.with(\.head, .milliseconds(300))) { port in
      let wire = try Wire(port: port, seconds: 5)
      wire.send(Self.head("GET /healthz", port) + "\r\n" + Self.head("GET /healthz", port))
      #expect(wire.answer()?.status == 200)
      #expect(wire.isClosedByServer)
    }
  }

  @Test func a_body_that_stays_unfinished_ends_the_connection() async throws {
    try await withServer(.with(\.body, .milliseconds(300))) { port in
      let wire = try Wire(port: port, seconds: 5)
      wire.send(Self.head("POST /api/v3/datatables/WIKI/PRICES", port) + "content-length: 10\r\n\r\n{")
      #expect(wire.isClosedByServer)
    }
  }

  @Test func an_idle_connection_ends_and_a_busy_one_does_not() async throws {
    try await withServer(.with(\.idle, .milliseconds(400))) { port in
      let (idle, busy) = (try Wire(port: port, seconds: 5), try Wire(port: port, seconds: 5))
      idle.send(Self.head("GET /healthz", port) + "\r\n")
      #expect(idle.answer()?.status == 200)
      for _ in 0..<6 {
        busy.send(Self.head("GET /healthz", port) + "\r\n")
        #expect(busy.answer()?.status == 200)
        Thread.sleep(forTimeInterval: 0.15)
      }
      #expect(idle.isClosedByServer)
    }
  }

  @Test func a_client_that_takes_nothing_is_given_up_and_its_place_is_free() async throws {
    try await withServer(rowCount: 30_000, .with(\.stall, .milliseconds(500))) { port in
      let wires = try (0..<ServerLimits.streams).map { _ in try Wire(port: port, seconds: 5) }
      for wire in wires { wire.send(Self.head("GET /api/v1/scan", port) + "\r\n") }
      Thread.sleep(forTimeInterval: 3)
      let wire = try Wire(port: port)
      wire.send(Self.head("GET /api/v1/scan", port) + "\r\n")
      #expect(wire.answer()?.status == 200)
      // What lies in the kernel still comes, and then an end before the end.
      #expect(wires[0].answer() == nil)
    }
  }

  @Test func an_answer_has_to_be_taken_in_time() async throws {
    try await withServer(rowCount: 30_000, .with(\.answer, .zero)) { port in
      let wire = try Wire(port: port, seconds: 5)
      wire.send(Self.head("GET /api/v1/scan", port) + "\r\n")
      #expect(wire.answer() == nil)
    }
  }
}

extension Deadlines {
  fileprivate static func with(_ path: WritableKeyPath<Deadlines, Duration>, _ duration: Duration) -> Deadlines {
    var deadlines = Deadlines()
    deadlines[keyPath: path] = duration
    return deadlines
  }
}
