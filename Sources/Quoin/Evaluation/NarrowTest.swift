// Comparisons, decided narrowly:
//
//   compile    a program that ends in a comparison of sums, products, quotients and the like -> `NarrowTest`
//   read       the integers that blocks store, as float32s, with what they are multiplied by and how far they may be off
//   decide     both sides in float32, each operation with a bound of its error -> rows above, rows below, rows in doubt
//   settle     the rows in doubt in float64, as the language defines the program
//
// Prices are integers of a few digits over a power of ten, so most of the first step is exact, and hardly a row is in doubt. A
// block needs a fraction of the memory and the instructions of columns of float64s, and no column is written but for steps inside.
//
// Idea: floating-point filters with exact settling (Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
// predicates", 1997), with bounds for a block in place of bounds for each number.

/// A comparison that can be decided in float32.
struct NarrowTest: Sendable {
  /// What is compared, step by step: each node's operands are before it.
  private(set) var nodes: [Node] = []
  /// The attributes that are read, each with the number of rows before that it is read of.
  private(set) var attributes: [(name: Attribute, history: Int)] = []
  /// The most of these numbers.
  private(set) var history = 0
  private(set) var x = 0
  private(set) var y = 0
  private(set) var comparison: Comparison
  /// In which rows up to a row the comparison has to hold, if not in this one alone.
  private(set) var span: Span?
  /// The function whose value is compared with 0, where what is decided is which of its operands is the larger one.
  private(set) var difference: RowFunction?
  /// The same as a sum of columns that is compared with 0; nil if it isn't one.
  private(set) var linear: LinearTest?
  private var places: [Key: Int] = [:]

  enum Node: Hashable, Sendable {
    /// An attribute's value so many rows before.
    case attribute(Int, shift: Int)
    case number(Double)
    case window(Window)
    /// The second operand of a function of one is the first.
    case row(RowFunction, NarrowForm, Int, Int)
  }

  /// The sum or the mean of so many rows of an attribute, the last of which is so many rows before.
  struct Window: Hashable, Sendable {
    let attribute: Int
    let rows: Int
    let shift: Int
    let isMean: Bool
    /// Of the first rows that have a value, how many have one of fewer rows: `mean(prev(x), 5)` has one where only four have an x before.
    let shortRows: Int
  }

  /// Each of so many rows, or one of them; none before these exist.
  struct Span: Sendable {
    let rows: Int
    let isEvery: Bool
  }

  private struct Key: Hashable {
    let operand: Program.Operand
    let shift: Int
  }

  /// The most nodes, so that their rows stay in the processor's first cache, and the most rows before.
  private static let nodeCountMax = 24
  static let historyMax = Limits.rowsPerBlock

  /// - Parameter value: what the program's first expression has to be: 1 or 0, for a comparison that holds or fails.
  /// - Returns: nil for a program of which a step has no such form.
  init?(_ program: Program, _ value: Double) {
    guard value == 0 || value == 1, var last = program.steps.last,
      program.outputs.first == .step(program.steps.count - 1)
    else { return nil }
    var holds = value == 1
    if holds, case .flag(let function, .rows(let window)) = last.operation, case .step(let index) = last.operands[0] {
      guard function === FlagFunction.every || function === FlagFunction.any, let rows = window.rows,
        (2...RowMask.spanMax).contains(rows), window.minimum == rows
      else { return nil }
      (span, last) = (Span(rows: rows, isEvery: function === FlagFunction.every), program.steps[index])
      if case .not = last.operation, case .step(let index) = last.operands[0] {
        (holds, last) = (false, program.steps[index])
      }
    }
    guard case .compare(let comparison) = last.operation else { return nil }
    self.comparison = holds ? comparison : comparison.opposite
    var sides = last.operands
    // A difference is above 0 exactly where one operand is above the other, so that equal ones aren't in doubt.
    if case .step(let index) = sides[0], sides[1] == .number(Double(0).bitPattern),
      case .row(let function) = program.steps[index].operation, function.narrow == .difference
    {
      (difference, sides) = (function, program.steps[index].operands)
    }
    guard let x = place(of: sides[0], 0, in: program), let y = place(of: sides[1], 0, in: program),
      !attributes.isEmpty
    else { return nil }
    (self.x, self.y, places) = (x, y, [:])
    linear = LinearTest(self)
    if hasWindows, linear == nil { return nil }
  }

