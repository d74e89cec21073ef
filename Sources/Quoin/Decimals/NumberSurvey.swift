/// Looks at the numbers of a column, all of which decide together what a comma and a point mean.
struct NumberSurvey {
  /// What speaks for one of the two marks before fractions.
  private struct Reading {
    /// How many numbers can't be read so.
    var impossibleCount = 0
    var groupedCount = 0
    var largeUngroupedCount = 0

    /// Whether each number can be read so.
    var isPossible: Bool { impossibleCount == 0 }

    /// Whoever groups the digits of one number groups those of all.
    var isConsistent: Bool { isPossible && (groupedCount == 0 || largeUngroupedCount == 0) }
  }

  /// What the numbers of a column say.
  enum Conclusion: Equatable {
    /// No number has a comma or a point.
    case nothing
    case decimal(NumberStyle.Mark)
    /// Both readings are possible; the first number with two of them.
    case both(example: String)
  }

  private var point = Reading()
  private var comma = Reading()
  private var example: String?
  private var hasMarks = false
  /// Whether a number is grouped by apostrophes, and whether one that is has a fraction too.
  private var apostrophes = (count: 0, withFraction: false, example: "")
  /// The first number with a comma or a point that has one reading, and the first one with four digits and more that aren't grouped.
  private(set) var decider: String?
  private(set) var ungroupedExample: String?
  /// By the mark before fractions, the first number whose digits are grouped then, and the sign that does it.
  private(set) var groups: [NumberStyle.Mark: (sign: UInt8, example: String)] = [:]
  /// Whether a number with four digits and more isn't grouped.
  private(set) var hasUngrouped = false

  mutating func note(_ text: some Collection<UInt8>) {
    guard let parts = NumberParts(text) else { return }
    let readings = (parts.plain(.point, grouping: nil), parts.plain(.comma, grouping: nil))
    if readings.0 == nil, readings.1 == nil { return }
    noteApostrophes(parts, text)
    let marks = [NumberStyle.Mark.point, .comma].map(\.rawValue)
    if parts.body.contains(where: marks.contains) { hasMarks = true }
    Self.note(parts, readings.0, .point, &point)
    Self.note(parts, readings.1, .comma, &comma)
    let isUngrouped = (
      readings.0 != nil && parts.isLargeUngrouped(.point), readings.1 != nil && parts.isLargeUngrouped(.comma)
    )
    if isUngrouped.0 && (isUngrouped.1 || readings.1 == nil) || isUngrouped.1 && readings.0 == nil {
      hasUngrouped = true
      ungroupedExample = ungroupedExample ?? String(decoding: text, as: UTF8.self)
    }
    noteExamples(parts, readings, text)
    if let one = readings.0, let other = readings.1, one.plain != other.plain, example == nil {
      example = String(decoding: text, as: UTF8.self)
    }
  }

  private static func note(
    _ parts: NumberParts, _ found: NumberText?, _ mark: NumberStyle.Mark, _ reading: inout Reading
  ) {
    guard found != nil else {
      reading.impossibleCount += 1
      return
    }
    if parts.hasGroups(mark) { reading.groupedCount += 1 }
    if parts.isLargeUngrouped(mark) { reading.largeUngroupedCount += 1 }
  }

  /// Notes the numbers that say why a column is read as it is.
  private mutating func noteExamples(
    _ parts: NumberParts, _ readings: (point: NumberText?, comma: NumberText?), _ text: some Collection<UInt8>
  ) {
    if decider == nil, (readings.point == nil) != (readings.comma == nil) {
      decider = String(decoding: text, as: UTF8.self)
    }
    for (mark, reading) in [(NumberStyle.Mark.point, readings.point), (.comma, readings.comma)]
    where reading != nil && groups[mark] == nil {
      guard let sign = parts.groupSign(mark) else { continue }
      groups[mark] = (sign, String(decoding: text, as: UTF8.self))
    }
  }

  private mutating func noteApostrophes(_ parts: NumberParts, _ text: some Collection<UInt8>) {
    guard parts.body.contains(UInt8(ascii: "'")) else { return }
    if apostrophes.count == 0 { apostrophes.example = String(decoding: text, as: UTF8.self) }
    apostrophes.count += 1
    if !parts.maySpell32nds { apostrophes.withFraction = true }
  }

  /// The first number whose apostrophes may part 32nds of a point from the whole, if no number has a fraction behind them.
  var maybe32nds: String? { apostrophes.count > 0 && !apostrophes.withFraction ? apostrophes.example : nil }

  /// What the numbers say by themselves.
  var verdict: Conclusion {
    guard hasMarks else { return .nothing }
    switch (point.isConsistent, comma.isConsistent) {
    case (true, false): return .decimal(.point)
    case (false, true): return .decimal(.comma)
    case (true, true): return example.map { .both(example: $0) } ?? .nothing
    case (false, false):
      if point.isPossible, comma.isPossible { return example.map { .both(example: $0) } ?? .nothing }
      // Numbers of both kinds: those of the rarer kind will be bad.
      return .decimal(comma.impossibleCount < point.impossibleCount ? .comma : .point)
    }
  }
}
