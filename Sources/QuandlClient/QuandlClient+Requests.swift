import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Quoin

/// A request that may be repeated: it only reads, or does what it does once.
struct Call: Sendable {
  var url: ServiceURL
  /// The body of a query that is too long for an address.
  var body: [UInt8]?
  /// Whether the answer is a file, as it is, for which the service may take its time; otherwise it is JSON, which may be packed.
  var isDownload = false
  /// What changes a file there; nil to read.
  var upload: Upload?
  /// The bytes of a file that are wanted, if its entity tag still is the same; nil for all.
  var rest: (from: Int, tag: String)?

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
    let limits = configuration.timeLimits
    return try await retrying(call.url) { () async throws(QuandlClientError) in
      try await exchange(call, Deadline(limits.answer, silence: limits.silence)) {
        (response, url, deadline) async throws(QuandlClientError) in
        let bytes = try await collect(response, url, deadline, byteCountMax: configuration.answerByteLimit)
        guard !WebPage.isBeginning(of: bytes) else { throw failure(.malformed, WebPage.sentence, call.url) }
        return Document(bytes: key.redacted(bytes), url: key.redacted(call.url.shown))
      }
    }
  }

  /// Repeats `attempt` until it succeeds or fails with a permanent error, or too often.
  func retrying<Result>(
    _ url: ServiceURL, _ attempt: () async throws(QuandlClientError) -> Result
  ) async throws(QuandlClientError) -> Result {
    var failures = (count: 0, timeouts: 0)
    while true {
      do { return try await attempt() } catch {
        if error.kind == .cancelled { throw error }
        var error = error
        if error.hasProgressed { failures = (0, 0) }
        failures.count += 1
        if error.kind == .timeLimit { failures.timeouts += 1 }
        error.attemptCount = failures.count
        let policy = configuration.retries
        guard error.isTransient, failures.count <= policy.count, failures.timeouts <= policy.timeoutCount else {
          throw error
        }
        let delay = policy.delay(before: failures.count - 1, asked: error.askedDelay, random: .random(in: 0...1))
        configuration.willRetry?(error, delay)
        try await timing.sleep(delay)
      }
    }
  }

  /// Sends a call, follows redirections, and passes a successful answer to `read`. The request's turn lasts until then.
  ///
  /// - Parameter deadline: made when the turn begins.
  func exchange<Result>(
    _ call: Call, _ deadline: @autoclosure () -> Deadline,
    _ read: (HTTPClientResponse, ServiceURL, Deadline) async throws(QuandlClientError) -> Result
  ) async throws(QuandlClientError) -> Result {
    try await gate.withTurn { () async throws(QuandlClientError) in
      let deadline = deadline()
      var call = call
      for _ in 0...Self.redirectLimit {
        let response = try await translating(call.url, deadline) {
          try await (call.isDownload ? downloads : transport).execute(
            request(call), to: call.url.origin, deadline: .now() + TimeAmount(deadline.remaining))
        }
        guard let target = try redirection(of: call, response) else {
          let isRest = call.rest != nil && response.status == .partialContent
          let isDone = call.upload != nil && [.created, .noContent].contains(response.status)
          guard response.status == .ok || isRest || isDone else { throw await refusal(response, call.url, deadline) }
          return try await read(response, call.url, deadline)
        }
        call.url = target
      }
      throw failure(.redirect, "more than \(Self.redirectLimit) redirections", call.url)
    }
  }

  private static var redirectLimit: Int { 5 }

  private func request(_ call: Call) -> HTTPClientRequest {
    let isOwn = call.url.origin == base.origin
    var request = HTTPClientRequest(url: isOwn ? key.added(to: call.url.text) : call.url.text)
    request.headers.add(name: "accept", value: call.isDownload || service.form == .csv ? "*/*" : "application/json")
    request.headers.add(name: "user-agent", value: "Quoin")
    request.headers.add(name: "accept-encoding", value: call.isDownload ? "identity" : "gzip")
    if isOwn, let (name, value) = key.header { request.headers.add(name: name, value: value) }
    if let rest = call.rest {
      request.headers.add(name: "range", value: "bytes=\(rest.from)-")
      request.headers.add(name: "if-range", value: rest.tag)
    }
    if let body = call.body {
      request.method = .POST
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(body)
    }
    if let upload = call.upload {
      (request.method, request.body) = (upload.method, upload.body)
      for (name, value) in upload.headers + upload.signedHeaders { request.headers.add(name: name, value: value) }
    }
    if isOwn, let access {
      let signature = access.signature(
        of: request.method, call.url, call.upload?.signedHeaders ?? [], hash: call.upload?.hash ?? Upload.emptyHash,
        at: CommitTime(secondsSince1970: timing.secondsSince1970()))
      for (name, value) in signature { request.headers.add(name: name, value: value) }
    }
    return request
  }

  /// The target of a redirection; nil if the answer isn't one.
  private func redirection(of call: Call, _ response: HTTPClientResponse) throws(QuandlClientError) -> ServiceURL? {
    guard [301, 302, 303, 307, 308].contains(response.status.code) else { return nil }
    if access != nil, response.headers.first(name: "location") == nil {
      throw failure(
        .redirect, "the bucket is in another region; name it in AWS_REGION", call.url, response.status)
    }
    guard let location = response.headers.first(name: "location"), let target = call.url.following(location) else {
      throw failure(.redirect, "a redirection to where this client doesn't go", call.url, response.status)
    }
    guard target.origin == base.origin || !key.isGiven(by: target.text) else {
      throw failure(
        .redirect, "a redirection to \(target.origin.host) that would take the key there", call.url, response.status)
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
  /// How long the service may say nothing until then.
  let silence: Duration

  init(_ limit: Duration, silence: Duration) { (instant, self.silence) = (.now + limit, silence) }

  var isOver: Bool { remaining <= .zero }

  var remaining: Duration { instant - .now }
}
