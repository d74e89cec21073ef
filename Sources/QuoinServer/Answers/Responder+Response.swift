import HTTPTypes
import Hummingbird
import NIOCore
import QuandlService

extension Responder {
  /// The response that sends an answer, or a part of it.
  func response(
    _ answer: ReadyAnswer, _ range: ByteRange?, isHead: Bool, _ exchange: Exchange
  ) -> Response {
    var (status, fields) = (answer.status, Self.fields(answer.headers))
    guard status != 304 else { return Self.empty(status, fields, exchange) }
    guard let byteCount = answer.byteCount else {
      guard !isHead else { return Self.empty(status, fields, exchange) }
      return Response(
        status: .init(integerLiteral: status), headers: fields, body: stream(answer, status: status, exchange))
    }
    var part = 0..<byteCount
    if let range, status == 200 {
      guard let wanted = range.bytes(of: byteCount) else {
        return response(ReadyAnswer(.noSuchRange(byteCount)), nil, isHead: isHead, exchange)
      }
      (status, part) = (206, wanted)
      fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(byteCount)"
    }
    fields[.contentLength] = "\(part.count)"
    guard !isHead else { return Self.empty(status, fields, exchange) }
    return Response(
      status: .init(integerLiteral: status), headers: fields, body: body(answer, part, status: status, exchange))
  }

  private static func empty(_ status: Int, _ fields: HTTPFields, _ exchange: Exchange) -> Response {
    exchange.end(status: status, byteCount: 0)
    return Response(status: .init(integerLiteral: status), headers: fields, body: ResponseBody())
  }

  private static func fields(_ headers: [(name: String, value: String)]) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in headers + safety {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    return fields
  }

  /// A part of an answer that is whole.
  private func body(_ answer: ReadyAnswer, _ part: Range<Int>, status: Int, _ exchange: Exchange) -> ResponseBody {
    guard case .file(let file) = answer.contents else {
      guard case .bytes(let bytes) = answer.contents else { preconditionFailure("the answer isn't whole") }
      exchange.end(status: status, byteCount: part.count)
      return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes[part]))
    }
    return ResponseBody(contentLength: part.count) { writer in
      try await exchange.sending(status) { sent in
        try await send(file, part) { try await writer.write($0, counting: &sent) }
        try await writer.finish(nil)
      }
    }
  }

  /// An answer that is being made.
  private func stream(_ answer: ReadyAnswer, status: Int, _ exchange: Exchange) -> ResponseBody {
    if case .commits(let channel, let place) = answer.contents { return commits(channel, place, exchange) }
    guard case .stream(let file, let source, let work) = answer.contents else {
      preconditionFailure("the answer is whole")
    }
    return ResponseBody { writer in
      try await exchange.sending(status) { sent in
        if let file { try await send(file, 0..<file.byteCount) { try await writer.write($0, counting: &sent) } }
        while let bytes = try await attempt({ try await questions.run(work) { try source.next() } }) {
          try await writer.write(ByteBuffer(bytes: bytes), counting: &sent)
        }
        work.finish()
        try await writer.finish(nil)
      }
    }
  }

  private func send(
    _ file: any AnswerFile, _ part: Range<Int>, _ write: (ByteBuffer) async throws -> Void
  ) async throws {
    var rest = part
    while !rest.isEmpty {
      let next = rest.prefix(ServerLimits.sentByteCount)
      try await write(ByteBuffer(bytes: attempt { try await onFileThread { try file.read(next) } }))
      rest = rest.dropFirst(next.count)
    }
  }

  private func attempt<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch is ClientGone {
      throw ClientGone()
    } catch {
      // Cutting the answer short is the only way left to tell the client.
      logger.error("an answer can't be finished", metadata: ["error": "\("\(error)".printable)"])
      throw CutShort()
    }
  }

  /// Headers that keep browsers from taking an answer for anything but what it says it is.
  private static let safety = [
    (name: "x-content-type-options", value: "nosniff"), (name: "cross-origin-resource-policy", value: "same-origin"),
  ]
}

/// The rest of an answer can't be made, after its beginning was sent.
private struct CutShort: Error {}

extension Exchange {
  /// Sends an answer whose head says this status, and reports how that ended: with 499 if the client took only a part of it.
  ///
  /// - Parameter send: counts the bytes that were taken.
  fileprivate func sending(_ status: Int, _ send: (inout Int) async throws -> Void) async throws {
    var sent = 0
    do { try await send(&sent) } catch {
      end(status: error is CutShort ? status : 499, byteCount: sent, isWhole: false)
      throw error
    }
    end(status: status, byteCount: sent)
  }
}

extension ResponseBodyWriter {
  fileprivate mutating func write(_ bytes: ByteBuffer, counting sent: inout Int) async throws {
    try await write(bytes)
    sent += bytes.readableBytes
  }
}
