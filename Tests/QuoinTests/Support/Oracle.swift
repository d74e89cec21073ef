// The naive evaluation of a query: every cell of every row is looked at, in three-valued logic, with no statistics, no
// encodings and no masks. It shares nothing with the engine but the words of the question.

@testable import Quoin

/// What Kleene's logic knows of a row: `and` is the minimum, `or` the maximum, `not` turns the scale around.
typealias Truth = UInt8
let (no, unknown, yes): (Truth, Truth, Truth) = (0, 1, 2)

/// What a predicate says of each row of a ticker.
///
/// - Parameter market: what the predicate takes from other tickers.
func truths(
  _ predicate: Predicate, _ rows: QuoteColumns, of ticker: TickerSymbol, in market: NaiveMarket? = nil
) -> [Truth] {
  switch predicate.form {
  case .double(let attribute, let bounds): rows[attribute].map { $0.isNaN ? unknown : isInside($0, bounds) }
  case .integer(let attribute, let bounds): rows[attribute].map { $0 == .min ? unknown : isInside($0, bounds.whole) }
  case .date(let bounds): rows.days.map { isInside($0, bounds) }
  case .isMissing(let name):
    if let key = TypedAttribute<Double>(name: name) {
      rows[key].map { $0.isNaN ? yes : no }
    } else if let key = TypedAttribute<Int64>(name: name) {
      rows[key].map { $0 == .min ? yes : no }
    } else {
      []
    }
  case .ticker(.oneOf(let tickers)): rows.days.map { _ in tickers.contains(ticker.description) ? yes : no }
  case .ticker(.like(let pattern)):
    rows.days.map { _ in isLike(Array(ticker.description), Array(pattern)) ? yes : no }
  case .comparison(let x, let comparison, let y):
    zip(values(x, rows, of: ticker, in: market), values(y, rows, of: ticker, in: market)).map {
      $0.isNaN || $1.isNaN ? unknown : comparison.naive($0, $1) ? yes : no
    }
  case .hasNoValue(let x): values(x, rows, of: ticker, in: market).map { $0.isNaN ? yes : no }
  case .holds(let x): values(x, rows, of: ticker, in: market).map { $0.isNaN ? unknown : $0 == 1 ? yes : no }
  case .all(let parts): combined(parts, rows, ticker, market, empty: yes) { $0 < $1 }
  case .any(let parts): combined(parts, rows, ticker, market, empty: no) { $0 > $1 }
  case .not(let part): truths(part, rows, of: ticker, in: market).map { yes - $0 }
  case .tooDeep: []
  }
}

private func combined(
  _ parts: [Predicate], _ rows: QuoteColumns, _ ticker: TickerSymbol, _ market: NaiveMarket?, empty: Truth,
  _ wins: (Truth, Truth) -> Bool
) -> [Truth] {
  var result = Array(repeating: empty, count: rows.rowCount)
  for part in parts {
    let truths = truths(part, rows, of: ticker, in: market)
    for row in result.indices where wins(truths[row], result[row]) { result[row] = truths[row] }
  }
  return result
}

private func isInside<Value: Comparable & Hashable>(_ value: Value, _ bounds: Bounds<Value>) -> Truth {
  switch bounds.lower {
  case .unbounded: break
  case .inclusive(let end): if !(value >= end) { return no }
  case .exclusive(let end): if !(value > end) { return no }
  }
  switch bounds.upper {
  case .unbounded: break
  case .inclusive(let end): if !(value <= end) { return no }
  case .exclusive(let end): if !(value < end) { return no }
  }
  return yes
}

/// SQL's LIKE, by the definition of its two signs.
private func isLike(_ text: [Character], _ pattern: [Character]) -> Bool {
  guard let sign = pattern.first else { return text.isEmpty }
  let rest = Array(pattern.dropFirst())
  if sign == "%" { return (0...text.count).contains { isLike(Array(text.dropFirst($0)), rest) } }
  guard let first = text.first else { return false }
  return (sign == "_" || sign == first) && isLike(Array(text.dropFirst()), rest)
}

extension Comparison {
  fileprivate func naive(_ x: Double, _ y: Double) -> Bool {
    switch self {
    case .below: x < y
    case .atMost: x <= y
    case .above: x > y
    case .atLeast: x >= y
    case .equal: x == y
    case .notEqual: x != y
    }
  }
}

