import Console
import Quoin

/// Which tickers `quoin adjust` computes, and which it leaves as they are.
struct AdjustmentChoice {
  private(set) var wanted: [TickerSymbol] = []
  /// Those whose adjusted values follow from their rows.
  private var current: [TickerSymbol] = []
  /// Those whose adjusted values don't, and are another source's.
  private var foreign: [TickerSymbol] = []

  /// - Parameter isReplacing: whether all are computed.
  init(_ asked: [TickerSymbol], in store: QuoteStore, replacing isReplacing: Bool) throws {
    for ticker in asked {
      switch isReplacing ? .absent : try store.adjustmentState(of: ticker) {
      case .absent, .outdated: wanted.append(ticker)
      case .current: current.append(ticker)
      case .foreign: foreign.append(ticker)
      }
    }
  }

  /// Throws if one of the tickers isn't computed.
  func requireAll(_ path: String) throws {
    if let first = foreign.first {
      throw DataError(
        "the adjusted values of \(first) in '\(path)' are another source's and don't follow its newest rows, dividends or "
          + "splits; to compute them anew, run 'quoin adjust \(first) --replace'")
    }
    if let first = current.first {
      throw DataError(
        "'\(path)' has adjusted values of \(first) already; to compute them anew, run 'quoin adjust \(first) --replace'"
      )
    }
  }

  /// What came of it.
  func text(_ counts: UpsertCounts, in path: String) -> String {
    let rows = "\(counts.rowCount.of("row")) of \(wanted.count.of("ticker")) in '\(path)'"
    if wanted.isEmpty, foreign.isEmpty {
      return "Nothing changed: \(current.count == 1 ? "the" : "all") \(currentText) of '\(path)' \(haveAlready); "
        + "--replace computes \(current.count == 1 ? "its values" : "them") anew."
    }
    let first =
      wanted.isEmpty
      ? "Nothing changed."
      : counts.replaced == 0
        ? "Nothing changed: the \(rows) have these adjusted values already." : "Adjusted \(rows): \(counts.text)."
    return ([first] + leftTexts).joined(separator: " ")
  }

  private var currentText: String { current.count.of("ticker") }
  private var haveAlready: String { "\(current.count == 1 ? "has" : "have") adjusted values already" }

  private var leftTexts: [String] {
    var texts: [String] = []
    if !current.isEmpty {
      texts.append(
        "\(currentText) \(haveAlready) and \(current.count == 1 ? "stays as it is" : "stay as they are"); --replace computes "
          + "them anew.")
    }
    if !foreign.isEmpty {
      let names = foreign.prefix(5).map { "\($0)" }.joined(separator: ", ")
      texts.append(
        "The adjusted values of \(foreign.count.of("ticker")) are another source's and don't follow the newest rows, dividends "
          + "or splits: \(names)\(foreign.count > 5 ? " ..." : ""). 'quoin adjust \(foreign[0]) --replace' computes them anew."
      )
    }
    return texts
  }
}
