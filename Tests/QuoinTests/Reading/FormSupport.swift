import Testing

@testable import Quoin

/// A file of somebody's, and what an import has to make of it.
struct FormCase: CustomTestStringConvertible {
  enum Outcome {
    /// Each row as `FDX 2024-01-19 o h l c v`, with `-` for what is missing.
    case rows([String])
    /// Words of the error.
    case refused(String)
  }

  /// The numbers of the log of other people's files, or what the file is like.
  let log: String
  let text: String
  var name = "FDX.csv"
  var change: @Sendable (inout ImportOptions) -> Void = { _ in }
  let outcome: Outcome

  init(
    _ log: String, _ text: String, name: String = "FDX.csv",
    _ change: @escaping @Sendable (inout ImportOptions) -> Void = { _ in },
    rows: [String]
  ) {
    (self.log, self.text, self.name, self.change, outcome) = (log, text, name, change, .rows(rows))
  }

  init(
    _ log: String, _ text: String, name: String = "FDX.csv",
    _ change: @escaping @Sendable (inout ImportOptions) -> Void = { _ in },
    refused words: String
  ) {
    (self.log, self.text, self.name, self.change, outcome) = (log, text, name, change, .refused(words))
  }

  init(
    _ log: String, _ text: String, name: String, _ change: @escaping @Sendable (inout ImportOptions) -> Void,
    _ outcome: Outcome
  ) {
    (self.log, self.text, self.name, self.change, self.outcome) = (log, text, name, change, outcome)
  }

  var testDescription: String { log }

  /// Imports the file, compares, and compares what it is explained as.
  func check() {
    var options = ImportOptions()
    change(&options)
    var sink = MemorySink()
    let explanation = explained(options)
    do {
      let summary = try importText(text, as: name, options: options, into: &sink)
      let isSame =
        explanation?.error == nil && explanation?.rowCount == summary.rowCount - summary.counts.empty
        && explanation?.columns.map(\.use) == summary.files.first?.columns.map(\.use)
      #expect(isSame, "\(log): \(String(describing: explanation))")
      // Bars that are joined and splits that become 1 aren't the cells of the file.
      if !options.makesDaysOfBars, !options.splitsAreInPrices, !options.lastRowWins {
        explanation?.expectCells(of: sink, log)
      }
      let rows = sink.quotes.keys.sorted().flatMap { sink.rows($0) }.map(\.cells)
      switch outcome {
      case .rows(let expected): #expect(rows == expected, "\(log)")
      case .refused(let words): Issue.record("\(log): \(rows) in place of '\(words)'")
      }
    } catch {
      let refusal = explanation?.error.map { "\($0)" } ?? "no error"
      switch outcome {
      case .refused(let words): #expect(refusal.contains(words), "\(log): \(refusal)")
      case .rows: break
      }
      switch outcome {
      case .rows(let expected): Issue.record("\(log): \(error) in place of \(expected)")
      case .refused(let words): #expect("\(error)".contains(words), "\(log): \(error)")
      }
    }
  }
}

extension FormCase {
  private func explained(_ options: ImportOptions) -> ImportExplanation? {
    let folder = TemporaryDirectory()
    guard let path = try? folder.write(text.utf8, as: name) else { return nil }
    return try? ImportExplanation.all(of: [path], options: options).first
  }
}

extension DailyQuoteSummary {
  /// `FDX 2024-01-19 o h l c v`, with the other values behind it that aren't missing.
  fileprivate var cells: String {
    func text(_ value: Double?) -> String {
      value.map { $0 == $0.rounded() && abs($0) < 1e15 ? "\(Int64($0))" : "\($0)" } ?? "-"
    }
    let first =
      "\(ticker) \(date) \([open, high, low, close].map(text).joined(separator: " ")) \(integer(.volume).map { "\($0)" } ?? text(exactVolume))"
    let others = [("d", exDividend), ("s", splitRatio), ("ac", adjustedClose), ("av", adjustedVolume)]
    return others.reduce(first) { line, other in other.1.map { "\(line) \(other.0)=\(text($0))" } ?? line }
  }
}
