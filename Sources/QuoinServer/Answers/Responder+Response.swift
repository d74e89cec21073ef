import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import QuandlService

extension Responder {
  /// The response that sends an answer: at once, or piece by piece.
  func response(_ answer: OpenedAnswer, isHead: Bool, _ exchange: Exchange) -> Response {
    guard let rest = answer.rest else {
      exchange.end(status: answer.status, byteCount: isHead ? 0 : answer.start.count)
      return Self.response(answer, isHead ? nil : ResponseBody(byteBuffer: ByteBuffer(bytes: answer.start)))
    }
    if isHead {
      exchange.end(status: answer.status, byteCount: 0)
      return Self.response(answer, nil)
    }
    guard let slot = streams.take() else { return refused(.busy, exchange) }
    return Self.response(answer, body(answer.start, rest, slot, status: answer.status, exchange))
  }

  private func refused(_ refusal: Refusal, _ exchange: Exchange) -> Response {
    // An answer whose bytes are known can't fail.
    guard let answer = try? OpenedAnswer(ServiceAnswer(refusal), takesGzip: false) else {
      return Response(status: .serviceUnavailable)
    }
    return response(answer, isHead: false, exchange)
  }

  private func body(
    _ start: [UInt8], _ rest: BodySource, _ slot: StreamSlots.Slot, status: Int, _ exchange: Exchange
  ) -> ResponseBody {
    let (end, isQuick) = (ContinuousClock.now + deadlines.answer, exchange.route?.isQuick ?? false)
    return ResponseBody { writer in
      var byteCount = 0
      defer {
        slot.free()
        exchange.end(status: status, byteCount: byteCount, isWhole: false)
      }
      var piece: [UInt8]? = start
      while let bytes = piece {
        try await writer.write(ByteBuffer(bytes: bytes))
        byteCount += bytes.count
        guard ContinuousClock.now < end else { throw AnswerTooSlow() }
        piece = try await next(of: rest, inPlace: isQuick)
      }
      try await writer.finish(nil)
      exchange.end(status: status, byteCount: byteCount)
    }
  }

  private func next(of source: BodySource, inPlace: Bool) async throws -> [UInt8]? {
    do {
      if inPlace { return try source.next() }
      return try await NIOThreadPool.singleton.runIfActive { try source.next() }
    } catch {
      // Cutting the answer short is the only way left to tell the client.
      logger.error("an answer can't be finished", metadata: ["error": "\(error)"])
      throw error
    }
  }

  /// - Parameter body: nil for the answer to HEAD, which has the headers of the answer to GET.
  private static func response(_ answer: OpenedAnswer, _ body: ResponseBody?) -> Response {
    var fields = HTTPFields()
    for (name, value) in answer.headers + safety {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    if body == nil, answer.rest == nil { fields[.contentLength] = "\(answer.start.count)" }
    var response = Response(status: .init(integerLiteral: answer.status), headers: fields, body: body ?? ResponseBody())
    if body == nil, answer.rest != nil { response.headers[.contentLength] = nil }
    return response
  }

  /// Headers that keep browsers from taking an answer for anything but what it says it is.
  private static let safety = [
    (name: "x-content-type-options", value: "nosniff"), (name: "cross-origin-resource-policy", value: "same-origin"),
  ]
}

/// The client takes the answer so slowly that others wait for its place.
struct AnswerTooSlow: Error {}
