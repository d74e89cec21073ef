import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// What broken and hostile clients do, one after another, to a server that has to go on: its memory grows by 64 MiB at most,
/// and a normal request meanwhile takes less than 100 ms.
@Suite(.serialized) struct AbuseTests {
  private let server: ServerProcess
  private let health: Health

  init() throws {
    server = try Self.shared.get()
    health = try Health(of: server)
  }

  private static let shared = Result { try ServerProcess(TestFolder(rowCount: 30_000), ["--log-level", "warning"]) }

  @Test func a_gigabyte_of_headers_is_not_read() throws {
    let headers = String(repeating: "x-name: \(String(repeating: "a", count: 55))\r\n", count: 1 << 14)
    try expectNotRead(server.head("GET /healthz").dropLast(1) + "", then: Array(headers.utf8), "headers")
  }

  @Test func an_endless_header_is_not_read() throws {
    try expectNotRead(server.head("GET /healthz").dropLast(1) + "x: ", then: Self.mebibyte, "a header")
  }

  @Test(arguments: ["GET /", "GET http://127.0.0.1/"]) func an_endless_target_is_not_read(_ start: String) throws {
    try expectNotRead(start, then: Self.mebibyte, "a target")
  }

  @Test func an_endless_body_is_not_read() throws {
    let head = server.head("POST /api/v3/datatables/WIKI/PRICES", ["transfer-encoding: chunked"])
    let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20) + Array("\r\n".utf8)
    try expectNotRead(head, then: chunk, "a body")
  }

  private static let mebibyte = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)

  /// The kernels of both sides keep some tens of megabytes for a server that no longer reads: far less than a gigabyte.
  private func expectNotRead(_ start: String, then piece: [UInt8], _ what: String) throws {
    let wire = try server.connect()
    wire.send(start)
    var sent = 0
    while sent < 1024, wire.send(piece) { sent += 1 }
    #expect(sent < 1024, "all of a gigabyte was taken")
    try health.expectNormal("\(what) of a gigabyte, of which \(sent) MiB were sent")
  }

  @Test func length_and_chunks_together_are_refused() throws {
    let wire = try server.connect()
    let inner = server.head("GET /healthz")
    wire.send(
      server.head("POST /api/v3/datatables/WIKI/PRICES", ["content-length: 4", "transfer-encoding: chunked"])
        + "0\r\n\r\n" + inner)
    #expect(wire.answer()?.status == 400)
    // What follows is not taken for a request.
    #expect(wire.answer() == nil)
    try health.expectNormal("length and chunks")
  }

  @Test func a_thousand_idle_connections_are_in_nobodys_way() throws {
    try Self.allowDescriptors(2000)
    let wires = try (0..<1000).map { _ in try server.connect() }
    for wire in wires { wire.send(server.head("GET /healthz")) }
    for wire in wires { #expect(wire.answer()?.status == 200) }
    try health.expectNormal("1,000 idle connections")
    withExtendedLifetime(wires) {}
  }

  @Test func clients_that_vanish_leave_nothing_behind() throws {
    for _ in 0..<10 {
      let wires = try (0..<20).map { _ in try server.connect() }
      for (index, wire) in wires.enumerated() {
        wire.send(server.head("GET /api/v1/scan?format=\(index % 2 == 0 ? "json" : "csv")"))
      }
      for wire in wires { #expect(!wire.read(upTo: 1024).isEmpty) }
      for wire in wires { wire.vanish() }
    }
    try health.expectNormal("200 clients that vanish")
    // Every place is free again.
    var status = 503
    for _ in 0..<1200 where status == 503 {
      status = try server.get("/api/v1/scan").status
      if status == 503 { Thread.sleep(forTimeInterval: 0.05) }
    }
    #expect(status == 200)
  }

  @Test func clients_that_take_nothing_hold_up_nobody() throws {
    let wires = try (0..<300).map { _ in try server.connect(takesLittle: true) }
    // Each wants another long answer, so each holds a file.
    for (index, wire) in wires.enumerated() { wire.send(server.head("GET /api/v1/scan?limit=\(3900 + index)")) }
    for wire in wires { #expect(!wire.read(upTo: 10).isEmpty) }
    try health.expectNormal("300 clients that take nothing")
    #expect(try server.get("/api/v1/scan?limit=10").status == 200)
    for limit in 3800..<3900 { #expect(try server.get("/api/v1/scan?limit=\(limit)").status == 200) }
    for wire in wires { wire.vanish() }
  }

  private static func allowDescriptors(_ count: UInt) throws {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    unsafe getrlimit(resource, &limit)
    limit.rlim_cur = max(limit.rlim_cur, min(rlim_t(count), limit.rlim_max))
    #expect(unsafe setrlimit(resource, &limit) == 0)
  }
}

/// Clients that send their headers slowly. The test runs beside the others, because it takes as long as a client may take for
/// its headers.
struct SlowClientTests {
  @Test func slow_headers_are_cut_off() throws {
    let server = try ServerProcess(TestFolder(), ["--log-level", "warning"])
    let health = try Health(of: server)
    let wires = try (0..<50).map { _ in try server.connect(seconds: 5) }
    let start = ContinuousClock.now
    for wire in wires { wire.send("GET /healthz HTTP/1.1\r\n") }
    // A byte now and then doesn't buy time.
    for _ in 0..<8 {
      Thread.sleep(forTimeInterval: 1)
      for wire in wires { wire.send("x") }
    }
    try health.expectNormal("slow headers")
    for wire in wires { #expect(wire.isClosedByServer) }
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}

/// A server's memory before the abuse, against which it is measured meanwhile.
private struct Health {
  /// Address sanitizer surrounds what is allocated, and keeps back what is freed.
  private static let growthLimit = (64 << 20) * (ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil ? 1 : 3)

  private let server: ServerProcess
  private let byteCount: Int

  init(of server: ServerProcess) throws {
    self.server = server
    // Once, so that what is made at the first request isn't counted.
    _ = try server.get("/healthz")
    byteCount = server.residentByteCount
  }

  /// A normal request is answered at once, and memory hasn't grown much.
  func expectNormal(_ what: String) throws {
    var times: [Duration] = []
    for _ in 0..<9 {
      let start = ContinuousClock.now
      #expect(try server.get("/healthz").status == 200)
      times.append(ContinuousClock.now - start)
    }
    times.sort()
    let growth = server.residentByteCount - byteCount
    print("promise 17: \(what): a normal request takes \(times[4]) (median), memory has grown by \(growth >> 20) MiB")
    // Other processes may delay most of them; a server that is held up delays all.
    #expect(times[0] < .milliseconds(100), "\(what): \(times)")
    #expect(growth < Self.growthLimit, "\(what): \(growth) bytes more")
  }
}
