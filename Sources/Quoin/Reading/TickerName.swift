extension TickerSymbol {
  /// The ticker in a file's name: AAPL for `WIKI-AAPL.csv`, FDX for `FDX.json.gz`.
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
    for prefix in ["WIKI-", "WIKI_"] where name.uppercased().hasPrefix(prefix) { name.removeFirst(prefix.count) }
    do throws(TickerSymbolError) { try self.init(name) } catch { throw .badTicker(file: path, error) }
  }
}
