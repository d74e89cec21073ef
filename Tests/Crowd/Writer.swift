import Quoin

/// Commits generation after generation, and notes on the scoreboard which commit has returned.
struct Writer {
  let path: String
  let scoreboard: Scoreboard

  init(store path: String, _ scoreboard: Scoreboard) { (self.path, self.scoreboard) = (path, scoreboard) }

  func run() throws -> Never {
    let store = try QuoteStore(at: path)
    let acknowledged = scoreboard[0]
    // The writer before may have been killed between the commit and the note.
    guard store.generation == acknowledged || store.generation == acknowledged + 1 else {
      fail("generation \(store.generation) after \(acknowledged) was acknowledged")
    }
    scoreboard[0] = store.generation
    while true {
      let next = store.generation + 1
      // Without patience: the lock of a dead writer must be free.
      try Chronicle.commit(next, to: store)
      guard store.generation == next else { fail("generation \(store.generation) instead of \(next)") }
      scoreboard[0] = next
    }
  }
}
