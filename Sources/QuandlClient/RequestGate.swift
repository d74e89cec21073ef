import Synchronization

/// Limits concurrent requests to a number; further requests wait in the order in which they came.
final class RequestGate: Sendable {
  private struct State {
    var freeCount: Int
    var nextTicket = 0
    /// Each learns whether it got a turn; otherwise it was cancelled.
    var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    /// Tickets that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(freeCount: max(1, count))) }

  /// Runs `body` when it is its turn.
  ///
  /// - Throws: `cancelled` when the task is cancelled while it waits, or what `body` throws.
  func withTurn<Result>(_ body: () async throws(QuandlClientError) -> Result) async throws(QuandlClientError) -> Result
  {
    try await enter()
    defer { leave() }
    return try await body()
  }

  private func enter() async throws(QuandlClientError) {
    if Task.isCancelled { throw .cancelled }
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    let hasTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { wait(ticket, $0) }
    } onCancel: {
      cancel(ticket)
    }
    state.withLock { _ = $0.cancelled.remove(ticket) }
    if !hasTurn { throw .cancelled }
  }

  private func wait(_ ticket: Int, _ continuation: CheckedContinuation<Bool, Never>) {
    let hasTurn: Bool? = state.withLock { state in
      if state.cancelled.remove(ticket) != nil { return false }
      if state.freeCount > 0 {
        state.freeCount -= 1
        return true
      }
      state.waiting.append((ticket, continuation))
      return nil
    }
    if let hasTurn { continuation.resume(returning: hasTurn) }
  }

  private func cancel(_ ticket: Int) {
    let continuation = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
        state.cancelled.insert(ticket)
        return nil as CheckedContinuation<Bool, Never>?
      }
      return state.waiting.remove(at: index).continuation
    }
    continuation?.resume(returning: false)
  }

  /// Passes the turn to the request that has waited longest.
  private func leave() {
    let next = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.freeCount += 1
        return nil as CheckedContinuation<Bool, Never>?
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
