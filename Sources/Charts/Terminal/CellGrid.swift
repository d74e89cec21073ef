/// The cells of a terminal, each a character with a color, and dots of braille that share them.
struct CellGrid {
  let columns: Int
  let rows: Int
  private var characters: [Unicode.Scalar]
  private var paints: [TerminalColor]
  /// The dots of each cell, as braille numbers them.
  private var dots: [UInt8]

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    characters = Array(repeating: " ", count: columns * rows)
    paints = Array(repeating: .plain, count: columns * rows)
    dots = Array(repeating: 0, count: columns * rows)
  }

  /// Puts a character where it is in the grid.
  mutating func put(_ character: Unicode.Scalar, _ column: Int, _ row: Int, _ color: TerminalColor) {
    guard column >= 0, column < columns, row >= 0, row < rows else { return }
    let cell = row * columns + column
    (characters[cell], paints[cell], dots[cell]) = (character, color, 0)
  }

  /// Puts a text into a row, as much of it as there is room for.
  mutating func put(_ text: String, _ column: Int, _ row: Int, _ color: TerminalColor) {
    for (index, scalar) in text.unicodeScalars.enumerated() {
      put(scalar.properties.isGraphic ? scalar : "\u{FFFD}", column + index, row, color)
    }
  }

  /// Sets a dot, two of which share a cell's width and four its height. What a cell has keeps its place.
  mutating func dot(_ x: Int, _ y: Int, _ color: TerminalColor) {
    guard x >= 0, y >= 0, x < columns * 2, y < rows * 4 else { return }
    let cell = y / 4 * columns + x / 2
    guard characters[cell] == " " || dots[cell] != 0 else { return }
    dots[cell] |= Self.bits[y % 4 * 2 + x % 2]
    characters[cell] = Unicode.Scalar(0x2800 + UInt32(dots[cell])) ?? " "
    paints[cell] = color
  }

  private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  /// Sets the dots of a line.
  mutating func line(from start: ScenePoint, to end: ScenePoint, _ color: TerminalColor) {
    let (x, y) = (start.x, start.y)
    let steps = max((end.x - x).magnitude, (end.y - y).magnitude).rounded(.up)
    guard steps > 0, steps < 1e5 else { return dot(Int(x), Int(y), color) }
    for step in 0...Int(steps) {
      let share = Double(step) / steps
      dot(Int(x + share * (end.x - x)), Int(y + share * (end.y - y)), color)
    }
  }

  /// The lines, without spaces at their ends, with or without escape sequences.
  func text(styled: Bool) -> String {
    var text = ""
    for row in 0..<rows {
      let cells = (row * columns)..<((row + 1) * columns)
      let end = characters[cells].lastIndex { $0 != " " }.map { $0 + 1 } ?? cells.lowerBound
      var color = TerminalColor.plain
      for cell in cells.lowerBound..<end {
        if styled, paints[cell] != color, characters[cell] != " " {
          color = paints[cell]
          text += color.sequence
        }
        text.unicodeScalars.append(characters[cell])
      }
      if color != .plain { text += TerminalColor.plain.sequence }
      text += "\n"
    }
    return text
  }
}

/// The colors of a terminal with 256 of them, which are readable on light and on dark ground.
enum TerminalColor: Equatable {
  case plain, bold, muted
  case number(Int)

  init(_ paint: Paint) {
    switch paint {
    case .rising: self = .number(32)
    case .falling: self = .number(166)
    case .series(let index): self = .number([32, 166, 36, 175, 172, 74, 97][index % 7])
    }
  }

  var sequence: String {
    switch self {
    case .plain: "\u{1B}[0m"
    case .bold: "\u{1B}[0;1m"
    case .muted: "\u{1B}[0;2m"
    case .number(let number): "\u{1B}[0;38;5;\(number)m"
    }
  }
}

extension Unicode.Scalar.Properties {
  /// Whether a terminal shows it, and doesn't obey it.
  fileprivate var isGraphic: Bool {
    switch generalCategory {
    case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator, .privateUse: false
    default: true
    }
  }
}
