import Quoin

/// Reads snapshots, each with all its rows and columns, and compares them with the chronicle.
struct Reader {
  let path: String
  let scoreboard: Scoreboard
  let slot: Int
  private var expected: (generation: UInt64, content: Expected)?

  private struct Expected {
    let content: Chronicle.Content
    let prices: [Double]
    let volumes: [Int64]
  }

  init(store path: String, _ scoreboard: Scoreboard, slot: Int) {
    (self.path, self.scoreboard, self.slot) = (path, scoreboard, slot)
  }

  mutating func run() throws -> Never {
    var store = try QuoteStore(at: path)
    // It goes on showing its generation when the files of that have long been removed.
    var held = try QuoteStore(at: path)
    var seen: UInt64 = 0
    var count = scoreboard[slot]
    while true {
      let least = max(scoreboard[0], seen)
      if count % 64 == 0 { store = try QuoteStore(at: path) } else { try store.refresh() }
      seen = store.generation
      guard seen >= least else { fail("generation \(seen) after \(least) was acknowledged or read") }
      try check(store)
      if count % 512 == 0 { held = try QuoteStore(at: path) }
      if count % 16 == 0 { try check(held) }
      count += count % 16 == 0 ? 2 : 1
      if count % 8 == 0 { scoreboard[slot] = count }
    }
  }

  private mutating func check(_ store: QuoteStore) throws {
    let (generation, batch) = (store.generation, try store.allQuotes.fetchColumns())
    let expected = expected(at: generation)
    guard batch.tickers.elementsEqual(expected.content.tickers), batch.columns.days == expected.content.days else {
      fail("generation \(generation) has \(batch.rowCount) rows, or others than the \(expected.prices.count) written")
    }
    for attribute in TypedAttribute<Double>.all where batch.columns[attribute] != expected.prices {
      fail("generation \(generation) has \(attribute.name) of another: \(batch.columns[attribute])")
    }
    for attribute in TypedAttribute<Int64>.all where batch.columns[attribute] != expected.volumes {
      fail("generation \(generation) has \(attribute.name) of another: \(batch.columns[attribute])")
    }
  }

  private mutating func expected(at generation: UInt64) -> Expected {
    if let expected, expected.generation == generation { return expected.content }
    let content = Chronicle.content(at: generation)
    let new = Expected(
      content: content, prices: content.marks.map { Double($0) }, volumes: content.marks.map { Int64($0) })
    expected = (generation, new)
    return new
  }
}
