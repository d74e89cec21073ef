import Quoin

extension Spelling {
  /// The command `quoin scan`, or for bars `quoin resample`.
  ///
  /// - Parameter store: its path.
  func shell(store: String) -> SpelledQuestion {
    let isOfBars = question.barPeriod != nil
    let others: [QuestionField.Name: String] =
      isOfBars
      ? [.aggregates: "aggregate", .resample: "by", .barLabel: "label", .by: "group-by"] : [.aggregates: "aggregate"]
    var options = texts.filter { $0.name != .tickers }.compactMap { name, text in
      Self.option(others[name] ?? name.rawValue.replacing("_", with: "-"), text, QuestionField.named(name).kind)
    }
    options.append(Self.option("store", store))
    let words = tickers.map { "\($0)".shellWord }
    let isPlain = !tickers.contains { "\($0)".hasPrefix("-") }
    let all = isPlain ? words + options : options + ["--"] + words
    return .text((["quoin", isOfBars ? "resample" : "scan"] + all).joined(separator: " "))
  }

  /// An option; nil for a flag that isn't set.
  private static func option(_ name: String, _ text: String, _ kind: QuestionField.Kind) -> String? {
    guard case .flag = kind else { return option(name, text) }
    return Bool(flag: text) == true ? "--\(name)" : nil
  }

  private static func option(_ name: String, _ value: String) -> String {
    // A value that looks like an option has to be a part of one.
    "--\(name)\(value.hasPrefix("-") ? "=" : " ")\(value.shellWord)"
  }

  /// A request to the server, answered as CSV.
  ///
  /// - Parameters:
  ///   - origin: where it answers, such as `http://127.0.0.1:8080`.
  ///   - needsToken: whether it wants a token, which is taken from `$QUOIN_TOKEN`.
  func curl(origin: String, needsToken: Bool = false) -> SpelledQuestion {
    var parameters = texts.map { (name: $0.name.rawValue, value: $0.text) }
    if case .keys = question.order, question.groups == nil {
      guard question.limit ?? 0 <= ServerLimits.sortedRows else {
        return .cannot("The server sorts at most \(ServerLimits.sortedRows) rows by their values.")
      }
      if question.limit == nil, !question.isOfLatest { parameters.append(("limit", "\(ServerLimits.sortedRows)")) }
    }
    parameters.append(("format", "csv"))
    let path = question.groups == nil ? ScanRequest.route.pattern : AggregateRequest.route.pattern
    let byteCount = parameters.reduce(0) { $0 + $1.name.utf8.count + 2 + $1.value.addressByteCount }
    if byteCount + path.description.utf8.count > ServerLimits.targetByteCount {
      return .cannot("The question is longer than an address may be.")
    }
    let data = parameters.map { "--data-urlencode \("\($0.name)=\($0.value)".shellWord)" }
    let token = needsToken ? [#"-H "authorization: Bearer $QUOIN_TOKEN""#] : []
    return .text((["curl", "-G", "\(origin)\(path)".shellWord] + token + data).joined(separator: " "))
  }
}

extension String {
  /// The number of bytes in an address, where curl escapes all but letters, digits and `-._~`.
  fileprivate var addressByteCount: Int {
    utf8.reduce(0) { $0 + ($1.isLetterOrDigit || "-._~".utf8.contains($1) ? 1 : 3) }
  }
}
