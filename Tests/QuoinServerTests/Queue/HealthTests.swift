import Foundation
import Synchronization
import Testing

@testable import QuoinServer

/// What monitoring is told, whatever the store does.
struct HealthTests {
  @Test func a_store_that_answers_is_seen_as_it_is() async throws {
    let generation = Mutex<UInt64?>(7)
    let look = StoreLook {
      guard let found = generation.withLock({ $0 }) else { throw CancellationError() }
      return found
    }
    guard case .generation(7) = await look.finding() else {
      Issue.record("something else was found")
      return
    }
    generation.withLock { $0 = nil }
    guard case .unreadable = await look.finding() else {
      Issue.record("something else was found")
      return
    }
    #expect(await look.finding().health.status == 503)
  }

  @Test func a_disk_that_does_not_answer_keeps_nobody_waiting() async throws {
    let gate = DispatchSemaphore(value: 0)
    let isOpen = Atomic(true)
    let look = StoreLook {
      if !isOpen.load(ordering: .relaxed) { gate.wait() }
      return 7
    }
    _ = await look.finding()
    isOpen.store(false, ordering: .relaxed)
    // A moment is nothing; then it is said. On a busy machine the moment may be long.
    if case .unreadable = await look.finding() { Issue.record("a slow disk is taken for a bad one") }
    try await Task.sleep(for: .seconds(2.2))
    guard case .silent(let time) = await look.finding() else {
      Issue.record("something else was found")
      return
    }
    #expect(time > .seconds(2))
    #expect(await look.finding().health.status == 503)
    isOpen.store(true, ordering: .relaxed)
    gate.signal()
    var isKnown = false
    for _ in 0..<500 where !isKnown {
      if case .generation = await look.finding() { isKnown = true }
    }
    #expect(isKnown)
  }

  @Test(arguments: ["/healthz", "/readyz"]) func a_store_without_its_manifest_is_not_ready(_ path: String) throws {
    let folder = try TestFolder()
    let server = try ServerProcess(folder)
    #expect(try server.get(path).text.contains(#""status":"ok""#))
    let manifest = folder.store + "/MANIFEST"
    for isPipe in [false, true] {
      try FileManager.default.moveItem(atPath: manifest, toPath: manifest + ".kept")
      // A pipe without a writer keeps everybody waiting who opens it.
      if isPipe { #expect(unsafe mkfifo(manifest, 0o600) == 0) }
      let answer = try server.get(path)
      #expect(answer.status == 503 && answer.text.contains("quandl_error"), "\(answer)")
      #expect(try server.get("/livez").status == 200)
      #expect(try server.get("/api/v1/count").status == 503)
      if isPipe { try FileManager.default.removeItem(atPath: manifest) }
      try FileManager.default.moveItem(atPath: manifest + ".kept", toPath: manifest)
      #expect(try server.get(path).status == 200)
    }
  }

  @Test func monitoring_needs_no_token() throws {
    let folder = try TestFolder()
    let token = try folder.write("a-token-of-many-letters", to: "token")
    let server = try ServerProcess(folder, ["--token-file", token])
    for path in ["/healthz", "/readyz", "/livez"] { #expect(try server.get(path).status == 200) }
    #expect(try server.get("/metrics").status == 401)
  }

  /// Who waits is told at once, and what is under way is given up after a third of the time.
  @Test func told_to_end_under_load_it_ends_in_time_and_says_so() throws {
    let server = try ServerProcess(TestFolder(rowCount: 280_000))
    let slow = (1...40).map { "wmean(close,\($0 * 100))" }.joined(separator: "%2B")
    let wires = try (0..<16).map { _ in try server.connect(seconds: 40) }
    for wire in wires { wire.send(server.head("GET /api/v1/count?where=\(slow)%3E0")) }
    _ = server.logLine { _ in true }
    while try !server.get("/metrics").text.contains("quoin_questions_running 2\n") {
      Thread.sleep(forTimeInterval: 0.02)
    }
    let start = ContinuousClock.now
    server.signal(SIGTERM)
    let statuses = wires.map { $0.answer()?.status ?? 0 }
    #expect(server.status == 0)
    print("promise 24: a server under load ends \(ContinuousClock.now - start) after it was told to")
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(statuses.allSatisfy { $0 == 503 || $0 == 200 } && statuses.count { $0 == 503 } >= 14, "\(statuses)")
  }
}
