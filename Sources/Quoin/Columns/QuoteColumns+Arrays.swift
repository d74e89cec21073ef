// The columns as Swift arrays. An array is made of a column's values when it is first asked for, and then kept beside them;
// an array that is set is used as it is.

extension QuoteColumns {
  /// Rows of these days with these columns; the arrays are used as they are.
  ///
  ///     let rows = try QuoteColumns(days: days, doubles: [.close: closes], integers: [.volume: volumes])
  ///
  /// For a program that computes quotes column by column; `append(_:)` takes them row by row.
  ///
  /// - Parameters:
  ///   - days: the day of each row, in any order.
  ///   - doubles: the values of float64 attributes, one a row; NaN where missing. Volumes with fractions are float64s too.
  ///   - integers: the values of int64 attributes, one a row; `Int64.min` where missing.
  /// - Throws: `QuoteColumnsError` if an attribute has not as many values as there are days, or values of the other kind.
  public init(
    days: [TradingDay], doubles: [Attribute: [Double]], integers: [Attribute: [Int64]] = [:]
  ) throws(QuoteColumnsError) {
    self.init(attributes: AttributeSet(doubles.keys).union(AttributeSet(integers.keys)))
    dayValues = ColumnBuffer(days)
    for (attribute, values) in doubles {
      if integers[attribute] != nil { throw QuoteColumnsError(attribute, .kind) }
      try Self.check(attribute, values.count, of: days.count)
      let column = Column.doubles(ColumnBuffer(values))
      self[column: attribute] = attribute.isInteger ? column.asIntegersIfWhole : column
    }
    for (attribute, values) in integers {
      if !attribute.isInteger { throw QuoteColumnsError(attribute, .kind) }
      try Self.check(attribute, values.count, of: days.count)
      self[column: attribute] = .integers(ColumnBuffer(values))
    }
  }

  private static func check(
    _ attribute: Attribute, _ count: Int, of rowCount: Int
  ) throws(QuoteColumnsError) {
    if count != rowCount { throw QuoteColumnsError(attribute, .count(count, rowCount: rowCount)) }
  }

  /// The days, one a row. Complexity: O(rows) when it is first asked for, then O(1).
  public internal(set) var days: [TradingDay] {
    get { dayValues.array }
    _modify { yield &dayValues.array }
  }

  /// The values of an attribute as float64s, one a row; NaN where missing, and in every row if the attribute is absent.
  ///
  /// A volume is given with its fraction. A whole one is given as the nearest float64, which is the volume itself up to 2^53;
  /// `integers` is exact beyond. Complexity:
  /// O(rows); for a float64 attribute that is present O(1) from the second time on.
  public func doubles(_ attribute: Attribute) -> [Double] {
    guard attributes.contains(attribute) else { return Array(repeating: .missing, count: rowCount) }
    return switch self[column: attribute] {
    case .doubles(let values): values.array
    case .integers(let values): values.map { $0.isMissing ? .missing : Double($0) }
    }
  }

  /// The values of an int64 attribute, one a row; `Int64.min` where missing, and in every row if the attribute is absent or a
  /// float64. Only volumes are int64s: `Attribute.isInteger`. Volumes with fractions are rounded to whole shares; `doubles` has
  /// them exactly.
  ///
  /// Complexity: O(rows) when it is first asked for, then O(1) if the attribute is present.
  public func integers(_ attribute: Attribute) -> [Int64] {
    guard attributes.contains(attribute), attribute.isInteger else {
      return Array(repeating: .missing, count: rowCount)
    }
    return switch self[column: attribute] {
    case .integers(let values): values.array
    case .doubles(let values): values.map { Int64.nearest(to: $0) }
    }
  }
}

extension QuoteColumns {
  /// Rows of these days in which every cell of `attributes` is missing, to be filled through the subscripts.
  package init(days: [TradingDay], attributes: AttributeSet = .all) {
    self.init(days: ColumnBuffer(days), attributes: attributes)
  }

  /// The values of a float64 attribute, one a row; empty when it is not among `attributes`. NaN where missing.
  ///
  /// Setting them traps when the attribute is absent or there are not `rowCount` of them. Complexity: O(rows) when it is
  /// first asked for or first changed, then O(1).
  package subscript(attribute: TypedAttribute<Double>) -> [Double] {
    get { self[column: attribute.name].doubles.array }
    _modify {
      yield &self[column: attribute.name].doubles.array
      checkCount(attribute.name)
    }
  }

  /// The values of an int64 attribute, one a row; empty when it is not among `attributes`. `Int64.min` where missing.
  ///
  /// Setting them traps when the attribute is absent or there are not `rowCount` of them. Complexity: O(rows) when it is
  /// first asked for or first changed, then O(1).
  package subscript(attribute: TypedAttribute<Int64>) -> [Int64] {
    get { attributes.contains(attribute.name) ? integers(attribute.name) : [] }
    _modify {
      yield &self[column: attribute.name].integers.array
      checkCount(attribute.name)
    }
  }

  private func checkCount(_ name: Attribute) {
    let count = self[column: name].count
    precondition(count == rowCount && attributes.contains(name), "\(count) values of \(name) for \(rowCount) rows")
  }
}
