/// A scene as lines of characters, for a scene with the metrics of a terminal.
package struct TerminalWriter {
  private var grid: CellGrid
  private let scene: Scene

  /// - Parameter styled: whether it has colors, as escape sequences.
  package static func text(_ scene: Scene, styled: Bool) -> String {
    var writer = TerminalWriter(scene)
    writer.write()
    return writer.grid.text(styled: styled)
  }

  private init(_ scene: Scene) {
    self.scene = scene
    grid = CellGrid(columns: Int(scene.width) / 2, rows: scene.lineCount)
  }

  private mutating func write() {
    grid.put(scene.title, 0, 0, .bold)
    let start = scene.title.unicodeScalars.count + 2
    grid.put(scene.subtitle, start, 0, .muted)
    for panel in scene.panels { write(panel) }
    writeDays()
    for mark in scene.marks { write(mark) }
    for (index, note) in scene.noteLines.enumerated() { grid.put(note, 0, Int(scene.noteY / 4) + index, .muted) }
  }

  private mutating func write(_ panel: ScenePanel) {
    let right = Int(panel.plot.right / 2)
    let rows = Int(panel.plot.y / 4)..<Int(panel.plot.bottom / 4)
    for row in rows { grid.put("│", right, row, .muted) }
    for tick in panel.ticks {
      let row = min(max(Int(tick.position / 4), rows.lowerBound), rows.upperBound - 1)
      grid.put("├", right, row, .muted)
      grid.put(tick.label, right + 2, row, .muted)
    }
    for shape in panel.shapes { write(shape) }
    guard let y = panel.captionY else { return }
    for item in panel.caption {
      grid.put("■", Int(item.x / 2), Int(y / 4), TerminalColor(item.paint))
      grid.put(item.text, Int(item.x / 2) + 2, Int(y / 4), .plain)
    }
  }

  private mutating func writeDays() {
    guard let plot = scene.panels.last?.plot else { return }
    let (row, right) = (Int(plot.bottom / 4), Int(plot.right / 2))
    for column in 0..<right { grid.put("─", column, row, .muted) }
    grid.put("┘", right, row, .muted)
    for tick in scene.ticks {
      let column = min(Int(tick.position / 2), right - 1)
      grid.put("┴", column, row, .muted)
      let start = (tick.labelPosition / 2 - Double(tick.label.unicodeScalars.count) / 2).rounded(.down)
      grid.put(tick.label, max(0, Int(start)), Int(scene.tickY / 4), .muted)
    }
  }

  private mutating func write(_ shape: SceneShape) {
    switch shape {
    case .candles(let bars): for bar in bars { grid.candle(bar) }
    case .ohlc(let bars): for bar in bars { grid.bar(bar) }
    case .lines(let runs, let paint): lines(runs, paint)
    case .areas(let runs, let base, let paint):
      for run in runs { fill(run, down: base, paint) }
    case .bands(let bands, let paint): lines(bands.flatMap { [$0.upper, $0.lower] }, paint)
    case .columns(let columns): for column in columns { grid.column(column) }
    case .points(let points, let paint):
      for point in points { grid.dot(Int(point.x), Int(point.y), TerminalColor(paint)) }
    }
  }

  private mutating func lines(_ runs: [[ScenePoint]], _ paint: Paint) {
    for run in runs {
      if run.count == 1 { grid.line(from: run[0], to: run[0], TerminalColor(paint)) }
      for (start, end) in zip(run, run.dropFirst()) { grid.line(from: start, to: end, TerminalColor(paint)) }
    }
  }

  /// Columns of dots under a line.
  private mutating func fill(_ run: [ScenePoint], down base: Double, _ paint: Paint) {
    for (start, end) in zip(run, run.count > 1 ? run.dropFirst() : run[...]) {
      for x in Int(start.x)...max(Int(start.x), Int(end.x)) {
        let share = end.x > start.x ? min(max((Double(x) - start.x) / (end.x - start.x), 0), 1) : 0
        let top = Int(start.y + share * (end.y - start.y))
        for y in top..<max(top + 1, Int(base)) { grid.dot(x, y, TerminalColor(paint)) }
      }
    }
  }

  private mutating func write(_ mark: SceneMark) {
    let column = Int(mark.x / 2)
    let top = Int(scene.panels[0].plot.y / 4)
    switch mark.kind {
    case .condition: grid.put("▼", column, max(top, Int(mark.y / 4) - 1), .bold)
    case .split: grid.put("S", column, Int(mark.y / 4) - 1, .bold)
    case .dividend: grid.put("D", column, Int(mark.y / 4) - 1, .bold)
    }
  }
}

extension Scene {
  /// The number of lines on a terminal.
  fileprivate var lineCount: Int { Int(tickY / 4) + 1 + noteLines.count }

  /// The notes, each in as many lines as it needs.
  fileprivate var noteLines: [String] {
    let columns = max(1, Int(width) / 2)
    return notes.flatMap { note in
      note.split(separator: " ").reduce(into: [String]()) { lines, word in
        if let last = lines.last, last.unicodeScalars.count + 1 + word.unicodeScalars.count <= columns {
          lines[lines.count - 1] += " \(word)"
        } else {
          lines.append(String(word))
        }
      }
    }
  }
}
