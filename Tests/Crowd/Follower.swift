import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Follows a store, and says on standard output what changed and when:
///
///     change FIRST-GENERATION GENERATION TICKERS NANOSECONDS
///     cpu NANOSECONDS                             for each line "cpu" on standard input
enum Follower {
  static func run(store path: String) throws {
    let store = try QuoteStore(at: path)
    let changes = store.changes
    Task {
      do {
        for try await change in changes {
          let tickers = change.tickers.map {
            "\($0):\(change.days(of: $0)!.lowerBound):\(change.days(of: $0)!.upperBound)"
          }
          print(
            "change \(change.firstGeneration) \(change.generation) \(tickers.joined(separator: ",")) \(Self.nanoseconds(CLOCK_MONOTONIC))",
            to: STDOUT_FILENO)
        }
        fail("the changes have ended")
      } catch { fail("\(error)") }
    }
    print("ready \(store.generation)", to: STDOUT_FILENO)
    while let line = readLine() {
      if line == "cpu" { print("cpu \(nanoseconds(CLOCK_PROCESS_CPUTIME_ID))", to: STDOUT_FILENO) }
    }
  }

  static func nanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
