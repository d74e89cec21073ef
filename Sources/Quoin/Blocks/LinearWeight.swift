/// What a column counts in a sum of columns.
struct LinearWeight: Sendable {
  /// What a value is multiplied by.
  var weight: Double
  /// What it counts at most in the numbers that the sum stands for: the weights of all places where it stands, without their signs.
  var size: Double
  /// How many rows before it is read.
  var shift: Int
  /// Of how many rows it is the mean, that one and those before it.
  var rows = 1
  /// Of the first rows that have a value, how many have a mean of fewer rows.
  var shortRows = 0
  /// Whether rows in which it isn't above 0 have to be in doubt.
  var isDivisor = false

  var isWindow: Bool { rows > 1 }
  /// How many rows before a row it reads.
  var reach: Int { shift + rows - 1 }
  /// How many of a ticker's first rows have no value.
  var missingRows: Int { reach - shortRows }
}

/// Which sums are wanted of those above, below, and equal to 0.
struct LinearSigns: OptionSet, Sendable {
  let rawValue: Int32

  static let above = LinearSigns(rawValue: 1)
  static let below = LinearSigns(rawValue: 2)
  static let equal = LinearSigns(rawValue: 4)
}
