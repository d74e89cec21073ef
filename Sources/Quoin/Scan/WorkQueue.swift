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
  static func run<Worker, Piece>(
    _ count: Int, threads: Int, worker makeWorker: @autoclosure @Sendable () -> Worker,
    _ body: @Sendable (inout Worker, Int) throws(StoreError) -> Piece
  ) throws(StoreError) -> [Piece] {
    let threads = min(threads, count)
    guard threads > 1 else {
      var worker = makeWorker()
      var pieces: [Piece] = []
      pieces.reserveCapacity(count)
      for index in 0..<count { pieces.append(try body(&worker, index)) }
      return pieces
    }
    let next = Atomic(0)
    let hasFailed = Atomic(false)
    let results = UnsafeMutableBufferPointer<Result<Piece, StoreError>?>.allocate(capacity: count)
    unsafe results.initialize(repeating: nil)
    defer {
      unsafe results.deinitialize()
      unsafe results.deallocate()
    }
    // Sound to share: each piece is taken once, so each place is written once, before all threads are joined.
    nonisolated(unsafe) let places = unsafe results
    // `doneCount` says in the language's words what beginning and joining the threads order anyway, for whoever can't see
    // that: thread sanitizer.
    let doneCount = Atomic(0)
    doneCount.store(0, ordering: .releasing)
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      doneCount.add(0, ordering: .acquiring)
      defer { doneCount.add(1, ordering: .releasing) }
      var worker = makeWorker()
      while !hasFailed.load(ordering: .relaxed) {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        do throws(StoreError) {
          unsafe places[index] = .success(try body(&worker, index))
        } catch {
          unsafe places[index] = .failure(error)
          hasFailed.store(true, ordering: .relaxed)
        }
      }
    }
    _ = doneCount.load(ordering: .acquiring)
    // Pieces are taken in order: before the first failure there are no gaps.
    var pieces: [Piece] = []
    pieces.reserveCapacity(count)
    for index in 0..<count {
      guard let result = unsafe results[index] else { break }
      pieces.append(try result.get())
    }
    return pieces
  }
}
