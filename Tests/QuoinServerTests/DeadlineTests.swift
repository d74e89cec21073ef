import Foundation
import Testing

@testable import QuoinServer

/// A server in this process whose patience is short.
struct DeadlineTests {
  private func withServer<Finding: Sendable>(
    rowCount: Int? = nil, _ deadlines: Deadlines, _ body: @escaping @Sendable (Int) throws -> Finding
  ) async throws -> Finding {
    var configuration = ServerConfiguration()
    configuration.deadlines = deadlines
    return try await LocalServer.with(configuration, rowCount: rowCount, body)
  }

  private static func head(_ line: String, _ port: Int) -> String {
    "\(line) HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\n"
  }

  /// Waits until the server has counted an answer of this route, whether it was taken or given up.
  private static func waitForEnd(of route: String, _ port: Int) throws {
    for _ in 0..<600 {
      let wire = try Wire(port: port)
      wire.send(head("GET /metrics", port) + "\r\n")
      if wire.answer()?.text.contains("route=\"\(route)\"") == true { return }
      Thread.sleep(forTimeInterval: 0.1)
    }
    Issue.record("the answer of \(route) has no end")
  }

  @Test func a_connection_without_a_request_ends() async throws {
    let isClosed = try await withServer(.with(\.head, .milliseconds(300))) { port in
      try Wire(port: port).isClosedByServer
    }
    #expect(isClosed)
  }

  @Test func a_request_that_stays_unfinished_ends_the_connection() async throws {
    // Time enough for a whole request on a busy machine.
    let (status, isClosed) = try await withServer(.with(\.head, .seconds(3))) { port in
      let wire = try Wire(port: port)
      wire.send(Self.head("GET /healthz", port) + "\r\n")
      let status = wire.answer()?.status
      wire.send(Self.head("GET /healthz", port))
      return (status, wire.isClosedByServer)
    }
    #expect(status == 200 && isClosed)
  }

  @Test func a_body_that_stays_unfinished_ends_the_connection() async throws {
    let isClosed = try await withServer(.with(\.body, .milliseconds(300))) { port in
      let wire = try Wire(port: port)
      wire.send(Self.head("POST /api/v3/datatables/WIKI/PRICES", port) + "content-length: 10\r\n\r\n{")
      return wire.isClosedByServer
    }
    #expect(isClosed)
  }

  @Test func an_idle_connection_ends_and_a_busy_one_does_not() async throws {
    let (statuses, isClosed) = try await withServer(.with(\.idle, .seconds(3))) { port in
      let (idle, busy) = (try Wire(port: port), try Wire(port: port))
      idle.send(Self.head("GET /healthz", port) + "\r\n")
      var statuses = [idle.answer()?.status]
      // For longer than a connection may be idle, and far more often.
      for _ in 0..<20 {
        busy.send(Self.head("GET /healthz", port) + "\r\n")
        statuses.append(busy.answer()?.status)
        Thread.sleep(forTimeInterval: 0.2)
      }
      return (statuses, idle.isClosedByServer)
    }
    #expect(statuses.allSatisfy { $0 == 200 } && isClosed)
  }

  @Test func a_client_that_takes_nothing_is_given_up() async throws {
    let (start, answer) = try await withServer(rowCount: 20_000, .with(\.stall, .milliseconds(300))) { port in
      let wire = try Wire(port: port, takesLittle: true)
      wire.send(Self.head("GET /api/v1/scan", port) + "\r\n")
      let start = wire.read(upTo: 10)
      try Self.waitForEnd(of: "/api/v1/scan", port)
      // What lies in the kernel still comes, and then an end before the end.
      return (start, wire.rest(from: start))
    }
    #expect(!start.isEmpty && answer == nil)
  }

  /// The kernel keeps megabytes for such a client, and asks the server for more only when a third of them is free.
  @Test func a_client_that_takes_little_is_not_given_up() async throws {
    let (start, answer, whole) = try await withServer(rowCount: 40_000, .with(\.stall, .seconds(3))) { port in
      let wire = try Wire(port: port, takesLittle: true)
      wire.send(Self.head("GET /api/v1/scan", port) + "\r\n")
      var start: [UInt8] = []
      for _ in 0..<70 {
        start += wire.read()
        Thread.sleep(forTimeInterval: 0.1)
      }
      let other = try Wire(port: port)
      other.send(Self.head("GET /api/v1/scan", port) + "\r\n")
      return (start, wire.rest(from: start), other.answer())
    }
    #expect(start.count < 2 << 20 && answer?.status == 200 && answer?.body == whole?.body)
  }

  /// As `curl --limit-rate` does: what it takes at once lasts it for longer than a client may be silent that took nothing.
  @Test func a_client_that_reads_in_bursts_is_not_given_up() async throws {
    let (answer, whole) = try await withServer(rowCount: 100_000, .with(\.stall, .seconds(1))) { port in
      let wire = try Wire(port: port, takesLittle: true)
      wire.send(Self.head("GET /api/v1/scan", port) + "\r\n")
      var start: [UInt8] = []
      while start.count < 2 << 20, case let piece = wire.read(), !piece.isEmpty { start += piece }
      Thread.sleep(forTimeInterval: 2)
      let other = try Wire(port: port)
      other.send(Self.head("GET /api/v1/scan", port) + "\r\n")
      return (wire.rest(from: start), other.answer())
    }
    #expect(answer?.status == 200 && answer?.body == whole?.body)
  }
}

extension Deadlines {
  fileprivate static func with(_ path: WritableKeyPath<Deadlines, Duration>, _ duration: Duration) -> Deadlines {
    var deadlines = Deadlines()
    deadlines[keyPath: path] = duration
    return deadlines
  }
}
