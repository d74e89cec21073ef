/// Which rows a scan selects: ranges of attributes and of the date, combined with and, or, not.
///
///     let wanted = Predicate.range(.high, 80...83) && .range(.volume, above: 1_000_000) || .isMissing(.low)
///
/// A missing cell is in no range and outside no range, like NULL in SQL: neither `.range(.high, 1...2)` nor its negation
/// selects the row. Only `isMissing` does.
public struct Predicate: Hashable, Sendable {
  private let tree: Tree<Form>
  let size: TreeSize
  /// Nil for a small one.
  private let digest: Digest?

  /// What a predicate consists of. A program outside the package makes predicates with the functions below, so that a later
  /// release can have more of them.
  indirect enum Form: Hashable, Sendable {
    case double(TypedAttribute<Double>, Bounds<Double>)
    case integer(TypedAttribute<Int64>, WholeBounds)
    case date(Bounds<TradingDay>)
    case isMissing(Attribute)
    case ticker(TickerPattern)
    /// Two expressions compared.
    case comparison(QuoteExpression, Comparison, QuoteExpression)
    /// The expression has no value.
    case hasNoValue(QuoteExpression)
    /// The expression, which is 1, 0 or missing, is 1.
    case holds(QuoteExpression)
    case all([Predicate])
    case any([Predicate])
    case not(Predicate)
    /// More than `Limits.predicateLevels` inside each other, which no scan takes. What they are isn't kept: to compare or free
    /// them takes a stack as deep as they are.
    case tooDeep
  }

  /// A condition of its own.
  private init(_ form: Form) { self.init(form, around: []) }

  /// A condition made of others.
  private init(_ form: Form, of parts: [Predicate]) { self.init(form, around: parts.map(\.size)) }

  /// A condition that has others, or expressions, inside it.
  private init(_ form: Form, around inner: [TreeSize]) {
    size = TreeSize(around: inner)
    let form = size.isTooDeep ? .tooDeep : form
    tree = Tree(form, levelCount: size.isTooDeep ? 0 : size.levelCount)
    digest = size.isSmall ? nil : Digest(of: form)
  }

  var form: Form { tree.node }

  /// Whether both are made of the same nodes. O(1).
  public static func == (a: Predicate, b: Predicate) -> Bool {
    a.digest == b.digest && (a.digest != nil || a.form == b.form)
  }

  /// O(1).
  public func hash(into hasher: inout Hasher) {
    if let digest { hasher.combine(digest) } else { hasher.combine(form) }
  }
}

extension Predicate {
  /// The day is one from `first` to `last`, both included; nil leaves that end open. If `first` is later, no row is selected.
  public static func dates(from first: TradingDay? = nil, to last: TradingDay? = nil) -> Predicate {
    .date(Bounds(lower: first.map(Bound.inclusive) ?? .unbounded, upper: last.map(Bound.inclusive) ?? .unbounded))
  }

  /// The cell is missing.
  public static func isMissing(_ attribute: Attribute) -> Predicate { Predicate(.isMissing(attribute)) }

  /// No value can be computed: `.isMissing(.close / .prev(.close))`.
  @_disfavoredOverload
  public static func isMissing(_ expression: QuoteExpression) -> Predicate {
    if case .attribute(let name) = expression.node { return isMissing(name) }
    return Predicate(.hasNoValue(expression), around: [expression.size])
  }

  /// The ticker is one of these.
  public static func ticker(in tickers: [TickerSymbol]) -> Predicate {
    .ticker(.matching(oneOf: tickers.map { "\($0)" }))
  }

  /// The ticker is like a pattern, as in SQL: `%` stands for any characters, `_` for any one.
  public static func ticker(like pattern: String) -> Predicate { .ticker(.matching(like: pattern)) }

  static func ticker(_ pattern: TickerPattern) -> Predicate { Predicate(.ticker(pattern)) }

  /// Every part holds. Without parts, every row is selected.
  ///
  /// With more than 400 of `all`, `any` and `not` inside each other, a query throws `StoreError.limit`.
  public static func all(_ parts: [Predicate]) -> Predicate { Predicate(.all(parts), of: parts) }

  /// At least one part holds. Without parts, no row is selected.
  public static func any(_ parts: [Predicate]) -> Predicate { Predicate(.any(parts), of: parts) }

  /// The part is known not to hold.
  public static func not(_ part: Predicate) -> Predicate { Predicate(.not(part), of: [part]) }

  /// Two expressions compared. An attribute and a number are a range, which is found without computing anything; what is missing, as
  /// 1/0, is no number.
  static func comparison(_ x: QuoteExpression, _ comparison: Comparison, _ y: QuoteExpression) -> Predicate {
    func range(_ x: QuoteExpression, _ comparison: Comparison, _ y: QuoteExpression) -> Predicate? {
      guard case .attribute(let name) = x.node, let number = y.number, !number.isNaN else { return nil }
      return Self.range(name, comparison, number)
    }
    if let range = range(x, comparison, y) ?? range(y, comparison.mirrored, x) { return range }
    return Predicate(.comparison(x, comparison, y), around: [x.size, y.size])
  }

  private static func range(_ name: Attribute, _ comparison: Comparison, _ number: Double) -> Predicate {
    let (inside, outside) = (End.including(number), End.excluding(number))
    return switch comparison {
    case .below: range(name, from: nil, to: outside)
    case .atMost: range(name, from: nil, to: inside)
    case .above: range(name, from: outside, to: nil)
    case .atLeast: range(name, from: inside, to: nil)
    case .equal: range(name, from: inside, to: inside)
    case .notEqual: .not(range(name, from: inside, to: inside))
    }
  }

  /// The expression, which is 1, 0 or missing, is 1.
  static func holds(_ expression: QuoteExpression) -> Predicate {
    Predicate(.holds(expression), around: [expression.size])
  }

  /// The float64 attribute lies within the bounds.
  package static func double(_ attribute: TypedAttribute<Double>, _ bounds: Bounds<Double>) -> Predicate {
    Predicate(.double(attribute, bounds))
  }

  /// The int64 attribute lies within the bounds.
  package static func integer(_ attribute: TypedAttribute<Int64>, _ bounds: Bounds<Int64>) -> Predicate {
    integer(attribute, WholeBounds(bounds))
  }

  /// The int64 attribute, which may have fractions, lies within the bounds.
  static func integer(_ attribute: TypedAttribute<Int64>, _ bounds: WholeBounds) -> Predicate {
    Predicate(.integer(attribute, bounds))
  }

  /// The day lies within the bounds.
  package static func date(_ bounds: Bounds<TradingDay>) -> Predicate { Predicate(.date(bounds)) }
}

extension Predicate {
  /// Both hold. A chain of them is one `all`, however long it is. Complexity: O(length of the chains).
  public static func && (a: Predicate, b: Predicate) -> Predicate { .all(a.conjuncts + b.conjuncts) }

  /// One holds, or both. A chain of them is one `any`, however long it is. Complexity: O(length of the chains).
  public static func || (a: Predicate, b: Predicate) -> Predicate { .any(a.disjuncts + b.disjuncts) }

  /// The part is known not to hold.
  public static prefix func ! (a: Predicate) -> Predicate { .not(a) }

  private var conjuncts: [Predicate] {
    if case .all(let parts) = form { return parts }
    return [self]
  }

  private var disjuncts: [Predicate] {
    if case .any(let parts) = form { return parts }
    return [self]
  }
}
