/// A number for each quote, computed from its values, from those of earlier or later days of its ticker, or both.
///
///     let change = QuoteExpression.close / .prev(.close) - 1
///     let strong = try store.allQuotes.where(change > 0.05 && .volume > 3 * .mean(.prev(.volume), 20)).fetch()
///
/// Values are float64s; an int64 volume becomes the nearest one. What is computed from a missing value is missing, and so is
/// what isn't a finite number: 1/0, 0/0, the logarithm of 0, an overflow. A step back, a window and whatever else looks at other days sees
/// all rows of the ticker, whether or not the query selects them: so a value doesn't depend on what else is asked.
public struct QuoteExpression: Hashable, Sendable {
  private let tree: Tree<Node>
  let size: TreeSize
  /// Nil for a small one.
  private let digest: Digest?

  /// What an expression consists of. A program outside the package makes expressions with the functions below, so that a later
  /// release can have more of them.
  indirect enum Node: Hashable, Sendable {
    /// The bits of a float64: so NaN is the same number as NaN, and -0.0 is another than 0.
    case number(UInt64)
    case attribute(Attribute)
    /// A part of the day.
    case calendar(CalendarField)
    /// A function of the row's values.
    case row(RowFunction, [QuoteExpression])
    /// The value so many rows before this one; after it, if the number is negative.
    case shifted(QuoteExpression, Int)
    /// A function of the last rows, with a parameter if it is a quantile.
    case window(WindowFunction, [QuoteExpression], WindowSpan, Double?)
    /// A function of all rows up to this one, with its numbers of rows.
    case indicator(Indicator, [QuoteExpression], [Double])
    /// A function of the rows in which a predicate holds.
    case flag(FlagFunction, Predicate, WindowSpan)
    /// 1 where the predicate holds, 0 where it doesn't, missing where that is unknown.
    case truth(Predicate)
    /// The first expression where the predicate holds, the second where it doesn't, missing where that is unknown.
    case choice(Predicate, QuoteExpression, QuoteExpression)
    /// An aggregate of a group of quotes, in what is asked of groups: of a quote itself it has no value.
    case aggregate(Aggregation)
    /// What depends on quotes of other tickers.
    case market(MarketValue)
    /// More than `Limits.predicateLevels` inside each other, which no scan takes. What they are isn't kept.
    case tooDeep
  }

  /// An expression that has `inner` inside it.
  init(_ node: Node, around inner: [TreeSize] = []) {
    size = TreeSize(around: inner)
    let node = size.isTooDeep ? .tooDeep : node
    tree = Tree(node, levelCount: size.isTooDeep ? 0 : size.levelCount)
    digest = size.isSmall ? nil : Digest(of: node)
  }

  /// Whether both are made of the same nodes. O(1).
  public static func == (a: QuoteExpression, b: QuoteExpression) -> Bool {
    a.digest == b.digest && (a.digest != nil || a.node == b.node)
  }

  /// O(1).
  public func hash(into hasher: inout Hasher) {
    if let digest { hasher.combine(digest) } else { hasher.combine(node) }
  }

  var node: Node { tree.node }

  /// The number that it is, whatever the quote.
  var number: Double? {
    guard case .number(let bits) = node else { return nil }
    return Double(bitPattern: bits)
  }

  /// Whether it is computed from numbers alone. Nobody writes a thousand of them, and names could make more.
  var isConstant: Bool {
    switch node {
    case .number: true
    case .row(_, let operands): size.nodeCount <= 1000 && operands.allSatisfy(\.isConstant)
    default: false
    }
  }

  init(_ function: RowFunction, _ operands: [QuoteExpression]) {
    self.init(.row(function, operands), around: operands.map(\.size))
  }
}
