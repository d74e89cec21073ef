import Testing

@testable import Quoin

@Suite struct PredicateRangeTests {
  /// What a program may write without thinking of types.
  @Test func the_numbers_of_a_range_may_be_of_any_type() {
    let (double, int, int64, float, byte) = (80.0, 80, Int64(80), Float(80), UInt8(80))
    let expected = Predicate.double(.high, Bounds(lower: .exclusive(80), upper: .exclusive(83.5)))
    for predicate: Predicate in [
      .range(.high, above: 80, below: 83.5), .range(.high, above: double, below: 83.5),
      .range(.high, above: int, below: 83.5), .range(.high, above: int64, below: 83.5),
      .range(.high, above: float, below: 83.5), .range(.high, above: byte, below: Optional(83.5)),
    ] {
      #expect(predicate == expected)
    }
    let closed = Predicate.double(.high, Bounds(lower: .inclusive(80), upper: .inclusive(83)))
    for predicate: Predicate in [
      .range(.high, 80...83), .range(.high, 80.0...83), .range(.high, int...83), .range(.high, int64...83),
      .range(.high, float...83), .range(.high, byte...83),
    ] {
      #expect(predicate == closed)
    }
    let none: Double? = nil
    #expect(
      Predicate.range(.volume, above: 1_000_000, below: none) == .integer(.volume, Bounds(lower: .exclusive(1_000_000)))
    )
    #expect(Predicate.range(.volume, 5..<9) == .integer(.volume, Bounds(lower: .inclusive(5), upper: .exclusive(9))))
    #expect(Predicate.range(.volume, ...9.5).ofWholeNumbers == .integer(.volume, Bounds(upper: .inclusive(9))))
    #expect(Predicate.range(.volume, ..<9.5).ofWholeNumbers == .integer(.volume, Bounds(upper: .inclusive(9))))
    #expect(Predicate.range(.volume, above: 1.5).ofWholeNumbers == .integer(.volume, Bounds(lower: .inclusive(2))))
    #expect(Predicate.range(.volume, (-1.5)...).ofWholeNumbers == .integer(.volume, Bounds(lower: .inclusive(-1))))
  }

  private static let whole: [Int128] =
    NastyValues.integers.map { Int128($0) } + [
      1 << 53 - 1, 1 << 53, 1 << 53 + 1, 1 << 53 + 2, 1 << 53 + 3, -(1 << 53) - 1, 1 << 62 + 255, 1 << 62 + 256,
      1 << 62 + 257, 1 << 62 - 129, 1 << 63 - 1, 1 << 63, 1 << 63 + 1, -(1 << 63) - 1, 1 << 64 - 1, 1 << 100 + 1,
      -(1 << 100) - 1, .max, .min,
    ]

  private static let doubles =
    NastyValues.doubles
    + whole.flatMap { [Double($0).nextDown, Double($0), Double($0).nextUp] } + [0.5, 1.5, -1.5, 2.5, -0.5]

  /// `a < b`, by the floor of `a`, in whole numbers.
  private static func isBelow(_ a: Double, _ b: Int128) -> Bool {
    if a.isNaN { return false }
    return a < -0x1p127 || a < 0x1p127 && Int128(a.rounded(.down)) < b
  }

  /// `a > b`, by the ceiling of `a`, in whole numbers.
  private static func isAbove(_ a: Double, _ b: Int128) -> Bool {
    if a.isNaN { return false }
    return a >= 0x1p127 || a > -0x1p127 && Int128(a.rounded(.up)) > b
  }

  private static func has(_ predicate: Predicate, _ value: Double) -> Bool {
    guard case .double(_, let bounds) = predicate.form else { return false }
    return bounds.contains(value)
  }

  private static func has(_ predicate: Predicate, _ value: Int64) -> Bool {
    guard case .integer(_, let bounds) = predicate.form else { return false }
    return bounds.whole.contains(value)
  }

  @Test func an_integer_is_compared_with_float64s_exactly() {
    for number in Self.whole {
      for value in Self.doubles {
        let (isBelow, isAbove) = (Self.isBelow(value, number), Self.isAbove(value, number))
        #expect(Self.has(.range(.high, above: number), value) == isAbove, "\(value) > \(number)")
        #expect(Self.has(.range(.high, below: number), value) == isBelow, "\(value) < \(number)")
        #expect(Self.has(.range(.high, number...), value) == (!isBelow && !value.isNaN), "\(value) >= \(number)")
        #expect(Self.has(.range(.high, ...number), value) == (!isAbove && !value.isNaN), "\(value) <= \(number)")
      }
    }
  }

  @Test func integers_of_other_types_mean_the_same() {
    for number in Self.whole {
      let wide = Predicate.range(.high, above: number)
      if let narrow = Int64(exactly: number) { #expect(Predicate.range(.high, above: narrow) == wide) }
      if let narrow = UInt64(exactly: number) { #expect(Predicate.range(.high, above: narrow) == wide) }
      if let narrow = UInt128(exactly: number) { #expect(Predicate.range(.high, above: narrow) == wide) }
      if let narrow = Int32(exactly: number) { #expect(Predicate.range(.high, above: narrow) == wide) }
    }
    #expect(Self.has(.range(.high, below: UInt128.max), .greatestFiniteMagnitude) == false)
    #expect(Self.has(.range(.high, below: UInt128.max), 0x1p127))
  }

  @Test func a_float64_is_compared_with_volumes_exactly() {
    let volumes = NastyValues.integers + [1, 2, 3, -1, -2, 1 << 53 - 1, 1 << 53, 1 << 53 + 1, .max - 1023, .max - 511]
    for number in Self.doubles {
      for value in volumes {
        let (isBelow, isAbove) = (Self.isAbove(number, Int128(value)), Self.isBelow(number, Int128(value)))
        #expect(Self.has(.range(.volume, above: number), value) == isAbove, "\(value) > \(number)")
        #expect(Self.has(.range(.volume, below: number), value) == isBelow, "\(value) < \(number)")
        // Of NaN, Swift's own ranges trap.
        if number.isNaN { continue }
        #expect(Self.has(.range(.volume, number...), value) == !isBelow, "\(value) >= \(number)")
        #expect(Self.has(.range(.volume, ...number), value) == !isAbove, "\(value) <= \(number)")
      }
    }
  }

  @Test func nothing_is_above_or_below_nan_and_everything_else_is_not() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert([
      DailyQuoteSummary(ticker: "A", date: "2005-01-03", high: 1, volume: 2),
      DailyQuoteSummary(ticker: "A", date: "2005-01-04"),
    ])
    for attribute in [Attribute.high, .volume] {
      #expect(try store.allQuotes.where(attribute, above: Double.nan).count() == 0)
      #expect(try store.allQuotes.where(attribute, above: 0, below: Float.nan).count() == 0)
      #expect(try store.allQuotes.where(!.range(attribute, above: Double.nan)).count() == 1)
      #expect(try store.allQuotes.where(attribute).count() == 1)
    }
  }

  @Test func an_attribute_in_a_variable_serves_for_every_question() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert([.fedEx: .sample(30)])
    for attribute in Attribute.allCases {
      let query = store.allQuotes.selecting(attribute).where(attribute, above: -1)
      let rows = try query.fetch()
      let values = try query.fetchColumns().columns.doubles(attribute)
      #expect(rows.compactMap { $0[attribute] } == values)
      #expect(try query.where(!.isMissing(attribute)).aggregate(attribute).maximum == values.max())
      #expect(try query.aggregate([.max(attribute)]).doubles(.max(attribute)) == [values.max()])
    }
    #expect(try store.allQuotes.selecting(.high, .low).fetchColumns().columns.attributes == [.low, .high])
    #expect(try store.allQuotes.selecting([.high, .low]).fetchColumns().columns.attributes == [.low, .high])
    #expect(try store.allQuotes.selecting(.all).fetchColumns().columns.attributes == .all)
  }
}

extension Predicate {
  /// The same, if no volume has a fraction.
  var ofWholeNumbers: Predicate {
    switch form {
    case .integer(let key, let bounds): .integer(key, bounds.whole)
    case .not(let part): .not(part.ofWholeNumbers)
    case .all(let parts): .all(parts.map(\.ofWholeNumbers))
    case .any(let parts): .any(parts.map(\.ofWholeNumbers))
    default: self
    }
  }
}
