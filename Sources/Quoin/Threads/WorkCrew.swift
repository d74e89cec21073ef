import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Threads that do pieces of work while the thread that asked for them goes on; who waits for a result works too.
///
/// Results don't depend on the number of threads as long as pieces don't speak to each other. With one thread each piece
/// is done at once, where it is asked for.
final class WorkCrew: Sendable {
  /// As many threads as there are processors, up to 8: past that the one thread that reads and writes has no more to
  /// give them.
  static let defaultThreadCount = min(8, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  let threadCount: Int
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "quoin", attributes: .concurrent)

  private struct State {
    /// What nobody has begun, oldest first from `first` on.
    var waiting: [any Piece] = []
    var first = 0
    /// Threads at work besides those that wait for results.
    var helperCount = 0

    mutating func next() -> (any Piece)? {
      guard first < waiting.count else { return nil }
      let piece = waiting[first]
      first += 1
      if first == waiting.count { (waiting, first) = ([], 0) }
      return piece
    }
  }

  init(threadCount: Int) { self.threadCount = min(max(1, threadCount), Limits.threads) }

  /// Begins a piece of work, or queues it.
  func start<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Work<Result> {
    if threadCount == 1 { return Work(result: body()) }
    let work = Work(body, of: self)
    let needsHelper = state.withLock { state in
      state.waiting.append(work)
      guard state.helperCount < threadCount - 1 else { return false }
      state.helperCount += 1
      return true
    }
    if needsHelper { queue.async { self.help() } }
    return work
  }

  /// Does pieces until there are none.
  private func help() {
    while true {
      let piece = state.withLock { state in
        let piece = state.next()
        if piece == nil { state.helperCount -= 1 }
        return piece
      }
      guard let piece else { return }
      piece.run()
    }
  }

  /// Does the oldest piece that nobody has begun; false when there is none.
  fileprivate func runNext() -> Bool {
    guard let piece = state.withLock({ $0.next() }) else { return false }
    piece.run()
    return true
  }
}

private protocol Piece: Sendable {
  /// Does the piece, unless another thread has begun it.
  func run()
}

/// A piece of work, done or not.
final class Work<Result: Sendable>: Piece {
  private enum Stage {
    case waiting(@Sendable () -> Result)
    case begun
    case done(Result)
  }

  private let stage: Mutex<Stage>
  private let crew: WorkCrew?
  private let end = DispatchSemaphore(value: 0)

  /// Work that is done.
  init(result: Result) {
    stage = Mutex(.done(result))
    crew = nil
  }

  fileprivate init(_ body: @escaping @Sendable () -> Result, of crew: WorkCrew) {
    stage = Mutex(.waiting(body))
    self.crew = crew
  }

  /// What came out. Until it is there, the caller does this piece, or others.
  var result: Result {
    run()
    while true {
      if let result = finished { return result }
      if crew?.runNext() != true {
        end.wait()
        // For whoever else waits.
        end.signal()
      }
    }
  }

  private var finished: Result? {
    stage.withLock { stage in
      if case .done(let result) = stage { return result }
      return nil
    }
  }

  fileprivate func run() {
    let body: (@Sendable () -> Result)? = stage.withLock { stage in
      guard case .waiting(let body) = stage else { return nil }
      stage = .begun
      return body
    }
    guard let body else { return }
    let result = body()
    stage.withLock { $0 = .done(result) }
    end.signal()
  }
}
