// Sources write share classes in different ways: BRK.A, BRK-A, BRK_A. These are different tickers. But whoever looks one up
// in vain may have meant another.

extension TickerSymbol {
  /// Whether two symbols differ in nothing but `.`, `-` and `_`.
  package func isLike(_ other: TickerSymbol) -> Bool { folded == other.folded }

  /// The symbol with each `.` and `-` replaced by `_`.
  private var folded: TickerSymbol { TickerSymbol(unchecked: utf8.map(Self.folded)) }

  /// The byte; `_` for `.` and `-`.
  static func folded(_ byte: UInt8) -> UInt8 { separators.contains(byte) ? UInt8(ascii: "_") : byte }

  private static let separators = Array("-._".utf8)

  /// The symbols among `sorted` that differ from this one in nothing but `.`, `-` and `_`; ascending. Complexity:
  /// O(log count), and the symbols that are the same up to the first of these characters.
  package func alike(in sorted: [TickerSymbol]) -> [TickerSymbol] {
    let bytes = utf8
    guard let place = bytes.firstIndex(where: Self.separators.contains) else { return [] }
    let folded = folded
    return Self.separators.flatMap { separator in
      let beginning = TickerSymbol(unchecked: bytes[..<place] + [separator])
      return sorted[sorted.partitioningIndex { $0 >= beginning }...]
        .prefix { symbol in (0...place).allSatisfy { symbol[$0] == beginning[$0] } }
        .filter { $0 != self && $0.folded == folded }
    }
  }
}
