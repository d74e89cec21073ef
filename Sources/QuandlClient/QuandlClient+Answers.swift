import AsyncHTTPClient
import Deflate
import NIOCore
import NIOHTTP1

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension QuandlClient {
  /// All bytes of an answer.
  func collect(
    _ response: HTTPClientResponse, _ url: ServiceURL, _ deadline: Deadline, byteCountMax: Int
  ) async throws(QuandlClientError) -> [UInt8] {
    var bytes: [UInt8] = []
    try await pieces(of: response, url, deadline, byteCountMax: byteCountMax) {
      bytes.append(contentsOf: $0.readableBytesView)
    }
    return bytes
  }

  /// Passes on the bytes of an answer as they come, unpacked.
  ///
  /// The transport could unpack too, but it would unpack all that has come before anybody can refuse it.
  func pieces(
    of response: HTTPClientResponse, _ url: ServiceURL, _ deadline: Deadline, byteCountMax: Int,
    _ take: (ByteBuffer) throws(QuandlClientError) -> Void
  ) async throws(QuandlClientError) {
    var packed = try isPacked(response, url) ? GunzipStream() : nil
    var count = 0
    func pass(_ piece: ByteBuffer) throws(QuandlClientError) {
      count += piece.readableBytes
      guard count <= byteCountMax else {
        throw failure(.tooLarge, "the answer is longer than \(byteCountMax) bytes", url)
      }
      try take(piece)
    }
    try await translating(url, deadline) {
      for try await piece in response.body {
        guard !deadline.isOver else { throw failure(.timeLimit, "the answer takes too long", url) }
        if packed == nil {
          try pass(piece)
        } else if let damage = try packed?.unpack(
          Array(buffer: piece), { (bytes) throws(QuandlClientError) in try pass(ByteBuffer(bytes: bytes)) })
        {
          throw failure(.connection, "the packed answer is damaged: \(damage)", url)
        }
      }
    }
    if packed?.isAtEnd == false { throw failure(.connection, "the packed answer is cut off", url) }
  }

  private func isPacked(_ response: HTTPClientResponse, _ url: ServiceURL) throws(QuandlClientError) -> Bool {
    let coding = response.headers.first(name: "content-encoding")?.lowercased() ?? "identity"
    guard ["identity", "gzip", "x-gzip"].contains(coding) else {
      throw failure(.malformed, "the answer is packed in a way that was not asked for: '\(coding)'", url)
    }
    return coding != "identity"
  }

  /// The error for an answer with a status other than success.
  func refusal(_ response: HTTPClientResponse, _ url: ServiceURL, _ deadline: Deadline) async -> QuandlClientError {
    if response.status == .proxyAuthenticationRequired, let proxy = transport.proxy(for: url.origin) {
      return refusal(of: proxy, url)
    }
    // If the reason can't be read, the status is error enough.
    let bytes = try? await collect(response, url, deadline, byteCountMax: 1 << 16)
    if Task.isCancelled { return .cancelled }
    let reason = bytes.flatMap { try? JSONDecoder().decode(ErrorAnswer.self, from: Data($0)) }?.reason
    let words = service.form == .csv ? bytes.flatMap { VendorAnswer.words(key.redacted($0)) } : nil
    let bucket = access == nil ? nil : bytes.flatMap(BucketAnswer.init)
    var error = failure(
      .service,
      reason?.message ?? bucket?.message ?? words ?? "the service answers '\(response.status.reasonPhrase)'",
      code: reason?.code ?? bucket?.code, url, response.status)
    error.askedDelay = response.headers.first(name: "retry-after").flatMap {
      RetryAfter.delay($0, secondsSince1970: timing.secondsSince1970())
    }
    return error
  }

  /// An error that doesn't show the key, even if the service repeats it.
  func failure(
    _ kind: QuandlClientError.Kind, _ message: String, code: String? = nil, _ url: ServiceURL,
    _ status: HTTPResponseStatus? = nil
  ) -> QuandlClientError {
    failure(kind, message, code: code, url: url.shown, status)
  }

  func failure(
    _ kind: QuandlClientError.Kind, _ message: String, code: String? = nil, url: String,
    _ status: HTTPResponseStatus? = nil
  ) -> QuandlClientError {
    var error = QuandlClientError(
      kind, ShownMessage.text(key.redacted(message)), code: code.map { ShownMessage.text(key.redacted($0)) },
      status: status.map { Int($0.code) }, url: key.redacted(url))
    error.keyVariable = service.keyVariable
    return error
  }

  /// The error for an answer with success whose text is a refusal.
  func refusal(_ words: String, of document: Document) -> QuandlClientError {
    var error = failure(.service, words, url: document.url)
    // The next ticker would be refused for the same reason.
    let lasting = ["limit", "exceeded", "api key", "apikey", "api_token", "premium"]
    error.isLasting = lasting.contains { words.lowercased().contains($0) }
    return error
  }

  /// What the service's JSON says. `NaN`, which JSON hasn't but services write, is no reason to refuse it.
  func decoded<Value: Decodable>(_ type: Value.Type, _ document: Document) throws(QuandlClientError) -> Value {
    do { return try JSONDecoder().decode(type, from: Data(document.bytes)) } catch {
      if let value = try? Self.lenientDecoder.decode(type, from: Data(document.bytes)) { return value }
      if let reason = try? JSONDecoder().decode(ErrorAnswer.self, from: Data(document.bytes)).reason {
        throw failure(.service, reason.message ?? "no reason is given", code: reason.code, url: document.url)
      }
      throw failure(.malformed, "the answer is not what it should be: \(Self.detail(error))", url: document.url)
    }
  }

  private static var lenientDecoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return decoder
  }

  private static func detail(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .keyNotFound(let key, _): return "'\(key.stringValue)' is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      let path = context.codingPath.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }
      return "'\(path.joined(separator: "."))': \(context.debugDescription)"
    case .dataCorrupted(let context): return context.debugDescription
    @unknown default: return "\(error)"
    }
  }
}

/// The service's words for a refusal.
private struct ErrorAnswer: Decodable {
  struct Reason: Decodable {
    let code: String?
    let message: String?
  }

  let reason: Reason

  private enum CodingKeys: String, CodingKey { case reason = "quandl_error" }
}

/// What a bucket's XML says of a refusal: `<Error><Code>AccessDenied</Code><Message>Access Denied</Message>...`.
private struct BucketAnswer {
  let code: String
  let message: String?

  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("<Error>"), let code = Self.content(of: "Code", in: text) else { return nil }
    (self.code, message) = (code, Self.content(of: "Message", in: text))
  }

  private static func content(of name: String, in text: String) -> String? {
    guard let start = text.firstRange(of: "<\(name)>"), let end = text[start.upperBound...].firstRange(of: "</\(name)>")
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound])
  }
}

/// A service's words, in a form that is safe for a terminal.
enum ShownMessage {
  static func text(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(2000) {
      switch scalar.properties.generalCategory {
      case .control where scalar == "\n": shown.unicodeScalars.append(scalar)
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: shown.unicodeScalars.append("?")
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
