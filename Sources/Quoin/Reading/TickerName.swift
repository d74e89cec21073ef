extension TickerSymbol {
  /// The ticker in a file's name: AAPL for `WIKI-AAPL.csv`, BRK.A for `brk.a.json.gz`.
  ///
  /// - Throws: `ImportError.badTicker` if the name is no symbol, `noTicker` for standard input.
  init(fileName path: String) throws(ImportError) {
    guard path != "-" else { throw .noTicker(file: "standard input") }
    var name = path.split(separator: "/").last.map(String.init) ?? path
    for suffix in [".gz", ".zip"] where name.lowercased().hasSuffix(suffix) { name.removeLast(suffix.count) }
    for suffix in [".csv", ".tsv", ".txt", ".json", ".ndjson", ".jsonl"] where name.lowercased().hasSuffix(suffix) {
      name.removeLast(suffix.count)
      break
    }
    if Self.hasVendorPrefix(name) { name.removeFirst(Self.vendorPrefixes[0].count) }
    do throws(TickerSymbolError) { try self.init(name) } catch { throw .badTicker(file: path, error) }
  }

  /// The name of a file for this ticker's quotes, by which an import knows the ticker: `FDX.json`.
  ///
  /// An import takes `WIKI-` off a name once. So a ticker that itself begins like that gets it before its name.
  package func fileName(_ fileExtension: String) -> String {
    let prefix = Self.hasVendorPrefix(description) ? Self.vendorPrefixes[0] : ""
    return "\(prefix)\(self).\(fileExtension)"
  }

  private static let vendorPrefixes = ["WIKI-", "WIKI_"]

  private static func hasVendorPrefix(_ name: String) -> Bool {
    vendorPrefixes.contains { name.uppercased().hasPrefix($0) }
  }
}
