/// A chart with places: what a renderer draws, in the units of its device, from the top left corner.
package struct Scene: Sendable {
  package var width: Double
  package var height: Double
  package var title: String
  package var subtitle: String
  package var summary: String
  /// The middle of the title's line.
  package var titleY: Double
  package var panels: [ScenePanel] = []
  /// How many rows share a bar.
  package var rowsPerBar = 1
  /// What is written under the last panel, from left to right.
  package var ticks: [SceneTick] = []
  /// The middle of the line of these labels.
  package var tickY: Double
  package var marks: [SceneMark] = []
  /// Sentences about what isn't drawn as it is, and the middle of the line of the first one.
  package var notes: [String] = []
  package var noteY: Double
}

package struct ScenePoint: Sendable, Equatable {
  package var x: Double
  package var y: Double
}

package struct SceneRect: Sendable, Equatable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package var right: Double { x + width }
  package var bottom: Double { y + height }
}

/// A number or day of an axis: where it is, and what is written there, which may be nothing.
package struct SceneTick: Sendable, Equatable {
  package var position: Double
  /// The middle of the label, which may lie beside the position.
  package var labelPosition: Double
  package var label: String
}

/// A panel with what is drawn in it, from back to front.
package struct ScenePanel: Sendable {
  package var plot: SceneRect
  /// The names of what is drawn, each with its color, and the middle of their line; nil where the title says it.
  package var caption: [SceneCaption]
  package var captionY: Double?
  package var ticks: [SceneTick] = []
  package var shapes: [SceneShape] = []
}

package struct SceneCaption: Sendable, Equatable {
  package var x: Double
  package var text: String
  package var paint: Paint
}

/// What a color means. Renderers know which one it is.
package enum Paint: Sendable, Hashable {
  case rising, falling
  /// One of several lines, from 0.
  case series(Int)
}

package enum SceneShape: Sendable {
  case candles([SceneBar])
  case ohlc([SceneBar])
  /// Lines through points.
  case lines([[ScenePoint]], Paint)
  /// What lies between lines and a height.
  case areas([[ScenePoint]], base: Double, Paint)
  /// What lies between two lines of the same number of points.
  case bands([(upper: [ScenePoint], lower: [ScenePoint])], Paint)
  case columns([SceneColumn])
  case points([ScenePoint], Paint)
}

/// A candle, or the bar that says the same. Heights grow downwards, so `high` is the smallest.
package struct SceneBar: Sendable, Equatable {
  package var x: Double
  package var width: Double
  package var open: Double
  package var high: Double
  package var low: Double
  package var close: Double
  package var isRising: Bool
}

package struct SceneColumn: Sendable, Equatable {
  package var x: Double
  package var width: Double
  package var top: Double
  package var bottom: Double
  package var paint: Paint
}

/// The sign of a day.
package struct SceneMark: Sendable, Equatable {
  package var x: Double
  /// Where its tip is.
  package var y: Double
  package var kind: DayMark.Kind
  package var text: String
}
