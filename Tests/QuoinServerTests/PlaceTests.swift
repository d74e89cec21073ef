import Foundation
import Testing

@testable import QuoinServer

/// One client that keeps many connections open is in nobody's way.
struct PlaceTests {
  @Test(arguments: [true, false]) func the_connection_that_waits_longest_makes_room(_ hasAsked: Bool) async throws {
    var configuration = ServerConfiguration()
    configuration.connections = 24
    let (statuses, time) = try await LocalServer.with(configuration) { port in
      let head = "GET /livez HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\n\r\n"
      let wires = try (0..<60).map { _ in
        let wire = try Wire(port: port)
        if hasAsked {
          wire.send(head)
          #expect(wire.answer()?.status == 200)
        }
        return wire
      }
      let start = ContinuousClock.now
      let next = try Wire(port: port)
      next.send(head)
      let status = next.answer()?.status
      let time = ContinuousClock.now - start
      // The newest ones are still open.
      wires[59].send(head)
      let newest = wires[59].answer()?.status
      return ([status, newest, wires[0].isClosedByServer ? 200 : 0], time)
    }
    #expect(statuses == [200, 200, 200])
    #expect(time < .seconds(5), "\(time)")
  }

  @Test func a_client_has_a_share_of_the_places_of_those_who_listen() throws {
    let server = try ServerProcess(TestFolder(), ["--behind-proxy"])
    func listen(_ client: String) throws -> (Wire, String) {
      let wire = try server.connect()
      wire.send(server.head("GET /events", ["x-forwarded-for: \(client)"]))
      return (wire, String(decoding: wire.read(upTo: 4096), as: UTF8.self))
    }
    let wires = try (0..<ServerLimits.listenersOfClient).map { _ in try listen("192.0.2.1") }
    for (_, text) in wires { #expect(text.hasPrefix("HTTP/1.1 200") && text.contains("x-accel-buffering: no")) }
    #expect(try listen("192.0.2.1").1.hasPrefix("HTTP/1.1 503"))
    let other = try listen("192.0.2.2")
    #expect(other.1.hasPrefix("HTTP/1.1 200"))
    wires[0].0.leave()
    var isFree = false
    for _ in 0..<500 where !isFree {
      Thread.sleep(forTimeInterval: 0.02)
      isFree = try listen("192.0.2.1").1.hasPrefix("HTTP/1.1 200")
    }
    #expect(isFree)
  }

  /// A browser that turns a page closes its side, and goes on to the next.
  @Test func pages_that_are_turned_and_answers_without_a_body_keep_no_places() throws {
    let server = try ServerProcess(TestFolder())
    var wires: [Wire] = []
    for _ in 0..<(2 * ServerLimits.listenersOfClient) {
      let wire = try server.connect()
      wire.send(server.head("GET /events"))
      #expect(String(decoding: wire.read(), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
      wire.finishSending()
      wires.append(wire)
      Thread.sleep(forTimeInterval: 0.03)
    }
    let wire = try server.connect()
    for _ in 0..<(2 * ServerLimits.listenersOfClient) {
      wire.send(server.head("HEAD /events"))
      #expect(wire.answer(toHead: true)?.status == 200)
    }
    withExtendedLifetime(wires) {}
  }

  @Test func addresses_of_one_customer_are_one_client() {
    #expect(ClientKey("2001:db8:1:2:3:4:5:6") == ClientKey("2001:db8:1:2::9"))
    #expect(ClientKey("2001:db8:1:2::9") != ClientKey("2001:db8:1:3::9"))
    #expect(ClientKey("::ffff:192.0.2.1") == ClientKey("192.0.2.1") && ClientKey("192.0.2.1") != ClientKey("192.0.2.2"))
    #expect(ClientKey(nil) == ClientKey("") && ClientKey("::1") == ClientKey("::1"))
  }
}
