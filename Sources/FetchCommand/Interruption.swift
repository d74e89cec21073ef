import Console
import UnixSignals

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a download says that has stopped because of a signal: what is saved, and how to go on.
struct Interrupted: Error {
  let sentence: String
}

/// Ctrl-C and SIGTERM during a download.
enum Interruption {
  /// Runs `body` in a task that the first signal cancels. The second one ends the process at once.
  static func handled(_ line: FetchLine, _ body: @escaping @Sendable () async throws -> Void) async throws {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let work = Task { try await body() }
    let watch = Task {
      var last: UnixSignal?
      for await signal in signals {
        if last != nil { System.die(of: signal.number) }
        last = signal
        line.erase()
        StandardStreams.complain("stopping; once more ends at once")
        work.cancel()
      }
      return last
    }
    let result = await work.result
    watch.cancel()
    do { try result.get() } catch let error as Interrupted {
      StandardStreams.complain(error.sentence)
      System.die(of: await watch.value?.number ?? SIGINT)
    }
  }
}

extension UnixSignal {
  fileprivate var number: Int32 { self == .sigterm ? SIGTERM : SIGINT }
}
