import Quoin

extension Spelling {
  /// The command `quoin scan`.
  ///
  /// - Parameter store: its path.
  func shell(store: String) -> SpelledQuestion {
    var options: [(name: String, value: String)] = question.conditions.map { ("where", $0) }
    options += days
    switch subject {
    case .rows: options += [("columns", question.columns)]
    case .groups: options += [("aggregate", question.aggregates), ("by", question.by), ("having", question.having)]
    }
    options += [("order", question.order), ("limit", limit), ("store", store)]
    let words = options.filter { !$0.value.isEmpty }.map { name, value in
      // A value that looks like an option has to be a part of one.
      "--\(name)\(value.hasPrefix("-") ? "=" : " ")\(value.shellWord)"
    }
    let tickers = question.tickers.map { "\($0)".shellWord }
    let isPlain = !question.tickers.contains { "\($0)".hasPrefix("-") }
    let all = isPlain ? tickers + words : words + ["--"] + tickers
    return .text((["quoin", "scan"] + all).joined(separator: " "))
  }

  /// A request to the server, answered as CSV.
  ///
  /// - Parameters:
  ///   - origin: where it answers, such as `http://127.0.0.1:8080`.
  ///   - needsToken: whether it wants a token, which is taken from `$QUOIN_TOKEN`.
  func curl(origin: String, needsToken: Bool = false) -> SpelledQuestion {
    var parameters: [(name: String, value: String)] = question.conditions.map { ("where", $0) }
    parameters.append(("tickers", question.tickers.map { "\($0)" }.joined(separator: ",")))
    parameters += days
    let path: String
    switch subject {
    case .rows(_, .values) where question.limit ?? 0 > ServerLimits.sortedRows:
      return .cannot("The server sorts at most \(ServerLimits.sortedRows) rows by their values.")
    case .rows:
      path = "/api/v1/scan"
      parameters += [("columns", question.columns)]
    case .groups:
      path = "/api/v1/aggregate"
      parameters += [("aggregates", question.aggregates), ("by", question.by), ("having", question.having)]
    }
    parameters += [("order", question.order), ("limit", limit), ("format", "csv")]
    parameters.removeAll { $0.value.isEmpty }
    let byteCount = parameters.reduce(0) { $0 + $1.name.utf8.count + 2 + $1.value.addressByteCount }
    if byteCount + path.utf8.count > ServerLimits.targetByteCount {
      return .cannot("The question is longer than an address may be.")
    }
    let data = parameters.map { "--data-urlencode \("\($0.name)=\($0.value)".shellWord)" }
    let token = needsToken ? [#"-H "authorization: Bearer $QUOIN_TOKEN""#] : []
    return .text((["curl", "-G", "\(origin)\(path)".shellWord] + token + data).joined(separator: " "))
  }

  private var limit: String { question.limit.map { "\($0)" } ?? "" }

  private var days: [(name: String, value: String)] {
    [("from", question.first), ("to", question.last)].map { ($0, $1.map { "\($0)" } ?? "") }
  }
}

extension String {
  /// The number of bytes in an address, where curl escapes all but letters, digits and `-._~`.
  fileprivate var addressByteCount: Int {
    utf8.reduce(0) { $0 + ($1.isLetterOrDigit || "-._~".utf8.contains($1) ? 1 : 3) }
  }
}
