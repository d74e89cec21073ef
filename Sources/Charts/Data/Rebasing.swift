import Quoin

/// The values of a ticker on days of which it has some.
struct Alignment {
  let values: [[Double]]

  init(_ all: [TradingDay], _ days: [TradingDay], _ columns: [[Double]]) {
    var aligned = columns.map { _ in [Double](repeating: .nan, count: all.count) }
    var row = 0
    for (place, day) in all.enumerated() where row < days.count && days[row] == day {
      for column in columns.indices { aligned[column][place] = columns[column][row] }
      row += 1
    }
    values = aligned
  }
}

/// Makes values of different sizes comparable.
enum Rebasing {
  /// The lines divided by their values in the first row where all have one other than zero, times 100. Where no row has all,
  /// each is divided by its first one.
  static func rebased(_ lines: [[Double]]) -> [[Double]] {
    let rows = lines.first?.indices ?? 0..<0
    let common = rows.first { row in lines.allSatisfy { $0[row].isDrawable && $0[row] != 0 } }
    return lines.map { line in
      guard let row = common ?? line.firstIndex(where: { $0.isDrawable && $0 != 0 }) else { return line }
      let base = line[row]
      return line.map { $0 / base * 100 }
    }
  }
}
