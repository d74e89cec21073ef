import CoreMetrics
import Synchronization

/// A backend of swift-metrics that keeps its values in memory, and writes them in Prometheus's text format.
///
/// Counters are written as counters; meters and recorders that don't aggregate as gauges; other recorders and timers as
/// histograms, timers in seconds. There is one series for each label and set of dimensions.
public final class PrometheusMetrics: MetricsFactory {
  private let families = Mutex<[Family.Key: Family]>([:])
  /// What is said of the series, by their names.
  private let descriptions = Mutex<[String: String]>([:])

  /// A backend without series.
  public init() {}

  /// The counter with this label and these dimensions.
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, .counter, dimensions) { CounterSeries() }
  }

  /// The histogram, or the gauge unless `aggregate`, with this label and these dimensions.
  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    aggregate
      ? series(label, .histogram, dimensions) { HistogramSeries(bounds: HistogramSeries.powersOfTen) }
      : series(label, .gauge, dimensions) { GaugeSeries() }
  }

  /// The gauge with this label and these dimensions.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, .gauge, dimensions) { GaugeSeries() }
  }

  /// The histogram of seconds with this label and these dimensions.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, .histogram, dimensions) { HistogramSeries(bounds: HistogramSeries.latencies) }
  }

  /// Says what the series with a label are, in a sentence without a full stop.
  public func describe(_ label: String, as description: String) {
    descriptions.withLock { $0[Self.name(label)] = description }
  }

  // A series keeps its last value until the process ends, even without a handler: readers of the metrics want it.

  /// Keeps the series.
  public func destroyCounter(_ handler: any CounterHandler) {}
  /// Keeps the series.
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  /// Keeps the series.
  public func destroyMeter(_ handler: any MeterHandler) {}
  /// Keeps the series.
  public func destroyTimer(_ handler: any TimerHandler) {}

  /// All series in Prometheus's text format, by name.
  public var text: String {
    let families = families.withLock { Array($0) }
    let descriptions = descriptions.withLock { $0 }
    return families.sorted { $0.key.name < $1.key.name }.map { key, family in
      let help = descriptions[key.name].map { "# HELP \(key.name) \($0)\n" } ?? ""
      return help + family.text(name: key.name)
    }.joined()
  }

  /// The series of these dimensions. It is made when it is first asked for.
  private func series<Series: MetricSeries>(
    _ label: String, _ kind: Family.Kind, _ dimensions: [(String, String)], _ make: () -> Series
  ) -> Series {
    let labels = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    let name = Self.name(label)
    return families.withLock { families in
      let made = make()
      // In Prometheus a name has one kind, so another kind of the same label gets a name of its own.
      let taken = families.keys.contains { $0.name == name && $0.kind != kind }
      let key = Family.Key(name: taken ? "\(name)_\(kind)" : name, kind: kind)
      if let known = families[key]?.series[labels] as? Series { return known }
      families[key, default: Family(kind: kind)].series[labels] = made
      return made
    }
  }

  /// The characters that Prometheus allows in names.
  private static func name(_ text: String) -> String {
    let name = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return name.first?.isNumber ?? true ? "_" + name : name
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.append(character)
      }
    }
  }
}

/// All series of one name.
private struct Family {
  enum Kind: String {
    case counter, gauge, histogram
  }

  struct Key: Hashable {
    let name: String
    let kind: Kind
  }

  let kind: Kind
  /// The series by their labels in Prometheus's form.
  var series: [String: any MetricSeries] = [:]

  func text(name: String) -> String {
    "# TYPE \(name) \(kind.rawValue)\n"
      + series.sorted { $0.key < $1.key }.map { $0.value.text(name: name, labels: $0.key) }.joined()
  }
}