/// A question in all its parts.
struct Question {
  var tickers: [TickerSymbol]?
  var predicate: Predicate
  var attributes = AttributeSet.all
  /// What is computed under the name `c`.
  var computed: QuoteExpression?
  var order = DateOrder.ascending
  var limit: Int?
  var offset = 0

  /// The engine's form of it.
  func query(_ store: QuoteStore) -> QuoteQuery {
    var query = (tickers.map(store.quotes(for:)) ?? store.allQuotes).where(predicate).selecting(attributes)
      .ordered(order)
    if let computed { query = query.computing("c", computed) }
    if let limit { query = query.limited(to: limit) }
    return query.offset(by: offset)
  }

  /// The rows of the answer, as rows of the market: one ticker after another, each once.
  func answer(_ market: [TickerSymbol: QuoteColumns]) -> [(ticker: TickerSymbol, rows: [Int])] {
    var answer: [(ticker: TickerSymbol, rows: [Int])] = []
    var (left, skipped) = (limit ?? .max, offset)
    var asked: Set<TickerSymbol> = []
    let others = NaiveMarket(market, asking: tickers)
    for ticker in tickers ?? market.keys.sorted() where asked.insert(ticker).inserted {
      guard let columns = market[ticker] else { continue }
      let truths = truths(predicate, columns, of: ticker, in: others)
      var rows = columns.days.indices.filter { truths[$0] == yes }
      if order == .descending { rows.reverse() }
      let first = min(skipped, rows.count)
      skipped -= first
      rows = Array(rows.dropFirst(first).prefix(left))
      left -= rows.count
      if !rows.isEmpty { answer.append((ticker, rows)) }
    }
    return answer
  }

  /// The rows that would be the answer without a limit and an offset.
  func all(_ market: [TickerSymbol: QuoteColumns]) -> [(ticker: TickerSymbol, rows: [Int])] {
    var question = self
    (question.limit, question.offset) = (nil, 0)
    return question.answer(market)
  }
}

/// The sum of float64 values without any rounding: one long integer in units of the smallest denormal (Kulisch 1971).
struct LongSum {
  /// 32 bits each, with room for 2^31 carries.
  private var limbs = [Int64](repeating: 0, count: 68)

  mutating func add(_ value: Double) {
    guard value != 0 else { return }
    let exponentBits = Int(value.bitPattern >> 52 & 0x7FF)
    let fraction = value.bitPattern & (1 << 52 - 1)
    let (significand, shift) = exponentBits == 0 ? (fraction, 0) : (fraction | 1 << 52, exponentBits - 1)
    var wide = UInt128(significand) << UInt128(shift % 32)
    var limb = shift / 32
    while wide != 0 {
      let part = Int64(truncatingIfNeeded: wide & 0xFFFF_FFFF)
      limbs[limb] += value < 0 ? -part : part
      wide >>= 32
      limb += 1
    }
  }

  /// Whether `value` is the sum rounded once: what is left without it is at most half a unit in its last place.
  func isRounded(to value: Double) -> Bool {
    guard value.isFinite else { return self.value == value }
    var rest = self
    rest.add(-value)
    return rest.value.magnitude <= value.ulp / 2
  }

  /// The sum, correct within an ulp or so.
  var value: Double {
    var limbs = limbs
    for index in 0..<(limbs.count - 1) {
      let carry = limbs[index] >> 32
      limbs[index] -= carry << 32
      limbs[index + 1] += carry
    }
    let isNegative = limbs[limbs.count - 1] < 0
    if isNegative {
      var carry: Int64 = 1
      for index in limbs.indices.dropLast() {
        limbs[index] = (0xFFFF_FFFF - limbs[index]) + carry
        carry = limbs[index] >> 32
        limbs[index] &= 0xFFFF_FFFF
      }
      limbs[limbs.count - 1] = -limbs[limbs.count - 1] - 1 + carry
    }
    var sum = 0.0
    for index in limbs.indices.reversed() where limbs[index] != 0 {
      // In two steps, because the factor alone may be too small to be exact.
      let exponent = 32 * index - 1074
      sum += Double(sign: .plus, exponent: exponent, significand: Double(limbs[index]))
    }
    return isNegative ? -sum : sum
  }
}
