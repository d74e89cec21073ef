import Testing

@testable import QuandlClient

/// How many requests are under way, and what becomes of those that are cancelled.
@Suite struct GateTests {
  @Test func no_more_requests_are_under_way_than_allowed() async throws {
    for limit in [1, 3] {
      try await ScriptedServer { _, _ in .ok(fedExDataset).delayed(by: .milliseconds(50)) }.run { server in
        let client = try server.client { $0.requestsInFlight = limit }
        try await withThrowingTaskGroup { group in
          for _ in 0..<12 { group.addTask { _ = try await client.data("WIKI/FDX") } }
          try await group.waitForAll()
        }
        #expect(server.requests.count == 12)
        #expect(server.activeCountMax <= limit)
      }
    }
  }

  @Test func as_many_requests_are_under_way_as_allowed() async throws {
    for limit in [1, 3] {
      try await ScriptedServer { _, _ in .silence }.run { server in
        let client = try server.client { $0.requestsInFlight = limit }
        let end = ContinuousClock.now + .seconds(600)
        try await withThrowingTaskGroup { group in
          for _ in 0..<12 { group.addTask { _ = try await client.data("WIKI/FDX") } }
          while server.requests.count < limit, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
          #expect(server.requests.count == limit)
          group.cancelAll()
        }
      }
    }
  }

  @Test func a_request_that_is_under_way_ends_when_its_task_is_cancelled() async throws {
    try await ScriptedServer { _, _ in .silence }.run { server in
      // Nothing else than the cancellation ends the request. There is no clock here: a cancellation takes a task, which
      // waits for the tests beside this one.
      let client = try server.client {
        $0.timeLimits.silence = .seconds(3600)
        $0.timeLimits.answer = .seconds(3600)
      }
      let task = Task { try await client.data("WIKI/FDX") }
      let end = ContinuousClock.now + .seconds(600)
      while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      task.cancel()
      while server.activeCount > 0, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
      try #require(server.activeCount == 0)
      #expect(try await clientError { try await task.value }.kind == .cancelled)
      #expect(server.requests.count == 1)
    }
  }

  @Test func a_download_ends_when_its_task_is_cancelled_and_leaves_no_file() async throws {
    let folder = try TestFolder()
    let head = Array("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nbeginning".utf8)
    try await ScriptedServer { _, _ in Reply(steps: [.send(head)] + Reply.silence.steps) }.run { server in
      let client = try server.client()
      let path = folder.path + "/file.zip"
      let started = Shared(false)
      let task = Task {
        try await client.download(database: "WIKI", to: path) { _, _ in started.withLock { $0 = true } }
      }
      while !started.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
      #expect(folder.files.count == 1)
      task.cancel()
      #expect(try await clientError { try await task.value }.kind == .cancelled)
    }
    #expect(folder.files == [])
  }

  @Test func a_wait_for_another_try_ends_when_its_task_is_cancelled() async throws {
    try await ScriptedServer { _, _ in .error(429, "QELx04", "later", headers: ["retry-after: 100"]) }.run { server in
      let client = try QuandlClient(
        apiKey: nil, baseURL: server.base, configuration: .init(), timing: .system)
      let task = Task { try await client.data("WIKI/FDX") }
      while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      task.cancel()
      #expect(try await clientError { try await task.value }.kind == .cancelled)
    }
  }

  @Test func who_waits_for_a_turn_can_be_cancelled_and_the_turn_goes_on() async throws {
    let gate = RequestGate(count: 1)
    let order = Shared<[Int]>([])
    let (release, releaser) = AsyncStream<Void>.makeStream()
    let (entered, enterer) = AsyncStream<Void>.makeStream()
    let first = Task {
      try await gate.withTurn {
        enterer.yield()
        for await _ in release { break }
      }
    }
    for await _ in entered { break }
    let waiting = (0..<5).map { index in
      Task { try await gate.withTurn { order.withLock { $0.append(index) } } }
    }
    try await Task.sleep(for: .milliseconds(20))
    for index in [0, 3] { waiting[index].cancel() }
    for index in [0, 3] { #expect(try await clientError { try await waiting[index].value }.kind == .cancelled) }
    releaser.yield()
    try await first.value
    for index in [1, 2, 4] { try await waiting[index].value }
    #expect(Set(order.withLock { $0 }) == [1, 2, 4])
    // Nobody's turn was lost.
    try await gate.withTurn {}
  }

  @Test func many_cancellations_lose_no_turn() async throws {
    let gate = RequestGate(count: 2)
    let current = Shared(0)
    let most = Shared(0)
    await withTaskGroup { group in
      for index in 0..<400 {
        group.addTask {
          let task = Task {
            try await gate.withTurn {
              let count = current.withLock { count in
                count += 1
                return count
              }
              most.withLock { $0 = max($0, count) }
              await Task.yield()
              current.withLock { $0 -= 1 }
            }
          }
          if index % 3 == 0 { task.cancel() }
          _ = try? await task.value
        }
      }
    }
    #expect(most.withLock { $0 } <= 2 && current.withLock { $0 } == 0)
    try await gate.withTurn { await Task.yield() }
  }
}
