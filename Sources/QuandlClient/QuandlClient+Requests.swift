import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// A request that may be repeated: it only reads.
struct Call: Sendable {
  var url: ServiceURL
  /// The body of a query that is too long for an address.
  var body: [UInt8]?
  var accept = "application/json"
  /// Whether the answer may be compressed.
  var acceptsGzip = true

  init(_ url: ServiceURL) { self.url = url }
}

/// A complete answer of the service, in memory.
struct Document: Sendable {
  let bytes: [UInt8]
  /// The request's address, as it may be shown.
  let url: String
}

extension QuandlClient {
  /// The answer to a call, which is repeated as `RetryPolicy` says.
  func document(_ call: Call) async throws(QuandlClientError) -> Document {
    try await retrying(call.url) { () async throws(QuandlClientError) in
      try await exchange(call, limit: configuration.timeLimits.answer) {
        (response, url, deadline) async throws(QuandlClientError) in
        let bytes = try await collect(response, url, deadline, byteCountMax: configuration.answerByteLimit)
        return Document(bytes: bytes, url: call.url.shown)
      }
    }
  }

  /// Repeats `attempt` until it succeeds or fails with a permanent error.
  func retrying<Result>(
    _ url: ServiceURL, _ attempt: () async throws(QuandlClientError) -> Result
  ) async throws(QuandlClientError) -> Result {
    var index = 0
    while true {
      do { return try await attempt() } catch {
        if error.kind == .cancelled { throw error }
        var error = error
        error.attemptCount = index + 1
        guard error.isTransient, index < configuration.retries.count else { throw error }
        let delay = configuration.retries.delay(
          before: index, asked: error.askedDelay, random: .random(in: 0...1))
        configuration.willRetry?(error, delay)
        try await timing.sleep(delay)
        index += 1
      }
    }
  }

  /// Sends a call, follows redirections, and passes a successful answer to `read`. The request's turn lasts until then.
  func exchange<Result>(
    _ call: Call, limit: Duration,
    _ read: (HTTPClientResponse, ServiceURL, Deadline) async throws(QuandlClientError) -> Result
  ) async throws(QuandlClientError) -> Result {
    try await gate.withTurn { () async throws(QuandlClientError) in
      let deadline = Deadline(limit)
      var call = call
      for _ in 0...Self.redirectLimit {
        let response = try await translating(call.url) {
          try await http.execute(request(call), deadline: .now() + TimeAmount(limit))
        }
        guard let target = try redirection(of: call, response) else {
          guard response.status == .ok else { throw await refusal(response, call.url, deadline) }
          return try await read(response, call.url, deadline)
        }
        call.url = target
      }
      throw failure(.redirect, "more than \(Self.redirectLimit) redirections", call.url)
    }
  }

  private static var redirectLimit: Int { 5 }

  private func request(_ call: Call) -> HTTPClientRequest {
    var request = HTTPClientRequest(url: call.url.text)
    request.headers.add(name: "accept", value: call.accept)
    request.headers.add(name: "user-agent", value: "Quoin")
    request.headers.add(name: "accept-encoding", value: call.acceptsGzip ? "gzip" : "identity")
    if let value = key.headerValue, call.url.origin == base.origin {
      request.headers.add(name: "x-api-token", value: value)
    }
    if let body = call.body {
      request.method = .POST
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(body)
    }
    return request
  }

  /// The target of a redirection; nil if the answer isn't one.
  private func redirection(of call: Call, _ response: HTTPClientResponse) throws(QuandlClientError) -> ServiceURL? {
    guard [301, 302, 303, 307, 308].contains(response.status.code) else { return nil }
    guard let location = response.headers.first(name: "location"), let target = call.url.following(location) else {
      throw failure(.redirect, "a redirection to where this client doesn't go", call.url, response.status)
    }
    guard call.body == nil || response.status.code >= 307 else {
      throw failure(
        .redirect, "a question that is too long for an address is sent elsewhere", call.url, response.status)
    }
    return target
  }
}

/// The time by which an answer must be complete.
struct Deadline: Sendable {
  private let instant: ContinuousClock.Instant

  init(_ limit: Duration) { instant = .now + limit }

  var isOver: Bool { ContinuousClock.now >= instant }
}
