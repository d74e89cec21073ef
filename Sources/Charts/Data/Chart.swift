import Quoin

/// What is drawn: panels one above the other that share an axis. It has values and names, and no places, colors or device.
package struct Chart: Sendable {
  /// The axis at the bottom, which all panels share.
  package enum Axis: Sendable {
    /// Each row has a place of the same width, whatever lies between its day and the one before.
    case days([TradingDay])
    /// Numbers, with what they are.
    case values(String)
  }

  package var title: String
  /// What stands behind the title, such as the days that are drawn.
  package var subtitle: String
  package var axis: Axis
  package var panels: [Panel]
  package var marks: [DayMark]
  /// What rows are: days, weeks.
  package var rowNoun = "days"
  /// A sentence for whoever can't see it.
  package var summary: String

  package init(
    _ title: String, subtitle: String = "", axis: Axis, panels: [Panel], marks: [DayMark] = [], summary: String = ""
  ) {
    (self.title, self.subtitle, self.axis) = (title, subtitle, axis)
    (self.panels, self.marks, self.summary) = (panels, marks, summary)
  }
}

/// A part of a chart with a scale of values of its own.
package struct Panel: Sendable {
  package var series: [Series]
  package var isLogarithmic: Bool
  /// How its numbers are written.
  package var form: NumberForm

  package init(_ series: [Series], isLogarithmic: Bool = false, form: NumberForm = .price(decimals: 2)) {
    (self.series, self.isLogarithmic, self.form) = (series, isLogarithmic, form)
  }
}

/// Values that are drawn in one way under one name. A missing value is NaN.
package struct Series: Sendable {
  package enum Shape: Sendable {
    case candles(PriceBars)
    case ohlc(PriceBars)
    /// A value a row. A line is broken where values are missing, unless it joins them.
    case line([Double], joinsGaps: Bool = false)
    case area([Double])
    /// Columns from zero, each of a day that rose or not.
    case columns([Double], isRising: [Bool])
    /// What lies between two lines.
    case band(lower: [Double], upper: [Double])
    /// A column from zero for each bin: `counts[i]` values between `edges[i]` and `edges[i + 1]`.
    case bins(edges: [Double], counts: [Int])
    case points(x: [Double], y: [Double])
  }

  package var name: String
  package var shape: Shape

  package init(_ name: String, _ shape: Shape) { (self.name, self.shape) = (name, shape) }
}

/// A day that is worth a sign.
package struct DayMark: Sendable, Equatable {
  package enum Kind: Sendable { case condition, split, dividend }

  /// The row of the day.
  package var row: Int
  package var kind: Kind
  /// What it says.
  package var text: String

  package init(row: Int, _ kind: Kind, _ text: String) { (self.row, self.kind, self.text) = (row, kind, text) }
}

/// Why something can't be drawn.
package enum ChartError: Error, Equatable, CustomStringConvertible {
  /// No value of the panel is above zero, which a logarithmic scale needs; the first series' name.
  case nothingPositive(String)
  /// There are no rows to draw.
  case noRows
  /// More panels than `panelCountMax`; their number.
  case tooManyPanels(Int)

  package static let panelCountMax = 24

  package var description: String {
    switch self {
    case .nothingPositive(let name):
      "no value of '\(name)' is above 0, and a logarithmic scale has no place for others"
    case .noRows: "no quotes meet the conditions, so there is nothing to draw"
    case .tooManyPanels(let count): "\(count) panels are more than a chart can have: at most \(Self.panelCountMax)"
    }
  }
}