  /// Whether it looks at windows. Then it is linear.
  var hasWindows: Bool { nodes.contains { if case .window = $0 { true } else { false } } }

  /// The node of an operand so many rows before.
  private mutating func place(of operand: Program.Operand, _ shift: Int, in program: Program) -> Int? {
    var (operand, shift) = (operand, shift)
    while case .step(let index) = operand, case .shift(let rows) = program.steps[index].operation {
      // What looks ahead and then back is missing where there was no later row.
      if rows < 0 { return nil }
      (operand, shift) = (program.steps[index].operands[0], shift + rows)
    }
    let key = Key(operand: operand, shift: shift)
    if let place = places[key] { return place }
    guard let node = node(of: operand, shift, in: program), nodes.count < Self.nodeCountMax else { return nil }
    places[key] = nodes.count
    nodes.append(node)
    return nodes.count - 1
  }

  private mutating func node(of operand: Program.Operand, _ shift: Int, in program: Program) -> Node? {
    guard case .step(let index) = operand else {
      guard case .number(let bits) = operand, Double(bitPattern: bits).isFinite, shift == 0 else { return nil }
      return .number(Double(bitPattern: bits))
    }
    let step = program.steps[index]
    switch step.operation {
    case .attribute(let name):
      guard let place = attribute(name, reach: shift) else { return nil }
      return .attribute(place, shift: shift)
    case .window(let function, .rows(let window), _):
      guard function === WindowFunction.mean || function === WindowFunction.sum, let rows = window.rows, rows > 1,
        window.minimum == rows
      else { return nil }
      let isMean = function === WindowFunction.mean
      var (operand, earlier) = (step.operands[0], 0)
      while case .step(let index) = operand, case .shift(let rows) = program.steps[index].operation, rows > 0 {
        (operand, earlier) = (program.steps[index].operands[0], earlier + rows)
      }
      // A sum of fewer rows isn't between those of the block's extremes.
      guard case .step(let index) = operand, case .attribute(let name) = program.steps[index].operation,
        earlier == 0 || isMean && earlier < rows,
        let place = attribute(name, reach: shift + earlier + rows - 1)
      else { return nil }
      return .window(
        Window(attribute: place, rows: rows, shift: shift + earlier, isMean: isMean, shortRows: earlier))
    case .row(let function):
      guard let form = function.narrow else { return nil }
      // A number is the same in each row. The value is missing where there is no earlier row as long as something else is.
      let operands = step.operands
      let shifts = operands.map { $0.isNumber && !operands.allSatisfy(\.isNumber) ? 0 : shift }
      guard let x = place(of: operands[0], shifts[0], in: program) else { return nil }
      if operands.count == 1 { return .row(function, form, x, x) }
      guard let y = place(of: operands[1], shifts[1], in: program) else { return nil }
      return .row(function, form, x, y)
    default: return nil
    }
  }

  /// The place of an attribute that is read of so many rows before; nil if these are too many.
  private mutating func attribute(_ name: Attribute, reach: Int) -> Int? {
    guard reach <= Self.historyMax else { return nil }
    let place = attributes.firstIndex { $0.name == name } ?? attributes.count
    if place == attributes.count { attributes.append((name, 0)) }
    attributes[place].history = max(attributes[place].history, reach)
    history = max(history, reach)
    return place
  }

  /// How many rows before rows are read.
  var shifts: Set<Int> {
    Set(nodes.compactMap { if case .attribute(_, let shift) = $0 { shift } else { nil } })
  }
}
