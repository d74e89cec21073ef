import Quoin

/// Q15: a file with one day of every ticker is imported, durably; then Q2 is asked of the new generation.
struct AppendedDays {
  private let store: QuoteStore
  private let queries: ReferenceQueries

  init(_ path: String, threads: Int) throws {
    store = try QuoteStore(at: path, mustExist: true)
    queries = ReferenceQueries(store: store, threads: threads)
  }

  /// Every file is the next day. The store is warm before the first one.
  func run(_ paths: [String]) throws {
    _ = try question()
    var (appending, asking, answer) = ([Double](), [Double](), Answer(count: 0))
    for path in paths {
      let start = ContinuousClock.now
      try store.importFiles([path], options: ImportOptions(threads: queries.threads))
      let appended = ContinuousClock.now
      let found = try question()
      appending.append((appended - start) / .milliseconds(1))
      asking.append((ContinuousClock.now - appended) / .milliseconds(1))
      answer = Answer(found)
    }
    print("Q15 append", Answer(count: paths.count), appending)
    print("Q15 then Q2", answer, asking)
    print("Q15", answer, zip(appending, asking).map { $0 + $1 })
  }

  private func question() throws -> QuoteBatch {
    try queries.fourRanges(store.allQuotes.threads(queries.threads)).fetchColumns()
  }

  private func print(_ query: String, _ answer: Answer, _ times: [Double]) {
    Record(engine: "quoin", query: query, threads: queries.threads, answer: answer, times: times).print()
  }
}
