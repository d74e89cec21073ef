import Hummingbird
import NIOCore
import QuandlService
import Quoin

// Files that a browser sends. They are in memory while they are looked at, so few come at a time.

extension Responder {
  /// Answers a route that takes files. Without leave to import, their bytes aren't read.
  func imports(
    _ request: Request, _ target: RequestTarget, _ route: ServerRoute?, _ context: ConnectionContext
  ) async throws -> ReadyAnswer {
    guard case .imports(let answer)? = route?.answer else { throw Refusal.failed }
    if request.method == .post, !desk.isOpen { throw Refusal.onlyReads }
    let place = try await desk.places.take(within: ServerLimits.queueTime) { context.channel.isActive }
    defer { place.free() }
    var question = try await Question(
      request, target, origin: gate.origin(for: request.head), byteCountMax: ServerLimits.importByteCount,
      on: context.channel)
    question.validSession = question.sessions.first(where: gate.secrets.sessions.contains)
    let asked = question
    return try await onFileThread {
      try ReadyAnswer(opened(answer(call(asked, store.view(), Cancellation()), asked, desk), asked))
    }
  }
}

extension Refusal {
  static let onlyReads = Refusal(
    status: 403, code: "QEPx03", message: "this server only reads; started with --allow-import, it takes files",
    endsConnection: true)
}
