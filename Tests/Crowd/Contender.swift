import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Does what it is told, a line each:
///
///     try STORE SECONDS     writes a row of its own, waiting so long for the lock; answers `locked HOLDER`, or
///                           `holding` once it has the lock, waits for another line, commits, and answers `done`
///     parent STORE SECONDS  the same, but starts a child with the lock in its hands; answers `child PROCESS` first
///     read STORE            opens a snapshot, reads it, answers `ROWS rows`, and holds it until another line comes
struct Contender {
  func run() {
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      do {
        switch (words.first, words.count) {
        case ("try", 3): try write(to: words[1], .seconds(Int(words[2]) ?? 0), startingChild: false)
        case ("parent", 3): try write(to: words[1], .seconds(Int(words[2]) ?? 0), startingChild: true)
        case ("read", 2): try read(words[1])
        default: fail("what is '\(line)'?")
        }
      } catch {
        fail("\(line): \(error)")
      }
    }
  }

  private func write(to path: String, _ patience: Duration, startingChild: Bool) throws {
    do {
      try QuoteStore(at: path).write(patience: patience) { transaction in
        if startingChild { _ = unsafe system("sleep 60 < /dev/null > /dev/null 2>&1 & echo child $!") }
        print("holding", to: STDOUT_FILENO)
        _ = readLine()
        try transaction.upsert([Chronicle.row(.earliest, UInt64(getpid()))], source: "crowd")
      }
      print("done", to: STDOUT_FILENO)
    } catch StoreError.locked(_, let holder) {
      print("locked \(holder?.description ?? "unknown")", to: STDOUT_FILENO)
    }
  }

  private func read(_ path: String) throws {
    let store = try QuoteStore(at: path)
    print("\(try store.allQuotes.fetchColumns().rowCount) rows", to: STDOUT_FILENO)
    _ = readLine()
    withExtendedLifetime(store) {}
  }
}
