/// The cells of one column of the rows that are written.
package enum CellColumn: Sendable {
  case tickers(TickerColumn)
  case days(ColumnBuffer<TradingDay>)
  case doubles(ColumnBuffer<Double>)
  /// Float64 numbers of shares, of which the whole ones are written as integers are.
  case shares(ColumnBuffer<Double>)
  case integers(ColumnBuffer<Int64>)
  /// Texts; in a column of numbers, each as JSON writes a number. Nil is a missing cell.
  case texts([String?])
  /// Every cell is missing.
  case absent
}

extension CellColumn {
  /// The cells as integers, if they are shares and all whole. To ask each cell would take longer.
  var withWholeShares: CellColumn {
    if case .shares(let values) = self, let whole = values.wholeNumbers { .integers(whole) } else { self }
  }

  var isTexts: Bool {
    if case .texts = self { true } else { false }
  }

  /// The bytes of the text of row `row`; 0 when the cells aren't texts.
  func textByteCount(_ row: Int) -> Int {
    if case .texts(let texts) = self { texts[row]?.utf8.count ?? 0 } else { 0 }
  }
}

extension QuoteColumns {
  /// The cells of these columns. An attribute that is not among `attributes` is absent, and so is the ticker when
  /// `tickers` is empty.
  package func cells(of columns: [QuoteFormatter.Column], tickers: TickerColumn = []) -> [CellColumn] {
    columns.map { column in
      switch column {
      case .ticker: tickers.isEmpty ? .absent : .tickers(tickers)
      case .date: .days(dayValues)
      case .attribute(let name): attributes.contains(name) ? CellColumn(self[column: name], of: name) : .absent
      case .computed: .absent
      }
    }
  }
}

extension QuoteBatch {
  /// The cells of these columns; those that the batch doesn't have are absent.
  package func cells(of columns: [QuoteFormatter.Column]) -> [CellColumn] {
    zip(columns, self.columns.cells(of: columns, tickers: tickers)).map { column, cells in
      guard case .computed(let name) = column else { return cells }
      return computed.first { $0.name == name }.map { .doubles($0.values) } ?? .absent
    }
  }
}

extension QuoteColumns {
  /// The text of a cell, as it is written; nil if it is missing.
  package func text(of name: Attribute, at row: Int) -> String? {
    switch self[column: name] {
    case .doubles(let values): values[row].isNaN ? nil : name.text(of: values[row])
    case .integers(let values): values[row] == .missing ? nil : "\(values[row])"
    }
  }
}

extension CellColumn {
  fileprivate init(_ column: Column, of name: Attribute) {
    switch column {
    case .doubles(let values) where name.countsShares: self = .shares(values)
    case .doubles(let values): self = .doubles(values)
    case .integers(let values): self = .integers(values)
    }
  }
}

/// The name of a column that is written, and what its cells are.
package struct ColumnHeading: Sendable {
  package enum Kind: Sendable {
    /// A ticker or a day: never missing, and without characters that CSV, TSV or JSON would have to escape.
    case word
    /// Any text.
    case text
    case number
  }

  package let name: String
  package let kind: Kind

  package init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

  package var isNumber: Bool { kind == .number }
}

extension QuoteFormatter.Column {
  package var heading: ColumnHeading {
    switch self {
    case .ticker, .date: ColumnHeading(name, .word)
    case .attribute, .computed: ColumnHeading(name, .number)
    }
  }
}
