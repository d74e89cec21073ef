/// The names of the members that some objects have, in the order in which they come first.
struct JSONNames {
  private(set) var names: [String] = []
  /// Whether some object has a value under the name that isn't an array or an object.
  private var areFlat: [Bool] = []
  /// The names as they stand in the text, which mostly are those of the object before.
  private var bytes: [[UInt8]] = []
  private var places: [[UInt8]: Int] = [:]

  var flat: Set<String> { Set(zip(names, areFlat).filter(\.1).map(\.0)) }
  var hasNested: Bool { areFlat.contains(false) }

  /// Adds the names of an object's members.
  ///
  /// - Returns: whether they say anything new.
  @discardableResult
  mutating func insert(_ object: JSONNode) -> Bool {
    var (index, isNew) = (0, false)
    for (key, value) in object.members {
      if index >= bytes.count || !key.hasText(bytes[index]) {
        let count = names.count
        index = place(of: key)
        if names.count > count { isNew = true }
      }
      guard index < names.count else { continue }
      if !areFlat[index], !value.isContainer { (areFlat[index], isNew) = (true, true) }
      index += 1
    }
    return isNew
  }

  private mutating func place(of key: JSONNode) -> Int {
    let name = key.string
    if let known = places[Array(name.utf8)] { return known }
    guard names.count < Limits.memberNameCount else { return names.count }
    names.append(name)
    areFlat.append(false)
    bytes.append(Array(name.utf8))
    places[Array(name.utf8)] = names.count - 1
    return names.count - 1
  }
}

/// What names of JSON mean as names of columns.
enum JSONColumnName {
  /// The names that stand for longer ones, wherever those of the four prices are together.
  private static let short = [
    "o": "open", "h": "high", "l": "low", "c": "close", "v": "volume", "t": "timestamp", "T": "ticker", "S": "symbol",
  ]

  /// The names as a header of CSV would have them.
  static func plain(_ names: [String]) -> [String] {
    let areShort = areShort(names)
    // Beside the symbol, a T is the kind of a message.
    return names.map { plain($0, isShort: areShort && ($0 != "T" || !names.contains("S"))) }
  }

  static func plain(_ name: String, isShort: Bool) -> String {
    (isShort ? short[name] : nil) ?? withoutNumber(name)
  }

  static func areShort(_ names: [String]) -> Bool { ["o", "h", "l", "c"].allSatisfy(names.contains) }

  /// `open` for `1. open` and `1a. open`, as Alpha Vantage writes it.
  static func withoutNumber(_ name: String) -> String {
    let rest = name.drop { $0.isASCII && $0.isNumber }
    let letters = rest.prefix { $0.isASCII && $0.isLowercase }
    guard rest.startIndex > name.startIndex, letters.count <= 1, rest.dropFirst(letters.count).hasPrefix(". ") else {
      return name
    }
    return String(rest.dropFirst(letters.count + 2))
  }

  /// The name without its number, in small letters alone: `symbol` for `2. Symbol`.
  static func word(_ name: String) -> String {
    guard name.utf8.count <= 64 else { return "" }
    return withoutNumber(name).lowercased().filter { !"-_. ".contains($0) }
  }

  /// What services call the rows, whatever they are of.
  private static let rowWords: Set<String> = [
    "bars", "body", "candles", "data", "history", "historical", "items", "list", "ohlc", "output", "prices", "quotes",
    "records", "response", "result", "results", "rows", "series", "table", "values",
  ]

  /// Whether the name of a member is probably a ticker: `AAPL`, `BRK.A`, `BRKa`; not `results`, `Quotes`, `2024-01-19`.
  static func isTicker(_ name: String) -> Bool {
    guard (try? TickerSymbol(name)) != nil, !rowWords.contains(name.lowercased()) else { return false }
    return name.contains(where: \.isUppercase) && name.count(where: \.isLowercase) <= 1
      && name.first.map { $0.isUppercase || $0 == "^" || $0.isNumber } == true
  }
}
