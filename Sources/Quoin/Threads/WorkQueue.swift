import Dispatch
import Synchronization

/// Pieces of work for several threads, which take the next one whenever they are done with one: blocks differ too much
/// in cost for any division beforehand.
enum WorkQueue {
  /// With fewer blocks than these, one thread is done before another has woken up.
  static let blocksWorthThreads = 8

  /// Does pieces 0 ..< `count` and returns their results in that order.
  ///
  /// - Parameters:
  ///   - threads: at most so many, the calling one among them.
  ///   - worker: what each thread makes for itself, such as working memory.
  ///   - body: does one piece.
  /// - Throws: the error of the first piece, in order, that failed.
  static func run<Worker, Piece: Sendable>(
    _ count: Int, threads: Int, worker makeWorker: @autoclosure @Sendable () -> Worker,
    _ body: @Sendable (inout Worker, Int) throws(StoreError) -> Piece
  ) throws(StoreError) -> [Piece] {
    var pieces: [Piece] = []
    pieces.reserveCapacity(count)
    return try run(count, threads: threads, worker: makeWorker(), into: pieces, merge: { $0.append($1) }, body: body)
  }

  /// Does pieces 0 ..< `count` and merges their results into `initial` in that order, each as soon as those before it are
  /// merged, while other threads go on.
  static func run<Worker, Piece: Sendable, Whole: Sendable>(
    _ count: Int, threads: Int, worker makeWorker: @autoclosure @Sendable () -> Worker, into initial: consuming Whole,
    merge: @Sendable (inout Whole, Piece) -> Void, body: @Sendable (inout Worker, Int) throws(StoreError) -> Piece
  ) throws(StoreError) -> Whole {
    let threads = min(threads, count)
    guard threads > 1 else {
      var (worker, whole) = (makeWorker(), initial)
      for index in 0..<count { merge(&whole, try body(&worker, index)) }
      return whole
    }
    let next = Atomic(0)
    // Beginning the threads orders this anyway, but thread sanitizer can't see that.
    next.store(0, ordering: .releasing)
    let merging = Merging<Piece, Whole>(initial)
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      var worker = makeWorker()
      while !merging.hasFailed {
        let index = next.add(1, ordering: .acquiringAndReleasing).oldValue
        guard index < count else { return }
        let piece = Result { () throws(StoreError) in try body(&worker, index) }
        merging.add(piece, index, merge)
      }
    }
    return try merging.result
  }
}

/// Results that come in any order and are merged in theirs, by whichever thread has brought the one that is next.
private final class Merging<Piece: Sendable, Whole: Sendable>: Sendable {
  private let state: Mutex<State>
  private let failed = Atomic(false)

  private struct State {
    /// Nil while a thread merges.
    var whole: Whole?
    var waiting: [Int: Result<Piece, StoreError>] = [:]
    var next = 0
    var error: StoreError?

    mutating func takeNext() -> Result<Piece, StoreError>? {
      guard let piece = waiting.removeValue(forKey: next) else { return nil }
      next += 1
      return piece
    }
  }

  init(_ initial: Whole) { state = Mutex(State(whole: initial)) }

  /// Whether some piece has failed: then those that nobody has begun need not be done. Pieces are begun in order, so
  /// those before it are done or under way.
  var hasFailed: Bool { failed.load(ordering: .relaxed) }

  /// Once all threads are done.
  var result: Whole {
    get throws(StoreError) {
      let (whole, error) = state.withLock { ($0.whole, $0.error) }
      if let error { throw error }
      guard let whole else { preconditionFailure("a result is asked for while it is being merged") }
      return whole
    }
  }

  func add(_ piece: Result<Piece, StoreError>, _ index: Int, _ merge: (inout Whole, Piece) -> Void) {
    if case .failure = piece { failed.store(true, ordering: .relaxed) }
    var (whole, next): (Whole?, Result<Piece, StoreError>?) = state.withLock { state in
      state.waiting[index] = piece
      guard state.whole != nil, let first = state.takeNext() else { return (nil, nil) }
      defer { state.whole = nil }
      return (state.whole, first)
    }
    guard whole != nil else { return }
    while let piece = next {
      switch piece {
      case .success(let piece): merge(&whole!, piece)
      case .failure(let error): state.withLock { $0.error = $0.error ?? error }
      }
      next = state.withLock { state in
        let next = state.takeNext()
        if next == nil { swap(&state.whole, &whole) }
        return next
      }
    }
  }
}
