import Console
import QuandlClient
import Synchronization

/// The line on a terminal that shows how far a download has come and, after two seconds without news, what it waits for. Any
/// thread may change it.
final class FetchLine: Sendable {
  private struct State {
    var activity = ""
    var progress = Progress("", in: .rows)
    /// What is to come next; nil if that is nobody else's work.
    var awaited: String?
    var lastNews = ContinuousClock.now
  }

  private let state = Mutex(State())

  /// Runs `body` and keeps the line up to date meanwhile.
  func showing<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    let clock = Task {
      while true {
        try await Task.sleep(for: .milliseconds(500))
        tick()
      }
    }
    defer {
      clock.cancel()
      erase()
    }
    return try await body()
  }

  /// Says what is waited for from now on.
  func wait(for awaited: String?) {
    state.withLock { ($0.awaited, $0.lastNews) = (awaited, .now) }
  }

  /// Shows what has come.
  func show(_ activity: String, in unit: Progress.Unit, _ count: Int, part: Double? = nil, places: String? = nil) {
    state.withLock { state in
      if state.activity != activity {
        (state.activity, state.progress) = (activity, Progress(activity, in: unit))
      }
      state.lastNews = .now
      state.progress.update(count, part: part, places: places)
    }
  }

  /// Shows how many bytes have come, or gone, of pieces that it is told of.
  func counting(_ activity: String) -> @Sendable (Int) -> Void {
    let byteCount = Counter()
    return { [self] count in show(activity, in: .bytes, byteCount.add(count)) }
  }

  /// Erases the line, until there is something new to show.
  func erase() {
    state.withLock { $0.progress.erase() }
  }

  private func tick() {
    state.withLock { state in
      let time = ContinuousClock.now - state.lastNews
      guard let awaited = state.awaited, time >= .seconds(2) else { return }
      state.progress.showWait("waiting for \(awaited), \(time.asClock)")
    }
  }
}

/// A number that several tasks add to.
private final class Counter: Sendable {
  private let number = Mutex(0)

  func add(_ count: Int) -> Int {
    number.withLock { number in
      number += count
      return number
    }
  }
}
