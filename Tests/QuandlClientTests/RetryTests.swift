import Testing

@testable import QuandlClient

@Suite struct RetryTests {
  @Test func delays_double_up_to_the_longest_and_are_cut_by_up_to_a_half() {
    let policy = RetryPolicy()
    let whole = (0..<6).map { policy.delay(before: $0, asked: nil, random: 1) }
    #expect(whole == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(8)])
    #expect(policy.delay(before: 2, asked: nil, random: 0) == .seconds(1))
    #expect(policy.delay(before: 1_000_000, asked: nil, random: 1) == .seconds(8))
  }

  @Test func what_the_service_asks_for_is_waited_in_full_up_to_a_limit() {
    let policy = RetryPolicy()
    #expect(policy.delay(before: 0, asked: .seconds(30), random: 0) == .seconds(30))
    #expect(policy.delay(before: 0, asked: .seconds(1 << 32), random: 0) == .seconds(120))
    #expect(policy.delay(before: 5, asked: .zero, random: 0) == .zero)
  }

  @Test(arguments: [
    ("7", Duration.seconds(7)), (" 0", .zero), ("Wed, 21 Oct 2015 07:28:00 GMT", .seconds(60)),
    ("Wed, 21 Oct 2015 07:00:00 GMT", .zero), ("99999999999999", .seconds(1 << 32)),
  ])
  func retry_after_is_seconds_or_a_date(_ text: String, _ expected: Duration) {
    #expect(RetryAfter.delay(text, secondsSince1970: 1_445_412_420) == expected)
  }

  @Test(arguments: [
    "", "-1", "soon", "1.5", "Wed, 21 Oct 2015", "Wed, 31 Feb 2015 07:28:00 GMT", "Wed, 21 Oct 2015 25:28:00 GMT",
    "Wed, 21 Oct 2015 07:28:00 CET", "99999999999999999999999", "Wed, 21 Oct 99999999999 07:28:00 GMT",
  ])
  func other_words_ask_for_nothing(_ text: String) {
    #expect(RetryAfter.delay(text, secondsSince1970: 0) == nil)
  }

  @Test(arguments: [429, 500, 502, 503, 504])
  func a_busy_service_is_asked_again(_ status: Int) async throws {
    let clock = RecordingClock()
    try await ScriptedServer { _, index in index < 3 ? .error(status, "QELx04", "later") : .ok(fedExDataset) }.run {
      let series = try await $0.client(clock: clock).data("WIKI/FDX")
      #expect(series.rowCount == 1 && $0.requests.count == 4)
    }
    for (wait, whole) in zip(clock.waits, [500, 1000, 2000]) {
      #expect(wait >= .milliseconds(whole / 2) && wait <= .milliseconds(whole))
    }
    #expect(clock.waits.count == 3)
  }

  @Test func the_service_says_when_to_come_again() async throws {
    let clock = RecordingClock(secondsSince1970: 1_445_412_420)
    let waits = ["3", "Wed, 21 Oct 2015 07:28:00 GMT", "nonsense"]
    try await ScriptedServer { _, index in
      index < 3 ? .error(429, "QELx04", "later", headers: ["Retry-After: \(waits[index])"]) : .ok(fedExDataset)
    }.run { _ = try await $0.client(clock: clock).data("WIKI/FDX") }
    #expect(clock.waits.prefix(2) == [.seconds(3), .seconds(60)])
    #expect(clock.waits.count == 3 && clock.waits[2] <= .seconds(2))
  }

  @Test func a_storm_of_429_ends_in_the_services_words() async throws {
    let clock = RecordingClock()
    let told = Shared<[String]>([])
    try await ScriptedServer { _, _ in .error(429, "QELx04", "You have exceeded the limit.") }.run { server in
      let client = try server.client(clock: clock) { configuration in
        configuration.willRetry = { error, _ in told.withLock { $0.append("\(error)") } }
      }
      let error = try await clientError { try await client.data("WIKI/FDX") }
      #expect(error.kind == .service && error.code == "QELx04" && error.status == 429 && error.attemptCount == 6)
      #expect(error.message == "You have exceeded the limit.")
      #expect(
        error.description == "\(server.base)/datasets/WIKI/FDX/data: QELx04: You have exceeded the limit. "
          + "(HTTP status 429); tried 6 times; wait, and ask less often")
      #expect(server.requests.count == 6)
    }
    #expect(clock.waits.count == 5 && told.withLock { $0.count } == 5)
  }

  @Test func what_wont_go_away_is_not_repeated() async throws {
    for status in [400, 403, 404, 422] {
      try await ScriptedServer { _, _ in .error(status, "QECx02", "No such code. Did you mean FDX?") }.run { server in
        let error = try await clientError { try await server.client().data("WIKI/NOPE") }
        #expect(error.code == "QECx02" && error.status == status && server.requests.count == 1)
        #expect("\(error)".contains("No such code. Did you mean FDX?"))
      }
    }
  }

  @Test func a_broken_connection_is_tried_again() async throws {
    let cuts: [Reply] = [.close, .ok(fedExDataset).cut(after: 10), .ok(fedExDataset).cut(after: 150)]
    try await ScriptedServer { _, index in index < 3 ? cuts[index] : .ok(fedExDataset) }.run {
      let series = try await $0.client().data("WIKI/FDX")
      #expect(series.rowCount == 1)
      #expect($0.requests.count == 4)
    }
  }

  @Test func silence_is_waited_for_twice_and_no_more() async throws {
    #expect(TimeLimits().silence <= .seconds(30))
    try await ScriptedServer { _, _ in .silence }.run { server in
      let client = try server.client { $0.timeLimits.silence = .milliseconds(50) }
      let error = try await clientError { try await client.data("WIKI/FDX") }
      #expect(error.kind == .timeLimit && error.attemptCount == 2 && server.requests.count == 2, "\(error)")
    }
  }

  @Test func where_nobody_listens_the_error_says_so() async throws {
    let clock = RecordingClock()
    let port = try await ScriptedServer { _, _ in .close }.run { $0.port }
    let client = try QuandlClient(
      apiKey: nil, baseURL: "http://127.0.0.1:\(port)", configuration: .init(), timing: clock.timing)
    let error = try await clientError { try await client.data("WIKI/FDX") }
    #expect(error.kind == .connection && error.attemptCount == 6 && clock.waits.count == 5)
    #expect(error.message == "cannot connect to 127.0.0.1, port \(port): Connection refused")
  }
}
