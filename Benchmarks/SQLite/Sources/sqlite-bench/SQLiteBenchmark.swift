import CSQLite

/// Times SQLite as Core Data would use it, and prints a JSON object a line, as quoin-bench does.
///
///     sqlite-bench DATABASE        reads lines of engine, query and statement, tabs between them
///
/// The engine "sqlite" filters in SQL. The engine "sqlite-objects" fetches objects and filters them in Swift by the four
/// ranges of Q1 and Q2, as a first attempt with Core Data does.
@main
struct SQLiteBenchmark {
  let database: Database

  static func main() {
    let benchmark = SQLiteBenchmark(database: Database(CommandLine.arguments[1]))
    while let line = readLine() {
      let fields = line.split(separator: "\t", maxSplits: 2).map { String($0) }
      benchmark.run(engine: fields[0], query: fields[1], sql: fields[2])
    }
  }

  private func run(engine: String, query: String, sql: String) {
    if engine == "sqlite" {
      time(engine, query, { Table(database, sql) }, answer: \.answer)
    } else {
      time(engine, query, { fetched(sql).filter(\.isInFourRanges) }, answer: FetchedQuote.answer)
    }
  }

  private func fetched(_ sql: String) -> [FetchedQuote] {
    var quotes: [FetchedQuote] = []
    database.forEachRow(sql) { quotes.append(FetchedQuote($0)) }
    return quotes
  }

  /// As many runs as in Stopwatch.swift.
  private func time<Found>(
    _ engine: String, _ query: String, _ question: () -> Found, answer: (Found) -> [String]
  ) {
    let (start, budget) = (ContinuousClock.now, Duration.seconds(4))
    let numbers = answer(question())
    if ContinuousClock.now - start < budget { _ = question() }
    var times: [Double] = []
    while times.isEmpty || times.count < 9 && ContinuousClock.now - start < budget {
      let begin = ContinuousClock.now
      let found = question()
      times.append((ContinuousClock.now - begin) / .milliseconds(1))
      withExtendedLifetime(found) {}
    }
    print(
      "{\"engine\": \"\(engine)\", \"version\": \"\(String(cString: sqlite3_libversion()))\", \"query\": \"\(query)\", "
        + "\"threads\": 1, \"answer\": [\(numbers.joined(separator: ", "))], \"times\": \(times), \"peak_bytes\": null}"
    )
  }
}
