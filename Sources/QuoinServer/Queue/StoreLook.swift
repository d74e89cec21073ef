import NIOCore
import NIOPosix
import QuandlService
import Quoin
import Synchronization

/// Looks at the store on a thread of its own, for those who only want to know how it is. They wait a moment; if the disk doesn't
/// answer, they are told what was seen last, and for how long nothing has come.
final class StoreLook: Sendable {
  /// What is known of the store.
  enum Finding: Sendable {
    case generation(UInt64)
    case unreadable
    /// A look at it has taken for so long, and isn't at its end.
    case silent(Duration)
  }

  private struct State {
    var begin: ContinuousClock.Instant?
    var last = Finding.unreadable
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiter = 0
  }

  /// How long somebody waits for a look.
  private static let patience = TimeAmount.milliseconds(50)
  /// How long a look takes on a disk that is only slow.
  private static let slowness = Duration.seconds(2)

  private let generation: @Sendable () throws -> UInt64
  private let pool = ThreadPool(threadCount: 1, givesWay: false)
  private let state = Mutex(State())

  /// - Parameter generation: what asks the store, and may wait for its disk.
  init(_ generation: @escaping @Sendable () throws -> UInt64) { self.generation = generation }

  /// How the store is now or, if it doesn't answer at once, was lately.
  func finding() async -> Finding {
    await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
      let (number, isFirst) = state.withLock { state in
        let isFirst = state.begin == nil
        if isFirst { state.begin = .now }
        state.nextWaiter += 1
        state.waiters[state.nextWaiter] = waiter
        return (state.nextWaiter, isFirst)
      }
      if isFirst, !pool.offer({ self.look() }) { end(.unreadable) }
      NIOSingletons.posixEventLoopGroup.any().scheduleTask(in: Self.patience) { self.release(number) }
    }
    return state.withLock { state in
      guard let begin = state.begin, ContinuousClock.now - begin > Self.slowness else { return state.last }
      return .silent(ContinuousClock.now - begin)
    }
  }

  private func look() {
    let found = try? generation()
    end(found.map { .generation($0) } ?? .unreadable)
  }

  private func end(_ finding: Finding) {
    let waiters = state.withLock { state in
      (state.begin, state.last) = (nil, finding)
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  private func release(_ number: Int) {
    state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
  }
}

extension StoreLook.Finding {
  /// The answer to who asks how the store is.
  var health: ServiceAnswer {
    switch self {
    case .generation(let generation):
      return ServiceAnswer(json: ["status": "ok", "generation": .integer(Int(clamping: generation))])
    case .unreadable: return answer(.unavailable)
    case .silent(let time):
      return answer(
        .busy("the store's disk has not answered for \(time.components.seconds) seconds", retryAfter: 1))
    }
  }

  private func answer(_ refusal: Refusal) -> ServiceAnswer {
    ServiceAnswer(status: refusal.status, headers: refusal.answer.headers, body: AnswerBody(refusal.answer.body))
  }
}
