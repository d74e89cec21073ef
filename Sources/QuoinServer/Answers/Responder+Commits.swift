import Hummingbird
import NIOCore
import QuandlService
import ServiceLifecycle

// Server-sent events: the number of the newest commit, and then of each that follows.

extension Responder {
  /// How often the store is looked at, and after how long without a commit a line shows whether the client still listens.
  private static let (pace, silence) = (Duration.milliseconds(500), 20)

  /// - Throws: `Refusal` when too many listen.
  func commits(on channel: any Channel, for client: ClientKey) throws -> ReadyAnswer {
    guard let place = listeners.take(for: client) else { throw Refusal.tooManyListeners }
    return ReadyAnswer(
      status: 200,
      // Proxies would keep the news until there are many.
      headers: [
        ("content-type", MediaType.events.rawValue), ("cache-control", "no-store"), ("x-accel-buffering", "no"),
      ], contents: .commits(channel, place))
  }

  func commits(_ channel: any Channel, _ place: ListenerPlaces.Place, _ exchange: Exchange) -> ResponseBody {
    ResponseBody { writer in
      // A browser that turns a page closes its side. Nothing may be sent for ten seconds that would show whether it still reads, and
      // then who turns pages fast had no place: so the connection ends with the client's side.
      _ = channel.setOption(ChannelOptions.allowRemoteHalfClosure, value: false)
      channel.closeFuture.whenComplete { _ in place.free() }
      var (sent, known, silence) = (0, UInt64?.none, 0)
      defer {
        place.free()
        exchange.end(status: 200, byteCount: sent)
      }
      while channel.isActive, !Task.isCancelled, !Task.isShuttingDownGracefully {
        // A store that can't be read for a moment has no news.
        var newest: UInt64?
        if case .generation(let generation) = await look.finding() { newest = generation }
        silence = newest == known ? silence + 1 : 0
        if let newest, newest != known || silence == Self.silence {
          let text = newest == known ? ":\n\n" : "event: commit\ndata: \(newest)\n\n"
          try await writer.write(ByteBuffer(string: text))
          (sent, known, silence) = (sent + text.utf8.count, newest, 0)
        }
        try await Task.sleep(for: Self.pace)
      }
      try await writer.finish(nil)
    }
  }
}
