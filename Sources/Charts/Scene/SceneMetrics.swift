/// What a device can show: the sizes of its surface and of its letters, in units of its own.
package struct SceneMetrics: Sendable {
  package var width: Double
  /// The height that is wanted; a scene with many panels is higher.
  package var height: Double
  /// The width of a letter.
  package var letterWidth: Double
  package var lineHeight: Double
  /// The least width of a bar with the space beside it. Bars that would be narrower are merged.
  package var barWidth: Double
  /// Panels begin and end on multiples of these.
  package var grid: (x: Double, y: Double)
  /// The space around what is drawn.
  package var margin: Double
  /// The least number of lines of the first panel, and of the others.
  package var linesMin: (first: Int, other: Int)

  /// A picture of pixels.
  package static func picture(width: Int = 960, height: Int = 540) -> SceneMetrics {
    SceneMetrics(
      width: Double(max(width, 240)), height: Double(max(height, 120)), letterWidth: 7, lineHeight: 20, barWidth: 4,
      grid: (1, 1), margin: 12, linesMin: (8, 4))
  }

  /// A terminal. Its units are the dots of braille: two in a cell's width, four in its height.
  package static func terminal(columns: Int, rows: Int) -> SceneMetrics {
    SceneMetrics(
      width: Double(min(max(columns, 30), 1000) * 2), height: Double(min(max(rows, 10), 1000) * 4), letterWidth: 2,
      lineHeight: 4, barWidth: 2, grid: (2, 4), margin: 0, linesMin: (6, 3))
  }

}
