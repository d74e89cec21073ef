// The columns as Swift arrays. An array is made of a column's values when it is first asked for, and then kept beside them;
// an array that is set is used as it is.

extension QuoteColumns {
  /// Rows of these days in which every cell of `attributes` is missing, to be filled through the subscripts.
  ///
  /// For a program that computes quotes column by column; `append(_:)` takes them row by row.
  public init(days: [TradingDay], attributes: AttributeSet = .all) {
    self.init(days: ColumnBuffer(days), attributes: attributes)
  }

  /// The days, one a row. Complexity: O(rows) when it is first asked for, then O(1).
  public internal(set) var days: [TradingDay] {
    get { dayValues.array }
    _modify { yield &dayValues.array }
  }

  /// The values of a float64 attribute, one a row; empty when it is not among `attributes`. NaN where missing.
  ///
  /// Setting them traps when the attribute is absent or there are not `rowCount` of them. Complexity: O(rows) when it is
  /// first asked for or first changed, then O(1).
  public subscript(attribute: TypedAttribute<Double>) -> [Double] {
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
  public subscript(attribute: TypedAttribute<Int64>) -> [Int64] {
    get { self[column: attribute.name].integers.array }
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
