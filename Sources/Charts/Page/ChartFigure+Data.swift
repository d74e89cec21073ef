import Quoin

// What the script knows of a chart, in JSON.
extension ChartFigure {
  /// The days and the values of each bar, and where the bars are; nothing where rows have no days.
  var data: String {
    guard case .days(let days) = chart.axis, let first = days.first, let last = days.last else { return "{}" }
    let rowsPerBar =
      details.first?.rowsPerBar ?? max(scenes[0].rowsPerBar, Thinning.rowsPerBar(days.count, barCount: 300))
    let starts = Array(stride(from: 0, to: days.count, by: rowsPerBar))
    let names = starts.map { start in
      let end = min(start + rowsPerBar, days.count) - 1
      return start == end ? "\(days[start])" : "\(days[start]) to \(days[end])"
    }
    let plots = scenes.map { scene in
      let plot = scene.panels[0].plot
      let bottom = scene.panels.last?.plot.bottom ?? plot.bottom
      return [
        "x": .double(plot.x), "width": .double(plot.width), "y": .double(plot.y), "bottom": .double(bottom),
      ] as JSONValue
    }
    let span = Double(last.daysSince1970 - first.daysSince1970) / Double(max(1, days.count - 1))
    let all = allDays ?? first...last
    let object: JSONValue = [
      "rowCount": .integer(days.count), "rowsPerBar": .integer(rowsPerBar), "daysPerRow": .double(span),
      "days": .array(names.map { .string($0) }), "firstDay": JSONValue(all.lowerBound),
      "lastDay": JSONValue(all.upperBound), "plots": .array(plots),
      "series": .array(
        values(starts, rowsPerBar).map { name, texts in
          ["name": .string(name), "values": .array(texts.map { .string($0) })]
        }),
    ]
    // Nothing may end the element that it is in.
    return object.text.replacing("<", with: "\\u003c")
  }

  private func values(_ starts: [Int], _ count: Int) -> [(name: String, texts: [String])] {
    var list: [(name: String, texts: [String])] = []
    for panel in chart.panels {
      let text: (Double) -> String = panel.form.text
      for series in panel.series {
        switch series.shape {
        case .candles(let bars), .ohlc(let bars):
          let merged = bars.merged(by: count)
          for (name, part) in [("open", \PriceBar.open), ("high", \.high), ("low", \.low), ("close", \.close)] {
            // More digits than the axis has: those that prices have.
            list.append((name, merged.map { $0.map { "\($0[keyPath: part].rounded(toSignificant: 8))" } ?? "-" }))
          }
        case .line(let values, _), .area(let values):
          list.append(
            (series.name, starts.map { start in text(Self.last(values[start..<min(start + count, values.count)])) }))
        case .columns(let values, _):
          list.append(
            (series.name, Thinning.extremes(of: values, each: count).map { Self.whole($0.value) ?? text($0.value) }))
        case .band(let lower, let upper):
          for (name, values) in [("lower", lower), ("upper", upper)] {
            list.append(
              ("\(name) of \(series.name)", starts.map { text(Self.last(values[$0..<min($0 + count, values.count)])) }))
          }
        case .bins, .points: break
        }
      }
    }
    return list
  }

  /// A number of shares, all of it.
  private static func whole(_ value: Double) -> String? {
    value.rounded() == value && value.magnitude < 1e15 ? Int(value).grouped : nil
  }

  private static func last(_ values: ArraySlice<Double>) -> Double { values.last { $0.isDrawable } ?? .nan }
}
